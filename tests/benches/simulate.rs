//! How fast whole runs are, in jobs a second: the default scenario by policy, and the first 1000
//! jobs of a real log with every placement in loss mode.
//!
//! Every row first checks that two runs have one digest, so that a fast wrong answer is not a win.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use backfill_sim::scenario::Scenario;
use backfill_sim::sweep::{CellRun, Results, cells};
use backfill_sim::workload::Trace;
use backfill_tests::logs;

fn run(scenario: &Scenario, trace: Option<&Trace>) -> Results {
    let mut results = Results::new(scenario);
    for cell in cells(scenario) {
        let run = CellRun::new(scenario, cell, trace, false).expect("jobs");
        results.add(run.finish().0);
    }
    results
}

/// The best of a few timings: what else the machine does only ever makes a run slower.
fn row(name: &str, pairs: &[(&str, &str)], trace: Option<&Trace>) {
    let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
    let digest = run(&scenario, trace).digest();
    let mut best = f64::INFINITY;
    let mut jobs = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let results = run(&scenario, trace);
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(results.digest(), digest, "{name}");
        jobs = results.outcomes().map(|outcome| outcome.jobs).sum();
    }
    println!(
        "{name:<18} {jobs:>6} jobs {:>8.1} ms {:>9.0} jobs/s  digest {}",
        best * 1000.0,
        jobs as f64 / best,
        digest.expect("every cell is done")
    );
}

fn main() {
    println!("default scenario");
    row("all policies", &[], None);
    for policy in ["none+adaba", "fcfs+adaba", "easy+adaba", "bgmbf+adaba"] {
        row(policy, &[("policy", policy)], None);
    }
    let Some(trace) = logs::trace(logs::KTH) else {
        return;
    };
    println!("KTH-SP2, first 1000 jobs, loss mode, load 0.5");
    for placement in ["adaba", "best-fit", "first-fit", "oktopus", "greedy"] {
        let policy = format!("none+{placement}");
        let pairs = [
            ("workload", "swf"),
            ("first", "1000"),
            ("load", "0.5"),
            ("policy", &policy),
        ];
        row(&policy, &pairs, Some(&trace));
    }
}
