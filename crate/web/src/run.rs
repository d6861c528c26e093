//! One cell of a scenario, run in slices so that its worker can receive messages in between.

use crate::replay::Replay;
use crate::scenario::parse;
use crate::trace::Trace;
use crate::{plain, refusal};
use backfill_experiment::files::topology::read;
use backfill_experiment::language::leaves::as_run;
use backfill_experiment::language::scenario::Axis;
use backfill_experiment::study::sweep::{self, CellRun};
use backfill_sim::run;
use backfill_sim::setup::Setup;
use std::hint::black_box;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// What is kept of a run in addition to its metrics: see [`run::Keep`].
#[wasm_bindgen]
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Keep {
    /// Nothing about single jobs.
    Metrics,
    /// The history of each job.
    Histories,
    /// Everything.
    Allocations,
}

impl From<Keep> for run::Keep {
    fn from(keep: Keep) -> run::Keep {
        match keep {
            Keep::Metrics => run::Keep::Metrics,
            Keep::Histories => run::Keep::Histories,
            Keep::Allocations => run::Keep::Allocations,
        }
    }
}

/// A cell being run.
#[wasm_bindgen]
pub struct Run {
    run: CellRun,
    pub(crate) setup: Setup,
    keep: Keep,
    /// The bytes of the module's memory after the last slice.
    memory: usize,
}

impl Run {
    /// Where the memory has grown in a slice, lets it grow by a sixteenth at once: the allocator asks
    /// for 64 kB at a time, and Node 20 takes half a millisecond for each.
    fn grow_ahead(&mut self) {
        if memory_size() == self.memory {
            return;
        }
        let mut room: Vec<u8> = Vec::new();
        // The allocator has it again at once. Where there is none, the run may do without.
        let _ = room.try_reserve_exact(memory_size() / 16);
        black_box(&room);
        self.memory = memory_size();
    }

    /// The run, if it kept at least that much.
    ///
    /// # Errors
    /// It kept less.
    pub(crate) fn kept(self, least: Keep) -> Result<CellRun, JsValue> {
        if self.keep >= least {
            Ok(self.run)
        } else {
            Err(refusal("the run was not kept"))
        }
    }
}

#[wasm_bindgen]
impl Run {
    /// Starts the cell of that index. Waits and the log need a run that keeps histories,
    /// [`Run::replay`] one that keeps allocations.
    ///
    /// # Errors
    /// `text` is no valid scenario, has no such cell, or its workload cannot be made; a sentence
    /// says why.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, cell: usize, trace: &Trace, keep: Keep) -> Result<Run, JsValue> {
        let scenario = parse(text)?;
        let cells = sweep::cells(&scenario);
        let cell = cells
            .get(cell)
            .ok_or_else(|| refusal(format!("the scenario has no run {cell}")))?;
        let run = CellRun::new(&scenario, *cell, trace.get(), keep.into()).map_err(refusal)?;
        let place = |axis: Option<&Axis>, place| axis.map(|_| place);
        let (x, y) = (place(scenario.x(), cell.x), place(scenario.y(), cell.y));
        let setup = scenario.setup(x, y, cell.policy).fitted(trace.get());
        Ok(Run {
            run,
            setup,
            keep,
            memory: memory_size(),
        })
    }

    /// Simulates at least `events` more events; returns whether the run has ended.
    pub fn advance(&mut self, events: u32) -> bool {
        let has_ended = self.run.advance(u64::from(events));
        self.grow_ahead();
        has_ended
    }

    /// The numbers of finished jobs and of all jobs.
    pub fn progress(&self) -> Vec<u32> {
        let (done, jobs) = self.run.progress();
        vec![done as u32, jobs as u32]
    }

    /// The number of waiting jobs: the cost of a run grows with it.
    pub fn waiting(&self) -> usize {
        self.run.waiting()
    }

    /// The result, for [`Board::add`](crate::board::Board::add).
    #[wasm_bindgen(unchecked_return_type = "CellOutcome")]
    pub fn outcome(self) -> JsValue {
        plain(&self.run.finish().0)
    }

    /// The whole run. Where it is on the machine that the text of a `topology` file describes, its
    /// parts are called as there.
    ///
    /// # Errors
    /// The run was not kept.
    pub fn replay(self, topology: Option<String>) -> Result<Replay, JsValue> {
        let mut setup = self.setup.clone();
        if let Some(Ok(topology)) = topology.as_deref().map(read)
            && let Some(named) =
                (setup.system.tree()).and_then(|run| as_run(&topology.shape, &run.shape))
        {
            setup.system.call_parts_as(named.into());
        }
        let (outcome, replay) = self.kept(Keep::Allocations)?.finish();
        Replay::new(outcome, replay, &setup).ok_or_else(|| refusal("the run was not kept"))
    }
}

/// The bytes of the module's memory; natively there is none.
fn memory_size() -> usize {
    #[cfg(target_arch = "wasm32")]
    return core::arch::wasm32::memory_size::<0>() << 16;
    #[cfg(not(target_arch = "wasm32"))]
    return 0;
}
