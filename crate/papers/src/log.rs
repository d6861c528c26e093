//! Workload logs that figures are drawn from, and what stands in for them.

use super::pair::Pair;
use backfill_experiment::language::scenario::Scenario;
use backfill_sim::workload::Trace;

/// A workload log that a figure is drawn from. It is published and may not be copied here.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// The name by which a reader knows it.
    pub title: &'static str,
    /// The name of its file as it is published.
    pub file: &'static str,
    /// SHA-256 of the decompressed file.
    pub sha256: &'static str,
    /// How many of its first jobs are taken.
    pub first: &'static str,
    /// Generated jobs that stand in for it: as many, of the same mean runtime, with sizes of the
    /// same kind and mean or range.
    pub look_alike: &'static [Pair],
}

/// Where the Parallel Workloads Archive publishes its logs.
pub const ARCHIVE: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

/// Where the jobs of a figure come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkloadFrom {
    /// The log that the text names, or the distributions that it states.
    Log,
    /// Generated jobs that stand in for the log.
    LookAlike,
}

impl WorkloadFrom {
    /// The log where there is its trace.
    pub fn of(trace: Option<&Trace>) -> WorkloadFrom {
        match trace {
            Some(_) => WorkloadFrom::Log,
            None => WorkloadFrom::LookAlike,
        }
    }

    /// The log where there is none to be had or it is at hand.
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

    /// A scenario of its jobs and nothing else.
    pub fn scenario(&self, from: WorkloadFrom) -> Scenario {
        let fixed = [("x", "none"), ("policy", "none")];
        let pairs = self.pairs(from).into_iter().chain(fixed);
        Scenario::parse(pairs).expect("the tables hold valid scenarios")
    }
}
