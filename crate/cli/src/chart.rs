//! The result of a scenario as charts.

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::answer::Answer;
use backfill_experiment::study::sweep::Results;
use backfill_plot::export;
use backfill_sim::metrics::METRICS;

/// An SVG for each headline metric and the scenario's own, at each value of y, with a file name.
pub(crate) fn charts(scenario: &Scenario, results: &Results) -> Vec<(String, String)> {
    let answer = Answer { scenario, results };
    let headline = scenario.headline();
    let mut charts = Vec::new();
    for (metric, about) in METRICS.iter().enumerate() {
        if !headline.contains(&metric) && about.name != scenario.get("metric") {
            continue;
        }
        for y in 0..scenario.y().map_or(1, |axis| axis.values.len()) {
            let name = format!("{}.svg", export::stem(&answer, metric, y));
            charts.push((name, export::svg(&answer, metric, y, None)));
        }
    }
    charts
}
