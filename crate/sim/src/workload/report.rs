//! How a reader treated every line: no line is dropped silently.
//!
//! Each line is accepted, repaired, rejected, folded into another line's job, a comment or blank.
//! Invariants: `read` is the sum of the six; `accepted + repaired` is the number of jobs, except
//! for lines of several array tasks. A rejected line has exactly one kind of reject; an accepted or
//! repaired one may carry any number of remarks.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// The number of lines kept for a finding.
const PLACES: usize = 5;

/// The most characters of an example line.
const EXAMPLE_CHARS: usize = 120;

/// What a finding did to its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(ts_rs::TS)]
#[ts(rename = "FindingVerdict")]
pub enum Verdict {
    /// The line gives no job.
    Reject,
    /// The line gives a job with a repaired value.
    Repair,
    /// The line is accepted unchanged.
    Remark,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $verdict:ident $kind:ident: $text:literal $(=> $remedy:literal)?,)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum FindingKind {
            $($(#[$doc])* $kind,)*
        }

        impl FindingKind {
            /// What a finding of this kind does to its line.
            pub fn verdict(self) -> Verdict {
                match self {
                    $(FindingKind::$kind => Verdict::$verdict,)*
                }
            }

            /// The kind in words.
            pub fn text(self) -> &'static str {
                match self {
                    $(FindingKind::$kind => $text,)*
                }
            }

            /// What to do about it, where that is more than to mend the line.
            pub fn remedy(self) -> Option<&'static str> {
                let remedy: &[&str] = match self {
                    $(FindingKind::$kind => &[$($remedy)?],)*
                };
                remedy.first().copied()
            }
        }
    };
}

kinds! {
    /// Fewer fields than the format has or, in a job list, more.
    Reject FieldCount: "wrong number of fields",
    /// A field that is no finite decimal number.
    Reject NotANumber: "not a number",
    /// A fraction where the format has a whole number.
    Reject FractionInInteger: "fraction where a whole number belongs",
    /// A value beyond what its field can hold.
    Reject OutOfRange: "value out of range",
    /// No submit time.
    Reject NoSubmitTime: "no submit time",
    /// No positive number of processors, neither allocated nor requested.
    Reject NoProcessors: "no processors",
    /// No positive number of nodes, where nodes are the sizes.
    Reject NoNodes: "no nodes"
        => "read the file with another value of processors, such as alloc-then-req",
    /// No run time: the job never ran or its run time is unknown.
    Reject NoRunTime: "no run time"
        => "give run times, or take cancelled jobs that have an estimate with cancelled=run or cancelled=leave",
    /// No wait time of a job that is to leave the queue after it.
    Reject NoWaitTime: "no wait time"
        => "read the file with cancelled=run, which needs no wait times",
    /// The job had not ended when the log was written.
    Reject NotEnded: "not ended when the log was written"
        => "print the log again once these jobs have ended",
    /// Tasks of an array that share one line because none of them has started.
    Reject WaitingTasks: "tasks of an array that never started"
        => "print the log again once these tasks have ended",
    /// Such tasks whose list `sacct` has cut short.
    Reject CutTasks: "list of an array's tasks cut short"
        => "print the log with SLURM_BITSTR_LEN=0 in the environment of sacct",
    /// More such tasks on a line, or on the lines so far, than are taken.
    Reject TooManyTasks: "more tasks of arrays than are taken"
        => "read the file with cancelled=drop",
    /// A step whose job has no line.
    Reject StepWithoutJob: "step of a job that is not in the log"
        => "print the log with the lines of jobs, as `sacct --allocations` does",
    /// A start before 1990 of a job that was submitted later: its times say nothing.
    Reject StartTooEarly: "start before 1990"
        => "give the time at which it started, or leave the line out",
    /// A line with more fields than columns, whose names or comments may hold the separator.
    Reject AmbiguousFields: "more fields than columns, and several of them may hold a `|`"
        => "print the log without JobName, SubmitLine, WorkDir, Comment and Constraints, or with one of them only",
    /// A value that is not of the form that its column has.
    Reject Malformed: "value of another form than its column has"
        => "print the log with `sacct --parsable2` and without SLURM_TIME_FORMAT",
    /// The preferred number of processors is missing and the other one was taken.
    Repair OtherProcessors: "processors taken from the other field",
    /// A time with a fraction finer than a microsecond was rounded.
    Repair TimeRounded: "time rounded to a microsecond",
    /// A job assembled from its partial executions, as the log has no summary of it.
    Repair BuiltFromPartials: "built from partial executions",
    /// A run time of zero: the job ends at the instant it starts.
    Remark ZeroRunTime: "run time of zero",
    /// No number of allocated processors.
    Remark NoAllocated: "no allocated processors",
    /// No number of requested processors.
    Remark NoRequested: "no requested processors",
    /// Allocated and requested processors differ.
    Remark AllocatedDiffers: "allocated and requested processors differ",
    /// More processors than the log's own machine has.
    Remark LargerThanMachine: "larger than the machine of the log",
    /// A start before the submit.
    Remark StartBeforeSubmit: "start before the submit",
    /// A run time of more than a year.
    Remark RanOverAYear: "ran for over a year",
    /// A field that is no number, and that no simulation reads: it counts as unknown.
    Remark UnreadableField: "a field that is not needed is no number, and unknown",
    /// No estimate: the run time replaces it.
    Remark NoEstimate: "no estimate",
    /// The run time is longer than the estimate.
    Remark Overrun: "ran longer than estimated",
    /// The run time is more than a minute longer than the estimate.
    Remark OverrunByAMinute: "ran over a minute longer than estimated",
    /// Fields behind those of the format.
    Remark FurtherFields: "more fields than the format has",
    /// A further field that names the nodes of the job.
    Remark NodesNamed: "nodes named in field 21",
    /// The average processor time is longer than the run time.
    Remark ProcessorTimeOverRun: "processor time above run time",
    /// Submitted before the job of the line above; jobs are sorted by submit time.
    Remark OutOfOrder: "out of order by submit time",
    /// A job number seen before.
    Remark DuplicateNumber: "duplicate job number",
    /// Tasks of an array that are on one line: each is a job.
    Remark TasksOnOneLine: "tasks of an array on one line",
    /// A job that an earlier line printed, too: it is taken once.
    Remark Repeated: "job printed before, taken once",
    /// A preceding job that is not among the jobs before.
    Remark UnknownPreceding: "preceding job unknown",
    /// The job failed.
    Remark Failed: "status 0, failed",
    /// The job was cancelled.
    Remark Cancelled: "status 5, cancelled",
    /// The job was cancelled before it started.
    Remark NeverStarted: "cancelled before it started",
    /// A status that the format does not define.
    Remark UnknownStatus: "unknown status",
    /// The partial executions of a job do not add up to the run time of its summary.
    Remark PartialsDiffer: "partial executions do not add up to the summary",
}

