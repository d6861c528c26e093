//! A finished run in detail: use and queue as lines over time, the instants of events, and the order
//! of the queue at any of them.
//!
//! Everything is read from the record; nothing is simulated again.

use backfill_sim::sorting;
use std::rc::Rc;

use crate::inspect::sums::Sums;
use crate::inspect::usage::LinkUsage;
use backfill_sim::id::{Id, JobId};
use backfill_sim::metrics::RunOptions;
use backfill_sim::policy::expression::{Moment, Program, rank};
use backfill_sim::record::{Allocation, Allocations, Outcome};
use backfill_sim::run::Replay;
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::About;
use backfill_sim::unit::{Span, Time};

/// The migrations in a run, and how long their jobs held resources for them without working.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MigrationTotals {
    /// The number of jobs that migrated.
    pub jobs: usize,
    /// The number of migrations.
    pub migrations: usize,
    /// The total pause, in seconds.
    pub paused: f64,
}

/// A finished run that kept its allocations.
pub struct Inspection {
    pub(super) replay: Rc<Replay>,
    pub(super) options: RunOptions,
    /// Whether jobs shared links, or any job ran longer than undisturbed.
    pub(super) stretched: bool,
    first: Time,
    end: Time,
    /// Every instant at which a job arrives, starts or stops, ascending; also of the run compared
    /// with, if any.
    instants: Vec<Time>,
    /// The lines over time.
    lines: Vec<StepCurve>,
    /// The values of the current order, by job; empty if there is none.
    pub(super) order: Vec<Option<f64>>,
}

/// The part of shared links that a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSubset {
    /// What they reserve.
    Reserved,
    /// What they use.
    InUse,
}

impl LinkSubset {
    /// In words, which follow the name of the links.
    pub fn words(self) -> &'static str {
        match self {
            LinkSubset::Reserved => "reserved",
            LinkSubset::InUse => "in use",
        }
    }
}

/// A number over time that changes in steps.
#[derive(Clone, Debug, PartialEq)]
pub struct StepCurve {
    /// Its label.
    pub label: &'static str,
    /// The part of links, if jobs share them.
    pub of: Option<LinkSubset>,
    /// Its unit; empty for a share.
    pub unit: &'static str,
    /// The top of its scale: the total, or the largest value.
    pub most: f64,
    /// (instant, value), ascending; before the first it is 0.
    pub steps: Vec<(Time, f64)>,
}

impl StepCurve {
    /// Its value after all events of an instant.
    pub fn at(&self, time: Time) -> f64 {
        let begun = self.steps.partition_point(|step| step.0 <= time);
        begun.checked_sub(1).map_or(0.0, |last| self.steps[last].1)
    }

    /// Its steps from the last one before `from` to the first one after `until`.
    pub fn during(&self, from: Time, until: Time) -> &[(Time, f64)] {
        let first = self.steps.partition_point(|step| step.0 < from);
        let after = self.steps.partition_point(|step| step.0 <= until);
        &self.steps[first.saturating_sub(1)..(after + 1).min(self.steps.len())]
    }
}

impl Inspection {
    /// Of a run with this setup and its use of shared links, if any; `None` if it did not keep its
    /// allocations.
    pub fn new(replay: Rc<Replay>, setup: &Setup, usage: Option<&LinkUsage>) -> Option<Inspection> {
        let allocations = replay.record.allocations.as_ref()?;
        let first = first(&replay);
        let end = replay.record.end().unwrap_or(first);
        let instants = instants(&[&replay], end);
        let lines = lines(&replay, allocations, setup.system.kind().about(), usage);
        Some(Inspection {
            options: setup.options.clone(),
            stretched: usage.is_some() || is_stretched(&replay),
            replay,
            first,
            end,
            instants,
            lines,
            order: Vec::new(),
        })
    }

    /// From now on steps through the events of another run, too.
    pub fn step_with(&mut self, other: &Replay) {
        self.end = other.record.end().map_or(self.end, |end| end.max(self.end));
        self.instants = instants(&[&self.replay, other], self.end);
    }

    /// The run.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Every allocation.
    pub fn allocations(&self) -> &Allocations {
        let allocations = self.replay.record.allocations.as_ref();
        allocations.expect("else there is no inspection")
    }

