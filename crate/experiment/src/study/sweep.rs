//! The runs of a scenario, and their results as curves.
//!
//! A *cell* is one run: a policy at one point of the sweep in one replication. Cells may be run in
//! any order, anywhere; outcomes are sorted into scenario order (y, x, policy, replication), so
//! that every number here, the digest included, does not depend on the order of runs.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::language::scenario::Scenario;
pub use crate::study::cell::Cell;
use crate::study::spread::Spread;
use crate::study::stored::{self, StoredOutcome, StoredValues};
use backfill_sim::digest::Digest;
use backfill_sim::job::Jobs;
use backfill_sim::metrics::{self, METRICS, Metric, RunOptions, Timed};
use backfill_sim::over_time::OverTime;
use backfill_sim::problem::Problem;
use backfill_sim::run::{Finished, Keep, Replay, Run};
use backfill_sim::setup::Setup;
use backfill_sim::stats::{MeanEstimate, estimate};
use backfill_sim::workload::{self, Arrivals, Load, Trace};

/// The cells of a scenario in scenario order.
pub fn cells(scenario: &Scenario) -> Vec<Cell> {
    let extent =
        |axis: Option<&crate::language::scenario::Axis>| axis.map_or(1, |axis| axis.values.len());
    let mut cells = Vec::with_capacity(scenario.runs());
    for y in 0..extent(scenario.y()) {
        for x in 0..extent(scenario.x()) {
            for policy in 0..scenario.policies().len() {
                for replication in 0..scenario.reps() {
                    cells.push(Cell {
                        index: cells.len(),
                        x,
                        y,
                        policy,
                        replication,
                    });
                }
            }
        }
    }
    cells
}

/// The setup and the jobs of a cell.
///
/// # Errors
/// The workload cannot be made: a trace is missing or cannot be scaled to the load.
pub fn parts(
    scenario: &Scenario,
    cell: Cell,
    trace: Option<&Trace>,
) -> Result<(Setup, Jobs), Problem> {
    let (setup, jobs) = arrivals(scenario, cell, trace)?;
    Ok((setup, jobs.into_jobs()))
}

/// The same, with jobs made one by one where possible.
fn arrivals(
    scenario: &Scenario,
    cell: Cell,
    trace: Option<&Trace>,
) -> Result<(Setup, Arrivals), Problem> {
    let point = |axis: Option<&crate::language::scenario::Axis>, at| axis.map(|_| at);
    let setup = scenario.setup(
        point(scenario.x(), cell.x),
        point(scenario.y(), cell.y),
        cell.policy,
    );
    let mut setup = setup.fitted(trace);
    if let Some(trace) = trace
        && scenario.deterministic()
        && setup.workload.load == Load::AsLogged
    {
        setup.options.calendar = Some(trace.calendar());
    }
    let jobs = workload::arrivals(
        &setup.workload,
        trace,
        &setup.system.capacity(),
        setup.options.seed,
        u64::from(cell.replication),
    )?;
    Ok((setup, jobs))
}

/// The result of one cell. Serialised, it names its metrics; a [`StoredOutcome`] reads it back.
#[derive(Clone, Debug, PartialEq, Serialize, ts_rs::TS)]
pub struct CellOutcome {
    /// The cell.
    pub cell: Cell,
    /// Fingerprint of the run's events, 16 hexadecimal digits.
    pub digest: String,
    /// The value of each metric, in the order of [`METRICS`]; `None` if not defined.
    #[serde(serialize_with = "stored::by_name")]
    #[ts(type = "{ [name: string]: number | null }")]
    pub metrics: Vec<Option<f64>>,
    /// The number of jobs simulated.
    pub jobs: usize,
    /// The run over the calendar: of a log whose submit times are as logged, where nothing is
    /// random.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub over_time: Option<Box<OverTime>>,
}

/// A cell in simulation.
pub struct CellRun {
    cell: Cell,
    /// Its own run, then those of the other policies on the same jobs, if times are restricted to
    /// the jobs that all of them run.
    runs: Vec<Run>,
    /// The number of them that have ended.
    over: usize,
    options: RunOptions,
}

