//! Why a job was refused, or why it waits at an instant.
//!
//! [`explain`] runs the jobs again up to the instant that decides and looks around there. A job
//! without a queue is looked at as it is tried: completions of the instant done, earlier arrivals of
//! it tried. A waiting job is looked at after the last scheduling pass up to the chosen instant.
//!
//! Every [`Statement`] is a fact about that state, which the exact test can check again; the
//! sentences of [`Explanation`]'s `Display` say the statements and nothing else. Where reservations
//! are tested as printed, or servers are not known to hide traffic, no exact test exists, and only
//! what the placement did is said.
//!
//! A set of links is *in the way* where the job would fit if nothing were reserved on them, and
//! would not if any one of them kept what it has. There are several such sets as a rule; the one
//! given keeps the emptiest links out of it.

use std::fmt;

use serde::Serialize;

use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::{After, Ask, Job, Jobs};
use backfill_sim::place::Placer;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::policy::list::{Blocked, ListPolicy};
use backfill_sim::policy::{Policy, Queue};
use backfill_sim::record::Fate;
use backfill_sim::run;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::fat_tree::FatTree;
use backfill_sim::system::fat_tree::place::{Rules, exact};
use backfill_sim::system::multi_cluster::MultiCluster;
use backfill_sim::system::multi_cluster::place::{Barrier, Chain, Module, Refusal, Room};
use backfill_sim::system::nodes::Nodes;
use backfill_sim::system::nodes::place::Index;
use backfill_sim::system::pool::Pool;
use backfill_sim::system::pool::place::Count;
use backfill_sim::system::{Place, System};
use backfill_sim::unit::{Kbps, Span, Time};
use backfill_sim::workload::Arrivals;

/// What can be said of one job at one instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Its number in the input.
    pub number: u64,
    /// Its index.
    pub job: JobId,
    /// Slots asked for.
    pub size: u32,
    /// Bandwidth asked for by each of its virtual machines; `None` where links are not modelled.
    pub bandwidth: Option<Kbps>,
    /// What it asks for so many of: slots, nodes or machines.
    pub unit: &'static str,
    /// What these lie on: servers, nodes, clusters or centres.
    pub part: &'static str,
    /// The placement that looks for room.
    pub placement: String,
    /// The instant that is explained; that of its arrival for a job which was turned away, and where
    /// none was chosen.
    pub at: Time,
    /// What holds then.
    pub statements: Vec<Statement>,
}

/// One fact, which can be checked again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Statement {
    /// The job has not arrived yet.
    NotArrived {
        /// It arrives then.
        submit: Time,
    },
    /// The job has not arrived yet: it is submitted after another one has ended, which has not.
    NotSubmitted {
        /// The number of that one in the input.
        after: u64,
        /// The time between its end and the submit.
        think: Span,
        /// Not before then, all the same.
        earliest: Time,
    },
    /// The job arrived later than the log says, since it was submitted after another one had ended.
    Followed {
        /// When the log says.
        logged: Time,
        /// When it arrived.
        submit: Time,
        /// The number of the other job in the input.
        after: u64,
        /// The time between its end and the submit.
        think: Span,
    },
    /// The job holds its place.
    Running {
        /// Since then.
        since: Time,
    },
    /// The job is over.
    Ended {
        /// Since then.
        end: Time,
    },
    /// No place exists for it even on the empty system.
    Infeasible {
        /// The most slots that could be had with its bandwidth; all there are where nothing decides that.
        largest_size: u32,
        /// The most bandwidth that could be had with its size; `None` if not even none would do.
        largest_bandwidth: Option<Kbps>,
    },
    /// The placement finds no place for it on the empty system.
    Unplaceable {
        /// One that exists; `None` where nothing can decide that.
        possible: Option<Possible>,
    },
    /// The placement tried and found no place, though one exists.
    Missed {
        /// The one that reserves least.
        possible: Possible,
    },
    /// The placement tried and found no place, and nothing can decide whether one exists.
    NotFound,
    /// Fewer slots are free than it asks for.
    TooFewSlots {
        /// Free slots.
        free: u64,
    },
    /// Slots enough are free, but they lie so that it would not fit even if nothing were reserved on
    /// any link.
    Scattered {
        /// Free slots.
        free: u64,
    },
    /// Links are in the way.
    Links {
        /// Which.
        links: Vec<InTheWay>,
    },
    /// No cluster has room for all of it, and it may not be spread over several.
    Clusters {
        /// What there is in each, and what keeps it from that.
        refusal: Refusal,
    },
    /// It does not fit now, but would once the running jobs have ended that end by then, by their
    /// estimates, if nothing more started. At no earlier such end would it.
    FitsLater {
        /// When.
        time: Time,
        /// How many running jobs have ended by then.
        ended: usize,
    },
    /// It has not been tried: the queue stands behind its first job.
    Behind {
        /// How many jobs are before it.
        ahead: usize,
        /// The number of the first job of the queue in the input.
        head: u64,
    },
    /// A place exists for it now.
    Fits {
        /// The one that reserves least.
        possible: Possible,
    },
    /// The placement found a place, but the job would have kept it beyond the instant at which, by
    /// estimates, the first job of the queue could start, and the placement would then have found
    /// none for that one.
    WouldDelay {
        /// When it was last tried.
        tried: Time,
        /// The number of the first job of the queue in the input.
        head: u64,
        /// When that job could start by estimates.
        shadow: Time,
        /// When this job would have ended by its estimate.
        end: Time,
    },
}

