//! When a job would start: the futures of an instant of a log, or of a pasted queue, a few at a time,
//! so that workers can share them.
//!
//! Futures are known by their seeds. Starts are seconds since time 0 of the log, and -1 where the job
//! does not start.

use backfill_experiment::files::logs::queue;
use backfill_experiment::forecast::answer::{self, Forecast, Hold};
use backfill_experiment::forecast::clock::Clock;
use backfill_experiment::forecast::future::Course;
use backfill_experiment::forecast::map::{self, LIMITS, Map};
use backfill_experiment::forecast::pasted;
use backfill_experiment::forecast::report::{Answers, Report};
use backfill_experiment::forecast::state::{LEAST_WEEKS, Question, State, WEEK, limit};
use backfill_experiment::forecast::support::{USUAL, unsupported};
use backfill_experiment::forecast::timeline::{Timeline, covered};
use backfill_experiment::study::sweep;
use backfill_sim::job::Jobs;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, Time, round};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::scenario::parse;
use crate::trace::Trace;
use crate::{plain, refusal};

/// The instants of a log at which a forecast can be asked for.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Instants {
    /// The first, in seconds since time 0 of the log.
    from_s: f64,
    /// The last.
    until_s: f64,
    /// The last as a date; null where the log has none.
    until: Option<String>,
    /// When time 0 was, in seconds since 1970 by the log's own zone; null where that is not known.
    begins: Option<f64>,
    /// The slots of the system.
    nodes: u64,
    /// What jobs ask for: a slot, a node or a machine.
    unit: &'static str,
    /// Whether the bandwidth that a job requests matters.
    network: bool,
}

/// How many nodes there are to use by what `sinfo -p PARTITION` prints.
///
/// # Errors
/// A row cannot be; a sentence says which and what to do.
#[wasm_bindgen]
pub fn usable_nodes(text: &str) -> Result<u32, JsValue> {
    queue::usable_nodes(text).map_err(refusal)
}

/// What a forecast begins with.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct ForecastUsual {
    /// What prints the queue that is pasted.
    command: &'static str,
    /// The policy that is asked about where none is chosen, and its label.
    policy: &'static str,
    label: &'static str,
}

/// What a forecast begins with.
#[wasm_bindgen(unchecked_return_type = "ForecastUsual")]
pub fn forecast_usual() -> JsValue {
    plain(&ForecastUsual {
        command: queue::COMMAND,
        policy: USUAL.name(),
        label: USUAL.choice().label,
    })
}

/// Why nothing can be forecast under the first policy of a scenario; `None` where it can.
///
/// # Errors
/// `text` is no valid scenario.
#[wasm_bindgen]
pub fn why_no_forecast(text: &str) -> Result<Option<String>, JsValue> {
    Ok(unsupported(&parse(text)?.setup(Some(0), Some(0), 0)))
}

/// The instants at which a forecast can be asked for, of a scenario's only run.
///
/// # Errors
/// The scenario is invalid or has several runs, its jobs cannot be made, nothing can be forecast under
/// it, or the log is too short; a sentence says why.
#[wasm_bindgen(unchecked_return_type = "Instants")]
pub fn instants(text: &str, trace: &Trace) -> Result<JsValue, JsValue> {
    let (setup, jobs) = parts(text, trace)?;
    let jobs = jobs.as_slice();
    let about = setup.system.kind().about();
    let ends = jobs.first().zip(jobs.last());
    let (first, last) = ends.ok_or_else(|| refusal("there is no job"))?;
    let history = LEAST_WEEKS as u64 * WEEK.0;
    let from = Time(first.submit.0 + history);
    if from > last.submit {
        return Err(refusal(format!(
            "The log is shorter than {LEAST_WEEKS} weeks, and arrivals are drawn from at least as \
             many."
        )));
    }
    let clock = Clock::of(&setup.workload, trace.get());
    Ok(plain(&Instants {
        from_s: from.seconds().ceil(),
        until_s: last.submit.seconds().floor(),
        until: clock.date(last.submit),
        begins: clock.begins().map(|begins| begins as f64),
        nodes: setup.system.slots(),
        unit: about.unit,
        network: about.network,
    }))
}

