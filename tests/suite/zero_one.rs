//! Paper 4: its worked examples, the 0-1 program against all sets, and its policies against plain
//! ones.

use backfill_experiment::inspect::decision::{decision, next};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::CellRun;
use backfill_sim::job::{Job, Jobs, VmMigrations, sorted};
use backfill_sim::metrics;
use backfill_sim::policy::knapsack::{Item, best};
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::run::{Finished, Keep};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload;
use backfill_tests::logs;
use backfill_tests::runs::{
    allocations_of, finish, impatient, job, leaves_at, migrations_of, one_point, outcomes_of,
    random_jobs, results, setup,
};
use backfill_tests::zero_one::{Stay, best_of_all, stays};

const HOUR: u64 = 3600 * MICROS;

/// The run of jobs on a pool of `vms` machines under one policy and more keys.
fn run(vms: &str, policy: &str, more: &[(&str, &str)], jobs: &Jobs) -> Finished {
    let mut pairs = vec![("system", "pool"), ("vms", vms), ("policy", policy)];
    pairs.extend(more);
    finish(&setup(&pairs), jobs)
}

/// The stay of each job that ran, and on how many machines. Jobs that left the queue did so when
/// they were to.
fn stays_of(finished: &Finished) -> Vec<Option<Stay>> {
    let allocations = finished.replay.record.allocations.as_ref().expect("kept");
    let outcomes = outcomes_of(&finished.replay.record);
    let stay = |(job, outcome): (_, &Outcome)| match *outcome {
        Outcome::Ran { start, end } => {
            let allocation = allocations.last_of(job).expect("it ran");
            Some((start.0, end.0, allocation.slots() as u32))
        }
        Outcome::Infeasible | Outcome::Unplaceable => None,
        Outcome::Left { time } => {
            assert_eq!(Some(time.0), leaves_at(&finished.replay.jobs[job]));
            None
        }
        outcome => panic!("{outcome:?}"),
    };
    outcomes.iter_enumerated().map(stay).collect()
}

/// Which of the jobs (machines, wait in hours) start when that many machines become free.
fn chosen(free: u32, rratio: &str, policy: &str, waiting: &[(u32, f64)]) -> Vec<usize> {
    let end = 10 * HOUR;
    let task = |submit, size, runtime| Job {
        submit: Time(submit),
        runtime: Span(runtime),
        estimate: Span(runtime),
        ..job(0, size, 0)
    };
    let mut jobs = vec![task(0, free, end)];
    for &(size, waited) in waiting {
        let submit = end - (waited * HOUR as f64) as u64;
        jobs.push(task(submit, size, 100 * HOUR));
    }
    let more = [("rratio", rratio), ("long_wait", "off")];
    let finished = run(&free.to_string(), policy, &more, &sorted(jobs));
    let stays = stays_of(&finished);
    (1..stays.len())
        .filter(|&job| stays[job].expect("it ran").0 == end)
        .collect()
}

#[test]
fn the_examples_by_hand_hold_in_runs() {
    let hand = [(6, 4.0), (5, 3.0), (4, 2.0), (3, 1.0)];
    for rratio in ["0", "0.9", "1"] {
        for policy in ["zomt", "fpfs", "ljfs"] {
            assert_eq!(chosen(10, rratio, policy, &hand)[..], [1, 3], "{policy}");
        }
    }
    let apart = [(6, 2.0), (5, 2.0), (5, 1.0), (3, 0.5)];
    assert_eq!(chosen(10, "0.9", "fpfs", &apart), [1, 4]);
    assert_eq!(chosen(10, "0.9", "zomt", &apart), [2, 3]);
    let infeasible = [(6, 4.0), (6, 3.0)];
    for rratio in ["0.5", "0.9"] {
        assert_eq!(chosen(10, rratio, "zomt", &infeasible), [1]);
    }
    let fill = [(10, 5.0), (4, 5.0), (4, 5.0), (4, 5.0)];
    assert_eq!(chosen(12, "0.9", "zomt", &fill), [2, 3, 4]);
    assert_eq!(chosen(12, "0.9", "fpfs", &fill), [1]);
}

