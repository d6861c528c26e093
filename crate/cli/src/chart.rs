//! The result of a scenario as charts.

use backfill_experiment::scenario::Scenario;
use backfill_experiment::sweep::Results;
use backfill_plot::answer::Answer;
use backfill_plot::colour::Theme;
use backfill_plot::svg::{self, Ink};
use backfill_sim::metrics::METRICS;

/// Width and height in pixels.
pub(crate) const SIZE: (u32, u32) = (720, 440);

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
            let name = match scenario.y() {
                None => format!("{}.svg", about.name),
                Some(axis) => format!(
                    "{}-{}-{}.svg",
                    about.name,
                    axis.key.name,
                    file_part(&axis.values[y])
                ),
            };
            let chart = answer.chart(metric, y);
            charts.push((name, svg::render(&chart, SIZE, &Theme::LIGHT, Ink::Values)));
        }
    }
    charts
}

/// A value in the form used in a file's name.
fn file_part(value: &str) -> String {
    value.replace(':', "_")
}
