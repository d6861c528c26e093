//! How a run is carried out and measured.

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::unit::Span;

/// How a run is carried out and measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// What a preempted job pays, holding its slots, before it goes on.
    pub migration_cost: Span,
    /// The runtime below which bounded slowdown counts a job as this long (Γ in the paper).
    pub gamma: Span,
    /// Whether bounded slowdown is at least 1.
    pub floor_one: bool,
    /// Share of the first arrivals that the metrics leave out.
    pub warmup: Decimal,
    /// Share of the jobs ending after the last arrival that the metrics leave out.
    pub cooldown: Decimal,
    /// The number from which every random stream starts.
    pub seed: u64,
    /// Over which jobs metrics of times are taken.
    pub timed: Timed,
}

choices! {
    /// Over which jobs metrics of times are taken.
    pub enum Timed {
        Own = "own", "Those the policy runs",
            "Each policy's waits and slowdowns are over the jobs that it runs.",
            "";
        Common = "common", "Those every policy runs",
            "They are over the jobs that all policies of the scenario run, so that no policy looks better for turning the hard ones away. Each run then also runs the other policies.",
            "";
    }
}
