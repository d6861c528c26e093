//! Writes folders that run a scenario in parts on a cluster, with its log.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use backfill_experiment::study::{Engine, FOLDERS, MOST_PARTS, Study};
use backfill_experiment::sweep;
use tempfile::Builder;

use crate::scenario::{ScenarioArguments, trace_of, trace_path};
use crate::simulation::costs;

/// Which scenario, and how it is cut.
#[derive(clap::Args)]
pub(crate) struct StudyArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// Into how many parts the scenario is cut [default: parts of about 30 s, at most 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    parts: Option<u32>,

    /// The folder to write, which must not be there yet
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Hand the study in at once
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

/// How many seconds a part should take at least: Slurm takes about half a second to start one.
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
    let engine = Engine::Slurm {
        options: study.options.clone(),
        at_once: arguments.at_once,
    };
    let most = most.map_or(MOST_PARTS, |most| most.min(MOST_PARTS));
    write(study, most, &engine, out)
}

/// `backfill hq`.
pub(crate) fn hq(arguments: &StudyArguments, out: &mut impl Write) -> Result<()> {
    let options = arguments.options.clone();
    write(arguments, MOST_PARTS, &Engine::HyperQueue { options }, out)
}

/// The number that every index of an array must be below on this cluster; nothing where no Slurm
/// answers.
fn max_array_size() -> Option<u32> {
    let config = Command::new("scontrol").args(["show", "config"]).output();
    let config = String::from_utf8(config.ok()?.stdout).ok()?;
    let line = config
        .lines()
        .find(|line| line.starts_with("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok()
}

/// Writes the folder of a study, of at most `most` parts where nobody says how many.
fn write(
    arguments: &StudyArguments,
    most: u32,
    engine: &Engine,
    out: &mut impl Write,
) -> Result<()> {
    let place = arguments.out.display();
    ensure!(
        !arguments.out.exists(),
        "{place} is there already: name a new folder by --out"
    );
    let scenario = arguments.scenario.read()?;
    let trace = trace_of(&scenario)?;
    let begun = Instant::now();
    let costs = costs(&scenario, trace.as_ref())?;
    let seconds = begun.elapsed().as_secs_f64() / costs.share_tried(&sweep::cells(&scenario));
    let worth = ((seconds / WORTH_STARTING) as u32).clamp(1, most.min(scenario.runs() as u32));
    let parts = arguments.parts.unwrap_or(worth);
    let each = seconds / f64::from(parts);
    if parts > worth && each < WORTH_STARTING {
        writeln!(
            io::stderr(),
            "a part takes about {each:.1} s, and starting one about half a second: --parts {worth} \
             is enough"
        )?;
    }

    let program = env::current_exe().context("cannot tell where this program is")?;
    let program = program
        .to_str()
        .context("this program's path is not UTF-8")?;
    let study = Study {
        scenario: &scenario,
        parts,
        program,
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
    if let Some(log) = trace_path(&scenario) {
        let name = scenario.portable().get("file").to_owned();
        fs::copy(log, folder.path().join(name)).with_context(cannot)?;
    }
    for inside in FOLDERS {
        fs::create_dir(folder.path().join(inside)).with_context(cannot)?;
    }
    permit(folder.path(), true).with_context(cannot)?;
    fs::rename(folder.keep(), &arguments.out).with_context(cannot)?;

    if arguments.submit {
        let submit = fs::canonicalize(arguments.out.join("submit")).with_context(cannot)?;
        let status = Command::new(&submit).status();
        let status = status.with_context(|| format!("cannot run {place}/submit"))?;
        ensure!(
            status.success(),
            "{place}/submit failed: what it said stands above"
        );
    } else {
        let runs = scenario.runs();
        writeln!(
            out,
            "{place}: {runs} runs in {parts} parts of about {each:.1} s; {place}/submit hands them \
             in"
        )?;
    }
    Ok(())
}

/// Lets others read a file or folder, and run what is a program.
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
