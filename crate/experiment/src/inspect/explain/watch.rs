//! The run that finds out what can be said of a job: the jobs run again, one of them watched.

use std::cell::Cell;

use super::facts::{Explanation, Possible, Statement};
use backfill_sim::engine::Policy;
use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::{Id, JobId};
use backfill_sim::job::{After, Job, Jobs, Request};
use backfill_sim::machine::System;
use backfill_sim::place::{Declined, Placer};
use backfill_sim::policy::Queue;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::parts::Behind;
use backfill_sim::record::Outcome;
use backfill_sim::run::{self, OnSystem};
use backfill_sim::setup::Setup;
use backfill_sim::system::describe::{Examined, Examiner};
use backfill_sim::unit::{Kbps, Time};
use backfill_sim::workload::Arrivals;

/// Why it cannot be said why a job waits, in a sentence; `None` where it can: under policies that
/// try jobs one by one and know of all.
pub fn unexplained(setup: &Setup) -> Option<String> {
    let queue = setup.queue;
    let tried =
        !queue.consolidates() && !matches!(queue, Queue::Conservative | Queue::Fair | Queue::Zomt);
    let known = setup.queueing.routing.capacity.is_none()
        && setup.queueing.elasticity.interpretation == MachinesOn::All;
    let explained = tried && known;
    (!explained).then(|| format!("what {queue} does cannot be explained: choose another policy"))
}

/// Why `job` is not running at `at`, or when it arrived where that is `None`.
///
/// Costs one run up to that instant.
///
/// # Panics
/// `jobs` has no such job, or the policy cannot be explained ([`unexplained`]).
pub fn explain(setup: &Setup, jobs: Jobs, job: JobId, at: Option<Time>) -> Explanation {
    let question = Question { setup, at, job };
    run::on_system(setup, Arrivals::from(jobs), question)
}

/// What is asked.
struct Question<'a> {
    setup: &'a Setup,
    job: JobId,
    /// When; as it arrives where there is no instant.
    at: Option<Time>,
}

impl OnSystem for Question<'_> {
    type Out = Explanation;

    fn on<S: Examined>(
        self,
        system: S,
        placer: Box<dyn Placer<S>>,
        examiner: &dyn Examiner<S>,
        jobs: Arrivals,
    ) -> Explanation {
        let jobs = jobs.into_jobs();
        let job = self.job;
        let Job {
            number,
            submit: logged,
            size,
            bandwidth,
            ..
        } = jobs[job];
        let numbers: Vec<u64> = jobs.iter().map(|job| job.number).collect();
        let found = Cell::new(None);
        let witness = Witness {
            placer,
            job,
            trying: false,
            found: &found,
        };
        let mut watcher = Watcher {
            policy: run::list_policy(self.setup, Box::new(witness)),
            examiner,
            found: &found,
            job,
            numbers,
            passed: Time::default(),
            on_arrival: Vec::new(),
        };
        let cost = self.setup.options.migration_cost;
        let mut engine = Engine::new(
            system,
            Box::new(&mut watcher),
            Arrivals::from(jobs),
            cost,
            false,
        );
        if self.at.is_none() {
            // A job that another one has to end for arrives later than the log says.
            while !engine.context().has_arrived(job) && !engine.advance(1) {}
        }
        let submit = engine.context().request(job).submit;
        let at = self.at.unwrap_or(submit);
        engine.advance_to(at);
        let cx = &mut engine.into_context();
        let submit = cx.request(job).submit;
        let at = match cx.outcome(job) {
            Outcome::Open | Outcome::Ran { .. } | Outcome::Left { .. } => at,
            _ => submit,
        };
        let mut statements = watcher.statements(cx, at);
        if let Some(after) = cx.after(job).filter(|_| at == submit && logged < submit) {
            let followed = Statement::Followed {
                logged,
                submit,
                after: watcher.numbers[last_to_end(cx, after).index()],
                think: after.think,
            };
            statements.insert(0, followed);
        }
        Explanation {
            number,
            job,
            size,
            bandwidth: S::LINKS.then_some(bandwidth),
            unit: S::ABOUT.unit,
            part: S::ABOUT.part,
            spread_by_placement: S::ABOUT.confinement.is_some(),
            placement: self.setup.placement.to_string(),
            at,
            statements,
        }
    }
}

/// A placer that is watched for what it says of one job when it is really tried.
struct Witness<'a, S: System> {
    placer: Box<dyn Placer<S>>,
    job: JobId,
    trying: bool,
    found: &'a Cell<Option<bool>>,
}

