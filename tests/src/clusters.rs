//! A multi-cluster under FPFS, done slowly and plainly: when and where each job starts, and when it
//! ends.
//!
//! Jobs advance by their residual times of computation and of communication as Eq. 6 and 7 of paper
//! 3 are printed (where they can be read), where the simulator has one rate. Everything is looked
//! at again at every instant; nothing is pruned.

use backfill_sim::job::{Job, Jobs};
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::multi_cluster::LinkSharing;
use backfill_sim::system::multi_cluster::MultiClusterSpec;
use backfill_sim::system::multi_cluster::place::{ClusterPlacement, nested_loops};

use crate::runs::leaves_at;

/// What became of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Life {
    /// It cannot run.
    Refused,
    /// It left the queue.
    Left {
        /// When, µs.
        time: u64,
    },
    /// It ran.
    Ran {
        /// When it started, µs.
        start: u64,
        /// When it ended, µs.
        end: u64,
        /// Its nodes on each cluster.
        nodes: Vec<u32>,
    },
}

/// A running job.
struct Running {
    job: usize,
    start: u64,
    nodes: Vec<u32>,
    /// Time of computation left (T_P of R), µs.
    computation: f64,
    /// Time of communication left, as slow as it is now (T_C of R), µs.
    communication: f64,
    /// The share of its bandwidth that it gets.
    share: f64,
    end: u64,
}

struct Clusters<'a> {
    setup: &'a Setup,
    nodes: Vec<u32>,
    links: Vec<f64>,
    computation: f64,
    sharing: LinkSharing,
    penalty: f64,
    jobs: &'a Jobs,
    running: Vec<Running>,
}

/// What becomes of `jobs` under FPFS on the clusters of `setup`.
///
/// # Panics
/// The system is no multi-cluster, or its penalty is fixed but not given.
pub fn lives(setup: &Setup, jobs: &Jobs) -> Vec<Life> {
    Clusters::new(setup, jobs).run()
}

/// Clusters with some jobs on them.
pub struct Moment<'a>(Clusters<'a>);

impl<'a> Moment<'a> {
    /// The clusters of `setup` with jobs, by index, on these numbers of nodes of each.
    ///
    /// # Panics
    /// The system is no multi-cluster, or its penalty is fixed but not given.
    pub fn new(
        setup: &'a Setup,
        jobs: &'a Jobs,
        held: impl Iterator<Item = (usize, Vec<u32>)>,
    ) -> Moment<'a> {
        let mut clusters = Clusters::new(setup, jobs);
        let running = held.map(|(job, nodes)| Running {
            job,
            start: 0,
            nodes,
            computation: 0.0,
            communication: 0.0,
            share: 1.0,
            end: 0,
        });
        clusters.running = running.collect();
        Moment(clusters)
    }

    /// Free nodes by cluster.
    pub fn free(&self) -> Vec<u32> {
        self.0.free()
    }

    /// What is required of each link, bit/s.
    pub fn loads(&self) -> Vec<u64> {
        self.0.loads()
    }

    /// What each link carries, bit/s.
    pub fn links(&self) -> Vec<u64> {
        self.0.links.iter().map(|&link| link as u64).collect()
    }

    /// Where a job would be placed.
    pub fn place(&self, job: &Job) -> Option<Vec<u32>> {
        self.0.place(job)
    }

    /// The demand on the link of a cluster of a job with `inside` nodes on it and others elsewhere,
    /// bit/s.
    pub fn need(&self, job: &Job, inside: u32) -> u64 {
        self.0.needs(job, &[inside])[0]
    }
}

