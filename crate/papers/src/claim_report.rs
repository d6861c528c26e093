//! The report of what holds of the claims on published figures.
//!
//! The command line prints and writes it and the page shows it: both take it from here.

use std::fmt::Write as _;

use backfill_experiment::forecast::calibration::Case;
use backfill_experiment::language::words::{grouped_digits, with_minus};
use backfill_experiment::study::answer::numbers::{printed, printed_unit, shown};
use backfill_experiment::study::stored::CORE;
use backfill_sim::metrics::{self, METRICS};
use serde::Serialize;

use crate::claim::{ClaimFinding, ClaimVerdict, Evidence, JudgedClaim, Judgement, Side};
use crate::data::Data;
use crate::effort::Effort;
use crate::figure::{Figure, FigureKind};
use crate::log::{Log, WorkloadFrom};
use crate::{calibration, decisions, sweep, weights};

/// The schema version of a [`FiguresReport`].
pub const SCHEMA: u32 = 2;

/// A report on published figures.
#[derive(Debug, Serialize)]
pub struct FiguresReport {
    /// The schema version.
    pub schema: u32,
    /// The release of the simulator that made it.
    pub core: &'static str,
    /// `quick` or `full`.
    pub effort: &'static str,
    /// The number of replications of a point.
    pub replications: u32,
    /// The number of claims by verdict.
    pub totals: VerdictTotals,
    /// The figures, in the requested order.
    pub figures: Vec<FigureReport>,
}

/// The number of claims by verdict. Claims true by construction are counted only as such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct VerdictTotals {
    /// They hold.
    pub holds: u32,
    /// They hold under some interpretations.
    pub holds_only: u32,
    /// They do not hold.
    pub does_not_hold: u32,
    /// The intervals are too wide to decide.
    pub undecided: u32,
    /// They cannot be judged without the log.
    pub needs_log: u32,
    /// They are true by construction.
    pub by_construction: u32,
}

impl VerdictTotals {
    /// The counts of these verdicts.
    pub fn of<'a>(verdicts: impl Iterator<Item = &'a ClaimVerdict>) -> VerdictTotals {
        let mut totals = VerdictTotals::default();
        for verdict in verdicts {
            *match verdict {
                ClaimVerdict::Holds => &mut totals.holds,
                ClaimVerdict::HoldsOnly { .. } => &mut totals.holds_only,
                ClaimVerdict::DoesNotHold => &mut totals.does_not_hold,
                ClaimVerdict::Undecided => &mut totals.undecided,
                ClaimVerdict::NeedsLog => &mut totals.needs_log,
                ClaimVerdict::ByConstruction => &mut totals.by_construction,
            } += 1;
        }
        totals
    }

    /// The counts in a sentence.
    fn in_words(self) -> String {
        let judged = [
            (self.holds, ClaimVerdict::Holds.words()),
            (
                self.holds_only,
                "hold only under some interpretations".to_owned(),
            ),
            (self.does_not_hold, ClaimVerdict::DoesNotHold.words()),
            (self.undecided, ClaimVerdict::Undecided.words()),
            (self.needs_log, ClaimVerdict::NeedsLog.words()),
        ];
        let all: u32 = judged.iter().map(|(count, _)| count).sum();
        let parts: Vec<String> = judged
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{words}: {count}"))
            .collect();
        let sure = ClaimVerdict::ByConstruction.words();
        let judged = match parts.as_slice() {
            [] => "No claim is judged".to_owned(),
            parts => format!("Of {all} claims judged: {}", parts.join(", ")),
        };
        format!(
            "{judged}; {sure}, not counted among them: {}.",
            self.by_construction
        )
    }
}

/// The report of one figure.
#[derive(Debug, Serialize)]
pub struct FigureReport {
    /// The figure's name.
    pub id: &'static str,
    /// The paper, and the number or section in it.
    pub source: String,
    /// What it shows, in a few words, with a remark if a look-alike replaces a log.
    pub title: String,
    /// What it shows, how it is made and what was simulated.
    pub caption: String,
    /// A note on the workload; empty if it is as stated.
    pub note: String,
    /// Its numbers by the only key in which its curves differ, or by group of forecasts; empty if
    /// there is neither.
    pub surface: Vec<SurfaceRow>,
    /// Its interpretations, the default one first; empty if it is no scenario.
    #[serde(rename = "readings")]
    pub interpretations: Vec<InterpretationReport>,
    /// Its claims.
    pub claims: Vec<ClaimReport>,
}

/// A row of a figure that is a heatmap, or of forecasts beside what came.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurfaceRow {
    /// The value of the second key, or the group of forecasts.
    pub value: String,
    /// The printed means by x, or the numbers of the group by [`calibration::COLUMNS`].
    pub means: Vec<String>,
}

