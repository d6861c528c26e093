//! The policies of paper 2 on its own examples, and what holds after every pass of them.

use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::JobId;
use std::sync::Arc;

use backfill_sim::engine::Policy;
use backfill_sim::job::{Cpu, Job, Jobs, Percent, Process, sorted};
use backfill_sim::machine::System;
use backfill_sim::metrics;
use backfill_sim::policy::consolidate::Consolidate;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt, Parts};
use backfill_sim::record::Outcome;
use backfill_sim::run::Finished;
use backfill_sim::setup::Setup;
use backfill_sim::system::nodes::place::Index;
use backfill_sim::system::nodes::{BackgroundSharing, Nodes};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_tests::consolidation::{JobHistory, conservative, consolidated, sliced};
use backfill_tests::runs::{
    allocations_of, finish, impatient, job, migrations_of, outcomes_of, random_jobs,
    random_jobs_with_usage, setup,
};

/// The end of each job in seconds.
fn ends(finished: &Finished) -> Vec<u64> {
    let end = |outcome: &Outcome| match *outcome {
        Outcome::Ran { end, .. } => {
            assert_eq!(end.0 % MICROS, 0, "whole seconds");
            end.0 / MICROS
        }
        _ => panic!("every job runs"),
    };
    outcomes_of(&finished.replay.record)
        .iter()
        .map(end)
        .collect()
}

fn migrations(finished: &Finished) -> Vec<u32> {
    migrations_of(&finished.replay.record)
}

fn metric(finished: &Finished, name: &str) -> f64 {
    let position = metrics::position(name).expect("a metric of that name");
    finished.metrics[position].expect("it is defined")
}

