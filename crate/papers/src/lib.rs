//! Published figures and tables as data: what to simulate, what to draw, and what the text around
//! them claims.
//!
//! A figure is a [`Sweep`] of scenarios, a [`Weights`] function, one [`Step`] of a placement, a
//! [`Table`] of workloads, or what [`Decisions`] cost. Its claims are data as well: each is a check
//! with its parameters, so that one evaluation judges all figures alike and a verdict always comes
//! with the numbers behind it. A figure that can be read in several ways is judged under each
//! [`Interpretation`].
//!
//! - `figure`: papers, figures and their kinds
//! - `data`: what is computed of them
//! - `claim`: claims, findings, verdicts
//! - `sweep`: figures that are scenarios
//! - `log`: the logs that they are drawn from
//! - `interpretation`: what a text leaves open
//! - `surface`: curves that are cuts through a surface
//! - `check`: what can be said of curves
//! - `curves`: the runs of a figure, as checks look at them
//! - `weights`: curves of AdaBa's weight
//! - `step`: a few requests on a prepared fabric
//! - `table`: workloads in numbers
//! - `decisions`: what decisions on co-allocation cost
//! - `content`: what every kind of figure answers
//! - `pair`: keys of scenarios with their values
//! - `effort`: how much is simulated
//! - `label`: what a reader calls a policy
//! - `ran`: what was simulated, for captions
//! - `paper_1`: the figures of paper 1
//! - `paper_2`: those of paper 2
//! - `paper_3`: those of paper 3
//! - `paper_4`: those of paper 4
//! - `paper_5`: those of paper 5
//! - `paper_6`: those of paper 6
//! - `claim_report`: what holds of the claims, in words and numbers
//! - `recorded`: the verdicts on claims as they are kept on file
//! - `report_1`: what a guarantee is worth, which no paper asks

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

pub mod claim_report;

pub mod recorded;

use content::Other;

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

/// The papers whose figures can be made again. The names of figures begin with the number of their
/// paper, as in `p2-fig3a`; those of the first paper, which was alone at first, with nothing.
pub static PAPERS: &[Paper] = &[
    paper_1::PAPER,
    paper_2::PAPER,
    paper_3::PAPER,
    paper_4::PAPER,
    paper_5::PAPER,
    paper_6::PAPER,
];

/// Questions that no paper asks, answered by figures of the same kind. The names of these begin with
/// the number of their report, as in `r1-kth`.
pub static REPORTS: &[Paper] = &[report_1::REPORT];

/// All papers, then all reports.
pub fn papers() -> impl Iterator<Item = &'static Paper> {
    PAPERS.iter().chain(REPORTS)
}

/// The figures and tables of all papers and reports.
pub fn figures() -> impl Iterator<Item = &'static Figure> {
    papers().flat_map(|paper| paper.figures)
}

impl Figure {
    /// The figure of that name; `None` where no paper has it.
    pub fn named(id: &str) -> Option<&'static Figure> {
        figures().find(|figure| figure.id == id)
    }

    /// Where it is published: the paper's name and the place in it.
    pub fn source(&self) -> String {
        let paper = self.paper().map_or("", |paper| paper.name);
        format!("{paper}, {}", self.place)
    }

    fn paper(&self) -> Option<&'static Paper> {
        let own = |paper: &&Paper| paper.figures.iter().any(|figure| figure.id == self.id);
        papers().find(own)
    }

    /// What its paper calls scheduling policies, see [`Paper::called`].
    pub fn called(&self) -> &'static [Pair] {
        self.paper().map_or(&[], |paper| paper.called)
    }

    /// The other figures without which its claims cannot be judged.
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

    /// Judges its claims. `find` gives the data of the figures [`beside`](Figure::beside) it.
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
                assert!(claims.insert(id.clone()), "{id} stands twice");
            }
        }
    }

    /// What cannot fail is said to be so, with a reason; all else is judged by a rule.
    #[test]
    fn claims_that_cannot_fail_are_marked() {
        let claims: Vec<ClaimStatement> = figures().flat_map(Figure::claims).collect();
        let sure = claims.iter().filter(|claim| claim.by_construction);
        let sure: Vec<&str> = sure.map(|claim| claim.id.as_str()).collect();
        assert_eq!(sure.len(), 27, "{sure:?}");
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
            // One sentence: it ends once.
            assert!(rule.ends_with('.') && !rule.contains(". "), "{id}: {rule}");
            assert!(rule.starts_with(char::is_uppercase), "{id}: {rule}");
        }
    }

    #[test]
    fn every_figure_stands_somewhere_in_a_paper() {
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
                        sweep
                            .link(interpretation, effort, from)
                            .expect("a link that fits");
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
                // Run times that bring the same load are others where jobs have other sizes.
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
