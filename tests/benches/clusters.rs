//! How fast clusters that share links are simulated at the full length of paper 3, four times
//! 400,000 jobs: its Figure 22 point by point, then whole; and what a decision on co-allocation
//! costs (Table 1).
//!
//! A decision is needed where a job fits neither its home nor any other cluster and the free or
//! eligible nodes are not too few for it: other jobs cost nothing here. Each scheduler decides in
//! states of its own run, A1 also by the nested loops of the paper, after both have given the same
//! answers.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{Cell, CellRun, Results, cells, parts};
use backfill_sim::engine::Engine;
use backfill_sim::job::Request;
use backfill_sim::place::Placer;
use backfill_sim::policy::parts::{Behind, MayPreempt};
use backfill_sim::run::Keep;
use backfill_sim::system::multi_cluster::place::{Chain, Module, place_by_nested_loops};
use backfill_sim::system::multi_cluster::{KnownSharing, Mapping, MultiCluster};
use backfill_sim::unit::{Kbps, Span};
use backfill_tests::runs::by_arrival;

/// Jobs of section 6 of the paper.
const SECTION_6: [(&str, &str); 7] = [
    ("system", "multi-cluster"),
    ("load", "as-logged"),
    ("bandwidth", "constant"),
    ("interarrival", "exponential:37.5"),
    ("size", "uniform:10:50"),
    ("runtime", "exponential:450"),
    ("reps", "1"),
];

/// The schedulers of Figure 22.
const ALL: &str = "fpfs+a1,fpfs+b1,fpfs+b2,fpfs+b3(chunk=85),fpfs+b4,fpfs+migration-only,\
                   fpfs+first-fit(sharing=ideal)";

/// The threshold of Figure 22 and Table 1.
const THRESHOLD: u32 = 100;

fn scenario(own: &[(&str, &str)]) -> Scenario {
    let pairs = SECTION_6.iter().chain(own).copied();
    Scenario::parse(pairs).expect("a valid scenario")
}

fn run(scenario: &Scenario, cell: Cell) -> backfill_experiment::study::sweep::CellOutcome {
    CellRun::new(scenario, cell, None, Keep::Metrics)
        .expect("jobs")
        .finish()
        .0
}

/// One point after the other, jobs drawn and metrics taken included.
fn points(scenario: &Scenario) {
    for cell in cells(scenario) {
        let start = Instant::now();
        let outcome = run(scenario, cell);
        println!(
            "{:<30} {:>8} jobs {:>6.2} s  digest {}",
            scenario.policies()[cell.policy].to_string(),
            outcome.jobs,
            start.elapsed().as_secs_f64(),
            outcome.digest
        );
    }
}

/// All points with two workers.
fn whole(scenario: &Scenario) {
    let cells = cells(scenario);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push(run(scenario, cell));
        }
        outcomes
    };
    let start = Instant::now();
    let mut results = Results::new(scenario);
    thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        for worker in workers {
            for outcome in worker.join().expect("no run fails") {
                results.add(outcome);
            }
        }
    });
    println!(
        "{} points {:>22.1} s  digest {}",
        cells.len(),
        start.elapsed().as_secs_f64(),
        results.digest().expect("every cell is done")
    );
}

/// A scheduler that keeps some of the states in which it decides on a co-allocation.
struct Seen<'a> {
    chain: Chain,
    decisions: usize,
    states: &'a mut Vec<(MultiCluster, Request)>,
}

impl Seen<'_> {
    /// One of this many decisions is kept.
    const EVERY: usize = 97;
}

impl Placer<MultiCluster> for Seen<'_> {
    fn place(&mut self, system: &MultiCluster, request: &Request) -> Option<Mapping> {
        if system.most_free() < request.size {
            self.decisions += 1;
            if self.decisions.is_multiple_of(Seen::EVERY) {
                self.states.push((system.clone(), *request));
            }
        }
        self.chain.place(system, request)
    }

    fn exists(&self, system: &MultiCluster, request: &Request) -> Option<bool> {
        self.chain.exists(system, request)
    }

    fn largest(&self, system: &MultiCluster) -> u64 {
        self.chain.largest(system)
    }
}

