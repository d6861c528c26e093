//! A check that there is enough memory for the runs.
//!
//! A run whose jobs are made one by one and dropped takes little memory, whatever its length.
//! Others hold every job. They are refused beforehand if memory does not suffice: once it has run
//! out, no message can be printed.

use anyhow::Result;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::Cell;
use backfill_sim::problem::Problem;
use backfill_sim::run::Keep;
use backfill_sim::workload::{self, Source, Trace};

/// Measured least bytes of a run for each of its jobs, if it holds them.
const HELD: usize = 150;

/// As [`HELD`], if the whole run is kept and written.
const KEPT: usize = 400;

/// Checks that `at_once` of these cells can be simulated at once.
pub(crate) fn ensure_room(
    scenario: &Scenario,
    trace: Option<&Trace>,
    cells: &[Cell],
    at_once: usize,
    keep: Keep,
) -> Result<()> {
    let Some(&cell) = cells.first() else {
        return Ok(());
    };
    let (x, y) = (scenario.x().map(|_| cell.x), scenario.y().map(|_| cell.y));
    let workload = scenario.setup(x, y, cell.policy).workload;
    let drawn = matches!(workload.source, Source::Poisson { .. });
    let each = match keep {
        Keep::Metrics if drawn => return Ok(()),
        Keep::Metrics | Keep::Histories => HELD,
        Keep::Allocations => KEPT,
    };
    let jobs = workload::job_count(&workload, trace)?;
    let bytes = each.saturating_mul(jobs).saturating_mul(at_once);
    if Vec::<u8>::new().try_reserve_exact(bytes).is_ok() {
        return Ok(());
    }
    let gigabytes = bytes as f64 / 1e9;
    let (key, value) = match trace {
        Some(_) => ("first", scenario.get("first")),
        None => ("jobs", scenario.get("jobs")),
    };
    let advice = match at_once {
        1 => "take fewer jobs",
        _ => "take fewer jobs, or fewer runs at once by --workers",
    };
    Err(Problem {
        line: None,
        key: key.to_owned(),
        value: value.to_owned(),
        message: format!(
            "takes {gigabytes:.1} GB of memory or more, and the system does not have enough: {advice}"
        ),
    }
    .into())
}
