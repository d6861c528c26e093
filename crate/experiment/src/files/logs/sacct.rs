//! Slurm accounting as `sacct --parsable2` prints it: a header, then one job or step a line, fields
//! between `|`.
//!
//! Columns are found by the header; others are ignored and named in the report. `JobIDRaw` replaces
//! a missing `JobID`: components of a heterogeneous job then are jobs with their own numbers. Every
//! line is counted: steps and further components belong to the line of their job. Duplicate records
//! of a job (same `JobID`, submit and start), from outputs of several months, count once. A
//! requeued job is a job for each of its starts (`sacct --duplicates`). Times become seconds since
//! the first submit. Task 4 of array 123, `123_4`, has the number 1230000004. A line `123_[5-9]` of
//! tasks that were cancelled before any started gives a job for each if such jobs are used. Users
//! are numbered in order of appearance; only the example of a rejected or repaired line keeps names.
//!
//! Source: the manual of sacct, <https://slurm.schedmd.com/sacct.html>; on arrays and heterogeneous
//! jobs `job_array.html` and `heterogeneous_jobs.html` there.

use std::collections::{BTreeMap, BTreeSet};

use time::{Date, Month, PrimitiveDateTime, Time as Clock, UtcOffset};

use super::draft::{MAX_SECONDS, TraceDraft, bytes_of_entries};
use super::swf::LARGEST_NUMBER;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{LogRow, Status};
use backfill_sim::workload::{Cancelled, Processors};

/// The columns used.
const COLUMNS: [&str; 17] = [
    "JobID",
    "Submit",
    "Start",
    "End",
    "Elapsed",
    "Timelimit",
    "AllocCPUS",
    "NCPUS",
    "ReqCPUS",
    "AllocNodes",
    "NNodes",
    "ReqNodes",
    "State",
    "User",
    "JobIDRaw",
    "ElapsedRaw",
    "TimelimitRaw",
];

const JOB: usize = 0;
const SUBMIT: usize = 1;
const START: usize = 2;
const END: usize = 3;
const ELAPSED: usize = 4;
const TIMELIMIT: usize = 5;
const ALLOCATED: [usize; 2] = [6, 7];
const REQUESTED: [usize; 1] = [8];
const ALLOCATED_NODES: [usize; 2] = [9, 10];
const NODES: [usize; 3] = [9, 10, 11];
const STATE: usize = 12;
const USER: usize = 13;
const RAW_JOB: usize = 14;
const RAW_ELAPSED: usize = 15;
const RAW_TIMELIMIT: usize = 16;

/// The command that prints a log in this form.
const COMMAND: &str = "sacct --parsable2 --format=JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,ReqCPUS,NNodes,State,User";

/// The factor of an array's number in those of its tasks. Slurm has no index above 4,000,000.
const TASKS: u64 = 10_000_000;

/// The most tasks of an array on one line.
const MOST_TASKS: usize = 100_000;

/// The most tasks on all lines so far, plus [`TASKS_A_LINE`] for each of these lines: they take no
/// more memory than a file of that length may.
const FEW_TASKS: usize = 250_000;

/// Further tasks on all lines so far, for each of these lines.
const TASKS_A_LINE: usize = 4;

/// The largest number of a Slurm job.
const LARGEST_JOB: u64 = u32::MAX as u64;

/// The values of an instant that has not come.
const NEVER: [&str; 3] = ["", "None", "Unknown"];

/// The values of an unset time limit.
const UNLIMITED: [&str; 4] = ["", "UNLIMITED", "Partition_Limit", "INVALID"];

/// The state of cancelled jobs.
const CANCELLED: &str = "CANCELLED";

/// States of jobs that have not ended.
const NOT_ENDED: [&str; 10] = [
    "PENDING",
    "RUNNING",
    "SUSPENDED",
    "RESIZING",
    "CONFIGURING",
    "COMPLETING",
    "REQUEUE_HOLD",
    "SPECIAL_EXIT",
    "STAGE_OUT",
    "STOPPED",
];

