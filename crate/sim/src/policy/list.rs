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
//!
//! *Decides*: the head starts while it can be placed. Once it cannot, it may take the room of every
//! running job that arrived later than it, if that is enough; else the others are tried once each,
//! or not at all. Where anyone may preempt, every waiting job in turn does as if it were the head.
//! *Ties*: every order ends with (submit, index), which is the job index; estimates and bandwidths
//! are the original ones also for jobs that have been preempted.
//! *Complexity*: a pass is linear in the queue where jobs are skipped, times one placement each. Where
//! a count of free slots decides, jobs that ask for too many are passed over: the sizes in the queue once, and
//! their logarithm for each job that is tried; under EASY the sizes for each.
//! *Source*: paper 1, section 4.2 and Algorithm 2 (BgMBF, BgMBF-SDF), section 5.3.2 (SBF, SDF);
//! paper 2, section 4.1 and Algorithm 1 (CMBF, AMBF), of which the running jobs after a pass are those
//! that all present jobs, scanned in order of arrival, leave room for;
//! paper 3, section 5 (FPFS, "modified FCFS");
//! EASY after D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995, as A. Mu'alem and
//! D. Feitelson, TPDS 12(6), 2001 define it.
//! Departures from Algorithm 2 as printed, where the printed reading is a switch: the set of
//! backfilled jobs is not stored but is the running jobs that arrived after the head, so that a job
//! which was backfilled past an earlier head is not suspended for a head that came later than
//! itself; and only the jobs in the way of the head may be made to give way.

use crate::choice::choices;
use crate::source::PAPER_1;
use std::collections::BTreeSet;
use std::ops::Bound;

use crate::engine::Context;
use crate::id::JobId;
use crate::job::Request;
use crate::place::Placer;
use crate::policy::Policy;
use crate::record::Fate;
use crate::system::System;
use crate::unit::{Span, Time};

choices! {
    /// Which running jobs give way to the first job of the queue.
    pub enum Victims {
        All = "all", "All backfilled",
            "All that were backfilled, whether or not they are in the way.",
            PAPER_1;
        Conflicting = "conflicting", "Only conflicting",
            "The youngest first until it fits, and those of them that turn out not to be in the way stay.",
            "";
    }
}

choices! {
    /// What SBF and SDF do when a job does not fit.
    pub enum WhenBlocked {
        Strict = "strict", "Stop",
            "They wait for it.",
            PAPER_1;
        Skip = "skip", "Skip it",
            "They go on with the rest of the queue, in order.",
            "";
    }
}

/// In which order waiting jobs are tried; equal keys by (submit, index).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By arrival.
    Arrival,
    /// By estimated runtime, shortest first.
    ShortestEstimate,
    /// By bandwidth, smallest first.
    SmallestBandwidth,
    /// By size, largest first.
    LargestSize,
    /// By size, largest first, as it was at the last whole multiple of this time; who has arrived
    /// since is behind.
    LargestSizeEvery(Span),
}

/// What happens to the jobs behind a head that cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// There is no queue: a job that cannot start on arrival is rejected.
    Reject,
    /// They wait.
    Stop,
    /// They are tried.
    Skip,
    /// They are tried, and start only where they do not delay the head by estimates.
    Reserve,
}

/// Who may suspend running jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preempt {
    /// Nobody.
    Never,
    /// The head of the queue, jobs that were backfilled past it.
    Head,
    /// Every waiting job, jobs that arrived after it.
    Anyone,
}

/// Which running jobs count as backfilled past the head, and so may have to give way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backfilled {
    /// Those that arrived after it.
    Younger,
    /// Those that were started while they were not the head themselves, as Algorithm 2 is printed.
    Stored(BTreeSet<JobId>),
}

/// A list scheduler with its placer.
#[derive(Clone, Debug)]
pub struct ListPolicy<P> {
    /// The order of the queue.
    pub order: Order,
    /// The order in which the jobs behind a blocked head are tried.
    pub backfill_order: Order,
    /// What happens to them.
    pub blocked: Blocked,
    /// Who may suspend running jobs.
    pub preempt: Preempt,
    /// Which running jobs that may be.
    pub backfilled: Backfilled,
    /// Which of these give way: all, or as few as the head needs.
    pub victims: Victims,
    /// Where jobs go.
    pub placer: P,
    /// The head's shadow time in the last pass, where one was needed. It decides nothing: it is here
    /// for those who ask why a job waits.
    pub shadow: Option<Time>,
}

