//! Results as files: flat tables, a job list, a log, and everything at once.
//!
//! - [`runs`], [`runs_csv`]: one line for each metric of each run
//! - [`jobs`], [`jobs_csv`], [`jobs_swf`]: one line for each job of one run
//! - [`Document`]: the whole result, to be written as JSON
//! - [`Opened`]: a result that was written as JSON, read back

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::files::logs::swf;
use crate::language::scenario::{Axis, Scenario};
use crate::study::stored::{CORE, StoredOutcome, TraceName};
use crate::study::sweep::{CellOutcome, Point, Results};
use backfill_sim::job::Job;
use backfill_sim::metrics::{METRICS, Metric};
use backfill_sim::record::Outcome;
use backfill_sim::run::Replay;
use backfill_sim::unit::{Span, Time};
use backfill_sim::workload::Trace;
use backfill_sim::workload::trace::{Header, UNKNOWN};

/// The schema version of a [`Document`]. Version 1 listed the values of metrics in the order of its
/// table; since version 2 each is named.
pub const SCHEMA: u32 = 2;

/// The whole result of a scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    /// The schema version.
    pub schema: u32,
    /// The release of the simulator that made it.
    pub core: &'a str,
    /// Every key and its value; swept keys are only in `x` and `y`.
    pub scenario: BTreeMap<&'static str, &'a str>,
    /// The trace, if one was read.
    pub trace: Option<TraceName>,
    /// Fingerprint of all runs; `None` unless all have finished.
    pub digest: Option<String>,
    /// The policies by name; elsewhere by their position here.
    pub policies: Vec<String>,
    /// The values of the x axis; elsewhere by their position here.
    pub x: Vec<&'a str>,
    /// The values of the y axis; elsewhere by their position here.
    pub y: Vec<&'a str>,
    /// The metrics; elsewhere by their names.
    pub metrics: &'static [Metric],
    /// Means over replications with intervals, and differences to the reference.
    pub points: Vec<Point>,
    /// Every run.
    pub outcomes: Vec<&'a CellOutcome>,
}

impl<'a> Document<'a> {
    /// The result of `scenario` on `trace`.
    pub fn new(
        scenario: &'a Scenario,
        results: &'a Results,
        trace: Option<&'a Trace>,
    ) -> Document<'a> {
        Document::naming(scenario, results, trace.map(TraceName::from))
    }

    /// The result of `scenario` on the trace of that name.
    pub fn naming(
        scenario: &'a Scenario,
        results: &'a Results,
        trace: Option<TraceName>,
    ) -> Document<'a> {
        Document {
            schema: SCHEMA,
            core: results.core(),
            scenario: scenario.pairs().collect(),
            trace,
            digest: results.digest(),
            policies: scenario
                .policies()
                .iter()
                .map(ToString::to_string)
                .collect(),
            x: values(scenario.x()),
            y: values(scenario.y()),
            metrics: METRICS,
            points: results.points(),
            outcomes: results.outcomes().collect(),
        }
    }
}

/// The schema version of a result and the release that made it: read first of a [`Document`], as
/// the rest of an unknown version may be anything.
#[derive(Clone, Debug, Deserialize, ts_rs::TS)]
pub struct ResultForm {
    schema: u32,
    /// The release of the simulator that made it.
    pub core: String,
}

impl ResultForm {
    /// Checks that this version can be read here.
    ///
    /// # Errors
    /// A sentence on which versions can, and what to do.
    pub fn check(&self) -> Result<(), String> {
        if (1..=SCHEMA).contains(&self.schema) {
            return Ok(());
        }
        Err(format!(
            "this result has the form {}, and Backfill {CORE} reads the forms 1 to {SCHEMA}: \
             open it with Backfill {}, which made it",
            self.schema, self.core
        ))
    }
}

/// A result that was written as a [`Document`], as far as needed to show it again.
#[derive(Clone, Debug, Deserialize, ts_rs::TS)]
#[ts(rename = "StoredResult")]
pub struct Opened {
    core: String,
    scenario: BTreeMap<String, String>,
    #[serde(default)]
    #[ts(optional)]
    trace: Option<TraceName>,
    digest: Option<String>,
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<MetricName>>")]
    metrics: Vec<MetricName>,
    outcomes: Vec<StoredOutcome>,
}

#[derive(Clone, Debug, Deserialize, ts_rs::TS)]
struct MetricName {
    name: String,
}

