//! Policies compared with one of them, the reference, by paired differences.
//!
//! In a replication all policies have the same random numbers, so differences are taken replication
//! by replication, and changes in per cent are ratios of means with the interval of the pairs
//! ([`stats::ratio`]). An interval on one side of zero is a difference; all others are open.
//!
//! Means over the jobs that ran flatter a policy that rejects more jobs. Where a policy's accept
//! rate is too far from the reference's, its point is excluded from the ranking and marked; unless
//! times are taken over the jobs that every policy runs, which are the same.

use backfill_sim::metrics::{Better, METRICS, Metric, Timed};
use backfill_sim::policy::Queue;
use backfill_sim::stats::{self, MeanEstimate};
use serde::Serialize;

use crate::language::words::{capital, listed, lower, with_minus};
use crate::study::answer::numbers::{Unit, Value, printed, shown};
use crate::study::answer::summary::values;
use crate::study::answer::{Answer, SAME_JOBS, TIMED, accept_rate, in_common};

/// One metric of all policies against the reference, at one value of the second axis.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct Comparison {
    /// The position of the reference.
    pub reference: usize,
    /// The metric's label.
    pub label: &'static str,
    /// The printed unit of differences.
    pub unit: &'static str,
    /// The comparison for each value of x.
    pub places: Vec<PointRanking>,
    /// A sentence for each policy but the reference: where it is better and where worse.
    pub overview: Vec<String>,
    /// A warning about excluded points; empty if there are none.
    pub warning: String,
    /// The setting that compares policies over the same jobs, or over their own again.
    pub remedy: Option<Remedy>,
}

/// A value to set for a key of the scenario.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct Remedy {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// What it does, in words.
    pub words: &'static str,
}

/// The policies at one value of x.
#[derive(Debug, Serialize, ts_rs::TS)]
#[ts(rename = "ComparisonAt")]
pub struct PointRanking {
    /// The policies that have numbers, best first; excluded ones at the end.
    pub ranking: Vec<Rank>,
    /// A sentence for each policy but the reference.
    pub sentences: Vec<String>,
}

/// A policy at one value of x.
#[derive(Debug, Serialize, ts_rs::TS)]
pub struct Rank {
    /// The position of the policy.
    pub policy: usize,
    /// Its rank among those that run about the same jobs, from 1; null if excluded, or if neither
    /// direction is better.
    pub rank: Option<u32>,
    /// Its mean.
    pub value: Value,
    /// Its difference to the reference; null for the reference.
    pub difference: Option<Value>,
    /// The same in per cent of the reference's mean, if that is above zero.
    pub change: Option<Value>,
    /// The verdict on the difference; null for the reference.
    pub verdict: Option<DifferenceVerdict>,
    /// The difference of its accept rate to the reference's, in points, if it is excluded.
    pub apart: Option<String>,
}

/// The verdict on a difference, by its interval if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(ts_rs::TS)]
pub enum DifferenceVerdict {
    /// All of it is on the better side.
    Better,
    /// All of it is on the worse side.
    Worse,
    /// All of it is on one side, and neither is better.
    Different,
    /// It contains zero.
    Open,
    /// There is no difference in any replication.
    Equal,
    /// There is one replication, and so no interval.
    Single,
}

/// A policy against the reference at one point.
#[derive(Clone, Copy, Debug)]
pub struct PairedDifference {
    /// What the policy has more, replication by replication.
    pub difference: MeanEstimate,
    /// The same as a share of the reference's mean, where that is above zero.
    change: Option<MeanEstimate>,
    /// Accept rate above the reference's, a share.
    accepted: f64,
    /// Whether their accept rates are too far from each other for a comparison.
    pub excluded: bool,
}

