//! Why a job finds no place on clusters.

use serde::Serialize;

use super::chain::{Chain, Module};
use super::filling::eligible;
use super::satisfy;
use crate::job::Request;
use crate::system::System;
use crate::system::multi_cluster::MultiCluster;
use crate::unit::Kbps;

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

impl Chain {
    /// Why a job finds no place; `None` if it finds one.
    ///
    /// # Panics
    /// There is no module.
    pub fn refusal(&self, system: &MultiCluster, request: &Request) -> Option<Refusal> {
        let mut modules = self.0.iter();
        if modules.any(|module| module.place(system, request, &mut ()).is_some()) {
            return None;
        }
        let last = *self.0.last().expect("a module");
        let all = 0..system.clusters();
        let below = |threshold| eligible(system, threshold, &mut ()).collect::<Vec<u32>>();
        let (open, barrier) = match last {
            Module::Local => {
                let cluster = request.home;
                (vec![cluster], Barrier::Home { cluster })
            }
            Module::Migrate => (all.clone().collect(), Barrier::Single),
            Module::FirstFit => (all.clone().collect(), Barrier::TooFew),
            Module::Satisfy { threshold } => (all.clone().collect(), Barrier::Split { threshold }),
            Module::Chunk { threshold, part } => {
                let least = (u64::from(part) * u64::from(request.size)).div_ceil(100) as u32;
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
                    Module::Satisfy { threshold } => {
                        satisfy::most(system, request, cluster, threshold)
                    }
                    _ if open.contains(&cluster) => free,
                    _ => 0,
                },
                asked: Kbps((system.load_of(cluster) + 500) / 1000),
                capacity: Kbps(system.capacity_of(cluster) / 1000),
            }
        };
        let rooms: Vec<Room> = all.map(room).collect();
        let together: u64 = rooms.iter().map(|room| u64::from(room.most)).sum();
        let too_few = together < u64::from(request.size);
        let barrier = match barrier {
            Barrier::Split { .. } if system.free_slots() < u64::from(request.size) => {
                Barrier::TooFew
            }
            Barrier::Part { threshold, .. } if too_few => Barrier::Loaded { threshold },
            other => other,
        };
        Some(Refusal { rooms, barrier })
    }
}
