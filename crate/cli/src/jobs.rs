//! The jobs of a run as files.

use std::path::PathBuf;

use anyhow::{Context, Result};
use backfill_experiment::files::batsim::BatsimTables;
use backfill_experiment::files::report;
use backfill_experiment::inspect::playback::Playback;
use backfill_sim::run::Replay;
use backfill_sim::setup::Setup;

use crate::columns;
use crate::output::Outputs;

/// A file for the jobs of a run. The end of its name gives its format.
#[derive(Clone)]
pub(crate) enum JobsFile {
    /// A table.
    Csv(PathBuf),
    /// A log.
    Swf(PathBuf),
    /// The same table as Parquet.
    Parquet(PathBuf),
    /// Batsim's table of jobs, and its table of one line for the run.
    Batsim([PathBuf; 2]),
}

impl JobsFile {
    /// The file of that name.
    pub(crate) fn named(name: &str) -> Result<JobsFile, String> {
        let path = PathBuf::from(name);
        if let Some(name) = name.strip_suffix(".batsim.csv") {
            let schedule = PathBuf::from(format!("{name}.schedule.csv"));
            Ok(JobsFile::Batsim([path, schedule]))
        } else if name.ends_with(".csv") {
            Ok(JobsFile::Csv(path))
        } else if name.ends_with(".swf") {
            Ok(JobsFile::Swf(path))
        } else if name.ends_with(".parquet") {
            Ok(JobsFile::Parquet(path))
        } else {
            Err("its name must end in .csv, .parquet, .batsim.csv or .swf".to_owned())
        }
    }

    /// Every path that is written.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        match self {
            JobsFile::Csv(path) | JobsFile::Swf(path) | JobsFile::Parquet(path) => {
                std::slice::from_ref(path)
            }
            JobsFile::Batsim(paths) => paths,
        }
    }

    /// Writes the jobs of a run with this setup, which kept its allocations.
    pub(crate) fn write(&self, setup: &Setup, run: Replay, outputs: &mut Outputs) -> Result<()> {
        match self {
            JobsFile::Csv(path) => outputs.add(path, report::jobs_csv(&run).as_bytes()),
            JobsFile::Swf(path) => {
                let slots = setup.system.capacity().slots;
                outputs.add(path, report::jobs_swf(&run, slots).as_bytes())
            }
            JobsFile::Parquet(path) => outputs.add(path, &columns::jobs(&run)?),
            JobsFile::Batsim([jobs, schedule]) => {
                let run = Playback::new(run, setup).context("the run kept no allocations")?;
                let tables = BatsimTables::of(&run);
                outputs.add(jobs, tables.jobs.as_bytes())?;
                outputs.add(schedule, tables.schedule.as_bytes())
            }
        }
    }
}
