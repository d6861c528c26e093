//! The distribution of waits over jobs, at one point of a scenario: for each policy the
//! distribution behind its mean wait.
//!
//! Two curves over the share of jobs, in order of wait: the wait that this share does not exceed,
//! and its share of all waiting, beside that of equal waits. Each value is a mean over the
//! replications with its interval, as in [`crate::answer`].

use backfill_experiment::scenario::Scenario;
use backfill_experiment::spread::{LEVELS, Spread};
use backfill_experiment::sweep::Cell;
use backfill_experiment::words::{capital, lower};
use backfill_sim::metrics::Better;
use backfill_sim::stats::{MeanEstimate, estimate};

use crate::answer::{
    Curves, Estimates, Summary, Unit, Values, factor, names, notes, policy_series, printed, spoken,
    value_axis, values,
};
use crate::chart::{Axis, Chart, Names, Point, Quantity, Series};
use crate::colour::SERIES_STYLES;
use crate::paper;
use crate::scale::Scale;

/// One of the two curves.
#[derive(Clone, Copy, Debug)]
struct Curve {
    name: &'static str,
    label: &'static str,
    /// As in metrics.
    unit: &'static str,
    help: &'static str,
    of: fn(&Spread) -> &[Option<f64>],
}

/// The two curves, in the order in which they are shown.
static CURVES: [Curve; 2] = [
    Curve {
        name: "quantiles",
        label: "Wait time by share of jobs",
        unit: "s",
        help: "The wait that so many of the jobs do not exceed; those that wait least come first.",
        of: |spread| &spread.waits,
    },
    Curve {
        name: "lorenz",
        label: "Share of all waiting",
        unit: "share",
        help: "Lorenz curve: the share of all waiting that falls to so many of the jobs; the further below the \
               dotted line of equal waits, the less even.",
        of: |spread| &spread.lorenz,
    },
];

/// The metrics that summarise the curves in one number.
const BESIDE: [&str; 6] = [
    "wait_mean",
    "wait_median",
    "wait_p95",
    "wait_max",
    "wait_sd",
    "wait_gini",
];

/// The distributions of waits at one point of a scenario.
#[derive(Clone, Debug)]
pub struct Fairness<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The distributions so far, by run.
    pub spreads: &'a [(Cell, Spread)],
}

/// The distributions in words and numbers.
#[derive(Debug, serde::Serialize, ts_rs::TS)]
pub struct Spreads {
    /// The curves, with shares of jobs instead of the swept values.
    #[serde(flatten)]
    pub summary: Summary,
    /// The meaning of each, in one sentence.
    pub meanings: Vec<&'static str>,
    /// The metrics that summarise them in one number.
    pub beside: [&'static str; 6],
    /// A sentence on the waits of each policy with data.
    pub sentences: Vec<String>,
}

impl Fairness<'_> {
    /// The curves as numbers, with a summary in words.
    pub fn told(&self) -> Spreads {
        let sentences = self.sentences();
        let curves = CURVES.iter().map(|curve| Curves {
            name: curve.name,
            label: curve.label,
            unit: self.unit(curve).name,
            better: Better::Neither,
            curves: self
                .estimates(curve)
                .into_iter()
                .map(|estimates| {
                    let unit = self.unit(curve);
                    let value = |of: MeanEstimate| printed(curve.unit, unit.of(of));
                    estimates.into_iter().map(|of| of.map(value)).collect()
                })
                .collect(),
        });
        Spreads {
            summary: Summary {
                x: Values {
                    label: "Jobs (%)".to_owned(),
                    values: LEVELS.iter().map(u32::to_string).collect(),
                },
                y: values(None),
                policies: names(self.scenario).collect(),
                notes: notes(self.scenario),
                metrics: curves.collect(),
                headline: CURVES.iter().map(|curve| curve.name).collect(),
                sentence: self.sentence().unwrap_or_default(),
            },
            meanings: CURVES.iter().map(|curve| curve.help).collect(),
            beside: BESIDE,
            sentences,
        }
    }

    /// The chart of a curve, by its name; `None` if there is no such curve.
    pub fn chart(&self, name: &str) -> Option<Chart> {
        let curve = CURVES.iter().find(|curve| curve.name == name)?;
        let curves = self.estimates(curve);
        let mut series = policy_series(names(self.scenario), &places(), curves, factor(curve.unit));
        if curve.unit == "share" {
            let equal = |x: f64| Point {
                x,
                y: x,
                half_width: None,
            };
            series.push(Series {
                label: "equal waits".to_owned(),
                style: series.len().max(SERIES_STYLES - 1),
                points: vec![equal(0.0), equal(100.0)],
                dimmed: true,
            });
        }
        Some(Chart {
            title: match self.place().as_str() {
                "" => curve.label.to_owned(),
                place => format!("{}, {place}", curve.label),
            },
            x: Axis {
                label: "Jobs (%), by wait".to_owned(),
                quantity: Quantity::Number,
                scale: Scale::Linear {
                    low: Some(0.0),
                    high: Some(100.0),
                },
            },
            y: value_axis(curve.unit, self.unit(curve)),
            series,
            names: Names::Legend,
        })
    }

