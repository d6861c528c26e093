//! Runs of given jobs, and random jobs that are unkind to schedulers, on every system.

use std::sync::Arc;

use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{Cell, CellRun, Results, cells};
use backfill_sim::id::{IdVec, JobId};
use backfill_sim::job::{Cpu, Job, Jobs, Percent, Process, sorted};
use backfill_sim::machine::System;
use backfill_sim::place::Placer;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt, Parts, Preempt};
use backfill_sim::record::{Allocation, Outcome, Record};
use backfill_sim::rng::Stream;
use backfill_sim::run::{Finished, Keep, Run};
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};

/// The setup of a scenario of one policy and one point, given as `key value` pairs.
///
/// # Panics
/// It is no such scenario.
pub fn setup(pairs: &[(&str, &str)]) -> Setup {
    let pairs = [("x", "none")].iter().chain(pairs).copied();
    let scenario = Scenario::parse(pairs).expect("a valid scenario");
    assert_eq!(scenario.policies().len(), 1, "one policy");
    scenario.setup(None, None, 0)
}

/// A list in the order of arrival, before and behind a blocked job.
pub fn by_arrival<'p, S: System>(
    behind: Behind,
    may_preempt: MayPreempt,
    placer: impl Placer<S> + 'p,
) -> ListPolicy<'p, S> {
    let parts = Parts {
        may_preempt,
        preempt: Preempt::All,
        ..Parts::new(Order::Arrival, behind)
    };
    ListPolicy::new(parts, Box::new(placer))
}

/// A scenario of one run, and its cell.
///
/// # Panics
/// It is no such scenario.
pub fn one_point(pairs: &[(&str, &str)]) -> (Scenario, Cell) {
    let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
    let cells = cells(&scenario);
    let [cell] = cells[..] else {
        panic!("{} cells", cells.len());
    };
    (scenario, cell)
}

/// The outcomes of all cells of a scenario of generated jobs.
///
/// # Panics
/// It is no such scenario.
pub fn results(pairs: &[(&str, &str)]) -> Results {
    let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
    let mut results = Results::new(&scenario);
    for cell in cells(&scenario) {
        let run = CellRun::new(&scenario, cell, None, Keep::Metrics).expect("jobs");
        results.add(run.finish().0);
    }
    results
}

/// The run of `jobs` as `setup` says, with all its allocations.
pub fn finish(setup: &Setup, jobs: &Jobs) -> Finished {
    Run::new(setup, jobs.clone(), Keep::Allocations).finish()
}

/// What became of each job.
pub fn outcomes_of(record: &Record) -> IdVec<JobId, Outcome> {
    let outcomes = record.histories.iter().map(|history| history.outcome);
    outcomes.collect::<Vec<Outcome>>().into()
}

/// All that jobs held, in the order of their starts.
///
/// # Panics
/// Allocations were not kept.
pub fn allocations_of(record: &Record) -> &[Allocation] {
    record.allocations.as_ref().expect("they are kept").all()
}

/// How often each job was restarted or promoted, or a machine of it migrated.
pub fn migrations_of(record: &Record) -> Vec<u32> {
    let histories = record.histories.iter();
    histories.map(|history| history.migrations).collect()
}

/// A job of times in seconds, without bandwidth, its estimate exact.
pub fn job(submit: u64, size: u32, runtime: u64) -> Job {
    Job::new(0, Time(submit * MICROS), size, Span(runtime * MICROS))
}

/// Random jobs for a system of `slots` slots that keep its queue long. Times are whole seconds, so
/// that several things often happen at once; some jobs run for no time, estimates are often wrong
/// in either direction, some jobs are too large, bandwidths repeat.
pub fn random_jobs(seed: u64, slots: u64) -> Jobs {
    let mut stream = Stream::new(seed, 0, "random jobs", 0);
    let mut below = |n| stream.below(n);
    let mut submit = 0;
    let jobs = (0..20 + below(30)).map(|_| {
        submit += [0, 0, 1, 2, 5][below(5) as usize];
        let largest = if below(8) == 0 {
            slots + 4
        } else {
            slots.div_ceil(2)
        };
        let runtime = if below(6) == 0 { 0 } else { below(15) };
        let mut job = job(submit, 1 + below(largest) as u32, runtime);
        job.bandwidth = Kbps(100_000 * below(12));
        if below(3) == 0 {
            job.estimate = Span(below(20) * MICROS);
        }
        job
    });
    sorted(jobs.collect())
}

