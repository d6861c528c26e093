use super::rule::{Check, Extent, Names, each};
use crate::claim::{Evidence, Found, Rule};
use crate::curves::{Curves, greatest, least};

/// These policies lie closer together than the worst of them is to the reference.
#[derive(Clone, Copy, Debug)]
pub struct Close {
    /// The policies that are said to be alike.
    pub policies: &'static [&'static str],
    /// The policy that is said to be far from them.
    pub reference: &'static str,
    /// At which values of x they are said to be.
    pub extent: Extent,
}

impl Rule for Close {
    fn rule(&self) -> String {
        each(
            "At each value of x, the distance of the reference to the worst of these policies, minus the \
             spread among these policies,",
            self.extent.quorum(),
        )
    }
}

impl Check for Close {
    fn names(&self) -> Names {
        Names::of(&[self.policies, &[self.reference]])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let labels: Vec<String> = self.policies.iter().map(|name| here.label(name)).collect();
        let close = |x: usize| {
            let margin = |r: usize| {
                let group = self.policies.iter().map(|name| here.cost(x, name, r));
                let group: Vec<f64> = group.collect::<Option<_>>()?;
                let (worst, best) = (greatest(&group), least(&group));
                Some((here.cost(x, self.reference, r)? - worst) - (worst - best))
            };
            let what = format!(
                "at {}: distance to {} less the spread of {}",
                here.x[x],
                here.label(self.reference),
                labels.join(", ")
            );
            Evidence::of_leads(what, here.unit(), &here.each_replication(margin))
        };
        Found::by(self.extent.quorum(), here.all_x(close))
    }
}
