//! Every metric on one small run, computed by hand.

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{CellRun, cells};
use backfill_papers::{Effort, FigureKind, Interpretation, PAPERS, WorkloadFrom};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::metrics::METRICS;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Keep, Replay};
use backfill_sim::unit::Kbps;
use backfill_tests::runs::{finish, job, results, setup};

/// Two servers of two slots. Job: what it holds, in seconds.
/// - 0: two machines on server 0, one on server 1, 0–100; every link carries 100 Mbit/s
/// - 1: needs all four slots; waits 10–100, runs 100–150; every link carries 400 Mbit/s
/// - 2: backfilled on one slot 20–100, suspended for job 1, waits 100–150, pays 20 s, then works
///   the 120 s left: 150–290
/// - 3: five machines never fit
/// - 4: waits 120–150, runs 150–153
/// - 5: both machines on server 1, 155–165
/// - 6: 160–164
fn jobs() -> Jobs {
    let with = |mbps: u64, job: Job| Job {
        bandwidth: Kbps(1000 * mbps),
        ..job
    };
    sorted(vec![
        with(100, job(0, 3, 100)),
        with(200, job(10, 4, 50)),
        job(20, 1, 200),
        job(30, 5, 10),
        job(120, 1, 3),
        with(300, job(155, 2, 10)),
        job(160, 1, 4),
    ])
}

/// The metrics of the run by name.
fn measured(options: &[(&str, &str)]) -> Vec<(&'static str, Option<f64>)> {
    let mut pairs = vec![
        ("k", "2"),
        ("slots", "2"),
        ("policy", "bgmbf+first-fit(migration_cost_s=20)"),
    ];
    pairs.extend(options);
    let values = finish(&setup(&pairs), &jobs()).metrics;
    METRICS
        .iter()
        .map(|metric| metric.name)
        .zip(values)
        .collect()
}

fn value(options: &[(&str, &str)], name: &str) -> f64 {
    let measured = measured(options);
    let found = measured.iter().find(|metric| metric.0 == name);
    found.and_then(|metric| metric.1).expect("it is defined")
}

#[track_caller]
fn close(found: f64, expected: f64, name: &str) {
    let error = (found - expected).abs();
    assert!(
        error < 1e-12 * expected.max(1.0),
        "{name}: {found}, not {expected}"
    );
}

