use super::rule::{Check, Names, each};
use crate::claim::{Evidence, Found, Quorum, Rule};
use crate::curves::{Curves, slope};

/// The metric of each policy rises more quickly after a value of x than before: the line fitted to
/// it from there on is steeper than that up to there.
#[derive(Clone, Copy, Debug)]
pub struct Steeper {
    /// The policies whose curves are looked at.
    pub policies: &'static [&'static str],
    /// The value of x that it is about.
    pub after: &'static str,
}

impl Rule for Steeper {
    fn rule(&self) -> String {
        let after = self.after;
        each(
            &format!(
                "The slope of the line fitted to each curve from {after} on, less that up to {after},"
            ),
            Quorum::All,
        )
    }
}

impl Check for Steeper {
    fn names(&self) -> Names {
        Names {
            x: vec![self.after],
            ..Names::of(&[self.policies])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let (x, at) = (here.numbers(), here.position(self.after));
        let difference = |policy: &&str| {
            let more = here.by_replication(
                |x, r| here.value(x, policy, r),
                |y| slope(&x[at..], &y[at..]) - slope(&x[..=at], &y[..=at]),
            );
            let what = format!(
                "slope of {} after {} less that before, for 1 of x",
                here.label(policy),
                self.after
            );
            Evidence::of_leads(what, here.unit(), &more)
        };
        Found::all(self.policies.iter().filter_map(difference))
    }
}
