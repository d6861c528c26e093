//! The counts of the jobs of a run, and the metrics computed from them.

use std::ops::Range;

use super::measured::{LayerUse, Measured};
use super::options::RunOptions;
use super::table::METRICS;
use crate::decimal::Decimal;
use crate::id::{Id, IdVec, JobId, LinkId};
use crate::job::{Job, Jobs};
use crate::over_time::{OverTime, Weeks};
use crate::record::{JobHistory, Outcome, Record};
use crate::unit::Time;

/// The parts of a system that metrics need.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The slots of it, those in the background of nodes included.
    pub slots: u64,
    /// The slots of it that are not in the background.
    pub foreground: u64,
    /// The ranges of its links by layer; empty where it has none.
    pub layers: Vec<Range<usize>>,
    /// The range of its links between clusters; empty where it has none.
    pub uplinks: Range<usize>,
}

/// The counts of a run, updated job by job.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    measured: Measured,
    options: RunOptions,
    /// The slots of the system.
    slots: u64,
    /// The first job that the warm-up does not leave out.
    first_counted: JobId,
    first_submit: Option<Time>,
    last_end: Option<Time>,
    /// Waits by week, where the run is measured over the calendar.
    weeks: Option<Weeks>,
}

impl Tally {
    /// An empty tally for a run of `jobs` jobs on a system with `slots` slots; `uplinks` are the
    /// links between clusters.
    pub(crate) fn new(
        options: &RunOptions,
        jobs: usize,
        slots: u64,
        uplinks: &Range<usize>,
    ) -> Tally {
        Tally {
            measured: Measured {
                several: (!uplinks.is_empty()).then_some(0),
                ..Measured::default()
            },
            options: options.clone(),
            slots,
            first_counted: first_counted(jobs, options),
            first_submit: None,
            last_end: None,
            weeks: options.calendar.map(Weeks::new),
        }
    }

    /// Counts a finished job; jobs come by index. Job metrics exclude warm-up and cool-down
    /// (`cooling`) jobs; metrics of times also exclude jobs that are not `timed`.
    ///
    /// # Panics
    /// The job has not finished.
    pub(crate) fn add(
        &mut self,
        id: JobId,
        job: &Job,
        history: &JobHistory,
        cooling: bool,
        timed: bool,
    ) {
        self.first_submit.get_or_insert(job.submit);
        self.last_end = self.last_end.max(history.outcome.end());
        let measured = &mut self.measured;
        let runtime = job.runtime.seconds();
        if let Some(cpu) = &job.cpu
            && history.outcome.end().is_some()
        {
            *measured.cpu_time.get_or_insert(0.0) += runtime * cpu.nodes();
        }
        if id < self.first_counted || cooling {
            return;
        }
        if job.patience.is_some() {
            let left = measured.left.get_or_insert(0);
            if matches!(history.outcome, Outcome::Left { .. }) {
                return *left += 1;
            }
        }
        measured.jobs += 1;
        measured.oversize += u32::from(u64::from(job.size) > self.slots);
        let (start, end) = match history.outcome {
            Outcome::Open => panic!("a job that has not finished"),
            Outcome::Left { .. } => unreachable!("counted above"),
            Outcome::RejectedThoughPossible => return measured.missed += 1,
            Outcome::RejectedImpossible => return measured.blocked += 1,
            Outcome::RejectedUndecided => return measured.undecided += 1,
            Outcome::Infeasible => return measured.infeasible += 1,
            Outcome::Unplaceable => return measured.unplaceable += 1,
            Outcome::Ran { start, end } => (start, end),
        };
        measured.ran += 1;
        if timed {
            let response = (end - job.submit).seconds();
            let wait = (start - job.submit).seconds();
            let size = f64::from(job.size);
            measured.waits.add(wait);
            if let Some(weeks) = &mut self.weeks {
                weeks.add(job.submit, start - job.submit);
            }
            measured.wait_spread.add(1.0, wait);
            measured.responses.add(response);
            measured.sized_waits.add(size, wait);
            measured.waits_by_size.add(size, wait / size);
            measured.sized_responses.add(size, response);
            measured.total_waits.add(1.0, response - runtime);
            measured.timed += 1;
            measured.late += u32::from(end > start + job.estimate);
            if runtime > 0.0 {
                measured.stretches.add(history.worked.seconds() / runtime);
            }
            let slowdown = bounded_slowdown(job, end, &self.options);
            measured.slowdowns.add(slowdown);
        }
        measured.migrations += f64::from(history.migrations);
        measured.evictions += f64::from(history.evictions);
        measured.promotions += f64::from(history.promotions);
        measured.swaps += f64::from(history.swaps);
        if let Some(several) = &mut measured.several
            && !history.intra_server
        {
            *several += 1;
            if runtime > 0.0 {
                let penalty = (end - start).seconds() / runtime;
                measured.penalties.add(1.0, penalty);
            }
        }
        if let Some([used, least]) = history.leaves {
            measured.leaves.add(1.0, f64::from(used));
            measured
                .leaves_excess
                .add(1.0, f64::from(used) - f64::from(least));
        }
        if job.size > 1 {
            measured.parallel += 1;
            measured.intra_server += u32::from(history.intra_server);
        }
    }

