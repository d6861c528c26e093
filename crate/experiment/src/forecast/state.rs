//! What is known at an instant: jobs that run, jobs that wait, and the history before it.
//!
//! Invariant: a state holds nothing that happened after its instant.

use super::samples::Samples;
use super::simulation::{self, Machine};
use backfill_sim::id::JobId;
use backfill_sim::job::Job;
use backfill_sim::setup::Setup;
use backfill_sim::sorting;
use backfill_sim::unit::{Kbps, MICROS, Span, Time, round};
use backfill_sim::workload::{Estimate, Origin};

/// One week.
pub const WEEK: Span = Span(7 * 24 * 3600 * MICROS);

/// The fewest full weeks of history from which arrivals are drawn.
pub const LEAST_WEEKS: usize = 4;

/// The most recent weeks of history from which arrivals are drawn.
pub(crate) const MOST_WEEKS: usize = 12;

/// Longer than any job runs, and exact as a floating-point number.
const LONG: Span = Span(1 << 52);

/// What is known at an instant.
#[derive(Clone, Debug)]
pub struct State {
    /// The instant.
    pub at: Time,
    /// The machine just before it, with the jobs that had been submitted.
    pub(super) machine: Machine,
    /// The jobs that run or wait, in the order of their arrival.
    pub jobs: Vec<KnownJob>,
    /// What came before it.
    pub history: History,
}

/// A job that runs or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownJob {
    /// Its id: that of its position among all jobs, those that have ended included.
    pub id: JobId,
    /// The number its input gave it.
    pub number: u64,
    /// When it was submitted.
    pub submit: Time,
    /// Whether it runs.
    pub runs: bool,
    /// How long it has worked; `None` if it has not started.
    pub worked: Option<Span>,
    /// Requested slots.
    pub size: u32,
    /// Requested bandwidth.
    pub bandwidth: Kbps,
    /// Its user and its time limit.
    pub origin: Origin,
}

/// A job that arrived in one of the weeks before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastArrival {
    /// How long after the beginning of its week.
    pub offset: Span,
    /// Requested slots.
    pub size: u32,
    /// Requested bandwidth.
    pub bandwidth: Kbps,
    /// The cluster at which it was submitted, where there are several.
    pub home: u32,
    /// Its user and its time limit.
    pub origin: Origin,
    /// Its run time; `None` if it had not ended by the instant of the state.
    pub run: Option<Span>,
}

/// The job that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Requested slots.
    pub size: u32,
    /// Its time limit.
    pub limit: Span,
    /// Requested bandwidth.
    pub bandwidth: Kbps,
}

impl Question {
    /// The job, submitted at an instant.
    pub(super) fn job(self, at: Time) -> Job {
        Job {
            bandwidth: self.bandwidth,
            ..Job::new(0, at, self.size, self.limit)
        }
    }

    /// A job of so many slots that is asked about in a state of a setup. Where no bandwidth is given, it
    /// is the middle one of the weeks of history, the larger of two; 0 without history.
    ///
    /// # Errors
    /// A sentence: the system has fewer slots, or no placement for it while it is idle.
    pub fn new(
        setup: &Setup,
        state: &State,
        size: u32,
        limit: Span,
        bandwidth: Option<Kbps>,
    ) -> Result<Question, String> {
        let slots = setup.system.slots();
        if size == 0 || u64::from(size) > slots {
            let unit = setup.system.kind().about().unit;
            return Err(format!(
                "{size}: the system has {slots} {unit}s; ask for at least 1 and at most as many"
            ));
        }
        let question = Question {
            size,
            limit,
            bandwidth: bandwidth.unwrap_or_else(|| state.usual_bandwidth()),
        };
        let request = question.job(state.at).request(JobId(0));
        if simulation::fits(setup, request, None) {
            return Ok(question);
        }
        let mbit = question.bandwidth.mbps();
        Err(format!(
            "{size}: there is no placement for it with {mbit} Mbit/s each, not even while nothing else \
             runs; ask for less bandwidth or a smaller job"
        ))
    }
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

/// A job of nodes that are told of.
#[derive(Clone, Copy, Debug)]
pub struct ToldJob {
    /// The number its input gave it.
    pub number: u64,
    /// When it was submitted.
    pub submit: Time,
    /// When it started; `None` if it waits.
    pub start: Option<Time>,
    /// Requested slots.
    pub size: u32,
    /// Its user and its time limit.
    pub origin: Origin,
}

/// The history of a machine.
#[derive(Clone, Debug)]
pub struct History {
    /// The run times of jobs that have ended.
    pub samples: Samples,
    /// The arrivals of each full week before the instant, the oldest first and each by offset: at
    /// most [`MOST_WEEKS`]; none where later arrivals are left out.
    pub weeks: Vec<Vec<PastArrival>>,
    /// What a job's estimate is, and what becomes of a job that runs longer.
    pub rule: Estimate,
}

impl State {
    /// What is known at an instant of so many plain nodes that are told of, with a history. The running
    /// jobs hold no more than there are.
    pub fn told(nodes: u32, at: Time, mut jobs: Vec<ToldJob>, history: History) -> State {
        // What happened at the instant itself happened just before it.
        let before = Time(at.0.saturating_sub(1));
        for job in &mut jobs {
            if let Some(start) = &mut job.start {
                *start = before.min(*start);
                job.submit = before.min(job.submit);
            }
        }
        sorting::by_number(&mut jobs, |job| job.submit.0);
        let present = jobs.partition_point(|job| job.submit < at);
        let occupying = jobs[..present].iter().map(|job| Job {
            recorded_start: job.start.map(Box::new),
            ..Job::new(job.number, job.submit, job.size, LONG)
        });
        let machine = simulation::occupied(nodes, occupying.collect(), at);
        let known = |(index, job): (usize, &ToldJob)| KnownJob {
            id: JobId(index as u32),
            number: job.number,
            submit: job.submit,
            runs: job.start.is_some(),
            worked: job.start.map(|start| at - start),
            size: job.size,
            bandwidth: Kbps(0),
            origin: job.origin,
        };
        State {
            at,
            machine,
            jobs: jobs.iter().enumerate().map(known).collect(),
            history,
        }
    }

    fn usual_bandwidth(&self) -> Kbps {
        let arrivals = self.history.weeks.iter().flatten();
        let mut requested: Vec<u64> = arrivals.map(|job| job.bandwidth.0).collect();
        sorting::by_number(&mut requested, |&bandwidth| bandwidth);
        Kbps(requested.get(requested.len() / 2).copied().unwrap_or(0))
    }

    /// The numbers of running and of waiting jobs.
    pub fn counts(&self) -> (usize, usize) {
        let running = self.jobs.iter().filter(|job| job.runs).count();
        (running, self.jobs.len() - running)
    }

    /// The run time that a job has and its estimate, where it would run for `run` and has run for
    /// `elapsed` already.
    pub(super) fn shaped(
        &self,
        limit: Option<Span>,
        run: Span,
        elapsed: Option<Span>,
    ) -> [Span; 2] {
        let Some(limit) = limit.filter(|_| self.history.rule != Estimate::Exact) else {
            return [run, run];
        };
        match self.history.rule {
            Estimate::Kill => {
                let least = elapsed.map_or(Span(0), |elapsed| Span(elapsed.0 + 1));
                [run.min(limit).max(least), limit]
            }
            Estimate::Extend => [run, run.max(limit)],
            _ => [run, limit],
        }
    }
}
