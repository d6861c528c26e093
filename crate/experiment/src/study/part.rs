//! Parts of a scenario: some of its runs, simulated anywhere, written to files, and merged.
//!
//! Part I of N is a set of cells. The parts are a partition of all cells and cost about the same
//! ([`Costs`]). The cells of a part follow from the scenario and its log alone, so that machines
//! agree without communication. If there are more parts than cells, some are empty.
//!
//! A written part is a text of lines, each a JSON object: a header that identifies it, the outcome
//! of each cell, and the SHA-256 of all lines before. It names no path, machine or time, so that
//! two writers of one part write the same bytes.
//!
//! [`Merge`] merges parts in any order. Its results are those of one machine to the last bit, or it
//! says which part is missing, foreign, damaged or contradicts another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::language::scenario::{MAX_RUNS, Scenario};
use crate::study::cell::Cell;
use crate::study::cost::Costs;
use crate::study::stored::{CORE, StoredOutcome, TraceName};
use crate::study::sweep::{CellOutcome, Results, cells};
use backfill_sim::workload::Trace;

/// The schema version of written parts.
const SCHEMA: u32 = 1;

/// Some of the parts of a scenario: `3,7-9/40` are four of forty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    numbers: BTreeSet<u32>,
    of: u32,
}

impl Parts {
    /// All of `of` parts.
    pub fn all(of: u32) -> Parts {
        Parts {
            numbers: (1..=of).collect(),
            of,
        }
    }

    /// Their numbers, counted from 1.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.numbers.iter().copied()
    }

    /// The total number of parts.
    pub fn of(&self) -> u32 {
        self.of
    }

    /// The number of parts among these.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// These parts except those for which `there` holds.
    pub fn without(mut self, there: impl Fn(u32) -> bool) -> Parts {
        self.numbers.retain(|&number| !there(number));
        self
    }

    /// The numbers in the form that Slurm and HyperQueue also read: `3,7-9`.
    pub fn list(&self) -> String {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for number in self.numbers() {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        let ranges = ranges.into_iter().map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        });
        ranges.collect::<Vec<String>>().join(",")
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.list(), self.of)
    }
}

impl FromStr for Parts {
    type Err = String;

    fn from_str(text: &str) -> Result<Parts, String> {
        let refusal = || {
            format!(
                "must be parts and how many there are, as 3/40 or 3,7-9/40, with numbers from 1 and \
                 at most {MAX_RUNS} parts"
            )
        };
        let number = |text: &str| text.parse::<u32>().ok();
        let read = || {
            let (list, of) = text.split_once('/')?;
            let of = number(of).filter(|&of| of as usize <= MAX_RUNS)?;
            let mut numbers = BTreeSet::new();
            for range in list.split(',') {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                let (first, last) = (number(first)?, number(last)?);
                if first == 0 || first > last || last > of {
                    return None;
                }
                numbers.extend(first..=last);
            }
            Some(Parts { numbers, of })
        };
        read().ok_or_else(refusal)
    }
}

/// The name of the file of a part.
pub fn file_name(part: u32, of: u32) -> String {
    format!("part-{part}-of-{of}.jsonl")
}

/// (part, total) of the file of that name; `None` for any other file.
pub fn of_file_name(name: &str) -> Option<(u32, u32)> {
    let (part, of) = name
        .strip_prefix("part-")?
        .strip_suffix(".jsonl")?
        .split_once("-of-")?;
    let (part, of) = (part.parse().ok()?, of.parse().ok()?);
    (file_name(part, of) == name).then_some((part, of))
}

/// The cells of each of `of` parts: in order of descending cost each goes to the part with the
/// least cost so far (R. Graham, Bounds on Multiprocessing Timing Anomalies, 1969).
pub fn cut(scenario: &Scenario, costs: &Costs, of: u32) -> Vec<Vec<Cell>> {
    let mut all = cells(scenario);
    costs.long_first(&mut all);
    let mut least: BinaryHeap<Reverse<(u64, u32)>> =
        (0..of).map(|part| Reverse((0, part))).collect();
    let mut parts = vec![Vec::new(); of as usize];
    for cell in all {
        if let Some(Reverse((load, part))) = least.pop() {
            parts[part as usize].push(cell);
            least.push(Reverse((load + costs.of(cell), part)));
        }
    }
    parts
}

/// The origin of a part: results of one origin can be merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    core: String,
    scenario: BTreeMap<String, String>,
    scenario_sha256: String,
    trace: Option<TraceName>,
}

