//! Consolidation and conservative backfilling, done slowly and plainly.
//!
//! Only the state of each job is kept. [`consolidated`] follows Algorithms 1 to 4 of paper 2 as
//! plans of placements, and compares the plan with the present; [`conservative`] keeps the promised
//! starts and checks every instant of a list of intervals; [`sliced`] advances time in slices and
//! samples the losses again in each.

use backfill_sim::id::{Id, JobId};
use backfill_sim::job::{Cpu, Jobs};
use backfill_sim::policy::Queue;
use backfill_sim::rng::Stream;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::nodes::NodesSpec;

use crate::runs::leaves_at;

/// What became of a job, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobHistory {
    /// First start and end; nothing for a job that never ran.
    pub ran: Option<(u64, u64)>,
    /// When it left the queue, if it did.
    pub left: Option<u64>,
    /// Restarts after the foreground.
    pub preemptions: u32,
    /// Restarts after the background.
    pub evictions: u32,
    /// Promotions that moved a process.
    pub promotions: u32,
    /// Changes of tier in place.
    pub swaps: u32,
}

/// Where a job is: the tier, and the node of each process.
type Spot = (bool, Vec<usize>);

#[derive(Clone, Debug)]
struct Life {
    spot: Option<Spot>,
    remaining: f64,
    rate: f64,
    /// Until when `remaining` is true.
    synced: u64,
    paused_until: u64,
    first_start: Option<u64>,
    last_tier_background: bool,
    history: JobHistory,
    arrived: bool,
    over: bool,
}

struct World<'a> {
    jobs: &'a Jobs,
    nodes: usize,
    threshold: f64,
    full_background: bool,
    head_only: bool,
    cost: u64,
    now: u64,
    lives: Vec<Life>,
}

/// The histories of `jobs` under CMCBF or AMCBF.
///
/// # Panics
/// The setup asks for something else.
pub fn consolidated(setup: &Setup, jobs: &Jobs) -> Vec<JobHistory> {
    let SystemSpec::Nodes(NodesSpec {
        nodes,
        background: Some(rules),
    }) = setup.system
    else {
        panic!("two tiers");
    };
    let life = |job: &backfill_sim::job::Job| Life {
        spot: None,
        remaining: job.runtime.0 as f64,
        rate: 1.0,
        synced: 0,
        paused_until: 0,
        first_start: None,
        last_tier_background: false,
        history: JobHistory::default(),
        arrived: false,
        over: false,
    };
    let mut world = World {
        jobs,
        nodes: nodes as usize,
        threshold: rules.threshold.0,
        full_background: rules.full_background,
        head_only: setup.queue == Queue::Amcbf,
        cost: setup.options.migration_cost.0,
        now: 0,
        lives: jobs.iter().map(life).collect(),
    };
    while let Some(now) = world.next() {
        world.now = now;
        world.instant();
    }
    world.lives.into_iter().map(|life| life.history).collect()
}

