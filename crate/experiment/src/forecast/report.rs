//! A forecast as it is written: in sentences, and as data.

use std::fmt;

use serde::Serialize;

use super::answer::{Forecast, Hold};
use super::clock::Clock;
use super::map::Map;
use super::state::{Question, State};
use backfill_sim::setup::Setup;
use backfill_sim::sorting;
use backfill_sim::unit::{MICROS, Span, Time};

/// The form of the data.
pub const SCHEMA: &str = "backfill-forecast-1";

/// The lengths of time for which the chance to have started is said, in seconds, and their names.
const WITHIN: [(u64, &str); 6] = [
    (0, "at once"),
    (3600, "within 1 h"),
    (4 * 3600, "within 4 h"),
    (12 * 3600, "within 12 h"),
    (24 * 3600, "within 1 day"),
    (7 * 24 * 3600, "within 7 days"),
];

/// When a job starts; every field is `None` if it does not within the longest wait.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "ForecastStart")]
pub struct Start {
    /// How long it waits, in seconds.
    pub wait_s: Option<f64>,
    /// When it starts, in seconds since time 0 of the log.
    pub start_s: Option<f64>,
    /// The same as a date; `None` also where the log has no dates.
    pub date: Option<String>,
}

/// The chance to have started.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct Chance {
    /// Within how many seconds.
    pub within_s: u64,
    /// The share of the futures.
    pub share: f64,
}

/// What holds the job back just before P50.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct HeldBack {
    /// What it is.
    pub by: Hold,
    /// The share of the futures in which the job still waits then.
    pub share: f64,
}

/// The answers for other sizes and time limits; waits by size and then by limit, in seconds, `None` for
/// the longest.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "ForecastMap")]
pub struct MapReport {
    /// The sizes in slots.
    pub sizes: Vec<u32>,
    /// The time limits in seconds.
    pub limits_s: Vec<f64>,
    /// P50.
    pub p50_wait_s: Vec<Vec<Option<f64>>>,
    /// P90.
    pub p90_wait_s: Vec<Vec<Option<f64>>>,
}

/// A forecast.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
#[ts(rename = "Forecast")]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The version that made it.
    pub core: &'static str,
    /// The policy.
    pub policy: &'static str,
    /// Slots of the system.
    pub nodes: u64,
    /// What jobs ask for: a slot, a node or a machine.
    pub unit: &'static str,
    /// When the job is submitted, in seconds since time 0 of the log.
    pub at_s: f64,
    /// The same as a date; `None` where the log has none.
    pub at: Option<String>,
    /// Slots of the job.
    pub size: u32,
    /// The bandwidth that it requests, in Mbit/s; `None` where the system has no network.
    pub bandwidth_mbit: Option<f64>,
    /// Its time limit in seconds.
    pub limit_s: f64,
    /// Jobs that run then.
    pub running: usize,
    /// Jobs that wait then.
    pub waiting: usize,
    /// Weeks of history from which arrivals are drawn.
    pub weeks: usize,
    /// How many futures were simulated.
    pub futures: usize,
    /// The start that one future in ten does not exceed.
    pub p10: Start,
    /// The start that half of the futures do not exceed.
    pub p50: Start,
    /// The start that nine futures in ten do not exceed.
    pub p90: Start,
    /// The start if every job runs for its time limit and none arrives.
    pub optimist: Start,
    /// The start if every job runs for its time limit and the busiest week comes again and again.
    pub pessimist: Start,
    /// The chance to have started by some instants.
    pub chances: Vec<Chance>,
    /// What holds the job back just before P50, the most frequent first; empty if it starts at once.
    pub held_back: Vec<HeldBack>,
    /// Other sizes and time limits; `None` where they were not asked for.
    pub map: Option<MapReport>,
}

/// What is known of a forecast besides the futures themselves.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The forecast.
    pub forecast: Forecast,
    /// The start on the optimist's course and on the pessimist's.
    pub bounds: [Option<Time>; 2],
    /// What holds the job back just before P50, of the futures in which it still waits.
    pub holds: Vec<Hold>,
    /// Other sizes and time limits, if they were asked for.
    pub map: Option<Map>,
}

