//! The scenario of a command's arguments, and its log.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use backfill_experiment::files::logs::Options;
use backfill_experiment::files::logs::questions::{first_answer, names};
use backfill_experiment::files::topology::{self, Topology};
use backfill_experiment::language::columns::Columns;
use backfill_experiment::language::scenario::{Scenario, text};
use backfill_sim::problem::Problem;
use backfill_sim::workload::{Cancelled, Format, Processors, SourceKind, Trace};

use crate::trace;

/// A scenario file and what overrides it.
#[derive(Clone, clap::Args)]
pub(crate) struct ScenarioArguments {
    /// A scenario file in TOML, or a log: what its scheduler did beside what others would have done;
    /// without one all keys have their defaults
    #[arg(value_name = "SCENARIO.toml or LOG")]
    file: Option<String>,

    /// A topology.conf, a topology.yaml or what `scontrol show topology` prints: the jobs run on its
    /// tree
    #[arg(long, value_name = "FILE")]
    topology: Option<String>,

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

    /// Whether an argument gives a value to a key.
    pub(crate) fn gives(&self, key: &str) -> bool {
        let pairs = self.overrides.iter().chain(&self.file);
        let mut given = pairs.filter_map(|pair| pair.split_once('='));
        given.any(|(name, _)| name == key)
    }

    /// The same with a value for a key of which neither an argument nor a scenario file says anything.
    pub(crate) fn with_default(mut self, key: &str, value: &str) -> ScenarioArguments {
        if self.path().is_none_or(is_log) && !self.gives(key) {
            self.overrides.push(format!("{key}={value}"));
        }
        self
    }

    /// Reads the scenario, and the log where one stands in the place of a scenario file.
    pub(crate) fn read(&self) -> Result<(Scenario, Option<Trace>)> {
        let (scenario, trace, _) = self.read_with_topology()?;
        Ok((scenario, trace))
    }

    /// The same, and the topology, if there is one.
    pub(crate) fn read_with_topology(&self) -> Result<(Scenario, Option<Trace>, Option<Topology>)> {
        let mut overrides = self.overrides.clone();
        let mut file = self.file.clone();
        if let Some(pair) = file.take_if(|text| is_pair(text)) {
            overrides.insert(0, pair);
        }
        let topology = self.topology.as_deref().map(read_topology).transpose()?;
        let (toml, trace) = match &file {
            Some(path) if is_log(Path::new(path)) => {
                let trace = log(path, &overrides)?;
                let answer = answer_as_toml(Some((path, &trace)), topology.as_ref(), &overrides);
                (answer, Some(trace))
            }
            Some(path) => {
                let machine = topology.iter().flat_map(topology::of_machine);
                let pairs: Vec<String> = machine
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                overrides.splice(..0, pairs);
                let bytes = fs::read(path).with_context(|| format!("cannot read {path}"))?;
                let toml = String::from_utf8(bytes).map_err(|_| {
                    anyhow!("{path} is no scenario: a scenario is a text of key = value lines")
                })?;
                (toml, None)
            }
            None => (answer_as_toml(None, topology.as_ref(), &overrides), None),
        };
        let scenario = text::read_with(&toml, &overrides).map_err(|problems| {
            let sentences: Vec<String> = problems
                .iter()
                .map(|problem| match (&file, problem.line) {
                    (Some(path), Some(_)) if trace.is_none() => format!("{path}, {problem}"),
                    _ => Problem::to_string(problem),
                })
                .collect();
            anyhow!(sentences.join("; "))
        })?;
        Ok((scenario, trace, topology))
    }
}

/// The topology in a file; what is worth knowing of it goes to standard error.
fn read_topology(path: &str) -> Result<Topology> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let topology = topology::read(&text).map_err(|mistake| anyhow!("{path}, {mistake}"))?;
    for note in &topology.notes {
        writeln!(io::stderr(), "{path}: {note}")?;
    }
    Ok(topology)
}

/// Whether a file's name is that of a log or a job list.
pub(crate) fn is_log(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let ending = ending.as_deref().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| LOGS.contains(&ending))
}

/// The endings of names of logs and job lists.
const LOGS: [&str; 10] = [
    "swf", "gz", "csv", "psv", "tsv", "log", "txt", "out", "json", "parquet",
];

/// The log at a path, read as these keys say.
fn log(path: &str, overrides: &[String]) -> Result<Trace> {
    let values = overrides.iter().filter_map(|pair| pair.split_once('='));
    let keys = ["processors", "cancelled", "columns"];
    let read: Vec<(&str, &str)> = values.filter(|(key, _)| keys.contains(key)).collect();
    let format = Format::of_name(path);
    let workload = match format {
        Format::Swf => SourceKind::Swf,
        Format::Csv => SourceKind::Csv,
    };
    let named = [("workload", workload.name()), ("file", path)];
    let scenario = Scenario::parse(named.into_iter().chain(read)).map_err(|problems| {
        let sentences: Vec<String> = problems.iter().map(Problem::to_string).collect();
        anyhow!(sentences.join("; "))
    })?;
    Ok(trace_of(&scenario, None)?.expect("a scenario over a log"))
}

/// A scenario file with the first answer to a log, to a topology or to both, as far as these keys
/// leave it open.
fn answer_as_toml(
    log: Option<(&str, &Trace)>,
    topology: Option<&Topology>,
    overrides: &[String],
) -> String {
    let given: Vec<(&str, &str)> = overrides
        .iter()
        .filter_map(|pair| pair.split_once('='))
        .collect();
    let trace = log.map(|(_, trace)| trace);
    let mut pairs = match (topology, trace) {
        (Some(topology), _) => {
            let mut pairs = topology::question(topology, trace).pairs;
            pairs.retain(|(key, _)| !names(&given, key));
            pairs
        }
        (None, Some(trace)) => first_answer(trace, &given),
        (None, None) => Vec::new(),
    };
    if let Some((path, trace)) = log {
        let workload = match trace.format {
            Format::Swf => SourceKind::Swf,
            Format::Csv => SourceKind::Csv,
        };
        pairs.push(("workload", workload.name().to_owned()));
        pairs.push(("file", path.to_owned()));
    }
    let line = |(key, value): (&str, String)| format!("{key} = {}\n", quoted(&value));
    pairs.into_iter().map(line).collect()
}

/// A string of a scenario file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
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

/// The trace that the scenario names, if its workload is one: the one `already` read, or that of its
/// file.
pub(crate) fn trace_of(scenario: &Scenario, already: Option<Trace>) -> Result<Option<Trace>> {
    if already.is_some() {
        return Ok(already);
    }
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
        processors: Processors::named(processors).expect("a valid scenario"),
        cancelled: Cancelled::named(cancelled).expect("a valid scenario"),
        columns: columns(scenario.get("columns")),
        ..Options::named(&base_name(path))
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

/// The value of the key that says which column is what.
fn columns(text: &str) -> Option<Columns> {
    (!text.is_empty()).then(|| Columns::parse(text).expect("a valid scenario"))
}

fn base_name(path: &str) -> String {
    let name = Path::new(path).file_name();
    name.map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
}
