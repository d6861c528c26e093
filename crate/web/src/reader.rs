//! A trace, read in chunks while its file is streamed.

use crate::scenario::parse;
use crate::trace::Trace;
use crate::{plain, refusal};
use backfill_experiment::files::logs::doctor::{Diagnosis, flurry_rule};
use backfill_experiment::files::logs::fitting::processors;
use backfill_experiment::files::logs::questions::{Question, about, questions};
use backfill_experiment::files::logs::unknown;
use backfill_experiment::files::logs::{Options, TraceReader};
use backfill_experiment::language::columns::Columns;
use backfill_experiment::study::oversize;
use backfill_sim::unit::Span;
use backfill_sim::workload::Format;
use backfill_sim::workload::clean;
use backfill_sim::workload::report::{ExampleLine, Finding, Verdict};
use backfill_sim::workload::trace::LogRow;
use backfill_sim::workload::{Cancelled, Processors};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The seconds since 1970 that have a date with a year of four digits.
const DATES: std::ops::Range<u64> = 1..253_402_300_800;

/// Reads the bytes of a file into a trace.
#[wasm_bindgen]
pub struct TraceLoader(TraceReader);

/// The columns of a file by the start of its text, if it may be a table that no reader knows.
#[wasm_bindgen(unchecked_return_type = "UnknownColumn[] | null")]
pub fn unknown_columns(start: &str) -> JsValue {
    plain(&unknown::columns(start.as_bytes()))
}

/// The first jobs of a file by the start of its text, read with these columns.
///
/// # Errors
/// The columns are none, or no job can be read with them.
#[wasm_bindgen(unchecked_return_type = "FirstJob[]")]
pub fn first_jobs(name: &str, start: &str, columns: &str) -> Result<JsValue, JsValue> {
    let columns = Columns::parse(columns);
    let columns = columns.map_err(|problem| refusal(format!("The columns: {problem}.")))?;
    let jobs = unknown::first_jobs(name, start.as_bytes(), columns).map_err(refusal)?;
    Ok(plain(&jobs.iter().map(FirstJob::of).collect::<Vec<_>>()))
}

/// One of the first jobs of a table.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct FirstJob {
    /// Its number.
    number: u64,
    /// Seconds from the first submit to its own.
    submit: f64,
    /// How long it waited, in seconds; null if the table does not say.
    wait: Option<f64>,
    /// How long it ran, in seconds.
    run: f64,
    /// Its processors.
    size: u32,
}

impl FirstJob {
    fn of(row: &LogRow) -> FirstJob {
        FirstJob {
            number: row.number,
            submit: row.submit.seconds(),
            wait: row.wait.get().map(Span::seconds),
            run: row.runtime.seconds(),
            size: row.size,
        }
    }
}

/// The report of a reader on a trace.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct TraceReport<'a> {
    /// The format, by its contents if the name does not say.
    format: Format,
    /// The number of jobs.
    jobs: u64,
    /// Seconds from the first submit to the last.
    span: f64,
    /// Processors of the largest job.
    widest: u32,
    /// The start of its time, in seconds since 1970 (UTC); null if its header does not name a
    /// date.
    begins: Option<u64>,
    /// Processors of the log's own machine, or of the largest job where that has more.
    processors: u32,
    /// The questions about it, the one that is answered first in front; none where it gives
    /// bandwidths.
    questions: Vec<Question>,
    /// The SHA-256 of its contents.
    sha256: &'a str,
    /// The number of lines.
    read: u64,
    /// The number of lines accepted unchanged.
    accepted: u64,
    /// The number of lines that gave a job with a repaired value.
    repaired: u64,
    /// The number of lines that gave no job.
    rejected: u64,
    /// The number of lines folded into the job of another.
    folded: u64,
    /// The number of comments and headings.
    comments: u64,
    /// The number of blank lines.
    blank: u64,
    /// The findings in its lines.
    findings: Vec<Found<'a>>,
    /// Warnings about the whole trace.
    warnings: &'a [String],
}

/// A finding in lines of a trace.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "TraceFinding")]
struct Found<'a> {
    /// The finding in words.
    text: &'static str,
    /// What happened to its lines.
    verdict: Verdict,
    /// The number of lines.
    count: u64,
    /// The first of these lines, counted from 1.
    lines: Vec<u32>,
    /// The field of each of them; null if it is about the whole line.
    fields: Vec<Option<&'static str>>,
    /// What was done about it.
    done: &'static str,
    /// What to do about it, where that is more than to mend the lines.
    remedy: Option<&'static str>,
    /// One of these lines, for a reject or repair; null if none was at hand.
    example: Option<&'a ExampleLine>,
}

