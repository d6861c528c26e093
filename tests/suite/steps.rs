//! Steps told of what decides beside a list scheduler: tiers, machines that are off, the jobs of a
//! pool, clusters. Each is held against a count of its own.

use std::collections::{BTreeMap, BTreeSet};

use backfill_experiment::inspect::pass::{Effect, Pass, Passes, Step, Turn};
use backfill_sim::id::JobId;
use backfill_sim::job::Jobs;
use backfill_sim::policy::Queue;
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::record::Outcome;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::unit::{Span, Time};
use backfill_tests::clusters::Moment;
use backfill_tests::runs::{finish, outcomes_of};

use crate::passes::{on_others, rounds, told};

/// How often each kind of step was judged.
type Seen = BTreeMap<&'static str, u32>;

fn see(seen: &mut Seen, what: &'static str) {
    *seen.entry(what).or_default() += 1;
}

/// A job on nodes of two tiers.
#[derive(Clone, Debug, Default)]
struct Placed {
    background: bool,
    /// By node, the CPU that its process uses.
    usage: BTreeMap<u32, f64>,
    works_from: Time,
}

/// Nodes of two tiers under a policy that consolidates.
struct Tiers<'a> {
    setup: &'a Setup,
    jobs: &'a Jobs,
    nodes: u32,
    threshold: f64,
    now: Time,
    running: BTreeMap<JobId, Placed>,
    /// What each job held last.
    last: BTreeMap<JobId, Placed>,
}

