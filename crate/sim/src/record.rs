//! The record of a run: the outcome of every job, the use of slots and links, and the digest.
//!
//! Only the engine writes it, in processing order. Allocations are kept only on request: replays,
//! heatmaps and job lists need them, sweeps do not.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use crate::digest::{Digest, Pairs};
use crate::held::Held;
use crate::id::{Id, IdVec, JobId, LinkId};
use crate::machine::fragmentation::Fragmentation;
use crate::machine::sharing::Shares;
use crate::machine::{Placement, Stretch, System};
use crate::over_time::Days;
use crate::unit::{Kbps, Span, Time};

/// The outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Not decided yet: the run has not ended.
    Open,
    /// It ran to its end.
    Ran {
        /// First start.
        start: Time,
        /// Completion.
        end: Time,
    },
    /// No room on arrival, and no queue; the exact test found an embedding that the placement
    /// missed.
    RejectedThoughPossible,
    /// No room on arrival, and no queue; no embedding existed.
    RejectedImpossible,
    /// No room on arrival, and no queue. Whether an embedding existed is undecided: nothing tests
    /// it for reservations that are not those of a valid interpretation.
    RejectedUndecided,
    /// No embedding exists even on the empty system.
    Infeasible,
    /// The placement finds no embedding on the empty system, though one exists; or the job requests
    /// more than the capacity of the list that the policy schedules.
    Unplaceable,
    /// It left the queue before it was started.
    Left {
        /// The instant.
        time: Time,
    },
}

impl Outcome {
    /// When the job completed, if it ran.
    pub fn end(self) -> Option<Time> {
        match self {
            Outcome::Ran { end, .. } => Some(end),
            _ => None,
        }
    }

    /// The outcome in one word, as job lists and filters name it: one of [`OUTCOMES`].
    pub fn word(self) -> &'static str {
        OUTCOMES[self.word_position()]
    }

    /// The position of that word.
    pub fn word_position(self) -> usize {
        match self {
            Outcome::Ran { .. } => 0,
            Outcome::RejectedThoughPossible
            | Outcome::RejectedImpossible
            | Outcome::RejectedUndecided => 1,
            Outcome::Infeasible => 2,
            Outcome::Unplaceable => 3,
            Outcome::Left { .. } => 4,
            Outcome::Open => unreachable!("the run has ended"),
        }
    }
}

/// The record of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobHistory {
    /// Its outcome.
    pub outcome: Outcome,
    /// Its restarts, its promotions, and migrations of its virtual machines.
    pub migrations: u32,
    /// Restarts after it was suspended from the background.
    pub evictions: u32,
    /// Promotions from the background in which at least one process moved.
    pub promotions: u32,
    /// Changes of tier in which no process moved.
    pub swaps: u32,
    /// Its time at work, if it ran to its end: without pauses and suspensions.
    pub worked: Span,
    /// Whether all its machines shared one server, or one cluster, in its last allocation.
    pub intra_server: bool,
    /// The leaves of a tree of switches in its last allocation, and the fewest possible.
    pub leaves: Option<[u32; 2]>,
}

impl Default for JobHistory {
    /// Of a job that has not arrived.
    fn default() -> JobHistory {
        JobHistory {
            outcome: Outcome::Open,
            migrations: 0,
            evictions: 0,
            promotions: 0,
            swaps: 0,
            worked: Span(0),
            intra_server: false,
            leaves: None,
        }
    }
}

/// Every word of [`Outcome::word`].
pub const OUTCOMES: [&str; 5] = ["ran", "rejected", "infeasible", "unplaceable", "left"];

/// The kind of an event in the digest; the numbers are part of every digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The job arrives.
    Arrive = 0,
    /// The job can never run.
    Infeasible = 1,
    /// The placement never finds room for it.
    Unplaceable = 2,
    /// It is turned away.
    Rejected = 3,
    /// It starts or restarts.
    Start = 4,
    /// It is suspended.
    Preempt = 5,
    /// It completes.
    Finish = 6,
    /// It has paid its migration cost.
    PauseEnd = 7,
    /// It continues in another placement without a pause of its own.
    Swap = 8,
    /// It stops because one of its virtual machines migrates.
    VmMigration = 9,
    /// It leaves the queue before it starts.
    Leave = 10,
}

/// A time during which a job held one placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The job.
    pub job: JobId,
    /// Its start.
    pub start: Time,
    /// Its end; its start until it has ended.
    pub end: Time,
    /// The instant from which the job works; later than the start if it pays for a migration.
    pub works_from: Time,
    /// Whether it began with a migration.
    pub migrated: bool,
    /// The servers or nodes it held and the slots on each, ascending, and what it reserved.
    pub held: Held,
}

impl Allocation {
    /// (server or node, slots held there), ascending.
    pub fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        self.held.stretches().flat_map(Stretch::shares)
    }

    /// The number of slots that it held.
    pub fn slots(&self) -> u64 {
        let slots = |of: Stretch| u64::from(of.count) * u64::from(of.slots);
        self.held.stretches().map(slots).sum()
    }
}

