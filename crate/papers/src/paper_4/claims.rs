//! Claims of the text on each measure: shared by several figures, and macros with parameters of a
//! figure.

use super::policy::{AFCFS, FAIR, LJFS, ZOMT};
use crate::check::{
    CurveClaim, Extent, Flat, LeadGrows, Leads, Rises, RisesEverFaster, Steeper, Within,
};
use crate::claim::Claim;

/// Claims on each mean, the extent for ZOMT and Fair; then on the rise of the means.
macro_rules! mean_claims {
    ($extent:expr, $rise:expr $(, $own:expr)*) => {
        &[
            Claim {
                id: "alike",
                text: "AFCFS, LJFS and ZOMT are nearly equal below λ = 6.5: interpreted as closer together than to Fair.",
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
                id: "zomt",
                text: "ZOMT is the lowest.",
                check: &Leads {
                    policies: &[ZOMT],
                    than: &[AFCFS, LJFS, FAIR],
                    extent: $extent,
                },
            },
            Claim {
                id: "fair",
                text: "Fair is the highest.",
                check: &Leads {
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

/// The claim on mean response times up to λ = 6.5.
pub(super) const STABLE_CLAIM: CurveClaim = Claim {
    id: "stable",
    text: "AFCFS, LJFS and ZOMT are stable from λ = 5 to 6.5: interpreted as changing by at most a tenth.",
    check: &Within {
        x: ["5", "6.5"],
        check: &Flat {
            policies: &[AFCFS, LJFS, ZOMT],
            at_most: 0.1,
        },
    },
};

/// The claim on mean response times beyond λ = 6.5.
pub(super) const FASTER_CLAIM: CurveClaim = Claim {
    id: "faster",
    text: "AFCFS, LJFS and ZOMT rise more quickly beyond λ = 6.5 than before.",
    check: &Steeper {
        policies: &[AFCFS, LJFS, ZOMT],
        after: "6.5",
    },
};

/// The claim on mean wait times.
pub(super) const RISE_CLAIM: CurveClaim = Claim {
    id: "rise",
    text: "All rise more and more quickly with the rate of arrivals.",
    check: &RisesEverFaster {
        policies: &[AFCFS, LJFS, FAIR, ZOMT],
    },
};

/// The claim on ZOMT's mean response times.
pub(super) const SLOWER_CLAIM: CurveClaim = Claim {
    id: "slower",
    text: "ZOMT rises more slowly than the others.",
    check: &LeadGrows {
        policy: ZOMT,
        than: &[AFCFS, LJFS, FAIR],
    },
};

/// The stated reduction of a mean by ZOMT against another policy, in per cent, on average over all
/// cases of this and other figures; and what follows from it and from other printed numbers.
macro_rules! gain_claim {
    ($among:expr, afcfs, $percent:literal, $follows:literal) => {
        gain_claim!($among, "afcfs", "AFCFS", AFCFS, $percent, $follows)
    };
    ($among:expr, ljfs, $percent:literal, $follows:literal) => {
        gain_claim!($among, "ljfs", "LJFS", LJFS, $percent, $follows)
    };
    ($among:expr, fair, $percent:literal, $follows:literal) => {
        gain_claim!($among, "fair", "Fair", FAIR, $percent, $follows)
    };
    ($among:expr, $id:literal, $name:literal, $policy:ident, $percent:literal, $follows:literal) => {
        Claim {
            id: concat!("gains-", $id),
            text: concat!(
                "ZOMT lowers it by ",
                $percent,
                " % compared with ",
                $name,
                ", on average over all rates of arrivals and all three mixes: interpreted as within a tenth of that.",
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

/// The claim on the order of AFCFS and LJFS.
pub(super) const ORDER_CLAIM: CurveClaim = Claim {
    id: "order",
    text: "AFCFS is higher than LJFS.",
    check: &Leads {
        policies: &[LJFS],
        than: &[AFCFS],
        extent: Extent::Generally,
    },
};

macro_rules! response_claims {
    ($($own:expr),*) => {
        mean_claims!(Extent::Always,
            STABLE_CLAIM,
            FASTER_CLAIM,
            SLOWER_CLAIM,
            ORDER_CLAIM
            $(, $own)*
        )
    };
}

macro_rules! wait_claims {
    ($($own:expr),*) => {
        mean_claims!(Extent::Generally, RISE_CLAIM $(, $own)*)
    };
}

pub(super) const DEVIATION_CLAIMS: &[CurveClaim] = &[
    Claim {
        id: "zomt",
        text: "ZOMT is always slightly below AFCFS.",
        check: &Leads {
            policies: &[ZOMT],
            than: &[AFCFS],
            extent: Extent::Always,
        },
    },
    Claim {
        id: "fairness",
        text: "ZOMT and AFCFS are below LJFS and Fair.",
        check: &Leads {
            policies: &[ZOMT, AFCFS],
            than: &[LJFS, FAIR],
            extent: Extent::Generally,
        },
    },
    Claim {
        id: "rise",
        text: "AFCFS and LJFS grow with the rate of arrivals.",
        check: &Rises {
            policies: &[AFCFS, LJFS],
        },
    },
    Claim {
        id: "besides",
        text: "Fair and ZOMT do not: interpreted as changing by at most a tenth.",
        check: &Flat {
            policies: &[FAIR, ZOMT],
            at_most: 0.1,
        },
    },
];

/// Claims on a mean while machines migrate, against the figure without migrations; `$fair` is how
/// often Fair is the highest there, followed by the rise of the mean there.
macro_rules! migration_claims {
    ($beside:literal, $fair:expr $(, $rise:expr)+) => {
        &[
            Claim {
                id: "zomt",
                text: "ZOMT is always the lowest also while machines migrate.",
                check: &Leads {
                    policies: &[ZOMT],
                    than: &[AFCFS, LJFS, FAIR],
                    extent: Extent::Always,
                },
            },
            $($rise,)+
            Claim {
                id: "fair",
                text: "The trends are those without migrations: Fair is the highest.",
                check: &Leads {
                    policies: &[AFCFS, LJFS, ZOMT],
                    than: &[FAIR],
                    extent: $fair,
                },
            },
            Claim {
                id: "more",
                text: "Each policy does worse than without migrations.",
                check: &LargerThan {
                    beside: $beside,
                    policies: &[AFCFS, LJFS, FAIR, ZOMT],
                },
            },
        ]
    };
}
