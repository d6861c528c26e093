use super::rule::{Check, Extent, Names, each};
use crate::claim::{Found, Rule, Side};
use crate::curves::Curves;

/// Each of these policies leads each of those.
#[derive(Clone, Copy, Debug)]
pub struct Better {
    /// The policies that are said to be better.
    pub policies: &'static [&'static str],
    /// The policies that are said to be worse.
    pub than: &'static [&'static str],
    /// At which values of x they are said to be.
    pub extent: Extent,
}

impl Rule for Better {
    fn rule(&self) -> String {
        let turned = match self.extent {
            Extent::AllBut(x) => format!(", that at {x} turned around,"),
            _ => String::new(),
        };
        let subject = format!("The least lead at each value of x{turned}");
        each(&subject, self.extent.quorum())
    }
}

impl Check for Better {
    fn names(&self) -> Names {
        Names {
            x: match self.extent {
                Extent::AllBut(x) => vec![x],
                _ => Vec::new(),
            },
            ..Names::of(&[self.policies, self.than])
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
