//! Where a job goes: placers propose a place in the present state of their system.
//!
//! The placers of a system stand in its folder, in `place`.
//!
//! A placer reads the system and proposes; only the engine changes it. A placer may keep counters
//! of its own, such as AdaBa's largest bandwidth, fed by [`Placer::arrived`].

use crate::choice::choices;
use crate::job::Ask;
use crate::source::{PAPER_1, PAPER_3, PAPER_4};
use crate::system::fat_tree::place::{LargestBandwidth, LevelZero, Root};
use crate::system::{System, SystemKind};

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

    /// The placements that run on `system`.
    pub fn on(system: SystemKind) -> impl Iterator<Item = Placement> {
        Placement::ALL
            .iter()
            .copied()
            .filter(move |placement| placement.systems().contains(&system))
    }
}

/// How the placement is read where the paper can be read in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// A way to place one job.
pub trait Placer<S: System> {
    /// Where `ask` could be held now; `None` where this placer finds nothing.
    fn place(&mut self, system: &S, ask: &Ask) -> Option<S::Place>;

    /// Whether any place exists in this state, whether or not this placer would find it; `None`
    /// where nothing can decide that.
    fn exists(&self, system: &S, ask: &Ask) -> Option<bool>;

    /// Whether it finds a place exactly where as many slots are free as a job asks for.
    fn by_count(&self) -> bool {
        false
    }

    /// The largest job that it may find a place for now: larger ones are not tried. While jobs only start it
    /// never grows.
    fn largest(&self, system: &S) -> u64 {
        match self.by_count() {
            true => system.free_slots(),
            false => u64::MAX,
        }
    }

    /// A job has arrived; called once for every job, also for one that can never run.
    fn arrived(&mut self, _ask: &Ask) {}

    /// A policy really tries to start a job: no trial, no test on the empty system.
    fn attempted(&mut self, _ask: &Ask) {}

    /// A job has started.
    fn started(&mut self, _ask: &Ask) {}
}

/// A placer chosen when the run is set up. One call of it costs nothing beside the placement itself,
/// and the engine is compiled once for all placers of a system.
impl<S: System> Placer<S> for Box<dyn Placer<S>> {
    fn place(&mut self, system: &S, ask: &Ask) -> Option<S::Place> {
        (**self).place(system, ask)
    }

    fn exists(&self, system: &S, ask: &Ask) -> Option<bool> {
        (**self).exists(system, ask)
    }

    fn by_count(&self) -> bool {
        (**self).by_count()
    }

    fn largest(&self, system: &S) -> u64 {
        (**self).largest(system)
    }

    fn arrived(&mut self, ask: &Ask) {
        (**self).arrived(ask);
    }

    fn attempted(&mut self, ask: &Ask) {
        (**self).attempted(ask);
    }

    fn started(&mut self, ask: &Ask) {
        (**self).started(ask);
    }
}
