//! Looking into one finished run: what happened when, and why.
//!
//! - `inspection`: numbers over time and the instants of one run
//! - `job_table`: its jobs, sorted and filtered
//! - `playback`: what of a system was in use when
//! - `lanes`: who held which slot
//! - `sums`: amounts that are held for a time, summed over time
//! - `usage`: what jobs got of links that they shared
//! - `side_by_side`: two runs of one system, part by part
//! - `decision`: what a policy weighed when a job started
//! - `explain`: why a job waited
//! - `pass`: a scheduling pass step by step, and where passes are

pub mod decision;
pub mod explain;
pub mod inspection;
pub mod job_table;
pub mod lanes;
pub mod pass;
pub mod playback;
pub mod side_by_side;
mod sums;
pub mod usage;
