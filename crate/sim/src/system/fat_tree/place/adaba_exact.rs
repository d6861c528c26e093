//! AdaBa, and where it finds nothing the exact search: no cluster is refused that could be
//! embedded.
//!
//! *Decides*: as [`Adaba`], then as [`Exact`]. *Ties*: theirs. *Complexity*: that of [`Adaba`]
//! where it finds a place, else that of [`Exact`]. *Source*: paper 1, section 4.1, Algorithm 1,
//! which can miss an embedding that exists; the second step is not in the paper.

use super::{Adaba, Exact, Rules};
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::place::LargestBandwidth;
use crate::system::fat_tree::{Embedding, FatTree};
use crate::unit::Kbps;

/// AdaBa made complete.
#[derive(Clone, Debug, Default)]
pub struct AdabaExact {
    adaba: Adaba,
    exact: Exact,
}

impl AdabaExact {
    /// Both under these rules; the rest as in [`Adaba::new`].
    pub fn new(rules: Rules, over: LargestBandwidth, seen: Kbps) -> AdabaExact {
        AdabaExact {
            adaba: Adaba::new(rules, over, seen),
            exact: Exact::new(rules),
        }
    }
}

impl Placer<FatTree> for AdabaExact {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let placement = self.adaba.place(tree, request);
        placement.or_else(|| self.exact.place(tree, request))
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        self.adaba.exists(tree, request)
    }

    fn subtrees(
        &self,
        tree: &FatTree,
        request: &Request,
        placement: &Embedding,
    ) -> Option<Subtrees> {
        self.exact.subtrees(tree, request, placement)
    }

    fn revision(&self) -> u64 {
        self.adaba.revision()
    }

    fn arrived(&mut self, request: &Request) {
        self.adaba.arrived(request);
    }

    fn attempted(&mut self, request: &Request) {
        self.adaba.attempted(request);
    }

    fn started(&mut self, request: &Request) {
        self.adaba.started(request);
    }
}