    /// The first submit.
    pub fn first(&self) -> Time {
        self.first
    }

    /// The last completion, also of the run compared with.
    pub fn end(&self) -> Time {
        self.end
    }

    /// Use and queue over time: slots, waiting jobs, and each layer of links. If jobs share links,
    /// a layer has two lines: reserved, if anything ever is, and in use.
    pub fn lines(&self) -> &[StepCurve] {
        &self.lines
    }

    pub(super) fn since_first(&self, time: Time) -> f64 {
        (time - self.first).seconds()
    }

    /// First start and completion of a job that ran.
    pub(super) fn ran(&self, job: JobId) -> Option<(Time, Time)> {
        match self.replay.record.histories[job].outcome {
            Outcome::Ran { start, end } => Some((start, end)),
            _ => None,
        }
    }

    /// The migrations.
    pub fn moves(&self) -> MigrationTotals {
        let allocations = self.allocations().all();
        let migrations = allocations.iter().filter(|allocation| allocation.migrated);
        let mut jobs: Vec<JobId> = migrations
            .clone()
            .map(|allocation| allocation.job)
            .collect();
        jobs.sort_unstable();
        jobs.dedup();
        let paused = |allocation: &Allocation| {
            (allocation.works_from.min(allocation.end) - allocation.start).seconds()
        };
        MigrationTotals {
            jobs: jobs.len(),
            migrations: migrations.count(),
            paused: allocations.iter().map(paused).sum(),
        }
    }

    /// The allocation of a job at an instant, else its last one before, else its first.
    pub fn allocation_near(&self, job: JobId, at: Time) -> Option<&Allocation> {
        let mut near = None;
        for allocation in self.allocations_of(job) {
            if near.is_none() || allocation.start <= at {
                near = Some(allocation);
            }
        }
        near
    }

    /// The allocations of a job, in order.
    pub fn allocations_of(&self, job: JobId) -> impl Iterator<Item = &Allocation> {
        let all = self.allocations().all().iter();
        all.filter(move |allocation| allocation.job == job)
    }

    /// The waiting jobs after all events of an instant, by index.
    pub fn waiting(&self, at: Time) -> Vec<JobId> {
        let mut since: Vec<Time> = self.replay.jobs.iter().map(|job| job.submit).collect();
        let mut waiting = Vec::new();
        for allocation in self.allocations().all() {
            let since = &mut since[allocation.job.0 as usize];
            if (*since..allocation.start).contains(&at) {
                waiting.push(allocation.job);
            }
            *since = allocation.end;
        }
        waiting.sort_unstable();
        waiting
    }

    /// The instant at which most jobs wait.
    pub fn longest_queue(&self) -> Time {
        let [_, waiting, ..] = &self.lines[..] else {
            return self.first;
        };
        let longest = waiting.steps.iter().find(|step| step.1 == waiting.most);
        longest.map_or(self.first, |step| step.0)
    }

    /// The values of an order for the jobs that wait at an instant, in the order in which they are
    /// tried.
    pub fn ordered(&self, order: &Program, at: Time) -> Vec<(JobId, f64)> {
        let waiting = self.waiting(at);
        let moment = Moment {
            first: self.first,
            now: at,
            load: self.lines[0].at(at) / self.replay.slots as f64,
            waiting: waiting.len(),
        };
        let value = |job| order.value(&moment.names(&self.replay.jobs[job].request(job)));
        let mut ordered: Vec<(JobId, f64)> =
            waiting.into_iter().map(|job| (job, value(job))).collect();
        // Stable: equal ones stay by (submit, index).
        sorting::by_key(&mut ordered, |&(_, value)| rank(value));
        ordered
    }

    /// Fills the column `order` with the finite values of an order at that instant.
    pub fn order_by(&mut self, order: &Program, at: Time) {
        let mut values = vec![None; self.replay.jobs.len()];
        for (job, value) in self.ordered(order, at) {
            // The sign of a zero is dropped, as it decides nothing.
            values[job.0 as usize] = Some(value + 0.0).filter(|value| value.is_finite());
        }
        self.order = values;
    }

