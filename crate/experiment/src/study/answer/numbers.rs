//! Numbers as they are printed: with how many digits, and in which unit.

use std::fmt;

use backfill_sim::metrics::Metric;
use backfill_sim::stats::MeanEstimate;
use serde::Serialize;

use crate::language::words::{grouped_digits, unit_of_time};

/// The printed mean over replications.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct Value {
    /// The mean.
    pub mean: String,
    /// Half the width of its 95 % interval, to the same place.
    pub half: Option<String>,
    /// The number of replications.
    pub n: u32,
}

/// The unit in which an answer prints a metric everywhere, so that its numbers can be compared by
/// eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its printed name.
    pub name: &'static str,
    /// Its size in the metric's own unit.
    pub size: f64,
}

impl Unit {
    /// That of values up to `most` in a unit of the table of metrics.
    pub fn suiting(unit: &'static str, most: f64) -> Unit {
        let (name, size) = match unit {
            "s" => unit_of_time(most),
            other => (printed_unit(other), 1.0),
        };
        Unit { name, size }
    }

    /// An estimate in the metric's own unit, converted to this one.
    pub fn of(self, estimate: MeanEstimate) -> MeanEstimate {
        MeanEstimate {
            mean: estimate.mean / self.size,
            half_width: estimate.half_width.map(|half| half / self.size),
            n: estimate.n,
        }
    }
}

/// The unit in which numbers in a unit of the table of metrics are printed.
pub fn printed_unit(unit: &'static str) -> &'static str {
    match unit {
        "share" => "%",
        unit => unit,
    }
}

/// The value 1 in the printed unit.
pub fn factor(unit: &str) -> f64 {
    match unit {
        "share" => 100.0,
        _ => 1.0,
    }
}

/// The printed estimate of a metric, in its [`printed_unit`].
pub fn shown(metric: &Metric, estimate: MeanEstimate) -> Value {
    printed(metric.unit, estimate)
}

/// An estimate in a unit of the table of metrics as it is printed: four significant digits of the mean, or a
/// tenth of a per cent; `points` are shares too.
pub fn printed(unit: &str, estimate: MeanEstimate) -> Value {
    let share = matches!(unit, "share" | "points");
    let places = match estimate.mean.abs() {
        _ if share => 1,
        mean if mean == 0.0 && estimate.half_width.unwrap_or(0.0) == 0.0 => 0,
        mean if mean >= 1000.0 => 0,
        mean if mean >= 100.0 => 1,
        mean if mean >= 10.0 => 2,
        _ => 3,
    };
    let factor = if share { 100.0 } else { 1.0 };
    let print = |value: f64| grouped_digits(&format!("{:.places$}", value * factor));
    Value {
        mean: print(estimate.mean),
        half: estimate.half_width.map(print),
        n: estimate.n,
    }
}

/// An estimate in a unit of the table of metrics as a sentence says it, in the unit in which it is `shown`;
/// no finer than a tenth, unless that leaves nothing of it.
pub(crate) fn spoken(shown: Unit, unit: &str, estimate: MeanEstimate) -> String {
    let estimate = shown.of(estimate);
    let tenths = Value {
        mean: grouped_digits(&format!("{:.1}", estimate.mean)),
        half: (estimate.half_width).map(|half| grouped_digits(&format!("{half:.1}"))),
        n: estimate.n,
    };
    let value = if tenths.mean == "0.0" && estimate.mean > 0.0 {
        printed(unit, estimate)
    } else {
        tenths
    };
    format!("{value} {}", shown.name).trim_end().to_owned()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mean)?;
        match &self.half {
            Some(half) => write!(f, " ± {half}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_sim::metrics::METRICS;

    #[test]
    fn numbers_are_printed_with_four_digits() {
        let metric = METRICS.iter().find(|metric| metric.unit == "s").unwrap();
        let value = |mean| {
            let half_width = Some(1.0);
            let n = 2;
            shown(
                metric,
                MeanEstimate {
                    mean,
                    half_width,
                    n,
                },
            )
            .to_string()
        };
        assert_eq!(value(1_234_567.8), "1,234,568 ± 1");
        assert_eq!(value(-1234.4), "−1,234 ± 1");
        assert_eq!(value(123.45), "123.5 ± 1.0");
        assert_eq!(value(0.0), "0.000 ± 1.000");
        let nothing = MeanEstimate {
            mean: 0.0,
            half_width: None,
            n: 1,
        };
        assert_eq!(shown(metric, nothing).to_string(), "0");
    }
}
