//! Recorded verdicts: the findings on every claim, as lines of text that show changes in a diff.
//!
//! ```text
//! fig4: quick
//!   fig4.best: does not hold
//!     fabric = aggregated: does not hold: at 700: AdaBa over Oktopus: -1.0 ± 0.9 points (n = 5)
//! ```
//!
//! A figure with its effort; the numbers of a surface, a line for each value of its second key
//! (`at 40: 765.1 816.2`), if it is one; its claims with their verdicts; and the finding of each
//! interpretation, with its evidence.

use std::error::Error;
use std::fmt::{self, Write as _};

use crate::claim::{ClaimVerdict, Judgement};
use crate::claim_report::{FigureReport, SurfaceRow};
use crate::effort::Effort;

/// The name of the only interpretation of an unambiguous figure.
const AS_STATED: &str = "as stated";

/// Precedes the value of the second key of a surface.
const AT: &str = "at ";

/// The record of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFigure {
    /// The figure's name.
    pub id: String,
    /// The effort, which gives the number of replications.
    pub effort: Effort,
    /// The numbers of a surface or of groups of forecasts; empty if it is neither.
    pub surface: Vec<SurfaceRow>,
    /// Its claims.
    pub claims: Vec<RecordedClaim>,
}

/// The record of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedClaim {
    /// The claim's name.
    pub id: String,
    /// The verdict over all interpretations.
    pub verdict: ClaimVerdict,
    /// The finding of each interpretation, the default one first.
    pub findings: Vec<RecordedFinding>,
}

/// The finding of one interpretation on a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFinding {
    /// The interpretation; empty if the figure has only one.
    pub interpretation: String,
    /// The judgement.
    pub outcome: Judgement,
    /// The evidence, in words and numbers.
    pub sentence: String,
}

/// A malformed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is expected there.
    pub expected: &'static str,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl Error for BadLine {}

impl RecordedFigure {
    /// The record of a report on a figure.
    pub fn of(report: &FigureReport, effort: Effort) -> RecordedFigure {
        let claims = report.claims.iter().map(|claim| RecordedClaim {
            id: claim.id.clone(),
            verdict: claim.verdict.clone(),
            findings: claim
                .findings
                .iter()
                .map(|finding| RecordedFinding {
                    interpretation: finding.interpretation.clone(),
                    outcome: finding.outcome,
                    sentence: finding.sentence.clone(),
                })
                .collect(),
        });
        RecordedFigure {
            id: report.id.to_owned(),
            effort,
            surface: report.surface.clone(),
            claims: claims.collect(),
        }
    }
}

/// The figures as text, which [`read`] reads.
pub fn write(figures: &[RecordedFigure]) -> String {
    let mut text = String::new();
    for figure in figures {
        // `writeln!` to a string does not fail.
        let _ = writeln!(text, "{}: {}", figure.id, figure.effort.name());
        for SurfaceRow { value, means } in &figure.surface {
            let _ = writeln!(text, "  {AT}{value}: {}", means.join(" "));
        }
        for claim in &figure.claims {
            let _ = writeln!(text, "  {}: {}", claim.id, claim.verdict.words());
            for finding in &claim.findings {
                let interpretation = match finding.interpretation.as_str() {
                    "" => AS_STATED,
                    interpretation => interpretation,
                };
                let (outcome, sentence) = (finding.outcome.words(), &finding.sentence);
                let _ = writeln!(text, "    {interpretation}: {outcome}: {sentence}");
            }
        }
    }
    text
}

