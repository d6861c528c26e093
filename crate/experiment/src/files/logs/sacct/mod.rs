//! Slurm accounting as `sacct --parsable2` prints it: a heading, then one job or step a line, fields
//! between `|`.
//!
//! Columns are found by the heading, and found again by every further one; others are ignored and
//! named in the report. `JobIDRaw` replaces a missing `JobID`: components of a heterogeneous job
//! then are jobs with their own numbers. Every line is counted: steps and further components belong
//! to the line of their job, and so do lines in which its names go on. Duplicate records of a job
//! (same `JobID`, submit and start), from outputs of several months, count once. A requeued job is
//! a job for each of its starts (`sacct --duplicates`). Task 4 of array 123, `123_4`, has the
//! number 1230000004. A line `123_[5-9]` of tasks that were cancelled before any started gives a
//! job for each if such jobs are used.
//!
//! - `columns`: headings, and the fields of a line; `id`: the subject of a line
//! - `state`: how a job ended; `headless`: the heading that a file without one may have had
//!
//! Source: the manual of sacct, <https://slurm.schedmd.com/sacct.html>; on arrays and heterogeneous
//! jobs `job_array.html` and `heterogeneous_jobs.html` there.

use std::collections::{BTreeMap, BTreeSet};

mod columns;

mod headless;

mod id;

mod state;

use super::draft::{Fault, LineReader, MAX_SECONDS, TraceDraft, bytes_of_entries};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::values::{duration, instant, raw_duration};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{LogRow, Status};
use backfill_sim::workload::{Cancelled, Processors};
pub(super) use columns::is_heading;
use columns::{
    ACCOUNT, COLUMNS, COMMAND, ELAPSED, END, Fields, JOB, PARTITION, QOS, RAW_ELAPSED,
    RAW_TIMELIMIT, START, STATE, SUBMIT, SacctColumns, TIMELIMIT, USER, Unbound, malformed,
};
pub use id::job_number;
pub(super) use id::{Subject, subject, task_number};
use state::CANCELLED;
pub(super) use state::{NOT_ENDED, status};

/// Columns to which faults of a job point.
const FIELD_NAMES: FieldNames = FieldNames {
    start: COLUMNS[START],
    end: COLUMNS[END],
};

/// The most tasks on all lines so far, plus [`TASKS_A_LINE`] for each of these lines: they take no
/// more memory than a file of that length may.
const FEW_TASKS: usize = 250_000;

/// Further tasks on all lines so far, for each of these lines.
const TASKS_A_LINE: usize = 4;

/// The most bytes of a job that goes on in further lines.
const MOST_JOINED: usize = 1 << 16;

/// The values of an instant that has not come.
pub(super) const NEVER: [&str; 3] = ["", "None", "Unknown"];

/// The values of an unset time limit.
pub(super) const UNLIMITED: [&str; 4] = ["", "UNLIMITED", "Partition_Limit", "INVALID"];

/// Reads the lines that `sacct` prints.
#[derive(Debug)]
pub(super) struct SacctReader {
    ledger: Ledger,
    heading: Vec<u8>,
    columns: Result<SacctColumns, String>,
    /// Columns that no heading so far has had and that are not used.
    ignored: Vec<String>,
    /// A job that may go on in the next line: its first line, its text and the count of its lines.
    open: Option<(u32, Vec<u8>, u64)>,
    /// Whether the line above is a job or step.
    after_job: bool,
    /// The numbers of all jobs that have a line.
    jobs: BTreeSet<u64>,
    /// Steps of jobs that have no line so far: their jobs and their own lines.
    steps: Vec<(u64, u32)>,
    /// The ended jobs; a further line with one of these records is a duplicate.
    records: BTreeSet<SacctRecord>,
    /// The number of starts of each component of a heterogeneous job: by job and component.
    starts: BTreeMap<(u64, u32), u32>,
    /// The rows of heterogeneous jobs: by job and number of earlier starts.
    heterogeneous: BTreeMap<(u64, u32), usize>,
    /// Tasks of arrays that are jobs without a line of their own.
    tasks: usize,
}