impl Opened {
    /// The scenario and its runs, as far as their metrics are known here. The scenario gets the
    /// SHA-256 of its trace if it had none.
    ///
    /// # Errors
    /// A sentence if its scenario is not valid here, or its runs are not those of the scenario.
    pub fn result(self) -> Result<(Scenario, Results), String> {
        let core = self.core;
        let in_version = |letter: char| letter.is_ascii_alphanumeric() || ".-+".contains(letter);
        if core.is_empty() || core.len() > 40 || !core.chars().all(in_version) {
            return Err(
                "the release that made this result has no version: it was changed".to_owned(),
            );
        }
        let mut pairs = self.scenario;
        if let Some(trace) = self.trace {
            let sha256 = pairs.entry("sha256".to_owned()).or_default();
            if sha256.is_empty() {
                *sha256 = trace.sha256;
            }
        }
        let scenario = Scenario::parse(&pairs).map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!(
                "the scenario of this result, which Backfill {core} made, is not valid in Backfill \
                 {CORE}: {}",
                problems.join("; ")
            )
        })?;
        let names: Vec<String> = self.metrics.into_iter().map(|metric| metric.name).collect();
        let mut results = Results::new(&scenario);
        results.made_by(&core);
        for mut outcome in self.outcomes {
            outcome.name(&names);
            results
                .restore(outcome)
                .map_err(|why| format!("{why}; Backfill {core} made this result"))?;
        }
        if results.digest() != self.digest {
            return Err(
                "the digest of this result is not that of its runs: the result was changed"
                    .to_owned(),
            );
        }
        Ok((scenario, results))
    }
}

/// The values of an axis; empty if nothing is swept.
fn values(axis: Option<&Axis>) -> Vec<&str> {
    axis.map_or(Vec::new(), |axis| {
        axis.values.iter().map(String::as_str).collect()
    })
}

/// A metric of a run, as a line of a table.
#[derive(Clone, Copy, Debug)]
pub struct RunLine<'a> {
    /// The policy, by its position in the scenario.
    pub policy: usize,
    /// The value of the x axis; empty if nothing is swept.
    pub x: &'a str,
    /// The value of the y axis; empty if there is none.
    pub y: &'a str,
    /// The replication.
    pub replication: u32,
    /// The metric.
    pub metric: &'static Metric,
    /// Its value; `None` if not defined.
    pub value: Option<f64>,
}

/// Every metric of every run, in scenario order.
pub fn runs<'a>(scenario: &'a Scenario, results: &'a Results) -> impl Iterator<Item = RunLine<'a>> {
    let (xs, ys) = (values(scenario.x()), values(scenario.y()));
    results.outcomes().flat_map(move |outcome| {
        let cell = outcome.cell;
        let x = xs.get(cell.x).copied().unwrap_or_default();
        let y = ys.get(cell.y).copied().unwrap_or_default();
        let metrics = METRICS.iter().zip(&outcome.metrics);
        metrics.map(move |(metric, &value)| RunLine {
            policy: cell.policy,
            x,
            y,
            replication: cell.replication,
            metric,
            value,
        })
    })
}

/// `system,policy,x,y,rep,metric,value,unit`: one line for each metric of each run, in scenario
/// order. x and y are empty if not swept, as is the value of a metric that is not defined.
pub fn runs_csv(scenario: &Scenario, results: &Results) -> String {
    let mut text = String::from("system,policy,x,y,rep,metric,value,unit\n");
    let system = scenario.get("system");
    let policies: Vec<String> = scenario
        .policies()
        .iter()
        .map(|policy| field(&policy.to_string()))
        .collect();
    for line in runs(scenario, results) {
        let RunLine { x, y, metric, .. } = line;
        let (policy, rep) = (&policies[line.policy], line.replication);
        let value = line.value.map_or(String::new(), |value| value.to_string());
        let (name, unit) = (metric.name, metric.unit);
        // `write!` to a string does not fail.
        let _ = writeln!(
            text,
            "{system},{policy},{x},{y},{rep},{name},{value},{unit}"
        );
    }
    text
}

/// A field of a table, in quotes if it contains a comma.
pub fn field(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A job of a run, as a line of a table.
#[derive(Clone, Debug)]
pub struct JobLine<'a> {
    /// The job as it was simulated.
    pub job: &'a Job,
    /// Its outcome, in one word.
    pub outcome: &'static str,
    /// Its first start, and its completion or when it left the queue; `None` if it has none.
    pub times: [Option<Time>; 2],
    /// Its restarts, its promotions, and migrations of its virtual machines.
    pub migrations: u32,
    /// The placement of its last start, `servers:machines` joined by semicolons as in `0-3:1;8:2`;
    /// empty if there is none or the record has no allocations.
    pub placement: String,
}

