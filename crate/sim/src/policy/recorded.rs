//! As recorded: what the scheduler of a log did.
//!
//! *Decides*: a job starts at the instant at which the log says that it started; one whose start is
//! unknown, or that finds no room then, is rejected. On a machine with as many nodes as were in use
//! at once, every job of known start finds room. *Ties*: by (submit, index). *Complexity*: the
//! logarithm of the waiting jobs for each. *Source*: the wait time of the Standard Workload Format.

use std::collections::BTreeSet;

use crate::engine::{Context, Policy, Step, Turn};
use crate::id::JobId;
use crate::place::Placer;
use crate::record::Outcome;
use crate::system::nodes::Nodes;
use crate::system::nodes::place::Index;
use crate::unit::Time;

/// The schedule of a log, followed.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The jobs that wait, by recorded start.
    due: BTreeSet<(Time, JobId)>,
}

impl Policy<Nodes> for Recorded {
    fn arrive(&mut self, cx: &mut Context<Nodes>, job: JobId) {
        match cx.recorded_start(job) {
            Some(start) => {
                cx.enqueue(job);
                cx.call_pass_at(start, job);
                self.due.insert((start, job));
            }
            None => cx.dismiss(job, Outcome::RejectedUndecided),
        }
    }

    fn pass(&mut self, cx: &mut Context<Nodes>) {
        while let Some(&(start, job)) = self.due.first()
            && start <= cx.now()
        {
            self.due.pop_first();
            let placement = Index.place(cx.system(), &cx.request(job));
            cx.observe(|| Step::Tried {
                job,
                turn: Turn::Recorded,
                value: None,
                fits: placement.is_some(),
            });
            match placement {
                Some(placement) => cx.start(job, placement),
                None => cx.dismiss(job, Outcome::RejectedImpossible),
            }
        }
    }

    fn withdrawn(&mut self, cx: &mut Context<Nodes>, job: JobId) {
        if let Some(start) = cx.recorded_start(job) {
            self.due.remove(&(start, job));
        }
    }
}
