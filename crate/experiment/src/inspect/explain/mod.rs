//! Why a job was refused, or why it waits at an instant.
//!
//! [`explain`] runs the jobs again up to the instant that decides and looks around there. A job
//! without a queue is looked at as it is tried: completions of the instant done, earlier arrivals
//! of it tried. A waiting job is looked at after the last scheduling pass up to the chosen instant.
//!
//! Every [`Statement`] is a fact about that state, which the exact test can check again; the
//! sentences of [`Explanation`]'s `Display` say the statements and nothing else. Where reservations
//! are tested as printed, or servers are not known to hide traffic, no exact test exists, and only
//! what the placement did is said.
//!
//! A set of links is *in the way* where the job would fit if nothing were reserved on them, and
//! would not if any one of them kept what it has. There are several such sets as a rule; the one
//! given keeps the emptiest links out of it.
//!
//! - `facts`: what can be said of a job
//! - `watch`: the run that finds it out
//! - `words`: the sentences
//! - `parts`: those on a job that may not be spread over the parts of a system
//! - `list`: counts and lists in them

mod facts;
mod list;
mod parts;
mod watch;
mod words;

pub use backfill_sim::system::describe::InTheWay;
pub use facts::{Explanation, Possible, SlowedDuring, Statement, longest};
pub use watch::{explain, unexplained};
