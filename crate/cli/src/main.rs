//! The command line of Backfill: the simulator for what is too big for a browser's tab.
//!
//! Exit codes: 0 done, 1 could not run (one line on stderr says what, where and what to do), 2
//! wrong usage.
//!
//! - `scenario`: the scenario that a command's arguments describe
//! - `keys`: the table of keys
//! - `link`: from a scenario to its link and back
//! - `trace`: logs and job lists
//! - `run`: every run of a scenario, or some of them
//! - `merge`: the parts of a scenario put together
//! - `bound`: how many jobs any policy could have accepted
//! - `explain`: why a job was refused or waits
//! - `solve`: multipliers for that
//! - `figure`: published figures and their claims
//! - `logs`: the logs that figures are drawn from
//! - `study`: folders that run a scenario or figures on a cluster
//! - `simulation`: many cells on several processors
//! - `parts`: a folder of parts of a scenario
//! - `result`: a result's table and files
//! - `jobs`: the jobs of a run as files
//! - `columns`: tables as Parquet
//! - `table`: a result as a table
//! - `chart`: a result as charts
//! - `workers`: work on several processors
//! - `interrupt`: a user who asks the program to end
//! - `memory`: whether there is memory enough
//! - `output`: files that appear whole or not at all

mod bound;
mod chart;
mod columns;
mod explain;
mod figure;
mod interrupt;
mod jobs;
mod keys;
mod link;
mod logs;
mod memory;
mod merge;
mod output;
mod parts;
mod result;
mod run;
mod scenario;
mod simulation;
mod solve;
mod study;
mod table;
mod trace;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulates the scheduling of parallel jobs under bandwidth guarantees.
#[derive(Parser)]
#[command(name = "backfill", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate every run of a scenario and print its metrics
    Run(run::RunArguments),
    /// Put the parts of a scenario together
    Merge(merge::MergeArguments),
    /// Write a folder that runs a scenario or figures in parts on Slurm
    Slurm(study::SlurmArguments),
    /// Write a folder that runs a scenario or figures in parts by HyperQueue
    Hq(study::StudyArguments),
    /// Show accept rates beside an upper bound for any policy
    Bound(bound::BoundArguments),
    /// Reproduce a published figure and judge its claims
    Figure(figure::FigureArguments),
    /// Explain why a job was rejected, or why it waits
    Explain(explain::ExplainArguments),
    /// List the keys of a scenario: default, values, meaning and source of each
    Keys,
    /// Print the link of a scenario
    Link(scenario::ScenarioArguments),
    /// Print the scenario of a link as TOML
    Open(link::OpenArguments),
    /// Look at logs and job lists
    #[command(subcommand)]
    Trace(trace::TraceCommand),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    let done = match &arguments.command {
        Command::Run(arguments) => run::run(arguments, &mut out),
        Command::Merge(arguments) => merge::merge(arguments, &mut out),
        Command::Slurm(arguments) => study::slurm(arguments, &mut out),
        Command::Hq(arguments) => study::hq(arguments, &mut out),
        Command::Bound(arguments) => bound::bound(arguments, &mut out),
        Command::Figure(arguments) => figure::figure(arguments, &mut out),
        Command::Explain(arguments) => explain::explain(arguments, &mut out),
        Command::Keys => keys::keys(&mut out),
        Command::Link(arguments) => link::link(arguments, &mut out),
        Command::Open(arguments) => link::open(arguments, &mut out),
        Command::Trace(command) => trace::trace(command, &mut out),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let sentence = format!("{error:#}").replace('\n', "; ");
            // Nowhere is left to say that stderr is gone.
            let _ = writeln!(io::stderr(), "backfill: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of our output went away, as `head` does once it has enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
