//! What is done to jobs between their source and the engine: estimates, load and bandwidth.
//!
//! Source of the bandwidth distributions and of the offered load: "Bandwidth-Guaranteed Resource
//! Allocation and Scheduling for Parallel Jobs in Cloud Data Center", Symmetry 2018, section 5.2.
//! Departures: the clamp of the bandwidth is to [MinB, MaxB], which the paper's formula has the
//! wrong way round.

use super::options::{Bandwidth, BandwidthCap, Estimate, Load};
use super::preceding;
use super::trace::LogRow;
use std::borrow::Borrow;

use crate::decimal::Decimal;
use crate::id::{Id, JobId};
use crate::job::{After, Job};
use crate::machine::{Capacity, MostGuaranteed};
use crate::problem::Problem;
use crate::rng::Stream;
use crate::unit::{Kbps, Span, Time, round};
use crate::workload::Workload;

/// The latest instant that jobs may reach when they run one after the other.
const LATEST: u64 = 1 << 62;

/// The job of a row. Under [`Estimate::Kill`] it runs no longer than its estimate. A job without an
/// estimate has its run time as the estimate.
fn estimated(row: &LogRow, rule: Estimate) -> Job {
    let estimate = match row.estimate {
        Span(0) => row.runtime,
        estimate => estimate,
    };
    let (runtime, estimate) = match rule {
        // Users are modelled over all jobs, later.
        Estimate::Exact | Estimate::Tsafrir => (row.runtime, row.runtime),
        Estimate::Kill => (row.runtime.min(estimate), estimate),
        Estimate::Extend => (row.runtime, row.runtime.max(estimate)),
        Estimate::Keep => (row.runtime, estimate),
    };
    Job {
        bandwidth: row.bandwidth,
        estimate,
        patience: row.leaves_after.clone(),
        ..Job::new(row.number, row.submit, row.size, runtime)
    }
}

/// The job of a row under a workload.
pub(super) fn logged(row: &LogRow, workload: &Workload) -> Job {
    let start = row.start().filter(|_| workload.recorded);
    Job {
        recorded_start: start.map(Box::new),
        ..estimated(row, workload.estimate)
    }
}

/// Makes every job wait for those that its row names as preceding, as far as they are known.
pub(super) fn follow(jobs: &mut [Job], rows: &[LogRow]) {
    for (index, known) in preceding::known(rows) {
        let think = rows[index].preceding.as_ref().map(|of| of.think);
        jobs[index].after = Some(Box::new(After {
            jobs: known.into_iter().map(JobId::new).collect(),
            think: think.unwrap_or_default(),
        }));
    }
}

/// Totals over all jobs, before they are changed.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    /// The first and the last submit; `None` if there is no job.
    submits: Option<(Time, Time)>,
    /// Slots times run times, without jobs that may leave the queue.
    area: u128,
    /// The sum of the larger of run time and estimate, and of think times: the time that jobs take
    /// one after the other.
    longest: u128,
    /// Run times multiplied by the largest demand across a link, N·B / 2 in kbit/s.
    sent: u128,
}

impl Totals {
    /// Of jobs by submit time, each of which requests at most `most`.
    fn of(jobs: impl Iterator<Item = impl Borrow<Job>>, most: impl Fn(&Job) -> Kbps) -> Totals {
        jobs.fold(Totals::default(), |mut totals, job| {
            let job = job.borrow();
            let first = totals.submits.map_or(job.submit, |submits| submits.0);
            totals.submits = Some((first, job.submit));
            totals.area += job.area();
            let think = job.after.as_ref().map_or(Span(0), |after| after.think);
            totals.longest += u128::from(job.runtime.max(job.estimate).0) + u128::from(think.0);
            let across = (u128::from(job.size) * u128::from(most(job).0)).div_ceil(2);
            let sent = u128::from(job.runtime.0).saturating_mul(across);
            totals.sent = totals.sent.saturating_add(sent);
            totals
        })
    }

    /// Whether instants stay exact however the jobs are scheduled: one after the other they end
    /// before [`LATEST`], where the last is submitted then.
    fn fit_in_time(&self, last: Time) -> bool {
        u128::from(last.0) + self.longest <= u128::from(LATEST)
    }

