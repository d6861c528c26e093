use super::rule::{Check, Names, printed_range};
use crate::claim::{Evidence, Found, Rule};
use crate::curves::Curves;

/// In no run of one of the policies a metric, times a factor, exceeds a limit.
#[derive(Clone, Copy, Debug)]
pub struct Never {
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

impl Rule for Never {
    fn rule(&self) -> String {
        let limit = printed_range([f64::NEG_INFINITY, self.above], self.unit);
        format!(
            "The greatest value in any replication must be {limit}; any above refutes the claim."
        )
    }
}

impl Check for Never {
    fn names(&self) -> Names {
        Names {
            metric: Some(self.metric),
            ..Names::of(&[self.policies])
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
