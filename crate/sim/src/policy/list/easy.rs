//! EASY: jobs behind the head start if they do not delay it.
//!
//! *Decides*: a job starts if it ends by the head's shadow time, the first estimated end at which the
//! head fits, or leaves room for the head then. There are three ways with one result: by proofs, by
//! counting free slots, and job by job as the definition says. *Ties*: the order of backfilling.
//! *Complexity*: one placement for each job that may start, and one more in the head's future for
//! each that would end later. *Source*: D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995, as
//! A. Mu'alem and D. Feitelson, TPDS 12(6), 2001 define it.

use std::ops::Bound;

use super::ListPolicy;
use crate::engine::{Context, Effect, Reservation, Step, Turn, Walk};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::place::{Prover, Refused};
use crate::unit::{Span, Time};

impl<S: System> ListPolicy<'_, S> {
    /// Starts the jobs behind `head` that end by its shadow time, or leave room for it then: with
    /// proofs. Who certainly finds no placement, or certainly delays the head, is
    /// passed over, and the reservation is kept for the next pass where that is certain to find it
    /// again.
    pub(super) fn backfill_around_proven(&mut self, cx: &mut Context<S>, head: JobId) {
        let head_request = cx.request(head);
        let mut reserved = cx.take_reservation(head, self.placer.revision());
        let mut certain = true;
        // A reservation that no longer holds may let others start.
        let quiet = self.try_behind(cx, head) && (reserved.is_some() || !self.last_pass.reserved);
        let mut last = head;
        let mut walk = None;
        let listed = !self.by_arrival();
        let listed = listed.then(|| self.not_refused(cx, |job| job != head));
        let mut listed = listed.map(Vec::into_iter);
        loop {
            let quiet = quiet && self.is_quiet(head);
            let next = match &mut listed {
                Some(jobs) => self.next_listed(cx, jobs, quiet, reserved.as_ref()),
                None if quiet => self.next_newcomer(last),
                None => self.next_around(cx, last, &mut walk, reserved.as_ref()),
            };
            let Some(job) = next else {
                break;
            };
            last = job;
            let request = cx.request(job);
            if let Some(Reservation { time, then, .. }) = &reserved
                && cx.now() + request.estimate > *time
                && self.kept_proofs().foresees(cx.system(), then, &request)
            {
                continue;
            }
            let Some(placement) = self.placement(cx, &request, Turn::Behind) else {
                continue;
            };
            // Until the first job gets here, nothing has started since the head failed.
            let reservation = match &mut reserved {
                Some(reservation) => reservation,
                None => {
                    let (found, proven) = self.reserve(cx, &head_request);
                    certain = proven;
                    reserved.insert(found)
                }
            };
            let then = &mut reservation.then;
            if cx.now() + request.estimate > reservation.time
                && !self.leaves_room(cx, then, &head_request, &request, &placement)
            {
                let prover: &mut dyn Prover<S> = self.kept_proofs();
                prover.delayed(cx.system(), then, &request);
                continue;
            }
            self.start(cx, &request, placement);
        }
        self.last_pass.reserved = reserved.is_some();
        let start = reserved
            .as_ref()
            .map(|reservation| (head, reservation.time));
        self.reserved.extend(start);
        if let Some(reservation) = reserved.filter(|_| certain) {
            cx.keep_reservation(reservation);
        }
    }

    /// The next of some jobs that may be backfilled around the head; only one that has just arrived
    /// if it is `quiet`.
    fn next_listed(
        &mut self,
        cx: &Context<S>,
        jobs: &mut impl Iterator<Item = JobId>,
        quiet: bool,
        reservation: Option<&Reservation<S>>,
    ) -> Option<JobId> {
        let (delaying, length) = self.delaying(cx, reservation);
        jobs.find(|job| {
            let request = cx.request(*job);
            let delays =
                request.estimate > length && delaying.rules_out(request.size, request.bandwidth);
            !delays && (!quiet || self.last_pass.newcomers.contains(job))
        })
    }

    /// The requests that would certainly delay the head if they held a placement at its shadow
    /// time, and how long it is until then.
    fn delaying(
        &mut self,
        cx: &Context<S>,
        reservation: Option<&Reservation<S>>,
    ) -> (Refused, Span) {
        match reservation {
            Some(Reservation { time, then, .. }) => {
                let delaying = self.kept_proofs().delaying(cx.system(), then);
                (delaying.clone(), *time - cx.now())
            }
            None => (Refused::nobody(), Span(0)),
        }
    }

    /// The next job behind another one that may be backfilled around the head, on one walk along
    /// the queue.
    fn next_around(
        &mut self,
        cx: &Context<S>,
        last: JobId,
        walk: &mut Option<Walk>,
        reservation: Option<&Reservation<S>>,
    ) -> Option<JobId> {
        // Who ends by then may have what is free now; who does not, what the head leaves over.
        let length = reservation.map_or(Span(0), |of| of.time - cx.now());
        let then = reservation.map(|of| &of.then);
        let prover: &mut dyn Prover<S> = self.kept_proofs();
        match prover.hopeless(cx.system(), then) {
            Some((refused, delaying)) => {
                let walk = walk.get_or_insert_with(|| cx.walk(last, refused));
                cx.next_of(walk, refused, delaying, length)
            }
            None => Self::next_behind(cx, last, u64::MAX),
        }
    }

    /// The reservation of a head that cannot start now, and whether it is proven that the head does
    /// not fit at any earlier end, also if others start that leave it this reservation.
    fn reserve(&mut self, cx: &mut Context<S>, head: &Request) -> (Reservation<S>, bool) {
        self.kept_proofs().expect(cx.system(), head);
        let mut certain = true;
        let revision = self.placer.revision();
        let found = cx.reserve(head.index, revision, |then, released| {
            let prover: &mut dyn Prover<S> = self.kept_proofs();
            for placement in released {
                prover.expect_change(then, placement);
            }
            if prover.never_fits() {
                return false;
            }
            let fits = self.placer.place(then, head).is_some();
            certain &= fits;
            fits
        });
        let found = found.expect("a queued job can be placed once nothing runs");
        (found, certain)
    }

    /// Whether the head can still be placed in its future with `job` at its placement; if so, the
    /// job holds that there.
    fn leaves_room(
        &mut self,
        cx: &Context<S>,
        then: &mut S,
        head: &Request,
        job: &Request,
        placement: &S::Placement,
    ) -> bool {
        let prover = self.kept_proofs();
        if prover.delays(cx.system(), then, job, placement) {
            return false;
        }
        then.hold(job, placement);
        prover.expect_change(then, placement);
        if !prover.never_fits() && self.placer.place(then, head).is_some() {
            return true;
        }
        then.free(job, placement);
        self.kept_proofs().expect_change(then, placement);
        false
    }

    fn kept_proofs(&mut self) -> &mut dyn Prover<S> {
        self.proofs().expect("a placer that keeps proofs")
    }

    /// The same job by job.
    pub(super) fn backfill_around_tried(&mut self, cx: &mut Context<S>, head: JobId) {
        let head_request = cx.request(head);
        // Who observes the pass hears of the reservation also where nobody comes up to it.
        let observed = cx.is_observed();
        let mut foretold =
            observed.then(|| (self.placer.revision(), self.shadow(cx, &head_request)));
        let mut shadow = None;
        let mut last = head;
        let mut listed = observed.then(|| self.not_refused(cx, |job| job != head).into_iter());
        loop {
            let most = self.placer.largest(cx.system());
            let next = match &mut listed {
                Some(jobs) => jobs.next(),
                None => Self::next_behind(cx, last, most),
            };
            let Some(job) = next else {
                return;
            };
            last = job;
            let request = cx.request(job);
            let Some(placement) = self.placement(cx, &request, Turn::Behind) else {
                continue;
            };
            // Until the first job gets here, nothing has started since the head failed.
            let (time, then) = match &mut shadow {
                Some(shadow) => shadow,
                None => {
                    let same = foretold.take().filter(|of| of.0 == self.placer.revision());
                    let found = same.map(|same| same.1);
                    shadow.insert(found.unwrap_or_else(|| self.shadow(cx, &head_request)))
                }
            };
            let (start, end) = (*time, cx.now() + request.estimate);
            self.reserved = vec![(head, start)];
            let mut effect = Effect::EndsBefore;
            if end > start {
                then.hold(&request, &placement);
                effect = match self.placer.place(then, &head_request) {
                    Some(_) => Effect::FitsBeside,
                    None => Effect::Delays,
                };
            }
            cx.observe(|| Step::Compared {
                job,
                end,
                reserved: head,
                start,
                effect,
            });
            if effect == Effect::Delays {
                then.free(&request, &placement);
                continue;
            }
            self.start(cx, &request, placement);
        }
    }

    /// The shadow time of a head that cannot start now, and the system as it is then if nothing
    /// else starts.
    fn shadow(&mut self, cx: &mut Context<S>, head: &Request) -> (Time, S) {
        let placer = &mut self.placer;
        let found = cx.first_after_estimated_ends(|system| placer.place(system, head).is_some());
        let found = found.expect("a queued job can be placed once nothing runs");
        cx.observe_reservation(head.index, found.0);
        found
    }

    /// The same where a count of free slots decides: who ends by the shadow time may have what is
    /// free now; who does not, what the head leaves over then.
    pub(super) fn backfill_by_free_slots(&mut self, cx: &mut Context<S>, head: JobId) {
        let now_free = cx.system().free_slots();
        if cx.next_waiting(Bound::Unbounded, now_free).is_none() {
            return;
        }
        let needed = u64::from(cx.request(head).size);
        let (shadow, free) = cx
            .first_with_slots(needed)
            .expect("a queued job can be placed once nothing runs");
        self.reserved.push((head, shadow));
        let (length, mut spare) = (shadow - cx.now(), free - needed);
        if !self.by_arrival() {
            let next = |behind| cx.next_waiting_within(behind, now_free, spare, length);
            let first = next(Bound::Unbounded);
            let jobs = std::iter::successors(first, |&last| next(Bound::Excluded(last)));
            let order = &self.parts.backfill_order;
            for job in self.ranking.sorted(order, cx, jobs) {
                let request = cx.request(job);
                let size = u64::from(request.size);
                let beyond = if request.estimate > length { size } else { 0 };
                if size <= cx.system().free_slots() && beyond <= spare {
                    spare -= beyond;
                    self.try_start(cx, job, Turn::Behind);
                }
            }
            return;
        }
        let mut last = head;
        while let Some(job) = cx.next_waiting_within(
            Bound::Excluded(last),
            cx.system().free_slots(),
            spare,
            length,
        ) {
            last = job;
            let request = cx.request(job);
            if request.estimate > length {
                spare -= u64::from(request.size);
            }
            self.try_start(cx, job, Turn::Behind);
        }
    }
}
