//! The experiments of the paper that introduced the orders F1 to F4, and its claims: that they give
//! lower average bounded slowdowns than FCFS, WFP3, UNICEF and SPT.
//!
//! Its experiments are on sequences of fifteen days of jobs, generated or from logs, with and
//! without backfilling; it compares medians over sequences. Here replications replace sequences,
//! and means with the intervals of paired differences replace medians. Arrivals are those of the
//! model or the log; no claim is judged at other loads. `submit` counts from the first job of a
//! sequence, as in its public programs.
//!
//! Its logs, CTC SP2, SDSC Blue, Intrepid and Curie, are not those judged here: its statements on
//! logs are judged on the first fifteen days of two others. The machine has slots only. An
//! experiment is named after its workload, not after the number of its figure in the paper.

use super::check::{CurveClaim, Extent, Leads, Within};
use super::claim::Claim;
use super::figure::{Figure, Paper};
use super::paper_1;
use super::sweep::{Log, Pair, Sweep};

const FCFS: &str = "fcfs+count";
const EASY: &str = "easy+count";
const WFP3: &str = "list+count(order=wfp3)";
const UNICEF: &str = "list+count(order=unicef)";
const SPT: &str = "list+count(order=spt)";
const F1: &str = "list+count(order=f1)";
const F2: &str = "list+count(order=f2)";
const F3: &str = "list+count(order=f3)";
const F4: &str = "list+count(order=f4)";

/// The paper.
pub(super) const PAPER: Paper = Paper {
    name: "Paper 5",
    title: "Obtaining dynamic scheduling policies with simulation and machine learning",
    published: "D. Carastan-Santos, R. Y. de Camargo, International Conference for High Performance \
                Computing, Networking, Storage and Analysis (SC), 2017",
    called: &[("spt", "SPT")],
    figures: FIGURES,
};

/// One of F1 to F4 against each of the others.
macro_rules! claims {
    ($fcfs:ident) => {
        claims!($fcfs; ("f1", "F1", F1) ("f2", "F2", F2) ("f3", "F3", F3) ("f4", "F4", F4))
    };
    ($fcfs:ident; $(($id:literal, $name:literal, $policy:ident))+) => {
        &[$(
            claims!(@ $id, $name, $policy, "fcfs", "FCFS", $fcfs),
            claims!(@ $id, $name, $policy, "wfp3", "WFP3", WFP3),
            claims!(@ $id, $name, $policy, "unicef", "UNICEF", UNICEF),
            claims!(@ $id, $name, $policy, "spt", "SPT", SPT)
        ),+]
    };
    (@ $id:literal, $name:literal, $policy:ident, $than_id:literal, $than_name:literal, $than:ident) => {
        Claim {
            id: concat!($id, "-", $than_id),
            text: concat!($name, " gives lower average bounded slowdowns than ", $than_name, "."),
            check: &Within {
                x: [AS_LOGGED, AS_LOGGED],
                check: &Leads {
                    policies: &[$policy],
                    than: &[$than],
                    extent: Extent::Always,
                },
            },
        }
    };
}

/// Claims without backfilling.
const WITHOUT_BACKFILLING: &[CurveClaim] = claims!(FCFS);

/// Claims with backfilling around the reservation of the first job, for any order.
const WITH_BACKFILLING: &[CurveClaim] = claims!(EASY);

/// The paper's load: arrivals as in the model or the log.
const AS_LOGGED: &str = "as-logged";

const LOADS: Pair = ("x", "load:as-logged,0.6,0.8,1");
const IN_ORDER: Pair = (
    "policy",
    "fcfs,list(order=wfp3),list(order=unicef),list(order=spt),list(order=f1),list(order=f2),\
     list(order=f3),list(order=f4)",
);
const BACKFILLED: Pair = (
    "policy",
    "easy,list(order=wfp3),list(order=unicef),list(order=spt),list(order=f1),list(order=f2),\
     list(order=f3),list(order=f4)",
);
const RESERVED: Pair = ("behind", "reserve");
/// Estimates as users of four machines give them, none below the run time.
const AS_USERS: Pair = ("estimate", "tsafrir");
/// Estimates of the log, also of jobs that ran longer.
const OF_USERS: Pair = ("estimate", "keep");