impl Answer<'_> {
    /// The comparison of policies with the reference in a metric, by its position in [`METRICS`],
    /// at the value `y` of the second axis.
    pub fn comparison(&self, metric: usize, y: usize) -> Comparison {
        let about = &METRICS[metric];
        let places: Vec<PointRanking> = (0..self.places().len())
            .map(|x| self.place(metric, y, x))
            .collect();
        let excluded = |place: &PointRanking| place.ranking.iter().any(|rank| rank.apart.is_some());
        let apart = places.iter().any(excluded);
        let warning = if apart {
            format!(
                "Accept rates differ from the reference's by more than {} points. Policies that \
                 reject more jobs are not comparable on wait time; they are listed separately. ",
                SAME_JOBS * 100.0
            )
        } else {
            String::new()
        };
        let warning = (warning + self.about_recorded()).trim_end().to_owned();
        Comparison {
            reference: self.scenario.reference(),
            label: about.label,
            unit: unit_of_differences(about, self.unit(metric)),
            overview: self.overview(metric, y),
            remedy: self.remedy(about, apart),
            places,
            warning,
        }
    }

    /// The remedy for excluded points, or the way back if it is in use.
    fn remedy(&self, about: &Metric, excluded: bool) -> Option<Remedy> {
        let (value, words) = match (in_common(self.scenario), excluded && about.of_times) {
            (true, _) => (Timed::Own, "Compare all jobs that each policy ran"),
            (false, true) => (Timed::Common, "Compare only jobs that every policy ran"),
            (false, false) => return None,
        };
        Some(Remedy {
            key: TIMED,
            value: value.name(),
            words,
        })
    }

    fn place(&self, metric: usize, y: usize, x: usize) -> PointRanking {
        let about = &METRICS[metric];
        let unit = self.unit(metric);
        let reference = self.scenario.reference();
        let ascending = |one: &MeanEstimate, other: &MeanEstimate| match about.better {
            Better::Higher => other.mean.total_cmp(&one.mean),
            Better::Lower => one.mean.total_cmp(&other.mean),
            Better::Neither => std::cmp::Ordering::Equal,
        };
        let mut found: Vec<(MeanEstimate, Rank)> = Vec::new();
        let mut sentences = Vec::new();
        let mut method = None;
        for policy in 0..self.scenario.policies().len() {
            let values: Vec<f64> = self
                .results
                .values(y, x, policy, metric)
                .into_iter()
                .flatten()
                .collect();
            let Some(value) = stats::estimate(&values) else {
                continue;
            };
            let mut rank = Rank {
                policy,
                rank: None,
                value: shown(about, unit.of(value)),
                difference: None,
                change: None,
                verdict: None,
                apart: None,
            };
            if policy != reference
                && let Some(pair) = self.pair(metric, y, x, policy)
            {
                let verdict = verdict(about.better, pair.difference);
                let difference = unit.of(pair.difference);
                rank.difference = Some(signed(printed(unit_for_print(about), difference)));
                rank.change = pair.change.map(|change| signed(percent(change)));
                rank.verdict = Some(verdict);
                rank.apart = pair
                    .excluded
                    .then(|| with_minus(&format!("{:+.1}", pair.accepted * 100.0)));
                let weeks = self.week_by_week([x, y], policy);
                match weeks.filter(|_| about.name == "wait_mean") {
                    Some(weeks) => {
                        rank.verdict = Some(weeks.verdict());
                        method = method.or(weeks.method());
                        let names: Vec<String> = self.policies().collect();
                        sentences.push(weeks.words(&names[policy], &names[reference]));
                    }
                    None => sentences.push(self.difference_in_words(
                        metric,
                        [x, y],
                        policy,
                        &pair,
                        verdict,
                    )),
                }
            }
            // The few policies are inserted one by one: a general sort takes 10 kB of the module.
            let place = found.partition_point(|(before, ranked)| {
                let last = ranked.apart.is_some().cmp(&rank.apart.is_some());
                last.then_with(|| ascending(before, &value)).is_le()
            });
            found.insert(place, (value, rank));
        }
        sentences.extend(method);
        if about.better != Better::Neither {
            let ranks = |rank: &Rank| {
                let recorded = self.scenario.policies()[rank.policy].queue == Queue::Recorded;
                rank.apart.is_none() && !recorded
            };
            let near = found.iter_mut().filter(|(_, rank)| ranks(rank));
            // Equal means share a rank.
            let mut before: Option<(f64, u32)> = None;
            for (place, (value, rank)) in (1..).zip(near) {
                let shared = before.filter(|(mean, _)| *mean == value.mean);
                before = shared.or(Some((value.mean, place)));
                rank.rank = before.map(|(_, place)| place);
            }
        }
        let ranking: Vec<Rank> = found.into_iter().map(|(_, rank)| rank).collect();
        PointRanking { ranking, sentences }
    }

    /// A policy against the reference; `None` for the reference itself and if numbers are missing.
    pub fn pair(
        &self,
        metric: usize,
        y: usize,
        x: usize,
        policy: usize,
    ) -> Option<PairedDifference> {
        let reference = self.scenario.reference();
        if policy == reference {
            return None;
        }
        let pairs = |metric: usize| self.pairs(metric, [x, y], policy, reference);
        let here = pairs(metric);
        let rate = self.difference(accept_rate(), [x, y], policy, reference);
        let rate = rate.map_or(0.0, |rate| rate.mean);
        Some(PairedDifference {
            difference: self.difference(metric, [x, y], policy, reference)?,
            // Shares are compared in points.
            change: stats::ratio(&here)
                .filter(|_| METRICS[metric].unit != "share")
                .map(|ratio| MeanEstimate {
                    mean: ratio.mean - 1.0,
                    ..ratio
                }),
            accepted: rate,
            excluded: metric != accept_rate()
                && rate.abs() > SAME_JOBS
                && !(METRICS[metric].of_times && in_common(self.scenario)),
        })
    }

    fn difference_in_words(
        &self,
        metric: usize,
        [x, y]: [usize; 2],
        policy: usize,
        pair: &PairedDifference,
        verdict: DifferenceVerdict,
    ) -> String {
        let about = &METRICS[metric];
        let shown = self.unit(metric);
        let names: Vec<String> = self.policies().collect();
        let (name, reference) = (&names[policy], &names[self.scenario.reference()]);
        let at = match self.point(x, y) {
            point if point.is_empty() => point,
            point => format!(" {point}"),
        };
        let label = about.label;
        let (size, unit) = match pair.change {
            Some(change) if verdict != DifferenceVerdict::Open => (change, "%"),
            _ => (shown.of(pair.difference), unit_of_differences(about, shown)),
        };
        let digits = percent_digits(size);
        let part = |mean: f64| match unit {
            "%" => with_minus(&format!("{:.digits$}", mean * 100.0)),
            _ => printed(unit_for_print(about), MeanEstimate { mean, ..size }).mean,
        };
        let unit = match unit {
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        let range = |mean: f64, half: f64| {
            let [low, high] = [part(mean - half), part(mean + half)];
            let between = if low.starts_with('−') {
                " to "
            } else {
                "–"
            };
            format!("{low}{between}{high}{unit}")
        };
        let n = size.n;
        let amount = match part(size.mean.abs()) {
            nothing if !nothing.contains(|digit| ('1'..='9').contains(&digit)) => {
                format!("less than {}1", nothing.strip_suffix('0').unwrap_or("0."))
            }
            amount => amount,
        };
        let side = if size.mean < 0.0 { "lower" } else { "higher" };
        let than = format!("{name} is {amount}{unit} {side} than {reference}{at}");
        let mut sentence = match (verdict, size.half_width) {
            (DifferenceVerdict::Equal, _) => {
                format!("{label}: {name} and {reference} are equal{at} (n = {n}).")
            }
            (_, None) if self.scenario.deterministic() => {
                format!("{label}: {than} (nothing is random: one run).")
            }
            (_, None) => format!("{label}: {than} (one replication, no CI)."),
            (DifferenceVerdict::Open, Some(half)) => format!(
                "{label}: no significant difference between {name} and {reference}{at} (95 % CI {}, n = {n}).",
                range(size.mean, half)
            ),
            (_, Some(half)) => format!(
                "{label}: {than} (95 % CI {}, n = {n}).",
                range(size.mean.abs(), half)
            ),
        };
        if pair.excluded {
            sentence += &format!(
                " The accept rate of {name} is {:.1} points {}.",
                pair.accepted.abs() * 100.0,
                if pair.accepted < 0.0 {
                    "lower"
                } else {
                    "higher"
                }
            );
        }
        capital(sentence)
    }

    /// A sentence for each policy on where it is better and worse than the reference, without
    /// points that have no interval.
    fn overview(&self, metric: usize, y: usize) -> Vec<String> {
        let about = &METRICS[metric];
        let axis = values(self.scenario.x());
        let names: Vec<String> = self.policies().collect();
        let reference = self.scenario.reference();
        let label = about.label;
        let mut sentences = Vec::new();
        if axis.label.is_empty() {
            return sentences;
        }
        for (policy, name) in names.iter().enumerate() {
            if policy == reference {
                continue;
            }
            // The words for each value; where accept rates differ, only that.
            let say = |pair: PairedDifference| match verdict(about.better, pair.difference) {
                _ if pair.excluded => Some("not comparable (accept rate differs)"),
                DifferenceVerdict::Better => Some("better"),
                DifferenceVerdict::Worse => Some("worse"),
                DifferenceVerdict::Different => Some("different"),
                DifferenceVerdict::Open => Some("no significant difference"),
                DifferenceVerdict::Equal => Some("equal"),
                DifferenceVerdict::Single => None,
            };
            let places = (0..axis.values.len()).filter_map(|x| {
                let pair = self.pair(metric, y, x, policy)?;
                Some((axis.values[x].as_str(), say(pair)?))
            });
            let places: Vec<(&str, &str)> = places.collect();
            let at = |word: &'static str| {
                let those = places.iter().filter(|place| place.1 == word);
                let those: Vec<&str> = those.map(|place| place.0).collect();
                match those.len() {
                    0 => None,
                    all if all > 1 && all == axis.values.len() => {
                        Some(format!("{word} everywhere"))
                    }
                    _ => Some(format!(
                        "{word} at {} {}",
                        lower(&axis.label),
                        listed(those.into_iter())
                    )),
                }
            };
            let words = [
                "better",
                "worse",
                "different",
                "equal",
                "no significant difference",
                "not comparable (accept rate differs)",
            ];
            let parts: Vec<String> = words.into_iter().filter_map(at).collect();
            if !parts.is_empty() {
                sentences.push(format!(
                    "{name} against {} in {}: {}.",
                    names[reference],
                    lower(label),
                    parts.join(", ")
                ));
            }
        }
        sentences
    }
}

