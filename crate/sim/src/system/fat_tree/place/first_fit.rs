//! First fit: servers by index.
//!
//! *Decides*: ascending server index. *Ties*: none. *Complexity*: that of
//! [`fill_in_order`](super). *Source*: paper 1, Figure 3.

use super::fill::{Scratch, fill_in_order, fills_empty};
use super::rules::Rules;
use super::subtrees::first_filled;
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::{Embedding, FatTree};

/// The first servers that have room.
#[derive(Clone, Debug, Default)]
pub struct FirstFit {
    rules: Rules,
    scratch: Scratch,
}

impl FirstFit {
    /// Under these rules.
    pub fn new(rules: Rules) -> FirstFit {
        FirstFit {
            rules,
            ..FirstFit::default()
        }
    }
}

impl Placer<FatTree> for FirstFit {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        fill_in_order(tree, request, self.rules, &mut self.scratch, |_| 0)
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
            Some(&|_| 0),
        ))
    }
}
