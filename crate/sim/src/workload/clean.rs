//! What is left out of a trace before it is simulated, and by how much its submit times are shaken.
//!
//! A *flurry* is a burst of very many similar jobs of one user, which can decide the result of a whole
//! simulation though it will not come again. Here it is at least [`LEAST`] jobs of one user and one
//! size, each submitted at most [`PAUSE`] after the one before it. Shaking moves each submit time by
//! a draw of its own in every replication: a result that holds does not hang on the exact instants.
//!
//! Source: D. Tsafrir, D. G. Feitelson, "Instability in parallel job scheduling simulation: the role
//! of workload flurries", IPDPS 2006; D. Tsafrir, K. Ouaknine, D. G. Feitelson, "Reducing performance
//! evaluation sensitivity and variability by input shaking", MASCOTS 2007. Departures: flurries were
//! found there by eye; the bounds of this rule are ours. Only submit times are shaken here.

use crate::choice::choices;
use crate::source::PAPER_4;
use std::collections::BTreeMap;
use std::mem;

use super::trace::{Row, Status, Trace};
use crate::problem::Problem;
use crate::rng::Stream;
use crate::unit::{MICROS, Span, Time};
use crate::workload::Workload;

choices! {
    /// Whether bursts of one user's similar jobs are taken.
    pub enum Flurries {
        Keep = "keep", "Keep",
            "They are jobs like all others.",
            "";
        Remove = "remove", "Remove",
            "Bursts of 100 or more jobs of one user and one size, each at most ten minutes after the one before, are left out.",
            "D. Tsafrir, D. G. Feitelson, Instability in parallel job scheduling simulation: the role of workload flurries, IPDPS 2006";
    }
}

choices! {
    /// Which jobs of a log are taken by how they ended.
    pub enum Statuses {
        All = "all", "All",
            "Every job that used the machine.",
            "";
        NotCancelled = "not-cancelled", "Without cancelled ones",
            "Jobs of status 5 are left out.",
            "";
        Completed = "completed", "Without failed and cancelled ones",
            "Jobs of status 0 or 5 are left out.",
            "";
        Executed = "executed", "Executed",
            "Jobs of status 5 and those that ran for no time are left out.",
            PAPER_4;
    }
}

/// The fewest jobs of a flurry.
pub const LEAST: usize = 100;

/// The longest time from one submit of a flurry to the next: ten minutes.
pub const PAUSE: Span = Span(600 * MICROS);

/// A burst of one user's similar jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flurry {
    /// The user's number in the log.
    pub user: u32,
    /// Processors of each job.
    pub size: u32,
    /// How many jobs.
    pub jobs: usize,
    /// The first submit.
    pub first: Time,
    /// The last submit.
    pub last: Time,
}

/// Marks the rows, which stand by submit time, that belong to a flurry; returns the flurries, the one
/// with the most jobs first. Jobs without a user are in none.
pub(super) fn mark_flurries(rows: &mut [Row]) -> Vec<Flurry> {
    let mut bursts: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    let mut ended = Vec::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.user > 0) {
        let burst = bursts.entry((row.user, row.size)).or_default();
        let goes_on = |&last: &usize| row.submit - rows[last].submit <= PAUSE;
        if !burst.last().is_some_and(goes_on) {
            ended.push(mem::take(burst));
        }
        burst.push(index);
    }
    for burst in ended.into_iter().chain(bursts.into_values()) {
        if burst.len() < LEAST {
            continue;
        }
        let (first, last) = (rows[burst[0]], rows[burst[burst.len() - 1]]);
        found.push(Flurry {
            user: first.user,
            size: first.size,
            jobs: burst.len(),
            first: first.submit,
            last: last.submit,
        });
        for index in burst {
            rows[index].in_flurry = true;
        }
    }
    found.sort_unstable_by_key(|flurry| (usize::MAX - flurry.jobs, flurry.first, flurry.user));
    found
}

impl Statuses {
    /// Whether a job that ended like this one is taken.
    pub fn take(self, row: &Row) -> bool {
        match self {
            Statuses::All => true,
            Statuses::NotCancelled => row.status != Status::Cancelled,
            Statuses::Completed => !matches!(row.status, Status::Cancelled | Status::Failed),
            Statuses::Executed => row.status != Status::Cancelled && row.runtime > Span(0),
        }
    }
}

impl Flurries {
    /// Whether a job is taken, be it in a flurry or not.
    pub fn take(self, row: &Row) -> bool {
        self == Flurries::Keep || !row.in_flurry
    }
}

/// Whether a scenario takes this job.
pub(super) fn takes(workload: &Workload, row: &Row) -> bool {
    workload.statuses.take(row) && workload.flurries.take(row)
}

