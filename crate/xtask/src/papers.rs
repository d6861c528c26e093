//! The page of the papers' figures, which no script makes: each figure with links that open it, and
//! the report of what holds of its claims.
//!
//! Everything comes from the simulator's table of figures and from the verdicts on file, which a
//! test ties to the code; nothing is simulated here. What the verdicts are called and how they are
//! to be read stands in `www/papers.html`.

use crate::bake::{Baked, WIDTHS, escaped, legend};
use anyhow::{Context, Result, ensure};
use backfill_experiment::report::CORE;
use backfill_experiment::scenario::{KEYS, ValueKind};
use backfill_experiment::sweep::cells;
use backfill_papers::sweep::{ARCHIVE, Interpretation, Log, Sweep};
use backfill_papers::{
    Data, Effort, Figure, FigureKind, Judgement, PAPERS, Paper, Statement, Table, Verdict,
    WorkloadFrom,
};
use backfill_plot::chart::Names;
use backfill_plot::colour::Theme;
use backfill_plot::figure::{SurfaceRow, chart, rows, surface};
use backfill_plot::recorded::{RecordedClaim, RecordedFigure, RecordedFinding};
use backfill_plot::svg::{self, Ink};
use backfill_sim::metrics::{self, METRICS};

/// Height of a drawn figure, in CSS pixels.
const HEIGHT: u32 = 300;

/// The kinds of verdicts in the order of the summary: how each is called in the style sheet, its
/// sign and its words. A sign and words tell them apart where colours do not.
const VERDICTS: [(&str, &str, &str); 6] = [
    ("holds", "✓", "holds"),
    ("partly", "◐", "holds only under some readings"),
    ("fails", "✗", "does not hold"),
    ("open", "?", "undecided"),
    ("log", "–", "needs the log"),
    ("sure", "=", "true by construction"),
];

/// Where in [`VERDICTS`] those stand that are counted apart.
const SURE: usize = 5;

/// The report of all papers, from the verdicts on file.
///
/// # Errors
/// The file has other figures, claims or interpretations than the simulator.
pub(crate) fn report(recorded: &[RecordedFigure]) -> Result<Baked> {
    let mut papers = String::new();
    for paper in PAPERS {
        papers += &self::paper(paper, recorded)?;
    }
    Ok(Baked::from([("papers", papers), ("core", escaped(CORE))]))
}

/// A figure with what is on file of it.
struct Entry<'a> {
    figure: &'static Figure,
    effort: Effort,
    /// What is on file of the heatmap that it is.
    surface: &'a [SurfaceRow],
    /// Each claim and what is on file of it.
    claims: Vec<(Statement, &'a RecordedClaim)>,
}

impl<'a> Entry<'a> {
    fn new(figure: &'static Figure, recorded: &'a [RecordedFigure]) -> Result<Entry<'a>> {
        let id = figure.id;
        let known = recorded.iter().find(|known| known.id == id);
        let known = known.with_context(|| format!("nothing is on file of {id}"))?;
        let mut claims = Vec::new();
        for statement in figure.claims() {
            let id = &statement.id;
            let claim = known.claims.iter().find(|claim| claim.id == *id);
            let claim = claim.with_context(|| format!("nothing is on file of {id}"))?;
            let found = claim
                .findings
                .iter()
                .map(|finding| finding.interpretation.as_str());
            ensure!(
                found.eq(figure
                    .interpretations()
                    .iter()
                    .map(Interpretation::to_string)),
                "other readings of {id} are on file than it has now"
            );
            claims.push((statement, claim));
        }
        Ok(Entry {
            figure,
            effort: known.effort,
            surface: &known.surface,
            claims,
        })
    }
}

fn paper(paper: &Paper, recorded: &[RecordedFigure]) -> Result<String> {
    let figures = paper.figures.iter();
    let entries: Result<Vec<Entry<'_>>> =
        figures.map(|figure| Entry::new(figure, recorded)).collect();
    let entries = entries?;
    let Paper {
        name,
        title,
        published,
        ..
    } = paper;
    let summary = summary(name, &entries);
    let glossary = glossary(&entries);
    let figures: String = entries.iter().map(figure).collect();
    Ok(format!(
        r#"<section class="paper"><h2>{name}: {title}</h2><p class="soft">{published}</p>{summary}{glossary}{figures}</section>"#
    ))
}

