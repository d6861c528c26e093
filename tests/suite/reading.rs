//! What real files have that their formats do not foresee: each kind of it in a small file, with the
//! jobs that it says.

use std::io::Write as _;

use backfill_experiment::files::logs::questions::{Question, questions};
use backfill_experiment::files::logs::{Options, TraceError, TraceReader};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{cells, parts};
use backfill_sim::id::JobId;
use backfill_sim::job::Job;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Keep, Run};
use backfill_sim::unit::MICROS;
use backfill_sim::workload::report::FindingKind;
use backfill_sim::workload::trace::{LogRow, MachineSource, Status};
use backfill_sim::workload::{Cancelled, Format, Processors, Trace};
use backfill_tests::logs::{balance, warns};
use flate2::Compression;
use flate2::write::GzEncoder;

fn read_as(options: Options, bytes: &[u8]) -> Result<Trace, TraceError> {
    let mut reader = TraceReader::new(Format::of_name(&options.name), options);
    reader.push(bytes)?;
    reader.finish()
}

fn read(name: &str, text: impl AsRef<[u8]>) -> Trace {
    read_as(Options::named(name), text.as_ref()).unwrap()
}

fn refusal(name: &str, text: impl AsRef<[u8]>) -> String {
    let read = read_as(Options::named(name), text.as_ref());
    read.unwrap_err().to_string()
}

/// Of each job its number, submit, run time and estimate in seconds, and size.
fn jobs(trace: &Trace) -> Vec<(u64, u64, u64, u64, u32)> {
    let job = |row: &LogRow| {
        let [submit, run, estimate] = [row.submit.0, row.runtime.0, row.estimate.0];
        let seconds = |micros: u64| micros / MICROS;
        (
            row.number,
            seconds(submit),
            seconds(run),
            seconds(estimate),
            row.size,
        )
    };
    trace.rows.iter().map(job).collect()
}

#[test]
fn another_heading_of_slurm_binds_the_columns_again() {
    let text = "JobID|Submit|Elapsed|Timelimit|AllocCPUS|State\n\
                8|2024-05-01T08:00:00|00:20:00|02:00:00|4|COMPLETED\n\
                JobID|Submit|Timelimit|Elapsed|State|AllocCPUS\n\
                9|2024-05-01T08:01:00|10:00:00|00:30:00|COMPLETED|32\n\
                JobID|Submit|Timelimit|Elapsed|State|AllocCPUS\n\
                JobID|Submit|Timelimit|Elapsed|State\n\
                10|2024-05-01T08:02:00|10:00:00|00:30:00|COMPLETED\n";
    let trace = read("jobs.psv", text);
    assert_eq!(
        jobs(&trace),
        [(8, 0, 1200, 7200, 4), (9, 60, 1800, 36_000, 32)]
    );
    assert_eq!(balance(&trace), [2, 1, 0, 4, 0]);
    assert!(warns(&trace, "line 3 is another heading"));
    assert!(warns(
        &trace,
        "the heading in line 6 has no column AllocCPUS"
    ));
}

#[test]
fn jobs_of_older_slurm_that_were_cancelled_in_the_queue_never_started() {
    let heading = "JobID|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|NodeList|AllocTRES|State";
    let times = "2020-12-01T00:00:00|2020-12-03T00:00:00|2020-12-03T00:00:00|00:00:00|01:00:00";
    let text = format!(
        "{heading}\n\
         1|2020-12-01T00:00:00|2020-12-01T00:10:00|2020-12-01T00:20:00|00:10:00|01:00:00|8|n7|cpu=8|COMPLETED\n\
         2_5|{times}|12|None assigned||CANCELLED by 1000\n\
         3|{times}|12|n8|cpu=12,node=1|CANCELLED by 1000\n"
    );
    let dropped = read("jobs.psv", &text);
    assert_eq!(jobs(&dropped), [(1, 0, 600, 3600, 8), (3, 0, 0, 3600, 12)]);
    assert_eq!(dropped.report.count(FindingKind::NeverStarted), 1);
    assert_eq!(dropped.report.count(FindingKind::NoRunTime), 1);
    let options = Options {
        cancelled: Cancelled::Leave,
        ..Options::named("jobs.psv")
    };
    let leaves = read_as(options, text.as_bytes()).unwrap();
    let waited = leaves.rows[1].leaves_after.as_deref();
    assert_eq!(waited.map(|span| span.0 / MICROS), Some(2 * 24 * 3600));
    assert_eq!(jobs(&leaves)[1], (20_000_005, 0, 3600, 3600, 12));
}

