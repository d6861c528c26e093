//! Experiments with Backfill's simulator: what to run as text, many runs, what came of them and
//! why.
//!
//! Everything that reads or writes text stands here, above the simulator, which knows none:
//! scenarios and their links, logs, results. It is as pure as the simulator: no file, no clock, no
//! thread.
//!
//! - `words`: the English that several sentences need
//! - `logs`: readers and writers of logs and job lists
//! - `expression`: an order of the queue as a formula
//! - `scenario`: keys, grammar, checks, links
//! - `examples`: whole scenarios to begin from
//! - `glossary`: what the names of scenarios and results mean
//! - `composition`: list schedulers that a user composes
//! - `cell`: one of the runs of a scenario
//! - `sweep`: the cells of a scenario and their results
//! - `stored`: results read back
//! - `spread`: how a metric is distributed over jobs
//! - `oversize`: jobs that are larger than the system
//! - `bound`: the least that any schedule could reach
//! - `playback`: what of a system was in use when
//! - `lanes`: who held which slot
//! - `usage`: what jobs got of links that they shared
//! - `side_by_side`: two runs of one system, part by part
//! - `inspect`: questions on one run
//! - `decision`: what a policy weighed when a job started
//! - `explain`: why a job waited
//! - `report`: results as tables, CSV and JSON
//! - `batsim`: a run as the tables that Batsim's tools read
//! - `schema`: what scenarios and results look like, for other programs
//! - `cost`: what the runs of a scenario cost beside each other
//! - `part`: some of the runs of a scenario, written down and put together again
//! - `shell`: words as a shell takes them
//! - `study`: folders that run a scenario on a cluster
//!
//! One scenario from its keys to its digest:
//!
//! ```
//! use backfill_experiment::scenario::Scenario;
//! use backfill_experiment::sweep::{CellRun, Results, cells};
//! use backfill_sim::run::Keep;
//!
//! let keys = [("policy", "fcfs+adaba,easy+adaba"), ("jobs", "50"), ("load", "0.9"), ("reps", "2")];
//! let scenario = Scenario::parse(keys).expect("a valid scenario");
//! let mut results = Results::new(&scenario);
//! for cell in cells(&scenario) {
//!     let run = CellRun::new(&scenario, cell, None, Keep::Metrics).expect("jobs that can be made");
//!     results.add(run.finish().0);
//! }
//! assert_eq!(scenario.runs(), 4);
//! assert!(results.digest().is_some(), "every cell has run");
//! ```

pub mod words;

pub mod logs;

pub mod expression;

pub mod scenario;

pub mod composition;
pub mod examples;
pub mod glossary;

mod cell;

pub mod stored;

pub mod sweep;

pub mod spread;

pub mod oversize;

pub mod bound;

pub mod playback;

pub mod lanes;

pub mod usage;

pub mod side_by_side;

pub mod inspect;

pub mod decision;

pub mod explain;

pub mod report;

pub mod batsim;

pub mod schema;

pub mod cost;

pub mod part;

pub mod shell;

pub mod study;
