//! The scheduling passes of a run, each of them step by step.
//!
//! Instants are seconds since the first submit.

use backfill_experiment::inspect::pass::{
    Asked, Effect, Nearest, Passes, Step, ToldPass, ToldPlacement, ToldStep, Turn,
};
use backfill_sim::id::JobId;
use backfill_sim::job::Jobs;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, Time, round};
use serde::Serialize;

use crate::sentence::{Piece, pieces};

/// The passes of a kept run.
pub(crate) struct KeptPasses {
    passes: Passes,
    /// The first submit.
    first: Time,
}

/// A pass, told.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "ToldPass")]
pub(crate) struct PassView {
    /// Its position among the passes.
    position: usize,
    /// How many passes the run has.
    passes: usize,
    /// Its instant.
    at: f64,
    /// The slots of the system, those in the background left out.
    slots: u64,
    /// The slots that are free before it.
    free: u64,
    /// The jobs that run before it, by index.
    running: Vec<RunningView>,
    /// The jobs in the queue as it begins, in the order of the queue.
    queue: Vec<QueuedView>,
    /// The jobs that are tried as they arrive, and those that join the queue in the pass.
    others: Vec<AskedView>,
    /// What happens, in order.
    steps: Vec<StepView>,
}

/// What a job asks for.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "AskedJob")]
struct AskedView {
    /// Its index.
    job: u32,
    /// Its number in the input.
    number: u64,
    /// The slots that it requests.
    size: u32,
    /// The bandwidth of each of its virtual machines, in Mbit/s; null where none is reserved.
    bandwidth: Option<f64>,
    /// Its estimated run time, in seconds.
    estimate: f64,
    /// When it is submitted.
    submit: f64,
}

/// A job that runs as a pass begins.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "ToldRunning")]
struct RunningView {
    /// What it asks for.
    asked: AskedView,
    /// When it began to hold its placement.
    start: f64,
    /// When it ends by its estimate, now at the earliest.
    estimated_end: f64,
    /// When it really ends at its present speed; null while it stands still.
    end: Option<f64>,
    /// Servers or nodes, and the slots held on each; the background of a node follows behind all.
    shares: Vec<(u32, u32)>,
}

/// A job that waits as a pass begins.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "ToldQueued")]
struct QueuedView {
    /// What it asks for.
    asked: AskedView,
    /// The value by which a formula orders the queue; null where none does, or if not finite.
    value: Option<f64>,
}

/// A step of a pass. What a kind of step has no use for is null or empty.
#[derive(Default, Serialize, ts_rs::TS)]
#[ts(rename = "ToldStep")]
struct StepView {
    /// What happens.
    #[ts(
        type = "'poweredOn' | 'admitted' | 'deferred' | 'dismissed' | 'tried' | 'passedOver' | 'declined' | 'stopped' | 'renewed' | 'reserved' | 'compared' | 'preempts' | 'crowded' | 'suspended' | 'waitedLong' | 'chosen' | 'shared' | 'matched' | 'started' | 'moved'"
    )]
    kind: &'static str,
    /// The index of the job that it is about; of `passedOver` that which does not fit.
    job: Option<u32>,
    /// Of `tried`: why the job is looked at.
    #[ts(type = "'arrival' | 'head' | 'next' | 'behind' | 'background' | 'recorded' | null")]
    turn: Option<Turn>,
    /// Of `tried`: the value by which a formula orders this turn. Of `poweredOn`: the slots that may
    /// be held.
    value: Option<f64>,
    /// Of `tried`: whether the job fits now.
    fits: Option<bool>,
    /// Of `compared`: what the job means to the reservation.
    #[ts(type = "'endsBefore' | 'fitsBeside' | 'delays' | null")]
    effect: Option<Effect>,
    /// Of `compared`: the index of the job with the reservation.
    reserved: Option<u32>,
    /// Of `reserved` and `compared`: when the reservation starts.
    start: Option<f64>,
    /// Of `compared`, `started` and `moved`: when the job ends by its estimate.
    end: Option<f64>,
    /// Of `started` and `moved`: when the job really ends at its speed after the pass; null where it
    /// stands still.
    real_end: Option<f64>,
    /// The indices of other jobs: of `passedOver` those that do not fit either; of `reserved` those
    /// whose ends are the last that it waits for; of `preempts` those that give way; of `chosen`
    /// the set.
    jobs: Vec<u32>,
    /// Of `preempts`: the indices of the running jobs that may have to give way.
    candidates: Vec<u32>,
    /// Of `started` and `moved`: servers or nodes, and the slots held on each, as of a job that runs.
    shares: Vec<(u32, u32)>,
    /// The sentence: pieces of text, with instants in between.
    #[ts(type = "(string | number)[]")]
    sentence: Vec<Piece>,
    /// Of `started`: why there and not elsewhere; null where that is not known.
    placement: Option<ToldPlacement>,
}

impl KeptPasses {
    /// The passes of a run of `jobs` as `setup` says; costs one run.
    pub(crate) fn new(setup: &Setup, jobs: Jobs) -> KeptPasses {
        KeptPasses {
            first: jobs.iter().next().map_or(Time::default(), |job| job.submit),
            passes: Passes::new(setup, jobs),
        }
    }

