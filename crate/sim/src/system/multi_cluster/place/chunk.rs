//! Big and small chunks (B3): a job is spread only where one cluster takes a large part of it, so
//! that little is sent between clusters.
//!
//! *Decides*: as largest free does, if the largest part is at least a given percentage of the job.
//! That cluster takes as much as it can. *Ties*: lowest index. *Complexity*: O(clusters · log
//! clusters). *Source*: paper 3, section 5, class B. With all of the job as the part it is
//! migration, with none largest free.

use super::filling::{Steps, eligible};
use super::largest_free;
use crate::job::Request;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place<T: Steps>(
    system: &MultiCluster,
    request: &Request,
    threshold: u32,
    part: u32,
    steps: &mut T,
) -> Option<Mapping> {
    let free = eligible(system, threshold, steps).map(|cluster| system.free_in(cluster));
    let largest = 100 * u64::from(free.max()?);
    (largest >= u64::from(part) * u64::from(request.size))
        .then(|| largest_free::place(system, request, threshold, steps))?
}
