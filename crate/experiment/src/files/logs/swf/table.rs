//! The fields of the format as the columns of a table, below a heading.

use super::super::record::Record;

/// Parts of the names that some columns have in every such table, by position.
const NAMES: [(usize, &str); 7] = [
    (1, "submit"),
    (2, "wait"),
    (3, "run"),
    (10, "status"),
    (14, "queue"),
    (15, "partition"),
    (17, "think"),
];

/// The columns of a table.
#[derive(Debug)]
pub(super) struct Table {
    record: Record,
    /// Whether the heading was read.
    below: bool,
    line: Vec<u8>,
}

/// Whether a line is the heading of such a table.
pub(in super::super) fn is_heading(line: &[u8]) -> bool {
    let mut record = Record::of_heading(line);
    record.read(line);
    let has = |(at, part): (usize, &str)| {
        let name = String::from_utf8_lossy(record.field(at)).to_ascii_lowercase();
        name.contains(part)
    };
    record.len() >= 18 && NAMES.into_iter().all(has)
}

impl Table {
    pub(super) fn new(heading: &[u8]) -> Table {
        Table {
            record: Record::of_heading(heading),
            below: false,
            line: Vec::new(),
        }
    }

    /// A line with blanks between its fields; `None` of the heading.
    pub(super) fn line(&mut self, text: &[u8]) -> Option<&[u8]> {
        if !std::mem::replace(&mut self.below, true) {
            return None;
        }
        self.record.read(text);
        self.line.clear();
        for field in self.record.fields() {
            let field = field.trim_ascii();
            self.line
                .extend_from_slice(if field.is_empty() { b"-1" } else { field });
            self.line.push(b' ');
        }
        Some(&self.line)
    }
}
