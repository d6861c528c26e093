//! The ledger of a tree: free slots of every node, free bandwidth of every link.
//!
//! A job with M of its N machines below a link reserves min(M, N − M)·B there, as on the fat-tree.
//! The link of a root would lead to a switch above all roots, which carries whatever it is asked
//! for: it is not modelled. Invariants: no link is overbooked; a link has exactly the sum of its
//! jobs' reservations taken; [`System::free`] undoes [`System::hold`] to the bit.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::frame::Frame;
use super::shape::Shape;
use crate::id::{Id, IdVec, LinkId};
use crate::job::Request;
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
    reserved: IdVec<LinkId, Kbps>,
    free: Vec<u32>,
    /// By switch: the free slots of the nodes below it.
    free_below: Vec<u32>,
    /// By switch and free slots: how many nodes below it have them.
    nodes_with: Vec<u32>,
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
        let mut nodes_with = vec![0; (switches * (slots + 1)) as usize];
        for switch in 0..switches {
            nodes_with[(switch * (slots + 1) + slots) as usize] = below(switch);
        }
        let mut tree = Tree {
            slots,
            guarantee,
            reserved: IdVec::filled(Kbps(0), capacity.len()),
            capacity: capacity.into(),
            free: vec![slots; shape.nodes() as usize],
            free_below: (0..switches).map(|switch| slots * below(switch)).collect(),
            nodes_with,
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
        self.nodes_with(leaf, self.slots)
    }

    /// How many nodes below a switch have exactly `free` free slots.
    pub fn nodes_with(&self, switch: u32, free: u32) -> u32 {
        self.nodes_with[(switch * (self.slots + 1) + free) as usize]
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

    /// Whether the nodes of each switch's children follow one another, child after child.
    pub(super) fn is_consecutive(&self) -> bool {
        self.frame.is_consecutive()
    }

    /// The leaves below a switch, ascending, whichever parent they have.
    pub fn leaves_below(&self, switch: u32) -> &[u32] {
        self.frame.leaves_below(switch)
    }

    /// The lengths of the shortest paths from a leaf to the other leaves, by leaf, [`UNREACHED`]
    /// where there is none, and what is to be added to each.
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
        self.reserved[link]
    }

    /// Residual bandwidth of a link.
    pub fn residual(&self, link: LinkId) -> Kbps {
        Kbps(self.capacity[link.index()].0 - self.reserved[link].0)
    }

    /// The same tree with `links` empty, to find out which requests they block.
    pub fn with_empty(&self, links: &[LinkId]) -> Tree {
        let mut tree = self.clone();
        for &link in links {
            tree.reserved[link] = Kbps(0);
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
        let mut reservations = Vec::new();
        if cluster.bandwidth > Kbps(0) {
            self.each_link(&nodes, |link, machines| {
                let need = cluster.need(machines);
                if need > Kbps(0) {
                    reservations.push((link, need));
                }
            });
        }
        let mut leaves: Vec<Option<u32>> = nodes
            .iter()
            .map(|&(node, _)| self.shape().leaf_of(node))
            .collect();
        leaves.sort_unstable();
        leaves.dedup();
        let fewest = self.frame.fewest_leaves(cluster.size.div_ceil(self.slots));
        Held {
            nodes,
            reservations,
            leaves: [leaves.len() as u32, fewest],
        }
    }

    /// Whether its links carry what a job would reserve.
    pub fn carries(&self, held: &Held) -> bool {
        let mut reservations = held.reservations.iter();
        reservations.all(|&(link, need)| need <= self.residual(link))
    }

    /// Calls `see` with every link above these nodes, by level from below, and the machines below
    /// it.
    fn each_link(&self, nodes: &[(u32, u32)], mut see: impl FnMut(LinkId, u32)) {
        let mut below: BTreeMap<u32, u32> = BTreeMap::new();
        for &(node, machines) in nodes {
            see(LinkId(node), machines);
            if let Some(leaf) = self.shape().leaf_of(node) {
                *below.entry(leaf).or_default() += machines;
            }
        }
        // A parent has a larger number than its children.
        while let Some((switch, machines)) = below.pop_first() {
            if let Some(parent) = self.shape().switches()[switch as usize].parent {
                *below.entry(parent).or_default() += machines;
            }
            if let Some(link) = self.uplink(switch) {
                see(link, machines);
            }
        }
    }

    fn count(&mut self, node: u32, change: impl Fn(u32) -> u32) {
        let free = self.free[node as usize];
        let then = change(free);
        self.free[node as usize] = then;
        self.free_total = change(self.free_total);
        let frame = Arc::clone(&self.frame);
        for switch in frame.above(node) {
            let below = &mut self.free_below[switch as usize];
            *below = change(*below);
            let with = switch * (self.slots + 1);
            self.nodes_with[(with + free) as usize] -= 1;
            self.nodes_with[(with + then) as usize] += 1;
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
        for &(node, machines) in &placement.nodes {
            let free = self.free_slots_of(node);
            assert!(
                free >= machines,
                "node{node} has {free} free slots, not the {machines} that {} takes",
                request.index
            );
            self.count(node, |free| free - machines);
        }
        for &(link, need) in &placement.reservations {
            let left = self.residual(link);
            assert!(
                left >= need,
                "{link} has {left} left, not the {need} that {} reserves",
                request.index
            );
            self.reserved[link] += need;
        }
        self.update_offers(placement);
    }

    fn free(&mut self, request: &Request, placement: &Held) {
        for &(node, machines) in &placement.nodes {
            self.count(node, |free| free + machines);
            assert!(
                self.free_slots_of(node) <= self.slots,
                "{} frees more slots of node{node} than were taken",
                request.index
            );
        }
        for &(link, need) in &placement.reservations {
            assert!(
                self.reserved[link] >= need,
                "{} frees more of {link} than was reserved",
                request.index
            );
            self.reserved[link].0 -= need.0;
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

    fn demand(&self, request: &Request, placement: &Held) -> Vec<(LinkId, Kbps)> {
        let cluster = Cluster {
            bandwidth: request.bandwidth,
            ..self.cluster(request)
        };
        let mut demand = Vec::new();
        self.each_link(&placement.nodes, |link, machines| {
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