impl Tiers<'_> {
    fn size(&self, job: JobId) -> u64 {
        u64::from(self.jobs[job].size)
    }

    /// What the process in a tier of a node uses; `None` where there is none.
    fn used(&self, background: bool, node: u32) -> Option<f64> {
        let there = |of: &&Placed| of.background == background && of.usage.contains_key(&node);
        let placed = self.running.values().find(there)?;
        Some(placed.usage[&node])
    }

    /// The nodes that a job may get in a tier.
    fn available(&self, background: bool) -> Vec<u32> {
        let enough = |node: &u32| self.used(false, *node).unwrap_or(0.0) < self.threshold;
        let nodes = (0..self.nodes).filter(|&node| self.used(background, node).is_none());
        nodes.filter(|node| !background || enough(node)).collect()
    }

    fn judge(&mut self, pass: &Pass, seen: &mut Seen) {
        self.now = pass.time;
        let runs: BTreeSet<JobId> = pass.running.iter().map(|of| of.job).collect();
        self.running.retain(|job, _| runs.contains(job));
        assert_eq!(self.running.len(), runs.len());
        for of in &pass.running {
            self.holds(of.job, &of.shares);
        }
        let mut matched = BTreeMap::new();
        for step in &pass.steps {
            match *step {
                Step::Tried {
                    job, turn, fits, ..
                } => {
                    let room = self.available(turn == Turn::Background).len();
                    assert_eq!(fits, self.size(job) <= room as u64, "{step:?}");
                    see(seen, if fits { "fits" } else { "does not fit" });
                }
                Step::PassedOver { than, ref jobs } => {
                    let larger = |job: &JobId| self.size(*job) >= self.size(than);
                    assert!(jobs.iter().all(larger), "{step:?}");
                }
                Step::Preempts {
                    job,
                    ref candidates,
                    ref victims,
                } => {
                    let in_front = self.running.iter().filter(|of| !of.1.background);
                    let behind = in_front.map(|of| *of.0).filter(|&other| other > job);
                    assert!(behind.eq(candidates.iter().copied()), "{step:?}");
                    let free = self.available(false).len() as u64;
                    let with =
                        |of: &[JobId]| free + of.iter().map(|&of| self.size(of)).sum::<u64>();
                    let size = self.size(job);
                    match victims {
                        None => assert!(with(candidates) < size, "{step:?}"),
                        Some(victims) => {
                            let spared = |of: &JobId| with(victims) - self.size(*of) < size;
                            assert!(with(victims) >= size && victims.iter().all(spared));
                            assert!(victims.iter().all(|of| candidates.contains(of)));
                        }
                    }
                    see(seen, "preempts");
                }
                Step::Crowded { job } => {
                    let mut nodes = self.running[&job].usage.keys();
                    let crowded = |node: &u32| self.used(false, *node) >= Some(self.threshold);
                    assert!(self.running[&job].background && nodes.any(crowded));
                    see(seen, "crowded");
                }
                Step::Suspended { job } => {
                    self.running.remove(&job).expect("it runs");
                }
                Step::Matched {
                    job,
                    background,
                    available,
                    ref processes,
                } => {
                    let kept = self.kept(job, background);
                    let mut free = self.available(background);
                    free.retain(|node| !kept.contains_key(node));
                    assert_eq!(free.len(), available, "{step:?}");
                    let beside = |node: u32| self.used(!background, node).unwrap_or(0.0);
                    let mut least: Vec<f64> = free.iter().map(|&node| beside(node)).collect();
                    least.sort_by(f64::total_cmp);
                    assert!(processes.is_sorted_by(|one, other| one.0 >= other.0));
                    for (&(_, node, used), least) in processes.iter().zip(least) {
                        assert!(free.contains(&node) && used == least, "{step:?}");
                        assert_eq!(used, beside(node), "{step:?}");
                    }
                    let cpu = self.jobs[job].cpu.as_ref().expect("it is known");
                    let mut all: Vec<f64> = cpu.processes.iter().map(|of| of.reported.0).collect();
                    let own = processes
                        .iter()
                        .map(|of| of.0)
                        .chain(kept.values().copied());
                    let mut own: Vec<f64> = own.collect();
                    all.sort_by(f64::total_cmp);
                    own.sort_by(f64::total_cmp);
                    assert_eq!(own, all, "{step:?}");
                    let new = processes.iter().map(|&(own, node, _)| (node, own));
                    matched.insert(job, kept.into_iter().chain(new).collect());
                    see(seen, "matched");
                }
                Step::Started {
                    job,
                    again,
                    pause,
                    background,
                    ref shares,
                    ..
                } => {
                    assert_eq!(again, self.last.contains_key(&job), "{step:?}");
                    let cost = self.setup.options.migration_cost;
                    assert_eq!(pause, if again { cost } else { Span(0) }, "{step:?}");
                    let usage = matched.remove(&job).expect("it is matched");
                    self.place(job, background, usage, pause);
                    self.holds(job, shares);
                    see(seen, if again { "starts again" } else { "starts" });
                    if background {
                        see(seen, "starts in the background");
                    }
                }
                Step::Moved {
                    job,
                    stays,
                    pause,
                    background,
                    ref shares,
                    ..
                } => {
                    let last = &self.last[&job];
                    let kept = last.usage.clone();
                    let left = Span(last.works_from.0.saturating_sub(self.now.0));
                    assert_ne!(background, last.background);
                    let cost = self.setup.options.migration_cost;
                    assert_eq!(pause, if stays { left } else { cost }, "{step:?}");
                    assert_eq!(stays, !matched.contains_key(&job), "{step:?}");
                    self.place(job, background, matched.remove(&job).unwrap_or(kept), pause);
                    self.holds(job, shares);
                    see(seen, if stays { "stays" } else { "moves" });
                }
                Step::Dismissed { .. } => {}
                ref other => panic!("no step of a policy that consolidates: {other:?}"),
            }
        }
        assert_eq!(matched, BTreeMap::new());
    }

    /// What a job that moves to a tier keeps of what it holds in the other one.
    fn kept(&self, job: JobId, background: bool) -> BTreeMap<u32, f64> {
        let usage = self.running.get(&job).map(|of| of.usage.clone());
        let mut kept = usage.unwrap_or_default();
        kept.retain(|&node, _| self.used(background, node).is_none());
        kept
    }

    fn place(&mut self, job: JobId, background: bool, usage: BTreeMap<u32, f64>, pause: Span) {
        let placed = Placed {
            background,
            usage,
            works_from: self.now + pause,
        };
        self.last.insert(job, placed.clone());
        self.running.insert(job, placed);
    }

    /// That a job is where the steps have put it.
    fn holds(&self, job: JobId, shares: &[(u32, u32)]) {
        let placed = &self.running[&job];
        let first = if placed.background { self.nodes } else { 0 };
        let expected: Vec<(u32, u32)> = placed.usage.keys().map(|node| (first + node, 1)).collect();
        assert_eq!(shares, expected, "{job}");
    }
}

