//! Published figures: simulated again, drawn, and checked claim by claim.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail, ensure};
use backfill_experiment::forecast::calibration::Case;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::cost::Costs;
use backfill_experiment::study::part::{self, Merge, Origin, Parts};
use backfill_experiment::study::sweep::{self, Cell, Results};
use backfill_papers::claim_report::{FigureReport, FiguresReport, rows};
use backfill_papers::sweep::ARCHIVE;
use backfill_papers::{
    Calibration, Data, Effort, Figure, FigureKind, FigureRun, Log, WorkloadFrom, figures,
};
use backfill_plot::colour::Theme;
use backfill_plot::export::SCREEN;
use backfill_plot::figure::{chart, surface};
use backfill_plot::heatmap::height;
use backfill_plot::svg::{self, Ink};
use backfill_sim::run::Keep;

use crate::calibration::Forecasts;
use crate::interrupt;
use crate::logs::Logs;
use crate::output::Outputs;
use crate::parts::Folder;
use crate::simulation::{Simulation, costs};
use crate::table;

/// Which figures to make and where to.
#[derive(clap::Args)]
pub(crate) struct FigureArguments {
    /// The figure; --list names them
    #[arg(value_name = "ID", value_parser = known, required_unless_present_any = ["list", "all"])]
    id: Option<&'static Figure>,

    /// List the figures
    #[arg(long, conflicts_with = "id")]
    list: bool,

    /// Make all figures, and a report of all claims
    #[arg(long, conflicts_with_all = ["id", "list"])]
    all: bool,

    /// Folder for the files
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,

    /// Few replications, for a first look
    #[arg(long)]
    quick: bool,

    /// Folder of workload logs [default: the one that BACKFILL_TRACES names]
    #[arg(long, value_name = "FOLDER")]
    trace_dir: Option<PathBuf>,

    /// Take the runs from a folder of parts, which --part makes
    #[arg(long, value_name = "FOLDER")]
    parts: Option<PathBuf>,

    /// Make these parts of the runs of all these figures, and nothing else, as 3/40 or 3,7-9/40
    #[arg(long, value_name = "PARTS/N", requires = "parts")]
    part: Option<Parts>,

    /// How many runs are simulated at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,
}

/// The figure of that name.
pub(crate) fn known(id: &str) -> Result<&'static Figure, String> {
    Figure::named(id).ok_or_else(|| {
        let names: Vec<&str> = figures().map(|figure| figure.id).collect();
        format!("there is no such figure; possible are {}", names.join(", "))
    })
}

/// The effort of the simulation.
pub(crate) fn effort(quick: bool) -> Effort {
    if quick { Effort::Quick } else { Effort::Full }
}

