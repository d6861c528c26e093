//! A job list: a header line, then one job a line, comma-separated whole numbers.
//!
//! The columns `job`, `submit_us`, `size`, `bandwidth_kbps` and `runtime_us`, and optionally
//! `estimate_us`, are found by the header in any order; other columns are ignored and named in the
//! report. Lines are counted as in a log.

use std::fmt::Write as _;

use super::draft::{Fault, LineReader, MAX_SECONDS, TraceDraft};
use super::record::Record;
use super::swf;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::LogRow;

/// The columns, the last one optional.
const COLUMNS: [&str; 6] = [
    "job",
    "submit_us",
    "size",
    "bandwidth_kbps",
    "runtime_us",
    "estimate_us",
];

const SUBMIT: usize = 1;
const SIZE: usize = 2;
const BANDWIDTH: usize = 3;
const RUNTIME: usize = 4;
const ESTIMATE: usize = 5;

/// The largest number in each column. Numbers of jobs are limited as in a log; bandwidths to 10¹²
/// kbit/s.
const LARGEST: [u64; COLUMNS.len()] = [
    swf::LARGEST_NUMBER,
    LONGEST,
    u32::MAX as u64,
    1_000_000_000_000,
    LONGEST,
    LONGEST,
];

/// The longest time, in microseconds.
const LONGEST: u64 = MAX_SECONDS as u64 * MICROS;

/// Reads the lines of a job list.
#[derive(Debug)]
pub(super) struct CsvReader {
    record: Record,
    columns: Option<CsvColumns>,
    last_submit: Time,
}

/// The positions of the columns.
#[derive(Debug)]
enum CsvColumns {
    /// The header has them: their positions, and the total number of columns.
    Found([Option<usize>; COLUMNS.len()], usize),
    /// The header does not have them all.
    Missing(String),
}

/// Whether a line is the heading of a job list, perhaps one that lacks a column.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let mut record = Record::new(b',');
    record.read(line);
    let of_its_own = [SUBMIT, BANDWIDTH, RUNTIME].map(|column| COLUMNS[column].as_bytes());
    let mut fields = record.fields();
    line.contains(&b',') && fields.any(|name| of_its_own.contains(&name.trim_ascii()))
}

impl CsvReader {
    pub(super) fn new() -> CsvReader {
        CsvReader {
            record: Record::new(b','),
            columns: None,
            last_submit: Time(0),
        }
    }
}

impl LineReader for CsvReader {
    fn problem(&self) -> Option<String> {
        match &self.columns {
            Some(CsvColumns::Missing(problem)) => Some(problem.clone()),
            _ => None,
        }
    }

    fn wanted(&self) -> &'static str {
        "a job list has a job on each line below the heading"
    }

    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        self.record.read(text);
        let Some(columns) = &self.columns else {
            draft.report.comments += 1;
            draft.has_bandwidth = true;
            self.columns = Some(columns(line, &self.record, &mut draft.report.warnings));
            return;
        };
        let job = match columns {
            CsvColumns::Found(positions, width) => job(line, &self.record, positions, *width),
            CsvColumns::Missing(_) => Err((FindingKind::FieldCount, None)),
        };
        let row = match job {
            Ok(row) => row,
            Err((kind, field)) => return draft.reject(kind, line, field),
        };
        if row.submit < self.last_submit {
            draft.note(FindingKind::OutOfOrder, line);
        }
        self.last_submit = row.submit;
        draft.accept(row, false);
    }
}

/// Finds the columns in the header.
fn columns(line: u32, heading: &Record, warnings: &mut Vec<String>) -> CsvColumns {
    let names: Vec<String> = heading
        .fields()
        .map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned())
        .collect();
    let mut positions = [None; COLUMNS.len()];
    for (position, column) in positions.iter_mut().zip(COLUMNS) {
        let mut found = (0..names.len()).filter(|&at| names[at] == column);
        *position = found.next();
        if found.next().is_some() {
            return CsvColumns::Missing(format!(
                "the heading in line {line} has two columns {column}; leave one"
            ));
        }
        if position.is_none() && column != COLUMNS[ESTIMATE] {
            let all = COLUMNS.join(",");
            return CsvColumns::Missing(format!(
                "the heading in line {line} has no column {column}; it must name {all} (the last may be absent), or columns= must say which is what"
            ));
        }
    }
    let others: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| !COLUMNS.contains(name))
        .collect();
    if !others.is_empty() {
        warnings.push(format!("columns ignored: {}", others.join(", ")));
    }
    CsvColumns::Found(positions, names.len())
}

/// The job of a line.
fn job(
    line: u32,
    record: &Record,
    positions: &[Option<usize>; COLUMNS.len()],
    width: usize,
) -> Result<LogRow, Fault> {
    if record.len() != width {
        return Err((FindingKind::FieldCount, None));
    }
    let mut values = [0; COLUMNS.len()];
    for column in 0..COLUMNS.len() {
        let Some(position) = positions[column] else {
            continue;
        };
        let field = record.field(position).trim_ascii();
        let fault = |kind| Err((kind, Some(COLUMNS[column])));
        if column == ESTIMATE && matches!(field, b"" | b"-1") {
            continue;
        }
        let text = std::str::from_utf8(field).unwrap_or_default();
        let value = match text.parse::<i128>() {
            Ok(value) => value,
            Err(_) => match text.parse::<f64>() {
                Ok(value) if value.is_finite() && value.fract() == 0.0 => value as i128,
                Ok(value) if value.is_finite() => return fault(FindingKind::FractionInInteger),
                _ => return fault(FindingKind::NotANumber),
            },
        };
        values[column] = match u64::try_from(value) {
            Ok(0) | Err(_) if column == SIZE && value <= 0 => {
                return fault(FindingKind::NoProcessors);
            }
            Err(_) if column == SUBMIT && value < 0 => return fault(FindingKind::NoSubmitTime),
            Err(_) if column == RUNTIME && value < 0 => return fault(FindingKind::NoRunTime),
            Ok(value) if value <= LARGEST[column] => value,
            _ => return fault(FindingKind::OutOfRange),
        };
    }
    Ok(LogRow {
        number: values[0],
        submit: Time(values[SUBMIT]),
        runtime: Span(values[RUNTIME]),
        estimate: Span(values[ESTIMATE]),
        bandwidth: Kbps(values[BANDWIDTH]),
        // At most u32::MAX, see LARGEST.
        size: values[SIZE] as u32,
        line,
        ..LogRow::default()
    })
}

/// Writes a job list; the column of estimates only where a job has one.
pub fn write(rows: &[LogRow]) -> String {
    let estimates = rows.iter().any(|row| row.estimate > Span(0));
    let columns = if estimates { COLUMNS.len() } else { ESTIMATE };
    let mut text = COLUMNS[..columns].join(",");
    text.push('\n');
    for row in rows {
        // `write!` to a string does not fail.
        let _ = write!(
            text,
            "{},{},{},{},{}",
            row.number, row.submit.0, row.size, row.bandwidth.0, row.runtime.0
        );
        match (estimates, row.estimate) {
            (false, _) => {}
            (true, Span(0)) => text.push(','),
            (true, Span(estimate)) => {
                let _ = write!(text, ",{estimate}");
            }
        }
        text.push('\n');
    }
    text
}
