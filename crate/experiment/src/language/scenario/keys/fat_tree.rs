//! Keys of the fat-tree and its placements, and of links that jobs reserve, which trees have, too.

use super::super::key::{Group, Key, ON_OFF, PLAIN, RATE, ValueKind, When, ZERO, decimal, integer};
use backfill_sim::decimal::Decimal;
use backfill_sim::source::PAPER_1;
use backfill_sim::system::SystemKind;
use backfill_sim::system::fat_tree::place::{LargestBandwidth, LevelZero, Root};
use backfill_sim::system::fat_tree::{Fabric, Reservation};

const FAT_TREE: &[When] = &[When::System(SystemKind::FatTree)];
/// Links can be reserved.
const RESERVED: &[When] = &[WITH_LINKS];
const WITH_LINKS: When = When::Is("system", &["fat-tree", "tree"]);
/// Links are shared, at least in part.
const SHARED: &[When] = &[WITH_LINKS, When::Not("guarantee", "100")];
const AGGREGATED: When = When::Is("fabric", &["aggregated"]);
const SINGLE_ROOT: When = When::Is("fabric", &["single-root"]);

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "k",
        default: "6",
        kind: ValueKind::Integer {
            min: 2,
            max: 64,
            even: true,
        },
        label: "Pods (k)",
        help: "Pods of the fat-tree, which has k³/4 servers.",
        source: "M. Al-Fares, A. Loukissas, A. Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008",
        when: FAT_TREE,
        apply: |plan, value| plan.specs.fat_tree.k = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "slots",
        default: "8",
        kind: integer(1, 1024),
        label: "Slots per server",
        help: "Virtual machines that one server can hold (L in the paper).",
        unit: "",
        source: PAPER_1,
        when: FAT_TREE,
        apply: |plan, value| plan.specs.fat_tree.slots = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "link_mbps",
        default: "1000",
        kind: RATE,
        label: "Link rate",
        help: "Rate of every link of the fat-tree (C in the paper), or of every node of the tree.",
        unit: "Mbit/s",
        source: PAPER_1,
        when: RESERVED,
        apply: |plan, value| {
            plan.specs.fat_tree.link = value.mbps();
            plan.specs.tree.link = value.mbps();
        },
        essential: true,
        ..PLAIN
    },
    Key {
        name: "fabric",
        default: "aggregated",
        kind: ValueKind::Choice {
            choices: Fabric::CHOICES,
        },
        label: "Fabric",
        help: "How the parallel links of the fat-tree carry a job's traffic.",
        when: FAT_TREE,
        apply: |plan, value| plan.specs.fat_tree.fabric = value.choice(Fabric::named),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "oversubscription",
        default: "1",
        kind: decimal(Decimal::whole(1), 1000, 3),
        label: "Oversubscription",
        help: "By how much the links of each layer together are thinner than those below.",
        when: &[WITH_LINKS, AGGREGATED],
        apply: |plan, value| {
            plan.specs.fat_tree.oversubscription = value.decimal();
            plan.specs.tree.oversubscription = value.decimal();
        },
        ..PLAIN
    },
    Key {
        name: "reservation",
        default: "hose",
        kind: ValueKind::Choice {
            choices: Reservation::CHOICES,
        },
        label: "Reservation",
        help: "What a job reserves on a link that several of its servers share.",
        source: PAPER_1,
        per_policy: true,
        when: FAT_TREE,
        apply: |plan, value| plan.specs.fat_tree.reservation = value.choice(Reservation::named),
        ..PLAIN
    },
    Key {
        name: "level0",
        default: "auto",
        kind: ValueKind::Choice {
            choices: LevelZero::CHOICES,
        },
        group: Group::Policies,
        label: "Single server first",
        help: "Whether a placement first looks for one server that holds the whole job.",
        per_policy: true,
        when: FAT_TREE,
        apply: |plan, value| plan.placing.fat_tree.level0 = value.choice(LevelZero::named),
        ..PLAIN
    },
    Key {
        name: "hide_aware",
        default: "on",
        kind: ON_OFF,
        group: Group::Policies,
        label: "Other placements count traffic inside a server as free",
        help: "Whether placements other than AdaBa reserve nothing for traffic between virtual machines of one server; off reserves m·B for m of them.",
        source: PAPER_1,
        per_policy: true,
        when: FAT_TREE,
        apply: |plan, value| plan.placing.fat_tree.hide_aware = value.is_on(),
        ..PLAIN
    },
    Key {
        name: "root",
        default: "first",
        kind: ValueKind::Choice {
            choices: Root::CHOICES,
        },
        group: Group::Policies,
        label: "Order of switches",
        help: "Which of the switches of a level a placement tries first.",
        per_policy: true,
        when: &[FAT_TREE[0], SINGLE_ROOT],
        apply: |plan, value| plan.placing.fat_tree.root = value.choice(Root::named),
        ..PLAIN
    },
    Key {
        name: "bmax",
        default: "arrived",
        kind: ValueKind::Choice {
            choices: LargestBandwidth::CHOICES,
        },
        group: Group::Policies,
        label: "Largest bandwidth (Bmax)",
        help: "Which jobs the largest bandwidth in AdaBa's weight is taken over.",
        source: PAPER_1,
        per_policy: true,
        when: FAT_TREE,
        apply: |plan, value| plan.placing.fat_tree.bmax = value.choice(LargestBandwidth::named),
        ..PLAIN
    },
    Key {
        name: "guarantee",
        default: "100",
        kind: integer(0, 100),
        group: Group::Policies,
        label: "Guaranteed bandwidth",
        help: "The part of its bandwidth that a job is guaranteed and reserves; what is not reserved is shared by the jobs on a link, which slow one another down.",
        unit: "%",
        per_policy: true,
        when: RESERVED,
        apply: |plan, value| {
            plan.specs.fat_tree.guarantee.percent = value.integer();
            plan.specs.tree.guarantee.percent = value.integer();
        },
        ..PLAIN
    },
    Key {
        name: "communication",
        default: "0.5",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Communication",
        help: "The share of its run time in which a job communicates when it has all of its bandwidth; with less, that part takes as much longer.",
        when: SHARED,
        apply: |plan, value| {
            plan.specs.fat_tree.guarantee.communication = value.decimal();
            plan.specs.tree.guarantee.communication = value.decimal();
        },
        ..PLAIN
    },
];
