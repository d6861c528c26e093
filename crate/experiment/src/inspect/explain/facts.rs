//! What can be said of a job: facts that can be checked again.

use backfill_sim::sorting;
use std::cmp::Reverse;

use serde::Serialize;

use backfill_sim::id::{JobId, LinkId};
use backfill_sim::machine::Placement;
use backfill_sim::system::describe::{InTheWay, Obstacle, Refusal};
use backfill_sim::unit::{Kbps, Span, Time};

/// What can be said of one job at one instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Its number in the input.
    pub number: u64,
    /// Its index.
    pub job: JobId,
    /// The requested slots.
    pub size: u32,
    /// Bandwidth asked for by each of its virtual machines; `None` where links are not modelled.
    pub bandwidth: Option<Kbps>,
    /// What it asks for so many of: slots, nodes or machines.
    pub unit: &'static str,
    /// What these lie on: servers, nodes, clusters or centres.
    pub part: &'static str,
    /// Whether the placement decides over how many of these a job may be spread.
    #[serde(skip)]
    pub spread_by_placement: bool,
    /// The placement that looks for room.
    pub placement: String,
    /// The instant that is explained; that of its arrival for a job which was turned away, and
    /// where none was chosen.
    pub at: Time,
    /// The facts that hold at that instant.
    pub statements: Vec<Statement>,
}

/// One fact, which can be checked again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Statement {
    /// The job has not arrived yet.
    NotArrived {
        /// The instant of its arrival.
        submit: Time,
    },
    /// The job has not arrived yet: it is submitted after another one has ended, which has not.
    NotSubmitted {
        /// The number of that one in the input.
        after: u64,
        /// The time between its end and the submit.
        think: Span,
        /// Not before then, all the same.
        earliest: Time,
    },
    /// The job arrived later than the log says, since it was submitted after another one had ended.
    Followed {
        /// The instant of its arrival in the log.
        logged: Time,
        /// The instant of its arrival.
        submit: Time,
        /// The number of the other job in the input.
        after: u64,
        /// The time between its end and the submit.
        think: Span,
    },
    /// The job holds its place.
    Running {
        /// The instant of its last start.
        since: Time,
    },
    /// The job left the queue without having started.
    Left {
        /// The instant.
        time: Time,
        /// Its wait time so far.
        waited: Span,
    },
    /// The job runs more slowly than undisturbed, for want of bandwidth.
    Slowed {
        /// The share that it has of the bandwidth it asks for.
        share: f64,
        /// Its speed beside that of an undisturbed run.
        speed: f64,
        /// The full link on its way on which no other job has a larger share.
        link: LinkId,
        /// What that link is called.
        name: String,
        /// The numbers of the other jobs on it.
        with: Vec<u64>,
    },
    /// What slowed the job over its stays.
    SlowedOver {
        /// The longest stretches of time over which it was slowed, in the order of time.
        longest: Vec<SlowedDuring>,
        /// The number of further periods.
        more: usize,
    },
    /// The job holds its place and does no work, since it pays for its migration.
    Paying {
        /// The instant from which it works.
        until: Time,
    },
    /// The job is over.
    Ended {
        /// The instant at which it ended.
        end: Time,
    },
    /// No place exists for it even on the empty system.
    Infeasible {
        /// The most slots that could be had with its bandwidth; all there are where nothing decides
        /// that.
        largest_size: u32,
        /// The most bandwidth that could be had with its size; `None` if not even none would do.
        largest_bandwidth: Option<Kbps>,
    },
    /// The placement finds no placement for it on the empty system.
    Unplaceable {
        /// One that exists; `None` where nothing can decide that.
        possible: Option<Possible>,
    },
    /// The placement tried and found no place, though one exists.
    Missed {
        /// The one that reserves least.
        possible: Possible,
    },
    /// The placement tried and found no place, and nothing can decide whether one exists.
    NotFound,
    /// Fewer slots are free than the job requests.
    TooFewSlots {
        /// How many slots are free.
        free: u64,
    },
    /// Enough slots are free, but the job would not fit on them even if all links were empty.
    Scattered {
        /// How many slots are free.
        free: u64,
    },
    /// Links are in the way.
    Links {
        /// The links in the way.
        links: Vec<InTheWay>,
    },
    /// No part has room for all of it, and it may not be spread over several.
    Parts {
        /// The room in each, and what keeps it from being spread.
        refusal: Refusal,
    },
    /// It does not fit now, but would once the running jobs have ended that end by then, by their
    /// estimates, if nothing more started. At no earlier such end would it.
    FitsLater {
        /// The instant at which it would fit.
        time: Time,
        /// How many running jobs have ended by then.
        ended: usize,
    },
    /// It has not been tried: the queue is blocked by a job before it.
    Behind {
        /// How many jobs are before it.
        ahead: usize,
        /// The number in the input of the job that blocks the queue: its first, of those that hold
        /// others back.
        head: u64,
    },
    /// What the expression that orders the queue gave it in the last pass.
    InOrder {
        /// The value; `None` where it is not finite, so that the job is behind those of which it is.
        value: Option<f64>,
        /// The number in the input of the job right before it, and the value of that one; `None`
        /// where it is the first.
        before: Option<(u64, Option<f64>)>,
    },
    /// A place exists for it now.
    Fits {
        /// The one that reserves least.
        possible: Possible,
    },
    /// The placement found a place, but the job would have kept it beyond the instant at which, by
    /// estimates, the first job that does not fit could start, and the placement would then have found
    /// none for that one.
    WouldDelay {
        /// When it was last tried.
        tried: Time,
        /// The number in the input of the first job of the queue that does not fit.
        head: u64,
        /// When that job could start by estimates.
        shadow: Time,
        /// When this job would have ended by its estimate.
        end: Time,
    },
    /// The placement found a place, but the job would have kept it until then by its estimate, and
    /// one of these reservations would not have been kept.
    WouldDelayOne {
        /// When it was last tried.
        tried: Time,
        /// The reservations that were made before: the number of the job in the input, and when it
        /// could start by estimates.
        reserved: Vec<(u64, Time)>,
        /// When this job would have ended by its estimate.
        end: Time,
    },
    /// The placement found a place, but on more leaves than the job takes before an instant.
    Declined {
        /// When it was last tried.
        tried: Time,
        /// The leaves that the place is on.
        leaves: u32,
        /// The most leaves that the job takes before then.
        most: u32,
        /// When it takes any number of leaves.
        until: Time,
    },
    /// It has one of several reservations.
    Reserved {
        /// When it could start by estimates.
        start: Time,
    },
}

