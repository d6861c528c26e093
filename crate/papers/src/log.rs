//! Workload logs of figures, and the generated jobs that replace missing ones.

use super::pair::Pair;
use backfill_experiment::language::scenario::Scenario;
use backfill_sim::workload::Trace;

/// A workload log of a figure. It is published and may not be copied here.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// Its title.
    pub title: &'static str,
    /// The name of its published file.
    pub file: &'static str,
    /// SHA-256 of the decompressed file.
    pub sha256: &'static str,
    /// The number of its first jobs that are used.
    pub first: &'static str,
    /// Generated jobs that replace a missing log: as many, of the same mean runtime, with sizes of
    /// the same kind and mean or range.
    pub look_alike: &'static [Pair],
}

/// The address of the Parallel Workloads Archive's logs.
pub const ARCHIVE: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

/// The source of the jobs of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkloadFrom {
    /// The log that the text names, or the distributions that it states.
    Log,
    /// Generated jobs instead of the log.
    LookAlike,
}

impl WorkloadFrom {
    /// The log if its trace is available.
    pub fn of(trace: Option<&Trace>) -> WorkloadFrom {
        match trace {
            Some(_) => WorkloadFrom::Log,
            None => WorkloadFrom::LookAlike,
        }
    }

    /// The log if it is available or none is needed.
    pub(super) fn at_hand(log: Option<&Log>, at_hand: &dyn Fn(&Log) -> bool) -> WorkloadFrom {
        if log.is_none_or(at_hand) {
            WorkloadFrom::Log
        } else {
            WorkloadFrom::LookAlike
        }
    }

    /// The name of this source of jobs in tables.
    pub fn name(self) -> &'static str {
        match self {
            WorkloadFrom::Log => "as stated",
            WorkloadFrom::LookAlike => "look-alike",
        }
    }
}

impl Log {
    pub(super) fn pairs(&self, from: WorkloadFrom) -> Vec<(&'static str, &'static str)> {
        match from {
            WorkloadFrom::LookAlike => self.look_alike.to_vec(),
            WorkloadFrom::Log => vec![
                ("workload", "swf"),
                ("file", self.file),
                ("sha256", self.sha256),
                ("first", self.first),
            ],
        }
    }

    /// A scenario of only its jobs.
    pub fn scenario(&self, from: WorkloadFrom) -> Scenario {
        let fixed = [("x", "none"), ("policy", "none")];
        let pairs = self.pairs(from).into_iter().chain(fixed);
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }
}
