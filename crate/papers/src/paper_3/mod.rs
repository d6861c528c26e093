//! The figures of paper 3 with the claims of its sections 4 and 6, shared ones in `claims`.
//!
//! The paper simulates 400,000 jobs a cluster in section 6 and ten times as many in section 4. Here
//! twenty replications of 20,000 jobs a cluster make up the former, and a tenth of the latter. The
//! text does not state axes; those of bandwidth here range from where links hardly matter to beyond
//! saturation. A printed number means all numbers that round to it.
//!
//! Figures 9 to 11 show turnaround by bandwidth, and by the mean penalty of co-allocated jobs: the
//! latter are figures of their own here. Without co-allocation or with ideal links, the curve is a
//! level line.
//!
//! Departures: the surfaces of Figures 14 to 21 are curves, one for each threshold, and heatmaps.
//! The text before Figure 13 names two bandwidth-aware schedulers, A1 and B1, its legend only A1:
//! both are drawn. Table 1 gives times: steps are counted instead.

#[macro_use]
mod claims;

use super::check::{
    Certain, Crossing, CurveClaim, Extent, Flat, GainLargerThan, Leads, LowestAt, NeverExceeds,
    Peak, Rises, RisesSteadily, Same, Within,
};
use super::claim::Claim;
use super::decisions::{self, Decisions};
use super::figure::{Figure, FigureKind, Paper};
use super::ran::Stated;
use super::sweep::{Pair, Sweep};

const IDEAL: &str = "fpfs+first-fit(sharing=ideal)";
const FIXED: &str = "fpfs+first-fit(sharing=fixed)";
const FIRST_FIT: &str = "fpfs+first-fit";
const MIGRATION: &str = "fpfs+migration-only";
const NO_SHARE: &str = "fpfs+no-share";
const A1: &str = "fpfs+a1";
const B1: &str = "fpfs+b1";
const B2: &str = "fpfs+b2";
const B3_70: &str = "fpfs+b3(chunk=70)";
const B3_80: &str = "fpfs+b3(chunk=80)";
const B3_85: &str = "fpfs+b3(chunk=85)";
const B3_90: &str = "fpfs+b3(chunk=90)";
const B3_ALL: &str = "fpfs+b3(chunk=100)";
const B3_ANY: &str = "fpfs+b3(chunk=0)";
const B4: &str = "fpfs+b4";

/// The paper.
pub(super) const PAPER: Paper = Paper {
    name: "Paper 3",
    title: "Characterization of Bandwidth-Aware Meta-Schedulers for Co-Allocating Jobs Across Multiple Clusters",
    published: "The Journal of Supercomputing 34(2), 2005",
    called: &[],
    figures: FIGURES,
};

macro_rules! on_clusters {
    ($($own:expr),+) => {
        &[
            ("system", "multi-cluster"),
            ("load", "as-logged"),
            ("bandwidth", "constant"),
            $($own),+
        ]
    };
}

/// Jobs of section 4, by the number of clusters.
macro_rules! of_section_4 {
    ($clusters:literal, $interarrival:literal, $jobs:literal, $($own:expr),+) => {
        on_clusters!(
            ("clusters", $clusters),
            ("interarrival", $interarrival),
            ("jobs", $jobs),
            ("size", "uniform:10:90"),
            ("runtime", "exponential:225"),
            $($own),+
        )
    };
}

/// Jobs of section 6.
macro_rules! of_section_6 {
    ($($own:expr),+) => {
        of_section_6!("80000"; $($own),+)
    };
    ($jobs:literal; $($own:expr),+) => {
        on_clusters!(
            ("interarrival", "exponential:37.5"),
            ("jobs", $jobs),
            ("size", "uniform:10:50"),
            ("runtime", "exponential:450"),
            $($own),+
        )
    };
}

