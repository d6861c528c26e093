//! The scenario that a command's arguments describe.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use backfill_experiment::scenario::{Scenario, text};
use backfill_sim::problem::Problem;

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
    /// Where the scenario's file stands, if there is one.
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

/// Whether an argument is `key=value` and no file's name.
fn is_pair(argument: &str) -> bool {
    argument.split_once('=').is_some_and(|(key, _)| {
        key.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
