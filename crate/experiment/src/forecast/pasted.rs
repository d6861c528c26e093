//! The state of a running cluster: its queue as pasted, and a log of it as history where there is one.
//!
//! Without a log nothing is known of run times and arrivals: every job runs for its limit, and none
//! arrives. With one, users that the log names are the same users, and weeks are those of the log that
//! end at the weekday and hour of now.

use super::clock::Clock;
use super::samples::Samples;
use super::state::{History, State, ToldJob, WEEK};
use super::timeline::Timeline;
use crate::files::logs::queue::{Queue, QueueRow};
use backfill_sim::job::Jobs;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{MICROS, Span, Time};
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

/// The state of a queue on the nodes of a setup, or on so many processors where `processors` are
/// counted, and its clock. The history is a timeline as recorded and the second since 1970, by the log's own
/// zone, at which it begins.
///
/// # Errors
/// A sentence: the running jobs hold more than there is, the system is not plain nodes, or the log is no
/// history of this queue.
pub fn state(
    setup: &Setup,
    queue: &Queue,
    processors: bool,
    history: Option<(&mut Timeline, i64)>,
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
    let Some(spec) = setup.system.nodes() else {
        return Err(
            "a queue does not say where jobs run, so that it is one of plain nodes; use \
                    system=nodes"
                .to_owned(),
        );
    };
    let nodes = u64::from(spec.nodes);
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
    let begins = history
        .as_ref()
        .map_or(first, |&(_, begins)| begins.min(first));
    let time = |seconds: i64| Time((seconds - begins) as u64 * MICROS);
    let at = time(queue.now_s);
    let history = match history {
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
            timeline.history(Time(end))?
        }
        None => History {
            samples: Samples::default(),
            weeks: Vec::new(),
            rule: Estimate::Kill,
        },
    };
    let told = |row: &QueueRow| ToldJob {
        number: row.number,
        submit: time(row.submit_s),
        start: row.start_s.map(time),
        size: size(row),
        origin: Origin {
            user: row.user,
            limit: Some(row.limit).filter(|&limit| limit > Span(0)),
        },
    };
    let jobs = queue.rows.iter().map(told).collect();
    let state = State::told(spec.nodes, at, jobs, history);
    Ok((state, Clock::beginning(begins)))
}