/// A place that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Possible {
    /// (server or node, slots there), ascending.
    pub shares: Vec<(u32, u32)>,
    /// (link, bandwidth that would be reserved on it).
    pub reservations: Vec<(LinkId, Kbps)>,
}

/// A link in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InTheWay {
    /// Which.
    pub link: LinkId,
    /// What it is called.
    pub name: String,
    /// What is left on it.
    pub residual: Kbps,
    /// What the job would need on it, placed as reserves least if these links were empty.
    pub need: Kbps,
}

/// Why it cannot be said why a job waits, in a sentence; `None` where it can: under policies that try
/// jobs one by one and know of all.
pub fn unexplained(setup: &Setup) -> Option<String> {
    let queue = setup.queue;
    let tried =
        !queue.consolidates() && !matches!(queue, Queue::Conservative | Queue::Fair | Queue::Zomt);
    let known = setup.queueing.routing.capacity.is_none()
        && setup.queueing.elasticity.reading == MachinesOn::All;
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
    let all = Arrivals::from(jobs);
    match setup.system {
        SystemSpec::FatTree { .. } => {
            let tree = run::fat_tree(&setup.system).expect("a fat-tree");
            question.answer(tree, run::fat_tree_placer(setup, &all), all)
        }
        SystemSpec::Nodes { nodes, .. } => question.answer(Nodes::new(nodes), Index, all),
        SystemSpec::MultiCluster { .. } => {
            let sharing = run::sharing(setup, &all);
            let clusters = run::multi_cluster(setup, sharing);
            question.answer(clusters, run::chain(setup), all)
        }
        SystemSpec::Pool {
            vms,
            ref opening_order,
            ..
        } => {
            let pool = Pool::new(vms, opening_order.clone(), 0.0);
            question.answer(pool, Count, all)
        }
    }
}

/// A system of which it can be said what is in the way of a job that a placer is to place.
trait Examined<P: Placer<Self>>: System {
    /// Whether its links carry guarantees.
    const LINKS: bool;

    /// What jobs ask for so many of.
    const UNIT: &'static str;

    /// What these lie on.
    const PART: &'static str;

    /// Whether a place exists now that the placement might find; `None` where nothing can decide that.
    fn fits(&self, placer: &P, ask: &Ask) -> Option<bool> {
        placer.exists(self, ask)
    }

    /// A place that exists now: that which reserves least.
    fn possible(&self, placer: &P, ask: &Ask) -> Option<Possible>;

    /// What is in the way of a job that does not fit now, though it does on the empty system.
    fn obstacle(&self, placer: &P, ask: &Ask) -> Statement;
}

impl Possible {
    fn of(place: &impl Place) -> Possible {
        Possible {
            shares: place.shares().collect(),
            reservations: place.reservations().to_vec(),
        }
    }
}

impl<P: Placer<Nodes>> Examined<P> for Nodes {
    const LINKS: bool = false;
    const UNIT: &'static str = "node";
    const PART: &'static str = "node";

