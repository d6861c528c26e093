//! The observed half of a [`Context`]: the steps of a pass, for an observer if there is one.
//!
//! Nobody observes a run as a rule: then a step costs one test and is not made.

use std::ops::Bound;

use super::Context;
use super::pass::{Held, Pass, PassCount, Placing, QueuedJob, RunningJob, Step, Turn};
use super::progress::Allocation;
use crate::id::JobId;
use crate::machine::{Placement, System};
use crate::place::Subtrees;
use crate::unit::Time;

/// When a job really ends at its present speed; `None` while it stands still.
fn real_end<T>(allocation: &Allocation<T>) -> Option<Time> {
    (allocation.rate > 0.0).then_some(allocation.end)
}

impl<S: System> Context<S> {
    /// Whether somebody observes this pass. A policy looks at every job then, one by one, where it
    /// would otherwise pass over those that certainly do not start.
    pub fn is_observed(&self) -> bool {
        self.observed.is_some()
    }

    /// Makes a step known to the observer, if there is one.
    #[inline]
    pub(crate) fn observe(&mut self, step: impl FnOnce() -> Step) {
        if let Some(pass) = &mut self.observed {
            pass.add(step());
        }
    }

    /// Makes the order of the queue known.
    pub(crate) fn observe_queue(&mut self, queue: Vec<QueuedJob>) {
        if let Some(pass) = &mut self.observed {
            pass.queue = queue;
        }
    }

    /// Makes a reservation known that waits for the estimated ends of running jobs alone.
    pub(crate) fn observe_reservation(&mut self, job: JobId, start: Time) {
        if let Some(mut pass) = self.observed.take() {
            let running = self.running.iter();
            let mut ends = running.map(|&job| (job, self.estimated_end(job)));
            pass.reserve(job, start, &mut ends);
            self.observed = Some(pass);
        }
    }

    /// The first waiting job after another one that asks for at most so many slots; any, where an
    /// observer is to hear of every job.
    pub(crate) fn next_observed(&self, after: Bound<JobId>, most: u64) -> Option<JobId> {
        let most = if self.is_observed() { u64::MAX } else { most };
        self.next_waiting(after, most)
    }

    /// Whether a job asks for no more than so many free slots, where their count decides; makes it
    /// known.
    pub(crate) fn observe_count(&mut self, job: JobId, turn: Turn, free: u64) -> bool {
        let fits = u64::from(self.request(job).size) <= free;
        let value = None;
        self.observe(|| Step::Tried {
            job,
            turn,
            value,
            fits,
        });
        fits
    }

    /// Makes the start of a job known, or its move, which it has just made.
    pub(super) fn observe_placement(&mut self, job: JobId, placing: Placing) {
        if let Some(pass) = &mut self.observed {
            let allocation = self.progress[job].allocation.as_ref();
            let of = allocation.expect("a running job");
            pass.add(placing.step(Held {
                job,
                pause: of.since - of.start,
                estimated_end: of.estimated_end,
                background: of.placement.background(),
                shares: of.placement.shares().collect(),
            }));
        }
    }

    /// The jobs of a pass that start or move have their speeds: notes when they really end.
    pub(super) fn observe_ends(&mut self) {
        if let Some(pass) = &mut self.observed {
            let progress = &self.progress.0;
            pass.set_ends(&|job| real_end(progress[job].as_ref()?.allocation.as_ref()?));
        }
    }

    /// Makes the subtrees known among which the placement of the job was chosen that has just
    /// started.
    pub(crate) fn observe_subtrees(&mut self, chosen: Option<Subtrees>) {
        let steps = self.observed.as_mut().map(|pass| &mut pass.steps);
        if let Some(Step::Started { subtrees, .. }) = steps.and_then(|steps| steps.last_mut()) {
            *subtrees = chosen.map(Box::new);
        }
    }

    /// The jobs that arrive at this instant are about to be seen: notes the state before the pass.
    pub(super) fn observe_state(&mut self) {
        if !self.is_observed() {
            return;
        }
        let running = self.running.iter().map(|&job| {
            let allocation = self.progress[job].allocation.as_ref();
            let allocation = allocation.expect("a running job");
            RunningJob {
                job,
                start: allocation.start,
                estimated_end: allocation.estimated_end.max(self.now),
                end: real_end(allocation),
                shares: allocation.placement.shares().collect(),
            }
        });
        let pass = Pass {
            time: self.now,
            free: self.system.free_slots(),
            running: running.collect(),
            ..Pass::default()
        };
        self.observed = Some(Box::new(pass));
    }

    /// A pass is about to begin: notes the queue by arrival, in which order a policy that has no
    /// other leaves it.
    pub(super) fn observe_arrivals(&mut self) {
        if self.is_observed() {
            let value = None;
            let queued = |&job: &JobId| QueuedJob { job, value };
            self.observe_queue(self.waiting().iter().map(queued).collect());
        }
    }

    /// What has happened since `before` in numbers, where that many jobs had started and been
    /// suspended.
    pub(super) fn count_since(&self, before: (u64, u64)) -> PassCount {
        PassCount {
            time: self.now,
            starts: (self.starts - before.0) as u32,
            suspensions: (self.suspensions - before.1) as u32,
            waiting: self.waiting.count() as u32,
        }
    }
}
