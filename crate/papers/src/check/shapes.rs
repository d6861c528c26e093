//! Shapes of curves.

use super::rule::{Check, Mentions, each, inside_rule};
use crate::claim::{Evidence, Found, Quorum, Rule, inside};
use crate::curves::{Curves, greatest, least, sag, slope};
use backfill_sim::stats::estimate;

/// The line fitted to the policy's lead over each of the others rises with x.
#[derive(Clone, Copy, Debug)]
pub struct LeadGrows {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policies that it is compared with.
    pub than: &'static [&'static str],
}

/// The line fitted to the policy's lead over each of the others falls with x.
#[derive(Clone, Copy, Debug)]
pub struct LeadShrinks {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policies that it is compared with.
    pub than: &'static [&'static str],
}

impl Rule for LeadGrows {
    fn rule(&self) -> String {
        each(
            "The rise with x of the line fitted to each lead",
            Quorum::All,
        )
    }
}

impl Rule for LeadShrinks {
    fn rule(&self) -> String {
        each(
            "The fall with x of the line fitted to each lead",
            Quorum::All,
        )
    }
}

impl Check for LeadGrows {
    fn names(&self) -> Mentions {
        Mentions::of(&[&[self.policy], self.than])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        leads_by_line(here, "growth", 1.0, self.policy, self.than)
    }
}

impl Check for LeadShrinks {
    fn names(&self) -> Mentions {
        Mentions::of(&[&[self.policy], self.than])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        leads_by_line(here, "fall", -1.0, self.policy, self.than)
    }
}

/// Whether the line fitted to the lead over each of the others rises, or falls where `sign` is
/// negative.
fn leads_by_line(
    here: &Curves<'_>,
    what: &str,
    sign: f64,
    policy: &'static str,
    than: &'static [&'static str],
) -> Found {
    let line = |than: &&str| {
        let lead = |x, r| Some(sign * (here.cost(x, than, r)? - here.cost(x, policy, r)?));
        let what = format!(
            "{what} of the lead of {} over {} {}",
            here.label(policy),
            here.label(than),
            here.reach()
        );
        Evidence::of_leads(what, here.unit(), &here.rises(lead))
    };
    Found::all(than.iter().filter_map(line))
}

/// The line fitted to the metric of each policy falls with x.
#[derive(Clone, Copy, Debug)]
pub struct Falls {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

/// The line fitted to the metric of each policy rises with x.
#[derive(Clone, Copy, Debug)]
pub struct Rises {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for Falls {
    fn rule(&self) -> String {
        each(
            "The fall with x of the line fitted to each curve",
            Quorum::All,
        )
    }
}

impl Rule for Rises {
    fn rule(&self) -> String {
        each(
            "The rise with x of the line fitted to each curve",
            Quorum::All,
        )
    }
}

impl Check for Falls {
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        by_line(here, "fall", -1.0, self.policies)
    }
}

impl Check for Rises {
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        by_line(here, "rise", 1.0, self.policies)
    }
}

/// Whether the line fitted to the metric of each policy rises, or falls where `sign` is negative.
fn by_line(here: &Curves<'_>, what: &str, sign: f64, policies: &[&str]) -> Found {
    let line = |policy: &&str| {
        let rises = here.rises(|x, r| Some(sign * here.value(x, policy, r)?));
        let what = format!("{what} of {} {}", here.label(policy), here.reach());
        Evidence::of_leads(what, here.unit(), &rises)
    };
    Found::all(policies.iter().filter_map(line))
}

/// The metric of each policy rises from every value of x to the next.
#[derive(Clone, Copy, Debug)]
pub struct RisesSteadily {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for RisesSteadily {
    fn rule(&self) -> String {
        each(
            "The rise of each curve from every value of x to the next",
            Quorum::All,
        )
    }
}

impl Check for RisesSteadily {
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let step = |(policy, x): (&&str, usize)| {
            let value = |x, r| here.value(x, policy, r);
            let rises = here.each_replication(|r| Some(value(x, r)? - value(x - 1, r)?));
            let [from, to] = [&here.x[x - 1], &here.x[x]];
            let what = format!("rise of {} from {from} to {to}", here.label(policy));
            Evidence::of_leads(what, here.unit(), &rises)
        };
        let steps = |policy| (1..here.x.len()).map(move |x| (policy, x));
        Found::all(self.policies.iter().flat_map(steps).filter_map(step))
    }
}

/// The metric of each policy rises with x, and ever more quickly: so do the line and the parabola
/// fitted to it.
#[derive(Clone, Copy, Debug)]
pub struct RisesEverFaster {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for RisesEverFaster {
    fn rule(&self) -> String {
        each(
            "The slope over x of the line fitted to each curve, and the convexity of the parabola fitted \
             to it,",
            Quorum::All,
        )
    }
}

impl Check for RisesEverFaster {
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let x = here.numbers();
        let both = |policy: &&str| {
            let value = |x, r| here.value(x, policy, r);
            let sags = here.by_replication(value, |y| sag(&x, y));
            let label = here.label(policy);
            let what = |what: &str| format!("{what} of {label} {}", here.reach());
            [("rise", here.rises(value)), ("sag", sags)]
                .map(|(word, values)| Evidence::of_leads(what(word), here.unit(), &values))
        };
        Found::all(self.policies.iter().flat_map(both).flatten())
    }
}

/// The metric of each policy rises more quickly after a value of x than before: the line fitted to
/// it from there on is steeper than that up to there.
#[derive(Clone, Copy, Debug)]
pub struct Steeper {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
    /// The value of x that it is about.
    pub after: &'static str,
}

impl Rule for Steeper {
    fn rule(&self) -> String {
        let after = self.after;
        each(
            &format!(
                "The slope of the line fitted to each curve from {after} on, less that up to {after},"
            ),
            Quorum::All,
        )
    }
}

impl Check for Steeper {
    fn names(&self) -> Mentions {
        Mentions {
            x: vec![self.after],
            ..Mentions::of(&[self.policies])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let (x, at) = (here.numbers(), here.position(self.after));
        let difference = |policy: &&str| {
            let more = here.by_replication(
                |x, r| here.value(x, policy, r),
                |y| slope(&x[at..], &y[at..]) - slope(&x[..=at], &y[..=at]),
            );
            let what = format!(
                "slope of {} after {} less that before, for 1 of x",
                here.label(policy),
                self.after
            );
            Evidence::of_leads(what, here.unit(), &more)
        };
        Found::all(self.policies.iter().filter_map(difference))
    }
}

/// Over all x the metric of each policy exceeds its smallest value by at most this share.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
    /// The share of the smallest value, from 0 to 1.
    pub at_most: f64,
}

impl Flat {
    /// The range of the largest difference, in per cent.
    fn range(&self) -> [f64; 2] {
        [f64::NEG_INFINITY, 100.0 * self.at_most]
    }
}

impl Rule for Flat {
    fn rule(&self) -> String {
        inside_rule(
            "The largest difference of each curve over x, as a share of its least value,",
            self.range(),
            "%",
        )
    }
}

impl Check for Flat {
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let rise = |policy: &&str| {
            let differences = here.by_replication(
                |x, r| here.cost(x, policy, r),
                |costs| 100.0 * (greatest(costs) - least(costs)) / least(costs).abs(),
            );
            let value = estimate(&differences)?;
            Some(Evidence {
                what: format!("largest difference of {} over x", here.label(policy)),
                unit: "%",
                side: inside(value, self.range()),
                value,
            })
        };
        Found::all(self.policies.iter().filter_map(rise))
    }
}
