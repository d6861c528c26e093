//! Published figures and tables as data: scenarios, charts, and the claims of the text.
//!
//! A figure is a [`Sweep`] of scenarios, a [`Weights`] function, one [`Step`] of a placement, a
//! [`Table`] of workloads, the cost of [`Decisions`], or the [`Calibration`] of forecasts. Its claims
//! are data as well: each is a check with parameters, so that one evaluation judges all figures alike
//! and every verdict comes with its numbers. An ambiguous figure is judged under each
//! [`Interpretation`].
//!
//! - `figure`, `content`, `data`: papers and figures, the trait of all kinds, and their data
//! - `sweep`, `weights`, `step`, `table`, `decisions`, `calibration`: the kinds
//! - `claim`, `check`, `curves`: claims with verdicts, checks, and runs as checks read them
//! - `claim_report`, `recorded`, `recorded_curves`: the report of the claims, and verdicts and curves
//!   on file; `rerun`: figures that somebody runs again
//! - `log`, `interpretation`, `surface`, `pair`, `effort`, `label`, `ran`: what figures consist of
//! - `paper_1` to `paper_6`: the figures of each paper
//! - `report_1`: the worth of a guarantee, a question of no paper
//! - `report_2`: the gain of topology-aware placement, a question of no paper
//! - `report_3`: the calibration of forecasts, a question of no paper

mod figure;

mod data;

pub mod claim;

pub mod sweep;

mod log;

mod interpretation;

mod surface;

pub mod check;

mod curves;

pub mod weights;

pub mod step;

pub mod table;

pub mod decisions;

pub mod calibration;

mod content;

mod pair;

mod effort;

mod label;

mod ran;

mod paper_1;

mod paper_2;

mod paper_3;

mod paper_4;

mod paper_5;

mod paper_6;

mod report_1;

mod report_2;

mod report_3;

pub mod claim_report;

pub mod recorded;

pub mod recorded_curves;

pub mod recorded_digests;

pub mod rerun;

use content::Other;

pub use calibration::Calibration;
pub use claim::{
    Claim, ClaimFinding, ClaimStatement, ClaimVerdict, Evidence, JudgedClaim, Judgement, Side,
};
pub use data::{Data, FigureRun};
pub use decisions::Decisions;
pub use effort::Effort;
pub use figure::{Figure, FigureKind, Paper};
pub use interpretation::Interpretation;
pub use log::{Log, WorkloadFrom};
pub use pair::Pair;
pub use ran::Stated;
pub use step::Step;
pub use sweep::Sweep;
pub use table::Table;
pub use weights::Weights;

/// The papers whose figures can be reproduced. The names of figures start with the number of their
/// paper, as in `p2-fig3a`; those of the first paper have no prefix.
pub static PAPERS: &[Paper] = &[
    paper_1::PAPER,
    paper_2::PAPER,
    paper_3::PAPER,
    paper_4::PAPER,
    paper_5::PAPER,
    paper_6::PAPER,
];

/// Questions that no paper asks, answered by figures of the same kind. The names of figures start
/// with the number of their report, as in `r1-kth`.
pub static REPORTS: &[Paper] = &[report_1::REPORT, report_2::REPORT, report_3::REPORT];

/// All papers, then all reports.
pub fn papers() -> impl Iterator<Item = &'static Paper> {
    PAPERS.iter().chain(REPORTS)
}

/// The figures and tables of all papers and reports.
pub fn figures() -> impl Iterator<Item = &'static Figure> {
    papers().flat_map(|paper| paper.figures)
}

