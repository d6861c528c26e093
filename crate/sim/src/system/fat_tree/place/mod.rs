//! Embedding a virtual cluster in a fat-tree.
//!
//! All placements look at the switches from below (the edge switches, then the aggregation switches
//! by (pod, j), then the cores by (j, i)) and take the first below which the whole cluster fits, so
//! that no link above it is used. They differ in how they fill the
//! servers below a switch:
//!
//! - [`adaba`]: servers by the bandwidth-aware weight
//! - [`best_fit`]: the fullest server first
//! - [`first_fit`]: by server index
//! - [`greedy`]: machine by machine, the least occupied path first
//! - [`oktopus`]: subtree by subtree; a single server first
//! - [`min_max_dp`]: the split that leaves the busiest link least occupied
//! - [`exact`]: the embedding that reserves least, wherever any exists
//! - [`adaba_exact`]: AdaBa, and the exact one where it finds nothing
//! - [`split`]: the cheapest split below a switch, for `min_max_dp` and `exact`
//!
//! The first three are one loop, [`fill_in_order`]. Server after server takes the largest number of
//! machines that passes the hose test on **every** link of its path, counting the machines already
//! below each link. That is sound (the last server added below a link tests the link's final count)
//! and not complete (see [`exact`]).
//!
//! Source: paper 1, section 4.1, Algorithm 1. Departures, where the printed algorithm cannot be
//! meant: the bound of line 13 is `≤`, `assigned` starts at 0 for each server, line 18 subtracts,
//! and a server without a free slot is passed over.

pub mod adaba;
pub mod adaba_exact;
pub mod best_fit;
pub mod exact;
pub mod first_fit;
pub mod greedy;
pub mod min_max_dp;
pub mod oktopus;
mod split;

pub use adaba::{Adaba, LargestBandwidth};
pub use adaba_exact::AdabaExact;
pub use best_fit::BestFit;
pub use exact::Exact;
pub use first_fit::FirstFit;
pub use greedy::Greedy;
pub use min_max_dp::MinMaxDp;
pub use oktopus::Oktopus;

use crate::choice::choices;
use crate::id::{Id, LinkId, ServerId};
use crate::job::Ask;
use crate::source::PAPER_1;
use crate::system::System;
use crate::system::fat_tree::hose::Cluster;
use crate::system::fat_tree::{Embedding, Fabric, FatTree, Offer, Reservation, Switch};
use crate::unit::Kbps;

choices! {
    /// Whether a single server that can hold the whole job is looked for first.
    pub enum LevelZero {
        Auto = "auto", "As published",
            "Oktopus does, the others do not.",
            "";
        On = "on", "Always",
            "Every placement looks for one.",
            "";
        Off = "off", "Never",
            "No placement does.",
            "";
    }
}

choices! {
    /// Which of the switches of a level is tried first.
    pub enum Root {
        First = "first", "By index",
            "In the order of their numbers.",
            PAPER_1;
        LeastLoaded = "least-loaded", "Least loaded",
            "By what is reserved on their links downwards, the least first.",
            "";
    }
}

/// How a placement is read where the paper can be read in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether machines on one server are known to need no link for each other; without it m of N
    /// machines are taken to need m · B on a link, and reserve it.
    pub hiding: bool,
    /// Whether the first server that can hold the whole cluster is taken before any switch is
    /// looked at.
    pub single_server_first: bool,
    /// Whether the switches of a level are tried by what is reserved on their links downwards, the
    /// least first, equal ones by index; in the single-root fabric only.
    pub least_loaded_root: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            hiding: true,
            single_server_first: false,
            least_loaded_root: false,
        }
    }
}

impl Rules {
    /// The virtual cluster that a job asks for.
    fn cluster(self, ask: &Ask) -> Cluster {
        Cluster {
            size: ask.size,
            bandwidth: ask.bandwidth,
            hiding: self.hiding,
        }
    }

    /// Whether the switches of a level are not tried in the order of their indices.
    fn by_load(self, tree: &FatTree) -> bool {
        self.least_loaded_root && tree.topology().fabric() == Fabric::SingleRoot
    }

    /// Whether any embedding exists; undecided where reservations are not those of the hose model.
    fn exists(self, tree: &FatTree, ask: &Ask) -> Option<bool> {
        match self.hiding {
            true => exact::decide(tree, ask),
            false => None,
        }
    }
}

