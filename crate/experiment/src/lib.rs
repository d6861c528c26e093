//! Experiments with Backfill's simulator: what to run as text, many runs, what came of them and
//! why.
//!
//! Everything that reads or writes text stands here, above the simulator, which knows none:
//! scenarios and their links, logs, results. It is as pure as the simulator: no file, no clock, no
//! thread.
//!
//! - `language`: scenarios, formulas and links as text, and what their names mean
//! - `study`: the runs of a scenario, what came of them and what is said of it
//! - `inspect`: looking into one run
//! - `files`: logs, results and tables, read and written
//! - `forecast`: when a job would start that is submitted now
//!
//! One scenario from its keys to its digest:
//!
//! ```
//! use backfill_experiment::language::scenario::Scenario;
//! use backfill_experiment::study::sweep::{CellRun, Results, cells};
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

pub mod files;
pub mod forecast;
pub mod inspect;
pub mod language;
pub mod study;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
