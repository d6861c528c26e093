use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::Curves;

/// The policy does better at one value of x than at any other.
#[derive(Clone, Copy, Debug)]
pub struct LowestAt {
    /// The policy whose curve is looked at.
    pub policy: &'static str,
    /// The value of x that it is about.
    pub x: &'static str,
}

impl Rule for LowestAt {
    fn rule(&self) -> String {
        each(
            &format!("The difference of every other value of x to {}", self.x),
            Quorum::All,
        )
    }
}

impl Check for LowestAt {
    fn names(&self) -> Names {
        Names {
            x: vec![self.x],
            ..Names::of(&[&[self.policy]])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let at = here.position(self.x);
        let above = |other: usize| {
            let cost = |x, r| here.cost(x, self.policy, r);
            let above = here.each_replication(|r| Some(cost(other, r)? - cost(at, r)?));
            let label = here.label(self.policy);
            let what = format!("{label} at {} over {}", here.x[other], self.x);
            Evidence::of_leads(what, here.unit(), &above)
        };
        let others = (0..here.x.len()).filter(|&other| other != at);
        Found::all(others.filter_map(above))
    }
}
