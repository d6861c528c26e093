//! The answer at one value of the second axis: every number as it is printed, what has to be known
//! of them, and the sentence that says what they show.

use std::cmp::Ordering;

use backfill_sim::metrics::{Better, METRICS};
use backfill_sim::policy::Queue;
use backfill_sim::sorting;
use backfill_sim::stats::MeanEstimate;
use serde::Serialize;

use crate::language::scenario::{Axis, Scenario};
use crate::study::answer::numbers::{Value, shown};
use crate::study::answer::{Answer, Estimates, accept_rate, in_common};

/// The answer at one value of the second axis, in words and numbers.
#[derive(Debug, Serialize, ts_rs::TS)]
#[ts(rename = "Summary")]
pub struct AnswerSummary {
    /// The first axis.
    pub x: AxisValues,
    /// The second axis; one value without a name if there is none.
    pub y: AxisValues,
    /// The labels of the curves.
    pub policies: Vec<String>,
    /// Notes on the numbers.
    pub notes: Vec<String>,
    /// Every metric.
    pub metrics: Vec<MetricCurves>,
    /// The names of those shown by default: once all numbers are there, first that in which the
    /// policies differ most; the accept rate last if all policies run all jobs.
    pub headline: Vec<&'static str>,
    /// The summary of the numbers; empty while some are missing.
    pub sentence: String,
}

/// A swept key and its values.
#[derive(Clone, Debug, Serialize, ts_rs::TS)]
#[ts(rename = "Values")]
pub struct AxisValues {
    /// The label of the key, with its unit; empty if nothing is swept.
    pub label: String,
    /// Its values; one empty value if nothing is swept.
    pub values: Vec<String>,
}

/// A metric and its curves.
#[derive(Debug, Serialize, ts_rs::TS)]
#[ts(rename = "Curves")]
pub struct MetricCurves {
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

impl Answer<'_> {
    /// The answer at the value `y` of the second axis.
    pub fn summary(&self, y: usize) -> AnswerSummary {
        let estimates = self.estimates(y);
        let is_complete = self.results.digest().is_some();
        let curves = |position: usize, estimates: &Estimates| {
            let metric = &METRICS[position];
            let unit = self.unit(position);
            let value =
                |estimate: &Option<MeanEstimate>| estimate.map(|of| shown(metric, unit.of(of)));
            MetricCurves {
                name: metric.name,
                label: metric.label,
                unit: unit.name,
                better: metric.better,
                curves: (estimates.iter())
                    .map(|curve| curve.iter().map(value).collect())
                    .collect(),
            }
        };
        AnswerSummary {
            x: values(self.scenario.x()),
            y: values(self.scenario.y()),
            policies: self.policies().collect(),
            notes: notes(self.scenario),
            metrics: (estimates.iter().enumerate())
                .map(|(metric, estimates)| curves(metric, estimates))
                .collect(),
            headline: self.headline(&estimates, is_complete.then_some(y)),
            sentence: if is_complete {
                let mut sentences = self.best_guarantees(y);
                sentences.push(self.who_does_best(&estimates, y));
                let last = self.places().len() - 1;
                sentences.extend(self.weeks_in_words([last, y]));
                if !self.about_recorded().is_empty() {
                    sentences.push(self.about_recorded().to_owned());
                }
                let never = self.never_run(y).into_iter();
                let more = never.chain(self.left_queue(y));
                sentences.join(" ") + &more.collect::<String>()
            } else {
                String::new()
            },
        }
    }

