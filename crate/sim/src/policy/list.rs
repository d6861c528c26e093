//! The list scheduler: one queue, tried in an order, with four choices that make the policies.
//!
//! | policy | order | behind a blocked head | preemption |
//! |---|---|---|---|
//! | none (loss) | – | rejected on arrival | – |
//! | FCFS | arrival | stop | – |
//! | SBF, SDF | bandwidth, estimate | stop (or skip) | – |
//! | EASY | arrival | reserve | – |
//! | FPFS (AFCFS) | arrival | skip | – |
//! | LJFS, QLJFS | size, largest first | skip | – |
//! | PLJFS | the same, sorted once a period | skip | – |
//! | BgMBF | arrival | skip | the head, from all later jobs |
//! | BgMBF-SDF | arrival, others by estimate | skip | the head, from all later jobs |
//! | AMBF | arrival | skip | the head, from the latest jobs, no more than it needs |
//! | CMBF | arrival | skip | each in its turn, from the latest jobs, no more than it needs |
//! | one's own | any | any; around any number of reservations | any |
//!
//! *Decides*: the head starts while it can be placed. Once it cannot, it may take the room of every
//! running job that arrived later than it, if that is enough; else the others are tried once each,
//! or not at all. Where anyone may preempt, every waiting job in turn does as if it were the head.
//! *Ties*: every order ends with (submit, index), which is the job index; estimates and bandwidths
//! are the original ones also for jobs that have been preempted. *Complexity*: a pass is linear in
//! the queue where jobs are skipped, times one placement each. Where a count of free slots decides,
//! jobs that ask for too many are passed over: the sizes in the queue once, and their logarithm for
//! each job that is tried; under EASY the sizes for each. Where values change, all are found once a
//! pass, unless nobody can be placed. *Source*: paper 1, section 4.2 and
//! Algorithm 2 (BgMBF, BgMBF-SDF), section 5.3.2 (SBF, SDF); paper 2, section 4.1 and Algorithm 1
//! (CMBF, AMBF), of which the running jobs after a pass are those that all present jobs, scanned in
//! order of arrival, leave room for; paper 3, section 5 (FPFS, "modified FCFS"); EASY after D.
//! Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995, as A. Mu'alem and D. Feitelson, TPDS
//! 12(6), 2001 define it. Departures from Algorithm 2 as printed, where the printed reading is a
//! switch: the set of backfilled jobs is not stored but is the running jobs that arrived after the
//! head, so that a job which was backfilled past an earlier head is not suspended for a head that
//! came later than itself; and only the jobs in the way of the head may be made to give way.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Bound;

use crate::engine::Policy;
use crate::engine::{Context, Reservation, Walk};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::place::{Placer, Prover, Refused, State, Tries};
use crate::policy::order::{Order, Ranking};
use crate::policy::parts::{Behind, MayPreempt, Parts, Preempt};
use crate::policy::reservations::{Reservations, Stay};
use crate::record::Outcome;
use crate::unit::{Span, Time};

/// Which running jobs count as backfilled past the head, and so may have to give way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Backfilled {
    /// Those that arrived after it.
    Younger,
    /// Those that were started while they were not the head themselves, as Algorithm 2 is printed.
    Stored(BTreeSet<JobId>),
}

/// A list scheduler with its placer.
pub struct ListPolicy<'p, S: System> {
    /// What it is made of.
    pub parts: Parts,
    /// Where jobs go.
    pub placer: Box<dyn Placer<S> + 'p>,
    /// The queue in its order.
    ranking: Ranking,
    /// Which running jobs may have to give way.
    backfilled: Backfilled,
    /// What it remembers from one pass to the next.
    last_pass: LastPass,
    /// The reservations of the last pass, where some were needed, in the order in which they were
    /// made: whose, and when they start; that of EASY starts at the head's shadow time. They decide
    /// nothing: they are here for those who ask why a job waits.
    reserved: Vec<(JobId, Time)>,
}

/// What a list scheduler remembers from one pass to the next.
#[derive(Clone, Debug, Default)]
struct LastPass {
    /// The jobs that have arrived since.
    newcomers: BTreeSet<JobId>,
    /// Its head and the placer's revision, if nobody has started or left since that head and all
    /// jobs behind it were tried: they would fail again.
    quiet: Option<(JobId, u64)>,
    /// Whether it made use of the head's reservation.
    reserved: bool,
}