/// The figures written by [`write()`].
///
/// # Errors
/// The first malformed line.
pub fn read(text: &str) -> Result<Vec<RecordedFigure>, BadLine> {
    let mut figures: Vec<RecordedFigure> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let bad = |expected| BadLine {
            line: number,
            expected,
        };
        let content = line.trim_start_matches(' ');
        let mut parts = content.splitn(3, ": ");
        let name = parts.next().unwrap_or_default();
        match line.len() - content.len() {
            0 => {
                let effort = parts.next().and_then(Effort::named);
                figures.push(RecordedFigure {
                    id: name.to_owned(),
                    effort: effort.ok_or(bad("a figure and its effort"))?,
                    surface: Vec::new(),
                    claims: Vec::new(),
                });
            }
            2 if name.starts_with(AT) => {
                let figure = figures
                    .last_mut()
                    .ok_or(bad("a figure before its surface"))?;
                let means = parts.next().ok_or(bad("the numbers of a surface"))?;
                figure.surface.push(SurfaceRow {
                    value: name[AT.len()..].to_owned(),
                    means: means.split(' ').map(str::to_owned).collect(),
                });
            }
            2 => {
                let figure = figures
                    .last_mut()
                    .ok_or(bad("a figure before its claims"))?;
                let verdict = content
                    .split_once(": ")
                    .and_then(|(_, words)| ClaimVerdict::of(words));
                figure.claims.push(RecordedClaim {
                    id: name.to_owned(),
                    verdict: verdict.ok_or(bad("a claim and its verdict"))?,
                    findings: Vec::new(),
                });
            }
            4 => {
                let claim = figures
                    .last_mut()
                    .and_then(|figure| figure.claims.last_mut());
                let claim = claim.ok_or(bad("a claim before its interpretations"))?;
                let outcome = parts.next().and_then(Judgement::of);
                let outcome = outcome.ok_or(bad("an interpretation and what follows from it"))?;
                let sentence = parts.next().ok_or(bad("the numbers that decided it"))?;
                claim.findings.push(RecordedFinding {
                    interpretation: match name {
                        AS_STATED => String::new(),
                        interpretation => interpretation.to_owned(),
                    },
                    outcome,
                    sentence: sentence.to_owned(),
                });
            }
            _ => return Err(bad("no, two or four spaces at its beginning")),
        }
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
f: quick
  at 40: 765.1 1,016
  f.only: holds only under size = uniform:1:15 or exponential:8
    size = uniform:1:15: holds: at 700: A over B: 1.0 ± 0.5 points (n = 5)
    size = pow2:16: undecided: \n\
g: full
  g.as-stated: needs the log
    as stated: needs the log: idle: 3
  g.sure: true by construction
    as stated: holds: idle: 3
";

    #[test]
    fn what_is_written_is_read_again() {
        let figures = read(TEXT).expect("it is of the form");
        assert_eq!(write(&figures), TEXT);
        let [f, g] = figures.as_slice() else {
            panic!("two figures")
        };
        assert_eq!(f.surface[0].means, ["765.1", "1,016"]);
        let under = "size = uniform:1:15 or exponential:8".to_owned();
        assert_eq!(f.claims[0].verdict, ClaimVerdict::HoldsOnly { under });
        assert_eq!(
            f.claims[0].findings[0].interpretation,
            "size = uniform:1:15"
        );
        let sentence = "at 700: A over B: 1.0 ± 0.5 points (n = 5)";
        assert_eq!(f.claims[0].findings[0].sentence, sentence);
        assert_eq!(f.claims[0].findings[1].outcome, Judgement::Undecided);
        assert_eq!((g.id.as_str(), g.effort), ("g", Effort::Full));
        assert_eq!(g.claims[0].findings[0].interpretation, "");
        assert_eq!(g.claims[1].verdict, ClaimVerdict::ByConstruction);
    }

    #[test]
    fn a_line_of_another_form_is_named() {
        for (text, sentence) in [
            ("f", "line 1: expected a figure and its effort"),
            (
                "  f.c: holds",
                "line 1: expected a figure before its claims",
            ),
            (
                "f: full\n  f.c: perhaps",
                "line 2: expected a claim and its verdict",
            ),
            (
                "f: full\n    r: holds: 1",
                "line 2: expected a claim before its interpretations",
            ),
            (
                "f: full\n  f.c: holds\n    r: holds",
                "line 3: expected the numbers that decided it",
            ),
            (
                "f: full\n   f.c: holds",
                "line 2: expected no, two or four spaces at its beginning",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(error.to_string(), sentence);
        }
    }
}
