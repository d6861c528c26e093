//! The runs of a scenario by x, policy and replication, as checks look at them.

use super::check::{Check, Extent};
use super::claim::{self, Evidence, Outcome, Quorum, Side, inside};
use super::sweep::{Pair, label};
use super::{Figure, Run, lowering};
use backfill_experiment::scenario::Scenario;
use backfill_experiment::sweep::Results;
use backfill_sim::metrics::{self, Better, METRICS, Metric};
use backfill_sim::stats::estimate;

/// The runs of a scenario by x, policy and replication.
#[derive(Clone)]
pub(super) struct Curves<'a> {
    run: &'a Run,
    scenario: &'a Scenario,
    results: &'a Results,
    metric: &'static Metric,
    /// What the paper calls its policies.
    pub(super) called: &'static [Pair],
    /// The same of other figures, by their names, where an average goes over them too.
    pub(super) among: Vec<(&'static str, Curves<'a>)>,
    /// Where the first value of x stands among those of the scenario.
    first: usize,
    x: Vec<String>,
    /// The metric as something to keep low, by (x, policy, replication).
    costs: Vec<Vec<Vec<Option<f64>>>>,
}

impl<'a> Curves<'a> {
    pub(super) fn of(metric: &str, run: &'a Run) -> Curves<'a> {
        let Run {
            scenario, results, ..
        } = run;
        let position = metrics::position(metric).expect("it stands in the table");
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
    fn by(&self, metric: &str) -> Curves<'a> {
        let curves = Curves {
            called: self.called,
            ..Curves::of(metric, self.run)
        };
        curves.cut(self.first, self.x.len())
    }

    /// So many values of x from that one on.
    fn cut(mut self, first: usize, count: usize) -> Curves<'a> {
        self.first += first;
        self.x = self.x.into_iter().skip(first).take(count).collect();
        self.costs = self.costs.into_iter().skip(first).take(count).collect();
        self
    }

    fn policy(&self, name: &str) -> usize {
        let mut policies = self.scenario.policies().iter();
        policies
            .position(|policy| policy.to_string() == name)
            .expect("claims name policies of the scenario")
    }

    fn label(&self, name: &str) -> String {
        label(self.scenario, self.policy(name), self.called)
    }

