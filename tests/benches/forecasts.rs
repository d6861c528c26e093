//! How long 200 futures of one job take on 8,192 nodes with 400 waiting jobs, and the map of other
//! sizes and time limits, on one processor.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::time::Instant;

use backfill_experiment::forecast::answer::Forecast;
use backfill_experiment::forecast::map::{self, LIMITS};
use backfill_experiment::forecast::samples::Samples;
use backfill_experiment::forecast::state::{History, PastArrival, Question, State, ToldJob, WEEK};
use backfill_experiment::study::sweep;
use backfill_sim::rng::Stream;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::{Estimate, Origin};
use backfill_tests::runs::one_point;

const NODES: u64 = 8_192;
const WAITING: u64 = 400;
const FUTURES: u32 = 200;
const WEEKS: usize = 12;
/// Jobs that arrive in a week.
const ARRIVALS: u64 = 3_000;
const HOUR: u64 = 3600 * MICROS;

/// A size and an origin.
fn drawn(draw: &mut Stream) -> (u32, Origin) {
    let size = 1 << draw.below(9);
    let limit = Span(HOUR * [1, 4, 12, 24, 48][draw.below(5) as usize]);
    let user = 1 + draw.below(80) as u32;
    let limit = Some(limit);
    (size, Origin { user, limit })
}

/// A run time within a limit.
fn run(draw: &mut Stream, origin: Origin) -> Span {
    Span(1 + draw.below(origin.limit.map_or(HOUR, |limit| limit.0)))
}

/// What is known of a cluster whose nodes are all in use, or nearly.
fn state() -> State {
    let mut draw = Stream::new(1, 0, "forecasts", 0);
    let at = Time(WEEKS as u64 * WEEK.0);
    let mut jobs = Vec::new();
    let mut add = |(size, origin), submit, start| {
        jobs.push(ToldJob {
            number: jobs.len() as u64 + 1,
            submit,
            start,
            size,
            origin,
        });
    };
    let mut free = NODES;
    while free > 0 {
        let (size, origin) = drawn(&mut draw);
        let size = size.min(free as u32);
        free -= u64::from(size);
        let start = Time(at.0 - run(&mut draw, origin).0);
        add((size, origin), start, Some(start));
    }
    for _ in 0..WAITING {
        let submit = Time(at.0 - draw.below(HOUR));
        add(drawn(&mut draw), submit, None);
    }
    let weeks = (0..WEEKS).map(|_| {
        let arrival = |nth| {
            let (size, origin) = drawn(&mut draw);
            PastArrival {
                offset: Span(WEEK.0 / ARRIVALS * nth),
                size,
                bandwidth: Kbps(0),
                home: 0,
                origin,
                run: Some(run(&mut draw, origin)),
            }
        };
        (0..ARRIVALS).map(arrival).collect()
    });
    let weeks: Vec<Vec<PastArrival>> = weeks.collect();
    let ended = weeks.iter().flatten();
    let ended = ended.filter_map(|job| Some((job.origin, job.size, job.run?)));
    let history = History {
        samples: Samples::of(ended, true),
        weeks,
        rule: Estimate::Kill,
    };
    State::told(NODES as u32, at, jobs, history)
}

fn setup(policy: &str) -> Setup {
    let nodes = NODES.to_string();
    let pairs = [
        ("system", "nodes"),
        ("nodes", &nodes),
        ("policy", policy),
        ("x", "none"),
        ("reps", "1"),
    ];
    let (scenario, cell) = one_point(&pairs);
    sweep::parts(&scenario, cell, None).expect("jobs").0
}

fn main() {
    let state = state();
    let (running, waiting) = state.counts();
    println!("{NODES} nodes, {running} jobs run, {waiting} wait, {ARRIVALS} arrive a week");
    let question = Question {
        size: 512,
        limit: Span(6 * HOUR),
        bandwidth: Kbps(0),
    };
    for policy in ["fcfs", "easy", "sdf"] {
        let setup = setup(policy);
        let begun = Instant::now();
        let forecast = Forecast::new(&setup, &state, question, FUTURES);
        let spent = begun.elapsed().as_secs_f64();
        let median = forecast.quantile(50).expect("it starts");
        let wait = (median - state.at).seconds() / 3600.0;
        println!("{policy:<6} {FUTURES} futures {spent:>7.2} s, P50 after {wait:.1} h");
        let sizes = map::sizes(NODES as u32);
        let begun = Instant::now();
        let futures = 20;
        for seed in 0..futures {
            map::cells(&setup, &state, &sizes, &LIMITS, Kbps(0), seed);
        }
        let spent = begun.elapsed().as_secs_f64();
        let cells = sizes.len() * LIMITS.len();
        println!("{policy:<6} {cells} cells of {futures} futures {spent:>7.2} s");
    }
}
