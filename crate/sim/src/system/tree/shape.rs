//! The shape of a tree of switches, or of blocks: which nodes are below which leaf, and which
//! switches below which.
//!
//! Nodes are numbered in the order that decides ties between them, switches level by level from
//! below. Within a level the order is that in which ties between switches are decided, so leaves
//! stand first, in the order of their file. A switch that several list has the last of them as its
//! parent; the others list it only.
//!
//! *Source*: Slurm's topology.conf(5), as its controller reads it.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::sorting;
use crate::unit::Kbps;

/// A switch: a leaf has nodes, another one switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Switch {
    /// The nodes of a leaf, ascending.
    pub nodes: Vec<u32>,
    /// The switches that it lists.
    pub children: Vec<u32>,
    /// The one above it; `None` for a root.
    pub parent: Option<u32>,
    /// The rate of its link to that, if it has one of its own.
    pub uplink: Option<Kbps>,
}

/// What nodes, and after them switches, are called in a file; empty where there is none.
#[derive(Clone, Debug, Default)]
struct Names(Arc<[String]>);

/// A shape is the same whatever its parts are called.
impl PartialEq for Names {
    fn eq(&self, _: &Names) -> bool {
        true
    }
}

impl Eq for Names {}

/// A tree of switches, or blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    nodes: u32,
    switches: Vec<Switch>,
    levels: Vec<u32>,
    block_sizes: Vec<u32>,
    leaf_of: Vec<Option<u32>>,
    loose: Vec<u32>,
    own_children: Vec<Vec<u32>>,
    listers: Vec<Vec<u32>>,
    names: Names,
}

/// Why switches are no tree. They are named by their positions among those given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Irregular {
    /// A switch is below itself.
    Cycle(usize),
    /// A switch is below two roots.
    TwoRoots {
        /// The switch.
        switch: usize,
        /// The roots.
        roots: [usize; 2],
    },
    /// A node is below two leaves.
    NodeTwice {
        /// The node.
        node: u32,
        /// The leaves.
        leaves: [usize; 2],
    },
}

/// A shape, and where its switches come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// The shape.
    pub shape: Shape,
    /// By switch of the shape: its position among those given.
    pub origins: Vec<usize>,
    /// Roots left out, each with the later one that lists the same switches: no job notices them.
    pub twins: Vec<[usize; 2]>,
}

impl Shape {
    /// `switches` over so many nodes, put in order. Those with block sizes, the size of a base
    /// block first, are base blocks.
    ///
    /// # Errors
    /// They are no tree.
    pub fn ordered(
        nodes: u32,
        mut switches: Vec<Switch>,
        block_sizes: Vec<u32>,
    ) -> Result<Ordered, Irregular> {
        let twins = leave_out_twins(&mut switches);
        let left_out = |switch: usize| twins.iter().any(|twin| twin[0] == switch);
        let levels = levels(&switches)?;
        let roots: Vec<usize> = (0..switches.len())
            .map(|mut switch| {
                while let Some(parent) = switches[switch].parent {
                    switch = parent as usize;
                }
                switch
            })
            .collect();
        for (lister, switch) in switches.iter().enumerate() {
            for &child in &switch.children {
                let child = child as usize;
                if roots[child] != roots[lister] {
                    let roots = [roots[child], roots[lister]];
                    return Err(Irregular::TwoRoots {
                        switch: child,
                        roots,
                    });
                }
            }
        }
        let mut origins = order(&switches, &levels, &roots);
        origins.retain(|&switch| !left_out(switch));
        let mut now = vec![0; switches.len()];
        for (new, &old) in origins.iter().enumerate() {
            now[old] = new as u32;
        }
        let mut leaf_of = vec![None; nodes as usize];
        let mut ordered = Vec::with_capacity(origins.len());
        for (new, &old) in origins.iter().enumerate() {
            let mut switch = std::mem::take(&mut switches[old]);
            for child in &mut switch.children {
                *child = now[*child as usize];
            }
            switch.children.sort_unstable();
            switch.nodes.sort_unstable();
            switch.parent = switch.parent.map(|parent| now[parent as usize]);
            for &node in &switch.nodes {
                if let Some(other) = leaf_of[node as usize].replace(new as u32) {
                    let leaves = [origins[other as usize], old];
                    return Err(Irregular::NodeTwice { node, leaves });
                }
            }
            ordered.push(switch);
        }
        let mut listers = vec![Vec::new(); ordered.len()];
        let mut own_children = vec![Vec::new(); ordered.len()];
        for (lister, switch) in (0..).zip(&ordered) {
            if let Some(parent) = switch.parent {
                own_children[parent as usize].push(lister);
            }
            for &child in &switch.children {
                listers[child as usize].push(lister);
            }
        }
        let shape = Shape {
            nodes,
            levels: origins.iter().map(|&old| levels[old]).collect(),
            switches: ordered,
            block_sizes,
            loose: (0..nodes)
                .filter(|&node| leaf_of[node as usize].is_none())
                .collect(),
            leaf_of,
            own_children,
            listers,
            names: Names::default(),
        };
        Ok(Ordered {
            shape,
            origins,
            twins,
        })
    }