/// An interpretation of a figure.
#[derive(Debug, Serialize)]
pub struct InterpretationReport {
    /// Its name; empty if nothing is ambiguous.
    pub name: String,
    /// The link that opens it.
    pub link: String,
    /// Fingerprint of all its runs.
    pub digest: String,
}

/// The report of a claim.
#[derive(Debug, Serialize)]
pub struct ClaimReport {
    /// The claim's name.
    pub id: String,
    /// The statement, in our words.
    pub text: &'static str,
    /// The rule, in one sentence.
    pub rule: String,
    /// The verdict over all interpretations.
    #[serde(flatten)]
    pub verdict: ClaimVerdict,
    /// The verdict in words.
    pub words: String,
    /// The finding of each interpretation, in their order.
    pub findings: Vec<FindingReport>,
}

/// The finding of one interpretation on a claim.
#[derive(Debug, Serialize)]
pub struct FindingReport {
    /// The interpretation.
    #[serde(rename = "reading")]
    pub interpretation: String,
    /// The judgement.
    pub outcome: Judgement,
    /// The evidence, in words and numbers.
    pub sentence: String,
    /// The numbers; of the default interpretation only.
    pub evidence: Vec<EvidenceReport>,
}

/// A number that decides a claim.
#[derive(Debug, Serialize)]
pub struct EvidenceReport {
    /// Its description.
    pub what: String,
    /// The printed number with half of its 95 % interval and its unit.
    pub printed: String,
    /// The mean; shares from 0 to 1.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub half_width: Option<f64>,
    /// The number of replications.
    pub n: u32,
    /// Its side of the claim.
    pub side: Side,
}

impl FiguresReport {
    /// The report of these figures.
    pub fn new(effort: Effort, figures: Vec<FigureReport>) -> FiguresReport {
        let claims = figures.iter().flat_map(|figure| &figure.claims);
        FiguresReport {
            totals: VerdictTotals::of(claims.map(|claim| &claim.verdict)),
            schema: SCHEMA,
            core: CORE,
            effort: effort.name(),
            replications: effort.replications(),
            figures,
        }
    }

    /// The report as a document: every claim with its verdict and, by interpretation, its evidence.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# What holds of the figures\n\nBackfill {}, {} report: {} replications behind every point. \
             Every interval is one of 95 %; policies are compared by paired differences. What is compared is \
             for a claim where its whole interval lies on the claim's side, against it where that lies on the \
             other side, and open otherwise; it ties where all replications do.\n\n{}\n",
            self.core,
            self.effort,
            self.replications,
            self.totals.in_words()
        );
        for figure in &self.figures {
            // `write!` to a string does not fail.
            let _ = write!(
                text,
                "\n## {}: {}\n\n{}\n",
                figure.source, figure.title, figure.caption
            );
            if !figure.note.is_empty() {
                let _ = write!(text, "\n{}\n", figure.note);
            }
            let _ = write!(text, "\n| claim | verdict |\n|---|---|\n");
            for claim in &figure.claims {
                let _ = writeln!(
                    text,
                    "| `{}` {} | **{}** |",
                    claim.id, claim.text, claim.words
                );
            }
            for claim in &figure.claims {
                let _ = write!(text, "\n`{}` {}\n\n", claim.id, claim.rule);
                for finding in &claim.findings {
                    let interpretation = match finding.interpretation.as_str() {
                        "" => String::new(),
                        interpretation => format!("{interpretation}: "),
                    };
                    let outcome = finding.outcome.words();
                    let _ = writeln!(text, "- {interpretation}{outcome}; {}", finding.sentence);
                }
            }
        }
        text
    }
}

impl FigureReport {
    /// The report of a figure whose claims have been judged.
    pub fn new(
        figure: &Figure,
        effort: Effort,
        data: &Data,
        judged: Vec<JudgedClaim>,
    ) -> FigureReport {
        let interpretations = match (figure.kind, data) {
            (FigureKind::Sweep(sweep), Data::Sweep { from, runs }) => runs
                .iter()
                .map(|run| {
                    let digest = run.results.digest();
                    let shown = sweep.shown(&run.interpretation, effort, *from);
                    let link = sweep::linked(&shown, digest.as_deref());
                    InterpretationReport {
                        name: run.interpretation.to_string(),
                        link: link.unwrap_or_default(),
                        digest: digest.unwrap_or_default(),
                    }
                })
                .collect(),
            _ => Vec::new(),
        };
        FigureReport {
            id: figure.id,
            source: figure.source(),
            title: title(figure, data),
            caption: figure.full_caption(effort, |log| at_hand(data, log)),
            note: note(figure, data),
            surface: surface_rows(figure, data),
            interpretations,
            claims: judged.into_iter().map(claim).collect(),
        }
    }
}

