//! The range of an axis, and its ticks: few, round, and as short as possible.
//!
//! Steps are 1, 2 or 5 times a power of ten. Large numbers are written with k, M, G (10 k, 2 M);
//! times in s, min, h or d.

use backfill_experiment::language::words::with_minus;
use serde::{Deserialize, Serialize};

/// The mapping of values to positions on an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisScale {
    /// Linear. A given bound is kept unless a point is beyond it; a free one is the next round
    /// number beyond points and intervals.
    Linear {
        /// Lower end, `None` for a free one.
        low: Option<f64>,
        /// Upper end, `None` for a free one.
        high: Option<f64>,
    },
    /// Logarithmic if all values are above zero and the largest is more than 30 times the smallest;
    /// otherwise linear from zero.
    LogarithmicWhenWide,
    /// One position for each of these labels; a value is the index of its label.
    Categories(Vec<String>),
}

/// The range of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[ts(rename = "Span")]
pub struct AxisSpan {
    /// Value at the left or lower end.
    pub low: f64,
    /// Value at the right or upper end, above `low`.
    pub high: f64,
    /// Whether the scale is logarithmic; `low` is above zero then.
    pub logarithmic: bool,
}

impl AxisSpan {
    /// The position of a value: 0 at the lower end, 1 at the upper one, beyond these outside.
    pub fn fraction(&self, value: f64) -> f64 {
        if self.logarithmic {
            let ratio = (value / self.low).max(f64::MIN_POSITIVE);
            libm::log(ratio) / libm::log(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// The value at a position: the inverse of [`AxisSpan::fraction`].
    pub fn value(&self, fraction: f64) -> f64 {
        if self.logarithmic {
            self.low * libm::pow(self.high / self.low, fraction)
        } else {
            self.low + fraction * (self.high - self.low)
        }
    }

    /// The same values in a unit that is `factor` times smaller.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self {
            low: self.low * factor,
            high: self.high * factor,
            ..self
        }
    }
}

/// A part of an axis, in shares of its range from its lower end; it may reach beyond both ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
#[ts(rename = "Part")]
pub struct AxisPart {
    /// The range of the axis then.
    pub of: AxisSpan,
    /// The start of the part.
    pub from: f64,
    /// The end of the part.
    pub to: f64,
}

/// The least part, as a share of the whole axis.
const CLOSEST: f64 = 1.0 / 4096.0;

impl AxisPart {
    /// The part of the axis `whole` that is shown: of the same length, moved within the axis, or
    /// all of the axis if it is as long as that.
    pub(crate) fn within(&self, whole: AxisSpan) -> AxisSpan {
        let [from, to] = [self.from, self.to].map(|at| whole.fraction(self.of.value(at)));
        let length = (to - from).max(CLOSEST);
        // If the axis has changed, nothing of the part may be left.
        if !(from.is_finite() && length < 1.0 - ROUNDING) {
            return whole;
        }
        let from = from.clamp(0.0, 1.0 - length);
        AxisSpan {
            low: whole.value(from),
            high: whole.value(from + length),
            ..whole
        }
    }
}

/// A position on an axis and its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// Smallest and largest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Bounds {
    /// Of the finite ones among `values`, if there are any.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        values
            .into_iter()
            .filter(|value| value.is_finite())
            .map(|value| Self {
                low: value,
                high: value,
            })
            .reduce(|one, other| Self {
                low: one.low.min(other.low),
                high: one.high.max(other.high),
            })
    }
}

/// A round distance between ticks: `digit` · 10^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TickStep {
    digit: f64,
    exponent: i32,
}

impl TickStep {
    /// The smallest step with which `extent`, above zero, takes at most `most` steps.
    fn covering(extent: f64, most: usize) -> Self {
        let wanted = extent / most.max(1) as f64;
        let exponent = libm::log10(wanted).floor() as i32;
        // One power of ten lower guards against a logarithm rounded up at the power itself.
        (exponent - 1..=exponent + 1)
            .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| Self { digit, exponent }))
            .find(|step| step.times(1.0) >= wanted * (1.0 - ROUNDING))
            .unwrap_or(Self {
                digit: 1.0,
                exponent: exponent + 2,
            })
    }

    /// `count` of these steps, as exact as decimal fractions allow.
    fn times(self, count: f64) -> f64 {
        let power = libm::pow(10.0, f64::from(self.exponent.abs()));
        if self.exponent < 0 {
            count * self.digit / power
        } else {
            count * self.digit * power
        }
    }

    /// The last tick at or below a value, and the first at or above it, counted in steps from zero.
    fn around(self, value: f64) -> (f64, f64) {
        let steps = value / self.times(1.0);
        let slack = ROUNDING * steps.abs().max(1.0);
        ((steps + slack).floor(), (steps - slack).ceil())
    }
}

