//! Partial guarantees of bandwidth, or none: shares of links, run times, and equality with plain
//! runs where all is guaranteed.

use std::collections::BTreeMap;

use backfill_experiment::inspect::explain::explain;
use backfill_experiment::inspect::usage::LinkUsage;
use backfill_sim::decimal::Decimal;
use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::machine::System;
use backfill_sim::machine::sharing::{Sharing, speed};
use backfill_sim::metrics;
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::run::{Keep, Run, fat_tree_placer, list_policy};
use backfill_sim::setup::Setup;
use backfill_sim::system::fat_tree::FatTree;
use backfill_sim::unit::{Kbps, MICROS, Time};
use backfill_sim::workload::{self, Arrivals};
use backfill_tests::embedding::asked;
use backfill_tests::runs::{
    LISTS, POLICIES, finish, job, migrations_of, outcomes_of, random_jobs, setup,
};
use backfill_tests::schedule::schedule;
use backfill_tests::sharing::{fault, shares};

/// Two servers of two slots. The first four jobs, which need no bandwidth, leave one slot of each
/// server free at 5 s and the other one at 6 s, so that jobs 4 and 5 have a machine on each server
/// and ask for all of both links. Job 4 is alone until 7 s.
fn two_alike() -> Jobs {
    let with_link = |job: Job| Job {
        bandwidth: Kbps(1_000_000),
        ..job
    };
    sorted(vec![
        job(0, 1, 4),
        job(0, 2, 2),
        job(1, 1, 5),
        job(3, 1, 3),
        with_link(job(5, 2, 10)),
        with_link(job(7, 2, 10)),
    ])
}

/// Start and end of jobs 4 and 5, in seconds.
fn times(own: &[(&str, &str)]) -> [(u64, u64); 2] {
    let mut pairs = vec![("k", "2"), ("slots", "2"), ("policy", "fcfs+first-fit")];
    pairs.extend(own);
    let replay = finish(&setup(&pairs), &two_alike()).replay;
    let outcomes = outcomes_of(&replay.record);
    [4, 5].map(|job| match outcomes[JobId(job)] {
        Outcome::Ran { start, end } => {
            assert_eq!((start.0 % MICROS, end.0 % MICROS), (0, 0), "whole seconds");
            (start.0 / MICROS, end.0 / MICROS)
        }
        outcome => panic!("job {job}: {outcome:?}"),
    })
}

#[test]
fn two_alike_take_as_much_longer_as_they_communicate() {
    let none = ("guarantee", "0");
    // Job 4 has done 2 s when job 5 comes; both then go at half speed until it has done 10 s.
    assert_eq!(times(&[none, ("communication", "1")]), [(5, 23), (7, 25)]);
    // At two thirds of the speed.
    assert_eq!(times(&[none, ("communication", "0.5")]), [(5, 19), (7, 21)]);
    assert_eq!(times(&[none, ("communication", "0")]), [(5, 15), (7, 17)]);
}

#[test]
fn what_is_guaranteed_is_what_must_be_free() {
    // Half of the links is guaranteed to each: both run at once, and no faster than without.
    let half = [("guarantee", "50"), ("communication", "1")];
    assert_eq!(times(&half), [(5, 23), (7, 25)]);
    let more = [("guarantee", "51"), ("communication", "1")];
    assert_eq!(times(&more), [(5, 15), (15, 25)]);
    assert_eq!(times(&[]), [(5, 15), (15, 25)]);
}

#[test]
fn stretch_and_late_jobs_worked_by_hand() {
    let pairs = [
        ("k", "2"),
        ("slots", "2"),
        ("policy", "fcfs+first-fit"),
        ("guarantee", "0"),
        ("communication", "1"),
    ];
    let found = finish(&setup(&pairs), &two_alike()).metrics;
    // Jobs 4 and 5 take 18 s for 10, the other four what they say.
    for (name, expected) in [
        ("stretch_mean", 7.6 / 6.0),
        ("stretch_p95", 1.8),
        ("stretch_max", 1.8),
        ("late", 2.0 / 6.0),
    ] {
        let value = found[metrics::position(name).expect("a metric")];
        let off = value.expect("it is defined") - expected;
        assert!(off.abs() < 1e-12, "{name}: {value:?}");
    }
}

