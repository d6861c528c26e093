//! Migration: a job runs on another cluster, before it has started anywhere.
//!
//! *Decides*: the cluster with the fewest free nodes that still are enough. *Ties*: lowest index.
//! *Complexity*: O(clusters). *Source*: paper 3, section 5.

use crate::job::Request;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place(system: &MultiCluster, request: &Request) -> Option<Mapping> {
    let room = (0..system.clusters()).filter(|&cluster| system.free_in(cluster) >= request.size);
    let tightest = room.min_by_key(|&cluster| system.free_in(cluster))?;
    Some(Mapping::new(request, [(tightest, request.size)]))
}
