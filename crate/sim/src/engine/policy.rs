//! The trait of policies, through which the engine calls them.

use crate::engine::Context;
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::place::Tries;

/// A scheduling policy.
pub trait Policy<S: System> {
    /// A job arrived before the run that it takes over.
    fn heard(&mut self, _job: &Request) {}

    /// `job` has arrived: queue it, start it or dismiss it.
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId);

    /// One scheduling pass, after all events of an instant. A second pass at the same instant
    /// changes nothing, except under [`fsteq`](crate::policy::fsteq), where it is the next pass, and
    /// where a job declined a placement and then others took a part of it.
    fn pass(&mut self, cx: &mut Context<S>);

    /// A job has run to its end and has left its placement.
    fn left(&mut self, _job: JobId, _placement: &S::Placement) {}

    /// A job that waited has left the queue without having started.
    fn withdrawn(&mut self, _cx: &mut Context<S>, _job: JobId) {}

    /// Statistics of its placement attempts, as far as proofs were kept.
    fn tries(&mut self) -> Tries {
        Tries::default()
    }
}

/// A policy that is looked at once the engine has let go of it.
impl<S: System, P: Policy<S>> Policy<S> for &mut P {
    fn heard(&mut self, job: &Request) {
        (**self).heard(job);
    }

    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        (**self).arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        (**self).pass(cx);
    }

    fn left(&mut self, job: JobId, placement: &S::Placement) {
        (**self).left(job, placement);
    }

    fn withdrawn(&mut self, cx: &mut Context<S>, job: JobId) {
        (**self).withdrawn(cx, job);
    }

    fn tries(&mut self) -> Tries {
        (**self).tries()
    }
}
