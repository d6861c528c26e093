//! A tree in pictures: leaf by leaf its nodes, and above them the links up to the root.
//!
//! A part is a link, and the link of a node represents the node: it shows how many of its slots
//! are held. With many leaves each is one cell, level by level. Parts are called by their numbers, or
//! as their file calls them where it is at hand.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::place::{Examining, TopologyPlacement, exact};
use super::{Held, Shape, Tree, TreeSpec};
use crate::id::{Id, LinkId};
use crate::job::Request;
use crate::machine::System;
use crate::record::Allocation;
use crate::sorting;
use crate::system::describe::{
    About, Describe, Examined, Examiner, InTheWay, Kept, Lanes, Layout, Measure, Obstacle, columns,
};
use crate::unit::Kbps;

/// Texts about trees.
pub static ABOUT: About = About {
    unit: "slot",
    part: "node",
    layers: &["Node links", "Leaf uplinks", "Uplinks above"],
    headline: &["response_mean", "wait_mean", "bsd_mean", "leaves_used"],
    headline_of_shared: &["response_mean", "bsd_mean", "stretch_mean", "leaves_used"],
    placements: TopologyPlacement::CHOICES,
    compared: &["slurm-tree"],
    network: true,
    fits_nowhere: Some("ask for more nodes below one root, or for more bandwidth, than there are"),
    confinement: None,
    chosen_in_sets: false,
};

/// With more leaves than this each is one cell, where there are links above them.
const LEAVES_OPENED: u32 = 64;

/// With more leaves than this the gaps between them are small.
const LEAVES_APART: u32 = 8;

/// What a node is called where these are the names of a shape.
pub fn node_name(names: &[String], node: u32) -> String {
    match names.get(node as usize) {
        Some(name) => name.clone(),
        None => format!("node {}", node + 1),
    }
}

/// A tree in pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct ShownTopology {
    /// Slots of each node.
    pub slots: u32,
    /// By node: its leaf.
    pub leaf_of: Vec<Option<u32>>,
    /// By switch, leaves first: the one above it.
    pub parents: Vec<Option<u32>>,
    /// By switch: its level.
    pub levels: Vec<u32>,
    /// What its nodes, and after them its switches, are called in its topology file; empty where no
    /// file is at hand.
    pub names: Vec<String>,
}

impl ShownTopology {
    /// A tree of this specification.
    pub fn of(spec: &TreeSpec) -> ShownTopology {
        ShownTopology::of_shape(&spec.shape, spec.slots)
    }

    /// One of this shape and so many slots a node.
    pub fn of_shape(shape: &Shape, slots: u32) -> ShownTopology {
        let switches = 0..shape.switches().len() as u32;
        ShownTopology {
            slots,
            leaf_of: (0..shape.nodes()).map(|node| shape.leaf_of(node)).collect(),
            parents: shape
                .switches()
                .iter()
                .map(|switch| switch.parent)
                .collect(),
            levels: switches.map(|switch| shape.level(switch)).collect(),
            names: shape.names().to_vec(),
        }
    }

    fn leaves(&self) -> u32 {
        self.levels.partition_point(|&level| level == 0) as u32
    }

    /// The switches that have a link, in the order of their links.
    fn linked(&self) -> impl Iterator<Item = u32> {
        let switches = (0..).zip(&self.parents);
        switches
            .filter(|switch| switch.1.is_some())
            .map(|switch| switch.0)
    }

    /// The part that the uplink of each switch is.
    fn uplinks(&self) -> Vec<Option<u32>> {
        let mut uplinks = vec![None; self.parents.len()];
        for (link, switch) in (self.leaf_of.len() as u32..).zip(self.linked()) {
            uplinks[switch as usize] = Some(link);
        }
        uplinks
    }

    /// The name of a switch.
    pub fn switch_name(&self, switch: u32) -> String {
        if let Some(name) = self.names.get(self.leaf_of.len() + switch as usize) {
            return name.clone();
        }
        let leaves = self.leaves();
        match switch < leaves {
            true => format!("leaf {}", switch + 1),
            false => format!("switch {}", switch + 1 - leaves),
        }
    }