/// A stretch of time over which a job ran more slowly than undisturbed, for the same link and beside
/// the same others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlowedDuring {
    /// Its start.
    pub from: Time,
    /// Its end.
    pub until: Time,
    /// The share that it had of the bandwidth it asks for.
    pub share: f64,
    /// Its speed beside that of an undisturbed run.
    pub speed: f64,
    /// The full link on its way for which it had no more.
    pub link: LinkId,
    /// What that link is called.
    pub name: String,
    /// The numbers of the other jobs on it.
    pub with: Vec<u64>,
}

/// So many stretches are told of a job that was slowed; the rest is counted.
const TOLD: usize = 5;

/// The longest stretches of all over which a job was slowed, in the order of time, and how many more
/// there are.
pub fn longest(mut stretches: Vec<SlowedDuring>) -> (Vec<SlowedDuring>, usize) {
    let more = stretches.len().saturating_sub(TOLD);
    // Stable: the first of equally long ones are told.
    sorting::by_key(&mut stretches, |stretch| {
        Reverse(stretch.until - stretch.from)
    });
    stretches.truncate(TOLD);
    sorting::by_key(&mut stretches, |stretch| stretch.from);
    (stretches, more)
}

/// A place that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Possible {
    /// (server or node, slots there), ascending.
    pub shares: Vec<(u32, u32)>,
    /// (link, bandwidth that would be reserved on it).
    pub reservations: Vec<(LinkId, Kbps)>,
}

impl Possible {
    pub(super) fn of(placement: &impl Placement) -> Possible {
        Possible {
            shares: placement.shares().collect(),
            reservations: placement.reservations().to_vec(),
        }
    }
}

impl From<Obstacle> for Statement {
    fn from(obstacle: Obstacle) -> Statement {
        match obstacle {
            Obstacle::TooFewSlots { free } => Statement::TooFewSlots { free },
            Obstacle::Scattered { free } => Statement::Scattered { free },
            Obstacle::Links(links) => Statement::Links { links },
            Obstacle::Parts(refusal) => Statement::Parts { refusal },
        }
    }
}
