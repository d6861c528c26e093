//! The fields of a line between commas, tabs, semicolons, bars or blanks.

use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};

/// The fields of one line.
#[derive(Debug)]
pub(super) struct Record {
    /// `None` where blanks separate fields.
    parser: Option<Box<csv_core::Reader>>,
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Record {
    /// With fields between `delimiter`s; a text in quotes may hold it.
    pub(super) fn new(delimiter: u8) -> Record {
        // A carriage return inside a line ends no record.
        let parser = ReaderBuilder::new()
            .delimiter(delimiter)
            .terminator(Terminator::Any(b'\n'))
            .build();
        Record {
            parser: Some(Box::new(parser)),
            text: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// With the delimiter that a heading has: the first of these that it holds, else blanks.
    pub(super) fn of_heading(heading: &[u8]) -> Record {
        let mut delimiters = [b',', b'\t', b';', b'|'].into_iter();
        match delimiters.find(|delimiter| heading.contains(delimiter)) {
            Some(delimiter) => Record::new(delimiter),
            None => Record {
                parser: None,
                text: Vec::new(),
                ends: Vec::new(),
            },
        }
    }

    /// Cuts a line into its fields; an open quote ends with the line.
    pub(super) fn read(&mut self, line: &[u8]) {
        let Some(parser) = &mut self.parser else {
            self.text.clear();
            self.ends.clear();
            let fields = line
                .split(|byte| *byte == b' ')
                .filter(|field| !field.is_empty());
            for field in fields {
                self.text.extend_from_slice(field);
                self.ends.push(self.text.len());
            }
            return;
        };
        // Fields are no longer than their line, and there is at most one end for each byte and one.
        self.text.resize(line.len(), 0);
        self.ends.resize(line.len() + 1, 0);
        parser.reset();
        let (mut read, mut written, mut ended) = (0, 0, 0);
        loop {
            let (result, taken, wrote, ends) = parser.read_record(
                &line[read..],
                &mut self.text[written..],
                &mut self.ends[ended..],
            );
            read += taken;
            written += wrote;
            ended += ends;
            if matches!(result, ReadRecordResult::Record | ReadRecordResult::End) {
                break;
            }
        }
        self.ends.truncate(ended);
    }

    /// The number of fields.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn field(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..self.ends[at]]
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|at| self.field(at))
    }
}
