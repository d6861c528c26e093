//! Keys of the multi-cluster, its placements and the home clusters of jobs.

use super::super::key::{Group, Key, ON_OFF, PLAIN, ValueKind, When, ZERO, decimal, integer};
use super::super::plan::Value;
use backfill_sim::decimal::Decimal;
use backfill_sim::source::PAPER_3;
use backfill_sim::system::SystemKind;
use backfill_sim::system::multi_cluster::LinkSharing;
use backfill_sim::unit::Kbps;
use backfill_sim::workload::{HomeRule, Homes};

const CLUSTERS: &[When] = &[When::System(SystemKind::MultiCluster)];

/// The rows, in the order in which they are written and shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "clusters",
        default: "4",
        kind: integer(1, 64),
        label: "Clusters",
        help: "Clusters of the multi-cluster, each with a link to the switch in their middle.",
        source: PAPER_3,
        when: CLUSTERS,
        apply: |plan, value| {
            let clusters = value.integer();
            plan.specs.multi_cluster.nodes = vec![0; clusters as usize];
            plan.specs.multi_cluster.links = vec![Kbps(0); clusters as usize];
            let several = plan.system == SystemKind::MultiCluster;
            plan.workload.homes = several.then(|| Homes {
                clusters,
                ..Homes::default()
            });
        },
        essential: true,
        ..PLAIN
    },
    Key {
        name: "nodes_per_cluster",
        default: "100",
        kind: ValueKind::PerCluster {
            min: Decimal::whole(1),
            max: Decimal::whole(100_000),
            places: 0,
        },
        label: "Nodes of a cluster",
        help: "Nodes of every cluster, or of each one as 100+50+50.",
        unit: "",
        source: PAPER_3,
        when: CLUSTERS,
        apply: |plan, value| {
            per_cluster(&mut plan.specs.multi_cluster.nodes, value, |number| {
                number.integer()
            });
        },
        essential: true,
        ..PLAIN
    },
    Key {
        name: "cluster_mbps",
        default: "1000",
        kind: ValueKind::PerCluster {
            min: Decimal::tenth_power(3),
            max: Decimal::whole(100_000_000),
            places: 3,
        },
        label: "Link of a cluster",
        help: "Rate of every cluster's link, or of each one as 1000+500+500.",
        unit: "Mbit/s",
        source: PAPER_3,
        when: CLUSTERS,
        apply: |plan, value| {
            per_cluster(&mut plan.specs.multi_cluster.links, value, |number| {
                number.mbps()
            });
        },
        essential: true,
        ..PLAIN
    },
    Key {
        name: "computation",
        default: "0.7",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Computation (K)",
        help: "The share of its time on a dedicated machine in which a job computes; in the rest it communicates.",
        source: PAPER_3,
        when: CLUSTERS,
        apply: |plan, value| plan.specs.multi_cluster.computation = value.decimal(),
        ..PLAIN
    },
    Key {
        name: "home",
        default: "drawn",
        kind: ValueKind::Choice {
            choices: HomeRule::CHOICES,
        },
        group: Group::Workload,
        label: "Home cluster",
        help: "At which cluster each job is submitted.",
        source: PAPER_3,
        when: CLUSTERS,
        apply: |plan, value| {
            if let Some(homes) = &mut plan.workload.homes {
                homes.rule = value.choice(HomeRule::named);
            }
        },
        ..PLAIN
    },
    Key {
        name: "sharing",
        default: "dynamic",
        kind: ValueKind::Choice {
            choices: LinkSharing::CHOICES,
        },
        group: Group::Policies,
        label: "Sharing of links",
        help: "What happens to co-allocated jobs whose links are overloaded.",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        apply: |plan, value| plan.specs.multi_cluster.sharing = value.choice(LinkSharing::named),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "penalty",
        default: "measured",
        kind: ValueKind::WordOrDecimal {
            word: "measured",
            min: Decimal::whole(1),
            max: Decimal::whole(1000),
            places: 6,
        },
        group: Group::Policies,
        label: "Fixed penalty",
        help: "With sharing = fixed, the factor on the time of co-allocated jobs; measured takes its mean in a run of the same jobs with sharing = dynamic.",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        apply: |plan, value| plan.specs.multi_cluster.penalty = value.number(),
        ..PLAIN
    },
    Key {
        name: "lslt",
        default: "100",
        kind: integer(1, 1000),
        group: Group::Policies,
        label: "Link threshold (LSLT)",
        help: "Load of a link, as a share of its rate, from which placements A1 and B1 to B4 assign no further job to it; A1 also never loads a link above it.",
        unit: "%",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        apply: |plan, value| plan.placing.multi_cluster.threshold = value.integer(),
        essential: true,
        ..PLAIN
    },
    Key {
        name: "chunk",
        default: "85",
        kind: integer(0, 100),
        group: Group::Policies,
        label: "Big chunk (B3)",
        help: "The least share of a job that one cluster must take for placement B3 to co-allocate it.",
        unit: "%",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        apply: |plan, value| plan.placing.multi_cluster.chunk = value.integer(),
        ..PLAIN
    },
    Key {
        name: "local_first",
        default: "on",
        kind: ON_OFF,
        group: Group::Policies,
        label: "First fit tries one cluster first",
        help: "Whether first fit co-allocates only jobs that fit on no single cluster, as the other placements do.",
        per_policy: true,
        when: CLUSTERS,
        apply: |plan, value| plan.placing.multi_cluster.local_first = value.is_on(),
        ..PLAIN
    },
];

/// Gives each cluster its number: the common one, or its own.
fn per_cluster<T: Copy>(clusters: &mut [T], value: Value<'_>, read: fn(Value<'_>) -> T) {
    let mut numbers = value.parts().map(read);
    let mut last = numbers.next();
    for cluster in clusters {
        *cluster = last.expect("one number at least");
        last = numbers.next().or(last);
    }
}
