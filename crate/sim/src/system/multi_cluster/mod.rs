//! A multi-cluster: clusters of equal nodes, each with one link to an ideal switch in their middle.
//!
//! A job holds nodes of one cluster, or of several: then it is *co-allocated*, communicates over
//! the links of all of them and, where they cannot carry what is required of them, computes more
//! slowly. Nodes within a cluster are alike and only counted.
//!
//! - `links`: what a job requires of a link
//! - `saturate`: what is left of it on links that are asked for too much
//! - [`place`]: where a job goes
//! - [`describe`]: its parts, for people and pictures
//!
//! Units: bit/s for what is required, so that ties and thresholds are exact. Only slowdowns and
//! rates are floating point; they decide no placement.
//!
//! Invariants: no cluster gives away more nodes than it has; what is required of a link is the
//! exact sum over the co-allocated jobs that run; rates depend on these jobs alone, not on how they
//! came.
//!
//! Source: paper 3, section 3. Departure: Eq. 3 shares a link by its whole rate also in later
//! rounds; meant is what is left of it (Eq. 4).

pub mod describe;
mod links;
pub mod place;
mod saturate;

pub use links::required;
pub use saturate::saturate;

use crate::choice::choices;
use crate::source::PAPER_3;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::decimal::Decimal;
use crate::id::{JobId, LinkId};
use crate::job::Request;
use crate::machine::{Capacity, Placement, System};
use crate::unit::Kbps;

choices! {
    /// What happens to co-allocated jobs whose links are overloaded.
    pub enum LinkSharing {
        Dynamic = "dynamic", "Dynamic",
            "They get shares of their links in proportion to their needs, and communicate for longer accordingly.",
            PAPER_3;
        Ideal = "ideal", "Ideal",
            "Links have unlimited bandwidth.",
            PAPER_3;
        Fixed = "fixed", "Fixed penalty",
            "Every co-allocated job takes longer by the same factor, regardless of the load of its links.",
            PAPER_3;
    }
}

/// What becomes of jobs whose links are asked for too much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KnownSharing {
    /// They get proportional shares of their links and are as slow as those make them.
    Dynamic,
    /// Nothing: links carry any load.
    Ideal,
    /// Every co-allocated job takes this many times as long, whatever the links carry.
    Fixed(f64),
}

/// How large a multi-cluster is and how jobs share its links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiClusterSpec {
    /// Nodes of each cluster.
    pub nodes: Vec<u32>,
    /// Rate of the link of each.
    pub links: Vec<Kbps>,
    /// The share of its time in which a job computes (K in the paper).
    pub computation: Decimal,
    /// What becomes of jobs whose links are asked for too much.
    pub sharing: LinkSharing,
    /// By what the time of co-allocated jobs is multiplied where that is fixed; where it is open,
    /// their mean penalty in a run that shares links dynamically.
    pub penalty: Option<Decimal>,
}

impl MultiClusterSpec {
    /// What a workload needs to know about it.
    pub fn capacity(&self) -> Capacity {
        Capacity {
            slots: self.nodes.iter().map(|&count| u64::from(count)).sum(),
            servers: self.nodes.len() as u64,
            slots_per_server: u64::from(self.nodes.iter().copied().max().unwrap_or(0)),
            line_rate: Kbps(u64::MAX),
            thinnest_shared: None,
            most_guaranteed: None,
        }
    }

    /// How jobs share its links; `None` where another run has to tell by how much they are
    /// stretched.
    pub fn known_sharing(&self) -> Option<KnownSharing> {
        match self.sharing {
            LinkSharing::Dynamic => Some(KnownSharing::Dynamic),
            LinkSharing::Ideal => Some(KnownSharing::Ideal),
            LinkSharing::Fixed => self
                .penalty
                .map(|penalty| KnownSharing::Fixed(penalty.to_f64())),
        }
    }

    /// The clusters, idle, with links shared in that way.
    pub fn build(&self, sharing: KnownSharing) -> MultiCluster {
        MultiCluster::new(&self.nodes, &self.links, self.computation.to_f64(), sharing)
    }
}

/// A multi-cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiCluster {
    nodes: Vec<u32>,
    free: Vec<u32>,
    free_count: u64,
    capacity: Vec<Kbps>,
    /// What running jobs require of each link, bit/s.
    load: Vec<u64>,
    sharing: KnownSharing,
    /// The share of a job's time on a dedicated machine in which it computes (K in the paper).
    computation: f64,
    /// The co-allocated jobs, where they share their links dynamically.
    co_allocated: BTreeMap<JobId, CoAllocated>,
    /// Whether one of them has come or gone since the rates were last computed.
    changed: bool,
}