/// The first switch below which `fill` finds room for the whole cluster. A switch that the
/// [`Rooms`] below it rule out is not looked at, and one whose links do not carry what `fill` finds is
/// passed over: placements that fill by rooms know only largest counts, so that a child which takes
/// less than its share can end in the gap of its uplink, and sums can be more than counts tell. The
/// printed reading tests no shared link.
fn first_switch(
    tree: &FatTree,
    cluster: Cluster,
    rules: Rules,
    rooms: &mut Rooms,
    mut fill: impl FnMut(Switch, &Rooms) -> Option<Vec<(ServerId, u32)>>,
) -> Option<Embedding> {
    let topology = tree.topology();
    let size = cluster.size;
    if tree.free_total() < size {
        return None;
    }
    if rules.single_server_first {
        let single = (0..topology.servers()).find(|&server| tree.free_slots(server) >= size);
        if let Some(server) = single {
            let alone = vec![(ServerId(server), size)];
            return Some(tree.embedding(cluster, Switch::Server(server), alone));
        }
    }
    let mut first = |mut candidates: &mut dyn Iterator<Item = Switch>, rooms: &Rooms| {
        let mut embed = |switch| {
            let mut servers = fill(switch, rooms)?;
            servers.sort_unstable();
            let embedding = tree.embedding(cluster, switch, servers);
            let mut reservations = embedding.reservations.iter();
            let carried = tree.reservation() == Reservation::Literal
                || reservations.all(|&(link, need)| need <= tree.residual(link));
            carried.then_some(embedding)
        };
        if rules.by_load(tree) {
            let mut ranked: Vec<_> = candidates.map(|c| rank(tree, rules, c)).collect();
            ranked.sort_unstable();
            ranked.into_iter().find_map(|(_, switch)| embed(switch))
        } else {
            (&mut candidates).find_map(embed)
        }
    };
    let mut edges = (0..topology.edges())
        .filter(|&edge| tree.free_below(Switch::Edge(edge)) >= size)
        .filter(|&edge| may_take_all(tree.offer(edge), cluster))
        .filter(|&edge| room_of_servers(tree, cluster, edge).total >= size)
        .map(Switch::Edge);
    if let Some(embedding) = first(&mut edges, rooms) {
        return Some(embedding);
    }
    rooms.measure(tree, cluster);
    if rooms.total() < size {
        return None;
    }
    let parallel = topology.parallel();
    let mut aggregations = (0..topology.pods())
        .flat_map(|pod| (0..parallel).map(move |j| (pod, j)))
        .filter(|&(pod, j)| rooms.below_pod(pod, j) >= size)
        .map(|(pod, j)| Switch::Aggregation { pod, j });
    if let Some(embedding) = first(&mut aggregations, rooms) {
        return Some(embedding);
    }
    let mut cores = (0..parallel)
        .map(|j| (j, rooms.below_cores(j)))
        .filter(|&(_, most)| most >= size)
        .flat_map(|(j, most)| (0..parallel).map(move |i| (j, i, most)))
        .filter(|&(j, i, most)| rooms.reach_below_core(tree, j, i, most))
        .map(|(j, i, _)| Switch::Core { j, i });
    first(&mut cores, rooms)
}

/// By what the switches of one level are tried, the smallest first.
fn rank(tree: &FatTree, rules: Rules, switch: Switch) -> (u64, Switch) {
    match rules.by_load(tree) {
        true => (load(tree, switch), switch),
        false => (0, switch),
    }
}

/// What is reserved on the links of `switch` to the layer below.
fn load(tree: &FatTree, switch: Switch) -> u64 {
    let topology = tree.topology();
    let half = topology.half();
    let sum = |links: &mut dyn Iterator<Item = LinkId>| links.map(|l| tree.reserved(l).0).sum();
    match switch {
        Switch::Server(_) => 0,
        Switch::Edge(_) => {
            let servers = topology.servers_below(switch);
            sum(&mut servers.map(|server| topology.server_link(server)))
        }
        Switch::Aggregation { pod, .. } => {
            let edges = pod * half..(pod + 1) * half;
            sum(&mut edges.map(|edge| topology.edge_link(edge, switch)))
        }
        Switch::Core { .. } => {
            sum(&mut (0..topology.pods()).map(|pod| topology.pod_link(pod, switch)))
        }
    }
}

/// Whether one of the servers below an edge switch may take so many machines of a cluster that its
/// link need not carry more because few are left: N − q ≤ a, for q = ⌊c / B⌋.
fn may_jump(offer: Offer, cluster: Cluster) -> bool {
    let others = cluster.size.saturating_sub(offer.most_slots);
    cluster.times(others) <= offer.most_bandwidth
}

/// Whether the servers below an edge switch may take a whole cluster; no is certain.
fn may_take_all(offer: Offer, cluster: Cluster) -> bool {
    cluster.times(cluster.size) <= offer.bandwidth || may_jump(offer, cluster)
}

/// Whether the servers below an edge switch may take any machine of a cluster; no is certain.
fn may_take_one(offer: Offer, cluster: Cluster) -> bool {
    cluster.bandwidth <= offer.most_bandwidth || may_jump(offer, cluster)
}