    /// The names of the metrics shown by default: once all numbers are there, in order of their
    /// differences. Before, and without a difference, the accept rate comes last where all policies
    /// run all jobs, or will, as each has a queue.
    ///
    /// `y` is the value of the second axis, once all numbers are there.
    fn headline(&self, estimates: &[Estimates], y: Option<usize>) -> Vec<&'static str> {
        let accepted = accept_rate();
        let rates = estimates[accepted].iter().flatten().flatten();
        let least = rates.fold(f64::NAN, |least, rate| rate.mean.min(least));
        let mut shown = self.scenario.headline();
        let has_rejections = if least.is_nan() {
            let mut policies = self.scenario.policies().iter();
            policies.any(|policy| policy.queue == Queue::None)
        } else {
            least < 1.0
        };
        if !has_rejections && shown.first() == Some(&accepted) {
            shown.rotate_left(1);
        }
        let difference = |metric: usize| match y {
            Some(y) => self.largest_difference(metric, &estimates[metric], y),
            None => 0.0,
        };
        let differences = shown.into_iter().map(|metric| (metric, difference(metric)));
        let mut shown: Vec<(usize, f64)> = differences.collect();
        sorting::by(&mut shown, |one, other| {
            other.1.partial_cmp(&one.1).unwrap_or(Ordering::Equal)
        });
        shown.iter().map(|of| METRICS[of.0].name).collect()
    }

    /// The largest difference of a policy to the reference in a metric, as a share of the largest
    /// value, without what may be chance, and without policies that cannot be compared as they run
    /// other jobs.
    fn largest_difference(&self, metric: usize, estimates: &Estimates, y: usize) -> f64 {
        let values = estimates.iter().flatten().flatten();
        let largest = values.fold(0.0, |largest: f64, value| largest.max(value.mean.abs()));
        let mut difference = 0.0_f64;
        for (policy, curve) in estimates.iter().enumerate() {
            for x in 0..curve.len() {
                if let Some(pair) = self.pair(metric, y, x, policy)
                    && !pair.excluded
                {
                    let chance = pair.difference.half_width.unwrap_or(0.0);
                    difference = difference.max(pair.difference.mean.abs() - chance);
                }
            }
        }
        if largest > 0.0 {
            difference / largest
        } else {
            0.0
        }
    }
}

/// A swept key and its values as a reader knows them.
pub fn values(axis: Option<&Axis>) -> AxisValues {
    match axis {
        Some(axis) if axis.key.unit.is_empty() => AxisValues {
            label: axis.key.label.to_owned(),
            values: axis.values.clone(),
        },
        Some(axis) => AxisValues {
            label: format!("{} ({})", axis.key.label, axis.key.unit),
            values: axis.values.clone(),
        },
        None => AxisValues {
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
        let drawn = match (scenario.get("bandwidth"), scenario.get("cap_bandwidth")) {
            ("normal", cap) => format!(
                "The log holds no bandwidth; {} Mbit/s on average is drawn{}. ",
                scenario.get("bandwidth_mbps"),
                match cap {
                    "fits" => ", at most what the empty system can guarantee to a job of that size",
                    _ => "",
                }
            ),
            _ => String::new(),
        };
        notes.push(format!(
            "{drawn}Only the bandwidth is random; sizes and times come from the trace."
        ));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::answer::tests::{outcome, simulated};
    use crate::study::sweep::{Results, cells};

    #[test]
    fn the_metric_in_which_policies_differ_most_comes_first_once_all_runs_are_there() {
        let accepting = ["accept_rate", "wait_mean", "bsd_mean"];
        let differing = ["bsd_mean", "wait_mean", "accept_rate"];
        // Accept rate, wait time and bounded slowdown of two policies.
        for (values, expected) in [
            ([[0.9, 100.0, 8.0], [0.9, 90.0, 4.0]], differing),
            ([[0.9, 100.0, 4.0], [0.89, 100.0, 4.0]], accepting),
            // Who rejects more jobs is not compared in the other metrics.
            ([[0.9, 100.0, 8.0], [0.5, 0.0, 1.0]], accepting),
            ([[0.9, 100.0, 4.0], [0.9, 100.0, 4.0]], accepting),
        ] {
            let pairs = [("reps", "1"), ("policy", "fcfs,none"), ("x", "load:0.9")];
            let scenario = &Scenario::parse(pairs).expect("a valid scenario");
            let mut results = Results::new(scenario);
            for cell in cells(scenario) {
                let answer = Answer {
                    scenario,
                    results: &results,
                };
                assert_eq!(answer.summary(0).headline, accepting, "runs are missing");
                let [rate, wait, slowdown] = values[cell.policy];
                results.add(outcome(
                    cell,
                    &[
                        ("accept_rate", rate),
                        ("wait_mean", wait),
                        ("bsd_mean", slowdown),
                    ],
                ));
            }
            let results = &results;
            let headline = Answer { scenario, results }.summary(0).headline;
            assert_eq!(headline, expected, "{values:?}");
        }
    }

    #[test]
    fn the_accept_rate_steps_back_where_all_policies_run_all_jobs() {
        let last = ["wait_mean", "bsd_mean", "accept_rate"];
        let first = ["accept_rate", "wait_mean", "bsd_mean"];
        for (policies, expected) in [("fcfs", last), ("fcfs,easy", last), ("none,easy", first)] {
            let pairs = [
                ("jobs", "100"),
                ("reps", "1"),
                ("policy", policies),
                ("x", "load:0.9"),
            ];
            let (scenario, results) = &simulated(&pairs);
            for results in [results, &Results::new(scenario)] {
                let headline = Answer { scenario, results }.summary(0).headline;
                assert_eq!(headline, expected, "{policies}");
            }
        }
    }
}
