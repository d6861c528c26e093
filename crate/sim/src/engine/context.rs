//! The changing half of a [`Context`]: what a policy can do, and what the engine does for it.

use std::collections::{BTreeMap, BTreeSet};

use super::foresight::Foresight;
use super::pass::{Pass, Placing, Step};
use super::progress::{Allocation, Done, InHand};
use super::queue::WaitingJobs;
use crate::calendar::{Calendar, Class, Event};
use crate::id::{JobId, Window};
use crate::job::Job;
use crate::machine::sharing::Sharing;
use crate::machine::{Placement, System};
use crate::place::Placer;
use crate::record::{EventKind, JobHistory, Outcome, Record};
use crate::unit::{Span, Time};
use crate::workload::Lazy;

/// All that a policy can see and do.
pub struct Context<S: System> {
    pub(super) now: Time,
    /// The jobs that are known and not forgotten.
    pub(super) jobs: Window<JobId, Job>,
    pub(super) histories: Window<JobId, JobHistory>,
    pub(super) progress: InHand<S::Placement>,
    /// The jobs that are made when their turn comes, behind those that are known.
    pub(super) lazy: Option<Box<Lazy>>,
    /// The first job that may not have arrived yet, of those that wait for no other.
    pub(super) next_arrival: JobId,
    /// No job before this one is still to be decided.
    pub(super) oldest: JobId,
    /// The jobs that wait for a job to end before they arrive.
    pub(super) followers: BTreeMap<JobId, Vec<JobId>>,
    /// When jobs arrive whose wait for another one is over.
    pub(super) following: BTreeSet<(Time, JobId)>,
    pub(super) waiting: WaitingJobs,
    pub(super) running: BTreeSet<JobId>,
    pub(super) foresight: Foresight<S>,
    pub(super) calendar: Calendar,
    pub(super) system: S,
    /// What the running jobs get of the links that they share, where they do.
    pub(super) sharing: Option<Sharing>,
    pub(super) empty: S,
    pub(super) migration_cost: Span,
    /// How many jobs there are, and how many of them are done with.
    pub(super) count: usize,
    pub(super) decided: usize,
    pub(super) done: Done,
    pub(super) record: Record,
    /// How many starts and suspensions there were so far.
    pub(super) starts: u64,
    pub(super) suspensions: u64,
    /// The pass as it is told to an observer; `None` where there is none.
    pub(super) observed: Option<Box<Pass>>,
}

impl<S: System> Context<S> {
    /// An empty system at time 0. With `keep` the record holds every allocation.
    pub(super) fn new(system: S, migration_cost: Span, keep: bool) -> Context<S> {
        Context {
            now: Time::default(),
            jobs: Window::default(),
            histories: Window::default(),
            progress: InHand(Window::default()),
            lazy: None,
            next_arrival: JobId(0),
            oldest: JobId(0),
            followers: BTreeMap::new(),
            following: BTreeSet::new(),
            waiting: WaitingJobs::default(),
            running: BTreeSet::new(),
            foresight: Foresight::default(),
            calendar: Calendar::default(),
            empty: system.clone(),
            record: Record::new(&system, keep),
            sharing: system.sharing(),
            system,
            migration_cost,
            count: 0,
            decided: 0,
            done: Done::default(),
            starts: 0,
            suspensions: 0,
            observed: None,
        }
    }
}

/// What a policy can do.
impl<S: System> Context<S> {
    /// Puts an arrived job in the queue.
    pub fn enqueue(&mut self, job: JobId) {
        self.waiting.enqueue(job, &self.jobs[job]);
    }

    /// Puts an arrived job in the queue if a placement for it exists on the empty system, and
    /// dismisses it otherwise.
    pub(crate) fn enqueue_if_possible(&mut self, placer: &impl Placer<S>, job: JobId) {
        match placer.exists(&self.empty, &self.request(job)) {
            Some(true) => self.enqueue(job),
            _ => self.dismiss(job, Outcome::Infeasible),
        }
    }

    /// Takes a job out of the queue that goes on waiting elsewhere.
    pub fn defer(&mut self, job: JobId) {
        self.waiting.defer(job, &self.jobs);
        self.observe(|| Step::Deferred { job });
    }

    /// Puts a deferred job back in the queue.
    pub(crate) fn admit(&mut self, job: JobId) {
        self.waiting.admit(job, &self.jobs[job]);
        self.observe(|| Step::Admitted { job });
    }

