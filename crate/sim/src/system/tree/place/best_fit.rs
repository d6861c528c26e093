//! Best fit: the nodes with the fewest free slots first.
//!
//! *Decides*: ascending free slots. *Ties*: by node. *Complexity*: that of
//! [`fill_in_order`](super). *Source*: paper 1, section 5.3.1, as on the fat-tree.

use super::fill::{Scratch, fill_in_order};
use super::{exact, subtrees};
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::tree::{Held, Tree};

/// The fullest node that has room first.
#[derive(Clone, Debug, Default)]
pub struct BestFit {
    scratch: Scratch,
}

impl Placer<Tree> for BestFit {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        fill_in_order(tree, request, &mut self.scratch, &u64::from)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        Some(exact::exists(tree, request))
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        Some(subtrees::first_filled(
            tree,
            request,
            placement,
            Some(&u64::from),
        ))
    }
}
