//! Passes told: they are those of the run, and each step is true.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use backfill_experiment::inspect::pass::{Effect, Nearest, Pass, PassCount, Passes, Step, Turn};
use backfill_sim::engine::{Context, Engine, Policy};
use backfill_sim::id::{Id, JobId};
use backfill_sim::job::{Jobs, Request};
use backfill_sim::machine::{Placement, System};
use backfill_sim::place::{Declined, Placer};
use backfill_sim::policy::Queue;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::parts::{Behind, MayPreempt};
use backfill_sim::record::{Outcome, Record};
use backfill_sim::run::{self, OnSystem};
use backfill_sim::setup::Setup;
use backfill_sim::system::PlacementPolicy;
use backfill_sim::system::describe::{Examined, Examiner};
use backfill_sim::unit::Time;
use backfill_sim::workload::Arrivals;
use backfill_tests::runs::{
    allocations_of, finish, impatient, on_every_system, one_point, outcomes_of, random_jobs,
    random_jobs_with_usage, setup,
};

/// Pairs and one more.
fn with<'a>(system: &[(&'a str, &'a str)], more: (&'a str, &'a str)) -> Vec<(&'a str, &'a str)> {
    [system, &[more]].concat()
}

/// Every policy with every placement on small systems of the kinds that [`on_every_system`] leaves out
/// or has few policies on, and some with switches of their own.
fn others() -> Vec<Setup> {
    let nodes = [("system", "nodes"), ("nodes", "9")];
    let pool = [("system", "pool"), ("vms", "9")];
    let centres = [
        ("system", "pool"),
        ("vms", "5"),
        ("centres", "3"),
        ("centre_mbps", "1:2:1"),
    ];
    let clusters = |nodes| {
        [
            ("system", "multi-cluster"),
            ("clusters", "3"),
            ("nodes_per_cluster", nodes),
        ]
    };
    let systems = [
        nodes.to_vec(),
        with(&nodes, ("tiers", "2")),
        pool.to_vec(),
        with(&pool, ("elastic", "corrected")),
        with(&pool, ("elastic", "literal")),
        centres.to_vec(),
        with(&centres, ("elastic", "corrected")),
        clusters("5").to_vec(),
        clusters("7+4+2").to_vec(),
    ];
    let mut setups = Vec::new();
    for system in &systems {
        let kind = setup(&with(system, ("policy", "fcfs"))).system.kind();
        let two_tiers = system.contains(&("tiers", "2"));
        // What a log's scheduler did is tried on its own.
        let queues = Queue::on(kind).filter(|&queue| queue != Queue::Recorded);
        for queue in queues.filter(|queue| two_tiers || !queue.consolidates()) {
            for placement in PlacementPolicy::on(kind) {
                let policy = format!("{queue}+{placement}");
                setups.push(setup(&with(system, ("policy", &policy))));
            }
        }
    }
    let own = [
        (1, "amcbf+index(migration_cost_s=2)"),
        (1, "cmcbf+index(migration_cost_s=3)"),
        (2, "zomt+count(long_wait=off,rratio=0.9)"),
        (2, "ljfs+count(slist_capacity=9)"),
        (2, "zomt+count(slist_capacity=7)"),
        (7, "list+b4(order=size,behind=reserve,depth=3)"),
        (8, "fpfs+first-fit(local_first=off)"),
        (8, "bgmbf+b1(migration_cost_s=2)"),
    ];
    setups.extend(own.map(|(system, policy)| setup(&with(&systems[system], ("policy", policy)))));
    setups
}

/// Nodes under conservative backfilling.
fn conservative() -> Setup {
    setup(&[
        ("system", "nodes"),
        ("nodes", "9"),
        ("policy", "conservative+index"),
    ])
}

/// Random jobs for one of them.
pub(crate) fn jobs_for(setup: &Setup, seed: u64) -> Jobs {
    let slots = setup.system.capacity().slots;
    let mut jobs = if setup.queue.consolidates() {
        random_jobs_with_usage(seed, slots)
    } else {
        random_jobs(seed, slots)
    };
    if let Some(spec) = setup.system.multi_cluster() {
        for id in jobs.ids() {
            jobs[id].home = id.0 % spec.nodes.len() as u32;
        }
    }
    jobs
}

