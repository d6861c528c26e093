//! How fast logs are read, in megabytes of text a second, the SHA-256 of the text included: the
//! logs in the folder that `BACKFILL_TRACES` names, and made ones of a million lines, plain and
//! packed with gzip, as `sacct -P` prints them and as a job list.
//!
//! A packed log is measured by the size of its text as well.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

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

fn read(name: &str, bytes: &[u8]) -> Trace {
    let mut reader = TraceReader::new(Format::of_name(name), logs::options(name));
    for piece in bytes.chunks(PIECE) {
        reader.push(piece).expect("the log is readable");
    }
    reader.finish().expect("the log has jobs")
}

/// The best of a few timings: what else the machine does only ever makes a reading slower. What was
/// read is kept until the last, so that each takes new memory, as the only reading of a process does.
fn row(name: &str, bytes: &[u8], text: usize) {
    let mut best = f64::INFINITY;
    let mut traces = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        traces.push(read(name, bytes));
        best = best.min(start.elapsed().as_secs_f64());
    }
    let jobs = traces[0].rows.len();
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

/// What is drawn of a made job; times in seconds.
struct Job {
    number: u64,
    submit: u64,
    wait: u64,
    runtime: u64,
    estimate: u64,
    size: u64,
    user: u64,
    memory: u64,
}

/// A file of a million jobs below these first lines.
fn made(head: &str, line: impl Fn(&Job) -> String) -> Vec<u8> {
    let mut text = head.to_owned();
    let mut submit = 0;
    for number in 1..=1_000_000 {
        let mut draw = Stream::new(1, 0, "log", number);
        submit += draw.below(120);
        let (runtime, size, user) = (draw.below(90_000), 1 + draw.below(512), 1 + draw.below(300));
        let job = Job {
            number,
            submit,
            wait: draw.below(5000),
            runtime,
            estimate: runtime + draw.below(5000),
            size,
            user,
            memory: draw.below(400_000),
        };
        text += &line(&job);
        text.push('\n');
    }
    text.into_bytes()
}

/// With the fields that logs have.
fn swf(job: &Job) -> String {
    let Job {
        number,
        submit,
        wait,
        runtime,
        estimate,
        size,
        user,
        memory,
    } = job;
    let queue = memory % 100;
    format!(
        "{number:7} {submit:9} {wait:6} {runtime:6} {size:4} {runtime:6} {memory:7} {size:4} {estimate:6} -1 1 {user:4} 1 {queue:3} 1 1 -1 -1"
    )
}

/// As `sacct -P` prints a job.
fn sacct(job: &Job) -> String {
    // Months of 28 days, so that each day is one.
    let at = |second: u64| {
        let (day, second) = (second / 86_400, second % 86_400);
        format!(
            "{}-{:02}-{:02}T{:02}:{:02}:{:02}",
            2000 + day / 336,
            1 + day / 28 % 12,
            1 + day % 28,
            second / 3600,
            second / 60 % 60,
            second % 60
        )
    };
    let start = job.submit + job.wait;
    format!(
        "{}|user{}|batch|{}|{}|{}|{}|{}|{}|COMPLETED",
        job.number,
        job.user,
        at(job.submit),
        at(start),
        at(start + job.runtime),
        job.runtime,
        job.estimate / 60,
        job.size,
    )
}

/// With the columns of a job list.
fn job_list(job: &Job) -> String {
    let us = |seconds: u64| seconds * 1_000_000;
    format!(
        "{},{},{},{},{},{}",
        job.number,
        us(job.submit),
        job.size,
        job.memory,
        us(job.runtime),
        us(job.estimate)
    )
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
    let text = made("; Computer: made\n; MaxProcs: 8192\n", swf);
    row("made.swf", &text, text.len());
    row("made.swf.gz", &packed(&text), text.len());
    for (name, head, line) in [
        (
            "made.psv",
            "JobID|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State\n",
            sacct as fn(&Job) -> String,
        ),
        (
            "made.csv",
            "job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us\n",
            job_list,
        ),
    ] {
        let text = made(head, line);
        row(name, &text, text.len());
    }
}
