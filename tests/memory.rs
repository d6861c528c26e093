//! The memory of a run, however long, and of reading, whatever the input.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use backfill_experiment::files::logs::{Options, TraceReader};
use backfill_experiment::files::report::{Document, Opened};
use backfill_experiment::inspect::job_table::Filter;
use backfill_experiment::language::expression::canonical;
use backfill_experiment::language::scenario::{Scenario, link, text};
use backfill_experiment::study::part;
use backfill_experiment::study::sweep::{CellOutcome, CellRun, Results};
use backfill_sim::run::Keep;
use backfill_sim::workload::{Cancelled, Format};
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

/// The result of some work, and the peak of its memory, bytes.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let came = work();
    (came, ALLOCATED.peak_usage() - before)
}

/// The second set of paper 3, `jobs` of its jobs: the result, and the peak of its memory, bytes.
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

/// What reading a file came to.
struct Reading {
    /// Why it was refused, if it was.
    refusal: Option<String>,
    /// Bytes that were given until then.
    given: usize,
    /// The most memory that it took, bytes.
    peak: usize,
}

/// Reads a file in these pieces until it is refused.
fn read<'a>(
    format: Format,
    cancelled: Cancelled,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Reading {
    let mut given = 0;
    let (refusal, peak) = measured(|| {
        let options = Options {
            cancelled,
            ..Options::named("input")
        };
        let mut reader = TraceReader::new(format, options);
        for piece in pieces {
            given += piece.len();
            if let Err(refusal) = reader.push(piece) {
                return Some(refusal);
            }
        }
        reader.finish().err()
    });
    Reading {
        refusal: refusal.map(|refusal| refusal.to_string()),
        given,
        peak,
    }
}

/// Reads a file of that format that consists of `bytes` bytes of repeated `piece`.
fn read_repeated(format: Format, heading: &str, bytes: usize, piece: &[u8]) -> Reading {
    let block = piece.repeat(MB.div_ceil(piece.len()));
    let blocks = std::iter::repeat_n(&block[..], bytes.div_ceil(block.len()));
    let pieces = std::iter::once(heading.as_bytes()).chain(blocks);
    read(format, Cancelled::Drop, pieces)
}

impl Reading {
    /// No more memory was taken than what was given allows.
    fn fits(&self, what: &str) {
        fits(what, self.given, self.peak);
    }
}

/// The memory allowed for an input of `given` bytes.
fn fits(what: &str, given: usize, peak: usize) {
    assert!(
        peak <= 20 * given + 64 * MB,
        "{what}: {peak} of {given} bytes"
    );
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
        let reading = read_repeated(format, heading, 2000 * MB, piece);
        let (given, peak) = (reading.given, reading.peak);
        let refusal = reading.refusal.expect(what);
        assert!(refusal.contains("1048576 bytes"), "{what}: {refusal}");
        assert!(given <= 3 * MB, "{what}: {given} bytes");
        assert!(peak <= 8 * MB, "{what}: {peak} bytes");
    }
}

/// `bytes` bytes of repeated `piece`, packed.
fn packed(piece: &[u8], bytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let block = piece.repeat(MB.div_ceil(piece.len()));
    for _ in 0..bytes.div_ceil(block.len()) {
        encoder.write_all(&block).expect("memory takes all");
    }
    encoder.finish().expect("memory takes all")
}

/// Of packed files the packed bytes count.
#[test]
fn a_packed_file_that_unpacks_to_far_more_than_a_log_is_refused_with_the_limit() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let job = b"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n";
    let part = b"1 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1\n";
    let slurm = b"JobID|Submit|Elapsed|NCPUS|State\n";
    for (what, piece) in [
        ("jobs", &job[..]),
        ("jobs in parts", part),
        ("blank lines", b"\n"),
        ("comments", b"; Key: value\n"),
        ("headings of Slurm", slurm),
    ] {
        let file = packed(piece, 100 * MB);
        let reading = read(Format::Swf, Cancelled::Drop, file.chunks(1 << 12));
        reading.fits(what);
        let refusal = reading.refusal.expect(what);
        let limit = "the gzip data unpacks to more than 20 times its bytes and 64 MB, the most that is read of a packed file; unpack it with `gunzip` and give the file inside.";
        assert!(refusal.ends_with(limit), "{what}: {refusal}");
    }
    // No larger than many a log.
    for (what, piece) in [
        ("jobs", &job[..]),
        ("blank lines", b"\n1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
    ] {
        let reading = read(Format::Swf, Cancelled::Drop, [&packed(piece, 8 * MB)[..]]);
        assert_eq!(reading.refusal, None, "{what}");
    }
}

/// Lines below the heading of what `sacct` prints, each made of a number.
fn slurm(lines: u32, line: impl Fn(u32) -> String) -> String {
    let mut text = "JobID|Submit|Start|End|Elapsed|Timelimit|NCPUS|User|State\n".to_owned();
    text.extend((1..=lines).map(line));
    text
}

#[test]
fn what_is_read_takes_no_more_than_20_times_its_size() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let line = if long() { 2000 * MB } else { 100 * MB };
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
    ] {
        read_repeated(format, heading, bytes, piece).fits(what);
    }
    let zeros = packed(&[0], line);
    read(Format::Swf, Cancelled::Drop, zeros.chunks(1 << 12)).fits("zeros");
    // Each job of another number.
    let mut parts = String::new();
    for number in 0..100_000 {
        writeln!(parts, "{number} 1 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1").expect("memory takes all");
    }
    let cancelled = "1||2|0:00|9:00|1||CANCELLED\n";
    let lines = 500_000;
    for (what, text) in [
        ("parts of many jobs", parts),
        (
            "steps of no jobs",
            slurm(lines, |job| format!("{job}.0||||||||\n")),
        ),
        (
            "users of Slurm",
            slurm(lines, |job| format!("1|{job}|1|2|0:01||1|{job:x}|A\n")),
        ),
        (
            "heterogeneous jobs of Slurm",
            slurm(lines, |job| format!("{job}+0|1|1|2|0:01||1||A\n")),
        ),
        (
            "arrays of Slurm",
            slurm(1000, |array| format!("{array}_[1-99999]|{cancelled}")),
        ),
    ] {
        let reading = read(Format::Swf, Cancelled::Leave, [text.as_bytes()]);
        reading.fits(what);
    }

    let formula = "(".repeat(1_000_000);
    let conditions = "size>1 ".repeat(1_000_000) + "odd";
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
        ("a formula", formula.len(), &|| canonical(&formula).is_err()),
        ("a long formula", formula.len(), &|| {
            canonical(&"1+".repeat(500_000)).is_err()
        }),
        ("conditions", conditions.len(), &|| {
            Filter::parse(&conditions).is_err()
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
