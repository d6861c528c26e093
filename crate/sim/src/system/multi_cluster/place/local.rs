//! Local: a job runs where it is submitted.
//!
//! *Decides*: the home cluster, if it has nodes enough. *Ties*: none. *Complexity*: O(1).
//! *Source*: paper 3, section 5.

use crate::job::Ask;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place(system: &MultiCluster, ask: &Ask) -> Option<Mapping> {
    (system.free_in(ask.home) >= ask.size).then(|| Mapping::new(ask, [(ask.home, ask.size)]))
}
