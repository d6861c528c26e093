//! The runs of a scenario by x, policy and replication, as checks read them.

use super::claim::{Evidence, Side, inside};
use super::data::FigureRun;
use super::label::label;
use super::pair::Pair;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::Results;
use backfill_sim::metrics::{self, Better, METRICS, Metric};
use backfill_sim::stats::estimate;

/// The runs of a scenario by x, policy and replication.
#[derive(Clone)]
pub struct Curves<'a> {
    run: &'a FigureRun,
    pub(super) scenario: &'a Scenario,
    pub(super) results: &'a Results,
    pub(super) metric: &'static Metric,
    /// The paper's names of its policies.
    pub(super) called: &'static [Pair],
    /// The curves of other figures, with their numbers, for an average over them too.
    pub(super) among: Vec<(&'static str, Curves<'a>)>,
    /// The position of the first value of x among those of the scenario.
    pub(super) first: usize,
    /// The selected values of x.
    pub(super) x: Vec<String>,
    /// The metric as a cost, lower being better, by (x, policy, replication).
    costs: Vec<Vec<Vec<Option<f64>>>>,
}

impl<'a> Curves<'a> {
    /// The curves of a metric; it must be in the table.
    pub(super) fn of(metric: &str, run: &'a FigureRun) -> Curves<'a> {
        let FigureRun {
            scenario, results, ..
        } = run;
        let position = metrics::position(metric).expect("a known metric");
        let metric = &METRICS[position];
        let x: Vec<String> = scenario.x().map_or(Vec::new(), |axis| axis.values.clone());
        let empty = vec![vec![None; scenario.reps() as usize]; scenario.policies().len()];
        let mut costs = vec![empty; x.len()];
        for outcome in results.outcomes() {
            let cell = outcome.cell;
            costs[cell.x][cell.policy][cell.replication as usize] =
                outcome.metrics[position].map(|value| match metric.better {
                    Better::Higher => -value,
                    Better::Lower | Better::Neither => value,
                });
        }
        Curves {
            run,
            scenario,
            results,
            metric,
            called: &[],
            among: Vec::new(),
            first: 0,
            x,
            costs,
        }
    }

    /// The same runs by another metric.
    pub(super) fn by(&self, metric: &str) -> Curves<'a> {
        let curves = Curves {
            called: self.called,
            ..Curves::of(metric, self.run)
        };
        curves.cut(self.first, self.x.len())
    }