impl<S: System> Policy<S> for ListPolicy<'_, S> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        let request = cx.request(job);
        self.placer.arrived(&request);
        self.ranking.arrive(&request);
        if self.placer.place(cx.empty_system(), &request).is_none() {
            let outcome = match self.placer.exists(cx.empty_system(), &request) {
                Some(false) => Outcome::Infeasible,
                Some(true) | None => Outcome::Unplaceable,
            };
            cx.dismiss(job, outcome);
        } else if self.parts.behind != Behind::Reject {
            cx.enqueue(job);
            self.ranking.join(&request);
            self.last_pass.newcomers.insert(job);
        } else if !self.try_start(cx, job) {
            let exists = match self.placer.prover() {
                Some(prover) => prover.exists(State::Present, cx.system(), &request),
                None => self.placer.exists(cx.system(), &request),
            };
            let outcome = match exists {
                Some(true) => Outcome::RejectedThoughPossible,
                Some(false) => Outcome::RejectedImpossible,
                None => Outcome::RejectedUndecided,
            };
            cx.dismiss(job, outcome);
        }
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        self.reserved.clear();
        self.ranking.begin_pass(cx);
        self.pass_by_head(cx);
        self.last_pass.newcomers.clear();
    }

    fn left(&mut self, placement: &S::Placement) {
        self.departed(placement);
    }

    fn withdrawn(&mut self, cx: &mut Context<S>, job: JobId) {
        self.ranking.leave(&cx.request(job));
        // The next head may be another one.
        cx.drop_reservation();
        self.last_pass = LastPass::default();
    }

    fn tries(&mut self) -> Tries {
        let prover = self.placer.prover();
        prover.map_or_else(Tries::default, |prover| prover.tries())
    }
}

impl<'p, S: System> ListPolicy<'p, S> {
    /// A list scheduler of these parts.
    pub fn new(parts: Parts, placer: Box<dyn Placer<S> + 'p>) -> ListPolicy<'p, S> {
        ListPolicy {
            ranking: Ranking::new(parts.order.clone(), &parts.backfill_order),
            backfilled: if parts.promote {
                Backfilled::Younger
            } else {
                Backfilled::Stored(BTreeSet::new())
            },
            parts,
            placer,
            last_pass: LastPass::default(),
            reserved: Vec::new(),
        }
    }

    /// The queue in its order, as the last pass saw it.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The reservations of the last pass, where some were needed, in the order in which they were
    /// made: whose, and when they start.
    pub fn reserved(&self) -> &[(JobId, Time)] {
        &self.reserved
    }

    fn pass_by_head(&mut self, cx: &mut Context<S>) {
        let Parts {
            ref order,
            ref backfill_order,
            behind,
            may_preempt,
            ..
        } = self.parts;
        if may_preempt == MayPreempt::Anyone {
            return self.pass_in_turn(cx);
        }
        let skips = behind == Behind::Skip && may_preempt == MayPreempt::Never;
        let by_size = *order == Order::LargestSize && order == backfill_order;
        if skips && by_size && self.placer.slots_decide() {
            return self.start_by_size(cx);
        }
        let may_rest = self.ranking.changes() && may_preempt == MayPreempt::Never;
        if may_rest && self.all_refused(cx) {
            return;
        }
        self.ranking.rank_all(cx);
        while let Some(head) = self.ranking.first(cx) {
            if self.try_start(cx, head) || self.preempt_for(cx, head) {
                cx.drop_reservation();
                continue;
            }
            match behind {
                Behind::Reject => unreachable!("nobody waits in loss mode"),
                Behind::Stop => {}
                Behind::Skip if self.by_arrival() => self.backfill_behind(cx, head),
                Behind::Skip => {
                    let quiet = self.try_behind(head);
                    for job in self.not_refused(cx, |job| job != head) {
                        if !(quiet && self.is_quiet(head))
                            || self.last_pass.newcomers.contains(&job)
                        {
                            self.backfill(cx, job);
                        }
                    }
                }
                Behind::Reserve => self.backfill_around(cx, head),
            }
            return;
        }
    }

    /// Whether arrival alone decides who is next.
    fn by_arrival(&self) -> bool {
        let Parts {
            order,
            backfill_order,
            ..
        } = &self.parts;
        *order == Order::Arrival && *backfill_order == Order::Arrival
    }

    /// Whether it is certain that no waiting job finds a placement now.
    fn all_refused(&mut self, cx: &Context<S>) -> bool {
        let refused = self.refused(cx.system());
        refused.is_some_and(|refused| cx.not_refused(&refused).next().is_none())
    }

    /// The waiting jobs of some that may find a placement now, in the order of backfilling.
    fn not_refused(&mut self, cx: &Context<S>, of: impl Fn(JobId) -> bool) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = match self.refused(cx.system()) {
            Some(refused) => cx.not_refused(&refused).collect(),
            None => cx.waiting().iter().copied().collect(),
        };
        jobs.retain(|&job| of(job));
        let order = &self.parts.backfill_order;
        self.ranking.sorted(order, cx, jobs.into_iter())
    }

