//! Conservative backfilling on plain nodes: every waiting job holds a reservation.
//!
//! *Decides*: a job gets, when it arrives, the earliest time from which on enough nodes are free
//! for its estimated runtime beside all running jobs and earlier reservations, and starts then.
//! In a run that it takes over, jobs are reserved for in that order at the first pass.
//! When a job ends before its estimate, reservations move forward, each in its turn, until none
//! can. Jobs that overrun their estimates void what was reserved: all reservations are then made
//! again. *Ties*: jobs are taken by (submit, index). *Complexity*: an arrival costs the jobs in the
//! system; an early end, for each waiting job and as often as any moves, the steps of the profile
//! around what has become free. *Source*: A. Mu'alem and D. Feitelson,
//! "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2
//! with backfilling", TPDS 12(6), 2001.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Context, Policy, Step};
use crate::id::JobId;
use crate::machine::System;
use crate::place::Placer;
use crate::system::nodes::place::Index;
use crate::system::nodes::{Nodes, Vms};
use crate::unit::{Span, Time};

/// Conservative backfilling.
#[derive(Clone, Debug, Default)]
pub struct Conservative {
    /// What is free beside running jobs and reservations.
    profile: Profile,
    /// When each running job ends by its estimate.
    ends: BTreeMap<JobId, Time>,
    /// The same by that time.
    by_end: BTreeSet<(Time, JobId)>,
    /// When each waiting job is to start, by job.
    reserved: Vec<(JobId, Time)>,
    /// The jobs that have arrived since the last pass.
    arrived: Vec<JobId>,
    /// The jobs that have ended since then.
    ended: Vec<JobId>,
    /// The periods in which nodes have become free since then.
    freed: Vec<Period>,
}

impl Policy<Nodes> for Conservative {
    fn arrive(&mut self, cx: &mut Context<Nodes>, job: JobId) {
        cx.enqueue_if_possible(&Index, job);
        if cx.waiting().contains(&job) {
            self.arrived.push(job);
        }
    }

    fn left(&mut self, job: JobId, _: &Vms) {
        self.ended.push(job);
    }

    fn pass(&mut self, cx: &mut Context<Nodes>) {
        let now = cx.now();
        if self.profile.steps.is_empty() {
            self.begin(cx);
        }
        self.profile.forget_before(now);
        for job in std::mem::take(&mut self.ended) {
            let end = self.ends.remove(&job).expect("it ran");
            self.by_end.remove(&(end, job));
            if end > now {
                self.profile.give(now, end - now, extent(cx, job).0);
                self.freed.push((now, end));
            }
        }
        let overrun = self.by_end.first().is_some_and(|&(end, _)| end <= now);
        if overrun || self.reserved.iter().any(|&(_, start)| start < now) {
            cx.observe(|| Step::Renewed);
            self.reserve_again(cx);
        }
        for job in std::mem::take(&mut self.arrived) {
            self.reserve(cx, job);
        }
        self.move_forward(cx);
        if cx.is_observed() {
            self.observe_reservations(cx);
        }
        self.reserved.retain(|&(job, start)| {
            if start == now {
                let end = now + extent(cx, job).1;
                self.ends.insert(job, end);
                self.by_end.insert((end, job));
                let placement = Index.place(cx.system(), &cx.request(job));
                cx.start(job, placement.expect("its nodes are reserved"));
            }
            start > now
        });
    }

    fn withdrawn(&mut self, cx: &mut Context<Nodes>, job: JobId) {
        self.arrived.retain(|&other| other != job);
        let found = self.reserved.binary_search_by_key(&job, |of| of.0);
        if let Ok(position) = found {
            let (_, start) = self.reserved.remove(position);
            let (size, length) = extent(cx, job);
            let (from, end) = (start.max(cx.now()), start + length);
            if from < end {
                self.profile.give(from, end - from, size);
                self.freed.push((from, end));
            }
        }
    }
}

impl Conservative {
    /// Takes the jobs that run at the first pass as running, and makes all reservations.
    fn begin(&mut self, cx: &Context<Nodes>) {
        self.ended.clear();
        for &job in cx.running() {
            let end = cx.estimated_end(job);
            self.ends.insert(job, end);
            self.by_end.insert((end, job));
        }
        self.reserve_again(cx);
    }

    /// Reserves the earliest time for a job that has none.
    fn reserve(&mut self, cx: &Context<Nodes>, job: JobId) {
        let position = self.reserved.partition_point(|&(other, _)| other < job);
        if self
            .reserved
            .get(position)
            .is_none_or(|&(other, _)| other > job)
        {
            let (size, length) = extent(cx, job);
            let start = self.profile.earliest(size, length);
            self.profile.take(start, length, size);
            self.reserved.insert(position, (job, start));
        }
    }

    /// Moves reservations forward, each in its turn, until none can.
    ///
    /// Before nodes became free none could. So a reservation moves only to where it holds nodes in a
    /// period that was freed since it was last looked at.
    fn move_forward(&mut self, cx: &Context<Nodes>) {
        if self.freed.is_empty() {
            return;
        }
        let mut freed = std::mem::take(&mut self.freed);
        let mut seen = vec![0; self.reserved.len()];
        while !freed.is_empty() {
            // What was freed in the round before, from each position on.
            let mut since: Vec<Option<Period>> = vec![None; freed.len() + 1];
            for (position, &period) in freed.iter().enumerate().rev() {
                since[position] = around(since[position + 1], Some(period));
            }
            freed.clear();
            let mut in_round = None;
            for ((job, start), seen) in self.reserved.iter_mut().zip(&mut seen) {
                let before = since[std::mem::replace(seen, freed.len())];
                let Some(all) = around(before, in_round) else {
                    continue;
                };
                let (size, length) = extent(cx, *job);
                let Some(earlier) = self.profile.earlier(*start, length, size, all) else {
                    continue;
                };
                self.profile.give(*start, length, size);
                self.profile.take(earlier, length, size);
                let period = ((earlier + length).max(*start), *start + length);
                freed.push(period);
                in_round = around(in_round, Some(period));
                *start = earlier;
            }
        }
    }

