//! What follows from the shape of a tree and never changes.

use std::ops::Range;
use std::sync::OnceLock;

use super::shape::Shape;
use crate::decimal::Decimal;
use crate::id::{Id, LinkId};
use crate::machine::fragmentation::Fragmentation;
use crate::unit::Kbps;

/// A shape with its links and what is below each switch. The link of a node has its number; those
/// of the switches that are no roots follow in their order.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) shape: Shape,
    /// By switch: its link to its parent.
    uplinks: Vec<Option<LinkId>>,
    /// By leaf: the switches from it up to its root.
    above: Vec<Vec<u32>>,
    /// By switch: the nodes below it, ascending; of a switch that several list, below its parent.
    below: Vec<Vec<u32>>,
    /// By switch: the leaves below it, ascending, also those that have another parent.
    leaves_below: Vec<Vec<u32>>,
    links: usize,
    /// For each root, and at last for all together: by count of leaves, less one, the most nodes
    /// that so many have.
    most_nodes: Vec<Vec<u32>>,
    /// By switch: the lengths of the shortest paths from it to all leaves, once they were asked for.
    hops: Vec<OnceLock<Vec<u32>>>,
}

/// All else follows from the shape.
impl PartialEq for Frame {
    fn eq(&self, other: &Frame) -> bool {
        self.shape == other.shape
    }
}

impl Eq for Frame {}

/// A leaf that cannot be reached.
pub(super) const UNREACHED: u32 = u32::MAX;

impl Frame {
    pub(super) fn new(shape: Shape) -> Frame {
        let mut links = shape.nodes() as usize;
        let mut uplinks = Vec::with_capacity(shape.switches().len());
        let mut above = Vec::with_capacity(shape.leaves().len());
        let mut below = vec![Vec::new(); shape.switches().len()];
        let mut leaves_below: Vec<Vec<u32>> = Vec::with_capacity(shape.switches().len());
        for (number, switch) in shape.switches().iter().enumerate() {
            uplinks.push(switch.parent.map(|_| {
                links += 1;
                LinkId::new(links - 1)
            }));
            let mut leaves: Vec<u32> = Vec::new();
            if switch.children.is_empty() {
                leaves.push(number as u32);
                let path: Vec<u32> = shape.chain(number as u32).collect();
                for &switch_above in &path {
                    below[switch_above as usize].extend(&switch.nodes);
                }
                above.push(path);
            }
            for &child in &switch.children {
                leaves.extend(&leaves_below[child as usize]);
            }
            leaves.sort_unstable();
            leaves.dedup();
            leaves_below.push(leaves);
        }
        below.iter_mut().for_each(|nodes| nodes.sort_unstable());
        let most = |leaves: &mut dyn Iterator<Item = u32>| {
            let switches = shape.switches();
            let mut sizes: Vec<u32> = leaves
                .map(|leaf| switches[leaf as usize].nodes.len() as u32)
                .collect();
            sizes.sort_unstable();
            sizes.reverse();
            let mut sum = 0;
            sizes.iter_mut().for_each(|size| {
                sum += *size;
                *size = sum;
            });
            sizes
        };
        let roots = leaves_below.iter().zip(shape.switches());
        let roots = roots.filter(|root| root.1.parent.is_none());
        let mut most_nodes: Vec<Vec<u32>> = roots
            .map(|root| most(&mut root.0.iter().copied()))
            .collect();
        most_nodes.push(most(&mut (0..shape.leaves().len() as u32)));
        Frame {
            most_nodes,
            hops: vec![OnceLock::new(); shape.switches().len()],
            shape,
            uplinks,
            above,
            below,
            leaves_below,
            links,
        }
    }

    /// The link of a switch to its parent; `None` for a root.
    pub(super) fn uplink(&self, switch: u32) -> Option<LinkId> {
        self.uplinks[switch as usize]
    }

    /// The nodes below a switch, ascending.
    pub(super) fn below(&self, switch: u32) -> &[u32] {
        &self.below[switch as usize]
    }

    /// The leaves below a switch, ascending, whichever parent they have.
    pub(super) fn leaves_below(&self, switch: u32) -> &[u32] {
        &self.leaves_below[switch as usize]
    }

    /// The switches from the leaf of a node up to its root; none where it is in no switch.
    pub(super) fn above(&self, node: u32) -> &[u32] {
        let leaf = self.shape.leaf_of(node);
        leaf.map_or(&[], |leaf| &self.above[leaf as usize])
    }