/// The job on each node at an instant, as the figures of the paper draw it: job numbers from 1.
fn drawn(finished: &Finished, nodes: u32, seconds: u64) -> Vec<String> {
    let allocations = finished.replay.record.allocations.as_ref().expect("kept");
    let mut cells = vec!["-".to_owned(); nodes as usize];
    for allocation in allocations.active_at(Time(seconds * MICROS)) {
        for (node, _) in allocation.shares() {
            cells[node as usize] = (allocation.job.0 + 1).to_string();
        }
    }
    cells
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn on_nodes(nodes: &str, policy: &str, cost: &str, jobs: &[(u64, u32, u64)]) -> Finished {
    let setup = setup(&[
        ("system", "nodes"),
        ("nodes", nodes),
        ("policy", policy),
        ("migration_cost_s", cost),
        ("floor_one", "off"),
    ]);
    let jobs: Vec<Job> = jobs
        .iter()
        .map(|&(at, size, run)| job(at, size, run))
        .collect();
    finish(&setup, &sorted(jobs))
}

/// Figures 1a and 1b: six nodes, all jobs at 0.
#[test]
fn figure_1_row_by_row() {
    let jobs = [
        (0, 1, 20),
        (0, 2, 5),
        (0, 6, 5),
        (0, 4, 5),
        (0, 2, 15),
        (0, 1, 10),
    ];
    let rows = |policy, rows: &[(u64, &str)]| {
        let finished = on_nodes("6", policy, "0", &jobs);
        for &(seconds, row) in rows {
            assert_eq!(
                drawn(&finished, 6, seconds),
                words(row),
                "{policy} at {seconds}"
            );
        }
    };
    rows(
        "cmbf",
        &[
            (0, "1 2 2 5 5 6"),
            (5, "1 4 4 4 4 6"),
            (10, "1 5 5 - - -"),
            (20, "3 3 3 3 3 3"),
        ],
    );
    rows(
        "ambf",
        &[
            (0, "1 2 2 5 5 6"),
            (5, "1 - - 5 5 6"),
            (10, "1 - - 5 5 -"),
            (15, "1 4 4 4 4 -"),
            (20, "3 3 3 3 3 3"),
        ],
    );
    for (policy, cost, expected_ends, response, slowdown, moved) in [
        (
            "cmbf",
            "0",
            [20, 5, 25, 10, 20, 10],
            15.0,
            1.222_222,
            [0, 0, 0, 0, 1, 0],
        ),
        (
            "ambf",
            "0",
            [20, 5, 25, 20, 15, 10],
            15.833_333,
            1.333_333,
            [0; 6],
        ),
        (
            "easy",
            "0",
            [20, 5, 25, 20, 15, 10],
            15.833_333,
            1.333_333,
            [0; 6],
        ),
        (
            "fcfs",
            "0",
            [20, 5, 25, 30, 40, 40],
            26.666_667,
            2.277_778,
            [0; 6],
        ),
        (
            "cmbf",
            "2",
            [20, 5, 25, 10, 29, 10],
            16.5,
            1.322_222,
            [0, 0, 0, 0, 2, 0],
        ),
    ] {
        let finished = on_nodes("6", policy, cost, &jobs);
        assert_eq!(ends(&finished), expected_ends, "{policy}");
        assert_eq!(migrations(&finished), moved, "{policy}");
        let near = |name, value: f64| (metric(&finished, name) - value).abs() < 1e-6;
        assert!(near("response_mean", response), "{policy}");
        assert!(near("bsd_mean", slowdown), "{policy}");
    }
}

/// A later head leaves more room than it needs, so that an evicted job starts again at once.
#[test]
fn a_victim_that_fits_again_restarts_and_pays() {
    let jobs = [
        (0, 11, 30),
        (0, 3, 10),
        (0, 3, 20),
        (1, 13, 10),
        (1, 7, 10),
        (1, 5, 100),
        (1, 4, 100),
        (1, 3, 100),
    ];
    let finished = on_nodes("23", "ambf", "2", &jobs);
    assert_eq!(ends(&finished), [30, 10, 20, 40, 40, 113, 122, 122]);
    assert_eq!(migrations(&finished), [0, 0, 0, 0, 0, 1, 1, 1]);
}

#[test]
fn a_job_that_did_no_work_pays_for_its_restart_all_the_same() {
    let finished = on_nodes("3", "cmbf", "2", &[(0, 2, 0), (0, 3, 4), (0, 1, 6)]);
    assert_eq!(ends(&finished), [0, 4, 12]);
    assert_eq!(migrations(&finished), [0, 0, 1]);
}

/// A policy of which something is checked after every pass, and that a second pass does nothing.
struct Checked<P, C> {
    policy: P,
    check: C,
    passes: u32,
}

impl<S, P, C> Policy<S> for Checked<P, C>
where
    S: System<Placement: PartialEq + std::fmt::Debug>,
    P: Policy<S>,
    C: FnMut(&Context<S>),
{
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        self.policy.arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        self.policy.pass(cx);
        self.passes += 1;
        (self.check)(cx);
        let now = |cx: &Context<S>| -> Vec<_> {
            let running = cx.running().iter();
            running
                .map(|&job| (job, cx.place(job).cloned(), cx.held_since(job)))
                .collect()
        };
        let before = now(cx);
        self.policy.pass(cx);
        assert_eq!(now(cx), before, "a second pass changes nothing");
    }
}

/// A job with times in seconds and the CPU usage of its processes in per cent.
fn using(submit: u64, run: u64, usages: &[u32]) -> Job {
    let process = |&usage: &u32| Process {
        usage: Percent(usage.into()),
        reported: Percent(usage.into()),
        overhead: 0.0,
    };
    Job {
        cpu: Some(Arc::new(Cpu {
            processes: usages.iter().map(process).collect(),
            efficiency: 1.0,
        })),
        ..job(submit, usages.len() as u32, run)
    }
}

/// A run on two tiers whose background runs at full speed.
fn on_two_tiers(nodes: &str, policy: &str, cost: &str, jobs: &[Job]) -> Finished {
    let setup = setup(&[
        ("system", "nodes"),
        ("tiers", "2"),
        ("full_background", "on"),
        ("nodes", nodes),
        ("policy", policy),
        ("migration_cost_s", cost),
        ("floor_one", "off"),
    ]);
    finish(&setup, &sorted(jobs.to_vec()))
}

/// Rows of both tiers: the foreground of each node, a bar, the background of each node.
fn check_rows(finished: &Finished, nodes: u32, rows: &[(u64, &str)]) {
    for &(seconds, row) in rows {
        let mut cells = drawn(finished, 2 * nodes, seconds);
        cells.insert(nodes as usize, "|".to_owned());
        assert_eq!(cells, words(row), "at {seconds}");
    }
}

