//! Numbers on curves.

use super::rule::{Check, Mentions, inside_rule, printed_range};
use crate::claim::{Evidence, Found, Rule, Side, inside};
use crate::curves::Curves;
use backfill_sim::metrics;
use backfill_sim::stats::estimate;

/// The greatest mean of a metric, over policies and x and times a factor, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    /// The name of the metric that is looked at.
    pub metric: &'static str,
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
    /// The factor that the metric is multiplied by.
    pub factor: f64,
    /// The unit of the product, as it is printed.
    pub unit: &'static str,
    /// The range in which it must lie, in that unit.
    pub range: [f64; 2],
}

impl Rule for Peak {
    fn rule(&self) -> String {
        let subject = "The greatest mean of any policy at any x";
        inside_rule(subject, self.range, self.unit)
    }
}

impl Check for Peak {
    fn names(&self) -> Mentions {
        Mentions {
            metric: Some(self.metric),
            ..Mentions::of(&[self.policies])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let position = metrics::position(self.metric).expect("a known metric");
        let chosen: Vec<usize> = self.policies.iter().map(|name| here.policy(name)).collect();
        let points = here.results.points();
        let within = here.first..here.first + here.x.len();
        let of_it = points.iter().filter(|point| {
            point.metric == position && chosen.contains(&point.policy) && within.contains(&point.x)
        });
        let top = of_it.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
        Found::all(top.and_then(|top| {
            let name = here.scenario.policies()[top.policy].to_string();
            let x = top.x - here.first;
            let what = format!("greatest of {}, at {}", here.label(&name), here.x[x]);
            let of = (self.metric, self.factor, self.unit);
            here.mean_at((x, top.policy), of, what, self.range)
        }))
    }
}

/// In no run of one of the policies a metric, times a factor, exceeds a limit.
#[derive(Clone, Copy, Debug)]
pub struct NeverExceeds {
    /// The name of the metric that is looked at.
    pub metric: &'static str,
    /// The policies whose runs are looked at.
    pub policies: &'static [&'static str],
    /// The factor that the metric is multiplied by.
    pub factor: f64,
    /// The unit of the product, as it is printed.
    pub unit: &'static str,
    /// The limit that no run exceeds, in that unit.
    pub above: f64,
}

impl Rule for NeverExceeds {
    fn rule(&self) -> String {
        let limit = printed_range([f64::NEG_INFINITY, self.above], self.unit);
        format!(
            "The greatest value in any replication must be {limit}; any above refutes the claim."
        )
    }
}

impl Check for NeverExceeds {
    fn names(&self) -> Mentions {
        Mentions {
            metric: Some(self.metric),
            ..Mentions::of(&[self.policies])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let measured = &here.by(self.metric);
        let of = |policy: &'static str| {
            let value = move |x| measured.each_replication(|r| measured.value(x, policy, r));
            (0..measured.x.len()).flat_map(value)
        };
        let greatest = self.policies.iter().flat_map(|policy| of(policy));
        Found::all(greatest.reduce(f64::max).map(|value| {
            let value = self.factor * value;
            let what = "greatest in any replication".to_owned();
            Evidence::fact(what, self.unit, value, value <= self.above)
        }))
    }
}

/// At that x the metric of the policy, times a factor, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct MeanAt {
    /// The policy whose curve is looked at.
    pub policy: &'static str,
    /// The value of x at which the curves are looked at.
    pub x: &'static str,
    /// The factor that the metric is multiplied by.
    pub factor: f64,
    /// The unit of the product, as it is printed.
    pub unit: &'static str,
    /// The range in which it must lie, in that unit.
    pub range: [f64; 2],
}

impl Rule for MeanAt {
    fn rule(&self) -> String {
        inside_rule(&format!("The mean at {}", self.x), self.range, self.unit)
    }
}

impl Check for MeanAt {
    fn names(&self) -> Mentions {
        Mentions {
            x: vec![self.x],
            ..Mentions::of(&[&[self.policy]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let at = (here.position(self.x), here.policy(self.policy));
        let what = format!("at {}: {}", self.x, here.label(self.policy));
        let of = (here.metric.name, self.factor, self.unit);
        Found::all(here.mean_at(at, of, what, self.range))
    }
}

/// Where the policy ceases to be better than the other, its value of a metric, interpolated
/// between the values of x on either side, lies in a range. It is open while some replication never
/// gets there.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The policy that is better at first.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The name of the metric that is looked at.
    pub of: &'static str,
    /// The range in which it must lie, in the metric's unit.
    pub range: [f64; 2],
}

impl Rule for Crossing {
    fn rule(&self) -> String {
        inside_rule(
            "Where the curves cross, which they must in every replication, the value",
            self.range,
            "",
        )
    }
}

impl Check for Crossing {
    fn names(&self) -> Mentions {
        Mentions {
            metric: Some(self.of),
            crossing: Some(self.of),
            ..Mentions::of(&[&[self.policy, self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let measured = here.by(self.of);
        let at_crossing = |r: usize| {
            (1..here.x.len()).find_map(|x| {
                let cost = |x, policy| here.cost(x, policy, r);
                let lead = |x: usize| Some(cost(x, self.than)? - cost(x, self.policy)?);
                let (before, after) = (lead(x - 1)?, lead(x)?);
                if before <= 0.0 || after > 0.0 {
                    return None;
                }
                let value = |x: usize| measured.cost(x, self.policy, r);
                let share = before / (before - after);
                Some(value(x - 1)? + share * (value(x)? - value(x - 1)?))
            })
        };
        let values = here.each_replication(at_crossing);
        Found::all(estimate(&values).map(|value| Evidence {
            what: format!(
                "{} where {} crosses {}",
                measured.metric.label,
                here.label(self.policy),
                here.label(self.than)
            ),
            unit: measured.metric.unit,
            // Those replications alone in which it happens early would tell another story.
            side: if values.len() == here.replications() {
                inside(value, self.range)
            } else {
                Side::Open
            },
            value,
        }))
    }
}
