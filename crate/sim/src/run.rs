//! One run, from a typed setup to what it leaves: the only place that turns kinds into their
//! implementers.
//!
//! What begins a run is generic or inlined: the engine is compiled for each system where runs are
//! begun and observed, and not a second time here.

use std::ops::Range;

use crate::decimal::Decimal;
use crate::engine::Engine;
use crate::engine::Policy;
use crate::job::Jobs;
use crate::machine::System;
use crate::metrics::{self, RunOptions, Tally, Timed};
use crate::over_time::OverTime;
use crate::place::{Placer, Tries};
use crate::policy::Queue;
use crate::policy::conservative::Conservative;
use crate::policy::consolidate::Consolidate;
use crate::policy::elastic::{Elastic, MachinesOn};
use crate::policy::fair::Fair;
use crate::policy::fsteq::Fsteq;
use crate::policy::list::ListPolicy;
use crate::policy::recorded::Recorded;
use crate::policy::zomt::Zomt;
use crate::record::Record;
use crate::setup::Setup;
use crate::system::SystemSpec;
use crate::system::describe::{Examined, Examiner};
use crate::system::fat_tree::FatTree;
use crate::system::fat_tree::place::{LargestBandwidth, TreePlacement};
use crate::system::multi_cluster::place::{Chain, ClusterPlacement};
use crate::system::multi_cluster::{KnownSharing, MultiClusterSpec};
use crate::system::nodes::place::Index;
use crate::system::nodes::{Nodes, NodesSpec};
use crate::system::pool::Pool;
use crate::system::pool::place::Count;
use crate::system::tree::place::{Examining, TopologyPlacement};
use crate::unit::Kbps;
use crate::workload::Arrivals;

/// A run in progress, whatever its system and policy.
pub struct Run(Box<dyn Advance>);

/// What a run is to leave beside its metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing of single jobs: they are forgotten as they are done with. Where they are made when
    /// their turn comes too, a run of any length holds the jobs between the oldest and the youngest
    /// in hand. A run is kept as under [`Keep::Histories`] where some jobs are left out of its
    /// metrics for what becomes of them.
    Metrics,
    /// The jobs and what became of each.
    Histories,
    /// These, and every allocation.
    Allocations,
}

/// What a finished run leaves.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Fingerprint of the run's events.
    pub digest: u64,
    /// The value of each of [`metrics::METRICS`]; `None` where it is not defined.
    pub metrics: Vec<Option<f64>>,
    /// The run over the calendar, if that is measured.
    pub over_time: Option<OverTime>,
    /// How many jobs there were.
    pub jobs: usize,
    /// All that happened, as far as it was kept.
    pub replay: Replay,
}

/// A finished run as it happened.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Its jobs, as they were simulated, those apart that were forgotten ([`Keep::Metrics`]).
    pub jobs: Jobs,
    /// What became of them.
    pub record: Record,
    /// Bandwidth of each link of the system; empty where links are not modelled.
    pub links: Vec<Kbps>,
    /// The layers of links from below, as ranges of their ids.
    pub layers: Vec<Range<usize>>,
    /// Slots of the system, those in the background included.
    pub slots: u64,
    /// What became of the attempts to place jobs, as far as proofs were kept.
    pub tries: Tries,
}

impl Run {
    /// A run of `jobs` as `setup` says.
    pub fn new(setup: &Setup, jobs: impl Into<Arrivals>, keep: Keep) -> Run {
        let jobs = jobs.into();
        match &setup.system {
            SystemSpec::MultiCluster(spec) if spec.known_sharing().is_none() => {
                let dynamic = Run::on_dynamic_links(spec, setup, jobs.clone());
                let (spec, setup) = (spec.clone(), setup.clone());
                let fixed = move |sharing| Run::on_clusters(&spec, sharing, &setup, jobs, keep);
                Run(Box::new(InTwoPasses {
                    dynamic: Some((dynamic, Box::new(fixed))),
                    fixed: None,
                }))
            }
            _ => on_policy(setup, jobs, Begun { setup, keep }),
        }
    }

    /// The same run on a fat-tree by a policy that tries every job at every pass and proves
    /// nothing: what tests and benches compare the other with.
    pub fn without_proofs(setup: &Setup, jobs: impl Into<Arrivals>, keep: Keep) -> Run {
        let SystemSpec::FatTree(spec) = &setup.system else {
            return Run::new(setup, jobs, keep);
        };
        let jobs = jobs.into();
        let policy = Box::new(list_policy(setup, fat_tree_placer(setup, &jobs)));
        Run::on(spec.build(), policy, setup, jobs, keep)
    }

    /// A run on clusters that share links dynamically, of which only the metrics are kept.
    #[inline]
    fn on_dynamic_links(spec: &MultiClusterSpec, setup: &Setup, jobs: Arrivals) -> Run {
        Run::on_clusters(spec, KnownSharing::Dynamic, setup, jobs, Keep::Metrics)
    }

