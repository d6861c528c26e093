//! Jobs after the model of Jann et al., fitted again. It is not the published model: its table of
//! parameters is not available.
//!
//! Each of ten ranges of sizes has its own arrivals and run times, both hyper-Erlang distributions
//! of common order: with a probability the sum of n exponential times of one rate, else of another.
//! The parameters match the first three moments of the 17,826 jobs of the log
//! CTC-SP2-1996-3.1-cln until 12 September 1996, the time that the authors fitted; they used 17,440
//! of them. The three largest ranges rest on few jobs. The model does not say which sizes occur
//! within a range: here the largest has a given share, and the others share the rest.
//!
//! Source: J. Jann et al., "Modeling of workload in MPPs", JSSPP 1997, as the Parallel Workloads
//! Archive describes the model.

use crate::decimal::Decimal;
use crate::job::Job;
use crate::rng::Stream;
use crate::unit::{MICROS, Span, Time, round};

/// With a probability a sum of exponential times of the first rate, else of the second one.
struct HyperErlang {
    order: u32,
    probability: f64,
    rates: [f64; 2],
}

impl HyperErlang {
    /// In microseconds.
    fn draw(&self, stream: &mut Stream) -> u64 {
        let rate = self.rates[usize::from(stream.unit() >= self.probability)];
        let times = (0..self.order).map(|_| stream.exponential(1.0 / rate));
        round(times.sum::<f64>() * MICROS as f64)
    }
}

/// Jobs of a range of sizes.
struct Range {
    from: u32,
    to: u32,
    interarrival: HyperErlang,
    runtime: HyperErlang,
}

const fn distribution(order: u32, probability: f64, first: f64, second: f64) -> HyperErlang {
    HyperErlang {
        order,
        probability,
        rates: [first, second],
    }
}

const fn range(from: u32, to: u32, interarrival: HyperErlang, runtime: HyperErlang) -> Range {
    Range {
        from,
        to,
        interarrival,
        runtime,
    }
}

const RANGES: [Range; 10] = [
    range(
        1,
        1,
        distribution(1, 0.069_151_7, 1.483_767e-4, 2.306_810e-3),
        distribution(4, 0.388_532_0, 1.186_263e-4, 6.804_332e-3),
    ),
    range(
        2,
        2,
        distribution(1, 0.095_705_7, 3.621_551e-5, 8.724_361e-4),
        distribution(8, 0.308_663_9, 1.758_290e-4, 4.034_058e-2),
    ),
    range(
        3,
        4,
        distribution(1, 0.129_072_8, 6.229_689e-5, 1.334_327e-3),
        distribution(5, 0.207_208_9, 1.428_009e-4, 3.211_674e-2),
    ),
    range(
        5,
        8,
        distribution(1, 0.215_198_7, 7.181_875e-5, 1.624_013e-3),
        distribution(2, 0.223_341_6, 9.593_634e-5, 3.041_586e-3),
    ),
    range(
        9,
        16,
        distribution(1, 0.106_409_8, 6.716_861e-5, 7.155_213e-4),
        distribution(3, 0.316_588_2, 1.127_246e-4, 2.178_880e-2),
    ),
    range(
        17,
        32,
        distribution(1, 0.124_870_6, 3.380_101e-5, 3.786_710e-4),
        distribution(3, 0.317_958_9, 1.045_655e-4, 1.979_149e-2),
    ),
    range(
        33,
        64,
        distribution(1, 0.441_597_3, 5.551_901e-5, 1.518_851e-3),
        distribution(3, 0.417_087_0, 1.012_428e-4, 8.862_359e-3),
    ),
    range(
        65,
        128,
        distribution(2, 0.502_971_7, 3.345_030e-5, 4.635_580e-4),
        distribution(5, 0.322_819_3, 1.214_364e-4, 1.204_013e-1),
    ),
    range(
        129,
        256,
        distribution(2, 0.169_136_5, 5.785_206e-6, 2.786_548e-4),
        distribution(1, 0.349_918_4, 2.930_746e-4, 7.638_693e-3),
    ),
    range(
        257,
        322,
        distribution(1, 0.147_921_3, 1.670_602e-6, 1.763_744e-5),
        distribution(6, 0.206_114_9, 1.438_916e-4, 3.156_768e-2),
    ),
];