    /// `count` values of x from `first` on.
    pub(super) fn cut(mut self, first: usize, count: usize) -> Curves<'a> {
        self.first += first;
        self.x = self.x.into_iter().skip(first).take(count).collect();
        self.costs = self.costs.into_iter().skip(first).take(count).collect();
        self
    }

    /// The position of a policy among those of the scenario.
    pub(super) fn policy(&self, name: &str) -> usize {
        let mut policies = self.scenario.policies().iter();
        policies
            .position(|policy| policy.to_string() == name)
            .expect("claims name policies of the scenario")
    }

    /// The position of a value of x.
    pub(super) fn position(&self, x: &str) -> usize {
        let position = self.x.iter().position(|value| value == x);
        position.expect("claims name values of x")
    }

    /// The label of a policy.
    pub(super) fn label(&self, name: &str) -> String {
        label(self.scenario, self.policy(name), self.called)
    }

    /// The unit of a difference.
    pub(super) fn unit(&self) -> &'static str {
        match self.metric.unit {
            "share" => "points",
            unit => unit,
        }
    }

    /// The range of x, in words.
    pub(super) fn reach(&self) -> String {
        format!("from {} to {}", self.x[0], self.x[self.x.len() - 1])
    }

    /// The values of x as numbers.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let x: Option<Vec<f64>> = self.x.iter().map(|value| value.parse().ok()).collect();
        x.expect("a line is fitted over numbers")
    }

    /// The number of replications.
    pub(super) fn replications(&self) -> usize {
        self.scenario.reps() as usize
    }

    /// The metric of a policy at an x in a replication as a cost; `None` if undefined.
    pub(super) fn cost(&self, x: usize, policy: &str, replication: usize) -> Option<f64> {
        self.costs[x][self.policy(policy)][replication]
    }

    /// The metric of a policy at an x in a replication; `None` if undefined.
    pub(super) fn value(&self, x: usize, policy: &str, replication: usize) -> Option<f64> {
        let cost = self.cost(x, policy, replication)?;
        Some(match self.metric.better {
            Better::Higher => -cost,
            Better::Lower | Better::Neither => cost,
        })
    }

    /// A number of each replication that has one.
    pub(super) fn each_replication(&self, of: impl Fn(usize) -> Option<f64>) -> Vec<f64> {
        (0..self.replications()).filter_map(of).collect()
    }

    /// `of` the values at all x, for each replication that has all of them.
    pub(super) fn by_replication(
        &self,
        value: impl Fn(usize, usize) -> Option<f64>,
        of: impl Fn(&[f64]) -> f64,
    ) -> Vec<f64> {
        self.each_replication(|replication| {
            let y: Option<Vec<f64>> = (0..self.x.len()).map(|at| value(at, replication)).collect();
            Some(of(&y?))
        })
    }

    /// For each replication the rise from the first x to the last of the line fitted to `value`.
    pub(super) fn rises(&self, value: impl Fn(usize, usize) -> Option<f64>) -> Vec<f64> {
        let x = self.numbers();
        let reach = x[x.len() - 1] - x[0];
        self.by_replication(value, |y| slope(&x, y) * reach)
    }

    /// Evidence at every x that has some.
    pub(super) fn all_x(&self, of: impl Fn(usize) -> Option<Evidence>) -> Vec<Evidence> {
        (0..self.x.len()).filter_map(of).collect()
    }

    /// The lead of a policy over another at an x, in each replication.
    pub(super) fn leads(&self, x: usize, policy: &str, than: &str) -> Vec<f64> {
        self.each_replication(|r| Some(self.cost(x, than, r)? - self.cost(x, policy, r)?))
    }

    /// The lead of a policy over another at an x; `None` if no replication has one.
    pub(super) fn lead(&self, x: usize, policy: &str, than: &str) -> Option<Evidence> {
        let what = format!(
            "at {}: {} over {}",
            self.x[x],
            self.label(policy),
            self.label(than)
        );
        Evidence::of_leads(what, self.unit(), &self.leads(x, policy, than))
    }

    /// The combined evidence of the comparisons at one x: the one least in favour of the claim.
    pub(super) fn weakest(&self, x: usize, policies: &[&str], than: &[&str]) -> Option<Evidence> {
        let pairs = policies
            .iter()
            .flat_map(|policy| than.iter().map(move |than| (policy, than)));
        let evidence = pairs.filter_map(|(policy, than)| self.lead(x, policy, than));
        weakest(evidence)
    }

    /// The mean of a metric times a factor, in the unit of that product, of the policy at a
    /// position at an x, and whether it is in the range.
    pub(super) fn mean_at(
        &self,
        (x, policy): (usize, usize),
        (metric, factor, unit): (&str, f64, &'static str),
        what: String,
        range: [f64; 2],
    ) -> Option<Evidence> {
        let position = metrics::position(metric)?;
        let at = (self.first + x, policy);
        let values: Vec<f64> = self
            .results
            .outcomes()
            .filter(|outcome| (outcome.cell.x, outcome.cell.policy) == at)
            .filter_map(|outcome| Some(outcome.metrics[position]? * factor))
            .collect();
        let value = estimate(&values)?;
        Some(Evidence {
            what,
            unit,
            value,
            side: inside(value, range),
        })
    }
}

/// The slope of the line fitted to `y` over `x`.
pub(super) fn slope(x: &[f64], y: &[f64]) -> f64 {
    let (x_mean, y_mean) = (mean(x), mean(y));
    let both = x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean));
    let square = x.iter().map(|x| (x - x_mean) * (x - x_mean));
    both.sum::<f64>() / square.sum::<f64>()
}

/// How far the parabola fitted to `y` over `x` is below its chord in the middle of x.
pub(super) fn sag(x: &[f64], y: &[f64]) -> f64 {
    let x_mean = mean(x);
    let x: Vec<f64> = x.iter().map(|x| x - x_mean).collect();
    let square: Vec<f64> = x.iter().map(|x| x * x).collect();
    // The part of the squares that is orthogonal to all lines.
    let (tilt, level) = (slope(&x, &square), mean(&square));
    let rest = |x: &f64| x * x - tilt * x - level;
    let both = x.iter().zip(y).map(|(x, y)| rest(x) * y);
    let bend = both.sum::<f64>() / x.iter().map(|x| rest(x) * rest(x)).sum::<f64>();
    let half = (x[x.len() - 1] - x[0]) / 2.0;
    bend * half * half
}

/// The least of some numbers; infinity if there are none.
pub(super) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The greatest of some numbers; minus infinity if there are none.
pub(super) fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The mean of some numbers.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The evidence least in favour of the claim; a tie counts only if there is nothing else.
pub(super) fn weakest(evidence: impl Iterator<Item = Evidence>) -> Option<Evidence> {
    let rank = |side| match side {
        Side::Against => 0,
        Side::Open => 1,
        Side::For => 2,
        Side::Equal => 3,
    };
    evidence.min_by(|a, b| {
        rank(a.side)
            .cmp(&rank(b.side))
            .then(lower_end(a).total_cmp(&lower_end(b)))
    })
}

