//! The size of a fat-tree and the use of its links.

use super::ledger::{FatTree, Reservation};
use super::topology::{Fabric, Layer, Topology};
use crate::decimal::Decimal;
use crate::machine::{Capacity, Guarantee};
use crate::unit::Kbps;

/// A fat-tree of `k` pods: k³/4 servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FatTreeSpec {
    /// Pods, an even number.
    pub k: u32,
    /// Slots of each server (L in the paper).
    pub slots: u32,
    /// Rate of each link (C in the paper).
    pub link: Kbps,
    /// How parallel links are used.
    pub fabric: Fabric,
    /// The oversubscription of the links above the servers.
    pub oversubscription: Decimal,
    /// The reservation of a job on a link that several of its servers share.
    pub reservation: Reservation,
    /// The guaranteed part of a job's bandwidth.
    pub guarantee: Guarantee,
}

impl FatTreeSpec {
    /// What a workload needs to know about it.
    pub fn capacity(&self) -> Capacity {
        let half = u64::from(self.k / 2);
        let servers = u64::from(self.k) * half * half;
        Capacity {
            slots: servers * u64::from(self.slots),
            servers,
            slots_per_server: u64::from(self.slots),
            line_rate: self.link,
            thinnest_shared: self.thinnest().filter(|_| !self.guarantee.is_full()),
            most_guaranteed: None,
        }
    }

    /// The rate of its slowest link; `None` if it has none.
    fn thinnest(&self) -> Option<Kbps> {
        let topology = Topology::new(self.k, self.fabric);
        let rate = |layer| topology.capacity(layer, self.link, self.oversubscription);
        Layer::ALL.into_iter().map(rate).min()
    }

    /// The fat-tree, idle.
    pub fn build(&self) -> FatTree {
        let topology = Topology::new(self.k, self.fabric);
        let capacity = topology.capacities(self.link, self.oversubscription);
        FatTree::new(topology, self.slots, capacity, self.reservation)
            .with_guarantee(self.guarantee)
    }
}
