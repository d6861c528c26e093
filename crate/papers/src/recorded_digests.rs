//! Recorded digests: what the runs of each scenario come to that a link to a figure opens, as lines
//! of text.
//!
//! ```text
//! fig4 1a2b3c4d 0123456789abcdef
//! ```
//!
//! The name of the figure, the checksum of the link, which names the scenario, and the digest of its
//! runs.

use std::fmt::Write as _;

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::language::scenario::link::LinkError;

use crate::recorded::BadLine;
use crate::sweep::linked;

/// The digest of a scenario that links to a figure open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedDigest {
    /// The figure's name.
    pub id: String,
    /// The [`checksum`] of the scenario's link.
    pub link: String,
    /// The digest of all its runs.
    pub digest: String,
}

/// The digests as text, which [`read`] reads.
pub fn write(all: &[RecordedDigest]) -> String {
    let mut text = String::new();
    for RecordedDigest { id, link, digest } in all {
        // `writeln!` to a string does not fail.
        let _ = writeln!(text, "{id} {link} {digest}");
    }
    text
}

/// The digests written by [`write()`].
///
/// # Errors
/// The first malformed line.
pub fn read(text: &str) -> Result<Vec<RecordedDigest>, BadLine> {
    let digest = |(line, content): (usize, &str)| {
        let parts: Vec<&str> = content.split(' ').collect();
        let [id, link, digest] = parts.as_slice() else {
            return Err(BadLine {
                line,
                expected: "a figure, the checksum of a link and a digest",
            });
        };
        Ok(RecordedDigest {
            id: (*id).to_owned(),
            link: (*link).to_owned(),
            digest: (*digest).to_owned(),
        })
    };
    (1..).zip(text.lines()).map(digest).collect()
}

/// The checksum at the end of the link to a scenario.
///
/// # Errors
/// The link has too many characters.
pub fn checksum(scenario: &Scenario) -> Result<String, LinkError> {
    let link = linked(scenario, None)?;
    let sum = link.rsplit('=').next();
    Ok(sum.expect("links end in a checksum").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let digest = |link: &str, digest: &str| RecordedDigest {
            id: "fig4".to_owned(),
            link: link.to_owned(),
            digest: digest.to_owned(),
        };
        let all = [
            digest("1a2b3c4d", "0123456789abcdef"),
            digest("00000000", "fedcba9876543210"),
        ];
        assert_eq!(read(&write(&all)).expect("it was written"), all);
        let error = read("fig4 1a2b3c4d 0123456789abcdef\nfig4 1a2b3c4d\n").unwrap_err();
        assert_eq!(error.line, 2);
    }
}