/// Calls `check` with them, and random jobs for each.
pub(crate) fn on_others(seeds: std::ops::Range<u64>, mut check: impl FnMut(&Setup, Jobs)) {
    let setups = others();
    for seed in seeds {
        for setup in &setups {
            check(setup, jobs_for(setup, seed));
        }
    }
}

pub(crate) fn rounds(usual: u64, long: u64) -> std::ops::Range<u64> {
    0..if backfill_tests::long() { long } else { usual }
}

/// All passes of a run, told.
pub(crate) fn told(passes: &mut Passes) -> Vec<Pass> {
    let count = passes.counts().len();
    let pass = |position| passes.pass(position).expect("there are so many");
    (0..count).map(pass).collect()
}

/// That told passes start, move and suspend what the run does.
fn are_those_of_the_run(setup: &Setup, jobs: &Jobs) -> Vec<Pass> {
    let mut passes = Passes::new(setup, jobs.clone());
    let told = told(&mut passes);
    let finished = finish(setup, jobs);
    let of = |pass: &Pass| {
        let time = pass.time;
        let placed = pass.steps.iter().filter_map(move |step| match step {
            Step::Started { job, shares, .. } | Step::Moved { job, shares, .. } => {
                Some((time, *job, shares.clone()))
            }
            _ => None,
        });
        placed.collect::<Vec<_>>()
    };
    let found: Vec<_> = told.iter().flat_map(of).collect();
    let expected = allocations_of(&finished.replay.record).iter();
    let expected = expected.map(|of| (of.start, of.job, of.shares().collect::<Vec<_>>()));
    assert_eq!(found, expected.collect::<Vec<_>>(), "{setup:?}");
    ends_are_those_of_the_run(&told, &finished.replay.record);
    let dismissed = |pass: &Pass| {
        let steps = pass.steps.iter().filter_map(|step| match step {
            Step::Dismissed { job, outcome } => Some((*job, *outcome)),
            _ => None,
        });
        steps.collect::<Vec<_>>()
    };
    let mut dismissed: Vec<_> = told.iter().flat_map(dismissed).collect();
    dismissed.sort_unstable_by_key(|of| of.0);
    let outcomes = outcomes_of(&finished.replay.record);
    let never_ran = outcomes.iter_enumerated().filter(|of| {
        let ran = matches!(of.1, Outcome::Ran { .. } | Outcome::Left { .. });
        !ran && *of.1 != Outcome::Open
    });
    let never_ran: Vec<_> = never_ran.map(|(job, outcome)| (job, *outcome)).collect();
    assert_eq!(dismissed, never_ran, "{setup:?}");
    let teller = passes.teller();
    for step in told.iter().flat_map(|pass| &pass.steps) {
        let sentence = teller.sentence(step, &|time| time.to_string());
        let is_one = sentence.ends_with('.') && !sentence.contains("  ");
        assert!(is_one, "{sentence}");
    }
    for (pass, count) in told.iter().zip(passes.counts()) {
        let many = |is: fn(&Step) -> bool| pass.steps.iter().filter(|step| is(step)).count();
        let found = PassCount {
            time: pass.time,
            starts: many(|step| matches!(step, Step::Started { .. })) as u32,
            suspensions: many(|step| matches!(step, Step::Suspended { .. })) as u32,
            ..*count
        };
        assert_eq!(found, *count, "{setup:?}");
    }
    told
}

/// That jobs which start or move end when it is told, unless a later pass suspends or moves them or
/// changes their speed.
fn ends_are_those_of_the_run(told: &[Pass], record: &Record) {
    for (position, pass) in told.iter().enumerate() {
        let mut ends = BTreeMap::new();
        for step in &pass.steps {
            match step {
                Step::Started { job, end, .. } | Step::Moved { job, end, .. } => {
                    ends.insert(*job, *end);
                }
                Step::Suspended { job } => {
                    ends.remove(job);
                }
                _ => {}
            }
        }
        let next = told.get(position + 1);
        for (job, end) in ends {
            let mut running = next.into_iter().flat_map(|next| &next.running);
            let known = match running.find(|of| of.job == job) {
                Some(running) => running.end,
                None => {
                    let own = allocations_of(record).iter().filter(|of| of.job == job);
                    let of = { own }.rfind(|of| of.start == pass.time);
                    Some(of.expect("it ran").end)
                }
            };
            assert_eq!(end, known, "{job} at {}", pass.time);
        }
    }
}

