//! The workload: jobs read from a log or job list, or generated, then shaped by the scenario.
//!
//! No line of a file is dropped silently: each is counted in a [`Report`]. Random values come from
//! streams named by seed, replication, purpose and job index.
//!
//! - `spec`, `options`: the workload as a setup describes it
//! - `make`, `arrivals`: the jobs of a replication, and of a run, one by one where possible
//! - `trace`, `report`, `clean`: the jobs of a file, how each line was read, flurries and shaking
//! - `recorded`, `usage`: the schedule that a log records, and what of its machine was in use
//! - `preceding`: which jobs of a file each one must wait for; `labels`: names behind its numbers
//! - `selection`: which jobs are taken by name
//! - `distribution`, `sampler`: distributions, and sampling from them
//! - `poisson`, `lublin`, `feitelson`, `jann`: generated jobs
//! - `shape`: estimates, load and bandwidth; `tsafrir`: estimates after a model of users
//! - `cpu`, `home`, `vm_migration`: CPU usage on nodes, home clusters, migrations of VMs

mod spec;

mod options;

mod make;

pub mod report;
pub mod trace;

pub mod preceding;

pub mod labels;

pub mod selection;

pub mod clean;

pub mod recorded;

pub mod usage;

pub mod distribution;

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

pub use arrivals::{Arrivals, Lazy};
pub use cpu::Usage;
pub use distribution::Distribution;
pub use feitelson::Feitelson;
pub use home::{HomeRule, Homes};
pub use make::{Origin, arrivals, job_count, jobs, origins, sizes};
pub use options::{
    Bandwidth, BandwidthCap, BandwidthKind, Estimate, Flurries, Load, LoadScaling, Statuses,
};
pub use report::Report;
pub use spec::{Model, Slice, Source, SourceKind, Workload};
pub use trace::{Cancelled, Format, Processors, Trace};
pub use vm_migration::VmMigration;