/// A round number at or just below `low`, from which an axis up to `high`, above it, begins.
pub(crate) fn round_start(low: f64, high: f64) -> f64 {
    const STEPS: usize = 4;
    let step = TickStep::covering(high - low, STEPS);
    step.times(step.around(low).0)
}

/// Relative error attributed to rounding: 0.1 + 0.2 is 0.3.
const ROUNDING: f64 = 1e-9;

/// The least ratio of the largest to the smallest value for a logarithmic axis.
const WIDE: f64 = 30.0;

/// The span of a value axis that takes about `most` steps.
///
/// `points` are the bounds of the points themselves, `extents` those of their intervals too.
pub(crate) fn span(
    scale: &AxisScale,
    points: Option<Bounds>,
    extents: Option<Bounds>,
    most: usize,
) -> AxisSpan {
    match scale {
        AxisScale::Linear { low, high } => linear(*low, *high, points, extents, most),
        AxisScale::LogarithmicWhenWide => match points {
            Some(points) if points.low > 0.0 && points.high > WIDE * points.low => {
                logarithmic(points, extents.unwrap_or(points))
            }
            _ => linear(Some(0.0), None, points, extents, most),
        },
        AxisScale::Categories(labels) => AxisSpan {
            low: -0.5,
            high: labels.len().max(1) as f64 - 0.5,
            logarithmic: false,
        },
    }
}

fn linear(
    low: Option<f64>,
    high: Option<f64>,
    points: Option<Bounds>,
    extents: Option<Bounds>,
    most: usize,
) -> AxisSpan {
    let kept_low = low.filter(|&low| points.is_none_or(|points| low <= points.low));
    let kept_high = high.filter(|&high| points.is_none_or(|points| high >= points.high));
    let mut bottom = kept_low
        .or(extents.map(|extents| extents.low))
        .unwrap_or(0.0);
    let mut top = kept_high
        .or(extents.map(|extents| extents.high))
        .unwrap_or(bottom);
    if bottom >= top && kept_low.is_none() {
        bottom = bottom.min(0.0);
        top = top.max(0.0);
    }
    if bottom >= top {
        top = bottom + bottom.abs().max(1.0);
    }
    let step = TickStep::covering(top - bottom, most);
    AxisSpan {
        low: kept_low.unwrap_or_else(|| step.times(step.around(bottom).0)),
        high: kept_high.unwrap_or_else(|| step.times(step.around(top).1)),
        logarithmic: false,
    }
}

fn logarithmic(points: Bounds, extents: Bounds) -> AxisSpan {
    // An interval that reaches zero or below leaves the chart, as it would on any axis.
    let bottom = if extents.low > points.low / 10.0 {
        extents.low
    } else {
        points.low
    };
    AxisSpan {
        low: round_below(bottom),
        high: 1.0 / round_below(1.0 / extents.high),
        logarithmic: true,
    }
}

/// The largest of 1, 2, 5 times a power of ten that is at most `value`, above zero.
fn round_below(value: f64) -> f64 {
    let exponent = libm::log10(value).floor() as i32;
    (exponent - 1..=exponent + 1)
        .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| TickStep { digit, exponent }.times(1.0)))
        .take_while(|&round| round <= value * (1.0 + ROUNDING))
        .last()
        .unwrap_or(value)
}

/// The ticks of a span, with at most about `most` steps from end to end.
pub(crate) fn ticks(span: AxisSpan, most: usize) -> Vec<Tick> {
    if span.logarithmic {
        logarithmic_ticks(span, most)
    } else {
        linear_ticks(span, most)
    }
}

fn linear_ticks(span: AxisSpan, most: usize) -> Vec<Tick> {
    let step = TickStep::covering(span.high - span.low, most);
    let (first, last) = (step.around(span.low).1, step.around(span.high).0);
    let largest = step.times(first).abs().max(step.times(last).abs());
    let (power, suffix) = magnitude(largest);
    let decimals = usize::try_from(power - step.exponent).unwrap_or(0);
    let divisor = libm::pow(10.0, f64::from(power));
    (0..=(last - first).max(0.0) as usize)
        .map(|index| {
            let value = step.times(first + index as f64);
            let label = if value == 0.0 {
                "0".to_owned()
            } else {
                with_minus(&format!("{:.decimals$}{suffix}", value / divisor))
            };
            Tick { value, label }
        })
        .collect()
}