const COMPARED: Pair = (
    "policy",
    "fpfs+first-fit,fpfs+first-fit(sharing=fixed),fpfs+first-fit(sharing=ideal),\
     fpfs+migration-only,fpfs+no-share",
);
const AWARE: Pair = (
    "policy",
    "fpfs+first-fit,fpfs+a1,fpfs+b1,fpfs+first-fit(sharing=ideal),fpfs+migration-only",
);
const ALL: Pair = (
    "policy",
    "fpfs+a1,fpfs+b1,fpfs+b2,fpfs+b3(chunk=85),fpfs+b4,fpfs+migration-only,\
     fpfs+first-fit(sharing=ideal)",
);
const CHUNKS: Pair = (
    "policy",
    "fpfs+b3(chunk=70),fpfs+b3(chunk=80),fpfs+b3(chunk=85),fpfs+b3(chunk=90)",
);
const CHUNKS_AND_ENDS: Pair = (
    "policy",
    "fpfs+b3(chunk=70),fpfs+b3(chunk=80),fpfs+b3(chunk=85),fpfs+b3(chunk=90),fpfs+b3(chunk=100),\
     fpfs+b3(chunk=0),fpfs+b1,fpfs+migration-only",
);

const NOTHING_ON_LINKS: &str = "No link has a part in these runs.";

const BANDWIDTHS: Pair = ("x", "bandwidth_mbps:200:900:100");
const FEW_BANDWIDTHS: Pair = ("x", "bandwidth_mbps:300:900:200");
const THRESHOLDS: Pair = ("x", "lslt:40:120:20");
const FEW_JOBS: Pair = ("jobs", "6000");
const FEWER_JOBS: Pair = ("jobs", "4000");

/// The parts of a figure, and the number of jobs in the text.
#[derive(Clone, Copy)]
struct Setting {
    caption: &'static str,
    stated: Stated,
}

const SECTION_4: Setting = Setting {
    caption: "Clusters of 100 nodes and links of 1000 Mbit/s; first fit shares links dynamically, \
              lets every co-allocated job take as much longer as they do on average (fixed penalty), or has \
              ideal links.",
    stated: Stated::Jobs {
        jobs: 4_000_000,
        runs: None,
    },
};
const SECTION_6: Setting = setting_6("Four clusters of 100 nodes, links of 1000 Mbit/s.");

const fn setting_6(caption: &'static str) -> Setting {
    Setting {
        caption,
        stated: Stated::Jobs {
            jobs: 400_000,
            runs: None,
        },
    }
}

const TWO_CLUSTERS: [&[Pair]; 2] = [
    of_section_4!(
        "2",
        "exponential:75",
        "40000",
        COMPARED,
        ("x", "bandwidth_mbps:400:2200:150")
    ),
    &[FEWER_JOBS, ("x", "bandwidth_mbps:400:2200:300")],
];

const FOUR_CLUSTERS: [&[Pair]; 2] = [
    of_section_4!(
        "4",
        "exponential:37.5",
        "80000",
        COMPARED,
        ("x", "bandwidth_mbps:300:850:50")
    ),
    &[FEW_JOBS, ("x", "bandwidth_mbps:300:900:100")],
];

const EIGHT_CLUSTERS: [&[Pair]; 2] = [
    of_section_4!(
        "8",
        "exponential:18.75",
        "160000",
        COMPARED,
        ("x", "bandwidth_mbps:300:570:30")
    ),
    &[("jobs", "8000"), ("x", "bandwidth_mbps:300:600:60")],
];

