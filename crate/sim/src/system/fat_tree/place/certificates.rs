//! Certificates of failure: proofs that no placement of a cluster exists, kept from one attempt to
//! the next.
//!
//! A certificate rests on the rooms of its cluster ([`RoomTree`]): if R(root) < N for every root,
//! no placement exists. Jobs that start only lower rooms, so kept rooms stay upper bounds. A job
//! that departs frees servers under few edge switches and the links above these: at the next look
//! each certificate measures those again, as it does where jobs have started, to prove more.
//!
//! *Complexity*: O(servers + pods · roots) to make a certificate; for each one that is kept
//! O(k + roots) for an edge switch under which a job has come or gone.
//!
//! *Source*: the project's own.

use super::rooms::{NOBODY, above_servers, room_of_servers};
use crate::machine::hose::Cluster;
use crate::place::Refused;
use crate::system::fat_tree::{Embedding, FatTree, Topology};
use crate::unit::Kbps;
use std::mem;

/// Upper bounds on the machines of one cluster below each switch, kept up to date.
///
/// For a cluster of N machines with bandwidth B the **room** R(v) is the most machines that the
/// subtree below v can take when each link is considered alone. With need(m) the bandwidth on a
/// link for m machines below it ([`Cluster::need`]) and c the residual of a link:
/// - R(server) is the largest m, at most its free slots, with need(m) ≤ c of its link;
/// - R(switch) is the largest m, at most the sum of its children's rooms, with need(m) ≤ c of its
///   uplink. In the single-root fabric every pair (j, i) of aggregation and core switch has its
///   own.
///
/// *Bound.* Any placement has below each v a count that passes v's link, and by induction at most
/// R(v). So if R(root) < N for every root, no placement exists. A switch or server that could hold
/// all N has R = N, and so have all above it, since need(N) = 0; so the roots suffice. The bound
/// holds for every reservation: `sum` reserves at least what `hose` does, and where reservations
/// are tested as printed, uplinks bound nothing here either.
///
/// *Monotone.* The set {m ≤ a : need(m) ≤ c} grows with a and c and shrinks with B, gaps included,
/// so rooms do. For N − 1 machines need(m) is not larger for any m ≤ N − 1, so R(v) for N − 1 is at
/// least min(R(v) for N, N − 1). Hence a failure of (N, B) implies one of every (N′ ≥ N, B′ ≥ B),
/// and only the least such pairs are kept: see [`Refused`].
///
/// *Size.* Where a link binds, R(v) = q = ⌊c/B⌋ of the a machines that could be below it, unless
/// N − a ≤ q. So as long as N exceeds a + q for each link that binds, rooms are the same for every
/// such N, and all of these fail that exceed R(root): one certificate of a bandwidth for clusters of
/// [any size](RoomTree::ANY) tells from which size on.
#[derive(Clone, Debug)]
pub(super) struct RoomTree {
    cluster: Cluster,
    /// By edge switch and aggregation switch j, through the link between them.
    through_edges: Vec<u32>,
    /// By pod and j: the sum of these.
    pods: Vec<u32>,
    /// By pod, j and core i, through the link between them, up to N.
    through_pods: Vec<u32>,
    /// By j and i: the sum of these.
    roots: Vec<u32>,
    /// By edge switch, the largest a + q of the links below and above it that bind.
    bound_edges: Vec<u32>,
    /// By pod, the same of all its edge switches and the links above it.
    bound_pods: Vec<u32>,
}

impl RoomTree {
    /// The size of a cluster that is larger than any.
    const ANY: u32 = u32::MAX;

    /// Of nobody, in a tree of this shape.
    pub(super) fn none(topology: Topology) -> RoomTree {
        let parallel = topology.parallel();
        let zeros = |length: u32| vec![0; length as usize];
        RoomTree {
            cluster: NOBODY,
            through_edges: zeros(topology.edges() * parallel),
            pods: zeros(topology.pods() * parallel),
            through_pods: zeros(topology.pods() * parallel * parallel),
            roots: zeros(parallel * parallel),
            bound_edges: zeros(topology.edges()),
            bound_pods: zeros(topology.pods()),
        }
    }

    /// The rooms of a cluster in `tree`.
    pub(super) fn new(tree: &FatTree, cluster: Cluster) -> RoomTree {
        let mut rooms = RoomTree::none(tree.topology());
        rooms.measure_all(tree, cluster);
        rooms
    }

    /// Becomes the rooms of a cluster in `tree`, whosever they were.
    pub(super) fn measure_all(&mut self, tree: &FatTree, cluster: Cluster) {
        self.clear(cluster);
        for pod in 0..tree.topology().pods() {
            self.measure_below(tree, pod);
        }
    }

    /// The same, as long as they may prove that clusters of `size` cannot be placed; returns whether
    /// they do.
    fn prove(&mut self, tree: &FatTree, cluster: Cluster, size: u32) -> bool {
        self.clear(cluster);
        (0..tree.topology().pods()).all(|pod| {
            self.measure_below(tree, pod);
            self.refuses_from() <= size
        })
    }

