//! What the page shows before any script has run: the finished answer to the default scenario.
//!
//! A page holds markers such as `<!-- baked:table -->`; each is replaced by HTML made at build
//! time. The numbers and charts are those that the page computes for itself later, by the same
//! code; the frame around them is that of `www/src/view/chart.tsx`, `legend.tsx` and `table.tsx`, so that
//! nothing moves when the page takes over.

use crate::motion;
use anyhow::{Result, anyhow};
use backfill_experiment::language::examples::EXAMPLES;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::scenario::link::{self, Extras};
use backfill_experiment::language::words::lower;
use backfill_experiment::study::answer::Answer;
use backfill_experiment::study::answer::numbers::Value;
use backfill_experiment::study::answer::summary::{AnswerSummary, MetricCurves};
use backfill_experiment::study::sweep::{CellRun, Results, cells};
use backfill_plot::chart::SeriesNames;
use backfill_plot::colour::Theme;
use backfill_plot::curves::of_metric;
use backfill_plot::svg::{self, Ink};
use backfill_plot::{SeriesStyle, series_styles};
use backfill_sim::metrics::{Better, METRICS, position};
use backfill_sim::run::Keep;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// HTML by the name of the marker that it takes the place of.
pub(crate) type Baked = BTreeMap<&'static str, String>;

/// Widths of a chart for wide and for narrow windows, in CSS pixels; the page shows one of them.
/// Beside the wide ones is room for the read-out.
const WIDTHS: [(&str, u32); 2] = [("wide", 632), ("narrow", 288)];

/// Height of a chart: that of `www/src/view/chart.tsx`.
const HEIGHT: u32 = 200;

/// What a first visit is asked: a question, and words of the example that answers it.
const QUESTIONS: [(&str, &str); 3] = [
    ("Is EASY worth it?", "policies under rising load"),
    (
        "What does a bandwidth guarantee cost?",
        "guarantee is worth",
    ),
    ("Can you beat EASY?", "eat EASY"),
];

/// Width and height of the picture of an answer to a question, in CSS pixels.
const MINIATURE: (f64, f64) = (168.0, 44.0);

/// The default scenario's result, and questions that other scenarios answer.
pub(crate) fn default_result() -> Result<Baked> {
    let scenario = &Scenario::default();
    let results = &finished(scenario)?;
    let answer = Answer { scenario, results };
    let summary = answer.summary(0);
    Ok(Baked::from([
        ("sentence", escaped(&summary.sentence)),
        ("legend", legend(&summary.policies)),
        ("charts", charts(&answer, &summary)),
        ("table", tables(&summary)),
        ("notes", escaped(&summary.notes.join(" "))),
        ("digest", results.digest().unwrap_or_default()),
        ("miniature", miniature(&answer, first_shown(&summary))),
        ("questions", questions()?),
        ("motion", escaped(&motion::runs()?)),
    ]))
}

/// All runs of a scenario without a trace.
fn finished(scenario: &Scenario) -> Result<Results> {
    let mut results = Results::new(scenario);
    for cell in cells(scenario) {
        let run = CellRun::new(scenario, cell, None, Keep::Metrics)?;
        results.add(run.finish().0);
    }
    Ok(results)
}

/// The questions that an example answers, each as a link to it with a picture of the answer.
fn questions() -> Result<String> {
    let mut cards = String::new();
    for (question, words) in QUESTIONS {
        let Some(example) = EXAMPLES.iter().find(|each| each.label.contains(words)) else {
            continue;
        };
        let scenario = Scenario::parse(example.pairs.iter().copied())
            .map_err(|problems| anyhow!("{}: {problems:?}", example.label))?;
        let results = finished(&scenario)?;
        let answer = Answer {
            scenario: &scenario,
            results: &results,
        };
        let summary = answer.summary(0);
        let metric = first_shown(&summary);
        write!(
            cards,
            r#"<a class="card" href="{}"><strong>{}</strong>{}<span class="soft">{} by {}</span></a>"#,
            escaped(&link::write(&scenario, &Extras::default())?),
            escaped(question),
            miniature(&answer, metric),
            escaped(METRICS[metric].label),
            escaped(&lower(&summary.x.label)),
        )
        .expect("a string takes all");
    }
    Ok(cards)
}

