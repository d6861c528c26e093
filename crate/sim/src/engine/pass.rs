//! A scheduling pass as an observer hears of it: who waits and runs as it begins, and what the
//! policy looks at, finds and does, step by step. Plain data; the sentences are made elsewhere.

use serde::Serialize;

use crate::id::JobId;
use crate::job::Request;
use crate::place::Subtrees;
use crate::record::Outcome;
use crate::unit::{Span, Time};

/// A scheduling pass, with the arrivals of its instant, which may start without a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pass {
    /// Its instant.
    pub time: Time,
    /// The slots that are free before it.
    pub free: u64,
    /// The jobs that run before it.
    pub running: Vec<RunningJob>,
    /// The jobs in the queue as it begins, in the order of the queue.
    pub queue: Vec<QueuedJob>,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// A pass in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PassCount {
    /// Its instant.
    pub time: Time,
    /// How many jobs start.
    pub starts: u32,
    /// How many running jobs are suspended.
    pub suspensions: u32,
    /// How many jobs wait after it.
    pub waiting: u32,
}

/// A job that runs as a pass begins.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningJob {
    /// Its index.
    pub job: JobId,
    /// When it began to hold its placement.
    pub start: Time,
    /// When it ends by its estimate, now at the earliest.
    pub estimated_end: Time,
    /// When it really ends at its present speed, if nothing suspends it; `None` while it stands
    /// still. No policy sees it.
    pub end: Option<Time>,
    /// (server or node, slots held there), ascending; the background of a node follows behind all
    /// nodes.
    pub shares: Vec<(u32, u32)>,
}

/// A job that waits as a pass begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct QueuedJob {
    /// Its index.
    pub job: JobId,
    /// The value by which a formula orders the queue; `None` where none does.
    pub value: Option<f64>,
}

/// Why a job is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Turn {
    /// There is no queue, and it has just arrived.
    Arrival,
    /// It is the first job of the queue.
    Head,
    /// It is the next one in the order of the queue.
    Next,
    /// It is the next one behind a blocked head, in the order of backfilling.
    Behind,
    /// It is the next one that may have the background of nodes.
    Background,
    /// Its log says that it starts now.
    Recorded,
}

/// What a job that fits now means to a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// It ends by then by its estimate.
    EndsBefore,
    /// It runs beyond it, and the job with the reservation still fits then.
    FitsBeside,
    /// It runs beyond it, and the job with the reservation would not fit then.
    Delays,
}

