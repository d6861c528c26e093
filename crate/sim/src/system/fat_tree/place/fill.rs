//! The first switch below which a whole cluster fits, and its servers filled in the order of a key.
//!
//! Server after server takes the largest number of machines that passes the hose test on **every**
//! link of its path, counting the machines already below each link. That is sound (the last server
//! added below a link tests the link's final count) and not complete (see [`exact`](super::exact)).
//!
//! Source: paper 1, section 4.1, Algorithm 1. Departures, where the printed algorithm cannot be
//! meant: the bound of line 13 is `≤`, `assigned` starts at 0 for each server, line 18 subtracts,
//! and a server without a free slot is passed over.

use super::occupation::Counts;
use super::rooms::{Rooms, ones, room_of_servers};
use super::rules::Rules;
use crate::id::{LinkId, ServerId};
use crate::job::Request;
use crate::machine::System;
use crate::machine::hose::Cluster;
use crate::system::fat_tree::{Embedding, FatTree, Reservation, Switch};
use std::iter;

/// The first switch below which `fill` finds room for the whole cluster. A switch that its
/// [`Rooms`] rule out is not tried. A switch whose links do not carry what `fill` finds is skipped:
/// placements that fill by rooms know only largest counts, so a child that takes less than its
/// share can end in the gap of its uplink, and sums can exceed what counts allow. The printed
/// interpretation tests no shared link.
pub(super) fn first_switch(
    tree: &FatTree,
    cluster: Cluster,
    rules: Rules,
    rooms: &mut Rooms,
    mut fill: impl FnMut(Switch, &Rooms) -> Option<Vec<(ServerId, u32)>>,
) -> Option<Embedding> {
    let topology = tree.topology();
    let size = cluster.size;
    if tree.free_total() < size {
        return None;
    }
    if rules.single_server_first {
        let single = (0..topology.servers()).find(|&server| tree.free_slots(server) >= size);
        if let Some(server) = single {
            let alone = vec![(ServerId(server), size)];
            return Some(tree.embedding(cluster, Switch::Server(server), alone));
        }
    }
    let mut first = |mut candidates: &mut dyn Iterator<Item = Switch>, rooms: &Rooms| {
        let mut embed = |switch| {
            let mut servers = fill(switch, rooms)?;
            servers.sort_unstable();
            let embedding = tree.embedding(cluster, switch, servers);
            let mut reservations = embedding.reservations.iter();
            let carried = tree.reservation() == Reservation::Literal
                || reservations.all(|&(link, need)| need <= tree.residual(link));
            carried.then_some(embedding)
        };
        if rules.by_load(tree) {
            let mut ranked: Vec<_> = candidates.map(|c| rank(tree, rules, c)).collect();
            ranked.sort_unstable();
            ranked.into_iter().find_map(|(_, switch)| embed(switch))
        } else {
            (&mut candidates).find_map(embed)
        }
    };
    if let Some(embedding) = first(&mut edges(tree, cluster), rooms) {
        return Some(embedding);
    }
    rooms.measure(tree, cluster);
    if rooms.total() < size {
        return None;
    }
    if let Some(embedding) = first(&mut aggregations(tree, rooms, size), rooms) {
        return Some(embedding);
    }
    first(&mut cores(tree, rooms, size), rooms)
}

/// The edge switches whose servers may take the whole cluster.
fn edges(tree: &FatTree, cluster: Cluster) -> impl Iterator<Item = Switch> {
    let mut next = 0;
    // Most are passed over: to call a filter for each would take as long as the comparison.
    iter::from_fn(move || {
        while next < tree.topology().edges() {
            let edge = next;
            next += 1;
            if tree.free_below(Switch::Edge(edge)) >= cluster.size
                && tree.offer(edge).may_take_all(cluster)
                && room_of_servers(tree, cluster, edge).total >= cluster.size
            {
                return Some(Switch::Edge(edge));
            }
        }
        None
    })
}

/// The aggregation switches that have room for `size` machines.
fn aggregations(tree: &FatTree, rooms: &Rooms, size: u32) -> impl Iterator<Item = Switch> {
    let (pods, parallel) = (tree.topology().pods(), tree.topology().parallel());
    (0..pods)
        .flat_map(move |pod| (0..parallel).map(move |j| (pod, j)))
        .filter(move |&(pod, j)| rooms.below_pod(pod, j) >= size)
        .map(|(pod, j)| Switch::Aggregation { pod, j })
}

/// The core switches that have room for `size` machines.
fn cores(tree: &FatTree, rooms: &Rooms, size: u32) -> impl Iterator<Item = Switch> {
    let parallel = tree.topology().parallel();
    (0..parallel)
        .map(|j| (j, rooms.below_cores(j)))
        .filter(move |&(_, most)| most >= size)
        .flat_map(move |(j, most)| (0..parallel).map(move |i| (j, i, most)))
        .filter(|&(j, i, most)| rooms.reach_below_core(tree, j, i, most))
        .map(|(j, i, _)| Switch::Core { j, i })
}

