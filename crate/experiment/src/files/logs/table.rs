//! Any table with a heading: each column is what `columns` or the preset of its heading says.
//!
//! Times are recognised from their values: seconds, milliseconds since 1970, ISO 8601, and
//! durations as `D-HH:MM:SS`; the report says which. A job whose column holds no number is numbered
//! by its line.

use std::collections::BTreeSet;

use super::draft::{Fault, LineReader, MAX_SECONDS, TraceDraft};
use super::ledger::{Entry, FieldNames, Ledger, Size};
use super::options::Options;
use super::record::Record;
use super::sacct::{NEVER, Subject, subject};
use super::values::{self, whole};
use crate::language::columns::{Product, Target};
use crate::language::presets::{self, Preset};
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::Status;

const FIELD_NAMES: FieldNames = FieldNames {
    start: "start",
    end: "end",
};

/// Numbers from this one on are milliseconds since 1970: as seconds they would be after the year
/// 5000.
const MILLISECONDS: f64 = 1e11;

/// Values of a column that has none.
const MISSING: [&str; 7] = ["", "-1", "nan", "nat", "null", "none", "\\n"];

/// Words for how a job ended, by their beginnings.
const STATES: [(&str, Status); 22] = [
    ("completed", Status::Completed),
    ("succe", Status::Completed),
    ("terminated", Status::Completed),
    ("done", Status::Completed),
    ("finished", Status::Completed),
    ("true", Status::Completed),
    ("cancel", Status::Cancelled),
    ("killed", Status::Cancelled),
    ("fail", Status::Failed),
    ("error", Status::Failed),
    ("false", Status::Failed),
    ("timeout", Status::Failed),
    ("node_fail", Status::Failed),
    ("node fail", Status::Failed),
    ("out_of_memory", Status::Failed),
    ("oom", Status::Failed),
    ("boot_fail", Status::Failed),
    ("deadline", Status::Failed),
    ("preempted", Status::Failed),
    ("requeued", Status::Failed),
    ("revoked", Status::Failed),
    ("rejected", Status::Failed),
];

/// Beginnings of words for a job that has not ended.
const OPEN_STATES: [&str; 7] = [
    "running",
    "pending",
    "waiting",
    "queued",
    "suspended",
    "configuring",
    "completing",
];

/// States of Slurm by number, from 0.
const SLURM_STATES: [Option<Status>; 12] = [
    None,
    None,
    None,
    Some(Status::Completed),
    Some(Status::Cancelled),
    Some(Status::Failed),
    Some(Status::Failed),
    Some(Status::Failed),
    Some(Status::Failed),
    Some(Status::Failed),
    Some(Status::Failed),
    Some(Status::Failed),
];

/// Reads the lines of a table.
#[derive(Debug)]
pub(super) struct TableReader {
    ledger: Ledger,
    record: Record,
    mapping: Vec<(Target, Product)>,
    preset: Option<&'static Preset>,
    /// What the heading gave; `None` before it.
    heading: Option<Result<Heading, String>>,
    /// How times were written, by target.
    forms: BTreeSet<(Target, &'static str)>,
    unnumbered: u64,
}

/// The positions of the columns of each target.
#[derive(Debug)]
struct Heading {
    positions: Vec<(Target, Vec<usize>, f64)>,
    width: usize,
}

/// The names in a heading, and the reader of its lines.
pub(super) fn names(line: &[u8]) -> (Record, Vec<String>) {
    let mut record = Record::of_heading(line);
    record.read(line);
    let names = record
        .fields()
        .map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned());
    let names = names.collect();
    (record, names)
}