/// 3 and 5 machines of 20: the first gets three times, the second twice as many.
#[test]
fn fair_hands_out_what_is_left_over() {
    let jobs = sorted(vec![job(0, 3, 3), job(0, 5, 4)]);
    let of = |policy| stays_of(&run("20", policy, &[], &jobs));
    assert_eq!(
        of("fair(speed_up=1)"),
        [Some((0, MICROS, 9)), Some((0, 2 * MICROS, 10))]
    );
    assert_eq!(
        of("fair"),
        [Some((0, 3 * MICROS, 9)), Some((0, 4 * MICROS, 10))]
    );
}

#[test]
fn the_program_equals_all_sets_with_and_without_those_that_are_dominated() {
    let mut stream = Stream::new(4, 0, "items", 0);
    let mut below = |n: u64| stream.below(n);
    let (mut infeasible, mut pruned) = (0, 0);
    for instance in 0..20_000 {
        let most = below(16) as u32;
        let least = below(u64::from(most) + 1) as u32;
        let mut wait = 12;
        // Few sizes and waits, so that values are often equal; waits as of jobs by arrival.
        let items: Vec<Item> = (0..below(11))
            .map(|_| {
                wait -= below(2);
                let size = 1 + below(6) as u32;
                Item {
                    size,
                    value: u128::from(size) * u128::from(1 + wait),
                }
            })
            .collect();
        let found = best(&items, least, most);
        assert_eq!(
            found,
            best_of_all(&items, least, most),
            "{instance}: {items:?}"
        );
        infeasible += u32::from(found.is_none());
        let undominated: Vec<usize> = (0..items.len())
            .filter(|&at| {
                let size = items[at].size;
                let earlier = items[..at].iter().filter(|item| item.size == size);
                earlier.count() < (most / size) as usize
            })
            .collect();
        let few: Vec<Item> = undominated.iter().map(|&at| items[at]).collect();
        pruned += u32::from(few.len() < items.len());
        let mut of_few = best(&few, least, most);
        if let Some(chosen) = &mut of_few {
            for item in &mut chosen.items {
                *item = undominated[*item];
            }
        }
        assert_eq!(of_few, found, "{instance}: {items:?}");
    }
    assert!(infeasible > 1000 && pruned > 1000, "{infeasible} {pruned}");
}

#[test]
fn a_decision_takes_no_more_steps_however_many_wait() {
    let steps = |waiting: u64| {
        let first = job(0, 120, 10);
        let size = |n: u64| 1 + (n * 7919 % 16) as u32;
        let others = (0..waiting).map(|n| job(1 + n / 1000, size(n), 7200));
        let jobs = sorted([first].into_iter().chain(others).collect());
        let finished = run("120", "zomt", &[("long_wait", "off")], &jobs);
        finished.metrics[metrics::position("decision_steps").expect("a metric")]
    };
    // Σ ⌊120 / size⌋ · (121 − size) over the sizes up to 16: enough of each wait when the first job
    // ends.
    let most = (1..=16).map(|size| f64::from(120 / size * (121 - size)));
    let most: f64 = most.sum();
    assert_eq!(most, 46_876.0);
    for waiting in [2_000, 4_000, 8_000] {
        assert_eq!(steps(waiting), Some(most), "{waiting} jobs");
    }
    assert!(steps(20) < Some(most));
    let jobs = sorted(vec![job(0, 1, 1)]);
    let none = run("120", "fpfs", &[], &jobs);
    assert_eq!(
        none.metrics[metrics::position("decision_steps").expect("a metric")],
        None
    );
}

/// Jobs that wait often and few at a time, so that all sets of them can be tried.
fn few_waiting(seed: u64) -> Jobs {
    let all = random_jobs(seed, 9);
    sorted(all.iter().take(16).cloned().collect())
}

/// The policies of a pool with each switch of theirs.
const POLICIES: [&str; 11] = [
    "fpfs",
    "fair",
    "zomt",
    "zomt(rratio=0)",
    "zomt(rratio=0.5,long_wait=off)",
    "zomt(rratio=1,long_wait=weighted)",
    "zomt(unit_s=0.000001,long_wait=off)",
    "fpfs(slist_capacity=6)",
    "fair(slist_capacity=9,time1_s=3)",
    "zomt(slist_capacity=11)",
    "zomt(slist_capacity=7,time1_s=2,long_wait=off)",
];