/// How many machines the links of an edge switch's servers allow.
struct RoomOfServers {
    /// The sum of their largest counts, up to N.
    total: u32,
    /// Those that may have any, as a bit mask from the first server on.
    usable: u32,
}

fn room_of_servers(tree: &FatTree, cluster: Cluster, edge: u32) -> RoomOfServers {
    let topology = tree.topology();
    let mut rooms = RoomOfServers {
        total: 0,
        usable: 0,
    };
    for (place, server) in topology.servers_below(Switch::Edge(edge)).enumerate() {
        let limit = tree.free_slots(server).min(cluster.size);
        let room = cluster.largest(0, limit, tree.residual(topology.server_link(server)));
        rooms.total += room;
        rooms.usable |= u32::from(room > 0) << place;
    }
    rooms.total = rooms.total.min(cluster.size);
    rooms
}

/// Upper bounds on the machines of one cluster below each link.
///
/// The room of a server, an edge switch or a pod is the largest count that its uplink allows, up to
/// the sum of its children's rooms. No placement below a switch can hold more than the sum of its
/// children's rooms, whatever it does; Oktopus fills by them. The printed reading tests uplinks for
/// each server alone, so there they bound nothing.
#[derive(Clone, Debug)]
struct Rooms {
    cluster: Cluster,
    /// By edge switch, without its uplink, up to N.
    edges: Vec<u32>,
    /// By pod and aggregation switch j, without the links above, up to N.
    pods: Vec<u32>,
    parallel: u32,
    usable: Usable,
}

/// Whose rooms are not 0, as bit masks of children.
#[derive(Clone, Debug, Default)]
struct Usable {
    /// By edge switch: its servers.
    servers: Vec<u32>,
    /// By pod: its edge switches.
    edges: Vec<u32>,
    pods: u64,
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
    fn measure(&mut self, tree: &FatTree, cluster: Cluster) {
        let topology = tree.topology();
        let (half, parallel) = (topology.half(), topology.parallel());
        self.cluster = cluster;
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
            if !may_take_one(tree.offer(edge), cluster) {
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
            for j in 0..parallel {
                let link = topology.edge_link(edge, Switch::Aggregation { pod, j });
                let below = &mut self.pods[(pod * parallel + j) as usize];
                *below += room(tree, cluster, rooms.total, link);
            }
        }
        for below in &mut self.pods {
            *below = cluster.size.min(*below);
        }
    }

    /// Of all edge switches together, without their uplinks.
    fn total(&self) -> u32 {
        self.edges.iter().sum()
    }

    /// The sum of the rooms of the edge switches of a pod, seen from its aggregation switch j.
    fn below_pod(&self, pod: u32, j: u32) -> u32 {
        self.pods[(pod * self.parallel + j) as usize]
    }

    /// The sum of the rooms of the pods, without their links to the cores that reach their
    /// aggregation switches j.
    fn below_cores(&self, j: u32) -> u32 {
        ones(self.usable.pods)
            .map(|pod| self.below_pod(pod, j))
            .sum()
    }

    /// Whether the rooms of the pods, seen from core (j, i), reach N together; `most` is their sum
    /// without the links to it. Stops as soon as it is certain either way.
    fn reach_below_core(&self, tree: &FatTree, j: u32, i: u32, mut most: u32) -> bool {
        let topology = tree.topology();
        let size = self.cluster.size;
        let mut least = 0;
        let certain = ones(self.usable.pods).find_map(|pod| {
            let below = self.below_pod(pod, j);
            let link = topology.pod_link(pod, Switch::Core { j, i });
            let room = room(tree, self.cluster, below, link);
            least += room;
            most -= below - room;
            (least >= size || most < size).then_some(least >= size)
        });
        certain.unwrap_or(false)
    }
}

/// The largest count, at most `children`, that an uplink allows.
fn room(tree: &FatTree, cluster: Cluster, children: u32, uplink: LinkId) -> u32 {
    match tree.reservation() {
        Reservation::Hose | Reservation::Sum => cluster.largest(0, children, tree.residual(uplink)),
        Reservation::Literal => children,
    }
}

/// The cluster of a buffer that nothing was measured for yet.
const NOBODY: Cluster = Cluster {
    size: 0,
    bandwidth: Kbps(0),
    hiding: true,
};