/// The evidence most in favour of the claim.
pub(super) fn strongest(evidence: impl Iterator<Item = Evidence>) -> Option<Evidence> {
    let rank = |side| match side {
        Side::Against => 0,
        Side::Equal => 1,
        Side::Open => 2,
        Side::For => 3,
    };
    evidence.max_by(|a, b| {
        rank(a.side)
            .cmp(&rank(b.side))
            .then(lower_end(a).total_cmp(&lower_end(b)))
    })
}

/// The lower end of an interval.
fn lower_end(evidence: &Evidence) -> f64 {
    evidence.value.mean - evidence.value.half_width.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::check::{
        Check, Extent, Flat, Leads, NeverExceeds, NeverWorse, OneLeads, RisesEverFaster,
        RisesSteadily, Steeper, Within,
    };
    use super::super::claim::{Found, Judgement};
    use super::super::sweep::Interpretation;
    use super::*;

    /// A check judged on `means` of two policies at each x, in 10 replications that differ by ± 1.
    fn judged(check: &dyn Check, means: [&[f64]; 2]) -> (Judgement, Vec<Side>) {
        let x: Vec<String> = (1..=means[0].len()).map(|x| x.to_string()).collect();
        let x = format!("load:{}", x.join(","));
        let pairs = [("policy", "fcfs,easy"), ("reps", "10"), ("x", &x)];
        let scenario = Scenario::parse(pairs).expect("it is valid");
        let metric = metrics::position("response_mean").expect("a known metric");
        let mut results = Results::new(&scenario);
        for cell in backfill_experiment::study::sweep::cells(&scenario) {
            let mut values = vec![None; METRICS.len()];
            // The policies vary in opposite directions, so that their difference varies too.
            let swing = f64::from(cell.replication % 2) * 2.0 - 1.0;
            let swing = swing * (1.0 - 2.0 * cell.policy as f64);
            values[metric] = Some(means[cell.policy][cell.x] + swing);
            results.add(backfill_experiment::study::sweep::CellOutcome {
                cell,
                digest: String::new(),
                metrics: values,
                jobs: 0,
                over_time: None,
            });
        }
        let run = FigureRun {
            interpretation: Interpretation::default(),
            scenario,
            results,
        };
        let Found { outcome, evidence } = check.judge(&Curves::of("response_mean", &run), None);
        (outcome, evidence.iter().map(|one| one.side).collect())
    }

    const FCFS: &str = "fcfs+adaba";
    const EASY: &str = "easy+adaba";

    fn better(extent: Extent) -> Leads {
        Leads {
            policies: &[EASY],
            than: &[FCFS],
            extent,
        }
    }

    /// Four of seven values are for it, two against it, one is open.
    #[test]
    fn a_text_without_exceptions_does_not_bear_what_most_cases_do() {
        let means: [&[f64]; 2] = [
            &[20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0],
            &[10.0, 10.0, 10.0, 10.0, 20.0, 30.0, 30.0],
        ];
        let outcome = |extent| judged(&better(extent), means).0;
        assert_eq!(outcome(Extent::Mostly), Judgement::Holds);
        assert_eq!(outcome(Extent::Generally), Judgement::DoesNotHold);
        assert_eq!(outcome(Extent::Always), Judgement::DoesNotHold);
        let five: [&[f64]; 2] = [&means[0][..5], &means[1][..5]];
        let outcome = |extent| judged(&better(extent), five).0;
        assert_eq!(outcome(Extent::Generally), Judgement::Holds);
        assert_eq!(outcome(Extent::Always), Judgement::Undecided);
    }

    #[test]
    fn a_policy_is_not_found_no_worse_by_open_comparisons() {
        let check = NeverWorse {
            policy: EASY,
            than: FCFS,
        };
        let level: [&[f64]; 2] = [&[20.0, 20.0], &[20.0, 20.0]];
        let (outcome, sides) = judged(&check, level);
        assert_eq!(outcome, Judgement::Undecided);
        assert_eq!(sides, [Side::Open, Side::Open]);
        let ahead: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 10.0]];
        assert_eq!(judged(&check, ahead).0, Judgement::Holds);
        let once_behind: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 30.0]];
        assert_eq!(judged(&check, once_behind).0, Judgement::DoesNotHold);
    }

    #[test]
    fn one_of_several_is_better_where_the_clearest_is_and_a_tie_is_no_lead() {
        let one_of = |policies, means| {
            let than = &[FCFS];
            judged(&OneLeads { policies, than }, means)
        };
        let ahead: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 10.0]];
        assert_eq!(one_of(&[EASY], ahead).0, Judgement::Holds);
        assert_eq!(one_of(&[FCFS, EASY], ahead), one_of(&[EASY], ahead));
        let once_open: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 20.0]];
        assert_eq!(one_of(&[EASY], once_open).0, Judgement::Undecided);
        let behind: [&[f64]; 2] = [&[20.0, 20.0], &[30.0, 30.0]];
        assert_eq!(one_of(&[EASY], behind).0, Judgement::DoesNotHold);
        assert_eq!(one_of(&[FCFS], ahead).0, Judgement::DoesNotHold);
    }

    #[test]
    fn only_the_values_that_a_claim_is_about_are_evidence() {
        const WITHIN: Within = Within {
            x: ["1", "2"],
            check: &Leads {
                policies: &[EASY],
                than: &[FCFS],
                extent: Extent::Always,
            },
        };
        let means: [&[f64]; 2] = [&[20.0, 20.0, 20.0], &[10.0, 10.0, 40.0]];
        let (outcome, sides) = judged(&WITHIN, means);
        assert_eq!(outcome, Judgement::Holds);
        assert_eq!(sides, [Side::For, Side::For]);
    }

    #[test]
    fn the_exception_that_a_text_makes_is_for_it() {
        let check = better(Extent::AllBut("2"));
        let means: [&[f64]; 2] = [&[20.0, 20.0, 20.0], &[10.0, 40.0, 10.0]];
        let (outcome, sides) = judged(&check, means);
        assert_eq!(outcome, Judgement::Holds);
        assert_eq!(sides, [Side::For; 3]);
    }

    #[test]
    fn what_rises_need_not_rise_steadily_or_ever_faster() {
        let steadily = RisesSteadily { policies: &[FCFS] };
        let faster = RisesEverFaster { policies: &[FCFS] };
        let steeper = Steeper {
            policies: &[FCFS],
            after: "3",
        };
        let outcomes = |curve: &[f64]| {
            let checks: [&dyn Check; 3] = [&steadily, &faster, &steeper];
            checks.map(|check| judged(check, [curve, curve]).0)
        };
        use Judgement::{DoesNotHold as No, Holds as Yes};
        assert_eq!(outcomes(&[10.0, 20.0, 40.0, 80.0, 160.0]), [Yes, Yes, Yes]);
        // Flat, then rising: neither at every step, but it bends.
        assert_eq!(outcomes(&[10.0, 9.0, 10.0, 50.0, 90.0]), [No, Yes, Yes]);
        // Ever more slowly.
        assert_eq!(outcomes(&[10.0, 90.0, 130.0, 150.0, 160.0]), [Yes, No, No]);
        // Ever more quickly downwards.
        assert_eq!(outcomes(&[160.0, 150.0, 130.0, 90.0, 10.0]), [No, No, No]);
    }

    #[test]
    fn a_parabola_sags_by_what_it_lies_below_its_chord() {
        let x = [0.0, 1.0, 2.0, 4.0];
        let y = x.map(|x: f64| 3.0 * x * x - 2.0 * x + 7.0);
        // At 2, halfway, it has 15; the chord from 7 to 47 has 27.
        assert!((sag(&x, &y) - 12.0).abs() < 1e-9, "{}", sag(&x, &y));
        assert!(sag(&x, &x.map(|x| 5.0 - x)).abs() < 1e-9);
    }

    /// One run above the limit refutes what a mean would not.
    #[test]
    fn what_never_happens_happens_in_no_replication() {
        let never = |above| NeverExceeds {
            metric: "response_mean",
            policies: &[FCFS],
            factor: 2.0,
            unit: "s",
            above,
        };
        // The replications vary by 1 around 10, and the evidence is twice that.
        let means: [&[f64]; 2] = [&[9.0, 10.0], &[50.0, 50.0]];
        assert_eq!(judged(&never(22.0), means).0, Judgement::Holds);
        assert_eq!(judged(&never(21.0), means).0, Judgement::DoesNotHold);
    }

    #[test]
    fn a_flat_curve_is_one_whose_whole_interval_is() {
        let flat = Flat {
            policies: &[FCFS],
            at_most: 0.1,
        };
        assert_eq!(
            judged(&flat, [&[1000.0, 1020.0], &[0.0, 0.0]]).0,
            Judgement::Holds
        );
        assert_eq!(
            judged(&flat, [&[1000.0, 1200.0], &[0.0, 0.0]]).0,
            Judgement::DoesNotHold
        );
        assert_eq!(
            judged(&flat, [&[10.0, 11.0], &[0.0, 0.0]]).0,
            Judgement::Undecided
        );
    }
}
