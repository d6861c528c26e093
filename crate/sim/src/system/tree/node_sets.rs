//! Nodes as bits, of which 64 are looked at in one step.

use std::ops::Range;

/// Sets of nodes, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeSets {
    /// Those of one set.
    words: usize,
    bits: Vec<u64>,
}

impl NodeSets {
    /// They become so many sets of none of so many nodes.
    pub(super) fn clear(&mut self, sets: u32, nodes: u32) {
        self.words = nodes.div_ceil(u64::BITS) as usize;
        self.bits.clear();
        self.bits.resize(sets as usize * self.words, 0);
    }

    pub(super) fn insert(&mut self, set: u32, node: u32) {
        *self.word(set, node) |= 1 << (node % u64::BITS);
    }

    pub(super) fn remove(&mut self, set: u32, node: u32) {
        *self.word(set, node) &= !(1 << (node % u64::BITS));
    }

    fn word(&mut self, set: u32, node: u32) -> &mut u64 {
        &mut self.bits[set as usize * self.words + (node / u64::BITS) as usize]
    }

    /// The nodes of a set, ascending. Complexity: O(nodes / 64 + those in it).
    pub(super) fn of(&self, set: u32) -> impl Iterator<Item = u32> {
        let mut words = self.bits[set as usize * self.words..][..self.words].iter();
        let (mut bits, mut end) = (0, 0);
        std::iter::from_fn(move || {
            while bits == 0 {
                bits = *words.next()?;
                end += u64::BITS;
            }
            Some(end - u64::BITS + take_first(&mut bits))
        })
    }

    /// Visits the nodes of `range` that are in one of these sets, and in the first of `within`
    /// where it is given, ascending, until `visit` says that it is enough; returns whether it did.
    /// Complexity: O(sets · range / 64 + those visited).
    pub(super) fn visit(
        &self,
        sets: impl Iterator<Item = u32> + Clone,
        within: Option<&NodeSets>,
        range: Range<u32>,
        visit: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        for number in range.start / u64::BITS..range.end.div_ceil(u64::BITS) {
            let first = number * u64::BITS;
            let before = range.start.saturating_sub(first);
            let after = (first + u64::BITS).saturating_sub(range.end);
            let asked = u64::MAX << before & u64::MAX >> after;
            let word = |set: u32| self.bits[set as usize * self.words + number as usize];
            let any = sets.clone().fold(0, |bits, set| bits | word(set));
            let within = within.map_or(u64::MAX, |sets| sets.bits[number as usize]);
            let mut bits = any & asked & within;
            while bits != 0 {
                if visit(first + take_first(&mut bits)) {
                    return true;
                }
            }
        }
        false
    }
}

/// Takes the lowest bit out, of some; returns its position.
fn take_first(bits: &mut u64) -> u32 {
    let first = bits.trailing_zeros();
    *bits &= *bits - 1;
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_visited_is_what_a_look_at_each_node_finds() {
        let mut sets = NodeSets::default();
        sets.clear(6, 150);
        let mut odd = NodeSets::default();
        odd.clear(1, 150);
        for node in 0..150 {
            (1..6).for_each(|set| sets.insert(set, node));
            (1..6)
                .filter(|set| node % set > 0)
                .for_each(|set| sets.remove(set, node));
            if node % 2 == 1 {
                odd.insert(0, node);
            }
        }
        assert_eq!(sets.of(0).count(), 0);
        assert!(sets.of(5).eq((0..150).step_by(5)));
        for range in [0..150, 63..65, 64..128, 1..1, 65..127, 130..149] {
            let visited = |within| {
                let mut visited = Vec::new();
                sets.visit([3, 5].into_iter(), within, range.clone(), &mut |node| {
                    visited.push(node);
                    false
                });
                visited
            };
            let plain = range.clone().filter(|node| node % 3 == 0 || node % 5 == 0);
            assert!(visited(None).into_iter().eq(plain.clone()));
            let plain = plain.filter(|node| node % 2 == 1);
            assert!(visited(Some(&odd)).into_iter().eq(plain));
        }
    }
}