#[test]
fn the_policies_of_a_pool_equal_plain_ones() {
    for seed in 0..150 {
        let jobs = few_waiting(seed);
        for policy in POLICIES {
            let setup = setup(&[("system", "pool"), ("vms", "9"), ("policy", policy)]);
            let found = stays_of(&finish(&setup, &jobs));
            assert_eq!(found, stays(&setup, &jobs), "{policy}, seed {seed}");
        }
    }
}

/// Also from the list that is not scheduled, and where machines migrate: their stops call for no
/// pass, but a job that leaves does.
#[test]
fn jobs_leave_the_queue_of_a_pool_as_in_the_plain_reference() {
    let mut left = 0;
    for seed in 0..200 {
        for jobs in [few_waiting(seed), migrating_jobs(seed)] {
            let jobs = impatient(jobs, seed);
            for policy in POLICIES {
                let setup = setup(&[("system", "pool"), ("vms", "9"), ("policy", policy)]);
                let finished = finish(&setup, &jobs);
                let found = stays_of(&finished);
                assert_eq!(found, stays(&setup, &jobs), "{policy}, seed {seed}");
                let outcomes = outcomes_of(&finished.replay.record);
                let gone = outcomes
                    .iter()
                    .filter(|of| matches!(of, Outcome::Left { .. }));
                left += gone.count();
            }
        }
    }
    assert!(left > 1000, "{left}");
}

#[test]
fn zomt_with_at_most_one_waiting_job_is_afcfs() {
    let mut stream = Stream::new(4, 0, "one at a time", 0);
    let mut waited = 0;
    for _ in 0..60 {
        // Each job arrives after the one before has started.
        let mut jobs: Vec<Job> = Vec::new();
        let mut submit = 0;
        for _ in 0..12 {
            let (size, runtime) = (1 + stream.below(9) as u32, 1 + stream.below(9));
            jobs.push(job(submit, size, runtime));
            let stays = stays_of(&run("9", "fpfs", &[], &sorted(jobs.clone())));
            let start = stays.last().expect("a job").expect("it ran").0 / MICROS;
            waited += u32::from(start > submit);
            submit = start + 1 + stream.below(3);
        }
        let jobs = sorted(jobs);
        let afcfs = run("9", "fpfs", &[], &jobs).digest;
        for policy in ["zomt", "zomt(rratio=1,long_wait=off)", "zomt(rratio=0)"] {
            assert_eq!(run("9", policy, &[], &jobs).digest, afcfs, "{policy}");
        }
    }
    assert!(waited > 100, "{waited}");
}

/// A list of 5 machines before a pool of 10. The third job does not get in at first, the fourth is
/// small enough for it; the fifth asks for more than the list ever holds.
#[test]
fn fsteq_schedules_those_that_its_list_has_room_for() {
    let jobs = sorted(vec![
        job(0, 3, 4),
        job(0, 2, 9),
        job(0, 4, 1),
        job(1, 1, 2),
        job(2, 6, 1),
    ]);
    let starts = |policy: &str| -> Vec<Option<u64>> {
        let stays = stays_of(&run("10", policy, &[], &jobs));
        stays
            .iter()
            .map(|stay| Some(stay.as_ref()?.0 / MICROS))
            .collect()
    };
    // Both admitted jobs of time 0 start and leave room, which the next instant gives to the new
    // job first, then to waiting ones.
    let routed = [Some(0), Some(0), Some(1), Some(1), None];
    for time1 in ["0", "100"] {
        for policy in ["fpfs", "ljfs", "zomt"] {
            let policy = format!("{policy}(slist_capacity=5,time1_s={time1})");
            assert_eq!(starts(&policy), routed, "{policy}");
        }
    }
    assert_eq!(starts("fpfs"), [0, 0, 0, 1, 4].map(Some));
}

