//! Jobs similar to those of Feitelson's model of 1996. It is not that model: its constants are not
//! available, and those here are ours.
//!
//! Known of the model: sizes have weights n^−1.5, small ones and powers of two emphasised; run
//! times vary more than exponential ones, and large jobs tend to run longer; jobs are repeated.
//! Ours: how much sizes are emphasised, so that serial jobs and powers of two have given shares;
//! run times are exponential with a mean that is seven times as long for one in twenty of the
//! serial jobs and for one in four of the largest; a job is run r times with a weight of r^−2.5.
//! Repetitions draw their run times again and follow each other at the times that arrivals have
//! between them, or, where users wait for results, after the end of the one before.
//!
//! Source: D. Feitelson, "Packing schemes for gang scheduling", JSSPP 1996, as the Parallel
//! Workloads Archive describes the model.

use super::Distribution;
use super::sampler::Sampler;
use crate::decimal::Decimal;
use crate::id::{Id, JobId};
use crate::job::{After, Job};
use crate::math;
use crate::rng::Stream;
use crate::sorting;
use crate::unit::{MICROS, Span, Time, round};

/// The parameters of a model similar to Feitelson's of 1996.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feitelson {
    /// The largest size.
    pub largest: u32,
    /// The share of jobs of size 1.
    pub serial_share: Decimal,
    /// The share of jobs whose size is a power of two, 1 included.
    pub power_share: Decimal,
    /// The factor on the frequency of multiples of ten and squares, relative to their neighbours.
    pub round_factor: Decimal,
    /// The mean of the short run times, in seconds.
    pub short_mean: Decimal,
    /// A job is run r times with the weight r to the power of minus this.
    pub repeats_order: Decimal,
    /// The most repetitions of a job.
    pub repeats_max: u32,
    /// The times between different jobs, and between repetitions of one.
    pub interarrival: Distribution,
}

/// The order of the distribution of sizes.
const ORDER: f64 = 1.5;

/// The ratio of the means of the two distributions of run times.
const LONGER: f64 = 7.0;

/// `count` jobs; with `feedback` a repetition arrives after the end of the one before.
pub(super) fn jobs(
    count: u32,
    model: &Feitelson,
    feedback: bool,
    seed: u64,
    replication: u64,
) -> Vec<Job> {
    let sizes = Sampler::weighted(&weights(model), 1);
    let repeats: Vec<f64> = (1..=model.repeats_max)
        .map(|times| math::pow(f64::from(times), -model.repeats_order.to_f64()))
        .collect();
    let repeats = Sampler::weighted(&repeats, 1);
    let gaps = Sampler::new(model.interarrival, MICROS);
    let short = model.short_mean.to_f64() * MICROS as f64;
    let largest = f64::from(model.largest);

    let mut jobs: Vec<(Job, Option<usize>, Span)> = Vec::new();
    let mut arrival = Time(0);
    let mut distinct = 0;
    while jobs.len() < count as usize {
        let stream = |purpose| Stream::new(seed, replication, purpose, distinct);
        if distinct > 0 {
            let gap = gaps.draw(&mut stream("interarrival"));
            arrival = Time(arrival.0.saturating_add(gap));
        }
        let size = sizes.draw(&mut stream("size")) as u32;
        let (mut runtimes, mut thinks) = (stream("runtime"), stream("think"));
        let mut submit = arrival;
        for repetition in 0..repeats.draw(&mut stream("repeats")) {
            let think = Span(gaps.draw(&mut thinks));
            if repetition > 0 && !feedback {
                submit = Time(submit.0.saturating_add(think.0));
            }
            let is_short = runtimes.unit() < 0.95 - 0.2 * f64::from(size) / largest;
            let mean = if is_short { short } else { LONGER * short };
            let runtime = Span(round(runtimes.exponential(mean)));
            let before = (feedback && repetition > 0).then(|| jobs.len() - 1);
            jobs.push((Job::new(0, submit, size, runtime), before, think));
        }
        distinct += 1;
    }
    in_order(jobs, count as usize)
}

/// The first `count` of these jobs by submit time, numbered; each waits for the job it names.
fn in_order(jobs: Vec<(Job, Option<usize>, Span)>, count: usize) -> Vec<Job> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    sorting::by_key(&mut order, |&place| jobs[place].0.submit);
    order.truncate(count);
    let mut position = vec![None; jobs.len()];
    for (index, &place) in order.iter().enumerate() {
        position[place] = Some(index);
    }
    let numbered = |(index, &place): (usize, &usize)| {
        let (job, before, think) = &jobs[place];
        let before = before.and_then(|before| position[before]);
        Job {
            number: index as u64 + 1,
            after: before.map(|before| {
                Box::new(After {
                    jobs: vec![JobId::new(before)],
                    think: *think,
                })
            }),
            ..job.clone()
        }
    };
    order.iter().enumerate().map(numbered).collect()
}

