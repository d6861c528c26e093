//! The one table of a scenario's keys: what each may be, what it is when nothing is said, and how
//! a reader is told of it. Parser, link, command-line help and the page's form are drawn from it.
//!
//! Invariant: a link carries only what differs from the defaults, so the default of a key never
//! changes, and a new key's default keeps the behaviour from before it existed.

use serde::Serialize;

use backfill_sim::choice::{Choice, choices, either};
use backfill_sim::decimal::Decimal;
use backfill_sim::metrics::{self, METRICS, Timed};
use backfill_sim::policy::elastic::MachinesOn;
use backfill_sim::policy::list::{Victims, WhenBlocked};
use backfill_sim::policy::zomt::{LongWait, LongWaitOrder};
use backfill_sim::source::{PAPER_1, PAPER_2, PAPER_3, PAPER_4};
use backfill_sim::system::SystemKind;
use backfill_sim::system::fat_tree::place::{LargestBandwidth, LevelZero, Root};
use backfill_sim::system::fat_tree::{Fabric, Reservation};
use backfill_sim::system::multi_cluster::LinkSharing;
use backfill_sim::workload::{
    BandwidthKind, Estimate, Flurries, HomeRule, Law, LoadLaw, Processors, SourceKind, Statuses,
};

choices! {
    /// A switch.
    pub enum Toggle {
        On = "on", "On", "In force.", "";
        Off = "off", "Off", "Not in force.", "";
    }
}

choices! {
    /// The part of a scenario to which a key belongs.
    pub enum Group {
        System = "system", "System", "What the jobs run on.", "";
        Workload = "workload", "Workload", "Which jobs there are.", "";
        Policies = "policies", "Policies", "Who decides when and where jobs run.", "";
        Sweep = "sweep", "Sweep", "Which runs are made and compared.", "";
    }
}

/// A key of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// Its value where none is given, in canonical form.
    pub default: &'static str,
    /// Which values it may have.
    pub kind: Kind,
    /// The part of a scenario to which it belongs.
    pub group: Group,
    /// How it is shown to a reader.
    pub label: &'static str,
    /// What it decides, in one sentence.
    pub help: &'static str,
    /// The unit of its numbers, if it has any.
    pub unit: &'static str,
    /// Where it is defined: authors, title, year; empty where it is our own.
    pub source: &'static str,
    /// Whether `x` or `y` may sweep it.
    pub sweep: bool,
    /// Whether a policy may have a value of its own, in parentheses.
    pub per_policy: bool,
    /// It has an effect only where all of these hold.
    pub when: &'static [When],
}

/// A condition on another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct When {
    /// The other key. With `policy`, some policy's queue is meant.
    pub key: &'static str,
    /// The values of it with which the condition holds.
    pub values: &'static [&'static str],
}

/// Which values a key may have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Kind {
    /// A whole number.
    Integer {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// Whether it must be even.
        even: bool,
    },
    /// A decimal number.
    Decimal {
        /// The smallest.
        min: Decimal,
        /// The largest.
        max: Decimal,
        /// How many digits may stand after the point.
        places: u8,
    },
    /// One of several names.
    Choice {
        /// The names and what they mean.
        choices: &'static [Choice],
    },
    /// A word, or a decimal number.
    WordOrDecimal {
        /// The word.
        word: &'static str,
        /// The smallest number.
        min: Decimal,
        /// The largest number.
        max: Decimal,
        /// How many digits may stand after the point.
        places: u8,
    },
    /// One number for all clusters, or one for each, joined by `+`.
    PerCluster {
        /// The smallest number.
        min: Decimal,
        /// The largest number.
        max: Decimal,
        /// How many digits may stand after the point.
        places: u8,
    },
    /// A law to draw from.
    Law {
        /// Whether an exponential law may leave its mean open.
        open_mean: bool,
    },
    /// A list of policies.
    Policies,
    /// One of the policies, or `first`.
    Reference,
    /// A key to sweep and its values, or `none`.
    Sweep,
    /// A file's name or path, or nothing.
    File,
    /// A SHA-256 in hexadecimal, or nothing.
    Sha256,
    /// The name of a metric, or nothing.
    Metric,
    /// The bandwidth of every pair of centres in Mbit/s, or `equal`.
    Bandwidths,
}

impl Kind {
    /// Whether `first:last:step` stands for the numbers from first to last.
    pub fn has_ranges(&self) -> bool {
        matches!(
            self,
            Kind::Integer { .. } | Kind::Decimal { .. } | Kind::WordOrDecimal { .. }
        )
    }

