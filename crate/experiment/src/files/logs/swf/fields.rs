//! The 18 fields of a line.

use super::super::draft::{Fault, MAX_SECONDS};
use super::super::values;
use backfill_sim::unit::{self, MICROS, Span};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{Preceding, UNKNOWN};

/// The fields of a line, from the first.
pub(super) const FIELDS: [&str; 18] = [
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average processor time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "application",
    "queue",
    "partition",
    "preceding job",
    "think time",
];

pub(super) const NUMBER: usize = 0;
pub(super) const SUBMIT: usize = 1;
pub(super) const WAIT: usize = 2;
pub(super) const RUN: usize = 3;
pub(in super::super) const ALLOCATED: usize = 4;
pub(super) const PROCESSOR_TIME: usize = 5;
pub(super) const MEMORY: usize = 6;
pub(in super::super) const REQUESTED: usize = 7;
pub(super) const ESTIMATE: usize = 8;
pub(super) const REQUESTED_MEMORY: usize = 9;
pub(super) const STATUS: usize = 10;
pub(super) const USER: usize = 11;
pub(super) const GROUP: usize = 12;
pub(super) const APPLICATION: usize = 13;
pub(super) const QUEUE: usize = 14;
pub(super) const PARTITION: usize = 15;
pub(super) const PRECEDING: usize = 16;
pub(super) const THINK: usize = 17;

/// Fields with whole numbers.
const WHOLE: [usize; 10] = [
    NUMBER,
    ALLOCATED,
    REQUESTED,
    STATUS,
    USER,
    GROUP,
    APPLICATION,
    QUEUE,
    PARTITION,
    PRECEDING,
];

/// Fields without which a job is simulated all the same.
const UNNEEDED: [usize; 9] = [
    WAIT,
    PROCESSOR_TIME,
    MEMORY,
    REQUESTED_MEMORY,
    GROUP,
    APPLICATION,
    QUEUE,
    PARTITION,
    THINK,
];

/// The largest number of a job: up to there whole numbers are exact in 64-bit floating point.
pub(in super::super) const LARGEST_NUMBER: u64 = (1 << 53) - 1;

/// The fields of a line.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The numbers, whole where the format requires it.
    pub(super) numbers: [f64; FIELDS.len()],
    /// The numbers of the preceding jobs, if there are several.
    preceding: Vec<u64>,
    /// Whether a field that is not needed is no number and taken for unknown.
    pub(super) unreadable: bool,
}

