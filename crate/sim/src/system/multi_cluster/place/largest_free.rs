//! Largest free (B1): a job is spread over as few clusters as possible.
//!
//! *Decides*: the clusters whose link is below the threshold by free nodes, the most first, each
//! filled. *Ties*: lowest index. *Complexity*: O(clusters · log clusters).
//! *Source*: paper 3, section 5, class B.

use super::filling::{Steps, by_free_nodes, eligible, fill};
use crate::job::Request;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    steps: &mut T,
) -> Option<Mapping> {
    let clusters = eligible(system, threshold, steps);
    let clusters = by_free_nodes(system, clusters, steps);
    fill(system, request, &clusters, steps)
}
