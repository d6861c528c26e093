//! The scenario of a command's arguments, and its log.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use backfill_experiment::files::logs::Options;
use backfill_experiment::language::scenario::{Scenario, text};
use backfill_sim::problem::Problem;
use backfill_sim::workload::{Cancelled, Format, Processors, SourceKind, Trace};

use crate::trace;

/// A scenario file and what overrides it.
#[derive(clap::Args)]
pub(crate) struct ScenarioArguments {
    /// A scenario file in TOML; without one all keys have their defaults
    #[arg(value_name = "SCENARIO.toml")]
    file: Option<String>,

    /// Keys that override the file's; `backfill keys` lists them
    #[arg(value_name = "key=value")]
    overrides: Vec<String>,
}

impl ScenarioArguments {
    /// The path of the scenario's file, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        let file = self.file.as_deref().filter(|text| !is_pair(text));
        file.map(Path::new)
    }

    /// Reads the scenario.
    pub(crate) fn read(&self) -> Result<Scenario> {
        let mut overrides = self.overrides.clone();
        let mut file = self.file.clone();
        if let Some(pair) = file.take_if(|text| is_pair(text)) {
            overrides.insert(0, pair);
        }
        let toml = match &file {
            Some(path) => {
                let bytes = fs::read(path).with_context(|| format!("cannot read {path}"))?;
                String::from_utf8(bytes).map_err(|_| {
                    anyhow!("{path} is no scenario: a scenario is a text of key = value lines")
                })?
            }
            None => String::new(),
        };
        text::read_with(&toml, &overrides).map_err(|problems| {
            let sentences: Vec<String> = problems
                .iter()
                .map(|problem| match (&file, problem.line) {
                    (Some(path), Some(_)) => format!("{path}, {problem}"),
                    _ => Problem::to_string(problem),
                })
                .collect();
            anyhow!(sentences.join("; "))
        })
    }
}

/// Whether an argument is `key=value` and no file name.
fn is_pair(argument: &str) -> bool {
    argument.split_once('=').is_some_and(|(key, _)| {
        key.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The path of the trace that the scenario names, if its workload is one.
pub(crate) fn trace_path(scenario: &Scenario) -> Option<&Path> {
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
    let cancelled = scenario.get("cancelled");
    let options = Options {
        name: base_name(path),
        processors: Processors::named(processors).expect("a valid scenario"),
        cancelled: Cancelled::named(cancelled).expect("a valid scenario"),
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
            io::stderr(),
            "{path}: {found}; `backfill trace info` says which"
        )?;
    }
    for warning in &report.warnings {
        writeln!(io::stderr(), "{path}: {warning}")?;
    }
    Ok(Some(trace))
}

fn base_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
}
