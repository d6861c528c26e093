//! Logs and job lists. The first byte of an input selects the options of the reader; `0` is the
//! default.

use std::io::Write as _;

use backfill_experiment::files::logs::doctor::Diagnosis;
use backfill_experiment::files::logs::swf::{self, SwfLine};
use backfill_experiment::files::logs::{Options, TraceError, TraceReader};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{cells, parts};
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::LogRow;
use backfill_sim::workload::{Cancelled, Format, Processors, Trace};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A log in the Standard Workload Format: see [`log`].
///
/// # Panics
/// As of [`log`].
pub fn swf(input: &[u8]) {
    let (how, file) = how(input);
    log(Format::Swf, how, file);
}

/// Accounting files, of Slurm and others, and tables: see [`log`]. The jobs are the same after they
/// were written as a log in the Standard Workload Format.
///
/// # Panics
/// They are not, or as of [`log`].
pub fn sacct(input: &[u8]) {
    let (how, file) = how(input);
    log(Format::Swf, how, file);
    let Ok(trace) = read(Format::Swf, how, &[file]) else {
        return;
    };
    let lines: Vec<SwfLine> = trace.rows.iter().map(SwfLine::from).collect();
    let written = swf::write(&trace.header, &lines);
    // What is written names the size of a job only once.
    let again = How {
        processors: Processors::AllocThenReq,
        strict: false,
        ..how
    };
    let again = read(Format::Swf, again, &[written.as_bytes()]);
    let again = again.expect("what was written reads back");
    let jobs = |trace: &Trace| {
        let jobs = trace.rows.iter().map(|row| LogRow {
            line: 0,
            ..row.clone()
        });
        jobs.collect::<Vec<_>>()
    };
    assert_eq!(jobs(&trace), jobs(&again));
}

/// A job list: see [`log`].
///
/// # Panics
/// As of [`log`].
pub fn csv(input: &[u8]) {
    let (how, file) = how(input);
    log(Format::Csv, how, file);
}

/// Bytes behind the two that every gzip file begins with, and the same bytes packed, of which as
/// much is read as of the plain ones.
///
/// # Panics
/// It is not.
pub fn gz(input: &[u8]) {
    let (how, file) = how(input);
    let damaged = [b"\x1f\x8b", file].concat();
    said(&read(Format::Swf, how, &[&damaged]));
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(file).expect("memory takes all");
    let packed = packed.finish().expect("memory takes all");
    // Plain bytes that begin as a gzip file does are no text.
    if !file.starts_with(b"\x1f\x8b") {
        let plain = read(Format::Swf, how, &[file]);
        let unpacked = read(Format::Swf, how, &[&packed]);
        assert_eq!(said(&plain), said(&unpacked));
    }
}

/// Whatever the bytes, and whatever the pieces in which they come, a file is read to the same jobs
/// and the same report, or refused by one plain sentence; and of what is read jobs are made, or the
/// scenario is refused.
///
/// # Panics
/// It is not so.
fn log(format: Format, how: How, file: &[u8]) {
    let whole = read(format, how, &[file]);
    let middle = file.len() / 3;
    let (start, end) = file.split_at(middle);
    assert_eq!(said(&whole), said(&read(format, how, &[start, end])));
    let Ok(trace) = whole else {
        return;
    };
    let (report, jobs) = (&trace.report, trace.rows.len() as u64);
    let lines = report.accepted + report.repaired;
    let has_tasks = report.count(FindingKind::TasksOnOneLine) > 0;
    assert!(
        jobs == lines || has_tasks && jobs > lines,
        "{jobs} of {lines}"
    );
    assert_eq!(Diagnosis::of(&trace).jobs, trace.rows.len());
    trace.summary(trace.rows.len());
    let workload = match format {
        Format::Swf => "swf",
        Format::Csv => "csv",
    };
    for load in ["as-logged", "0.7"] {
        let pairs = [("workload", workload), ("load", load), ("policy", "easy")];
        let scenario = Scenario::parse(pairs).expect("a valid scenario");
        if let Ok((_, jobs)) = parts(&scenario, cells(&scenario)[0], Some(&trace)) {
            assert_eq!(jobs.len(), trace.rows.len());
        }
    }
}

/// The options of a reader.
#[derive(Clone, Copy)]
struct How {
    processors: Processors,
    cancelled: Cancelled,
    strict: bool,
}

/// The options in the first byte, and the file after it.
fn how(input: &[u8]) -> (How, &[u8]) {
    let (&first, file) = input.split_first().unwrap_or((&b'0', input));
    let draw = usize::from(first);
    let how = How {
        processors: [
            Processors::AllocThenReq,
            Processors::ReqThenAlloc,
            Processors::Max,
            Processors::Nodes,
        ][draw % 4],
        cancelled: [Cancelled::Drop, Cancelled::Run, Cancelled::Leave][draw / 4 % 3],
        strict: draw / 12 % 2 == 1,
    };
    (how, file)
}

fn read(format: Format, how: How, pieces: &[&[u8]]) -> Result<Trace, TraceError> {
    let options = Options {
        processors: how.processors,
        cancelled: how.cancelled,
        strict: how.strict,
        ..Options::named("input")
    };
    let mut reader = TraceReader::new(format, options);
    for piece in pieces {
        reader.push(piece)?;
    }
    reader.finish()
}

/// All that a reader says of a file.
fn said(read: &Result<Trace, TraceError>) -> String {
    match read {
        Ok(trace) => format!("{trace:?}"),
        Err(refusal) => {
            let sentence = refusal.to_string();
            assert!(!sentence.contains(char::is_control), "{sentence:?}");
            sentence
        }
    }
}
