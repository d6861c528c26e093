//! An upper bound on the jobs that any policy could accept, beside those that policies accepted.

use std::io::Write;
use std::num::NonZero;

use anyhow::{Result, ensure};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::answer::numbers::shown;
use backfill_experiment::study::bound::{self, Relaxation};
use backfill_experiment::study::sweep::{self, Cell, CellRun};
use backfill_sim::metrics::METRICS;
use backfill_sim::policy::Queue;
use backfill_sim::problem::Problem;
use backfill_sim::run::Keep;
use backfill_sim::setup::Setup;
use backfill_sim::stats::estimate;
use backfill_sim::workload::Trace;

use crate::scenario::{ScenarioArguments, trace_of};
use crate::solve::solve;
use crate::table;
use crate::workers::each;

/// What to bound.
#[derive(clap::Args)]
pub(crate) struct BoundArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// How many runs are looked at at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,
}

/// The position of the accept rate among the metrics.
const ACCEPT_RATE: usize = 0;

/// Shares of all jobs in one run.
struct Shares {
    accepted: f64,
    feasible: Option<f64>,
    relaxed: Option<f64>,
}

/// `backfill bound`.
pub(crate) fn bound(arguments: &BoundArguments, out: &mut impl Write) -> Result<()> {
    let (scenario, log) = arguments.scenario.read()?;
    for key in ["warmup", "cooldown"] {
        ensure!(
            scenario.get(key) == "0",
            "{key} = {}: a bound counts all jobs: give {key}=0",
            scenario.get(key)
        );
    }
    let trace = trace_of(&scenario, log)?;
    let cells = sweep::cells(&scenario);
    let replications = scenario.reps() as usize;
    // All policies of one point and replication together: they mostly share their jobs.
    let points = cells.chunks(scenario.policies().len() * replications);
    let groups: Vec<Vec<Cell>> = points
        .flat_map(|point| {
            let group = |first| point.iter().skip(first).step_by(replications).copied();
            (0..replications).map(move |first| group(first).collect())
        })
        .collect();
    let mut all: Vec<Option<Shares>> = cells.iter().map(|_| None).collect();
    each(
        &groups,
        arguments.workers,
        |group| shares(&scenario, group, trace.as_ref()),
        |group| {
            for (cell, shares) in group {
                all[cell.index] = Some(shares);
            }
            Ok(())
        },
    )?;
    let all: Vec<Shares> = all.into_iter().flatten().collect();

    let axes: Vec<_> = [scenario.y(), scenario.x()].into_iter().flatten().collect();
    let mut heading: Vec<String> = axes.iter().map(|axis| axis.key.name.to_owned()).collect();
    heading.extend(["policy", "accept_rate (%)", "bound (%)", "feasible (%)"].map(str::to_owned));
    let mut rows = vec![heading];
    for (cells, shares) in cells.chunks(replications).zip(all.chunks(replications)) {
        let cell = cells[0];
        let mut row: Vec<String> = Vec::new();
        row.extend(scenario.y().map(|axis| axis.values[cell.y].clone()));
        row.extend(scenario.x().map(|axis| axis.values[cell.x].clone()));
        row.push(scenario.policies()[cell.policy].to_string());
        let mut show = |of: fn(&Shares) -> Option<f64>| {
            let values: Option<Vec<f64>> = shares.iter().map(of).collect();
            let mean = values.and_then(|values| estimate(&values));
            row.push(mean.map_or("–".to_owned(), |mean| {
                shown(&METRICS[ACCEPT_RATE], mean).to_string()
            }));
        };
        show(|shares| Some(shares.accepted));
        show(|shares| shares.relaxed);
        show(|shares| shares.feasible);
        rows.push(row);
    }
    table::aligned(&rows, axes.len() + 1, out)?;
    writeln!(
        out,
        "\nbound: no policy without a queue accepts more, even if it knew all jobs beforehand.\n\
         feasible: jobs that fit on the empty system."
    )?;
    Ok(())
}

/// The shares of the cells of one point and replication.
fn shares(
    scenario: &Scenario,
    group: &[Cell],
    trace: Option<&Trace>,
) -> Result<Vec<(Cell, Shares)>, Problem> {
    let mut known: Vec<(Setup, Option<f64>, Option<f64>)> = Vec::new();
    let mut all = Vec::new();
    for &cell in group {
        let (setup, jobs) = sweep::parts(scenario, cell, trace)?;
        let alike = |other: &&(Setup, _, _)| {
            other.0.system == setup.system && other.0.workload == setup.workload
        };
        let share = |count: usize| count as f64 / jobs.len() as f64;
        let (feasible, relaxed) = match known.iter().find(alike) {
            Some(&(_, feasible, relaxed)) => (feasible, relaxed),
            None => {
                let feasible = bound::feasible(&setup, &jobs)
                    .map(|all| share(all.iter().filter(|&&fits| fits).count()));
                let relaxed = without_queue(scenario).then(|| {
                    let model = Relaxation::new(&setup, &jobs);
                    let (_, multipliers) = solve(&model);
                    share(model.bound(&multipliers))
                });
                known.push((setup.clone(), feasible, relaxed));
                (feasible, relaxed)
            }
        };
        let (outcome, _) = CellRun::new(scenario, cell, trace, Keep::Metrics)?.finish();
        let shares = Shares {
            accepted: outcome.metrics[ACCEPT_RATE].unwrap_or(0.0),
            feasible,
            relaxed: relaxed.filter(|_| setup.queue == Queue::None),
        };
        all.push((cell, shares));
    }
    Ok(all)
}

/// Whether any of the policies has no queue: the relaxation holds only for policies without one.
fn without_queue(scenario: &Scenario) -> bool {
    let mut policies = scenario.policies().iter();
    policies.any(|policy| policy.queue == Queue::None)
}
