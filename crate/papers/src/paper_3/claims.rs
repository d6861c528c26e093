//! Claims of several figures, as macros with parameters of a figure.

/// Claims on any number of clusters.
macro_rules! penalty_claims {
    ($($own:expr),*) => {
        &[
            Claim {
                id: "independent",
                text: "Without co-allocation, or with ideal links, bandwidth does not matter.",
                check: &Certain {
                    check: &Flat {
                        policies: &[IDEAL, MIGRATION, NO_SHARE],
                        at_most: 0.0,
                    },
                    because: NOTHING_ON_LINKS,
                },
            },
            Claim {
                id: "ideal",
                text: "Ideal co-allocation does better than migration alone.",
                check: &Leads {
                    policies: &[IDEAL],
                    than: &[MIGRATION],
                    extent: Extent::Always,
                },
            },
            Claim {
                id: "migration",
                text: "Migration does better than clusters that share nothing.",
                check: &Leads {
                    policies: &[MIGRATION],
                    than: &[NO_SHARE],
                    extent: Extent::Always,
                },
            },
            Claim {
                id: "dynamic",
                text: "At the same mean penalty the dynamic model gives a larger turnaround than the fixed one in every \
                       simulation.",
                check: &Leads {
                    policies: &[FIXED],
                    than: &[FIRST_FIT],
                    extent: Extent::Always,
                },
            }
            $(, $own)*
        ]
    };
}

/// Claims on the penalties at which the curves cross.
macro_rules! crossing_claims {
    ($migration:literal, $with_migration:expr, $none:literal, $with_none:expr) => {
        &[
            Claim {
                id: "crosses-migration",
                text: concat!(
                    "Co-allocation is as good as migration at a penalty of ",
                    $migration,
                    "."
                ),
                check: &Crossing {
                    policy: FIRST_FIT,
                    than: MIGRATION,
                    of: "penalty",
                    range: $with_migration,
                },
            },
            Claim {
                id: "fixed-crosses-migration",
                text: concat!(
                    "With a fixed penalty it is as good as migration at one of ",
                    $migration,
                    "."
                ),
                check: &Crossing {
                    policy: FIXED,
                    than: MIGRATION,
                    of: "penalty",
                    range: $with_migration,
                },
            },
            Claim {
                id: "crosses-none",
                text: concat!(
                    "Co-allocation is as good as no sharing at a penalty of ",
                    $none,
                    "."
                ),
                check: &Crossing {
                    policy: FIRST_FIT,
                    than: NO_SHARE,
                    of: "penalty",
                    range: $with_none,
                },
            },
            Claim {
                id: "fixed-crosses-none",
                text: concat!(
                    "With a fixed penalty it is as good as no sharing at one of ",
                    $none,
                    "."
                ),
                check: &Crossing {
                    policy: FIXED,
                    than: NO_SHARE,
                    of: "penalty",
                    range: $with_none,
                },
            },
        ]
    };
}

macro_rules! gain_claim {
    ($beside:literal) => {
        Claim {
            id: "more-clusters",
            text: "What migration gains grows with the number of clusters.",
            check: &GainLargerThan {
                beside: $beside,
                policy: MIGRATION,
                than: NO_SHARE,
            },
        }
    };
}

/// Class B exceeds the threshold by at most the demand of one job: an even bisection, on the axis
/// of bandwidth up to 900 of 1000 Mbit/s.
macro_rules! one_job_claim {
    ($policies:expr) => {
        Claim {
            id: "one-job",
            text: "What is required of a link exceeds the threshold of 100 % by one job's need at most, read \
                   as less than 190 % of its rate.",
            check: &Certain {
                check: &NeverExceeds {
                    metric: "cluster_links_peak",
                    policies: $policies,
                    factor: 100.0,
                    unit: "%",
                    above: 190.0,
                },
                because: "Class B uses a link only while less than its rate is required of it, and a job adds 90 % of that at most.",
            },
        }
    };
}

macro_rules! flat_claim {
    ($chunk:literal) => {
        &[Claim {
            id: "flat",
            text: "Turnaround hardly depends on bandwidth: interpreted as changing by at most a tenth, at every threshold.",
            check: &Flat {
                policies: &[
                    concat!("fpfs+b3(lslt=40,chunk=", $chunk, ")"),
                    concat!("fpfs+b3(lslt=60,chunk=", $chunk, ")"),
                    concat!("fpfs+b3(lslt=80,chunk=", $chunk, ")"),
                    concat!("fpfs+b3(lslt=100,chunk=", $chunk, ")"),
                    concat!("fpfs+b3(lslt=120,chunk=", $chunk, ")"),
                ],
                at_most: 0.1,
            },
        }]
    };
}