/// States of a run in which a module that comes behind migration has to decide.
fn states(module: Module) -> Vec<(MultiCluster, Request)> {
    let own = [
        ("policy", ALL),
        ("x", "none"),
        ("bandwidth_mbps", "800"),
        ("jobs", "160000"),
    ];
    let scenario = scenario(&own);
    let (_, jobs) = parts(&scenario, cells(&scenario)[0], None).expect("jobs");
    let links = [Kbps(1_000_000); 4];
    let system = MultiCluster::new(&[100; 4], &links, 0.7, KnownSharing::Dynamic);
    let mut states = Vec::new();
    let placer = Seen {
        chain: Chain(vec![Module::Local, Module::Migrate, module]),
        decisions: 0,
        states: &mut states,
    };
    let policy = by_arrival(Behind::Skip, MayPreempt::Never, placer);
    let mut engine = Engine::new(system, Box::new(policy), jobs, Span(0), false);
    while !engine.advance(u64::MAX) {}
    drop(engine);
    states
}

/// Microseconds a decision, the best of a few timings.
fn time(
    states: &[(MultiCluster, Request)],
    mut decide: impl FnMut(&MultiCluster, &Request) -> Option<Mapping>,
) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        for (system, request) in states {
            black_box(decide(system, request));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    1e6 * best / states.len() as f64
}

/// What A1 does, its combinations tried one after the other.
fn brute_force(system: &MultiCluster, request: &Request) -> Option<Mapping> {
    place_by_nested_loops(system, request, THRESHOLD, &mut ())
}

/// Table 1.
fn decisions() {
    let threshold = THRESHOLD;
    let modules = [
        ("A1", Module::Satisfy { threshold }),
        ("B1", Module::LargestFree { threshold }),
        ("B2", Module::LeastSaturated { threshold }),
        (
            "B3, 85 %",
            Module::Chunk {
                threshold,
                part: 85,
            },
        ),
        ("B4", Module::RoundRobin { threshold }),
    ];
    let mut times = Vec::new();
    for (name, module) in modules {
        let states = states(module);
        let mut chain = Chain(vec![module]);
        let placed = states
            .iter()
            .filter(|(system, request)| chain.place(system, request).is_some());
        let placed = 100.0 * placed.count() as f64 / states.len() as f64;
        let row = |name: &str, time: f64| {
            let count = states.len();
            println!("{name:<20} {count:>6} decisions, {placed:>5.1} % placed {time:>9.3} µs");
        };
        if name == "A1" {
            for (system, request) in &states {
                assert_eq!(chain.place(system, request), brute_force(system, request));
            }
            let slow = time(&states, brute_force);
            row("A1, nested loops", slow);
            times.push(slow);
        }
        let fast = time(&states, |system, request| chain.place(system, request));
        row(name, fast);
        times.push(fast);
    }
    let [slow, fast, class_b @ ..] = &times[..] else {
        unreachable!("six rows");
    };
    let mean = class_b.iter().sum::<f64>() / class_b.len() as f64;
    println!(
        "A1 against the mean of B1 to B4: nested loops × {:.1}, sums that can be reached × {:.1} (the paper: × 66)",
        slow / mean,
        fast / mean
    );
}

fn main() {
    println!("a decision on co-allocation at 800 Mbit/s, threshold 100 % (Table 1)");
    decisions();
    println!("points of Figure 22 at 800 Mbit/s, 4 × 400,000 jobs, one worker");
    let full = ("jobs", "1600000");
    points(&scenario(&[
        full,
        ("policy", ALL),
        ("x", "none"),
        ("bandwidth_mbps", "800"),
    ]));
    println!("Figure 22 whole, two workers");
    whole(&scenario(&[
        full,
        ("policy", ALL),
        ("x", "bandwidth_mbps:200:900:100"),
    ]));
}
