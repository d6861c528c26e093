//! The parts that jobs of all generators share.

use crate::job::Job;
use crate::unit::{Kbps, Span, Time};

/// A generated job: it requests no bandwidth, and its estimate is its run time.
pub(super) fn generated(number: u64, submit: Time, size: u32, runtime: Span) -> Job {
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
        patience: None,
        recorded_start: None,
    }
}
