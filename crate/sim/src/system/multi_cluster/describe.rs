//! A multi-cluster in pictures: a block for each cluster, its link above and its nodes below, with
//! the columns that make the largest block about square. Parts are the links, then the nodes
//! cluster by cluster.
//!
//! A link's cell shows the bandwidth required of it relative to the load that the scheduler allows;
//! a node's cell, at an instant, the share of its required bandwidth that the job gets.

use serde::{Deserialize, Serialize};

use super::place::{Chain, ClusterPlacement, Module};
use super::{LinkSharing, Mapping, MultiCluster, MultiClusterSpec, saturate};
use crate::id::{Id, LinkId};
use crate::job::Request;
use crate::place::Placer;
use crate::record::Allocation;
use crate::system::describe::{
    About, Confinement, Describe, Examined, Examiner, Kept, Lanes, Layout, Measure, Obstacle,
    columns, numbered,
};

/// Texts about multi-clusters.
pub static ABOUT: About = About {
    unit: "node",
    part: "cluster",
    layers: &[],
    headline: &["response_mean", "penalty", "wait_mean"],
    headline_of_shared: &[],
    placements: ClusterPlacement::CHOICES,
    compared: &["no-share", "migration-only", "first-fit", "a1", "b1", "b3"],
    network: true,
    fits_nowhere: Some("fit into no cluster that they may use"),
    confinement: Some(Confinement {
        part: "the largest cluster",
        placements: &["no-share", "migration-only"],
    }),
    chosen_in_sets: false,
};

/// The most blocks of clusters in a row.
const CLUSTERS_IN_A_ROW: usize = 8;

/// Clusters in pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct ShownClusters {
    /// The nodes of each cluster.
    pub nodes: Vec<u32>,
    /// The share of its rate that the scheduler wants a link loaded with at most.
    pub threshold: f64,
    /// Whether overloaded links slow jobs down.
    pub shared: bool,
}

impl ShownClusters {
    /// The clusters of this specification; `threshold` is the share of a link's rate, per cent,
    /// that a scheduler wants it loaded with at most.
    pub fn of(spec: &MultiClusterSpec, threshold: u32) -> ShownClusters {
        ShownClusters {
            nodes: spec.nodes.clone(),
            threshold: f64::from(threshold) / 100.0,
            shared: spec.sharing == LinkSharing::Dynamic,
        }
    }

    /// The part that is a cluster's first node.
    fn first_node(&self, cluster: usize) -> usize {
        self.nodes.len() + self.nodes[..cluster].iter().sum::<u32>() as usize
    }

    fn most(&self) -> usize {
        self.nodes.iter().copied().max().unwrap_or(0) as usize
    }
}

impl Describe for ShownClusters {
    fn parts(&self) -> usize {
        self.first_node(self.nodes.len())
    }

    fn part(&self, part: usize) -> String {
        let Some(mut node) = part.checked_sub(self.nodes.len()) else {
            return self.link(LinkId::new(part));
        };
        let mut cluster = 0;
        while cluster + 1 < self.nodes.len() && node >= self.nodes[cluster] as usize {
            node -= self.nodes[cluster] as usize;
            cluster += 1;
        }
        format!("cluster {cluster}, node {node}")
    }

    fn layout(&self) -> Layout {
        let columns = columns(self.most());
        let block = |(cluster, &nodes): (usize, &u32)| {
            let first = self.first_node(cluster) as u32;
            vec![
                vec![cluster as u32; columns],
                (first..first + nodes).collect(),
            ]
        };
        Layout {
            columns,
            bands: vec![1, self.most().div_ceil(columns.max(1))],
            across: self.nodes.len().clamp(1, CLUSTERS_IN_A_ROW),
            close: false,
            blocks: self.nodes.iter().enumerate().map(block).collect(),
        }
    }

    fn blocks(&self) -> Vec<String> {
        numbered("cluster", self.nodes.len())
    }

    fn words(&self) -> [&'static str; 3] {
        [
            "in use",
            "in use",
            "Use of each link, and bandwidth that each node's job gets, cluster by cluster",
        ]
    }
}

impl Measure for ShownClusters {
    fn holder(&self, number: u32) -> String {
        format!("cluster {number}")
    }

    fn link(&self, link: LinkId) -> String {
        format!("link of cluster {}", link.0)
    }

    fn lanes(&self) -> Lanes {
        Lanes::alike(self.most(), self.nodes.len(), self.most())
    }

