//! Cleaning a trace before it is simulated, and shaking its submit times.
//!
//! A *flurry* is a burst of very many similar jobs of one user, which can decide the result of a
//! whole simulation though it will not come again. Here it is at least [`LEAST`] jobs of one user
//! and one size, each submitted at most [`PAUSE`] after the one before it. Shaking moves each
//! submit time at random in every replication: a robust result does not depend on exact instants.
//!
//! Source: D. Tsafrir, D. G. Feitelson, "Instability in parallel job scheduling simulation: the
//! role of workload flurries", IPDPS 2006; D. Tsafrir, K. Ouaknine, D. G. Feitelson, "Reducing
//! performance evaluation sensitivity and variability by input shaking", MASCOTS 2007. Departures:
//! flurries were found there by eye; the bounds of this rule are ours. Only submit times are shaken
//! here.

use super::options::{Flurries, Statuses};
use super::recorded;
use super::trace::{Flurry, LogRow, Status, Trace};
use crate::problem::Problem;
use crate::rng::Stream;
use crate::sorting;
use crate::unit::{MICROS, Span, Time};
use crate::workload::{Slice, Workload};
use std::ops::Range;

/// The fewest jobs of a flurry.
pub const LEAST: usize = 100;

/// The longest time from one submit of a flurry to the next: ten minutes.
pub const PAUSE: Span = Span(600 * MICROS);

/// Marks the rows that belong to a flurry; rows are in order of submit time. Returns the flurries,
/// the one with the most jobs first. Jobs without a user are in none, and none has more processors
/// than `largest`.
pub fn mark_flurries(rows: &mut [LogRow], largest: u32) -> Vec<Flurry> {
    // One number for user and size, without gaps: ranges of them have about as many jobs each.
    let sizes = 1 + u64::from(largest);
    // Submits stand near one another in a list of their own.
    let (alike, submits): (Vec<u64>, Vec<Time>) = rows
        .iter()
        .map(|row| {
            (
                u64::from(row.user) * sizes + u64::from(row.size),
                row.submit,
            )
        })
        .unzip();
    let order = sorting::positions_of_numbers(&alike);
    let mut found = Vec::new();
    for jobs in order.chunk_by(|&a, &b| alike[a as usize] == alike[b as usize]) {
        if jobs.len() < LEAST || rows[jobs[0] as usize].user == 0 {
            continue;
        }
        let submit = |job: u32| submits[job as usize];
        let bursts: Vec<&[u32]> = jobs
            .chunk_by(|&a, &b| submit(b) - submit(a) <= PAUSE)
            .filter(|burst| burst.len() >= LEAST)
            .collect();
        for burst in bursts {
            let LogRow { user, size, .. } = rows[burst[0] as usize];
            found.push(Flurry {
                user,
                size,
                jobs: burst.len(),
                first: submit(burst[0]),
                last: submit(burst[burst.len() - 1]),
            });
            for &job in burst {
                rows[job as usize].in_flurry = true;
            }
        }
    }
    sorting::by_key(&mut found, |flurry: &Flurry| {
        (
            usize::MAX - flurry.jobs,
            flurry.first,
            flurry.user,
            flurry.size,
        )
    });
    found
}

impl Statuses {
    /// Whether a job that ended like this one is taken.
    pub fn take(self, row: &LogRow) -> bool {
        match self {
            Statuses::All => true,
            Statuses::NotCancelled => row.status != Status::Cancelled,
            Statuses::Completed => !matches!(row.status, Status::Cancelled | Status::Failed),
            Statuses::Executed => row.status != Status::Cancelled && row.runtime > Span(0),
        }
    }
}

impl Flurries {
    /// Whether a job is taken, be it in a flurry or not.
    pub fn take(self, row: &LogRow) -> bool {
        self == Flurries::Keep || !row.in_flurry
    }
}

