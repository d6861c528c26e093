//! The reading half of a [`Context`]: what a policy can see.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::Context;
use super::by_size::Walk;
use super::progress::Done;
use crate::id::JobId;
use crate::job::{After, Job, Request};
use crate::machine::System;
use crate::machine::sharing::Sharing;
use crate::place::Refused;
use crate::record::Outcome;
use crate::unit::{Span, Time};

impl<S: System> Context<S> {
    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The system as it is now.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// What the running jobs get of the links that they share; `None` where they share none.
    pub fn sharing(&self) -> Option<&Sharing> {
        self.sharing.as_ref()
    }

    /// The system with nothing on it.
    pub fn empty_system(&self) -> &S {
        &self.empty
    }

    /// Whether a job has come to be known and is not forgotten.
    pub fn knows(&self, job: JobId) -> bool {
        self.jobs.get(job).is_some()
    }

    /// The request of a job that is not forgotten: what may be seen of it.
    pub fn request(&self, job: JobId) -> Request {
        self.jobs[job].request(job)
    }

    /// The waiting jobs by (submit, index).
    pub fn waiting(&self) -> &BTreeSet<JobId> {
        self.waiting.queued()
    }

    /// The running jobs by (submit, index).
    pub fn running(&self) -> &BTreeSet<JobId> {
        &self.running
    }

    /// The running jobs that arrived after `job`.
    pub fn running_after(&self, job: JobId) -> Vec<JobId> {
        self.running
            .range((Bound::Excluded(job), Bound::Unbounded))
            .copied()
            .collect()
    }

    /// The jobs that have run to their ends so far.
    pub fn done(&self) -> &Done {
        &self.done
    }

    /// The outcome so far of a job that is not forgotten.
    pub fn outcome(&self, job: JobId) -> Outcome {
        self.histories[job].outcome
    }

    /// The job that another one, which is not forgotten, waits for before it arrives; `None` where
    /// it waits for none.
    pub fn after(&self, job: JobId) -> Option<&After> {
        self.jobs[job].after.as_deref()
    }

    /// When a job that is not forgotten started in its log; `None` where that is unknown.
    pub(crate) fn recorded_start(&self, job: JobId) -> Option<Time> {
        self.jobs[job].recorded_start.as_deref().copied()
    }

    /// Whether a job that is not forgotten has arrived.
    pub fn has_arrived(&self, job: JobId) -> bool {
        self.outcome(job) != Outcome::Open || self.progress.get(job).is_some()
    }

    /// The place that a running job holds; `None` where it does not run.
    pub fn place(&self, job: JobId) -> Option<&S::Placement> {
        Some(&self.progress.get(job)?.allocation.as_ref()?.placement)
    }

    /// When a job that is not forgotten started for the first time; `None` if it has not.
    pub fn first_start(&self, job: JobId) -> Option<Time> {
        match self.outcome(job) {
            Outcome::Ran { start, .. } => Some(start),
            _ => self.progress.get(job)?.first_start,
        }
    }

    /// The instant since which a running job has held its place; `None` where it does not run.
    pub fn held_since(&self, job: JobId) -> Option<Time> {
        Some(self.progress.get(job)?.allocation.as_ref()?.start)
    }

    /// The instant from which a running job works, while it pays for its migration; `None` where it
    /// works or does not run.
    pub fn pays_until(&self, job: JobId) -> Option<Time> {
        let from = self.progress.get(job)?.allocation.as_ref()?.since;
        Some(from).filter(|&from| from > self.now)
    }

    /// The instant at which a running job ends by its estimate, now at the earliest.
    pub fn estimated_end(&self, job: JobId) -> Time {
        let allocation = self.progress[job]
            .allocation
            .as_ref()
            .expect("a running job");
        allocation.estimated_end.max(self.now)
    }

    /// For how long a waiting job would hold its place by its estimate, what it pays for a migration
    /// included.
    pub fn estimated_length(&self, job: JobId) -> Span {
        let Job {
            runtime, estimate, ..
        } = self.jobs[job];
        let progress = &self.progress[job];
        let done = runtime.0 - progress.remaining as u64;
        let cost = match progress.first_start {
            Some(_) => self.migration_cost,
            None => Span(0),
        };
        Span(cost.0 + estimate.0.saturating_sub(done))
    }

    /// The first waiting job after another one that asks for at most so many slots.
    pub fn next_waiting(&self, after: Bound<JobId>, most: u64) -> Option<JobId> {
        let refused = Refused::above(most);
        self.next_not_refused(after, &refused, &Refused::nobody(), Span(0))
    }

    /// The first waiting job after another one that asks for at most `most` slots and, if it asks
    /// for more than `spare`, says to run no longer than `length`.
    pub fn next_waiting_within(
        &self,
        after: Bound<JobId>,
        most: u64,
        spare: u64,
        length: Span,
    ) -> Option<JobId> {
        let refused = Refused::above(most);
        self.next_not_refused(after, &refused, &Refused::above(spare), length)
    }

    /// The first waiting job after another one that is not refused and, if it is among the
    /// `delaying` ones, says to run no longer than `length`.
    fn next_not_refused(
        &self,
        after: Bound<JobId>,
        refused: &Refused,
        delaying: &Refused,
        length: Span,
    ) -> Option<JobId> {
        let waiting = self.waiting.by_size();
        waiting.first(after, refused, delaying, length)
    }

    /// The waiting jobs that are not refused, by size and then by index.
    pub fn not_refused(&self, refused: &Refused) -> impl Iterator<Item = JobId> {
        self.waiting.by_size().not_refused(refused)
    }

    /// A walk along the waiting jobs behind another one that are not refused.
    pub(crate) fn walk(&self, behind: JobId, refused: &Refused) -> Walk {
        self.waiting
            .by_size()
            .walk(Bound::Excluded(behind), refused)
    }

    /// The next job of a walk, of those that are not refused and, if among the `delaying` ones, say
    /// to run no longer than `length`; whom an earlier step would have passed over stays so.
    pub(crate) fn next_of(
        &self,
        walk: &mut Walk,
        refused: &Refused,
        delaying: &Refused,
        length: Span,
    ) -> Option<JobId> {
        let waiting = self.waiting.by_size();
        waiting.next_of(walk, refused, delaying, length)
    }

    /// The sizes of the waiting jobs, ascending.
    pub fn waiting_sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.waiting.by_size().sizes()
    }

    /// The waiting jobs of a size by index.
    pub fn waiting_of_size(&self, size: u32) -> impl Iterator<Item = JobId> {
        self.waiting.by_size().of_size(size)
    }

    /// The first waiting job of a size; `None` where none of it waits.
    pub fn first_of_size(&self, size: u32) -> Option<JobId> {
        self.waiting_of_size(size).next()
    }

    /// The slots that all jobs in the queue ask for together.
    pub fn waiting_slots(&self) -> u64 {
        self.waiting.slots()
    }

    /// The first deferred job after another one that asks for at most so many slots.
    pub fn next_deferred(&self, after: Bound<JobId>, most: u64) -> Option<JobId> {
        self.waiting.first_deferred(after, most)
    }
}
