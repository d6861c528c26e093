//! The trial: what a policy would see if these jobs had left. It finds the shadow time of EASY, and whom a
//! preempting policy must suspend.

use super::Context;
use super::progress::InHand;
use crate::id::{JobId, Window};
use crate::job::Job;
use crate::system::System;
use crate::unit::Time;

impl<S: System> Context<S> {
    /// The fewest of the running jobs `candidates` without which `look` sees something, taken one
    /// by one in their order until it does; those that turn out not to be needed are held again, in
    /// the opposite order. Returns the absent ones, and what is seen without them.
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
            for job in trial.released.clone().into_iter().rev() {
                trial.hold(job);
                match look(trial.system) {
                    Some(spared) => seen = spared,
                    None => trial.release(job),
                }
            }
            Some((trial.released.clone(), seen))
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

    /// The shadow time of a job: releases the running jobs in a trial, all those of one estimated end at a time, ascending,
    /// until `enough`; returns that end and the system as it is then if nothing else starts.
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

/// A look at the system with some running jobs off it, undone afterwards.
struct Trial<'a, S: System> {
    system: &'a mut S,
    jobs: &'a Window<JobId, Job>,
    progress: &'a InHand<S::Place>,
    released: Vec<JobId>,
}

impl<S: System> Trial<'_, S> {
    fn release(&mut self, job: JobId) {
        let stint = self.progress[job].stint.as_ref().expect("a running job");
        self.system.free(&self.jobs[job].request(job), &stint.place);
        self.released.push(job);
    }

    fn hold(&mut self, job: JobId) {
        let stint = self.progress[job].stint.as_ref().expect("a running job");
        self.system.hold(&self.jobs[job].request(job), &stint.place);
        self.released.retain(|&released| released != job);
    }

    fn undo(&mut self) {
        while let Some(&job) = self.released.last() {
            self.hold(job);
        }
    }
}
