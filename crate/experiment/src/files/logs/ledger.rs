//! From what an accounting file says of a job to a job of the trace: the same rules for all of these
//! formats.
//!
//! Instants are times since 1970 while a file is read, and become times since the first submit at
//! its end. Names of users, accounts, queues and partitions become numbers in order of appearance;
//! those of users are not kept.

use std::collections::BTreeMap;

use super::details::Fields;
use super::draft::{Fault, TraceDraft, bytes_of_entries};
use super::swf;
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::labels::Labels;
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{LogRow, Status, UNKNOWN, WholeNodes};
use backfill_sim::workload::{Cancelled, Processors};

/// The first instant of 1990; a start before it is none.
const PLAUSIBLE: Time = Time(631_152_000 * MICROS);

/// Kinds of nodes that are told apart by their processors; a log of jobs that share nodes shows more.
const MOST_KINDS_OF_NODES: usize = 4096;

/// What a format calls the fields to which faults point.
#[derive(Debug)]
pub(super) struct FieldNames {
    /// The start.
    pub(super) start: &'static str,
    /// The end.
    pub(super) end: &'static str,
}

/// What a file says of a job that has ended.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) number: u64,
    pub(super) line: u32,
    pub(super) submit: Time,
    /// When it started; `None` if the file does not say.
    pub(super) start: Option<Time>,
    pub(super) end: Option<Time>,
    /// How long it ran; `None` if start and end must tell.
    pub(super) elapsed: Option<Span>,
    /// Zero if there is none.
    pub(super) estimate: Span,
    /// How it ended; `None` if the format does not say.
    pub(super) status: Option<Status>,
    /// Whether it ever started.
    pub(super) started: bool,
    pub(super) size: Size,
    /// Names; empty where there is none.
    pub(super) user: &'a [u8],
    pub(super) account: &'a [u8],
    pub(super) queue: &'a [u8],
    pub(super) partition: &'a [u8],
}

/// What a file says of the size of a job.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    /// Allocated processors.
    pub(super) allocated: Option<u32>,
    /// Requested processors.
    pub(super) requested: Option<u32>,
    /// Nodes.
    pub(super) nodes: Option<u32>,
    /// Whether the file counts nodes only.
    pub(super) in_nodes: bool,
}

impl Size {
    /// The fields of a log that say the same.
    fn fields(self) -> Fields {
        let count = |count: Option<u32>| count.map_or(-1.0, f64::from);
        let mut fields = [-1.0; 18];
        fields[swf::ALLOCATED] = count(self.allocated);
        fields[swf::REQUESTED] = count(self.requested);
        fields
    }
}

/// What is known of the jobs of a file so far.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) processors: Processors,
    pub(super) cancelled: Cancelled,
    fields: &'static FieldNames,
    last_submit: Time,
    users: Names,
    accounts: Names,
    queues: Names,
    partitions: Names,
    /// Whether a time has no zone.
    pub(super) without_zone: bool,
    /// Jobs whose nodes have the same number of processors each, by that number.
    by_processors: BTreeMap<u32, u64>,
    /// Jobs with a number of nodes and one of processors.
    with_both: u64,
}

impl Ledger {
    pub(super) fn new(
        processors: Processors,
        cancelled: Cancelled,
        fields: &'static FieldNames,
    ) -> Ledger {
        Ledger {
            processors,
            cancelled,
            fields,
            last_submit: Time(0),
            users: Names::default(),
            accounts: Names::default(),
            queues: Names::default(),
            partitions: Names::default(),
            without_zone: false,
            by_processors: BTreeMap::new(),
            with_both: 0,
        }
    }

    /// Bytes kept besides the jobs.
    pub(super) fn bytes(&self) -> usize {
        let names = [&self.users, &self.accounts, &self.queues, &self.partitions];
        names.into_iter().map(Names::bytes).sum()
    }

