//! The gain of topology-aware placement: response times and work dilation of Slurm's placements,
//! first fit and AdaBa on trees of switches, for two logs and for generated jobs.
//!
//! The question is the project's own, and so are the statements judged here. The interpretations
//! are the trees: even and uneven racks, uplinks that carry a quarter of what is below and uplinks
//! that carry all of it. The fourth of them is beyond the question, and makes them every
//! combination of two keys.
//!
//! Nothing is guaranteed, so that a placement decides only which links jobs share. Where uplinks
//! carry all that is below and nothing is shared, placements on whole nodes differ in no time: the
//! statements on gains are then refuted by ties.

use super::check::{
    Certain, CurveClaim, Extent, LeadGrows, Leads, NeverExceeds, RelativeLeadAt, Same, Within,
};
use super::claim::Claim;
use super::figure::{Figure, Paper};
use super::sweep::{Ambiguity, Log, Pair, Sweep};
use super::{paper_1, paper_4};

const LINEAR: &str = "easy+slurm-linear";
const TREE: &str = "easy+slurm-tree";
const FIRST_FIT: &str = "easy+first-fit";
const ADABA: &str = "easy+adaba";

/// The report.
pub(super) const REPORT: Paper = Paper {
    name: "Report 2",
    title: "What does topology-aware placement gain?",
    published: "Asked and answered here: no paper has these figures",
    called: &[],
    figures: FIGURES,
};

/// The first jobs of RICC, none of which is larger than the trees.
static RICC: Log = Log {
    first: "1000",
    look_alike: &[
        ("jobs", "1000"),
        ("runtime", "exponential:73552"),
        ("size", "exponential:65"),
    ],
    ..paper_4::RICC
};

/// The tree placement leads the linear one at one value of the communicating share.
macro_rules! leads_at {
    ($id:literal, $x:literal, $percent:literal, $text:literal) => {
        Claim {
            id: $id,
            text: concat!(
                "If jobs communicate for ",
                $percent,
                " % of their run time, ",
                $text
            ),
            check: &Within {
                x: [$x, $x],
                check: &Leads {
                    policies: &[TREE],
                    than: &[LINEAR],
                    extent: Extent::Always,
                },
            },
        }
    };
}

/// The tree placement shortens response times of the linear one by a tenth or more.
macro_rules! tenth_at {
    ($id:literal, $x:literal, $percent:literal) => {
        Claim {
            id: $id,
            text: concat!(
                "If jobs communicate for ",
                $percent,
                " % of their run time, slurm-tree shortens the mean response times of slurm-linear by 10 % or more."
            ),
            check: &RelativeLeadAt {
                policies: &[TREE],
                than: LINEAR,
                x: $x,
                range: [10.0, 100.0],
            },
        }
    };
}

/// A policy leads another at every value of the communicating share.
macro_rules! leads {
    ($id:literal, $text:literal, $policy:ident, $than:ident) => {
        Claim {
            id: $id,
            text: $text,
            check: &Leads {
                policies: &[$policy],
                than: &[$than],
                extent: Extent::Always,
            },
        }
    };
}

const RESPONSE_CLAIMS: &[CurveClaim] = &[
    leads_at!(
        "tree-at-25",
        "0.25",
        "25",
        "mean response times are shorter with slurm-tree than with slurm-linear."
    ),
    leads_at!(
        "tree-at-50",
        "0.5",
        "50",
        "mean response times are shorter with slurm-tree than with slurm-linear."
    ),
    leads_at!(
        "tree-at-100",
        "1",
        "100",
        "mean response times are shorter with slurm-tree than with slurm-linear."
    ),
    tenth_at!("tenth-at-25", "0.25", "25"),
    tenth_at!("tenth-at-50", "0.5", "50"),
    tenth_at!("tenth-at-100", "1", "100"),
    Claim {
        id: "grows",
        text: "The more jobs communicate, the more slurm-tree shortens the mean response times of slurm-linear.",
        check: &LeadGrows {
            policy: TREE,
            than: &[LINEAR],
        },
    },
    leads!(
        "first-fit",
        "Mean response times are always shorter with first fit in the lowest subtree than with slurm-linear.",
        FIRST_FIT,
        LINEAR
    ),
    leads!(
        "tree-over-first-fit",
        "Mean response times are always shorter with slurm-tree than with first fit in the lowest subtree.",
        TREE,
        FIRST_FIT
    ),
    Claim {
        id: "adaba",
        text: "Where nothing is guaranteed, AdaBa has the mean response times of first fit.",
        check: &Certain {
            check: &Same {
                policy: ADABA,
                than: FIRST_FIT,
            },
            because: "AdaBa orders nodes by what of the bandwidth is guaranteed, which is nothing: all weigh the same.",
        },
    },
];

const DILATION_CLAIMS: &[CurveClaim] = &[
    Claim {
        id: "none",
        text: "No job is slowed down, whatever the placement.",
        check: &NeverExceeds {
            metric: "stretch_max",
            policies: &[LINEAR, TREE, FIRST_FIT, ADABA],
            factor: 1.0,
            unit: "",
            above: 1.0,
        },
    },
    leads_at!(
        "tree-at-25",
        "0.25",
        "25",
        "slurm-tree slows them down less than slurm-linear on average."
    ),
    leads_at!(
        "tree-at-50",
        "0.5",
        "50",
        "slurm-tree slows them down less than slurm-linear on average."
    ),
    leads_at!(
        "tree-at-100",
        "1",
        "100",
        "slurm-tree slows them down less than slurm-linear on average."
    ),
    leads!(
        "first-fit",
        "First fit in the lowest subtree always slows jobs down less than slurm-linear on average.",
        FIRST_FIT,
        LINEAR
    ),
    leads!(
        "tree-over-first-fit",
        "Slurm-tree always slows jobs down less than first fit in the lowest subtree on average.",
        TREE,
        FIRST_FIT
    ),
];

