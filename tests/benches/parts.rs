//! What parts of a scenario cost beside its runs: finding out which runs a part consists of, and
//! putting 100,000 runs together.
//!
//! The runs are of 20 jobs, so that there can be many; their written form is that of any run.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use backfill_experiment::files::report::Document;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::cost::Costs;
use backfill_experiment::study::part::{self, Merge, Origin};
use backfill_experiment::study::sweep::{Cell, CellOutcome, CellRun};
use backfill_sim::run::Keep;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// How many parts the scenario is cut into.
const PARTS: u32 = 1000;

fn scenario(replications: &str) -> Scenario {
    let pairs = [
        ("system", "nodes"),
        ("nodes", "16"),
        ("policy", "fcfs,easy"),
        ("x", "load:0.1:1:0.1"),
        ("jobs", "20"),
        ("reps", replications),
    ];
    Scenario::parse(pairs).expect("a valid scenario")
}

/// The parts of a scenario as they are written.
fn written(scenario: &Scenario) -> Vec<String> {
    let costs = Costs::estimate(scenario, None).expect("jobs");
    let origin = Origin::new(scenario, None);
    let parts = part::cut(scenario, &costs, PARTS);
    let outcome = |&cell: &Cell| {
        let run = CellRun::new(scenario, cell, None, Keep::Metrics).expect("jobs");
        run.finish().0
    };
    let parts = (1..).zip(parts).map(|(number, cells)| {
        let outcomes: Vec<CellOutcome> = cells.iter().map(outcome).collect();
        part::write(&origin, number, PARTS, &outcomes)
    });
    parts.collect()
}

fn main() {
    let large = Scenario::parse([("k", "32"), ("jobs", "100000")]).expect("a valid scenario");
    let begun = Instant::now();
    let costs = Costs::estimate(&large, None).expect("jobs");
    part::cut(&large, &costs, PARTS);
    let seconds = begun.elapsed().as_secs_f64();
    println!("which runs a part has, k = 32, four policies: {seconds:.3} s");

    for replications in ["500", "5000"] {
        let scenario = scenario(replications);
        let parts = written(&scenario);
        let bytes: usize = parts.iter().map(String::len).sum();
        let before = ALLOCATED.current_usage();
        ALLOCATED.reset_peak_usage();
        let begun = Instant::now();
        let mut merge: Option<Merge> = None;
        for text in &parts {
            let part = part::read(text.as_bytes()).expect("a part");
            match &mut merge {
                Some(merge) => merge.add("part", part).expect("of the same scenario"),
                None => merge = Some(Merge::begin("part", part).expect("a part")),
            }
        }
        let (scenario, results, trace) = merge.expect("a first part").result();
        let seconds = begun.elapsed().as_secs_f64();
        let held = (ALLOCATED.peak_usage() - before) / scenario.runs();
        let digest = results.digest().expect("all runs are there");
        let document = Document::naming(&scenario, &results, trace);
        assert_eq!(document.outcomes.len(), scenario.runs());
        println!(
            "{:>6} runs in {PARTS} parts of {:.0} MB: merged in {seconds:.2} s, {held} bytes a run, \
             digest {digest}",
            scenario.runs(),
            bytes as f64 / 1e6,
        );
    }
}
