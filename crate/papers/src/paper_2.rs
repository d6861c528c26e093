//! The figures of paper 2 with the claims of its sections 5.3 and 5.4.
//!
//! The programs that generated its workloads are not available. Look-alikes keep what the text
//! states: the number of jobs, the largest size, the mean run times of 2,500 s and 11,250 s, of
//! which it gives 600 s and 360 s as shares, and the number of small jobs of JWorkload. The axes
//! are not stated either; here they are the offered load. For *outperforms* a check requires more
//! than half of the values and no value to the contrary; for *in most cases*, more than half of
//! them.

use super::check::{
    Certain, Check, CurveClaim, Extent, LargerThan, LargestLead, LeadShrinks, Leads, NeverExceeds,
    Of, RelativeLeadAt, Rises, Within,
};
use super::claim::Claim;
use super::figure::{Figure, FigureKind, Paper};
use super::ran::Stated;
use super::sweep::{Ambiguity, Pair, Sweep};
use super::table::{Table, TableColumn, WorkloadSource, printed};

const FCFS: &str = "fcfs+index";
const EASY: &str = "easy+index";
const CMBF: &str = "cmbf+index";
const AMBF: &str = "ambf+index";
const CMCBF: &str = "cmcbf+index";
const AMCBF: &str = "amcbf+index";
const BLIND: &str = "amcbf+index(usage_known=off)";

const POLICIES: Pair = ("policy", "fcfs,easy,cmbf,ambf,cmcbf,amcbf");
const BESIDE_EASY: Pair = ("policy", "amcbf,easy");
const COST: Pair = ("migration_cost_s", "20");
const LOADS: Pair = ("x", "load:0.5:1.1:0.1");
const FEW_JOBS: Pair = ("jobs", "3000");

/// The load, which the discussions do not state.
const LOAD: &[Ambiguity] = &[Ambiguity {
    key: "load",
    values: &["0.9", "0.7", "1.1"],
}];

const F_JOBS: Pair = ("jobs", "20000");
const F_SIZE: Pair = ("size", "harmonic:1.5:5:256");
const F_RUNTIME: Pair = ("runtime", "hyperexponential:0.8:1000:8500:1");

const J_JOBS: Pair = ("jobs", "10000");
const J_SIZE: Pair = ("size", "harmonic:1.5:5:1:0.4:19:0.46:256");
const J_RUNTIME: Pair = ("runtime", "hyperexponential:0.8:4500:38250:1");

macro_rules! on_two_tiers {
    ($($own:expr),+) => {
        &[
            ("system", "nodes"),
            ("nodes", "320"),
            ("tiers", "2"),
            ("bandwidth", "none"),
            ("floor_one", "off"),
            $($own),+
        ]
    };
}

const F: &[Pair] = on_two_tiers!(F_JOBS, F_SIZE, F_RUNTIME, COST, POLICIES, LOADS);
const J: &[Pair] = on_two_tiers!(J_JOBS, J_SIZE, J_RUNTIME, COST, POLICIES, LOADS);

const FIGURE_3: &str = "Jobs that stand in for FWorkload on 320 nodes of two tiers; a migration \
    costs 20 s. EASY is told the true run times, the others none. \
    As the paper defines it, bounded slowdown may be below 1.";
const FIGURE_4: &str = "Jobs that stand in for JWorkload on 320 nodes of two tiers; a migration \
    costs 20 s. EASY is told the true run times, the others none. \
    As the paper defines it, bounded slowdown may be below 1.";
const ACCURACY: &str = "AMCBF is told the CPU usage of each process with an error of up to this share, or \
    none at all, and takes 70 % for every process then. How large errors were is not said, nor at which \
    load. As the paper defines it, bounded slowdown may be below 1.";
const MIGRATION_COST: &str = "AMCBF beside EASY, which migrates nothing, by what a migration costs. The \
    load is not said. As the paper defines it, bounded slowdown may be below 1.";
const USAGE: &str = "AMCBF beside EASY by the mean CPU usage of the processes of parallel jobs, whose distribution \
    reaches as far below the mean as above it. The load is not said. As the paper defines it, bounded \
    slowdown may be below 1.";