macro_rules! on_slots {
    ($processors:literal $(, $more:expr)*) => {
        &[
            ("system", "pool"),
            ("vms", $processors),
            ("bandwidth", "none"),
            $($more),*
        ]
    };
}

macro_rules! of_the_model {
    ($processors:literal $(, $more:expr)*) => {
        on_slots!(
            $processors,
            ("workload", "lublin"),
            ("max_size", $processors),
            ("jobs", "1460"),
            LOADS
            $(, $more)*
        )
    };
}

macro_rules! of_a_log {
    ($processors:literal $(, $more:expr)*) => {
        on_slots!($processors, LOADS, ("shake_s", "60") $(, $more)*)
    };
}

/// Fifteen days of KTH-SP2.
static KTH: Log = Log {
    first: "1219",
    look_alike: &[
        ("jobs", "1219"),
        ("runtime", "exponential:5433"),
        ("size", "exponential:10"),
        ("interarrival", "exponential:1063"),
    ],
    ..paper_1::KTH
};

/// Fifteen days of NASA-iPSC.
static NASA: Log = Log {
    first: "2844",
    look_alike: &[
        ("jobs", "2844"),
        ("runtime", "exponential:572"),
        ("size", "pow2:128"),
        ("interarrival", "exponential:456"),
    ],
    ..paper_1::NASA
};

/// A sentence on estimates and backfilling.
macro_rules! known {
    (exact) => {
        "Run times are known; nobody is backfilled."
    };
    (users) => {
        "Users estimate run times; nobody is backfilled."
    };
    (easy) => {
        "Users estimate run times; jobs are backfilled around the first one that cannot start, which in the \
         order of arrival is EASY."
    };
    (exact_easy) => {
        "Run times are known; jobs are backfilled around the first one that cannot start, which in the order of \
         arrival is EASY."
    };
}

macro_rules! model_caption {
    ($processors:literal, $known:ident) => {
        concat!(
            "Jobs of Lublin and Feitelson's model of up to ",
            $processors,
            " processors on a machine of as many, slots without bandwidth. ",
            known!($known),
            " They arrive as in the model, within about fifteen days, or at other loads."
        )
    };
}

macro_rules! log_caption {
    ($processors:literal, $known:ident) => {
        concat!(
            "The first fifteen days of a log, which is not one of the paper's, as logged or scaled to other loads, on a machine of ",
            $processors,
            " processors, slots without bandwidth. ",
            known!($known),
            " Submit times are moved by up to a minute: intervals are over such moves of one sequence, not over \
             sequences."
        )
    };
}

/// One experiment on generated jobs.
const fn of_model(
    names: [&'static str; 3],
    caption: &'static str,
    pairs: &'static [Pair],
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        logarithmic: true,
        ..Sweep::plain([pairs, &[]], "bsd_mean", claims)
    };
    sweep.figure(names, caption)
}