/// The same jobs, of which every other one leaves the queue after a while, often at an instant at
/// which something else happens, some at once.
pub fn impatient(mut jobs: Jobs, seed: u64) -> Jobs {
    let mut stream = Stream::new(seed, 0, "random patience", 0);
    for id in jobs.ids() {
        if stream.below(2) == 0 {
            jobs[id].patience = Some(Box::new(Span(stream.below(12) * MICROS)));
        }
    }
    jobs
}

/// When a job leaves the queue, in microseconds, if it has not started by then.
pub fn leaves_at(job: &Job) -> Option<u64> {
    let patience = job.patience.as_ref()?;
    Some(job.submit.0 + patience.0)
}

/// Random jobs with what their processes use: often what others use too, or as much as the threshold.
pub fn random_jobs_with_usage(seed: u64, nodes: u64) -> Jobs {
    let mut jobs = random_jobs(seed, nodes);
    let mut stream = Stream::new(seed, 0, "random usage", 0);
    for id in jobs.ids() {
        let process = |_: u32| {
            let usages = [40.0, 60.0, 75.5, 95.999, 96.0, 100.0];
            let usage = usages[stream.below(6) as usize];
            let wrong = stream.below(4) == 0;
            Process {
                usage: Percent(usage),
                reported: Percent(if wrong {
                    usages[stream.below(6) as usize]
                } else {
                    usage
                }),
                overhead: 0.037 * stream.unit(),
            }
        };
        let processes = (0..jobs[id].size).map(process).collect();
        let efficiency = 0.2 + 0.1 * stream.below(7) as f64;
        jobs[id].cpu = Some(Arc::new(Cpu {
            processes,
            efficiency,
        }));
    }
    jobs
}

/// Every policy with every switch that changes its schedule: its queue and its own keys.
pub const POLICIES: [(&str, &str); 24] = [
    ("none", ""),
    ("fcfs", ""),
    ("sbf", ""),
    ("sbf", "(blocked=skip)"),
    ("sdf", ""),
    ("sdf", "(blocked=skip)"),
    ("easy", ""),
    ("fpfs", ""),
    ("bgmbf", ""),
    ("bgmbf", "(migration_cost_s=20)"),
    ("bgmbf", "(promote=off)"),
    ("bgmbf", "(preempt=conflicting)"),
    (
        "bgmbf",
        "(promote=off,preempt=conflicting,migration_cost_s=2)",
    ),
    ("bgmbf-sdf", ""),
    ("bgmbf-sdf", "(promote=off,preempt=conflicting)"),
    ("bgmbf-sdf", "(migration_cost_s=20)"),
    ("cmbf", ""),
    ("cmbf", "(migration_cost_s=2)"),
    ("ambf", ""),
    ("ambf", "(migration_cost_s=2)"),
    ("ljfs", ""),
    ("qljfs", ""),
    ("pljfs", "(period_s=7)"),
    ("pljfs", ""),
];

/// Lists of one's own that differ in what they use.
pub const LISTS: [&str; 9] = [
    "(order=wait/estimate*size,behind=reserve)",
    "(order=-wait*bandwidth,behind=skip)",
    "(order=ln(size-3)+submit)",
    "(order=submit,behind=reserve)",
    "(order=size,behind=reserve,depth=3,backfill_order=estimate)",
    "(behind=reserve,depth=all)",
    "(order=area-load*waiting*wait,behind=reserve,depth=2,may_preempt=head,preempt=conflicting,migration_cost_s=2)",
    "(order=saf,behind=skip,may_preempt=head,migration_cost_s=2)",
    "(order=largest,behind=skip,backfill_order=estimate)",
];

/// Small systems with their placement.
fn systems() -> Vec<(Vec<(&'static str, &'static str)>, &'static str)> {
    let mut systems = vec![
        (vec![("system", "nodes"), ("nodes", "7")], "index"),
        (vec![("system", "nodes"), ("nodes", "32")], "index"),
        (vec![("system", "pool"), ("vms", "7")], "count"),
        (
            vec![
                ("system", "pool"),
                ("vms", "5"),
                ("centres", "3"),
                ("centre_mbps", "1:2:1"),
            ],
            "count",
        ),
    ];
    systems.extend(trees());
    let uneven = ["slurm-tree", "slurm-linear", "adaba", "exact"];
    let uneven = uneven.map(|placement| ("(5,(3,2))(4)+1", placement));
    for (tree, placement) in uneven
        .into_iter()
        .chain([("blocks:2,8:4x2", "slurm-block")])
    {
        let pairs = vec![("system", "tree"), ("tree", tree), ("node_slots", "2")];
        systems.push((pairs, placement));
    }
    for switches in [
        [("switches", "1@20"), ("rule", "24")],
        [("switches", "2@5"), ("rule", "22")],
    ] {
        let pairs = [
            ("system", "tree"),
            ("tree", "((3,2)(2,3))(4)"),
            ("node_slots", "1"),
        ];
        systems.push(([&pairs[..], &switches].concat(), "slurm-tree"));
    }
    systems
}

