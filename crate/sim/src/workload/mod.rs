//! Which jobs there are: read from a log or job list, or generated, then shaped by the scenario.
//!
//! Nothing in a file is dropped silently: every line is accounted for in a [`Report`]. All that is
//! drawn comes from streams named by seed, replication, purpose and job index.
//!
//! - `report`: what the reader of a file did with every line
//! - `trace`: the jobs of a file
//! - `clean`: what is left out of a trace, and shaking it
//! - `law`: laws to draw from
//! - `sampler`: draws from them
//! - `poisson`: jobs drawn from laws
//! - `lublin`, `feitelson`, `jann`: jobs after models of real workloads
//! - `tsafrir`: estimates after a model of users
//! - `shape`: estimates, load and bandwidth
//! - `cpu`: what processes use of their nodes
//! - `home`: the clusters at which jobs are submitted
//! - `vm_migration`: when virtual machines migrate
//! - `arrivals`: the jobs of a run, in memory or drawn when their turn comes

pub mod report;
pub mod trace;

pub mod clean;

pub mod law;

mod sampler;

mod poisson;

mod lublin;

mod feitelson;

mod jann;

mod tsafrir;

mod shape;

mod cpu;

mod home;

mod vm_migration;

mod arrivals;

pub use clean::{Flurries, Statuses};
pub use cpu::Usage;
pub use feitelson::Feitelson;
pub use home::{HomeRule, Homes};
pub use law::Law;
pub use shape::{Bandwidth, BandwidthKind, Estimate, Load, LoadLaw};
pub use trace::Processors;
pub use vm_migration::VmMigration;

pub use arrivals::{Arrivals, Drawn};
pub use report::Report;
pub use trace::{Format, Trace};

use crate::COMPLETE;
use crate::choice::choices;
use crate::decimal::Decimal;
use crate::job::{Job, Jobs};
use crate::problem::Problem;
use crate::system::Capacity;
use crate::unit::{Kbps, Span, Time};

/// Which jobs there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workload {
    /// Where they come from.
    pub source: Source,
    /// Only so many of the first ones of a trace; all where there is no number.
    pub first: Option<u32>,
    /// How their submit times are scaled.
    pub load: Load,
    /// How much bandwidth they ask for.
    pub bandwidth: Bandwidth,
    /// Whether no job asks for more than the line rate.
    pub cap_bandwidth: bool,
    /// What their estimates are and what happens to a job that runs longer.
    pub estimate: Estimate,
    /// The longest estimate where users are modelled.
    pub longest_estimate: Span,
    /// Which column of a log is a job's size.
    pub processors: Processors,
    /// Whether a job of a log arrives only after the job it names as preceding has ended.
    pub feedback: bool,
    /// What the processes of the jobs use of their nodes, where nodes are shared.
    pub usage: Option<Usage>,
    /// At which of how many clusters jobs are submitted, where there are several.
    pub homes: Option<Homes>,
    /// Whether bursts of one user's similar jobs are taken.
    pub flurries: Flurries,
    /// Which jobs of a log are taken by how they ended.
    pub statuses: Statuses,
    /// By how much each submit time of a trace may be moved, earlier or later.
    pub shake: Span,
    /// How virtual machines migrate, where they do.
    pub vm_migration: Option<VmMigration>,
}

choices! {
    /// Where the jobs come from.
    pub enum SourceKind {
        Swf = "swf", "Workload log (SWF)",
            "A log in the Standard Workload Format, plain or gzipped.",
            "S. Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999";
        Csv = "csv", "Job list (CSV)",
            "A table with the columns job, submit_us, size, bandwidth_kbps and runtime_us.",
            "";
        Poisson = "poisson", "Generated",
            "Independent jobs, their sizes, runtimes and interarrival times drawn from laws.",
            "";
        Lublin = "lublin", "Lublin and Feitelson",
            "The authors' model, complete: sizes, run times that hang on them, arrivals in a daily cycle.",
            "U. Lublin, D. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs, JPDC 63(11), 2003";
        Feitelson = "feitelson96-like", "Like Feitelson's of 1996",
            "Of the kind of that model and not that model: its weights of sizes and its constants of run times and repetitions are not to be had, those here are ours.",
            "D. Feitelson, Packing schemes for gang scheduling, JSSPP 1996";
        Jann = "jann97-refit", "Jann's of 1997, fitted anew",
            "The model's laws with parameters fitted anew to the log CTC-SP2 of the same months, as the published table is not to be had; sizes within a range are ours.",
            "J. Jann et al., Modeling of workload in MPPs, JSSPP 1997";
    }
}

/// Where the jobs come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// A log in the Standard Workload Format.
    #[default]
    Swf,
    /// A job list.
    Csv,
    /// A generator of independent jobs.
    Poisson {
        /// How many.
        jobs: u32,
        /// Their sizes, in slots.
        size: Law,
        /// Their runtimes, in seconds.
        runtime: Law,
        /// The times between them, in seconds.
        interarrival: Law,
    },
    /// A model of real workloads.
    Model {
        /// How many jobs.
        jobs: u32,
        /// Which.
        model: Model,
    },
}