impl CellRun {
    /// Starts a cell.
    ///
    /// # Errors
    /// The workload cannot be made: see [`parts`].
    pub fn new(
        scenario: &Scenario,
        cell: Cell,
        trace: Option<&Trace>,
        keep: Keep,
    ) -> Result<CellRun, Problem> {
        let (setup, jobs) = arrivals(scenario, cell, trace)?;
        let mut runs = vec![Run::new(&setup, jobs, keep)];
        if setup.options.timed == Timed::Common {
            let others = (0..scenario.policies().len()).filter(|&policy| policy != cell.policy);
            for policy in others {
                let (setup, jobs) = arrivals(scenario, Cell { policy, ..cell }, trace)?;
                runs.push(Run::new(&setup, jobs, Keep::Histories));
            }
        }
        Ok(CellRun {
            cell,
            runs,
            over: 0,
            options: setup.options,
        })
    }

    /// Simulates until at least `events` events have happened. Returns whether the cell has ended.
    pub fn advance(&mut self, events: u64) -> bool {
        if let Some(run) = self.runs.get_mut(self.over)
            && run.advance(events)
        {
            self.over += 1;
        }
        self.over == self.runs.len()
    }

    /// The numbers of finished jobs and of all jobs.
    pub fn progress(&self) -> (usize, usize) {
        let each = self.runs.iter().map(Run::progress);
        each.fold((0, 0), |sum, (done, jobs)| (sum.0 + done, sum.1 + jobs))
    }

    /// The number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.runs.get(self.over).map_or(0, Run::waiting)
    }

    /// Simulates the rest; returns the result and the run, as far as it was kept.
    pub fn finish(self) -> (CellOutcome, Replay) {
        let cell = self.cell;
        let (finished, _) = self.end();
        let outcome = CellOutcome {
            cell,
            digest: format!("{:016x}", finished.digest),
            metrics: finished.metrics,
            jobs: finished.jobs,
            over_time: finished.over_time.map(Box::new),
        };
        (outcome, finished.replay)
    }

    /// Simulates the rest; returns the cell and the distribution of its waits, which needs the jobs
    /// of the run.
    pub fn spread(self) -> (Cell, Spread) {
        let (cell, options) = (self.cell, self.options.clone());
        let (Finished { replay, .. }, among) = self.end();
        let waits = metrics::waits(&replay.jobs, &replay.record, &options, among.as_deref());
        (cell, Spread::of(&waits))
    }

    /// Simulates the rest; returns its own run, and the jobs to which times are restricted, if any.
    fn end(self) -> (Finished, Option<Vec<bool>>) {
        let mut runs = self.runs.into_iter();
        let own = runs.next().expect("a cell has a run of its own");
        let mut among: Option<Vec<bool>> = None;
        for other in runs {
            let histories = other.finish().replay.record.histories;
            let among = among.get_or_insert_with(|| vec![true; histories.len()]);
            for (common, history) in among.iter_mut().zip(histories.iter()) {
                *common &= history.outcome.end().is_some();
            }
        }
        (own.finish_among(among.as_deref()), among)
    }
}

/// One point of a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Point {
    /// Position on the x axis.
    pub x: usize,
    /// Position on the y axis.
    pub y: usize,
    /// The position of the policy.
    pub policy: usize,
    /// The position of the metric in [`METRICS`]; serialised by its name.
    #[serde(serialize_with = "stored::name")]
    pub metric: usize,
    /// Mean over the available replications.
    pub value: MeanEstimate,
    /// Paired difference from the reference policy, over the replications that both have; `None`
    /// for the reference itself.
    pub difference: Option<MeanEstimate>,
}

