//! Claims and what becomes of them.
//!
//! A claim is judged by intervals: where policies are compared, by the interval of their paired
//! difference. Evidence is *for* a claim where the whole 95 % interval lies on its side, *against*
//! it where the whole interval lies on the other, *equal* where every replication is a tie, and
//! *open* otherwise; open evidence never counts for a claim. Nothing is corrected for the number of
//! comparisons: of many comparisons between equals about one in forty comes out against the claim
//! by chance.
//!
//! Every check says in one sentence how it judges ([`Rule`]). A claim that no correct simulation
//! can refute is *true by construction*.

use serde::Serialize;

use backfill_sim::stats::{MeanEstimate, estimate};

/// Something that a text says about a figure, and how to tell whether it is so.
#[derive(Clone, Copy, Debug)]
pub struct Claim<C: 'static> {
    /// Its name within the figure: what it is about.
    pub id: &'static str,
    /// What the text says, in our words.
    pub text: &'static str,
    /// What must be found for it to hold.
    pub check: C,
}

/// A check in words: how it judges.
pub trait Rule {
    /// What must be found for the claim to hold and what refutes it, or why it cannot be refuted:
    /// one sentence.
    fn rule(&self) -> String;

    /// Whether no correct simulation can refute the claim.
    fn by_construction(&self) -> bool {
        false
    }
}

/// A claim as a reader meets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimStatement {
    /// The name of the figure, a point, and that of the claim.
    pub id: String,
    /// What the text says, in our words.
    pub text: &'static str,
    /// How it is judged, in one sentence.
    pub rule: String,
    /// Whether no correct simulation can refute it.
    pub by_construction: bool,
}

/// What one interpretation says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// It holds.
    Holds,
    /// It does not hold.
    DoesNotHold,
    /// The intervals are too wide to tell.
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

    /// The words that a reader meets.
    pub fn words(self) -> &'static str {
        match self {
            Judgement::Holds => "holds",
            Judgement::DoesNotHold => "does not hold",
            Judgement::Undecided => "undecided",
            Judgement::NeedsLog => "needs the log",
        }
    }

    /// The one that these words stand for; `None` where they stand for none.
    pub fn of(words: &str) -> Option<Judgement> {
        Judgement::ALL
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
    pub value: MeanEstimate,
    /// The side of the claim on which it lies.
    pub side: Side,
}

/// What was found about a claim under one interpretation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimFinding {
    /// The interpretation; nothing where the figure has one only.
    pub interpretation: String,
    /// The outcome that follows from the numbers.
    pub outcome: Judgement,
    /// The numbers from which it follows.
    pub evidence: Vec<Evidence>,
}

/// What follows about a claim from some numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The outcome that follows from the numbers.
    pub outcome: Judgement,
    /// The numbers from which it follows.
    pub evidence: Vec<Evidence>,
}

impl Found {
    /// What follows where so much of the evidence must be for the claim.
    pub(super) fn by(quorum: Quorum, evidence: Vec<Evidence>) -> Found {
        Found {
            outcome: quorum.judge(&evidence),
            evidence,
        }
    }

    /// What follows where every piece of evidence must be for the claim; ties say nothing unless
    /// there is nothing else.
    pub(super) fn all(evidence: impl IntoIterator<Item = Evidence>) -> Found {
        Found::by(Quorum::All, evidence.into_iter().collect())
    }

    /// What follows from nothing.
    pub(super) fn undecided() -> Found {
        Found {
            outcome: Judgement::Undecided,
            evidence: Vec::new(),
        }
    }

    /// It under an interpretation, which is empty where the figure has one only.
    pub(super) fn under(self, interpretation: String) -> ClaimFinding {
        ClaimFinding {
            interpretation,
            outcome: self.outcome,
            evidence: self.evidence,
        }
    }
}

/// What is to be said of a claim under all interpretations.
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
        /// Which, in words.
        under: String,
    },
    /// It holds under no interpretation, and the default one leaves it open.
    Undecided,
    /// It cannot be judged without the log.
    NeedsLog,
}

/// Before the interpretations under which alone a claim holds.
const ONLY_UNDER: &str = "holds only under ";

/// What is said of a claim that cannot be refuted.
const BY_CONSTRUCTION: &str = "true by construction";

impl ClaimVerdict {
    /// The words that a reader meets.
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

    /// The one that these words stand for; `None` where they stand for none.
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

/// A claim that has been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedClaim {
    /// The name of the figure, a point, and that of the claim.
    pub id: String,
    /// What the text says, in our words.
    pub text: &'static str,
    /// How it is judged, in one sentence.
    pub rule: String,
    /// What is to be said of it.
    pub verdict: ClaimVerdict,
    /// What each interpretation says.
    pub findings: Vec<ClaimFinding>,
}

impl<C: Rule> Claim<C> {
    /// The claim as a reader meets it.
    pub(super) fn statement(&self) -> ClaimStatement {
        ClaimStatement {
            id: self.id.to_owned(),
            text: self.text,
            rule: self.check.rule(),
            by_construction: self.check.by_construction(),
        }
    }

    /// Judged from what was found, where the figure can be read in one way only.
    pub(super) fn judged_once(&self, found: Found) -> JudgedClaim {
        self.judged(vec![found.under(String::new())], |_| String::new())
    }

    /// Judged from what each interpretation says, the default one first; `under` puts the
    /// interpretations at these positions into words.
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
pub(super) fn exact(value: f64) -> MeanEstimate {
    MeanEstimate {
        mean: value,
        half_width: None,
        n: 1,
    }
}

/// Whether a number lies in a range: for it only where its whole interval lies inside, against it
/// only where the whole interval lies outside.
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

/// The rule of [`inside`] for a range in words, to follow what is judged.
pub(super) fn inside_words(range: &str) -> String {
    format!(
        "must be {range} over its whole confidence interval; an interval wholly outside refutes the \
         claim."
    )
}

/// How much of the evidence must be for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quorum {
    /// All of it where there is a difference: the text says *always* or of every one.
    All,
    /// More than half of it where there is a difference, and nothing against it: the text says so
    /// without *always* and without exceptions.
    Undisputed,
    /// More than half of it: the text says *in most cases*.
    Most,
    /// All of it or ties: the text says that something is never worse.
    NoneAgainst,
}

impl Quorum {
    /// It in words that follow what is judged.
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

    /// What follows from the evidence: nothing where there is none.
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
            // Four for it and two against it: so in most cases, but not without exception.
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

    /// Of one open comparison and many ties nothing follows, however often the policy is no worse.
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
            // The mean lies inside and the interval does not.
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
        // A fault is not talked away.
        assert_eq!(judged(true, &[DoesNotHold]), ClaimVerdict::DoesNotHold);
        let under = "[0]".to_owned();
        assert_eq!(
            judged(true, &[Holds, Undecided]),
            ClaimVerdict::HoldsOnly { under }
        );
    }
}
