//! The ledger of a tree: free slots of every node, free bandwidth of every link.
//!
//! A job with M of its N machines below a link reserves min(M, N − M)·B there, as on the fat-tree.
//! The link of a root would lead to a switch above all roots, which carries whatever it is asked
//! for: it is not modelled. Invariants: no link is overbooked; a link has exactly the sum of its
//! jobs' reservations taken; [`System::free`] undoes [`System::hold`] to the bit.

use std::ops::Range;
use std::sync::Arc;

use super::frame::Frame;
use super::node_sets::NodeSets;
use super::shape::Shape;
use crate::id::{Id, IdVec, LinkId};
use crate::job::Request;
use crate::machine::fragmentation::Fragmentation;
use crate::machine::hose::Cluster;
use crate::machine::offer::Offer;
use crate::machine::sharing::Sharing;
use crate::machine::{Guarantee, Placement, System};
use crate::unit::Kbps;

/// A tree and what is free of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    frame: Arc<Frame>,
    slots: u32,
    guarantee: Guarantee,
    capacity: Arc<[Kbps]>,
    /// What is left of the capacity of each link.
    residual: IdVec<LinkId, Kbps>,
    free: Vec<u32>,
    /// By switch: the free slots of the nodes below it.
    free_below: Vec<u32>,
    /// By free slots: the nodes that have them.
    nodes_with: NodeSets,
    /// By leaf: its nodes of which all slots are free.
    idle: Vec<u32>,
    /// By leaf.
    offers: Vec<Offer>,
    free_total: u32,
}

/// What a job holds of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// (node, machines on it), ascending, no zero.
    pub nodes: Vec<(u32, u32)>,
    /// (link, bandwidth reserved), each link once, no zero.
    pub reservations: Vec<(LinkId, Kbps)>,
    /// The leaves that they are in, and the fewest that could hold the job on the empty tree.
    leaves: [u32; 2],
}

impl Tree {
    pub(super) fn new(frame: Frame, slots: u32, capacity: Vec<Kbps>, guarantee: Guarantee) -> Tree {
        let shape = &frame.shape;
        let switches = shape.switches().len() as u32;
        let below = |switch| frame.below(switch).len() as u32;
        let mut nodes_with = NodeSets::default();
        nodes_with.clear(slots + 1, shape.nodes());
        (0..shape.nodes()).for_each(|node| nodes_with.insert(slots, node));
        let mut tree = Tree {
            slots,
            guarantee,
            residual: capacity.clone().into(),
            capacity: capacity.into(),
            free: vec![slots; shape.nodes() as usize],
            free_below: (0..switches).map(|switch| slots * below(switch)).collect(),
            nodes_with,
            idle: (0..shape.leaves().len() as u32).map(below).collect(),
            offers: vec![Offer::default(); shape.leaves().len()],
            free_total: slots * shape.nodes(),
            frame: Arc::new(frame),
        };
        (0..tree.offers.len() as u32).for_each(|leaf| tree.update_offer(leaf));
        tree
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.frame.shape
    }

    /// Slots of each node.
    pub fn slots_per_node(&self) -> u32 {
        self.slots
    }

    /// Free slots of a node.
    pub fn free_slots_of(&self, node: u32) -> u32 {
        self.free[node as usize]
    }

    /// Whether all slots of a node are free.
    pub fn is_idle(&self, node: u32) -> bool {
        self.free[node as usize] == self.slots
    }

    /// The nodes of a leaf of which all slots are free.
    pub fn idle_in(&self, leaf: u32) -> u32 {
        self.idle[leaf as usize]
    }

    /// The nodes of which all slots are free, ascending.
    pub fn idle_nodes(&self) -> impl Iterator<Item = u32> {
        self.nodes_with.of(self.slots)
    }

    /// By number of free slots: the nodes that have exactly so many.
    pub(super) fn nodes_with(&self) -> &NodeSets {
        &self.nodes_with
    }

    /// The offer of the nodes of a leaf.
    pub fn offer(&self, leaf: u32) -> Offer {
        self.offers[leaf as usize]
    }

    /// Free slots below a switch.
    pub fn free_below(&self, switch: u32) -> u32 {
        self.free_below[switch as usize]
    }

