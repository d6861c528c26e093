//! Where a job goes on a tree. [`TopologyPlacement`] is the table.
//!
//! As Slurm does, on whole nodes: [`slurm_tree`], [`slurm_block`], [`slurm_linear`], each under the
//! rules of three generations (`rules`); `whole` is what they share. As on the fat-tree, in
//! the lowest subtree that carries the job's bandwidth: [`adaba`], [`oktopus`], [`best_fit`],
//! [`first_fit`] and [`greedy`], over `fill`; and [`exact`]. What observers hear of the subtrees
//! among which they choose: `subtrees`.

mod adaba;
mod best_fit;
pub mod exact;
mod fill;
mod first_fit;
mod greedy;
mod oktopus;
mod rules;
mod slurm_block;
mod slurm_linear;
mod slurm_tree;
mod subtrees;
mod whole;

pub use adaba::Adaba;
pub use best_fit::BestFit;
pub use exact::Exact;
pub use first_fit::FirstFit;
pub use greedy::Greedy;
pub use oktopus::Oktopus;
pub use rules::{Generation, SwitchLimit};
pub use slurm_block::{Segments, SlurmBlock};
pub use slurm_linear::SlurmLinear;
pub use slurm_tree::SlurmTree;

use super::ledger::{Held, Tree};
use crate::choice::choices;
use crate::job::Request;
use crate::place::Placer;
use crate::source::PAPER_1;
use rules::SLURM;

choices! {
    /// Where a job is placed on a tree.
    pub enum TopologyPlacement {
        SlurmTree = "slurm-tree", "Slurm, tree",
            "As Slurm's topology/tree: whole nodes, leaf by leaf, below the root that has enough.",
            SLURM;
        SlurmBlock = "slurm-block", "Slurm, block",
            "As Slurm's topology/block: whole nodes of the fewest base blocks within one aggregated block.",
            SLURM;
        SlurmLinear = "slurm-linear", "Slurm, linear",
            "As Slurm without a topology: whole nodes that follow one another, in the shortest run that is long enough.",
            SLURM;
        Adaba = "adaba", "AdaBa",
            "Servers whose number of free slots matches the requested bandwidth come first, in the lowest subtree that can hold the job.",
            PAPER_1;
        Oktopus = "oktopus", "Oktopus",
            "The lowest subtree that can hold the job, filled child by child; a job that fits one server goes there.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        BestFit = "best-fit", "Best fit",
            "Servers with the fewest free slots come first, in the lowest subtree that can hold the job.",
            PAPER_1;
        FirstFit = "first-fit", "First fit",
            "Fat-tree: servers by index, in the lowest subtree that can hold the job. Multi-cluster: clusters with the most free nodes first, regardless of the load of their links.",
            PAPER_1;
        Greedy = "greedy", "Greedy",
            "One virtual machine after the other, each where the most heavily reserved link stays least reserved.",
            "L. Yu, H. Shen, Bandwidth guarantee under demand uncertainty in multi-tenant clouds, ICDCS 2014";
        Exact = "exact", "Exact",
            "The placement that reserves the least bandwidth, wherever one exists, by dynamic programming.",
            "M. Rost, C. Fuerst, S. Schmid, Beyond the stars: revisiting virtual cluster embeddings, CCR 45(3), 2015";
    }
}

/// How the placements on a tree are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopologyOptions {
    /// The generation of Slurm's rules.
    pub rule: Generation,
    /// How a job is cut for blocks.
    pub segments: Segments,
    /// For how few leaves jobs of `slurm-tree` wait; `None` where they take any number at once.
    pub switches: Option<SwitchLimit>,
}

impl TopologyPlacement {
    /// Its placer.
    pub fn placer(self, options: &TopologyOptions) -> Box<dyn Placer<Tree>> {
        let rule = options.rule;
        match self {
            TopologyPlacement::SlurmTree => Box::new(SlurmTree::new(rule, options.switches)),
            TopologyPlacement::SlurmBlock => Box::new(SlurmBlock::new(rule, options.segments)),
            TopologyPlacement::SlurmLinear => Box::new(SlurmLinear::new(rule)),
            TopologyPlacement::Adaba => Box::new(Adaba::default()),
            TopologyPlacement::Oktopus => Box::new(Oktopus),
            TopologyPlacement::BestFit => Box::new(BestFit::default()),
            TopologyPlacement::FirstFit => Box::new(FirstFit::default()),
            TopologyPlacement::Greedy => Box::new(Greedy::default()),
            TopologyPlacement::Exact => Box::new(Exact),
        }
    }
}

/// A placement as a job is examined by: what its placer, or any placement of its kind, could find.
#[derive(Clone, Debug)]
pub struct Examining {
    /// The placement.
    pub placement: TopologyPlacement,
    /// How it is read.
    pub options: TopologyOptions,
}

impl Examining {
    /// Whether the placement takes whole nodes, wherever links lead.
    pub fn whole_nodes(&self) -> bool {
        use TopologyPlacement::{SlurmBlock, SlurmLinear, SlurmTree};
        matches!(self.placement, SlurmTree | SlurmBlock | SlurmLinear)
    }
}

impl Placer<Tree> for Examining {
    fn place(&mut self, tree: &Tree, request: &Request) -> Option<Held> {
        self.placement.placer(&self.options).place(tree, request)
    }

    fn exists(&self, tree: &Tree, request: &Request) -> Option<bool> {
        self.placement.placer(&self.options).exists(tree, request)
    }
}
