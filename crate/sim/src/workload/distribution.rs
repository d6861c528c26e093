//! The distributions from which generated sizes, runtimes and interarrival times are drawn.
//!
//! Only their definition and notation; sampling is in `sampler`.

use std::fmt;

use serde::Serialize;

use crate::decimal::Decimal;

/// A distribution of a random quantity: slots for a size, seconds for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Distribution {
    /// Always the same value.
    Constant(Decimal),
    /// Uniform between two values, both included.
    Uniform {
        /// The smallest value.
        low: Decimal,
        /// The largest value.
        high: Decimal,
    },
    /// Exponential with a mean; without one the load decides it.
    Exponential(Option<Decimal>),
    /// One of two exponential distributions.
    Hyperexponential {
        /// The probability of the first distribution.
        probability: Decimal,
        /// The mean of the first distribution.
        first: Decimal,
        /// The mean of the second distribution.
        second: Decimal,
        /// The smallest value: what is drawn below it becomes it.
        low: Decimal,
    },
    /// Normal, clamped to an interval.
    Normal {
        /// The mean before clamping.
        mean: Decimal,
        /// The standard deviation before clamping.
        deviation: Decimal,
        /// The smallest value.
        low: Decimal,
        /// The largest value.
        high: Decimal,
    },
    /// Uniform over the powers of two 1, 2, 4, … up to a largest one.
    Pow2 {
        /// The largest value, a power of two.
        max: u32,
    },
    /// The exponential of a normal distribution.
    Lognormal {
        /// The mean of the logarithm.
        mean: Decimal,
        /// The standard deviation of the logarithm.
        deviation: Decimal,
    },
    /// Whole numbers n from 1 on with weights n^−order, those of powers of two emphasised.
    Harmonic {
        /// The order.
        order: Decimal,
        /// The factor on the weights of powers of two.
        emphasis: Decimal,
        /// Ranges that start after the one before, up to this number, with this share of all draws;
        /// a first share of 0 means that neither is used.
        shares: [(u32, Decimal); 2],
        /// The largest value; the remaining draws are up to it.
        max: u32,
    },
}

/// The largest value in a distribution or a sample: slots, or seconds (three years).
pub const LARGEST: Decimal = Decimal::whole(100_000_000);

/// How the distributions are written, for messages and forms.
pub const FORMS: &str = "constant:VALUE, uniform:LOW:HIGH, exponential:MEAN, \
     hyperexponential:PROBABILITY:MEAN:MEAN[:LOW], normal:MEAN:DEVIATION:LOW:HIGH, pow2:MAX, \
     lognormal:MEAN:DEVIATION or harmonic:ORDER:EMPHASIS[:LAST:SHARE[:LAST:SHARE]]:MAX";

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution::Constant(Decimal::default())
    }
}

