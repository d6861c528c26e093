//! Reads a log (SWF or what Slurm, PBS, Grid Engine and LSF write; plain or gzip), says what was
//! read, and compares FCFS with EASY on its machine. Without an argument it reads three lines.
//!
//! `cargo run --package backfill-experiment --example log [LOG]`

#![expect(clippy::print_stdout, reason = "an example prints its table")]

use std::error::Error;

use backfill_experiment::files::logs::questions::about;
use backfill_experiment::files::logs::{Options, TraceReader};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{CellRun, cells};
use backfill_sim::metrics::position;
use backfill_sim::run::Keep;
use backfill_sim::workload::Format;

/// Jobs of 6, 8 and 4 processors on a machine of 10.
const LOG: &[u8] = b"\
; MaxProcs: 10
1  0 0 600 6 -1 -1 6 900 -1 1 1 1 1 1 1 -1 -1
2 10 0 300 8 -1 -1 8 300 -1 1 2 1 1 1 1 -1 -1
3 20 0 500 4 -1 -1 4 600 -1 1 3 1 1 1 1 -1 -1
";

fn main() -> Result<(), Box<dyn Error>> {
    let (name, bytes) = match std::env::args().nth(1) {
        Some(path) => (path.clone(), std::fs::read(path)?),
        None => ("three jobs".to_owned(), LOG.to_vec()),
    };
    let mut reader = TraceReader::new(Format::of_name(&name), Options::named(&name));
    reader.push(&bytes)?;
    let trace = reader.finish()?;
    let report = &trace.report;
    println!(
        "{} lines of jobs, {} jobs",
        report.job_lines(),
        trace.rows.len()
    );
    for finding in &report.findings {
        println!("  {} × {}", finding.count, finding.text);
    }

    let scenario = Scenario::parse([
        ("workload", "swf"),
        ("system", "nodes"),
        ("machine", "log"),
        ("load", "as-logged"),
        ("policy", "fcfs+index,easy+index"),
        ("x", "none"),
    ])
    .map_err(|problems| problems[0].to_string())?;
    println!("{}", about(&trace, &scenario));
    let wait = position("wait_mean").expect("a metric");
    for cell in cells(&scenario) {
        let run = CellRun::new(&scenario, cell, Some(&trace), Keep::Metrics)?;
        let outcome = run.finish().0;
        let policy = scenario.policies()[cell.policy].label();
        let mean = outcome.metrics[wait].map_or("none".to_owned(), |mean| format!("{mean:.0} s"));
        println!("{policy}: mean wait {mean}, digest {}", outcome.digest);
    }
    Ok(())
}