impl<'a> Clusters<'a> {
    fn new(setup: &'a Setup, jobs: &'a Jobs) -> Clusters<'a> {
        let SystemSpec::MultiCluster(MultiClusterSpec {
            nodes,
            links,
            computation,
            sharing,
            penalty,
        }) = &setup.system
        else {
            panic!("no multi-cluster");
        };
        Clusters {
            setup,
            nodes: nodes.clone(),
            links: links.iter().map(|link| 1000.0 * link.0 as f64).collect(),
            computation: computation.to_f64(),
            sharing: *sharing,
            penalty: match sharing {
                LinkSharing::Fixed => penalty.expect("a given penalty").to_f64(),
                _ => 1.0,
            },
            jobs,
            running: Vec::new(),
        }
    }

    fn run(&mut self) -> Vec<Life> {
        let mut lives: Vec<Option<Life>> = vec![None; self.jobs.len()];
        let mut waiting: Vec<usize> = Vec::new();
        let mut next = 0;
        let (mut now, mut changed) = (0, 0);
        let all: Vec<Job> = self.jobs.iter().cloned().collect();
        loop {
            let ends = self.running.iter().map(|job| job.end);
            let arrival = all.get(next).map(|job| job.submit.0);
            let leaving = waiting.iter().filter_map(|&job| leaves_at(&all[job]));
            let Some(instant) = ends.chain(arrival).chain(leaving).min() else {
                return lives
                    .into_iter()
                    .map(|life| life.expect("decided"))
                    .collect();
            };
            now = instant.max(now);
            let over: Vec<usize> = self
                .running
                .iter()
                .filter(|job| job.end == now)
                .map(|job| job.job)
                .collect();
            let mut change = false;
            for job in over {
                let position = self.running.iter().position(|running| running.job == job);
                let done = self.running.remove(position.expect("it runs"));
                change |= parts(&done.nodes) > 1;
                lives[job] = Some(Life::Ran {
                    start: done.start,
                    end: now,
                    nodes: done.nodes,
                });
            }
            waiting.retain(|&job| {
                let leaves = leaves_at(&all[job]) == Some(now);
                if leaves {
                    lives[job] = Some(Life::Left { time: now });
                }
                !leaves
            });
            while next < all.len() && all[next].submit.0 == now {
                let empty = std::mem::take(&mut self.running);
                match self.place(&all[next]) {
                    Some(_) => waiting.push(next),
                    None => lives[next] = Some(Life::Refused),
                }
                self.running = empty;
                next += 1;
            }
            let mut started = Vec::new();
            for &job in &waiting {
                let Some(nodes) = self.place(&all[job]) else {
                    continue;
                };
                started.push(job);
                let several = parts(&nodes) > 1;
                change |= several;
                let factor = if several { self.penalty } else { 1.0 };
                let work = all[job].runtime.0 as f64 * factor;
                self.running.push(Running {
                    job,
                    start: now,
                    nodes,
                    computation: work * self.computation,
                    communication: work - work * self.computation,
                    share: 1.0,
                    end: now + (work - 1.0 / 1024.0).ceil().max(0.0) as u64,
                });
            }
            waiting.retain(|job| !started.contains(job));
            self.running.sort_by_key(|running| running.job);
            if change && self.sharing == LinkSharing::Dynamic {
                self.advance(now, changed);
                changed = now;
            }
        }
    }

    /// Eq. 6 and 7, for the time since the state between clusters last changed.
    fn advance(&mut self, now: u64, changed: u64) {
        let shares = self.shares();
        for (running, share) in self.running.iter_mut().zip(shares) {
            if parts(&running.nodes) < 2 {
                continue;
            }
            let passed = (now - changed.max(running.start)) as f64;
            let whole = running.computation + running.communication;
            let before = running.share;
            if whole > 0.0 {
                let (computed, told) = (
                    passed * running.computation / whole,
                    passed * running.communication / whole,
                );
                running.computation -= computed;
                running.communication = (running.communication - told) * before / share;
            }
            if share != before {
                running.share = share;
                let left = running.computation + running.communication;
                running.end = now + (left - 1.0 / 1024.0).ceil().max(0.0) as u64;
            }
        }
    }

    /// The share of its needs that each running job gets: the fullest link first, as often as there
    /// are links.
    fn shares(&self) -> Vec<f64> {
        let needs: Vec<Vec<f64>> = self
            .running
            .iter()
            .map(|running| self.needs(&self.jobs.as_slice()[running.job], &running.nodes))
            .map(|needs| needs.into_iter().map(|need| need as f64).collect())
            .collect();
        let mut shares: Vec<Option<f64>> = vec![None; needs.len()];
        let mut left = self.links.clone();
        for _ in 0..left.len() {
            let open = |shares: &[Option<f64>], link: usize| -> f64 {
                let open = shares
                    .iter()
                    .zip(&needs)
                    .filter(|(share, _)| share.is_none());
                open.map(|(_, need)| need[link]).sum()
            };
            let asked = (0..left.len()).filter(|&link| open(&shares, link) > 0.0);
            let fraction = |link: usize| left[link] / open(&shares, link);
            let Some(fullest) = asked.min_by(|&a, &b| fraction(a).total_cmp(&fraction(b))) else {
                break;
            };
            let share = fraction(fullest);
            if share >= 1.0 - 1e-12 {
                break;
            }
            for job in 0..needs.len() {
                if shares[job].is_none() && needs[job][fullest] > 0.0 {
                    shares[job] = Some(share);
                    for (left, need) in left.iter_mut().zip(&needs[job]) {
                        *left = (*left - need * share).max(0.0);
                    }
                }
            }
        }
        shares
            .into_iter()
            .map(|share| share.unwrap_or(1.0))
            .collect()
    }

    /// Eq. 1 with Eq. 8, bit/s, halves up.
    fn needs(&self, job: &Job, nodes: &[u32]) -> Vec<u64> {
        let n = u128::from(job.size);
        let need = |&x: &u32| {
            let x = u128::from(x);
            let four = 4 * u128::from(1000 * job.bandwidth.0) * x * (n - x);
            ((2 * four + n * n) / (2 * n * n)) as u64
        };
        nodes.iter().map(need).collect()
    }

    fn free(&self) -> Vec<u32> {
        let mut free = self.nodes.clone();
        for running in &self.running {
            for (free, held) in free.iter_mut().zip(&running.nodes) {
                *free -= held;
            }
        }
        free
    }

    fn loads(&self) -> Vec<u64> {
        let mut loads = vec![0; self.nodes.len()];
        for running in &self.running {
            let needs = self.needs(&self.jobs.as_slice()[running.job], &running.nodes);
            for (load, need) in loads.iter_mut().zip(needs) {
                *load += need;
            }
        }
        loads
    }

    fn place(&self, job: &Job) -> Option<Vec<u32>> {
        let (free, m) = (self.free(), self.nodes.len());
        let placement = ClusterPlacement::named(self.setup.placement.name());
        let placement = placement.expect("a placement on clusters");
        let placing = &self.setup.placing.multi_cluster;
        let only = |cluster: usize| {
            let mut nodes = vec![0; m];
            nodes[cluster] = job.size;
            Some(nodes)
        };
        if placement != ClusterPlacement::FirstFit || placing.local_first {
            if free[job.home as usize] >= job.size {
                return only(job.home as usize);
            }
            let fits = (0..m).filter(|&cluster| free[cluster] >= job.size);
            if placement != ClusterPlacement::NoShare
                && let Some(tightest) = fits.min_by_key(|&cluster| (free[cluster], cluster))
            {
                return only(tightest);
            }
        }
        let loads = self.loads();
        let percent = u64::from(placing.threshold);
        let below = |&cluster: &usize| 100 * loads[cluster] < percent * self.links[cluster] as u64;
        let mut open: Vec<usize> = (0..m).filter(below).collect();
        match placement {
            ClusterPlacement::NoShare | ClusterPlacement::MigrationOnly => None,
            ClusterPlacement::FirstFit => {
                let mut all: Vec<usize> = (0..m).collect();
                all.sort_by_key(|&cluster| (std::cmp::Reverse(free[cluster]), cluster));
                fill(&all, &free, job.size)
            }
            ClusterPlacement::Satisfy => {
                let room = |cluster: usize| {
                    (percent * self.links[cluster] as u64 / 100).saturating_sub(loads[cluster])
                };
                let allowed = |cluster: usize| {
                    let fits = |&x: &u32| self.needs(job, &[x])[0] <= room(cluster);
                    let most = free[cluster].min(job.size);
                    (0..=most).filter(fits).collect()
                };
                let sets: Vec<Vec<u32>> = (0..m).map(allowed).collect();
                nested_loops(&sets, job.size, &mut ())
            }
            ClusterPlacement::LargestFree | ClusterPlacement::Chunk => {
                open.sort_by_key(|&cluster| (std::cmp::Reverse(free[cluster]), cluster));
                let part = u64::from(placing.chunk) * u64::from(job.size);
                if placement == ClusterPlacement::Chunk
                    && open
                        .first()
                        .is_none_or(|&c| 100 * u64::from(free[c]) < part)
                {
                    return None;
                }
                fill(&open, &free, job.size)
            }
            ClusterPlacement::LeastSaturated => {
                open.sort_by(|&a, &b| {
                    let share = |cluster: usize| loads[cluster] as f64 / self.links[cluster];
                    share(a).total_cmp(&share(b)).then(a.cmp(&b))
                });
                fill(&open, &free, job.size)
            }
            ClusterPlacement::RoundRobin => {
                let mut nodes = vec![0; m];
                let mut turn = open.iter().cycle();
                if open.iter().map(|&cluster| free[cluster]).sum::<u32>() < job.size {
                    return None;
                }
                while nodes.iter().sum::<u32>() < job.size {
                    let &cluster = turn.next()?;
                    nodes[cluster] += u32::from(nodes[cluster] < free[cluster]);
                }
                Some(nodes)
            }
        }
    }
}

fn parts(nodes: &[u32]) -> usize {
    nodes.iter().filter(|&&held| held > 0).count()
}

fn fill(order: &[usize], free: &[u32], size: u32) -> Option<Vec<u32>> {
    let mut nodes = vec![0; free.len()];
    let mut left = size;
    for &cluster in order {
        nodes[cluster] = left.min(free[cluster]);
        left -= nodes[cluster];
    }
    (left == 0).then_some(nodes)
}
