//! Local: a job runs where it is submitted.
//!
//! *Decides*: the home cluster, if it has nodes enough. *Ties*: none. *Complexity*: O(1).
//! *Source*: paper 3, section 5.

use crate::job::Ask;
use crate::system::multi_cluster::{Mapping, MultiCluster};

pub(super) fn place(system: &MultiCluster, ask: &Ask) -> Option<Mapping> {
    let home = system.home(ask.index);
    (system.free_in(home) >= ask.size).then(|| Mapping::new(ask, [(home, ask.size)]))
}
