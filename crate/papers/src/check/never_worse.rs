use super::rule::{Check, Names, each};
use crate::claim::{Found, Quorum, Rule};
use crate::curves::Curves;

/// There is no x at which the policy is worse than the other.
#[derive(Clone, Copy, Debug)]
pub struct NeverWorse {
    /// The policy that is said to be no worse.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
}

impl Rule for NeverWorse {
    fn rule(&self) -> String {
        each("The lead at each value of x", Quorum::NoneAgainst)
    }
}

impl Check for NeverWorse {
    fn names(&self) -> Names {
        Names::of(&[&[self.policy, self.than]])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let evidence = here.all_x(|x| here.lead(x, self.policy, self.than));
        Found::by(Quorum::NoneAgainst, evidence)
    }
}
