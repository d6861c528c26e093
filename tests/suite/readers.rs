//! The readers of logs and job lists: every line is counted, whatever the bytes.

use std::io::Write as _;

use backfill_experiment::files::logs::doctor::Diagnosis;
use backfill_experiment::files::logs::swf::{self, LineOutcome, SwfLine};
use backfill_experiment::files::logs::{Options, TraceError, TraceReader, csv, fitting};
use backfill_experiment::language::columns::Columns;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::report::{Finding, FindingKind, Report, Verdict};
use backfill_sim::workload::trace::{Header, LogRow, MachineSource, Preceding, Status};
use backfill_sim::workload::{Cancelled, Processors};
use backfill_sim::workload::{Format, Trace};
use backfill_tests::logs;

use crate::accounts::{lsf, sge};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

const HEADING: &str = "job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us";

fn read_with(options: Options, pieces: &[&[u8]]) -> Result<Trace, TraceError> {
    let mut reader = TraceReader::new(Format::of_name(&options.name), options);
    for piece in pieces {
        reader.push(piece)?;
    }
    reader.finish()
}

/// A file of that name in one piece.
fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<Trace, TraceError> {
    read_with(logs::options(name), &[bytes.as_ref()])
}

/// A log of these lines.
fn log(lines: &[&str]) -> Trace {
    read("log.swf", lines.join("\n")).unwrap()
}

/// A job list of these lines below a heading.
fn list(lines: &[&str]) -> Trace {
    read("list.csv", format!("{HEADING}\n{}", lines.join("\n"))).unwrap()
}

