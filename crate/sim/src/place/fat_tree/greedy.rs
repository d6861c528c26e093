//! Greedy: machine by machine onto the path whose fullest link stays emptiest.
//!
//! *Decides*: each machine goes to the server, among those with a free slot and with room for one
//! more machine on every link of the path, whose path has the smallest maximum of
//! (C − c + need)/C, where c is what was left of the link before this request and need what the
//! cluster would then take of it. It spreads a cluster, so it never hides bandwidth.
//! *Ties*: by server index. *Complexity*: O(switches · machines · servers below).
//! *Source*: paper 1, section 5.3.1; after L. Yu, H. Shen, "Bandwidth guarantee under demand
//! uncertainty in multi-tenant clouds", ICDCS 2014.

use std::cmp::Ordering;

use super::{Counts, Rooms, cluster, exact, first_switch};
use crate::id::{Id, LinkId, ServerId};
use crate::job::Ask;
use crate::place::Placer;
use crate::system::System;
use crate::system::fat_tree::{Embedding, FatTree, Switch};

/// Minimum of the maximum link occupation, one machine at a time.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    counts: Counts,
    rooms: Rooms,
}

/// A share of a link that would be taken, compared exactly.
#[derive(Clone, Copy)]
struct Occupation {
    taken: u64,
    capacity: u64,
}

impl Occupation {
    fn cmp(self, other: Occupation) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.taken, other.capacity).cmp(&product(other.taken, self.capacity))
    }
}

impl Placer<FatTree> for Greedy {
    fn place(&mut self, tree: &FatTree, ask: &Ask) -> Option<Embedding> {
        let cluster = cluster(ask);
        let counts = &mut self.counts;
        first_switch(tree, ask, &mut self.rooms, |switch, _| {
            counts.clear(tree, switch, cluster);
            let below = tree.topology().servers_below(switch);
            let mut machines = vec![0; below.len()];
            for _ in 0..ask.size {
                let mut best: Option<(Occupation, u32)> = None;
                for server in below.clone() {
                    let here = machines[(server - below.start) as usize];
                    if here == tree.free_slots(server) {
                        continue;
                    }
                    let Some(occupation) = counts.occupation_of_one_more(tree, server, here) else {
                        continue;
                    };
                    if best.is_none_or(|(least, _)| occupation.cmp(least) == Ordering::Less) {
                        best = Some((occupation, server));
                    }
                }
                let (_, server) = best?;
                counts.add(tree, server, 1);
                machines[(server - below.start) as usize] += 1;
            }
            Some(
                below
                    .map(ServerId)
                    .zip(machines)
                    .filter(|share| share.1 > 0)
                    .collect(),
            )
        })
    }

    fn exists(&self, tree: &FatTree, ask: &Ask) -> bool {
        exact::exists(tree, ask)
    }
}

impl Counts {
    /// The largest occupation of a link on the path of `server`, which has `here` machines, with
    /// one more; `None` where a link has no room for it.
    fn occupation_of_one_more(&self, tree: &FatTree, server: u32, here: u32) -> Option<Occupation> {
        let topology = tree.topology();
        let with = |link: LinkId, below: u32| {
            let need = self.cluster.need(below + 1);
            let capacity = tree.links()[link.index()];
            let residual = tree.residual(link);
            (need <= residual).then_some(Occupation {
                taken: capacity.0 - residual.0 + need.0,
                capacity: capacity.0,
            })
        };
        let mut largest = with(topology.server_link(server), here)?;
        let mut include = |occupation: Occupation| {
            if occupation.cmp(largest) == Ordering::Greater {
                largest = occupation;
            }
        };
        if !matches!(self.switch, Switch::Edge(_)) {
            let edge = topology.edge_of(server);
            let below = self.below_edge[edge as usize];
            include(with(topology.edge_link(edge, self.switch), below)?);
            if matches!(self.switch, Switch::Core { .. }) {
                let pod = topology.pod_of(edge);
                let below = self.below_pod[pod as usize];
                include(with(topology.pod_link(pod, self.switch), below)?);
            }
        }
        Some(largest)
    }
}
