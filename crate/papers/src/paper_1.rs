//! The figures and the table of paper 1 with the claims of its section 5.
//!
//! For *always* a check requires every difference to be in favour; for *most cases* more than half
//! of the values; otherwise more than half and no value to the contrary. Its 15 per cent are
//! interpreted as points of accept rate, against each competitor in turn, as it names none.

use super::check::{
    Close, CurveClaim, Extent, Falls, GainLargerThan, LargerThan, LeadAt, LeadBelow, LeadGrows,
    Leads, NeverWorse, Peak,
};
use super::claim::Claim;
use super::figure::{Figure, FigureKind, Paper};
use super::ran::Stated;
use super::step::{self, Step};
use super::sweep::{Ambiguity, Log, Pair, Sweep};
use super::table::{Table, TableColumn, WorkloadSource, printed};
use super::weights::{self, Weights};
use backfill_sim::system::fat_tree::place::TreePlacement;

const ADABA: &str = "none+adaba";
const OKTOPUS: &str = "none+oktopus";
const GREEDY: &str = "none+greedy";
const BEST_FIT: &str = "none+best-fit";
const FCFS: &str = "fcfs+adaba";
const SBF: &str = "sbf+adaba";
const SDF: &str = "sdf+adaba";
const BGMBF: &str = "bgmbf+adaba";
const BGMBF_SDF: &str = "bgmbf-sdf+adaba";

const OTHERS: &[&str] = &[OKTOPUS, GREEDY, BEST_FIT];

const PLACEMENTS: Pair = (
    "policy",
    "none+adaba,none+oktopus,none+greedy,none+best-fit",
);
const QUEUES: Pair = (
    "policy",
    "fcfs+adaba,sbf+adaba,sdf+adaba,bgmbf+adaba,bgmbf-sdf+adaba",
);
const MIGRATING: Pair = ("policy", "bgmbf+adaba,bgmbf-sdf+adaba");
const LOADS: Pair = ("x", "load:0.1:1:0.1");
/// Eq. 2 does not prevent a bounded slowdown below 1 for a short job.
const NO_FLOOR: Pair = ("floor_one", "off");

/// The log of KTH-SP2.
pub(super) static KTH: Log = Log {
    title: "KTH-SP2",
    file: "KTH-SP2-1996-2.1-cln.swf.gz",
    sha256: "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
    first: "1000",
    look_alike: &[
        ("jobs", "1000"),
        ("runtime", "exponential:4344"),
        ("size", "exponential:10"),
    ],
};

/// The log of NASA-iPSC.
pub(super) static NASA: Log = Log {
    title: "NASA-iPSC",
    file: "NASA-iPSC-1993-3.1-cln.swf.gz",
    sha256: "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
    first: "1000",
    look_alike: &[
        ("jobs", "1000"),
        ("runtime", "exponential:624"),
        ("size", "pow2:128"),
    ],
};

const FABRIC: Ambiguity = Ambiguity {
    key: "fabric",
    values: &["aggregated", "single-root"],
};
const RESERVATION: Ambiguity = Ambiguity {
    key: "reservation",
    values: &["hose", "literal"],
};
const SIZE: Ambiguity = Ambiguity {
    key: "size",
    values: &["uniform:1:15", "exponential:8", "pow2:16"],
};
const HIDE_AWARE: Ambiguity = Ambiguity {
    key: "hide_aware",
    values: &["on", "off"],
};
const PREEMPT: Ambiguity = Ambiguity {
    key: "preempt",
    values: &["all", "conflicting"],
};
const PROMOTE: Ambiguity = Ambiguity {
    key: "promote",
    values: &["on", "off"],
};

const QUEUE_AMBIGUITIES: &[Ambiguity] = &[FABRIC, PREEMPT, PROMOTE];

const FIGURE_5: &str = "Jobs of a log, submit times scaled to a load, without a \
    queue: a job that cannot be placed on arrival is rejected. Bandwidth is drawn, 250 Mbit/s on \
    average.";

macro_rules! lead_claim {
    ($id:literal, $text:literal, $than:ident $(,)?) => {
        Claim {
            id: $id,
            text: $text,
            check: &LeadAt {
                policy: ADABA,
                than: $than,
                x: "700",
                // The numbers that round to 15 %.
                range: [0.145, 0.155],
            },
        }
    };
}

