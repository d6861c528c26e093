//! The list scheduler: one queue, tried in an order; its parts make most policies (`LISTS` in
//! [`policy`](super)).
//!
//! *Decides*: the head starts while it can be placed. A head that cannot may take the room of every
//! running job that arrived later, if that is enough; the jobs behind it wait, are tried once each,
//! or start where they delay no reservation. Where anyone may preempt, each waiting job in turn does
//! as if it were the head. *Ties*: every order ends with the job index, which is (submit, index).
//! *Complexity*: linear in the jobs that may start, times one placement each; jobs that certainly
//! find no placement are passed over. A job whose placement is declined in the hope of a better one
//! ([`Placer::declined`]) is passed over once in that pass and holds nothing back, but where the
//! jobs behind a head wait for it; without a queue nobody waits, so nothing is declined. *Source*:
//! paper 1, sections 4.2 and 5.3.2; paper 2, section 4.1; paper 3, section 5.
//!
//! - `declined`: the jobs that wait for a better placement than they could have
//! - `easy`: the jobs behind the head that do not delay it
//! - `reservations`: the same with several reservations
//! - `preemption`: jobs that take the room of others

mod declined;
mod easy;
mod preemption;
mod reservations;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Bound;

use crate::engine::{Context, Policy, Step, Turn};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::place::{Declined, Placer, Prover, Refused, State, Tries};
use crate::policy::order::{Order, Ranking};
use crate::policy::parts::{Behind, MayPreempt, Parts};
use crate::record::Outcome;
use crate::unit::{Span, Time};
use declined::Decliners;

