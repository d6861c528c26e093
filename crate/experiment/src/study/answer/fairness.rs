//! The distribution of waits over jobs, at one point of a scenario: for each policy the
//! distribution behind its mean wait.
//!
//! Two curves over the share of jobs, in order of wait: the wait that this share does not exceed,
//! and its share of all waiting, beside that of equal waits. Each value is a mean over the
//! replications with its interval, as in [`crate::study::answer`].

use crate::language::scenario::Scenario;
use crate::language::words::{capital, lower};
use crate::study::spread::{LEVELS, Spread};
use crate::study::sweep::Cell;
use backfill_sim::metrics::Better;
use backfill_sim::sorting;
use backfill_sim::stats::{MeanEstimate, estimate};

use crate::study::answer::numbers::{Unit, printed, spoken};
use crate::study::answer::summary::{AnswerSummary, AxisValues, MetricCurves, notes, values};
use crate::study::answer::{Estimates, names};

/// One of the two curves.
#[derive(Clone, Copy, Debug)]
pub struct SpreadCurve {
    /// By which it is asked for.
    pub name: &'static str,
    /// Its label.
    pub label: &'static str,
    /// As in metrics.
    pub unit: &'static str,
    help: &'static str,
    of: fn(&Spread) -> &[Option<f64>],
}

/// The curve of a name.
pub fn curve(name: &str) -> Option<&'static SpreadCurve> {
    CURVES.iter().find(|curve| curve.name == name)
}

/// The two curves, in the order in which they are shown.
static CURVES: [SpreadCurve; 2] = [
    SpreadCurve {
        name: "quantiles",
        label: "Wait time by share of jobs",
        unit: "s",
        help: "The wait that so many of the jobs do not exceed; those that wait least come first.",
        of: |spread| &spread.waits,
    },
    SpreadCurve {
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
pub struct WaitSpreads<'a> {
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
    pub summary: AnswerSummary,
    /// The meaning of each, in one sentence.
    pub meanings: Vec<&'static str>,
    /// The metrics that summarise them in one number.
    pub beside: [&'static str; 6],
    /// A sentence on the waits of each policy with data.
    pub sentences: Vec<String>,
}

impl WaitSpreads<'_> {
    /// The curves as numbers, with a summary in words.
    pub fn told(&self) -> Spreads {
        let sentences = self.waits_by_policy();
        let curves = CURVES.iter().map(|curve| MetricCurves {
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
            summary: AnswerSummary {
                x: AxisValues {
                    label: "Jobs (%)".to_owned(),
                    values: LEVELS.iter().map(u32::to_string).collect(),
                },
                y: values(None),
                policies: names(self.scenario).collect(),
                notes: notes(self.scenario),
                metrics: curves.collect(),
                headline: CURVES.iter().map(|curve| curve.name).collect(),
                sentence: self.most_and_least_even().unwrap_or_default(),
            },
            meanings: CURVES.iter().map(|curve| curve.help).collect(),
            beside: BESIDE,
            sentences,
        }
    }

    /// A policy's mean at every level over the available replications.
    pub fn estimates(&self, curve: &SpreadCurve) -> Estimates {
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
    pub fn unit(&self, curve: &SpreadCurve) -> Unit {
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
    pub fn place(&self) -> String {
        let Some((cell, _)) = self.spreads.first() else {
            return String::new();
        };
        let axes = [(self.scenario.x(), cell.x), (self.scenario.y(), cell.y)];
        let axes = axes.into_iter().filter_map(|(axis, at)| Some((axis?, at)));
        let values = axes.map(|(axis, at)| format!("{} = {}", axis.key.label, axis.values[at]));
        values.collect::<Vec<String>>().join(", ")
    }

    /// The policy with the most even waits; `None` without data on several policies.
    fn most_and_least_even(&self) -> Option<String> {
        let known = (0..self.scenario.policies().len())
            .filter_map(|policy| Some((self.gini(policy)?, policy)));
        let mut known: Vec<(MeanEstimate, usize)> = known.collect();
        sorting::by(&mut known, |one, other| one.0.mean.total_cmp(&other.0.mean));
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
    fn waits_by_policy(&self) -> Vec<String> {
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
    use crate::study::answer::tests::simulated;
    use crate::study::sweep::{CellRun, cells};
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
        let fairness = WaitSpreads {
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
    }

    #[test]
    fn missing_runs_have_no_sentence() {
        let fairness = WaitSpreads {
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
