//! The numbers of an answer as curves: a metric over a swept key, its differences to the reference,
//! what is in use and waiting by day, and how waits are spread over the jobs.

use backfill_experiment::study::answer::fairness::{self, WaitSpreads};
use backfill_experiment::study::answer::numbers::{Unit, factor};
use backfill_experiment::study::answer::over_time::Daily;
use backfill_experiment::study::answer::summary::{AxisValues, values};
use backfill_experiment::study::answer::{Answer, Estimates, names};
use backfill_sim::metrics::METRICS;
use backfill_sim::over_time::OverTime;

use crate::chart::{Chart, ChartAxis, CurvePoint, Quantity, Series, SeriesNames};
use crate::colour::SERIES_STYLES;
use crate::scale::{AxisScale, Bounds, round_start};

/// The chart of a metric, by its position in [`METRICS`], at the value `y` of the second axis.
pub fn of_metric(answer: &Answer<'_>, metric: usize, y: usize) -> Chart {
    let estimates = answer.estimates(y).swap_remove(metric);
    of_estimates(answer, metric, y, estimates, answer.unit(metric))
}

/// The same with estimates in place of those of the answer, and times in the unit `shown`.
pub(crate) fn of_estimates(
    answer: &Answer<'_>,
    metric: usize,
    y: usize,
    estimates: Estimates,
    shown: Unit,
) -> Chart {
    let about = &METRICS[metric];
    let AxisValues { label, values } = values(answer.scenario.x());
    let places = answer.places();
    let mut value_axis = value_axis(about.unit, shown);
    begin_near(&mut value_axis, &estimates, factor(about.unit));
    Chart {
        title: match answer.scenario.y() {
            None => about.label.to_owned(),
            Some(axis) => {
                format!("{}, {} = {}", about.label, axis.key.label, axis.values[y])
            }
        },
        x: ChartAxis {
            label,
            quantity: Quantity::Number,
            scale: match answer.numbers() {
                Some(_) => AxisScale::Linear {
                    low: None,
                    high: None,
                },
                None => AxisScale::Categories(values),
            },
        },
        y: value_axis,
        series: policy_series(answer.policies(), &places, estimates, factor(about.unit)),
        names: SeriesNames::Legend,
    }
}

/// Adds to `chart`, which [`of_metric`] made of `answer`, the values that the last answer had in the
/// same metric under the same policies at the same values of the same axes. A chart without points has
/// the axis of those.
pub fn add_earlier(
    chart: &mut Chart,
    answer: &Answer<'_>,
    last: &Answer<'_>,
    metric: usize,
    y: usize,
) {
    let (x, last_x) = (values(answer.scenario.x()), values(last.scenario.x()));
    let (over, last_over) = (values(answer.scenario.y()), values(last.scenario.y()));
    if x.label != last_x.label || over.label != last_over.label {
        return;
    }
    let place = |values: &[String], value: &String| values.iter().position(|own| own == value);
    let Some(last_y) = place(&last_over.values, &over.values[y]) else {
        return;
    };
    let before = of_metric(last, metric, last_y);
    if chart.is_empty() {
        chart.y = before.y;
    }
    for series in &mut chart.series {
        let mut earlier = before.series.iter();
        let Some(earlier) = earlier.find(|earlier| earlier.label == series.label) else {
            continue;
        };
        for (point, value) in series.points.iter_mut().zip(&x.values) {
            let place = place(&last_x.values, value);
            let earlier = place.map(|place| earlier.points[place].y);
            point.earlier = earlier.filter(|earlier| earlier.is_finite());
        }
    }
}

/// The differences to the reference as curves; the reference's own is zero everywhere.
pub fn of_differences(answer: &Answer<'_>, metric: usize, y: usize) -> Chart {
    let about = &METRICS[metric];
    let reference = answer.scenario.reference();
    let names: Vec<String> = answer.policies().collect();
    let chart = of_metric(answer, metric, y);
    let mut series = Vec::new();
    for (style, label) in names.iter().enumerate() {
        let points = answer
            .places()
            .into_iter()
            .enumerate()
            .filter_map(|(x, place)| {
                let pair = answer.pair(metric, y, x, style)?;
                let factor = factor(about.unit);
                let point = CurvePoint {
                    half_width: pair.difference.half_width.map(|half| half * factor),
                    ..CurvePoint::new(place, pair.difference.mean * factor)
                };
                Some((point, pair.excluded))
            });
        let (excluded, near): (Vec<_>, Vec<_>) = points.partition(|(_, excluded)| *excluded);
        let curve = |label: &str, points: Vec<(CurvePoint, bool)>, dimmed| Series {
            label: label.to_owned(),
            style,
            points: points.into_iter().map(|(point, _)| point).collect(),
            dimmed,
        };
        if style == reference {
            let zero = |&x: &f64| (CurvePoint::new(x, 0.0), false);
            let points = answer.places().iter().map(zero).collect();
            series.push(curve(label, points, false));
            continue;
        }
        series.push(curve(label, near, false));
        if !excluded.is_empty() {
            series.push(curve("", excluded, true));
        }
    }
    Chart {
        title: format!("{} against {}", about.label, names[reference]),
        y: ChartAxis {
            label: match about.unit {
                "share" => "points".to_owned(),
                _ => String::new(),
            },
            scale: AxisScale::Linear {
                low: None,
                high: None,
            },
            ..chart.y
        },
        series,
        names: SeriesNames::Legend,
        ..chart
    }
}

