//! The page of the papers' figures, which no script makes: a summary of the claims by paper and
//! verdict, and each figure with links that open it and with what was measured beside each claim.
//!
//! Everything comes from the simulator's table of figures and from the verdicts and curves on file,
//! which tests tie to the code; nothing is simulated here. The pictures of curves are files of their
//! own, which a browser fetches when somebody opens their figure. What the verdicts are called and
//! how they are to be read stands in `www/papers.html`.

use crate::opening::{Baked, escaped, legend};
use crate::pictures;
use anyhow::{Context, Result, ensure};
use backfill_experiment::forecast::report::length;
use backfill_experiment::language::scenario::{KEYS, Scenario, ValueKind};
use backfill_experiment::language::words::grouped;
use backfill_experiment::study::stored::CORE;
use backfill_experiment::study::sweep::cells;
use backfill_papers::calibration::COLUMNS;
use backfill_papers::claim_report::{SurfaceRow, rows};
use backfill_papers::recorded::{RecordedClaim, RecordedFigure, RecordedFinding};
use backfill_papers::recorded_curves::RecordedCurves;
use backfill_papers::recorded_digests::{RecordedDigest, checksum};
use backfill_papers::rerun;
use backfill_papers::sweep::{ARCHIVE, Interpretation, Log, Sweep, linked};
use backfill_papers::{
    Calibration, ClaimStatement, ClaimVerdict, Data, Effort, Figure, FigureKind, Judgement, PAPERS,
    Paper, REPORTS, Table, WorkloadFrom, papers,
};
use backfill_plot::chart::SeriesNames;
use backfill_plot::colour::Theme;
use backfill_plot::figure::{chart, surface};
use backfill_plot::heatmap::height;
use backfill_plot::svg::{self, Ink};
use backfill_sim::metrics::{self, METRICS};
use std::fmt::Write as _;

/// Width of a drawn figure and height of its curves, in CSS pixels: one drawing is read in the
/// narrowest window and is enlarged in others.
const WIDTH: u32 = 320;
const HEIGHT: u32 = 260;

/// A kind of verdict, as the page shows it.
struct Mark {
    /// Its name in addresses, in the style sheet and in the filters.
    name: &'static str,
    /// A sign that tells it from others where colours do not.
    sign: &'static str,
    /// Its words.
    words: &'static str,
    /// What is said of one claim, and of several.
    said: [&'static str; 2],
}

/// The kinds of verdicts in the order of the summary.
const VERDICTS: [Mark; 6] = [
    Mark {
        name: "holds",
        sign: "✓",
        words: "holds",
        said: ["holds", "hold"],
    },
    Mark {
        name: "holds-only",
        sign: "◐",
        words: "holds only under some interpretations",
        said: [
            "holds only under some interpretations",
            "hold only under some interpretations",
        ],
    },
    Mark {
        name: "does-not-hold",
        sign: "✗",
        words: "does not hold",
        said: ["does not hold", "do not hold"],
    },
    Mark {
        name: "undecided",
        sign: "?",
        words: "undecided",
        said: ["is undecided", "are undecided"],
    },
    Mark {
        name: "needs-log",
        sign: "–",
        words: "needs the log",
        said: ["needs the log", "need the log"],
    },
    Mark {
        name: "by-construction",
        sign: "=",
        words: "true by construction",
        said: ["is true by construction", "are true by construction"],
    },
];

/// Where in [`VERDICTS`] those stand that do not hold.
const DOES_NOT_HOLD: usize = 2;

/// Where in [`VERDICTS`] those stand that are counted apart.
const SURE: usize = 5;

/// Where in [`COLUMNS`] the tenths of the histogram begin.
const TENTHS: usize = 5;

/// What figures consist of, for the filter: its name there and its words.
const SHAPES: [(&str, &str); 3] = [
    ("curves", "Curves"),
    ("heatmap", "Heatmaps"),
    ("table", "Tables"),
];

/// What is on file of all figures.
#[derive(Clone, Copy)]
pub(crate) struct OnFile<'a> {
    pub(crate) verdicts: &'a [RecordedFigure],
    pub(crate) curves: &'a [RecordedCurves],
    pub(crate) digests: &'a [RecordedDigest],
}

