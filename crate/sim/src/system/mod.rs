//! The machines: what a running job holds, and how fast it progresses.
//!
//! - [`fat_tree`]: servers with slots under a fat-tree whose links carry bandwidth guarantees
//! - [`multi_cluster`]: clusters of nodes around a switch, whose links jobs share
//! - [`nodes`]: a cluster of nodes with one process each, or with a second one in the background
//! - [`pool`]: identical virtual machines in one or several data centres
//! - `machine`: what each of them is to the engine
//! - [`describe`]: what each of them is to people
//!
//! No system knows another, and none knows where or when to place a job: that is for
//! [`crate::place`] and [`crate::policy`].

pub mod describe;
pub mod fat_tree;
mod machine;
pub mod multi_cluster;
pub mod nodes;
pub mod pool;

pub use machine::{Place, System};

use crate::COMPLETE;
use crate::choice::choices;
use crate::decimal::Decimal;
use crate::id::CentreId;
use crate::source::{PAPER_3, PAPER_4};
use crate::unit::Kbps;
use describe::{About, Describe};
use fat_tree::describe::ShownTree;
use fat_tree::{Fabric, Reservation};
use multi_cluster::LinkSharing;
use multi_cluster::describe::ShownClusters;
use nodes::Sharing;
use nodes::describe::ShownNodes;
use pool::describe::ShownPool;
use serde::{Deserialize, Serialize};

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
    /// A fat-tree of `k` pods: k³/4 servers.
    FatTree {
        /// Pods, an even number.
        k: u32,
        /// Slots of each server (L in the paper).
        slots: u32,
        /// Rate of each link (C in the paper).
        link: Kbps,
        /// How parallel links are used.
        fabric: Fabric,
        /// By how much the links above the servers are thinner than those below them.
        oversubscription: Decimal,
        /// What a job reserves on a link that several of its servers share.
        reservation: Reservation,
    },
    /// Plain nodes of one slot each.
    Nodes {
        /// How many.
        nodes: u32,
        /// How their background works; without it each runs one process at a time.
        background: Option<Sharing>,
    },
    /// Clusters of nodes around a switch.
    MultiCluster {
        /// Nodes of each cluster.
        nodes: Vec<u32>,
        /// Rate of the link of each.
        links: Vec<Kbps>,
        /// The share of its time in which a job computes (K in the paper).
        computation: Decimal,
        /// What becomes of jobs whose links are asked for too much.
        sharing: LinkSharing,
        /// By what the time of co-allocated jobs is multiplied where that is fixed; where it is
        /// open, their mean penalty in a run that shares links dynamically.
        penalty: Option<Decimal>,
    },
    /// Identical virtual machines in data centres.
    Pool {
        /// Machines of each centre.
        vms: u32,
        /// The centres in the order in which they are opened.
        opening_order: Vec<CentreId>,
        /// By which power of the machines it holds, in multiples of what it asked for, a job speeds up.
        speed_up: Decimal,
    },
}

impl SystemSpec {
    /// All slots, those in the background of nodes included.
    pub fn slots(&self) -> u64 {
        let background = matches!(
            self,
            SystemSpec::Nodes {
                background: Some(_),
                ..
            }
        );
        self.capacity().slots * if background { 2 } else { 1 }
    }

    /// Which kind of system it is.
    pub fn kind(&self) -> SystemKind {
        match self {
            SystemSpec::FatTree { .. } => SystemKind::FatTree,
            SystemSpec::Nodes { .. } => SystemKind::Nodes,
            SystemSpec::MultiCluster { .. } => SystemKind::MultiCluster,
            SystemSpec::Pool { .. } => SystemKind::Pool,
        }
    }

    /// What a workload needs to know of the system.
    pub fn capacity(&self) -> Capacity {
        match self {
            &SystemSpec::FatTree { k, slots, link, .. } => {
                let half = u64::from(k / 2);
                let servers = u64::from(k) * half * half;
                Capacity {
                    slots: servers * u64::from(slots),
                    servers,
                    slots_per_server: u64::from(slots),
                    line_rate: link,
                }
            }
            &SystemSpec::Nodes { nodes, .. } => Capacity {
                slots: u64::from(nodes),
                servers: u64::from(nodes),
                slots_per_server: 1,
                line_rate: Kbps(u64::MAX),
            },
            SystemSpec::MultiCluster { nodes, .. } => Capacity {
                slots: nodes.iter().map(|&count| u64::from(count)).sum(),
                servers: nodes.len() as u64,
                slots_per_server: u64::from(nodes.iter().copied().max().unwrap_or(0)),
                line_rate: Kbps(u64::MAX),
            },
            SystemSpec::Pool {
                vms, opening_order, ..
            } => {
                let centres = opening_order.len() as u64;
                Capacity {
                    slots: centres * u64::from(*vms),
                    servers: centres,
                    slots_per_server: u64::from(*vms),
                    line_rate: Kbps(u64::MAX),
                }
            }
        }
    }
}

/// The size of a system, as far as it shapes a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Slots of all servers together.
    pub slots: u64,
    /// Servers, nodes or data centres.
    pub servers: u64,
    /// Slots of each of them.
    pub slots_per_server: u64,
    /// Rate of a server's link; where servers have none, more than any job asks for.
    pub line_rate: Kbps,
}

impl SystemKind {
    /// What is said of every system of this kind.
    pub fn about(self) -> &'static About {
        match self {
            SystemKind::FatTree => &fat_tree::describe::ABOUT,
            SystemKind::Nodes => &nodes::describe::ABOUT,
            SystemKind::MultiCluster => &multi_cluster::describe::ABOUT,
            SystemKind::Pool => &pool::describe::ABOUT,
        }
    }
}

/// A system as it is shown: it may leave the program that simulated it, to be drawn by another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shown {
    /// A fat-tree.
    FatTree(ShownTree),
    /// Plain nodes.
    Nodes(ShownNodes),
    /// Clusters of nodes around a switch.
    MultiCluster(ShownClusters),
    /// Virtual machines in data centres.
    Pool(ShownPool),
}

impl Shown {
    /// The system of such a specification; `threshold` is the share of a link's rate, per cent, that a
    /// scheduler on clusters wants it loaded with at most.
    pub fn of(system: &SystemSpec, threshold: u32) -> Shown {
        match system {
            &SystemSpec::FatTree {
                k, slots, fabric, ..
            } => Shown::FatTree(ShownTree {
                pods: k,
                slots,
                aggregated: fabric == Fabric::Aggregated,
            }),
            _ if !COMPLETE => unreachable!("the small build has fat-trees alone"),
            &SystemSpec::Nodes { nodes, background } => Shown::Nodes(ShownNodes {
                nodes,
                background: background.is_some(),
            }),
            SystemSpec::MultiCluster { nodes, sharing, .. } => Shown::MultiCluster(ShownClusters {
                nodes: nodes.clone(),
                threshold: f64::from(threshold) / 100.0,
                shared: *sharing == LinkSharing::Dynamic,
            }),
            SystemSpec::Pool {
                vms, opening_order, ..
            } => Shown::Pool(ShownPool {
                vms: *vms,
                centres: opening_order.len() as u32,
            }),
        }
    }

    /// What is to be told of it.
    pub fn describe(&self) -> &dyn Describe {
        match self {
            Shown::FatTree(tree) => tree,
            Shown::Nodes(nodes) => nodes,
            Shown::MultiCluster(clusters) => clusters,
            Shown::Pool(pool) => pool,
        }
    }
}
