//! Explains why one job of one run was rejected or waits, what slows it, and the decision of a
//! scheduling pass.

use std::io::Write;

use anyhow::{Result, anyhow, bail, ensure};
use backfill_experiment::inspect::playback::slowed_over;
use backfill_experiment::inspect::{decision, explain};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{self, Cell};
use backfill_sim::run::{Keep, Run};
use backfill_sim::unit::{MICROS, Time, round};

use crate::scenario::{ScenarioArguments, trace_of};

/// Which job of which run.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// Which run, where the scenario has several: its position from 0, or its policy, its value
    /// on each axis and its replication, as `easy+adaba,0.7,0`
    #[arg(long, value_name = "N|POLICY[,X[,Y]],REP")]
    cell: Option<String>,

    /// The job's number in the input; generated jobs are numbered from 1. Without it, what the last
    /// scheduling pass up to --at decided
    #[arg(long, value_name = "NUMBER", required_unless_present = "at")]
    job: Option<u64>,

    /// The instant to explain, in seconds of simulated time [default: when the job arrives]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    at: Option<Time>,

    /// Print every fact as JSON instead of sentences
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Time, String> {
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..1e12).contains(seconds));
    seconds
        .map(|seconds| Time(round(seconds * MICROS as f64)))
        .ok_or_else(|| "it must be a number from 0 on".to_owned())
}

/// `backfill explain`.
pub(crate) fn explain(arguments: &ExplainArguments, out: &mut impl Write) -> Result<()> {
    let (scenario, log) = arguments.scenario.read()?;
    let cell = cell(&scenario, arguments.cell.as_deref())?;
    let trace = trace_of(&scenario, log)?;
    let (setup, jobs) = sweep::parts(&scenario, cell, trace.as_ref())?;
    let Some(wanted) = arguments.job else {
        if let Some(why) = decision::why_not_shown(&setup) {
            bail!(why);
        }
        let run = Run::new(&setup, jobs, Keep::Allocations).finish().replay;
        let at = arguments.at.expect("one of the two is given");
        let decision = decision::decision(&run, &setup, at);
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&decision)?)?
        } else {
            writeln!(out, "{}", decision.to_string().trim_end())?
        }
        return Ok(());
    };
    let job = jobs.iter_enumerated().find(|job| job.1.number == wanted);
    let (job, _) = job.ok_or_else(|| {
        let numbers = jobs.iter().map(|job| job.number);
        let (first, last) = (numbers.clone().min(), numbers.max());
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        anyhow!("--job {wanted}: this run has no such job; its jobs are {first} to {last}")
    })?;
    if let Some(why) = explain::unexplained(&setup) {
        bail!(why);
    }
    let mut explanation = explain::explain(&setup, jobs.clone(), job, arguments.at);
    let slowed = slowed_over(&setup, jobs, job);
    explanation.statements.extend(slowed);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&explanation)?)?
    } else {
        writeln!(out, "{explanation}")?
    }
    Ok(())
}

/// The cell that the arguments name.
fn cell(scenario: &Scenario, wanted: Option<&str>) -> Result<Cell> {
    let cells = sweep::cells(scenario);
    let Some(wanted) = wanted else {
        ensure!(
            cells.len() == 1,
            "this scenario has {} runs: say which with --cell, as --cell {}, or give one policy, \
             x=none and reps=1",
            cells.len(),
            name(scenario, cells[0])
        );
        return Ok(cells[0]);
    };
    let position: Option<usize> = wanted.parse().ok();
    let found = match position {
        Some(position) => cells.get(position),
        None => cells.iter().find(|cell| name(scenario, **cell) == wanted),
    };
    match found {
        Some(&cell) => Ok(cell),
        None => bail!(
            "--cell {wanted}: this scenario has no such run; its runs are {} to {}, or 0 to {}",
            name(scenario, cells[0]),
            name(scenario, cells[cells.len() - 1]),
            cells.len() - 1
        ),
    }
}

/// The name of a run: policy, value on each axis, replication.
fn name(scenario: &Scenario, cell: Cell) -> String {
    let mut name = scenario.policies()[cell.policy].to_string();
    let places = [(scenario.x(), cell.x), (scenario.y(), cell.y)];
    for (axis, place) in places {
        if let Some(axis) = axis {
            name.push_str(&format!(",{}", axis.values[place]));
        }
    }
    format!("{name},{}", cell.replication)
}