/// A job that runs on several clusters.
#[derive(Clone, Debug, PartialEq)]
struct CoAllocated {
    /// What it requires of each link, bit/s.
    need: Vec<f64>,
    /// The share of that which it gets (sd in the paper).
    share: f64,
}

impl AsRef<[f64]> for CoAllocated {
    fn as_ref(&self) -> &[f64] {
        &self.need
    }
}

/// The nodes of one job, cluster by cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// (cluster, nodes there), ascending, none of them 0.
    nodes: Vec<(u32, u32)>,
    /// What it requires of each of these clusters' links, to a kbit/s; empty on a single cluster.
    required: Vec<(LinkId, Kbps)>,
}

impl Mapping {
    /// Of (cluster, nodes there), ascending, for a job; clusters without nodes are left out.
    pub fn new(request: &Request, nodes: impl IntoIterator<Item = (u32, u32)>) -> Mapping {
        let nodes: Vec<(u32, u32)> = nodes.into_iter().filter(|share| share.1 > 0).collect();
        let required = match nodes.len() {
            1 => Vec::new(),
            _ => nodes
                .iter()
                .map(|&(cluster, inside)| {
                    let bits = required_by(request, inside);
                    (LinkId(cluster), Kbps((bits + 500) / 1000))
                })
                .collect(),
        };
        Mapping { nodes, required }
    }

    /// (cluster, nodes there), ascending.
    pub fn nodes(&self) -> &[(u32, u32)] {
        &self.nodes
    }

    /// Whether they lie on several clusters.
    pub(crate) fn is_co_allocated(&self) -> bool {
        self.nodes.len() > 1
    }
}

/// What a job requires of the link of a cluster where it has so many nodes, bit/s: the bandwidth
/// that it asks for is that of an even bisection (BSBW in the paper).
pub fn required_by(request: &Request, inside: u32) -> u64 {
    required(1000 * request.bandwidth.0, inside, request.size)
}

/// How fast a job goes that gets a share of the bandwidth it requires, where `computation` is the
/// share of its dedicated time in which it needs none.
fn rate(computation: f64, share: f64) -> f64 {
    1.0 / (computation + (1.0 - computation) / share)
}

impl MultiCluster {
    /// Idle clusters of so many nodes behind links of these rates, for jobs that compute for a
    /// share of their dedicated time.
    ///
    /// # Panics
    /// There are not as many links as clusters.
    pub fn new(
        nodes: &[u32],
        capacity: &[Kbps],
        computation: f64,
        sharing: KnownSharing,
    ) -> MultiCluster {
        assert_eq!(nodes.len(), capacity.len(), "each cluster has a link");
        MultiCluster {
            nodes: nodes.to_vec(),
            free: nodes.to_vec(),
            free_count: nodes.iter().map(|&count| u64::from(count)).sum(),
            capacity: capacity.to_vec(),
            load: vec![0; nodes.len()],
            sharing,
            computation,
            co_allocated: BTreeMap::new(),
            changed: false,
        }
    }

    /// The number of clusters.
    pub fn clusters(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// How many nodes of a cluster are free.
    pub fn free_in(&self, cluster: u32) -> u32 {
        self.free[cluster as usize]
    }

    /// The most nodes that are free in any cluster.
    pub fn most_free(&self) -> u32 {
        self.free.iter().copied().max().unwrap_or(0)
    }

    /// What running jobs require of a cluster's link, bit/s: it may be more than the link carries.
    pub fn load_of(&self, cluster: u32) -> u64 {
        self.load[cluster as usize]
    }

    /// What a cluster's link carries, bit/s.
    pub fn capacity_of(&self, cluster: u32) -> u64 {
        1000 * self.capacity[cluster as usize].0
    }

    /// The share of the bandwidth it requires that a running job gets; 1 on a single cluster.
    pub fn share_of(&self, job: JobId) -> f64 {
        self.co_allocated.get(&job).map_or(1.0, |job| job.share)
    }
}

impl System for MultiCluster {
    type Placement = Mapping;

    const SYNCED_TOGETHER: bool = true;

    fn hold(&mut self, request: &Request, placement: &Mapping) {
        let mut need = vec![0.0; self.nodes.len()];
        for &(cluster, inside) in &placement.nodes {
            let index = cluster as usize;
            let free = self.free[index].checked_sub(inside);
            self.free[index] = free.unwrap_or_else(|| {
                let (free, job) = (self.free[index], request.index);
                panic!("cluster{cluster} has {free} nodes free, not {inside} for {job}")
            });
            self.free_count -= u64::from(inside);
            let required = required_by(request, inside);
            self.load[index] += required;
            need[index] = required as f64;
        }
        if placement.is_co_allocated() && self.sharing == KnownSharing::Dynamic {
            let job = CoAllocated { need, share: 1.0 };
            self.co_allocated.insert(request.index, job);
            self.changed = true;
        }
    }