const FIGURES_6_TO_8: &str = "Jobs of a log, submit times scaled to a load, under \
    five scheduling policies, all with AdaBa. Bandwidth is drawn, 250 Mbit/s on average; a \
    migration costs no time. As in Eq. 2, bounded slowdown may be below 1.";

/// The paper.
pub(super) const PAPER: Paper = Paper {
    name: "Paper 1",
    title: "Bandwidth-Guaranteed Resource Allocation and Scheduling for Parallel Jobs in Cloud Data \
            Center",
    published: "Symmetry 10(5), 2018",
    called: &[],
    figures: FIGURES,
};

/// Claims on either half of Figure 5.
const ACCEPT_RATE_CLAIMS: &[CurveClaim] = &[
    Claim {
        id: "best",
        text: "AdaBa accepts more jobs than all others under most loads.",
        check: &Leads {
            policies: &[ADABA],
            than: OTHERS,
            extent: Extent::Mostly,
        },
    },
    Claim {
        id: "lead-grows",
        text: "AdaBa's lead over each of the others grows with the load.",
        check: &LeadGrows {
            policy: ADABA,
            than: OTHERS,
        },
    },
    Claim {
        id: "modest",
        text: "At a mean bandwidth of 250 Mbit/s the lead stays modest: below the 15 per cent of Figure 4.",
        check: &LeadBelow {
            policy: ADABA,
            than: OTHERS,
            limit: 0.15,
        },
    },
];

