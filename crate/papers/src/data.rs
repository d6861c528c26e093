//! The data computed for figures of every kind.

use super::effort::Effort;
use super::interpretation::Interpretation;
use super::log::{Log, WorkloadFrom};
use super::pair::Pair;
use backfill_experiment::forecast::calibration::Case;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::Results;
use backfill_sim::id::ServerId;
use backfill_sim::stats::MeanEstimate;
use backfill_sim::system::fat_tree::place::TreePlacement;

/// The data of a figure.
#[derive(Clone, Debug)]
pub enum Data {
    /// The results under each interpretation, the default one first.
    Sweep {
        /// The source of the jobs.
        from: WorkloadFrom,
        /// The runs, complete, one for each interpretation.
        runs: Vec<FigureRun>,
    },
    /// The curves of weights.
    Weights(Vec<WeightCurve>),
    /// The result of each placement.
    Step(Vec<StepRow>),
    /// The rows of the table.
    Table(Vec<TableRow>),
    /// A row for each scheduler, two for A1.
    Decisions(Vec<DecisionsRow>),
    /// Forecasts beside what came.
    Calibration {
        /// The effort, which gives the number of parts.
        effort: Effort,
        /// The cases in the order of their instants; none where the log is missing.
        cases: Vec<Case>,
    },
}

/// A sweep under one interpretation.
#[derive(Clone, Debug)]
pub struct FigureRun {
    /// The interpretation.
    pub interpretation: Interpretation,
    /// Its scenario.
    pub scenario: Scenario,
    /// The results, complete.
    pub results: Results,
}

/// The weight of a server for one bandwidth.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightCurve {
    /// The requested bandwidth, in Mbit/s.
    pub bandwidth_mbps: u32,
    /// The weight at 0, 1, … free slots.
    pub weights: Vec<f64>,
    /// The free slots, at least one, with the greatest weight.
    pub peak: u32,
}

/// The result of a placement.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRow {
    /// The placement.
    pub placement: TreePlacement,
    /// The servers of the first request: (server, machines); empty if it was rejected.
    pub servers: Vec<(ServerId, u32)>,
    /// Servers without any machine afterwards.
    pub idle: u32,
    /// The number of following requests that it accepted.
    pub accepted: u32,
}

/// The source of a workload.
#[derive(Clone, Copy, Debug)]
pub enum WorkloadSource {
    /// A published log.
    Log(&'static Log),
    /// Distributions that jobs are sampled from.
    Laws {
        /// Its title.
        title: &'static str,
        /// The keys of the distributions.
        pairs: &'static [Pair],
    },
}

/// A column of the table: a number of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableColumn {
    /// The mean runtime.
    Runtime,
    /// The number of jobs.
    Jobs,
    /// The mean bandwidth.
    Bandwidth,
    /// The largest size.
    LargestSize,
    /// The share of jobs of one process.
    Single,
    /// The share of jobs of less than 20 processes.
    Small,
}

/// A workload in numbers.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// The source of the workload.
    pub source: WorkloadSource,
    /// Whether it is as stated or a look-alike of a log.
    pub from: WorkloadFrom,
    /// The numbers, by column.
    pub values: Vec<(TableColumn, MeanEstimate)>,
}

/// A search of A1 for a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// By nested loops, as in the paper.
    NestedLoops,
    /// By reachable sums, as in every other run here.
    ReachableSums,
}

/// The cost of a scheduler's decisions.
#[derive(Clone, Debug)]
pub struct DecisionsRow {
    /// The scheduler's label.
    pub scheduler: String,
    /// Its search, if it is A1.
    pub search: Option<Search>,
    /// The number of decisions in its runs of a replication.
    pub decisions: MeanEstimate,
    /// The share of them that find a placement, in per cent.
    pub placed: MeanEstimate,
    /// The steps of one decision.
    pub steps: MeanEstimate,
    /// The steps of a decision in each replication.
    pub(super) by_replication: Vec<f64>,
}