    fn possible(&self, _: &P, ask: &Ask) -> Option<Possible> {
        Index.place(self, ask).as_ref().map(Possible::of)
    }

    fn obstacle(&self, _: &P, _: &Ask) -> Statement {
        let free = u64::from(self.free_count());
        Statement::TooFewSlots { free }
    }
}

impl<P: Placer<Pool>> Examined<P> for Pool {
    const LINKS: bool = false;
    const UNIT: &'static str = "machine";
    const PART: &'static str = "centre";

    fn possible(&self, _: &P, ask: &Ask) -> Option<Possible> {
        Count.place(self, ask).as_ref().map(Possible::of)
    }

    fn obstacle(&self, _: &P, _: &Ask) -> Statement {
        let free = u64::from(self.free_count());
        Statement::TooFewSlots { free }
    }
}

/// What the placement does decides whether a job fits: how far links may be loaded is up to it.
impl Examined<Chain> for MultiCluster {
    const LINKS: bool = false;
    const UNIT: &'static str = "node";
    const PART: &'static str = "cluster";

    fn fits(&self, placer: &Chain, ask: &Ask) -> Option<bool> {
        Some(placer.refusal(self, ask).is_none())
    }

    fn possible(&self, placer: &Chain, ask: &Ask) -> Option<Possible> {
        let place = placer.clone().place(self, ask);
        let any = || Chain(vec![Module::FirstFit]).place(self, ask);
        place.or_else(any).as_ref().map(Possible::of)
    }

    fn obstacle(&self, placer: &Chain, ask: &Ask) -> Statement {
        let refusal = placer.refusal(self, ask).expect("it does not fit");
        Statement::Clusters { refusal }
    }
}

impl<P: Placer<FatTree>> Examined<P> for FatTree {
    const LINKS: bool = true;
    const UNIT: &'static str = "slot";
    const PART: &'static str = "server";

    fn possible(&self, _: &P, ask: &Ask) -> Option<Possible> {
        exact::find(self, ask, Rules::default())
            .as_ref()
            .map(Possible::of)
    }

    fn obstacle(&self, _: &P, ask: &Ask) -> Statement {
        let free = u64::from(self.free_total());
        if free < u64::from(ask.size) {
            return Statement::TooFewSlots { free };
        }
        let Some(links) = links_in_the_way(self, ask) else {
            return Statement::Scattered { free };
        };
        let empty = self.with_empty(&links);
        let place = exact::find(&empty, ask, Rules::default()).expect("it fits without them");
        let in_the_way = |&(link, need): &(LinkId, Kbps)| InTheWay {
            link,
            name: self.topology().name(link),
            residual: self.residual(link),
            need,
        };
        let reservations = place.reservations.iter();
        Statement::Links {
            links: reservations
                .filter(|entry| links.contains(&entry.0))
                .map(in_the_way)
                .collect(),
        }
    }
}

/// An inclusion-minimal set of links without whose reservations `ask` fits; `None` if it does not
/// fit without all. The emptiest links are spared first, equal ones by their number.
fn links_in_the_way(tree: &FatTree, ask: &Ask) -> Option<Vec<LinkId>> {
    let mut candidates: Vec<LinkId> = (0..tree.links().len() as u32)
        .map(LinkId)
        .filter(|&link| tree.reserved(link) > Kbps(0))
        .collect();
    candidates.sort_by_key(|&link| (std::cmp::Reverse(tree.residual(link)), link));
    let fits_without = |links: &[LinkId]| exact::decide(&tree.with_empty(links), ask) == Some(true);
    if !fits_without(&candidates) {
        return None;
    }
    let mut needed: Vec<LinkId> = Vec::new();
    loop {
        // As many of the candidates as possible, from the first on, keep what they have.
        let spare = |count: usize| {
            let empty = [&needed, &candidates[count..]].concat();
            fits_without(&empty)
        };
        let (mut most, mut too_many) = (0, candidates.len() + 1);
        while too_many - most > 1 {
            let middle = (most + too_many) / 2;
            match spare(middle) {
                true => most = middle,
                false => too_many = middle,
            }
        }
        if most == candidates.len() {
            return Some(needed);
        }
        needed.push(candidates[most]);
        candidates.drain(..=most);
    }
}

