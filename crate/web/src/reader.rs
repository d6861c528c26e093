//! A trace, read piece by piece where its file is streamed to.

use crate::scenario::parse;
use crate::trace::Trace;
use crate::{plain, refusal};
use backfill_experiment::files::logs::doctor::{Diagnosis, flurry_rule};
use backfill_experiment::files::logs::fitting::{self, FittingSystem};
use backfill_experiment::files::logs::{Options, TraceReader};
use backfill_experiment::study::oversize;
use backfill_sim::workload::Format;
use backfill_sim::workload::report::Verdict;
use backfill_sim::workload::{Cancelled, Processors};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Takes the bytes of a file and gives its trace.
#[wasm_bindgen]
pub struct TraceLoader(TraceReader);

/// What a reader found in a trace.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct TraceReport<'a> {
    /// What it is, as its contents tell where its name does not.
    format: Format,
    /// How many jobs it holds.
    jobs: u64,
    /// Seconds from the first submit to the last.
    span: f64,
    /// Processors of the largest job.
    widest: u32,
    /// When its time begins, in seconds since 1970 (UTC); null where its header does not say.
    begins: Option<u64>,
    /// Processors of the log's own machine, or of the largest job where that has more.
    processors: u32,
    /// Systems with that many processors.
    systems: Vec<FittingSystem>,
    /// The SHA-256 of its contents.
    sha256: &'a str,
    /// How many lines were taken as they stand.
    accepted: u64,
    /// How many lines gave a job in which a value was mended.
    repaired: u64,
    /// How many lines gave no job.
    rejected: u64,
    /// How many lines are comments, blank, or folded into others.
    other: u64,
    /// What was found in its lines.
    findings: Vec<Found>,
    /// What is to be known of all of it.
    warnings: &'a [String],
}

/// Something that a reader found in lines of a trace.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "TraceFinding")]
struct Found {
    /// What it is.
    text: &'static str,
    /// What it did to its lines.
    verdict: Verdict,
    /// In how many lines.
    count: u64,
    /// The first of these lines, counted from 1.
    lines: Vec<u32>,
}

#[wasm_bindgen]
impl TraceLoader {
    /// For a file of this name, read as `swf` or `csv`; `processors` and `cancelled` are the values of
    /// these keys.
    ///
    /// # Errors
    /// There is no such kind of file, or no such value.
    #[wasm_bindgen(constructor)]
    pub fn new(
        name: &str,
        kind: &str,
        processors: &str,
        cancelled: &str,
    ) -> Result<TraceLoader, JsValue> {
        let format = match kind {
            "swf" => Format::Swf,
            "csv" => Format::Csv,
            _ => return Err(refusal(format!("there is no kind of trace {kind}"))),
        };
        let processors = Processors::named(processors)
            .ok_or_else(|| refusal(format!("there is no value {processors} of processors")))?;
        let cancelled = Cancelled::named(cancelled)
            .ok_or_else(|| refusal(format!("there is no value {cancelled} of cancelled")))?;
        Ok(TraceLoader(TraceReader::new(
            format,
            Options {
                name: name.to_owned(),
                processors,
                cancelled,
                machine: None,
                strict: false,
            },
        )))
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// The file cannot be read; a sentence says why and what to do.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.push(bytes).map_err(refusal)
    }

    /// The trace, now that all bytes were given.
    ///
    /// # Errors
    /// The file holds no usable job; a sentence says why and what to do.
    pub fn finish(self) -> Result<Trace, JsValue> {
        Ok(Trace(Some(self.0.finish().map_err(refusal)?)))
    }
}

/// What ails the jobs of a trace.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Diagnosis")]
pub(crate) struct Examined {
    /// What was found.
    #[serde(flatten)]
    diagnosis: Diagnosis,
    /// The rule by which flurries are found.
    rule: String,
}

#[wasm_bindgen]
impl Trace {
    /// What ails its jobs, and what a scenario can do about it.
    ///
    /// # Errors
    /// There is no trace.
    #[wasm_bindgen(unchecked_return_type = "Diagnosis")]
    pub fn diagnosis(&self) -> Result<JsValue, JsValue> {
        let trace = self.get().ok_or_else(|| refusal("there is no trace"))?;
        Ok(plain(&Examined {
            diagnosis: Diagnosis::of(trace),
            rule: flurry_rule(),
        }))
    }

    /// How many of its jobs can never run as a scenario says, in words; nothing where all can.
    ///
    /// # Errors
    /// `text` is no valid scenario.
    pub fn warning(&self, text: &str) -> Result<Option<String>, JsValue> {
        Ok(oversize::warning(&parse(text)?, self.get()))
    }

    /// What the reader found.
    ///
    /// # Errors
    /// There is no trace.
    #[wasm_bindgen(unchecked_return_type = "TraceReport")]
    pub fn report(&self) -> Result<JsValue, JsValue> {
        let trace = self
            .0
            .as_ref()
            .ok_or_else(|| refusal("there is no trace"))?;
        let summary = trace.summary(usize::MAX);
        let report = &trace.report;
        let found = |finding: &backfill_sim::workload::report::Finding| Found {
            text: finding.text,
            verdict: finding.verdict,
            count: finding.count,
            lines: finding
                .positions
                .iter()
                .map(|position| position.line)
                .collect(),
        };
        Ok(plain(&TraceReport {
            format: trace.format,
            jobs: summary.jobs,
            span: summary.span_s,
            widest: summary.largest_size,
            begins: trace.header.count("UnixStartTime").filter(|&at| at > 0),
            processors: fitting::processors(trace),
            systems: fitting::systems(trace),
            sha256: &trace.sha256,
            accepted: report.accepted,
            repaired: report.repaired,
            rejected: report.rejected,
            other: report.comments + report.blank + report.folded,
            findings: report.findings.iter().map(found).collect(),
            warnings: &report.warnings,
        }))
    }
}
