//! An exact test whether a virtual cluster can be embedded, and the embedding that reserves least,
//! by which [`Exact`] places.
//!
//! Bottom-up, each subtree has the set of counts of machines that it can take; the cluster fits
//! exactly if N is in the set of a root. [`find`] needs costs instead of sets, so it first asks the
//! much faster [`decide`].
//!
//! *Decides*: of all embeddings below any switch, the one that reserves least over all links
//! together. Least for this cluster is not best for later ones. *Ties*: the lowest level, there the
//! first switch in the order of placements, and below it the split that gives later children fewer
//! machines. *Complexity*: O(roots · switches · N/64 · log N) at worst to decide, O(links · N² +
//! servers · L · N) to find. *Source*: after D. Xie, N. Ding, Y. C. Hu, R. Kompella, "The only
//! constant is change", SIGCOMM 2012, and M. Rost, C. Fuerst, S. Schmid, "Beyond the stars", CCR
//! 45(3), 2015, who show that the problem is polynomial.

use super::certificates::RoomTree;
use super::fill::rank;
use super::rules::Rules;
use super::split::{Cost, Table};
use super::subtrees::by_number;
use crate::id::{LinkId, ServerId};
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::Reservation;
use crate::system::fat_tree::{Embedding, Fabric, FatTree, Switch};
use crate::unit::Kbps;

/// The embedding that reserves least, wherever any exists.
#[derive(Clone, Debug, Default)]
pub struct Exact {
    rules: Rules,
}

impl Exact {
    /// Under these rules. One server with room for the whole cluster needs no search of its own: it
    /// reserves nothing.
    pub fn new(rules: Rules) -> Exact {
        Exact { rules }
    }
}

impl Placer<FatTree> for Exact {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        find(tree, request, self.rules)
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        self.rules.exists(tree, request)
    }

    fn subtrees(
        &self,
        tree: &FatTree,
        request: &Request,
        placement: &Embedding,
    ) -> Option<Subtrees> {
        Some(by_number(tree, request, self.rules, placement))
    }
}

impl Rules {
    /// Whether any embedding exists; undecided where reservations are not those of the hose model.
    /// Rooms prove most failures before sets of counts are built.
    pub(super) fn exists(self, tree: &FatTree, request: &Request) -> Option<bool> {
        if !self.intra_server_free || tree.reservation() == Reservation::Literal {
            return None;
        }
        let fits = tree.free_total() >= request.size
            && RoomTree::new(tree, self.cluster(tree, request)).may_fit();
        if fits {
            decide(tree, request)
        } else {
            Some(false)
        }
    }
}

/// Whether any embedding exists under the reservations of `tree`; undecided where they are tested
/// as printed, which embeds more than fits.
///
/// A server can take {m ≤ a : min(m, N − m)·B ≤ c}; an inner switch the sums of one count from each
/// child, cut to what its uplink allows. The counts of a lower switch are among those of the root
/// above it, since a link with all N below it needs nothing; so only the cores are tested. Sets are
/// bit sets; sums are taken run by run with doubling shifts. Where only the links of servers can
/// bind, counting is enough.
pub fn decide(tree: &FatTree, request: &Request) -> Option<bool> {
    match tree.reservation() {
        Reservation::Hose => Some(exists(tree, request)),
        Reservation::Sum => Some(exists_by_sums(tree, request)),
        Reservation::Literal => None,
    }
}

/// Whether `request` can be embedded in the present `tree` by any placement under one switch.
pub fn exists(tree: &FatTree, request: &Request) -> bool {
    if tree.free_total() < request.size {
        return false;
    }
    let cluster = Rules::default().cluster(tree, request);
    if tree.servers_decide() || servers_decide_now(tree) {
        exists_by_servers(tree, cluster)
    } else {
        exists_by_counts(tree, cluster)
    }
}

/// Whether no link above the servers can bind in this state: in the aggregated fabric, each has as
/// much residual bandwidth as all links below it of servers with a free slot.
fn servers_decide_now(tree: &FatTree) -> bool {
    let topology = tree.topology();
    let half = topology.half();
    let holds_all = |pod: u32| {
        let switch = Switch::Aggregation { pod, j: 0 };
        let mut below = Kbps(0);
        let edges_hold = (pod * half..(pod + 1) * half).all(|edge| {
            let Kbps(offered) = tree.offer(edge).bandwidth;
            below.0 += offered;
            Kbps(offered) <= tree.residual(topology.edge_link(edge, switch))
        });
        let core = Switch::Core { j: 0, i: 0 };
        edges_hold && below <= tree.residual(topology.pod_link(pod, core))
    };
    topology.fabric() == Fabric::Aggregated && (0..topology.pods()).all(holds_all)
}

