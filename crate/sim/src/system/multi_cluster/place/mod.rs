//! Placement on a multi-cluster: modules that are tried in order, each where those before it find
//! nothing.
//!
//! - `local`: all on the cluster at which the job is submitted
//! - `migrate`: all on another cluster
//! - `first_fit`: spread over clusters by free nodes alone
//! - `satisfy`: spread so that no link is asked for more than a threshold (A1)
//! - `largest_free`: spread over the clusters with most nodes free (B1)
//! - `least_saturated`: spread over the clusters with the least loaded links (B2)
//! - `chunk`: spread such that one cluster takes a large part (B3)
//! - `round_robin`: spread evenly (B4)
//!
//! The modules of class B know what links are asked for, but not what a job will ask: they leave out
//! clusters whose link is at or above the threshold and may push others beyond it, by one job.
//!
//! *Source*: paper 3, section 5: locally, else by migration, else co-allocated.

mod chunk;
mod first_fit;
mod largest_free;
mod least_saturated;
mod local;
mod migrate;
mod round_robin;
mod satisfy;

pub use satisfy::{nested_loops, place_by_nested_loops, satisfy};

use serde::Serialize;

use crate::job::Ask;
use crate::place::Placer;
use crate::system::System;
use crate::system::multi_cluster::{Mapping, MultiCluster};
use crate::unit::Kbps;

/// One of the ways to place a job. Thresholds are per cent of a link's rate (LSLT in the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    /// On the home cluster.
    Local,
    /// On another cluster.
    Migrate,
    /// Over clusters by free nodes.
    FirstFit,
    /// Where the threshold holds afterwards.
    Satisfy {
        /// What no link may exceed.
        threshold: u32,
    },
    /// Over the clusters with most nodes free.
    LargestFree {
        /// From where on a cluster is left out, as in the following.
        threshold: u32,
    },
    /// Over the clusters with the least loaded links.
    LeastSaturated {
        /// See above.
        threshold: u32,
    },
    /// With a large part on one cluster.
    Chunk {
        /// See above.
        threshold: u32,
        /// How large a part at least, per cent of the job.
        part: u32,
    },
    /// Evenly.
    RoundRobin {
        /// See above.
        threshold: u32,
    },
}

impl Module {
    /// Where a job goes by this module alone; `steps` hears what that costs.
    pub fn place<T: Steps>(
        self,
        system: &MultiCluster,
        ask: &Ask,
        steps: &mut T,
    ) -> Option<Mapping> {
        match self {
            Module::Local => local::place(system, ask),
            Module::Migrate => migrate::place(system, ask),
            Module::FirstFit => first_fit::place(system, ask, steps),
            Module::Satisfy { threshold } => satisfy::place(system, ask, threshold, steps),
            Module::LargestFree { threshold } => largest_free::place(system, ask, threshold, steps),
            Module::LeastSaturated { threshold } => {
                least_saturated::place(system, ask, threshold, steps)
            }
            Module::Chunk { threshold, part } => chunk::place(system, ask, threshold, part, steps),
            Module::RoundRobin { threshold } => round_robin::place(system, ask, threshold, steps),
        }
    }

    /// The largest job for which it may find a place now.
    fn largest(self, system: &MultiCluster) -> u64 {
        match self {
            Module::Local | Module::Migrate => u64::from(system.most_free()),
            Module::FirstFit | Module::Satisfy { .. } => system.free_slots(),
            Module::LargestFree { threshold }
            | Module::LeastSaturated { threshold }
            | Module::Chunk { threshold, .. }
            | Module::RoundRobin { threshold } => eligible(system, threshold, &mut ())
                .map(|cluster| u64::from(system.free_in(cluster)))
                .sum(),
        }
    }
}

/// Who hears of the steps that spreading a job takes: a number of nodes tried for a cluster or moved
/// through a word of sums, a cluster looked at, two of them compared. Steps count, unlike times, alike
/// everywhere.
pub trait Steps {
    /// So many more have been taken.
    fn taken(&mut self, steps: u64);
}

/// Nobody hears of them, and that costs nothing.
impl Steps for () {
    fn taken(&mut self, _steps: u64) {}
}

/// They are added up.
impl Steps for u64 {
    fn taken(&mut self, steps: u64) {
        *self += steps;
    }
}

/// Why a job finds no place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// What there is in each cluster.
    pub rooms: Vec<Room>,
    /// What keeps it from being spread over them.
    pub barrier: Barrier,
}

/// What there is in a cluster for a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Room {
    /// Free nodes.
    pub free: u32,
    /// The most of these that the job could be given together with nodes elsewhere.
    pub most: u32,
    /// What running jobs require of the link, to a kbit/s.
    pub asked: Kbps,
    /// What the link carries.
    pub capacity: Kbps,
}

/// What keeps a job that fits into no cluster alone from being spread. Thresholds are per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Barrier {
    /// It may run at home only.
    Home {
        /// There.
        cluster: u32,
    },
    /// It may run on one cluster only.
    Single,
    /// All together have too few nodes free.
    TooFew,
    /// Those with a link below the threshold have.
    Loaded {
        /// Of what links carry.
        threshold: u32,
    },
    /// None of these has so many nodes for the large part.
    Part {
        /// Of what links carry.
        threshold: u32,
        /// So many.
        least: u32,
    },
    /// Every split would have a link asked for more than the threshold.
    Split {
        /// Of what links carry.
        threshold: u32,
    },
}