/// One step of a pass.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Step {
    /// So many slots may be held from now on, what running jobs hold included.
    PoweredOn {
        /// How many: the larger of the next two, and all where there are not as many.
        slots: u64,
        /// How many are expected to be needed by the jobs that have ended; `None` where these tell
        /// nothing.
        expected: Option<u64>,
        /// What the largest waiting job asks for; 0 where none waits.
        largest: u64,
    },
    /// A job that waited elsewhere joins the queue.
    Admitted {
        /// The job.
        job: JobId,
    },
    /// A job leaves the queue to wait elsewhere.
    Deferred {
        /// The job.
        job: JobId,
    },
    /// A job will never run.
    Dismissed {
        /// The job.
        job: JobId,
        /// What becomes of it.
        outcome: Outcome,
    },
    /// A job is looked at: whether there is room for it now.
    Tried {
        /// The job.
        job: JobId,
        /// Why it is looked at.
        turn: Turn,
        /// The value by which a formula orders this turn; `None` where none does.
        value: Option<f64>,
        /// Whether it fits.
        fits: bool,
    },
    /// Jobs that ask for no less than one that does not fit are looked at, and do not fit either.
    PassedOver {
        /// The job that does not fit.
        than: JobId,
        /// The jobs, in the order in which they are looked at.
        jobs: Vec<JobId>,
    },
    /// A job that fits waits for a placement on fewer leaves.
    Declined {
        /// The job.
        job: JobId,
        /// The leaves that it would be on.
        leaves: u32,
        /// The most leaves that it takes before `until`.
        most: u32,
        /// When it takes any number of leaves.
        until: Time,
    },
    /// The first job cannot start, and the jobs behind it are not tried.
    Stopped {
        /// The first job of the queue.
        head: JobId,
        /// How many are behind it.
        behind: usize,
    },
    /// What was reserved no longer holds, since running jobs overrun their estimates: all
    /// reservations are made again.
    Renewed,
    /// A job has a reservation.
    Reserved {
        /// The job.
        job: JobId,
        /// When it can start by estimates: the shadow time, where it is the head.
        start: Time,
        /// The jobs whose estimated or reserved ends are at that instant: the last ends that it
        /// waits for. Empty where it starts now.
        last: Vec<JobId>,
        /// How many such ends there are up to then, those included.
        ended: usize,
    },
    /// A job that fits now is held against the reservations.
    Compared {
        /// The job.
        job: JobId,
        /// When it ends by its estimate.
        end: Time,
        /// The job with the reservation: that which would be delayed, else the first to start.
        reserved: JobId,
        /// When that one starts.
        start: Time,
        /// What this job means to it.
        effect: Effect,
    },
    /// A job that does not fit may take the room of running jobs.
    Preempts {
        /// The job.
        job: JobId,
        /// The running jobs that may have to give way.
        candidates: Vec<JobId>,
        /// Those that do; `None` where it would not fit without all of them either.
        victims: Option<Vec<JobId>>,
    },
    /// A node of a job in the background has too little CPU left for it.
    Crowded {
        /// The job.
        job: JobId,
    },
    /// A running job is suspended.
    Suspended {
        /// The job.
        job: JobId,
    },
    /// A job has waited so long that it is started before others.
    WaitedLong {
        /// The job.
        job: JobId,
    },
    /// A set of jobs is chosen to start.
    Chosen {
        /// The jobs; empty where no set uses enough.
        jobs: Vec<JobId>,
        /// The slots that are free.
        free: u64,
        /// The slots that a set uses at least.
        least: u64,
    },
    /// A job is given more slots than it asks for.
    Shared {
        /// The job.
        job: JobId,
        /// The slots that it gets.
        slots: u32,
    },
    /// The processes of a job that starts or moves get their nodes: those that use most CPU, where
    /// their neighbours in the other tier use least.
    Matched {
        /// The job.
        job: JobId,
        /// Whether they run in the background.
        background: bool,
        /// How many nodes they can get there, beside those that they keep.
        available: usize,
        /// The CPU that a process uses, its node, and the CPU that its neighbour there uses, as
        /// reported, in per cent; by the first, descending. Processes that keep their node are left
        /// out.
        processes: Vec<(f64, u32, f64)>,
    },
    /// A job starts, or goes on after it was suspended.
    Started {
        /// The job.
        job: JobId,
        /// Whether it was suspended before.
        again: bool,
        /// For how long it pauses first, which its migration costs.
        pause: Span,
        /// When it ends by its estimate.
        estimated_end: Time,
        /// When it really ends at its speed after the pass, if nothing suspends it; `None` where it
        /// stands still. No policy sees it.
        end: Option<Time>,
        /// Whether it has what others leave over there.
        background: bool,
        /// (server or node, slots held there), ascending.
        shares: Vec<(u32, u32)>,
        /// The subtrees among which its placement was chosen; `None` where it is not known.
        #[serde(skip)]
        subtrees: Option<Box<Subtrees>>,
    },
    /// A running job, or one that was just suspended, goes on in the other tier.
    Moved {
        /// The job.
        job: JobId,
        /// Whether its processes stay on their nodes.
        stays: bool,
        /// For how long it pauses first: what its migration costs, or what is left of a pause.
        pause: Span,
        /// When it ends by its estimate.
        estimated_end: Time,
        /// When it really ends, as of one that starts.
        end: Option<Time>,
        /// Whether it has what others leave over there.
        background: bool,
        /// (server or node, slots held there), ascending.
        shares: Vec<(u32, u32)>,
    },
}

