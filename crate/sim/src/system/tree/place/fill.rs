//! The first part of a tree below which a whole cluster fits, and nodes filled in an order.
//!
//! Leaves come first, then nodes in no switch, then the other switches level by level, each in
//! their order. A node takes the largest number of machines that every link between it and that
//! switch carries with what is below it already, as on the fat-tree. Upper bounds on the machines
//! below each switch rule out most that would fail.

use crate::id::LinkId;
use crate::job::Request;
use crate::machine::System;
use crate::machine::hose::Cluster;
use crate::system::tree::node_sets::NodeSets;
use crate::system::tree::{Held, Tree};
use std::iter;

/// A part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// A switch and all below it.
    Switch(u32),
    /// A node alone.
    Node(u32),
}

/// Upper bounds on the machines of a cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms {
    /// Below each switch, without its uplink.
    below: Vec<u32>,
    /// The nodes of leaves that may have any.
    usable: NodeSets,
}

impl Rooms {
    /// The bounds for `cluster`.
    fn measure(&mut self, tree: &Tree, cluster: Cluster) {
        let shape = tree.shape();
        let switches = shape.switches().len();
        self.usable.clear(1, shape.nodes());
        self.below.clear();
        self.below.resize(switches, 0);
        for (leaf, switch) in (0..).zip(shape.leaves()) {
            if tree.offer(leaf).may_take_one(cluster) {
                for &node in &switch.nodes {
                    let room = room_of(tree, cluster, node);
                    if room > 0 {
                        self.below[leaf as usize] += room;
                        self.usable.insert(0, node);
                    }
                }
            }
        }
        // Children stand before their parents.
        for switch in 0..switches as u32 {
            let room = &mut self.below[switch as usize];
            if *room == 0 {
                continue;
            }
            *room = cluster.size.min(*room);
            if let Some(parent) = shape.parent(switch) {
                self.below[parent as usize] += self.through(tree, cluster, switch, cluster.size);
            }
        }
    }

    /// Whether a whole cluster may find room anywhere; `false` is certain.
    pub(super) fn may_hold(&mut self, tree: &Tree, cluster: Cluster) -> bool {
        self.measure(tree, cluster);
        let size = cluster.size;
        self.below.iter().any(|&room| room >= size)
            || tree
                .shape()
                .loose()
                .any(|node| tree.free_slots_of(node) >= size)
    }

    /// The most machines, at most `limit`, that a child's uplink and the links below it allow.
    pub(super) fn through(&self, tree: &Tree, cluster: Cluster, child: u32, limit: u32) -> u32 {
        let limit = limit.min(self.below[child as usize]);
        if limit == 0 {
            return 0;
        }
        match tree.uplink(child) {
            Some(link) => cluster.largest(0, limit, tree.residual(link)),
            None => limit,
        }
    }
}

/// The most machines that a node and its link allow.
pub(super) fn room_of(tree: &Tree, cluster: Cluster, node: u32) -> u32 {
    let limit = tree.free_slots_of(node).min(cluster.size);
    cluster.largest(0, limit, tree.residual(LinkId(node)))
}

/// The most machines that the nodes of a leaf allow, up to N.
fn room_of_leaf(tree: &Tree, cluster: Cluster, leaf: u32) -> u32 {
    let nodes = tree.shape().switches()[leaf as usize].nodes.iter();
    let rooms = nodes.map(|&node| room_of(tree, cluster, node));
    rooms.sum::<u32>().min(cluster.size)
}

/// The first site at which `fill` finds room for the whole cluster.
pub(super) fn first_site(
    tree: &Tree,
    cluster: Cluster,
    rooms: &mut Rooms,
    mut fill: impl FnMut(Site, &Rooms) -> Option<Vec<(u32, u32)>>,
) -> Option<Held> {
    let size = cluster.size;
    let shape = tree.shape();
    if u64::from(size) > tree.free_slots() {
        return None;
    }
    let mut embed = |site, rooms: &Rooms| {
        let mut nodes = fill(site, rooms)?;
        nodes.sort_unstable();
        let held = tree.held(cluster, nodes);
        tree.carries(&held).then_some(held)
    };
    let found = leaves(tree, cluster)
        .find_map(|leaf| embed(Site::Switch(leaf), rooms))
        .or_else(|| {
            let mut loose = shape
                .loose()
                .filter(|&node| tree.free_slots_of(node) >= size);
            loose.find_map(|node| embed(Site::Node(node), rooms))
        });
    let leaves = shape.leaves().len() as u32;
    let all = shape.switches().len() as u32;
    if found.is_some() || leaves == all {
        return found;
    }
    rooms.measure(tree, cluster);
    (leaves..all)
        .filter(|&switch| rooms.below[switch as usize] >= size)
        .find_map(|switch| embed(Site::Switch(switch), rooms))
}

/// The leaves whose nodes may take the whole cluster.
fn leaves(tree: &Tree, cluster: Cluster) -> impl Iterator<Item = u32> {
    let leaves = tree.shape().leaves().len() as u32;
    let mut next = 0;
    // Most are passed over: to call a filter for each would take as long as the comparison.
    iter::from_fn(move || {
        while next < leaves {
            let leaf = next;
            next += 1;
            if tree.free_below(leaf) >= cluster.size
                && tree.offer(leaf).may_take_all(cluster)
                && room_of_leaf(tree, cluster, leaf) >= cluster.size
            {
                return Some(leaf);
            }
        }
        None
    })
}