/// States of jobs that ended early.
const FAILED: [&str; 11] = [
    "FAILED",
    "TIMEOUT",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "BOOT_FAIL",
    "DEADLINE",
    "PREEMPTED",
    "REQUEUED",
    "REVOKED",
    "LAUNCH_FAILED",
    "RECONFIG_FAIL",
];

/// A fault: its kind and its column.
type SacctFault = (FindingKind, Option<&'static str>);

/// Reads the lines that `sacct` prints.
#[derive(Debug)]
pub(super) struct SacctReader {
    processors: Processors,
    cancelled: Cancelled,
    heading: Vec<u8>,
    columns: Result<SacctColumns, String>,
    last_submit: Time,
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
    users: BTreeMap<Vec<u8>, u32>,
    /// Bytes of their names.
    name_bytes: usize,
    /// Whether a time has no zone.
    without_zone: bool,
}

/// The positions of the columns.
#[derive(Debug)]
struct SacctColumns {
    /// The column of each field, if it is used.
    of_fields: Vec<Option<usize>>,
    /// The column with the subject of a line.
    id: usize,
    present: [bool; COLUMNS.len()],
}

/// The fields of a line by column; empty where there is no such column.
struct Fields<'a>([&'a [u8]; COLUMNS.len()]);

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

/// The subject of a line.
#[derive(Debug, PartialEq, Eq)]
enum Subject<'a> {
    /// A job, or the task of an array.
    Job(u64),
    /// A component of a heterogeneous job, and its number.
    Component(u64, u32),
    /// A step of a job.
    Step(u64),
    /// Tasks of an array none of which has started: the array and the list of its tasks.
    Tasks(u64, &'a str),
}

/// Whether a line is the header of `sacct`.
pub(super) fn is_heading(line: &[u8]) -> bool {
    line.contains(&b'|') && line.split(|byte| *byte == b'|').any(is_id)
}

/// The hint for a file that starts like this but is not a log: the command to print it with, if it
/// looks like the output of a Slurm tool.
pub(super) fn other_form(head: &[u8]) -> Option<String> {
    let line = head
        .trim_ascii_start()
        .split(|byte| *byte == b'\n')
        .next()?;
    let mut words = line.split(|byte| b" \t\r,;|".contains(byte));
    let has_bars = line.iter().filter(|byte| **byte == b'|').count() > 1;
    (has_bars || words.any(is_id)).then(|| {
        format!(
            "this looks like what Slurm prints, but has no heading with `|` between its columns; print the log with `{COMMAND}`"
        )
    })
}

/// Whether a word is the header of the column with the subject of a line.
fn is_id(word: &[u8]) -> bool {
    let mut columns = [JOB, RAW_JOB].into_iter();
    columns.any(|column| word.eq_ignore_ascii_case(COLUMNS[column].as_bytes()))
}

impl SacctReader {
    /// Of a file with this header in its first line.
    pub(super) fn new(
        processors: Processors,
        cancelled: Cancelled,
        heading: &[u8],
        draft: &mut TraceDraft,
    ) -> SacctReader {
        draft.report.comments += 1;
        SacctReader {
            processors,
            cancelled,
            heading: heading.to_owned(),
            columns: columns(heading, &mut draft.report.warnings),
            last_submit: Time(0),
            jobs: BTreeSet::new(),
            steps: Vec::new(),
            records: BTreeSet::new(),
            starts: BTreeMap::new(),
            heterogeneous: BTreeMap::new(),
            tasks: 0,
            users: BTreeMap::new(),
            name_bytes: 0,
            without_zone: false,
        }
    }

    /// The problem with the header, if any.
    pub(super) fn problem(&self) -> Option<String> {
        self.columns.as_ref().err().cloned()
    }

