//! Generated jobs: sizes, run times and times between submits drawn independently from laws.
//!
//! Each draw has its stream, named by what is drawn and the job's index: neither another law nor
//! another number of jobs moves the other draws. The first job is submitted at time 0.

use super::law::Sampler;
use crate::job::Job;
use crate::rng::Stream;
use crate::scenario::Law;
use crate::unit::{Kbps, MICROS, Span, Time};

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
            Job {
                number: index + 1,
                submit,
                size: size as u32,
                bandwidth: Kbps(0),
                runtime,
                estimate: runtime,
            }
        })
        .collect()
}
