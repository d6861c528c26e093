//! Jobs that may preempt: the head alone, or each in its turn.
//!
//! *Decides*: a job that cannot start takes the room of the running jobs that arrived later, if that
//! is enough: of all of them, or of as few as it needs, the latest first. Its victims rejoin the
//! queue. A job that waits for a better placement than it could have suspends nobody. *Ties*: none;
//! arrival is an order. *Complexity*: one placement without all later jobs, and one for each of them
//! where as few as possible give way. *Source*: paper 1, Algorithm 2 (BgMBF); paper 2, Algorithm 1
//! (CMBF, AMBF).

use std::ops::Bound;

use super::{Backfilled, ListPolicy};
use crate::engine::{Context, Step, Turn};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::place::State;
use crate::policy::parts::{MayPreempt, Preempt};

impl<S: System> ListPolicy<'_, S> {
    /// One walk along the queue, which victims rejoin behind the job they give way to.
    pub(super) fn pass_in_turn(&mut self, cx: &mut Context<S>) {
        let sizes = |cx: &Context<S>, after: JobId, before: JobId| -> u64 {
            let between = (Bound::Excluded(after), Bound::Excluded(before));
            let running = cx.running().range(between);
            running.map(|&job| u64::from(cx.request(job).size)).sum()
        };
        let end = JobId(u32::MAX);
        let Some(first) = cx.waiting().first().copied() else {
            return;
        };
        // What the running jobs hold that are later than the one in turn.
        let mut later = sizes(cx, first, end);
        let mut job = first;
        loop {
            let observed = cx.is_observed();
            let enough = cx.system().free_slots() + later >= u64::from(cx.request(job).size);
            if !self.try_start(cx, job, Turn::Next)
                && (enough || observed)
                && self.preempt_for(cx, job)
            {
                later = sizes(cx, job, end);
            }
            let most = if self.placer.slots_decide() && !observed {
                cx.system().free_slots() + later
            } else {
                u64::MAX
            };
            let Some(next) = Self::next_behind(cx, job, most) else {
                return;
            };
            later -= sizes(cx, job, next);
            job = next;
        }
    }

    /// Suspends jobs that were backfilled past `head` if it can start in their stead, and starts
    /// it.
    pub(super) fn preempt_for(&mut self, cx: &mut Context<S>, head: JobId) -> bool {
        if self.parts.may_preempt == MayPreempt::Never || self.declined.have(head) {
            return false;
        }
        let request = cx.request(head);
        if self.never_fits_without_younger(cx, &request) {
            return false;
        }
        let mut candidates = match &mut self.backfilled {
            Backfilled::Younger => cx.running_after(head),
            Backfilled::Stored(jobs) => {
                jobs.retain(|job| cx.running().contains(job));
                jobs.iter().copied().collect()
            }
        };
        if candidates.is_empty() {
            cx.observe(|| Step::Preempts {
                job: head,
                candidates,
                victims: None,
            });
            return false;
        }
        let observed = cx.is_observed();
        let of = observed.then(|| candidates.clone());
        let proves = self.prover(cx).is_some();
        let placer = &mut self.placer;
        let found = match self.parts.preempt {
            Preempt::All if proves && self.backfilled == Backfilled::Younger => {
                let older = cx.without_younger(head, |_| ());
                let placement = placer.place(older, &request);
                placement.map(|placement| (candidates, placement))
            }
            Preempt::All => cx
                .without(&candidates, |system| placer.place(system, &request))
                .map(|placement| (candidates, placement)),
            Preempt::Conflicting => {
                candidates.reverse();
                cx.fewest_absent(&candidates, |system| placer.place(system, &request))
            }
        };
        if let Some((_, placement)) = &found
            && self.declines(cx, &request, placement)
        {
            return false;
        }
        if let Some(candidates) = of {
            let victims = found.as_ref().map(|found| found.0.clone());
            cx.observe(|| Step::Preempts {
                job: head,
                candidates,
                victims,
            });
        }
        let Some((victims, placement)) = found else {
            if self.backfilled == Backfilled::Younger
                && let Some(prover) = self.prover(cx)
            {
                let older = cx.without_younger(head, |_| ());
                prover.failed(State::WithoutYounger, older, &request);
            }
            return false;
        };
        for victim in victims {
            let left = cx.suspend(victim);
            self.ranking.join(&cx.request(victim));
            self.departed(&left);
            if let Backfilled::Stored(jobs) = &mut self.backfilled {
                jobs.remove(&victim);
            }
        }
        self.start(cx, &request, placement);
        self.ranking.rank_all(cx);
        true
    }

    /// Whether it is proven that a job could not start even if all running jobs that are younger
    /// left.
    fn never_fits_without_younger(&mut self, cx: &mut Context<S>, request: &Request) -> bool {
        if self.backfilled != Backfilled::Younger {
            return false;
        }
        let Some(prover) = self.prover(cx) else {
            return false;
        };
        let state = State::WithoutYounger;
        let older = cx.without_younger(request.index, |left| prover.departed(state, left));
        prover.rules_out(state, older, request)
    }
}