/// `count` jobs; the largest size of each range has the share `upper` of its jobs.
pub(super) fn jobs(count: u32, upper: Decimal, seed: u64, replication: u64) -> Vec<Job> {
    let stream = |what: &str, range: usize, index| {
        let purpose = format!("{what} {}", RANGES[range].to);
        Stream::new(seed, replication, &purpose, index)
    };
    let gap = |range: usize, index| {
        let interarrival = &RANGES[range].interarrival;
        interarrival.draw(&mut stream("interarrival", range, index))
    };
    // When the next job of each range arrives, and how many came before it.
    let mut next: Vec<(u64, usize, u64)> = (0..RANGES.len())
        .map(|range| (gap(range, 0), range, 0))
        .collect();
    (1..=u64::from(count))
        .map(|number| {
            let first = next.iter_mut().min().expect("there are ranges");
            let (submit, range, index) = *first;
            *first = (
                submit.saturating_add(gap(range, index + 1)),
                range,
                index + 1,
            );
            let Range {
                from, to, runtime, ..
            } = &RANGES[range];
            let mut sizes = stream("size", range, index);
            let size = if from == to || sizes.unit() < upper.to_f64() {
                *to
            } else {
                from + sizes.below(u64::from(to - from)) as u32
            };
            let runtime = runtime.draw(&mut stream("runtime", range, index));
            Job::new(number, Time(submit), size, Span(runtime))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and coefficient of variation in seconds.
    fn moments(distribution: &HyperErlang) -> (f64, f64) {
        let values: Vec<f64> = (0..60_000)
            .map(|index| {
                distribution.draw(&mut Stream::new(42, 0, "law", index)) as f64 / MICROS as f64
            })
            .collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let square: f64 = values
            .iter()
            .map(|value| value - mean)
            .map(|off| off * off)
            .sum();
        (mean, (square / values.len() as f64).sqrt() / mean)
    }

    #[test]
    fn the_laws_have_the_moments_that_they_were_fitted_to() {
        for (range, interarrival, runtime) in [
            (0, (869.6, 2.788), (13_460.5, 1.431)),
            (3, (3479.7, 2.437), (5166.7, 2.115)),
            (7, (32_217.2, 1.270), (13_319.8, 1.644)),
            (9, (136_854.5, 2.225), (8745.5, 2.114)),
        ] {
            let Range {
                interarrival: gaps,
                runtime: runtimes,
                ..
            } = &RANGES[range];
            for (distribution, (mean, variation)) in [(gaps, interarrival), (runtimes, runtime)] {
                let (found, varies) = moments(distribution);
                assert!(
                    (found / mean - 1.0).abs() < 0.04,
                    "{range}: {found} for {mean}"
                );
                assert!(
                    (varies / variation - 1.0).abs() < 0.04,
                    "{range}: {varies} for {variation}"
                );
            }
        }
    }

    #[test]
    fn ranges_come_as_often_as_in_the_log() {
        let jobs = jobs(30_000, Decimal::parse("0.8").unwrap(), 42, 0);
        assert!(jobs.is_sorted_by_key(|job| job.submit));
        for (range, of) in RANGES.iter().zip([
            7405.0, 1725.0, 2359.0, 1839.0, 2275.0, 1098.0, 776.0, 200.0, 99.0, 50.0,
        ]) {
            let sizes = range.from..=range.to;
            let found = jobs.iter().filter(|job| sizes.contains(&job.size)).count() as f64;
            let expected = 30_000.0 * of / 17_826.0;
            // Arrivals of one range are far from independent: three times their deviation if they
            // were.
            let margin = 5.0 * 3.0 * f64::sqrt(expected) + 0.05 * expected;
            assert!(
                (found - expected).abs() < margin,
                "{}: {found} for {expected}",
                range.to
            );
        }
        let wide: Vec<u32> = jobs
            .iter()
            .map(|job| job.size)
            .filter(|size| (17..=32).contains(size))
            .collect();
        let largest = wide.iter().filter(|&&size| size == 32).count() as f64 / wide.len() as f64;
        assert!((largest - 0.8).abs() < 0.04, "{largest}");
    }
}