impl Order {
    fn key(self, request: &Request, now: Time) -> u64 {
        let largest_first = u64::from(u32::MAX - request.size);
        match self {
            Order::Arrival => 0,
            Order::ShortestEstimate => request.estimate.0,
            Order::SmallestBandwidth => request.bandwidth.0,
            Order::LargestSize => largest_first,
            Order::LargestSizeEvery(period) => {
                let sorted_at = now.0 - now.0 % period.0;
                if request.submit.0 <= sorted_at {
                    largest_first
                } else {
                    u64::MAX
                }
            }
        }
    }

    /// The head of the queue.
    pub fn first<S: System>(self, cx: &Context<S>) -> Option<JobId> {
        match self {
            Order::Arrival => cx.waiting().first().copied(),
            _ => cx
                .waiting()
                .iter()
                .copied()
                .min_by_key(|&job| (self.key(&cx.request(job), cx.now()), job)),
        }
    }

    /// How many waiting jobs are before `job`.
    pub fn ahead<S: System>(self, cx: &Context<S>, job: JobId) -> usize {
        let place = |job| (self.key(&cx.request(job), cx.now()), job);
        let waiting = cx.waiting().iter();
        waiting.filter(|&&other| place(other) < place(job)).count()
    }

    /// The waiting jobs other than `head`, in this order.
    fn rest<S: System>(self, cx: &Context<S>, head: JobId) -> Vec<JobId> {
        let others = cx.waiting().iter().copied().filter(|&job| job != head);
        let key = |job| (self.key(&cx.request(job), cx.now()), job);
        let mut rest: Vec<(u64, JobId)> = others.map(key).collect();
        rest.sort_unstable();
        rest.into_iter().map(|(_, job)| job).collect()
    }
}

impl<S: System, P: Placer<S>> Policy<S> for ListPolicy<P> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        let request = cx.request(job);
        self.placer.arrived(&request);
        if self.placer.place(cx.empty_system(), &request).is_none() {
            let fate = match self.placer.exists(cx.empty_system(), &request) {
                Some(false) => Fate::Infeasible,
                Some(true) | None => Fate::Unplaceable,
            };
            cx.dismiss(job, fate);
        } else if self.blocked != Blocked::Reject {
            cx.enqueue(job);
        } else if !self.try_start(cx, job) {
            let fate = match self.placer.exists(cx.system(), &request) {
                Some(true) => Fate::Missed,
                Some(false) => Fate::Blocked,
                None => Fate::Rejected,
            };
            cx.dismiss(job, fate);
        }
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        self.shadow = None;
        if self.preempt == Preempt::Anyone {
            return self.pass_in_turn(cx);
        }
        let tried_by_size = self.order == Order::LargestSize
            && self.blocked == Blocked::Skip
            && self.preempt == Preempt::Never;
        if tried_by_size && self.placer.slots_decide() {
            return self.start_by_size(cx);
        }
        while let Some(head) = self.order.first(cx) {
            if self.try_start(cx, head) || self.preempt_for(cx, head) {
                continue;
            }
            match self.blocked {
                Blocked::Reject => unreachable!("nobody waits in loss mode"),
                Blocked::Stop => {}
                Blocked::Skip if self.backfill_order == Order::Arrival => {
                    self.backfill_behind(cx, head);
                }
                Blocked::Skip => {
                    for job in self.backfill_order.rest(cx, head) {
                        self.backfill(cx, job);
                    }
                }
                Blocked::Reserve => self.backfill_around(cx, head),
            }
            return;
        }
    }
}

impl<P> ListPolicy<P> {
    /// The next waiting job by arrival, passing over those that ask for more than so many slots.
    fn next_behind<S: System>(cx: &Context<S>, job: JobId, most: u64) -> Option<JobId> {
        let behind = (Bound::Excluded(job), Bound::Unbounded);
        match most {
            u64::MAX => cx.waiting().range(behind).next().copied(),
            most => cx.next_waiting(behind.0, most),
        }
    }

    /// The next waiting job by arrival, passing over those that are known to find no place.
    fn next_fitting<S: System>(&self, cx: &Context<S>, job: JobId) -> Option<JobId>
    where
        P: Placer<S>,
    {
        Self::next_behind(cx, job, self.placer.largest(cx.system()))
    }