impl Report {
    /// The report on a question about a state.
    pub fn new(
        setup: &Setup,
        state: &State,
        question: Question,
        clock: Clock,
        answers: &Answers,
    ) -> Report {
        let at = state.at;
        let about = setup.system.kind().about();
        let forecast = &answers.forecast;
        let start = |start: Option<Time>| Start {
            wait_s: start.map(|start| (start - at).seconds()),
            start_s: start.map(Time::seconds),
            date: start.and_then(|start| clock.date(start)),
        };
        let chance = |(within_s, _): (u64, &str)| Chance {
            within_s,
            share: forecast.chance(at + Span(within_s * MICROS)),
        };
        let (running, waiting) = state.counts();
        let [optimist, pessimist] = answers.bounds;
        let mut held_back: Vec<HeldBack> = Hold::ALL
            .into_iter()
            .map(|by| {
                let count = answers.holds.iter().filter(|&&hold| hold == by).count();
                let share = count as f64 / answers.holds.len().max(1) as f64;
                HeldBack { by, share }
            })
            .filter(|held| held.share > 0.0)
            .collect();
        sorting::by(&mut held_back, |one, other| {
            other.share.total_cmp(&one.share)
        });
        Report {
            schema: SCHEMA,
            core: env!("CARGO_PKG_VERSION"),
            policy: setup.queue.name(),
            nodes: setup.system.slots(),
            unit: about.unit,
            at_s: at.seconds(),
            at: clock.date(at),
            size: question.size,
            bandwidth_mbit: about.network.then(|| question.bandwidth.mbps()),
            limit_s: question.limit.seconds(),
            running,
            waiting,
            weeks: state.history.weeks.len(),
            futures: forecast.starts().len(),
            p10: start(forecast.quantile(10)),
            p50: start(forecast.quantile(50)),
            p90: start(forecast.quantile(90)),
            optimist: start(optimist),
            pessimist: start(pessimist),
            chances: WITHIN.into_iter().map(chance).collect(),
            held_back,
            map: answers.map.as_ref().map(MapReport::of),
        }
    }
}

impl MapReport {
    /// The report on a map.
    pub fn of(map: &Map) -> MapReport {
        let waits = |percent: usize| {
            let wait = |cell: &Forecast| Some((cell.quantile(percent)? - cell.at).seconds());
            let rows = map.cells.chunks(map.limits.len());
            rows.map(|row| row.iter().map(wait).collect()).collect()
        };
        MapReport {
            sizes: map.sizes.clone(),
            limits_s: map.limits.iter().map(|limit| limit.seconds()).collect(),
            p50_wait_s: waits(50),
            p90_wait_s: waits(90),
        }
    }
}

/// A wait in seconds in words: `2 d 3 h`, `3 h 20 min`, `12 min`, `0 s`.
pub fn length(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (days, hours, minutes) = (whole / 86_400, whole / 3600 % 24, whole / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{} s", whole),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, _) => format!("{hours} h {minutes:02} min"),
        _ => format!("{days} d {hours:02} h"),
    }
}

/// A wait as a table shows it.
fn wait(seconds: Option<f64>) -> String {
    seconds.map_or("never".to_owned(), length)
}

impl Report {
    /// So many slots in words.
    fn count(&self, count: u64) -> String {
        format!("{count} {}{}", self.unit, if count == 1 { "" } else { "s" })
    }

    /// What is asked, and what is known, in words.
    pub fn premise(&self) -> String {
        let at = match &self.at {
            Some(date) => format!("{date} ({} s)", self.at_s),
            None => format!("{} s", self.at_s),
        };
        let history = match self.weeks {
            0 => "no history: every job runs for its limit, and none arrives".to_owned(),
            weeks => format!("arrivals from {weeks} weeks of history"),
        };
        let bandwidth = match self.bandwidth_mbit {
            Some(bandwidth) if bandwidth > 0.0 => format!(" with {bandwidth} Mbit/s each"),
            _ => String::new(),
        };
        format!(
            "A job of {}{bandwidth} with a limit of {}, submitted at {at} under {} on {},\nbeside {} \
             running and {} waiting jobs; {} futures, {history}.",
            self.count(u64::from(self.size)),
            length(self.limit_s),
            self.policy,
            self.count(self.nodes),
            self.running,
            self.waiting,
            self.futures
        )
    }