/// The report of all papers.
///
/// # Errors
/// On file are other figures, claims or interpretations than the simulator has.
pub(crate) fn report(on_file: OnFile<'_>) -> Result<Baked> {
    let papers: Result<Vec<Section<'_>>> = papers()
        .map(|paper| Section::new(paper, &on_file))
        .collect();
    let papers = papers?;
    let of_paper = |section: &Section<'_>| (section.id.clone(), section.heading());
    let of_verdict = |(_, mark): (usize, &Mark)| {
        (
            mark.name.to_owned(),
            format!("{} {}", mark.sign, mark.words),
        )
    };
    let verdicts = kinds(papers.iter().flat_map(Section::claims));
    let shapes = SHAPES.map(|(name, words)| (name.to_owned(), words.to_owned()));
    Ok(Baked::from([
        ("summary", summary(&papers)),
        ("paper-choices", choices(papers.iter().map(of_paper))),
        ("verdict-choices", choices(verdicts.map(of_verdict))),
        ("shape-choices", choices(shapes.into_iter())),
        ("papers", papers.iter().map(paper).collect()),
        ("core", escaped(CORE)),
    ]))
}

/// A paper with what is on file of its figures.
struct Section<'a> {
    paper: &'static Paper,
    /// Its name in addresses.
    id: String,
    entries: Vec<Entry<'a>>,
}

impl<'a> Section<'a> {
    fn new(paper: &'static Paper, on_file: &OnFile<'a>) -> Result<Section<'a>> {
        let entries: Result<_> = paper
            .figures
            .iter()
            .map(|figure| Entry::new(figure, on_file))
            .collect();
        Ok(Section {
            paper,
            id: paper.name.to_lowercase().replace(' ', "-"),
            entries: entries?,
        })
    }

    fn heading(&self) -> String {
        format!("{}: {}", self.paper.name, self.paper.title)
    }

    fn claims(&self) -> impl Iterator<Item = &RecordedClaim> {
        let entries = self.entries.iter();
        entries.flat_map(|entry| entry.claims.iter().map(|(_, claim)| *claim))
    }
}

/// A figure with what is on file of it.
struct Entry<'a> {
    figure: &'static Figure,
    effort: Effort,
    /// What is on file of the heatmap that it is.
    surface: &'a [SurfaceRow],
    /// Each claim and what is on file of it.
    claims: Vec<(ClaimStatement, &'a RecordedClaim)>,
    /// The curves on file of it, in each of its metrics.
    curves: Vec<&'a RecordedCurves>,
    /// The digests on file of what links to it open.
    digests: Vec<&'a RecordedDigest>,
}

impl<'a> Entry<'a> {
    fn new(figure: &'static Figure, on_file: &OnFile<'a>) -> Result<Entry<'a>> {
        let id = figure.id;
        let known = on_file.verdicts.iter().find(|known| known.id == id);
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
                "other interpretations of {id} are on file than it has now"
            );
            claims.push((statement, claim));
        }
        Ok(Entry {
            figure,
            effort: known.effort,
            surface: &known.surface,
            claims,
            curves: (on_file.curves.iter())
                .filter(|curves| curves.id == id)
                .collect(),
            digests: (on_file.digests.iter())
                .filter(|digest| digest.id == id)
                .collect(),
        })
    }

    /// The address of a scenario in the playground, with the digest of its runs.
    fn href(&self, scenario: &Scenario) -> String {
        let link = checksum(scenario).and_then(|name| {
            let known = self.digests.iter().find(|known| known.link == name);
            linked(scenario, known.map(|known| known.digest.as_str()))
        });
        escaped(&format!("./{}", link.expect("the figures have links")))
    }
}

/// How many claims have each kind of verdict.
fn counts<'a>(claims: impl Iterator<Item = &'a RecordedClaim>) -> [usize; VERDICTS.len()] {
    let mut counts = [0; VERDICTS.len()];
    for claim in claims {
        counts[kind(&claim.verdict)] += 1;
    }
    counts
}

/// The kinds of verdicts that some of the claims have.
fn kinds<'a>(
    claims: impl Iterator<Item = &'a RecordedClaim>,
) -> impl Iterator<Item = (usize, &'static Mark)> {
    let counts = counts(claims);
    let verdicts = VERDICTS.iter().enumerate();
    verdicts.filter(move |(kind, _)| counts[*kind] > 0)
}

