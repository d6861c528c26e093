//! The outcomes of a scenario: printed numbers, charts, and the sentence that sums them up.
//!
//! The page shows them live, the build writes them into the page as it is first seen, and the
//! command line prints and draws them: all use this module, so they cannot differ.

use std::fmt;

use backfill_experiment::scenario::{Axis, PolicySpec, Scenario};
use backfill_experiment::sweep::Results;
use backfill_experiment::words::{capital, grouped_digits, listed, lower};
use backfill_sim::decimal::Decimal;
use backfill_sim::metrics::{ACCEPT_RATE, Better, METRICS, Metric, Timed, position};
use backfill_sim::policy::Queue;
use backfill_sim::stats::{MeanEstimate, estimate};
use serde::Serialize;

use crate::chart::{self, Chart, Names, Point, Quantity, Series};
use crate::scale::{Scale, unit_of_time};

/// Policies whose accept rates differ by at most this run about the same jobs, so that their wait
/// times are comparable.
pub(crate) const SAME_JOBS: f64 = 0.02;

/// The key that restricts times to the jobs that every policy runs.
pub(crate) const TIMED: &str = "timed";

/// Whether it is set so.
pub(crate) fn in_common(scenario: &Scenario) -> bool {
    scenario.get(TIMED) == Timed::Common.name()
}

/// The outcomes of a scenario so far.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its outcomes.
    pub results: &'a Results,
}

/// The answer at one value of the second axis, in words and numbers.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct Summary {
    /// The first axis.
    pub x: Values,
    /// The second axis; one value without a name if there is none.
    pub y: Values,
    /// The labels of the curves.
    pub policies: Vec<String>,
    /// Notes on the numbers.
    pub notes: Vec<String>,
    /// Every metric.
    pub metrics: Vec<Curves>,
    /// The names of those shown by default.
    pub headline: Vec<&'static str>,
    /// The summary of the numbers; empty while some are missing.
    pub sentence: String,
}

/// A swept key and its values.
#[derive(Clone, Debug, Serialize, ts_rs::TS)]
pub struct Values {
    /// The label of the key, with its unit; empty if nothing is swept.
    pub label: String,
    /// Its values; one empty value if nothing is swept.
    pub values: Vec<String>,
}

/// A metric and its curves.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct Curves {
    /// The metric's name.
    pub name: &'static str,
    /// The metric's label.
    pub label: &'static str,
    /// The printed unit of the numbers.
    pub unit: &'static str,
    /// The direction in which it is better.
    pub better: Better,
    /// One curve for each policy, with one entry for each value of x.
    pub curves: Vec<Vec<Option<Value>>>,
}

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
    /// The unit for values up to `most` in a unit of [`METRICS`].
    pub(crate) fn suiting(unit: &'static str, most: f64) -> Unit {
        let (name, size) = match unit {
            "s" => unit_of_time(most),
            other => (printed_unit(other), 1.0),
        };
        Unit { name, size }
    }

    /// An estimate in the metric's own unit, converted to this one.
    pub(crate) fn of(self, estimate: MeanEstimate) -> MeanEstimate {
        MeanEstimate {
            mean: estimate.mean / self.size,
            half_width: estimate.half_width.map(|half| half / self.size),
            n: estimate.n,
        }
    }
}

/// The position of the share of jobs that ran.
pub(crate) fn accept_rate() -> usize {
    position(ACCEPT_RATE).expect("a known metric")
}

/// The curves of one metric, by policy and x.
pub(crate) type Estimates = Vec<Vec<Option<MeanEstimate>>>;