#[test]
fn a_slowed_job_names_the_link_and_the_jobs_on_it() {
    let mut jobs = two_alike();
    for (number, id) in (1..).zip(jobs.ids()) {
        jobs[id].number = number;
    }
    let setup = setup(&[
        ("k", "2"),
        ("slots", "2"),
        ("policy", "fcfs+first-fit"),
        ("guarantee", "0"),
    ]);
    let said = |seconds: u64| {
        let at = Some(Time(seconds * MICROS));
        explain(&setup, jobs.clone(), JobId(4), at).to_string()
    };
    let running = "Job 5 asks for 2 slots of 1000 Mbit/s each. At";
    assert_eq!(said(6), format!("{running} 6 s it is running, since 5 s."));
    assert_eq!(
        said(7),
        format!(
            "{running} 7 s it is running, since 5 s. It has 50.0 % of the bandwidth it asks for and \
             runs at 66.7 % of its undisturbed speed: the link server 0 – edge switch 0 of pod 0 is \
             full, shared with job 6."
        )
    );
}

/// Jobs that come and go on links, some of them contended.
#[test]
fn shares_computed_where_something_has_changed_are_those_of_all_anew() {
    let rounds = if backfill_tests::long() { 2000 } else { 200 };
    let (mut contended, mut spared) = (0, 0);
    for seed in 0..rounds {
        let mut stream = Stream::new(seed, 0, "sharing", 0);
        let mut below = |n| stream.below(n);
        let capacity: Vec<u64> = (0..2 + below(12)).map(|_| 1 + below(2000)).collect();
        let links = capacity.len() as u64;
        let percent = [0, 0, 10, 40, 100][below(5) as usize];
        let rates: Vec<Kbps> = capacity.iter().copied().map(Kbps).collect();
        let mut sharing = Sharing::new(&rates, percent, Decimal::whole(1));
        let mut running: Vec<(JobId, Vec<u64>)> = Vec::new();
        let mut kept: Vec<(JobId, f64)> = Vec::new();
        for index in 0..60 {
            for _ in 0..=below(2) {
                if !running.is_empty() && below(3) == 0 {
                    let (job, _) = running.remove(below(running.len() as u64) as usize);
                    sharing.stop(job);
                    kept.retain(|of| of.0 != job);
                }
            }
            let mut asks = vec![0; capacity.len()];
            for _ in 0..1 + below(3) {
                asks[below(links) as usize] = below(900);
            }
            let job = JobId(index);
            let by_link = asks.iter().enumerate();
            let by_link = by_link.map(|(link, &asked)| (LinkId::new(link), Kbps(asked)));
            sharing.start(job, by_link.collect());
            running.push((job, asks));
            kept.push((job, 1.0));
            let changed: BTreeMap<JobId, f64> = sharing.share_out().into_iter().collect();
            let asked: Vec<Vec<u64>> = running.iter().map(|of| of.1.clone()).collect();
            let found: Vec<f64> = running.iter().map(|of| sharing.share_of(of.0)).collect();
            assert_eq!(found, shares(&capacity, percent, &asked), "seed {seed}");
            let fault = fault(&capacity, percent, true, &asked, &found);
            assert_eq!(fault, None, "seed {seed}");
            for ((job, before), &now) in kept.iter_mut().zip(&found) {
                let other = (*before != now).then_some(&now);
                assert_eq!(changed.get(job), other, "seed {seed}, {job}");
                assert_eq!(sharing.limit_of(*job).is_some(), now < 1.0);
                contended += u32::from(now < 1.0);
                spared += u32::from(now < 1.0 && *before == now);
                *before = now;
            }
        }
    }
    assert!(contended > 1000 && spared > 1000, "{contended} {spared}");
}

/// The violation of the rules by the shares of links in a state of a run; `None` if there is none.
/// Also the speed of each job.
fn look(
    cx: &Context<FatTree>,
    percent: u32,
    communication: f64,
) -> (Option<String>, Vec<(JobId, f64)>) {
    let tree = cx.system();
    let capacity: Vec<u64> = tree.links().iter().map(|link| link.0).collect();
    let running: Vec<JobId> = cx.running().iter().copied().collect();
    let place = |job| cx.place(job).expect("it runs");
    let asked: Vec<Vec<u64>> = running
        .iter()
        .map(|&job| asked(tree, &cx.request(job), place(job)))
        .collect();
    let sharing = cx.sharing().expect("links are shared");
    let shares: Vec<f64> = running.iter().map(|&job| sharing.share_of(job)).collect();
    let fault = fault(&capacity, percent, false, &asked, &shares);
    let speeds = shares.iter().map(|&share| speed(communication, share));
    (fault, running.iter().copied().zip(speeds).collect())
}

