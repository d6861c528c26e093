//! Which job arrives next: of those in the order of the log, and of those that wait for another one
//! to end.

use super::Context;
use crate::id::JobId;
use crate::machine::System;
use crate::record::{JobHistory, Outcome};
use crate::unit::Span;

impl<S: System> Context<S> {
    /// The next job to arrive of those that wait for no other.
    pub(super) fn arriving(&mut self) -> Option<JobId> {
        loop {
            let id = self.next_arrival;
            if id == self.jobs.next() {
                self.jobs.push(self.lazy.as_mut()?.next()?);
                self.learn(id);
            }
            if self.jobs[id].after.is_none() {
                return Some(id);
            }
            self.next_arrival.0 += 1;
        }
    }

    /// Makes room for all jobs at once.
    pub(super) fn make_room(&mut self) {
        self.jobs.make_room(self.count);
        self.histories.make_room(self.count);
        self.progress.0.make_room(self.count);
        self.record.make_room(self.count);
    }

    /// Gets ready for a job that has come to be known.
    pub(super) fn learn(&mut self, id: JobId) {
        self.oldest = self.oldest.max(self.histories.first());
        while let Some(history) = self.histories.get(self.oldest)
            && history.outcome != Outcome::Open
        {
            self.oldest.0 += 1;
        }
        let job = &self.jobs[id];
        if let Some(after) = &job.after {
            for &before in &after.jobs {
                self.followers.entry(before).or_default().push(id);
            }
        }
        self.waiting.learn(id, job, self.oldest);
        self.histories.push(JobHistory::default());
        self.progress.0.push(None);
    }

    /// The arrival of this instant with the smallest index, taken out.
    pub(super) fn take_arrival(&mut self) -> Option<JobId> {
        let now = self.now;
        let free = self.arriving().filter(|&job| self.jobs[job].submit == now);
        let following = self.following.first().filter(|first| first.0 == now);
        let job = free
            .into_iter()
            .chain(following.map(|first| first.1))
            .min()?;
        if free == Some(job) {
            self.next_arrival.0 += 1;
        } else {
            self.following.pop_first();
        }
        Some(job)
    }

    /// Lets the jobs arrive that waited for `job` alone to end: their submit time becomes this
    /// instant and their think time, if their own is not later.
    pub(super) fn call_followers(&mut self, job: JobId) {
        for follower in self.followers.remove(&job).unwrap_or_default() {
            let mut preceding = self.jobs[follower]
                .after
                .iter()
                .flat_map(|after| &after.jobs);
            let is_open = |before: JobId| {
                let history = self.histories.get(before);
                history.is_some_and(|history| history.outcome == Outcome::Open)
            };
            if preceding.any(|&before| before != job && is_open(before)) {
                continue;
            }
            let waiting = &mut self.jobs[follower];
            let think = waiting.after.as_ref().map_or(Span(0), |after| after.think);
            waiting.submit = waiting.submit.max(self.now + think);
            self.following.insert((waiting.submit, follower));
        }
    }
}
