//! What EASY costs on plain nodes: the logs in the folder that `BACKFILL_TRACES` names, and a made
//! log of 300,000 jobs on 93,312 nodes.
//!
//! Where `python3` is at hand, `textbook.py` schedules the same jobs in the same minute; both must
//! start every job at the same instant. Times are those of scheduling alone, without reading.
//! Behind RICC's long queue Python takes minutes.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::rng::Stream;
use backfill_sim::run::{Finished, Keep, Run};
use backfill_sim::unit::{MICROS, Span};
use backfill_sim::workload::trace::LogRow;
use backfill_tests::logs::{self, KTH, RICC};
use backfill_tests::runs::{job, setup};
use backfill_tests::textbook::{InPython, in_python, starts};

/// How often each run is timed.
const ROUNDS: usize = 5;

/// The best of a few timings: what else the machine does only ever makes a run slower.
fn row(name: &str, nodes: u32, jobs: Jobs) {
    let count = nodes.to_string();
    let setup = setup(&[("system", "nodes"), ("nodes", &count), ("policy", "easy")]);
    let run = || {
        let jobs = jobs.clone();
        let start = Instant::now();
        let finished = Run::new(&setup, jobs, Keep::Histories).finish();
        (finished, start.elapsed().as_secs_f64())
    };
    let (Finished { replay, digest, .. }, mut best) = run();
    let starts = starts(&replay.record);
    for _ in 1..ROUNDS {
        best = best.min(run().1);
    }
    print!(
        "{name:<6} {:>7} jobs on {nodes:>6} nodes {:>8.1} ms {:>6.2} µs a job, digest {digest:016x}",
        jobs.len(),
        best * 1000.0,
        best * 1e6 / jobs.len() as f64
    );
    if let Some(InPython {
        starts: same,
        seconds,
    }) = in_python(&jobs, nodes, "easy")
    {
        assert!(starts == same, "{name}: other starts in Python");
        print!(", Python {seconds:>7.2} s, × {:.1}", seconds / best);
    }
    println!();
}

fn logged(name: &str) -> Option<Jobs> {
    let rows = logs::trace(name)?.rows;
    let job = |row: &LogRow| Job {
        submit: row.submit,
        runtime: row.runtime,
        estimate: if row.estimate == Span(0) {
            row.runtime
        } else {
            row.estimate
        },
        ..job(0, row.size, 0)
    };
    Some(sorted(rows.iter().map(job).collect()))
}

/// Jobs as large clusters have them: single nodes, powers of two, and multiples of 16; estimates of
/// a few round values; in bursts, for 0.9 of the nodes.
fn made(count: u64) -> Jobs {
    let mut submit = 0;
    let job = |number| {
        let mut draw = Stream::new(1, 0, "made log", number);
        submit += if draw.below(8) == 0 {
            draw.below(16 * 85)
        } else {
            0
        };
        let size = match draw.below(8) {
            0 | 1 => 1,
            2..5 => 1 << draw.below(14),
            _ => 16 * (1 + draw.below(64)),
        };
        let minutes = [10, 30, 60, 120, 240, 480, 720, 1440][draw.below(8) as usize];
        Job {
            estimate: Span(60 * minutes * MICROS),
            ..job(submit, size as u32, 1 + draw.below(60 * minutes))
        }
    };
    sorted((0..count).map(job).collect())
}

fn main() {
    for (name, log, nodes) in [("KTH", KTH, 100), ("RICC", RICC, 8192)] {
        if let Some(jobs) = logged(log) {
            row(name, nodes, jobs);
        }
    }
    row("made", 93_312, made(300_000));
}
