//! Forecasts beside what came: whether a chance of 80 % comes true four times in five.
//!
//! At instants spread over the second half of a log, the next job of the log is the one that is asked
//! about; it truly starts when it does in the run of the whole log. Many jobs start at once in all
//! futures and in truth, so that the closed interval holds more than its share; the probability
//! integral transform therefore spreads such a case evenly over the shares that it may have.
//!
//! Source: T. Gneiting, F. Balabdaoui, A. Raftery, "Probabilistic forecasts, calibration and
//! sharpness", JRSS B 69(2), 2007; for ties C. Czado, T. Gneiting, L. Held, "Predictive model
//! assessment for count data", Biometrics 65(4), 2009, section 2.1.

use serde::Serialize;

use super::answer::{Forecast, start};
use super::future::{Course, LONGEST};
use super::samples::class;
use super::state::{Question, State};
use super::timeline::Timeline;
use backfill_sim::id::JobId;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{MICROS, Span, Time};

/// The bins of the histogram of the probability integral transform.
pub const BINS: usize = 10;

/// The jobs that are asked about at `count` instants spread evenly over the second half of a log: the
/// next that is submitted and runs, and when each starts in the run of all jobs. Instants between which
/// none is submitted ask about one job once.
pub fn asked(timeline: &Timeline, count: u32) -> Vec<(JobId, Time)> {
    let starts = timeline.starts();
    let jobs = timeline.jobs().as_slice();
    let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else {
        return Vec::new();
    };
    let half = u128::from((last.submit - first.submit).0) / 2;
    let middle = first.submit + Span(half as u64);
    let mut asked: Vec<(JobId, Time)> = Vec::new();
    for nth in 0..u128::from(count) {
        let since = half * (2 * nth + 1) / (2 * u128::from(count));
        let instant = middle + Span(since as u64);
        let next = jobs.partition_point(|job| job.submit < instant);
        let mut next = next..jobs.len();
        let found = next.find_map(|position| Some((JobId(position as u32), starts[position]?)));
        if let Some(job) = found.filter(|job| asked.last() != Some(job)) {
            asked.push(job);
        }
    }
    asked
}

/// One forecast beside what came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Requested nodes.
    pub size: u32,
    /// How long the job waited in truth.
    pub wait: Span,
    /// The shares of futures in which it had started before its true start, and by then.
    pub around: [f64; 2],
    /// Whether its true start is not before P10 and not after P90.
    pub inside: bool,
    /// P50, as a wait; the longest where it does not start.
    pub median: Span,
    /// The optimist's answer, likewise.
    pub optimist: Span,
}

/// Forecasts the start of a job of a log as it is submitted, which is the instant `truth` in the run of
/// all jobs. `forecast` simulates the futures.
///
/// # Errors
/// A sentence: too little is known then.
pub fn case(
    setup: &Setup,
    timeline: &mut Timeline,
    job: JobId,
    truth: Time,
    forecast: impl FnOnce(&State, Question) -> Forecast,
) -> Result<Case, String> {
    let asked = &timeline.jobs()[job];
    let at = asked.submit;
    let question = Question {
        size: asked.size,
        limit: asked.estimate,
        bandwidth: asked.bandwidth,
    };
    let state = timeline.state(at, Some(job.0 as usize))?;
    let forecast = forecast(&state, question);
    let optimist = start(setup, &state, question, Course::Optimist);
    let wait = |start: Option<Time>| start.map_or(LONGEST, |start| start - at);
    let early = forecast.quantile(10).is_none_or(|start| truth < start);
    let late = forecast.quantile(90).is_some_and(|start| truth > start);
    Ok(Case {
        size: question.size,
        wait: truth - at,
        around: forecast.around(truth),
        inside: !early && !late,
        median: wait(forecast.quantile(50)),
        optimist: wait(optimist),
    })
}

/// A group of cases in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Which cases.
    pub name: String,
    /// How many.
    pub cases: usize,
    /// The share of true starts from P10 to P90, both included.
    pub inside: f64,
    /// The same where a start that several futures share is spread over their shares: 0.8 where the
    /// forecast is right.
    pub inside_spread: f64,
    /// The mean absolute error of P50 in seconds.
    pub median_error_s: f64,
    /// The mean absolute error of the optimist's answer in seconds.
    pub optimist_error_s: f64,
    /// The share of cases in each bin of the probability integral transform, of [`BINS`].
    pub histogram: Vec<f64>,
}