/// The replay of a run reads off what jobs got of their links why each of them is slow; the engine
/// says it from where it is.
#[test]
fn the_link_that_slows_a_job_down_is_the_same_during_a_run_and_after_it() {
    let mut slowed = 0;
    for seed in 0..if backfill_tests::long() { 320 } else { 32 } {
        let setup = setup(&[
            ("k", "4"),
            ("slots", "2"),
            ("fabric", ["aggregated", "single-root"][seed as usize % 2]),
            ("guarantee", ["0", "20", "50", "90"][seed as usize / 2 % 4]),
            (
                "policy",
                ["fcfs+adaba", "easy+first-fit", "bgmbf+adaba", "cmbf+greedy"]
                    [seed as usize / 8 % 4],
            ),
        ]);
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        let (_, usage) = LinkUsage::taken(finish(&setup, &jobs).replay, &setup);
        let usage = usage.expect("links are shared");
        let arrivals = Arrivals::from(jobs);
        let policy = list_policy(&setup, fat_tree_placer(&setup, &arrivals));
        let tree = setup.system.fat_tree().expect("a fat-tree").build();
        let mut engine = Engine::new(
            tree,
            Box::new(policy),
            arrivals,
            setup.options.migration_cost,
            false,
        );
        // Of the rounds of one instant the last one counts.
        let mut during = BTreeMap::new();
        let mut over = false;
        while !over {
            over = engine.advance(1);
            let cx = engine.context();
            let sharing = cx.sharing().expect("links are shared");
            let limit = |&job: &JobId| {
                let link = sharing.limit_of(job)?;
                let others = sharing.users_of(link).filter(|&other| other != job);
                Some((link, others.collect::<Vec<JobId>>()))
            };
            let limits = cx.running().iter().map(|job| (*job, limit(job)));
            during.insert(cx.now(), limits.collect::<Vec<_>>());
        }
        for (time, limits) in during {
            for (job, expected) in limits {
                let limit = usage.limit(job, time).map(|limit| (limit.link, limit.with));
                assert_eq!(limit, expected, "seed {seed}, {job} at {time}");
                slowed += u32::from(limit.is_some());
            }
        }
    }
    assert!(slowed > 1000, "{slowed}");
}

/// While it works, each job does its work at its rates, to a microsecond; and at every instant
/// shares are fair. A job that pays for a migration does not work.
#[test]
fn shares_are_fair_at_every_instant_and_no_work_is_lost() {
    let policies = [
        "fcfs+adaba",
        "easy+adaba",
        "bgmbf+adaba",
        "cmbf+adaba",
        "bgmbf+adaba(migration_cost_s=3)",
        "cmbf+adaba(migration_cost_s=1)",
    ];
    let (mut slowed, mut paused) = (0, 0);
    for seed in 0..if backfill_tests::long() { 480 } else { 48 } {
        let fabric = ["aggregated", "single-root"][seed as usize % 2];
        let guarantee = ["0", "20", "50", "90"][seed as usize / 2 % 4];
        let setup = setup(&[
            ("k", "4"),
            ("slots", "2"),
            ("fabric", fabric),
            ("guarantee", guarantee),
            ("communication", "0.8"),
            ("policy", policies[seed as usize / 8 % 6]),
        ]);
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        let percent = guarantee.parse().expect("a number");
        let arrivals = Arrivals::from(jobs.clone());
        let policy = list_policy(&setup, fat_tree_placer(&setup, &arrivals));
        let tree = setup.system.fat_tree().expect("a fat-tree").build();
        let mut engine = Engine::new(
            tree,
            Box::new(policy),
            arrivals,
            setup.options.migration_cost,
            true,
        );
        // From when on a job went how fast, until the next instant of its own.
        let mut speeds: Vec<Vec<(Time, f64)>> = vec![Vec::new(); jobs.len()];
        loop {
            let over = engine.advance(1);
            let cx = engine.context();
            let (fault, now) = look(cx, percent, 0.8);
            assert_eq!(fault, None, "seed {seed} at {}", cx.now());
            slowed += now.iter().filter(|(_, speed)| *speed < 1.0).count();
            for (job, speed) in now {
                speeds[job.index()].push((cx.now(), speed));
            }
            if over {
                break;
            }
        }
        let (jobs, _, record) = engine.into_parts();
        let mut done = vec![0.0; jobs.len()];
        for held in record.allocations.as_ref().expect("they are kept").all() {
            paused += u32::from(held.works_from > held.start);
            let steps = speeds[held.job.index()].iter();
            let during = steps.filter(|step| (held.start..held.end).contains(&step.0));
            let during: Vec<&(Time, f64)> = during.collect();
            let until = during.iter().skip(1).map(|step| step.0);
            for (&&(from, speed), until) in during.iter().zip(until.chain([held.end])) {
                let works_from = from.max(held.works_from).min(until);
                done[held.job.index()] += (until - works_from).0 as f64 * speed;
            }
        }
        for (id, job) in jobs.iter_enumerated() {
            if record.histories[id].outcome.end().is_some() {
                let off = done[id.index()] - job.runtime.0 as f64;
                assert!((-0.01..=1.01).contains(&off), "seed {seed}, {id}: {off}");
            }
        }
    }
    assert!(slowed > 1000 && paused > 50, "{slowed} {paused}");
}

