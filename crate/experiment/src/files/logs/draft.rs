//! The findings of a reader so far, the same for all formats.
//!
//! Invariant: each line of the file is counted once, as accepted, repaired, rejected or folded, or
//! as a comment or blank.

use std::fmt;

use super::details::{Details, Fields};

use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::labels::Labels;
use backfill_sim::workload::report::{FindingKind, Findings, Report};
use backfill_sim::workload::trace::{Header, LogRow, Preceding, WholeNodes};

/// The longest time in a trace, 2³² s: up to there each microsecond has its own number of seconds
/// in 64-bit floating point.
pub(super) const MAX_SECONDS: f64 = 4_294_967_296.0;

/// The least number of further jobs to reserve space for.
const FEWEST_ROWS: usize = 1 << 10;

/// Bytes of a job at most, without boxed fields: during reallocation jobs are in memory twice.
const BYTES_OF_JOB: usize = size_of::<LogRow>() * 17 / 8;

/// The same of a job with boxed fields.
pub(super) const MOST_BYTES_OF_JOB: usize = BYTES_OF_JOB + size_of::<Preceding>() + 16;

/// The threshold of the remark on long overruns.
const MINUTE: Span = Span(60 * MICROS);

/// The threshold of the remark on long runs.
const YEAR: Span = Span(366 * 24 * 3600 * MICROS);

/// A fault of a line: its kind and its field.
pub(super) type Fault = (FindingKind, Option<&'static str>);

/// The reader of one format's lines.
pub(super) trait LineReader: fmt::Debug {
    /// Reads a line that is not blank.
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft);

    /// Reads what is left when the file ends.
    fn finish(&mut self, _draft: &mut TraceDraft) {}

    /// Why nothing of the file can be read, if so.
    fn problem(&self) -> Option<String> {
        None
    }

    /// Bytes kept besides the jobs.
    fn bytes(&self) -> usize {
        0
    }

    /// What a file of the format has on its lines, for one that has no jobs.
    fn wanted(&self) -> &'static str;
}

/// The jobs read so far and the counts of lines.
#[derive(Debug, Default)]
pub(super) struct TraceDraft {
    pub(super) rows: Vec<LogRow>,
    pub(super) totals: Totals,
    pub(super) report: Report,
    pub(super) findings: Findings,
    pub(super) header: Header,
    pub(super) labels: Labels,
    /// What no simulation reads, where it is kept.
    pub(super) details: Option<Details>,
    pub(super) has_bandwidth: bool,
    pub(super) whole_nodes: Option<WholeNodes>,
    /// Lines of partial executions that are joined at the end of the file.
    pub(super) partials: usize,
    /// Bytes of boxed fields.
    boxed: usize,
}

/// What rows of a trace are sorted by.
pub(super) fn place(row: &LogRow) -> (Time, u32, u64) {
    (row.submit, row.line, row.number)
}

/// What the jobs so far say together, kept as they are read: there may be millions of them.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Whether one comes before the one above it by submit time, line and number.
    pub(super) out_of_order: bool,
    /// Whether one has no larger number than the one above it.
    pub(super) number_again: bool,
    /// Whether a job names jobs that precede it.
    pub(super) names_preceding: bool,
    /// The largest size.
    pub(super) largest: u32,
    /// Σ size · run time, as offered load counts it, in processor-microseconds.
    pub(super) area: u128,
}

impl TraceDraft {
    /// Without a job so far; with `details` it keeps what no simulation reads.
    pub(super) fn new(details: bool) -> TraceDraft {
        TraceDraft {
            details: details.then(Details::default),
            ..TraceDraft::default()
        }
    }

    /// Adds a job and counts its line.
    pub(super) fn accept(&mut self, row: LogRow, repaired: bool) {
        self.count(repaired);
        self.add(row);
    }

    /// Counts a line of one or several jobs.
    pub(super) fn count(&mut self, repaired: bool) {
        if repaired {
            self.report.repaired += 1
        } else {
            self.report.accepted += 1
        }
    }

    /// Adds a job whose line is counted separately.
    pub(super) fn add(&mut self, row: LogRow) {
        let estimated = row.estimate > Span(0);
        let overrun = row.runtime.less(row.estimate);
        if estimated {
            self.report.overrun_us += overrun.0;
        }
        for (kind, found) in [
            (FindingKind::ZeroRunTime, row.runtime == Span(0)),
            (FindingKind::RanOverAYear, row.runtime > YEAR),
            (FindingKind::NoEstimate, !estimated),
            (FindingKind::Overrun, estimated && overrun > Span(0)),
            (FindingKind::OverrunByAMinute, estimated && overrun > MINUTE),
        ] {
            if found {
                self.note(kind, row.line);
            }
        }
        let totals = &mut self.totals;
        if let Some(before) = self.rows.last() {
            totals.out_of_order |= place(&row) < place(before);
            totals.number_again |= row.number <= before.number;
        }
        totals.names_preceding |= row.preceding.is_some();
        totals.largest = totals.largest.max(row.size);
        totals.area += row.area();
        if self.rows.len() == self.rows.capacity() {
            // Doubling the space would take three times the memory while rows move.
            self.rows
                .reserve_exact(FEWEST_ROWS.max(self.rows.len() / 8));
        }
        if let Some(preceding) = &row.preceding {
            let numbers = preceding.numbers.len() * size_of::<u64>();
            self.boxed += size_of::<Preceding>() + numbers;
        }
        self.boxed += usize::from(row.leaves_after.is_some()) * size_of::<Span>();
        self.rows.push(row);
    }

    /// Changes a job; it must not become smaller or change its place.
    pub(super) fn change(&mut self, at: usize, change: impl FnOnce(&mut LogRow)) {
        let row = &mut self.rows[at];
        self.totals.area -= row.area();
        change(row);
        self.totals.area += row.area();
        self.totals.largest = self.totals.largest.max(row.size);
    }

    /// Bytes of the jobs and of the waiting lines, which are in memory three times during
    /// reallocation.
    pub(super) fn bytes(&self) -> usize {
        let details = self.details.as_ref().map_or(0, Details::bytes);
        details
            + self.rows.capacity() * BYTES_OF_JOB
            + self.boxed
            + self.partials * 3 * size_of::<u32>()
    }

    /// Keeps the fields of a line that gives a job, where they are kept.
    pub(super) fn keep(&mut self, line: u32, fields: &Fields) {
        if let Some(details) = &mut self.details {
            details.push(line, fields);
        }
    }

    /// Counts a line without a job.
    pub(super) fn reject(&mut self, kind: FindingKind, line: u32, field: Option<&'static str>) {
        self.report.rejected += 1;
        self.findings.add(kind, line, field);
    }

    /// Counts a repair or remark.
    pub(super) fn note(&mut self, kind: FindingKind, line: u32) {
        self.findings.add(kind, line, None);
    }
}

/// Bytes of a map or set with this many entries, whose nodes are half full.
pub(super) fn bytes_of_entries<Entry>(entries: usize) -> usize {
    2 * entries * size_of::<Entry>()
}
