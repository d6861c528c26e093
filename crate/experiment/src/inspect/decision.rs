//! The decision of a scheduling pass: the jobs that waited, the jobs that it started, and the jobs
//! that first fit in order of arrival (AFCFS) would have started instead.
//!
//! It is read from a finished run that kept its allocations, so it is available for every policy.
//! All starts at one instant are one decision. It requires that a job fits exactly if as many slots
//! are free as it requests, and that no job is suspended: a pool with all VMs on. A job whose VMs
//! migrate keeps them.
//!
//! *Source*: paper 4, Eq. 3 to 6: sets are compared by the objective of its 0-1 program, Σ ½·pl +
//! ½·pl·wt over the jobs of a set, where pl are a job's slots and wt is its wait time, in a unit of
//! time that is worth as much as the slots.

use std::fmt;

use serde::Serialize;

use backfill_sim::id::JobId;
use backfill_sim::job::Job;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::policy::parts::MayPreempt;
use backfill_sim::record::Outcome;
use backfill_sim::run::Replay;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Span, Time};

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The instant of the pass: the last one with an event up to the chosen one.
    pub at: Time,
    /// Slots of the system.
    pub slots: u64,
    /// The free slots before the pass.
    pub free: u64,
    /// The jobs that waited before the pass, by (submit, index).
    pub waiting: Vec<Candidate>,
    /// The jobs that it started.
    pub started: Set,
    /// The jobs that first fit in order of arrival would have started.
    pub first_fit: Set,
}

/// A job that waited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its index.
    pub job: JobId,
    /// Its number in the input.
    pub number: u64,
    /// The requested slots.
    pub size: u32,
    /// Its wait time so far.
    pub waited: Span,
    /// ½·pl + ½·pl·wt of it.
    pub worth: f64,
    /// The slots that it got, if it was started.
    pub got: Option<u32>,
    /// Whether first fit would have started it.
    pub by_first_fit: bool,
}

/// Totals of a set of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "JobSet")]
pub struct Set {
    /// The number of jobs.
    pub jobs: usize,
    /// Their total request.
    pub slots: u64,
    /// Σ ½·pl + ½·pl·wt over them.
    pub worth: f64,
}

impl Set {
    fn of<'a>(jobs: impl Iterator<Item = &'a Candidate>, unit: Span) -> Set {
        let (mut set, mut sum) = (Set::default(), 0);
        for job in jobs {
            set.jobs += 1;
            set.slots += u64::from(job.size);
            sum += weight(job.size, job.waited, unit);
        }
        set.worth = worth(sum, unit);
        set
    }
}

/// The weight of a job in the objective, in half microseconds times slots.
fn weight(size: u32, waited: Span, unit: Span) -> u128 {
    u128::from(size) * u128::from((unit + waited).0)
}

/// Such weights in the unit of the objective.
fn worth(weight: u128, unit: Span) -> f64 {
    weight as f64 / (2.0 * unit.0 as f64)
}

impl Decision {
    /// Whether first fit in order of arrival would have started the same jobs.
    pub fn is_first_fit(&self) -> bool {
        let mut all = self.waiting.iter();
        all.all(|of| of.got.is_some() == of.by_first_fit)
    }
}

/// A sentence on why decisions of such runs are not available; `None` if they are.
pub fn why_not_shown(setup: &Setup) -> Option<String> {
    let parts = setup.queueing.parts(setup.queue);
    let suspends = parts.is_some_and(|parts| parts.may_preempt != MayPreempt::Never);
    let all_on = setup.queueing.elasticity.interpretation == MachinesOn::All;
    let in_sets = setup.system.kind().about().chosen_in_sets;
    let shown = in_sets && all_on && !suspends;
    (!shown).then(|| {
        "decisions can be shown only where free slots alone decide and no job is suspended: on a pool with elastic = off, under a policy that preempts no job"
            .to_owned()
    })
}

