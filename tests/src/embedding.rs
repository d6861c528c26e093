//! Embeddings of virtual clusters, done slowly and plainly.
//!
//! Links are found here from the fat-tree's definition, not from the simulator's numbering: an
//! embedding is a list of (server, machines), and a link is named by its ends.

use std::collections::BTreeMap;

use backfill_sim::id::LinkId;
use backfill_sim::job::Ask;
use backfill_sim::system::System;
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Switch};
use backfill_sim::unit::Kbps;

/// The link ids on the path from `server` up to `switch`, by counting as the fat-tree is defined.
pub(crate) fn path(tree: &FatTree, server: u32, switch: Switch) -> Vec<u32> {
    let topology = tree.topology();
    let (k, h) = (topology.pods(), topology.pods() / 2);
    let servers = k * h * h;
    let (edge, pod) = (server / h, server / (h * h));
    let single = topology.fabric() == Fabric::SingleRoot;
    let edge_link = |j| servers + if single { edge * h + j } else { edge };
    let pod_link = |j, i| match single {
        true => 2 * servers + (pod * h + j) * h + i,
        false => servers + k * h + pod,
    };
    match switch {
        Switch::Server(_) => vec![],
        Switch::Edge(_) => vec![server],
        Switch::Aggregation { j, .. } => vec![server, edge_link(j)],
        Switch::Core { j, i } => vec![server, edge_link(j), pod_link(j, i)],
    }
}

pub(crate) fn servers_below(tree: &FatTree, switch: Switch) -> Vec<u32> {
    let h = tree.topology().pods() / 2;
    (0..tree.topology().pods() * h * h)
        .filter(|server| match switch {
            Switch::Server(only) => *server == only,
            Switch::Edge(edge) => server / h == edge,
            Switch::Aggregation { pod, .. } => server / (h * h) == pod,
            Switch::Core { .. } => true,
        })
        .collect()
}

pub(crate) fn need(below: u32, ask: &Ask) -> Kbps {
    Kbps(u64::from(below.min(ask.size - below)) * ask.bandwidth.0)
}

/// Every switch in the order of Algorithm 1.
pub fn switches(tree: &FatTree) -> Vec<Switch> {
    let topology = tree.topology();
    let (k, h) = (topology.pods(), topology.pods() / 2);
    let parallel = match topology.fabric() {
        Fabric::Aggregated => 1,
        Fabric::SingleRoot => h,
    };
    let mut all: Vec<Switch> = (0..k * h).map(Switch::Edge).collect();
    for pod in 0..k {
        all.extend((0..parallel).map(|j| Switch::Aggregation { pod, j }));
    }
    for j in 0..parallel {
        all.extend((0..parallel).map(|i| Switch::Core { j, i }));
    }
    all
}

/// Algorithm 1 as it is meant: servers below each switch in ascending order of `key(free slots)`,
/// each taking the largest number of machines that every link of its path has room for, found by
/// trying all of them.
pub fn algorithm_1(
    tree: &FatTree,
    ask: &Ask,
    key: impl Fn(u32) -> u64,
) -> Option<(Switch, BTreeMap<u32, u32>)> {
    for switch in switches(tree) {
        let mut servers = servers_below(tree, switch);
        servers.sort_by_key(|&server| key(tree.free_slots(server)));
        let mut placed = BTreeMap::new();
        let mut below: BTreeMap<u32, u32> = BTreeMap::new();
        let mut left = ask.size;
        for server in servers {
            let links = path(tree, server, switch);
            let mut assigned = 0;
            for machines in 1..=left.min(tree.free_slots(server)) {
                if links.iter().all(|link| {
                    let already = below.get(link).copied().unwrap_or(0);
                    need(already + machines, ask) <= tree.residual(LinkId(*link))
                }) {
                    assigned = machines;
                }
            }
            if assigned > 0 {
                for link in links {
                    *below.entry(link).or_default() += assigned;
                }
                placed.insert(server, assigned);
                left -= assigned;
            }
        }
        if left == 0 {
            return Some((switch, placed));
        }
    }
    None
}

