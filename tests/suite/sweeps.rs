//! Scenarios as cells: any order of runs gives the same results, differences are paired, and every
//! policy has the same jobs.

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::answer::Answer;
use backfill_experiment::study::sweep::{Cell, CellOutcome, CellRun, Results, cells, parts};
use backfill_sim::decimal::Decimal;
use backfill_sim::job::Jobs;
use backfill_sim::metrics::{METRICS, Timed};
use backfill_sim::run::{Keep, Replay, Run};
use backfill_sim::stats::estimate;

fn scenario() -> Scenario {
    let pairs = [
        ("k", "4"),
        ("slots", "4"),
        ("jobs", "60"),
        ("reps", "4"),
        ("policy", "fcfs,sdf,none,bgmbf"),
        ("reference", "sdf"),
        ("x", "load:0.6,1.2"),
        ("y", "bandwidth_mbps:100,500"),
    ];
    Scenario::parse(pairs).expect("a valid scenario")
}

fn run(scenario: &Scenario, cell: Cell) -> (CellOutcome, Replay) {
    let run = CellRun::new(scenario, cell, None, Keep::Histories).expect("jobs");
    run.finish()
}

fn results(scenario: &Scenario, outcomes: impl Iterator<Item = CellOutcome>) -> Results {
    let mut results = Results::new(scenario);
    for outcome in outcomes {
        results.add(outcome);
    }
    results
}

#[test]
fn outcomes_that_come_in_any_order_give_the_same_points_and_digest() {
    let scenario = scenario();
    let outcomes: Vec<CellOutcome> = cells(&scenario)
        .into_iter()
        .map(|cell| run(&scenario, cell).0)
        .collect();
    let forward = results(&scenario, outcomes.iter().cloned());
    let backward = results(&scenario, outcomes.iter().rev().cloned());
    assert!(forward.digest().is_some());
    assert_eq!(forward.digest(), backward.digest());
    assert_eq!(forward.points(), backward.points());
    let unfinished = results(&scenario, outcomes[1..].iter().cloned());
    assert_eq!(unfinished.digest(), None);
    assert_eq!(unfinished.progress(), (outcomes.len() - 1, outcomes.len()));
}

#[test]
fn a_point_is_the_mean_of_its_replications_and_its_difference_is_paired() {
    let scenario = scenario();
    // Two cells are missing, one of them of the reference.
    let done = cells(&scenario)
        .into_iter()
        .filter(|cell| ![5, 15].contains(&cell.index));
    let outcomes: Vec<CellOutcome> = done.map(|cell| run(&scenario, cell).0).collect();
    let points = results(&scenario, outcomes.iter().cloned()).points();
    let mut paired = 0;
    for point in &points {
        let replications = |policy| {
            let mut by_replication = vec![None; 4];
            for outcome in &outcomes {
                let cell = outcome.cell;
                if (cell.x, cell.y, cell.policy) == (point.x, point.y, policy) {
                    by_replication[cell.replication as usize] = outcome.metrics[point.metric];
                }
            }
            by_replication
        };
        let (here, there) = (replications(point.policy), replications(1));
        let mean: Vec<f64> = here.iter().copied().flatten().collect();
        assert_eq!(Some(point.value), estimate(&mean));
        let pairs = here.into_iter().zip(there);
        let differences: Vec<f64> = pairs.filter_map(|(a, b)| Some(a? - b?)).collect();
        match point.policy {
            1 => assert_eq!(point.difference, None),
            _ => assert_eq!(point.difference, estimate(&differences)),
        }
        paired += usize::from(differences.len() < mean.len());
    }
    assert!(paired > 0, "no point had a replication without its pair");
    let all = 2 * 2 * 4 * METRICS.len();
    assert!(
        points.len() > all / 2 && points.len() <= all,
        "{} points",
        points.len()
    );
}

#[test]
fn every_policy_meets_the_same_jobs_and_every_replication_others() {
    let scenario = scenario();
    let all: Vec<(Cell, Jobs)> = cells(&scenario)
        .into_iter()
        .map(|cell| (cell, run(&scenario, cell).1.jobs))
        .collect();
    for (cell, jobs) in &all {
        for (other, other_jobs) in &all {
            let point = |cell: &Cell| (cell.x, cell.y, cell.replication);
            assert_eq!(
                point(cell) == point(other),
                jobs == other_jobs,
                "{cell:?} {other:?}"
            );
            // Another load moves submit times and nothing else.
            if (cell.y, cell.replication) == (other.y, other.replication) {
                let same = jobs.iter().zip(other_jobs.iter()).all(|(a, b)| {
                    (a.size, a.runtime, a.bandwidth) == (b.size, b.runtime, b.bandwidth)
                });
                assert!(same, "{cell:?} {other:?}");
            }
        }
    }
}

