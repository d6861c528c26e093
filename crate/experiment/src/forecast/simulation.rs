//! Runs as forecasts need them, whatever their system and policy: followed to an instant, and begun
//! anew from there.
//!
//! Invariant: a machine holds no job that was submitted at its instant or later.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use backfill_sim::engine::{Engine, Policy, Snapshot};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs, Request};
use backfill_sim::place::Placer;
use backfill_sim::policy::recorded::Recorded;
use backfill_sim::record::Outcome;
use backfill_sim::run::{self, OnPolicy, OnSystem};
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::{Examined, Examiner};
use backfill_sim::system::nodes::Nodes;
use backfill_sim::unit::{Span, Time};
use backfill_sim::workload::Arrivals;

/// A machine as it is just before an instant, with the jobs that run and wait: a future begins from a
/// copy of it.
#[derive(Clone)]
pub struct Machine {
    /// The snapshot of the engine of its system.
    snapshot: Arc<dyn Any + Send + Sync>,
    /// The id of the job that is submitted next.
    next: JobId,
    /// The jobs of the past that a policy must know of: the first one, and the one that requested the
    /// most bandwidth.
    past: Vec<Request>,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine before {}", self.next)
    }
}

/// A running job.
pub struct Running {
    /// When it started for the first time.
    pub start: Time,
    /// When it ends if its rate does not change.
    pub end: Option<Time>,
}

/// A run, whatever its system and policy.
pub trait Simulation: Any {
    /// Adds jobs, in the order of their submits.
    fn add_jobs(&mut self, jobs: Vec<Job>);

    /// Simulates all that happens up to an instant, that included.
    fn advance_to(&mut self, instant: Time);

    /// Simulates up to an instant, but not beyond the start of a job; returns when that was.
    fn advance_to_start(&mut self, job: JobId, limit: Time) -> Option<Time>;

    /// The present instant.
    fn now(&self) -> Time;

    /// When a job that is not forgotten started for the first time; `None` if it has not.
    fn first_start(&self, job: JobId) -> Option<Time>;

    /// The outcome so far of a job that is not forgotten.
    fn outcome(&self, job: JobId) -> Outcome;

    /// How it runs; `None` for one that does not run.
    fn running(&self, job: JobId) -> Option<Running>;

    /// The work that a job in hand will have done by an instant; `None` if it has not started.
    fn done_by(&self, job: JobId, instant: Time) -> Option<Span>;

    /// The jobs of the queue.
    fn waiting(&self) -> &BTreeSet<JobId>;

    /// What may be seen of a job; `None` of one that is not known or is forgotten.
    fn request(&self, job: JobId) -> Option<Request>;

    /// How many slots are free.
    fn free_slots(&self) -> u64;

    /// Forgets the first jobs, up to one that is not done with, and hands over what became of them.
    /// Returns the first that is not forgotten.
    fn forget(&mut self, see: &mut dyn FnMut(JobId, Outcome)) -> JobId;

    /// The id of the job that is added next.
    fn next_job(&self) -> JobId;

    /// The machine as it is now.
    fn machine(&self, past: Vec<Request>) -> Machine;
}

impl<S: Examined> Simulation for Engine<'static, S> {
    fn add_jobs(&mut self, jobs: Vec<Job>) {
        self.add_jobs(jobs);
    }

    fn advance_to(&mut self, instant: Time) {
        self.advance_to(instant);
    }

    fn advance_to_start(&mut self, job: JobId, limit: Time) -> Option<Time> {
        self.advance_to_start(job, limit)
    }

    fn now(&self) -> Time {
        self.seen().now()
    }

    fn first_start(&self, job: JobId) -> Option<Time> {
        self.seen().first_start(job)
    }

    fn outcome(&self, job: JobId) -> Outcome {
        self.seen().outcome(job)
    }

    fn running(&self, job: JobId) -> Option<Running> {
        let cx = self.seen();
        cx.place(job)?;
        Some(Running {
            start: cx.first_start(job)?,
            end: cx.end(job),
        })
    }

    fn done_by(&self, job: JobId, instant: Time) -> Option<Span> {
        self.seen().done_by(job, instant)
    }

    fn waiting(&self) -> &BTreeSet<JobId> {
        self.seen().waiting()
    }

    fn request(&self, job: JobId) -> Option<Request> {
        let cx = self.seen();
        cx.knows(job).then(|| cx.request(job))
    }

    fn free_slots(&self) -> u64 {
        self.seen().system().free_slots()
    }

    fn forget(&mut self, see: &mut dyn FnMut(JobId, Outcome)) -> JobId {
        let mut first = self.seen().first_job();
        self.forget(|job, _, history| {
            see(job, history.outcome);
            first = JobId(job.0 + 1);
        });
        first
    }

    fn next_job(&self) -> JobId {
        self.seen().next_job()
    }

    fn machine(&self, past: Vec<Request>) -> Machine {
        Machine {
            snapshot: Arc::new(self.snapshot()),
            next: self.seen().next_job(),
            past,
        }
    }
}

