//! The allocations of slots over time: lanes are the slots of servers or nodes.
//!
//! The record has only the number of slots of a server in an allocation. As slots are alike, an
//! allocation gets the free ones of lowest number, as in
//! [`slot_numbers`](backfill_sim::record::slot_numbers). Free slots are kept as ranges, and
//! adjacent ranges of an allocation are one hold, so that the cost depends on the holds and not the
//! slots.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use backfill_sim::id::Id;
use backfill_sim::record::Allocation;
use backfill_sim::system::describe::Lanes;
use backfill_sim::unit::Time;

/// Adjacent lanes that an allocation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The allocation's position in the record.
    pub allocation: u32,
    /// The first of them.
    pub lane: u32,
    /// The number of lanes.
    pub lanes: u32,
}

/// The holds of a run, in the order of their starts.
#[derive(Clone, Debug)]
pub struct Holds {
    all: Vec<Hold>,
    /// The last end of each [`CHUNK`] of them.
    ends: Vec<Time>,
}

/// This many holds are skipped at once if all of them have ended.
const CHUNK: usize = 256;

impl Holds {
    /// The holds of each allocation; none spans two blocks.
    pub fn of(allocations: &[Allocation], lanes: &Lanes) -> Holds {
        // Servers of one slot are held as the record says.
        let all = if lanes.slots == 1 && lanes.above.is_empty() {
            by_stretch(allocations, lanes)
        } else {
            by_slot(allocations, lanes)
        };
        let end = |hold: &Hold| allocations[hold.allocation as usize].end;
        let last = |chunk: &[Hold]| chunk.iter().map(end).max().unwrap_or_default();
        let ends = all.chunks(CHUNK).map(last).collect();
        Holds { all, ends }
    }

    /// All of them.
    pub fn all(&self) -> &[Hold] {
        &self.all
    }

    /// A number below `count`, at most 31, for each of the jobs that no neighbour of it has, if
    /// there are enough: what held its lanes before, or is next to them when it starts.
    pub fn apart(&self, allocations: &[Allocation], count: usize) -> Vec<u8> {
        let end = |hold: &Hold| (hold.lane + hold.lanes) as usize;
        let lanes = self.all.iter().map(end).max().unwrap_or_default();
        // Of each lane, with one more on both sides, the number last on it; `count` if there is none.
        let mut last = vec![count as u8; lanes + 2];
        let jobs = allocations.iter().map(|of| of.job.index() + 1).max();
        let mut numbers = vec![count as u8; jobs.unwrap_or_default()];
        for holds in self
            .all
            .chunk_by(|one, next| one.allocation == next.allocation)
        {
            let job = allocations[holds[0].allocation as usize].job.index();
            if numbers[job] == count as u8 {
                let mut taken = 0_u32;
                for hold in holds {
                    for number in &last[hold.lane as usize..end(hold) + 2] {
                        taken |= 1 << number;
                    }
                }
                let mut all = (job..job + count).map(|number| (number % count) as u8);
                let free = all.find(|number| taken & (1 << number) == 0);
                numbers[job] = free.unwrap_or((job % count) as u8);
            }
            let number = numbers[job];
            for hold in holds {
                last[hold.lane as usize + 1..=end(hold)].fill(number);
            }
        }
        numbers
    }

    /// Those that may be held at some instant from `from` to `until`, and perhaps some that end
    /// before.
    pub fn during(
        &self,
        allocations: &[Allocation],
        from: Time,
        until: Time,
    ) -> impl Iterator<Item = &Hold> {
        let start = |hold: &Hold| allocations[hold.allocation as usize].start;
        let begun = self.all.partition_point(|hold| start(hold) <= until);
        let chunks = self.all[..begun].chunks(CHUNK).zip(&self.ends);
        let held = chunks.filter(move |(_, end)| **end >= from);
        held.flat_map(|(chunk, _)| chunk)
    }
}

/// The first lane of each block.
fn starts(lanes: &Lanes) -> Vec<u32> {
    let mut count = 0;
    let start = |&block: &usize| {
        count += block as u32;
        count - block as u32
    };
    lanes.blocks.iter().map(start).collect()
}

/// Holds where each server has one slot. Complexity: O(holds · log blocks).
fn by_stretch(allocations: &[Allocation], lanes: &Lanes) -> Vec<Hold> {
    let starts = starts(lanes);
    let mut all = Vec::with_capacity(stretches(allocations));
    for (index, allocation) in (0..).zip(allocations) {
        for stretch in allocation.held.stretches() {
            let (mut from, until) = (stretch.first, stretch.first + stretch.count);
            while from < until {
                let next = starts.get(starts.partition_point(|start| *start <= from));
                let next = next.map_or(until, |next| until.min(*next));
                all.push(Hold {
                    allocation: index,
                    lane: from,
                    lanes: next - from,
                });
                from = next;
            }
        }
    }
    all
}

/// The number of stretches that allocations hold.
fn stretches(allocations: &[Allocation]) -> usize {
    let stretches = |allocation: &Allocation| allocation.held.stretches().count();
    allocations.iter().map(stretches).sum()
}

