//! The columns of sacct: found by a heading, and the fields of a line by them.
//!
//! Names and comments may hold a `|`: then a line has more fields than columns, and those before the
//! first free-text column are bound from the start, those after the last one from the end.

use super::super::draft::Fault;
use super::super::values::in_units;
use backfill_sim::workload::report::FindingKind;

/// The columns used.
pub(super) const COLUMNS: [&str; 23] = [
    "JobID",
    "Submit",
    "Start",
    "End",
    "Elapsed",
    "Timelimit",
    "AllocCPUS",
    "NCPUS",
    "ReqCPUS",
    "AllocNodes",
    "NNodes",
    "ReqNodes",
    "State",
    "User",
    "JobIDRaw",
    "ElapsedRaw",
    "TimelimitRaw",
    "NodeList",
    "AllocTRES",
    "ReqTRES",
    "Account",
    "QOS",
    "Partition",
];

pub(super) const JOB: usize = 0;
pub(super) const SUBMIT: usize = 1;
pub(super) const START: usize = 2;
pub(super) const END: usize = 3;
pub(super) const ELAPSED: usize = 4;
pub(super) const TIMELIMIT: usize = 5;
const ALLOCATED: [usize; 2] = [6, 7];
const REQUESTED: [usize; 1] = [8];
const ALLOCATED_NODES: [usize; 2] = [9, 10];
const NODES: [usize; 3] = [9, 10, 11];
pub(super) const STATE: usize = 12;
pub(super) const USER: usize = 13;
pub(super) const RAW_JOB: usize = 14;
pub(super) const RAW_ELAPSED: usize = 15;
pub(super) const RAW_TIMELIMIT: usize = 16;
const NODE_LIST: usize = 17;
const ALLOCATED_TRES: usize = 18;
const REQUESTED_TRES: usize = 19;
pub(super) const ACCOUNT: usize = 20;
pub(super) const QOS: usize = 21;
pub(super) const PARTITION: usize = 22;

/// Columns of free text, which may hold a `|` or go on in the next line.
const FREE_TEXT: [&str; 11] = [
    "JobName",
    "SubmitLine",
    "WorkDir",
    "Comment",
    "AdminComment",
    "SystemComment",
    "Constraints",
    "Extra",
    "StdErr",
    "StdIn",
    "StdOut",
];

/// The nodes of a job that was never given any.
const NO_NODES: &[u8] = b"None assigned";

/// The command that prints a log in this form.
pub(super) const COMMAND: &str = "sacct --parsable2 --format=JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,ReqCPUS,NNodes,State,User";

/// The positions of the columns.
#[derive(Debug)]
pub(super) struct SacctColumns {
    /// The column of each field, if it is used.
    of_fields: Vec<Option<usize>>,
    /// The first and the last field of free text.
    free: Option<(usize, usize)>,
    /// The column with the subject of a line.
    pub(super) id: usize,
    present: [bool; COLUMNS.len()],
}

/// The fields of a line by column; empty where there is no such column.
pub(super) struct Fields<'a>([&'a [u8]; COLUMNS.len()]);

/// Why a line has no fields.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unbound {
    /// It ends in a free text, which may go on in the next line.
    Unfinished,
    Fault(FindingKind),
}

/// Whether a line is the heading of `sacct`.
pub(in super::super) fn is_heading(line: &[u8]) -> bool {
    // Few lines of jobs have that letter, which is found faster.
    memchr::memchr2(b'J', b'j', line).is_some()
        && line.contains(&b'|')
        && line.split(|byte| *byte == b'|').any(is_id)
}

/// Whether a word is the heading of the column with the subject of a line.
pub(super) fn is_id(word: &[u8]) -> bool {
    let mut columns = [JOB, RAW_JOB].into_iter();
    columns.any(|column| word.eq_ignore_ascii_case(COLUMNS[column].as_bytes()))
}

impl SacctColumns {
    /// Finds the columns in a heading, and names those that are not used.
    ///
    /// # Errors
    /// A column is missing or there twice; the sentence says which.
    pub(super) fn of(
        line: u32,
        heading: &[u8],
        ignored: &mut Vec<String>,
    ) -> Result<SacctColumns, String> {
        let heading = String::from_utf8_lossy(heading);
        let mut present = [false; COLUMNS.len()];
        let mut of_fields = Vec::new();
        let mut free = None;
        for (field, name) in heading.split('|').map(str::trim).enumerate() {
            let named = |column: &str| column.eq_ignore_ascii_case(name);
            let column = COLUMNS.iter().position(|of| named(of));
            if let Some(column) = column {
                if present[column] {
                    let name = COLUMNS[column];
                    return Err(format!(
                        "the heading in line {line} has two columns {name}; leave one"
                    ));
                }
                present[column] = true;
            } else if !name.is_empty() {
                ignored.push(name.to_owned());
            }
            if FREE_TEXT.iter().any(|of| named(of)) {
                free = Some((free.map_or(field, |(first, _)| first), field));
            }
            of_fields.push(column);
        }
        let columns = SacctColumns {
            of_fields,
            free,
            id: if present[JOB] { JOB } else { RAW_JOB },
            present,
        };
        match columns.missing() {
            Some(what) => Err(format!(
                "the heading in line {line} has no column {what}; print the log with `{COMMAND}`"
            )),
            None => Ok(columns),
        }
    }