/// The run of a setup at its beginning, without jobs.
pub fn begun(setup: &Setup) -> Box<dyn Simulation> {
    run::on_policy(setup, no_jobs(), Begun { setup })
}

struct Begun<'a> {
    setup: &'a Setup,
}

impl OnPolicy for Begun<'_> {
    type Out = Box<dyn Simulation>;

    fn on<S: Examined>(
        self,
        system: S,
        policy: Box<dyn Policy<S>>,
        jobs: Arrivals,
    ) -> Box<dyn Simulation> {
        let cost = self.setup.options.migration_cost;
        Box::new(Engine::new(system, policy, jobs, cost, false))
    }
}

/// Plain nodes just before `at`, on which these jobs run since their recorded starts and wait where they
/// have none. The jobs are in the order of their submits, which are before `at`.
pub(super) fn occupied(nodes: u32, mut jobs: Vec<Job>, at: Time) -> Machine {
    for job in &mut jobs {
        job.recorded_start.get_or_insert(Box::new(at));
    }
    let first = jobs.iter().take(1).map(|job| job.request(JobId(0)));
    let past = first.collect();
    let policy = Box::new(Recorded::default());
    let system = Nodes::new(nodes);
    let mut engine = Engine::new(system, policy, Jobs::from(jobs), Span(0), false);
    engine.advance_to(Time(at.0.saturating_sub(1)));
    engine.machine(past)
}

fn no_jobs() -> Arrivals {
    Arrivals::from(Jobs::from(Vec::new()))
}

impl Machine {
    /// The id of the job that is submitted next.
    pub(super) fn next(&self) -> JobId {
        self.next
    }

    /// A run that goes on from here under the policy of a setup, which is called for a pass at `from`.
    /// The jobs of `changed` have these run times and estimates; they are ascending.
    ///
    /// # Panics
    /// The setup has another system.
    pub fn resumed(
        &self,
        setup: &Setup,
        from: Time,
        changed: &[(JobId, [Span; 2])],
    ) -> Box<dyn Simulation> {
        let machine = self;
        let resumed = Resumed {
            machine,
            from,
            changed,
        };
        run::on_policy(setup, no_jobs(), resumed)
    }
}

struct Resumed<'a> {
    machine: &'a Machine,
    from: Time,
    changed: &'a [(JobId, [Span; 2])],
}

impl OnPolicy for Resumed<'_> {
    type Out = Box<dyn Simulation>;

    fn on<S: Examined>(self, _: S, policy: Box<dyn Policy<S>>, _: Arrivals) -> Box<dyn Simulation> {
        let Resumed {
            machine,
            from,
            changed,
        } = self;
        let snapshot = machine.snapshot.downcast_ref::<Snapshot<S>>();
        let snapshot = snapshot.expect("a machine of this system");
        let of = |job: JobId| {
            let position = changed.binary_search_by_key(&job, |of| of.0);
            position.ok().map(|position| changed[position].1)
        };
        Box::new(snapshot.resumed(policy, &machine.past, from, of))
    }
}

/// Whether the placement of a setup finds a place: in a run of it as it is now, or on the empty system.
pub(super) fn fits(setup: &Setup, request: Request, simulation: Option<&dyn Simulation>) -> bool {
    let fits = Fits {
        simulation,
        request,
    };
    run::on_system(setup, no_jobs(), fits)
}

struct Fits<'a> {
    simulation: Option<&'a dyn Simulation>,
    request: Request,
}

impl OnSystem for Fits<'_> {
    type Out = bool;

    fn on<S: Examined>(
        self,
        empty: S,
        mut placer: Box<dyn Placer<S>>,
        _: &dyn Examiner<S>,
        _: Arrivals,
    ) -> bool {
        placer.arrived(&self.request);
        let engine = self.simulation.map(|simulation| {
            let engine = (simulation as &dyn Any).downcast_ref::<Engine<'static, S>>();
            engine.expect("a run of this system")
        });
        let system = engine.map_or(&empty, |engine| engine.seen().system());
        placer.place(system, &self.request).is_some()
    }
}