    /// What is allowed, as the rest of a sentence that begins with the key and its value.
    pub fn allowed(&self) -> String {
        match self {
            Kind::Integer { min, max, even } => {
                let even = if *even { "an even" } else { "a" };
                format!("must be {even} whole number from {min} to {max}")
            }
            Kind::Decimal { min, max, places } => {
                format!("must be a number from {min} to {max}{}", digits(*places))
            }
            Kind::Choice { choices } => {
                format!("must be {}", either(choices.iter().map(|c| c.value)))
            }
            Kind::WordOrDecimal {
                word,
                min,
                max,
                places: 0,
            } => format!("must be {word} or a whole number from {min} to {max}"),
            Kind::WordOrDecimal {
                word,
                min,
                max,
                places,
            } => format!(
                "must be {word} or a number from {min} to {max}{}",
                digits(*places)
            ),
            Kind::PerCluster { min, max, .. } => format!(
                "must be a number from {min} to {max}, or one for each cluster as {max}+{min}"
            ),
            Kind::Law { .. } => format!("must be one of {}", backfill_sim::workload::law::FORMS),
            Kind::Policies => "must be policies such as fcfs+adaba, separated by commas".to_owned(),
            Kind::Reference => "must be first or one of the policies".to_owned(),
            Kind::Sweep => "must be none, key:first:last:step or key:value,value".to_owned(),
            Kind::File => "must be a file name of at most 500 bytes on one line".to_owned(),
            Kind::Sha256 => "must be 64 hexadecimal digits".to_owned(),
            Kind::Metric => {
                let names = METRICS.iter().map(|metric| metric.name);
                format!("must be {}", either(names))
            }
            Kind::Bandwidths => {
                "must be equal or numbers from 0 to 100000000 separated by colons: \
                centres 0 and 1, 0 and 2, …, 1 and 2, …"
                    .to_owned()
            }
        }
    }

    /// The canonical form of a value that depends on no other key; an error says what is wrong.
    pub(crate) fn canonical(&self, text: &str) -> Result<String, String> {
        let refused = || self.allowed();
        let valid = |text: &str, min: Decimal, max: Decimal, places: u8| {
            Decimal::parse(text)
                .filter(|value| (min..=max).contains(value) && value.places() <= places)
                .map(|value| value.to_string())
        };
        let number = |min, max, places| valid(text, min, max, places).ok_or_else(refused);
        match *self {
            Kind::Integer { min, max, even } => Some(text)
                .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|text| text.parse::<u64>().ok())
                .filter(|value| (min..=max).contains(value) && (!even || value % 2 == 0))
                .map(|value| value.to_string())
                .ok_or_else(refused),
            Kind::Decimal { min, max, places } => number(min, max, places),
            Kind::WordOrDecimal { word, .. } if text == word => Ok(word.to_owned()),
            Kind::WordOrDecimal {
                min, max, places, ..
            } => number(min, max, places),
            Kind::PerCluster { min, max, places } => {
                let numbers = text.split('+').map(str::trim);
                let numbers = numbers.map(|number| valid(number, min, max, places));
                let numbers: Option<Vec<String>> = numbers.collect();
                numbers.map(|all| all.join("+")).ok_or_else(refused)
            }
            Kind::Choice { choices } => choices
                .iter()
                .find(|choice| choice.value == text)
                .map(|choice| choice.value.to_owned())
                .ok_or_else(refused),
            Kind::Law { open_mean } => match Law::parse(text)? {
                Law::Exponential(None) if !open_mean => {
                    Err("needs its mean: exponential:MEAN".to_owned())
                }
                law => Ok(law.to_string()),
            },
            Kind::File => Some(text)
                .filter(|text| text.len() <= 500 && !text.chars().any(char::is_control))
                .map(str::to_owned)
                .ok_or_else(refused),
            Kind::Sha256 => Some(text.to_ascii_lowercase())
                .filter(|text| {
                    text.is_empty()
                        || text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
                })
                .ok_or_else(refused),
            Kind::Metric => Some(text)
                .filter(|text| text.is_empty() || metrics::position(text).is_some())
                .map(str::to_owned)
                .ok_or_else(refused),
            Kind::Bandwidths if text == "equal" => Ok(text.to_owned()),
            Kind::Bandwidths => {
                let numbers = bandwidths(text).ok_or_else(refused)?;
                let numbers: Vec<String> = numbers.iter().map(Decimal::to_string).collect();
                Ok(numbers.join(":"))
            }
            Kind::Policies | Kind::Reference | Kind::Sweep => Ok(text.to_owned()),
        }
    }
}

/// Bandwidths separated by colons; `None` if it is something else.
pub(super) fn bandwidths(text: &str) -> Option<Vec<Decimal>> {
    let allowed = |number: &Decimal| {
        number.places() <= 3 && (ZERO..=Decimal::whole(100_000_000)).contains(number)
    };
    let number = |part: &str| Decimal::parse(part.trim()).filter(allowed);
    text.split(':').map(number).collect()
}

fn digits(places: u8) -> String {
    match places {
        1 => " with at most 1 digit after the point".to_owned(),
        _ => format!(" with at most {places} digits after the point"),
    }
}

