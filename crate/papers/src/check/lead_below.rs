use super::rule::{Check, Names, inside_rule, points};
use crate::claim::{Evidence, Found, Rule};
use crate::curves::Curves;

/// At no x the policy leads one of the others by so much.
#[derive(Clone, Copy, Debug)]
pub struct LeadBelow {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policies that it is compared with.
    pub than: &'static [&'static str],
    /// The lead that is not reached, as a share.
    pub limit: f64,
}

impl Rule for LeadBelow {
    fn rule(&self) -> String {
        inside_rule(
            "The largest lead at each value of x",
            points([f64::NEG_INFINITY, self.limit]),
            "points",
        )
    }
}

impl Check for LeadBelow {
    fn names(&self) -> Names {
        Names {
            in_points: true,
            ..Names::of(&[&[self.policy], self.than])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let below = |x: usize| {
            let below = self.than.iter().filter_map(|than| {
                let leads = here.leads(x, self.policy, than);
                let left: Vec<f64> = leads.iter().map(|lead| self.limit - lead).collect();
                let left = Evidence::of_leads(String::new(), "", &left)?;
                let lead = here.lead(x, self.policy, than)?;
                Some((left, lead))
            });
            let (left, lead) = below.min_by(|a, b| a.0.value.mean.total_cmp(&b.0.value.mean))?;
            Some(Evidence {
                side: left.side,
                ..lead
            })
        };
        Found::all(here.all_x(below))
    }
}
