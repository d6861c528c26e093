//! What is done to jobs between their source and the engine: estimates, load and bandwidth.
//!
//! Source of the bandwidth laws and of the offered load: "Bandwidth-Guaranteed Resource Allocation
//! and Scheduling for Parallel Jobs in Cloud Data Center", Symmetry 2018, section 5.2. Departures: the
//! clamp of the bandwidth is to [MinB, MaxB], which the paper's formula has the wrong way round.

use super::trace::Row;
use crate::job::Job;
use crate::rng::Stream;
use crate::scenario::{Bandwidth, Capacity, Decimal, Estimate, Load, Problem};
use crate::unit::{Kbps, Span, Time, round};

/// The latest instant that jobs may reach when they run one after the other.
const LATEST: u64 = 1 << 62;

/// The job of a row. Under [`Estimate::Kill`] it runs no longer than its estimate. A job without an
/// estimate is taken to know its run time.
pub(super) fn job(row: &Row, rule: Estimate) -> Job {
    let estimate = match row.estimate {
        Span(0) => row.runtime,
        estimate => estimate,
    };
    let (runtime, estimate) = match rule {
        Estimate::Exact => (row.runtime, row.runtime),
        Estimate::Kill => (row.runtime.min(estimate), estimate),
        Estimate::Extend => (row.runtime, row.runtime.max(estimate)),
        Estimate::Keep => (row.runtime, estimate),
    };
    Job {
        number: row.number,
        submit: row.submit,
        size: row.size,
        bandwidth: row.bandwidth,
        runtime,
        estimate,
    }
}

/// Moves the submit times, which ascend, to the load asked for on so many slots: the time since the
/// first submit is multiplied by an exact ratio and rounded once.
///
/// # Errors
/// No ratio gives the load: the jobs ask for nothing or are all submitted at once; or the times
/// become too long.
pub(super) fn scale(jobs: &mut [Job], load: Load, slots: u64) -> Result<(), Problem> {
    let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else {
        return Ok(());
    };
    let (first, span) = (first.submit, last.submit - first.submit);
    let (value, ratio) = match load {
        Load::AsLogged => return Ok(()),
        Load::GapRatio(factor) => (factor, Some(factor.ratio())),
        Load::Offered(load) => (load, offered(jobs, span, load, slots)?),
    };
    let scaled = |since: Span| {
        let (up, down) = ratio?;
        let twice = u128::from(since.0).checked_mul(up)?.checked_mul(2)?;
        let rounded = twice.checked_add(down)? / down.checked_mul(2)?;
        u64::try_from(rounded).ok().filter(|&since| since <= LATEST)
    };
    for job in jobs {
        let Some(since) = scaled(job.submit - first) else {
            return Err(refused(
                value,
                "the submit times become too long; choose a higher load",
            ));
        };
        job.submit = Time(first.0.saturating_add(since));
    }
    Ok(())
}

/// The ratio A / (P · D · ρ), nothing where it is beyond 128 bits.
fn offered(
    jobs: &[Job],
    span: Span,
    load: Decimal,
    slots: u64,
) -> Result<Option<(u128, u128)>, Problem> {
    let mut area = Some(0u128);
    for job in jobs {
        let job = u128::from(job.size) * u128::from(job.runtime.0);
        area = area.and_then(|area| area.checked_add(job));
    }
    if area == Some(0) {
        return Err(refused(
            load,
            "no job has any run time, so there is no load to scale; use as-logged",
        ));
    }
    if span == Span(0) {
        return Err(refused(
            load,
            "all jobs are submitted at the same time, so no load can be reached; use as-logged",
        ));
    }
    let (units, unit) = load.ratio();
    let ratio = || {
        let (up, down) = (area?, u128::from(slots) * u128::from(span.0));
        let common = common_divisor(up, down);
        let up = (up / common).checked_mul(unit)?;
        let down = (down / common).checked_mul(units)?;
        (down > 0).then_some((up, down))
    };
    Ok(ratio())
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

/// Gives each job its bandwidth.
pub(super) fn bandwidth(
    jobs: &mut [Job],
    law: Bandwidth,
    capped: bool,
    capacity: &Capacity,
    seed: u64,
    replication: u64,
) {
    let line_rate = capacity.line_rate.0 as f64;
    for (index, job) in jobs.iter_mut().enumerate() {
        let size = f64::from(job.size);
        let half_of = |share: f64| {
            let most = (line_rate * share).min(line_rate);
            ((most / 10.0 + most) / 2.0, most)
        };
        let (mean, most) = match law {
            Bandwidth::None => {
                job.bandwidth = Kbps(0);
                continue;
            }
            Bandwidth::Column => {
                if capped {
                    job.bandwidth = job.bandwidth.min(capacity.line_rate);
                }
                continue;
            }
            Bandwidth::Normal { mean } => (mean.0 as f64, mean.0 as f64 / 0.55),
            Bandwidth::PerSize => half_of(capacity.servers as f64 / size),
            Bandwidth::PerServer => {
                let servers = u64::from(job.size).div_ceil(capacity.slots_per_server);
                half_of(servers as f64 / size)
            }
        };
        let least = most / 10.0;
        let most = if capped { most.min(line_rate) } else { most };
        let mut stream = Stream::new(seed, replication, "bandwidth", index as u64);
        let drawn = mean + 0.2 * mean * stream.normal();
        job.bandwidth = Kbps(round(drawn.max(least).min(most)));
    }
}

/// Whether instants stay exact however the jobs are scheduled: one after the other they end before
/// [`LATEST`].
pub(super) fn fits_in_time(jobs: &[Job]) -> bool {
    let last = jobs.last().map_or(Time(0), |job| job.submit);
    let longest = jobs
        .iter()
        .map(|job| u128::from(job.runtime.max(job.estimate).0));
    u128::from(last.0) + longest.sum::<u128>() <= u128::from(LATEST)
}