#[test]
fn implausible_times_are_findings() {
    let text = "JobID|Submit|Start|End|Elapsed|AllocCPUS|State\n\
                1|2024-05-01T00:00:00|1970-01-01T00:00:00|2024-05-01T00:10:00|19844-00:10:00|4|NODE_FAIL\n\
                2|2024-05-01T00:00:00|2024-04-30T23:59:58|2024-05-01T00:10:00|00:10:02|4|COMPLETED\n\
                3|2024-05-02T00:00:00|2024-05-02T00:00:00|2025-05-12T00:00:00|375-00:00:00|4|COMPLETED\n";
    let trace = read("jobs.psv", text);
    let days = 24 * 3600;
    assert_eq!(
        jobs(&trace),
        [(2, 0, 602, 0, 4), (3, days, 375 * days, 0, 4)]
    );
    let count = |kind| trace.report.count(kind);
    assert_eq!(count(FindingKind::StartTooEarly), 1);
    assert_eq!(count(FindingKind::StartBeforeSubmit), 1);
    assert_eq!(count(FindingKind::RanOverAYear), 1);
    assert!(warns(
        &trace,
        "the jobs ask for 375.0 times what 4 processors can do"
    ));
    let negative = "1 5 -3 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n";
    let trace = read("log.swf", negative);
    assert_eq!(trace.report.count(FindingKind::StartBeforeSubmit), 1);
}

#[test]
fn a_header_is_found_below_a_stray_line_and_a_later_one_compared() {
    let text = "from some host\n\
                ; Version: 2.2\n\
                ; MaxProcs:2,304\n\
                1 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n\
                ; MaxProcs: 48\n\
                ; MaxNodes: 96\n\
                2 9 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n";
    let trace = read("log.swf", text);
    assert_eq!(
        (trace.machine, trace.machine_source),
        (2304, MachineSource::MaxProcs)
    );
    assert_eq!(trace.header.count("MaxNodes"), Some(96));
    assert_eq!(balance(&trace), [2, 1, 0, 4, 0]);
    assert!(warns(
        &trace,
        "line 5 says MaxProcs: 48, but the header says 2304"
    ));
}

#[test]
fn preceding_jobs_may_stand_later_and_be_several() {
    let text = "3 20 0 50 4 -1 -1 4 90 -1 1 1 1 1 1 1 1&2&8 7\n\
                2 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n\
                1 0 0 60 4 nan x 4 90 -1 1 1 1.5 1 1 1 -1 -1\n";
    let trace = read("log.swf", text);
    assert_eq!(balance(&trace), [3, 0, 0, 0, 0]);
    let after = trace.rows[2].preceding.as_deref().unwrap();
    assert_eq!(
        (&after.numbers[..], after.think.0),
        (&[1, 2, 8][..], 7 * MICROS)
    );
    assert_eq!(trace.rows[1].account, -1);
    let report = &trace.report;
    assert_eq!(report.count(FindingKind::UnreadableField), 1);
    // There is no job 8.
    assert_eq!(report.count(FindingKind::UnknownPreceding), 1);
    let known = read("log.swf", text.replace("&8", ""));
    assert_eq!(known.report.count(FindingKind::UnknownPreceding), 0);
}

#[test]
fn names_of_slurm_may_hold_bars_and_go_on_in_further_lines() {
    let times = "2024-05-01T00:00:00|00:10:00";
    let text = format!(
        "JobID|JobName|Submit|Elapsed|AllocCPUS|State|SubmitLine\n\
         1|a|{times}|4|COMPLETED|sbatch x\n\
         2|a|b|c|{times}|8|COMPLETED|sbatch y\n\
         3|a|{times}|16|COMPLETED|srun sh -c 'x\n\
         y'\n\
         x|a|{times}|16|COMPLETED|z\n"
    );
    let trace = read("jobs.psv", &text);
    // Of line 3 the surplus may be in either name.
    assert_eq!(jobs(&trace), [(1, 0, 600, 0, 4), (3, 0, 600, 0, 16)]);
    assert_eq!(balance(&trace), [2, 2, 1, 1, 0]);
    assert_eq!(trace.report.count(FindingKind::AmbiguousFields), 1);
    let text = format!(
        "JobID|Submit|Elapsed|AllocCPUS|SubmitLine|State\n\
         1|{times}|4|sh -c 'a\n\
         b &&\n\
         \n\
         c | d'|COMPLETED\n\
         2|{times}|8|cut off\n\
         3|{times}|16|a|b|FAILED\n\
         4|{times}|2|never ends\n"
    );
    let trace = read("jobs.psv", &text);
    assert_eq!(jobs(&trace), [(1, 0, 600, 0, 4), (3, 0, 600, 0, 16)]);
    assert_eq!(trace.rows[1].status, Status::Failed);
    assert_eq!(balance(&trace), [2, 2, 2, 1, 1]);
}

