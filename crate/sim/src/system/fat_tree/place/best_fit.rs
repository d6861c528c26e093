//! Best fit: the servers with the fewest free slots first.
//!
//! *Decides*: ascending free slots. *Ties*: by server index. *Complexity*: that of
//! [`fill_in_order`](super). *Source*: paper 1, section 5.3.1 ("weight inversely proportional to
//! a_s").

use super::fill::{Scratch, fill_in_order, fills_empty};
use super::rules::Rules;
use super::subtrees::first_filled;
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::{Embedding, FatTree};

/// The fullest server that has room first.
#[derive(Clone, Debug, Default)]
pub struct BestFit {
    rules: Rules,
    scratch: Scratch,
}

impl BestFit {
    /// Under these rules.
    pub fn new(rules: Rules) -> BestFit {
        BestFit {
            rules,
            ..BestFit::default()
        }
    }
}

impl Placer<FatTree> for BestFit {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        fill_in_order(tree, request, self.rules, &mut self.scratch, u64::from)
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
        Some(first_filled(
            tree,
            request,
            self.rules,
            placement,
            Some(&u64::from),
        ))
    }
}
