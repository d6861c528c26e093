//! A trace: the jobs of a log or job list as the file has them.
//!
//! Invariants: jobs are in order of (submit time, line); there is at least one; the report
//! balances.

use crate::sorting;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::choice::choices;
use serde::Serialize;

use super::labels::Labels;
use super::report::Report;
use super::usage::UseOverTime;
use crate::over_time::CalendarStart;
use crate::unit::{Kbps, MICROS, Span, Time};

choices! {
    /// Which column of a log is a job's size.
    pub enum Processors {
        AllocThenReq = "alloc-then-req", "Allocated, else requested",
            "Processors allocated, or requested where none are recorded.",
            "";
        ReqThenAlloc = "req-then-alloc", "Requested, else allocated",
            "Processors requested, or allocated where no request is recorded.",
            "";
        Max = "max", "The larger of both",
            "The larger of processors allocated and requested.",
            "";
        Nodes = "nodes", "Nodes",
            "Nodes as the log names them: in field 21 as name:word:2500x112, or in a column of sacct. A job without is left out.",
            "";
    }
}

choices! {
    /// How jobs of a log are treated that were cancelled before they started.
    pub enum Cancelled {
        Drop = "drop", "Leave out",
            "Left out; where the log says that one ran for zero seconds, it is a job of zero seconds.",
            "";
        Run = "run", "Run as requested",
            "They run for the time that they requested, as if nobody had cancelled them.",
            "";
        Leave = "leave", "Leave the queue",
            "They leave the queue after as long as they waited in the log, and are counted apart. One that is started before runs for the time that it requested.",
            "";
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(ts_rs::TS)]
#[ts(rename = "TraceFormat")]
pub enum Format {
    /// A log in the Standard Workload Format or, if its header says so, Slurm accounting.
    Swf,
    /// A job list with a heading line.
    Csv,
}

impl Format {
    /// The format by a file's name: a job list if it ends in `.csv` or `.csv.gz`.
    pub fn of_name(name: &str) -> Format {
        let name = name.to_ascii_lowercase();
        if name.strip_suffix(".gz").unwrap_or(&name).ends_with(".csv") {
            Format::Csv
        } else {
            Format::Swf
        }
    }
}

/// How long a job waited, or that it is unknown, in eight bytes: there may be millions of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RecordedWait(u64);

impl RecordedWait {
    /// The wait, if it is known.
    pub fn get(self) -> Option<Span> {
        (self.0 != u64::MAX).then_some(Span(self.0))
    }
}

impl From<Option<Span>> for RecordedWait {
    fn from(wait: Option<Span>) -> RecordedWait {
        RecordedWait(wait.map_or(u64::MAX, |wait| wait.0))
    }
}

impl fmt::Debug for RecordedWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A job as the file has it. Rare fields are boxed, so that millions of jobs take little memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// The number the file gives it.
    pub number: u64,
    /// When it was submitted.
    pub submit: Time,
    /// Its run time.
    pub runtime: Span,
    /// The runtime that its user estimated; zero if there is no estimate.
    pub estimate: Span,
    /// The requested bandwidth; zero in a file without that column.
    pub bandwidth: Kbps,
    /// The jobs that must end before it is submitted, where there are any.
    pub preceding: Option<Box<Preceding>>,
    /// Its processors, at least one.
    pub size: u32,
    /// The user who submitted it; 0 if unknown.
    pub user: u32,
    /// How it ended.
    pub status: Status,
    /// How long it waited from its submit to its start, as recorded; `None` if that is not recorded
    /// or it never started.
    pub wait: RecordedWait,
    /// How long it waits before it leaves the queue; `None` if it waits until it starts.
    pub leaves_after: Option<Box<Span>>,
    /// The number of the account or group that it belongs to; [`UNKNOWN`] if there is none.
    pub account: i32,
    /// The number of its queue, likewise.
    pub queue: i32,
    /// The number of its partition, likewise.
    pub partition: i32,
    /// Whether it belongs to one of the trace's flurries.
    pub in_flurry: bool,
    /// Its line, counted from 1.
    pub line: u32,
}

/// The number of an account, queue or partition that the file does not name.
pub const UNKNOWN: i32 = -1;

impl Default for LogRow {
    /// A job of one processor of which nothing else is known.
    fn default() -> LogRow {
        LogRow {
            number: 0,
            submit: Time(0),
            runtime: Span(0),
            estimate: Span(0),
            bandwidth: Kbps(0),
            preceding: None,
            size: 1,
            user: 0,
            status: Status::Unknown,
            wait: None.into(),
            leaves_after: None,
            account: UNKNOWN,
            queue: UNKNOWN,
            partition: UNKNOWN,
            in_flurry: false,
            line: 0,
        }
    }
}

