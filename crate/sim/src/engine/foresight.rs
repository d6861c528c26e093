//! What is kept of trials from one pass to the next: the running jobs by estimated end, the system
//! without the jobs younger than the head, and the head's reservation.
//!
//! Each is made when a policy first asks for it and follows every start and end from then on, so
//! that a policy which never asks pays nothing.

use std::collections::BTreeMap;

use super::progress::Allocation;
use crate::id::JobId;
use crate::job::Request;
use crate::machine::{Placement, System};
use crate::unit::Time;

/// The future of the first job of the queue, by the estimates of the running jobs.
#[derive(Clone, Debug)]
pub struct Reservation<S> {
    /// Whose it is.
    pub(super) head: JobId,
    /// The revision of the placer that found it.
    pub(super) revision: u64,
    /// When that job can start, its shadow time.
    pub time: Time,
    /// The system as it is then if nothing else starts.
    pub then: S,
}

/// What is kept of trials.
pub(super) struct Foresight<S: System> {
    /// The slots of the running jobs by estimated end.
    pub(super) ends: Option<BTreeMap<(Time, JobId), u32>>,
    pub(super) older: Option<Older<S>>,
    pub(super) reservation: Option<Reservation<S>>,
}

/// The system without the running jobs that are younger than the head of the queue.
pub(super) struct Older<S: System> {
    /// The running jobs before this one are on it.
    pub(super) head: JobId,
    pub(super) system: S,
    /// The placements that have become free on it and that nobody has asked for yet.
    pub(super) departed: Vec<S::Placement>,
}

impl<S: System> Default for Foresight<S> {
    fn default() -> Self {
        Foresight {
            ends: None,
            older: None,
            reservation: None,
        }
    }
}

impl<S: System> Foresight<S> {
    /// A job has begun to hold a placement.
    pub(super) fn began(&mut self, request: &Request, allocation: &Allocation<S::Placement>) {
        if let Some(ends) = &mut self.ends {
            let slots = allocation.placement.slots();
            ends.insert((allocation.estimated_end, request.index), slots);
        }
        if let Some(older) = &mut self.older
            && request.index < older.head
        {
            older.system.hold(request, &allocation.placement);
        }
    }

    /// A job has left its placement. Where it ends earlier than estimated the head may start
    /// earlier than it has reserved.
    pub(super) fn ended(
        &mut self,
        now: Time,
        request: &Request,
        allocation: &Allocation<S::Placement>,
    ) {
        if let Some(ends) = &mut self.ends {
            ends.remove(&(allocation.estimated_end, request.index));
        }
        if let Some(older) = &mut self.older
            && request.index < older.head
        {
            older.system.free(request, &allocation.placement);
            older.departed.push(allocation.placement.clone());
        }
        if now < allocation.estimated_end {
            self.reservation = None;
        }
    }
}
