//! Where a job goes: placers propose a place in the present state of their system.
//!
//! The placers of a system stand in its folder, in `place`. Here is what they have in common.
//!
//! - `placer`: what a placer does

mod placer;

pub use placer::Placer;

use crate::choice::choices;
use crate::source::{PAPER_1, PAPER_3, PAPER_4};
use crate::system::SystemKind;
use crate::system::fat_tree::place::{LargestBandwidth, LevelZero, Root};

choices! {
    /// Where a job is placed.
    pub enum Placement {
        Adaba = "adaba", "AdaBa",
            "Servers whose free slots match the bandwidth asked for come first, within the lowest switch that can hold the job.",
            PAPER_1;
        Oktopus = "oktopus", "Oktopus",
            "The lowest subtree that can hold the job, filled child by child; a job that fits one server goes there.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        BestFit = "best-fit", "Best fit",
            "Servers with the fewest free slots come first, within the lowest switch that can hold the job.",
            PAPER_1;
        FirstFit = "first-fit", "First fit",
            "Servers in their order, within the lowest switch that can hold the job; clusters by free nodes, the most first, whatever their links carry.",
            PAPER_1;
        Greedy = "greedy", "Greedy",
            "Virtual machine by virtual machine, each where the busiest link stays least occupied.",
            "L. Yu, H. Shen, Bandwidth guarantee under demand uncertainty in multi-tenant clouds, ICDCS 2014";
        MinMaxDp = "min-max-dp", "Min-max DP",
            "The split over the servers of the lowest switch that leaves the busiest link least occupied, by dynamic programming.",
            "L. Yu, H. Shen, Bandwidth guarantee under demand uncertainty in multi-tenant clouds, ICDCS 2014";
        Exact = "exact", "Exact",
            "The embedding that reserves the least bandwidth, wherever any exists, by dynamic programming.",
            "M. Rost, C. Fuerst, S. Schmid, Beyond the stars: revisiting virtual cluster embeddings, CCR 45(3), 2015";
        AdabaExact = "adaba-exact", "AdaBa or exact",
            "AdaBa; where it finds no place though one exists, the one that reserves the least bandwidth.",
            PAPER_1;
        Index = "index", "Lowest index",
            "The free nodes with the lowest numbers.",
            "";
        NoShare = "no-share", "No share",
            "Jobs run on the cluster at which they are submitted, or wait.",
            PAPER_3;
        MigrationOnly = "migration-only", "Migration only",
            "Jobs run on one cluster: their own, else that with the fewest free nodes that are enough.",
            PAPER_3;
        Satisfy = "a1", "Satisfy (A1)",
            "Jobs that no cluster has room for are spread so that no link is asked for more than its threshold.",
            PAPER_3;
        LargestFree = "b1", "Largest free (B1)",
            "Jobs that no cluster has room for are spread over the clusters with most nodes free.",
            PAPER_3;
        LeastSaturated = "b2", "Least saturated (B2)",
            "Jobs that no cluster has room for are spread over the clusters with the least loaded links.",
            PAPER_3;
        Chunk = "b3", "Big and small chunks (B3)",
            "Jobs that no cluster has room for are spread if one cluster takes a large part of them.",
            PAPER_3;
        RoundRobin = "b4", "Load balancing (B4)",
            "Jobs that no cluster has room for are spread evenly.",
            PAPER_3;
        Count = "count", "Count",
            "Free machines of the centres in the order in which these are opened.",
            PAPER_4;
    }
}

impl Placement {
    /// The systems on which it can place jobs.
    pub fn systems(self) -> &'static [SystemKind] {
        match self {
            Placement::Adaba
            | Placement::Oktopus
            | Placement::BestFit
            | Placement::Greedy
            | Placement::MinMaxDp
            | Placement::Exact
            | Placement::AdabaExact => &[SystemKind::FatTree],
            Placement::Index => &[SystemKind::Nodes],
            Placement::FirstFit => &[SystemKind::FatTree, SystemKind::MultiCluster],
            Placement::NoShare
            | Placement::MigrationOnly
            | Placement::Satisfy
            | Placement::LargestFree
            | Placement::LeastSaturated
            | Placement::Chunk
            | Placement::RoundRobin => &[SystemKind::MultiCluster],
            Placement::Count => &[SystemKind::Pool],
        }
    }

    /// The placement that a policy takes on `system` when it names none.
    pub fn default_on(system: SystemKind) -> Placement {
        match system {
            SystemKind::FatTree => Placement::Adaba,
            SystemKind::Nodes => Placement::Index,
            SystemKind::MultiCluster => Placement::FirstFit,
            SystemKind::Pool => Placement::Count,
        }
    }

    /// Those that are compared on `system` where nothing is said.
    pub fn compared_by_default(system: SystemKind) -> &'static [Placement] {
        use Placement::{Chunk, FirstFit, LargestFree, MigrationOnly, NoShare, Satisfy};
        match system {
            SystemKind::FatTree => &[Placement::Adaba],
            SystemKind::Nodes => &[Placement::Index],
            SystemKind::MultiCluster => &[
                NoShare,
                MigrationOnly,
                FirstFit,
                Satisfy,
                LargestFree,
                Chunk,
            ],
            SystemKind::Pool => &[Placement::Count],
        }
    }

    /// Whether it may spread a job over several parts of the system, as over clusters.
    pub fn spreads(self) -> bool {
        !matches!(self, Placement::NoShare | Placement::MigrationOnly)
    }

    /// The placements that run on `system`.
    pub fn on(system: SystemKind) -> impl Iterator<Item = Placement> {
        Placement::ALL
            .iter()
            .copied()
            .filter(move |placement| placement.systems().contains(&system))
    }
}

/// How the placement is read where the paper can be read in several ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementOptions {
    /// Whether first fit on clusters comes after the home cluster and migration.
    pub local_first: bool,
    /// The share of a link's rate, per cent, that what is required of it should stay below (LSLT in
    /// the paper).
    pub threshold: u32,
    /// The part of a spread job, per cent, that one cluster must take at least.
    pub chunk: u32,
    /// Whether a single server is looked for first.
    pub level0: LevelZero,
    /// Whether the placements other than AdaBa know that machines on one server need no link.
    pub hide_aware: bool,
    /// Which switch of a level is tried first.
    pub root: Root,
    /// Which jobs AdaBa's largest bandwidth is taken over.
    pub bmax: LargestBandwidth,
}
