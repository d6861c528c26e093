//! Claims of the Oktopus paper on guarantees: virtual clusters complete a batch of jobs sooner, and
//! accept more jobs, than a network without guarantees.
//!
//! Its baseline places machines as close to each other as it can and shares links fairly; here it
//! is Oktopus with nothing guaranteed, which takes the lowest subtree with enough slots. Without
//! reservations jobs hold their machines for longer, so fewer arriving jobs find room.
//!
//! Section 5 simulates three levels of switches, four machines a server, links of 1 Gbit/s, a total
//! oversubscription of 10 : 1 above the servers, a batch under first come first served, and no
//! queue for jobs that arrive. Only the abstract was available: these parameters were not compared
//! with the full text, and the captions say so. Departures: 432 servers instead of 16,000, jobs of
//! 12 machines on average instead of 49, bandwidths around a mean instead of exponential ones, and
//! run times. In the paper a job ends when both its computation and its communication have ended;
//! here they follow each other, in shares that are the interpretations.

use super::check::{CurveClaim, Extent, Leads};
use super::claim::Claim;
use super::figure::{Figure, Paper};
use super::sweep::{Ambiguity, Pair, Sweep};

const BATCH_CLUSTERS: &str = "fcfs+oktopus";
const BATCH_BASELINE: &str = "fcfs+oktopus(guarantee=0)";
const CLUSTERS: &str = "none+oktopus";
const BASELINE: &str = "none+oktopus(guarantee=0)";

/// The paper.
pub(super) const PAPER: Paper = Paper {
    name: "Paper 6",
    title: "Towards predictable datacenter networks",
    published: "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, ACM SIGCOMM, 2011",
    called: &[],
    figures: FIGURES,
};

const COMMUNICATION: &[Ambiguity] = &[Ambiguity {
    key: "communication",
    values: &["1", "0.75", "0.5"],
}];

const MEAN_BANDWIDTHS: Pair = ("x", "bandwidth_mbps:100,200,300,400,500");
const LOADS: Pair = ("x", "load:0.1:1:0.1");

macro_rules! of_its_kind {
    ($($more:expr),+) => {
        &[
            ("k", "12"),
            ("slots", "4"),
            ("oversubscription", "3.162"),
            ("size", "exponential:12"),
            ("runtime", "exponential:3600"),
            ("jobs", "1000"),
            $($more),+
        ]
    };
}

const BATCH: &[Pair] = of_its_kind!(
    MEAN_BANDWIDTHS,
    ("load", "as-logged"),
    ("interarrival", "constant:0"),
    ("policy", "fcfs+oktopus,fcfs+oktopus(guarantee=0)")
);

const OF_ARRIVALS: Pair = ("policy", "none+oktopus,none+oktopus(guarantee=0)");
const THIN: &[Pair] = of_its_kind!(LOADS, OF_ARRIVALS, ("bandwidth_mbps", "200"));
const THICK: &[Pair] = of_its_kind!(LOADS, OF_ARRIVALS, ("bandwidth_mbps", "500"));

const BATCH_CLAIMS: &[CurveClaim] = &[Claim {
    id: "sooner",
    text: "A batch of jobs is completed sooner with virtual clusters than with the baseline.",
    check: &Leads {
        policies: &[BATCH_CLUSTERS],
        than: &[BATCH_BASELINE],
        extent: Extent::Always,
    },
}];

const ACCEPT_CLAIMS: &[CurveClaim] = &[Claim {
    id: "more",
    text: "More jobs are accepted with virtual clusters than with the baseline.",
    check: &Leads {
        policies: &[CLUSTERS],
        than: &[BASELINE],
        extent: Extent::Generally,
    },
}];

macro_rules! caption {
    ($jobs:literal) => {
        concat!(
            $jobs,
            " Section 5 of the paper simulates three levels of switches, four machines a server, links of 1 Gbit/s \
             and a total oversubscription of 10 : 1 above the servers; these parameters were not compared with \
             the paper's full text, which was not at hand. Ours are a fat-tree of 432 servers in place of \
             16,000, sizes of 12 machines on average in place of 49, bandwidths around their mean in place of \
             exponential ones, and run times of an hour on average. In the paper a job ends when both its \
             computation and its communication have ended; here it does one after the other, in shares that \
             are the interpretations."
        )
    };
}

const OF_A_BATCH: &str = caption!("All jobs are there at the beginning and start in their order.");
const OF_ARRIVING: &str = caption!("Jobs that arrive at random start at once or are rejected.");

/// A figure of jobs of that kind, under every share of communication.
const fn figure(
    names: [&'static str; 3],
    (pairs, caption): (&'static [Pair], &'static str),
    metric: &'static str,
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        ambiguities: COMMUNICATION,
        ..Sweep::plain([pairs, &[]], metric, claims)
    };
    sweep.figure(names, caption)
}

const FIGURES: &[Figure] = &[
    figure(
        [
            "p6-batch",
            "Section 5, a batch of jobs",
            "Time until all jobs are completed, by mean bandwidth",
        ],
        (BATCH, OF_A_BATCH),
        "makespan",
        BATCH_CLAIMS,
    ),
    figure(
        [
            "p6-accept-200",
            "Section 5, jobs of 200 Mbit/s that arrive",
            "Accept rate by load",
        ],
        (THIN, OF_ARRIVING),
        "accept_rate",
        ACCEPT_CLAIMS,
    ),
    figure(
        [
            "p6-accept-500",
            "Section 5, jobs of 500 Mbit/s that arrive",
            "Accept rate by load",
        ],
        (THICK, OF_ARRIVING),
        "accept_rate",
        ACCEPT_CLAIMS,
    ),
];