    /// Becomes a cluster that has no room yet.
    fn clear(&mut self, cluster: Cluster) {
        self.cluster = cluster;
        for rooms in [
            &mut self.through_edges,
            &mut self.pods,
            &mut self.through_pods,
            &mut self.roots,
            &mut self.bound_edges,
            &mut self.bound_pods,
        ] {
            rooms.fill(0);
        }
    }

    fn measure_below(&mut self, tree: &FatTree, pod: u32) {
        let half = tree.topology().half();
        for edge in pod * half..(pod + 1) * half {
            self.measure_edge(tree, edge);
        }
        self.measure_pod(tree, pod);
    }

    /// Measures again below these edge switches, which ascend.
    pub(super) fn measure(&mut self, tree: &FatTree, edges: &[u32]) {
        let topology = tree.topology();
        for edges in edges.chunk_by(|&a, &b| topology.pod_of(a) == topology.pod_of(b)) {
            for &edge in edges {
                self.measure_edge(tree, edge);
            }
            self.measure_pod(tree, topology.pod_of(edges[0]));
        }
    }

    /// Whether the rooms leave open that the cluster can be placed.
    pub(super) fn may_fit(&self) -> bool {
        self.roots.iter().any(|&room| room >= self.cluster.size)
    }

    /// From which size on clusters of this bandwidth, or more, cannot be placed.
    fn refuses_from(&self) -> u32 {
        let most = *self.roots.iter().max().expect("a root");
        if most >= self.cluster.size {
            return RoomTree::ANY;
        }
        let bound = *self.bound_pods.iter().max().expect("a pod");
        self.cluster.size.min(most.max(bound) + 1)
    }

    fn measure_edge(&mut self, tree: &FatTree, edge: u32) {
        let topology = tree.topology();
        let (parallel, pod) = (topology.parallel(), topology.pod_of(edge));
        let offer = tree.offer(edge);
        let bound = &mut self.bound_edges[edge as usize];
        let below;
        (below, *bound) = if offer.may_take_one(self.cluster) {
            let rooms = room_of_servers(tree, self.cluster, edge);
            (rooms.total, rooms.bound)
        } else {
            (0, offer.most_slots)
        };
        if tree.servers_decide() {
            let before = mem::replace(&mut self.through_edges[edge as usize], below);
            self.roots[0] = self.roots[0] + below - before;
            return;
        }
        let through = part(&mut self.through_edges, edge, parallel);
        if below == 0 && through.iter().all(|&through| through == 0) {
            return;
        }
        let cluster = above_servers(tree, self.cluster);
        let residuals = tree.residuals(topology.edge_links(edge));
        let pods = part(&mut self.pods, pod, parallel);
        *bound = measure_links(cluster, residuals, below, through, pods).max(*bound);
    }

    fn measure_pod(&mut self, tree: &FatTree, pod: u32) {
        let topology = tree.topology();
        let (parallel, half) = (topology.parallel(), topology.half());
        let edges = part(&mut self.bound_edges, pod, half);
        let bound = &mut self.bound_pods[pod as usize];
        *bound = *edges.iter().max().expect("an edge switch");
        if tree.servers_decide() {
            return;
        }
        let cluster = above_servers(tree, self.cluster);
        let cores = parallel as usize;
        let residuals = tree.residuals(topology.pod_links(pod)).chunks_exact(cores);
        let through = part(&mut self.through_pods, pod, parallel * parallel);
        let through = through.chunks_exact_mut(cores);
        let roots = self.roots.chunks_exact_mut(cores);
        let below = part(&mut self.pods, pod, parallel).iter();
        for (((below, residuals), through), roots) in below.zip(residuals).zip(through).zip(roots) {
            let below = cluster.size.min(*below);
            *bound = measure_links(cluster, residuals, below, through, roots).max(*bound);
        }
    }
}

/// Measures how many of the machines `below` a switch its parallel links let `through`, each alone,
/// and adds what has changed to `sums`; returns the largest a + q of those that bind, or 0.
fn measure_links(
    cluster: Cluster,
    residuals: &[Kbps],
    below: u32,
    through: &mut [u32],
    sums: &mut [u32],
) -> u32 {
    let mut bound = 0;
    for ((&residual, through), sum) in residuals.iter().zip(through).zip(sums) {
        let room = cluster.largest(0, below, residual);
        if room < below {
            bound = bound.max(below + room);
        }
        *sum = *sum + room - *through;
        *through = room;
    }
    bound
}

/// The part of a list that has so many places for each switch.
fn part(list: &mut [u32], switch: u32, places: u32) -> &mut [u32] {
    &mut list[(switch * places) as usize..][..places as usize]
}

/// The edge switches below which something has changed since it was last looked at.
#[derive(Clone, Debug)]
pub(super) struct ChangedEdges {
    topology: Topology,
    edges: Vec<u32>,
    /// By edge switch, whether it is among them.
    known: Vec<bool>,
}

