//! Greedy: machine by machine onto the path whose fullest link stays emptiest.
//!
//! *Decides*: each machine goes to the server, among those with a free slot and with room for one
//! more machine on every link of the path, whose path has the smallest maximum of
//! (C − c + need)/C, where c is what was left of the link before this request and need what the
//! cluster would then take of it. It spreads a cluster, so it never hides bandwidth.
//! *Ties*: by server index. *Complexity*: O(switches · machines · servers below).
//! *Source*: paper 1, section 5.3.1; after L. Yu, H. Shen, "Bandwidth guarantee under demand
//! uncertainty in multi-tenant clouds", ICDCS 2014.

use super::fill::first_switch;
use super::occupation::{Counts, Occupation};
use super::rooms::Rooms;
use super::rules::Rules;
use super::subtrees::first_filled;
use crate::id::ServerId;
use crate::job::Request;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::{Embedding, FatTree};

/// Minimum of the maximum link occupation, one machine at a time.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    rules: Rules,
    counts: Counts,
    rooms: Rooms,
    /// Machines on each server below the switch looked at.
    machines: Vec<u32>,
}

impl Greedy {
    /// Under these rules.
    pub fn new(rules: Rules) -> Greedy {
        Greedy {
            rules,
            ..Greedy::default()
        }
    }
}

impl Placer<FatTree> for Greedy {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let cluster = self.rules.cluster(tree, request);
        let (counts, machines) = (&mut self.counts, &mut self.machines);
        first_switch(tree, cluster, self.rules, &mut self.rooms, |switch, _| {
            counts.clear(tree, switch, cluster);
            let below = tree.topology().servers_below(switch);
            machines.clear();
            machines.resize(below.len(), 0);
            for _ in 0..request.size {
                let mut best: Option<(Occupation, u32)> = None;
                for server in below.clone() {
                    let here = machines[(server - below.start) as usize];
                    if here == tree.free_slots(server) {
                        continue;
                    }
                    let Some(occupation) = counts.occupation_of_one_more(tree, server, here) else {
                        continue;
                    };
                    if best.is_none_or(|(least, _)| occupation < least) {
                        best = Some((occupation, server));
                    }
                }
                let (_, server) = best?;
                let here = &mut machines[(server - below.start) as usize];
                counts.add(tree, server, *here, 1);
                *here += 1;
            }
            Some(
                below
                    .map(ServerId)
                    .zip(machines.iter().copied())
                    .filter(|share| share.1 > 0)
                    .collect(),
            )
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