    /// A column without which no job can be read.
    fn missing(&self) -> Option<&'static str> {
        let has = |column| self.has(column);
        let has_instants = has(START) && has(END);
        if !has(SUBMIT) {
            Some(COLUMNS[SUBMIT])
        } else if !has(STATE) && !has_instants {
            Some(COLUMNS[STATE])
        } else if !has(ELAPSED) && !has(RAW_ELAPSED) && !has_instants {
            Some(COLUMNS[ELAPSED])
        } else if !self.counts_processors() && !NODES.into_iter().any(has) {
            Some("AllocCPUS")
        } else {
            None
        }
    }

    /// Whether the file has a column.
    pub(super) fn has(&self, column: usize) -> bool {
        self.present[column]
    }

    /// Whether the file counts processors, not only nodes.
    pub(super) fn counts_processors(&self) -> bool {
        let counts = ALLOCATED.iter().chain(&REQUESTED);
        let mut columns = counts.chain(&[ALLOCATED_TRES, REQUESTED_TRES]);
        columns.any(|&column| self.has(column))
    }

    /// Whether the last column is free text, of which lines below may be the rest.
    pub(super) fn ends_in_free_text(&self) -> bool {
        self.free
            .is_some_and(|(_, last)| last + 1 == self.of_fields.len())
    }

    /// The fields of a line.
    pub(super) fn bind<'a>(&self, text: &'a [u8]) -> Result<Fields<'a>, Unbound> {
        let wanted = self.of_fields.len();
        let count = memchr::memchr_iter(b'|', text).count() + 1;
        let surplus = match (count.checked_sub(wanted), self.free) {
            (Some(0), _) => return Ok(self.placed(text, usize::MAX, 0)),
            (None, Some((first, _))) if first < count => return Err(Unbound::Unfinished),
            (Some(surplus), Some(_)) => surplus,
            _ => return Err(Unbound::Fault(FindingKind::FieldCount)),
        };
        let (first, last) = self.free.unwrap_or_default();
        let between = &self.of_fields[first..=last];
        if between.iter().any(Option::is_some) {
            return Err(Unbound::Fault(FindingKind::AmbiguousFields));
        }
        Ok(self.placed(text, last, surplus))
    }

    /// The fields of a line, of which `surplus` after the one at `skip` belong to it.
    fn placed<'a>(&self, text: &'a [u8], skip: usize, surplus: usize) -> Fields<'a> {
        let mut fields = [&b""[..]; COLUMNS.len()];
        let mut texts = text.split(|byte| *byte == b'|');
        for (at, column) in self.of_fields.iter().enumerate() {
            let text = texts.next().unwrap_or_default();
            if let Some(column) = *column {
                fields[column] = text.trim_ascii();
            }
            if at == skip {
                texts.by_ref().take(surplus).for_each(drop);
            }
        }
        Fields(fields)
    }
}

