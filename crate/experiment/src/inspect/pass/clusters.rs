//! By which rule a job gets its nodes of a multi-cluster: by its placement's module that found them,
//! which is asked again in the state before.

use std::collections::BTreeMap;

use backfill_sim::id::JobId;
use backfill_sim::job::{Jobs, Request};
use backfill_sim::machine::System;
use backfill_sim::run::chain;
use backfill_sim::setup::Setup;
use backfill_sim::system::multi_cluster::place::{Chain, Module};
use backfill_sim::system::multi_cluster::{KnownSharing, Mapping, MultiCluster};

/// A multi-cluster before a job starts, and its placement.
pub(super) struct Clusters {
    system: MultiCluster,
    chain: Chain,
}

impl Clusters {
    /// Those of a setup with what jobs hold; `None` on another system.
    pub(super) fn with(
        setup: &Setup,
        jobs: &Jobs,
        held: &BTreeMap<JobId, Vec<(u32, u32)>>,
    ) -> Option<Clusters> {
        // How links slow jobs down decides no placement.
        let mut system = setup.system.multi_cluster()?.build(KnownSharing::Ideal);
        for (&job, shares) in held {
            let request = jobs[job].request(job);
            let mapping = Mapping::new(&request, shares.iter().copied());
            system.hold(&request, &mapping);
        }
        let chain = chain(setup);
        Some(Clusters { system, chain })
    }

    /// What is required of the link of a cluster, in words; empty where that is nothing.
    pub(super) fn load(&self, cluster: u32) -> String {
        let load = u128::from(self.system.load_of(cluster));
        let rate = u128::from(self.system.capacity_of(cluster));
        match (100 * load / rate) as u64 {
            _ if load == 0 => String::new(),
            0 => " (less than 1 % asked of its link)".to_owned(),
            share => format!(" ({share} % asked of its link)"),
        }
    }

    /// By which rule a job gets its nodes, in one or more sentences.
    pub(super) fn rule(&self, request: &Request) -> String {
        let found = self.chain.found(&self.system, request);
        let (home, size) = (request.home, request.size);
        let most_free = "Clusters with the most free nodes give theirs first.";
        let (mut by, threshold) = match found.expect("it starts").0 {
            Module::Local => return format!("It fits on cluster {home}, where it is submitted."),
            Module::Migrate => {
                return format!(
                    "Cluster {home}, where it is submitted, has too few free nodes; of the others \
                     with enough, it gets the one with the fewest."
                );
            }
            Module::FirstFit => return most_free.to_owned(),
            Module::Satisfy { threshold } => {
                return format!(
                    "No cluster has {size} free nodes. By number, each gives the fewest with which \
                     the others can give the rest and no link is asked for more than {threshold} %."
                );
            }
            Module::LargestFree { threshold } => (most_free.to_owned(), threshold),
            Module::LeastSaturated { threshold } => (
                "Clusters with the least asked of their links give theirs first.".to_owned(),
                threshold,
            ),
            Module::Chunk { threshold, part } => (
                format!("{most_free} One has room for at least {part} % of the job."),
                threshold,
            ),
            Module::RoundRobin { threshold } => {
                ("Clusters give one node each in turn.".to_owned(), threshold)
            }
        };
        by.insert_str(0, &format!("No cluster has {size} free nodes. "));
        by + &format!(" Clusters with {threshold} % or more asked of their link give none.")
    }
}
