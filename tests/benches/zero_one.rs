//! What zero-one scheduling costs: a decision behind a long queue, and the grid of experiments of
//! paper 4.
//!
//! Every row of the grid first checks that two runs have one digest, so that a fast wrong answer is
//! not a win. `cargo bench -p backfill-tests --bench zero_one -- whole` runs the whole grid in
//! place of one replication.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{CellRun, Results, cells};
use backfill_sim::job::sorted;
use backfill_sim::policy::knapsack::{self, Item};
use backfill_sim::run::{Keep, Run};
use backfill_tests::runs::{job, setup};

/// How many decisions are timed.
const DECISIONS: usize = 200;

/// The cost of a decision while this many jobs of 1 to 16 machines wait and all 120 machines are
/// free: the jobs of the decision before end all at once. It includes the completions that cause it
/// and the starts that it decides.
fn behind(name: &str, rules: &[(&str, &str)]) {
    let pool = [
        ("system", "pool"),
        ("policy", "zomt"),
        ("bandwidth", "none"),
    ];
    let setup = setup(&[&pool, rules].concat());
    print!("{name:<44}");
    for waiting in [1_000, 10_000, 100_000] {
        let size = |n: u64| 1 + (n * 7919 % 16) as u32;
        // Enough that this many still wait at the last decision.
        let started = DECISIONS as u64 * 120;
        let jobs = (0..waiting + started).map(|n| job(n / 1000, size(n), 7200));
        let mut run = Run::new(&setup, sorted(jobs.collect()), Keep::Histories);
        while run.progress().0 == 0 {
            run.advance(1);
        }
        let mut longest = Duration::ZERO;
        let begun = Instant::now();
        for _ in 0..DECISIONS {
            let start = Instant::now();
            run.advance(1);
            longest = longest.max(start.elapsed());
        }
        let micros = begun.elapsed().as_secs_f64() * 1e6 / DECISIONS as f64;
        let longest = longest.as_secs_f64() * 1e6;
        print!(" {waiting:>7}: {micros:>6.1} µs, at most {longest:>7.1} µs");
    }
    println!();
}

/// The 0-1 program alone, for all jobs and for those that can be chosen.
fn program() {
    for waiting in [1_000_u32, 10_000, 100_000] {
        let item = |n: u32| Item {
            size: 1 + n * 7919 % 16,
            value: u128::from(1 + n * 7919 % 16) * u128::from(waiting - n),
        };
        let all: Vec<Item> = (0..waiting).map(item).collect();
        let mut taken = [0; 17];
        let can_be_chosen = |item: &&Item| {
            taken[item.size as usize] += 1;
            taken[item.size as usize] <= 120 / item.size
        };
        let few: Vec<Item> = all.iter().filter(can_be_chosen).copied().collect();
        let timed = |items: &[Item]| {
            let start = Instant::now();
            let chosen = knapsack::best(items, 108, 120).expect("a set");
            (chosen.value, start.elapsed().as_secs_f64() * 1e6)
        };
        let ((value, few_micros), (same, all_micros)) = (timed(&few), timed(&all));
        assert_eq!(value, same, "{waiting} jobs");
        println!(
            "{waiting:>7} jobs: {few_micros:>8.1} µs for the {} that can be chosen, {all_micros:>10.1} µs for all",
            few.len()
        );
    }
}

/// The jobs of paper 4 with a given share of small ones, this many at each of eight rates of
/// arrival.
fn grid(jobs: &str, replications: &str, policy: &str, share: &str) -> Scenario {
    let size = format!("harmonic:0:1:8:{share}:16");
    let pairs = [
        ("system", "pool"),
        ("bandwidth", "none"),
        ("load", "as-logged"),
        ("jobs", jobs),
        ("reps", replications),
        ("size", &size),
        ("runtime", "uniform:3600:18000"),
        ("policy", policy),
        ("x", "arrivals_per_hour:5:8.5:0.5"),
    ];
    Scenario::parse(pairs).expect("a valid scenario")
}

/// All cells on as many workers; their results, the seconds it took, and how many jobs were
/// simulated.
fn run(scenario: &Scenario, workers: usize) -> (Results, f64, f64) {
    let cells = cells(scenario);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            let run = CellRun::new(scenario, cell, None, Keep::Metrics).expect("jobs");
            outcomes.push(run.finish().0);
        }
        outcomes
    };
    let start = Instant::now();
    let mut results = Results::new(scenario);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            for outcome in worker.join().expect("no worker panics") {
                results.add(outcome);
            }
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let jobs: usize = results.outcomes().map(|outcome| outcome.jobs).sum();
    (results, seconds, jobs as f64)
}

/// The grid of the paper: some replications of each of its cells, and the cost of all 50 of them.
fn experiments(replications: u32) {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let mut all = 0.0;
    for share in ["0.25", "0.5", "0.75"] {
        for policy in ["fpfs", "ljfs", "fair", "zomt"] {
            let small = grid("2000", "1", policy, share);
            let digest = run(&small, workers).0.digest();
            assert_eq!(digest, run(&small, 1).0.digest(), "{policy}");
            let scenario = grid("100000", &replications.to_string(), policy, share);
            let (results, seconds, jobs) = run(&scenario, workers);
            all += seconds;
            println!(
                "q = {share:<4} {policy:<5} {seconds:>8.2} s {:>9.0} jobs/s  digest {}",
                jobs / seconds,
                results.digest().expect("every cell is done")
            );
        }
    }
    let whole = all * 50.0 / f64::from(replications);
    println!(
        "{replications} replications on {workers} workers: {all:.1} s; 50 take as often as long: {whole:.0} s"
    );
}

fn main() {
    println!("a decision of ZOMT with 120 free machines behind so many waiting jobs");
    behind("as by default", &[]);
    behind(
        "without long waits, so by the 0-1 program",
        &[("long_wait", "off")],
    );
    println!("the 0-1 program alone");
    program();
    println!("the grid of paper 4: 100,000 jobs, 8 rates of arrival, 4 policies, 3 mixes");
    let whole = std::env::args().any(|argument| argument == "whole");
    experiments(if whole { 50 } else { 1 });
}
