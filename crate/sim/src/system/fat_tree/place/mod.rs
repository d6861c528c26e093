//! Embedding a virtual cluster in a fat-tree.
//!
//! All placements search the switches from below (edge switches, then aggregation switches by (pod,
//! j), then cores by (j, i)) and take the first below which the whole cluster fits, so that no link
//! above it is used. They differ in how they fill the servers below. [`TreePlacement`] is their
//! table: [`adaba`], [`best_fit`] and [`first_fit`] fill servers in an order (`fill`), [`greedy`]
//! machine by machine, [`oktopus`] subtree by subtree; [`min_max_dp`] and [`exact`] find the
//! cheapest split (`split`) by the busiest link or the sum of reservations; [`adaba_exact`] tries
//! the exact one where AdaBa finds nothing.
//!
//! - `rules`: the interpretation of placements; `occupation`: machines below each link while
//!   filling
//! - `most_guaranteed`: how much bandwidth the empty tree has for a job of some size
//! - `rooms`: upper bounds on the machines below a switch; `subtrees`: what observers hear of the
//!   subtrees among which a placement chose
//! - [`certified`]: any placement, with proofs of what certainly fails: `certificates` that no
//!   placement exists, and `head_room`, what other jobs may take without delaying the head

mod adaba;
mod adaba_exact;
mod best_fit;
mod certificates;
mod certified;
pub mod exact;
mod fill;
mod first_fit;
mod greedy;
mod head_room;
mod min_max_dp;
mod most_guaranteed;
mod occupation;
mod oktopus;
mod rooms;
mod rules;
mod split;
mod subtrees;

pub use adaba::{Adaba, LargestBandwidth};
pub use adaba_exact::AdabaExact;
pub use best_fit::BestFit;
pub use certified::Certified;
pub use exact::Exact;
pub use first_fit::FirstFit;
pub use greedy::Greedy;
pub use min_max_dp::MinMaxDp;
pub(crate) use most_guaranteed::most_guaranteed;
pub use oktopus::Oktopus;
pub use rules::{LevelZero, Root, Rules};

use crate::choice::choices;
use crate::place::Placer;
use crate::source::PAPER_1;
use crate::system::fat_tree::{FatTree, Topology};
use crate::unit::Kbps;

choices! {
    /// Where a job is placed on a fat-tree.
    pub enum TreePlacement {
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
        MinMaxDp = "min-max-dp", "Min-max DP",
            "The split over the servers of the lowest subtree that leaves the most heavily reserved link least reserved, by dynamic programming.",
            "L. Yu, H. Shen, Bandwidth guarantee under demand uncertainty in multi-tenant clouds, ICDCS 2014";
        Exact = "exact", "Exact",
            "The placement that reserves the least bandwidth, wherever one exists, by dynamic programming.",
            "M. Rost, C. Fuerst, S. Schmid, Beyond the stars: revisiting virtual cluster embeddings, CCR 45(3), 2015";
        AdabaExact = "adaba-exact", "AdaBa or exact",
            "AdaBa; where it finds no placement although one exists, the placement that reserves the least bandwidth.",
            PAPER_1;
    }
}

/// The interpretation of the placements on a fat-tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions {
    /// Whether a single server is looked for first.
    pub level0: LevelZero,
    /// Whether placements other than AdaBa count traffic inside a server as free.
    pub hide_aware: bool,
    /// The switch of a level that is tried first.
    pub root: Root,
    /// The jobs that AdaBa's largest bandwidth is taken over.
    pub bmax: LargestBandwidth,
}

impl TreePlacement {
    /// Its placer, where the jobs before the first ask for no more than `seen`.
    pub fn placer(self, options: &TreeOptions, seen: Kbps) -> Box<dyn Placer<FatTree>> {
        let rules = self.rules(options);
        let over = options.bmax;
        match self {
            TreePlacement::Adaba => Box::new(Adaba::new(rules, over, seen)),
            TreePlacement::Oktopus => Box::new(Oktopus::new(rules)),
            TreePlacement::BestFit => Box::new(BestFit::new(rules)),
            TreePlacement::FirstFit => Box::new(FirstFit::new(rules)),
            TreePlacement::Greedy => Box::new(Greedy::new(rules)),
            TreePlacement::MinMaxDp => Box::new(MinMaxDp::new(rules)),
            TreePlacement::Exact => Box::new(Exact::new(rules)),
            TreePlacement::AdabaExact => Box::new(AdabaExact::new(rules, over, seen)),
        }
    }

    /// Decides what its placer could find under the same rules.
    pub fn examiner(self, options: &TreeOptions) -> Exact {
        Exact::new(self.rules(options))
    }

    /// The same with proofs of what certainly fails, on a tree of this shape.
    pub(crate) fn certified(
        self,
        options: &TreeOptions,
        seen: Kbps,
        topology: Topology,
    ) -> Certified {
        let counts_attempts = options.bmax == LargestBandwidth::Attempted;
        let placer = self.placer(options, seen);
        Certified::new(placer, self.rules(options), counts_attempts, topology)
    }

    /// How it is read.
    fn rules(self, options: &TreeOptions) -> Rules {
        use TreePlacement::{Adaba, AdabaExact, Oktopus};
        Rules {
            intra_server_free: options.hide_aware || matches!(self, Adaba | AdabaExact),
            single_server_first: match options.level0 {
                LevelZero::Auto => self == Oktopus,
                LevelZero::On => true,
                LevelZero::Off => false,
            },
            least_loaded_root: options.root == Root::LeastLoaded,
        }
    }
}