fn logarithmic_ticks(span: AxisSpan, most: usize) -> Vec<Tick> {
    let low = span.low * (1.0 - ROUNDING);
    let high = span.high * (1.0 + ROUNDING);
    let first = libm::log10(low).floor() as i32;
    let last = libm::log10(high).ceil() as i32;
    let inside = |digits: &[f64]| -> Vec<f64> {
        (first..=last)
            .flat_map(|exponent| {
                digits
                    .iter()
                    .map(move |&digit| TickStep { digit, exponent }.times(1.0))
            })
            .filter(|&value| low <= value && value <= high)
            .collect()
    };
    let mut values = inside(&[1.0, 2.0, 5.0]);
    if values.len() > most + 1 {
        let decades = inside(&[1.0]);
        let every = decades.len().saturating_sub(1).div_ceil(most.max(1));
        values = decades.into_iter().step_by(every.max(1)).collect();
    }
    values
        .into_iter()
        .map(|value| Tick {
            value,
            label: compact(value),
        })
        .collect()
}

/// The power of ten in which a number is written, and its sign.
fn magnitude(value: f64) -> (i32, &'static str) {
    match value.abs() {
        size if size >= 1e10 => (9, " G"),
        size if size >= 1e7 => (6, " M"),
        size if size >= 1e4 => (3, " k"),
        _ => (0, ""),
    }
}

/// A number written as short as is exact.
fn compact(value: f64) -> String {
    let (power, suffix) = magnitude(value);
    format!("{}{suffix}", value / libm::pow(10.0, f64::from(power)))
}

