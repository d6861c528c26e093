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

/// The instants at which jobs start and end, ascending, with the change of the processors in use,
/// where they are `wanted`. At one instant there are ends, then starts, then ends of jobs that run
/// for zero seconds.
fn changes(
    jobs: impl Iterator<Item = (Time, Span, u32)>,
    wanted: impl Fn(Time) -> bool,
) -> Vec<(Time, i64)> {
    let (mut changes, mut starts, mut last) = (Vec::new(), Vec::new(), Vec::new());
    for (start, runtime, size) in jobs {
        let (end, size) = (start + runtime, i64::from(size));
        if wanted(start) {
            starts.push((start, size));
        }
        if wanted(end) {
            let ends = if runtime == Span(0) {
                &mut last
            } else {
                &mut changes
            };
            ends.push((end, -size));
        }
    }
    changes.append(&mut starts);
    changes.append(&mut last);
    sorting::by_number(&mut changes, |&(time, _)| time.0);
    changes
}

/// The most processors in use at once by jobs that start at these instants, run for these times and
/// have so many processors. Complexity: O(jobs), and a sort of the instants that may be the one.
///
/// Time is cut into about as many intervals as there are jobs. In an interval at most the
/// processors in use at its begin and those of all jobs that start in it are in use; only where
/// these are more than at any begin, its instants are looked at one by one.
pub fn most_in_use(jobs: &[(Time, Span, u32)]) -> u32 {
    let times = || {
        jobs.iter()
            .map(|&(start, runtime, _)| (start, start + runtime))
    };
    let first = times().map(|(start, _)| start).min().unwrap_or_default();
    let last = times().map(|(_, end)| end).max().unwrap_or_default();
    let bits = u64::BITS - (last - first).0.leading_zeros();
    let shift = bits.saturating_sub(jobs.len().max(1).ilog2());
    let interval = |time: Time| ((time - first).0 >> shift) as usize;
    // Processors of the jobs that start in each interval, and of those that end in it; then those in
    // use at its begin.
    let mut intervals = vec![(0_i64, 0_i64); interval(last) + 1];
    for &(start, runtime, size) in jobs {
        intervals[interval(start)].0 += i64::from(size);
        intervals[interval(start + runtime)].1 += i64::from(size);
    }
    let (mut in_use, mut most) = (0, 0);
    for (starts, ends) in &mut intervals {
        let begin = in_use;
        in_use += *starts - *ends;
        *ends = begin;
        most = most.max(begin);
    }
    let least = most;
    let wanted = |time| {
        let (starts, begin) = intervals[interval(time)];
        begin + starts > least
    };
    let mut now = None;
    for (time, change) in changes(jobs.iter().copied(), wanted) {
        let at = interval(time);
        if now.replace(at) != Some(at) {
            in_use = intervals[at].1;
        }
        in_use += change;
        most = most.max(in_use);
    }
    u32::try_from(most).unwrap_or(u32::MAX)
}

impl UseOverTime {
    /// Of jobs that start at these instants, run for these times and have so many processors.
    pub fn of(jobs: impl Iterator<Item = (Time, Span, u32)>) -> UseOverTime {
        let mut usage = UseOverTime::default();
        let mut in_use = 0;
        for at_once in changes(jobs, |_| true).chunk_by(|one, other| one.0 == other.0) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn the_most_in_use_is_that_of_all_instants() {
        for round in 0..300 {
            let mut stream = Stream::new(round, 0, "usage", 0);
            let (count, longest) = (stream.below(60), 1 + stream.below(40));
            let jobs: Vec<(Time, Span, u32)> = (0..count)
                .map(|_| {
                    let start = Time(7 + stream.below(100));
                    let size = 1 + stream.below(9) as u32;
                    (start, Span(stream.below(longest)), size)
                })
                .collect();
            let mut in_use = 0;
            let plain = changes(jobs.iter().copied(), |_| true).into_iter();
            let used = plain.map(|(_, change)| {
                in_use += change;
                in_use
            });
            let most = used.max().unwrap_or(0);
            assert_eq!(i64::from(most_in_use(&jobs)), most);
        }
    }
}