    /// The unit of a difference.
    fn unit(&self) -> &'static str {
        match self.metric.unit {
            "share" => "points",
            unit => unit,
        }
    }

    /// By how much a policy leads another at an x, in each replication.
    fn leads(&self, x: usize, policy: &str, than: &str) -> Vec<f64> {
        let costs = &self.costs[x];
        let pairs = costs[self.policy(than)]
            .iter()
            .zip(&costs[self.policy(policy)]);
        pairs
            .filter_map(|(there, here)| Some((*there)? - (*here)?))
            .collect()
    }

    fn lead(&self, x: usize, policy: &str, than: &str) -> Option<Evidence> {
        let what = format!(
            "at {}: {} over {}",
            self.x[x],
            self.label(policy),
            self.label(than)
        );
        Evidence::of_leads(what, self.unit(), &self.leads(x, policy, than))
    }

    /// By how many per cent a policy lowers the metric of another, on average over x, in each
    /// replication; `None` where one of these numbers is missing.
    fn lowerings(&self, policy: &str, than: &str) -> Vec<Option<f64>> {
        let (own, other) = (self.policy(policy), self.policy(than));
        let average = |r: usize| {
            let each = self
                .costs
                .iter()
                .map(|costs| lowering::percent(costs[own][r]?, costs[other][r]?));
            Some(each.sum::<Option<f64>>()? / self.costs.len() as f64)
        };
        (0..self.scenario.reps() as usize).map(average).collect()
    }

    /// What the comparisons at one x say together: the one that is least for the claim.
    fn weakest(&self, x: usize, policies: &[&str], than: &[&str]) -> Option<Evidence> {
        let pairs = policies
            .iter()
            .flat_map(|policy| than.iter().map(move |than| (policy, than)));
        let evidence = pairs.filter_map(|(policy, than)| self.lead(x, policy, than));
        weakest(evidence)
    }

    /// The values of x as numbers.
    fn numbers(&self) -> Vec<f64> {
        let x: Option<Vec<f64>> = self.x.iter().map(|value| value.parse().ok()).collect();
        x.expect("a line is fitted over numbers")
    }

    /// `of` the values at every x, for each replication that has all of them.
    fn by_replication(
        &self,
        value: impl Fn(usize, usize) -> Option<f64>,
        of: impl Fn(&[f64]) -> f64,
    ) -> Vec<f64> {
        let one = |replication| {
            let y: Option<Vec<f64>> = (0..self.x.len()).map(|at| value(at, replication)).collect();
            Some(of(&y?))
        };
        (0..self.scenario.reps() as usize).filter_map(one).collect()
    }

    /// For each replication how much the line that fits `value` at every x rises from the first x to
    /// the last.
    fn rises(&self, value: impl Fn(usize, usize) -> Option<f64>) -> Vec<f64> {
        let x = self.numbers();
        let reach = x[x.len() - 1] - x[0];
        self.by_replication(value, |y| slope(&x, y) * reach)
    }

    /// The metric of a policy at an x in a replication.
    fn value(&self, policy: &str, x: usize, replication: usize) -> Option<f64> {
        let cost = self.costs[x][self.policy(policy)][replication]?;
        Some(match self.metric.better {
            Better::Higher => -cost,
            Better::Lower | Better::Neither => cost,
        })
    }

    /// Whether the metric of each policy rises from every x to the next.
    fn step_by_step(&self, policies: &[&str]) -> Vec<Evidence> {
        let step = |policy: &str, x: usize| {
            let rises: Vec<f64> = (0..self.scenario.reps() as usize)
                .filter_map(|r| Some(self.value(policy, x, r)? - self.value(policy, x - 1, r)?))
                .collect();
            let [from, to] = [&self.x[x - 1], &self.x[x]];
            let what = format!("rise of {} from {from} to {to}", self.label(policy));
            Evidence::of_leads(what, self.unit(), &rises)
        };
        let steps = policies
            .iter()
            .flat_map(|policy| (1..self.x.len()).map(move |x| (policy, x)));
        steps.filter_map(|(policy, x)| step(policy, x)).collect()
    }

    /// Whether the line fitted to the metric of each policy rises, and the parabola bends upwards: by
    /// how much it sags in the middle.
    fn ever_faster(&self, policies: &[&str]) -> Vec<Evidence> {
        let x = self.numbers();
        let both = |policy: &&str| {
            let value = |x, r| self.value(policy, x, r);
            let sags = self.by_replication(value, |y| sag(&x, y));
            let label = self.label(policy);
            let what = |what: &str| format!("{what} of {label} {}", self.extent());
            [("rise", self.rises(value)), ("sag", sags)]
                .map(|(word, values)| Evidence::of_leads(what(word), self.unit(), &values))
        };
        policies.iter().flat_map(both).flatten().collect()
    }

    /// Whether the line fitted to the metric of each policy is steeper from an x on than up to there.
    fn steeper(&self, policies: &[&str], after: &str) -> Vec<Evidence> {
        let (x, at) = (self.numbers(), self.place(after));
        let difference = |policy: &&str| {
            let more = self.by_replication(
                |x, r| self.value(policy, x, r),
                |y| slope(&x[at..], &y[at..]) - slope(&x[..=at], &y[..=at]),
            );
            let what = format!(
                "slope of {} after {after} less that before, for 1 of x",
                self.label(policy)
            );
            Evidence::of_leads(what, self.unit(), &more)
        };
        policies.iter().filter_map(difference).collect()
    }

    /// Whether the line fitted to the metric of each policy rises, or falls where `sign` is negative.
    fn by_line(&self, what: &str, sign: f64, policies: &[&str]) -> (Outcome, Vec<Evidence>) {
        let sign = match self.metric.better {
            Better::Higher => -sign,
            Better::Lower | Better::Neither => sign,
        };
        let line = |policy: &&str| {
            let cost = |x: usize, r: usize| self.costs[x][self.policy(policy)][r];
            let rises = self.rises(|x, r| Some(sign * cost(x, r)?));
            let what = format!("{what} of {} {}", self.label(policy), self.extent());
            Evidence::of_leads(what, self.unit(), &rises)
        };
        let evidence: Vec<Evidence> = policies.iter().filter_map(line).collect();
        (claim::all(&evidence), evidence)
    }

    /// The same of the policy's lead over each of the others.
    fn leads_by_line(
        &self,
        what: &str,
        sign: f64,
        policy: &str,
        than: &[&str],
    ) -> (Outcome, Vec<Evidence>) {
        let line = |than: &&str| {
            let cost = |x: usize, r: usize, name| self.costs[x][self.policy(name)][r];
            let rises = self.rises(|x, r| Some(sign * (cost(x, r, than)? - cost(x, r, policy)?)));
            let what = format!(
                "{what} of the lead of {} over {} {}",
                self.label(policy),
                self.label(than),
                self.extent()
            );
            Evidence::of_leads(what, self.unit(), &rises)
        };
        let evidence: Vec<Evidence> = than.iter().filter_map(line).collect();
        (claim::all(&evidence), evidence)
    }

    /// From where to where x goes.
    fn extent(&self) -> String {
        format!("from {} to {}", self.x[0], self.x[self.x.len() - 1])
    }

    /// Where a value of x stands.
    fn place(&self, x: &str) -> usize {
        let place = self.x.iter().position(|value| value == x);
        place.expect("claims name values of x")
    }

    fn all_x(&self, of: impl Fn(usize) -> Option<Evidence>) -> Vec<Evidence> {
        (0..self.x.len()).filter_map(of).collect()
    }

    pub(super) fn judge(
        &self,
        check: &Check,
        beside: Option<&Curves<'a>>,
    ) -> (Outcome, Vec<Evidence>) {
        match *check {
            Check::Better {
                policies,
                than,
                extent,
            } => {
                let mut evidence = self.all_x(|x| self.weakest(x, policies, than));
                if let Extent::AllBut(exception) = extent {
                    let side = &mut evidence[self.place(exception)].side;
                    *side = match *side {
                        Side::For | Side::Equal => Side::Against,
                        Side::Against => Side::For,
                        Side::Open => Side::Open,
                    };
                }
                (extent.quorum().judge(&evidence), evidence)
            }
            Check::NeverWorse { policy, than } => {
                let evidence = self.all_x(|x| self.lead(x, policy, than));
                (Quorum::NoneAgainst.judge(&evidence), evidence)
            }
            Check::LeadGrows { policy, than } => self.leads_by_line("growth", 1.0, policy, than),
            Check::LeadShrinks { policy, than } => self.leads_by_line("fall", -1.0, policy, than),
            Check::Falls { policies } => self.by_line("fall", -1.0, policies),
            Check::Rises { policies } => self.by_line("rise", 1.0, policies),
            Check::RisesSteadily { policies } => {
                let evidence = self.step_by_step(policies);
                (claim::all(&evidence), evidence)
            }
            Check::RisesEverFaster { policies } => {
                let evidence = self.ever_faster(policies);
                (claim::all(&evidence), evidence)
            }
            Check::Steeper { policies, after } => {
                let evidence = self.steeper(policies, after);
                (claim::all(&evidence), evidence)
            }
            Check::Of { metric, check } => {
                let beside = beside.map(|beside| beside.by(metric));
                self.by(metric).judge(check, beside.as_ref())
            }
            Check::Within { x, check } => {
                let [from, to] = x.map(|x| self.place(x));
                let cut = |curves: &Curves<'a>| curves.clone().cut(from, to + 1 - from);
                cut(self).judge(check, beside.map(cut).as_ref())
            }
            Check::Certain { check, .. } => self.judge(check, beside),
            Check::LargestLead {
                policies,
                than,
                range,
            } => {
                let leads = (0..self.x.len()).flat_map(|x| {
                    let leads = move |policy: &&str| self.lead(x, policy, than);
                    policies.iter().filter_map(leads)
                });
                let largest = leads.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
                let evidence: Vec<Evidence> = largest
                    .map(|lead| Evidence {
                        side: inside(lead.value, range),
                        ..lead
                    })
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::RelativeLeadAt {
                policies,
                than,
                x,
                range,
            } => {
                let at = self.place(x);
                let relative = |policy: &&str| {
                    let costs = self.costs[at][self.policy(than)].iter();
                    let shares = costs.zip(&self.costs[at][self.policy(policy)]);
                    let shares: Vec<f64> = shares
                        .filter_map(|(there, here)| {
                            let (there, here) = ((*there)?, (*here)?);
                            Some(100.0 * (there - here) / there.abs())
                        })
                        .collect();
                    let value = estimate(&shares)?;
                    Some(Evidence {
                        what: format!(
                            "at {x}: relative lead of {} over {}",
                            self.label(policy),
                            self.label(than)
                        ),
                        unit: "%",
                        side: inside(value, range),
                        value,
                    })
                };
                let largest = policies
                    .iter()
                    .filter_map(relative)
                    .max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
                let evidence: Vec<Evidence> = largest.into_iter().collect();
                (claim::all(&evidence), evidence)
            }
            Check::LeadAt {
                policy,
                than,
                x,
                range,
            } => {
                let lead = self.lead(self.place(x), policy, than);
                let evidence: Vec<Evidence> = lead
                    .map(|lead| Evidence {
                        side: inside(lead.value, range),
                        ..lead
                    })
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::LeadBelow {
                policy,
                than,
                limit,
            } => {
                let below = |x: usize| {
                    let below = than.iter().filter_map(|than| {
                        let left: Vec<f64> = self
                            .leads(x, policy, than)
                            .iter()
                            .map(|lead| limit - lead)
                            .collect();
                        let left = Evidence::of_leads(String::new(), "", &left)?;
                        let lead = self.lead(x, policy, than)?;
                        Some((left, lead))
                    });
                    let (left, lead) =
                        below.min_by(|a, b| a.0.value.mean.total_cmp(&b.0.value.mean))?;
                    Some(Evidence {
                        side: left.side,
                        ..lead
                    })
                };
                let evidence = self.all_x(below);
                (claim::all(&evidence), evidence)
            }
            Check::Close {
                policies,
                reference,
                extent,
            } => {
                let labels: Vec<String> =
                    policies.iter().map(|policy| self.label(policy)).collect();
                let close = |x: usize| {
                    let costs = &self.costs[x];
                    let margin = |r: usize| {
                        let group: Option<Vec<f64>> = policies
                            .iter()
                            .map(|policy| costs[self.policy(policy)][r])
                            .collect();
                        let group = group?;
                        let worst = group.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                        let best = group.iter().copied().fold(f64::INFINITY, f64::min);
                        Some((costs[self.policy(reference)][r]? - worst) - (worst - best))
                    };
                    let margins: Vec<f64> = (0..self.scenario.reps() as usize)
                        .filter_map(margin)
                        .collect();
                    let what = format!(
                        "at {}: distance to {} less the spread of {}",
                        self.x[x],
                        self.label(reference),
                        labels.join(", ")
                    );
                    Evidence::of_leads(what, self.unit(), &margins)
                };
                let evidence = self.all_x(close);
                (extent.quorum().judge(&evidence), evidence)
            }
            Check::Peak {
                metric,
                policies,
                factor,
                unit,
                range,
            } => {
                let evidence: Vec<Evidence> = self
                    .peak(metric, policies, factor, unit, range)
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::Never {
                metric,
                policies,
                factor,
                unit,
                above,
            } => {
                let measured = &self.by(metric);
                let reps = self.scenario.reps() as usize;
                let of = |policy| {
                    let cells = (0..self.x.len()).flat_map(|x| (0..reps).map(move |r| (x, r)));
                    cells.filter_map(move |(x, r)| measured.value(policy, x, r))
                };
                let greatest = policies.iter().flat_map(|policy| of(policy));
                let evidence: Vec<Evidence> = greatest
                    .reduce(f64::max)
                    .map(|value| {
                        let value = factor * value;
                        let what = "greatest in any replication".to_owned();
                        Evidence::fact(what, unit, value, value <= above)
                    })
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::MeanAt {
                policy,
                x,
                factor,
                unit,
                range,
            } => {
                let place = (self.first + self.place(x), self.policy(policy));
                let what = format!("at {x}: {}", self.label(policy));
                let evidence = self.mean_at(place, self.metric.name, factor, what, unit, range);
                let evidence: Vec<Evidence> = evidence.into_iter().collect();
                (claim::all(&evidence), evidence)
            }
            Check::Crossing {
                policy,
                than,
                of,
                range,
            } => {
                let evidence: Vec<Evidence> =
                    self.crossing(policy, than, of, range).into_iter().collect();
                (claim::all(&evidence), evidence)
            }
            Check::Flat { policies, at_most } => {
                let rise = |policy: &&str| {
                    let costs = |r: usize| -> Option<f64> {
                        let costs = self.costs.iter().map(|at| at[self.policy(policy)][r]);
                        let costs: Option<Vec<f64>> = costs.collect();
                        let costs = costs?;
                        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
                        let most = costs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                        Some(100.0 * (most - least) / least.abs())
                    };
                    let rises = (0..self.scenario.reps() as usize).filter_map(costs);
                    let value = estimate(&rises.collect::<Vec<f64>>())?;
                    Some(Evidence {
                        what: format!("largest difference of {} over x", self.label(policy)),
                        unit: "%",
                        side: inside(value, [f64::NEG_INFINITY, 100.0 * at_most]),
                        value,
                    })
                };
                let evidence: Vec<Evidence> = policies.iter().filter_map(rise).collect();
                (claim::all(&evidence), evidence)
            }
            Check::Same { policy, than } => {
                let evidence = self.all_x(|x| self.lead(x, policy, than));
                let same = evidence.iter().all(|one| one.side == Side::Equal);
                let outcome = match (evidence.is_empty(), same) {
                    (true, _) => Outcome::Undecided,
                    (false, true) => Outcome::Holds,
                    (false, false) => Outcome::DoesNotHold,
                };
                (outcome, evidence)
            }
            Check::LowestAt { policy, x } => {
                let (at, own) = (self.place(x), self.policy(policy));
                let above = |other: usize| {
                    let pairs = self.costs[other][own].iter().zip(&self.costs[at][own]);
                    let above = pairs.filter_map(|(there, here)| Some((*there)? - (*here)?));
                    let above: Vec<f64> = above.collect();
                    let what = format!("{} at {} over {x}", self.label(policy), self.x[other]);
                    Evidence::of_leads(what, self.unit(), &above)
                };
                let others = (0..self.x.len()).filter(|&other| other != at);
                let evidence: Vec<Evidence> = others.filter_map(above).collect();
                (claim::all(&evidence), evidence)
            }
            Check::GainLargerThan { policy, than, .. } => {
                let Some(beside) = beside else {
                    return (Outcome::Undecided, Vec::new());
                };
                let gain = |curves: &Curves<'_>, r: usize| {
                    let sum = |name| -> Option<f64> {
                        let policy = curves.policy(name);
                        curves.costs.iter().map(|costs| costs[policy][r]).sum()
                    };
                    Some(1.0 - sum(policy)? / sum(than)?)
                };
                let reps = self.scenario.reps() as usize;
                let more: Vec<f64> = (0..reps)
                    .filter_map(|r| Some(gain(self, r)? - gain(beside, r)?))
                    .collect();
                let what = format!(
                    "gain of {} over {}, here − there",
                    self.label(policy),
                    self.label(than)
                );
                let evidence: Vec<Evidence> = Evidence::of_leads(what, "points", &more)
                    .into_iter()
                    .collect();
                (claim::all(&evidence), evidence)
            }
            Check::Lowers {
                among,
                policy,
                than,
                percent,
            } => {
                if self.among.len() < among.len() {
                    return (Outcome::Undecided, Vec::new());
                }
                let place = |id: &str| Figure::named(id).map_or("", |figure| figure.place);
                let there = self.among.iter().map(|(id, there)| (place(id), there));
                let cases: Vec<(&str, Vec<Option<f64>>)> = there
                    .chain([("here", self)])
                    .map(|(place, curves)| (place, curves.lowerings(policy, than)))
                    .collect();
                let what = format!("{} below {}", self.label(policy), self.label(than));
                lowering::judged(&what, &cases, percent)
            }
            Check::LargerThan { policies, .. } => {
                let Some(beside) = beside else {
                    return (Outcome::Undecided, Vec::new());
                };
                let larger = |x: usize| {
                    let each = policies.iter().filter_map(|policy| {
                        let costs =
                            |curves: &Curves<'_>| curves.costs[x][curves.policy(policy)].clone();
                        let pairs = costs(self).into_iter().zip(costs(beside));
                        let more: Vec<f64> = pairs
                            .filter_map(|(here, there)| Some(here? - there?))
                            .collect();
                        let what =
                            format!("at {}: {}, here − there", self.x[x], self.label(policy));
                        Evidence::of_leads(what, self.unit(), &more)
                    });
                    weakest(each)
                };
                let evidence = self.all_x(larger);
                (claim::all(&evidence), evidence)
            }
        }
    }

    /// The value of a metric where a policy ceases to be better than another.
    fn crossing(&self, policy: &str, than: &str, of: &str, range: [f64; 2]) -> Option<Evidence> {
        let measured = self.by(of);
        let (own, other) = (self.policy(policy), self.policy(than));
        let at_crossing = |r: usize| {
            (1..self.x.len()).find_map(|x| {
                let lead = |x: usize| Some(self.costs[x][other][r]? - self.costs[x][own][r]?);
                let (before, after) = (lead(x - 1)?, lead(x)?);
                if before <= 0.0 || after > 0.0 {
                    return None;
                }
                let value = |x: usize| measured.costs[x][own][r];
                let share = before / (before - after);
                Some(value(x - 1)? + share * (value(x)? - value(x - 1)?))
            })
        };
        let reps = self.scenario.reps() as usize;
        let values: Vec<f64> = (0..reps).filter_map(at_crossing).collect();
        let value = estimate(&values)?;
        Some(Evidence {
            what: format!(
                "{} where {} crosses {}",
                measured.metric.label,
                self.label(policy),
                self.label(than)
            ),
            unit: measured.metric.unit,
            // Those replications alone in which it happens early would tell another story.
            side: match values.len() == reps {
                true => inside(value, range),
                false => Side::Open,
            },
            value,
        })
    }

    /// The greatest mean and whether it lies in the range.
    fn peak(
        &self,
        metric: &str,
        policies: &[&str],
        factor: f64,
        unit: &'static str,
        range: [f64; 2],
    ) -> Option<Evidence> {
        let position = metrics::position(metric)?;
        let chosen: Vec<usize> = policies.iter().map(|policy| self.policy(policy)).collect();
        let points = self.results.points();
        let within = self.first..self.first + self.x.len();
        let of_it = points.iter().filter(|point| {
            point.metric == position && chosen.contains(&point.policy) && within.contains(&point.x)
        });
        let top = of_it.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean))?;
        let name = self.scenario.policies()[top.policy].to_string();
        let what = format!(
            "greatest of {}, at {}",
            self.label(&name),
            self.x[top.x - self.first]
        );
        self.mean_at((top.x, top.policy), metric, factor, what, unit, range)
    }

    /// The mean of a metric for a policy at an x, and whether it lies in the range.
    fn mean_at(
        &self,
        place: (usize, usize),
        metric: &str,
        factor: f64,
        what: String,
        unit: &'static str,
        range: [f64; 2],
    ) -> Option<Evidence> {
        let position = metrics::position(metric)?;
        let outcomes = self.results.outcomes();
        let values: Vec<f64> = outcomes
            .filter(|outcome| (outcome.cell.x, outcome.cell.policy) == place)
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

/// The slope of the line that fits `y` over `x`.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let (x_mean, y_mean) = (mean(x), mean(y));
    let both = x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean));
    let square = x.iter().map(|x| (x - x_mean) * (x - x_mean));
    both.sum::<f64>() / square.sum::<f64>()
}

