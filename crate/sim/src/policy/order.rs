//! In which order waiting jobs are tried.
//!
//! An order gives each job a rank, a whole number; the smallest rank is first, and equal ranks
//! stand by (submit, index), which is the job index. Where a rank depends on the instant, on the
//! load or on the length of the queue, all ranks of a pass are those at its beginning; where it
//! does not, it is found on arrival and the queue is kept sorted.
//!
//! A job has waited since it was submitted, also where it has run in between and was suspended.
//!
//! Departure: this is the one file of the policies besides [`expression`](super::expression) that
//! knows floating point, since the value of an expression is one. Ranks are whole numbers again.
//!
//! *Source*: the project's own.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Bound;

use super::expression::{Moment, Name, Program, rank};
use crate::engine::{Context, QueuedJob};
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::unit::{Span, Time};

/// In which order waiting jobs are tried; equal ranks by (submit, index).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By arrival.
    #[default]
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
    /// By the value of an expression, smallest first.
    Value(Program),
}

impl Order {
    /// Whether the rank of a job never changes.
    fn is_static(&self) -> bool {
        match self {
            Order::LargestSizeEvery(_) => false,
            Order::Value(program) => program.is_static(),
            _ => true,
        }
    }

    /// Whether the rank of a job depends on the load.
    fn names_load(&self) -> bool {
        matches!(self, Order::Value(program) if program.names(Name::Load))
    }

    fn rank(&self, request: &Request, moment: &Moment) -> u64 {
        let largest_first = u64::from(u32::MAX - request.size);
        match self {
            Order::Arrival => 0,
            Order::ShortestEstimate => request.estimate.0,
            Order::SmallestBandwidth => request.bandwidth.0,
            Order::LargestSize => largest_first,
            Order::LargestSizeEvery(period) => {
                let sorted_at = moment.now.0 - moment.now.0 % period.0;
                if request.submit.0 <= sorted_at {
                    largest_first
                } else {
                    u64::MAX
                }
            }
            Order::Value(program) => rank(program.value(&moment.names(request))),
        }
    }
}

/// The queue in its order.
#[derive(Clone, Debug)]
pub struct Ranking {
    order: Order,
    /// Whether this order, or the one in which jobs are backfilled, depends on the load.
    names_load: bool,
    /// When the first job of the workload was submitted, once it is.
    first: Option<Time>,
    /// What ranks depend on besides the job: as it was at the beginning of the last pass.
    moment: Moment,
    /// All jobs that wait, deferred ones included, where ranks never change.
    index: BTreeSet<(u64, JobId)>,
    /// The jobs that are still to come in this pass, where ranks change; some of them no longer
    /// wait.
    to_come: BinaryHeap<Reverse<(u64, JobId)>>,
}

impl Ranking {
    /// An empty queue in this order, of which jobs are backfilled in the other one.
    pub fn new(order: Order, backfill_order: &Order) -> Ranking {
        Ranking {
            names_load: order.names_load() || backfill_order.names_load(),
            order,
            first: None,
            moment: Moment {
                first: Time(0),
                now: Time(0),
                load: 0.0,
                waiting: 0,
            },
            index: BTreeSet::new(),
            to_come: BinaryHeap::new(),
        }
    }

    /// The order.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Whether all ranks are found again at every pass.
    pub(super) fn changes(&self) -> bool {
        !self.order.is_static()
    }

    /// Whether the queue is kept sorted.
    fn is_indexed(&self) -> bool {
        self.order != Order::Arrival && !self.changes()
    }

    /// A job arrives.
    pub(super) fn arrive(&mut self, request: &Request) {
        self.moment.now = request.submit;
        self.moment.first = *self.first.get_or_insert(request.submit);
    }

    /// A job begins to wait, or does so again; where ranks change, [`Ranking::rank_all`] finds it.
    pub(super) fn join(&mut self, request: &Request) {
        if self.is_indexed() {
            self.index.insert((self.rank(request), request.index));
        }
    }

    /// A job waits no longer.
    pub(super) fn leave(&mut self, request: &Request) {
        if self.is_indexed() {
            self.index.remove(&(self.rank(request), request.index));
        }
    }

    /// A pass begins.
    pub(super) fn begin_pass<S: System>(&mut self, cx: &Context<S>) {
        self.to_come.clear();
        self.moment.now = cx.now();
        self.moment.waiting = cx.waiting().len();
        if self.names_load {
            let held = cx
                .running()
                .iter()
                .map(|&job| u64::from(cx.request(job).size));
            self.moment.load = held.sum::<u64>() as f64 / cx.system().slots() as f64;
        }
    }

