//! Modules tried in order, each where those before it find nothing.

use super::filling::{Steps, eligible};
use super::{
    chunk, first_fit, largest_free, least_saturated, local, migrate, round_robin, satisfy,
};
use crate::job::Request;
use crate::machine::System;
use crate::place::Placer;
use crate::system::multi_cluster::{Mapping, MultiCluster};

/// One of the ways to place a job. Thresholds are per cent of a link's rate (LSLT in the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Module {
    /// On the home cluster.
    Local,
    /// On another cluster.
    Migrate,
    /// Over clusters by free nodes.
    FirstFit,
    /// If the demand on links stays within the threshold.
    Satisfy {
        /// What no link may exceed.
        threshold: u32,
    },
    /// Over the clusters with most nodes free.
    LargestFree {
        /// Clusters at or above this demand are left out.
        threshold: u32,
    },
    /// Over the clusters with the least loaded links.
    LeastSaturated {
        /// Clusters at or above this demand are left out.
        threshold: u32,
    },
    /// With a large part on one cluster.
    Chunk {
        /// Clusters at or above this demand are left out.
        threshold: u32,
        /// How large a part at least, per cent of the job.
        part: u32,
    },
    /// Evenly.
    RoundRobin {
        /// Clusters at or above this demand are left out.
        threshold: u32,
    },
}

impl Module {
    /// The placement of a job by this module alone; `steps` counts its cost.
    pub fn place<T: Steps>(
        self,
        system: &MultiCluster,
        request: &Request,
        steps: &mut T,
    ) -> Option<Mapping> {
        match self {
            Module::Local => local::place(system, request),
            Module::Migrate => migrate::place(system, request),
            Module::FirstFit => first_fit::place(system, request, steps),
            Module::Satisfy { threshold } => satisfy::place(system, request, threshold, steps),
            Module::LargestFree { threshold } => {
                largest_free::place(system, request, threshold, steps)
            }
            Module::LeastSaturated { threshold } => {
                least_saturated::place(system, request, threshold, steps)
            }
            Module::Chunk { threshold, part } => {
                chunk::place(system, request, threshold, part, steps)
            }
            Module::RoundRobin { threshold } => {
                round_robin::place(system, request, threshold, steps)
            }
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

/// The modules of a scheduler in the order in which they are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(pub Vec<Module>);

impl Chain {
    /// The placement of a job, and the module that finds it; `None` where none does.
    pub fn found(&self, system: &MultiCluster, request: &Request) -> Option<(Module, Mapping)> {
        let mut modules = self.0.iter();
        modules.find_map(|&module| Some((module, module.place(system, request, &mut ())?)))
    }
}

impl Placer<MultiCluster> for Chain {
    fn place(&mut self, system: &MultiCluster, request: &Request) -> Option<Mapping> {
        let mut modules = self.0.iter();
        modules.find_map(|module| module.place(system, request, &mut ()))
    }

    fn exists(&self, system: &MultiCluster, request: &Request) -> Option<bool> {
        let room = match self.0.last()? {
            Module::Local => system.free_in(request.home).into(),
            Module::Migrate => system.most_free().into(),
            _ => system.free_slots(),
        };
        Some(u64::from(request.size) <= room)
    }

    fn slots_decide(&self) -> bool {
        self.0.contains(&Module::FirstFit)
    }

    fn largest(&self, system: &MultiCluster) -> u64 {
        let modules = self.0.iter().map(|module| module.largest(system));
        modules.max().unwrap_or(0)
    }
}
