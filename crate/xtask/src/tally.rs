//! Counting what passed.
//!
//! Test programs are read as they print: each states its own counts. A test that cannot run where
//! it is prints a line `skipped: REASON` and returns; its program counts it as passed, the tally as
//! skipped.

use std::fmt;
use std::ops::AddAssign;

/// Counts of checks and tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Those that hold.
    pub(crate) passed: i64,
    /// Those that do not.
    pub(crate) failed: i64,
    /// Those that could not be tried here.
    pub(crate) skipped: i64,
}

impl Tally {
    /// One check that holds.
    pub(crate) const PASSED: Tally = Tally {
        passed: 1,
        failed: 0,
        skipped: 0,
    };
    /// One check that does not.
    pub(crate) const FAILED: Tally = Tally {
        passed: 0,
        failed: 1,
        skipped: 0,
    };

    /// One check that cannot be tried here; says why.
    pub(crate) fn skipped(reason: &str) -> Tally {
        println!("skipped: {reason}");
        Tally {
            passed: 0,
            failed: 0,
            skipped: 1,
        }
    }

    /// Adds what one `line` of a Rust test program says.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        if line.starts_with("skipped: ") {
            self.skipped += 1;
            self.passed -= 1;
        }
        let Some(counts) = line.strip_prefix("test result: ") else {
            return;
        };
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
            "---- b stdout ----",
            "skipped: BACKFILL_TRACES is not set",
            "test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 9 filtered out; finished in 0.00s",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            tally.read_cargo(line);
        }
        assert_eq!(
            tally,
            Tally {
                passed: 7,
                failed: 1,
                skipped: 3
            }
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
        ] {
            tally.read_node(line);
        }
        assert_eq!(tally.to_string(), "3 passed, 2 failed, 1 skipped");
    }
}
