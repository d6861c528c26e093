//! How a file is read.

use crate::language::columns::Columns;
use backfill_sim::workload::{Cancelled, Processors};

/// Options for reading a trace.
#[derive(Clone, Debug)]
pub struct Options {
    /// The file's name, for messages.
    pub name: String,
    /// Which field of a log is the size of a job.
    pub processors: Processors,
    /// How jobs of a log are treated that were cancelled before they started.
    pub cancelled: Cancelled,
    /// Processors of the log's own machine, if the user gives them.
    pub machine: Option<u32>,
    /// Which column is what, if the user says so.
    pub columns: Option<Columns>,
    /// Whether to keep what no simulation reads, so that it can be written again.
    pub details: bool,
    /// Whether any rejected or repaired line is an error.
    pub strict: bool,
}

impl Options {
    /// The usual options for a file of that name.
    pub fn named(name: &str) -> Options {
        Options {
            name: name.to_owned(),
            processors: Processors::AllocThenReq,
            cancelled: Cancelled::Drop,
            machine: None,
            columns: None,
            details: false,
            strict: false,
        }
    }
}