/// Which running jobs count as backfilled past the head, and so may have to give way to it.
///
/// Departure from Algorithm 2 of paper 1 as printed, which is an option: the set is not stored but is
/// the running jobs that arrived after the head, so that a job that was backfilled past an earlier
/// head is not suspended for a head that came later than itself.
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
    /// The jobs that declined a placement in the last pass.
    declined: Decliners,
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
    fn heard(&mut self, job: &Request) {
        self.ranking.arrive(job);
        self.placer.arrived(job);
        self.placer.attempted(job);
        self.placer.started(job);
    }

    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        let request = cx.request(job);
        self.placer.arrived(&request);
        self.ranking.arrive(&request);
        if !self.placer.finds(cx.empty_system(), &request) {
            let outcome = match self.placer.exists(cx.empty_system(), &request) {
                Some(false) => Outcome::Infeasible,
                Some(true) | None => Outcome::Unplaceable,
            };
            cx.dismiss(job, outcome);
        } else if self.parts.behind != Behind::Reject {
            cx.enqueue(job);
            self.ranking.join(&request);
            self.last_pass.newcomers.insert(job);
        } else if !self.try_start(cx, job, Turn::Arrival) {
            let outcome = match self.placer.exists(cx.system(), &request) {
                Some(true) => Outcome::RejectedThoughPossible,
                Some(false) => Outcome::RejectedImpossible,
                None => Outcome::RejectedUndecided,
            };
            cx.dismiss(job, outcome);
        }
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        self.reserved.clear();
        self.declined.clear();
        self.ranking.begin_pass(cx);
        if cx.is_observed() {
            self.begin_observed(cx);
        }
        self.pass_by_head(cx);
        self.last_pass.newcomers.clear();
    }

    fn left(&mut self, _: JobId, placement: &S::Placement) {
        self.departed(placement);
    }

    fn withdrawn(&mut self, cx: &mut Context<S>, job: JobId) {
        self.ranking.leave(&cx.request(job));
        // The next head may be another one.
        cx.drop_reservation();
        self.last_pass = LastPass::default();
    }

    fn tries(&mut self) -> Tries {
        let prover = self.proofs();
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
            declined: Decliners::default(),
            reserved: Vec::new(),
        }
    }

    /// The queue in its order, as the last pass saw it.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The job that held others back in the last pass, if any did: the first of the queue, of those
    /// that declined no placement unless the jobs behind them wait.
    pub fn head(&self, cx: &Context<S>) -> Option<JobId> {
        let stops = self.parts.behind == Behind::Stop;
        let among = |job| stops || !self.declined.have(job);
        self.ranking.head(cx, among)
    }

    /// The placement that a job declined in the last pass; `None` where it did not.
    pub fn declined(&self, job: JobId) -> Option<&Declined> {
        self.declined.get(job)
    }

    /// The reservations of the last pass, where some were needed, in the order in which they were
    /// made: whose, and when they start.
    pub fn reserved(&self) -> &[(JobId, Time)] {
        &self.reserved
    }

    /// An observer is to hear of every job: this pass makes no use of what the one before found,
    /// and leaves the next one nothing that it did not prove.
    fn begin_observed(&mut self, cx: &mut Context<S>) {
        cx.drop_reservation();
        self.last_pass.quiet = None;
        cx.observe_queue(self.ranking.queue(cx));
    }

    /// What the placer can prove; `None` where it keeps no proofs, or nobody waits to be tried
    /// again.
    fn proofs(&mut self) -> Option<&mut dyn Prover<S>> {
        if !S::PROVEN || self.parts.behind == Behind::Reject {
            return None;
        }
        self.placer.prover()
    }

    /// The same; `None` also where an observer is to hear of every job.
    fn prover(&mut self, cx: &Context<S>) -> Option<&mut dyn Prover<S>> {
        if cx.is_observed() {
            return None;
        }
        self.proofs()
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
        if skips && by_size && self.placer.slots_decide() && !cx.is_observed() {
            return self.start_by_size(cx);
        }
        let may_rest = self.ranking.changes() && may_preempt == MayPreempt::Never;
        if may_rest && self.all_refused(cx) {
            return;
        }
        self.ranking.rank_all(cx);
        while let Some(head) = self.next_head(cx) {
            if self.try_start(cx, head, Turn::Head) || self.preempt_for(cx, head) {
                cx.drop_reservation();
                continue;
            }
            if behind != Behind::Stop && self.declined.have(head) {
                continue;
            }
            match behind {
                Behind::Reject => unreachable!("nobody waits in loss mode"),
                Behind::Stop => {
                    let behind = cx.waiting().len() - 1;
                    cx.observe(|| Step::Stopped { head, behind });
                }
                Behind::Skip if self.by_arrival() => self.backfill_behind(cx, head),
                Behind::Skip => {
                    let quiet = self.try_behind(cx, head);
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

    /// The first job of the queue, of those that have declined no placement in this pass.
    fn next_head(&mut self, cx: &Context<S>) -> Option<JobId> {
        let mut head = self.ranking.first(cx);
        while let Some(job) = head
            && self.declined.have(job)
        {
            head = self.ranking.behind(cx, job);
        }
        head
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
        let refused = self.refused(cx);
        refused.is_some_and(|refused| cx.not_refused(&refused).next().is_none())
    }

    /// The waiting jobs of some that may find a placement now and have declined none in this pass,
    /// in the order of backfilling.
    fn not_refused(&mut self, cx: &Context<S>, of: impl Fn(JobId) -> bool) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = match self.refused(cx) {
            Some(refused) => cx.not_refused(&refused).collect(),
            None => cx.waiting().iter().copied().collect(),
        };
        jobs.retain(|&job| of(job) && !self.declined.have(job));
        let order = &self.parts.backfill_order;
        self.ranking.sorted(order, cx, jobs.into_iter())
    }

    /// A job has left its placement.
    fn departed(&mut self, placement: &S::Placement) {
        if let Some(prover) = self.proofs() {
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
    fn try_behind(&mut self, cx: &Context<S>, head: JobId) -> bool {
        let quiet = self.is_quiet(head);
        let proves = self.prover(cx).is_some();
        self.last_pass.quiet = proves.then(|| (head, self.placer.revision()));
        quiet
    }

    /// The next job behind another one that has arrived since the last pass.
    fn next_newcomer(&self, last: JobId) -> Option<JobId> {
        let behind = (Bound::Excluded(last), Bound::Unbounded);
        self.last_pass.newcomers.range(behind).next().copied()
    }

    /// The requests that certainly find no placement now; `None` where each must be tried.
    fn refused(&mut self, cx: &Context<S>) -> Option<Cow<'_, Refused>> {
        if cx.is_observed() {
            return None;
        }
        let system = cx.system();
        let most = self.placer.largest(system);
        match self.proofs() {
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
        if self.try_behind(cx, head) {
            while self.is_quiet(head) {
                let Some(job) = self.next_newcomer(last) else {
                    return;
                };
                self.backfill(cx, job);
                last = job;
            }
        }
        let Some(refused) = self.refused(cx) else {
            while let Some(job) = Self::next_behind(cx, last, u64::MAX) {
                self.backfill(cx, job);
                last = job;
            }
            return;
        };
        let mut walk = cx.walk(last, &refused);
        while let Some(refused) = self.refused(cx)
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
                self.try_start(cx, job, Turn::Next);
            }
        }
    }

    /// Starts a job that is not the head, if it fits.
    fn backfill(&mut self, cx: &mut Context<S>, job: JobId) {
        if self.try_start(cx, job, Turn::Behind)
            && let Backfilled::Stored(jobs) = &mut self.backfilled
        {
            jobs.insert(job);
        }
    }

    fn try_start(&mut self, cx: &mut Context<S>, job: JobId, turn: Turn) -> bool {
        let request = cx.request(job);
        let placement = self.placement(cx, &request, turn);
        placement
            .map(|placement| self.start(cx, &request, placement))
            .is_some()
    }

    /// Tries to place a job now.
    fn placement(
        &mut self,
        cx: &mut Context<S>,
        request: &Request,
        turn: Turn,
    ) -> Option<S::Placement> {
        self.placer.attempted(request);
        if let Some(prover) = self.prover(cx)
            && prover.rules_out(State::Present, cx.system(), request)
        {
            return None;
        }
        let placement = self.placer.place(cx.system(), request);
        if placement.is_none()
            && let Some(prover) = self.prover(cx)
        {
            prover.failed(State::Present, cx.system(), request);
        }
        cx.observe(|| Step::Tried {
            job: request.index,
            turn,
            value: match turn {
                Turn::Behind => self.ranking.value_by(&self.parts.backfill_order, request),
                _ => self.ranking.value(request),
            },
            fits: placement.is_some(),
        });
        placement.filter(|placement| !self.declines(cx, request, placement))
    }

    /// Whether a job waits for a better placement than this one, which it could have now. A pass
    /// follows when it no longer does.
    fn declines(
        &mut self,
        cx: &mut Context<S>,
        request: &Request,
        placement: &S::Placement,
    ) -> bool {
        let queues = self.parts.behind != Behind::Reject;
        let declined = self.placer.declined(request, placement);
        let Some(declined) = declined.filter(|of| queues && of.until > cx.now()) else {
            return false;
        };
        let (
            job,
            Declined {
                leaves,
                most,
                until,
            },
        ) = (request.index, declined);
        cx.call_pass_at(until, job);
        cx.observe(|| Step::Declined {
            job,
            leaves,
            most,
            until,
        });
        self.declined.add(job, declined);
        true
    }

    fn start(&mut self, cx: &mut Context<S>, request: &Request, placement: S::Placement) {
        if let Some(prover) = self.proofs() {
            prover.taken(&placement);
        }
        if cx.is_observed() {
            let subtrees = self.placer.subtrees(cx.system(), request, &placement);
            cx.start(request.index, placement);
            cx.observe_subtrees(subtrees);
        } else {
            cx.start(request.index, placement);
        }
        self.placer.started(request);
        self.ranking.leave(request);
        if let Some(value) = self.ranking.value(request) {
            cx.note_value(value.is_finite());
        }
        self.last_pass.quiet = None;
    }

    /// Starts the jobs behind `head` that delay no reservation. Where the head alone has one, which
    /// nobody preempts for, there are faster ways than that for any number of them.
    fn backfill_around(&mut self, cx: &mut Context<S>, head: JobId) {
        let Parts {
            depth, may_preempt, ..
        } = self.parts;
        let heads_alone = depth == Some(1) && may_preempt == MayPreempt::Never;
        let observed = cx.is_observed();
        if heads_alone && self.prover(cx).is_some() {
            self.backfill_around_proven(cx, head);
        } else if heads_alone && self.placer.slots_decide() && !observed {
            self.backfill_by_free_slots(cx, head);
        } else if heads_alone && (self.by_arrival() || observed) {
            self.backfill_around_tried(cx, head);
        } else {
            self.backfill_around_several(cx, head);
        }
    }
}