    /// A run on clusters whose links are shared in a certain way.
    #[inline]
    fn on_clusters(
        spec: &MultiClusterSpec,
        sharing: KnownSharing,
        setup: &Setup,
        jobs: Arrivals,
        keep: Keep,
    ) -> Run {
        let policy = list_policy(setup, Box::new(chain(setup)));
        Run::on(spec.build(sharing), Box::new(policy), setup, jobs, keep)
    }

    fn on<S>(
        system: S,
        policy: Box<dyn Policy<S>>,
        setup: &Setup,
        jobs: Arrivals,
        keep: Keep,
    ) -> Run
    where
        S: System + 'static,
    {
        let options = &setup.options;
        let allocations = keep == Keep::Allocations;
        // Whom the cool-down leaves out, and which jobs all policies run, is known at the end
        // alone.
        let known = options.cooldown == Decimal::whole(0) && options.timed == Timed::Own;
        let tally = (keep == Keep::Metrics && known)
            .then(|| Tally::new(options, jobs.len(), system.slots(), &system.uplinks()));
        let mut engine = Engine::new(system, policy, jobs, options.migration_cost, allocations);
        if tally.is_none() {
            engine.make_room();
        }
        if let Some(start) = options.calendar {
            engine.measure_days(start);
        }
        Run(Box::new(Engaged {
            tally,
            engine,
            options: options.clone(),
            slots: setup.system.slots(),
        }))
    }

    /// Simulates until at least `events` events have happened. Returns whether the run is over.
    pub fn advance(&mut self, events: u64) -> bool {
        self.0.advance(events)
    }

    /// The numbers of finished jobs and of all jobs.
    pub fn progress(&self) -> (usize, usize) {
        self.0.progress()
    }

    /// The number of waiting jobs.
    pub fn waiting(&self) -> usize {
        self.0.waiting()
    }

    /// Simulates what is left and measures the run.
    pub fn finish(self) -> Finished {
        self.finish_among(None)
    }

    /// Simulates what is left and measures the run, times over those jobs alone for which `among`
    /// holds, if it is given; the run must have kept its jobs then.
    pub fn finish_among(mut self, among: Option<&[bool]>) -> Finished {
        while !self.0.advance(u64::MAX) {}
        self.0.finish(among)
    }
}

/// What is to be done with the system and the policy of a setup, whichever they are.
pub trait OnPolicy {
    /// What comes of it.
    type Out;

    /// Does it, on the empty system and for these jobs.
    fn on<S: Examined + 'static>(
        self,
        system: S,
        policy: Box<dyn Policy<S>>,
        jobs: Arrivals,
    ) -> Self::Out;
}

/// Does something with the empty system of a setup and its policy, for these jobs. Where links on
/// clusters are shared by a fixed penalty, that may take a run.
pub fn on_policy<T: OnPolicy>(setup: &Setup, jobs: Arrivals, task: T) -> T::Out {
    match &setup.system {
        SystemSpec::FatTree(spec) => {
            let system = spec.build();
            let options = &setup.placing.fat_tree;
            let seen = seen_by_oracle(setup, &jobs);
            let placer = tree_placement(setup).certified(options, seen, system.topology());
            let policy = Box::new(list_policy(setup, Box::new(placer)));
            task.on(system, policy, jobs)
        }
        &SystemSpec::Nodes(NodesSpec { nodes, background }) => {
            let consolidate = |head_only| Box::new(Consolidate { head_only });
            let policy: Box<dyn Policy<Nodes>> = match setup.queue {
                Queue::Cmcbf => consolidate(false),
                Queue::Amcbf => consolidate(true),
                Queue::Conservative => Box::new(Conservative::default()),
                Queue::Recorded => Box::new(Recorded::default()),
                _ => Box::new(list_policy(setup, Box::new(Index))),
            };
            // Who does not use the background does not know of it.
            let (system, jobs) = match background.filter(|_| setup.queue.consolidates()) {
                Some(sharing) => {
                    let jobs = jobs.into_jobs();
                    let system = Nodes::with_background(nodes, sharing, &jobs);
                    (system, jobs.into())
                }
                None => (Nodes::new(nodes), jobs),
            };
            task.on(system, policy, jobs)
        }
        SystemSpec::MultiCluster(spec) => {
            let clusters = spec.build(sharing(spec, setup, &jobs));
            let policy = list_policy(setup, Box::new(chain(setup)));
            task.on(clusters, Box::new(policy), jobs)
        }
        SystemSpec::Pool(spec) => {
            let policy: Box<dyn Policy<Pool>> = match setup.queue {
                Queue::Fair => Box::new(Fair),
                Queue::Zomt => Box::new(Zomt::new(&setup.queueing.zero_one)),
                _ => Box::new(list_policy(setup, Box::new(Count))),
            };
            let rules = setup.queueing.elasticity;
            let policy: Box<dyn Policy<Pool>> = match rules.interpretation {
                MachinesOn::All => policy,
                _ => Box::new(Elastic { policy, rules }),
            };
            let routing = setup.queueing.routing;
            let policy: Box<dyn Policy<Pool>> = match routing.capacity {
                Some(capacity) => Box::new(Fsteq {
                    policy,
                    capacity,
                    long: routing.long,
                }),
                None => policy,
            };
            task.on(spec.build(), policy, jobs)
        }
        SystemSpec::Tree(spec) => {
            let examining = topology_placement(setup);
            let placer = examining.placement.placer(&examining.options);
            let policy = Box::new(list_policy(setup, placer));
            task.on(spec.build(), policy, jobs)
        }
    }
}