    /// The nodes below a switch, ascending.
    pub fn nodes_below(&self, switch: u32) -> &[u32] {
        self.frame.below(switch)
    }

    /// The switches from the leaf of a node up to its root; none where it is in no switch.
    pub fn switches_above(&self, node: u32) -> &[u32] {
        self.frame.above(node)
    }

    /// The leaves below a switch, ascending, whichever parent they have.
    pub fn leaves_below(&self, switch: u32) -> &[u32] {
        self.frame.leaves_below(switch)
    }

    /// See [`Frame::hops`].
    pub(super) fn hops(&self, leaf: u32) -> (&[u32], u32) {
        self.frame.hops(leaf)
    }

    /// The link of a switch to its parent; `None` for a root.
    pub fn uplink(&self, switch: u32) -> Option<LinkId> {
        self.frame.uplink(switch)
    }

    /// The guaranteed part of a job's bandwidth.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    /// Bandwidth reserved on a link.
    pub fn reserved(&self, link: LinkId) -> Kbps {
        Kbps(self.capacity[link.index()].0 - self.residual[link].0)
    }

    /// Residual bandwidth of a link.
    pub fn residual(&self, link: LinkId) -> Kbps {
        self.residual[link]
    }

    /// The same tree with `links` empty, to find out which requests they block.
    pub fn with_empty(&self, links: &[LinkId]) -> Tree {
        let mut tree = self.clone();
        for &link in links {
            tree.residual[link] = tree.capacity[link.index()];
        }
        (0..tree.offers.len() as u32).for_each(|leaf| tree.update_offer(leaf));
        tree
    }

    /// The virtual cluster that it guarantees a job.
    pub fn cluster(&self, request: &Request) -> Cluster {
        Cluster {
            size: request.size,
            bandwidth: self.guarantee.of(request.bandwidth),
            intra_server_free: true,
        }
    }

    /// What `cluster` holds with these machines on nodes (ascending, no zero), whether or not its
    /// links carry it.
    pub fn held(&self, cluster: Cluster, nodes: Vec<(u32, u32)>) -> Held {
        let leaves = self.leaves_of(&nodes);
        let is_loose = |share: &(u32, u32)| self.shape().leaf_of(share.0).is_none();
        let used = leaves.len() as u32 + u32::from(nodes.iter().any(is_loose));
        let mut reservations = Vec::new();
        if cluster.bandwidth > Kbps(0) {
            self.each_link(&nodes, leaves, |link, machines| {
                let need = cluster.need(machines);
                if need > Kbps(0) {
                    reservations.push((link, need));
                }
            });
        }
        let fewest = self.frame.fewest_leaves(cluster.size.div_ceil(self.slots));
        Held {
            nodes,
            reservations,
            leaves: [used, fewest],
        }
    }

    /// Whether its links carry what a job would reserve.
    pub fn carries(&self, held: &Held) -> bool {
        let mut reservations = held.reservations.iter();
        reservations.all(|&(link, need)| need <= self.residual(link))
    }