/// What can be chosen of a list: values with their words.
fn choices(choices: impl Iterator<Item = (String, String)>) -> String {
    let choice = |(value, words): (String, String)| {
        format!(r#"<option value="{value}">{}</option>"#, escaped(&words))
    };
    choices.map(choice).collect()
}

/// The claims by paper and verdict, in numbers and in words.
fn summary(papers: &[Section<'_>]) -> String {
    let all = counts(papers.iter().flat_map(Section::claims));
    let figures = papers.iter().map(|section| section.entries.len()).sum();
    let reports = match REPORTS.len() {
        1 => "one report".to_owned(),
        reports => format!("{reports} reports"),
    };
    let of = format!("{} papers and {reports}", PAPERS.len());
    let sentence = verdict_counts(&of, figures, &all);
    let papers: String = papers.iter().map(in_short).collect();
    format!("<p>{sentence}</p>{}{papers}", bar(&all))
}

/// How many claims about so many figures and tables came out how.
fn verdict_counts(of: &str, figures: usize, counts: &[usize; VERDICTS.len()]) -> String {
    let judged: usize = counts[..SURE].iter().sum();
    let said = |kind: usize| {
        let count = counts[kind];
        format!("{count} {}", VERDICTS[kind].said[usize::from(count != 1)])
    };
    let kinds = (0..SURE).filter(|kind| counts[*kind] > 0);
    let parts: Vec<String> = kinds.map(said).collect();
    let parts = match parts.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => parts.concat(),
    };
    let about = format!("claims of {of} about {figures} figures and tables");
    match (judged, counts[SURE]) {
        (0, sure) => format!("All {sure} {about} are true by construction."),
        (_, 0) => format!("Of the {judged} {about}, {parts}."),
        (_, sure) => {
            let said = VERDICTS[SURE].said[usize::from(sure != 1)];
            format!("Of the {judged} {about}, {parts}. {sure} more {said}.")
        }
    }
}

/// The claims by verdict as parts of a line, for the eye: the sentence beside it says the same.
fn bar(counts: &[usize; VERDICTS.len()]) -> String {
    let judged: usize = counts[..SURE].iter().sum();
    let mut parts = String::new();
    let mut before = 0;
    for (mark, &count) in VERDICTS[..SURE].iter().zip(counts) {
        if count == 0 {
            continue;
        }
        let percent = |count: usize| 100.0 * count as f64 / judged as f64;
        let (x, width) = (percent(before), percent(count));
        // Where there is no room for it, the sign is left out.
        let sign = if width < 6.0 { "" } else { mark.sign };
        write!(
            parts,
            concat!(
                r#"<g class="{}"><rect x="{:.2}%" width="{:.2}%" height="100%"/>"#,
                r#"<text x="{:.2}%" y="50%">{}</text></g>"#
            ),
            mark.name,
            x,
            width,
            x + width / 2.0,
            sign
        )
        .expect("a string takes all");
        before += count;
    }
    format!(r#"<svg class="shares" aria-hidden="true">{parts}</svg>"#)
}

/// What holds of a paper, in a few sentences, and its claims by verdict.
fn in_short(section: &Section<'_>) -> String {
    let counts = counts(section.claims());
    let failing = section.entries.iter().filter_map(|entry| {
        let fails = |(_, claim): &&(ClaimStatement, &RecordedClaim)| {
            self::kind(&claim.verdict) == DOES_NOT_HOLD
        };
        let (id, place) = (entry.figure.id, escaped(entry.figure.place));
        match entry.claims.iter().filter(fails).count() {
            0 => None,
            count => Some(format!(r##"<a href="#{id}">{place}</a> ({count})"##)),
        }
    });
    let failing: Vec<String> = failing.collect();
    let failing = match failing.as_slice() {
        [] => String::new(),
        failing => format!(
            r#"<p class="names">Claims that do not hold, by figure or table: {}.</p>"#,
            failing.join("; ")
        ),
    };
    let verdicts = kinds(section.claims());
    let lists: String = verdicts.map(|(kind, _)| in_words(section, kind)).collect();
    let (id, heading, published) = (
        &section.id,
        escaped(&section.heading()),
        escaped(section.paper.published),
    );
    format!(
        concat!(
            r##"<section class="in-short"><h3><a href="#{id}">{heading}</a></h3><p class="soft">{published}</p>"##,
            r#"<p>{sentence}</p>{bar}{failing}{lists}</section>"#
        ),
        id = id,
        heading = heading,
        published = published,
        sentence = verdict_counts(section.paper.name, section.entries.len(), &counts),
        bar = bar(&counts),
        failing = failing,
        lists = lists,
    )
}

/// The claims of a paper that have one kind of verdict: each text once, with links to where it is
/// said.
fn in_words(section: &Section<'_>, kind: usize) -> String {
    let mut texts: Vec<(&str, Vec<String>)> = Vec::new();
    let mut count = 0;
    for entry in &section.entries {
        let place = escaped(entry.figure.place);
        for (statement, claim) in &entry.claims {
            if self::kind(&claim.verdict) != kind {
                continue;
            }
            count += 1;
            let link = format!(r##"<a href="#{}">{place}</a>"##, statement.id);
            match texts.iter_mut().find(|(text, _)| *text == statement.text) {
                Some((_, links)) => links.push(link),
                None => texts.push((statement.text, vec![link])),
            }
        }
    }
    let text = |(text, links): &(&str, Vec<String>)| {
        format!("<li>{} {}</li>", escaped(text), links.join("; "))
    };
    let texts: String = texts.iter().map(text).collect();
    let Mark { name, words, .. } = &VERDICTS[kind];
    format!(
        r#"<details id="{}-{name}"><summary>{}</summary><ul class="names">{texts}</ul></details>"#,
        section.id,
        mark(kind, &format!("{words}: {count}"))
    )
}

/// The figures of a paper.
fn paper(section: &Section<'_>) -> String {
    let (id, heading) = (&section.id, escaped(&section.heading()));
    let glossary = glossary(&section.entries);
    let figures: String = section.entries.iter().map(figure).collect();
    format!(r#"<section class="paper" id="{id}"><h3>{heading}</h3>{glossary}{figures}</section>"#)
}

/// The place of a verdict in [`VERDICTS`].
fn kind(verdict: &ClaimVerdict) -> usize {
    match verdict {
        ClaimVerdict::Holds => 0,
        ClaimVerdict::HoldsOnly { .. } => 1,
        ClaimVerdict::DoesNotHold => DOES_NOT_HOLD,
        ClaimVerdict::Undecided => 3,
        ClaimVerdict::NeedsLog => 4,
        ClaimVerdict::ByConstruction => SURE,
    }
}

/// The same of what one interpretation says.
fn kind_of_outcome(outcome: Judgement) -> usize {
    match outcome {
        Judgement::Holds => 0,
        Judgement::DoesNotHold => DOES_NOT_HOLD,
        Judgement::Undecided => 3,
        Judgement::NeedsLog => 4,
    }
}

/// Words with the sign and the colour of a verdict.
fn mark(kind: usize, words: &str) -> String {
    let Mark { name, sign, .. } = VERDICTS[kind];
    let words = escaped(words);
    format!(r#"<span class="verdict {name}"><span aria-hidden="true">{sign}</span> {words}</span>"#)
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
        let key = key.expect("ambiguities are keys of a scenario");
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
        "<details><summary>Ambiguities, and the interpretations of each</summary><dl>{ambiguities}</dl></details>"
    )
}

fn figure(entry: &Entry<'_>) -> String {
    let figure = entry.figure;
    let caption = escaped(&figure.full_caption(entry.effort, |_| true));
    let id = figure.id;
    let title = escaped(&format!("{}: {}", figure.place, figure.title));
    let content = match figure.kind {
        FigureKind::Sweep(sweep) => {
            let pictures = match entry.surface {
                [] => drawn(entry),
                _ => heatmap(entry, &sweep),
            };
            opening(entry, &sweep) + &over(&sweep) + &pictures
        }
        FigureKind::Weights(weights) => curves(figure, &Data::Weights(weights.curves())),
        FigureKind::Step(step) => numbers(figure, &Data::Step(step.rows())),
        FigureKind::Table(table) => workloads(figure, &table),
        FigureKind::Decisions(_) => String::new(),
        FigureKind::Calibration(calibration) => forecasts(entry, &calibration),
    };
    let recompute = recompute(entry);
    let claims: String = entry.claims.iter().zip(&recompute).map(claim).collect();
    format!(
        concat!(
            r#"<details class="figure" name="figure" id="{id}" data-shape="{shape}">"#,
            r#"<summary><h4>{title}</h4>{tally}</summary><p>{caption}</p>{content}"#,
            r#"<ul class="claims">{claims}</ul>{command}</details>"#
        ),
        id = id,
        shape = shape(entry),
        title = title,
        tally = tally(entry),
        caption = caption,
        content = content,
        claims = claims,
        command = command(entry),
    )
}

/// What a figure consists of, by its name in [`SHAPES`].
fn shape(entry: &Entry<'_>) -> &'static str {
    let shape = match entry.figure.kind {
        FigureKind::Sweep(_) if !entry.surface.is_empty() => 1,
        FigureKind::Sweep(_) | FigureKind::Weights(_) => 0,
        FigureKind::Step(_)
        | FigureKind::Table(_)
        | FigureKind::Decisions(_)
        | FigureKind::Calibration(_) => 2,
    };
    SHAPES[shape].0
}

/// How many claims of a figure came out how: signs with numbers for the eye, and words.
fn tally(entry: &Entry<'_>) -> String {
    let claims = || entry.claims.iter().map(|(_, claim)| *claim);
    let counts = counts(claims());
    let of_kind = |(kind, mark): (usize, &Mark)| {
        let (Mark { name, sign, .. }, count) = (mark, counts[kind]);
        let said = mark.said[usize::from(count != 1)];
        format!(
            r#" <span class="verdict {name}"><span aria-hidden="true">{sign}</span> {count}<span class="unseen"> {said}</span></span>"#
        )
    };
    let tally: String = kinds(claims()).map(of_kind).collect();
    format!(r#"<span class="tally">{tally}</span>"#)
}

/// The link to a figure, and the command that computes its verdicts again.
fn command(entry: &Entry<'_>) -> String {
    let quick = match entry.effort {
        Effort::Quick => " --quick",
        Effort::Full => "",
    };
    let logs = match entry.figure.kind {
        FigureKind::Table(table) => table.workloads.iter().any(|source| source.log().is_some()),
        FigureKind::Sweep(sweep) => sweep.log.is_some(),
        FigureKind::Calibration(calibration) => calibration.log.is_some(),
        FigureKind::Weights(_) | FigureKind::Step(_) | FigureKind::Decisions(_) => false,
    };
    let (logs, where_logs) = if logs {
        (" --trace-dir LOGS", " from the logs in the folder LOGS")
    } else {
        ("", "")
    };
    let (id, place) = (entry.figure.id, escaped(entry.figure.place));
    format!(
        concat!(
            r##"<p class="soft"><a href="#{id}">Link to {place}</a>. On the command line, "##,
            r#"<code>backfill figure {id}{quick}{logs}</code> computes it again{where_logs}.</p>"#
        ),
        id = id,
        place = place,
        quick = quick,
        logs = logs,
        where_logs = where_logs,
    )
}

/// Curves that are computed here, drawn and as a table.
fn curves(figure: &Figure, data: &Data) -> String {
    let Some(mut chart) = chart(figure, data) else {
        return numbers(figure, data);
    };
    chart.title.clear();
    chart.names = SeriesNames::Outside;
    let names = chart.series.iter().map(|series| series.label.clone());
    let legend = legend(&names.collect::<Vec<_>>());
    let drawing = svg::render(&chart, (WIDTH, HEIGHT), &Theme::LIGHT, Ink::Classes);
    format!(
        concat!(
            r#"<div class="legend">{}</div><figure class="drawn">{}</figure>"#,
            r#"<details><summary>The same numbers as a table</summary>{}</details>"#
        ),
        legend,
        drawing,
        numbers(figure, data)
    )
}

/// What to know of a figure that is over another metric than the playground shows it by.
fn over(sweep: &Sweep) -> String {
    let metric = sweep.over().and_then(metrics::position);
    metric.map_or(String::new(), |metric| {
        let scenario = sweep.scenario(&sweep.interpretations()[0], Effort::Full, WorkloadFrom::Log);
        let swept = scenario.x().map_or("", |axis| axis.key.label);
        let metric = METRICS[metric].label;
        format!(
            r#"<p class="soft">The playground shows it by {}; the picture is by {}.</p>"#,
            escaped(&swept.to_lowercase()),
            escaped(&metric.to_lowercase())
        )
    })
}

/// The heatmap of a figure whose curves are cuts through a surface, as a drawing and as a table.
fn heatmap(entry: &Entry<'_>, sweep: &Sweep) -> String {
    let Some(surface) = surface(sweep, entry.effort, entry.surface) else {
        return String::new();
    };
    let id = entry.figure.id;
    let size = (WIDTH, height(&surface, f64::from(WIDTH)).ceil() as u32);
    let drawing = svg::render_surface(&surface, size, None, &Theme::LIGHT, Ink::Classes);
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
    let rows = table(&name, &surface.title, &rows.collect::<Vec<Vec<String>>>());
    let links = Effort::ALL.map(|effort| {
        let scenario = sweep.shown_as_surface(effort).expect("it is a surface");
        let href = entry.href(&scenario);
        format!(r#"<a href="{href}">{}</a>"#, effort.name())
    });
    format!(
        concat!(
            r#"<figure class="drawn">{}</figure><p class="soft">Open it as a heatmap in the playground: {}</p>"#,
            r#"<details><summary>The heatmap as a table</summary>{}</details>"#
        ),
        drawing,
        links.join(" "),
        rows
    )
}

/// Forecasts beside what came: the histograms and numbers of all cases and of those that wait, then
/// those of every group.
fn forecasts(entry: &Entry<'_>, calibration: &Calibration) -> String {
    let groups = entry.surface;
    let first = groups
        .iter()
        .take_while(|group| !group.value.starts_with("size"));
    let (id, first) = (entry.figure.id, first.count());
    let pictures: String = groups[..first].iter().map(histogram).collect();
    let log = calibration.log.map(published);
    format!(
        concat!(
            r#"<p class="soft">{} <code>{}</code> prints the numbers of every group.</p>"#,
            r#"<div class="histograms">{}</div>{}<p>{}</p>"#,
            r#"<details><summary>By size, by length of the true wait, and by P50</summary>{}</details>"#,
            r#"<details><summary>The histograms as a table</summary>{}</details>"#
        ),
        log.unwrap_or_default(),
        escaped(&calibration.command()),
        pictures,
        errors(&format!("Forecasts of {id}"), &groups[..first]),
        escaped(calibration.remark),
        errors(&format!("Forecasts of {id} by group"), groups),
        tenths(&format!("Histograms of {id}"), groups),
    )
}

/// The shares of true starts from P10 to P90 and the errors of groups of forecasts.
fn errors(name: &str, groups: &[SurfaceRow]) -> String {
    let heading = COLUMNS[..TENTHS].iter().map(|(_, _, label)| *label);
    let heading = ["Jobs"].into_iter().chain(heading).chain(["Ratio"]);
    let row = |SurfaceRow { value, means }: &SurfaceRow| {
        let number = |column: usize| means[column].parse::<f64>().unwrap_or(f64::NAN);
        let [own, optimist] = [3, 4].map(number);
        let ratio = own / optimist;
        vec![
            value.clone(),
            means[0].clone(),
            format!("{:.1} %", number(1)),
            format!("{:.1} %", number(2)),
            length(own),
            length(optimist),
            if ratio.is_finite() {
                format!("{ratio:.2}")
            } else {
                "–".to_owned()
            },
        ]
    };
    let rows = [heading.map(str::to_owned).collect()].into_iter();
    let rows: Vec<Vec<String>> = rows.chain(groups.iter().map(row)).collect();
    table(name, "", &rows)
}

/// The histograms of groups of forecasts in numbers.
fn tenths(name: &str, groups: &[SurfaceRow]) -> String {
    let labels = COLUMNS[TENTHS..]
        .iter()
        .map(|(_, _, label)| (*label).to_owned());
    let heading = ["Jobs".to_owned()].into_iter().chain(labels).collect();
    let row = |SurfaceRow { value, means }: &SurfaceRow| {
        let shares = means[TENTHS..].iter().cloned();
        [value.clone()].into_iter().chain(shares).collect()
    };
    let rows: Vec<Vec<String>> = [heading]
        .into_iter()
        .chain(groups.iter().map(row))
        .collect();
    let caption = "Share of cases in % by tenth of the forecast in which the true start is";
    table(name, caption, &rows)
}

/// The histogram of a group of forecasts, with a line where all bars end if forecasts are right.
fn histogram(SurfaceRow { value, means }: &SurfaceRow) -> String {
    let shares = means[TENTHS..]
        .iter()
        .map(|share| share.parse().unwrap_or(0.0));
    let shares: Vec<f64> = shares.collect();
    let most = shares.iter().copied().fold(25.0, f64::max);
    let top = |share: f64| 112.0 - 96.0 * share / most;
    let (mut bars, mut labels) = (String::new(), String::new());
    for (bin, &share) in shares.iter().enumerate() {
        let (x, y) = (32 * bin, top(share));
        let height = 112.0 - y;
        write!(
            bars,
            r#"<rect x="{}" y="{y:.1}" width="28" height="{height:.1}"/>"#,
            x + 2
        )
        .expect("a string takes all");
        write!(
            labels,
            r#"<text x="{}" y="{:.1}">{share:.0}</text>"#,
            x + 16,
            y - 4.0
        )
        .expect("a string takes all");
    }
    let words: Vec<String> = means[TENTHS..]
        .iter()
        .map(|share| format!("{share} %"))
        .collect();
    let line = top(100.0 / shares.len() as f64);
    format!(
        concat!(
            r#"<figure class="drawn"><figcaption>{name}</figcaption>"#,
            r#"<svg class="histogram" viewBox="0 0 320 130" role="img">"#,
            r#"<title>True starts by tenth of the forecast, from early to late: {words}</title>"#,
            r#"{bars}<path d="M0 {line:.1}H320"/>{labels}<text class="early" x="2" y="127">early</text>"#,
            r#"<text class="late" x="318" y="127">late</text></svg></figure>"#
        ),
        name = match value.as_str() {
            "all" => "All jobs",
            _ => "Jobs that wait by P50",
        },
        words = words.join(", "),
        bars = bars,
        labels = labels,
        line = line,
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
            "Generated jobs in place of the logs, where these are missing; the statistics of the logs are given below",
        ),
    };
    let rows = self::table(&format!("Numbers of {}", figure.id), caption, &rows);
    format!("{about}{rows}")
}

/// The curves on file of a figure as a picture and as a table.
fn drawn(entry: &Entry<'_>) -> String {
    let figure = entry.figure;
    let Some(numbers) = pictures::numbers(figure, &entry.curves) else {
        return String::new();
    };
    format!(
        "{}<details><summary>The same numbers as a table</summary>{}</details>",
        pictures::picture(figure, &entry.curves),
        table(&format!("Numbers of {}", figure.id), "", &numbers)
    )
}

/// The links that open a figure, under the default interpretation and under every other.
fn opening(entry: &Entry<'_>, sweep: &Sweep) -> String {
    let id = entry.figure.id;
    let interpretations = sweep.interpretations();
    let default = &interpretations[0];
    let links = |from| -> String { open_links(entry, sweep, default, from) };
    let default = match sweep.log {
        None => format!(
            r#"<p class="open">Open it in the playground: {}</p>"#,
            links(WorkloadFrom::Log)
        ),
        Some(log) => format!(
            concat!(
                r#"<p class="open">Open it with the log: {}</p><p class="soft">{}</p>"#,
                r#"<p class="open">Open it with generated jobs in place of the log: {}</p><p class="soft">{}</p>"#
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
            (WorkloadFrom::LookAlike, "With generated jobs"),
        ],
    };
    let keys = sweep.ambiguities.iter().map(|ambiguity| ambiguity.key);
    let mut heading: Vec<String> = keys.map(|key| format!("<code>{key}</code>")).collect();
    heading.extend(sources.iter().map(|(_, words)| (*words).to_owned()));
    let row = |interpretation: &Interpretation| -> Vec<String> {
        let mut cells = values(interpretation);
        cells.extend(sources.iter().map(|(from, _)| {
            let link = |effort: Effort| {
                let href = entry.href(&sweep.shown(interpretation, effort, *from));
                let name = effort.name();
                format!(r#"<a href="{href}">{name}</a>"#)
            };
            Effort::ALL.map(link).join(" ")
        }));
        cells
    };
    let rows: Vec<Vec<String>> = interpretations.iter().map(row).collect();
    format!(
        "{default}<details><summary>Open it under any of its {} interpretations</summary>{}</details>",
        interpretations.len(),
        html_table(&format!("Interpretations of {id}"), "", &heading, &rows)
    )
}

/// What happens with the link of a scenario whose log is not at hand.
const ASKED: &str = " The playground asks you for that file and checks that it is the same; it stays on your machine.";

/// Both links of an interpretation, each with what it runs.
fn open_links(
    entry: &Entry<'_>,
    sweep: &Sweep,
    interpretation: &Interpretation,
    from: WorkloadFrom,
) -> String {
    let link = |effort: Effort| {
        let shown = sweep.shown(interpretation, effort, from);
        let runs = grouped(cells(&shown).len() as u64);
        format!(
            r#"<a class="go" href="{}">{}: {} replications, {runs} runs</a>"#,
            entry.href(&shown),
            effort.name(),
            effort.replications()
        )
    };
    Effort::ALL.map(link).join(" ")
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

/// What runs a figure again to decide each of its claims: a link to the playground where its runs
/// alone decide it, else what its last line says.
fn recompute(entry: &Entry<'_>) -> Vec<String> {
    let figure = entry.figure;
    let FigureKind::Sweep(sweep) = figure.kind else {
        return vec![String::new(); entry.claims.len()];
    };
    let default = &sweep.interpretations()[0];
    let shown = sweep.shown(default, Effort::Full, WorkloadFrom::Log);
    let link = format!(
        r#" · <a href="{}">Recompute: {} runs</a>"#,
        entry.href(&shown),
        grouped(cells(&shown).len() as u64)
    );
    let of_claim = |is_decided| match is_decided {
        true => link.clone(),
        false => " · It takes other figures too: the command below computes it again.".to_owned(),
    };
    rerun::are_decided(&sweep).map(of_claim).collect()
}

/// A claim beside what was measured.
fn claim(((statement, claim), recompute): (&(ClaimStatement, &RecordedClaim), &String)) -> String {
    let ClaimStatement { id, text, rule, .. } = statement;
    let default = &claim.findings[0];
    let (numbers, others) = match claim.findings.as_slice() {
        [only] => (escaped(&only.sentence), String::new()),
        all => (
            format!(
                "Default interpretation: {}; {}",
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
            r#"<li id="{id}"><div><p class="side">The claim</p><p>{text}</p>"#,
            r##"<p class="soft"><a href="#{id}"><code>{id}</code></a>{recompute}</p></div>"##,
            r#"<div><p class="side">Backfill measured</p><p>{verdict}</p><p class="decided">{numbers}</p>"#,
            r#"<p class="soft rule">{rule}</p></div>{others}</li>"#
        ),
        id = id,
        text = escaped(text),
        verdict = mark(kind(&claim.verdict), &claim.verdict.words()),
        numbers = numbers,
        rule = escaped(rule),
        recompute = recompute,
        others = others,
    )
}

/// How many interpretations say what.
fn counted(findings: &[RecordedFinding]) -> String {
    let mut parts = Vec::new();
    for (kind, Mark { words, .. }) in VERDICTS.iter().enumerate() {
        let of_it = |finding: &&RecordedFinding| kind_of_outcome(finding.outcome) == kind;
        match findings.iter().filter(of_it).count() {
            0 => {}
            count => parts.push(format!("{words} under {count}")),
        }
    }
    format!(
        "All {} interpretations: {}",
        findings.len(),
        parts.join(", ")
    )
}

/// What each interpretation says.
fn findings(id: &str, findings: &[RecordedFinding]) -> String {
    let heading = ["Interpretation", "Verdict", "What decided it"].map(str::to_owned);
    let row = |finding: &RecordedFinding| {
        vec![
            escaped(&finding.interpretation),
            mark(kind_of_outcome(finding.outcome), finding.outcome.words()),
            escaped(&finding.sentence),
        ]
    };
    let rows: Vec<Vec<String>> = findings.iter().map(row).collect();
    html_table(&format!("Interpretations of {id}"), "", &heading, &rows)
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
    use backfill_papers::recorded;

    fn on_file() -> Vec<RecordedFigure> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/claims.txt");
        recorded::read(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn reported(verdicts: &[RecordedFigure]) -> Result<Baked> {
        report(OnFile {
            verdicts,
            curves: &[],
            digests: &[],
        })
    }

    fn refusal(verdicts: &[RecordedFigure]) -> String {
        reported(verdicts).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_on_file_is_named() {
        let mut recorded = on_file();
        assert!(reported(&recorded).is_ok());
        let claim = &mut recorded.last_mut().unwrap().claims[0];
        let id = claim.id.clone();
        claim.findings.pop();
        let other = format!("other interpretations of {id} are on file than it has now");
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
            "All 3 interpretations: holds under 1, undecided under 2"
        );
    }

    #[test]
    fn a_sentence_sums_up_claims_and_counts_apart_what_cannot_fail() {
        assert_eq!(
            verdict_counts("Paper 1", 12, &[10, 1, 2, 9, 0, 1]),
            "Of the 22 claims of Paper 1 about 12 figures and tables, 10 hold, 1 holds only under some interpretations, \
             2 do not hold and 9 are undecided. 1 more is true by construction."
        );
        assert_eq!(
            verdict_counts("Paper 1", 2, &[0, 0, 3, 0, 0, 0]),
            "Of the 3 claims of Paper 1 about 2 figures and tables, 3 do not hold."
        );
        assert_eq!(
            verdict_counts("Paper 1", 2, &[0, 0, 0, 0, 0, 4]),
            "All 4 claims of Paper 1 about 2 figures and tables are true by construction."
        );
    }
}
