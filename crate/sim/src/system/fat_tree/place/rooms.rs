//! Upper bounds on the machines of one cluster below each switch, found without a search.

use crate::id::LinkId;
use crate::machine::hose::Cluster;
use crate::system::fat_tree::{FatTree, Reservation, Switch};
use crate::unit::Kbps;

/// The machines that the links of an edge switch's servers allow.
pub(super) struct RoomOfServers {
    /// The sum of their largest counts, up to N.
    pub(super) total: u32,
    /// Those that may have any, as a bit mask from the first server on.
    usable: u32,
    /// The most that one whose link binds could have and may have, together.
    pub(super) bound: u32,
}

pub(super) fn room_of_servers(tree: &FatTree, cluster: Cluster, edge: u32) -> RoomOfServers {
    let topology = tree.topology();
    let mut rooms = RoomOfServers {
        total: 0,
        usable: 0,
        bound: 0,
    };
    let half = topology.half();
    let with_slots = u32::MAX >> (32 - half) & !tree.servers_with(edge, 0);
    for position in ones(u64::from(with_slots)) {
        let server = edge * half + position;
        let limit = tree.free_slots(server).min(cluster.size);
        let room = cluster.largest(0, limit, tree.residual(topology.server_link(server)));
        rooms.total += room;
        if room < limit {
            rooms.bound = rooms.bound.max(limit + room);
        }
        rooms.usable |= u32::from(room > 0) << position;
    }
    rooms.total = rooms.total.min(cluster.size);
    rooms
}

/// Upper bounds on the machines of one cluster below each link.
///
/// The room of a server, an edge switch or a pod is the largest count that its uplink allows, up to
/// the sum of its children's rooms. No placement below a switch can exceed the sum of its
/// children's rooms; Oktopus fills by them. The printed interpretation tests uplinks for each
/// server alone, so there they bound nothing.
#[derive(Clone, Debug)]
pub(super) struct Rooms {
    /// As links above the servers carry it.
    cluster: Cluster,
    /// By edge switch, without its uplink, up to N.
    pub(super) edges: Vec<u32>,
    /// By pod and aggregation switch j, without the links above, up to N.
    pods: Vec<u32>,
    parallel: u32,
    pub(super) usable: Usable,
}

/// The children whose rooms are not 0, as bit masks.
#[derive(Clone, Debug, Default)]
pub(super) struct Usable {
    /// By edge switch: its servers.
    pub(super) servers: Vec<u32>,
    /// By pod: its edge switches.
    pub(super) edges: Vec<u32>,
    pub(super) pods: u64,
}

impl Default for Rooms {
    fn default() -> Self {
        Rooms {
            cluster: NOBODY,
            edges: Vec::new(),
            pods: Vec::new(),
            parallel: 1,
            usable: Usable::default(),
        }
    }
}

impl Rooms {
    pub(super) fn measure(&mut self, tree: &FatTree, cluster: Cluster) {
        let topology = tree.topology();
        let (half, parallel) = (topology.half(), topology.parallel());
        let above = above_servers(tree, cluster);
        self.cluster = above;
        self.parallel = parallel;
        let usable = &mut self.usable;
        for (list, length) in [
            (&mut self.edges, topology.edges()),
            (&mut usable.servers, topology.edges()),
            (&mut usable.edges, topology.pods()),
            (&mut self.pods, topology.pods() * parallel),
        ] {
            list.clear();
            list.resize(length as usize, 0);
        }
        usable.pods = 0;
        for edge in 0..topology.edges() {
            if !tree.offer(edge).may_take_one(cluster) {
                continue;
            }
            let rooms = room_of_servers(tree, cluster, edge);
            if rooms.total == 0 {
                continue;
            }
            let pod = topology.pod_of(edge);
            self.edges[edge as usize] = rooms.total;
            usable.servers[edge as usize] = rooms.usable;
            usable.edges[pod as usize] |= 1 << (edge % half);
            usable.pods |= 1 << pod;
            let residuals = tree.residuals(topology.edge_links(edge));
            let below = &mut self.pods[(pod * parallel) as usize..];
            for (below, &residual) in below.iter_mut().zip(residuals) {
                *below += above.largest(0, rooms.total, residual);
            }
        }
        for below in &mut self.pods {
            *below = cluster.size.min(*below);
        }
    }

    /// Of all edge switches together, without their uplinks.
    pub(super) fn total(&self) -> u32 {
        self.edges.iter().sum()
    }

    /// The sum of the rooms of the edge switches of a pod, seen from its aggregation switch j.
    pub(super) fn below_pod(&self, pod: u32, j: u32) -> u32 {
        self.pods[(pod * self.parallel + j) as usize]
    }

    /// The sum of the rooms of the pods, without their links to the cores that reach their
    /// aggregation switches j.
    pub(super) fn below_cores(&self, j: u32) -> u32 {
        ones(self.usable.pods)
            .map(|pod| self.below_pod(pod, j))
            .sum()
    }

    /// Whether the rooms of the pods, seen from core (j, i), sum up to N; `most` is their sum
    /// without the links to it. Stops as soon as it is certain either way.
    pub(super) fn reach_below_core(&self, tree: &FatTree, j: u32, i: u32, mut most: u32) -> bool {
        let topology = tree.topology();
        let size = self.cluster.size;
        let mut least = 0;
        let certain = ones(self.usable.pods).find_map(|pod| {
            let below = self.below_pod(pod, j);
            let link = topology.pod_link(pod, Switch::Core { j, i });
            let room = self.cluster.largest(0, below, tree.residual(link));
            least += room;
            most -= below - room;
            (least >= size || most < size).then_some(least >= size)
        });
        certain.unwrap_or(false)
    }
}

/// A cluster as the links above servers carry it: without need where they bound nothing.
pub(super) fn above_servers(tree: &FatTree, cluster: Cluster) -> Cluster {
    let bounds = !tree.servers_decide() && tree.reservation() != Reservation::Literal;
    Cluster {
        bandwidth: if bounds { cluster.bandwidth } else { Kbps(0) },
        ..cluster
    }
}

/// The largest count, at most `children`, that an uplink allows.
#[inline(always)]
pub(super) fn room(tree: &FatTree, cluster: Cluster, children: u32, uplink: LinkId) -> u32 {
    above_servers(tree, cluster).largest(0, children, tree.residual(uplink))
}

/// The cluster of a buffer without measurements.
pub(super) const NOBODY: Cluster = Cluster {
    size: 0,
    bandwidth: Kbps(0),
    intra_server_free: true,
};

/// The positions of the bits that are set, ascending.
pub(super) fn ones(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let first = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        first
    })
}
