//! How much memory a run takes, however long it is.

use backfill_experiment::sweep::{CellOutcome, CellRun};
use backfill_sim::run::Keep;
use backfill_tests::runs::one_point;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const MB: usize = 1_000_000;

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
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let run = CellRun::new(&scenario, cell, None, Keep::Metrics).expect("jobs");
    let (outcome, _) = run.finish();
    (outcome, ALLOCATED.peak_usage() - before)
}

/// Up to half a million jobs each of their times is kept, so both runs are longer. A fixed penalty
/// takes a run before, of the same jobs.
#[test]
fn a_run_twice_as_long_takes_no_more_memory() {
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
