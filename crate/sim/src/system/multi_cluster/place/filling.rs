//! What the modules that spread a job share: the clusters they look at, and the order in which they
//! fill them.

use crate::job::Request;
use std::cmp::Reverse;

use crate::sorting;
use crate::system::multi_cluster::{Mapping, MultiCluster};

/// Counts the steps of spreading a job: a number of nodes tried for a cluster or moved through a
/// word of sums, a cluster looked at, two clusters compared. Unlike times, steps are the same on
/// every machine.
pub trait Steps {
    /// Adds `steps`.
    fn taken(&mut self, steps: u64);
}

/// Counts nothing, at no cost.
impl Steps for () {
    fn taken(&mut self, _steps: u64) {}
}

/// They are added up.
impl Steps for u64 {
    fn taken(&mut self, steps: u64) {
        *self += steps;
    }
}

/// The clusters whose link demand is below the threshold, by index.
pub(super) fn eligible<'a, T: Steps>(
    system: &'a MultiCluster,
    threshold: u32,
    steps: &mut T,
) -> impl Iterator<Item = u32> + use<'a, T> {
    steps.taken(u64::from(system.clusters()));
    (0..system.clusters()).filter(move |&cluster| {
        let load = 100 * u128::from(system.load_of(cluster));
        load < u128::from(threshold) * u128::from(system.capacity_of(cluster))
    })
}

/// Fills clusters in order with their free nodes; `None` if they have too few.
pub(super) fn fill<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    clusters: &[u32],
    steps: &mut T,
) -> Option<Mapping> {
    steps.taken(clusters.len() as u64);
    let mut left = request.size;
    let mut nodes: Vec<(u32, u32)> = Vec::with_capacity(clusters.len());
    for &cluster in clusters {
        let here = left.min(system.free_in(cluster));
        nodes.push((cluster, here));
        left -= here;
    }
    nodes.sort_unstable();
    (left == 0).then(|| Mapping::new(request, nodes))
}

/// Sorts clusters by free nodes, the most first; equal ones by index.
pub(super) fn by_free_nodes<T: Steps>(
    system: &MultiCluster,
    clusters: impl Iterator<Item = u32>,
    steps: &mut T,
) -> Vec<u32> {
    let mut clusters: Vec<u32> = clusters.collect();
    steps.taken(of_sorting(clusters.len()));
    sorting::by_key(&mut clusters, |&cluster| Reverse(system.free_in(cluster)));
    clusters
}

/// The most comparisons for sorting `clusters` clusters by merging: n⌈log₂ n⌉. The actual number
/// may change with the library.
pub(super) fn of_sorting(clusters: usize) -> u64 {
    clusters as u64 * u64::from(clusters.next_power_of_two().ilog2())
}