/// The positions of the rows of a trace that a scenario takes.
pub fn positions(trace: &Trace, workload: &Workload) -> Vec<u32> {
    let rows = (0..).zip(trace.rows.iter());
    let selects = workload.selection.takes(&trace.labels);
    let taken = rows.filter(|(_, row)| takes(workload, row) && selects(row));
    let mut positions: Vec<u32> = taken.map(|(position, _)| position).collect();
    let part = match workload.slice {
        Slice::All => 0..positions.len(),
        Slice::Busiest(count) => recorded::busiest(trace, &positions, count as usize),
        Slice::Positions(from, to) => {
            let end = positions.len().min(to as usize);
            end.min(from as usize - 1)..end
        }
    };
    positions.truncate(part.end);
    positions.drain(..part.start);
    positions.truncate(workload.first.map_or(usize::MAX, |first| first as usize));
    positions
}

/// The positions, counted from 1, of the first and the last of these rows of a trace that was
/// submitted in a period, in seconds since time 0, as [`Slice::Positions`] counts them; `None` if
/// there is none.
pub fn submitted(rows: &[LogRow], workload: &Workload, period: Range<f64>) -> Option<[u32; 2]> {
    let taken = rows.iter().filter(|row| takes(workload, row));
    let mut found = (1..)
        .zip(taken)
        .filter(|(_, row)| period.contains(&row.submit.seconds()))
        .map(|(position, _)| position);
    let first = found.next()?;
    Some([first, found.last().unwrap_or(first)])
}

/// Whether a scenario takes this job by its status and flurry.
fn takes(workload: &Workload, row: &LogRow) -> bool {
    workload.statuses.take(row) && workload.flurries.take(row)
}

/// The problem that a scenario takes no job of a trace.
pub(super) fn none_left(workload: &Workload) -> Problem {
    let message = "leaves no job of the trace; take more of them";
    if let Some((key, pick)) = workload.selection.first() {
        return Problem::new(key, &pick.to_string(), message);
    }
    match (workload.slice, workload.statuses) {
        (Slice::Positions(from, to), _) => Problem::new("slice", &format!("{from}-{to}"), message),
        (_, Statuses::All) => Problem::new("flurries", workload.flurries.name(), message),
        (_, statuses) => Problem::new("statuses", statuses.name(), message),
    }
}

/// The jobs of a trace that a scenario takes, by submit time; shaken, if it says so.
///
/// # Errors
/// No job is left.
pub fn chosen(
    trace: &Trace,
    workload: &Workload,
    seed: u64,
    replication: u64,
) -> Result<Vec<LogRow>, Problem> {
    let positions = positions(trace, workload);
    let row = |&position: &u32| trace.rows[position as usize].clone();
    let mut rows: Vec<LogRow> = positions.iter().map(row).collect();
    if rows.is_empty() {
        return Err(none_left(workload));
    }
    let shake = workload.shake.0;
    if shake > 0 {
        for (index, row) in rows.iter_mut().enumerate() {
            let draw = Stream::new(seed, replication, "shake", index as u64).below(2 * shake + 1);
            row.submit = Time((row.submit.0 + draw).saturating_sub(shake));
        }
        sorting::by_key(&mut rows, |row| row.submit);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jobs_of_a_period_are_counted_among_those_that_are_taken() {
        let row = |(second, status)| LogRow {
            submit: Time(second * MICROS),
            status,
            ..LogRow::default()
        };
        let rows = [
            (0, Status::Cancelled),
            (5, Status::Completed),
            (10, Status::Completed),
            (10, Status::Completed),
            (20, Status::Cancelled),
            (30, Status::Completed),
        ];
        let rows = rows.map(row);
        let mut workload = Workload::default();
        assert_eq!(submitted(&rows, &workload, 5.0..20.0), Some([2, 4]));
        assert_eq!(submitted(&rows, &workload, 20.0..21.0), Some([5, 5]));
        assert_eq!(submitted(&rows, &workload, 21.0..30.0), None);
        workload.statuses = Statuses::Completed;
        assert_eq!(submitted(&rows, &workload, 5.0..20.0), Some([1, 3]));
        assert_eq!(submitted(&rows, &workload, 20.0..21.0), None);
    }
}
