//! The outcomes of a scenario put together: curves, charts, and the sentence that says what they show.
//!
//! The page shows it live and the build writes it into the page as it is first seen: both take it
//! from here, so they cannot differ.

use backfill_plot::chart::{Axis, Chart, Names, Point, Quantity, Series};
use backfill_plot::scale::Scale;
use backfill_sim::metrics::{Better, METRICS, Metric};
use backfill_sim::scenario::{PolicySpec, Scenario};
use backfill_sim::stats::Estimate;
use backfill_sim::sweep::{Outcome, Results};
use serde::Serialize;

/// Policies whose accept rates are no further apart than this run about the same jobs, so that their
/// waiting times can be compared.
const SAME_JOBS: f64 = 0.02;

/// The outcomes of a scenario so far.
pub struct Answer {
    scenario: Scenario,
    results: Results,
}

/// The answer at one value of the second axis, in plain words and numbers.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The first axis.
    pub x: Values,
    /// The second axis; one nameless value where there is none.
    pub y: Values,
    /// What each curve is called.
    pub policies: Vec<String>,
    /// How many replications stand behind a point.
    pub replications: u32,
    /// Every metric, those that are shown first in front.
    pub metrics: Vec<Curves>,
    /// What the numbers say; empty while some are missing.
    pub sentence: String,
}

/// A swept key and its values.
#[derive(Debug, Serialize)]
pub struct Values {
    /// The key as a reader knows it, with its unit; empty where nothing is swept.
    pub label: String,
    /// Its values; one empty one where nothing is swept.
    pub values: Vec<String>,
}

/// A metric and its curves.
#[derive(Debug, Serialize)]
pub struct Curves {
    /// The metric's name.
    pub name: &'static str,
    /// What a reader calls it.
    pub label: &'static str,
    /// The unit of the numbers, as it is printed.
    pub unit: &'static str,
    /// How it is computed.
    pub help: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// One curve for each policy, with one place for each value of x.
    pub curves: Vec<Vec<Option<Value>>>,
}

/// A mean over replications, as it is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// The mean.
    pub mean: String,
    /// Half the width of its 95 % interval, to the same place.
    pub half: Option<String>,
    /// Over how many replications.
    pub n: u32,
}

/// The metrics that are shown where nobody chose.
pub fn headline() -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|metric| metric.headline)
}

/// The curves of one metric, by policy and x.
type Estimates = Vec<Vec<Option<Estimate>>>;

impl Answer {
    /// No outcome yet.
    pub fn new(scenario: Scenario) -> Answer {
        let results = Results::new(&scenario);
        Answer { scenario, results }
    }

    /// Adds the outcome of a cell of the scenario.
    pub fn add(&mut self, outcome: Outcome) {
        self.results.add(outcome);
    }

    /// The fingerprint of the whole scenario, once every cell is there.
    pub fn digest(&self) -> Option<String> {
        self.results.digest()
    }