impl Answer<'_> {
    /// The answer at the value `y` of the second axis.
    pub fn summary(&self, y: usize) -> Summary {
        let estimates = self.estimates(y);
        let curves = |position: usize, estimates: &Estimates| {
            let metric = &METRICS[position];
            let unit = self.unit(position);
            let value =
                |estimate: &Option<MeanEstimate>| estimate.map(|of| shown(metric, unit.of(of)));
            Curves {
                name: metric.name,
                label: metric.label,
                unit: unit.name,
                better: metric.better,
                curves: (estimates.iter())
                    .map(|curve| curve.iter().map(value).collect())
                    .collect(),
            }
        };
        Summary {
            x: values(self.scenario.x()),
            y: values(self.scenario.y()),
            policies: self.policies().collect(),
            notes: notes(self.scenario),
            metrics: (estimates.iter().enumerate())
                .map(|(metric, estimates)| curves(metric, estimates))
                .collect(),
            headline: self
                .scenario
                .headline()
                .into_iter()
                .map(|metric| METRICS[metric].name)
                .collect(),
            sentence: match self.results.digest() {
                Some(_) => {
                    let mut sentences = self.best_guarantees(y);
                    sentences.push(self.sentence(&estimates, y));
                    let never = self.never_run(y).into_iter();
                    let more = never.chain(self.left_queue(y));
                    sentences.join(" ") + &more.collect::<String>()
                }
                None => String::new(),
            },
        }
    }

    /// The metric by which policies are compared by default: the first one shown that is over times
    /// of jobs.
    pub fn compared(&self) -> &'static Metric {
        let shown = self
            .scenario
            .headline()
            .into_iter()
            .map(|metric| &METRICS[metric]);
        let mut of_times = shown.filter(|metric| metric.of_times);
        of_times.next().expect("one is over times on every system")
    }

    /// The chart of a metric, by its position in [`METRICS`], at the value `y` of the second axis.
    pub fn chart(&self, metric: usize, y: usize) -> Chart {
        let about = &METRICS[metric];
        let Values { label, values } = values(self.scenario.x());
        let places = self.places();
        let estimates = self.estimates(y).swap_remove(metric);
        let mut value_axis = value_axis(about.unit, self.unit(metric));
        if about.unit == "share" {
            begin_near(&mut value_axis, &estimates);
        }
        Chart {
            title: match self.scenario.y() {
                None => about.label.to_owned(),
                Some(axis) => {
                    format!("{}, {} = {}", about.label, axis.key.label, axis.values[y])
                }
            },
            x: chart::Axis {
                label,
                quantity: Quantity::Number,
                scale: match self.numbers() {
                    Some(_) => Scale::Linear {
                        low: None,
                        high: None,
                    },
                    None => Scale::Categories(values),
                },
            },
            y: value_axis,
            series: policy_series(self.policies(), &places, estimates, factor(about.unit)),
            names: Names::Legend,
        }
    }

    /// The positions of the values of x on its axis: the values if they are numbers, else their
    /// indices.
    pub fn places(&self) -> Vec<f64> {
        let count = self.scenario.x().map_or(1, |axis| axis.values.len());
        self.numbers()
            .unwrap_or_else(|| (0..count).map(|place| place as f64).collect())
    }

    fn numbers(&self) -> Option<Vec<f64>> {
        let values = &self.scenario.x()?.values;
        values
            .iter()
            .map(|value| Decimal::parse(value).map(Decimal::to_f64))
            .collect()
    }

    pub(crate) fn policies(&self) -> impl Iterator<Item = String> {
        names(self.scenario)
    }

    /// Every metric's curves at one value of the second axis.
    fn estimates(&self, y: usize) -> Vec<Estimates> {
        let points = self.scenario.x().map_or(1, |axis| axis.values.len());
        let empty = vec![vec![None; points]; self.scenario.policies().len()];
        let mut estimates = vec![empty; METRICS.len()];
        for point in self.results.points() {
            if point.y == y {
                estimates[point.metric][point.policy][point.x] = Some(point.value);
            }
        }
        estimates
    }

    /// The unit in which a metric, by its position in [`METRICS`], is printed: that of its greatest
    /// mean.
    pub(crate) fn unit(&self, metric: usize) -> Unit {
        let length = |axis: Option<&Axis>| axis.map_or(1, |axis| axis.values.len());
        let mut most = 0.0_f64;
        for y in 0..length(self.scenario.y()) {
            for x in 0..length(self.scenario.x()) {
                for policy in 0..self.scenario.policies().len() {
                    let values = self.results.values(y, x, policy, metric).into_iter();
                    let mean = estimate(&values.flatten().collect::<Vec<f64>>());
                    most = most.max(mean.map_or(0.0, |mean| mean.mean));
                }
            }
        }
        Unit::suiting(METRICS[metric].unit, most)
    }

    /// The values of both swept keys at a point in words, as "at load 0.9" or "at mean bandwidth
    /// 500 Mbit/s"; empty if nothing is swept.
    pub(crate) fn point(&self, x: usize, y: usize) -> String {
        let axes = [(self.scenario.x(), x), (self.scenario.y(), y)];
        let values = axes.into_iter();
        let values = values.filter_map(|(axis, place)| Some(at_value(axis?, place)));
        match values.collect::<Vec<String>>().join(" and ") {
            none if none.is_empty() => none,
            values => format!("at {values}"),
        }
    }

    /// The summary at the last value of x: how many jobs run, and which policy is best otherwise
    /// among those that run about as many. A policy that rejects more jobs is not comparable on the
    /// others, so it is left out; so is a policy without a queue if times are compared.
    fn sentence(&self, estimates: &[Estimates], y: usize) -> String {
        let last = self.places().len() - 1;
        let names: Vec<String> = self.policies().collect();
        let at = |metric: usize| {
            let curves = estimates[metric].iter().enumerate();
            curves.filter_map(move |(policy, curve)| Some((policy, curve[last]?)))
        };
        let point = match self.point(last, y) {
            point if point.is_empty() => point,
            point => point + ", ",
        };
        let accepted = accept_rate();
        let most = at(accepted).map(|(_, rate)| rate.mean).fold(0.0, f64::max);
        let (alike, fewer): (Vec<_>, Vec<_>) =
            at(accepted).partition(|(_, rate)| most - rate.mean <= SAME_JOBS);
        if alike.is_empty() {
            return capital(format!("{point}no job is counted."));
        }
        let who = match alike.len() {
            1 => format!("{} accepts", names[alike[0].0]),
            2 if names.len() == 2 => "both policies accept".to_owned(),
            all if all == names.len() => format!("all {all} policies accept"),
            _ => listed(alike.iter().map(|(policy, _)| names[*policy].as_str())) + " accept",
        };
        let least = alike.iter().map(|(_, rate)| rate.mean).fold(most, f64::min);
        let rates = match (per_cent(least), per_cent(most)) {
            _ if least == 1.0 => "all jobs".to_owned(),
            _ if most == 0.0 => "no job".to_owned(),
            (least, most) if least == most => format!("{most} % of the jobs"),
            (least, most) => format!("{least} to {most} % of the jobs"),
        };
        let mut sentence = format!("{point}{who} {rates}");
        if !fewer.is_empty() {
            let fewer: Vec<String> = fewer
                .iter()
                .map(|(policy, rate)| {
                    let rate = shown(&METRICS[accepted], *rate);
                    format!("{} only {rate} %", names[*policy])
                })
                .collect();
            sentence += &format!("; {}", listed(fewer.iter().map(String::as_str)));
        }
        sentence += ".";
        let comparable = |metric: usize| -> Vec<(usize, MeanEstimate)> {
            let queues = |policy: usize| self.scenario.policies()[policy].queue != Queue::None;
            at(metric)
                .filter(|&(policy, _)| alike.iter().any(|(other, _)| *other == policy))
                .filter(|&(policy, _)| !METRICS[metric].of_times || queues(policy))
                .collect()
        };
        let others = self.scenario.headline().into_iter();
        let best: Vec<String> = others
            .filter(|&metric| metric != accepted)
            .filter_map(|metric| self.best(metric, comparable(metric), [last, y]))
            .collect();
        if !best.is_empty() {
            sentence += &format!(
                " Among {}, {}{}.",
                if fewer.is_empty() {
                    "them"
                } else {
                    "the former"
                },
                best.join("; "),
                self.of_one_replication(),
            );
        }
        capital(sentence)
    }

    /// The remark for a comparison from one replication.
    pub(crate) fn of_one_replication(&self) -> &'static str {
        if self.scenario.reps() == 1 && !self.scenario.deterministic() {
            ", from one replication"
        } else {
            ""
        }
    }

    /// The best of these policies in a metric at a point, and those that do not differ
    /// significantly from it; `None` if there is nothing to compare.
    fn best(
        &self,
        metric: usize,
        found: Vec<(usize, MeanEstimate)>,
        [x, y]: [usize; 2],
    ) -> Option<String> {
        let about = &METRICS[metric];
        let cost = |(_, value): &(usize, MeanEstimate)| match about.better {
            Better::Higher => -value.mean,
            Better::Lower | Better::Neither => value.mean,
        };
        if about.better == Better::Neither {
            return None;
        }
        // The few policies are inserted one by one: a general sort takes 6 kB of the module.
        let mut ranked: Vec<(usize, MeanEstimate)> = Vec::new();
        for one in found {
            let place = ranked.partition_point(|before| cost(before) <= cost(&one));
            ranked.insert(place, one);
        }
        let found = ranked;
        let [(first, best), _, ..] = found[..] else {
            return None;
        };
        let names: Vec<String> = self.policies().collect();
        let unit = self.unit(metric);
        let label = lower(about.label);
        let value = spoken(unit, about.unit, best);
        let (equal, rest): (Vec<_>, Vec<_>) =
            (found.into_iter()).partition(|(_, other)| other.mean == best.mean);
        if rest.is_empty() {
            return Some(format!("equal {label} ({value})"));
        }
        let named = |those: &[(usize, MeanEstimate)]| {
            listed(those.iter().map(|(policy, _)| names[*policy].as_str()))
        };
        let open: Vec<_> = (rest.into_iter())
            .filter(|&(other, _)| {
                let difference = self.difference(metric, [x, y], other, first);
                difference.is_some_and(|of| of.half_width.is_some_and(|half| of.mean.abs() <= half))
            })
            .collect();
        let (equal, open) = (named(&equal), named(&open));
        Some(match open.as_str() {
            "" => format!("best {label}: {equal} ({value})"),
            open => {
                format!("best {label}: {equal} ({value}), not significantly different from {open}")
            }
        })
    }
}

