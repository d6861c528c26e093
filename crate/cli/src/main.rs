//! The command line of Backfill: the simulator for work that is too large for a browser's tab.
//!
//! Exit codes: 0 done, 1 could not run (one line on stderr says what, where and what to do), 2
//! wrong usage.
//!
//! - Commands: `run`, `merge`, `bound`, `explain`, `forecast`, `figure`, `study`, `trace`, `keys`, `link`
//! - `short_link`: the short form of a link
//! - `scenario`, `logs`: the scenario of a command's arguments; the logs of figures
//! - `simulation`, `parts`, `workers`, `interrupt`, `memory`: many cells on several processors, in
//!   parts, with a check of the memory, until the user stops them
//! - `result`, `table`, `chart`, `jobs`, `columns`, `output`: results as tables, charts, and files
//!   that are written completely or not at all
//! - `solve`: multipliers for `bound`; `calibration`: forecasts beside what came

mod bound;
mod calibration;
mod chart;
mod columns;
mod explain;
mod figure;
mod forecast;
mod interrupt;
mod jobs;
mod keys;
mod link;
mod logs;
mod memory;
mod merge;
mod output;
mod parquet_log;
mod parts;
mod result;
mod run;
mod scenario;
mod short_link;
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
    /// Forecast when a job would start, as a distribution
    Forecast(forecast::ForecastArguments),
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
        Command::Forecast(arguments) => forecast::forecast(arguments, &mut out),
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
            // If stderr is closed, there is no way to report that.
            let _ = writeln!(io::stderr(), "backfill: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of our output closed it, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}
