//! The subtrees of a tree among which a placement was chosen, as an observer hears of them.
//!
//! They are the leaves where the lowest switch above all nodes taken is one; else the switches of
//! its level, where there are several, or those right below it, of which each takes a part. What
//! each could take is an upper bound as in [`fill`](super::fill): no placement exceeds it, and of
//! the nodes of one leaf some split attains it.

use super::fill::room_of;
use super::whole;
use crate::id::LinkId;
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::place::{Room, Subtree, SubtreeOrder, SubtreeRoot, Subtrees, preference};
use crate::system::tree::{Held, Tree};

/// Those of a placement that takes the first site which it fills, nodes in ascending order of
/// `key(free slots)`, if it has such an order.
pub(super) fn first_filled(
    tree: &Tree,
    request: &Request,
    placement: &Held,
    key: Option<&dyn Fn(u32) -> u64>,
) -> Subtrees {
    let cluster = tree.cluster(request);
    let rooms = rooms(tree, cluster);
    let mut subtrees = listed(tree, cluster, placement, &rooms);
    if let Some(root) = root_of(tree, placement) {
        let level = tree.shape().level(root);
        let loose = room_of_loose(tree, cluster).most;
        let lower = (0..).zip(&rooms);
        let lower = lower.filter(|&(switch, _)| tree.shape().level(switch) < level);
        let most = lower.map(|of| of.1.most).max();
        subtrees.below = most.map(|most| most.max(loose));
    }
    if subtrees.order != SubtreeOrder::Parts {
        subtrees.order = SubtreeOrder::First;
    }
    if let Some(key) = key.filter(|_| placement.nodes.len() > 1) {
        subtrees.preference = preference(tree.slots_per_node(), key);
    }
    subtrees
}

/// Those of a placement with an order of its own.
pub(super) fn by_number(tree: &Tree, request: &Request, placement: &Held) -> Subtrees {
    let cluster = tree.cluster(request);
    listed(tree, cluster, placement, &rooms(tree, cluster))
}

/// The leaves, for a placement of whole nodes.
pub(super) fn leaves_of_whole_nodes(tree: &Tree, request: &Request, placement: &Held) -> Subtrees {
    let needed = whole::needed(tree, request);
    let taken_in = |leaf: Option<u32>| {
        let nodes = placement.nodes.iter();
        let in_leaf = nodes.filter(|share| tree.shape().leaf_of(share.0) == leaf);
        in_leaf.count() as u32
    };
    let leaves = 0..tree.shape().leaves().len() as u32;
    let mut list: Vec<Subtree> = leaves
        .map(|leaf| {
            let idle = Room::free(tree.idle_in(leaf)).at_most(needed);
            let switch = SubtreeRoot::Switch { switch: leaf };
            idle.subtree(switch, needed, taken_in(Some(leaf)))
        })
        .collect();
    let loose = tree.shape().loose().filter(|&node| tree.is_idle(node));
    if tree.shape().loose().next().is_some() {
        let idle = Room::free(loose.count() as u32).at_most(needed);
        list.push(idle.subtree(SubtreeRoot::Loose, needed, taken_in(None)));
    }
    Subtrees {
        whole_nodes: true,
        ..Subtrees::by_number(needed, list)
    }
}

/// The lowest switch above all nodes of a placement; `None` where one is in no switch.
fn root_of(tree: &Tree, placement: &Held) -> Option<u32> {
    let shape = tree.shape();
    let mut leaves = placement.nodes.iter().map(|share| shape.leaf_of(share.0));
    let mut above: Vec<u32> = shape.chain(leaves.next()??).collect();
    for leaf in leaves {
        let other: Vec<u32> = shape.chain(leaf?).collect();
        above.retain(|switch| other.contains(switch));
    }
    above.first().copied()
}

/// The subtrees that are listed for a placement, by number.
fn listed(tree: &Tree, cluster: Cluster, placement: &Held, rooms: &[Room]) -> Subtrees {
    let shape = tree.shape();
    let root = root_of(tree, placement);
    let level = root.map_or(0, |root| shape.level(root));
    let taken_below = |switch: u32| -> u32 {
        let below = tree.nodes_below(switch);
        let shares = placement.nodes.iter();
        let shares = shares.filter(|share| below.binary_search(&share.0).is_ok());
        shares.map(|share| share.1).sum()
    };
    let own = |switch: u32, room: Room| {
        let root = SubtreeRoot::Switch { switch };
        room.subtree(root, cluster.size, taken_below(switch))
    };
    let switches = 0..shape.switches().len() as u32;
    let mut peers: Vec<u32> = switches
        .filter(|&switch| shape.level(switch) == level)
        .collect();
    let mut list: Vec<Subtree> = Vec::new();
    let mut order = SubtreeOrder::Number;
    if let Some(root) = root.filter(|_| level > 0 && peers.len() == 1) {
        order = SubtreeOrder::Parts;
        peers.clear();
        for child in shape.own_children(root) {
            list.push(own(child, through(tree, cluster, child, rooms)));
        }
    }
    list.extend(
        peers
            .into_iter()
            .map(|peer| own(peer, rooms[peer as usize])),
    );
    if level == 0 && shape.loose().next().is_some() {
        let is_loose = |share: &&(u32, u32)| shape.leaf_of(share.0).is_none();
        let taken = placement.nodes.iter().filter(is_loose);
        let taken = taken.map(|share| share.1).sum();
        let loose = room_of_loose(tree, cluster);
        list.push(loose.subtree(SubtreeRoot::Loose, cluster.size, taken));
    }
    Subtrees {
        order,
        ..Subtrees::by_number(cluster.size, list)
    }
}

/// What is below each switch could take, without its uplink.
fn rooms(tree: &Tree, cluster: Cluster) -> Vec<Room> {
    let mut rooms: Vec<Room> = Vec::with_capacity(tree.shape().switches().len());
    for (number, switch) in (0..).zip(tree.shape().switches()) {
        let mut sum = Room::default();
        for &node in &switch.nodes {
            let link = LinkId(node);
            let alone = Room::free(tree.free_slots_of(node)).at_most(cluster.size);
            let most = room_of(tree, cluster, node);
            sum.add(alone.through(link, tree.residual(link), most));
        }
        for child in tree.shape().own_children(number) {
            sum.add(through(tree, cluster, child, &rooms));
        }
        rooms.push(sum.at_most(cluster.size));
    }
    rooms
}

/// What is below a switch could take through its uplink.
fn through(tree: &Tree, cluster: Cluster, switch: u32, rooms: &[Room]) -> Room {
    let room = rooms[switch as usize];
    let Some(link) = tree.uplink(switch) else {
        return room;
    };
    let residual = tree.residual(link);
    room.through(link, residual, cluster.largest(0, room.most, residual))
}

/// What a node in no switch could take: the one with the most free slots, since it is alone.
fn room_of_loose(tree: &Tree, cluster: Cluster) -> Room {
    let free = tree.shape().loose().map(|node| tree.free_slots_of(node));
    Room::free(free.max().unwrap_or(0)).at_most(cluster.size)
}
