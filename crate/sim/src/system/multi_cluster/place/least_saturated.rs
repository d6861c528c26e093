//! Least saturated link (B2): a job goes where the links carry least.
//!
//! *Decides*: the clusters whose link is below the threshold, by the demand on it as a share of its
//! rate, the least first, each filled. *Ties*: lowest index; shares are compared exactly.
//! *Complexity*: O(clusters · log clusters). *Source*: paper 3, section 5, class B.

use super::filling::{Steps, eligible, fill, of_sorting};
use crate::job::Request;
use crate::sorting;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    steps: &mut T,
) -> Option<Mapping> {
    let mut clusters: Vec<u32> = eligible(system, threshold, steps).collect();
    steps.taken(of_sorting(clusters.len()));
    sorting::by(&mut clusters, |&one, &other| {
        let product = |load, capacity| {
            u128::from(system.load_of(load)) * u128::from(system.capacity_of(capacity))
        };
        product(one, other).cmp(&product(other, one))
    });
    fill(system, request, &clusters, steps)
}
