//! AdaBa: servers in the order of a weight that adapts to the bandwidth asked for.
//!
//! *Decides*: a server with a free slots weighs −½a² + (L·B/Bmax)·a, a parabola whose peak moves
//! from 0 to L as the bandwidth B grows from nothing to the largest seen, Bmax: jobs of little
//! bandwidth fill fragments, jobs of much bandwidth get whole servers, where it is hidden. Descending
//! weight is ascending |a·Bmax − L·B|, which whole numbers decide exactly.
//! *Ties*: equal weights by server index.
//! *Complexity*: that of [`fill_in_order`](super).
//! *Source*: paper 1, section 4.1, Eq. 7 and Algorithm 1. Bmax is the largest bandwidth of a job
//! that has arrived so far, or this job's where that is larger.

use super::{Scratch, exact, fill_in_order};
use crate::job::Ask;
use crate::place::Placer;
use crate::system::fat_tree::{Embedding, FatTree};
use crate::unit::Kbps;

/// The adaptive bandwidth-aware placement.
#[derive(Clone, Debug, Default)]
pub struct Adaba {
    largest_bandwidth: Kbps,
    scratch: Scratch,
}

impl Adaba {
    /// AdaBa that has already seen a job of this bandwidth (Bmax).
    pub fn having_seen(largest_bandwidth: Kbps) -> Adaba {
        Adaba {
            largest_bandwidth,
            ..Adaba::default()
        }
    }
}

impl Placer<FatTree> for Adaba {
    fn place(&mut self, tree: &FatTree, ask: &Ask) -> Option<Embedding> {
        let largest = self.largest_bandwidth.max(ask.bandwidth).0;
        let peak = u64::from(tree.slots_per_server()) * ask.bandwidth.0;
        fill_in_order(tree, ask, &mut self.scratch, |free| {
            (u64::from(free) * largest).abs_diff(peak)
        })
    }

    fn exists(&self, tree: &FatTree, ask: &Ask) -> bool {
        exact::exists(tree, ask)
    }

    fn arrived(&mut self, ask: &Ask) {
        self.largest_bandwidth = self.largest_bandwidth.max(ask.bandwidth);
    }
}