    /// Makes all reservations known.
    fn observe_reservations(&self, cx: &mut Context<Nodes>) {
        let now = cx.now();
        // A job that overruns its estimate may end at any moment.
        let running = self
            .ends
            .iter()
            .map(|(&job, &end)| (job, end.max(now + Span(1))));
        let waiting = self.reserved.iter();
        let waiting = waiting.map(|&(job, start)| (job, start + extent(cx, job).1));
        let ends: Vec<(JobId, Time)> = running.chain(waiting).collect();
        for &(job, start) in &self.reserved {
            let ends = ends
                .iter()
                .filter(|&&(other, end)| other != job && end <= start);
            let last = ends.clone().filter(|of| of.1 == start).map(|of| of.0);
            cx.observe(|| Step::Reserved {
                job,
                start,
                last: last.collect(),
                ended: ends.count(),
            });
        }
    }

    /// Rebuilds the profile and all reservations.
    fn reserve_again(&mut self, cx: &Context<Nodes>) {
        let now = cx.now();
        self.profile = Profile::new(now, cx.system().slots());
        for (&job, &end) in &self.ends {
            // A job that overruns its estimate may end at any moment.
            let end = end.max(now + Span(1));
            self.profile.take(now, end - now, extent(cx, job).0);
        }
        self.reserved.clear();
        for &job in cx.waiting() {
            self.reserve(cx, job);
        }
    }
}

/// From an instant up to another one.
type Period = (Time, Time);

/// The shortest period around both, where there are two.
fn around(one: Option<Period>, other: Option<Period>) -> Option<Period> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
        _ => one.or(other),
    }
}

/// The nodes and the time that a job holds by its estimate; the time is at least 1 µs.
fn extent(cx: &Context<Nodes>, job: JobId) -> (u64, Span) {
    let request = cx.request(job);
    (u64::from(request.size), request.estimate.max(Span(1)))
}

/// The free nodes over time.
#[derive(Clone, Debug, Default)]
struct Profile {
    /// The free nodes from each instant on, up to the next one, where they are others.
    steps: Vec<(Time, u64)>,
}

impl Profile {
    /// So many free nodes from an instant on.
    fn new(now: Time, free: u64) -> Profile {
        Profile {
            steps: vec![(now, free)],
        }
    }

    /// Forgets what is past.
    fn forget_before(&mut self, now: Time) {
        let past = self.steps.partition_point(|&(time, _)| time <= now);
        self.steps.drain(..past.saturating_sub(1));
        self.steps[0].0 = now;
    }

    fn take(&mut self, start: Time, length: Span, size: u64) {
        self.change(start, length, |free| *free -= size);
    }

    fn give(&mut self, start: Time, length: Span, size: u64) {
        self.change(start, length, |free| *free += size);
    }

    fn change(&mut self, start: Time, length: Span, change: impl Fn(&mut u64)) {
        let (from, to) = (self.step_at(start), self.step_at(start + length));
        for (_, free) in &mut self.steps[from..to] {
            change(free);
        }
        self.join(to);
        self.join(from);
    }

    /// The position of the step that starts at an instant, inserted if there is none.
    fn step_at(&mut self, time: Time) -> usize {
        let position = self.steps.partition_point(|step| step.0 < time);
        if self.steps.get(position).is_none_or(|step| step.0 > time) {
            let free = self.steps[position - 1].1;
            self.steps.insert(position, (time, free));
        }
        position
    }

    /// Removes a step that changes nothing.
    fn join(&mut self, position: usize) {
        if position > 0 && self.steps[position - 1].1 == self.steps[position].1 {
            self.steps.remove(position);
        }
    }

    /// The first instant before `start` from which `size` nodes would be free for `length`, were
    /// those given back that are taken for that long from `start` on; only such that they are held in
    /// a part of `freed`.
    fn earlier(&self, start: Time, length: Span, size: u64, freed: Period) -> Option<Time> {
        let first = self
            .steps
            .partition_point(|&(time, _)| time + length <= freed.0);
        let mut from = None;
        for &(time, free) in &self.steps[first..] {
            match from {
                Some(from) if time >= from + length => break,
                None if time >= freed.1 => break,
                _ if time >= start => break,
                _ if free < size => from = None,
                _ => from = from.or(Some(time)),
            }
        }
        from
    }

    /// The first instant from which `size` nodes are free for `length`.
    fn earliest(&self, size: u64, length: Span) -> Time {
        let mut start = None;
        for &(time, free) in &self.steps {
            if start.is_some_and(|start| time >= start + length) {
                break;
            }
            start = if free >= size {
                start.or(Some(time))
            } else {
                None
            };
        }
        start.expect("in the end all nodes are free")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_time_has_room_for_the_whole_length() {
        let mut profile = Profile::new(Time(0), 4);
        profile.take(Time(0), Span(10), 3);
        profile.take(Time(15), Span(10), 2);
        assert_eq!(profile.earliest(1, Span(100)), Time(0));
        assert_eq!(profile.earliest(2, Span(100)), Time(10));
        assert_eq!(profile.earliest(3, Span(5)), Time(10));
        assert_eq!(profile.earliest(3, Span(6)), Time(25));
        profile.give(Time(4), Span(6), 3);
        profile.forget_before(Time(4));
        assert_eq!(profile.steps, [(Time(4), 4), (Time(15), 2), (Time(25), 4)]);
    }
}