    /// The instant of the `by`-th event after `time`, or before it; the first or the last one if
    /// there are fewer.
    pub fn step(&self, time: Time, by: i64) -> Time {
        let here = if by > 0 {
            self.instants.partition_point(|instant| *instant <= time) as i64 - 1
        } else {
            self.instants.partition_point(|instant| *instant < time) as i64
        };
        let last = self.instants.len() as i64 - 1;
        let wanted = (here + by).clamp(0, last.max(0)) as usize;
        self.instants.get(wanted).copied().unwrap_or(time)
    }
}

/// The first submit.
fn first(replay: &Replay) -> Time {
    let first = replay.jobs.iter().next();
    first.map_or(Time::default(), |job| job.submit)
}

/// Whether any job ran longer than undisturbed, beyond the rounding of its end.
fn is_stretched(replay: &Replay) -> bool {
    const ROUNDING: Span = Span(1);
    let mut jobs = replay.jobs.iter().zip(replay.record.histories.iter());
    jobs.any(|(job, history)| history.worked > job.runtime + ROUNDING)
}

/// Every instant up to `end` at which a job of any of these runs arrives, starts or stops,
/// ascending.
fn instants(replays: &[&Replay], end: Time) -> Vec<Time> {
    let mut instants: Vec<Time> = Vec::new();
    for replay in replays {
        let allocations = replay.record.allocations.as_ref();
        let allocations = allocations.map_or(&[][..], Allocations::all);
        instants.reserve_exact(replay.jobs.len() + 2 * allocations.len());
        instants.extend(replay.jobs.iter().map(|job| job.submit));
        let allocations = allocations.iter();
        instants.extend(allocations.flat_map(|allocation| [allocation.start, allocation.end]));
    }
    instants.retain(|instant| *instant <= end);
    instants.sort_unstable();
    instants.dedup();
    instants.shrink_to_fit();
    instants
}

/// The number of waiting jobs over time. A job that is running waited from its submit, and from the
/// end of each allocation to its next.
fn waiting(replay: &Replay, allocations: &Allocations) -> Sums {
    let mut since: Vec<Time> = replay.jobs.iter().map(|job| job.submit).collect();
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    for allocation in allocations.all() {
        let since = &mut since[allocation.job.index()];
        if *since < allocation.start {
            begins.push(*since);
            ends.push(allocation.start);
        }
        *since = allocation.end;
    }
    // Which wait begins where and ends where makes no difference to their number.
    begins.sort_unstable();
    let mut sums = Sums::of(begins.len());
    for (from, until) in begins.into_iter().zip(ends) {
        sums.during(from, until, 1);
    }
    sums
}