/// The outcomes of a scenario so far.
#[derive(Clone, Debug)]
pub struct Results {
    reference: usize,
    policies: usize,
    replications: usize,
    /// The number of values of x.
    places: usize,
    /// By the index of their cells; boxed, as a file may have few of the runs of a large scenario.
    outcomes: Vec<Option<Box<CellOutcome>>>,
    /// The release that made them, if it is not this one.
    core: Option<String>,
    /// The positions of metrics for which a stored outcome had no value.
    lacking: BTreeSet<usize>,
}

impl Results {
    /// No outcome yet.
    pub fn new(scenario: &Scenario) -> Results {
        Results {
            reference: scenario.reference(),
            policies: scenario.policies().len(),
            replications: scenario.reps() as usize,
            places: scenario.x().map_or(1, |axis| axis.values.len()),
            outcomes: vec![None; scenario.runs()],
            core: None,
            lacking: BTreeSet::new(),
        }
    }

    /// Adds the outcome of a cell of the same scenario, or of one that differs only in the number
    /// of replications; a second one for a cell replaces the first, which is returned.
    pub fn add(&mut self, mut outcome: CellOutcome) -> Option<CellOutcome> {
        let Cell {
            x,
            y,
            policy,
            replication,
            ..
        } = outcome.cell;
        let index = self.first(y, x, policy) + replication as usize;
        outcome.cell.index = index;
        self.outcomes[index]
            .replace(Box::new(outcome))
            .map(|replaced| *replaced)
    }

    /// Adds a stored outcome, as [`Results::add`] does, after a check against the scenario. A
    /// metric without a value is not defined; [`Results::lacking`] lists those. Returns the index
    /// of its cell and the outcome that it replaces.
    ///
    /// # Errors
    /// A sentence on why it cannot be one of the scenario.
    pub fn restore(
        &mut self,
        stored: StoredOutcome,
    ) -> Result<(usize, Option<CellOutcome>), String> {
        let StoredOutcome {
            cell,
            digest,
            metrics,
            jobs,
            over_time,
        } = stored;
        let values_of_y = self.outcomes.len() / (self.places * self.policies * self.replications);
        let known = cell.x < self.places
            && cell.y < values_of_y
            && cell.policy < self.policies
            && (cell.replication as usize) < self.replications;
        let is_digest = digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !known || !is_digest {
            return Err(format!(
                "run {} is not one of this scenario: the result was changed",
                cell.index
            ));
        }
        let StoredValues::Named(values) = metrics else {
            return Err(format!("the metrics of run {} have no names", cell.index));
        };
        if values.iter().all(Option::is_none) {
            return Err(format!(
                "no metric of run {} is known here by its name",
                cell.index
            ));
        }
        let missing = (0..values.len()).filter(|&metric| values[metric].is_none());
        self.lacking.extend(missing);
        // No formula here gives an infinite value, and JSON has none.
        let finite = |value: Option<Option<f64>>| value.flatten().filter(|value| value.is_finite());
        let index = self.first(cell.y, cell.x, cell.policy) + cell.replication as usize;
        let replaced = self.add(CellOutcome {
            cell,
            digest,
            metrics: values.into_iter().map(finite).collect(),
            jobs,
            over_time,
        });
        Ok((index, replaced))
    }

    /// Sets the release of the simulator that made the outcomes.
    pub fn made_by(&mut self, core: &str) {
        self.core = Some(core.to_owned());
    }

    /// The release of the simulator that made the outcomes.
    pub fn core(&self) -> &str {
        self.core.as_deref().unwrap_or(env!("CARGO_PKG_VERSION"))
    }

