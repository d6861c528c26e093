//! Experiments with Backfill's simulator: what to run as text, many runs, what came of them and why.
//!
//! Everything that reads or writes text stands here, above the simulator, which knows none: scenarios
//! and their links, logs, results. It is as pure as the simulator: no file, no clock, no thread.
//!
//! - `words`: the English that several sentences need
//! - `logs`: readers and writers of logs and job lists
//! - `scenario`: keys, grammar, checks, links
//! - `cell`: one of the runs of a scenario
//! - `sweep`: the cells of a scenario and their results
//! - `stored`: results read back
//! - `spread`: how a metric is distributed over jobs
//! - `oversize`: jobs that are larger than the system
//! - `bound`: the least that any schedule could reach
//! - `playback`: what of a system was in use when
//! - `lanes`: who held which slot
//! - `side_by_side`: two runs of one system, part by part
//! - `inspect`: questions on one run
//! - `decision`: what a policy weighed when a job started
//! - `explain`: why a job waited
//! - `report`: results as tables, CSV and JSON

pub mod words;

pub mod logs;

pub mod scenario;

mod cell;

pub mod stored;

pub mod sweep;

pub mod spread;

pub mod oversize;

pub mod bound;

pub mod playback;

pub mod lanes;

pub mod side_by_side;

pub mod inspect;

pub mod decision;

pub mod explain;

pub mod report;