    /// Bytes kept besides the jobs.
    pub(super) fn bytes(&self) -> usize {
        // Steps are in memory three times during reallocation.
        let steps = 3 * self.steps.capacity() * size_of::<(u64, u32)>();
        steps
            + bytes_of_entries::<u64>(self.jobs.len())
            + bytes_of_entries::<SacctRecord>(self.records.len())
            + bytes_of_entries::<((u64, u32), u32)>(self.starts.len())
            + bytes_of_entries::<((u64, u32), usize)>(self.heterogeneous.len())
            + bytes_of_entries::<(Vec<u8>, u32)>(self.users.len())
            + self.name_bytes
    }

    /// Reads a line that is neither blank nor the first.
    pub(super) fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        // Files of several months may have been concatenated.
        if text == self.heading {
            draft.report.comments += 1;
        } else if let Err((kind, field)) = self.subject(line, text, draft) {
            draft.reject(kind, line, field);
        }
    }

    fn subject(
        &mut self,
        line: u32,
        text: &[u8],
        draft: &mut TraceDraft,
    ) -> Result<(), SacctFault> {
        let columns = self.columns.as_ref();
        let columns = columns.map_err(|_| (FindingKind::FieldCount, None))?;
        let fields = columns
            .fields(text)
            .ok_or((FindingKind::FieldCount, None))?;
        let id = columns.id;
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
        let instants = self.instants(&fields)?;
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
        let (row, repaired) = self.row(number, line, &fields, instants, waits, draft)?;
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
        let numbers = tasks(row.number, list)?;
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
    ) -> Result<(), SacctFault> {
        let starts = self.starts.entry((row.number, component)).or_insert(0);
        let start = (row.number, *starts);
        *starts += 1;
        let Some(&whole) = self.heterogeneous.get(&start) else {
            self.heterogeneous.insert(start, draft.rows.len());
            draft.accept(row, repaired);
            return Ok(());
        };
        let whole = &mut draft.rows[whole];
        let size = whole.size.checked_add(row.size);
        whole.size = size.ok_or((FindingKind::OutOfRange, None))?;
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
        draft.report.folded += 1;
        Ok(())
    }

    /// The instants of a line's job, which it must have.
    fn instants(&mut self, fields: &Fields<'_>) -> Result<Instants, SacctFault> {
        let submit = self.instant(fields, SUBMIT)?;
        let submit = submit.ok_or((FindingKind::NoSubmitTime, Some(COLUMNS[SUBMIT])))?;
        let (start, end) = (self.instant(fields, START)?, self.instant(fields, END)?);
        if NOT_ENDED.contains(&fields.state()?) || (self.has(END) && end.is_none()) {
            return Err((FindingKind::NotEnded, Some(COLUMNS[STATE])));
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
    ) -> Result<(LogRow, bool), SacctFault> {
        let status = status(fields.state()?, line, draft);
        let elapsed = match (start, end) {
            _ if self.has(ELAPSED) => duration(fields.text(ELAPSED)?).ok_or(malformed(ELAPSED))?,
            _ if self.has(RAW_ELAPSED) => {
                raw_duration(fields.text(RAW_ELAPSED)?, 1).ok_or(malformed(RAW_ELAPSED))?
            }
            (Some(start), Some(end)) if start <= end => end - start,
            (Some(_), Some(_)) => return Err((FindingKind::OutOfRange, Some(COLUMNS[END]))),
            _ => Span(0),
        };
        let idle = elapsed == Span(0) && !self.is_allocated(fields);
        let is_cancelled = status == Status::Cancelled;
        let never_started = waits || (self.has(START) && start.is_none()) || (is_cancelled && idle);
        if never_started && is_cancelled {
            draft.note(FindingKind::NeverStarted, line);
        }
        let limit = if self.has(TIMELIMIT) {
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
        let (runtime, leaves_after) = if never_started {
            let replaced = is_cancelled && self.cancelled != Cancelled::Drop;
            if !replaced || estimate == Span(0) {
                return Err((FindingKind::NoRunTime, Some(COLUMNS[START])));
            }
            let leaves = self.cancelled == Cancelled::Leave;
            let end = end.filter(|&end| leaves && submit <= end);
            let wait = end.map(|end| end - submit);
            if leaves && wait.is_none() {
                return Err((FindingKind::NoWaitTime, Some(COLUMNS[END])));
            }
            (estimate, wait)
        } else {
            (elapsed, None)
        };
        let (size, other_processors) = self.size(fields)?;
        // A job that never starts is allocated nothing.
        let other_processors = other_processors && !never_started;
        if submit < self.last_submit {
            draft.note(FindingKind::OutOfOrder, line);
        }
        self.last_submit = submit;
        if other_processors {
            draft.note(FindingKind::OtherProcessors, line);
        }
        let row = LogRow {
            number,
            submit,
            runtime,
            estimate,
            bandwidth: Kbps(0),
            preceding: None,
            size,
            user: self.user(fields.0[USER]),
            status,
            wait: start
                .filter(|&start| !never_started && submit <= start)
                .map(|start| start - submit),
            leaves_after: leaves_after.map(Box::new),
            in_flurry: false,
            line,
        };
        Ok((row, other_processors))
    }

    /// The size of a job, and whether it is from another column than usual.
    fn size(&self, fields: &Fields<'_>) -> Result<(u32, bool), SacctFault> {
        if self.processors == Processors::Nodes || !self.counts_processors() {
            let nodes = count(fields, &NODES)?;
            return Ok((nodes.ok_or((FindingKind::NoNodes, None))?, false));
        }
        let (allocated, requested) = (count(fields, &ALLOCATED)?, count(fields, &REQUESTED)?);
        let (first, second) = match self.processors {
            Processors::ReqThenAlloc => (requested, allocated),
            Processors::Max => (allocated.max(requested), None),
            Processors::AllocThenReq | Processors::Nodes => (allocated, requested),
        };
        let size = first.or(second);
        let size = size.ok_or((FindingKind::NoProcessors, None))?;
        Ok((size, first.is_none()))
    }

    /// Whether a line gives an allocation to its job.
    fn is_allocated(&self, fields: &Fields<'_>) -> bool {
        let columns = if self.counts_processors() {
            ALLOCATED
        } else {
            ALLOCATED_NODES
        };
        let mut columns = columns.into_iter();
        let column = columns.find(|&column| !fields.0[column].is_empty());
        let count = |column| fields.text(column).ok().and_then(in_units);
        column.is_some_and(|column| count(column) != Some(0))
    }

    /// Whether the file counts processors, not only nodes.
    fn counts_processors(&self) -> bool {
        let mut columns = ALLOCATED.iter().chain(&REQUESTED);
        columns.any(|&column| self.has(column))
    }

    /// Whether the file has a column.
    fn has(&self, column: usize) -> bool {
        self.columns.as_ref().is_ok_and(|of| of.present[column])
    }

    /// The instant in a column, as time since 1970; `None` if it has not come.
    fn instant(&mut self, fields: &Fields<'_>, column: usize) -> Result<Option<Time>, SacctFault> {
        let text = fields.text(column)?;
        if NEVER.contains(&text) {
            return Ok(None);
        }
        let (seconds, zone) = instant(text).ok_or(malformed(column))?;
        self.without_zone |= !zone;
        let seconds = u64::try_from(seconds).ok();
        let seconds = seconds.filter(|&seconds| seconds as f64 <= MAX_SECONDS);
        let seconds = seconds.ok_or((FindingKind::OutOfRange, Some(COLUMNS[column])))?;
        Ok(Some(Time(seconds * MICROS)))
    }

    /// The number of a user, which is 1 for the first.
    fn user(&mut self, name: &[u8]) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let next = self.users.len() as u32 + 1;
        match self.users.get(name) {
            Some(&number) => number,
            None => {
                self.name_bytes += name.len();
                *self.users.entry(name.into()).or_insert(next)
            }
        }
    }

    /// Counts steps that precede their jobs, and shifts time to start with the first submit.
    pub(super) fn finish(&mut self, draft: &mut TraceDraft) {
        let id = self.columns.as_ref().map_or(JOB, |columns| columns.id);
        for (job, line) in std::mem::take(&mut self.steps) {
            if self.jobs.contains(&job) {
                draft.report.folded += 1;
            } else {
                draft.reject(FindingKind::StepWithoutJob, line, Some(COLUMNS[id]));
            }
        }
        let Some(first) = draft.rows.iter().map(|row| row.submit).min() else {
            return;
        };
        for row in &mut draft.rows {
            row.submit = Time((row.submit - first).0);
        }
        let begins = (first.0 / MICROS).to_string();
        let entries = &mut draft.header.entries;
        entries.push(("UnixStartTime".to_owned(), begins));
        let warnings = &mut draft.report.warnings;
        if self.without_zone {
            warnings.push(
                "times without a zone are taken as UTC: an hour is missing or double where clocks change"
                    .to_owned(),
            );
        }
        if self.tasks > 0 {
            warnings.push(format!(
                "{} jobs are tasks of arrays that were cancelled before they started and share lines",
                self.tasks
            ));
        }
        if self.processors != Processors::Nodes && !self.counts_processors() {
            warnings.push("no column counts processors: sizes are nodes".to_owned());
        }
    }
}

