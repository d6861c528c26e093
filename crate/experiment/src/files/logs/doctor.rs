//! The diagnosis of a trace: its load over time, its jobs, missing fields, and what a scenario can
//! leave out.
//!
//! Nothing here changes a trace: a [`Cure`] is a key of a scenario and its value.

use std::collections::BTreeMap;

use serde::Serialize;

use backfill_sim::unit::Span;
use backfill_sim::workload::clean;
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{Flurry, LogRow, Status, Trace};
use backfill_sim::workload::{Cancelled, Estimate, Flurries, Processors, Statuses};

/// The number of intervals of the load over time.
const INTERVALS: u64 = 60;

/// The number of flurries listed; the others are only counted.
const LISTED: usize = 5;

/// The diagnosis of a trace.
#[derive(Clone, Debug, Serialize, ts_rs::TS)]
#[ts(rename = "TraceDiagnosis")]
pub struct Diagnosis {
    /// Jobs of the trace.
    pub jobs: usize,
    /// Load of the jobs submitted in each of equal intervals, from the first submit to the last:
    /// their size · run time over processors · length, without jobs that may leave the queue. Empty
    /// if all are submitted at once.
    pub load: Vec<Interval>,
    /// Jobs by size, in powers of two.
    pub sizes: Vec<Bin>,
    /// Jobs with an estimate by the share of it that they ran.
    pub estimates: Vec<Bin>,
    /// Counts of jobs that lack something or ended badly.
    pub facts: Vec<Fact>,
    /// How many queues, partitions, users and accounts there are, and the largest of each, in words.
    pub groups: Vec<String>,
    /// The largest bursts of one user's similar jobs, in words.
    pub flurries: Vec<String>,
    /// How a scenario can handle it.
    pub cures: Vec<Cure>,
}

/// An interval of time and the load that arrives in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "LoadInterval")]
pub struct Interval {
    /// Its middle in seconds since the first submit.
    pub middle_s: f64,
    /// The load.
    pub load: f64,
}

/// A bin of similar jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "JobBin")]
pub struct Bin {
    /// The label of the bin.
    pub label: String,
    /// The number of jobs.
    pub jobs: usize,
}

/// A fact about some jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "TraceFact")]
pub struct Fact {
    /// The fact in words.
    pub text: &'static str,
    /// The number of jobs.
    pub jobs: u64,
}

/// A value of a scenario's key that repairs something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "TraceCure")]
pub struct Cure {
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: &'static str,
    /// Its effect on this trace.
    pub text: String,
}