/// The paper.
pub(super) const PAPER: Paper = Paper {
    name: "Paper 2",
    title: "Priority-Based Consolidation of Parallel Workloads in the Cloud",
    published: "IEEE Transactions on Parallel and Distributed Systems, 2013",
    called: &[],
    figures: FIGURES,
};

/// Claims on either workload's response time and bounded slowdown; then on one alone.
macro_rules! performance_claims {
    ($($own:expr),*) => {
        &[
            Claim {
                id: "fcfs",
                text: "CMBF and AMBF outperform FCFS by a big margin.",
                check: &Leads {
                    policies: &[CMBF, AMBF],
                    than: &[FCFS],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "easy",
                text: "EASY, which knows the run times, does better than CMBF and AMBF.",
                check: &Leads {
                    policies: &[EASY],
                    than: &[CMBF, AMBF],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "consolidation",
                text: "CMCBF and AMCBF outperform FCFS, CMBF, AMBF and EASY significantly.",
                check: &Leads {
                    policies: &[CMCBF, AMCBF],
                    than: &[FCFS, CMBF, AMBF, EASY],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "relaxed",
                text: "AMBF does better than CMBF.",
                check: &Leads {
                    policies: &[AMBF],
                    than: &[CMBF],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "relaxed-consolidation",
                text: "AMCBF does slightly better than CMCBF.",
                check: &Leads {
                    policies: &[AMCBF],
                    than: &[CMCBF],
                    extent: Extent::Generally,
                },
            },
            $($own),*
        ]
    };
}

/// The most that a foreground job loses to the background.
const FOREGROUND_CLAIM: CurveClaim = Claim {
    id: "foreground",
    text: "No job in the foreground is slowed down by more than 3.7 per cent.",
    check: &Certain {
        check: &NeverExceeds {
            metric: "foreground_loss",
            policies: &[CMCBF, AMCBF],
            factor: 100.0,
            unit: "%",
            above: 3.7,
        },
        because: "What a background process costs the foreground is drawn from 0 to 3.7 per cent.",
    },
};

/// Claims on either workload's migrations; then on one alone.
macro_rules! migration_claims {
    ($($own:expr),*) => {
        &[
            Claim {
                id: "relaxed",
                text: "AMBF migrates significantly fewer jobs than CMBF.",
                check: &Leads {
                    policies: &[AMBF],
                    than: &[CMBF],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "relaxed-consolidation",
                text: "AMCBF migrates slightly fewer jobs than CMCBF.",
                check: &Leads {
                    policies: &[AMCBF],
                    than: &[CMCBF],
                    extent: Extent::Generally,
                },
            },
            $($own),*
        ]
    };
}

/// Claims on either workload's utilisation: at most `$lead` above EASY's, and at saturation by
/// `$share` of it.
macro_rules! utilisation_claims {
    ($lead:literal, $lead_range:expr, $share:literal, $share_range:expr) => {
        &[
            Claim {
                id: "consolidation",
                text: "CMCBF and AMCBF use the nodes better than all others.",
                check: &Leads {
                    policies: &[CMCBF, AMCBF],
                    than: &[FCFS, CMBF, AMBF, EASY],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "easy",
                text: concat!(
                    "Compared with EASY they gain up to ",
                    $lead,
                    " per cent: interpreted as points."
                ),
                check: &LargestLead {
                    policies: &[CMCBF, AMCBF],
                    than: EASY,
                    range: $lead_range,
                },
            },
            Claim {
                id: "saturation",
                text: concat!(
                    "Where the system is saturated they gain ",
                    $share,
                    " per cent: interpreted as a share of EASY's utilisation at the highest load."
                ),
                check: &RelativeLeadAt {
                    policies: &[CMCBF, AMCBF],
                    than: EASY,
                    x: "1.1",
                    range: $share_range,
                },
            },
        ]
    };
}

const ACCURACY_CLAIMS: &[CurveClaim] = &[
    Claim {
        id: "response",
        text: "The less accurate the CPU usage is, the longer the response time of AMCBF.",
        check: &Rises { policies: &[AMCBF] },
    },
    Claim {
        id: "slowdown",
        text: "The less accurate the CPU usage is, the larger the bounded slowdown of AMCBF.",
        check: &Of {
            metric: "bsd_mean",
            check: &Rises { policies: &[AMCBF] },
        },
    },
    Claim {
        id: "blind-response",
        text: "AMCBF has shorter response times than EASY in most cases even without any CPU usage.",
        check: &Leads {
            policies: &[BLIND],
            than: &[EASY],
            extent: Extent::Mostly,
        },
    },
    Claim {
        id: "blind-slowdown",
        text: "AMCBF has smaller bounded slowdowns than EASY in most cases even without any CPU usage.",
        check: &Of {
            metric: "bsd_mean",
            check: &Leads {
                policies: &[BLIND],
                than: &[EASY],
                extent: Extent::Mostly,
            },
        },
    },
];

/// Most cases of section 5.4 are most values of x.
const MOSTLY_BETTER: &dyn Check = &Leads {
    policies: &[AMCBF],
    than: &[EASY],
    extent: Extent::Mostly,
};

macro_rules! migration_cost_claims {
    ($cost:literal) => {
        &[
            Claim {
                id: "degrades",
                text: "The more a migration costs, the longer the response time of AMCBF.",
                check: &Rises { policies: &[AMCBF] },
            },
            Claim {
                id: "response",
                text: concat!(
                    "Up to a cost of ",
                    $cost,
                    " s AMCBF has shorter response times than EASY in most cases."
                ),
                check: &Within {
                    x: ["0", $cost],
                    check: MOSTLY_BETTER,
                },
            },
            Claim {
                id: "slowdown",
                text: concat!(
                    "Up to a cost of ",
                    $cost,
                    " s AMCBF has smaller bounded slowdowns than EASY in most cases."
                ),
                check: &Of {
                    metric: "bsd_mean",
                    check: &Within {
                        x: ["0", $cost],
                        check: MOSTLY_BETTER,
                    },
                },
            },
        ]
    };
}

macro_rules! usage_claims {
    ($words:literal, $last:literal) => {
        &[
            Claim {
                id: "benefit",
                text: "The more CPU the processes use, the smaller AMCBF's lead over EASY.",
                check: &LeadShrinks {
                    policy: AMCBF,
                    than: &[EASY],
                },
            },
            Claim {
                id: "response",
                text: concat!(
                    "AMCBF has shorter response times than EASY in most cases while the mean CPU usage is ",
                    $words,
                    "."
                ),
                check: &Within {
                    x: ["60", $last],
                    check: MOSTLY_BETTER,
                },
            },
            Claim {
                id: "slowdown",
                text: concat!(
                    "AMCBF has smaller bounded slowdowns than EASY in most cases while the mean CPU usage is ",
                    $words,
                    "."
                ),
                check: &Of {
                    metric: "bsd_mean",
                    check: &Within {
                        x: ["60", $last],
                        check: MOSTLY_BETTER,
                    },
                },
            },
        ]
    };
}

/// One of the four measures of Figures 3 and 4.
const fn measured(
    names: [&'static str; 3],
    caption: &'static str,
    pairs: &'static [Pair],
    metric: &'static str,
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        stated: Stated::AsHere,
        ..Sweep::plain([pairs, &[FEW_JOBS]], metric, claims)
    };
    sweep.figure(names, caption)
}

/// A discussion of section 5.4, whose load is ambiguous; `quick` is its x in a quick run.
const fn discussed(
    names: [&'static str; 3],
    caption: &'static str,
    pairs: &'static [Pair],
    quick: &'static [Pair],
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        stated: Stated::AsHere,
        ambiguities: LOAD,
        ..Sweep::plain([pairs, quick], "response_mean", claims)
    };
    sweep.figure(names, caption)
}

const BY_ERROR: Pair = ("x", "usage_error:0,0.1,0.2,0.4");
const BY_ERROR_QUICK: &[Pair] = &[("jobs", "1500"), ("x", "usage_error:0,0.4")];
const TOLD_OR_NOT: Pair = ("policy", "amcbf,amcbf(usage_known=off),easy");
const BY_COST: Pair = ("x", "migration_cost_s:0,20,60,120,240,360,600,900");
const BY_COST_QUICK: &[Pair] = &[("jobs", "1500"), ("x", "migration_cost_s:0,360,600")];
const BY_USAGE: Pair = ("x", "usage_mean:60:100:5");
const BY_USAGE_QUICK: &[Pair] = &[("jobs", "1500"), ("x", "usage_mean:60,80,90,100")];

const RUN_TIMES: &str = "The distribution of run times is chosen so that this is its mean.";
const SIZES: &str = "The distribution of sizes is chosen so that this is its share.";

/// The workloads in numbers, then every figure and discussion in the order of the paper.
const FIGURES: &[Figure] = &[
    Figure {
        id: "p2-workloads",
        place: "Sections 5.2 to 5.4",
        title: "The workloads in numbers",
        caption: "Jobs whose sizes have weights n^−1.5, five times that for powers of two, and whose run \
                  times are hyperexponential, stand in for those of two models whose programs are not to \
                  be had.",
        kind: FigureKind::Table(Table {
            workloads: &[
                WorkloadSource::Laws {
                    title: "FWorkload",
                    pairs: &[F_JOBS, F_SIZE, F_RUNTIME],
                },
                WorkloadSource::Laws {
                    title: "JWorkload",
                    pairs: &[J_JOBS, J_SIZE, J_RUNTIME],
                },
            ],
            columns: &[
                TableColumn::Runtime,
                TableColumn::Jobs,
                TableColumn::LargestSize,
                TableColumn::Single,
                TableColumn::Small,
            ],
            claims: &[
                printed(
                    "f-runtime",
                    "600 s are 24 per cent of FWorkload's mean run time, which is 41.7 min then.",
                    "FWorkload",
                    TableColumn::Runtime,
                    2500.0 / 60.0,
                    0.87,
                )
                .by_construction(RUN_TIMES),
                printed(
                    "j-runtime",
                    "360 s are 3.2 per cent of JWorkload's mean run time, which is 187.5 min then.",
                    "JWorkload",
                    TableColumn::Runtime,
                    11_250.0 / 60.0,
                    2.93,
                )
                .by_construction(RUN_TIMES),
                printed(
                    "j-single",
                    "About 40 per cent of JWorkload's jobs have one process.",
                    "JWorkload",
                    TableColumn::Single,
                    40.0,
                    0.5,
                )
                .by_construction(SIZES),
                printed(
                    "j-small",
                    "About 86 per cent of JWorkload's jobs have less than 20 processes.",
                    "JWorkload",
                    TableColumn::Small,
                    86.0,
                    0.5,
                )
                .by_construction(SIZES),
            ],
        }),
    },
    measured(
        [
            "p2-fig3-response",
            "Figure 3, response time",
            "Response time (rpt) by load, FWorkload",
        ],
        FIGURE_3,
        F,
        "response_mean",
        performance_claims!(FOREGROUND_CLAIM),
    ),
    measured(
        [
            "p2-fig3-slowdown",
            "Figure 3, bounded slowdown",
            "Bounded slowdown by load, FWorkload",
        ],
        FIGURE_3,
        F,
        "bsd_mean",
        performance_claims!(),
    ),
    measured(
        [
            "p2-fig3-migrations",
            "Figure 3, migrations",
            "Migrations per job by load, FWorkload",
        ],
        FIGURE_3,
        F,
        "migrations_per_job",
        migration_claims!(),
    ),
    measured(
        [
            "p2-fig3-utilisation",
            "Figure 3, utilisation",
            "CPU in use by load, FWorkload",
        ],
        FIGURE_3,
        F,
        "cpu_utilisation",
        utilisation_claims!("2.4", [0.0235, 0.0245], "11", [10.5, 11.5]),
    ),
    measured(
        [
            "p2-fig4-response",
            "Figure 4, response time",
            "Response time (rpt) by load, JWorkload",
        ],
        FIGURE_4,
        J,
        "response_mean",
        performance_claims!(FOREGROUND_CLAIM),
    ),
    measured(
        [
            "p2-fig4-slowdown",
            "Figure 4, bounded slowdown",
            "Bounded slowdown by load, JWorkload",
        ],
        FIGURE_4,
        J,
        "bsd_mean",
        performance_claims!(),
    ),
    measured(
        [
            "p2-fig4-migrations",
            "Figure 4, migrations",
            "Migrations per job by load, JWorkload",
        ],
        FIGURE_4,
        J,
        "migrations_per_job",
        migration_claims!(
            Claim {
                id: "cmbf",
                text: "CMBF migrates more jobs than CMCBF and AMCBF: interpreted as all migrations.",
                check: &Leads {
                    policies: &[CMCBF, AMCBF],
                    than: &[CMBF],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "cmbf-foreground",
                text: "CMBF migrates more jobs than CMCBF and AMCBF: interpreted as those suspended in the \
                       foreground.",
                check: &Of {
                    metric: "preemptions_per_job",
                    check: &Leads {
                        policies: &[CMCBF, AMCBF],
                        than: &[CMBF],
                        extent: Extent::Generally,
                    },
                },
            },
            Claim {
                id: "more-than-f",
                text: "At the same load more jobs migrate for JWorkload than for FWorkload.",
                check: &LargerThan {
                    beside: "p2-fig3-migrations",
                    policies: &[CMBF, AMBF, CMCBF, AMCBF],
                },
            }
        ),
    ),
    measured(
        [
            "p2-fig4-utilisation",
            "Figure 4, utilisation",
            "CPU in use by load, JWorkload",
        ],
        FIGURE_4,
        J,
        "cpu_utilisation",
        utilisation_claims!("3.1", [0.0305, 0.0315], "16", [15.5, 16.5]),
    ),
    discussed(
        [
            "p2-accuracy-f",
            "Section 5.4, point 1, FWorkload",
            "Response time by the error of CPU usage, FWorkload",
        ],
        ACCURACY,
        on_two_tiers!(F_JOBS, F_SIZE, F_RUNTIME, COST, TOLD_OR_NOT, BY_ERROR),
        BY_ERROR_QUICK,
        ACCURACY_CLAIMS,
    ),
    discussed(
        [
            "p2-accuracy-j",
            "Section 5.4, point 1, JWorkload",
            "Response time by the error of CPU usage, JWorkload",
        ],
        ACCURACY,
        on_two_tiers!(J_JOBS, J_SIZE, J_RUNTIME, COST, TOLD_OR_NOT, BY_ERROR),
        BY_ERROR_QUICK,
        ACCURACY_CLAIMS,
    ),
    discussed(
        [
            "p2-cost-f",
            "Section 5.4, point 2, FWorkload",
            "Response time by migration cost, FWorkload",
        ],
        MIGRATION_COST,
        on_two_tiers!(F_JOBS, F_SIZE, F_RUNTIME, BESIDE_EASY, BY_COST),
        BY_COST_QUICK,
        migration_cost_claims!("600"),
    ),
    discussed(
        [
            "p2-cost-j",
            "Section 5.4, point 2, JWorkload",
            "Response time by migration cost, JWorkload",
        ],
        MIGRATION_COST,
        on_two_tiers!(J_JOBS, J_SIZE, J_RUNTIME, BESIDE_EASY, BY_COST),
        BY_COST_QUICK,
        migration_cost_claims!("360"),
    ),
    discussed(
        [
            "p2-usage-f",
            "Section 5.4, point 3, FWorkload",
            "Response time by mean CPU usage, FWorkload",
        ],
        USAGE,
        on_two_tiers!(F_JOBS, F_SIZE, F_RUNTIME, COST, BESIDE_EASY, BY_USAGE),
        BY_USAGE_QUICK,
        usage_claims!("below 95 per cent", "90"),
    ),
    discussed(
        [
            "p2-usage-j",
            "Section 5.4, point 3, JWorkload",
            "Response time by mean CPU usage, JWorkload",
        ],
        USAGE,
        on_two_tiers!(J_JOBS, J_SIZE, J_RUNTIME, COST, BESIDE_EASY, BY_USAGE),
        BY_USAGE_QUICK,
        usage_claims!("at most about 80 per cent", "80"),
    ),
];