/// What is asked.
struct Question<'a> {
    setup: &'a Setup,
    job: JobId,
    /// When; as it arrives where there is no instant.
    at: Option<Time>,
}

impl Question<'_> {
    fn answer<S, P>(self, system: S, placer: P, jobs: Arrivals) -> Explanation
    where
        S: Examined<P>,
        P: Placer<S>,
    {
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
        let watcher = Watcher {
            policy: run::list_policy(
                self.setup,
                Witness {
                    placer,
                    job,
                    trying: false,
                    found: None,
                },
            ),
            job,
            numbers,
            passed: Time::default(),
            on_arrival: Vec::new(),
        };
        let cost = self.setup.options.migration_cost;
        let mut engine = Engine::new(system, watcher, jobs, cost, false);
        if self.at.is_none() {
            // A job that another one has to end for arrives later than the log says.
            while !engine.look().0.has_arrived(job) && !engine.advance(1) {}
        }
        let submit = engine.look().0.ask(job).submit;
        let at = self.at.unwrap_or(submit);
        engine.advance_to(at);
        let (cx, watcher) = engine.look();
        let submit = cx.ask(job).submit;
        let at = match cx.fate(job) {
            Fate::Open | Fate::Ran { .. } => at,
            _ => submit,
        };
        let mut statements = watcher.statements(cx, at);
        if let Some(after) = cx.after(job).filter(|_| at == submit && logged < submit) {
            let followed = Statement::Followed {
                logged,
                submit,
                after: watcher.numbers[after.job.index()],
                think: after.think,
            };
            statements.insert(0, followed);
        }
        Explanation {
            number,
            job,
            size,
            bandwidth: S::LINKS.then_some(bandwidth),
            unit: S::UNIT,
            part: S::PART,
            placement: self.setup.placement.to_string(),
            at,
            statements,
        }
    }
}

/// A placer that is watched for what it says of one job when it is really tried.
#[derive(Clone, Debug)]
struct Witness<P> {
    placer: P,
    job: JobId,
    trying: bool,
    /// Whether it found a place in the last pass; `None` if it was not asked.
    found: Option<bool>,
}

impl<S: System, P: Placer<S>> Placer<S> for Witness<P> {
    fn place(&mut self, system: &S, ask: &Ask) -> Option<S::Place> {
        let place = self.placer.place(system, ask);
        if ask.index == self.job && std::mem::take(&mut self.trying) {
            self.found = Some(place.is_some());
        }
        place
    }

    fn exists(&self, system: &S, ask: &Ask) -> Option<bool> {
        self.placer.exists(system, ask)
    }

    fn arrived(&mut self, ask: &Ask) {
        self.placer.arrived(ask);
    }

    fn attempted(&mut self, ask: &Ask) {
        self.trying |= ask.index == self.job;
        self.placer.attempted(ask);
    }

    fn started(&mut self, ask: &Ask) {
        self.placer.started(ask);
    }
}

/// A policy that is watched for what it does with one job.
struct Watcher<P> {
    policy: ListPolicy<Witness<P>>,
    job: JobId,
    numbers: Vec<u64>,
    /// The last pass.
    passed: Time,
    /// What stood in the way when it arrived, without a queue.
    on_arrival: Vec<Statement>,
}

impl<S: Examined<P>, P: Placer<S>> Policy<S> for Watcher<P> {
    fn arrive(&mut self, cx: &mut Context<S>, job: JobId) {
        if job == self.job && self.policy.blocked == Blocked::Reject {
            self.on_arrival = self.no_room(cx);
        }
        self.policy.arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<S>) {
        self.policy.placer.found = None;
        self.passed = cx.now();
        self.policy.pass(cx);
    }
}

