//! What can be said of curves: one file for each check, with its rule in words beside its code.
//!
//! Policies go by their names in the scenario; a policy *leads* by how much its metric is better.
//!
//! Orders of policies:
//! - `better`: policies lead others
//! - `never_worse`: a policy is nowhere behind another
//! - `same`: two policies are the same everywhere
//! - `close`: policies lie closer together than to a reference
//! - `lowest_at`: a policy does best at one value of x
//!
//! Sizes of leads:
//! - `lead_at`: the lead at an x lies in a range
//! - `lead_below`: no lead is as large
//! - `largest_lead`: the largest lead over all x lies in a range
//! - `relative_lead_at`: the relative lead at an x lies in a range
//! - `lowers`: the average relative lead over figures is a printed percentage
//!
//! Shapes of curves:
//! - `lead_trend`: a lead grows or shrinks with x
//! - `trend`: curves rise or fall with x
//! - `rises_steadily`: curves rise from every value of x to the next
//! - `rises_ever_faster`: curves rise and bend upwards
//! - `steeper`: curves are steeper after an x than before
//! - `flat`: curves hardly change with x
//!
//! Numbers:
//! - `peak`: the greatest mean lies in a range
//! - `never`: no run exceeds a limit
//! - `mean_at`: the mean at an x lies in a range
//! - `crossing`: curves cross where a metric lies in a range
//!
//! Other figures:
//! - `gain_larger_than`: a gain is larger than in another figure
//! - `larger_than`: a metric is larger than in another figure
//!
//! Checks of checks:
//! - `of`: another metric than the figure's
//! - `within`: some values of x
//! - `certain`: nothing can refute it

mod better;
mod certain;
mod close;
mod crossing;
mod flat;
mod gain_larger_than;
mod larger_than;
mod largest_lead;
mod lead_at;
mod lead_below;
mod lead_trend;
mod lowers;
mod lowest_at;
mod mean_at;
mod never;
mod never_worse;
mod of;
mod peak;
mod relative_lead_at;
mod rises_ever_faster;
mod rises_steadily;
mod same;
mod steeper;
mod trend;
mod within;

use std::fmt;

use super::claim::{Claim, Found, Quorum, Rule, inside_words};
use super::curves::Curves;

pub use better::Better;
pub use certain::Certain;
pub use close::Close;
pub use crossing::Crossing;
pub use flat::Flat;
pub use gain_larger_than::GainLargerThan;
pub use larger_than::LargerThan;
pub use largest_lead::LargestLead;
pub use lead_at::LeadAt;
pub use lead_below::LeadBelow;
pub use lead_trend::{LeadGrows, LeadShrinks};
pub use lowers::Lowers;
pub use lowest_at::LowestAt;
pub use mean_at::MeanAt;
pub use never::Never;
pub use never_worse::NeverWorse;
pub use of::Of;
pub use peak::Peak;
pub use relative_lead_at::RelativeLeadAt;
pub use rises_ever_faster::RisesEverFaster;
pub use rises_steadily::RisesSteadily;
pub use same::Same;
pub use steeper::Steeper;
pub use trend::{Falls, Rises};
pub use within::Within;

/// Something that can be said of curves.
pub trait Check: Rule + fmt::Debug + Sync {
    /// What it names of the scenario and of other figures.
    fn names(&self) -> Names;

    /// Looks whether it is so of the curves `here`, with those of the figure
    /// [`beside`](Names::beside) it where there is one.
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
pub struct Names {
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

impl Names {
    /// Some policies and nothing else.
    fn of(groups: &[&[&'static str]]) -> Names {
        Names {
            policies: groups.concat(),
            ..Names::default()
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
    fn quorum(self) -> Quorum {
        match self {
            Extent::Always | Extent::AllBut(_) => Quorum::All,
            Extent::Generally => Quorum::Undisputed,
            Extent::Mostly => Quorum::Most,
        }
    }
}

/// The rule that so much of some evidence must be for the claim.
fn each(subject: &str, quorum: Quorum) -> String {
    format!("{subject} {}.", quorum.words())
}

/// The rule that a number must lie in a range.
fn inside_rule(subject: &str, range: [f64; 2], unit: &str) -> String {
    format!("{subject} {}", inside_words(&printed_range(range, unit)))
}

/// A range of shares in points.
fn points(range: [f64; 2]) -> [f64; 2] {
    range.map(|share| 100.0 * share)
}

/// A range as a rule prints it.
fn printed_range([low, high]: [f64; 2], unit: &str) -> String {
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