/// A figure that shows turnaround.
const fn turnaround(
    names: [&'static str; 3],
    setting: Setting,
    pairs: [&'static [Pair]; 2],
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        stated: setting.stated,
        ..Sweep::plain(pairs, "response_mean", claims)
    };
    sweep.figure(names, setting.caption)
}

/// A surface as curves: one scheduler at five thresholds.
macro_rules! surface {
    ($id:literal, $place:literal, $title:literal, $policy:literal, $claims:expr) => {
        turnaround(
            [$id, $place, $title],
            SECTION_6,
            [
                of_section_6!(("policy", $policy), BANDWIDTHS),
                &[FEWER_JOBS, FEW_BANDWIDTHS],
            ],
            $claims,
        )
    };
}

const FIGURES: &[Figure] = &[
    turnaround(
        [
            "p3-fig9",
            "Figure 9",
            "Turnaround by bandwidth, two clusters",
        ],
        SECTION_4,
        TWO_CLUSTERS,
        penalty_claims!(),
    ),
    turnaround(
        [
            "p3-fig9-penalty",
            "Figure 9, by penalty",
            "Turnaround by mean execution penalty, two clusters",
        ],
        SECTION_4,
        TWO_CLUSTERS,
        crossing_claims!("1.2 to 1.25", [1.195, 1.255], "1.35 to 1.4", [1.345, 1.405]),
    ),
    turnaround(
        [
            "p3-fig10",
            "Figure 10",
            "Turnaround by bandwidth, four clusters",
        ],
        SECTION_4,
        FOUR_CLUSTERS,
        penalty_claims!(gain_claim!("p3-fig9")),
    ),
    turnaround(
        [
            "p3-fig10-penalty",
            "Figure 10, by penalty",
            "Turnaround by mean execution penalty, four clusters",
        ],
        SECTION_4,
        FOUR_CLUSTERS,
        crossing_claims!(
            "between those for two and for eight clusters, 1.13 to 1.25",
            [1.125, 1.255],
            "between those for two and for eight clusters, 1.25 to 1.4",
            [1.245, 1.405]
        ),
    ),
    turnaround(
        [
            "p3-fig11",
            "Figure 11",
            "Turnaround by bandwidth, eight clusters",
        ],
        SECTION_4,
        EIGHT_CLUSTERS,
        penalty_claims!(gain_claim!("p3-fig10")),
    ),
    turnaround(
        [
            "p3-fig11-penalty",
            "Figure 11, by penalty",
            "Turnaround by mean execution penalty, eight clusters",
        ],
        SECTION_4,
        EIGHT_CLUSTERS,
        crossing_claims!(
            "1.13 to 1.2",
            [1.125, 1.205],
            "1.25 to 1.35",
            [1.245, 1.355]
        ),
    ),
    turnaround(
        [
            "p3-fig13",
            "Figure 13",
            "Schedulers that know of bandwidth and first fit, by bandwidth",
        ],
        SECTION_4,
        [
            of_section_4!(
                "4",
                "exponential:37.5",
                "80000",
                AWARE,
                ("x", "bandwidth_mbps:300:800:100")
            ),
            &[FEW_JOBS],
        ],
        &[
            Claim {
                id: "first-fit",
                text: "First fit gets worse quickly with bandwidth.",
                check: &Rises {
                    policies: &[FIRST_FIT],
                },
            },
            Claim {
                id: "below",
                text: "First fit does better than migration alone where little bandwidth is asked for.",
                check: &Within {
                    x: ["300", "500"],
                    check: &Leads {
                        policies: &[FIRST_FIT],
                        than: &[MIGRATION],
                        extent: Extent::Always,
                    },
                },
            },
            Claim {
                id: "beyond",
                text: "At the most bandwidth first fit does worse than migration alone.",
                check: &Within {
                    x: ["800", "800"],
                    check: &Leads {
                        policies: &[MIGRATION],
                        than: &[FIRST_FIT],
                        extent: Extent::Always,
                    },
                },
            },
            Claim {
                id: "aware",
                text: "A1 and B1 do better than first fit.",
                check: &Leads {
                    policies: &[A1, B1],
                    than: &[FIRST_FIT],
                    extent: Extent::Always,
                },
            },
        ],
    ),
    surface!(
        "p3-fig14",
        "Figure 14",
        "A1 by bandwidth and threshold",
        "fpfs+a1(lslt=40),fpfs+a1(lslt=60),fpfs+a1(lslt=80),fpfs+a1(lslt=100),fpfs+a1(lslt=120)",
        &[
            Claim {
                id: "best",
                text: "A1 does best with a threshold of 100 %.",
                check: &Leads {
                    policies: &["fpfs+a1(lslt=100)"],
                    than: &[
                        "fpfs+a1(lslt=40)",
                        "fpfs+a1(lslt=60)",
                        "fpfs+a1(lslt=80)",
                        "fpfs+a1(lslt=120)"
                    ],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: "smooth",
                text: "Its turnaround rises steadily with bandwidth: interpreted as rising from each value to the next.",
                check: &RisesSteadily {
                    policies: &["fpfs+a1(lslt=100)"],
                },
            },
            Claim {
                id: "threshold",
                text: "A1 never loads a link beyond the threshold.",
                check: &Certain {
                    check: &NeverExceeds {
                        metric: "cluster_links_peak",
                        policies: &["fpfs+a1(lslt=100)"],
                        factor: 100.0,
                        unit: "%",
                        // Demands of jobs are summed in whole kbit/s there.
                        above: 100.001,
                    },
                    because: "A1 takes no place that would require more of a link than the threshold.",
                },
            },
        ]
    ),
    surface!(
        "p3-fig15",
        "Figure 15",
        "B1 by bandwidth and threshold",
        "fpfs+b1(lslt=40),fpfs+b1(lslt=60),fpfs+b1(lslt=80),fpfs+b1(lslt=100),fpfs+b1(lslt=120)",
        &[one_job_claim!(&["fpfs+b1(lslt=100)"])]
    ),
    surface!(
        "p3-fig16",
        "Figure 16",
        "B2 by bandwidth and threshold",
        "fpfs+b2(lslt=40),fpfs+b2(lslt=60),fpfs+b2(lslt=80),fpfs+b2(lslt=100),fpfs+b2(lslt=120)",
        &[one_job_claim!(&["fpfs+b2(lslt=100)"])]
    ),
    surface!(
        "p3-fig17",
        "Figure 17",
        "B4 by bandwidth and threshold",
        "fpfs+b4(lslt=40),fpfs+b4(lslt=60),fpfs+b4(lslt=80),fpfs+b4(lslt=100),fpfs+b4(lslt=120)",
        &[one_job_claim!(&["fpfs+b4(lslt=100)"])]
    ),
    surface!(
        "p3-fig18",
        "Figure 18",
        "B3 with chunks of 70 % by bandwidth and threshold",
        "fpfs+b3(lslt=40,chunk=70),fpfs+b3(lslt=60,chunk=70),fpfs+b3(lslt=80,chunk=70),\
         fpfs+b3(lslt=100,chunk=70),fpfs+b3(lslt=120,chunk=70)",
        flat_claim!("70")
    ),
    surface!(
        "p3-fig19",
        "Figure 19",
        "B3 with chunks of 80 % by bandwidth and threshold",
        "fpfs+b3(lslt=40,chunk=80),fpfs+b3(lslt=60,chunk=80),fpfs+b3(lslt=80,chunk=80),\
         fpfs+b3(lslt=100,chunk=80),fpfs+b3(lslt=120,chunk=80)",
        flat_claim!("80")
    ),
    surface!(
        "p3-fig20",
        "Figure 20",
        "B3 with chunks of 85 % by bandwidth and threshold",
        "fpfs+b3(lslt=40,chunk=85),fpfs+b3(lslt=60,chunk=85),fpfs+b3(lslt=80,chunk=85),\
         fpfs+b3(lslt=100,chunk=85),fpfs+b3(lslt=120,chunk=85)",
        flat_claim!("85")
    ),
    surface!(
        "p3-fig21",
        "Figure 21",
        "B3 with chunks of 90 % by bandwidth and threshold",
        "fpfs+b3(lslt=40,chunk=90),fpfs+b3(lslt=60,chunk=90),fpfs+b3(lslt=80,chunk=90),\
         fpfs+b3(lslt=100,chunk=90),fpfs+b3(lslt=120,chunk=90)",
        flat_claim!("90")
    ),
    turnaround(
        [
            "p3-fig22",
            "Figure 22",
            "All schedulers by bandwidth, threshold 100 %",
        ],
        SECTION_6,
        [of_section_6!(ALL, BANDWIDTHS), &[FEW_JOBS]],
        &[
            Claim {
                id: "ideal",
                text: "Ideal co-allocation takes 735 s: interpreted as within 3 per cent.",
                check: &Peak {
                    metric: "response_mean",
                    policies: &[IDEAL],
                    factor: 1.0,
                    unit: "s",
                    range: [713.0, 757.0],
                },
            },
            Claim {
                id: "migration",
                text: "Migration alone takes 1087 s: interpreted as within 4 per cent.",
                check: &Peak {
                    metric: "response_mean",
                    policies: &[MIGRATION],
                    factor: 1.0,
                    unit: "s",
                    range: [1043.5, 1130.5],
                },
            },
            Claim {
                id: "independent",
                text: "Bandwidth changes neither of them.",
                check: &Certain {
                    check: &Flat {
                        policies: &[IDEAL, MIGRATION],
                        at_most: 0.0,
                    },
                    because: NOTHING_ON_LINKS,
                },
            },
            Claim {
                id: "monotonic",
                text: "A1 responds to bandwidth steadily: interpreted as rising from each value to the next.",
                check: &RisesSteadily { policies: &[A1] },
            },
            Claim {
                id: "chunks",
                text: "B3 does better than A1 in a variety of cases: interpreted as at more than half of the values.",
                check: &Leads {
                    policies: &[B3_85],
                    than: &[A1],
                    extent: Extent::Mostly,
                },
            },
            Claim {
                id: "balancing",
                text: "B4 is the worst of the co-allocating schedulers overall.",
                check: &Leads {
                    policies: &[A1, B1, B2, B3_85],
                    than: &[B4],
                    extent: Extent::Mostly,
                },
            },
            one_job_claim!(&[B1, B2, B3_85, B4]),
        ],
    ),
    turnaround(
        [
            "p3-fig23",
            "Figure 23",
            "Chunks of B3 by bandwidth, threshold 100 %",
        ],
        setting_6(
            "Beside the chunks of the figure, B3 with all and with none of a job as the chunk, and what these \
             become. Four clusters of 100 nodes, links of 1000 Mbit/s.",
        ),
        [of_section_6!(CHUNKS_AND_ENDS, BANDWIDTHS), &[FEWER_JOBS]],
        &[
            Claim {
                id: "flat",
                text: "B3 hardly depends on bandwidth: interpreted as changing by at most a tenth.",
                check: &Flat {
                    policies: &[B3_80, B3_85, B3_90],
                    at_most: 0.1,
                },
            },
            Claim {
                id: "all",
                text: "If the chunk is the whole job, B3 is migration alone.",
                check: &Certain {
                    check: &Same {
                        policy: B3_ALL,
                        than: MIGRATION,
                    },
                    because: "Where the whole job fits, migration has put it already.",
                },
            },
            Claim {
                id: "none",
                text: "As the chunk shrinks B3 becomes B1.",
                check: &Certain {
                    check: &Same {
                        policy: B3_ANY,
                        than: B1,
                    },
                    because: "A chunk of no size excludes nothing, and all else is the rule of B1.",
                },
            },
        ],
    ),
    turnaround(
        [
            "p3-fig24",
            "Figure 24",
            "All schedulers by threshold, little bandwidth",
        ],
        setting_6(
            "Four clusters of 100 nodes, links of 1000 Mbit/s; an even bisection needs 300 Mbit/s.",
        ),
        [
            of_section_6!(ALL, ("bandwidth_mbps", "300"), THRESHOLDS),
            &[FEW_JOBS],
        ],
        &[Claim {
            id: "balancing",
            text: "B4 is the worst of the co-allocating schedulers overall.",
            check: &Leads {
                policies: &[A1, B1, B2, B3_85],
                than: &[B4],
                extent: Extent::Mostly,
            },
        }],
    ),
    turnaround(
        [
            "p3-fig25",
            "Figure 25",
            "All schedulers by threshold, much bandwidth",
        ],
        setting_6(
            "Four clusters of 100 nodes, links of 1000 Mbit/s; an even bisection needs 800 Mbit/s.",
        ),
        [
            of_section_6!(ALL, ("bandwidth_mbps", "800"), THRESHOLDS),
            &[FEW_JOBS],
        ],
        &[
            Claim {
                id: "best",
                text: "A1 does best with a threshold of 100 %.",
                check: &LowestAt {
                    policy: A1,
                    x: "100",
                },
            },
            Claim {
                id: "balancing",
                text: "B4 is the worst of the co-allocating schedulers overall.",
                check: &Leads {
                    policies: &[A1, B1, B2, B3_85],
                    than: &[B4],
                    extent: Extent::Mostly,
                },
            },
        ],
    ),
    turnaround(
        [
            "p3-fig26",
            "Figure 26",
            "Chunks of B3 by threshold, little bandwidth",
        ],
        setting_6(
            "Four clusters of 100 nodes, links of 1000 Mbit/s; an even bisection needs 300 Mbit/s.",
        ),
        [
            of_section_6!(CHUNKS, ("bandwidth_mbps", "300"), THRESHOLDS),
            &[FEW_JOBS],
        ],
        &[Claim {
            id: "chunk",
            text: "Chunks of 85 % are the best overall.",
            check: &Leads {
                policies: &[B3_85],
                than: &[B3_70, B3_80, B3_90],
                extent: Extent::Mostly,
            },
        }],
    ),
    turnaround(
        [
            "p3-fig27",
            "Figure 27",
            "Chunks of B3 by threshold, much bandwidth",
        ],
        setting_6(
            "Four clusters of 100 nodes, links of 1000 Mbit/s; an even bisection needs 800 Mbit/s.",
        ),
        [
            of_section_6!(CHUNKS, ("bandwidth_mbps", "800"), THRESHOLDS),
            &[FEW_JOBS],
        ],
        &[Claim {
            id: "chunk",
            text: "Chunks of 85 % are the best overall.",
            check: &Leads {
                policies: &[B3_85],
                than: &[B3_70, B3_80, B3_90],
                extent: Extent::Mostly,
            },
        }],
    ),
    Figure {
        id: "p3-table1",
        place: "Table 1",
        title: "What a decision on co-allocation costs",
        caption: "Steps instead of the paper's microseconds, which are 69.6 for A1 and 1.06 on average for B1 to B4: \
                  a number of nodes tried for a cluster, a cluster looked at, two of them compared. Four \
                  clusters of 100 nodes, links of 1000 Mbit/s, even bisections that need 200, 500 and 800 \
                  Mbit/s, threshold 100 %. Times are measured by cargo bench -p backfill-tests --bench clusters.",
        kind: FigureKind::Decisions(Decisions {
            pairs: of_section_6!(
                "6000";
                (
                    "policy",
                    "fpfs+a1,fpfs+b1,fpfs+b2,fpfs+b3(chunk=85),fpfs+b4"
                ),
                ("x", "bandwidth_mbps:200:800:300")
            ),
            stated: SECTION_6.stated,
            claims: &[Claim {
                id: "cost",
                text: "A decision of A1 costs far more than one of class B, about 70 times as much: interpreted as at \
                       least ten times the steps of each.",
                check: decisions::DecisionCheck { at_least: 10.0 },
            }],
        }),
    },
];
