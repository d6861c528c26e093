//! Parts of a scenario: merged in any order they give the result of one machine, to the byte, and
//! anything else is refused.

use backfill_experiment::files::report::{Document, runs_csv};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::cost::Costs;
use backfill_experiment::study::part::{self, Merge, Origin};
use backfill_experiment::study::sweep::{Cell, CellOutcome, CellRun, Results, cells};
use backfill_sim::rng::Stream;
use backfill_sim::run::Keep;
use backfill_tests::runs;
use proptest::prelude::*;

/// The systems, with policies and a sweep of each.
const SYSTEMS: [&[(&str, &str)]; 5] = [
    &[
        ("k", "4"),
        ("slots", "4"),
        ("policy", "none,easy,bgmbf"),
        ("x", "load:0.5,0.9,1.3"),
        ("y", "bandwidth_mbps:100,400"),
    ],
    &[
        ("system", "nodes"),
        ("nodes", "16"),
        ("policy", "fcfs,conservative"),
        ("load", "0.9"),
    ],
    &[
        ("system", "multi-cluster"),
        ("policy", "fpfs+a1,fpfs+b3"),
        ("x", "load:0.5,0.9"),
    ],
    &[
        ("system", "pool"),
        ("policy", "zomt,fpfs"),
        ("x", "vms:60,120"),
    ],
    &[
        ("system", "nodes"),
        ("policy", "easy,fcfs"),
        ("timed", "common"),
        ("x", "none"),
    ],
];

fn scenario(system: usize, jobs: u32, reps: u32, seed: u64) -> Scenario {
    let (jobs, reps, seed) = (jobs.to_string(), reps.to_string(), seed.to_string());
    let own = [("jobs", &*jobs), ("reps", &*reps), ("seed", &*seed)];
    let pairs = SYSTEMS[system].iter().chain(&own).copied();
    Scenario::parse(pairs).expect("a valid scenario")
}

fn outcome(scenario: &Scenario, cell: Cell) -> CellOutcome {
    let run = CellRun::new(scenario, cell, None, Keep::Metrics).expect("jobs");
    run.finish().0
}

/// The parts of a scenario as they are written, with their names.
fn written(scenario: &Scenario, of: u32) -> Vec<(String, String)> {
    let costs = Costs::estimate(scenario, None).expect("jobs");
    let origin = Origin::new(scenario, None);
    let parts = part::cut(scenario, &costs, of);
    let parts = (1..).zip(parts).map(|(number, cells)| {
        let outcomes: Vec<CellOutcome> =
            cells.iter().map(|&cell| outcome(scenario, cell)).collect();
        let text = part::write(&origin, number, of, &outcomes);
        (part::file_name(number, of), text)
    });
    parts.collect()
}

fn merged(parts: &[(String, String)]) -> Result<Merge, String> {
    let read = |(name, text): &(String, String)| {
        part::read(text.as_bytes()).map_err(|why| format!("{name} {why}"))
    };
    let mut merge = Merge::begin(&parts[0].0, read(&parts[0])?)?;
    for part in &parts[1..] {
        merge.add(&part.0, read(part)?)?;
    }
    Ok(merge)
}

/// The files that a result is given as.
fn files(scenario: &Scenario, results: &Results) -> (String, String) {
    let document = Document::new(scenario, results, None);
    let json = serde_json::to_string_pretty(&document).expect("a document has a plain form");
    (json, runs_csv(scenario, results))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn parts_in_any_order_are_the_whole_to_the_byte(
        system in 0..SYSTEMS.len(),
        jobs in 5..60_u32,
        reps in 1..4_u32,
        of in 1..60_u32,
        seed in 0..u64::MAX,
    ) {
        let scenario = scenario(system, jobs, reps, seed);
        let mut whole = Results::new(&scenario);
        for cell in cells(&scenario) {
            whole.add(outcome(&scenario, cell));
        }
        let mut parts = written(&scenario, of);
        prop_assert_eq!(parts.len(), of as usize);
        let mut order = Stream::new(seed, 0, "order of arrival", 0);
        for last in (1..parts.len()).rev() {
            parts.swap(last, order.below(last as u64 + 1) as usize);
        }
        let merge = merged(&parts).expect("the parts of one scenario");
        prop_assert_eq!(merge.missing(), None);
        let (again, results, trace) = merge.result();
        prop_assert_eq!(trace, None);
        prop_assert!(results.digest().is_some());
        prop_assert_eq!(files(&again, &results), files(&scenario, &whole));
    }
}

