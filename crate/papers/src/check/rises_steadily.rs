use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::Curves;

/// The metric of each policy rises from every value of x to the next.
#[derive(Clone, Copy, Debug)]
pub struct RisesSteadily {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for RisesSteadily {
    fn rule(&self) -> String {
        each(
            "The rise of each curve from every value of x to the next",
            Quorum::All,
        )
    }
}

impl Check for RisesSteadily {
    fn names(&self) -> Names {
        Names::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let step = |(policy, x): (&&str, usize)| {
            let value = |x, r| here.value(x, policy, r);
            let rises = here.each_replication(|r| Some(value(x, r)? - value(x - 1, r)?));
            let [from, to] = [&here.x[x - 1], &here.x[x]];
            let what = format!("rise of {} from {from} to {to}", here.label(policy));
            Evidence::of_leads(what, here.unit(), &rises)
        };
        let steps = |policy| (1..here.x.len()).map(move |x| (policy, x));
        Found::all(self.policies.iter().flat_map(steps).filter_map(step))
    }
}
