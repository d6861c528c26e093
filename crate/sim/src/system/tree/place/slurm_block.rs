//! Slurm's topology/block: the fewest base blocks within one aggregated block.
//!
//! *Decides*: base blocks of the first size aggregate by 2, 4, … in the order of the file, as far
//! as sizes list it. A job goes to the aggregate of the lowest listed level that can hold it, of
//! those with enough idle nodes to the one with the fewest, and there to base blocks: one with
//! nodes enough, the smallest such, else the largest. It touches no more blocks of the highest
//! listed level below than it needs on idle ones, a hard limit. Where it fails, it waits; under rule
//! 26 it is tried again without the first node that the attempt had taken. Segments are placed one
//! after the other; spread out, none shares a base block; consolidated, all are in one aggregate.
//! *Ties*: the last aggregate and the last base block. *Complexity*: O(nodes + blocks²) an attempt.
//! *Source*: Slurm's topology/block, compared with its controllers 24.11 and 26.05.

use std::cmp::Reverse;

use super::rules::Generation;
use super::slurm_linear::linear;
use super::subtrees::leaves_of_whole_nodes;
use super::whole;
use crate::job::Request;
use crate::machine::System;
use crate::place::{Placer, Subtrees};
use crate::system::tree::{Held, Tree};

/// How a job is cut for blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    /// Nodes of each segment; 0 for the whole job.
    pub nodes: u32,
    /// Whether each segment has base blocks of its own.
    pub spread: bool,
    /// Whether all of them are in one aggregate.
    pub consolidate: bool,
}

/// Block by block.
#[derive(Clone, Debug)]
pub struct SlurmBlock {
    rule: Generation,
    segments: Segments,
}

impl SlurmBlock {
    /// Under the rules of a generation.
    pub fn new(rule: Generation, segments: Segments) -> SlurmBlock {
        SlurmBlock { rule, segments }
    }

    fn nodes(&self, tree: &Tree, count: u32) -> Option<Vec<u32>> {
        let newest = self.rule == Generation::Slurm26;
        let blocks = 0..tree.shape().leaves().len() as u32;
        let whole = |block| Open {
            gone: 0,
            nodes: tree.idle_in(block),
        };
        let mut open: Vec<Open> = blocks.map(whole).collect();
        let base = tree.shape().block_sizes().first().copied();
        let base = base.filter(|_| open_nodes(&open) > 0 && !(newest && count == 1));
        let Some(base) = base else {
            return linear(tree.idle_nodes(), count, self.rule);
        };
        let segment = match self.segments.nodes {
            0 => count,
            nodes if nodes > count => match newest {
                true => count,
                false => return None,
            },
            nodes if !count.is_multiple_of(nodes) || !newest && nodes > base => return None,
            nodes => nodes,
        };
        let mut attempt = Attempt {
            tree,
            base,
            count,
            segment,
            segments: self.segments,
            taken: Vec::new(),
        };
        loop {
            attempt.taken.clear();
            match attempt.job(&open) {
                Ok(()) => return Some(attempt.taken),
                Err(Failure::NoBlock) => return None,
                Err(Failure::TooManyBlocks) => {
                    let first = attempt.taken.iter().min().copied();
                    let first = first.filter(|_| newest && open_nodes(&open) > count)?;
                    open[tree.shape().leaf_of(first)? as usize].close_one();
                }
            }
        }
    }
}

impl Placer<Tree> for SlurmBlock {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        let nodes = self.nodes(tree, whole::needed(tree, request))?;
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

/// Why an attempt fails.
enum Failure {
    /// No block has nodes enough.
    NoBlock,
    /// It would touch too many blocks.
    TooManyBlocks,
}

/// The idle nodes of a block that an attempt may take: those are taken in order.
#[derive(Clone, Copy, Default)]
struct Open {
    /// How many first ones it may not.
    gone: u32,
    /// How many follow that it may.
    nodes: u32,
}

impl Open {
    /// The next one is taken.
    fn close_one(&mut self) {
        self.gone += 1;
        self.nodes -= 1;
    }
}

/// The open nodes of some blocks.
fn open_nodes(blocks: &[Open]) -> u32 {
    blocks.iter().map(|block| block.nodes).sum()
}

/// An attempt to place a job.
struct Attempt<'a> {
    tree: &'a Tree,
    /// Nodes of a base block.
    base: u32,
    /// Nodes of the job.
    count: u32,
    /// Nodes of a segment.
    segment: u32,
    segments: Segments,
    taken: Vec<u32>,
}