/// Every job of a run by its index.
pub fn jobs(replay: &Replay) -> impl Iterator<Item = JobLine<'_>> {
    replay.jobs.iter_enumerated().map(|(id, job)| {
        let history = &replay.record.histories[id];
        let allocations = replay.record.allocations.as_ref();
        let last = allocations.and_then(|allocations| allocations.last_of(id));
        let placement = last.map(|allocation| ranges(allocation.shares()));
        JobLine {
            job,
            outcome: history.outcome.word(),
            times: match history.outcome {
                Outcome::Ran { start, end } => [Some(start), Some(end)],
                Outcome::Left { time } => [None, Some(time)],
                _ => [None, None],
            },
            migrations: history.migrations,
            placement: placement.unwrap_or_default(),
        }
    })
}

/// Servers and machines on each, where servers that follow one another with as many are a range.
fn ranges(shares: impl Iterator<Item = (u32, u32)>) -> String {
    let mut ranges: Vec<(u32, u32, u32)> = Vec::new();
    for (server, machines) in shares {
        match ranges.last_mut() {
            Some((_, last, same)) if *last + 1 == server && *same == machines => *last = server,
            _ => ranges.push((server, server, machines)),
        }
    }
    let range = |(first, last, machines): (u32, u32, u32)| {
        if first == last {
            format!("{first}:{machines}")
        } else {
            format!("{first}-{last}:{machines}")
        }
    };
    let ranges: Vec<String> = ranges.into_iter().map(range).collect();
    ranges.join(";")
}

/// `job,outcome,submit_us,start_us,end_us,size,bandwidth_kbps,runtime_us,migrations,placement`: one
/// line for each job, see [`jobs`]. `job` is the input's own number; start and end are −1 if there
/// is none.
pub fn jobs_csv(replay: &Replay) -> String {
    let mut text = String::from(
        "job,outcome,submit_us,start_us,end_us,size,bandwidth_kbps,runtime_us,migrations,placement\n",
    );
    for line in jobs(replay) {
        let JobLine { job, outcome, .. } = line;
        let [start, end] = line.times.map(|time| time.map_or(-1, micros));
        // `write!` to a string does not fail.
        let _ = writeln!(
            text,
            "{},{outcome},{},{start},{end},{},{},{},{},{}",
            job.number,
            job.submit.0,
            job.size,
            job.bandwidth.0,
            job.runtime.0,
            line.migrations,
            line.placement,
        );
    }
    text
}

fn micros(time: Time) -> i64 {
    i64::try_from(time.0).unwrap_or(i64::MAX)
}

/// The jobs of a run on a system of `slots` slots as a log: a job that never ran has status 5 and
/// run time −1, a preempted job is one line.
pub fn jobs_swf(replay: &Replay, slots: u64) -> String {
    let header = Header {
        entries: vec![
            ("Computer".to_owned(), "simulated".to_owned()),
            ("Conversion".to_owned(), format!("Backfill {CORE}")),
            ("MaxProcs".to_owned(), slots.to_string()),
        ],
    };
    let lines: Vec<swf::SwfLine> = replay
        .jobs
        .iter_enumerated()
        .map(|(id, job)| swf::SwfLine {
            number: job.number,
            submit: job.submit,
            size: job.size,
            runtime: job.runtime,
            estimate: job.estimate,
            preceding: Vec::new(),
            think: Span(0),
            user: 0,
            labels: [UNKNOWN; 3],
            outcome: match replay.record.histories[id].outcome {
                Outcome::Ran { start, .. } => swf::LineOutcome::Ran {
                    wait: start - job.submit,
                },
                Outcome::Left { time } => swf::LineOutcome::Left {
                    wait: time - job.submit,
                },
                _ => swf::LineOutcome::NeverRan,
            },
            recorded: None,
        })
        .collect();
    swf::write(&header, &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_that_follow_one_another_are_a_range() {
        let text = |shares: &[(u32, u32)]| ranges(shares.iter().copied());
        assert_eq!(text(&[(0, 1), (1, 1), (2, 1), (3, 1), (8, 2)]), "0-3:1;8:2");
        assert_eq!(text(&[(4, 1), (5, 2), (3, 2)]), "4:1;5:2;3:2");
        assert_eq!(text(&[]), "");
    }
}