#[test]
fn told_passes_start_and_suspend_what_the_run_does() {
    let mut passes = 0;
    for round in rounds(1, 10) {
        on_every_system(|setup, seed| {
            let jobs = random_jobs(1000 * round + seed, setup.system.capacity().slots);
            passes += are_those_of_the_run(setup, &jobs).len();
            passes += are_those_of_the_run(setup, &impatient(jobs, seed)).len();
        });
    }
    on_others(rounds(2, 50), |setup, jobs| {
        passes += are_those_of_the_run(setup, &jobs).len();
    });
    let mut recorded = conservative();
    recorded.queue = Queue::Recorded;
    let mut jobs = random_jobs(1, 9);
    for id in jobs.ids() {
        let start = Time(jobs[id].submit.0 + 5_000_000 * u64::from(id.0 % 3));
        jobs[id].recorded_start = (id.0 % 7 > 0).then(|| Box::new(start));
    }
    passes += are_those_of_the_run(&recorded, &jobs).len();
    assert!(passes > 10_000, "{passes}");
}

#[test]
fn every_pass_of_the_default_scenario_is_told() {
    for policy in [
        "fcfs+adaba",
        "easy+adaba",
        "bgmbf+adaba",
        "none+adaba",
        "easy+first-fit",
    ] {
        let (scenario, cell) = one_point(&[("policy", policy), ("x", "none"), ("reps", "1")]);
        let parts = backfill_experiment::study::sweep::parts(&scenario, cell, None);
        let (setup, jobs) = parts.expect("jobs are generated");
        are_those_of_the_run(&setup, &jobs);
    }
}

/// A list scheduler whose told passes are held against the state in which they were made.
struct Judge<'a, S: System> {
    policy: ListPolicy<'a, S>,
    /// That of the policy.
    placer: Box<dyn Placer<S> + 'a>,
    told: std::vec::IntoIter<Pass>,
    seen: Rc<RefCell<BTreeMap<&'static str, u32>>>,
}

/// The state of a system in the middle of a pass.
struct State<S: System> {
    system: S,
    now: Time,
    /// The running jobs, their placements and estimated ends.
    running: BTreeMap<JobId, (Request, S::Placement, Time)>,
}

impl<S: System> State<S> {
    /// The state once the running jobs have left that end by then.
    fn after(&self, time: Time) -> S {
        self.without(|_, end| end <= time)
    }

    fn without(&self, leaves: impl Fn(JobId, Time) -> bool) -> S {
        let mut system = self.system.clone();
        for (&job, (request, placement, end)) in &self.running {
            if leaves(job, *end) {
                system.free(request, placement);
            }
        }
        system
    }
}

impl<S: Examined> Policy<S> for Judge<'_, S> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        self.policy.arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        let told = self.told.next().expect("every pass is told");
        assert_eq!(told.time, cx.now());
        if self.policy.parts.behind == Behind::Reject {
            // Jobs were tried as they arrived.
            return self.policy.pass(cx);
        }
        assert_eq!(told.free, cx.system().free_slots());
        let queued: Vec<JobId> = told.queue.iter().map(|of| of.job).collect();
        let mut by_arrival = queued.clone();
        by_arrival.sort_unstable();
        let waiting: Vec<JobId> = cx.waiting().iter().copied().collect();
        assert_eq!(by_arrival, waiting);
        let told_running: Vec<JobId> = told.running.iter().map(|of| of.job).collect();
        let running: Vec<JobId> = cx.running().iter().copied().collect();
        assert_eq!(told_running, running);
        self.judge(cx, &told);
        self.policy.pass(cx);
        // What the run reserves where it needs to is what is told.
        let reserved = self.policy.reserved();
        let first = told.steps.iter().filter_map(|step| match step {
            Step::Reserved { job, start, .. } => Some((*job, *start)),
            _ => None,
        });
        let first: Vec<_> = first.collect();
        assert!(
            reserved.is_empty() || *reserved == first[..],
            "{reserved:?}, {first:?}"
        );
    }

    fn left(&mut self, job: JobId, placement: &S::Placement) {
        self.policy.left(job, placement);
    }

    fn withdrawn(&mut self, cx: &mut Context<S>, job: JobId) {
        self.policy.withdrawn(cx, job);
    }
}