fn verdict(better: Better, difference: MeanEstimate) -> DifferenceVerdict {
    let half = match difference.half_width {
        _ if difference.mean == 0.0 && difference.half_width.unwrap_or(0.0) == 0.0 => {
            return DifferenceVerdict::Equal;
        }
        None => return DifferenceVerdict::Single,
        Some(half) => half,
    };
    let (low, high) = (difference.mean - half, difference.mean + half);
    match better {
        _ if low <= 0.0 && high >= 0.0 => DifferenceVerdict::Open,
        Better::Neither => DifferenceVerdict::Different,
        Better::Higher if low > 0.0 => DifferenceVerdict::Better,
        Better::Lower if high < 0.0 => DifferenceVerdict::Better,
        _ => DifferenceVerdict::Worse,
    }
}

/// The unit of differences of a metric shown in the unit `shown`.
fn unit_of_differences(metric: &Metric, shown: Unit) -> &'static str {
    match metric.unit {
        "share" => "points",
        _ => shown.name,
    }
}

/// The unit by which [`printed`] chooses digits.
fn unit_for_print(metric: &Metric) -> &'static str {
    match metric.unit {
        "share" => "points",
        unit => unit,
    }
}

/// A share in per cent; with decimals only below ten.
fn percent(share: MeanEstimate) -> Value {
    let digits = percent_digits(share);
    let print = |share: f64| with_minus(&format!("{:.digits$}", share * 100.0));
    Value {
        mean: print(share.mean),
        half: share.half_width.map(print),
        n: share.n,
    }
}

