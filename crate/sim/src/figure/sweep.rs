//! Figures that are scenarios: curves of one metric, under one or several readings of the text.

use std::collections::BTreeSet;
use std::fmt;

use super::claim::{self, Claim, Evidence, Finding, Judged, Outcome, Side};
use super::{Figure, Kind, Run, lowering};
use crate::metrics::{self, Better, METRICS, Metric};
use crate::scenario::link::{self, Extras, LinkError};
use crate::scenario::setup::SystemKind;
use crate::scenario::{KEYS, Placement, PolicySpec, Scenario};
use crate::stats::{Estimate, estimate};
use crate::sweep::Results;
use crate::workload::Trace;

/// A key and its value.
pub type Pair = (&'static str, &'static str);

/// A figure that is a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// What is simulated; policies and x are among it, the workload too unless a log brings it.
    pub pairs: &'static [Pair],
    /// What a quick run has in place of that, where all of it would take too long: fewer jobs, or
    /// fewer values of x.
    pub quick: &'static [Pair],
    /// The log that the jobs come from.
    pub log: Option<&'static Log>,
    /// What is drawn.
    pub metric: &'static str,
    /// Whether the curves lie too far apart for an even scale.
    pub logarithmic: bool,
    /// Keys that the text leaves open; every combination is a reading.
    pub switches: &'static [Switch],
    /// What the text says.
    pub claims: &'static [Claim<Check>],
}

impl Sweep {
    /// Curves of generated jobs on an even scale, about which the text leaves nothing open.
    pub(super) const fn plain(
        [pairs, quick]: [&'static [Pair]; 2],
        metric: &'static str,
        claims: &'static [Claim<Check>],
    ) -> Sweep {
        Sweep {
            pairs,
            quick,
            log: None,
            metric,
            logarithmic: false,
            switches: &[],
            claims,
        }
    }

    /// The figure that it makes.
    pub(super) const fn figure(
        self,
        [id, place, title]: [&'static str; 3],
        caption: &'static str,
    ) -> Figure {
        Figure {
            id,
            place,
            title,
            caption,
            kind: Kind::Sweep(self),
        }
    }
}

/// A workload log that a figure is drawn from. It is published and may not be copied here.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// What it is called.
    pub title: &'static str,
    /// The name of its file as it is published.
    pub file: &'static str,
    /// SHA-256 of the decompressed file.
    pub sha256: &'static str,
    /// How many of its first jobs are taken.
    pub first: &'static str,
    /// Generated jobs that stand in for it: as many, of the same mean runtime, with sizes of the same
    /// kind and mean or range.
    pub look_alike: &'static [Pair],
}

/// Where the Parallel Workloads Archive publishes its logs.
pub const ARCHIVE: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

/// Where the jobs of a figure come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkloadFrom {
    /// The log that the text names, or the laws that it states.
    Log,
    /// Generated jobs that stand in for the log.
    LookAlike,
}

impl WorkloadFrom {
    /// The log where there is its trace.
    pub fn of(trace: Option<&Trace>) -> WorkloadFrom {
        match trace {
            Some(_) => WorkloadFrom::Log,
            None => WorkloadFrom::LookAlike,
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            WorkloadFrom::Log => "as stated",
            WorkloadFrom::LookAlike => "look-alike",
        }
    }
}

impl Log {
    fn pairs(&self, from: WorkloadFrom) -> Vec<(&'static str, &'static str)> {
        match from {
            WorkloadFrom::LookAlike => self.look_alike.to_vec(),
            WorkloadFrom::Log => vec![
                ("workload", "swf"),
                ("file", self.file),
                ("sha256", self.sha256),
                ("first", self.first),
            ],
        }
    }

    /// A scenario of its jobs and nothing else.
    pub fn scenario(&self, from: WorkloadFrom) -> Scenario {
        let fixed = [("x", "none"), ("policy", "none")];
        let pairs = self.pairs(from).into_iter().chain(fixed);
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }
}