/// The first positive count in these columns, if any.
fn count(fields: &Fields<'_>, columns: &[usize]) -> Result<Option<u32>, SacctFault> {
    for &column in columns {
        let count = match fields.text(column)? {
            "" => 0,
            text => in_units(text).ok_or(malformed(column))?,
        };
        if count > 0 {
            return Ok(Some(count));
        }
    }
    Ok(None)
}

/// How a job ended.
fn status(state: &str, line: u32, draft: &mut TraceDraft) -> Status {
    let (status, remark) = match state {
        "COMPLETED" => return Status::Completed,
        CANCELLED => (Status::Cancelled, FindingKind::Cancelled),
        _ if FAILED.contains(&state) => (Status::Failed, FindingKind::Failed),
        _ => (Status::Unknown, FindingKind::UnknownStatus),
    };
    draft.note(remark, line);
    status
}

/// Finds the columns in the header.
fn columns(heading: &[u8], warnings: &mut Vec<String>) -> Result<SacctColumns, String> {
    let heading = String::from_utf8_lossy(heading);
    let names: Vec<&str> = heading.split('|').map(str::trim).collect();
    let mut present = [false; COLUMNS.len()];
    let mut of_fields = Vec::with_capacity(names.len());
    let mut others = Vec::new();
    for name in names {
        let mut columns = COLUMNS.iter();
        let column = columns.position(|column| column.eq_ignore_ascii_case(name));
        if let Some(column) = column {
            if present[column] {
                let name = COLUMNS[column];
                return Err(format!(
                    "the heading in line 1 has two columns {name}; leave one"
                ));
            }
            present[column] = true;
        } else if !name.is_empty() {
            others.push(name);
        }
        of_fields.push(column);
    }
    let lacks = |what: &str| {
        Err(format!(
            "the heading in line 1 has no column {what}; print the log with `{COMMAND}`"
        ))
    };
    for column in [SUBMIT, STATE] {
        if !present[column] {
            return lacks(COLUMNS[column]);
        }
    }
    let tells_length = present[ELAPSED] || present[RAW_ELAPSED] || present[START] && present[END];
    if !tells_length {
        return lacks("Elapsed");
    }
    let mut sizes = ALLOCATED.iter().chain(&REQUESTED).chain(&NODES);
    if !sizes.any(|&column| present[column]) {
        return lacks("AllocCPUS");
    }
    if !others.is_empty() {
        warnings.push(format!("columns ignored: {}", others.join(", ")));
    }
    Ok(SacctColumns {
        of_fields,
        id: if present[JOB] { JOB } else { RAW_JOB },
        present,
    })
}

