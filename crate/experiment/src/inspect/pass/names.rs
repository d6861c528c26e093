//! What subtrees and links are called, and how those are counted that are not listed.

use backfill_sim::place::{Subtree, SubtreeRoot};
use backfill_sim::system::fat_tree::Topology;
use backfill_sim::system::tree::describe::ShownTopology;
use backfill_sim::system::{Shown, SystemSpec};

use crate::language::words::listed;

/// What subtrees and links are called.
pub(super) struct Names {
    pub(super) shown: Shown,
    /// Edge switches of a pod.
    edges: u32,
    tree: Option<ShownTopology>,
}

impl Names {
    /// Those of a system.
    pub(super) fn of(system: &SystemSpec) -> Names {
        Names {
            shown: Shown::of(system, 0),
            edges: system
                .fat_tree()
                .map_or(1, |spec| Topology::new(spec.k, spec.fabric).half()),
            tree: system.tree().map(ShownTopology::of),
        }
    }

    pub(super) fn of_root(&self, root: SubtreeRoot) -> String {
        match root {
            SubtreeRoot::Edge { edge } => {
                let (row, pod) = (edge % self.edges, edge / self.edges);
                format!("edge switch {row} of pod {pod}")
            }
            SubtreeRoot::Pod { pod } => format!("pod {pod}"),
            SubtreeRoot::Aggregation { pod, j } => {
                format!("aggregation switch {j} of pod {pod}")
            }
            SubtreeRoot::Switch { switch } => {
                let tree = self.tree.as_ref();
                tree.map_or(String::new(), |tree| tree.switch_name(switch))
            }
            SubtreeRoot::Loose => "outside of all switches".to_owned(),
        }
    }

    /// What all subtrees of a list are called.
    pub(super) fn plural(&self, list: &[Subtree]) -> &'static str {
        match list.first().map(|of| of.root) {
            Some(SubtreeRoot::Edge { .. }) => "edge switches",
            Some(SubtreeRoot::Pod { .. }) => "pods",
            Some(SubtreeRoot::Aggregation { .. }) => "aggregation switches",
            Some(_) if list.iter().all(|of| self.is_leaf(of.root)) => "leaves",
            _ => "switches",
        }
    }

    /// Whether it is a leaf, or nodes in no switch, which are listed with leaves alone.
    fn is_leaf(&self, root: SubtreeRoot) -> bool {
        let SubtreeRoot::Switch { switch } = root else {
            return true;
        };
        let tree = self.tree.as_ref();
        tree.is_some_and(|tree| tree.levels[switch as usize] == 0)
    }
}

/// `no free slot`, `1 free slot` or `2 free slots`, where `unit` is `free slot`.
pub(super) fn units(count: u32, unit: &str) -> String {
    match count {
        0 => format!("no {unit}"),
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}

/// `and 40 more with no free slot`; nothing where there are none.
pub(super) fn counted<'a>(kinds: impl IntoIterator<Item = (u32, &'a str)>) -> String {
    let counts = kinds.into_iter().filter(|of| of.0 > 0);
    let words: Vec<String> = counts
        .enumerate()
        .map(|(position, (count, what))| match position {
            0 => format!("{count} more {what}"),
            _ => format!("{count} {what}"),
        })
        .collect();
    if words.is_empty() {
        return String::new();
    }
    format!("and {}", listed(words.iter().map(String::as_str)))
}