/// `backfill figure`.
pub(crate) fn figure(arguments: &FigureArguments, out: &mut impl Write) -> Result<()> {
    if arguments.list {
        return list(out);
    }
    let figures: Vec<&'static Figure> = match arguments.id {
        Some(figure) => vec![figure],
        None => figures().collect(),
    };
    let effort = effort(arguments.quick);
    let mut maker = Maker {
        effort,
        workers: arguments.workers,
        logs: Logs::new(arguments.trace_dir.as_deref()),
        results: Vec::new(),
        data: Vec::new(),
        parts: None,
    };
    if let (Some(folder), Some(parts)) = (&arguments.parts, &arguments.part) {
        let made = maker.make_parts(&figures, &Folder::new(folder)?, parts)?;
        let there = parts.count() - made;
        let place = folder.display();
        writeln!(
            out,
            "{parts} in {place}: {made} computed, {there} already present"
        )?;
        return Ok(());
    }
    if let Some(folder) = &arguments.parts {
        maker.parts = Some(read(&Folder::of(folder))?);
    }
    let mut outputs = Outputs::new([], &[], Some(&arguments.out))?;
    for figure in with_those_beside(&figures) {
        maker.make(figure)?;
    }
    let file = |name: String| arguments.out.join(name);
    let mut reports = Vec::new();
    for figure in &figures {
        let data = maker.data(figure.id).expect("it was made");
        let judged = figure.judge(data, |id| maker.data(id));
        if let Some(chart) = chart(figure, data) {
            let svg = svg::render(&chart, SCREEN, &Theme::LIGHT, Ink::Values);
            outputs.add(&file(format!("{}.svg", figure.id)), svg.as_bytes())?;
        }
        let csv = figure.csv(data);
        outputs.add(&file(format!("{}.csv", figure.id)), csv.as_bytes())?;
        let report = FigureReport::new(figure, effort, data, judged);
        if let FigureKind::Sweep(sweep) = figure.kind
            && let Some(surface) = surface(&sweep, effort, &report.surface)
        {
            let size = (
                SCREEN.0,
                height(&surface, f64::from(SCREEN.0)).ceil() as u32,
            );
            let svg = svg::render_surface(&surface, size, None, &Theme::LIGHT, Ink::Values);
            outputs.add(&file(format!("{}-surface.svg", figure.id)), svg.as_bytes())?;
        }
        reports.push(report);
    }
    let report = FiguresReport::new(effort, reports);
    let name = arguments.id.map_or("report", |figure| figure.id);
    let mut json = serde_json::to_vec_pretty(&report)?;
    json.push(b'\n');
    outputs.add(&file(format!("{name}.json")), &json)?;
    outputs.add(&file(format!("{name}.md")), report.markdown().as_bytes())?;
    outputs.finish()?;
    for (figure, report) in figures.iter().zip(&report.figures) {
        print(report, maker.data(figure.id).expect("it was made"), out)?;
    }
    Ok(())
}

fn list(out: &mut impl Write) -> Result<()> {
    let row = |figure: &Figure| {
        let log = figure
            .log()
            .map_or(String::new(), |log| format!("log: {}", log.file));
        [figure.id, &figure.source(), figure.title, &log]
            .map(str::to_owned)
            .to_vec()
    };
    let rows: Vec<Vec<String>> = figures().map(row).collect();
    table::aligned(&rows, 4, out)?;
    writeln!(out, "\nThe logs are published at {ARCHIVE}")?;
    Ok(())
}