    /// The answer at the value `y` of the second axis.
    pub fn summary(&self, y: usize) -> Summary {
        let estimates = self.estimates(y);
        let curves = |metric: &'static Metric, estimates: &Estimates| Curves {
            name: metric.name,
            label: metric.label,
            unit: unit(metric),
            help: metric.help,
            better: metric.better,
            curves: estimates
                .iter()
                .map(|curve| {
                    let value = |estimate: &Option<Estimate>| estimate.map(|e| shown(metric, e));
                    curve.iter().map(value).collect()
                })
                .collect(),
        };
        Summary {
            x: values(self.scenario.x()),
            y: values(self.scenario.y()),
            policies: self.policies().collect(),
            replications: self.scenario.reps(),
            metrics: METRICS
                .iter()
                .zip(&estimates)
                .map(|(metric, estimates)| curves(metric, estimates))
                .collect(),
            sentence: match self.digest() {
                Some(_) => self.sentence(&estimates),
                None => String::new(),
            },
        }
    }

    /// The chart of a metric at the value `y` of the second axis, without the curves that are
    /// `hidden`; under it stands what x is, if it is `labelled`.
    pub fn chart(&self, metric: usize, y: usize, hidden: &[u32], labelled: bool) -> Chart {
        let Values { label, values } = values(self.scenario.x());
        let places = self.places();
        let metric_shown = &METRICS[metric];
        let estimates = self.estimates(y).swap_remove(metric);
        let series = self
            .policies()
            .zip(estimates)
            .enumerate()
            .filter(|(style, _)| !hidden.contains(&(*style as u32)))
            .map(|(style, (label, curve))| Series {
                label,
                style,
                points: places
                    .iter()
                    .zip(curve)
                    .filter_map(|(&x, estimate)| {
                        estimate.map(|estimate| Point {
                            x,
                            y: estimate.mean,
                            half_width: estimate.half_width,
                        })
                    })
                    .collect(),
                dimmed: false,
            })
            .collect();
        let free = Scale::Linear {
            low: None,
            high: None,
        };
        Chart {
            title: String::new(),
            x: Axis {
                label: if labelled { label } else { String::new() },
                quantity: Quantity::Number,
                scale: match self.numbers() {
                    Some(_) => free,
                    None => Scale::Categories(values),
                },
            },
            y: Axis {
                label: String::new(),
                quantity: match metric_shown.unit {
                    "s" => Quantity::Seconds,
                    _ => Quantity::Number,
                },
                scale: match metric_shown.unit {
                    "share" => Scale::Linear {
                        low: Some(0.0),
                        high: Some(1.0),
                    },
                    "" => Scale::LogarithmicWhenWide,
                    _ => Scale::Linear {
                        low: Some(0.0),
                        high: None,
                    },
                },
            },
            series,
            names: Names::Outside,
        }
    }

    /// Where the values of x stand on its axis: at themselves if they are numbers, else one by one.
    pub fn places(&self) -> Vec<f64> {
        let count = self.scenario.x().map_or(1, |axis| axis.values.len());
        self.numbers()
            .unwrap_or_else(|| (0..count).map(|place| place as f64).collect())
    }

    fn numbers(&self) -> Option<Vec<f64>> {
        let values = &self.scenario.x()?.values;
        values.iter().map(|value| value.parse().ok()).collect()
    }

    fn policies(&self) -> impl Iterator<Item = String> {
        self.scenario.policies().iter().map(PolicySpec::label)
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

    /// What the numbers say at the last value of x: how many jobs run, and who of those that run about
    /// as many does best otherwise. A policy that turns more jobs away has it easier with the rest, so
    /// it is not compared with the others.
    fn sentence(&self, estimates: &[Estimates]) -> String {
        let Values { label, values } = values(self.scenario.x());
        let (last, place) = (values.len() - 1, values.last().map_or("", String::as_str));
        let names: Vec<String> = self.policies().collect();
        let at = |metric: usize, policy: usize| estimates[metric][policy][last];
        let mut headline = METRICS
            .iter()
            .enumerate()
            .filter(|(_, metric)| metric.headline);
        let Some((first, accepted)) = headline.next() else {
            return String::new();
        };
        let rates: Vec<(usize, Estimate)> = (0..names.len())
            .filter_map(|policy| Some((policy, at(first, policy)?)))
            .collect();
        let most = rates.iter().map(|(_, rate)| rate.mean).fold(0.0, f64::max);
        let (alike, fewer): (Vec<_>, Vec<_>) = rates
            .into_iter()
            .partition(|(_, rate)| most - rate.mean <= SAME_JOBS);
        let Some(&(_, best)) = alike.iter().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)) else {
            return String::new();
        };

        let mut sentence = if label.is_empty() {
            String::new()
        } else {
            format!("At {} {place}, ", lower(&label))
        };
        let all = fewer.is_empty() && names.len() > 1;
        let who = match all {
            true => format!("all {} policies", names.len()),
            false => listed(alike.iter().map(|(policy, _)| names[*policy].as_str())),
        };
        sentence += &format!("{who} run {} of the jobs", percent(best.mean));
        if all && alike.iter().any(|(_, rate)| best.mean - rate.mean > 0.0005) {
            sentence += " or nearly as many";
        }
        for (policy, rate) in &fewer {
            let rate = shown(accepted, *rate);
            sentence += &format!(", {} {}", names[*policy], printed(&rate, unit(accepted)));
        }
        sentence += ".";
        if alike.len() > 1 {
            for (index, metric) in headline {
                let values = alike
                    .iter()
                    .filter_map(|(policy, _)| Some((*policy, at(index, *policy)?)));
                let best = match metric.better {
                    Better::Lower => values.min_by(|a, b| a.1.mean.total_cmp(&b.1.mean)),
                    Better::Higher => values.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)),
                    Better::Neither => None,
                };
                if let Some((policy, estimate)) = best {
                    let how = match metric.better {
                        Better::Higher => "highest",
                        _ => "lowest",
                    };
                    sentence += &format!(
                        " {} is {how} with {}: {}.",
                        metric.label,
                        names[policy],
                        printed(&shown(metric, estimate), unit(metric))
                    );
                }
            }
        }
        sentence
    }
}