/// The claims of a paper by verdict.
fn summary(paper: &str, entries: &[Entry<'_>]) -> String {
    let claims = || entries.iter().flat_map(|entry| &entry.claims);
    let row = |kind: usize| {
        let of_it = claims().filter(|(_, claim)| self::kind(&claim.verdict) == kind);
        let names: Vec<&str> = of_it.map(|(_, claim)| claim.id.as_str()).collect();
        match names.len() {
            0 => String::new(),
            count => format!(
                r#"<tr><th scope="row">{}: {count}</th><td class="names">{}</td></tr>"#,
                mark(kind, VERDICTS[kind].2),
                anchors(names.into_iter().map(|name| (name, name)))
            ),
        }
    };
    let rows: String = (0..VERDICTS.len()).map(row).collect();
    let sure = claims()
        .filter(|(_, claim)| kind(&claim.verdict) == SURE)
        .count();
    let (judged, figures) = (claims().count() - sure, entries.len());
    let apart = match sure {
        0 => String::new(),
        sure => format!("; {sure} more are true by construction"),
    };
    let places = entries
        .iter()
        .map(|entry| (entry.figure.id, entry.figure.place));
    format!(
        concat!(
            r#"<p class="names">{}</p>"#,
            r#"<table class="summary"><caption>{}: {} claims about {} figures and tables, by verdict{}</caption>"#,
            r#"<thead><tr><th scope="col">Verdict</th><th scope="col">Claims</th></tr></thead>"#,
            r#"<tbody>{}</tbody></table>"#
        ),
        anchors(places),
        paper,
        judged,
        figures,
        apart,
        rows
    )
}

/// Links to places of the page: their names and the words to click.
fn anchors<'a>(places: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let link = |(id, words): (&str, &str)| format!(r##"<a href="#{id}">{}</a>"##, escaped(words));
    places.map(link).collect::<Vec<_>>().join(" ")
}

/// The place of a verdict in [`VERDICTS`].
fn kind(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Holds => 0,
        Verdict::HoldsOnly { .. } => 1,
        Verdict::DoesNotHold => 2,
        Verdict::Undecided => 3,
        Verdict::NeedsLog => 4,
        Verdict::ByConstruction => SURE,
    }
}

/// The same of what one interpretation says.
fn kind_of_outcome(outcome: Judgement) -> usize {
    match outcome {
        Judgement::Holds => 0,
        Judgement::DoesNotHold => 2,
        Judgement::Undecided => 3,
        Judgement::NeedsLog => 4,
    }
}

/// Words with the sign and the colour of a verdict.
fn mark(kind: usize, words: &str) -> String {
    let (class, sign, _) = VERDICTS[kind];
    let words = escaped(words);
    format!(
        r#"<span class="verdict {class}"><span aria-hidden="true">{sign}</span> {words}</span>"#
    )
}

