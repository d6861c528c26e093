use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::Curves;

/// The line fitted to the metric of each policy falls with x.
#[derive(Clone, Copy, Debug)]
pub struct Falls {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

/// The line fitted to the metric of each policy rises with x.
#[derive(Clone, Copy, Debug)]
pub struct Rises {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
}

impl Rule for Falls {
    fn rule(&self) -> String {
        each(
            "The fall with x of the line fitted to each curve",
            Quorum::All,
        )
    }
}

impl Rule for Rises {
    fn rule(&self) -> String {
        each(
            "The rise with x of the line fitted to each curve",
            Quorum::All,
        )
    }
}

impl Check for Falls {
    fn names(&self) -> Names {
        Names::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        by_line(here, "fall", -1.0, self.policies)
    }
}

impl Check for Rises {
    fn names(&self) -> Names {
        Names::of(&[self.policies])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        by_line(here, "rise", 1.0, self.policies)
    }
}

/// Whether the line fitted to the metric of each policy rises, or falls where `sign` is negative.
fn by_line(here: &Curves<'_>, what: &str, sign: f64, policies: &[&str]) -> Found {
    let line = |policy: &&str| {
        let rises = here.rises(|x, r| Some(sign * here.value(x, policy, r)?));
        let what = format!("{what} of {} {}", here.label(policy), here.reach());
        Evidence::of_leads(what, here.unit(), &rises)
    };
    Found::all(policies.iter().filter_map(line))
}