impl<S: Examined> Judge<'_, S> {
    fn see(&self, what: &'static str) {
        *self.seen.borrow_mut().entry(what).or_default() += 1;
    }

    fn judge(&mut self, cx: &Context<S>, told: &Pass) {
        let now = cx.now();
        let running = cx.running().iter().map(|&job| {
            let placement = cx.place(job).expect("it runs").clone();
            (job, (cx.request(job), placement, cx.estimated_end(job)))
        });
        let mut state = State {
            system: cx.system().clone(),
            now,
            running: running.collect(),
        };
        let several = self.policy.parts.depth != Some(1);
        let mut reservations: Vec<(JobId, Time)> = Vec::new();
        let mut then = None;
        let mut suspended = Vec::new();
        let steps = told.steps.iter().filter(|step| match step {
            Step::Dismissed { .. } => false,
            Step::Tried { turn, .. } => *turn != Turn::Arrival,
            _ => true,
        });
        for step in steps {
            match step {
                &Step::Tried { job, fits, .. } => {
                    let found = self.placer.place(&state.system, &cx.request(job));
                    assert_eq!(found.is_some(), fits, "{step:?}");
                    self.see(if fits { "fits" } else { "does not fit" });
                }
                Step::PassedOver { than, jobs } => {
                    let least = cx.request(*than);
                    for request in jobs.iter().map(|&job| cx.request(job)) {
                        assert!(request.size >= least.size);
                        assert!(!S::LINKS || request.bandwidth >= least.bandwidth);
                        assert!(self.placer.place(&state.system, &request).is_none());
                    }
                    self.see("passed over");
                }
                &Step::Declined {
                    job,
                    leaves,
                    most,
                    until,
                } => {
                    // What it could have in the room of others is judged by the differential.
                    match self.placer.place(&state.system, &cx.request(job)) {
                        Some(own) => assert_eq!(own.leaves().map(|of| of[0]), Some(leaves)),
                        None => assert_ne!(self.policy.parts.may_preempt, MayPreempt::Never),
                    }
                    assert!(leaves > most && until > now, "{step:?}");
                    self.see("declined");
                }
                &Step::Stopped { head, behind } => {
                    assert_eq!(
                        Some(head),
                        told.queue
                            .iter()
                            .map(|of| of.job)
                            .find(|job| { !state.running.contains_key(job) })
                    );
                    let started = told.queue.iter();
                    let started = started
                        .filter(|of| state.running.contains_key(&of.job))
                        .count();
                    assert_eq!(behind, told.queue.len() - started - 1);
                    self.see("stopped");
                }
                Step::Reserved {
                    job,
                    start,
                    last,
                    ended,
                } => {
                    assert!(!last.is_empty());
                    if reservations.is_empty() {
                        let request = cx.request(*job);
                        let ends = state.running.values().map(|of| of.2);
                        let by = ends.clone().filter(|end| end <= start).count();
                        assert_eq!(*ended, by, "{step:?}");
                        let own = |job: &JobId| state.running[job].2 == *start;
                        assert!(last.iter().all(own), "{step:?}");
                        let mut before: Vec<Time> = ends.filter(|end| end < start).collect();
                        before.sort_unstable();
                        before.dedup();
                        for end in before {
                            let system = state.after(end);
                            assert!(self.placer.place(&system, &request).is_none(), "{step:?}");
                        }
                        let system = state.after(*start);
                        assert!(self.placer.place(&system, &request).is_some(), "{step:?}");
                        then = Some(system);
                        self.see("reserved");
                    }
                    reservations.push((*job, *start));
                }
                &Step::Compared {
                    job,
                    end,
                    reserved,
                    start,
                    effect,
                } => {
                    assert!(reservations.contains(&(reserved, start)), "{step:?}");
                    // Who is suspended in this pass has done more than what is known before it.
                    if !suspended.contains(&job) {
                        assert_eq!(end, state.now + cx.estimated_length(job));
                    }
                    let first = reservations.iter().map(|of| of.1).min().expect("one");
                    assert_eq!(effect == Effect::EndsBefore, end <= first, "{step:?}");
                    let then = then.as_mut().expect("it is reserved before");
                    if end > first && !several {
                        let request = cx.request(job);
                        let own = self.placer.place(&state.system, &request);
                        let own = own.expect("it fits now");
                        then.hold(&request, &own);
                        let fits = self.placer.place(then, &cx.request(reserved)).is_some();
                        assert_eq!(fits, effect == Effect::FitsBeside, "{step:?}");
                        if !fits {
                            then.free(&request, &own);
                        }
                    }
                    self.see(match effect {
                        Effect::EndsBefore => "ends before",
                        Effect::FitsBeside => "fits beside",
                        Effect::Delays => "delays",
                    });
                }
                Step::Preempts {
                    job,
                    candidates,
                    victims,
                } => {
                    let leaving = victims.as_ref().unwrap_or(candidates);
                    let system = state.without(|other, _| leaving.contains(&other));
                    let found = self.placer.place(&system, &cx.request(*job));
                    assert_eq!(found.is_some(), victims.is_some(), "{step:?}");
                    assert!(leaving.iter().all(|other| candidates.contains(other)));
                    self.see("preempts");
                }
                Step::Suspended { job } => {
                    suspended.push(*job);
                    let (request, placement, _) = state.running.remove(job).expect("it runs");
                    state.system.free(&request, &placement);
                }
                Step::Started {
                    job,
                    estimated_end,
                    shares,
                    ..
                } => {
                    let request = cx.request(*job);
                    let placement = self.placer.place(&state.system, &request);
                    let placement = placement.expect("it fits");
                    assert_eq!(placement.shares().collect::<Vec<_>>(), *shares);
                    state.system.hold(&request, &placement);
                    let stay = (request, placement, *estimated_end);
                    state.running.insert(*job, stay);
                }
                other => panic!("no step of a list scheduler: {other:?}"),
            }
        }
    }
}