    /// As [`Totals::fit_in_time`], for jobs that share links, the slowest of this rate.
    ///
    /// While a job runs and none at full speed, each is limited by a full link. On such a link
    /// Σ x·d ≥ C; a job of share x runs at x of its full speed or faster, and d ≤ N·B / 2. So
    /// the sum of run times multiplied by N·B / 2 and divided by C bounds that time; for the rest
    /// some job runs at full speed, as one after the other.
    fn fit_in_time_sharing(&self, last: Time, thinnest: Kbps) -> bool {
        let held_up = self.sent / u128::from(thinnest.0.max(1));
        let latest = u128::from(last.0) + self.longest;
        latest.saturating_add(held_up) <= u128::from(LATEST)
    }
}

/// The scaling of submit times to a load: the time since the first submit is multiplied by an exact
/// ratio and rounded once.
#[derive(Clone, Copy, Debug)]
struct Scale {
    first: Time,
    ratio: (u128, u128),
}

impl Scale {
    /// The scale of jobs for a load on `slots` slots; `None` if nothing moves.
    ///
    /// # Errors
    /// No ratio gives the load: the jobs request nothing or are all submitted at once; or the times
    /// become too long.
    fn new(totals: &Totals, load: Load, slots: u64) -> Result<Option<Scale>, Problem> {
        let Some((first, last)) = totals.submits else {
            return Ok(None);
        };
        let (value, ratio) = match load {
            Load::AsLogged => return Ok(None),
            Load::GapRatio(factor) => (factor, Some(factor.ratio())),
            Load::Offered(load) => (load, offered(totals.area, last - first, load, slots)?),
        };
        let scale = ratio.map(|ratio| Scale { first, ratio });
        let scale = scale.filter(|scale| scale.submit(last).is_some());
        scale.map(Some).ok_or_else(|| {
            refused(
                value,
                "the submit times become too long; choose another load",
            )
        })
    }

    /// The scaled submit time; `None` if it is too late. The order of submits is kept.
    fn submit(&self, submit: Time) -> Option<Time> {
        let (up, down) = self.ratio;
        let since = submit - self.first;
        let twice = u128::from(since.0).checked_mul(up)?.checked_mul(2)?;
        let rounded = twice.checked_add(down)? / down.checked_mul(2)?;
        let since = u64::try_from(rounded).ok().filter(|&since| since <= LATEST);
        Some(Time(self.first.0.saturating_add(since?)))
    }
}

/// The scaled submit time, for one that is no later than the last.
fn moved(scale: Option<&Scale>, submit: Time) -> Time {
    scale.map_or(submit, |scale| {
        let submit = scale.submit(submit);
        submit.expect("the last one was tried")
    })
}

/// The ratio A / (P · D · ρ); `None` if it needs more than 128 bits.
fn offered(
    area: u128,
    span: Span,
    load: Decimal,
    slots: u64,
) -> Result<Option<(u128, u128)>, Problem> {
    let supply = u128::from(slots) * u128::from(span.0);
    if area == 0 {
        return Err(refused(
            load,
            "no job has any run time, so there is no load to scale; use as-logged",
        ));
    }
    if supply == 0 {
        return Err(refused(
            load,
            "all jobs are submitted at the same time, so no load can be reached; use as-logged",
        ));
    }
    let common = common_divisor(area, supply);
    let (units, unit) = load.ratio();
    let up = (area / common).checked_mul(unit);
    let down = (supply / common).checked_mul(units);
    Ok(up.zip(down).filter(|&(_, down)| down > 0))
}

fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn refused(load: Decimal, message: &str) -> Problem {
    Problem::new("load", &load.to_string(), message)
}

/// The bandwidths that a job may request.
#[derive(Clone, Copy, Debug)]
enum Range {
    /// One value.
    One(Kbps),
    /// Sampled around a mean and clamped to two bounds, in kbit/s; `most` applies where it is below
    /// `least`.
    Around { mean: f64, least: f64, most: f64 },
}