    /// The nodes of a cluster are alike: an allocation uses all of them a little.
    fn add(&self, shares: &mut [f32], allocation: &Allocation, weight: f64, run: Kept<'_>) {
        for (link, reserved) in allocation.held.reservations() {
            let capacity = run.links[link.index()].0 as f64;
            let share = weight * reserved.0 as f64 / capacity;
            shares[link.index()] += (share / self.threshold) as f32;
        }
        for (cluster, held) in allocation.shares() {
            let of = self.nodes[cluster as usize];
            let each = weight * f64::from(held) / f64::from(of);
            let first = self.first_node(cluster as usize);
            for share in &mut shares[first..][..of as usize] {
                *share += each as f32;
            }
        }
    }

    /// Nodes one by one, each with the share of the bandwidth it requires that its job gets.
    fn in_use(&self, allocations: &[&Allocation], run: Kept<'_>) -> Vec<f32> {
        let mut shares = vec![0.0; self.parts()];
        let capacity: Vec<f64> = run.links.iter().map(|link| link.0 as f64).collect();
        let needs = allocations.iter().map(|allocation| {
            let mut need = vec![0.0; self.nodes.len()];
            for (link, required) in allocation.held.reservations() {
                need[link.index()] = required.0 as f64;
            }
            need
        });
        let needs: Vec<Vec<f64>> = needs.collect();
        let got = if self.shared {
            saturate(&capacity, &needs)
        } else {
            vec![1.0; allocations.len()]
        };
        let clusters = 0..self.nodes.len();
        let mut next: Vec<usize> = clusters.map(|of| self.first_node(of)).collect();
        for allocation in allocations {
            self.add(&mut shares, allocation, 1.0, run);
        }
        for (allocation, got) in allocations.iter().zip(got) {
            for (cluster, held) in allocation.shares() {
                let first = &mut next[cluster as usize];
                shares[*first..][..held as usize].fill(got as f32);
                *first += held as usize;
            }
        }
        for (cluster, &next) in next.iter().enumerate() {
            shares[next..self.first_node(cluster + 1)].fill(0.0);
        }
        shares
    }

    /// The nodes of a cluster are alike: its link represents them, and it is not paused.
    fn paused(&self, _: &Allocation) -> Vec<u32> {
        Vec::new()
    }
}

impl Examined for MultiCluster {
    const ABOUT: &'static About = &ABOUT;
}

/// The placement decides whether a job fits, since it decides how far links may be loaded.
impl Examiner<MultiCluster> for Chain {
    fn fits(&self, clusters: &MultiCluster, request: &Request) -> Option<bool> {
        Some(self.refusal(clusters, request).is_none())
    }

    fn possible(&self, clusters: &MultiCluster, request: &Request) -> Option<Mapping> {
        let placement = self.clone().place(clusters, request);
        let any = || Chain(vec![Module::FirstFit]).place(clusters, request);
        placement.or_else(any)
    }

    fn obstacle(&self, clusters: &MultiCluster, request: &Request) -> Obstacle {
        let refusal = self.refusal(clusters, request).expect("it does not fit");
        Obstacle::Parts(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::describe::tests::{allocation, shows_every_part};
    use crate::unit::Kbps;

    fn clusters(nodes: &[u32], shared: bool) -> ShownClusters {
        ShownClusters {
            nodes: nodes.to_vec(),
            threshold: 0.5,
            shared,
        }
    }

    #[test]
    fn links_come_before_nodes_and_eight_blocks_are_in_a_row() {
        let shown = clusters(&[5, 3], true);
        shows_every_part(&shown);
        let layout = shown.layout();
        assert_eq!((layout.columns, layout.bands), (3, vec![1, 2]));
        assert_eq!(layout.blocks[1], [vec![1, 1, 1], vec![7, 8, 9]]);
        let names = [0, 1, 2, 6, 7, 9].map(|part| shown.part(part));
        let expected = [
            "link of cluster 0",
            "link of cluster 1",
            "cluster 0, node 0",
            "cluster 0, node 4",
            "cluster 1, node 0",
            "cluster 1, node 2",
        ];
        assert_eq!(names, expected);
        let many = clusters(&[9, 4, 4, 4, 4, 4, 4, 4, 4, 2], true);
        shows_every_part(&many);
        assert_eq!(many.layout().across, 8);
    }

    #[test]
    fn nodes_show_what_their_jobs_get_of_their_links() {
        let links = [Kbps(100), Kbps(100)];
        let run = Kept {
            jobs: &Vec::new().into(),
            links: &links,
        };
        let spread = allocation(&[(0, 1), (1, 2)], &[(0, 200), (1, 50)]);
        let local = allocation(&[(1, 1)], &[]);
        let at = |shared| clusters(&[2, 3], shared).in_use(&[&spread, &local], run);
        assert_eq!(at(true), [4.0, 1.0, 0.5, 0.0, 0.5, 0.5, 1.0]);
        assert_eq!(at(false), [4.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    }
}
