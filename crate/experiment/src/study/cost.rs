//! The relative costs of the runs of a scenario, from short trials.
//!
//! Every policy is tried at the ends of the sweep, in the first replication; costs in between are
//! interpolated. All trials together simulate at most a fiftieth of the scenario's jobs, and take
//! at most a fraction of a second, as every part of a scenario starts with them.
//!
//! A trial counts events and reads no clock. So all machines find the same costs, and agree on the
//! runs of each [part](crate::study::part) of the scenario.

use std::cmp::Reverse;

use crate::language::scenario::{Axis, Scenario};
use crate::study::cell::Cell;
use crate::study::sweep::CellRun;
use backfill_sim::problem::Problem;
use backfill_sim::run::Keep;
use backfill_sim::workload::{self, Trace};

/// The most events of all trials.
const MOST: u64 = 40_000;

/// Events between two checks of the progress of a run.
const SLICE: u64 = 100;

/// One of this many jobs of a scenario is simulated in trials.
const ONE_OF: u64 = 50;

/// The cost of each run of a scenario, in events.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The last position on each axis, y and x.
    last: [usize; 2],
    /// The cost of each policy at the ends: one list over x for each end of y.
    at_ends: Vec<Vec<Vec<u64>>>,
    /// Events of all trials.
    tried: u64,
}

impl Costs {
    /// Tries the policies of a scenario.
    ///
    /// # Errors
    /// A workload cannot be made.
    pub fn estimate(scenario: &Scenario, trace: Option<&Trace>) -> Result<Costs, Problem> {
        let last = [scenario.y(), scenario.x()].map(last_of);
        let [ys, xs] = last.map(|last| if last > 0 { vec![0, last] } else { vec![0] });
        let policies = scenario.policies().len();
        let trials = policies * ys.len() * xs.len();
        let jobs = workload::job_count(&scenario.setup(Some(0), Some(0), 0).workload, trace)?;
        let most = ((jobs * scenario.runs()) as u64 / ONE_OF).min(MOST) / trials as u64;
        let mut tried = 0;
        let at_ends = (0..policies).map(|policy| {
            let along_y = ys.iter().map(|&y| {
                let along_x = xs.iter().map(|&x| {
                    let cell = Cell {
                        index: 0,
                        x,
                        y,
                        policy,
                        replication: 0,
                    };
                    let (events, expected) = trial(scenario, cell, trace, most)?;
                    tried += events;
                    Ok(expected)
                });
                along_x.collect()
            });
            along_y.collect()
        });
        let at_ends = at_ends.collect::<Result<_, Problem>>()?;
        Ok(Costs {
            last,
            at_ends,
            tried,
        })
    }

    /// The cost of the trials relative to these runs: with the duration of the trials it gives the
    /// duration of the runs.
    pub fn share_tried(&self, cells: &[Cell]) -> f64 {
        let all: u64 = cells.iter().map(|&cell| self.of(cell)).sum();
        self.tried as f64 / all.max(1) as f64
    }

    /// Equal costs of all runs, without trials.
    pub fn equal(scenario: &Scenario) -> Costs {
        Costs {
            last: [0; 2],
            at_ends: vec![vec![vec![1000]]; scenario.policies().len()],
            tried: 0,
        }
    }

    /// The cost of a run, at least 1.
    pub fn of(&self, cell: Cell) -> u64 {
        let [last_y, last_x] = self.last;
        let along_x = self.at_ends[cell.policy].iter();
        let along_x: Vec<u64> = along_x.map(|ends| between(ends, cell.x, last_x)).collect();
        between(&along_x, cell.y, last_y).max(1)
    }

    /// Sorts runs by descending cost, equal ones in scenario order.
    pub fn long_first(&self, cells: &mut [Cell]) {
        cells.sort_by_cached_key(|&cell| (Reverse(self.of(cell)), cell.index));
    }
}

/// The interpolated value at a position between the first and the last one.
fn between(ends: &[u64], at: usize, last: usize) -> u64 {
    let &[first, end] = ends else { return ends[0] };
    let (at, last) = (at as u64, last as u64);
    (first * (last - at) + end * at) / last
}

/// The last position on an axis.
fn last_of(axis: Option<&Axis>) -> usize {
    axis.map_or(0, |axis| axis.values.len() - 1)
}

/// Tries a run for at most this many events: their number, and the estimated number of the whole
/// run.
fn trial(
    scenario: &Scenario,
    cell: Cell,
    trace: Option<&Trace>,
    most: u64,
) -> Result<(u64, u64), Problem> {
    let mut run = CellRun::new(scenario, cell, trace, Keep::Metrics)?;
    let mut events = 0;
    loop {
        events += SLICE;
        let ended = run.advance(SLICE);
        let (decided, jobs) = run.progress();
        if ended || events >= most {
            let expected = events * jobs.max(1) as u64 / decided.max(1) as u64;
            return Ok((events, expected));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::sweep::cells;

    fn costs(pairs: &[(&str, &str)]) -> (Vec<Cell>, Costs) {
        let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
        let costs = Costs::estimate(&scenario, None).expect("jobs that can be made");
        (cells(&scenario), costs)
    }

    #[test]
    fn a_run_of_more_jobs_costs_more_and_what_lies_between_is_interpolated() {
        let (mut cells, costs) = costs(&[
            ("policy", "fcfs,easy"),
            ("x", "jobs:1000,2000,4000"),
            ("load", "0.5"),
            ("reps", "20"),
        ]);
        let of = |x, policy| {
            let mut those = cells
                .iter()
                .filter(|cell| (cell.x, cell.policy) == (x, policy));
            let first = costs.of(*those.next().expect("a replication"));
            assert!(those.all(|&cell| costs.of(cell) == first));
            first
        };
        for policy in [0, 1] {
            assert!(of(0, policy) < of(2, policy));
            assert_eq!(of(1, policy), (of(0, policy) + of(2, policy)) / 2);
        }
        costs.long_first(&mut cells);
        assert!(cells.is_sorted_by_key(|&cell| Reverse(costs.of(cell))));
        assert_eq!(cells[0].x, 2);
    }
}