/// The same where the links of servers alone bind. A server has up to q machines or at least N − q,
/// and no embedding needs more than one server with more than N/2: so there is one exactly where
/// the counts up to N/2, with the largest gain of one server beyond that, reach N.
fn exists_by_servers(tree: &FatTree, cluster: Cluster) -> bool {
    let topology = tree.topology();
    let (mut total, mut gain) = (0, 0);
    for server in 0..topology.servers() {
        let free = tree.free_slots(server).min(cluster.size);
        let residual = tree.residual(topology.server_link(server));
        let lower = cluster.largest(0, free.min(cluster.size / 2), residual);
        total += lower;
        gain = gain.max(cluster.largest(0, free, residual) - lower);
    }
    total + gain >= cluster.size
}

/// The same in any fabric.
fn exists_by_counts(tree: &FatTree, cluster: Cluster) -> bool {
    let topology = tree.topology();
    if (0..topology.servers()).any(|server| tree.free_slots(server) >= cluster.size) {
        return true;
    }
    let half = topology.half();
    let edges: Vec<Counts> = (0..topology.edges())
        .map(|edge| {
            let servers = topology.servers_below(Switch::Edge(edge));
            Counts::sum(
                cluster.size,
                servers.map(|server| {
                    Counts::up_to(cluster.size, tree.free_slots(server)).through(
                        tree,
                        cluster,
                        topology.server_link(server),
                    )
                }),
            )
        })
        .collect();
    let parallel = topology.parallel();
    (0..parallel).any(|j| {
        let pods: Vec<Counts> = (0..topology.pods())
            .map(|pod| {
                let switch = Switch::Aggregation { pod, j };
                let edges = (pod * half..(pod + 1) * half).map(|edge| {
                    let link = topology.edge_link(edge, switch);
                    edges[edge as usize].clone().through(tree, cluster, link)
                });
                Counts::sum(cluster.size, edges)
            })
            .collect();
        (0..parallel).any(|i| {
            let switch = Switch::Core { j, i };
            let pods = (0..).zip(&pods).map(|(pod, counts)| {
                let link = topology.pod_link(pod, switch);
                counts.clone().through(tree, cluster, link)
            });
            Counts::sum(cluster.size, pods).contains(cluster.size)
        })
    })
}

/// As [`exists`], where shared links carry the sum of their servers' needs.
///
/// For each subtree and count the smallest such sum decides all links above. A cluster below a
/// lower switch is not among those of the roots above it here: it loads no link above its own
/// switch.
pub fn exists_by_sums(tree: &FatTree, request: &Request) -> bool {
    if tree.free_total() < request.size {
        return false;
    }
    let cluster = Rules::default().cluster(tree, request);
    let topology = tree.topology();
    let half = topology.half();
    let servers = |edge| {
        let least = topology.servers_below(Switch::Edge(edge)).map(|server| {
            let residual = tree.residual(topology.server_link(server));
            let limit = tree.free_slots(server).min(request.size);
            (0..=limit)
                .map(|m| (cluster.need(m) <= residual).then(|| cluster.weight(m)))
                .collect()
        });
        least_sums(request.size, least)
    };
    let edges: Vec<Sums> = (0..topology.edges()).map(servers).collect();
    let whole = request.size as usize;
    if edges.iter().any(|sums| sums[whole].is_some()) {
        return true;
    }
    let through = |sums: &Sums, link: LinkId| -> Sums {
        let residual = tree.residual(link);
        let fits = |sum: &Option<u32>| sum.filter(|&sum| cluster.times(sum) <= residual);
        sums.iter().map(fits).collect()
    };
    (0..topology.parallel()).any(|j| {
        let pods: Vec<Sums> = (0..topology.pods())
            .map(|pod| {
                let switch = Switch::Aggregation { pod, j };
                let edges = (pod * half..(pod + 1) * half)
                    .map(|edge| through(&edges[edge as usize], topology.edge_link(edge, switch)));
                least_sums(request.size, edges)
            })
            .collect();
        pods.iter().any(|sums| sums[whole].is_some())
            || (0..topology.parallel()).any(|i| {
                let pods = (0..).zip(&pods).map(|(pod, sums)| {
                    through(sums, topology.pod_link(pod, Switch::Core { j, i }))
                });
                least_sums(request.size, pods)[whole].is_some()
            })
    })
}

/// By count of machines: the smallest sum of their weights, if the count is possible.
type Sums = Vec<Option<u32>>;

/// The smallest sums of one count from each child, for the counts 0..=N.
fn least_sums(size: u32, children: impl Iterator<Item = Sums>) -> Sums {
    let mut total: Sums = vec![None; size as usize + 1];
    total[0] = Some(0);
    for child in children {
        let mut next: Sums = vec![None; total.len()];
        for (count, sum) in total.iter().enumerate() {
            let Some(sum) = sum else { continue };
            for (more, weight) in child.iter().enumerate().take(total.len() - count) {
                let Some(weight) = weight else { continue };
                let least = &mut next[count + more];
                *least = Some(least.map_or(sum + weight, |least| least.min(sum + weight)));
            }
        }
        total = next;
    }
    total
}