/// Runs random jobs as `setup` says, here and plainly; returns how many jobs were slowed down.
fn equals_the_plain_reference(setup: &Setup, jobs: &Jobs, about: &str) -> usize {
    let finished = Run::new(setup, jobs.clone(), Keep::Histories).finish();
    let expected = schedule(setup, jobs);
    let record = &finished.replay.record;
    assert_eq!(
        outcomes_of(record).as_slice(),
        expected.outcomes,
        "{about}: {setup:?}"
    );
    assert_eq!(migrations_of(record), expected.migrations, "{about}");
    assert_eq!(finished.digest, expected.digest, "{about}");
    let without = Run::without_proofs(setup, jobs.clone(), Keep::Histories).finish();
    assert_eq!(finished.digest, without.digest, "{about}");
    let histories = jobs.iter().zip(record.histories.iter());
    histories
        .filter(|(job, history)| history.worked > job.runtime)
        .count()
}

/// A thousand workloads in any case: they are small.
#[test]
fn a_thousand_workloads_run_as_in_the_plain_reference() {
    let lists = LISTS.map(|own| ("list", own));
    let policies = [&POLICIES[..], &lists].concat();
    let mut slowed = 0;
    for seed in 0..1000 {
        let mut stream = Stream::new(seed, 0, "guarantees", 0);
        let mut one_of =
            |choices: &[&'static str]| choices[stream.below(choices.len() as u64) as usize];
        let (queue, own) = policies[seed as usize % policies.len()];
        let placement = one_of(&["adaba", "oktopus", "best-fit", "first-fit", "greedy"]);
        let policy = format!("{queue}+{placement}{own}");
        let (k, slots) = [("2", "6"), ("4", "2"), ("6", "1")][seed as usize / policies.len() % 3];
        // Only aggregated links can be thinner than the servers below them would fill.
        let (fabric, oversubscription) = [
            ("single-root", "1"),
            ("aggregated", "1"),
            ("aggregated", "2"),
            ("aggregated", "3.162"),
        ][stream.below(4) as usize];
        let mut one_of =
            |choices: &[&'static str]| choices[stream.below(choices.len() as u64) as usize];
        let setup = setup(&[
            ("k", k),
            ("slots", slots),
            ("fabric", fabric),
            ("oversubscription", oversubscription),
            ("guarantee", one_of(&["0", "0", "1", "30", "70", "99"])),
            ("communication", one_of(&["0", "0.1", "0.5", "1"])),
            ("policy", &policy),
        ]);
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        slowed += equals_the_plain_reference(&setup, &jobs, &format!("seed {seed}"));
    }
    assert!(slowed > 2000, "{slowed}");
}

/// By default all is guaranteed.
#[test]
fn where_all_is_guaranteed_it_makes_no_difference_how_much_jobs_communicate() {
    for (seed, (queue, own)) in (0..).zip(POLICIES) {
        for placement in ["adaba", "oktopus", "best-fit", "first-fit", "greedy"] {
            let policy = format!("{queue}+{placement}{own}");
            let plain = [("k", "4"), ("slots", "2"), ("policy", policy.as_str())];
            let keys = [("guarantee", "100"), ("communication", "1")];
            let (without, with) = (setup(&plain), setup(&[&plain[..], &keys].concat()));
            let tree = with.system.fat_tree().expect("a fat-tree").build();
            assert!(tree.sharing().is_none());
            let jobs = random_jobs(seed, without.system.capacity().slots);
            let [without, with] = [without, with].map(|setup| finish(&setup, &jobs));
            assert_eq!(without.digest, with.digest, "{policy}");
            assert_eq!(without.metrics, with.metrics, "{policy}");
        }
    }
}

/// Jobs of 1,000,000 s on two servers each, which all request this many Mbit/s of links of 0.1.
fn on_thin_links(bandwidth: &str) -> Setup {
    setup(&[
        ("k", "4"),
        ("slots", "1"),
        ("load", "as-logged"),
        ("interarrival", "constant:1"),
        ("policy", "easy"),
        ("guarantee", "0"),
        ("communication", "1"),
        ("link_mbps", "0.1"),
        ("bandwidth", "constant"),
        ("bandwidth_mbps", bandwidth),
        ("cap_bandwidth", "off"),
        ("size", "constant:2"),
        ("runtime", "constant:1000000"),
        ("jobs", "200"),
    ])
}

/// 200 · 10¹² µs · (1 + B / 100 kbit/s) may be 2⁶² µs.
#[test]
fn jobs_that_may_outlast_time_on_shared_links_are_refused() {
    let made = |bandwidth| {
        let setup = on_thin_links(bandwidth);
        let capacity = setup.system.capacity();
        workload::jobs(&setup.workload, None, &capacity, 1, 0).map(|jobs| (setup, jobs))
    };
    for bandwidth in ["2306", "100000000"] {
        let refused = made(bandwidth).map(|_| ()).expect_err("too long");
        assert_eq!(
            refused.to_string(),
            "workload = poisson: on links that they share, the jobs may take more than 146,000 years; ask for \
             less bandwidth, widen the links or guarantee all of it"
        );
    }
    let (setup, jobs) = made("2305").expect("just short enough");
    let record = finish(&setup, &jobs).replay.record;
    let ends = record.histories.iter().map(|job| job.outcome.end());
    let last = ends.max().flatten().expect("all ran");
    // Eight pairs of servers at a time.
    assert!(last.0 > 1 << 58 && last.0 <= 1 << 62, "{last}");
}

/// Whatever the links carry, jobs are refused or end within the time that instants have.
#[test]
fn on_any_links_jobs_are_refused_or_end_in_time() {
    let (mut refused, mut slowed) = (0, 0);
    for seed in 0..400 {
        let mut stream = Stream::new(seed, 0, "absurd links", 0);
        let mut one_of =
            |choices: &[&'static str]| choices[stream.below(choices.len() as u64) as usize];
        let policy = one_of(&["fcfs", "easy", "bgmbf", "none"]);
        let setup = setup(&[
            ("k", "4"),
            ("slots", one_of(&["1", "3"])),
            ("fabric", one_of(&["aggregated", "single-root"])),
            ("load", "as-logged"),
            ("interarrival", "exponential:10"),
            ("policy", policy),
            ("guarantee", one_of(&["0", "0", "1", "50"])),
            ("communication", one_of(&["0.001", "0.5", "1"])),
            ("link_mbps", one_of(&["0.001", "0.1", "10", "1000"])),
            (
                "bandwidth_mbps",
                one_of(&["1", "1000", "1000000", "100000000"]),
            ),
            ("bandwidth", one_of(&["constant", "normal", "per-size"])),
            ("cap_bandwidth", "off"),
            ("size", "uniform:1:9"),
            (
                "runtime",
                one_of(&[
                    "exponential:1",
                    "exponential:10000",
                    "exponential:100000000",
                ]),
            ),
            ("jobs", "60"),
        ]);
        let capacity = setup.system.capacity();
        let Ok(jobs) = workload::jobs(&setup.workload, None, &capacity, seed, 0) else {
            refused += 1;
            continue;
        };
        let record = finish(&setup, &jobs).replay.record;
        for (job, history) in jobs.iter().zip(record.histories.iter()) {
            assert!(history.outcome.end().is_none_or(|end| end.0 <= 1 << 62));
            slowed += u32::from(history.worked.0 / 1000 > job.runtime.0);
        }
    }
    assert!(refused > 10 && slowed > 100, "{refused} {slowed}");
}