/// One experiment on a log.
const fn of_log(
    names: [&'static str; 3],
    caption: &'static str,
    pairs: &'static [Pair],
    log: &'static Log,
    claims: &'static [CurveClaim],
) -> Figure {
    let sweep = Sweep {
        logarithmic: true,
        log: Some(log),
        ..Sweep::plain([pairs, &[]], "bsd_mean", claims)
    };
    sweep.figure(names, caption)
}

/// The experiments on generated jobs, then those on logs.
const FIGURES: &[Figure] = &[
    of_model(
        [
            "p5-256-exact",
            "Model, 256 processors, run times known",
            "Bounded slowdown without backfilling",
        ],
        model_caption!("256", exact),
        of_the_model!("256", IN_ORDER),
        WITHOUT_BACKFILLING,
    ),
    of_model(
        [
            "p5-256-users",
            "Model, 256 processors, user estimates",
            "Bounded slowdown without backfilling",
        ],
        model_caption!("256", users),
        of_the_model!("256", IN_ORDER, AS_USERS),
        WITHOUT_BACKFILLING,
    ),
    of_model(
        [
            "p5-256-easy",
            "Model, 256 processors, user estimates, backfilling",
            "Bounded slowdown with backfilling",
        ],
        model_caption!("256", easy),
        of_the_model!("256", BACKFILLED, RESERVED, AS_USERS),
        WITH_BACKFILLING,
    ),
    of_model(
        [
            "p5-1024-exact",
            "Model, 1024 processors, run times known",
            "Bounded slowdown without backfilling",
        ],
        model_caption!("1024", exact),
        of_the_model!("1024", IN_ORDER),
        WITHOUT_BACKFILLING,
    ),
    of_model(
        [
            "p5-1024-users",
            "Model, 1024 processors, user estimates",
            "Bounded slowdown without backfilling",
        ],
        model_caption!("1024", users),
        of_the_model!("1024", IN_ORDER, AS_USERS),
        WITHOUT_BACKFILLING,
    ),
    of_model(
        [
            "p5-1024-easy",
            "Model, 1024 processors, user estimates, backfilling",
            "Bounded slowdown with backfilling",
        ],
        model_caption!("1024", easy),
        of_the_model!("1024", BACKFILLED, RESERVED, AS_USERS),
        WITH_BACKFILLING,
    ),
    of_log(
        [
            "p5-kth-exact",
            "Logs, here KTH-SP2, run times known",
            "Bounded slowdown without backfilling",
        ],
        log_caption!("100", exact),
        of_a_log!("100", IN_ORDER),
        &KTH,
        WITHOUT_BACKFILLING,
    ),
    of_log(
        [
            "p5-kth-users",
            "Logs, here KTH-SP2, user estimates",
            "Bounded slowdown without backfilling",
        ],
        log_caption!("100", users),
        of_a_log!("100", IN_ORDER, OF_USERS),
        &KTH,
        WITHOUT_BACKFILLING,
    ),
    of_log(
        [
            "p5-kth-easy",
            "Logs, here KTH-SP2, user estimates, backfilling",
            "Bounded slowdown with backfilling",
        ],
        log_caption!("100", easy),
        of_a_log!("100", BACKFILLED, RESERVED, OF_USERS),
        &KTH,
        WITH_BACKFILLING,
    ),
    of_log(
        [
            "p5-nasa-exact",
            "Logs, here NASA-iPSC, run times known",
            "Bounded slowdown without backfilling",
        ],
        log_caption!("128", exact),
        of_a_log!("128", IN_ORDER),
        &NASA,
        WITHOUT_BACKFILLING,
    ),
    of_log(
        [
            "p5-nasa-easy",
            "Logs, here NASA-iPSC, run times known, backfilling",
            "Bounded slowdown with backfilling",
        ],
        log_caption!("128", exact_easy),
        of_a_log!("128", BACKFILLED, RESERVED),
        &NASA,
        WITH_BACKFILLING,
    ),
];

#[cfg(test)]
mod tests {
    use super::super::{Effort, FigureKind, Interpretation, WorkloadFrom};
    use super::*;
    use backfill_experiment::study::sweep::{cells, parts};
    use backfill_sim::stats::estimate;

    #[test]
    fn as_many_jobs_as_arrive_within_fifteen_days_on_average() {
        for figure in FIGURES {
            let FigureKind::Sweep(sweep) = figure.kind else {
                panic!("{} is no sweep", figure.id);
            };
            if sweep.log.is_some() {
                continue;
            }
            let default = Interpretation::default();
            let scenario = sweep.scenario(&default, Effort::Full, WorkloadFrom::Log);
            let first = cells(&scenario)
                .into_iter()
                .filter(|cell| cell.x == 0 && cell.policy == 0);
            let days = first.map(|cell| {
                let (_, jobs) = parts(&scenario, cell, None).expect("jobs");
                let submits = [jobs.iter().next(), jobs.iter().last()];
                let [from, to] = submits.map(|job| job.expect("a job").submit.seconds());
                (to - from) / 86_400.0
            });
            let days = estimate(&days.collect::<Vec<f64>>()).expect("replications");
            let half = days.half_width.expect("some replications");
            assert!((days.mean - 15.0).abs() < half, "{}: {days:?}", figure.id);
        }
    }
}