/// Use of one link over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkUse {
    /// What the link can carry.
    pub capacity: Kbps,
    /// Reserved now.
    pub reserved: Kbps,
    /// The peak of the reserved bandwidth.
    pub peak: Kbps,
    /// Reservation integrated over time, kbit/s · µs.
    pub integral: u128,
}

/// The allocations of a run, in the order of their starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    allocations: Vec<Allocation>,
    /// The last allocation of each job that has one.
    last: Vec<Option<usize>>,
}

/// The slots that each allocation holds, in the order of starts; slots are numbered by server,
/// `each` per server. An allocation gets the free slots of lowest number: slots are alike, and a
/// run records only how many are held.
pub fn slot_numbers(allocations: &[Allocation], each: u32) -> Vec<Vec<u32>> {
    // Of each server, its free slots.
    let mut free: Vec<BinaryHeap<Reverse<u32>>> = Vec::new();
    let mut ends: BinaryHeap<Reverse<(Time, usize)>> = BinaryHeap::new();
    let mut numbers: Vec<Vec<u32>> = Vec::with_capacity(allocations.len());
    for (index, allocation) in allocations.iter().enumerate() {
        while let Some(&Reverse((end, ended))) = ends.peek()
            && end <= allocation.start
        {
            ends.pop();
            for &slot in &numbers[ended] {
                free[(slot / each) as usize].push(Reverse(slot));
            }
        }
        let mut slots = Vec::new();
        for (server, count) in allocation.shares() {
            while free.len() <= server as usize {
                let first = free.len() as u32 * each;
                free.push((first..first + each).map(Reverse).collect());
            }
            let free = &mut free[server as usize];
            slots.extend((0..count).filter_map(|_| free.pop()).map(|slot| slot.0));
        }
        numbers.push(slots);
        ends.push(Reverse((allocation.end, index)));
    }
    numbers
}

/// As few stretches as say the same as (server or node, slots held there), ascending.
pub fn stretches(shares: &[(u32, u32)]) -> Vec<Stretch> {
    joined(shares.iter().map(|&(first, slots)| Stretch {
        first,
        count: 1,
        slots,
    }))
}

/// As few stretches as say the same.
fn joined(stretches: impl Iterator<Item = Stretch>) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::new();
    for next in stretches {
        match joined.last_mut() {
            Some(last) if last.first + last.count == next.first && last.slots == next.slots => {
                last.count += next.count;
            }
            _ => joined.push(next),
        }
    }
    joined
}

/// The record of one run.
#[derive(Clone, Debug)]
pub struct Record {
    /// The history of each job, excluding jobs that the run no longer keeps.
    pub histories: IdVec<JobId, JobHistory>,
    /// The lowest rate of any job in the foreground at any time.
    pub slowest: f64,
    /// Use of each link.
    pub links: IdVec<LinkId, LinkUse>,
    /// Slots held, integrated over time, slot · µs.
    pub slot_time: u128,
    /// What was in use and waiting by day, where that is measured and not yet taken.
    pub(crate) days: Option<Days>,
    /// How fragmented the machine is; `None` where that is not defined.
    pub fragmentation: Option<Fragmentation>,
    /// Starts after which a link had more reserved than it can carry.
    pub overbooked: u32,
    /// Jobs waiting, integrated over time, job · µs.
    pub queue_time: u128,
    /// The longest queue after a scheduling pass.
    pub longest_queue: usize,
    /// The most steps of a program that was solved for a decision, if any was.
    pub decision_steps: Option<u64>,
    /// The number of starts of jobs whose value in the queue's order was not finite; `None` if no
    /// order has values.
    pub not_finite: Option<u64>,
    /// Fingerprint of all events so far.
    pub digest: Digest,
    /// The effect of nodes of one slot each on it.
    pairs: Pairs,
    /// Every allocation, if allocations are kept.
    pub allocations: Option<Allocations>,
    /// The shares of jobs on shared links; `None` if allocations are not kept or links not shared.
    pub shares: Option<Shares>,
}

impl Allocations {
    /// All allocations, in the order of their starts.
    pub fn all(&self) -> &[Allocation] {
        &self.allocations
    }

    /// The allocations that hold their place at `time`.
    pub fn active_at(&self, time: Time) -> impl Iterator<Item = &Allocation> {
        let started = self
            .allocations
            .partition_point(|allocation| allocation.start <= time);
        self.allocations[..started]
            .iter()
            .filter(move |allocation| time < allocation.end)
    }

    /// Makes every share one slot of a machine of `each` slots, by its number: see
    /// [`slot_numbers`].
    pub(crate) fn number_slots(&mut self, each: u32) {
        let numbers = slot_numbers(&self.allocations, each);
        for (allocation, slots) in self.allocations.iter_mut().zip(numbers) {
            let stretches = joined(slots.into_iter().map(|first| Stretch {
                first,
                count: 1,
                slots: 1,
            }));
            allocation.held = allocation.held.on(&stretches);
        }
    }

    /// The last allocation of a job; `None` if it never started.
    pub fn last_of(&self, job: JobId) -> Option<&Allocation> {
        self.last
            .get(job.index())?
            .map(|index| &self.allocations[index])
    }
}

