//! The jobs of a replication, made as a workload says.

use super::arrivals::{Arrivals, Lazy, Logged, Maker, one_by_one};
use super::options::{Bandwidth, Estimate};
use super::spec::{Model, Source, Workload};
use super::trace::Trace;
use super::{clean, cpu, feitelson, jann, lublin, poisson, shape, tsafrir, vm_migration};
use crate::job::{Job, Jobs};
use crate::machine::Capacity;
use crate::problem::Problem;
use crate::unit::Span;

/// The number of jobs of [`jobs`].
///
/// # Errors
/// The workload is a file and there is no trace.
pub fn job_count(workload: &Workload, trace: Option<&Trace>) -> Result<usize, Problem> {
    match workload.source {
        Source::Poisson { jobs, .. } | Source::Model { jobs, .. } => Ok(jobs as usize),
        Source::Swf | Source::Csv => Ok(clean::positions(needed(workload, trace)?, workload).len()),
    }
}

/// The sizes of the jobs that a workload takes from a trace.
pub fn sizes(workload: &Workload, trace: &Trace) -> Vec<u32> {
    let positions = clean::positions(trace, workload);
    let size = |&position: &u32| trace.rows[position as usize].size;
    positions.iter().map(size).collect()
}

/// The jobs of one replication on a system of that capacity, by submit time.
///
/// # Errors
/// The workload is a file and there is no trace, the load cannot be reached, the bandwidth column
/// is missing, or the jobs' times add up beyond what an instant can hold, or may on shared links.
pub fn jobs(
    workload: &Workload,
    trace: Option<&Trace>,
    capacity: &Capacity,
    seed: u64,
    replication: u64,
) -> Result<Jobs, Problem> {
    let arrivals = arrivals(workload, trace, capacity, seed, replication)?;
    Ok(arrivals.into_jobs())
}

/// The same jobs, made one by one where possible: see [`Lazy`].
///
/// # Errors
/// As [`jobs`].
pub fn arrivals(
    workload: &Workload,
    trace: Option<&Trace>,
    capacity: &Capacity,
    seed: u64,
    replication: u64,
) -> Result<Arrivals, Problem> {
    let has_bandwidth = match workload.source {
        Source::Swf | Source::Csv => needed(workload, trace)?.has_bandwidth,
        Source::Poisson { .. } | Source::Model { .. } => false,
    };
    if workload.bandwidth == Bandwidth::Column && !has_bandwidth {
        return Err(Problem::new(
            "bandwidth",
            "column",
            "the workload has no column bandwidth_kbps; choose another distribution or a job list that has it",
        ));
    }
    let lazy = |jobs| {
        let lazy = Lazy::new(jobs, workload, capacity, seed, replication)?;
        Ok(Arrivals::Lazy(Box::new(lazy)))
    };
    let mut users = Vec::new();
    let mut jobs: Vec<Job> = match workload.source {
        Source::Poisson {
            jobs,
            size,
            runtime,
            interarrival,
        } => {
            let distributions = poisson::Distributions {
                size,
                runtime,
                interarrival,
            };
            let jobs = poisson::Jobs::new(jobs, distributions, seed, replication);
            if one_by_one(workload) {
                return lazy(Maker::Lazy(jobs));
            }
            jobs.collect()
        }
        Source::Model { jobs, ref model } => match model {
            Model::Lublin { largest, classes } => {
                lublin::jobs(jobs, *largest, *classes, seed, replication)
            }
            Model::Feitelson(model) => {
                feitelson::jobs(jobs, model, workload.feedback, seed, replication)
            }
            Model::Jann { upper } => jann::jobs(jobs, *upper, seed, replication),
        },
        Source::Swf | Source::Csv => {
            let trace = needed(workload, trace)?;
            if one_by_one(workload) {
                let logged = Logged::new(trace, workload);
                if logged.is_empty() {
                    return Err(clean::none_left(workload));
                }
                return lazy(Maker::Logged(Box::new(logged)));
            }
            let rows = &clean::chosen(trace, workload, seed, replication)?;
            users = rows.iter().map(|row| row.user).collect();
            let job = |row| shape::logged(row, workload);
            let mut jobs: Vec<Job> = rows.iter().map(job).collect();
            if workload.feedback {
                shape::follow(&mut jobs, rows);
            }
            jobs
        }
    };
    if workload.estimate == Estimate::Tsafrir {
        tsafrir::estimate(&mut jobs, workload.longest_estimate, seed, replication)?;
    }
    let mut shape = shape::Shape::new(jobs.iter(), workload, capacity, seed, replication)?;
    for (index, job) in jobs.iter_mut().enumerate() {
        let user = users.get(index).copied().unwrap_or(0);
        shape.apply(index as u64, job, user);
    }
    if let Some(usage) = workload.usage {
        cpu::draw(&mut jobs, usage, capacity.slots, seed, replication);
    }
    if let Some(migration) = workload.vm_migration {
        vm_migration::draw(&mut jobs, migration, seed, replication);
    }
    Ok(Arrivals::Listed(jobs.into()))
}

/// Who submitted a job, and the run time that was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The number of the user; 0 if unknown.
    pub user: u32,
    /// The time limit that the user gave; `None` if there is none.
    pub limit: Option<Span>,
}

/// The origin of each of the jobs that [`jobs`] made of the same workload. Of generated jobs, those
/// whose users are modelled have a limit.
///
/// # Errors
/// The workload is a file and there is no trace.
pub fn origins(
    workload: &Workload,
    trace: Option<&Trace>,
    jobs: &Jobs,
    seed: u64,
    replication: u64,
) -> Result<Vec<Origin>, Problem> {
    let modelled = workload.estimate == Estimate::Tsafrir;
    let own = |job: &Job| Origin {
        user: 0,
        limit: modelled.then_some(job.estimate),
    };
    let mut origins: Vec<Origin> = jobs.iter().map(own).collect();
    if matches!(workload.source, Source::Swf | Source::Csv) {
        let rows = clean::chosen(needed(workload, trace)?, workload, seed, replication)?;
        for (origin, row) in origins.iter_mut().zip(rows) {
            origin.user = row.user;
            let limit = Some(row.estimate).filter(|&limit| limit > Span(0));
            origin.limit = origin.limit.or(limit);
        }
    }
    Ok(origins)
}

/// The trace of a workload that is a file.
fn needed<'a>(workload: &Workload, trace: Option<&'a Trace>) -> Result<&'a Trace, Problem> {
    let missing = || {
        let kind = workload.source.kind().name();
        Problem::new("workload", kind, "this workload needs a file; give one")
    };
    trace.ok_or_else(missing)
}