impl World<'_> {
    fn cpu(&self, job: usize) -> &Cpu {
        let cpu = self.jobs[JobId::new(job)].cpu.as_ref();
        cpu.expect("its usage is known")
    }

    fn size(&self, job: usize) -> usize {
        self.jobs[JobId::new(job)].size as usize
    }

    fn end(&self, job: usize) -> Option<u64> {
        let life = &self.lives[job];
        life.spot.as_ref()?;
        let from = life.synced.max(life.paused_until);
        let left = life.remaining / life.rate;
        (life.rate > 0.0).then(|| from + (left - 1.0 / 1024.0).ceil().max(0.0) as u64)
    }

    /// When a waiting job leaves the queue, if it has never started.
    fn leaving(&self, job: usize) -> Option<u64> {
        let life = &self.lives[job];
        let waits = life.arrived && !life.over && life.first_start.is_none();
        leaves_at(&self.jobs[JobId::new(job)]).filter(|_| waits)
    }

    fn next(&self) -> Option<u64> {
        let instants = (0..self.lives.len()).flat_map(|job| {
            let life = &self.lives[job];
            let pause =
                (life.spot.is_some() && life.paused_until > self.now).then_some(life.paused_until);
            let arrival = (!life.arrived).then(|| self.jobs[JobId::new(job)].submit.0);
            [self.end(job), pause, self.leaving(job), arrival]
        });
        instants.flatten().min()
    }

    fn instant(&mut self) {
        for job in 0..self.lives.len() {
            if self.end(job) == Some(self.now) {
                let life = &mut self.lives[job];
                life.spot = None;
                life.over = true;
                life.history.ran = life.first_start.map(|start| (start, self.now));
            }
        }
        for job in 0..self.lives.len() {
            if self.leaving(job) == Some(self.now) {
                self.lives[job].over = true;
                self.lives[job].history.left = Some(self.now);
            }
        }
        for job in 0..self.lives.len() {
            let submit = self.jobs[JobId::new(job)].submit.0;
            if !self.lives[job].arrived && submit == self.now {
                self.lives[job].arrived = true;
                self.lives[job].over = self.size(job) > self.nodes;
            }
        }
        let before: Vec<Option<Spot>> = self.lives.iter().map(|life| life.spot.clone()).collect();
        let mut plan = before.clone();
        let evicted = self.foreground(&mut plan);
        self.validity(&mut plan);
        self.fill(&mut plan, &before, &evicted);
        self.apply(&before, plan, &evicted);
    }

    /// The job on the virtual machine of a node in a plan, and its process there.
    fn holder(plan: &[Option<Spot>], background: bool, node: usize) -> Option<(usize, usize)> {
        plan.iter().enumerate().find_map(|(job, spot)| match spot {
            Some((tier, nodes)) if *tier == background => nodes
                .iter()
                .position(|&at| at == node)
                .map(|process| (job, process)),
            _ => None,
        })
    }

    fn reported(&self, plan: &[Option<Spot>], background: bool, node: usize) -> f64 {
        Self::holder(plan, background, node).map_or(0.0, |(job, process)| {
            self.cpu(job).processes[process].reported.0
        })
    }

    fn available(&self, plan: &[Option<Spot>], background: bool) -> Vec<usize> {
        let free = |&node: &usize| {
            Self::holder(plan, background, node).is_none()
                && (!background || self.reported(plan, false, node) < self.threshold)
        };
        (0..self.nodes).filter(free).collect()
    }

    /// Dispatch: hungriest processes to the laziest neighbours; processes that have a node keep it.
    fn dispatch(
        &self,
        plan: &[Option<Spot>],
        job: usize,
        tier: bool,
        kept: &[Option<usize>],
    ) -> Spot {
        let usage = |process: usize| self.cpu(job).processes[process].reported.0;
        let mut processes: Vec<usize> = (0..kept.len()).filter(|&p| kept[p].is_none()).collect();
        processes.sort_by(|&a, &b| usage(b).total_cmp(&usage(a)));
        let mut nodes = self.available(plan, tier);
        nodes.retain(|node| !kept.contains(&Some(*node)));
        let beside = |node: usize| self.reported(plan, !tier, node);
        nodes.sort_by(|&a, &b| beside(a).total_cmp(&beside(b)));
        let mut spot = kept.to_vec();
        for (process, node) in processes.into_iter().zip(nodes) {
            spot[process] = Some(node);
        }
        let spot: Option<Vec<usize>> = spot.into_iter().collect();
        (tier, spot.expect("enough are available"))
    }

    /// Returns the jobs that lost the foreground.
    fn foreground(&self, plan: &mut [Option<Spot>]) -> Vec<usize> {
        let mut evicted = Vec::new();
        let mut head_blocked = false;
        for job in 0..self.lives.len() {
            let life = &self.lives[job];
            let in_front = matches!(plan[job], Some((false, _)));
            if !life.arrived || life.over || in_front {
                continue;
            }
            let idle = self.available(plan, false).len();
            let mut free = idle;
            let mut victims: Vec<usize> = Vec::new();
            for later in (job + 1..plan.len()).rev() {
                if free < self.size(job) && matches!(plan[later], Some((false, _))) {
                    victims.push(later);
                    free += self.size(later);
                }
            }
            if free < self.size(job) || (head_blocked && idle < self.size(job)) {
                head_blocked = self.head_only;
                continue;
            }
            let mut surplus = free - self.size(job);
            for victim in victims.into_iter().rev() {
                if self.size(victim) <= surplus {
                    surplus -= self.size(victim);
                } else {
                    plan[victim] = None;
                    evicted.push(victim);
                }
            }
            let kept = match &plan[job] {
                Some((true, nodes)) => nodes
                    .iter()
                    .map(|&node| Self::holder(plan, false, node).is_none().then_some(node))
                    .collect(),
                _ => vec![None; self.size(job)],
            };
            let spot = self.dispatch(plan, job, false, &kept);
            plan[job] = Some(spot);
        }
        evicted
    }

    fn validity(&self, plan: &mut [Option<Spot>]) {
        for job in 0..plan.len() {
            if let Some((true, nodes)) = &plan[job] {
                let lost = |&node: &usize| self.reported(plan, false, node) >= self.threshold;
                if nodes.iter().any(lost) {
                    plan[job] = None;
                }
            }
        }
    }

    fn fill(&self, plan: &mut [Option<Spot>], before: &[Option<Spot>], evicted: &[usize]) {
        for job in 0..plan.len() {
            let life = &self.lives[job];
            if !life.arrived || life.over || plan[job].is_some() {
                continue;
            }
            let available = self.available(plan, true);
            if available.len() < self.size(job) {
                continue;
            }
            let former = before[job].as_ref().filter(|_| evicted.contains(&job));
            plan[job] = match former {
                Some((false, nodes)) if nodes.iter().all(|node| available.contains(node)) => {
                    Some((true, nodes.clone()))
                }
                _ => Some(self.dispatch(plan, job, true, &vec![None; self.size(job)])),
            };
        }
    }

    /// Turns what is into what is planned.
    fn apply(&mut self, before: &[Option<Spot>], plan: Vec<Option<Spot>>, evicted: &[usize]) {
        let now = self.now;
        for (job, spot) in plan.iter().enumerate() {
            let (old, new) = (&before[job], spot);
            if old == new && !evicted.contains(&job) {
                continue;
            }
            self.sync(job);
            let cost = self.cost;
            let life = &mut self.lives[job];
            life.spot = new.clone();
            if let Some((tier, _)) = old {
                life.last_tier_background = *tier;
            }
            let Some((tier, nodes)) = new else {
                continue;
            };
            let in_place = old
                .as_ref()
                .is_some_and(|(was, at)| was != tier && at == nodes);
            match old {
                _ if in_place => life.history.swaps += 1,
                Some((true, _)) if !tier => {
                    life.history.promotions += 1;
                    life.paused_until = now + cost;
                }
                _ => {
                    if life.first_start.is_some() {
                        if life.last_tier_background {
                            life.history.evictions += 1
                        } else {
                            life.history.preemptions += 1
                        }
                        life.paused_until = now + cost;
                    }
                    life.first_start.get_or_insert(now);
                }
            }
        }
        for (job, old) in before.iter().enumerate() {
            if self.lives[job].spot.is_some() {
                let rate = self.rate(&plan, job);
                if rate != self.lives[job].rate {
                    self.sync(job);
                    self.lives[job].rate = rate;
                } else if old.is_none() {
                    self.lives[job].synced = now;
                }
            }
        }
    }

    /// Takes the work done since the last time off what remains.
    fn sync(&mut self, job: usize) {
        let now = self.now;
        let life = &mut self.lives[job];
        let from = life.synced.max(life.paused_until);
        if life.spot.is_some() && now > from {
            life.remaining = (life.remaining - (now - from) as f64 * life.rate).max(0.0);
        }
        life.synced = now;
    }

    fn rate(&self, plan: &[Option<Spot>], job: usize) -> f64 {
        let (background, nodes) = plan[job].as_ref().expect("it runs");
        let cpu = self.cpu(job);
        let mut rate: f64 = 1.0;
        for (process, &node) in nodes.iter().enumerate() {
            let Some((other, its)) = Self::holder(plan, !background, node) else {
                continue;
            };
            let own = &cpu.processes[process];
            rate = rate.min(match background {
                false => 1.0 - own.overhead,
                true if self.full_background => 1.0,
                true => {
                    let idle = 100.0 - self.cpu(other).processes[its].usage.0;
                    let share = if own.usage.0 <= idle {
                        1.0
                    } else {
                        idle / own.usage.0
                    };
                    cpu.efficiency * share
                }
            });
        }
        rate
    }
}

