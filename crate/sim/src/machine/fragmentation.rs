//! How much of a machine cannot be had in one piece, over time.
//!
//! A machine has base groups of nodes (base blocks, or leaf switches) and larger groups of these
//! (aggregated blocks, or the switches above). A base group is available while at least so many of
//! its nodes are idle as a block has by its size, or all of a leaf; a larger group while all its
//! base groups are. The fragmentation at an instant, in nodes, is the sum of the sizes of all groups
//! that are not available, and of the nodes of base groups that are not idle.
//!
//! *Source*: what Slurm's topology/block calls fragmentation, in its
//! `topology_p_get_fragmentation`. Two things differ. Slurm counts the last whole aggregated block
//! as unavailable, too, where a block behind it is that lies in none of the size. And its
//! topology/tree has no such number: switches count here as blocks do.

use crate::unit::{Span, Time};

/// Nodes that jobs would get whole.
#[derive(Clone, Debug)]
struct Group {
    /// How many they are; of blocks, how many they should be.
    size: i64,
    /// How many of its base groups are not available.
    unavailable: i64,
}

impl Group {
    /// So many more of its base groups are not available; returns how many more of its nodes are
    /// not.
    fn lose(&mut self, bases: i64) -> i64 {
        let was_available = self.unavailable == 0;
        self.unavailable += bases;
        match was_available == (self.unavailable == 0) {
            true => 0,
            false => bases * self.size,
        }
    }
}

/// A base group.
#[derive(Clone, Debug)]
struct Base {
    /// Its idle nodes.
    idle: i64,
    /// It is available with so many of them.
    enough: i64,
    /// The groups that it is in, by number: its own and larger ones.
    groups: Vec<u32>,
}

/// The fragmentation of a machine, integrated over time.
#[derive(Clone, Debug, Default)]
pub struct Fragmentation {
    bases: Vec<Base>,
    groups: Vec<Group>,
    /// By node: its base group.
    base_of: Vec<Option<u32>>,
    /// By node: the slots in use.
    used: Vec<u32>,
    /// Of the idle machine, in nodes.
    idle: i64,
    /// How much more it is now.
    more: i64,
    since: Time,
    /// This much more, node · µs, until `since`.
    integral: u128,
}

impl Fragmentation {
    /// Of an idle machine with these base groups of nodes, by node.
    pub fn new(base_of: Vec<Option<u32>>) -> Fragmentation {
        Fragmentation {
            used: vec![0; base_of.len()],
            base_of,
            ..Fragmentation::default()
        }
    }

    /// Adds the next base group: it has `idle` nodes and is available with `enough` of them.
    pub(crate) fn add_base(&mut self, idle: u32, enough: u32) {
        self.bases.push(Base {
            idle: idle.into(),
            enough: enough.into(),
            groups: Vec::new(),
        });
    }

    /// Adds the next group, of so many nodes.
    pub(crate) fn add_group(&mut self, size: u32) {
        self.groups.push(Group {
            size: size.into(),
            unavailable: 0,
        });
    }

    /// Puts a base group in a group.
    pub fn put(&mut self, base: u32, group: u32) {
        let base = &mut self.bases[base as usize];
        base.groups.push(group);
        if base.idle < base.enough {
            self.idle += self.groups[group as usize].lose(1);
        }
    }

    /// From now on a job holds these slots of nodes, or no longer does.
    pub(crate) fn change(
        &mut self,
        now: Time,
        nodes: &mut dyn Iterator<Item = (u32, u32)>,
        holds: bool,
    ) {
        self.integral += self.more as u128 * u128::from((now - self.since).0);
        self.since = now;
        let step = if holds { 1 } else { -1 };
        for (node, slots) in nodes {
            let used = &mut self.used[node as usize];
            let before = *used;
            *used = if holds {
                before + slots
            } else {
                before - slots
            };
            let is_same = (before == 0) == (*used == 0);
            let Some(base) = self.base_of[node as usize].filter(|_| !is_same) else {
                continue;
            };
            let base = &mut self.bases[base as usize];
            let was_available = base.idle >= base.enough;
            base.idle -= step;
            self.more += step;
            if was_available != (base.idle >= base.enough) {
                for &group in &base.groups {
                    self.more += self.groups[group as usize].lose(step);
                }
            }
        }
    }

    /// Its mean over a time that all jobs so far lie in, as a share of what it is while no node is
    /// idle; `None` where that is 0.
    pub fn mean(&self, over: Span) -> Option<f64> {
        let nodes = self.base_of.iter().flatten().count() as i64;
        let sizes = self.groups.iter().map(|group| group.size);
        let most = (nodes + sizes.sum::<i64>()) as u128 * u128::from(over.0);
        let all = self.idle as u128 * u128::from(over.0) + self.integral;
        (most > 0).then(|| all as f64 / most as f64)
    }
}