/// A key that the text leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The key.
    pub key: &'static str,
    /// What it may mean; the first is the default reading.
    pub values: &'static [&'static str],
}

/// One way to read what a figure leaves open: a value for each switch; none where nothing is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading(pub Vec<Pair>);

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        f.write_str(&pairs.join(", "))
    }
}

/// How many replications stand behind a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few.
    Quick,
    /// Enough for narrow intervals.
    Full,
}

impl Effort {
    /// Both.
    pub const ALL: [Effort; 2] = [Effort::Quick, Effort::Full];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Effort> {
        Effort::ALL.into_iter().find(|effort| effort.name() == name)
    }

    /// The number of replications.
    pub fn replications(self) -> u32 {
        match self {
            Effort::Quick => 5,
            Effort::Full => 20,
        }
    }
}

/// How often a comparison must come out for the claim, over the values of x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Wherever there is a difference.
    Always,
    /// At more than half of the values.
    Mostly,
    /// Everywhere but at this value, where it comes out against it.
    AllBut(&'static str),
    /// At every value up to this one.
    UpTo(&'static str),
}

/// What can be said of curves. Policies go by their names in the scenario; a policy *leads* by how
/// much its metric is better.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each of these policies leads each of those.
    Better {
        /// The ones said to be better.
        policies: &'static [&'static str],
        /// The ones said to be worse.
        than: &'static [&'static str],
        /// At which values of x.
        extent: Extent,
    },
    /// There is no x at which the policy is worse than the other.
    NeverWorse {
        /// The one said to be no worse.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// The line fitted to the policy's lead over each of the others rises with x.
    LeadGrows {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
    },
    /// The line fitted to the policy's lead over each of the others falls with x.
    LeadShrinks {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
    },
    /// The line fitted to the metric of each policy falls with x.
    Falls {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The line fitted to the metric of each policy rises with x.
    Rises {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// At that x the policy leads the other by at least so much.
    LeadAt {
        /// The one said to lead.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// A value of x.
        x: &'static str,
        /// The least lead.
        at_least: f64,
    },
    /// At no x the policy leads one of the others by so much.
    LeadBelow {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
        /// The lead that is not reached.
        limit: f64,
    },
    /// The largest lead of one of the policies over the other, over all x, lies in a range.
    LargestLead {
        /// The ones said to lead.
        policies: &'static [&'static str],
        /// The other.
        than: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// At that x the largest lead of one of the policies over the other, in per cent of the other's
    /// metric, lies in a range.
    RelativeLeadAt {
        /// The ones said to lead.
        policies: &'static [&'static str],
        /// The other.
        than: &'static str,
        /// A value of x.
        x: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// At most values of x these policies lie closer together than the worst of them is to the
    /// reference.
    Close {
        /// The ones said to be alike.
        policies: &'static [&'static str],
        /// The one that is said to be far from them.
        reference: &'static str,
    },
    /// The greatest mean of a metric, over policies and x and times a factor, lies in a range.
    Peak {
        /// The metric.
        metric: &'static str,
        /// Whose curves.
        policies: &'static [&'static str],
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// The share by which the policy lowers the metric of the other, summed over x, is larger than in
    /// another figure.
    GainLargerThan {
        /// The other figure.
        beside: &'static str,
        /// The one said to gain.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// At every x the metric of each policy is larger than in another figure.
    LargerThan {
        /// The other figure.
        beside: &'static str,
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The policy lowers the metric of the other by so many per cent: the average over all x, here and
    /// in other figures.
    Lowers {
        /// The other figures, under the readings at the same positions.
        among: &'static [&'static str],
        /// The one said to lower it.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// By how much.
        percent: f64,
    },
    /// At that x the metric of the policy, times a factor, lies in a range.
    MeanAt {
        /// The policy.
        policy: &'static str,
        /// A value of x.
        x: &'static str,
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// Where the policy ceases to be better than the other, its value of a metric, interpolated
    /// between the values of x on either side, lies in a range. It is open while some replication never
    /// gets there.
    Crossing {
        /// The one that is better at first.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// The metric.
        of: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// Over all x the metric of each policy exceeds its smallest value by at most this share.
    Flat {
        /// The policies.
        policies: &'static [&'static str],
        /// The share.
        at_most: f64,
    },
    /// The policy and the other are the same everywhere.
    Same {
        /// The one.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// The policy does better at one value of x than at any other.
    LowestAt {
        /// The policy.
        policy: &'static str,
        /// The value of x.
        x: &'static str,
    },
    /// Something is so of another metric than the one that the figure shows.
    Of {
        /// The other metric.
        metric: &'static str,
        /// What is said of it.
        check: &'static Check,
    },
}

impl Check {
    /// The other figure that it compares with.
    pub(super) fn beside(&self) -> Option<&'static str> {
        match *self {
            Check::GainLargerThan { beside, .. } | Check::LargerThan { beside, .. } => Some(beside),
            Check::Of { check, .. } => check.beside(),
            _ => None,
        }
    }

    /// The other figures with which it takes an average.
    pub(super) fn among(&self) -> &'static [&'static str] {
        match *self {
            Check::Lowers { among, .. } => among,
            _ => &[],
        }
    }

    /// The value of x that it names.
    #[cfg(test)]
    fn x(&self) -> Option<&'static str> {
        match *self {
            Check::LeadAt { x, .. }
            | Check::LowestAt { x, .. }
            | Check::RelativeLeadAt { x, .. }
            | Check::MeanAt { x, .. }
            | Check::Better {
                extent: Extent::AllBut(x) | Extent::UpTo(x),
                ..
            } => Some(x),
            Check::Of { check, .. } => check.x(),
            _ => None,
        }
    }

    /// The policies that it names.
    #[cfg(test)]
    fn names(&self) -> Vec<&'static str> {
        match *self {
            Check::Better { policies, than, .. } => [policies, than].concat(),
            Check::NeverWorse { policy, than }
            | Check::LeadAt { policy, than, .. }
            | Check::Crossing { policy, than, .. }
            | Check::Same { policy, than }
            | Check::Lowers { policy, than, .. }
            | Check::GainLargerThan { policy, than, .. } => vec![policy, than],
            Check::LeadGrows { policy, than }
            | Check::LeadShrinks { policy, than }
            | Check::LeadBelow { policy, than, .. } => [&[policy], than].concat(),
            Check::LargestLead { policies, than, .. }
            | Check::RelativeLeadAt { policies, than, .. } => [policies, &[than]].concat(),
            Check::Of { check, .. } => check.names(),
            Check::LowestAt { policy, .. } | Check::MeanAt { policy, .. } => vec![policy],
            Check::Falls { policies }
            | Check::Rises { policies }
            | Check::Flat { policies, .. }
            | Check::Peak { policies, .. }
            | Check::LargerThan { policies, .. } => policies.to_vec(),
            Check::Close {
                policies,
                reference,
            } => [policies, &[reference]].concat(),
        }
    }
}

