//! The engine: one loop for every system, placement and policy.
//!
//! At one instant: first all completions, then all pause ends, then all migrations of virtual machines,
//! then all arrivals, each by ascending job index (which is the order of the log also for jobs that arrive
//! later than logged because they wait for another one to end); then exactly one scheduling pass, after
//! which the jobs whose rate has changed are re-timed. Where virtual machines migrate, only completions and
//! arrivals call for a pass: a stop frees nothing. A job of zero runtime completes in a further round of the same instant. The engine is
//! cooperative: [`Engine::advance`] returns between two rounds once its budget of events is used, so
//! that a worker can report, pause or stop.
//!
//! Jobs may be drawn when their turn comes and forgotten when they are done with ([`Engine::forget`]): a run that is
//! only measured holds those alone that lie between the oldest and the youngest in hand.
//!
//! Invariants: only the engine changes the system; a policy sees [`Ask`]s, never a true runtime;
//! work in hand is never lost over a preemption, and of what is done before a virtual machine migrates no
//! completed slot.
//!
//! Source: paper 1, sections 3 and 4.2; paper 4, section 5.4 (migrations); the order within an instant is the usual one of batch
//! simulators.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Index, IndexMut};

use crate::COMPLETE;
use crate::calendar::{Calendar, Class, Event};
use crate::id::{JobId, Window};
use crate::job::{After, Ask, Job, Jobs};
use crate::policy::Policy;
use crate::record::{Course, Fate, Kind, Record};
use crate::system::{Place, System};
use crate::unit::{Span, Time};
use crate::waiting::{Waiting, Walk};
use crate::workload::{Arrivals, Drawn};

/// A run in progress.
pub struct Engine<S: System, P> {
    context: Context<S>,
    policy: P,
}

/// All that a policy can see and do.
pub struct Context<S: System> {
    now: Time,
    /// The jobs that are known and not forgotten.
    jobs: Window<JobId, Job>,
    courses: Window<JobId, Course>,
    progress: InHand<S::Place>,
    /// The jobs that are drawn when their turn comes, behind those that are known.
    drawn: Option<Box<Drawn>>,
    /// The first job that may not have arrived yet, of those that wait for no other.
    next_arrival: JobId,
    /// The jobs that wait for a job to end before they arrive.
    followers: BTreeMap<JobId, Vec<JobId>>,
    /// When jobs arrive whose wait for another one is over.
    following: BTreeSet<(Time, JobId)>,
    waiting: BTreeSet<JobId>,
    /// What these ask for together.
    waiting_slots: u64,
    by_size: Waiting,
    /// Who waits without being in the queue; made for the first one.
    aside: Option<Waiting>,
    aside_count: usize,
    running: BTreeSet<JobId>,
    calendar: Calendar,
    system: S,
    empty: S,
    migration_cost: Span,
    /// How many jobs there are, and how many of them are done with.
    count: usize,
    decided: usize,
    done: Done,
    record: Record,
}

/// How far the jobs are that have arrived and are not decided yet; of the others nothing of it is kept.
struct InHand<P>(Window<JobId, Option<Box<Progress<P>>>>);