impl Found<'_> {
    fn new(finding: &Finding) -> Found<'_> {
        let positions = || finding.positions.iter();
        Found {
            text: finding.text,
            verdict: finding.verdict,
            count: finding.count,
            lines: positions().map(|position| position.line).collect(),
            fields: positions().map(|position| position.field).collect(),
            done: finding.kind.done(),
            remedy: finding.kind.remedy(),
            example: finding.example.as_ref(),
        }
    }
}

#[wasm_bindgen]
impl TraceLoader {
    /// A reader for a file of this name, in format `swf` or `csv`; `processors`, `cancelled` and
    /// `columns` are the values of these keys.
    ///
    /// # Errors
    /// There is no such format or value.
    #[wasm_bindgen(constructor)]
    pub fn new(
        name: &str,
        kind: &str,
        processors: &str,
        cancelled: &str,
        columns: &str,
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
        let columns = match columns {
            "" => None,
            text => Some(Columns::parse(text).map_err(refusal)?),
        };
        Ok(TraceLoader(TraceReader::new(
            format,
            Options {
                processors,
                cancelled,
                columns,
                ..Options::named(name)
            },
        )))
    }

    /// Reads the next bytes.
    ///
    /// # Errors
    /// The file cannot be read; a sentence says why and what to do.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.push(bytes).map_err(refusal)
    }

    /// The trace, after all bytes were read.
    ///
    /// # Errors
    /// The file has no usable job; a sentence says why and what to do.
    pub fn finish(self) -> Result<Trace, JsValue> {
        Ok(Trace(Some(self.0.finish().map_err(refusal)?)))
    }
}

/// Problems in the jobs of a trace.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Diagnosis")]
pub(crate) struct Examined {
    /// The problems.
    #[serde(flatten)]
    diagnosis: Diagnosis,
    /// The rule that finds flurries.
    rule: String,
}

#[wasm_bindgen]
impl Trace {
    /// Problems in its jobs, and how a scenario can handle them.
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

    /// A sentence on the number of its jobs that can never run in a scenario; `None` if all can.
    ///
    /// # Errors
    /// `text` is no valid scenario.
    pub fn warning(&self, text: &str) -> Result<Option<String>, JsValue> {
        Ok(oversize::warning(&parse(text)?, self.get()))
    }

    /// The positions of the first and the last job that was submitted in a period, in seconds since
    /// time 0 of the log, as a scenario's key `slice` counts them; `None` if there is no such job.
    ///
    /// # Errors
    /// There is no trace, or `text` is no valid scenario.
    pub fn submitted(
        &self,
        text: &str,
        from_s: f64,
        until_s: f64,
    ) -> Result<Option<Vec<u32>>, JsValue> {
        let trace = self.get().ok_or_else(|| refusal("there is no trace"))?;
        let workload = parse(text)?.setup(Some(0), Some(0), 0).workload;
        let found = clean::submitted(&trace.rows, &workload, from_s..until_s);
        Ok(found.map(Vec::from))
    }

    /// What a scenario over it is about, in one sentence: which log, which of its jobs, with their
    /// dates, and which machine.
    ///
    /// # Errors
    /// There is no trace, or `text` is no valid scenario.
    pub fn about(&self, text: &str) -> Result<String, JsValue> {
        let trace = self.get().ok_or_else(|| refusal("there is no trace"))?;
        Ok(about(trace, &parse(text)?))
    }

    /// The report of the reader.
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
        let begins = trace.header.count("UnixStartTime");
        let report = &trace.report;
        Ok(plain(&TraceReport {
            format: trace.format,
            jobs: summary.jobs,
            span: summary.span_s,
            widest: summary.largest_size,
            begins: begins.filter(|at| DATES.contains(at)),
            processors: processors(trace),
            questions: questions(trace),
            sha256: &trace.sha256,
            read: report.read,
            accepted: report.accepted,
            repaired: report.repaired,
            rejected: report.rejected,
            folded: report.folded,
            comments: report.comments,
            blank: report.blank,
            findings: report.findings.iter().map(Found::new).collect(),
            warnings: &report.warnings,
        }))
    }
}
