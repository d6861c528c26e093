use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::{Curves, weakest};

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
    fn names(&self) -> Names {
        Names {
            beside: Some(self.beside),
            ..Names::of(&[self.policies])
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