/// Judges the told passes of a setup.
struct Trial<'a> {
    setup: &'a Setup,
    told: Vec<Pass>,
    seen: Rc<RefCell<BTreeMap<&'static str, u32>>>,
}

impl OnSystem for Trial<'_> {
    type Out = ();

    fn on<S: Examined>(
        self,
        system: S,
        placer: Box<dyn Placer<S>>,
        _: &dyn Examiner<S>,
        jobs: Arrivals,
    ) {
        let shared = Rc::new(RefCell::new(placer));
        let mut judge = Judge {
            policy: run::list_policy(self.setup, Box::new(SharedPlacer(shared.clone()))),
            placer: Box::new(SharedPlacer(shared)),
            told: self.told.into_iter(),
            seen: self.seen,
        };
        let cost = self.setup.options.migration_cost;
        let mut engine = Engine::new(system, Box::new(&mut judge), jobs, cost, false);
        while !engine.advance(u64::MAX) {}
        drop(engine);
        assert_eq!(judge.told.next(), None, "no pass is told that was not made");
    }
}

/// A placer that the policy shares with who judges it.
struct SharedPlacer<S: System>(Rc<RefCell<Box<dyn Placer<S>>>>);

impl<S: System> Placer<S> for SharedPlacer<S> {
    fn place(&mut self, system: &S, request: &Request) -> Option<S::Placement> {
        self.0.borrow_mut().place(system, request)
    }

    fn exists(&self, system: &S, request: &Request) -> Option<bool> {
        self.0.borrow().exists(system, request)
    }

    fn declined(&self, request: &Request, placement: &S::Placement) -> Option<Declined> {
        self.0.borrow().declined(request, placement)
    }

    fn slots_decide(&self) -> bool {
        self.0.borrow().slots_decide()
    }

    fn largest(&self, system: &S) -> u64 {
        self.0.borrow().largest(system)
    }

    fn revision(&self) -> u64 {
        self.0.borrow().revision()
    }

    fn arrived(&mut self, request: &Request) {
        self.0.borrow_mut().arrived(request);
    }
}

#[test]
fn each_step_of_a_told_pass_is_true() {
    let seen = Rc::new(RefCell::new(BTreeMap::new()));
    let judge = |setup: &Setup, jobs: Jobs| {
        let told = told(&mut Passes::new(setup, jobs.clone()));
        let trial = Trial {
            setup,
            told,
            seen: seen.clone(),
        };
        run::on_system(setup, Arrivals::from(jobs), trial);
    };
    for round in rounds(1, 10) {
        on_every_system(|setup, seed| {
            let seed = 7000 + 1000 * round + seed;
            judge(setup, random_jobs(seed, setup.system.capacity().slots));
        });
    }
    on_others(rounds(1, 50), |setup, jobs| {
        // Of the others, `steps` judges what decides before a list scheduler does.
        let alone = setup.queueing.routing.capacity.is_none()
            && setup.queueing.elasticity.interpretation == MachinesOn::All;
        if setup.queueing.parts(setup.queue).is_some() && alone {
            judge(setup, jobs);
        }
    });
    for what in [
        "fits",
        "does not fit",
        "passed over",
        "declined",
        "stopped",
        "reserved",
        "ends before",
        "fits beside",
        "delays",
        "preempts",
    ] {
        assert!(seen.borrow().get(what) > Some(&20), "{what}: {seen:?}");
    }
}

