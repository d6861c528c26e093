//! Results as files, and files opened again. Files that the command line also writes are the same
//! to the byte.

use crate::board::{Board, position};
use crate::run::{Keep, Run};
use crate::{plain, refusal};
use backfill_experiment::files::report::{self, Document, Opened, ResultForm};
use backfill_experiment::language::scenario::{Scenario, text};
use backfill_experiment::study::answer::methods;
use backfill_experiment::study::stored::TraceName;
use backfill_experiment::study::sweep::CellOutcome;
use backfill_plot::export;
use backfill_sim::problem::Problem;
use serde::Serialize;
use std::fmt::Display;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
impl Board {
    /// The name of a file with the chart of a metric, without its extension.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn stem(&self, metric: &str, y: usize) -> Result<String, JsValue> {
        Ok(export::stem(&self.answer(), position(metric)?, y))
    }

    /// The chart of a metric as an SVG: for the screen, or with a width in inches.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn svg(&self, metric: &str, y: usize, inches: Option<f64>) -> Result<String, JsValue> {
        Ok(export::svg(&self.answer(), position(metric)?, y, inches))
    }

    /// The numbers of that chart.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn figure_csv(&self, metric: &str, y: usize) -> Result<String, JsValue> {
        Ok(export::csv(&self.answer(), position(metric)?, y))
    }

    /// That chart as pgfplots source, which reads its numbers from the file of the same name.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn latex(&self, metric: &str, y: usize) -> Result<String, JsValue> {
        let metric = position(metric)?;
        let answer = self.answer();
        let csv = format!("{}.csv", export::stem(&answer, metric, y));
        Ok(export::latex(&answer, metric, y, &csv))
    }

    /// One line for each metric of each run.
    pub fn csv(&self) -> String {
        report::runs_csv(&self.scenario, &self.results)
    }

    /// The whole result, with the name, SHA-256 and number of jobs of its trace, if any.
    pub fn json(&self, name: Option<String>, sha256: &str, jobs: usize) -> String {
        let trace = name.map(|name| TraceName {
            name,
            sha256: sha256.to_owned(),
            jobs,
        });
        let document = Document::naming(&self.scenario, &self.results, trace);
        let json = serde_json::to_string_pretty(&document);
        json.expect("a document has a plain form") + "\n"
    }

    /// The method as a paragraph.
    pub fn methods(&self) -> String {
        self.answer().methods()
    }

    /// The references of that paragraph as BibTeX.
    pub fn bibliography(&self) -> String {
        methods::bibliography(&self.scenario, self.results.core())
    }

    /// The scenario as a file.
    pub fn toml(&self) -> String {
        text::write(&self.scenario)
    }
}

#[wasm_bindgen]
impl Run {
    /// The jobs of a run as a log.
    ///
    /// # Errors
    /// The run kept no histories.
    pub fn swf(self) -> Result<String, JsValue> {
        let slots = self.setup.system.capacity().slots;
        let (_, replay) = self.kept(Keep::Histories)?.finish();
        Ok(report::jobs_swf(&replay, slots))
    }
}

/// A scenario from a file or the browser's storage, with its runs.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct OpenedFile<'a> {
    /// The values of the scenario that differ from their defaults, by key.
    pairs: Vec<(&'a str, &'a str)>,
    /// The version of the core that made the runs; empty if there are none.
    core: &'a str,
    /// The runs.
    outcomes: Vec<&'a CellOutcome>,
    /// The labels of the metrics for which the runs have no value.
    lacks: Vec<&'a str>,
}

/// Opens a result from the browser's storage.
///
/// # Errors
/// It is none, or cannot be shown here; a sentence says why.
#[wasm_bindgen(unchecked_return_type = "OpenedFile")]
pub fn open_kept(
    #[wasm_bindgen(unchecked_param_type = "ResultForm & StoredResult")] kept: JsValue,
) -> Result<JsValue, JsValue> {
    reopened(serde_wasm_bindgen::from_value(kept.clone()), || {
        serde_wasm_bindgen::from_value(kept)
    })
}

/// A stored result: its form, and all of it if that form is known.
fn reopened<E: Display>(
    form: Result<ResultForm, E>,
    opened: impl FnOnce() -> Result<Opened, E>,
) -> Result<JsValue, JsValue> {
    let other = |error: E| refusal(format!("this is not a result that Backfill wrote: {error}"));
    form.map_err(other)?.check().map_err(refusal)?;
    let (scenario, results) = opened().map_err(other)?.result().map_err(refusal)?;
    Ok(plain(&OpenedFile {
        pairs: scenario.changed().collect(),
        core: results.core(),
        outcomes: results.outcomes().collect(),
        lacks: results.lacking().map(|metric| metric.label).collect(),
    }))
}

/// Opens a file: a scenario, or a whole result.
///
/// # Errors
/// It is neither; a sentence says what is wrong where.
#[wasm_bindgen(unchecked_return_type = "OpenedFile")]
pub fn open_file(contents: &str) -> Result<JsValue, JsValue> {
    if contents.trim_start().starts_with('{') {
        return reopened(serde_json::from_str(contents), || {
            serde_json::from_str(contents)
        });
    }
    let scenario: Scenario = text::read(contents).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
        refusal(problems.join("; "))
    })?;
    Ok(plain(&OpenedFile {
        pairs: scenario.changed().collect(),
        core: "",
        outcomes: Vec::new(),
        lacks: Vec::new(),
    }))
}
