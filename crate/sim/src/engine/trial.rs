//! The trial: what a policy would see if these jobs had left. It finds the shadow time of EASY, and
//! whom a preempting policy must suspend.

use std::collections::BTreeMap;

use super::Context;
use super::foresight::{Older, Reservation};
use super::progress::InHand;
use crate::id::{JobId, Window};
use crate::job::Job;
use crate::machine::{Placement, System};
use crate::unit::Time;

impl<S: System> Context<S> {
    /// The fewest of the running jobs `candidates` without which `look` sees something, taken one
    /// by one in their order until it does; those that turn out not to be needed are held again, in
    /// the opposite order. Returns the absent ones in that opposite order, and what is seen without
    /// them.
    pub fn fewest_absent<T>(
        &mut self,
        candidates: &[JobId],
        mut look: impl FnMut(&S) -> Option<T>,
    ) -> Option<(Vec<JobId>, T)> {
        self.trial(|trial| {
            let mut seen = None;
            for &job in candidates {
                trial.release(job);
                seen = look(trial.system);
                if seen.is_some() {
                    break;
                }
            }
            let mut seen = seen?;
            let mut needed = Vec::new();
            while let Some(job) = trial.released.pop() {
                trial.hold(job);
                match look(trial.system) {
                    Some(spared) => seen = spared,
                    None => {
                        trial.free(job);
                        needed.push(job);
                    }
                }
            }
            trial.released.clone_from(&needed);
            Some((needed, seen))
        })
    }

    /// What `look` sees in the system without the running jobs `absent`.
    pub fn without<T>(&mut self, absent: &[JobId], look: impl FnOnce(&S) -> T) -> T {
        self.trial(|trial| {
            for &job in absent {
                trial.release(job);
            }
            look(trial.system)
        })
    }

    /// The shadow time of a job: releases the running jobs in a trial, all those of one estimated
    /// end at a time, ascending, until `enough`; returns that end and the system as it is then if
    /// nothing else starts.
    pub fn first_after_estimated_ends(
        &mut self,
        mut enough: impl FnMut(&S) -> bool,
    ) -> Option<(Time, S)> {
        let mut ends: Vec<(Time, JobId)> = self
            .running
            .iter()
            .map(|&job| (self.estimated_end(job), job))
            .collect();
        ends.sort_unstable();
        self.trial(|trial| {
            let group = ends.chunk_by(|a, b| a.0 == b.0).find(|group| {
                for &(_, job) in *group {
                    trial.release(job);
                }
                enough(trial.system)
            });
            group.map(|group| (group[0].0, trial.system.clone()))
        })
    }

    /// The shadow time of a job that needs so many slots where their count decides, and how many
    /// are free then if nothing else starts: [`Context::first_after_estimated_ends`] by counting.
    pub fn first_with_slots(&mut self, needed: u64) -> Option<(Time, u64)> {
        let mut free = self.system.free_slots();
        let now = self.now;
        let mut shadow = None;
        for (&(end, _), &slots) in self.estimated_ends() {
            let end = Some(end.max(now));
            if free >= needed && shadow < end {
                break;
            }
            shadow = end;
            free += u64::from(slots);
        }
        shadow.filter(|_| free >= needed).map(|time| (time, free))
    }

    fn trial<T>(&mut self, look: impl FnOnce(&mut Trial<'_, S>) -> T) -> T {
        let mut trial = Trial {
            system: &mut self.system,
            jobs: &self.jobs,
            progress: &self.progress,
            released: Vec::new(),
        };
        let seen = look(&mut trial);
        trial.undo();
        seen
    }
}

/// What is kept of trials from one pass to the next.
impl<S: System> Context<S> {
    /// The system without the running jobs younger than `head`. `departed` hears of each placement
    /// that has become free on it since the last call.
    pub fn without_younger(&mut self, head: JobId, mut departed: impl FnMut(&S::Placement)) -> &S {
        let older = self.foresight.older.get_or_insert_with(|| Older {
            head: JobId(0),
            system: self.empty.clone(),
            departed: Vec::new(),
        });
        older.departed.drain(..).for_each(|left| departed(&left));
        let progress = &self.progress;
        for &job in self.running.range(older.head..head.max(older.head)) {
            let request = self.jobs[job].request(job);
            older.system.hold(&request, progress.placement(job));
        }
        for &job in self.running.range(head..older.head.max(head)) {
            let request = self.jobs[job].request(job);
            older.system.free(&request, progress.placement(job));
            departed(progress.placement(job));
        }
        older.head = head;
        &older.system
    }