impl Line {
    /// Reads the fields of a line; returns the text after them.
    pub(super) fn read<'a>(&mut self, text: &'a [u8]) -> Result<&'a [u8], Fault> {
        let (mut fault, mut fraction) = (None, None);
        let mut rest = text;
        for (field, name) in FIELDS.into_iter().enumerate() {
            let start = rest.iter().position(|byte| !is_blank(byte));
            rest = &rest[start.ok_or((FindingKind::FieldCount, None))?..];
            if let Some((value, end)) = small(rest) {
                self.numbers[field] = value;
                rest = &rest[end..];
                continue;
            }
            let end = rest.iter().position(is_blank).unwrap_or(rest.len());
            let needed = !UNNEEDED.contains(&field);
            match decimal(&rest[..end]) {
                Some(value) if value.fract() != 0.0 && WHOLE.contains(&field) => {
                    if needed {
                        fraction = fraction.or(Some((FindingKind::FractionInInteger, Some(name))));
                    } else {
                        self.unknown(field);
                    }
                }
                Some(value) => self.numbers[field] = value,
                None if field == PRECEDING && self.several(&rest[..end]) => {}
                None if !needed => self.unknown(field),
                // A line with fewer fields is rejected for that.
                None => fault = fault.or(Some((FindingKind::NotANumber, Some(name)))),
            }
            rest = &rest[end..];
        }
        match fault.or(fraction) {
            Some(fault) => Err(fault),
            None => Ok(rest),
        }
    }

    /// Takes a field that is not needed for unknown.
    fn unknown(&mut self, field: usize) {
        self.numbers[field] = -1.0;
        self.unreadable = true;
    }

    /// Reads the numbers of several preceding jobs, as in `1&2&3`; whether they are that.
    fn several(&mut self, text: &[u8]) -> bool {
        let number = |part: &[u8]| {
            let number = str::from_utf8(part).ok().and_then(values::whole);
            number.filter(|number| (1..=LARGEST_NUMBER).contains(number))
        };
        let numbers: Option<Vec<u64>> = text.split(|byte| *byte == b'&').map(number).collect();
        let Some(numbers) = numbers else { return false };
        self.numbers[PRECEDING] = numbers[0] as f64;
        self.preceding = numbers;
        true
    }

    /// A whole number from 0 to `largest`.
    pub(super) fn whole(&self, field: usize, largest: u64) -> Result<u64, Fault> {
        let number = self.numbers[field];
        if number >= 0.0 && number <= largest as f64 {
            Ok(number as u64)
        } else {
            Err((FindingKind::OutOfRange, Some(FIELDS[field])))
        }
    }

    /// A positive count; `None` if there is none.
    pub(super) fn count(&self, field: usize) -> Result<Option<u32>, Fault> {
        if self.numbers[field] > 0.0 {
            let count = self.whole(field, u64::from(u32::MAX))?;
            Ok(Some(count as u32))
        } else {
            Ok(None)
        }
    }

    /// The number of a group, queue or partition.
    pub(super) fn label(&mut self, field: usize) -> i32 {
        let number = self.numbers[field];
        let label = number as i32;
        if f64::from(label) == number && label > i32::MIN {
            label
        } else {
            self.unknown(field);
            UNKNOWN
        }
    }

    /// A time in microseconds and whether it was rounded; `None` if it is negative.
    pub(super) fn time(&self, field: usize) -> Result<Option<(u64, bool)>, Fault> {
        let seconds = self.numbers[field];
        if seconds < 0.0 {
            return Ok(None);
        }
        if seconds > MAX_SECONDS {
            return Err((FindingKind::OutOfRange, Some(FIELDS[field])));
        }
        let whole = seconds as u64;
        if whole as f64 == seconds {
            return Ok(Some((whole * MICROS, false)));
        }
        let micros = unit::round(seconds * MICROS as f64);
        Ok(Some((micros, micros as f64 / MICROS as f64 != seconds)))
    }

    /// How long the job waited; `None` where that is unknown, or longer than any time in a log.
    pub(super) fn wait(&self) -> Option<Span> {
        let wait = self.time(WAIT).ok()?;
        wait.map(|(micros, _)| Span(micros))
    }

    /// The jobs that must end before the job is submitted.
    pub(super) fn preceding(&mut self) -> Result<Option<Preceding>, Fault> {
        if self.numbers[PRECEDING] <= 0.0 {
            return Ok(None);
        }
        let first = self.whole(PRECEDING, LARGEST_NUMBER)?;
        let mut numbers = std::mem::take(&mut self.preceding);
        if numbers.is_empty() {
            numbers.push(first);
        }
        let think = self.time(THINK)?.map_or(0, |(micros, _)| micros);
        Ok(Some(Preceding {
            numbers: numbers.into(),
            think: Span(think),
        }))
    }

    /// Whether a job was cancelled before it started: it has no run time, or zero seconds on no
    /// processors.
    pub(super) fn never_started(&self) -> bool {
        let idle = self.numbers[RUN] == 0.0 && self.numbers[ALLOCATED] <= 0.0;
        self.numbers[STATUS] == 5.0 && (self.numbers[RUN] < 0.0 || idle)
    }
}

/// Whether a line of text has the fields of a job.
pub(in super::super) fn is_job(text: &[u8]) -> bool {
    Line::default().read(text.trim_ascii()).is_ok()
}

/// The whole number of at most 15 digits at the start of a text, and its end: nearly all numbers
/// are such, and exact without the rules of decimal fractions. `None` for another number.
fn small(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let first = usize::from(negative);
    let (mut value, mut end) = (0_u64, first);
    while let Some(digit) = text.get(end).map(|byte| byte.wrapping_sub(b'0'))
        && digit <= 9
    {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        end += 1;
    }
    let whole = (1..=15).contains(&(end - first)) && text.get(end).is_none_or(is_blank);
    let value = value as f64;
    whole.then_some((if negative { -value } else { value }, end))
}

/// A finite decimal number.
fn decimal(token: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(token).ok()?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a byte separates fields.
pub(super) fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
