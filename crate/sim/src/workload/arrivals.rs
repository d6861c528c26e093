//! The jobs of a run: all in memory, or made one by one.
//!
//! Jobs are made one by one if each depends on no other, both sampled jobs and those of a trace:
//! they then take no memory before they arrive. Totals over all jobs (load, whether their times
//! fit) take a first pass. Both ways give the same jobs to the bit.

use std::iter::Enumerate;
use std::sync::Arc;

use super::trace::{LogRow, Trace};
use super::{clean, poisson, shape};
use crate::job::{Job, Jobs};
use crate::machine::Capacity;
use crate::problem::Problem;
use crate::unit::Span;
use crate::workload::{Estimate, Workload};
use shape::Shape;

/// The jobs of a run by submit time.
#[derive(Clone, Debug)]
pub enum Arrivals {
    /// All of them in memory.
    Listed(Jobs),
    /// Made when their turn comes.
    Lazy(Box<Lazy>),
}

/// Whether each job can be made without the others, once the totals are known.
pub(super) fn one_by_one(workload: &Workload) -> bool {
    workload.estimate != Estimate::Tsafrir
        && workload.shake == Span(0)
        && !workload.feedback
        && workload.usage.is_none()
        && workload.vm_migration.is_none()
}

impl Arrivals {
    /// The number of jobs.
    pub fn len(&self) -> usize {
        match self {
            Arrivals::Listed(jobs) => jobs.len(),
            Arrivals::Lazy(lazy) => lazy.len(),
        }
    }

    /// Whether there is no job.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All jobs, in memory.
    pub fn into_jobs(self) -> Jobs {
        match self {
            Arrivals::Listed(jobs) => jobs,
            Arrivals::Lazy(lazy) => lazy.collect::<Vec<Job>>().into(),
        }
    }

    /// A look at one job after the other.
    pub(crate) fn each(&self, mut look: impl FnMut(&Job)) {
        match self {
            Arrivals::Listed(jobs) => jobs.iter().for_each(look),
            Arrivals::Lazy(lazy) => lazy.clone().for_each(|job| look(&job)),
        }
    }
}

impl From<Jobs> for Arrivals {
    fn from(jobs: Jobs) -> Arrivals {
        Arrivals::Listed(jobs)
    }
}

/// The source of jobs that are made one by one.
#[derive(Clone, Debug)]
pub(super) enum Maker {
    /// They are sampled from distributions.
    Lazy(poisson::Jobs),
    /// They are rows of a trace.
    Logged(Box<Logged>),
}

/// The jobs of a trace that a workload takes.
#[derive(Clone, Debug)]
pub(super) struct Logged {
    rows: Arc<Vec<LogRow>>,
    workload: Workload,
    /// Their positions among the rows.
    positions: Arc<Vec<u32>>,
    /// The number of them that have been taken.
    next: usize,
}

impl Logged {
    pub(super) fn new(trace: &Trace, workload: &Workload) -> Logged {
        Logged {
            rows: Arc::clone(&trace.rows),
            workload: workload.clone(),
            positions: Arc::new(clean::positions(trace, workload)),
            next: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

impl Iterator for Maker {
    /// A job and its user; 0 if the user is unknown.
    type Item = (Job, u32);

    fn next(&mut self) -> Option<(Job, u32)> {
        match self {
            Maker::Lazy(jobs) => jobs.next().map(|job| (job, 0)),
            Maker::Logged(logged) => {
                let position = *logged.positions.get(logged.next)?;
                logged.next += 1;
                let row = &logged.rows[position as usize];
                Some((shape::logged(row, &logged.workload), row.user))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Maker::Lazy(jobs) => jobs.size_hint(),
            Maker::Logged(logged) => {
                let left = logged.positions.len() - logged.next;
                (left, Some(left))
            }
        }
    }
}

/// Jobs that are made one by one.
#[derive(Clone, Debug)]
pub struct Lazy {
    jobs: Enumerate<Maker>,
    shape: Shape,
}

impl Lazy {
    /// # Errors
    /// The load cannot be reached, or the jobs' times add up beyond what an instant can hold, or
    /// may where they share links.
    pub(super) fn new(
        jobs: Maker,
        workload: &Workload,
        capacity: &Capacity,
        seed: u64,
        replication: u64,
    ) -> Result<Lazy, Problem> {
        let shape = Shape::new(
            jobs.clone().map(|(job, _)| job),
            workload,
            capacity,
            seed,
            replication,
        )?;
        let jobs = jobs.enumerate();
        Ok(Lazy { jobs, shape })
    }
}

impl Iterator for Lazy {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let (index, (mut job, user)) = self.jobs.next()?;
        self.shape.apply(index as u64, &mut job, user);
        Some(job)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.jobs.size_hint()
    }
}

impl ExactSizeIterator for Lazy {}
