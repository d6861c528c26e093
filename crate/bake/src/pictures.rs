//! The pictures of figures that are scenarios, from the curves on file: files beside the page, of
//! which a browser fetches one when somebody opens its figure, and the same numbers as a table.

use backfill_experiment::language::scenario::Axis;
use backfill_experiment::study::answer::numbers::{printed, printed_unit};
use backfill_papers::recorded_curves::RecordedCurves;
use backfill_papers::{Effort, Figure, FigureKind, Interpretation, WorkloadFrom, figures};
use backfill_plot::chart::Chart;
use backfill_plot::colour::Theme;
use backfill_plot::figure::recorded;
use backfill_plot::svg::{self, Ink};
use backfill_sim::metrics::{self, METRICS};

use crate::opening::escaped;

/// The width and height of a picture, whose letters can be read where it is as wide as a phone.
const SIZE: (u32, u32) = (480, 320);

/// The themes of a picture, by what the style sheet calls them.
const THEMES: [(&str, &Theme); 2] = [("light", &Theme::LIGHT), ("dark", &Theme::DARK)];

/// All pictures, each as the name of its file and its text.
pub(crate) fn files(on_file: &[RecordedCurves]) -> impl Iterator<Item = (String, String)> {
    let charts = figures().filter_map(|figure| {
        let mine = on_file.iter().filter(|curves| curves.id == figure.id);
        Some((figure, recorded(figure, &mine.collect::<Vec<_>>())?))
    });
    charts.flat_map(|(figure, chart)| {
        THEMES.map(|(name, theme)| {
            let picture = svg::render(&chart, SIZE, theme, Ink::Values);
            (file(figure, name), picture)
        })
    })
}

fn file(figure: &Figure, theme: &str) -> String {
    format!("figures/{}-{theme}.svg", figure.id)
}

/// The picture of a figure; nothing where it has none.
pub(crate) fn picture(figure: &Figure, on_file: &[&RecordedCurves]) -> String {
    let Some(chart) = recorded(figure, on_file) else {
        return String::new();
    };
    let pictures = THEMES.map(|(name, _)| image(figure, &chart, name)).concat();
    format!(r#"<figure class="drawn">{pictures}</figure>"#)
}

fn image(figure: &Figure, chart: &Chart, theme: &str) -> String {
    let (width, height) = SIZE;
    format!(
        r#"<img class="{theme}" src="./{}" alt="{}" width="{width}" height="{height}" loading="lazy">"#,
        file(figure, theme),
        escaped(&format!("Curves. {}", chart.summary())),
    )
}

/// The numbers behind the picture of a figure: a heading, and a row for each value of x.
pub(crate) fn numbers(figure: &Figure, on_file: &[&RecordedCurves]) -> Option<Vec<Vec<String>>> {
    let FigureKind::Sweep(sweep) = figure.kind else {
        return None;
    };
    let curves = on_file
        .iter()
        .find(|curves| curves.metric == sweep.metric)?;
    let scenario = sweep.scenario(&Interpretation::default(), Effort::Full, WorkloadFrom::Log);
    let unit = METRICS[metrics::position(sweep.metric)?].unit;
    let (label, values) = scenario
        .x()
        .map_or_else(Default::default, |Axis { key, values }| {
            (key.label.to_owned(), values.clone())
        });
    let policy = |label: &String| format!("{label} ({})", printed_unit(unit));
    let heading = [label].into_iter().chain(curves.labels.iter().map(policy));
    let row = |(x, value): (usize, &String)| {
        let cells = curves.estimates.iter().map(|curve| match curve[x] {
            None => "–".to_owned(),
            Some(estimate) => printed(unit, estimate).to_string(),
        });
        [value.clone()].into_iter().chain(cells).collect()
    };
    let rows = values.iter().enumerate().map(row);
    Some([heading.collect()].into_iter().chain(rows).collect())
}
