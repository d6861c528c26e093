//! Greedy: machine by machine onto the way whose fullest link stays emptiest.
//!
//! *Decides*: each machine goes to the node, of those with a free slot and with room for one more
//! on every link of its way, whose way has the smallest maximum of (C − c + need)/C, where c is
//! what was left of a link before and need what the cluster would then take of it. *Ties*: by node.
//! *Complexity*: O(switches · machines · nodes below). *Source*: paper 1, section 5.3.1; after L.
//! Yu, H. Shen, "Bandwidth guarantee under demand uncertainty in multi-tenant clouds", ICDCS 2014,
//! as on the fat-tree.

use super::fill::{Counts, Rooms, Site, first_site, nodes_of};
use super::{exact, subtrees};
use crate::id::{Id, LinkId};
use crate::job::Request;
use crate::machine::System;
use crate::machine::hose::Cluster;
use crate::place::{Placer, Subtrees};
use crate::system::tree::{Held, Tree};

/// Minimum of the maximum link occupation, one machine at a time.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    counts: Counts,
    rooms: Rooms,
}

impl Placer<Tree> for Greedy {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        let cluster = tree.cluster(request);
        let counts = &mut self.counts;
        first_site(tree, cluster, &mut self.rooms, |site, _| {
            counts.clear(tree);
            let mut nodes: Vec<(u32, u32)> = nodes_of(tree, site)
                .into_iter()
                .map(|node| (node, 0))
                .collect();
            for _ in 0..cluster.size {
                let mut best: Option<([u64; 2], usize)> = None;
                for (place, &(node, here)) in nodes.iter().enumerate() {
                    if here == tree.free_slots_of(node) {
                        continue;
                    }
                    let occupation = occupation(tree, cluster, counts, site, node, here + 1);
                    let Some(occupation) = occupation else {
                        continue;
                    };
                    if best.is_none_or(|(least, _)| is_less(occupation, least)) {
                        best = Some((occupation, place));
                    }
                }
                let (_, place) = best?;
                nodes[place].1 += 1;
                counts.add(tree, nodes[place].0, 1);
            }
            nodes.retain(|share| share.1 > 0);
            Some(nodes)
        })
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        Some(exact::exists(tree, request))
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        Some(subtrees::first_filled(tree, request, placement, None))
    }
}

/// The largest share [taken, capacity] of a link on the way of a node with one machine more, `here`
/// on itself; `None` where a link has no room.
fn occupation(
    tree: &Tree,
    cluster: Cluster,
    counts: &Counts,
    site: Site,
    node: u32,
    here: u32,
) -> Option<[u64; 2]> {
    let mut most = [0, 1];
    let mut see = |link: LinkId, machines| {
        let need = cluster.need(machines);
        if need > tree.residual(link) {
            return None;
        }
        let share = [tree.reserved(link).0 + need.0, tree.links()[link.index()].0];
        if is_less(most, share) {
            most = share;
        }
        Some(())
    };
    if site != Site::Node(node) {
        see(LinkId(node), here)?;
        for (link, below) in counts.shared_links(tree, node, site) {
            see(link, below + 1)?;
        }
    }
    Some(most)
}

/// Whether a share is less than another.
fn is_less(one: [u64; 2], other: [u64; 2]) -> bool {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    product(one[0], other[1]) < product(other[0], one[1])
}