/// The identity of an ended job.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SacctRecord {
    number: u64,
    /// The component, if the job is heterogeneous.
    component: Option<u32>,
    submit: Time,
    /// When it started, if it did.
    start: Option<Time>,
}

/// Submit, start and end of a job, as time since 1970.
struct Instants {
    submit: Time,
    start: Option<Time>,
    end: Option<Time>,
}

/// The hint for a file that starts like this but is not a log: the command to print it with, if it
/// looks like the output of a Slurm tool.
pub(super) fn other_form(head: &[u8]) -> Option<String> {
    let line = head
        .trim_ascii_start()
        .split(|byte| *byte == b'\n')
        .next()?;
    if let Some(names) = headless::heading(line) {
        let columns = names.split('|').count();
        return Some(format!(
            "these {columns} columns of sacct have no heading: put a line with their names first, such as `{names}`, name them with columns=, or print the log without --noheader"
        ));
    }
    let mut words = line.split(|byte| b" \t\r,;|".contains(byte));
    let has_bars = line.iter().filter(|byte| **byte == b'|').count() > 1;
    (has_bars || words.any(columns::is_id)).then(|| {
        format!(
            "this looks like what Slurm prints, but has no heading with `|` between its columns; print the log with `{COMMAND}`"
        )
    })
}

impl SacctReader {
    pub(super) fn new(processors: Processors, cancelled: Cancelled) -> SacctReader {
        SacctReader {
            ledger: Ledger::new(processors, cancelled, &FIELD_NAMES),
            heading: Vec::new(),
            columns: Err(String::new()),
            ignored: Vec::new(),
            open: None,
            after_job: false,
            jobs: BTreeSet::new(),
            steps: Vec::new(),
            records: BTreeSet::new(),
            starts: BTreeMap::new(),
            heterogeneous: BTreeMap::new(),
            tasks: 0,
        }
    }

    /// Binds the columns by a heading.
    pub(super) fn heading(&mut self, line: u32, heading: &[u8], draft: &mut TraceDraft) {
        // Files of several months may have been concatenated.
        if heading == self.heading {
            return;
        }
        let is_first = self.heading.is_empty();
        self.heading = heading.to_owned();
        let mut ignored = Vec::new();
        self.columns = SacctColumns::of(line, heading, &mut ignored);
        ignored.retain(|name| !self.ignored.contains(name));
        let warnings = &mut draft.report.warnings;
        match &self.columns {
            _ if is_first => {}
            Ok(_) => warnings.push(format!(
                "line {line} is another heading: the columns below are taken by it"
            )),
            Err(problem) => warnings.push(format!("{problem}; the lines below are left out")),
        }
        if self.columns.is_ok() && !ignored.is_empty() {
            warnings.push(format!("columns ignored: {}", ignored.join(", ")));
            self.ignored.append(&mut ignored);
        }
    }

    /// Whether a line is a job or step by itself.
    fn is_whole(&self, text: &[u8]) -> bool {
        let fields = self
            .columns
            .as_ref()
            .ok()
            .map(|columns| (columns.id, columns.bind(text)));
        let Some((id, Ok(fields))) = fields else {
            return false;
        };
        fields.text(id).is_ok_and(|id| subject(id).is_some())
    }

    /// Reads a line that may go on an open one.
    fn joined(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if let Some((first, mut open, lines)) = self.open.take() {
            if self.is_whole(text) || open.len() + text.len() >= MOST_JOINED {
                reject_unfinished(first, lines, draft);
            } else {
                open.push(b'\n');
                open.extend_from_slice(text);
                // Without a further field it does not end here.
                if text.contains(&b'|') {
                    self.job(first, open, lines + 1, draft);
                } else {
                    self.open = Some((first, open, lines + 1));
                }
                return;
            }
        }
        if self.goes_on_before(text) {
            draft.report.folded += 1;
            return;
        }
        if let Err((kind, field)) = self.bound(line, text, draft) {
            match kind {
                None => self.open = Some((line, text.to_owned(), 1)),
                Some(kind) => draft.reject(kind, line, field),
            }
        }
    }

