//! The outcomes of a scenario put together: numbers as they are printed, and the sentences that say
//! what they show.
//!
//! The page shows them live, the build writes them into the page as it is first seen, and the
//! command line prints them: all take them from here, so they cannot differ.
//!
//! - `numbers`: numbers as they are printed
//! - `summary`: all that is shown at one value of the second axis
//! - `sentence`: how many jobs run, and which policies do best
//! - `guarantee`: with how much guaranteed each policy does best
//! - `rejected`: jobs that can never run, and those that left
//! - `compare`: policies compared with one of them, pair by pair
//! - `over_time`: policies compared over the calendar, day by day and week by week
//! - `fairness`: how waits are spread over the jobs
//! - `surface`: a metric over two swept keys
//! - `methods`: how a result was made, for the section on methods of a paper

use backfill_sim::decimal::Decimal;
use backfill_sim::metrics::{ACCEPT_RATE, METRICS, Metric, Timed, position};
use backfill_sim::stats::{MeanEstimate, estimate};

use crate::language::scenario::{Axis, PolicySpec, Scenario};
use crate::language::words::lower;
use crate::study::sweep::Results;

pub mod compare;
pub mod fairness;
mod guarantee;
pub mod methods;
pub mod numbers;
pub mod over_time;
mod rejected;
mod sentence;
pub mod summary;
pub mod surface;

use numbers::Unit;

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

/// The position of the share of jobs that ran.
pub(crate) fn accept_rate() -> usize {
    position(ACCEPT_RATE).expect("a known metric")
}

/// The curves of one metric, by policy and x.
pub type Estimates = Vec<Vec<Option<MeanEstimate>>>;

impl Answer<'_> {
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

    /// The positions of the values of x on its axis: the values if they are numbers, else their
    /// indices.
    pub fn places(&self) -> Vec<f64> {
        let count = self.scenario.x().map_or(1, |axis| axis.values.len());
        self.numbers()
            .unwrap_or_else(|| (0..count).map(|place| place as f64).collect())
    }

    /// The values of x, if all are numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let values = &self.scenario.x()?.values;
        values
            .iter()
            .map(|value| Decimal::parse(value).map(Decimal::to_f64))
            .collect()
    }

    /// What the policies are called.
    pub fn policies(&self) -> impl Iterator<Item = String> {
        names(self.scenario)
    }

    /// Every metric's curves at one value of the second axis.
    pub fn estimates(&self, y: usize) -> Vec<Estimates> {
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
    pub fn unit(&self, metric: usize) -> Unit {
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

    /// The values of a metric of two policies at a point in the replications that both have.
    pub(super) fn pairs(
        &self,
        metric: usize,
        [x, y]: [usize; 2],
        policy: usize,
        other: usize,
    ) -> Vec<(f64, f64)> {
        let here = self.results.values(y, x, policy, metric);
        let there = self.results.values(y, x, other, metric);
        let both = here.into_iter().zip(there);
        both.filter_map(|(here, there)| Some((here?, there?)))
            .collect()
    }

    /// The difference of a metric between two policies at a point, replication by replication.
    pub(crate) fn difference(
        &self,
        metric: usize,
        point: [usize; 2],
        policy: usize,
        other: usize,
    ) -> Option<MeanEstimate> {
        let pairs = self.pairs(metric, point, policy, other).into_iter();
        let differences: Vec<f64> = pairs.map(|(here, there)| here - there).collect();
        estimate(&differences)
    }

    /// The remark for a comparison from one replication.
    pub(crate) fn of_one_replication(&self) -> &'static str {
        if self.scenario.reps() == 1 && !self.scenario.deterministic() {
            ", from one replication"
        } else {
            ""
        }
    }
}

/// A value of a swept key in words, as "load 0.9" or "mean bandwidth 500 Mbit/s".
pub(crate) fn at_value(Axis { key, values }: &Axis, place: usize) -> String {
    let value = format!("{} {} {}", lower(key.label), values[place], key.unit);
    value.trim_end().to_owned()
}

/// The labels of the policies of a scenario.
pub fn names(scenario: &Scenario) -> impl Iterator<Item = String> {
    scenario.policies().iter().map(PolicySpec::label)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::study::sweep::{Cell, CellOutcome, CellRun, cells};
    use backfill_sim::run::Keep;

    /// The outcome of a run of one job with these metrics alone.
    pub(crate) fn outcome(cell: Cell, metrics: &[(&str, f64)]) -> CellOutcome {
        let value = |name| {
            metrics
                .iter()
                .find(|metric| metric.0 == name)
                .map(|metric| metric.1)
        };
        CellOutcome {
            cell,
            digest: "0000000000000000".to_owned(),
            metrics: METRICS.iter().map(|metric| value(metric.name)).collect(),
            jobs: 1,
            over_time: None,
        }
    }

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
        let start = "At load 0.9, best wait time: ";
        assert!(summary.sentence.starts_with(start), "{}", summary.sentence);
    }

    #[test]
    fn without_a_sweep_there_is_one_point() {
        let (scenario, results) = &simulated(&[("jobs", "20"), ("reps", "1"), ("x", "none")]);
        let answer = Answer { scenario, results };
        let summary = answer.summary(0);
        assert_eq!(summary.x.values, [""]);
        let rate = summary.metrics[0].curves[0][0].as_ref();
        assert!(rate.expect("jobs ran").half.is_none());
    }

    #[test]
    fn a_partial_answer_has_no_sentence() {
        let scenario = &Scenario::default();
        let results = &Results::new(scenario);
        let answer = Answer { scenario, results };
        assert_eq!(answer.summary(0).sentence, "");
    }
}
