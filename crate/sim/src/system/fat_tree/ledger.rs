//! The ledger of a fat-tree: free slots of every server, free bandwidth of every link.
//!
//! Invariants: no link is overbooked, unless reservations are tested as printed
//! ([`Reservation::Literal`]); a link has exactly the sum of its jobs' reservations taken;
//! [`System::free`] undoes [`System::hold`] to the bit. In the aggregated fabric without
//! oversubscription an uplink never binds before the server links below it do
//! ([`FatTree::servers_decide`]).

use crate::choice::choices;
use crate::source::PAPER_1;
use std::ops::Range;

use super::topology::{Fabric, Layer, Switch, Topology};
use crate::id::{Id, IdVec, LinkId, ServerId};
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::machine::offer::Offer;
use crate::machine::sharing::Sharing;
use crate::machine::{Guarantee, Placement, System};
use crate::unit::Kbps;

choices! {
    /// What a job reserves on a link: M of its N machines are below the link, m of them on a
    /// server.
    pub enum Reservation {
        Hose = "hose", "Hose model",
            "min(M, N − M)·B, all machines below the link counted together: valid and tight.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        Sum = "sum", "Sum over servers",
            "The sum of min(m, N − m)·B over the servers below the link: valid but wasteful.",
            "";
        Literal = "literal", "As printed (overbooks)",
            "Each server is tested alone with min(m, N − m)·B, as Eq. 6 is printed: links shared by servers are overbooked.",
            PAPER_1;
    }
}

/// A fat-tree and what is free of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FatTree {
    topology: Topology,
    slots: u32,
    reservation: Reservation,
    guarantee: Guarantee,
    capacity: Vec<Kbps>,
    servers_decide: bool,
    reserved: IdVec<LinkId, Kbps>,
    /// The residual bandwidth of each link: the difference of both, if positive.
    residual: IdVec<LinkId, Kbps>,
    free: IdVec<ServerId, u32>,
    free_below_edge: Vec<u32>,
    free_below_pod: Vec<u32>,
    free_total: u32,
    buckets: Buckets,
    offers: Vec<Offer>,
}

/// Servers by their number of free slots, as bit masks of children: a k of at most 64 has at most
/// 32 servers an edge switch and edge switches a pod, and at most 64 pods.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Buckets {
    /// By edge switch and free slots: its servers.
    servers: Vec<u32>,
    /// By pod and free slots: its edge switches that have such a server.
    edges: Vec<u32>,
    /// By free slots: the pods that have such a server.
    pods: Vec<u64>,
}

impl Buckets {
    fn empty_tree(topology: Topology, slots: u32) -> Buckets {
        let width = slots as usize + 1;
        let half = topology.half();
        let mut buckets = Buckets {
            servers: vec![0; topology.edges() as usize * width],
            edges: vec![0; topology.pods() as usize * width],
            pods: vec![0; width],
        };
        let last = slots as usize;
        let all = u32::MAX >> (32 - half);
        buckets
            .servers
            .iter_mut()
            .skip(last)
            .step_by(width)
            .for_each(|mask| *mask = all);
        buckets
            .edges
            .iter_mut()
            .skip(last)
            .step_by(width)
            .for_each(|mask| *mask = all);
        buckets.pods[last] = u64::MAX >> (64 - topology.pods());
        buckets
    }

    fn move_server(&mut self, topology: Topology, server: u32, from: u32, to: u32) {
        let half = topology.half();
        let width = self.pods.len();
        let (edge, pod) = (server / half, server / (half * half));
        let (server_bit, edge_bit, pod_bit) = (1 << (server % half), 1 << (edge % half), 1 << pod);
        let (servers, edges) = (edge as usize * width, pod as usize * width);
        let (from, to) = (from as usize, to as usize);
        self.servers[servers + from] ^= server_bit;
        if self.servers[servers + from] == 0 {
            self.edges[edges + from] ^= edge_bit;
            if self.edges[edges + from] == 0 {
                self.pods[from] ^= pod_bit;
            }
        }
        self.servers[servers + to] |= server_bit;
        self.edges[edges + to] |= edge_bit;
        self.pods[to] |= pod_bit;
    }
}

