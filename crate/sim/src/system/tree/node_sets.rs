//! Nodes as bits, of which 64 are looked at in one step.

use std::ops::Range;

/// A set of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSet(Vec<u64>);

impl NodeSet {
    /// None of so many nodes.
    pub(super) fn none_of(nodes: u32) -> NodeSet {
        NodeSet(vec![0; nodes.div_ceil(u64::BITS) as usize])
    }

    /// It becomes none of so many nodes.
    pub(super) fn clear(&mut self, nodes: u32) {
        self.0.clear();
        self.0.resize(nodes.div_ceil(u64::BITS) as usize, 0);
    }

    pub(super) fn insert(&mut self, node: u32) {
        self.0[(node / u64::BITS) as usize] |= 1 << (node % u64::BITS);
    }

    pub(super) fn remove(&mut self, node: u32) {
        self.0[(node / u64::BITS) as usize] &= !(1 << (node % u64::BITS));
    }

    /// How many nodes it has. Complexity: O(nodes / 64).
    pub fn count(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Its nodes, ascending. Complexity: O(nodes / 64 + those in it).
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (0..).zip(&self.0);
        words.flat_map(|(number, &bits)| nodes_of(number, bits))
    }

    /// The nodes of `range` that are in one of some sets, and in `within` where it is given,
    /// ascending. Complexity: O(sets · range / 64 + those found).
    pub(super) fn any_of<'a>(
        sets: impl Iterator<Item = &'a NodeSet> + Clone,
        within: Option<&NodeSet>,
        range: Range<u32>,
    ) -> impl Iterator<Item = u32> {
        let numbers = range.start / u64::BITS..range.end.div_ceil(u64::BITS);
        numbers.flat_map(move |number| {
            let first = number * u64::BITS;
            let before = range.start.saturating_sub(first);
            let after = (first + u64::BITS).saturating_sub(range.end);
            let asked = u64::MAX << before & u64::MAX >> after;
            let word = |set: &NodeSet| set.0[number as usize];
            let any = sets.clone().fold(0, |bits, set| bits | word(set));
            nodes_of(number, any & asked & within.map_or(u64::MAX, word))
        })
    }
}

/// The nodes of a word with its bits, ascending.
fn nodes_of(number: u32, mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(number * u64::BITS + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_of_is_what_a_look_at_each_node_finds() {
        let of = |by: u32| {
            let mut set = NodeSet::none_of(150);
            (0..150)
                .filter(|node| node % by == 0)
                .for_each(|node| set.insert(node));
            set
        };
        let [threes, fives, odd] = [of(3), of(5), {
            let mut odd = of(1);
            (0..150).step_by(2).for_each(|node| odd.remove(node));
            odd
        }];
        assert_eq!(odd.count(), 75);
        assert_eq!(
            odd.iter().collect::<Vec<_>>(),
            (1..150).step_by(2).collect::<Vec<_>>()
        );
        for (start, end) in [(0, 150), (63, 65), (64, 128), (1, 1), (65, 127), (130, 149)] {
            let sets = [&threes, &fives].into_iter();
            let plain = (start..end).filter(|node| node % 3 == 0 || node % 5 == 0);
            let found: Vec<u32> = NodeSet::any_of(sets.clone(), None, start..end).collect();
            assert_eq!(found, plain.clone().collect::<Vec<_>>());
            let found: Vec<u32> = NodeSet::any_of(sets, Some(&odd), start..end).collect();
            assert_eq!(
                found,
                plain.filter(|node| node % 2 == 1).collect::<Vec<_>>()
            );
        }
    }
}
