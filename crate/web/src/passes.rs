//! The scheduling passes of a run, each of them step by step.
//!
//! Instants are seconds since the first submit.

use backfill_experiment::inspect::pass::{
    Asked, Effect, Nearest, Passes, Step, ToldPass, ToldStep, Turn,
};
use backfill_experiment::study::sweep;
use backfill_sim::id::JobId;
use backfill_sim::unit::{Kbps, Time, round};
use js_sys::{Float64Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::inspect::{Piece, pieces};
use crate::scenario::parse;
use crate::trace::Trace;
use crate::{plain, refusal};

/// The passes of a cell.
#[wasm_bindgen]
pub struct PassList {
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
    /// Servers or nodes, and the slots held on each.
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
        type = "'poweredOn' | 'admitted' | 'deferred' | 'dismissed' | 'tried' | 'passedOver' | 'stopped' | 'renewed' | 'reserved' | 'compared' | 'preempts' | 'crowded' | 'suspended' | 'waitedLong' | 'chosen' | 'shared' | 'started' | 'moved'"
    )]
    kind: &'static str,
    /// The index of the job that it is about; of `passedOver` that which does not fit.
    job: Option<u32>,
    /// Of `tried`: why the job is looked at.
    #[ts(type = "'arrival' | 'head' | 'next' | 'behind' | 'background' | 'recorded' | null")]
    turn: Option<Turn>,
    /// Of `tried`: the value by which a formula orders this turn.
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
    /// Of `compared` and `started`: when the job ends by its estimate.
    end: Option<f64>,
    /// The indices of other jobs: of `passedOver` those that do not fit either; of `reserved` those
    /// whose ends are the last that it waits for; of `preempts` those that give way; of `chosen`
    /// the set.
    jobs: Vec<u32>,
    /// Of `preempts`: the indices of the running jobs that may have to give way.
    candidates: Vec<u32>,
    /// Of `started` and `moved`: servers or nodes, and the slots held on each.
    shares: Vec<(u32, u32)>,
    /// The sentence: pieces of text, with instants in between.
    #[ts(type = "(string | number)[]")]
    sentence: Vec<Piece>,
}

#[wasm_bindgen]
impl PassList {
    /// The passes of a cell; costs one run.
    ///
    /// # Errors
    /// The scenario, its workload or the cell is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, cell: usize, trace: &Trace) -> Result<PassList, JsValue> {
        let scenario = parse(text)?;
        let cells = sweep::cells(&scenario);
        let cell = cells
            .get(cell)
            .ok_or_else(|| refusal(format!("the scenario has no run {cell}")))?;
        let (setup, jobs) = sweep::parts(&scenario, *cell, trace.get()).map_err(refusal)?;
        let first = jobs.iter().next().map_or(Time::default(), |job| job.submit);
        Ok(PassList {
            passes: Passes::new(&setup, jobs),
            first,
        })
    }

    /// The instant of every pass; several may be at one.
    pub fn instants(&self) -> Float64Array {
        let counts = self.passes.counts().iter();
        let instants: Vec<f64> = counts.map(|pass| self.seconds(pass.time)).collect();
        Float64Array::from(instants.as_slice())
    }

    /// For every pass, how many jobs it starts, how many it suspends, and how many wait after it.
    pub fn counts(&self) -> Uint32Array {
        let counts = self.passes.counts().iter();
        let counts = counts.flat_map(|pass| [pass.starts, pass.suspensions, pass.waiting]);
        Uint32Array::from(counts.collect::<Vec<u32>>().as_slice())
    }

    /// The position of the last pass up to an instant.
    pub fn up_to(&self, at: f64) -> Option<usize> {
        self.passes.nearest(self.instant(at), Nearest::UpTo)
    }

    /// The position of the last pass before an instant.
    pub fn before(&self, at: f64) -> Option<usize> {
        self.passes.nearest(self.instant(at), Nearest::Before)
    }

    /// The position of the first pass after an instant.
    pub fn after(&self, at: f64) -> Option<usize> {
        self.passes.nearest(self.instant(at), Nearest::After)
    }

    /// The position of the nearest pass after another one, or before it, that starts or suspends a
    /// job.
    pub fn decision(&self, from: usize, back: bool) -> Option<usize> {
        self.passes.decision(from, back)
    }

    /// The position of the pass that starts a job for the first time.
    pub fn start_of(&mut self, job: u32) -> Option<usize> {
        self.passes.start_of(JobId(job))
    }

    /// The pass at a position, told. One after the pass that was told last costs what lies between,
    /// an earlier one the run up to it.
    ///
    /// # Errors
    /// There is no such pass.
    #[wasm_bindgen(unchecked_return_type = "ToldPass")]
    pub fn told(&mut self, position: usize) -> Result<JsValue, JsValue> {
        let pass = self.passes.pass(position);
        let pass = pass.ok_or_else(|| refusal(format!("the run has no pass {position}")))?;
        let told = self.passes.teller().told(pass, &|_| String::new());
        Ok(plain(&self.view(position, told)))
    }
}

impl PassList {
    fn seconds(&self, time: Time) -> f64 {
        (time - self.first).seconds()
    }

    fn instant(&self, seconds: f64) -> Time {
        Time(self.first.0 + round(seconds * 1e6))
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
            at: self.seconds(told.time),
            slots: told.slots,
            free: told.free,
            running: running.collect(),
            queue: queued.collect(),
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
        let view = match told.step {
            Step::PoweredOn { .. } => alone("poweredOn"),
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
            Step::Started {
                job,
                estimated_end,
                shares,
            } => StepView {
                end: Some(self.seconds(estimated_end)),
                shares,
                ..of("started", job)
            },
            Step::Moved { job, shares, .. } => StepView {
                shares,
                ..of("moved", job)
            },
        };
        StepView { sentence, ..view }
    }
}
