//! When jobs start, against plain references and published numbers.

use backfill_sim::scenario::Scenario;
use backfill_sim::sweep::{CellRun, Results, cells};

/// Runs every cell of a scenario given as `key value` pairs.
fn run(pairs: &[(&str, &str)]) -> Results {
    let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
    let mut results = Results::new(&scenario);
    for cell in cells(&scenario) {
        let run = CellRun::new(&scenario, cell, None, false).expect("jobs");
        results.add(run.finish().0);
    }
    results
}

#[test]
fn a_scenario_run_twice_has_one_digest() {
    let pairs = [("jobs", "200"), ("reps", "2")];
    let first = run(&pairs);
    assert_eq!(first.progress(), (32, 32));
    assert_eq!(first.digest(), run(&pairs).digest());
    assert_ne!(
        first.digest(),
        run(&[pairs[0], ("reps", "2"), ("seed", "43")]).digest()
    );
}
