//! A simulated log, and what was known at each of its instants.
//!
//! Where the state is cut, the jobs that were submitted by then are known, those that had ended have
//! run times, and of the others nothing is read but where they run and how long they have worked. A job
//! that started at the instant itself waits in its state: the pass of that instant is part of the
//! forecast.

use super::samples::Samples;
use super::simulation::{self, Machine, Running, Simulation};
use super::state::{History, KnownJob, LEAST_WEEKS, MOST_WEEKS, PastArrival, State, WEEK};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs, Request};
use backfill_sim::problem::Problem;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Keep, Run};
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Span, Time};
use backfill_sim::workload::trace::LogRow;
use backfill_sim::workload::{self, Estimate, Origin, Trace, clean};

/// A log in time, with the users and time limits of its jobs.
pub struct Timeline {
    setup: Setup,
    jobs: Jobs,
    origins: Vec<Origin>,
    /// When each job started, and when it ended or was given up, as far as it was simulated.
    stays: Vec<Stay>,
    /// The run, as far as it was simulated; `None` where the log is taken as recorded.
    simulated: Option<Box<dyn Simulation>>,
}

/// What became of a job so far.
#[derive(Clone, Copy, Debug, Default)]
struct Stay {
    /// When it started.
    start: Option<Time>,
    /// When it ended or was given up.
    end: Option<Time>,
}

impl From<Outcome> for Stay {
    fn from(outcome: Outcome) -> Stay {
        match outcome {
            Outcome::Open => Stay::default(),
            Outcome::Ran { start, end } => Stay {
                start: Some(start),
                end: Some(end),
            },
            _ => Stay {
                start: None,
                end: Some(Time(0)),
            },
        }
    }
}

