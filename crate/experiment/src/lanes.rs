//! Who holds which slot over time: lanes are the slots of servers or nodes, by their numbers.

use backfill_sim::record::{Stint, slot_numbers};

/// Lanes next to each other that a stint holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Which stint, by its place in the record.
    pub stint: usize,
    /// The first of them.
    pub lane: usize,
    /// How many.
    pub lanes: usize,
}

/// Which lanes each stint holds where each server or node has so many slots.
pub fn holds(stints: &[Stint], slots: usize) -> Vec<Hold> {
    let mut holds = Vec::new();
    for (stint, numbers) in slot_numbers(stints, slots as u32).iter().enumerate() {
        let next =
            |one: &u32, other: &u32| other - one == 1 && !(*other as usize).is_multiple_of(slots);
        holds.extend(numbers.chunk_by(next).map(|lanes| Hold {
            stint,
            lane: lanes[0] as usize,
            lanes: lanes.len(),
        }));
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_sim::id::JobId;
    use backfill_sim::unit::Time;

    fn stint(job: u32, start: u64, end: u64, shares: &[(u32, u32)]) -> Stint {
        Stint {
            job: JobId(job),
            start: Time(start),
            end: Time(end),
            works_from: Time(start),
            migrated: false,
            shares: shares.to_vec(),
            processes: Vec::new(),
            reservations: Vec::new(),
        }
    }

    #[test]
    fn no_two_stints_hold_a_lane_at_once() {
        // Two servers of three slots: the third job gets what the first has left.
        let stints = [
            stint(0, 0, 4, &[(0, 2), (1, 1)]),
            stint(1, 1, 9, &[(0, 1), (1, 2)]),
            stint(2, 4, 6, &[(0, 2)]),
            stint(3, 6, 7, &[(0, 2), (1, 1)]),
        ];
        let lanes: Vec<(usize, usize, usize)> = holds(&stints, 3)
            .iter()
            .map(|hold| (hold.stint, hold.lane, hold.lanes))
            .collect();
        let expected = [
            (0, 0, 2),
            (0, 3, 1),
            (1, 2, 1),
            (1, 4, 2),
            (2, 0, 2),
            (3, 0, 2),
            (3, 3, 1),
        ];
        assert_eq!(lanes, expected);
    }
}
