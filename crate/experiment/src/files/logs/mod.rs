//! Logs and job lists as text: reading, writing and diagnosing them.
//!
//! No line of a file is dropped silently: each is counted in a
//! [`backfill_sim::workload::Report`].
//!
//! - `read`: bytes to lines to a trace; `container`: text in tar archives and in UTF-16
//! - `recognise`: the format by the first lines
//! - `options`: how it is read; `draft`: the findings of a reader so far; `values`, `ledger`: what accounting files share
//! - `swf`, `sacct`, `csv`: the Standard Workload Format, Slurm accounting, job lists
//! - `sacct_json`, `jobcomp`, `pbs`, `sge`, `lsf`: further accounting files
//! - `details`: what a file says of jobs that no simulation reads
//! - `queue`: what squeue and sinfo print of a running cluster
//! - `table`: any other table, by its columns; `unknown`: what these may be; `record`: fields of a
//!   line
//! - `doctor`: problems of a trace; `fitting`: systems on which a log fits; `questions`: what its
//!   owner asks

mod options;

mod draft;

mod recognise;

mod container;

mod values;

mod ledger;

pub mod details;

mod record;

pub mod read;

pub mod swf;

mod sacct;

mod sacct_json;

mod jobcomp;

mod pbs;

mod sge;

mod lsf;

mod table;

pub mod unknown;

pub mod csv;

pub mod doctor;

pub mod fitting;

pub mod questions;

pub mod queue;

pub use options::Options;
pub use read::{TraceError, TraceReader};
pub use sacct::job_number;
