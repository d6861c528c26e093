//! The effort of simulating a figure.

/// The number of replications of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Five replications, for a first look.
    Quick,
    /// Twenty replications, which give narrow intervals.
    Full,
}

impl Effort {
    /// Both efforts, the smaller one first.
    pub const ALL: [Effort; 2] = [Effort::Quick, Effort::Full];

    /// The name of the effort.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
        }
    }

    /// The effort of that name; `None` if there is none.
    pub fn named(name: &str) -> Option<Effort> {
        Effort::ALL.into_iter().find(|effort| effort.name() == name)
    }

    /// The number of replications.
    pub fn replications(self) -> u32 {
        match self {
            Effort::Quick => 5,
            Effort::Full => 20,
        }
    }
}