#[test]
fn files_are_read_by_what_is_in_them() {
    let swf = "1 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n";
    for text in [format!("; MaxProcs: 8\n{swf}"), swf.to_owned()] {
        let trace = read("log.csv", &text);
        assert_eq!(jobs(&trace), [(1, 0, 60, 90, 4)]);
        assert_eq!(trace.format, Format::Swf);
    }
    let list = "job,submit_us,size,bandwidth_kbps,runtime_us\n7,0,2,0,5000000\n";
    let trace = read("list.swf", list);
    assert_eq!(
        (jobs(&trace), trace.format),
        (vec![(7, 0, 5, 0, 2)], Format::Csv)
    );
    let slurm =
        "\n \nJobID|Submit|Elapsed|NCPUS|State\n1|2024-05-01T00:00:00|00:00:07|3|COMPLETED\n";
    let trace = read("jobs.psv", slurm);
    assert_eq!(
        (jobs(&trace), balance(&trace)),
        (vec![(1, 0, 7, 0, 3)], [1, 0, 0, 1, 2])
    );
}

#[test]
fn sizes_of_slurm_are_found_among_resources_and_its_state_by_start_and_end() {
    let text = "JobID|Submit|Start|End|AllocTRES|ReqTRES\n\
                1|2024-05-01T00:00:00|2024-05-01T00:00:10|2024-05-01T00:01:10|billing=9,cpu=96,gres/gpu=4,mem=320G,node=2|cpu=64,node=1\n\
                2|2024-05-01T00:00:05|2024-05-01T00:00:10|Unknown|cpu=4,node=1|cpu=4,node=1\n";
    let trace = read("jobs.psv", text);
    assert_eq!(jobs(&trace), [(1, 0, 60, 0, 96)]);
    assert_eq!(trace.rows[0].status, Status::Unknown);
    assert_eq!(trace.report.count(FindingKind::NotEnded), 1);
    let options = Options {
        processors: backfill_sim::workload::Processors::Nodes,
        ..Options::named("jobs.psv")
    };
    assert_eq!(read_as(options, text.as_bytes()).unwrap().rows[0].size, 2);
}

#[test]
fn slurm_without_a_heading_is_told_which_to_put_first() {
    let text = "101|prep|ann|2024-03-01T10:00:00|2024-03-01T10:00:05|2024-03-01T10:10:05|00:10:00|01:00:00|4|4|1|COMPLETED\n";
    assert_eq!(
        refusal("jobs.psv", text),
        "jobs.psv: these 12 columns of sacct have no heading: put a line with their names first, such as `JobID|JobName|User|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|ReqCPUS|NNodes|State`, name them with columns=, or print the log without --noheader."
    );
}

/// When the jobs of a log start whose users wait for results, on as many nodes as all need.
fn starts(log: &str) -> Vec<(u64, u64)> {
    let trace = read("log.swf", log);
    let pairs = [
        ("workload", "swf"),
        ("feedback", "on"),
        ("load", "as-logged"),
        ("system", "nodes"),
        ("nodes", "64"),
        ("policy", "fcfs"),
        ("bandwidth", "none"),
        ("x", "none"),
    ];
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    let (setup, jobs) = parts(&scenario, cells(&scenario)[0], Some(&trace)).expect("jobs");
    let replay = Run::new(&setup, jobs, Keep::Histories).finish().replay;
    let started = |(id, job): (JobId, &Job)| match replay.record.histories[id].outcome {
        Outcome::Ran { start, .. } => (job.number, start.0 / MICROS),
        outcome => panic!("{outcome:?}"),
    };
    replay.jobs.iter_enumerated().map(started).collect()
}

