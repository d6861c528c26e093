//! How a run is carried out and measured.

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::over_time::CalendarStart;
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
    /// The seed of all random streams.
    pub seed: u64,
    /// Over which jobs metrics of times are taken.
    pub timed: Timed,
    /// Where time 0 lies in the calendar, where a run is measured over it.
    pub calendar: Option<CalendarStart>,
}

choices! {
    /// Over which jobs metrics of times are taken.
    pub enum Timed {
        Own = "own", "All jobs that the policy ran",
            "The statistics of each policy are over the jobs that it ran.",
            "";
        Common = "common", "Jobs that every policy ran",
            "Statistics are over the jobs that all policies of the scenario ran, so that rejecting jobs gives no advantage. Each run then also simulates the other policies.",
            "";
    }
}