/// Begins a run.
struct Begun<'a> {
    setup: &'a Setup,
    keep: Keep,
}

impl OnPolicy for Begun<'_> {
    type Out = Run;

    fn on<S: Examined + 'static>(
        self,
        system: S,
        policy: Box<dyn Policy<S>>,
        jobs: Arrivals,
    ) -> Run {
        Run::on(system, policy, self.setup, jobs, self.keep)
    }
}

/// What is to be done with the system and the placer of a setup, whichever they are.
pub trait OnSystem {
    /// What comes of it.
    type Out;

    /// Does it, on the empty system and for these jobs; the examiner judges what the placer can do.
    fn on<S: Examined>(
        self,
        system: S,
        placer: Box<dyn Placer<S>>,
        examiner: &dyn Examiner<S>,
        jobs: Arrivals,
    ) -> Self::Out;
}

/// Does something with the empty system of a setup and the placer that it asks for, for these jobs,
/// under a policy that knows nothing of a background. Where links on clusters are shared by a fixed
/// penalty, that may take a run.
pub fn on_system<T: OnSystem>(setup: &Setup, jobs: Arrivals, task: T) -> T::Out {
    match &setup.system {
        SystemSpec::FatTree(spec) => {
            let placer = fat_tree_placer(setup, &jobs);
            let examiner = tree_placement(setup).examiner(&setup.placing.fat_tree);
            task.on(spec.build(), placer, &examiner, jobs)
        }
        SystemSpec::Nodes(spec) => task.on(Nodes::new(spec.nodes), Box::new(Index), &Index, jobs),
        SystemSpec::MultiCluster(spec) => {
            let clusters = spec.build(sharing(spec, setup, &jobs));
            let chain = chain(setup);
            task.on(clusters, Box::new(chain.clone()), &chain, jobs)
        }
        SystemSpec::Pool(spec) => task.on(spec.build(), Box::new(Count), &Count, jobs),
        SystemSpec::Tree(spec) => {
            let examining = topology_placement(setup);
            let placer = examining.placement.placer(&examining.options);
            task.on(spec.build(), placer, &examining, jobs)
        }
    }
}

/// The placement on a fat-tree that a setup asks for.
fn tree_placement(setup: &Setup) -> TreePlacement {
    TreePlacement::named(setup.placement.name()).expect("a placement on fat-trees")
}

/// The placement on a tree that a setup asks for.
pub fn topology_placement(setup: &Setup) -> Examining {
    let placement = TopologyPlacement::named(setup.placement.name());
    Examining {
        placement: placement.expect("a placement on trees"),
        options: setup.placing.tree.clone(),
    }
}

/// The placer on a fat-tree that a setup asks for, for these jobs.
pub fn fat_tree_placer(setup: &Setup, jobs: &Arrivals) -> Box<dyn Placer<FatTree>> {
    tree_placement(setup).placer(&setup.placing.fat_tree, seen_by_oracle(setup, jobs))
}

/// The largest bandwidth of all jobs, where the placement is to know it from the start.
fn seen_by_oracle(setup: &Setup, jobs: &Arrivals) -> Kbps {
    let mut largest = Kbps(0);
    if setup.placing.fat_tree.bmax == LargestBandwidth::Oracle {
        jobs.each(|job| largest = largest.max(job.bandwidth));
    }
    largest
}

/// How these jobs share the links of clusters; that may take a run.
#[inline]
fn sharing(spec: &MultiClusterSpec, setup: &Setup, jobs: &Arrivals) -> KnownSharing {
    let dynamic = || Run::on_dynamic_links(spec, setup, jobs.clone());
    let penalty = || KnownSharing::Fixed(mean_penalty(dynamic()));
    spec.known_sharing().unwrap_or_else(penalty)
}

/// How many times as long as alone co-allocated jobs take on average in a run, which is brought to
/// its end.
fn mean_penalty(run: Run) -> f64 {
    let metric = metrics::position("penalty").expect("a metric");
    // Where no job is co-allocated, nothing is stretched.
    run.finish().metrics[metric].unwrap_or(1.0)
}

