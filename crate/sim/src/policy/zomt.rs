//! ZOMT: zero-one scheduling with multiple targets, on a pool.
//!
//! *Decides*, in every pass: first, jobs start that have waited more than twice the weighted mean
//! wait of all jobs started before the pass. Second, of the jobs still waiting, the set starts that
//! maximises Σ ½·pl + ½·pl·wt (pl: machines of a job, wt: its wait time) and uses at least a given
//! share of the free machines. Third, every job that still fits starts in order of arrival. With
//! several centres jobs start in order of arrival before the second step, while the free machines
//! and the waiting requests both amount to at least one centre. *Ties*: long waits by (submit,
//! index), with several centres the largest job first; the set by the rules of [`knapsack`], items
//! by (submit, index).
//! *Complexity*: sizes in the queue for each job started; for the program the machines times the
//! candidates, at most Σ ⌊free / size⌋ over the sizes. *Source*: paper 4, Eq. 3 to 6, Algorithms 2
//! and 3. Departures: Eq. 5 is bounded by the machines free after the long waits have started;
//! filling takes every job that fits; the mean wait is per job, not per machine; with one centre
//! Algorithm 2 decides alone, also while all of it is free.

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::source::PAPER_4;
use std::ops::Bound;

use crate::engine::{Context, Policy, Step, Turn};
use crate::id::JobId;
use crate::place::Placer;
use crate::policy::knapsack::{self, Item};
use crate::system::pool::Pool;
use crate::system::pool::place::Count;
use crate::unit::Span;

/// The choices of ZOMT where the paper leaves a value or an interpretation open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZeroOne {
    /// The share of the free machines that a chosen set uses at least (rratio in the paper).
    pub least_used: Decimal,
    /// Which jobs count as having waited long.
    pub long_wait: LongWait,
    /// The order in which those start.
    pub long_wait_order: LongWaitOrder,
    /// The time whose waiting counts as much as the machines do.
    pub unit: Span,
}

choices! {
    /// Which jobs ZOMT starts first because they have waited long.
    pub enum LongWait {
        Job = "job", "Twice the mean wait",
            "Jobs that have waited more than twice the mean wait of the jobs started so far, weighted by VMs.",
            PAPER_4;
        Weighted = "weighted", "Twice the mean weighted wait",
            "Jobs whose wait × VMs is more than twice the mean of this product over the jobs started so far.",
            PAPER_4;
        Off = "off", "None",
            "No job: the program alone decides.",
            "";
    }
}

choices! {
    /// The order in which ZOMT starts jobs that have waited long.
    pub enum LongWaitOrder {
        Auto = "auto", "As published",
            "By arrival in one centre (Algorithm 2), the largest first in several (Algorithm 3).",
            PAPER_4;
        Arrival = "arrival", "By arrival",
            "In order of arrival.",
            PAPER_4;
        Size = "size", "Largest first",
            "The job that requests the most VMs first.",
            PAPER_4;
    }
}

/// ZOMT and what it remembers.
#[derive(Clone, Debug)]
pub struct Zomt {
    rules: ZeroOne,
    started: Started,
}

/// The jobs started so far.
#[derive(Clone, Copy, Debug, Default)]
struct Started {
    jobs: u128,
    machines: u128,
    /// Machines times wait time in microseconds.
    waited: u128,
}

impl Started {
    fn add(&mut self, size: u32, waited: Span) {
        self.jobs += 1;
        self.machines += u128::from(size);
        self.waited += u128::from(size) * u128::from(waited.0);
    }

    /// Whether a job of that size has waited long beside these.
    fn is_long(&self, rule: LongWait, size: u32, waited: Span) -> bool {
        let waited = u128::from(waited.0);
        match rule {
            LongWait::Off => false,
            _ if self.jobs == 0 => false,
            LongWait::Job => waited * self.machines > 2 * self.waited,
            LongWait::Weighted => u128::from(size) * waited * self.jobs > 2 * self.waited,
        }
    }
}

impl Zomt {
    /// A policy with these rules that has started nothing yet.
    pub fn new(rules: &ZeroOne) -> Zomt {
        Zomt {
            rules: rules.clone(),
            started: Started::default(),
        }
    }

    fn start(&mut self, cx: &mut Context<Pool>, job: JobId) {
        let request = cx.request(job);
        let placement = Count.place(cx.system(), &request).expect("it fits");
        self.started.add(request.size, cx.now() - request.submit);
        cx.start(job, placement);
    }

