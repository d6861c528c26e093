//! When a job starts: policies decide at every pass which waiting jobs start and which running ones
//! give way.
//!
//! - [`list`]: one list scheduler whose parts make loss mode, FCFS, SBF, SDF, EASY, FPFS,
//!   BgMBF, BgMBF-SDF, AMBF and CMBF
//! - [`conservative`]: backfilling where every waiting job holds a reservation
//! - [`consolidate`]: CMCBF and AMCBF on nodes with two tiers
//! - [`zomt`]: long waits first, then the set of jobs that an exact 0-1 program chooses, on a pool
//! - [`fair`]: AFCFS on a pool that hands out what is left over
//! - [`elastic`]: no more machines on than jobs are expected to need, on a pool
//! - [`fsteq`]: two lists before another policy, of which it knows one, on a pool
//! - [`knapsack`]: the exact 0-1 program
//!
//! A policy acts only through its [`Context`], which shows estimates and never a true runtime.

pub mod list;

pub mod conservative;

pub mod consolidate;

pub mod zomt;

pub mod fair;

pub mod elastic;

pub mod fsteq;

pub mod knapsack;

use crate::engine::Context;
use crate::id::JobId;
use crate::place::Placer;
use crate::record::Fate;
use crate::system::System;

/// A scheduling policy.
pub trait Policy<S: System> {
    /// `job` has arrived: queue it, start it or dismiss it.
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId);

    /// One scheduling pass, after all events of an instant. A second pass at once would do nothing, except
    /// behind [`fsteq`], where it would be the next one.
    fn pass(&mut self, cx: &mut Context<S>);
}

/// Queues a job for which there is a place on the idle system, and dismisses any other.
fn queue_if_possible<S: System>(cx: &mut Context<S>, placer: &impl Placer<S>, job: JobId) {
    match placer.exists(cx.empty_system(), &cx.ask(job)) {
        Some(true) => cx.enqueue(job),
        _ => cx.dismiss(job, Fate::Infeasible),
    }
}

impl<S: System> Policy<S> for Box<dyn Policy<S>> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        (**self).arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        (**self).pass(cx);
    }
}
