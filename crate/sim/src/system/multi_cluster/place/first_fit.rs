//! First fit: a job is spread without regard to the demand on links.
//!
//! *Decides*: clusters by free nodes, the most first, each filled. *Ties*: lowest index.
//! *Complexity*: O(clusters · log clusters). *Source*: paper 3, section 4.

use super::filling::{Steps, by_free_nodes, fill};
use crate::job::Request;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    steps: &mut T,
) -> Option<Mapping> {
    let clusters = by_free_nodes(system, 0..system.clusters(), steps);
    fill(system, request, &clusters, steps)
}