/// Holds where servers have several slots, of which an allocation gets the free ones of lowest
/// number.
fn by_slot(allocations: &[Allocation], lanes: &Lanes) -> Vec<Hold> {
    let slots = lanes.slots as u32;
    let starts = starts(lanes);
    let count = lanes.blocks.iter().sum::<usize>() as u32;
    let mut free: Vec<Stretches> = (0..count / slots)
        .map(|server| Stretches(vec![(server * slots, (server + 1) * slots)]))
        .collect();
    // Each range is at least one hold, unless it is joined.
    let mut all: Vec<Hold> = Vec::with_capacity(stretches(allocations));
    // The first hold of each allocation.
    let mut firsts: Vec<usize> = Vec::with_capacity(allocations.len());
    let mut ends: BinaryHeap<Reverse<(Time, usize)>> = BinaryHeap::new();
    let mut shares = Vec::new();
    for (index, allocation) in allocations.iter().enumerate() {
        firsts.push(all.len());
        while let Some(&Reverse((end, ended))) = ends.peek()
            && end <= allocation.start
        {
            ends.pop();
            for hold in &all[firsts[ended]..firsts[ended + 1]] {
                let (mut from, until) = (hold.lane, hold.lane + hold.lanes);
                while from < until {
                    let server = from / slots;
                    let next = until.min((server + 1) * slots);
                    free[server as usize].give(from, next);
                    from = next;
                }
            }
        }
        // Servers are numbered here from the top.
        shares.clear();
        for (server, count) in allocation.shares() {
            let above = lanes.above.get(server as usize);
            shares.push((above.map_or(server, |&above| above), count));
        }
        if !shares.is_sorted() {
            shares.sort_unstable();
        }
        for &(server, count) in &shares {
            free[server as usize].take(count, |from, until| {
                let before = all[firsts[index]..].last();
                let joins = before.is_some_and(|hold| hold.lane + hold.lanes == from)
                    && starts.binary_search(&from).is_err();
                match all.last_mut() {
                    Some(last) if joins => last.lanes += until - from,
                    _ => all.push(Hold {
                        allocation: index as u32,
                        lane: from,
                        lanes: until - from,
                    }),
                }
            });
        }
        ends.push(Reverse((allocation.end, index)));
    }
    all
}

/// Free slots as ranges that do not touch, ascending: from the first one to before the second.
#[derive(Clone, Debug)]
struct Stretches(Vec<(u32, u32)>);

impl Stretches {
    /// Takes the lowest `count`, or all if there are fewer; passes each range of them to `look`.
    fn take(&mut self, count: u32, mut look: impl FnMut(u32, u32)) {
        let mut left = count;
        let mut used = 0;
        for stretch in &mut self.0 {
            let until = stretch.1.min(stretch.0 + left);
            if until > stretch.0 {
                look(stretch.0, until);
            }
            left -= until - stretch.0;
            stretch.0 = until;
            if stretch.0 < stretch.1 {
                break;
            }
            used += 1;
        }
        self.0.drain(..used);
    }