/// A value of a swept key in words, as "load 0.9" or "mean bandwidth 500 Mbit/s".
pub(crate) fn at_value(Axis { key, values }: &Axis, place: usize) -> String {
    let value = format!("{} {} {}", lower(key.label), values[place], key.unit);
    value.trim_end().to_owned()
}

/// A share in per cent, never rounded to all or nothing.
fn per_cent(share: f64) -> String {
    match format!("{:.1}", share * 100.0) {
        all if all == "100.0" && share < 1.0 => "over 99.9".to_owned(),
        none if none == "0.0" && share > 0.0 => "under 0.1".to_owned(),
        other => other,
    }
}

/// The curve of each policy over these positions, `factor` times as high.
pub(crate) fn policy_series(
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
            .map(|(&x, estimate)| Point {
                x,
                y: estimate.map_or(f64::NAN, |estimate| estimate.mean * factor),
                half_width: estimate
                    .and_then(|estimate| estimate.half_width)
                    .map(|half| half * factor),
            })
            .collect(),
        dimmed: false,
    });
    series.collect()
}

/// The axis of values in a unit of [`METRICS`], shown in the unit `shown`.
pub(crate) fn value_axis(unit: &str, shown: Unit) -> chart::Axis {
    let from_zero = |high| Scale::Linear {
        low: Some(0.0),
        high,
    };
    chart::Axis {
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
            "" => Scale::LogarithmicWhenWide,
            _ => from_zero(None),
        },
    }
}