impl<P> InHand<P> {
    fn get(&self, job: JobId) -> Option<&Progress<P>> {
        self.0.get(job)?.as_deref()
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
    /// How many.
    pub jobs: u64,
    /// What they asked for together.
    pub slots: u64,
    /// How long they took from their first start on together, in microseconds.
    pub held: u128,
    /// When the first of them arrived.
    pub first: Option<Time>,
    /// When the last of them arrived.
    pub last: Option<Time>,
}

impl Done {
    fn add(&mut self, ask: &Ask, held: Span) {
        self.jobs += 1;
        self.slots += u64::from(ask.size);
        self.held += u128::from(held.0);
        self.first = Some(self.first.map_or(ask.submit, |first| first.min(ask.submit)));
        self.last = self.last.max(Some(ask.submit));
    }
}

/// How far a job is.
#[derive(Clone, Debug)]
struct Progress<P> {
    /// Work left in microseconds of a dedicated machine: whole numbers, exact below 2⁵³, where the
    /// rate is always 1.
    remaining: f64,
    first_start: Option<Time>,
    epoch: u32,
    stint: Option<Stint<P>>,
    /// When the last stint began to work, or was to.
    worked_from: Time,
    /// Whether the last stint was in the background.
    from_background: bool,
}

/// A stay at one place.
#[derive(Clone, Debug)]
struct Stint<P> {
    start: Time,
    place: P,
    /// The end by the job's estimate, of which it has done what it did in earlier stints.
    estimated_end: Time,
    /// When work is next done: later than the start while the migration cost is being paid.
    since: Time,
    rate: f64,
    /// When one of its virtual machines migrates, if it still runs then.
    migrates: Option<Time>,
}

impl<P> Progress<P> {
    /// Of a job that has just arrived.
    fn new(job: &Job) -> Progress<P> {
        Progress {
            remaining: job.runtime.0 as f64,
            first_start: None,
            epoch: 0,
            stint: None,
            worked_from: Time(0),
            from_background: false,
        }
    }
}

impl<P> Stint<P> {
    /// Moves the work done until `now` out of `remaining`.
    fn sync(&mut self, now: Time, remaining: &mut f64) {
        if now > self.since {
            *remaining = (*remaining - (now - self.since).0 as f64 * self.rate).max(0.0);
            self.since = now;
        }
    }
}

impl<S: System, P: Policy<S>> Engine<S, P> {
    /// A run of `jobs` under `policy` on `system`, which must be empty. With `keep` the record
    /// holds every stint.
    pub fn new(
        system: S,
        policy: P,
        jobs: impl Into<Arrivals>,
        migration_cost: Span,
        keep: bool,
    ) -> Self {
        let arrivals = jobs.into();
        let count = arrivals.len();
        let (listed, drawn) = match arrivals {
            Arrivals::Listed(jobs) => (jobs, None),
            Arrivals::Drawn(drawn) => (Vec::new().into(), Some(drawn)),
        };
        let ids = listed.ids();
        let mut context = Context {
            now: Time::default(),
            jobs: Window::from(listed),
            courses: Window::default(),
            progress: InHand(Window::default()),
            drawn,
            next_arrival: JobId(0),
            followers: BTreeMap::new(),
            following: BTreeSet::new(),
            waiting: BTreeSet::new(),
            waiting_slots: 0,
            by_size: Waiting::default(),
            aside: None,
            aside_count: 0,
            running: BTreeSet::new(),
            calendar: Calendar::default(),
            empty: system.clone(),
            record: Record::new(&system, keep),
            system,
            migration_cost,
            count,
            decided: 0,
            done: Done::default(),
        };
        for id in ids {
            context.admit(id);
        }
        Engine { context, policy }
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

    /// Simulates all that happens up to `time`, that instant included.
    pub fn advance_to(&mut self, time: Time) {
        while self.context.next_instant().is_some_and(|next| next <= time) {
            self.round();
        }
        if time > self.context.now {
            self.context.pass_time_until(time);
        }
    }

    /// What the policy sees now, and the policy.
    pub fn look(&mut self) -> (&mut Context<S>, &P) {
        (&mut self.context, &self.policy)
    }

    /// How many jobs are done with, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.context.decided, self.context.count)
    }

    /// How many jobs wait now.
    pub fn waiting(&self) -> usize {
        self.context.all_waiting()
    }

    /// Forgets the first jobs, up to one that is not done with, and hands each to `see`, by index. A run that
    /// forgets its jobs again and again holds no more of them than lie between the oldest and the
    /// youngest in hand; what it leaves says nothing of those forgotten.
    pub(crate) fn forget(&mut self, mut see: impl FnMut(JobId, &Job, &Course)) {
        let cx = &mut self.context;
        while let id = cx.courses.first()
            && let Some(course) = cx.courses.get(id)
            && course.fate != Fate::Open
        {
            see(id, &cx.jobs[id], course);
            cx.jobs.forget();
            cx.courses.forget();
            cx.progress.0.forget();
        }
    }

