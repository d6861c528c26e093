//! Comparisons with another figure.

use super::rule::{Check, Mentions, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::{Curves, weakest};

/// The share by which the policy lowers the metric of the other, summed over x, is larger than in
/// another figure.
#[derive(Clone, Copy, Debug)]
pub struct GainLargerThan {
    /// The name of the other figure.
    pub beside: &'static str,
    /// The policy that is said to gain.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
}

impl Rule for GainLargerThan {
    fn rule(&self) -> String {
        each(
            "The gain over all x here, less that in the other figure,",
            Quorum::All,
        )
    }
}

impl Check for GainLargerThan {
    fn names(&self) -> Mentions {
        Mentions {
            beside: Some(self.beside),
            ..Mentions::of(&[&[self.policy, self.than]])
        }
    }

    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found {
        let Some(beside) = beside else {
            return Found::undecided();
        };
        let gain = |curves: &Curves<'_>, r: usize| {
            let sum = |name| -> Option<f64> {
                let costs = (0..curves.x.len()).map(|x| curves.cost(x, name, r));
                costs.sum()
            };
            Some(1.0 - sum(self.policy)? / sum(self.than)?)
        };
        let more = here.each_replication(|r| Some(gain(here, r)? - gain(beside, r)?));
        let what = format!(
            "gain of {} over {}, here − there",
            here.label(self.policy),
            here.label(self.than)
        );
        Found::all(Evidence::of_leads(what, "points", &more))
    }
}

/// At every x the metric of each policy is larger than in another figure.
#[derive(Clone, Copy, Debug)]
pub struct LargerThan {
    /// The name of the other figure.
    pub beside: &'static str,
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for LargerThan {
    fn rule(&self) -> String {
        each(
            "At each value of x the least difference of a policy here to itself in the other figure",
            Quorum::All,
        )
    }
}

impl Check for LargerThan {
    fn names(&self) -> Mentions {
        Mentions {
            beside: Some(self.beside),
            ..Mentions::of(&[self.policies])
        }
    }

    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found {
        let Some(beside) = beside else {
            return Found::undecided();
        };
        let larger = |x: usize| {
            let each = self.policies.iter().filter_map(|policy| {
                let cost = |curves: &Curves<'_>, r| curves.cost(x, policy, r);
                let more = here.each_replication(|r| Some(cost(here, r)? - cost(beside, r)?));
                let what = format!("at {}: {}, here − there", here.x[x], here.label(policy));
                Evidence::of_leads(what, here.unit(), &more)
            });
            weakest(each)
        };
        Found::all(here.all_x(larger))
    }
}
