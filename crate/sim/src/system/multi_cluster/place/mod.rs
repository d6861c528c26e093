//! Placement on a multi-cluster: a chain of modules, each tried where those before it find nothing.
//! [`ClusterPlacement`] is the table of chains.
//!
//! - `chain`: the modules in their order; `refusal`: why they find nothing; `filling`: what the
//!   spreading modules share
//! - `local`, `migrate`: all on the cluster of submission, or all on another one
//! - `first_fit`: spread by free nodes alone
//! - `satisfy`: spread within a threshold on each link (A1)
//! - `largest_free`, `least_saturated`, `chunk`, `round_robin` (B1 to B4): spread by free nodes, by
//!   link load, with one large part, evenly. Class B knows the load of links but not what the job
//!   adds: it skips clusters whose link is at or above the threshold and may exceed it by one job
//!
//! *Source*: paper 3, section 5: locally, else by migration, else co-allocated.

mod chain;
mod chunk;
mod filling;
mod first_fit;
mod largest_free;
mod least_saturated;
mod local;
mod migrate;
mod refusal;
mod round_robin;
mod satisfy;

pub use chain::{Chain, Module};
pub use filling::Steps;
pub use satisfy::{nested_loops, place_by_nested_loops, satisfy};

use crate::choice::choices;
use crate::source::{PAPER_1, PAPER_3};

choices! {
    /// Where a job is placed on a multi-cluster.
    pub enum ClusterPlacement {
        FirstFit = "first-fit", "First fit",
            "Fat-tree: servers by index, in the lowest subtree that can hold the job. Multi-cluster: clusters with the most free nodes first, regardless of the load of their links.",
            PAPER_1;
        NoShare = "no-share", "No share",
            "Jobs run on the cluster at which they are submitted, or wait.",
            PAPER_3;
        MigrationOnly = "migration-only", "Migration only",
            "Jobs run on one cluster: their own, else that with the fewest free nodes that are enough.",
            PAPER_3;
        Satisfy = "a1", "Satisfy (A1)",
            "Jobs that fit on no single cluster are co-allocated so that no link is loaded above the threshold.",
            PAPER_3;
        LargestFree = "b1", "Largest free (B1)",
            "Jobs that fit on no single cluster are co-allocated over the clusters with the most free nodes.",
            PAPER_3;
        LeastSaturated = "b2", "Least saturated (B2)",
            "Jobs that fit on no single cluster are co-allocated over the clusters with the least loaded links.",
            PAPER_3;
        Chunk = "b3", "Big and small chunks (B3)",
            "Jobs that fit on no single cluster are co-allocated if one cluster takes a large part of them.",
            PAPER_3;
        RoundRobin = "b4", "Load balancing (B4)",
            "Jobs that fit on no single cluster are co-allocated evenly.",
            PAPER_3;
    }
}

/// The interpretation of the placements on a multi-cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterOptions {
    /// Whether first fit comes after the home cluster and migration.
    pub local_first: bool,
    /// The share of a link's rate, per cent, that what is required of it should stay below (LSLT in
    /// the paper).
    pub threshold: u32,
    /// The least part of a spread job, per cent, that one cluster must take.
    pub chunk: u32,
}

impl ClusterPlacement {
    /// Its modules in the order in which they are tried.
    pub fn chain(self, options: &ClusterOptions) -> Chain {
        let threshold = options.threshold;
        let last = match self {
            ClusterPlacement::NoShare => return Chain(vec![Module::Local]),
            ClusterPlacement::MigrationOnly => return Chain(vec![Module::Local, Module::Migrate]),
            ClusterPlacement::FirstFit if !options.local_first => {
                return Chain(vec![Module::FirstFit]);
            }
            ClusterPlacement::FirstFit => Module::FirstFit,
            ClusterPlacement::Satisfy => Module::Satisfy { threshold },
            ClusterPlacement::LargestFree => Module::LargestFree { threshold },
            ClusterPlacement::LeastSaturated => Module::LeastSaturated { threshold },
            ClusterPlacement::Chunk => Module::Chunk {
                threshold,
                part: options.chunk,
            },
            ClusterPlacement::RoundRobin => Module::RoundRobin { threshold },
        };
        Chain(vec![Module::Local, Module::Migrate, last])
    }
}
