//! A folder of parts of a scenario.
//!
//! Each part is a file that is written completely or not at all and never changed. So any number of
//! programs, on any number of machines, can make parts in one folder, and one that is stopped loses
//! only the parts that it is making.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use backfill_experiment::study::part::{self, Origin, Parts, StoredPart};
use backfill_experiment::study::sweep::CellOutcome;

use crate::interrupt;
use crate::output::Outputs;
use crate::simulation::{Simulation, Work};

/// The most parts into which a scenario is cut by default.
const MOST: usize = 1000;

/// A folder of parts.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A folder, which is created if it is missing.
    pub(crate) fn new(path: &Path) -> Result<Folder> {
        fs::create_dir_all(path)
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        Ok(Folder(path.to_owned()))
    }

    /// An existing folder.
    pub(crate) fn of(path: &Path) -> Folder {
        Folder(path.to_owned())
    }

    /// Its name for messages.
    pub(crate) fn name(&self) -> String {
        self.0.display().to_string()
    }

    /// The parts in it, valid or not, by their total and numbers.
    pub(crate) fn parts(&self) -> Result<Vec<(u32, u32)>> {
        let cannot = || format!("cannot read the folder {}", self.name());
        let mut parts = Vec::new();
        for entry in fs::read_dir(&self.0).with_context(cannot)? {
            let name = entry.with_context(cannot)?.file_name();
            let part = name.to_str().and_then(part::of_file_name);
            parts.extend(part.map(|(part, of)| (of, part)));
        }
        parts.sort_unstable();
        Ok(parts)
    }

    /// All parts of a scenario of `runs` runs: cut like the parts in the folder, otherwise as fine
    /// as possible.
    pub(crate) fn all_parts(&self, runs: usize) -> Result<Parts> {
        let cuts = self.parts()?;
        let cuts = cuts.chunk_by(|a, b| a.0 == b.0);
        let most = cuts.max_by_key(|cut| cut.len());
        Ok(Parts::all(
            most.map_or(runs.min(MOST) as u32, |cut| cut[0].0),
        ))
    }

    /// The missing ones of `of` parts.
    pub(crate) fn missing(&self, of: u32) -> Result<Parts> {
        let there = self.parts()?;
        Ok(Parts::all(of).without(|part| there.contains(&(of, part))))
    }

    /// The path of a part.
    pub(crate) fn path(&self, part: u32, of: u32) -> PathBuf {
        self.0.join(part::file_name(part, of))
    }

    /// Makes the missing ones of `parts`. Returns how many it made, and what that took.
    ///
    /// # Errors
    /// The folder has a part of another scenario, a part cannot be made or written, or the user
    /// interrupted it: the message says how to continue.
    pub(crate) fn make(
        &self,
        simulation: &Simulation<'_>,
        parts: &Parts,
        workers: Option<NonZero<usize>>,
    ) -> Result<(usize, Work)> {
        let Simulation {
            scenario, trace, ..
        } = *simulation;
        let origin = Origin::new(scenario, trace);
        let of = parts.of();
        let mut all = part::cut(scenario, simulation.costs, of);
        let mut cells = Vec::new();
        let mut makers: BTreeMap<u32, Maker> = BTreeMap::new();
        let mut part_of = BTreeMap::new();
        for number in parts.numbers() {
            if self.has(number, of, &origin)? {
                continue;
            }
            let mine = std::mem::take(&mut all[number as usize - 1]);
            part_of.extend(mine.iter().map(|cell| (cell.index, number)));
            makers.insert(
                number,
                Maker {
                    left: mine.len(),
                    outcomes: Vec::with_capacity(mine.len()),
                },
            );
            cells.extend(mine);
        }
        let made = makers.len();
        for (&number, _) in makers.iter().filter(|(_, maker)| maker.left == 0) {
            self.write(&origin, number, of, &[])?;
        }
        interrupt::watch()?;
        let work = simulation.simulate(&cells, workers, |finished| {
            let number = part_of[&finished.outcome.cell.index];
            let maker = makers.get_mut(&number).expect("a part that is made");
            maker.outcomes.push(finished.outcome);
            maker.left -= 1;
            if maker.left > 0 {
                return Ok(());
            }
            let mut outcomes = std::mem::take(&mut maker.outcomes);
            outcomes.sort_by_key(|outcome| outcome.cell.index);
            self.write(&origin, number, of, &outcomes)
        });
        Ok((made, self.unless_interrupted(of, work)?))
    }

    /// The result of making some of `of` parts; if the user interrupted it, how to continue.
    pub(crate) fn unless_interrupted<T>(&self, of: u32, made: Result<T>) -> Result<T> {
        if made.is_err() && interrupt::happened() {
            let there = self.parts()?.iter().filter(|part| part.0 == of).count();
            bail!(
                "interrupted: {there} of {of} parts are in {}; run the same command again to go on",
                self.name()
            );
        }
        made
    }

    /// Whether a part exists and is valid. A damaged one is made again.
    fn has(&self, number: u32, of: u32, origin: &Origin) -> Result<bool> {
        let found = self.valid(number, of)?;
        for part in &found {
            if let Some(difference) = origin.differs(&part.origin) {
                bail!(
                    "{} {difference} than this one: name another folder by --out, or remove it",
                    self.path(number, of).display()
                );
            }
        }
        Ok(!found.is_empty())
    }

    /// The parts in a file: of one scenario, or of several; empty if it is missing or damaged.
    pub(crate) fn valid(&self, number: u32, of: u32) -> Result<Vec<StoredPart>> {
        let path = self.path(number, of);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        let mut parts = part::read_all(&text).unwrap_or_default();
        parts.retain(|part| (part.part, part.of) == (number, of));
        Ok(parts)
    }

    /// Reads the parts in an existing file.
    pub(crate) fn read(&self, number: u32, of: u32) -> Result<Vec<StoredPart>> {
        let path = self.path(number, of);
        let name = path.display();
        let text = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
        let parts = part::read_all(&text)
            .map_err(|why| anyhow!("{name} {why}: remove it and make that part again"))?;
        for part in &parts {
            ensure!(
                (part.part, part.of) == (number, of),
                "{name} holds part {} of {}: give it back its name, {}",
                part.part,
                part.of,
                part::file_name(part.part, part.of)
            );
        }
        Ok(parts)
    }

    fn write(&self, origin: &Origin, part: u32, of: u32, outcomes: &[CellOutcome]) -> Result<()> {
        self.write_text(part, of, &part::write(origin, part, of, outcomes))
    }

    /// Writes the file of a part, completely or not at all.
    pub(crate) fn write_text(&self, part: u32, of: u32, text: &str) -> Result<()> {
        let mut outputs = Outputs::default();
        outputs.add(&self.path(part, of), text.as_bytes())?;
        outputs.finish()
    }
}

/// A part being made.
struct Maker {
    /// The number of its cells that are still to be run.
    left: usize,
    outcomes: Vec<CellOutcome>,
}
