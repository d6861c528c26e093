//! The scheduling policies, done slowly and plainly: when each job starts, ends and migrates, and
//! the digest of it.
//!
//! Only the state of each job is kept from step to step: no calendar, no queue, no ledger. The
//! system is rebuilt from the placements of running jobs whenever it is needed, so that a trial has
//! nothing to undo. Placements are the plain ones; only the systems themselves are the simulator's.
//! A partial guarantee of bandwidth is a full guarantee of that part to them, and all shares of
//! links are computed again after each instant; the remaining work of a job is recorded when its
//! rate changes, as rounding depends on that.

use std::collections::BTreeSet;

use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::{Job, Jobs, Request};
use backfill_sim::machine::{Guarantee, Placement, System};
use backfill_sim::place::Placer;
use backfill_sim::policy::Queue;
use backfill_sim::policy::expression::Names;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt, Preempt};
use backfill_sim::record::Outcome;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::fat_tree::place::{
    LargestBandwidth, LevelZero, Root, Rules, TreePlacement,
};
use backfill_sim::system::fat_tree::{Embedding, FatTree, FatTreeSpec};
use backfill_sim::system::nodes::Nodes;
use backfill_sim::system::nodes::place::Index;
use backfill_sim::system::pool::Pool;
use backfill_sim::system::pool::place::Count;
use backfill_sim::system::tree::place::TopologyPlacement;
use backfill_sim::unit::{Kbps, Time};

use crate::embedding::{Plain, asked};
use crate::runs::leaves_at;
use crate::sharing::shares;

/// What became of all jobs.
#[derive(Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Outcome of each job.
    pub outcomes: Vec<Outcome>,
    /// Restarts of each job.
    pub migrations: Vec<u32>,
    /// Starts that left a link with more reserved than it can carry.
    pub overbooked: u32,
    /// FNV-1a over all events.
    pub digest: u64,
}

/// The schedule of `jobs` as `setup` says.
pub fn schedule(setup: &Setup, jobs: &Jobs) -> Schedule {
    match &setup.system {
        SystemSpec::Nodes(spec) => run(Nodes::new(spec.nodes), &mut Index, None, setup, jobs),
        SystemSpec::Pool(spec) => {
            let pool = Pool::new(spec.vms, spec.opening_order.clone(), 0.0);
            run(pool, &mut Count, None, setup, jobs)
        }
        SystemSpec::FatTree(spec) => {
            let guarantee = spec.guarantee;
            let full = FatTreeSpec {
                guarantee: Guarantee::FULL,
                ..spec.clone()
            };
            let tree = full.build();
            let shared = Shared {
                capacity: tree.links().iter().map(|link| link.0).collect(),
                guarantee,
                asked: Box::new({
                    let tree = tree.clone();
                    move |request, placement| asked(&tree, request, placement)
                }),
            };
            let shared = (guarantee.percent < 100).then_some(shared);
            let mut placer = InPart {
                placer: placer(setup, jobs),
                percent: u64::from(guarantee.percent),
            };
            run(tree, &mut placer, shared, setup, jobs)
        }
        SystemSpec::Tree(spec) => {
            let placement = TopologyPlacement::named(setup.placement.name());
            let placement = placement.expect("a placement on trees");
            let mut placer = placement.placer(&setup.placing.tree);
            run(spec.build(), placer.as_mut(), None, setup, jobs)
        }
        SystemSpec::MultiCluster { .. } => panic!("clusters have a reference of their own"),
    }
}

/// The placement on a fat-tree, read as `setup` says: AdaBa always knows what is hidden.
fn placer(setup: &Setup, jobs: &Jobs) -> Plain {
    let placing = &setup.placing.fat_tree;
    let placement = TreePlacement::named(setup.placement.name());
    let placement = placement.expect("a placement on fat-trees");
    let rules = Rules {
        intra_server_free: matches!(placement, TreePlacement::Adaba | TreePlacement::AdabaExact)
            || placing.hide_aware,
        single_server_first: match placing.level0 {
            LevelZero::On => true,
            LevelZero::Off => false,
            LevelZero::Auto => placement == TreePlacement::Oktopus,
        },
        least_loaded_root: placing.root == Root::LeastLoaded,
    };
    let mut seen = Kbps(0);
    if placing.bmax == LargestBandwidth::Oracle {
        seen = jobs.iter().map(|job| job.bandwidth).max().expect("jobs");
        if let Some(spec) = setup.system.fat_tree() {
            seen = part(seen, u64::from(spec.guarantee.percent));
        }
    }
    Plain::new(placement, rules, placing.bmax, seen)
}