impl Figure {
    /// The figure of that name; `None` if there is none.
    pub fn named(id: &str) -> Option<&'static Figure> {
        figures().find(|figure| figure.id == id)
    }

    /// Its source: the paper's name and the number or section in it.
    pub fn source(&self) -> String {
        let paper = self.paper().map_or("", |paper| paper.name);
        format!("{paper}, {}", self.place)
    }

    fn paper(&self) -> Option<&'static Paper> {
        let own = |paper: &&Paper| paper.figures.iter().any(|figure| figure.id == self.id);
        papers().find(own)
    }

    /// The paper's names of scheduling policies, see [`Paper::called`].
    pub fn called(&self) -> &'static [Pair] {
        self.paper().map_or(&[], |paper| paper.called)
    }

    /// The other figures that its claims need.
    pub fn beside(&self) -> Vec<&'static Figure> {
        let names = self.kind.content().beside();
        let mut beside: Vec<&Figure> = Vec::new();
        for figure in names.into_iter().filter_map(Figure::named) {
            if beside.iter().all(|other| other.id != figure.id) {
                beside.push(figure);
            }
        }
        beside
    }

    /// Judges its claims. `find` gives the data of the figures in [`beside`](Figure::beside).
    ///
    /// # Panics
    /// `data` is of another kind of figure.
    pub fn judge<'a>(
        &self,
        data: &'a Data,
        find: impl Fn(&str) -> Option<&'a Data>,
    ) -> Vec<JudgedClaim> {
        let find = |id: &str| {
            let other = Figure::named(id)?;
            Some(Other {
                place: other.place,
                metric: other.kind.content().metric(),
                data: find(id)?,
            })
        };
        let mut judged = self.kind.content().judge(data, self.called(), &find);
        for claim in &mut judged {
            claim.id = self.full_name(&claim.id);
        }
        judged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn figures_and_claims_have_names_of_their_own() {
        let names: BTreeSet<&str> = figures().map(|figure| figure.id).collect();
        assert_eq!(names.len(), figures().count());
        let mut claims = BTreeSet::new();
        for figure in figures() {
            assert!(!figure.claims().is_empty(), "{} claims nothing", figure.id);
            for ClaimStatement { id, .. } in figure.claims() {
                assert!(id.starts_with(&format!("{}.", figure.id)), "{id}");
                assert!(claims.insert(id.clone()), "{id} appears twice");
            }
        }
    }

    /// Claims that cannot fail say so, with a reason; all others are judged by a rule.
    #[test]
    fn claims_that_cannot_fail_are_marked() {
        let claims: Vec<ClaimStatement> = figures().flat_map(Figure::claims).collect();
        let sure = claims.iter().filter(|claim| claim.by_construction);
        let sure: Vec<&str> = sure.map(|claim| claim.id.as_str()).collect();
        assert_eq!(sure.len(), 30, "{sure:?}");
        for end in [".foreground", ".independent", ".threshold", ".one-job"] {
            let of_it = || claims.iter().filter(|claim| claim.id.ends_with(end));
            assert!(
                of_it().count() > 0 && of_it().all(|claim| claim.by_construction),
                "{end}"
            );
        }
        for id in ["fig2", "fig3", "p2-workloads", "p4-decisions"] {
            let figure = Figure::named(id).expect("there is such a figure");
            assert!(
                figure.claims().iter().all(|claim| claim.by_construction),
                "{id}"
            );
        }
        for ClaimStatement { id, rule, .. } in &claims {
            // Exactly one sentence.
            assert!(rule.ends_with('.') && !rule.contains(". "), "{id}: {rule}");
            assert!(rule.starts_with(char::is_uppercase), "{id}: {rule}");
        }
    }

    #[test]
    fn every_figure_has_a_number_or_section_in_its_paper() {
        for paper in papers() {
            let (kind, number) = paper.name.split_once(' ').expect("a number");
            let prefix = match kind {
                "Paper" => format!("p{number}-"),
                "Report" => format!("r{number}-"),
                kind => panic!("{kind}"),
            };
            for figure in paper.figures {
                assert_eq!(
                    figure.id.starts_with(&prefix),
                    paper.name != "Paper 1",
                    "{}",
                    figure.id
                );
                assert!(!figure.place.is_empty(), "{}", figure.id);
                assert_eq!(figure.source(), format!("{}, {}", paper.name, figure.place));
            }
        }
    }

    #[test]
    fn every_sweep_is_a_scenario_under_every_interpretation() {
        for figure in figures() {
            let FigureKind::Sweep(sweep) = figure.kind else {
                continue;
            };
            let interpretations = sweep.interpretations();
            assert!(!interpretations.is_empty());
            for from in [WorkloadFrom::Log, WorkloadFrom::LookAlike] {
                for interpretation in &interpretations {
                    for effort in Effort::ALL {
                        let scenario = sweep.scenario(interpretation, effort, from);
                        assert!(scenario.x().is_some(), "{}", figure.id);
                        let shown = sweep.shown(interpretation, effort, from);
                        sweep::linked(&shown, None).expect("a link that fits");
                        sweep.check(&scenario);
                    }
                }
            }
            for other in figure.beside() {
                let FigureKind::Sweep(beside) = other.kind else {
                    panic!("{} is no sweep", other.id);
                };
                let others = beside.interpretations();
                let pair = format!("{} beside {}", other.id, figure.id);
                // Scaling to the same load changes run times by the mean size of jobs.
                let averaged =
                    |claim: &check::CurveClaim| claim.check.names().among.contains(&other.id);
                if sweep.claims.iter().any(averaged) {
                    let keys =
                        |sweep: Sweep| sweep.ambiguities.iter().map(|ambiguity| ambiguity.key);
                    assert!(keys(beside).eq(keys(sweep)), "{pair}");
                    assert_eq!(
                        (others.len(), &others[0]),
                        (interpretations.len(), &interpretations[0]),
                        "{pair}"
                    );
                } else {
                    assert_eq!(others, interpretations, "{pair}")
                }
            }
        }
    }
}
