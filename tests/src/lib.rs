//! Plain reference implementations: slow, obvious, sharing no code with what they check; and the
//! real logs.
//!
//! - [`embedding`]: Algorithm 1, greedy and Oktopus step by step, all embeddings of tiny trees, and
//!   an independent check of a finished one
//! - [`consolidation`]: two tiers, conservative backfilling and time slices, without an engine
//! - [`clusters`]: a multi-cluster by residual times, its placements without any pruning
//! - [`explained`]: whether what is said of a job is true
//! - [`expression`]: expressions as trees, printed and evaluated node by node
//! - [`schedule`]: every scheduling policy without a calendar, a queue or a ledger
//! - [`textbook`]: FCFS and EASY by another program, in Python
//! - [`sharing`]: who gets how much of links that are not reserved, all anew, and whether that is
//!   fair
//! - [`zero_one`]: all sets of jobs, and ZOMT and Fair on one data centre, without an engine
//! - [`queueing`]: recursions and closed forms of queueing theory
//! - [`runs`]: runs of given jobs, and random jobs
//! - [`imports`]: which file of a crate needs which other one
//! - [`logs`]: real logs, where they are at hand, and a made one
//! - [`timing`]: how long whole runs take, for benches

pub mod embedding;

pub mod consolidation;

pub mod clusters;

pub mod explained;

pub mod expression;

pub mod schedule;

pub mod textbook;

pub mod sharing;

pub mod zero_one;

pub mod queueing;

pub mod runs;

pub mod imports;

pub mod logs;

pub mod timing;

/// Whether the long tests are wanted.
pub fn long() -> bool {
    std::env::var_os("BACKFILL_LONG").is_some()
}

/// Whether a test that is long only is to be skipped, which is said then.
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
pub fn skips_long() -> bool {
    if !long() {
        eprintln!("skipped: BACKFILL_LONG is not set");
    }
    !long()
}
