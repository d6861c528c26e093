//! Keys of the tree and its placements.

use std::sync::Arc;

use super::super::key::{Group, Key, ON_OFF, PLAIN, ValueKind, When, integer, switches};
use crate::language::tree;
use backfill_sim::system::SystemKind;
use backfill_sim::system::tree::place::Generation;

const TREE: &[When] = &[When::System(SystemKind::Tree)];

/// Where the keys of jobs are from.
const SBATCH: &str = "Slurm, sbatch(1)";

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "tree",
        default: "(18,18,12)(18,18)",
        kind: ValueKind::Tree,
        label: "Switches",
        help: "Nodes of each leaf, switches in parentheses: (18,18,12)(18,18) is two islands. A topology.conf or topology.yaml is read into this.",
        unit: "",
        source: "Slurm, topology.conf(5)",
        sweep: false,
        when: TREE,
        apply: |plan, value| {
            let shape = tree::parse(value.text()).expect("a valid tree");
            plan.specs.tree.shape = Arc::new(shape);
        },
        essential: true,
        ..PLAIN
    },
    Key {
        name: "node_slots",
        default: "1",
        kind: integer(1, 1024),
        label: "Slots per node",
        help: "Slots of each node; a job asks for slots, and placements of Slurm give it whole nodes.",
        unit: "",
        when: TREE,
        apply: |plan, value| plan.specs.tree.slots = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "rule",
        default: "24",
        kind: ValueKind::Choice {
            choices: Generation::CHOICES,
        },
        group: Group::Policies,
        label: "Rules of Slurm",
        help: "Which generation of Slurm its placements follow.",
        per_policy: true,
        when: TREE,
        apply: |plan, value| plan.placing.tree.rule = value.choice(Generation::named),
        ..PLAIN
    },
    Key {
        name: "segment",
        default: "0",
        kind: integer(0, 100_000),
        group: Group::Policies,
        label: "Segment",
        help: "Nodes of each segment that slurm-block places by itself; 0 for whole jobs.",
        unit: "nodes",
        source: SBATCH,
        per_policy: true,
        when: TREE,
        apply: |plan, value| plan.placing.tree.segments.nodes = value.integer(),
        ..PLAIN
    },
    Key {
        name: "spread",
        default: "off",
        kind: ON_OFF,
        group: Group::Policies,
        label: "Segments on blocks of their own",
        help: "Whether no two segments share a base block.",
        source: SBATCH,
        per_policy: true,
        when: TREE,
        apply: |plan, value| plan.placing.tree.segments.spread = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "consolidate",
        default: "off",
        kind: ON_OFF,
        group: Group::Policies,
        label: "Segments in one aggregate",
        help: "Whether all segments of a job are in the smallest aggregated block that can hold it.",
        source: SBATCH,
        per_policy: true,
        when: TREE,
        apply: |plan, value| plan.placing.tree.segments.consolidate = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "switches",
        default: "0",
        kind: ValueKind::Switches,
        group: Group::Policies,
        label: "Wait for few leaves",
        help: "A job of slurm-tree that would be on more leaves than this waits until 300 s after its submission, or 60 s under 2@60, and backfilling holds nothing back for it; 0 for any number.",
        source: SBATCH,
        per_policy: true,
        when: TREE,
        apply: |plan, value| {
            plan.placing.tree.switches = switches(value.text()).expect("a valid limit");
        },
        ..PLAIN
    },
];
