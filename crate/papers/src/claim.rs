//! Claims and their verdicts.
//!
//! A claim is judged by intervals: comparisons of policies by the interval of their paired
//! difference. Evidence is *for* a claim if the whole 95 % interval is on its side, *against* it if
//! the whole interval is on the other, *equal* if every replication is a tie, and *open* otherwise;
//! open evidence never counts for a claim. There is no correction for multiple comparisons: of many
//! comparisons between equals about one in forty is against the claim by chance.
//!
//! Every check states its rule in one sentence ([`Rule`]). A claim that no correct simulation can
//! refute is *true by construction*.

use serde::Serialize;

use backfill_sim::stats::{MeanEstimate, estimate};

/// A statement of a text about a figure, and its check.
#[derive(Clone, Copy, Debug)]
pub struct Claim<C: 'static> {
    /// Its name within the figure.
    pub id: &'static str,
    /// The statement, in our words.
    pub text: &'static str,
    /// The check that must succeed for it to hold.
    pub check: C,
}

/// The rule of a check in words.
pub trait Rule {
    /// What must be found for the claim to hold and what refutes it, or why it cannot be refuted:
    /// one sentence.
    fn rule(&self) -> String;

    /// Whether no correct simulation can refute the claim.
    fn by_construction(&self) -> bool {
        false
    }
}

/// A claim with its rule, for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimStatement {
    /// The name of the figure, a point, and that of the claim.
    pub id: String,
    /// The statement, in our words.
    pub text: &'static str,
    /// The rule, in one sentence.
    pub rule: String,
    /// Whether no correct simulation can refute it.
    pub by_construction: bool,
}

/// The judgement of a claim under one interpretation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// It holds.
    Holds,
    /// It does not hold.
    DoesNotHold,
    /// The intervals are too wide to decide.
    Undecided,
    /// It cannot be judged without the log.
    NeedsLog,
}

impl Judgement {
    /// All outcomes.
    const ALL: [Judgement; 4] = [
        Judgement::Holds,
        Judgement::DoesNotHold,
        Judgement::Undecided,
        Judgement::NeedsLog,
    ];

    /// The words for readers.
    pub fn words(self) -> &'static str {
        match self {
            Judgement::Holds => "holds",
            Judgement::DoesNotHold => "does not hold",
            Judgement::Undecided => "undecided",
            Judgement::NeedsLog => "needs the log",
        }
    }

    /// The judgement with these words; `None` if there is none.
    pub fn of(words: &str) -> Option<Judgement> {
        Judgement::ALL
            .into_iter()
            .find(|outcome| outcome.words() == words)
    }
}

/// The side of a claim on which a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// It supports the claim.
    For,
    /// It contradicts the claim.
    Against,
    /// There is no difference at all.
    Equal,
    /// The interval covers both sides.
    Open,
}

/// A number that decides a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Its description, for readers.
    pub what: String,
    /// Its unit, as metrics write it; `points` for a difference of shares.
    pub unit: &'static str,
    /// The number with its interval.
    pub value: MeanEstimate,
    /// Its side of the claim.
    pub side: Side,
}

/// The finding on a claim under one interpretation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimFinding {
    /// The interpretation; empty if the figure has only one.
    pub interpretation: String,
    /// The outcome.
    pub outcome: Judgement,
    /// The numbers that give the outcome.
    pub evidence: Vec<Evidence>,
}

/// The outcome of a claim for some numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The outcome.
    pub outcome: Judgement,
    /// The numbers that give the outcome.
    pub evidence: Vec<Evidence>,
}

impl Found {
    /// The outcome if this quorum of the evidence must be for the claim.
    pub(super) fn by(quorum: Quorum, evidence: Vec<Evidence>) -> Found {
        Found {
            outcome: quorum.judge(&evidence),
            evidence,
        }
    }

    /// The outcome if all evidence must be for the claim; ties are ignored unless there is nothing
    /// else.
    pub(super) fn all(evidence: impl IntoIterator<Item = Evidence>) -> Found {
        Found::by(Quorum::All, evidence.into_iter().collect())
    }

    /// The outcome without evidence.
    pub(super) fn undecided() -> Found {
        Found {
            outcome: Judgement::Undecided,
            evidence: Vec::new(),
        }
    }