#[test]
fn fsteq_without_a_limit_is_invisible() {
    let queues = [
        "fcfs", "easy", "bgmbf", "fpfs", "ljfs", "pljfs", "fair", "zomt",
    ];
    for seed in 0..40 {
        let jobs = random_jobs(seed, 9);
        let all: u32 = jobs.iter().map(|job| job.size).sum();
        for queue in queues {
            let plain = run("9", queue, &[], &jobs);
            for time1 in ["0", "4"] {
                let routed = format!("{queue}(slist_capacity={all},time1_s={time1})");
                let routed = run("9", &routed, &[], &jobs);
                assert_eq!(routed.digest, plain.digest, "{queue}, seed {seed}");
                assert_eq!(routed.metrics, plain.metrics, "{queue}, seed {seed}");
            }
        }
    }
}

/// Those that have waited longest come first in both of its walks.
#[test]
fn fsteq_calls_the_same_jobs_whatever_time1_is() {
    let mut aside = 0;
    for (seed, policy) in (0..60).flat_map(|seed| ["fpfs", "zomt"].map(|policy| (seed, policy))) {
        let jobs = random_jobs(seed, 9);
        let of = |more: &str| run("9", &format!("{policy}({more})"), &[], &jobs);
        let plain = of("slist_capacity=9");
        for time1 in ["1", "5", "1000"] {
            let other = of(&format!("slist_capacity=9,time1_s={time1}"));
            assert_eq!(other.digest, plain.digest, "{policy}, seed {seed}");
        }
        aside += u32::from(plain.digest != of("slist_capacity=unlimited").digest);
        // Deferred jobs wait, too: the queue is that of all jobs from arrival to start.
        let waits = stays_of(&plain).into_iter().zip(jobs.iter());
        let waited: u64 = waits
            .filter_map(|(stay, job)| Some(stay?.0 - job.submit.0))
            .sum();
        assert_eq!(plain.replay.record.queue_time, u128::from(waited));
    }
    assert!(aside > 60, "{aside}");
}

/// A job of four hours, one of whose machines migrates after 2.7 hours of work and stops it for six
/// minutes: it goes on from the second hour on and is done 4.8 hours after its start.
#[test]
fn a_job_goes_on_from_its_last_completed_slot_after_a_migration() {
    let draws = (0..)
        .map(|index| Stream::new(4, 0, "by hand", index))
        .find(|draws| {
            let mut draws = draws.clone();
            let (first, _) = (draws.exponential(1.0), draws.below(1));
            // The next migration would be more than two hours later.
            draws.exponential(1.0) > first
        });
    let draws = draws.expect("every second one or so");
    let until = 2.7 * HOUR as f64;
    let migrations = VmMigrations {
        hazard: draws.clone().exponential(1.0) / (until * 3.0),
        slot: Span(HOUR),
        stop: [Span(HOUR / 10); 2],
        draws,
    };
    let mut migrating = job(0, 3, 4 * 3600);
    migrating.vm_migrations = Some(Box::new(migrations));
    for policy in ["fpfs", "ljfs", "zomt"] {
        let finished = run("4", policy, &[], &sorted(vec![migrating.clone()]));
        assert_eq!(stays_of(&finished), [Some((0, 48 * HOUR / 10, 3))]);
        let allocations = allocations_of(&finished.replay.record);
        let times = allocations
            .iter()
            .map(|allocation| [allocation.start, allocation.works_from, allocation.end]);
        let tenths = times.map(|times| times.map(|time| time.0 * 10 / HOUR));
        assert!(tenths.eq([[0, 0, 27], [27, 28, 48]]), "{allocations:?}");
    }
}

/// Random jobs whose machines migrate every few seconds.
fn migrating_jobs(seed: u64) -> Jobs {
    let mut jobs = few_waiting(seed);
    for (index, id) in jobs.ids().enumerate() {
        jobs[id].vm_migrations = Some(Box::new(VmMigrations {
            hazard: 0.02 / MICROS as f64,
            slot: Span((1 + seed % 4) * MICROS),
            stop: [Span(MICROS / 2), Span(2 * MICROS)],
            draws: Stream::new(seed, 0, "migrations", index as u64),
        }));
    }
    jobs
}

