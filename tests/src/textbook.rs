//! FCFS and EASY on alike nodes by a program in another language, which shares nothing with the
//! simulator, and the starts of jobs in a run of the simulator.

use std::io::Write as _;
use std::process::{Command, Stdio};

use backfill_sim::job::Jobs;
use backfill_sim::record::{Outcome, Record};

use crate::runs::outcomes_of;

/// What `textbook.py` found.
#[derive(Clone, Debug)]
pub struct InPython {
    /// When each job starts, in microseconds; -1 for one that never does.
    pub starts: Vec<i64>,
    /// How many seconds scheduling took.
    pub seconds: f64,
}

/// The same of a run.
pub fn starts(record: &Record) -> Vec<i64> {
    let start = |outcome: &Outcome| match *outcome {
        Outcome::Ran { start, .. } => start.0 as i64,
        _ => -1,
    };
    outcomes_of(record).iter().map(start).collect()
}

/// Makes `textbook.py` schedule jobs under `fcfs` or `easy`; `None`, with a message, if there is no
/// `python3`.
///
/// # Panics
/// The program fails.
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
pub fn in_python(jobs: &Jobs, nodes: u32, policy: &str) -> Option<InPython> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/textbook.py");
    let started = Command::new("python3")
        .args([script, policy, &nodes.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = started else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    let mut input = python.stdin.take().expect("it is piped");
    for job in jobs.iter() {
        let times = (job.submit.0, job.runtime.0, job.estimate.0);
        writeln!(input, "{} {} {} {}", times.0, job.size, times.1, times.2).expect("it reads");
    }
    drop(input);
    let output = python.wait_with_output().expect("it writes");
    let text = String::from_utf8(output.stdout).expect("numbers");
    let mut lines = text.lines();
    Some(InPython {
        seconds: lines.next()?.parse().expect("a number"),
        starts: lines.map(|line| line.parse().expect("a number")).collect(),
    })
}
