//! Migrations of virtual machines.
//!
//! Each machine migrates as a Poisson process with the same rate, which is drawn once for each run.
//! It does so also while idle, without effect. The time for which a job runs before one of its p
//! machines migrates is therefore exponential with p times that rate, whichever machines they are:
//! each job draws these times, and how long it stops, from a stream of its own.
//!
//! Source: paper 4, section 5.4: "about 1~5 % percent for the migration of VMs in every hour", each
//! in "about 2~10 minutes", during which all tasks of the job stop; it goes on "from the most
//! recent slots". The text leaves open how the rate varies, and what a migration does to a job that
//! has stopped: nothing here.

use crate::decimal::Decimal;
use crate::job::{Job, VmMigrations};
use crate::rng::Stream;
use crate::unit::Span;

/// The migration of virtual machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VmMigration {
    /// The least and the most share that migrates in an hour, per cent.
    pub rate: [Decimal; 2],
    /// The least and the most time for which that stops a job.
    pub stop: [Span; 2],
    /// The work of a slot; a job continues from its last completed slot.
    pub slot: Span,
}

/// Gives each job the migrations of its machines.
pub(super) fn draw(jobs: &mut [Job], migration: VmMigration, seed: u64, replication: u64) {
    let [least, most] = migration.rate.map(|per_cent| per_cent.to_f64());
    let drawn = Stream::new(seed, replication, "rate of migrations", 0).unit();
    let hazard = (least + (most - least) * drawn) / (100.0 * 3600e6);
    for (index, job) in jobs.iter_mut().enumerate() {
        job.vm_migrations = Some(Box::new(VmMigrations {
            hazard,
            slot: migration.slot,
            stop: migration.stop,
            draws: Stream::new(seed, replication, "migrations", index as u64),
        }));
    }
}