#[test]
fn each_step_on_two_tiers_is_true() {
    let mut seen = Seen::new();
    on_others(rounds(15, 200), |setup, jobs| {
        let SystemSpec::Nodes(spec) = &setup.system else {
            return;
        };
        let Some(sharing) = spec.background.filter(|_| setup.queue.consolidates()) else {
            return;
        };
        let mut tiers = Tiers {
            setup,
            jobs: &jobs,
            nodes: spec.nodes,
            threshold: sharing.threshold.0,
            now: Time(0),
            running: BTreeMap::new(),
            last: BTreeMap::new(),
        };
        for pass in told(&mut Passes::new(setup, jobs.clone())) {
            tiers.judge(&pass, &mut seen);
        }
    });
    for what in [
        "fits",
        "does not fit",
        "preempts",
        "crowded",
        "matched",
        "starts",
        "starts again",
        "starts in the background",
        "stays",
        "moves",
    ] {
        assert!(seen.get(what) > Some(&20), "{what}: {seen:?}");
    }
}

/// A pool of which some machines may be off.
struct Machines<'a> {
    setup: &'a Setup,
    jobs: &'a Jobs,
    outcomes: BTreeMap<JobId, (Time, Time)>,
    on: u64,
    ended: BTreeSet<JobId>,
    /// The running jobs, the machines they hold and their estimated ends.
    running: BTreeMap<JobId, (u64, Time)>,
}

