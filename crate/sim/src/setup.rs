//! One run, typed: what the simulator is given for one policy at one point of a sweep.

use crate::decimal::Decimal;
use crate::metrics::RunOptions;
use crate::policy::{Queue, QueueOptions};
use crate::system::SystemSpec;
use crate::system::{PlacementOptions, PlacementPolicy};
use crate::workload::{Trace, Workload};

/// Everything that determines a run, except the trace it may read and the replication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The system that the jobs run on.
    pub system: SystemSpec,
    /// How many times as many nodes as the log's machine has processors the system has; `None`
    /// where it says itself how many.
    pub machine_scale: Option<Decimal>,
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

impl Setup {
    /// The same setup on a system of the size of the log's machine, if it asks for that and there
    /// is a log: at least one node, halves rounded up.
    pub fn fitted(mut self, trace: Option<&Trace>) -> Setup {
        if let (Some(scale), Some(trace)) = (self.machine_scale, trace) {
            let (times, whole) = scale.ratio();
            let nodes = (u128::from(trace.machine) * times * 2 + whole) / (2 * whole);
            let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
            self.system.set_nodes(nodes.max(1));
        }
        self
    }
}
