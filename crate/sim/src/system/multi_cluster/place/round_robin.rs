//! Load balancing (B4): a job is spread evenly.
//!
//! *Decides*: one node after the other over the clusters whose link is below the threshold, those
//! that are full left out. *Ties*: lowest index. *Complexity*: O(size · clusters). *Source*: paper
//! 3, section 5, class B.

use super::filling::{Steps, eligible};
use crate::job::Request;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    steps: &mut T,
) -> Option<Mapping> {
    let clusters = eligible(system, threshold, steps);
    let mut nodes: Vec<(u32, u32)> = clusters.map(|cluster| (cluster, 0)).collect();
    steps.taken(nodes.len() as u64);
    let free = nodes
        .iter()
        .map(|&(cluster, _)| u64::from(system.free_in(cluster)));
    if free.sum::<u64>() < u64::from(request.size) {
        return None;
    }
    let mut left = request.size;
    while left > 0 {
        steps.taken(nodes.len() as u64);
        for (cluster, here) in &mut nodes {
            if left > 0 && *here < system.free_in(*cluster) {
                *here += 1;
                left -= 1;
            }
        }
    }
    Some(Mapping::new(request, nodes))
}
