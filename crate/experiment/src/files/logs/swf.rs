//! The Standard Workload Format, version 2.2: one job a line, 18 numbers, `;` before comments.
//!
//! Every line is accepted, repaired, rejected or folded, and counted; no line is dropped silently
//! and no bad line stops the reading. A job on several lines (partial executions, status 2, 3 and
//! 4) becomes one job: its summary line if the log has one, otherwise the sum of its parts. Fields
//! beyond the 18 are counted and ignored, except the 21st if it names the nodes of a job.
//!
//! Source: <https://www.cs.huji.ac.il/labs/parallel/workload/swf.html>; D. G. Feitelson, D.
//! Tsafrir, D. Krakov, "Experience with using the Parallel Workloads Archive", J. Parallel and
//! Distributed Computing 74(10), 2014. The 21st field: the logs of Frontier, in K. Maheshwari et
//! al., "Workload Traces from the Frontier Exascale Supercomputer", JSSPP 2026.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::draft::{BYTES_OF_JOB, MAX_SECONDS, TraceDraft, bytes_of_entries};
use backfill_sim::unit::{self, Kbps, MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{Header, LogRow, Preceding, Status};
use backfill_sim::workload::{Cancelled, Processors};

/// The fields of a line, from the first.
const FIELDS: [&str; 18] = [
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average processor time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "application",
    "queue",
    "partition",
    "preceding job",
    "think time",
];

const NUMBER: usize = 0;
const SUBMIT: usize = 1;
const WAIT: usize = 2;
const RUN: usize = 3;
const ALLOCATED: usize = 4;
const PROCESSOR_TIME: usize = 5;
const REQUESTED: usize = 7;
const ESTIMATE: usize = 8;
const STATUS: usize = 10;
const USER: usize = 11;
const PRECEDING: usize = 16;
const THINK: usize = 17;

/// The field beyond those of the format that may name the nodes of a job, as in
/// `frontier:excl:2500x112`, counted from the first such field.
const DESCRIPTOR: usize = 20 - FIELDS.len();

/// Fields with whole numbers.
const WHOLE: [usize; 10] = [
    NUMBER, ALLOCATED, REQUESTED, STATUS, USER, 12, 13, 14, 15, 16,
];

/// The longest time in a log.
const LONGEST: Span = Span(MAX_SECONDS as u64 * MICROS);

/// The largest number of a job: up to there whole numbers are exact in 64-bit floating point.
pub(super) const LARGEST_NUMBER: u64 = (1 << 53) - 1;

/// The least number of a job's partial executions to reserve space for.
const FEWEST_LINES: usize = 4;

/// Kept characters of a header; a longer one is cut.
const HEADER_CHARS: usize = 1 << 16;

/// The 18 numbers of a line.
type Numbers = [f64; FIELDS.len()];

/// A fault: its kind and its field.
type SwfFault = (FindingKind, Option<&'static str>);

/// Reads the lines of a log.
#[derive(Debug)]
pub(super) struct SwfReader {
    processors: Processors,
    cancelled: Cancelled,
    in_header: bool,
    header_chars: usize,
    last_submit: Time,
    partials: BTreeMap<u64, Partials>,
    /// The most further fields of a line.
    further: usize,
    names_nodes: bool,
}

/// The partial executions of one job.
#[derive(Debug)]
struct Partials {
    lines: Vec<u32>,
    submit: Option<Time>,
    runtime: Span,
    estimate: Span,
    size: u32,
    user: u32,
    completed: bool,
}

/// The values of a line, each read but not yet checked together.
struct LineParts {
    number: u64,
    submit: Option<Time>,
    runtime: Span,
    estimate: Span,
    preceding: Option<Preceding>,
    size: Option<u32>,
    user: u32,
    wait: Option<Span>,
    leaves_after: Option<Span>,
    other_processors: bool,
    rounded: bool,
}

impl SwfReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> SwfReader {
        SwfReader {
            processors,
            cancelled,
            in_header: true,
            header_chars: 0,
            last_submit: Time(0),
            partials: BTreeMap::new(),
            further: 0,
            names_nodes: false,
        }
    }

    /// Bytes kept besides the jobs, including the jobs made of partial executions at the end.
    pub(super) fn bytes(&self) -> usize {
        let jobs = self.partials.len();
        let of_each = BYTES_OF_JOB + FEWEST_LINES * size_of::<u32>();
        jobs * of_each
            + bytes_of_entries::<(u64, Partials)>(jobs)
            + bytes_of_entries::<(u64, Span)>(jobs)
    }

    /// Reads a line that is not blank.
    pub(super) fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        let text = text.trim_ascii();
        if let Some(comment) = text.strip_prefix(b";") {
            draft.report.comments += 1;
            if self.in_header {
                self.header(comment, &mut draft.header);
            }
            return;
        }
        self.in_header = false;
        if let Err((kind, field)) = self.job(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    /// Reads a comment of the header: `Key: value`, or the continuation of the value before.
    fn header(&mut self, comment: &[u8], header: &mut Header) {
        let comment = String::from_utf8_lossy(comment);
        let comment = comment.trim();
        self.header_chars += comment.len();
        if comment.is_empty() || self.header_chars > HEADER_CHARS {
            return;
        }
        match comment.split_once(':') {
            Some((key, value))
                if is_key(key) && (value.is_empty() || value.starts_with([' ', '\t'])) =>
            {
                header
                    .entries
                    .push((key.to_owned(), value.trim().to_owned()));
            }
            _ => match header.entries.last_mut() {
                Some((_, value)) => {
                    value.push('\n');
                    value.push_str(comment);
                }
                None => header.entries.push((String::new(), comment.to_owned())),
            },
        }
    }

    /// Reads the line of a job.
    fn job(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), SwfFault> {
        let (numbers, rest) = numbers(text)?;
        let nodes = self.further(line, rest, draft);
        let status = numbers[STATUS];
        if matches!(status, 2.0 | 3.0 | 4.0) {
            let parts = self.parts(&numbers, nodes)?;
            self.partial(line, parts, status == 3.0);
            draft.partials += 1;
            return Ok(());
        }
        remarks(line, &numbers, draft);
        let parts = self.parts(&numbers, nodes)?;
        let submit = parts
            .submit
            .ok_or((FindingKind::NoSubmitTime, Some(FIELDS[SUBMIT])))?;
        let size = parts.size.ok_or((self.no_size(), None))?;
        if submit < self.last_submit {
            draft.note(FindingKind::OutOfOrder, line);
        }
        self.last_submit = submit;
        for (kind, found) in [
            (FindingKind::OtherProcessors, parts.other_processors),
            (FindingKind::TimeRounded, parts.rounded),
        ] {
            if found {
                draft.note(kind, line);
            }
        }
        let row = LogRow {
            number: parts.number,
            submit,
            runtime: parts.runtime,
            estimate: parts.estimate,
            bandwidth: Kbps(0),
            preceding: parts.preceding.map(Box::new),
            size,
            user: parts.user,
            status: Status::of_code(status as i64),
            wait: parts.wait,
            leaves_after: parts.leaves_after.map(Box::new),
            in_flurry: false,
            line,
        };
        draft.accept(row, parts.other_processors || parts.rounded);
        Ok(())
    }

    /// Counts the further fields; returns the nodes of the job if they are named.
    fn further(&mut self, line: u32, rest: &[u8], draft: &mut TraceDraft) -> Option<u32> {
        if rest.is_empty() {
            return None;
        }
        let mut fields = rest.split(is_blank).filter(|field| !field.is_empty());
        let before = fields.by_ref().take(DESCRIPTOR).count();
        let nodes = fields.next().map(nodes);
        let count = before + usize::from(nodes.is_some()) + fields.count();
        self.further = self.further.max(count);
        draft.note(FindingKind::FurtherFields, line);
        let nodes = nodes.flatten();
        if nodes.is_some() {
            self.names_nodes = true;
            draft.note(FindingKind::NodesNamed, line);
        }
        nodes
    }

    /// The values of a line; the nodes of its job may be named after its numbers.
    fn parts(&self, numbers: &Numbers, nodes: Option<u32>) -> Result<LineParts, SwfFault> {
        let number = whole(numbers, NUMBER, LARGEST_NUMBER)?;
        let submit = time(numbers, SUBMIT)?;
        let estimate = time(numbers, ESTIMATE)?;
        let replaced = never_started(numbers) && self.cancelled != Cancelled::Drop;
        let (runtime, leaves_after) = if replaced {
            (estimate, self.leaves_after(numbers)?)
        } else {
            (time(numbers, RUN)?, None)
        };
        let count = |field: usize| {
            if numbers[field] > 0.0 {
                whole(numbers, field, u64::from(u32::MAX)).map(|count| Some(count as u32))
            } else {
                Ok(None)
            }
        };
        let (allocated, requested) = (count(ALLOCATED)?, count(REQUESTED)?);
        let (first, second) = match self.processors {
            Processors::AllocThenReq => (allocated, requested),
            Processors::ReqThenAlloc => (requested, allocated),
            Processors::Max => (allocated.max(requested), None),
            Processors::Nodes => (nodes, None),
        };
        Ok(LineParts {
            number,
            submit: submit.map(|(micros, _)| Time(micros)),
            runtime: Span(
                runtime
                    .ok_or((FindingKind::NoRunTime, Some(FIELDS[RUN])))?
                    .0,
            ),
            estimate: Span(estimate.map_or(0, |(micros, _)| micros)),
            preceding: preceding(numbers)?,
            size: first.or(second),
            // Zero and less is no user.
            user: numbers[USER] as u32,
            wait: recorded_wait(numbers).filter(|_| !never_started(numbers)),
            leaves_after,
            // A job that never starts is allocated nothing.
            other_processors: first.is_none() && second.is_some() && !replaced,
            rounded: [submit, runtime, estimate]
                .iter()
                .flatten()
                .any(|(_, rounded)| *rounded),
        })
    }

    /// The fault of a job without a size.
    fn no_size(&self) -> FindingKind {
        match self.processors {
            Processors::Nodes => FindingKind::NoNodes,
            _ => FindingKind::NoProcessors,
        }
    }

    /// How long a job that never started waits before it leaves the queue, if it leaves.
    fn leaves_after(&self, numbers: &Numbers) -> Result<Option<Span>, SwfFault> {
        if self.cancelled != Cancelled::Leave {
            return Ok(None);
        }
        let wait = time(numbers, WAIT)?;
        let (wait, _) = wait.ok_or((FindingKind::NoWaitTime, Some(FIELDS[WAIT])))?;
        Ok(Some(Span(wait)))
    }

    /// Keeps a partial execution until the end of the file.
    fn partial(&mut self, line: u32, parts: LineParts, completed: bool) {
        let whole = self.partials.entry(parts.number).or_insert(Partials {
            lines: Vec::with_capacity(FEWEST_LINES),
            submit: parts.submit,
            runtime: Span(0),
            estimate: Span(0),
            size: 0,
            user: parts.user,
            completed: false,
        });
        whole.lines.push(line);
        whole.runtime = Span(whole.runtime.0.saturating_add(parts.runtime.0));
        whole.estimate = whole.estimate.max(parts.estimate);
        whole.size = whole.size.max(parts.size.unwrap_or(0));
        whole.completed = completed;
    }

    /// Folds the partial executions at the end of the file, and names the further fields.
    pub(super) fn finish(&mut self, draft: &mut TraceDraft) {
        if self.further > 0 {
            draft.report.warnings.push(self.further_in_words());
        }
        let partials = std::mem::take(&mut self.partials);
        let mut summaries: BTreeMap<u64, Span> = BTreeMap::new();
        for row in draft
            .rows
            .iter()
            .filter(|row| partials.contains_key(&row.number))
        {
            summaries.entry(row.number).or_insert(row.runtime);
        }
        for (number, whole) in partials {
            let lines = whole.lines.len() as u64;
            let first = whole.lines[0];
            if let Some(&runtime) = summaries.get(&number) {
                draft.report.folded += lines;
                if runtime != whole.runtime {
                    draft.note(FindingKind::PartialsDiffer, first);
                }
                continue;
            }
            let fault = match whole.submit {
                None => Some(FindingKind::NoSubmitTime),
                Some(_) if whole.size == 0 => Some(self.no_size()),
                Some(_) if whole.runtime > LONGEST => Some(FindingKind::OutOfRange),
                Some(_) => None,
            };
            if let Some(kind) = fault {
                for line in whole.lines {
                    draft.reject(kind, line, None);
                }
                continue;
            }
            draft.report.folded += lines - 1;
            draft.note(FindingKind::BuiltFromPartials, first);
            if !whole.completed {
                draft.note(FindingKind::Failed, first);
            }
            let row = LogRow {
                number,
                submit: whole.submit.unwrap_or_default(),
                runtime: whole.runtime,
                estimate: whole.estimate,
                bandwidth: Kbps(0),
                preceding: None,
                size: whole.size,
                user: whole.user,
                status: if whole.completed {
                    Status::Completed
                } else {
                    Status::Failed
                },
                wait: None,
                leaves_after: None,
                in_flurry: false,
                line: first,
            };
            draft.accept(row, true);
        }
    }
}

impl SwfReader {
    /// A sentence on the further fields and their use.
    fn further_in_words(&self) -> String {
        let (first, last) = (FIELDS.len() + 1, FIELDS.len() + self.further);
        let fields = if first == last {
            format!("field {first} is")
        } else {
            format!("fields {first} to {last} are")
        };
        let read = match (self.names_nodes, self.processors) {
            (false, _) => "and ignored",
            (true, Processors::Nodes) => "and ignored, but for the nodes in field 21",
            (true, _) => "and ignored; processors=nodes takes the nodes in field 21 as sizes",
        };
        format!("{fields} not of the format {read}")
    }
}

/// The nodes of a job by its descriptor, such as 2500 of `frontier:excl:2500x112`.
fn nodes(descriptor: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(descriptor).ok()?;
    let [_, _, shape] = text.split(':').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (nodes, cores) = shape.split_once('x')?;
    let count = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|&count: &u32| is_number && count > 0)
    };
    count(nodes).filter(|_| count(cores).is_some())
}

