//! Which jobs there are: read from a log or job list, or generated, then shaped by the scenario.
//!
//! Nothing in a file is dropped silently: every line is accounted for in a [`Report`]. All that is
//! drawn comes from streams named by seed, replication, purpose and job index.
//!
//! - `spec`: which jobs there are, as a setup says it
//! - `options`: what may be chosen of them
//! - `make`: the jobs of a replication
//! - `report`: what the reader of a file did with every line
//! - `trace`: the jobs of a file
//! - `clean`: what is left out of a trace, and shaking it
//! - `distribution`: distributions to draw from
//! - `sampler`: draws from them
//! - `generated`: what generated jobs have in common
//! - `poisson`: jobs drawn from distributions
//! - `lublin`, `feitelson`, `jann`: jobs after models of real workloads
//! - `tsafrir`: estimates after a model of users
//! - `shape`: estimates, load and bandwidth
//! - `cpu`: what processes use of their nodes
//! - `home`: the clusters at which jobs are submitted
//! - `vm_migration`: when virtual machines migrate
//! - `arrivals`: the jobs of a run, in memory or drawn when their turn comes

mod spec;

mod options;

mod make;

pub mod report;
pub mod trace;

pub mod clean;

pub mod distribution;

mod sampler;

mod generated;

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

pub use arrivals::{Arrivals, Lazy};
pub use cpu::Usage;
pub use distribution::Distribution;
pub use feitelson::Feitelson;
pub use home::{HomeRule, Homes};
pub use make::{arrivals, job_count, jobs, sizes};
pub use options::{Bandwidth, BandwidthKind, Estimate, Flurries, Load, LoadScaling, Statuses};
pub use report::Report;
pub use spec::{Model, Source, SourceKind, Workload};
pub use trace::{Cancelled, Format, Processors, Trace};
pub use vm_migration::VmMigration;
