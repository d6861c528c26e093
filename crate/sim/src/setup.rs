//! One run, typed: what the simulator is given for one policy at one point of a sweep.

use crate::metrics::RunOptions;
use crate::policy::{Queue, QueueOptions};
use crate::system::SystemSpec;
use crate::system::{PlacementOptions, PlacementPolicy};
use crate::workload::Workload;

/// Everything that determines a run, except the trace it may read and the replication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The system that the jobs run on.
    pub system: SystemSpec,
    /// The jobs, or how they are made.
    pub workload: Workload,
    /// The policy that decides when they run.
    pub queue: Queue,
    /// The placement that decides where they run.
    pub placement: PlacementPolicy,
    /// How the queue is read.
    pub queueing: QueueOptions,
    /// How the placement is read.
    pub placing: PlacementOptions,
    /// How the run is carried out and measured.
    pub options: RunOptions,
}