impl ChangedEdges {
    pub(super) fn none(topology: Topology) -> ChangedEdges {
        ChangedEdges {
            topology,
            edges: Vec::new(),
            known: vec![false; topology.edges() as usize],
        }
    }

    /// Something has changed at a placement.
    pub(super) fn add(&mut self, placement: &Embedding) {
        for &(server, _) in &placement.servers {
            let edge = self.topology.edge_of(server.0);
            let known = &mut self.known[edge as usize];
            if !*known {
                *known = true;
                self.edges.push(edge);
            }
        }
    }

    /// Whether nothing has changed.
    pub(super) fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The edge switches, ascending.
    pub(super) fn sorted(&mut self) -> &[u32] {
        self.edges.sort_unstable();
        &self.edges
    }

    /// Everything has been looked at.
    pub(super) fn clear(&mut self) {
        for edge in self.edges.drain(..) {
            self.known[edge as usize] = false;
        }
    }
}

/// The certificates that hold in one state of a tree.
#[derive(Clone, Debug)]
pub(super) struct Certificates {
    /// By bandwidth, ascending; each refuses smaller clusters than those before it.
    kept: Vec<Certificate>,
    /// Dropped ones, to be used again.
    spare: Vec<Certificate>,
    refused: Refused,
    changed: ChangedEdges,
    /// Whether a job has departed since they were measured.
    freed: bool,
}

/// What is known of a cluster that has failed.
#[derive(Clone, Debug)]
struct Certificate {
    size: u32,
    /// From which size on clusters of its bandwidth fail, too.
    from: u32,
    /// Those of a cluster of its size or of any, with its bandwidth.
    rooms: RoomTree,
}

impl Certificates {
    /// None yet, for a tree of this shape.
    pub(super) fn none(topology: Topology) -> Certificates {
        Certificates {
            kept: Vec::new(),
            spare: Vec::new(),
            refused: Refused::nobody(),
            changed: ChangedEdges::none(topology),
            freed: false,
        }
    }

    /// A job has left its placement.
    pub(super) fn departed(&mut self, placement: &Embedding) {
        self.taken(placement);
        self.freed = true;
    }

    /// A job has taken its placement.
    pub(super) fn taken(&mut self, placement: &Embedding) {
        if !self.kept.is_empty() {
            self.changed.add(placement);
        }
    }

    /// The requests that certainly cannot be placed in `tree`.
    pub(super) fn refused(&mut self, tree: &FatTree) -> &Refused {
        self.refused.set_most_slots(u64::from(tree.free_total()));
        if !self.changed.is_empty() {
            let edges = self.changed.sorted();
            for certificate in &mut self.kept {
                certificate.rooms.measure(tree, edges);
                let from = certificate.rooms.refuses_from();
                // Where jobs have only started, what was proven before still holds.
                let before = if self.freed { from } else { certificate.from };
                certificate.from = from.min(before);
            }
            self.changed.clear();
            self.freed = false;
            self.find_corners(tree);
        }
        &self.refused
    }

    /// Finds the corners of what the certificates refuse. Those that have none, or no longer refuse
    /// the cluster that they were made for, are dropped.
    fn find_corners(&mut self, tree: &FatTree) {
        self.refused.clear();
        let mut least = RoomTree::ANY;
        let mut kept = 0;
        for at in 0..self.kept.len() {
            let Certificate { size, from, rooms } = &self.kept[at];
            if *from < least && from <= size {
                least = *from;
                let asked = tree.guarantee().least_asked(rooms.cluster.bandwidth);
                self.refused.add(*from, asked);
                self.kept.swap(kept, at);
                kept += 1;
            }
        }
        self.spare.extend(self.kept.drain(kept..));
    }

    /// Whether `cluster` certainly cannot be placed in `tree`.
    pub(super) fn rules_out(&mut self, tree: &FatTree, cluster: Cluster) -> bool {
        let asked = tree.guarantee().least_asked(cluster.bandwidth);
        self.refused(tree).rules_out(cluster.size, asked)
    }

    /// A placement of `cluster` in `tree` has failed: keeps a certificate if the rooms prove that,
    /// and returns whether they do.
    pub(super) fn failed(&mut self, tree: &FatTree, cluster: Cluster) -> bool {
        if self.rules_out(tree, cluster) {
            return true;
        }
        let spare = self.spare.pop();
        let mut certificate = spare.unwrap_or_else(|| Certificate {
            size: 0,
            from: 0,
            rooms: RoomTree::none(tree.topology()),
        });
        certificate.size = cluster.size;
        for size in [RoomTree::ANY, cluster.size] {
            let rooms = &mut certificate.rooms;
            if rooms.prove(tree, Cluster { size, ..cluster }, cluster.size) {
                certificate.from = rooms.refuses_from();
                let less = |other: &Certificate| other.rooms.cluster.bandwidth < cluster.bandwidth;
                let position = self.kept.partition_point(less);
                self.kept.insert(position, certificate);
                self.find_corners(tree);
                return true;
            }
        }
        self.spare.push(certificate);
        false
    }
}