impl SacctColumns {
    /// The fields of a line; `None` if their number differs from the header's.
    fn fields<'a>(&self, text: &'a [u8]) -> Option<Fields<'a>> {
        let mut fields = [&b""[..]; COLUMNS.len()];
        let mut texts = text.split(|byte| *byte == b'|');
        for column in &self.of_fields {
            let text = texts.next()?;
            if let Some(column) = *column {
                fields[column] = text.trim_ascii();
            }
        }
        texts.next().is_none().then_some(Fields(fields))
    }
}

impl<'a> Fields<'a> {
    /// The text in a column.
    fn text(&self, column: usize) -> Result<&'a str, SacctFault> {
        str::from_utf8(self.0[column]).map_err(|_| malformed(column))
    }

    /// The state of the line's job, without the user who cancelled it.
    fn state(&self) -> Result<&'a str, SacctFault> {
        Ok(self.text(STATE)?.split(' ').next().unwrap_or_default())
    }
}

fn malformed(column: usize) -> SacctFault {
    (FindingKind::Malformed, Some(COLUMNS[column]))
}

/// A whole number of only digits.
fn whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// A count as printed without `--noconvert`: 1536 is also `1.50K`, and `M` and `G` are further
/// multiples of 1024. `None` if it is not whole.
fn in_units(text: &str) -> Option<u32> {
    let units = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let of_unit = |(letter, unit)| Some((text.strip_suffix(letter)?, unit));
    let (number, unit) = units.into_iter().find_map(of_unit).unwrap_or((text, 1));
    let (count, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let parts = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let in_parts = whole::<u64>(fraction)?.checked_mul(unit)?;
    let count = whole::<u64>(count)?.checked_mul(unit)?;
    if in_parts % parts > 0 {
        return None;
    }
    u32::try_from(count.checked_add(in_parts / parts)?).ok()
}

/// The subject of a line by its `JobID`: `123`, `123_4`, `123_[5-9]` or `123+1`, with `.` and the
/// name of a step after it. `None` if its number is too large for a log, as that of a task of an
/// array with ten digits may be.
fn subject(id: &str) -> Option<Subject<'_>> {
    let job_number = |text| whole(text).filter(|&job: &u64| job <= LARGEST_JOB);
    if let Some((array, _)) = id.split_once("_[") {
        let list = &id[array.len() + 1..];
        return Some(Subject::Tasks(job_number(array)?, list));
    }
    let (id, is_step) = match id.split_once('.') {
        Some((id, _)) => (id, true),
        None => (id, false),
    };
    let (id, component) = match id.split_once('+') {
        Some((id, component)) => (id, Some(whole(component)?)),
        None => (id, None),
    };
    let (job, task) = match id.split_once('_') {
        Some((job, task)) => (job, Some(task)),
        None => (id, None),
    };
    let job = job_number(job)?;
    let number = match task {
        Some(task) => job * TASKS + whole(task).filter(|&task: &u64| task < TASKS)?,
        None => job,
    };
    if number > LARGEST_NUMBER {
        return None;
    }
    Some(match component {
        _ if is_step => Subject::Step(number),
        Some(component) => Subject::Component(number, component),
        None => Subject::Job(number),
    })
}