/// Figure 2: five nodes, all jobs at 0.
#[test]
fn figure_2_row_by_row() {
    let jobs = |seventh, eighth| {
        [
            using(0, 10, &[100]),
            using(0, 5, &[90, 50]),
            using(0, 10, &[50, 50]),
            using(0, 10, &[70; 3]),
            using(0, 25, &[100]),
            using(0, 15, &[100]),
            using(0, seventh, &[70; 2]),
            using(0, eighth, &[70; 5]),
            using(0, 5, &[70; 4]),
            using(0, 15, &[100]),
        ]
    };
    let shared = [(0, "1 2 2 3 3 | - 5 4 4 4"), (5, "1 5 6 3 3 | - - - 7 7")];
    let tens = [
        (10, "4 5 6 4 4 | 10 - - 7 7"),
        (15, "10 5 6 - - | - - - - -"),
    ];
    for (policy, twenty, twenty_five, response, slowdown) in [
        (
            "cmcbf",
            "9 5 9 9 9 | 10 - - - -",
            "8 8 8 8 8 | - - - - -",
            18.0,
            1.5,
        ),
        (
            "amcbf",
            "10 5 - - - | - - - - -",
            "8 8 8 8 8 | 9 9 9 9 -",
            18.5,
            1.55,
        ),
    ] {
        let finished = on_two_tiers("5", policy, "0", &jobs(10, 5));
        check_rows(&finished, 5, &shared);
        check_rows(&finished, 5, &tens);
        check_rows(&finished, 5, &[(20, twenty), (25, twenty_five)]);
        assert_eq!(migrations(&finished), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        let near = |name, value: f64| (metric(&finished, name) - value).abs() < 1e-9;
        assert!(near("response_mean", response), "{policy}");
        assert!(near("bsd_mean", slowdown), "{policy}");
        // How long the seventh and the eighth job run changes nothing else.
        for (seventh, eighth) in [(5, 5), (8, 5), (10, 7)] {
            let other = on_two_tiers("5", policy, "0", &jobs(seventh, eighth));
            check_rows(&other, 5, &shared);
            check_rows(&other, 5, &[tens[1], (20, twenty), (25, twenty_five)]);
        }
    }
}

#[test]
fn with_equal_usages_the_fourth_job_of_figure_2_moves_twice() {
    let jobs = [
        using(0, 10, &[100]),
        using(0, 5, &[70; 2]),
        using(0, 10, &[70; 2]),
        using(0, 10, &[70; 3]),
        using(0, 25, &[100]),
        using(0, 15, &[100]),
        using(0, 10, &[70; 2]),
        using(0, 5, &[70; 5]),
        using(0, 5, &[70; 4]),
        using(0, 15, &[100]),
    ];
    let finished = on_two_tiers("5", "cmcbf", "0", &jobs);
    check_rows(
        &finished,
        5,
        &[(0, "1 2 2 3 3 | - 4 4 4 5"), (5, "1 5 6 3 3 | - - - 7 7")],
    );
    assert_eq!(migrations(&finished).iter().sum::<u32>(), 2);
}

/// A background job loses a node to an arrival and goes on beside another.
#[test]
fn an_arrival_evicts_a_background_job() {
    for policy in ["cmcbf", "amcbf"] {
        let jobs = |run| {
            [
                using(0, run, &[50; 2]),
                using(0, 10, &[60; 2]),
                using(5, 5, &[100]),
            ]
        };
        let finished = on_two_tiers("3", policy, "2", &jobs(20));
        check_rows(&finished, 3, &[(0, "1 1 - | 2 - 2"), (5, "1 1 3 | 2 2 -")]);
        assert_eq!(ends(&finished), [20, 12, 10]);
        let histories = finished.replay.record.histories.iter();
        let evictions = histories.map(|history| history.evictions);
        assert_eq!(evictions.collect::<Vec<_>>(), [0, 1, 0]);
        for (name, expected) in [
            ("preemptions_per_job", 0.0),
            ("evictions_per_job", 1.0 / 3.0),
            ("promotions_per_job", 0.0),
            ("swaps_per_job", 0.0),
            ("foreground_loss", 0.0),
            // 2·0.5·20 + 2·0.6·10 + 1·5 of 3·20
            ("cpu_utilisation", 37.0 / 60.0),
            // 2·20 + 2·12 + 1·5 of 6·20
            ("slot_utilisation", 69.0 / 120.0),
        ] {
            let found = metric(&finished, name);
            assert!((found - expected).abs() < 1e-12, "{name}: {found}");
        }
        assert_eq!(migrations(&finished), [0, 1, 0]);
        // Swapped to the foreground at 6 while its pause lasts to 7.
        assert_eq!(ends(&on_two_tiers("3", policy, "2", &jobs(6))), [6, 12, 10]);
    }
}

/// An end in the background frees no node, and yet the head may preempt then.
#[test]
fn an_end_in_the_background_lets_the_next_head_preempt() {
    let run = |policy| {
        let job = |size, run| using(0, run, &vec![50; size]);
        let jobs = [job(2, 100), job(5, 10), job(2, 5), job(3, 20), job(2, 50)];
        on_two_tiers("6", policy, "0", &jobs)
    };
    let amcbf = run("amcbf");
    check_rows(
        &amcbf,
        6,
        &[
            (5, "1 1 - - 5 5 | 2 2 2 2 2 -"),
            (10, "1 1 4 4 4 - | - - - - 5 5"),
        ],
    );
    assert_eq!(ends(&amcbf), [100, 10, 5, 30, 50]);
    assert_eq!(migrations(&amcbf), [0; 5]);
    let cmcbf = run("cmcbf");
    check_rows(&cmcbf, 6, &[(5, "1 1 4 4 - 4 | 2 2 2 2 2 -")]);
    assert_eq!(ends(&cmcbf)[4], 55);
    assert_eq!(migrations(&cmcbf), [0, 0, 0, 0, 2]);
    let record = &cmcbf.replay.record;
    let jobs = [0, 1, 2, 3, 4].map(JobId);
    assert_eq!(
        jobs.map(|job| record.histories[job].promotions),
        [0, 0, 0, 0, 1]
    );
    assert_eq!(jobs.map(|job| record.histories[job].evictions), [0; 5]);
}

/// All passes of random runs; returns how many.
fn on_random_passes<S, P, C>(jobs: Jobs, system: S, policy: P, check: C) -> u32
where
    S: System<Placement: PartialEq + std::fmt::Debug>,
    P: Policy<S>,
    C: FnMut(&Context<S>),
{
    let mut checked = Checked {
        policy,
        check,
        passes: 0,
    };
    let mut engine = Engine::new(
        system,
        Box::new(&mut checked),
        jobs,
        Span(2 * MICROS),
        false,
    );
    assert!(engine.advance(u64::MAX));
    drop(engine);
    checked.passes
}

/// Of all present jobs in order of arrival, those that fit into what the ones before them leave.
fn greedy<S: System>(cx: &Context<S>, nodes: u32) -> Vec<JobId> {
    let mut present: Vec<JobId> = cx.waiting().iter().chain(cx.running()).copied().collect();
    present.sort_unstable();
    let mut left = nodes;
    present.retain(|&job| {
        let fits = cx.request(job).size <= left;
        if fits {
            left -= cx.request(job).size;
        }
        fits
    });
    present
}

fn list(behind: Behind, may_preempt: MayPreempt) -> ListPolicy<'static, Nodes> {
    let parts = Parts {
        may_preempt,
        ..Parts::new(Order::Arrival, behind)
    };
    ListPolicy::new(parts, Box::new(Index))
}

