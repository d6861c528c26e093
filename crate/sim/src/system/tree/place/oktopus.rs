//! Oktopus: the lowest subtree that has room, filled child by child.
//!
//! *Decides*: single nodes first, by their order: a cluster that fits one uses no link. Then the
//! switches from below; where the room of one reaches N, its children each get the largest count
//! that their uplink allows, at most what remains. *Ties*: none. *Complexity*: O(switches · nodes
//! below). *Source*: H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, "Towards predictable
//! datacenter networks", SIGCOMM 2011, as on the fat-tree.

use super::fill::{Rooms, Site, first_site, room_of};
use super::{exact, subtrees};
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::place::{Placer, SubtreeOrder, Subtrees};
use crate::system::tree::{Held, Tree};

/// The virtual-cluster placement of Oktopus.
#[derive(Clone, Debug)]
pub struct Oktopus;

impl Placer<Tree> for Oktopus {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        let cluster = tree.cluster(request);
        let mut all = 0..tree.shape().nodes();
        if let Some(node) = all.find(|&node| tree.free_slots_of(node) >= cluster.size) {
            return Some(tree.held(cluster, vec![(node, cluster.size)]));
        }
        first_site(tree, cluster, &mut Rooms::default(), |site, rooms| {
            let Site::Switch(root) = site else {
                return None;
            };
            let mut nodes = Vec::new();
            let placed = fill(tree, cluster, rooms, root, cluster.size, &mut nodes);
            (placed == cluster.size).then_some(nodes)
        })
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        Some(exact::exists(tree, request))
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        let mut chosen = subtrees::first_filled(tree, request, placement, None);
        if let [(node, _)] = placement.nodes[..] {
            chosen.order = SubtreeOrder::Number;
            chosen.single = Some(node);
        }
        Some(chosen)
    }
}

/// Places up to `limit` machines below a switch, child by child; returns how many.
fn fill(
    tree: &Tree,
    cluster: Cluster,
    rooms: &Rooms,
    switch: u32,
    limit: u32,
    nodes: &mut Vec<(u32, u32)>,
) -> u32 {
    let mut placed = 0;
    for &node in &tree.shape().switches()[switch as usize].nodes {
        let left = limit - placed;
        let most = room_of(tree, cluster, node);
        let share = match most <= left {
            true => most,
            false => cluster.largest(0, left, tree.residual(crate::id::LinkId(node))),
        };
        if share > 0 {
            nodes.push((node, share));
            placed += share;
        }
    }
    for child in tree.shape().own_children(switch) {
        let share = rooms.through(tree, cluster, child, limit - placed);
        placed += fill(tree, cluster, rooms, child, share, nodes);
    }
    placed
}