impl Sweep {
    /// The metric over whose means it is drawn, in place of x: the one by whose values its claims say
    /// where curves cross.
    pub fn over(&self) -> Option<&'static str> {
        self.claims.iter().find_map(|claim| match claim.check {
            Check::Crossing { of, .. } => Some(of),
            _ => None,
        })
    }

    /// Every reading, the default one first.
    pub fn readings(&self) -> Vec<Reading> {
        let mut readings = vec![Reading::default()];
        for switch in self.switches {
            readings = readings
                .iter()
                .flat_map(|reading| {
                    switch.values.iter().map(|value| {
                        let mut pairs = reading.0.clone();
                        pairs.push((switch.key, *value));
                        Reading(pairs)
                    })
                })
                .collect();
        }
        readings
    }

    /// The scenario of a reading.
    ///
    /// # Panics
    /// The figure's pairs are no valid scenario, which a test excludes.
    pub fn scenario(&self, reading: &Reading, effort: Effort, from: WorkloadFrom) -> Scenario {
        Scenario::parse(self.all_pairs(reading, effort, from))
            .expect("the tables hold valid scenarios")
    }

    /// The link that opens a reading with its metric in view.
    ///
    /// # Errors
    /// It has too many characters.
    pub fn link(
        &self,
        reading: &Reading,
        effort: Effort,
        from: WorkloadFrom,
    ) -> Result<String, LinkError> {
        let mut pairs = self.all_pairs(reading, effort, from);
        pairs.push(("metric", self.metric.to_owned()));
        let scenario = Scenario::parse(pairs).expect("the tables hold valid scenarios");
        link::write(&scenario, &Extras::default())
    }

    /// The link that opens the figure as heatmaps over x and the key in which alone its policies differ, if
    /// there is one.
    ///
    /// # Errors
    /// It has too many characters.
    pub fn surface_link(&self, effort: Effort) -> Option<Result<String, LinkError>> {
        let reading = Reading::default();
        let mut pairs = self.all_pairs(&reading, effort, WorkloadFrom::Log);
        let surface = Surface::of(&self.scenario(&reading, effort, WorkloadFrom::Log))?;
        pairs.retain(|(key, _)| *key != "policy");
        pairs.push(("policy", surface.policy.to_string()));
        pairs.push(("y", format!("{}:{}", surface.key, surface.values.join(","))));
        pairs.push(("metric", self.metric.to_owned()));
        let scenario = Scenario::parse(pairs).expect("the tables hold valid scenarios");
        Some(link::write(&scenario, &Extras::default()))
    }

    fn all_pairs(
        &self,
        reading: &Reading,
        effort: Effort,
        from: WorkloadFrom,
    ) -> Vec<(&'static str, String)> {
        let workload = self.log.map_or(Vec::new(), |log| log.pairs(from));
        let instead = match effort {
            Effort::Quick => self.quick,
            Effort::Full => &[],
        };
        let replaced = |pair: &&Pair| instead.iter().any(|other| other.0 == pair.0);
        let stated = self.pairs.iter().filter(|pair| !replaced(pair));
        let given = stated.chain(instead).chain(&workload).chain(&reading.0);
        let mut pairs: Vec<(&str, String)> =
            given.map(|&(key, value)| (key, value.to_owned())).collect();
        pairs.push(("reps", effort.replications().to_string()));
        pairs
    }

    /// Panics where a claim names what the scenario does not have.
    #[cfg(test)]
    pub(super) fn check(&self, scenario: &Scenario) {
        assert!(metrics::position(self.metric).is_some(), "{}", self.metric);
        let names: Vec<String> = scenario
            .policies()
            .iter()
            .map(ToString::to_string)
            .collect();
        for claim in self.claims {
            for name in claim.check.names() {
                assert!(
                    names.iter().any(|known| known == name),
                    "{}: {name}",
                    claim.id
                );
            }
            if let Some(x) = claim.check.x() {
                let axis = scenario.x().expect("it sweeps");
                assert!(
                    axis.values.iter().any(|value| value == x),
                    "{}: {x}",
                    claim.id
                );
            }
            if let Check::Of { metric, .. } | Check::Peak { metric, .. } = claim.check {
                assert!(
                    metrics::position(metric).is_some(),
                    "{}: {metric}",
                    claim.id
                );
            }
        }
    }

    /// Judges every claim under every reading, with policies as the paper calls them; `find` gives other
    /// figures and their runs.
    pub(super) fn judge<'a>(
        &self,
        runs: &'a [Run],
        called: &'static [Pair],
        find: impl Fn(&str) -> Option<(Sweep, &'a [Run])>,
    ) -> Vec<Judged> {
        let readings: Vec<Reading> = runs.iter().map(|run| run.reading.clone()).collect();
        let judge = |claim: &Claim<Check>| {
            let beside = claim.check.beside().map(|id| (id, find(id)));
            let among: Vec<_> = claim
                .check
                .among()
                .iter()
                .map(|id| (*id, find(id)))
                .collect();
            let finding = |(position, run): (usize, &Run)| {
                let others = among.iter().filter_map(|&(id, found)| {
                    let (other, runs) = found?;
                    Some((id, Curves::of(other.metric, &runs[position])))
                });
                let here = Curves {
                    called,
                    among: others.collect(),
                    ..Curves::of(self.metric, run)
                };
                let (outcome, evidence) = match beside {
                    None => here.judge(&claim.check, None),
                    Some((_, Some((other, runs)))) => {
                        let there = Curves::of(other.metric, &runs[position]);
                        here.judge(&claim.check, Some(&there))
                    }
                    Some((_, None)) => (Outcome::Undecided, Vec::new()),
                };
                Finding {
                    reading: run.reading.to_string(),
                    outcome,
                    evidence,
                }
            };
            let findings = runs.iter().enumerate().map(finding).collect();
            claim.judged(findings, |held| self.under(&readings, held))
        };
        self.claims.iter().map(judge).collect()
    }

    /// The readings at these positions in words: by the switches that matter where they, or all others,
    /// are the combinations of some values; otherwise how many they are.
    fn under(&self, readings: &[Reading], held: &[usize]) -> String {
        let others: Vec<usize> = (0..readings.len())
            .filter(|position| !held.contains(position))
            .collect();
        if let Some(words) = self.combinations(readings, held) {
            words
        } else if let Some(words) = self.combinations(readings, &others) {
            format!("all readings but {words}")
        } else {
            format!("{} of {} readings", held.len(), readings.len())
        }
    }

    /// The readings at these positions as the values that they combine, if they are all combinations.
    fn combinations(&self, readings: &[Reading], positions: &[usize]) -> Option<String> {
        let values = |place: usize| -> Vec<&str> {
            let taken: BTreeSet<&str> = positions
                .iter()
                .map(|&position| readings[position].0[place].1)
                .collect();
            let known = self.switches[place].values.iter().copied();
            known.filter(|value| taken.contains(value)).collect()
        };
        let values: Vec<Vec<&str>> = (0..self.switches.len()).map(values).collect();
        if values.iter().map(Vec::len).product::<usize>() != positions.len() {
            return None;
        }
        let restricted = self.switches.iter().zip(&values);
        let restricted = restricted.filter(|(switch, values)| values.len() < switch.values.len());
        let parts: Vec<String> = restricted
            .map(|(switch, values)| format!("{} = {}", switch.key, values.join(" or ")))
            .collect();
        Some(parts.join(", "))
    }
}