#[test]
fn after_a_pass_of_cmbf_the_greedy_set_runs() {
    let mut passes = 0;
    for seed in 0..400 {
        let nodes = 3 + seed as u32 % 40;
        let jobs = random_jobs(seed, nodes.into());
        let policy = list(Behind::Skip, MayPreempt::Anyone);
        passes += on_random_passes(jobs, Nodes::new(nodes), policy, |cx| {
            let running: Vec<JobId> = cx.running().iter().copied().collect();
            assert_eq!(running, greedy(cx, nodes), "seed {seed}");
        });
    }
    assert!(passes >= 10_000, "{passes}");
}

#[test]
fn on_nodes_a_second_pass_of_any_list_policy_changes_nothing() {
    for seed in 0..60 {
        let nodes = 3 + seed as u32 % 40;
        for (blocked, preempt) in [
            (Behind::Stop, MayPreempt::Never),
            (Behind::Reserve, MayPreempt::Never),
            (Behind::Skip, MayPreempt::Never),
            (Behind::Skip, MayPreempt::Head),
        ] {
            let jobs = random_jobs(seed, nodes.into());
            on_random_passes(jobs, Nodes::new(nodes), list(blocked, preempt), |_| {});
        }
    }
}

/// Without bandwidth a fat-tree is as many nodes as it has slots.
#[test]
fn on_a_fat_tree_without_bandwidth_bgmbf_that_gives_back_is_ambf() {
    for seed in 0..60 {
        let mut jobs = random_jobs(seed, 16);
        for id in jobs.ids() {
            jobs[id].bandwidth = backfill_sim::unit::Kbps(0);
        }
        let of = |pairs: &[(&str, &str)]| {
            let finished = finish(&setup(pairs), &jobs);
            let record = finished.replay.record;
            (outcomes_of(&record), migrations_of(&record))
        };
        let bgmbf = "bgmbf+adaba(preempt=conflicting,migration_cost_s=2)";
        let tree = of(&[("k", "4"), ("slots", "1"), ("policy", bgmbf)]);
        let ambf = "ambf(migration_cost_s=2)";
        let nodes = of(&[("system", "nodes"), ("nodes", "16"), ("policy", ambf)]);
        assert_eq!(tree, nodes, "seed {seed}");
    }
}

