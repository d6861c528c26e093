//! Placement on a plain cluster: the free nodes of lowest index.
//!
//! *Decides*: the `size` lowest free nodes. *Ties*: none. *Complexity*: O(nodes / 64 + size).
//! *Source*: the usual convention of batch systems; nodes are equal, so any choice gives the same
//! starts.

use crate::job::Ask;
use crate::place::Placer;
use crate::system::nodes::{Nodes, Vms};

/// Lowest index first.
#[derive(Clone, Debug, Default)]
pub struct Index;

impl Placer<Nodes> for Index {
    fn place(&mut self, nodes: &Nodes, ask: &Ask) -> Option<Vms> {
        (ask.size <= nodes.free_count()).then(|| Vms {
            background: false,
            vms: nodes.free_vms().take(ask.size as usize).collect(),
        })
    }

    fn by_count(&self) -> bool {
        true
    }

    fn exists(&self, nodes: &Nodes, ask: &Ask) -> Option<bool> {
        Some(ask.size <= nodes.free_count())
    }
}