    /// Finds the ranks of all waiting jobs, where they change, for [`Ranking::first`].
    pub(super) fn rank_all<S: System>(&mut self, cx: &Context<S>) {
        if self.changes() {
            let ranked = |&job: &JobId| Reverse((self.rank(&cx.request(job)), job));
            self.to_come = cx.waiting().iter().map(ranked).collect();
        }
    }

    /// The head of the queue.
    pub(super) fn first<S: System>(&mut self, cx: &Context<S>) -> Option<JobId> {
        if self.order == Order::Arrival {
            return cx.waiting().first().copied();
        }
        if !self.changes() {
            let mut jobs = self.index.iter().map(|ranked| ranked.1);
            return jobs.find(|job| cx.waiting().contains(job));
        }
        while let Some(&Reverse((_, job))) = self.to_come.peek() {
            if cx.waiting().contains(&job) {
                return Some(job);
            }
            self.to_come.pop();
        }
        None
    }

    /// The waiting job behind `last`, which was the one before.
    pub(super) fn behind<S: System>(&mut self, cx: &Context<S>, last: JobId) -> Option<JobId> {
        if self.order == Order::Arrival {
            let behind = (Bound::Excluded(last), Bound::Unbounded);
            return cx.waiting().range(behind).next().copied();
        }
        if !self.changes() {
            let ranked = (self.rank(&cx.request(last)), last);
            let behind = self
                .index
                .range((Bound::Excluded(ranked), Bound::Unbounded));
            let mut jobs = behind.map(|ranked| ranked.1);
            return jobs.find(|job| cx.waiting().contains(job));
        }
        while self.first(cx) == Some(last) {
            self.to_come.pop();
        }
        self.first(cx)
    }

    /// How many waiting jobs are before `job`, and the last of them.
    pub fn before<S: System>(&self, cx: &Context<S>, job: JobId) -> (usize, Option<JobId>) {
        let ranked = |job: JobId| (self.rank(&cx.request(job)), job);
        let own = ranked(job);
        let before = cx.waiting().iter().map(|&other| ranked(other));
        let before = before.filter(|other| *other < own);
        let (count, last) = before.fold((0, None), |(count, last), other| {
            (count + 1, last.max(Some(other)))
        });
        (count, last.map(|(_, job)| job))
    }

    /// Some waiting jobs in an order, at the moment of this pass.
    pub(super) fn sorted<S: System>(
        &self,
        order: &Order,
        cx: &Context<S>,
        jobs: impl Iterator<Item = JobId>,
    ) -> Vec<JobId> {
        let ranked = |job| (order.rank(&cx.request(job), &self.moment), job);
        let mut sorted: Vec<(u64, JobId)> = jobs.map(ranked).collect();
        sorted.sort_unstable();
        sorted.into_iter().map(|(_, job)| job).collect()
    }

    /// The waiting jobs in order, at the moment of this pass.
    pub(super) fn queue<S: System>(&self, cx: &Context<S>) -> Vec<QueuedJob> {
        let jobs = self.sorted(&self.order, cx, cx.waiting().iter().copied());
        let queued = |job| QueuedJob {
            job,
            value: self.value(&cx.request(job)),
        };
        jobs.into_iter().map(queued).collect()
    }

    /// The head of the queue in the last pass, of the jobs `among` those that still wait.
    pub fn head<S: System>(&self, cx: &Context<S>, among: impl Fn(JobId) -> bool) -> Option<JobId> {
        let waiting = cx.waiting().iter().filter(|job| among(**job));
        let ranked = waiting.map(|&job| (self.rank(&cx.request(job)), job));
        ranked.min().map(|(_, job)| job)
    }

    /// The value of the order's expression for a job in the last pass; `None` where the order is no
    /// expression.
    pub fn value(&self, request: &Request) -> Option<f64> {
        self.value_by(&self.order, request)
    }

    /// The same by another order, at the moment of this pass.
    pub(super) fn value_by(&self, order: &Order, request: &Request) -> Option<f64> {
        match order {
            Order::Value(program) => Some(program.value(&self.moment.names(request))),
            _ => None,
        }
    }

    fn rank(&self, request: &Request) -> u64 {
        self.order.rank(request, &self.moment)
    }
}
