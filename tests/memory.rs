//! How much memory a run takes, however long it is, and what is read, whatever it is.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use backfill_experiment::logs::{Options, TraceReader};
use backfill_experiment::part;
use backfill_experiment::report::{Document, Opened};
use backfill_experiment::scenario::{Scenario, link, text};
use backfill_experiment::sweep::{CellOutcome, CellRun, Results};
use backfill_sim::run::Keep;
use backfill_sim::workload::{Cancelled, Format, Processors};
use backfill_tests::long;
use backfill_tests::runs::one_point;
use flate2::Compression;
use flate2::write::GzEncoder;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const MB: usize = 1_000_000;

/// What is allocated is counted for the whole program: one test after the other.
static ALONE: Mutex<()> = Mutex::new(());

/// What comes of some work, and the most memory that it took, bytes.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let came = work();
    (came, ALLOCATED.peak_usage() - before)
}

/// The second set of paper 3, so many of its jobs: what comes out, and the most memory it took,
/// bytes.
fn run(jobs: &str, policy: &str) -> (CellOutcome, usize) {
    let (scenario, cell) = one_point(&[
        ("system", "multi-cluster"),
        ("load", "as-logged"),
        ("bandwidth", "constant"),
        ("bandwidth_mbps", "300"),
        ("interarrival", "exponential:37.5"),
        ("size", "uniform:10:50"),
        ("runtime", "exponential:450"),
        ("reps", "1"),
        ("x", "none"),
        ("jobs", jobs),
        ("policy", policy),
    ]);
    measured(|| {
        let run = CellRun::new(&scenario, cell, None, Keep::Metrics).expect("jobs");
        run.finish().0
    })
}

/// Up to half a million jobs each of their times is kept, so both runs are longer. A fixed penalty
/// takes a run before, of the same jobs.
#[test]
fn a_run_twice_as_long_takes_no_more_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for policy in [
        "fpfs+first-fit(sharing=ideal)",
        "fpfs+first-fit(sharing=fixed)",
    ] {
        let (short, few) = run("600000", policy);
        let (long, many) = run("1200000", policy);
        assert_eq!((short.jobs, long.jobs), (600_000, 1_200_000));
        assert!(10 * many <= 11 * few, "{policy}: {few} and {many} bytes");
        assert!(many < 30 * MB, "{policy}: {many} bytes");
    }
}

/// How what is read here is read.
fn options() -> Options {
    Options {
        name: "input".to_owned(),
        processors: Processors::AllocThenReq,
        cancelled: Cancelled::Drop,
        machine: None,
        strict: false,
    }
}

/// Reads a file of that format that consists of so many bytes of `piece` after each other; whether
/// it is refused, and the most memory it took.
fn read(format: Format, heading: &str, bytes: usize, piece: &[u8]) -> (bool, usize) {
    let block = piece.repeat(MB.div_ceil(piece.len()));
    let (refused, peak) = measured(|| {
        let mut reader = TraceReader::new(format, options());
        let mut pieces = std::iter::once(heading.as_bytes())
            .chain(std::iter::repeat_n(&block[..], bytes.div_ceil(block.len())));
        pieces.any(|piece| reader.push(piece).is_err()) || reader.finish().is_err()
    });
    (refused, peak)
}

#[test]
fn a_line_of_2_gb_is_refused_after_a_few_of_its_megabytes() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (what, format, heading, piece) in [
        ("fields", Format::Swf, "", &b"1 "[..]),
        ("a comment", Format::Swf, ";", b"a: b "),
        ("fields of Slurm", Format::Swf, "JobID|Submit\n", b"1|"),
        ("an open quote", Format::Csv, "job,", b"\""),
    ] {
        let mut given = 0;
        let mut reader = TraceReader::new(format, options());
        let block = piece.repeat(MB / piece.len());
        let blocks = std::iter::repeat_n(&block[..], 2000);
        let mut pieces = std::iter::once(heading.as_bytes()).chain(blocks);
        let (refusal, peak) = measured(|| {
            pieces.find_map(|piece| {
                given += piece.len();
                reader.push(piece).err()
            })
        });
        let refusal = refusal.expect(what).to_string();
        assert!(refusal.contains("1048576 bytes"), "{what}: {refusal}");
        assert!(given <= 3 * MB, "{what}: {given} bytes");
        assert!(peak <= 8 * MB, "{what}: {peak} bytes");
    }
}

