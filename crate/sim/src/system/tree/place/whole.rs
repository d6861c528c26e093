//! Whole nodes: what Slurm's placements take, one job to a node.

use crate::job::Request;
use crate::system::tree::{Held, Tree};

/// How many nodes a job needs.
pub(super) fn needed(tree: &Tree, request: &Request) -> u32 {
    request.size.div_ceil(tree.slots_per_node())
}

/// Whether a job has room on whole nodes; only too few of them decide that.
pub(super) fn exists(tree: &Tree, request: &Request) -> Option<bool> {
    ((tree.idle_nodes().count() as u32) < needed(tree, request)).then_some(false)
}

/// What a job holds on these nodes, as many as it needs: all slots, but on the last what is left.
/// `None` where links do not carry it.
pub(super) fn on(tree: &Tree, request: &Request, mut nodes: Vec<u32>) -> Option<Held> {
    nodes.sort_unstable();
    let slots = tree.slots_per_node();
    let rest = request.size - slots * (nodes.len() as u32 - 1);
    let last = nodes.len() - 1;
    let share = |(place, node)| (node, if place == last { rest } else { slots });
    let nodes = nodes.into_iter().enumerate().map(share).collect();
    let held = tree.held(tree.cluster(request), nodes);
    tree.carries(&held).then_some(held)
}