#[test]
fn no_job_is_lost_or_started_twice_under_migration() {
    let mut migrated = 0;
    for (seed, policy) in (0..60).flat_map(|seed| {
        let policies = [
            "fpfs",
            "ljfs",
            "fair",
            "zomt",
            "bgmbf",
            "fpfs(slist_capacity=9)",
        ];
        policies.map(|policy| (seed, policy))
    }) {
        let jobs = migrating_jobs(seed);
        let setup = setup(&[("system", "pool"), ("vms", "9"), ("policy", policy)]);
        let finished = finish(&setup, &jobs);
        let record = &finished.replay.record;
        for (id, job) in jobs.iter_enumerated() {
            let allocations = allocations_of(record);
            let own: Vec<_> = allocations
                .iter()
                .filter(|allocation| allocation.job == id)
                .collect();
            let Outcome::Ran { start, end } = record.histories[id].outcome else {
                assert!(job.size > 9, "{policy}, seed {seed}: {id} is lost");
                assert!(own.is_empty());
                continue;
            };
            assert_eq!((own[0].start, own[own.len() - 1].end), (start, end));
            assert_eq!(own.len(), 1 + record.histories[id].migrations as usize);
            migrated += record.histories[id].migrations;
            if policy == "bgmbf" {
                continue;
            }
            // It holds the same machines all the time, and each completed slot is worked once.
            let slot = job.vm_migrations.as_ref().expect("they migrate").slot.0;
            let mut done = 0;
            for pair in own.windows(2) {
                assert_eq!(
                    (pair[0].end, pair[0].held.stretches().collect::<Vec<_>>()),
                    (pair[1].start, pair[1].held.stretches().collect())
                );
                done = (done + (pair[0].end - pair[0].works_from).0) / slot * slot;
                let stop = pair[1].works_from - pair[1].start;
                assert!((MICROS / 2..=2 * MICROS).contains(&stop.0), "{stop:?}");
            }
            let last = own[own.len() - 1];
            assert_eq!(done + (last.end - last.works_from).0, job.runtime.0);
        }
        if !policy.starts_with("lj") && !policy.starts_with("bg") {
            assert_eq!(
                stays_of(&finished),
                stays(&setup, &jobs),
                "{policy}, seed {seed}"
            );
        }
    }
    assert!(migrated > 1000, "{migrated}");
}

/// Machines that migrate at 100 % an hour stop a job of 3 machines three times an hour in which it
/// runs; every job is at the same in each policy, and without migrations nothing is drawn.
#[test]
fn machines_migrate_as_often_as_specified() {
    let pairs = |rate| {
        [
            ("system", "pool"),
            ("vms", "30"),
            ("jobs", "2000"),
            ("size", "constant:3"),
            ("runtime", "constant:36000"),
            ("slot_s", "0.000001"),
            ("vm_migrations", rate),
            ("vm_migration_s", "constant:60"),
            ("load", "0.5"),
            ("x", "none"),
            ("reps", "1"),
            ("policy", "fpfs"),
        ]
    };
    let (scenario, cell) = one_point(&pairs("constant:100"));
    let run = CellRun::new(&scenario, cell, None, Keep::Histories).expect("jobs");
    let record = run.finish().1.record;
    let count: u32 = migrations_of(&record).iter().sum();
    // Expected 2000 jobs × 10 hours × 3 machines, with a standard deviation of 245.
    assert!((59_000..61_000).contains(&count), "{count}");
    let results = |rate| results(&pairs(rate)).digest().expect("all cells ran");
    assert_eq!(results("uniform:0:0"), results("constant:0"));
    assert_ne!(results("uniform:1:5"), results("constant:3"));
}

#[test]
fn migrations_under_which_no_job_would_end_are_refused() {
    let refused = |more: &[(&str, &str)]| -> String {
        let pairs = [("system", "pool"), ("policy", "fpfs"), ("vms", "8192")];
        let pairs = pairs.iter().chain(more).copied();
        let problems = Scenario::parse(pairs).expect_err("it is refused");
        problems.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        refused(&[("vm_migrations", "uniform:1:5")]),
        "vm_migrations = uniform:1:5: stops a job that holds all VMs more than 10 times per slot_s on \
         average, so that it would hardly ever finish: lower this value or slot_s"
    );
    assert_eq!(
        refused(&[("vm_migration_s", "exponential:60")]),
        "vm_migration_s = exponential:60: must be constant:VALUE or uniform:LOW:HIGH"
    );
}

