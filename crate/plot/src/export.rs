//! Charts of an answer as files: SVG, their numbers as CSV, and pgfplots source for a paper.

use backfill_experiment::language::words::latex as escaped;
use backfill_experiment::study::answer::Answer;
use backfill_experiment::study::answer::fairness::{self, WaitSpreads};
use backfill_experiment::study::answer::numbers::printed_unit;
use backfill_experiment::study::answer::summary::values;
use backfill_experiment::study::spread::LEVELS;
use backfill_sim::metrics::METRICS;

use crate::chart::{Chart, SeriesNames};
use crate::colour::{SERIES_STYLES, Theme};
use crate::curves::{of_metric, of_waits};
use crate::scale::AxisScale;
use crate::svg::{self, Ink};

/// Width and height in pixels of a chart for the screen.
pub const SCREEN: (u32, u32) = (720, 440);

/// Pixels of a chart to the inch on paper, so that labels of 12 pixels have 8 points.
const PIXELS_TO_THE_INCH: f64 = 12.0 * 72.0 / 8.0;

/// Height of a figure by its width.
const ASPECT: f64 = 0.62;

/// A chart as a file of its own: for the screen, or with a width in inches for paper, with labels
/// of 8 points.
fn document(chart: &Chart, inches: Option<f64>) -> String {
    let Some(inches) = inches else {
        return svg::render(chart, SCREEN, &Theme::LIGHT, Ink::Values);
    };
    let width = (inches * PIXELS_TO_THE_INCH) as u32;
    let height = (inches * PIXELS_TO_THE_INCH * ASPECT) as u32;
    let document = svg::render(chart, (width, height), &Theme::LIGHT, Ink::Values);
    let on_screen = format!("width=\"{width}\" height=\"{height}\"");
    let size = |pixels: u32| f64::from(pixels) / PIXELS_TO_THE_INCH;
    let on_paper = format!("width=\"{}in\" height=\"{}in\"", size(width), size(height));
    document.replacen(&on_screen, &on_paper, 1)
}

/// The numbers of a chart as CSV: a line for each position of x, and for each series its mean and
/// half the width of its interval, by the series' positions; `nan` if there is none.
fn numbers(chart: &Chart, places: &[f64], labels: &[String]) -> String {
    let mut text = String::from("x");
    for position in 0..chart.series.len() {
        text += &format!(",mean{position},half{position}");
    }
    text.push('\n');
    for (place, label) in places.iter().zip(labels) {
        match &chart.x.scale {
            AxisScale::Categories(_) => text += &place.to_string(),
            _ => text += label,
        }
        for series in &chart.series {
            let point = series.points.iter().find(|point| point.x == *place);
            let mean = point.map_or("nan".to_owned(), |point| point.y.to_string());
            let half = point.and_then(|point| point.half_width);
            let half = half.map_or("nan".to_owned(), |half| half.to_string());
            text += &format!(",{mean},{half}");
        }
        text.push('\n');
    }
    text
}

/// The name of a file with the chart of a metric at one value of the second axis, without its
/// extension.
pub fn stem(answer: &Answer<'_>, metric: usize, y: usize) -> String {
    let name = METRICS[metric].name;
    match answer.scenario.y() {
        None => name.to_owned(),
        Some(axis) => {
            let value = axis.values[y].replace(':', "_");
            format!("{name}-{}-{value}", axis.key.name)
        }
    }
}

/// The chart of a metric as a file of its own: for the screen, or with a width in inches for
/// paper, with labels of 8 points.
pub fn svg(answer: &Answer<'_>, metric: usize, y: usize, inches: Option<f64>) -> String {
    document(&of_metric(answer, metric, y), inches)
}

/// The numbers of a metric's chart: a line for each value of x, and for each policy its mean
/// and half the width of its interval, by the policies' positions; `nan` if there is none.
pub fn csv(answer: &Answer<'_>, metric: usize, y: usize) -> String {
    let labels = values(answer.scenario.x()).values;
    numbers(&of_metric(answer, metric, y), &answer.places(), &labels)
}

