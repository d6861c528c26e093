//! What the text says of each measure, as macros: the names of claims are put together from those
//! of figures.

/// What the text says of each mean, of ZOMT and Fair to that extent; then what it says of how the
/// means rise.
macro_rules! mean_claims {
    ($figure:literal, $extent:expr, $rise:expr $(, $own:expr)*) => {
        &[
            Claim {
                id: concat!($figure, ".alike"),
                text: "AFCFS, LJFS and ZOMT are nearly equal below λ = 6.5: read as closer together than to Fair.",
                check: &Within {
                    x: ["5", "6"],
                    check: &Close {
                        policies: &[AFCFS, LJFS, ZOMT],
                        reference: FAIR,
                        extent: Extent::Always,
                    },
                },
            },
            Claim {
                id: concat!($figure, ".zomt"),
                text: "ZOMT is the lowest.",
                check: &Better {
                    policies: &[ZOMT],
                    than: &[AFCFS, LJFS, FAIR],
                    extent: $extent,
                },
            },
            Claim {
                id: concat!($figure, ".fair"),
                text: "Fair is the highest.",
                check: &Better {
                    policies: &[AFCFS, LJFS, ZOMT],
                    than: &[FAIR],
                    extent: $extent,
                },
            },
            $rise,
            $($own),*
        ]
    };
}

/// What the text says of the means of response times up to λ = 6.5.
macro_rules! stable_claim {
    ($figure:literal) => {
        Claim {
            id: concat!($figure, ".stable"),
            text: "AFCFS, LJFS and ZOMT are stable from λ = 5 to 6.5: read as by at most a tenth.",
            check: &Within {
                x: ["5", "6.5"],
                check: &Flat {
                    policies: &[AFCFS, LJFS, ZOMT],
                    at_most: 0.1,
                },
            },
        }
    };
}

/// What the text says of the means of response times beyond λ = 6.5.
macro_rules! faster_claim {
    ($figure:literal) => {
        Claim {
            id: concat!($figure, ".faster"),
            text: "AFCFS, LJFS and ZOMT rise more quickly beyond λ = 6.5 than before.",
            check: &Steeper {
                policies: &[AFCFS, LJFS, ZOMT],
                after: "6.5",
            },
        }
    };
}

/// What the text says of the means of waiting times.
macro_rules! rise_claim {
    ($figure:literal) => {
        Claim {
            id: concat!($figure, ".rise"),
            text: "All rise more and more quickly with the rate of arrivals.",
            check: &RisesEverFaster {
                policies: &[AFCFS, LJFS, FAIR, ZOMT],
            },
        }
    };
}

/// What the text says of ZOMT's means of response times.
macro_rules! slower_claim {
    ($figure:literal) => {
        Claim {
            id: concat!($figure, ".slower"),
            text: "ZOMT rises more slowly than the others.",
            check: &LeadGrows {
                policy: ZOMT,
                than: &[AFCFS, LJFS, FAIR],
            },
        }
    };
}

/// By how many per cent ZOMT is said to lower a mean beside another policy, on average over all
/// cases of this and of other figures; and what follows from it and from what else is printed.
macro_rules! gain_claim {
    ($figure:literal, $among:expr, afcfs, $percent:literal, $follows:literal) => {
        gain_claim!($figure, $among, "afcfs", "AFCFS", AFCFS, $percent, $follows)
    };
    ($figure:literal, $among:expr, ljfs, $percent:literal, $follows:literal) => {
        gain_claim!($figure, $among, "ljfs", "LJFS", LJFS, $percent, $follows)
    };
    ($figure:literal, $among:expr, fair, $percent:literal, $follows:literal) => {
        gain_claim!($figure, $among, "fair", "Fair", FAIR, $percent, $follows)
    };
    ($figure:literal, $among:expr, $id:literal, $name:literal, $policy:ident, $percent:literal, $follows:literal) => {
        Claim {
            id: concat!($figure, ".gains-", $id),
            text: concat!(
                "ZOMT lowers it by ",
                $percent,
                " % beside ",
                $name,
                ", on average over all rates of arrivals and all three mixes: read as within a tenth of that.",
                $follows
            ),
            check: &Lowers {
                among: $among,
                policy: ZOMT,
                than: $policy,
                percent: $percent,
            },
        }
    };
}

/// What the text says of the order of AFCFS and LJFS.
macro_rules! order_claim {
    ($figure:literal) => {
        Claim {
            id: concat!($figure, ".order"),
            text: "AFCFS is higher than LJFS.",
            check: &Better {
                policies: &[LJFS],
                than: &[AFCFS],
                extent: Extent::Generally,
            },
        }
    };
}

macro_rules! response_claims {
    ($figure:literal $(, $own:expr)*) => {
        mean_claims!(
            $figure,
            Extent::Always,
            stable_claim!($figure),
            faster_claim!($figure),
            slower_claim!($figure),
            order_claim!($figure)
            $(, $own)*
        )
    };
}

macro_rules! wait_claims {
    ($figure:literal $(, $own:expr)*) => {
        mean_claims!($figure, Extent::Generally, rise_claim!($figure) $(, $own)*)
    };
}

macro_rules! deviation_claims {
    ($figure:literal) => {
        &[
            Claim {
                id: concat!($figure, ".zomt"),
                text: "ZOMT is always slightly below AFCFS.",
                check: &Better {
                    policies: &[ZOMT],
                    than: &[AFCFS],
                    extent: Extent::Always,
                },
            },
            Claim {
                id: concat!($figure, ".fairness"),
                text: "ZOMT and AFCFS are below LJFS and Fair.",
                check: &Better {
                    policies: &[ZOMT, AFCFS],
                    than: &[LJFS, FAIR],
                    extent: Extent::Generally,
                },
            },
            Claim {
                id: concat!($figure, ".rise"),
                text: "AFCFS and LJFS grow with the rate of arrivals.",
                check: &Rises {
                    policies: &[AFCFS, LJFS],
                },
            },
            Claim {
                id: concat!($figure, ".besides"),
                text: "Fair and ZOMT do not: read as by at most a tenth.",
                check: &Flat {
                    policies: &[FAIR, ZOMT],
                    at_most: 0.1,
                },
            },
        ]
    };
}

/// What the text says of a mean while machines migrate, beside the figure where they do not;
/// `$fair` is how often it has Fair as the highest there, then comes how the mean rises there.
macro_rules! migration_claims {
    ($figure:literal, $beside:literal, $fair:expr $(, $rise:expr)+) => {
        &[
            Claim {
                id: concat!($figure, ".zomt"),
                text: "ZOMT is always the lowest also while machines migrate.",
                check: &Better {
                    policies: &[ZOMT],
                    than: &[AFCFS, LJFS, FAIR],
                    extent: Extent::Always,
                },
            },
            $($rise,)+
            Claim {
                id: concat!($figure, ".fair"),
                text: "The trends are those without migrations: Fair is the highest.",
                check: &Better {
                    policies: &[AFCFS, LJFS, ZOMT],
                    than: &[FAIR],
                    extent: $fair,
                },
            },
            Claim {
                id: concat!($figure, ".more"),
                text: "Each policy does worse than without migrations.",
                check: &LargerThan {
                    beside: $beside,
                    policies: &[AFCFS, LJFS, FAIR, ZOMT],
                },
            },
        ]
    };
}
