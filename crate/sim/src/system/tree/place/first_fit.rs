//! First fit: nodes in their order.
//!
//! *Decides*: the first nodes that have room. *Ties*: none. *Complexity*: that of
//! [`fill_in_order`](super). *Source*: paper 1, section 5.3.1, as on the fat-tree.

use super::fill::{Scratch, fill_in_order};
use super::{exact, subtrees};
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::tree::{Held, Tree};

/// The first node that has room.
#[derive(Clone, Debug, Default)]
pub struct FirstFit {
    scratch: Scratch,
}

impl Placer<Tree> for FirstFit {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        fill_in_order(tree, request, &mut self.scratch, &|_| 0)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        Some(exact::exists(tree, request))
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        Some(subtrees::first_filled(
            tree,
            request,
            placement,
            Some(&|_| 0),
        ))
    }
}