/// By what the switches of one level are tried, the smallest first.
pub(super) fn rank(tree: &FatTree, rules: Rules, switch: Switch) -> (u64, Switch) {
    if rules.by_load(tree) {
        (load(tree, switch), switch)
    } else {
        (0, switch)
    }
}

/// The bandwidth reserved on the links of `switch` to the layer below.
fn load(tree: &FatTree, switch: Switch) -> u64 {
    let topology = tree.topology();
    let half = topology.half();
    let sum = |links: &mut dyn Iterator<Item = LinkId>| links.map(|l| tree.reserved(l).0).sum();
    match switch {
        Switch::Server(_) => 0,
        Switch::Edge(_) => {
            let servers = topology.servers_below(switch);
            sum(&mut servers.map(|server| topology.server_link(server)))
        }
        Switch::Aggregation { pod, .. } => {
            let edges = pod * half..(pod + 1) * half;
            sum(&mut edges.map(|edge| topology.edge_link(edge, switch)))
        }
        Switch::Core { .. } => {
            sum(&mut (0..topology.pods()).map(|pod| topology.pod_link(pod, switch)))
        }
    }
}

/// Fills the servers below each switch in ascending order of `key(free slots)`, equal keys by
/// server index.
///
/// The order depends only on free slots, so servers are visited by buckets of the ledger's masks,
/// and only the numbers of free slots are sorted. Tests compare this with a plain version that
/// sorts the servers and tries every count.
///
/// Complexity: O(switches) for the bounds, O(L log L + servers visited) where a switch is filled.
pub(super) fn fill_in_order(
    tree: &FatTree,
    request: &Request,
    rules: Rules,
    scratch: &mut Scratch,
    key: impl Fn(u32) -> u64,
) -> Option<Embedding> {
    let cluster = rules.cluster(tree, request);
    let Scratch {
        order,
        counts,
        rooms,
        servers,
    } = scratch;
    order.clear();
    for free in 1..=tree.slots_per_server() {
        if tree.pods_with(free) != 0 {
            order.push((key(free), free));
        }
    }
    order.sort_unstable();
    first_switch(tree, cluster, rules, rooms, |switch, rooms| {
        counts.clear(tree, switch, cluster);
        let mut left = request.size;
        servers.clear();
        let mut visit = |server| {
            let machines = counts.largest(tree, server, left);
            if machines > 0 {
                counts.add(tree, server, 0, machines);
                servers.push((ServerId(server), machines));
                left -= machines;
            }
            left == 0
        };
        let filled = order
            .chunk_by(|a, b| a.0 == b.0)
            .any(|equal| visit_below(tree, rooms, switch, equal, &mut visit));
        filled.then(|| servers.clone())
    })
}

/// Whether [`fill_in_order`] finds room for the whole cluster in an empty tree, by whatever key:
/// its servers are alike there, so that they are filled one after the other, below whichever switch.
/// `None` where jobs are running, or links above the servers may bind.
pub(super) fn fills_empty(tree: &FatTree, cluster: Cluster) -> Option<bool> {
    if !tree.servers_decide() || u64::from(tree.free_total()) < tree.slots() {
        return None;
    }
    let residual = tree.residual(tree.topology().server_link(0));
    let mut left = cluster.size;
    for _ in 0..tree.topology().servers() {
        let machines = cluster.largest(0, left.min(tree.slots_per_server()), residual);
        left -= machines;
        if left == 0 || machines == 0 {
            break;
        }
    }
    Some(left == 0)
}

/// Visits the servers below `switch` that have one of these numbers of free slots, by index, until
/// `visit` says that it is enough; returns whether it did. Above an edge switch, servers without
/// room are passed over.
fn visit_below(
    tree: &FatTree,
    rooms: &Rooms,
    switch: Switch,
    equal: &[(u64, u32)],
    visit: &mut impl FnMut(u32) -> bool,
) -> bool {
    let half = tree.topology().half();
    let usable = &rooms.usable;
    let mut visit_edge = |edge: u32, with_room: u32| {
        let servers = equal
            .iter()
            .fold(0, |mask, &(_, free)| mask | tree.servers_with(edge, free));
        ones(u64::from(servers & with_room)).any(|server| visit(edge * half + server))
    };
    let mut visit_pod = |pod: u32| {
        let edges = equal
            .iter()
            .fold(0, |mask, &(_, free)| mask | tree.edges_with(pod, free));
        ones(u64::from(edges & usable.edges[pod as usize])).any(|edge| {
            let edge = pod * half + edge;
            visit_edge(edge, usable.servers[edge as usize])
        })
    };
    match switch {
        Switch::Server(server) => visit(server),
        Switch::Edge(edge) => visit_edge(edge, u32::MAX),
        Switch::Aggregation { pod, .. } => visit_pod(pod),
        Switch::Core { .. } => {
            let pods = equal
                .iter()
                .fold(0, |mask, &(_, free)| mask | tree.pods_with(free));
            ones(pods & usable.pods).any(visit_pod)
        }
    }
}

/// Buffers that live from one placement to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// (key, free slots) of the numbers of free slots that occur.
    order: Vec<(u64, u32)>,
    counts: Counts,
    rooms: Rooms,
    servers: Vec<(ServerId, u32)>,
}
