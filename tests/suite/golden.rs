//! Digests of whole scenarios and values of expressions, so that no change moves a result unseen.

use std::rc::Rc;

use backfill_experiment::inspect::inspection::Inspection;
use backfill_experiment::language::expression::{canonical, parse};
use backfill_experiment::study::sweep::CellRun;
use backfill_sim::run::Keep;
use backfill_tests::runs::{one_point, results};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/digests.txt");

/// Each line of the file is a digest and the scenario it belongs to; a run with `UPDATE=1` in the
/// environment writes the digests again.
#[test]
fn digests_are_those_on_file() {
    let golden = std::fs::read_to_string(FILE).expect("the file is readable");
    let mut now = String::new();
    for line in golden.lines() {
        let (_, scenario) = line.split_once('|').expect("digest | scenario");
        let pairs: Vec<(&str, &str)> = scenario
            .split_whitespace()
            .map(|pair| pair.split_once('=').expect("key=value"))
            .collect();
        let digest = results(&pairs).digest().expect("all cells ran");
        now += &format!("{digest} |{scenario}\n");
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, now).expect("the file is writable");
    } else {
        assert_eq!(now, golden);
    }
}

const ORDERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/orders.txt");

/// Random expressions have the recorded values, to the bit, for thousands of jobs that wait in the
/// run of the first line: a sum over all values precedes each expression. The page's tests compare
/// the same file with the module. A run with `UPDATE=1` in the environment writes the sums again.
#[test]
fn orders_have_the_values_on_file() {
    let golden = std::fs::read_to_string(ORDERS).expect("the file is readable");
    let (scenario, orders) = golden.split_once('\n').expect("a scenario, then orders");
    let pairs: Vec<(&str, &str)> = scenario
        .split_whitespace()
        .map(|pair| pair.split_once('=').expect("key=value"))
        .collect();
    let (scenario, cell) = one_point(&pairs);
    let run = CellRun::new(&scenario, cell, None, Keep::Allocations).expect("generated jobs");
    let (replay, setup) = (run.finish().1, scenario.setup(None, None, 0));
    let run = Inspection::new(Rc::new(replay), &setup, None).expect("allocations were kept");
    let at = run.longest_queue();
    assert!(run.waiting(at).len() >= 5000, "many jobs wait");

    let mut now = golden.lines().next().expect("a scenario").to_owned() + "\n";
    for line in orders.lines() {
        let (_, text) = line.split_once(" | ").expect("sum | expression");
        assert_eq!(canonical(text).as_deref(), Ok(text));
        let order = parse(text).expect("an expression");
        let mut sum = 0x811c_9dc5_u32;
        for (_, value) in run.ordered(&order, at) {
            // What is not finite has no bits to compare.
            let bits = if value.is_finite() {
                value.to_bits()
            } else {
                u64::MAX
            };
            for word in [bits as u32, (bits >> 32) as u32] {
                sum = (sum ^ word).wrapping_mul(0x0100_0193);
            }
        }
        now += &format!("{sum:08x} | {text}\n");
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(ORDERS, now).expect("the file is writable");
    } else {
        assert_eq!(now, golden);
    }
}