    /// Whether a line belongs to the free text at the end of the line above.
    fn goes_on_before(&self, text: &[u8]) -> bool {
        let columns = self.columns.as_ref().ok();
        let Some(columns) = columns.filter(|of| of.ends_in_free_text() && self.after_job) else {
            return false;
        };
        let id = text.split(|byte| *byte == b'|').next().unwrap_or_default();
        let is_subject = str::from_utf8(id).is_ok_and(|id| subject(id.trim()).is_some());
        !is_subject && columns.bind(text).is_err()
    }

    /// Reads a job whose text goes over several lines, as far as it has come.
    fn job(&mut self, first: u32, text: Vec<u8>, lines: u64, draft: &mut TraceDraft) {
        match self.bound(first, &text, draft) {
            Err((None, _)) => self.open = Some((first, text, lines)),
            Err((Some(kind), field)) => {
                draft.report.folded += lines - 1;
                draft.reject(kind, first, field);
            }
            Ok(()) => draft.report.folded += lines - 1,
        }
    }

    /// Reads the job of a text; a fault without a kind says that it is not finished.
    fn bound(
        &mut self,
        line: u32,
        text: &[u8],
        draft: &mut TraceDraft,
    ) -> Result<(), (Option<FindingKind>, Option<&'static str>)> {
        let columns = self.columns.as_ref();
        let columns = columns.map_err(|_| (Some(FindingKind::FieldCount), None))?;
        let fields = columns.bind(text).map_err(|unbound| match unbound {
            Unbound::Unfinished => (None, None),
            Unbound::Fault(kind) => (Some(kind), None),
        })?;
        let read = self.subject(line, &fields, draft);
        self.after_job = read.is_ok();
        read.map_err(|(kind, field)| (Some(kind), field))
    }

    fn subject(
        &mut self,
        line: u32,
        fields: &Fields<'_>,
        draft: &mut TraceDraft,
    ) -> Result<(), Fault> {
        let id = self.columns.as_ref().map_or(JOB, |columns| columns.id);
        let subject = subject(fields.text(id)?).ok_or(malformed(id))?;
        let (number, component) = match subject {
            Subject::Tasks(..) if fields.state()? != CANCELLED => {
                return Err((FindingKind::WaitingTasks, Some(COLUMNS[id])));
            }
            Subject::Step(job) => {
                if self.jobs.contains(&job) {
                    draft.report.folded += 1;
                } else {
                    self.steps.push((job, line));
                }
                return Ok(());
            }
            Subject::Job(number) | Subject::Tasks(number, _) => (number, None),
            Subject::Component(number, component) => (number, Some(component)),
        };
        self.jobs.insert(number);
        let instants = self.instants(fields)?;
        let record = SacctRecord {
            number,
            component,
            submit: instants.submit,
            start: instants.start,
        };
        if !self.records.insert(record) {
            draft.report.folded += 1;
            draft.note(FindingKind::Repeated, line);
            return Ok(());
        }
        let waits = matches!(subject, Subject::Tasks(..));
        let (row, repaired) = self.row(number, line, fields, instants, waits, draft)?;
        match subject {
            Subject::Component(_, component) => self.component(component, row, repaired, draft),
            Subject::Tasks(_, list) => {
                let taken = self.tasks(list, row, draft);
                taken.map_err(|kind| (kind, Some(COLUMNS[id])))
            }
            _ => {
                draft.accept(row, repaired);
                Ok(())
            }
        }
    }

    /// Adds the tasks of an array that were cancelled before any of them started: equal jobs with
    /// different numbers.
    fn tasks(
        &mut self,
        list: &str,
        row: LogRow,
        draft: &mut TraceDraft,
    ) -> Result<(), FindingKind> {
        let line = row.line;
        let numbers = id::tasks(row.number, list)?;
        self.tasks += numbers.len();
        if self.tasks > FEW_TASKS + TASKS_A_LINE * line as usize {
            self.tasks -= numbers.len();
            return Err(FindingKind::TooManyTasks);
        }
        draft.note(FindingKind::TasksOnOneLine, line);
        draft.count(false);
        for number in numbers {
            draft.add(LogRow {
                number,
                ..row.clone()
            });
        }
        Ok(())
    }