/// The embedding of a virtual cluster, with its reservations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    /// The root of its subtree: the place of its virtual switch.
    pub switch: Switch,
    /// (server, machines on it), ascending, no zero.
    pub servers: Vec<(ServerId, u32)>,
    /// (link, bandwidth reserved), each link once, no zero.
    pub reservations: Vec<(LinkId, Kbps)>,
}

impl FatTree {
    /// An empty fat-tree of `slots` (L) a server, with links of these capacities
    /// ([`Topology::capacities`]).
    pub fn new(
        topology: Topology,
        slots: u32,
        capacity: Vec<Kbps>,
        reservation: Reservation,
    ) -> FatTree {
        let half = topology.half();
        let mut tree = FatTree {
            topology,
            slots,
            reservation,
            guarantee: Guarantee::FULL,
            reserved: IdVec::filled(Kbps(0), capacity.len()),
            residual: capacity.clone().into(),
            servers_decide: uplinks_carry_all(topology, &capacity),
            capacity,
            free: IdVec::filled(slots, topology.servers() as usize),
            free_below_edge: vec![slots * half; topology.edges() as usize],
            free_below_pod: vec![slots * half * half; topology.pods() as usize],
            free_total: slots * topology.servers(),
            buckets: Buckets::empty_tree(topology, slots),
            offers: vec![Offer::default(); topology.edges() as usize],
        };
        (0..topology.edges()).for_each(|edge| tree.update_offer(edge));
        tree
    }

    /// The same tree, which must be empty, where jobs are guaranteed a part of their bandwidth.
    pub fn with_guarantee(self, guarantee: Guarantee) -> FatTree {
        FatTree { guarantee, ..self }
    }

    /// Its shape.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Slots of each server, L.
    pub fn slots_per_server(&self) -> u32 {
        self.slots
    }

    /// Free slots of a server, a_s.
    pub fn free_slots(&self, server: u32) -> u32 {
        self.free[ServerId(server)]
    }

    /// Free slots below a switch.
    #[inline(always)]
    pub fn free_below(&self, switch: Switch) -> u32 {
        match switch {
            Switch::Server(server) => self.free_slots(server),
            Switch::Edge(edge) => self.free_below_edge[edge as usize],
            Switch::Aggregation { pod, .. } => self.free_below_pod[pod as usize],
            Switch::Core { .. } => self.free_total,
        }
    }

    /// Free slots of the whole tree.
    pub fn free_total(&self) -> u32 {
        self.free_total
    }

    /// The servers of an edge switch that have exactly `free` free slots, as a bit mask from its
    /// first server on.
    pub fn servers_with(&self, edge: u32, free: u32) -> u32 {
        self.buckets.servers[edge as usize * (self.slots as usize + 1) + free as usize]
    }

    /// The edge switches of a pod that have a server with exactly `free` free slots, as a bit mask
    /// from its first edge switch on.
    pub fn edges_with(&self, pod: u32, free: u32) -> u32 {
        self.buckets.edges[pod as usize * (self.slots as usize + 1) + free as usize]
    }

    /// The pods that have a server with exactly `free` free slots, as a bit mask.
    pub fn pods_with(&self, free: u32) -> u64 {
        self.buckets.pods[free as usize]
    }

    /// The offer of the servers of an edge switch.
    #[inline(always)]
    pub fn offer(&self, edge: u32) -> Offer {
        self.offers[edge as usize]
    }

    /// What a job reserves on a link that its servers share.
    pub fn reservation(&self) -> Reservation {
        self.reservation
    }

    /// Whether no link above the servers can bind: in the aggregated fabric, where the links of all
    /// servers have one capacity and each of the others at least that of all below it together, as
    /// without oversubscription. That holds whatever is reserved, since the machines below an uplink
    /// need no more on it than those on each server need on the server's link: min(m, N − m) is
    /// subadditive in m.
    #[inline(always)]
    pub fn servers_decide(&self) -> bool {
        self.servers_decide
    }

    /// The guaranteed part of a job's bandwidth.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    /// Bandwidth reserved on a link.
    pub fn reserved(&self, link: LinkId) -> Kbps {
        self.reserved[link]
    }

    /// Residual bandwidth of a link, c_l; 0 if it is overbooked.
    pub fn residual(&self, link: LinkId) -> Kbps {
        self.residual[link]
    }