impl Machines<'_> {
    fn size(&self, job: JobId) -> u64 {
        u64::from(self.jobs[job].size)
    }

    /// What is free once the jobs have ended that end by then.
    fn free_at(&self, time: Time) -> u64 {
        let stay = self.running.values().filter(|of| of.1 > time);
        self.on.saturating_sub(stay.map(|of| of.0).sum())
    }

    fn free(&self) -> u64 {
        let held = self.running.values().map(|of| of.0).sum();
        self.on.saturating_sub(held)
    }

    /// The machines that the jobs need by the formula of paper 4, of those that have ended.
    fn needed(&self) -> Option<f64> {
        let ended = || self.ended.iter().map(|&job| &self.jobs[job]);
        let first = ended().map(|job| job.submit).min()?;
        let last = ended().map(|job| job.submit).max()?;
        let rules = self.setup.queueing.elasticity;
        if first == last {
            return None;
        }
        let count = self.ended.len() as f64;
        let rate = (count - 1.0) / (last - first).seconds();
        let size = ended().map(|job| f64::from(job.size)).sum::<f64>() / count;
        let held = self.ended.iter().map(|job| {
            let (start, end) = self.outcomes[job];
            (end - start).seconds()
        });
        let time = match rules.interpretation {
            MachinesOn::Corrected => held.sum::<f64>() / count,
            _ => 3600.0,
        };
        Some(rate * size * time * (1.0 + rules.more.to_f64()))
    }

    fn judge(&mut self, pass: &Pass, seen: &mut Seen) {
        let runs: BTreeSet<JobId> = pass.running.iter().map(|of| of.job).collect();
        let gone = self.running.keys().filter(|job| !runs.contains(job));
        self.ended.extend(gone.copied());
        let running = pass.running.iter().map(|of| {
            let held = of.shares.iter().map(|share| u64::from(share.1)).sum();
            (of.job, (held, of.estimated_end))
        });
        self.running = running.collect();
        assert_eq!(pass.free, self.free());
        let mut shared = BTreeMap::new();
        let mut head: Option<(JobId, Time)> = None;
        for step in &pass.steps {
            match *step {
                Step::PoweredOn {
                    slots,
                    expected,
                    largest,
                } => {
                    let waiting = pass.queue.iter().map(|of| self.size(of.job));
                    assert_eq!(largest, waiting.max().unwrap_or(0));
                    let all = self.setup.system.capacity().slots;
                    assert_eq!(slots, expected.unwrap_or(all).max(largest).min(all));
                    match (expected, self.needed()) {
                        (Some(found), Some(needed)) => {
                            let more = found as f64 - needed;
                            assert!((-1e-6..1.0).contains(&more), "{step:?}: {needed}");
                        }
                        (found, needed) => assert!(found.is_none() && needed.is_none()),
                    }
                    self.on = slots;
                    see(
                        seen,
                        if slots < all {
                            "some are on"
                        } else {
                            "all are on"
                        },
                    );
                }
                Step::Tried { job, fits, .. } => {
                    assert_eq!(fits, self.size(job) <= self.room(&shared), "{step:?}");
                    if fits && self.setup.queue == Queue::Fair {
                        shared.insert(job, self.size(job));
                    }
                    see(seen, if fits { "fits" } else { "does not fit" });
                }
                Step::PassedOver { than, ref jobs } => {
                    let larger = |job: &JobId| self.size(*job) >= self.size(than);
                    assert!(jobs.iter().all(larger) && self.size(than) > self.room(&shared));
                }
                Step::Reserved { job, start, .. } if self.setup.queue == Queue::Easy => {
                    let ends = self.running.values().map(|of| of.1);
                    let fits = |time: &Time| self.free_at(*time) >= self.size(job);
                    assert_eq!(ends.filter(fits).min(), Some(start), "{step:?}");
                    head = Some((job, start));
                    see(seen, "reserved");
                }
                Step::Compared {
                    job,
                    end,
                    reserved,
                    start,
                    effect,
                } if self.setup.queue == Queue::Easy => {
                    assert_eq!(head, Some((reserved, start)));
                    let both = self.size(job) + self.size(reserved);
                    let expected = match () {
                        () if end <= start => Effect::EndsBefore,
                        () if both <= self.free_at(start) => Effect::FitsBeside,
                        () => Effect::Delays,
                    };
                    assert_eq!(effect, expected, "{step:?}");
                    see(seen, "compared");
                }
                Step::Chosen {
                    ref jobs,
                    free,
                    least,
                } => {
                    assert_eq!(free, self.free());
                    let used: u64 = jobs.iter().map(|&job| self.size(job)).sum();
                    assert!(
                        jobs.is_empty() || (least..=free).contains(&used),
                        "{step:?}"
                    );
                    see(seen, "chosen");
                }
                Step::Shared { job, slots } => {
                    assert_eq!(slots % self.jobs[job].size, 0, "{step:?}");
                    *shared.get_mut(&job).expect("it fits") = slots.into();
                    see(seen, "shared");
                }
                Step::Started {
                    job,
                    estimated_end,
                    ref shares,
                    ..
                } => {
                    let held = shares.iter().map(|share| u64::from(share.1)).sum();
                    assert_eq!(held, shared.remove(&job).unwrap_or(self.size(job)));
                    assert!(held <= self.free(), "{step:?}");
                    self.running.insert(job, (held, estimated_end));
                }
                Step::Suspended { job } => {
                    self.running.remove(&job).expect("it runs");
                }
                _ => {}
            }
        }
    }

    /// What is free beside the jobs that are about to start with what they ask for.
    fn room(&self, starting: &BTreeMap<JobId, u64>) -> u64 {
        self.free() - starting.values().sum::<u64>()
    }
}