/// What the ambiguities of a paper's figures mean, from the table of keys.
fn glossary(entries: &[Entry<'_>]) -> String {
    let mut ambiguities = Vec::new();
    for entry in entries {
        if let FigureKind::Sweep(sweep) = entry.figure.kind {
            for ambiguity in sweep.ambiguities {
                if !ambiguities.iter().any(|(key, _)| *key == ambiguity.key) {
                    ambiguities.push((ambiguity.key, ambiguity.values));
                }
            }
        }
    }
    let of_a_key = |(name, values): (&str, &[&str])| {
        let key = KEYS.iter().find(|key| key.name == name);
        let key = key.expect("switches are keys of a scenario");
        let value = |(place, value): (usize, &&str)| {
            let default = if place == 0 { " (the default)" } else { "" };
            let choices = match key.kind {
                ValueKind::Choice { choices } => choices,
                _ => &[],
            };
            let choice = choices.iter().find(|choice| choice.value == *value);
            let meaning = match choice {
                Some(choice) if !choice.help.is_empty() => {
                    let (label, help) = (escaped(choice.label), escaped(choice.help));
                    format!(" {label}: {help}")
                }
                _ => String::new(),
            };
            format!("<li><code>{value}</code>{meaning}{default}</li>")
        };
        let values: String = values.iter().enumerate().map(value).collect();
        format!(
            "<dt><code>{name}</code> {}</dt><dd>{}<ul>{values}</ul></dd>",
            escaped(key.label),
            escaped(key.help)
        )
    };
    if ambiguities.is_empty() {
        return String::new();
    }
    let ambiguities: String = ambiguities.into_iter().map(of_a_key).collect();
    format!(
        "<details><summary>What the paper leaves open, and how it can be read</summary><dl>{ambiguities}</dl></details>"
    )
}

fn figure(entry: &Entry<'_>) -> String {
    let figure = entry.figure;
    let caption = escaped(&figure.full_caption(entry.effort, |_| true));
    let id = figure.id;
    let title = escaped(&format!("{}: {}", figure.place, figure.title));
    let content = match figure.kind {
        FigureKind::Sweep(sweep) => {
            opening(id, &sweep) + &over(id, &sweep) + &heatmap(entry, &sweep)
        }
        FigureKind::Weights(weights) => curves(figure, &Data::Weights(weights.curves())),
        FigureKind::Step(step) => numbers(figure, &Data::Step(step.rows())),
        FigureKind::Table(table) => workloads(figure, &table),
        FigureKind::Decisions(_) => String::new(),
    };
    let claims: String = entry.claims.iter().map(claim).collect();
    let command = command(entry);
    format!(
        concat!(
            r#"<section class="figure" id="{id}" aria-labelledby="{id}-title"><h3 id="{id}-title">{title}</h3>"#,
            r#"<p>{caption}</p>{content}<h4>What the text says of it</h4>"#,
            r#"<ul class="claims">{claims}</ul>{command}</section>"#
        ),
        id = id,
        title = title,
        caption = caption,
        content = content,
        claims = claims,
        command = command,
    )
}

/// The command that computes the verdicts again.
fn command(entry: &Entry<'_>) -> String {
    let quick = match entry.effort {
        Effort::Quick => " --quick",
        Effort::Full => "",
    };
    let logs = match entry.figure.kind {
        FigureKind::Table(table) => table.workloads.iter().any(|source| source.log().is_some()),
        FigureKind::Sweep(sweep) => sweep.log.is_some(),
        FigureKind::Weights(_) | FigureKind::Step(_) | FigureKind::Decisions(_) => false,
    };
    let (logs, where_logs) = if logs {
        (" --trace-dir LOGS", " from the logs in the folder LOGS")
    } else {
        ("", "")
    };
    format!(
        r#"<p class="soft"><code>backfill figure {}{quick}{logs}</code> computes it anew{where_logs}.</p>"#,
        entry.figure.id
    )
}

/// Curves that are computed here, drawn and as a table.
fn curves(figure: &Figure, data: &Data) -> String {
    let Some(mut chart) = chart(figure, data) else {
        return numbers(figure, data);
    };
    chart.title.clear();
    chart.names = Names::Outside;
    let names = chart.series.iter().map(|series| series.label.clone());
    let legend = legend(&names.collect::<Vec<_>>());
    let drawing = |(kind, width)| {
        let svg = svg::render(&chart, (width, HEIGHT), &Theme::LIGHT, Ink::Classes);
        format!(r#"<div class="{kind}">{svg}</div>"#)
    };
    format!(
        concat!(
            r#"<div class="legend">{}</div><figure class="drawn">{}</figure>"#,
            r#"<details><summary>The same numbers as a table</summary>{}</details>"#
        ),
        legend,
        WIDTHS.map(drawing).concat(),
        numbers(figure, data)
    )
}

/// What draws a figure that is over another metric than the playground shows it by.
fn over(id: &str, sweep: &Sweep) -> String {
    let metric = sweep.over().and_then(metrics::position);
    metric.map_or(String::new(), |metric| {
        let scenario = sweep.scenario(&sweep.interpretations()[0], Effort::Full, WorkloadFrom::Log);
        let swept = scenario.x().map_or("", |axis| axis.key.label);
        let metric = METRICS[metric].label;
        format!(
            r#"<p class="soft">The playground shows it by {}; <code>backfill figure {id}</code> draws it by {}.</p>"#,
            escaped(&swept.to_lowercase()),
            escaped(&metric.to_lowercase())
        )
    })
}

/// The heatmap of a figure whose curves are cuts through a surface, as a drawing and as a table.
fn heatmap(entry: &Entry<'_>, sweep: &Sweep) -> String {
    let Some(mut surface) = surface(sweep, entry.effort, entry.surface) else {
        return String::new();
    };
    let title = std::mem::take(&mut surface.title);
    let id = entry.figure.id;
    let drawing = |(kind, width): (&str, u32)| {
        let size = (width, surface.height(f64::from(width)).ceil() as u32);
        let svg = svg::render_surface(&surface, size, None, &Theme::LIGHT, Ink::Classes);
        format!(r#"<div class="{kind}">{svg}</div>"#)
    };
    let corner = format!("{}, by {}", surface.y.label, surface.x.label);
    let heading = [corner].into_iter().chain(surface.x.values.clone());
    let own = |row: &SurfaceRow| {
        let value = [row.value.clone()].into_iter();
        value.chain(row.means.clone()).collect()
    };
    let rows = [heading.collect()]
        .into_iter()
        .chain(entry.surface.iter().rev().map(own));
    let name = format!("Surface of {id}");
    let rows = table(&name, &title, &rows.collect::<Vec<Vec<String>>>());
    let links = Effort::ALL.map(|effort| {
        let link = sweep.surface_link(effort).expect("it is a surface");
        let href = escaped(&format!("./{}", link.expect("the figures have links")));
        format!(r#"<a href="{href}">{}</a>"#, effort.name())
    });
    format!(
        concat!(
            r#"<figure class="drawn"><figcaption>{}</figcaption>{}</figure><p class="soft">Open it as a heatmap in the playground: {}</p>"#,
            r#"<details><summary>The heatmap as a table</summary>{}</details>"#
        ),
        escaped(&title),
        WIDTHS.map(drawing).concat(),
        links.join(" "),
        rows
    )
}

/// The rows of a figure.
fn numbers(figure: &Figure, data: &Data) -> String {
    table(&format!("Numbers of {}", figure.id), "", &rows(data))
}

/// Workloads in numbers: of logs those of their look-alikes, which are at hand.
fn workloads(figure: &Figure, table: &Table) -> String {
    let rows: Result<Vec<_>, _> = table
        .workloads
        .iter()
        .map(|source| table.row(*source, None, Effort::Quick))
        .collect();
    let rows = self::rows(&Data::Table(rows.expect("generated jobs")));
    let logs = table.workloads.iter().filter_map(|source| source.log());
    let logs: Vec<String> = logs.map(published).collect();
    let (about, caption) = match logs.as_slice() {
        [] => (String::new(), ""),
        logs => (
            format!(r#"<p class="soft">{}</p>"#, logs.join(" ")),
            "The look-alikes that stand in for the logs where those are missing; the numbers of the logs stand below",
        ),
    };
    let rows = self::table(&format!("Numbers of {}", figure.id), caption, &rows);
    format!("{about}{rows}")
}

/// The links that open a figure, under the default interpretation and under every other.
fn opening(id: &str, sweep: &Sweep) -> String {
    let interpretations = sweep.interpretations();
    let default = &interpretations[0];
    let links = |from| -> String { open_links(sweep, default, from) };
    let default = match sweep.log {
        None => format!(
            r#"<p class="open">Open it in the playground: {}</p>"#,
            links(WorkloadFrom::Log)
        ),
        Some(log) => format!(
            concat!(
                r#"<p class="open">Open it with the log: {}</p><p class="soft">{}</p>"#,
                r#"<p class="open">Open it with a look-alike: {}</p><p class="soft">{}</p>"#
            ),
            links(WorkloadFrom::Log),
            published(log) + ASKED,
            links(WorkloadFrom::LookAlike),
            look_alike(log)
        ),
    };
    if interpretations.len() == 1 {
        return default;
    }
    let sources: &[(WorkloadFrom, &str)] = match sweep.log {
        None => &[(WorkloadFrom::Log, "Open it")],
        Some(_) => &[
            (WorkloadFrom::Log, "With the log"),
            (WorkloadFrom::LookAlike, "With a look-alike"),
        ],
    };
    let keys = sweep.ambiguities.iter().map(|ambiguity| ambiguity.key);
    let mut heading: Vec<String> = keys.map(|key| format!("<code>{key}</code>")).collect();
    heading.extend(sources.iter().map(|(_, words)| (*words).to_owned()));
    let row = |interpretation: &Interpretation| -> Vec<String> {
        let mut cells = values(interpretation);
        cells.extend(sources.iter().map(|(from, _)| {
            let link = |effort: Effort| {
                let (href, name) = (href(sweep, interpretation, effort, *from), effort.name());
                format!(r#"<a href="{href}">{name}</a>"#)
            };
            Effort::ALL.map(link).join(" ")
        }));
        cells
    };
    let rows: Vec<Vec<String>> = interpretations.iter().map(row).collect();
    format!(
        "{default}<details><summary>Open it under any of its {} readings</summary>{}</details>",
        interpretations.len(),
        html_table(&format!("Readings of {id}"), "", &heading, &rows)
    )
}

/// What happens with the link of a scenario whose log is not at hand.
const ASKED: &str = " The playground asks you for that file and checks that it is the same; it stays on your machine.";

/// Both links of an interpretation, each with what it runs.
fn open_links(sweep: &Sweep, interpretation: &Interpretation, from: WorkloadFrom) -> String {
    let link = |effort: Effort| {
        let runs = cells(&sweep.scenario(interpretation, effort, from)).len();
        format!(
            r#"<a class="go" href="{}">{}: {} replications, {runs} runs</a>"#,
            href(sweep, interpretation, effort, from),
            effort.name(),
            effort.replications()
        )
    };
    Effort::ALL.map(link).join(" ")
}

/// The address of an interpretation in the playground.
fn href(
    sweep: &Sweep,
    interpretation: &Interpretation,
    effort: Effort,
    from: WorkloadFrom,
) -> String {
    let link = sweep.link(interpretation, effort, from);
    escaped(&format!("./{}", link.expect("the figures have links")))
}

/// Where a log is to be had.
fn published(log: &Log) -> String {
    let (title, file) = (log.title, log.file);
    format!(
        r#"{title} is published by the <a href="{ARCHIVE}">Parallel Workloads Archive</a> as <code>{file}</code>."#
    )
}

/// What stands in for a log.
fn look_alike(log: &Log) -> String {
    let pairs = log.look_alike.iter();
    let pairs: Vec<String> = pairs
        .map(|(key, value)| format!("<code>{key}={value}</code>"))
        .collect();
    format!(
        "This is not {}: the jobs are generated ({}), so that the figure can be tried without the file. \
         The verdicts below are those of the log.",
        log.title,
        pairs.join(", ")
    )
}

/// The values of an interpretation as cells.
fn values(interpretation: &Interpretation) -> Vec<String> {
    let values = interpretation.0.iter();
    values.map(|(_, value)| escaped(value)).collect()
}

fn claim((statement, claim): &(Statement, &RecordedClaim)) -> String {
    let Statement { id, text, rule, .. } = statement;
    let verdict = mark(kind(&claim.verdict), &claim.verdict.words());
    let default = &claim.findings[0];
    let (numbers, others) = match claim.findings.as_slice() {
        [only] => (escaped(&only.sentence), String::new()),
        all => (
            format!(
                "Default reading: {}; {}",
                default.outcome.words(),
                escaped(&default.sentence)
            ),
            format!(
                "<details><summary>{}</summary>{}</details>",
                counted(all),
                findings(id, all)
            ),
        ),
    };
    format!(
        concat!(
            r#"<li id="{id}"><p class="statement">{text} <code>{id}</code></p>"#,
            r#"<p>{verdict}</p><p class="soft rule">{rule}</p><p class="decided">{numbers}</p>{others}</li>"#
        ),
        id = id,
        text = escaped(text),
        verdict = verdict,
        rule = escaped(rule),
        numbers = numbers,
        others = others,
    )
}

/// How many interpretations say what.
fn counted(findings: &[RecordedFinding]) -> String {
    let mut parts = Vec::new();
    for (kind, (_, _, words)) in VERDICTS.iter().enumerate() {
        let of_it = |finding: &&RecordedFinding| kind_of_outcome(finding.outcome) == kind;
        match findings.iter().filter(of_it).count() {
            0 => {}
            count => parts.push(format!("{words} under {count}")),
        }
    }
    format!("All {} readings: {}", findings.len(), parts.join(", "))
}

/// What each interpretation says.
fn findings(id: &str, findings: &[RecordedFinding]) -> String {
    let heading = ["Reading", "Verdict", "What decided it"].map(str::to_owned);
    let row = |finding: &RecordedFinding| {
        vec![
            escaped(&finding.interpretation),
            mark(kind_of_outcome(finding.outcome), finding.outcome.words()),
            escaped(&finding.sentence),
        ]
    };
    let rows: Vec<Vec<String>> = findings.iter().map(row).collect();
    html_table(&format!("Readings of {id}"), "", &heading, &rows)
}

/// A table of plain text whose first row is its heading.
fn table(name: &str, caption: &str, rows: &[Vec<String>]) -> String {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| escaped(cell)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
    match rows.split_first() {
        Some((heading, rows)) => html_table(name, caption, heading, rows),
        None => String::new(),
    }
}

/// A table of HTML that scrolls by itself where it is too wide; `name` tells it from other tables.
fn html_table(name: &str, caption: &str, heading: &[String], rows: &[Vec<String>]) -> String {
    let caption = match caption {
        "" => String::new(),
        caption => format!("<caption>{}</caption>", escaped(caption)),
    };
    let heading: String = heading
        .iter()
        .map(|cell| format!(r#"<th scope="col">{cell}</th>"#))
        .collect();
    let row = |cells: &Vec<String>| {
        let cells: String = cells
            .iter()
            .map(|cell| format!("<td>{cell}</td>"))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        concat!(
            r#"<div class="table-scroll" tabindex="0" role="region" aria-label="{}"><table>{}"#,
            r#"<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"#
        ),
        escaped(name),
        caption,
        heading,
        rows
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_plot::recorded;

    fn on_file() -> Vec<RecordedFigure> {
        let path = crate::project::Project::here().verdicts();
        recorded::read(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn refusal(recorded: &[RecordedFigure]) -> String {
        report(recorded).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_on_file_is_named() {
        let mut recorded = on_file();
        assert!(report(&recorded).is_ok());
        let claim = &mut recorded.last_mut().unwrap().claims[0];
        let id = claim.id.clone();
        claim.findings.pop();
        let other = format!("other readings of {id} are on file than it has now");
        assert_eq!(refusal(&recorded), other);
        recorded.last_mut().unwrap().claims.remove(0);
        assert_eq!(refusal(&recorded), format!("nothing is on file of {id}"));
        let last = recorded.pop().unwrap().id;
        assert_eq!(refusal(&recorded), format!("nothing is on file of {last}"));
    }

    #[test]
    fn interpretations_are_counted_by_what_they_say() {
        let finding = |outcome| RecordedFinding {
            interpretation: String::new(),
            outcome,
            sentence: String::new(),
        };
        let findings = [Judgement::Undecided, Judgement::Holds, Judgement::Undecided].map(finding);
        assert_eq!(
            counted(&findings),
            "All 3 readings: holds under 1, undecided under 2"
        );
    }
}