    fn start_long_waits(&mut self, cx: &mut Context<Pool>) {
        let (rule, before) = (self.rules.long_wait, self.started);
        let is_long = |cx: &Context<Pool>, job| {
            let request = cx.request(job);
            before.is_long(rule, request.size, cx.now() - request.submit)
        };
        let largest_first = match self.rules.long_wait_order {
            LongWaitOrder::Auto => cx.system().free_by_opening().count() > 1,
            LongWaitOrder::Arrival => false,
            LongWaitOrder::Size => true,
        };
        if largest_first {
            let sizes: Vec<u32> = cx.waiting_sizes().rev().collect();
            for size in sizes {
                while size <= cx.system().free_count()
                    && let Some(job) = cx.first_of_size(size)
                    && is_long(cx, job)
                {
                    cx.observe(|| Step::WaitedLong { job });
                    self.start(cx, job);
                }
            }
            return;
        }
        let mut after = Bound::Unbounded;
        while let Some(job) = cx.next_waiting(after, u64::from(cx.system().free_count())) {
            if is_long(cx, job) {
                cx.observe(|| Step::WaitedLong { job });
                self.start(cx, job);
            } else if rule != LongWait::Weighted {
                // Every later job has waited no longer.
                return;
            }
            after = Bound::Excluded(job);
        }
    }

    /// Starts the jobs that fit by arrival, until `enough`.
    fn start_by_arrival(
        &mut self,
        cx: &mut Context<Pool>,
        enough: impl Fn(&Context<Pool>) -> bool,
    ) {
        let mut after = Bound::Unbounded;
        let most = |cx: &Context<Pool>| u64::from(cx.system().free_count());
        while !enough(cx)
            && let Some(job) = cx.next_observed(after, most(cx))
        {
            if cx.observe_count(job, Turn::Next, most(cx)) {
                self.start(cx, job);
            }
            after = Bound::Excluded(job);
        }
    }

    /// The set of waiting jobs that the 0-1 program chooses; none if no set is in its window.
    fn chosen(&self, cx: &mut Context<Pool>) -> Vec<JobId> {
        let free = cx.system().free_count();
        let mut jobs: Vec<JobId> = Vec::new();
        for size in cx.waiting_sizes().take_while(|&size| size <= free) {
            jobs.extend(cx.waiting_of_size(size).take((free / size) as usize));
        }
        jobs.sort_unstable();
        let item = |&job: &JobId| {
            let request = cx.request(job);
            let waited = self.rules.unit + (cx.now() - request.submit);
            Item {
                size: request.size,
                value: u128::from(request.size) * u128::from(waited.0),
            }
        };
        let items: Vec<Item> = jobs.iter().map(item).collect();
        let (share, whole) = self.rules.least_used.ratio();
        let least = (u128::from(free) * share).div_ceil(whole) as u32;
        cx.note_steps(knapsack::steps(&items, free));
        let chosen = knapsack::best(&items, least, free);
        let mut candidates = jobs.into_iter().enumerate();
        let chosen = chosen.into_iter().flat_map(|chosen| chosen.items);
        let job = |position| Some(candidates.find(|of| of.0 == position)?.1);
        let chosen: Vec<JobId> = chosen.filter_map(job).collect();
        cx.observe(|| Step::Chosen {
            jobs: chosen.clone(),
            free: u64::from(free),
            least: u64::from(least),
        });
        chosen
    }
}

impl Policy<Pool> for Zomt {
    fn arrive(&mut self, cx: &mut Context<Pool>, job: JobId) {
        cx.enqueue_if_possible(&Count, job);
    }

    fn pass(&mut self, cx: &mut Context<Pool>) {
        self.start_long_waits(cx);
        if cx.system().free_by_opening().count() > 1 {
            let centre = cx.system().centre_size();
            self.start_by_arrival(cx, |cx| {
                cx.system().free_count() < centre || cx.waiting_slots() < u64::from(centre)
            });
        }
        // If all fit, any order starts all.
        if cx.waiting_slots() > u64::from(cx.system().free_count()) {
            for job in self.chosen(cx) {
                self.start(cx, job);
            }
        }
        self.start_by_arrival(cx, |_| false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_of_more_than_twice_the_weighted_mean_is_long() {
        // Three jobs that waited 0, 2 and 1 units of 7 µs: the weighted mean is 10/7 units, or 10
        // µs.
        let mut started = Started::default();
        assert!(!started.is_long(LongWait::Job, 1, Span(u64::MAX)));
        for (size, waited) in [(2, 0), (8, 14), (4, 7)] {
            started.add(size, Span(waited));
        }
        assert!(!started.is_long(LongWait::Job, 5, Span(20)));
        assert!(started.is_long(LongWait::Job, 5, Span(21)));
        // Σ pl·wt is 140, so twice its mean 93⅓.
        assert!(!started.is_long(LongWait::Weighted, 3, Span(31)));
        assert!(started.is_long(LongWait::Weighted, 3, Span(32)));
        assert!(!started.is_long(LongWait::Off, 9, Span(1000)));
    }
}
