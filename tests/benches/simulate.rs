//! How fast whole runs are, in jobs a second: the default scenario by policy, jobs on two tiers,
//! and the first 1000 jobs of a real log with every placement in loss mode; and what a pass costs
//! behind a long queue on nodes and on a fat-tree.
//!
//! Every row first checks that two runs have one digest, so that a fast wrong answer is not a win.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{CellRun, Results, cells};
use backfill_sim::job::{Job, sorted};
use backfill_sim::run::{Keep, Run};
use backfill_sim::unit::Kbps;
use backfill_sim::workload::Trace;
use backfill_tests::logs;
use backfill_tests::runs::{job, setup};

fn run(scenario: &Scenario, trace: Option<&Trace>) -> Results {
    let mut results = Results::new(scenario);
    for cell in cells(scenario) {
        let run = CellRun::new(scenario, cell, trace, Keep::Metrics).expect("jobs");
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

/// The cost of an arrival while a job holds `held` of 320 nodes and a queue of jobs with this run
/// time waits, the first of which requests all nodes.
fn behind(policy: &str, held: u32, runtime: u64) {
    let setup = setup(&[("system", "nodes"), ("nodes", "320"), ("policy", policy)]);
    print!("{policy:<18}");
    for waiting in [1_000, 10_000, 100_000] {
        let arrivals = 1000;
        let size = |n: u64| 2 + (n * 7919 % 255) as u32;
        let mut jobs = vec![job(0, held, 10_000_000), job(1, 320, 60)];
        jobs.extend((1..waiting).map(|n| job(1, size(n), runtime)));
        jobs.extend((0..arrivals).map(|n| job(2 + n, size(n), runtime)));
        let mut run = Run::new(&setup, sorted(jobs), Keep::Histories);
        run.advance(1 + waiting);
        let start = Instant::now();
        run.advance(arrivals);
        let micros = start.elapsed().as_secs_f64() * 1e6 / arrivals as f64;
        print!(" {waiting:>7}: {micros:>9.2} µs");
    }
    println!();
}

/// The same on a fat-tree of 1024 servers whose slots are half free: the links of half of the
/// servers are full, and each of the others has room for one machine of the jobs that wait, which
/// have more.
fn behind_on_tree(policy: &str) {
    let policy = format!("{policy}+adaba");
    let setup = setup(&[("k", "16"), ("slots", "8"), ("policy", &policy)]);
    print!("{policy:<18}");
    for waiting in [1_000, 10_000, 100_000] {
        let arrivals = 1000;
        let size = |n: u64| 600 + (n * 7919 % 255) as u32;
        let asking = |mut job: Job, mbps: u64| {
            job.bandwidth = Kbps(mbps * 1000);
            job
        };
        let mut jobs = vec![
            asking(job(0, 4096, 10_000_000), 125),
            asking(job(1, 4097, 60), 0),
        ];
        let wait = |submit, n: u64| asking(job(submit, size(n), 60), 900 + n * 31 % 100);
        jobs.extend((1..waiting).map(|n| wait(1, n)));
        jobs.extend((0..arrivals).map(|n| wait(2 + n, n)));
        let mut run = Run::new(&setup, sorted(jobs), Keep::Histories);
        run.advance(1 + waiting);
        assert_eq!(run.waiting() as u64, waiting, "all but the first wait");
        let start = Instant::now();
        run.advance(arrivals);
        let micros = start.elapsed().as_secs_f64() * 1e6 / arrivals as f64;
        print!(" {waiting:>7}: {micros:>9.2} µs");
    }
    println!();
}

/// The workload of Figure 3 of the paper on consolidation.
const TWO_TIERS: [(&str, &str); 8] = [
    ("system", "nodes"),
    ("nodes", "320"),
    ("tiers", "2"),
    ("bandwidth", "none"),
    ("migration_cost_s", "20"),
    ("jobs", "20000"),
    ("size", "harmonic:1.5:5:256"),
    ("runtime", "hyperexponential:0.8:1000:8500:1"),
];

/// How long a whole figure takes, policy by policy.
fn experiment(policies: &[&str]) {
    let mut all = 0.0;
    for policy in policies {
        let own = [("x", "load:0.5:1.1:0.1"), ("reps", "5"), ("policy", policy)];
        let pairs = TWO_TIERS.into_iter().chain(own);
        let scenario = Scenario::parse(pairs).expect("a valid scenario");
        let cells = cells(&scenario);
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                let run = CellRun::new(&scenario, cell, None, Keep::Metrics).expect("jobs");
                run.finish();
            }
        };
        let start = Instant::now();
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(work);
            }
        });
        let seconds = start.elapsed().as_secs_f64();
        all += seconds;
        println!("{policy:<18} {seconds:>8.1} s");
    }
    println!("all policies       {all:>8.1} s");
}

fn main() {
    println!("default scenario");
    row("all policies", &[], None);
    for policy in ["none+adaba", "fcfs+adaba", "easy+adaba", "bgmbf+adaba"] {
        row(policy, &[("policy", policy)], None);
    }
    println!("two tiers of 320 nodes, 20,000 jobs, load 0.9");
    for policy in ["fcfs", "easy", "cmbf", "ambf", "cmcbf", "amcbf"] {
        let own = [("load", "0.9"), ("reps", "1"), ("policy", policy)];
        row(policy, &[&TWO_TIERS[..], &own].concat(), None);
    }
    println!("one arrival and its pass behind so many waiting jobs on 320 nodes");
    for policy in ["fcfs", "easy", "fpfs", "cmbf", "ambf"] {
        behind(policy, 319, 60);
    }
    println!(
        "the same where half of the nodes are free, but whoever takes them delays the first job"
    );
    behind("easy", 160, 20_000_000);
    println!("the same where every pass finds the value of every waiting job");
    for behind in ["stop", "reserve"] {
        let policy = format!("list(order=-size*(wait/estimate+1),behind={behind})");
        self::behind(&policy, 160, 20_000_000);
    }
    println!("one arrival and its pass behind so many waiting jobs on a fat-tree, k = 16");
    for policy in [
        "fcfs",
        "easy",
        "fpfs",
        "bgmbf",
        "list(order=-size*(wait/estimate+1))",
    ] {
        behind_on_tree(policy);
    }
    println!(
        "Figure 3 of the paper on consolidation: 20,000 jobs at 7 loads, 5 replications, 2 workers"
    );
    experiment(&["fcfs", "easy", "cmbf", "ambf", "cmcbf", "amcbf"]);
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
