//! The result of a scenario as a table.

use std::io::Write;

use anyhow::Result;
use backfill_experiment::language::scenario::{Axis, Scenario};
use backfill_experiment::study::answer::Answer;
use backfill_experiment::study::answer::numbers::{self, printed_unit};
use backfill_experiment::study::answer::summary::notes;
use backfill_experiment::study::sweep::{Point, Results};
use backfill_sim::metrics::{
    ACCEPT_POSSIBLE, INFEASIBLE, LEFT, METRICS, Metric, OVERSIZE, UNPLACEABLE,
};

/// Metrics that the table has unless they are zero throughout.
const COUNTS: [&str; 6] = [
    INFEASIBLE,
    UNPLACEABLE,
    OVERSIZE,
    "migrations",
    "not_finite",
    LEFT,
];

/// Prints means with intervals by (y, x, policy), and notes.
pub(crate) fn print(scenario: &Scenario, results: &Results, out: &mut impl Write) -> Result<()> {
    let points = results.points();
    let chosen = scenario.get("metric");
    let headline = scenario.headline();
    let some_never_run = points.iter().any(|point| {
        let name = METRICS[point.metric].name;
        [INFEASIBLE, OVERSIZE].contains(&name) && point.value.mean > 0.0
    });
    let more = (0..METRICS.len()).filter(|metric| !headline.contains(metric));
    let more = more.filter(|&metric| {
        let name = METRICS[metric].name;
        let of_it = |point: &&Point| point.metric == metric;
        let counted = || {
            points
                .iter()
                .filter(of_it)
                .any(|point| point.value.mean > 0.0)
        };
        let beside = name == ACCEPT_POSSIBLE && some_never_run;
        name == chosen || beside || COUNTS.contains(&name) && counted()
    });
    let shown: Vec<usize> = headline.iter().copied().chain(more).collect();
    let axes: Vec<&Axis> = [scenario.y(), scenario.x()].into_iter().flatten().collect();

    let mut heading: Vec<String> = axes.iter().map(|axis| axis.key.name.to_owned()).collect();
    heading.push("policy".to_owned());
    heading.extend(shown.iter().map(|&metric| title(&METRICS[metric])));
    let mut rows = vec![heading];
    for group in points.chunk_by(|a, b| (a.y, a.x, a.policy) == (b.y, b.x, b.policy)) {
        let Point { x, y, policy, .. } = group[0];
        let mut row: Vec<String> = Vec::new();
        row.extend(scenario.y().map(|axis| axis.values[y].clone()));
        row.extend(scenario.x().map(|axis| axis.values[x].clone()));
        let policy = &scenario.policies()[policy];
        row.push(policy.name.clone().unwrap_or_else(|| policy.to_string()));
        row.extend(shown.iter().map(|&metric| {
            let point = group.iter().find(|point| point.metric == metric);
            point.map_or("–".to_owned(), |point| {
                numbers::shown(&METRICS[metric], point.value).to_string()
            })
        }));
        rows.push(row);
    }
    aligned(&rows, axes.len() + 1, out)?;
    writeln!(out)?;
    for note in notes(scenario) {
        writeln!(out, "{note}")?;
    }
    let answer = Answer { scenario, results };
    let facets = scenario.y().map_or(1, |axis| axis.values.len());
    let mut written = Vec::new();
    for y in 0..facets {
        let best = answer.best_guarantees(y).into_iter();
        let never = answer.never_run(y).into_iter();
        let last = answer.places().len() - 1;
        let weeks = answer.weeks_in_words([last, y]).into_iter();
        for note in best.chain(never).chain(answer.left_queue(y)).chain(weeks) {
            // A note that holds for all values of the second axis is printed once.
            if !written.contains(&note) {
                writeln!(out, "{}", note.trim_start())?;
                written.push(note);
            }
        }
    }
    if !answer.about_recorded().is_empty() {
        writeln!(out, "{}", answer.about_recorded())?;
    }
    match (results.digest(), results.progress()) {
        (Some(digest), _) => writeln!(out, "digest {digest}")?,
        (None, (done, runs)) => writeln!(out, "no digest: {done} of {runs} runs are there")?,
    }
    Ok(())
}

fn title(metric: &Metric) -> String {
    match printed_unit(metric.unit) {
        "" | "jobs" => metric.name.to_owned(),
        unit => format!("{} ({unit})", metric.name),
    }
}

/// Writes rows with their columns aligned, the first `left` to the left and the others to the
/// right.
pub(crate) fn aligned(rows: &[Vec<String>], left: usize, out: &mut impl Write) -> Result<()> {
    let length = |text: &String| text.chars().count();
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter()
                .map(|row| length(&row[column]))
                .max()
                .unwrap_or(0)
        })
        .collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells: Vec<String> = cells
            .map(|(column, (text, &width))| {
                if column < left {
                    format!("{text:<width$}")
                } else {
                    format!("{text:>width$}")
                }
            })
            .collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