/// Courses of jobs as a finished run has them.
fn histories(finished: &Finished) -> Vec<JobHistory> {
    let record = &finished.replay.record;
    let history = |(id, outcome): (JobId, &Outcome)| JobHistory {
        ran: match *outcome {
            Outcome::Ran { start, end } => Some((start.0, end.0)),
            _ => None,
        },
        left: match *outcome {
            Outcome::Left { time } => Some(time.0),
            _ => None,
        },
        preemptions: record.histories[id].migrations
            - record.histories[id].evictions
            - record.histories[id].promotions,
        evictions: record.histories[id].evictions,
        promotions: record.histories[id].promotions,
        swaps: record.histories[id].swaps,
    };
    outcomes_of(record).iter_enumerated().map(history).collect()
}

fn rounds() -> u64 {
    if backfill_tests::long() { 5000 } else { 300 }
}

#[test]
fn consolidation_equals_the_plain_reference() {
    let mut sum = JobHistory::default();
    for seed in 0..rounds() {
        let nodes = 3 + seed % 14;
        let jobs = random_jobs_with_usage(seed, nodes);
        for policy in ["cmcbf", "amcbf"] {
            let full = ["off", "on"][seed as usize % 2];
            let cost = ["0", "2", "20", "0.3"][seed as usize % 4];
            let threshold = ["96", "96", "60", "75.5"][seed as usize / 4 % 4];
            let setup = setup(&[
                ("system", "nodes"),
                ("tiers", "2"),
                ("nodes", &nodes.to_string()),
                ("policy", policy),
                ("full_background", full),
                ("migration_cost_s", cost),
                ("threshold", threshold),
            ]);
            let found = histories(&finish(&setup, &jobs));
            assert_eq!(found, consolidated(&setup, &jobs), "{policy}, seed {seed}");
            for history in found {
                sum.preemptions += history.preemptions;
                sum.evictions += history.evictions;
                sum.promotions += history.promotions;
                sum.swaps += history.swaps;
            }
        }
    }
    let JobHistory {
        preemptions,
        evictions,
        promotions,
        swaps,
        ..
    } = sum;
    let least = preemptions.min(evictions).min(promotions).min(swaps);
    assert!(least > 50, "{sum:?}");
}

#[test]
fn conservative_backfilling_equals_the_plain_reference() {
    for seed in 0..rounds() {
        let nodes = 3 + seed % 30;
        let jobs = random_jobs(seed, nodes);
        let setup = setup(&[
            ("system", "nodes"),
            ("nodes", &nodes.to_string()),
            ("policy", "conservative"),
        ]);
        let found = histories(&finish(&setup, &jobs));
        assert_eq!(found, conservative(nodes, &jobs), "seed {seed}");
    }
}