/// `percent` per cent of a bandwidth, rounded up.
fn part(Kbps(bandwidth): Kbps, percent: u64) -> Kbps {
    Kbps((bandwidth * percent).div_ceil(100))
}

/// A placement to which jobs ask for a part of what they ask for.
struct InPart {
    placer: Plain,
    percent: u64,
}

impl InPart {
    fn part(&self, request: &Request) -> Request {
        Request {
            bandwidth: part(request.bandwidth, self.percent),
            ..*request
        }
    }
}

impl Placer<FatTree> for InPart {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let part = self.part(request);
        self.placer.place(tree, &part)
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        self.placer.exists(tree, &self.part(request))
    }

    fn arrived(&mut self, request: &Request) {
        let part = self.part(request);
        self.placer.arrived(&part);
    }

    fn attempted(&mut self, request: &Request) {
        let part = self.part(request);
        self.placer.attempted(&part);
    }

    fn started(&mut self, request: &Request) {
        let part = self.part(request);
        self.placer.started(&part);
    }
}

/// What a job asks for of each link by its place.
type Asked<P> = Box<dyn Fn(&Request, &P) -> Vec<u64>>;

/// Links that jobs share.
struct Shared<P> {
    capacity: Vec<u64>,
    guarantee: Guarantee,
    asked: Asked<P>,
}

#[derive(Clone, Copy)]
enum EventKind {
    Arrive,
    Infeasible,
    Unplaceable,
    Rejected,
    Start,
    Preempt,
    Finish,
    PauseEnd,
    Leave = 10,
}

enum State<P> {
    Future,
    Waiting,
    Running {
        start: u64,
        /// Migration cost at the beginning of this stay.
        cost: u64,
        /// Whether that cost is still being paid.
        paying: bool,
        /// Since when it has gone at its present rate; in the future while it pays.
        since: u64,
        rate: f64,
        /// When it completes by its estimate.
        due: u64,
        /// Whether it was started while another job was the first of the queue.
        backfilled: bool,
        placement: P,
    },
    Decided(Outcome),
}

struct Life<P> {
    state: State<P>,
    /// Work left, µs, when it began to wait or to go at its present rate.
    left: f64,
    first_start: Option<u64>,
    migrations: u32,
    /// When it takes any number of leaves, if it has declined a placement since it began to wait.
    patient_until: Option<u64>,
}

struct World<'a, S: System> {
    empty: S,
    placer: &'a mut dyn Placer<S>,
    shared: Option<Shared<S::Placement>>,
    setup: &'a Setup,
    jobs: &'a Jobs,
    now: u64,
    lives: Vec<Life<S::Placement>>,
    /// The jobs that have declined a placement in this pass.
    declined: BTreeSet<usize>,
    overbooked: u32,
    digest: u64,
}

fn run<S: System>(
    empty: S,
    placer: &mut dyn Placer<S>,
    shared: Option<Shared<S::Placement>>,
    setup: &Setup,
    jobs: &Jobs,
) -> Schedule {
    let life = |job: &Job| Life {
        state: State::Future,
        left: job.runtime.0 as f64,
        first_start: None,
        migrations: 0,
        patient_until: None,
    };
    let mut world = World {
        empty,
        placer,
        shared,
        setup,
        jobs,
        now: 0,
        lives: jobs.iter().map(life).collect(),
        declined: BTreeSet::new(),
        overbooked: 0,
        digest: 14_695_981_039_346_656_037,
    };
    while let Some(now) = world.next_instant() {
        world.now = now;
        world.instant();
        world.share_links();
    }
    let outcome = |life: &Life<S::Placement>| match life.state {
        State::Decided(outcome) => outcome,
        _ => Outcome::Open,
    };
    Schedule {
        outcomes: world.lives.iter().map(outcome).collect(),
        migrations: world.lives.iter().map(|life| life.migrations).collect(),
        overbooked: world.overbooked,
        digest: world.digest,
    }
}

