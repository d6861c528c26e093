use super::rule::{Check, Names};
use crate::claim::{Found, Rule};
use crate::curves::Curves;

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
    fn names(&self) -> Names {
        self.check.names()
    }

    fn judge(&self, here: &Curves<'_>, beside: Option<&Curves<'_>>) -> Found {
        self.check.judge(here, beside)
    }
}