    /// One walk along the queue behind a job, on which everybody starts who fits.
    fn backfill_behind<S: System>(&mut self, cx: &mut Context<S>, head: JobId)
    where
        P: Placer<S>,
    {
        let most = self.placer.largest(cx.system());
        if most == u64::MAX {
            let mut last = head;
            while let Some(job) = Self::next_behind(cx, last, most) {
                self.backfill(cx, job);
                last = job;
            }
            return;
        }
        let mut walk = cx.walk(head, most);
        while let Some(job) = cx.next_of(&mut walk, self.placer.largest(cx.system())) {
            self.backfill(cx, job);
        }
    }

    /// Starts every job that fits, the largest first, where a count of free slots decides that.
    fn start_by_size<S: System>(&mut self, cx: &mut Context<S>)
    where
        P: Placer<S>,
    {
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
    fn backfill<S: System>(&mut self, cx: &mut Context<S>, job: JobId)
    where
        P: Placer<S>,
    {
        if self.try_start(cx, job)
            && let Backfilled::Stored(jobs) = &mut self.backfilled
        {
            jobs.insert(job);
        }
    }

    /// One walk along the queue, which victims rejoin behind the job they give way to.
    fn pass_in_turn<S: System>(&mut self, cx: &mut Context<S>)
    where
        P: Placer<S>,
    {
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

    fn try_start<S: System>(&mut self, cx: &mut Context<S>, job: JobId) -> bool
    where
        P: Placer<S>,
    {
        let request = cx.request(job);
        self.placer.attempted(&request);
        let place = self.placer.place(cx.system(), &request);
        place.map(|place| self.start(cx, &request, place)).is_some()
    }

    fn start<S: System>(&mut self, cx: &mut Context<S>, request: &Request, place: S::Place)
    where
        P: Placer<S>,
    {
        cx.start(request.index, place);
        self.placer.started(request);
    }

    /// Suspends jobs that were backfilled past `head` if it can start in their stead, and starts it.
    fn preempt_for<S: System>(&mut self, cx: &mut Context<S>, head: JobId) -> bool
    where
        P: Placer<S>,
    {
        if self.preempt == Preempt::Never {
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
        let request = cx.request(head);
        let placer = &mut self.placer;
        let found = match self.victims {
            Victims::All => cx
                .without(&candidates, |system| placer.place(system, &request))
                .map(|place| (candidates, place)),
            Victims::Conflicting => {
                candidates.reverse();
                cx.fewest_absent(&candidates, |system| placer.place(system, &request))
            }
        };
        let Some((mut victims, place)) = found else {
            return false;
        };
        victims.sort_unstable();
        for victim in victims {
            cx.suspend(victim);
            if let Backfilled::Stored(jobs) = &mut self.backfilled {
                jobs.remove(&victim);
            }
        }
        self.start(cx, &request, place);
        true
    }

    /// Starts the jobs behind `head` that end by its shadow time, or leave room for it then.
    fn backfill_around<S: System>(&mut self, cx: &mut Context<S>, head: JobId)
    where
        P: Placer<S>,
    {
        let head_ask = cx.request(head);
        let mut shadow = None;
        let mut last = head;
        loop {
            let free = cx.system().free_slots();
            let next = match &shadow {
                // Who ends by then may have what is free now; who does not, what the head leaves over.
                Some((time, then)) if self.placer.slots_decide() => {
                    let (time, then): (&Time, &S) = (time, then);
                    let spare = then.free_slots() - u64::from(head_ask.size);
                    let behind = Bound::Excluded(last);
                    cx.next_waiting_within(behind, free, spare, *time - cx.now())
                }
                _ => self.next_fitting(cx, last),
            };
            let Some(job) = next else {
                return;
            };
            last = job;
            let request = cx.request(job);
            let placer = &mut self.placer;
            placer.attempted(&request);
            let Some(place) = placer.place(cx.system(), &request) else {
                continue;
            };
            // Until the first job gets here, nothing has started since the head failed.
            let (time, then) = shadow.get_or_insert_with(|| {
                cx.first_after_estimated_ends(|system| placer.place(system, &head_ask).is_some())
                    .expect("a queued job can be placed once nothing runs")
            });
            self.shadow = Some(*time);
            if cx.now() + request.estimate > *time {
                then.hold(&request, &place);
                if placer.place(then, &head_ask).is_none() {
                    then.free(&request, &place);
                    continue;
                }
            }
            self.start(cx, &request, place);
        }
    }
}
