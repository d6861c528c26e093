//! What every kind of figure answers, so that [`Figure`](super::Figure) takes no kind apart.

use std::fmt::Write as _;

use super::claim::{Claim, ClaimStatement, JudgedClaim, Rule};
use super::data::Data;
use super::effort::Effort;
use super::interpretation::Interpretation;
use super::log::Log;
use super::pair::Pair;
use backfill_experiment::files::report;
use backfill_sim::stats::MeanEstimate;

/// What a kind of figure answers.
pub(super) trait Content {
    /// Its claims as a reader meets them.
    fn statements(&self) -> Vec<ClaimStatement>;

    /// Judges its claims from its data, with policies as the paper calls them; `find` gives the
    /// figures [`beside`](Content::beside) it.
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

    /// The ways to read it, the default one first.
    fn interpretations(&self) -> Vec<Interpretation> {
        vec![Interpretation::default()]
    }

    /// The log that all of it is drawn from, if it is.
    fn log(&self) -> Option<&'static Log> {
        None
    }

    /// The metric that is drawn, of curves of one.
    fn metric(&self) -> Option<&'static str> {
        None
    }

    /// The names of the other figures without which its claims cannot be judged; one may stand
    /// there more than once.
    fn beside(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What is simulated of it with that effort, in a sentence, from the logs that are at hand;
    /// `None` where no jobs are.
    fn ran(&self, _: Effort, _: &dyn Fn(&Log) -> bool) -> Option<String> {
        None
    }
}

/// Another figure, for claims that compare with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Other<'a> {
    /// Where in its paper it stands.
    pub(super) place: &'static str,
    /// The metric that it draws, see [`Content::metric`].
    pub(super) metric: Option<&'static str>,
    /// What was computed of it.
    pub(super) data: &'a Data,
}

/// What is said where a figure is given data that are not its own.
pub(super) const OF_ANOTHER_KIND: &str = "data of another kind of figure";

/// Claims as a reader meets them.
pub(super) fn statements<C: Rule>(claims: &[Claim<C>]) -> Vec<ClaimStatement> {
    claims.iter().map(Claim::statement).collect()
}

/// A number of a figure. What is empty does not apply to it.
#[derive(Debug)]
pub(super) struct FigureNumber {
    /// The interpretation under which it was found.
    pub(super) interpretation: String,
    /// Where the jobs come from.
    pub(super) workload: &'static str,
    /// The curve or the row that it belongs to.
    pub(super) series: String,
    /// The value of x at which it was found.
    pub(super) x: String,
    /// The name of what is measured.
    pub(super) metric: &'static str,
    /// The unit of what is measured.
    pub(super) unit: &'static str,
    /// The number with its interval.
    pub(super) value: MeanEstimate,
}

impl FigureNumber {
    /// A number of a row or curve to which nothing else applies.
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
