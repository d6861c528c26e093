//! AdaBa: nodes in the order of a weight that adapts to the requested bandwidth.
//!
//! *Decides*: ascending |a·Bmax − L·B| for a free slots of L, where B is the job's bandwidth and
//! Bmax the largest of all jobs that have arrived; both are what is guaranteed of them. *Ties*: by
//! node. *Complexity*: that of [`fill_in_order`](super). *Source*: paper 1, section 4.1, Eq. 7 and
//! Algorithm 1, as on the fat-tree.

use super::fill::{Scratch, fill_in_order};
use super::{exact, subtrees};
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::tree::{Held, Tree};
use crate::unit::Kbps;

/// The adaptive bandwidth-aware placement.
#[derive(Clone, Debug, Default)]
pub struct Adaba {
    largest_bandwidth: Kbps,
    scratch: Scratch,
}

impl Adaba {
    /// By which nodes with so many free slots are filled, the smallest first.
    fn key(&self, tree: &Tree, request: &Request) -> impl Fn(u32) -> u64 + use<> {
        let guarantee = tree.guarantee();
        let largest = self.largest_bandwidth.max(request.bandwidth);
        let largest = guarantee.of(largest).0;
        let peak = u64::from(tree.slots_per_node()) * guarantee.of(request.bandwidth).0;
        move |free| (u64::from(free) * largest).abs_diff(peak)
    }
}

impl Placer<Tree> for Adaba {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        let key = self.key(tree, request);
        fill_in_order(tree, request, &mut self.scratch, &key)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        Some(exact::exists(tree, request))
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        let key = self.key(tree, request);
        Some(subtrees::first_filled(tree, request, placement, Some(&key)))
    }

    fn revision(&self) -> u64 {
        self.largest_bandwidth.0
    }

    fn arrived(&mut self, request: &Request) {
        self.largest_bandwidth = self.largest_bandwidth.max(request.bandwidth);
    }
}
