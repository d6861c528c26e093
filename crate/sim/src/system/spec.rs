//! Which system the jobs run on, and how large it is: one variant for each.

use crate::choice::choices;
use crate::source::{PAPER_3, PAPER_4};

use super::Capacity;
use super::fat_tree::FatTreeSpec;
use super::multi_cluster::MultiClusterSpec;
use super::nodes::NodesSpec;
use super::pool::PoolSpec;

choices! {
    /// Which system the jobs run on.
    pub enum SystemKind {
        FatTree = "fat-tree", "Fat-tree",
            "A three-layer fat-tree of servers whose links are reserved for the jobs.",
            "M. Al-Fares, A. Loukissas, A. Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008";
        Nodes = "nodes", "Plain nodes",
            "A cluster of equal nodes without a network, one process on each.",
            "";
        MultiCluster = "multi-cluster", "Multi-cluster",
            "Clusters of nodes around a switch, over whose links jobs on several clusters communicate.",
            PAPER_3;
        Pool = "pool", "Pool of VMs",
            "Identical virtual machines in one or several data centres, without a network.",
            PAPER_4;
    }
}

/// What the jobs run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemSpec {
    /// A fat-tree.
    FatTree(FatTreeSpec),
    /// Plain nodes.
    Nodes(NodesSpec),
    /// Clusters of nodes around a switch.
    MultiCluster(MultiClusterSpec),
    /// Identical virtual machines in data centres.
    Pool(PoolSpec),
}

impl SystemSpec {
    /// All slots, those in the background of nodes included.
    pub fn slots(&self) -> u64 {
        let background = match self {
            SystemSpec::Nodes(spec) => spec.background.is_some(),
            _ => false,
        };
        self.capacity().slots * if background { 2 } else { 1 }
    }

    /// What a workload needs to know of the system.
    pub fn capacity(&self) -> Capacity {
        match self {
            SystemSpec::FatTree(spec) => spec.capacity(),
            SystemSpec::Nodes(spec) => spec.capacity(),
            SystemSpec::MultiCluster(spec) => spec.capacity(),
            SystemSpec::Pool(spec) => spec.capacity(),
        }
    }
}