/// Ticks at exactly these values, all with as many decimals as one of them needs.
pub(crate) fn ticks_at(values: &[f64]) -> Vec<Tick> {
    let decimals_of = |value: f64| {
        let written = value.to_string();
        written
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len())
    };
    let decimals = values.iter().map(|&value| decimals_of(value)).max();
    values
        .iter()
        .map(|&value| Tick {
            value,
            label: match decimals {
                Some(decimals) if decimals > 0 => format!("{value:.decimals$}"),
                _ => compact(value),
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(span: AxisSpan, most: usize) -> Vec<String> {
        ticks(span, most)
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    }

    fn even(low: f64, high: f64) -> AxisSpan {
        AxisSpan {
            low,
            high,
            logarithmic: false,
        }
    }

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(
            labels(even(0.0, 1.0), 5),
            ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(labels(even(0.27, 0.93), 4), ["0.4", "0.6", "0.8"]);
        assert_eq!(labels(even(-3.0, 7.0), 3), ["0", "5"]);
        assert_eq!(labels(even(0.0, 24.0), 5), ["0", "5", "10", "15", "20"]);
    }

    #[test]
    fn large_numbers_are_written_short() {
        assert_eq!(labels(even(0.0, 12_000.0), 3), ["0", "5 k", "10 k"]);
        assert_eq!(labels(even(0.0, 3e10), 3), ["0", "10 G", "20 G", "30 G"]);
        assert_eq!(
            labels(even(11_000.0, 12_000.0), 2),
            ["11.0 k", "11.5 k", "12.0 k"]
        );
    }

    #[test]
    fn an_axis_that_starts_at_its_only_value_has_a_length() {
        // Of the curves for which it starts there, only those of one value are shown.
        let scale = AxisScale::Linear {
            low: Some(1.0),
            high: None,
        };
        let one = Bounds::of([1.0]);
        let axis = span(&scale, one, one, 5);
        assert_eq!(axis, even(1.0, 2.0));
        assert_eq!(labels(axis, 2), ["1.0", "1.5", "2.0"]);
    }

    #[test]
    fn a_free_bound_is_rounded_outwards_and_a_given_one_kept() {
        let values = Bounds::of([0.31, 0.97]);
        let given = AxisScale::Linear {
            low: Some(0.0),
            high: Some(1.0),
        };
        let wider = Bounds::of([0.25, 1.04]);
        assert_eq!(span(&given, values, wider, 4), even(0.0, 1.0));
        let free = AxisScale::Linear {
            low: None,
            high: None,
        };
        assert_eq!(span(&free, values, wider, 5), even(0.2, 1.2));
        assert_eq!(span(&given, Bounds::of([0.5, 1.3]), None, 5).low, 0.0);
    }

    #[test]
    fn a_bound_that_a_point_crosses_gives_way() {
        let given = AxisScale::Linear {
            low: Some(0.0),
            high: Some(1.0),
        };
        let values = Bounds::of([0.5, 1.3]);
        assert_eq!(span(&given, values, values, 4), even(0.0, 1.5));
    }

    #[test]
    fn no_values_and_equal_values_have_a_span() {
        let free = AxisScale::Linear {
            low: None,
            high: None,
        };
        assert_eq!(span(&free, None, None, 5), even(0.0, 1.0));
        for value in [0.0, 7.0, -7.0, 1e-300, 1e300] {
            let only = Bounds::of([value]);
            for scale in [free.clone(), AxisScale::LogarithmicWhenWide] {
                let found = span(&scale, only, only, 5);
                assert!(found.low < found.high, "{value}: {found:?}");
                assert!(
                    found.low <= value && value <= found.high,
                    "{value}: {found:?}"
                );
                assert!(ticks(found, 5).len() >= 2, "{value}: {found:?}");
            }
        }
        assert_eq!(Bounds::of([f64::NAN, f64::INFINITY]), None);
    }

    #[test]
    fn wide_values_make_the_axis_logarithmic() {
        let wide = Bounds::of([1.4, 7300.0]);
        let found = span(&AxisScale::LogarithmicWhenWide, wide, wide, 5);
        assert!(found.logarithmic);
        assert_eq!((found.low, found.high), (1.0, 10_000.0));
        assert_eq!(labels(found, 5), ["1", "10", "100", "1000", "10 k"]);
        assert_eq!(labels(found, 2), ["1", "100", "10 k"]);
        assert_eq!(found.fraction(100.0), 0.5);
        let below_zero = Bounds::of([-5.0, 7400.0]);
        let clipped = span(&AxisScale::LogarithmicWhenWide, wide, below_zero, 5);
        assert_eq!(clipped.low, 1.0);
        let narrow = Bounds::of([1.4, 20.0]);
        assert_eq!(
            span(&AxisScale::LogarithmicWhenWide, narrow, narrow, 4),
            even(0.0, 20.0)
        );
    }

    #[test]
    fn a_part_of_an_axis_stays_on_it() {
        let whole = even(0.0, 100.0);
        let part = |from, to| AxisPart {
            of: whole,
            from,
            to,
        };
        assert_eq!(part(0.25, 0.75).within(whole), even(25.0, 75.0));
        assert_eq!(part(0.75, 1.25).within(whole), even(50.0, 100.0));
        assert_eq!(part(-2.0, -1.5).within(whole), even(0.0, 50.0));
        assert_eq!(part(-0.1, 0.95).within(whole), whole);
        assert_eq!(part(0.5, 0.5).within(whole).low, 50.0);
        assert!(part(0.5, 0.5).within(whole).high > 50.0);
        assert_eq!(part(f64::NAN, 0.5).within(whole), whole);
        // Values keep their positions when the axis grows around them.
        assert_eq!(part(0.25, 0.75).within(even(0.0, 200.0)), even(25.0, 75.0));
        let decades = AxisSpan {
            low: 1.0,
            high: 10_000.0,
            logarithmic: true,
        };
        let upper = AxisPart {
            of: decades,
            from: 0.5,
            to: 1.0,
        };
        let found = upper.within(decades);
        assert!((found.low - 100.0).abs() < 1e-9 && (found.high - 10_000.0).abs() < 1e-6);
    }

    #[test]
    fn a_logarithmic_axis_of_two_decades_names_two_and_five() {
        let found = AxisSpan {
            low: 1.0,
            high: 50.0,
            logarithmic: true,
        };
        assert_eq!(labels(found, 6), ["1", "2", "5", "10", "20", "50"]);
    }

    #[test]
    fn ticks_at_values_share_their_decimals() {
        let labels = |values: &[f64]| -> Vec<String> {
            ticks_at(values)
                .into_iter()
                .map(|tick| tick.label)
                .collect()
        };
        assert_eq!(labels(&[0.9, 1.0, 1.25]), ["0.90", "1.00", "1.25"]);
        assert_eq!(labels(&[100.0, 10_000.0]), ["100", "10 k"]);
    }
}
