//! What a placer can prove, so that a policy need not try in vain.
//!
//! A waiting job is tried at every pass and almost always fails, mostly for the reason for which it
//! failed before. A prover keeps such reasons. What it says of a request is certain: no placement
//! exists, whatever the placer would do. What it does not say is open, and the placer is asked.
//! A policy that never asks a prover decides the same.
//!
//! *Source*: the project's own.

use std::ops::AddAssign;

use super::Refused;
use crate::job::Request;
use crate::machine::System;

/// A state of the system in which a policy tries jobs again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The system as it is.
    Present,
    /// The system without the running jobs that are younger than the head of the queue.
    WithoutYounger,
}

/// Proofs that requests cannot be placed.
pub trait Prover<S: System> {
    /// A job has left its placement in a state.
    fn departed(&mut self, state: State, placement: &S::Placement);

    /// A job has taken its placement in the present state. Proofs hold without that; with it there
    /// are more.
    fn taken(&mut self, placement: &S::Placement);

    /// Whether it is proven that `request` cannot be placed in a state.
    fn rules_out(&mut self, state: State, system: &S, request: &Request) -> bool;

    /// The placer has found nothing for `request` in a state: proves it, where it can.
    fn failed(&mut self, state: State, system: &S, request: &Request);

    /// The requests that are proven not to have a placement in the present state; `None` where
    /// every job must be looked at, because the placer counts attempts.
    fn refused(&mut self, system: &S) -> Option<&Refused>;

    /// Looks ahead for the head of the queue, from a state on.
    fn expect(&mut self, system: &S, head: &Request);

    /// The head's future changes: a job has come to or left its placement in it.
    fn expect_change(&mut self, then: &S, placement: &S::Placement);

    /// Whether it is proven that the head cannot be placed in its future.
    fn never_fits(&self) -> bool;

    /// Whether it is proven that the head cannot be placed in its future `then` if a job holds a
    /// placement there that it can have now.
    fn delays(&mut self, now: &S, then: &S, job: &Request, placement: &S::Placement) -> bool;

    /// The requests that, if they started now and still held their placement in the head's future,
    /// would certainly leave the head no placement there.
    fn delaying(&mut self, now: &S, then: &S) -> &Refused;

    /// Both: those refused in the present state, and those that would delay the head in its future
    /// `then`, none where that is not known.
    fn hopeless(&mut self, now: &S, then: Option<&S>) -> Option<(&Refused, &Refused)>;

    /// A job that has a placement now would leave the head none in its future: proves it of every
    /// placement of that job, where it can.
    fn delayed(&mut self, now: &S, then: &S, request: &Request);

    /// Whether it is proven before an attempt that a job would leave the head no placement in its
    /// future. Tried where the last such job was proven to.
    fn foresees(&mut self, now: &S, then: &S, request: &Request) -> bool;

    /// How often it was of use.
    fn tries(&self) -> Tries;
}

/// What became of the attempts to place a waiting job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// Attempts that were made.
    pub tried: u64,
    /// Attempts that were not made, since they were proven to fail; jobs that a walk along the
    /// queue passes over are not among them.
    pub ruled_out: u64,
    /// Attempts that failed and left a proof.
    pub certified: u64,
    /// Attempts that failed without one.
    pub escaped: u64,
}

impl AddAssign for Tries {
    fn add_assign(&mut self, other: Tries) {
        self.tried += other.tried;
        self.ruled_out += other.ruled_out;
        self.certified += other.certified;
        self.escaped += other.escaped;
    }
}
