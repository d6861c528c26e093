//! Claims and what becomes of them.
//!
//! A claim is judged by intervals: where policies are compared, by the interval of their paired
//! difference. Evidence is *for* a claim where the whole 95 % interval lies on its side, *against*
//! it where the whole interval lies on the other, *equal* where every replication is a tie, and
//! *open* otherwise. Nothing is corrected for the number of comparisons: of many comparisons between
//! equals about one in forty comes out against the claim by chance.

use serde::Serialize;

use crate::stats::{Estimate, estimate};

/// Something that a text says about a figure, and how to tell whether it is so.
#[derive(Clone, Copy, Debug)]
pub struct Claim<C: 'static> {
    /// Its name: the figure's, a point, and what it is about.
    pub id: &'static str,
    /// What the text says, in our words.
    pub text: &'static str,
    /// What must be found for it to hold.
    pub check: C,
}

/// What one reading says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It does not hold.
    DoesNotHold,
    /// The intervals are too wide to tell.
    Undecided,
    /// It cannot be judged without the log.
    NeedsLog,
}

impl Outcome {
    /// All of them.
    const ALL: [Outcome; 4] = [
        Outcome::Holds,
        Outcome::DoesNotHold,
        Outcome::Undecided,
        Outcome::NeedsLog,
    ];

    /// It in words.
    pub fn words(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::DoesNotHold => "does not hold",
            Outcome::Undecided => "undecided",
            Outcome::NeedsLog => "needs the log",
        }
    }

    /// The one of these words.
    pub fn of(words: &str) -> Option<Outcome> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.words() == words)
    }
}

/// On which side of a claim a number lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// It supports the claim.
    For,
    /// It contradicts the claim.
    Against,
    /// There is no difference at all.
    Equal,
    /// The interval reaches over both sides.
    Open,
}

/// A number that decides a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What it is, for a reader.
    pub what: String,
    /// Its unit, as metrics write it; `points` for a difference of shares.
    pub unit: &'static str,
    /// The number with its interval.
    pub value: Estimate,
    /// What it says.
    pub side: Side,
}

/// What was found about a claim under one reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The reading; nothing where the figure has one only.
    pub reading: String,
    /// What follows.
    pub outcome: Outcome,
    /// From which numbers.
    pub evidence: Vec<Evidence>,
}

/// What is to be said of a claim under all readings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds under every reading.
    Holds,
    /// It holds under no reading and is refuted under the default one.
    DoesNotHold,
    /// It holds under these readings only.
    HoldsOnly {
        /// Which, in words.
        under: String,
    },
    /// It holds under no reading, and the default one leaves it open.
    Undecided,
    /// It cannot be judged without the log.
    NeedsLog,
}

/// Before the readings under which alone a claim holds.
const ONLY_UNDER: &str = "holds only under ";

impl Verdict {
    /// It in words.
    pub fn words(&self) -> String {
        match self {
            Verdict::Holds => Outcome::Holds.words().to_owned(),
            Verdict::DoesNotHold => Outcome::DoesNotHold.words().to_owned(),
            Verdict::HoldsOnly { under } => format!("{ONLY_UNDER}{under}"),
            Verdict::Undecided => Outcome::Undecided.words().to_owned(),
            Verdict::NeedsLog => Outcome::NeedsLog.words().to_owned(),
        }
    }

    /// The one of these words.
    pub fn of(words: &str) -> Option<Verdict> {
        if let Some(under) = words.strip_prefix(ONLY_UNDER) {
            let under = under.to_owned();
            return Some(Verdict::HoldsOnly { under });
        }
        Some(match Outcome::of(words)? {
            Outcome::Holds => Verdict::Holds,
            Outcome::DoesNotHold => Verdict::DoesNotHold,
            Outcome::Undecided => Verdict::Undecided,
            Outcome::NeedsLog => Verdict::NeedsLog,
        })
    }
}

/// A claim that has been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The claim's name.
    pub id: &'static str,
    /// What the text says, in our words.
    pub text: &'static str,
    /// What is to be said of it.
    pub verdict: Verdict,
    /// What each reading says.
    pub findings: Vec<Finding>,
}

impl<C> Claim<C> {
    /// Judged from what each reading says, the default one first; `under` puts the readings at these positions into words.
    pub(super) fn judged(
        &self,
        findings: Vec<Finding>,
        under: impl Fn(&[usize]) -> String,
    ) -> Judged {
        let holding: Vec<usize> = findings
            .iter()
            .enumerate()
            .filter(|(_, finding)| finding.outcome == Outcome::Holds)
            .map(|(position, _)| position)
            .collect();
        let verdict = match findings.first().map(|finding| finding.outcome) {
            _ if !holding.is_empty() && holding.len() < findings.len() => Verdict::HoldsOnly {
                under: under(&holding),
            },
            Some(Outcome::Holds) => Verdict::Holds,
            Some(Outcome::DoesNotHold) => Verdict::DoesNotHold,
            Some(Outcome::NeedsLog) => Verdict::NeedsLog,
            Some(Outcome::Undecided) | None => Verdict::Undecided,
        };
        Judged {
            id: self.id,
            text: self.text,
            verdict,
            findings,
        }
    }
}

