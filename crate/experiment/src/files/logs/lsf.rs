//! The file `lsb.acct` of LSF: a record a line, fields between blanks, texts in quotes.
//!
//! Records `JOB_FINISH` are jobs; others are counted as comments. Element 4 of array 123 has the
//! number 1230000004. A host that gives several slots may be written once, as in `4*host`.
//!
//! Source: IBM, "LSF Configuration Reference", `lsb.acct`.

use std::collections::BTreeSet;

use super::draft::{Fault, LineReader, TraceDraft};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::sacct::task_number;
use super::values::{seconds, whole};
use backfill_sim::unit::Span;
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::Status;
use backfill_sim::workload::{Cancelled, Processors};

const FIELD_NAMES: FieldNames = FieldNames {
    start: "startTime",
    end: "event time",
};

/// Fields of a record up to the first list of hosts.
const EVENT_TIME: usize = 2;
const JOB: usize = 3;
const PROCESSORS: usize = 6;
const SUBMIT: usize = 7;
const START: usize = 10;
const USER: usize = 11;
const QUEUE: usize = 12;
const ASKED_HOSTS: usize = 22;

/// Fields after the second list of hosts.
const STATUS: usize = 0;
const PROJECT: usize = 24;
const ELEMENT: usize = 29;
const ESTIMATE: usize = 45;

/// The status of a job that ended well, and of one that did not.
const DONE: &str = "64";
const EXIT: &str = "32";

/// Reads the lines of such a file.
#[derive(Debug)]
pub(super) struct LsfReader {
    ledger: Ledger,
    /// Records of other types.
    others: u64,
}

/// Whether a line is a record of such a file.
pub(super) fn is_record(line: &[u8]) -> bool {
    line.starts_with(b"\"JOB_FINISH\" \"")
}

/// The fields of a record. A quote inside a text is doubled, and stays so.
fn fields(text: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (field, after) = match rest.strip_prefix('"') {
            Some(text) => {
                let mut end = 0;
                loop {
                    match text[end..].find('"') {
                        None => break (text, ""),
                        Some(at) if text[end + at + 1..].starts_with('"') => end += at + 2,
                        Some(at) => break (&text[..end + at], &text[end + at + 1..]),
                    }
                }
            }
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        fields.push(field);
        rest = after.trim_start();
    }
    fields
}

/// The name of a host that may stand for several slots.
fn host_name(host: &str) -> &str {
    host.split_once('*').map_or(host, |(_, host)| host)
}

/// The slots that these hosts give.
fn slots(hosts: &[&str]) -> u64 {
    let of_host = |host: &&str| {
        let count = host
            .split_once('*')
            .and_then(|(count, _)| whole::<u32>(count));
        u64::from(count.unwrap_or(1))
    };
    hosts.iter().map(of_host).sum()
}

impl LsfReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> LsfReader {
        LsfReader {
            ledger: Ledger::new(processors, cancelled, &FIELD_NAMES),
            others: 0,
        }
    }

    fn job(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(text);
        let fields = fields(&text);
        let count = |at: usize| fields.get(at).and_then(|text| whole::<usize>(text));
        let missing = (FindingKind::FieldCount, None);
        let asked = count(ASKED_HOSTS).ok_or(missing)?;
        let used = ASKED_HOSTS
            .checked_add(asked)
            .and_then(|at| at.checked_add(1));
        let used = used.ok_or(missing)?;
        let first = used + 1;
        let last = count(used)
            .and_then(|hosts| first.checked_add(hosts))
            .ok_or(missing)?;
        let hosts = fields.get(first..last).ok_or(missing)?;
        let after = |at: usize| fields.get(last + at).copied().unwrap_or_default();
        let status = match after(STATUS) {
            "" => return Err(missing),
            DONE => Status::Completed,
            EXIT => Status::Failed,
            _ => Status::Unknown,
        };
        let job = whole(fields[JOB]).filter(|&job: &u64| job <= u64::from(u32::MAX));
        let job = job.ok_or((FindingKind::Malformed, Some("jobId")))?;
        let number = match whole(after(ELEMENT)) {
            Some(element @ 1..) => task_number(job, element),
            _ => Some(job),
        };
        let start = seconds(fields[START]);
        let status = match status {
            // Killed while it waited.
            Status::Failed if start.is_none() => Status::Cancelled,
            status => status,
        };
        let slots = u32::try_from(slots(hosts)).ok();
        let nodes: BTreeSet<&str> = hosts.iter().copied().map(host_name).collect();
        let entry = Entry {
            number: number.ok_or((FindingKind::Malformed, Some("idx")))?,
            line,
            submit: seconds(fields[SUBMIT])
                .ok_or((FindingKind::NoSubmitTime, Some("submitTime")))?,
            start,
            end: seconds(fields[EVENT_TIME]),
            elapsed: None,
            estimate: seconds(after(ESTIMATE)).map_or(Span(0), |time| Span(time.0)),
            status: Some(status),
            started: start.is_some(),
            size: Size {
                allocated: slots.filter(|&slots| slots > 0),
                requested: whole(fields[PROCESSORS]).filter(|&count| count > 0),
                nodes: Some(nodes.len() as u32).filter(|&nodes| nodes > 0),
                in_nodes: false,
            },
            user: fields[USER].as_bytes(),
            account: after(PROJECT).as_bytes(),
            queue: fields[QUEUE].as_bytes(),
            partition: b"",
        };
        let (row, repaired) = self.ledger.row(entry, draft)?;
        draft.accept(row, repaired);
        Ok(())
    }
}

impl LineReader for LsfReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if text.starts_with(b"\"") && !is_record(text) {
            draft.report.comments += 1;
            self.others += 1;
        } else if let Err((kind, field)) = self.job(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    fn finish(&mut self, draft: &mut TraceDraft) {
        if self.others > 0 {
            draft.report.warnings.push(format!(
                "{} lines are no JOB_FINISH records and counted as comments",
                self.others
            ));
        }
        self.ledger.finish(draft);
    }

    fn bytes(&self) -> usize {
        self.ledger.bytes()
    }

    fn wanted(&self) -> &'static str {
        "the file lsb.acct of LSF has a JOB_FINISH record for each job that has ended"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_quotes_are_fields() {
        assert_eq!(
            fields(r#""JOB_FINISH" "10.1" 5 "a ""b"" c" "" -1.5 "open "#),
            [
                "JOB_FINISH",
                "10.1",
                "5",
                r#"a ""b"" c"#,
                "",
                "-1.5",
                "open "
            ]
        );
    }

    #[test]
    fn a_host_may_stand_for_several_slots() {
        assert_eq!(slots(&["a", "a", "4*b"]), 6);
    }
}
