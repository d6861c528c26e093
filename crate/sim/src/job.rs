//! A job as the engine knows it, and the part of it that a policy may see.

use crate::id::{IdVec, JobId};
use crate::unit::{Kbps, Span, Time};

/// A job of a workload. Its index is its position after a stable sort by submit time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The number the input gave it, for display only.
    pub number: u64,
    /// When it arrives.
    pub submit: Time,
    /// Slots asked for: one per virtual machine (N in the paper) or process.
    pub size: u32,
    /// Bandwidth guaranteed to each of its virtual machines (B in the paper).
    pub bandwidth: Kbps,
    /// How long it really runs.
    pub runtime: Span,
    /// How long its user says it runs.
    pub estimate: Span,
    /// The job without whose end it does not arrive, and how long after that end.
    pub after: Option<After>,
}

/// A user's thinking between two jobs: the second arrives once the first has ended, or has been
/// dismissed, and this time has passed, but not before its own submit time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// The job before, of a smaller index.
    pub job: JobId,
    /// Time between its end and the submit.
    pub think: Span,
}

/// What a policy and a placer see of a job: never the true runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which job asks.
    pub index: JobId,
    /// When it arrived.
    pub submit: Time,
    /// Slots asked for.
    pub size: u32,
    /// Bandwidth of each of its virtual machines.
    pub bandwidth: Kbps,
    /// The estimated runtime, the original one also after a preemption.
    pub estimate: Span,
}

/// The jobs of one replication, sorted by submit time.
pub type Jobs = IdVec<JobId, Job>;

impl Job {
    /// What may be seen of this job, which stands at `index`.
    pub fn ask(&self, index: JobId) -> Ask {
        Ask {
            index,
            submit: self.submit,
            size: self.size,
            bandwidth: self.bandwidth,
            estimate: self.estimate,
        }
    }
}

/// Σ size · runtime in slot-microseconds.
pub fn area(jobs: &[Job]) -> u128 {
    jobs.iter()
        .map(|job| u128::from(job.size) * u128::from(job.runtime.0))
        .sum()
}

/// Sorts by submit time; jobs of one instant keep their order.
pub fn sorted(mut jobs: Vec<Job>) -> Jobs {
    jobs.sort_by_key(|job| job.submit);
    jobs.into()
}
