//! Placement on a plain cluster: the free nodes of lowest index.
//!
//! *Decides*: the `size` lowest free nodes. *Ties*: none. *Complexity*: O(nodes / 64 + runs of free
//! nodes taken). *Source*: the usual convention of batch systems; nodes are equal, so any choice
//! gives the same starts.

use crate::job::Request;
use crate::place::Placer;
use crate::system::nodes::{Nodes, Vms};

/// Lowest index first.
#[derive(Clone, Debug, Default)]
pub struct Index;

impl Placer<Nodes> for Index {
    fn place(&mut self, nodes: &Nodes, request: &Request) -> Option<Vms> {
        if request.size > nodes.free_count() {
            return None;
        }
        Some(Vms {
            background: false,
            runs: nodes.free.lowest(request.size),
        })
    }

    fn slots_decide(&self) -> bool {
        true
    }

    fn exists(&self, nodes: &Nodes, request: &Request) -> Option<bool> {
        Some(request.size <= nodes.free_count())
    }
}
