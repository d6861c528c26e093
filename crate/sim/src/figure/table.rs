//! The workloads of a paper in numbers.
//!
//! A row is computed from the first jobs of a log, bandwidth being drawn in several replications, or,
//! where the log is not at hand, from the look-alike that stands in for it; then nothing is claimed.

use super::claim::{self, Claim, Evidence, Finding, Judged, Outcome, Side};
use super::sweep::{Effort, Log, WorkloadFrom};
use crate::scenario::Problem;
use crate::stats::{Estimate, estimate};
use crate::unit::MICROS;
use crate::workload::{self, Trace};

/// Workloads to describe.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The logs they come from.
    pub logs: &'static [&'static Log],
    /// What is printed.
    pub claims: &'static [Claim<Check>],
}

/// A printed number: it must not lie further from the one found than this.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The log's title.
    pub log: &'static str,
    /// Which number.
    pub column: Column,
    /// What is printed.
    pub printed: f64,
    /// How far it may be from what is found: half of its last digit, or chance.
    pub within: f64,
}

/// What is told of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Mean runtime.
    Runtime,
    /// How many jobs.
    Jobs,
    /// Mean bandwidth.
    Bandwidth,
    /// The largest size.
    LargestSize,
}

impl Column {
    /// All, as they stand in the table.
    pub const ALL: [Column; 4] = [
        Column::Runtime,
        Column::Jobs,
        Column::Bandwidth,
        Column::LargestSize,
    ];

    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Column::Runtime => "mean_runtime",
            Column::Jobs => "jobs",
            Column::Bandwidth => "mean_bandwidth",
            Column::LargestSize => "largest_size",
        }
    }

    /// What a reader calls it.
    pub fn label(self) -> &'static str {
        match self {
            Column::Runtime => "Mean runtime",
            Column::Jobs => "Jobs",
            Column::Bandwidth => "Mean bandwidth",
            Column::LargestSize => "Largest size",
        }
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Column::Runtime => "min",
            Column::Jobs => "",
            Column::Bandwidth => "Mbit/s",
            Column::LargestSize => "slots",
        }
    }
}

/// A workload in numbers.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its log.
    pub log: &'static Log,
    /// Whether it is the log or a look-alike.
    pub from: WorkloadFrom,
    /// The numbers, by [`Column::ALL`].
    pub values: [Estimate; 4],
}

impl Table {
    /// The row of a log; without a trace that of its look-alike.
    ///
    /// # Errors
    /// The trace cannot be scaled to the load of the figures.
    pub fn row(log: &'static Log, trace: Option<&Trace>, effort: Effort) -> Result<Row, Problem> {
        let from = WorkloadFrom::of(trace);
        let scenario = log.scenario(from);
        let setup = scenario.setup(None, None, 0);
        let mut columns: [Vec<f64>; 4] = Default::default();
        for replication in 0..u64::from(effort.replications()) {
            let jobs = workload::jobs(
                &setup.workload,
                trace,
                &setup.system.capacity(),
                setup.options.seed,
                replication,
            )?;
            let count = jobs.len() as f64;
            let mean = |sum: u64| sum as f64 / count;
            let values = [
                mean(jobs.iter().map(|job| job.runtime.0).sum()) / (60 * MICROS) as f64,
                count,
                mean(jobs.iter().map(|job| job.bandwidth.0).sum()) / 1000.0,
                jobs.iter()
                    .map(|job| f64::from(job.size))
                    .fold(0.0, f64::max),
            ];
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        Ok(Row {
            log,
            from,
            values: columns.map(
                |column| match column.iter().all(|&value| value == column[0]) {
                    // Only what is drawn has an interval.
                    true => claim::exact(column[0]),
                    false => estimate(&column).expect("there is a replication"),
                },
            ),
        })
    }

    pub(super) fn judge(&self, rows: &[Row]) -> Vec<Judged> {
        let judge = |claim: &Claim<Check>| {
            let Check {
                log,
                column,
                printed,
                within,
            } = claim.check;
            let mut needs_log = false;
            let mut evidence = Vec::new();
            for row in rows.iter().filter(|row| row.log.title == log) {
                needs_log |= row.from == WorkloadFrom::LookAlike;
                let place = Column::ALL.iter().position(|&other| other == column);
                let value = row.values[place.expect("a column of the table")];
                let distance = (value.mean - printed).abs();
                evidence.push(Evidence {
                    what: format!("{} of {log}", column.label()),
                    unit: column.unit(),
                    value,
                    side: match distance - value.half_width.unwrap_or(0.0) {
                        _ if distance <= within => Side::For,
                        least if least > within => Side::Against,
                        _ => Side::Open,
                    },
                });
            }
            let finding = Finding {
                reading: String::new(),
                outcome: match needs_log {
                    true => Outcome::NeedsLog,
                    false => claim::all(&evidence),
                },
                evidence,
            };
            claim.judged(vec![finding], |_| String::new())
        };
        self.claims.iter().map(judge).collect()
    }
}