impl<S: System> Placer<S> for Witness<'_, S> {
    fn place(&mut self, system: &S, request: &Request) -> Option<S::Placement> {
        let placement = self.placer.place(system, request);
        if request.index == self.job && std::mem::take(&mut self.trying) {
            self.found.set(Some(placement.is_some()));
        }
        placement
    }

    fn exists(&self, system: &S, request: &Request) -> Option<bool> {
        self.placer.exists(system, request)
    }

    fn declined(&self, request: &Request, placement: &S::Placement) -> Option<Declined> {
        self.placer.declined(request, placement)
    }

    fn arrived(&mut self, request: &Request) {
        self.placer.arrived(request);
    }

    fn attempted(&mut self, request: &Request) {
        self.trying |= request.index == self.job;
        self.placer.attempted(request);
    }

    fn started(&mut self, request: &Request) {
        self.placer.started(request);
    }
}

/// A policy that is watched for what it does with one job.
struct Watcher<'a, S: System> {
    policy: ListPolicy<'a, S>,
    examiner: &'a dyn Examiner<S>,
    /// Whether the placer found a placement for the job in the last pass; `None` if it was not
    /// asked.
    found: &'a Cell<Option<bool>>,
    job: JobId,
    numbers: Vec<u64>,
    /// The last pass.
    passed: Time,
    /// What stood in the way when it arrived, without a queue.
    on_arrival: Vec<Statement>,
}

impl<S: Examined> Policy<S> for Watcher<'_, S> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        if job == self.job && self.policy.parts.behind == Behind::Reject {
            self.on_arrival = self.no_room(cx);
        }
        self.policy.arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        self.found.set(None);
        self.passed = cx.now();
        self.policy.pass(cx);
    }

    fn withdrawn(&mut self, cx: &mut Context<S>, job: JobId) {
        self.policy.withdrawn(cx, job);
    }
}

/// Of the jobs that precede another one, one that has not ended, else the last to end.
fn last_to_end<S: System>(cx: &Context<S>, after: &After) -> JobId {
    let ended = |job: JobId| match cx.outcome(job) {
        Outcome::Open => None,
        Outcome::Ran { end, .. } => Some(end),
        _ => Some(Time::default()),
    };
    let open = after.jobs.iter().find(|&&job| ended(job).is_none());
    let last = open.or_else(|| after.jobs.iter().max_by_key(|&&job| ended(job)));
    *last.expect("a job precedes it")
}

