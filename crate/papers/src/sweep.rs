//! Figures that are scenarios: curves of one metric, under one or several interpretations.

use super::check::CurveClaim;
#[cfg(test)]
use super::claim::Claim;
use super::claim::{ClaimStatement, Found, JudgedClaim};
use super::content::{self, Content, FigureNumber, OF_ANOTHER_KIND, Other};
use super::curves::Curves;
use super::data::{Data, FigureRun};
use super::ran::{self, Stated};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::scenario::link::{self, Extras, LinkError};
use backfill_experiment::study::stored::CORE;
use backfill_sim::metrics::{self, METRICS};

pub use super::effort::Effort;
pub use super::interpretation::{Ambiguity, Interpretation};
pub use super::label::label;
pub use super::log::{ARCHIVE, Log, WorkloadFrom};
pub use super::pair::Pair;
pub use super::surface::SweptSurface;

/// The link to a scenario, which names the digest of its runs where that is known.
///
/// # Errors
/// It has too many characters.
pub fn linked(scenario: &Scenario, digest: Option<&str>) -> Result<String, LinkError> {
    let extras = Extras {
        digest: digest.map(str::to_owned),
        core: digest.map(|_| CORE.to_owned()),
        ..Extras::default()
    };
    link::write(scenario, &extras)
}

/// A figure that is a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// The scenario's keys, with policies and x, and the workload unless it is a log.
    pub pairs: &'static [Pair],
    /// Pairs that replace these in a quick run that would otherwise take too long: fewer jobs, or
    /// fewer values of x.
    pub quick: &'static [Pair],
    /// The number of jobs in the text.
    pub stated: Stated,
    /// The log of the jobs, if any.
    pub log: Option<&'static Log>,
    /// The name of the metric that is drawn.
    pub metric: &'static str,
    /// Whether the scale is logarithmic.
    pub logarithmic: bool,
    /// Ambiguities of the text; every combination of values is an interpretation.
    pub ambiguities: &'static [Ambiguity],
    /// The claims of the text.
    pub claims: &'static [CurveClaim],
}

impl Sweep {
    /// Curves of generated jobs on an even scale, without ambiguities.
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
            ambiguities: &[],
            claims,
        }
    }
}

impl Sweep {
    /// The metric over whose means the figure is drawn instead of x: the one whose values its
    /// claims use to locate crossings.
    pub fn over(&self) -> Option<&'static str> {
        let mut claims = self.claims.iter();
        claims.find_map(|claim| claim.check.names().crossing)
    }

    /// Its metric, and the one [`over`](Sweep::over) which it is drawn.
    pub fn metrics(&self) -> impl Iterator<Item = &'static str> {
        [self.metric].into_iter().chain(self.over())
    }

    /// Every interpretation, the default one first.
    pub fn interpretations(&self) -> Vec<Interpretation> {
        Interpretation::all(self.ambiguities)
    }

    /// The scenario of an interpretation.
    ///
    /// # Panics
    /// The figure's pairs are no valid scenario, which a test excludes.
    pub fn scenario(
        &self,
        interpretation: &Interpretation,
        effort: Effort,
        from: WorkloadFrom,
    ) -> Scenario {
        Scenario::parse(self.all_pairs(interpretation, effort, from))
            .expect("the tables hold valid scenarios")
    }

    /// The scenario of an interpretation with the figure's metric in view, as links open it.
    ///
    /// # Panics
    /// As [`scenario`](Sweep::scenario).
    pub fn shown(
        &self,
        interpretation: &Interpretation,
        effort: Effort,
        from: WorkloadFrom,
    ) -> Scenario {
        let mut pairs = self.all_pairs(interpretation, effort, from);
        pairs.push(("metric", self.metric.to_owned()));
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }

    /// The scenario that shows the figure as heatmaps over x and the only key in which its policies
    /// differ, if there is one.
    ///
    /// # Panics
    /// As [`scenario`](Sweep::scenario).
    pub fn shown_as_surface(&self, effort: Effort) -> Option<Scenario> {
        let (interpretation, from) = (Interpretation::default(), WorkloadFrom::Log);
        let surface = SweptSurface::of(&self.scenario(&interpretation, effort, from))?;
        let mut pairs = self.all_pairs(&interpretation, effort, from);
        pairs.retain(|(key, _)| *key != "policy");
        pairs.push(("policy", surface.policy.to_string()));
        pairs.push(("y", format!("{}:{}", surface.key, surface.values.join(","))));
        pairs.push(("metric", self.metric.to_owned()));
        Some(Scenario::parse(pairs).expect("the tables hold valid scenarios"))
    }

    /// Every scenario with an effort that links to the figure open, and where its jobs are from.
    pub fn opened(&self, effort: Effort) -> Vec<(WorkloadFrom, Scenario)> {
        let sources = match self.log {
            None => &[WorkloadFrom::Log][..],
            Some(_) => &[WorkloadFrom::Log, WorkloadFrom::LookAlike],
        };
        let interpretations = self.interpretations();
        let shown = sources.iter().flat_map(|&from| {
            let shown = interpretations.iter();
            shown.map(move |each| (from, self.shown(each, effort, from)))
        });
        let surface = self.shown_as_surface(effort);
        shown
            .chain(surface.map(|scenario| (WorkloadFrom::Log, scenario)))
            .collect()
    }

    fn all_pairs(
        &self,
        interpretation: &Interpretation,
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
        let given = stated
            .chain(instead)
            .chain(&workload)
            .chain(&interpretation.0);
        let mut pairs: Vec<(&str, String)> =
            given.map(|&(key, value)| (key, value.to_owned())).collect();
        pairs.push(("reps", effort.replications().to_string()));
        pairs
    }

    /// Panics if a claim names something that the scenario does not have.
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
}