    /// Adds a component of a heterogeneous job. All components of one start are one job.
    fn component(
        &mut self,
        component: u32,
        row: LogRow,
        repaired: bool,
        draft: &mut TraceDraft,
    ) -> Result<(), Fault> {
        let starts = self.starts.entry((row.number, component)).or_insert(0);
        let start = (row.number, *starts);
        *starts += 1;
        let Some(&whole) = self.heterogeneous.get(&start) else {
            self.heterogeneous.insert(start, draft.rows.len());
            draft.accept(row, repaired);
            return Ok(());
        };
        let size = draft.rows[whole].size.checked_add(row.size);
        let size = size.ok_or((FindingKind::OutOfRange, None))?;
        draft.change(whole, |whole| {
            whole.size = size;
            whole.estimate = whole.estimate.max(row.estimate);
            match (&whole.leaves_after, &row.leaves_after) {
                // A job with a started component did not leave the queue.
                (Some(_), None) => {
                    whole.runtime = row.runtime;
                    whole.status = row.status;
                    whole.leaves_after = None;
                }
                (None, Some(_)) => {}
                _ => whole.runtime = whole.runtime.max(row.runtime),
            }
        });
        draft.report.folded += 1;
        Ok(())
    }

    /// The instants of a line's job, which it must have.
    fn instants(&mut self, fields: &Fields<'_>) -> Result<Instants, Fault> {
        let submit = self.instant(fields, SUBMIT)?;
        let submit = submit.ok_or((FindingKind::NoSubmitTime, Some(COLUMNS[SUBMIT])))?;
        let (start, end) = (self.instant(fields, START)?, self.instant(fields, END)?);
        if NOT_ENDED.contains(&fields.state()?) || (self.has(END) && end.is_none()) {
            let column = if self.has(STATE) { STATE } else { END };
            return Err((FindingKind::NotEnded, Some(COLUMNS[column])));
        }
        Ok(Instants { submit, start, end })
    }

    /// The job of a line, its submit as time since 1970, and whether a value was repaired. It
    /// `waits` if the line says that it has not started.
    fn row(
        &mut self,
        number: u64,
        line: u32,
        fields: &Fields<'_>,
        Instants { submit, start, end }: Instants,
        waits: bool,
        draft: &mut TraceDraft,
    ) -> Result<(LogRow, bool), Fault> {
        let columns = self.columns.as_ref();
        let columns = columns.map_err(|_| (FindingKind::FieldCount, None))?;
        let elapsed = if columns.has(ELAPSED) {
            Some(duration(fields.text(ELAPSED)?).ok_or(malformed(ELAPSED))?)
        } else if columns.has(RAW_ELAPSED) {
            Some(raw_duration(fields.text(RAW_ELAPSED)?, 1).ok_or(malformed(RAW_ELAPSED))?)
        } else {
            None
        };
        let ran_for_nothing = match (elapsed, start, end) {
            (Some(elapsed), ..) => elapsed == Span(0),
            (None, Some(start), Some(end)) => start == end,
            _ => true,
        };
        let status = columns.has(STATE).then_some(status(fields.state()?));
        let idle = ran_for_nothing && !fields.is_allocated(columns);
        let was_not_started = columns.has(START) && start.is_none();
        let is_cancelled = status == Some(Status::Cancelled);
        let started = !(waits || was_not_started || is_cancelled && idle);
        let limit = if columns.has(TIMELIMIT) {
            TIMELIMIT
        } else {
            RAW_TIMELIMIT
        };
        let estimate = match fields.text(limit)? {
            text if UNLIMITED.contains(&text) => Some(Span(0)),
            text if limit == TIMELIMIT => duration(text),
            text => raw_duration(text, 60),
        };
        let estimate = estimate.ok_or(malformed(limit))?;
        let in_nodes = !columns.counts_processors();
        // What is not the size costs no job.
        let nodes = fields.nodes();
        let size = if self.ledger.processors == Processors::Nodes || in_nodes {
            Size {
                nodes: nodes?,
                allocated: fields.allocated().unwrap_or_default(),
                requested: fields.requested().unwrap_or_default(),
                in_nodes,
            }
        } else {
            Size {
                nodes: nodes.unwrap_or_default(),
                allocated: fields.allocated()?,
                requested: fields.requested()?,
                in_nodes,
            }
        };
        let entry = Entry {
            number,
            line,
            submit,
            start,
            end,
            elapsed,
            estimate,
            status,
            started,
            size,
            user: fields.bytes(USER),
            account: fields.bytes(ACCOUNT),
            queue: fields.bytes(QOS),
            partition: fields.bytes(PARTITION),
        };
        self.ledger.row(entry, draft)
    }

