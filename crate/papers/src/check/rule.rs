//! What every check answers, and words that rules share.

use std::fmt;

use crate::claim::{Claim, Found, Quorum, Rule, inside_words};
use crate::curves::Curves;

/// Something that can be said of curves.
pub trait Check: Rule + fmt::Debug + Sync {
    /// What it names of the scenario and of other figures.
    fn names(&self) -> Mentions;

    /// Looks whether it is so of the curves `here`, with those of the figure
    /// [`beside`](Mentions::beside) it where there is one.
    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found;
}

/// A claim that a figure makes of its curves.
pub type CurveClaim = Claim<&'static dyn Check>;

impl Rule for &'static dyn Check {
    fn rule(&self) -> String {
        (**self).rule()
    }

    fn by_construction(&self) -> bool {
        (**self).by_construction()
    }
}

/// The policies, values of x, metrics and figures that a check names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The policies that it names.
    pub policies: Vec<&'static str>,
    /// The values of x that it names.
    pub x: Vec<&'static str>,
    /// The metric that it is about, where that is not the figure's.
    pub metric: Option<&'static str>,
    /// The metric by whose values it says where curves cross, if it does.
    pub crossing: Option<&'static str>,
    /// Whether it judges leads by a range in points, so that the metric must be a share.
    pub in_points: bool,
    /// The other figure that it compares with.
    pub beside: Option<&'static str>,
    /// The other figures with which it takes an average, under the interpretations at the same
    /// positions.
    pub among: &'static [&'static str],
}

impl Mentions {
    /// Some policies and nothing else.
    pub(super) fn of(groups: &[&[&'static str]]) -> Mentions {
        Mentions {
            policies: groups.concat(),
            ..Mentions::default()
        }
    }
}

/// How often a comparison must come out for the claim, over the values of x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Wherever there is a difference: the text says *always*.
    Always,
    /// At more than half of the values with a difference, and nowhere against it: the text says so
    /// without *always* and without exceptions.
    Generally,
    /// At more than half of the values: the text says *in most cases* or *overall*.
    Mostly,
    /// Everywhere but at this value, where it comes out against it.
    AllBut(&'static str),
}

impl Extent {
    pub(super) fn quorum(self) -> Quorum {
        match self {
            Extent::Always | Extent::AllBut(_) => Quorum::All,
            Extent::Generally => Quorum::Undisputed,
            Extent::Mostly => Quorum::Most,
        }
    }
}

/// The rule that so much of some evidence must be for the claim.
pub(super) fn each(subject: &str, quorum: Quorum) -> String {
    format!("{subject} {}.", quorum.words())
}

/// The rule that a number must lie in a range.
pub(super) fn inside_rule(subject: &str, range: [f64; 2], unit: &str) -> String {
    format!("{subject} {}", inside_words(&printed_range(range, unit)))
}

/// A range of shares in points.
pub(super) fn points(range: [f64; 2]) -> [f64; 2] {
    range.map(|share| 100.0 * share)
}

/// A range as a rule prints it.
pub(super) fn printed_range([low, high]: [f64; 2], unit: &str) -> String {
    let number = |value: f64| {
        let digits = format!("{value:.6}");
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    };
    let words = if low == f64::NEG_INFINITY {
        format!("at most {} {unit}", number(high))
    } else {
        format!("{} to {} {unit}", number(low), number(high))
    };
    words.trim_end().to_owned()
}