impl FindingKind {
    /// Whether the text of a line explains it: lines that are read as they are may name users.
    fn has_example(self) -> bool {
        self.verdict() != Verdict::Remark || self == FindingKind::FurtherFields
    }

    /// What was done about it.
    pub fn done(self) -> &'static str {
        match (self, self.verdict()) {
            (_, Verdict::Reject) => "left out",
            (FindingKind::OtherProcessors, _) => "repaired: the other field is the size",
            (FindingKind::TimeRounded, _) => "repaired: rounded",
            (FindingKind::BuiltFromPartials, _) => "repaired: joined into one job",
            (_, Verdict::Repair) => "repaired",
            (FindingKind::NoEstimate, _) => "run time taken as the estimate",
            (FindingKind::FurtherFields, _) => "ignored, except for nodes in field 21",
            (FindingKind::OutOfOrder, _) => "jobs sorted by submit time",
            (FindingKind::TasksOnOneLine, _) => "each task taken as a job",
            (FindingKind::Repeated, _) => "taken once",
            (FindingKind::UnknownPreceding, _) => "job waits for no other",
            (FindingKind::NeverStarted, _) => "by the setting for cancelled jobs",
            (FindingKind::PartialsDiffer, _) => "the summary is taken",
            (_, Verdict::Remark) => "noted, nothing changed",
        }
    }
}

/// The position of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The field; `None` if the finding is about the whole line.
    pub field: Option<&'static str>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.field {
            Some(field) => write!(f, " ({field})"),
            None => Ok(()),
        }
    }
}

/// The text of a line with a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct ExampleLine {
    /// The line, counted from 1.
    pub line: u32,
    /// Its first 120 characters; "…" follows where there are more.
    pub text: String,
}

impl ExampleLine {
    fn new(line: u32, text: &[u8]) -> ExampleLine {
        // A character has four bytes at most.
        let start = &text[..text.len().min(4 * (EXAMPLE_CHARS + 1))];
        let start = String::from_utf8_lossy(start).replace('\t', " ");
        let mut text: String = start.chars().take(EXAMPLE_CHARS).collect();
        if text.len() < start.len() {
            text.push('…');
        }
        let text = text.replace(char::is_control, "\u{fffd}");
        ExampleLine { line, text }
    }
}

/// The count of a kind of finding, and its first positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The treatment of the lines.
    pub verdict: Verdict,
    /// The kind in words.
    pub text: &'static str,
    /// The number of lines.
    pub count: u64,
    /// The first five of them.
    pub positions: Vec<Position>,
    /// One of them; `None` for most remarks, and if it was found only after the text had passed.
    pub example: Option<ExampleLine>,
}