/// The chart by day of what every policy of a point has in use or waiting; `None` where no run of it
/// was measured over the calendar. The positions are days since 1 January 1970, or days of the log,
/// counted from 1.
pub fn of_days(answer: &Answer<'_>, what: Daily, point: [usize; 2]) -> Option<Chart> {
    let runs = (0..answer.scenario.policies().len()).map(|policy| answer.over_time(point, policy));
    let runs: Vec<Option<&OverTime>> = runs.collect();
    let measured = runs.iter().flatten().next()?;
    let first_day = measured.first_day;
    let first = first_day.map_or(measured.from_s / 86_400.0 + 1.0, f64::from);
    let series = answer.policies().zip(&runs).enumerate();
    let series = series.map(|(style, (label, run))| Series {
        label,
        style,
        points: run.map_or(Vec::new(), |run| {
            let days = what.of(run).iter().enumerate();
            days.map(|(day, &y)| CurvePoint::new(first + day as f64, y))
                .collect()
        }),
        dimmed: false,
    });
    let (_, _, label) = Daily::ALL.into_iter().find(|(of, ..)| *of == what)?;
    Some(Chart {
        title: label.to_owned(),
        x: ChartAxis {
            label: match first_day {
                Some(_) => String::new(),
                None => "Day of the log".to_owned(),
            },
            quantity: match first_day {
                Some(_) => Quantity::Dates,
                None => Quantity::Days,
            },
            scale: AxisScale::Linear {
                low: None,
                high: None,
            },
        },
        y: ChartAxis {
            label: String::new(),
            quantity: Quantity::Number,
            scale: AxisScale::Linear {
                low: Some(0.0),
                high: None,
            },
        },
        series: series.collect(),
        // All of them end near zero, with the log: the room is better used for its days.
        names: SeriesNames::Outside,
    })
}

/// The chart of a curve, by its name; `None` if there is no such curve.
pub fn of_waits(fairness: &WaitSpreads<'_>, name: &str) -> Option<Chart> {
    let curve = fairness::curve(name)?;
    let curves = fairness.estimates(curve);
    let mut series = policy_series(
        names(fairness.scenario),
        &fairness::places(),
        curves,
        factor(curve.unit),
    );
    if curve.unit == "share" {
        let equal = |x: f64| CurvePoint::new(x, x);
        series.push(Series {
            label: "equal waits".to_owned(),
            style: series.len().max(SERIES_STYLES - 1),
            points: vec![equal(0.0), equal(100.0)],
            dimmed: true,
        });
    }
    Some(Chart {
        title: match fairness.place().as_str() {
            "" => curve.label.to_owned(),
            place => format!("{}, {place}", curve.label),
        },
        x: ChartAxis {
            label: "Jobs (%), by wait".to_owned(),
            quantity: Quantity::Number,
            scale: AxisScale::Linear {
                low: Some(0.0),
                high: Some(100.0),
            },
        },
        y: value_axis(curve.unit, fairness.unit(curve)),
        series,
        names: SeriesNames::Legend,
    })
}

/// The curve of each policy over these positions, `factor` times as high.
fn policy_series(
    policies: impl Iterator<Item = String>,
    places: &[f64],
    curves: Estimates,
    factor: f64,
) -> Vec<Series> {
    let series = policies.zip(curves).enumerate();
    let series = series.map(|(style, (label, curve))| Series {
        label,
        style,
        points: places
            .iter()
            .zip(curve)
            .map(|(&x, estimate)| CurvePoint {
                half_width: estimate
                    .and_then(|estimate| estimate.half_width)
                    .map(|half| half * factor),
                ..CurvePoint::new(
                    x,
                    estimate.map_or(f64::NAN, |estimate| estimate.mean * factor),
                )
            })
            .collect(),
        dimmed: false,
    });
    series.collect()
}

/// The axis of values in a unit of [`METRICS`], shown in the unit `shown`.
fn value_axis(unit: &str, shown: Unit) -> ChartAxis {
    let from_zero = |high| AxisScale::Linear {
        low: Some(0.0),
        high,
    };
    ChartAxis {
        label: match unit {
            "share" => "%".to_owned(),
            _ => String::new(),
        },
        quantity: match unit {
            "s" => Quantity::SecondsIn(shown.name, shown.size),
            _ => Quantity::Number,
        },
        scale: match unit {
            "share" => from_zero(Some(100.0)),
            "" => AxisScale::LogarithmicWhenWide,
            _ => from_zero(None),
        },
    }
}

