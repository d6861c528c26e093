//! FSTEQ, "fills the same time empty queue": two lists before a policy that schedules.
//!
//! The policy sees only the jobs of the scheduling list (slist in the paper), whose total request
//! is bounded. The others are in a waiting list (wlist).
//!
//! *Decides*: an arriving job joins the scheduling list if that has room, else the waiting list.
//! Before every pass, first each job that has waited longer than a given time (time1), then each
//! other waiting job joins the scheduling list if that has room. Room that a pass makes is used
//! before the next pass. *Ties*: both lists by (submit, index). *Complexity*: sizes in the waiting
//! list for each job that is looked at. *Source*: paper 4, section 4.1 and Algorithm 1. Departures:
//! both branches of its first test insert into the waiting list, and the test is of the list that
//! it does not name. It gives neither list a size; room counts machines here, as Fig. 1 has a task
//! of a job at the same position of every queue. A job that requests more than the whole list holds
//! would wait forever and is rejected. Time1 matters only where a job arrives later than its
//! position in the log says because it waits for another one.

use std::ops::Bound;

use crate::engine::Context;
use crate::engine::Policy;
use crate::id::JobId;
use crate::job::Request;
use crate::machine::System;
use crate::record::Outcome;
use crate::system::pool::Pool;
use crate::unit::Span;

/// Which jobs join the list that the policy of a pool schedules (FSTEQ in paper 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Routing {
    /// The most machines that the jobs of that list may request together; `None` for no bound.
    pub capacity: Option<u32>,
    /// Jobs that have waited longer than this are admitted first (time1 in the paper).
    pub long: Span,
}

/// FSTEQ before a policy.
pub struct Fsteq {
    /// The policy, which sees only the scheduling list.
    pub policy: Box<dyn Policy<Pool>>,
    /// The most machines that the jobs of that list may request together.
    pub capacity: u32,
    /// Jobs that have waited longer than this are admitted first (time1 in the paper).
    pub long: Span,
}

impl Fsteq {
    /// Admits the jobs of the waiting list for which the scheduling list has room.
    fn admit(&self, cx: &mut Context<Pool>, may_come: impl Fn(&Request) -> bool) {
        let mut after = Bound::Unbounded;
        loop {
            let room = u64::from(self.capacity).saturating_sub(cx.waiting_slots());
            let Some(job) = cx.next_deferred(after, room) else {
                return;
            };
            if may_come(&cx.request(job)) {
                cx.admit(job);
            }
            after = Bound::Excluded(job);
        }
    }
}

impl Policy<Pool> for Fsteq {
    fn heard(&mut self, job: &Request) {
        self.policy.heard(job);
    }

    fn arrive(&mut self, cx: &mut Context<Pool>, job: JobId) {
        let size = cx.request(job).size;
        if size > self.capacity && u64::from(size) <= cx.empty_system().slots() {
            return cx.dismiss(job, Outcome::Unplaceable);
        }
        self.policy.arrive(cx, job);
        if cx.waiting().contains(&job) && cx.waiting_slots() > u64::from(self.capacity) {
            cx.defer(job);
        }
    }

    fn pass(&mut self, cx: &mut Context<Pool>) {
        let now = cx.now();
        self.admit(cx, |request| now - request.submit > self.long);
        self.admit(cx, |_| true);
        self.policy.pass(cx);
    }

    fn withdrawn(&mut self, cx: &mut Context<Pool>, job: JobId) {
        self.policy.withdrawn(cx, job);
    }
}
