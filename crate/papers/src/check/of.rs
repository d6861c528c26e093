use super::rule::{Check, Names};
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
    fn names(&self) -> Names {
        Names {
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
