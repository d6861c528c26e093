//! The machines: what a running job holds, and how fast it progresses.
//!
//! - [`fat_tree`]: servers with slots under a fat-tree whose links carry bandwidth guarantees
//! - [`multi_cluster`]: clusters of nodes around a switch, whose links jobs share
//! - [`nodes`]: a cluster of nodes with one process each, or with a second one in the background
//! - [`tree`]: nodes under an uneven tree of switches, or in blocks, as Slurm places jobs there
//! - [`pool`]: identical virtual machines in one or several data centres
//! - [`describe`]: what each of them is to people
//! - `placements`: the table of their placements
//!
//! Here is the list of them: the one place that chooses among systems by kind, by specification and
//! as they are shown.
//!
//! No system knows another, and none knows when jobs start: that is for [`crate::policy`].

pub mod describe;
pub mod fat_tree;
pub mod multi_cluster;
pub mod nodes;
mod placements;
pub mod pool;
pub mod tree;

pub use placements::{PlacementOptions, PlacementPolicy};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::choice::choices;
use crate::machine::{Capacity, Guarantee};
use crate::source::{PAPER_3, PAPER_4};
use crate::system::fat_tree::place::most_guaranteed;
use describe::{About, Describe, Measure};
use fat_tree::FatTreeSpec;
use fat_tree::describe::ShownTree;
use multi_cluster::MultiClusterSpec;
use multi_cluster::describe::ShownClusters;
use nodes::NodesSpec;
use nodes::describe::ShownNodes;
use pool::PoolSpec;
use pool::describe::ShownPool;
use tree::describe::ShownTopology;
use tree::{Shape, TreeSpec};

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
        Tree = "tree", "Tree",
            "Nodes under an uneven tree of switches, or in blocks, as a cluster's topology file says.",
            "Slurm, topology.conf(5)";
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
    /// An uneven tree of switches, or blocks.
    Tree(TreeSpec),
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

    /// Gives a cluster of nodes so many; another system stays as it is.
    pub fn set_nodes(&mut self, nodes: u32) {
        if let SystemSpec::Nodes(spec) = self {
            spec.nodes = nodes;
        }
    }

    /// Calls the parts of a tree as this shape does, if it is of the same shape.
    pub fn call_parts_as(&mut self, named: Arc<Shape>) {
        if let SystemSpec::Tree(spec) = self
            && spec.shape == named
        {
            spec.shape = named;
        }
    }

    /// How many nodes there are; nothing where it is another system.
    pub fn nodes(&self) -> Option<&NodesSpec> {
        match self {
            SystemSpec::Nodes(spec) => Some(spec),
            _ => None,
        }
    }

    /// How large a fat-tree it is; nothing where it is another system.
    pub fn fat_tree(&self) -> Option<&FatTreeSpec> {
        match self {
            SystemSpec::FatTree(spec) => Some(spec),
            _ => None,
        }
    }

    /// How large a tree it is; nothing where it is another system.
    pub fn tree(&self) -> Option<&TreeSpec> {
        match self {
            SystemSpec::Tree(spec) => Some(spec),
            _ => None,
        }
    }

    /// The part of their bandwidth that jobs are guaranteed on its links; nothing where links carry no
    /// guarantees.
    pub fn guarantee(&self) -> Option<Guarantee> {
        match self {
            SystemSpec::FatTree(spec) => Some(spec.guarantee),
            SystemSpec::Tree(spec) => Some(spec.guarantee),
            _ => None,
        }
    }

    /// How large a pool it is; nothing where it is another system.
    pub fn pool(&self) -> Option<&PoolSpec> {
        match self {
            SystemSpec::Pool(spec) => Some(spec),
            _ => None,
        }
    }

    /// How large a multi-cluster it is; nothing where it is another system.
    pub fn multi_cluster(&self) -> Option<&MultiClusterSpec> {
        match self {
            SystemSpec::MultiCluster(spec) => Some(spec),
            _ => None,
        }
    }

    /// Which kind of system it is.
    pub fn kind(&self) -> SystemKind {
        match self {
            SystemSpec::FatTree(_) => SystemKind::FatTree,
            SystemSpec::Nodes(_) => SystemKind::Nodes,
            SystemSpec::MultiCluster(_) => SystemKind::MultiCluster,
            SystemSpec::Pool(_) => SystemKind::Pool,
            SystemSpec::Tree(_) => SystemKind::Tree,
        }
    }

    /// What a workload needs to know of the system.
    pub fn capacity(&self) -> Capacity {
        match self {
            SystemSpec::FatTree(spec) => Capacity {
                most_guaranteed: Some(most_guaranteed(spec.clone())),
                ..spec.capacity()
            },
            SystemSpec::Nodes(spec) => spec.capacity(),
            SystemSpec::MultiCluster(spec) => spec.capacity(),
            SystemSpec::Pool(spec) => spec.capacity(),
            SystemSpec::Tree(spec) => spec.capacity(),
        }
    }
}

