//! Slurm's topology/tree: leaf by leaf below one root.
//!
//! *Decides*: of the switches with enough idle nodes the highest is taken, so a root, even where a
//! lower one would do. Below it, leaf after leaf gives its idle nodes in node order: that nearest
//! to the leaves already taken, in sum over the paths between switches; of those equally near, one
//! with nodes enough before another, of two such the smaller, of two others the one below the
//! switch that is better by the same comparison, at last the larger. Rules 24 and 26 let a farther
//! leaf never replace a nearer, and count what is left below a switch; rule 22 does neither. Since
//! rule 26 a job of one node gets the first that is idle. Where jobs wait for few leaves
//! ([`SwitchLimit`]), a placement on more is declined until the job has waited long enough; what is
//! chosen stays the same. *Ties*: the last root, then the first
//! leaf in the order of the file. *Complexity*: O(switches) for each leaf taken. *Source*: Slurm's
//! topology/tree, compared with its controllers 22.05, 24.11 and 26.05.

use std::cmp::Ordering;

use super::rules::{Generation, SwitchLimit};
use super::subtrees::leaves_of_whole_nodes;
use super::whole;
use crate::job::Request;
use crate::machine::{Placement, System};
use crate::place::{Declined, Placer, Subtree, SubtreeOrder, SubtreeRoot, Subtrees};
use crate::system::tree::frame::UNREACHED;
use crate::system::tree::{Held, Tree};

/// Leaf by leaf.
#[derive(Clone, Debug)]
pub struct SlurmTree {
    rule: Generation,
    limit: Option<SwitchLimit>,
}

impl SlurmTree {
    /// Under the rules of a generation, for jobs that wait for few leaves or for none.
    pub fn new(rule: Generation, limit: Option<SwitchLimit>) -> SlurmTree {
        SlurmTree { rule, limit }
    }

    fn nodes(&self, tree: &Tree, count: u32) -> Option<Vec<u32>> {
        if self.is_first(count) {
            return tree.idle_nodes().next().map(|node| vec![node]);
        }
        let mut search = Search::below_the_top(tree, count)?;
        let mut nodes = Vec::with_capacity(count as usize);
        while search.missing > 0 {
            let leaf = search.best(self.rule)?;
            let own = &tree.shape().switches()[leaf as usize].nodes;
            let idle = own.iter().copied().filter(|&node| tree.is_idle(node));
            nodes.extend(idle.take(search.missing as usize));
            search.take(leaf, self.rule);
        }
        Some(nodes)
    }

    /// Whether a job of so many nodes gets the first that is idle.
    fn is_first(&self, count: u32) -> bool {
        self.rule == Generation::Slurm26 && count == 1
    }
}

impl Placer<Tree> for SlurmTree {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        let nodes = self.nodes(tree, whole::needed(tree, request))?;
        whole::on(tree, request, nodes)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        whole::exists(tree, request)
    }

    fn subtrees(&self, tree: &Tree, request: &Request, placement: &Held) -> Option<Subtrees> {
        let mut subtrees = leaves_of_whole_nodes(tree, request, placement);
        if self.is_first(subtrees.needed) {
            subtrees.single = placement.nodes.first().map(|share| share.0);
            return Some(subtrees);
        }
        let mut search = Search::below_the_top(tree, subtrees.needed)?;
        for of in &mut subtrees.list {
            let is_below = |leaf| SubtreeRoot::Switch { switch: leaf } == of.root;
            of.outside = of.free > 0 && !search.leaves.iter().copied().any(is_below);
        }
        let mut left = std::mem::take(&mut subtrees.list);
        while search.missing > 0 {
            let switch = search.best(self.rule)?;
            let position = left
                .iter()
                .position(|of| of.root == SubtreeRoot::Switch { switch })?;
            let distance = Some(search.far[switch as usize]);
            let own = left.remove(position);
            subtrees.list.push(Subtree { distance, ..own });
            search.take(switch, self.rule);
        }
        subtrees.list.extend(left);
        subtrees.order = SubtreeOrder::Nearest;
        Some(subtrees)
    }

    fn largest(&self, tree: &Tree) -> u64 {
        tree.free_slots()
    }

    fn declined(&self, request: &Request, placement: &Held) -> Option<Declined> {
        let SwitchLimit { most, wait } = self.limit?;
        let [leaves, _] = placement.leaves()?;
        (leaves > most).then(|| Declined {
            leaves,
            most,
            until: request.submit + wait,
        })
    }
}

