//! Conditions on jobs, as the table of a run takes them.

use backfill_experiment::inspect::job_table::Filter;

/// Conditions are read, or refused by a sentence.
///
/// # Panics
/// The sentence is empty.
pub fn filter(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match Filter::parse(&text) {
        Ok(_) => {}
        Err(sentence) => assert!(!sentence.is_empty()),
    }
}
