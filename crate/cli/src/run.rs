//! Runs every cell of a scenario and gives its result: a table, and the files asked for.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use backfill_experiment::logs::Options;
use backfill_experiment::oversize;
use backfill_experiment::report::{self, Document};
use backfill_experiment::scenario::Scenario;
use backfill_experiment::sweep::{self, Cell, CellOutcome, CellRun, Results};
use backfill_sim::place::Tries;
use backfill_sim::problem::Problem;
use backfill_sim::run::{Keep, Replay};
use backfill_sim::workload::{Format, Processors, SourceKind, Trace};
use indicatif::{ProgressBar, ProgressStyle};

use crate::chart;
use crate::memory::ensure_room;
use crate::output::Outputs;
use crate::scenario::ScenarioArguments;
use crate::table;
use crate::trace;
use crate::workers::{at_once, each};

/// What to run and which files to write.
#[derive(clap::Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// Write every job of a single run, as a table or as a log
    #[arg(long, value_name = "FILE.csv|FILE.swf", value_parser = job_list)]
    jobs_out: Option<PathBuf>,

    /// Write the whole result
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write one line for each metric of each run
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write one chart for each main metric into a folder
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,

    /// How many runs are simulated at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,

    /// Print how many jobs were simulated in how much time
    #[arg(long)]
    time: bool,
}

fn job_list(path: &str) -> Result<PathBuf, String> {
    let known = [".csv", ".swf"].iter().any(|end| path.ends_with(end));
    known
        .then(|| PathBuf::from(path))
        .ok_or_else(|| "its name must end in .csv or .swf".to_owned())
}

/// `backfill run`.
pub(crate) fn run(arguments: &RunArguments, out: &mut impl Write) -> Result<()> {
    let scenario = arguments.scenario.read()?;
    let cells = sweep::cells(&scenario);
    ensure!(
        arguments.jobs_out.is_none() || cells.len() == 1,
        "--jobs-out is for a single run and this scenario has {}: \
         give one policy, x=none and reps=1",
        cells.len()
    );
    let files = [&arguments.jobs_out, &arguments.json, &arguments.csv];
    let inputs: Vec<&Path> = [arguments.scenario.path(), trace_path(&scenario)]
        .into_iter()
        .flatten()
        .collect();
    let folder = arguments.svg.as_deref();
    let mut outputs = Outputs::new(files.into_iter().flatten(), &inputs, folder)?;
    let trace = trace_of(&scenario)?;
    if let Some(warning) = oversize::warning(&scenario, trace.as_ref()) {
        writeln!(std::io::stderr(), "{warning}")?;
    }

    let done = Simulation {
        scenario: &scenario,
        trace: trace.as_ref(),
        cells: &cells,
        keep: match arguments.jobs_out {
            Some(_) => Keep::Allocations,
            None => Keep::Metrics,
        },
        about: match cells.len() {
            1 => "of 1 run".to_owned(),
            runs => format!("of {runs} runs"),
        },
    }
    .simulate(arguments.workers)?;

    if let (Some(path), Some(replay)) = (&arguments.jobs_out, &done.replay) {
        let text = if path.extension().is_some_and(|end| end == "swf") {
            let slots = scenario.setup(Some(0), Some(0), 0).system.capacity().slots;
            report::jobs_swf(replay, slots)
        } else {
            report::jobs_csv(replay)
        };
        outputs.add(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.json {
        let document = Document::new(&scenario, &done.results, trace.as_ref());
        let mut json = serde_json::to_vec_pretty(&document)?;
        json.push(b'\n');
        outputs.add(path, &json)?;
    }
    if let Some(path) = &arguments.csv {
        outputs.add(path, report::runs_csv(&scenario, &done.results).as_bytes())?;
    }
    if let Some(folder) = &arguments.svg {
        for (name, svg) in chart::charts(&scenario, &done.results) {
            outputs.add(&folder.join(name), svg.as_bytes())?;
        }
    }
    let to_stdout = outputs.to_stdout();
    outputs.finish()?;
    if to_stdout {
        table::print(&scenario, &done.results, &mut std::io::stderr())?;
    } else {
        table::print(&scenario, &done.results, out)?;
    }
    if arguments.time {
        let (jobs, seconds) = (done.jobs, done.time.as_secs_f64());
        let rate = jobs as f64 / seconds;
        writeln!(
            std::io::stderr(),
            "simulated {jobs} jobs in {seconds:.3} s ({rate:.0} jobs/s)"
        )?;
        let Tries {
            tried,
            ruled_out,
            certified,
            escaped,
        } = done.tries;
        if tried > 0 {
            writeln!(
                std::io::stderr(),
                "placements: {tried} tried, {ruled_out} skipped because proven to fail; \
                 {certified} proofs made, {escaped} failures without a proof"
            )?;
        }
    }
    Ok(())
}

/// Where the trace stands that the scenario names, if its workload is one.
fn trace_path(scenario: &Scenario) -> Option<&Path> {
    let path = scenario.relevant("file").then(|| scenario.get("file"));
    path.filter(|path| !path.is_empty()).map(Path::new)
}

/// Reads the trace that the scenario names, if its workload is one.
pub(crate) fn trace_of(scenario: &Scenario) -> Result<Option<Trace>> {
    let format = match scenario.source() {
        SourceKind::Swf => Format::Swf,
        SourceKind::Csv => Format::Csv,
        _ => return Ok(None),
    };
    let path = scenario.get("file");
    ensure!(
        !path.is_empty(),
        "workload = {}: names no file: add file=NAME",
        scenario.source()
    );
    let processors = scenario.get("processors");
    let options = Options {
        name: base_name(path),
        processors: Processors::named(processors).expect("a valid scenario"),
        machine: None,
        strict: false,
    };
    let trace = trace::read(Path::new(path), format, options)?;
    let wanted = scenario.get("sha256");
    if !wanted.is_empty() && wanted != trace.sha256 {
        bail!(
            "sha256 = {wanted}: {path} is another trace, its SHA-256 is {}",
            trace.sha256
        );
    }
    let report = &trace.report;
    if report.rejected + report.repaired > 0 {
        let (rejected, repaired) = (report.rejected, report.repaired);
        let lines = report.job_lines();
        let found = match (rejected, repaired) {
            (0, _) => format!("{repaired} of {lines} lines repaired"),
            (_, 0) => format!("{rejected} of {lines} lines rejected and left out"),
            _ => format!("{rejected} of {lines} lines rejected and left out, {repaired} repaired"),
        };
        writeln!(
            std::io::stderr(),
            "{path}: {found}; `backfill trace info` says which"
        )?;
    }
    for warning in &report.warnings {
        writeln!(std::io::stderr(), "{path}: {warning}")?;
    }
    Ok(Some(trace))
}

fn base_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The cells to simulate and what they need.
pub(crate) struct Simulation<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) trace: Option<&'a Trace>,
    pub(crate) cells: &'a [Cell],
    /// What to keep of the runs; the last one's is handed out.
    pub(crate) keep: Keep,
    /// What it is, for those who watch the progress bar.
    pub(crate) about: String,
}

