//! The trait of all kinds of figures, so that [`Figure`](super::Figure) does not match on kinds.

use std::fmt::Write as _;

use super::claim::{Claim, ClaimStatement, JudgedClaim, Rule};
use super::data::Data;
use super::effort::Effort;
use super::interpretation::Interpretation;
use super::log::Log;
use super::pair::Pair;
use backfill_experiment::files::report;
use backfill_sim::stats::MeanEstimate;

/// A kind of figure.
pub(super) trait Content {
    /// Its claims with their rules.
    fn statements(&self) -> Vec<ClaimStatement>;

    /// Judges its claims from its data, with the paper's names of policies; `find` gives the
    /// figures that [`beside`](Content::beside) lists.
    ///
    /// # Panics
    /// `data` is of another kind.
    fn judge<'a>(
        &self,
        data: &'a Data,
        called: &'static [Pair],
        find: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim>;

    /// Its numbers, in the order of its table.
    ///
    /// # Panics
    /// `data` is of another kind.
    fn lines(&self, data: &Data) -> Vec<FigureNumber>;

    /// Its interpretations, the default one first.
    fn interpretations(&self) -> Vec<Interpretation> {
        vec![Interpretation::default()]
    }

    /// The log of all its jobs, if it has one.
    fn log(&self) -> Option<&'static Log> {
        None
    }

    /// The metric of its curves, if it has curves of one.
    fn metric(&self) -> Option<&'static str> {
        None
    }

    /// The names of the other figures that its claims need; a name may be listed more than once.
    fn beside(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// A sentence on what is simulated with that effort, given the available logs; `None` if no
    /// jobs are.
    fn ran(&self, _: Effort, _: &dyn Fn(&Log) -> bool) -> Option<String> {
        None
    }
}

/// Another figure, for claims that compare with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other<'a> {
    /// Its number or section in its paper.
    pub(super) place: &'static str,
    /// Its metric, see [`Content::metric`].
    pub(super) metric: Option<&'static str>,
    /// Its data.
    pub(super) data: &'a Data,
}

/// The panic if a figure is given data of another kind.
pub(super) const OF_ANOTHER_KIND: &str = "data of another kind of figure";

/// Claims with their rules.
pub(super) fn statements<C: Rule>(claims: &[Claim<C>]) -> Vec<ClaimStatement> {
    claims.iter().map(Claim::statement).collect()
}

/// A number of a figure. Fields that do not apply are empty.
#[derive(Debug)]
pub(super) struct FigureNumber {
    /// The interpretation.
    pub(super) interpretation: String,
    /// The source of the jobs.
    pub(super) workload: &'static str,
    /// The curve or the row.
    pub(super) series: String,
    /// The value of x.
    pub(super) x: String,
    /// The name of the measure.
    pub(super) metric: &'static str,
    /// The unit of the measure.
    pub(super) unit: &'static str,
    /// The number with its interval.
    pub(super) value: MeanEstimate,
}

impl FigureNumber {
    /// A number of a row or curve without further fields.
    pub(super) fn of(series: String, metric: &'static str, value: MeanEstimate) -> FigureNumber {
        FigureNumber {
            interpretation: String::new(),
            workload: "",
            series,
            x: String::new(),
            metric,
            unit: "",
            value,
        }
    }
}

/// The numbers of the figure `id` as CSV.
pub(super) fn csv(id: &str, lines: Vec<FigureNumber>) -> String {
    let mut text = String::from("figure,reading,workload,series,x,metric,unit,mean,half_width,n\n");
    for line in lines {
        let [interpretation, workload, series] =
            [&line.interpretation, line.workload, &line.series].map(report::field);
        let (x, metric, unit) = (line.x, line.metric, line.unit);
        let MeanEstimate {
            mean,
            half_width,
            n,
        } = line.value;
        let half = half_width.map_or(String::new(), |half| half.to_string());
        // `write!` to a string does not fail.
        let _ = writeln!(
            text,
            "{id},{interpretation},{workload},{series},{x},{metric},{unit},{mean},{half},{n}"
        );
    }
    text
}