/// Table 3 of the paper has a mean run time of 0.1121 × 100,000 s.
#[test]
fn the_executed_jobs_of_ricc_run_for_as_long_as_is_printed() {
    let Some(trace) = logs::trace(logs::RICC) else {
        return;
    };
    let setup = setup(&[
        ("system", "pool"),
        ("vms", "8192"),
        ("policy", "fpfs"),
        ("workload", "swf"),
        ("load", "as-logged"),
        ("statuses", "executed"),
    ]);
    let (workload, capacity) = (&setup.workload, setup.system.capacity());
    let jobs = workload::jobs(workload, Some(&trace), &capacity, 42, 0).expect("jobs");
    // 447,794 in all, of which 16,245 are cancelled and two others ran for no time.
    assert_eq!(jobs.len(), 431_547);
    let ran: f64 = jobs.iter().map(|job| job.runtime.seconds()).sum();
    assert_eq!((ran / jobs.len() as f64 / 10.0).round(), 1121.0);
}

/// Jobs of minutes, of which an hour's arrivals ask for about as many machines as there are.
#[test]
fn elastic_machines_are_on_as_plainly_computed() {
    let mut fewer = 0;
    for seed in 0..150 {
        let mut jobs = few_waiting(seed);
        for id in jobs.ids() {
            let job = &mut jobs[id];
            job.submit.0 *= 1000;
            job.runtime.0 *= 1000;
            job.estimate = job.runtime;
        }
        let stays_under = |policy: &str| {
            let setup = setup(&[("system", "pool"), ("vms", "9"), ("policy", policy)]);
            let found = stays_of(&finish(&setup, &jobs));
            assert_eq!(found, stays(&setup, &jobs), "{policy}, seed {seed}");
            found
        };
        let all = stays_under("fpfs");
        for policy in [
            "fpfs(elastic=literal,elastic_share=0)",
            "fpfs(elastic=corrected)",
            "fair(elastic=literal)",
            "zomt(elastic=corrected,elastic_share=0.2)",
            "zomt(elastic=corrected,slist_capacity=12)",
        ] {
            fewer += u32::from(stays_under(policy) != all);
        }
    }
    assert!(fewer > 150, "{fewer}");
}

#[test]
fn several_centres_with_no_machine_in_common_hold_jobs_in_the_order_of_opening() {
    let jobs = sorted(vec![job(0, 3, 9), job(0, 4, 9), job(1, 2, 9)]);
    let more = [("centres", "3"), ("centre_mbps", "1:2:1")];
    let finished = run("4", "fpfs", &more, &jobs);
    let allocations = finished.replay.record.allocations.as_ref().expect("kept");
    let shares: Vec<_> = allocations
        .all()
        .iter()
        .map(|allocation| allocation.shares().collect::<Vec<_>>())
        .collect();
    assert_eq!(
        shares,
        [vec![(0, 3)], vec![(0, 1), (2, 3)], vec![(1, 1), (2, 1)]]
    );
}

/// Algorithm 3 sorts long waits by size and otherwise differs from Algorithm 2 only while at least
/// as much is free as one centre has.
#[test]
fn one_centre_is_algorithm_2_and_several_keep_to_their_size() {
    for seed in 0..60 {
        let jobs = random_jobs(seed, 9);
        let one = run("9", "zomt", &[], &jobs).digest;
        let ordered = run("9", "zomt(long_wait_order=arrival)", &[], &jobs).digest;
        assert_eq!(one, ordered, "{seed}");
    }
    // 12 machines in two centres: AFCFS starts the first job, and the second while six are free. In
    // three centres it starts the first two, in one the program decides on all.
    let jobs = sorted(vec![job(0, 6, 9), job(0, 4, 9), job(0, 3, 9), job(0, 3, 9)]);
    let starts = |more: &[(&str, &str)], vms| -> Vec<u64> {
        let finished = run(vms, "zomt", more, &jobs);
        let stays = stays_of(&finished);
        stays
            .iter()
            .map(|stay| stay.expect("it ran").0 / MICROS)
            .collect()
    };
    assert_eq!(starts(&[("centres", "2")], "6"), [0, 0, 9, 9]);
    assert_eq!(starts(&[], "12"), [0, 9, 0, 0]);
    assert_eq!(starts(&[("centres", "3")], "4"), [0, 0, 9, 9]);
}