/// What a simulation gave.
pub(crate) struct Done {
    pub(crate) results: Results,
    replay: Option<Replay>,
    jobs: usize,
    /// Time spent simulating, added over the workers.
    time: Duration,
    /// What became of the attempts to place jobs.
    tries: Tries,
}

/// Events between two looks at the clock and the progress bar.
const SLICE: u64 = 50_000;

/// Steps of the progress bar for one cell.
const STEPS: usize = 1000;

impl Simulation<'_> {
    /// Simulates all cells; with `workers` that many at once, otherwise one for each processor.
    pub(crate) fn simulate(&self, workers: Option<NonZero<usize>>) -> Result<Done> {
        let at_once = at_once(workers).min(self.cells.len());
        ensure_room(self.scenario, self.trace, self.cells, at_once, self.keep)?;
        let bar = progress_bar(self.cells.len(), &self.about);
        let mut done = Done {
            results: Results::new(self.scenario),
            replay: None,
            jobs: 0,
            time: Duration::ZERO,
            tries: Tries::default(),
        };
        each(
            self.cells,
            workers,
            |&cell| self.cell(cell, &bar),
            |finished| {
                done.jobs += finished.outcome.jobs;
                done.time += finished.time;
                done.tries += finished.tries;
                done.replay = finished.replay;
                done.results.add(finished.outcome);
            },
        )?;
        bar.finish_and_clear();
        Ok(done)
    }

    /// Simulates one cell.
    fn cell(&self, cell: Cell, bar: &ProgressBar) -> Result<Finished, Problem> {
        let mut run = CellRun::new(self.scenario, cell, self.trace, self.keep)?;
        let started = Instant::now();
        let mut shown = 0;
        while !run.advance(SLICE) {
            let (jobs, of) = run.progress();
            let steps = jobs * STEPS / of.max(1);
            bar.inc((steps - shown) as u64);
            shown = steps;
        }
        let (outcome, replay) = run.finish();
        let time = started.elapsed();
        bar.inc((STEPS - shown) as u64);
        Ok(Finished {
            outcome,
            tries: replay.tries,
            replay: (self.keep != Keep::Metrics).then_some(replay),
            time,
        })
    }
}

/// One cell's result.
struct Finished {
    outcome: CellOutcome,
    replay: Option<Replay>,
    time: Duration,
    tries: Tries,
}

/// A bar on stderr; it shows itself on a terminal only.
fn progress_bar(cells: usize, about: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent} % {msg}, {eta} left")
        .expect("a valid template");
    ProgressBar::new((cells * STEPS) as u64)
        .with_style(style)
        .with_message(about.to_owned())
}
