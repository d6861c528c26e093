//! Papers with their figures, of whatever kind.

use super::calibration::Calibration;
use super::claim::ClaimStatement;
use super::content::{self, Content};
use super::data::Data;
use super::decisions::Decisions;
use super::effort::Effort;
use super::interpretation::Interpretation;
use super::log::Log;
use super::pair::Pair;
use super::step::Step;
use super::sweep::Sweep;
use super::table::Table;
use super::weights::Weights;

/// A paper with figures.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Its short name here.
    pub name: &'static str,
    /// The title of the paper.
    pub title: &'static str,
    /// Its publication and year.
    pub published: &'static str,
    /// The paper's names of scheduling policies, by their names in scenarios, where they differ
    /// from the usual labels.
    pub called: &'static [Pair],
    /// Its figures and tables, in its order.
    pub figures: &'static [Figure],
}

/// A published figure or table.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Its name on the command line and in links, unique among all papers.
    pub id: &'static str,
    /// Its number or section in the paper.
    pub place: &'static str,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// What it shows and how it is made; [`full_caption`](Figure::full_caption) adds the number of
    /// simulated jobs.
    pub caption: &'static str,
    /// The kind of figure that it is, with its content.
    pub kind: FigureKind,
}

/// The kind of a figure, with its content.
#[derive(Clone, Copy, Debug)]
pub enum FigureKind {
    /// A figure that is scenarios: curves of a metric.
    Sweep(Sweep),
    /// Curves of AdaBa's weight.
    Weights(Weights),
    /// Placements of a few requests.
    Step(Step),
    /// A table of workloads in numbers.
    Table(Table),
    /// A table of the cost of decisions.
    Decisions(Decisions),
    /// Forecasts beside what came.
    Calibration(Calibration),
}

impl FigureKind {
    /// The content, behind the trait of all kinds.
    pub(super) fn content(&self) -> &dyn Content {
        match self {
            FigureKind::Sweep(sweep) => sweep,
            FigureKind::Weights(weights) => weights,
            FigureKind::Step(step) => step,
            FigureKind::Table(table) => table,
            FigureKind::Decisions(decisions) => decisions,
            FigureKind::Calibration(calibration) => calibration,
        }
    }
}

impl Sweep {
    /// A figure of this kind.
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
            kind: FigureKind::Sweep(self),
        }
    }
}

impl Figure {
    /// Every claim with its rule.
    pub fn claims(&self) -> Vec<ClaimStatement> {
        let mut claims = self.kind.content().statements();
        for claim in &mut claims {
            claim.id = self.full_name(&claim.id);
        }
        claims
    }

    /// The name of one of its claims, unique among all figures.
    pub(super) fn full_name(&self, claim: &str) -> String {
        format!("{}.{claim}", self.id)
    }

    /// Its interpretations, the default one first.
    pub fn interpretations(&self) -> Vec<Interpretation> {
        self.kind.content().interpretations()
    }

    /// Its log, if it has one.
    pub fn log(&self) -> Option<&'static Log> {
        self.kind.content().log()
    }

    /// The caption with the number of simulated jobs for that effort, given the available logs.
    pub fn full_caption(&self, effort: Effort, at_hand: impl Fn(&Log) -> bool) -> String {
        match self.kind.content().ran(effort, &at_hand) {
            None => self.caption.to_owned(),
            Some(ran) => format!("{} {ran}", self.caption),
        }
    }

    /// Its numbers as a table: one line for each point of each curve under each interpretation, and
    /// again by the metric over which it is drawn, or one for each cell.
    ///
    /// # Panics
    /// `data` is of another kind of figure.
    pub fn csv(&self, data: &Data) -> String {
        content::csv(self.id, self.kind.content().lines(data))
    }
}