/// The machines of one cluster below each switch while nodes are filled.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    below: Vec<u32>,
    touched: Vec<u32>,
}

impl Counts {
    /// No machine anywhere.
    pub(super) fn clear(&mut self, tree: &Tree) {
        for switch in self.touched.drain(..) {
            self.below[switch as usize] = 0;
        }
        self.below.resize(tree.shape().switches().len(), 0);
    }

    /// The links of a node's way to a site above its own, with the machines below them.
    pub(super) fn shared_links(
        &self,
        tree: &Tree,
        node: u32,
        site: Site,
    ) -> impl Iterator<Item = (LinkId, u32)> {
        let above = tree.switches_above(node).iter();
        above
            .take_while(move |&&switch| site != Site::Switch(switch))
            .filter_map(|&switch| Some((tree.uplink(switch)?, self.below[switch as usize])))
    }

    /// The most machines, at most `left`, that a node without any can take.
    pub(super) fn largest(
        &self,
        tree: &Tree,
        cluster: Cluster,
        node: u32,
        left: u32,
        site: Site,
    ) -> u32 {
        let limit = left.min(tree.free_slots_of(node));
        if site == Site::Node(node) {
            return limit;
        }
        let residual = tree.residual(LinkId(node));
        let mut machines = cluster.largest(0, limit, residual);
        while machines > 0 {
            let limit = machines;
            for (link, below) in self.shared_links(tree, node, site) {
                machines = cluster.largest(below, machines, tree.residual(link));
            }
            if machines == limit {
                break;
            }
            machines = cluster.largest(0, machines, residual);
        }
        machines
    }

    /// So many machines more on a node.
    pub(super) fn add(&mut self, tree: &Tree, node: u32, machines: u32) {
        for &switch in tree.switches_above(node) {
            self.below[switch as usize] += machines;
            self.touched.push(switch);
        }
    }
}

/// The nodes of a site.
pub(super) fn nodes_of(tree: &Tree, site: Site) -> Vec<u32> {
    match site {
        Site::Switch(switch) => tree.nodes_below(switch).to_vec(),
        Site::Node(node) => vec![node],
    }
}

/// Buffers that live from one placement to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// (key, free slots).
    order: Vec<(u64, u32)>,
    counts: Counts,
    rooms: Rooms,
}

/// Fills the nodes of each site in ascending order of `key(free slots)`, equal keys by node.
///
/// Complexity: O(switches) for the bounds and O(nodes) of leaves that may take a machine;
/// O(slots · nodes / 64 + nodes visited) where a site is filled, O(slots · nodes) where its nodes
/// do not follow one another.
pub(super) fn fill_in_order(
    tree: &Tree,
    request: &Request,
    scratch: &mut Scratch,
    key: &dyn Fn(u32) -> u64,
) -> Option<Held> {
    let cluster = tree.cluster(request);
    let Scratch {
        order,
        counts,
        rooms,
    } = scratch;
    order.clear();
    order.extend((1..=tree.slots_per_node()).map(|free| (key(free), free)));
    order.sort_unstable();
    first_site(tree, cluster, rooms, |site, rooms| {
        counts.clear(tree);
        let mut left = request.size;
        let mut nodes = Vec::new();
        let mut visit = |node| {
            let machines = counts.largest(tree, cluster, node, left, site);
            if machines > 0 {
                counts.add(tree, node, machines);
                nodes.push((node, machines));
                left -= machines;
            }
            left == 0
        };
        let filled = order.chunk_by(|a, b| a.0 == b.0).any(|equal| match site {
            Site::Node(node) => has(equal, tree.free_slots_of(node)) && visit(node),
            Site::Switch(switch) => visit_below(tree, rooms, switch, equal, &mut visit),
        });
        filled.then_some(nodes)
    })
}

/// Whether `free` is one of these numbers of free slots.
fn has(equal: &[(u64, u32)], free: u32) -> bool {
    equal.iter().any(|entry| entry.1 == free)
}

/// Visits the nodes below `switch` that have one of these numbers of free slots, in node order,
/// until `visit` says that it is enough; returns whether it did. Above a leaf, nodes without room
/// are passed over.
fn visit_below(
    tree: &Tree,
    rooms: &Rooms,
    switch: u32,
    equal: &[(u64, u32)],
    visit: &mut dyn FnMut(u32) -> bool,
) -> bool {
    let below = tree.nodes_below(switch);
    let (Some(&first), Some(&last)) = (below.first(), below.last()) else {
        return false;
    };
    if last - first >= below.len() as u32 {
        let mut with = below
            .iter()
            .filter(|&&node| has(equal, tree.free_slots_of(node)));
        return with.any(|&node| visit(node));
    }
    let sets = equal.iter().map(|entry| entry.1);
    let is_leaf = tree.shape().switches()[switch as usize].children.is_empty();
    let within = (!is_leaf).then_some(&rooms.usable);
    tree.nodes_with()
        .visit(sets, within, first..last + 1, visit)
}