/// The embedding of `request` that reserves least over all links, if any exists in the present
/// `tree`. Where reservations are tested as printed, which overbooks, it does not overbook.
pub fn find(tree: &FatTree, request: &Request, rules: Rules) -> Option<Embedding> {
    if tree.free_total() < request.size || rules.exists(tree, request) == Some(false) {
        return None;
    }
    let cluster = rules.cluster(tree, request);
    let best = least_reserved(tree, cluster, rules)?;
    let mut servers = best.table.split(request.size);
    servers.sort_unstable();
    let (_, _, (_, switch)) = best.order;
    let switch = lowest(tree, switch, &servers);
    Some(tree.embedding(cluster, switch, servers))
}

/// A root below which the whole cluster fits.
struct Best {
    /// The bandwidth reserved there at least, the layers of links below, and its position among
    /// the switches of its level: the smallest of all is taken.
    order: (Kbps, u64, (u64, Switch)),
    table: Table<Kbps>,
}

fn least_reserved(tree: &FatTree, cluster: Cluster, rules: Rules) -> Option<Best> {
    let topology = tree.topology();
    let half = topology.half();
    let by_sums = tree.reservation() == Reservation::Sum;
    let through = |table: &Table<Kbps>, link: LinkId| match by_sums {
        false => table.clone().through_hose(tree, cluster, link),
        // The machines below reserve the same sum on every link of their way up.
        true => {
            let residual = tree.residual(link);
            let fits = move |_, sum| (sum <= residual).then_some(sum);
            table.clone().through(fits)
        }
    };
    let mut best: Option<Best> = None;
    let mut consider = |switch, table: &Table<Kbps>, layers: u64| {
        let Some(Kbps(least)) = table.least(cluster.size) else {
            return;
        };
        let total = Kbps(least * if by_sums { layers } else { 1 });
        let order = (total, layers, rank(tree, rules, switch));
        if best.as_ref().is_none_or(|best| order < best.order) {
            best = Some(Best {
                order,
                table: table.clone(),
            });
        }
    };
    let edges: Vec<Table<Kbps>> = (0..topology.edges())
        .map(|edge| Table::below(tree, cluster, Switch::Edge(edge), Switch::Edge(edge)))
        .collect();
    for (edge, table) in (0..).zip(&edges) {
        consider(Switch::Edge(edge), table, 1);
    }
    let pods: Vec<Vec<Table<Kbps>>> = (0..topology.pods())
        .map(|pod| {
            let below = |j| {
                let switch = Switch::Aggregation { pod, j };
                let edges = (pod * half..(pod + 1) * half)
                    .map(|edge| through(&edges[edge as usize], topology.edge_link(edge, switch)));
                let table = Table::over(cluster.size, edges.collect());
                consider(switch, &table, 2);
                table
            };
            (0..topology.parallel()).map(below).collect()
        })
        .collect();
    for j in 0..topology.parallel() {
        for i in 0..topology.parallel() {
            let switch = Switch::Core { j, i };
            let pods = (0..)
                .zip(&pods)
                .map(|(pod, below)| through(&below[j as usize], topology.pod_link(pod, switch)));
            consider(switch, &Table::over(cluster.size, pods.collect()), 3);
        }
    }
    best
}

/// The lowest switch above all of `servers`, on the way to `switch`.
fn lowest(tree: &FatTree, switch: Switch, servers: &[(ServerId, u32)]) -> Switch {
    let topology = tree.topology();
    let (first, last) = (servers[0].0.0, servers[servers.len() - 1].0.0);
    let (edge, pod) = (
        topology.edge_of(first),
        topology.pod_of(topology.edge_of(first)),
    );
    match switch {
        _ if first == last => Switch::Server(first),
        _ if edge == topology.edge_of(last) => Switch::Edge(edge),
        Switch::Core { j, .. } if pod == topology.pod_of(topology.edge_of(last)) => {
            Switch::Aggregation { pod, j }
        }
        _ => switch,
    }
}

impl Cost for Kbps {
    const NOTHING: Kbps = Kbps(0);

    fn on(_: &FatTree, _: LinkId, need: Kbps) -> Kbps {
        need
    }

    fn and(self, other: Kbps) -> Kbps {
        Kbps(self.0 + other.0)
    }
}

/// A set of counts 0..=N.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counts {
    size: u32,
    words: Vec<u64>,
}