/// The verdicts of a figure, with the values that decided them under the default interpretation.
fn print(report: &FigureReport, data: &Data, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{}: {}", report.source, report.title)?;
    writeln!(out, "{}", report.caption)?;
    if !report.note.is_empty() {
        writeln!(out, "{}", report.note)?;
    }
    let rows = rows(data);
    if !rows.is_empty() {
        table::aligned(&rows, 1, out)?;
    }
    if let [default, _, ..] = report.interpretations.as_slice() {
        let (count, name) = (report.interpretations.len(), &default.name);
        writeln!(
            out,
            "{count} interpretations; the numbers are those of the default one: {name}"
        )?;
    }
    for claim in &report.claims {
        writeln!(out, "  {}: {}", claim.id, claim.text)?;
        writeln!(out, "    {}: {}", claim.words, claim.rule)?;
        if let Some(finding) = claim.findings.first() {
            writeln!(out, "    {}", finding.sentence)?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// The logs and results so far, which figures share.
struct Maker {
    effort: Effort,
    workers: Option<NonZero<usize>>,
    logs: Logs,
    results: Vec<(Scenario, Results)>,
    data: Vec<(&'static str, Data)>,
    /// The runs to take from parts, by the hash of the scenario.
    parts: Option<BTreeMap<String, Merge>>,
}

/// Figures, each followed by the figures that its claims also need.
fn with_those_beside(figures: &[&'static Figure]) -> Vec<&'static Figure> {
    let mut all: Vec<&'static Figure> = Vec::new();
    for figure in figures.iter().copied() {
        all.push(figure);
        all.extend(figure.beside());
    }
    all
}

/// The scenarios of figures and of those they need, each once, with their logs.
pub(crate) fn scenarios(
    figures: &[&'static Figure],
    effort: Effort,
    logs: &mut Logs,
) -> Result<Vec<(Scenario, Option<&'static Log>)>> {
    let mut scenarios: Vec<(Scenario, Option<&'static Log>)> = Vec::new();
    for figure in with_those_beside(figures) {
        let FigureKind::Sweep(sweep) = figure.kind else {
            continue;
        };
        let from = workload_from(sweep.log, logs)?;
        for interpretation in sweep.interpretations() {
            let scenario = sweep.scenario(&interpretation, effort, from);
            if !scenarios.iter().any(|(other, _)| *other == scenario) {
                scenarios.push((scenario, sweep.log));
            }
        }
    }
    Ok(scenarios)
}

/// Reads all logs of figures and of those they need.
pub(crate) fn read_all(figures: &[&'static Figure], logs: &mut Logs) -> Result<()> {
    for figure in with_those_beside(figures) {
        logs.trace(figure.log())?;
        if let FigureKind::Table(table) = figure.kind {
            for source in table.workloads {
                logs.trace(source.log())?;
            }
        }
    }
    Ok(())
}

/// The source of the jobs of a figure with such a log.
fn workload_from(log: Option<&'static Log>, logs: &mut Logs) -> Result<WorkloadFrom> {
    Ok(match log {
        Some(log) => WorkloadFrom::of(logs.trace(Some(log))?),
        None => WorkloadFrom::Log,
    })
}

/// Reads the parts of all scenarios in a folder.
fn read(folder: &Folder) -> Result<BTreeMap<String, Merge>> {
    let name = folder.name();
    let parts = folder.parts()?;
    let Some(&(of, _)) = parts.first() else {
        bail!(
            "{name} holds no parts: make them by `backfill figure --all --part I/N --parts {name}`"
        );
    };
    let missing = folder.missing(of)?;
    ensure!(
        missing.count() == 0,
        "parts {} of {of} are missing in {name}: run the same command with --part {missing}",
        missing.list()
    );
    let mut merges: BTreeMap<String, Merge> = BTreeMap::new();
    for (of, number) in parts {
        let file = folder.path(number, of).display().to_string();
        for part in folder.read(number, of)? {
            let hash = part.origin.scenario_sha256().to_owned();
            let added = match merges.get_mut(&hash) {
                Some(merge) => merge.add(&file, part),
                None => Merge::begin(&file, part).map(|first| {
                    merges.insert(hash, first);
                }),
            };
            added.map_err(|why| anyhow!(why))?;
        }
    }
    Ok(merges)
}

impl Maker {
    fn data(&self, id: &str) -> Option<&Data> {
        self.data
            .iter()
            .find(|(other, _)| *other == id)
            .map(|(_, data)| data)
    }

    fn make(&mut self, figure: &'static Figure) -> Result<()> {
        if self.data(figure.id).is_some() {
            return Ok(());
        }
        let data = match figure.kind {
            FigureKind::Weights(weights) => Data::Weights(weights.curves()),
            FigureKind::Step(step) => Data::Step(step.rows()),
            FigureKind::Table(table) => {
                let mut rows = Vec::new();
                for source in table.workloads {
                    let trace = self.logs.trace(source.log())?;
                    rows.push(table.row(*source, trace, self.effort)?);
                }
                Data::Table(rows)
            }
            FigureKind::Decisions(decisions) => Data::Decisions(decisions.rows(self.effort)?),
            FigureKind::Calibration(calibration) => Data::Calibration {
                effort: self.effort,
                cases: self.cases(calibration)?,
            },
            FigureKind::Sweep(sweep) => {
                let from = workload_from(sweep.log, &mut self.logs)?;
                let interpretations = sweep.interpretations();
                let of = interpretations.len();
                let mut runs = Vec::new();
                for (position, interpretation) in interpretations.into_iter().enumerate() {
                    let scenario = sweep.scenario(&interpretation, self.effort, from);
                    let about = format!("{}, interpretation {} of {of}", figure.id, position + 1);
                    let results = self.simulate(&scenario, sweep.log, about)?;
                    runs.push(FigureRun {
                        interpretation,
                        scenario,
                        results,
                    });
                }
                Data::Sweep { from, runs }
            }
        };
        self.data.push((figure.id, data));
        Ok(())
    }

    /// Forecasts beside what came; none where the log is missing.
    fn cases(&mut self, calibration: Calibration) -> Result<Vec<Case>> {
        let trace = self.logs.trace(calibration.log)?;
        if calibration.log.is_some() && trace.is_none() {
            return Ok(Vec::new());
        }
        let (setup, mut timeline) = calibration.timeline(trace)?;
        Forecasts {
            count: calibration.instants(self.effort),
            futures: calibration.futures(self.effort),
            workers: self.workers,
        }
        .cases(&setup, &mut timeline)
    }

    fn simulate(
        &mut self,
        scenario: &Scenario,
        log: Option<&'static Log>,
        about: String,
    ) -> Result<Results> {
        if let Some((_, results)) = self.results.iter().find(|(other, _)| other == scenario) {
            return Ok(results.clone());
        }
        if self.parts.is_some() {
            let results = self.taken(scenario, log, &about)?;
            self.results.push((scenario.clone(), results.clone()));
            return Ok(results);
        }
        let trace = self.logs.trace(log)?;
        let costs = costs(scenario, trace)?;
        let simulation = Simulation {
            scenario,
            trace,
            costs: &costs,
            keep: Keep::Metrics,
            about,
        };
        let mut cells = sweep::cells(scenario);
        costs.long_first(&mut cells);
        let mut results = Results::new(scenario);
        simulation.simulate(&cells, self.workers, |finished| {
            results.add(finished.outcome);
            Ok(())
        })?;
        self.results.push((scenario.clone(), results.clone()));
        Ok(results)
    }

    /// The results of a scenario from its parts.
    fn taken(
        &mut self,
        scenario: &Scenario,
        log: Option<&'static Log>,
        about: &str,
    ) -> Result<Results> {
        let origin = Origin::new(scenario, self.logs.trace(log)?);
        let parts = self.parts.as_mut().expect("there are parts");
        let merge = parts.remove(origin.scenario_sha256());
        let merge = merge.filter(|merge| merge.missing().is_none());
        let merge = merge.with_context(|| {
            format!(
                "{about}: its runs are not all in the parts: make parts of the same figures, with \
                 the same logs and the same --quick"
            )
        })?;
        if let Some(difference) = origin.differs(merge.origin()) {
            bail!("{about}: what the parts hold {difference} than this one");
        }
        Ok(merge.result().1)
    }

    /// Makes the missing ones of those parts of the runs of figures; returns how many it made.
    ///
    /// Runs are assigned to parts in turn, over all scenarios. Each point has many runs, so that
    /// parts cost about the same without trials.
    fn make_parts(
        &mut self,
        figures: &[&'static Figure],
        folder: &Folder,
        parts: &Parts,
    ) -> Result<usize> {
        let scenarios = scenarios(figures, self.effort, &mut self.logs)?;
        let runs: usize = scenarios.iter().map(|(scenario, _)| scenario.runs()).sum();
        let of = parts.of();
        ensure!(
            of as usize <= runs,
            "--part {parts}: these figures have only {runs} runs"
        );
        interrupt::watch()?;
        let mut made = 0;
        for number in parts.numbers() {
            if !folder.valid(number, of)?.is_empty() {
                continue;
            }
            let mut text = String::new();
            let mut dealt = 0;
            for (scenario, log) in &scenarios {
                let is_mine =
                    |cell: &Cell| (dealt + cell.index) % of as usize == number as usize - 1;
                let mine: Vec<Cell> = sweep::cells(scenario).into_iter().filter(is_mine).collect();
                dealt += scenario.runs();
                if mine.is_empty() {
                    continue;
                }
                let trace = self.logs.trace(*log)?;
                let simulation = Simulation {
                    scenario,
                    trace,
                    costs: &Costs::equal(scenario),
                    keep: Keep::Metrics,
                    about: format!("of part {number}, run {dealt} of {runs}"),
                };
                let mut outcomes = Vec::new();
                let simulated = simulation.simulate(&mine, self.workers, |finished| {
                    outcomes.push(finished.outcome);
                    Ok(())
                });
                folder.unless_interrupted(of, simulated)?;
                outcomes.sort_by_key(|outcome| outcome.cell.index);
                text += &part::write(&Origin::new(scenario, trace), number, of, &outcomes);
            }
            folder.write_text(number, of, &text)?;
            made += 1;
        }
        Ok(made)
    }
}
