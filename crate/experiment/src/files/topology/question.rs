//! The question that the owner of a topology has, as keys of a scenario.

use super::Topology;
use crate::files::logs::fitting::processors;
use crate::files::logs::questions::{Pairs, Question, estimates};
use crate::language::tree;
use crate::language::words::grouped;
use backfill_sim::policy::Queue;
use backfill_sim::system::tree::place::{Generation, TopologyPlacement};
use backfill_sim::workload::Trace;

/// The share of their run time in which jobs communicate, and by how much the uplinks of switches are
/// thinner than the links below: no topology file says either.
const ASSUMED: [(&str, &str); 2] = [("communication", "0.25"), ("oversubscription", "2")];

/// What is said of them.
const ASSUMPTION: &str =
    "Assumed: jobs communicate a quarter of their time, over shared uplinks oversubscribed 2:1.";

/// What is compared on blocks, which have no links between them here.
const ON_BLOCKS: &str = "Compared: how long jobs wait, and over how many blocks they spread.";

/// The default rate of a node's link, which a job on it can fill.
const LINK_MBPS: u32 = 1000;

/// What topology-aware placement gains on this tree or these blocks: for a log, as logged; without
/// one, for generated jobs of at most half the nodes.
pub fn question(topology: &Topology, trace: Option<&Trace>) -> Question {
    let shape = &topology.shape;
    let is_of_blocks = !shape.block_sizes().is_empty();
    let (aware, compares) = match is_of_blocks {
        true => (TopologyPlacement::SlurmBlock, ON_BLOCKS),
        false => (TopologyPlacement::SlurmTree, ASSUMPTION),
    };
    let compared = [aware, TopologyPlacement::SlurmLinear];
    let policies = compared.map(|placement| format!("{}+{}", Queue::Easy.name(), placement.name()));
    let nodes = shape.nodes();
    let slots = trace.map_or(1, |trace| processors(trace).div_ceil(nodes).max(1));
    let mut pairs = of_machine(topology);
    pairs.extend([
        ("policy", policies.join(",")),
        ("node_slots", slots.to_string()),
    ]);
    if is_of_blocks {
        pairs.push(("bandwidth", "none".to_owned()));
    } else {
        pairs.extend([
            ("guarantee", "0".to_owned()),
            ("bandwidth", "constant".to_owned()),
            ("bandwidth_mbps", (LINK_MBPS / slots).max(1).to_string()),
        ]);
        pairs.extend(ASSUMED.map(|(key, value)| (key, value.to_owned())));
    }
    let jobs = if let Some(trace) = trace {
        pairs.extend(estimates(trace));
        pairs.push(("load", "as-logged".to_owned()));
        "All jobs of the log".to_owned()
    } else {
        let most = 1_u32 << (nodes / 2).max(1).ilog2();
        pairs.push(("size", format!("pow2:{most}")));
        format!("Generated jobs of up to {most} nodes")
    };
    Question {
        title: "What does topology-aware placement gain?",
        does: format!(
            "{jobs} on {} nodes, placed as Slurm places with the topology and without it. {compares}",
            grouped(nodes.into())
        ),
        pairs,
    }
}

/// The keys of the machine that a topology describes.
pub fn of_machine(topology: &Topology) -> Pairs {
    let shape = &topology.shape;
    let mut pairs = vec![
        ("system", "tree".to_owned()),
        ("tree", tree::written(shape)),
    ];
    if shape.smaller_block().is_some() {
        pairs.push(("rule", Generation::Slurm26.name().to_owned()));
    }
    pairs
}
