//! A pass told: who waits and runs, with what each job asks for, and every step with its sentence.

use std::fmt;

use backfill_sim::engine::{Pass, Step, Turn};
use backfill_sim::id::{Id, JobId};
use backfill_sim::unit::{Kbps, Span, Time};
use serde::Serialize;

use super::names::Names;
use super::parts::Parts;
use super::subtrees::ToldPlacement;
use super::words::{Clock, Teller};

/// A pass told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldPass {
    /// Its instant.
    pub time: Time,
    /// Slots of the system, those in the background left out.
    pub slots: u64,
    /// The slots that are free before it.
    pub free: u64,
    /// The jobs that run before it, by index.
    pub running: Vec<ToldRunning>,
    /// The jobs in the queue as it begins, in the order of the queue.
    pub queue: Vec<ToldQueued>,
    /// The jobs that are tried as they arrive, and those that join the queue in the pass.
    pub others: Vec<Asked>,
    /// What happens, in order.
    pub steps: Vec<ToldStep>,
}

/// What a job asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Asked {
    /// Its index.
    pub job: JobId,
    /// Its number in the input.
    pub number: u64,
    /// The requested slots.
    pub size: u32,
    /// Bandwidth of each of its virtual machines; `None` where none is reserved.
    pub bandwidth: Option<Kbps>,
    /// Its estimated run time.
    pub estimate: Span,
    /// When it is submitted by its log.
    pub submit: Time,
}

/// A job that runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToldRunning {
    /// What it asks for.
    #[serde(flatten)]
    pub asked: Asked,
    /// When it began to hold its placement.
    pub start: Time,
    /// When it ends by its estimate, now at the earliest.
    pub estimated_end: Time,
    /// When it really ends at its present speed, if nothing suspends it; `None` while it stands
    /// still.
    pub end: Option<Time>,
    /// (server or node, slots held there), ascending; the background of a node follows behind all
    /// nodes.
    pub shares: Vec<(u32, u32)>,
}

/// A job that waits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldQueued {
    /// What it asks for.
    #[serde(flatten)]
    pub asked: Asked,
    /// The value by which a formula orders the queue; `None` where none does.
    pub value: Option<f64>,
}

/// A step and its sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldStep {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// The same in words.
    pub sentence: String,
    /// Where a job starts: why there and not elsewhere; `None` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<ToldPlacement>,
}

impl Teller<'_> {
    /// A pass with all that a view of it needs, instants in its sentences as `clock` says them.
    pub fn told(&self, pass: Pass, clock: Clock<'_>) -> ToldPass {
        let mut parts = Parts::before(self.setup, self.jobs, &pass.running);
        let mut names = None;
        let mut placement = |step: &Step| {
            let told = parts.as_mut().and_then(|parts| parts.after(step));
            let Step::Started { subtrees, .. } = step else {
                return None;
            };
            let subtrees = subtrees.as_deref();
            let named = |subtrees| {
                let names = names.get_or_insert_with(|| Names::of(&self.setup.system));
                ToldPlacement::of(subtrees, names, self.about)
            };
            subtrees.map(named).or(told)
        };
        let others = pass.steps.iter().filter_map(|step| match step {
            Step::Admitted { job }
            | Step::Tried {
                job,
                turn: Turn::Arrival,
                ..
            } => Some(self.asked(*job)),
            _ => None,
        });
        let others = others.collect();
        let running = pass.running.into_iter().map(|of| ToldRunning {
            asked: self.asked(of.job),
            start: of.start,
            estimated_end: of.estimated_end,
            end: of.end,
            shares: of.shares,
        });
        let queued = pass.queue.iter().map(|of| ToldQueued {
            asked: self.asked(of.job),
            value: of.value.filter(|value| value.is_finite()),
        });
        let steps = pass.steps.into_iter().map(|step| ToldStep {
            sentence: self.sentence(&step, clock),
            placement: placement(&step),
            step,
        });
        ToldPass {
            time: pass.time,
            slots: self.slots,
            free: pass.free,
            running: running.collect(),
            queue: queued.collect(),
            others,
            steps: steps.collect(),
        }
    }

    fn asked(&self, id: JobId) -> Asked {
        let job = &self.jobs.as_slice()[id.index()];
        Asked {
            job: id,
            number: job.number,
            size: job.size,
            bandwidth: self.bandwidth.then_some(job.bandwidth),
            estimate: job.estimate,
            submit: job.submit,
        }
    }
}

impl fmt::Display for ToldPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "At {}: {} of {} slots free, {} running, {} waiting.",
            self.time,
            self.free,
            self.slots,
            self.running.len(),
            self.queue.len()
        )?;
        if self.steps.is_empty() {
            write!(f, " No job is looked at.")?;
        }
        for (index, step) in self.steps.iter().enumerate() {
            write!(f, "\n{}. {}", index + 1, step.sentence)?;
            if let Some(placement) = &step.placement {
                write!(f, "\n{placement}")?;
            }
        }
        Ok(())
    }
}
