//! Local: a job runs where it is submitted.
//!
//! *Decides*: the home cluster, if it has nodes enough. *Ties*: none. *Complexity*: O(1).
//! *Source*: paper 3, section 5.

use crate::job::Request;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place(system: &MultiCluster, request: &Request) -> Option<Mapping> {
    (system.free_in(request.home) >= request.size)
        .then(|| Mapping::new(request, [(request.home, request.size)]))
}