fn lines(
    replay: &Replay,
    allocations: &Allocations,
    about: &About,
    usage: Option<&LinkUsage>,
) -> Vec<StepCurve> {
    let sums = || Sums::of(allocations.all().len());
    let mut slots = sums();
    let mut layers: Vec<Sums> = replay.layers.iter().map(|_| sums()).collect();
    let layer_of = |link: usize| replay.layers.iter().position(|layer| layer.contains(&link));
    let mut reserved = vec![0; layers.len()];
    for allocation in allocations.all() {
        let held = allocation.slots() as i64;
        slots.during(allocation.start, allocation.end, held);
        reserved.fill(0);
        for (link, bandwidth) in allocation.held.reservations() {
            if let Some(layer) = layer_of(link.0 as usize) {
                reserved[layer] += bandwidth.0 as i64;
            }
        }
        for (layer, &reserved) in layers.iter_mut().zip(&reserved) {
            layer.during(allocation.start, allocation.end, reserved);
        }
    }
    let counted = |sums: Sums| -> Vec<(Time, f64)> {
        let steps = sums.steps().into_iter();
        steps.map(|(time, sum)| (time, sum as f64)).collect()
    };
    let waiting = counted(waiting(replay, allocations));
    let longest = waiting.iter().map(|step| step.1).fold(0.0, f64::max);
    let mut lines = vec![
        StepCurve {
            label: "Slots in use",
            of: None,
            unit: "slots",
            most: replay.slots as f64,
            steps: counted(slots),
        },
        StepCurve {
            label: "Jobs waiting",
            of: None,
            unit: "jobs",
            most: longest,
            steps: waiting,
        },
    ];
    for ((label, links), sums) in about.layers.iter().zip(&replay.layers).zip(layers) {
        let capacity: u64 = replay.links[links.clone()].iter().map(|link| link.0).sum();
        let line = |of, sums: Vec<(Time, i64)>| StepCurve {
            label,
            of,
            unit: "",
            most: 1.0,
            steps: sums
                .into_iter()
                .map(|(time, sum)| (time, sum as f64 / capacity as f64))
                .collect(),
        };
        let reserved = sums.steps();
        let Some(usage) = usage else {
            lines.push(line(None, reserved));
            continue;
        };
        if !reserved.is_empty() {
            lines.push(line(Some(LinkSubset::Reserved), reserved));
        }
        let mut used = usage.together(|link| f64::from(links.contains(&link.index())));
        used.dedup_by_key(|step| step.1);
        lines.push(line(Some(LinkSubset::InUse), used));
    }
    lines
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::inspect::job_table::{COLUMNS, Filter, column};
    use crate::language::scenario::Scenario;
    use crate::study::sweep::{self, CellRun};
    use backfill_sim::run::Keep;

    /// The only run of a scenario.
    pub(crate) fn inspection(pairs: &[(&str, &str)]) -> Inspection {
        let pairs = [&[("x", "none"), ("reps", "1")], pairs].concat();
        let scenario = Scenario::parse(pairs).expect("a valid scenario");
        let cell = sweep::cells(&scenario)[0];
        let run =
            CellRun::new(&scenario, cell, None, Keep::Allocations).expect("no trace is needed");
        let setup = scenario.setup(None, None, 0);
        let (run, usage) = LinkUsage::taken(run.finish().1, &setup);
        Inspection::new(run, &setup, usage.as_ref()).expect("the allocations were kept")
    }

    pub(crate) fn loaded() -> Inspection {
        inspection(&[("policy", "bgmbf"), ("load", "0.9"), ("jobs", "300")])
    }

    #[test]
    fn lines_are_what_the_record_sums_up() {
        let run = loaded();
        let record = &run.replay.record;
        let area = |line: &StepCurve| -> f64 {
            let stretch = |pair: &[(Time, f64)]| (pair[1].0 - pair[0].0).0 as f64 * pair[0].1;
            line.steps.windows(2).map(stretch).sum()
        };
        let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other.abs();
        assert!(near(area(&run.lines[0]), record.slot_time as f64));
        assert!(near(area(&run.lines[1]), record.queue_time as f64));
        assert!(record.queue_time > 0);
        for (line, layer) in run.lines[2..].iter().zip(&run.replay.layers) {
            let links = &record.links.as_slice()[layer.clone()];
            let reserved: f64 = links.iter().map(|link| link.integral as f64).sum();
            let capacity: f64 = links.iter().map(|link| link.capacity.0 as f64).sum();
            assert!(near(area(line), reserved / capacity), "{}", line.label);
            assert!(line.steps.iter().all(|step| (0.0..=1.0).contains(&step.1)));
        }
        for line in &run.lines {
            assert_eq!(line.steps.last().expect("steps").1, 0.0, "{}", line.label);
            assert!(line.steps.iter().all(|step| step.1 <= line.most));
        }
    }

    /// Each line of use equals the use in the picture.
    #[test]
    fn where_links_are_shared_lines_tell_what_is_in_use_from_what_is_reserved() {
        for guarantee in ["0", "40"] {
            let pairs = [("load", "0.9"), ("jobs", "120"), ("guarantee", guarantee)];
            let scenario = [&pairs[..], &[("x", "none"), ("reps", "1")]].concat();
            let scenario = Scenario::parse(scenario).expect("a valid scenario");
            let cell = sweep::cells(&scenario)[0];
            let run = CellRun::new(&scenario, cell, None, Keep::Allocations).expect("no log");
            let setup = scenario.setup(None, None, 0);
            let (replay, usage) = LinkUsage::taken(run.finish().1, &setup);
            let usage = usage.expect("links are shared");
            let run = Inspection::new(replay, &setup, Some(&usage)).expect("allocations were kept");
            let parts: Vec<Option<LinkSubset>> =
                run.lines[2..].iter().map(|line| line.of).collect();
            let both = [Some(LinkSubset::Reserved), Some(LinkSubset::InUse)];
            let expected = if guarantee == "0" { &both[1..] } else { &both };
            assert_eq!(parts, expected.repeat(3));
            let layers = run.replay.layers.iter();
            let used = run
                .lines
                .iter()
                .filter(|line| line.of == Some(LinkSubset::InUse));
            for (line, layer) in used.zip(layers) {
                let links = &run.replay.links[layer.clone()];
                let capacity: u64 = links.iter().map(|link| link.0).sum();
                for allocation in run.allocations().all() {
                    let now = allocation.start;
                    let shares = usage.in_use(Some(now), (run.first, run.end));
                    let shares = shares[layer.clone()].iter().zip(links);
                    let used: f64 = shares
                        .map(|(share, link)| f64::from(*share) * link.0 as f64)
                        .sum();
                    let off = line.at(now) - used / capacity as f64;
                    assert!(off.abs() < 1e-5, "{} {off}", line.label);
                }
                assert!(line.steps.iter().any(|step| step.1 > 0.1), "{}", line.label);
                assert_eq!(line.steps.last().expect("steps").1, 0.0);
            }
        }
    }

    #[test]
    fn nodes_have_no_lines_of_links_and_no_bandwidth() {
        let run = inspection(&[("system", "nodes"), ("bandwidth", "none"), ("jobs", "50")]);
        let labels: Vec<&str> = run.lines.iter().map(|line| line.label).collect();
        assert_eq!(labels, ["Slots in use", "Jobs waiting"]);
        assert_eq!(run.row(JobId(0))[8], None);
    }

    #[test]
    fn without_slowed_jobs_their_columns_are_empty() {
        let run = loaded();
        for name in ["stretch", "late"] {
            let position = COLUMNS.iter().position(|column| column.name == name);
            assert_eq!(run.largest()[position.expect("a column")], None);
        }
    }

    #[test]
    fn what_migrated_is_counted_and_an_allocation_is_found_near_an_instant() {
        let pairs = [("policy", "bgmbf"), ("load", "0.9"), ("jobs", "300")];
        let run = inspection(&[&pairs[..], &[("migration_cost_s", "60")]].concat());
        let moves = run.moves();
        assert!(moves.jobs > 0 && moves.jobs <= moves.migrations);
        assert!(moves.paused > 0.0);
        assert!(moves.paused <= 60.0 * moves.migrations as f64);
        let wait = column("wait").expect("a column");
        let longest = run.arranged(wait, true, &Filter::default())[0];
        let position = COLUMNS.iter().position(|column| column.name == "wait");
        assert_eq!(
            run.largest()[position.expect("a column")],
            run.value(longest, wait)
        );
        for allocation in run.allocations().all() {
            let before = Time(allocation.start.0.saturating_sub(1));
            assert_eq!(
                run.allocation_near(allocation.job, allocation.start),
                Some(allocation)
            );
            assert_ne!(run.allocation_near(allocation.job, before), None);
        }
    }

    #[test]
    fn two_runs_are_stepped_through_as_one() {
        let run = |policy| inspection(&[("policy", policy), ("load", "1.1"), ("jobs", "60")]);
        let mut one = run("none+adaba");
        let other = run("fcfs+adaba");
        let mut both = [one.instants.clone(), other.instants.clone()].concat();
        both.sort_unstable();
        both.dedup();
        assert!(both.len() > one.instants.len() && both.len() > other.instants.len());
        let end = one.end.max(other.end);
        one.step_with(&other.replay);
        let mut now = one.first;
        for &next in both.iter().filter(|&&instant| instant > one.first) {
            now = one.step(now, 1);
            assert_eq!(now, next);
        }
        assert_eq!((now, one.end()), (end, end));
        assert_eq!(one.step(now, -1), both[both.len() - 2]);
    }

    #[test]
    fn steps_lead_from_instant_to_instant_and_stop_at_the_ends() {
        let run = loaded();
        let mut now = run.step(run.first, -1);
        assert_eq!(now, run.first);
        for &next in &run.instants[1..] {
            assert_eq!(run.step(next, -1), now);
            assert_eq!(run.step(Time(next.0 - 1), 1), next);
            now = run.step(now, 1);
            assert_eq!(now, next);
        }
        assert_eq!(now, run.end);
        assert_eq!(run.step(now, 10), run.end);
        assert_eq!(run.step(run.first, 10), run.instants[10]);
    }
}
