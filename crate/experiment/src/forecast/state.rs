//! What is known at an instant: jobs that run, jobs that wait, and the history before it.
//!
//! Invariant: a state holds nothing that happened after its instant.

use super::samples::Samples;
use backfill_sim::unit::{Kbps, MICROS, Span, Time, round};
use backfill_sim::workload::{Estimate, Origin};

/// One week.
pub const WEEK: Span = Span(7 * 24 * 3600 * MICROS);

/// The fewest full weeks of history from which arrivals are drawn.
pub const LEAST_WEEKS: usize = 4;

/// The most recent weeks of history from which arrivals are drawn.
pub const MOST_WEEKS: usize = 12;

/// What is known at an instant.
#[derive(Clone, Debug)]
pub struct State {
    /// The instant.
    pub at: Time,
    /// The jobs that run or wait, in the order of their arrival.
    pub jobs: Vec<KnownJob>,
    /// The run times of jobs that have ended.
    pub samples: Samples,
    /// The arrivals of each full week before the instant, the oldest first and each by offset: at
    /// most [`MOST_WEEKS`]; none where later arrivals are left out.
    pub weeks: Vec<Vec<PastArrival>>,
    /// What a job's estimate is, and what becomes of a job that runs longer.
    pub rule: Estimate,
}

/// A job that runs or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownJob {
    /// The number its input gave it.
    pub number: u64,
    /// When it was submitted.
    pub submit: Time,
    /// When it started; `None` if it waits.
    pub start: Option<Time>,
    /// Requested nodes.
    pub size: u32,
    /// Requested bandwidth, which only orders a queue.
    pub bandwidth: Kbps,
    /// Its user and its time limit.
    pub origin: Origin,
}

/// A job that arrived in one of the weeks before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastArrival {
    /// How long after the beginning of its week.
    pub offset: Span,
    /// Requested nodes.
    pub size: u32,
    /// Requested bandwidth.
    pub bandwidth: Kbps,
    /// Its user and its time limit.
    pub origin: Origin,
    /// Its run time; `None` if it had not ended by the instant of the state.
    pub run: Option<Span>,
}

/// The job that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Requested nodes.
    pub size: u32,
    /// Its time limit.
    pub limit: Span,
}

/// Reads a time limit: hours, or `[days-]hours:minutes:seconds`.
///
/// # Errors
/// A sentence on what is wrong with it.
pub fn limit(text: &str) -> Result<Span, String> {
    let text = text.trim();
    let wrong = || format!("{text}: it must be hours above 0, or [days-]hours:minutes:seconds");
    let seconds = match text.parse::<f64>() {
        Ok(hours) => hours * 3600.0,
        Err(_) => {
            let (days, clock) = text.split_once('-').unwrap_or(("0", text));
            let parts: Option<Vec<u32>> = clock.split(':').map(|part| part.parse().ok()).collect();
            let (Ok(days), Some([hours, minutes, seconds])) =
                (days.parse::<u32>(), parts.as_deref())
            else {
                return Err(wrong());
            };
            let hours = f64::from(days) * 24.0 + f64::from(*hours);
            hours * 3600.0 + f64::from(*minutes) * 60.0 + f64::from(*seconds)
        }
    };
    let span = Span(round(seconds * MICROS as f64));
    let valid = seconds < 1e9 && span > Span(0);
    valid.then_some(span).ok_or_else(wrong)
}

impl State {
    /// The numbers of running and of waiting jobs.
    pub fn counts(&self) -> (usize, usize) {
        let running = self.jobs.iter().filter(|job| job.start.is_some()).count();
        (running, self.jobs.len() - running)
    }

    /// The run time that a job has and its estimate, where it would run for `run` and has run for
    /// `elapsed` already.
    pub(super) fn shaped(
        &self,
        limit: Option<Span>,
        run: Span,
        elapsed: Option<Span>,
    ) -> (Span, Span) {
        let Some(limit) = limit.filter(|_| self.rule != Estimate::Exact) else {
            return (run, run);
        };
        match self.rule {
            Estimate::Kill => {
                let least = elapsed.map_or(Span(0), |elapsed| Span(elapsed.0 + 1));
                (run.min(limit).max(least), limit)
            }
            Estimate::Extend => (run, run.max(limit)),
            _ => (run, limit),
        }
    }
}