impl Origin {
    /// Of a scenario which reads `trace`, simulated by this version.
    pub fn new(scenario: &Scenario, trace: Option<&Trace>) -> Origin {
        let scenario = scenario.portable();
        let pairs = scenario.pairs();
        let pairs: BTreeMap<String, String> = pairs
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        Origin {
            core: CORE.to_owned(),
            scenario_sha256: hash_of(&pairs),
            scenario: pairs,
            trace: trace.map(TraceName::from),
        }
    }

    /// The identity of the scenario: the SHA-256 of all its keys and values.
    pub fn scenario_sha256(&self) -> &str {
        &self.scenario_sha256
    }

    /// The first difference to another origin, if any.
    pub fn differs(&self, other: &Origin) -> Option<&'static str> {
        if self.core != other.core {
            Some("was made by another version of Backfill")
        } else if self.scenario_sha256 != other.scenario_sha256 {
            Some("belongs to another scenario")
        } else if self.trace.as_ref().map(|trace| &trace.sha256)
            != other.trace.as_ref().map(|trace| &trace.sha256)
        {
            Some("was made from another log")
        } else {
            None
        }
    }
}

/// SHA-256 of all keys and values.
fn hash_of(pairs: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    for (key, value) in pairs {
        hash.update(format!("{key} = {value}\n"));
    }
    hexadecimal(hash)
}

