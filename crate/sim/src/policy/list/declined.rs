//! The jobs that wait for a better placement than they could have.
//!
//! *Decides*: nothing; it remembers for one pass who is passed over. *Ties*: none. *Complexity*:
//! logarithmic in these jobs, linear for one that joins them. *Source*: the project's own.

use crate::id::JobId;
use crate::place::Declined;

/// The jobs that declined a placement in a pass, by index. They are few: those that were submitted
/// in the last minutes.
#[derive(Clone, Debug, Default)]
pub(super) struct Decliners(Vec<(JobId, Declined)>);

impl Decliners {
    /// What a job declined; `None` where it declined nothing.
    pub(super) fn get(&self, job: JobId) -> Option<&Declined> {
        let found = self.0.binary_search_by_key(&job, |of| of.0);
        Some(&self.0[found.ok()?].1)
    }

    /// Whether a job declined a placement.
    pub(super) fn have(&self, job: JobId) -> bool {
        self.get(job).is_some()
    }

    /// A job that has declined none declines one.
    pub(super) fn add(&mut self, job: JobId, declined: Declined) {
        let place = self.0.partition_point(|of| of.0 < job);
        self.0.insert(place, (job, declined));
    }

    /// The next pass begins.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