/// The setup and the jobs of the only run of a scenario.
fn parts(text: &str, trace: &Trace) -> Result<(Setup, Jobs), JsValue> {
    let scenario = parse(text)?;
    let cells = sweep::cells(&scenario);
    let &[cell] = &cells[..] else {
        return Err(refusal("a forecast is of one run"));
    };
    let (setup, jobs) = sweep::parts(&scenario, cell, trace.get()).map_err(refusal)?;
    match unsupported(&setup) {
        Some(why) => Err(refusal(why)),
        None => Ok((setup, jobs)),
    }
}

/// The jobs and the system of a scenario that has forecasts.
#[wasm_bindgen]
pub struct Forecaster {
    setup: Setup,
    jobs: Jobs,
    clock: Clock,
    timeline: Timeline,
}

#[wasm_bindgen]
impl Forecaster {
    /// Takes the only run of a scenario.
    ///
    /// # Errors
    /// The scenario is invalid or has several runs, its jobs cannot be made, or nothing can be forecast
    /// under it; a sentence says why.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, trace: &Trace) -> Result<Forecaster, JsValue> {
        let (setup, jobs) = parts(text, trace)?;
        Ok(Forecaster {
            clock: Clock::of(&setup.workload, trace.get()),
            timeline: Timeline::new(&setup, trace.get(), jobs.clone()).map_err(refusal)?,
            setup,
            jobs,
        })
    }

    /// A job of that many slots and that time limit, submitted at an instant of the log: seconds, or a
    /// date where the log has dates. Without a bandwidth in Mbit/s, it asks for a usual one.
    ///
    /// # Errors
    /// What is asked is invalid, or too little is known at that instant; a sentence says why.
    pub fn at(
        &mut self,
        at: &str,
        size: &str,
        limit: &str,
        bandwidth: &str,
    ) -> Result<Asked, JsValue> {
        let at = self.clock.read(at).map_err(refusal)?;
        covered(&self.jobs, at).map_err(refusal)?;
        let state = self.timeline.state(at, None).map_err(refusal)?;
        Ok(Asked {
            question: self.question(&state, size, limit, bandwidth)?,
            setup: self.setup.clone(),
            state,
            clock: self.clock,
        })
    }

    /// The same for what `squeue` printed on a running cluster. A trace is its history; `processors`
    /// are counted in place of nodes where jobs share nodes.
    ///
    /// # Errors
    /// What is asked is invalid, a row of the queue cannot be, or the trace is no history of it; a
    /// sentence says which and why.
    pub fn queue(
        &self,
        trace: &Trace,
        text: &str,
        processors: bool,
        size: &str,
        limit: &str,
    ) -> Result<Asked, JsValue> {
        let labels = trace.get().map(|trace| trace.labels.clone());
        let queue = queue::read(text, &labels.unwrap_or_default()).map_err(refusal)?;
        let mut history = match trace.get() {
            Some(trace) => {
                let history = pasted::history(&self.setup, trace, self.jobs.clone());
                Some(history.map_err(refusal)?)
            }
            None => None,
        };
        let history = history.as_mut().map(|(past, begins)| (past, *begins));
        let state = pasted::state(&self.setup, &queue, processors, history);
        let (state, clock) = state.map_err(refusal)?;
        Ok(Asked {
            question: self.question(&state, size, limit, "")?,
            setup: self.setup.clone(),
            state,
            clock,
        })
    }
}

impl Forecaster {
    fn question(
        &self,
        state: &State,
        size: &str,
        time: &str,
        bandwidth: &str,
    ) -> Result<Question, JsValue> {
        let wrong = |field: &str, why: String| refusal(format!("{field}: {why}"));
        let limit = limit(time).map_err(|why| wrong("Time limit", why))?;
        let bandwidth = match bandwidth.trim() {
            "" => None,
            text => {
                let mbit = text.parse::<u32>().map_err(|_| {
                    wrong("Bandwidth", format!("{text} is no whole number of Mbit/s"))
                })?;
                Some(Kbps(1000 * u64::from(mbit)))
            }
        };
        let size = size.trim().parse().unwrap_or(0);
        let question = Question::new(&self.setup, state, size, limit, bandwidth);
        question.map_err(|why| wrong("Size", why))
    }
}

