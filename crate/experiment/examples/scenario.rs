//! Runs a scenario that is given as text, or as `key=value` arguments, and prints its table.
//!
//! `cargo run --package backfill-experiment --example scenario [key=value …]`

#![expect(clippy::print_stdout, reason = "an example prints its table")]

use std::error::Error;

use backfill_experiment::language::scenario::text;
use backfill_experiment::study::answer::numbers;
use backfill_experiment::study::sweep::{CellRun, Results, cells};
use backfill_sim::metrics::METRICS;
use backfill_sim::run::Keep;

/// What is run where no argument says otherwise.
const SCENARIO: &str = r#"
policy = "fcfs+adaba,easy+adaba,bgmbf+adaba"
x = "load:0.5,0.9"
jobs = 300
reps = 5
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scenario = text::read_with(SCENARIO, &arguments).map_err(|problems| {
        let sentences: Vec<String> = problems.iter().map(ToString::to_string).collect();
        sentences.join("\n")
    })?;
    let mut results = Results::new(&scenario);
    for cell in cells(&scenario) {
        let run = CellRun::new(&scenario, cell, None, Keep::Metrics)?;
        results.add(run.finish().0);
    }
    let headline = scenario.headline();
    for point in results.points() {
        if headline.contains(&point.metric) {
            let at = scenario.x().map_or("", |axis| &axis.values[point.x]);
            let policy = scenario.policies()[point.policy].label();
            let metric = &METRICS[point.metric];
            let value = numbers::shown(metric, point.value);
            let value = format!("{value} {}", numbers::printed_unit(metric.unit));
            let (metric, value) = (metric.label, value.trim_end());
            println!("{at:5}  {policy:14}  {metric:20}  {value}");
        }
    }
    if let Some(digest) = results.digest() {
        println!("digest {digest}");
    }
    Ok(())
}