    /// The chart of a curve as a file of its own, as [`crate::answer::Answer::svg`] makes it.
    pub fn svg(&self, name: &str, inches: Option<f64>) -> Option<String> {
        Some(paper::document(&self.chart(name)?, inches))
    }

    /// The numbers of that chart, as [`crate::answer::Answer::figure_csv`] has them; times in
    /// seconds.
    pub fn csv(&self, name: &str) -> Option<String> {
        let labels = LEVELS.map(|level| level.to_string());
        let mut chart = self.chart(name)?;
        chart.series.retain(|series| !series.dimmed);
        Some(paper::numbers(&chart, &places(), &labels))
    }

    /// A policy's mean at every level over the available replications.
    fn estimates(&self, curve: &Curve) -> Estimates {
        let policies = 0..self.scenario.policies().len();
        let at = |policy: usize, level: usize| {
            let values = self
                .of(policy)
                .filter_map(|spread| (curve.of)(spread)[level]);
            estimate(&values.collect::<Vec<f64>>())
        };
        policies
            .map(|policy| (0..LEVELS.len()).map(|level| at(policy, level)).collect())
            .collect()
    }

    /// The unit of a curve: it suits all but the longest waits, so that usual waits are readable.
    fn unit(&self, curve: &Curve) -> Unit {
        let curves = self.estimates(curve);
        let most = |level: usize| {
            let means = curves.iter().filter_map(|levels| levels[level]);
            means.map(|mean| mean.mean).fold(0.0, f64::max)
        };
        let usual = most(at(95));
        Unit::suiting(curve.unit, if usual > 0.0 { usual } else { most(at(100)) })
    }

    fn of(&self, policy: usize) -> impl Iterator<Item = &Spread> {
        let runs = self.spreads.iter();
        runs.filter_map(move |(cell, spread)| (cell.policy == policy).then_some(spread))
    }

    fn gini(&self, policy: usize) -> Option<MeanEstimate> {
        let values = self.of(policy).filter_map(|spread| spread.gini);
        estimate(&values.collect::<Vec<f64>>())
    }

    /// The point of the scenario, in words.
    fn place(&self) -> String {
        let Some((cell, _)) = self.spreads.first() else {
            return String::new();
        };
        let axes = [(self.scenario.x(), cell.x), (self.scenario.y(), cell.y)];
        let axes = axes.into_iter().filter_map(|(axis, at)| Some((axis?, at)));
        let values = axes.map(|(axis, at)| format!("{} = {}", axis.key.label, axis.values[at]));
        values.collect::<Vec<String>>().join(", ")
    }

    /// The policy with the most even waits; `None` without data on several policies.
    fn sentence(&self) -> Option<String> {
        let known = (0..self.scenario.policies().len())
            .filter_map(|policy| Some((self.gini(policy)?, policy)));
        let mut known: Vec<(MeanEstimate, usize)> = known.collect();
        known.sort_by(|one, other| one.0.mean.total_cmp(&other.0.mean));
        let ((least, even), (most, uneven)) = match known[..] {
            [first, .., last] => (first, last),
            _ => return None,
        };
        let names: Vec<String> = names(self.scenario).collect();
        let place = match self.place().as_str() {
            "" => String::new(),
            place => format!("at {}, ", lower(place)),
        };
        let named = |policy: usize, gini: MeanEstimate| {
            format!("{} (Gini {} %)", names[policy], printed("share", gini))
        };
        let (even, uneven) = (named(even, least), named(uneven, most));
        let differences = self.gini_differences(known[0].1, known[known.len() - 1].1);
        let open = estimate(&differences).is_some_and(|difference| {
            let half = difference.half_width.unwrap_or(0.0);
            difference.mean.abs() <= half || difference.mean == 0.0
        });
        Some(capital(if open {
            format!(
                "{place}no significant difference in how evenly waits are spread, from {even} to {uneven}."
            )
        } else {
            format!(
                "{place}waits are spread most evenly under {even}, least evenly under {uneven}."
            )
        }))
    }

