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

/// The first switch below which `fill` finds room for the whole cluster. A switch that the
/// [`Rooms`] below it rule out is not looked at.
fn first_switch(
    tree: &FatTree,
    ask: &Ask,
    rooms: &mut Rooms,
    mut fill: impl FnMut(Switch, &Rooms) -> Option<Vec<(ServerId, u32)>>,
) -> Option<Embedding> {
    if tree.free_total() < ask.size {
        return None;
    }
    rooms.measure(tree, cluster(ask));
    tree.topology().switches().find_map(|switch| {
        if tree.free_below(switch) < ask.size || rooms.below(tree, switch) < ask.size {
            return None;
        }
        let mut servers = fill(switch, rooms)?;
        servers.sort_unstable();
        Some(tree.embedding(cluster(ask), switch, servers))
    })
}

/// Upper bounds on the machines of one cluster below each link.
///
/// The room of a server, an edge switch or a pod is the largest count that its uplink allows, up to
/// the sum of its children's rooms. No placement below a switch can hold more than the sum of its
/// children's rooms, whatever it does; Oktopus fills by them.
#[derive(Clone, Debug)]
struct Rooms {
    cluster: Cluster,
    /// By server, through the server's link.
    servers: Vec<u32>,
    /// By edge switch, without its uplink, up to N.
    edges: Vec<u32>,
}

impl Default for Rooms {
    fn default() -> Self {
        Rooms {
            cluster: NOBODY,
            servers: Vec::new(),
            edges: Vec::new(),
        }
    }
}

impl Rooms {
    fn measure(&mut self, tree: &FatTree, cluster: Cluster) {
        let topology = tree.topology();
        self.cluster = cluster;
        self.servers.clear();
        self.servers.extend((0..topology.servers()).map(|server| {
            let limit = tree.free_slots(server).min(cluster.size);
            cluster.largest(0, limit, tree.residual(topology.server_link(server)))
        }));
        self.edges.clear();
        let edges = self.servers.chunks(topology.half() as usize);
        self.edges
            .extend(edges.map(|servers| servers.iter().sum::<u32>().min(cluster.size)));
    }

    /// The sum of the rooms of the children of `switch`, up to N.
    fn below(&self, tree: &FatTree, switch: Switch) -> u32 {
        let topology = tree.topology();
        match switch {
            Switch::Server(server) => self.servers[server as usize],
            Switch::Edge(edge) => self.edges[edge as usize],
            Switch::Aggregation { pod, .. } => self.below_pod(tree, pod, switch),
            Switch::Core { .. } => {
                self.capped_sum((0..topology.pods()).map(|pod| self.pod(tree, pod, switch)))
            }
        }
    }

    /// The room of an edge switch seen from `root`.
    fn edge(&self, tree: &FatTree, edge: u32, root: Switch) -> u32 {
        let link = tree.topology().edge_link(edge, root);
        let below = self.edges[edge as usize];
        self.cluster.largest(0, below, tree.residual(link))
    }

    /// The room of a pod seen from `root`.
    fn pod(&self, tree: &FatTree, pod: u32, root: Switch) -> u32 {
        let link = tree.topology().pod_link(pod, root);
        let below = self.below_pod(tree, pod, root);
        self.cluster.largest(0, below, tree.residual(link))
    }

    fn below_pod(&self, tree: &FatTree, pod: u32, root: Switch) -> u32 {
        let half = tree.topology().half();
        self.capped_sum((pod * half..(pod + 1) * half).map(|edge| self.edge(tree, edge, root)))
    }

    fn capped_sum(&self, rooms: impl Iterator<Item = u32>) -> u32 {
        rooms.sum::<u32>().min(self.cluster.size)
    }
}

/// The cluster of a buffer that nothing was measured for yet.
const NOBODY: Cluster = Cluster {
    size: 0,
    bandwidth: crate::unit::Kbps(0),
};

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
    let Scratch {
        order,
        counts,
        rooms,
    } = scratch;
    first_switch(tree, ask, rooms, |switch, rooms| {
        order.clear();
        order.extend(
            tree.topology()
                .servers_below(switch)
                .filter(|&server| rooms.servers[server as usize] > 0)
                .map(|server| (key(tree.free_slots(server)), server)),
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
    rooms: Rooms,
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
            cluster: NOBODY,
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