    /// The jobs, the system as it is now and the record.
    pub fn into_parts(self) -> (Jobs, S, Record) {
        let Context {
            jobs,
            courses,
            system,
            mut record,
            ..
        } = self.context;
        record.courses = courses.into();
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
        while let Some(event) = cx.calendar.first().filter(|event| event.time == now) {
            cx.calendar.take();
            if cx.is_current(event) {
                let migrating = cx.jobs[event.job].vm_migrations.is_some();
                calls_for_pass |= event.class == Class::Finish || !migrating;
                match event.class {
                    Class::Finish => cx.finish(event.job),
                    Class::PauseEnd => cx.record.event(now, Kind::PauseEnd, event.job),
                    Class::VmMigration if COMPLETE => cx.migrate_vm(event.job),
                    Class::VmMigration => {}
                }
                happened += 1;
            }
        }
        while let Some(job) = cx.take_arrival() {
            cx.record.event(now, Kind::Arrive, job);
            cx.progress.0[job] = Some(Box::new(Progress::new(&cx.jobs[job])));
            self.policy.arrive(cx, job);
            happened += 1;
            calls_for_pass = true;
        }
        if calls_for_pass {
            self.policy.pass(cx);
            cx.retime();
        }
        cx.record.longest_queue = cx.record.longest_queue.max(cx.all_waiting());
        happened
    }
}

impl<S: System> Context<S> {
    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The system as it is now.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The system with nothing on it.
    pub fn empty_system(&self) -> &S {
        &self.empty
    }

    /// What may be seen of a job.
    pub fn ask(&self, job: JobId) -> Ask {
        self.jobs[job].ask(job)
    }

    /// The waiting jobs by (submit, index).
    pub fn waiting(&self) -> &BTreeSet<JobId> {
        &self.waiting
    }

    /// The running jobs by (submit, index).
    pub fn running(&self) -> &BTreeSet<JobId> {
        &self.running
    }

    /// The running jobs that arrived after `job`.
    pub fn running_after(&self, job: JobId) -> Vec<JobId> {
        self.running
            .range((Bound::Excluded(job), Bound::Unbounded))
            .copied()
            .collect()
    }

    /// The jobs that have run to their ends so far.
    pub fn done(&self) -> &Done {
        &self.done
    }

    /// Leaves no more than so many slots to jobs that start, what the running ones hold counted in.
    pub fn limit(&mut self, slots: u64) {
        self.system.limit(slots);
    }

    /// What has become so far of a job that is not forgotten.
    pub fn fate(&self, job: JobId) -> Fate {
        self.courses[job].fate
    }

    /// After which one a job arrives that is not forgotten, if it waits for one to end.
    pub fn after(&self, job: JobId) -> Option<&After> {
        self.jobs[job].after.as_deref()
    }

    /// Whether a job that is not forgotten has arrived.
    pub fn has_arrived(&self, job: JobId) -> bool {
        self.fate(job) != Fate::Open || self.progress.get(job).is_some()
    }

    /// What a running job holds.
    pub fn place(&self, job: JobId) -> Option<&S::Place> {
        Some(&self.progress.get(job)?.stint.as_ref()?.place)
    }

    /// Since when a running job has held its place.
    pub fn held_since(&self, job: JobId) -> Option<Time> {
        Some(self.progress.get(job)?.stint.as_ref()?.start)
    }

    /// When a running job ends by its estimate, not before now.
    pub fn estimated_end(&self, job: JobId) -> Time {
        let stint = self.progress[job].stint.as_ref().expect("a running job");
        stint.estimated_end.max(self.now)
    }

    /// Puts an arrived job in the queue.
    pub fn enqueue(&mut self, job: JobId) {
        self.waiting.insert(job);
        self.waiting_slots += u64::from(self.jobs[job].size);
        self.by_size.add(job, &self.jobs[job]);
    }