    fn highest(&self) -> u32 {
        self.levels.last().copied().unwrap_or(0)
    }

    /// Whether leaves are drawn as one cell each: there are many, and links above them.
    fn is_folded(&self) -> bool {
        self.leaves() > LEAVES_OPENED && self.highest() > 0
    }

    /// The leaves that are drawn with their nodes, and nodes in no switch as one more.
    fn racks(&self) -> Vec<Vec<u32>> {
        let leaves = self.leaves() as usize;
        let mut racks = vec![Vec::new(); leaves + 1];
        for (node, leaf) in (0..).zip(&self.leaf_of) {
            racks[leaf.map_or(leaves, |leaf| leaf as usize)].push(node);
        }
        if racks[leaves].is_empty() {
            racks.pop();
        }
        racks
    }

    /// The nodes of each leaf in the order of leaves, and then those in no switch, with what they
    /// are below. With many leaves those of one switch are together, at the lowest level that has
    /// several but not many.
    fn rows(&self) -> Vec<(String, Vec<u32>)> {
        let rows = self.rows_below(0);
        if rows.len() <= LEAVES_OPENED as usize {
            return rows;
        }
        let several = 2 + usize::from(self.leaf_of.contains(&None));
        let few = |rows: &Vec<_>| (several..=LEAVES_OPENED as usize).contains(&rows.len());
        let mut levels = (1..=self.highest()).map(|level| self.rows_below(level));
        levels.find(few).unwrap_or(rows)
    }

    /// The same by the highest switches up to a level.
    fn rows_below(&self, level: u32) -> Vec<(String, Vec<u32>)> {
        let mut rows: Vec<(String, Vec<u32>)> = Vec::new();
        let mut row_of = vec![None; self.parents.len() + 1];
        for (leaf, nodes) in self.racks().into_iter().enumerate() {
            if nodes.is_empty() {
                continue;
            }
            let is_low = |switch: &u32| self.levels[*switch as usize] <= level;
            let above = |switch: &u32| self.parents[*switch as usize].filter(is_low);
            let leaf = (leaf < self.leaves() as usize).then_some(leaf as u32);
            let switch = std::iter::successors(leaf, above).last();
            let row = switch.map_or(self.parents.len(), |switch| switch as usize);
            let row = *row_of[row].get_or_insert_with(|| {
                rows.push((self.block_name(switch), Vec::new()));
                rows.len() - 1
            });
            rows[row].1.extend(nodes);
        }
        rows
    }

    /// The name of the nodes below a switch, or in none.
    fn block_name(&self, switch: Option<u32>) -> String {
        switch.map_or("no switch".to_owned(), |switch| self.switch_name(switch))
    }
}

impl Describe for ShownTopology {
    fn parts(&self) -> usize {
        self.leaf_of.len() + self.linked().count()
    }

    fn part(&self, part: usize) -> String {
        self.link(LinkId::new(part))
    }

    fn layout(&self) -> Layout {
        let uplinks = self.uplinks();
        let leaves = self.leaves();
        let levels = (0..self.highest()).rev();
        if self.is_folded() {
            // Level by level, the leaves last.
            let columns = columns(leaves as usize);
            let of_level = |level| {
                let switches = self.levels.iter().zip(&uplinks);
                let own = switches.filter(|switch| *switch.0 == level);
                own.filter_map(|switch| *switch.1).collect::<Vec<u32>>()
            };
            let bands: Vec<Vec<u32>> = levels.map(of_level).collect();
            return Layout {
                columns,
                bands: bands
                    .iter()
                    .map(|band| band.len().div_ceil(columns))
                    .collect(),
                across: 1,
                close: false,
                blocks: vec![bands],
            };
        }
        let racks = self.racks();
        let widest = racks.iter().map(Vec::len).max().unwrap_or(1);
        let columns = columns(widest).max(1);
        let block = |(leaf, nodes): (usize, &Vec<u32>)| {
            let mut above = vec![Vec::new(); self.highest() as usize];
            let mut switch = (leaf < leaves as usize).then_some(leaf as u32);
            while let Some(own) = switch {
                if let Some(link) = uplinks[own as usize] {
                    // The link of a higher switch lies over all leaves below it.
                    let row = self.highest() - 1 - self.levels[own as usize];
                    above[row as usize] = vec![link; columns];
                }
                switch = self.parents[own as usize];
            }
            above.push(nodes.clone());
            above
        };
        let mut bands = vec![1; self.highest() as usize];
        bands.push(widest.div_ceil(columns));
        Layout {
            columns,
            bands,
            across: match racks.len() {
                many if many > LEAVES_OPENED as usize => self::columns(many),
                few => few.clamp(1, LEAVES_APART as usize),
            },
            close: leaves > LEAVES_APART,
            blocks: racks.iter().enumerate().map(block).collect(),
        }
    }

