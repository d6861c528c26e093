//! The Standard Workload Format, version 2.2: one job a line, 18 numbers, `;` before comments.
//!
//! Every line is accepted, repaired, rejected or folded, and counted; no line is dropped silently
//! and no bad line stops the reading. A job on several lines (partial executions, status 2, 3 and
//! 4) becomes one job: its summary line if the log has one, otherwise the sum of its parts. Fields
//! beyond the 18 are counted and ignored, except the 21st if it names the nodes of a job.
//!
//! - `fields`: the numbers of a line; `header`: the comments; `write`: logs as text
//! - `table`: the same fields as the columns of a table
//!
//! Source: <https://www.cs.huji.ac.il/labs/parallel/workload/swf.html>; D. G. Feitelson, D.
//! Tsafrir, D. Krakov, "Experience with using the Parallel Workloads Archive", J. Parallel and
//! Distributed Computing 74(10), 2014. The 21st field: the logs of Frontier, in K. Maheshwari et
//! al., "Workload Traces from the Frontier Exascale Supercomputer", JSSPP 2026.

use std::collections::BTreeMap;

mod fields;

mod header;

mod table;

mod write;

use super::draft::{
    Fault, LineReader, MAX_SECONDS, MOST_BYTES_OF_JOB, TraceDraft, bytes_of_entries,
};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{LogRow, Status};
use backfill_sim::workload::{Cancelled, Processors};
pub(super) use fields::{ALLOCATED, LARGEST_NUMBER, REQUESTED, is_job};
use fields::{
    ESTIMATE, FIELDS, GROUP, Line, NUMBER, PARTITION, PROCESSOR_TIME, QUEUE, RUN, STATUS, SUBMIT,
    USER, WAIT, is_blank,
};
use header::HeaderReader;
use table::Table;
pub(super) use table::is_heading;
pub use write::{LineOutcome, SwfLine, header_of, write};

/// The field beyond those of the format that may name the nodes of a job, as in
/// `frontier:excl:2500x112`, counted from the first such field.
const DESCRIPTOR: usize = 20 - FIELDS.len();

/// The longest time in a log.
const LONGEST: Span = Span(MAX_SECONDS as u64 * MICROS);

/// The least number of a job's partial executions to reserve space for.
const FEWEST_LINES: usize = 4;

/// Reads the lines of a log.
#[derive(Debug)]
pub(super) struct SwfReader {
    processors: Processors,
    cancelled: Cancelled,
    header: HeaderReader,
    /// Where fields are columns below a heading.
    table: Option<Table>,
    /// Whether a line has given a job.
    below_jobs: bool,
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
    /// Its first part as a job.
    row: LogRow,
    completed: bool,
}

/// The values of a line, each read but not yet checked together.
struct LineParts {
    /// The job, but for its submit time, size, status and line.
    row: LogRow,
    submit: Option<Time>,
    size: Option<u32>,
    other_processors: bool,
    rounded: bool,
}

