//! The specification of a workload in a setup.

use super::cpu::Usage;
use super::distribution::Distribution;
use super::feitelson::Feitelson;
use super::home::Homes;
use super::options::{Bandwidth, BandwidthCap, Estimate, Flurries, Load, Statuses};
use super::selection::Selection;
use super::trace::{Cancelled, Processors};
use super::vm_migration::VmMigration;
use crate::choice::choices;
use crate::decimal::Decimal;
use crate::unit::Span;

/// The jobs of a setup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workload {
    /// The source of the jobs.
    pub source: Source,
    /// The part of a trace that is used.
    pub slice: Slice,
    /// Whether jobs know when they started in the log.
    pub recorded: bool,
    /// Use only the first jobs of that part, up to this number; `None` for all.
    pub first: Option<u32>,
    /// How their submit times are scaled.
    pub load: Load,
    /// The bandwidth that jobs request.
    pub bandwidth: Bandwidth,
    /// At what requests are capped.
    pub cap_bandwidth: BandwidthCap,
    /// Their estimates, and the treatment of jobs that run longer.
    pub estimate: Estimate,
    /// The longest estimate where users are modelled.
    pub longest_estimate: Span,
    /// Which column of a log is a job's size.
    pub processors: Processors,
    /// How jobs of a log are treated that were cancelled before they started.
    pub cancelled: Cancelled,
    /// Whether a job of a log arrives only after the job it names as preceding has ended.
    pub feedback: bool,
    /// The CPU usage of the processes, if nodes are shared.
    pub usage: Option<Usage>,
    /// The home clusters of jobs, if there are several.
    pub homes: Option<Homes>,
    /// Whether bursts of one user's similar jobs are taken.
    pub flurries: Flurries,
    /// Which jobs of a log are taken by how they ended.
    pub statuses: Statuses,
    /// Which jobs of a log are taken by queue, partition, user and account.
    pub selection: Selection,
    /// The largest change of each submit time of a trace, earlier or later.
    pub shake: Span,
    /// The migration of virtual machines, if they migrate.
    pub vm_migration: Option<VmMigration>,
}

/// A part of a trace, of the jobs that a workload takes by status and flurry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slice {
    /// All of them.
    #[default]
    All,
    /// So many successive jobs under which most of the machine was in use.
    Busiest(u32),
    /// From one position to another one, both counted from 1 and included.
    Positions(u32, u32),
}

choices! {
    /// The source of the jobs.
    pub enum SourceKind {
        Swf = "swf", "Workload log (SWF)",
            "A log in the Standard Workload Format, or the output of Slurm's sacct -P; plain or gzipped.",
            "S. Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999";
        Csv = "csv", "Job list (CSV)",
            "A table with the columns job, submit_us, size, bandwidth_kbps and runtime_us.",
            "";
        Poisson = "poisson", "Generated",
            "Independent jobs, their sizes, run times and interarrival times sampled from distributions.",
            "";
        Lublin = "lublin", "Lublin and Feitelson",
            "The authors' complete model: sizes, run times that depend on them, arrivals in a daily cycle.",
            "U. Lublin, D. Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs, JPDC 63(11), 2003";
        Feitelson = "feitelson96-like", "Feitelson (1996), approximate",
            "Has the structure of that model. Its weights of sizes and its constants of run times and repetitions are not available; those used here are our own.",
            "D. Feitelson, Packing schemes for gang scheduling, JSSPP 1996";
        Jann = "jann97-refit", "Jann (1997), refitted",
            "The model's distributions with parameters fitted to the log CTC-SP2 of the same months, because the published table is not available; sizes within a range are our own.",
            "J. Jann et al., Modeling of workload in MPPs, JSSPP 1997";
    }
}

/// The source of the jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// A log in the Standard Workload Format.
    #[default]
    Swf,
    /// A job list.
    Csv,
    /// A generator of independent jobs.
    Poisson {
        /// The number of jobs.
        jobs: u32,
        /// Their sizes, in slots.
        size: Distribution,
        /// Their runtimes, in seconds.
        runtime: Distribution,
        /// The times between them, in seconds.
        interarrival: Distribution,
    },
    /// A model of real workloads.
    Model {
        /// The number of jobs.
        jobs: u32,
        /// The model.
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
        /// Whether batch and interactive jobs are sampled separately.
        classes: bool,
    },
    /// Of the kind of Feitelson's of 1996.
    Feitelson(Feitelson),
    /// Of Jann et al., fitted again.
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
