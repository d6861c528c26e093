//! Checks of checks.

use super::rule::{Check, Mentions};
use crate::claim::{Found, Rule};
use crate::curves::Curves;

/// Something is so of another metric than the one that the figure shows.
#[derive(Clone, Copy, Debug)]
pub struct Of {
    /// The name of the other metric.
    pub metric: &'static str,
    /// The check of what is said of it.
    pub check: &'static dyn Check,
}

impl Rule for Of {
    fn rule(&self) -> String {
        self.check.rule()
    }
}

impl Check for Of {
    fn names(&self) -> Mentions {
        Mentions {
            metric: Some(self.metric),
            in_points: false,
            ..self.check.names()
        }
    }

    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found {
        let beside = beside.map(|beside| beside.by(self.metric));
        self.check.judge(&here.by(self.metric), beside.as_ref())
    }
}

/// Something is so from one value of x to another; beyond them nothing is said.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// The first and the last value of x.
    pub x: [&'static str; 2],
    /// The check of what is said of them.
    pub check: &'static dyn Check,
}

impl Rule for Within {
    fn rule(&self) -> String {
        let [from, to] = self.x;
        let rule = self.check.rule();
        if from == to {
            format!("At {from} alone: {rule}")
        } else {
            format!("From {from} to {to} alone: {rule}")
        }
    }
}

impl Check for Within {
    fn names(&self) -> Mentions {
        let mut names = self.check.names();
        names.x.extend(self.x);
        names
    }

    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found {
        let [from, to] = self.x.map(|x| here.position(x));
        let beside = beside.map(|beside| beside.clone().cut(from, to + 1 - from));
        let here = here.clone().cut(from, to + 1 - from);
        self.check.judge(&here, beside.as_ref())
    }
}

/// No correct simulation can refute it.
#[derive(Clone, Copy, Debug)]
pub struct Certain {
    /// What is looked at all the same.
    pub check: &'static dyn Check,
    /// Why that is so: a sentence.
    pub because: &'static str,
}

impl Rule for Certain {
    fn rule(&self) -> String {
        self.because.to_owned()
    }

    fn by_construction(&self) -> bool {
        true
    }
}

impl Check for Certain {
    fn names(&self) -> Mentions {
        self.check.names()
    }

    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found {
        self.check.judge(here, beside)
    }
}
