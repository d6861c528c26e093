//! Nodes in pictures: a block for the foreground of all nodes, and one for their background.

use serde::{Deserialize, Serialize};

use super::place::Index;
use super::{Nodes, NodesSpec, Vms};
use crate::choice::Choice;
use crate::job::Request;
use crate::place::Placer;
use crate::record::Allocation;
use crate::system::describe::{
    About, Describe, Examined, Examiner, Kept, Lanes, Layout, Measure, columns, columns_of_equal,
};

/// Texts about plain nodes.
pub static ABOUT: About = About {
    unit: "node",
    part: "node",
    layers: &[],
    headline: &["response_mean", "bsd_mean", "wait_mean"],
    headline_of_shared: &[],
    placements: &[Choice {
        value: "index",
        label: "Lowest index",
        help: "The free nodes with the lowest numbers.",
        source: "",
    }],
    compared: &["index"],
    network: false,
    fits_nowhere: None,
    confinement: None,
    chosen_in_sets: false,
};

const TIERS: [&str; 2] = ["foreground", "background"];

/// Nodes in pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct ShownNodes {
    /// The number of nodes.
    pub nodes: u32,
    /// Whether each has a background.
    pub background: bool,
}

impl ShownNodes {
    /// The nodes of this specification.
    pub fn of(spec: &NodesSpec) -> ShownNodes {
        ShownNodes {
            nodes: spec.nodes,
            background: spec.background.is_some(),
        }
    }

    fn tiers(&self) -> usize {
        if self.background { 2 } else { 1 }
    }
}

impl Describe for ShownNodes {
    fn parts(&self) -> usize {
        self.nodes as usize * self.tiers()
    }

    fn part(&self, part: usize) -> String {
        let nodes = self.nodes as usize;
        let (tier, node) = (part / nodes, part % nodes);
        if self.background {
            format!("node {node}, {}", TIERS[tier])
        } else {
            format!("node {node}")
        }
    }

    fn layout(&self) -> Layout {
        let nodes = self.nodes as usize;
        let columns = if self.background {
            columns(nodes)
        } else {
            columns_of_equal(nodes)
        };
        let tier = |tier: usize| {
            let first = tier as u32 * self.nodes;
            vec![(first..first + self.nodes).collect()]
        };
        Layout {
            columns,
            bands: vec![nodes.div_ceil(columns.max(1))],
            across: self.tiers(),
            close: false,
            blocks: (0..self.tiers()).map(tier).collect(),
        }
    }

    fn blocks(&self) -> Vec<String> {
        let tiers = if self.background { &TIERS[..] } else { &[] };
        tiers.iter().map(|&tier| tier.to_owned()).collect()
    }

    fn words(&self) -> [&'static str; 3] {
        if self.background {
            [
                "of the CPU asked for",
                "of a node's CPU asked for; hollow: paused after a migration",
                "CPU that the process on each node asks for, tier by tier",
            ]
        } else {
            ["held", "of a node held", "Share of each node held"]
        }
    }
}

impl Measure for ShownNodes {
    fn holder(&self, number: u32) -> String {
        self.part(number as usize)
    }

    fn lanes(&self) -> Lanes {
        Lanes::alike(1, self.tiers(), self.nodes as usize)
    }

    /// For a shared node, the CPU that the process on it requests.
    fn add(&self, shares: &mut [f32], allocation: &Allocation, weight: f64, run: Kept<'_>) {
        let cpu = run.jobs[allocation.job].cpu.as_ref();
        let mut processes = allocation.held.processes();
        for (index, (node, _)) in allocation.shares().enumerate() {
            let process = processes.next().map_or(index, |process| process as usize);
            let usage = cpu.map_or(100.0, |cpu| cpu.processes[process].usage.0);
            shares[node as usize] += (weight * usage / 100.0) as f32;
        }
    }
}

impl Examined for Nodes {
    const ABOUT: &'static About = &ABOUT;
}

impl Examiner<Nodes> for Index {
    fn possible(&self, nodes: &Nodes, request: &Request) -> Option<Vms> {
        Index.place(nodes, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::describe::tests::{allocation, shows_every_part};

    #[test]
    fn tiers_are_side_by_side_and_are_named_where_there_are_two() {
        let mut nodes = ShownNodes {
            nodes: 5,
            background: true,
        };
        shows_every_part(&nodes);
        let layout = nodes.layout();
        assert_eq!((layout.columns, layout.bands), (3, vec![2]));
        assert_eq!(layout.blocks[1][0], [5, 6, 7, 8, 9]);
        assert_eq!(nodes.part(7), "node 2, background");
        assert_eq!(nodes.blocks(), TIERS);
        nodes.background = false;
        shows_every_part(&nodes);
        assert_eq!((nodes.part(4), nodes.parts()), ("node 4".to_owned(), 5));
        assert!(nodes.blocks().is_empty());
    }

    #[test]
    fn an_allocation_holds_and_pauses_its_nodes() {
        let nodes = ShownNodes {
            nodes: 4,
            background: true,
        };
        let allocation = allocation(&[(1, 1), (6, 1)], &[]);
        assert_eq!(nodes.held(&allocation, &[]), 2.0);
        assert_eq!(nodes.paused(&allocation), [1, 6]);
    }
}
