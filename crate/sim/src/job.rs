//! A job as the engine knows it, and the part of it that a policy may see.

use crate::sorting;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::id::{IdVec, JobId};
use crate::rng::Stream;
use crate::unit::{Kbps, Span, Time};

/// A job of a workload. Its index is its position after a stable sort by submit time.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The number the input gave it, for display only.
    pub number: u64,
    /// When it arrives.
    pub submit: Time,
    /// Requested slots: one per virtual machine (N in the paper) or process.
    pub size: u32,
    /// Bandwidth guaranteed to each of its virtual machines (B in the paper).
    pub bandwidth: Kbps,
    /// Its true run time.
    pub runtime: Span,
    /// Its user's estimate of the run time.
    pub estimate: Span,
    /// The jobs without whose ends it does not arrive, and how long after the last of them.
    pub after: Option<Box<After>>,
    /// The CPU usage of its processes, if nodes are shared.
    pub cpu: Option<Arc<Cpu>>,
    /// The cluster at which it is submitted, where there are several.
    pub home: u32,
    /// The migrations of its virtual machines, if they migrate.
    pub vm_migrations: Option<Box<VmMigrations>>,
    /// How long it waits for its first start before it leaves the queue; `None` if it never leaves.
    pub patience: Option<Box<Span>>,
    /// When it started in the log; `None` if that is unknown or nothing depends on it.
    pub recorded_start: Option<Box<Time>>,
}

impl Job {
    /// A job that requests no bandwidth, and whose estimate is its run time.
    pub fn new(number: u64, submit: Time, size: u32, runtime: Span) -> Job {
        Job {
            number,
            submit,
            size,
            bandwidth: Kbps(0),
            runtime,
            estimate: runtime,
            after: None,
            cpu: None,
            home: 0,
            vm_migrations: None,
            patience: None,
            recorded_start: None,
        }
    }
}

/// When the virtual machines that a job runs on migrate, and what that does to it: it stops,
/// holding all its machines, and goes on from the last slot that it has completed.
#[derive(Clone, Debug, PartialEq)]
pub struct VmMigrations {
    /// The rate at which one machine migrates, per microsecond.
    pub hazard: f64,
    /// The work of one slot.
    pub slot: Span,
    /// The least and the most time for which the job stops.
    pub stop: [Span; 2],
    /// The random stream of this job.
    pub draws: Stream,
}

impl VmMigrations {
    /// The microseconds for which a job on `machines` machines runs before the next of them
    /// migrates.
    pub fn time_to_next(&mut self, machines: u32) -> f64 {
        self.draws.exponential(1.0) / (self.hazard * f64::from(machines))
    }

    /// Samples the time for which the job stops.
    pub fn stop(&mut self) -> Span {
        let [least, most] = self.stop;
        Span(least.0 + self.draws.below((most - least).0 + 1))
    }

    /// The part of the work done, in microseconds, that was done in completed slots.
    pub fn completed(&self, done: f64) -> f64 {
        let slot = self.slot.0 as f64;
        // As in `Time::after`, so little is an error of floating point.
        ((done + 1.0 / 1024.0) / slot).floor() * slot
    }
}

/// A share of a node's CPU in per cent, ordered as numbers are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Percent(pub f64);

impl Percent {
    /// A number that grows with it, if it is not negative.
    pub fn rank(self) -> u64 {
        self.0.to_bits()
    }
}

impl Ord for Percent {
    fn cmp(&self, other: &Percent) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Percent {
    fn partial_cmp(&self, other: &Percent) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Percent {
    fn eq(&self, other: &Percent) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Percent {}

/// The CPU usage of a job on its nodes, and its slowdown by neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct Cpu {
    /// Its processes, one for each requested slot.
    pub processes: Vec<Process>,
    /// Its speed in the background where CPU enough is idle (eff in the paper).
    pub efficiency: f64,
}

/// One process of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Process {
    /// What it uses (u in the paper).
    pub usage: Percent,
    /// The usage reported to the scheduler.
    pub reported: Percent,
    /// The share of its speed that it loses in the foreground to a neighbour in the background.
    pub overhead: f64,
}

impl Cpu {
    /// Of `size` processes that use their nodes entirely and lose nothing.
    pub fn whole(size: u32) -> Cpu {
        let process = Process {
            usage: Percent(100.0),
            reported: Percent(100.0),
            overhead: 0.0,
        };
        Cpu {
            processes: vec![process; size as usize],
            efficiency: 1.0,
        }
    }

    /// What all its processes use together, in nodes.
    pub fn nodes(&self) -> f64 {
        let usage = self.processes.iter().map(|process| process.usage.0);
        usage.sum::<f64>() / 100.0
    }
}

/// A user's thinking between jobs: a job arrives once all that precede it have ended, or have been
/// dismissed, and this time has passed, but not before its own submit time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// The jobs that precede it, at least one; no job precedes itself over others.
    pub jobs: Vec<JobId>,
    /// Time between the last of their ends and the submit.
    pub think: Span,
}

/// The part of a job that policies and placers see: never the true runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The index of the job.
    pub index: JobId,
    /// When it arrived.
    pub submit: Time,
    /// Requested slots.
    pub size: u32,
    /// Bandwidth of each of its virtual machines.
    pub bandwidth: Kbps,
    /// The estimated runtime, the original one also after a preemption.
    pub estimate: Span,
    /// The cluster at which it is submitted, where there are several.
    pub home: u32,
}

/// The jobs of one replication, sorted by submit time.
pub type Jobs = IdVec<JobId, Job>;

impl Job {
    /// Its part of the offered load: size · runtime in slot-microseconds. 0 for a job that may
    /// leave the queue, as in the log it never ran.
    pub fn area(&self) -> u128 {
        let runs = self.patience.is_none();
        u128::from(runs) * u128::from(self.size) * u128::from(self.runtime.0)
    }

    /// What a scheduler may see of this job, whose index is `index`.
    pub fn request(&self, index: JobId) -> Request {
        Request {
            index,
            submit: self.submit,
            size: self.size,
            bandwidth: self.bandwidth,
            estimate: self.estimate,
            home: self.home,
        }
    }
}

/// Sorts by submit time; jobs of one instant keep their order.
pub fn sorted(mut jobs: Vec<Job>) -> Jobs {
    sorting::by_key(&mut jobs, |job| job.submit);
    jobs.into()
}