    /// The reservation of `head`, as [`Context::first_after_estimated_ends`] finds it; `enough`
    /// also hears of the placements that are released last. The system itself is left alone.
    pub fn reserve(
        &mut self,
        head: JobId,
        revision: u64,
        mut enough: impl FnMut(&S, &[&S::Placement]) -> bool,
    ) -> Option<Reservation<S>> {
        let now = self.now;
        let mut then = self.system.clone();
        self.estimated_ends();
        let ends = self.foresight.ends.iter().flatten();
        let mut ends = ends.map(|(&end, _)| end).peekable();
        while let Some((end, _)) = ends.peek().copied() {
            let time = end.max(now);
            let mut released = Vec::new();
            while let Some((_, job)) = ends.next_if(|next| next.0 <= time) {
                let placement = self.progress.placement(job);
                then.free(&self.jobs[job].request(job), placement);
                released.push(placement);
            }
            if enough(&then, &released) {
                return Some(Reservation {
                    head,
                    revision,
                    time,
                    then,
                });
            }
        }
        None
    }

    /// The reservation that was kept, taken out, if it is that of `head` and still the one that
    /// [`Context::reserve`] would find: its time is to come, no job has ended earlier than
    /// estimated, and the placer has no new revision. A job that runs longer than estimated has
    /// left by then all the same, and before then changes nothing: those that are overdue are
    /// released together now, as they were one after the other, and not even all of them left room.
    pub fn take_reservation(&mut self, head: JobId, revision: u64) -> Option<Reservation<S>> {
        let kept = self.foresight.reservation.take();
        kept.filter(|reservation| {
            let same = reservation.head == head && reservation.revision == revision;
            same && reservation.time > self.now
        })
    }

    /// Keeps a reservation until the next pass. Whoever keeps it vouches that [`Context::reserve`]
    /// would find it again then, were it not for what [`Context::take_reservation`] looks at.
    pub fn keep_reservation(&mut self, reservation: Reservation<S>) {
        self.foresight.reservation = Some(reservation);
    }

    /// Drops the reservation that was kept: a job has started without regard to it.
    pub fn drop_reservation(&mut self) {
        self.foresight.reservation = None;
    }

    /// The slots of the running jobs by estimated end, which may have passed.
    pub(super) fn estimated_ends(&mut self) -> &BTreeMap<(Time, JobId), u32> {
        let (running, progress) = (&self.running, &self.progress);
        self.foresight.ends.get_or_insert_with(|| {
            let end = |&job: &JobId| {
                let allocation = progress[job].allocation.as_ref();
                let allocation = allocation.expect("a running job");
                (
                    (allocation.estimated_end, job),
                    allocation.placement.slots(),
                )
            };
            let mut ends = BTreeMap::new();
            for (end, slots) in running.iter().map(end) {
                ends.insert(end, slots);
            }
            ends
        })
    }
}

/// A look at the system with some running jobs off it, undone afterwards.
struct Trial<'a, S: System> {
    system: &'a mut S,
    jobs: &'a Window<JobId, Job>,
    progress: &'a InHand<S::Placement>,
    released: Vec<JobId>,
}

impl<S: System> Trial<'_, S> {
    fn release(&mut self, job: JobId) {
        self.free(job);
        self.released.push(job);
    }

    fn free(&mut self, job: JobId) {
        let placement = self.progress.placement(job);
        self.system.free(&self.jobs[job].request(job), placement);
    }

    fn hold(&mut self, job: JobId) {
        let placement = self.progress.placement(job);
        self.system.hold(&self.jobs[job].request(job), placement);
    }

    fn undo(&mut self) {
        while let Some(job) = self.released.pop() {
            self.hold(job);
        }
    }
}