impl Group {
    fn of(name: String, cases: &[&Case]) -> Group {
        let count = cases.len().max(1) as f64;
        let mean = |value: &dyn Fn(&Case) -> f64| {
            cases.iter().map(|case| value(case)).sum::<f64>() / count
        };
        let error = |found: Span, truth: Span| found.0.abs_diff(truth.0) as f64 / MICROS as f64;
        Group {
            name,
            cases: cases.len(),
            inside: mean(&|case| f64::from(u8::from(case.inside))),
            inside_spread: mean(&|case| overlap(case.around, [0.1, 0.9])),
            median_error_s: mean(&|case| error(case.median, case.wait)),
            optimist_error_s: mean(&|case| error(case.optimist, case.wait)),
            histogram: (0..BINS)
                .map(|bin| {
                    let ends = [bin, bin + 1].map(|end| end as f64 / BINS as f64);
                    mean(&|case| overlap(case.around, ends))
                })
                .collect(),
        }
    }
}

/// The part of a range of shares that is in a bin. A range without length counts in the bin that begins
/// there; at the end of all, in the last.
fn overlap([from, to]: [f64; 2], [begin, end]: [f64; 2]) -> f64 {
    if to > from {
        return (to.min(end) - from.max(begin)).max(0.0) / (to - from);
    }
    let inside = begin <= from && (from < end || end >= 1.0);
    f64::from(u8::from(inside))
}

/// Whether a job waits by its P50. What starts at once in most futures is hardly a forecast.
pub fn waits(case: &Case) -> bool {
    case.median > Span(0)
}

/// As many groups of consecutive cases, of about the same size; none where there are fewer cases.
pub fn parts(cases: &[Case], count: usize) -> Vec<Group> {
    let ends = |part: usize| part * cases.len() / count..(part + 1) * cases.len() / count;
    let part = |part: usize| {
        let some: Vec<&Case> = cases[ends(part)].iter().collect();
        Group::of(format!("part {} of {count}", part + 1), &some)
    };
    let enough = cases.len() >= count;
    (0..count).filter(|_| enough).map(part).collect()
}

/// All cases of a log in numbers: all of them, those that wait by P50, by size class, by length of the
/// true wait, and by P50. Long waits came late by what is known afterwards alone, so that their
/// forecasts look too early even where all forecasts together are right; those of a long P50 need not.
pub fn groups(cases: &[Case]) -> Vec<Group> {
    let all: Vec<&Case> = cases.iter().collect();
    let mut groups = vec![Group::of("all".to_owned(), &all)];
    let mut add = |name: String, test: &dyn Fn(&Case) -> bool| {
        let some: Vec<&Case> = cases.iter().filter(|case| test(case)).collect();
        if !some.is_empty() {
            groups.push(Group::of(name, &some));
        }
    };
    add("P50 over 0".to_owned(), &waits);
    let largest = cases.iter().map(|case| class(case.size)).max().unwrap_or(0);
    for power in 0..=largest {
        let (from, to) = (1_u64 << power, (2_u64 << power) - 1);
        let name = match power {
            0 => "size 1".to_owned(),
            _ => format!("size {from} to {to}"),
        };
        add(name, &|case| class(case.size) == power);
    }
    let hour = 3600 * MICROS;
    let lengths = [
        ("0", 0, 1),
        ("up to 10 min", 1, hour / 6 + 1),
        ("up to 1 h", hour / 6 + 1, hour + 1),
        ("up to 6 h", hour + 1, 6 * hour + 1),
        ("up to 24 h", 6 * hour + 1, 24 * hour + 1),
        ("over 24 h", 24 * hour + 1, u64::MAX),
    ];
    for (name, from, to) in lengths {
        let test = |case: &Case| (from..to).contains(&case.wait.0);
        add(format!("wait {name}"), &test);
    }
    for (name, from, to) in lengths {
        let test = |case: &Case| (from..to).contains(&case.median.0);
        add(format!("P50 {name}"), &test);
    }
    groups
}