impl Diagnosis {
    /// Diagnoses a trace, in one pass a question.
    pub fn of(trace: &Trace) -> Diagnosis {
        let count =
            |test: &dyn Fn(&LogRow) -> bool| trace.rows.iter().filter(|row| test(row)).count();
        let overrun = |row: &LogRow| row.estimate > Span(0) && row.runtime > row.estimate;
        let cancelled = count(&|row| row.status == Status::Cancelled);
        let failed = count(&|row| row.status == Status::Failed);
        let overruns = count(&overrun);
        let in_flurries = count(&|row| row.in_flurry);
        let facts = [
            ("without an estimate", count(&|row| row.estimate == Span(0))),
            ("without a user", count(&|row| row.user == 0)),
            (
                "without a known status",
                count(&|row| row.status == Status::Unknown),
            ),
            ("failed", failed),
            ("cancelled", cancelled),
            ("ran longer than estimated", overruns),
            (
                "with a run time of zero",
                count(&|row| row.runtime == Span(0)),
            ),
            (
                "larger than the machine of the log",
                count(&|row| row.size > trace.machine),
            ),
            (
                "written out of order of submit",
                trace.report.count(FindingKind::OutOfOrder) as usize,
            ),
            ("in flurries", in_flurries),
        ];
        let share = |jobs: usize| percent(jobs, trace.rows.len());
        let without = |jobs: usize| format!("{jobs} jobs, {} of all", share(jobs));
        let named = trace.report.count(FindingKind::NodesNamed) as usize;
        let others = match trace.report.job_lines() - named as u64 {
            0 => String::new(),
            unnamed => format!(", {unnamed} do not and are left out"),
        };
        let never_started = trace.report.count(FindingKind::NeverStarted) as usize;
        let cures = [
            (
                named,
                "processors",
                Processors::Nodes.name(),
                format!("Take the nodes of field 21 as sizes: {named} lines name them{others}"),
            ),
            (
                in_flurries,
                "flurries",
                Flurries::Remove.name(),
                format!("Leave out the flurries: {}", without(in_flurries)),
            ),
            (
                cancelled,
                "statuses",
                Statuses::NotCancelled.name(),
                format!("Leave out cancelled jobs: {}", without(cancelled)),
            ),
            (
                never_started,
                "cancelled",
                Cancelled::Leave.name(),
                format!(
                    "Let the jobs that were cancelled before they started leave the queue as they did: {never_started} lines"
                ),
            ),
            (
                failed,
                "statuses",
                Statuses::Completed.name(),
                format!(
                    "Leave out failed and cancelled jobs: {}",
                    without(failed + cancelled)
                ),
            ),
            (
                overruns,
                "estimate",
                Estimate::Kill.name(),
                format!(
                    "Let policies see the users' estimates and end jobs there: cuts {}",
                    without(overruns)
                ),
            ),
            (
                trace.rows.len(),
                "shake_s",
                "60",
                "Shake the submit times by up to a minute, anew in every replication".to_owned(),
            ),
        ];
        Diagnosis {
            jobs: trace.rows.len(),
            load: load_over_time(trace),
            sizes: sizes(&trace.rows),
            estimates: estimates(&trace.rows),
            facts: facts
                .into_iter()
                .filter(|(_, jobs)| *jobs > 0)
                .map(|(text, jobs)| Fact {
                    text,
                    jobs: jobs as u64,
                })
                .collect(),
            groups: groups(trace),
            flurries: flurries_in_words(trace),
            cures: cures
                .into_iter()
                .filter(|(jobs, ..)| *jobs > 0)
                .map(|(_, key, value, text)| Cure { key, value, text })
                .collect(),
        }
    }
}

fn load_over_time(trace: &Trace) -> Vec<Interval> {
    let (Some(first), Some(last)) = (trace.rows.first(), trace.rows.last()) else {
        return Vec::new();
    };
    let (first, span) = (first.submit, (last.submit - first.submit).0);
    if span < INTERVALS {
        return Vec::new();
    }
    let mut areas = vec![0_u128; INTERVALS as usize];
    for row in trace.rows.iter() {
        let since = u128::from((row.submit - first).0);
        let interval = since * u128::from(INTERVALS) / u128::from(span);
        areas[interval.min(u128::from(INTERVALS) - 1) as usize] += row.area();
    }
    let length = span as f64 / INTERVALS as f64;
    let loads = areas.iter().enumerate().map(|(interval, area)| Interval {
        middle_s: Span(((interval as f64 + 0.5) * length) as u64).seconds(),
        load: *area as f64 / (f64::from(trace.machine) * length),
    });
    loads.collect()
}

/// What jobs are grouped by: its name, the names of the groups, and the group of a job.
type Grouping<'a> = (&'static str, &'a BTreeMap<i32, String>, fn(&LogRow) -> i64);

/// How many jobs have each number from 0 on.
fn count(numbers: impl Iterator<Item = i64>) -> BTreeMap<i64, usize> {
    // Nearly all numbers are small.
    let mut small = vec![0; 1 << 16];
    let mut jobs: BTreeMap<i64, usize> = BTreeMap::new();
    for number in numbers.filter(|number| *number >= 0) {
        match small.get_mut(number as usize) {
            Some(count) => *count += 1,
            None => *jobs.entry(number).or_default() += 1,
        }
    }
    let small = (0..).zip(small).filter(|(_, count)| *count > 0);
    jobs.extend(small);
    jobs
}