/// The chart of a metric as a document for LaTeX with pgfplots, which reads its numbers from
/// `csv`, the name of a file with [`csv()`].
pub fn latex(answer: &Answer<'_>, metric: usize, y: usize, csv: &str) -> String {
    let chart = Chart {
        names: SeriesNames::Legend,
        ..of_metric(answer, metric, y)
    };
    let label = METRICS[metric].label;
    let y_label = match printed_unit(METRICS[metric].unit) {
        "" => label.to_owned(),
        unit => format!("{label} ({unit})"),
    };
    let mut axis = vec![
        "width=\\columnwidth".to_owned(),
        "height=0.62\\columnwidth".to_owned(),
        format!("xlabel={{{}}}", escaped(&chart.x.label)),
        format!("ylabel={{{}}}", escaped(&y_label)),
        "ymajorgrids".to_owned(),
        "tick label style={font=\\scriptsize}".to_owned(),
        "label style={font=\\footnotesize}".to_owned(),
        "legend style={font=\\scriptsize, draw=none, at={(0.5,1.02)}, anchor=south, \
         legend columns=2}"
            .to_owned(),
    ];
    if let AxisScale::Categories(names) = &chart.x.scale {
        let names: Vec<String> = names
            .iter()
            .map(|name| format!("{{{}}}", escaped(name)))
            .collect();
        axis.push("xtick=data".to_owned());
        axis.push(format!("xticklabels={{{}}}", names.join(",")));
    }
    let mut text = format!(
        "% {}\n% Backfill {}, digest {}. Needs pgfplots.\n\\documentclass{{standalone}}\n\
         \\usepackage{{pgfplots}}\n\\pgfplotsset{{compat=1.16}}\n\
         \\setlength{{\\columnwidth}}{{3.5in}}\n\\begin{{document}}\n",
        escaped(&chart.title),
        answer.results.core(),
        answer
            .results
            .digest()
            .unwrap_or_else(|| "missing: runs are left".to_owned()),
    );
    let colours = &Theme::LIGHT.series;
    for (position, [red, green, blue]) in colours.iter().enumerate() {
        text += &format!("\\definecolor{{series{position}}}{{RGB}}{{{red},{green},{blue}}}\n");
    }
    text += &format!(
        "\\begin{{tikzpicture}}\n\\begin{{axis}}[\n  {}\n]\n",
        axis.join(",\n  ")
    );
    const MARKS: [&str; SERIES_STYLES] = [
        "*",
        "square*",
        "triangle*",
        "diamond*",
        "pentagon*",
        "o",
        "square",
        "diamond",
    ];
    const LINES: [&str; SERIES_STYLES] = [
        "solid",
        "dashed",
        "densely dotted",
        "dash dot",
        "loosely dashed",
        "densely dashed",
        "dash dot dot",
        "loosely dotted",
    ];
    for (position, series) in chart.series.iter().enumerate() {
        let style = series.style % SERIES_STYLES;
        let line = if matches!(chart.x.scale, AxisScale::Categories(_)) {
            "only marks"
        } else {
            LINES[style]
        };
        text += &format!(
            "\\addplot[color=series{style}, {line}, mark={}, mark options={{solid}}, \
             error bars/.cd, y dir=both, y explicit]\n  \
             table[x=x, y=mean{position}, y error=half{position}, col sep=comma] {{{csv}}};\n\
             \\addlegendentry{{{}}}\n",
            MARKS[style],
            escaped(&series.label)
        );
    }
    text + "\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n"
}

/// The chart of a curve as a file of its own, as [`svg()`] makes it.
pub fn svg_of_waits(fairness: &WaitSpreads<'_>, name: &str, inches: Option<f64>) -> Option<String> {
    Some(document(&of_waits(fairness, name)?, inches))
}

/// The numbers of that chart, as [`csv()`] has them; times in
/// seconds.
pub fn csv_of_waits(fairness: &WaitSpreads<'_>, name: &str) -> Option<String> {
    let labels = LEVELS.map(|level| level.to_string());
    let mut chart = of_waits(fairness, name)?;
    chart.series.retain(|series| !series.dimmed);
    Some(numbers(&chart, &fairness::places(), &labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::tests::simulated;
    use backfill_experiment::study::sweep::{CellRun, cells};
    use backfill_sim::run::Keep;

    #[test]
    fn a_figure_for_paper_has_its_width_and_labels_of_eight_points() {
        let (scenario, results) =
            &simulated(&[("jobs", "20"), ("reps", "2"), ("x", "load:0.5,0.9")]);
        let answer = &Answer { scenario, results };
        let file = svg(answer, 0, 0, Some(3.5));
        assert!(
            file.contains("width=\"3.5in\" height=\"2.1666"),
            "{}",
            &file[..300]
        );
        // 378 pixels are 3.5 in: a label of 12 pixels has 12 / 378 · 3.5 · 72 = 8 points.
        assert!(file.contains("viewBox=\"0 0 378 234\""), "{}", &file[..300]);
        assert!(file.contains("<text"));
        assert_eq!(file, svg(answer, 0, 0, Some(3.5)));
    }

    #[test]
    fn latex_reads_the_numbers_of_the_chart() {
        let (scenario, results) = &simulated(&[
            ("jobs", "20"),
            ("reps", "2"),
            ("x", "load:0.5,0.9"),
            ("policy", "fcfs,easy"),
        ]);
        let answer = &Answer { scenario, results };
        let numbers = csv(answer, 0, 0);
        let chart = of_metric(answer, 0, 0);
        let lines: Vec<&str> = numbers.lines().collect();
        assert_eq!(lines[0], "x,mean0,half0,mean1,half1");
        assert_eq!(lines.len(), 3);
        let point = chart.series[1].points[1];
        let fields: Vec<f64> = lines[2]
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        assert_eq!((fields[0], fields[3]), (0.9, point.y));
        assert_eq!(Some(fields[4]), point.half_width);
        let source = latex(answer, 0, 0, "accept_rate.csv");
        assert!(source.contains("ylabel={Accept rate (\\%)}"), "{source}");
        assert!(source.contains("y=mean1, y error=half1, col sep=comma] {accept_rate.csv};"));
        assert_eq!(source.matches("\\addlegendentry").count(), 2);
    }

    #[test]
    fn curves_of_waits_are_files() {
        let (scenario, _) = &simulated(&[
            ("jobs", "150"),
            ("reps", "3"),
            ("policy", "fcfs,easy"),
            ("x", "load:0.9"),
        ]);
        let spread = |cell| {
            let run =
                CellRun::new(scenario, cell, None, Keep::Histories).expect("no trace is needed");
            run.spread()
        };
        let spreads: Vec<_> = cells(scenario).into_iter().map(spread).collect();
        let spreads = &spreads;
        let fairness = &WaitSpreads { scenario, spreads };
        let csv = csv_of_waits(fairness, "lorenz").expect("a curve");
        assert_eq!(csv.lines().count(), 1 + LEVELS.len());
        assert!(
            csv.starts_with("x,mean0,half0,mean1,half1\n0,0,0,0,0\n"),
            "{csv}"
        );
        let file = svg_of_waits(fairness, "quantiles", None).expect("a curve");
        assert!(file.contains("FCFS + AdaBa"));
        assert!(of_waits(fairness, "mean").is_none());
    }
}
