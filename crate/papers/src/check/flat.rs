use super::rule::{Check, Names, inside_rule};
use crate::claim::{Evidence, Found, Rule, inside};
use crate::curves::{Curves, greatest, least};
use backfill_sim::stats::estimate;

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
    fn names(&self) -> Names {
        Names::of(&[self.policies])
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