impl SwfReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> SwfReader {
        SwfReader {
            processors,
            cancelled,
            header: HeaderReader::default(),
            table: None,
            below_jobs: false,
            last_submit: Time(0),
            partials: BTreeMap::new(),
            further: 0,
            names_nodes: false,
        }
    }

    /// Of a table with such a heading.
    pub(super) fn of_table(
        processors: Processors,
        cancelled: Cancelled,
        heading: &[u8],
    ) -> SwfReader {
        SwfReader {
            table: Some(Table::new(heading)),
            ..SwfReader::new(processors, cancelled)
        }
    }

    /// Reads a line of a log.
    fn log_line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        let text = text.trim_ascii();
        if let Some(comment) = text.strip_prefix(b";") {
            draft.report.comments += 1;
            let header = &mut draft.header;
            if self.below_jobs {
                let warning = self.header.below_jobs(line, comment, header);
                draft.report.warnings.extend(warning);
            } else {
                self.header.before_jobs(comment, header);
            }
        } else if let Err((kind, field)) = self.job(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    /// Reads the line of a job.
    fn job(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) -> Result<(), Fault> {
        let mut fields = Line::default();
        let rest = fields.read(text)?;
        let nodes = self.further(line, rest, draft);
        let status = fields.numbers[STATUS];
        if matches!(status, 2.0 | 3.0 | 4.0) {
            let parts = self.parts(&mut fields, nodes)?;
            draft.keep(line, &fields.numbers);
            self.partial(line, parts, status == 3.0);
            draft.partials += 1;
            self.below_jobs = true;
            return Ok(());
        }
        remarks(line, &fields, draft);
        let parts = self.parts(&mut fields, nodes)?;
        let submit = parts
            .submit
            .ok_or((FindingKind::NoSubmitTime, Some(FIELDS[SUBMIT])))?;
        let size = parts.size.ok_or((self.no_size(), None))?;
        for (kind, found) in [
            (FindingKind::OutOfOrder, submit < self.last_submit),
            (FindingKind::UnreadableField, fields.unreadable),
            (FindingKind::OtherProcessors, parts.other_processors),
            (FindingKind::TimeRounded, parts.rounded),
        ] {
            if found {
                draft.note(kind, line);
            }
        }
        self.last_submit = submit;
        self.below_jobs = true;
        let repaired = parts.other_processors || parts.rounded;
        draft.keep(line, &fields.numbers);
        let row = LogRow {
            submit,
            size,
            status: Status::of_code(status as i64),
            line,
            ..parts.row
        };
        draft.accept(row, repaired);
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
    fn parts(&self, fields: &mut Line, nodes: Option<u32>) -> Result<LineParts, Fault> {
        let number = fields.whole(NUMBER, LARGEST_NUMBER)?;
        let submit = fields.time(SUBMIT)?;
        let estimate = fields.time(ESTIMATE)?;
        let replaced = fields.never_started() && self.cancelled != Cancelled::Drop;
        let (runtime, leaves_after) = if replaced {
            (estimate, self.leaves_after(fields)?)
        } else {
            (fields.time(RUN)?, None)
        };
        let (allocated, requested) = (fields.count(ALLOCATED)?, fields.count(REQUESTED)?);
        let (first, second) = match self.processors {
            Processors::AllocThenReq => (allocated, requested),
            Processors::ReqThenAlloc => (requested, allocated),
            Processors::Max => (allocated.max(requested), None),
            Processors::Nodes => (nodes, None),
        };
        let row = LogRow {
            number,
            runtime: Span(
                runtime
                    .ok_or((FindingKind::NoRunTime, Some(FIELDS[RUN])))?
                    .0,
            ),
            estimate: Span(estimate.map_or(0, |(micros, _)| micros)),
            preceding: fields.preceding()?.map(Box::new),
            // Zero and less is no user.
            user: fields.numbers[USER] as u32,
            account: fields.label(GROUP),
            queue: fields.label(QUEUE),
            partition: fields.label(PARTITION),
            wait: fields.wait().filter(|_| !fields.never_started()).into(),
            leaves_after: leaves_after.map(Box::new),
            ..LogRow::default()
        };
        Ok(LineParts {
            row,
            submit: submit.map(|(micros, _)| Time(micros)),
            size: first.or(second),
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
    fn leaves_after(&self, fields: &Line) -> Result<Option<Span>, Fault> {
        if self.cancelled != Cancelled::Leave {
            return Ok(None);
        }
        let wait = fields.time(WAIT)?;
        let (wait, _) = wait.ok_or((FindingKind::NoWaitTime, Some(FIELDS[WAIT])))?;
        Ok(Some(Span(wait)))
    }

    /// Keeps a partial execution until the end of the file.
    fn partial(&mut self, line: u32, parts: LineParts, completed: bool) {
        let (submit, size) = (parts.submit, parts.size);
        let (runtime, estimate) = (parts.row.runtime, parts.row.estimate);
        let whole = self
            .partials
            .entry(parts.row.number)
            .or_insert_with(|| Partials {
                lines: Vec::with_capacity(FEWEST_LINES),
                submit,
                runtime: Span(0),
                estimate: Span(0),
                size: 0,
                row: LogRow {
                    preceding: None,
                    wait: None.into(),
                    leaves_after: None,
                    ..parts.row
                },
                completed: false,
            });
        whole.lines.push(line);
        whole.runtime = Span(whole.runtime.0.saturating_add(runtime.0));
        whole.estimate = whole.estimate.max(estimate);
        whole.size = whole.size.max(size.unwrap_or(0));
        whole.completed = completed;
    }

    /// Folds the partial executions at the end of the file.
    fn fold(&mut self, draft: &mut TraceDraft) {
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
                submit: whole.submit.unwrap_or_default(),
                runtime: whole.runtime,
                estimate: whole.estimate,
                size: whole.size,
                status: if whole.completed {
                    Status::Completed
                } else {
                    Status::Failed
                },
                line: first,
                ..whole.row
            };
            draft.accept(row, true);
        }
    }
}

impl LineReader for SwfReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        let Some(mut table) = self.table.take() else {
            return self.log_line(line, text, draft);
        };
        match table.line(text) {
            Some(text) => self.log_line(line, text, draft),
            None => draft.report.comments += 1,
        }
        self.table = Some(table);
    }

    fn finish(&mut self, draft: &mut TraceDraft) {
        if self.further > 0 {
            draft.report.warnings.push(self.further_in_words());
        }
        self.fold(draft);
        draft.labels = header::labels(&draft.header);
    }

    /// The jobs made of partial executions at the end are included.
    fn bytes(&self) -> usize {
        let jobs = self.partials.len();
        let of_each = MOST_BYTES_OF_JOB + FEWEST_LINES * size_of::<u32>();
        jobs * of_each
            + bytes_of_entries::<(u64, Partials)>(jobs)
            + bytes_of_entries::<(u64, Span)>(jobs)
    }

    fn wanted(&self) -> &'static str {
        "a log in the Standard Workload Format has at least 18 numbers on each job's line"
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

/// Whether a line is a comment: `;` is its first character that is not blank.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b";")
}

/// Remarks on a job's line, whatever its outcome.
fn remarks(line: u32, fields: &Line, draft: &mut TraceDraft) {
    let numbers = &fields.numbers;
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
        (
            FindingKind::StartBeforeSubmit,
            numbers[WAIT] < 0.0 && numbers[WAIT] != -1.0,
        ),
        (FindingKind::Failed, status == 0.0),
        (FindingKind::Cancelled, status == 5.0),
        (FindingKind::NeverStarted, fields.never_started()),
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
