//! Writes folders that run a scenario or figures in parts on a cluster, with their logs.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use backfill_experiment::files::cluster_folder::{BatchSystem, MOST_PARTS, Study, TRACES, Work};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep;
use backfill_papers::{Figure, figures};
use backfill_sim::workload::Trace;
use tempfile::Builder;

use crate::figure;
use crate::logs::Logs;
use crate::scenario::{ScenarioArguments, trace_of, trace_path};
use crate::simulation::tried_costs;

/// What is run, and how it is cut.
#[derive(clap::Args)]
pub(crate) struct StudyArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// A published figure in place of a scenario; `backfill figure --list` names them
    #[arg(
        long, value_name = "ID", value_parser = figure::known, group = "figures",
        conflicts_with_all = ["file", "overrides"]
    )]
    figure: Option<&'static Figure>,

    /// All figures in place of a scenario
    #[arg(long, group = "figures", conflicts_with_all = ["file", "overrides"])]
    all: bool,

    /// Few replications of the figures, for a first look
    #[arg(long, requires = "figures")]
    quick: bool,

    /// Folder of workload logs of the figures [default: the one that BACKFILL_TRACES names]
    #[arg(long, value_name = "FOLDER", requires = "figures")]
    trace_dir: Option<PathBuf>,

    /// Into how many parts all runs are cut [default: parts of about 30 s, at most 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    parts: Option<u32>,

    /// The folder to write, which must not exist
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Submit the study at once
    #[arg(long)]
    submit: bool,

    /// Options for the cluster's own command, such as --partition=NAME
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// A study for Slurm.
#[derive(clap::Args)]
pub(crate) struct SlurmArguments {
    #[command(flatten)]
    study: StudyArguments,

    /// How many parts may run at once [default: as many as Slurm lets]
    #[arg(long, value_name = "M")]
    at_once: Option<NonZero<u32>>,
}

/// The least seconds of a part: Slurm takes about half a second to start one.
const WORTH_STARTING: f64 = 30.0;

/// `backfill slurm`.
pub(crate) fn slurm(arguments: &SlurmArguments, out: &mut impl Write) -> Result<()> {
    let study = &arguments.study;
    let most = max_array_size().map(|size| size.saturating_sub(1).max(1));
    if let (Some(parts), Some(most)) = (study.parts, most)
        && parts > most
    {
        bail!(
            "--parts {parts}: this cluster takes at most {most} in an array (one less than its \
             MaxArraySize); choose fewer parts"
        );
    }
    let engine = BatchSystem::Slurm {
        options: study.options.clone(),
        at_once: arguments.at_once,
    };
    let most = most.map_or(MOST_PARTS, |most| most.min(MOST_PARTS));
    write(study, most, &engine, out)
}

/// `backfill hq`.
pub(crate) fn hq(arguments: &StudyArguments, out: &mut impl Write) -> Result<()> {
    let options = arguments.options.clone();
    write(
        arguments,
        MOST_PARTS,
        &BatchSystem::HyperQueue { options },
        out,
    )
}