impl Content for Sweep {
    fn statements(&self) -> Vec<ClaimStatement> {
        content::statements(self.claims)
    }

    fn interpretations(&self) -> Vec<Interpretation> {
        Sweep::interpretations(self)
    }

    fn log(&self) -> Option<&'static Log> {
        self.log
    }

    fn metric(&self) -> Option<&'static str> {
        Some(self.metric)
    }

    fn beside(&self) -> Vec<&'static str> {
        let names = self.claims.iter().flat_map(|claim| {
            let names = claim.check.names();
            names.beside.into_iter().chain(names.among.iter().copied())
        });
        names.collect()
    }

    fn judge<'a>(
        &self,
        data: &'a Data,
        called: &'static [Pair],
        find: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim> {
        let (_, runs) = runs_of(data);
        let find = |id: &str| {
            let other = find(id)?;
            Some((other.place, other.metric?, runs_of(other.data).1))
        };
        let interpretations: Vec<Interpretation> =
            runs.iter().map(|run| run.interpretation.clone()).collect();
        let judge = |claim: &CurveClaim| {
            let names = claim.check.names();
            let beside = names.beside.map(find);
            let among: Vec<_> = names.among.iter().map(|id| find(id)).collect();
            let finding = |(position, run): (usize, &FigureRun)| {
                let others = among.iter().copied().flatten();
                let others = others
                    .map(|(place, metric, runs)| (place, Curves::of(metric, &runs[position])));
                let mut here = Curves::of(self.metric, run);
                here.called = called;
                here.among = others.collect();
                let found = match beside {
                    None => claim.check.judge(&here, None),
                    Some(Some((_, metric, runs))) => {
                        let there = Curves::of(metric, &runs[position]);
                        claim.check.judge(&here, Some(&there))
                    }
                    Some(None) => Found::undecided(),
                };
                found.under(run.interpretation.to_string())
            };
            let findings = runs.iter().enumerate().map(finding).collect();
            claim.judged(findings, |held| {
                Interpretation::under(self.ambiguities, &interpretations, held)
            })
        };
        self.claims.iter().map(judge).collect()
    }

    fn lines(&self, data: &Data) -> Vec<FigureNumber> {
        let (from, runs) = runs_of(data);
        let mut lines = Vec::new();
        for name in self.metrics() {
            let metric = metrics::position(name).expect("a known metric");
            for run in runs {
                let points = run.results.points().into_iter();
                for point in points.filter(|point| point.metric == metric) {
                    let policy = run.scenario.policies()[point.policy].to_string();
                    let axis = run.scenario.x();
                    lines.push(FigureNumber {
                        interpretation: run.interpretation.to_string(),
                        workload: from.name(),
                        x: axis.map_or(String::new(), |axis| axis.values[point.x].clone()),
                        unit: METRICS[metric].unit,
                        ..FigureNumber::of(policy, name, point.value)
                    });
                }
            }
        }
        lines
    }

    fn ran(&self, effort: Effort, at_hand: &dyn Fn(&Log) -> bool) -> Option<String> {
        let from = WorkloadFrom::at_hand(self.log, at_hand);
        let [here, full] = [effort, Effort::Full]
            .map(|effort| self.scenario(&Interpretation::default(), effort, from));
        let title = self.log.map_or("", |log| log.title);
        let stated = match from {
            WorkloadFrom::Log => self.stated,
            WorkloadFrom::LookAlike => Stated::Unstated,
        };
        Some(ran::what_was_simulated(&here, &full, title, stated))
    }
}

fn runs_of(data: &Data) -> (WorkloadFrom, &[FigureRun]) {
    let Data::Sweep { from, runs } = data else {
        panic!("{OF_ANOTHER_KIND}");
    };
    (*from, runs)
}