/// The numbers of the tasks of an array by a list such as `[1,3-7,10-20:5%2]`; the number after `%`
/// limits how many run at a time.
fn tasks(array: u64, list: &str) -> Result<Vec<u64>, FindingKind> {
    if list.contains("...") {
        return Err(FindingKind::CutTasks);
    }
    let inner = list
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'));
    let list = inner.ok_or(FindingKind::Malformed)?;
    let list = list.split_once('%').map_or(list, |(tasks, _)| tasks);
    let mut numbers = Vec::new();
    for range in list.split(',') {
        let (range, step) = range.split_once(':').unwrap_or((range, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (Some(first), Some(last), Some(step @ 1..)) =
            (whole::<u64>(first), whole(last), whole(step))
        else {
            return Err(FindingKind::Malformed);
        };
        if first > last || last >= TASKS || array * TASKS + last > LARGEST_NUMBER {
            return Err(FindingKind::Malformed);
        }
        for task in (first..=last).step_by(step) {
            if numbers.len() == MOST_TASKS {
                return Err(FindingKind::TooManyTasks);
            }
            numbers.push(array * TASKS + task);
        }
    }
    Ok(numbers)
}

/// An instant such as `2024-01-02T03:04:05`, with or without a zone such as `Z` or `+01:00` after
/// it, or with a blank instead of the `T`, or as seconds since 1970: these seconds, and whether it
/// has a zone or needs none.
fn instant(text: &str) -> Option<(i64, bool)> {
    if let Some(seconds) = whole(text) {
        return Some((seconds, true));
    }
    let (local, zone) = text.split_at_checked("2024-01-02T03:04:05".len())?;
    let (date, clock) = local.split_once(['T', ' '])?;
    let [year, month, day] = parts(date, '-')?;
    let [hour, minute, second] = parts(clock, ':')?;
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(year.into(), month, u8::try_from(day).ok()?).ok()?;
    let [hour, minute, second] = [hour, minute, second].map(u8::try_from);
    let clock = Clock::from_hms(hour.ok()?, minute.ok()?, second.ok()?).ok()?;
    let local = PrimitiveDateTime::new(date, clock);
    let names_zone = !zone.is_empty();
    let offset = if names_zone {
        offset(zone)?
    } else {
        UtcOffset::UTC
    };
    Some((local.assume_offset(offset).unix_timestamp(), names_zone))
}

/// The offset of a zone from UTC: `Z`, `+01`, `+0100` or `+01:00`.
fn offset(zone: &str) -> Option<UtcOffset> {
    if zone == "Z" {
        return Some(UtcOffset::UTC);
    }
    let (sign, digits) = match zone.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = match minutes.strip_prefix(':').unwrap_or(minutes) {
        "" => "0",
        minutes => minutes,
    };
    let (hours, minutes): (i8, i8) = (whole(hours)?, whole(minutes)?);
    UtcOffset::from_hms(sign * hours, sign * minutes, 0).ok()
}

/// Exactly `COUNT` whole numbers, each of only digits.
fn parts<const COUNT: usize>(text: &str, between: char) -> Option<[u16; COUNT]> {
    let mut numbers = [0; COUNT];
    let mut texts = text.split(between);
    for number in &mut numbers {
        *number = whole(texts.next()?)?;
    }
    texts.next().is_none().then_some(numbers)
}

/// A duration: `[days-]hours:minutes:seconds` or `minutes:seconds`; fractions of a second, which
/// only processor times have, are refused.
fn duration(text: &str) -> Option<Span> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (whole(days)?, clock),
        None => (0_u32, text),
    };
    let with_hours = parts::<3>(clock, ':');
    let [hours, minutes, seconds] = match with_hours {
        Some(parts) => parts,
        None => {
            let [minutes, seconds] = parts(clock, ':')?;
            [0, minutes, seconds]
        }
    };
    let seconds = ((u64::from(days) * 24 + u64::from(hours)) * 60 + u64::from(minutes)) * 60
        + u64::from(seconds);
    span(seconds)
}

