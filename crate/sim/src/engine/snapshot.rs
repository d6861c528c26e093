//! A run as it is at an instant, from which other runs begin.
//!
//! A snapshot holds the system and the jobs in hand, with their placements and what they have done,
//! but not the policy: a run that begins from it has a policy of its own, which hears of the jobs of
//! the past that it must know of, and to which the waiting jobs arrive once more, in their order.
//! Before that, jobs in hand may be given other run times. A placement that goes by the largest
//! bandwidth of the jobs tried or started goes by that of all it has heard of.
//!
//! Complexity: that of a copy of the system and of the jobs in hand. *Source*: the project's own.

use super::{Context, Engine, Policy};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::unit::{Span, Time};

/// A run as it is at an instant, without its policy.
pub struct Snapshot<S: System>(Context<S>);

impl<S: System> Engine<'_, S> {
    /// The run as it is now. Jobs that arrive after others end are not taken over.
    pub fn snapshot(&self) -> Snapshot<S> {
        Snapshot(self.context.taken_over())
    }
}

impl<S: System> Snapshot<S> {
    /// A run that goes on from here under a policy, which hears of the jobs `past` first and is called
    /// for a pass at `from` if any job waits then. A job in hand has another run time and estimate where
    /// `changed` gives them: a longer run time than it has worked, which it keeps.
    pub fn resumed(
        &self,
        mut policy: Box<dyn Policy<S>>,
        past: &[Request],
        from: Time,
        changed: impl Fn(JobId) -> Option<[Span; 2]>,
    ) -> Engine<'static, S> {
        let mut cx = self.0.taken_over();
        for request in past {
            policy.heard(request);
        }
        let in_hand = cx.progress.0.iter_enumerated();
        let in_hand: Vec<JobId> = in_hand
            .filter(|(_, progress)| progress.is_some())
            .map(|(job, _)| job)
            .collect();
        for job in in_hand {
            let runs = cx.running.contains(&job);
            if !runs {
                cx.waiting.withdraw(job, &cx.jobs[job]);
            }
            if let Some([runtime, estimate]) = changed(job) {
                cx.change(job, runtime, estimate);
            }
            if !runs {
                policy.arrive(&mut cx, job);
                if cx.progress.get(job).is_some() {
                    cx.call_pass_at(from, job);
                }
            }
        }
        Engine {
            context: cx,
            policy,
            passes: 0,
        }
    }
}

impl<S: System> Context<S> {
    /// The same system and jobs, without what was found for a policy.
    fn taken_over(&self) -> Context<S> {
        Context {
            now: self.now,
            jobs: self.jobs.clone(),
            histories: self.histories.clone(),
            progress: self.progress.clone(),
            next_arrival: self.next_arrival,
            oldest: self.oldest,
            waiting: self.waiting.clone(),
            running: self.running.clone(),
            calendar: self.calendar.clone(),
            system: self.system.clone(),
            sharing: self.sharing.clone(),
            record: self.record.clone(),
            count: self.count,
            decided: self.decided,
            done: self.done,
            ..Context::new(self.empty.clone(), self.migration_cost, false)
        }
    }

    /// Gives a job in hand another run time and estimate. It keeps the work that it has done.
    fn change(&mut self, job: JobId, runtime: Span, estimate: Span) {
        let progress = &mut self.progress[job];
        progress.sync(self.now);
        let allocation = progress.allocation.as_mut();
        let dilation = allocation
            .as_ref()
            .map_or(1.0, |held| self.system.work_dilation(&held.placement));
        let known = &mut self.jobs[job];
        let done = known.runtime.0 as f64 - progress.remaining / dilation;
        progress.remaining = (runtime.0 as f64 - done).max(0.0) * dilation;
        let before = std::mem::replace(&mut known.estimate, estimate);
        known.runtime = runtime;
        if let Some(held) = allocation {
            held.estimated_end = Time((held.estimated_end + estimate).0.saturating_sub(before.0));
            self.schedule(job);
        }
    }

    /// The work that a job in hand which has started will have done by an instant from now on, if its
    /// rate does not change; `None` for one that has not started.
    pub fn done_by(&self, job: JobId, instant: Time) -> Option<Span> {
        let progress = self.progress.get(job)?;
        progress.first_start?;
        let mut left = progress.remaining;
        if let Some(held) = &progress.allocation {
            if instant > held.since {
                left -= (instant - held.since).0 as f64 * held.rate;
            }
            left /= self.system.work_dilation(&held.placement);
        }
        let done = self.jobs[job].runtime.0 as f64 - left.max(0.0);
        Some(Span(done as u64))
    }

    /// When a running job ends if its rate does not change; `None` where it does not run.
    pub fn end(&self, job: JobId) -> Option<Time> {
        let held = self.progress.get(job)?.allocation.as_ref()?;
        (held.rate > 0.0).then_some(held.end)
    }

    /// The first job that is not forgotten.
    pub fn first_job(&self) -> JobId {
        self.jobs.first()
    }

    /// The job that comes to be known next.
    pub fn next_job(&self) -> JobId {
        self.jobs.next()
    }
}
