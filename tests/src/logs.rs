//! The real logs of the suites, if available, and a generated one that always is.
//!
//! Real ones are in the folder that the environment variable `BACKFILL_TRACES` names; their terms
//! forbid a copy here.

use std::fmt::Write as _;
use std::path::PathBuf;

use backfill_experiment::files::logs::{Options, TraceReader};
use backfill_sim::rng::Stream;
use backfill_sim::workload::{Format, Trace};

/// The log of the 100-node IBM SP2 at KTH, Stockholm (L. Malinowsky).
pub const KTH: &str = "KTH-SP2-1996-2.1-cln.swf.gz";

/// The log of the 128-node iPSC/860 at NASA Ames (B. Nitzberg).
pub const NASA: &str = "NASA-iPSC-1993-3.1-cln.swf.gz";

/// The log of the 8192 cores of RICC at RIKEN, of which this copy has no header.
pub const RICC: &str = "RICC-2010-2.swf.gz";

/// The bytes of a log; `None`, with a message, if it is not available.
///
/// # Panics
/// The variable names a folder in which the log is missing.
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
pub fn bytes(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("BACKFILL_TRACES") else {
        eprintln!("skipped: BACKFILL_TRACES is not set, so there is no {name}");
        return None;
    };
    let path = PathBuf::from(folder).join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// How a file of that name is read.
pub fn options(name: &str) -> Options {
    Options::named(name)
}

/// A log read with the usual options, where it is at hand.
pub fn trace(name: &str) -> Option<Trace> {
    Some(read(name, &bytes(name)?))
}

/// A log of `jobs` jobs on 100 processors, which ask for 0.9 of them: a quarter serial, the others
/// as large as powers of two, three or five times that; estimates of round values, a third of
/// which the jobs use up and some overrun; every tenth without one. The same each time.
///
/// # Panics
/// Never.
pub fn made(jobs: u64) -> Trace {
    let mut text = "; MaxProcs: 100\n".to_owned();
    let mut submit = 0;
    for number in 1..=jobs {
        let mut draw = Stream::new(1, 0, "made log of 100 processors", number);
        // Most come in bursts.
        if draw.below(3) == 0 {
            submit += draw.below(2 * 3 * 356);
        }
        let size = match draw.below(4) {
            0 => 1,
            _ => [1, 3, 5][draw.below(3) as usize] << draw.below(4),
        };
        let estimate = 60 * [10, 30, 60, 120, 240][draw.below(5) as usize];
        let runtime = match draw.below(3) {
            0 => estimate + draw.below(30),
            _ => 1 + draw.below(estimate),
        };
        let asked = match draw.below(10) {
            0 => "-1".to_owned(),
            _ => estimate.to_string(),
        };
        writeln!(
            text,
            "{number} {submit} -1 {runtime} {size} -1 -1 {size} {asked} -1 1 1 1 1 1 1 -1 -1"
        )
        .expect("text takes text");
    }
    read("made.swf", text.as_bytes())
}

fn read(name: &str, bytes: &[u8]) -> Trace {
    let mut reader = TraceReader::new(Format::Swf, options(name));
    reader.push(bytes).expect("the log is readable");
    reader.finish().expect("the log has jobs")
}

/// How many lines of a trace were accepted or repaired, rejected, folded, comments and blank.
///
/// # Panics
/// A line is not accounted for.
pub fn balance(trace: &Trace) -> [u64; 5] {
    let report = &trace.report;
    assert!(report.balances());
    let taken = report.accepted + report.repaired;
    [
        taken,
        report.rejected,
        report.folded,
        report.comments,
        report.blank,
    ]
}

/// Whether a warning about a trace holds these words.
pub fn warns(trace: &Trace, words: &str) -> bool {
    trace
        .report
        .warnings
        .iter()
        .any(|warning| warning.contains(words))
}
