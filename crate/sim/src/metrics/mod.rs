//! What is measured of a run: one table of metrics, each with its unit, formula and source.
//!
//! Job metrics are over the jobs that ran; warm-up and cool-down jobs are left out of them. Metrics
//! of slots and links are over the whole time from the first submit to the last completion.
//!
//! Sources: paper 1, Eq. 1 and 2; D. Feitelson, L. Rudolph, U. Schwiegelshohn, K. Sevcik, P. Wong,
//! "Theory and practice in parallel job scheduling", JSSPP 1997 (bounded slowdown). Departure: Eq.
//! 2 divides by an end time, which must mean the runtime; Eq. 1 is called response time there and
//! is the wait time.
//!
//! - `options`: how a run is measured
//! - `measured`: what metrics are computed from
//! - `table`: the metrics
//! - `tally`: the jobs counted one after the other

mod measured;
mod options;
mod table;
mod tally;

pub use options::{RunOptions, Timed};
pub use table::{
    ACCEPT_POSSIBLE, ACCEPT_RATE, Better, INFEASIBLE, LEFT, METRICS, Metric, OVERSIZE, UNPLACEABLE,
    position,
};
pub use tally::{Machine, bounded_slowdown, waits};
pub(crate) use tally::{Tally, evaluate};