    /// Tells a pass; `None` where there is none.
    pub(crate) fn told(&mut self, which: &str, of: f64) -> Option<PassView> {
        let passes = &mut self.passes;
        let number = round(of) as usize;
        let position = match which {
            "upTo" => passes.nearest(Time(self.first.0 + round(of * 1e6)), Nearest::UpTo),
            "decisionBefore" => passes.decision(number, true),
            "decisionAfter" => passes.decision(number, false),
            "startOf" => passes.start_of(JobId(number as u32)),
            _ => Some(number),
        }?;
        let pass = passes.pass(position)?;
        let told = passes.teller().told(pass, &|_| String::new());
        Some(self.view(position, told))
    }

    fn seconds(&self, time: Time) -> f64 {
        (time - self.first).seconds()
    }

    fn view(&self, position: usize, told: ToldPass) -> PassView {
        let running = told.running.into_iter().map(|of| RunningView {
            asked: self.asked(&of.asked),
            start: self.seconds(of.start),
            estimated_end: self.seconds(of.estimated_end),
            end: of.end.map(|end| self.seconds(end)),
            shares: of.shares,
        });
        let queued = told.queue.iter().map(|of| QueuedView {
            asked: self.asked(&of.asked),
            value: of.value,
        });
        PassView {
            position,
            passes: self.passes.counts().len(),
            at: self.seconds(told.time),
            slots: told.slots,
            free: told.free,
            running: running.collect(),
            queue: queued.collect(),
            others: told.others.iter().map(|of| self.asked(of)).collect(),
            steps: told
                .steps
                .into_iter()
                .map(|of| self.step(told.time, of))
                .collect(),
        }
    }

    fn asked(&self, asked: &Asked) -> AskedView {
        AskedView {
            job: asked.job.0,
            number: asked.number,
            size: asked.size,
            bandwidth: asked.bandwidth.map(Kbps::mbps),
            estimate: asked.estimate.seconds(),
            submit: self.seconds(asked.submit),
        }
    }

    fn step(&self, at: Time, told: ToldStep) -> StepView {
        let teller = self.passes.teller();
        let sentence = pieces(self.first, at, |clock, _| {
            teller.sentence(&told.step, clock)
        });
        let indices = |jobs: Vec<JobId>| jobs.into_iter().map(|job| job.0).collect();
        let of = |kind, job: JobId| StepView {
            kind,
            job: Some(job.0),
            ..StepView::default()
        };
        let alone = |kind| StepView {
            kind,
            ..StepView::default()
        };
        let placed = |kind, job, estimated: Time, end: Option<Time>, shares| StepView {
            end: Some(self.seconds(estimated)),
            real_end: end.map(|end| self.seconds(end)),
            shares,
            ..of(kind, job)
        };
        let view = match told.step {
            Step::PoweredOn { slots, .. } => StepView {
                value: Some(slots as f64),
                ..alone("poweredOn")
            },
            Step::Admitted { job } => of("admitted", job),
            Step::Deferred { job } => of("deferred", job),
            Step::Dismissed { job, .. } => of("dismissed", job),
            Step::Tried {
                job,
                turn,
                value,
                fits,
            } => StepView {
                turn: Some(turn),
                value: value.filter(|value| value.is_finite()),
                fits: Some(fits),
                ..of("tried", job)
            },
            Step::PassedOver { than, jobs } => StepView {
                jobs: indices(jobs),
                ..of("passedOver", than)
            },
            Step::Declined { job, .. } => of("declined", job),
            Step::Stopped { head, .. } => of("stopped", head),
            Step::Renewed => alone("renewed"),
            Step::Reserved {
                job, start, last, ..
            } => StepView {
                start: Some(self.seconds(start)),
                jobs: indices(last),
                ..of("reserved", job)
            },
            Step::Compared {
                job,
                end,
                reserved,
                start,
                effect,
            } => StepView {
                effect: Some(effect),
                reserved: Some(reserved.0),
                start: Some(self.seconds(start)),
                end: Some(self.seconds(end)),
                ..of("compared", job)
            },
            Step::Preempts {
                job,
                candidates,
                victims,
            } => StepView {
                candidates: indices(candidates),
                jobs: indices(victims.unwrap_or_default()),
                ..of("preempts", job)
            },
            Step::Crowded { job } => of("crowded", job),
            Step::Suspended { job } => of("suspended", job),
            Step::WaitedLong { job } => of("waitedLong", job),
            Step::Chosen { jobs, .. } => StepView {
                jobs: indices(jobs),
                ..alone("chosen")
            },
            Step::Shared { job, .. } => of("shared", job),
            Step::Matched { job, .. } => of("matched", job),
            Step::Started {
                job,
                estimated_end,
                end,
                shares,
                ..
            } => placed("started", job, estimated_end, end, shares),
            Step::Moved {
                job,
                estimated_end,
                end,
                shares,
                ..
            } => placed("moved", job, estimated_end, end, shares),
        };
        StepView {
            sentence,
            placement: told.placement,
            ..view
        }
    }
}