fn values(axis: Option<&backfill_sim::scenario::Axis>) -> Values {
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

/// The unit in which the numbers of a metric are printed.
fn unit(metric: &Metric) -> &'static str {
    match metric.unit {
        "share" => "%",
        unit => unit,
    }
}

/// An estimate as it is printed: four significant digits of the mean, or a tenth of a per cent.
fn shown(metric: &Metric, estimate: Estimate) -> Value {
    let (factor, places) = match metric.unit {
        "share" => (100.0, 1),
        _ => match estimate.mean.abs() {
            mean if mean >= 1000.0 => (1.0, 0),
            mean if mean >= 100.0 => (1.0, 1),
            mean if mean >= 10.0 => (1.0, 2),
            _ => (1.0, 3),
        },
    };
    let print = |value: f64| grouped(&format!("{:.places$}", value * factor));
    Value {
        mean: print(estimate.mean),
        half: estimate.half_width.map(print),
        n: estimate.n,
    }
}

/// A number with its thousands apart.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.trim_start_matches('-').len();
    let mut grouped = String::new();
    for (index, character) in whole.chars().enumerate() {
        let left = whole.len() - index;
        if left < digits && left.is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(character);
    }
    grouped + rest
}

fn printed(value: &Value, unit: &str) -> String {
    let mut printed = value.mean.clone();
    if let Some(half) = &value.half {
        printed += &format!(" ± {half}");
    }
    if !unit.is_empty() {
        printed += &format!(" {unit}");
    }
    printed
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// With a small first letter, unless it begins with an abbreviation.
fn lower(label: &str) -> String {
    let mut characters = label.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_sim::sweep::{CellRun, cells};

    fn answer(pairs: &[(&str, &str)]) -> Answer {
        let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
        let mut answer = Answer::new(scenario.clone());
        for cell in cells(&scenario) {
            let run = CellRun::new(&scenario, cell, None, false).expect("no trace is needed");
            answer.add(run.finish().0);
        }
        answer
    }

    #[test]
    fn a_sweep_is_a_curve_for_each_policy() {
        let answer = answer(&[("jobs", "40"), ("reps", "2"), ("policy", "fcfs,easy")]);
        let summary = answer.summary(0);
        assert_eq!(summary.policies, ["FCFS + AdaBa", "EASY + AdaBa"]);
        assert_eq!(summary.x.values, ["0.3", "0.5", "0.7", "0.9"]);
        assert_eq!(summary.metrics.len(), METRICS.len());
        for metric in &summary.metrics {
            assert_eq!(metric.curves.len(), 2);
            assert!(metric.curves.iter().all(|curve| curve.len() == 4));
        }
        let rate = summary.metrics[0].curves[0][0].clone().expect("jobs ran");
        assert_eq!((rate.mean.as_str(), rate.n), ("100.0", 2));
        let start = "At load 0.9, all 2 policies run 100.0 % of the jobs. Waiting time";
        assert!(summary.sentence.starts_with(start), "{}", summary.sentence);
        let chart = answer.chart(0, 0, &[1], true);
        assert_eq!(chart.series.len(), 1);
        assert_eq!(chart.series[0].points[3].x, 0.9);
    }

    #[test]
    fn without_a_sweep_there_is_one_point() {
        let answer = answer(&[("jobs", "20"), ("reps", "1"), ("x", "none")]);
        let summary = answer.summary(0);
        assert_eq!(summary.x.values, [""]);
        assert_eq!(answer.chart(1, 0, &[], true).series[0].points.len(), 1);
        assert!(
            summary.metrics[0].curves[0][0]
                .as_ref()
                .unwrap()
                .half
                .is_none()
        );
    }

    #[test]
    fn a_partial_answer_has_no_sentence_and_no_digest() {
        let answer = Answer::new(Scenario::default());
        assert_eq!(answer.digest(), None);
        assert_eq!(answer.summary(0).sentence, "");
        assert!(answer.chart(0, 0, &[], false).series[0].points.is_empty());
    }

    #[test]
    fn numbers_are_printed_with_four_digits() {
        let metric = METRICS.iter().find(|metric| metric.unit == "s").unwrap();
        let value = |mean| {
            let half_width = Some(1.0);
            shown(
                metric,
                Estimate {
                    mean,
                    half_width,
                    n: 2,
                },
            )
        };
        assert_eq!(printed(&value(1_234_567.8), "s"), "1,234,568 ± 1 s");
        assert_eq!(printed(&value(-1234.5), "s"), "-1,234 ± 1 s");
        assert_eq!(printed(&value(123.45), ""), "123.5 ± 1.0");
        assert_eq!(printed(&value(0.0), ""), "0.000 ± 1.000");
    }
}
