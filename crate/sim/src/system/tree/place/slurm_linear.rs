//! Slurm without a topology, the default of most clusters: nodes that follow one another.
//!
//! *Decides*: idle nodes in node order form runs. Until a job has its nodes: of the runs with at
//! least as many as are missing the shortest, else the longest, from its first node on. Since rule
//! 26 a job of one node gets the first that is idle. *Ties*: the first run. *Complexity*: O(nodes +
//! runs · log runs). *Source*: Slurm's select/cons_tres without a topology plugin, compared with
//! its controllers 22.05, 24.11 and 26.05.

use std::cmp::Reverse;

use super::rules::Generation;
use super::subtrees::leaves_of_whole_nodes;
use super::whole;
use crate::job::Request;
use crate::machine::System;
use crate::place::{Placer, Subtrees};
use crate::sorting;
use crate::system::tree::{Held, Tree};

/// Runs of idle nodes.
#[derive(Clone, Debug)]
pub struct SlurmLinear {
    rule: Generation,
}

impl SlurmLinear {
    /// Under the rules of a generation.
    pub fn new(rule: Generation) -> SlurmLinear {
        SlurmLinear { rule }
    }
}

impl Placer<Tree> for SlurmLinear {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        let nodes = linear(tree.idle_nodes(), whole::needed(tree, request), self.rule)?;
        whole::on(tree, request, nodes)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        whole::exists(tree, request)
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        Some(leaves_of_whole_nodes(tree, request, placement))
    }

    fn largest(&self, tree: &Tree) -> u64 {
        tree.free_slots()
    }
}

/// So many of the idle nodes, given in node order, if there are as many.
pub(super) fn linear(
    mut idle: impl Iterator<Item = u32>,
    count: u32,
    rule: Generation,
) -> Option<Vec<u32>> {
    if rule == Generation::Slurm26 && count == 1 {
        return idle.next().map(|node| vec![node]);
    }
    // (length, first node)
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for node in idle {
        match runs.last_mut() {
            Some((length, first)) if *first + *length == node => *length += 1,
            _ => runs.push((1, node)),
        }
    }
    if runs.iter().map(|run| run.0).sum::<u32>() < count {
        return None;
    }
    let mut nodes = Vec::with_capacity(count as usize);
    let shortest = |runs: &[(u32, u32)], missing| {
        let enough = runs.iter().filter(|run| run.0 >= missing);
        enough.min_by_key(|run| run.0).map(|run| run.1)
    };
    if let Some(first) = shortest(&runs, count) {
        nodes.extend(first..first + count);
        return Some(nodes);
    }
    // The longest first; of equals the first.
    sorting::by_key(&mut runs, |run| Reverse(run.0));
    for (place, &(length, first)) in runs.iter().enumerate() {
        let missing = count - nodes.len() as u32;
        if length >= missing {
            let first = shortest(&runs[place..], missing)?;
            nodes.extend(first..first + missing);
            return Some(nodes);
        }
        nodes.extend(first..first + length);
    }
    None
}