/// Whether a byte separates fields.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a line is a comment: `;` is its first character that is not blank.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b";")
}

/// Whether a comment's part before the colon is a key: one word that starts with a capital.
fn is_key(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The 18 numbers of a line, whole where the format requires it, and the text after them.
fn numbers(text: &[u8]) -> Result<(Numbers, &[u8]), SwfFault> {
    let mut numbers = [0.0; FIELDS.len()];
    let mut fault = None;
    let mut rest = text;
    for (number, field) in numbers.iter_mut().zip(FIELDS) {
        let start = rest.iter().position(|byte| !is_blank(byte));
        rest = &rest[start.ok_or((FindingKind::FieldCount, None))?..];
        let (value, end) = match small(rest) {
            Some(found) => found,
            None => {
                let end = rest.iter().position(is_blank).unwrap_or(rest.len());
                (decimal(&rest[..end]), end)
            }
        };
        match value {
            Some(value) => *number = value,
            // A line with fewer fields is rejected for that.
            None => fault = fault.or(Some((FindingKind::NotANumber, Some(field)))),
        }
        rest = &rest[end..];
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    match WHOLE
        .into_iter()
        .find(|&field| numbers[field].fract() != 0.0)
    {
        Some(field) => Err((FindingKind::FractionInInteger, Some(FIELDS[field]))),
        None => Ok((numbers, rest)),
    }
}

/// The whole number of at most 15 digits at the start of a text, and its end: nearly all numbers
/// are such, and exact without the rules of decimal fractions. `None` for another number.
fn small(text: &[u8]) -> Option<(Option<f64>, usize)> {
    let negative = usize::from(text.first() == Some(&b'-'));
    let digits = text[negative..].iter().take(16);
    let (mut value, mut count) = (0_u64, 0);
    for digit in digits
        .map(|byte| byte.wrapping_sub(b'0'))
        .take_while(|digit| *digit <= 9)
    {
        value = 10 * value + u64::from(digit);
        count += 1;
    }
    let end = negative + count;
    let ends = text.get(end).is_none_or(is_blank);
    let value = if negative == 1 {
        -(value as f64)
    } else {
        value as f64
    };
    ((1..=15).contains(&count) && ends).then_some((Some(value), end))
}

/// A finite decimal number.
fn decimal(token: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(token).ok()?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A whole number from 0 to `largest`.
fn whole(numbers: &Numbers, field: usize, largest: u64) -> Result<u64, SwfFault> {
    let number = numbers[field];
    if number >= 0.0 && number <= largest as f64 {
        Ok(number as u64)
    } else {
        Err((FindingKind::OutOfRange, Some(FIELDS[field])))
    }
}

/// A time in microseconds and whether it was rounded; `None` if it is negative.
fn time(numbers: &Numbers, field: usize) -> Result<Option<(u64, bool)>, SwfFault> {
    let seconds = numbers[field];
    if seconds < 0.0 {
        return Ok(None);
    }
    if seconds > MAX_SECONDS {
        return Err((FindingKind::OutOfRange, Some(FIELDS[field])));
    }
    let micros = unit::round(seconds * MICROS as f64);
    Ok(Some((micros, micros as f64 / MICROS as f64 != seconds)))
}

/// How long a job waited; `None` where that is unknown, or longer than any time in a log.
fn recorded_wait(numbers: &Numbers) -> Option<Span> {
    let wait = time(numbers, WAIT).ok()?;
    wait.map(|(micros, _)| Span(micros))
}

/// The job that must end before a job is submitted.
fn preceding(numbers: &Numbers) -> Result<Option<Preceding>, SwfFault> {
    let number = if numbers[PRECEDING] > 0.0 {
        whole(numbers, PRECEDING, LARGEST_NUMBER)?
    } else {
        0
    };
    let think = Span(time(numbers, THINK)?.map_or(0, |(micros, _)| micros));
    Ok((number > 0).then_some(Preceding { number, think }))
}

/// Whether a job was cancelled before it started: it has no run time, or zero seconds on no
/// processors.
fn never_started(numbers: &Numbers) -> bool {
    let idle = numbers[RUN] == 0.0 && numbers[ALLOCATED] <= 0.0;
    numbers[STATUS] == 5.0 && (numbers[RUN] < 0.0 || idle)
}

/// Remarks on a job's line, whatever its outcome.
fn remarks(line: u32, numbers: &Numbers, draft: &mut TraceDraft) {
    let (allocated, requested) = (numbers[ALLOCATED], numbers[REQUESTED]);
    let status = numbers[STATUS];
    for (kind, found) in [
        (FindingKind::NoAllocated, allocated <= 0.0),
        (FindingKind::NoRequested, requested <= 0.0),
        (
            FindingKind::AllocatedDiffers,
            allocated > 0.0 && requested > 0.0 && allocated != requested,
        ),
        (
            FindingKind::ProcessorTimeOverRun,
            numbers[PROCESSOR_TIME] > numbers[RUN],
        ),
        (FindingKind::Failed, status == 0.0),
        (FindingKind::Cancelled, status == 5.0),
        (FindingKind::NeverStarted, never_started(numbers)),
        (
            FindingKind::UnknownStatus,
            !matches!(status, -1.0 | 0.0 | 1.0 | 5.0),
        ),
    ] {
        if found {
            draft.note(kind, line);
        }
    }
}

/// The outcome of a job written to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// It ran after this wait.
    Ran {
        /// From its submit to its first start.
        wait: Span,
    },
    /// It left the queue after this wait.
    Left {
        /// From its submit until then.
        wait: Span,
    },
    /// It was rejected or never ran.
    NeverRan,
    /// The status in the log from which it is copied.
    Logged(Status),
}

/// A job as a line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwfLine {
    /// The job's number.
    pub number: u64,
    /// When it is submitted.
    pub submit: Time,
    /// Its processors.
    pub size: u32,
    /// Its run time.
    pub runtime: Span,
    /// Its user's estimate of the run time; zero if there is none.
    pub estimate: Span,
    /// The number of the job that must end before it is submitted; zero if there is none.
    pub preceding: u64,
    /// The time between that end and its submit.
    pub think: Span,
    /// The user who submits it; zero if unknown.
    pub user: u32,
    /// Its outcome.
    pub outcome: LineOutcome,
}

impl From<&LogRow> for SwfLine {
    fn from(row: &LogRow) -> SwfLine {
        SwfLine {
            number: row.number,
            submit: row.submit,
            size: row.size,
            runtime: row.runtime,
            estimate: row.estimate,
            preceding: row.preceding.as_ref().map_or(0, |before| before.number),
            think: row
                .preceding
                .as_ref()
                .map_or(Span(0), |before| before.think),
            user: row.user,
            outcome: match row.leaves_after.as_deref() {
                Some(&wait) => LineOutcome::Left { wait },
                None => LineOutcome::Logged(row.status),
            },
        }
    }
}

/// Writes a log. The header's entries are first, `MaxJobs` and `MaxRecords` by the lines. A job
/// that never ran has status 5 and run time −1; a preempted job is one summary line.
pub fn write(header: &Header, lines: &[SwfLine]) -> String {
    let mut text = String::from("; Version: 2.2\n");
    let counted = ["Version", "MaxJobs", "MaxRecords"];
    for (key, value) in &header.entries {
        if counted.contains(&key.as_str()) {
            continue;
        }
        let colon = if key.is_empty() { "" } else { ": " };
        let value = value.replace('\n', "\n;   ");
        let _ = writeln!(text, "; {key}{colon}{value}");
    }
    for key in ["MaxJobs", "MaxRecords"] {
        let _ = writeln!(text, "; {key}: {}", lines.len());
    }
    for line in lines {
        let size = line.size;
        let (wait, run, allocated, status) = match line.outcome {
            LineOutcome::Ran { wait } => (seconds(wait), seconds(line.runtime), i64::from(size), 1),
            LineOutcome::Left { wait } => (seconds(wait), "-1".into(), -1, 5),
            LineOutcome::NeverRan => ("-1".into(), "-1".into(), -1, 5),
            LineOutcome::Logged(status) => {
                let run = seconds(line.runtime);
                ("-1".into(), run, i64::from(size), status.code())
            }
        };
        let estimate = match line.estimate {
            Span(0) => "-1".into(),
            estimate => seconds(estimate),
        };
        let (number, submit) = (line.number, seconds(line.submit - Time(0)));
        let user = match line.user {
            0 => -1,
            user => i64::from(user),
        };
        let preceding = match line.preceding {
            0 => "-1".into(),
            preceding => preceding.to_string(),
        };
        let think = match line.think {
            Span(0) if line.preceding == 0 => "-1".into(),
            think => seconds(think),
        };
        // `write!` to a string does not fail.
        let _ = writeln!(
            text,
            "{number} {submit} {wait} {run} {allocated} -1 -1 {size} {estimate} -1 {status} {user} -1 -1 -1 -1 {preceding} {think}"
        );
    }
    text
}

/// Seconds with as many decimals as a whole number of microseconds needs.
fn seconds(span: Span) -> String {
    let (whole, fraction) = (span.0 / MICROS, span.0 % MICROS);
    match fraction {
        0 => whole.to_string(),
        _ => format!("{whole}.{fraction:06}")
            .trim_end_matches('0')
            .to_owned(),
    }
}
