//! The parts of a list scheduler: each named policy is a choice of them, and so is a policy that a
//! user composes.
//!
//! *Source*: the project's own, drawn from the policies that [`list`](super::list) cites.

use super::order::Order;
use crate::choice::choices;
use crate::source::PAPER_1;

choices! {
    /// Which running jobs give way to the first job of the queue.
    pub enum Preempt {
        All = "all", "All backfilled",
            "All that were backfilled, whether or not they are in the way.",
            PAPER_1;
        Conflicting = "conflicting", "Only conflicting",
            "The youngest first until it fits, and those of them that turn out not to be in the way stay.",
            "";
    }
}

choices! {
    /// What SBF and SDF do when a job does not fit.
    pub enum WhenBlocked {
        Strict = "strict", "Stop",
            "They wait for it.",
            PAPER_1;
        Skip = "skip", "Skip it",
            "They go on with the rest of the queue, in order.",
            "";
    }
}

choices! {
    /// What happens to the jobs behind a head that cannot start.
    pub enum Behind {
        Stop = "stop", "They wait",
            "They wait.",
            "";
        Skip = "skip", "They are tried",
            "They are tried.",
            "";
        Reserve = "reserve", "They are tried around reservations",
            "They are tried, and start only where they delay no reservation by estimates.",
            "";
        Reject = "reject", "They do not exist",
            "There is no queue: a job that cannot start on arrival is rejected.",
            "";
    }
}

choices! {
    /// Which waiting jobs may suspend running ones.
    pub enum MayPreempt {
        Never = "nobody", "Nobody",
            "Nobody.",
            "";
        Head = "head", "The first job",
            "The first job of the queue, jobs that arrived after it.",
            "";
        Anyone = "anyone", "Every waiting job",
            "Every waiting job, jobs that arrived after it.",
            "";
    }
}

/// The parts of a list scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The order of the queue.
    pub order: Order,
    /// The order in which jobs without a reservation are tried behind a blocked head.
    pub backfill_order: Order,
    /// What happens to them.
    pub behind: Behind,
    /// The number of blocked jobs that get a reservation under [`Behind::Reserve`], at least 1;
    /// `None` for all.
    pub depth: Option<u32>,
    /// Which waiting jobs may suspend running ones.
    pub may_preempt: MayPreempt,
    /// Which of these give way: all, or as few as the head needs.
    pub preempt: Preempt,
    /// Whether running jobs that arrived after the head may be suspended; else those that started
    /// while they were not the head, as Algorithm 2 of paper 1 is printed.
    pub promote: bool,
}

impl Parts {
    /// A list in one order, without preemption and with at most one reservation.
    pub fn new(order: Order, behind: Behind) -> Parts {
        Parts {
            backfill_order: order.clone(),
            order,
            behind,
            depth: Some(1),
            may_preempt: MayPreempt::Never,
            preempt: Preempt::Conflicting,
            promote: true,
        }
    }
}