    /// Ends the life of an arrived job that will not run.
    pub fn dismiss(&mut self, job: JobId, outcome: Outcome) {
        let kind = match outcome {
            Outcome::RejectedThoughPossible
            | Outcome::RejectedImpossible
            | Outcome::RejectedUndecided => EventKind::Rejected,
            Outcome::Infeasible => EventKind::Infeasible,
            Outcome::Unplaceable => EventKind::Unplaceable,
            Outcome::Open | Outcome::Ran { .. } | Outcome::Left { .. } => {
                unreachable!("{outcome:?} dismisses no job")
            }
        };
        self.waiting.dequeue(job, &self.jobs[job]);
        self.record.event(self.now, kind, job);
        self.observe(|| Step::Dismissed { job, outcome });
        self.decide(job, outcome);
    }

    /// Starts a job that has arrived and does not run. One that has run before pays the migration
    /// cost first, which counts as one migration.
    pub fn start(&mut self, job: JobId, placement: S::Placement) {
        self.waiting.dequeue(job, &self.jobs[job]);
        let progress = &mut self.progress[job];
        let again = progress.first_start.is_some();
        let from = match progress.first_start {
            None => {
                progress.first_start = Some(self.now);
                self.now
            }
            Some(_) => {
                let history = &mut self.histories[job];
                history.migrations += 1;
                history.evictions += u32::from(progress.from_background);
                self.now + self.migration_cost
            }
        };
        self.begin(job, placement, from, EventKind::Start);
        self.starts += 1;
        self.observe_placement(job, Placing::Start { again });
    }

    /// Moves a running job to another place; it pays the migration cost, which counts as one
    /// migration, whatever is left of a pause.
    pub fn promote(&mut self, job: JobId, placement: S::Placement) {
        self.leave(job);
        self.histories[job].migrations += 1;
        self.histories[job].promotions += 1;
        self.begin(
            job,
            placement,
            self.now + self.migration_cost,
            EventKind::Start,
        );
        self.observe_placement(job, Placing::Move { stays: false });
    }

    /// Lets a job that runs, or that was suspended at this instant, go on at once at another place
    /// where its processes need not move. A pause ends when it was to end.
    pub fn swap(&mut self, job: JobId, placement: S::Placement) {
        if !self.waiting.dequeue(job, &self.jobs[job]) {
            self.leave(job);
        }
        self.histories[job].swaps += 1;
        let from = self.progress[job].worked_from.max(self.now);
        self.begin(job, placement, from, EventKind::Swap);
        self.observe_placement(job, Placing::Move { stays: true });
    }

    /// Suspends a running job: it keeps the work it has done and goes back to the queue. Returns
    /// the placement that it has left.
    pub fn suspend(&mut self, job: JobId) -> S::Placement {
        self.record.event(self.now, EventKind::Preempt, job);
        let placement = self.leave(job);
        self.enqueue(job);
        self.suspensions += 1;
        self.observe(|| Step::Suspended { job });
        placement
    }

    /// Calls for a pass at an instant, if the job still waits for its first start then and the
    /// instant is to come.
    pub(crate) fn call_pass_at(&mut self, time: Time, job: JobId) {
        if time > self.now {
            let epoch = self.progress[job].epoch;
            let class = Class::Due;
            self.calendar.add(Event {
                time,
                class,
                job,
                epoch,
            });
        }
    }

    /// Leaves no more than so many slots to jobs that start, what the running ones hold counted in.
    pub fn set_powered_on(&mut self, slots: u64) {
        self.system.set_powered_on(slots);
    }

    /// Notes that a program of so many steps was solved for the decision of this pass.
    pub fn note_steps(&mut self, steps: u64) {
        let most = &mut self.record.decision_steps;
        *most = Some(most.map_or(steps, |most| most.max(steps)));
    }

    /// Notes that a job starts by the value of an expression, and whether that is a number.
    pub fn note_value(&mut self, is_number: bool) {
        *self.record.not_finite.get_or_insert(0) += u64::from(!is_number);
    }
}

/// What the engine does.
impl<S: System> Context<S> {
    /// When an event happens; `None` where it is stale.
    fn time_of(&self, event: Event) -> Option<Time> {
        let progress = self.progress.get(event.job)?;
        // A job that has never started has the epoch in which it arrived.
        match &progress.allocation {
            _ if progress.epoch != event.epoch => None,
            Some(allocation) if event.class == Class::Finish => Some(allocation.end),
            None if !matches!(event.class, Class::Leave | Class::Due) => None,
            _ => Some(event.time),
        }
    }

