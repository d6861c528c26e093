//! Figures that somebody runs again: which figures a scenario is, and what its runs say of their
//! claims.
//!
//! A scenario is a figure under an interpretation, with quick or full effort, if it agrees with it in
//! every key but the seed, the number of replications, and keys that no run depends on, such as what
//! the file of a log is called: its contents are named by `sha256`. The intervals follow from the
//! replications that were run.

use std::collections::BTreeSet;

use backfill_experiment::language::scenario::{KEYS, Key, Scenario, ValueKind};
use backfill_experiment::study::sweep::Results;
use serde::Serialize;

use crate::check::CurveClaim;
use crate::claim::JudgedClaim;
use crate::claim_report::evidence_in_words;
use crate::data::{Data, FigureRun};
use crate::effort::Effort;
use crate::figure::{Figure, FigureKind};
use crate::figures;
use crate::interpretation::Interpretation;
use crate::log::WorkloadFrom;
use crate::sweep::Sweep;

/// A figure that was run again.
#[derive(Clone, Debug, Serialize, ts_rs::TS)]
pub struct Rerun {
    /// The figure's name.
    pub id: &'static str,
    /// The paper, and the number or section in it.
    pub source: String,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// The interpretation; empty if the figure has only one.
    pub interpretation: String,
    /// Its claims.
    pub claims: Vec<RerunClaim>,
}

/// A claim, judged by these runs alone.
#[derive(Clone, Debug, Serialize, ts_rs::TS)]
pub struct RerunClaim {
    /// The name of the figure, a point, and that of the claim.
    pub id: String,
    /// The statement, in our words.
    pub text: &'static str,
    /// The judgement, in words; empty if it also takes the runs of other figures.
    pub outcome: &'static str,
    /// The evidence, in words and numbers, or the figures whose runs it also takes.
    pub sentence: String,
}

/// Whether a scenario is a figure whatever this key is.
fn is_aside(key: &Key) -> bool {
    matches!(key.kind, ValueKind::Reference | ValueKind::Metric)
        || ["seed", "reps", "futures", "file"].contains(&key.name)
}

/// The names of the keys that do not decide which figure a scenario is.
pub fn aside() -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter(|key| is_aside(key)).map(|key| key.name)
}

/// The other keys of a scenario: a line `key=value` for each that differs from its default.
fn identity(scenario: &Scenario) -> String {
    let aside: Vec<&str> = aside().collect();
    let pairs = scenario.changed().filter(|(key, _)| !aside.contains(key));
    pairs
        .map(|(key, value)| format!("{key}={value}\n"))
        .collect()
}

/// Every scenario that is a figure, as its lines `key=value` without the keys [`aside`].
pub fn known() -> BTreeSet<String> {
    let identities = |(_, sweep): (_, Sweep)| {
        let all = scenarios(&sweep).map(|(_, scenario)| identity(&scenario));
        all.collect::<Vec<_>>()
    };
    sweeps().flat_map(identities).collect()
}

/// What runs say of the claims of the figures that their scenario is, in the order of the papers.
///
/// # Panics
/// The results are not complete.
pub fn judged(scenario: &Scenario, results: &Results) -> Vec<Rerun> {
    let identity = identity(scenario);
    let found: Vec<(&Figure, Sweep, Interpretation)> = sweeps()
        .filter_map(|(figure, sweep)| {
            let mut scenarios = scenarios(&sweep);
            let same = scenarios.find(|(_, other)| self::identity(other) == identity);
            same.map(|(interpretation, _)| (figure, sweep, interpretation))
        })
        .collect();
    let data = |interpretation: &Interpretation| Data::Sweep {
        from: WorkloadFrom::Log,
        runs: vec![FigureRun {
            interpretation: interpretation.clone(),
            scenario: scenario.clone(),
            results: results.clone(),
        }],
    };
    let data: Vec<Data> = found.iter().map(|(.., each)| data(each)).collect();
    let data_of = |id: &str| {
        let place = found.iter().position(|(figure, ..)| figure.id == id)?;
        Some(&data[place])
    };
    let rerun = |place: usize| {
        let (figure, sweep, interpretation) = &found[place];
        let judged = figure.judge(&data[place], data_of);
        let judged = judged.into_iter().zip(sweep.claims);
        let said = |(judged, claim)| said(judged, missing(claim, |id| data_of(id).is_some()));
        Rerun {
            id: figure.id,
            source: figure.source(),
            title: figure.title,
            interpretation: interpretation.to_string(),
            claims: judged.map(said).collect(),
        }
    };
    (0..found.len()).map(rerun).collect()
}

/// What is said of a judged claim that is also about these figures, which are not at hand.
fn said(judged: JudgedClaim, missing: Vec<&str>) -> RerunClaim {
    let finding = &judged.findings[0];
    let (outcome, sentence) = match missing.as_slice() {
        [] => (
            finding.outcome.words(),
            evidence_in_words(&finding.evidence),
        ),
        missing => ("", places(missing)),
    };
    RerunClaim {
        id: judged.id,
        text: judged.text,
        outcome,
        sentence,
    }
}

/// Whether the runs of a figure under its default interpretation decide each of its claims, without
/// those of other scenarios.
pub fn are_decided(sweep: &Sweep) -> impl Iterator<Item = bool> {
    let default = |sweep: &Sweep| {
        scenarios(sweep)
            .next()
            .map(|(_, scenario)| identity(&scenario))
    };
    let mine = default(sweep);
    let is_here = move |id: &str| {
        let mut others = sweeps();
        let other = others.find(|(figure, _)| figure.id == id);
        other.is_some_and(|(_, other)| default(&other) == mine)
    };
    sweep
        .claims
        .iter()
        .map(move |claim| missing(claim, &is_here).is_empty())
}

/// The figures that a claim is also about, of those that are not at hand.
fn missing(claim: &CurveClaim, is_here: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let names = claim.check.names();
    let others = names.beside.iter().chain(names.among).copied();
    others.filter(|id| !is_here(id)).collect()
}

/// The places of figures in their papers.
fn places(ids: &[&str]) -> String {
    let places = ids.iter().filter_map(|id| Some(Figure::named(id)?.place));
    places.collect::<Vec<_>>().join(", ")
}

/// The figures that are scenarios.
fn sweeps() -> impl Iterator<Item = (&'static Figure, Sweep)> {
    figures().filter_map(|figure| match figure.kind {
        FigureKind::Sweep(sweep) => Some((figure, sweep)),
        _ => None,
    })
}

/// The scenarios of a figure, those of full effort first.
fn scenarios(sweep: &Sweep) -> impl Iterator<Item = (Interpretation, Scenario)> {
    let of = move |effort: Effort, interpretation: Interpretation| {
        let scenario = sweep.scenario(&interpretation, effort, WorkloadFrom::Log);
        (interpretation, scenario)
    };
    [Effort::Full, Effort::Quick]
        .into_iter()
        .flat_map(move |effort| {
            let interpretations = sweep.interpretations().into_iter();
            interpretations.map(move |each| of(effort, each))
        })
}