impl Distribution {
    /// Reads a distribution; an error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Distribution, String> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let numbers = parts
            .map(|part| {
                Decimal::parse(part)
                    .ok_or_else(|| format!("{} is not a number", crate::problem::shown(part)))
            })
            .collect::<Result<Vec<Decimal>, String>>()?;
        let distribution = match (name, numbers.as_slice()) {
            ("constant", &[value]) => Distribution::Constant(value),
            ("uniform", &[low, high]) => Distribution::Uniform { low, high },
            ("exponential", &[]) => Distribution::Exponential(None),
            ("exponential", &[mean]) => Distribution::Exponential(Some(mean)),
            ("hyperexponential", &[probability, first, second, ref low @ ..]) if low.len() < 2 => {
                Distribution::Hyperexponential {
                    probability,
                    first,
                    second,
                    low: low.first().copied().unwrap_or(Decimal::whole(0)),
                }
            }
            ("harmonic", &[order, emphasis, ref ranges @ .., max])
                if ranges.len() % 2 == 0 && ranges.len() <= 4 =>
            {
                let mut shares = [(0, Decimal::whole(0)); 2];
                for (share, given) in shares.iter_mut().zip(ranges.chunks(2)) {
                    *share = (whole(given[0])?, given[1]);
                }
                Distribution::Harmonic {
                    order,
                    emphasis,
                    shares,
                    max: whole(max)?,
                }
            }
            ("normal", &[mean, deviation, low, high]) => Distribution::Normal {
                mean,
                deviation,
                low,
                high,
            },
            ("pow2", &[max]) => Distribution::Pow2 {
                max: power_of_two(max)?,
            },
            ("lognormal", &[mean, deviation]) => Distribution::Lognormal { mean, deviation },
            _ => return Err(format!("must be one of {FORMS}")),
        };
        distribution.check()?;
        Ok(distribution)
    }

    /// Its smallest and largest value where all between them are as likely; `None` for another
    /// distribution.
    pub fn uniform(self) -> Option<[Decimal; 2]> {
        match self {
            Distribution::Constant(value) => Some([value, value]),
            Distribution::Uniform { low, high } => Some([low, high]),
            _ => None,
        }
    }

    /// The largest whole number that is drawn from it; `None` where none is too large.
    pub fn largest(self) -> Option<u64> {
        match self {
            Distribution::Constant(value)
            | Distribution::Uniform { high: value, .. }
            | Distribution::Normal { high: value, .. } => Some(value.to_f64().round() as u64),
            Distribution::Pow2 { max } | Distribution::Harmonic { max, .. } => Some(u64::from(max)),
            Distribution::Exponential(_)
            | Distribution::Hyperexponential { .. }
            | Distribution::Lognormal { .. } => None,
        }
    }

    fn check(self) -> Result<(), String> {
        let zero = Decimal::whole(0);
        let within = |what: &str, value: Decimal, low: Decimal, high: Decimal| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(format!("{what} must lie between {low} and {high}"))
            }
        };
        let value = |what: &str, value| within(what, value, zero, LARGEST);
        let mean = |mean| within("a mean", mean, Decimal::tenth_power(6), LARGEST);
        let interval = |low, high| {
            value("the smallest value", low)?;
            value("the largest value", high)?;
            if low <= high {
                Ok(())
            } else {
                Err("the smallest value is greater than the largest".to_owned())
            }
        };
        match self {
            Distribution::Constant(constant) => value("the value", constant),
            Distribution::Uniform { low, high } => interval(low, high),
            Distribution::Exponential(None) | Distribution::Pow2 { .. } => Ok(()),
            Distribution::Exponential(Some(only)) => mean(only),
            Distribution::Hyperexponential {
                probability,
                first,
                second,
                low,
            } => {
                within("the probability", probability, zero, Decimal::whole(1))?;
                mean(first)?;
                mean(second)?;
                value("the smallest value", low)
            }
            Distribution::Normal {
                mean,
                deviation,
                low,
                high,
            } => {
                value("the mean", mean)?;
                value("the deviation", deviation)?;
                interval(low, high)
            }
            Distribution::Lognormal { mean, deviation } => {
                let largest = Decimal::whole(20);
                within(
                    "the mean of the logarithm",
                    mean,
                    Decimal::whole(-20),
                    largest,
                )?;
                within("the deviation of the logarithm", deviation, zero, largest)
            }
            Distribution::Harmonic {
                order,
                emphasis,
                shares,
                max,
            } => {
                within("the order", order, zero, Decimal::whole(10))?;
                let tiny = Decimal::tenth_power(3);
                within("the emphasis", emphasis, tiny, Decimal::whole(1000))?;
                let mut last = 0;
                let mut sum = 0.0;
                for (to, share) in shares.into_iter().filter(|&(to, _)| to > 0) {
                    within("a share", share, tiny, Decimal::whole(1))?;
                    sum += share.to_f64();
                    if to <= last {
                        return Err("the ranges must ascend".to_owned());
                    }
                    last = to;
                }
                if max <= last {
                    return Err("the largest value must lie above the ranges".to_owned());
                }
                if sum < 1.0 {
                    Ok(())
                } else {
                    Err("the shares must leave something for the last range".to_owned())
                }
            }
        }
    }
}

