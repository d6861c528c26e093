//! The machines of one cluster below each link while its servers are filled, and the share of the
//! link that is then taken.

use super::rooms::NOBODY;
use crate::id::{Id, LinkId};
use crate::machine::System;
use crate::machine::hose::Cluster;
use crate::system::fat_tree::{FatTree, Reservation, Switch};
use crate::unit::Kbps;

/// The machines of one cluster below each link between its servers and `switch`.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    cluster: Cluster,
    switch: Switch,
    edges: Vec<Below>,
    pods: Vec<Below>,
    /// The edge switches below which there are any.
    touched: Vec<u32>,
}

/// The machines of one cluster below a link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Below {
    machines: u32,
    /// The sum over its servers of the machines that each must exchange with the others.
    weight: u32,
}

impl Below {
    /// The largest count of machines, at most `limit`, that one more server may add below a link.
    pub(super) fn largest(self, cluster: Cluster, limit: u32, tree: &FatTree, link: LinkId) -> u32 {
        let residual = tree.residual(link);
        match tree.reservation() {
            Reservation::Hose => cluster.largest(self.machines, limit, residual),
            Reservation::Sum => {
                let taken = cluster.times(self.weight).0;
                cluster.largest(0, limit, Kbps(residual.0.saturating_sub(taken)))
            }
            Reservation::Literal => cluster.largest(0, limit, residual),
        }
    }

    /// The bandwidth for which the link is tested when a server goes from `here` to one machine
    /// more.
    fn need_of_one_more(self, cluster: Cluster, here: u32, reservation: Reservation) -> Kbps {
        match reservation {
            Reservation::Hose => cluster.need(self.machines + 1),
            Reservation::Sum => {
                cluster.times(self.weight - cluster.weight(here) + cluster.weight(here + 1))
            }
            Reservation::Literal => cluster.need(here + 1),
        }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Counts {
            cluster: NOBODY,
            switch: Switch::Edge(0),
            edges: Vec::new(),
            pods: Vec::new(),
            touched: Vec::new(),
        }
    }
}

impl Counts {
    /// No machine anywhere below `switch`.
    pub(super) fn clear(&mut self, tree: &FatTree, switch: Switch, cluster: Cluster) {
        self.cluster = cluster;
        self.switch = switch;
        let topology = tree.topology();
        for edge in self.touched.drain(..) {
            self.edges[edge as usize] = Below::default();
        }
        self.edges
            .resize(topology.edges() as usize, Below::default());
        self.pods.clear();
        self.pods.resize(topology.pods() as usize, Below::default());
    }

    /// The links of a server's path above its own, with what is already below them.
    fn shared_links(
        &self,
        tree: &FatTree,
        server: u32,
    ) -> impl Iterator<Item = (LinkId, Below)> + use<> {
        let topology = tree.topology();
        let edge = topology.edge_of(server);
        let pod = topology.pod_of(edge);
        let switch = self.switch;
        let edge_link = (!matches!(switch, Switch::Edge(_)))
            .then(|| (topology.edge_link(edge, switch), self.edges[edge as usize]));
        let pod_link = matches!(switch, Switch::Core { .. })
            .then(|| (topology.pod_link(pod, switch), self.pods[pod as usize]));
        edge_link.into_iter().chain(pod_link)
    }

    /// The largest number of machines, at most `left`, that `server` (holding none yet) can take.
    pub(super) fn largest(&self, tree: &FatTree, server: u32, left: u32) -> u32 {
        let cluster = self.cluster;
        let residual = tree.residual(tree.topology().server_link(server));
        let mut machines = left.min(tree.free_slots(server));
        if tree.servers_decide() {
            return cluster.largest(0, machines, residual);
        }
        loop {
            let limit = machines;
            machines = cluster.largest(0, machines, residual);
            for (link, below) in self.shared_links(tree, server) {
                machines = below.largest(cluster, machines, tree, link);
            }
            if machines == limit || machines == 0 {
                return machines;
            }
        }
    }

    /// `machines` more on `server`, which had `here`.
    pub(super) fn add(&mut self, tree: &FatTree, server: u32, here: u32, machines: u32) {
        if matches!(self.switch, Switch::Edge(_)) {
            return;
        }
        let edge = tree.topology().edge_of(server);
        let pod = tree.topology().pod_of(edge);
        self.touched.push(edge);
        let weight = |machines| self.cluster.weight(machines);
        let (before, after) = (weight(here), weight(here + machines));
        for below in [&mut self.edges[edge as usize], &mut self.pods[pod as usize]] {
            below.machines += machines;
            below.weight = below.weight + after - before;
        }
    }

    /// The largest occupation of a link on the path of `server`, which has `here` machines, with
    /// one more; `None` where a link has no room for it.
    pub(super) fn occupation_of_one_more(
        &self,
        tree: &FatTree,
        server: u32,
        here: u32,
    ) -> Option<Occupation> {
        let own = (
            tree.topology().server_link(server),
            self.cluster.need(here + 1),
        );
        let shared = self.shared_links(tree, server).map(|(link, below)| {
            let need = below.need_of_one_more(self.cluster, here, tree.reservation());
            (link, need)
        });
        std::iter::once(own)
            .chain(shared)
            .map(|(link, need)| {
                (need <= tree.residual(link)).then(|| Occupation::with(tree, link, need))
            })
            .try_fold(Occupation::NONE, |most, next| Some(most.max(next?)))
    }
}

/// A share of a link's capacity, compared exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupation {
    taken: u64,
    capacity: u64,
}

impl Occupation {
    pub(super) const NONE: Occupation = Occupation {
        taken: 0,
        capacity: 1,
    };

    /// The share of `link` that is taken once `need` more is reserved.
    pub(super) fn with(tree: &FatTree, link: LinkId, need: Kbps) -> Occupation {
        Occupation {
            taken: tree.reserved(link).0 + need.0,
            capacity: tree.links()[link.index()].0,
        }
    }
}

impl Ord for Occupation {
    fn cmp(&self, other: &Occupation) -> std::cmp::Ordering {
        let [a, b] = [(self.taken, other.capacity), (other.taken, self.capacity)];
        // Links below 4 Tbit/s are compared without wide products, which cost most in wasm.
        if a.0 | a.1 | b.0 | b.1 <= u64::from(u32::MAX) {
            return (a.0 * a.1).cmp(&(b.0 * b.1));
        }
        let product = |(taken, capacity): (u64, u64)| u128::from(taken) * u128::from(capacity);
        product(a).cmp(&product(b))
    }
}

impl PartialOrd for Occupation {
    fn partial_cmp(&self, other: &Occupation) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Occupation {
    fn eq(&self, other: &Occupation) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Occupation {}
