//! Merges the parts of a scenario: the result is that of one machine, to the byte.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::shell::quoted;
use backfill_experiment::study::part::{Merge, Parts};

use crate::output::Outputs;
use crate::parts::Folder;
use crate::result::ResultArguments;

/// Which parts, and which files to write of their result.
#[derive(clap::Args)]
pub(crate) struct MergeArguments {
    /// A folder of parts, as `backfill run --part` writes it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    result: ResultArguments,

    /// Show what there is where parts are missing; there is no digest then
    #[arg(long)]
    partial: bool,
}

/// `backfill merge`.
pub(crate) fn merge(arguments: &MergeArguments, out: &mut impl Write) -> Result<()> {
    let outputs = arguments.result.outputs([], &[])?;
    let folder = Folder::of(&arguments.folder);
    let merge = read(&folder)?;
    if !arguments.partial {
        ensure_whole(&folder, &merge)?;
    }
    write(merge, &arguments.result, outputs, out)
}

/// The result of a folder that holds all parts.
pub(crate) fn result(
    folder: &Folder,
    arguments: &ResultArguments,
    outputs: Outputs,
    out: &mut impl Write,
) -> Result<()> {
    let merge = read(folder)?;
    ensure_whole(folder, &merge)?;
    write(merge, arguments, outputs, out)
}

fn write(
    merge: Merge,
    arguments: &ResultArguments,
    outputs: Outputs,
    out: &mut impl Write,
) -> Result<()> {
    let (scenario, results, trace) = merge.result();
    arguments.write(&scenario, &results, trace, outputs, out)
}

/// Reads all parts of a folder.
fn read(folder: &Folder) -> Result<Merge> {
    let mut merge: Option<Merge> = None;
    for (of, number) in folder.parts()? {
        let name = folder.path(number, of).display().to_string();
        for part in folder.read(number, of)? {
            let added = match &mut merge {
                Some(merge) => merge.add(&name, part),
                None => Merge::begin(&name, part).map(|first| merge = Some(first)),
            };
            added.map_err(|why| anyhow!(why))?;
        }
    }
    let name = folder.name();
    merge.ok_or_else(|| {
        anyhow!("{name} holds no parts: make them by `backfill run SCENARIO --out {name}`")
    })
}

/// Fails if parts are missing, with the command that makes them.
fn ensure_whole(folder: &Folder, merge: &Merge) -> Result<()> {
    let Some(missing) = merge.missing() else {
        return Ok(());
    };
    let (list, of) = (missing.list(), missing.of());
    let missing_are = match missing.count() {
        1 => format!("part {list} of {of} is missing"),
        _ => format!("parts {list} of {of} are missing"),
    };
    bail!(
        "{missing_are} in {}: run `{}`, or take --partial",
        folder.name(),
        command(merge.scenario(), &missing, folder)
    )
}

/// The command that makes parts.
fn command(scenario: &Scenario, parts: &Parts, folder: &Folder) -> String {
    let pairs = scenario
        .changed()
        .map(|(key, value)| format!("{key}={value}"));
    let words = ["backfill", "run"].into_iter().map(str::to_owned);
    let out = ["--part", &parts.to_string(), "--out", &folder.name()].map(str::to_owned);
    let words: Vec<String> = words
        .chain(pairs)
        .chain(out)
        .map(|word| quoted(&word))
        .collect();
    words.join(" ")
}