    /// The next event; drops stale ones on the way, and puts off those that happen later by now than
    /// they were to.
    pub(super) fn next_event(&mut self) -> Option<Event> {
        while let Some(event) = self.calendar.first() {
            match self.time_of(event) {
                None => self.calendar.drop_first(),
                Some(time) if time > event.time => {
                    let allocation = &mut self.progress[event.job].allocation;
                    allocation.as_mut().expect("a running job").timed = Some(time);
                    self.calendar.put_off(time);
                }
                Some(_) => return Some(event),
            }
        }
        None
    }

    /// The next instant at which anything happens.
    pub(super) fn next_instant(&mut self) -> Option<Time> {
        let event = self.next_event().map(|event| event.time);
        let arrival = self.arriving().map(|job| self.jobs[job].submit);
        let following = self.following.first().map(|first| first.0);
        event.into_iter().chain(arrival).chain(following).min()
    }

    pub(super) fn pass_time_until(&mut self, time: Time) {
        let waiting = self.waiting.count();
        self.record.queue_time += waiting as u128 * u128::from((time - self.now).0);
        if let Some(days) = &mut self.record.days {
            days.waited(self.now, time, waiting as u64);
        }
        self.now = time;
    }

    /// Notes that a job is done with.
    pub(super) fn decide(&mut self, job: JobId, outcome: Outcome) {
        self.histories[job].outcome = outcome;
        self.progress.0[job] = None;
        self.decided += 1;
        self.call_followers(job);
    }

    /// An allocation that works from an instant on.
    pub(super) fn begin(
        &mut self,
        job: JobId,
        placement: S::Placement,
        from: Time,
        kind: EventKind,
    ) {
        self.running.insert(job);
        let request = self.request(job);
        self.system.hold(&request, &placement);
        if let Some(sharing) = &mut self.sharing {
            let demand = self.system.demand(&request, &placement);
            if let Some(shares) = &mut self.record.shares {
                shares.demands.push(demand.clone());
            }
            sharing.start(job, demand);
        }
        self.histories[job].intra_server = placement.shares().nth(1).is_none();
        self.histories[job].leaves = placement.leaves();
        self.record.start(self.now, from, kind, job, &placement);
        let rate = self.system.rate(&request, &placement);
        let migrations = self.jobs[job].vm_migrations.as_deref_mut();
        let migrates =
            migrations.map(|migrations| from.after(migrations.time_to_next(placement.slots())));
        let Job {
            runtime, estimate, ..
        } = self.jobs[job];
        let progress = &mut self.progress[job];
        let done = runtime.0 - progress.remaining as u64;
        progress.remaining *= self.system.work_dilation(&placement);
        let allocation = Allocation {
            start: self.now,
            placement,
            estimated_end: from + Span(estimate.0.saturating_sub(done)),
            since: from,
            rate,
            end: from,
            timed: None,
            migrates,
        };
        self.foresight.began(&request, &allocation);
        progress.allocation = Some(allocation);
        self.schedule(job);
    }

    /// Stops a running job because one of its virtual machines migrates: it keeps its place and,
    /// after a pause, goes on from the last slot that it has completed.
    pub(super) fn migrate_vm(&mut self, job: JobId) {
        let placement = self.place(job).expect("a running job").clone();
        self.leave(job);
        let Job {
            runtime,
            ref mut vm_migrations,
            ..
        } = self.jobs[job];
        let migrations = vm_migrations.as_deref_mut().expect("its machines migrate");
        let remaining = &mut self.progress[job].remaining;
        let runtime = runtime.0 as f64;
        *remaining = runtime - migrations.completed(runtime - *remaining);
        let from = self.now + migrations.stop();
        self.histories[job].migrations += 1;
        self.begin(job, placement, from, EventKind::VmMigration);
    }

    /// Times what comes next for a running job; what was timed before becomes stale.
    pub(super) fn schedule(&mut self, job: JobId) {
        let progress = &mut self.progress[job];
        progress.epoch += 1;
        let epoch = progress.epoch;
        let allocation = progress.allocation.as_mut().expect("a running job");
        let mut add = |time, class| {
            self.calendar.add(Event {
                time,
                class,
                job,
                epoch,
            });
        };
        if allocation.since > self.now {
            add(allocation.since, Class::PauseEnd);
        }
        allocation.timed = None;
        if allocation.rate > 0.0 {
            let end = allocation.since.after(progress.remaining / allocation.rate);
            add(end, Class::Finish);
            (allocation.end, allocation.timed) = (end, Some(end));
            if let Some(time) = allocation.migrates.filter(|&time| time < end) {
                add(time, Class::VmMigration);
            }
        }
    }

