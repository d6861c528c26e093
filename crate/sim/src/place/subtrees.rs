//! The subtrees among which a placement chose, as the job that starts found them.
//!
//! They are found out only where a pass is observed, after the decision: from the state before it,
//! from what was taken, and from the order in which the placement considers them.

use serde::Serialize;

use crate::id::LinkId;
use crate::sorting;
use crate::unit::Kbps;

/// Subtrees of a system, in the order in which a placement considers them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subtrees {
    /// What the order is.
    pub order: SubtreeOrder,
    /// How much the job needs: virtual machines, or whole nodes where `whole_nodes` is set.
    pub needed: u32,
    /// Whether all numbers count whole nodes of which no slot is held.
    pub whole_nodes: bool,
    /// The server or node that was looked for first and holds all of the job.
    pub single: Option<u32>,
    /// The most that any smaller subtree than those could take: none of them was filled with all of
    /// the job. `None` where there are none, or where that is not known.
    pub below: Option<u32>,
    /// The numbers of free slots by which servers are filled, best first, those that are equal
    /// together; empty where free slots do not decide.
    pub preference: Vec<Vec<u32>>,
    /// The subtrees.
    pub list: Vec<Subtree>,
}

impl Subtrees {
    /// Those listed by number, of which a job needs so much; nothing else is known of them.
    pub(crate) fn by_number(needed: u32, list: Vec<Subtree>) -> Subtrees {
        Subtrees {
            order: SubtreeOrder::Number,
            needed,
            whole_nodes: false,
            single: None,
            below: None,
            preference: Vec::new(),
            list,
        }
    }
}

/// In which order subtrees are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SubtreeOrder {
    /// By number, and the first one that is filled with all of the job is taken.
    First,
    /// The same by what is reserved on their links downwards, the least first.
    LeastLoaded,
    /// By number: they are the parts of the subtree that holds the job, each through its uplink.
    Parts,
    /// By number, which is not the order of the placement.
    Number,
    /// Those that were taken, as they were taken one after the other; then by number.
    Nearest,
}

/// What a subtree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SubtreeRoot {
    /// Below an edge switch of a fat-tree, counted over the whole tree.
    Edge {
        /// The switch.
        edge: u32,
    },
    /// A pod of a fat-tree.
    Pod {
        /// The pod.
        pod: u32,
    },
    /// Below one aggregation switch of a fat-tree, whose links alone are used.
    Aggregation {
        /// Its pod.
        pod: u32,
        /// Its position in the pod.
        j: u32,
    },
    /// Below a switch of a tree.
    Switch {
        /// The switch.
        switch: u32,
    },
    /// The nodes of a tree that are in no switch, each alone.
    Loose,
}

/// A subtree before a job started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subtree {
    /// Which one it is.
    pub root: SubtreeRoot,
    /// What is free in it.
    pub free: u32,
    /// What of the job it could take at most, by its free slots and the links in it and, where it
    /// is a part, above it, each alone.
    pub most: u32,
    /// The link that takes most off that, and what is left of it; `None` where links take nothing.
    pub bound: Option<(LinkId, Kbps)>,
    /// What of the job it took.
    pub taken: u32,
    /// Where leaves are taken one after the other: the sum of the distances to those before, where
    /// it was taken, and whether it may be at all.
    pub distance: Option<u32>,
    /// Whether it is outside of the root that was chosen.
    pub outside: bool,
}

/// The numbers of free slots, up to `slots`, in ascending order of a key, equal ones together.
pub(crate) fn preference(slots: u32, key: &dyn Fn(u32) -> u64) -> Vec<Vec<u32>> {
    let mut all: Vec<u32> = (1..=slots).rev().collect();
    sorting::by_key(&mut all, |&free| key(free));
    let alike = all.chunk_by(|&one, &other| key(one) == key(other));
    alike.map(<[u32]>::to_vec).collect()
}

/// What a subtree could take, while it is summed up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Room {
    /// Free slots.
    pub(crate) free: u32,
    /// What it could take at most.
    pub(crate) most: u32,
    /// The link that takes most off, what it takes off, and what is left of it.
    cut: Option<(u32, LinkId, Kbps)>,
}

impl Room {
    /// So many free slots, without a link.
    pub(crate) fn free(free: u32) -> Room {
        Room {
            free,
            most: free,
            cut: None,
        }
    }

    /// The same seen through a link that lets `most` through.
    pub(crate) fn through(mut self, link: LinkId, residual: Kbps, most: u32) -> Room {
        let off = self.most - most;
        if off > self.cut.map_or(0, |cut| cut.0) {
            self.cut = Some((off, link, residual));
        }
        self.most = most;
        self
    }

    /// No more than so many.
    pub(crate) fn at_most(mut self, most: u32) -> Room {
        self.most = self.most.min(most);
        self
    }

    /// With another one beside it.
    pub(crate) fn add(&mut self, other: Room) {
        self.free += other.free;
        self.most += other.most;
        let less = self.cut.map_or(0, |cut| cut.0);
        if other.cut.is_some_and(|cut| cut.0 > less) {
            self.cut = other.cut;
        }
    }

    /// As a subtree of which a job that needs so much took a part.
    pub(crate) fn subtree(self, root: SubtreeRoot, needed: u32, taken: u32) -> Subtree {
        let is_cut = self.most < self.free.min(needed);
        Subtree {
            root,
            free: self.free,
            most: self.most,
            bound: self.cut.filter(|_| is_cut).map(|cut| (cut.1, cut.2)),
            taken,
            distance: None,
            outside: false,
        }
    }
}
