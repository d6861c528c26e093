//! Orders of policies.

use super::rule::{Check, Extent, Mentions, each};
use crate::claim::{Evidence, Found, Judgement, Quorum, Rule, Side};
use crate::curves::{Curves, greatest, least, strongest, weakest};

/// Each of these policies leads each of those.
#[derive(Clone, Copy, Debug)]
pub struct Leads {
    /// The policies that are said to be better.
    pub policies: &'static [&'static str],
    /// The policies that are said to be worse.
    pub than: &'static [&'static str],
    /// At which values of x they are said to be.
    pub extent: Extent,
}

impl Rule for Leads {
    fn rule(&self) -> String {
        let turned = match self.extent {
            Extent::AllBut(x) => format!(", that at {x} turned around,"),
            _ => String::new(),
        };
        let subject = format!("The least lead at each value of x{turned}");
        each(&subject, self.extent.quorum())
    }
}

impl Check for Leads {
    fn names(&self) -> Mentions {
        Mentions {
            x: match self.extent {
                Extent::AllBut(x) => vec![x],
                _ => Vec::new(),
            },
            ..Mentions::of(&[self.policies, self.than])
        }
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let mut evidence = here.all_x(|x| here.weakest(x, self.policies, self.than));
        if let Extent::AllBut(exception) = self.extent {
            let side = &mut evidence[here.position(exception)].side;
            *side = match *side {
                Side::For | Side::Equal => Side::Against,
                Side::Against => Side::For,
                Side::Open => Side::Open,
            };
        }
        Found::by(self.extent.quorum(), evidence)
    }
}

/// One of these policies leads each of those; a tie is no lead.
#[derive(Clone, Copy, Debug)]
pub struct OneLeads {
    /// The policies of which one is said to be better.
    pub policies: &'static [&'static str],
    /// The policies that are said to be worse.
    pub than: &'static [&'static str],
}

impl Rule for OneLeads {
    fn rule(&self) -> String {
        each(
            "At each value of x, the smallest lead over the others of the policy that leads most clearly (a \
             tie is no lead)",
            Quorum::All,
        )
    }
}

impl Check for OneLeads {
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies, self.than])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let evidence = here.all_x(|x| {
            let policies = self.policies.iter();
            strongest(policies.filter_map(|policy| {
                let others = self.than.iter();
                weakest(others.filter_map(|than| here.lead(x, policy, than).map(no_tie)))
            }))
        });
        Found::all(evidence)
    }
}

/// What a lead says where a tie is none.
fn no_tie(lead: Evidence) -> Evidence {
    Evidence {
        side: match lead.side {
            Side::Equal => Side::Against,
            side => side,
        },
        ..lead
    }
}

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
    fn names(&self) -> Mentions {
        Mentions::of(&[&[self.policy, self.than]])
    }

    fn judge(&self, here: &Curves<'_>, _: Option<&Curves<'_>>) -> Found {
        let evidence = here.all_x(|x| here.lead(x, self.policy, self.than));
        Found::by(Quorum::NoneAgainst, evidence)
    }
}

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
    fn names(&self) -> Mentions {
        Mentions::of(&[&[self.policy, self.than]])
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
    fn names(&self) -> Mentions {
        Mentions::of(&[self.policies, &[self.reference]])
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
    fn names(&self) -> Mentions {
        Mentions {
            x: vec![self.x],
            ..Mentions::of(&[&[self.policy]])
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