/// Queues, partitions, users and accounts, where there are several of a kind.
fn groups(trace: &Trace) -> Vec<String> {
    let labels = &trace.labels;
    let name = |names: &BTreeMap<i32, String>, number: i64| {
        let label = i32::try_from(number)
            .ok()
            .and_then(|number| names.get(&number));
        label.cloned().unwrap_or_else(|| number.to_string())
    };
    let no_names = BTreeMap::new();
    let kinds: [Grouping<'_>; 4] = [
        ("queues", &labels.queues, |row| i64::from(row.queue)),
        ("partitions", &labels.partitions, |row| {
            i64::from(row.partition)
        }),
        ("users", &no_names, |row| i64::from(row.user)),
        ("accounts or groups", &labels.accounts, |row| {
            i64::from(row.account)
        }),
    ];
    let words = |(kind, names, number): Grouping<'_>| {
        let mut jobs = count(trace.rows.iter().map(number));
        // 0 stands for no user.
        if kind == "users" {
            jobs.remove(&0);
        }
        let (&number, &most) = jobs.iter().rev().max_by_key(|(_, count)| **count)?;
        let share = percent(most, trace.rows.len());
        let largest = name(names, number);
        (jobs.len() > 1).then(|| {
            format!(
                "{} {kind}; the largest, {largest}, has {share} of the jobs",
                jobs.len()
            )
        })
    };
    kinds.into_iter().filter_map(words).collect()
}

fn flurries_in_words(trace: &Trace) -> Vec<String> {
    let origin = trace
        .rows
        .first()
        .map_or_else(Default::default, |row| row.submit);
    let words = |flurry: &Flurry| {
        let days = |span: Span| span.seconds() / 86_400.0;
        format!(
            "{} jobs of user {} on {} {}, from day {:.1} within {:.1} hours",
            flurry.jobs,
            flurry.user,
            flurry.size,
            if flurry.size == 1 {
                "processor"
            } else {
                "processors each"
            },
            days(flurry.first - origin),
            24.0 * days(flurry.last - flurry.first),
        )
    };
    let mut lines: Vec<String> = trace.flurries.iter().take(LISTED).map(words).collect();
    if trace.flurries.len() > LISTED {
        lines.push(format!(
            "and {} smaller ones",
            trace.flurries.len() - LISTED
        ));
    }
    lines
}

/// The rule that finds flurries, in one sentence.
pub fn flurry_rule() -> String {
    format!(
        "A flurry is {} or more jobs of one user and one size, each submitted at most {} minutes after the one before.",
        clean::LEAST,
        clean::PAUSE.0 / 60_000_000
    )
}

/// Jobs by size: one processor, two, three to four, five to eight, and so on to the largest.
fn sizes(rows: &[LogRow]) -> Vec<Bin> {
    // The next power of two of the largest sizes has 33 bits.
    let power = |row: &LogRow| {
        let next = u64::from(row.size).next_power_of_two();
        next.trailing_zeros() as usize
    };
    let largest = rows.iter().map(power).max().unwrap_or(0);
    let mut jobs = vec![0; largest + 1];
    for row in rows {
        jobs[power(row)] += 1;
    }
    let label = |power: usize| match power {
        0 => "1".to_owned(),
        1 => "2".to_owned(),
        _ => format!("{}–{}", (1_u64 << (power - 1)) + 1, 1_u64 << power),
    };
    let bins = jobs.into_iter().enumerate();
    bins.map(|(power, jobs)| Bin {
        label: label(power),
        jobs,
    })
    .collect()
}

/// Jobs with an estimate by the share of it that they ran, in tenths; those that ran longer are
/// last.
fn estimates(rows: &[LogRow]) -> Vec<Bin> {
    let mut jobs = [0; 11];
    let estimated = rows.iter().filter(|row| row.estimate > Span(0));
    for row in estimated {
        let tenth = (u128::from(row.runtime.0) * 10).div_ceil(u128::from(row.estimate.0));
        jobs[tenth.saturating_sub(1).min(10) as usize] += 1;
    }
    if jobs.iter().all(|&jobs| jobs == 0) {
        return Vec::new();
    }
    let label = |tenth: usize| match tenth {
        10 => "more".to_owned(),
        _ => format!("{} %", 10 * (tenth + 1)),
    };
    let bins = jobs.into_iter().enumerate();
    bins.map(|(tenth, jobs)| Bin {
        label: label(tenth),
        jobs,
    })
    .collect()
}

/// The printed share.
fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}