impl<P> Watcher<P> {
    fn statements<S: Examined<P>>(&self, cx: &mut Context<S>, at: Time) -> Vec<Statement>
    where
        P: Placer<S>,
    {
        let ask = cx.ask(self.job);
        if let Some(&After { job, think }) = cx.after(self.job)
            && cx.fate(job) == Fate::Open
        {
            return vec![Statement::NotSubmitted {
                after: self.numbers[job.index()],
                think,
                earliest: ask.submit,
            }];
        }
        if at < ask.submit {
            let submit = ask.submit;
            return vec![Statement::NotArrived { submit }];
        }
        if let Some(since) = cx.held_since(self.job) {
            return vec![Statement::Running { since }];
        }
        match cx.fate(self.job) {
            Fate::Ran { end, .. } => vec![Statement::Ended { end }],
            Fate::Infeasible => vec![infeasible(cx.empty_system(), &self.policy.placer, ask)],
            Fate::Unplaceable if cx.empty_system().slots() < u64::from(ask.size) => {
                vec![Statement::Infeasible {
                    largest_size: cx.empty_system().slots() as u32,
                    largest_bandwidth: None,
                }]
            }
            Fate::Unplaceable => {
                let placer = &self.policy.placer.placer;
                let exists = placer.exists(cx.empty_system(), &ask);
                let possible = exists.and_then(|_| cx.empty_system().possible(placer, &ask));
                vec![Statement::Unplaceable { possible }]
            }
            Fate::Missed | Fate::Blocked | Fate::Rejected => self.on_arrival.clone(),
            Fate::Open => self.waiting(cx),
        }
    }

    /// Why it waits.
    fn waiting<S: Examined<P>>(&self, cx: &mut Context<S>) -> Vec<Statement>
    where
        P: Placer<S>,
    {
        let ask = cx.ask(self.job);
        let order = self.policy.order;
        let head = order.first(cx).expect("a job waits");
        let head = self.numbers[head.0 as usize];
        match self.policy.placer.found {
            None => {
                let ahead = order.ahead(cx, self.job);
                let mut statements = vec![Statement::Behind { ahead, head }];
                let placer = &self.policy.placer.placer;
                match cx.system().fits(placer, &ask) {
                    Some(true) => {
                        let possible = cx.system().possible(placer, &ask).expect("one exists");
                        statements.push(Statement::Fits { possible });
                    }
                    Some(false) => statements.extend(self.no_room(cx)),
                    None => {}
                }
                statements
            }
            Some(false) => self.no_room(cx),
            Some(true) => {
                let shadow = self.policy.shadow.expect("else it had started");
                vec![Statement::WouldDelay {
                    tried: self.passed,
                    head,
                    shadow,
                    end: self.passed + ask.estimate,
                }]
            }
        }
    }

    /// Why the placement finds no place, if it does not.
    fn no_room<S: Examined<P>>(&self, cx: &mut Context<S>) -> Vec<Statement>
    where
        P: Placer<S>,
    {
        let ask = cx.ask(self.job);
        let placer = &self.policy.placer.placer;
        match cx.system().fits(placer, &ask) {
            None => match cx.system().free_slots() {
                free if free < u64::from(ask.size) => vec![Statement::TooFewSlots { free }],
                _ => vec![Statement::NotFound],
            },
            Some(true) => {
                let possible = cx.system().possible(placer, &ask).expect("one exists");
                vec![Statement::Missed { possible }]
            }
            Some(false) => {
                if cx.empty_system().fits(placer, &ask) != Some(true) {
                    return Vec::new();
                }
                let obstacle = cx.system().obstacle(placer, &ask);
                let fits = |system: &S| system.fits(placer, &ask) == Some(true);
                let later = cx.first_after_estimated_ends(fits);
                let (time, _) = later.expect("it fits once nothing runs");
                let ended = |job: &&JobId| cx.estimated_end(**job) <= time;
                let ended = cx.running().iter().filter(ended).count();
                vec![obstacle, Statement::FitsLater { time, ended }]
            }
        }
    }
}

/// Fewer machines, and less bandwidth, never need more of any link; so the largest that fit are found
/// by halving.
fn infeasible<S: System>(empty: &S, placer: &impl Placer<S>, ask: Ask) -> Statement {
    let fits = |ask: Ask| placer.exists(empty, &ask) == Some(true);
    let largest = |too_large: u64, fits: &dyn Fn(u64) -> bool| {
        let (mut fitting, mut too_large) = (0, too_large);
        while too_large - fitting > 1 {
            let middle = fitting + (too_large - fitting) / 2;
            match fits(middle) {
                true => fitting = middle,
                false => too_large = middle,
            }
        }
        fitting
    };
    let of_size = |size| fits(Ask { size, ..ask });
    let of_bandwidth = |kbps| {
        let bandwidth = Kbps(kbps);
        fits(Ask { bandwidth, ..ask })
    };
    Statement::Infeasible {
        largest_size: largest(ask.size.into(), &|size| of_size(size as u32)) as u32,
        largest_bandwidth: of_bandwidth(0).then(|| Kbps(largest(ask.bandwidth.0, &of_bandwidth))),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = &|time: Time| time.to_string();
        Told(self, clock).fmt(f)
    }
}