/// A specification of each kind, for whoever reads them before one is chosen.
#[derive(Clone, Debug, Default)]
pub struct SystemSpecs {
    /// A fat-tree.
    pub fat_tree: FatTreeSpec,
    /// Plain nodes.
    pub nodes: NodesSpec,
    /// Clusters of nodes around a switch.
    pub multi_cluster: MultiClusterSpec,
    /// Identical virtual machines in data centres.
    pub pool: PoolSpec,
    /// An uneven tree of switches, or blocks.
    pub tree: TreeSpec,
}

impl SystemSpecs {
    /// The specification of this kind.
    pub fn of(self, kind: SystemKind) -> SystemSpec {
        match kind {
            SystemKind::FatTree => SystemSpec::FatTree(self.fat_tree),
            SystemKind::Nodes => SystemSpec::Nodes(self.nodes),
            SystemKind::MultiCluster => SystemSpec::MultiCluster(self.multi_cluster),
            SystemKind::Pool => SystemSpec::Pool(self.pool),
            SystemKind::Tree => SystemSpec::Tree(self.tree),
        }
    }
}

impl SystemKind {
    /// What is said of every system of this kind.
    pub fn about(self) -> &'static About {
        match self {
            SystemKind::FatTree => &fat_tree::describe::ABOUT,
            SystemKind::Nodes => &nodes::describe::ABOUT,
            SystemKind::MultiCluster => &multi_cluster::describe::ABOUT,
            SystemKind::Pool => &pool::describe::ABOUT,
            SystemKind::Tree => &tree::describe::ABOUT,
        }
    }
}

/// A system as it is shown: it may leave the program that simulated it, to be drawn by another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub enum Shown {
    /// A fat-tree.
    FatTree(ShownTree),
    /// Plain nodes.
    Nodes(ShownNodes),
    /// Clusters of nodes around a switch.
    MultiCluster(ShownClusters),
    /// Virtual machines in data centres.
    Pool(ShownPool),
    /// Nodes under an uneven tree of switches, or in blocks.
    Tree(ShownTopology),
}

impl Shown {
    /// The system of such a specification; `threshold` is the share of a link's rate, per cent,
    /// that a scheduler on clusters wants it loaded with at most.
    pub fn of(system: &SystemSpec, threshold: u32) -> Shown {
        match system {
            SystemSpec::FatTree(spec) => Shown::FatTree(ShownTree::of(spec)),
            SystemSpec::Nodes(spec) => Shown::Nodes(ShownNodes::of(spec)),
            SystemSpec::MultiCluster(spec) => {
                Shown::MultiCluster(ShownClusters::of(spec, threshold))
            }
            SystemSpec::Pool(spec) => Shown::Pool(ShownPool::of(spec)),
            SystemSpec::Tree(spec) => Shown::Tree(ShownTopology::of(spec)),
        }
    }

    /// What a run made of it.
    pub fn measure(&self) -> &dyn Measure {
        match self {
            Shown::FatTree(tree) => tree,
            Shown::Nodes(nodes) => nodes,
            Shown::MultiCluster(clusters) => clusters,
            Shown::Pool(pool) => pool,
            Shown::Tree(tree) => tree,
        }
    }

    /// How it is shown.
    pub fn describe(&self) -> &dyn Describe {
        match self {
            Shown::FatTree(tree) => tree,
            Shown::Nodes(nodes) => nodes,
            Shown::MultiCluster(clusters) => clusters,
            Shown::Pool(pool) => pool,
            Shown::Tree(tree) => tree,
        }
    }
}