/// Fills the servers below each switch in ascending order of `key(free slots)`, equal keys by
/// server index.
///
/// The order depends on the free slots alone, so servers are visited bucket by bucket of the
/// ledger's masks, and nothing is sorted but the numbers of free slots. The plain version, which
/// sorts the servers and tries every count, is the reference that tests compare this one with.
///
/// Complexity: O(switches) for the bounds, O(L log L + servers visited) where a switch is filled.
fn fill_in_order(
    tree: &FatTree,
    ask: &Ask,
    rules: Rules,
    scratch: &mut Scratch,
    key: impl Fn(u32) -> u64,
) -> Option<Embedding> {
    let cluster = rules.cluster(ask);
    let Scratch {
        order,
        counts,
        rooms,
    } = scratch;
    order.clear();
    let occurring = (1..=tree.slots_per_server()).filter(|&free| tree.pods_with(free) != 0);
    order.extend(occurring.map(|free| (key(free), free)));
    order.sort_unstable();
    first_switch(tree, cluster, rules, rooms, |switch, rooms| {
        counts.clear(tree, switch, cluster);
        let mut left = ask.size;
        let mut servers = Vec::new();
        let mut visit = |server| {
            let machines = counts.largest(tree, server, left);
            if machines > 0 {
                counts.add(tree, server, 0, machines);
                servers.push((ServerId(server), machines));
                left -= machines;
            }
            left == 0
        };
        let filled = order
            .chunk_by(|a, b| a.0 == b.0)
            .any(|equal| visit_below(tree, rooms, switch, equal, &mut visit));
        filled.then_some(servers)
    })
}

/// Visits the servers below `switch` that have one of these numbers of free slots, by index, until
/// `visit` says that it is enough; returns whether it did. Above an edge switch, servers without room
/// are passed over.
fn visit_below(
    tree: &FatTree,
    rooms: &Rooms,
    switch: Switch,
    equal: &[(u64, u32)],
    visit: &mut impl FnMut(u32) -> bool,
) -> bool {
    let half = tree.topology().half();
    let usable = &rooms.usable;
    let mut visit_edge = |edge: u32, with_room: u32| {
        let servers = equal
            .iter()
            .fold(0, |mask, &(_, free)| mask | tree.servers_with(edge, free));
        ones(u64::from(servers & with_room)).any(|server| visit(edge * half + server))
    };
    let mut visit_pod = |pod: u32| {
        let edges = equal
            .iter()
            .fold(0, |mask, &(_, free)| mask | tree.edges_with(pod, free));
        ones(u64::from(edges & usable.edges[pod as usize])).any(|edge| {
            let edge = pod * half + edge;
            visit_edge(edge, usable.servers[edge as usize])
        })
    };
    match switch {
        Switch::Server(server) => visit(server),
        Switch::Edge(edge) => visit_edge(edge, u32::MAX),
        Switch::Aggregation { pod, .. } => visit_pod(pod),
        Switch::Core { .. } => {
            let pods = equal
                .iter()
                .fold(0, |mask, &(_, free)| mask | tree.pods_with(free));
            ones(pods & usable.pods).any(visit_pod)
        }
    }
}

/// The positions of the bits that are set, ascending.
fn ones(mask: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|&mask| mask != 0)
        .map(u64::trailing_zeros)
}

/// Buffers that live from one placement to the next.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// (key, free slots) of the numbers of free slots that occur.
    order: Vec<(u64, u32)>,
    counts: Counts,
    rooms: Rooms,
}

/// What one cluster already has below each link between its servers and `switch`.
#[derive(Clone, Debug)]
struct Counts {
    cluster: Cluster,
    switch: Switch,
    edges: Vec<Below>,
    pods: Vec<Below>,
    /// The edge switches below which there are any.
    touched: Vec<u32>,
}

/// What one cluster already has below a link.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    machines: u32,
    /// The sum over its servers of the machines that each must exchange with the others.
    weight: u32,
}

impl Below {
    /// The largest count of machines, at most `limit`, that one more server may add below a link.
    fn largest(self, cluster: Cluster, limit: u32, tree: &FatTree, link: LinkId) -> u32 {
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

    /// What the link is tested for when a server goes from `here` to one machine more.
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
    fn clear(&mut self, tree: &FatTree, switch: Switch, cluster: Cluster) {
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
    fn largest(&self, tree: &FatTree, server: u32, left: u32) -> u32 {
        let cluster = self.cluster;
        let residual = tree.residual(tree.topology().server_link(server));
        let mut machines = left.min(tree.free_slots(server));
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
    fn add(&mut self, tree: &FatTree, server: u32, here: u32, machines: u32) {
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
    fn occupation_of_one_more(&self, tree: &FatTree, server: u32, here: u32) -> Option<Occupation> {
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
struct Occupation {
    taken: u64,
    capacity: u64,
}

impl Occupation {
    const NONE: Occupation = Occupation {
        taken: 0,
        capacity: 1,
    };

    /// The share of `link` that is taken once `need` more is reserved.
    fn with(tree: &FatTree, link: LinkId, need: Kbps) -> Occupation {
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
