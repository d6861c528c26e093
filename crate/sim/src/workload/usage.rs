//! The use of a machine over time, from the starts and run times of jobs.
//!
//! A job that runs for zero seconds has its processors at the instant of its start; others that end
//! at an instant have left before it.

use crate::sorting;
use crate::unit::{Span, Time};

/// The use of a machine over time.
#[derive(Clone, Debug, Default)]
pub struct UseOverTime {
    /// From each instant on, up to the next one.
    steps: Vec<Step>,
    /// The most processors in use at once.
    most: u32,
}

/// The use from an instant on.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: Time,
    /// Processors in use.
    in_use: u64,
    /// Processors in use times microseconds, before this instant.
    area: u128,
}

impl UseOverTime {
    /// Of jobs that start at these instants, run for these times and have so many processors.
    pub fn of(jobs: impl Iterator<Item = (Time, Span, u32)>) -> UseOverTime {
        // At one instant: ends, starts, ends of jobs that run for zero seconds.
        let mut changes: Vec<(Time, u8, i64)> = Vec::new();
        for (start, runtime, size) in jobs {
            let size = i64::from(size);
            let last = if runtime == Span(0) { 2 } else { 0 };
            changes.push((start, 1, size));
            changes.push((start + runtime, last, -size));
        }
        sorting::by_key(&mut changes, |&(time, class, _)| (time, class));
        let mut usage = UseOverTime::default();
        let mut in_use = 0;
        for at_once in changes.chunk_by(|one, other| one.0 == other.0) {
            let from = at_once[0].0;
            let before = usage.area(from);
            for (.., change) in at_once {
                in_use += change;
                usage.most = usage.most.max(u32::try_from(in_use).unwrap_or(u32::MAX));
            }
            usage.steps.push(Step {
                from,
                in_use: in_use as u64,
                area: before,
            });
        }
        usage
    }

    /// The most processors in use at once.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Processors in use times microseconds up to an instant not before the last step.
    fn area(&self, time: Time) -> u128 {
        self.steps.last().map_or(0, |step| step.area_at(time))
    }

    /// Processors in use times microseconds up to each of these instants, which ascend.
    pub fn areas(&self, times: impl Iterator<Item = Time>) -> impl Iterator<Item = u128> {
        let mut next = 0;
        times.map(move |time| {
            next += self.steps[next..].partition_point(|step| step.from <= time);
            next.checked_sub(1)
                .map_or(0, |last| self.steps[last].area_at(time))
        })
    }
}

impl Step {
    /// Processors in use times microseconds up to an instant not after the next step.
    fn area_at(&self, time: Time) -> u128 {
        self.area + u128::from(self.in_use) * u128::from((time - self.from).0)
    }
}
