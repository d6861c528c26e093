//! The result of a scenario as charts.

use backfill_plot::chart::{self, Chart, Names, Quantity, Series};
use backfill_plot::colour::Theme;
use backfill_plot::scale::Scale;
use backfill_plot::svg::{self, Ink};
use backfill_sim::metrics::METRICS;
use backfill_sim::scenario::{Axis, Scenario};
use backfill_sim::sweep::{Point, Results};

/// Width and height in pixels.
const SIZE: (u32, u32) = (720, 440);

/// An SVG for each headline metric and the scenario's own, at each value of y, with a file name.
pub(crate) fn charts(scenario: &Scenario, results: &Results) -> Vec<(String, String)> {
    let points = results.points();
    let mut charts = Vec::new();
    for (metric, about) in METRICS.iter().enumerate() {
        if !about.headline && about.name != scenario.get("metric") {
            continue;
        }
        for y in 0..scenario.y().map_or(1, |axis| axis.values.len()) {
            let here: Vec<&Point> = points
                .iter()
                .filter(|point| point.metric == metric && point.y == y)
                .collect();
            let (title, name) = match scenario.y() {
                None => (about.label.to_owned(), format!("{}.svg", about.name)),
                Some(axis) => (
                    format!("{}, {} = {}", about.label, axis.key.label, axis.values[y]),
                    format!(
                        "{}-{}-{}.svg",
                        about.name,
                        axis.key.name,
                        file_part(&axis.values[y])
                    ),
                ),
            };
            let chart = curves(scenario, &here, title, about.unit);
            charts.push((name, svg::render(&chart, SIZE, &Theme::LIGHT, Ink::Values)));
        }
    }
    charts
}

/// A value as it may stand in a file's name.
fn file_part(value: &str) -> String {
    value.replace(':', "_")
}

/// The chart of one metric at one value of y.
fn curves(scenario: &Scenario, points: &[&Point], title: String, unit: &str) -> Chart {
    let (label, values) = match scenario.x() {
        Some(axis) => (label(axis), axis.values.clone()),
        None => (String::new(), vec![String::new()]),
    };
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    let series = scenario
        .policies()
        .iter()
        .enumerate()
        .map(|(style, policy)| Series {
            label: policy.to_string(),
            style,
            points: points
                .iter()
                .filter(|point| point.policy == style)
                .map(|point| chart::Point {
                    x: numbers
                        .as_ref()
                        .map_or(point.x as f64, |numbers| numbers[point.x]),
                    y: point.value.mean,
                    half_width: point.value.half_width,
                })
                .collect(),
            dimmed: false,
        });
    let from_zero = |high| Scale::Linear {
        low: Some(0.0),
        high,
    };
    Chart {
        title,
        series: series.collect(),
        x: chart::Axis {
            label,
            quantity: Quantity::Number,
            scale: match numbers {
                Some(_) => Scale::Linear {
                    low: None,
                    high: None,
                },
                None => Scale::Categories(values),
            },
        },
        y: chart::Axis {
            label: String::new(),
            quantity: match unit {
                "s" => Quantity::Seconds,
                _ => Quantity::Number,
            },
            scale: match unit {
                "share" => from_zero(Some(1.0)),
                "" => Scale::LogarithmicWhenWide,
                _ => from_zero(None),
            },
        },
        names: Names::Legend,
    }
}

fn label(axis: &Axis) -> String {
    match axis.key.unit {
        "" => axis.key.label.to_owned(),
        unit => format!("{} ({unit})", axis.key.label),
    }
}