impl<'a> Fields<'a> {
    /// The bytes in a column.
    pub(super) fn bytes(&self, column: usize) -> &'a [u8] {
        self.0[column]
    }

    /// The text in a column.
    pub(super) fn text(&self, column: usize) -> Result<&'a str, Fault> {
        str::from_utf8(self.0[column]).map_err(|_| malformed(column))
    }

    /// The state of the line's job, without the user who cancelled it.
    pub(super) fn state(&self) -> Result<&'a str, Fault> {
        Ok(self.text(STATE)?.split(' ').next().unwrap_or_default())
    }

    /// Allocated processors.
    pub(super) fn allocated(&self) -> Result<Option<u32>, Fault> {
        self.count(&ALLOCATED, &[ALLOCATED_TRES], "cpu")
    }

    /// Requested processors.
    pub(super) fn requested(&self) -> Result<Option<u32>, Fault> {
        self.count(&REQUESTED, &[REQUESTED_TRES], "cpu")
    }

    /// Nodes.
    pub(super) fn nodes(&self) -> Result<Option<u32>, Fault> {
        self.count(&NODES, &[ALLOCATED_TRES, REQUESTED_TRES], "node")
    }

    /// Whether the line gives an allocation to its job. Older Slurm writes the request as allocated
    /// where there was none, but names no nodes and no resources.
    pub(super) fn is_allocated(&self, columns: &SacctColumns) -> bool {
        let no_nodes = self.0[NODE_LIST].eq_ignore_ascii_case(NO_NODES);
        if no_nodes || columns.has(ALLOCATED_TRES) && self.0[ALLOCATED_TRES].is_empty() {
            return false;
        }
        let counts = if columns.counts_processors() {
            ALLOCATED
        } else {
            ALLOCATED_NODES
        };
        let count = |column| self.text(column).ok().and_then(in_units);
        let mut counts = counts.into_iter();
        match counts.find(|&column| !self.0[column].is_empty()) {
            Some(column) => count(column) != Some(0),
            None => !self.0[ALLOCATED_TRES].is_empty(),
        }
    }

    /// The first positive count in these columns, else in these columns of resources by name.
    fn count(
        &self,
        columns: &[usize],
        resources: &[usize],
        name: &str,
    ) -> Result<Option<u32>, Fault> {
        for &column in columns {
            let count = match self.text(column)? {
                "" => 0,
                text => in_units(text).ok_or(malformed(column))?,
            };
            if count > 0 {
                return Ok(Some(count));
            }
        }
        for &column in resources {
            let mut pairs = self.text(column)?.split(',');
            let value = pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
            let count = value.map(|text| in_units(text).ok_or(malformed(column)));
            match count.transpose()? {
                Some(0) | None => {}
                count => return Ok(count),
            }
        }
        Ok(None)
    }
}

/// The fault of a value that its column cannot have.
pub(super) fn malformed(column: usize) -> Fault {
    (FindingKind::Malformed, Some(COLUMNS[column]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(heading: &str) -> SacctColumns {
        SacctColumns::of(1, heading.as_bytes(), &mut Vec::new()).unwrap()
    }

    /// The fields in the columns of job, user and state.
    fn bound(heading: &str, line: &str) -> Result<[String; 3], Unbound> {
        let columns = columns(heading);
        let fields = columns.bind(line.as_bytes())?;
        Ok([JOB, USER, STATE].map(|column| fields.text(column).unwrap().to_owned()))
    }

    #[test]
    fn names_with_bars_are_bound_from_both_ends() {
        let heading = "JobID|JobName|WorkDir|User|Submit|Elapsed|NCPUS|State";
        let expected = Ok(["7", "ann", "FAILED"].map(str::to_owned));
        for line in [
            "7|a|/d|ann|1|2|3|FAILED",
            "7|a|b||c|/d|ann|1|2|3|FAILED",
            "7|||||ann|1|2|3|FAILED",
        ] {
            assert_eq!(bound(heading, line), expected, "{line}");
        }
        let apart = "JobID|JobName|User|WorkDir|Submit|Elapsed|NCPUS|State";
        assert_eq!(
            bound(apart, "7|a|b|ann|/d|1|2|3|FAILED"),
            Err(Unbound::Fault(FindingKind::AmbiguousFields))
        );
        assert_eq!(bound(apart, "7|a|ann|/d|1|2|3|FAILED"), expected);
        let none = "JobID|User|Submit|Elapsed|NCPUS|State";
        for line in ["7|a|ann|1|2|3|FAILED", "7|1|2|3|FAILED"] {
            let fault = Err(Unbound::Fault(FindingKind::FieldCount));
            assert_eq!(bound(none, line), fault, "{line}");
        }
    }

    #[test]
    fn a_line_that_ends_in_a_free_text_may_go_on() {
        let heading = "JobID|Submit|Elapsed|NCPUS|State|SubmitLine|User";
        assert_eq!(bound(heading, "7|1|2|3|FAILED|a"), Err(Unbound::Unfinished));
        assert_eq!(
            bound(heading, "7|1|2|3"),
            Err(Unbound::Fault(FindingKind::FieldCount))
        );
    }

    #[test]
    fn resources_stand_in_for_counts() {
        let columns = columns("JobID|Submit|Elapsed|State|AllocTRES|ReqTRES|AllocCPUS");
        let fields = |line: &'static str| columns.bind(line.as_bytes()).unwrap();
        let line =
            fields("7|1|2|A|billing=80,cpu=160,gres/gpu=8,mem=320G,node=2|cpu=1.50K,node=3|");
        assert_eq!(line.allocated(), Ok(Some(160)));
        assert_eq!(line.requested(), Ok(Some(1536)));
        assert_eq!(line.nodes(), Ok(Some(2)));
        assert!(line.is_allocated(&columns));
        let line = fields("7|1|2|A||cpu=x|12");
        assert_eq!(line.allocated(), Ok(Some(12)));
        assert_eq!(line.requested(), Err(malformed(REQUESTED_TRES)));
        assert_eq!(line.nodes(), Ok(None));
        assert!(!line.is_allocated(&columns));
    }
}