fn claim(judged: JudgedClaim) -> ClaimReport {
    ClaimReport {
        id: judged.id,
        text: judged.text,
        rule: judged.rule,
        words: judged.verdict.words(),
        verdict: judged.verdict,
        findings: (0..).zip(judged.findings).map(finding).collect(),
    }
}

fn finding((interpretation, finding): (usize, ClaimFinding)) -> FindingReport {
    FindingReport {
        sentence: evidence_in_words(&finding.evidence),
        interpretation: finding.interpretation,
        outcome: finding.outcome,
        evidence: finding
            .evidence
            .into_iter()
            .filter(|_| interpretation == 0)
            .map(|evidence| EvidenceReport {
                printed: number(&evidence),
                what: evidence.what,
                mean: evidence.value.mean,
                half_width: evidence.value.half_width,
                n: evidence.value.n,
                side: evidence.side,
            })
            .collect(),
    }
}

fn number(evidence: &Evidence) -> String {
    let value = match evidence.value.half_width {
        None if evidence.value.mean.fract() == 0.0 => {
            grouped_digits(&evidence.value.mean.to_string())
        }
        _ => printed(evidence.unit, evidence.value).to_string(),
    };
    format!("{value} {}", printed_unit(evidence.unit))
        .trim_end()
        .to_owned()
}

/// Evidence in words: a few numbers one by one; of many, their counts by side and the clearest one.
pub(crate) fn evidence_in_words(evidence: &[Evidence]) -> String {
    let one = |evidence: &Evidence| {
        let n = match evidence.value.half_width {
            Some(_) => format!(" (n = {})", evidence.value.n),
            None => String::new(),
        };
        format!("{}: {}{n}", evidence.what, number(evidence))
    };
    if evidence.len() <= 4 {
        let each: Vec<String> = evidence.iter().map(one).collect();
        return each.join("; ");
    }
    let of = |side| {
        evidence
            .iter()
            .filter(move |evidence| evidence.side == side)
    };
    let counted = [
        (Side::For, "for it"),
        (Side::Against, "against it"),
        (Side::Equal, "without difference"),
        (Side::Open, "open"),
    ];
    let counted: Vec<String> = counted
        .into_iter()
        .map(|(side, words)| (of(side).count(), words))
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    let mut sentence = format!("of {}: {}", evidence.len(), counted.join(", "));
    let clear = |evidence: &&Evidence| {
        let half = evidence.value.half_width.unwrap_or(0.0);
        evidence.value.mean.abs() - half
    };
    for side in [Side::For, Side::Against] {
        let clearest = of(side).max_by(|a, b| clear(a).total_cmp(&clear(b)));
        if let Some(clearest) = clearest {
            sentence += &format!("; {}", one(clearest));
        }
    }
    sentence
}

/// Whether the jobs are those of the log.
fn at_hand(data: &Data, log: &Log) -> bool {
    match data {
        Data::Sweep { from, .. } => *from == WorkloadFrom::Log,
        Data::Table(rows) => rows.iter().any(|row| {
            let own = row.source.log().is_some_and(|own| own.file == log.file);
            own && row.from == WorkloadFrom::Log
        }),
        _ => true,
    }
}

/// Whether generated jobs replace a log, with a note.
fn note(figure: &Figure, data: &Data) -> String {
    let missing: Vec<&str> = match data {
        Data::Sweep {
            from: WorkloadFrom::LookAlike,
            ..
        } => figure.log().map(|log| log.file).into_iter().collect(),
        Data::Table(rows) => rows
            .iter()
            .filter(|row| row.from == WorkloadFrom::LookAlike)
            .filter_map(|row| Some(row.source.log()?.file))
            .collect(),
        _ => Vec::new(),
    };
    match missing.as_slice() {
        [] => String::new(),
        missing => format!(
            "Without the log: generated jobs with the same number of jobs, mean run time and kind of sizes \
             replace {}, which the Parallel Workloads Archive publishes at {}.",
            missing.join(" and "),
            sweep::ARCHIVE
        ),
    }
}

/// The figure's title, with a remark if a look-alike replaces a log.
pub fn title(figure: &Figure, data: &Data) -> String {
    match note(figure, data).as_str() {
        "" => figure.title.to_owned(),
        _ => format!("{} (generated jobs, not the log)", figure.title),
    }
}