#[test]
fn each_step_on_a_pool_is_true() {
    let mut seen = Seen::new();
    on_others(rounds(3, 50), |setup, jobs| {
        if setup.system.pool().is_none() {
            return;
        }
        let outcomes = outcomes_of(&finish(setup, &jobs).replay.record);
        let ran = outcomes
            .iter_enumerated()
            .filter_map(|(job, of)| match *of {
                Outcome::Ran { start, end } => Some((job, (start, end))),
                _ => None,
            });
        let mut machines = Machines {
            setup,
            jobs: &jobs,
            outcomes: ran.collect(),
            on: setup.system.capacity().slots,
            ended: BTreeSet::new(),
            running: BTreeMap::new(),
        };
        for pass in told(&mut Passes::new(setup, jobs.clone())) {
            machines.judge(&pass, &mut seen);
        }
    });
    for what in [
        "some are on",
        "all are on",
        "fits",
        "does not fit",
        "reserved",
        "compared",
        "chosen",
        "shared",
    ] {
        assert!(seen.get(what) > Some(&20), "{what}: {seen:?}");
    }
}

/// The rule by which a job is said to get its nodes, by where it is and what is free.
#[test]
fn each_placement_on_clusters_is_told_by_what_is_free_and_asked_of_links() {
    let mut seen = Seen::new();
    on_others(rounds(1, 20), |setup, jobs| {
        if setup.system.multi_cluster().is_none() {
            return;
        }
        let mut passes = Passes::new(setup, jobs.clone());
        for pass in told(&mut passes) {
            let running = pass.running.iter();
            let running = running.map(|of| (of.job, of.shares.clone()));
            let mut held: BTreeMap<JobId, Vec<(u32, u32)>> = running.collect();
            for step in &passes.teller().told(pass, &|time| time.to_string()).steps {
                let Step::Started { job, shares, .. } = &step.step else {
                    if let Step::Suspended { job } = step.step {
                        held.remove(&job);
                    }
                    continue;
                };
                let by_cluster = |shares: &[(u32, u32)]| {
                    let mut nodes = vec![0; 3];
                    for &(cluster, inside) in shares {
                        nodes[cluster as usize] = inside;
                    }
                    nodes
                };
                let now = held
                    .iter()
                    .map(|(job, of)| (job.0 as usize, by_cluster(of)));
                let now = Moment::new(setup, &jobs, now);
                held.insert(*job, shares.clone());
                let own = &jobs[*job];
                let nodes = by_cluster(shares);
                assert_eq!(now.place(own), Some(nodes.clone()));
                let placement = step.placement.as_ref().expect("it is told");
                for (cluster, of) in placement.subtrees.iter().enumerate() {
                    assert_eq!((of.free, of.taken), (now.free()[cluster], nodes[cluster]));
                    let (load, link) = (now.loads()[cluster], now.links()[cluster]);
                    let asked = format!("({} % asked of its link)", 100 * load / link);
                    let is_said = of.sentence.contains("asked of its link");
                    assert_eq!(is_said, load > 0, "{placement}");
                    assert!(
                        load < link / 100 || of.sentence.contains(&asked),
                        "{placement}"
                    );
                }
                let home = own.home as usize;
                let most = now.free().into_iter().max().expect("clusters");
                let rule = &placement.rule;
                let first = match nodes[home] {
                    _ if rule.starts_with("Clusters with the most free nodes") => {
                        assert!(nodes[now.free().iter().position(|&of| of == most).unwrap()] > 0);
                        see(&mut seen, "most free");
                        continue;
                    }
                    inside if inside == own.size => "It fits on cluster",
                    _ if most >= own.size => {
                        assert!(
                            now.free()[home] < own.size && shares.len() == 1,
                            "{placement}"
                        );
                        "Cluster"
                    }
                    _ => "No cluster has",
                };
                assert!(rule.starts_with(first), "{placement}");
                see(&mut seen, first);
            }
        }
    });
    for what in [
        "It fits on cluster",
        "Cluster",
        "No cluster has",
        "most free",
    ] {
        assert!(seen.get(what) > Some(&20), "{what}: {seen:?}");
    }
}
