//! The subtrees of a fat-tree among which a placement was chosen, as an observer hears of them.
//!
//! They are those of the level of the root: edge switches where it is one or a server, pods or
//! aggregation switches where it is one of these; where it is a core, the pods, of which each takes
//! a part. What each could take is an upper bound as in [`rooms`](super::rooms): no placement
//! exceeds it, and of the servers below one edge switch some split attains it.

use super::fill::rank;
use super::rooms::room;
use super::rules::Rules;
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::place::{Room, Subtree, SubtreeOrder, SubtreeRoot, Subtrees, preference};
use crate::sorting;
use crate::system::fat_tree::{Embedding, FatTree, Switch};

/// Those of a placement that takes the first switch which it fills, servers in ascending order of
/// `key(free slots)`, if it has such an order.
pub(super) fn first_filled(
    tree: &FatTree,
    request: &Request,
    rules: Rules,
    placement: &Embedding,
    key: Option<&dyn Fn(u32) -> u64>,
) -> Subtrees {
    let mut subtrees = by_number(tree, request, rules, placement);
    let cluster = rules.cluster(tree, request);
    let lower = lower_rooms(tree, cluster, placement.switch);
    subtrees.below = lower.into_iter().map(|room| room.most).max();
    if let Switch::Server(server) = placement.switch {
        subtrees.single = Some(server);
    }
    subtrees.order = match placement.switch {
        Switch::Server(_) | Switch::Core { .. } => subtrees.order,
        _ if rules.by_load(tree) => SubtreeOrder::LeastLoaded,
        _ => SubtreeOrder::First,
    };
    if subtrees.order == SubtreeOrder::LeastLoaded {
        let load = |of: &Subtree| rank(tree, rules, switch_of(of.root));
        sorting::by_key(&mut subtrees.list, load);
    }
    if let Some(key) = key.filter(|_| subtrees.single.is_none()) {
        subtrees.preference = preference(tree.slots_per_server(), key);
    }
    subtrees
}

/// Those of a placement with an order of its own.
pub(super) fn by_number(
    tree: &FatTree,
    request: &Request,
    rules: Rules,
    placement: &Embedding,
) -> Subtrees {
    let topology = tree.topology();
    let cluster = rules.cluster(tree, request);
    let taken = |below: Switch| -> u32 {
        let below = topology.servers_below(below);
        let shares = placement.servers.iter();
        let shares = shares.filter(|share| below.contains(&share.0.0));
        shares.map(|share| share.1).sum()
    };
    let own = |room: Room, switch: Switch, is_root: bool| {
        let taken = if is_root { taken(switch) } else { 0 };
        room.subtree(root_of(tree, switch), request.size, taken)
    };
    let list: Vec<Subtree> = match placement.switch {
        Switch::Server(_) | Switch::Edge(_) => (0..topology.edges())
            .map(|edge| own(below_edge(tree, cluster, edge), Switch::Edge(edge), true))
            .collect(),
        root @ Switch::Aggregation { .. } => aggregations(tree)
            .map(|switch| own(below_pod(tree, cluster, switch), switch, switch == root))
            .collect(),
        core @ Switch::Core { j, .. } => (0..topology.pods())
            .map(|pod| {
                let below = below_pod(tree, cluster, Switch::Aggregation { pod, j });
                let link = topology.pod_link(pod, core);
                let most = room(tree, cluster, below.most, link);
                let through = below.through(link, tree.residual(link), most);
                let taken = taken(Switch::Aggregation { pod, j });
                through.subtree(SubtreeRoot::Pod { pod }, request.size, taken)
            })
            .collect(),
    };
    Subtrees {
        order: match placement.switch {
            Switch::Core { .. } => SubtreeOrder::Parts,
            _ => SubtreeOrder::Number,
        },
        ..Subtrees::by_number(request.size, list)
    }
}

/// The switches of the aggregation layer, in the order in which they are tried.
fn aggregations(tree: &FatTree) -> impl Iterator<Item = Switch> {
    let topology = tree.topology();
    (0..topology.pods())
        .flat_map(move |pod| (0..topology.parallel()).map(move |j| Switch::Aggregation { pod, j }))
}

fn root_of(tree: &FatTree, switch: Switch) -> SubtreeRoot {
    match switch {
        Switch::Edge(edge) => SubtreeRoot::Edge { edge },
        Switch::Aggregation { pod, j } if tree.topology().parallel() > 1 => {
            SubtreeRoot::Aggregation { pod, j }
        }
        Switch::Aggregation { pod, .. } => SubtreeRoot::Pod { pod },
        Switch::Server(_) | Switch::Core { .. } => unreachable!("{switch:?} is not listed"),
    }
}

fn switch_of(root: SubtreeRoot) -> Switch {
    match root {
        SubtreeRoot::Edge { edge } => Switch::Edge(edge),
        SubtreeRoot::Pod { pod } => Switch::Aggregation { pod, j: 0 },
        SubtreeRoot::Aggregation { pod, j } => Switch::Aggregation { pod, j },
        SubtreeRoot::Switch { .. } | SubtreeRoot::Loose => unreachable!("of a fat-tree"),
    }
}

/// What the switches of the level below a root could take.
fn lower_rooms(tree: &FatTree, cluster: Cluster, root: Switch) -> Vec<Room> {
    match root {
        Switch::Server(_) | Switch::Edge(_) => Vec::new(),
        Switch::Aggregation { .. } => (0..tree.topology().edges())
            .map(|edge| below_edge(tree, cluster, edge))
            .collect(),
        Switch::Core { .. } => aggregations(tree)
            .map(|switch| below_pod(tree, cluster, switch))
            .collect(),
    }
}

/// What the servers below an edge switch could take.
fn below_edge(tree: &FatTree, cluster: Cluster, edge: u32) -> Room {
    let mut sum = Room::default();
    for server in tree.topology().servers_below(Switch::Edge(edge)) {
        let link = tree.topology().server_link(server);
        let residual = tree.residual(link);
        let alone = Room::free(tree.free_slots(server)).at_most(cluster.size);
        let most = cluster.largest(0, alone.most, residual);
        sum.add(alone.through(link, residual, most));
    }
    sum.at_most(cluster.size)
}

/// What the edge switches below an aggregation switch could take.
fn below_pod(tree: &FatTree, cluster: Cluster, switch: Switch) -> Room {
    let topology = tree.topology();
    let half = topology.half();
    let Switch::Aggregation { pod, .. } = switch else {
        unreachable!("{switch:?} is none")
    };
    let mut sum = Room::default();
    for edge in pod * half..(pod + 1) * half {
        let link = topology.edge_link(edge, switch);
        let below = below_edge(tree, cluster, edge);
        let most = room(tree, cluster, below.most, link);
        sum.add(below.through(link, tree.residual(link), most));
    }
    sum.at_most(cluster.size)
}
