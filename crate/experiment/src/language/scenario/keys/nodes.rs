//! Keys of nodes and their tiers.

use super::super::key::{Group, Key, ON_OFF, PLAIN, ValueKind, When, ZERO, decimal, integer};
use super::super::plan::MachineSize;
use backfill_sim::decimal::Decimal;
use backfill_sim::job::Percent;
use backfill_sim::source::PAPER_2;
use backfill_sim::system::SystemKind;
use backfill_sim::system::nodes::BackgroundSharing;
use backfill_sim::workload::{SourceKind, Usage};

const NODES: &[When] = &[When::System(SystemKind::Nodes)];
/// Nodes have a background.
const TWO_TIERS: &[When] = &[NODES[0], When::Is("tiers", &["2"])];

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "nodes",
        default: "128",
        kind: integer(1, 1_000_000),
        label: "Nodes",
        help: "Nodes of the cluster, one process on each.",
        unit: "",
        when: &[NODES[0], When::Is("machine", &["given"])],
        apply: |plan, value| plan.specs.nodes.nodes = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "tiers",
        default: "1",
        kind: integer(1, 2),
        label: "Tiers",
        help: "Processes that share a node: with 2, one in the foreground and one in the background.",
        source: PAPER_2,
        sweep: false,
        when: NODES,
        apply: |plan, value| {
            let two = plan.system == SystemKind::Nodes && value.integer() == 2;
            plan.specs.nodes.background = two.then(BackgroundSharing::default);
            plan.workload.usage = two.then(Usage::default);
        },
        ..PLAIN
    },
    Key {
        name: "threshold",
        default: "96",
        kind: decimal(ZERO, 100, 6),
        label: "CPU threshold of the background",
        help: "A node runs no background process while its foreground process uses at least this share of the CPU.",
        unit: "%",
        source: PAPER_2,
        per_policy: true,
        when: TWO_TIERS,
        apply: |plan, value| {
            if let Some(sharing) = &mut plan.specs.nodes.background {
                sharing.threshold = Percent(value.decimal().to_f64());
            }
        },
        ..PLAIN
    },
    Key {
        name: "full_background",
        default: "off",
        kind: ON_OFF,
        label: "Background at full speed",
        help: "Whether background processes run at full speed regardless of the foreground.",
        when: TWO_TIERS,
        apply: |plan, value| {
            if let Some(sharing) = &mut plan.specs.nodes.background {
                sharing.full_background = value.is_on();
            }
        },
        ..PLAIN
    },
    Key {
        name: "usage_mean",
        default: "70",
        kind: decimal(Decimal::whole(50), 100, 6),
        group: Group::Workload,
        label: "Mean CPU usage",
        help: "Mean CPU usage m of the processes of parallel jobs, uniform from 2m − 100 to 100.",
        unit: "%",
        source: PAPER_2,
        when: TWO_TIERS,
        apply: |plan, value| {
            if let Some(usage) = &mut plan.workload.usage {
                usage.mean = value.decimal();
            }
        },
        ..PLAIN
    },
    Key {
        name: "usage_error",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Error of CPU usage",
        help: "By which share at most the CPU usage known to the scheduler is wrong.",
        source: PAPER_2,
        per_policy: true,
        when: TWO_TIERS,
        apply: |plan, value| {
            if let Some(usage) = &mut plan.workload.usage {
                usage.error = value.decimal();
            }
        },
        ..PLAIN
    },
    Key {
        name: "usage_known",
        default: "on",
        kind: ON_OFF,
        group: Group::Workload,
        label: "CPU usage known",
        help: "Whether the scheduler knows the CPU usage of processes; off takes 70 % for every one.",
        source: PAPER_2,
        per_policy: true,
        when: TWO_TIERS,
        apply: |plan, value| {
            if let Some(usage) = &mut plan.workload.usage {
                usage.known = value.is_on();
            }
        },
        ..PLAIN
    },
    Key {
        name: "machine",
        default: "given",
        kind: ValueKind::Choice {
            choices: MachineSize::CHOICES,
        },
        label: "Size of the machine",
        help: "What says how many nodes there are.",
        sweep: false,
        when: &[NODES[0], When::Source(&[SourceKind::Swf, SourceKind::Csv])],
        apply: |plan, value| plan.machine_size = value.choice(MachineSize::named),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "machine_scale",
        default: "1",
        kind: decimal(Decimal::tenth_power(2), 100, 6),
        label: "Times the log's machine",
        help: "By which factor the machine is larger than that of the log.",
        when: &[NODES[0], When::Is("machine", &["log"])],
        apply: |plan, value| plan.machine_scale = value.decimal(),
        ..PLAIN
    },
];