fn percent_digits(share: MeanEstimate) -> usize {
    usize::from(share.mean.abs() < 0.1)
}

/// With a plus or a minus.
fn signed(value: Value) -> Value {
    let sign = if value.mean.starts_with('−') {
        ""
    } else {
        "+"
    };
    let mean = format!("{sign}{}", value.mean);
    Value { mean, ..value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scenario::Scenario;
    use crate::study::answer::tests::outcome;
    use crate::study::sweep::{Results, cells};

    /// Results with these accept rates and mean waits by policy and replication, as far as given.
    fn given(pairs: &[(&str, &str)], numbers: &[&[(f64, f64)]]) -> (Scenario, Results) {
        let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
        let mut results = Results::new(&scenario);
        for cell in cells(&scenario) {
            let Some(&(rate, wait)) = numbers[cell.policy].get(cell.replication as usize) else {
                continue;
            };
            results.add(outcome(cell, &[("accept_rate", rate), ("wait_mean", wait)]));
        }
        (scenario, results)
    }

    const THREE: &[(&str, &str)] = &[
        ("policy", "fcfs,easy,none"),
        ("x", "load:0.7"),
        ("reps", "3"),
        ("reference", "fcfs+adaba"),
    ];
    const WAIT: usize = 1;

    #[test]
    fn a_comparison_worked_by_hand() {
        // EASY waits 10 less in each replication but one, where it waits 13 less: difference −11,
        // deviation √3, half width 4.302653. The loss system rejects a tenth of the jobs.
        let waits = [(1.0, 20.0), (1.0, 30.0), (1.0, 40.0)];
        let less = [(1.0, 10.0), (1.0, 20.0), (1.0, 27.0)];
        let loss = [(0.9, 0.0); 3];
        let (scenario, results) = &given(THREE, &[&waits, &less, &loss]);
        let answer = Answer { scenario, results };
        let comparison = answer.comparison(WAIT, 0);
        let ranking = &comparison.places[0].ranking;
        let order: Vec<_> = ranking
            .iter()
            .map(|rank| (rank.policy, rank.rank))
            .collect();
        assert_eq!(order, [(1, Some(1)), (0, Some(2)), (2, None)]);
        let easy = &ranking[0];
        let print = |value: &Option<Value>| value.as_ref().map(Value::to_string);
        assert_eq!(print(&easy.difference).as_deref(), Some("−11.00 ± 4.30"));
        assert_eq!(easy.verdict, Some(DifferenceVerdict::Better));
        assert_eq!(ranking[1].difference, None);
        assert_eq!(ranking[2].apart.as_deref(), Some("−10.0"));
        // Ratio 57 / 90, residuals −2.667, 1, 1.667, deviation 2.3333, half width 5.796 / 30.
        assert_eq!(
            comparison.places[0].sentences[0],
            "Wait time: EASY + AdaBa is 37 % lower than FCFS + AdaBa at load 0.7 \
             (95 % CI 17–56 %, n = 3)."
        );
        assert_eq!(
            comparison.overview[0],
            "EASY + AdaBa against FCFS + AdaBa in wait time: better at load 0.7."
        );
        assert_eq!(
            comparison.overview[1],
            "No queue + AdaBa against FCFS + AdaBa in wait time: \
             not comparable (accept rate differs) at load 0.7."
        );
        assert!(
            comparison.warning.contains("2 points"),
            "{}",
            comparison.warning
        );
    }

    #[test]
    fn an_interval_that_holds_zero_says_so() {
        let (scenario, results) = &given(
            &THREE[..3],
            &[
                &[(1.0, 20.0), (1.0, 30.0), (1.0, 40.0)],
                &[(1.0, 25.0), (1.0, 20.0), (1.0, 41.0)],
                &[(1.0, 20.0), (1.0, 30.0), (1.0, 40.0)],
            ],
        );
        let comparison = Answer { scenario, results }.comparison(WAIT, 0);
        assert_eq!(comparison.warning, "");
        let sentences = &comparison.places[0].sentences;
        assert!(
            sentences[0].contains("no significant difference between EASY + AdaBa and FCFS"),
            "{}",
            sentences[0]
        );
        assert!(comparison.overview[0].ends_with(": no significant difference at load 0.7."));
    }

    #[test]
    fn shares_are_compared_in_points() {
        let (scenario, results) = &given(
            THREE,
            &[&[(0.9, 1.0); 3], &[(0.8, 1.0); 3], &[(0.95, 1.0); 3]],
        );
        let comparison = Answer { scenario, results }.comparison(0, 0);
        assert_eq!(
            comparison.places[0].sentences,
            [
                "Accept rate: EASY + AdaBa is 10.0 points lower than FCFS + AdaBa at load 0.7 \
                 (95 % CI 10.0–10.0 points, n = 3).",
                "Accept rate: No queue + AdaBa is 5.0 points higher than FCFS + AdaBa at load 0.7 \
                 (95 % CI 5.0–5.0 points, n = 3).",
            ]
        );
        let ranks: Vec<_> = comparison.places[0]
            .ranking
            .iter()
            .map(|rank| rank.policy)
            .collect();
        assert_eq!(ranks, [2, 0, 1]);
    }

    /// The expected texts on a scenario: the sentence of the answer, those of the comparison, its
    /// overview, and the verdict on each difference.
    struct Expected {
        what: &'static str,
        policies: &'static str,
        reps: &'static str,
        numbers: &'static [&'static [(f64, f64)]],
        answer: &'static str,
        sentences: &'static [&'static str],
        overview: &'static [&'static str],
        verdicts: &'static [DifferenceVerdict],
    }

    const EXPECTED: &[Expected] = &[
        Expected {
            what: "no finished cell",
            policies: "fcfs,easy",
            reps: "3",
            numbers: &[&[], &[]],
            answer: "",
            sentences: &[],
            overview: &[],
            verdicts: &[],
        },
        Expected {
            what: "one replication",
            policies: "fcfs,easy",
            reps: "1",
            numbers: &[&[(1.0, 20.0)], &[(1.0, 10.0)]],
            answer: "At load 0.7, best wait time: EASY + AdaBa (10.0 s), from one replication. Both \
                     policies accept all jobs.",
            sentences: &[
                "Wait time: EASY + AdaBa is 50 % lower than FCFS + AdaBa at load 0.7 \
                          (one replication, no CI).",
            ],
            overview: &[],
            verdicts: &[DifferenceVerdict::Single],
        },
        Expected {
            what: "the first replication of several, while others run",
            policies: "fcfs,easy",
            reps: "3",
            numbers: &[&[(1.0, 20.0)], &[(1.0, 10.0)]],
            answer: "",
            sentences: &[
                "Wait time: EASY + AdaBa is 50 % lower than FCFS + AdaBa at load 0.7 \
                          (one replication, no CI).",
            ],
            overview: &[],
            verdicts: &[DifferenceVerdict::Single],
        },
        Expected {
            what: "cancelled when the reference had run alone",
            policies: "fcfs,easy",
            reps: "3",
            numbers: &[&[(1.0, 20.0), (1.0, 21.0)], &[]],
            answer: "",
            sentences: &[],
            overview: &[],
            verdicts: &[],
        },
        Expected {
            what: "cancelled after two replications",
            policies: "fcfs,easy",
            reps: "3",
            numbers: &[&[(1.0, 20.0), (1.0, 20.0)], &[(1.0, 10.0), (1.0, 10.0)]],
            answer: "",
            sentences: &[
                "Wait time: EASY + AdaBa is 50 % lower than FCFS + AdaBa at load 0.7 \
                          (95 % CI 50–50 %, n = 2).",
            ],
            overview: &["EASY + AdaBa against FCFS + AdaBa in wait time: better at load 0.7."],
            verdicts: &[DifferenceVerdict::Better],
        },
        Expected {
            what: "loss only",
            policies: "none+adaba,none+oktopus",
            reps: "2",
            numbers: &[&[(0.9, 0.0); 2], &[(0.8, 0.0); 2]],
            answer: "At load 0.7, No queue + AdaBa accepts 90.0 % of the jobs; No queue + Oktopus \
                     only 80.0 ± 0.0 %.",
            sentences: &[
                "Wait time: No queue + Oktopus and No queue + AdaBa are equal at load \
                          0.7 (n = 2). The accept rate of No queue + Oktopus is 10.0 points lower.",
            ],
            overview: &["No queue + Oktopus against No queue + AdaBa in wait time: \
                         not comparable (accept rate differs) at load 0.7."],
            verdicts: &[DifferenceVerdict::Equal],
        },
        Expected {
            what: "no job can wait, and some policies have no queue",
            policies: "none,fcfs,easy",
            reps: "2",
            numbers: &[&[(0.99, 0.0); 2], &[(1.0, 9.0); 2], &[(0.9999, 9.0); 2]],
            answer: "At load 0.7, all 3 policies accept 99.0 to 100.0 % of the jobs. Among them, \
                     equal wait time (9.0 ± 0.0 s).",
            sentences: &[
                "Wait time: FCFS + AdaBa is 9.000 s higher than No queue + AdaBa at load 0.7 \
                 (95 % CI 9.000–9.000 s, n = 2).",
                "Wait time: EASY + AdaBa is 9.000 s higher than No queue + AdaBa at load 0.7 \
                 (95 % CI 9.000–9.000 s, n = 2).",
            ],
            overview: &[
                "FCFS + AdaBa against No queue + AdaBa in wait time: worse at load 0.7.",
                "EASY + AdaBa against No queue + AdaBa in wait time: worse at load 0.7.",
            ],
            verdicts: &[DifferenceVerdict::Worse, DifferenceVerdict::Worse],
        },
        Expected {
            what: "all equal",
            policies: "fcfs,easy",
            reps: "2",
            numbers: &[&[(1.0, 0.0); 2], &[(1.0, 0.0); 2]],
            answer: "At load 0.7, equal wait time (0.0 ± 0.0 s). Both policies accept all jobs.",
            sentences: &["Wait time: EASY + AdaBa and FCFS + AdaBa are equal at load 0.7 (n = 2)."],
            overview: &["EASY + AdaBa against FCFS + AdaBa in wait time: equal at load 0.7."],
            verdicts: &[DifferenceVerdict::Equal],
        },
        Expected {
            what: "nearly all jobs run, and waits hardly differ",
            policies: "fcfs,easy",
            reps: "2",
            numbers: &[
                &[(0.9999, 40.0), (0.9999, 60.0)],
                &[(0.9999, 41.0), (0.9999, 58.0)],
            ],
            answer: "At load 0.7, both policies accept over 99.9 % of the jobs. Among them, best \
                     wait time: EASY + AdaBa (49.5 ± 108.0 s), not significantly different from \
                     FCFS + AdaBa.",
            sentences: &[
                "Wait time: no significant difference between EASY + AdaBa and FCFS + \
                          AdaBa at load 0.7 (95 % CI −19.56 to 18.56 s, n = 2).",
            ],
            overview: &[
                "EASY + AdaBa against FCFS + AdaBa in wait time: no significant \
                         difference at load 0.7.",
            ],
            verdicts: &[DifferenceVerdict::Open],
        },
        Expected {
            what: "one policy",
            policies: "fcfs",
            reps: "2",
            numbers: &[&[(1.0, 40.0), (1.0, 60.0)]],
            answer: "At load 0.7, FCFS + AdaBa accepts all jobs.",
            sentences: &[],
            overview: &[],
            verdicts: &[],
        },
        Expected {
            what: "no job runs",
            policies: "fcfs,easy",
            reps: "2",
            numbers: &[&[(0.0, 0.0); 2], &[(0.0, 0.0); 2]],
            answer: "At load 0.7, both policies accept no job. Among them, equal wait time \
                     (0.0 ± 0.0 s).",
            sentences: &["Wait time: EASY + AdaBa and FCFS + AdaBa are equal at load 0.7 (n = 2)."],
            overview: &["EASY + AdaBa against FCFS + AdaBa in wait time: equal at load 0.7."],
            verdicts: &[DifferenceVerdict::Equal],
        },
        Expected {
            what: "saturated: one wait in hours, one in minutes, each printed in hours",
            policies: "fcfs,easy",
            reps: "2",
            numbers: &[&[(1.0, 72_000.0); 2], &[(1.0, 3_600.0); 2]],
            answer: "At load 0.7, best wait time: EASY + AdaBa (1.0 ± 0.0 h). Both policies accept \
                     all jobs.",
            sentences: &[
                "Wait time: EASY + AdaBa is 95 % lower than FCFS + AdaBa at load 0.7 \
                          (95 % CI 95–95 %, n = 2).",
            ],
            overview: &["EASY + AdaBa against FCFS + AdaBa in wait time: better at load 0.7."],
            verdicts: &[DifferenceVerdict::Better],
        },
    ];

    #[test]
    fn every_sentence_is_true_of_every_kind_of_scenario() {
        for expected in EXPECTED {
            let pairs = [
                ("policy", expected.policies),
                ("x", "load:0.7"),
                ("reps", expected.reps),
            ];
            let (scenario, results) = &given(&pairs, expected.numbers);
            let answer = Answer { scenario, results };
            let what = expected.what;
            assert_eq!(answer.summary(0).sentence, expected.answer, "{what}");
            let comparison = answer.comparison(WAIT, 0);
            assert_eq!(comparison.overview, expected.overview, "{what}");
            let place = &comparison.places[0];
            assert_eq!(place.sentences, expected.sentences, "{what}");
            let mut ranking: Vec<&Rank> = place.ranking.iter().collect();
            ranking.sort_by_key(|rank| rank.policy);
            let verdicts: Vec<DifferenceVerdict> =
                ranking.iter().filter_map(|rank| rank.verdict).collect();
            assert_eq!(verdicts, expected.verdicts, "{what}");
        }
    }

    #[test]
    fn a_metric_has_one_unit_in_an_answer() {
        let waits: &[&[(f64, f64)]] = &[&[(1.0, 72_000.0); 2], &[(1.0, 90.0); 2]];
        let pairs = [
            ("policy", "fcfs,easy"),
            ("x", "load:0.7"),
            ("y", "k:4,6"),
            ("reps", "2"),
        ];
        let (scenario, results) = &given(&pairs, waits);
        let answer = Answer { scenario, results };
        let summary = answer.summary(1);
        let point = |policy: usize| summary.metrics[WAIT].curves[policy][0].clone();
        let printed = |policy| point(policy).expect("it ran").to_string();
        assert_eq!([printed(0), printed(1)], ["20.00 ± 0.00", "0.025 ± 0.000"]);
        let comparison = answer.comparison(WAIT, 1);
        assert_eq!([summary.metrics[WAIT].unit, comparison.unit], ["h", "h"]);
        let heatmaps = answer.surface(WAIT, &[]).expect("two keys are swept");
        assert_eq!(heatmaps.told().unit, "h");
        let start = "At load 0.7 and pods (k) 6, best wait time: EASY + AdaBa (0.025 ± 0.000 h).";
        assert!(summary.sentence.starts_with(start), "{}", summary.sentence);
    }

    #[test]
    fn equal_means_share_a_rank() {
        let (scenario, results) = &given(
            THREE,
            &[&[(1.0, 9.0); 3], &[(1.0, 9.0); 3], &[(1.0, 0.0); 3]],
        );
        let comparison = Answer { scenario, results }.comparison(WAIT, 0);
        let ranks = comparison.places[0].ranking.iter();
        let ranks: Vec<_> = ranks.map(|rank| (rank.policy, rank.rank)).collect();
        assert_eq!(ranks, [(2, Some(1)), (0, Some(2)), (1, Some(2))]);
    }
}