const ON_OFF: Kind = Kind::Choice {
    choices: Toggle::CHOICES,
};
const RATE: Kind = Kind::Decimal {
    min: Decimal::tenth_power(3),
    max: Decimal::whole(100_000_000),
    places: 3,
};
const LAW: Kind = Kind::Law { open_mean: false };
const FAT_TREE: &[When] = &[When {
    key: "system",
    values: &["fat-tree"],
}];
const POOL: &[When] = &[When {
    key: "system",
    values: &["pool"],
}];
const ZOMT: &[When] = &[When {
    key: "policy",
    values: &["zomt"],
}];
/// The queues before which a pool may route jobs.
const ROUTED: &[When] = &[
    POOL[0],
    When {
        key: "policy",
        values: &[
            "fcfs",
            "sbf",
            "sdf",
            "easy",
            "bgmbf",
            "bgmbf-sdf",
            "cmbf",
            "ambf",
            "fpfs",
            "ljfs",
            "qljfs",
            "pljfs",
            "fair",
            "zomt",
        ],
    },
];
/// Where nodes have a background.
const TWO_TIERS: &[When] = &[
    When {
        key: "system",
        values: &["nodes"],
    },
    When {
        key: "tiers",
        values: &["2"],
    },
];
const CLUSTERS: &[When] = &[When {
    key: "system",
    values: &["multi-cluster"],
}];
const TRACE: &[When] = &[When {
    key: "workload",
    values: &["swf", "csv"],
}];
const LOG: &[When] = &[When {
    key: "workload",
    values: &["swf"],
}];
const GENERATED: &[When] = &[When {
    key: "workload",
    values: &["poisson", "lublin", "feitelson96-like", "jann97-refit"],
}];
/// Jobs that are drawn from laws of the scenario.
const DRAWN: &[When] = &[When {
    key: "workload",
    values: &["poisson"],
}];
const FEITELSON: &[When] = &[When {
    key: "workload",
    values: &["feitelson96-like"],
}];

const fn integer(min: u64, max: u64) -> Kind {
    Kind::Integer {
        min,
        max,
        even: false,
    }
}

const fn decimal(min: Decimal, max: i64, places: u8) -> Kind {
    Kind::Decimal {
        min,
        max: Decimal::whole(max),
        places,
    }
}

const ZERO: Decimal = Decimal::whole(0);

/// How virtual machines migrate when nothing is said.
pub(super) const NO_VM_MIGRATIONS: &str = "constant:0";

const AGGREGATED: When = When {
    key: "fabric",
    values: &["aggregated"],
};

const SINGLE_ROOT: When = When {
    key: "fabric",
    values: &["single-root"],
};

/// The queues that preempt jobs.
const MIGRATING: &[When] = &[When {
    key: "policy",
    values: &["bgmbf", "bgmbf-sdf", "cmbf", "ambf", "cmcbf", "amcbf"],
}];

/// The queues of which paper 1 leaves open who is preempted.
const BGMBF: &[When] = &[When {
    key: "policy",
    values: &["bgmbf", "bgmbf-sdf"],
}];

/// What most keys have in common.
const PLAIN: Key = Key {
    name: "",
    default: "",
    kind: Kind::File,
    group: Group::System,
    label: "",
    help: "",
    unit: "",
    source: "",
    sweep: true,
    per_policy: false,
    when: &[],
};

