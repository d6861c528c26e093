//! The leaves of a tree, or its blocks, as rows of counts, which somebody changes by hand: a rack is
//! gone, or has more nodes.

use backfill_sim::system::tree::describe::ShownTopology;
use backfill_sim::system::tree::{Shape, Switch};
use serde::Serialize;

use super::tree::MOST_NODES;

/// A leaf, or a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Leaf {
    /// Its name in the topology file, else its number.
    pub name: String,
    /// The same of the switch above it; empty for a root.
    pub above: String,
    /// How many nodes it has.
    pub nodes: u32,
}

/// The leaves of a shape, in their order.
pub fn leaves(shape: &Shape) -> Vec<Leaf> {
    let shown = ShownTopology::of_shape(shape, 1);
    let leaf = |(number, leaf): (u32, &Switch)| Leaf {
        name: shown.switch_name(number),
        above: leaf
            .parent
            .map_or_else(String::new, |above| shown.switch_name(above)),
        nodes: leaf.nodes.len() as u32,
    };
    (0..).zip(shape.leaves()).map(leaf).collect()
}

/// The same shape with so many nodes in each leaf. One with fewer keeps its first, and with none it
/// stays as an empty leaf; further nodes come after those that a leaf has, or else after those of
/// the leaf before. What keeps its place keeps its name.
///
/// # Errors
/// A sentence without its subject, the tree: it would have no node, or too many.
///
/// # Panics
/// If there are not as many counts as leaves.
pub fn with_counts(shape: &Shape, counts: &[u32]) -> Result<Shape, String> {
    assert_eq!(counts.len(), shape.leaves().len());
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let total = total + shape.loose().count() as u64;
    if total == 0 {
        return Err("has no node".to_owned());
    }
    if total > MOST_NODES.into() {
        return Err(format!("has more than {MOST_NODES} nodes"));
    }
    // (number before, or that of the node that it follows; how far behind that; leaf)
    let mut nodes: Vec<(u32, u32, Option<u32>)> =
        shape.loose().map(|node| (node, 0, None)).collect();
    let (mut last, mut behind) = (0, 0);
    for ((leaf, switch), &count) in (0..).zip(shape.leaves()).zip(counts) {
        let kept = switch.nodes.iter().take(count as usize);
        nodes.extend(kept.map(|&node| (node, 0, Some(leaf))));
        if let Some(&own) = switch.nodes.last() {
            (last, behind) = (own, 0);
        }
        for _ in switch.nodes.len()..count as usize {
            behind += 1;
            nodes.push((last, behind, Some(leaf)));
        }
    }
    nodes.sort_unstable();
    let mut switches = shape.switches().to_vec();
    for switch in &mut switches {
        switch.nodes.clear();
    }
    for (node, of) in (0..).zip(&nodes) {
        if let Some(leaf) = of.2 {
            switches[leaf as usize].nodes.push(node);
        }
    }
    let ordered = Shape::ordered(nodes.len() as u32, switches, shape.block_sizes().to_vec());
    let changed = ordered.expect("its switches are as before").shape;
    let Some(switch_names) = shape.names().get(shape.nodes() as usize..) else {
        return Ok(changed);
    };
    let name = |&(node, behind, _): &(u32, u32, Option<u32>)| match behind {
        0 => shape.names()[node as usize].clone(),
        _ => format!("{}+{behind}", shape.names()[node as usize]),
    };
    let names = nodes.iter().map(name).chain(switch_names.iter().cloned());
    Ok(changed.called(names.collect()))
}

/// The shape of a topology file as that of a run, if only counts of nodes in its leaves differ.
pub fn as_run(file: &Shape, run: &Shape) -> Option<Shape> {
    let counts: Vec<u32> = run
        .leaves()
        .iter()
        .map(|leaf| leaf.nodes.len() as u32)
        .collect();
    let is_alike = counts.len() == file.leaves().len();
    let changed = is_alike.then(|| with_counts(file, &counts).ok())??;
    (changed == *run).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::topology::read;
    use crate::language::tree::{parse, written};

    #[track_caller]
    fn changed(tree: &str, counts: &[u32]) -> String {
        written(&with_counts(&parse(tree).expect("a tree"), counts).expect("a tree"))
    }

    #[test]
    fn a_leaf_is_emptied_cut_or_extended_where_it_stands() {
        assert_eq!(
            changed("(18,18,12)(18,18)", &[18, 0, 12, 18, 18]),
            "(18,0,12)(18,18)"
        );
        assert_eq!(changed("(4,4:40000)+2", &[3, 6]), "(3,6:40000)+2");
        // The nodes of both leaves alternate, and so do those that are left.
        assert_eq!(changed("n2.4,n1.3", &[1, 2]), "n2,n1.3");
        assert_eq!(changed("n2.4,n1.3", &[3, 1]), "n2-4,n1");
        assert_eq!(changed("blocks:4,8:4,0,4", &[4, 2, 0]), "blocks:4,8:4,2,0");
        assert_eq!(changed("(4,0,0)", &[5, 2, 1]), "(5,2,1)");
        assert_eq!(changed("(4,4)", &[4, 4]), "(4,4)");
    }

    #[test]
    fn a_tree_needs_nodes_and_not_too_many() {
        let shape = parse("(4,4)").expect("a tree");
        assert_eq!(with_counts(&shape, &[0, 0]), Err("has no node".to_owned()));
        let many = with_counts(&shape, &[u32::MAX, 1]);
        assert_eq!(many, Err("has more than 100000 nodes".to_owned()));
    }

    #[test]
    fn names_stay_with_what_is_left() {
        let file =
            "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-5]\nSwitchName=r Switches=a,b";
        let shape = read(file).expect("a topology").shape;
        let rows = leaves(&shape);
        let told: Vec<(&str, &str, u32)> = rows
            .iter()
            .map(|leaf| (&leaf.name[..], &leaf.above[..], leaf.nodes))
            .collect();
        assert_eq!(told, [("a", "r", 3), ("b", "r", 2)]);
        let run = parse("(1,3)").expect("a tree");
        let named = as_run(&shape, &run).expect("the same leaves");
        assert_eq!(named.names(), ["n1", "n4", "n5", "n5+1", "a", "b", "r"]);
        assert_eq!(as_run(&shape, &parse("(1,3,1)").expect("a tree")), None);
        assert_eq!(as_run(&shape, &parse("1,3").expect("a tree")), None);
        assert_eq!(leaves(&run)[1].name, "leaf 2");
    }
}
