//! Explains why one job of one run was rejected or waits, what slows it, the decision of a
//! scheduling pass, and a pass step by step.

use std::io::Write;

use anyhow::{Result, bail, ensure};
use backfill_experiment::files::logs::job_number;
use backfill_experiment::inspect::pass::{Nearest, Passes};
use backfill_experiment::inspect::playback::slowed_over;
use backfill_experiment::inspect::{decision, explain};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{self, Cell};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs};
use backfill_sim::run::{Keep, Run};
use backfill_sim::setup::Setup;
use backfill_sim::unit::{MICROS, Time, round};

use crate::scenario::{ScenarioArguments, trace_of};

/// Jobs with the same number that are listed.
const LISTED: usize = 5;

/// Which job of which run.
#[derive(clap::Args)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// Which run, where the scenario has several: its position from 0, or its policy, its value
    /// on each axis and its replication, as `easy+adaba,0.7,0`
    #[arg(long, value_name = "N|POLICY[,X[,Y]],REP")]
    cell: Option<String>,

    /// The job's number in the input, also as 12_1 or 12+1, and 7#2 for the second job with that
    /// number; generated jobs are numbered from 1. Without it, what the last scheduling pass up to
    /// --at decided
    #[arg(long, value_name = "NUMBER[#N]", required_unless_present_any = ["at", "pass"], value_parser = JobName::parse)]
    job: Option<JobName>,

    /// The instant to explain, in seconds of simulated time [default: when the job arrives]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    at: Option<Time>,

    /// Tell the scheduling pass at this instant step by step, or the last one before it, in seconds
    /// of simulated time
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["job", "at"], value_parser = seconds)]
    pass: Option<Time>,

    /// Print every fact as JSON instead of sentences
    #[arg(long)]
    json: bool,
}

/// A job as the user names it.
#[derive(Clone)]
struct JobName {
    text: String,
    number: u64,
    /// Which of several jobs with that number, from 1.
    position: Option<usize>,
}

impl JobName {
    fn parse(text: &str) -> Result<JobName, String> {
        let (name, position) = match text.split_once('#') {
            Some((name, position)) => (name, Some(position.parse().ok().filter(|&at| at > 0))),
            None => (text, None),
        };
        match (job_number(name), position) {
            (Some(number), None | Some(Some(_))) => Ok(JobName {
                text: text.to_owned(),
                number,
                position: position.flatten(),
            }),
            _ => Err("it must be a number such as 7, 12_1 or 12+1, or 7#2 for the second of several jobs 7".to_owned()),
        }
    }

    /// The job among those of a run.
    fn find(&self, jobs: &Jobs) -> Result<JobId> {
        let JobName { text, number, .. } = self;
        let found: Vec<(JobId, &Job)> = jobs
            .iter_enumerated()
            .filter(|(_, job)| job.number == *number)
            .collect();
        match (&found[..], self.position) {
            ([], _) => {
                let numbers = jobs.iter().map(|job| job.number);
                let (first, last) = (numbers.clone().min(), numbers.max());
                let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
                bail!("--job {text}: this run has no such job; its jobs are {first} to {last}")
            }
            ([(job, _)], None) => Ok(*job),
            (several, Some(position)) => match several.get(position - 1) {
                Some((job, _)) => Ok(*job),
                None => bail!(
                    "--job {text}: only {} of the jobs have the number {number}",
                    several.len()
                ),
            },
            (several, None) => {
                let named = several.iter().enumerate().take(LISTED);
                let named: Vec<String> = named
                    .map(|(at, (_, job))| {
                        format!(
                            "{number}#{} submitted at {} s",
                            at + 1,
                            job.submit.seconds()
                        )
                    })
                    .collect();
                let more = if several.len() > LISTED { ", …" } else { "" };
                bail!(
                    "--job {text}: {} jobs have this number, {}{more}: say which",
                    several.len(),
                    named.join(", ")
                )
            }
        }
    }
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
    let (scenario, log, topology) = arguments.scenario.read_with_topology()?;
    let cell = cell(&scenario, arguments.cell.as_deref())?;
    let trace = trace_of(&scenario, log)?;
    let (mut setup, jobs) = sweep::parts(&scenario, cell, trace.as_ref())?;
    if let Some(topology) = topology {
        setup.system.call_parts_as(topology.shape.into());
    }
    if let Some(at) = arguments.pass {
        return tell_pass(&setup, jobs, at, arguments.json, out);
    }
    let Some(wanted) = &arguments.job else {
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
    let job = wanted.find(&jobs)?;
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

/// Tells the last pass up to an instant.
fn tell_pass(setup: &Setup, jobs: Jobs, at: Time, json: bool, out: &mut impl Write) -> Result<()> {
    let mut passes = Passes::new(setup, jobs);
    let position = passes.nearest(at, Nearest::UpTo);
    let Some(pass) = position.and_then(|position| passes.pass(position)) else {
        let first = passes.counts().first();
        let first = first.map_or(Time::default(), |pass| pass.time);
        bail!("--pass: no scheduling pass is up to {at}; the first one is at {first}")
    };
    let told = passes.teller().told(pass, &|time| time.to_string());
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?
    } else {
        writeln!(out, "{told}")?
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

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_experiment::files::logs::{Options, TraceReader};
    use backfill_sim::workload::Format;

    /// The jobs of a log whose numbers are used again.
    fn jobs() -> Jobs {
        let line = |number: u64, submit: u64| {
            format!("{number} {submit} 0 60 1 -1 -1 1 90 -1 1 1 1 1 1 1 -1 -1\n")
        };
        let log = [line(7, 0), line(8, 5), line(7, 90)].concat();
        let mut reader = TraceReader::new(Format::Swf, Options::named("log.swf"));
        reader.push(log.as_bytes()).unwrap();
        let trace = reader.finish().unwrap();
        let pairs = [("workload", "swf"), ("load", "as-logged"), ("x", "none")];
        let scenario = Scenario::parse(pairs).unwrap();
        let cell = sweep::cells(&scenario)[0];
        sweep::parts(&scenario, cell, Some(&trace)).unwrap().1
    }

    #[test]
    fn a_number_that_several_jobs_have_takes_a_position() {
        let jobs = jobs();
        let find = |text: &str| {
            let found = JobName::parse(text).unwrap().find(&jobs);
            found.map_err(|error| error.to_string())
        };
        assert_eq!(find("8"), Ok(JobId(1)));
        assert_eq!(find("8#1"), Ok(JobId(1)));
        assert_eq!(find("7#2"), Ok(JobId(2)));
        assert_eq!(
            find("7").unwrap_err(),
            "--job 7: 2 jobs have this number, 7#1 submitted at 0 s, 7#2 submitted at 90 s: say which"
        );
        assert_eq!(
            find("7#3").unwrap_err(),
            "--job 7#3: only 2 of the jobs have the number 7"
        );
        assert_eq!(
            find("12_1").unwrap_err(),
            "--job 12_1: this run has no such job; its jobs are 7 to 8"
        );
        for text in ["7#0", "7#", "x", "7#x"] {
            assert!(JobName::parse(text).is_err(), "{text}");
        }
    }
}
