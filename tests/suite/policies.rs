//! When jobs start, against published numbers and plain references.

use backfill_experiment::study::sweep::CellRun;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Keep, Replay};
use backfill_sim::unit::MICROS;
use backfill_sim::workload::Trace;
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
