//! Generated jobs: sizes, run times and times between submits drawn independently from
//! distributions.
//!
//! Each draw has its stream, named by what is drawn and the job's index: neither another
//! distribution nor another number of jobs moves the other draws. The first job is submitted at
//! time 0.

use std::ops::Range;

use super::sampler::Sampler;
use crate::job::Job;
use crate::rng::Stream;
use crate::unit::{MICROS, Span, Time};
use crate::workload::Distribution;

/// The distributions of a generated workload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distributions {
    pub(super) size: Distribution,
    pub(super) runtime: Distribution,
    pub(super) interarrival: Distribution,
}

/// Jobs that request no bandwidth and whose estimate is their run time, sampled on demand.
#[derive(Clone, Debug)]
pub(super) struct Jobs {
    size: Sampler,
    runtime: Sampler,
    interarrival: Sampler,
    seed: u64,
    replication: u64,
    /// The indices of those still to come.
    indices: Range<u32>,
    submit: Time,
}

impl Jobs {
    pub(super) fn new(
        count: u32,
        distributions: Distributions,
        seed: u64,
        replication: u64,
    ) -> Jobs {
        Jobs {
            size: Sampler::new(distributions.size, 1),
            runtime: Sampler::new(distributions.runtime, MICROS),
            interarrival: Sampler::new(distributions.interarrival, MICROS),
            seed,
            replication,
            indices: 0..count,
            submit: Time(0),
        }
    }
}

impl Iterator for Jobs {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let index = u64::from(self.indices.next()?);
        let draw = |sampler: &Sampler, purpose| {
            sampler.draw(&mut Stream::new(
                self.seed,
                self.replication,
                purpose,
                index,
            ))
        };
        if index > 0 {
            let gap = draw(&self.interarrival, "interarrival");
            self.submit = Time(self.submit.0.saturating_add(gap));
        }
        let runtime = Span(draw(&self.runtime, "runtime"));
        let size = draw(&self.size, "size").clamp(1, u64::from(u32::MAX));
        Some(Job::new(index + 1, self.submit, size as u32, runtime))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl ExactSizeIterator for Jobs {}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(count: u32, distributions: Distributions, seed: u64, replication: u64) -> Vec<Job> {
        Jobs::new(count, distributions, seed, replication).collect()
    }

    fn distributions(size: &str) -> Distributions {
        Distributions {
            size: Distribution::parse(size).unwrap(),
            runtime: Distribution::parse("exponential:3600").unwrap(),
            interarrival: Distribution::parse("exponential:60").unwrap(),
        }
    }

    #[test]
    fn submits_start_at_zero_and_ascend() {
        let jobs = jobs(100, distributions("uniform:1:15"), 42, 0);
        assert_eq!(jobs[0].submit, Time(0));
        assert!(jobs.is_sorted_by_key(|job| job.submit));
        assert!(jobs[99].submit > Time(60 * 50 * MICROS));
        assert!(jobs.iter().all(|job| job.estimate == job.runtime));
    }

    #[test]
    fn a_job_has_one_slot_at_least() {
        let jobs = jobs(100, distributions("constant:0"), 42, 0);
        assert!(jobs.iter().all(|job| job.size == 1));
    }

    #[test]
    fn neither_more_jobs_nor_another_law_moves_the_other_draws() {
        let few = jobs(10, distributions("uniform:1:15"), 42, 3);
        assert_eq!(few, jobs(100, distributions("uniform:1:15"), 42, 3)[..10]);
        let other = jobs(10, distributions("pow2:1024"), 42, 3);
        let times =
            |jobs: &[Job]| -> Vec<_> { jobs.iter().map(|job| (job.submit, job.runtime)).collect() };
        assert_eq!(times(&few), times(&other));
        assert_ne!(few, other);
    }

    #[test]
    fn another_seed_or_replication_gives_other_jobs() {
        let base = jobs(10, distributions("uniform:1:15"), 42, 3);
        assert_ne!(base, jobs(10, distributions("uniform:1:15"), 42, 4));
        assert_ne!(base, jobs(10, distributions("uniform:1:15"), 43, 3));
    }
}