/// The preset that fits a heading.
pub(super) fn preset(line: &[u8]) -> Option<&'static Preset> {
    let (_, names) = names(line);
    presets::of_heading(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

impl TableReader {
    pub(super) fn new(
        options: &Options,
        mapping: Vec<(Target, Product)>,
        preset: Option<&'static Preset>,
    ) -> TableReader {
        TableReader {
            ledger: Ledger::new(options.processors, options.cancelled, &FIELD_NAMES),
            record: Record::of_heading(b","),
            mapping,
            preset,
            heading: None,
            forms: BTreeSet::new(),
            unnumbered: 0,
        }
    }

    /// Finds the columns in a heading.
    fn bind(&mut self, line: u32, text: &[u8]) -> Result<Heading, String> {
        let (record, names) = names(text);
        self.record = record;
        let find = |column: &str| {
            let found = names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(column));
            found.ok_or_else(|| {
                format!(
                    "the heading in line {line} has no column {column}; it has {}: say with columns= which is what",
                    names.join(", ").replace(char::is_control, "\u{fffd}")
                )
            })
        };
        let mut positions = Vec::new();
        for (target, product) in &self.mapping {
            let columns = product.columns.iter().map(|column| find(column));
            match columns.collect::<Result<Vec<_>, _>>() {
                Ok(columns) => positions.push((*target, columns, product.factor)),
                // A preset names columns that some editions of the table lack.
                Err(_) if self.preset.is_some() && !is_needed(*target) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(Heading {
            positions,
            width: names.len(),
        })
    }

    /// The text of a target that is one column, if there is any.
    fn text(&self, heading: &Heading, target: Target) -> String {
        let found = heading
            .positions
            .iter()
            .find(|(other, ..)| *other == target);
        let text = found.map(|(_, columns, _)| {
            String::from_utf8_lossy(self.record.field(columns[0]).trim_ascii()).into_owned()
        });
        text.filter(|text| !MISSING.contains(&&*text.to_ascii_lowercase()))
            .unwrap_or_default()
    }

    /// The product of the columns of a target; `None` if one of them holds nothing.
    fn number(&self, heading: &Heading, target: Target) -> Result<Option<f64>, Fault> {
        let found = heading
            .positions
            .iter()
            .find(|(other, ..)| *other == target);
        let Some((_, columns, factor)) = found else {
            return Ok(None);
        };
        let mut product = *factor;
        for &column in columns {
            let text = String::from_utf8_lossy(self.record.field(column).trim_ascii());
            if MISSING.contains(&&*text.to_ascii_lowercase()) {
                return Ok(None);
            }
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            product *= number.ok_or((FindingKind::NotANumber, Some(target.name())))?;
        }
        Ok(Some(product))
    }

    fn count(&self, heading: &Heading, target: Target) -> Result<Option<u32>, Fault> {
        match self.number(heading, target)? {
            None => Ok(None),
            Some(count) if count <= 0.0 => Ok(None),
            Some(count) if count > f64::from(u32::MAX) => {
                Err((FindingKind::OutOfRange, Some(target.name())))
            }
            Some(count) if count.fract() != 0.0 => {
                Err((FindingKind::FractionInInteger, Some(target.name())))
            }
            Some(count) => Ok(Some(count as u32)),
        }
    }

    /// An instant, as time since 1970 or since the table's own start.
    fn instant(&mut self, heading: &Heading, target: Target) -> Result<Option<Time>, Fault> {
        let text = self.text(heading, target);
        if text.is_empty() || NEVER.contains(&&*text) {
            return Ok(None);
        }
        let fault = |kind| (kind, Some(target.name()));
        let (micros, form) = match text.parse::<f64>() {
            Ok(number) if number < 0.0 => return Ok(None),
            Ok(number) if number >= MILLISECONDS => (number * 1e3, "milliseconds"),
            Ok(number) => (number * 1e6, "seconds"),
            Err(_) => {
                let found = values::precise_instant(&text);
                let (micros, zone) = found.ok_or(fault(FindingKind::Malformed))?;
                self.ledger.without_zone |= !zone;
                (micros as f64, "ISO 8601")
            }
        };
        self.forms.insert((target, form));
        if !(0.0..=MAX_SECONDS * MICROS as f64).contains(&micros) {
            return Err(fault(FindingKind::OutOfRange));
        }
        Ok(Some(Time(micros.round() as u64)))
    }

    fn span(&mut self, heading: &Heading, target: Target) -> Result<Option<Span>, Fault> {
        let fault = |kind| (kind, Some(target.name()));
        let text = self.text(heading, target);
        let seconds = match values::precise_duration(&text) {
            Some(span) => {
                self.forms.insert((target, "D-HH:MM:SS"));
                span.seconds()
            }
            None => match self.number(heading, target)? {
                None => return Ok(None),
                Some(seconds) => {
                    self.forms.insert((target, "seconds"));
                    seconds
                }
            },
        };
        if seconds < 0.0 {
            return Ok(None);
        }
        if seconds > MAX_SECONDS {
            return Err(fault(FindingKind::OutOfRange));
        }
        Ok(Some(Span((seconds * MICROS as f64).round() as u64)))
    }

    /// How the job of the line ended; a fault if it has not.
    fn state(&self, heading: &Heading) -> Result<Option<Status>, Fault> {
        if heading
            .positions
            .iter()
            .all(|(target, ..)| *target != Target::State)
        {
            return Ok(None);
        }
        let text = self.text(heading, Target::State).to_ascii_lowercase();
        let open = (FindingKind::NotEnded, Some(Target::State.name()));
        if let Some(number) = whole::<usize>(&text) {
            if self.preset.is_some_and(|preset| preset.slurm_states) {
                let state = SLURM_STATES.get(number).copied();
                return state.map_or(Ok(Some(Status::Unknown)), |state| {
                    state.map(Some).ok_or(open)
                });
            }
            return Ok(Some(Status::of_code(number as i64)));
        }
        if OPEN_STATES.iter().any(|state| text.starts_with(state)) {
            return Err(open);
        }
        let found = STATES.iter().find(|(word, _)| text.starts_with(word));
        Ok(Some(found.map_or(Status::Unknown, |(_, status)| *status)))
    }

    fn job(
        &mut self,
        line: u32,
        text: &[u8],
        heading: &Heading,
        draft: &mut TraceDraft,
    ) -> Result<(), Fault> {
        self.record.read(text);
        if self.record.len() != heading.width {
            return Err((FindingKind::FieldCount, None));
        }
        let has = |target| heading.positions.iter().any(|(other, ..)| *other == target);
        let named = match subject(&self.text(heading, Target::Job)) {
            Some(Subject::Job(number)) => Some(number),
            _ => None,
        };
        let status = self.state(heading)?;
        let submit = self.instant(heading, Target::Submit)?;
        let start = self.instant(heading, Target::Start)?;
        let end = self.instant(heading, Target::End)?;
        let wait = self.span(heading, Target::Wait)?;
        let run = self.span(heading, Target::Run)?;
        let start = match (start, submit, wait) {
            (None, Some(submit), Some(wait)) => Some(submit + wait),
            (start, ..) => start,
        };
        let submit = match (submit, start, wait) {
            (None, Some(start), Some(wait)) => Some(Time(start.0.saturating_sub(wait.0))),
            (None, Some(start), None) if !has(Target::Submit) => Some(start),
            (submit, ..) => submit,
        };
        let starts = has(Target::Start) || has(Target::Wait);
        let started = if starts {
            start.is_some()
        } else {
            run.is_some()
        };
        let ends = run.is_some() || end.is_some();
        if started && !ends {
            return Err((FindingKind::NoRunTime, Some(Target::Run.name())));
        }
        let estimate = self.span(heading, Target::Estimate)?;
        let nodes = self.count(heading, Target::Nodes)?;
        let in_nodes = !has(Target::Size);
        let size = if in_nodes {
            None
        } else {
            self.count(heading, Target::Size)?
        };
        let account = match self.text(heading, Target::Account) {
            account if account.is_empty() => self.text(heading, Target::Group),
            account => account,
        };
        let texts = [Target::User, Target::Queue, Target::Partition];
        let [user, queue, partition] = texts.map(|target| self.text(heading, target));
        let entry = Entry {
            number: named.unwrap_or(u64::from(line)),
            line,
            submit: submit.ok_or((FindingKind::NoSubmitTime, Some(Target::Submit.name())))?,
            start,
            end,
            elapsed: run,
            estimate: estimate.unwrap_or(Span(0)),
            status,
            started,
            size: Size {
                allocated: size,
                requested: size,
                nodes,
                in_nodes,
            },
            user: user.as_bytes(),
            account: account.as_bytes(),
            queue: queue.as_bytes(),
            partition: partition.as_bytes(),
        };
        let (row, repaired) = self.ledger.row(entry, draft)?;
        self.unnumbered += u64::from(named.is_none());
        draft.accept(row, repaired);
        Ok(())
    }
}

/// Whether there is no job without this target.
fn is_needed(target: Target) -> bool {
    use Target::{End, Nodes, Run, Size, Start, Submit};
    matches!(target, Submit | Start | End | Run | Size | Nodes)
}

impl LineReader for TableReader {
    fn line(&mut self, line: u32, text: &[u8], draft: &mut TraceDraft) {
        if text.starts_with(b"#") {
            draft.report.comments += 1;
            return;
        }
        let Some(heading) = self.heading.take() else {
            draft.report.comments += 1;
            self.heading = Some(self.bind(line, text));
            return;
        };
        let read = match &heading {
            Ok(heading) => self.job(line, text, heading, draft),
            Err(_) => Err((FindingKind::FieldCount, None)),
        };
        self.heading = Some(heading);
        if let Err((kind, field)) = read {
            draft.reject(kind, line, field);
        }
    }

    fn finish(&mut self, draft: &mut TraceDraft) {
        self.ledger.finish(draft);
        let warnings = &mut draft.report.warnings;
        let columns: Vec<String> = self
            .mapping
            .iter()
            .map(|(target, product)| {
                let forms = self.forms.iter().filter(|(other, _)| other == target);
                let forms: Vec<&str> = forms.map(|(_, form)| *form).collect();
                let columns = product.columns.join("*");
                let forms = match &forms[..] {
                    [] => String::new(),
                    forms => format!(" ({})", forms.join(", ")),
                };
                format!("{} from {columns}{forms}", target.name())
            })
            .collect();
        let known = self.preset.map_or(String::new(), |preset| {
            format!("the heading is that of {}: ", preset.name)
        });
        warnings.push(format!("{known}{}", columns.join("; ")));
        if self.unnumbered > 0 {
            warnings.push(format!(
                "{} jobs have no number and are numbered by their lines",
                self.unnumbered
            ));
        }
    }

    fn problem(&self) -> Option<String> {
        self.heading.as_ref()?.as_ref().err().cloned()
    }

    fn bytes(&self) -> usize {
        self.ledger.bytes()
    }

    fn wanted(&self) -> &'static str {
        "a table has a job on each line below its heading"
    }
}