    /// Takes a job out of the queue; returns whether it was there.
    fn dequeue(&mut self, job: JobId) -> bool {
        self.by_size.remove(job, &self.jobs[job]);
        let waited = self.waiting.remove(&job);
        if waited {
            self.waiting_slots -= u64::from(self.jobs[job].size);
        }
        waited
    }

    /// Takes a job out of the queue that goes on waiting elsewhere.
    pub fn set_aside(&mut self, job: JobId) {
        self.dequeue(job);
        let aside = self.aside.get_or_insert_with(|| {
            let mut aside = Waiting::default();
            for (id, job) in self.jobs.iter_enumerated() {
                aside.admit(id, job, self.jobs.first());
            }
            aside
        });
        aside.add(job, &self.jobs[job]);
        self.aside_count += 1;
    }

    /// Puts a job back in the queue that was set aside.
    pub fn call_back(&mut self, job: JobId) {
        let aside = self.aside.as_mut().expect("it was set aside");
        aside.remove(job, &self.jobs[job]);
        self.aside_count -= 1;
        self.enqueue(job);
    }

    /// The first job set aside after another one that asks for at most so many slots.
    pub fn next_aside(&self, after: Bound<JobId>, most: u64) -> Option<JobId> {
        self.aside.as_ref()?.first(after, most, most, Span(0))
    }

    /// How many jobs wait, those set aside included.
    fn all_waiting(&self) -> usize {
        self.waiting.len() + self.aside_count
    }

    /// The first waiting job after another one that asks for at most so many slots.
    pub fn next_waiting(&self, after: Bound<JobId>, most: u64) -> Option<JobId> {
        self.by_size.first(after, most, most, Span(0))
    }

    /// The same of those that ask for at most `spare`, or say to run no longer than `length`.
    pub fn next_waiting_within(
        &self,
        after: Bound<JobId>,
        most: u64,
        spare: u64,
        length: Span,
    ) -> Option<JobId> {
        self.by_size.first(after, most, spare, length)
    }

    /// A walk along the waiting jobs behind another one that ask for at most so many slots.
    pub(crate) fn walk(&self, behind: JobId, most: u64) -> Walk {
        self.by_size.walk(Bound::Excluded(behind), most)
    }

    /// The next job of a walk, of those that ask for at most so many slots, which never grows from one step to
    /// the next.
    pub(crate) fn next_of(&self, walk: &mut Walk, most: u64) -> Option<JobId> {
        self.by_size.next_of(walk, most)
    }

    /// The sizes of the waiting jobs, ascending.
    pub fn waiting_sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.by_size.sizes()
    }

    /// The waiting jobs of a size by index.
    pub fn waiting_of_size(&self, size: u32) -> impl Iterator<Item = JobId> {
        self.by_size.of_size(size)
    }

    /// The first of these.
    pub fn first_of_size(&self, size: u32) -> Option<JobId> {
        self.waiting_of_size(size).next()
    }

    /// What all waiting jobs ask for together.
    pub fn waiting_slots(&self) -> u64 {
        self.waiting_slots
    }

    /// Notes that a program of so many steps was solved for the decision of this pass.
    pub fn note_steps(&mut self, steps: u64) {
        let most = &mut self.record.decision_steps;
        *most = Some(most.map_or(steps, |most| most.max(steps)));
    }

    /// Ends the life of an arrived job that will not run.
    pub fn dismiss(&mut self, job: JobId, fate: Fate) {
        let kind = match fate {
            Fate::Missed | Fate::Blocked | Fate::Rejected => Kind::Rejected,
            Fate::Infeasible => Kind::Infeasible,
            Fate::Unplaceable => Kind::Unplaceable,
            Fate::Open | Fate::Ran { .. } => unreachable!("{fate:?} dismisses no job"),
        };
        self.record.event(self.now, kind, job);
        self.decide(job, fate);
    }