impl Evidence {
    /// The mean of `leads`, one for each replication, which are for the claim where they are above
    /// zero; `None` where there is none.
    pub(super) fn of_leads(what: String, unit: &'static str, leads: &[f64]) -> Option<Evidence> {
        let value = estimate(leads)?;
        let side = match value.half_width {
            _ if leads.iter().all(|&lead| lead == 0.0) => Side::Equal,
            Some(half) if value.mean - half > 0.0 => Side::For,
            Some(half) if value.mean + half < 0.0 => Side::Against,
            _ => Side::Open,
        };
        Some(Evidence {
            what,
            unit,
            value,
            side,
        })
    }

    /// A number without an interval that a claim says exactly.
    pub(super) fn fact(what: String, unit: &'static str, value: f64, holds: bool) -> Evidence {
        Evidence {
            what,
            unit,
            value: exact(value),
            side: if holds { Side::For } else { Side::Against },
        }
    }
}

/// A number that is not drawn.
pub(super) fn exact(value: f64) -> Estimate {
    Estimate {
        mean: value,
        half_width: None,
        n: 1,
    }
}

/// Every piece of evidence must be for the claim; ties say nothing unless there is nothing else.
pub(super) fn all(evidence: &[Evidence]) -> Outcome {
    let count = |side| evidence.iter().filter(|one| one.side == side).count();
    if count(Side::Against) > 0 || evidence.len() == count(Side::Equal) {
        Outcome::DoesNotHold
    } else if count(Side::Open) > 0 {
        Outcome::Undecided
    } else {
        Outcome::Holds
    }
}

/// More than half of the evidence must be for the claim.
pub(super) fn most(evidence: &[Evidence]) -> Outcome {
    let count = |side| evidence.iter().filter(|one| one.side == side).count();
    if count(Side::For) * 2 > evidence.len() {
        Outcome::Holds
    } else if (count(Side::For) + count(Side::Open)) * 2 <= evidence.len() {
        Outcome::DoesNotHold
    } else {
        Outcome::Undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(leads: &[f64]) -> Evidence {
        Evidence::of_leads(String::new(), "", leads).expect("there are leads")
    }

    #[test]
    fn a_side_is_taken_by_the_whole_interval() {
        assert_eq!(evidence(&[1.0, 1.1, 0.9]).side, Side::For);
        assert_eq!(evidence(&[-1.0, -1.1, -0.9]).side, Side::Against);
        assert_eq!(evidence(&[-1.0, 1.0, 0.5]).side, Side::Open);
        assert_eq!(evidence(&[0.0, 0.0]).side, Side::Equal);
        assert_eq!(evidence(&[3.0]).side, Side::Open);
        assert!(Evidence::of_leads(String::new(), "", &[]).is_none());
    }

    #[test]
    fn always_and_mostly() {
        let of = |sides: &str| -> Vec<Evidence> {
            let leads = |side| match side {
                '+' => [1.0, 1.0],
                '-' => [-1.0, -1.0],
                '=' => [0.0, 0.0],
                _ => [1.0, -1.0],
            };
            sides.chars().map(|side| evidence(&leads(side))).collect()
        };
        for (sides, always, mostly) in [
            ("+++", Outcome::Holds, Outcome::Holds),
            ("=++", Outcome::Holds, Outcome::Holds),
            ("==+", Outcome::Holds, Outcome::DoesNotHold),
            ("===", Outcome::DoesNotHold, Outcome::DoesNotHold),
            ("++-", Outcome::DoesNotHold, Outcome::Holds),
            ("++?", Outcome::Undecided, Outcome::Holds),
            ("+??", Outcome::Undecided, Outcome::Undecided),
            ("+--", Outcome::DoesNotHold, Outcome::DoesNotHold),
        ] {
            assert_eq!(all(&of(sides)), always, "{sides}");
            assert_eq!(most(&of(sides)), mostly, "{sides}");
        }
    }

    #[test]
    fn a_verdict_sums_up_the_readings() {
        const CLAIM: Claim<()> = Claim {
            id: "f.c",
            text: "",
            check: (),
        };
        let verdict = |outcomes: &[Outcome]| {
            let finding = |&outcome| Finding {
                reading: String::new(),
                outcome,
                evidence: Vec::new(),
            };
            let findings = outcomes.iter().map(finding).collect();
            CLAIM.judged(findings, |held| format!("{held:?}")).verdict
        };
        use Outcome::{DoesNotHold, Holds, NeedsLog, Undecided};
        assert_eq!(verdict(&[Holds, Holds]), Verdict::Holds);
        let under = "[1]".to_owned();
        assert_eq!(verdict(&[DoesNotHold, Holds]), Verdict::HoldsOnly { under });
        assert_eq!(verdict(&[DoesNotHold, Undecided]), Verdict::DoesNotHold);
        assert_eq!(verdict(&[Undecided, DoesNotHold]), Verdict::Undecided);
        assert_eq!(verdict(&[Undecided, Undecided]), Verdict::Undecided);
        assert_eq!(verdict(&[NeedsLog]), Verdict::NeedsLog);
    }
}