/// Per cent at which an axis of shares may start, if no value is below.
const STARTS: [f64; 3] = [95.0, 90.0, 80.0];

/// Makes an axis of shares start near those of `curves`, with their intervals, if all are large,
/// and say so, as its lengths are then no shares.
fn begin_near(axis: &mut chart::Axis, curves: &Estimates) {
    let ends = curves.iter().flatten().flatten();
    let ends = ends.map(|of| (of.mean - of.half_width.unwrap_or(0.0)) * factor("share"));
    let least = ends.fold(f64::INFINITY, f64::min);
    let start = STARTS.into_iter().find(|&start| start <= least);
    if let Some(start) = start.filter(|_| least.is_finite()) {
        axis.label = format!("%, axis from {start} %");
        axis.scale = Scale::Linear {
            low: Some(start),
            high: Some(100.0),
        };
    }
}

pub(crate) fn values(axis: Option<&Axis>) -> Values {
    match axis {
        Some(axis) if axis.key.unit.is_empty() => Values {
            label: axis.key.label.to_owned(),
            values: axis.values.clone(),
        },
        Some(axis) => Values {
            label: format!("{} ({})", axis.key.label, axis.key.unit),
            values: axis.values.clone(),
        },
        None => Values {
            label: String::new(),
            values: vec![String::new()],
        },
    }
}

/// Notes on the numbers of a scenario.
pub fn notes(scenario: &Scenario) -> Vec<String> {
    let mut notes = vec![match (scenario.deterministic(), scenario.reps()) {
        (true, _) => "No input is random: each point is run once.".to_owned(),
        (false, 1) => "One replication: no confidence intervals.".to_owned(),
        (false, reps) => format!(
            "Means of {reps} replications ± half-width of the 95 % confidence interval (Student t); \
             all policies use the same random numbers."
        ),
    }];
    if !scenario.deterministic() && scenario.relevant("file") {
        notes.push("Only the bandwidth is random; sizes and times come from the trace.".to_owned());
    }
    if in_common(scenario) && scenario.policies().len() > 1 {
        notes.push("Statistics over: jobs that every policy ran.".to_owned());
    }
    for (key, what) in [
        ("warmup", "the first arrivals"),
        ("cooldown", "the jobs ending after the last arrival"),
    ] {
        match scenario.get(key) {
            "0" => {}
            share => notes.push(format!(
                "The metrics leave out {what}: a share of {share} ({key})."
            )),
        }
    }
    notes
}

