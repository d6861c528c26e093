//! What a log records of its own schedule: starts, the use of its machine, and its busiest jobs.
//!
//! A log *records waits* if at least [`LEAST_WAITS`] per cent of its jobs have one and one of them
//! is not zero: some logs give the start as the submit time. Where a schedule is needed and no
//! waits are recorded, FCFS without backfilling on the log's machine takes its place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::trace::{LogRow, Trace};
use super::usage::{self, UseOverTime};
use crate::unit::{Span, Time};

/// The least share of jobs with a recorded wait, in per cent.
pub(crate) const LEAST_WAITS: usize = 95;

/// Whether these jobs record when they started.
pub fn waits(rows: &[LogRow]) -> bool {
    let (mut known, mut longest) = (0, None);
    for wait in rows.iter().filter_map(|row| row.wait.get()) {
        known += 1;
        longest = longest.max(Some(wait));
    }
    are_known(rows.len(), known, longest)
}

/// Whether so many of the jobs have a wait, the longest of which is this, that waits are recorded.
fn are_known(jobs: usize, known: usize, longest: Option<Span>) -> bool {
    known * 100 >= jobs * LEAST_WAITS && longest > Some(Span(0))
}

/// The most processors in use at once by recorded start and run times; `None` where waits are not
/// recorded.
pub fn most_in_use(rows: &[LogRow]) -> Option<u32> {
    let mut longest = None;
    let jobs: Vec<_> = ran(rows
        .iter()
        .inspect(|row| longest = longest.max(row.wait.get())))
    .collect();
    are_known(rows.len(), jobs.len(), longest).then(|| usage::most_in_use(&jobs))
}

/// Of the rows at these positions the `count` successive ones, or all, between whose first and last
/// submit the largest share of the machine was in use: the earliest of several.
pub(super) fn busiest(trace: &Trace, positions: &[u32], count: usize) -> Range<usize> {
    if count >= positions.len() {
        return 0..positions.len();
    }
    let submit = |&position: &u32| trace.rows[position as usize].submit;
    let submits: Vec<Time> = positions.iter().map(submit).collect();
    let areas: Vec<u128> = trace.usage().areas(submits.iter().copied()).collect();
    let mut best = 0;
    let mut largest = (0, 1);
    for first in 0..=positions.len() - count {
        let last = first + count - 1;
        let length = u128::from((submits[last] - submits[first]).0);
        let share = (areas[last] - areas[first], length);
        if length > 0 && share.0 * largest.1 > largest.0 * length {
            (best, largest) = (first, share);
        }
    }
    best..best + count
}

impl Trace {
    /// The use of the log's machine over time, by its recorded starts, else under FCFS; computed
    /// once.
    pub fn usage(&self) -> &UseOverTime {
        self.usage.get_or_init(|| {
            if waits(&self.rows) {
                return of_rows(&self.rows);
            }
            let starts = first_come_first_served(&self.rows, self.machine);
            let ran = |(start, row): (Time, &LogRow)| (start, row.runtime, row.size);
            UseOverTime::of(starts.into_iter().zip(self.rows.iter()).map(ran))
        })
    }
}

/// The use by recorded starts.
fn of_rows(rows: &[LogRow]) -> UseOverTime {
    UseOverTime::of(ran(rows.iter()))
}

/// The recorded starts, with run times and sizes.
fn ran<'a>(rows: impl Iterator<Item = &'a LogRow>) -> impl Iterator<Item = (Time, Span, u32)> {
    rows.filter_map(|row| Some((row.start()?, row.runtime, row.size)))
}

/// When FCFS without backfilling starts these jobs on a machine; one that is wider takes all of it.
fn first_come_first_served(rows: &[LogRow], machine: u32) -> Vec<Time> {
    let mut ends = BinaryHeap::new();
    let mut free = machine;
    let mut now = Time(0);
    let start = |row: &LogRow| {
        let size = row.size.min(machine);
        now = now.max(row.submit);
        while let Some(&Reverse((end, leaves))) = ends.peek()
            && (end <= now || free < size)
        {
            now = now.max(end);
            free += leaves;
            ends.pop();
        }
        free -= size;
        ends.push(Reverse((now + row.runtime, size)));
        now
    };
    rows.iter().map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job submitted, started and ended at these instants, unless its start is unknown.
    fn row(submit: u64, start: Option<u64>, runtime: u64, size: u32) -> LogRow {
        LogRow {
            number: 1,
            submit: Time(submit),
            runtime: Span(runtime),
            size,
            wait: start.map(|start| Span(start - submit)).into(),
            line: 1,
            ..LogRow::default()
        }
    }

    #[test]
    fn waits_are_recorded_if_nearly_all_jobs_have_one_and_some_wait() {
        let log = |known: usize, wait: u64| {
            let of = |job| row(0, (job < known).then_some(wait), 1, 1);
            (0..100).map(of).collect::<Vec<_>>()
        };
        assert!(waits(&log(95, 1)));
        assert!(!waits(&log(94, 1)));
        assert!(!waits(&log(100, 0)));
    }

    #[test]
    fn who_ends_has_left_before_another_starts_unless_it_ran_for_zero_seconds() {
        // 3 processors up to 10; from then on 4, of which 1 at that instant alone.
        let rows = [
            row(0, Some(0), 10, 3),
            row(0, Some(10), 0, 1),
            row(2, Some(10), 5, 3),
        ];
        assert_eq!(most_in_use(&rows), Some(4));
        assert_eq!(most_in_use(&rows[..1]), None);
        let areas: Vec<u128> = of_rows(&rows)
            .areas([5, 10, 12, 99].map(Time).into_iter())
            .collect();
        assert_eq!(areas, [15, 30, 36, 45]);
    }

    #[test]
    fn first_come_first_served_waits_for_room_and_for_those_before() {
        // 2 of 4 up to 10; 3 fit at 10, so that 1, which would fit at 3, starts at 10 too.
        let rows = [
            row(0, None, 10, 2),
            row(1, None, 10, 3),
            row(3, None, 1, 1),
            row(30, None, 1, 9),
        ];
        let starts = first_come_first_served(&rows, 4);
        assert_eq!(starts, [0, 10, 10, 30].map(Time));
    }
}