/// Every reservation of a conservative pass is the earliest that running jobs and all others leave.
#[test]
fn conservative_reservations_are_the_earliest_beside_all_others() {
    let setup = conservative();
    let mut reservations = 0;
    for seed in rounds(20, 200) {
        let jobs = random_jobs(seed, 9);
        for pass in told(&mut Passes::new(&setup, jobs.clone())) {
            let extent = |job: JobId| (u64::from(jobs[job].size), jobs[job].estimate.0.max(1));
            let reserved = pass.steps.iter().filter_map(|step| match step {
                Step::Reserved {
                    job, start, last, ..
                } => Some((*job, start.0, last)),
                _ => None,
            });
            let reserved: Vec<(JobId, u64, &Vec<JobId>)> = reserved.collect();
            assert_eq!(reserved.len(), pass.queue.len());
            // Who overruns its estimate may end at any moment.
            let running = pass.running.iter().map(|of| {
                let end = of.estimated_end.0.max(pass.time.0 + 1);
                (of.job, pass.time.0, end)
            });
            let waiting = reserved.iter();
            let waiting = waiting.map(|of| (of.0, of.1, of.1 + extent(of.0).1));
            let held: Vec<(JobId, u64, u64)> = running.chain(waiting).collect();
            let fits = |own: JobId, start: u64| {
                let (size, length) = extent(own);
                let others = held.iter().filter(|of| of.0 != own);
                let starts = others.clone().map(|of| of.1.max(start));
                let mut instants = starts.filter(|at| *at < start + length).chain([start]);
                instants.all(|at| {
                    let there = others.clone().filter(|of| of.1 <= at && at < of.2);
                    size + there.map(|of| extent(of.0).0).sum::<u64>() <= 9
                })
            };
            for &(job, start, last) in &reserved {
                assert!(fits(job, start), "{job} at {start}");
                let ends = held.iter().map(|of| of.2).filter(|end| *end < start);
                let mut earlier = ends.chain([pass.time.0]).filter(|at| *at < start);
                assert!(!earlier.any(|at| fits(job, at)), "{job} at {start}");
                let ends = |other: &JobId| held.iter().any(|of| of.0 == *other && of.2 == start);
                assert!(last.iter().all(ends));
                assert_eq!(last.is_empty(), start == pass.time.0, "{job} at {start}");
            }
            reservations += reserved.len();
        }
    }
    assert!(reservations > 200);
}

#[test]
fn instants_lead_to_passes() {
    let setup = setup(&[
        ("system", "nodes"),
        ("nodes", "9"),
        ("policy", "easy+index"),
    ]);
    let jobs = random_jobs(3, 9);
    let mut passes = Passes::new(&setup, jobs.clone());
    let counts = passes.counts().to_vec();
    for (position, count) in counts.iter().enumerate() {
        let same = |which| passes.nearest(count.time, which);
        let at = |position: Option<usize>| position.map(|position| counts[position].time);
        assert_eq!(at(same(Nearest::UpTo)), Some(count.time));
        assert!(at(same(Nearest::Before)) < Some(count.time));
        assert!(same(Nearest::After).is_none_or(|next| counts[next].time > count.time));
        let decision = passes.decision(position, false);
        let between = position + 1..decision.unwrap_or(counts.len());
        let decides = |count: &PassCount| count.starts + count.suspensions > 0;
        assert!(!counts[between].iter().any(decides));
        assert!(decision.is_none_or(|decision| decides(&counts[decision])));
    }
    let finished = finish(&setup, &jobs);
    for allocation in allocations_of(&finished.replay.record) {
        let position = passes.start_of(allocation.job).expect("it starts");
        let pass = passes.pass(position).expect("there is one");
        let starts =
            |step: &Step| matches!(step, Step::Started { job, .. } if *job == allocation.job);
        assert!(pass.steps.iter().any(starts), "{}", allocation.job);
    }
    assert_eq!(passes.start_of(JobId::new(jobs.len())), None);
    assert_eq!(passes.pass(counts.len()), None);
}