/// The modules of the placement on clusters that a setup asks for, in the order in which they are
/// tried.
pub fn chain(setup: &Setup) -> Chain {
    let placement = ClusterPlacement::named(setup.placement.name());
    let placement = placement.expect("a placement on clusters");
    placement.chain(&setup.placing.multi_cluster)
}

/// The list scheduler that a setup asks for.
pub fn list_policy<'p, S: System>(
    setup: &Setup,
    placer: Box<dyn Placer<S> + 'p>,
) -> ListPolicy<'p, S> {
    let parts = setup.queueing.parts(setup.queue);
    ListPolicy::new(parts.expect("a list scheduler"), placer)
}

trait Advance {
    fn advance(&mut self, events: u64) -> bool;
    fn progress(&self) -> (usize, usize);
    fn waiting(&self) -> usize;
    fn finish(self: Box<Self>, among: Option<&[bool]>) -> Finished;
}

struct Engaged<S: System> {
    engine: Engine<'static, S>,
    /// What is measured of the jobs that are forgotten, where they are.
    tally: Option<Tally>,
    options: RunOptions,
    /// Slots of the system, those in the background included.
    slots: u64,
}

/// After at most so many events jobs are forgotten that are done with.
const FORGET_EVERY: u64 = 4096;

impl<S: System> Advance for Engaged<S> {
    fn advance(&mut self, events: u64) -> bool {
        let Some(tally) = &mut self.tally else {
            return self.engine.advance(events);
        };
        let mut left = events;
        loop {
            let slice = left.min(FORGET_EVERY);
            let over = self.engine.advance(slice);
            self.engine.forget(|id, job, history| {
                tally.add(id, job, history, false, true);
            });
            left -= slice;
            if over || left == 0 {
                return over;
            }
        }
    }

    fn progress(&self) -> (usize, usize) {
        self.engine.progress()
    }

    fn waiting(&self) -> usize {
        self.engine.waiting()
    }

    fn finish(mut self: Box<Self>, among: Option<&[bool]>) -> Finished {
        let tries = self.engine.tries();
        let (_, count) = self.engine.progress();
        let (jobs, system, mut record) = self.engine.into_parts();
        let machine = metrics::Machine {
            slots: self.slots,
            foreground: system.slots(),
            layers: system.layers(),
            uplinks: system.uplinks(),
        };
        let (metrics, over_time) = match self.tally {
            Some(tally) => {
                assert!(among.is_none(), "the jobs are forgotten");
                tally.values(&machine, &mut record)
            }
            None => metrics::evaluate(&jobs, &machine, &mut record, &self.options, among),
        };
        Finished {
            digest: record.digest.value(),
            metrics,
            over_time,
            jobs: count,
            replay: Replay {
                jobs,
                record,
                links: system.links().to_vec(),
                layers: machine.layers,
                slots: self.slots,
                tries,
            },
        }
    }
}

/// Two runs of the same jobs: one that shares links dynamically, and one with the mean penalty of
/// co-allocated jobs in the first.
struct InTwoPasses {
    /// The first, and what begins the second; gone once that has begun.
    dynamic: Option<(Run, BeginShared)>,
    fixed: Option<Run>,
}

/// What begins a run on clusters whose links are shared in a certain way.
type BeginShared = Box<dyn FnOnce(KnownSharing) -> Run>;

impl Advance for InTwoPasses {
    fn advance(&mut self, events: u64) -> bool {
        if let Some(fixed) = &mut self.fixed {
            return fixed.advance(events);
        }
        if let Some((dynamic, _)) = &mut self.dynamic
            && !dynamic.advance(events)
        {
            return false;
        }
        let (dynamic, fixed) = self.dynamic.take().expect("the second run has not begun");
        self.fixed = Some(fixed(KnownSharing::Fixed(mean_penalty(dynamic))));
        false
    }

    /// Half of each job is done in each run.
    fn progress(&self) -> (usize, usize) {
        if let Some(fixed) = &self.fixed {
            let (done, all) = fixed.progress();
            return ((all + done) / 2, all);
        }
        let (dynamic, _) = self.dynamic.as_ref().expect("one of both runs");
        let (done, all) = dynamic.progress();
        (done / 2, all)
    }

    fn waiting(&self) -> usize {
        match (&self.fixed, &self.dynamic) {
            (Some(fixed), _) => fixed.waiting(),
            (None, dynamic) => dynamic.as_ref().map_or(0, |(dynamic, _)| dynamic.waiting()),
        }
    }

    fn finish(self: Box<Self>, among: Option<&[bool]>) -> Finished {
        let fixed = self.fixed.expect("both runs are over");
        fixed.finish_among(among)
    }
}