    /// The job of an entry, its submit as time since 1970, and whether a value was repaired.
    pub(super) fn row(
        &mut self,
        entry: Entry<'_>,
        draft: &mut TraceDraft,
    ) -> Result<(LogRow, bool), Fault> {
        let (line, submit) = (entry.line, entry.submit);
        let remark = match entry.status {
            Some(Status::Completed) | None => None,
            Some(Status::Cancelled) => Some(FindingKind::Cancelled),
            Some(Status::Failed) => Some(FindingKind::Failed),
            Some(Status::Unknown) => Some(FindingKind::UnknownStatus),
        };
        if let Some(remark) = remark {
            draft.note(remark, line);
        }
        let is_cancelled = entry.status == Some(Status::Cancelled);
        if !entry.started && is_cancelled {
            draft.note(FindingKind::NeverStarted, line);
        }
        let (runtime, leaves_after) = if entry.started {
            (self.runtime(&entry, draft)?, None)
        } else {
            self.never_ran(&entry, is_cancelled)?
        };
        self.count_nodes(entry.size);
        let (size, other_processors) = self.size(entry.size)?;
        // A job that never starts is allocated nothing.
        let other_processors = other_processors && entry.started;
        if submit < self.last_submit {
            draft.note(FindingKind::OutOfOrder, line);
        }
        self.last_submit = submit;
        if other_processors {
            draft.note(FindingKind::OtherProcessors, line);
        }
        draft.keep(line, &entry.size.fields());
        let row = LogRow {
            number: entry.number,
            submit,
            runtime,
            estimate: entry.estimate,
            size,
            user: self.users.number(entry.user) as u32,
            status: entry.status.unwrap_or_default(),
            wait: entry
                .start
                .filter(|&start| entry.started && submit <= start)
                .map(|start| start - submit)
                .into(),
            leaves_after: leaves_after.map(Box::new),
            line,
            account: unknown_if_zero(self.accounts.number(entry.account)),
            queue: unknown_if_zero(self.queues.number(entry.queue)),
            partition: unknown_if_zero(self.partitions.number(entry.partition)),
            ..LogRow::default()
        };
        Ok((row, other_processors))
    }

    /// The run time of a job that started.
    fn runtime(&self, entry: &Entry<'_>, draft: &mut TraceDraft) -> Result<Span, Fault> {
        if let Some(start) = entry.start {
            if start < PLAUSIBLE && entry.submit >= PLAUSIBLE {
                return Err((FindingKind::StartTooEarly, Some(self.fields.start)));
            }
            if start < entry.submit {
                draft.note(FindingKind::StartBeforeSubmit, entry.line);
            }
        }
        match (entry.elapsed, entry.start, entry.end) {
            (Some(elapsed), ..) => Ok(elapsed),
            (None, Some(start), Some(end)) if start <= end => Ok(end - start),
            (None, Some(_), Some(_)) => Err((FindingKind::OutOfRange, Some(self.fields.end))),
            _ => Ok(Span(0)),
        }
    }

    /// The run time of a job that never started, and when it leaves the queue, where such jobs are
    /// taken.
    fn never_ran(
        &self,
        entry: &Entry<'_>,
        is_cancelled: bool,
    ) -> Result<(Span, Option<Span>), Fault> {
        let replaced = is_cancelled && self.cancelled != Cancelled::Drop;
        if !replaced || entry.estimate == Span(0) {
            return Err((FindingKind::NoRunTime, Some(self.fields.start)));
        }
        if self.cancelled != Cancelled::Leave {
            return Ok((entry.estimate, None));
        }
        let end = entry.end.filter(|&end| entry.submit <= end);
        let end = end.ok_or((FindingKind::NoWaitTime, Some(self.fields.end)))?;
        Ok((entry.estimate, Some(end - entry.submit)))
    }

    /// Counts whether a job takes whole nodes.
    fn count_nodes(&mut self, size: Size) {
        let (Some(processors), Some(nodes)) = (size.allocated.or(size.requested), size.nodes)
        else {
            return;
        };
        self.with_both += 1;
        let is_whole = processors.checked_rem(nodes) == Some(0);
        if is_whole && self.by_processors.len() < MOST_KINDS_OF_NODES {
            *self.by_processors.entry(processors / nodes).or_default() += 1;
        }
    }