    /// The same of consecutive links.
    pub(crate) fn residuals(&self, links: Range<u32>) -> &[Kbps] {
        &self.residual.as_slice()[links.start as usize..links.end as usize]
    }

    /// The same tree with `links` empty, to find out which requests they block.
    pub fn with_empty(&self, links: &[LinkId]) -> FatTree {
        let mut tree = FatTree {
            servers_decide: false,
            ..self.clone()
        };
        for &link in links {
            tree.reserve(link, 0);
        }
        (0..self.topology.edges()).for_each(|edge| tree.update_offer(edge));
        tree
    }

    /// The embedding of `cluster` on `servers` (ascending, no zero) below `switch`: reserves what
    /// the cluster needs once on every link between them and the switch. The printed reading tests
    /// less than that but reserves it.
    pub fn embedding(
        &self,
        cluster: Cluster,
        switch: Switch,
        servers: Vec<(ServerId, u32)>,
    ) -> Embedding {
        let mut reservations = Vec::with_capacity(3 * servers.len());
        self.each_link(switch, &servers, |link, shares| {
            let need = match self.reservation {
                Reservation::Hose | Reservation::Literal => cluster.need(machines(shares)),
                Reservation::Sum => {
                    cluster.times(shares.iter().map(|share| cluster.weight(share.1)).sum())
                }
            };
            if need > Kbps(0) {
                reservations.push((link, need));
            }
        });
        Embedding {
            switch,
            servers,
            reservations,
        }
    }

    /// Calls `see` with every link between `servers` and `switch`, layer by layer from below, and
    /// with the servers below it.
    fn each_link(
        &self,
        switch: Switch,
        servers: &[(ServerId, u32)],
        mut see: impl FnMut(LinkId, &[(ServerId, u32)]),
    ) {
        let topology = self.topology;
        if !matches!(switch, Switch::Server(_)) {
            for share in servers {
                let alone = std::slice::from_ref(share);
                see(topology.server_link(share.0.0), alone);
            }
        }
        if matches!(switch, Switch::Aggregation { .. } | Switch::Core { .. }) {
            let edge_of = |server: ServerId| topology.edge_of(server.0);
            for (edge, shares) in grouped(servers, edge_of) {
                see(topology.edge_link(edge, switch), shares);
            }
        }
        if matches!(switch, Switch::Core { .. }) {
            let pod_of = |server: ServerId| topology.pod_of(topology.edge_of(server.0));
            for (pod, shares) in grouped(servers, pod_of) {
                see(topology.pod_link(pod, switch), shares);
            }
        }
    }

    fn count(&mut self, server: ServerId, change: impl Fn(u32) -> u32) {
        let free = self.free[server];
        self.buckets
            .move_server(self.topology, server.0, free, change(free));
        let edge = self.topology.edge_of(server.0);
        let pod = self.topology.pod_of(edge) as usize;
        for count in [
            &mut self.free[server],
            &mut self.free_below_edge[edge as usize],
            &mut self.free_below_pod[pod],
            &mut self.free_total,
        ] {
            *count = change(*count);
        }
    }

    #[inline(always)]
    fn reserve(&mut self, link: LinkId, reserved: u64) {
        self.reserved[link] = Kbps(reserved);
        let capacity = self.capacity[link.index()].0;
        self.residual[link] = Kbps(capacity.saturating_sub(reserved));
    }

    /// Looks again at the servers whose slots or links `place` holds.
    fn update_offers(&mut self, placement: &Embedding) {
        let topology = self.topology;
        let server_links = topology.links(Layer::Server);
        let links = placement.reservations.iter().map(|entry| entry.0.0);
        let servers = placement.servers.iter().map(|share| share.0.0);
        let mut last = None;
        // The link of a server has its number.
        for server in servers.chain(links.take_while(|link| server_links.contains(link))) {
            let edge = topology.edge_of(server);
            if last.replace(edge) != Some(edge) {
                self.update_offer(edge);
            }
        }
    }

    fn update_offer(&mut self, edge: u32) {
        let servers = self.topology.servers_below(Switch::Edge(edge));
        let offer = Offer::of(servers.map(|server| {
            let residual = self.residual(self.topology.server_link(server));
            (self.free_slots(server), residual)
        }));
        self.offers[edge as usize] = offer;
    }
}