/// So many bytes of zero, packed.
fn packed_zeros(bytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![0; MB];
    for _ in 0..bytes.div_ceil(MB) {
        encoder.write_all(&zeros).expect("memory takes all");
    }
    encoder.finish().expect("memory takes all")
}

/// Of packed files the text inside counts.
#[test]
fn what_is_read_takes_no_more_than_20_times_its_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let line = if long() { 2000 * MB } else { 100 * MB };
    let zeros = packed_zeros(line);
    let fits = |what: &str, bytes: usize, peak: usize| {
        assert!(
            peak <= 20 * bytes + 64 * MB,
            "{what}: {peak} of {bytes} bytes"
        );
    };
    for (what, format, heading, bytes, piece) in [
        ("one line", Format::Swf, "", line, &b"1 "[..]),
        ("one comment", Format::Swf, ";", line, b"a: b "),
        ("one field", Format::Csv, "job,", line, b"\""),
        ("comments", Format::Swf, "", 8 * MB, b"; Key: value\n"),
        ("blank lines", Format::Swf, "", 8 * MB, b"\n"),
        ("lines without sense", Format::Swf, "", 8 * MB, b"x\n"),
        (
            "jobs",
            Format::Swf,
            "",
            8 * MB,
            b"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
        ),
        (
            "jobs in parts",
            Format::Swf,
            "",
            8 * MB,
            b"1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1\n",
        ),
        (
            "a job list",
            Format::Csv,
            "job,submit_us,size,bandwidth_kbps,runtime_us\n",
            8 * MB,
            b"1,1,1,1,1\n",
        ),
        ("zeros", Format::Swf, "", zeros.len(), &zeros),
    ] {
        let (_, peak) = read(format, heading, bytes, piece);
        fits(what, bytes, peak);
    }
    // Each job of another number.
    let mut parts = String::new();
    for number in 0..100_000 {
        writeln!(parts, "{number} 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1").expect("memory takes all");
    }
    let (_, peak) = read(Format::Swf, "", parts.len(), parts.as_bytes());
    fits("parts of many jobs", parts.len(), peak);

    let (pairs, many) = ("a=1\n".repeat(200_000), "easy,".repeat(1_000_000));
    let (arrays, objects) = ("[".repeat(1_000_000), "{\"a\":".repeat(500_000));
    let escaped = "&a=1".repeat(500_000);
    let sum = crc32fast::hash(format!("v1?{escaped}").as_bytes());
    let link = format!("#v1?{escaped}&sum={sum:08x}");
    for (what, bytes, read) in [
        (
            "a file of pairs",
            pairs.len(),
            &(|| text::read(&pairs).is_err()) as &dyn Fn() -> bool,
        ),
        ("arrays in a file", 490_000, &|| {
            text::read(&format!("k={}", &arrays[..490_000])).is_err()
        }),
        ("a long file", arrays.len(), &|| {
            text::read(&arrays).is_err()
        }),
        ("policies", many.len(), &|| {
            Scenario::parse([("policy", &many)]).is_err()
        }),
        ("a link", link.len(), &|| link::read(&link).is_err()),
        ("a result", objects.len(), &|| {
            serde_json::from_str::<Opened>(&objects).is_err()
        }),
        ("a part", objects.len(), &|| {
            part::read(objects.as_bytes()).is_err()
        }),
    ] {
        let (refused, peak) = measured(read);
        assert!(refused, "{what}");
        fits(what, bytes, peak);
    }
}

/// A file may name a scenario of a million runs and hold none of them.
#[test]
fn a_small_result_of_a_large_scenario_takes_little() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let pairs = [
        ("policy", "fcfs"),
        ("x", "load:0.01:1:0.01"),
        ("reps", "10000"),
    ];
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    assert_eq!(scenario.runs(), 1_000_000);
    let none = Results::new(&scenario);
    let file = serde_json::to_string(&Document::new(&scenario, &none, None)).expect("plain");
    let open = || {
        let opened: Opened = serde_json::from_str(&file).expect("a result");
        opened.result().expect("of its scenario")
    };
    let ((_, results), peak) = measured(open);
    assert_eq!(results.progress(), (0, 1_000_000));
    assert!(
        file.len() < MB && peak < 16 * MB,
        "{peak} of {} bytes",
        file.len()
    );
}