/// Four of eight machines in two centres become free for what waits, so that AFCFS starts the job
/// of one machine at once. In one centre of four the program lets it wait for the job of four.
#[test]
fn afcfs_starts_jobs_while_the_machines_of_a_whole_centre_are_free() {
    let task = |submit, size, runtime| Job {
        submit: Time(submit),
        runtime: Span(runtime),
        estimate: Span(runtime),
        ..job(0, size, 0)
    };
    let starts = |centres, first: Job| -> Vec<u64> {
        let jobs = sorted(vec![first, task(MICROS, 1, 0), task(MICROS, 4, 1)]);
        let finished = run("4", "zomt(long_wait=off)", &[("centres", centres)], &jobs);
        let stays = stays_of(&finished);
        stays.iter().map(|stay| stay.expect("it ran").0).collect()
    };
    let first = |end| task(0, 4, end);
    assert_eq!(starts("2", first(2 * MICROS)), [0, MICROS, MICROS]);
    assert_eq!(starts("1", first(MICROS)), [0, MICROS + 1, MICROS]);
}

#[test]
fn zomt_on_several_centres_equals_a_plain_one() {
    let mut otherwise = 0;
    for seed in 0..150 {
        let jobs = few_waiting(seed);
        for (vms, centres) in [("3", "3"), ("4", "2"), ("5", "2"), ("2", "5")] {
            let stays_under = |policy: &str| {
                let pairs = [("vms", vms), ("centres", centres), ("policy", policy)];
                let setup = setup(&[&[("system", "pool")][..], &pairs].concat());
                let found = stays_of(&finish(&setup, &jobs));
                let of = format!("{policy}, {centres} centres of {vms}, seed {seed}");
                assert_eq!(found, stays(&setup, &jobs), "{of}");
                found
            };
            let afcfs = stays_under("fpfs");
            for policy in [
                "zomt",
                "zomt(rratio=0.5,long_wait=off)",
                "zomt(rratio=1,long_wait=weighted)",
                "zomt(long_wait_order=arrival)",
                "zomt(slist_capacity=11)",
            ] {
                otherwise += u32::from(stays_under(policy) != afcfs);
            }
        }
    }
    assert!(otherwise > 150, "{otherwise}");
}

#[test]
fn every_job_of_a_pool_runs_once_and_no_machine_twice() {
    for (seed, policy) in (0..40).flat_map(|seed| ["zomt", "fair", "pljfs"].map(|p| (seed, p))) {
        let jobs = random_jobs(seed, 12);
        let finished = run("4", policy, &[("centres", "3")], &jobs);
        let allocations = allocations_of(&finished.replay.record);
        let ran = outcomes_of(&finished.replay.record);
        let ran = ran.iter();
        let ran = ran
            .filter(|outcome| matches!(outcome, Outcome::Ran { .. }))
            .count();
        assert_eq!(allocations.len(), ran, "{policy}, seed {seed}");
        for allocation in allocations {
            assert!(allocation.shares().all(|share| share.1 <= 4));
            assert!(allocation.slots() >= u64::from(jobs[allocation.job].size));
        }
    }
}

/// Three jobs of 2, 8 and 4 machines that wait 0, 2 and 1 hours and are done after 3, 4 and 6.
#[test]
fn weighted_means_and_deviations_are_those_computed_by_hand() {
    let hours = |submit: u64, size, runtime: u64| job(submit * 3600, size, runtime * 3600);
    let jobs = sorted(vec![hours(0, 2, 3), hours(1, 8, 2), hours(4, 4, 5)]);
    let finished = run("8", "fpfs", &[], &jobs);
    for (name, hours) in [
        ("response_mean", 13.0 / 3.0),
        ("response_weighted", 31.0 / 7.0),
        ("wait_mean", 1.0),
        ("wait_weighted", 10.0 / 7.0),
        ("wait_sd", 0.816_497),
        ("wait_weighted_sd", 0.728_431),
        ("makespan", 10.0),
    ] {
        let position = metrics::position(name).expect("a metric of that name");
        let found = finished.metrics[position].expect("it is defined") / 3600.0;
        assert!((found - hours).abs() < 1e-6, "{name}: {found}");
    }
    // Eq. 7 as printed subtracts a wait from a wait by machines: 0, 1/4 and 1/4 hours.
    let position = metrics::position("wait_weighted_sd_literal").expect("it is there");
    let literal = finished.metrics[position].expect("it is defined") / 3600.0;
    assert!((literal - 1.217_433).abs() < 1e-6, "{literal}");
    // Ascending 0, 1 and 2 hours: (−2·0 + 0·1 + 2·2) / (3·3).
    let position = metrics::position("wait_gini").expect("it is there");
    assert_eq!(finished.metrics[position], Some(4.0 / 9.0));
}

