//! How long whole runs take, for benches.

use std::time::Instant;

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{cells, parts};
use backfill_sim::job::Jobs;
use backfill_sim::run::{Finished, Run};
use backfill_sim::setup::Setup;

use crate::logs;

/// A row of a bench: its name, the log that its jobs come from, if they come from one, and keys.
pub type Row = (
    &'static str,
    Option<&'static str>,
    &'static [(&'static str, &'static str)],
);

/// What the first cell of a scenario simulates, its jobs from `log` where there is one; nothing
/// where that log is not at hand.
///
/// # Panics
/// The keys are no valid scenario, or it has no jobs.
pub fn first_cell(log: Option<&str>, keys: &[(&str, &str)]) -> Option<(Setup, Jobs)> {
    let trace = match log {
        Some(log) => Some(logs::trace(log)?),
        None => None,
    };
    let source = log.map(|_| ("workload", "swf"));
    let scenario = Scenario::parse(keys.iter().copied().chain(source)).expect("a valid scenario");
    let made = parts(&scenario, cells(&scenario)[0], trace.as_ref());
    Some(made.expect("jobs"))
}

/// The seconds that a run takes, the best of those within a second, and what came of it: what else
/// the machine does only ever makes a run slower.
///
/// # Panics
/// Two runs have different digests.
pub fn best(run: impl Fn() -> Run) -> (f64, Finished) {
    let (mut best, mut left) = (f64::INFINITY, 1.0);
    let mut digest = None;
    loop {
        let run = run();
        let start = Instant::now();
        let finished = run.finish();
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(*digest.get_or_insert(finished.digest), finished.digest);
        best = best.min(seconds);
        left -= seconds.max(0.001);
        if left <= 0.0 {
            return (best, finished);
        }
    }
}