/// How a job has come to hold what it does.
pub(super) enum Placing {
    /// It has started, for the first time or `again`.
    Start { again: bool },
    /// It goes on in the other tier, on its nodes if it `stays`.
    Move { stays: bool },
}

/// What a job holds that has just started or moved.
pub(super) struct Held {
    pub(super) job: JobId,
    pub(super) pause: Span,
    pub(super) estimated_end: Time,
    pub(super) background: bool,
    pub(super) shares: Vec<(u32, u32)>,
}

impl Placing {
    /// The step of a job; when it ends is not known yet.
    pub(super) fn step(self, held: Held) -> Step {
        let Held {
            job,
            pause,
            estimated_end,
            background,
            shares,
        } = held;
        let end = None;
        match self {
            Placing::Start { again } => Step::Started {
                job,
                again,
                pause,
                estimated_end,
                end,
                background,
                shares,
                subtrees: None,
            },
            Placing::Move { stays } => Step::Moved {
                job,
                stays,
                pause,
                estimated_end,
                end,
                background,
                shares,
            },
        }
    }
}

impl Pass {
    /// Adds a step.
    #[cold]
    pub(super) fn add(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Adds a reservation of a job that waits for the ends of other jobs alone, each of which has
    /// such an end by estimates.
    pub(super) fn reserve(
        &mut self,
        job: JobId,
        start: Time,
        ends: &mut dyn Iterator<Item = (JobId, Time)>,
    ) {
        let mut ended = 0;
        let mut last = Vec::new();
        for (other, end) in ends.filter(|of| of.1 <= start) {
            ended += 1;
            if end == start {
                last.push(other);
            }
        }
        self.steps.push(Step::Reserved {
            job,
            start,
            last,
            ended,
        });
    }

    /// Notes when the jobs that start or move really end.
    pub(super) fn set_ends(&mut self, of: &dyn Fn(JobId) -> Option<Time>) {
        for step in &mut self.steps {
            if let Step::Started { job, end, .. } | Step::Moved { job, end, .. } = step {
                *end = of(*job);
            }
        }
    }

    /// Makes one step of the jobs that follow one another, do not fit and ask for no less than one
    /// that did not fit before: for no fewer slots and, where there are `links`, no less bandwidth.
    pub(super) fn join(&mut self, request: &dyn Fn(JobId) -> Request, links: bool) {
        let no_less = |one: &Request, other: &Request| {
            one.size >= other.size && (!links || one.bandwidth >= other.bandwidth)
        };
        let mut joined = Vec::new();
        // The jobs that do not fit, and those that ask for no less and are not told yet.
        let mut blocked: Vec<(JobId, Vec<JobId>)> = Vec::new();
        let mut in_background = false;
        for step in std::mem::take(&mut self.steps) {
            if let Step::Tried {
                job, turn, fits, ..
            } = step
            {
                if in_background != (turn == Turn::Background) {
                    tell(&mut blocked, &mut joined);
                    blocked.clear();
                    in_background = !in_background;
                }
                if !fits {
                    let own = request(job);
                    let mut others = blocked.iter_mut();
                    match others.find(|of| no_less(&own, &request(of.0))) {
                        Some((_, jobs)) if turn != Turn::Head => {
                            jobs.push(job);
                            continue;
                        }
                        _ => blocked.push((job, Vec::new())),
                    }
                    joined.push(step);
                    continue;
                }
            }
            tell(&mut blocked, &mut joined);
            // Who gives way leaves room.
            if matches!(step, Step::Suspended { .. } | Step::Moved { .. }) {
                blocked.clear();
            }
            joined.push(step);
        }
        tell(&mut blocked, &mut joined);
        self.steps = joined;
    }
}

/// Tells the jobs that ask for no less than others, which stay known.
fn tell(blocked: &mut [(JobId, Vec<JobId>)], steps: &mut Vec<Step>) {
    for (than, jobs) in blocked.iter_mut().filter(|of| !of.1.is_empty()) {
        steps.push(Step::PassedOver {
            than: *than,
            jobs: std::mem::take(jobs),
        });
    }
}
