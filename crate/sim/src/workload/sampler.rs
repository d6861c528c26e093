//! Draws from the distributions of generated workloads.
//!
//! A distribution is drawn in whole units of its quantity: slots, or microseconds for a
//! distribution in seconds. Each value is rounded once, half away from zero. A uniform distribution
//! is uniform over the whole units between its ends, both included, so that `uniform:1:15` gives
//! each of fifteen sizes equally often.

use crate::decimal::Decimal;
use crate::math;
use crate::rng::Stream;
use crate::unit::round;
use crate::workload::Distribution;

/// The mean in seconds of an exponential distribution without one. It matters only with
/// `load=as-logged`: any other load rescales the submit times.
const MEAN: Decimal = Decimal::whole(60);

/// A distribution made ready to draw from, in units.
#[derive(Clone, Debug)]
pub(super) enum Sampler {
    Constant(u64),
    Uniform {
        low: u64,
        values: u64,
    },
    Exponential {
        mean: f64,
    },
    Hyperexponential {
        probability: f64,
        first: f64,
        second: f64,
        low: u64,
    },
    Normal {
        mean: f64,
        deviation: f64,
        low: f64,
        high: f64,
    },
    Pow2 {
        powers: u64,
        unit: u64,
    },
    Lognormal {
        mean: f64,
        deviation: f64,
        unit: f64,
    },
    /// The cumulative share of draws at or below each whole number from 1 on.
    Table {
        below: Vec<f64>,
        unit: u64,
    },
}

impl Sampler {
    /// Of a distribution whose values count `unit` units each.
    pub(super) fn new(distribution: Distribution, unit: u64) -> Sampler {
        let scaled = |value: Decimal| value.to_f64() * unit as f64;
        match distribution {
            Distribution::Constant(value) => Sampler::Constant(round(scaled(value))),
            Distribution::Uniform { low, high } => {
                let (low, high) = (round(scaled(low)), round(scaled(high)));
                Sampler::Uniform {
                    low,
                    values: high - low + 1,
                }
            }
            Distribution::Exponential(mean) => Sampler::Exponential {
                mean: scaled(mean.unwrap_or(MEAN)),
            },
            Distribution::Hyperexponential {
                probability,
                first,
                second,
                low,
            } => Sampler::Hyperexponential {
                probability: probability.to_f64(),
                first: scaled(first),
                second: scaled(second),
                low: round(scaled(low)),
            },
            Distribution::Normal {
                mean,
                deviation,
                low,
                high,
            } => Sampler::Normal {
                mean: scaled(mean),
                deviation: scaled(deviation),
                low: scaled(low),
                high: scaled(high),
            },
            Distribution::Pow2 { max } => Sampler::Pow2 {
                powers: u64::from(max.ilog2()) + 1,
                unit,
            },
            Distribution::Lognormal { mean, deviation } => Sampler::Lognormal {
                mean: mean.to_f64(),
                deviation: deviation.to_f64(),
                unit: unit as f64,
            },
            Distribution::Harmonic {
                order,
                emphasis,
                shares,
                max,
            } => {
                let weight = |size: u32| {
                    let factor = if size.is_power_of_two() {
                        emphasis.to_f64()
                    } else {
                        1.0
                    };
                    factor * math::pow(f64::from(size), -order.to_f64())
                };
                let mut below = Vec::with_capacity(max as usize);
                let given: Vec<_> = shares.into_iter().filter(|&(to, _)| to > 0).collect();
                let rest = given
                    .iter()
                    .fold(1.0, |rest, (_, share)| rest - share.to_f64());
                let given = given.into_iter().map(|(to, share)| (to, share.to_f64()));
                let (mut from, mut sum) = (1, 0.0);
                for (to, share) in given.chain([(max, rest)]) {
                    let all: f64 = (from..=to).map(weight).sum();
                    for size in from..=to {
                        sum += share * weight(size) / all;
                        below.push(sum);
                    }
                    from = to + 1;
                }
                Sampler::Table { below, unit }
            }
        }
    }

    /// Of the whole numbers from 1 on, with these weights.
    pub(super) fn weighted(weights: &[f64], unit: u64) -> Sampler {
        let all: f64 = weights.iter().sum();
        let mut sum = 0.0;
        let below = weights.iter().map(|weight| {
            sum += weight / all;
            sum
        });
        Sampler::Table {
            below: below.collect(),
            unit,
        }
    }

