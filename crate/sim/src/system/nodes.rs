//! A cluster of equal nodes, each running one process at a time; links are not modelled.
//!
//! Invariant: a node is held by at most one job.

use crate::id::{Id, NodeId};
use crate::job::Ask;

/// A cluster of single-process nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// One bit a node, set while it is free.
    free: Vec<u64>,
    free_count: u32,
    count: u32,
}

/// The nodes of one job, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet(pub Vec<NodeId>);

impl Nodes {
    /// A cluster of `count` free nodes.
    pub fn new(count: u32) -> Nodes {
        let mut free = vec![0; count.div_ceil(64) as usize];
        for node in 0..count as usize {
            free[node / 64] |= 1 << (node % 64);
        }
        Nodes {
            free,
            free_count: count,
            count,
        }
    }

    /// How many nodes are free.
    pub fn free_count(&self) -> u32 {
        self.free_count
    }

    /// The free nodes, ascending.
    pub fn free_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.free.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| NodeId::new(word * 64 + bits.trailing_zeros() as usize))
        })
    }
}

impl super::System for Nodes {
    type Place = NodeSet;

    fn hold(&mut self, ask: &Ask, place: &NodeSet) {
        for node in &place.0 {
            let (word, bit) = (node.index() / 64, 1 << (node.index() % 64));
            assert!(
                self.free[word] & bit != 0,
                "{node} is not free for {}",
                ask.index
            );
            self.free[word] ^= bit;
        }
        self.free_count -= place.0.len() as u32;
    }

    fn free(&mut self, ask: &Ask, place: &NodeSet) {
        for node in &place.0 {
            let (word, bit) = (node.index() / 64, 1 << (node.index() % 64));
            assert!(
                self.free[word] & bit == 0,
                "{node} is not held by {}",
                ask.index
            );
            self.free[word] ^= bit;
        }
        self.free_count += place.0.len() as u32;
    }

    fn slots(&self) -> u64 {
        u64::from(self.count)
    }

    fn free_slots(&self) -> u64 {
        u64::from(self.free_count)
    }
}

impl super::Place for NodeSet {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().map(|node| (node.0, 1))
    }
}
