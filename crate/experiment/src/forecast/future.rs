//! One future of a state: a run of the simulator with everything unknown drawn.
//!
//! Run times of known jobs are drawn from the samples, arrivals in blocks of one week, with
//! replacement, from the weeks of the history; a job of them that had not ended has its run time drawn
//! too. Jobs arrive in steps of a few hours, since most jobs start soon and the rest of a future is then
//! never made.
//!
//! Source: H. R. Künsch, "The jackknife and the bootstrap for general stationary observations", Annals
//! of Statistics 17(3), 1989, for blocks; that a block is a week is the project's own.

use super::simulation::Simulation;
use super::state::{KnownJob, PastArrival, Question, State, WEEK};
use std::any::Any;

use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::JobId;
use backfill_sim::job::Job;
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::setup::Setup;
use backfill_sim::system::nodes::Nodes;
use backfill_sim::unit::{MICROS, Span, Time};

/// How far jobs arrive at once.
const STEP: Span = Span(6 * 3600 * MICROS);

/// A job that has not started so long after the instant of its state counts as never started.
pub const LONGEST: Span = Span(26 * WEEK.0);

/// What is assumed of what is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Everything is drawn, by this seed.
    Drawn(u64),
    /// As `sbatch --test-only` of Slurm assumes: every job runs for its time limit, and none arrives.
    Optimist,
    /// Every job runs for its time limit, and every week that comes is the one of the history in which
    /// the most node time was requested.
    Pessimist,
}

/// A future in simulation.
pub struct Future<'a> {
    state: &'a State,
    simulation: Box<dyn Simulation>,
    arrivals: Arrivals<'a>,
    /// The job that is asked about; the next to arrive where there is none.
    asked: JobId,
    /// All jobs up to this instant are known to the engine.
    horizon: Time,
}

impl<'a> Future<'a> {
    /// The future of a state on such a course, with the job that is asked about or without one.
    ///
    /// # Panics
    /// The setup has no forecast ([`super::support::unsupported`]).
    pub fn new(
        setup: &Setup,
        state: &'a State,
        question: Option<Question>,
        course: Course,
    ) -> Future<'a> {
        let at = state.at;
        let machine = &state.machine;
        let mut changed = Vec::new();
        let mut new = Vec::new();
        for (index, known) in state.jobs.iter().enumerate() {
            let [runtime, estimate] = drawn(state, known, index as u64, course);
            if known.id < machine.next() {
                changed.push((known.id, [runtime, estimate]));
            } else {
                new.push(Job {
                    bandwidth: known.bandwidth,
                    estimate,
                    ..Job::new(known.number, known.submit, known.size, runtime)
                });
            }
        }
        let asked = JobId(machine.next().0 + new.len() as u32);
        new.extend(question.map(|question| question.job(at)));
        let mut simulation = machine.resumed(setup, at, &changed);
        simulation.add_jobs(new);
        Future {
            state,
            simulation,
            arrivals: Arrivals::new(state, course),
            asked,
            horizon: at,
        }
    }

    /// Lets the jobs of one more step arrive; returns whether there may be more.
    fn step(&mut self) -> bool {
        let last = self.state.at + LONGEST;
        if self.horizon >= last {
            return false;
        }
        self.horizon = if self.arrivals.weeks.is_empty() {
            last
        } else {
            last.min(self.horizon + STEP)
        };
        self.simulation.add_jobs(self.arrivals.up_to(self.horizon));
        true
    }

    /// Simulates until the job that is asked about starts; returns when, or `None` if it does not
    /// within [`LONGEST`].
    pub fn start(&mut self) -> Option<Time> {
        while self.step() {
            let start = self.simulation.advance_to_start(self.asked, self.horizon);
            if start.is_some() || self.simulation.outcome(self.asked) != Outcome::Open {
                return start;
            }
        }
        None
    }

    /// Simulates to just before an instant; returns what is to be seen then.
    pub fn just_before(&mut self, instant: Time) -> &dyn Simulation {
        while self.horizon < instant && self.step() {}
        let before = Time(instant.0.saturating_sub(1)).max(self.state.at);
        self.simulation.advance_to(before);
        &*self.simulation
    }

    /// Simulates what happens next at one instant on plain nodes, up to one pass; returns what is to be
    /// seen then, or `None` if nothing happens any more within [`LONGEST`].
    ///
    /// # Panics
    /// The system is another one.
    pub(super) fn next_round(&mut self) -> Option<&Context<Nodes>> {
        while on_nodes(&mut *self.simulation)
            .next_instant()
            .is_none_or(|next| next > self.horizon)
        {
            if !self.step() {
                return None;
            }
        }
        let engine = on_nodes(&mut *self.simulation);
        engine.advance(1);
        Some(engine.seen())
    }

    /// The job that is asked about.
    pub fn asked(&self) -> JobId {
        self.asked
    }
}

