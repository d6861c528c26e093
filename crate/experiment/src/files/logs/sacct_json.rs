//! Slurm accounting as `sacct --json` prints it: a document with a list `jobs`.
//!
//! Each job of the list counts as a line, the first one as line 1; steps are passed over unread.
//!
//! Source: <https://slurm.schedmd.com/sacct.html>, `--json`; the schema `dbv0.0.40_job` of
//! <https://slurm.schedmd.com/rest_api.html>.

use serde_json::Value;

use super::draft::{Fault, LineReader, MAX_SECONDS, TraceDraft};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::sacct::{NOT_ENDED, status, task_number};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::Status;
use backfill_sim::workload::{Cancelled, Processors};

const FIELD_NAMES: FieldNames = FieldNames {
    start: "time.start",
    end: "time.end",
};

/// The most bytes of a job without its steps.
const MOST_BYTES: usize = 1 << 16;

/// Where a job lies in the document: in the object, in its list.
const IN_JOB: u32 = 3;

/// Cuts a document into the jobs of its list.
#[derive(Debug, Default)]
pub(super) struct JobCutter {
    depth: u32,
    in_text: bool,
    escaped: bool,
    /// The last text, and the last keys of the document and of a job.
    text: Vec<u8>,
    list: Vec<u8>,
    member: Vec<u8>,
    /// Whether the list of jobs is open, and the steps of a job.
    in_list: bool,
    in_steps: bool,
    job: Vec<u8>,
}

impl JobCutter {
    /// Passes on each job that ends in these bytes.
    pub(super) fn push<E>(
        &mut self,
        bytes: &[u8],
        job: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for &byte in bytes {
            let was_in_job = self.in_job();
            self.step(byte);
            let keeps = was_in_job || self.in_job();
            if keeps && !self.in_steps && self.job.len() <= MOST_BYTES {
                self.job.push(byte);
            }
            if was_in_job && !self.in_job() {
                job(&self.job)?;
                self.job.clear();
            }
        }
        Ok(())
    }

    /// The job that has no end.
    pub(super) fn rest(&mut self) -> Option<Vec<u8>> {
        let job = std::mem::take(&mut self.job);
        (!job.is_empty()).then_some(job)
    }

    fn in_job(&self) -> bool {
        self.in_list && self.depth >= IN_JOB
    }

    fn step(&mut self, byte: u8) {
        if self.in_text {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ if self.text.len() < 8 => self.text.push(byte),
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                self.text.clear();
            }
            b':' if self.depth == 1 => self.list.clone_from(&self.text),
            b':' if self.depth == IN_JOB => self.member.clone_from(&self.text),
            b'{' | b'[' => {
                self.depth += 1;
                if self.depth == IN_JOB - 1 && byte == b'[' && self.list == b"jobs" {
                    self.in_list = true;
                }
                if self.depth == IN_JOB + 2 && self.in_list && self.member == b"steps" {
                    self.in_steps = true;
                }
            }
            b'}' | b']' => {
                if self.depth == IN_JOB + 1 {
                    self.in_steps = false;
                }
                self.depth = self.depth.saturating_sub(1);
                if self.depth < IN_JOB - 1 {
                    self.in_list = false;
                }
            }
            _ => {}
        }
    }
}

/// Reads the jobs of such a document.
#[derive(Debug)]
pub(super) struct SacctJsonReader {
    ledger: Ledger,
}

/// A number, bare or as `{"set": true, "number": 7}`.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Object(of) if of.get("set") == Some(&Value::Bool(false)) => None,
        Value::Object(of) if of.get("infinite") == Some(&Value::Bool(true)) => None,
        Value::Object(of) => of.get("number")?.as_u64(),
        value => value.as_u64(),
    }
}

/// The count of a resource in a list of them.
fn resource(list: &Value, kind: &str) -> Option<u32> {
    let mut resources = list.as_array()?.iter();
    let of_kind = resources.find(|resource| resource["type"] == kind)?;
    count(&of_kind["count"])
}

fn count(value: &Value) -> Option<u32> {
    let count = number(value).and_then(|count| u32::try_from(count).ok());
    count.filter(|&count| count > 0)
}

/// An instant as seconds since 1970; `None` if it has not come.
fn instant(value: &Value, field: &'static str) -> Result<Option<Time>, Fault> {
    let seconds = number(value).unwrap_or(0);
    if seconds as f64 > MAX_SECONDS {
        return Err((FindingKind::OutOfRange, Some(field)));
    }
    Ok((seconds > 0).then_some(Time(seconds * MICROS)))
}

fn span(seconds: u64, field: &'static str) -> Result<Span, Fault> {
    if seconds as f64 > MAX_SECONDS {
        return Err((FindingKind::OutOfRange, Some(field)));
    }
    Ok(Span(seconds * MICROS))
}

/// The number of a job, or of the task of an array.
fn job_number(job: &Value) -> Option<u64> {
    let array = &job["array"];
    match (number(&array["job_id"]), number(&array["task_id"])) {
        (Some(array @ 1..=0xffff_ffff), Some(task)) => task_number(array, task),
        _ => number(&job["job_id"]).filter(|&id| id <= u64::from(u32::MAX)),
    }
}