/// A duration as a whole number of units of `unit` seconds.
fn raw_duration(text: &str, unit: u64) -> Option<Span> {
    span(u64::from(whole::<u32>(text)?) * unit)
}

/// Seconds as a span, if a trace may be that long.
fn span(seconds: u64) -> Option<Span> {
    (seconds as f64 <= MAX_SECONDS).then(|| Span(seconds * MICROS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_id_says_what_a_line_is_about() {
        for (id, expected) in [
            ("123", Some(Subject::Job(123))),
            ("123_4", Some(Subject::Job(1_230_000_004))),
            ("123_[5-9%2]", Some(Subject::Tasks(123, "[5-9%2]"))),
            ("123+1", Some(Subject::Component(123, 1))),
            ("123.batch", Some(Subject::Step(123))),
            ("123.extern", Some(Subject::Step(123))),
            ("123_4.0", Some(Subject::Step(1_230_000_004))),
            ("123+1.0", Some(Subject::Step(123))),
            ("", None),
            ("+1", None),
            ("123_", None),
            ("123_10000000", None),
            ("4294967296", None),
            ("123+x", None),
            ("job", None),
        ] {
            assert_eq!(subject(id), expected, "{id}");
        }
    }

    #[test]
    fn a_list_names_the_tasks_of_an_array() {
        let tasks =
            |list| tasks(2, list).map(|numbers| numbers.iter().map(|n| n - 2 * TASKS).collect());
        assert_eq!(tasks("[4]"), Ok(vec![4]));
        assert_eq!(
            tasks("[1,3-7,10-20:5%2]"),
            Ok(vec![1, 3, 4, 5, 6, 7, 10, 15, 20])
        );
        for (list, kind) in [
            ("[1,3,...]", FindingKind::CutTasks),
            ("[0...%3]", FindingKind::CutTasks),
            ("[0-100000]", FindingKind::TooManyTasks),
            ("[0-49999,50000-9999999]", FindingKind::TooManyTasks),
            ("[]", FindingKind::Malformed),
            ("[1-3", FindingKind::Malformed),
            ("[3-1]", FindingKind::Malformed),
            ("[1-3:0]", FindingKind::Malformed),
            ("[10000000]", FindingKind::Malformed),
            ("[1-x]", FindingKind::Malformed),
        ] {
            assert_eq!(tasks(list), Err(kind), "{list}");
        }
    }

    #[test]
    fn counts_may_be_multiples_of_1024() {
        for (text, expected) in [
            ("0", Some(0)),
            ("96", Some(96)),
            ("96.0", Some(96)),
            ("1K", Some(1024)),
            ("1.50K", Some(1536)),
            ("2.5M", Some(2_621_440)),
            ("3G", Some(3_221_225_472)),
            ("4G", None),
            ("1.07K", None),
            ("1.5", None),
            (".5K", None),
            ("1.K", None),
            ("K", None),
            ("1k", None),
            ("1.00000000000000000000K", None),
            ("18446744073709551615G", None),
        ] {
            assert_eq!(in_units(text), expected, "{text}");
        }
    }

    #[test]
    fn instants_are_read_with_and_without_a_zone() {
        let seconds = |text| instant(text).map(|(seconds, _)| seconds);
        let at = Some(1_704_164_645);
        for text in [
            "2024-01-02T03:04:05",
            "2024-01-02T03:04:05Z",
            "2024-01-02T04:04:05+01:00",
            "2024-01-01T22:34:05-0430",
            "2024-01-02T05:04:05+02",
            "2024-01-02 03:04:05",
            "2024-01-02 04:04:05+01:00",
            "1704164645",
        ] {
            assert_eq!(seconds(text), at, "{text}");
        }
        for text in [
            "2024-02-30T00:00:00",
            "2024-01-02_03:04:05",
            "-1704164645",
            "2024-01-02T24:00:00",
            "2024-01-02T03:04:05+1",
            "2024-01-02T03:04:05 CET",
            "2024-01-02T03:04",
            "2024-01-02T03:04:0é",
            "Unknown",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn durations_have_days_or_not() {
        let seconds = |text| duration(text).map(|span| span.0 / MICROS);
        assert_eq!(seconds("00:00:00"), Some(0));
        assert_eq!(seconds("01:02"), Some(62));
        assert_eq!(seconds("03:04:05"), Some(11_045));
        assert_eq!(seconds("2-03:04:05"), Some(183_845));
        for text in ["", "5", "1-", "-1:00:00", "1:2:3:4", "4294967295-00:00:00"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