    /// A job is done with.
    fn decide(&mut self, job: JobId, fate: Fate) {
        self.courses[job].fate = fate;
        self.progress.0[job] = None;
        self.decided += 1;
        self.call_followers(job);
    }

    /// Starts a job that has arrived and does not run. One that has run before pays the migration
    /// cost first, which counts as one migration.
    pub fn start(&mut self, job: JobId, place: S::Place) {
        self.dequeue(job);
        let progress = &mut self.progress[job];
        let from = match progress.first_start {
            None => {
                progress.first_start = Some(self.now);
                self.now
            }
            Some(_) => {
                let course = &mut self.courses[job];
                course.migrations += 1;
                course.evictions += u32::from(progress.from_background);
                self.now + self.migration_cost
            }
        };
        self.begin(job, place, from, Kind::Start);
    }

    /// Moves a running job to another place; it pays the migration cost, which counts as one
    /// migration, whatever is left of a pause.
    pub fn promote(&mut self, job: JobId, place: S::Place) {
        self.leave(job);
        self.courses[job].migrations += 1;
        self.courses[job].promotions += 1;
        self.begin(job, place, self.now + self.migration_cost, Kind::Start);
    }

    /// Lets a job that runs, or that was suspended at this instant, go on at once at another place
    /// where its processes need not move. A pause ends when it was to end.
    pub fn swap(&mut self, job: JobId, place: S::Place) {
        if !self.dequeue(job) {
            self.leave(job);
        }
        self.courses[job].swaps += 1;
        let from = self.progress[job].worked_from.max(self.now);
        self.begin(job, place, from, Kind::Swap);
    }

    /// A stint that works from an instant on.
    fn begin(&mut self, job: JobId, place: S::Place, from: Time, kind: Kind) {
        self.running.insert(job);
        let ask = self.ask(job);
        self.system.hold(&ask, &place);
        self.courses[job].hidden = place.shares().nth(1).is_none();
        self.record.start(self.now, from, kind, job, &place);
        let rate = self.system.rate(&ask, &place);
        let migrations = self.jobs[job].vm_migrations.as_deref_mut();
        let migrations = migrations.filter(|_| COMPLETE);
        let migrates =
            migrations.map(|migrations| from.after(migrations.time_to_next(place.slots())));
        let Job {
            runtime, estimate, ..
        } = self.jobs[job];
        let progress = &mut self.progress[job];
        let done = runtime.0 - progress.remaining as u64;
        progress.remaining *= self.system.stretch(&place);
        progress.stint = Some(Stint {
            start: self.now,
            place,
            estimated_end: from + Span(estimate.0.saturating_sub(done)),
            since: from,
            rate,
            migrates,
        });
        self.schedule(job);
    }

    /// Stops a running job because one of its virtual machines migrates: it keeps its place and, after a
    /// pause, goes on from the last slot that it has completed.
    fn migrate_vm(&mut self, job: JobId) {
        let place = self.place(job).expect("a running job").clone();
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
        self.courses[job].migrations += 1;
        self.begin(job, place, from, Kind::VmMigration);
    }

    /// Suspends a running job: it keeps the work it has done and goes back to the queue.
    pub fn suspend(&mut self, job: JobId) {
        self.record.event(self.now, Kind::Preempt, job);
        self.leave(job);
        self.enqueue(job);
    }

    /// The fewest of the running jobs `candidates` without which `look` sees something, taken one by
    /// one in their order until it does; those that turn out not to be needed are held again, in the
    /// opposite order. Returns the absent ones, and what is seen without them.
    pub fn fewest_absent<T>(
        &mut self,
        candidates: &[JobId],
        mut look: impl FnMut(&S) -> Option<T>,
    ) -> Option<(Vec<JobId>, T)> {
        self.trial(|trial| {
            let mut seen = None;
            for &job in candidates {
                trial.release(job);
                seen = look(trial.system);
                if seen.is_some() {
                    break;
                }
            }
            let mut seen = seen?;
            for job in trial.released.clone().into_iter().rev() {
                trial.hold(job);
                match look(trial.system) {
                    Some(spared) => seen = spared,
                    None => trial.release(job),
                }
            }
            Some((trial.released.clone(), seen))
        })
    }

