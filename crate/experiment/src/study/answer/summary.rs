//! The answer at one value of the second axis: every number as it is printed, what has to be known
//! of them, and the sentence that says what they show.

use backfill_sim::metrics::{Better, METRICS};
use backfill_sim::policy::Queue;
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
    /// The names of those shown by default, the accept rate last if all policies run all jobs.
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
            headline: self.headline(&estimates),
            sentence: match self.results.digest() {
                Some(_) => {
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
                }
                None => String::new(),
            },
        }
    }

    /// The names of the metrics shown by default. The accept rate comes last where it shows no
    /// difference: all policies run all jobs, or will, as each has a queue.
    fn headline(&self, estimates: &[Estimates]) -> Vec<&'static str> {
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
        let names = shown.into_iter().map(|metric| METRICS[metric].name);
        names.collect()
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
    use crate::study::answer::tests::simulated;
    use crate::study::sweep::Results;

    #[test]
    fn the_accept_rate_steps_back_where_all_policies_run_all_jobs() {
        let last = ["wait_mean", "bsd_mean", "accept_rate"];
        let first = ["accept_rate", "wait_mean", "bsd_mean"];
        for (policies, expected) in [("fcfs,easy", last), ("none,easy", first)] {
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
