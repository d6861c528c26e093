//! The steps of a pass in sentences, one each.

use backfill_sim::engine::{Effect, Step, Turn};
use backfill_sim::id::{Id, JobId};
use backfill_sim::job::{Job, Jobs};
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::Parts;
use backfill_sim::record::Outcome;
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::About;
use backfill_sim::system::tree::describe::node_name;
use backfill_sim::unit::Time;

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
}

/// What turns an instant into words.
pub(super) type Clock<'a> = &'a dyn Fn(Time) -> String;

impl<'a> Teller<'a> {
    pub(super) fn new(setup: &'a Setup, jobs: &'a Jobs) -> Teller<'a> {
        Teller {
            setup,
            jobs,
            about: setup.system.kind().about(),
            parts: setup.queueing.parts(setup.queue),
            bandwidth: setup.system.fat_tree().is_some(),
            slots: setup.system.capacity().slots,
        }
    }

    /// A step in a sentence, with every instant as `clock` says it.
    pub fn sentence(&self, step: &Step, clock: Clock<'_>) -> String {
        let job = |job: JobId| format!("job {}", self.number(job));
        match *step {
            Step::PoweredOn { slots } => {
                format!("{} may be in use from now on.", self.units(slots))
            }
            Step::Admitted { job: own } => {
                format!("The queue has room for {}, which joins it.", job(own))
            }
            Step::Deferred { job: own } => {
                format!(
                    "The queue has no room for {}, which waits outside.",
                    job(own)
                )
            }
            Step::Dismissed { job: own, outcome } => {
                format!("Job {} {}.", self.number(own), dismissed(outcome))
            }
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
                        format!("No running job has to give way to {}.", job(own))
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
            Step::Started {
                job,
                estimated_end,
                ref shares,
                ..
            } => format!(
                "Job {} starts on {} and ends at {} by its estimate.",
                self.number(job),
                self.parts(shares),
                clock(estimated_end)
            ),
            Step::Moved {
                job,
                background,
                ref shares,
            } => format!(
                "Job {} goes on in the {} of {}.",
                self.number(job),
                if background {
                    "background"
                } else {
                    "foreground"
                },
                self.parts(shares)
            ),
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
        let mut asks = self.units(job.size.into());
        if self.bandwidth {
            asks.push_str(&format!(" of {} each", job.bandwidth));
        }
        let fits = if fits { "fits" } else { "does not fit" };
        format!("{looked_at}: it asks for {asks} and {fits} now.")
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
                None => format!("{part} {own}"),
            },
            _ => format!("{} {part}s", shares.len()),
        }
    }
}

/// What becomes of a job that does not run.
fn dismissed(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Infeasible => "is rejected: it does not fit on the empty system",
        Outcome::Unplaceable => "is rejected: no placement is found for it on the empty system",
        Outcome::RejectedThoughPossible => {
            "is rejected though a placement exists now: it was not found"
        }
        Outcome::RejectedImpossible => "is rejected: no placement exists for it now",
        _ => "is rejected",
    }
}