/// The account of a whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Lines of the file.
    pub read: u64,
    /// Lines accepted unchanged.
    pub accepted: u64,
    /// Lines that give a job after a repair.
    pub repaired: u64,
    /// Lines that give no job.
    pub rejected: u64,
    /// Lines of partial executions, steps, components or repetitions that belong to another line's
    /// job.
    pub folded: u64,
    /// Comment and heading lines.
    pub comments: u64,
    /// Blank lines.
    pub blank: u64,
    /// The total microseconds for which jobs ran longer than estimated.
    pub overrun_us: u64,
    /// The findings, rejects first.
    pub findings: Vec<Finding>,
    /// What is odd about the file as a whole, in sentences.
    pub warnings: Vec<String>,
}

impl Report {
    /// The count of `kind`.
    pub fn count(&self, kind: FindingKind) -> u64 {
        let found = self.findings.iter().find(|finding| finding.kind == kind);
        found.map_or(0, |finding| finding.count)
    }

    /// Lines that are neither comment nor blank.
    pub fn job_lines(&self) -> u64 {
        self.read - self.comments - self.blank
    }

    /// Whether every line is accounted for.
    pub fn balances(&self) -> bool {
        self.read == self.accounted()
    }

    /// Lines accounted for so far.
    fn accounted(&self) -> u64 {
        self.accepted + self.repaired + self.rejected + self.folded + self.comments + self.blank
    }

    /// The most frequent reject or, where there is none, the most frequent repair.
    pub fn worst_fault(&self) -> Option<&Finding> {
        let of_verdict = |verdict| {
            let findings = self.findings.iter();
            most_frequent(findings.filter(move |finding| finding.verdict == verdict))
        };
        of_verdict(Verdict::Reject).or_else(|| of_verdict(Verdict::Repair))
    }
}

/// The finding on the most lines; of those on as many, the first.
fn most_frequent<'a>(
    findings: impl DoubleEndedIterator<Item = &'a Finding>,
) -> Option<&'a Finding> {
    findings.rev().max_by_key(|finding| finding.count)
}

/// Findings while a file is read.
#[derive(Debug, Default)]
pub struct Findings {
    by_kind: BTreeMap<FindingKind, Finding>,
    /// Whether a finding of the current line may lack its example.
    lacks_example: bool,
    /// The number of lines to be accounted for at the end of the file, and the first of them.
    put_off: (u64, Vec<ExampleLine>),
}

impl Findings {
    /// Adds one line to the count of `kind`.
    pub fn add(&mut self, kind: FindingKind, line: u32, field: Option<&'static str>) {
        let finding = self.by_kind.entry(kind).or_insert_with(|| Finding {
            kind,
            verdict: kind.verdict(),
            text: kind.text(),
            count: 0,
            positions: Vec::new(),
            example: None,
        });
        finding.count += 1;
        let positions = &finding.positions;
        let is_late = |last: &Position| last.line <= line;
        if !positions.get(PLACES - 1).is_some_and(is_late) {
            let at = positions.partition_point(|position| position.line <= line);
            finding.positions.insert(at, Position { line, field });
            finding.positions.truncate(PLACES);
        }
        if kind.has_example() && finding.example.is_none() {
            let mut put_off = self.put_off.1.iter();
            finding.example = put_off.find(|example| example.line == line).cloned();
            self.lacks_example |= finding.example.is_none();
        }
    }

    /// Keeps the text of the current line if one of its findings has no example yet, or if `report`
    /// does not account for the line yet.
    pub fn illustrate(&mut self, report: &Report, line: u32, text: &[u8]) {
        if std::mem::take(&mut self.lacks_example) {
            for finding in self.by_kind.values_mut() {
                let mut positions = finding.positions.iter();
                let lacks = finding.kind.has_example() && finding.example.is_none();
                if lacks && positions.any(|position| position.line == line) {
                    finding.example = Some(ExampleLine::new(line, text));
                }
            }
        }
        let (count, lines) = &mut self.put_off;
        if report.accounted() + *count < report.read {
            *count += 1;
            if lines.len() < PLACES {
                lines.push(ExampleLine::new(line, text));
            }
        }
    }

    /// The most frequent reject.
    pub fn worst_reject(&self) -> Option<&Finding> {
        let findings = self.by_kind.values();
        most_frequent(findings.filter(|finding| finding.verdict == Verdict::Reject))
    }

    /// All findings.
    pub fn into_vec(self) -> Vec<Finding> {
        self.by_kind.into_values().collect()
    }
}