impl SacctJsonReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> SacctJsonReader {
        SacctJsonReader {
            ledger: Ledger::new(processors, cancelled, &FIELD_NAMES),
        }
    }

    fn job(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), Fault> {
        let job: Value =
            serde_json::from_slice(text).map_err(|_| (FindingKind::Malformed, None))?;
        let id = job_number(&job).ok_or((FindingKind::Malformed, Some("job_id")))?;
        let state = match &job["state"]["current"] {
            Value::Array(states) => states.first().and_then(Value::as_str),
            state => state.as_str().or_else(|| job["state"].as_str()),
        };
        let state = state.unwrap_or_default();
        let time = &job["time"];
        let submit = instant(&time["submission"], "time.submission")?;
        let start = instant(&time["start"], FIELD_NAMES.start)?;
        let end = instant(&time["end"], FIELD_NAMES.end)?;
        if NOT_ENDED.contains(&state) || end.is_none() {
            return Err((FindingKind::NotEnded, Some("state.current")));
        }
        let elapsed = number(&time["elapsed"]).map(|seconds| span(seconds, "time.elapsed"));
        let minutes = number(&time["limit"]).unwrap_or(0);
        let (allocated, requested) = (&job["tres"]["allocated"], &job["tres"]["requested"]);
        let size = Size {
            allocated: resource(allocated, "cpu"),
            requested: count(&job["required"]["CPUs"]).or_else(|| resource(requested, "cpu")),
            nodes: resource(allocated, "node")
                .or_else(|| count(&job["allocation_nodes"]))
                .or_else(|| resource(requested, "node")),
            in_nodes: false,
        };
        let elapsed = elapsed.transpose()?;
        let idle = elapsed.is_none_or(|elapsed| elapsed == Span(0)) && size.allocated.is_none();
        let status = status(state);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let user = match text(&job["user"]) {
            user if user.is_empty() => text(&job["association"]["user"]),
            user => user,
        };
        let (account, queue) = (text(&job["account"]), text(&job["qos"]));
        let partition = text(&job["partition"]);
        let entry = Entry {
            number: id,
            line,
            submit: submit.ok_or((FindingKind::NoSubmitTime, Some("time.submission")))?,
            start,
            end,
            elapsed,
            estimate: span(minutes.saturating_mul(60), "time.limit")?,
            status: Some(status),
            started: start.is_some() && !(status == Status::Cancelled && idle),
            size,
            user: user.as_bytes(),
            account: account.as_bytes(),
            queue: queue.as_bytes(),
            partition: partition.as_bytes(),
        };
        let (row, repaired) = self.ledger.row(entry, draft)?;
        draft.accept(row, repaired);
        Ok(())
    }
}

impl LineReader for SacctJsonReader {
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
        "what `sacct --json` prints has ended jobs in its list `jobs`"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The jobs of a document that comes in pieces of so many bytes.
    fn cut(document: &str, piece: usize) -> (Vec<String>, Option<Vec<u8>>) {
        let (mut cutter, mut jobs) = (JobCutter::default(), Vec::new());
        for piece in document.as_bytes().chunks(piece) {
            let mut keep = |job: &[u8]| -> Result<(), ()> {
                jobs.push(String::from_utf8(job.to_vec()).unwrap());
                Ok(())
            };
            cutter.push(piece, &mut keep).unwrap();
        }
        (jobs, cutter.rest())
    }

    #[test]
    fn jobs_are_cut_out_without_their_steps() {
        let document = r#"{"meta":{"jobs":[{"a":0}]},"errors":[{"e":1}],"jobs":[{"job_id":1,
            "name":"a\"}{","steps":[{"step":{"id":1}},{"x":[]}],"flags":["z"]},{"job_id":2}],
            "warnings":[{"w":1}]}"#;
        for piece in [1, 7, 1000] {
            let (jobs, rest) = cut(document, piece);
            assert_eq!(jobs.len(), 2, "{jobs:?}");
            let first: Value = serde_json::from_str(&jobs[0]).unwrap();
            assert_eq!(first["job_id"], 1);
            assert_eq!(first["name"], "a\"}{");
            assert_eq!(first["flags"][0], "z");
            assert_eq!(jobs[1], r#"{"job_id":2}"#);
            assert_eq!(rest, None);
        }
        let (jobs, rest) = cut(r#"{"jobs":[{"job_id":1},{"job_id":2"#, 3);
        assert_eq!((jobs.len(), rest.is_some()), (1, true));
    }

    #[test]
    fn numbers_are_bare_or_set() {
        let value = |text| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(number(&value("7")), Some(7));
        assert_eq!(
            number(&value(r#"{"set":true,"infinite":false,"number":7}"#)),
            Some(7)
        );
        assert_eq!(
            number(&value(r#"{"set":true,"infinite":true,"number":7}"#)),
            None
        );
        assert_eq!(number(&value(r#"{"set":false,"number":7}"#)), None);
        assert_eq!(number(&value("null")), None);
        let job = value(r#"{"job_id":9,"array":{"job_id":8,"task_id":{"set":true,"number":3}}}"#);
        assert_eq!(job_number(&job), Some(80_000_003));
    }
}
