//! Counting what passed.
//!
//! Test programs are read as they print: each states its own counts. A test that cannot run where
//! it is prints a line `skipped: REASON` and returns; its program counts it as passed, the tally as
//! skipped. What they print of tests that failed is kept, for whoever sees the end of a run alone.

use std::fmt;
use std::ops::AddAssign;

/// How many lines about failed tests a step keeps.
const MOST_LINES: usize = 80;
/// How many letters of such a line are kept.
const LONGEST_LINE: usize = 300;

/// Counts of checks and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Those that hold.
    pub(crate) passed: i64,
    /// Those that do not.
    pub(crate) failed: i64,
    /// Those that could not be tried here.
    pub(crate) skipped: i64,
    /// What is printed of those that failed, the first lines of it.
    pub(crate) failures: Vec<String>,
    /// Whether the lines that are being read are about tests that failed.
    in_failures: bool,
}

impl Tally {
    /// One check that holds.
    pub(crate) const PASSED: Tally = Tally::of(1, 0, 0);
    /// One check that does not.
    pub(crate) const FAILED: Tally = Tally::of(0, 1, 0);

    const fn of(passed: i64, failed: i64, skipped: i64) -> Tally {
        Tally {
            passed,
            failed,
            skipped,
            failures: Vec::new(),
            in_failures: false,
        }
    }

    /// One check that cannot be tried here; says why.
    pub(crate) fn skipped(reason: &str) -> Tally {
        println!("skipped: {reason}");
        Tally::of(0, 0, 1)
    }

    /// Keeps a `line`, if there is room for it.
    fn keep(&mut self, line: &str) {
        if self.failures.len() < MOST_LINES {
            self.failures
                .push(line.chars().take(LONGEST_LINE).collect());
        }
    }

    /// Adds what one `line` of a Rust test program says.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        if line.starts_with("skipped: ") {
            self.skipped += 1;
            self.passed -= 1;
        }
        let Some(counts) = line.strip_prefix("test result: ") else {
            self.in_failures |= line == "failures:";
            if self.in_failures {
                self.keep(line);
            }
            return;
        };
        self.in_failures = false;
        let count = |kind: &str| -> i64 {
            let words: Vec<_> = counts
                .split([' ', ';'])
                .filter(|word| !word.is_empty())
                .collect();
            let place = words.iter().position(|word| *word == kind);
            place.map_or(0, |place| words[place - 1].parse().unwrap_or(0))
        };
        self.passed += count("passed");
        self.failed += count("failed");
        self.skipped += count("ignored");
    }

    /// Adds what one `line` of Node's test runner says.
    pub(crate) fn read_node(&mut self, line: &str) {
        self.in_failures |= line == "✖ failing tests:";
        if self.in_failures {
            self.keep(line);
        }
        let Some((kind, count)) = line
            .strip_prefix("ℹ ")
            .and_then(|line| line.split_once(' '))
        else {
            return;
        };
        let count = count.parse::<i64>().unwrap_or(0);
        match kind {
            "pass" => self.passed += count,
            "fail" | "cancelled" => self.failed += count,
            "skipped" | "todo" => self.skipped += count,
            _ => {}
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_test_programs_are_counted() {
        let mut tally = Tally::default();
        for line in [
            "running 4 tests",
            "test a ... ok",
            "skipped: BACKFILL_TRACES is not set",
            "failures:",
            "---- b stdout ----",
            "assertion failed",
            "test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 9 filtered out; finished in 0.00s",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            tally.read_cargo(line);
        }
        assert_eq!(tally.to_string(), "7 passed, 1 failed, 3 skipped");
        assert_eq!(
            tally.failures,
            ["failures:", "---- b stdout ----", "assertion failed"]
        );
    }

    #[test]
    fn nodes_tests_are_counted() {
        let mut tally = Tally::default();
        for line in [
            "✔ a (3ms)",
            "ℹ tests 6",
            "ℹ pass 3",
            "ℹ fail 1",
            "ℹ cancelled 1",
            "ℹ skipped 1",
            "✖ failing tests:",
            "✖ b (3ms)",
        ] {
            tally.read_node(line);
        }
        assert_eq!(tally.to_string(), "3 passed, 2 failed, 1 skipped");
        assert_eq!(tally.failures, ["✖ failing tests:", "✖ b (3ms)"]);
    }
}
