//! Runs every cell of a scenario, or those of some of its parts, and writes the result.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use backfill_experiment::files::logs::questions::about;
use backfill_experiment::study::oversize;
use backfill_experiment::study::part::Parts;
use backfill_experiment::study::stored::TraceName;
use backfill_experiment::study::sweep::{self, Results};
use backfill_sim::run::Keep;

use crate::jobs::JobsFile;
use crate::merge;
use crate::parts::Folder;
use crate::result::ResultArguments;
use crate::scenario::{ScenarioArguments, is_log, trace_of, trace_path};
use crate::simulation::{Simulation, costs};

/// What to run and which files to write.
#[derive(clap::Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// Write every job of a single run: as a table (.csv, .parquet), as a log (.swf), or as Batsim does
    /// (.batsim.csv, with its table of one line for the run beside it as .schedule.csv)
    #[arg(long, value_name = "FILE", value_parser = JobsFile::named, conflicts_with = "out")]
    jobs_out: Option<JobsFile>,

    #[command(flatten)]
    result: ResultArguments,

    /// Write finished runs into a folder as parts of the scenario; those that are there are not run
    /// again, so that the same command goes on where it was stopped
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Make these parts alone, as 3/40 or 3,7-9/40; `backfill merge FOLDER` puts them together
    #[arg(
        long, value_name = "PARTS/N", requires = "out",
        conflicts_with_all = ["json", "csv", "parquet", "svg"]
    )]
    part: Option<Parts>,

    /// How many runs are simulated at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,

    /// Print how many jobs were simulated in how much time
    #[arg(long)]
    time: bool,
}

/// `backfill run`.
pub(crate) fn run(arguments: &RunArguments, out: &mut impl Write) -> Result<()> {
    let (scenario, log) = arguments.scenario.read()?;
    let mut cells = sweep::cells(&scenario);
    ensure!(
        arguments.jobs_out.is_none() || cells.len() == 1,
        "--jobs-out is for a single run and this scenario has {}: \
         give one policy, x=none and reps=1",
        cells.len()
    );
    let inputs: Vec<&Path> = [arguments.scenario.path(), trace_path(&scenario)]
        .into_iter()
        .flatten()
        .collect();
    let jobs_out = arguments.jobs_out.iter().flat_map(JobsFile::paths);
    let mut outputs = arguments.result.outputs(jobs_out, &inputs)?;
    let trace = trace_of(&scenario, log)?;
    if arguments.scenario.path().is_some_and(is_log)
        && let Some(trace) = &trace
    {
        writeln!(io::stderr(), "{}", about(trace, &scenario))?;
    }
    if let Some(warning) = oversize::warning(&scenario, trace.as_ref()) {
        writeln!(io::stderr(), "{warning}")?;
    }
    let costs = costs(&scenario, trace.as_ref())?;
    let simulation = Simulation {
        scenario: &scenario,
        trace: trace.as_ref(),
        costs: &costs,
        keep: match arguments.jobs_out {
            Some(_) => Keep::Allocations,
            None => Keep::Metrics,
        },
        about: match cells.len() {
            1 => "of 1 run".to_owned(),
            runs => format!("of {runs} runs"),
        },
    };

    if let Some(folder) = &arguments.out {
        let folder = Folder::new(folder)?;
        let parts = match &arguments.part {
            Some(parts) => parts.clone(),
            None => folder.all_parts(cells.len())?,
        };
        let (made, work) = folder.make(&simulation, &parts, arguments.workers)?;
        if arguments.time {
            work.print()?;
        }
        if arguments.part.is_none() {
            return merge::result(&folder, &arguments.result, outputs, out);
        }
        let there = parts.count() - made;
        let place = folder.name();
        writeln!(
            out,
            "{parts} in {place}: {made} computed, {there} already present"
        )?;
        return Ok(());
    }

    costs.long_first(&mut cells);
    let mut results = Results::new(&scenario);
    let mut replay = None;
    let work = simulation.simulate(&cells, arguments.workers, |finished| {
        results.add(finished.outcome);
        replay = finished.replay;
        Ok(())
    })?;
    if let (Some(file), Some(replay)) = (&arguments.jobs_out, replay) {
        let setup = scenario.setup(Some(0), Some(0), 0);
        file.write(&setup.fitted(trace.as_ref()), replay, &mut outputs)?;
    }
    let trace = trace.as_ref().map(TraceName::from);
    arguments
        .result
        .write(&scenario, &results, trace, outputs, out)?;
    if arguments.time {
        work.print()?;
    }
    Ok(())
}
