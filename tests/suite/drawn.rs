//! Published figures as they are drawn.

use backfill_experiment::language::scenario::Scenario;
use backfill_papers::{Data, Figure, FigureRun, Interpretation, WorkloadFrom};
use backfill_plot::chart::{Chart, Quantity};
use backfill_plot::figure::chart;
use backfill_tests::runs::results;

/// A small run in place of those of a figure of paper 3.
fn data() -> Data {
    let pairs = [
        ("system", "multi-cluster"),
        ("load", "as-logged"),
        ("bandwidth", "constant"),
        ("interarrival", "exponential:37.5"),
        ("jobs", "400"),
        ("size", "uniform:10:90"),
        ("runtime", "exponential:225"),
        (
            "policy",
            "fpfs+first-fit,fpfs+first-fit(sharing=ideal),fpfs+migration-only",
        ),
        ("x", "bandwidth_mbps:400:1000:200"),
        ("reps", "2"),
    ];
    Data::Sweep {
        from: WorkloadFrom::Log,
        runs: vec![FigureRun {
            interpretation: Interpretation::default(),
            scenario: Scenario::parse(pairs).expect("a valid scenario"),
            results: results(&pairs),
        }],
    }
}

/// The charts of a figure by bandwidth and of the same by penalty, and both tables.
fn both() -> ([Chart; 2], [String; 2]) {
    let data = data();
    let figures = ["p3-fig10", "p3-fig10-penalty"];
    let figures = figures.map(|id| Figure::named(id).expect("a figure"));
    let charts = figures.map(|figure| chart(figure, &data).expect("it has a chart"));
    (charts, figures.map(|figure| figure.csv(&data)))
}

#[test]
fn a_figure_is_drawn_over_the_metric_in_which_its_curves_cross() {
    let ([by_bandwidth, by_penalty], tables) = both();
    assert_ne!(by_bandwidth.x.label, "Execution penalty");
    assert_eq!(by_penalty.x.label, "Execution penalty");
    let places = |chart: &Chart, series: usize| -> Vec<f64> {
        let points = chart.series[series].points.iter();
        points.map(|point| point.x).collect()
    };
    let values = |chart: &Chart, series: usize| -> Vec<f64> {
        let points = chart.series[series].points.iter();
        points.map(|point| point.y).collect()
    };
    // The more bandwidth is asked for, the longer co-allocated jobs take.
    let penalties = places(&by_penalty, 0);
    assert_eq!(penalties.len(), 4);
    assert!(
        penalties.is_sorted() && penalties[0] >= 1.0,
        "{penalties:?}"
    );
    assert_eq!(values(&by_penalty, 0), values(&by_bandwidth, 0));
    // With ideal links the penalty is 1 everywhere, and without co-allocation there is none.
    for series in [1, 2] {
        assert_eq!(places(&by_penalty, series), [penalties[0], penalties[3]]);
        let first = values(&by_bandwidth, series)[0];
        assert_eq!(values(&by_penalty, series), [first; 2]);
    }
    // The table has what is needed to draw it.
    let rows = |table: &str, metric: &str| {
        let metric = format!(",{metric},");
        table.lines().filter(|line| line.contains(&metric)).count()
    };
    assert_eq!(tables.each_ref().map(|t| rows(t, "response_mean")), [12; 2]);
    assert_eq!(tables.each_ref().map(|t| rows(t, "penalty")), [0, 8]);
}

#[test]
fn times_of_figures_are_in_seconds_as_in_their_evidence() {
    let (charts, _) = both();
    for chart in charts {
        let label = chart.y.label.as_str();
        assert_eq!((label, chart.y.quantity), ("s", Quantity::Number));
    }
}
