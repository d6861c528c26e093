//! The runs of a scenario, and what is said before and after them.
//!
//! - `cell`: one of the runs of a scenario
//! - `sweep`: the cells of a scenario and their results
//! - `stored`: results read back
//! - `answer`: what came of them, in numbers and sentences
//! - `spread`: how a metric is distributed over jobs
//! - `oversize`: jobs that are larger than the system
//! - `bound`: the least that any schedule could reach
//! - `cost`: what the runs of a scenario cost beside each other
//! - `part`: some of the runs of a scenario, written down and put together again

pub mod answer;
pub mod bound;
mod cell;
pub mod cost;
pub mod oversize;
pub mod part;
pub mod spread;
pub mod stored;
pub mod sweep;
