//! The file `accounting` of Grid Engine: a job or task a line, fields between `:`.
//!
//! Tasks of arrays are jobs with numbers like those of Slurm; slave tasks of a parallel job belong
//! to its line.
//!
//! Source: the manual page accounting(5) of Sun and Son of Grid Engine.

use std::collections::BTreeSet;

use super::draft::{Fault, LineReader, MAX_SECONDS, TraceDraft, bytes_of_entries};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::sacct::task_number;
use super::values::{duration, raw_duration, whole};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::Status;
use backfill_sim::workload::{Cancelled, Processors};

const FIELD_NAMES: FieldNames = FieldNames {
    start: "start_time",
    end: "end_time",
};

const QUEUE: usize = 0;
const OWNER: usize = 3;
const JOB: usize = 5;
const SUBMIT: usize = 8;
const START: usize = 9;
const END: usize = 10;
const FAILED: usize = 11;
const EXIT_STATUS: usize = 12;
const PROJECT: usize = 31;
const DEPARTMENT: usize = 32;
const SLOTS: usize = 34;
const TASK: usize = 35;
const CATEGORY: usize = 39;
/// The slave task of a parallel job, or `NONE`.
const SLAVE: usize = 41;

/// The fewest fields of a line.
const FEWEST: usize = 42;

/// Times from this number on are milliseconds: as seconds they would be after the year 5000.
const MILLISECONDS: u64 = 100_000_000_000;

/// Reads the lines of such a file.
#[derive(Debug)]
pub(super) struct SgeReader {
    ledger: Ledger,
    jobs: BTreeSet<u64>,
    /// Slave tasks of jobs that have no line so far: their jobs and their lines.
    slaves: Vec<(u64, u32)>,
}

/// Whether a line is of such a file.
pub(super) fn is_line(line: &[u8]) -> bool {
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b':').collect();
    let is_number = |field: &[u8]| str::from_utf8(field).ok().and_then(whole::<u64>).is_some();
    fields.len() >= FEWEST
        && [JOB, SUBMIT, START, END]
            .iter()
            .all(|&at| is_number(fields[at]))
}

/// An instant in a field; `None` if it is 0, which stands for none.
fn instant(text: &str, field: &'static str) -> Result<Option<Time>, Fault> {
    let number: u64 = whole(text).ok_or((FindingKind::Malformed, Some(field)))?;
    let micros = if number >= MILLISECONDS {
        number.checked_mul(1000)
    } else {
        number.checked_mul(MICROS)
    };
    let longest = MAX_SECONDS as u64 * MICROS;
    let span = micros.filter(|&micros| micros <= longest).map(Span);
    let span = span.ok_or((FindingKind::OutOfRange, Some(field)))?;
    Ok((span > Span(0)).then_some(Time(span.0)))
}

/// The run time requested in a category such as `-l h_rt=3600,h_vmem=2G -pe mpi 8`.
fn limit(category: &str) -> Option<Span> {
    let mut words = category.split([' ', ',']);
    let limit = words.find_map(|word| word.strip_prefix("h_rt=").or(word.strip_prefix("s_rt=")))?;
    raw_duration(limit, 1).or_else(|| duration(limit))
}

impl SgeReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> SgeReader {
        SgeReader {
            ledger: Ledger::new(processors, cancelled, &FIELD_NAMES),
            jobs: BTreeSet::new(),
            slaves: Vec::new(),
        }
    }

    fn job(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(text);
        let fields: Vec<&str> = text.split(':').map(str::trim).collect();
        if fields.len() < FEWEST {
            return Err((FindingKind::FieldCount, None));
        }
        let job = whole(fields[JOB]).filter(|&job: &u64| job <= u64::from(u32::MAX));
        let job = job.ok_or((FindingKind::Malformed, Some("job_number")))?;
        let number = match whole(fields[TASK]) {
            Some(0) => Some(job),
            Some(task) => task_number(job, task),
            None => None,
        };
        let number = number.ok_or((FindingKind::Malformed, Some("task_number")))?;
        if fields[SLAVE] != "NONE" {
            self.slaves.push((number, line));
            return Ok(());
        }
        self.jobs.insert(number);
        let submit = instant(fields[SUBMIT], "submission_time")?;
        let start = instant(fields[START], FIELD_NAMES.start)?;
        let slots = whole(fields[SLOTS]).filter(|&slots: &u32| slots > 0);
        let account = match fields[PROJECT] {
            "NONE" => fields[DEPARTMENT],
            project => project,
        };
        let entry = Entry {
            number,
            line,
            submit: submit.ok_or((FindingKind::NoSubmitTime, Some("submission_time")))?,
            start,
            end: instant(fields[END], FIELD_NAMES.end)?,
            elapsed: None,
            estimate: limit(fields[CATEGORY]).unwrap_or(Span(0)),
            status: Some(if fields[FAILED] == "0" && fields[EXIT_STATUS] == "0" {
                Status::Completed
            } else {
                Status::Failed
            }),
            started: start.is_some(),
            size: Size {
                allocated: slots,
                requested: slots,
                ..Size::default()
            },
            user: fields[OWNER].as_bytes(),
            account: account.as_bytes(),
            queue: fields[QUEUE].as_bytes(),
            partition: b"",
        };
        if start.is_some() && entry.end.is_none() {
            return Err((FindingKind::NotEnded, Some(FIELD_NAMES.end)));
        }
        let (row, repaired) = self.ledger.row(entry, draft)?;
        draft.accept(row, repaired);
        Ok(())
    }
}

impl LineReader for SgeReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if text.starts_with(b"#") {
            draft.report.comments += 1;
        } else if let Err((kind, field)) = self.job(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    fn finish(&mut self, draft: &mut TraceDraft) {
        for (number, line) in std::mem::take(&mut self.slaves) {
            if self.jobs.contains(&number) {
                draft.report.folded += 1;
            } else {
                draft.reject(FindingKind::StepWithoutJob, line, Some("pe_taskid"));
            }
        }
        self.ledger.finish(draft);
    }

    fn bytes(&self) -> usize {
        self.ledger.bytes()
            + bytes_of_entries::<u64>(self.jobs.len())
            + 3 * self.slaves.capacity() * size_of::<(u64, u32)>()
    }

    fn wanted(&self) -> &'static str {
        "the file accounting of Grid Engine has a job on each line, with 42 or more fields between `:`"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_found_in_the_category() {
        let seconds = |text| limit(text).map(|span| span.0 / 1_000_000);
        assert_eq!(seconds("-U x -l h_rt=3600,h_vmem=2G -pe mpi 8"), Some(3600));
        assert_eq!(seconds("-l h_vmem=2G,s_rt=60"), Some(60));
        assert_eq!(seconds("-pe mpi 8"), None);
    }

    #[test]
    fn instants_are_seconds_or_milliseconds() {
        let micros = |text| instant(text, "start_time").map(|time| time.map(|time| time.0));
        assert_eq!(micros("0"), Ok(None));
        assert_eq!(micros("1300000000"), Ok(Some(1_300_000_000_000_000)));
        assert_eq!(micros("1300000000500"), Ok(Some(1_300_000_000_500_000)));
        assert_eq!(
            micros("-1"),
            Err((FindingKind::Malformed, Some("start_time")))
        );
    }
}
