//! What can be said of curves, and the rules by which it is judged.

use super::claim::{Quorum, Rule, inside_words};

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

/// What can be said of curves. Policies go by their names in the scenario; a policy *leads* by how
/// much its metric is better.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each of these policies leads each of those.
    Better {
        /// The ones said to be better.
        policies: &'static [&'static str],
        /// The ones said to be worse.
        than: &'static [&'static str],
        /// At which values of x.
        extent: Extent,
    },
    /// There is no x at which the policy is worse than the other.
    NeverWorse {
        /// The one said to be no worse.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// The line fitted to the policy's lead over each of the others rises with x.
    LeadGrows {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
    },
    /// The line fitted to the policy's lead over each of the others falls with x.
    LeadShrinks {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
    },
    /// The line fitted to the metric of each policy falls with x.
    Falls {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The line fitted to the metric of each policy rises with x.
    Rises {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The metric of each policy rises from every value of x to the next.
    RisesSteadily {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The metric of each policy rises with x, and ever more quickly: so do the line and the parabola
    /// fitted to it.
    RisesEverFaster {
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The metric of each policy rises more quickly after a value of x than before: the line fitted to
    /// it from there on is steeper than that up to there.
    Steeper {
        /// The policies.
        policies: &'static [&'static str],
        /// The value of x.
        after: &'static str,
    },
    /// At that x the policy's lead over the other lies in a range.
    LeadAt {
        /// The one said to lead.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// A value of x.
        x: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// At no x the policy leads one of the others by so much.
    LeadBelow {
        /// The one said to lead.
        policy: &'static str,
        /// The others.
        than: &'static [&'static str],
        /// The lead that is not reached.
        limit: f64,
    },
    /// The largest lead of one of the policies over the other, over all x, lies in a range.
    LargestLead {
        /// The ones said to lead.
        policies: &'static [&'static str],
        /// The other.
        than: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// At that x the largest lead of one of the policies over the other, in per cent of the other's
    /// metric, lies in a range.
    RelativeLeadAt {
        /// The ones said to lead.
        policies: &'static [&'static str],
        /// The other.
        than: &'static str,
        /// A value of x.
        x: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// These policies lie closer together than the worst of them is to the reference.
    Close {
        /// The ones said to be alike.
        policies: &'static [&'static str],
        /// The one that is said to be far from them.
        reference: &'static str,
        /// At which values of x.
        extent: Extent,
    },
    /// The greatest mean of a metric, over policies and x and times a factor, lies in a range.
    Peak {
        /// The metric.
        metric: &'static str,
        /// Whose curves.
        policies: &'static [&'static str],
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// In no run of one of the policies a metric, times a factor, exceeds a limit.
    Never {
        /// The metric.
        metric: &'static str,
        /// Whose runs.
        policies: &'static [&'static str],
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The limit.
        above: f64,
    },
    /// The share by which the policy lowers the metric of the other, summed over x, is larger than in
    /// another figure.
    GainLargerThan {
        /// The other figure.
        beside: &'static str,
        /// The one said to gain.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// At every x the metric of each policy is larger than in another figure.
    LargerThan {
        /// The other figure.
        beside: &'static str,
        /// The policies.
        policies: &'static [&'static str],
    },
    /// The policy lowers the metric of the other by so many per cent: the average over all x, here and
    /// in other figures.
    Lowers {
        /// The other figures, under the readings at the same positions.
        among: &'static [&'static str],
        /// The one said to lower it.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// By how much.
        percent: f64,
    },
    /// At that x the metric of the policy, times a factor, lies in a range.
    MeanAt {
        /// The policy.
        policy: &'static str,
        /// A value of x.
        x: &'static str,
        /// What it is multiplied by.
        factor: f64,
        /// The unit of the product.
        unit: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// Where the policy ceases to be better than the other, its value of a metric, interpolated
    /// between the values of x on either side, lies in a range. It is open while some replication never
    /// gets there.
    Crossing {
        /// The one that is better at first.
        policy: &'static str,
        /// The other.
        than: &'static str,
        /// The metric.
        of: &'static str,
        /// The range.
        range: [f64; 2],
    },
    /// Over all x the metric of each policy exceeds its smallest value by at most this share.
    Flat {
        /// The policies.
        policies: &'static [&'static str],
        /// The share.
        at_most: f64,
    },
    /// The policy and the other are the same everywhere.
    Same {
        /// The one.
        policy: &'static str,
        /// The other.
        than: &'static str,
    },
    /// The policy does better at one value of x than at any other.
    LowestAt {
        /// The policy.
        policy: &'static str,
        /// The value of x.
        x: &'static str,
    },
    /// Something is so of another metric than the one that the figure shows.
    Of {
        /// The other metric.
        metric: &'static str,
        /// What is said of it.
        check: &'static Check,
    },
    /// Something is so from one value of x to another; beyond them nothing is said.
    Within {
        /// The first and the last value of x.
        x: [&'static str; 2],
        /// What is said of them.
        check: &'static Check,
    },
    /// No correct simulation can refute it.
    Certain {
        /// What is looked at all the same.
        check: &'static Check,
        /// Why that is so: a sentence.
        because: &'static str,
    },
}

impl Rule for Check {
    fn rule(&self) -> String {
        let each = |subject: &str, quorum: Quorum| format!("{subject} {}.", quorum.words());
        let inside = |subject: &str, range: [f64; 2], unit: &str| {
            format!("{subject} {}", inside_words(&printed_range(range, unit)))
        };
        let points = |range: [f64; 2]| range.map(|share| 100.0 * share);
        match *self {
            Check::Better { extent, .. } => {
                let turned = match extent {
                    Extent::AllBut(x) => format!(", that at {x} turned around,"),
                    _ => String::new(),
                };
                let subject = format!("The least lead at each value of x{turned}");
                each(&subject, extent.quorum())
            }
            Check::NeverWorse { .. } => each("The lead at each value of x", Quorum::NoneAgainst),
            Check::LeadGrows { .. } => each(
                "The rise with x of the line fitted to each lead",
                Quorum::All,
            ),
            Check::LeadShrinks { .. } => each(
                "The fall with x of the line fitted to each lead",
                Quorum::All,
            ),
            Check::Falls { .. } => each(
                "The fall with x of the line fitted to each curve",
                Quorum::All,
            ),
            Check::Rises { .. } => each(
                "The rise with x of the line fitted to each curve",
                Quorum::All,
            ),
            Check::RisesSteadily { .. } => each(
                "The rise of each curve from every value of x to the next",
                Quorum::All,
            ),
            Check::RisesEverFaster { .. } => each(
                "The rise with x of the line fitted to each curve, and how far the parabola fitted to it \
                 sags in the middle,",
                Quorum::All,
            ),
            Check::Steeper { after, .. } => each(
                &format!(
                    "The slope of the line fitted to each curve from {after} on, less that up to {after},"
                ),
                Quorum::All,
            ),
            Check::LeadAt { x, range, .. } => {
                inside(&format!("The lead at {x}"), points(range), "points")
            }
            Check::LeadBelow { limit, .. } => inside(
                "The largest lead at each value of x",
                points([f64::NEG_INFINITY, limit]),
                "points",
            ),
            Check::LargestLead { range, .. } => {
                inside("The largest mean lead at any x", points(range), "points")
            }
            Check::RelativeLeadAt { x, range, .. } => inside(
                &format!("The largest lead at {x}, as a share of what it leads over,"),
                range,
                "%",
            ),
            Check::Close { extent, .. } => each(
                "At each value of x what the reference is away from the worst of these policies, less what \
                 they are apart,",
                extent.quorum(),
            ),
            Check::Peak { range, unit, .. } => {
                inside("The greatest mean of any policy at any x", range, unit)
            }
            Check::Never { above, unit, .. } => {
                let limit = printed_range([f64::NEG_INFINITY, above], unit);
                format!("The greatest value in any replication must be {limit}; any above refutes the claim.")
            }
            Check::GainLargerThan { .. } => each(
                "The gain over all x here, less that in the other figure,",
                Quorum::All,
            ),
            Check::LargerThan { .. } => each(
                "At each value of x the least difference of a policy here to itself in the other figure",
                Quorum::All,
            ),
            Check::MeanAt { x, range, unit, .. } => {
                inside(&format!("The mean at {x}"), range, unit)
            }
            Check::Crossing { range, .. } => inside(
                "Where the curves cross, which they must in every replication, the value",
                range,
                "",
            ),
            Check::Flat { at_most, .. } => inside(
                "The largest difference of each curve over x, as a share of its least value,",
                [f64::NEG_INFINITY, 100.0 * at_most],
                "%",
            ),
            Check::Same { .. } => {
                "The lead at each value of x must be zero in every replication; any other refutes the claim."
                    .to_owned()
            }
            Check::LowestAt { x, .. } => each(
                &format!("The difference of every other value of x to {x}"),
                Quorum::All,
            ),
            Check::Lowers { percent, .. } => format!(
                "The average of the relative lowering over all values of x of all figures named: its whole 95 % \
                 interval must lie within a tenth of {percent} %; one that lies wholly outside refutes the claim."
            ),
            Check::Of { check, .. } => check.rule(),
            Check::Within { x: [from, to], check } => {
                format!("From {from} to {to} alone: {}", check.rule())
            }
            Check::Certain { because, .. } => because.to_owned(),
        }
    }

    fn by_construction(&self) -> bool {
        matches!(self, Check::Certain { .. })
    }
}

/// A range in words.
fn printed_range([low, high]: [f64; 2], unit: &str) -> String {
    let number = |value: f64| {
        let digits = format!("{value:.6}");
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    };
    let words = match low == f64::NEG_INFINITY {
        true => format!("at most {} {unit}", number(high)),
        false => format!("{} to {} {unit}", number(low), number(high)),
    };
    words.trim_end().to_owned()
}

impl Check {
    /// The other figure that it compares with.
    pub(super) fn beside(&self) -> Option<&'static str> {
        match *self {
            Check::GainLargerThan { beside, .. } | Check::LargerThan { beside, .. } => Some(beside),
            Check::Of { check, .. }
            | Check::Within { check, .. }
            | Check::Certain { check, .. } => check.beside(),
            _ => None,
        }
    }

    /// The other figures with which it takes an average.
    pub(super) fn among(&self) -> &'static [&'static str] {
        match *self {
            Check::Lowers { among, .. } => among,
            Check::Of { check, .. }
            | Check::Within { check, .. }
            | Check::Certain { check, .. } => check.among(),
            _ => &[],
        }
    }

    /// The values of x that it names.
    #[cfg(test)]
    pub(super) fn x(&self) -> Vec<&'static str> {
        match *self {
            Check::LeadAt { x, .. }
            | Check::LowestAt { x, .. }
            | Check::RelativeLeadAt { x, .. }
            | Check::MeanAt { x, .. }
            | Check::Steeper { after: x, .. }
            | Check::Better {
                extent: Extent::AllBut(x),
                ..
            } => vec![x],
            Check::Within { x, check } => [x.to_vec(), check.x()].concat(),
            Check::Of { check, .. } | Check::Certain { check, .. } => check.x(),
            _ => Vec::new(),
        }
    }

    /// The metric that it names.
    #[cfg(test)]
    pub(super) fn metric(&self) -> Option<&'static str> {
        match *self {
            Check::Of { metric, .. }
            | Check::Peak { metric, .. }
            | Check::Never { metric, .. }
            | Check::Crossing { of: metric, .. } => Some(metric),
            Check::Within { check, .. } | Check::Certain { check, .. } => check.metric(),
            _ => None,
        }
    }

    /// Whether it judges leads by ranges in points.
    #[cfg(test)]
    pub(super) fn in_points(&self) -> bool {
        match *self {
            Check::LeadAt { .. } | Check::LeadBelow { .. } | Check::LargestLead { .. } => true,
            Check::Within { check, .. } | Check::Certain { check, .. } => check.in_points(),
            _ => false,
        }
    }

    /// The policies that it names.
    #[cfg(test)]
    pub(super) fn names(&self) -> Vec<&'static str> {
        match *self {
            Check::Better { policies, than, .. } => [policies, than].concat(),
            Check::NeverWorse { policy, than }
            | Check::LeadAt { policy, than, .. }
            | Check::Crossing { policy, than, .. }
            | Check::Same { policy, than }
            | Check::Lowers { policy, than, .. }
            | Check::GainLargerThan { policy, than, .. } => vec![policy, than],
            Check::LeadGrows { policy, than }
            | Check::LeadShrinks { policy, than }
            | Check::LeadBelow { policy, than, .. } => [&[policy], than].concat(),
            Check::LargestLead { policies, than, .. }
            | Check::RelativeLeadAt { policies, than, .. } => [policies, &[than]].concat(),
            Check::Of { check, .. }
            | Check::Within { check, .. }
            | Check::Certain { check, .. } => check.names(),
            Check::LowestAt { policy, .. } | Check::MeanAt { policy, .. } => vec![policy],
            Check::Falls { policies }
            | Check::Rises { policies }
            | Check::RisesSteadily { policies }
            | Check::RisesEverFaster { policies }
            | Check::Steeper { policies, .. }
            | Check::Flat { policies, .. }
            | Check::Peak { policies, .. }
            | Check::Never { policies, .. }
            | Check::LargerThan { policies, .. } => policies.to_vec(),
            Check::Close {
                policies,
                reference,
                ..
            } => [policies, &[reference]].concat(),
        }
    }
}