    /// The finding under an interpretation, which is empty if the figure has only one.
    pub(super) fn under(self, interpretation: String) -> ClaimFinding {
        ClaimFinding {
            interpretation,
            outcome: self.outcome,
            evidence: self.evidence,
        }
    }
}

/// The verdict on a claim over all interpretations.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// It holds under every interpretation.
    Holds,
    /// It holds under every interpretation, and no correct simulation can refute it.
    ByConstruction,
    /// It holds under no interpretation and is refuted under the default one.
    DoesNotHold,
    /// It holds under these interpretations only.
    HoldsOnly {
        /// The interpretations, in words.
        under: String,
    },
    /// It holds under no interpretation, and is open under the default one.
    Undecided,
    /// It cannot be judged without the log.
    NeedsLog,
}

/// Precedes the only interpretations under which a claim holds.
const ONLY_UNDER: &str = "holds only under ";

/// The verdict on a claim that cannot be refuted.
const BY_CONSTRUCTION: &str = "true by construction";

impl ClaimVerdict {
    /// The words for readers.
    pub fn words(&self) -> String {
        match self {
            ClaimVerdict::Holds => Judgement::Holds.words().to_owned(),
            ClaimVerdict::ByConstruction => BY_CONSTRUCTION.to_owned(),
            ClaimVerdict::DoesNotHold => Judgement::DoesNotHold.words().to_owned(),
            ClaimVerdict::HoldsOnly { under } => format!("{ONLY_UNDER}{under}"),
            ClaimVerdict::Undecided => Judgement::Undecided.words().to_owned(),
            ClaimVerdict::NeedsLog => Judgement::NeedsLog.words().to_owned(),
        }
    }

    /// The verdict with these words; `None` if there is none.
    pub fn of(words: &str) -> Option<ClaimVerdict> {
        if let Some(under) = words.strip_prefix(ONLY_UNDER) {
            let under = under.to_owned();
            return Some(ClaimVerdict::HoldsOnly { under });
        }
        if words == BY_CONSTRUCTION {
            return Some(ClaimVerdict::ByConstruction);
        }
        Some(match Judgement::of(words)? {
            Judgement::Holds => ClaimVerdict::Holds,
            Judgement::DoesNotHold => ClaimVerdict::DoesNotHold,
            Judgement::Undecided => ClaimVerdict::Undecided,
            Judgement::NeedsLog => ClaimVerdict::NeedsLog,
        })
    }
}

/// A judged claim.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedClaim {
    /// The name of the figure, a point, and that of the claim.
    pub id: String,
    /// The statement, in our words.
    pub text: &'static str,
    /// The rule, in one sentence.
    pub rule: String,
    /// The verdict.
    pub verdict: ClaimVerdict,
    /// The finding of each interpretation.
    pub findings: Vec<ClaimFinding>,
}

impl<C: Rule> Claim<C> {
    /// The claim with its rule.
    pub(super) fn statement(&self) -> ClaimStatement {
        ClaimStatement {
            id: self.id.to_owned(),
            text: self.text,
            rule: self.check.rule(),
            by_construction: self.check.by_construction(),
        }
    }

    /// Judged by one finding, if the figure has only one interpretation.
    pub(super) fn judged_once(&self, found: Found) -> JudgedClaim {
        self.judged(vec![found.under(String::new())], |_| String::new())
    }

    /// Judged by the findings of all interpretations, the default one first; `under` words the
    /// interpretations at these positions.
    pub(super) fn judged(
        &self,
        findings: Vec<ClaimFinding>,
        under: impl Fn(&[usize]) -> String,
    ) -> JudgedClaim {
        let holding: Vec<usize> = findings
            .iter()
            .enumerate()
            .filter(|(_, finding)| finding.outcome == Judgement::Holds)
            .map(|(position, _)| position)
            .collect();
        let verdict = match findings.first().map(|finding| finding.outcome) {
            _ if !holding.is_empty() && holding.len() < findings.len() => ClaimVerdict::HoldsOnly {
                under: under(&holding),
            },
            Some(Judgement::Holds) if self.check.by_construction() => ClaimVerdict::ByConstruction,
            Some(Judgement::Holds) => ClaimVerdict::Holds,
            Some(Judgement::DoesNotHold) => ClaimVerdict::DoesNotHold,
            Some(Judgement::NeedsLog) => ClaimVerdict::NeedsLog,
            Some(Judgement::Undecided) | None => ClaimVerdict::Undecided,
        };
        JudgedClaim {
            id: self.id.to_owned(),
            text: self.text,
            rule: self.check.rule(),
            verdict,
            findings,
        }
    }
}

