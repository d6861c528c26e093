//! What it costs that links are shared: the same jobs with nothing guaranteed, in part and wholly,
//! one after the other in one process.
//!
//! Runs are whole, their metrics included, and each is made again until a second has passed: the
//! best time counts. A word given on the command line chooses the rows whose name contains it.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use backfill_sim::metrics;
use backfill_sim::run::{Keep, Run};
use backfill_tests::logs;
use backfill_tests::timing::{Row, best, first_cell};

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

/// Seconds that a run takes, and the mean stretch of its jobs; nothing where its log is not at hand.
fn time(&(_, log, keys): &Row, policy: &str, guarantee: &str) -> Option<(f64, f64)> {
    let own = [
        ("policy", policy),
        ("reps", "1"),
        ("x", "none"),
        ("guarantee", guarantee),
    ];
    let (setup, jobs) = first_cell(log, &[keys, &own].concat())?;
    let (seconds, finished) = best(|| Run::new(&setup, jobs.clone(), Keep::Metrics));
    let stretch = metrics::position("stretch_mean").expect("a metric");
    Some((seconds, finished.metrics[stretch].expect("jobs ran")))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    for row in ROWS {
        for policy in ["fcfs", "easy", "bgmbf", "none"] {
            let name = format!("{} {policy}", row.0);
            let named = words.iter().any(|word| name.contains(word.as_str()));
            let words = words.iter().any(|word| !word.starts_with("--"));
            if words && !named {
                continue;
            }
            let policy = format!("{policy}+adaba");
            let timed = |guarantee| time(&row, &policy, guarantee);
            let Some((full, _)) = timed("100") else {
                continue;
            };
            print!("{name:<32} 100 %: {full:>8.4} s");
            for guarantee in ["50", "0"] {
                let (seconds, stretch) = timed(guarantee).expect("it was at hand before");
                let times = seconds / full;
                print!(
                    "; {guarantee} %: {seconds:>8.4} s, {times:>5.2} times, stretch {stretch:.3}"
                );
            }
            println!();
        }
    }
}
