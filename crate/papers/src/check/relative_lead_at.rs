use super::rule::{Check, Names, inside_rule};
use crate::claim::{Evidence, Found, Rule, inside};
use crate::curves::Curves;
use backfill_sim::stats::estimate;

/// At that x the largest lead of one of the policies over the other, in per cent of the other's
/// metric, lies in a range.
#[derive(Clone, Copy, Debug)]
pub struct RelativeLeadAt {
    /// The policies that are said to lead.
    pub policies: &'static [&'static str],
    /// The policy that it is compared with.
    pub than: &'static str,
    /// The value of x at which the curves are looked at.
    pub x: &'static str,
    /// The range in which the lead must lie, in per cent.
    pub range: [f64; 2],
}

impl Rule for RelativeLeadAt {
    fn rule(&self) -> String {
        let subject = format!(
            "The largest lead at {}, as a share of what it leads over,",
            self.x
        );
        inside_rule(&subject, self.range, "%")
    }
}

impl Check for RelativeLeadAt {
    fn names(&self) -> Names {
        Names {
            x: vec![self.x],
            ..Names::of(&[self.policies, &[self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let at = here.position(self.x);
        let relative = |policy: &&str| {
            let share = |r: usize| {
                let there = here.cost(at, self.than, r)?;
                let here = here.cost(at, policy, r)?;
                Some(100.0 * (there - here) / there.abs())
            };
            let value = estimate(&here.each_replication(share))?;
            Some(Evidence {
                what: format!(
                    "at {}: relative lead of {} over {}",
                    self.x,
                    here.label(policy),
                    here.label(self.than)
                ),
                unit: "%",
                side: inside(value, self.range),
                value,
            })
        };
        let relative = self.policies.iter().filter_map(relative);
        Found::all(relative.max_by(|a, b| a.value.mean.total_cmp(&b.value.mean)))
    }
}
