use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule, Side};
use crate::curves::{Curves, strongest, weakest};

/// One of these policies leads each of those; a tie is no lead.
#[derive(Clone, Copy, Debug)]
pub struct OneBetter {
    /// The policies of which one is said to be better.
    pub policies: &'static [&'static str],
    /// The policies that are said to be worse.
    pub than: &'static [&'static str],
}

impl Rule for OneBetter {
    fn rule(&self) -> String {
        each(
            "At each value of x, the smallest lead over the others of the policy that leads most clearly (a \
             tie is no lead)",
            Quorum::All,
        )
    }
}

impl Check for OneBetter {
    fn names(&self) -> Names {
        Names::of(&[self.policies, self.than])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let evidence = here.all_x(|x| {
            let policies = self.policies.iter();
            strongest(policies.filter_map(|policy| {
                let others = self.than.iter();
                weakest(others.filter_map(|than| here.lead(x, policy, than).map(no_tie)))
            }))
        });
        Found::all(evidence)
    }
}

/// What a lead says where a tie is none.
fn no_tie(lead: Evidence) -> Evidence {
    Evidence {
        side: match lead.side {
            Side::Equal => Side::Against,
            side => side,
        },
        ..lead
    }
}