    /// Whether the file has a column.
    fn has(&self, column: usize) -> bool {
        self.columns.as_ref().is_ok_and(|of| of.has(column))
    }

    /// The instant in a column, as time since 1970; `None` if it has not come.
    fn instant(&mut self, fields: &Fields<'_>, column: usize) -> Result<Option<Time>, Fault> {
        let text = fields.text(column)?;
        if NEVER.contains(&text) {
            return Ok(None);
        }
        let (seconds, zone) = instant(text).ok_or(malformed(column))?;
        self.ledger.without_zone |= !zone;
        let seconds = u64::try_from(seconds).ok();
        let seconds = seconds.filter(|&seconds| seconds as f64 <= MAX_SECONDS);
        let seconds = seconds.ok_or((FindingKind::OutOfRange, Some(COLUMNS[column])))?;
        Ok(Some(Time(seconds * MICROS)))
    }
}

impl LineReader for SacctReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if is_heading(text) {
            self.close(draft);
            draft.report.comments += 1;
            self.heading(line, text, draft);
        } else {
            self.joined(line, text, draft);
        }
    }

    /// Counts steps that precede their jobs, and shifts time to start with the first submit.
    fn finish(&mut self, draft: &mut TraceDraft) {
        self.close(draft);
        let id = self.columns.as_ref().map_or(JOB, |columns| columns.id);
        for (job, line) in std::mem::take(&mut self.steps) {
            if self.jobs.contains(&job) {
                draft.report.folded += 1;
            } else {
                draft.reject(FindingKind::StepWithoutJob, line, Some(COLUMNS[id]));
            }
        }
        self.ledger.finish(draft);
        let warnings = &mut draft.report.warnings;
        if self.tasks > 0 {
            warnings.push(format!(
                "{} jobs are tasks of arrays that were cancelled before they started and share lines",
                self.tasks
            ));
        }
        let counts = self
            .columns
            .as_ref()
            .is_ok_and(SacctColumns::counts_processors);
        if self.ledger.processors != Processors::Nodes && !counts {
            warnings.push("no column counts processors: sizes are nodes".to_owned());
        }
    }

    fn problem(&self) -> Option<String> {
        self.columns.as_ref().err().cloned()
    }

    fn bytes(&self) -> usize {
        // Steps are in memory three times during reallocation.
        let steps = 3 * self.steps.capacity() * size_of::<(u64, u32)>();
        steps
            + bytes_of_entries::<u64>(self.jobs.len())
            + bytes_of_entries::<SacctRecord>(self.records.len())
            + bytes_of_entries::<((u64, u32), u32)>(self.starts.len())
            + bytes_of_entries::<((u64, u32), usize)>(self.heterogeneous.len())
            + self.ledger.bytes()
    }

    fn wanted(&self) -> &'static str {
        "the accounting of Slurm has an ended job on each line below the heading"
    }
}

impl SacctReader {
    /// Gives up a job that did not go on.
    fn close(&mut self, draft: &mut TraceDraft) {
        if let Some((first, _, lines)) = self.open.take() {
            reject_unfinished(first, lines, draft);
        }
    }
}

/// Rejects a job of several lines that has no end.
fn reject_unfinished(first: u32, lines: u64, draft: &mut TraceDraft) {
    draft.report.folded += lines - 1;
    draft.reject(FindingKind::FieldCount, first, None);
}
