//! Recorded curves: the numbers of figures that are scenarios, as lines of text that show changes in
//! a diff.
//!
//! ```text
//! fig4: accept_rate
//!   AdaBa: 0.9987 ± 0.0012, 0.97 ± 0.01
//!   Oktopus: 1, –
//! ```
//!
//! A figure with one of its metrics, under its default interpretation with full effort; a line for each
//! policy with the means over replications by x, each with half of its interval, in the metric's own
//! unit to six digits. What has no value is `–`.

use std::fmt::Write as _;

use backfill_experiment::study::answer::{Answer, Estimates};
use backfill_sim::metrics;
use backfill_sim::stats::MeanEstimate;

use crate::data::FigureRun;
use crate::effort::Effort;
use crate::label::label;
use crate::pair::Pair;
use crate::recorded::BadLine;
use crate::sweep::Sweep;

/// Stands for a missing value.
const NONE: &str = "–";

/// The record of the curves of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCurves {
    /// The figure's name.
    pub id: String,
    /// The name of the metric.
    pub metric: String,
    /// What the policies are called.
    pub labels: Vec<String>,
    /// The numbers by policy and x, over as many replications as full effort has.
    pub estimates: Estimates,
}

impl RecordedCurves {
    /// The curves of a run of the figure `id`: of its metric, and of the one over which it is drawn.
    ///
    /// # Panics
    /// The run is not complete.
    pub fn of(
        id: &str,
        sweep: &Sweep,
        called: &[Pair],
        FigureRun {
            scenario, results, ..
        }: &FigureRun,
    ) -> Vec<RecordedCurves> {
        let mut all = Answer { scenario, results }.estimates(0);
        let policies = 0..scenario.policies().len();
        let labels: Vec<String> = policies.map(|each| label(scenario, each, called)).collect();
        let record = |metric: &str| RecordedCurves {
            id: id.to_owned(),
            metric: metric.to_owned(),
            labels: labels.clone(),
            estimates: std::mem::take(&mut all[metrics::position(metric).expect("a metric")]),
        };
        sweep.metrics().map(record).collect()
    }
}

/// The curves as text, which [`read`] reads.
pub fn write(all: &[RecordedCurves]) -> String {
    let mut text = String::new();
    for curves in all {
        let RecordedCurves { id, metric, .. } = curves;
        // `writeln!` to a string does not fail.
        let _ = writeln!(text, "{id}: {metric}");
        for (label, estimates) in curves.labels.iter().zip(&curves.estimates) {
            let numbers: Vec<String> = estimates.iter().map(written).collect();
            let _ = writeln!(text, "  {label}: {}", numbers.join(", "));
        }
    }
    text
}

fn written(estimate: &Option<MeanEstimate>) -> String {
    match estimate {
        None => NONE.to_owned(),
        Some(estimate) => match estimate.half_width {
            None => six_digits(estimate.mean),
            Some(half) => format!("{} ± {}", six_digits(estimate.mean), six_digits(half)),
        },
    }
}

fn six_digits(number: f64) -> String {
    let rounded: Result<f64, _> = format!("{number:.5e}").parse();
    rounded.map_or_else(|_| number.to_string(), |number| number.to_string())
}

/// The curves written by [`write()`].
///
/// # Errors
/// The first malformed line.
pub fn read(text: &str) -> Result<Vec<RecordedCurves>, BadLine> {
    let mut all: Vec<RecordedCurves> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let bad = |expected| BadLine { line, expected };
        if let Some(content) = content.strip_prefix("  ") {
            let curves = all.last_mut().ok_or(bad("a figure before its curves"))?;
            let (label, numbers) = content.rsplit_once(": ").ok_or(bad("a curve"))?;
            let numbers: Option<Vec<_>> = numbers.split(", ").map(number).collect();
            curves.labels.push(label.to_owned());
            curves.estimates.push(numbers.ok_or(bad("numbers"))?);
        } else {
            let (id, metric) = content
                .split_once(": ")
                .ok_or(bad("a figure and its metric"))?;
            all.push(RecordedCurves {
                id: id.to_owned(),
                metric: metric.to_owned(),
                labels: Vec::new(),
                estimates: Vec::new(),
            });
        }
    }
    Ok(all)
}

/// A number with its interval; `None` if it is neither that nor missing.
fn number(text: &str) -> Option<Option<MeanEstimate>> {
    if text == NONE {
        return Some(None);
    }
    let (mean, half) = match text.split_once(" ± ") {
        None => (text, None),
        Some((mean, half)) => (mean, Some(half.parse().ok()?)),
    };
    Some(Some(MeanEstimate {
        mean: mean.parse().ok()?,
        half_width: half,
        n: Effort::Full.replications(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
f: accept_rate
  A: 0.9987 ± 0.0012, 1
  B (at: 2): –, 0.123456 ± 0
g: wait_mean
";

    #[test]
    fn what_is_written_is_read_again() {
        let all = read(TEXT).expect("it is of the form");
        assert_eq!(write(&all), TEXT);
        let [f, g] = all.as_slice() else {
            panic!("two figures")
        };
        assert_eq!(f.labels, ["A", "B (at: 2)"]);
        assert_eq!(f.estimates[0][0].unwrap().half_width, Some(0.0012));
        assert_eq!(f.estimates[1][0], None);
        assert_eq!((g.metric.as_str(), g.labels.len()), ("wait_mean", 0));
    }

    #[test]
    fn numbers_have_six_digits() {
        assert_eq!(six_digits(1234567.0), "1234570");
        assert_eq!(six_digits(0.1 + 0.2), "0.3");
        assert_eq!(six_digits(0.0), "0");
    }

    #[test]
    fn a_line_of_another_form_is_named() {
        for (text, sentence) in [
            ("f", "line 1: expected a figure and its metric"),
            ("  A: 1", "line 1: expected a figure before its curves"),
            ("f: rate\n  A", "line 2: expected a curve"),
            ("f: rate\n  A: 1, x", "line 2: expected numbers"),
        ] {
            assert_eq!(read(text).expect_err(text).to_string(), sentence);
        }
    }
}
