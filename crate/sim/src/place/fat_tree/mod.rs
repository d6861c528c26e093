//! Embedding a virtual cluster in a fat-tree.
//!
//! All placements look at the switches from below (the edge switches, then the aggregation switches
//! by (pod, j), then the cores by (j, i)) and take the first below which the whole cluster fits, so
//! that no link above it is used. They differ in how they fill the
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
    let cluster = cluster(ask);
    let topology = tree.topology();
    if tree.free_total() < ask.size {
        return None;
    }
    let mut try_below = |switch, rooms: &Rooms| {
        let mut servers = fill(switch, rooms)?;
        servers.sort_unstable();
        Some(tree.embedding(cluster, switch, servers))
    };
    for edge in 0..topology.edges() {
        let switch = Switch::Edge(edge);
        if tree.free_below(switch) >= ask.size
            && room_of_servers(tree, cluster, edge) >= ask.size
            && let Some(embedding) = try_below(switch, rooms)
        {
            return Some(embedding);
        }
    }
    rooms.measure(tree, cluster);
    if rooms.total() < ask.size {
        return None;
    }
    let parallel = topology.parallel();
    for pod in 0..topology.pods() {
        for j in 0..parallel {
            if rooms.below_pod(pod, j) >= ask.size
                && let Some(embedding) = try_below(Switch::Aggregation { pod, j }, rooms)
            {
                return Some(embedding);
            }
        }
    }
    for j in 0..parallel {
        for i in 0..parallel {
            if rooms.below_core(tree, j, i) >= ask.size
                && let Some(embedding) = try_below(Switch::Core { j, i }, rooms)
            {
                return Some(embedding);
            }
        }
    }
    None
}

/// The sum of the largest counts that the links of an edge switch's servers allow, up to N.
fn room_of_servers(tree: &FatTree, cluster: Cluster, edge: u32) -> u32 {
    let topology = tree.topology();
    let room = |server| {
        let limit = tree.free_slots(server).min(cluster.size);
        cluster.largest(0, limit, tree.residual(topology.server_link(server)))
    };
    let servers = topology.servers_below(Switch::Edge(edge));
    servers.map(room).sum::<u32>().min(cluster.size)
}

/// Upper bounds on the machines of one cluster below each link.
///
/// The room of a server, an edge switch or a pod is the largest count that its uplink allows, up to
/// the sum of its children's rooms. No placement below a switch can hold more than the sum of its
/// children's rooms, whatever it does; Oktopus fills by them.
#[derive(Clone, Debug)]
struct Rooms {
    cluster: Cluster,
    /// By edge switch, without its uplink, up to N.
    edges: Vec<u32>,
    /// By pod and aggregation switch j, without the links above, up to N.
    pods: Vec<u32>,
    parallel: u32,
}

impl Default for Rooms {
    fn default() -> Self {
        Rooms {
            cluster: NOBODY,
            edges: Vec::new(),
            pods: Vec::new(),
            parallel: 1,
        }
    }
}

impl Rooms {
    fn measure(&mut self, tree: &FatTree, cluster: Cluster) {
        let topology = tree.topology();
        self.cluster = cluster;
        self.parallel = topology.parallel();
        self.edges.clear();
        self.edges.extend((0..topology.edges()).map(
            |edge| match tree.free_below(Switch::Edge(edge)) {
                0 => 0,
                _ => room_of_servers(tree, cluster, edge),
            },
        ));
        self.pods.clear();
        let half = topology.half();
        for pod in 0..topology.pods() {
            for j in 0..self.parallel {
                let switch = Switch::Aggregation { pod, j };
                let edges = pod * half..(pod + 1) * half;
                let rooms = edges.map(|edge| {
                    let link = topology.edge_link(edge, switch);
                    cluster.largest(0, self.edges[edge as usize], tree.residual(link))
                });
                self.pods.push(rooms.sum::<u32>().min(cluster.size));
            }
        }
    }

    /// Of all edge switches together, without their uplinks.
    fn total(&self) -> u32 {
        self.edges.iter().sum()
    }

    /// The sum of the rooms of the edge switches of a pod, seen from its aggregation switch j.
    fn below_pod(&self, pod: u32, j: u32) -> u32 {
        self.pods[(pod * self.parallel + j) as usize]
    }

    /// The sum of the rooms of the pods, seen from core (j, i).
    fn below_core(&self, tree: &FatTree, j: u32, i: u32) -> u32 {
        let topology = tree.topology();
        let rooms = (0..topology.pods()).map(|pod| {
            let link = topology.pod_link(pod, Switch::Core { j, i });
            let below = self.below_pod(pod, j);
            self.cluster.largest(0, below, tree.residual(link))
        });
        rooms.sum()
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
/// The order depends on the free slots alone, so servers are visited bucket by bucket of the
/// ledger's masks, and nothing is sorted but the numbers of free slots. The plain version, which
/// sorts the servers and tries every count, is the reference that tests compare this one with.
///
/// Complexity: O(switches) for the bounds, O(L log L + servers visited) where a switch is filled.
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
    order.clear();
    let occurring = (1..=tree.slots_per_server()).filter(|&free| tree.pods_with(free) != 0);
    order.extend(occurring.map(|free| (key(free), free)));
    order.sort_unstable();
    first_switch(tree, ask, rooms, |switch, _| {
        counts.clear(tree, switch, cluster(ask));
        let mut left = ask.size;
        let mut servers = Vec::new();
        let mut visit = |server| {
            let machines = counts.largest(tree, server, left);
            if machines > 0 {
                counts.add(tree, server, machines);
                servers.push((ServerId(server), machines));
                left -= machines;
            }
            left == 0
        };
        let filled = order
            .chunk_by(|a, b| a.0 == b.0)
            .any(|equal| visit_below(tree, switch, equal, &mut visit));
        filled.then_some(servers)
    })
}

/// Visits the servers below `switch` that have one of these numbers of free slots, by index, until
/// `visit` says that it is enough; returns whether it did.
fn visit_below(
    tree: &FatTree,
    switch: Switch,
    equal: &[(u64, u32)],
    visit: &mut impl FnMut(u32) -> bool,
) -> bool {
    let half = tree.topology().half();
    let mut visit_edge = |edge: u32| {
        let servers = equal
            .iter()
            .fold(0, |mask, &(_, free)| mask | tree.servers_with(edge, free));
        ones(u64::from(servers)).any(|server| visit(edge * half + server))
    };
    let mut visit_pod = |pod: u32| {
        let edges = equal
            .iter()
            .fold(0, |mask, &(_, free)| mask | tree.edges_with(pod, free));
        ones(u64::from(edges)).any(|edge| visit_edge(pod * half + edge))
    };
    match switch {
        Switch::Server(server) => visit(server),
        Switch::Edge(edge) => visit_edge(edge),
        Switch::Aggregation { pod, .. } => visit_pod(pod),
        Switch::Core { .. } => {
            let pods = equal
                .iter()
                .fold(0, |mask, &(_, free)| mask | tree.pods_with(free));
            ones(pods).any(visit_pod)
        }
    }
}

/// The positions of the bits that are set, ascending.
fn ones(mask: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|&mask| mask != 0)
        .map(u64::trailing_zeros)
}

/// Buffers that live from one placement to the next.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// (key, free slots) of the numbers of free slots that occur.
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