impl Counts {
    /// {0, …, limit}, cut at `size` (N).
    fn up_to(size: u32, limit: u32) -> Counts {
        let mut counts = Counts {
            size,
            words: vec![0; size as usize / 64 + 1],
        };
        counts.insert(0, limit.min(size));
        counts
    }

    fn insert(&mut self, first: u32, last: u32) {
        for count in first..=last {
            self.words[count as usize / 64] |= 1 << (count % 64);
        }
    }

    fn contains(&self, count: u32) -> bool {
        self.words[count as usize / 64] >> (count % 64) & 1 == 1
    }

    /// Only the counts that `link` has room for.
    fn through(mut self, tree: &FatTree, cluster: Cluster, link: LinkId) -> Counts {
        let residual = tree.residual(link);
        // The gap is symmetric about N/2: from the first count that does not fit to its mirror.
        let middle = cluster.size / 2;
        if cluster.need(middle) > residual {
            let first = cluster.largest(0, middle, residual) + 1;
            for count in first..=cluster.size - first {
                self.words[count as usize / 64] &= !(1 << (count % 64));
            }
        }
        self
    }

    /// The sums of one count from each set.
    fn sum(size: u32, sets: impl Iterator<Item = Counts>) -> Counts {
        let mut total = Counts::up_to(size, 0);
        for set in sets {
            total = total.plus(&set);
        }
        total
    }

    fn plus(&self, other: &Counts) -> Counts {
        let mut total = Counts {
            size: self.size,
            words: vec![0; self.words.len()],
        };
        for (first, length) in other.runs() {
            let mut smeared = self.clone();
            let mut width = 1;
            while width < length {
                let step = width.min(length - width);
                let shifted = smeared.shifted(step);
                smeared.unite(&shifted);
                width += step;
            }
            total.unite(&smeared.shifted(first));
        }
        total
    }

    fn unite(&mut self, other: &Counts) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Every count `by` larger; those above N fall out.
    fn shifted(&self, by: u32) -> Counts {
        let (words, bits) = (by as usize / 64, by % 64);
        let at = |index: usize| self.words.get(index).copied().unwrap_or(0);
        let mut shifted = Counts {
            size: self.size,
            words: (0..self.words.len())
                .map(|index| match index.checked_sub(words) {
                    None => 0,
                    Some(index) if bits == 0 => at(index),
                    Some(0) => at(0) << bits,
                    Some(index) => at(index) << bits | at(index - 1) >> (64 - bits),
                })
                .collect(),
        };
        let last = self.size as usize / 64;
        shifted.words[last] &= u64::MAX >> (63 - self.size % 64);
        shifted
    }

    /// Maximal runs of neighbouring counts: (first, length).
    fn runs(&self) -> impl Iterator<Item = (u32, u32)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let first = (next..=self.size).find(|&count| self.contains(count))?;
            let end = (first..=self.size)
                .find(|&count| !self.contains(count))
                .unwrap_or(self.size + 1);
            next = end;
            Some((first, end - first))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::id::JobId;
    use crate::machine::System;
    use crate::rng::Stream;
    use crate::system::fat_tree::Topology;
    use crate::system::fat_tree::place::FirstFit;
    use crate::unit::{Span, Time};

    #[test]
    fn where_servers_decide_counting_finds_what_sets_of_counts_find() {
        let mut draws = Stream::new(42, 0, "exists", 0);
        let mut seen = [0, 0];
        for _ in 0..150 {
            let k = 2 * (1 + draws.below(3) as u32);
            let slots = 1 + draws.below(6) as u32;
            let topology = Topology::new(k, Fabric::Aggregated);
            let capacity = topology.capacities(Kbps(1000), Decimal::whole(1));
            let mut tree = FatTree::new(topology, slots, capacity, Reservation::Hose);
            let mut placer = FirstFit::new(Rules::default());
            let mut held = Vec::new();
            for index in 0..60 {
                if !held.is_empty() && draws.below(3) == 0 {
                    let (request, placement) = held.remove(draws.below(held.len() as u64) as usize);
                    tree.free(&request, &placement);
                }
                let request = Request {
                    index: JobId(index),
                    submit: Time(0),
                    size: 1 + draws.below(u64::from(2 * slots * k)) as u32,
                    bandwidth: Kbps(draws.below(1200)),
                    estimate: Span(1),
                    home: 0,
                };
                if tree.free_total() >= request.size {
                    assert!(tree.servers_decide() && servers_decide_now(&tree));
                    let cluster = Rules::default().cluster(&tree, &request);
                    let exists = exists_by_servers(&tree, cluster);
                    assert_eq!(
                        exists,
                        exists_by_counts(&tree, cluster),
                        "{request:?} {tree:?}"
                    );
                    seen[usize::from(exists)] += 1;
                }
                if let Some(placement) = placer.place(&tree, &request) {
                    tree.hold(&request, &placement);
                    held.push((request, placement));
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }
}
