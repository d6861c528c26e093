//! Queue policies on a few jobs each, worked by hand. Jobs are (submit, size, runtime) on plain
//! nodes, expected are (first start, end, migrations), all times in seconds.

use backfill_experiment::files::logs::TraceReader;
use backfill_sim::job::{Job, sorted};
use backfill_sim::record::Outcome;
use backfill_sim::unit::{Kbps, MICROS, Span};
use backfill_sim::workload::{self, Format};
use backfill_tests::logs;
use backfill_tests::runs::{finish, job, outcomes_of, setup};

/// Start, end and migrations of each job; nothing for one that did not run.
fn outcome(policy: &str, nodes: &str, jobs: Vec<Job>) -> Vec<Option<(u64, u64, u32)>> {
    let setup = setup(&[("system", "nodes"), ("nodes", nodes), ("policy", policy)]);
    let replay = finish(&setup, &sorted(jobs)).replay;
    let outcomes = outcomes_of(&replay.record);
    let outcome = outcomes
        .iter_enumerated()
        .map(|(id, outcome)| match *outcome {
            Outcome::Ran { start, end } => {
                assert_eq!((start.0 % MICROS, end.0 % MICROS), (0, 0), "whole seconds");
                let migrations = replay.record.histories[id].migrations;
                Some((start.0 / MICROS, end.0 / MICROS, migrations))
            }
            _ => None,
        });
    outcome.collect()
}

fn check(policy: &str, nodes: &str, jobs: &[(u64, u32, u64)], expected: &[(u64, u64, u32)]) {
    let jobs = jobs
        .iter()
        .map(|&(submit, size, runtime)| job(submit, size, runtime));
    let expected: Vec<_> = expected.iter().copied().map(Some).collect();
    assert_eq!(outcome(policy, nodes, jobs.collect()), expected, "{policy}");
}

/// The same with (submit, size, runtime, estimate).
fn check_estimated(
    policy: &str,
    nodes: &str,
    jobs: &[(u64, u32, u64, u64)],
    expected: &[(u64, u64, u32)],
) {
    let estimated = |&(submit, size, runtime, estimate): &(u64, u32, u64, u64)| Job {
        estimate: Span(estimate * MICROS),
        bandwidth: Kbps(estimate * 1000),
        ..job(submit, size, runtime)
    };
    let expected: Vec<_> = expected.iter().copied().map(Some).collect();
    let jobs = jobs.iter().map(estimated).collect();
    assert_eq!(outcome(policy, nodes, jobs), expected, "{policy}");
}

#[test]
fn with_feedback_a_job_waits_for_the_one_before_it_and_the_time_to_think() {
    let text = "1 0 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 -1 -1\n\
                2 3 -1 4 1 -1 -1 1 4 -1 1 1 1 1 1 -1 1 5\n\
                3 16 -1 4 2 -1 -1 2 4 -1 1 1 1 1 1 -1 -1 -1\n\
                4 40 -1 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 2 0\n";
    let mut reader = TraceReader::new(Format::Swf, logs::options("four.swf"));
    reader.push(text.as_bytes()).expect("readable");
    let trace = reader.finish().expect("four jobs");
    let times = |feedback| {
        let pairs = [
            ("system", "nodes"),
            ("nodes", "2"),
            ("policy", "fcfs"),
            ("workload", "swf"),
            ("load", "as-logged"),
            ("feedback", feedback),
        ];
        let setup = setup(&pairs);
        let capacity = setup.system.capacity();
        let jobs = workload::jobs(&setup.workload, Some(&trace), &capacity, 0, 0).expect("jobs");
        let replay = finish(&setup, &jobs).replay;
        let submits = replay.jobs.iter().map(|job| job.submit.0 / MICROS);
        let starts = replay
            .record
            .histories
            .iter()
            .map(|history| match history.outcome {
                Outcome::Ran { start, .. } => start.0 / MICROS,
                _ => panic!("all run"),
            });
        (submits.collect::<Vec<_>>(), starts.collect::<Vec<_>>())
    };
    assert_eq!(times("off"), (vec![0, 3, 16, 40], vec![0, 10, 16, 40]));
    // Job 2 arrives at 10 + 5 and runs to 19, so job 3 waits for it; job 4 comes when the log says.
    assert_eq!(times("on"), (vec![0, 15, 16, 40], vec![0, 15, 19, 40]));
}

#[test]
fn under_fcfs_a_head_that_does_not_fit_blocks_a_job_that_would() {
    check(
        "fcfs",
        "4",
        &[(0, 3, 10), (1, 2, 5), (2, 1, 1)],
        &[(0, 10, 0), (10, 15, 0), (10, 11, 0)],
    );
}