    /// The leaves of these nodes, ascending, each with the machines in it.
    fn leaves_of(&self, nodes: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let in_leaf = |&(node, machines)| Some((self.shape().leaf_of(node)?, machines));
        let mut leaves: Vec<(u32, u32)> = nodes.iter().filter_map(in_leaf).collect();
        leaves.sort_unstable();
        leaves.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 += later.1;
            }
            is_same
        });
        leaves
    }

    /// Calls `see` with every link above these nodes, which have these `below` as leaves, by level
    /// from below, and the machines below it.
    fn each_link(
        &self,
        nodes: &[(u32, u32)],
        mut below: Vec<(u32, u32)>,
        mut see: impl FnMut(LinkId, u32),
    ) {
        for &(node, machines) in nodes {
            see(LinkId(node), machines);
        }
        let mut next = 0;
        while let Some(&(switch, machines)) = below.get(next) {
            next += 1;
            // It has a larger number than its children, so it comes later.
            if let Some(parent) = self.shape().parent(switch) {
                match below[next..].binary_search_by_key(&parent, |entry| entry.0) {
                    Ok(place) => below[next + place].1 += machines,
                    Err(place) => below.insert(next + place, (parent, machines)),
                }
            }
            if let Some(link) = self.uplink(switch) {
                see(link, machines);
            }
        }
    }

    fn count(&mut self, frame: &Frame, node: u32, change: impl Fn(u32) -> u32) {
        let free = self.free[node as usize];
        let then = change(free);
        self.free[node as usize] = then;
        self.free_total = change(self.free_total);
        self.nodes_with.remove(free, node);
        self.nodes_with.insert(then, node);
        for &switch in frame.above(node) {
            let below = &mut self.free_below[switch as usize];
            *below = change(*below);
        }
        if let Some(leaf) = frame.shape.leaf_of(node) {
            let idle = &mut self.idle[leaf as usize];
            *idle -= u32::from(free == self.slots);
            *idle += u32::from(then == self.slots);
        }
    }

    /// Looks again at the leaves whose slots or links `held` holds. Its links of nodes are those of
    /// its nodes.
    fn update_offers(&mut self, held: &Held) {
        let mut last = None;
        for &(node, _) in &held.nodes {
            let leaf = self.shape().leaf_of(node);
            if let Some(leaf) = leaf.filter(|_| leaf != last) {
                self.update_offer(leaf);
            }
            last = leaf;
        }
    }

    fn update_offer(&mut self, leaf: u32) {
        let nodes = self.shape().leaves()[leaf as usize].nodes.iter();
        let offer =
            Offer::of(nodes.map(|&node| (self.free_slots_of(node), self.residual(LinkId(node)))));
        self.offers[leaf as usize] = offer;
    }
}

impl System for Tree {
    type Placement = Held;

    fn hold(&mut self, request: &Request, placement: &Held) {
        let frame = Arc::clone(&self.frame);
        for &(node, machines) in &placement.nodes {
            let free = self.free_slots_of(node);
            assert!(
                free >= machines,
                "node{node} has {free} free slots, not the {machines} that {} takes",
                request.index
            );
            self.count(&frame, node, |free| free - machines);
        }
        for &(link, need) in &placement.reservations {
            let left = self.residual(link);
            assert!(
                left >= need,
                "{link} has {left} left, not the {need} that {} reserves",
                request.index
            );
            self.residual[link].0 -= need.0;
        }
        self.update_offers(placement);
    }

    fn free(&mut self, request: &Request, placement: &Held) {
        let frame = Arc::clone(&self.frame);
        for &(node, machines) in &placement.nodes {
            self.count(&frame, node, |free| free + machines);
            assert!(
                self.free_slots_of(node) <= self.slots,
                "{} frees more slots of node{node} than were taken",
                request.index
            );
        }
        for &(link, need) in &placement.reservations {
            assert!(
                self.reserved(link) >= need,
                "{} frees more of {link} than was reserved",
                request.index
            );
            self.residual[link] += need;
        }
        self.update_offers(placement);
    }

    fn sharing(&self) -> Option<Sharing> {
        let Guarantee {
            percent,
            communication,
        } = self.guarantee;
        let shared = !self.guarantee.is_full();
        shared.then(|| Sharing::new(&self.capacity, percent, communication))
    }

    fn fragmentation(&self) -> Option<Fragmentation> {
        Some(self.frame.fragmentation())
    }

    fn demand(&self, request: &Request, placement: &Held) -> Vec<(LinkId, Kbps)> {
        let cluster = Cluster {
            bandwidth: request.bandwidth,
            ..self.cluster(request)
        };
        let mut demand = Vec::new();
        let leaves = self.leaves_of(&placement.nodes);
        self.each_link(&placement.nodes, leaves, |link, machines| {
            demand.push((link, cluster.need(machines)));
        });
        demand.retain(|asked| asked.1 > Kbps(0));
        demand
    }

    fn slots(&self) -> u64 {
        u64::from(self.slots) * u64::from(self.shape().nodes())
    }

    fn free_slots(&self) -> u64 {
        u64::from(self.free_total)
    }

    fn links(&self) -> &[Kbps] {
        &self.capacity
    }

    fn layers(&self) -> Vec<Range<usize>> {
        self.frame.layers()
    }
}

impl Placement for Held {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        self.nodes.iter().copied()
    }

    fn leaves(&self) -> Option<[u32; 2]> {
        Some(self.leaves)
    }

    fn reservations(&self) -> &[(LinkId, Kbps)] {
        &self.reservations
    }
}
