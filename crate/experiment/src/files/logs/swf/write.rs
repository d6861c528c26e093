//! Logs in the Standard Workload Format as text.

use std::fmt::Write as _;

use super::super::details::{Details, Fields};
use super::super::draft::MAX_SECONDS;
use super::fields::{
    ALLOCATED, APPLICATION, ESTIMATE, MEMORY, PRECEDING, PROCESSOR_TIME, REQUESTED,
    REQUESTED_MEMORY, RUN, STATUS, SUBMIT, THINK, USER, WAIT,
};
use backfill_sim::unit::{self, MICROS, Span, Time};
use backfill_sim::workload::Processors;
use backfill_sim::workload::trace::{Header, LogRow, Status, Trace};

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
    /// As in the log from which it is copied.
    Logged {
        /// How it ended.
        status: Status,
        /// From its submit to its start, where that is recorded.
        wait: Option<Span>,
    },
}

/// A job as a line of a log.
#[derive(Clone, Debug, PartialEq)]
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
    /// The numbers of the jobs that must end before it is submitted.
    pub preceding: Vec<u64>,
    /// The time between the last of their ends and its submit.
    pub think: Span,
    /// The user who submits it; zero if unknown.
    pub user: u32,
    /// The numbers of its group, queue and partition; −1 where there is none.
    pub labels: [i32; 3],
    /// Its outcome.
    pub outcome: LineOutcome,
    /// The fields of its line in the file, where they are kept.
    pub recorded: Option<Box<Fields>>,
}

impl From<&LogRow> for SwfLine {
    fn from(row: &LogRow) -> SwfLine {
        SwfLine {
            number: row.number,
            submit: row.submit,
            size: row.size,
            runtime: row.runtime,
            estimate: row.estimate,
            preceding: row
                .preceding
                .as_ref()
                .map_or(Vec::new(), |before| before.numbers.to_vec()),
            think: row
                .preceding
                .as_ref()
                .map_or(Span(0), |before| before.think),
            user: row.user,
            labels: [row.account, row.queue, row.partition],
            outcome: match row.leaves_after.as_deref() {
                Some(&wait) => LineOutcome::Left { wait },
                None => LineOutcome::Logged {
                    status: row.status,
                    wait: row.wait.get(),
                },
            },
            recorded: None,
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
        text.push_str(&line.fields().join(" "));
        text.push('\n');
    }
    text
}

impl SwfLine {
    /// The line of a job of a trace, with what its file says of it that no simulation reads. Sizes
    /// that are nodes replace the processors of the file.
    pub fn with_details(row: &LogRow, details: &Details, processors: Processors) -> SwfLine {
        let mut recorded = details.of_line(row.line);
        if let Some(fields) = &mut recorded {
            let (allocated, requested) = (fields[ALLOCATED], fields[REQUESTED]);
            let either = |first: f64, second: f64| if first > 0.0 { first } else { second };
            let recorded = match processors {
                Processors::AllocThenReq => either(allocated, requested),
                Processors::ReqThenAlloc => either(requested, allocated),
                Processors::Max => allocated.max(requested),
                Processors::Nodes => -1.0,
            };
            // Parts of a job may be joined in a row.
            let size = f64::from(row.size);
            if recorded != size {
                (fields[ALLOCATED], fields[REQUESTED]) = (size, size);
            }
        }
        SwfLine {
            recorded: recorded.map(Box::new),
            ..SwfLine::from(row)
        }
    }

    /// The 18 fields.
    fn fields(&self) -> [String; 18] {
        let fields = self.recorded.as_deref();
        let file = |field: usize| fields.map_or(-1.0, |fields| fields[field]);
        let micros_of = |seconds: f64| unit::round(seconds.max(0.0) * MICROS as f64);
        // As the file has it, if that is the same.
        let same = |field: usize, span: Span| {
            if file(field) >= 0.0 && micros_of(file(field)) == span.0 {
                number(file(field))
            } else {
                seconds(span)
            }
        };
        let size = f64::from(self.size);
        let (wait, run, allocated, status) = match self.outcome {
            LineOutcome::Ran { wait } => (Some(wait), same(RUN, self.runtime), size, 1),
            LineOutcome::Left { wait } => (Some(wait), number(file(RUN)), -1.0, 5),
            LineOutcome::NeverRan => (None, "-1".into(), -1.0, 5),
            LineOutcome::Logged { status, wait } => {
                (wait, same(RUN, self.runtime), size, status.code())
            }
        };
        let (allocated, requested) = match fields {
            Some(fields) => (fields[ALLOCATED], fields[REQUESTED]),
            None => (allocated, size),
        };
        let status = match file(STATUS) {
            code if fields.is_some() && Status::of_code(code as i64).code() == status => code,
            _ => status as f64,
        };
        // As the line is read again.
        let never_started = status == 5.0 && self.runtime == Span(0) && allocated <= 0.0;
        let user = match file(USER) {
            user if user as u32 == self.user => user,
            _ => f64::from(self.user),
        };
        let [group, queue, partition] = self.labels.map(|label| label.to_string());
        let preceding = match &self.preceding[..] {
            [] => number(file(PRECEDING).min(0.0)),
            numbers => {
                let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
                numbers.join("&")
            }
        };
        let think = if self.preceding.is_empty() {
            number(file(THINK))
        } else {
            same(THINK, self.think)
        };
        [
            self.number.to_string(),
            same(SUBMIT, self.submit - Time(0)),
            match wait {
                Some(wait) => same(WAIT, wait),
                // That of one of several partial executions, or of a job that never started and is
                // said to run, is not the wait of the job that the line tells of.
                None if !never_started && (0.0..=MAX_SECONDS).contains(&file(WAIT)) => "-1".into(),
                None => number(file(WAIT)),
            },
            run,
            number(allocated),
            number(file(PROCESSOR_TIME)),
            number(file(MEMORY)),
            number(requested),
            match (self.estimate, self.outcome) {
                // Without an estimate, that it left would not be read.
                (Span(0), LineOutcome::Left { .. }) if fields.is_none() => "0".into(),
                (Span(0), _) => number(file(ESTIMATE)),
                (estimate, _) => same(ESTIMATE, estimate),
            },
            number(file(REQUESTED_MEMORY)),
            number(status),
            number(user),
            group,
            number(file(APPLICATION)),
            queue,
            partition,
            preceding,
            think,
        ]
    }
}

/// The header of a trace that becomes a log, with the names behind its numbers.
pub fn header_of(trace: &Trace) -> Header {
    let mut header = trace.header.clone();
    let labels = [
        ("Account", &trace.labels.accounts),
        ("Queue", &trace.labels.queues),
        ("Partition", &trace.labels.partitions),
    ];
    for (key, names) in labels {
        if header.get(key).is_none() {
            let named = names
                .iter()
                .map(|(number, name)| (key.to_owned(), format!("{number} {name}")));
            header.entries.extend(named);
        }
    }
    header
}

/// A number with as few digits as it needs.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        (value as i64).to_string()
    } else {
        value.to_string()
    }
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