/// The search for leaves below one root.
struct Search<'a> {
    tree: &'a Tree,
    /// By switch: the idle nodes that count below it.
    idle: Vec<u32>,
    /// The leaves below the root that have idle nodes to give, in the order of the file.
    leaves: Vec<u32>,
    /// By leaf: the sum of its distances to the leaves taken.
    far: Vec<u32>,
    /// The nodes still to be taken.
    missing: u32,
}

impl<'a> Search<'a> {
    /// Below the highest switch that has so many idle nodes.
    fn below_the_top(tree: &'a Tree, count: u32) -> Option<Search<'a>> {
        let shape = tree.shape();
        let below = |switch| {
            let leaves = tree.leaves_below(switch).iter();
            leaves.map(|&leaf| tree.idle_in(leaf)).sum()
        };
        let idle: Vec<u32> = (0..shape.switches().len() as u32).map(below).collect();
        // Switches ascend by level, and in the order of the file within one.
        let top = idle.iter().rposition(|&idle| idle >= count)?;
        let leaves = tree.leaves_below(top as u32).iter().copied();
        Some(Search {
            tree,
            leaves: leaves.filter(|&leaf| idle[leaf as usize] > 0).collect(),
            idle,
            far: vec![0; shape.leaves().len()],
            missing: count,
        })
    }

    /// The leaf to take next.
    fn best(&self, rule: Generation) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut nearest = UNREACHED;
        for &leaf in &self.leaves {
            let far = self.far[leaf as usize];
            if far > nearest || far == UNREACHED {
                continue;
            }
            let takes_over = best.is_none_or(|other| {
                let (order, enough) = self.compare(leaf, other);
                match rule {
                    _ if far == nearest => order.is_gt(),
                    Generation::Slurm22 => order.is_ge(),
                    _ => enough,
                }
            });
            if takes_over {
                (best, nearest) = (Some(leaf), far);
            }
        }
        best
    }

    /// Whether a switch is better than another, and whether it, or the one above it that decided,
    /// has all nodes that are missing.
    fn compare(&self, mut one: u32, mut other: u32) -> (Ordering, bool) {
        let shape = self.tree.shape();
        loop {
            let idle = [one, other].map(|switch| self.idle[switch as usize]);
            let larger = idle[0].cmp(&idle[1]);
            let lower = || shape.level(other).cmp(&shape.level(one));
            match idle.map(|idle| idle >= self.missing) {
                [true, true] => return (larger.reverse().then_with(lower), true),
                [true, false] => return (Ordering::Greater, true),
                [false, true] => return (Ordering::Less, false),
                [false, false] => match [one, other].map(|switch| shape.parent(switch)) {
                    [Some(above), Some(beside)] if above != beside => {
                        (one, other) = (above, beside);
                    }
                    _ => return (larger.then_with(lower), false),
                },
            }
        }
    }

    /// A leaf gives its nodes.
    fn take(&mut self, leaf: u32, rule: Generation) {
        let had = self.idle[leaf as usize];
        self.missing -= had.min(self.missing);
        self.leaves.retain(|&other| other != leaf);
        if rule == Generation::Slurm22 {
            self.idle[leaf as usize] = 0;
        } else {
            for switch in self.tree.shape().chain(leaf) {
                self.idle[switch as usize] -= had;
            }
        }
        if self.missing == 0 {
            return;
        }
        let (hops, more) = self.tree.hops(leaf);
        for &other in &self.leaves {
            let hops = hops[other as usize].saturating_add(more);
            let far = &mut self.far[other as usize];
            *far = far.saturating_add(hops);
        }
    }
}
