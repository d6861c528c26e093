//! When jobs of other sizes and time limits would start: the same futures for all of them.
//!
//! Under FCFS and EASY on plain nodes a job that waits behind others changes nothing before it starts or is first in
//! the queue. So one run without it tells for every cell at once whether it is backfilled before that,
//! and from there on only its size matters: a run for each size tells the rest. Elsewhere
//! every cell is a run of its own, which is what [`cells_one_by_one`] does for all.
//!
//! Source: common random numbers, e.g. A. Law, "Simulation Modeling and Analysis", chapter 11.

use super::answer::{Forecast, start};
use super::future::{Course, Future};
use super::state::{Question, State};
use backfill_sim::engine::Context;
use backfill_sim::id::JobId;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt};
use backfill_sim::setup::Setup;
use backfill_sim::sorting;
use backfill_sim::system::nodes::Nodes;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};

/// The time limits of a map, from 15 minutes to 48 hours.
pub const LIMITS: [Span; 8] = [
    Span(15 * MINUTE),
    Span(30 * MINUTE),
    Span(60 * MINUTE),
    Span(2 * 60 * MINUTE),
    Span(4 * 60 * MINUTE),
    Span(12 * 60 * MINUTE),
    Span(24 * 60 * MINUTE),
    Span(48 * 60 * MINUTE),
];

const MINUTE: u64 = 60 * MICROS;

/// The sizes of a map: powers of two up to the machine.
pub fn sizes(nodes: u32) -> Vec<u32> {
    (0..=nodes.max(1).ilog2()).map(|power| 1 << power).collect()
}

/// The forecast of every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The sizes, ascending.
    pub sizes: Vec<u32>,
    /// The time limits, ascending.
    pub limits: Vec<Span>,
    /// The forecasts, by size and then by limit.
    pub cells: Vec<Forecast>,
}

impl Map {
    /// The map of a state from the [`cells`] of its futures.
    pub fn of(at: Time, sizes: &[u32], limits: &[Span], futures: &[Vec<Option<Time>>]) -> Map {
        let starts = |cell: usize| futures.iter().map(|future| future[cell]).collect();
        Map {
            sizes: sizes.to_vec(),
            limits: limits.to_vec(),
            cells: (0..sizes.len() * limits.len())
                .map(|cell| Forecast::of(at, starts(cell)))
                .collect(),
        }
    }
}

/// The start of a job of each size and, for each, of each limit in the future of a seed; both
/// ascending. All request the same bandwidth.
pub fn cells(
    setup: &Setup,
    state: &State,
    sizes: &[u32],
    limits: &[Span],
    bandwidth: Kbps,
    seed: u64,
) -> Vec<Option<Time>> {
    let parts = setup.queueing.parts(setup.queue);
    let parts = parts.filter(|parts| {
        parts.order == Order::Arrival
            && parts.backfill_order == Order::Arrival
            && parts.may_preempt == MayPreempt::Never
            && setup.system.nodes().is_some()
    });
    match parts.map(|parts| (parts.behind, parts.depth)) {
        Some((Behind::Stop, _)) => shared(setup, state, sizes, limits, seed, false),
        Some((Behind::Reserve, Some(1))) => shared(setup, state, sizes, limits, seed, true),
        _ => cells_one_by_one(setup, state, sizes, limits, bandwidth, seed),
    }
}

/// The same by a run for each cell.
pub fn cells_one_by_one(
    setup: &Setup,
    state: &State,
    sizes: &[u32],
    limits: &[Span],
    bandwidth: Kbps,
    seed: u64,
) -> Vec<Option<Time>> {
    let course = Course::Drawn(seed);
    let cell = |size, limit| {
        let question = Question {
            size,
            limit,
            bandwidth,
        };
        start(setup, state, question, course)
    };
    let row = |&size: &u32| limits.iter().map(move |&limit| cell(size, limit));
    sizes.iter().flat_map(row).collect()
}

/// The same by a run without any of the jobs, and one for each size.
fn shared(
    setup: &Setup,
    state: &State,
    sizes: &[u32],
    limits: &[Span],
    seed: u64,
    backfills: bool,
) -> Vec<Option<Time>> {
    let course = Course::Drawn(seed);
    let mut starts = vec![None; sizes.len() * limits.len()];
    if state.jobs.iter().any(|job| !job.runs) {
        let future = Future::new(setup, state, None, course);
        start_behind_older(future, state.at, sizes, limits, backfills, &mut starts);
    }
    let Some(&limit) = limits.last() else {
        return starts;
    };
    for (&size, cells) in sizes.iter().zip(starts.chunks_mut(limits.len())) {
        if cells.iter().any(Option::is_none) {
            let question = Question {
                size,
                limit,
                bandwidth: Kbps(0),
            };
            let first = start(setup, state, question, course);
            let open = cells.iter_mut().filter(|start| start.is_none());
            open.for_each(|start| *start = first);
        }
    }
    starts
}

/// The starts of the cells that start while an older job waits, or as the last of these starts, in a
/// future without any of them.
fn start_behind_older(
    mut future: Future<'_>,
    at: Time,
    sizes: &[u32],
    limits: &[Span],
    backfills: bool,
    starts: &mut [Option<Time>],
) {
    let asked = future.asked();
    let mut younger = Vec::new();
    while let Some(cx) = future.next_round() {
        let before = std::mem::take(&mut younger);
        younger.extend(cx.running().range(asked..).copied());
        if cx.now() < at {
            continue;
        }
        let gap = Gap::behind_older(cx, asked, &before);
        for (&size, cells) in sizes.iter().zip(starts.chunks_mut(limits.len())) {
            for (start, &limit) in cells.iter_mut().zip(limits) {
                if start.is_none() && gap.takes(size, limit, backfills) {
                    *start = Some(cx.now());
                }
            }
        }
        if gap.reserved.is_none() || starts.iter().all(Option::is_some) {
            return;
        }
    }
}

/// What a pass leaves to a job that is behind all older ones in the queue.
struct Gap {
    /// The free nodes.
    free: u32,
    /// How long it may run on any of them, and on how many it may run longer, where an older job waits:
    /// it has a reservation. `None` where none does.
    reserved: Option<(Span, u32)>,
}

impl Gap {
    /// What the pass of this instant left behind the jobs older than `asked`; of the younger ones, those
    /// of `before` ran before it already.
    fn behind_older(cx: &Context<Nodes>, asked: JobId, before: &[JobId]) -> Gap {
        let now = cx.now();
        let started_behind = |job: JobId| job >= asked && !before.contains(&job);
        let mut free = cx.system().free_count();
        let mut ends = Vec::new();
        for &job in cx.running() {
            let size = cx.request(job).size;
            if started_behind(job) {
                free += size;
            } else {
                ends.push((cx.estimated_end(job), size));
            }
        }
        let head = cx.waiting().range(..asked).next();
        let reserved = head.map(|&head| {
            sorting::by_number(&mut ends, |&(end, _)| end.0);
            let needed = cx.request(head).size;
            let mut then = free;
            let mut start = now;
            for &(end, size) in &ends {
                if then >= needed && end > start {
                    break;
                }
                (start, then) = (end, then + size);
            }
            (start - now, then.saturating_sub(needed))
        });
        Gap { free, reserved }
    }

    /// Whether a job starts there.
    fn takes(&self, size: u32, limit: Span, backfills: bool) -> bool {
        let delays = self
            .reserved
            .is_some_and(|(length, spare)| !backfills || limit > length && size > spare);
        size <= self.free && !delays
    }
}
