use super::rule::{Check, Names, inside_rule};
use crate::claim::{Found, Rule};
use crate::curves::Curves;

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
    fn names(&self) -> Names {
        Names {
            x: vec![self.x],
            ..Names::of(&[&[self.policy]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let at = (here.position(self.x), here.policy(self.policy));
        let what = format!("at {}: {}", self.x, here.label(self.policy));
        let of = (here.metric.name, self.factor, self.unit);
        Found::all(here.mean_at(at, of, what, self.range))
    }
}
