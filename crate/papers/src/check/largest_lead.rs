use super::rule::{Check, Names, inside_rule, points};
use crate::claim::{Evidence, Found, Rule, inside};
use crate::curves::Curves;

/// The largest lead of one of the policies over the other, over all x, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct LargestLead {
    /// The policies that are said to lead.
    pub policies: &'static [&'static str],
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The range in which the lead must lie, as shares.
    pub range: [f64; 2],
}

impl Rule for LargestLead {
    fn rule(&self) -> String {
        inside_rule(
            "The largest mean lead at any x",
            points(self.range),
            "points",
        )
    }
}

impl Check for LargestLead {
    fn names(&self) -> Names {
        Names {
            in_points: true,
            ..Names::of(&[self.policies, &[self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let leads = (0..here.x.len()).flat_map(|x| {
            let lead = move |policy: &&str| here.lead(x, policy, self.than);
            self.policies.iter().filter_map(lead)
        });
        let largest = leads.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
        Found::all(largest.map(|lead| Evidence {
            side: inside(lead.value, self.range),
            ..lead
        }))
    }
}
