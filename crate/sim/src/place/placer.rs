//! What every placement is to policies and to the engine.
//!
//! A placer reads the system and proposes; only the engine changes it. A placer may keep counters
//! of its own, such as AdaBa's largest bandwidth, fed by [`Placer::arrived`].

use super::{Prover, Subtrees};
use crate::job::Request;
use crate::machine::System;
use crate::unit::Time;

/// A placement that a job does not take at once, in the hope of one on fewer leaves of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declined {
    /// The leaves that it is on.
    pub leaves: u32,
    /// The most leaves that the job takes before `until`.
    pub most: u32,
    /// When the job takes any number of leaves.
    pub until: Time,
}

/// A way to place one job.
pub trait Placer<S: System> {
    /// Where `request` could be held now; `None` where this placer finds nothing.
    fn place(&mut self, system: &S, request: &Request) -> Option<S::Placement>;

    /// Whether it finds a place for `request` now.
    fn finds(&mut self, system: &S, request: &Request) -> bool {
        self.place(system, request).is_some()
    }

    /// Whether any place exists in this state, whether or not this placer would find it; `None`
    /// where nothing can decide that.
    fn exists(&self, system: &S, request: &Request) -> Option<bool>;

    /// Whether it finds a place exactly where as many slots are free as a job asks for.
    fn slots_decide(&self) -> bool {
        false
    }

    /// The most slots of a job that it may find a placement for now: larger ones are not tried.
    /// While jobs only start it never grows.
    fn largest(&self, system: &S) -> u64 {
        if self.slots_decide() {
            system.free_slots()
        } else {
            u64::MAX
        }
    }

    /// Whether a job that could have `placement` waits for a better one until an instant, and until
    /// when; `None` where it takes any. A placer that keeps proofs declines nothing: they would have
    /// to end with time.
    fn declined(&self, _request: &Request, _placement: &S::Placement) -> Option<Declined> {
        None
    }

    /// The subtrees of the system among which it chose `placement`, as they are before the job
    /// starts; `None` where there are none. Asked where a pass is observed, and nowhere else.
    fn subtrees(
        &self,
        _system: &S,
        _request: &Request,
        _placement: &S::Placement,
    ) -> Option<Subtrees> {
        None
    }

    /// Changes with whatever else than the state and the request decides what it finds.
    fn revision(&self) -> u64 {
        0
    }

    /// What it can prove; `None` where it keeps no proofs. A list scheduler asks for them only on a
    /// system that is [`System::PROVEN`].
    fn prover(&mut self) -> Option<&mut dyn Prover<S>> {
        None
    }

    /// A job has arrived; called once for every job, also for one that can never run.
    fn arrived(&mut self, _request: &Request) {}

    /// A policy really tries to start a job: no trial, no test on the empty system.
    fn attempted(&mut self, _request: &Request) {}

    /// A job has started.
    fn started(&mut self, _request: &Request) {}
}
