//! Future events in time order.
//!
//! Invariant: events of one instant are ordered by class (completions, pause ends, VM migrations,
//! jobs that leave the queue, jobs that are due), then by job index. An event of an allocation that was cut short or
//! re-timed is stale: the engine drops it by its epoch when it reaches it. A completion that has
//! moved later keeps its event, which is put off when it is reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::id::JobId;
use crate::unit::Time;

/// What happens; the order of the variants is the order within an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A job completes.
    Finish,
    /// A restarted job has paid its migration cost and works again.
    PauseEnd,
    /// A virtual machine migrates on which the job runs.
    VmMigration,
    /// A waiting job loses its patience.
    Leave,
    /// A waiting job is to be looked at.
    Due,
}

/// One event; ordered by time, class, job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    /// When it happens.
    pub(crate) time: Time,
    /// What happens.
    pub(crate) class: Class,
    /// The job of the event.
    pub(crate) job: JobId,
    /// The timing of that job to which the event belongs.
    pub(crate) epoch: u32,
}

/// The future events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calendar {
    events: BinaryHeap<Reverse<Event>>,
}

impl Calendar {
    /// Adds an event.
    pub(crate) fn add(&mut self, event: Event) {
        self.events.push(Reverse(event));
    }

    /// The earliest event.
    pub(crate) fn first(&self) -> Option<Event> {
        self.events.peek().map(|first| first.0)
    }

    /// Moves the earliest event to `time`.
    pub(crate) fn put_off(&mut self, time: Time) {
        if let Some(mut first) = self.events.peek_mut() {
            first.0.time = time;
        }
    }

    /// Drops the earliest event.
    pub(crate) fn drop_first(&mut self) {
        self.events.pop();
    }
}