    /// The metrics for which a stored outcome had no value, because its version did not know them.
    pub fn lacking(&self) -> impl Iterator<Item = &'static Metric> {
        self.lacking.iter().map(|&metric| &METRICS[metric])
    }

    /// The index of the first replication of a policy at one point.
    fn first(&self, y: usize, x: usize, policy: usize) -> usize {
        ((y * self.places + x) * self.policies + policy) * self.replications
    }

    /// Whether the cell of that index has an outcome.
    pub fn has(&self, index: usize) -> bool {
        self.outcomes[index].is_some()
    }

    /// The outcome of the cell of that index, if any.
    pub fn outcome(&self, index: usize) -> Option<&CellOutcome> {
        self.outcomes[index].as_deref()
    }

    /// The outcomes in scenario order.
    pub fn outcomes(&self) -> impl Iterator<Item = &CellOutcome> {
        self.outcomes.iter().flatten().map(Box::as_ref)
    }

    /// A metric of a policy at one point by replication; `None` if there is no outcome yet or the
    /// metric is not defined.
    pub fn values(&self, y: usize, x: usize, policy: usize, metric: usize) -> Vec<Option<f64>> {
        let first = self.first(y, x, policy);
        let outcomes = &self.outcomes[first..first + self.replications];
        let value = |outcome: &Option<Box<CellOutcome>>| outcome.as_ref()?.metrics[metric];
        outcomes.iter().map(value).collect()
    }

    /// The run of a policy at a point over the calendar, if the scenario has that point and it was
    /// measured: where nothing is random, there is one.
    pub fn over_time(&self, [x, y]: [usize; 2], policy: usize) -> Option<&OverTime> {
        if x >= self.places {
            return None;
        }
        let outcome = self.outcomes.get(self.first(y, x, policy))?.as_deref()?;
        outcome.over_time.as_deref()
    }

    /// The numbers of finished cells and of all cells.
    pub fn progress(&self) -> (usize, usize) {
        (self.outcomes().count(), self.outcomes.len())
    }

    /// Fingerprint of the whole scenario, over its cells' digests in scenario order; `None` until
    /// every cell is finished.
    pub fn digest(&self) -> Option<String> {
        let mut digest = Digest::new();
        for outcome in &self.outcomes {
            digest.word(u64::from_str_radix(&outcome.as_ref()?.digest, 16).ok()?);
        }
        Some(digest.to_string())
    }

    /// The number of replications until each 95 % interval of a metric, by its position in
    /// [`METRICS`], is within `share` of its mean on either side: the current number if it is;
    /// otherwise an estimate from the spread so far, at most twice the current number. Repeating
    /// this after more runs converges. Points whose mean is zero are left out.
    pub fn replications_within(&self, metric: usize, share: f64) -> usize {
        let now = self.replications;
        let mut wanted = now;
        for point in self.points().iter().filter(|point| point.metric == metric) {
            let MeanEstimate {
                mean, half_width, ..
            } = point.value;
            let target = share * mean.abs();
            match half_width {
                _ if mean == 0.0 => {}
                None => wanted = wanted.max(now + 2),
                Some(half) if half <= target => {}
                Some(half) => {
                    let factor = (half / target) * (half / target);
                    let expected = (now as f64 * factor.min(2.0)).ceil() as usize;
                    wanted = wanted.max(expected).max(now + 1);
                }
            }
        }
        wanted
    }

    /// Every point with at least one value, by (y, x, policy, metric).
    pub fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for group in self.outcomes.chunks(self.policies * self.replications) {
            let policies: Vec<&[Option<Box<CellOutcome>>]> =
                group.chunks(self.replications).collect();
            let reference = policies[self.reference];
            for (policy, outcomes) in policies.iter().enumerate() {
                let Some(cell) = outcomes.iter().flatten().next().map(|outcome| outcome.cell)
                else {
                    continue;
                };
                for metric in 0..METRICS.len() {
                    let value =
                        |outcome: &Option<Box<CellOutcome>>| outcome.as_ref()?.metrics[metric];
                    let values: Vec<f64> = outcomes.iter().filter_map(value).collect();
                    let Some(mean) = estimate(&values) else {
                        continue;
                    };
                    let differences: Vec<f64> = outcomes
                        .iter()
                        .zip(reference)
                        .filter_map(|(here, there)| Some(value(here)? - value(there)?))
                        .collect();
                    points.push(Point {
                        x: cell.x,
                        y: cell.y,
                        policy,
                        metric,
                        value: mean,
                        difference: (policy != self.reference)
                            .then(|| estimate(&differences))
                            .flatten(),
                    });
                }
            }
        }
        points
    }
}