/// What turns an instant into words.
type Clock<'a> = &'a dyn Fn(Time) -> String;

/// An explanation whose instants are said as a clock says them.
struct Told<'a>(&'a Explanation, Clock<'a>);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told(explanation, _) = self;
        let (number, size) = (explanation.number, explanation.size);
        match explanation.bandwidth {
            Some(bandwidth) => {
                write!(
                    f,
                    "Job {number} asks for {} of {bandwidth} each.",
                    many(size, "slot")
                )?;
            }
            None => write!(f, "Job {number} asks for {}.", many(size, explanation.unit))?,
        }
        for statement in &explanation.statements {
            write!(f, " ")?;
            self.say(statement, f)?;
        }
        Ok(())
    }
}

/// How many names a sentence lists before it counts the rest.
const LISTED: usize = 6;

impl Explanation {
    /// In words, as `Display` says it, with every instant as `clock` says it.
    pub fn told(&self, clock: Clock<'_>) -> String {
        Told(self, clock).to_string()
    }
}

impl Told<'_> {
    fn say_place(&self, place: &Possible, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.0.part;
        list(f, &place.shares, |(part, slots), f| {
            write!(f, "{slots} on {on} {part}")
        })?;
        write!(f, ".")
    }

    fn say(&self, statement: &Statement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told(explanation, clock) = self;
        let placement = &explanation.placement;
        let at = clock(explanation.at);
        let unit = explanation.unit;
        match statement {
            Statement::NotArrived { submit } => write!(f, "It arrives at {}.", clock(*submit)),
            Statement::NotSubmitted {
                after,
                think,
                earliest,
            } => {
                let think = Time(think.0);
                write!(
                    f,
                    "At {at} it has not been submitted yet: that comes {think} after the end of job \
                     {after}"
                )?;
                match *earliest > explanation.at {
                    true => write!(f, ", and not before {}.", clock(*earliest)),
                    false => write!(f, "."),
                }
            }
            Statement::Followed {
                logged,
                submit,
                after,
                think,
            } => write!(
                f,
                "It was submitted at {}, {} after the end of job {after}, and not at {} as the log \
                 says.",
                clock(*submit),
                Time(think.0),
                clock(*logged)
            ),
            Statement::Running { since } => {
                write!(f, "At {at} it is running, since {}.", clock(*since))
            }
            Statement::Ended { end } => write!(f, "It ended at {}.", clock(*end)),
            Statement::Infeasible {
                largest_size,
                largest_bandwidth,
            } => {
                // On clusters the placement decides over how many of them a job may be spread.
                match explanation.part {
                    "cluster" => write!(f, "Under {placement} it")?,
                    _ => write!(f, "It")?,
                }
                write!(f, " does not fit even on the empty system. ")?;
                match largest_bandwidth {
                    Some(bandwidth) => write!(
                        f,
                        "At most {} of its bandwidth would fit, or its size with at most \
                         {bandwidth} each.",
                        many(*largest_size, unit)
                    ),
                    None => write!(f, "At most {} would fit.", many(*largest_size, unit)),
                }
            }
            Statement::Unplaceable { possible } => {
                write!(f, "{placement} finds no place for it on the empty system")?;
                match possible {
                    Some(possible) => {
                        write!(f, ", though one exists: ")?;
                        self.say_place(possible, f)
                    }
                    None => write!(
                        f,
                        "; under this reading nothing can tell whether one exists."
                    ),
                }
            }
            Statement::Missed { possible } => {
                write!(f, "At {at} a place exists that {placement} did not find: ")?;
                self.say_place(possible, f)
            }
            Statement::NotFound => write!(
                f,
                "At {at} {placement} finds no place; under this reading nothing can tell whether \
                 one exists."
            ),
            Statement::TooFewSlots { free: 0 } => write!(f, "At {at} no {unit} is free."),
            Statement::TooFewSlots { free } => {
                let are = if *free == 1 { "is" } else { "are" };
                write!(f, "At {at} only {} {are} free.", many(*free, unit))
            }
            Statement::Scattered { free } => write!(
                f,
                "At {at} {} are free, but so scattered that it would not fit even if nothing were \
                 reserved on any link.",
                many(*free, unit)
            ),
            Statement::Links { links } => {
                let (these, keep) = match links.len() {
                    1 => ("this link", "it kept"),
                    _ => ("these links", "any one of them kept"),
                };
                write!(
                    f,
                    "At {at} it would fit if nothing were reserved on {these}, and not if {keep} \
                     what it has: "
                )?;
                list(f, links, |link, f| {
                    let (name, residual, need) = (&link.name, link.residual, link.need);
                    write!(f, "{name} ({residual} left, {need} needed)")
                })?;
                write!(f, ".")
            }
            Statement::Clusters { refusal } => {
                write!(f, "At {at} {}: ", barrier(refusal, explanation.size))?;
                let home = match refusal.barrier {
                    Barrier::Home { cluster } => Some(cluster as usize),
                    _ => None,
                };
                let rooms: Vec<(usize, &Room)> = refusal.rooms.iter().enumerate().collect();
                let own = |&(cluster, _): &(usize, &Room)| home.is_none_or(|home| home == cluster);
                let rooms: Vec<(usize, &Room)> = rooms.into_iter().filter(own).collect();
                list(f, &rooms, |&(cluster, room), f| {
                    write!(f, "cluster {cluster} has {} free", many(room.free, "node"))?;
                    if room.most < room.free {
                        write!(f, ", of which it may have {}", room.most)?;
                    }
                    match home {
                        Some(_) => Ok(()),
                        None => write!(f, " (link: {} of {})", room.asked.mbps(), room.capacity),
                    }
                })?;
                write!(f, ".")
            }
            Statement::FitsLater { time, ended } => write!(
                f,
                "By estimates it would fit at {}, once {} ended, if nothing more started.",
                clock(*time),
                match ended {
                    1 => "one running job has".to_owned(),
                    _ => format!("{ended} running jobs have"),
                }
            ),
            Statement::Behind { ahead, head } => write!(
                f,
                "At {at} {} ahead of it in the queue, which stands behind job {head}.",
                match ahead {
                    1 => "one job is".to_owned(),
                    _ => format!("{ahead} jobs are"),
                }
            ),
            Statement::Fits { possible } => {
                write!(f, "At {at} a place exists for it: ")?;
                self.say_place(possible, f)
            }
            Statement::WouldDelay {
                tried,
                head,
                shadow,
                end,
            } => write!(
                f,
                "At {} there was a place for it, but by its estimate it would have ended at {}; \
                 job {head}, the first of the queue, can start at {}, and {placement} would then \
                 find no place for that.",
                clock(*tried),
                clock(*end),
                clock(*shadow)
            ),
        }
    }
}

/// Why a job of so many nodes finds no place on clusters.
fn barrier(refusal: &Refusal, size: u32) -> String {
    let nodes = many(size, "node");
    match refusal.barrier {
        Barrier::Home { .. } => format!("its home does not have {nodes} free"),
        Barrier::Single => format!("no cluster has {nodes} free"),
        Barrier::TooFew => format!("fewer than {nodes} are free in all clusters together"),
        Barrier::Loaded { threshold } => format!(
            "no cluster has {nodes} free, and neither have those together whose links are asked for \
             less than {threshold} %"
        ),
        Barrier::Part { threshold, least } => format!(
            "no cluster has {nodes} free, and none whose link is asked for less than {threshold} % \
             has {} for its large part",
            many(least, "node")
        ),
        Barrier::Split { threshold } => format!(
            "no cluster has {nodes} free, and every split would have a link asked for more than \
             {threshold} %"
        ),
    }
}

fn many(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut say: impl FnMut(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().take(LISTED).enumerate() {
        if index > 0 {
            write!(f, ", ")?;
        }
        say(item, f)?;
    }
    match items.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
