//! The clusters at which jobs are submitted, where there are several.
//!
//! Source: paper 3, section 4: each cluster has a Poisson stream of jobs of its own. Together these are one
//! Poisson stream whose jobs belong to each cluster with equal probability, which is what is drawn here.

use std::collections::BTreeMap;

use crate::job::Job;
use crate::rng::Stream;
use crate::scenario::{HomeRule, Homes};

/// Gives each job its cluster; `users` are those of the jobs, empty where nobody knows them.
pub(super) fn assign(jobs: &mut [Job], homes: Homes, users: &[u32], seed: u64, replication: u64) {
    let clusters = homes.clusters;
    let mut known: BTreeMap<u32, u32> = BTreeMap::new();
    for (index, job) in jobs.iter_mut().enumerate() {
        job.home = match homes.rule {
            HomeRule::Drawn => {
                let mut stream = Stream::new(seed, replication, "home", index as u64);
                stream.below(u64::from(clusters)) as u32
            }
            HomeRule::InTurn => index as u32 % clusters,
            HomeRule::ByUser => {
                let user = users.get(index).copied().unwrap_or(0);
                let next = known.len() as u32 % clusters;
                *known.entry(user).or_insert(next)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Law;
    use crate::workload::poisson;

    fn homes(rule: HomeRule, users: &[u32]) -> Vec<u32> {
        let law = |text| Law::parse(text).unwrap();
        let laws = poisson::Laws {
            size: law("constant:1"),
            runtime: law("constant:1"),
            interarrival: law("constant:1"),
        };
        let mut jobs = poisson::jobs(400, laws, 42, 0);
        let clusters = 3;
        assign(&mut jobs, Homes { clusters, rule }, users, 42, 0);
        jobs.iter().map(|job| job.home).collect()
    }

    #[test]
    fn every_cluster_is_drawn_about_as_often() {
        let drawn = homes(HomeRule::Drawn, &[]);
        for cluster in 0..3 {
            // Expected 133 with a standard deviation of 9.4.
            let count = drawn.iter().filter(|&&home| home == cluster).count();
            assert!((95..172).contains(&count), "{count}");
        }
        assert_ne!(drawn, homes(HomeRule::InTurn, &[]));
    }

    #[test]
    fn clusters_take_turns_by_job_or_by_user() {
        assert_eq!(homes(HomeRule::InTurn, &[])[..5], [0, 1, 2, 0, 1]);
        let users = [7, 7, 3, 9, 3, 8, 7];
        assert_eq!(homes(HomeRule::ByUser, &users)[..7], [0, 0, 1, 2, 1, 0, 0]);
    }
}