#[test]
fn a_job_arrives_once_all_that_precede_it_have_ended() {
    // Job 3 thinks 7 s after the later of two ends; job 5 names one that is submitted later.
    let log = "3 0 0 50 4 -1 -1 4 90 -1 1 1 1 1 1 1 1&2 7\n\
               1 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n\
               2 10 0 90 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n\
               5 20 0 10 4 -1 -1 4 90 -1 1 1 1 1 1 1 6 -1\n\
               6 30 0 10 4 -1 -1 4 90 -1 1 1 1 1 1 1 3 1\n";
    assert_eq!(starts(log), [(3, 107), (1, 0), (2, 10), (5, 168), (6, 158)]);
    // One of two that wait for each other does not.
    let circle = "1 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 2 0\n\
                  2 5 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 1 0\n";
    assert_eq!(starts(circle), [(1, 0), (2, 60)]);
}

/// A tar archive of these files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..262].copy_from_slice(b"ustar");
        archive.extend(header);
        archive.extend(content.as_bytes());
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

#[test]
fn the_one_file_of_a_packed_archive_is_read_and_several_are_listed() {
    let log = "; MaxProcs: 8\n1 0 0 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 1 -1 -1\n";
    let pack = |files: &[(&str, &str)]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&archive(files)).unwrap();
        encoder.finish().unwrap()
    };
    let trace = read("log.tar.gz", pack(&[("logs/a.swf", log)]));
    assert_eq!((jobs(&trace), trace.machine), (vec![(1, 0, 60, 90, 4)], 8));
    assert!(warns(&trace, "read from logs/a.swf in the archive"));
    assert_eq!(
        refusal("log.tar.gz", pack(&[("a.swf", log), ("b.swf", log)])),
        "log.tar.gz: this is a tar archive of 2 files (a.swf, b.swf); unpack it with `tar -xf` and give one of them."
    );
}

#[test]
fn logs_in_utf_16_are_read() {
    let text = "JobID|Submit|Elapsed|NCPUS|State|User\r\n\
                1|2024-05-01T00:00:00|00:00:07|3|COMPLETED|Jörg\r\n";
    for (mark, bytes) in [
        ([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ([0xfe, 0xff], u16::to_be_bytes),
    ] {
        let mut file = mark.to_vec();
        file.extend(text.encode_utf16().flat_map(bytes));
        assert_eq!(jobs(&read("jobs.psv", file)), [(1, 0, 7, 0, 3)]);
    }
    assert_eq!(
        jobs(&read("jobs.psv", format!("\u{feff}{text}"))),
        [(1, 0, 7, 0, 3)]
    );
}

#[test]
fn where_jobs_take_whole_nodes_a_log_of_processors_is_asked_in_nodes() {
    let log = |shared: usize| {
        let jobs = (1..=40).map(|job| {
            let (nodes, processors) = if job <= shared { (1, 5) } else { (job % 4 + 1, 48 * (job % 4 + 1)) };
            format!("{job}|2024-03-01T10:00:{job:02}|2024-03-01T11:00:00|2024-03-01T12:00:00|{nodes}|{processors}|COMPLETED\n")
        });
        format!(
            "JobID|Submit|Start|End|NNodes|AllocCPUS|State\n{}",
            jobs.collect::<String>()
        )
    };
    let asked = |trace: &Trace| -> Option<Question> {
        let last = questions(trace).pop().expect("questions");
        (last.title == "In nodes?").then_some(last)
    };
    let whole = read("log.psv", &log(2));
    let question = asked(&whole).expect("38 of 40 jobs take whole nodes");
    assert_eq!(
        question.does,
        "Count the nodes of each job in place of its processors. 95 % of the jobs take whole nodes of 48 processors: nodes are what the machine is made of."
    );
    assert!(question.pairs.contains(&("processors", "nodes".to_owned())));
    let shared = asked(&read("log.psv", &log(3))).expect("both are counted");
    assert!(
        shared
            .does
            .ends_with("92 % of the jobs take whole nodes of 48 processors.")
    );

    let mut options = Options::named("log.psv");
    options.processors = Processors::Nodes;
    let in_nodes = read_as(options, log(2).as_bytes()).expect("jobs");
    assert_eq!(in_nodes.rows.iter().map(|row| row.size).max(), Some(4));
    assert_eq!(asked(&in_nodes), None);
}
