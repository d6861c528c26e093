//! What is measured of a run: one table of metrics, each with its unit, formula and source.
//!
//! Job metrics are over the jobs that ran; warm-up and cool-down jobs are left out of them. Metrics
//! of slots and links are over the whole time from the first submit to the last completion.
//!
//! Sources: paper 1, Eq. 1 and 2; D. Feitelson, L. Rudolph, U. Schwiegelshohn, K. Sevcik, P. Wong,
//! "Theory and practice in parallel job scheduling", JSSPP 1997 (bounded slowdown). Departure: Eq.
//! 2 divides by an end time, which must mean the runtime; Eq. 1 is called response time there and
//! is the waiting time.
//!
//! - `table`: the metrics
//! - `tally`: what they are computed from

mod table;
mod tally;

use crate::choice::choices;
use crate::decimal::Decimal;
use crate::unit::Span;

pub use table::{
    ACCEPT_POSSIBLE, ACCEPT_RATE, Better, INFEASIBLE, METRICS, Metric, OVERSIZE, UNPLACEABLE,
    position,
};
pub use tally::{Machine, bounded_slowdown, waits};
pub(crate) use tally::{Tally, evaluate};

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