/// The modules of a scheduler in the order in which they are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(pub Vec<Module>);

impl Chain {
    /// Why a job finds no place; `None` if it finds one.
    ///
    /// # Panics
    /// There is no module.
    pub fn refusal(&self, system: &MultiCluster, ask: &Ask) -> Option<Refusal> {
        let mut modules = self.0.iter();
        if modules.any(|module| module.place(system, ask, &mut ()).is_some()) {
            return None;
        }
        let last = *self.0.last().expect("a module");
        let all = 0..system.clusters();
        let below = |threshold| eligible(system, threshold, &mut ()).collect::<Vec<u32>>();
        let (open, barrier) = match last {
            Module::Local => {
                let cluster = ask.home;
                (vec![cluster], Barrier::Home { cluster })
            }
            Module::Migrate => (all.clone().collect(), Barrier::Single),
            Module::FirstFit => (all.clone().collect(), Barrier::TooFew),
            Module::Satisfy { threshold } => (all.clone().collect(), Barrier::Split { threshold }),
            Module::Chunk { threshold, part } => {
                let least = (u64::from(part) * u64::from(ask.size)).div_ceil(100) as u32;
                (below(threshold), Barrier::Part { threshold, least })
            }
            Module::LargestFree { threshold }
            | Module::LeastSaturated { threshold }
            | Module::RoundRobin { threshold } => (below(threshold), Barrier::Loaded { threshold }),
        };
        let room = |cluster: u32| {
            let free = system.free_in(cluster);
            Room {
                free,
                most: match last {
                    Module::Satisfy { threshold } => satisfy::most(system, ask, cluster, threshold),
                    _ if open.contains(&cluster) => free,
                    _ => 0,
                },
                asked: Kbps((system.load_of(cluster) + 500) / 1000),
                capacity: Kbps(system.capacity_of(cluster) / 1000),
            }
        };
        let rooms: Vec<Room> = all.map(room).collect();
        let together: u64 = rooms.iter().map(|room| u64::from(room.most)).sum();
        let too_few = together < u64::from(ask.size);
        let barrier = match barrier {
            Barrier::Split { .. } if system.free_slots() < u64::from(ask.size) => Barrier::TooFew,
            Barrier::Part { threshold, .. } if too_few => Barrier::Loaded { threshold },
            other => other,
        };
        Some(Refusal { rooms, barrier })
    }
}

impl Placer<MultiCluster> for Chain {
    fn place(&mut self, system: &MultiCluster, ask: &Ask) -> Option<Mapping> {
        let mut modules = self.0.iter();
        modules.find_map(|module| module.place(system, ask, &mut ()))
    }

    fn exists(&self, system: &MultiCluster, ask: &Ask) -> Option<bool> {
        let room = match self.0.last()? {
            Module::Local => system.free_in(ask.home).into(),
            Module::Migrate => system.most_free().into(),
            _ => system.free_slots(),
        };
        Some(u64::from(ask.size) <= room)
    }

    fn by_count(&self) -> bool {
        self.0.contains(&Module::FirstFit)
    }

    fn largest(&self, system: &MultiCluster) -> u64 {
        let modules = self.0.iter().map(|module| module.largest(system));
        modules.max().unwrap_or(0)
    }
}

/// The clusters whose link is asked for less than the threshold, by index.
fn eligible<'a, T: Steps>(
    system: &'a MultiCluster,
    threshold: u32,
    steps: &mut T,
) -> impl Iterator<Item = u32> + use<'a, T> {
    steps.taken(u64::from(system.clusters()));
    (0..system.clusters()).filter(move |&cluster| {
        let load = 100 * u128::from(system.load_of(cluster));
        load < u128::from(threshold) * u128::from(system.capacity_of(cluster))
    })
}

/// Fills clusters in their order as far as they are free; nothing if they have too few free nodes.
fn fill<T: Steps>(
    system: &MultiCluster,
    ask: &Ask,
    clusters: &[u32],
    steps: &mut T,
) -> Option<Mapping> {
    steps.taken(clusters.len() as u64);
    let mut left = ask.size;
    let mut nodes: Vec<(u32, u32)> = Vec::with_capacity(clusters.len());
    for &cluster in clusters {
        let here = left.min(system.free_in(cluster));
        nodes.push((cluster, here));
        left -= here;
    }
    nodes.sort_unstable();
    (left == 0).then(|| Mapping::new(ask, nodes))
}

/// Sorts clusters by free nodes, the most first; equal ones by index.
fn by_free_nodes<T: Steps>(
    system: &MultiCluster,
    clusters: impl Iterator<Item = u32>,
    steps: &mut T,
) -> Vec<u32> {
    let mut clusters: Vec<u32> = clusters.collect();
    steps.taken(of_sorting(clusters.len()));
    clusters.sort_by_key(|&cluster| std::cmp::Reverse(system.free_in(cluster)));
    clusters
}

/// How many comparisons sorting so many clusters takes at most, by merging: n⌈log₂ n⌉. Those that a
/// library really makes may change with it.
fn of_sorting(clusters: usize) -> u64 {
    clusters as u64 * u64::from(clusters.next_power_of_two().ilog2())
}
