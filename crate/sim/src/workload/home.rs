//! The clusters at which jobs are submitted, where there are several.
//!
//! Source: paper 3, section 4: each cluster has a Poisson stream of jobs of its own. Together these
//! are one Poisson stream whose jobs belong to each cluster with equal probability, which is what
//! is drawn here.

use crate::choice::choices;
use crate::source::PAPER_3;
use std::collections::BTreeMap;

use crate::rng::Stream;

choices! {
    /// At which cluster a job is submitted.
    pub enum HomeRule {
        Drawn = "drawn", "Drawn",
            "Each cluster is as likely as any other, for each job anew.",
            PAPER_3;
        InTurn = "in-turn", "In turn",
            "The clusters take turns.",
            "";
        ByUser = "by-user", "By user",
            "All jobs of a user at one cluster; new users take the clusters in turn.",
            "";
    }
}

/// At which clusters jobs are submitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Homes {
    /// The number of clusters.
    pub clusters: u32,
    /// The rule by which jobs get their cluster.
    pub rule: HomeRule,
}

/// Gives jobs their clusters, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Assigner {
    homes: Homes,
    seed: u64,
    replication: u64,
    /// The cluster of each known user.
    known: BTreeMap<u32, u32>,
}

impl Assigner {
    pub(super) fn new(homes: Homes, seed: u64, replication: u64) -> Assigner {
        Assigner {
            homes,
            seed,
            replication,
            known: BTreeMap::new(),
        }
    }

    /// The cluster of the job of that index and user; jobs without a user are those of user 0.
    pub(super) fn home(&mut self, index: u64, user: u32) -> u32 {
        let clusters = self.homes.clusters;
        match self.homes.rule {
            HomeRule::Drawn => {
                let mut stream = Stream::new(self.seed, self.replication, "home", index);
                stream.below(u64::from(clusters)) as u32
            }
            HomeRule::InTurn => (index % u64::from(clusters)) as u32,
            HomeRule::ByUser => {
                let next = self.known.len() as u32 % clusters;
                *self.known.entry(user).or_insert(next)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn homes(rule: HomeRule, users: &[u32]) -> Vec<u32> {
        let mut assigner = Assigner::new(Homes { clusters: 3, rule }, 42, 0);
        let user = |index: u64| users.get(index as usize).copied().unwrap_or(0);
        (0..400)
            .map(|index| assigner.home(index, user(index)))
            .collect()
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
