//! Generated jobs: sizes, run times and times between submits drawn independently from laws.
//!
//! Each draw has its stream, named by what is drawn and the job's index: neither another law nor
//! another number of jobs moves the other draws. The first job is submitted at time 0.

use super::generated;
use super::law::Sampler;
use crate::job::Job;
use crate::rng::Stream;
use crate::scenario::Law;
use crate::unit::{MICROS, Span, Time};

/// The laws of a generated workload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laws {
    pub(super) size: Law,
    pub(super) runtime: Law,
    pub(super) interarrival: Law,
}

/// `count` jobs that ask for no bandwidth and run as long as they say.
pub(super) fn jobs(count: u32, laws: Laws, seed: u64, replication: u64) -> Vec<Job> {
    let size = Sampler::new(laws.size, 1);
    let runtime = Sampler::new(laws.runtime, MICROS);
    let interarrival = Sampler::new(laws.interarrival, MICROS);
    let mut submit = Time(0);
    (0..u64::from(count))
        .map(|index| {
            let draw = |sampler: &Sampler, purpose| {
                sampler.draw(&mut Stream::new(seed, replication, purpose, index))
            };
            if index > 0 {
                let gap = draw(&interarrival, "interarrival");
                submit = Time(submit.0.saturating_add(gap));
            }
            let runtime = Span(draw(&runtime, "runtime"));
            let size = draw(&size, "size").clamp(1, u64::from(u32::MAX));
            generated(index + 1, submit, size as u32, runtime)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laws(size: &str) -> Laws {
        Laws {
            size: Law::parse(size).unwrap(),
            runtime: Law::parse("exponential:3600").unwrap(),
            interarrival: Law::parse("exponential:60").unwrap(),
        }
    }

    #[test]
    fn submits_start_at_zero_and_ascend() {
        let jobs = jobs(100, laws("uniform:1:15"), 42, 0);
        assert_eq!(jobs[0].submit, Time(0));
        assert!(jobs.is_sorted_by_key(|job| job.submit));
        assert!(jobs[99].submit > Time(60 * 50 * MICROS));
        assert!(jobs.iter().all(|job| job.estimate == job.runtime));
    }

    #[test]
    fn a_job_has_one_slot_at_least() {
        let jobs = jobs(100, laws("constant:0"), 42, 0);
        assert!(jobs.iter().all(|job| job.size == 1));
    }

    #[test]
    fn neither_more_jobs_nor_another_law_moves_the_other_draws() {
        let few = jobs(10, laws("uniform:1:15"), 42, 3);
        assert_eq!(few, jobs(100, laws("uniform:1:15"), 42, 3)[..10]);
        let other = jobs(10, laws("pow2:1024"), 42, 3);
        let times =
            |jobs: &[Job]| -> Vec<_> { jobs.iter().map(|job| (job.submit, job.runtime)).collect() };
        assert_eq!(times(&few), times(&other));
        assert_ne!(few, other);
    }

    #[test]
    fn another_seed_or_replication_gives_other_jobs() {
        let base = jobs(10, laws("uniform:1:15"), 42, 3);
        assert_ne!(base, jobs(10, laws("uniform:1:15"), 42, 4));
        assert_ne!(base, jobs(10, laws("uniform:1:15"), 43, 3));
    }
}