#[test]
fn every_metric_worked_by_hand() {
    let expected = [
        // Six of seven ran.
        ("accept_rate", 6.0 / 7.0),
        // 0, 90, 0, 30, 0, 0
        ("wait_mean", 20.0),
        // 100/100, 140/50, 270/200, 33/10, 10/10, and 1 for 4/10
        ("bsd_mean", (1.0 + 2.8 + 1.35 + 3.3 + 1.0 + 1.0) / 6.0),
        // The third and the sixth of six, ascending.
        ("wait_median", 0.0),
        ("wait_p95", 90.0),
        ("wait_max", 90.0),
        // 4·20² + 70² + 10² of six
        ("wait_sd", 1100_f64.sqrt()),
        // Weights 3, 4, 1, 1, 2, 1: (4·90 + 1·30) of 12
        ("wait_weighted", 32.5),
        // 7·32.5² + 4·57.5² + 1·2.5² of 12
        ("wait_weighted_sd", 1718.75_f64.sqrt()),
        // 7·32.5² + 4·(90/4 − 32.5)² + 1·2.5² of 12
        ("wait_weighted_sd_literal", 650_f64.sqrt()),
        // 0, 0, 0, 0, 30, 90: (3·30 + 5·90) of 6·120
        ("wait_gini", 0.75),
        // 3·100 + 4·140 + 1·270 + 1·33 + 2·10 + 1·4 of 12
        ("response_weighted", 1187.0 / 12.0),
        // 4, 10, 33, 100, 140, 270
        ("response_mean", 557.0 / 6.0),
        ("response_median", 33.0),
        ("response_p95", 270.0),
        ("response_max", 270.0),
        // 0, 90, 70, 30, 0, 0
        ("total_wait_mean", 190.0 / 6.0),
        // 1, 1, 1, 1.35, 2.8, 3.3
        ("bsd_median", 1.0),
        ("bsd_p95", 3.3),
        ("bsd_max", 3.3),
        ("missed", 0.0),
        ("blocked", 0.0),
        ("infeasible", 1.0),
        ("unplaceable", 0.0),
        ("migrations", 1.0),
        ("migrations_per_job", 1.0 / 6.0),
        ("makespan", 290.0),
        // 3·100 + 4·50 + 1·(80 + 140) + 1·3 + 2·10 + 1·4 of 4·290
        ("slot_utilisation", 747.0 / 1160.0),
        // (100·100 + 400·50) of 1000·290 on every link
        ("server_links", 30.0 / 290.0),
        ("edge_links", 30.0 / 290.0),
        ("core_links", 30.0 / 290.0),
        ("server_links_peak", 0.4),
        ("edge_links_peak", 0.4),
        ("core_links_peak", 0.4),
        // Job 5 of jobs 0, 1 and 5.
        ("hidden", 1.0 / 3.0),
        ("overbooked", 0.0),
        // Job 1 for 90 s, job 2 for 50 s, job 4 for 30 s.
        ("queue_mean", 170.0 / 290.0),
        // Jobs 2 and 4.
        ("queue_max", 2.0),
        // Job 3, and all others ran.
        ("oversize", 1.0),
        ("accept_possible", 1.0),
        // Neither pauses nor suspensions are work.
        ("stretch_mean", 1.0),
        ("stretch_p95", 1.0),
        ("stretch_max", 1.0),
        // Job 2, which was to end at 220.
        ("late", 1.0 / 6.0),
    ];
    let mut measured = measured(&[]);
    // Without a background or clusters there are no measures of them; their own suites have them.
    measured.retain(|metric| {
        let other = [
            "preemptions",
            "evictions",
            "promotions",
            "swaps",
            "foreground",
            "cpu",
            "penalty",
            "co_allocated",
            "cluster_links",
            "decision_steps",
            "not_finite",
            "left",
            "leaves",
            "fragmentation",
        ];
        let of_others = other.iter().any(|word| metric.0.starts_with(word));
        assert_eq!(metric.1.is_none(), of_others, "{}", metric.0);
        !of_others
    });
    let names: Vec<&str> = measured.iter().map(|metric| metric.0).collect();
    assert_eq!(names, expected.map(|metric| metric.0));
    for ((name, found), (_, expected)) in measured.into_iter().zip(expected) {
        close(found.expect("it is defined"), expected, name);
    }
}

#[test]
fn slowdown_is_bounded_by_gamma_and_by_default_by_one() {
    close(
        value(&[("floor_one", "off")], "bsd_mean"),
        (1.0 + 2.8 + 1.35 + 3.3 + 1.0 + 0.4) / 6.0,
        "no floor",
    );
    // 100/200, 140/200, 270/200, 33/200, 10/200, 4/200
    close(
        value(&[("gamma_s", "200"), ("floor_one", "off")], "bsd_mean"),
        557.0 / 200.0 / 6.0,
        "gamma",
    );
}

#[test]
fn warm_up_and_cool_down_leave_jobs_out_but_not_their_use_of_slots() {
    // ⌊0.2 · 7⌋ = 1: job 0. After the last arrival at 160 s jobs 2, 5 and 6 end; ⌊0.5 · 3⌋ = 1: job
    // 2, which ends last. Left are jobs 1, 3, 4, 5, 6 with waits 90, –, 30, 0, 0.
    let trimmed = [("warmup", "0.2"), ("cooldown", "0.5")];
    for (name, expected) in [
        ("accept_rate", 0.8),
        ("wait_mean", 30.0),
        ("response_max", 140.0),
        ("infeasible", 1.0),
        ("migrations", 0.0),
        ("hidden", 0.5),
        ("makespan", 290.0),
        ("slot_utilisation", 747.0 / 1160.0),
    ] {
        close(value(&trimmed, name), expected, name);
    }
    // ⌊0.15 · 7⌋ = 1, ⌊0.3 · 3⌋ = 0
    let less = [("warmup", "0.15"), ("cooldown", "0.3")];
    close(value(&less, "wait_mean"), 120.0 / 5.0, "wait_mean");
}