/// The position of the metric of the first chart.
fn first_shown(summary: &AnswerSummary) -> usize {
    position(summary.headline[0]).expect("a known metric")
}

/// The curves of a metric, above zero and nothing else.
fn miniature(answer: &Answer<'_>, metric: usize) -> String {
    let (width, height) = MINIATURE;
    let chart = of_metric(answer, metric, 0);
    let points = chart.series.iter().flat_map(|series| &series.points);
    let (mut left, mut right, mut most) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
    for point in points {
        (left, right) = (left.min(point.x), right.max(point.x));
        most = most.max(point.y);
    }
    let mut curves = String::new();
    for series in &chart.series {
        let points: Vec<String> = series
            .points
            .iter()
            .map(|point| {
                let x = 2.0 + (point.x - left) / (right - left) * (width - 4.0);
                let y = height - 2.0 - point.y / most * (height - 4.0);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        write!(
            curves,
            r#"<polyline class="series-{}" points="{}"/>"#,
            series.style % series_styles().len(),
            points.join(" ")
        )
        .expect("a string takes all");
    }
    format!(
        r#"<svg viewBox="0 0 {width} {height}" preserveAspectRatio="none" aria-hidden="true"><path class="axis" d="M0 {}H{width}"/>{curves}</svg>"#,
        height - 0.5,
    )
}

/// The names of a chart's series, by style, as `www/src/view/legend.tsx` shows them.
pub(crate) fn legend(names: &[String]) -> String {
    let series_styles = series_styles();
    let names = names.iter().zip(series_styles.iter().cycle());
    names
        .enumerate()
        .map(|(style, (name, look))| {
            format!("<span>{}{}</span>", swatch(style, look), escaped(name))
        })
        .collect()
}

/// A piece of a curve with its marker, as `www/src/view/swatch.tsx` draws it.
fn swatch(style: usize, look: &SeriesStyle) -> String {
    let number = style % series_styles().len();
    let dash: Vec<String> = look.dash.iter().map(f64::to_string).collect();
    let dash = if dash.is_empty() {
        String::new()
    } else {
        format!(r#" stroke-dasharray="{}""#, dash.join(" "))
    };
    let fill = if look.filled { "currentColor" } else { "none" };
    let marker = if look.corners.is_empty() {
        r#"<circle cx="17" cy="7" r="4""#.to_owned()
    } else {
        let corners = look.corners.iter();
        let corners: Vec<String> = corners
            .map(|(x, y)| format!("{},{}", 17.0 + 4.0 * x, 7.0 + 4.0 * y))
            .collect();
        format!(r#"<polygon points="{}""#, corners.join(" "))
    };
    format!(
        concat!(
            r#"<svg class="swatch series-{}" viewBox="0 0 34 14" aria-hidden="true">"#,
            r#"<line x1="1" x2="33" y1="7" y2="7" stroke="currentColor" stroke-width="1.8"{}/>"#,
            r#"{} fill="{}" stroke="currentColor" stroke-width="1.4"/></svg>"#
        ),
        number, dash, marker, fill
    )
}

fn charts(answer: &Answer<'_>, summary: &AnswerSummary) -> String {
    let mut figures = String::new();
    for name in &summary.headline {
        let position = position(name).expect("a known metric");
        let metric = &METRICS[position];
        let better = match metric.better {
            Better::Higher => "higher is better",
            Better::Lower => "lower is better",
            Better::Neither => "",
        };
        let heading = format!(
            r#"<div class="head"><h3>{}</h3><span class="better">{better}</span></div>"#,
            escaped(metric.label)
        );
        let mut chart = of_metric(answer, position, 0);
        let mut drawings = String::new();
        chart.title.clear();
        chart.names = SeriesNames::LineEndsOutside;
        for (kind, width) in WIDTHS {
            let svg = svg::render(&chart, (width, HEIGHT), &Theme::LIGHT, Ink::Classes);
            write!(drawings, r#"<div class="{kind}">{svg}</div>"#).expect("a string takes all");
        }
        write!(
            figures,
            r#"<figure class="chart">{heading}{drawings}</figure>"#
        )
        .expect("a string takes all");
    }
    // The room of the values at the point: before the charts, so that a browser that has only a part
    // of the page already gives them the places that they keep.
    r#"<div class="readout"></div>"#.to_owned() + &figures
}

fn tables(summary: &AnswerSummary) -> String {
    let of = |name: &&str| summary.metrics.iter().find(|curves| curves.name == *name);
    let metrics = summary.headline.iter().filter_map(of);
    let tables: String = metrics.map(|metric| table(metric, summary)).collect();
    format!(
        r#"<div class="table-scroll" tabindex="0" role="region" aria-label="Numbers of the charts">{tables}</div>"#
    )
}

fn table(metric: &MetricCurves, summary: &AnswerSummary) -> String {
    let caption = match metric.unit {
        "" => metric.label.to_owned(),
        unit => format!("{} ({unit})", metric.label),
    };
    let columns = std::iter::once(&summary.x.label).chain(&summary.policies);
    let head: String = columns
        .map(|column| format!(r#"<th scope="col">{}</th>"#, escaped(column)))
        .collect();
    let rows: String = summary
        .x
        .values
        .iter()
        .enumerate()
        .map(|(row, x)| {
            let cells: String = metric
                .curves
                .iter()
                .map(|curve| cell(&curve[row]))
                .collect();
            format!(r#"<tr><th scope="row">{}</th>{cells}</tr>"#, escaped(x))
        })
        .collect();
    format!(
        "<table><caption>{}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
        escaped(&caption)
    )
}

fn cell(value: &Option<Value>) -> String {
    let Some(value) = value else {
        return "<td>–</td>".to_owned();
    };
    let half = value.half.as_ref();
    let half = half.map(|half| format!(r#"<span class="half">± {half}</span>"#));
    format!("<td>{}{}</td>", value.mean, half.unwrap_or_default())
}

/// `text` as it stands in HTML, also in the quotes of an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the page.
    fn of_the_page(name: &str) -> String {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/");
        std::fs::read_to_string(format!("{root}{name}")).unwrap()
    }

    #[test]
    fn the_style_sheet_has_the_colours_of_the_charts() {
        let style = of_the_page("style.css");
        let hex = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
        let (light, dark) = (Theme::LIGHT, Theme::DARK);
        let mut colours = vec![
            (light.background, dark.background),
            (light.text, dark.text),
            (light.axis, dark.axis),
            (light.grid, dark.grid),
        ];
        colours.extend(light.series.into_iter().zip(dark.series));
        for (one, other) in colours {
            let role = light.role(one).unwrap();
            let pair = format!("light-dark({}, {})", hex(one), hex(other));
            let rule = format!(".{role} {{ color: {pair}; }}");
            assert!(style.contains(&rule), "www/style.css lacks `{rule}`");
        }
    }

    #[test]
    fn what_is_built_in_is_as_high_as_what_follows() {
        let chart = of_the_page("src/view/chart.tsx");
        assert!(chart.contains(&format!("const HEIGHT = {HEIGHT};")));
        let style = of_the_page("style.css");
        assert!(style.contains(&format!("height: {HEIGHT}px;")));
    }

    #[test]
    fn every_question_has_its_answer_as_a_link_and_as_a_picture() {
        let cards = questions().unwrap();
        let cards: Vec<&str> = cards
            .split("</a>")
            .filter(|card| !card.is_empty())
            .collect();
        let asked = QUESTIONS
            .iter()
            .filter(|(_, words)| EXAMPLES.iter().any(|example| example.label.contains(words)));
        let asked: Vec<_> = asked.collect();
        assert_eq!(cards.len(), asked.len());
        assert!(cards.len() >= 2);
        for (card, (question, _)) in cards.iter().zip(asked) {
            assert!(card.contains(question), "{card}");
            let (_, rest) = card.split_once(r#"href=""#).unwrap();
            let (address, _) = rest.split_once('"').unwrap();
            let (opened, _) = link::read(&address.replace("&amp;", "&")).unwrap().unwrap();
            let curves = card.matches("<polyline").count();
            assert_eq!(curves, opened.policies().len(), "{card}");
        }
    }
}
