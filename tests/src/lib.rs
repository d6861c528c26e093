//! Plain reference implementations: slow, obvious, sharing no code with what they check; and the
//! real logs.
//!
//! - [`embedding`], [`clusters`], [`sharing`]: fat-trees by exhaustive search, multi-clusters by
//!   residual times, shares of links by complete filling; with checks of results
//! - [`schedule`], [`consolidation`], [`zero_one`], [`expression`]: every scheduling policy without
//!   a calendar, a queue or a ledger; two tiers; sets of jobs; orders as trees
//! - [`textbook`], [`queueing`]: FCFS and EASY by a Python program; queueing theory
//! - [`topology`], [`slurmctld`]: Slurm's placements on trees and blocks by sets of nodes, and by
//!   real controllers
//! - [`explained`]: whether explanations of jobs are true
//! - [`runs`], [`logs`], [`timing`]: given and random jobs, real logs, times of whole runs for
//!   benches
//! - [`imports`]: which file of a crate needs which other one

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

pub mod topology;

pub mod slurmctld;

/// Whether the long tests are wanted.
pub fn long() -> bool {
    std::env::var_os("BACKFILL_LONG").is_some()
}

/// Whether to skip a test that is too long, with a message.
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
pub fn skips_long() -> bool {
    if !long() {
        eprintln!("skipped: BACKFILL_LONG is not set");
    }
    !long()
}