    /// A job has left its placement.
    fn departed(&mut self, placement: &S::Placement) {
        if let Some(prover) = self.placer.prover() {
            prover.departed(State::Present, placement);
        }
        self.last_pass.quiet = None;
    }

    /// Whether all jobs behind `head` but those that have just arrived were tried in this state.
    fn is_quiet(&self, head: JobId) -> bool {
        self.last_pass.quiet == Some((head, self.placer.revision()))
    }

    /// The jobs behind `head` are about to be tried: unless one of them starts, they need not be
    /// tried again in this state. Returns whether that was so already.
    fn try_behind(&mut self, head: JobId) -> bool {
        let quiet = self.is_quiet(head);
        let proves = self.placer.prover().is_some();
        self.last_pass.quiet = proves.then(|| (head, self.placer.revision()));
        quiet
    }

    /// The next job behind another one that has arrived since the last pass.
    fn next_newcomer(&self, last: JobId) -> Option<JobId> {
        let behind = (Bound::Excluded(last), Bound::Unbounded);
        self.last_pass.newcomers.range(behind).next().copied()
    }

    /// The requests that certainly find no placement now; `None` where each must be tried.
    fn refused(&mut self, system: &S) -> Option<Cow<'_, Refused>> {
        let most = self.placer.largest(system);
        match self.placer.prover() {
            Some(prover) => prover.refused(system).map(Cow::Borrowed),
            None => (most < u64::MAX).then(|| Cow::Owned(Refused::above(most))),
        }
    }

    /// The next waiting job by arrival, passing over those that ask for more than so many slots.
    fn next_behind(cx: &Context<S>, job: JobId, most: u64) -> Option<JobId> {
        let behind = (Bound::Excluded(job), Bound::Unbounded);
        match most {
            u64::MAX => cx.waiting().range(behind).next().copied(),
            most => cx.next_waiting(behind.0, most),
        }
    }

    /// One walk along the queue behind a job, on which everybody starts who fits.
    fn backfill_behind(&mut self, cx: &mut Context<S>, head: JobId) {
        let mut last = head;
        if self.try_behind(head) {
            while self.is_quiet(head) {
                let Some(job) = self.next_newcomer(last) else {
                    return;
                };
                self.backfill(cx, job);
                last = job;
            }
        }
        let Some(refused) = self.refused(cx.system()) else {
            while let Some(job) = Self::next_behind(cx, last, u64::MAX) {
                self.backfill(cx, job);
                last = job;
            }
            return;
        };
        let mut walk = cx.walk(last, &refused);
        while let Some(refused) = self.refused(cx.system())
            && let Some(job) = cx.next_of(&mut walk, &refused, &Refused::nobody(), Span(0))
        {
            self.backfill(cx, job);
        }
    }

    /// Starts every job that fits, the largest first, where a count of free slots decides that.
    fn start_by_size(&mut self, cx: &mut Context<S>) {
        let sizes: Vec<u32> = cx.waiting_sizes().rev().collect();
        for size in sizes {
            while u64::from(size) <= cx.system().free_slots()
                && let Some(job) = cx.first_of_size(size)
            {
                self.try_start(cx, job);
            }
        }
    }

    /// Starts a job that is not the head, if it fits.
    fn backfill(&mut self, cx: &mut Context<S>, job: JobId) {
        if self.try_start(cx, job)
            && let Backfilled::Stored(jobs) = &mut self.backfilled
        {
            jobs.insert(job);
        }
    }

    /// One walk along the queue, which victims rejoin behind the job they give way to.
    fn pass_in_turn(&mut self, cx: &mut Context<S>) {
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
            if !self.try_start(cx, job)
                && cx.system().free_slots() + later >= u64::from(cx.request(job).size)
                && self.preempt_for(cx, job)
            {
                later = sizes(cx, job, end);
            }
            let most = if self.placer.slots_decide() {
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

    fn try_start(&mut self, cx: &mut Context<S>, job: JobId) -> bool {
        let request = cx.request(job);
        let placement = self.placement(cx, &request);
        placement
            .map(|placement| self.start(cx, &request, placement))
            .is_some()
    }

    /// Tries to place a job now.
    fn placement(&mut self, cx: &Context<S>, request: &Request) -> Option<S::Placement> {
        self.placer.attempted(request);
        if let Some(prover) = self.placer.prover()
            && prover.rules_out(State::Present, cx.system(), request)
        {
            return None;
        }
        let placement = self.placer.place(cx.system(), request);
        if placement.is_none()
            && let Some(prover) = self.placer.prover()
        {
            prover.failed(State::Present, cx.system(), request);
        }
        placement
    }

    fn start(&mut self, cx: &mut Context<S>, request: &Request, placement: S::Placement) {
        cx.start(request.index, placement);
        self.placer.started(request);
        self.ranking.leave(request);
        if let Some(value) = self.ranking.value(request) {
            cx.note_value(value.is_finite());
        }
        self.last_pass.quiet = None;
    }

    /// Suspends jobs that were backfilled past `head` if it can start in their stead, and starts
    /// it.
    fn preempt_for(&mut self, cx: &mut Context<S>, head: JobId) -> bool {
        if self.parts.may_preempt == MayPreempt::Never {
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
            return false;
        }
        let placer = &mut self.placer;
        let found = match self.parts.preempt {
            Preempt::All if placer.prover().is_some() && self.backfilled == Backfilled::Younger => {
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
        let Some((victims, placement)) = found else {
            if self.backfilled == Backfilled::Younger
                && let Some(prover) = self.placer.prover()
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
        let Some(prover) = self.placer.prover() else {
            return false;
        };
        let state = State::WithoutYounger;
        let older = cx.without_younger(request.index, |left| prover.departed(state, left));
        prover.rules_out(state, older, request)
    }

    /// Starts the jobs behind `head` that delay no reservation. Where the head alone has one, which
    /// nobody preempts for, there are faster ways than that for any number of them.
    fn backfill_around(&mut self, cx: &mut Context<S>, head: JobId) {
        let Parts {
            depth, may_preempt, ..
        } = self.parts;
        let heads_alone = depth == Some(1) && may_preempt == MayPreempt::Never;
        if heads_alone && self.placer.prover().is_some() {
            self.backfill_around_proven(cx, head);
        } else if heads_alone && self.placer.slots_decide() {
            self.backfill_by_free_slots(cx, head);
        } else if heads_alone && self.by_arrival() {
            self.backfill_around_tried(cx, head);
        } else {
            self.backfill_around_several(cx, head);
        }
    }

    /// Starts the jobs behind `head` that end by its shadow time, or leave room for it then: with
    /// proofs. Who certainly finds no placement, or certainly delays the head, is
    /// passed over, and the reservation is kept for the next pass where that is certain to find it
    /// again.
    fn backfill_around_proven(&mut self, cx: &mut Context<S>, head: JobId) {
        let head_request = cx.request(head);
        let mut reserved = cx.take_reservation(head, self.placer.revision());
        let mut certain = true;
        // A reservation that no longer holds may let others start.
        let quiet = self.try_behind(head) && (reserved.is_some() || !self.last_pass.reserved);
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
            let Some(placement) = self.placement(cx, &request) else {
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
            if cx.now() + request.estimate > reservation.time {
                then.hold(&request, &placement);
                if !self.still_fits(then, &head_request, &placement) {
                    then.free(&request, &placement);
                    let prover = self.prover();
                    prover.expect_change(then, &placement);
                    prover.delayed(cx.system(), then, &request);
                    continue;
                }
            }
            let started = placement.clone();
            self.start(cx, &request, placement);
            let prover: &mut dyn Prover<S> = self.prover();
            prover.reserved_change(&started);
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
                let delaying = self.prover().delaying(cx.system(), then);
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
        let (delaying, length) = self.delaying(cx, reservation);
        let prover: &mut dyn Prover<S> = self.prover();
        match prover.refused(cx.system()) {
            Some(refused) => {
                let walk = walk.get_or_insert_with(|| cx.walk(last, refused));
                cx.next_of(walk, refused, &delaying, length)
            }
            None => Self::next_behind(cx, last, u64::MAX),
        }
    }

    /// The reservation of a head that cannot start now, and whether it is proven that the head does
    /// not fit at any earlier end, also if others start that leave it this reservation.
    fn reserve(&mut self, cx: &mut Context<S>, head: &Request) -> (Reservation<S>, bool) {
        self.prover().expect(cx.system(), head);
        let mut certain = true;
        let revision = self.placer.revision();
        let found = cx.reserve(head.index, revision, |then, released| {
            let prover: &mut dyn Prover<S> = self.prover();
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

    /// Whether the head can still be placed in its future, of which a job has just taken a
    /// placement.
    fn still_fits(&mut self, then: &S, head: &Request, taken: &S::Placement) -> bool {
        let prover = self.prover();
        prover.expect_change(then, taken);
        !prover.never_fits() && self.placer.place(then, head).is_some()
    }

    fn prover(&mut self) -> &mut dyn Prover<S> {
        self.placer.prover().expect("a placer that keeps proofs")
    }

    /// The same job by job.
    fn backfill_around_tried(&mut self, cx: &mut Context<S>, head: JobId) {
        let head_request = cx.request(head);
        let mut shadow = None;
        let mut last = head;
        loop {
            let most = self.placer.largest(cx.system());
            let Some(job) = Self::next_behind(cx, last, most) else {
                return;
            };
            last = job;
            let request = cx.request(job);
            let placer = &mut self.placer;
            placer.attempted(&request);
            let Some(placement) = placer.place(cx.system(), &request) else {
                continue;
            };
            // Until the first job gets here, nothing has started since the head failed.
            let (time, then) = shadow.get_or_insert_with(|| {
                cx.first_after_estimated_ends(|system| {
                    placer.place(system, &head_request).is_some()
                })
                .expect("a queued job can be placed once nothing runs")
            });
            self.reserved = vec![(head, *time)];
            if cx.now() + request.estimate > *time {
                then.hold(&request, &placement);
                if placer.place(then, &head_request).is_none() {
                    then.free(&request, &placement);
                    continue;
                }
            }
            self.start(cx, &request, placement);
        }
    }

    /// The same where a count of free slots decides: who ends by the shadow time may have what is
    /// free now; who does not, what the head leaves over then.
    fn backfill_by_free_slots(&mut self, cx: &mut Context<S>, head: JobId) {
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
                    self.try_start(cx, job);
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
            self.try_start(cx, job);
        }
    }

    /// Starts jobs that delay no reservation. Who cannot start gets one, as long as there are not
    /// enough: first the head, which has been tried.
    fn backfill_around_several(&mut self, cx: &mut Context<S>, head: JobId) {
        let depth = self.parts.depth;
        let mut reservations = Reservations::none();
        let mut next = Some(head);
        while let Some(job) = next
            && depth.is_none_or(|depth| reservations.count() < depth as usize)
        {
            if job == head || !self.start_around(cx, job, &mut reservations) {
                let (request, length) = (cx.request(job), cx.estimated_length(job));
                reservations.reserve(cx, &mut *self.placer, request, length);
            }
            next = self.ranking.behind(cx, job);
        }
        if next.is_some() {
            for job in self.not_refused(cx, |job| !reservations.has(job)) {
                self.start_around(cx, job, &mut reservations);
            }
        }
        self.reserved = reservations.into_starts();
    }

    /// Starts a job if it fits and every reservation is kept.
    fn start_around(
        &mut self,
        cx: &mut Context<S>,
        job: JobId,
        reservations: &mut Reservations<S>,
    ) -> bool {
        let request = cx.request(job);
        let Some(placement) = self.placement(cx, &request) else {
            return false;
        };
        let start = cx.now();
        let stay = Stay {
            request,
            placement,
            start,
            end: start + cx.estimated_length(job),
        };
        let kept = reservations.admit(&mut *self.placer, &stay);
        if kept {
            self.start(cx, &request, stay.placement);
        }
        kept
    }
}
