//! How far jobs are.

use std::ops::{Index, IndexMut};

use crate::id::{JobId, Window};
use crate::job::{Job, Request};
use crate::unit::{Span, Time};

/// How far the jobs are that have arrived and are not decided yet; of the others nothing of it is
/// kept.
#[derive(Clone)]
pub(super) struct InHand<P>(pub(super) Window<JobId, Option<Box<Progress<P>>>>);

impl<P> InHand<P> {
    pub(super) fn get(&self, job: JobId) -> Option<&Progress<P>> {
        self.0.get(job)?.as_deref()
    }

    /// The placement of a running job.
    pub(super) fn placement(&self, job: JobId) -> &P {
        let allocation = self[job].allocation.as_ref();
        &allocation.expect("a running job").placement
    }
}

impl<P> Index<JobId> for InHand<P> {
    type Output = Progress<P>;

    fn index(&self, job: JobId) -> &Progress<P> {
        self.get(job).expect("a job in hand")
    }
}

impl<P> IndexMut<JobId> for InHand<P> {
    fn index_mut(&mut self, job: JobId) -> &mut Progress<P> {
        self.0[job].as_mut().expect("a job in hand")
    }
}

/// The jobs that have run to their ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// The number of these jobs.
    pub jobs: u64,
    /// The slots that they asked for together.
    pub slots: u64,
    /// The time from first start to completion, summed over them, in microseconds.
    pub held: u128,
    /// The arrival of the first of them; `None` before any has ended.
    pub first: Option<Time>,
    /// The arrival of the last of them; `None` before any has ended.
    pub last: Option<Time>,
}

impl Done {
    pub(super) fn add(&mut self, request: &Request, held: Span) {
        self.jobs += 1;
        self.slots += u64::from(request.size);
        self.held += u128::from(held.0);
        self.first = Some(
            self.first
                .map_or(request.submit, |first| first.min(request.submit)),
        );
        self.last = self.last.max(Some(request.submit));
    }
}

/// How far a job is that has arrived and is not done with.
#[derive(Clone, Debug)]
pub(super) struct Progress<P> {
    /// Work left in microseconds of a dedicated machine: whole numbers, exact below 2⁵³, where the
    /// rate is always 1.
    pub(super) remaining: f64,
    /// How long it has worked, pauses and suspensions left out.
    pub(super) worked: Span,
    pub(super) first_start: Option<Time>,
    pub(super) epoch: u32,
    pub(super) allocation: Option<Allocation<P>>,
    /// When the last allocation began to work, or was to.
    pub(super) worked_from: Time,
    /// Whether the last allocation was in the background.
    pub(super) from_background: bool,
}

impl<P> Progress<P> {
    /// Of a job that has just arrived.
    pub(super) fn new(job: &Job) -> Progress<P> {
        Progress {
            remaining: job.runtime.0 as f64,
            worked: Span(0),
            first_start: None,
            epoch: 0,
            allocation: None,
            worked_from: Time(0),
            from_background: false,
        }
    }

    /// Takes what the job has done until `now` off what remains.
    pub(super) fn sync(&mut self, now: Time) {
        if let Some(allocation) = &mut self.allocation
            && now > allocation.since
        {
            let worked = now - allocation.since;
            self.remaining = (self.remaining - worked.0 as f64 * allocation.rate).max(0.0);
            self.worked += worked;
            allocation.since = now;
        }
    }
}

/// A stay of a job at one place.
#[derive(Clone, Debug)]
pub(super) struct Allocation<P> {
    pub(super) start: Time,
    pub(super) placement: P,
    /// The end by the job's estimate, of which it has done what it did in earlier allocations.
    pub(super) estimated_end: Time,
    /// When work is next done: later than the start while the migration cost is being paid.
    pub(super) since: Time,
    pub(super) rate: f64,
    /// When it ends at this rate, if that is more than 0.
    pub(super) end: Time,
    /// For when its end stands in the calendar, where it does: no later than it is.
    pub(super) timed: Option<Time>,
    /// When one of its virtual machines migrates, if it still runs then.
    pub(super) migrates: Option<Time>,
}