#[test]
fn parts_cost_about_the_same_and_each_cell_is_in_one() {
    let scenario = scenario(0, 200, 10, 42);
    let costs = Costs::estimate(&scenario, None).expect("jobs");
    for of in [1, 2, 7, 40, 180, 500] {
        let parts = part::cut(&scenario, &costs, of);
        let mut all: Vec<usize> = parts.iter().flatten().map(|cell| cell.index).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..scenario.runs()), "{of}");
        let load = |part: &Vec<Cell>| part.iter().map(|&cell| costs.of(cell)).sum::<u64>();
        let longest = cells(&scenario)
            .iter()
            .map(|&cell| costs.of(cell))
            .max()
            .expect("a cell");
        let loads: Vec<u64> = parts.iter().map(load).collect();
        let (least, most) = (loads.iter().min(), loads.iter().max());
        let (least, most) = (least.expect("a part"), most.expect("a part"));
        assert!(most - least <= longest, "{of}: {least} to {most}");
    }
}

#[test]
fn missing_parts_are_listed() {
    let scenario = scenario(0, 20, 2, 1);
    let mut parts = written(&scenario, 12);
    for gone in [10, 3, 2, 1] {
        parts.remove(gone);
    }
    let merge = merged(&parts).expect("parts of one scenario");
    assert_eq!(
        merge.missing().map(|parts| parts.to_string()).as_deref(),
        Some("2-4,11/12")
    );
    let (scenario, results, _) = merge.result();
    assert_eq!(results.digest(), None);
    // Another cut may fill the gap.
    let mut all = parts;
    all.extend(written(&scenario, 1));
    let merge = merged(&all).expect("parts of one scenario");
    assert_eq!(merge.missing(), None);
}

#[test]
fn what_is_cut_short_altered_or_foreign_is_refused_by_name() {
    let scenario = scenario(1, 20, 2, 1);
    let parts = written(&scenario, 3);
    let (name, text) = &parts[1];
    let refused = |text: &[u8], end: &str| {
        let why = part::read(text).expect_err("it is refused");
        assert_eq!(why, end);
    };
    // The first line alone says what it is.
    let heading = text.find('\n').expect("lines") + 1;
    for end in heading..text.len() {
        refused(&text.as_bytes()[..end], "was cut short");
    }
    for end in 0..heading - 1 {
        refused(&text.as_bytes()[..end], "is no part of a scenario");
    }
    for at in (heading..text.len() - 80).step_by(7) {
        let mut altered = text.clone().into_bytes();
        altered[at] ^= 1;
        refused(&altered, "was altered");
    }
    refused(b"<html></html>\n", "is no part of a scenario");
    let later = text.replacen(
        "{\"schema\":1,\"core\":\"",
        "{\"schema\":2,\"core\":\"9.",
        1,
    );
    let later = part::read(later.as_bytes()).expect_err("a later form");
    assert!(
        later.starts_with("has the form 2, which Backfill "),
        "{later}"
    );

    let other = written(&self::scenario(1, 20, 2, 2), 3);
    let foreign = [
        parts[0].clone(),
        ("other.jsonl".to_owned(), other[1].1.clone()),
    ];
    assert_eq!(
        merged(&foreign).expect_err("of another scenario"),
        "other.jsonl belongs to another scenario than part-1-of-3.jsonl: keep the parts of one \
         scenario in a folder of their own"
    );

    // A cell that differs, with a checksum that fits.
    let origin = Origin::new(&scenario, None);
    let mut one = outcome(&scenario, cells(&scenario)[0]);
    one.metrics[0] = Some(0.125);
    let changed = part::write(&origin, 1, 9, &[one]);
    let both = [
        parts[0].clone(),
        parts[1].clone(),
        parts[2].clone(),
        ("x".to_owned(), changed),
    ];
    let holder = parts
        .iter()
        .find(|part| part.1.contains("{\"cell\":{\"index\":0,"));
    let holder = &holder.expect("a part holds the first cell").0;
    assert_eq!(
        merged(&both).expect_err("two results of one run"),
        format!(
            "{holder} and x differ in run 0: one of them was altered or made by another program; \
             remove both and make them again"
        )
    );
    assert_eq!(name, "part-2-of-3.jsonl");
}

#[test]
fn a_part_names_no_path() {
    let pairs = [
        ("workload", "swf"),
        ("file", "/home/somebody/logs/a.swf"),
        ("policy", "fcfs"),
    ];
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    let text = part::write(&Origin::new(&scenario, None), 1, 1, &[]);
    assert!(text.contains("\"file\":\"a.swf\""), "{text}");
    assert!(!text.contains("somebody"), "{text}");
    let elsewhere = Scenario::parse([pairs[0], ("file", "a.swf"), pairs[2]]).expect("valid");
    assert_eq!(text, part::write(&Origin::new(&elsewhere, None), 1, 1, &[]));
}

/// Ten parts of the default scenario have its recorded digest.
#[test]
fn the_digest_of_the_default_scenario_is_that_of_its_parts() {
    let scenario = Scenario::default();
    let merge = merged(&written(&scenario, 10)).expect("parts of one scenario");
    let (_, results, _) = merge.result();
    assert_eq!(results.digest(), runs::results(&[]).digest());
}