fn refusal(name: &str, bytes: impl AsRef<[u8]>) -> String {
    read(name, bytes).unwrap_err().to_string()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A line of a log: job number, submit, run time, allocated, requested, estimate and status.
fn line(
    number: &str,
    submit: &str,
    run: &str,
    alloc: &str,
    req: &str,
    est: &str,
    status: &str,
) -> String {
    format!("{number} {submit} 0 {run} {alloc} -1 -1 {req} {est} -1 {status} 1 1 1 1 -1 -1 -1")
}

/// A line with nothing to remark.
fn clean(number: u32) -> String {
    let number = number.to_string();
    line(&number, "100", "60", "4", "4", "60", "1")
}

/// Each kind with its count and the lines it was first met on.
fn findings(report: &Report) -> Vec<(FindingKind, u64, Vec<u32>)> {
    let lines = |finding: &Finding| {
        finding
            .positions
            .iter()
            .map(|position| position.line)
            .collect()
    };
    let findings = report.findings.iter();
    findings
        .map(|finding| (finding.kind, finding.count, lines(finding)))
        .collect()
}

/// Accepted, repaired, rejected, folded, comments, blank.
fn balance(report: &Report) -> [u64; 6] {
    assert!(report.balances());
    [
        report.accepted,
        report.repaired,
        report.rejected,
        report.folded,
        report.comments,
        report.blank,
    ]
}

fn numbers(trace: &Trace) -> Vec<u64> {
    trace.rows.iter().map(|row| row.number).collect()
}

#[test]
fn a_preceding_job_on_no_earlier_line_is_remarked_on() {
    let trace = log(&[
        "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 2 5",
        "2 5 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 1 7.5",
    ]);
    let findings = findings(&trace.report);
    assert_eq!(findings, [(FindingKind::UnknownPreceding, 1, vec![1])]);
    let preceding = Preceding {
        numbers: Box::new([1]),
        think: Span(7_500_000),
    };
    assert_eq!(trace.rows[1].preceding.as_deref(), Some(&preceding));
}

#[test]
fn a_clean_line_is_accepted_unchanged() {
    let trace = log(&["7 10.5 3 60.25 4 -1 -1 8 90 -1 1 1 1 1 1 -1 -1 -1"]);
    assert_eq!(
        trace.rows[..],
        [LogRow {
            number: 7,
            submit: Time(10_500_000),
            runtime: Span(60_250_000),
            estimate: Span(90_000_000),
            size: 4,
            user: 1,
            status: Status::Completed,
            wait: Some(Span(3_000_000)).into(),
            account: 1,
            queue: 1,
            line: 1,
            ..LogRow::default()
        }]
    );
    assert_eq!(
        findings(&trace.report),
        [(FindingKind::AllocatedDiffers, 1, vec![1])]
    );
    assert!(!trace.has_bandwidth);
}

/// The example of each kind that has one.
fn examples(report: &Report) -> Vec<(FindingKind, u32, &str)> {
    let findings = report.findings.iter();
    findings
        .filter_map(|finding| {
            let example = finding.example.as_ref()?;
            Some((finding.kind, example.line, &*example.text))
        })
        .collect()
}

#[test]
fn a_finding_shows_its_first_line_as_plain_text() {
    let long = format!("1\t<b>\x1b[31m{}", "ä".repeat(200));
    let partial = line("7", "0", "5", "0", "0", "9", "2");
    let trace = log(&["1 2", &clean(1), "3 4 5", &long, &partial, &clean(1)]);
    let shown = [
        (FindingKind::FieldCount, 1, "1 2"),
        (FindingKind::NoProcessors, 5, &partial),
    ];
    assert_eq!(examples(&trace.report), shown);

    let trace = log(&[&clean(1), &long]);
    let cut = format!("1 <b>\u{fffd}[31m{}…", "ä".repeat(110));
    assert_eq!(cut.chars().count(), 121);
    assert_eq!(
        examples(&trace.report),
        [(FindingKind::FieldCount, 2, &*cut)]
    );
}

#[test]
fn a_step_that_is_rejected_at_the_end_of_the_file_shows_its_line() {
    let step = "5.0|ada|Unknown|Unknown|Unknown|00:00:00||1|1|1|COMPLETED|x";
    let job = "9|bob|2024-01-01T00:00:10|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|UNLIMITED|1|1|1|COMPLETED|x";
    let trace = accounting(&[step, job]);
    let shown = [(FindingKind::StepWithoutJob, 2, step)];
    assert_eq!(examples(&trace.report), shown);
    assert!(!format!("{trace:?}").contains("bob"));
}

#[test]
fn a_tab_a_carriage_return_and_leading_blanks_are_only_separators() {
    let tabs = clean(1).replace(' ', "\t");
    let trace = log(&[&format!("   {}\r", clean(1)), &tabs, "\r", "  ", ""]);
    assert_eq!(trace.rows.len(), 2);
    assert_eq!(balance(&trace.report), [2, 0, 0, 0, 0, 2]);
}

#[test]
fn each_reject_is_counted_with_its_line_and_field() {
    for (bad, kind, field) in [
        ("1 2 3", FindingKind::FieldCount, None),
        (
            "1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1",
            FindingKind::FieldCount,
            None,
        ),
        (
            "1 0 0 x 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::NotANumber,
            Some("run time"),
        ),
        (
            "1 0 0 nan 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::NotANumber,
            Some("run time"),
        ),
        (
            "1 inf 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::NotANumber,
            Some("submit time"),
        ),
        (
            "1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 1&x 5",
            FindingKind::NotANumber,
            Some("preceding job"),
        ),
        (
            "1 0 0 1 1 -1 -1 1.5 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::FractionInInteger,
            Some("requested processors"),
        ),
        (
            "1 0 0 1 1 -1 -1 1 1 -1 1 1.5 1 1 1 -1 -1 -1",
            FindingKind::FractionInInteger,
            Some("user"),
        ),
        (
            "1 -1 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::NoSubmitTime,
            Some("submit time"),
        ),
        (
            "1 0 0 1 0 -1 -1 -1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::NoProcessors,
            None,
        ),
        (
            "1 0 0 -1 1 -1 -1 1 1 -1 5 1 1 1 1 -1 -1 -1",
            FindingKind::NoRunTime,
            Some("run time"),
        ),
        (
            "1 0 0 1e10 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::OutOfRange,
            Some("run time"),
        ),
        (
            "1 0 0 1 1e10 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::OutOfRange,
            Some("allocated processors"),
        ),
        (
            "-3 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1",
            FindingKind::OutOfRange,
            Some("job number"),
        ),
    ] {
        let trace = log(&[&clean(5), bad, &clean(6)]);
        assert_eq!(numbers(&trace), [5, 6], "{bad}");
        assert_eq!(balance(&trace.report), [2, 0, 1, 0, 0, 0], "{bad}");
        let rejects: Vec<&Finding> = trace
            .report
            .findings
            .iter()
            .filter(|f| f.verdict == Verdict::Reject)
            .collect();
        assert_eq!(rejects.len(), 1, "{bad}");
        assert_eq!((rejects[0].kind, rejects[0].count), (kind, 1), "{bad}");
        assert_eq!(
            (rejects[0].positions[0].line, rejects[0].positions[0].field),
            (2, field),
            "{bad}"
        );
    }
}

#[test]
fn a_whole_number_written_with_decimals_is_whole() {
    let trace = log(&["1.0 0 0 1 4.00 -1 -1 4e0 60 -1 1 1 1 1 1 -1 -1 -1"]);
    assert_eq!((trace.rows[0].number, trace.rows[0].size), (1, 4));
}

#[test]
fn ten_million_processors_are_taken_and_remarked() {
    let trace = log(&[
        "; MaxProcs: 100",
        &line("1", "0", "60", "10000000", "-1", "60", "1"),
    ]);
    assert_eq!(trace.rows[0].size, 10_000_000);
    assert_eq!(trace.report.count(FindingKind::LargerThanMachine), 1);
}

#[test]
fn only_the_first_five_places_are_kept() {
    let lines: Vec<String> = (0..8)
        .map(|_| "oops".to_owned())
        .chain([clean(1)])
        .collect();
    let trace = read("log.swf", lines.join("\n")).unwrap();
    assert_eq!(
        findings(&trace.report),
        [(FindingKind::FieldCount, 8, vec![1, 2, 3, 4, 5])]
    );
}

#[test]
fn processors_follow_the_policy_and_its_fallback_is_a_repair() {
    let lines = [
        line("1", "0", "60", "4", "8", "60", "1"),
        line("2", "0", "60", "-1", "8", "60", "1"),
        line("3", "0", "60", "4", "-1", "60", "1"),
    ]
    .join("\n");
    for (processors, sizes, repaired) in [
        (Processors::AllocThenReq, [4, 8, 4], vec![2]),
        (Processors::ReqThenAlloc, [8, 8, 4], vec![3]),
        (Processors::Max, [8, 8, 4], vec![]),
    ] {
        let options = Options {
            processors,
            ..logs::options("log.swf")
        };
        let trace = read_with(options, &[lines.as_bytes()]).unwrap();
        assert_eq!(
            trace.rows.iter().map(|row| row.size).collect::<Vec<_>>(),
            sizes
        );
        let found = findings(&trace.report);
        let other = found
            .iter()
            .find(|(kind, ..)| *kind == FindingKind::OtherProcessors);
        assert_eq!(
            other.map_or(Vec::new(), |(_, _, lines)| lines.clone()),
            repaired,
            "{processors}"
        );
        assert_eq!(trace.report.repaired, repaired.len() as u64);
    }
}

/// A line with nothing to remark and these fields behind it.
fn further(number: u32, fields: &str) -> String {
    format!("{} {fields}", clean(number))
}

#[test]
fn fields_behind_the_18_are_counted_and_named() {
    let trace = log(&[&clean(1), &further(2, "0"), &further(3, "\t0  x ")]);
    assert_eq!(balance(&trace.report), [3, 0, 0, 0, 0, 0]);
    assert_eq!(
        findings(&trace.report),
        [(FindingKind::FurtherFields, 2, vec![2, 3])]
    );
    assert_eq!(
        trace.report.warnings[0],
        "fields 19 to 20 are not of the format and ignored"
    );
    assert_eq!(
        log(&[&further(1, "7")]).report.warnings[0],
        "field 19 is not of the format and ignored"
    );
}

#[test]
fn nodes_named_in_field_21_are_sizes_where_that_is_asked_for() {
    let lines = [
        "; MaxProcs: 1000".to_owned(),
        "; MaxNodes: 9000".to_owned(),
        further(1, "8 3600 frontier:excl:2500x112"),
        further(2, "8 3600 frontier:excl:2x112 more"),
        further(3, "8 3600 frontier:excl:0x112"),
        further(4, "8 3600 frontier:2x112"),
        further(5, "8 3600 a:b:c:2x112"),
        further(6, "8 3600 a:b:+2x112"),
        further(7, "8 3600 a:b:4294967296x1"),
        further(8, "8 3600 a:b:2x"),
    ]
    .join("\n");
    let with = |processors| {
        let options = Options {
            processors,
            ..logs::options("log.swf")
        };
        read_with(options, &[lines.as_bytes()]).unwrap()
    };
    let sizes = |trace: &Trace| trace.rows.iter().map(|row| row.size).collect::<Vec<_>>();

    let usual = with(Processors::AllocThenReq);
    assert_eq!(sizes(&usual), [4; 8]);
    assert_eq!(usual.machine, 1000);
    assert_eq!(
        findings(&usual.report),
        [
            (FindingKind::FurtherFields, 8, vec![3, 4, 5, 6, 7]),
            (FindingKind::NodesNamed, 2, vec![3, 4]),
        ]
    );
    assert_eq!(
        usual.report.warnings[0],
        "fields 19 to 22 are not of the format and ignored; processors=nodes takes the nodes in field 21 as sizes"
    );
    let cures = Diagnosis::of(&usual).cures;
    assert!(
        cures
            .iter()
            .any(|cure| (cure.key, cure.value) == ("processors", "nodes")
                && cure.text
                    == "Take the nodes of field 21 as sizes: 2 lines name them, 6 do not and are left out"),
        "{cures:?}"
    );

    let nodes = with(Processors::Nodes);
    assert_eq!(sizes(&nodes), [2500, 2]);
    assert_eq!(balance(&nodes.report), [2, 0, 6, 0, 2, 0]);
    assert_eq!(nodes.report.count(FindingKind::NoNodes), 6);
    assert_eq!(nodes.machine, 9000);
    assert_eq!(nodes.machine_source, MachineSource::MaxNodes);
    assert_eq!(
        nodes.report.warnings[0],
        "fields 19 to 22 are not of the format and ignored, but for the nodes in field 21"
    );
    // Slots of servers are not made of nodes and processors of which jobs ask for the first.
    let tree = fitting::fat_tree(&nodes).expect("one is large enough");
    assert_eq!(
        tree.text,
        "a fat-tree with k = 22 and 4 slots per server (10,648 slots)"
    );
}

#[test]
fn a_fraction_of_a_microsecond_is_rounded_and_counted() {
    let trace = log(&[
        &line("1", "0.1234565", "0.000001", "4", "4", "60", "1"),
        &line("2", "4294967295.999999", "1", "4", "4", "60", "1"),
    ]);
    assert_eq!(trace.rows[0].submit, Time(123_457));
    assert_eq!(trace.rows[0].runtime, Span(1));
    assert_eq!(trace.rows[1].submit, Time(4_294_967_295_999_999));
    assert_eq!(
        findings(&trace.report),
        [(FindingKind::TimeRounded, 1, vec![1])]
    );
    assert_eq!(balance(&trace.report), [1, 1, 0, 0, 0, 0]);
}

#[test]
fn remarks_change_nothing() {
    let trace = log(&[
        &line("1", "0", "0", "4", "4", "60", "0"),
        &line("2", "9", "61", "4", "4", "60", "5"),
        &line("3", "8", "121", "4", "4", "60", "7"),
        &line("3", "9", "60", "4", "4", "-1", "-1"),
        "5 10 0 60 4 61.5 -1 4 60 -1 1 1 1 1 1 -1 -1 -1",
    ]);
    assert_eq!(numbers(&trace), [1, 3, 2, 3, 5]);
    assert_eq!(trace.report.overrun_us, 62 * MICROS);
    assert_eq!(
        findings(&trace.report),
        [
            (FindingKind::ZeroRunTime, 1, vec![1]),
            (FindingKind::NoEstimate, 1, vec![4]),
            (FindingKind::Overrun, 2, vec![2, 3]),
            (FindingKind::OverrunByAMinute, 1, vec![3]),
            (FindingKind::ProcessorTimeOverRun, 1, vec![5]),
            (FindingKind::OutOfOrder, 1, vec![3]),
            (FindingKind::DuplicateNumber, 1, vec![4]),
            (FindingKind::Failed, 1, vec![1]),
            (FindingKind::Cancelled, 1, vec![2]),
            (FindingKind::UnknownStatus, 1, vec![3]),
        ]
    );
    assert_eq!(balance(&trace.report), [5, 0, 0, 0, 0, 0]);
}

#[test]
fn jobs_of_one_instant_keep_the_order_of_the_file() {
    let trace = log(&[
        &line("9", "5", "1", "1", "1", "1", "1"),
        &line("8", "5", "1", "1", "1", "1", "1"),
        &line("7", "4", "1", "1", "1", "1", "1"),
        &line("6", "5", "1", "1", "1", "1", "1"),
    ]);
    assert_eq!(numbers(&trace), [7, 9, 8, 6]);
}

#[test]
fn partial_executions_fold_into_their_summary() {
    let trace = log(&[
        &line("1", "0", "90", "4", "4", "120", "1"),
        &line("1", "0", "30", "4", "4", "120", "2"),
        &line("1", "-1", "60", "4", "4", "120", "3"),
        &line("2", "5", "50", "4", "4", "120", "0"),
        &line("2", "5", "30", "4", "4", "120", "2"),
        &line("2", "-1", "30", "4", "4", "120", "4"),
    ]);
    assert_eq!(numbers(&trace), [1, 2]);
    assert_eq!(trace.rows[0].runtime, Span(90 * MICROS));
    assert_eq!(balance(&trace.report), [2, 0, 0, 4, 0, 0]);
    assert_eq!(
        findings(&trace.report),
        [
            (FindingKind::Failed, 1, vec![4]),
            (FindingKind::PartialsDiffer, 1, vec![5])
        ]
    );
}

#[test]
fn partial_executions_without_a_summary_become_one_job() {
    let trace = log(&[
        &line("1", "10", "30", "4", "4", "120", "2"),
        &clean(2),
        &line("1", "-1", "60", "6", "6", "120", "3"),
        &line("3", "0", "30", "4", "4", "120", "2"),
        &line("3", "-1", "60", "4", "4", "120", "4"),
    ]);
    assert_eq!(numbers(&trace), [3, 1, 2]);
    let job = &trace.rows[1];
    assert_eq!(
        (job.submit, job.runtime, job.size, job.line),
        (Time(10 * MICROS), Span(90 * MICROS), 6, 1)
    );
    assert_eq!(balance(&trace.report), [1, 2, 0, 2, 0, 0]);
    assert_eq!(
        findings(&trace.report),
        [
            (FindingKind::BuiltFromPartials, 2, vec![1, 4]),
            (FindingKind::Failed, 1, vec![4])
        ]
    );
}

#[test]
fn partial_executions_that_give_no_job_are_all_rejected() {
    let trace = log(&[
        &line("1", "-1", "30", "4", "4", "120", "2"),
        &line("1", "-1", "60", "4", "4", "120", "3"),
        &line("2", "0", "60", "-1", "-1", "120", "3"),
        &line("3", "0", "-1", "4", "4", "120", "3"),
        &clean(4),
    ]);
    assert_eq!(numbers(&trace), [4]);
    assert_eq!(balance(&trace.report), [1, 0, 4, 0, 0, 0]);
    assert_eq!(
        findings(&trace.report),
        [
            (FindingKind::NoSubmitTime, 2, vec![1, 2]),
            (FindingKind::NoProcessors, 1, vec![3]),
            (FindingKind::NoRunTime, 1, vec![4]),
        ]
    );
}

#[test]
fn the_header_is_read_with_its_continuations_and_compared_with_the_file() {
    let trace = log(&[
        "; Computer: IBM SP2",
        ";Information: http://www.pdc.kth.se/",
        ";              http://www.cs.huji.ac.il/",
        "; MaxRecords: 3",
        "; Preemption: Double",
        "; MaxProcs: 338 (batch partition; 512 total)",
        "; MaxNodes: 7",
        ";",
        &clean(1),
        "; Computer: not a header any more",
    ]);
    let header = &trace.header;
    assert_eq!(header.get("Computer"), Some("IBM SP2"));
    assert_eq!(
        header.get("Information"),
        Some("http://www.pdc.kth.se/\nhttp://www.cs.huji.ac.il/")
    );
    assert_eq!(
        (trace.machine, trace.machine_source),
        (338, MachineSource::MaxProcs)
    );
    assert_eq!(balance(&trace.report), [1, 0, 0, 0, 9, 0]);
    assert_eq!(
        trace.report.warnings,
        [
            "the header's MaxRecords is 3, the file has 1 job lines",
            "the header's Preemption is Double: a job may have several lines, which are merged",
        ]
    );
}

#[test]
fn the_machine_is_what_the_user_says_then_the_header_then_the_largest_job() {
    let machine = |header: &str, machine| {
        let options = Options {
            machine,
            ..logs::options("log.swf")
        };
        let text = format!("{header}\n{}", clean(1));
        let trace = read_with(options, &[text.as_bytes()]).unwrap();
        (
            trace.machine,
            trace.machine_source,
            trace.report.warnings.len(),
        )
    };
    let both = "; MaxProcs: 128\n; MaxNodes: 64";
    assert_eq!(machine(both, Some(32)), (32, MachineSource::Given, 0));
    assert_eq!(machine(both, None), (128, MachineSource::MaxProcs, 0));
    assert_eq!(
        machine("; MaxNodes: 64", None),
        (64, MachineSource::MaxNodes, 0)
    );
    assert_eq!(machine("", None), (4, MachineSource::LargestJob, 1));
}

#[test]
fn strict_turns_a_reject_or_repair_into_an_error() {
    let strict = |lines: &[&str]| {
        let options = Options {
            strict: true,
            ..logs::options("log.swf")
        };
        read_with(options, &[lines.join("\n").as_bytes()])
    };
    assert!(strict(&[&line("1", "0", "0", "4", "4", "-1", "0")]).is_ok());
    assert_eq!(
        strict(&[&clean(1), "oops"]).unwrap_err().to_string(),
        "log.swf: 1 × wrong number of fields, first in line 2; mend it or read the file without strict."
    );
    assert!(strict(&[&line("1", "0", "60", "-1", "4", "60", "1")]).is_err());
    let dropped = line("1", "0", "-1", "-1", "4", "60", "5");
    assert_eq!(
        strict(&[&clean(1), "oops", &dropped, &dropped])
            .unwrap_err()
            .to_string(),
        "log.swf: 2 × no run time, first in line 3 (run time); give run times, or take cancelled jobs that have an estimate with cancelled=run or cancelled=leave, or read the file without strict."
    );
}

#[test]
fn a_file_without_a_job_says_what_it_looks_like_and_what_to_do() {
    for (name, bytes, expected) in [
        (
            "a.swf",
            &b""[..],
            "the file is empty; give a log (.swf, .swf.gz) or a job list (.csv)",
        ),
        (
            "a.swf",
            b"PK\x03\x04rest",
            "this looks like a zip archive; unpack it and give the file inside",
        ),
        (
            "a.swf",
            b"\xfd7zXZ\0rest",
            "this looks like xz; unpack it with `xz -d` first",
        ),
        (
            "a.swf",
            b"\x28\xb5\x2f\xfdrest",
            "this looks like zstd; unpack it with `zstd -d` first",
        ),
        (
            "a.swf",
            b"BZh9rest",
            "this looks like bzip2; unpack it with `bunzip2` first",
        ),
        (
            "a.swf.Z",
            b"\x1f\x9d\x90rest",
            "this looks like compress (.Z); unpack it with `gzip -d` first",
        ),
        (
            "a.swf.lz4",
            b"\x04\x22\x4d\x18rest",
            "this looks like lz4; unpack it with `lz4 -d` first",
        ),
        (
            "a.swf",
            b"\n <!DOCTYPE html>",
            "this looks like a web page, not a log; download the file behind the link",
        ),
        (
            "a.swf",
            b"\x7fELF\0\0",
            "this looks like a binary file; give a log (.swf, .swf.gz) or a job list (.csv)",
        ),
        (
            "a.swf",
            b"job,submit_us\n1,2",
            "the heading in line 1 has no column size; it must name job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us (the last may be absent), or columns= must say which is what",
        ),
        (
            "a.csv",
            b"; Version: 2.2",
            "no usable job in 1 line; a log in the Standard Workload Format has at least 18 numbers on each job's line",
        ),
        (
            "a.swf",
            b"hello\nworld",
            "no usable job in 2 lines (2 × wrong number of fields, first in line 1); a log in the Standard Workload Format has at least 18 numbers on each job's line",
        ),
        (
            "a.swf",
            b"; only\n; comments",
            "no usable job in 2 lines; a log in the Standard Workload Format has at least 18 numbers on each job's line",
        ),
        (
            "a.csv",
            b"job,submit_us,size,bandwidth_kbps,runtime_us\n",
            "no usable job in 1 line; a job list has a job on each line below the heading",
        ),
        (
            "a.csv",
            b"job,size\n1,2",
            "the heading in line 1 has no column submit_us; it must name job,submit_us,size,bandwidth_kbps,runtime_us,estimate_us (the last may be absent), or columns= must say which is what",
        ),
        (
            "a.csv",
            b"job,job,size\n1,2",
            "the heading in line 1 has two columns job; leave one",
        ),
    ] {
        assert_eq!(refusal(name, bytes), format!("{name}: {expected}."));
    }
    let dropped = line("1", "0", "-1", "-1", "4", "60", "5");
    assert_eq!(
        refusal("a.swf", format!("x\n{dropped}\n{dropped}")),
        "a.swf: no usable job in 3 lines (2 × no run time, first in line 2 (run time)); give run times, or take cancelled jobs that have an estimate with cancelled=run or cancelled=leave."
    );
    let twice = gzip(&gzip(clean(1).as_bytes()));
    assert_eq!(
        refusal("a.swf.gz", twice),
        "a.swf.gz: this is gzip inside gzip; unpack it once with `gunzip` first."
    );
}

#[test]
fn gzip_is_recognised_by_its_bytes_and_read_member_by_member() {
    let plain = [clean(1), clean(2), clean(3), String::new()].join("\n");
    let expected = read("log.swf", &plain).unwrap();
    let (first, second) = plain.split_at(97);
    let mut members = gzip(first.as_bytes());
    members.extend(gzip(b""));
    members.extend(gzip(second.as_bytes()));
    members.extend([0; 512]);
    for name in ["log.swf.gz", "log.swf"] {
        let whole = read(name, &members).unwrap();
        let bytewise: Vec<&[u8]> = members.chunks(1).collect();
        for trace in [whole, read_with(logs::options(name), &bytewise).unwrap()] {
            assert_eq!(trace.rows, expected.rows);
            assert_eq!(trace.report, expected.report);
            assert_eq!(trace.sha256, expected.sha256);
        }
    }
    members.extend(b"tail");
    let trace = read("log.swf.gz", &members).unwrap();
    let ignored = "bytes after the end of the gzip data were ignored";
    assert!(
        trace
            .report
            .warnings
            .iter()
            .any(|warning| warning == ignored)
    );
}

#[test]
fn a_gzip_file_cut_short_or_altered_is_refused() {
    let lines: Vec<String> = (1..200).map(clean).collect();
    let whole = gzip(lines.join("\n").as_bytes());
    let damaged = "log.swf.gz: the gzip data is damaged or ends early; fetch the file again.";
    for length in [3, 9, 40, whole.len() - 9, whole.len() - 8, whole.len() - 1] {
        assert_eq!(refusal("log.swf.gz", &whole[..length]), damaged, "{length}");
    }
    let mut altered = whole.clone();
    *altered.last_mut().unwrap() ^= 1;
    assert_eq!(refusal("log.swf.gz", altered), damaged);
}

#[test]
fn a_line_longer_than_any_log_has_is_rejected_and_its_comment_kept() {
    let long = "9 ".repeat(1 << 18);
    let trace = log(&[&format!(";{long}"), &long, &clean(1)]);
    assert_eq!(numbers(&trace), [1]);
    assert_eq!(balance(&trace.report), [1, 0, 1, 0, 1, 0]);
    // Blanks that push a job beyond the length do not make it a blank line.
    let padded = format!("{}{}", " ".repeat(1 << 17), clean(2));
    assert_eq!(
        balance(&log(&[&padded, &clean(1)]).report),
        [1, 0, 1, 0, 0, 0]
    );
}

#[test]
fn a_line_of_more_than_a_megabyte_is_refused_with_its_number_and_the_limit() {
    let most = "9".repeat(1 << 20);
    assert_eq!(log(&[&most, &clean(1)]).report.rejected, 1);
    for name in ["log.swf", "list.csv"] {
        assert_eq!(
            refusal(name, format!("{}\n{most}9", clean(1))),
            format!(
                "{name}: line 2 has more than 1048576 bytes, the most that are read; give a text file with a job on each line."
            )
        );
    }
}

#[test]
fn columns_of_a_job_list_may_be_in_any_order() {
    let text = "\u{feff}runtime_us, size ,note,job,\"bandwidth_kbps\",submit_us\r\n5,2,hi,1,700,3\r\n\r\n6,1,\"a,b\",2,0,3\n";
    let trace = read("list.csv", text).unwrap();
    let rows: Vec<_> = trace
        .rows
        .iter()
        .map(|row| {
            (
                row.number,
                row.submit.0,
                row.size,
                row.bandwidth.0,
                row.runtime.0,
                row.estimate.0,
                row.line,
            )
        })
        .collect();
    assert_eq!(rows, [(1, 3, 2, 700, 5, 0, 2), (2, 3, 1, 0, 6, 0, 4)]);
    assert!(trace.has_bandwidth);
    assert_eq!(balance(&trace.report), [2, 0, 0, 0, 1, 1]);
    assert_eq!(trace.report.warnings[0], "columns ignored: note");
}

#[test]
fn each_reject_of_a_job_list_is_counted_with_its_line_and_column() {
    for (bad, kind, field) in [
        ("1,2,3", FindingKind::FieldCount, None),
        ("1,2,3,4,5,6,7", FindingKind::FieldCount, None),
        ("1,two,1,0,5,5", FindingKind::NotANumber, Some("submit_us")),
        ("1,,1,0,5,5", FindingKind::NotANumber, Some("submit_us")),
        ("1,2,1,0,nan,5", FindingKind::NotANumber, Some("runtime_us")),
        (
            "1,2,1.5,0,5,5",
            FindingKind::FractionInInteger,
            Some("size"),
        ),
        ("1,-2,1,0,5,5", FindingKind::NoSubmitTime, Some("submit_us")),
        ("1,2,0,0,5,5", FindingKind::NoProcessors, Some("size")),
        ("1,2,1,0,-1,5", FindingKind::NoRunTime, Some("runtime_us")),
        (
            "1,2,1,-1,5,5",
            FindingKind::OutOfRange,
            Some("bandwidth_kbps"),
        ),
        (
            "1,2,1,9999999999999,5,5",
            FindingKind::OutOfRange,
            Some("bandwidth_kbps"),
        ),
        (
            "1,2,4294967296,0,5,5",
            FindingKind::OutOfRange,
            Some("size"),
        ),
        (
            "1,2,1,0,99999999999999999999999999999999999999999,5",
            FindingKind::OutOfRange,
            Some("runtime_us"),
        ),
        ("1,2,1,0,5,-2", FindingKind::OutOfRange, Some("estimate_us")),
        ("\"1,2,1,0,5,5", FindingKind::FieldCount, None),
    ] {
        let trace = list(&["7,1,1,0,5,5", bad, "8,1,1,0,5,5"]);
        assert_eq!(numbers(&trace), [7, 8], "{bad}");
        assert_eq!(balance(&trace.report), [2, 0, 1, 0, 1, 0], "{bad}");
        let finding = &trace.report.findings[0];
        assert_eq!((finding.kind, finding.count), (kind, 1), "{bad}");
        assert_eq!(
            (finding.positions[0].line, finding.positions[0].field),
            (3, field),
            "{bad}"
        );
    }
}

#[test]
fn a_job_list_may_lack_some_or_all_estimates() {
    let trace = list(&["1,0,1,0,5,", "2,0,1,0,5,-1", "3,0,1,0,5,0", "4,0,1,0,5.0,9"]);
    let estimates: Vec<u64> = trace.rows.iter().map(|row| row.estimate.0).collect();
    assert_eq!(estimates, [0, 0, 0, 9]);
    assert_eq!(
        findings(&trace.report),
        [(FindingKind::NoEstimate, 3, vec![2, 3, 4])]
    );
}

/// A log whose jobs 2 and 3 were cancelled before they started, the second of them after no time.
const WITH_CANCELLED: &str = "1 0 5 60 4 -1 -1 4 90 -1 1 1 1 1 1 -1 -1 -1\n\
    2 10 70 -1 -1 -1 -1 4 90 -1 5 1 1 1 1 -1 -1 -1\n\
    3 20 0 0 0 -1 -1 2 30 -1 5 1 1 1 1 -1 -1 -1\n\
    4 30 -1 -1 -1 -1 -1 2 30 -1 5 1 1 1 1 -1 -1 -1\n\
    5 40 9 -1 -1 -1 -1 2 -1 -1 5 1 1 1 1 -1 -1 -1\n\
    6 50 9 7 2 -1 -1 2 30 -1 5 1 1 1 1 -1 -1 -1\n";

fn with_cancelled(name: &str, cancelled: Cancelled) -> Options {
    Options {
        cancelled,
        ..logs::options(name)
    }
}

#[test]
fn jobs_cancelled_before_they_started_are_left_out_run_or_leave_the_queue() {
    for (cancelled, expected, kind, line) in [
        (
            Cancelled::Drop,
            vec![(1, 60, None), (3, 0, None), (6, 7, None)],
            FindingKind::NoRunTime,
            2,
        ),
        (
            Cancelled::Run,
            vec![
                (1, 60, None),
                (2, 90, None),
                (3, 30, None),
                (4, 30, None),
                (6, 7, None),
            ],
            FindingKind::NoRunTime,
            5,
        ),
        (
            Cancelled::Leave,
            vec![
                (1, 60, None),
                (2, 90, Some(70)),
                (3, 30, Some(0)),
                (6, 7, None),
            ],
            FindingKind::NoRunTime,
            5,
        ),
    ] {
        let options = with_cancelled("log.swf", cancelled);
        let trace = read_with(options, &[WITH_CANCELLED.as_bytes()]).unwrap();
        let seconds = |span: Span| span.0 / MICROS;
        let rows = trace.rows.iter();
        let found: Vec<(u64, u64, Option<u64>)> = rows
            .map(|row| {
                (
                    row.number,
                    seconds(row.runtime),
                    row.leaves_after.as_deref().copied().map(seconds),
                )
            })
            .collect();
        assert_eq!(found, expected, "{cancelled}");
        let count = |kind| trace.report.count(kind);
        assert_eq!(count(FindingKind::NeverStarted), 4, "{cancelled}");
        let finding = trace
            .report
            .findings
            .iter()
            .find(|found| found.kind == kind);
        assert_eq!(finding.unwrap().positions[0].line, line, "{cancelled}");
        let unknown = u64::from(cancelled == Cancelled::Leave);
        assert_eq!(count(FindingKind::NoWaitTime), unknown, "{cancelled}");
        let cures = Diagnosis::of(&trace).cures;
        assert!(
            cures
                .iter()
                .any(|cure| (cure.key, cure.value) == ("cancelled", "leave")),
            "{cures:?}"
        );
        // As a log it says the same.
        let lines: Vec<SwfLine> = trace.rows.iter().map(SwfLine::from).collect();
        let written = swf::write(&Header::default(), &lines);
        let options = with_cancelled("log.swf", cancelled);
        let again = read_with(options, &[written.as_bytes()]).unwrap();
        assert_eq!(unplaced(&again.rows), unplaced(&trace.rows), "{cancelled}");
    }
}

#[test]
fn jobs_of_slurm_that_were_cancelled_before_they_started_leave_the_queue() {
    let text = format!(
        "{ACCOUNTING}\n\
         1|a|2024-01-01T00:00:00|None|2024-01-01T00:02:00|00:00:00|00:05:00|3|0|12|CANCELLED by 7|a\n\
         2|a|2024-01-01T00:00:00|2024-01-01T00:00:09|2024-01-01T00:00:09|00:00:00|01:00|1|0|1|CANCELLED by 7|a\n\
         3|a|2024-01-01T00:00:00|None|2024-01-01T00:02:00|00:00:00|UNLIMITED|3|0|12|CANCELLED by 7|a\n\
         4|a|2024-01-01T00:00:00|None|Unknown|00:00:00|00:05:00|3|0|12|PENDING|a\n"
    );
    let options = with_cancelled("jobs.txt", Cancelled::Leave);
    let trace = read_with(options, &[text.as_bytes()]).unwrap();
    let rows = trace.rows.iter();
    let found: Vec<_> = rows
        .map(|row| {
            (
                row.number,
                row.size,
                row.runtime,
                row.leaves_after.as_deref(),
            )
        })
        .collect();
    let seconds = |count: u64| Span(count * MICROS);
    assert_eq!(
        found,
        [
            (1, 12, seconds(300), Some(&seconds(120))),
            (2, 1, seconds(60), Some(&seconds(9))),
        ]
    );
    assert_eq!(balance(&trace.report), [2, 0, 2, 0, 1, 0]);
    assert_eq!(trace.report.count(FindingKind::NeverStarted), 3);
}

const ACCOUNTING: &str =
    "JobID|User|Submit|Start|End|Elapsed|Timelimit|NNodes|AllocCPUS|ReqCPUS|State|JobName";

/// What `sacct` prints: these lines below a heading.
fn accounting(lines: &[&str]) -> Trace {
    read("jobs.txt", format!("{ACCOUNTING}\n{}\n", lines.join("\n"))).unwrap()
}

#[test]
fn steps_and_components_of_slurm_fold_into_their_jobs() {
    let trace = accounting(&[
        "9.extern|||Unknown|Unknown|00:00:00||1|1|1|COMPLETED|extern",
        "9|ada|2024-01-01T00:00:10|2024-01-01T00:01:00|2024-01-02T00:01:01|1-00:00:01|2-00:00:00|2|64|70|COMPLETED|x",
        "9.batch||2024-01-01T00:01:00|2024-01-01T00:01:00|2024-01-02T00:01:01|1-00:00:01||1|32|32|COMPLETED|batch",
        "7_3|bob|2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|01:00|Partition_Limit|1|1|1|OUT_OF_MEMORY|x",
        "8+0|ada|2024-01-01T00:00:20|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|UNLIMITED|1|4|4|CANCELLED by 1000|x",
        "8+1|ada|2024-01-01T00:00:20|2024-01-01T00:01:00|2024-01-01T00:03:00|00:02:00|UNLIMITED|1|8|8|CANCELLED by 1000|x",
        "8+1.0|ada|2024-01-01T00:00:20|2024-01-01T00:01:00|2024-01-01T00:03:00|00:02:00||1|8|8|CANCELLED|x",
    ]);
    let row = |number, submit, runtime, estimate, size, user, status, line| LogRow {
        number,
        submit: Time(submit * MICROS),
        runtime: Span(runtime * MICROS),
        estimate: Span(estimate * MICROS),
        size,
        user,
        status,
        wait: Some(Span((60 - submit) * MICROS)).into(),
        line,
        ..LogRow::default()
    };
    assert_eq!(
        trace.rows[..],
        [
            row(70_000_003, 0, 60, 0, 1, 2, Status::Failed, 5),
            row(9, 10, 86_401, 172_800, 64, 1, Status::Completed, 3),
            row(8, 20, 120, 0, 12, 1, Status::Cancelled, 6),
        ]
    );
    assert_eq!(balance(&trace.report), [3, 0, 0, 4, 1, 0]);
    assert_eq!(
        trace.report.warnings[..2],
        [
            "columns ignored: JobName",
            "times without a zone are taken as UTC: an hour is missing or double where clocks change"
        ]
    );
    assert_eq!(trace.header.count("UnixStartTime"), Some(1_704_067_200));
    // Only an example of a line that gives no job names its user.
    let said = format!("{trace:?}");
    assert!(!said.contains("ada") && !said.contains("bob"), "{said}");
}

#[test]
fn nodes_of_slurm_are_sizes_by_the_first_column_that_counts_any() {
    let text = "JobID|Submit|Start|Elapsed|AllocNodes|NNodes|ReqNodes|AllocCPUS|ReqCPUS|State|Timelimit\n\
        1|2024-01-01T00:00:00|2024-01-01T00:00:00|01:00|3|2|2|96|64|COMPLETED|05:00\n\
        2|2024-01-01T00:00:00|None|00:00:00|0|2|2|0|64|CANCELLED by 7|05:00\n\
        3|2024-01-01T00:00:00|None|00:00:00|0|0|5|0|64|CANCELLED by 7|05:00\n\
        4|2024-01-01T00:00:00|2024-01-01T00:00:00|01:00|0||0|96|64|COMPLETED|05:00\n";
    let options = Options {
        processors: Processors::Nodes,
        ..with_cancelled("jobs.txt", Cancelled::Run)
    };
    let trace = read_with(options, &[text.as_bytes()]).unwrap();
    let sizes: Vec<u32> = trace.rows.iter().map(|row| row.size).collect();
    assert_eq!(sizes, [3, 2, 5]);
    assert_eq!(balance(&trace.report), [3, 0, 1, 0, 1, 0]);
    let rejected = trace.report.worst_fault().unwrap();
    assert_eq!(rejected.kind, FindingKind::NoNodes);
    assert_eq!(rejected.positions[0].line, 5);
}

#[test]
fn a_heterogeneous_job_of_slurm_leaves_the_queue_only_as_a_whole() {
    let waited = "2024-01-01T00:00:00|None|2024-01-01T00:02:00|00:00:00|00:05:00|1|0|2";
    let ran = "2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|00:05:00|1|2|2";
    let line = |job, component, times, state| format!("{job}+{component}|a|{times}|{state}|a\n");
    let text = [
        format!("{ACCOUNTING}\n"),
        line(1, 0, waited, "CANCELLED by 7"),
        line(1, 1, ran, "FAILED"),
        line(2, 0, ran, "FAILED"),
        line(2, 1, waited, "CANCELLED by 7"),
        line(3, 0, waited, "CANCELLED by 7"),
        line(3, 1, waited, "CANCELLED by 7"),
    ]
    .concat();
    let options = with_cancelled("jobs.txt", Cancelled::Leave);
    let trace = read_with(options, &[text.as_bytes()]).unwrap();
    let rows = trace.rows.iter();
    let jobs: Vec<_> = rows
        .map(|row| {
            (
                row.size,
                row.runtime.0 / MICROS,
                row.status,
                row.leaves_after.is_some(),
            )
        })
        .collect();
    let failed = (4, 60, Status::Failed, false);
    assert_eq!(jobs, [failed, failed, (4, 300, Status::Cancelled, true)]);
}

#[test]
fn tasks_of_slurm_that_were_cancelled_before_any_started_are_jobs_each() {
    let waited = "2024-01-01T00:00:00|None|2024-01-01T00:02:00|00:00:00|00:05:00|1|0|2";
    let text = format!(
        "{ACCOUNTING}\n\
         7_[4-6,9%2]|a|{waited}|CANCELLED by 7|a\n\
         7_2|a|2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|00:05:00|1|2|2|COMPLETED|a\n\
         8_[1,3,...]|a|{waited}|CANCELLED by 7|a\n\
         9_[0-999999]|a|{waited}|CANCELLED|a\n\
         10_[1-2]|a|{waited}|PENDING|a\n\
         7_[4-6,9%2]|a|{waited}|CANCELLED by 7|a\n"
    );
    for (cancelled, leaves_after) in [
        (Cancelled::Run, None),
        (Cancelled::Leave, Some(Span(120 * MICROS))),
    ] {
        let options = with_cancelled("jobs.txt", cancelled);
        let trace = read_with(options, &[text.as_bytes()]).unwrap();
        let tasks = [4, 5, 6, 9, 2].map(|task| 70_000_000 + task);
        assert_eq!(numbers(&trace), tasks, "{cancelled}");
        for row in &trace.rows[..4] {
            let (size, runtime, leaves) = (row.size, row.runtime, row.leaves_after.as_deref());
            assert_eq!(
                (size, runtime, leaves),
                (2, Span(300 * MICROS), leaves_after.as_ref())
            );
            assert_eq!((row.line, row.status), (2, Status::Cancelled));
        }
        assert_eq!(balance(&trace.report), [2, 0, 3, 1, 1, 0]);
        let count = |kind| trace.report.count(kind);
        let kinds = [
            FindingKind::TasksOnOneLine,
            FindingKind::CutTasks,
            FindingKind::TooManyTasks,
            FindingKind::WaitingTasks,
            FindingKind::Repeated,
        ];
        assert_eq!(kinds.map(count), [1; 5]);
        assert!(trace.report.warnings.iter().any(|warning| warning
            == "4 jobs are tasks of arrays that were cancelled before they started and share lines"));
    }
    let dropped = read("jobs.txt", &text).unwrap();
    assert_eq!(numbers(&dropped), [70_000_002]);
    let count = |kind| dropped.report.count(kind);
    assert_eq!(balance(&dropped.report), [1, 0, 4, 1, 1, 0]);
    assert_eq!(count(FindingKind::NeverStarted), 3);
    assert_eq!(count(FindingKind::NoRunTime), 3);
}

#[test]
fn tasks_of_slurm_are_taken_up_to_a_limit_that_grows_with_the_log() {
    let waited = "2024-01-01T00:00:00|None|2024-01-01T00:02:00|00:00:00|00:05:00|1|0|2";
    let lines: Vec<String> = (1..5)
        .map(|array| format!("{array}_[1-99999]|a|{waited}|CANCELLED|a"))
        .collect();
    let text = format!("{ACCOUNTING}\n{}\n", lines.join("\n"));
    let options = with_cancelled("jobs.txt", Cancelled::Leave);
    let trace = read_with(options, &[text.as_bytes()]).unwrap();
    assert_eq!(trace.rows.len(), 2 * 99_999);
    let rejected = trace.report.worst_fault().unwrap();
    assert_eq!(
        (rejected.kind, rejected.count),
        (FindingKind::TooManyTasks, 2)
    );
}

#[test]
fn counts_of_slurm_in_units_of_1024_are_read_where_they_are_needed() {
    let times = "2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|00:05:00";
    let text = format!(
        "{ACCOUNTING}\n\
         1|a|{times}|1.50K|48K|48K|COMPLETED|a\n\
         2|a|{times}|odd|64|64|COMPLETED|a\n\
         3|a|{times}|2|odd|odd|COMPLETED|a\n"
    );
    for (processors, expected) in [
        (Processors::AllocThenReq, [(1, 49_152), (2, 64)]),
        (Processors::Nodes, [(1, 1536), (3, 2)]),
    ] {
        let options = Options {
            processors,
            ..logs::options("jobs.txt")
        };
        let trace = read_with(options, &[text.as_bytes()]).unwrap();
        let sizes: Vec<_> = trace
            .rows
            .iter()
            .map(|row| (row.number, row.size))
            .collect();
        assert_eq!(sizes, expected, "{processors}");
        assert_eq!(
            trace.report.count(FindingKind::Malformed),
            1,
            "{processors}"
        );
    }
}

#[test]
fn a_job_that_two_outputs_of_slurm_print_is_one_job() {
    let before = "JobID|Submit|Start|End|NCPUS|State\n\
         1|2024-01-31T20:00:00|2024-01-31T21:00:00|2024-01-31T22:00:00|4|COMPLETED\n\
         1.batch|2024-01-31T21:00:00|2024-01-31T21:00:00|2024-01-31T22:00:00|4|COMPLETED\n\
         2+0|2024-01-31T23:00:00|2024-01-31T23:30:00|2024-02-01T01:00:00|8|FAILED\n\
         2+1|2024-01-31T23:00:01|2024-01-31T23:30:01|2024-02-01T01:00:00|3|FAILED\n\
         3|2024-01-31T23:50:00|2024-01-31T23:59:00|Unknown|2|RUNNING\n";
    let after = before.replace("Unknown|2|RUNNING", "2024-02-01T03:59:00|2|COMPLETED");
    let trace = read("jobs.txt", [before, &after].concat()).unwrap();
    let sizes: Vec<u32> = trace.rows.iter().map(|row| row.size).collect();
    assert_eq!((numbers(&trace), sizes), (vec![1, 2, 3], vec![4, 11, 2]));
    // The step printed twice, the second component, and three lines of jobs printed before.
    assert_eq!(balance(&trace.report), [3, 0, 1, 6, 2, 0]);
    assert_eq!(
        findings(&trace.report),
        [
            (FindingKind::NotEnded, 1, vec![6]),
            (FindingKind::NoEstimate, 3, vec![2, 4, 12]),
            (FindingKind::Repeated, 3, vec![8, 10, 11]),
            (FindingKind::Failed, 2, vec![4, 5]),
        ]
    );
}

#[test]
fn a_job_of_slurm_that_was_requeued_is_a_job_for_each_start() {
    let first = "2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|01:00|01:00";
    let second = "2024-01-01T00:05:00|2024-01-01T00:06:00|2024-01-01T00:09:00|03:00|03:00";
    let lines = [
        format!("5|a|{first}|1|4|4|NODE_FAIL|a"),
        format!("5|a|{second}|1|4|4|COMPLETED|a"),
        format!("6+0|a|{first}|1|1|1|REQUEUED|a"),
        format!("6+0|a|{second}|1|1|1|COMPLETED|a"),
        format!("6+1|a|{first}|1|2|2|REQUEUED|a"),
        format!("6+1|a|{second}|1|2|2|COMPLETED|a"),
    ];
    let mut orders = [lines.clone(), lines];
    // Starts of the whole one after the other, in place of components.
    orders[1].swap(3, 4);
    for lines in orders {
        let trace = accounting(&lines.each_ref().map(String::as_str));
        let jobs = trace.rows.iter();
        let jobs: Vec<_> = jobs
            .map(|row| (row.number, row.size, row.runtime.0 / MICROS))
            .collect();
        assert_eq!(jobs, [(5, 4, 60), (6, 3, 60), (5, 4, 180), (6, 3, 180)]);
        assert_eq!(balance(&trace.report), [4, 0, 0, 2, 1, 0]);
        assert_eq!(trace.report.count(FindingKind::Repeated), 0);
        assert_eq!(trace.report.count(FindingKind::DuplicateNumber), 2);
    }
}

#[test]
fn each_reject_of_the_accounting_of_slurm_is_counted_with_its_line_and_column() {
    let times = "2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|00:05:00";
    let waits = "2024-01-01T00:00:00|None|2024-01-01T00:02:00|00:00:00|00:05:00";
    for (bad, kind, field) in [
        (
            format!("1|a|{times}|1|1|1|COMPLETED"),
            FindingKind::FieldCount,
            None,
        ),
        (
            format!("x|a|{times}|1|1|1|COMPLETED|a"),
            FindingKind::Malformed,
            Some("JobID"),
        ),
        (
            format!("900719926_4|a|{times}|1|1|1|COMPLETED|a"),
            FindingKind::Malformed,
            Some("JobID"),
        ),
        (
            format!("1|a|{times}|1|x|1|COMPLETED|a"),
            FindingKind::Malformed,
            Some("AllocCPUS"),
        ),
        (
            format!("1|a|{times}|1|1|1|RUNNING|a"),
            FindingKind::NotEnded,
            Some("State"),
        ),
        (
            format!("1_[2-9]|a|{waits}|1|0|1|PENDING|a"),
            FindingKind::WaitingTasks,
            Some("JobID"),
        ),
        (
            format!("1.0|a|{times}|1|1|1|COMPLETED|a"),
            FindingKind::StepWithoutJob,
            Some("JobID"),
        ),
        (
            format!("1|a|{waits}|1|0|1|CANCELLED by 7|a"),
            FindingKind::NoRunTime,
            Some("Start"),
        ),
        (
            format!("1|a|{times}|1|0|0|COMPLETED|a"),
            FindingKind::NoProcessors,
            None,
        ),
        (
            format!(
                "1|a|{}|1|1|1|COMPLETED|a",
                times.replace("00:05:00", "soon")
            ),
            FindingKind::Malformed,
            Some("Timelimit"),
        ),
        (
            format!(
                "1|a|{}|1|1|1|COMPLETED|a",
                times.replace("T00:02", "T25:02")
            ),
            FindingKind::Malformed,
            Some("End"),
        ),
        (
            format!(
                "1|a|{}|1|1|1|COMPLETED|a",
                times.replacen("2024", "1969", 1)
            ),
            FindingKind::OutOfRange,
            Some("Submit"),
        ),
        (
            format!("1|a|Unknown{}|1|1|1|COMPLETED|a", &times[19..]),
            FindingKind::NoSubmitTime,
            Some("Submit"),
        ),
    ] {
        let good = format!("3|a|{times}|1|1|1|COMPLETED|a");
        let trace = accounting(&[&good, &bad]);
        assert_eq!(numbers(&trace), [3], "{bad}");
        assert_eq!(trace.report.rejected, 1, "{bad}");
        let finding = trace.report.worst_fault().unwrap();
        assert_eq!(
            (finding.kind, finding.positions[0].field),
            (kind, field),
            "{bad}"
        );
        assert_eq!(finding.positions[0].line, 3, "{bad}");
    }
}

#[test]
fn columns_of_slurm_accounting_may_be_in_any_order_and_some_absent() {
    let text = "State|NNodes|End|Start|Submit|JobID|\n\
                COMPLETED|3|2024-01-01T02:00:00Z|2024-01-01T01:59:00Z|2024-01-01T02:58:00+01:00|4|\n";
    let trace = read("jobs.txt.gz", gzip(text.as_bytes())).unwrap();
    let row = &trace.rows[0];
    assert_eq!((row.size, row.runtime), (3, Span(60 * MICROS)));
    assert_eq!(balance(&trace.report), [1, 0, 0, 0, 1, 0]);
    assert_eq!(
        trace.report.warnings[0],
        "no column counts processors: sizes are nodes"
    );
    for (heading, lacks) in [
        ("JobID|State|Elapsed|NCPUS", "Submit"),
        ("JobID|Submit|Elapsed|NCPUS", "State"),
        ("JobID|Submit|State|Start|NCPUS", "Elapsed"),
        ("JobID|Submit|State|Elapsed|User", "AllocCPUS"),
    ] {
        assert_eq!(
            refusal("jobs.txt", format!("{heading}\n1|2|3|4|5\n")),
            format!(
                "jobs.txt: the heading in line 1 has no column {lacks}; print the log with `sacct --parsable2 --format=JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,ReqCPUS,NNodes,State,User`."
            )
        );
    }
    assert_eq!(
        refusal("jobs.txt", format!("{ACCOUNTING}|State\n")),
        "jobs.txt: the heading in line 1 has two columns State; leave one."
    );
    let list = read("jobs.csv", text).unwrap();
    assert_eq!((list.format, &list.rows[0]), (Format::Swf, row));
    let nodes = Options {
        processors: Processors::Nodes,
        ..logs::options("jobs.txt")
    };
    let line = "4||2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00||3|96|96|COMPLETED|";
    let text = format!("{ACCOUNTING}\n{line}");
    let trace = read_with(nodes, &[text.as_bytes()]).unwrap();
    assert_eq!((trace.rows[0].size, trace.rows[0].user), (3, 0));
}

#[test]
fn times_of_slurm_may_be_seconds_since_1970_or_have_a_blank() {
    let trace = accounting(&[
        "1|a|1704067200|1704067260|1704067320|00:01:00|00:05:00|1|1|1|COMPLETED|a",
        "2|a|2024-01-01 00:00:10|2024-01-01 00:01:00Z|Unknown|00:01:00|00:05:00|1|1|1|RUNNING|a",
    ]);
    assert_eq!(trace.header.count("UnixStartTime"), Some(1_704_067_200));
    assert_eq!(trace.report.count(FindingKind::NotEnded), 1);
    assert!(
        trace
            .report
            .warnings
            .iter()
            .any(|warning| warning.starts_with("times without a zone"))
    );
    let epoch =
        accounting(&["1|a|1704067200|1704067260|1704067320|00:01:00|00:05:00|1|1|1|COMPLETED|a"]);
    assert!(
        !epoch
            .report
            .warnings
            .iter()
            .any(|warning| warning.starts_with("times without a zone"))
    );
}

#[test]
fn bytes_of_slurm_that_are_no_text_matter_only_where_they_are_read() {
    let times = "2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|00:05:00";
    let bytes = [
        format!("{ACCOUNTING}\n1|").as_bytes(),
        b"j\xfcrgen",
        format!("|{times}|").as_bytes(),
        b"\xff|4|4|COMPLETED|m\xfcll\n2|a|",
        format!("{times}|1|4|4|").as_bytes(),
        b"COMPL\xcaTED|a\n",
    ]
    .concat();
    let trace = read("jobs.txt", bytes).unwrap();
    assert_eq!((numbers(&trace), trace.rows[0].user), (vec![1], 1));
    let malformed = trace.report.worst_fault().unwrap();
    assert_eq!(malformed.kind, FindingKind::Malformed);
    assert_eq!(malformed.positions[0].to_string(), "line 3 (State)");
}

#[test]
fn raw_durations_of_slurm_replace_absent_ones() {
    let text = "JobID|Submit|ElapsedRaw|TimelimitRaw|NCPUS|State\n\
                1|2024-01-01T00:00:00|90061|1500|3|COMPLETED\n\
                2|2024-01-01T00:00:00|5|UNLIMITED|3|COMPLETED\n\
                3|2024-01-01T00:00:00|00:05|3|3|COMPLETED\n\
                4|2024-01-01T00:00:00|5|00:03:00|3|COMPLETED\n";
    let seconds = |trace: &Trace| -> Vec<(u64, u64)> {
        let rows = trace.rows.iter();
        rows.map(|row| (row.runtime.0 / MICROS, row.estimate.0 / MICROS))
            .collect()
    };
    let trace = read("jobs.txt", text).unwrap();
    assert_eq!(seconds(&trace), [(90_061, 90_000), (5, 0)]);
    let malformed = trace.report.worst_fault().unwrap();
    let columns = malformed.positions.iter().map(|position| position.field);
    assert_eq!(
        columns.collect::<Vec<_>>(),
        [Some("ElapsedRaw"), Some("TimelimitRaw")]
    );
    // Where both are printed, the raw ones are not read.
    let both = "JobID|Submit|ElapsedRaw|Elapsed|TimelimitRaw|Timelimit|NCPUS|State\n\
                1|2024-01-01T00:00:00|odd|00:01:02|odd|00:02:00|3|COMPLETED\n";
    assert_eq!(seconds(&read("jobs.txt", both).unwrap()), [(62, 120)]);
}

#[test]
fn a_raw_job_id_replaces_an_absent_job_id() {
    let text = "Submit|JobIDRaw|State|NCPUS|Elapsed\n\
                2024-01-01T00:00:00|8|COMPLETED|3|00:01:00\n\
                2024-01-01T00:00:00|8.batch|COMPLETED|3|00:01:00\n\
                2024-01-01T00:00:00|x|COMPLETED|3|00:01:00\n";
    let trace = read("jobs.txt", text).unwrap();
    assert_eq!(numbers(&trace), [8]);
    assert_eq!(balance(&trace.report), [1, 0, 1, 1, 1, 0]);
    let malformed = trace.report.worst_fault().unwrap();
    assert_eq!(malformed.positions[0].field, Some("JobIDRaw"));
}

#[test]
fn other_output_of_slurm_gets_a_hint_to_the_right_command() {
    let columns = "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n\
                   ------------ ---------- ---------- ---------- ---------- ---------- -------- \n\
                   1                  hi      batch    physics          1  COMPLETED      0:0 \n";
    let queue = "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n\
                                 7     batch       hi      ada  R       0:05      1 node1\n";
    for (name, text) in [
        ("jobs.txt", columns),
        ("jobs.txt", queue),
        ("jobs.txt", "User,JobIDRaw,State\nada,1,COMPLETED\n"),
        ("jobs.csv", "JobID,User,State\n1,ada,COMPLETED\n"),
        ("jobs.txt", "1|ada|COMPLETED\n"),
    ] {
        assert_eq!(
            refusal(name, text),
            format!(
                "{name}: this looks like what Slurm prints, but has no heading with `|` between its columns; print the log with `sacct --parsable2 --format=JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,ReqCPUS,NNodes,State,User`."
            )
        );
    }
}

#[test]
fn a_written_job_that_never_ran_has_status_5_and_no_run_time() {
    let job = SwfLine {
        number: 3,
        submit: Time(1_500_000),
        size: 4,
        runtime: Span(7_000_001),
        estimate: Span(0),
        preceding: Vec::new(),
        think: Span(0),
        user: 0,
        labels: [-1; 3],
        outcome: LineOutcome::NeverRan,
        recorded: None,
    };
    let ran = SwfLine {
        outcome: LineOutcome::Ran {
            wait: Span(2_000_000),
        },
        ..job.clone()
    };
    let header = Header {
        entries: vec![
            ("MaxProcs".into(), "128".into()),
            ("MaxJobs".into(), "9".into()),
        ],
    };
    assert_eq!(
        swf::write(&header, &[job, ran]),
        "; Version: 2.2\n\
         ; MaxProcs: 128\n\
         ; MaxJobs: 2\n\
         ; MaxRecords: 2\n\
         3 1.5 -1 -1 -1 -1 -1 4 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n\
         3 1.5 2 7.000001 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    );
}

/// Lines that are nearly right, so that every rule of the readers is reached.
fn text(separator: &'static str, fields: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let field = prop_oneof![
        6 => (0u32..20).prop_map(|number| number.to_string()),
        2 => Just("-1".to_owned()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_map(|number| number.to_string()),
        1 => (0u32..9).prop_map(|number| format!("{number}.0000005")),
        1 => Just("x".to_owned()),
        1 => Just("\"".to_owned()),
    ];
    let line = prop_oneof![
        8 => prop::collection::vec(field, fields).prop_map(move |fields| fields.join(separator)),
        1 => Just("; MaxProcs: 9".to_owned()),
        1 => Just(HEADING.to_owned()),
        1 => Just(" ".to_owned()),
    ];
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n").into_bytes())
}

/// Lines of what `sacct` prints, right and nearly right, below a heading.
fn accounts() -> impl Strategy<Value = String> {
    let id = prop_oneof![
        6 => (0u32..30).prop_map(|job| job.to_string()),
        2 => (0u32..9, 0u32..9).prop_map(|(job, task)| format!("{job}_{task}")),
        2 => (0u32..9, 0u32..3).prop_map(|(job, component)| format!("{job}+{component}")),
        2 => (0u32..9).prop_map(|job| format!("{job}.batch")),
        1 => prop::sample::select(vec!["3_[1-9]", "3_[2,4-9:2%1]", "4_[1,...]", "5_[1-x]"])
            .prop_map(str::to_owned),
        1 => Just("x".to_owned()),
    ];
    let instant = prop_oneof![
        4 => (1u32..13, 1u32..29, 0u32..24).prop_map(|(month, day, hour)| {
            format!("2024-{month:02}-{day:02}T{hour:02}:30:00")
        }),
        1 => Just("2024-06-01T00:00:00+05:30".to_owned()),
        1 => Just("1717200000".to_owned()),
        1 => Just("Unknown".to_owned()),
        1 => Just("2024-02-31T00:00:00".to_owned()),
    ];
    // Most jobs end after they have started.
    let instants = prop_oneof![
        4 => (1u32..13, 1u32..29, 0u32..8, 0u32..8, 0u32..8).prop_map(
            |(month, day, hour, wait, run)| {
                [hour, hour + wait, hour + wait + run]
                    .map(|hour| format!("2024-{month:02}-{day:02}T{hour:02}:30:00"))
            }
        ),
        1 => (1u32..13, 0u32..20, 0u32..4).prop_map(|(month, hour, wait)| {
            let at = |hour| format!("2024-{month:02}-01T{hour:02}:30:00");
            [at(hour), "None".to_owned(), at(hour + wait)]
        }),
        1 => [instant.clone(), instant.clone(), instant],
    ];
    let span = prop_oneof![
        6 => (0u32..99, 0u32..60).prop_map(|(hours, seconds)| format!("{hours}:00:{seconds}")),
        2 => (0u32..9).prop_map(|days| format!("{days}-00:00:00")),
        1 => Just("UNLIMITED".to_owned()),
    ];
    let state = prop::sample::select(vec![
        "COMPLETED",
        "FAILED",
        "TIMEOUT",
        "CANCELLED by 5",
        "RUNNING",
        "PENDING",
        "odd",
    ]);
    let line = (
        id,
        "[abc]?",
        instants,
        span.clone(),
        span,
        prop::sample::select(vec!["0", "1", "4", "1.50K", "odd"]),
        0u32..9,
        state,
    );
    let line = line.prop_map(
        |(id, user, [submit, start, end], elapsed, limit, nodes, size, state)| {
            format!(
                "{id}|{user}|{submit}|{start}|{end}|{elapsed}|{limit}|{nodes}|{size}|9|{state}|name"
            )
        },
    );
    prop::collection::vec(line, 0..40)
        .prop_map(|lines| format!("{ACCOUNTING}\n{}", lines.join("\n")))
}

/// What any accounting file tells of a job.
#[derive(Clone, Debug)]
struct Told {
    submit: u64,
    wait: u64,
    run: u64,
    nodes: u32,
    slots: u32,
    limit: u64,
    /// Exit status; not zero of a job that failed.
    exit: u64,
}

fn told() -> impl Strategy<Value = Vec<Told>> {
    let job = (
        0u64..500,
        0u64..50,
        0u64..90,
        1u32..5,
        1u32..9,
        0u64..9,
        0u64..3,
    );
    let job = job.prop_map(|(submit, wait, run, nodes, slots, limit, exit)| Told {
        submit: 1_700_000_000 + submit,
        wait,
        run,
        nodes,
        slots: nodes * slots,
        limit: 60 * limit,
        exit,
    });
    prop::collection::vec(job, 1..20)
}

/// An accounting file of each form with these jobs, by a name of such files.
fn accounting_files(jobs: &[Told]) -> Vec<(&'static str, String)> {
    let lines = |line: &dyn Fn(u32, &Told) -> String| -> String {
        (1..)
            .zip(jobs)
            .map(|(number, job)| line(number, job))
            .collect()
    };
    let pbs = lines(&|number, job| {
        let start = job.submit + job.wait;
        let per_node = job.slots / job.nodes;
        let hosts: Vec<String> = (0..job.nodes)
            .map(|node| format!("n{node}/0*{per_node}"))
            .collect();
        format!(
            "05/02/2024 10:00:00;E;{number}.srv;user=u{} queue=q{} ctime={} start={start} exec_host={} Resource_List.walltime={} end={} Exit_status={}\n",
            number % 3,
            number % 2,
            job.submit,
            hosts.join("+"),
            job.limit,
            start + job.run,
            job.exit
        )
    });
    let sge = lines(&|number, job| {
        let start = job.submit + job.wait;
        let category = format!("-l h_rt={}", job.limit);
        sge(
            number,
            0,
            [job.submit, start, start + job.run],
            job.slots,
            &category,
            "NONE",
        )
    });
    let lsf = lines(&|number, job| {
        let start = job.submit + job.wait;
        let hosts = format!("1 \"{}*h\"", job.slots);
        let status = if job.exit == 0 { 64 } else { 32 };
        lsf(
            start + job.run,
            number,
            job.slots,
            [job.submit, start],
            &hosts,
            [status, 0, job.limit],
        )
    });
    let table = lines(&|number, job| {
        let start = job.submit + job.wait;
        format!(
            "j{number},{},{start},{},{},{},{}\n",
            job.submit,
            start + job.run,
            job.slots,
            job.nodes,
            job.exit
        )
    });
    let json = lines(&|number, job| {
        let start = job.submit + job.wait;
        let state = if job.exit == 0 { "COMPLETED" } else { "FAILED" };
        let comma = if number > 1 { "," } else { "" };
        format!(
            r#"{comma}{{"job_id":{number},"user":"u","partition":"p","state":{{"current":["{state}"]}},"time":{{"submission":{},"start":{start},"end":{},"elapsed":{},"limit":{{"set":true,"number":{}}}}},"required":{{"CPUs":{}}},"tres":{{"allocated":[{{"type":"cpu","count":{}}},{{"type":"node","count":{}}}]}}}}"#,
            job.submit,
            start + job.run,
            job.run,
            job.limit / 60,
            job.slots,
            job.slots,
            job.nodes
        )
    });
    vec![
        ("20240502", pbs),
        ("accounting", sge),
        ("lsb.acct", lsf),
        (
            "jobs.csv",
            format!("id,submit_time,start,end,cores,nodes,status\n{table}"),
        ),
        ("jobs.json", format!("{{\"jobs\": [{json}]}}")),
    ]
}

/// Ways to read a file.
fn ways() -> impl Strategy<Value = Options> {
    let processors = vec![
        Processors::AllocThenReq,
        Processors::ReqThenAlloc,
        Processors::Max,
        Processors::Nodes,
    ];
    let cancelled = vec![Cancelled::Drop, Cancelled::Run, Cancelled::Leave];
    let choices = (
        prop::sample::select(processors),
        prop::sample::select(cancelled),
        prop::bool::weighted(0.2),
    );
    choices.prop_map(|(processors, cancelled, strict)| Options {
        processors,
        cancelled,
        strict,
        ..logs::options("")
    })
}

/// A way to read a file of that name.
fn named(options: &Options, name: &str) -> Options {
    Options {
        name: name.to_owned(),
        ..options.clone()
    }
}

/// Written as a log and read again, what was read is the same jobs, but for what a log has no field
/// for: bandwidths.
fn is_the_same_as_a_log(options: &Options, name: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(trace) = read_with(named(options, name), &[bytes]) else {
        return Ok(());
    };
    let jobs = |trace: &Trace| -> Vec<LogRow> {
        let rows = trace.rows.iter();
        rows.map(|row| LogRow {
            line: 0,
            bandwidth: Kbps(0),
            ..row.clone()
        })
        .collect()
    };
    let lines: Vec<SwfLine> = trace.rows.iter().map(SwfLine::from).collect();
    // What is written names the size of a job only once.
    let options = with_cancelled("written.swf", options.cancelled);
    let written = swf::write(&trace.header, &lines);
    let again = read_with(options, &[written.as_bytes()]).unwrap();
    prop_assert_eq!(jobs(&again), jobs(&trace));
    prop_assert_eq!(again.report.rejected, 0);
    Ok(())
}

/// A log with all that a file says of its jobs, read with these options.
fn whole_log(options: &Options, name: &str, bytes: &[u8]) -> Option<(Trace, String)> {
    let options = Options {
        details: true,
        ..named(options, name)
    };
    let processors = options.processors;
    let mut reader = TraceReader::new(Format::of_name(name), options);
    reader.push(bytes).ok()?;
    let (trace, details) = reader.finish_with_details().ok()?;
    let rows = trace.rows.iter();
    let lines: Vec<SwfLine> = rows
        .map(|row| SwfLine::with_details(row, &details, processors))
        .collect();
    let written = swf::write(&swf::header_of(&trace), &lines);
    Some((trace, written))
}

/// Written with all its fields and read again, a log is the same jobs, and written once more the same
/// text.
fn keeps_all_fields(options: &Options, name: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
    let Some((trace, written)) = whole_log(options, name, bytes) else {
        return Ok(());
    };
    let again = Options {
        strict: false,
        // What is written has sizes that are nodes as processors.
        processors: match options.processors {
            Processors::Nodes => Processors::AllocThenReq,
            processors => processors,
        },
        columns: None,
        ..options.clone()
    };
    let Some((same, twice)) = whole_log(&again, "written.swf", written.as_bytes()) else {
        return Err(TestCaseError::fail(format!("{written} is not read")));
    };
    let jobs = |trace: &Trace| -> Vec<LogRow> {
        let rows = unplaced(&trace.rows).into_iter();
        rows.map(|row| LogRow {
            bandwidth: Kbps(0),
            ..row
        })
        .collect()
    };
    prop_assert_eq!(jobs(&same), jobs(&trace), "{}", written);
    prop_assert_eq!(same.report.rejected, 0);
    prop_assert_eq!(twice, written);
    Ok(())
}

#[test]
fn what_a_cancelled_job_waited_is_not_known_once_it_is_said_to_run() {
    let run = |processors| Options {
        processors,
        ..with_cancelled("", Cancelled::Run)
    };
    // Of the first the run time is less than nothing, but rounds to it.
    for (processors, run_time, allocated) in [
        (Processors::AllocThenReq, "-0.0000001", 1),
        (Processors::AllocThenReq, "0", 0),
        (Processors::Max, "-1", 0),
        (Processors::Nodes, "0", 0),
    ] {
        let header = "; MaxNodes: 4\n; MaxProcs: 4\n";
        let line = format!("1 0 5 {run_time} {allocated} -1 -1 2 0 -1 5 1 1 1 1 1 -1 -1");
        let log = format!("{header}{line} -1 -1 frontier:excl:2x112\n");
        assert!(whole_log(&run(processors), "cancelled.swf", log.as_bytes()).is_some());
        keeps_all_fields(&run(processors), "cancelled.swf", log.as_bytes()).unwrap();
    }
}

#[test]
fn a_job_that_leaves_at_once_is_the_same_once_it_was_written_and_read() {
    let leave = with_cancelled("", Cancelled::Leave);
    let log = b"1 0 0 -1 -1 -1 -1 2 0 -1 5 1 1 1 1 1 -1 -1\n";
    assert!(read_with(named(&leave, "leaves.swf"), &[log]).is_ok());
    is_the_same_as_a_log(&leave, "leaves.swf", log).unwrap();
    keeps_all_fields(&leave, "leaves.swf", log).unwrap();
}

/// A file, whatever it holds, is read or refused, and its lines are accounted for; how it is cut
/// into pieces makes no difference.
fn accounts_for(
    options: &Options,
    name: &str,
    bytes: &[u8],
    cut: usize,
) -> Result<(), TestCaseError> {
    let whole = read_with(named(options, name), &[bytes]);
    let (first, second) = bytes.split_at(cut.min(bytes.len()));
    let pieces = read_with(named(options, name), &[first, &[], second]);
    match (whole, pieces) {
        (Ok(whole), Ok(pieces)) => {
            prop_assert_eq!(&whole.report, &pieces.report);
            prop_assert_eq!(&whole.rows, &pieces.rows);
            prop_assert_eq!(&whole.sha256, &pieces.sha256);
            prop_assert!(whole.report.balances());
            let (lines, jobs) = (
                whole.report.accepted + whole.report.repaired,
                whole.rows.len() as u64,
            );
            let has_tasks = whole.report.count(FindingKind::TasksOnOneLine) > 0;
            prop_assert!(
                jobs == lines || has_tasks && jobs > lines,
                "{} of {}",
                jobs,
                lines
            );
            prop_assert!(whole.rows.is_sorted_by_key(|row| (row.submit, row.line)));
            prop_assert!(whole.rows.iter().all(|row| row.size > 0));
            let rejects = whole.report.findings.iter();
            let rejects = rejects.filter(|finding| finding.verdict == Verdict::Reject);
            let counts: u64 = rejects.map(|finding| finding.count).sum();
            prop_assert_eq!(counts, whole.report.rejected);
        }
        (Err(whole), Err(pieces)) => prop_assert_eq!(whole, pieces),
        (whole, pieces) => prop_assert!(false, "{:?} but in pieces {:?}", whole, pieces),
    }
    Ok(())
}

fn rows() -> impl Strategy<Value = Vec<LogRow>> {
    let time = 0u64..4_294_967_296_000_000;
    let row = (
        any::<u32>(),
        time.clone(),
        1..=u32::MAX,
        time.clone(),
        time,
        0u64..1_000_000_000,
    );
    let row = row.prop_map(
        |(number, submit, size, runtime, estimate, bandwidth)| LogRow {
            number: u64::from(number),
            submit: Time(submit),
            runtime: Span(runtime),
            estimate: Span(estimate),
            bandwidth: Kbps(bandwidth),
            size,
            ..LogRow::default()
        },
    );
    prop::collection::vec(row, 1..30).prop_map(|mut rows| {
        rows.sort_by_key(|row| row.submit);
        rows
    })
}

/// What must survive being written and read: all but the line.
fn unplaced(rows: &[LogRow]) -> Vec<LogRow> {
    rows.iter()
        .map(|row| LogRow {
            line: 0,
            ..row.clone()
        })
        .collect()
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_accounted_for(way in ways(), bytes: Vec<u8>, cut: usize) {
        accounts_for(&way, "any.swf", &bytes, cut)?;
        accounts_for(&way, "any.csv", &bytes, cut)?;
        accounts_for(&way, "any.csv", &[HEADING.as_bytes(), b"\n", &bytes].concat(), cut)?;
        accounts_for(&way, "any.swf.gz", &gzip(&bytes), cut)?;
        accounts_for(&way, "any.swf.gz", &[b"\x1f\x8b\x08", &bytes[..]].concat(), cut)?;
    }

    #[test]
    fn nearly_right_logs_are_accounted_for(way in ways(), bytes in text(" ", 17..20), cut in 0usize..2000) {
        accounts_for(&way, "near.swf", &bytes, cut)?;
        accounts_for(&way, "near.swf.gz", &gzip(&bytes), cut)?;
    }

    #[test]
    fn nearly_right_job_lists_are_accounted_for(way in ways(), bytes in text(",", 5..8), cut in 0usize..2000) {
        accounts_for(&way, "near.csv", &[HEADING.as_bytes(), b"\n", &bytes].concat(), cut)?;
    }

    #[test]
    fn nearly_right_accountings_of_slurm_are_accounted_for(way in ways(), text in accounts(), cut in 0usize..2000) {
        accounts_for(&way, "near.txt", text.as_bytes(), cut)?;
        accounts_for(&way, "near.txt.gz", &gzip(text.as_bytes()), cut)?;
    }

    #[test]
    fn every_log_is_the_same_jobs_once_it_was_written_and_read(
        way in ways(),
        log in text(" ", 17..21),
        list in text(",", 5..8),
        accounting in accounts(),
    ) {
        is_the_same_as_a_log(&way, "near.swf", &log)?;
        is_the_same_as_a_log(&way, "near.csv", &[HEADING.as_bytes(), b"\n", &list].concat())?;
        is_the_same_as_a_log(&way, "near.txt", accounting.as_bytes())?;
        keeps_all_fields(&way, "near.swf", &log)?;
        keeps_all_fields(&way, "near.txt", accounting.as_bytes())?;
    }

    #[test]
    fn a_log_that_was_written_reads_back_equal(rows in rows()) {
        let lines: Vec<SwfLine> = rows.iter().map(SwfLine::from).collect();
        let trace = read("written.swf", swf::write(&Header::default(), &lines)).unwrap();
        let silent: Vec<LogRow> = rows.iter().map(|row| LogRow { bandwidth: Kbps(0), ..row.clone() }).collect();
        prop_assert_eq!(unplaced(&trace.rows), silent);
        prop_assert_eq!(trace.report.rejected + trace.report.repaired, 0);
    }

    #[test]
    fn accounting_files_written_as_a_log_keep_their_jobs(jobs in told(), way in ways()) {
        for (name, text) in accounting_files(&jobs) {
            let columns = (name == "jobs.csv")
                .then_some("job:id,submit:submit_time,start:start,end:end,size:cores,nodes:nodes,state:status");
            let way = Options {
                columns: columns.map(|columns| Columns::parse(columns).expect("columns")),
                ..way.clone()
            };
            let trace = read_with(named(&way, name), &[text.as_bytes()]);
            if let Ok(trace) = &trace {
                prop_assert!(trace.report.rejected < jobs.len() as u64, "{}", text);
            }
            keeps_all_fields(&way, name, text.as_bytes())?;
        }
    }

    #[test]
    fn a_job_list_that_was_written_reads_back_equal(rows in rows()) {
        let trace = read("written.csv", csv::write(&rows)).unwrap();
        prop_assert_eq!(unplaced(&trace.rows), rows);
    }
}

#[test]
fn kth_has_the_anomalies_that_were_counted_independently() {
    let Some(trace) = logs::trace(logs::KTH) else {
        return;
    };
    assert_eq!(
        trace.sha256,
        "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87"
    );
    assert_eq!(
        (trace.report.job_lines(), trace.rows.len()),
        (28_476, 28_475)
    );
    assert_eq!(
        counts(&trace.report),
        [
            (FindingKind::NoProcessors, 1),
            (FindingKind::ZeroRunTime, 8),
            (FindingKind::NoAllocated, 1),
            (FindingKind::NoRequested, 1),
            (FindingKind::AllocatedDiffers, 219),
            (FindingKind::Overrun, 475),
            (FindingKind::OverrunByAMinute, 64),
            (FindingKind::Failed, 7946),
        ]
    );
    let summary = trace.summary(trace.rows.len());
    // Its header says 100; 104 were in use at once by its own start and run times.
    assert_eq!(trace.machine_source, MachineSource::InUse);
    assert_eq!((summary.machine, summary.largest_size), (104, 100));
    assert_eq!(rounded(summary.offered_load, 4), "0.6741");
    let first = trace.summary(1000);
    assert_eq!(rounded(Some(first.mean_runtime_s / 60.0), 3), "72.446");
    assert_eq!(first.largest_size, 84);
}

#[test]
fn nasa_has_the_anomalies_that_were_counted_independently() {
    let Some(trace) = logs::trace(logs::NASA) else {
        return;
    };
    assert_eq!(
        trace.sha256,
        "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76"
    );
    assert_eq!(
        (trace.report.job_lines(), trace.rows.len()),
        (18_239, 18_239)
    );
    assert_eq!(
        counts(&trace.report),
        [
            (FindingKind::ZeroRunTime, 173),
            (FindingKind::NoRequested, 18_239),
            (FindingKind::NoEstimate, 18_239),
        ]
    );
    let summary = trace.summary(trace.rows.len());
    assert_eq!((summary.machine, summary.largest_size), (128, 128));
    assert_eq!(rounded(summary.offered_load, 4), "0.4661");
    let first = trace.summary(1000);
    assert_eq!(rounded(Some(first.mean_runtime_s / 60.0), 3), "10.369");
    assert_eq!(first.largest_size, 128);
}

#[test]
fn ricc_has_the_anomalies_that_were_counted_independently() {
    let Some(bytes) = logs::bytes(logs::RICC) else {
        return;
    };
    let options = Options {
        machine: Some(8192),
        ..logs::options(logs::RICC)
    };
    let pieces: Vec<&[u8]> = bytes.chunks(1 << 16).collect();
    let trace = read_with(options, &pieces).unwrap();
    assert_eq!(
        trace.sha256,
        "22bd213c68f9cbaf3cb0e7d43cae3c89230b49590a4cf77b76113a027b673987"
    );
    assert_eq!((trace.report.read, trace.rows.len()), (447_794, 447_794));
    assert_eq!(
        counts(&trace.report),
        [
            (FindingKind::ZeroRunTime, 10),
            (FindingKind::NoRequested, 2),
            (FindingKind::AllocatedDiffers, 6974),
            (FindingKind::NoEstimate, 2),
            (FindingKind::Overrun, 7092),
            (FindingKind::OverrunByAMinute, 2581),
            (FindingKind::Cancelled, 16_245),
        ]
    );
    assert_eq!(
        rounded(trace.summary(trace.rows.len()).offered_load, 4),
        "0.8721"
    );
}

fn counts(report: &Report) -> Vec<(FindingKind, u64)> {
    let findings = report.findings.iter();
    findings
        .map(|finding| (finding.kind, finding.count))
        .collect()
}

fn rounded(value: Option<f64>, places: usize) -> String {
    format!("{:.places$}", value.unwrap())
}