/// The histories of `jobs` under conservative backfilling on `nodes` nodes.
pub fn conservative(nodes: u64, jobs: &Jobs) -> Vec<JobHistory> {
    let fits = |job: usize| u64::from(jobs[JobId::new(job)].size) <= nodes;
    let submit = |job: usize| jobs[JobId::new(job)].submit.0;
    let length = |job: usize| jobs[JobId::new(job)].estimate.0.max(1);
    let runs = |job: usize| jobs[JobId::new(job)].runtime.0;
    let leaves = |job: usize| leaves_at(&jobs[JobId::new(job)]);
    let mut started: Vec<Option<u64>> = vec![None; jobs.len()];
    let mut left: Vec<Option<u64>> = vec![None; jobs.len()];
    let mut ended = vec![false; jobs.len()];
    let mut promised: Vec<Option<u64>> = vec![None; jobs.len()];
    let mut arrived = vec![false; jobs.len()];
    loop {
        let all = 0..jobs.len();
        let next = all.clone().filter_map(|job| match started[job] {
            Some(start) => (!ended[job]).then(|| start + runs(job)),
            None if !arrived[job] => Some(submit(job)),
            None => leaves(job).filter(|_| left[job].is_none() && fits(job)),
        });
        let Some(now) = next.min() else {
            let history = |job: usize| JobHistory {
                ran: started[job].map(|start| (start, start + runs(job))),
                left: left[job],
                ..JobHistory::default()
            };
            return all.map(history).collect();
        };
        let mut early = false;
        for job in all.clone() {
            if let Some(start) =
                started[job].filter(|start| !ended[job] && start + runs(job) == now)
            {
                ended[job] = true;
                early |= start + length(job) > now;
            }
            let waits = arrived[job] && started[job].is_none() && left[job].is_none();
            if waits && fits(job) && leaves(job) == Some(now) {
                left[job] = Some(now);
                promised[job] = None;
                early = true;
            }
            arrived[job] |= submit(job) == now;
        }
        let waits = |&job: &usize| {
            let open = started[job].is_none() && left[job].is_none();
            arrived[job] && open && fits(job)
        };
        let waiting: Vec<usize> = all.clone().filter(waits).collect();
        let running: Vec<usize> = all
            .clone()
            .filter(|&job| started[job].is_some() && !ended[job])
            .collect();
        let overrun = |job: &usize| started[*job].is_some_and(|start| start + length(*job) <= now);
        if running.iter().any(overrun) || promised.iter().flatten().any(|&start| start < now) {
            promised.fill(None);
        }
        // What is taken by running jobs and promises, as intervals.
        let taken = |promised: &[Option<u64>], but: usize| -> Vec<(u64, u64, u64)> {
            let size = |job: usize| u64::from(jobs[JobId::new(job)].size);
            let held = running.iter().map(|&job| {
                let end = started[job].expect("it runs") + length(job);
                (now, end.max(now + 1), size(job))
            });
            let waits = waiting.iter().filter(|&&job| job != but);
            let promises = waits.filter_map(|&job| Some((job, promised[job]?)));
            held.chain(promises.map(|(job, start)| (start, start + length(job), size(job))))
                .collect()
        };
        let earliest = |promised: &[Option<u64>], job: usize| -> u64 {
            let taken = taken(promised, job);
            let free_at = |time: u64| {
                let held = taken
                    .iter()
                    .filter(|&&(from, to, _)| from <= time && time < to);
                nodes - held.map(|one| one.2).sum::<u64>()
            };
            let enough = |time: u64| free_at(time) >= u64::from(jobs[JobId::new(job)].size);
            let mut starts: Vec<u64> = taken.iter().map(|one| one.1).chain([now]).collect();
            starts.sort_unstable();
            let fits = |&&start: &&u64| {
                let inside = taken.iter().map(|one| one.0);
                let inside = inside.filter(|&from| from > start && from < start + length(job));
                enough(start) && { inside }.all(enough)
            };
            *starts.iter().find(fits).expect("in the end all are free")
        };
        for &job in &waiting {
            if promised[job].is_none() {
                promised[job] = Some(earliest(&promised, job));
            }
        }
        while early {
            early = false;
            for &job in &waiting {
                let start = earliest(&promised, job);
                early |= Some(start) < promised[job];
                promised[job] = Some(start);
            }
        }
        for &job in &waiting {
            if promised[job] == Some(now) {
                promised[job] = None;
                started[job] = Some(now);
            }
        }
    }
}

/// The mean end of a job of `run` seconds whose only process has a neighbour in the background, by
/// slices of `slice` seconds: the loss is drawn again in each, and it ends with a slice.
pub fn sliced(run: f64, slice: f64, largest_loss: f64, samples: u64) -> f64 {
    let end = |sample: u64| {
        let mut stream = Stream::new(7, sample, "slices", 0);
        let (mut left, mut slices) = (run, 0.0);
        while left > 0.0 {
            left -= slice * (1.0 - largest_loss * stream.unit());
            slices += 1.0;
        }
        slices * slice
    };
    (0..samples).map(end).sum::<f64>() / samples as f64
}