/// The jobs that must end before another one is submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preceding {
    /// Their numbers, at least one.
    pub numbers: Box<[u64]>,
    /// The time between the last of their ends and the submit of the other one.
    pub think: Span,
}

/// How a job of a log ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Not specified.
    #[default]
    Unknown,
    /// It failed: status 0.
    Failed,
    /// It ran to its end: status 1.
    Completed,
    /// It was cancelled, perhaps after it ran for a while: status 5.
    Cancelled,
}

impl Status {
    /// The status that a log writes as this number.
    pub fn of_code(code: i64) -> Status {
        match code {
            0 => Status::Failed,
            1 => Status::Completed,
            5 => Status::Cancelled,
            _ => Status::Unknown,
        }
    }

    /// The number that a log writes for it.
    pub fn code(self) -> i64 {
        match self {
            Status::Unknown => -1,
            Status::Failed => 0,
            Status::Completed => 1,
            Status::Cancelled => 5,
        }
    }
}

/// The comments at the head of a log, as `Key: value` pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Header {
    /// Keys and values in the order of the file; a key may repeat.
    pub entries: Vec<(String, String)>,
}

impl Header {
    /// The first value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let mut entries = self.entries.iter();
        entries.find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// The first whole number in the value of `key`, as in `338 (batch partition)` or `1,152`.
    pub fn count(&self, key: &str) -> Option<u64> {
        first_count(self.get(key)?)
    }
}

/// The first whole number in a text; commas may part its digits in threes.
pub fn first_count(text: &str) -> Option<u64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let mut runs = text[start..].split(|c: char| !c.is_ascii_digit() && c != ',');
    let mut groups = runs.next()?.split(',');
    let mut digits = groups.next()?.to_owned();
    if (1..=3).contains(&digits.len()) {
        digits.extend(groups.take_while(|group| group.len() == 3));
    }
    digits.parse().ok()
}

/// The source of the size of the log's machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MachineSource {
    /// The user.
    Given,
    /// The header's `MaxProcs`.
    MaxProcs,
    /// The header's `MaxNodes`.
    MaxNodes,
    /// The most processors in use at once by the log's own start and run times: more than the
    /// header states, or it states none.
    InUse,
    /// The largest job, if there is no better source.
    LargestJob,
}

/// A burst of one user's similar jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flurry {
    /// The user's number in the log.
    pub user: u32,
    /// Processors of each job.
    pub size: u32,
    /// The number of jobs.
    pub jobs: usize,
    /// The first submit.
    pub first: Time,
    /// The last submit.
    pub last: Time,
}

/// The jobs of a file and the account of how it was read.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The file's name.
    pub name: String,
    /// What the file holds.
    pub format: Format,
    /// SHA-256 of the decompressed bytes, in hexadecimal.
    pub sha256: String,
    /// The jobs by (submit time, line), shared with the runs that read them.
    pub rows: Arc<Vec<LogRow>>,
    /// The bursts of one user's similar jobs, the one with the most jobs first.
    pub flurries: Vec<Flurry>,
    /// Whether the file gives bandwidths.
    pub has_bandwidth: bool,
    /// Processors of the log's own machine.
    pub machine: u32,
    /// The source of `machine`.
    pub machine_source: MachineSource,
    /// How many jobs take whole nodes, where their sizes are processors and the log counts both.
    pub whole_nodes: Option<WholeNodes>,
    /// The comments at the head of the file.
    pub header: Header,
    /// The names behind the numbers of its users, accounts, queues and partitions.
    pub labels: Labels,
    /// How each line was read.
    pub report: Report,
    /// The use of the machine over time, once it was asked for.
    pub usage: Arc<OnceLock<UseOverTime>>,
}

/// The jobs of a log that take whole nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WholeNodes {
    /// The commonest number of processors a node, at least 2.
    pub processors: u32,
    /// Jobs with that many on each of their nodes.
    pub jobs: u64,
    /// Jobs of which the log says both.
    pub of: u64,
}

impl WholeNodes {
    /// Whether so many jobs take whole nodes, 95 %, that nodes are what the machine is made of.
    pub fn is_usual(&self) -> bool {
        20 * self.jobs >= 19 * self.of
    }

    /// Their share of the jobs in whole per cent, rounded down.
    pub fn percent(&self) -> u64 {
        100 * self.jobs / self.of
    }
}