/// Claims on either half of Figures 6 and 7, then on that one alone.
macro_rules! queue_claims {
    ($($own:expr),*) => {
        &[
            Claim {
                id: "backfilling",
                text: "BgMBF and BgMBF-SDF do much better than FCFS and SBF.",
                check: &Leads {
                    policies: &[BGMBF, BGMBF_SDF],
                    than: &[FCFS, SBF],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "close",
                text: "The differences among BgMBF-SDF, SDF and BgMBF are relatively small.",
                check: &Close {
                    policies: &[BGMBF_SDF, SDF, BGMBF],
                    reference: FCFS,
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "sdf-helps",
                text: "BgMBF-SDF always does better than BgMBF.",
                check: &Leads {
                    policies: &[BGMBF_SDF],
                    than: &[BGMBF],
                    extent: Extent::Always,
                },
            },
            Claim {
                id: "sbf",
                text: "SBF does no better than FCFS.",
                check: &NeverWorse {
                    policy: FCFS,
                    than: SBF,
                },
            },
            $($own),*
        ]
    };
}

/// Claims on either half of Figure 8: `$own` on that one alone, at most `$most`.
macro_rules! migration_claims {
    ($own:expr, $most:literal, $range:expr) => {
        &[
            Claim {
                id: "mostly-fewer",
                text: "BgMBF-SDF migrates fewer jobs than BgMBF in most cases.",
                check: &Leads {
                    policies: &[BGMBF_SDF],
                    than: &[BGMBF],
                    extent: Extent::Mostly,
                },
            },
            $own,
            Claim {
                id: "most",
                text: concat!("At most ", $most, " jobs migrate: interpreted as the greatest mean, within a fifth."),
                check: &Peak {
                    metric: "migrations",
                    policies: &[BGMBF, BGMBF_SDF],
                    factor: 1.0,
                    unit: "migrations",
                    range: $range,
                },
            },
            Claim {
                id: "cost",
                text: "At 20 s each all migrations together cost some 1,000 s: interpreted as 1,000 to 10,000 s.",
                check: &Peak {
                    metric: "migrations",
                    policies: &[BGMBF, BGMBF_SDF],
                    factor: 20.0,
                    unit: "s",
                    range: [1e3, 1e4],
                },
            },
            Claim {
                id: "wait",
                text: "That is far less than the mean wait time (rpt), some 10,000 s: interpreted as 10,000 to \
                       100,000 s.",
                check: &Peak {
                    metric: "wait_mean",
                    policies: &[BGMBF, BGMBF_SDF],
                    factor: 1.0,
                    unit: "s",
                    range: [1e4, 1e5],
                },
            },
        ]
    };
}

/// A figure of scheduling policies by load on the jobs of a log, on an even or a logarithmic scale.
const fn of_queues(
    names: [&'static str; 3],
    pairs: &'static [Pair],
    log: &'static Log,
    (metric, logarithmic): (&'static str, bool),
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        stated: Stated::AsHere,
        log: Some(log),
        logarithmic,
        ambiguities: QUEUE_AMBIGUITIES,
        ..Sweep::plain([pairs, &[]], metric, claims)
    };
    sweep.figure(names, FIGURES_6_TO_8)
}

/// Every figure and table, in the order of the paper.
const FIGURES: &[Figure] = &[
    Figure {
        id: "fig2",
        place: "Figure 2",
        title: "The weight of a server under different bandwidth requests",
        caption: "AdaBa's weight of a server by its free slots, one curve for each bandwidth asked \
                  for; the largest bandwidth seen is 800 Mbit/s, a server has 8 slots.",
        kind: FigureKind::Weights(Weights {
            slots: 8,
            largest_mbps: 800,
            bandwidths_mbps: &[10, 110, 210, 310, 410, 510, 610, 710],
            claims: &[
                Claim {
                    id: "small",
                    text: "For a small bandwidth, 10 or 110 Mbit/s, a server with one free slot \
                           weighs most.",
                    check: weights::WeightCheck::PeaksAt {
                        bandwidths_mbps: &[10, 110],
                        free: 1,
                    },
                },
                Claim {
                    id: "moves",
                    text: "As the bandwidth grows, the number of free slots that weighs most grows \
                           with it, up to 7 or 8.",
                    check: weights::WeightCheck::PeakMovesTo { free: [7, 8] },
                },
            ],
        }),
    },
    Figure {
        id: "fig3",
        place: "Figure 3",
        title: "One request, and what it leaves for the next ones",
        caption: "Six servers of two slots under one switch, every second one half in use. A request \
                  of 3 machines with 10 Mbit/s is placed, then three of 2 machines with 60 Mbit/s \
                  arrive. The paper prints no numbers for the state before; this one fits all it says.",
        kind: FigureKind::Step(Step {
            first: (3, 10),
            following: (2, 60),
            count: 3,
            placements: &[
                TreePlacement::Adaba,
                TreePlacement::BestFit,
                TreePlacement::Greedy,
                TreePlacement::FirstFit,
            ],
            claims: &[
                Claim {
                    id: "idle-three",
                    text: "AdaBa and best fit leave three servers idle.",
                    check: step::StepCheck::Idle {
                        placements: &[TreePlacement::Adaba, TreePlacement::BestFit],
                        servers: 3,
                    },
                },
                Claim {
                    id: "idle-one",
                    text: "Greedy leaves only one server idle.",
                    check: step::StepCheck::Idle {
                        placements: &[TreePlacement::Greedy],
                        servers: 1,
                    },
                },
                Claim {
                    id: "idle-two",
                    text: "First fit leaves two servers idle.",
                    check: step::StepCheck::Idle {
                        placements: &[TreePlacement::FirstFit],
                        servers: 2,
                    },
                },
                Claim {
                    id: "following",
                    text: "Only AdaBa and best fit accept all three following requests at once.",
                    check: step::StepCheck::AcceptsAll {
                        placements: &[TreePlacement::Adaba, TreePlacement::BestFit],
                    },
                },
            ],
        }),
    },
    Figure {
        id: "table1",
        place: "Table 1",
        title: "The workloads of the trace-driven experiments",
        caption: "The first jobs of two logs, and the bandwidth drawn for them.",
        kind: FigureKind::Table(Table {
            workloads: &[WorkloadSource::Log(&KTH), WorkloadSource::Log(&NASA)],
            columns: &[
                TableColumn::Runtime,
                TableColumn::Jobs,
                TableColumn::Bandwidth,
                TableColumn::LargestSize,
            ],
            claims: &[
                printed(
                    "kth-runtime",
                    "KTH-SP2: mean runtime 72.4 min.",
                    "KTH-SP2",
                    TableColumn::Runtime,
                    72.4,
                    0.05,
                ),
                printed(
                    "kth-jobs",
                    "KTH-SP2: 1000 jobs.",
                    "KTH-SP2",
                    TableColumn::Jobs,
                    1000.0,
                    0.0,
                )
                .by_construction("So many jobs are taken from the log."),
                printed(
                    "kth-bandwidth",
                    "KTH-SP2: mean bandwidth 251 Mbit/s.",
                    "KTH-SP2",
                    TableColumn::Bandwidth,
                    251.0,
                    CHANCE,
                ),
                printed(
                    "kth-size",
                    "KTH-SP2: the largest job asks for 100 nodes.",
                    "KTH-SP2",
                    TableColumn::LargestSize,
                    100.0,
                    0.0,
                ),
                printed(
                    "nasa-runtime",
                    "NASA-iPSC: mean runtime 10.4 min.",
                    "NASA-iPSC",
                    TableColumn::Runtime,
                    10.4,
                    0.05,
                ),
                printed(
                    "nasa-jobs",
                    "NASA-iPSC: 1000 jobs.",
                    "NASA-iPSC",
                    TableColumn::Jobs,
                    1000.0,
                    0.0,
                )
                .by_construction("So many jobs are taken from the log."),
                printed(
                    "nasa-bandwidth",
                    "NASA-iPSC: mean bandwidth 247 Mbit/s.",
                    "NASA-iPSC",
                    TableColumn::Bandwidth,
                    247.0,
                    CHANCE,
                ),
                printed(
                    "nasa-size",
                    "NASA-iPSC: the largest job asks for 128 nodes.",
                    "NASA-iPSC",
                    TableColumn::LargestSize,
                    128.0,
                    0.0,
                ),
            ],
        }),
    },
    Figure {
        id: "fig4",
        place: "Figure 4",
        title: "Accept rate by mean bandwidth, random jobs",
        caption: "Random jobs of 8 machines on average at load 0.5, without a queue: a job that \
                  cannot be placed on arrival is rejected. The distributions of sizes and runtimes are not \
                  stated, nor is the fabric, nor what a job reserves on a link that several of its \
                  servers share, nor whether the other placements count traffic inside a server as \
                  free.",
        kind: FigureKind::Sweep(Sweep {
            pairs: &[
                PLACEMENTS,
                ("x", "bandwidth_mbps:50,150,250,350,450,550,700"),
                ("jobs", "1000"),
                ("load", "0.5"),
                ("runtime", "exponential:3600"),
            ],
            quick: &[],
            stated: Stated::Unstated,
            log: None,
            metric: "accept_rate",
            logarithmic: false,
            ambiguities: &[FABRIC, RESERVATION, SIZE, HIDE_AWARE],
            claims: &[
                Claim {
                    id: "best",
                    text: "AdaBa always accepts more jobs than all others.",
                    check: &Leads {
                        policies: &[ADABA],
                        than: OTHERS,
                        extent: Extent::Always,
                    },
                },
                Claim {
                    id: "lead-grows",
                    text: "AdaBa's lead over each of the others grows with the bandwidth: its accept \
                           rate falls more slowly.",
                    check: &LeadGrows {
                        policy: ADABA,
                        than: OTHERS,
                    },
                },
                lead_claim!(
                    "lead-oktopus",
                    "At 700 Mbit/s AdaBa leads by up to 15 per cent: read against Oktopus.",
                    OKTOPUS,
                ),
                lead_claim!(
                    "lead-greedy",
                    "At 700 Mbit/s AdaBa leads by up to 15 per cent: read against greedy.",
                    GREEDY,
                ),
                lead_claim!(
                    "lead-best-fit",
                    "At 700 Mbit/s AdaBa leads by up to 15 per cent: read against best fit.",
                    BEST_FIT,
                ),
                Claim {
                    id: "best-fit",
                    text: "Best fit accepts more than Oktopus and greedy in most cases.",
                    check: &Leads {
                        policies: &[BEST_FIT],
                        than: &[OKTOPUS, GREEDY],
                        extent: Extent::Mostly,
                    },
                },
                Claim {
                    id: "falls",
                    text: "The accept rate falls as the bandwidth grows.",
                    check: &Falls {
                        policies: &[ADABA, OKTOPUS, GREEDY, BEST_FIT],
                    },
                },
            ],
        }),
    },
    Figure {
        id: "fig5a",
        place: "Figure 5a",
        title: "Accept rate by load, KTH-SP2",
        caption: FIGURE_5,
        kind: FigureKind::Sweep(Sweep {
            pairs: &[PLACEMENTS, LOADS],
            quick: &[],
            stated: Stated::AsHere,
            log: Some(&KTH),
            metric: "accept_rate",
            logarithmic: false,
            ambiguities: &[FABRIC, RESERVATION, HIDE_AWARE],
            claims: ACCEPT_RATE_CLAIMS,
        }),
    },
    Figure {
        id: "fig5b",
        place: "Figure 5b",
        title: "Accept rate by load, NASA-iPSC",
        caption: FIGURE_5,
        kind: FigureKind::Sweep(Sweep {
            pairs: &[PLACEMENTS, LOADS],
            quick: &[],
            stated: Stated::AsHere,
            log: Some(&NASA),
            metric: "accept_rate",
            logarithmic: false,
            ambiguities: &[FABRIC, RESERVATION, HIDE_AWARE],
            claims: ACCEPT_RATE_CLAIMS,
        }),
    },
    of_queues(
        ["fig6a", "Figure 6a", "Wait time (rpt) by load, KTH-SP2"],
        &[QUEUES, LOADS, NO_FLOOR],
        &KTH,
        ("wait_mean", false),
        queue_claims!(Claim {
            id: "sdf",
            text: "For KTH-SP2, SDF does worst of SDF, BgMBF and BgMBF-SDF.",
            check: &Leads {
                policies: &[BGMBF, BGMBF_SDF],
                than: &[SDF],
                extent: Extent::Generally,
            },
        }),
    ),
    of_queues(
        ["fig6b", "Figure 6b", "Wait time (rpt) by load, NASA-iPSC"],
        &[QUEUES, LOADS, NO_FLOOR],
        &NASA,
        ("wait_mean", false),
        queue_claims!(
            Claim {
                id: "sdf",
                text: "For NASA-iPSC, SDF does best of SDF, BgMBF and BgMBF-SDF.",
                check: &Leads {
                    policies: &[SDF],
                    than: &[BGMBF, BGMBF_SDF],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "gain",
                text: "BgMBF-SDF gains more over BgMBF for NASA-iPSC than for KTH-SP2.",
                check: &GainLargerThan {
                    beside: "fig6a",
                    policy: BGMBF_SDF,
                    than: BGMBF,
                },
            }
        ),
    ),
    of_queues(
        ["fig7a", "Figure 7a", "Bounded slowdown by load, KTH-SP2"],
        &[QUEUES, LOADS, NO_FLOOR],
        &KTH,
        ("bsd_mean", true),
        queue_claims!(),
    ),
    of_queues(
        ["fig7b", "Figure 7b", "Bounded slowdown by load, NASA-iPSC"],
        &[QUEUES, LOADS, NO_FLOOR],
        &NASA,
        ("bsd_mean", true),
        queue_claims!(),
    ),
    of_queues(
        [
            "fig8a",
            "Figure 8a",
            "Number of migrations by load, KTH-SP2",
        ],
        &[MIGRATING, LOADS, NO_FLOOR],
        &KTH,
        ("migrations", false),
        migration_claims!(
            Claim {
                id: "exception",
                text: "The only exception is load 0.6, where BgMBF-SDF migrates more.",
                check: &Leads {
                    policies: &[BGMBF_SDF],
                    than: &[BGMBF],
                    extent: Extent::AllBut("0.6"),
                },
            },
            350,
            [280.0, 420.0]
        ),
    ),
    of_queues(
        [
            "fig8b",
            "Figure 8b",
            "Number of migrations by load, NASA-iPSC",
        ],
        &[MIGRATING, LOADS, NO_FLOOR],
        &NASA,
        ("migrations", false),
        migration_claims!(
            Claim {
                id: "more-than-kth",
                text: "At the same load fewer jobs migrate for KTH-SP2 than for NASA-iPSC.",
                check: &LargerThan {
                    beside: "fig8a",
                    policies: &[BGMBF, BGMBF_SDF],
                },
            },
            200,
            [160.0, 240.0]
        ),
    ),
];

/// How far the mean of 1000 bandwidths is from its expectation in 95 of 100 cases: 1.96 standard
/// errors, the deviation being a fifth of 250 Mbit/s.
const CHANCE: f64 = 3.1;