/// Whether the links of servers have one capacity, and each other link at least that of all server
/// links below it.
fn uplinks_carry_all(topology: Topology, capacity: &[Kbps]) -> bool {
    let half = u64::from(topology.half());
    let of = |layer| {
        let links = topology.links(layer);
        &capacity[links.start as usize..links.end as usize]
    };
    let rate = capacity[0];
    let carry = |layer, servers| of(layer).iter().all(|link| link.0 >= servers * rate.0);
    topology.fabric() == Fabric::Aggregated
        && of(Layer::Server).iter().all(|link| *link == rate)
        && carry(Layer::Edge, half)
        && carry(Layer::Core, half * half)
}

/// The number of machines on some servers.
fn machines(shares: &[(ServerId, u32)]) -> u32 {
    shares.iter().map(|share| share.1).sum()
}

/// (group, its shares) of servers that are in the order of their groups.
fn grouped(
    servers: &[(ServerId, u32)],
    group: impl Fn(ServerId) -> u32 + Copy,
) -> impl Iterator<Item = (u32, &[(ServerId, u32)])> {
    servers
        .chunk_by(move |a, b| group(a.0) == group(b.0))
        .map(move |chunk| (group(chunk[0].0), chunk))
}

impl System for FatTree {
    type Placement = Embedding;

    const PROVEN: bool = true;

    fn hold(&mut self, request: &Request, placement: &Embedding) {
        for &(server, machines) in &placement.servers {
            assert!(
                self.free[server] >= machines,
                "{server} has {} free slots, not the {machines} that {} takes",
                self.free[server],
                request.index
            );
            self.count(server, |free| free - machines);
        }
        for &(link, need) in &placement.reservations {
            assert!(
                self.residual(link) >= need || self.reservation == Reservation::Literal,
                "{link} has {} left, not the {need} that {} reserves",
                self.residual(link),
                request.index
            );
            self.reserve(link, self.reserved[link].0 + need.0);
        }
        self.update_offers(placement);
    }

    fn free(&mut self, request: &Request, placement: &Embedding) {
        for &(server, machines) in &placement.servers {
            self.count(server, |free| free + machines);
            assert!(
                self.free[server] <= self.slots,
                "{} frees more slots of {server} than were taken",
                request.index
            );
        }
        for &(link, need) in &placement.reservations {
            assert!(
                self.reserved[link] >= need,
                "{} frees more of {link} than was reserved",
                request.index
            );
            self.reserve(link, self.reserved[link].0 - need.0);
        }
        self.update_offers(placement);
    }

    fn sharing(&self) -> Option<Sharing> {
        let Guarantee {
            percent,
            communication,
        } = self.guarantee;
        let shared = !self.guarantee.is_full();
        shared.then(|| Sharing::new(&self.capacity, percent, communication))
    }

    /// On a link with m of the job's N machines below it, at most min(m, N − m) communicate across
    /// it at once, whether or not the placement counts traffic inside servers.
    fn demand(&self, request: &Request, placement: &Embedding) -> Vec<(LinkId, Kbps)> {
        let cluster = Cluster {
            size: request.size,
            bandwidth: request.bandwidth,
            intra_server_free: true,
        };
        let mut demand = Vec::new();
        self.each_link(placement.switch, &placement.servers, |link, shares| {
            demand.push((link, cluster.need(machines(shares))));
        });
        demand
    }

    fn slots(&self) -> u64 {
        u64::from(self.slots) * u64::from(self.topology.servers())
    }

    fn free_slots(&self) -> u64 {
        u64::from(self.free_total)
    }

    fn links(&self) -> &[Kbps] {
        &self.capacity
    }

    fn layers(&self) -> Vec<Range<usize>> {
        Layer::ALL
            .map(|layer| self.topology.links(layer))
            .map(|links| links.start as usize..links.end as usize)
            .into()
    }
}

impl Placement for Embedding {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        self.servers
            .iter()
            .map(|&(server, machines)| (server.0, machines))
    }

    fn reservations(&self) -> &[(LinkId, Kbps)] {
        &self.reservations
    }
}