impl<S: Examined> Watcher<'_, S> {
    fn statements(&self, cx: &mut Context<S>, at: Time) -> Vec<Statement> {
        let request = cx.request(self.job);
        if let Some(after) = cx.after(self.job)
            && let job = last_to_end(cx, after)
            && cx.outcome(job) == Outcome::Open
        {
            return vec![Statement::NotSubmitted {
                after: self.numbers[job.index()],
                think: after.think,
                earliest: request.submit,
            }];
        }
        if at < request.submit {
            let submit = request.submit;
            return vec![Statement::NotArrived { submit }];
        }
        if let Some(since) = cx.held_since(self.job) {
            let running = Statement::Running { since };
            let does = match cx.pays_until(self.job).filter(|&until| until > at) {
                Some(until) => Some(Statement::Paying { until }),
                None => self.slowed(cx),
            };
            return [running].into_iter().chain(does).collect();
        }
        match cx.outcome(self.job) {
            Outcome::Ran { end, .. } => vec![Statement::Ended { end }],
            Outcome::Left { time } => vec![Statement::Left {
                time,
                waited: time - request.submit,
            }],
            Outcome::Infeasible => {
                vec![infeasible(cx.empty_system(), self.examiner, request)]
            }
            Outcome::Unplaceable if cx.empty_system().slots() < u64::from(request.size) => {
                vec![Statement::Infeasible {
                    largest_size: cx.empty_system().slots() as u32,
                    largest_bandwidth: None,
                }]
            }
            Outcome::Unplaceable => {
                let empty = cx.empty_system();
                let exists = self.examiner.exists(empty, &request);
                let possible = exists.and_then(|_| possible(empty, self.examiner, &request));
                vec![Statement::Unplaceable { possible }]
            }
            Outcome::RejectedThoughPossible
            | Outcome::RejectedImpossible
            | Outcome::RejectedUndecided => self.on_arrival.clone(),
            Outcome::Open => self.waiting(cx),
        }
    }

    /// Why it runs more slowly than undisturbed, if it does.
    fn slowed(&self, cx: &Context<S>) -> Option<Statement> {
        let sharing = cx.sharing()?;
        let link = sharing.limit_of(self.job)?;
        let others = sharing.users_of(link).filter(|&job| job != self.job);
        Some(Statement::Slowed {
            share: sharing.share_of(self.job),
            speed: sharing.speed_of(self.job),
            link,
            name: cx.system().link(link),
            with: others.map(|job| self.numbers[job.index()]).collect(),
        })
    }

    /// Why it waits.
    fn waiting(&self, cx: &mut Context<S>) -> Vec<Statement> {
        let request = cx.request(self.job);
        let ranking = self.policy.ranking();
        let number = |job: JobId| self.numbers[job.index()];
        let (ahead, last) = ranking.before(cx, self.job);
        let finite = |job: JobId| {
            ranking
                .value(&cx.request(job))
                .filter(|value| value.is_finite())
        };
        let mut statements = Vec::new();
        if ranking.value(&request).is_some() {
            statements.push(Statement::InOrder {
                value: finite(self.job),
                before: last.map(|job| (number(job), finite(job))),
            });
        }
        let tried = self.passed;
        if let Some(&Declined {
            leaves,
            most,
            until,
        }) = self.policy.declined(self.job)
        {
            statements.push(Statement::Declined {
                tried,
                leaves,
                most,
                until,
            });
            return statements;
        }
        let head = number(self.policy.head(cx).expect("a job waits"));
        let reserved = self.policy.reserved().iter();
        let before: Vec<(u64, Time)> = reserved
            .take_while(|(job, _)| *job != self.job)
            .map(|&(job, start)| (number(job), start))
            .collect();
        match (self.found.get(), &before[..]) {
            (Some(true), &[(head, shadow)]) => statements.push(Statement::WouldDelay {
                tried,
                head,
                shadow,
                end: tried + cx.estimated_length(self.job),
            }),
            (Some(true), &[_, ..]) => statements.push(Statement::WouldDelayOne {
                tried,
                reserved: before,
                end: tried + cx.estimated_length(self.job),
            }),
            (Some(false), _) => statements.extend(self.no_room(cx)),
            (None | Some(true), _) => {
                statements.push(Statement::Behind { ahead, head });
                match self.examiner.fits(cx.system(), &request) {
                    Some(true) => {
                        let possible =
                            possible(cx.system(), self.examiner, &request).expect("one exists");
                        statements.push(Statement::Fits { possible });
                    }
                    Some(false) => statements.extend(self.no_room(cx)),
                    None => {}
                }
            }
        }
        let mut reserved = self.policy.reserved().iter();
        let own = reserved.find(|(job, _)| *job == self.job);
        let own = own.filter(|_| self.policy.reserved().len() > 1);
        statements.extend(own.map(|&(_, start)| Statement::Reserved { start }));
        statements
    }

    /// Why the placement finds no place, if it does not.
    fn no_room(&self, cx: &mut Context<S>) -> Vec<Statement> {
        let request = cx.request(self.job);
        match self.examiner.fits(cx.system(), &request) {
            None => match cx.system().free_slots() {
                free if free < u64::from(request.size) => vec![Statement::TooFewSlots { free }],
                _ => vec![Statement::NotFound],
            },
            Some(true) => {
                let possible = possible(cx.system(), self.examiner, &request).expect("one exists");
                vec![Statement::Missed { possible }]
            }
            Some(false) => {
                if self.examiner.fits(cx.empty_system(), &request) != Some(true) {
                    return Vec::new();
                }
                let obstacle = self.examiner.obstacle(cx.system(), &request).into();
                let fits = |system: &S| self.examiner.fits(system, &request) == Some(true);
                let later = cx.first_after_estimated_ends(fits);
                let (time, _) = later.expect("it fits once nothing runs");
                let ended = |job: &&JobId| cx.estimated_end(**job) <= time;
                let ended = cx.running().iter().filter(ended).count();
                vec![obstacle, Statement::FitsLater { time, ended }]
            }
        }
    }
}

/// A place that exists now: that which reserves least.
fn possible<S: System>(
    system: &S,
    examiner: &dyn Examiner<S>,
    request: &Request,
) -> Option<Possible> {
    examiner
        .possible(system, request)
        .as_ref()
        .map(Possible::of)
}

/// Fewer machines, and less bandwidth, never need more of any link; so the largest that fit are
/// found by halving.
fn infeasible<S: System>(empty: &S, examiner: &dyn Examiner<S>, request: Request) -> Statement {
    let fits = |request: Request| {
        let exists = examiner.exists(empty, &request);
        exists.unwrap_or_else(|| examiner.possible(empty, &request).is_some())
    };
    let largest = |too_large: u64, fits: &dyn Fn(u64) -> bool| {
        let (mut fitting, mut too_large) = (0, too_large);
        while too_large - fitting > 1 {
            let middle = fitting + (too_large - fitting) / 2;
            if fits(middle) {
                fitting = middle
            } else {
                too_large = middle
            }
        }
        fitting
    };
    let of_size = |size| fits(Request { size, ..request });
    let of_bandwidth = |kbps| {
        let bandwidth = Kbps(kbps);
        fits(Request {
            bandwidth,
            ..request
        })
    };
    Statement::Infeasible {
        largest_size: largest(request.size.into(), &|size| of_size(size as u32)) as u32,
        largest_bandwidth: of_bandwidth(0)
            .then(|| Kbps(largest(request.bandwidth.0, &of_bandwidth))),
    }
}
