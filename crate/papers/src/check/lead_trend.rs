use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::Curves;

/// The line fitted to the policy's lead over each of the others rises with x.
#[derive(Clone, Copy, Debug)]
pub struct LeadGrows {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policies that it is compared with.
    pub than: &'static [&'static str],
}

/// The line fitted to the policy's lead over each of the others falls with x.
#[derive(Clone, Copy, Debug)]
pub struct LeadShrinks {
    /// The policy that is said to lead.
    pub policy: &'static str,
    /// The policies that it is compared with.
    pub than: &'static [&'static str],
}

impl Rule for LeadGrows {
    fn rule(&self) -> String {
        each(
            "The rise with x of the line fitted to each lead",
            Quorum::All,
        )
    }
}

impl Rule for LeadShrinks {
    fn rule(&self) -> String {
        each(
            "The fall with x of the line fitted to each lead",
            Quorum::All,
        )
    }
}

impl Check for LeadGrows {
    fn names(&self) -> Names {
        Names::of(&[&[self.policy], self.than])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        by_line(here, "growth", 1.0, self.policy, self.than)
    }
}

impl Check for LeadShrinks {
    fn names(&self) -> Names {
        Names::of(&[&[self.policy], self.than])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        by_line(here, "fall", -1.0, self.policy, self.than)
    }
}

/// Whether the line fitted to the lead over each of the others rises, or falls where `sign` is
/// negative.
fn by_line(
    here: &Curves<'_>,
    what: &str,
    sign: f64,
    policy: &'static str,
    than: &'static [&'static str],
) -> Found {
    let line = |than: &&str| {
        let lead = |x, r| Some(sign * (here.cost(x, than, r)? - here.cost(x, policy, r)?));
        let what = format!(
            "{what} of the lead of {} over {} {}",
            here.label(policy),
            here.label(than),
            here.reach()
        );
        Evidence::of_leads(what, here.unit(), &here.rises(lead))
    };
    Found::all(than.iter().filter_map(line))
}