    /// How much less even waits are under one policy than under another, by replication.
    fn gini_differences(&self, one: usize, other: usize) -> Vec<f64> {
        let of = |policy: usize, replication: u32| {
            let mut runs = self.spreads.iter();
            let run =
                runs.find(|(cell, _)| (cell.policy, cell.replication) == (policy, replication));
            run?.1.gini
        };
        (0..self.scenario.reps())
            .filter_map(|replication| Some(of(other, replication)? - of(one, replication)?))
            .collect()
    }

    /// A sentence on the waits of each policy.
    fn sentences(&self) -> Vec<String> {
        let [waits, shares] = [&CURVES[0], &CURVES[1]].map(|curve| self.estimates(curve));
        let unit = self.unit(&CURVES[0]);
        let sentences = names(self.scenario)
            .enumerate()
            .filter_map(|(policy, name)| {
                let wait = |percent| Some(spoken(unit, "s", waits[policy][at(percent)]?));
                if waits[policy][at(100)]?.mean == 0.0 {
                    return Some(format!("{name}: no job waits."));
                }
                let mut sentence = format!(
                    "{name}: half of the jobs wait at most {}, 95 % at most {}, the longest {}",
                    wait(50)?,
                    wait(95)?,
                    wait(100)?
                );
                if let Some(share) = shares[policy][at(90)] {
                    let rest = MeanEstimate {
                        mean: 1.0 - share.mean,
                        ..share
                    };
                    let rest = printed("share", rest);
                    sentence +=
                        &format!("; the tenth that waits longest has {rest} % of all waiting");
                }
                Some(sentence + ".")
            });
        sentences.collect()
    }
}

/// The position of a share of jobs in per cent among the levels.
fn at(percent: u32) -> usize {
    let level = LEVELS.iter().position(|level| *level == percent);
    level.expect("a level")
}

/// The shares of jobs in per cent, as positions.
pub fn places() -> Vec<f64> {
    LEVELS.into_iter().map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::simulated;
    use backfill_experiment::sweep::{CellRun, cells};
    use backfill_sim::metrics;
    use backfill_sim::run::Keep;

    #[test]
    fn curves_agree_with_the_metrics_of_the_same_runs() {
        let (scenario, results) = simulated(&[
            ("jobs", "150"),
            ("reps", "3"),
            ("policy", "fcfs,easy"),
            ("x", "load:0.9"),
        ]);
        let spread = |cell| {
            let run =
                CellRun::new(&scenario, cell, None, Keep::Histories).expect("no trace is needed");
            run.spread()
        };
        let spreads: Vec<(Cell, Spread)> = cells(&scenario).into_iter().map(spread).collect();
        let fairness = Fairness {
            scenario: &scenario,
            spreads: &spreads,
        };
        let metric = |name: &str, policy| {
            let values = results.values(0, 0, policy, metrics::position(name).expect("a metric"));
            estimate(&values.into_iter().flatten().collect::<Vec<f64>>())
        };
        for policy in 0..2 {
            assert_eq!(fairness.gini(policy), metric("wait_gini", policy));
            let waits = &fairness.estimates(&CURVES[0])[policy];
            let level = |percent: u32| {
                LEVELS
                    .iter()
                    .position(|of| *of == percent)
                    .expect("a level")
            };
            for (percent, name) in [(50, "wait_median"), (95, "wait_p95"), (100, "wait_max")] {
                assert_eq!(waits[level(percent)], metric(name, policy), "{name}");
            }
        }
        for name in BESIDE {
            assert!(metrics::position(name).is_some(), "{name}");
        }
        let found = fairness.told();
        assert_eq!(found.sentences.len(), 2);
        let start = "At load = 0.9, waits are spread most evenly under ";
        let sentence = found.summary.sentence;
        assert!(sentence.starts_with(start), "{sentence}");
        let csv = fairness.csv("lorenz").expect("a curve");
        assert_eq!(csv.lines().count(), 1 + LEVELS.len());
        assert!(
            csv.starts_with("x,mean0,half0,mean1,half1\n0,0,0,0,0\n"),
            "{csv}"
        );
        assert!(
            fairness
                .svg("quantiles", None)
                .expect("a curve")
                .contains("FCFS + AdaBa")
        );
        assert!(fairness.chart("mean").is_none());
    }

    #[test]
    fn missing_runs_have_no_sentence() {
        let fairness = Fairness {
            scenario: &Scenario::default(),
            spreads: &[],
        };
        let found = fairness.told();
        assert!(found.sentences.is_empty());
        assert_eq!(found.summary.sentence, "");
        assert!(
            found.summary.metrics[0].curves[0]
                .iter()
                .all(Option::is_none)
        );
    }
}
