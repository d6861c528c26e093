//! What moves on a first visit: twenty jobs on sixteen servers under FCFS and under EASY.

use anyhow::{Context, Result, anyhow};
use backfill_experiment::inspect::pass::{Passes, Step};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::scenario::link::{self, Extras};
use backfill_experiment::study::sweep::{CellRun, cells, parts};
use backfill_sim::id::{Id, JobId};
use backfill_sim::run::Keep;
use backfill_sim::unit::Time;
use serde_json::{Value, json};

/// Few enough to be followed by eye; under each policy some of them wait.
const PAIRS: [(&str, &str); 8] = [
    ("k", "4"),
    ("slots", "2"),
    ("jobs", "20"),
    ("size", "uniform:1:16"),
    ("load", "2"),
    ("seed", "2"),
    ("policy", "fcfs,easy"),
    ("x", "none"),
];

/// The runs as JSON: the slots of a server; by policy its name and its jobs, each with its slots,
/// its submit, start and end in seconds, what it holds as (server, slots), and the shares that it
/// reserves of the links of servers as (server, percent); and the link to the first job that EASY
/// backfills, step by step.
pub(crate) fn runs() -> Result<String> {
    let pairs = PAIRS.into_iter().chain([("reps", "1")]);
    let scenario = &Scenario::parse(pairs).map_err(|problems| anyhow!("{problems:?}"))?;
    let policies: Vec<Value> = cells(scenario)
        .into_iter()
        .map(|cell| {
            let (_, replay) = CellRun::new(scenario, cell, None, Keep::Allocations)?.finish();
            let servers = replay.layers.first().context("links of servers")?.clone();
            let first = replay.jobs[JobId(0)].submit;
            let seconds = |time: Time| (time - first).seconds().round();
            let allocations = replay.record.allocations.context("they are kept")?;
            let jobs = allocations.all().iter().map(|allocation| {
                let job = &replay.jobs[allocation.job];
                let reserved = allocation.held.reservations();
                let reserved = reserved.filter_map(|(link, bandwidth)| {
                    let position = servers.clone().position(|at| at == link.index())?;
                    let share = bandwidth.0 * 100 / replay.links[link.index()].0;
                    Some((position, share))
                });
                json!([
                    job.size,
                    seconds(job.submit),
                    seconds(allocation.start),
                    seconds(allocation.end),
                    allocation.shares().collect::<Vec<_>>(),
                    reserved.collect::<Vec<_>>(),
                ])
            });
            Ok(json!({
                "name": scenario.policies()[cell.policy].queue.choice().label,
                "jobs": jobs.collect::<Vec<_>>(),
            }))
        })
        .collect::<Result<_>>()?;
    let steps = link::write(
        scenario,
        &Extras {
            view: Some(format!("run:1+0+0+0,step:{}", first_backfilled(scenario)?)),
            ..Extras::default()
        },
    )?;
    let slots: u32 = scenario.get("slots").parse().context("slots of a server")?;
    Ok(json!({ "slots": slots, "policies": policies, "steps": steps }).to_string())
}

/// The first pass under the second policy in which a job starts ahead of one with a reservation.
fn first_backfilled(scenario: &Scenario) -> Result<usize> {
    let cell = *cells(scenario).get(1).context("two policies")?;
    let (setup, jobs) = parts(scenario, cell, None)?;
    let mut passes = Passes::new(&setup, jobs);
    let mut position = 0;
    loop {
        let pass = passes.pass(position).context("a job is backfilled")?;
        let compared = pass
            .steps
            .iter()
            .position(|step| matches!(step, Step::Compared { .. }));
        let is_start = |step: &Step| matches!(step, Step::Started { .. });
        if compared.is_some_and(|compared| pass.steps[compared..].iter().any(is_start)) {
            return Ok(position);
        }
        position += 1;
    }
}
