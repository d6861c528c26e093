//! The readers of logs and job lists: every line is accounted for, whatever the bytes.

use backfill_sim::workload::report::{Kind, Report};
use backfill_tests::logs;

/// Each kind of finding with its count.
fn counts(report: &Report) -> Vec<(Kind, u64)> {
    let findings = report.findings.iter();
    findings
        .map(|finding| (finding.kind, finding.count))
        .collect()
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
    assert_eq!(trace.report.job_lines(), 28_476);
    assert_eq!(trace.rows.len(), 28_475);
    assert_eq!(trace.machine, 100);
    assert_eq!(
        counts(&trace.report),
        [
            (Kind::NoProcessors, 1),
            (Kind::ZeroRunTime, 8),
            (Kind::NoAllocated, 1),
            (Kind::NoRequested, 1),
            (Kind::AllocatedDiffers, 219),
            (Kind::Overrun, 475),
            (Kind::OverrunByAMinute, 64),
            (Kind::Failed, 7946),
        ]
    );
}
