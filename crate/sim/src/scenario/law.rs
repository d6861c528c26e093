//! The laws from which generated sizes, runtimes and interarrival times are drawn.
//!
//! Here is what a law is and how it is written; drawing from it belongs to the workload.

use std::fmt;

use serde::Serialize;

use super::decimal::Decimal;

/// A law of a random quantity: slots where it gives a size, seconds where it gives a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Law {
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
    /// One of two exponential laws.
    Hyperexponential {
        /// The probability of the first law.
        probability: Decimal,
        /// The mean of the first law.
        first: Decimal,
        /// The mean of the second law.
        second: Decimal,
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
    /// The exponential of a normal law.
    Lognormal {
        /// The mean of the logarithm.
        mean: Decimal,
        /// The standard deviation of the logarithm.
        deviation: Decimal,
    },
}

/// The largest value that may stand in a law or be drawn from it: slots, or seconds (three years).
pub const LARGEST: Decimal = Decimal::whole(100_000_000);

/// How the laws are written, for messages and forms.
pub const FORMS: &str = "constant:VALUE, uniform:LOW:HIGH, exponential:MEAN, \
     hyperexponential:PROBABILITY:MEAN:MEAN, normal:MEAN:DEVIATION:LOW:HIGH, pow2:MAX \
     or lognormal:MEAN:DEVIATION";

impl Law {
    /// Reads a law; an error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Law, String> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let numbers = parts
            .map(|part| {
                Decimal::parse(part)
                    .ok_or_else(|| format!("{} is not a number", super::shown(part)))
            })
            .collect::<Result<Vec<Decimal>, String>>()?;
        let law = match (name, numbers.as_slice()) {
            ("constant", &[value]) => Law::Constant(value),
            ("uniform", &[low, high]) => Law::Uniform { low, high },
            ("exponential", &[]) => Law::Exponential(None),
            ("exponential", &[mean]) => Law::Exponential(Some(mean)),
            ("hyperexponential", &[probability, first, second]) => Law::Hyperexponential {
                probability,
                first,
                second,
            },
            ("normal", &[mean, deviation, low, high]) => Law::Normal {
                mean,
                deviation,
                low,
                high,
            },
            ("pow2", &[max]) => Law::Pow2 {
                max: power_of_two(max)?,
            },
            ("lognormal", &[mean, deviation]) => Law::Lognormal { mean, deviation },
            _ => return Err(format!("must be one of {FORMS}")),
        };
        law.check()?;
        Ok(law)
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
            Law::Constant(constant) => value("the value", constant),
            Law::Uniform { low, high } => interval(low, high),
            Law::Exponential(None) | Law::Pow2 { .. } => Ok(()),
            Law::Exponential(Some(only)) => mean(only),
            Law::Hyperexponential {
                probability,
                first,
                second,
            } => {
                within("the probability", probability, zero, Decimal::whole(1))?;
                mean(first)?;
                mean(second)
            }
            Law::Normal {
                mean,
                deviation,
                low,
                high,
            } => {
                value("the mean", mean)?;
                value("the deviation", deviation)?;
                interval(low, high)
            }
            Law::Lognormal { mean, deviation } => {
                let largest = Decimal::whole(20);
                within(
                    "the mean of the logarithm",
                    mean,
                    Decimal::whole(-20),
                    largest,
                )?;
                within("the deviation of the logarithm", deviation, zero, largest)
            }
        }
    }
}

fn power_of_two(max: Decimal) -> Result<u32, String> {
    match max.to_string().parse::<u32>() {
        Ok(max) if max.is_power_of_two() && max <= 1 << 20 => Ok(max),
        _ => Err("the largest value must be a power of two, at most 1048576".to_owned()),
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Law::Constant(value) => write!(f, "constant:{value}"),
            Law::Uniform { low, high } => write!(f, "uniform:{low}:{high}"),
            Law::Exponential(None) => write!(f, "exponential"),
            Law::Exponential(Some(mean)) => write!(f, "exponential:{mean}"),
            Law::Hyperexponential {
                probability,
                first,
                second,
            } => write!(f, "hyperexponential:{probability}:{first}:{second}"),
            Law::Normal {
                mean,
                deviation,
                low,
                high,
            } => write!(f, "normal:{mean}:{deviation}:{low}:{high}"),
            Law::Pow2 { max } => write!(f, "pow2:{max}"),
            Law::Lognormal { mean, deviation } => write!(f, "lognormal:{mean}:{deviation}"),
        }
    }
}

impl From<Law> for String {
    fn from(law: Law) -> String {
        law.to_string()
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
        ] {
            assert_eq!(
                Law::parse(text).map(|law| law.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!(
            Law::parse("uniform:1.0:15.50").unwrap().to_string(),
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
            ("constant:-1", "the value must lie between 0 and 100000000"),
        ] {
            assert_eq!(Law::parse(text), Err(message.to_owned()), "{text}");
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
                Law::parse(text),
                Err(format!("must be one of {FORMS}")),
                "{text}"
            );
        }
    }
}
