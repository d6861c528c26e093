use super::rule::{Check, Names, inside_rule, points};
use crate::claim::{Evidence, Found, Rule, inside};
use crate::curves::Curves;

/// At that x the policy's lead over the other lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct LeadAt {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The value of x at which the curves are looked at.
    pub x: &'static str,
    /// The range in which the lead must lie, as shares.
    pub range: [f64; 2],
}

impl Rule for LeadAt {
    fn rule(&self) -> String {
        let subject = format!("The lead at {}", self.x);
        inside_rule(&subject, points(self.range), "points")
    }
}

impl Check for LeadAt {
    fn names(&self) -> Names {
        Names {
            x: vec![self.x],
            in_points: true,
            ..Names::of(&[&[self.policy, self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let lead = here.lead(here.position(self.x), self.policy, self.than);
        Found::all(lead.map(|lead| Evidence {
            side: inside(lead.value, self.range),
            ..lead
        }))
    }
}
