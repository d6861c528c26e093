use super::rule::{Check, Names, each};
use crate::claim::{Found, Quorum, Rule};
use crate::curves::{Curves, strongest};

/// One of these policies leads each of those, ties left aside.
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
            "At each value of x the least lead of whichever policy leads most clearly",
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
            strongest(policies.filter_map(|policy| here.weakest(x, &[policy], self.than)))
        });
        Found::all(evidence)
    }
}
