//! Which requests certainly find no placement now.
//!
//! A request that asks for at least as many slots and at least as much bandwidth a slot as one that
//! cannot be placed cannot be placed either. So the refused requests lie above a staircase, whose
//! corners are kept: sizes descend and bandwidths ascend from one corner to the next.
//!
//! *Complexity*: finding the step of a size takes O(log corners), a new corner O(corners).

use crate::unit::Kbps;

/// The requests that certainly find no placement in one state of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    most_slots: u64,
    /// (size, bandwidth): who asks for no less of both is refused.
    corners: Vec<(u32, Kbps)>,
}

impl Refused {
    /// All requests for more than so many slots.
    pub const fn above(most_slots: u64) -> Refused {
        Refused {
            most_slots,
            corners: Vec::new(),
        }
    }

    /// No request.
    pub const fn nobody() -> Refused {
        Refused::above(u64::MAX)
    }

    /// The most slots that a request may ask for without being refused for them alone.
    pub(crate) fn most_slots(&self) -> u64 {
        self.most_slots
    }

    /// Refuses all requests for more than so many slots, and no longer those for fewer.
    pub(crate) fn set_most_slots(&mut self, most_slots: u64) {
        self.most_slots = most_slots;
    }

    /// The bandwidth from which requests for so many slots are refused; `None` where none is.
    #[inline(always)]
    pub fn from(&self, size: u32) -> Option<Kbps> {
        if u64::from(size) > self.most_slots {
            return Some(Kbps(0));
        }
        Some(self.corner(size)?.1)
    }

    /// The largest corner that is no larger than a size.
    #[inline(always)]
    fn corner(&self, size: u32) -> Option<&(u32, Kbps)> {
        let larger = self.corners.partition_point(|corner| corner.0 > size);
        self.corners.get(larger)
    }

    /// Whether a request for so many slots of so much bandwidth each is refused.
    pub fn rules_out(&self, size: u32, bandwidth: Kbps) -> bool {
        self.from(size).is_some_and(|from| bandwidth >= from)
    }

    /// Refuses nobody for slots and bandwidth together any longer.
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
    }

    /// Refuses who asks for no less of both; returns whether that was new.
    pub fn add(&mut self, size: u32, bandwidth: Kbps) -> bool {
        if self
            .corner(size)
            .is_some_and(|corner| corner.1 <= bandwidth)
        {
            return false;
        }
        // Bandwidths ascend: no corner before it refuses what it does.
        let position = self.corners.partition_point(|corner| corner.1 < bandwidth);
        let smaller = self.corners.partition_point(|corner| corner.0 >= size);
        self.corners.drain(position..smaller);
        self.corners.insert(position, (size, bandwidth));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn a_request_is_refused_where_one_corner_that_was_added_rules_it_out() {
        let mut draws = Stream::new(42, 0, "corners", 0);
        for _ in 0..2000 {
            let most = draws.below(12);
            let mut refused = Refused::above(most);
            let mut added = Vec::new();
            for _ in 0..draws.below(8) {
                let corner = (1 + draws.below(9) as u32, Kbps(draws.below(9)));
                let known = added
                    .iter()
                    .any(|&(size, bandwidth)| size <= corner.0 && bandwidth <= corner.1);
                assert_eq!(refused.add(corner.0, corner.1), !known);
                added.push(corner);
                let descends =
                    |pair: &[(u32, Kbps)]| pair[0].0 > pair[1].0 && pair[0].1 < pair[1].1;
                assert!(refused.corners.windows(2).all(descends), "{refused:?}");
            }
            for size in 1..12 {
                for bandwidth in (0..12).map(Kbps) {
                    let expected = u64::from(size) > most
                        || added
                            .iter()
                            .any(|corner| corner.0 <= size && corner.1 <= bandwidth);
                    assert_eq!(refused.rules_out(size, bandwidth), expected);
                }
            }
        }
    }
}