    /// What holds the job back most often just before P50, in words; `None` if it starts at once.
    pub fn cause(&self) -> Option<String> {
        let held = self.held_back.first()?;
        Some(format!(
            "In {:.0} % of the futures in which it still waits just before P50, it {}.",
            100.0 * held.share,
            held.by.words(self.unit)
        ))
    }

    /// What would start sooner, in words: the largest smaller job and the longest shorter one of the
    /// map whose P50 is sooner than that of the job by an hour, or by half of its wait.
    pub fn gains(&self) -> Vec<String> {
        let (Some(map), Some(wait)) = (&self.map, self.p50.wait_s) else {
            return Vec::new();
        };
        let least = (wait / 2.0).min(3600.0);
        let sooner = |size: usize, limit: usize| {
            let gain = wait - map.p50_wait_s[size][limit]?;
            (gain > 0.0 && gain >= least).then_some(gain)
        };
        let no_longer = map
            .limits_s
            .iter()
            .rposition(|&limit| limit <= self.limit_s);
        let no_smaller = map.sizes.iter().position(|&size| size >= self.size);
        let smaller = no_longer.and_then(|limit| {
            let sizes = (0..map.sizes.len()).rev();
            let mut sizes = sizes.filter(|&size| map.sizes[size] < self.size);
            sizes.find_map(|size| {
                Some((sooner(size, limit)?, self.count(u64::from(map.sizes[size]))))
            })
        });
        let shorter = no_smaller.and_then(|size| {
            let limits = (0..map.limits_s.len()).rev();
            let mut limits = limits.filter(|&limit| map.limits_s[limit] < self.limit_s);
            limits.find_map(|limit| {
                let words = format!("a limit of {}", length(map.limits_s[limit]));
                Some((sooner(size, limit)?, words))
            })
        });
        let said = |(gain, what)| format!("With {what} it would start {} sooner.", length(gain));
        smaller.into_iter().chain(shorter).map(said).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.premise())?;
        writeln!(f)?;
        let rows = [
            ("P10", &self.p10, ""),
            ("P50", &self.p50, ""),
            ("P90", &self.p90, ""),
            (
                "optimist",
                &self.optimist,
                "all run to their limits, none arrives",
            ),
            (
                "pessimist",
                &self.pessimist,
                "all run to their limits, the busiest week comes",
            ),
        ];
        writeln!(f, "{:<10}{:>14}  start", "", "wait")?;
        // Without a history all futures are the optimist's.
        let told = if self.weeks == 0 { 3 } else { rows.len() };
        for (name, start, what) in &rows[..told] {
            let date = match (&start.date, start.start_s) {
                (Some(date), _) => date.clone(),
                (None, Some(seconds)) => format!("{seconds} s"),
                (None, None) => "not within 26 weeks".to_owned(),
            };
            let line = format!("{name:<10}{:>14}  {date:<21}{what}", wait(start.wait_s));
            writeln!(f, "{}", line.trim_end())?;
        }
        writeln!(f)?;
        let chances = self.chances.iter().zip(WITHIN);
        let chances: Vec<String> = chances
            .map(|(chance, (_, name))| format!("{name} {:.0} %", 100.0 * chance.share))
            .collect();
        writeln!(f, "Chance to have started: {}.", chances.join(", "))?;
        let further = self.cause().into_iter().chain(self.gains());
        for sentence in further {
            writeln!(f, "{sentence}")?;
        }
        if let Some(map) = &self.map {
            for (name, waits) in [("P50", &map.p50_wait_s), ("P90", &map.p90_wait_s)] {
                writeln!(f, "\n{name} of the wait by {}s and time limit", self.unit)?;
                write!(f, "{:>8}", "")?;
                for &limit in &map.limits_s {
                    write!(f, "{:>13}", length(limit))?;
                }
                writeln!(f)?;
                for (size, row) in map.sizes.iter().zip(waits) {
                    write!(f, "{size:>8}")?;
                    for &seconds in row {
                        write!(f, "{:>13}", wait(seconds))?;
                    }
                    writeln!(f)?;
                }
            }
        }
        Ok(())
    }
}