    /// The values of all metrics of a finished run whose jobs have all been counted, in the order
    /// of [`METRICS`], `None` for one that is not defined; and the run over the calendar, if that is
    /// measured.
    pub(crate) fn values(
        self,
        machine: &Machine,
        record: &mut Record,
    ) -> (Vec<Option<f64>>, Option<OverTime>) {
        let over_time = self.weeks.zip(record.days.take());
        let first_submit = self.first_submit.unwrap_or_default();
        let over_time = over_time.map(|(weeks, days)| OverTime::of(days, weeks, first_submit));
        let mut measured = self.measured;
        measured.longest_queue = record.longest_queue;
        measured.decision_steps = record.decision_steps;
        measured.not_finite = record.not_finite;
        measured.overbooked = record.overbooked;
        measured.foreground_loss = 1.0 - record.slowest;
        measured.waits.sort();
        measured.responses.sort();
        measured.slowdowns.sort();
        measured.stretches.sort();
        if let (Some(first), Some(end)) = (self.first_submit, self.last_end)
            && end > first
        {
            let makespan = (end - first).0 as f64;
            measured.makespan = Some((end - first).seconds());
            measured.slot_utilisation =
                Some(record.slot_time as f64 / (machine.slots as f64 * makespan));
            let fragmentation = record.fragmentation.as_ref();
            measured.fragmentation = fragmentation.and_then(|of| of.mean(end - first));
            let nodes = machine.foreground as f64;
            let cpu_time = measured.cpu_time;
            measured.cpu_utilisation =
                cpu_time.map(|time| time / (nodes * (end - first).seconds()));
            measured.queue_mean = Some(record.queue_time as f64 / makespan);
            let layers = machine.layers.iter();
            measured.layers = layers.map(|links| layer(links, record, makespan)).collect();
            measured.uplinks = measured
                .several
                .map(|_| layer(&machine.uplinks, record, makespan));
        }
        let values = METRICS.iter().map(|metric| (metric.of)(&measured));
        (values.collect(), over_time)
    }
}

/// The values of all metrics of a finished run that has forgotten no job, as [`Tally::values`] has
/// them. Those of times are taken over the jobs `among` which it holds, where that is given.
pub(crate) fn evaluate(
    jobs: &Jobs,
    machine: &Machine,
    record: &mut Record,
    options: &RunOptions,
    among: Option<&[bool]>,
) -> (Vec<Option<f64>>, Option<OverTime>) {
    let mut tally = Tally::new(options, jobs.len(), machine.foreground, &machine.uplinks);
    let cooling = cooling(jobs, record, options);
    for ((id, job), history) in jobs.iter_enumerated().zip(record.histories.iter()) {
        let timed = among.is_none_or(|among| among[id.index()]);
        tally.add(id, job, history, cooling[id], timed);
    }
    tally.values(machine, record)
}

/// The waits that metrics of times are taken over, in seconds, ascending.
pub fn waits(
    jobs: &Jobs,
    record: &Record,
    options: &RunOptions,
    among: Option<&[bool]>,
) -> Vec<f64> {
    let cooling = cooling(jobs, record, options);
    let first_counted = first_counted(jobs.len(), options);
    let wait = |(id, job): (JobId, &Job)| {
        let left_out = id < first_counted || cooling[id];
        let counts = !left_out && among.is_none_or(|among| among[id.index()]);
        match record.histories[id].outcome {
            Outcome::Ran { start, .. } if counts => Some((start - job.submit).seconds()),
            _ => None,
        }
    };
    let mut waits: Vec<f64> = jobs.iter_enumerated().filter_map(wait).collect();
    waits.sort_unstable_by(f64::total_cmp);
    waits
}

/// The bounded slowdown of a job that ended then (Eq. 2), at least 1 where the options say so.
pub fn bounded_slowdown(job: &Job, end: Time, options: &RunOptions) -> f64 {
    let response = (end - job.submit).seconds();
    let slowdown = response / job.runtime.max(options.gamma).seconds();
    if options.floor_one {
        slowdown.max(1.0)
    } else {
        slowdown
    }
}

/// A share of `of` jobs, rounded down.
fn share(of: usize, share: Decimal) -> usize {
    let (numerator, denominator) = share.ratio();
    (of as u128 * numerator / denominator) as usize
}

/// The first job after the warm-up.
fn first_counted(jobs: usize, options: &RunOptions) -> JobId {
    JobId::new(share(jobs, options.warmup))
}

/// The jobs that the cool-down leaves out: a share of those that end after the last arrival, those
/// that end last first.
fn cooling(jobs: &Jobs, record: &Record, options: &RunOptions) -> IdVec<JobId, bool> {
    let last_arrival = jobs.iter().map(|job| job.submit).max().unwrap_or_default();
    let ended = record.histories.iter_enumerated();
    let ended = ended.filter_map(|(id, history)| Some((history.outcome.end()?, id)));
    let mut after: Vec<(Time, JobId)> = ended.filter(|&(end, _)| end > last_arrival).collect();
    after.sort_unstable();
    let mut cooling = IdVec::filled(false, jobs.len());
    let count = share(after.len(), options.cooldown);
    for &(_, job) in after.iter().rev().take(count) {
        cooling[job] = true;
    }
    cooling
}

/// The use of the links of one layer.
fn layer(links: &Range<usize>, record: &Record, makespan: f64) -> LayerUse {
    let uses = links.clone().map(|link| {
        let used = record.links[LinkId::new(link)];
        let capacity = used.capacity.0 as f64;
        let mean = used.integral as f64 / (capacity * makespan);
        (mean, used.peak.0 as f64 / capacity)
    });
    uses.fold(LayerUse::default(), |sum, (mean, peak)| LayerUse {
        mean: sum.mean + mean / links.len() as f64,
        peak: sum.peak.max(peak),
    })
}
