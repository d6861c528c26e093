//! Jobs that wait for few leaves of a tree, worked out by hand. That every policy starts them when
//! it must is tested with all others, against the plain reference of `differential`.

use backfill_experiment::inspect::explain::explain;
use backfill_experiment::inspect::pass::Passes;
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::record::Outcome;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{MICROS, Time};
use backfill_tests::runs::{finish, job, outcomes_of, setup};

/// A tree under a policy whose jobs wait for few leaves.
fn on(tree: &str, queue: &str, switches: &str) -> Setup {
    let policy = format!("{queue}+slurm-tree(switches={switches})");
    setup(&[("system", "tree"), ("tree", tree), ("policy", &policy)])
}

/// When each job starts, in seconds; `None` where it does not.
fn starts(setup: &Setup, jobs: &Jobs) -> Vec<Option<u64>> {
    let start = |outcome: &Outcome| match outcome {
        Outcome::Ran { start, .. } => Some(start.0 / MICROS),
        _ => None,
    };
    let outcomes = outcomes_of(&finish(setup, jobs).replay.record);
    outcomes.iter().map(start).collect()
}

fn numbered(mut jobs: Vec<Job>) -> Jobs {
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
    }
    sorted(jobs)
}

/// Node 1 of two leaves of two is held for long. The second job needs the three others, of both
/// leaves; the third needs two, which the second leaf has, until 120 s.
fn three_jobs() -> Jobs {
    numbered(vec![job(0, 1, 1000), job(10, 3, 10), job(20, 2, 100)])
}

#[test]
fn a_job_that_waits_for_its_switches_holds_back_who_comes_after_it_only_without_backfilling() {
    let jobs = three_jobs();
    // It starts when it has waited 60 s, and the third behind it.
    let one_by_one = [Some(0), Some(70), Some(80)];
    assert_eq!(starts(&on("(2,2)", "fcfs", "1@60"), &jobs), one_by_one);
    // The third takes two of its nodes, and once it has ended two leaves will do.
    let taken = [Some(0), Some(120), Some(20)];
    for queue in ["easy", "fpfs"] {
        assert_eq!(starts(&on("(2,2)", queue, "1@60"), &jobs), taken, "{queue}");
    }
    // From then on it may take them back.
    let back = [Some(0), Some(70), Some(20)];
    for queue in ["bgmbf", "cmbf"] {
        assert_eq!(starts(&on("(2,2)", queue, "1@60"), &jobs), back, "{queue}");
    }
    let policy = "list+slurm-tree(switches=1@60,behind=reserve,depth=all)";
    let all = setup(&[("system", "tree"), ("tree", "(2,2)"), ("policy", policy)]);
    assert_eq!(starts(&all, &jobs), taken);
    // Two leaves will do at once; without a queue nobody waits.
    let at_once = [Some(0), Some(10), Some(20)];
    assert_eq!(starts(&on("(2,2)", "easy", "2@60"), &jobs), at_once);
    assert_eq!(starts(&on("(2,2)", "easy", "0"), &jobs), at_once);
    assert_eq!(starts(&on("(2,2)", "none", "1@60"), &jobs), at_once);
}

#[test]
fn the_wait_for_few_leaves_ends_300_s_after_the_submission_or_earlier() {
    // Five nodes are on three leaves of two, four on two; nothing else happens until then.
    for (switches, waits) in [
        ("2@60", 60),
        ("2", 300),
        ("2@300", 300),
        ("2@0", 0),
        ("3", 0),
    ] {
        let setup = on("(2,2,2)", "easy", switches);
        let five = numbered(vec![job(7, 5, 10)]);
        assert_eq!(starts(&setup, &five), [Some(7 + waits)], "{switches}");
        let four = numbered(vec![job(7, 4, 10)]);
        assert_eq!(starts(&setup, &four), [Some(7)], "{switches}");
    }
    // All nodes are held until 100 s: by then the third job has waited long enough.
    let jobs = numbered(vec![job(0, 2, 100), job(0, 2, 100), job(10, 3, 10)]);
    let starts = starts(&on("(2,2)", "fcfs", "1@60"), &jobs);
    assert_eq!(starts, [Some(0), Some(0), Some(100)]);
}

#[test]
fn it_starts_earlier_once_fewer_leaves_have_room() {
    // One node is free in each leaf of three, until the first job leaves the first of them.
    let jobs = numbered(vec![job(0, 2, 30), job(0, 2, 1000), job(10, 2, 10)]);
    let starts = starts(&on("(3,3)", "easy", "1@60"), &jobs);
    assert_eq!(starts, [Some(0), Some(0), Some(30)]);
}

#[test]
fn it_is_said_until_when_a_job_waits_for_its_switches() {
    let jobs = three_jobs();
    let said = |queue, job, at| {
        let setup = on("(2,2)", queue, "1@60");
        explain(&setup, jobs.clone(), JobId(job), Some(Time(at * MICROS))).to_string()
    };
    assert_eq!(
        said("easy", 1, 30),
        "Job 2 asks for 3 slots of 0 Mbit/s each. At 20 s a placement existed for it, on 2 leaves: it \
         waits for at most 1 until 70 s."
    );
    assert_eq!(
        said("fcfs", 2, 30),
        "Job 3 asks for 2 slots of 0 Mbit/s each. At 30 s one job is ahead of it in the queue, which \
         is blocked by job 2. At 30 s a placement exists for it: 1 on node 2, 1 on node 3."
    );
    // A pass comes at 70 s, though nothing else happens then.
    let setup = on("(2,2)", "easy", "1@60");
    let mut passes = Passes::new(&setup, jobs.clone());
    let instants: Vec<u64> = passes
        .counts()
        .iter()
        .map(|of| of.time.0 / MICROS)
        .collect();
    assert_eq!(instants, [0, 10, 20, 70, 120, 130, 1000]);
    let pass = passes.pass(2).expect("a pass at 20 s");
    let teller = passes.teller();
    let steps = pass.steps.iter();
    let steps = steps.map(|step| teller.sentence(step, &|time| time.to_string()));
    assert_eq!(
        steps.collect::<Vec<_>>(),
        [
            "Job 2 is first by arrival: it asks for 3 slots and fits now.",
            "Job 2 would be on 2 leaves and waits for at most 1 until 70 s.",
            "Job 3 is first by arrival: it asks for 2 slots and fits now.",
            "Job 3 starts on 2 nodes and ends at 120 s by its estimate.",
        ]
    );
}

#[test]
fn nobody_gives_way_to_a_job_that_waits_for_its_switches() {
    // The second job could have the nodes of the third, which arrived later, but on both leaves.
    let jobs = vec![job(0, 1, 1000), job(10, 3, 10), job(10, 1, 200)];
    // Another pass comes at 40 s.
    let jobs = numbered([jobs, vec![job(40, 4, 10)]].concat());
    for queue in ["bgmbf", "bgmbf-sdf", "cmbf", "ambf"] {
        let setup = on("(2,2)", queue, "1@60");
        let finished = finish(&setup, &jobs);
        // At 70 s it no longer waits, and then the third does.
        let expected = [Some(0), Some(70), Some(10), Some(1000)];
        assert_eq!(starts(&setup, &jobs), expected, "{queue}");
        let suspended = finished.replay.record.histories[JobId(2)].migrations;
        assert_eq!(suspended, 1, "{queue}");
    }
}
