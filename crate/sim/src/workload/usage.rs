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

/// The instants at which jobs start and end, ascending, with the change of the processors in use.
/// At one instant there are ends, then starts, then ends of jobs that run for zero seconds.
fn changes(jobs: impl Iterator<Item = (Time, Span, u32)>) -> Vec<(Time, i64)> {
    let (mut changes, mut starts, mut last) = (Vec::new(), Vec::new(), Vec::new());
    for (start, runtime, size) in jobs {
        let size = i64::from(size);
        starts.push((start, size));
        let ends = if runtime == Span(0) {
            &mut last
        } else {
            &mut changes
        };
        ends.push((start + runtime, -size));
    }
    changes.append(&mut starts);
    changes.append(&mut last);
    sorting::by_number(&mut changes, |&(time, _)| time.0);
    changes
}

/// The most processors in use at once by jobs that start at these instants, run for these times and
/// have so many processors.
pub fn most_in_use(jobs: impl Iterator<Item = (Time, Span, u32)>) -> u32 {
    let mut in_use = 0;
    let used = changes(jobs).into_iter().map(|(_, change)| {
        in_use += change;
        in_use
    });
    u32::try_from(used.max().unwrap_or(0)).unwrap_or(u32::MAX)
}

impl UseOverTime {
    /// Of jobs that start at these instants, run for these times and have so many processors.
    pub fn of(jobs: impl Iterator<Item = (Time, Span, u32)>) -> UseOverTime {
        let mut usage = UseOverTime::default();
        let mut in_use = 0;
        for at_once in changes(jobs).chunk_by(|one, other| one.0 == other.0) {
            let from = at_once[0].0;
            let area = usage.area(from);
            in_use += at_once.iter().map(|change| change.1).sum::<i64>();
            usage.steps.push(Step {
                from,
                in_use: in_use as u64,
                area,
            });
        }
        usage
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