/// The engine of a run on plain nodes.
fn on_nodes(simulation: &mut dyn Simulation) -> &mut Engine<'static, Nodes> {
    let engine = (simulation as &mut dyn Any).downcast_mut();
    engine.expect("a run on plain nodes")
}

/// The run time and the estimate of a job that runs or waits; `index` names its stream.
fn drawn(state: &State, known: &KnownJob, index: u64, course: Course) -> [Span; 2] {
    let KnownJob {
        size,
        origin,
        worked,
        ..
    } = *known;
    let samples = &state.history.samples;
    let run = match course {
        Course::Drawn(seed) => samples.draw(origin, size, worked, &mut stream(seed, index)),
        Course::Optimist | Course::Pessimist => samples.limit_or_median(origin, size, worked),
    };
    state.shaped(origin.limit, run, worked)
}

/// The stream of one draw of a future.
fn stream(seed: u64, index: u64) -> Stream {
    Stream::new(seed, 0, "forecast", index)
}

/// The arrivals of a future, in order.
struct Arrivals<'a> {
    state: &'a State,
    course: Course,
    /// The weeks among which is drawn.
    weeks: &'a [Vec<PastArrival>],
    draws: Stream,
    /// The week that runs, how many began before it, and how many of its jobs have arrived.
    week: usize,
    begun: u64,
    arrived: usize,
    /// The number of jobs that arrived since the instant of the state.
    count: u64,
}

impl<'a> Arrivals<'a> {
    fn new(state: &'a State, course: Course) -> Arrivals<'a> {
        let weeks = match course {
            Course::Optimist => &[],
            _ => &state.history.weeks[..],
        };
        let seed = match course {
            Course::Drawn(seed) => seed,
            Course::Optimist | Course::Pessimist => 0,
        };
        let mut arrivals = Arrivals {
            state,
            course,
            weeks,
            draws: stream(seed, u64::MAX),
            week: 0,
            begun: 0,
            arrived: 0,
            count: 0,
        };
        if !weeks.is_empty() {
            arrivals.week = arrivals.next_week();
        }
        arrivals
    }

    fn next_week(&mut self) -> usize {
        match self.course {
            Course::Drawn(_) => self.draws.below(self.weeks.len() as u64) as usize,
            Course::Optimist | Course::Pessimist => busiest(self.weeks),
        }
    }

    /// The next jobs that arrive up to an instant, that included.
    fn up_to(&mut self, horizon: Time) -> Vec<Job> {
        let mut jobs = Vec::new();
        while let Some(week) = self.weeks.get(self.week) {
            let begin = self.state.at + Span(self.begun * WEEK.0);
            if let Some(arrival) = week.get(self.arrived) {
                let submit = begin + arrival.offset;
                if submit > horizon {
                    break;
                }
                jobs.push(self.job(submit, arrival));
                self.arrived += 1;
            } else if begin + WEEK > horizon {
                break;
            } else {
                self.begun += 1;
                self.arrived = 0;
                self.week = self.next_week();
            }
        }
        jobs
    }

    fn job(&mut self, submit: Time, arrival: &PastArrival) -> Job {
        let &PastArrival {
            size,
            bandwidth,
            home,
            origin,
            run,
            ..
        } = arrival;
        let State { history, jobs, .. } = self.state;
        let samples = &history.samples;
        let index = jobs.len() as u64 + self.count;
        self.count += 1;
        let run = match (self.course, run) {
            (Course::Drawn(_), Some(run)) => run,
            (Course::Drawn(seed), None) => {
                samples.draw(origin, size, None, &mut stream(seed, index))
            }
            _ => samples.limit_or_median(origin, size, None),
        };
        let [runtime, estimate] = self.state.shaped(origin.limit, run, None);
        Job {
            bandwidth,
            home,
            estimate,
            ..Job::new(0, submit, size, runtime)
        }
    }
}

/// The week in which the most node time was requested; the latest of several.
fn busiest(weeks: &[Vec<PastArrival>]) -> usize {
    let requested = |arrival: &PastArrival| {
        let time = arrival.origin.limit.or(arrival.run).unwrap_or(Span(0));
        u128::from(arrival.size) * u128::from(time.0)
    };
    let area = |week: &usize| weeks[*week].iter().map(requested).sum::<u128>();
    (0..weeks.len()).max_by_key(area).unwrap_or(0)
}