/// Curves that are cuts through a surface: of one policy, by x and by a key of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The policy without that key.
    pub policy: PolicySpec,
    /// The key.
    pub key: &'static str,
    /// Its value in each curve.
    pub values: Vec<String>,
}

impl Surface {
    /// From how many curves on they are one.
    const LEAST: usize = 4;

    /// The surface of a scenario whose policies differ in nothing but one key, which could be swept.
    pub fn of(scenario: &Scenario) -> Option<Surface> {
        let (first, policies) = (scenario.policies().first()?, scenario.policies());
        if policies.len() < Surface::LEAST {
            return None;
        }
        let without = |policy: &PolicySpec, key: &str| {
            let mut policy = policy.clone();
            policy.own.retain(|(other, _)| *other != key);
            policy
        };
        let keys = first.own.iter().map(|&(key, _)| key);
        let mut keys = keys.filter(|name| KEYS.iter().any(|key| key.name == *name && key.sweep));
        keys.find_map(|key| {
            let policy = without(first, key);
            let value = |other: &PolicySpec| {
                let own = other.own.iter().find(|(name, _)| *name == key)?;
                (without(other, key) == policy).then(|| own.1.clone())
            };
            let values: Option<Vec<String>> = policies.iter().map(value).collect();
            Some(Surface {
                policy,
                key,
                values: values?,
            })
        })
    }
}

