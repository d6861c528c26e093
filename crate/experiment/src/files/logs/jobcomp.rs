//! The file that Slurm writes with `JobCompType=jobcomp/filetxt`: a job a line, `Key=value` between
//! blanks. Values may hold blanks; a value ends before the next key that is known.
//!
//! Source: the plugin jobcomp/filetxt of Slurm; <https://slurm.schedmd.com/slurm.conf.html>,
//! `JobCompType`.

use super::draft::{Fault, LineReader, MAX_SECONDS, TraceDraft};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::sacct::{NEVER, NOT_ENDED, UNLIMITED, status};
use super::values::{in_units, instant, raw_duration, whole};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::Status;
use backfill_sim::workload::{Cancelled, Processors};

const FIELD_NAMES: FieldNames = FieldNames {
    start: KEYS[START],
    end: KEYS[END],
};

/// The keys of a line; the values of the last ones are not read.
const KEYS: [&str; 24] = [
    "JobId",
    "UserId",
    "JobState",
    "Partition",
    "TimeLimit",
    "StartTime",
    "EndTime",
    "NodeCnt",
    "ProcCnt",
    "Account",
    "QOS",
    "SubmitTime",
    "NodeList",
    "GroupId",
    "Name",
    "WorkDir",
    "ReservationName",
    "Gres",
    "Tres",
    "WcKey",
    "Cluster",
    "EligibleTime",
    "DerivedExitCode",
    "ExitCode",
];

const JOB: usize = 0;
const USER: usize = 1;
const STATE: usize = 2;
const PARTITION: usize = 3;
const LIMIT: usize = 4;
const START: usize = 5;
const END: usize = 6;
const NODES: usize = 7;
const PROCESSORS: usize = 8;
const ACCOUNT: usize = 9;
const QOS: usize = 10;
const SUBMIT: usize = 11;
const ELIGIBLE: usize = 21;

/// Reads the lines of such a file.
#[derive(Debug)]
pub(super) struct JobcompReader {
    ledger: Ledger,
}

/// Whether a line is of such a file.
pub(super) fn is_line(line: &[u8]) -> bool {
    line.starts_with(b"JobId=") && line.windows(10).any(|part| part == b" JobState=")
}

/// The values of a line.
fn values(text: &str) -> [&str; KEYS.len()] {
    let mut values = [""; KEYS.len()];
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    for word in text.split(' ') {
        let key = word.split_once('=').map(|(key, _)| key);
        let known = KEYS.iter().position(|known| Some(*known) == key);
        if let (Some(key), Some(length)) = (known, key.map(str::len)) {
            if let Some((before, start)) = open {
                values[before] = text[start..at].trim();
            }
            open = Some((key, at + length + 1));
        }
        at += word.len() + 1;
    }
    if let Some((key, start)) = open {
        values[key] = text[start..].trim();
    }
    values
}

impl JobcompReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> JobcompReader {
        JobcompReader {
            ledger: Ledger::new(processors, cancelled, &FIELD_NAMES),
        }
    }

    /// An instant as time since 1970; `None` if it has not come.
    fn instant(&mut self, text: &str, field: usize) -> Result<Option<Time>, Fault> {
        if NEVER.contains(&text) {
            return Ok(None);
        }
        let (seconds, zone) = instant(text).ok_or((FindingKind::Malformed, Some(KEYS[field])))?;
        self.ledger.without_zone |= !zone;
        let seconds = u64::try_from(seconds)
            .ok()
            .filter(|&at| at as f64 <= MAX_SECONDS);
        let seconds = seconds.ok_or((FindingKind::OutOfRange, Some(KEYS[field])))?;
        Ok(Some(Time(seconds * MICROS)))
    }

    fn job(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(text);
        let values = values(&text);
        let malformed = |field: usize| (FindingKind::Malformed, Some(KEYS[field]));
        let number = whole(values[JOB]).filter(|&job: &u64| job <= u64::from(u32::MAX));
        let number = number.ok_or(malformed(JOB))?;
        if NOT_ENDED.contains(&values[STATE]) {
            return Err((FindingKind::NotEnded, Some(KEYS[STATE])));
        }
        let submit = match self.instant(values[SUBMIT], SUBMIT)? {
            None => self.instant(values[ELIGIBLE], ELIGIBLE)?,
            submit => submit,
        };
        let start = self.instant(values[START], START)?;
        let end = self.instant(values[END], END)?;
        let ran = matches!((start, end), (Some(start), Some(end)) if start < end);
        let status = status(values[STATE]);
        let estimate = match values[LIMIT] {
            text if UNLIMITED.contains(&text) => Span(0),
            text => raw_duration(text, 60).ok_or(malformed(LIMIT))?,
        };
        let count = |field: usize| match values[field] {
            "" => Ok(None),
            text => in_units(text)
                .map(|count| Some(count).filter(|&count| count > 0))
                .ok_or(malformed(field)),
        };
        let processors = count(PROCESSORS)?;
        let entry = Entry {
            number,
            line,
            submit: submit.ok_or((FindingKind::NoSubmitTime, Some(KEYS[SUBMIT])))?,
            start,
            end,
            elapsed: None,
            estimate,
            status: Some(status),
            // A job cancelled in the queue has the instant of its end as its start, too.
            started: start.is_some() && (ran || status != Status::Cancelled),
            size: Size {
                allocated: processors,
                requested: processors,
                nodes: count(NODES)?,
                in_nodes: false,
            },
            user: values[USER]
                .split('(')
                .next()
                .unwrap_or_default()
                .as_bytes(),
            account: values[ACCOUNT].as_bytes(),
            queue: values[QOS].as_bytes(),
            partition: values[PARTITION].as_bytes(),
        };
        let (row, repaired) = self.ledger.row(entry, draft)?;
        draft.accept(row, repaired);
        Ok(())
    }
}

impl LineReader for JobcompReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if let Err((kind, field)) = self.job(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    fn finish(&mut self, draft: &mut TraceDraft) {
        self.ledger.finish(draft);
    }

    fn bytes(&self) -> usize {
        self.ledger.bytes()
    }

    fn wanted(&self) -> &'static str {
        "the file of jobcomp/filetxt has a job on each line, from JobId= on"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_hold_blanks() {
        let values = values("JobId=7 Name=a b=c  d JobState=FAILED QOS= Account=x y ");
        assert_eq!(values[JOB], "7");
        assert_eq!(values[STATE], "FAILED");
        assert_eq!(values[QOS], "");
        assert_eq!(values[ACCOUNT], "x y");
        assert_eq!(values[SUBMIT], "");
    }
}
