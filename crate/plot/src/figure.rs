//! Published figures as pictures: charts, and heatmaps of two swept keys.

use backfill_experiment::language::scenario::{Axis, KEYS, Scenario};
use backfill_experiment::study::answer::numbers::Unit;
use backfill_experiment::study::answer::summary::values;
use backfill_experiment::study::answer::surface::{Panel, Surface};
use backfill_experiment::study::answer::{Answer, Estimates};
use backfill_experiment::study::sweep::Results;
use backfill_papers::claim_report::{SurfaceRow, title, weight_label};
use backfill_papers::recorded_curves::RecordedCurves;
use backfill_papers::{
    Data, Effort, Figure, FigureKind, FigureRun, Interpretation, WorkloadFrom, sweep,
};
use backfill_sim::metrics::{self, METRICS, Metric};
use backfill_sim::stats::MeanEstimate;

use crate::chart::{Chart, ChartAxis, CurvePoint, Quantity, Series, SeriesNames};
use crate::curves::of_estimates;
use crate::scale::AxisScale;

/// The heatmap of a figure from these recorded rows of an effort; `None` if it is none.
pub fn surface(sweep: &sweep::Sweep, effort: Effort, rows: &[SurfaceRow]) -> Option<Surface> {
    let scenario = sweep.scenario(&Interpretation::default(), effort, WorkloadFrom::Log);
    let known = sweep::SweptSurface::of(&scenario)?;
    let key = KEYS.iter().find(|key| key.name == known.key)?;
    let number = |mean: &String| {
        let mean = mean.replace(',', "").parse().ok()?;
        Some(MeanEstimate {
            mean,
            half_width: None,
            n: effort.replications(),
        })
    };
    let metric = &METRICS[metrics::position(sweep.metric)?];
    let axis = Axis {
        key,
        values: known.values,
    };
    Some(Surface {
        title: metric.label.to_owned(),
        unit: metric.unit,
        shown: Unit::suiting(metric.unit, 0.0),
        x: values(scenario.x()),
        y: values(Some(&axis)),
        panels: vec![Panel {
            policy: 0,
            label: known.policy.label(),
            rows: rows
                .iter()
                .map(|row| row.means.iter().map(number).collect())
                .collect(),
        }],
    })
}

/// The chart of a figure, under its default interpretation; `None` for a table.
pub fn chart(figure: &Figure, data: &Data) -> Option<Chart> {
    let title = title(figure, data);
    let number_axis = |label: &str, scale| ChartAxis {
        label: label.to_owned(),
        quantity: Quantity::Number,
        scale,
    };
    let free = AxisScale::Linear {
        low: None,
        high: None,
    };
    let point = |x: usize, y: f64| CurvePoint::new(x as f64, y);
    match (figure.kind, data) {
        (FigureKind::Sweep(sweep), Data::Sweep { runs, .. }) => {
            let FigureRun {
                scenario, results, ..
            } = runs.first()?;
            let answer = Answer { scenario, results };
            let all = answer.estimates(0);
            let of = |metric: &str| Some(all[metrics::position(metric)?].clone());
            let chart = curves(figure, &sweep, scenario, of)?;
            Some(Chart { title, ..chart })
        }
        (FigureKind::Weights(_), Data::Weights(curves)) => Some(Chart {
            title,
            x: number_axis("Free slots of a server", free.clone()),
            y: number_axis("Weight", free),
            series: curves
                .iter()
                .enumerate()
                .map(|(style, curve)| Series {
                    label: weight_label(curve),
                    style,
                    points: curve
                        .weights
                        .iter()
                        .enumerate()
                        .map(|(x, &y)| point(x, y))
                        .collect(),
                    dimmed: false,
                })
                .collect(),
            names: SeriesNames::Legend,
        }),
        (FigureKind::Step(step), Data::Step(rows)) => {
            let labels = [
                "Servers left idle".to_owned(),
                format!("Accepted of the {} that follow", step.count),
            ];
            Some(Chart {
                title,
                x: number_axis("", AxisScale::Categories(labels.to_vec())),
                y: number_axis(
                    "",
                    AxisScale::Linear {
                        low: Some(0.0),
                        high: None,
                    },
                ),
                series: rows
                    .iter()
                    .enumerate()
                    .map(|(style, row)| Series {
                        label: row.placement.choice().label.to_owned(),
                        style,
                        points: vec![
                            point(0, f64::from(row.idle)),
                            point(1, f64::from(row.accepted)),
                        ],
                        dimmed: false,
                    })
                    .collect(),
                names: SeriesNames::Legend,
            })
        }
        _ => None,
    }
}

