//! FCFS on plain nodes against queueing theory: start by start against recursions, and on average
//! against closed forms.

use backfill_experiment::study::sweep::CellRun;
use backfill_sim::id::JobId;
use backfill_sim::job::Jobs;
use backfill_sim::metrics;
use backfill_sim::record::Outcome;
use backfill_sim::run::Keep;
use backfill_sim::stats::MeanEstimate;
use backfill_tests::logs;
use backfill_tests::long;
use backfill_tests::queueing::{erlang_c, kiefer_wolfowitz, lindley, mg1_wait, mmc_wait};
use backfill_tests::runs::{finish, one_point, outcomes_of, random_jobs, results, setup};

/// When each job starts under FCFS.
fn starts(jobs: &Jobs, nodes: u32) -> Vec<Option<u64>> {
    let nodes = nodes.to_string();
    let setup = setup(&[("system", "nodes"), ("nodes", &nodes), ("policy", "fcfs")]);
    starts_of(outcomes_of(&finish(&setup, jobs).replay.record).as_slice())
}

fn starts_of(outcomes: &[Outcome]) -> Vec<Option<u64>> {
    let start = |outcome: &Outcome| match outcome {
        Outcome::Ran { start, .. } => Some(start.0),
        _ => None,
    };
    outcomes.iter().map(start).collect()
}

#[test]
fn fcfs_equals_the_kiefer_wolfowitz_recursion() {
    for seed in 0..300 {
        let nodes = 1 + seed as u32 % 40;
        let jobs = random_jobs(seed, u64::from(nodes));
        let expected = kiefer_wolfowitz(&jobs, nodes as usize);
        assert_eq!(starts(&jobs, nodes), expected, "seed {seed}");
    }
}

#[test]
fn fcfs_equals_the_kiefer_wolfowitz_recursion_on_real_logs() {
    for (log, nodes) in [(logs::KTH, "100"), (logs::NASA, "128")] {
        let Some(trace) = logs::trace(log) else {
            return;
        };
        let (scenario, cell) = one_point(&[
            ("system", "nodes"),
            ("nodes", nodes),
            ("workload", "swf"),
            ("load", "as-logged"),
            ("policy", "fcfs"),
        ]);
        let run = CellRun::new(&scenario, cell, Some(&trace), Keep::Histories).expect("jobs");
        let replay = run.finish().1;
        let expected = kiefer_wolfowitz(&replay.jobs, nodes.parse().unwrap());
        assert_eq!(
            starts_of(outcomes_of(&replay.record).as_slice()),
            expected,
            "{log}"
        );
    }
}

#[test]
fn fcfs_of_jobs_that_need_the_whole_machine_equals_the_lindley_recursion() {
    for seed in 0..100 {
        let mut jobs = random_jobs(seed, 8);
        for id in jobs.ids().collect::<Vec<JobId>>() {
            jobs[id].size = 8;
        }
        let submits = jobs.iter().map(|job| job.submit.0);
        let expected = submits
            .zip(lindley(&jobs))
            .map(|(submit, wait)| Some(submit + wait));
        assert_eq!(
            starts(&jobs, 8),
            expected.collect::<Vec<_>>(),
            "seed {seed}"
        );
    }
}

/// Published values: L. Kleinrock, "Queueing Systems", volume 1, 1975, for the formulas.
#[test]
fn closed_forms_have_their_known_values() {
    for (servers, utilisation, waits, mean) in [
        (1, 0.5, 0.5, 1.0),
        (1, 0.9, 0.9, 9.0),
        (2, 0.8, 0.711_111_111_1, 1.777_777_777_8),
        (16, 0.9, 0.591_343_393_9, 0.369_589_621_2),
        (128, 0.95, 0.457_786_881_8, 0.071_529_200_3),
    ] {
        assert!((erlang_c(servers, utilisation) - waits).abs() < 1e-9);
        assert!((mmc_wait(servers, utilisation) - mean).abs() < 1e-9);
    }
    assert!((mg1_wait(0.8, 0.0) - 2.0).abs() < 1e-9);
    assert!((mg1_wait(0.8, 1.0) - 4.0).abs() < 1e-9);
    assert!((mg1_wait(0.9, 4.0) - 22.5).abs() < 1e-9);
}