/// The rows of a figure that is a heatmap, under its default interpretation, or of forecasts.
fn surface_rows(figure: &Figure, data: &Data) -> Vec<SurfaceRow> {
    if let Data::Calibration { cases, .. } = data {
        return groups(cases);
    }
    let (FigureKind::Sweep(sweep), Data::Sweep { runs, .. }) = (figure.kind, data) else {
        return Vec::new();
    };
    let metric = metrics::position(sweep.metric).expect("a known metric");
    let rows = runs.first().and_then(|run| {
        let surface = sweep::SweptSurface::of(&run.scenario)?;
        let points = run.results.points();
        let mean = |policy: usize, x: usize| {
            let here = |point: &&backfill_experiment::study::sweep::Point| {
                (point.metric, point.policy, point.x) == (metric, policy, x)
            };
            let point = points.iter().find(here);
            point.map_or(String::new(), |point| {
                shown(&METRICS[metric], point.value).mean
            })
        };
        let columns = run.scenario.x()?.values.len();
        let rows = surface.values.into_iter().enumerate();
        let row = |(policy, value)| SurfaceRow {
            value,
            means: (0..columns).map(|x| mean(policy, x)).collect(),
        };
        Some(rows.map(row).collect())
    });
    rows.unwrap_or_default()
}

/// The groups of forecasts with their numbers.
fn groups(cases: &[Case]) -> Vec<SurfaceRow> {
    let printed = |number: f64| ((number * 10.0).round() / 10.0).to_string();
    let row = |(value, numbers): (String, Vec<f64>)| SurfaceRow {
        value,
        means: numbers.into_iter().map(printed).collect(),
    };
    calibration::numbers(cases).into_iter().map(row).collect()
}

/// The rows of a figure that is a table, or not a chart of runs: a heading, then one row each.
/// Empty for curves of runs.
pub fn rows(data: &Data) -> Vec<Vec<String>> {
    match data {
        Data::Table(rows) => {
            let mut heading = vec!["Workload".to_owned()];
            let columns = rows.first().into_iter().flat_map(|row| &row.values);
            heading.extend(columns.map(|(column, _)| match column.unit() {
                "" => column.label().to_owned(),
                unit => format!("{} ({unit})", column.label()),
            }));
            let mut all = vec![heading];
            for row in rows {
                let mut cells = vec![match row.from {
                    WorkloadFrom::Log => row.source.title().to_owned(),
                    WorkloadFrom::LookAlike => format!("{} (generated)", row.source.title()),
                }];
                cells.extend(row.values.iter().map(|(_, value)| match value.half_width {
                    Some(half) => with_minus(&format!("{:.1} ± {half:.1}", value.mean)),
                    None => with_minus(&((value.mean * 10.0).round() / 10.0).to_string()),
                }));
                all.push(cells);
            }
            all
        }
        Data::Step(rows) => {
            let heading = [
                "Placement",
                "Server:machines",
                "Servers left idle",
                "Accepted",
            ];
            let mut all = vec![heading.map(str::to_owned).to_vec()];
            for row in rows {
                let servers: Vec<String> = row
                    .servers
                    .iter()
                    .map(|(server, machines)| format!("{}:{machines}", server.0))
                    .collect();
                all.push(vec![
                    row.placement.choice().label.to_owned(),
                    servers.join(" "),
                    row.idle.to_string(),
                    row.accepted.to_string(),
                ]);
            }
            all
        }
        Data::Weights(curves) => {
            let mut heading = vec!["Free slots".to_owned()];
            heading.extend(curves.iter().map(weight_label));
            let mut all = vec![heading];
            let free = curves.iter().map(|curve| curve.weights.len()).max();
            for free in 0..free.unwrap_or(0) {
                let mut cells = vec![free.to_string()];
                let weights = curves.iter().map(|curve| curve.weights.get(free));
                cells.extend(
                    weights.map(|weight| {
                        weight.map_or(String::new(), |weight| format!("{weight:.1}"))
                    }),
                );
                all.push(cells);
            }
            all
        }
        Data::Decisions(rows) => {
            let heading = ["Scheduler", "Decisions", "Placed (%)", "Steps a decision"];
            let row = |row: &decisions::DecisionRow| {
                let scheduler = match row.search {
                    Some(search) => format!("{}, {}", row.scheduler, search.words()),
                    None => row.scheduler.clone(),
                };
                let numbers = [row.decisions, row.placed, row.steps];
                let mut cells = vec![scheduler];
                cells.extend(numbers.map(|value| printed("", value).to_string()));
                cells
            };
            let heading = heading.map(str::to_owned).to_vec();
            [heading].into_iter().chain(rows.iter().map(row)).collect()
        }
        Data::Calibration { cases, .. } => {
            let labels = calibration::COLUMNS.map(|(_, unit, label)| match unit {
                "" => label.to_owned(),
                unit => format!("{label} ({unit})"),
            });
            let heading = ["Jobs".to_owned()].into_iter().chain(labels).collect();
            let row = |SurfaceRow { value, means }| [value].into_iter().chain(means).collect();
            let rows = groups(cases).into_iter().map(row);
            [heading].into_iter().chain(rows).collect()
        }
        Data::Sweep { .. } => Vec::new(),
    }
}

/// The label of a curve of weights.
pub fn weight_label(curve: &weights::Curve) -> String {
    format!("B = {} Mbit/s", curve.bandwidth_mbps)
}