/// How a reader knows a policy of a figure: by what tells it from the others, and as a paper calls it
/// whose words for scheduling policies are `called`.
pub fn label(scenario: &Scenario, policy: usize, called: &[Pair]) -> String {
    let policies = scenario.policies();
    let policy = &policies[policy];
    let system = SystemKind::named(scenario.get("system")).expect("a valid system");
    let usual = Placement::default_on(system);
    let one_queue = policies.iter().all(|other| other.queue == policy.queue);
    let as_usual = policies.iter().all(|other| other.placement == usual);
    let name = match one_queue && !as_usual {
        true => policy.placement.choice().label,
        false => {
            let usual = policy.queue.choice();
            let here = called.iter().find(|(queue, _)| *queue == usual.value);
            here.map_or(usual.label, |(_, name)| name)
        }
    };
    let own = policy.own.iter();
    let own: Vec<String> = own.map(|(key, value)| format!("{key} = {value}")).collect();
    match own.is_empty() {
        true => name.to_owned(),
        false => format!("{name} ({})", own.join(", ")),
    }
}

/// The runs of a scenario by x, policy and replication.
struct Curves<'a> {
    run: &'a Run,
    scenario: &'a Scenario,
    results: &'a Results,
    metric: &'static Metric,
    /// What the paper calls its policies.
    called: &'static [Pair],
    /// The same of other figures, by their names, where an average goes over them too.
    among: Vec<(&'static str, Curves<'a>)>,
    x: Vec<String>,
    /// The metric as something to keep low, by (x, policy, replication).
    costs: Vec<Vec<Vec<Option<f64>>>>,
}