impl<S: System> World<'_, S> {
    /// The earliest arrival, completion, end of a migration pause or of a wait for few leaves.
    fn next_instant(&self) -> Option<u64> {
        let instants = (0..self.lives.len()).flat_map(|job| match self.lives[job].state {
            State::Future => vec![self.job(job).submit.0],
            State::Running {
                start,
                cost,
                paying: true,
                ..
            } => vec![start + cost, self.end(job)],
            State::Running { .. } => vec![self.end(job)],
            State::Waiting => {
                let patient = self.lives[job].patient_until;
                let patient = patient.filter(|&until| until > self.now);
                self.leaving(job).into_iter().chain(patient).collect()
            }
            State::Decided(_) => vec![],
        });
        instants.min()
    }

    fn instant(&mut self) {
        let now = self.now;
        for job in self.running() {
            if self.end(job) == now {
                self.note(EventKind::Finish, job);
                let start = self.lives[job].first_start.expect("it runs");
                self.lives[job].state = State::Decided(Outcome::Ran {
                    start: Time(start),
                    end: Time(now),
                });
            }
        }
        for job in self.running() {
            if let State::Running {
                start,
                cost,
                paying,
                ..
            } = &mut self.lives[job].state
                && *paying
                && *start + *cost == now
            {
                *paying = false;
                self.note(EventKind::PauseEnd, job);
            }
        }
        for job in self.waiting() {
            if self.leaving(job) == Some(now) {
                let time = Time(now);
                self.decide(job, EventKind::Leave, Outcome::Left { time });
            }
        }
        for job in 0..self.lives.len() {
            if matches!(self.lives[job].state, State::Future) && self.job(job).submit.0 == now {
                self.arrive(job);
            }
        }
        self.declined.clear();
        match self.setup.queue {
            Queue::None => {}
            Queue::Fcfs => self.list(false, &|_| 0),
            Queue::Sbf => self.list(self.setup.queueing.skip_blocked, &|request| {
                request.bandwidth.0
            }),
            Queue::Sdf => self.list(self.setup.queueing.skip_blocked, &|request| {
                request.estimate.0
            }),
            Queue::Easy => self.easy(),
            Queue::Fpfs => self.list(true, &|_| 0),
            Queue::Bgmbf => self.bgmbf(&|_| 0),
            Queue::BgmbfSdf => self.bgmbf(&|request| request.estimate.0),
            Queue::Cmbf => self.in_turn(false),
            Queue::Ambf => self.in_turn(true),
            Queue::Ljfs | Queue::Qljfs => {
                self.list(true, &|request| u64::from(u32::MAX - request.size))
            }
            Queue::Pljfs => {
                let period = self.setup.queueing.period.0;
                let sorted = self.now / period * period;
                self.list(true, &|request| {
                    if request.submit.0 > sorted {
                        u64::MAX
                    } else {
                        u64::from(u32::MAX - request.size)
                    }
                });
            }
            Queue::List => self.composed(),
            Queue::Cmcbf
            | Queue::Amcbf
            | Queue::Conservative
            | Queue::Fair
            | Queue::Recorded
            | Queue::Zomt => {
                panic!("{} has a reference of its own", self.setup.queue)
            }
        }
    }

    /// When a waiting job leaves the queue, if it has never started.
    fn leaving(&self, job: usize) -> Option<u64> {
        let started = self.lives[job].first_start.is_some();
        leaves_at(self.job(job)).filter(|_| !started)
    }

    fn arrive(&mut self, job: usize) {
        let (request, empty) = (self.request(job), self.empty.clone());
        self.note(EventKind::Arrive, job);
        self.placer.arrived(&request);
        if self.placer.exists(&empty, &request) == Some(false) {
            self.decide(job, EventKind::Infeasible, Outcome::Infeasible);
        } else if self.placer.place(&empty, &request).is_none() {
            self.decide(job, EventKind::Unplaceable, Outcome::Unplaceable);
        } else if self.setup.queue != Queue::None {
            self.lives[job].state = State::Waiting;
        } else if !self.attempt(job) {
            let outcome = match self.placer.exists(&self.present(), &request) {
                Some(true) => Outcome::RejectedThoughPossible,
                Some(false) => Outcome::RejectedImpossible,
                None => Outcome::RejectedUndecided,
            };
            self.decide(job, EventKind::Rejected, outcome);
        }
    }

    /// The jobs in the order of a key, equal ones by arrival.
    fn sorted(&self, jobs: &[usize], key: &dyn Fn(&Request) -> u64) -> Vec<usize> {
        let keys = jobs.iter().map(|&job| {
            let request = self.request(job);
            (key(&request), request.submit, job)
        });
        let mut keys: Vec<_> = keys.collect();
        keys.sort_unstable();
        keys.into_iter().map(|of| of.2).collect()
    }

    /// FCFS, SBF and SDF: the queue in the order of `key`, to the first that cannot start unless
    /// such are skipped.
    fn list(&mut self, skip: bool, key: &dyn Fn(&Request) -> u64) {
        for job in self.sorted(&self.waiting(), key) {
            if !self.attempt(job) && !skip {
                return;
            }
        }
    }

    fn easy(&mut self) {
        let mut queue = self.waiting().into_iter();
        let blocked = |&job: &usize| !self.attempt(job) && !self.declined.contains(&job);
        let Some(head) = queue.find(blocked) else {
            return;
        };
        let mut ends: Vec<u64> = self.running().iter().map(|&job| self.due(job)).collect();
        ends.sort_unstable();
        let shadow = ends.into_iter().find(|&end| self.fits_after(head, end));
        let shadow = shadow.expect("an empty system has room");
        for job in queue {
            let request = self.request(job);
            self.placer.attempted(&request);
            let Some(placement) = self.placer.place(&self.present(), &request) else {
                continue;
            };
            if self.declines(job, &placement) {
                continue;
            }
            if self.now + request.estimate.0 <= shadow {
                self.start(job, placement, true);
                continue;
            }
            let mut later = self.state_of(&self.running_past(shadow));
            later.hold(&request, &placement);
            if self.placer.place(&later, &self.request(head)).is_some() {
                self.start(job, placement, true);
            }
        }
    }

    /// Algorithm 2 as it is meant: the jobs behind the first that cannot start, in the order of
    /// `key`.
    fn bgmbf(&mut self, key: &dyn Fn(&Request) -> u64) {
        while let Some(&head) = self.undeclined().first() {
            if self.attempt(head) || self.preempt_for(head) || self.declined.contains(&head) {
                continue;
            }
            for job in self.sorted(&self.undeclined()[1..], key) {
                self.attempt(job);
            }
            return;
        }
    }

    /// Algorithm 1 of paper 2: every job in turn, evicted ones where they come; with `one_head`
    /// only until the first that cannot be started may any preempt.
    fn in_turn(&mut self, one_head: bool) {
        let mut head_blocked = false;
        for job in 0..self.lives.len() {
            if !matches!(self.lives[job].state, State::Waiting) || self.attempt(job) {
                continue;
            }
            if !head_blocked && self.preempt_for(job) {
                continue;
            }
            head_blocked |= one_head && !self.declined.contains(&job);
        }
    }

    /// A list of one's own: the whole queue is sorted at every look at it, by the load and the
    /// length that it had at the beginning of the pass.
    fn composed(&mut self) {
        let options = self.setup.queueing.clone();
        if options.may_preempt == MayPreempt::Anyone {
            return self.in_turn(false);
        }
        let backfill_order = options.backfill_order.as_ref().unwrap_or(&options.order);
        let held = self.running().into_iter().map(|job| self.request(job).size);
        let (used, all) = (held.sum::<u32>(), self.empty.slots());
        let (load, waiting) = (f64::from(used) / all as f64, self.waiting().len());
        let in_order = |world: &Self, order: &Order, jobs: Vec<usize>| -> Vec<usize> {
            let mut ranked: Vec<(f64, usize)> = jobs
                .into_iter()
                .map(|job| (world.rank(order, load, waiting, job), job))
                .collect();
            ranked.sort_by(|one, other| one.partial_cmp(other).expect("no NaN"));
            ranked.into_iter().map(|(_, job)| job).collect()
        };
        let queue = loop {
            let stops = options.behind == Behind::Stop;
            let jobs = if stops {
                self.waiting()
            } else {
                self.undeclined()
            };
            let queue = in_order(self, &options.order, jobs);
            let Some(&head) = queue.first() else {
                return;
            };
            let preempts = options.may_preempt == MayPreempt::Head;
            let starts = self.attempt(head) || preempts && self.preempt_for(head);
            if !starts && (stops || !self.declined.contains(&head)) {
                break queue;
            }
        };
        match options.behind {
            Behind::Reject => panic!("a list has a queue"),
            Behind::Stop => {}
            Behind::Skip => {
                for job in in_order(self, backfill_order, queue[1..].to_vec()) {
                    self.attempt(job);
                }
            }
            Behind::Reserve => {
                let depth = options.depth.map_or(usize::MAX, |depth| depth as usize);
                let mut reserved = vec![(queue[0], self.earliest(queue[0], &[]))];
                let mut next = 1;
                while next < queue.len() && reserved.len() < depth {
                    let job = queue[next];
                    if !self.attempt_around(job, &reserved) && !self.declined.contains(&job) {
                        reserved.push((job, self.earliest(job, &reserved)));
                    }
                    next += 1;
                }
                for job in in_order(self, backfill_order, queue[next..].to_vec()) {
                    self.attempt_around(job, &reserved);
                }
            }
        }
    }

    /// By what a job is sorted; infinite where that is not a number.
    fn rank(&self, order: &Order, load: f64, waiting: usize, job: usize) -> f64 {
        let request = self.request(job);
        let first = self
            .jobs
            .iter()
            .map(|job| job.submit.0)
            .min()
            .expect("jobs");
        let value = match order {
            Order::Arrival => 0.0,
            Order::ShortestEstimate => request.estimate.0 as f64,
            Order::SmallestBandwidth => request.bandwidth.0 as f64,
            Order::LargestSize => -f64::from(request.size),
            Order::LargestSizeEvery(_) => panic!("it has a name of its own"),
            Order::Value(program) => program.value(&Names {
                size: f64::from(request.size),
                estimate: request.estimate.0 as f64 / 1e6,
                bandwidth: request.bandwidth.0 as f64 / 1e3,
                submit: (request.submit.0 - first) as f64 / 1e6,
                wait: (self.now - request.submit.0) as f64 / 1e6,
                load,
                waiting: waiting as f64,
            }),
        };
        if value.is_finite() {
            value
        } else {
            f64::INFINITY
        }
    }

    /// Starts a job if all jobs with a reservation find a place at their time all the same.
    fn attempt_around(&mut self, job: usize, reserved: &[(usize, u64)]) -> bool {
        let request = self.request(job);
        self.placer.attempted(&request);
        let Some(placement) = self.placer.place(&self.present(), &request) else {
            return false;
        };
        if self.declines(job, &placement) {
            return false;
        }
        let end = self.now + self.length(job);
        let starts = self.are_kept(reserved, Some((job, placement.clone(), end)));
        if starts {
            self.start(job, placement, true);
        }
        starts
    }

    /// When a job could start by estimates, without being in the way of those with a reservation.
    fn earliest(&mut self, job: usize, reserved: &[(usize, u64)]) -> u64 {
        let mut ends: Vec<u64> = self.running().iter().map(|&job| self.due(job)).collect();
        ends.extend(
            reserved
                .iter()
                .map(|&(job, start)| start + self.length(job)),
        );
        ends.sort_unstable();
        let fits = |end: &u64| self.are_kept(&[reserved, &[(job, *end)]].concat(), None);
        ends.into_iter()
            .find(fits)
            .expect("an empty system has room")
    }

    /// Whether each of these jobs has a placement at its time, if no other job starts but one that
    /// holds a placement from now until an instant.
    fn are_kept(
        &mut self,
        reserved: &[(usize, u64)],
        starting: Option<(usize, S::Placement, u64)>,
    ) -> bool {
        let running = self.running().into_iter().map(|job| {
            let State::Running { placement, .. } = &self.lives[job].state else {
                unreachable!("it runs");
            };
            (job, placement.clone(), self.due(job))
        });
        let mut held: Vec<(usize, S::Placement, u64)> = running.chain(starting).collect();
        let mut by_start = reserved.to_vec();
        by_start.sort_by_key(|reservation| reservation.1);
        for (job, start) in by_start {
            let mut then = self.empty.clone();
            for (other, placement, _) in held.iter().filter(|other| other.2 > start) {
                then.hold(&self.request(*other), placement);
            }
            let Some(placement) = self.placer.place(&then, &self.request(job)) else {
                return false;
            };
            held.push((job, placement, start + self.length(job)));
        }
        true
    }

    /// For how long a waiting job would hold its place by its estimate.
    fn length(&self, job: usize) -> u64 {
        let life = &self.lives[job];
        let again = u64::from(life.first_start.is_some());
        let job = self.job(job);
        let done = job.runtime.0 - life.left as u64;
        again * self.setup.options.migration_cost.0 + job.estimate.0.saturating_sub(done)
    }

    /// Starts `head` in place of jobs that were backfilled past it, if it then fits.
    fn preempt_for(&mut self, head: usize) -> bool {
        if self.declined.contains(&head) {
            return false;
        }
        let bgmbf = matches!(self.setup.queue, Queue::Bgmbf | Queue::BgmbfSdf);
        let chosen = bgmbf || self.setup.queue == Queue::List;
        let mut victims = self.running();
        victims.retain(|&job| match self.lives[job].state {
            State::Running { backfilled, .. } if bgmbf && !self.setup.queueing.promote => {
                backfilled
            }
            _ => job > head,
        });
        if !chosen || self.setup.queueing.preempt == Preempt::Conflicting {
            // Jobs are numbered by arrival: the youngest have the greatest numbers.
            let fewest = (0..victims.len()).rev();
            let mut suffixes = fewest.map(|first| victims[first..].to_vec());
            let Some(shortest) = suffixes.find(|absent| self.place_without(absent, head).is_some())
            else {
                return false;
            };
            victims = shortest.clone();
            for job in shortest {
                let others: Vec<usize> = victims.iter().copied().filter(|&v| v != job).collect();
                if self.place_without(&others, head).is_some() {
                    victims = others;
                }
            }
        }
        let Some(placement) = self.place_without(&victims, head) else {
            return false;
        };
        if self.declines(head, &placement) {
            return false;
        }
        for job in victims {
            self.note(EventKind::Preempt, job);
            self.take_down(job);
            self.lives[job].state = State::Waiting;
        }
        self.start(head, placement, false);
        true
    }

    /// Gives all running jobs their shares of the links, and the rates that follow.
    fn share_links(&mut self) {
        let Some(shared) = &self.shared else {
            return;
        };
        let running = self.running();
        let asked = running.iter().map(|&job| match &self.lives[job].state {
            State::Running { placement, .. } => (shared.asked)(&self.request(job), placement),
            _ => unreachable!("job {job} does not run"),
        });
        let asked: Vec<Vec<u64>> = asked.collect();
        let Guarantee {
            percent,
            communication,
        } = shared.guarantee;
        let communication = communication.to_f64();
        let shares = shares(&shared.capacity, percent, &asked);
        for (job, share) in running.into_iter().zip(shares) {
            let new = 1.0 / ((1.0 - communication) + communication / share);
            if let State::Running { rate, .. } = self.lives[job].state
                && rate != new
            {
                self.take_down(job);
                if let State::Running { rate, .. } = &mut self.lives[job].state {
                    *rate = new;
                }
            }
        }
    }

    /// Takes down what a running job has left now.
    fn take_down(&mut self, job: usize) {
        let (now, life) = (self.now, &mut self.lives[job]);
        if let State::Running { since, rate, .. } = &mut life.state
            && now > *since
        {
            life.left = (life.left - (now - *since) as f64 * *rate).max(0.0);
            *since = now;
        }
    }

    fn place_without(&mut self, absent: &[usize], job: usize) -> Option<S::Placement> {
        let mut others = self.running();
        others.retain(|job| !absent.contains(job));
        self.placer
            .place(&self.state_of(&others), &self.request(job))
    }

    fn attempt(&mut self, job: usize) -> bool {
        self.placer.attempted(&self.request(job));
        let placement = self.placer.place(&self.present(), &self.request(job));
        let Some(placement) = placement.filter(|placement| !self.declines(job, placement)) else {
            return false;
        };
        let first = self.undeclined().first().copied();
        let backfilled = first.is_some_and(|first| first != job);
        self.start(job, placement, backfilled);
        true
    }

    /// Whether a job waits for fewer leaves than a placement is on; without a queue none does.
    fn declines(&mut self, job: usize, placement: &S::Placement) -> bool {
        let tree = self.setup.system.tree().is_some();
        let slurm = self.setup.placement.name() == "slurm-tree";
        let Some(limit) = self.setup.placing.tree.switches.filter(|_| tree && slurm) else {
            return false;
        };
        let [leaves, _] = placement.leaves().expect("a tree has leaves");
        let until = self.job(job).submit.0 + limit.wait.0;
        let waits = leaves > limit.most && self.now < until && self.setup.queue != Queue::None;
        if waits {
            self.declined.insert(job);
            self.lives[job].patient_until = Some(until);
        }
        waits
    }

    fn start(&mut self, job: usize, placement: S::Placement, backfilled: bool) {
        self.note(EventKind::Start, job);
        self.placer.started(&self.request(job));
        let shares: Vec<(u32, u32)> = placement.shares().collect();
        for (server, slots) in shares {
            self.word(u64::from(server));
            self.word(u64::from(slots));
        }
        let used: Vec<LinkId> = placement
            .reservations()
            .iter()
            .map(|entry| entry.0)
            .collect();
        let due = self.now + self.length(job);
        let life = &mut self.lives[job];
        life.patient_until = None;
        let mut cost = 0;
        if life.first_start.is_some() {
            life.migrations += 1;
            cost = self.setup.options.migration_cost.0;
        }
        life.first_start.get_or_insert(self.now);
        life.state = State::Running {
            start: self.now,
            cost,
            paying: cost > 0,
            since: self.now + cost,
            rate: 1.0,
            due,
            backfilled,
            placement,
        };
        let overbooked = used.into_iter().any(|link| {
            let taken = self.running().into_iter().flat_map(|job| self.held(job));
            let here = taken.filter(|entry| entry.0 == link);
            here.map(|entry| entry.1.0).sum::<u64>() > self.empty.links()[link.index()].0
        });
        self.overbooked += u32::from(overbooked);
    }

    /// What a running job has reserved.
    fn held(&self, job: usize) -> &[(LinkId, Kbps)] {
        match &self.lives[job].state {
            State::Running { placement, .. } => placement.reservations(),
            _ => unreachable!("job {job} does not run"),
        }
    }

    fn decide(&mut self, job: usize, kind: EventKind, outcome: Outcome) {
        self.note(kind, job);
        self.lives[job].state = State::Decided(outcome);
    }

    fn job(&self, job: usize) -> &Job {
        &self.jobs[JobId::new(job)]
    }

    fn request(&self, job: usize) -> Request {
        self.job(job).request(JobId::new(job))
    }

    /// When a running job completes.
    fn end(&self, job: usize) -> u64 {
        match self.lives[job].state {
            State::Running { since, rate, .. } => {
                let left = self.lives[job].left / rate;
                since + (left - 1.0 / 1024.0).ceil() as u64
            }
            _ => unreachable!("job {job} does not run"),
        }
    }

    /// When a running job completes by its estimate.
    fn due(&self, job: usize) -> u64 {
        match self.lives[job].state {
            State::Running { due, .. } => due.max(self.now),
            _ => unreachable!("job {job} does not run"),
        }
    }

    fn running_past(&self, instant: u64) -> Vec<usize> {
        let mut running = self.running();
        running.retain(|&job| self.due(job) > instant);
        running
    }

    fn fits_after(&mut self, job: usize, instant: u64) -> bool {
        let later = self.state_of(&self.running_past(instant));
        self.placer.place(&later, &self.request(job)).is_some()
    }

    /// The waiting jobs by (submit, index), which is how jobs are numbered.
    fn waiting(&self) -> Vec<usize> {
        let waits = |&job: &usize| matches!(self.lives[job].state, State::Waiting);
        (0..self.lives.len()).filter(waits).collect()
    }

    /// Those that have declined no placement in this pass.
    fn undeclined(&self) -> Vec<usize> {
        let mut waiting = self.waiting();
        waiting.retain(|job| !self.declined.contains(job));
        waiting
    }

    fn running(&self) -> Vec<usize> {
        let runs = |&job: &usize| matches!(self.lives[job].state, State::Running { .. });
        (0..self.lives.len()).filter(runs).collect()
    }

    fn present(&self) -> S {
        self.state_of(&self.running())
    }

    /// The system with only these running jobs on it.
    fn state_of(&self, running: &[usize]) -> S {
        let mut system = self.empty.clone();
        for &job in running {
            if let State::Running { placement, .. } = &self.lives[job].state {
                system.hold(&self.request(job), placement);
            }
        }
        system
    }

    fn note(&mut self, kind: EventKind, job: usize) {
        self.word(self.now);
        self.word(kind as u64);
        self.word(job as u64);
    }

    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
        }
    }
}
