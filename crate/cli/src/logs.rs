//! The published logs of figures, if they are in a folder.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use backfill_experiment::files::logs::Options;
use backfill_papers::Log;
use backfill_papers::sweep::ARCHIVE;
use backfill_sim::workload::{Format, Trace};

use crate::trace;

/// Logs that are searched in a folder, and read when first needed.
pub(crate) struct Logs {
    folder: Option<PathBuf>,
    read: Vec<(&'static Log, Option<Found>)>,
}

/// A log in the folder.
struct Found {
    path: PathBuf,
    trace: Trace,
}

impl Logs {
    /// The logs in a folder; by default in the folder that `BACKFILL_TRACES` names.
    pub(crate) fn new(folder: Option<&Path>) -> Logs {
        let folder = folder.map(Path::to_owned);
        Logs {
            folder: folder.or_else(|| env::var_os("BACKFILL_TRACES").map(PathBuf::from)),
            read: Vec::new(),
        }
    }

    /// The trace of a log, if it was found; it must be the one that the figures are made from.
    pub(crate) fn trace(&mut self, log: Option<&'static Log>) -> Result<Option<&Trace>> {
        let Some(log) = log else { return Ok(None) };
        if !self.read.iter().any(|(other, _)| other.file == log.file) {
            let found = self.find(log)?;
            if found.is_none() {
                let Log { title, file, .. } = log;
                writeln!(
                    io::stderr(),
                    "{title}: no log found, generated jobs are used instead; get {file} from \
                     {ARCHIVE} and name its folder by --trace-dir"
                )?;
            }
            self.read.push((log, found));
        }
        let mut read = self.read.iter();
        let found = read.find(|(other, _)| other.file == log.file);
        Ok(found.and_then(|(_, found)| found.as_ref().map(|found| &found.trace)))
    }

    /// The files of the logs that were read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let found = self.read.iter().filter_map(|(_, found)| found.as_ref());
        found.map(|found| found.path.as_path())
    }

    fn find(&self, log: &Log) -> Result<Option<Found>> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let plain = log.file.strip_suffix(".gz").unwrap_or(log.file);
        let paths = [log.file, plain].map(|name| folder.join(name));
        let Some(path) = paths.into_iter().find(|path| path.is_file()) else {
            return Ok(None);
        };
        let options = Options::named(log.file);
        let trace = trace::read(&path, Format::Swf, options)?;
        ensure!(
            trace.sha256 == log.sha256,
            "{} is not the published log: its SHA-256 is {}, not {}; download it again from {ARCHIVE}",
            path.display(),
            trace.sha256,
            log.sha256
        );
        Ok(Some(Found { path, trace }))
    }
}