#[test]
fn a_job_that_can_never_run_blocks_no_other() {
    let jobs = vec![job(0, 5, 10), job(0, 4, 10)];
    assert_eq!(outcome("fcfs", "4", jobs), [None, Some((0, 10, 0))]);
}

#[test]
fn completions_come_before_arrivals_and_arrivals_before_zero_runtimes_end() {
    let full_until_10 = vec![job(0, 1, 10), job(10, 1, 5)];
    assert_eq!(
        outcome("none", "1", full_until_10),
        [Some((0, 10, 0)), Some((10, 15, 0))]
    );
    // Without a queue the job of no runtime holds its node until all arrivals of 0 s are tried.
    let no_time = vec![job(0, 1, 0), job(0, 1, 5), job(1, 1, 5)];
    assert_eq!(
        outcome("none", "1", no_time.clone()),
        [Some((0, 0, 0)), None, Some((1, 6, 0))]
    );
    // With one its completion at 0 s is followed by a further pass at 0 s.
    assert_eq!(
        outcome("fcfs", "1", no_time),
        [Some((0, 0, 0)), Some((0, 5, 0)), Some((5, 10, 0))]
    );
}

#[test]
fn sbf_and_sdf_stop_at_the_first_failure_or_skip_it() {
    // Four nodes, three of them held until 10 s. Bandwidth in Mbit/s and estimate in seconds are
    // the same number: 1, 10, 20, 5. At 2 s the node left would do for job 2, but job 1 comes first
    // in the order and needs two; at 3 s job 3 is first and fits.
    let jobs = [(0, 3, 10, 1), (1, 2, 5, 10), (2, 1, 5, 20), (3, 1, 4, 5)];
    // Strict: at 7 s job 3 is done and job 1 still blocks job 2.
    let strict = [(0, 10, 0), (10, 15, 0), (10, 15, 0), (3, 7, 0)];
    check_estimated("sbf", "4", &jobs, &strict);
    check_estimated("sdf", "4", &jobs, &strict);
    // Skip: job 2 has the node from 2 s to 7 s, then job 3.
    let skip = [(0, 10, 0), (10, 15, 0), (2, 7, 0), (7, 11, 0)];
    check_estimated("sbf(blocked=skip)", "4", &jobs, &skip);
    check_estimated("sdf(blocked=skip)", "4", &jobs, &skip);
}

#[test]
fn easy_backfills_what_ends_by_the_shadow_or_leaves_room_for_the_head() {
    // Six nodes. Job 1 is the head from 1 s; its shadow is 10 s, when 6 nodes are free and it takes
    // 5.
    check(
        "easy",
        "6",
        &[
            (0, 3, 10),
            (1, 5, 5),
            // Ends at 10 s, not after the shadow: starts.
            (2, 1, 8),
            // Outlasts the shadow on the sixth node: starts.
            (3, 1, 20),
            // A node is free, but at the shadow only 4 would be left: waits for the head to end.
            (4, 1, 20),
            // Takes that node, since it ends at the shadow.
            (5, 1, 5),
        ],
        &[
            (0, 10, 0),
            (10, 15, 0),
            (2, 10, 0),
            (3, 23, 0),
            (15, 35, 0),
            (5, 10, 0),
        ],
    );
}

#[test]
fn easy_gives_no_reservation_only_a_shadow_by_estimates() {
    // Job 0 says 20 s and runs 10. Job 2 ends at 16 s, before the shadow at 20 s, and starts. When
    // job 0 ends early the head finds only one of its two nodes and starts at 16 s.
    check_estimated(
        "easy",
        "2",
        &[(0, 1, 10, 20), (0, 2, 5, 5), (1, 1, 15, 15)],
        &[(0, 10, 0), (16, 21, 0), (1, 16, 0)],
    );
    // Job 0 says 5 s and runs 10: at 6 s it is due at once, the shadow is 6 s, and no job that
    // takes any time ends by then.
    check_estimated(
        "easy",
        "2",
        &[(0, 1, 10, 5), (0, 2, 5, 5), (6, 1, 1, 1)],
        &[(0, 10, 0), (10, 15, 0), (15, 16, 0)],
    );
}

#[test]
fn easy_counts_jobs_started_in_the_same_pass_against_the_head() {
    // At 10 s jobs 2 and 3 arrive; one extra node is left at the shadow (20 s). Job 2 takes it, so
    // job 3 must not, though it alone would leave room as well.
    check(
        "easy",
        "4",
        &[(0, 2, 20), (1, 3, 5), (10, 1, 30), (10, 1, 30)],
        &[(0, 20, 0), (20, 25, 0), (10, 40, 0), (25, 55, 0)],
    );
}

