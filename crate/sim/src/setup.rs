//! One run, typed: what the simulator is given for one policy at one point of a sweep.

use crate::metrics::RunOptions;
use crate::place::{Placement, PlacementOptions};
use crate::policy::{Queue, QueueOptions};
use crate::system::SystemSpec;
use crate::workload::Workload;

/// Everything that decides a run, apart from the trace it may read and the replication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What the jobs run on.
    pub system: SystemSpec,
    /// Which jobs there are.
    pub workload: Workload,
    /// Who decides when they run.
    pub queue: Queue,
    /// Who decides where they run.
    pub placement: Placement,
    /// How the queue is read.
    pub queueing: QueueOptions,
    /// How the placement is read.
    pub placing: PlacementOptions,
    /// How the run is carried out and measured.
    pub options: RunOptions,
}