/// The decision of the last scheduling pass up to `at` in a run that kept its allocations.
///
/// # Panics
/// The run has not kept them.
pub fn decision(run: &Replay, setup: &Setup, at: Time) -> Decision {
    let allocations = run
        .record
        .allocations
        .as_ref()
        .expect("the run was kept")
        .all();
    let submits = run.jobs.iter().map(|job| job.submit);
    let changes = allocations
        .iter()
        .flat_map(|allocation| [allocation.start, allocation.end]);
    let now = submits.chain(changes).filter(|time| *time <= at).max();
    let now = now.unwrap_or(at);
    let held = allocations
        .iter()
        .filter(|allocation| allocation.start < now && allocation.end > now);
    let free = run.slots - held.map(|allocation| allocation.slots()).sum::<u64>();
    let mut left = free;
    let unit = setup.queueing.zero_one.unit;
    let waited = |(job, about): (JobId, &Job)| {
        let waits = about.submit <= now
            && matches!(run.record.histories[job].outcome, Outcome::Ran { start, .. } if start >= now);
        waits.then(|| {
            let by_first_fit = u64::from(about.size) <= left;
            left -= if by_first_fit {
                u64::from(about.size)
            } else {
                0
            };
            Candidate {
                job,
                number: about.number,
                size: about.size,
                waited: now - about.submit,
                worth: worth(weight(about.size, now - about.submit, unit), unit),
                got: None,
                by_first_fit,
            }
        })
    };
    let mut waiting: Vec<Candidate> = run.jobs.iter_enumerated().filter_map(waited).collect();
    for allocation in allocations
        .iter()
        .filter(|allocation| allocation.start == now)
    {
        let position = waiting.binary_search_by_key(&allocation.job, |of| of.job);
        if let Ok(position) = position {
            waiting[position].got = Some(allocation.slots() as u32);
        }
    }
    Decision {
        at: now,
        slots: run.slots,
        free,
        started: Set::of(waiting.iter().filter(|of| of.got.is_some()), unit),
        first_fit: Set::of(waiting.iter().filter(|of| of.by_first_fit), unit),
        waiting,
    }
}

/// The nearest instant after `at`, or before it with `back`, at which jobs were started while
/// several waited.
pub fn next(run: &Replay, at: Time, back: bool) -> Option<Time> {
    let ran = |(job, about): (JobId, &Job)| match run.record.histories[job].outcome {
        Outcome::Ran { start, .. } => Some((about.submit, start)),
        _ => None,
    };
    let (submits, mut starts): (Vec<Time>, Vec<Time>) =
        run.jobs.iter_enumerated().filter_map(ran).unzip();
    starts.sort_unstable();
    let has_choice = |now: &&Time| {
        let arrived = submits.partition_point(|submit| submit <= *now);
        arrived - starts.partition_point(|start| start < *now) > 1
    };
    let found = if back {
        starts[..starts.partition_point(|start| *start < at)]
            .iter()
            .rfind(has_choice)
    } else {
        starts[starts.partition_point(|start| *start <= at)..]
            .iter()
            .find(has_choice)
    };
    found.copied()
}

/// The number of jobs that a sentence lists before it counts the rest.
const LISTED: usize = 12;

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "At {} {} of {} slots are free and {} wait.",
            self.at,
            self.free,
            self.slots,
            jobs(self.waiting.len())
        )?;
        let of = |set: Set| {
            format!(
                "{} on {} slots, value {:.3}",
                jobs(set.jobs),
                set.slots,
                set.worth
            )
        };
        write!(f, "Started: {}", of(self.started))?;
        list(f, self.waiting.iter().filter(|of| of.got.is_some()))?;
        if self.is_first_fit() {
            return write!(
                f,
                "First fit in order of arrival would have started the same."
            );
        }
        write!(f, "First fit in order of arrival: {}", of(self.first_fit))?;
        list(f, self.waiting.iter().filter(|of| of.by_first_fit))
    }
}

fn jobs(count: usize) -> String {
    match count {
        1 => "1 job".to_owned(),
        _ => format!("{count} jobs"),
    }
}

fn list<'a>(f: &mut fmt::Formatter<'_>, jobs: impl Iterator<Item = &'a Candidate>) -> fmt::Result {
    let all: Vec<&Candidate> = jobs.collect();
    for (index, of) in all.iter().take(LISTED).enumerate() {
        let before = if index == 0 { ": " } else { ", " };
        let given = match of.got {
            Some(got) if got != of.size => format!(" gets {got}"),
            _ => String::new(),
        };
        write!(
            f,
            "{before}job {} ({} slots{given}, waited {} s)",
            of.number,
            of.size,
            of.waited.seconds()
        )?;
    }
    match all.len().saturating_sub(LISTED) {
        0 => writeln!(f, "."),
        more => writeln!(f, " and {more} more."),
    }
}