    fn free(&mut self, request: &Request, placement: &Mapping) {
        for &(cluster, inside) in &placement.nodes {
            let index = cluster as usize;
            self.free[index] += inside;
            self.free_count += u64::from(inside);
            self.load[index] -= required_by(request, inside);
        }
        self.changed |= self.co_allocated.remove(&request.index).is_some();
    }

    fn rate(&self, request: &Request, _placement: &Mapping) -> f64 {
        let job = self.co_allocated.get(&request.index);
        job.map_or(1.0, |job| rate(self.computation, job.share))
    }

    fn work_dilation(&self, placement: &Mapping) -> f64 {
        match self.sharing {
            KnownSharing::Fixed(penalty) if placement.is_co_allocated() => penalty,
            _ => 1.0,
        }
    }

    fn touched(&mut self, out: &mut Vec<JobId>) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        let capacity = self.capacity.iter().map(|rate| (1000 * rate.0) as f64);
        let capacity: Vec<f64> = capacity.collect();
        let jobs: Vec<&CoAllocated> = self.co_allocated.values().collect();
        let shares = saturate(&capacity, &jobs);
        for ((&id, job), share) in self.co_allocated.iter_mut().zip(shares) {
            job.share = share;
            out.push(id);
        }
    }

    fn slots(&self) -> u64 {
        self.nodes.iter().map(|&count| u64::from(count)).sum()
    }

    fn free_slots(&self) -> u64 {
        self.free_count
    }

    fn links(&self) -> &[Kbps] {
        &self.capacity
    }

    fn uplinks(&self) -> Range<usize> {
        0..self.capacity.len()
    }
}

impl Placement for Mapping {
    fn shares(&self) -> impl Iterator<Item = (u32, u32)> {
        self.nodes.iter().copied()
    }

    fn reservations(&self) -> &[(LinkId, Kbps)] {
        &self.required
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::unit::{Span, Time};

    /// P3-T4: three clusters, and jobs that share their links in a star.
    #[test]
    fn jobs_come_and_go_and_their_rates_follow() {
        let rates = [Kbps(1_000_000); 3];
        let mut system = MultiCluster::new(&[100; 3], &rates, 0.7, KnownSharing::Dynamic);
        let empty = system.clone();
        let request = |index, size, mbps: u64| Request {
            index: JobId(index),
            submit: Time(0),
            size,
            bandwidth: Kbps(1000 * mbps),
            estimate: Span(1),
            home: 0,
        };
        let requests = [
            request(0, 20, 800),
            request(1, 20, 800),
            request(2, 40, 900),
        ];
        let places = [
            Mapping::new(&requests[0], [(0, 10), (1, 10), (2, 0)]),
            Mapping::new(&requests[1], [(1, 10), (2, 10)]),
            Mapping::new(&requests[2], [(0, 30), (2, 10)]),
        ];
        let mut touched = Vec::new();
        for (request, placement) in requests.iter().zip(&places) {
            system.hold(request, placement);
        }
        system.touched(&mut touched);
        assert_eq!(touched, [JobId(0), JobId(1), JobId(2)]);
        assert_eq!(
            (0..3)
                .map(|c| system.load_of(c) / 1_000_000)
                .collect::<Vec<_>>(),
            [1475, 1600, 1475]
        );
        let rate = |system: &MultiCluster, job: usize| system.rate(&requests[job], &places[job]);
        assert_eq!(system.share_of(JobId(0)), 0.625);
        assert!((rate(&system, 0) - 1.0 / (0.7 + 0.3 / 0.625)).abs() < 1e-12);
        assert!((system.share_of(JobId(2)) - 20.0 / 27.0).abs() < 1e-12);
        system.free(&requests[1], &places[1]);
        touched.clear();
        system.touched(&mut touched);
        assert_eq!(touched, [JobId(0), JobId(2)]);
        assert!((system.share_of(JobId(0)) - 1000.0 / 1475.0).abs() < 1e-12);
        system.free(&requests[0], &places[0]);
        system.free(&requests[2], &places[2]);
        system.touched(&mut touched);
        assert_eq!(system, empty);
    }

    #[test]
    fn a_rate_is_one_where_nothing_is_missing() {
        let rates = [
            (1.0, 1.0),
            (0.8, 0.930_233),
            (0.5, 0.769_231),
            (0.25, 0.526_316),
        ];
        for (share, expected) in rates {
            assert!((rate(0.7, share) - expected).abs() < 5e-7, "{share}");
        }
        assert_eq!(rate(0.7, 1.0), 1.0);
    }
}