const REPLICATIONS: u32 = 20;

/// The 99.9 % point of Student's t with 19 degrees of freedom, by the 97.5 % one: an interval of
/// 95 % times this is one of 99.8 %.
const WIDER: f64 = 3.579_400 / 2.093_024;

/// Ten seconds between arrivals on average; the runtime decides the utilisation.
fn mean_wait(
    nodes: u32,
    size: u32,
    runtime: &str,
    jobs: u32,
    policy: &str,
) -> (MeanEstimate, String) {
    let results = results(&[
        ("system", "nodes"),
        ("nodes", &nodes.to_string()),
        ("policy", policy),
        ("x", "none"),
        ("load", "as-logged"),
        ("interarrival", "exponential:10"),
        ("size", &format!("constant:{size}")),
        ("runtime", runtime),
        ("jobs", &jobs.to_string()),
        ("reps", &REPLICATIONS.to_string()),
        ("warmup", "0.1"),
    ]);
    let metric = metrics::position("wait_mean").expect("a metric");
    let mut points = results.points().into_iter();
    let point = points.find(|point| point.metric == metric);
    let value = point.expect("jobs ran").value;
    assert_eq!(value.n, REPLICATIONS);
    (value, results.digest().expect("all cells ran"))
}

fn within(estimate: MeanEstimate, expected: f64, what: &str) {
    let half_width = WIDER * estimate.half_width.expect("several replications");
    assert!(
        (estimate.mean - expected).abs() <= half_width,
        "{what}: {expected} is not in {} ± {half_width}",
        estimate.mean
    );
}

/// In each case the true mean is within the 99.8 % interval over twenty replications.
#[test]
fn mean_waits_of_mmc_are_erlangs() {
    let mut cases = vec![(1, 0.5), (2, 0.8), (4, 0.7), (8, 0.8), (16, 0.8)];
    let mut jobs = 4000;
    if long() {
        cases.extend([(1, 0.9), (16, 0.9), (64, 0.9), (100, 0.9), (128, 0.95)]);
        jobs = 100_000;
    }
    for (servers, utilisation) in cases {
        let service = 10.0 * f64::from(servers) * utilisation;
        let runtime = format!("exponential:{service}");
        let (wait, _) = mean_wait(servers, 1, &runtime, jobs, "fcfs");
        let expected = service * mmc_wait(servers, utilisation);
        within(wait, expected, &format!("M/M/{servers} at {utilisation}"));
    }
}

/// The same for services that are constant, or exponential with mean 24 s with probability 0.2 and
/// 4 s otherwise: mean 8 s, squared coefficient of variation 2 (0.2 · 24² + 0.8 · 4²) / 8² − 1 = 3.
#[test]
fn mean_waits_of_mg1_are_those_of_pollaczek_and_khinchine() {
    let jobs = if long() { 200_000 } else { 10_000 };
    for (runtime, variation) in [
        ("constant:8", 0.0),
        ("exponential:8", 1.0),
        ("hyperexponential:0.2:24:4", 3.0),
    ] {
        let (wait, _) = mean_wait(1, 1, runtime, jobs, "fcfs");
        within(wait, 8.0 * mg1_wait(0.8, variation), runtime);
    }
}

#[test]
fn jobs_of_one_size_wait_as_single_processes_and_backfilling_changes_nothing() {
    let (single, fcfs) = mean_wait(4, 1, "exponential:28", 1000, "fcfs");
    let (triple, _) = mean_wait(12, 3, "exponential:28", 1000, "fcfs");
    let (_, easy) = mean_wait(4, 1, "exponential:28", 1000, "easy");
    assert_eq!(single, triple);
    assert_eq!(fcfs, easy);
}
