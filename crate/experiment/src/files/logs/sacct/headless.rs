//! What sacct printed without a heading: a guess of the names of its columns, from one line.

use super::super::values::{duration, instant, whole};
use super::id::subject;
use super::state::status;
use backfill_sim::workload::trace::Status;

/// The names of columns with each form of value, in the order in which they are mostly printed.
const INSTANTS: [&str; 3] = ["Submit", "Start", "End"];
const DURATIONS: [&str; 2] = ["Elapsed", "Timelimit"];
const COUNTS: [&str; 3] = ["AllocCPUS", "ReqCPUS", "NNodes"];
const TEXTS: [&str; 4] = ["JobName", "User", "Account", "Partition"];

/// The heading that a line of a job may have had; `None` if it is no line of sacct.
pub(super) fn heading(line: &[u8]) -> Option<String> {
    let text = str::from_utf8(line).ok()?;
    let mut fields = text.trim().split('|').map(str::trim);
    subject(fields.next()?)?;
    let mut names = vec!["JobID"];
    let [mut instants, mut durations, mut counts, mut texts] =
        [&INSTANTS[..], &DURATIONS, &COUNTS, &TEXTS].map(<[&str]>::iter);
    for field in fields {
        let first_word = field.split(' ').next().unwrap_or_default();
        let name = if whole::<u32>(field).is_some() {
            counts.next()
        } else if instant(field).is_some() || field == "Unknown" {
            instants.next()
        } else if duration(field).is_some() {
            durations.next()
        } else if status(first_word) != Status::Unknown {
            Some(&"State")
        } else {
            texts.next()
        };
        names.push(name?);
    }
    names.contains(&"Submit").then(|| names.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_guessed_from_a_line_with_instants() {
        let line = b"7_2|ann|2024-03-01T10:00:00|2024-03-01T10:00:05|00:10:00|8|CANCELLED by 7";
        let guess = heading(line);
        let expected = "JobID|JobName|Submit|Start|Elapsed|AllocCPUS|State";
        assert_eq!(guess.as_deref(), Some(expected));
        assert_eq!(heading(b"7|ann|COMPLETED"), None);
        assert_eq!(heading(b"ann|2024-03-01T10:00:00"), None);
    }
}
