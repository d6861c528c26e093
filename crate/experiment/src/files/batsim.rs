//! A run as the two tables that the simulator Batsim writes and its tools read, Evalys among them.
//!
//! Times are seconds with six decimals. A resource is a slot of a server, a node or a machine, by
//! its number: server by server, cluster by cluster (each as long as the largest), centre by
//! centre, the background of nodes after their foreground. If a run records only the number of
//! slots of a server, a job gets the free ones of lowest number, as in [`Holds`].
//!
//! Source: the output formats *Jobs* and *Schedule* of Batsim's documentation
//! (<https://batsim.readthedocs.io>).

use std::fmt::Write as _;

use crate::inspect::lanes::{Hold, Holds};
use crate::inspect::playback::Playback;
use backfill_sim::record::Outcome;
use backfill_sim::system::describe::Lanes;
use backfill_sim::unit::{MICROS, Span};

/// The columns of the table of jobs.
const JOBS: [&str; 17] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
    "consumed_energy",
    "metadata",
];

/// The name of every job's workload.
const WORKLOAD: &str = "backfill";

/// The tables of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatsimTables {
    /// One line for each job by its index: Batsim's `_jobs.csv`.
    ///
    /// - `profile` is the job's run time, as for profiles of jobs read from logs.
    /// - A job that never ran is `REJECTED` and has no times from `starting_time` on.
    /// - A job that was preempted or migrated has the time from its first start to its end, and its
    ///   last resources.
    /// - `stretch` is empty for a job of zero time, `consumed_energy` is −1 as in Batsim without
    ///   energy, `metadata` is empty.
    pub jobs: String,
    /// One line for the run: Batsim's `_schedule.csv`.
    ///
    /// Means and largest values are over the jobs that ran. The columns of power states are zero,
    /// those of energy and of the simulator's own time are empty.
    pub schedule: String,
}

/// The times of a job that ran.
struct Times {
    wait: Span,
    turnaround: Span,
    execution: Span,
}

impl Times {
    /// Turnaround by execution; `None` for a job of zero time.
    fn stretch(&self) -> Option<f64> {
        (self.execution > Span(0)).then(|| self.turnaround.0 as f64 / self.execution.0 as f64)
    }
}

impl BatsimTables {
    /// The tables of a run that kept its allocations.
    pub fn of(run: &Playback) -> BatsimTables {
        let resources = resources(run);
        let replay = run.run();
        let mut jobs = JOBS.join(",");
        let mut all: Vec<Times> = Vec::new();
        let mut makespan = 0;
        for (id, job) in replay.jobs.iter_enumerated() {
            let _ = write!(
                jobs,
                "\n{},{WORKLOAD},{},{},{},{},",
                job.number,
                job.runtime.seconds(),
                seconds(job.submit.0),
                job.size,
                seconds(job.estimate.0),
            );
            let Outcome::Ran { start, end } = replay.record.histories[id].outcome else {
                jobs.push_str("0,REJECTED,,,,,,,,-1,");
                continue;
            };
            let times = Times {
                wait: start - job.submit,
                turnaround: end - job.submit,
                execution: end - start,
            };
            let _ = write!(
                jobs,
                "1,COMPLETED_SUCCESSFULLY,{},{},{},{},{},{},{},-1,",
                seconds(start.0),
                seconds(times.execution.0),
                seconds(end.0),
                seconds(times.wait.0),
                seconds(times.turnaround.0),
                times.stretch().map_or(String::new(), decimal),
                intervals(&resources[id.0 as usize]),
            );
            makespan = makespan.max(end.0);
            all.push(times);
        }
        jobs.push('\n');
        BatsimTables {
            jobs,
            schedule: schedule(run, &all, makespan),
        }
    }
}

/// The line of the run, whose last job ends at `makespan`, under its header.
fn schedule(run: &Playback, ran: &[Times], makespan: u64) -> String {
    let replay = run.run();
    let each = |of: fn(&Times) -> Span| ran.iter().map(of);
    let longest = |of| seconds(each(of).max().unwrap_or_default().0);
    let mean = |of| mean(each(of).map(Span::seconds));
    let slowdowns = || ran.iter().filter_map(Times::stretch);
    let computing = replay.record.slot_time;
    let idle = (u128::from(replay.slots) * u128::from(makespan)).saturating_sub(computing);
    let jobs = replay.jobs.len();
    let zero = || seconds(0u64);
    let columns = [
        ("batsim_version", String::new()),
        ("consumed_joules", String::new()),
        ("makespan", seconds(makespan)),
        ("max_slowdown", decimal(slowdowns().fold(0.0, f64::max))),
        ("max_turnaround_time", longest(|times| times.turnaround)),
        ("max_waiting_time", longest(|times| times.wait)),
        ("mean_slowdown", self::mean(slowdowns())),
        ("mean_turnaround_time", mean(|times| times.turnaround)),
        ("mean_waiting_time", mean(|times| times.wait)),
        ("nb_computing_machines", replay.slots.to_string()),
        ("nb_grouped_switches", "0".to_owned()),
        ("nb_jobs", jobs.to_string()),
        ("nb_jobs_finished", ran.len().to_string()),
        ("nb_jobs_killed", "0".to_owned()),
        ("nb_jobs_rejected", (jobs - ran.len()).to_string()),
        ("nb_jobs_success", ran.len().to_string()),
        ("nb_machine_switches", "0".to_owned()),
        ("scheduling_time", String::new()),
        ("simulation_time", String::new()),
        (
            "success_rate",
            decimal(ran.len() as f64 / jobs.max(1) as f64),
        ),
        ("time_computing", seconds(computing)),
        ("time_idle", seconds(idle)),
        ("time_sleeping", zero()),
        ("time_switching_off", zero()),
        ("time_switching_on", zero()),
        ("time_unavailable", zero()),
    ];
    let (names, values): (Vec<&str>, Vec<String>) = columns.into_iter().unzip();
    format!("{}\n{}\n", names.join(","), values.join(","))
}

/// The last resources of each job.
fn resources(run: &Playback) -> Vec<Vec<Hold>> {
    let mut held = vec![Vec::new(); run.run().jobs.len()];
    let Some(allocations) = &run.run().record.allocations else {
        return held;
    };
    let lanes = run.system().lanes();
    // Intervals may span two blocks.
    let lanes = Lanes::alike(lanes.slots, 1, lanes.blocks.iter().sum());
    let holds = Holds::of(allocations.all(), &lanes);
    for of_one in holds.all().chunk_by(|a, b| a.allocation == b.allocation) {
        let job = allocations.all()[of_one[0].allocation as usize].job;
        held[job.0 as usize] = of_one.to_vec();
    }
    held
}

/// Resources in Batsim's form: `1-3 7`.
fn intervals(holds: &[Hold]) -> String {
    let each = holds.iter().map(|hold| match hold.lanes {
        1 => hold.lane.to_string(),
        lanes => format!("{}-{}", hold.lane, hold.lane + lanes - 1),
    });
    each.collect::<Vec<_>>().join(" ")
}

/// Microseconds as seconds, exactly.
fn seconds(micros: impl Into<u128>) -> String {
    let (micros, second) = (micros.into(), u128::from(MICROS));
    format!("{}.{:06}", micros / second, micros % second)
}

fn decimal(value: f64) -> String {
    format!("{value:.6}")
}

/// The mean; 0 of no values, as in Batsim.
fn mean(values: impl Iterator<Item = f64>) -> String {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    decimal(sum / f64::from(count.max(1)))
}
