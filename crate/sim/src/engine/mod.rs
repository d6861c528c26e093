//! The engine: one loop for every system, placement and policy.
//!
//! At one instant: first all completions, then all pause ends, then all migrations of virtual
//! machines, then all waiting jobs that leave the queue or are due, then all arrivals, each by job
//! index (which is the order of the log also for jobs that arrive later than logged because they
//! wait for another one to end); then exactly one scheduling pass, after which the jobs whose rate
//! has changed are re-timed. Where virtual machines migrate, their stops call for no pass: a stop
//! frees nothing. A job of zero runtime completes in a further round of the same instant. The
//! engine is cooperative: [`Engine::advance`] returns between two rounds once its budget of events
//! is used, so that a worker can report, pause or stop.
//!
//! Jobs may be made when their turn comes and forgotten when they are done with
//! ([`Engine::forget`]): a run that is only measured holds those alone that lie between the oldest
//! and the youngest in hand.
//!
//! Invariants: only the engine changes the system; a policy sees [`Request`](crate::job::Request)s,
//! never a true runtime; work in hand is never lost over a preemption, and of what is done before a
//! virtual machine migrates no completed slot.
//!
//! Source: paper 1, sections 3 and 4.2; paper 4, section 5.4 (migrations); the order within an
//! instant is the usual one of batch simulators.
//!
//! - `policy`: what a policy is to the engine
//! - `context`: what a policy can do
//! - `view`: what a policy can see
//! - `pass`: a pass as an observer hears of it; `observe`: how it does
//! - `trial`: what it would see if some running jobs had left
//! - `foresight`: what of that is kept from one pass to the next
//! - `queue`: the jobs that wait
//! - `by_size`: the same by size, so that a pass looks at sizes and not at jobs
//! - `arrivals`: which job arrives next
//! - `progress`: how far jobs are
//! - `snapshot`: a run as it is at an instant, from which others begin

mod arrivals;
mod by_size;
mod context;
mod foresight;
mod observe;
mod pass;
mod policy;
mod progress;
mod queue;
mod snapshot;
mod trial;
mod view;

use crate::calendar::Class;
use crate::id::{JobId, Window};
use crate::job::{Job, Jobs};
use crate::machine::System;
use crate::machine::sharing::Shares;
use crate::over_time::{CalendarStart, Days};
use crate::place::Tries;
use crate::record::{EventKind, JobHistory, Outcome, Record};
use crate::unit::{Span, Time};
use crate::workload::Arrivals;
use progress::Progress;

pub(crate) use by_size::Walk;
pub use context::Context;
pub use foresight::Reservation;
pub use pass::{Effect, Pass, PassCount, QueuedJob, RunningJob, Step, Turn};
pub use policy::Policy;
pub use progress::Done;
pub use snapshot::Snapshot;

/// A run in progress. It is compiled once for each system: a policy is called once an event or
/// pass.
pub struct Engine<'p, S: System> {
    context: Context<S>,
    policy: Box<dyn Policy<S> + 'p>,
    /// How many passes there were so far.
    passes: u64,
}

impl<'p, S: System> Engine<'p, S> {
    /// A run of `jobs` under `policy` on `system`, which must be empty. With `keep` the record
    /// holds every allocation.
    pub fn new(
        system: S,
        policy: Box<dyn Policy<S> + 'p>,
        jobs: impl Into<Arrivals>,
        migration_cost: Span,
        keep: bool,
    ) -> Self {
        let arrivals = jobs.into();
        let count = arrivals.len();
        let (listed, lazy) = match arrivals {
            Arrivals::Listed(jobs) => (jobs, None),
            Arrivals::Lazy(lazy) => (Vec::new().into(), Some(lazy)),
        };
        let ids = listed.ids();
        let mut context = Context {
            jobs: Window::from(listed),
            lazy,
            count,
            ..Context::new(system, migration_cost, keep)
        };
        if keep && context.sharing.is_some() {
            context.record.shares = Some(Shares::default());
        }
        if context.lazy.is_none() {
            context.make_room();
        }
        for id in ids {
            context.learn(id);
        }
        Engine {
            context,
            policy,
            passes: 0,
        }
    }

    /// Makes room for all jobs at once, where none of them will be forgotten.
    pub(crate) fn make_room(&mut self) {
        self.context.make_room();
    }

    /// Measures by day what is in use and waiting.
    pub(crate) fn measure_days(&mut self, start: CalendarStart) {
        self.context.record.days = Some(Days::new(start));
    }

    /// Simulates until at least `events` events have happened, then to the end of that round.
    /// Returns whether the run is over.
    pub fn advance(&mut self, events: u64) -> bool {
        let mut happened = 0;
        while happened < events {
            match self.round() {
                0 => return true,
                count => happened += count,
            }
        }
        self.context.next_instant().is_none()
    }

    /// Simulates the next scheduling pass and all that happens before it, and counts what it does;
    /// `None` where the run is over.
    pub fn next_pass(&mut self) -> Option<PassCount> {
        let passes = self.passes;
        loop {
            let before = (self.context.starts, self.context.suspensions);
            if self.round() == 0 {
                return None;
            }
            if self.passes > passes {
                return Some(self.context.count_since(before));
            }
        }
    }

