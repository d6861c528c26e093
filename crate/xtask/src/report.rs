//! What a run of several steps came to, and where its time went.

use crate::tally::Tally;
use anyhow::Result;
use std::fs;
use std::time::Instant;

/// What happened so far.
#[derive(Default)]
pub(crate) struct Report {
    tally: Tally,
    failed: Vec<&'static str>,
    times: Vec<(&'static str, f64, Option<f64>)>,
}

impl Report {
    /// Runs a step under a heading; one that fails does not keep the others from running.
    pub(crate) fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<Tally>) {
        println!("\n== {name}");
        let (begun, before) = (Instant::now(), processor_seconds());
        let tally = run().unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::FAILED
        });
        let spent = processor_seconds().zip(before);
        let spent = spent.map(|(after, before)| after - before);
        self.times
            .push((name, begun.elapsed().as_secs_f64(), spent));
        if tally.failed > 0 {
            self.failed.push(name);
        }
        self.tally += tally;
    }

    /// Prints where the time went, what is said of tests that failed, and the tally; true if nothing failed.
    pub(crate) fn close(self) -> bool {
        println!("\n{:>8} {:>12}  step", "seconds", "processor s");
        let whole = self.times.iter().map(|(_, seconds, _)| seconds).sum();
        let spent = self.times.iter().map(|(_, _, spent)| *spent).sum();
        for (name, seconds, spent) in self.times.iter().chain(&[("all of them", whole, spent)]) {
            let spent = spent.map_or("–".to_owned(), |spent| format!("{spent:.1}"));
            println!("{seconds:>8.1} {spent:>12}  {name}");
        }
        println!();
        for line in &self.tally.failures {
            println!("{line}");
        }
        if !self.failed.is_empty() {
            println!("failed: {}", self.failed.join(", "));
        }
        println!("{}", self.tally);
        self.failed.is_empty()
    }
}

/// The processor time of all programs that this one has started and that have ended, where the
/// system tells it as Linux does.
fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(13);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    // Linux counts in hundredths of a second for programs on every processor.
    Some((user + system) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_is_counted_and_the_next_one_runs() {
        let mut report = Report::default();
        report.step("one", || anyhow::bail!("no"));
        report.step("another", || Ok(Tally::PASSED));
        assert_eq!((report.tally.passed, report.tally.failed), (1, 1));
        assert_eq!(report.failed, ["one"]);
        assert!(!report.close());
    }
}