impl Record {
    /// An empty record of a run on `system`; with `keep`, allocations are kept.
    pub fn new(system: &impl System, keep: bool) -> Record {
        Record {
            histories: Vec::new().into(),
            slowest: 1.0,
            links: system
                .links()
                .iter()
                .map(|&capacity| LinkUse {
                    capacity,
                    ..LinkUse::default()
                })
                .collect::<Vec<_>>()
                .into(),
            slot_time: 0,
            days: None,
            fragmentation: system.fragmentation(),
            overbooked: 0,
            queue_time: 0,
            longest_queue: 0,
            decision_steps: None,
            not_finite: None,
            digest: Digest::new(),
            pairs: Pairs::default(),
            allocations: keep.then(Allocations::default),
            shares: None,
        }
    }

    /// Reserves space for one allocation a job, if allocations are kept.
    pub(crate) fn make_room(&mut self, jobs: usize) {
        if let Some(Allocations { allocations, last }) = &mut self.allocations {
            allocations.reserve_exact(jobs);
            last.reserve_exact(jobs);
        }
    }

    pub(crate) fn event(&mut self, now: Time, kind: EventKind, job: JobId) {
        self.digest.word(now.0);
        self.digest.word(kind as u64);
        self.digest.word(u64::from(job.0));
    }

    /// A job starts, restarts or goes on at a place, to work from `works_from` on.
    pub(crate) fn start(
        &mut self,
        now: Time,
        works_from: Time,
        kind: EventKind,
        job: JobId,
        placement: &impl Placement,
    ) {
        self.event(now, kind, job);
        for stretch in placement.stretches() {
            let Stretch {
                first,
                count,
                slots,
            } = stretch;
            if slots == 1 {
                self.pairs.add(&mut self.digest, first..first + count);
            } else {
                for (server, slots) in stretch.shares() {
                    self.digest.word(u64::from(server));
                    self.digest.word(u64::from(slots));
                }
            }
        }
        if let Some(fragmentation) = &mut self.fragmentation {
            fragmentation.change(now, &mut placement.shares(), true);
        }
        let mut overbooked = false;
        for &(link, bandwidth) in placement.reservations() {
            let link = &mut self.links[link];
            link.reserved += bandwidth;
            link.peak = link.peak.max(link.reserved);
            overbooked |= link.reserved > link.capacity;
        }
        self.overbooked += u32::from(overbooked);
        if let Some(Allocations { allocations, last }) = &mut self.allocations {
            last.resize(last.len().max(job.index() + 1), None);
            let before = last[job.index()].replace(allocations.len());
            allocations.push(Allocation {
                job,
                start: now,
                end: now,
                works_from,
                migrated: before.is_some() && kind != EventKind::Swap,
                held: Held::new(
                    &joined(placement.stretches()),
                    &placement.processes(),
                    placement.reservations(),
                ),
            });
        }
    }

    pub(crate) fn stop(&mut self, now: Time, job: JobId, held: Span, placement: &impl Placement) {
        if let Some(days) = &mut self.days {
            days.held(Time(now.0 - held.0), now, u64::from(placement.slots()));
        }
        if let Some(fragmentation) = &mut self.fragmentation {
            fragmentation.change(now, &mut placement.shares(), false);
        }
        let held = u128::from(held.0);
        self.slot_time += held * u128::from(placement.slots());
        for &(link, bandwidth) in placement.reservations() {
            let link = &mut self.links[link];
            link.reserved -= bandwidth;
            link.integral += held * u128::from(bandwidth.0);
        }
        if let Some(Allocations { allocations, last }) = &mut self.allocations {
            let last = last[job.index()].expect("a job that stops has started");
            allocations[last].end = now;
        }
    }

    /// The last completion; `None` where no job has run.
    pub fn end(&self) -> Option<Time> {
        let ends = self
            .histories
            .iter()
            .filter_map(|history| history.outcome.end());
        ends.max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_slot_is_held_by_one_allocation_at_a_time() {
        let allocation = |start, end, shares: &[(u32, u32)]| Allocation {
            job: JobId(0),
            start: Time(start),
            end: Time(end),
            works_from: Time(start),
            migrated: false,
            held: Held::new(&stretches(shares), &[], &[]),
        };
        let mut allocations = Allocations {
            allocations: vec![
                allocation(0, 5, &[(0, 2)]),
                allocation(0, 9, &[(0, 1), (1, 1)]),
                allocation(2, 2, &[(1, 2)]),
                allocation(5, 8, &[(0, 2), (1, 2)]),
            ],
            last: vec![Some(3)],
        };
        allocations.number_slots(3);
        let slots =
            |allocation: &Allocation| -> Vec<u32> { allocation.shares().map(|of| of.0).collect() };
        let slots: Vec<Vec<u32>> = allocations.all().iter().map(slots).collect();
        assert_eq!(
            slots,
            [vec![0, 1], vec![2, 3], vec![4, 5], vec![0, 1, 4, 5]]
        );
    }
}
