//! The worth of a guarantee: the guaranteed part of the bandwidth at which jobs wait and run the
//! shortest, for two logs and for generated jobs.
//!
//! The question is the project's own, and so are the statements judged here: for every load that
//! nothing guaranteed is best, that all guaranteed is best, and that a part is better than both.
//! The interpretations are the shares of run time that a job communicates. Guarantees with
//! identical times in every replication are a tie. If jobs do not communicate, a quarter guaranteed
//! is often the same as nothing: unless another part is shorter, nothing guaranteed is then best,
//! and a part is not.

use super::check::{CurveClaim, Extent, Leads, OneLeads, Within};
use super::claim::Claim;
use super::figure::{Figure, Paper};
use super::paper_1;
use super::sweep::{Ambiguity, Log, Pair, Sweep};

const NOTHING: &str = "easy+adaba(guarantee=0)";
const QUARTER: &str = "easy+adaba(guarantee=25)";
const HALF: &str = "easy+adaba(guarantee=50)";
const THREE_QUARTERS: &str = "easy+adaba(guarantee=75)";
const ALL: &str = "easy+adaba(guarantee=100)";

/// The report.
pub(super) const REPORT: Paper = Paper {
    name: "Report 1",
    title: "What a guarantee is worth",
    published: "Asked and answered here: no paper has these figures",
    called: &[],
    figures: FIGURES,
};

macro_rules! claims {
    ($(($load:literal, $none:literal, $part:literal, $all:literal))+) => {
        &[$(
            Claim {
                id: $none,
                text: concat!("At load ", $load, ", mean response times are shortest with nothing guaranteed, ties left aside."),
                check: &Within {
                    x: [$load, $load],
                    check: &Leads {
                        policies: &[NOTHING],
                        than: &[QUARTER, HALF, THREE_QUARTERS, ALL],
                        extent: Extent::Always,
                    },
                },
            },
            Claim {
                id: $part,
                text: concat!(
                    "At load ", $load,
                    ", mean response times are shorter with some part guaranteed than with nothing and with all."
                ),
                check: &Within {
                    x: [$load, $load],
                    check: &OneLeads {
                        policies: &[QUARTER, HALF, THREE_QUARTERS],
                        than: &[NOTHING, ALL],
                    },
                },
            },
            Claim {
                id: $all,
                text: concat!("At load ", $load, ", mean response times are shortest with all guaranteed, ties left aside."),
                check: &Within {
                    x: [$load, $load],
                    check: &Leads {
                        policies: &[ALL],
                        than: &[NOTHING, QUARTER, HALF, THREE_QUARTERS],
                        extent: Extent::Always,
                    },
                },
            }
        ),+]
    };
}

const CLAIMS: &[CurveClaim] = claims! {
    ("0.3", "nothing-at-30", "part-at-30", "all-at-30")
    ("0.5", "nothing-at-50", "part-at-50", "all-at-50")
    ("0.7", "nothing-at-70", "part-at-70", "all-at-70")
    ("0.9", "nothing-at-90", "part-at-90", "all-at-90")
    ("1.1", "nothing-at-110", "part-at-110", "all-at-110")
};

const COMMUNICATION: &[Ambiguity] = &[Ambiguity {
    key: "communication",
    values: &["0.5", "0", "0.25", "1"],
}];

const LOADS: Pair = ("x", "load:0.3,0.5,0.7,0.9,1.1");
const GUARANTEES: Pair = (
    "policy",
    "easy(guarantee=0),easy(guarantee=25),easy(guarantee=50),easy(guarantee=75),easy(guarantee=100)",
);
/// With all guaranteed a few jobs are rejected that run with less.
const SAME_JOBS: Pair = ("timed", "common");

const OF_LOGS: &[Pair] = &[LOADS, GUARANTEES, SAME_JOBS, ("shake_s", "60")];
const GENERATED: &[Pair] = &[LOADS, GUARANTEES, SAME_JOBS, ("jobs", "1000")];

macro_rules! caption {
    ($jobs:literal) => {
        concat!(
            $jobs,
            " EASY with AdaBa on a fat-tree of 6 pods with 8 slots a server, links of 1 Gbit/s, \
             bandwidth drawn around 250 Mbit/s. Of it a part is guaranteed and reserved, from nothing to \
             all; what is not reserved is shared, and slows jobs down by as much as they communicate. \
             Statistics are over the jobs that run under every guarantee. That five guarantees are compared is not \
             corrected for."
        )
    };
}

const OF_A_LOG: &str = caption!(
    "Jobs of a log, submit times scaled to a load and moved by up to a minute: intervals are over such moves \
     and the bandwidths of one sequence of jobs."
);

/// Response times by load and guarantee, of a log or generated.
const fn figure(names: [&'static str; 3], log: Option<&'static Log>) -> Figure {
    let (pairs, caption) = match log {
        Some(_) => (OF_LOGS, OF_A_LOG),
        None => (
            GENERATED,
            caption!("Generated jobs of up to 15 machines that arrive at random."),
        ),
    };
    let sweep = Sweep {
        log,
        ambiguities: COMMUNICATION,
        ..Sweep::plain([pairs, &[]], "response_mean", CLAIMS)
    };
    sweep.figure(names, caption)
}

const TITLE: &str = "Response time by load and guarantee";

const FIGURES: &[Figure] = &[
    figure(["r1-kth", "KTH-SP2", TITLE], Some(&paper_1::KTH)),
    figure(["r1-nasa", "NASA-iPSC", TITLE], Some(&paper_1::NASA)),
    figure(["r1-generated", "Generated jobs", TITLE], None),
];