#[test]
fn without_a_queue_jobs_are_rejected_and_what_is_not_defined_has_no_value() {
    // At 10 s job 1 needs four slots and one is free. All others start when they arrive.
    let rejecting = [("policy", "none+first-fit")];
    let mut pairs = vec![("k", "2"), ("slots", "2")];
    pairs.extend(rejecting);
    let finished = finish(&setup(&pairs), &jobs());
    let of = |name| finished.metrics[backfill_sim::metrics::position(name).unwrap()];
    assert_eq!(of("accept_rate"), Some(5.0 / 7.0));
    assert_eq!(of("blocked"), Some(1.0));
    assert_eq!(of("missed"), Some(0.0));
    assert_eq!(of("wait_max"), Some(0.0));
    // Of jobs that never run there is only the count.
    let never = finish(&setup(&pairs), &sorted(vec![job(0, 5, 10), job(7, 9, 10)]));
    for (metric, value) in METRICS.iter().zip(never.metrics) {
        let expected = match metric.name {
            "infeasible" | "oversize" => Some(2.0),
            "accept_rate" | "missed" | "blocked" | "unplaceable" | "migrations" | "overbooked"
            | "queue_max" => Some(0.0),
            _ => None,
        };
        assert_eq!(value, expected, "{}", metric.name);
    }
}

#[test]
fn times_in_common_are_those_of_the_jobs_that_every_policy_runs() {
    let pairs = [
        ("policy", "none+adaba,none+oktopus,fcfs"),
        ("x", "load:0.9,1.3"),
        ("jobs", "300"),
        ("reps", "2"),
    ];
    let own = results(&pairs);
    let common = results(&[&pairs[..], &[("timed", "common")]].concat());
    assert_eq!(common.digest(), own.digest());
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    let cells = cells(&scenario);
    for (outcome, before) in common.outcomes().zip(own.outcomes()) {
        // The same jobs under every policy, run once more.
        let cell = outcome.cell;
        let alike = cells.iter().filter(|other| {
            (other.x, other.y, other.replication) == (cell.x, cell.y, cell.replication)
        });
        let records: Vec<(usize, Replay)> = alike
            .map(|other| {
                let run = CellRun::new(&scenario, *other, None, Keep::Histories).expect("jobs");
                (other.policy, run.finish().1)
            })
            .collect();
        let started = |replay: &Replay, job: JobId| match replay.record.histories[job].outcome {
            Outcome::Ran { start, .. } => Some(start),
            _ => None,
        };
        let (_, mine) = &records[cell.policy];
        let waits: Vec<f64> = mine
            .jobs
            .iter_enumerated()
            .filter(|(id, _)| {
                records
                    .iter()
                    .all(|(_, replay)| started(replay, *id).is_some())
            })
            .map(|(id, job)| (started(mine, id).expect("it ran") - job.submit).seconds())
            .collect();
        assert!(waits.len() > 100 && waits.len() < 300);
        let mean = waits.iter().sum::<f64>() / waits.len() as f64;
        for ((metric, value), before) in METRICS.iter().zip(&outcome.metrics).zip(&before.metrics) {
            if metric.name == "wait_mean" {
                close(value.expect("jobs ran"), mean, metric.name);
            }
            if !metric.of_times {
                assert_eq!(value, before, "{}", metric.name);
            }
        }
    }
}

/// That of paper 5 is at least 1; those of the others keep no slowdown from falling below it, and
/// their figures stay as they are.
#[test]
fn figures_of_bounded_slowdown_take_the_formula_of_their_paper() {
    let mut found = [0, 0];
    for figure in PAPERS.iter().flat_map(|paper| paper.figures) {
        let FigureKind::Sweep(sweep) = figure.kind else {
            continue;
        };
        if sweep.metric.starts_with("bsd") {
            let interpretation = Interpretation::default();
            let scenario = sweep.scenario(&interpretation, Effort::Quick, WorkloadFrom::LookAlike);
            let has_floor = scenario.get("floor_one") == "on";
            assert_eq!(has_floor, figure.id.starts_with("p5-"), "{}", figure.id);
            let said = "bounded slowdown may be below 1";
            assert_eq!(figure.caption.contains(said), !has_floor, "{}", figure.id);
            found[usize::from(has_floor)] += 1;
        }
    }
    assert_eq!(found, [4, 11]);
}