/// Machine by machine onto the server whose path would have the smallest largest share taken of a
/// link, among those with a free slot and with room on every link; lowest switch first.
pub fn greedy(tree: &FatTree, ask: &Ask) -> Option<(Switch, BTreeMap<u32, u32>)> {
    switches(tree).into_iter().find_map(|switch| {
        let mut placed: BTreeMap<u32, u32> = BTreeMap::new();
        let mut below: BTreeMap<u32, u32> = BTreeMap::new();
        for _ in 0..ask.size {
            let mut best: Option<((u64, u64), u32)> = None;
            for server in servers_below(tree, switch) {
                if placed.get(&server).copied().unwrap_or(0) == tree.free_slots(server) {
                    continue;
                }
                let mut largest = (0, 1);
                let mut fits = true;
                for link in path(tree, server, switch) {
                    let need = need(below.get(&link).copied().unwrap_or(0) + 1, ask);
                    let (capacity, left) =
                        (tree.links()[link as usize], tree.residual(LinkId(link)));
                    fits &= need <= left;
                    let taken = (capacity.0 - left.0 + need.0, capacity.0);
                    if more(taken, largest) {
                        largest = taken;
                    }
                }
                if fits && best.is_none_or(|(least, _)| more(least, largest)) {
                    best = Some((largest, server));
                }
            }
            let (_, server) = best?;
            *placed.entry(server).or_default() += 1;
            for link in path(tree, server, switch) {
                *below.entry(link).or_default() += 1;
            }
        }
        Some((switch, placed))
    })
}

/// Whether one fraction is more than another.
fn more(a: (u64, u64), b: (u64, u64)) -> bool {
    u128::from(a.0) * u128::from(b.1) > u128::from(b.0) * u128::from(a.1)
}

/// A single server, else below the lowest switch whose subtrees have room: each subtree has the set
/// of counts that its uplink allows, up to the sum of its children's largest, and the children in
/// turn get the largest count of their set that is not more than what is left.
pub fn oktopus(tree: &FatTree, ask: &Ask) -> Option<(Switch, BTreeMap<u32, u32>)> {
    let all = servers_below(tree, Switch::Core { j: 0, i: 0 });
    let alone = all
        .iter()
        .find(|&&server| tree.free_slots(server) >= ask.size);
    if let Some(&server) = alone {
        return Some((Switch::Server(server), BTreeMap::from([(server, ask.size)])));
    }
    switches(tree).into_iter().find_map(|switch| {
        let below = servers_below(tree, switch);
        let depth = path(tree, below[0], switch).len();
        let mut placed = BTreeMap::new();
        let found = allocate(tree, ask, switch, depth, &below, ask.size, &mut placed);
        (found == ask.size).then_some((switch, placed))
    })
}

/// The subtrees below the subtree of `servers` at `depth`, each with its uplink: single servers at
/// depth 1, edge switches at depth 2, pods at depth 3.
fn children(tree: &FatTree, root: Switch, depth: usize, servers: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let mut children: Vec<(u32, Vec<u32>)> = Vec::new();
    for &server in servers {
        let uplink = path(tree, server, root)[depth - 1];
        match children.last_mut() {
            Some((link, servers)) if *link == uplink => servers.push(server),
            _ => children.push((uplink, vec![server])),
        }
    }
    children
}

/// The counts that a subtree at `depth` could take by the largest counts of its children.
fn counts(tree: &FatTree, ask: &Ask, root: Switch, depth: usize, servers: &[u32]) -> Vec<u32> {
    let most = match depth {
        0 => tree.free_slots(servers[0]),
        _ => children(tree, root, depth, servers)
            .iter()
            .map(|(link, below)| largest(tree, ask, root, depth - 1, below, *link, ask.size))
            .sum(),
    };
    (0..=most.min(ask.size)).collect()
}

