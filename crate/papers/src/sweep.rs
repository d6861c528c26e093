//! Figures that are scenarios: curves of one metric, under one or several readings of the text.

use std::collections::BTreeSet;

use super::check::CurveClaim;
#[cfg(test)]
use super::claim::Claim;
use super::claim::{Found, Judged};
use super::curves::Curves;
use super::ran::Stated;
use super::{Figure, Kind, Run};
use backfill_experiment::scenario::Scenario;
use backfill_experiment::scenario::link::{self, Extras, LinkError};
#[cfg(test)]
use backfill_sim::metrics::{self, METRICS};
use backfill_sim::place::Placement;
use backfill_sim::system::SystemKind;

pub use super::interpretation::{Reading, Switch};
pub use super::log::{ARCHIVE, Log, WorkloadFrom};
pub use super::surface::Surface;

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
    /// How many jobs the text has.
    pub stated: Stated,
    /// The log that the jobs come from.
    pub log: Option<&'static Log>,
    /// What is drawn.
    pub metric: &'static str,
    /// Whether the curves lie too far apart for an even scale.
    pub logarithmic: bool,
    /// Keys that the text leaves open; every combination is a reading.
    pub switches: &'static [Switch],
    /// What the text says.
    pub claims: &'static [CurveClaim],
}

impl Sweep {
    /// Curves of generated jobs on an even scale, about which the text leaves nothing open.
    pub(super) const fn plain(
        [pairs, quick]: [&'static [Pair]; 2],
        metric: &'static str,
        claims: &'static [CurveClaim],
    ) -> Sweep {
        Sweep {
            pairs,
            quick,
            stated: Stated::Unstated,
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

impl Sweep {
    /// The metric over whose means it is drawn, in place of x: the one by whose values its claims say
    /// where curves cross.
    pub fn over(&self) -> Option<&'static str> {
        let mut claims = self.claims.iter();
        claims.find_map(|claim| claim.check.names().crossing)
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
        for Claim { id, check, .. } in self.claims {
            let found = check.names();
            for name in found.policies {
                assert!(names.iter().any(|known| known == name), "{id}: {name}");
            }
            for x in found.x {
                let axis = scenario.x().expect("it sweeps");
                assert!(axis.values.iter().any(|value| value == x), "{id}: {x}");
            }
            if found.in_points {
                let metric = metrics::position(self.metric).map(|metric| &METRICS[metric]);
                assert_eq!(metric.map(|metric| metric.unit), Some("share"), "{id}");
            }
            if let Some(metric) = found.metric {
                assert!(metrics::position(metric).is_some(), "{id}: {metric}");
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
        let judge = |claim: &CurveClaim| {
            let names = claim.check.names();
            let beside = names.beside.map(&find);
            let among: Vec<_> = names.among.iter().map(|id| (*id, find(id))).collect();
            let finding = |(position, run): (usize, &Run)| {
                let others = among.iter().filter_map(|&(id, found)| {
                    let (other, runs) = found?;
                    Some((id, Curves::of(other.metric, &runs[position])))
                });
                let mut here = Curves::of(self.metric, run);
                here.called = called;
                here.among = others.collect();
                let found = match beside {
                    None => claim.check.judge(&here, None),
                    Some(Some((other, runs))) => {
                        let there = Curves::of(other.metric, &runs[position]);
                        claim.check.judge(&here, Some(&there))
                    }
                    Some(None) => Found::undecided(),
                };
                found.under(run.reading.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_named_by_the_switches_that_matter() {
        const SWEEP: Sweep = Sweep {
            pairs: &[],
            quick: &[],
            stated: Stated::Unstated,
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