    /// The next value of `stream`.
    pub(super) fn draw(&self, stream: &mut Stream) -> u64 {
        match *self {
            Sampler::Table { ref below, unit } => {
                let drawn = stream.unit();
                let size = below.partition_point(|&below| below <= drawn) + 1;
                unit * size.min(below.len()) as u64
            }
            Sampler::Constant(value) => value,
            Sampler::Uniform { low, values } => low + stream.below(values),
            Sampler::Exponential { mean } => round(stream.exponential(mean)),
            Sampler::Hyperexponential {
                probability,
                first,
                second,
                low,
            } => {
                let mean = if stream.unit() < probability {
                    first
                } else {
                    second
                };
                round(stream.exponential(mean)).max(low)
            }
            Sampler::Normal {
                mean,
                deviation,
                low,
                high,
            } => round((mean + deviation * stream.normal()).max(low).min(high)),
            Sampler::Pow2 { powers, unit } => unit << stream.below(powers),
            Sampler::Lognormal {
                mean,
                deviation,
                unit,
            } => round(unit * math::exp(mean + deviation * stream.normal())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::MICROS;

    fn sample(distribution: &str, unit: u64, count: u64) -> Vec<u64> {
        let sampler = Sampler::new(Distribution::parse(distribution).unwrap(), unit);
        (0..count)
            .map(|index| sampler.draw(&mut Stream::new(42, 0, "law", index)))
            .collect()
    }

    fn mean(values: &[u64]) -> f64 {
        values.iter().map(|&value| value as f64).sum::<f64>() / values.len() as f64
    }

    /// Four standard errors of the mean of a sample.
    fn margin(values: &[u64]) -> f64 {
        let mean = mean(values);
        let square = |&value: &u64| (value as f64 - mean) * (value as f64 - mean);
        let variance = values.iter().map(square).sum::<f64>() / values.len() as f64;
        4.0 * (variance / values.len() as f64).sqrt()
    }

    /// Eq. 1 of paper 4: 10.5, 8.5 and 6.5 machines, so that 120 keep up with 11.4, 14.1 and 18.5
    /// jobs in the time that one runs.
    #[test]
    fn the_mixes_of_paper_4_ask_for_the_machines_that_its_first_equation_says() {
        for (distribution, mean, limit) in [
            ("harmonic:0:1:8:0.25:16", 10.5, 11.4286),
            ("harmonic:0:1:8:0.5:16", 8.5, 14.1176),
            ("harmonic:0:1:8:0.75:16", 6.5, 18.4615),
        ] {
            let Sampler::Table { below, unit: 1 } =
                Sampler::new(Distribution::parse(distribution).unwrap(), 1)
            else {
                panic!("a table");
            };
            // A size is sampled with the difference of two entries: sum by parts.
            let above = below[..below.len() - 1].iter().map(|below| 1.0 - below);
            let found = 1.0 + above.sum::<f64>();
            assert!((found - mean).abs() < 1e-12, "{distribution}: {found}");
            assert!((120.0 / found - limit).abs() < 5e-5, "{distribution}");
        }
    }

    #[test]
    fn means_are_those_of_the_laws() {
        for (distribution, expected) in [
            ("constant:12.5", 12.5),
            ("uniform:100:300", 200.0),
            ("exponential:3600", 3600.0),
            ("exponential", 60.0),
            ("hyperexponential:0.9:100:10000", 1090.0),
            ("normal:500:50:0:1000", 500.0),
            // e^(1 + 0.5² / 2)
            ("lognormal:1:0.5", 3.080_216_848_918_031),
            // 31 / 5
            ("pow2:16", 6.2),
        ] {
            let values = sample(distribution, MICROS, 20_000);
            let found = mean(&values) / MICROS as f64;
            let margin = margin(&values) / MICROS as f64;
            assert!(
                (found - expected).abs() <= margin,
                "{distribution}: {found} ± {margin}"
            );
        }
    }

    #[test]
    fn a_uniform_size_takes_each_whole_value_equally_often() {
        let mut seen = [0u32; 17];
        for value in sample("uniform:1:15", 1, 15_000) {
            seen[value as usize] += 1;
        }
        assert_eq!((seen[0], seen[16]), (0, 0));
        // Expected 1000 each with a standard deviation of 31.
        assert!(
            seen[1..=15]
                .iter()
                .all(|&count| (870..1130).contains(&count)),
            "{seen:?}"
        );
    }

    #[test]
    fn a_uniform_time_takes_microseconds_between_its_seconds() {
        let values = sample("uniform:1:2", MICROS, 1000);
        assert!(
            values
                .iter()
                .all(|value| (MICROS..=2 * MICROS).contains(value))
        );
        assert!(values.iter().any(|value| value % MICROS != 0));
    }

    #[test]
    fn a_harmonic_law_emphasises_powers_of_two_and_keeps_its_shares() {
        let of = |distribution| sample(distribution, 1, 40_000);
        let share = |values: &[u64], of: &dyn Fn(u64) -> bool| {
            values.iter().filter(|&&value| of(value)).count() as f64 / values.len() as f64
        };
        let plain = of("harmonic:1.5:5:256");
        assert!(plain.iter().all(|value| (1..=256).contains(value)));
        // 2 has 5 / 2^1.5 of the weight of 1, which has 5; 3 has 1 / 3^1.5.
        let counts = [1, 2, 3].map(|size| share(&plain, &|value| value == size));
        assert!((counts[1] / counts[0] - 0.3536).abs() < 0.02, "{counts:?}");
        assert!((counts[2] / counts[0] - 0.0385).abs() < 0.005, "{counts:?}");
        let ranges = of("harmonic:1.5:5:1:0.4:19:0.46:256");
        assert!((share(&ranges, &|value| value == 1) - 0.4).abs() < 0.01);
        assert!((share(&ranges, &|value| value < 20) - 0.86).abs() < 0.01);
    }

    #[test]
    fn a_hyperexponential_law_may_have_a_least_value() {
        let values = sample("hyperexponential:0.8:1000:8500:1", MICROS, 20_000);
        assert_eq!(values.iter().min(), Some(&MICROS));
        let (found, margin) = (mean(&values), margin(&values));
        assert!((found - 2500e6).abs() < margin, "{found} ± {margin}");
    }

    #[test]
    fn pow2_takes_powers_of_two_and_no_other() {
        let mut values = sample("pow2:16", 1, 1000);
        values.sort_unstable();
        values.dedup();
        assert_eq!(values, [1, 2, 4, 8, 16]);
    }

    #[test]
    fn a_normal_law_is_clamped_at_both_ends() {
        let values = sample("normal:5:100:4:6", 1, 1000);
        assert_eq!(values.iter().min(), Some(&4));
        assert_eq!(values.iter().max(), Some(&6));
    }

    #[test]
    fn a_lognormal_value_beyond_64_bits_is_the_largest() {
        assert!(sample("lognormal:20:20", MICROS, 1000).contains(&u64::MAX));
    }
}