fn hexadecimal(hash: Sha256) -> String {
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first line of a written part.
#[derive(Serialize, Deserialize)]
struct Heading {
    schema: u32,
    #[serde(flatten)]
    origin: Origin,
    part: u32,
    of: u32,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct Ending {
    sha256: String,
}

/// A part read from its text.
#[derive(Clone, Debug)]
pub struct StoredPart {
    /// Its origin.
    pub origin: Origin,
    /// Its number, counted from 1.
    pub part: u32,
    /// The total number of parts.
    pub of: u32,
    outcomes: Vec<StoredOutcome>,
}

/// Writes a part with these outcomes.
pub fn write(origin: &Origin, part: u32, of: u32, outcomes: &[CellOutcome]) -> String {
    let line = |value: serde_json::Result<String>| value.expect("it has a plain form") + "\n";
    let mut text = line(serde_json::to_string(&Heading {
        schema: SCHEMA,
        origin: origin.clone(),
        part,
        of,
    }));
    for outcome in outcomes {
        text += &line(serde_json::to_string(outcome));
    }
    let sha256 = hexadecimal(Sha256::new().chain_update(&text));
    text += &line(serde_json::to_string(&Ending { sha256 }));
    text
}

/// Reads a part.
///
/// # Errors
/// What is wrong, to follow its name: `was cut short`.
pub fn read(text: &[u8]) -> Result<StoredPart, String> {
    const FOREIGN: &str = "is no part of a scenario";
    const ALTERED: &str = "was altered";
    let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
    let first = lines(text).next().unwrap_or_default();
    #[derive(Deserialize)]
    struct PartForm {
        schema: u32,
        core: String,
    }
    let form: PartForm = serde_json::from_slice(first).map_err(|_| FOREIGN)?;
    if form.schema != SCHEMA {
        return Err(format!(
            "has the form {}, which Backfill {CORE} does not read: use Backfill {}, which made it",
            form.schema, form.core
        ));
    }
    let heading: Heading = serde_json::from_slice(first).map_err(|_| ALTERED)?;
    let end = text.strip_suffix(b"\n").ok_or("was cut short")?;
    let last = end.iter().rposition(|&byte| byte == b'\n');
    let (above, last) = text.split_at(last.map_or(0, |last| last + 1));
    let ending: Ending = serde_json::from_slice(last).map_err(|_| "was cut short")?;
    if ending.sha256 != hexadecimal(Sha256::new().chain_update(above)) {
        return Err(ALTERED.to_owned());
    }
    if !(1..=heading.of).contains(&heading.part) || heading.of as usize > MAX_RUNS {
        return Err(ALTERED.to_owned());
    }
    let outcomes = lines(above).skip(1).filter(|line| !line.is_empty());
    let outcomes: Result<Vec<StoredOutcome>, _> = outcomes.map(serde_json::from_slice).collect();
    Ok(StoredPart {
        origin: heading.origin,
        part: heading.part,
        of: heading.of,
        outcomes: outcomes.map_err(|_| ALTERED)?,
    })
}

/// Reads consecutive parts of several scenarios.
///
/// # Errors
/// As [`read`].
pub fn read_all(text: &[u8]) -> Result<Vec<StoredPart>, String> {
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut line = 0;
    for end in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let next = end.0 + 1;
        if text[line..].starts_with(b"{\"sha256\":") {
            parts.push(read(&text[begin..next])?);
            begin = next;
        }
        line = next;
    }
    if begin < text.len() || parts.is_empty() {
        parts.push(read(&text[begin..])?);
    }
    Ok(parts)
}

/// A merge of parts.
#[derive(Debug)]
pub struct Merge {
    origin: Origin,
    scenario: Scenario,
    results: Results,
    /// The names of the parts so far, for messages.
    names: Vec<String>,
    /// By cell, the position of its part's name.
    from: Vec<u32>,
    /// The numbers of the merged parts, by their total.
    there: BTreeMap<u32, BTreeSet<u32>>,
}

impl Merge {
    /// Starts with a part of this name: the others must have its origin.
    ///
    /// # Errors
    /// A sentence on why it is no part of a scenario here.
    pub fn begin(name: &str, part: StoredPart) -> Result<Merge, String> {
        let core = &part.origin.core;
        if core != CORE {
            return Err(format!(
                "{name} was made by Backfill {core} and this is Backfill {CORE}: merge with the \
                 version that made the parts, or make them again"
            ));
        }
        let scenario = Scenario::parse(&part.origin.scenario)
            .ok()
            .filter(|_| hash_of(&part.origin.scenario) == part.origin.scenario_sha256)
            .ok_or_else(|| format!("{name} was altered: remove it and make it again"))?;
        let mut merge = Merge {
            origin: part.origin.clone(),
            results: Results::new(&scenario),
            from: vec![0; scenario.runs()],
            scenario,
            names: Vec::new(),
            there: BTreeMap::new(),
        };
        merge.add(name, part)?;
        Ok(merge)
    }

    /// Adds a part.
    ///
    /// # Errors
    /// A sentence with its name, if it does not belong to the others or contradicts one.
    pub fn add(&mut self, name: &str, part: StoredPart) -> Result<(), String> {
        if let Some(difference) = self.origin.differs(&part.origin) {
            return Err(format!(
                "{name} {difference} than {}: keep the parts of one scenario in a folder of their \
                 own",
                self.names[0]
            ));
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.there.entry(part.of).or_default().insert(part.part);
        for outcome in part.outcomes {
            let restored = self.results.restore(outcome);
            let (index, before) = restored.map_err(|why| format!("{name}: {why}"))?;
            let from = &mut self.from[index];
            if let Some(before) = before
                && self.results.outcome(index) != Some(&before)
            {
                return Err(format!(
                    "{} and {name} differ in run {index}: one of them was altered or made by another \
                     program; remove both and make them again",
                    self.names[*from as usize]
                ));
            }
            *from = number;
        }
        Ok(())
    }

    /// The missing parts, of the cut with the fewest of them; `None` once every cell has its
    /// outcome.
    pub fn missing(&self) -> Option<Parts> {
        let (done, cells) = self.results.progress();
        if done == cells {
            return None;
        }
        let cuts = self.there.iter();
        let missing = cuts.map(|(&of, there)| Parts::all(of).without(|part| there.contains(&part)));
        missing.min_by_key(Parts::count)
    }

    /// The origin of the parts.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The scenario of the parts.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The scenario, its results so far, and its log.
    pub fn result(self) -> (Scenario, Results, Option<TraceName>) {
        (self.scenario, self.results, self.origin.trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_are_written() {
        for text in ["1/1", "3/40", "3,7-9/40", "1-40/40"] {
            let parts: Parts = text.parse().expect("parts");
            assert_eq!(parts.to_string(), text);
        }
        let parts: Parts = "9,7,8,3-3/40".parse().expect("parts");
        assert_eq!(parts.to_string(), "3,7-9/40");
        assert_eq!(Parts::all(3).to_string(), "1-3/3");
        for text in [
            "",
            "3",
            "/",
            "0/4",
            "5/4",
            "3-2/4",
            "-1/4",
            "a/4",
            "1/0",
            "1/1000001",
            "1,/4",
        ] {
            assert!(text.parse::<Parts>().is_err(), "{text}");
        }
    }

    #[test]
    fn files_are_known_by_their_names() {
        assert_eq!(of_file_name(&file_name(3, 40)), Some((3, 40)));
        for name in ["part-3-of-40.json", "part-03-of-40.jsonl", "notes.jsonl"] {
            assert_eq!(of_file_name(name), None, "{name}");
        }
    }
}