/// The jobs of a trace that a scenario takes, by submit time; shaken, if it says so.
///
/// # Errors
/// No job is left.
pub(super) fn chosen(
    trace: &Trace,
    workload: &Workload,
    seed: u64,
    replication: u64,
) -> Result<Vec<Row>, Problem> {
    let all = workload.first.map_or(usize::MAX, |first| first as usize);
    let taken = trace.rows.iter().filter(|row| takes(workload, row));
    let mut rows: Vec<Row> = taken.take(all).copied().collect();
    if rows.is_empty() {
        let (key, value) = match workload.statuses {
            Statuses::All => ("flurries", workload.flurries.name()),
            _ => ("statuses", workload.statuses.name()),
        };
        let message = "leaves no job of the trace; take more of them";
        return Err(Problem::new(key, value, message));
    }
    let shake = workload.shake.0;
    if shake > 0 {
        for (index, row) in rows.iter_mut().enumerate() {
            let draw = Stream::new(seed, replication, "shake", index as u64).below(2 * shake + 1);
            row.submit = Time((row.submit.0 + draw).saturating_sub(shake));
        }
        rows.sort_by_key(|row| row.submit);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::workload::{Format, Options, Processors, TraceReader};

    /// A log of `burst` jobs of user 7 a minute apart, and three jobs of user 3 in between that failed,
    /// ended well and were cancelled.
    fn log(burst: u32) -> Trace {
        let mut text = String::new();
        let mut job = |submit: u32, user: u32, status: u32| {
            text += &format!("1 {submit} 0 60 2 -1 -1 2 90 -1 {status} {user} 1 1 1 1 -1 -1\n");
        };
        for index in 0..burst {
            job(60 * index, 7, 1);
        }
        for status in [0, 1, 5] {
            job(30 + status, 3, status);
        }
        let options = Options {
            name: "log.swf".to_owned(),
            processors: Processors::AllocThenReq,
            machine: None,
            strict: false,
        };
        let mut reader = TraceReader::new(Format::Swf, options);
        reader.push(text.as_bytes()).unwrap();
        reader.finish().unwrap()
    }

    fn workload(pairs: &[(&str, &str)]) -> Workload {
        let pairs = [("workload", "swf"), ("load", "as-logged")]
            .iter()
            .chain(pairs);
        let scenario = Scenario::parse(pairs.copied()).unwrap();
        scenario.setup(None, None, 0).workload
    }

    #[test]
    fn a_burst_is_a_flurry_from_a_hundred_jobs_on() {
        let trace = log(100);
        let flurry = Flurry {
            user: 7,
            size: 2,
            jobs: 100,
            first: Time(0),
            last: Time(99 * 60 * MICROS),
        };
        assert_eq!(trace.flurries, [flurry]);
        assert_eq!(log(99).flurries, []);
    }

    #[test]
    fn a_scenario_takes_what_it_says_and_then_the_first_ones() {
        let trace = log(100);
        let taken = |pairs: &[(&str, &str)]| {
            let rows = chosen(&trace, &workload(pairs), 1, 0)?;
            assert_eq!(
                super::super::job_count(&workload(pairs), Some(&trace)),
                Ok(rows.len())
            );
            Ok::<usize, Problem>(rows.len())
        };
        assert_eq!(taken(&[]), Ok(103));
        assert_eq!(taken(&[("flurries", "remove")]), Ok(3));
        assert_eq!(taken(&[("flurries", "remove"), ("first", "2")]), Ok(2));
        assert_eq!(taken(&[("statuses", "not-cancelled")]), Ok(102));
        let mut some_for_no_time = trace.clone();
        some_for_no_time.rows[1].runtime = Span(0);
        let executed = chosen(
            &some_for_no_time,
            &workload(&[("statuses", "executed")]),
            1,
            0,
        );
        assert_eq!(executed.map(|rows| rows.len()), Ok(101));
        let both = [("flurries", "remove"), ("statuses", "completed")];
        assert_eq!(taken(&both), Ok(1));
    }

    #[test]
    fn shaken_submits_stay_near_and_in_order_and_differ_from_replication_to_replication() {
        let trace = log(100);
        let shaken = workload(&[("shake_s", "20")]);
        let [first, again, second] =
            [0, 0, 1].map(|replication| chosen(&trace, &shaken, 1, replication).unwrap());
        assert_eq!(first, again);
        assert_ne!(first, second);
        assert!(first.is_sorted_by_key(|row| row.submit));
        for row in &first {
            let logged = trace.rows.iter().find(|logged| logged.line == row.line);
            let moved = row.submit.0.abs_diff(logged.unwrap().submit.0);
            assert!(moved <= 20 * MICROS, "{moved}");
        }
    }

    #[test]
    fn cleaning_that_leaves_nothing_is_refused_in_a_sentence() {
        let mut trace = log(100);
        trace.rows.retain(|row| row.in_flurry);
        let refused = chosen(&trace, &workload(&[("flurries", "remove")]), 1, 0).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "flurries = remove: leaves no job of the trace; take more of them"
        );
    }
}
