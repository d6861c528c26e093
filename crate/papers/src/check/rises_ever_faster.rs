use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::{Curves, sag};

/// The metric of each policy rises with x, and ever more quickly: so do the line and the parabola
/// fitted to it.
#[derive(Clone, Copy, Debug)]
pub struct RisesEverFaster {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for RisesEverFaster {
    fn rule(&self) -> String {
        each(
            "The slope over x of the line fitted to each curve, and the convexity of the parabola fitted \
             to it,",
            Quorum::All,
        )
    }
}

impl Check for RisesEverFaster {
    fn names(&self) -> Names {
        Names::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let x = here.numbers();
        let both = |policy: &&str| {
            let value = |x, r| here.value(x, policy, r);
            let sags = here.by_replication(value, |y| sag(&x, y));
            let label = here.label(policy);
            let what = |what: &str| format!("{what} of {label} {}", here.reach());
            [("rise", here.rises(value)), ("sag", sags)]
                .map(|(word, values)| Evidence::of_leads(what(word), here.unit(), &values))
        };
        Found::all(self.policies.iter().flat_map(both).flatten())
    }
}
