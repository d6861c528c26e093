//! The jobs of a run as it takes them: all in memory, or drawn one after the other.
//!
//! Jobs that are drawn when their turn comes need no memory before: those drawn from distributions,
//! where what becomes of each hangs on it alone. What is known of them together (their load,
//! whether their times fit) takes a first pass over the same draws. They are the same jobs, to the
//! bit, as those in a list.

use std::iter::Enumerate;

use super::poisson;
use super::shape::Shape;
use crate::job::{Job, Jobs};
use crate::problem::Problem;
use crate::system::Capacity;
use crate::workload::{Estimate, Workload};

/// The jobs of a run by submit time.
#[derive(Clone, Debug)]
pub enum Arrivals {
    /// All of them in memory.
    Listed(Jobs),
    /// Drawn when their turn comes.
    Lazy(Box<Lazy>),
}

/// Whether what becomes of a generated job hangs on that job alone, once the totals are known.
pub(super) fn one_by_one(workload: &Workload) -> bool {
    workload.estimate != Estimate::Tsafrir
        && workload.usage.is_none()
        && workload.vm_migration.is_none()
}

impl Arrivals {
    /// How many jobs there are.
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

/// Generated jobs, each of which is drawn when it is asked for.
#[derive(Clone, Debug)]
pub struct Lazy {
    jobs: Enumerate<poisson::Jobs>,
    shape: Shape,
}

impl Lazy {
    /// # Errors
    /// The load cannot be reached, or the jobs' times add up beyond what an instant can hold, or
    /// may where they share links.
    pub(super) fn new(
        jobs: poisson::Jobs,
        workload: &Workload,
        capacity: &Capacity,
        seed: u64,
        replication: u64,
    ) -> Result<Lazy, Problem> {
        let shape = Shape::new(jobs.clone(), workload, capacity, seed, replication)?;
        let jobs = jobs.enumerate();
        Ok(Lazy { jobs, shape })
    }
}

impl Iterator for Lazy {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let (index, mut job) = self.jobs.next()?;
        self.shape.apply(index as u64, &mut job, 0);
        Some(job)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.jobs.size_hint()
    }
}

impl ExactSizeIterator for Lazy {}