/// The labels of the policies of a scenario.
pub(crate) fn names(scenario: &Scenario) -> impl Iterator<Item = String> {
    scenario.policies().iter().map(PolicySpec::label)
}

/// The printed unit of numbers in a unit of [`METRICS`].
pub fn printed_unit(unit: &'static str) -> &'static str {
    match unit {
        "share" => "%",
        unit => unit,
    }
}

/// The value 1 in the printed unit.
pub(crate) fn factor(unit: &str) -> f64 {
    match unit {
        "share" => 100.0,
        _ => 1.0,
    }
}

/// The printed estimate of a metric, in its [`printed_unit`].
pub fn shown(metric: &Metric, estimate: MeanEstimate) -> Value {
    printed(metric.unit, estimate)
}

/// The printed estimate in a unit of [`METRICS`]: four significant digits of the mean, or a tenth
/// of a per cent; `points` are shares too.
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

/// An estimate in a unit of [`METRICS`] for a sentence, in the unit `shown`; no finer than a tenth,
/// unless that rounds it to nothing.
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
pub(crate) mod tests {
    use super::*;
    use backfill_experiment::sweep::{CellRun, cells};
    use backfill_sim::run::Keep;

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
        let answer = Answer { scenario, results };
        let summary = answer.summary(0);
        assert_eq!(summary.policies, ["FCFS + AdaBa", "EASY + AdaBa"]);
        assert_eq!(summary.x.values, ["0.3", "0.5", "0.7", "0.9"]);
        assert_eq!(summary.metrics.len(), METRICS.len());
        for metric in &summary.metrics {
            assert_eq!(metric.curves.len(), 2);
            assert!(metric.curves.iter().all(|curve| curve.len() == 4));
        }
        let rate = summary.metrics[0].curves[0][0].clone().expect("jobs ran");
        assert_eq!((rate.to_string().as_str(), rate.n), ("100.0 ± 0.0", 2));
        let start = "At load 0.9, both policies accept all jobs. Among them, best wait time: ";
        assert!(summary.sentence.starts_with(start), "{}", summary.sentence);
        let chart = answer.chart(0, 0);
        assert_eq!(chart.series[1].points[3].x, 0.9);
        assert_eq!(chart.series[1].points[3].y, 100.0);
    }

    #[test]
    fn without_a_sweep_there_is_one_point() {
        let (scenario, results) = &simulated(&[("jobs", "20"), ("reps", "1"), ("x", "none")]);
        let answer = Answer { scenario, results };
        let summary = answer.summary(0);
        assert_eq!(summary.x.values, [""]);
        assert_eq!(answer.chart(1, 0).series[0].points.len(), 1);
        let rate = summary.metrics[0].curves[0][0].as_ref();
        assert!(rate.expect("jobs ran").half.is_none());
    }

    #[test]
    fn a_policy_that_runs_fewer_jobs_is_not_praised_for_short_waits() {
        let (scenario, results) = &simulated(&[
            ("jobs", "200"),
            ("reps", "2"),
            ("policy", "none,fcfs,easy"),
            ("x", "load:0.9"),
        ]);
        let sentence = Answer { scenario, results }.summary(0).sentence;
        assert!(sentence.contains("No queue + AdaBa only"), "{sentence}");
        assert!(!sentence.contains("time: No queue + AdaBa"), "{sentence}");
    }

    #[test]
    fn a_partial_answer_has_no_sentence_and_gaps_for_points() {
        let scenario = &Scenario::default();
        let results = &Results::new(scenario);
        let answer = Answer { scenario, results };
        assert_eq!(answer.summary(0).sentence, "");
        let points = &answer.chart(0, 0).series[0].points;
        assert_eq!(points.len(), 4);
        assert!(points.iter().all(|point| point.y.is_nan()));
    }

    #[test]
    fn an_axis_of_large_shares_begins_near_them_and_says_so() {
        let drawn = |mean, half_width| {
            let unit = Unit::suiting("share", 1.0);
            let mut axis = value_axis("share", unit);
            let n = 2;
            let estimate = MeanEstimate {
                mean,
                half_width,
                n,
            };
            begin_near(&mut axis, &vec![vec![None, Some(estimate)]]);
            let Scale::Linear { low, high } = axis.scale else {
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
