//! What is computed of figures, of every kind.

use super::interpretation::Interpretation;
use super::log::{Log, WorkloadFrom};
use super::pair::Pair;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::Results;
use backfill_sim::id::ServerId;
use backfill_sim::stats::MeanEstimate;
use backfill_sim::system::fat_tree::place::TreePlacement;

/// What was computed of a figure.
#[derive(Clone, Debug)]
pub enum Data {
    /// The results under each interpretation, the default one first.
    Sweep {
        /// Where the jobs come from.
        from: WorkloadFrom,
        /// The runs, complete, one for each interpretation.
        runs: Vec<FigureRun>,
    },
    /// The curves of weights.
    Weights(Vec<WeightCurve>),
    /// What each placement did.
    Step(Vec<StepRow>),
    /// The rows of the table.
    Table(Vec<TableRow>),
    /// A row for each scheduler, of A1 two.
    Decisions(Vec<DecisionsRow>),
}

/// A sweep under one interpretation.
#[derive(Clone, Debug)]
pub struct FigureRun {
    /// The interpretation that was simulated.
    pub interpretation: Interpretation,
    /// The scenario that it makes.
    pub scenario: Scenario,
    /// What came of it, complete.
    pub results: Results,
}

/// The weight of a server for one bandwidth.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightCurve {
    /// The bandwidth asked for, in Mbit/s.
    pub bandwidth_mbps: u32,
    /// The weight at 0, 1, … free slots.
    pub weights: Vec<f64>,
    /// The free slots, at least one, with the greatest weight.
    pub peak: u32,
}

/// What a placement did.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRow {
    /// The placement that did it.
    pub placement: TreePlacement,
    /// Where it put the first request: (server, machines); empty if nowhere.
    pub servers: Vec<(ServerId, u32)>,
    /// Servers without any machine after it.
    pub idle: u32,
    /// How many of the following requests it accepted.
    pub accepted: u32,
}

/// Where a workload comes from.
#[derive(Clone, Copy, Debug)]
pub enum WorkloadSource {
    /// A log that is published.
    Log(&'static Log),
    /// Laws that jobs are drawn from.
    Laws {
        /// The name by which a reader knows it.
        title: &'static str,
        /// The keys that say the distributions.
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

/// A way in which A1 looks for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// By nested loops, as in the paper.
    NestedLoops,
    /// By the sums that can be reached, as in every other run here.
    ReachableSums,
}

/// What the decisions of a scheduler cost.
#[derive(Clone, Debug)]
pub struct DecisionsRow {
    /// The scheduler's label.
    pub scheduler: String,
    /// How it looks for a place, if it is A1.
    pub search: Option<Search>,
    /// How many decisions its runs of a replication ask for.
    pub decisions: MeanEstimate,
    /// The share of them that find a place, in per cent.
    pub placed: MeanEstimate,
    /// How many steps one takes.
    pub steps: MeanEstimate,
    /// The steps of a decision in each replication.
    pub(super) by_replication: Vec<f64>,
}
