//! A simulated log, and what was known at each of its instants.
//!
//! Where the state is cut, the jobs that were submitted by then are known, those that had ended have
//! run times, and of the others nothing is read but when they started. A job that started at the
//! instant itself waits in its state: the pass of that instant is part of the forecast.

use super::samples::Samples;
use super::state::{KnownJob, LEAST_WEEKS, MOST_WEEKS, PastArrival, State, WEEK};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs};
use backfill_sim::problem::Problem;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Keep, Run};
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Span, Time};
use backfill_sim::workload::trace::LogRow;
use backfill_sim::workload::{self, Estimate, Origin, Trace, clean};

/// A run of a log, with the users and time limits of its jobs.
#[derive(Clone, Debug)]
pub struct Timeline {
    jobs: Jobs,
    origins: Vec<Origin>,
    outcomes: Vec<Outcome>,
    rule: Estimate,
}

impl Timeline {
    /// Simulates the first replication of a setup: its jobs that are submitted up to `until`, or all.
    ///
    /// # Errors
    /// The trace of the workload is missing.
    pub fn new(
        setup: &Setup,
        trace: Option<&Trace>,
        jobs: Jobs,
        until: Option<Time>,
    ) -> Result<Timeline, Problem> {
        let workload = &setup.workload;
        let mut origins = workload::origins(workload, trace, &jobs, setup.options.seed, 0)?;
        let known = |job: &&Job| until.is_none_or(|until| job.submit <= until);
        let jobs: Vec<Job> = jobs.iter().filter(known).cloned().collect();
        origins.truncate(jobs.len());
        let run = Run::new(setup, Jobs::from(jobs), Keep::Histories).finish();
        let histories = &run.replay.record.histories;
        Ok(Timeline {
            outcomes: histories.iter().map(|history| history.outcome).collect(),
            jobs: run.replay.jobs,
            origins,
            rule: workload.estimate,
        })
    }

    /// The jobs of a log as it was: at their recorded starts, or as they were submitted where those
    /// are unknown.
    ///
    /// # Errors
    /// The log has no job that the workload takes.
    pub fn recorded(setup: &Setup, trace: &Trace, jobs: Jobs) -> Result<Timeline, Problem> {
        let workload = &setup.workload;
        let seed = setup.options.seed;
        let rows = clean::chosen(trace, workload, seed, 0)?;
        let outcome = |(row, job): (&LogRow, &Job)| {
            let start = row.start().unwrap_or(job.submit);
            Outcome::Ran {
                start,
                end: start + job.runtime,
            }
        };
        Ok(Timeline {
            outcomes: rows.iter().zip(jobs.iter()).map(outcome).collect(),
            origins: workload::origins(workload, Some(trace), &jobs, seed, 0)?,
            jobs,
            rule: workload.estimate,
        })
    }

    /// The jobs in the order of their arrival.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// When a job started; `None` if it never did.
    pub fn start(&self, job: JobId) -> Option<Time> {
        match self.outcomes[job.0 as usize] {
            Outcome::Ran { start, .. } => Some(start),
            _ => None,
        }
    }

    /// What was known at an instant, of the first `known` jobs that had been submitted by then; of all
    /// of those where that is `None`.
    ///
    /// # Errors
    /// A sentence: there are too few weeks of history.
    pub fn state(&self, at: Time, known: Option<usize>) -> Result<State, String> {
        let all = self.jobs.as_slice();
        let submitted = all.partition_point(|job| job.submit <= at);
        let jobs = &all[..known.unwrap_or(submitted).min(submitted)];
        let first = jobs.first().map_or(at, |job| job.submit);
        let weeks = ((at - first).0 / WEEK.0) as usize;
        if weeks < LEAST_WEEKS {
            return Err(format!(
                "{at}: the log begins {} full weeks before it, and arrivals are drawn from at \
                 least {LEAST_WEEKS}; ask for {} s or later",
                weeks,
                (first.0 + LEAST_WEEKS as u64 * WEEK.0) / 1_000_000
            ));
        }
        let weeks = weeks.min(MOST_WEEKS);
        let mut arrivals = vec![Vec::new(); weeks];
        let from = Time(at.0 - weeks as u64 * WEEK.0);
        let mut known = Vec::new();
        let mut ended = Vec::new();
        for (position, job) in jobs.iter().enumerate() {
            let origin = self.origins[position];
            let run = match self.outcomes[position] {
                Outcome::Ran { end, .. } if end <= at => Some(job.runtime),
                Outcome::Ran { start, .. } => {
                    known.push(of(job, origin, Some(start).filter(|&start| start < at)));
                    None
                }
                Outcome::Open => {
                    known.push(of(job, origin, None));
                    None
                }
                _ => None,
            };
            ended.extend(run.map(|run| (origin, job.size, run)));
            if from <= job.submit && job.submit < at {
                let since = (job.submit - from).0;
                arrivals[(since / WEEK.0) as usize].push(PastArrival {
                    offset: Span(since % WEEK.0),
                    size: job.size,
                    bandwidth: job.bandwidth,
                    origin,
                    run,
                });
            }
        }
        Ok(State {
            at,
            jobs: known,
            samples: Samples::of(ended.into_iter(), self.rule == Estimate::Kill),
            weeks: arrivals,
            rule: self.rule,
        })
    }
}

/// Refuses an instant after the last job, since nothing is known of what came then.
///
/// # Errors
/// A sentence: when the last job was submitted.
pub fn covered(jobs: &Jobs, at: Time) -> Result<(), String> {
    match jobs.as_slice().last() {
        Some(Job { submit: last, .. }) if *last < at => Err(format!(
            "{at}: the last job was submitted at {last}, and nothing is known after it; ask for \
             {last} or earlier"
        )),
        _ => Ok(()),
    }
}

/// What is known of a job that has not ended.
fn of(job: &Job, origin: Origin, start: Option<Time>) -> KnownJob {
    KnownJob {
        number: job.number,
        submit: job.submit,
        start,
        size: job.size,
        bandwidth: job.bandwidth,
        origin,
    }
}
