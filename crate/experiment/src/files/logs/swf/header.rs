//! The comments of a log: its header, and what later ones say otherwise.

use backfill_sim::workload::labels::Labels;
use backfill_sim::workload::trace::{Header, first_count};

/// Kept characters of a header; a longer one is cut.
const HEADER_CHARS: usize = 1 << 16;

/// Keys whose value may follow the colon without a blank.
const KEYS: [&str; 24] = [
    "Version",
    "Computer",
    "Installation",
    "Acknowledge",
    "Information",
    "Conversion",
    "MaxJobs",
    "MaxRecords",
    "Preemption",
    "UnixStartTime",
    "TimeZone",
    "TimeZoneString",
    "StartTime",
    "EndTime",
    "MaxNodes",
    "MaxProcs",
    "MaxRuntime",
    "MaxMemory",
    "MaxQueues",
    "MaxPartitions",
    "Queues",
    "Queue",
    "Partitions",
    "Partition",
];

/// Keys that count as the header's wherever they are.
const COUNTS: [&str; 3] = ["MaxProcs", "MaxNodes", "UnixStartTime"];

/// Reads the comments of a log.
#[derive(Debug, Default)]
pub(super) struct HeaderReader {
    chars: usize,
}

impl HeaderReader {
    /// Reads a comment before the first job: `Key: value`, or the continuation of the value before.
    pub(super) fn before_jobs(&mut self, comment: &[u8], header: &mut Header) {
        let comment = String::from_utf8_lossy(comment);
        let comment = comment.trim();
        self.chars += comment.len();
        if comment.is_empty() || self.chars > HEADER_CHARS {
            return;
        }
        match pair(comment) {
            Some((key, value)) => header.entries.push((key.to_owned(), value.to_owned())),
            None => match header.entries.last_mut() {
                Some((_, value)) => {
                    value.push('\n');
                    value.push_str(comment);
                }
                None => header.entries.push((String::new(), comment.to_owned())),
            },
        }
    }

    /// Reads a comment below a job: where it gives the machine or the start, it is part of the
    /// header. Returns a sentence if the header says otherwise.
    pub(super) fn below_jobs(
        &mut self,
        line: u32,
        comment: &[u8],
        header: &mut Header,
    ) -> Option<String> {
        let comment = String::from_utf8_lossy(comment);
        let (key, value) = pair(comment.trim()).filter(|(key, _)| COUNTS.contains(key))?;
        let count = first_count(value)?;
        match header.count(key) {
            None => {
                header.entries.push((key.to_owned(), value.to_owned()));
                None
            }
            Some(before) if before == count => None,
            Some(before) => Some(format!(
                "line {line} says {key}: {count}, but the header says {before}, which is taken"
            )),
        }
    }
}

/// The key and value of a comment, if it has them.
fn pair(comment: &str) -> Option<(&str, &str)> {
    let (key, value) = comment.split_once(':')?;
    let is_word = key.starts_with(|c: char| c.is_ascii_uppercase())
        && key.chars().all(|c| c.is_ascii_alphanumeric());
    let ends = value.is_empty() || value.starts_with([' ', '\t']) || KEYS.contains(&key);
    (is_word && ends).then_some((key, value.trim()))
}

/// The names that a header gives to numbers, as in `Queue: 3 batch`.
pub(super) fn labels(header: &Header) -> Labels {
    let mut labels = Labels::default();
    for (key, value) in &header.entries {
        let names = match key.as_str() {
            "Account" => &mut labels.accounts,
            "Queue" => &mut labels.queues,
            "Partition" => &mut labels.partitions,
            _ => continue,
        };
        let end = value.find(|c: char| !c.is_ascii_digit());
        let (number, name) = value.split_at(end.unwrap_or(value.len()));
        let name = name.trim_start_matches([' ', '\t', '-', '=', ':']);
        if let (Ok(number), false) = (number.parse(), name.is_empty()) {
            names.entry(number).or_insert_with(|| name.to_owned());
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(comments: &[&str]) -> Header {
        let (mut reader, mut header) = (HeaderReader::default(), Header::default());
        for comment in comments {
            reader.before_jobs(comment.as_bytes(), &mut header);
        }
        header
    }

    #[test]
    fn a_blank_after_the_colon_may_be_missing_where_the_key_is_known() {
        let header = header(&[
            "MaxProcs:1,152",
            "Note: see",
            "Http://x",
            "MaxNodes: 72 of 80",
        ]);
        assert_eq!(header.count("MaxProcs"), Some(1152));
        assert_eq!(header.count("MaxNodes"), Some(72));
        assert_eq!(header.get("Note"), Some("see\nHttp://x"));
    }

    #[test]
    fn commas_part_digits_in_threes() {
        for (text, count) in [
            ("1,152", Some(1152)),
            ("1,152,000 (all)", Some(1_152_000)),
            ("338 (batch; 512)", Some(338)),
            ("4,8", Some(4)),
            ("1152,304", Some(1152)),
            ("about 64", Some(64)),
            ("none", None),
        ] {
            assert_eq!(first_count(text), count, "{text}");
        }
    }

    #[test]
    fn a_later_comment_adds_to_the_header_or_is_said_to_disagree() {
        let mut header = header(&["MaxProcs: 64"]);
        let mut reader = HeaderReader::default();
        let mut below = |comment: &str| reader.below_jobs(9, comment.as_bytes(), &mut header);
        assert_eq!(below("Computer: another"), None);
        assert_eq!(below("MaxProcs: 64"), None);
        assert_eq!(
            below("MaxProcs: 128").as_deref(),
            Some("line 9 says MaxProcs: 128, but the header says 64, which is taken")
        );
        assert_eq!(below("MaxNodes: 8"), None);
        assert_eq!(header.count("MaxNodes"), Some(8));
        assert_eq!(header.get("Computer"), None);
    }

    #[test]
    fn a_header_names_queues() {
        let header = header(&[
            "Queue: 3 batch",
            "Queue: 4 - long runs",
            "Queues: two",
            "Queue: x",
        ]);
        let labels = labels(&header);
        let names: Vec<(i32, &str)> = labels
            .queues
            .iter()
            .map(|(&number, name)| (number, name.as_str()))
            .collect();
        assert_eq!(names, [(3, "batch"), (4, "long runs")]);
    }
}