/// The exclusive upper limit of array indices on this cluster; `None` if Slurm does not answer.
fn max_array_size() -> Option<u32> {
    let config = Command::new("scontrol").args(["show", "config"]).output();
    let config = String::from_utf8(config.ok()?.stdout).ok()?;
    let line = config
        .lines()
        .find(|line| line.starts_with("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok()
}

/// What a study runs, with its estimated cost.
struct Plan {
    work: Work,
    runs: usize,
    /// The time of all runs on one core, estimated by trials.
    seconds: f64,
    /// The logs that it reads, with their paths in its folder.
    logs: Vec<(PathBuf, PathBuf)>,
}

impl Plan {
    fn of(arguments: &StudyArguments) -> Result<Plan> {
        match arguments.figure {
            Some(figure) => Plan::of_figures(&[figure], figure.id, arguments),
            None if arguments.all => {
                let all: Vec<&'static Figure> = figures().collect();
                Plan::of_figures(&all, "--all", arguments)
            }
            None => {
                let (scenario, log) = arguments.scenario.read()?;
                Plan::of_scenario(scenario, log)
            }
        }
    }

    fn of_scenario(scenario: Scenario, log: Option<Trace>) -> Result<Plan> {
        let trace = trace_of(&scenario, log)?;
        let log = trace_path(&scenario).map(|log| {
            let inside = scenario.portable().get("file").into();
            (log.to_owned(), inside)
        });
        Ok(Plan {
            runs: scenario.runs(),
            seconds: seconds(&scenario, trace.as_ref())?,
            logs: log.into_iter().collect(),
            work: Work::Scenario(scenario),
        })
    }

    /// Figures, which `name` names on the command line.
    fn of_figures(
        figures: &[&'static Figure],
        name: &str,
        arguments: &StudyArguments,
    ) -> Result<Plan> {
        let mut logs = Logs::new(arguments.trace_dir.as_deref());
        let scenarios = figure::scenarios(figures, figure::effort(arguments.quick), &mut logs)?;
        ensure!(
            !scenarios.is_empty(),
            "--figure {name}: nothing of it is simulated in runs: `backfill figure {name}` makes it"
        );
        let runs = scenarios.iter().map(|(scenario, _)| scenario.runs()).sum();
        if let Some(parts) = arguments.parts {
            ensure!(
                parts as usize <= runs,
                "--parts {parts}: these figures have only {runs} runs"
            );
        }
        let mut all = 0.0;
        for (scenario, log) in &scenarios {
            all += seconds(scenario, logs.trace(*log)?)?;
        }
        figure::read_all(figures, &mut logs)?;
        let inside = |log: &Path| Path::new(TRACES).join(log.file_name().unwrap_or_default());
        let quick = if arguments.quick { " --quick" } else { "" };
        Ok(Plan {
            work: Work::Figures(format!("{name}{quick}")),
            runs,
            seconds: all,
            logs: logs
                .files()
                .map(|log| (log.to_owned(), inside(log)))
                .collect(),
        })
    }
}

/// The time of all runs of a scenario on one core, estimated by trials.
fn seconds(scenario: &Scenario, trace: Option<&Trace>) -> Result<f64> {
    let begun = Instant::now();
    let costs = tried_costs(scenario, trace)?;
    Ok(begun.elapsed().as_secs_f64() / costs.share_tried(&sweep::cells(scenario)))
}

/// Writes the folder of a study, of at most `most` parts by default.
fn write(
    arguments: &StudyArguments,
    most: u32,
    engine: &BatchSystem,
    out: &mut impl Write,
) -> Result<()> {
    let place = arguments.out.display();
    ensure!(
        !arguments.out.exists(),
        "{place} exists already: name a new folder by --out"
    );
    let Plan {
        work,
        runs,
        seconds,
        logs,
    } = Plan::of(arguments)?;
    let worth = ((seconds / WORTH_STARTING) as u32).clamp(1, most.min(runs as u32));
    let parts = arguments.parts.unwrap_or(worth);
    let each = seconds / f64::from(parts);
    if parts > worth && each < WORTH_STARTING {
        writeln!(
            io::stderr(),
            "a part takes about {each:.1} s, and starting one about half a second: --parts {worth} \
             is enough"
        )?;
    }

    let program = env::current_exe().context("cannot find the path of this program")?;
    let program = program
        .to_str()
        .context("this program's path is not UTF-8")?;
    let study = Study {
        work,
        runs,
        parts,
        program: Some(program),
    };
    let cannot = || format!("cannot write {place}");
    let above = arguments
        .out
        .parent()
        .filter(|above| *above != Path::new(""));
    let folder = Builder::new()
        .prefix(".unfinished-")
        .tempdir_in(above.unwrap_or(Path::new(".")))
        .with_context(cannot)?;
    for file in study.files(engine) {
        let path = folder.path().join(file.name);
        fs::write(&path, file.text).with_context(cannot)?;
        permit(&path, file.is_program).with_context(cannot)?;
    }
    for inside in study.folders() {
        fs::create_dir(folder.path().join(inside)).with_context(cannot)?;
    }
    for (log, inside) in logs {
        fs::copy(log, folder.path().join(inside)).with_context(cannot)?;
    }
    permit(folder.path(), true).with_context(cannot)?;
    fs::rename(folder.keep(), &arguments.out).with_context(cannot)?;

    if arguments.submit {
        let submit = fs::canonicalize(arguments.out.join("submit")).with_context(cannot)?;
        let status = Command::new(&submit).status();
        let status = status.with_context(|| format!("cannot run {place}/submit"))?;
        ensure!(
            status.success(),
            "{place}/submit failed: see its messages above"
        );
    } else {
        writeln!(
            out,
            "{place}: {runs} runs in {parts} parts of about {each:.1} s; submit them with \
             {place}/submit"
        )?;
    }
    Ok(())
}

/// Makes a file or folder readable for others, and a program executable.
#[cfg(unix)]
fn permit(path: &Path, is_program: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = if is_program { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn permit(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}
