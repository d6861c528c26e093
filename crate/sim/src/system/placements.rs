//! The table of placements: where jobs can be placed on which system.

use std::fmt;

use serde::{Serialize, Serializer};

use super::SystemKind;
use super::fat_tree::place::TreeOptions;
use super::multi_cluster::place::ClusterOptions;
use super::tree::place::TopologyOptions;
use crate::choice::Choice;

/// Where a job is placed: a row in the table of placements of a system. A name means the same on
/// every system that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementPolicy(&'static Choice);

impl PlacementPolicy {
    /// The placements of all systems, each once, in the order in which they are shown.
    pub fn all() -> Vec<PlacementPolicy> {
        let mut all = Vec::new();
        for placement in SystemKind::ALL
            .iter()
            .copied()
            .flat_map(PlacementPolicy::on)
        {
            if !all.contains(&placement) {
                all.push(placement);
            }
        }
        all
    }

    /// The placements that run on `system`.
    pub fn on(system: SystemKind) -> impl Iterator<Item = PlacementPolicy> {
        system.about().placements.iter().map(PlacementPolicy)
    }

    /// The placement of that name on `system`.
    pub fn named_on(system: SystemKind, name: &str) -> Option<PlacementPolicy> {
        PlacementPolicy::on(system).find(|placement| placement.name() == name)
    }

    /// The placement that a policy takes on `system` when it names none.
    pub fn default_on(system: SystemKind) -> PlacementPolicy {
        PlacementPolicy(&system.about().placements[0])
    }

    /// The placements that are compared on `system` where none is given.
    pub fn compared_by_default(system: SystemKind) -> impl Iterator<Item = PlacementPolicy> {
        let compared = system.about().compared.iter();
        compared.filter_map(move |name| PlacementPolicy::named_on(system, name))
    }

    /// The systems on which it can place jobs.
    pub fn systems(self) -> impl Iterator<Item = SystemKind> {
        let all = SystemKind::ALL.iter().copied();
        all.filter(move |&system| PlacementPolicy::on(system).any(|placement| placement == self))
    }

    /// Whether its systems have no other placement.
    pub fn is_only_one(self) -> bool {
        let mut systems = self.systems();
        systems.all(|system| PlacementPolicy::on(system).count() == 1)
    }

    /// What is known about it.
    pub fn choice(self) -> &'static Choice {
        self.0
    }

    /// Its name in a scenario.
    pub fn name(self) -> &'static str {
        self.0.value
    }
}

impl fmt::Display for PlacementPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for PlacementPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How placements are read where a paper can be read in several ways, for each system that has such
/// options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementOptions {
    /// Options of the placements on a fat-tree.
    pub fat_tree: TreeOptions,
    /// Options of the placements on a multi-cluster.
    pub multi_cluster: ClusterOptions,
    /// Options of the placements on a tree.
    pub tree: TopologyOptions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_the_same_on_every_system() {
        let all = PlacementPolicy::all();
        for (index, placement) in all.iter().enumerate() {
            let others = all[..index].iter();
            assert!(others.clone().all(|other| other.name() != placement.name()));
        }
    }

    #[test]
    fn every_placement_that_is_compared_by_default_exists() {
        for &system in SystemKind::ALL {
            let compared = PlacementPolicy::compared_by_default(system).count();
            assert_eq!(compared, system.about().compared.len(), "{system}");
            assert!(compared > 0, "{system}");
        }
    }
}
