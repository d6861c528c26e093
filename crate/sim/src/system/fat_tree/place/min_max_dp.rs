//! Min-max: the split over the servers of the lowest switch that leaves the busiest link least
//! occupied, by dynamic programming.
//!
//! *Decides*: for each subtree and count of machines the least possible maximum, over the links
//! that the cluster uses below it, of (C − c + need)/C, where c is what was left before this
//! request. The first switch below which N machines are possible takes the split that attains its
//! least maximum. *Ties*: of equal maxima the one that gives the later child fewer machines.
//! *Complexity*: O(switches · children · N²). *Source*: L. Yu, H. Shen, "Bandwidth guarantee under
//! demand uncertainty in multi-tenant clouds", ICDCS 2014, for demands that are certain. The split
//! is that of the hose model under every reservation: where sums are reserved it may not be the
//! best, and a switch whose links do not carry its sums is passed over.

use super::fill::first_switch;
use super::occupation::Occupation;
use super::rooms::Rooms;
use super::rules::Rules;
use super::split::{Cost, Table};
use super::subtrees::first_filled;
use crate::id::LinkId;
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::{Embedding, FatTree};
use crate::unit::Kbps;

/// Minimum of the maximum link occupation, over all splits.
#[derive(Clone, Debug, Default)]
pub struct MinMaxDp {
    rules: Rules,
    rooms: Rooms,
}

impl MinMaxDp {
    /// Under these rules.
    pub fn new(rules: Rules) -> MinMaxDp {
        MinMaxDp {
            rules,
            ..MinMaxDp::default()
        }
    }
}

impl Placer<FatTree> for MinMaxDp {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let cluster = self.rules.cluster(tree, request);
        first_switch(tree, cluster, self.rules, &mut self.rooms, |switch, _| {
            let table = Table::<Occupation>::below(tree, cluster, switch, switch);
            table.least(request.size)?;
            Some(table.split(request.size))
        })
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
        Some(first_filled(tree, request, self.rules, placement, None))
    }
}

impl Cost for Occupation {
    const NOTHING: Occupation = Occupation::NONE;

    fn on(tree: &FatTree, link: LinkId, need: Kbps) -> Occupation {
        Occupation::with(tree, link, need)
    }

    fn and(self, other: Occupation) -> Occupation {
        self.max(other)
    }
}
