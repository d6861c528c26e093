//! A policy that takes over a machine on which jobs run and wait already.
//!
//! *Decides*: up to an instant, a job whose start is recorded starts then, and no other one does;
//! from that instant on, another policy decides on all others. It has heard of the waiting jobs in
//! the order of their arrival. *Ties*: recorded starts by (submit, index); then those of the other
//! policy. *Complexity*: the logarithm of the recorded jobs for each, and that of the other policy.
//! *Source*: the project's own.

use std::collections::BTreeSet;

use crate::engine::{Context, Policy};
use crate::id::JobId;
use crate::machine::System;
use crate::place::{Placer, Tries};
use crate::record::Outcome;
use crate::unit::Time;

/// A policy that decides from an instant on.
pub struct Resumed<S: System> {
    /// It.
    policy: Box<dyn Policy<S>>,
    /// Where jobs of recorded start are placed.
    placer: Box<dyn Placer<S>>,
    /// From when on it decides.
    from: Time,
    /// The jobs of recorded start that have arrived and have not started.
    due: BTreeSet<(Time, JobId)>,
}

impl<S: System> Resumed<S> {
    /// `policy` from the instant `from` on. No recorded start is later than that.
    pub fn new(policy: Box<dyn Policy<S>>, placer: Box<dyn Placer<S>>, from: Time) -> Resumed<S> {
        Resumed {
            policy,
            placer,
            from,
            due: BTreeSet::new(),
        }
    }
}

impl<S: System> Policy<S> for Resumed<S> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        match cx.recorded_start(job) {
            Some(start) => {
                cx.enqueue(job);
                cx.call_pass_at(start, job);
                self.due.insert((start, job));
            }
            None => {
                self.policy.arrive(cx, job);
                if cx.waiting().contains(&job) {
                    cx.call_pass_at(self.from, job);
                }
            }
        }
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        while let Some(&(start, job)) = self.due.first()
            && start <= cx.now()
        {
            self.due.pop_first();
            match self.placer.place(cx.system(), &cx.request(job)) {
                Some(placement) => cx.start(job, placement),
                None => cx.dismiss(job, Outcome::RejectedImpossible),
            }
        }
        if cx.now() >= self.from {
            self.policy.pass(cx);
        }
    }

    fn left(&mut self, job: JobId, placement: &S::Placement) {
        self.policy.left(job, placement);
    }

    fn withdrawn(&mut self, cx: &mut Context<S>, job: JobId) {
        self.policy.withdrawn(cx, job);
    }

    fn tries(&mut self) -> Tries {
        self.policy.tries()
    }
}
