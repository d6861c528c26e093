//! What a run leaves: the fate of every job, the use of slots and links, and the digest.
//!
//! The record is written by the engine alone, in processing order. The stints with their places are
//! kept only where the caller asks for them: replays, heatmaps and job lists need them, sweeps do
//! not.

use crate::digest::Digest;
use crate::id::{Id, IdVec, JobId, LinkId};
use crate::system::{Place, System};
use crate::unit::{Kbps, Span, Time};

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Not decided yet: the run is not over.
    Open,
    /// It ran to its end.
    Ran {
        /// First start.
        start: Time,
        /// Completion.
        end: Time,
    },
    /// No room on arrival, and no queue; the exact test found an embedding that the placement
    /// missed.
    Missed,
    /// No room on arrival, and no queue; no embedding existed.
    Blocked,
    /// No embedding exists even on the empty system.
    Infeasible,
    /// The placement finds no embedding on the empty system, though one exists.
    Unplaceable,
}

/// What the digest takes of an event; the numbers are part of every digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The job arrives.
    Arrive = 0,
    /// It can never run.
    Infeasible = 1,
    /// The placement can never place it.
    Unplaceable = 2,
    /// It is turned away.
    Rejected = 3,
    /// It starts or restarts.
    Start = 4,
    /// It is suspended.
    Preempt = 5,
    /// It completes.
    Finish = 6,
    /// It has paid its migration cost.
    PauseEnd = 7,
}

/// A time during which a job held one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stint<P> {
    /// Which job.
    pub job: JobId,
    /// From when.
    pub start: Time,
    /// Until when; `None` while the run is not over.
    pub end: Option<Time>,
    /// What it held.
    pub place: P,
}

/// Use of one link over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkUse {
    /// Reserved now.
    pub reserved: Kbps,
    /// The most that was ever reserved.
    pub peak: Kbps,
    /// Reservation integrated over time, kbit/s · µs.
    pub integral: u128,
}

/// The record of one run.
#[derive(Clone, Debug)]
pub struct Record<P> {
    /// Fate of each job.
    pub fates: IdVec<JobId, Fate>,
    /// Restarts of each job.
    pub migrations: IdVec<JobId, u32>,
    /// Whether all machines of the job shared one server in its last stint.
    pub hidden: IdVec<JobId, bool>,
    /// Use of each link.
    pub links: IdVec<LinkId, LinkUse>,
    /// Slots held, integrated over time, slot · µs.
    pub slot_time: u128,
    /// The longest queue after a scheduling pass.
    pub longest_queue: usize,
    /// Fingerprint of all events so far.
    pub digest: Digest,
    /// Every stint, where asked for.
    pub stints: Option<Vec<Stint<P>>>,
}

impl<P: Place> Record<P> {
    /// An empty record of `jobs` jobs on `system`; with `keep`, stints will be kept.
    pub fn new<S: System<Place = P>>(system: &S, jobs: usize, keep: bool) -> Record<P> {
        Record {
            fates: IdVec::filled(Fate::Open, jobs),
            migrations: IdVec::filled(0, jobs),
            hidden: IdVec::filled(false, jobs),
            links: IdVec::filled(LinkUse::default(), system.links().len()),
            slot_time: 0,
            longest_queue: 0,
            digest: Digest::new(),
            stints: keep.then(Vec::new),
        }
    }

    pub(crate) fn event(&mut self, now: Time, kind: Kind, job: JobId) {
        self.digest.word(now.0);
        self.digest.word(kind as u64);
        self.digest.word(u64::from(job.0));
    }

    pub(crate) fn start(&mut self, now: Time, job: JobId, place: &P) {
        self.event(now, Kind::Start, job);
        let mut parts = 0;
        for (server, slots) in place.shares() {
            self.digest.word(u64::from(server));
            self.digest.word(u64::from(slots));
            parts += 1;
        }
        self.hidden[job] = parts == 1;
        for &(link, bandwidth) in place.reservations() {
            let link = &mut self.links[link];
            link.reserved += bandwidth;
            link.peak = link.peak.max(link.reserved);
        }
        if let Some(stints) = &mut self.stints {
            stints.push(Stint {
                job,
                start: now,
                end: None,
                place: place.clone(),
            });
        }
    }

    pub(crate) fn stop(&mut self, now: Time, job: JobId, start: Time, size: u32, place: &P) {
        let held = u128::from((now - start).0);
        self.slot_time += held * u128::from(size);
        for &(link, bandwidth) in place.reservations() {
            let link = &mut self.links[link];
            link.reserved -= bandwidth;
            link.integral += held * u128::from(bandwidth.0);
        }
        if let Some(stints) = &mut self.stints {
            let stint = stints
                .iter_mut()
                .rev()
                .find(|stint| stint.job == job)
                .expect("a job that stops has started");
            stint.end = Some(now);
        }
    }

    /// Bandwidth reserved on each link at `time`, from the kept stints.
    pub fn reserved_at(&self, time: Time) -> IdVec<LinkId, Kbps> {
        let mut reserved = IdVec::filled(Kbps(0), self.links.len());
        for stint in self.active_at(time) {
            for &(link, bandwidth) in stint.place.reservations() {
                reserved[link] += bandwidth;
            }
        }
        reserved
    }

    /// The kept stints that hold their place at `time`.
    pub fn active_at(&self, time: Time) -> impl Iterator<Item = &Stint<P>> {
        self.stints
            .iter()
            .flatten()
            .filter(move |stint| stint.start <= time && stint.end.is_none_or(|end| time < end))
    }

    /// The last completion, or time 0 where no job has run.
    pub fn end(&self) -> Time {
        self.fates
            .iter()
            .filter_map(|fate| match fate {
                Fate::Ran { end, .. } => Some(*end),
                _ => None,
            })
            .max()
            .unwrap_or_default()
    }

    /// How long the run took from the first submit to the last completion; `None` where no job ran.
    pub fn makespan(&self, first_submit: Time) -> Option<Span> {
        let end = self.end();
        (end > first_submit).then(|| end - first_submit)
    }

    /// How many jobs have a fate.
    pub fn decided(&self) -> usize {
        self.fates
            .iter()
            .filter(|fate| **fate != Fate::Open)
            .count()
    }

    /// Reserved share of each link averaged over `makespan`.
    pub fn mean_link_use(&self, capacity: &[Kbps], makespan: Span) -> Vec<f64> {
        self.links
            .iter_enumerated()
            .map(|(link, used)| {
                used.integral as f64 / (capacity[link.index()].0 as f64 * makespan.0 as f64)
            })
            .collect()
    }
}
