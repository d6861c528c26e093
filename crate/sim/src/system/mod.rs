//! The machines: what a running job holds, and how fast it progresses.
//!
//! - [`fat_tree`]: servers with slots under a fat-tree whose links carry bandwidth guarantees
//! - [`multi_cluster`]: clusters of nodes around a switch, whose links jobs share
//! - [`nodes`]: a cluster of nodes with one process each, or with a second one in the background
//! - [`pool`]: identical virtual machines in one or several data centres
//!
//! No system knows another, and none knows where or when to place a job: that is for
//! [`crate::place`] and [`crate::policy`].

pub mod fat_tree;
pub mod multi_cluster;
pub mod nodes;
pub mod pool;

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::id::CentreId;
use crate::source::{PAPER_3, PAPER_4};
use fat_tree::{Fabric, Reservation};
use multi_cluster::LinkSharing;
use nodes::Sharing;
use std::ops::Range;

use crate::id::{JobId, LinkId};
use crate::job::Ask;
use crate::unit::Kbps;

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

/// A machine that jobs hold parts of.
pub trait System: Clone {
    /// The parts that one job holds.
    type Place: Place;

    /// Whether all jobs that [`System::touched`] gives bring their progress up to date, also those
    /// whose rate turns out to be the same.
    const SYNCED_TOGETHER: bool = false;

    /// Gives `ask` its place. Panics, naming the part and the job, where the part is not free:
    /// placers propose only what fits.
    fn hold(&mut self, ask: &Ask, place: &Self::Place);

    /// Takes the place back: the exact inverse of [`System::hold`].
    fn free(&mut self, ask: &Ask, place: &Self::Place);

    /// Work done per microsecond by `ask` at its place, 1 on a dedicated machine.
    fn rate(&self, _ask: &Ask, _place: &Self::Place) -> f64 {
        1.0
    }

    /// By what the work that a job has left is multiplied while it holds this place.
    fn stretch(&self, _place: &Self::Place) -> f64 {
        1.0
    }

    /// Moves to `out` the jobs whose rate may have changed since the last call.
    fn touched(&mut self, _out: &mut Vec<JobId>) {}

    /// All slots of the machine, those in the background left out.
    fn slots(&self) -> u64;

    /// How many of them are free.
    fn free_slots(&self) -> u64;

    /// Leaves no more than so many slots to jobs that start, where a system can switch some off; what is
    /// held stays so.
    fn limit(&mut self, _slots: u64) {}

    /// Bandwidth of every link, by [`LinkId`]; empty where links are not modelled.
    fn links(&self) -> &[Kbps] {
        &[]
    }

    /// The layers of links from below, as ranges of their ids.
    fn layers(&self) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// The links of whole clusters to each other, as a range of their ids.
    fn uplinks(&self) -> Range<usize> {
        0..0
    }
}

/// The parts of a machine that one job holds.
pub trait Place: Clone {
    /// (server or node, slots held there), ascending by server or node.
    fn shares(&self) -> impl Iterator<Item = (u32, u32)>;

    /// Which of the job's processes holds each of the shares, where they differ; else nothing.
    fn processes(&self) -> Vec<u32> {
        Vec::new()
    }

    /// How many slots it has.
    fn slots(&self) -> u32 {
        self.shares().map(|share| share.1).sum()
    }

    /// Whether it has only what other jobs leave over of the machine.
    fn background(&self) -> bool {
        false
    }

    /// (link, bandwidth reserved on it), each link at most once.
    fn reservations(&self) -> &[(LinkId, Kbps)] {
        &[]
    }
}