/// The placements on fat-trees.
pub const ON_FAT_TREES: [&str; 8] = [
    "adaba",
    "oktopus",
    "best-fit",
    "first-fit",
    "greedy",
    "min-max-dp",
    "exact",
    "adaba-exact",
];

/// Those of them that trees have, too.
pub const ON_TREES: [&str; 6] = [
    "adaba",
    "oktopus",
    "best-fit",
    "first-fit",
    "greedy",
    "exact",
];

/// Small fat-trees with every placement.
fn trees() -> impl Iterator<Item = (Vec<(&'static str, &'static str)>, &'static str)> {
    ON_FAT_TREES.into_iter().flat_map(|placement| {
        ["aggregated", "single-root"]
            .into_iter()
            .flat_map(move |fabric| {
                [("2", "6"), ("4", "2"), ("6", "1")].map(|(k, slots)| {
                    let tree = vec![("k", k), ("slots", slots), ("fabric", fabric)];
                    (tree, placement)
                })
            })
    })
}

/// Calls `check` with every policy on every system, and another seed each time.
pub fn on_every_system(mut check: impl FnMut(&Setup, u64)) {
    let mut seed = 0;
    for (system, placement) in systems() {
        let lists = LISTS.iter().map(|own| ("list", *own));
        for (queue, own) in POLICIES.into_iter().chain(lists) {
            let policy = format!("{queue}+{placement}{own}");
            let mut pairs = system.clone();
            pairs.push(("policy", &policy));
            check(&setup(&pairs), seed);
            seed += 1;
        }
    }
}

/// Readings of the fat-tree and of its placements, other than the default: each switch alone, and
/// some together. The first two are for the aggregated fabric only.
const READINGS: [&[(&str, &str)]; 19] = [
    &[("oversubscription", "2")],
    &[
        ("oversubscription", "1.5"),
        ("reservation", "sum"),
        ("hide_aware", "off"),
    ],
    &[("reservation", "sum")],
    &[("reservation", "literal")],
    &[("hide_aware", "off")],
    &[("level0", "on")],
    &[("level0", "off")],
    &[("root", "least-loaded")],
    &[("bmax", "attempted")],
    &[("bmax", "accepted")],
    &[("bmax", "oracle")],
    &[
        ("reservation", "sum"),
        ("root", "least-loaded"),
        ("level0", "on"),
    ],
    &[
        ("reservation", "literal"),
        ("hide_aware", "off"),
        ("bmax", "accepted"),
    ],
    &[
        ("reservation", "sum"),
        ("hide_aware", "off"),
        ("level0", "off"),
    ],
    &[
        ("reservation", "literal"),
        ("root", "least-loaded"),
        ("bmax", "attempted"),
    ],
    &[("guarantee", "0")],
    &[
        ("guarantee", "33"),
        ("communication", "1"),
        ("bmax", "oracle"),
    ],
    &[
        ("guarantee", "60"),
        ("reservation", "sum"),
        ("hide_aware", "off"),
    ],
    &[
        ("guarantee", "25"),
        ("communication", "0.9"),
        ("reservation", "literal"),
    ],
];

/// Calls `check` with every reading of every placement on small fat-trees under policies that
/// differ in how they use it, and another seed each time.
pub fn on_every_reading(mut check: impl FnMut(&Setup, u64)) {
    let mut seed = 0;
    for (tree, placement) in trees() {
        let oversubscribed_ones = if tree.contains(&("fabric", "aggregated")) {
            0
        } else {
            2
        };
        for reading in &READINGS[oversubscribed_ones..] {
            for queue in ["none", "easy", "bgmbf", "bgmbf-sdf"] {
                let policy = format!("{queue}+{placement}");
                let mut pairs = [&tree, *reading].concat();
                pairs.push(("policy", &policy));
                check(&setup(&pairs), seed);
                seed += 1;
            }
        }
    }
}