    /// How many jobs take whole nodes; `None` where nodes are the sizes, or where the commonest job
    /// takes one processor of each.
    fn whole_nodes(&self) -> Option<WholeNodes> {
        let counts = self.by_processors.iter();
        let (&processors, &jobs) = counts.max_by_key(|&(_, jobs)| jobs)?;
        let of = self.with_both;
        (processors > 1 && self.processors != Processors::Nodes).then_some(WholeNodes {
            processors,
            jobs,
            of,
        })
    }

    /// The size of a job, and whether it is from another field than usual.
    fn size(&self, size: Size) -> Result<(u32, bool), Fault> {
        if self.processors == Processors::Nodes || size.in_nodes {
            return Ok((size.nodes.ok_or((FindingKind::NoNodes, None))?, false));
        }
        let (allocated, requested) = (size.allocated, size.requested);
        let (first, second) = match self.processors {
            Processors::ReqThenAlloc => (requested, allocated),
            Processors::Max => (allocated.max(requested), None),
            Processors::AllocThenReq | Processors::Nodes => (allocated, requested),
        };
        let size = first.or(second);
        let size = size.ok_or((FindingKind::NoProcessors, None))?;
        Ok((size, first.is_none()))
    }

    /// Shifts time to start with the first submit and names what jobs refer to by number.
    pub(super) fn finish(&mut self, draft: &mut TraceDraft) {
        let labels = &mut draft.labels;
        labels.user_hashes = std::mem::take(&mut self.users).hashes();
        labels.accounts = std::mem::take(&mut self.accounts).into_labels();
        labels.queues = std::mem::take(&mut self.queues).into_labels();
        labels.partitions = std::mem::take(&mut self.partitions).into_labels();
        draft.whole_nodes = self.whole_nodes();
        let Some(first) = draft.rows.iter().map(|row| row.submit).min() else {
            return;
        };
        for row in &mut draft.rows {
            row.submit = Time((row.submit - first).0);
        }
        if first >= PLAUSIBLE {
            let begins = (first.0 / MICROS).to_string();
            let entries = &mut draft.header.entries;
            entries.push(("UnixStartTime".to_owned(), begins));
        }
        if self.without_zone {
            draft.report.warnings.push(
                "times without a zone are taken as UTC: an hour is missing or double where clocks change"
                    .to_owned(),
            );
        }
    }
}

/// Names, numbered from 1 in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: BTreeMap<Vec<u8>, i32>,
    /// The last name and its number: the next job often has the same.
    last: (Vec<u8>, i32),
    /// Bytes of the names.
    bytes: usize,
}

impl Names {
    /// The number of a name; 0 of an empty one.
    pub(super) fn number(&mut self, name: &[u8]) -> i32 {
        if name.is_empty() {
            return 0;
        }
        if name == self.last.0 {
            return self.last.1;
        }
        let next = self.numbers.len() as i32 + 1;
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                self.bytes += name.len();
                *self.numbers.entry(name.into()).or_insert(next)
            }
        };
        self.last.0.clear();
        self.last.0.extend_from_slice(name);
        self.last.1 = number;
        number
    }

    fn bytes(&self) -> usize {
        bytes_of_entries::<(Vec<u8>, i32)>(self.numbers.len()) + self.bytes
    }

    /// What to know a name by without keeping it, in order of numbers.
    fn hashes(self) -> Vec<u64> {
        let mut hashes = vec![0; self.numbers.len()];
        for (name, number) in self.numbers {
            hashes[number as usize - 1] = Labels::hash(&name);
        }
        hashes
    }

    fn into_labels(self) -> BTreeMap<i32, String> {
        let names = self.numbers.into_iter();
        let label =
            |(name, number): (Vec<u8>, i32)| (number, String::from_utf8_lossy(&name).into_owned());
        names.map(label).collect()
    }
}

fn unknown_if_zero(number: i32) -> i32 {
    if number == 0 { UNKNOWN } else { number }
}