/// The bandwidth that jobs request.
#[derive(Clone, Debug)]
struct Bandwidths {
    distribution: Bandwidth,
    cap: BandwidthCap,
    capacity: Capacity,
    seed: u64,
    replication: u64,
}

impl Bandwidths {
    fn new(workload: &Workload, capacity: &Capacity, seed: u64, replication: u64) -> Bandwidths {
        Bandwidths {
            distribution: workload.bandwidth,
            cap: workload.cap_bandwidth,
            capacity: capacity.clone(),
            seed,
            replication,
        }
    }

    /// The bandwidth that the job at that index requests.
    fn of(&self, index: u64, job: &Job) -> Kbps {
        let bandwidth = match self.range(job) {
            Range::One(bandwidth) => bandwidth,
            Range::Around { mean, least, most } => {
                let mut stream = Stream::new(self.seed, self.replication, "bandwidth", index);
                let drawn = mean + 0.2 * mean * stream.normal();
                Kbps(round(drawn.max(least).min(most)))
            }
        };
        match &self.capacity.most_guaranteed {
            Some(MostGuaranteed(most)) if self.cap == BandwidthCap::Fits => {
                bandwidth.min(most(job.size))
            }
            _ => bandwidth,
        }
    }

    /// The largest bandwidth that a job may request.
    fn most(&self, job: &Job) -> Kbps {
        match self.range(job) {
            Range::One(bandwidth) => bandwidth,
            Range::Around { most, .. } => Kbps(round(most)),
        }
    }

    /// The bandwidths that a job may request.
    fn range(&self, job: &Job) -> Range {
        let capacity = &self.capacity;
        let capped = self.cap != BandwidthCap::Off;
        let line_rate = capacity.line_rate.0 as f64;
        let size = f64::from(job.size);
        let half_of = |share: f64| {
            let most = (line_rate * share).min(line_rate);
            ((most / 10.0 + most) / 2.0, most)
        };
        let cap = |bandwidth: Kbps| {
            if capped {
                bandwidth.min(capacity.line_rate)
            } else {
                bandwidth
            }
        };
        let (mean, most) = match self.distribution {
            Bandwidth::None => return Range::One(Kbps(0)),
            Bandwidth::Constant(bandwidth) => return Range::One(cap(bandwidth)),
            Bandwidth::Column => return Range::One(cap(job.bandwidth)),
            Bandwidth::Normal { mean } => (mean.0 as f64, mean.0 as f64 / 0.55),
            Bandwidth::PerSize => half_of(capacity.servers as f64 / size),
            Bandwidth::PerServer => {
                let servers = u64::from(job.size).div_ceil(capacity.slots_per_server);
                half_of(servers as f64 / size)
            }
        };
        let least = most / 10.0;
        let most = if capped { most.min(line_rate) } else { most };
        Range::Around { mean, least, most }
    }
}

/// The changes to each job by itself: load, bandwidth, and its home cluster.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    scale: Option<Scale>,
    bandwidths: Bandwidths,
    homes: Option<super::home::Assigner>,
}

impl Shape {
    /// For these jobs, which come by submit time.
    ///
    /// # Errors
    /// The load cannot be reached, or the jobs' times add up beyond what an instant can hold, or
    /// may where they share links.
    pub(super) fn new(
        jobs: impl Iterator<Item = impl Borrow<Job>>,
        workload: &Workload,
        capacity: &Capacity,
        seed: u64,
        replication: u64,
    ) -> Result<Shape, Problem> {
        let bandwidths = Bandwidths::new(workload, capacity, seed, replication);
        let totals = Totals::of(jobs, |job| bandwidths.most(job));
        let scale = Scale::new(&totals, workload.load, capacity.slots)?;
        let last = totals.submits.map_or(Time(0), |submits| submits.1);
        let last = moved(scale.as_ref(), last);
        if !totals.fit_in_time(last) {
            return Err(Problem::new(
                "workload",
                workload.source.kind().name(),
                "submit and run times add up to more than 146,000 years; shorten them or take fewer jobs",
            ));
        }
        if let Some(thinnest) = capacity.thinnest_shared
            && !totals.fit_in_time_sharing(last, thinnest)
        {
            return Err(Problem::new(
                "workload",
                workload.source.kind().name(),
                "on links that they share, the jobs may take more than 146,000 years; ask for less bandwidth, widen the links or guarantee all of it",
            ));
        }
        let assigner = |homes| super::home::Assigner::new(homes, seed, replication);
        Ok(Shape {
            scale,
            bandwidths,
            homes: workload.homes.map(assigner),
        })
    }

