//! The state of a running cluster: its queue as pasted, and a log of it as history where there is one.
//!
//! Without a log nothing is known of run times and arrivals: every job runs for its limit, and none
//! arrives. With one, users that the log names are the same users, and weeks are those of the log that
//! end at the weekday and hour of now.

use super::clock::Clock;
use super::samples::Samples;
use super::state::{KnownJob, State, WEEK};
use super::timeline::Timeline;
use crate::files::logs::queue::{Queue, QueueRow};
use backfill_sim::job::Jobs;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::{Estimate, Origin, Trace};

/// A log as the history of a queue: as recorded, and when it begins, in seconds since 1970 by its own
/// zone.
///
/// # Errors
/// A sentence: it does not say when it begins, or has no job that the workload takes.
pub fn history(setup: &Setup, trace: &Trace, jobs: Jobs) -> Result<(Timeline, i64), String> {
    let begins = trace.begins_in_zone().ok_or(
        "the log does not say on which date it begins, so that its weeks are not those of the queue; \
         add a line such as ; UnixStartTime: 1704067200 to it",
    )?;
    let recorded = Timeline::recorded(setup, trace, jobs).map_err(|problem| problem.to_string())?;
    Ok((recorded, begins))
}

/// The state of a queue on so many nodes, or on so many processors where `processors` are counted,
/// and its clock. The history is a timeline as recorded and the second since 1970, by the log's own
/// zone, at which it begins.
///
/// # Errors
/// A sentence: the running jobs hold more than there is, or the log is no history of this queue.
pub fn state(
    queue: &Queue,
    nodes: u64,
    processors: bool,
    history: Option<(&Timeline, i64)>,
) -> Result<(State, Clock), String> {
    let size = |row: &QueueRow| {
        if processors {
            row.processors
        } else {
            row.nodes
        }
    };
    let running = queue.rows.iter().filter(|row| row.start_s.is_some());
    let held: u64 = running.map(|row| u64::from(size(row))).sum();
    if held > nodes {
        let remedy = if processors {
            "give the number of processors by nodes="
        } else {
            "give the number by nodes=, or, where jobs share nodes, count processors by --cpus"
        };
        return Err(format!(
            "the running jobs hold {held}, and the system has {nodes}; {remedy}"
        ));
    }
    let first = queue.rows.iter().map(|row| row.submit_s).min();
    let first = first.unwrap_or(queue.now_s);
    let begins = history.map_or(first, |(_, begins)| begins.min(first));
    let time = |seconds: i64| Time((seconds - begins) as u64 * MICROS);
    let at = time(queue.now_s);
    let (samples, weeks, rule) = match history {
        Some((timeline, log)) => {
            let now = queue.now_s - log;
            let last = timeline.jobs().as_slice().last();
            let last = last.map_or(0, |job| job.submit.0);
            let now = u64::try_from(now)
                .ok()
                .and_then(|now| now.checked_mul(MICROS));
            let late = now.map_or(0, |now| now.saturating_sub(last).div_ceil(WEEK.0));
            let end = now.and_then(|now| now.checked_sub(late * WEEK.0));
            let end =
                end.ok_or("the log begins after the queue was printed, or ends long before it")?;
            let past = timeline.state(Time(end), None)?;
            (past.samples, past.weeks, past.rule)
        }
        None => (Samples::default(), Vec::new(), Estimate::Kill),
    };
    let known = |row: &QueueRow| KnownJob {
        number: row.number,
        submit: time(row.submit_s),
        start: row.start_s.map(time),
        size: size(row),
        bandwidth: Kbps(0),
        origin: Origin {
            user: row.user,
            limit: Some(row.limit).filter(|&limit| limit > Span(0)),
        },
    };
    let state = State {
        at,
        jobs: queue.rows.iter().map(known).collect(),
        samples,
        weeks,
        rule,
    };
    Ok((state, Clock::beginning(begins)))
}