/// By how much the parabola that fits `y` over `x` lies below its chord in the middle of x.
fn sag(x: &[f64], y: &[f64]) -> f64 {
    let x_mean = mean(x);
    let x: Vec<f64> = x.iter().map(|x| x - x_mean).collect();
    let square: Vec<f64> = x.iter().map(|x| x * x).collect();
    // What the squares have that no line fits.
    let (tilt, level) = (slope(&x, &square), mean(&square));
    let rest = |x: &f64| x * x - tilt * x - level;
    let both = x.iter().zip(y).map(|(x, y)| rest(x) * y);
    let bend = both.sum::<f64>() / x.iter().map(|x| rest(x) * rest(x)).sum::<f64>();
    let half = (x[x.len() - 1] - x[0]) / 2.0;
    bend * half * half
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The evidence that is least for the claim; a tie counts only where nothing else is there.
fn weakest(evidence: impl Iterator<Item = Evidence>) -> Option<Evidence> {
    let rank = |side| match side {
        Side::Against => 0,
        Side::Open => 1,
        Side::For => 2,
        Side::Equal => 3,
    };
    let lower = |one: &Evidence| one.value.mean - one.value.half_width.unwrap_or(0.0);
    evidence.min_by(|a, b| {
        rank(a.side)
            .cmp(&rank(b.side))
            .then(lower(a).total_cmp(&lower(b)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::sweep::Reading;
    use super::*;

    /// A check judged where the metric is, at each x in 10 replications that differ by ± 1, what `means`
    /// has for each of two policies.
    fn judged(check: &Check, means: [&[f64]; 2]) -> (Outcome, Vec<Side>) {
        let x: Vec<String> = (1..=means[0].len()).map(|x| x.to_string()).collect();
        let x = format!("load:{}", x.join(","));
        let pairs = [("policy", "fcfs,easy"), ("reps", "10"), ("x", &x)];
        let scenario = Scenario::parse(pairs).expect("it is valid");
        let metric = metrics::position("response_mean").expect("it stands in the table");
        let mut results = Results::new(&scenario);
        for cell in backfill_experiment::sweep::cells(&scenario) {
            let mut values = vec![None; METRICS.len()];
            // The policies swing against each other, so that their difference does too.
            let swing = f64::from(cell.replication % 2) * 2.0 - 1.0;
            let swing = swing * (1.0 - 2.0 * cell.policy as f64);
            values[metric] = Some(means[cell.policy][cell.x] + swing);
            results.add(backfill_experiment::sweep::Outcome {
                cell,
                digest: String::new(),
                metrics: values,
                jobs: 0,
            });
        }
        let run = Run {
            reading: Reading::default(),
            scenario,
            results,
        };
        let (outcome, evidence) = Curves::of("response_mean", &run).judge(check, None);
        (outcome, evidence.iter().map(|one| one.side).collect())
    }

    const FCFS: &str = "fcfs+adaba";
    const EASY: &str = "easy+adaba";

    fn better(extent: Extent) -> Check {
        Check::Better {
            policies: &[EASY],
            than: &[FCFS],
            extent,
        }
    }

    /// Four values of seven for it, two against it, one open.
    #[test]
    fn a_text_without_exceptions_does_not_bear_what_most_cases_do() {
        let means: [&[f64]; 2] = [
            &[20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0],
            &[10.0, 10.0, 10.0, 10.0, 20.0, 30.0, 30.0],
        ];
        let outcome = |extent| judged(&better(extent), means).0;
        assert_eq!(outcome(Extent::Mostly), Outcome::Holds);
        assert_eq!(outcome(Extent::Generally), Outcome::DoesNotHold);
        assert_eq!(outcome(Extent::Always), Outcome::DoesNotHold);
        let five: [&[f64]; 2] = [&means[0][..5], &means[1][..5]];
        let outcome = |extent| judged(&better(extent), five).0;
        assert_eq!(outcome(Extent::Generally), Outcome::Holds);
        assert_eq!(outcome(Extent::Always), Outcome::Undecided);
    }

    #[test]
    fn a_policy_is_not_found_no_worse_by_open_comparisons() {
        let check = Check::NeverWorse {
            policy: EASY,
            than: FCFS,
        };
        let level: [&[f64]; 2] = [&[20.0, 20.0], &[20.0, 20.0]];
        let (outcome, sides) = judged(&check, level);
        assert_eq!(outcome, Outcome::Undecided);
        assert_eq!(sides, [Side::Open, Side::Open]);
        let ahead: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 10.0]];
        assert_eq!(judged(&check, ahead).0, Outcome::Holds);
        let once_behind: [&[f64]; 2] = [&[20.0, 20.0], &[10.0, 30.0]];
        assert_eq!(judged(&check, once_behind).0, Outcome::DoesNotHold);
    }

    #[test]
    fn nothing_is_said_beyond_the_values_that_a_claim_is_about() {
        const WITHIN: Check = Check::Within {
            x: ["1", "2"],
            check: &Check::Better {
                policies: &[EASY],
                than: &[FCFS],
                extent: Extent::Always,
            },
        };
        let means: [&[f64]; 2] = [&[20.0, 20.0, 20.0], &[10.0, 10.0, 40.0]];
        let (outcome, sides) = judged(&WITHIN, means);
        assert_eq!(outcome, Outcome::Holds);
        assert_eq!(sides, [Side::For, Side::For]);
    }

    #[test]
    fn the_exception_that_a_text_makes_is_for_it() {
        let check = better(Extent::AllBut("2"));
        let means: [&[f64]; 2] = [&[20.0, 20.0, 20.0], &[10.0, 40.0, 10.0]];
        let (outcome, sides) = judged(&check, means);
        assert_eq!(outcome, Outcome::Holds);
        assert_eq!(sides, [Side::For; 3]);
    }

    #[test]
    fn what_rises_need_not_rise_steadily_or_ever_faster() {
        let steadily = Check::RisesSteadily { policies: &[FCFS] };
        let faster = Check::RisesEverFaster { policies: &[FCFS] };
        let steeper = Check::Steeper {
            policies: &[FCFS],
            after: "3",
        };
        let outcomes = |curve: &[f64]| {
            [&steadily, &faster, &steeper].map(|check| judged(check, [curve, curve]).0)
        };
        use Outcome::{DoesNotHold as No, Holds as Yes};
        assert_eq!(outcomes(&[10.0, 20.0, 40.0, 80.0, 160.0]), [Yes, Yes, Yes]);
        // Flat, then rising: neither at every step, yet it bends.
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
        let never = |above| Check::Never {
            metric: "response_mean",
            policies: &[FCFS],
            factor: 2.0,
            unit: "s",
            above,
        };
        // The replications swing by 1 about 10, and twice that is told.
        let means: [&[f64]; 2] = [&[9.0, 10.0], &[50.0, 50.0]];
        assert_eq!(judged(&never(22.0), means).0, Outcome::Holds);
        assert_eq!(judged(&never(21.0), means).0, Outcome::DoesNotHold);
    }

    #[test]
    fn a_flat_curve_is_one_whose_whole_interval_is() {
        let flat = Check::Flat {
            policies: &[FCFS],
            at_most: 0.1,
        };
        assert_eq!(
            judged(&flat, [&[1000.0, 1020.0], &[0.0, 0.0]]).0,
            Outcome::Holds
        );
        assert_eq!(
            judged(&flat, [&[1000.0, 1200.0], &[0.0, 0.0]]).0,
            Outcome::DoesNotHold
        );
        assert_eq!(
            judged(&flat, [&[10.0, 11.0], &[0.0, 0.0]]).0,
            Outcome::Undecided
        );
    }
}
