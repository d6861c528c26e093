//! Satisfy (A1): a job is spread so that the demand on no link exceeds the threshold.
//!
//! *Decides*: for each cluster, which numbers of nodes its link and its free nodes allow; of the
//! combinations that make up the job, the first in lexicographic order. *Ties*: none. *Complexity*:
//! O(clusters · size²/64), where the paper's nested loops are exponential in the clusters: a number
//! is passed over if the clusters behind cannot make up the rest, which changes no answer.
//! *Source*: paper 3, section 5, class A, Eq. 9 and 10. Departure: what a link allows is tested in
//! whole bit/s instead of through the roots of Eq. 10, and a job that is all in one cluster needs
//! no link.

use super::filling::Steps;
use crate::job::Request;
use crate::machine::System;
use crate::system::multi_cluster::{Mapping, MultiCluster, required_by};

pub(super) fn place<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    steps: &mut T,
) -> Option<Mapping> {
    if system.free_slots() < u64::from(request.size) {
        return None;
    }
    let nodes = satisfy(
        &sets(system, request, threshold, steps),
        request.size,
        steps,
    )?;
    Some(Mapping::new(request, (0..).zip(nodes)))
}

/// The same place, found as the paper does: by [`nested_loops`].
pub fn place_by_nested_loops<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    steps: &mut T,
) -> Option<Mapping> {
    let nodes = nested_loops(
        &sets(system, request, threshold, steps),
        request.size,
        steps,
    )?;
    Some(Mapping::new(request, (0..).zip(nodes)))
}

/// By cluster, the numbers of nodes with which its link stays at or below the threshold.
fn sets<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    steps: &mut T,
) -> Vec<Vec<u32>> {
    (0..system.clusters())
        .map(|cluster| feasible(system, request, cluster, threshold, steps))
        .collect()
}

/// The numbers of nodes in a cluster with which its link stays at or below the threshold.
fn feasible<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    cluster: u32,
    threshold: u32,
    steps: &mut T,
) -> Vec<u32> {
    let limit = u128::from(threshold) * u128::from(system.capacity_of(cluster)) / 100;
    let left = limit.saturating_sub(u128::from(system.load_of(cluster)));
    let most = system.free_in(cluster).min(request.size);
    let fits = |inside: &u32| u128::from(required_by(request, *inside)) <= left;
    steps.taken(u64::from(most) + 1);
    (0..=most).filter(fits).collect()
}

/// The most nodes in a cluster with which its link stays there.
pub(super) fn most(system: &MultiCluster, request: &Request, cluster: u32, threshold: u32) -> u32 {
    let feasible = feasible(system, request, cluster, threshold, &mut ());
    feasible.last().copied().unwrap_or(0)
}

/// The lexicographically first choice of one number from each of `sets`, which ascend, that adds up
/// to `total`.
pub fn satisfy<T: Steps>(sets: &[Vec<u32>], total: u32, steps: &mut T) -> Option<Vec<u32>> {
    let most = sets.iter().filter_map(|set| set.last());
    if most.map(|&most| u64::from(most)).sum::<u64>() < u64::from(total) {
        return None;
    }
    // Which sums the sets from each on can make.
    let mut reachable = vec![Sums::none(total)];
    reachable[0].insert(0);
    for set in sets.iter().rev() {
        let behind = reachable.last().expect("there is one at least");
        let mut sums = Sums::none(total);
        for &number in set {
            steps.taken(sums.bits.len() as u64);
            sums.insert_shifted(behind, number);
        }
        reachable.push(sums);
    }
    let mut left = total;
    if !reachable.pop()?.contains(left) {
        return None;
    }
    let choice = |set: &Vec<u32>| {
        let behind = reachable.pop()?;
        let fits = |&&number: &&u32| {
            steps.taken(1);
            number <= left && behind.contains(left - number)
        };
        let number = *set.iter().find(fits)?;
        left -= number;
        Some(number)
    };
    sets.iter().map(choice).collect()
}

/// The same choice by the nested loops of the paper, one for each set: everything is tried until
/// something adds up.
pub fn nested_loops<T: Steps>(sets: &[Vec<u32>], total: u32, steps: &mut T) -> Option<Vec<u32>> {
    let Some((first, rest)) = sets.split_first() else {
        return (total == 0).then(Vec::new);
    };
    let fit = first.iter().filter(|&&number| number <= total);
    fit.copied().find_map(|number| {
        steps.taken(1);
        let mut nodes = nested_loops(rest, total - number, steps)?;
        nodes.insert(0, number);
        Some(nodes)
    })
}

/// A set of sums from 0 to a largest one.
struct Sums {
    bits: Vec<u64>,
}

impl Sums {
    fn none(largest: u32) -> Sums {
        Sums {
            bits: vec![0; largest as usize / 64 + 1],
        }
    }

    fn insert(&mut self, sum: u32) {
        self.bits[sum as usize / 64] |= 1 << (sum % 64);
    }

    fn contains(&self, sum: u32) -> bool {
        self.bits[sum as usize / 64] >> (sum % 64) & 1 == 1
    }

    /// Adds every sum of `others` made larger by `number`; those beyond the largest are of no use.
    fn insert_shifted(&mut self, others: &Sums, number: u32) {
        let (words, bits) = (number as usize / 64, number % 64);
        for word in words..self.bits.len() {
            self.bits[word] |= others.bits[word - words] << bits;
            if bits > 0 && word > words {
                self.bits[word] |= others.bits[word - words - 1] >> (64 - bits);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_choices_is_taken() {
        let sets = [
            vec![0, 1, 2, 3, 17, 18],
            (0..=12).collect(),
            vec![0],
            (0..=8).collect(),
        ];
        // P3-T6 (ii).
        assert_eq!(satisfy(&sets, 20, &mut ()), Some(vec![0, 12, 0, 8]));
        assert_eq!(satisfy(&sets, 39, &mut ()), None);
        assert_eq!(satisfy(&sets, 38, &mut ()), Some(vec![18, 12, 0, 8]));
        assert_eq!(satisfy(&[], 0, &mut ()), Some(Vec::new()));
        assert_eq!(satisfy(&[], 1, &mut ()), None);
        assert_eq!(satisfy(&[vec![], vec![1]], 1, &mut ()), None);
    }

    #[test]
    fn sums_beyond_a_word_are_found() {
        let sets = [vec![63, 64, 130], vec![1, 65, 200]];
        assert_eq!(satisfy(&sets, 64, &mut ()), Some(vec![63, 1]));
        assert_eq!(satisfy(&sets, 195, &mut ()), Some(vec![130, 65]));
        assert_eq!(satisfy(&sets, 330, &mut ()), Some(vec![130, 200]));
        assert_eq!(satisfy(&sets, 128, &mut ()), Some(vec![63, 65]));
        assert_eq!(satisfy(&sets, 127, &mut ()), None);
    }

    #[test]
    fn steps_of_both_searches_counted_by_hand() {
        let sets = [vec![0, 1], vec![0, 2]];
        let mut steps = 0;
        // 0 with 0 and 2, 1 with 0 and 2.
        assert_eq!(nested_loops(&sets, 3, &mut steps), Some(vec![1, 2]));
        assert_eq!(steps, 6);
        let mut steps = 0;
        // Each number moves one word of sums; then 0, 1 and 0, 2 are tried.
        assert_eq!(satisfy(&sets, 3, &mut steps), Some(vec![1, 2]));
        assert_eq!(steps, 8);
    }
}