#[test]
fn under_bgmbf_a_preempted_job_keeps_its_work_and_pays_for_the_restart() {
    // Job 2 is backfilled at 2 s, has 8 of its 20 s done at 10 s and gives way to the head until 15
    // s.
    let jobs = [(0, 3, 10), (1, 4, 5), (2, 1, 20)];
    check("bgmbf", "4", &jobs, &[(0, 10, 0), (10, 15, 0), (2, 27, 1)]);
    // It then pays 20 s before the 12 s left: 15 + 20 + 12.
    check(
        "bgmbf(migration_cost_s=20)",
        "4",
        &jobs,
        &[(0, 10, 0), (10, 15, 0), (2, 47, 1)],
    );
}

#[test]
fn bgmbf_preempts_all_later_jobs_and_a_restart_at_once_is_a_migration() {
    // Five nodes. At 10 s three are free and the head needs four; one of jobs 2 and 3 would do,
    // both are suspended. Job 2 restarts at once on the fifth node: 10 + 20 + (20 − 8). Job 3 has 7
    // s done and restarts at 15 s: 15 + 20 + (30 − 7).
    check(
        "bgmbf(migration_cost_s=20)",
        "5",
        &[(0, 3, 10), (1, 4, 5), (2, 1, 20), (3, 1, 30)],
        &[(0, 10, 0), (10, 15, 0), (2, 42, 1), (3, 58, 1)],
    );
}

#[test]
fn a_job_preempted_while_it_pays_pays_in_full_again() {
    // Five nodes. Job 4 is backfilled at 3 s. At 10 s it gives way to job 2, with 7 s done. At 15 s
    // job 2 ends, head 3 needs all nodes and cannot have those of job 0; job 4 restarts and pays
    // until 35 s. At 25 s job 0 ends and job 3 preempts job 4, which has done nothing since. From
    // 30 s it pays again until 50 s and runs the 23 s left.
    check(
        "bgmbf(migration_cost_s=20)",
        "5",
        &[(0, 2, 25), (0, 2, 10), (1, 3, 5), (2, 5, 5), (3, 1, 30)],
        &[(0, 25, 0), (0, 10, 0), (10, 15, 0), (25, 30, 0), (3, 73, 2)],
    );
}

#[test]
fn a_job_backfilled_past_an_earlier_head_is_not_suspended_for_a_later_one() {
    // Job 2 is backfilled past head 1. Once that has run, the head is job 3, which came after job 2
    // and has to wait for its end at 32 s.
    check(
        "bgmbf",
        "4",
        &[(0, 3, 10), (1, 2, 5), (2, 1, 30), (3, 4, 5)],
        &[(0, 10, 0), (10, 15, 0), (2, 32, 0), (32, 37, 0)],
    );
}

#[test]
fn bgmbf_does_not_preempt_where_that_would_not_be_enough() {
    // At 2 s job 2 is backfilled. At 3 s the head needs four nodes and job 2 has but one of them.
    check(
        "bgmbf",
        "4",
        &[(0, 3, 10), (1, 4, 5), (2, 1, 5), (3, 1, 1)],
        &[(0, 10, 0), (10, 15, 0), (2, 7, 0), (7, 8, 0)],
    );
}

#[test]
fn bgmbf_sdf_backfills_the_shortest_first() {
    // Four nodes, one free until 10 s, when the head takes all of them until 15 s.
    let jobs = [(0, 3, 10), (1, 4, 5), (2, 1, 9), (2, 1, 4)];
    // By arrival job 2 runs from 2 s, 8 of its 9 s; job 3 only after the head.
    check(
        "bgmbf",
        "4",
        &jobs,
        &[(0, 10, 0), (10, 15, 0), (2, 16, 1), (15, 19, 0)],
    );
    // Shortest first job 3 runs from 2 s to 6 s, then job 2 for 4 of its 9 s.
    check(
        "bgmbf-sdf",
        "4",
        &jobs,
        &[(0, 10, 0), (10, 15, 0), (6, 20, 1), (2, 6, 0)],
    );
}

#[test]
fn the_head_of_bgmbf_sdf_is_the_earliest_not_the_shortest() {
    // At 10 s both waiting jobs fit, one at a time: the earlier, longer one goes first.
    check(
        "bgmbf-sdf",
        "2",
        &[(0, 2, 10), (1, 2, 9), (2, 2, 1)],
        &[(0, 10, 0), (10, 19, 0), (19, 20, 0)],
    );
    check(
        "sdf",
        "2",
        &[(0, 2, 10), (1, 2, 9), (2, 2, 1)],
        &[(0, 10, 0), (11, 20, 0), (10, 11, 0)],
    );
}
