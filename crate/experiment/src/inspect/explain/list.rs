//! Counts and lists in sentences.

use std::fmt;

/// How many names a sentence lists before it counts the rest.
const LISTED: usize = 6;

/// So many of them.
pub(super) fn many(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// The first of several things, and how many more there are.
pub(super) fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut say: impl FnMut(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().take(LISTED).enumerate() {
        if index > 0 {
            write!(f, ", ")?;
        }
        say(item, f)?;
    }
    match items.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
