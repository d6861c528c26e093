//! How a job ended, in Slurm's words.

use backfill_sim::workload::trace::Status;

/// The state of cancelled jobs.
pub(super) const CANCELLED: &str = "CANCELLED";

/// States of jobs that have not ended.
pub(in super::super) const NOT_ENDED: [&str; 10] = [
    "PENDING",
    "RUNNING",
    "SUSPENDED",
    "RESIZING",
    "CONFIGURING",
    "COMPLETING",
    "REQUEUE_HOLD",
    "SPECIAL_EXIT",
    "STAGE_OUT",
    "STOPPED",
];

/// States of jobs that ended early.
const FAILED: [&str; 11] = [
    "FAILED",
    "TIMEOUT",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "BOOT_FAIL",
    "DEADLINE",
    "PREEMPTED",
    "REQUEUED",
    "REVOKED",
    "LAUNCH_FAILED",
    "RECONFIG_FAIL",
];

/// How a job ended, by the word for it.
pub(in super::super) fn status(state: &str) -> Status {
    match state {
        "COMPLETED" => Status::Completed,
        CANCELLED => Status::Cancelled,
        _ if FAILED.contains(&state) => Status::Failed,
        _ => Status::Unknown,
    }
}