#[test]
fn jobs_that_leave_the_queue_leave_it_as_in_the_plain_references() {
    let (mut left, mut moved) = (0, 0);
    for seed in 0..rounds() {
        let nodes = 3 + seed % 14;
        let jobs = impatient(random_jobs_with_usage(seed, nodes), seed);
        let setup_of = |more: &[(&str, &str)]| {
            let nodes = nodes.to_string();
            setup(&[&[("system", "nodes"), ("nodes", &nodes)], more].concat())
        };
        let mut compare = |setup: &Setup, expected: Vec<JobHistory>| {
            let found = histories(&finish(setup, &jobs));
            assert_eq!(found, expected, "seed {seed}, {setup:?}");
            for history in found {
                left += u32::from(history.left.is_some());
                moved += history.preemptions + history.evictions + history.promotions;
            }
        };
        let plain = setup_of(&[("policy", "conservative")]);
        compare(&plain, conservative(nodes, &jobs));
        for policy in ["cmcbf", "amcbf"] {
            let cost = ["0", "2", "20"][seed as usize % 3];
            let more = [
                ("tiers", "2"),
                ("policy", policy),
                ("migration_cost_s", cost),
            ];
            let tiers = setup_of(&more);
            compare(&tiers, consolidated(&tiers, &jobs));
        }
    }
    assert!(left > 1000 && moved > 1000, "{left} {moved}");
}

/// With exact estimates a reservation only ever moves forward, so no job starts later than the
/// reservation at its arrival.
#[test]
fn conservative_backfilling_keeps_the_first_promise() {
    for seed in 0..200 {
        let nodes = 3 + seed % 30;
        let mut jobs = random_jobs(seed, nodes);
        for id in jobs.ids() {
            jobs[id].runtime = jobs[id].runtime.max(Span(MICROS));
            jobs[id].estimate = jobs[id].runtime;
        }
        let starts = |count: usize| {
            let first: Jobs = jobs.as_slice()[..count].to_vec().into();
            conservative(nodes, &first)
        };
        let all = starts(jobs.len());
        for count in 1..=jobs.len() {
            assert_eq!(
                starts(count),
                all[..count],
                "seed {seed}: later jobs delay nobody"
            );
        }
    }
}

fn rules(threshold: f64) -> BackgroundSharing {
    BackgroundSharing {
        threshold: Percent(threshold),
        full_background: false,
    }
}

#[test]
fn after_a_pass_of_consolidation_what_must_hold_holds() {
    let mut passes = 0;
    for seed in 0..400 {
        let nodes = 3 + seed as u32 % 40;
        for head_only in [false, true] {
            let jobs = random_jobs_with_usage(seed, nodes.into());
            let system = Nodes::with_background(nodes, rules(96.0), &jobs);
            let policy = Consolidate { head_only };
            passes += on_random_passes(jobs, system, policy, |cx| {
                let system = cx.system();
                if !head_only {
                    let front: Vec<JobId> = system.jobs_in(false).iter().copied().collect();
                    assert_eq!(front, greedy(cx, nodes), "seed {seed}");
                }
                for &job in system.jobs_in(true) {
                    assert!(
                        !system.jobs_in(false).contains(&job),
                        "{job} is in both tiers"
                    );
                    let placement = cx.place(job).expect("it runs");
                    assert!(placement.vms().all(|vm| system.leaves_enough(vm)));
                }
                let left = system.available(true).count() as u64;
                assert_eq!(cx.next_waiting(std::ops::Bound::Unbounded, left), None);
            });
        }
    }
    assert!(passes >= 20_000, "{passes}");
}