/// The weight of each size.
fn weights(model: &Feitelson) -> Vec<f64> {
    let sizes = 1..=model.largest;
    let mut weights: Vec<f64> = sizes
        .map(|size| {
            let square = size.isqrt() * size.isqrt() == size;
            let round = !size.is_power_of_two() && (size.is_multiple_of(10) || square);
            let factor = if round {
                model.round_factor.to_f64()
            } else {
                1.0
            };
            factor * math::pow(f64::from(size), -ORDER)
        })
        .collect();
    let power = |size: usize| size > 1 && size.is_power_of_two();
    let sum = |of: &dyn Fn(usize) -> bool| -> f64 {
        let places = weights.iter().zip(1..);
        places
            .filter(|&(_, size)| of(size))
            .map(|(weight, _)| weight)
            .sum()
    };
    let (powers, others) = (sum(&power), sum(&|size| !size.is_power_of_two()));
    let serial = model.serial_share.to_f64();
    let parallel = model.power_share.to_f64() - serial;
    let rest = 1.0 - model.power_share.to_f64();
    for (weight, size) in weights.iter_mut().zip(1..) {
        *weight *= match size {
            1 => serial,
            size if power(size) => parallel / powers,
            _ => rest / others,
        };
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::workload::Distribution;

    fn model() -> Feitelson {
        Feitelson {
            largest: 256,
            serial_share: Decimal::parse("0.35").unwrap(),
            power_share: Decimal::parse("0.75").unwrap(),
            round_factor: Decimal::whole(2),
            short_mean: Decimal::whole(1800),
            repeats_order: Decimal::parse("2.5").unwrap(),
            repeats_max: 1000,
            interarrival: Distribution::parse("exponential:60").unwrap(),
        }
    }

    fn share(jobs: &[Job], of: impl Fn(&Job) -> bool) -> f64 {
        jobs.iter().filter(|job| of(job)).count() as f64 / jobs.len() as f64
    }

    #[test]
    fn sizes_have_the_shares_asked_for() {
        let weights = weights(&model());
        let all: f64 = weights.iter().sum();
        let powers: f64 = (0..=8).map(|power| weights[(1 << power) - 1]).sum();
        assert!((all - 1.0).abs() < 1e-12 && (powers - 0.75).abs() < 1e-12);
        assert!((weights[0] - 0.35).abs() < 1e-12);
        // A round size has twice the weight of its neighbour but for the order.
        let ratio = weights[99] / weights[98] * math::pow(100.0 / 99.0, ORDER);
        assert!((ratio - 2.0).abs() < 1e-12, "{ratio}");
    }

    #[test]
    fn run_times_vary_more_than_exponential_ones_and_grow_with_the_size() {
        let jobs = jobs(40_000, &model(), false, 42, 0);
        let mean = |jobs: &[Job]| {
            let sum: f64 = jobs.iter().map(|job| job.runtime.seconds()).sum();
            sum / jobs.len() as f64
        };
        let all = mean(&jobs);
        let square: f64 = jobs
            .iter()
            .map(|job| job.runtime.seconds() - all)
            .map(|off| off * off)
            .sum();
        assert!((square / jobs.len() as f64).sqrt() > 1.2 * all);
        let (large, small): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.size >= 64);
        assert!(mean(&large) > 1.1 * mean(&small));
    }

    #[test]
    fn jobs_are_repeated_and_may_wait_for_the_one_before() {
        let open = jobs(5000, &model(), false, 42, 0);
        assert!(open.is_sorted_by_key(|job| job.submit));
        assert!(open.iter().all(|job| job.after.is_none()));
        let closed = jobs(5000, &model(), true, 42, 0);
        for (index, job) in closed.iter().enumerate() {
            if let Some(after) = &job.after {
                let before = &closed[after.jobs[0].index()];
                assert!(after.jobs[0].index() < index && before.size == job.size);
            }
        }
        // Of the weights r^−2.5, 1 in 1.341 is for a job that is run once; 1.947 runs are usual.
        let follow = share(&closed, |job| job.after.is_some());
        assert!((0.38..0.55).contains(&follow), "{follow}");
    }
}
