use super::rule::{Check, Names, inside_rule};
use crate::claim::{Evidence, Found, Rule, Side, inside};
use crate::curves::Curves;
use backfill_sim::stats::estimate;

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
    fn names(&self) -> Names {
        Names {
            metric: Some(self.of),
            crossing: Some(self.of),
            ..Names::of(&[&[self.policy, self.than]])
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