/// A size in a distribution.
fn whole(number: Decimal) -> Result<u32, String> {
    match number.to_string().parse::<u32>() {
        Ok(number) if (1..=100_000).contains(&number) => Ok(number),
        _ => Err("sizes must be whole numbers from 1 to 100000".to_owned()),
    }
}

fn power_of_two(max: Decimal) -> Result<u32, String> {
    match max.to_string().parse::<u32>() {
        Ok(max) if max.is_power_of_two() && max <= 1 << 20 => Ok(max),
        _ => Err("the largest value must be a power of two, at most 1048576".to_owned()),
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distribution::Constant(value) => write!(f, "constant:{value}"),
            Distribution::Uniform { low, high } => write!(f, "uniform:{low}:{high}"),
            Distribution::Exponential(None) => write!(f, "exponential"),
            Distribution::Exponential(Some(mean)) => write!(f, "exponential:{mean}"),
            Distribution::Hyperexponential {
                probability,
                first,
                second,
                low,
            } => {
                write!(f, "hyperexponential:{probability}:{first}:{second}")?;
                if *low > Decimal::whole(0) {
                    write!(f, ":{low}")
                } else {
                    Ok(())
                }
            }
            Distribution::Normal {
                mean,
                deviation,
                low,
                high,
            } => write!(f, "normal:{mean}:{deviation}:{low}:{high}"),
            Distribution::Pow2 { max } => write!(f, "pow2:{max}"),
            Distribution::Lognormal { mean, deviation } => {
                write!(f, "lognormal:{mean}:{deviation}")
            }
            Distribution::Harmonic {
                order,
                emphasis,
                shares,
                max,
            } => {
                write!(f, "harmonic:{order}:{emphasis}")?;
                for (to, share) in shares.iter().filter(|(to, _)| *to > 0) {
                    write!(f, ":{to}:{share}")?;
                }
                write!(f, ":{max}")
            }
        }
    }
}

impl From<Distribution> for String {
    fn from(distribution: Distribution) -> String {
        distribution.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_prints_what_it_reads() {
        for text in [
            "constant:3",
            "uniform:1:15",
            "exponential",
            "exponential:3600",
            "hyperexponential:0.9:100:10000",
            "normal:250:50:45.5:454.5",
            "pow2:16",
            "lognormal:-0.5:2",
            "hyperexponential:0.8:1000:8500:1",
            "harmonic:1.5:5:256",
            "harmonic:1.5:5:1:0.4:19:0.46:256",
        ] {
            assert_eq!(
                Distribution::parse(text).map(|distribution| distribution.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!(
            Distribution::parse("uniform:1.0:15.50")
                .unwrap()
                .to_string(),
            "uniform:1:15.5"
        );
    }

    #[test]
    fn a_wrong_law_says_why() {
        for (text, message) in [
            (
                "uniform:15:1",
                "the smallest value is greater than the largest",
            ),
            ("uniform:a:b", "a is not a number"),
            (
                "exponential:0",
                "a mean must lie between 0.000001 and 100000000",
            ),
            (
                "hyperexponential:2:1:1",
                "the probability must lie between 0 and 1",
            ),
            (
                "pow2:12",
                "the largest value must be a power of two, at most 1048576",
            ),
            (
                "harmonic:1.5:5:0.5",
                "sizes must be whole numbers from 1 to 100000",
            ),
            ("harmonic:1.5:5:19:0.4:1:0.4:256", "the ranges must ascend"),
            (
                "harmonic:1.5:5:19:0.4:19",
                "the largest value must lie above the ranges",
            ),
            (
                "harmonic:1.5:5:1:0.4:19:0.6:256",
                "the shares must leave something for the last range",
            ),
            ("constant:-1", "the value must lie between 0 and 100000000"),
        ] {
            assert_eq!(Distribution::parse(text), Err(message.to_owned()), "{text}");
        }
        for text in [
            "",
            "uniform",
            "uniform:1",
            "gamma:1:2",
            "constant:1:2",
            "Uniform:1:2",
        ] {
            assert_eq!(
                Distribution::parse(text),
                Err(format!("must be one of {FORMS}")),
                "{text}"
            );
        }
    }
}