impl Evidence {
    /// The mean of `leads`, one for each replication; leads above zero are for the claim. `None` if
    /// there are none.
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

    /// An exact number that a claim states.
    pub(super) fn fact(what: String, unit: &'static str, value: f64, holds: bool) -> Evidence {
        Evidence {
            what,
            unit,
            value: exact(value),
            side: if holds { Side::For } else { Side::Against },
        }
    }
}

/// A number without an interval.
pub(super) fn exact(value: f64) -> MeanEstimate {
    MeanEstimate {
        mean: value,
        half_width: None,
        n: 1,
    }
}

/// Whether a number is in a range: for the claim only if its whole interval is inside, against it
/// only if the whole interval is outside.
pub(super) fn inside(value: MeanEstimate, [low, high]: [f64; 2]) -> Side {
    let half = value.half_width.unwrap_or(0.0);
    let [least, most] = [value.mean - half, value.mean + half];
    if low <= least && most <= high {
        Side::For
    } else if most < low || high < least {
        Side::Against
    } else {
        Side::Open
    }
}

/// The rule of [`inside`] for a range in words, which follow the subject.
pub(super) fn inside_words(range: &str) -> String {
    format!(
        "must be {range} over its whole confidence interval; an interval wholly outside refutes the \
         claim."
    )
}

/// The part of the evidence that must be for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quorum {
    /// All of it where there is a difference: for *always* or *every*.
    All,
    /// More than half of it where there is a difference, and nothing against it: for statements
    /// without *always* and without exceptions.
    Undisputed,
    /// More than half of it: for *in most cases*.
    Most,
    /// All of it or ties: for *never worse*.
    NoneAgainst,
}