/// Two islands of three racks, 96 nodes in all.
const TREES: &[Ambiguity] = &[
    Ambiguity {
        key: "tree",
        values: &["((16,16,16),(16,16,16))", "((18,18,12),(18,18,12))"],
    },
    Ambiguity {
        key: "oversubscription",
        values: &["4", "1"],
    },
];

const SYSTEM: Pair = ("system", "tree");
const NOTHING_GUARANTEED: Pair = ("guarantee", "0");
const LOAD: Pair = ("load", "0.7");
const PLACEMENTS: Pair = (
    "policy",
    "easy+slurm-linear,easy+slurm-tree,easy+first-fit,easy+adaba",
);
const COMMUNICATION: Pair = ("x", "communication:0.25,0.5,1");
const SHAKE: Pair = ("shake_s", "60");

const GENERATED: &[Pair] = &[
    SYSTEM,
    NOTHING_GUARANTEED,
    LOAD,
    PLACEMENTS,
    COMMUNICATION,
    ("jobs", "1000"),
];
const ON_NODES: &[Pair] = &[
    SYSTEM,
    NOTHING_GUARANTEED,
    LOAD,
    PLACEMENTS,
    COMMUNICATION,
    SHAKE,
];
/// A node of eight cores asks for as much as elsewhere a node of one.
const ON_CORES: &[Pair] = &[
    SYSTEM,
    NOTHING_GUARANTEED,
    LOAD,
    PLACEMENTS,
    COMMUNICATION,
    SHAKE,
    ("node_slots", "8"),
    ("bandwidth_mbps", "31.25"),
];

macro_rules! caption {
    ($jobs:literal) => {
        concat!(
            $jobs,
            " EASY at load 0.7 with four placements on 96 nodes in two islands of three racks, even or uneven, whose \
             uplinks carry all that is below or, oversubscribed, a quarter at each of two levels. Links of nodes have \
             1 Gbit/s, and a node asks for 250 Mbit/s on average. Nothing is guaranteed: on full links jobs slow one \
             another down by as much as they communicate. That several placements are compared is not corrected for."
        )
    };
}

const OF_NODES: &str = caption!(
    "Jobs of a log that ask for nodes, submit times moved by up to a minute: intervals are over such moves and the \
     bandwidths of one sequence of jobs."
);
const OF_CORES: &str = caption!(
    "Jobs of a log that ask for cores, of which a node has 8, submit times moved by up to a minute: intervals are over \
     such moves and the bandwidths of one sequence of jobs. Placements of Slurm take whole nodes, so that small jobs \
     leave cores idle; first fit and AdaBa take cores."
);
const OF_GENERATED: &str = caption!(
    "Generated jobs of up to 15 nodes, fewer than a rack of 16 has, that arrive at random."
);

/// The jobs of figures: their keys, log and caption.
struct Workload {
    pairs: &'static [Pair],
    log: Option<&'static Log>,
    caption: &'static str,
}

const KTH_JOBS: Workload = Workload {
    pairs: ON_NODES,
    log: Some(&paper_1::KTH),
    caption: OF_NODES,
};
const RICC_JOBS: Workload = Workload {
    pairs: ON_CORES,
    log: Some(&RICC),
    caption: OF_CORES,
};
const GENERATED_JOBS: Workload = Workload {
    pairs: GENERATED,
    log: None,
    caption: OF_GENERATED,
};

/// Mean response times by communicating share and placement.
const fn response([id, place]: [&'static str; 2], jobs: &Workload) -> Figure {
    let title = "Response time by communication and placement";
    figure([id, place, title], jobs, "response_mean", RESPONSE_CLAIMS)
}

/// Mean work dilation by communicating share and placement.
const fn dilation([id, place]: [&'static str; 2], jobs: &Workload) -> Figure {
    let title = "Work dilation by communication and placement";
    figure([id, place, title], jobs, "stretch_mean", DILATION_CLAIMS)
}

const fn figure(
    names: [&'static str; 3],
    jobs: &Workload,
    metric: &'static str,
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        log: jobs.log,
        ambiguities: TREES,
        ..Sweep::plain([jobs.pairs, &[]], metric, claims)
    };
    sweep.figure(names, jobs.caption)
}

const FIGURES: &[Figure] = &[
    response(["r2-kth", "KTH-SP2, response"], &KTH_JOBS),
    dilation(["r2-kth-dilation", "KTH-SP2, dilation"], &KTH_JOBS),
    response(["r2-ricc", "RICC, response"], &RICC_JOBS),
    dilation(["r2-ricc-dilation", "RICC, dilation"], &RICC_JOBS),
    response(
        ["r2-generated", "Generated jobs, response"],
        &GENERATED_JOBS,
    ),
    dilation(
        ["r2-generated-dilation", "Generated jobs, dilation"],
        &GENERATED_JOBS,
    ),
];
