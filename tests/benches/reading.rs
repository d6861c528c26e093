//! How fast logs are read, in megabytes of text a second, the SHA-256 of the text included: the
//! logs in the folder that `BACKFILL_TRACES` names, and made logs of 1,000,000 lines, plain and
//! packed with gzip.
//!
//! A packed log is measured by the size of its text as well.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::time::Instant;

use backfill_experiment::files::logs::TraceReader;
use backfill_sim::rng::Stream;
use backfill_sim::workload::{Format, Trace};
use backfill_tests::logs::{self, KTH, NASA, RICC};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// Bytes given to the reader at once, as the command line does.
const PIECE: usize = 1 << 16;

fn read(bytes: &[u8]) -> Trace {
    let mut reader = TraceReader::new(Format::Swf, logs::options("log.swf"));
    for piece in bytes.chunks(PIECE) {
        reader.push(piece).expect("the log is readable");
    }
    reader.finish().expect("the log has jobs")
}

/// The best of a few timings: what else the machine does only ever makes a reading slower.
fn row(name: &str, bytes: &[u8], text: usize) {
    let mut best = f64::INFINITY;
    let mut jobs = 0;
    for _ in 0..5 {
        let start = Instant::now();
        jobs = read(bytes).rows.len();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let speed = text as f64 / best / 1e6;
    println!(
        "{name:<28} {jobs:>9} jobs {:>8.1} ms {speed:>7.0} MB/s",
        best * 1000.0
    );
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

/// A log of `jobs` jobs, with the fields that logs have.
fn made(jobs: u64) -> String {
    let mut text = String::from("; Computer: made\n; MaxProcs: 8192\n");
    let mut submit = 0;
    for number in 1..=jobs {
        let mut draw = Stream::new(1, 0, "log", number);
        submit += draw.below(120);
        let (run, size, user) = (draw.below(90_000), 1 + draw.below(512), 1 + draw.below(300));
        // `write!` to a string does not fail.
        let _ = writeln!(
            text,
            "{number:7} {submit:9} {:6} {run:6} {size:4} {run:6} {:7} {size:4} {:6} -1 1 {user:4} 1 {:3} 1 1 -1 -1",
            draw.below(5000),
            draw.below(400_000),
            run + draw.below(5000),
            draw.below(100),
        );
    }
    text
}

fn main() {
    for name in [KTH, NASA, RICC] {
        let Some(bytes) = logs::bytes(name) else {
            continue;
        };
        let mut text = Vec::new();
        MultiGzDecoder::new(&bytes[..])
            .read_to_end(&mut text)
            .expect("a gzip file");
        row(name.trim_end_matches(".gz"), &text, text.len());
        row(name, &bytes, text.len());
    }
    let text = made(1_000_000).into_bytes();
    row("made", &text, text.len());
    row("made, packed", &packed(&text), text.len());
}
