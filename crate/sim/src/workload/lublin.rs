//! Jobs after the model of Lublin and Feitelson, complete: sizes, run times that depend on them,
//! and arrivals in a daily cycle, for all jobs alike or separately for batch and interactive jobs.
//!
//! Times are whole seconds, as in the authors' program. Departures: the samplers are ours, so its
//! streams are not repeated; where the largest size is no power of two, a size that would be
//! rounded up beyond it is rounded down.
//!
//! Source: U. Lublin, D. Feitelson, "The workload on parallel supercomputers: modeling the
//! characteristics of rigid jobs", JPDC 63(11), 2003, and the program m_lublin99 that the Parallel
//! Workloads Archive publishes with it.

use crate::job::Job;
use crate::math;
use crate::rng::Stream;
use crate::unit::{MICROS, Span, Time};

/// The parameters of a class of jobs, as published for 128 processors.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// The name of the class in the names of its streams.
    name: &'static str,
    /// The share of jobs with one processor.
    serial: f64,
    /// The share of jobs with another power of two.
    power: f64,
    /// Ends and middle of the distribution of the logarithm of sizes.
    sizes: [f64; 3],
    /// The probability of its lower part.
    lower: f64,
    /// Shape and scale of the distribution of short and of long run times, in logarithms of
    /// seconds.
    runtimes: [(f64, f64); 2],
    /// Slope and height of the probability of a short run time over the size.
    short: (f64, f64),
    /// Shape and scale of the distribution of the time between arrivals in the rush hours, in
    /// logarithms of seconds.
    interarrival: (f64, f64),
    /// Shape and scale of the distribution of arrivals over the half-hours of a day.
    cycle: (f64, f64),
    /// The factor on the shape of the time between arrivals that makes whole days come out right.
    factor: f64,
}

const ALL: Class = Class {
    name: "all",
    serial: 0.244,
    power: 0.576,
    sizes: [0.8, 4.5, 7.0],
    lower: 0.86,
    runtimes: [(4.2, 0.94), (312.0, 0.03)],
    short: (-0.0054, 0.78),
    interarrival: (10.2303, 0.4871),
    cycle: (8.1737, 3.9631),
    factor: 1.0225,
};

const BATCH: Class = Class {
    name: "batch",
    serial: 0.2927,
    power: 0.6686,
    sizes: [1.2, 5.0, 7.0],
    lower: 0.875,
    runtimes: [(6.57, 0.823), (639.1, 0.0156)],
    short: (-0.003, 0.6986),
    interarrival: (6.0415, 0.8531),
    cycle: (6.1271, 5.2740),
    factor: 1.0519,
};

const INTERACTIVE: Class = Class {
    name: "interactive",
    serial: 0.1541,
    power: 0.625,
    sizes: [1.0, 3.0, 5.5],
    lower: 0.705,
    runtimes: [(3.8351, 0.6605), (7.073, 0.6856)],
    short: (-0.0118, 0.9156),
    interarrival: (6.5510, 0.6621),
    cycle: (8.9186, 3.6680),
    factor: 0.9797,
};

/// Half-hours of a day.
const BUCKETS: usize = 48;

/// Seconds of one of them.
const HALF_HOUR: f64 = 1800.0;

/// The half-hour at which the daily cycle starts.
const START: usize = 11;

/// The longest run time and the longest time between arrivals, in logarithms of seconds.
const LONGEST: (f64, f64) = (12.0, 13.0);

/// `count` jobs of sizes up to `largest`.
pub(super) fn jobs(
    count: u32,
    largest: u32,
    classes: bool,
    seed: u64,
    replication: u64,
) -> Vec<Job> {
    let arrivals = |class| Arrivals::new(class, seed, replication);
    let mut all = match classes {
        // Of arrivals at one instant the later class comes first.
        true => vec![arrivals(INTERACTIVE), arrivals(BATCH)],
        false => vec![arrivals(ALL)],
    };
    (0..u64::from(count))
        .map(|index| {
            let next = all.iter_mut().min_by_key(|arrivals| arrivals.next);
            let next = next.expect("there is a class");
            let (class, submit) = (next.class, next.take());
            let stream = |purpose| Stream::new(seed, replication, purpose, index);
            let size = size(&class, largest, &mut stream("size"));
            let seconds = runtime(&class, size, &mut stream("runtime"));
            Job::new(
                index + 1,
                Time(submit * MICROS),
                size,
                Span(seconds * MICROS),
            )
        })
        .collect()
}

/// The size of a job.
fn size(class: &Class, largest: u32, stream: &mut Stream) -> u32 {
    let highest = if largest.is_power_of_two() {
        f64::from(largest.ilog2())
    } else {
        math::ln(f64::from(largest)) / math::ln(2.0)
    };
    // The middle and the end move with the machine.
    let moved = highest - 7.0;
    let [low, middle, high] = class.sizes;
    let (middle, high) = (middle + moved, high + moved);
    let kind = stream.unit();
    if kind <= class.serial {
        return 1;
    }
    let (from, to) = if stream.unit() <= class.lower {
        (low, middle)
    } else {
        (middle, high)
    };
    let mut exponent = from + (to - from) * stream.unit();
    if kind <= class.serial + class.power {
        exponent = (exponent + 0.5).floor().min(highest.floor());
    }
    let size = (math::pow(2.0, exponent) + 0.5).floor();
    (size as u32).clamp(1, largest)
}