/// All keys, in the order in which a scenario is written and shown. It is no constant, of which every
/// crate would have a copy.
pub static KEYS: &[Key] = &[
    Key {
        name: "system",
        default: "fat-tree",
        kind: Kind::Choice {
            choices: SystemKind::CHOICES,
        },
        label: "System",
        help: "What the jobs run on.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "k",
        default: "6",
        kind: Kind::Integer {
            min: 2,
            max: 64,
            even: true,
        },
        label: "Pods (k)",
        help: "Pods of the fat-tree, which has k³/4 servers.",
        source: "M. Al-Fares, A. Loukissas, A. Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008",
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "slots",
        default: "8",
        kind: integer(1, 1024),
        label: "Slots per server",
        help: "Virtual machines that one server can hold (L in the paper).",
        unit: "slots",
        source: PAPER_1,
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "link_mbps",
        default: "1000",
        kind: RATE,
        label: "Link rate",
        help: "Rate of every link of the fat-tree (C in the paper).",
        unit: "Mbit/s",
        source: PAPER_1,
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "fabric",
        default: "aggregated",
        kind: Kind::Choice {
            choices: Fabric::CHOICES,
        },
        label: "Fabric",
        help: "How the parallel links of the fat-tree carry a job's traffic.",
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "oversubscription",
        default: "1",
        kind: decimal(Decimal::whole(1), 1000, 3),
        label: "Oversubscription",
        help: "By how much the links of each layer together are thinner than those below.",
        when: &[FAT_TREE[0], AGGREGATED],
        ..PLAIN
    },
    Key {
        name: "reservation",
        default: "hose",
        kind: Kind::Choice {
            choices: Reservation::CHOICES,
        },
        label: "Reservation",
        help: "What a job reserves on a link that several of its servers share.",
        source: PAPER_1,
        per_policy: true,
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "level0",
        default: "auto",
        kind: Kind::Choice {
            choices: LevelZero::CHOICES,
        },
        group: Group::Policies,
        label: "Single server first",
        help: "Whether a placement first looks for one server that holds the whole job.",
        per_policy: true,
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "hide_aware",
        default: "on",
        kind: ON_OFF,
        group: Group::Policies,
        label: "Baselines know hiding",
        help: "Whether placements other than AdaBa count that machines on one server need no link; off reserves m·B.",
        source: PAPER_1,
        per_policy: true,
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "root",
        default: "first",
        kind: Kind::Choice {
            choices: Root::CHOICES,
        },
        group: Group::Policies,
        label: "Order of switches",
        help: "Which of the switches of a level a placement tries first.",
        per_policy: true,
        when: &[FAT_TREE[0], SINGLE_ROOT],
        ..PLAIN
    },
    Key {
        name: "bmax",
        default: "arrived",
        kind: Kind::Choice {
            choices: LargestBandwidth::CHOICES,
        },
        group: Group::Policies,
        label: "Largest bandwidth (Bmax)",
        help: "Which jobs the largest bandwidth in AdaBa's weight is taken over.",
        source: PAPER_1,
        per_policy: true,
        when: FAT_TREE,
        ..PLAIN
    },
    Key {
        name: "nodes",
        default: "128",
        kind: integer(1, 1_000_000),
        label: "Nodes",
        help: "Nodes of the cluster, one process on each.",
        unit: "nodes",
        when: &[When {
            key: "system",
            values: &["nodes"],
        }],
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
        when: &[TWO_TIERS[0]],
        ..PLAIN
    },
    Key {
        name: "threshold",
        default: "96",
        kind: decimal(ZERO, 100, 6),
        label: "Threshold",
        help: "CPU usage of a foreground process from which on nothing runs behind it.",
        unit: "%",
        source: PAPER_2,
        per_policy: true,
        when: TWO_TIERS,
        ..PLAIN
    },
    Key {
        name: "full_background",
        default: "off",
        kind: ON_OFF,
        label: "Full speed behind",
        help: "Whether background processes run at full speed whatever is in front of them.",
        when: TWO_TIERS,
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
        ..PLAIN
    },
    Key {
        name: "clusters",
        default: "4",
        kind: integer(1, 64),
        label: "Clusters",
        help: "Clusters of the multi-cluster, each with a link to the switch in their middle.",
        source: PAPER_3,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "nodes_per_cluster",
        default: "100",
        kind: Kind::PerCluster {
            min: Decimal::whole(1),
            max: Decimal::whole(100_000),
            places: 0,
        },
        label: "Nodes of a cluster",
        help: "Nodes of every cluster, or of each one as 100+50+50.",
        unit: "nodes",
        source: PAPER_3,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "cluster_mbps",
        default: "1000",
        kind: Kind::PerCluster {
            min: Decimal::tenth_power(3),
            max: Decimal::whole(100_000_000),
            places: 3,
        },
        label: "Link of a cluster",
        help: "Rate of every cluster's link, or of each one as 1000+500+500.",
        unit: "Mbit/s",
        source: PAPER_3,
        when: CLUSTERS,
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
        ..PLAIN
    },
    Key {
        name: "home",
        default: "drawn",
        kind: Kind::Choice {
            choices: HomeRule::CHOICES,
        },
        group: Group::Workload,
        label: "Home cluster",
        help: "At which cluster each job is submitted.",
        source: PAPER_3,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "sharing",
        default: "dynamic",
        kind: Kind::Choice {
            choices: LinkSharing::CHOICES,
        },
        group: Group::Policies,
        label: "Sharing of links",
        help: "What becomes of jobs on several clusters whose links are asked for too much.",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "penalty",
        default: "measured",
        kind: Kind::WordOrDecimal {
            word: "measured",
            min: Decimal::whole(1),
            max: Decimal::whole(1000),
            places: 6,
        },
        group: Group::Policies,
        label: "Fixed penalty",
        help: "With sharing = fixed, the factor on the time of jobs on several clusters; measured takes its mean in a run of the same jobs with sharing = dynamic.",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "lslt",
        default: "100",
        kind: integer(1, 1000),
        group: Group::Policies,
        label: "Link threshold (LSLT)",
        help: "The share of a link's rate from which on placements A1 and B1 to B4 spread no job over it; A1 also stays at or below it.",
        unit: "%",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "chunk",
        default: "85",
        kind: integer(0, 100),
        group: Group::Policies,
        label: "Big chunk (B3)",
        help: "The share of a job that one cluster must take at least for placement B3 to spread it.",
        unit: "%",
        source: PAPER_3,
        per_policy: true,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "local_first",
        default: "on",
        kind: ON_OFF,
        group: Group::Policies,
        label: "First fit comes last",
        help: "Whether first fit spreads only jobs that no cluster has room for, as the other placements do.",
        per_policy: true,
        when: CLUSTERS,
        ..PLAIN
    },
    Key {
        name: "vms",
        default: "120",
        kind: integer(1, 1_000_000),
        label: "VMs",
        help: "Virtual machines of each data centre (vmmax in the paper).",
        unit: "VMs",
        source: PAPER_4,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "centres",
        default: "1",
        kind: integer(1, 64),
        label: "Data centres",
        help: "How many data centres share the jobs.",
        source: PAPER_4,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "centre_mbps",
        default: "equal",
        kind: Kind::Bandwidths,
        label: "Bandwidth between centres",
        help: "Centres open by bandwidth to the one opened last, the largest first.",
        unit: "Mbit/s",
        source: PAPER_4,
        sweep: false,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "speed_up",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        label: "Speed-up exponent (σ)",
        help: "With k times the machines it asked for a job goes k to this power times as fast.",
        per_policy: true,
        when: &[
            POOL[0],
            When {
                key: "policy",
                values: &["fair"],
            },
        ],
        ..PLAIN
    },
    Key {
        name: "vm_migrations",
        default: NO_VM_MIGRATIONS,
        kind: LAW,
        label: "Migrating VMs",
        help: "The share of the machines that migrate in an hour, constant or uniform, drawn once for each run; the job on such a machine stops and goes on from its last completed slot.",
        unit: "%",
        source: PAPER_4,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "vm_migration_s",
        default: "uniform:120:600",
        kind: LAW,
        label: "Stop for a migration",
        help: "How long a job stops for the migration of one of its machines, constant or uniform.",
        unit: "s",
        source: PAPER_4,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "slot_s",
        default: "3600",
        kind: decimal(Decimal::tenth_power(6), 100_000_000, 6),
        label: "Slot",
        help: "The work between two points from which a job can go on after a migration.",
        unit: "s",
        source: PAPER_4,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "elastic",
        default: "off",
        kind: Kind::Choice {
            choices: MachinesOn::CHOICES,
        },
        label: "Elastic VMs",
        help: "How many of the machines are on, by the jobs that are done.",
        source: PAPER_4,
        per_policy: true,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "elastic_share",
        default: "0.5",
        kind: decimal(ZERO, 100, 6),
        label: "Elastic VMs to spare (α)",
        help: "By which share more machines are on than are needed.",
        source: PAPER_4,
        per_policy: true,
        when: POOL,
        ..PLAIN
    },
    Key {
        name: "workload",
        default: "poisson",
        kind: Kind::Choice {
            choices: SourceKind::CHOICES,
        },
        group: Group::Workload,
        label: "Workload",
        help: "Where the jobs come from.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "file",
        group: Group::Workload,
        label: "File",
        help: "The trace's file; a link carries its base name only, never its contents.",
        sweep: false,
        when: TRACE,
        ..PLAIN
    },
    Key {
        name: "sha256",
        kind: Kind::Sha256,
        group: Group::Workload,
        label: "SHA-256",
        help: "Fingerprint of the trace's decompressed bytes; another trace is refused.",
        sweep: false,
        when: TRACE,
        ..PLAIN
    },
    Key {
        name: "first",
        default: "all",
        kind: Kind::WordOrDecimal {
            word: "all",
            min: Decimal::whole(1),
            max: Decimal::whole(10_000_000),
            places: 0,
        },
        group: Group::Workload,
        label: "First jobs",
        help: "How many of the first jobs of the trace are taken.",
        unit: "jobs",
        when: TRACE,
        ..PLAIN
    },
    Key {
        name: "jobs",
        default: "400",
        kind: integer(1, 10_000_000),
        group: Group::Workload,
        label: "Jobs",
        help: "How many jobs are generated in each replication.",
        unit: "jobs",
        when: GENERATED,
        ..PLAIN
    },
    Key {
        name: "size",
        default: "uniform:1:15",
        kind: LAW,
        group: Group::Workload,
        label: "Size",
        help: "Law of the number of slots a job asks for (N in the paper).",
        unit: "slots",
        source: PAPER_1,
        when: DRAWN,
        ..PLAIN
    },
    Key {
        name: "runtime",
        default: "exponential:3600",
        kind: LAW,
        group: Group::Workload,
        label: "Runtime",
        help: "Law of a job's runtime.",
        unit: "s",
        source: PAPER_1,
        when: DRAWN,
        ..PLAIN
    },
    Key {
        name: "interarrival",
        default: "exponential",
        kind: Kind::Law { open_mean: true },
        group: Group::Workload,
        label: "Time between arrivals",
        help: "Law of the time between two arrivals; without a mean the load decides it.",
        unit: "s",
        source: PAPER_1,
        when: &[When {
            key: "workload",
            values: &["poisson", "feitelson96-like"],
        }],
        ..PLAIN
    },
    Key {
        name: "max_size",
        default: "as-published",
        kind: Kind::WordOrDecimal {
            word: "as-published",
            min: Decimal::whole(8),
            max: Decimal::whole(1_000_000),
            places: 0,
        },
        group: Group::Workload,
        label: "Largest size",
        help: "The largest size that a model gives; as published it is 128 for Lublin and Feitelson's and 256 for the one like Feitelson's.",
        unit: "slots",
        when: &[When {
            key: "workload",
            values: &["lublin", "feitelson96-like"],
        }],
        ..PLAIN
    },
    Key {
        name: "job_classes",
        default: "off",
        kind: ON_OFF,
        group: Group::Workload,
        label: "Batch and interactive",
        help: "Whether batch and interactive jobs are drawn apart, each with parameters and arrivals of its own.",
        when: &[When {
            key: "workload",
            values: &["lublin"],
        }],
        ..PLAIN
    },
    Key {
        name: "serial_share",
        default: "0.35",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Share of serial jobs",
        help: "Which share of the jobs has size 1; ours, of the order of real logs.",
        sweep: false,
        when: FEITELSON,
        ..PLAIN
    },
    Key {
        name: "power_share",
        default: "0.75",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Share of powers of two",
        help: "Which share of the jobs has a power of two as its size, 1 included; ours, of the order of real logs.",
        sweep: false,
        when: FEITELSON,
        ..PLAIN
    },
    Key {
        name: "round_factor",
        default: "2",
        kind: decimal(Decimal::whole(1), 1000, 6),
        group: Group::Workload,
        label: "Round sizes",
        help: "How many times as often as their neighbours multiples of ten and squares are sizes; ours.",
        when: FEITELSON,
        ..PLAIN
    },
    Key {
        name: "short_mean_s",
        default: "1800",
        kind: decimal(Decimal::whole(1), 1_000_000, 6),
        group: Group::Workload,
        label: "Mean of short runs",
        help: "Mean of the shorter of both laws of run times; that of the longer one is seven times as long; ours.",
        unit: "s",
        when: FEITELSON,
        ..PLAIN
    },
    Key {
        name: "repeats_order",
        default: "2.5",
        kind: decimal(Decimal::whole(1), 10, 6),
        group: Group::Workload,
        label: "Order of repetitions",
        help: "A job is run r times with a weight of r to the power of minus this; ours.",
        when: FEITELSON,
        ..PLAIN
    },
    Key {
        name: "repeats_max",
        default: "1000",
        kind: integer(1, 100_000),
        group: Group::Workload,
        label: "Most repetitions",
        help: "How many times a job is run at most; ours.",
        when: FEITELSON,
        ..PLAIN
    },
    Key {
        name: "upper_share",
        default: "0.8",
        kind: decimal(ZERO, 1, 6),
        group: Group::Workload,
        label: "Share of the largest size",
        help: "Which share of the jobs in each range of sizes has the largest one; ours.",
        when: &[When {
            key: "workload",
            values: &["jann97-refit"],
        }],
        ..PLAIN
    },
    Key {
        name: "arrivals_per_hour",
        default: "by-law",
        kind: Kind::WordOrDecimal {
            word: "by-law",
            min: Decimal::tenth_power(3),
            max: Decimal::whole(1_000_000),
            places: 3,
        },
        group: Group::Workload,
        label: "Arrivals an hour (λ)",
        help: "Mean number of exponential arrivals an hour in place of the law of the time between them.",
        unit: "jobs",
        source: PAPER_4,
        when: GENERATED,
        ..PLAIN
    },
    Key {
        name: "load",
        default: "0.5",
        kind: Kind::WordOrDecimal {
            word: "as-logged",
            min: Decimal::tenth_power(3),
            max: Decimal::whole(1000),
            places: 6,
        },
        group: Group::Workload,
        label: "Load",
        help: "The load to which submit times are scaled, or as-logged to leave them alone.",
        source: PAPER_1,
        ..PLAIN
    },
    Key {
        name: "load_law",
        default: "offered",
        kind: Kind::Choice {
            choices: LoadLaw::CHOICES,
        },
        group: Group::Workload,
        label: "Meaning of the load",
        help: "What a number given as load means.",
        ..PLAIN
    },
    Key {
        name: "bandwidth",
        default: "normal",
        kind: Kind::Choice {
            choices: BandwidthKind::CHOICES,
        },
        group: Group::Workload,
        label: "Bandwidth",
        help: "How much bandwidth each virtual machine of a job asks for, on a multi-cluster its even bisection.",
        source: PAPER_1,
        ..PLAIN
    },
    Key {
        name: "bandwidth_mbps",
        default: "250",
        kind: RATE,
        group: Group::Workload,
        label: "Mean bandwidth",
        help: "Mean bandwidth asked for (AvgB in paper 1); on a multi-cluster what an even bisection of a job needs (BSBW in paper 3).",
        unit: "Mbit/s",
        source: PAPER_1,
        when: &[When {
            key: "bandwidth",
            values: &["normal", "constant"],
        }],
        ..PLAIN
    },
    Key {
        name: "cap_bandwidth",
        default: "on",
        kind: ON_OFF,
        group: Group::Workload,
        label: "Cap at the link rate",
        help: "Whether no job asks for more bandwidth than a link has.",
        when: &[
            When {
                key: "system",
                values: &["fat-tree"],
            },
            When {
                key: "bandwidth",
                values: &["normal", "constant", "per-size", "per-server", "column"],
            },
        ],
        ..PLAIN
    },
    Key {
        name: "estimate",
        default: "exact",
        kind: Kind::Choice {
            choices: Estimate::CHOICES,
        },
        group: Group::Workload,
        label: "Estimates",
        help: "What a job's estimated runtime is, the only one that policies see.",
        ..PLAIN
    },
    Key {
        name: "estimate_max_s",
        default: "64800",
        kind: integer(7200, 10_000_000),
        group: Group::Workload,
        label: "Longest estimate",
        help: "The longest time that users may ask for; jobs that run longer are cut there.",
        unit: "s",
        source: "D. Tsafrir, Y. Etsion, D. Feitelson, Modeling user runtime estimates, JSSPP 2005",
        when: &[When {
            key: "estimate",
            values: &["tsafrir"],
        }],
        ..PLAIN
    },
    Key {
        name: "processors",
        default: "alloc-then-req",
        kind: Kind::Choice {
            choices: Processors::CHOICES,
        },
        group: Group::Workload,
        label: "Processors",
        help: "Which column of a log is a job's size.",
        sweep: false,
        when: LOG,
        ..PLAIN
    },
    Key {
        name: "feedback",
        default: "off",
        kind: ON_OFF,
        group: Group::Workload,
        label: "Users wait for results",
        help: "Whether a job of a log arrives only after the job it names as preceding has ended and its think time has passed, and a repetition after the one before.",
        source: "S. Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP 1999",
        when: &[When {
            key: "workload",
            values: &["swf", "feitelson96-like"],
        }],
        ..PLAIN
    },
    Key {
        name: "flurries",
        default: "keep",
        kind: Kind::Choice {
            choices: Flurries::CHOICES,
        },
        group: Group::Workload,
        label: "Flurries",
        help: "What becomes of bursts of one user's similar jobs, which can decide a result though they will not come again.",
        source: "D. Tsafrir, D. G. Feitelson, Instability in parallel job scheduling simulation: the role of workload flurries, IPDPS 2006",
        when: LOG,
        ..PLAIN
    },
    Key {
        name: "statuses",
        default: "all",
        kind: Kind::Choice {
            choices: Statuses::CHOICES,
        },
        group: Group::Workload,
        label: "Jobs by status",
        help: "Which jobs of a log are taken by how they ended.",
        when: LOG,
        ..PLAIN
    },
    Key {
        name: "shake_s",
        default: "0",
        kind: decimal(ZERO, 86_400, 6),
        group: Group::Workload,
        label: "Shake submit times",
        help: "By up to how much each submit time is moved, earlier or later, anew in every replication: what holds does not hang on exact instants.",
        unit: "s",
        source: "D. Tsafrir, K. Ouaknine, D. G. Feitelson, Reducing performance evaluation sensitivity and variability by input shaking, MASCOTS 2007",
        when: TRACE,
        ..PLAIN
    },
    Key {
        name: "policy",
        default: "fcfs+adaba,easy+adaba,bgmbf+adaba,none+adaba",
        kind: Kind::Policies,
        group: Group::Policies,
        label: "Policies",
        help: "The policies compared, each queue+placement, with keys of its own in parentheses.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "migration_cost_s",
        default: "0",
        kind: decimal(ZERO, 1_000_000, 6),
        group: Group::Policies,
        label: "Migration cost",
        help: "Time that a preempted job pays, holding its slots and links, when it starts again.",
        unit: "s",
        source: PAPER_1,
        per_policy: true,
        when: MIGRATING,
        ..PLAIN
    },
    Key {
        name: "blocked",
        default: "strict",
        kind: Kind::Choice {
            choices: WhenBlocked::CHOICES,
        },
        group: Group::Policies,
        label: "When a job does not fit",
        help: "Whether SBF and SDF stop at a job that does not fit or skip it.",
        per_policy: true,
        when: &[When {
            key: "policy",
            values: &["sbf", "sdf"],
        }],
        ..PLAIN
    },
    Key {
        name: "promote",
        default: "on",
        kind: ON_OFF,
        group: Group::Policies,
        label: "Promote backfilled jobs",
        help: "Whether a job counts as backfilled only while an older job waits; off stores the set as printed.",
        source: PAPER_1,
        per_policy: true,
        when: BGMBF,
        ..PLAIN
    },
    Key {
        name: "preempt",
        default: "all",
        kind: Kind::Choice {
            choices: Victims::CHOICES,
        },
        group: Group::Policies,
        label: "Who is preempted",
        help: "Which running jobs give way to the first job of the queue.",
        source: PAPER_1,
        per_policy: true,
        when: BGMBF,
        ..PLAIN
    },
    Key {
        name: "period_s",
        default: "3600",
        kind: decimal(Decimal::tenth_power(6), 100_000_000, 6),
        group: Group::Policies,
        label: "Period of sorting",
        help: "After how long PLJFS sorts its queue anew, from time 0 on.",
        unit: "s",
        source: PAPER_4,
        per_policy: true,
        when: &[When {
            key: "policy",
            values: &["pljfs"],
        }],
        ..PLAIN
    },
    Key {
        name: "rratio",
        default: "0.9",
        kind: decimal(ZERO, 1, 3),
        group: Group::Policies,
        label: "Least share used (rratio)",
        help: "The share of the free machines that a set chosen by the 0-1 program uses at least.",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        ..PLAIN
    },
    Key {
        name: "long_wait",
        default: "job",
        kind: Kind::Choice {
            choices: LongWait::CHOICES,
        },
        group: Group::Policies,
        label: "Long waits",
        help: "Which jobs start before the 0-1 program is asked.",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        ..PLAIN
    },
    Key {
        name: "long_wait_order",
        default: "auto",
        kind: Kind::Choice {
            choices: LongWaitOrder::CHOICES,
        },
        group: Group::Policies,
        label: "Order of long waits",
        help: "In which order jobs start that have waited long.",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        ..PLAIN
    },
    Key {
        name: "unit_s",
        default: "3600",
        kind: decimal(Decimal::tenth_power(6), 100_000_000, 6),
        group: Group::Policies,
        label: "Unit of time",
        help: "The wait that counts as much in the 0-1 program as the machines themselves.",
        unit: "s",
        source: PAPER_4,
        per_policy: true,
        when: ZOMT,
        ..PLAIN
    },
    Key {
        name: "slist_capacity",
        default: "unlimited",
        kind: Kind::WordOrDecimal {
            word: "unlimited",
            min: Decimal::whole(1),
            max: Decimal::whole(1_000_000_000),
            places: 0,
        },
        group: Group::Policies,
        label: "Scheduling list (FSTEQ)",
        help: "For how many machines the jobs that the policy knows of may ask together; the others wait to be called, and who asks for more is turned away.",
        unit: "VMs",
        source: PAPER_4,
        per_policy: true,
        when: ROUTED,
        ..PLAIN
    },
    Key {
        name: "time1_s",
        default: "0",
        kind: decimal(ZERO, 100_000_000, 6),
        group: Group::Policies,
        label: "Called first after (time1)",
        help: "Who has waited longer is called first to a limited scheduling list; as both walks go by arrival this changes nothing unless users wait for results.",
        unit: "s",
        source: PAPER_4,
        per_policy: true,
        when: ROUTED,
        ..PLAIN
    },
    Key {
        name: "gamma_s",
        default: "10",
        kind: decimal(Decimal::tenth_power(3), 1_000_000, 6),
        group: Group::Sweep,
        label: "Slowdown bound (Γ)",
        help: "Bounded slowdown counts a job as at least this long.",
        unit: "s",
        source: PAPER_1,
        ..PLAIN
    },
    Key {
        name: "floor_one",
        default: "on",
        kind: ON_OFF,
        group: Group::Sweep,
        label: "Slowdown of at least 1",
        help: "Whether bounded slowdown is never below 1.",
        source: "D. Feitelson, L. Rudolph, Metrics and benchmarking for parallel job scheduling, JSSPP 1998",
        ..PLAIN
    },
    Key {
        name: "warmup",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        group: Group::Sweep,
        label: "Warm-up",
        help: "Share of the first arrivals that the metrics leave out.",
        ..PLAIN
    },
    Key {
        name: "cooldown",
        default: "0",
        kind: decimal(ZERO, 1, 6),
        group: Group::Sweep,
        label: "Cool-down",
        help: "Share of the jobs ending after the last arrival that the metrics leave out.",
        ..PLAIN
    },
    Key {
        name: "x",
        default: "load:0.3:0.9:0.2",
        kind: Kind::Sweep,
        group: Group::Sweep,
        label: "Horizontal axis",
        help: "The key swept and its values, as key:first:last:step or key:value,value; or none.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "y",
        default: "none",
        kind: Kind::Sweep,
        group: Group::Sweep,
        label: "Second swept key",
        help: "A second key swept, written like the first; or none.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "seed",
        default: "42",
        kind: integer(0, u64::MAX),
        group: Group::Sweep,
        label: "Seed",
        help: "The number from which every random draw of the scenario follows.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "reps",
        default: "10",
        kind: integer(1, 10_000),
        group: Group::Sweep,
        label: "Replications",
        help: "How often each cell is run with other random draws; once where nothing is drawn.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "reference",
        default: "first",
        kind: Kind::Reference,
        group: Group::Sweep,
        label: "Reference",
        help: "The policy from which differences are taken: one of the policies, or first.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "metric",
        kind: Kind::Metric,
        group: Group::Sweep,
        label: "Metric",
        help: "The metric that is shown first.",
        sweep: false,
        ..PLAIN
    },
    Key {
        name: "timed",
        default: "own",
        kind: Kind::Choice {
            choices: Timed::CHOICES,
        },
        group: Group::Sweep,
        label: "Times are over",
        help: "Over which jobs waits, responses and slowdowns are taken: a policy that turns jobs away has it easier with the rest.",
        sweep: false,
        ..PLAIN
    },
];

