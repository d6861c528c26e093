//! What it costs that links are shared: the same jobs with nothing guaranteed, in part and wholly,
//! one after the other in one process.
//!
//! Runs are whole, their metrics included, and each is made again until a second has passed: the
//! best time counts. A word given on the command line chooses the rows whose name contains it.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use backfill_experiment::scenario::Scenario;
use backfill_experiment::sweep::{cells, parts};
use backfill_sim::metrics;
use backfill_sim::run::{Keep, Run};
use backfill_sim::workload::Trace;
use backfill_tests::logs;

/// One row: a name, the log if it needs one, and the keys.
type Row = (
    &'static str,
    Option<&'static str>,
    &'static [(&'static str, &'static str)],
);

const ROWS: [Row; 4] = [
    ("default, k = 6", None, &[("load", "0.9")]),
    ("KTH, k = 6", Some(logs::KTH), &[("load", "0.8")]),
    (
        "RICC 20,000, k = 16",
        Some(logs::RICC),
        &[("k", "16"), ("load", "0.8"), ("first", "20000")],
    ),
    (
        "generated 20,000, k = 16",
        None,
        &[("k", "16"), ("load", "0.9"), ("jobs", "20000")],
    ),
];

/// Seconds that a run takes, and the mean stretch of its jobs.
fn time(keys: &[(&str, &str)], trace: Option<&Trace>, policy: &str, guarantee: &str) -> (f64, f64) {
    let own = [
        ("policy", policy),
        ("reps", "1"),
        ("x", "none"),
        ("guarantee", guarantee),
    ];
    let source = trace.map(|_| ("workload", "swf"));
    let pairs = keys.iter().copied().chain(own).chain(source);
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    let cell = cells(&scenario)[0];
    let (setup, jobs) = parts(&scenario, cell, trace).expect("jobs");
    let (mut best, mut left) = (f64::INFINITY, 1.0);
    let mut digest = None;
    loop {
        let run = Run::new(&setup, jobs.clone(), Keep::Metrics);
        let start = Instant::now();
        let finished = run.finish();
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(*digest.get_or_insert(finished.digest), finished.digest);
        best = best.min(seconds);
        left -= seconds.max(0.001);
        if left <= 0.0 {
            let stretch = metrics::position("stretch_mean").expect("a metric");
            return (best, finished.metrics[stretch].expect("jobs ran"));
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    for (name, log, keys) in ROWS {
        for policy in ["fcfs", "easy", "bgmbf", "none"] {
            let name = format!("{name} {policy}");
            let named = words.iter().any(|word| name.contains(word.as_str()));
            let words = words.iter().any(|word| !word.starts_with("--"));
            if words && !named {
                continue;
            }
            let trace: Option<Trace> = match log {
                Some(log) => match logs::trace(log) {
                    Some(trace) => Some(trace),
                    None => continue,
                },
                None => None,
            };
            let policy = format!("{policy}+adaba");
            let timed = |guarantee| time(keys, trace.as_ref(), &policy, guarantee);
            let (full, _) = timed("100");
            print!("{name:<32} 100 %: {full:>8.4} s");
            for guarantee in ["50", "0"] {
                let (seconds, stretch) = timed(guarantee);
                let times = seconds / full;
                print!(
                    "; {guarantee} %: {seconds:>8.4} s, {times:>5.2} times, stretch {stretch:.3}"
                );
            }
            println!();
        }
    }
}