/// With nothing eligible for the background, consolidation is its foreground alone; and a policy
/// that does not use the background does not see it.
#[test]
fn without_a_background_two_tiers_are_one() {
    for seed in 0..100 {
        let jobs = random_jobs_with_usage(seed, 20);
        let of = |tiers, policy| {
            let setup = setup(&[
                ("system", "nodes"),
                ("nodes", "20"),
                ("tiers", tiers),
                ("policy", policy),
            ]);
            histories(&finish(&setup, &jobs))
        };
        for (two, one) in [
            (
                "cmcbf(threshold=0,migration_cost_s=2)",
                "cmbf(migration_cost_s=2)",
            ),
            (
                "amcbf(threshold=0,migration_cost_s=2)",
                "ambf(migration_cost_s=2)",
            ),
            ("fcfs", "fcfs"),
            ("easy", "easy"),
        ] {
            assert_eq!(of("2", two), of("1", one), "{two}, seed {seed}");
        }
    }
    // FCFS on slots of a fat-tree without bandwidth is FCFS on nodes.
    for seed in 0..30 {
        let mut jobs = random_jobs(seed, 16);
        for id in jobs.ids() {
            jobs[id].bandwidth = backfill_sim::unit::Kbps(0);
        }
        let of = |pairs: &[(&str, &str)]| histories(&finish(&setup(pairs), &jobs));
        let tree = of(&[("k", "4"), ("slots", "1"), ("policy", "fcfs")]);
        assert_eq!(
            tree,
            of(&[("system", "nodes"), ("nodes", "16"), ("policy", "fcfs")])
        );
    }
}

/// Alone in the foreground of its nodes with a neighbour behind it, a job loses at most 3.7 per
/// cent: in all runs, no foreground rate is lower; and all work gets done.
#[test]
fn in_the_foreground_no_job_loses_more_than_its_share() {
    for seed in 0..60 {
        let jobs = random_jobs_with_usage(seed, 12);
        for policy in ["cmcbf(migration_cost_s=2)", "amcbf(migration_cost_s=2)"] {
            let setup = setup(&[
                ("system", "nodes"),
                ("nodes", "12"),
                ("tiers", "2"),
                ("policy", policy),
            ]);
            let finished = finish(&setup, &jobs);
            let allocations = allocations_of(&finished.replay.record);
            for (id, job) in finished.replay.jobs.iter_enumerated() {
                let own: Vec<_> = allocations
                    .iter()
                    .filter(|allocation| allocation.job == id)
                    .collect();
                let held: u64 = own
                    .iter()
                    .map(|allocation| (allocation.end - allocation.start).0)
                    .sum();
                let in_front = own
                    .iter()
                    .all(|allocation| allocation.shares().all(|share| share.0 < 12));
                if own.is_empty() {
                    continue;
                }
                let pauses =
                    u64::from(finished.replay.record.histories[id].migrations) * 2 * MICROS;
                let paid = job.runtime.0 as f64;
                assert!(held as f64 >= paid, "{id} did all its work");
                if in_front {
                    let most = paid / (1.0 - 0.037) + pauses as f64 + 1.0;
                    assert!(
                        held as f64 <= most,
                        "seed {seed}: {id} held {held} of {most}"
                    );
                }
            }
        }
    }
}

/// Shorter slices come closer to exact events, from above: the mean of many samples against the
/// rate of the mean sample.
#[test]
fn slices_converge_to_exact_events() {
    let job = |overhead: f64| Job {
        cpu: Some(Arc::new(Cpu {
            processes: vec![Process {
                usage: Percent(40.0),
                reported: Percent(40.0),
                overhead,
            }],
            efficiency: 0.5,
        })),
        ..job(0, 1, 1000)
    };
    let setup = setup(&[
        ("system", "nodes"),
        ("tiers", "2"),
        ("nodes", "1"),
        ("policy", "cmcbf"),
    ]);
    // The neighbour works at half speed, and so outlasts the job in front.
    let jobs = sorted(vec![job(0.0185), job(0.0)]);
    let outcomes = outcomes_of(&finish(&setup, &jobs).replay.record);
    let Outcome::Ran { end, .. } = outcomes[JobId(0)] else {
        panic!("it runs");
    };
    let exact = end.seconds();
    assert!((exact - 1000.0 / (1.0 - 0.0185)).abs() < 1e-6, "{exact}");
    let mut last = f64::INFINITY;
    for (slice, expected) in [
        (100.0, 1100.0),
        (10.0, 1021.4),
        (1.0, 1019.3),
        (0.1, 1018.9),
    ] {
        let mean = sliced(1000.0, slice, 0.037, 2000);
        // Ends are whole slices, so the mean errs by a part of one.
        let close = (0.05 * slice).max(0.1);
        assert!((mean - expected).abs() < close, "slices of {slice}: {mean}");
        assert!(
            mean < last && mean > exact - 0.1,
            "slices of {slice}: {mean}"
        );
        last = mean;
    }
    assert!(last - exact < 0.2, "{last} and {exact}");
}