    fn bands(&self) -> Vec<String> {
        let mut bands: Vec<String> = (1..self.highest())
            .rev()
            .map(|level| format!("level {level} links"))
            .collect();
        if self.highest() > 0 {
            bands.push("leaf uplinks".to_owned());
        }
        if !self.is_folded() {
            bands.push("nodes".to_owned());
        }
        bands
    }

    fn blocks(&self) -> Vec<String> {
        let racks = self.racks().len() as u32;
        if self.is_folded() || racks < 2 {
            return Vec::new();
        }
        let switch = |rack| (rack < self.leaves()).then_some(rack);
        (0..racks)
            .map(|rack| self.block_name(switch(rack)))
            .collect()
    }

    fn words(&self) -> [&'static str; 3] {
        [
            "in use",
            "of a node held, or of a link reserved",
            "Share of each node held and of each link reserved, leaf by leaf",
        ]
    }
}

impl Measure for ShownTopology {
    fn holder(&self, number: u32) -> String {
        node_name(&self.names, number)
    }

    fn link(&self, link: LinkId) -> String {
        let nodes = self.leaf_of.len();
        if let Some(leaf) = self.leaf_of.get(link.index()) {
            let node = self.holder(link.0);
            return match leaf {
                Some(leaf) => format!("{node} – {}", self.switch_name(*leaf)),
                None => node,
            };
        }
        let switch = self.linked().nth(link.index() - nodes);
        let above = switch.and_then(|switch| self.parents[switch as usize]);
        let [below, above] = [switch, above]
            .map(|switch| switch.map_or(String::new(), |switch| self.switch_name(switch)));
        format!("{below} – {above}")
    }

    fn lanes(&self) -> Lanes {
        let slots = self.slots as usize;
        let rows = self.rows();
        let mut above = vec![0; self.leaf_of.len()];
        let nodes = rows.iter().flat_map(|(_, nodes)| nodes);
        for (position, &node) in (0..).zip(nodes) {
            above[node as usize] = position;
        }
        Lanes {
            slots,
            blocks: rows.iter().map(|row| row.1.len() * slots).collect(),
            above,
        }
    }

    fn nodes_shown(&self) -> usize {
        self.leaf_of.len()
    }

    fn lane_blocks(&self) -> Vec<String> {
        self.rows().into_iter().map(|row| row.0).collect()
    }

    fn add(&self, shares: &mut [f32], allocation: &Allocation, weight: f64, run: Kept<'_>) {
        for (node, slots) in allocation.shares() {
            shares[node as usize] += (weight * f64::from(slots) / f64::from(self.slots)) as f32;
        }
        for (link, reserved) in allocation.held.reservations() {
            if link.index() >= self.leaf_of.len() {
                let capacity = run.links[link.index()].0 as f64;
                shares[link.index()] += (weight * reserved.0 as f64 / capacity) as f32;
            }
        }
    }

    fn marked(&self, allocation: &Allocation) -> Vec<u32> {
        let nodes = self.leaf_of.len();
        let links = allocation.held.reservations().map(|entry| entry.0);
        let links = links
            .filter(|link| link.index() >= nodes)
            .map(|link| link.0);
        allocation
            .shares()
            .map(|share| share.0)
            .chain(links)
            .collect()
    }

    fn paused(&self, allocation: &Allocation) -> Vec<u32> {
        allocation.shares().map(|share| share.0).collect()
    }
}

impl Examined for Tree {
    const LINKS: bool = true;
    const ABOUT: &'static About = &ABOUT;