/// A model of real workloads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Model {
    /// Of Lublin and Feitelson.
    Lublin {
        /// The largest size.
        largest: u32,
        /// Whether batch and interactive jobs are drawn apart.
        classes: bool,
    },
    /// Of the kind of Feitelson's of 1996.
    Feitelson(Feitelson),
    /// Of Jann et al., fitted anew.
    Jann {
        /// The share of a range's jobs that have its largest size.
        upper: Decimal,
    },
}

impl Source {
    /// Its kind.
    pub fn kind(&self) -> SourceKind {
        match self {
            Source::Swf => SourceKind::Swf,
            Source::Csv => SourceKind::Csv,
            Source::Poisson { .. } => SourceKind::Poisson,
            Source::Model { model, .. } => match model {
                Model::Lublin { .. } => SourceKind::Lublin,
                Model::Feitelson(_) => SourceKind::Feitelson,
                Model::Jann { .. } => SourceKind::Jann,
            },
        }
    }
}

/// How many jobs [`jobs`] gives.
///
/// # Errors
/// The workload is a file and there is no trace.
pub fn job_count(workload: &Workload, trace: Option<&Trace>) -> Result<usize, Problem> {
    match workload.source {
        Source::Poisson { jobs, .. } | Source::Model { jobs, .. } => Ok(jobs as usize),
        Source::Swf | Source::Csv => {
            let rows = &needed(workload, trace)?.rows;
            let taken = rows
                .iter()
                .filter(|row| clean::takes(workload, row))
                .count();
            Ok(workload
                .first
                .map_or(taken, |first| taken.min(first as usize)))
        }
    }
}

/// The sizes of the jobs of a trace that a workload takes.
pub fn sizes(workload: &Workload, trace: &Trace) -> Vec<u32> {
    let taken = trace.rows.iter().filter(|row| clean::takes(workload, row));
    let all = workload.first.map_or(usize::MAX, |first| first as usize);
    taken.take(all).map(|row| row.size).collect()
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
    let arrivals = arrivals(workload, trace, capacity, seed, replication)?;
    Ok(arrivals.into_jobs())
}

/// The same jobs, which may be drawn when their turn comes: see [`Drawn`].
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
            "the workload has no column bandwidth_kbps; choose another law or a job list that has it",
        ));
    }
    let mut users = Vec::new();
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
            let jobs = poisson::Jobs::new(jobs, laws, seed, replication);
            if arrivals::one_by_one(workload) {
                let drawn = Drawn::new(jobs, workload, capacity, seed, replication)?;
                return Ok(Arrivals::Drawn(Box::new(drawn)));
            }
            jobs.collect()
        }
        Source::Model { .. } if !COMPLETE => unreachable!("the small build has no models"),
        Source::Model { jobs, ref model } => match model {
            Model::Lublin { largest, classes } => {
                lublin::jobs(jobs, *largest, *classes, seed, replication)
            }
            Model::Feitelson(model) => {
                feitelson::jobs(jobs, model, workload.feedback, seed, replication)
            }
            Model::Jann { upper } => jann::jobs(jobs, *upper, seed, replication),
        },
        Source::Swf | Source::Csv if !COMPLETE => {
            unreachable!("only the complete build reads traces")
        }
        Source::Swf | Source::Csv => {
            let trace = needed(workload, trace)?;
            let rows = &clean::chosen(trace, workload, seed, replication)?;
            users = rows.iter().map(|row| row.user).collect();
            let job = |row| shape::estimated(row, workload.estimate);
            let mut jobs: Vec<Job> = rows.iter().map(job).collect();
            if workload.feedback {
                shape::follow(&mut jobs, rows);
            }
            jobs
        }
    };
    if COMPLETE && workload.estimate == Estimate::Tsafrir {
        tsafrir::estimate(&mut jobs, workload.longest_estimate, seed, replication)?;
    }
    let totals = shape::Totals::of(jobs.iter());
    let mut shape = shape::Shape::new(&totals, workload, capacity, seed, replication)?;
    for (index, job) in jobs.iter_mut().enumerate() {
        let user = users.get(index).copied().unwrap_or(0);
        shape.apply(index as u64, job, user);
    }
    if COMPLETE && let Some(usage) = workload.usage {
        cpu::draw(&mut jobs, usage, capacity.slots, seed, replication);
    }
    if COMPLETE && let Some(migration) = workload.vm_migration {
        vm_migration::draw(&mut jobs, migration, seed, replication);
    }
    Ok(Arrivals::Listed(jobs.into()))
}

/// A job that was drawn: it asks for no bandwidth and runs as long as it says.
fn generated(number: u64, submit: Time, size: u32, runtime: Span) -> Job {
    Job {
        number,
        submit,
        size,
        bandwidth: Kbps(0),
        runtime,
        estimate: runtime,
        after: None,
        cpu: None,
        home: 0,
        vm_migrations: None,
    }
}

/// The trace of a workload that is a file.
fn needed<'a>(workload: &Workload, trace: Option<&'a Trace>) -> Result<&'a Trace, Problem> {
    let missing = || {
        let kind = workload.source.kind().name();
        Problem::new("workload", kind, "this workload needs a file; give one")
    };
    trace.ok_or_else(missing)
}
