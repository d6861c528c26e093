use super::rule::{Check, Names};
use crate::claim::{Found, Judgement, Rule, Side};
use crate::curves::Curves;

/// The policy and the other are the same everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Same {
    /// The policy that is looked at.
    pub policy: &'static str,
    /// The policy that it is compared with.
    pub than: &'static str,
}

impl Rule for Same {
    fn rule(&self) -> String {
        "The lead at each value of x must be zero in every replication; any other refutes the claim."
            .to_owned()
    }
}

impl Check for Same {
    fn names(&self) -> Names {
        Names::of(&[&[self.policy, self.than]])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let evidence = here.all_x(|x| here.lead(x, self.policy, self.than));
        let outcome = if evidence.is_empty() {
            Judgement::Undecided
        } else if evidence.iter().all(|one| one.side == Side::Equal) {
            Judgement::Holds
        } else {
            Judgement::DoesNotHold
        };
        Found { outcome, evidence }
    }
}