    /// Times the end of a running job whose rate has changed: when it comes out, where it is not
    /// earlier than the calendar has it.
    fn reschedule(&mut self, job: JobId) {
        let progress = &mut self.progress[job];
        let allocation = progress.allocation.as_mut().expect("a running job");
        if let Some(timed) = allocation.timed
            && allocation.rate > 0.0
            && allocation.migrates.is_none()
        {
            let end = allocation.since.after(progress.remaining / allocation.rate);
            if timed <= end {
                allocation.end = end;
                return;
            }
        }
        self.schedule(job);
    }

    /// Times when a job that has just arrived leaves the queue, if it ever does.
    pub(super) fn lose_patience(&mut self, job: JobId) {
        if let Some(patience) = &self.jobs[job].patience {
            self.calendar.add(Event {
                time: self.now + **patience,
                class: Class::Leave,
                job,
                epoch: self.progress[job].epoch,
            });
        }
    }

    /// A waiting job leaves the queue.
    pub(super) fn leave_queue(&mut self, job: JobId) {
        self.waiting.withdraw(job, &self.jobs[job]);
        self.record.event(self.now, EventKind::Leave, job);
        let time = self.now;
        self.decide(job, Outcome::Left { time });
    }

    /// A job has done its work; returns the placement that it has left.
    pub(super) fn finish(&mut self, job: JobId) -> S::Placement {
        self.record.event(self.now, EventKind::Finish, job);
        let placement = self.leave(job);
        let start = self.progress[job].first_start.expect("a finished job");
        self.done
            .add(&self.jobs[job].request(job), self.now - start);
        self.histories[job].worked = self.progress[job].worked;
        let end = self.now;
        self.decide(job, Outcome::Ran { start, end });
        placement
    }

    /// Takes a running job off the system; returns its placement.
    pub(super) fn leave(&mut self, job: JobId) -> S::Placement {
        let request = self.request(job);
        let progress = &mut self.progress[job];
        progress.sync(self.now);
        let allocation = progress.allocation.take().expect("a running job");
        progress.remaining /= self.system.work_dilation(&allocation.placement);
        progress.worked_from = allocation.since;
        progress.from_background = allocation.placement.background();
        self.system.free(&request, &allocation.placement);
        if let Some(sharing) = &mut self.sharing {
            sharing.stop(job);
        }
        let held = self.now - allocation.start;
        self.record.stop(self.now, job, held, &allocation.placement);
        self.running.remove(&job);
        self.foresight.ended(self.now, &request, &allocation);
        allocation.placement
    }

    /// Gives the jobs whose rate has changed their new end.
    pub(super) fn retime(&mut self) {
        let mut touched = Vec::new();
        self.system.touched(&mut touched);
        for job in touched {
            let share = self
                .sharing
                .as_ref()
                .map_or(1.0, |sharing| sharing.share_of(job));
            self.retime_one(job, share);
        }
        if let Some(sharing) = &mut self.sharing {
            for (job, share) in sharing.share_out() {
                if let Some(shares) = &mut self.record.shares {
                    shares.changes.push((self.now, job, share));
                }
                self.retime_one(job, share);
            }
        }
    }

    /// Gives a job its new end if its rate has changed, which has such a share of the links on its
    /// way.
    fn retime_one(&mut self, job: JobId, share: f64) {
        let Some(Some(progress)) = self.progress.0.get_mut(job) else {
            return;
        };
        let Some(allocation) = &progress.allocation else {
            return;
        };
        let request = self.jobs[job].request(job);
        let mut rate = self.system.rate(&request, &allocation.placement);
        if let Some(sharing) = &self.sharing {
            rate *= sharing.speed(share);
        }
        if !allocation.placement.background() {
            self.record.slowest = self.record.slowest.min(rate);
        }
        let changes = rate != allocation.rate;
        if changes || S::SYNCED_TOGETHER {
            progress.sync(self.now);
        }
        if changes && let Some(allocation) = &mut progress.allocation {
            allocation.rate = rate;
            self.reschedule(job);
        }
    }
}
