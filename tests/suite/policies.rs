//! When jobs start, against published numbers and plain references.

use std::sync::Arc;

use backfill_experiment::study::sweep::CellRun;
use backfill_sim::metrics::position;
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::run::{Keep, Replay};
use backfill_sim::unit::{MICROS, Span};
use backfill_sim::workload::Trace;
use backfill_sim::workload::recorded::most_in_use;
use backfill_tests::logs;
use backfill_tests::runs::{one_point, results};
use backfill_tests::textbook::{in_python, starts};

/// The only run of a scenario over a trace.
fn replay(pairs: &[(&str, &str)], trace: Option<&Trace>) -> Replay {
    let (scenario, cell) = one_point(pairs);
    let run = CellRun::new(&scenario, cell, trace, Keep::Histories).expect("jobs");
    run.finish().1
}

#[test]
fn a_scenario_run_twice_has_one_digest() {
    let pairs = [("jobs", "200"), ("reps", "2")];
    let first = results(&pairs);
    assert_eq!(first.progress(), (32, 32));
    assert_eq!(first.digest(), results(&pairs).digest());
    let other_seed = [pairs[0], pairs[1], ("seed", "43")];
    assert_ne!(first.digest(), results(&other_seed).digest());
}

/// A whole log as it was, on nodes.
fn whole_log(trace: &Trace, nodes: &str, estimate: &str, policy: &str) -> Replay {
    let pairs = [
        ("system", "nodes"),
        ("nodes", nodes),
        ("workload", "swf"),
        ("load", "as-logged"),
        ("estimate", estimate),
        ("policy", policy),
    ];
    replay(&pairs, Some(trace))
}

/// Sum of start times in whole seconds, and jobs that start on arrival.
fn start_checksum(replay: &Replay) -> (u64, usize) {
    let starts = replay.jobs.iter_enumerated().map(|(id, job)| {
        let Outcome::Ran { start, .. } = replay.record.histories[id].outcome else {
            panic!("{id} did not run");
        };
        assert_eq!(start.0 % MICROS, 0);
        (start.0 / MICROS, start == job.submit)
    });
    starts.fold((0, 0), |(sum, at_once), (start, on_arrival)| {
        (sum + start, at_once + usize::from(on_arrival))
    })
}

/// The sums were computed by an independent simulator of the textbook definitions over the logs
/// with these hashes.
#[test]
fn fcfs_and_easy_start_the_jobs_of_real_logs_when_the_textbook_says() {
    for (log, nodes, estimate, policy, expected) in [
        (logs::KTH, "100", "kill", "fcfs", 442_991_402_686),
        (logs::KTH, "100", "kill", "easy", 433_102_640_434),
        (logs::NASA, "128", "exact", "fcfs", 72_500_278_608),
        (logs::NASA, "128", "exact", "easy", 72_500_206_079),
    ] {
        let Some(trace) = logs::trace(log) else {
            return;
        };
        let run = whole_log(&trace, nodes, estimate, policy);
        let (sum, at_once) = start_checksum(&run);
        assert_eq!(sum, expected, "{policy}");
        if (nodes, policy) == ("100", "easy") {
            assert_eq!(at_once, 15_257);
        }
    }
}

#[test]
fn fcfs_and_easy_start_the_jobs_of_a_made_log_when_a_program_in_python_does() {
    let trace = logs::made(5_000);
    for estimate in ["kill", "exact", "keep"] {
        for policy in ["fcfs", "easy"] {
            let run = whole_log(&trace, "100", estimate, policy);
            let Some(python) = in_python(&run.jobs, 100, policy) else {
                return;
            };
            assert!(starts(&run.record) == python.starts, "{policy}, {estimate}");
            let waited = run.jobs.iter().zip(&python.starts);
            let waited = waited.filter(|(job, start)| **start > job.submit.0 as i64);
            assert!(
                waited.count() > 1_000,
                "{policy}, {estimate}: hardly a job waits"
            );
        }
    }
}

/// A log under what its own scheduler did, on its own machine.
fn as_recorded(trace: &Trace) -> Replay {
    let pairs = [
        ("system", "nodes"),
        ("machine", "log"),
        ("workload", "swf"),
        ("load", "as-logged"),
        ("estimate", "extend"),
        ("policy", "recorded"),
    ];
    replay(&pairs, Some(trace))
}

#[test]
fn as_recorded_jobs_start_when_the_log_says_on_no_more_than_its_machine() {
    let mut made = logs::made(3_000);
    let mut waits = Stream::new(7, 0, "waits", 0);
    for row in Arc::make_mut(&mut made.rows) {
        row.wait = Some(Span(waits.below(5_000) * MICROS)).into();
    }
    made.machine = most_in_use(&made.rows).expect("waits are known");
    for trace in [Some(made), logs::trace(logs::KTH)].into_iter().flatten() {
        let run = as_recorded(&trace);
        let mut waited = 0.0;
        for (id, row) in run.jobs.ids().zip(trace.rows.iter()) {
            let start = row.start().expect("it is known");
            let end = start + row.runtime;
            assert_eq!(
                run.record.histories[id].outcome,
                Outcome::Ran { start, end }
            );
            waited += (start - row.submit).seconds();
        }
        let (scenario, cell) = one_point(&[
            ("system", "nodes"),
            ("machine", "log"),
            ("workload", "swf"),
            ("load", "as-logged"),
            ("policy", "recorded"),
        ]);
        let run = CellRun::new(&scenario, cell, Some(&trace), Keep::Metrics).expect("jobs");
        let metric = position("wait_mean").expect("a metric");
        let mean = run.finish().0.metrics[metric].expect("jobs ran");
        let plain = waited / trace.rows.len() as f64;
        assert!((mean - plain).abs() < 1e-6 * plain, "{mean} {plain}");
    }
}

#[test]
fn a_job_whose_start_is_unknown_is_left_out_as_recorded() {
    let mut trace = logs::made(100);
    for (at, row) in Arc::make_mut(&mut trace.rows).iter_mut().enumerate() {
        row.wait = (at > 0).then_some(Span(1)).into();
    }
    trace.machine = most_in_use(&trace.rows).expect("waits are known");
    let run = as_recorded(&trace);
    let ran = run
        .record
        .histories
        .iter()
        .filter(|history| history.outcome.end().is_some());
    assert_eq!(ran.count(), 99);
}
