//! The policies of paper 2 on its own examples, and what holds after every pass of them.

use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::metrics;
use backfill_sim::place::nodes::Index;
use backfill_sim::policy::Policy;
use backfill_sim::policy::list::{Backfilled, Blocked, ListPolicy, Order, Preempt};
use backfill_sim::record::Fate;
use backfill_sim::run::Finished;
use backfill_sim::scenario::Victims;
use backfill_sim::system::System;
use backfill_sim::system::nodes::Nodes;
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_tests::runs::{finish, job, random_jobs, setup};

/// The end of each job in seconds.
fn ends(finished: &Finished) -> Vec<u64> {
    let end = |fate: &Fate| match *fate {
        Fate::Ran { end, .. } => {
            assert_eq!(end.0 % MICROS, 0, "whole seconds");
            end.0 / MICROS
        }
        _ => panic!("every job runs"),
    };
    finished.replay.record.fates.iter().map(end).collect()
}

fn migrations(finished: &Finished) -> Vec<u32> {
    finished.replay.record.migrations.as_slice().to_vec()
}

fn metric(finished: &Finished, name: &str) -> f64 {
    let position = metrics::position(name).expect("a metric of that name");
    finished.metrics[position].expect("it is defined")
}

/// Who has each node at an instant, as the figures of the paper draw it: job numbers from 1.
fn drawn(finished: &Finished, nodes: u32, seconds: u64) -> Vec<String> {
    let stints = finished.replay.record.stints.as_ref().expect("kept");
    let mut cells = vec!["-".to_owned(); nodes as usize];
    for stint in stints.active_at(Time(seconds * MICROS)) {
        for &(node, _) in &stint.shares {
            cells[node as usize] = (stint.job.0 + 1).to_string();
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
    S: System<Place: PartialEq + std::fmt::Debug>,
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

/// All passes of random runs; returns how many.
fn on_random_passes<S, P, C>(jobs: Jobs, system: S, policy: P, check: C) -> u32
where
    S: System<Place: PartialEq + std::fmt::Debug>,
    P: Policy<S>,
    C: FnMut(&Context<S>),
{
    let checked = Checked {
        policy,
        check,
        passes: 0,
    };
    let mut engine = Engine::new(system, checked, jobs, Span(2 * MICROS), false);
    assert!(engine.advance(u64::MAX));
    engine.look().1.passes
}

/// Of all present jobs in order of arrival, those that fit into what the ones before them leave.
fn greedy<S: System>(cx: &Context<S>, nodes: u32) -> Vec<JobId> {
    let mut present: Vec<JobId> = cx.waiting().iter().chain(cx.running()).copied().collect();
    present.sort_unstable();
    let mut left = nodes;
    present.retain(|&job| {
        let fits = cx.ask(job).size <= left;
        if fits {
            left -= cx.ask(job).size;
        }
        fits
    });
    present
}

fn list(blocked: Blocked, preempt: Preempt) -> ListPolicy<Index> {
    ListPolicy {
        order: Order::Arrival,
        backfill_order: Order::Arrival,
        blocked,
        preempt,
        backfilled: Backfilled::Younger,
        victims: Victims::Conflicting,
        placer: Index,
        shadow: None,
    }
}

#[test]
fn after_a_pass_of_cmbf_the_greedy_set_runs() {
    let mut passes = 0;
    for seed in 0..400 {
        let nodes = 3 + seed as u32 % 40;
        let jobs = random_jobs(seed, nodes.into());
        let policy = list(Blocked::Skip, Preempt::Anyone);
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
            (Blocked::Stop, Preempt::Never),
            (Blocked::Reserve, Preempt::Never),
            (Blocked::Skip, Preempt::Never),
            (Blocked::Skip, Preempt::Head),
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
            (record.fates, record.migrations)
        };
        let bgmbf = "bgmbf+adaba(preempt=conflicting,migration_cost_s=2)";
        let tree = of(&[("k", "4"), ("slots", "1"), ("policy", bgmbf)]);
        let ambf = "ambf(migration_cost_s=2)";
        let nodes = of(&[("system", "nodes"), ("nodes", "16"), ("policy", ambf)]);
        assert_eq!(tree, nodes, "seed {seed}");
    }
}
