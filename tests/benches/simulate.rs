//! How fast whole runs are, in jobs a second: the default scenario by policy, jobs on two tiers, and the
//! first 1000 jobs of a real log with every placement in loss mode; and what a pass costs behind
//! a long queue on nodes.
//!
//! Every row first checks that two runs have one digest, so that a fast wrong answer is not a win.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use backfill_sim::job::sorted;
use backfill_sim::run::Run;
use backfill_sim::scenario::Scenario;
use backfill_sim::sweep::{CellRun, Results, cells};
use backfill_sim::workload::Trace;
use backfill_tests::logs;
use backfill_tests::runs::{job, setup};

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

/// What an arrival costs while a job holds all nodes but one, and so many jobs wait.
fn behind(policy: &str, waiting: &[u64]) {
    let setup = setup(&[("system", "nodes"), ("nodes", "320"), ("policy", policy)]);
    print!("{policy:<18}");
    for &waiting in waiting {
        let arrivals = 1000;
        let mut jobs = vec![job(0, 319, 10_000_000)];
        jobs.extend((0..waiting).map(|n| job(1, 2 + (n * 7919 % 255) as u32, 60)));
        jobs.extend((0..arrivals).map(|n| job(2 + n, 2 + (n * 7919 % 255) as u32, 60)));
        let mut run = Run::new(&setup, sorted(jobs), false);
        run.advance(1 + waiting);
        let start = Instant::now();
        run.advance(arrivals);
        let micros = start.elapsed().as_secs_f64() * 1e6 / arrivals as f64;
        print!(" {waiting:>7}: {micros:>9.2} µs");
    }
    println!();
}

fn main() {
    println!("default scenario");
    row("all policies", &[], None);
    for policy in ["none+adaba", "fcfs+adaba", "easy+adaba", "bgmbf+adaba"] {
        row(policy, &[("policy", policy)], None);
    }
    println!("two tiers of 320 nodes, 20,000 jobs, load 0.9");
    for policy in ["fcfs", "easy", "cmbf", "ambf", "cmcbf", "amcbf"] {
        let pairs = [
            ("system", "nodes"),
            ("nodes", "320"),
            ("tiers", "2"),
            ("bandwidth", "none"),
            ("migration_cost_s", "20"),
            ("jobs", "20000"),
            ("size", "harmonic:1.5:5:256"),
            ("runtime", "hyperexponential:0.8:1000:8500:1"),
            ("load", "0.9"),
            ("reps", "1"),
            ("policy", policy),
        ];
        row(policy, &pairs, None);
    }
    println!("one arrival and its pass behind so many waiting jobs on 320 nodes");
    for policy in ["fcfs", "easy", "cmbf", "ambf"] {
        behind(policy, &[1_000, 10_000, 100_000]);
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