#[test]
fn the_first_metric_is_that_of_the_system() {
    let pool = [
        "response time",
        "weighted response time",
        "wait time",
        "weighted wait time",
    ];
    for (system, policies, compared, said) in [
        (
            "fat-tree",
            "fcfs,easy",
            "wait_mean",
            ["wait time", "bounded slowdown"].as_slice(),
        ),
        (
            "nodes",
            "fcfs,easy",
            "response_mean",
            &["response time", "bounded slowdown", "wait time"],
        ),
        (
            "multi-cluster",
            "fpfs+first-fit,fpfs+a1",
            "response_mean",
            &["response time", "execution penalty", "wait time"],
        ),
        ("pool", "fpfs,zomt", "response_mean", &pool),
    ] {
        let pairs = [
            ("system", system),
            ("policy", policies),
            ("jobs", "60"),
            ("reps", "1"),
            // Wide enough that some run on several clusters.
            ("size", "uniform:20:90"),
            ("load", "1.2"),
        ];
        let scenario = &Scenario::parse(pairs).expect("a valid scenario");
        let outcomes = cells(scenario)
            .into_iter()
            .map(|cell| run(scenario, cell).0);
        let results = &results(scenario, outcomes);
        let answer = Answer { scenario, results };
        assert_eq!(answer.compared().name, compared, "{system}");
        let sentence = answer.summary(0).sentence;
        let places: Vec<Option<usize>> = said.iter().map(|label| sentence.find(label)).collect();
        assert!(places.is_sorted() && places[0].is_some(), "{sentence}");
    }
}

/// What is measured is the same whether jobs come from a list or are drawn, are kept or forgotten
/// every few events; on every system, under policies that start jobs out of turn, set them aside,
/// suspend and turn them away, where jobs wait for others to end, and where some are left out.
#[test]
fn a_run_that_forgets_its_jobs_measures_what_one_that_keeps_them_does() {
    let cells_of: [&[(&str, &str)]; 11] = [
        &[
            (
                "policy",
                "none+adaba,fcfs+adaba(bmax=oracle),easy+oktopus,bgmbf+adaba,bgmbf+adaba(promote=off),\
                 bgmbf-sdf+adaba,sdf+greedy,sbf+greedy",
            ),
            ("load", "0.9"),
        ],
        &[("policy", "none+adaba,fcfs+adaba"), ("timed", "common")],
        &[
            ("system", "nodes"),
            ("nodes", "40"),
            ("policy", "conservative,easy,cmbf,ambf,fpfs"),
            ("load", "1.1"),
            ("warmup", "0.1"),
        ],
        &[
            ("system", "nodes"),
            ("nodes", "40"),
            ("policy", "fcfs,easy"),
            ("workload", "feitelson96-like"),
            ("feedback", "on"),
            ("load", "1"),
        ],
        &[
            ("system", "nodes"),
            ("nodes", "40"),
            ("tiers", "2"),
            ("policy", "cmcbf,amcbf"),
            ("load", "1.1"),
        ],
        &[
            ("system", "multi-cluster"),
            ("bandwidth", "constant"),
            ("bandwidth_mbps", "800"),
            (
                "policy",
                "fpfs+a1,fpfs+b4,fpfs+first-fit(sharing=fixed),fpfs+no-share",
            ),
            ("warmup", "0.05"),
        ],
        &[
            ("system", "pool"),
            ("policy", "zomt,fair,fpfs,ljfs,pljfs"),
            ("load", "1"),
        ],
        &[
            ("system", "pool"),
            ("policy", "zomt,fpfs"),
            ("slist_capacity", "60"),
            ("load", "1"),
        ],
        &[
            ("system", "pool"),
            ("policy", "zomt,fpfs"),
            ("elastic", "corrected"),
            ("load", "0.7"),
        ],
        &[
            ("system", "pool"),
            ("policy", "zomt,fpfs"),
            ("vm_migrations", "constant:2"),
            ("load", "0.7"),
        ],
        &[("policy", "fcfs+adaba"), ("cooldown", "0.1"), ("load", "1")],
    ];
    for own in cells_of {
        let all = [&[("jobs", "1500"), ("x", "none"), ("reps", "1")], own].concat();
        let scenario = Scenario::parse(all).expect("a valid scenario");
        for cell in cells(&scenario) {
            let (setup, jobs) = parts(&scenario, cell, None).expect("jobs");
            let count = jobs.len();
            let policy = scenario.policies()[cell.policy].to_string();
            let listed = Run::new(&setup, jobs.clone(), Keep::Histories).finish();
            let mut forgets = Run::new(&setup, jobs, Keep::Metrics);
            while !forgets.advance(7) {}
            let forgets = forgets.finish();
            assert_eq!((forgets.jobs, listed.jobs), (count, count));
            assert_eq!(forgets.digest, listed.digest, "{policy}");
            assert_eq!(forgets.metrics, listed.metrics, "{policy}");
            let options = &setup.options;
            let known_at_the_end =
                options.timed == Timed::Common || options.cooldown > Decimal::whole(0);
            let left = if known_at_the_end { count } else { 0 };
            assert_eq!(forgets.replay.jobs.len(), left, "{policy}");
            let of = |keep| {
                let mut run = CellRun::new(&scenario, cell, None, keep).expect("jobs");
                while !run.advance(7) {}
                run.finish().0
            };
            let drawn = of(Keep::Metrics);
            assert_eq!(drawn.digest, format!("{:016x}", listed.digest), "{policy}");
            assert_eq!(drawn, of(Keep::Histories), "{policy}");
        }
    }
}