/// Per cent at which an axis of shares may start, if no value is below.
const STARTS: [f64; 3] = [95.0, 90.0, 80.0];

/// The largest part of an axis from zero in which differences vanish.
const NARROW: f64 = 0.125;

/// Makes an axis start near the values of `curves`, with their intervals, where these are large
/// shares, or where all differ so little that nothing would be seen on an axis from zero; and makes
/// it say so, as its lengths are then no values. Values are multiplied by `factor`.
fn begin_near(axis: &mut ChartAxis, curves: &Estimates, factor: f64) {
    let ends = curves.iter().flatten().flatten();
    let ends = ends.flat_map(|of| {
        let half = of.half_width.unwrap_or(0.0);
        [(of.mean - half) * factor, (of.mean + half) * factor]
    });
    let Some(Bounds { low, high }) = Bounds::of(ends) else {
        return;
    };
    let is_share = axis.label == "%";
    if let Some(&start) = STARTS.iter().find(|&&start| is_share && start <= low) {
        axis.label = format!("%, axis from {start} %");
        axis.scale = AxisScale::Linear {
            low: Some(start),
            high: Some(100.0),
        };
    } else if 0.0 < low && low < high && high - low <= NARROW * high {
        let unit = match axis.quantity {
            Quantity::SecondsIn(_, size) => size,
            _ => 1.0,
        };
        let start = round_start(low / unit, high / unit);
        axis.label = if is_share {
            format!("%, axis from {start} %")
        } else {
            format!("axis from {start}")
        };
        axis.scale = AxisScale::Linear {
            low: Some(start * unit),
            high: None,
        };
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use backfill_experiment::language::scenario::Scenario;
    use backfill_experiment::study::sweep::{CellOutcome, CellRun, Results, cells};
    use backfill_sim::metrics::Metric;
    use backfill_sim::run::Keep;
    use backfill_sim::stats::MeanEstimate;

    /// Every run of a small scenario, with its results.
    pub(crate) fn simulated(pairs: &[(&str, &str)]) -> (Scenario, Results) {
        let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
        let mut results = Results::new(&scenario);
        for cell in cells(&scenario) {
            let run =
                CellRun::new(&scenario, cell, None, Keep::Metrics).expect("no trace is needed");
            results.add(run.finish().0);
        }
        (scenario, results)
    }

    #[test]
    fn a_sweep_is_a_curve_for_each_policy() {
        let (scenario, results) =
            &simulated(&[("jobs", "40"), ("reps", "2"), ("policy", "fcfs,easy")]);
        let chart = of_metric(&Answer { scenario, results }, 0, 0);
        assert_eq!(chart.series[1].points[3].x, 0.9);
        assert_eq!(chart.series[1].points[3].y, 100.0);
        let (scenario, results) = &simulated(&[("jobs", "20"), ("reps", "1"), ("x", "none")]);
        let chart = of_metric(&Answer { scenario, results }, 1, 0);
        assert_eq!(chart.series[0].points.len(), 1);
    }

    #[test]
    fn missing_points_are_gaps() {
        let scenario = &Scenario::default();
        let results = &Results::new(scenario);
        let points = &of_metric(&Answer { scenario, results }, 0, 0).series[0].points;
        assert_eq!(points.len(), 4);
        assert!(points.iter().all(|point| point.y.is_nan()));
    }

    /// Results that are given: accept rate and mean wait by policy, the same in each replication.
    fn given(pairs: &[(&str, &str)], numbers: &[(f64, &[f64])]) -> (Scenario, Results) {
        let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
        let mut results = Results::new(&scenario);
        for cell in cells(&scenario) {
            let (rate, waits) = numbers[cell.policy];
            let value = |metric: &Metric| match metric.name {
                "accept_rate" => Some(rate),
                "wait_mean" => Some(waits[cell.replication as usize]),
                _ => None,
            };
            results.add(CellOutcome {
                cell,
                digest: "0000000000000000".to_owned(),
                metrics: METRICS.iter().map(value).collect(),
                jobs: 1,
                over_time: None,
            });
        }
        (scenario, results)
    }

    #[test]
    fn differences_are_drawn_over_a_line_at_zero_and_what_cannot_be_compared_is_dimmed() {
        // EASY waits 10 less in each replication but one, where it waits 13 less. The loss system
        // turns a tenth of the jobs away.
        let (scenario, results) = &given(
            &[
                ("policy", "fcfs,easy,none"),
                ("x", "load:0.7"),
                ("reps", "3"),
                ("reference", "fcfs+adaba"),
            ],
            &[
                (1.0, &[20.0, 30.0, 40.0]),
                (1.0, &[10.0, 20.0, 27.0]),
                (0.9, &[0.0; 3]),
            ],
        );
        let chart = of_differences(&Answer { scenario, results }, 1, 0);
        let drawn: Vec<_> = chart
            .series
            .iter()
            .map(|s| (s.points.len(), s.dimmed))
            .collect();
        assert_eq!(drawn, [(1, false), (1, false), (0, false), (1, true)]);
        assert_eq!(chart.series[1].points[0].y, -11.0);
    }

    #[test]
    fn earlier_values_are_of_the_same_policy_at_the_same_values_of_the_same_axes() {
        let waits = |policy, x| {
            let pairs = [("policy", policy), ("x", x), ("reps", "1")];
            given(&pairs, &[(1.0, &[1.0]), (1.0, &[2.0])])
        };
        let (scenario, results) = &waits("fcfs,easy", "load:0.5,0.7");
        let answer = Answer { scenario, results };
        for (policy, x, expected) in [
            ("easy,none", "load:0.7,0.9", [None, None, None, Some(1.0)]),
            ("fcfs,easy", "k:4,6", [None; 4]),
        ] {
            let (scenario, results) = &waits(policy, x);
            let mut chart = of_metric(&answer, 1, 0);
            add_earlier(&mut chart, &answer, &Answer { scenario, results }, 1, 0);
            let points = chart.series.iter().flat_map(|series| &series.points);
            let earlier: Vec<Option<f64>> = points.map(|point| point.earlier).collect();
            assert_eq!(earlier, expected, "{policy} {x}");
        }
    }

    #[test]
    fn a_metric_has_one_unit_in_all_charts() {
        let (scenario, results) = &given(
            &[
                ("policy", "fcfs,easy"),
                ("x", "load:0.7"),
                ("y", "k:4,6"),
                ("reps", "2"),
            ],
            &[(1.0, &[72_000.0; 2]), (1.0, &[90.0; 2])],
        );
        let answer = Answer { scenario, results };
        for chart in [of_metric(&answer, 1, 1), of_differences(&answer, 1, 1)] {
            assert_eq!(chart.y.quantity, Quantity::SecondsIn("h", 3600.0));
        }
    }

    /// A curve of these means and half-widths, after a gap.
    fn estimates(of: &[(f64, Option<f64>)]) -> Estimates {
        let known = of.iter().map(|&(mean, half_width)| {
            Some(MeanEstimate {
                mean,
                half_width,
                n: 2,
            })
        });
        vec![std::iter::once(None).chain(known).collect()]
    }

    #[test]
    fn an_axis_begins_near_values_that_differ_little_and_says_so() {
        let drawn = |unit: &'static str, ends: [f64; 2]| {
            let mut axis = value_axis(unit, Unit::suiting(unit, ends[1]));
            let curves = estimates(&ends.map(|mean| (mean, Some(0.0))));
            begin_near(&mut axis, &curves, factor(unit));
            let low = match axis.scale {
                AxisScale::Linear { low, .. } => low,
                _ => None,
            };
            (axis.label, low)
        };
        let from = |label: &str, at| (label.to_owned(), Some(at));
        let hour = 3600.0;
        assert_eq!(
            drawn("s", [10.0 * hour, 10.7 * hour]),
            from("axis from 10", 10.0 * hour)
        );
        assert_eq!(drawn("s", [8.0 * hour, 10.0 * hour]), from("", 0.0));
        assert_eq!(
            drawn("share", [0.42, 0.44]),
            from("%, axis from 42 %", 42.0)
        );
        assert_eq!(drawn("", [1.23, 1.3]), from("axis from 1.22", 1.22));
        // A single value shows no difference.
        assert_eq!(drawn("s", [hour, hour]), from("", 0.0));
    }

    #[test]
    fn an_axis_of_large_shares_begins_near_them_and_says_so() {
        let drawn = |mean, half_width| {
            let unit = Unit::suiting("share", 1.0);
            let mut axis = value_axis("share", unit);
            begin_near(&mut axis, &estimates(&[(mean, half_width)]), 100.0);
            let AxisScale::Linear { low, high } = axis.scale else {
                panic!("shares are drawn evenly");
            };
            assert_eq!(high, Some(100.0));
            (axis.label, low)
        };
        let from = |low: &str, at| (format!("%, axis from {low} %"), Some(at));
        assert_eq!(drawn(0.97, Some(0.01)), from("95", 95.0));
        assert_eq!(drawn(0.97, Some(0.03)), from("90", 90.0));
        assert_eq!(drawn(0.8, None), from("80", 80.0));
        assert_eq!(drawn(0.79, None), ("%".to_owned(), Some(0.0)));
    }
}
