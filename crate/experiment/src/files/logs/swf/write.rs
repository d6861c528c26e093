//! Logs in the Standard Workload Format as text.

use std::fmt::Write as _;

use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::trace::{Header, LogRow, Status};

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
                .map_or(Vec::new(), |before| before.numbers.clone()),
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
                    wait: row.wait,
                },
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
            LineOutcome::Logged { status, wait } => {
                let run = seconds(line.runtime);
                let wait = wait.map_or("-1".into(), seconds);
                (wait, run, i64::from(size), status.code())
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
        let preceding = match &line.preceding[..] {
            [] => "-1".into(),
            numbers => {
                let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
                numbers.join("&")
            }
        };
        let think = match line.think {
            Span(0) if line.preceding.is_empty() => "-1".into(),
            think => seconds(think),
        };
        let [group, queue, partition] = line.labels;
        // `write!` to a string does not fail.
        let _ = writeln!(
            text,
            "{number} {submit} {wait} {run} {allocated} -1 -1 {size} {estimate} -1 {status} {user} {group} -1 {queue} {partition} {preceding} {think}"
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