    /// How many links the shortest path from a leaf to each other leaf has: by leaf, the sum of
    /// both; the former is [`UNREACHED`] where there is no path.
    ///
    /// All paths from a leaf that one switch lists begin with the link to that switch, so the leaves
    /// that it lists share the paths from there.
    pub(super) fn hops(&self, leaf: u32) -> (&[u32], u32) {
        match *self.shape.listers(leaf) {
            [lister] => (self.hops_from(lister), 1),
            _ => (self.hops_from(leaf), 0),
        }
    }

    fn hops_from(&self, from: u32) -> &[u32] {
        self.hops[from as usize].get_or_init(|| {
            let switches = self.shape.switches();
            let mut hops = vec![UNREACHED; switches.len()];
            hops[from as usize] = 0;
            let mut reached = vec![from];
            let mut next = 0;
            while let Some(&switch) = reached.get(next) {
                next += 1;
                let beside = self.shape.listers(switch);
                for &other in switches[switch as usize].children.iter().chain(beside) {
                    if hops[other as usize] == UNREACHED {
                        hops[other as usize] = hops[switch as usize] + 1;
                        reached.push(other);
                    }
                }
            }
            hops.truncate(self.shape.leaves().len());
            hops
        })
    }

    /// The fewest leaves below one root that have so many nodes; where no root has, of all.
    pub(super) fn fewest_leaves(&self, nodes: u32) -> u32 {
        let fewest = |most: &Vec<u32>| {
            let fewer = most.partition_point(|&most| most < nodes);
            (fewer < most.len()).then_some(fewer as u32 + 1)
        };
        let (all, roots) = self
            .most_nodes
            .split_last()
            .expect("all together stand last");
        let least = roots.iter().filter_map(fewest).min();
        least.or_else(|| fewest(all)).unwrap_or(0)
    }

    /// The groups of nodes by which its fragmentation is counted: all switches; of blocks, the base
    /// blocks and the aggregated ones that are whole.
    pub(super) fn fragmentation(&self) -> Fragmentation {
        let shape = &self.shape;
        let mut fragmentation =
            Fragmentation::new((0..shape.nodes()).map(|node| shape.leaf_of(node)).collect());
        let leaves = shape.leaves().len() as u32;
        let base = shape.block_sizes().first();
        for leaf in 0..leaves {
            let nodes = self.below(leaf).len() as u32;
            fragmentation.add_base(nodes, base.map_or(nodes, |&base| base));
        }
        let Some(base) = base else {
            for below in &self.below {
                fragmentation.add_group(below.len() as u32);
            }
            for leaf in 0..leaves {
                shape
                    .chain(leaf)
                    .for_each(|above| fragmentation.put(leaf, above));
            }
            return fragmentation;
        };
        let mut group = 0;
        for &size in shape.block_sizes() {
            let count = size / base;
            for first in (0..leaves - leaves % count).step_by(count as usize) {
                fragmentation.add_group(size);
                (first..first + count).for_each(|block| fragmentation.put(block, group));
                group += 1;
            }
        }
        fragmentation
    }

    /// The layers of links: of nodes, of leaves, of all switches above.
    pub(super) fn layers(&self) -> Vec<Range<usize>> {
        let nodes = self.shape.nodes() as usize;
        let leaves = self.uplinks[..self.shape.leaves().len()].iter().flatten();
        let leaves = nodes + leaves.count();
        vec![0..nodes, nodes..leaves, leaves..self.links]
    }

    /// The rate of each link. A switch without a rate of its own has that of the links of its nodes
    /// together, thinner by `oversubscription` at each level.
    pub(super) fn capacities(&self, link: Kbps, oversubscription: Decimal) -> Vec<Kbps> {
        let mut capacity = vec![link; self.shape.nodes() as usize];
        for (number, switch) in self.shape.switches().iter().enumerate() {
            if self.uplinks[number].is_some() {
                let nodes = self.below[number].len().max(1) as u128;
                let level = self.shape.level(number as u32) + 1;
                let derived = thinned(u128::from(link.0) * nodes, oversubscription, level);
                capacity.push(switch.uplink.unwrap_or(derived));
            }
        }
        capacity
    }
}

/// A rate divided so many times by `by`, rounded down once where that can be computed exactly, to
/// 1 kbit/s at least.
fn thinned(kbps: u128, by: Decimal, times: u32) -> Kbps {
    let (numerator, denominator) = by.ratio();
    let exact = || {
        let product = denominator.checked_pow(times)?.checked_mul(kbps)?;
        Some(product / numerator.checked_pow(times)?)
    };
    let step = |rate, _| rate * denominator / numerator;
    let rate = exact().unwrap_or_else(|| (0..times).fold(kbps, step));
    Kbps(u64::try_from(rate).unwrap_or(u64::MAX).max(1))
}
