//! Embedding a virtual cluster in a fat-tree.
//!
//! All placements look at the switches from below ([`Topology::switches`]) and take the first below
//! which the whole cluster fits, so that no link above it is used. They differ in how they fill the
//! servers below a switch:
//!
//! - [`adaba`]: servers by the bandwidth-aware weight
//! - [`best_fit`]: the fullest server first
//! - [`first_fit`]: by server index
//! - [`greedy`]: machine by machine, the least occupied path first
//! - [`oktopus`]: subtree by subtree; a single server first
//! - [`exact`]: no placement: whether an embedding exists at all
//!
//! The first three are one loop, [`fill_in_order`]. Server after server takes the largest number of
//! machines that passes the hose test on **every** link of its path, counting the machines already
//! below each link. That is sound (the last server added below a link tests the link's final count)
//! and not complete (see [`exact`]).
//!
//! Source: paper 1, section 4.1, Algorithm 1. Departures, where the printed algorithm cannot be
//! meant: the bound of line 13 is `≤`, `assigned` starts at 0 for each server, line 18 subtracts,
//! and a server without a free slot is passed over.
//!
//! [`Topology::switches`]: crate::system::fat_tree::Topology::switches

pub mod adaba;
pub mod best_fit;
pub mod exact;
pub mod first_fit;
pub mod greedy;
pub mod oktopus;

pub use adaba::Adaba;
pub use best_fit::BestFit;
pub use first_fit::FirstFit;
pub use greedy::Greedy;
pub use oktopus::Oktopus;

use crate::id::ServerId;
use crate::job::Ask;
use crate::system::fat_tree::hose::Cluster;
use crate::system::fat_tree::{Embedding, FatTree, Switch};

/// The virtual cluster that a job asks for.
fn cluster(ask: &Ask) -> Cluster {
    Cluster {
        size: ask.size,
        bandwidth: ask.bandwidth,
    }
}

/// The first switch below which `fill` finds room for the whole cluster. A switch with fewer free
/// slots below it than the cluster has machines is not looked at.
fn first_switch(
    tree: &FatTree,
    ask: &Ask,
    mut fill: impl FnMut(Switch) -> Option<Vec<(ServerId, u32)>>,
) -> Option<Embedding> {
    if tree.free_total() < ask.size {
        return None;
    }
    tree.topology().switches().find_map(|switch| {
        if tree.free_below(switch) < ask.size {
            return None;
        }
        let mut servers = fill(switch)?;
        servers.sort_unstable();
        Some(tree.embedding(cluster(ask), switch, servers))
    })
}

/// Fills the servers below each switch in ascending order of `key(free slots)`, equal keys by
/// server index.
///
/// Complexity: O(switches · servers below · log), no allocation but the answer's.
fn fill_in_order(
    tree: &FatTree,
    ask: &Ask,
    scratch: &mut Scratch,
    key: impl Fn(u32) -> u64,
) -> Option<Embedding> {
    let Scratch { order, counts } = scratch;
    first_switch(tree, ask, |switch| {
        order.clear();
        order.extend(
            tree.topology()
                .servers_below(switch)
                .map(|server| (tree.free_slots(server), server))
                .filter(|&(free, _)| free > 0)
                .map(|(free, server)| (key(free), server)),
        );
        order.sort_unstable();
        counts.clear(tree, switch, cluster(ask));
        let mut left = ask.size;
        let mut servers = Vec::new();
        for &(_, server) in order.iter() {
            let machines = counts.largest(tree, server, left);
            if machines > 0 {
                counts.add(tree, server, machines);
                servers.push((ServerId(server), machines));
                left -= machines;
                if left == 0 {
                    return Some(servers);
                }
            }
        }
        None
    })
}

/// Buffers that live from one placement to the next.
#[derive(Clone, Debug, Default)]
struct Scratch {
    order: Vec<(u64, u32)>,
    counts: Counts,
}

/// How many machines of one cluster are already below each link between its servers and `switch`.
#[derive(Clone, Debug)]
struct Counts {
    cluster: Cluster,
    switch: Switch,
    below_edge: Vec<u32>,
    below_pod: Vec<u32>,
}

impl Default for Counts {
    fn default() -> Self {
        Counts {
            cluster: Cluster {
                size: 0,
                bandwidth: crate::unit::Kbps(0),
            },
            switch: Switch::Edge(0),
            below_edge: Vec::new(),
            below_pod: Vec::new(),
        }
    }
}

impl Counts {
    /// No machine anywhere below `switch`.
    fn clear(&mut self, tree: &FatTree, switch: Switch, cluster: Cluster) {
        self.cluster = cluster;
        self.switch = switch;
        let topology = tree.topology();
        self.below_edge.clear();
        self.below_pod.clear();
        if !matches!(switch, Switch::Edge(_)) {
            self.below_edge.resize(topology.edges() as usize, 0);
            self.below_pod.resize(topology.pods() as usize, 0);
        }
    }

    /// The largest number of machines, at most `left`, that `server` (holding none yet) can take.
    fn largest(&self, tree: &FatTree, server: u32, left: u32) -> u32 {
        let cluster = self.cluster;
        let topology = tree.topology();
        let mut machines = left.min(tree.free_slots(server));
        let residual = tree.residual(topology.server_link(server));
        if matches!(self.switch, Switch::Edge(_)) {
            return cluster.largest(0, machines, residual);
        }
        let edge = topology.edge_of(server);
        let edge_link = topology.edge_link(edge, self.switch);
        let pod = topology.pod_of(edge);
        loop {
            let limit = machines;
            machines = cluster.largest(0, machines, residual);
            machines = cluster.largest(
                self.below_edge[edge as usize],
                machines,
                tree.residual(edge_link),
            );
            if matches!(self.switch, Switch::Core { .. }) {
                machines = cluster.largest(
                    self.below_pod[pod as usize],
                    machines,
                    tree.residual(topology.pod_link(pod, self.switch)),
                );
            }
            if machines == limit || machines == 0 {
                return machines;
            }
        }
    }

    /// `machines` more on `server`.
    fn add(&mut self, tree: &FatTree, server: u32, machines: u32) {
        if matches!(self.switch, Switch::Edge(_)) {
            return;
        }
        let edge = tree.topology().edge_of(server);
        self.below_edge[edge as usize] += machines;
        self.below_pod[tree.topology().pod_of(edge) as usize] += machines;
    }
}