/// The chart of a figure that is a scenario, with the title of its metric, from its curves on file;
/// `None` if it is none, is a heatmap, or nothing is on file.
pub fn recorded(figure: &Figure, on_file: &[&RecordedCurves]) -> Option<Chart> {
    let FigureKind::Sweep(sweep) = figure.kind else {
        return None;
    };
    let interpretation = Interpretation::default();
    let scenario = sweep.scenario(&interpretation, Effort::Full, WorkloadFrom::Log);
    if sweep::SweptSurface::of(&scenario).is_some() {
        return None;
    }
    curves(figure, &sweep, &scenario, |metric| {
        let known = on_file.iter().find(|curves| curves.metric == metric);
        Some(known?.estimates.clone())
    })
}

/// The curves of a figure that is a scenario, from the estimates of a metric by policy and x.
fn curves(
    figure: &Figure,
    sweep: &sweep::Sweep,
    scenario: &Scenario,
    estimates: impl Fn(&str) -> Option<Estimates>,
) -> Option<Chart> {
    let nothing = Results::new(scenario);
    let answer = Answer {
        scenario,
        results: &nothing,
    };
    let of = |name: &str| {
        let metric = metrics::position(name)?;
        // As in the evidence, in the tables and in the text of the papers.
        let shown = Unit::suiting(METRICS[metric].unit, 0.0);
        let chart = of_estimates(&answer, metric, 0, estimates(name)?, shown);
        Some((&METRICS[metric], chart))
    };
    let (_, mut chart) = of(sweep.metric)?;
    for (policy, series) in chart.series.iter_mut().enumerate() {
        series.label = sweep::label(scenario, policy, figure.called());
    }
    if let Some((metric, across)) = sweep.over().and_then(of) {
        draw_over(&mut chart, metric, &across);
    }
    if let Quantity::SecondsIn(..) = chart.y.quantity {
        chart.y.quantity = Quantity::Number;
        chart.y.label = "s".to_owned();
    }
    if !sweep.logarithmic && chart.y.scale == AxisScale::LogarithmicWhenWide {
        chart.y.scale = AxisScale::Linear {
            low: Some(0.0),
            high: None,
        };
    }
    Some(chart)
}

/// Draws curves over the means of a metric, `across` at the same positions, instead of x. A curve
/// with at most one value of that metric becomes a level line at its first value.
fn draw_over(chart: &mut Chart, metric: &Metric, across: &Chart) {
    chart.x = ChartAxis {
        label: metric.label.to_owned(),
        quantity: Quantity::Number,
        scale: AxisScale::Linear {
            low: None,
            high: None,
        },
    };
    let means = |series: &Series| -> Vec<f64> { series.points.iter().map(|p| p.y).collect() };
    let varies = |means: &[f64]| {
        let mut known = means.iter().filter(|mean| mean.is_finite());
        let first = known.next();
        known.any(|mean| Some(mean) != first)
    };
    let all: Vec<Vec<f64>> = across.series.iter().map(means).collect();
    let varying = all.iter().filter(|means| varies(means)).flatten();
    let varying: Vec<f64> = varying.copied().filter(|mean| mean.is_finite()).collect();
    let ends = [
        varying.iter().copied().fold(f64::INFINITY, f64::min),
        varying.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ];
    for (series, means) in chart.series.iter_mut().zip(&all) {
        if varies(means) {
            for (point, &mean) in series.points.iter_mut().zip(means) {
                point.x = mean;
            }
        } else if let Some(&first) = series.points.iter().find(|point| point.y.is_finite()) {
            series.points = ends.map(|x| CurvePoint { x, ..first }).to_vec();
        }
    }
}