/// A trace in a few numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Jobs.
    pub jobs: u64,
    /// Processors of the log's own machine.
    pub machine: u32,
    /// First submit time in seconds.
    pub first_submit_s: f64,
    /// From the first submit time to the last, in seconds.
    pub span_s: f64,
    /// Mean time between submits in seconds.
    pub mean_interarrival_s: f64,
    /// Mean size.
    pub mean_size: f64,
    /// Largest size.
    pub largest_size: u32,
    /// Share of jobs of one processor.
    pub serial_share: f64,
    /// Share of jobs whose size is a power of two, one included.
    pub power_of_two_share: f64,
    /// Mean run time in seconds.
    pub mean_runtime_s: f64,
    /// Median run time in seconds.
    pub median_runtime_s: f64,
    /// Longest run time in seconds.
    pub longest_runtime_s: f64,
    /// Σ size · run time over machine · span, without jobs that may leave the queue; `None` if the
    /// span is zero.
    pub offered_load: Option<f64>,
}

impl Trace {
    /// Where its time 0 lies in the calendar of its own time zone; on a Monday, 00:00, where the
    /// header does not say when the log begins.
    pub fn calendar(&self) -> CalendarStart {
        const DAY: i64 = 86_400;
        let Some(local) = self.begins_in_zone() else {
            return CalendarStart::default();
        };
        let day = local.div_euclid(DAY);
        // 1 January 1970 was a Thursday.
        let monday = day - (day + 3).rem_euclid(7);
        CalendarStart {
            since_monday: Span((local - monday * DAY) as u64 * MICROS),
            monday: Some(monday),
        }
    }

    /// Time 0 in seconds since 1970 (UTC), if the header says it.
    pub fn begins(&self) -> Option<i64> {
        let begins = self.header.count("UnixStartTime")?;
        i64::try_from(begins).ok().filter(|&at| at > 0)
    }

    /// The same by the log's own time zone.
    pub fn begins_in_zone(&self) -> Option<i64> {
        self.begins().map(|begins| begins + self.zone_s())
    }

    /// The log's time zone, in seconds east of Greenwich; 0 where the header does not say it.
    pub(crate) fn zone_s(&self) -> i64 {
        const DAY: i64 = 86_400;
        let zone = self
            .header
            .get("TimeZone")
            .and_then(|zone| zone.parse().ok());
        zone.filter(|zone| (-DAY..=DAY).contains(zone)).unwrap_or(0)
    }

    /// The first `count` jobs in a few numbers.
    pub fn summary(&self, count: usize) -> Summary {
        let rows = &self.rows[..count.min(self.rows.len())];
        let jobs = rows.len() as f64;
        let mean = |sum: u128| sum as f64 / jobs;
        let share =
            |test: fn(&LogRow) -> bool| rows.iter().filter(|row| test(row)).count() as f64 / jobs;
        let first = rows.first().map_or(Time(0), |row| row.submit);
        let span = rows.last().map_or(Time(0), |row| row.submit) - first;
        let mut runtimes: Vec<Span> = rows.iter().map(|row| row.runtime).collect();
        sorting::by_number(&mut runtimes, |runtime| runtime.0);
        let area: u128 = rows.iter().map(LogRow::area).sum();
        let supply = u128::from(self.machine) * u128::from(span.0);
        Summary {
            jobs: rows.len() as u64,
            machine: self.machine,
            first_submit_s: first.seconds(),
            span_s: span.seconds(),
            mean_interarrival_s: span.seconds() / (jobs - 1.0).max(1.0),
            mean_size: mean(rows.iter().map(|row| u128::from(row.size)).sum()),
            largest_size: rows.iter().map(|row| row.size).max().unwrap_or(0),
            serial_share: share(|row| row.size == 1),
            power_of_two_share: share(|row| row.size.is_power_of_two()),
            mean_runtime_s: mean(runtimes.iter().map(|run| u128::from(run.0)).sum())
                / MICROS as f64,
            median_runtime_s: runtimes
                .get(rows.len() / 2)
                .map_or(0.0, |run| run.seconds()),
            longest_runtime_s: runtimes.last().map_or(0.0, |run| run.seconds()),
            offered_load: (supply > 0).then(|| area as f64 / supply as f64),
        }
    }
}

impl LogRow {
    /// When it started, if that is recorded.
    pub fn start(&self) -> Option<Time> {
        self.wait.get().map(|wait| self.submit + wait)
    }

    /// Its part of the offered load: size times run time, in processor-microseconds. 0 for a job
    /// that may leave the queue, as in the log it never ran.
    pub fn area(&self) -> u128 {
        let runs = self.leaves_after.is_none();
        u128::from(runs) * u128::from(self.size) * u128::from(self.runtime.0)
    }
}