#[test]
fn every_decision_is_what_a_plain_schedule_says_it_is() {
    let mut told = 0;
    for seed in 0..40 {
        let jobs: Vec<Job> = random_jobs(seed, 12).iter().cloned().collect();
        let jobs = sorted(
            jobs.into_iter()
                .filter(|job| job.runtime > Span(0))
                .collect(),
        );
        for policy in ["fpfs", "zomt", "fair"] {
            let pairs = [("system", "pool"), ("vms", "12"), ("policy", policy)];
            let setup = setup(&pairs);
            let plain = stays(&setup, &jobs);
            let run = finish(&setup, &jobs).replay;
            let mut times: Vec<u64> = jobs.iter().map(|job| job.submit.0).collect();
            times.extend(plain.iter().flatten().flat_map(|stay| [stay.0, stay.1]));
            times.sort_unstable();
            times.dedup();
            let choices = times.iter().map(|now| Time(*now)).filter(|now| {
                let said = decision(&run, &setup, *now);
                said.waiting.len() > 1 && said.started.jobs > 0
            });
            let choices: Vec<Time> = choices.collect();
            for now in &times {
                let position = choices.partition_point(|choice| *choice <= Time(*now));
                let ahead = choices.get(position).copied();
                assert_eq!(
                    next(&run, Time(*now), false),
                    ahead,
                    "seed {seed}, {policy}"
                );
                let back = choices.iter().rfind(|choice| **choice < Time(*now));
                assert_eq!(next(&run, Time(*now), true), back.copied());
            }
            for now in times {
                // Nothing happens between two whole seconds.
                let said = decision(&run, &setup, Time(now + 7));
                assert_eq!(said.at, Time(now));
                let held = plain.iter().flatten().filter(|of| of.0 < now && of.1 > now);
                let free = 12 - held.map(|stay| stay.2).sum::<u32>();
                assert_eq!(said.free, u64::from(free), "seed {seed}, {policy}, {now}");
                let mut left = free;
                let mut waiting = said.waiting.iter();
                let (mut both, mut worth) = ([0, 0], [0.0, 0.0]);
                for (job, stay) in jobs.iter().zip(&plain) {
                    let Some(stay) = stay.filter(|stay| job.submit.0 <= now && stay.0 >= now)
                    else {
                        continue;
                    };
                    let of = waiting.next().expect("as many wait");
                    assert_eq!((of.size, of.waited), (job.size, Time(now) - job.submit));
                    assert_eq!(of.got, (stay.0 == now).then_some(stay.2));
                    assert_eq!(of.by_first_fit, job.size <= left);
                    let hours = of.waited.0 as f64 / HOUR as f64;
                    let each = f64::from(job.size) * (1.0 + hours) / 2.0;
                    assert!((of.worth - each).abs() < 1e-6, "{} {each}", of.worth);
                    for (set, is_in) in [stay.0 == now, job.size <= left].into_iter().enumerate() {
                        both[set] += usize::from(is_in);
                        worth[set] += if is_in { each } else { 0.0 };
                    }
                    left -= if job.size <= left { job.size } else { 0 };
                    told += 1;
                }
                assert_eq!(waiting.next(), None);
                for (set, said) in [said.started, said.first_fit].into_iter().enumerate() {
                    assert_eq!(said.jobs, both[set]);
                    assert!(
                        (said.worth - worth[set]).abs() < 1e-6,
                        "{} {}",
                        said.worth,
                        worth[set]
                    );
                }
                if policy == "fpfs" {
                    assert_eq!(said.started, said.first_fit);
                }
            }
        }
    }
    assert!(told > 1000, "{told}");
}
