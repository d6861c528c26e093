//! What the reader of a format has found so far; all formats fill it alike.
//!
//! Invariant: each line of the file is counted once, as accepted, repaired, rejected or folded, or
//! as a comment or blank.

use backfill_sim::unit::{MICROS, Span};
use backfill_sim::workload::report::{FindingKind, Findings, Report};
use backfill_sim::workload::trace::{Header, LogRow, Preceding};

/// The longest time a trace may hold, 2³² s: up to there every microsecond has a decimal number of
/// seconds of its own in 64-bit floating point.
pub(super) const MAX_SECONDS: f64 = 4_294_967_296.0;

/// For so many further jobs room is made at least.
const FEWEST_ROWS: usize = 1 << 10;

/// Bytes that a job takes at most: while room is made for more, jobs stand in memory twice, and each
/// may have something aside.
pub(super) const BYTES_OF_JOB: usize = size_of::<LogRow>() * 17 / 8 + size_of::<Preceding>() + 8;

/// Of the remark on long overruns.
const MINUTE: Span = Span(60 * MICROS);

/// The jobs read so far and the account of the lines.
#[derive(Debug, Default)]
pub(super) struct TraceDraft {
    pub(super) rows: Vec<LogRow>,
    pub(super) report: Report,
    pub(super) findings: Findings,
    pub(super) header: Header,
    pub(super) has_bandwidth: bool,
    /// Lines of partial executions that wait for the end of the file.
    pub(super) partials: usize,
}

impl TraceDraft {
    /// Adds a job and counts its line.
    pub(super) fn accept(&mut self, row: LogRow, repaired: bool) {
        self.count(repaired);
        self.add(row);
    }

    /// Counts a line that gives a job or several.
    pub(super) fn count(&mut self, repaired: bool) {
        if repaired {
            self.report.repaired += 1
        } else {
            self.report.accepted += 1
        }
    }

    /// Adds a job whose line is counted apart.
    pub(super) fn add(&mut self, row: LogRow) {
        let estimated = row.estimate > Span(0);
        let overrun = row.runtime.less(row.estimate);
        if estimated {
            self.report.overrun_us += overrun.0;
        }
        for (kind, found) in [
            (FindingKind::ZeroRunTime, row.runtime == Span(0)),
            (FindingKind::NoEstimate, !estimated),
            (FindingKind::Overrun, estimated && overrun > Span(0)),
            (FindingKind::OverrunByAMinute, estimated && overrun > MINUTE),
        ] {
            if found {
                self.note(kind, row.line);
            }
        }
        if self.rows.len() == self.rows.capacity() {
            // Twice the room would be three times the memory while the rows move.
            self.rows
                .reserve_exact(FEWEST_ROWS.max(self.rows.len() / 8));
        }
        self.rows.push(row);
    }

    /// Bytes that the jobs take, and the lines that wait: these stand in memory three times while
    /// room is made for more.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * BYTES_OF_JOB + self.partials * 3 * size_of::<u32>()
    }

    /// Counts a line that gives no job.
    pub(super) fn reject(&mut self, kind: FindingKind, line: u32, field: Option<&'static str>) {
        self.report.rejected += 1;
        self.findings.add(kind, line, field);
    }

    /// Counts a repair or remark.
    pub(super) fn note(&mut self, kind: FindingKind, line: u32) {
        self.findings.add(kind, line, None);
    }
}

/// Bytes that so many entries of a map or set take, whose nodes are half full.
pub(super) fn bytes_of_entries<Entry>(entries: usize) -> usize {
    2 * entries * size_of::<Entry>()
}