/// The run time of a job in seconds.
fn runtime(class: &Class, size: u32, stream: &mut Stream) -> u64 {
    let (slope, height) = class.short;
    let short = (slope * f64::from(size) + height).clamp(0.0, 1.0);
    loop {
        let (shape, scale) = class.runtimes[usize::from(stream.unit() > short)];
        let logarithm = stream.gamma(shape, scale);
        if logarithm <= LONGEST.0 {
            return math::exp(logarithm) as u64;
        }
    }
}

/// The arrivals of a class, one after the other.
#[derive(Debug)]
struct Arrivals {
    class: Class,
    seed: u64,
    replication: u64,
    /// The weight of every half-hour of a day, 1 on average.
    weights: [f64; BUCKETS],
    bucket: usize,
    points: f64,
    /// The part of the half-hour that has passed.
    rest: f64,
    drawn: u64,
    /// When the next job arrives, in seconds.
    next: u64,
}

impl Arrivals {
    fn new(class: Class, seed: u64, replication: u64) -> Arrivals {
        let mut arrivals = Arrivals {
            weights: weights(&class),
            class,
            seed,
            replication,
            bucket: 0,
            points: 0.0,
            rest: 0.0,
            drawn: 0,
            next: 0,
        };
        arrivals.take();
        arrivals
    }

    /// The next arrival; draws the one after it.
    fn take(&mut self) -> u64 {
        let now = self.next;
        let purpose = format!("interarrival {}", self.class.name);
        let mut stream = Stream::new(self.seed, self.replication, &purpose, self.drawn);
        self.drawn += 1;
        let (shape, scale) = self.class.interarrival;
        let logarithm = loop {
            let logarithm = stream.gamma(shape * self.class.factor, scale);
            if logarithm <= LONGEST.1 {
                break logarithm;
            }
        };
        self.points += math::exp(logarithm) / HALF_HOUR;
        let mut passed = 0.0;
        while self.points > self.weights[self.bucket] {
            self.points -= self.weights[self.bucket];
            self.bucket = (self.bucket + 1) % BUCKETS;
            passed += HALF_HOUR;
        }
        let rest = self.points / self.weights[self.bucket];
        passed += HALF_HOUR * (rest - self.rest);
        self.rest = rest;
        self.next = (now as f64 + passed) as u64;
        now
    }
}

/// The weight of every half-hour of a day.
fn weights(class: &Class) -> [f64; BUCKETS] {
    let (shape, scale) = class.cycle;
    let mut weights = [0.0; BUCKETS];
    for step in START..START + BUCKETS {
        let below = |x: f64| gamma_below(shape, x / scale);
        weights[(step - 1) % BUCKETS] = below(step as f64 + 0.5) - below(step as f64 - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    weights.map(|weight| weight / mean)
}

/// The distribution function at `x` of a gamma distribution of scale 1, by its series (M.
/// Abramowitz, I. Stegun, Handbook of Mathematical Functions, 6.5.29).
fn gamma_below(shape: f64, x: f64) -> f64 {
    let mut term = 1.0 / shape;
    let mut sum = term;
    let mut step = shape;
    while term > sum * 1e-15 {
        step += 1.0;
        term *= x / step;
        sum += term;
    }
    sum * math::exp(shape * math::ln(x) - x - math::ln_gamma(shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_the_half_hours_are_those_of_the_authors_program() {
        for (class, first, largest) in [
            (ALL, 0.507_821, 1.833_114),
            (BATCH, 0.546_159, 1.665_940),
            (INTERACTIVE, 0.513_505, 1.880_994),
        ] {
            let weights = weights(&class);
            assert!(
                (weights[0] - first).abs() < 1e-6,
                "{} {}",
                class.name,
                weights[0]
            );
            let found = weights.iter().copied().fold(0.0, f64::max);
            assert!((found - largest).abs() < 1e-6, "{} {found}", class.name);
            assert!((weights.iter().sum::<f64>() - 48.0).abs() < 1e-9);
        }
    }

    #[test]
    fn no_size_is_beyond_the_largest() {
        let sizes = |largest| {
            let jobs = jobs(20_000, largest, false, 42, 0);
            jobs.iter().map(|job| job.size).max()
        };
        assert_eq!(sizes(128), Some(128));
        assert_eq!(sizes(256), Some(256));
        assert!(sizes(100).is_some_and(|largest| (90..=100).contains(&largest)));
    }

    #[test]
    fn fewer_jobs_are_the_first_of_more() {
        let few = jobs(50, 128, true, 42, 1);
        assert_eq!(few, jobs(500, 128, true, 42, 1)[..50]);
        assert_ne!(few, jobs(50, 128, true, 42, 2));
        assert!(few.is_sorted_by_key(|job| job.submit));
    }
}
