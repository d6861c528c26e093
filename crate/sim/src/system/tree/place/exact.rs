//! An exact test whether a cluster can be placed, and the placement that reserves least.
//!
//! *Decides*: of all placements below any switch, or on one node, the one that reserves least over
//! all links together. From below each switch has, for every count of machines, the least that it
//! reserves of the links below it, or that the count is impossible. *Ties*: the lowest level, there
//! the first switch, and below it the split that gives later children fewer machines.
//! *Complexity*: O(links · N²). *Source*: R. Bellman's principle on a tree, as in D. Xie, N. Ding, Y.
//! C. Hu, R. Kompella, "The only constant is change", SIGCOMM 2012, as on the fat-tree.

use super::fill::{Rooms, Scratch, fill_in_order};
use super::subtrees;
use crate::id::LinkId;
use crate::job::Request;
use crate::machine::System;
use crate::machine::hose::Cluster;
use crate::place::{Placer, Subtrees};
use crate::system::tree::{Held, Tree};
use crate::unit::Kbps;

/// The placement that reserves least, wherever any exists.
#[derive(Clone, Debug)]
pub struct Exact;

impl Placer<Tree> for Exact {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        find(tree, request)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        Some(exists(tree, request))
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        Some(subtrees::by_number(tree, request, placement))
    }
}

/// Whether any placement below one root, or on one node, exists.
pub fn exists(tree: &Tree, request: &Request) -> bool {
    let cluster = tree.cluster(request);
    let roots = (0..)
        .zip(tree.shape().switches())
        .filter(|switch| switch.1.parent.is_none());
    let mut roots = roots.map(|(root, _)| root);
    if u64::from(request.size) > tree.free_slots() {
        return false;
    }
    if cluster.bandwidth == Kbps(0) && roots.any(|root| tree.free_below(root) >= cluster.size) {
        return true;
    }
    // What fits mostly fits in the order of nodes, too, which is found much faster.
    let first_fit = fill_in_order(tree, request, &mut Scratch::default(), &|_| 0);
    first_fit.is_some() || find(tree, request).is_some()
}

/// The placement of a job that reserves least, if any exists.
pub fn find(tree: &Tree, request: &Request) -> Option<Held> {
    let cluster = tree.cluster(request);
    if !Rooms::default().may_hold(tree, cluster) {
        return None;
    }
    let shape = tree.shape();
    let single = shape
        .loose()
        .find(|&node| tree.free_slots_of(node) >= request.size);
    let alone = single.map(|node| vec![(node, request.size)]);
    let mut tables: Vec<Table> = Vec::with_capacity(shape.switches().len());
    let mut best: Option<((u64, u32), usize)> = None;
    for number in 0..shape.switches().len() as u32 {
        let table = Table::below(tree, cluster, number, &tables);
        if let Some(least) = table.least(cluster.size) {
            let order = (least, shape.level(number));
            if best.is_none_or(|(best, _)| order < best) {
                best = Some((order, number as usize));
            }
        }
        tables.push(table);
    }
    let nodes = match (best, alone) {
        // A node alone stands after the leaves.
        (Some(((least, level), root)), alone) if alone.is_none() || (least, level) <= (0, 0) => {
            let mut nodes = Vec::new();
            collect(tree, &tables, root as u32, cluster.size, &mut nodes);
            nodes.sort_unstable();
            nodes
        }
        (_, alone) => alone?,
    };
    Some(tree.held(cluster, nodes))
}

/// The least reservations below a switch, by count of machines.
struct Table {
    /// Impossible counts have none.
    least: Vec<Option<u64>>,
    /// By child and count: how many of the machines below it and its elder siblings it has.
    own: Vec<Vec<u32>>,
}

impl Table {
    fn below(tree: &Tree, cluster: Cluster, switch: u32, tables: &[Table]) -> Table {
        let mut table = Table {
            least: vec![Some(0)],
            own: Vec::new(),
        };
        for &node in &tree.shape().switches()[switch as usize].nodes {
            let counts = tree.free_slots_of(node).min(cluster.size) as usize + 1;
            let free = vec![Some(0); counts];
            table.add(cluster, &through(tree, cluster, &free, Some(LinkId(node))));
        }
        for child in tree.shape().own_children(switch) {
            let below = &tables[child as usize].least;
            table.add(cluster, &through(tree, cluster, below, tree.uplink(child)));
        }
        table
    }

    fn least(&self, count: u32) -> Option<u64> {
        self.least.get(count as usize).copied().flatten()
    }

    /// One child more.
    fn add(&mut self, cluster: Cluster, child: &[Option<u64>]) {
        let counts = self.least.len() + child.len() - 1;
        let counts = counts.min(cluster.size as usize + 1);
        let mut next: Vec<Option<u64>> = vec![None; counts];
        let mut share = vec![0; counts];
        for (more, there) in (0..).zip(child) {
            let Some(there) = *there else { continue };
            for (count, here) in self.least.iter().enumerate() {
                let Some(here) = *here else { continue };
                let at = count + more as usize;
                let both = here + there;
                if at < counts && next[at].is_none_or(|least| both < least) {
                    next[at] = Some(both);
                    share[at] = more;
                }
            }
        }
        self.least = next;
        self.own.push(share);
    }
}

/// The same seen through a link.
fn through(
    tree: &Tree,
    cluster: Cluster,
    below: &[Option<u64>],
    link: Option<LinkId>,
) -> Vec<Option<u64>> {
    let Some(link) = link else {
        return below.to_vec();
    };
    let residual = tree.residual(link);
    let fits = |(count, least): (u32, &Option<u64>)| {
        let need = cluster.need(count);
        least
            .filter(|_| need <= residual)
            .map(|least| least + need.0)
    };
    (0..).zip(below).map(fits).collect()
}

/// The split that attains the least reservations for `count` machines below a switch.
fn collect(tree: &Tree, tables: &[Table], switch: u32, count: u32, nodes: &mut Vec<(u32, u32)>) {
    let own = &tree.shape().switches()[switch as usize].nodes;
    let children: Vec<u32> = tree.shape().own_children(switch).collect();
    let mut left = count;
    for (place, shares) in tables[switch as usize].own.iter().enumerate().rev() {
        let share = shares[left as usize];
        left -= share;
        match own.get(place) {
            _ if share == 0 => {}
            Some(&node) => nodes.push((node, share)),
            None => collect(tree, tables, children[place - own.len()], share, nodes),
        }
    }
}
