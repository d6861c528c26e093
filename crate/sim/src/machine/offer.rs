//! What the servers of a leaf switch offer together: enough to see in one step that a cluster cannot
//! go there.
//!
//! *Source*: the project's own, from the hose model.

use super::hose::Cluster;
use crate::unit::Kbps;

/// The joint offer of the servers of a leaf switch that have a free slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// The most free slots of one of them.
    pub most_slots: u32,
    /// The largest bandwidth left on the link of one of them.
    pub most_bandwidth: Kbps,
    /// The bandwidth left on all their links together.
    pub bandwidth: Kbps,
}

impl Offer {
    /// Of servers with these free slots and residual bandwidths.
    pub fn of(servers: impl Iterator<Item = (u32, Kbps)>) -> Offer {
        let mut offer = Offer::default();
        for (slots, residual) in servers {
            if slots > 0 {
                offer.most_slots = offer.most_slots.max(slots);
                offer.most_bandwidth = offer.most_bandwidth.max(residual);
                offer.bandwidth += residual;
            }
        }
        offer
    }

    /// Whether the servers may take a whole cluster; `false` is certain.
    #[inline(always)]
    pub fn may_take_all(self, cluster: Cluster) -> bool {
        cluster.times(cluster.size) <= self.bandwidth || self.may_jump(cluster)
    }

    /// Whether the servers may take any machine of a cluster; `false` is certain.
    pub fn may_take_one(self, cluster: Cluster) -> bool {
        cluster.bandwidth <= self.most_bandwidth || self.may_jump(cluster)
    }

    /// Whether a server may take enough machines of a cluster to reach the upper range of feasible
    /// counts: N − q ≤ a, for q = ⌊c / B⌋.
    #[inline]
    fn may_jump(self, cluster: Cluster) -> bool {
        let others = cluster.size.saturating_sub(self.most_slots);
        cluster.times(others) <= self.most_bandwidth
    }
}