/// A job that is asked about, and what is known as it is submitted.
#[wasm_bindgen]
pub struct Asked {
    setup: Setup,
    state: State,
    clock: Clock,
    question: Question,
}

#[wasm_bindgen]
impl Asked {
    /// Its start in the futures from one seed to before another.
    pub fn starts(&self, from: u32, until: u32) -> Vec<f64> {
        let start = |seed| self.start(Course::Drawn(u64::from(seed)));
        (from..until).map(|seed| seconds(start(seed))).collect()
    }

    /// What holds it back just before an instant in the future of a seed: 0 to 3 by [`Hold`], -1 if it
    /// has started.
    pub fn holds(&self, seeds: &[u32], instant: f64) -> Vec<f64> {
        let instant = time(instant);
        let held = |&seed: &u32| {
            answer::hold(
                &self.setup,
                &self.state,
                self.question,
                u64::from(seed),
                instant,
            )
        };
        let number = |hold: Option<Hold>| hold.map_or(-1.0, |hold| f64::from(hold as u8));
        seeds.iter().map(|seed| number(held(seed))).collect()
    }

    /// The starts of jobs of every size and time limit of the map, in the futures from one seed to
    /// before another, one future after the other.
    pub fn cells(&self, from: u32, until: u32) -> Vec<f64> {
        let sizes = self.sizes();
        let bandwidth = self.question.bandwidth;
        let cells = |seed| {
            let seed = u64::from(seed);
            map::cells(&self.setup, &self.state, &sizes, &LIMITS, bandwidth, seed)
        };
        let cells = (from..until).flat_map(cells);
        cells.map(seconds).collect()
    }

    /// The forecast from the starts in all futures; with what holds the job back and with a map, as far
    /// as these are given.
    #[wasm_bindgen(unchecked_return_type = "Told")]
    pub fn told(&self, starts: &[f64], holds: &[f64], cells: &[f64]) -> JsValue {
        let sizes = self.sizes();
        let starts_of = |starts: &[f64]| starts.iter().map(|&start| instant(start)).collect();
        let futures: Vec<Vec<Option<Time>>> = cells
            .chunks(sizes.len() * LIMITS.len())
            .map(starts_of)
            .collect();
        let at = self.state.at;
        let of_number = |&number: &f64| {
            Hold::ALL
                .into_iter()
                .find(|&hold| f64::from(hold as u8) == number)
        };
        let answers = Answers {
            forecast: Forecast::of(at, starts_of(starts)),
            bounds: [Course::Optimist, Course::Pessimist].map(|course| self.start(course)),
            holds: holds.iter().filter_map(of_number).collect(),
            map: (!futures.is_empty()).then(|| Map::of(at, &sizes, &LIMITS, &futures)),
        };
        let forecast = Report::new(
            &self.setup,
            &self.state,
            self.question,
            self.clock,
            &answers,
        );
        plain(&Told {
            premise: forecast.premise(),
            cause: forecast.cause(),
            gains: forecast.gains(),
            begins: self.clock.begins().map(|begins| begins as f64),
            forecast,
        })
    }
}

impl Asked {
    fn start(&self, course: Course) -> Option<Time> {
        answer::start(&self.setup, &self.state, self.question, course)
    }

    fn sizes(&self) -> Vec<u32> {
        map::sizes(u32::try_from(self.setup.system.slots()).unwrap_or(u32::MAX))
    }
}

/// A forecast, and what is said of it.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Told {
    /// The forecast.
    forecast: Report,
    /// What is asked, and what is known.
    premise: String,
    /// What holds the job back just before P50; null if that was not asked or it starts at once.
    cause: Option<String>,
    /// What would start sooner.
    gains: Vec<String>,
    /// When time 0 was, in seconds since 1970; null where that is not known.
    begins: Option<f64>,
}

/// A start as it crosses.
fn seconds(start: Option<Time>) -> f64 {
    start.map_or(-1.0, Time::seconds)
}

/// A start that crossed.
fn instant(start: f64) -> Option<Time> {
    (start >= 0.0).then(|| time(start))
}

fn time(seconds: f64) -> Time {
    Time(round(seconds * 1e6))
}
