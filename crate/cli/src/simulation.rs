//! Many cells simulated on several processors.

use std::io::{self, Write};
use std::num::NonZero;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::cost::Costs;
use backfill_experiment::study::sweep::{self, Cell, CellOutcome, CellRun};
use backfill_sim::place::Tries;
use backfill_sim::run::{Keep, Replay};
use backfill_sim::workload::Trace;
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt;
use crate::memory::ensure_room;
use crate::workers::{at_once, each};

/// A scenario with what its simulation needs.
pub(crate) struct Simulation<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) trace: Option<&'a Trace>,
    /// The costs of the cells, for the time that remains.
    pub(crate) costs: &'a Costs,
    /// What to keep of each run.
    pub(crate) keep: Keep,
    /// The text of the progress bar.
    pub(crate) about: String,
}

/// The relative costs of the cells of a scenario; a single cell needs none.
pub(crate) fn costs(scenario: &Scenario, trace: Option<&Trace>) -> Result<Costs> {
    match scenario.runs() {
        1 => Ok(Costs::equal(scenario)),
        _ => tried_costs(scenario, trace),
    }
}

/// The costs by trial runs, after a check that there is memory for one.
pub(crate) fn tried_costs(scenario: &Scenario, trace: Option<&Trace>) -> Result<Costs> {
    ensure_room(scenario, trace, &sweep::cells(scenario), 1, Keep::Metrics)?;
    Ok(Costs::estimate(scenario, trace)?)
}

/// What the simulation took.
#[derive(Default)]
pub(crate) struct Work {
    jobs: usize,
    /// Simulation time, summed over the workers.
    time: Duration,
    /// Counts of the attempts to place jobs.
    tries: Tries,
}

/// One cell's result.
pub(crate) struct Finished {
    pub(crate) outcome: CellOutcome,
    /// The whole run, if it was to be kept.
    pub(crate) replay: Option<Replay>,
    time: Duration,
    tries: Tries,
}

/// Events between two checks of the clock and the progress bar.
const SLICE: u64 = 50_000;

impl Simulation<'_> {
    /// Simulates cells in this order and passes each result to `take`; with `workers` that many at
    /// once, otherwise one for each processor.
    ///
    /// # Errors
    /// A workload cannot be made, memory is short, `take` failed, or the user interrupted it.
    pub(crate) fn simulate(
        &self,
        cells: &[Cell],
        workers: Option<NonZero<usize>>,
        mut take: impl FnMut(Finished) -> Result<()>,
    ) -> Result<Work> {
        let at_once = at_once(workers).min(cells.len());
        ensure_room(self.scenario, self.trace, cells, at_once, self.keep)?;
        let costs = cells.iter().map(|&cell| self.costs.of(cell));
        let bar = progress_bar(costs.sum(), &self.about);
        let mut work = Work::default();
        each(
            cells,
            workers,
            |&cell| self.cell(cell, &bar),
            |finished| {
                work.jobs += finished.outcome.jobs;
                work.time += finished.time;
                work.tries += finished.tries;
                take(finished)
            },
        )?;
        bar.finish_and_clear();
        Ok(work)
    }

    /// Simulates one cell.
    fn cell(&self, cell: Cell, bar: &ProgressBar) -> Result<Finished> {
        let mut run = CellRun::new(self.scenario, cell, self.trace, self.keep)?;
        let started = Instant::now();
        let cost = self.costs.of(cell);
        let mut shown = 0;
        while !run.advance(SLICE) {
            ensure!(!interrupt::happened(), "interrupted");
            let (jobs, of) = run.progress();
            let share = jobs as f64 / of.max(1) as f64;
            let now = (share * cost as f64) as u64;
            bar.inc(now - shown);
            shown = now;
        }
        ensure!(!interrupt::happened(), "interrupted");
        let (outcome, replay) = run.finish();
        let time = started.elapsed();
        bar.inc(cost - shown);
        Ok(Finished {
            outcome,
            tries: replay.tries,
            replay: (self.keep != Keep::Metrics).then_some(replay),
            time,
        })
    }
}

/// A bar on stderr for work of that cost; it is shown on a terminal only.
fn progress_bar(cost: u64, about: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent} % {msg}, {eta} left")
        .expect("a valid template");
    ProgressBar::new(cost)
        .with_style(style)
        .with_message(about.to_owned())
}

impl Work {
    /// Prints to the standard error how many jobs were simulated in how much time.
    pub(crate) fn print(&self) -> Result<()> {
        let (jobs, seconds) = (self.jobs, self.time.as_secs_f64());
        let rate = jobs as f64 / seconds;
        writeln!(
            io::stderr(),
            "simulated {jobs} jobs in {seconds:.3} s ({rate:.0} jobs/s)"
        )?;
        let Tries {
            tried,
            ruled_out,
            certified,
            escaped,
        } = self.tries;
        if tried > 0 {
            writeln!(
                io::stderr(),
                "placements: {tried} tried, {ruled_out} skipped because proven to fail; \
                 {certified} proofs made, {escaped} failures without a proof"
            )?;
        }
        Ok(())
    }
}