impl<'a> Curves<'a> {
    fn of(metric: &str, run: &'a Run) -> Curves<'a> {
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
            x,
            costs,
        }
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

    /// For each replication how much the line that fits `value` at every x rises from the first x to
    /// the last.
    fn rises(&self, value: impl Fn(usize, usize) -> Option<f64>) -> Vec<f64> {
        let x: Option<Vec<f64>> = self.x.iter().map(|value| value.parse().ok()).collect();
        let x = x.expect("a line is fitted over numbers");
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let x_mean = mean(&x);
        let reach = x
            .last()
            .zip(x.first())
            .map_or(0.0, |(last, first)| last - first);
        let rise = |replication| {
            let y: Option<Vec<f64>> = (0..x.len()).map(|at| value(at, replication)).collect();
            let y = y?;
            let y_mean = mean(&y);
            let both = x.iter().zip(&y).map(|(x, y)| (x - x_mean) * (y - y_mean));
            let square = x.iter().map(|x| (x - x_mean) * (x - x_mean));
            Some(both.sum::<f64>() / square.sum::<f64>() * reach)
        };
        (0..self.scenario.reps() as usize)
            .filter_map(rise)
            .collect()
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

    fn judge(&self, check: &Check, beside: Option<&Curves<'_>>) -> (Outcome, Vec<Evidence>) {
        match *check {
            Check::Better {
                policies,
                than,
                extent,
            } => {
                let evidence = self.all_x(|x| self.weakest(x, policies, than));
                let outcome = match extent {
                    Extent::Always => claim::all(&evidence),
                    Extent::Mostly => claim::most(&evidence),
                    Extent::AllBut(exception) => {
                        let mut flipped = evidence.clone();
                        let flip = &mut flipped[self.place(exception)].side;
                        *flip = match *flip {
                            Side::For | Side::Equal => Side::Against,
                            Side::Against => Side::For,
                            Side::Open => Side::Open,
                        };
                        claim::all(&flipped)
                    }
                    Extent::UpTo(last) => claim::all(&evidence[..=self.place(last)]),
                };
                (outcome, evidence)
            }
            Check::NeverWorse { policy, than } => {
                let evidence = self.all_x(|x| self.lead(x, policy, than));
                let worse = evidence.iter().any(|one| one.side == Side::Against);
                let outcome = if worse {
                    Outcome::DoesNotHold
                } else {
                    Outcome::Holds
                };
                (outcome, evidence)
            }
            Check::LeadGrows { policy, than } => self.leads_by_line("growth", 1.0, policy, than),
            Check::LeadShrinks { policy, than } => self.leads_by_line("fall", -1.0, policy, than),
            Check::Falls { policies } => self.by_line("fall", -1.0, policies),
            Check::Rises { policies } => self.by_line("rise", 1.0, policies),
            Check::Of { metric, check } => {
                let beside = beside.map(|beside| Curves::of(metric, beside.run));
                Curves::of(metric, self.run).judge(check, beside.as_ref())
            }
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
                at_least,
            } => {
                let at = self.place(x);
                let beyond: Vec<f64> = self
                    .leads(at, policy, than)
                    .iter()
                    .map(|lead| lead - at_least)
                    .collect();
                let evidence =
                    self.lead(at, policy, than)
                        .zip(Evidence::of_leads(String::new(), "", &beyond));
                let evidence: Vec<Evidence> = evidence
                    .map(|(lead, beyond)| Evidence {
                        side: beyond.side,
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
                (claim::most(&evidence), evidence)
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
            Check::MeanAt {
                policy,
                x,
                factor,
                unit,
                range,
            } => {
                let place = (self.place(x), self.policy(policy));
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
                        side: inside(value, [0.0, 100.0 * at_most]),
                        value,
                    })
                };
                let evidence: Vec<Evidence> = policies.iter().filter_map(rise).collect();
                (claim::all(&evidence), evidence)
            }
            Check::Same { policy, than } => {
                let evidence = self.all_x(|x| self.lead(x, policy, than));
                let same = evidence.iter().all(|one| one.side == Side::Equal);
                let outcome = match same {
                    true => Outcome::Holds,
                    false => Outcome::DoesNotHold,
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
        let measured = Curves::of(of, self.run);
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
        let of_it = points
            .iter()
            .filter(|point| point.metric == position && chosen.contains(&point.policy));
        let top = of_it.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean))?;
        let name = self.scenario.policies()[top.policy].to_string();
        let what = format!("greatest of {}, at {}", self.label(&name), self.x[top.x]);
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

/// Whether a number lies in a range: against it only where its whole interval lies outside.
fn inside(value: Estimate, [low, high]: [f64; 2]) -> Side {
    let half = value.half_width.unwrap_or(0.0);
    match (low..=high).contains(&value.mean) {
        true => Side::For,
        false if value.mean + half < low || value.mean - half > high => Side::Against,
        false => Side::Open,
    }
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
    use super::*;

    #[test]
    fn readings_are_named_by_the_switches_that_matter() {
        const SWEEP: Sweep = Sweep {
            pairs: &[],
            quick: &[],
            log: None,
            metric: "accept_rate",
            logarithmic: false,
            switches: &[
                Switch {
                    key: "fabric",
                    values: &["aggregated", "single-root"],
                },
                Switch {
                    key: "size",
                    values: &["constant:1", "constant:2", "constant:3"],
                },
            ],
            claims: &[],
        };
        let readings = SWEEP.readings();
        assert_eq!(readings.len(), 6);
        assert_eq!(
            readings[1].to_string(),
            "fabric = aggregated, size = constant:2"
        );
        let under = |held: &[usize]| SWEEP.under(&readings, held);
        assert_eq!(under(&[3, 4, 5]), "fabric = single-root");
        assert_eq!(under(&[1, 2, 4, 5]), "size = constant:2 or constant:3");
        assert_eq!(
            under(&[0, 1, 2, 3, 5]),
            "all readings but fabric = single-root, size = constant:2"
        );
        assert_eq!(under(&[0, 4]), "2 of 6 readings");
    }
}