/// Keys of a link that are no part of the scenario.
pub const RESERVED: [&str; 4] = ["digest", "core", "view", "hide"];

impl Key {
    /// The key of that name.
    pub fn named(name: &str) -> Option<&'static Key> {
        position(name).map(|index| &KEYS[index])
    }
}

/// Where the key of that name stands in the table.
pub(crate) fn position(name: &str) -> Option<usize> {
    KEYS.iter().position(|key| key.name == name)
}

/// The known key that `name` is most likely a misspelling of.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    let name: String = name.chars().take(40).collect();
    KEYS.iter()
        .map(|key| (strsim::osa_distance(&name, key.name), key.name))
        .filter(|&(distance, known)| distance <= 1 + known.len() / 4 && distance < known.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_told_of_and_named_once() {
        for (index, key) in KEYS.iter().enumerate() {
            assert_eq!(position(key.name), Some(index), "{} stands once", key.name);
            assert!(!RESERVED.contains(&key.name));
            assert!(!key.label.is_empty(), "{}", key.name);
            assert!(key.help.ends_with('.'), "{}", key.name);
            assert_eq!(key.kind.canonical(key.default).as_deref(), Ok(key.default));
            for when in key.when {
                let other = Key::named(when.key).expect("the other key exists");
                if let Kind::Choice { choices } = other.kind {
                    let known = |value| choices.iter().any(|choice| choice.value == value);
                    assert!(when.values.iter().copied().all(known), "{}", key.name);
                }
            }
        }
    }

    #[test]
    fn a_misspelt_key_finds_its_neighbour_and_nonsense_none() {
        assert_eq!(nearest("slot"), Some("slots"));
        assert_eq!(nearest("polcy"), Some("policy"));
        assert_eq!(nearest("link_mpbs"), Some("link_mbps"));
        assert_eq!(nearest("K"), None);
        assert_eq!(nearest("frobnicate"), None);
    }
}
