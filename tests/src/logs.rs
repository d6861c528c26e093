//! The real logs that suites run on where they are at hand.
//!
//! They are found in the folder that the environment variable `BACKFILL_TRACES` names; their terms
//! forbid a copy here.

use std::path::PathBuf;

use backfill_experiment::logs::{Options, TraceReader};
use backfill_sim::workload::{Format, Processors, Trace};

/// The log of the 100-node IBM SP2 at KTH, Stockholm (L. Malinowsky).
pub const KTH: &str = "KTH-SP2-1996-2.1-cln.swf.gz";

/// The log of the 128-node iPSC/860 at NASA Ames (B. Nitzberg).
pub const NASA: &str = "NASA-iPSC-1993-3.1-cln.swf.gz";

/// The log of the 8192 cores of RICC at RIKEN, of which this copy has no header.
pub const RICC: &str = "RICC-2010-2.swf.gz";

/// The bytes of a log, or nothing, said aloud, where it is not at hand.
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
    Options {
        name: name.to_owned(),
        processors: Processors::AllocThenReq,
        machine: None,
        strict: false,
    }
}

/// A log read with the usual options, where it is at hand.
pub fn trace(name: &str) -> Option<Trace> {
    let bytes = bytes(name)?;
    let mut reader = TraceReader::new(Format::Swf, options(name));
    reader.push(&bytes).expect("the log is readable");
    Some(reader.finish().expect("the log has jobs"))
}
