//! A multi-cluster as it is shown: a block for each cluster, its link above and its nodes below, in so
//! many columns that the largest block is about square. Parts are the links, then the nodes cluster by
//! cluster.
//!
//! A cell of a link shows what is required of it by what the scheduler wants to load it with; that of a
//! node, at an instant, the share of the bandwidth its job requires that this job gets.

use serde::{Deserialize, Serialize};

use super::place::{Chain, Module};
use super::{Mapping, MultiCluster, saturate};
use crate::id::{Id, LinkId};
use crate::job::Request;
use crate::place::Placer;
use crate::record::Stint;
use crate::system::describe::{
    About, Describe, Examined, Kept, Lanes, Layout, Measure, Obstacle, columns, numbered,
};
use crate::unit::Kbps;

/// What is said of every multi-cluster.
pub static ABOUT: About = About {
    unit: "node",
    part: "cluster",
    layers: &[],
    headline: &["response_mean", "penalty", "wait_mean"],
    confinement: Some("the largest cluster"),
    chosen_in_sets: false,
};

/// The most blocks of clusters in a row.
const CLUSTERS_IN_A_ROW: usize = 8;

/// Clusters as they are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShownClusters {
    /// Nodes of each.
    pub nodes: Vec<u32>,
    /// The share of its rate that the scheduler wants a link loaded with at most.
    pub threshold: f64,
    /// Whether links slow down jobs that ask for more than they carry.
    pub shared: bool,
}

impl ShownClusters {
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
        Lanes {
            slots: self.most(),
            blocks: self.nodes.len(),
            lanes: self.most(),
        }
    }

    fn held(&self, stint: &Stint, _: &[Kbps]) -> f64 {
        stint.shares.iter().map(|share| f64::from(share.1)).sum()
    }

    /// The nodes of a cluster are alike: a stint uses all of them a little.
    fn add(&self, shares: &mut [f32], stint: &Stint, weight: f64, run: Kept<'_>) {
        for &(link, reserved) in &stint.reservations {
            let capacity = run.links[link.index()].0 as f64;
            let share = weight * reserved.0 as f64 / capacity;
            shares[link.index()] += (share / self.threshold) as f32;
        }
        for &(cluster, held) in &stint.shares {
            let of = self.nodes[cluster as usize];
            let each = weight * f64::from(held) / f64::from(of);
            let first = self.first_node(cluster as usize);
            for share in &mut shares[first..][..of as usize] {
                *share += each as f32;
            }
        }
    }

    /// Nodes one by one, each with the share of the bandwidth it requires that its job gets.
    fn in_use(&self, stints: &[&Stint], run: Kept<'_>) -> Vec<f32> {
        let mut shares = vec![0.0; self.parts()];
        let capacity: Vec<f64> = run.links.iter().map(|link| link.0 as f64).collect();
        let needs = stints.iter().map(|stint| {
            let mut need = vec![0.0; self.nodes.len()];
            for &(link, required) in &stint.reservations {
                need[link.index()] = required.0 as f64;
            }
            need
        });
        let needs: Vec<Vec<f64>> = needs.collect();
        let got = if self.shared {
            saturate(&capacity, &needs)
        } else {
            vec![1.0; stints.len()]
        };
        let clusters = 0..self.nodes.len();
        let mut next: Vec<usize> = clusters.map(|of| self.first_node(of)).collect();
        for stint in stints {
            self.add(&mut shares, stint, 1.0, run);
        }
        for (stint, got) in stints.iter().zip(got) {
            for &(cluster, held) in &stint.shares {
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

    /// The nodes of a cluster are alike: its link stands for them.
    fn marked(&self, stint: &Stint) -> Vec<u32> {
        stint.shares.iter().map(|share| share.0).collect()
    }
}

/// What the placement does decides whether a job fits: how far links may be loaded is up to it.
impl Examined<Chain> for MultiCluster {
    const ABOUT: &'static About = &ABOUT;

    fn fits(&self, placer: &Chain, request: &Request) -> Option<bool> {
        Some(placer.refusal(self, request).is_none())
    }

    fn possible(&self, placer: &Chain, request: &Request) -> Option<Mapping> {
        let place = placer.clone().place(self, request);
        let any = || Chain(vec![Module::FirstFit]).place(self, request);
        place.or_else(any)
    }

    fn obstacle(&self, placer: &Chain, request: &Request) -> Obstacle {
        let refusal = placer.refusal(self, request).expect("it does not fit");
        Obstacle::Clusters(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::describe::tests::{shows_every_part, stint};

    fn clusters(nodes: &[u32], shared: bool) -> ShownClusters {
        ShownClusters {
            nodes: nodes.to_vec(),
            threshold: 0.5,
            shared,
        }
    }

    #[test]
    fn links_come_before_nodes_and_eight_blocks_stand_in_a_row() {
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
        let spread = stint(&[(0, 1), (1, 2)], &[(0, 200), (1, 50)]);
        let local = stint(&[(1, 1)], &[]);
        let at = |shared| clusters(&[2, 3], shared).in_use(&[&spread, &local], run);
        assert_eq!(at(true), [4.0, 1.0, 0.5, 0.0, 0.5, 0.5, 1.0]);
        assert_eq!(at(false), [4.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    }
}
