//! AdaBa: servers in the order of a weight that adapts to the requested bandwidth.
//!
//! *Decides*: a server with a free slots weighs −½a² + (L·B/Bmax)·a, a parabola whose peak moves
//! from 0 to L as the bandwidth B grows from nothing to the largest seen, Bmax: jobs of little
//! bandwidth fill fragments, jobs of much bandwidth get whole servers, where it is hidden.
//! Descending weight is ascending |a·Bmax − L·B|, which whole numbers decide exactly. *Ties*: equal
//! weights by server index. *Complexity*: that of [`fill_in_order`](super). *Source*: paper 1,
//! section 4.1, Eq. 7 and Algorithm 1. Over which jobs Bmax is taken differs between sections 4.1
//! and 5.3.1, so it is an option; this job's own B counts in any case. Where only a part is
//! guaranteed, both are what is guaranteed of them; where nothing is, all servers weigh the same.

use super::fill::{Scratch, fill_in_order, fills_empty};
use super::rules::Rules;
use super::subtrees::first_filled;
use crate::choice::choices;
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::source::PAPER_1;
use crate::system::fat_tree::{Embedding, FatTree};
use crate::unit::Kbps;

choices! {
    /// Which jobs the largest bandwidth of AdaBa's weight is taken over.
    pub enum LargestBandwidth {
        Arrived = "arrived", "Arrived so far",
            "Of all jobs that have arrived so far, infeasible ones included.",
            PAPER_1;
        Attempted = "attempted", "Attempted so far",
            "Of all jobs that the policy has really tried to start.",
            PAPER_1;
        Accepted = "accepted", "Accepted so far",
            "Of all jobs that have started.",
            PAPER_1;
        Oracle = "oracle", "Of the whole workload",
            "Of all jobs, those to come included.",
            "";
    }
}

/// The adaptive bandwidth-aware placement.
#[derive(Clone, Debug)]
pub struct Adaba {
    rules: Rules,
    over: LargestBandwidth,
    largest_bandwidth: Kbps,
    scratch: Scratch,
}

impl Adaba {
    /// AdaBa with Bmax taken over these jobs; `seen` is its first value: the largest bandwidth of
    /// all jobs if known beforehand.
    pub fn new(rules: Rules, over: LargestBandwidth, seen: Kbps) -> Adaba {
        Adaba {
            rules,
            over,
            largest_bandwidth: seen,
            scratch: Scratch::default(),
        }
    }

    /// By which servers with so many free slots are filled, the smallest first.
    fn key(&self, tree: &FatTree, request: &Request) -> impl Fn(u32) -> u64 + use<> {
        let guarantee = tree.guarantee();
        let largest = self.largest_bandwidth.max(request.bandwidth);
        let largest = guarantee.of(largest).0;
        let peak = u64::from(tree.slots_per_server()) * guarantee.of(request.bandwidth).0;
        move |free| (u64::from(free) * largest).abs_diff(peak)
    }

    fn see(&mut self, request: &Request, at: LargestBandwidth) {
        if self.over == at {
            self.largest_bandwidth = self.largest_bandwidth.max(request.bandwidth);
        }
    }
}

impl Default for Adaba {
    fn default() -> Self {
        Adaba::new(Rules::default(), LargestBandwidth::Arrived, Kbps(0))
    }
}

impl Placer<FatTree> for Adaba {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let key = self.key(tree, request);
        fill_in_order(tree, request, self.rules, &mut self.scratch, key)
    }

    fn finds(&mut self, tree: &FatTree, request: &Request) -> bool {
        fills_empty(tree, self.rules.cluster(tree, request))
            .unwrap_or_else(|| self.place(tree, request).is_some())
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        self.rules.exists(tree, request)
    }

    fn subtrees(
        &self,
        tree: &FatTree,
        request: &Request,
        placement: &Embedding,
    ) -> Option<Subtrees> {
        let key = self.key(tree, request);
        let key: Option<&dyn Fn(u32) -> u64> = Some(&key);
        Some(first_filled(tree, request, self.rules, placement, key))
    }

    fn revision(&self) -> u64 {
        self.largest_bandwidth.0
    }

    fn arrived(&mut self, request: &Request) {
        self.see(request, LargestBandwidth::Arrived);
    }

    fn attempted(&mut self, request: &Request) {
        self.see(request, LargestBandwidth::Attempted);
    }

    fn started(&mut self, request: &Request) {
        self.see(request, LargestBandwidth::Accepted);
    }
}