    /// The same with the names that its nodes, and after them its switches, have in a file.
    pub fn called(self, names: Vec<String>) -> Shape {
        Shape {
            names: Names(names.into()),
            ..self
        }
    }

    /// These names; empty where there are none.
    pub fn names(&self) -> &[String] {
        &self.names.0
    }

    /// How many nodes there are, those in no switch included.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The switches, by level from below.
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// The level of a switch: 0 for a leaf, else one more than that of its highest child.
    pub fn level(&self, switch: u32) -> u32 {
        self.levels[switch as usize]
    }

    /// The switch above one; `None` for a root.
    pub fn parent(&self, switch: u32) -> Option<u32> {
        self.switches[switch as usize].parent
    }

    /// The leaves: the first switches.
    pub fn leaves(&self) -> &[Switch] {
        let leaves = self.levels.partition_point(|&level| level == 0);
        &self.switches[..leaves]
    }

    /// The sizes of blocks that Slurm aggregates, ascending, that of a base block first; empty for
    /// a tree.
    pub fn block_sizes(&self) -> &[u32] {
        &self.block_sizes
    }

    /// The first block, if there are any, that has nodes but fewer than the base size.
    pub fn smaller_block(&self) -> Option<usize> {
        let base = *self.block_sizes.first()? as usize;
        let counts = self.leaves().iter().map(|block| block.nodes.len());
        counts
            .enumerate()
            .find(|&(_, count)| count > 0 && count < base)
            .map(|(block, _)| block)
    }

    /// The leaf of a node; `None` if it is in no switch.
    pub fn leaf_of(&self, node: u32) -> Option<u32> {
        self.leaf_of[node as usize]
    }

    /// The switches that have this one as their parent, ascending.
    pub fn own_children(&self, switch: u32) -> impl Iterator<Item = u32> {
        self.own_children[switch as usize].iter().copied()
    }

    /// The switches that list this one: its parent, and others.
    pub fn listers(&self, switch: u32) -> &[u32] {
        &self.listers[switch as usize]
    }

    /// The nodes in no switch, ascending.
    pub fn loose(&self) -> impl Iterator<Item = u32> {
        self.loose.iter().copied()
    }

    /// The switches above a leaf or switch, that one included, up to its root.
    pub fn chain(&self, switch: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(switch), |&switch| self.parent(switch))
    }
}

/// Takes out roots that list what a later root lists; returns each with that one.
fn leave_out_twins(switches: &mut [Switch]) -> Vec<[usize; 2]> {
    let listed = |switch: &Switch| {
        let mut children = switch.children.clone();
        children.sort_unstable();
        children
    };
    let mut roots: Vec<(Vec<u32>, Reverse<usize>)> = switches
        .iter()
        .enumerate()
        .filter(|(_, switch)| switch.parent.is_none() && !switch.children.is_empty())
        .map(|(position, switch)| (listed(switch), Reverse(position)))
        .collect();
    roots.sort_unstable();
    let mut twins = Vec::new();
    for alike in roots.chunk_by(|a, b| a.0 == b.0) {
        for root in &alike[1..] {
            twins.push([root.1.0, alike[0].1.0]);
            switches[root.1.0].children.clear();
        }
    }
    twins.sort_unstable();
    twins
}

/// The level of each switch.
fn levels(switches: &[Switch]) -> Result<Vec<u32>, Irregular> {
    let mut listers = vec![Vec::new(); switches.len()];
    let mut open: Vec<usize> = switches.iter().map(|s| s.children.len()).collect();
    for (lister, switch) in switches.iter().enumerate() {
        for &child in &switch.children {
            listers[child as usize].push(lister);
        }
    }
    let mut levels = vec![0; switches.len()];
    let mut done: Vec<usize> = (0..switches.len()).filter(|&s| open[s] == 0).collect();
    let mut next = 0;
    while let Some(&switch) = done.get(next) {
        next += 1;
        for &lister in &listers[switch] {
            levels[lister] = levels[lister].max(levels[switch] + 1);
            open[lister] -= 1;
            if open[lister] == 0 {
                done.push(lister);
            }
        }
    }
    match open.iter().position(|&open| open > 0) {
        Some(switch) => Err(Irregular::Cycle(switch)),
        None => Ok(levels),
    }
}

/// The switches level by level: leaves root by root as given, the others as they are met from the
/// roots down, children with earlier leaves first.
fn order(switches: &[Switch], levels: &[u32], roots: &[usize]) -> Vec<usize> {
    let mut leaves: Vec<usize> = (0..switches.len()).filter(|&s| levels[s] == 0).collect();
    sorting::by_key(&mut leaves, |&leaf| (roots[leaf], leaf));
    let mut first_leaf = vec![usize::MAX; switches.len()];
    for (rank, &leaf) in leaves.iter().enumerate() {
        let mut above = Some(leaf);
        while let Some(switch) = above.filter(|&switch| first_leaf[switch] > rank) {
            first_leaf[switch] = rank;
            above = switches[switch].parent.map(|parent| parent as usize);
        }
    }
    let mut inner: Vec<usize> = (0..switches.len()).filter(|&s| levels[s] > 0).collect();
    sorting::by_key(&mut inner, |&s| (levels[s], first_leaf[s], roots[s], s));
    leaves.extend(inner);
    leaves
}