    /// The same, observed step by step.
    pub fn observe_next_pass(&mut self) -> Option<Pass> {
        self.context.observed = Some(Box::default());
        let passed = self.next_pass();
        let mut observed = self.context.observed.take()?;
        passed?;
        let cx = &self.context;
        let links = !cx.system.links().is_empty();
        observed.join(&|job| cx.request(job), links);
        Some(*observed)
    }

    /// Simulates all that happens up to `time`, that instant included.
    pub fn advance_to(&mut self, time: Time) {
        while self.context.next_instant().is_some_and(|next| next <= time) {
            self.round();
        }
        if time > self.context.now {
            self.context.pass_time_until(time);
        }
    }

    /// Simulates up to `limit`, that instant included, but not beyond the round in which `job`
    /// starts for the first time or is dismissed. Returns when it started; `None` if it has not by
    /// then.
    pub fn advance_to_start(&mut self, job: JobId, limit: Time) -> Option<Time> {
        loop {
            let start = self.context.first_start(job);
            let decided = start.is_some() || self.context.outcome(job) != Outcome::Open;
            if decided || self.context.next_instant().is_none_or(|next| next > limit) {
                return start;
            }
            self.round();
        }
    }

    /// The next instant at which anything happens to the jobs that are known.
    pub fn next_instant(&mut self) -> Option<Time> {
        self.context.next_instant()
    }

    /// Adds jobs behind those that are known, in the order of their submits; none is submitted
    /// before the last of those, nor before the present instant.
    pub fn add_jobs(&mut self, jobs: impl IntoIterator<Item = Job>) {
        let cx = &mut self.context;
        for job in jobs {
            let id = cx.jobs.next();
            cx.jobs.push(job);
            cx.learn(id);
            cx.count += 1;
        }
    }

    /// What the policy sees now.
    pub fn context(&mut self) -> &mut Context<S> {
        &mut self.context
    }

    /// The same, to look at.
    pub fn seen(&self) -> &Context<S> {
        &self.context
    }

    /// What the policy saw last, without the policy.
    pub fn into_context(self) -> Context<S> {
        self.context
    }

    /// What became of the policy's attempts to place jobs, as far as proofs were kept.
    pub fn tries(&mut self) -> Tries {
        self.policy.tries()
    }

    /// The number of jobs that are done with, and that of all jobs.
    pub fn progress(&self) -> (usize, usize) {
        (self.context.decided, self.context.count)
    }

    /// The number of jobs that wait now, the deferred ones included.
    pub fn waiting(&self) -> usize {
        self.context.waiting.count()
    }

    /// Forgets the first jobs, up to one that is not done with, and hands each to `see`, by index.
    /// A run that forgets its jobs again and again holds no more of them than lie between the
    /// oldest and the youngest in hand; what it leaves says nothing of those forgotten.
    pub fn forget(&mut self, mut see: impl FnMut(JobId, &Job, &JobHistory)) {
        let cx = &mut self.context;
        while let id = cx.histories.first()
            && let Some(history) = cx.histories.get(id)
            && history.outcome != Outcome::Open
        {
            see(id, &cx.jobs[id], history);
            cx.jobs.forget();
            cx.histories.forget();
            cx.progress.0.forget();
        }
    }

    /// The jobs, the system as it is now and the record.
    pub fn into_parts(self) -> (Jobs, S, Record) {
        let Context {
            jobs,
            histories,
            system,
            mut record,
            ..
        } = self.context;
        record.histories = histories.into();
        (jobs.into(), system, record)
    }

    /// All that happens next at one instant, and the pass after it; returns the number of events.
    fn round(&mut self) -> u64 {
        let cx = &mut self.context;
        let Some(now) = cx.next_instant() else {
            return 0;
        };
        cx.pass_time_until(now);
        let mut happened = 0;
        let mut calls_for_pass = false;
        while let Some(event) = cx.next_event().filter(|event| event.time == now) {
            cx.calendar.drop_first();
            let migrating = cx.jobs[event.job].vm_migrations.is_some();
            calls_for_pass |= matches!(event.class, Class::Finish | Class::Leave) || !migrating;
            match event.class {
                Class::Finish => self.policy.left(event.job, &cx.finish(event.job)),
                Class::PauseEnd => cx.record.event(now, EventKind::PauseEnd, event.job),
                Class::VmMigration => cx.migrate_vm(event.job),
                Class::Leave => {
                    cx.leave_queue(event.job);
                    self.policy.withdrawn(cx, event.job);
                }
                Class::Due => {}
            }
            happened += 1;
        }
        cx.observe_state();
        while let Some(job) = cx.take_arrival() {
            cx.record.event(now, EventKind::Arrive, job);
            cx.progress.0[job] = Some(Box::new(Progress::new(&cx.jobs[job])));
            cx.lose_patience(job);
            self.policy.arrive(cx, job);
            happened += 1;
            calls_for_pass = true;
        }
        if calls_for_pass {
            cx.observe_arrivals();
            self.policy.pass(cx);
            cx.retime();
            cx.observe_ends();
            self.passes += 1;
        }
        cx.record.longest_queue = cx.record.longest_queue.max(cx.waiting.count());
        happened
    }
}
