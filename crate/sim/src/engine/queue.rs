//! The jobs that wait: those in the queue, in order of arrival and by size, and those that are
//! deferred.
//!
//! What changes the set of queued jobs is inlined, so that the set's code is made once, with that
//! of the engine, and not in two crates.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::by_size::BySize;
use crate::id::{JobId, Window};
use crate::job::Job;
use crate::place::Refused;
use crate::unit::Span;

/// The jobs that wait, in the queue or deferred.
#[derive(Clone, Debug, Default)]
pub(super) struct WaitingJobs {
    /// The jobs in the queue by (submit, index).
    queued: BTreeSet<JobId>,
    /// The slots that these ask for together.
    slots: u64,
    /// The jobs in the queue by size.
    by_size: BySize,
    /// The jobs that wait without being in the queue; made for the first one.
    deferred: Option<BySize>,
    deferred_count: usize,
}

impl WaitingJobs {
    /// A job comes to be known, which does not wait yet; those before `oldest` never will again.
    /// Jobs come by index.
    pub(super) fn learn(&mut self, id: JobId, job: &Job, oldest: JobId) {
        self.by_size.learn(id, job, oldest);
        if let Some(deferred) = &mut self.deferred {
            deferred.learn(id, job, oldest);
        }
    }

    /// Puts a job in the queue.
    #[inline]
    pub(super) fn enqueue(&mut self, id: JobId, job: &Job) {
        self.queued.insert(id);
        self.slots += u64::from(job.size);
        self.by_size.add(id, job);
    }

    /// Takes a job out of the queue; returns whether it was there.
    #[inline]
    pub(super) fn dequeue(&mut self, id: JobId, job: &Job) -> bool {
        self.by_size.remove(id, job);
        let waited = self.queued.remove(&id);
        if waited {
            self.slots -= u64::from(job.size);
        }
        waited
    }

    /// Takes a job out of the queue that goes on waiting elsewhere; `jobs` are all that are known.
    #[inline]
    pub(super) fn defer(&mut self, id: JobId, jobs: &Window<JobId, Job>) {
        self.dequeue(id, &jobs[id]);
        let deferred = self.deferred.get_or_insert_with(|| {
            let mut deferred = BySize::default();
            for (id, job) in jobs.iter_enumerated() {
                deferred.learn(id, job, jobs.first());
            }
            deferred
        });
        deferred.add(id, &jobs[id]);
        self.deferred_count += 1;
    }

    /// Puts a deferred job back in the queue.
    #[inline]
    pub(super) fn admit(&mut self, id: JobId, job: &Job) {
        let deferred = self.deferred.as_mut().expect("it was deferred");
        deferred.remove(id, job);
        self.deferred_count -= 1;
        self.enqueue(id, job);
    }

    /// Takes a job out that waits in the queue or elsewhere.
    pub(super) fn withdraw(&mut self, id: JobId, job: &Job) {
        if !self.dequeue(id, job) {
            let deferred = self.deferred.as_mut().expect("a job that waits");
            deferred.remove(id, job);
            self.deferred_count -= 1;
        }
    }

    /// How many jobs wait, the deferred ones included.
    pub(super) fn count(&self) -> usize {
        self.queued.len() + self.deferred_count
    }

    /// The jobs in the queue by (submit, index).
    pub(super) fn queued(&self) -> &BTreeSet<JobId> {
        &self.queued
    }

    /// The slots that the jobs in the queue ask for together.
    pub(super) fn slots(&self) -> u64 {
        self.slots
    }

    /// The jobs in the queue by size.
    pub(super) fn by_size(&self) -> &BySize {
        &self.by_size
    }

    /// The first deferred job behind a bound that asks for at most so many slots.
    pub(super) fn first_deferred(&self, behind: Bound<JobId>, most: u64) -> Option<JobId> {
        let refused = Refused::above(most);
        let nobody = Refused::nobody();
        let deferred = self.deferred.as_ref()?;
        deferred.first(behind, &refused, &nobody, Span(0))
    }
}