    /// Applies to the job at `index`; `user` is 0 if unknown. Jobs come by index.
    pub(super) fn apply(&mut self, index: u64, job: &mut Job, user: u32) {
        job.submit = moved(self.scale.as_ref(), job.submit);
        job.bandwidth = self.bandwidths.of(index, job);
        if let Some(homes) = &mut self.homes {
            job.home = homes.home(index, user);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = crate::unit::MICROS;

    fn row(runtime: u64, estimate: u64) -> LogRow {
        LogRow {
            number: 1,
            runtime: Span(runtime),
            estimate: Span(estimate),
            line: 1,
            ..LogRow::default()
        }
    }

    fn job_at(submit: u64, size: u32, runtime: u64) -> Job {
        Job {
            submit: Time(submit),
            size,
            ..estimated(&row(runtime, 0), Estimate::Exact)
        }
    }

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    /// The submit times scaled to a load on `slots` slots.
    fn scaled(jobs: &[Job], load: Load, slots: u64) -> Result<Vec<u64>, Problem> {
        let totals = Totals::of(jobs.iter(), |job| job.bandwidth);
        let scale = Scale::new(&totals, load, slots)?;
        let submit = |job: &Job| moved(scale.as_ref(), job.submit).0;
        Ok(jobs.iter().map(submit).collect())
    }

    #[test]
    fn each_estimate_rule_treats_overrun_early_end_and_no_estimate() {
        // (run time, estimate) after the rule for rows of run 10 estimated 7, 15 and not at all.
        for (rule, expected) in [
            (Estimate::Exact, [(10, 10), (10, 10), (10, 10)]),
            (Estimate::Kill, [(7, 7), (10, 15), (10, 10)]),
            (Estimate::Extend, [(10, 10), (10, 15), (10, 10)]),
            (Estimate::Keep, [(10, 7), (10, 15), (10, 10)]),
        ] {
            let found = [7, 15, 0].map(|estimate| {
                let job = estimated(&row(10, estimate), rule);
                (job.runtime.0, job.estimate.0)
            });
            assert_eq!(found, expected, "{rule}");
        }
    }

    #[test]
    fn a_load_stretches_the_submit_times_to_area_over_supply() {
        // A = 2·30 + 1·20 + 4·5 = 100, P·D = 10·100: the load is 0.1 unscaled.
        let jobs = [job_at(50, 2, 30), job_at(60, 1, 20), job_at(150, 4, 5)];
        let at = |load: &str| scaled(&jobs, Load::Offered(decimal(load)), 10).unwrap();
        assert_eq!(at("0.1"), [50, 60, 150]);
        assert_eq!(at("0.05"), [50, 70, 250]);
        // 10 · 1/3 = 3.33 and 100 · 1/3 = 33.33.
        assert_eq!(at("0.3"), [50, 53, 83]);
        // 10 · 1/4 = 2.5 rounds away from zero.
        assert_eq!(at("0.4"), [50, 53, 75]);
    }

    #[test]
    fn jobs_that_may_leave_the_queue_offer_no_load() {
        let jobs = [job_at(50, 2, 30), job_at(60, 1, 20), job_at(150, 4, 5)];
        let impatient = Job {
            patience: Some(Box::new(Span(7))),
            ..job_at(70, 9, 1000)
        };
        let [first, second, last] = jobs;
        let at = |load: &str| {
            let jobs = [&first, &second, &impatient, &last].map(Clone::clone);
            scaled(&jobs, Load::Offered(decimal(load)), 10).unwrap()
        };
        // As without it: the load is 0.1 unscaled.
        assert_eq!(at("0.1"), [50, 60, 70, 150]);
        assert_eq!(at("0.05"), [50, 70, 90, 250]);
    }

    #[test]
    fn a_gap_ratio_multiplies_the_time_since_the_first_submit() {
        let jobs = [job_at(50, 2, 30), job_at(60, 1, 20), job_at(151, 4, 5)];
        let half = Load::GapRatio(decimal("0.5"));
        assert_eq!(scaled(&jobs, half, 10).unwrap(), [50, 55, 101]);
    }

    #[test]
    fn as_logged_moves_nothing() {
        let jobs = [job_at(50, 2, 0), job_at(50, 1, 0)];
        assert_eq!(scaled(&jobs, Load::AsLogged, 10).unwrap(), [50, 50]);
    }

    #[test]
    fn a_load_that_nothing_can_reach_is_refused_with_a_sentence() {
        let refused = |jobs: Vec<Job>, load: &str| {
            let refused = scaled(&jobs, Load::Offered(decimal(load)), 10);
            refused.unwrap_err().to_string()
        };
        assert_eq!(
            refused(vec![job_at(0, 1, 0), job_at(5, 1, 0)], "0.5"),
            "load = 0.5: no job has any run time, so there is no load to scale; use as-logged"
        );
        assert_eq!(
            refused(vec![job_at(5, 1, 9)], "0.5"),
            "load = 0.5: all jobs are submitted at the same time, so no load can be reached; use \
             as-logged"
        );
        let forever = vec![job_at(0, u32::MAX, 1 << 60), job_at(1 << 50, 1, 1)];
        assert_eq!(
            refused(forever, "0.000000001"),
            "load = 0.000000001: the submit times become too long; choose another load"
        );
    }

    #[test]
    fn scaling_is_exact_where_floating_point_is_not() {
        // The last submit goes to A / (P · ρ) = 2⁵³ + 1, which 64-bit floating point cannot hold.
        let jobs = [job_at(0, 1, (1 << 53) + 1), job_at(3, 1, 0)];
        let found = scaled(&jobs, Load::Offered(decimal("1")), 1);
        assert_eq!(found.unwrap(), [0, (1 << 53) + 1]);
    }

    fn drawn(distribution: Bandwidth, capped: bool, line_rate: u64, size: u32) -> Vec<u64> {
        let capacity = Capacity {
            slots: 432,
            servers: 54,
            slots_per_server: 8,
            line_rate: Kbps(line_rate),
            thinnest_shared: None,
            most_guaranteed: None,
        };
        bandwidths(
            distribution,
            capped,
            capacity,
            &vec![job_at(0, size, SECOND); 4000],
        )
    }

    fn bandwidths(
        distribution: Bandwidth,
        capped: bool,
        capacity: Capacity,
        jobs: &[Job],
    ) -> Vec<u64> {
        let bandwidths = Bandwidths {
            distribution,
            cap: if capped {
                BandwidthCap::On
            } else {
                BandwidthCap::Off
            },
            capacity,
            seed: 42,
            replication: 0,
        };
        let of = |(index, job): (usize, &Job)| bandwidths.of(index as u64, job).0;
        jobs.iter().enumerate().map(of).collect()
    }

    fn ends(values: &[u64]) -> (u64, u64) {
        (*values.iter().min().unwrap(), *values.iter().max().unwrap())
    }

    fn mean(values: &[u64]) -> f64 {
        values.iter().sum::<u64>() as f64 / values.len() as f64
    }

    #[test]
    fn normal_bandwidths_lie_around_their_mean_whatever_the_size() {
        let distribution = Bandwidth::Normal {
            mean: Kbps(250_000),
        };
        let values = drawn(distribution, true, 1_000_000, 3);
        assert_eq!(values, drawn(distribution, true, 1_000_000, 300));
        // The standard error of the mean is 50,000 / √4000 = 791.
        assert!(
            (mean(&values) - 250_000.0).abs() < 3200.0,
            "{}",
            mean(&values)
        );
        let (low, high) = ends(&values);
        assert!(low >= 45_455 && high <= 454_545, "{low} {high}");
    }

    #[test]
    fn normal_bandwidths_are_capped_at_the_line_rate_by_default() {
        let distribution = Bandwidth::Normal {
            mean: Kbps(700_000),
        };
        assert_eq!(ends(&drawn(distribution, true, 800_000, 3)).1, 800_000);
        assert!(ends(&drawn(distribution, false, 800_000, 3)).1 > 800_000);
        // Beyond ten times the line rate even the smallest value is above it.
        let distribution = Bandwidth::Normal {
            mean: Kbps(7_000_000),
        };
        assert_eq!(
            ends(&drawn(distribution, true, 1_000_000, 3)),
            (1_000_000, 1_000_000)
        );
    }

    #[test]
    fn another_replication_draws_other_bandwidths() {
        let of = |replication| Bandwidths {
            distribution: Bandwidth::Normal {
                mean: Kbps(250_000),
            },
            cap: BandwidthCap::On,
            capacity: Capacity {
                slots: 1,
                servers: 1,
                slots_per_server: 1,
                line_rate: Kbps(1_000_000),
                thinnest_shared: None,
                most_guaranteed: None,
            },
            seed: 42,
            replication,
        };
        let drawn = |replication| of(replication).of(5, &job_at(0, 1, 1));
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn bandwidths_by_size_follow_the_share_of_all_links() {
        // 54 servers and 540 virtual machines: a tenth of the line rate each at most.
        let values = drawn(Bandwidth::PerSize, true, 1_000_000, 540);
        let (low, high) = ends(&values);
        assert!(low >= 10_000 && high <= 100_000, "{low} {high}");
        assert!(
            (mean(&values) - 55_000.0).abs() < 800.0,
            "{}",
            mean(&values)
        );
        // Fewer virtual machines than servers: the line rate each at most.
        let few = drawn(Bandwidth::PerSize, true, 1_000_000, 5);
        assert_eq!(few, drawn(Bandwidth::PerSize, true, 1_000_000, 54));
        assert!((mean(&few) - 550_000.0).abs() < 7000.0, "{}", mean(&few));
    }

    #[test]
    fn bandwidths_by_servers_needed_follow_the_share_of_their_links() {
        // 20 virtual machines need 3 servers: 150,000 each at most.
        let values = drawn(Bandwidth::PerServer, true, 1_000_000, 20);
        let (low, high) = ends(&values);
        assert!(low >= 15_000 && high <= 150_000, "{low} {high}");
        assert!(
            (mean(&values) - 82_500.0).abs() < 1100.0,
            "{}",
            mean(&values)
        );
    }

    #[test]
    fn no_bandwidth_is_zero_and_a_column_stays_below_the_line_rate() {
        assert_eq!(ends(&drawn(Bandwidth::None, true, 1000, 3)), (0, 0));
        let capacity = Capacity {
            slots: 1,
            servers: 1,
            slots_per_server: 1,
            line_rate: Kbps(1000),
            thinnest_shared: None,
            most_guaranteed: None,
        };
        let mut jobs = [job_at(0, 1, 1), job_at(0, 1, 1)];
        jobs[0].bandwidth = Kbps(900);
        jobs[1].bandwidth = Kbps(1100);
        let at = |capped| bandwidths(Bandwidth::Column, capped, capacity.clone(), &jobs);
        assert_eq!(at(false), [900, 1100]);
        assert_eq!(at(true), [900, 1000]);
    }

    fn fit_in_time(jobs: &[Job]) -> bool {
        let totals = Totals::of(jobs.iter(), |job| job.bandwidth);
        totals.fit_in_time(totals.submits.expect("jobs").1)
    }

    #[test]
    fn jobs_that_would_outlast_time_do_not_fit_in_it() {
        assert!(fit_in_time(&[job_at(0, 1, 1 << 61), job_at(1 << 61, 1, 0)]));
        assert!(!fit_in_time(&[
            job_at(0, 1, 1 << 61),
            job_at(1 << 61, 1, 1)
        ]));
        assert!(!fit_in_time(&[
            job_at(0, 1, u64::MAX),
            job_at(0, 1, u64::MAX)
        ]));
    }
}