/// The largest of a subtree's counts that its uplink allows and that is not more than `limit`.
fn largest(
    tree: &FatTree,
    ask: &Ask,
    root: Switch,
    depth: usize,
    servers: &[u32],
    uplink: u32,
    limit: u32,
) -> u32 {
    let residual = tree.residual(LinkId(uplink));
    let mut counts = counts(tree, ask, root, depth, servers);
    counts.retain(|&count| count <= limit && need(count, ask) <= residual);
    counts.pop().expect("none is always possible")
}

fn allocate(
    tree: &FatTree,
    ask: &Ask,
    root: Switch,
    depth: usize,
    servers: &[u32],
    limit: u32,
    placed: &mut BTreeMap<u32, u32>,
) -> u32 {
    if depth == 0 {
        if limit > 0 {
            placed.insert(servers[0], limit);
        }
        return limit;
    }
    let mut left = limit;
    for (link, below) in children(tree, root, depth, servers) {
        let share = largest(tree, ask, root, depth - 1, &below, link, left);
        left -= allocate(tree, ask, root, depth - 1, &below, share, placed);
    }
    limit - left
}

/// Whether any embedding exists, by trying every split of the machines over the servers below
/// every switch: only for very small trees.
pub fn exhaustive(tree: &FatTree, ask: &Ask) -> bool {
    fn split(
        tree: &FatTree,
        ask: &Ask,
        switch: Switch,
        servers: &[u32],
        left: u32,
        below: &mut BTreeMap<u32, u32>,
    ) -> bool {
        let Some((&server, others)) = servers.split_first() else {
            return left == 0
                && below
                    .iter()
                    .all(|(&link, &count)| need(count, ask) <= tree.residual(LinkId(link)));
        };
        (0..=left.min(tree.free_slots(server))).any(|machines| {
            let links = path(tree, server, switch);
            for link in &links {
                *below.entry(*link).or_default() += machines;
            }
            let found = split(tree, ask, switch, others, left - machines, below);
            for link in &links {
                *below.entry(*link).or_default() -= machines;
            }
            found
        })
    }
    let alone = servers_below(tree, Switch::Core { j: 0, i: 0 })
        .iter()
        .any(|&server| tree.free_slots(server) >= ask.size);
    alone
        || switches(tree).into_iter().any(|switch| {
            let servers = servers_below(tree, switch);
            split(tree, ask, switch, &servers, ask.size, &mut BTreeMap::new())
        })
}

/// What is wrong with an embedding in the present state of the tree; `None` if nothing is. The
/// demand of each link is recomputed from the machines below it.
pub fn fault(tree: &FatTree, ask: &Ask, embedding: &Embedding) -> Option<String> {
    let machines: u32 = embedding.servers.iter().map(|share| share.1).sum();
    if machines != ask.size {
        return Some(format!("{machines} machines instead of {}", ask.size));
    }
    let allowed = servers_below(tree, embedding.switch);
    let mut below: BTreeMap<u32, u32> = BTreeMap::new();
    for &(server, machines) in &embedding.servers {
        if !allowed.contains(&server.0) {
            return Some(format!("{server} is not below {:?}", embedding.switch));
        }
        if machines == 0 || machines > tree.free_slots(server.0) {
            return Some(format!("{machines} machines on {server}"));
        }
        for link in path(tree, server.0, embedding.switch) {
            *below.entry(link).or_default() += machines;
        }
    }
    let demand: Vec<(LinkId, Kbps)> = below
        .into_iter()
        .map(|(link, count)| (LinkId(link), need(count, ask)))
        .filter(|(_, need)| *need > Kbps(0))
        .collect();
    let mut reserved = embedding.reservations.clone();
    reserved.sort_unstable_by_key(|(link, _)| *link);
    if demand != reserved {
        return Some(format!("reserves {reserved:?}, needs {demand:?}"));
    }
    demand
        .into_iter()
        .find(|&(link, need)| need > tree.residual(link))
        .map(|(link, need)| format!("{link} lacks room for {need}"))
}