    /// What `look` sees in the system without the running jobs `absent`.
    pub fn without<T>(&mut self, absent: &[JobId], look: impl FnOnce(&S) -> T) -> T {
        self.trial(|trial| {
            for &job in absent {
                trial.release(job);
            }
            look(trial.system)
        })
    }

    fn trial<T>(&mut self, look: impl FnOnce(&mut Trial<'_, S>) -> T) -> T {
        let mut trial = Trial {
            system: &mut self.system,
            jobs: &self.jobs,
            progress: &self.progress,
            released: Vec::new(),
        };
        let seen = look(&mut trial);
        trial.undo();
        seen
    }

    /// Releases the running jobs in a trial, all those of one estimated end at a time, ascending,
    /// until `enough`; returns that end and the system as it is then if nothing else starts.
    pub fn first_after_estimated_ends(
        &mut self,
        mut enough: impl FnMut(&S) -> bool,
    ) -> Option<(Time, S)> {
        let mut ends: Vec<(Time, JobId)> = self
            .running
            .iter()
            .map(|&job| (self.estimated_end(job), job))
            .collect();
        ends.sort_unstable();
        self.trial(|trial| {
            let group = ends.chunk_by(|a, b| a.0 == b.0).find(|group| {
                for &(_, job) in *group {
                    trial.release(job);
                }
                enough(trial.system)
            });
            group.map(|group| (group[0].0, trial.system.clone()))
        })
    }

    /// The next job to arrive of those that wait for no other.
    fn arriving(&mut self) -> Option<JobId> {
        loop {
            let id = self.next_arrival;
            if id == self.jobs.next() {
                self.jobs.push(self.drawn.as_mut()?.next()?);
                self.admit(id);
            }
            if self.jobs[id].after.is_none() {
                return Some(id);
            }
            self.next_arrival.0 += 1;
        }
    }

    /// Gets ready for a job that has come to be known.
    fn admit(&mut self, id: JobId) {
        let (job, oldest) = (&self.jobs[id], self.jobs.first());
        if let Some(after) = &job.after {
            assert!(after.job < id, "{id} waits for {}", after.job);
            self.followers.entry(after.job).or_default().push(id);
        }
        self.by_size.admit(id, job, oldest);
        if let Some(aside) = &mut self.aside {
            aside.admit(id, job, oldest);
        }
        self.courses.push(Course::default());
        self.progress.0.push(None);
    }

    /// The arrival of this instant with the smallest index, taken out.
    fn take_arrival(&mut self) -> Option<JobId> {
        let now = self.now;
        let free = self.arriving().filter(|&job| self.jobs[job].submit == now);
        let following = self.following.first().filter(|first| first.0 == now);
        let job = free
            .into_iter()
            .chain(following.map(|first| first.1))
            .min()?;
        if free == Some(job) {
            self.next_arrival.0 += 1;
        } else {
            self.following.pop_first();
        }
        Some(job)
    }

    /// Lets the jobs arrive that waited for `job` to end: their submit time becomes this instant and
    /// their think time, if their own is not later.
    fn call_followers(&mut self, job: JobId) {
        for follower in self.followers.remove(&job).unwrap_or_default() {
            let waiting = &mut self.jobs[follower];
            let think = waiting.after.as_ref().map_or(Span(0), |after| after.think);
            waiting.submit = waiting.submit.max(self.now + think);
            self.following.insert((waiting.submit, follower));
        }
    }

    fn is_current(&self, event: Event) -> bool {
        let progress = self.progress.get(event.job);
        progress.is_some_and(|job| job.stint.is_some() && job.epoch == event.epoch)
    }

    /// The next instant at which anything happens; drops stale events on the way.
    fn next_instant(&mut self) -> Option<Time> {
        while let Some(event) = self.calendar.first() {
            if self.is_current(event) {
                break;
            }
            self.calendar.take();
        }
        let event = self.calendar.first().map(|event| event.time);
        let arrival = self.arriving().map(|job| self.jobs[job].submit);
        let following = self.following.first().map(|first| first.0);
        event.into_iter().chain(arrival).chain(following).min()
    }

    fn pass_time_until(&mut self, time: Time) {
        let waiting = self.all_waiting() as u128;
        self.record.queue_time += waiting * u128::from((time - self.now).0);
        self.now = time;
    }

    /// Times what comes next for a running job; what was timed before becomes stale.
    fn schedule(&mut self, job: JobId) {
        let progress = &mut self.progress[job];
        progress.epoch += 1;
        let epoch = progress.epoch;
        let stint = progress.stint.as_ref().expect("a running job");
        let mut add = |time, class| {
            self.calendar.add(Event {
                time,
                class,
                job,
                epoch,
            });
        };
        if stint.since > self.now {
            add(stint.since, Class::PauseEnd);
        }
        if stint.rate > 0.0 {
            let end = stint.since.after(progress.remaining / stint.rate);
            add(end, Class::Finish);
            if let Some(time) = stint.migrates.filter(|&time| time < end) {
                add(time, Class::VmMigration);
            }
        }
    }

    fn finish(&mut self, job: JobId) {
        self.record.event(self.now, Kind::Finish, job);
        self.leave(job);
        let start = self.progress[job].first_start.expect("a finished job");
        self.done.add(&self.jobs[job].ask(job), self.now - start);
        let end = self.now;
        self.decide(job, Fate::Ran { start, end });
    }

    /// Takes a running job off the system.
    fn leave(&mut self, job: JobId) {
        let ask = self.ask(job);
        let progress = &mut self.progress[job];
        let mut stint = progress.stint.take().expect("a running job");
        stint.sync(self.now, &mut progress.remaining);
        progress.remaining /= self.system.stretch(&stint.place);
        progress.worked_from = stint.since;
        progress.from_background = stint.place.background();
        self.system.free(&ask, &stint.place);
        let held = self.now - stint.start;
        self.record.stop(self.now, job, held, &stint.place);
        self.running.remove(&job);
    }

    /// Gives the jobs whose rate has changed their new end.
    fn retime(&mut self) {
        let mut touched = Vec::new();
        self.system.touched(&mut touched);
        for job in touched {
            let Some(Some(progress)) = self.progress.0.get_mut(job) else {
                continue;
            };
            let Some(stint) = &mut progress.stint else {
                continue;
            };
            let rate = self.system.rate(&self.jobs[job].ask(job), &stint.place);
            if !stint.place.background() {
                self.record.slowest = self.record.slowest.min(rate);
            }
            if rate != stint.rate || S::SYNCED_TOGETHER {
                stint.sync(self.now, &mut progress.remaining);
            }
            if rate != stint.rate {
                stint.rate = rate;
                self.schedule(job);
            }
        }
    }
}

/// A look at the system with some running jobs off it, undone afterwards.
struct Trial<'a, S: System> {
    system: &'a mut S,
    jobs: &'a Window<JobId, Job>,
    progress: &'a InHand<S::Place>,
    released: Vec<JobId>,
}

impl<S: System> Trial<'_, S> {
    fn release(&mut self, job: JobId) {
        let stint = self.progress[job].stint.as_ref().expect("a running job");
        self.system.free(&self.jobs[job].ask(job), &stint.place);
        self.released.push(job);
    }

    fn hold(&mut self, job: JobId) {
        let stint = self.progress[job].stint.as_ref().expect("a running job");
        self.system.hold(&self.jobs[job].ask(job), &stint.place);
        self.released.retain(|&released| released != job);
    }

    fn undo(&mut self) {
        while let Some(&job) = self.released.last() {
            self.hold(job);
        }
    }
}
