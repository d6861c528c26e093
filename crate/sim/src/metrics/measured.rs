//! The measurements of a run from which metrics are computed.

use crate::sample::{Sample, Weighted};

/// The measurements of a run; times in seconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    pub(super) jobs: u32,
    pub(super) ran: u32,
    pub(super) waits: Sample,
    /// The same waits, for their deviation.
    pub(super) wait_spread: Weighted,
    pub(super) responses: Sample,
    pub(super) total_waits: Weighted,
    /// Time at work by runtime.
    pub(super) stretches: Sample,
    /// Of the jobs that times are taken over: how many there are, and how many ended later than
    /// estimated.
    pub(super) timed: u32,
    pub(super) late: u32,
    pub(super) slowdowns: Sample,
    /// Waits weighted by the requested slots.
    pub(super) sized_waits: Weighted,
    /// Waits divided by the requested slots, weighted by these.
    pub(super) waits_by_size: Weighted,
    /// Responses weighted by the requested slots.
    pub(super) sized_responses: Weighted,
    pub(super) missed: u32,
    pub(super) blocked: u32,
    pub(super) undecided: u32,
    pub(super) infeasible: u32,
    pub(super) unplaceable: u32,
    /// The jobs among these two that request more slots than the system has.
    pub(super) oversize: u32,
    /// Jobs that left the queue, counted nowhere else; `None` if no job of the run may leave.
    pub(super) left: Option<u32>,
    pub(super) migrations: f64,
    pub(super) evictions: f64,
    pub(super) promotions: f64,
    pub(super) swaps: f64,
    pub(super) foreground_loss: f64,
    /// Work done times its CPU usage, node · s; `None` if CPU usage is not simulated.
    pub(super) cpu_time: Option<f64>,
    pub(super) cpu_utilisation: Option<f64>,
    pub(super) parallel: u32,
    pub(super) intra_server: u32,
    /// Leaves of a tree of switches that jobs spanned, and how many more than the fewest possible.
    pub(super) leaves: Weighted,
    pub(super) leaves_excess: Weighted,
    pub(super) fragmentation: Option<f64>,
    pub(super) makespan: Option<f64>,
    pub(super) slot_utilisation: Option<f64>,
    pub(super) queue_mean: Option<f64>,
    pub(super) longest_queue: usize,
    pub(super) decision_steps: Option<u64>,
    pub(super) not_finite: Option<u64>,
    pub(super) overbooked: u32,
    pub(super) layers: Vec<LayerUse>,
    /// Time from first start to completion by runtime, of jobs on several clusters.
    pub(super) penalties: Weighted,
    /// The number of such jobs, if there are several clusters.
    pub(super) several: Option<u32>,
    /// Use of the links of clusters.
    pub(super) uplinks: Option<LayerUse>,
}

impl Measured {
    pub(super) fn per_job(&self, count: f64) -> Option<f64> {
        self.cpu_time?;
        ratio(count, f64::from(self.ran))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LayerUse {
    pub(super) mean: f64,
    pub(super) peak: f64,
}

/// `part / whole`; `None` if `whole` is 0.
pub(super) fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
