//! Runs of given jobs, and random jobs that are unkind to schedulers.

use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::rng::Stream;
use backfill_sim::run::{Finished, Run};
use backfill_sim::scenario::{Scenario, Setup};
use backfill_sim::unit::{Kbps, MICROS, Span, Time};

/// The setup of a scenario of one policy and one point, given as `key value` pairs.
///
/// # Panics
/// It is no such scenario.
pub fn setup(pairs: &[(&str, &str)]) -> Setup {
    let pairs = [("x", "none")].iter().chain(pairs).copied();
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    assert_eq!(scenario.policies().len(), 1, "one policy");
    scenario.setup(None, None, 0)
}

/// The run of `jobs` as `setup` says, with all its stints.
pub fn finish(setup: &Setup, jobs: &Jobs) -> Finished {
    Run::new(setup, jobs.clone(), true).finish()
}

/// A job of times in seconds, without bandwidth, its estimate exact.
pub fn job(submit: u64, size: u32, runtime: u64) -> Job {
    Job {
        number: 0,
        submit: Time(submit * MICROS),
        size,
        bandwidth: Kbps(0),
        runtime: Span(runtime * MICROS),
        estimate: Span(runtime * MICROS),
    }
}

/// Random jobs for a system of `slots` slots that keep its queue long. Times are whole seconds, so
/// that several things often happen at once; some jobs run for no time, estimates are often wrong
/// in either direction, some jobs are too large, bandwidths repeat.
pub fn random_jobs(seed: u64, slots: u64) -> Jobs {
    let mut stream = Stream::new(seed, 0, "random jobs", 0);
    let mut below = |n| stream.below(n);
    let mut submit = 0;
    let jobs = (0..20 + below(30)).map(|_| {
        submit += [0, 0, 1, 2, 5][below(5) as usize];
        let largest = if below(8) == 0 { slots + 4 } else { slots / 2 };
        let runtime = if below(6) == 0 { 0 } else { below(15) };
        let mut job = job(submit, 1 + below(largest) as u32, runtime);
        job.bandwidth = Kbps(100_000 * below(12));
        if below(3) == 0 {
            job.estimate = Span(below(20) * MICROS);
        }
        job
    });
    sorted(jobs.collect())
}
