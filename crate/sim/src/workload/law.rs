//! Draws from the laws of generated workloads.
//!
//! A law is drawn in whole units of its quantity: slots, or microseconds for a law in seconds. Each
//! value is rounded once, half away from zero. A uniform law is uniform over the whole units between
//! its ends, both included, so that `uniform:1:15` gives each of fifteen sizes equally often.

use crate::math;
use crate::rng::Stream;
use crate::scenario::{Decimal, Law};
use crate::unit::round;

/// The mean in seconds of an exponential law without one. It matters only with `load=as-logged`:
/// any other load rescales the submit times.
const MEAN: Decimal = Decimal::whole(60);

/// A law made ready to draw from, in units.
#[derive(Clone, Copy, Debug)]
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
}

impl Sampler {
    /// Of a law whose values count `unit` units each.
    pub(super) fn new(law: Law, unit: u64) -> Sampler {
        let scaled = |value: Decimal| value.to_f64() * unit as f64;
        match law {
            Law::Constant(value) => Sampler::Constant(round(scaled(value))),
            Law::Uniform { low, high } => {
                let (low, high) = (round(scaled(low)), round(scaled(high)));
                Sampler::Uniform {
                    low,
                    values: high - low + 1,
                }
            }
            Law::Exponential(mean) => Sampler::Exponential {
                mean: scaled(mean.unwrap_or(MEAN)),
            },
            Law::Hyperexponential {
                probability,
                first,
                second,
            } => Sampler::Hyperexponential {
                probability: probability.to_f64(),
                first: scaled(first),
                second: scaled(second),
            },
            Law::Normal {
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
            Law::Pow2 { max } => Sampler::Pow2 {
                powers: u64::from(max.ilog2()) + 1,
                unit,
            },
            Law::Lognormal { mean, deviation } => Sampler::Lognormal {
                mean: mean.to_f64(),
                deviation: deviation.to_f64(),
                unit: unit as f64,
            },
        }
    }

    /// The next value of `stream`.
    pub(super) fn draw(&self, stream: &mut Stream) -> u64 {
        match *self {
            Sampler::Constant(value) => value,
            Sampler::Uniform { low, values } => low + stream.below(values),
            Sampler::Exponential { mean } => round(stream.exponential(mean)),
            Sampler::Hyperexponential {
                probability,
                first,
                second,
            } => {
                let mean = if stream.unit() < probability {
                    first
                } else {
                    second
                };
                round(stream.exponential(mean))
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