impl Quorum {
    /// The quorum in words that follow the subject.
    pub(super) fn words(self) -> &'static str {
        match self {
            Quorum::All => {
                "must support the claim wherever there is a difference; one contradiction, or ties alone, refute it"
            }
            Quorum::Undisputed => {
                "must support the claim in more than half of the comparisons with a difference and contradict \
                 it in none; one contradiction, or ties alone, refute it"
            }
            Quorum::Most => {
                "must support the claim in more than half of the comparisons; contradictions and ties in half or \
                 more refute it"
            }
            Quorum::NoneAgainst => {
                "must support the claim or tie in each comparison; one contradiction refutes it"
            }
        }
    }

    /// The judgement by the evidence: undecided if there is none.
    pub(super) fn judge(self, evidence: &[Evidence]) -> Judgement {
        let count = |side| evidence.iter().filter(|one| one.side == side).count();
        let [for_it, against, equal, open] =
            [Side::For, Side::Against, Side::Equal, Side::Open].map(count);
        let (holds, refuted) = match self {
            Quorum::All => (open == 0, against > 0 || for_it + open == 0),
            Quorum::Undisputed => (for_it > open, against > 0 || for_it + open == 0),
            Quorum::Most => (
                for_it > against + equal + open,
                against + equal >= for_it + open,
            ),
            Quorum::NoneAgainst => (open == 0, against > 0),
        };
        match (evidence.is_empty(), holds, refuted) {
            (false, _, true) => Judgement::DoesNotHold,
            (false, true, false) => Judgement::Holds,
            _ => Judgement::Undecided,
        }
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

    fn of_sides(sides: &str) -> Vec<Evidence> {
        let leads = |side| match side {
            '+' => [1.0, 1.0],
            '-' => [-1.0, -1.0],
            '=' => [0.0, 0.0],
            _ => [1.0, -1.0],
        };
        sides.chars().map(|side| evidence(&leads(side))).collect()
    }

    #[test]
    fn how_much_evidence_a_claim_needs() {
        use Judgement::{DoesNotHold as No, Holds as Yes, Undecided as Open};
        for (sides, [always, undisputed, mostly, never]) in [
            ("", [Open, Open, Open, Open]),
            ("+++", [Yes, Yes, Yes, Yes]),
            ("=++", [Yes, Yes, Yes, Yes]),
            ("==+", [Yes, Yes, No, Yes]),
            ("===", [No, No, No, Yes]),
            ("++-", [No, No, Yes, No]),
            ("++?", [Open, Yes, Yes, Open]),
            ("=+?", [Open, Open, Open, Open]),
            ("+??", [Open, Open, Open, Open]),
            ("???", [Open, Open, Open, Open]),
            ("+--", [No, No, No, No]),
            ("--?", [No, No, No, No]),
            // Four for it and two against it: in most cases, but not without exception.
            ("++++--?", [No, No, Yes, No]),
        ] {
            let evidence = of_sides(sides);
            for (quorum, outcome) in [
                (Quorum::All, always),
                (Quorum::Undisputed, undisputed),
                (Quorum::Most, mostly),
                (Quorum::NoneAgainst, never),
            ] {
                assert_eq!(quorum.judge(&evidence), outcome, "{sides} {quorum:?}");
            }
        }
    }

    /// One open comparison and many ties decide nothing, however often the policy is no worse.
    #[test]
    fn what_is_open_is_never_for_a_claim() {
        for sides in ["=?????????", "????", "++++??????"] {
            let evidence = of_sides(sides);
            for quorum in [
                Quorum::All,
                Quorum::Undisputed,
                Quorum::Most,
                Quorum::NoneAgainst,
            ] {
                assert_eq!(quorum.judge(&evidence), Judgement::Undecided, "{sides}");
            }
        }
    }

    #[test]
    fn a_range_holds_the_whole_interval_or_none_of_it() {
        let value = |mean, half_width| MeanEstimate {
            mean,
            half_width,
            n: 20,
        };
        for (mean, half_width, side) in [
            (1.2, Some(0.01), Side::For),
            (1.2, Some(0.04), Side::For),
            // The mean is inside and the interval is not.
            (1.2, Some(0.06), Side::Open),
            (1.24, Some(0.02), Side::Open),
            (1.27, Some(0.03), Side::Open),
            (1.3, Some(0.03), Side::Against),
            (1.1, Some(0.03), Side::Against),
            (1.25, None, Side::For),
            (1.26, None, Side::Against),
        ] {
            let found = inside(value(mean, half_width), [1.15, 1.25]);
            assert_eq!(found, side, "{mean} ± {half_width:?}");
        }
    }

    #[test]
    fn a_verdict_sums_up_the_interpretations() {
        struct Check {
            certain: bool,
        }
        impl Rule for Check {
            fn rule(&self) -> String {
                String::new()
            }

            fn by_construction(&self) -> bool {
                self.certain
            }
        }
        let judged = |certain, outcomes: &[Judgement]| {
            let finding = |&outcome| ClaimFinding {
                interpretation: String::new(),
                outcome,
                evidence: Vec::new(),
            };
            let findings = outcomes.iter().map(finding).collect();
            let claim = Claim {
                id: "c",
                text: "",
                check: Check { certain },
            };
            claim.judged(findings, |held| format!("{held:?}")).verdict
        };
        let verdict = |outcomes: &[Judgement]| judged(false, outcomes);
        use Judgement::{DoesNotHold, Holds, NeedsLog, Undecided};
        assert_eq!(verdict(&[Holds, Holds]), ClaimVerdict::Holds);
        let under = "[1]".to_owned();
        assert_eq!(
            verdict(&[DoesNotHold, Holds]),
            ClaimVerdict::HoldsOnly { under }
        );
        assert_eq!(
            verdict(&[DoesNotHold, Undecided]),
            ClaimVerdict::DoesNotHold
        );
        assert_eq!(verdict(&[Undecided, DoesNotHold]), ClaimVerdict::Undecided);
        assert_eq!(verdict(&[Undecided, Undecided]), ClaimVerdict::Undecided);
        assert_eq!(verdict(&[NeedsLog]), ClaimVerdict::NeedsLog);
        assert_eq!(judged(true, &[Holds, Holds]), ClaimVerdict::ByConstruction);
        assert_eq!(judged(true, &[NeedsLog]), ClaimVerdict::NeedsLog);
        // A contradiction of a true-by-construction claim is reported.
        assert_eq!(judged(true, &[DoesNotHold]), ClaimVerdict::DoesNotHold);
        let under = "[0]".to_owned();
        assert_eq!(
            judged(true, &[Holds, Undecided]),
            ClaimVerdict::HoldsOnly { under }
        );
    }
}