    fn link(&self, link: LinkId) -> String {
        let shown = ShownTopology::of_shape(self.shape(), self.slots_per_node());
        Measure::link(&shown, link)
    }
}

impl Examiner<Tree> for Examining {
    fn fits(&self, tree: &Tree, request: &Request) -> Option<bool> {
        if self.whole_nodes() {
            return Some(self.possible(tree, request).is_some());
        }
        Some(exact::exists(tree, request))
    }

    fn possible(&self, tree: &Tree, request: &Request) -> Option<Held> {
        if self.whole_nodes() {
            return self.placement.placer(&self.options).place(tree, request);
        }
        exact::find(tree, request)
    }

    fn obstacle(&self, tree: &Tree, request: &Request) -> Obstacle {
        let free = tree.free_slots();
        if free < u64::from(request.size) {
            return Obstacle::TooFewSlots { free };
        }
        let fits = |tree: &Tree| self.possible(tree, request);
        let reserved = |link: &LinkId| tree.reserved(*link) > Kbps(0);
        let links = (0..tree.links().len() as u32).map(LinkId);
        let mut kept: Vec<LinkId> = links.filter(reserved).collect();
        let Some(_) = fits(&tree.with_empty(&kept)) else {
            return Obstacle::Scattered { free };
        };
        // The emptiest links are spared first.
        sorting::by_key(&mut kept, |&link| (Reverse(tree.residual(link)), link));
        let mut needed = kept.clone();
        for link in kept {
            let others: Vec<LinkId> = needed.iter().copied().filter(|&l| l != link).collect();
            if fits(&tree.with_empty(&others)).is_some() {
                needed = others;
            }
        }
        let placed = fits(&tree.with_empty(&needed));
        let reservations = placed.map_or(Vec::new(), |placed| placed.reservations);
        let in_the_way = |&(link, need): &(LinkId, Kbps)| InTheWay {
            link,
            name: Examined::link(tree, link),
            residual: tree.residual(link),
            need,
        };
        let reservations = reservations.iter();
        let reservations = reservations.filter(|entry| needed.contains(&entry.0));
        Obstacle::Links(reservations.map(in_the_way).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::describe::tests::{allocation, shows_every_part};
    use crate::system::tree::{Shape, Switch};

    /// Leaves of these sizes, the first `below` of them under a switch, all under a root; and so
    /// many nodes in no switch.
    fn tree(leaves: &[u32], below: u32, loose: u32) -> ShownTopology {
        let mut first = 0;
        let count = leaves.len() as u32;
        let mut switches: Vec<Switch> = (0..)
            .zip(leaves)
            .map(|(leaf, &size)| {
                first += size;
                Switch {
                    nodes: (first - size..first).collect(),
                    parent: Some(if leaf < below { count } else { count + 1 }),
                    ..Switch::default()
                }
            })
            .collect();
        switches.push(Switch {
            children: (0..below).collect(),
            parent: Some(count + 1),
            ..Switch::default()
        });
        switches.push(Switch {
            children: (below..=count).collect(),
            ..Switch::default()
        });
        let ordered = Shape::ordered(first + loose, switches, Vec::new()).expect("a tree");
        ShownTopology::of_shape(&ordered.shape, 2)
    }

    #[test]
    fn a_leaf_is_a_block_below_the_links_up_to_the_root() {
        let tree = tree(&[3, 4, 2], 2, 1);
        // Ten nodes, then the uplinks of three leaves and of one switch.
        assert_eq!(tree.parts(), 14);
        shows_every_part(&tree);
        let layout = tree.layout();
        assert_eq!((layout.columns, layout.bands), (2, vec![1, 1, 2]));
        assert_eq!(
            layout.blocks[0],
            [vec![13, 13], vec![10, 10], vec![0, 1, 2]]
        );
        assert_eq!(layout.blocks[2], [vec![], vec![12, 12], vec![7, 8]]);
        assert_eq!(layout.blocks[3], [vec![], vec![], vec![9]]);
        assert_eq!(tree.blocks(), ["leaf 1", "leaf 2", "leaf 3", "no switch"]);
        assert_eq!(tree.bands().len(), 3);
        assert_eq!(tree.part(0), "node 1 – leaf 1");
        assert_eq!(tree.part(9), "node 10");
        assert_eq!(tree.part(12), "leaf 3 – switch 2");
        assert_eq!(tree.part(13), "switch 1 – switch 2");
    }

    #[test]
    fn parts_are_called_as_their_file_calls_them() {
        let mut tree = tree(&[2, 1], 1, 1);
        let names = [
            "cn01", "cn02", "cn03", "login", "rack1", "rack2", "west", "core",
        ];
        tree.names = names.map(str::to_owned).into();
        assert_eq!(tree.blocks(), ["rack1", "rack2", "no switch"]);
        let parts: Vec<String> = (0..tree.parts()).map(|part| tree.part(part)).collect();
        assert_eq!(
            parts,
            [
                "cn01 – rack1",
                "cn02 – rack1",
                "cn03 – rack2",
                "login",
                "rack1 – west",
                "rack2 – core",
                "west – core"
            ]
        );
    }

    #[test]
    fn many_leaves_are_a_cell_each() {
        let tree = tree(&[2; 100], 70, 0);
        let layout = tree.layout();
        assert_eq!((layout.columns, layout.bands), (10, vec![1, 10]));
        assert_eq!(layout.blocks[0][0], [300]);
        assert_eq!(layout.blocks[0][1].len(), 100);
        assert!(tree.blocks().is_empty());
        // In a plan the first seventy are together, below their own switch.
        let blocks = tree.lane_blocks();
        assert_eq!(blocks.len(), 31);
        assert_eq!(blocks[..2], ["switch 1", "leaf 71"]);
        assert_eq!(tree.lanes().blocks[..2], [280, 4]);
        // Without a level that has fewer they stay as they are.
        let flat = self::tree(&[2; 100], 0, 1);
        assert_eq!(flat.lane_blocks().len(), 101);
    }

    #[test]
    fn many_blocks_without_links_above_are_drawn_with_their_nodes() {
        let block = |first: u32| Switch {
            nodes: vec![first, first + 1],
            ..Switch::default()
        };
        let blocks = (0..100).map(|number| block(2 * number)).collect();
        let ordered = Shape::ordered(200, blocks, vec![2]).expect("blocks");
        let shown = ShownTopology::of_shape(&ordered.shape, 1);
        let layout = shown.layout();
        assert_eq!((layout.across, layout.blocks.len()), (10, 100));
        assert_eq!(layout.blocks[99], [vec![198, 199]]);
        assert_eq!((shown.bands().len(), shown.blocks().len()), (1, 100));
    }

    #[test]
    fn a_plan_has_the_nodes_of_a_leaf_side_by_side() {
        let leaf = |nodes: &[u32]| Switch {
            nodes: nodes.into(),
            parent: Some(3),
            ..Switch::default()
        };
        let root = Switch {
            children: vec![0, 1, 2],
            ..Switch::default()
        };
        let switches = vec![leaf(&[3, 4, 1]), leaf(&[]), leaf(&[0]), root];
        let ordered = Shape::ordered(5, switches, Vec::new()).expect("a tree");
        let tree = ShownTopology::of_shape(&ordered.shape, 2);
        let lanes = tree.lanes();
        assert_eq!(
            (lanes.blocks, lanes.above),
            (vec![6, 2, 2], vec![3, 0, 4, 1, 2])
        );
        assert_eq!(tree.lane_blocks(), ["leaf 1", "leaf 3", "no switch"]);
    }

    #[test]
    fn nodes_show_their_slots_and_links_what_is_reserved() {
        let tree = tree(&[3, 4, 2], 2, 0);
        let run = Kept {
            jobs: &Vec::new().into(),
            links: &[Kbps(10); 13],
        };
        let allocation = allocation(&[(0, 2), (8, 1)], &[(0, 5), (9, 5), (12, 5)]);
        let shares = tree.in_use(&[&allocation], run);
        assert_eq!(
            (shares[0], shares[8], shares[9], shares[12]),
            (1.0, 0.5, 0.5, 0.5)
        );
        assert_eq!(tree.marked(&allocation), [0, 8, 9, 12]);
        assert_eq!(tree.lanes().blocks, [6, 8, 4]);
    }
}