impl Attempt<'_> {
    /// All segments on open nodes.
    fn job(&mut self, open: &[Open]) -> Result<(), Failure> {
        if !self.segments.consolidate {
            return self.segments(&mut open.to_vec(), 0);
        }
        let size = match self.segments.spread {
            true => self.segment.div_ceil(self.base) * self.base * (self.count / self.segment),
            false => self.count,
        };
        let per = self.aggregate(levels_for(size, self.base));
        let mut closed: Vec<usize> = Vec::new();
        loop {
            // The first segment goes only where all would find nodes.
            let mut first = open.to_vec();
            for (aggregate, blocks) in first.chunks_mut(per).enumerate() {
                if closed.contains(&aggregate) || open_nodes(blocks) < self.count {
                    blocks.fill(Open::default());
                }
            }
            self.place(&first, self.segment)?;
            let Some(leaf) = self
                .taken
                .first()
                .and_then(|&node| self.tree.shape().leaf_of(node))
            else {
                return Err(Failure::NoBlock);
            };
            let aggregate = leaf as usize / per;
            let mut rest = vec![Open::default(); open.len()];
            let own = aggregate * per..open.len().min((aggregate + 1) * per);
            rest[own.clone()].copy_from_slice(&open[own]);
            self.close(&mut rest, 0);
            match self.segments(&mut rest, 1) {
                Ok(()) => return Ok(()),
                Err(_) => closed.push(aggregate),
            }
            self.taken.clear();
        }
    }

    /// The segments from the one at `first` on.
    fn segments(&mut self, open: &mut [Open], first: u32) -> Result<(), Failure> {
        for _ in first..self.count / self.segment {
            let before = self.taken.len();
            self.place(open, self.segment)?;
            self.close(open, before);
        }
        Ok(())
    }

    /// Closes the nodes taken since, or all of their base blocks.
    fn close(&self, open: &mut [Open], since: usize) {
        let leaf_of = |&node: &u32| self.tree.shape().leaf_of(node);
        for leaf in self.taken[since..].iter().filter_map(leaf_of) {
            let block = &mut open[leaf as usize];
            match self.segments.spread {
                true => *block = Open::default(),
                false => block.close_one(),
            }
        }
    }

    fn blocks(&self) -> &[crate::system::tree::Switch] {
        self.tree.shape().leaves()
    }

    /// The listed levels, ascending.
    fn listed(&self) -> impl Iterator<Item = u32> {
        let sizes = self.tree.shape().block_sizes().iter();
        sizes.map(|size| (size / self.base).ilog2())
    }

    /// How many base blocks the lowest listed aggregate of at least a level has; all where none is.
    fn aggregate(&self, need: u32) -> usize {
        let level = self.listed().find(|&level| level >= need);
        level.map_or(self.blocks().len().max(1), |level| 1 << level)
    }

    /// A job of `count` nodes on open ones.
    fn place(&mut self, open: &[Open], count: u32) -> Result<(), Failure> {
        let need = levels_for(count, self.base);
        let per = self.aggregate(need);
        let low = self
            .listed()
            .filter(|&level| level < need)
            .last()
            .unwrap_or(0);
        let lower = 1_usize << low;
        let most = count.div_ceil((lower as u32).saturating_mul(self.base)) as usize;
        let limited = per != lower * most;
        let idle: Vec<u32> = open.iter().map(|block| block.nodes).collect();
        let mut chosen: Option<(u32, usize)> = None;
        let mut lowers: Vec<u32> = Vec::new();
        for (aggregate, blocks) in idle.chunks(per).enumerate() {
            let all: u32 = blocks.iter().sum();
            let mut available = all;
            if limited && all >= count {
                lowers.clear();
                lowers.extend(blocks.chunks(lower).map(|b| b.iter().sum::<u32>()));
                lowers.truncate(per / lower);
                lowers.sort_unstable();
                available = lowers.iter().rev().take(most).sum();
            }
            if available >= count && chosen.is_none_or(|(least, _)| all <= least) {
                chosen = Some((all, aggregate));
            }
        }
        let (_, aggregate) = chosen.ok_or(Failure::NoBlock)?;
        let blocks = aggregate * per..idle.len().min((aggregate + 1) * per);
        let tree = self.tree;
        let (open, leaves) = (
            &open[blocks.clone()],
            &tree.shape().leaves()[blocks.clone()],
        );
        let idle = &idle[blocks];
        let lowers: Vec<u32> = idle.chunks(lower).map(|b| b.iter().sum()).collect();
        let blocks_of = |at: usize| at * lower..idle.len().min((at + 1) * lower);
        let mut touched = vec![false; lowers.len()];
        let mut used = vec![false; idle.len()];
        let mut missing = count;
        while missing > 0 {
            // One with nodes enough before others; of such the smallest, of others the largest.
            let by_size = |nodes: u32| match nodes >= missing {
                true => (true, Reverse(nodes), 0),
                false => (false, Reverse(0), nodes),
            };
            let by_lower = |at: usize| limited.then(|| (touched[at], by_size(lowers[at])));
            let left = |at: usize| blocks_of(at).filter(|&block| !used[block]);
            let any_left = (0..lowers.len()).filter(|&at| left(at).next().is_some());
            let best_lower = any_left.map(by_lower).max();
            let best = (0..lowers.len())
                .filter(|&at| Some(by_lower(at)) == best_lower)
                .flat_map(left)
                .max_by_key(|&block| by_size(idle[block]))
                .ok_or(Failure::TooManyBlocks)?;
            let is_new = !std::mem::replace(&mut touched[best / lower], true);
            if limited && is_new && touched.iter().filter(|touched| **touched).count() > most {
                return Err(Failure::TooManyBlocks);
            }
            used[best] = true;
            let own = leaves[best].nodes.iter().copied();
            let own = own
                .filter(|&node| tree.is_idle(node))
                .skip(open[best].gone as usize)
                .take(idle[best].min(missing) as usize);
            let before = self.taken.len();
            self.taken.extend(own);
            match self.taken.len() - before {
                0 => return Err(Failure::TooManyBlocks),
                more => missing -= more as u32,
            }
        }
        Ok(())
    }
}

/// How many times a base block must be doubled to have so many nodes.
fn levels_for(nodes: u32, base: u32) -> u32 {
    nodes.div_ceil(base).next_power_of_two().ilog2()
}