impl Timeline {
    /// The first replication of a setup, simulated as far as it is asked about.
    ///
    /// # Errors
    /// The trace of the workload is missing.
    pub fn new(setup: &Setup, trace: Option<&Trace>, jobs: Jobs) -> Result<Timeline, Problem> {
        let workload = &setup.workload;
        Ok(Timeline {
            origins: workload::origins(workload, trace, &jobs, setup.options.seed, 0)?,
            stays: vec![Stay::default(); jobs.len()],
            jobs,
            simulated: Some(simulation::begun(setup)),
            setup: setup.clone(),
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
        let stay = |(row, job): (&LogRow, &Job)| {
            let start = row.start().unwrap_or(job.submit);
            Stay {
                start: Some(start),
                end: Some(start + job.runtime),
            }
        };
        Ok(Timeline {
            stays: rows.iter().zip(jobs.iter()).map(stay).collect(),
            origins: workload::origins(workload, Some(trace), &jobs, seed, 0)?,
            jobs,
            simulated: None,
            setup: setup.clone(),
        })
    }

    /// The jobs in the order of their arrival.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// When each job starts in the run of all jobs; `None` for one that never does.
    pub fn starts(&self) -> Vec<Option<Time>> {
        let run = Run::new(&self.setup, self.jobs.clone(), Keep::Histories).finish();
        let histories = run.replay.record.histories;
        let start = |outcome: Outcome| Stay::from(outcome).start;
        histories.iter().map(|of| start(of.outcome)).collect()
    }

    /// What was known at an instant, of the first `known` jobs that had been submitted by then; of all
    /// of those where that is `None`. Instants in ascending order are simulated once.
    ///
    /// # Errors
    /// A sentence: there are too few weeks of history.
    ///
    /// # Panics
    /// The log is taken as recorded.
    pub fn state(&mut self, at: Time, known: Option<usize>) -> Result<State, String> {
        let weeks = self.weeks_before(at)?;
        let machine = self.simulate_until(at);
        let submitted = self.submitted(at);
        let submitted = known.unwrap_or(submitted).min(submitted);
        let run = self.simulated.as_deref().expect("it is simulated");
        let in_hand = (0..submitted).filter(|&position| !self.has_ended(position, at));
        let jobs = in_hand.map(|position| {
            let id = JobId(position as u32);
            let job = &self.jobs[id];
            let is_new = id >= machine.next();
            KnownJob {
                id,
                number: job.number,
                submit: job.submit,
                runs: !is_new && run.running(id).is_some(),
                worked: if is_new { None } else { run.done_by(id, at) },
                size: job.size,
                bandwidth: job.bandwidth,
                origin: self.origins[position],
            }
        });
        Ok(State {
            at,
            jobs: jobs.collect(),
            machine,
            history: self.history_of(at, submitted, weeks),
        })
    }

    /// The history before an instant, of the jobs that had been submitted by then.
    ///
    /// # Errors
    /// A sentence: there are too few weeks of it.
    pub fn history(&mut self, at: Time) -> Result<History, String> {
        let weeks = self.weeks_before(at)?;
        if self.simulated.is_some() {
            self.simulate_until(at);
        }
        Ok(self.history_of(at, self.submitted(at), weeks))
    }

    /// How many jobs had been submitted by an instant.
    fn submitted(&self, at: Time) -> usize {
        self.jobs.as_slice().partition_point(|job| job.submit <= at)
    }

    fn has_ended(&self, position: usize, at: Time) -> bool {
        self.stays[position].end.is_some_and(|end| end <= at)
    }

    /// Simulates until just before an instant, and notes what became of the jobs; the machine then.
    fn simulate_until(&mut self, at: Time) -> Machine {
        let before = Time(at.0.saturating_sub(1));
        let mut run = self.simulated.take().expect("it is simulated");
        if run.now() > before {
            self.stays.fill(Stay::default());
            run = simulation::begun(&self.setup);
        }
        let jobs = self.jobs.as_slice();
        let from = run.next_job().0 as usize;
        let until = jobs.partition_point(|job| job.submit < at);
        run.add_jobs(jobs[from..until].to_vec());
        run.advance_to(before);
        let stays = &mut self.stays;
        let first = run.forget(&mut |job, outcome| stays[job.0 as usize] = outcome.into());
        for position in first.0..until as u32 {
            let job = JobId(position);
            stays[position as usize] = match run.running(job) {
                // It ends before anything else happens at the instant.
                Some(Running { start, end }) => Stay {
                    start: Some(start),
                    end: end.filter(|&end| end <= at),
                },
                None => run.outcome(job).into(),
            };
        }
        let mut past: Vec<Request> = Vec::new();
        for (position, job) in jobs[..until].iter().enumerate() {
            let is_largest = past
                .last()
                .is_none_or(|last| last.bandwidth < job.bandwidth);
            if is_largest {
                past.truncate(1);
                past.push(job.request(JobId(position as u32)));
            }
        }
        let machine = run.machine(past);
        self.simulated = Some(run);
        machine
    }

    /// The number of full weeks before an instant.
    fn weeks_before(&self, at: Time) -> Result<usize, String> {
        let first = self.jobs.as_slice().first();
        let first = first.map_or(at, |job| job.submit.min(at));
        let weeks = ((at - first).0 / WEEK.0) as usize;
        if weeks < LEAST_WEEKS {
            return Err(format!(
                "{at}: the log begins {} full weeks before it, and arrivals are drawn from at \
                 least {LEAST_WEEKS}; ask for {} s or later",
                weeks,
                (first.0 + LEAST_WEEKS as u64 * WEEK.0) / 1_000_000
            ));
        }
        Ok(weeks.min(MOST_WEEKS))
    }

    /// The history of the first `known` jobs before an instant, with so many full weeks.
    fn history_of(&self, at: Time, known: usize, weeks: usize) -> History {
        let mut arrivals = vec![Vec::new(); weeks];
        let from = Time(at.0 - weeks as u64 * WEEK.0);
        let mut ended = Vec::new();
        for (position, job) in self.jobs.as_slice()[..known].iter().enumerate() {
            let origin = self.origins[position];
            let ran = self.has_ended(position, at) && self.stays[position].start.is_some();
            let run = ran.then_some(job.runtime);
            ended.extend(run.map(|run| (origin, job.size, run)));
            if from <= job.submit && job.submit < at {
                let since = (job.submit - from).0;
                arrivals[(since / WEEK.0) as usize].push(PastArrival {
                    offset: Span(since % WEEK.0),
                    size: job.size,
                    bandwidth: job.bandwidth,
                    home: job.home,
                    origin,
                    run,
                });
            }
        }
        let rule = self.setup.workload.estimate;
        History {
            samples: Samples::of(ended.into_iter(), rule == Estimate::Kill),
            weeks: arrivals,
            rule,
        }
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
