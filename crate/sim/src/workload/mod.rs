//! Which jobs there are: read from a log or job list, or generated, then shaped by the scenario.
//!
//! Nothing in a file is dropped silently: every line is accounted for in a [`Report`]. All that is
//! drawn comes from streams named by seed, replication, purpose and job index.
//!
//! - `report`: what a reader did with every line
//! - `trace`: the jobs of a file
//! - `read`: bytes to lines to a trace
//! - `swf`: the Standard Workload Format
//! - `csv`: job lists
//! - `law`: draws from laws
//! - `poisson`: generated jobs
//! - `shape`: estimates, load and bandwidth

pub mod report;
pub mod trace;

pub mod read;

pub mod swf;

pub mod csv;

mod law;

mod poisson;

mod shape;

pub use read::{Options, TraceError, TraceReader};
pub use report::Report;
pub use trace::{Format, Trace};

use crate::job::{Job, Jobs};
use crate::scenario::{Bandwidth, Capacity, Problem, Source, Workload};

/// How many jobs [`jobs`] gives.
///
/// # Errors
/// The workload is a file and there is no trace.
pub fn job_count(workload: &Workload, trace: Option<&Trace>) -> Result<usize, Problem> {
    match workload.source {
        Source::Poisson { jobs, .. } => Ok(jobs as usize),
        Source::Swf | Source::Csv => {
            let rows = needed(workload, trace)?.rows.len();
            Ok(workload
                .first
                .map_or(rows, |first| rows.min(first as usize)))
        }
    }
}

/// The jobs of one replication on a system of that capacity, by submit time.
///
/// # Errors
/// The workload is a file and there is no trace, the load cannot be reached, the bandwidth column is
/// missing, or the jobs' times add up beyond what an instant can hold.
pub fn jobs(
    workload: &Workload,
    trace: Option<&Trace>,
    capacity: &Capacity,
    seed: u64,
    replication: u64,
) -> Result<Jobs, Problem> {
    let mut has_bandwidth = false;
    let mut jobs: Vec<Job> = match workload.source {
        Source::Poisson {
            jobs,
            size,
            runtime,
            interarrival,
        } => {
            let laws = poisson::Laws {
                size,
                runtime,
                interarrival,
            };
            poisson::jobs(jobs, laws, seed, replication)
        }
        Source::Swf | Source::Csv => {
            let trace = needed(workload, trace)?;
            has_bandwidth = trace.has_bandwidth;
            let rows = &trace.rows[..job_count(workload, Some(trace))?];
            let job = |row| shape::estimated(row, workload.estimate);
            rows.iter().map(job).collect()
        }
    };
    if workload.bandwidth == Bandwidth::Column && !has_bandwidth {
        return Err(Problem::new(
            "bandwidth",
            "column",
            "the workload has no column bandwidth_kbps; choose another law or a job list that has it",
        ));
    }
    shape::scale(&mut jobs, workload.load, capacity.slots)?;
    if !shape::fits_in_time(&jobs) {
        return Err(Problem::new(
            "workload",
            workload.source.kind().name(),
            "submit and run times add up to more than 146,000 years; shorten them or take fewer jobs",
        ));
    }
    let (law, capped) = (workload.bandwidth, workload.cap_bandwidth);
    shape::bandwidth(&mut jobs, law, capped, capacity, seed, replication);
    Ok(jobs.into())
}

/// The trace of a workload that is a file.
fn needed<'a>(workload: &Workload, trace: Option<&'a Trace>) -> Result<&'a Trace, Problem> {
    let missing = || {
        let kind = workload.source.kind().name();
        Problem::new("workload", kind, "this workload needs a file; give one")
    };
    trace.ok_or_else(missing)
}
