//! Logs and job lists as text: reading them, writing them, and saying what ails them.
//!
//! Nothing in a file is dropped silently: every line is accounted for in a
//! [`backfill_sim::workload::Report`].
//!
//! - `read`: bytes to lines to a trace
//! - `draft`: what a reader has found so far
//! - `swf`: the Standard Workload Format
//! - `sacct`: the accounting of Slurm
//! - `csv`: job lists
//! - `doctor`: what ails a trace
//! - `fitting`: systems on which a log fits

mod draft;

pub mod read;

pub mod swf;

mod sacct;

pub mod csv;

pub mod doctor;

pub mod fitting;

pub use read::{Options, TraceError, TraceReader};
