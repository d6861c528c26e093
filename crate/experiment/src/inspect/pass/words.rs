//! The steps of a pass in sentences, one each.

use backfill_sim::engine::{Effect, Step, Turn};
use backfill_sim::id::{Id, JobId};
use backfill_sim::job::{Job, Jobs};
use backfill_sim::policy::Queue;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::Parts;
use backfill_sim::record::Outcome;
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::About;
use backfill_sim::system::tree::describe::node_name;
use backfill_sim::unit::{Span, Time};

use crate::language::words::listed;

/// The number of names in a sentence, before the rest is counted.
const LISTED: usize = 6;

/// Says the steps of the passes of one run.
pub struct Teller<'a> {
    pub(super) setup: &'a Setup,
    pub(super) jobs: &'a Jobs,
    pub(super) about: &'static About,
    /// What the policy is made of; `None` where it is no list scheduler.
    parts: Option<Parts>,
    /// Whether jobs ask for bandwidth.
    pub(super) bandwidth: bool,
    /// Slots of the system, those in the background left out.
    pub(super) slots: u64,
    /// Its servers or nodes.
    servers: u64,
}

/// What turns an instant into words.
pub(super) type Clock<'a> = &'a dyn Fn(Time) -> String;

impl<'a> Teller<'a> {
    pub(super) fn new(setup: &'a Setup, jobs: &'a Jobs) -> Teller<'a> {
        let capacity = setup.system.capacity();
        Teller {
            setup,
            jobs,
            about: setup.system.kind().about(),
            parts: setup.queueing.parts(setup.queue),
            bandwidth: setup.system.fat_tree().is_some(),
            slots: capacity.slots,
            servers: capacity.servers,
        }
    }

    /// A step in a sentence, with every instant as `clock` says it.
    pub fn sentence(&self, step: &Step, clock: Clock<'_>) -> String {
        let job = |job: JobId| format!("job {}", self.number(job));
        match *step {
            Step::PoweredOn {
                slots,
                expected,
                largest,
            } => self.powered_on(slots, expected, largest),
            Step::Admitted { job: own } => {
                format!("The queue has room for {}, which joins it.", job(own))
            }
            Step::Deferred { job: own } => {
                format!(
                    "The queue has no room for {}, which waits outside.",
                    job(own)
                )
            }
            Step::Dismissed { job: own, outcome } => self.dismissed(own, outcome),
            Step::Tried {
                job,
                turn,
                value,
                fits,
            } => self.tried(job, turn, value, fits),
            Step::PassedOver { than, ref jobs } => match jobs[..] {
                [own] => format!(
                    "Job {} asks for no less than {}, which does not fit, and does not fit either.",
                    self.number(own),
                    job(than)
                ),
                _ => format!(
                    "{} jobs ask for no less than {}, which does not fit, and do not fit either: {}.",
                    jobs.len(),
                    job(than),
                    self.numbers(jobs)
                ),
            },
            Step::Declined {
                job: own,
                leaves,
                most,
                until,
            } => format!(
                "Job {} would be on {leaves} leaves and waits for at most {most} until {}.",
                self.number(own),
                clock(until)
            ),
            Step::Stopped { head, behind } => match behind {
                0 => format!("No other job waits behind {}.", job(head)),
                1 => format!("The job behind {} waits for it.", job(head)),
                _ => format!("The {behind} jobs behind {} wait for it.", job(head)),
            },
            Step::Renewed => {
                "Jobs run longer than estimated, so all reservations are made again.".to_owned()
            }
            Step::Reserved {
                job: own,
                start,
                ref last,
                ended,
            } => match last[..] {
                [] => format!("The reservation of {} begins now.", job(own)),
                _ => format!(
                    "Job {} has a reservation at {}: by then {} by estimates, {} last.",
                    self.number(own),
                    clock(start),
                    match ended {
                        1 => "1 job ends".to_owned(),
                        _ => format!("{ended} jobs end"),
                    },
                    self.numbers(last)
                ),
            },
            Step::Compared {
                job: own,
                end,
                reserved,
                start,
                effect,
            } => {
                let (own, reserved) = (self.number(own), job(reserved));
                let (end, start) = (clock(end), clock(start));
                match effect {
                    Effect::EndsBefore => format!(
                        "Job {own} ends at {end} by its estimate, no later than {reserved} starts at {start}."
                    ),
                    Effect::FitsBeside => format!(
                        "Job {own} runs until {end} by its estimate, and {reserved} still fits beside it at {start}."
                    ),
                    Effect::Delays => format!(
                        "Job {own} would run until {end} by its estimate, and {reserved} would not fit at {start}: it waits."
                    ),
                }
            }
            Step::Preempts {
                job: own,
                ref candidates,
                ref victims,
            } => {
                let running = match candidates.len() {
                    1 => "1 running job".to_owned(),
                    count => format!("{count} running jobs"),
                };
                match victims {
                    _ if candidates.is_empty() => {
                        format!("No running job can give way to {}.", job(own))
                    }
                    None => format!(
                        "Job {} would not fit either without the {running} behind it.",
                        self.number(own)
                    ),
                    Some(victims) => format!(
                        "Job {} takes the room of {}, of {running} behind it.",
                        self.number(own),
                        self.numbers(victims)
                    ),
                }
            }
            Step::Crowded { job: own } => format!(
                "A node of {} in the background has too little CPU left for it.",
                job(own)
            ),
            Step::Suspended { job } => {
                format!("Job {} is suspended and waits again.", self.number(job))
            }
            Step::WaitedLong { job } => {
                format!(
                    "Job {} has waited long, so it goes first.",
                    self.number(job)
                )
            }
            Step::Chosen {
                ref jobs,
                free,
                least,
            } => {
                let window = format!("at least {least} of {} free", self.units(free));
                match jobs[..] {
                    [] => format!("No set of waiting jobs uses {window}."),
                    _ => format!(
                        "Of the sets of waiting jobs that use {window}, the best is {}.",
                        self.numbers(jobs)
                    ),
                }
            }
            Step::Shared { job, slots } => format!(
                "Job {} gets {}, since some would stay idle.",
                self.number(job),
                self.units(slots.into())
            ),
            Step::Matched {
                job,
                background,
                available,
                ref processes,
            } => self.matched(job, background, available, processes),
            Step::Started {
                job,
                again,
                pause,
                estimated_end,
                background,
                ref shares,
                ..
            } => format!(
                "Job {} starts{} {} {}{} and ends at {} by its estimate.",
                self.number(job),
                if again { " again" } else { "" },
                if background {
                    "in the background of"
                } else {
                    "on"
                },
                self.parts(shares),
                paused(pause),
                clock(estimated_end)
            ),
            Step::Moved {
                job,
                stays,
                pause,
                estimated_end,
                background,
                ref shares,
                ..
            } => {
                let (number, parts) = (self.number(job), self.parts(shares));
                let (tier, _) = tiers(background);
                let moves = if stays {
                    format!("Job {number} keeps {parts} and goes on in the {tier}")
                } else {
                    format!("Job {number} moves to the {tier} of {parts}")
                };
                let (pause, end) = (paused(pause), clock(estimated_end));
                format!("{moves}{pause} and ends at {end} by its estimate.")
            }
        }
    }

    fn tried(&self, id: JobId, turn: Turn, value: Option<f64>, fits: bool) -> String {
        let job = self.job(id);
        let number = job.number;
        let looked_at = match turn {
            Turn::Arrival => format!("Job {number} arrives"),
            Turn::Head => format!("Job {number} is first{}", self.order(id, turn, value)),
            Turn::Next => format!("Job {number} is next{}", self.order(id, turn, value)),
            Turn::Behind => {
                let order = self.order(id, turn, value);
                format!("Job {number} is next behind the first{order}")
            }
            Turn::Background => format!("Job {number} is next for the background"),
            Turn::Recorded => format!("The log starts job {number} now"),
        };
        let asks = self.asks(job);
        let fits = if fits { "fits" } else { "does not fit" };
        format!("{looked_at}: it asks for {asks} and {fits} now.")
    }

    /// What a job asks for.
    fn asks(&self, job: &Job) -> String {
        let mut asks = self.units(job.size.into());
        if self.bandwidth {
            asks.push_str(&format!(" of {} each", job.bandwidth));
        }
        asks
    }

    fn powered_on(&self, slots: u64, expected: Option<u64>, largest: u64) -> String {
        let all = self.units(self.slots);
        let on = if slots == self.slots {
            format!("all {all} may be in use")
        } else {
            format!("{slots} of {all} may be in use")
        };
        let Some(expected) = expected else {
            return format!("Until two jobs with different arrival times have ended, {on}.");
        };
        let needed = self.units(expected);
        let but = match largest {
            _ if largest > expected => format!(", but a waiting job asks for {largest}"),
            _ => String::new(),
        };
        format!("The need expected after the jobs that have ended is {needed}{but}: {on}.")
    }

    /// Why a job does not run.
    fn dismissed(&self, id: JobId, outcome: Outcome) -> String {
        let job = self.job(id);
        let size = u64::from(job.size);
        let list = self.setup.queueing.routing.capacity;
        let list = list.map_or(u64::MAX, u64::from);
        let is_undecided = outcome == Outcome::RejectedUndecided;
        let why = match outcome {
            Outcome::RejectedThoughPossible => "a placement exists now, but was not found",
            Outcome::RejectedImpossible => "no placement exists for it now",
            _ if is_undecided && self.setup.queue == Queue::Recorded => {
                "the log does not say when it starts"
            }
            _ if is_undecided => "whether a placement exists for it now is not known",
            _ if size > self.slots => &format!("the system has {}", self.slots),
            _ if size > list => &format!("the scheduling list has room for {list}"),
            Outcome::Infeasible => "they do not fit on the empty system",
            _ => "no placement is found for it on the empty system",
        };
        let (number, asks) = (job.number, self.asks(job));
        format!("Job {number} asks for {asks} and is rejected: {why}.")
    }

    fn matched(
        &self,
        id: JobId,
        background: bool,
        available: usize,
        processes: &[(f64, u32, f64)],
    ) -> String {
        let job = self.job(id);
        let (tier, other) = tiers(background);
        let count = processes.len();
        let kept = match job.size as usize - count {
            0 => String::new(),
            kept => format!("keeps {kept} and "),
        };
        let enough = if background { " and CPU to spare" } else { "" };
        format!(
            "Job {} {kept}gets {count} of the {available} {} with a free {tier}{enough}; the process \
             that uses most CPU goes where the {other} uses least.",
            job.number,
            if kept.is_empty() {
                "nodes"
            } else {
                "other nodes"
            },
        )
    }

    /// By what a job is in its place.
    fn order(&self, id: JobId, turn: Turn, value: Option<f64>) -> String {
        let job = self.job(id);
        let order = self.parts.as_ref().map(|parts| match turn {
            Turn::Behind => &parts.backfill_order,
            _ => &parts.order,
        });
        let by = match order {
            None | Some(Order::Arrival) => "arrival".to_owned(),
            Some(Order::ShortestEstimate) => format!("estimate, {} s", job.estimate.seconds()),
            Some(Order::SmallestBandwidth) => format!("bandwidth, {}", job.bandwidth),
            Some(Order::LargestSize | Order::LargestSizeEvery(_)) => format!("size, {}", job.size),
            Some(Order::Value(_)) => match value.filter(|value| value.is_finite()) {
                Some(value) => format!("its value, {value}"),
                None => "its value, which is not finite".to_owned(),
            },
        };
        format!(" by {by}")
    }

    fn job(&self, job: JobId) -> &Job {
        &self.jobs.as_slice()[job.index()]
    }

    fn number(&self, job: JobId) -> u64 {
        self.job(job).number
    }

    /// Jobs by their numbers, and how many more there are.
    fn numbers(&self, jobs: &[JobId]) -> String {
        let named = jobs.iter().take(LISTED);
        let mut names: Vec<String> = named.map(|&job| self.number(job).to_string()).collect();
        if jobs.len() > LISTED {
            names.push(format!("{} more", jobs.len() - LISTED));
        }
        let what = if jobs.len() == 1 { "job" } else { "jobs" };
        format!("{what} {}", listed(names.iter().map(String::as_str)))
    }

    fn units(&self, count: u64) -> String {
        let unit = self.about.unit;
        match count {
            1 => format!("1 {unit}"),
            _ => format!("{count} {unit}s"),
        }
    }

    /// What a job holds: the part by its name, or how many parts.
    fn parts(&self, shares: &[(u32, u32)]) -> String {
        let part = self.about.part;
        match shares {
            [(own, _)] => match self.setup.system.tree() {
                Some(spec) => node_name(spec.shape.names(), *own),
                // The background of a node follows behind all nodes.
                None => format!("{part} {}", u64::from(*own) % self.servers),
            },
            _ => format!("{} {part}s", shares.len()),
        }
    }
}

/// The pause of a job before it works, where there is one.
fn paused(pause: Span) -> String {
    if pause == Span(0) {
        return String::new();
    }
    format!(", pauses for {} s first", pause.seconds())
}

/// The tier of a job, and the other one.
fn tiers(background: bool) -> (&'static str, &'static str) {
    if background {
        ("background", "foreground")
    } else {
        ("foreground", "background")
    }
}