    /// Returns slots that are not free.
    fn give(&mut self, from: u32, until: u32) {
        let place = self.0.partition_point(|stretch| stretch.0 < from);
        let after = self.0.get(place).is_some_and(|next| next.0 == until);
        let before = place > 0 && self.0[place - 1].1 == from;
        match (before, after) {
            (true, true) => {
                self.0[place - 1].1 = self.0[place].1;
                self.0.remove(place);
            }
            (true, false) => self.0[place - 1].1 = until,
            (false, true) => self.0[place].0 = from,
            (false, false) => self.0.insert(place, (from, until)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_sim::held::Held;
    use backfill_sim::id::JobId;
    use backfill_sim::record::{slot_numbers, stretches};
    use backfill_sim::unit::Span;

    fn allocation(job: u32, start: u64, end: u64, shares: &[(u32, u32)]) -> Allocation {
        Allocation {
            job: JobId(job),
            start: Time(start),
            end: Time(end),
            works_from: Time(start),
            migrated: false,
            held: Held::new(&stretches(shares), &[], &[]),
        }
    }

    /// Two servers of three slots, in blocks of that size or in one.
    fn lanes(blocks: usize) -> Lanes {
        Lanes::alike(3, blocks, 6 / blocks)
    }

    /// The third job gets what the first leaves.
    fn four() -> [Allocation; 4] {
        [
            allocation(0, 0, 4, &[(0, 2), (1, 1)]),
            allocation(1, 1, 9, &[(0, 1), (1, 2)]),
            allocation(2, 4, 6, &[(0, 2)]),
            allocation(3, 6, 7, &[(0, 2), (1, 1)]),
        ]
    }

    fn shown(holds: &Holds) -> Vec<(u32, u32, u32)> {
        let holds = holds.all.iter();
        holds
            .map(|hold| (hold.allocation, hold.lane, hold.lanes))
            .collect()
    }

    #[test]
    fn no_two_allocations_hold_a_lane_at_once() {
        let expected = [
            (0, 0, 2),
            (0, 3, 1),
            (1, 2, 1),
            (1, 4, 2),
            (2, 0, 2),
            (3, 0, 2),
            (3, 3, 1),
        ];
        assert_eq!(shown(&Holds::of(&four(), &lanes(2))), expected);
    }

    #[test]
    fn servers_have_the_lanes_of_their_row() {
        // Server 1 is above server 0, in a block of its own or in the same.
        let mut lanes = lanes(2);
        lanes.above = vec![1, 0];
        let all = [allocation(0, 0, 4, &[(0, 2), (1, 3)])];
        assert_eq!(shown(&Holds::of(&all, &lanes)), [(0, 0, 3), (0, 3, 2)]);
        lanes.blocks = vec![6];
        assert_eq!(shown(&Holds::of(&all, &lanes)), [(0, 0, 5)]);
    }

    #[test]
    fn lanes_that_touch_are_one_hold_within_a_block_alone() {
        let all = [allocation(0, 0, 1, &[(0, 3), (1, 2)])];
        assert_eq!(shown(&Holds::of(&all, &lanes(2))), [(0, 0, 3), (0, 3, 2)]);
        assert_eq!(shown(&Holds::of(&all, &lanes(1))), [(0, 0, 5)]);
    }

    /// Allocations of one to four slots at random, some for no time; on few servers requests exceed
    /// the free slots, as when a server is shared.
    fn many(servers: u32) -> Vec<Allocation> {
        let mut state = 1u64;
        let mut below = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % most
        };
        let mut start = 0;
        let each = |job: u32| {
            start += below(3);
            let end = start + below(40);
            let first = below(u64::from(servers) - 1) as u32;
            let shares = [
                (first, 1 + below(4) as u32),
                (first + 1, 1 + below(4) as u32),
            ];
            allocation(job, start, end, &shares)
        };
        (0..2000).map(each).collect()
    }

    #[test]
    fn the_same_slots_are_held_as_when_they_are_taken_one_by_one() {
        for servers in [4, 60] {
            let all = many(servers);
            let slots = 5;
            let lanes = Lanes::alike(slots as usize, 2, (servers * slots / 2) as usize);
            let mut held = vec![Vec::new(); all.len()];
            for hold in Holds::of(&all, &lanes).all {
                held[hold.allocation as usize].extend(hold.lane..hold.lane + hold.lanes);
            }
            assert_eq!(held, slot_numbers(&all, slots));
        }
    }

    #[test]
    fn servers_of_one_slot_are_held_as_when_slots_are_taken() {
        let mut all = many(400);
        // Nobody holds what another one does.
        for (of, each) in (0..).zip(&mut all) {
            let first = of % 40 * 10;
            let shares = [(first, 1), (first + 1, 1), (first + 4 + of % 3, 1)];
            each.held = Held::new(&stretches(&shares), &[], &[]);
            each.end = each.end.min(each.start + Span(20));
        }
        let lanes = Lanes::alike(1, 8, 50);
        let holds = by_stretch(&all, &lanes);
        assert_eq!(holds, by_slot(&all, &lanes));
        assert_eq!(holds.len(), 2 * all.len());
        // Those that span two blocks are two holds.
        let spanning = [allocation(0, 0, 1, &[(48, 1), (49, 1), (50, 1)])];
        let holds = by_stretch(&spanning, &lanes);
        assert_eq!(holds, by_slot(&spanning, &lanes));
        assert_eq!(holds.len(), 2);
    }

    /// Many allocations, and what they hold of 300 lanes.
    fn held() -> (Vec<Allocation>, Holds) {
        let all = many(60);
        let lanes = Lanes::alike(5, 1, 300);
        let holds = Holds::of(&all, &lanes);
        (all, holds)
    }

    #[test]
    fn neighbours_have_different_numbers() {
        let (all, holds) = held();
        let numbers = holds.apart(&all, 24);
        let number = |hold: &Hold| numbers[all[hold.allocation as usize].job.index()];
        let mut last: Vec<Option<&Hold>> = vec![None; 302];
        for hold in holds.all() {
            let around = hold.lane as usize..(hold.lane + hold.lanes) as usize + 2;
            for before in last[around].iter().flatten() {
                let same = before.allocation == hold.allocation;
                assert!(
                    same || number(before) != number(hold),
                    "{before:?} {hold:?}"
                );
            }
            last[hold.lane as usize + 1..=(hold.lane + hold.lanes) as usize].fill(Some(hold));
        }
    }

    #[test]
    fn what_is_held_during_a_stretch_is_found() {
        let (all, holds) = held();
        let end = all.iter().map(|allocation| allocation.end).max();
        let last = end.expect("there are some").0;
        for (from, until) in [(0, last), (0, 0), (last / 2, last / 2 + 9), (last, last)] {
            let (from, until) = (Time(from), Time(until));
            let is_held = |hold: &&Hold| {
                let of = &all[hold.allocation as usize];
                of.start <= until && of.end >= from
            };
            let expected: Vec<&Hold> = holds.all.iter().filter(is_held).collect();
            let found = holds.during(&all, from, until).filter(is_held);
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
        let few = holds.during(&all, Time(last / 2), Time(last / 2)).count();
        assert!(few < holds.all.len() / 3, "{few} of {}", holds.all.len());
    }
}
