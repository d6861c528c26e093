//! What many futures say of one job: when it starts, how certain that is, and what holds it back.
//!
//! A quantile is the smallest start that is not below its share of all; a job that does not start
//! within [`LONGEST`](super::future::LONGEST) starts after all others.

use serde::Serialize;

use super::future::{Course, Future};
use super::simulation::fits;
use super::state::{Question, State};
use backfill_sim::policy::order::Order;
use backfill_sim::setup::Setup;
use backfill_sim::sorting;
use backfill_sim::unit::Time;

/// What holds a job back at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub enum Hold {
    /// It is first in the queue, and too few slots are free.
    Nodes,
    /// Others are before it in the queue, and too few slots are free.
    Queue,
    /// It would fit, but the policy keeps the free slots for others that are before it.
    Policy,
    /// Enough slots are free, but the placement finds none among them, or none with its bandwidth.
    Place,
}

impl Hold {
    /// All of them.
    pub const ALL: [Hold; 4] = [Hold::Nodes, Hold::Queue, Hold::Policy, Hold::Place];

    /// It in words that follow the name of the job, which asks for these units.
    pub fn words(self, unit: &str) -> String {
        match self {
            Hold::Nodes => format!("is first in the queue and too few {unit}s are free"),
            Hold::Queue => {
                format!("has others before it in the queue and too few {unit}s are free")
            }
            Hold::Policy => {
                format!("would fit, but the free {unit}s are kept for jobs before it")
            }
            Hold::Place => {
                format!("has {unit}s enough that are free, but no placement among them")
            }
        }
    }
}

/// When a job starts on one course; `None` if it does not within the longest wait.
pub fn start(setup: &Setup, state: &State, question: Question, course: Course) -> Option<Time> {
    Future::new(setup, state, Some(question), course).start()
}

/// What holds a job back just before an instant in the future of a seed; `None` if it has started.
pub fn hold(
    setup: &Setup,
    state: &State,
    question: Question,
    seed: u64,
    instant: Time,
) -> Option<Hold> {
    let mut future = Future::new(setup, state, Some(question), Course::Drawn(seed));
    let asked = future.asked();
    let simulation = future.just_before(instant);
    if simulation.first_start(asked).is_some() {
        return None;
    }
    let parts = setup.queueing.parts(setup.queue);
    let by_arrival = parts.is_none_or(|parts| parts.order == Order::Arrival);
    let mut others = simulation.waiting().iter().filter(|&&job| job != asked);
    let is_first = others.all(|&job| by_arrival && job > asked);
    let request = simulation.request(asked).expect("a job that waits");
    Some(if simulation.free_slots() < u64::from(request.size) {
        if is_first { Hold::Nodes } else { Hold::Queue }
    } else if fits(setup, request, Some(simulation)) {
        Hold::Policy
    } else {
        Hold::Place
    })
}

/// What the futures of a state say of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// The instant of the state, at which the job is submitted.
    pub at: Time,
    /// Its start in each future, ascending; `None`, the last, where it does not start.
    starts: Vec<Option<Time>>,
}

impl Forecast {
    /// The forecast of a job from its start in each future, in any order.
    pub fn of(at: Time, mut starts: Vec<Option<Time>>) -> Forecast {
        sorting::by_number(&mut starts, |start| start.map_or(u64::MAX, |start| start.0));
        Forecast { at, starts }
    }

    /// The forecast from the first `futures` futures of a state.
    pub fn new(setup: &Setup, state: &State, question: Question, futures: u32) -> Forecast {
        let seeds = 0..u64::from(futures);
        let starts = seeds.map(|seed| start(setup, state, question, Course::Drawn(seed)));
        Forecast::of(state.at, starts.collect())
    }

    /// The start in each future, ascending; `None`, the last, where the job does not start.
    pub fn starts(&self) -> &[Option<Time>] {
        &self.starts
    }

    /// The start that is not exceeded in so many per cent of the futures, at least 1; `None` if the
    /// job does not start in that many, or there is no future.
    pub fn quantile(&self, percent: usize) -> Option<Time> {
        let rank = (percent * self.starts.len()).div_ceil(100);
        *self.starts.get(rank.saturating_sub(1))?
    }

    /// The share of futures in which the job has started by an instant, that included.
    pub fn chance(&self, by: Time) -> f64 {
        let started = self.count(|start| start <= by);
        started as f64 / self.starts.len().max(1) as f64
    }

    /// The shares of futures in which it has started before an instant, and by that instant.
    pub fn around(&self, instant: Time) -> [f64; 2] {
        let before = self.count(|start| start < instant);
        [
            before as f64 / self.starts.len().max(1) as f64,
            self.chance(instant),
        ]
    }

    fn count(&self, test: impl Fn(Time) -> bool) -> usize {
        let started = self.starts.iter().flatten();
        started.filter(|&&start| test(start)).count()
    }
}
