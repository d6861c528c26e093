//! Why a job has no placement on clusters.

use super::chain::{Chain, Module};
use super::filling::eligible;
use super::satisfy;
use crate::job::Request;
use crate::machine::System;
use crate::system::describe::{Barrier, Refusal, Room};
use crate::system::multi_cluster::MultiCluster;
use crate::unit::Kbps;

impl Chain {
    /// Why a job finds no place; `None` if it finds one.
    ///
    /// # Panics
    /// There is no module.
    pub fn refusal(&self, system: &MultiCluster, request: &Request) -> Option<Refusal> {
        if self.found(system, request).is_some() {
            return None;
        }
        let last = *self.0.last().expect("a module");
        let all = 0..system.clusters();
        let below = |threshold| eligible(system, threshold, &mut ()).collect::<Vec<u32>>();
        let (open, barrier) = match last {
            Module::Local => {
                let part = request.home;
                (vec![part], Barrier::Home { part })
            }
            Module::Migrate => (all.clone().collect(), Barrier::Single),
            Module::FirstFit => (all.clone().collect(), Barrier::TooFew),
            Module::Satisfy { threshold } => (all.clone().collect(), Barrier::Split { threshold }),
            Module::Chunk { threshold, part } => {
                let least = (u64::from(part) * u64::from(request.size)).div_ceil(100) as u32;
                (below(threshold), Barrier::Large { threshold, least })
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
            Barrier::Large { threshold, .. } if too_few => Barrier::Loaded { threshold },
            other => other,
        };
        Some(Refusal { rooms, barrier })
    }
}
