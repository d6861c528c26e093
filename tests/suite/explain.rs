//! Why jobs were rejected or wait: every statement checked by other means.

use std::collections::BTreeMap;

use backfill_experiment::inspect::explain::{
    Explanation, InTheWay, Possible, SlowedDuring, Statement, explain, longest,
};
use backfill_experiment::inspect::playback::slowed_over;
use backfill_experiment::inspect::usage::LinkUsage;
use backfill_experiment::study::sweep::{CellRun, parts};
use backfill_sim::decimal::Decimal;
use backfill_sim::engine::Engine;
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::{After, Jobs};
use backfill_sim::machine::System;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Keep, Replay, fat_tree_placer, list_policy};
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::multi_cluster::MultiClusterSpec;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::Arrivals;
use backfill_tests::embedding::asked;
use backfill_tests::explained::{Checked, check, check_on_clusters};
use backfill_tests::runs::{
    POLICIES, allocations_of, finish, job, one_point, outcomes_of, random_jobs, setup,
};
use backfill_tests::sharing::filled;

/// Explains every refused job of a run of 2,000.
fn refused(pairs: &[(&str, &str)], checked: &mut Checked) -> usize {
    let all = [&[("jobs", "2000"), ("x", "none"), ("reps", "1")], pairs].concat();
    let (scenario, cell) = one_point(&all);
    let (setup, jobs) = parts(&scenario, cell, None).expect("jobs");
    let run = CellRun::new(&scenario, cell, None, Keep::Allocations).expect("jobs");
    let (_, replay) = run.finish();
    let outcomes = outcomes_of(&replay.record);
    let refused: Vec<JobId> = outcomes
        .iter_enumerated()
        .filter(|(_, outcome)| !matches!(outcome, Outcome::Ran { .. }))
        .map(|(id, _)| id)
        .collect();
    for &id in &refused {
        let explanation = explain(&setup, jobs.clone(), id, None);
        assert_eq!(explanation.at, jobs[id].submit);
        check(&setup, &replay, &explanation, checked);
    }
    refused.len()
}

#[test]
fn every_refused_job_of_2000_has_an_explanation_that_is_true() {
    let mut checked = Checked::default();
    let mut explained = 0;
    let all = [
        ("none+adaba", "aggregated", "0.8", "300"),
        ("none+oktopus", "single-root", "0.7", "300"),
        ("none+greedy", "aggregated", "0.6", "300"),
        ("none+first-fit", "single-root", "1.5", "200"),
        ("none+best-fit", "aggregated", "1.5", "250"),
        ("none+adaba", "single-root", "1.5", "350"),
        ("none+min-max-dp", "single-root", "1.1", "250"),
    ];
    let some = if backfill_tests::long() {
        &all[..]
    } else {
        &all[..3]
    };
    for &(placement, fabric, load, mbps) in some {
        let pairs = [
            ("policy", placement),
            ("fabric", fabric),
            ("load", load),
            ("bandwidth_mbps", mbps),
        ];
        explained += refused(&pairs, &mut checked);
    }
    assert!(explained > 300, "only {explained}");
    let Checked {
        infeasible,
        missed,
        links,
        later,
        ..
    } = checked;
    for count in [infeasible, missed, links, later] {
        assert!(count > 10, "{checked:?}");
    }
}

/// When a job is asked after: as it arrives where it never runs, else whenever it begins to wait
/// and half way to its next start.
fn instants(jobs: &Jobs, replay: &Replay, id: JobId) -> Vec<Time> {
    let mut since = jobs[id].submit;
    if !matches!(replay.record.histories[id].outcome, Outcome::Ran { .. }) {
        return vec![since];
    }
    let mut instants = Vec::new();
    let allocations = allocations_of(&replay.record);
    for allocation in allocations.iter().filter(|allocation| allocation.job == id) {
        if since < allocation.start {
            instants.extend([since, Time((since.0 + allocation.start.0) / 2)]);
        }
        since = allocation.end;
    }
    instants
}

/// Small trees and unkind jobs, where everything happens that can.
#[test]
fn every_refused_or_waiting_job_of_random_runs_has_an_explanation_that_is_true() {
    let mut checked = Checked::default();
    for round in 0..3 {
        let lists = [
            ("list", "(order=-wait/estimate*size,behind=reserve)"),
            ("list", "(order=size/wait)"),
            ("list", "(order=-bandwidth,behind=reserve,depth=3)"),
        ];
        for (queue, own) in POLICIES.into_iter().chain(lists) {
            for placement in ["adaba", "greedy", "first-fit"] {
                for fabric in ["aggregated", "single-root"] {
                    for (k, slots) in [("2", "6"), ("4", "2"), ("4", "1")] {
                        let policy = format!("{queue}+{placement}{own}");
                        let setup = setup(&[
                            ("policy", &policy),
                            ("fabric", fabric),
                            ("k", k),
                            ("slots", slots),
                        ]);
                        let mut jobs = random_jobs(round, setup.system.capacity().slots);
                        for id in jobs.ids() {
                            jobs[id].number = u64::from(id.0) + 1;
                        }
                        let replay = finish(&setup, &jobs).replay;
                        for id in jobs.ids() {
                            let instants = instants(&jobs, &replay, id);
                            for at in instants {
                                let explanation = explain(&setup, jobs.clone(), id, Some(at));
                                check(&setup, &replay, &explanation, &mut checked);
                            }
                        }
                    }
                }
            }
        }
    }
    let Checked {
        infeasible,
        missed,
        too_few,
        scattered,
        links,
        later,
        behind,
        fits,
        delays,
        in_order,
        delays_one,
        reserved,
        ..
    } = checked;
    for count in [
        infeasible, missed, too_few, scattered, links, later, behind, fits, delays, in_order,
        delays_one, reserved,
    ] {
        assert!(count > 0, "{checked:?}");
    }
}

/// Small clusters under every placement, first jobs first or not.
#[test]
fn every_refused_or_waiting_job_on_clusters_has_an_explanation_that_is_true() {
    let mut checked = Checked::default();
    let placements = [
        "no-share",
        "migration-only",
        "first-fit",
        "first-fit(sharing=fixed)",
        "a1",
        "a1(lslt=40)",
        "b1",
        "b2(lslt=60)",
        "b3",
        "b3(chunk=60,lslt=80)",
        "b4",
    ];
    for seed in 0..8 {
        for placement in placements {
            for queue in ["fpfs", "fcfs"] {
                let policy = format!("{queue}+{placement}");
                let setup = setup(&[
                    ("system", "multi-cluster"),
                    ("nodes_per_cluster", "9+5+7"),
                    ("clusters", "3"),
                    ("policy", &policy),
                ]);
                let mut jobs = random_jobs(seed, 21);
                for id in jobs.ids() {
                    jobs[id].number = u64::from(id.0) + 1;
                    jobs[id].home = id.0 * 7 % 3;
                }
                let replay = finish(&setup, &jobs).replay;
                // The plain reference needs the penalty only to advance jobs.
                let mut reference = setup.clone();
                if let SystemSpec::MultiCluster(MultiClusterSpec { penalty, .. }) =
                    &mut reference.system
                {
                    penalty.get_or_insert(Decimal::whole(1));
                }
                for id in jobs.ids() {
                    for at in instants(&jobs, &replay, id) {
                        let explanation = explain(&setup, jobs.clone(), id, Some(at));
                        check_on_clusters(&reference, &replay, &explanation, &mut checked);
                    }
                }
            }
        }
    }
    let Checked {
        infeasible,
        unplaceable,
        later,
        behind,
        fits,
        ..
    } = checked;
    let counts = [infeasible, unplaceable, later, behind, fits];
    for count in counts.into_iter().chain(checked.barriers) {
        assert!(count > 10, "{checked:?}");
    }
}

/// Two clusters of four nodes: each job before the third takes three of one. Their links are idle,
/// but the limit is 40 % of 1000 Mbit/s, and any split of job 3 needs more.
#[test]
fn sentences_on_clusters_worked_by_hand() {
    let mut jobs = vec![job(0, 3, 10), job(1, 3, 10), job(2, 2, 10)];
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
        job.bandwidth = Kbps(800_000);
    }
    jobs[1].home = 1;
    let jobs = backfill_sim::job::sorted(jobs);
    let said = |placement: &str| {
        let policy = format!("fpfs+{placement}");
        let setup = setup(&[
            ("system", "multi-cluster"),
            ("clusters", "2"),
            ("nodes_per_cluster", "4"),
            ("policy", &policy),
        ]);
        explain(&setup, jobs.clone(), JobId(2), None).to_string()
    };
    let later = "By estimates it would fit at 10 s, once one running job has ended, if nothing more \
                 started.";
    assert_eq!(
        said("a1(lslt=40)"),
        format!(
            "Job 3 asks for 2 nodes. At 2 s no cluster has 2 nodes free, and every split would load \
             a link above 40 %: cluster 0 has 1 node free, of which it may have 0 \
             (link: 0 of 1000 Mbit/s), cluster 1 has 1 node free, of which it may have 0 (link: 0 of \
             1000 Mbit/s). {later}"
        )
    );
    assert_eq!(
        said("no-share"),
        format!(
            "Job 3 asks for 2 nodes. At 2 s its home cluster does not have 2 nodes free: cluster 0 has 1 \
             node free. {later}"
        )
    );
    assert_eq!(
        said("b3(chunk=80)"),
        format!(
            "Job 3 asks for 2 nodes. At 2 s no cluster has 2 nodes free, and none whose link is \
             loaded below 100 % has 2 nodes free for the big chunk: cluster 0 has 1 node free \
             (link: 0 of 1000 Mbit/s), cluster 1 has 1 node free (link: 0 of 1000 Mbit/s). {later}"
        )
    );
}

/// Four nodes: job 1 takes three of them, job 2 needs two and waits, job 3 needs one and would keep
/// it for too long, job 4 needs one and starts.
#[test]
fn sentences_on_nodes_worked_by_hand() {
    let mut jobs = vec![job(0, 3, 10), job(1, 2, 10), job(2, 1, 100), job(3, 5, 1)];
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
    }
    let jobs = backfill_sim::job::sorted(jobs);
    let said = |queue: &str, job: u32, at: Option<u64>| {
        let setup = setup(&[("system", "nodes"), ("nodes", "4"), ("policy", queue)]);
        let at = at.map(|seconds| Time(seconds * MICROS));
        explain(&setup, jobs.clone(), JobId(job), at).to_string()
    };
    assert_eq!(
        said("fcfs", 1, None),
        "Job 2 asks for 2 nodes. At 1 s only 1 node is free. By estimates it would fit at 10 s, \
         once one running job has ended, if nothing more started."
    );
    assert_eq!(
        said("fcfs", 2, None),
        "Job 3 asks for 1 node. At 2 s one job is ahead of it in the queue, which is blocked by \
         job 2. At 2 s a placement exists for it: 1 on node 3."
    );
    assert_eq!(
        said("none", 3, None),
        "Job 4 asks for 5 nodes. It does not fit even on the empty system. It would fit with at \
         most 4 nodes."
    );
    assert_eq!(
        said("fcfs", 0, Some(5)),
        "Job 1 asks for 3 nodes. At 5 s it is running, since 0 s."
    );
    assert_eq!(
        said("fcfs", 0, Some(10)),
        "Job 1 asks for 3 nodes. It ended at 10 s."
    );
    assert_eq!(
        said("fcfs", 1, Some(0)),
        "Job 2 asks for 2 nodes. It arrives at 1 s."
    );
}

/// Three nodes: two run, the head needs three, and the third job would keep the last node beyond
/// the instant at which the head can start.
#[test]
fn a_job_that_would_delay_the_head_is_explained() {
    let mut jobs = vec![job(0, 2, 10), job(1, 3, 10), job(2, 1, 100)];
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
    }
    let setup = setup(&[("system", "nodes"), ("nodes", "3"), ("policy", "easy")]);
    let jobs = backfill_sim::job::sorted(jobs);
    let explanation = explain(&setup, jobs, JobId(2), None);
    let expected = Statement::WouldDelay {
        tried: Time(2 * MICROS),
        head: 2,
        shadow: Time(10 * MICROS),
        end: Time(102 * MICROS),
    };
    assert_eq!(explanation.statements, [expected]);
    assert_eq!(
        explanation.to_string(),
        "Job 3 asks for 1 node. At 2 s a placement existed for it, but by its estimate it would have \
         ended at 102 s; job 2, the first that does not fit, can start at 10 s, and index would then \
         find no placement for job 2."
    );
}

/// Two servers of three slots, one in each pod, so that all links of a pod carry the same. Two
/// machines without bandwidth fill each for a while, so that job 3 has one machine on each and
/// takes 900 of 1000 Mbit/s. Then two slots are free on each; job 4 needs 200 on all links.
#[test]
fn links_in_the_way_worked_by_hand() {
    let setup = setup(&[("k", "2"), ("slots", "3"), ("policy", "none+first-fit")]);
    let mut jobs = vec![job(0, 2, 5), job(1, 2, 4), job(2, 2, 10), job(6, 3, 10)];
    jobs[2].bandwidth = Kbps(900_000);
    jobs[3].bandwidth = Kbps(200_000);
    let jobs = backfill_sim::job::sorted(jobs);
    let explanation = explain(&setup, jobs, JobId(3), None);
    let [
        Statement::Links { links },
        Statement::FitsLater { time, ended: 1 },
    ] = &explanation.statements[..]
    else {
        panic!("{explanation}");
    };
    assert_eq!(*time, Time(12 * MICROS));
    let mut found: Vec<_> = links
        .iter()
        .map(|link| (link.link.0, link.residual.0, link.need.0))
        .collect();
    found.sort_unstable();
    let expected: Vec<(u32, u64, u64)> = (0..6).map(|link| (link, 100_000, 200_000)).collect();
    assert_eq!(found, expected);
    assert_eq!(links[0].name, "server 0 – edge switch 0 of pod 0");
}

/// The words of a system: the keys that make it one of four slots, its unit, the words after it in
/// a sentence, the first free slot behind three taken ones, and its placement.
struct Words {
    keys: &'static str,
    unit: &'static str,
    each: &'static str,
    place: &'static str,
    placement: &'static str,
}

const SYSTEMS: [Words; 5] = [
    Words {
        keys: "k=2;slots=2",
        unit: "slot",
        each: " of 0 Mbit/s each",
        place: "server 1",
        placement: "adaba",
    },
    Words {
        keys: "system=nodes;nodes=4",
        unit: "node",
        each: "",
        place: "node 3",
        placement: "index",
    },
    Words {
        keys: "system=multi-cluster;clusters=2;nodes_per_cluster=2",
        unit: "node",
        each: "",
        place: "cluster 1",
        placement: "first-fit",
    },
    Words {
        keys: "system=pool;vms=2;centres=2",
        unit: "machine",
        each: "",
        place: "centre 1",
        placement: "count",
    },
    Words {
        keys: "system=tree;tree=(2,2)",
        unit: "slot",
        each: " of 0 Mbit/s each",
        place: "node 3",
        placement: "slurm-tree",
    },
];

impl Words {
    fn said(&self, policy: &str, jobs: &Jobs, job: u32, at: Option<u64>) -> String {
        let keys = self.keys.split(';');
        let pairs = keys.map(|pair| pair.split_once('=').expect("key=value"));
        let pairs: Vec<_> = pairs.chain([("policy", policy)]).collect();
        let at = at.map(|seconds| Time(seconds * MICROS));
        explain(&setup(&pairs), jobs.clone(), JobId(job), at).to_string()
    }
}

/// Every reason that all systems have, in the words of each: servers have slots, plain nodes and
/// clusters nodes, centres machines. The first job leaves one of four, the second needs all, the
/// third would fit and runs for long, the fourth is too large. The fifth is submitted 100 s after
/// the end of the first.
#[test]
fn every_reason_is_said_in_the_words_of_the_system() {
    let mut jobs = vec![
        job(0, 3, 10),
        job(1, 4, 10),
        job(2, 1, 100),
        job(3, 9, 1),
        job(5, 1, 10),
    ];
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
    }
    jobs[4].after = Some(Box::new(After {
        jobs: vec![JobId(0)],
        think: Span(100 * MICROS),
    }));
    let jobs = backfill_sim::job::sorted(jobs);
    for words in &SYSTEMS {
        let Words {
            unit,
            each,
            place,
            placement,
            ..
        } = words;
        let (too_few, fits) = match *placement {
            "first-fit" => (
                "fewer than 4 nodes are free in all clusters together: cluster 0 has 0 nodes free \
                 (link: 0 of 1000 Mbit/s), cluster 1 has 1 node free (link: 0 of 1000 Mbit/s)"
                    .to_owned(),
                "Under first-fit it does not fit",
            ),
            _ => (format!("only 1 {unit} is free"), "It does not fit"),
        };
        let cases = [
            ("fcfs", 1, Some(0), "It arrives at 1 s.".to_owned()),
            ("fcfs", 0, Some(5), "At 5 s it is running, since 0 s.".to_owned()),
            ("fcfs", 0, Some(10), "It ended at 10 s.".to_owned()),
            (
                "fcfs",
                3,
                None,
                format!("{fits} even on the empty system. It would fit with at most 4 {unit}s."),
            ),
            (
                "none",
                1,
                None,
                format!(
                    "At 1 s {too_few}. By estimates it would fit at 10 s, once one running job has \
                     ended, if nothing more started."
                ),
            ),
            (
                "fcfs",
                2,
                None,
                format!(
                    "At 2 s one job is ahead of it in the queue, which is blocked by \
                     job 2. At 2 s a placement exists for it: 1 on {place}."
                ),
            ),
            (
                "easy",
                2,
                None,
                format!(
                    "At 2 s a placement existed for it, but by its estimate it would have ended at \
                     102 s; job 2, the first that does not fit, can start at 10 s, and {placement} would \
                     then find no placement for job 2."
                ),
            ),
            (
                "fcfs",
                4,
                Some(2),
                "At 2 s it has not been submitted yet: that comes 100 s after the end of job 1, and \
                 not before 5 s."
                    .to_owned(),
            ),
            (
                "fcfs",
                4,
                Some(7),
                "At 7 s it has not been submitted yet: that comes 100 s after the end of job 1."
                    .to_owned(),
            ),
            ("fcfs", 4, Some(50), "It arrives at 110 s.".to_owned()),
            (
                "fcfs",
                4,
                None,
                "It was submitted at 110 s, 100 s after the end of job 1, and not at 5 s as the log \
                 says. At 110 s it is running, since 110 s."
                    .to_owned(),
            ),
        ];
        for (policy, job, at, reasons) in cases {
            let asked = match jobs[JobId(job)].size {
                1 => format!("1 {unit}"),
                size => format!("{size} {unit}s"),
            };
            let expected = format!("Job {} asks for {asked}{each}. {reasons}", job + 1);
            assert_eq!(words.said(policy, &jobs, job, at), expected);
        }
    }
}

/// The reasons that only links have, and those of a placement.
#[test]
fn reasons_on_a_fat_tree_alone_use_its_words() {
    let possible = || Possible {
        shares: vec![(0, 2), (3, 1)],
        reservations: Vec::new(),
    };
    let in_the_way = |name: &str| InTheWay {
        link: LinkId(0),
        name: name.to_owned(),
        residual: Kbps(100_000),
        need: Kbps(200_000),
    };
    for (statement, sentence) in [
        (
            Statement::Infeasible {
                largest_size: 2,
                largest_bandwidth: Some(Kbps(1_500)),
            },
            "It does not fit even on the empty system. It would fit with at most 2 slots at this \
             bandwidth, or at this size with at most 1.5 Mbit/s each.",
        ),
        (
            Statement::Unplaceable {
                possible: Some(possible()),
            },
            "greedy finds no placement for it on the empty system, although one exists: 2 on server 0, 1 on \
             server 3.",
        ),
        (
            Statement::Unplaceable { possible: None },
            "greedy finds no placement for it on the empty system; no exact test applies here, so \
             whether one exists is unknown.",
        ),
        (
            Statement::Missed {
                possible: possible(),
            },
            "At 7 s a placement exists that greedy did not find: 2 on server 0, 1 on server 3.",
        ),
        (
            Statement::NotFound,
            "At 7 s greedy finds no placement; no exact test applies here, so whether one exists is \
             unknown.",
        ),
        (
            Statement::TooFewSlots { free: 0 },
            "At 7 s no slot is free.",
        ),
        (
            Statement::Scattered { free: 4 },
            "At 7 s 4 slots are free, but so fragmented that it would not fit even if nothing were \
             reserved on any link.",
        ),
        (
            Statement::Links {
                links: vec![in_the_way("A")],
            },
            "At 7 s it would fit if this link had no reservations, but not if it kept its \
             reservations: A (100 Mbit/s left, 200 Mbit/s needed).",
        ),
        (
            Statement::Links {
                links: vec![in_the_way("A"), in_the_way("B")],
            },
            "At 7 s it would fit if these links had no reservations, but not if any one of them \
             kept its reservations: A (100 Mbit/s left, 200 Mbit/s needed), B (100 Mbit/s left, 200 Mbit/s \
             needed).",
        ),
    ] {
        let explanation = Explanation {
            number: 8,
            job: JobId(0),
            size: 3,
            bandwidth: Some(Kbps(250_000)),
            unit: "slot",
            part: "server",
            spread_by_placement: false,
            placement: "greedy".to_owned(),
            at: Time(7 * MICROS),
            statements: vec![statement],
        };
        let expected = format!("Job 8 asks for 3 slots of 250 Mbit/s each. {sentence}");
        assert_eq!(explanation.to_string(), expected);
    }
}

/// Where no exact test applies, it is known all the same that a job finds no place among fewer
/// slots than it asks for.
#[test]
fn too_few_slots_are_reported_without_an_exact_test() {
    let mut jobs = vec![job(0, 3, 10), job(1, 2, 10), job(3, 9, 1)];
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
    }
    let jobs = backfill_sim::job::sorted(jobs);
    let tree = &SYSTEMS[0];
    let said = |job| tree.said("none+first-fit(hide_aware=off)", &jobs, job, None);
    assert_eq!(
        said(1),
        "Job 2 asks for 2 slots of 0 Mbit/s each. At 1 s only 1 slot is free."
    );
    assert_eq!(
        said(2),
        "Job 3 asks for 9 slots of 0 Mbit/s each. It does not fit even on the empty system. It \
         would fit with at most 4 slots."
    );
}

#[test]
fn a_list_of_ones_own_says_what_its_order_gives() {
    let setup = setup(&[
        ("system", "nodes"),
        ("nodes", "4"),
        ("policy", "list(order=wait/estimate*size,behind=reserve)"),
    ]);
    // At 2 s the second job has 1/8·2, the third, which has just arrived, 0.
    let mut jobs = backfill_sim::job::sorted(vec![job(0, 4, 10), job(1, 2, 8), job(2, 1, 2)]);
    for id in jobs.ids() {
        jobs[id].number = u64::from(id.0) + 1;
    }
    let said = |id: u32| {
        let at = Some(Time(3 * MICROS));
        explain(&setup, jobs.clone(), JobId(id), at).to_string()
    };
    let second = said(1);
    let order = "Its value in the queue order is 0.25; that of the job before it, job 3, is 0.";
    assert!(second.contains(order), "{second}");
    let third = said(2);
    let order = "Its value in the queue order is 0; it is first in the queue.";
    assert!(third.contains(order), "{third}");
}

/// A job that has less than it asks for of the links on its way, by a plain filling.
#[derive(Debug, PartialEq)]
struct Held {
    share: f64,
    link: LinkId,
    with: Vec<JobId>,
}

/// The jobs that are held up at each instant of a run at which anything happens, by a plain filling
/// of the links by what runs then.
fn held_up(setup: &Setup, jobs: &Jobs, percent: u32) -> BTreeMap<Time, BTreeMap<JobId, Held>> {
    let arrivals = Arrivals::from(jobs.clone());
    let policy = list_policy(setup, fat_tree_placer(setup, &arrivals));
    let tree = setup.system.fat_tree().expect("a fat-tree").build();
    let cost = setup.options.migration_cost;
    let mut engine = Engine::new(tree, Box::new(policy), arrivals, cost, false);
    let mut found = BTreeMap::new();
    loop {
        let ended = engine.advance(1);
        let cx = engine.context();
        let tree = cx.system();
        let capacity: Vec<u64> = tree.links().iter().map(|link| link.0).collect();
        let running: Vec<JobId> = cx.running().iter().copied().collect();
        let demand = |&job: &JobId| asked(tree, &cx.request(job), cx.place(job).expect("it runs"));
        let demands: Vec<Vec<u64>> = running.iter().map(demand).collect();
        let mut now = BTreeMap::new();
        let filled = filled(&capacity, percent, &demands);
        for (&job, (share, link)) in running.iter().zip(filled) {
            let Some(link) = link else { continue };
            let others = running.iter().zip(&demands);
            let others = others.filter(|(other, demand)| **other != job && demand[link] > 0);
            let held = Held {
                share,
                link: LinkId::new(link),
                with: others.map(|(other, _)| *other).collect(),
            };
            now.insert(job, held);
        }
        // Of several passes at one instant the last one counts.
        found.insert(cx.now(), now);
        if ended {
            return found;
        }
    }
}

/// The link that is named, the jobs on it and the share, at any instant of any stay, and over it.
#[test]
fn who_is_slowed_is_told_the_link_and_the_jobs_that_a_plain_filling_finds() {
    let (mut explained, mut covered, mut paying) = (0, 0, 0);
    for seed in 0..if backfill_tests::long() { 240 } else { 24 } {
        let fabric = ["aggregated", "single-root"][seed as usize % 2];
        let percent = [0, 40][seed as usize / 2 % 2];
        let guarantee = percent.to_string();
        let queue = ["fcfs", "easy", "bgmbf"][seed as usize / 4 % 3];
        let policy = format!("{queue}+adaba");
        let mut keys = vec![
            ("k", "4"),
            ("slots", "2"),
            ("fabric", fabric),
            ("guarantee", &guarantee),
            ("policy", &policy),
        ];
        if queue == "bgmbf" {
            keys.push(("migration_cost_s", "2"));
        }
        let setup = setup(&keys);
        let mut jobs = random_jobs(seed, setup.system.capacity().slots);
        for id in jobs.ids() {
            jobs[id].number = u64::from(id.0) + 1;
        }
        let number = |job: &JobId| jobs[*job].number;
        let expected = held_up(&setup, &jobs, percent);
        let replay = finish(&setup, &jobs).replay;
        let (replay, usage) = LinkUsage::taken(replay, &setup);
        let usage = usage.expect("links are shared");
        for stay in allocations_of(&replay.record) {
            let stretches = usage.slow_stretches(stay);
            for (&at, held) in expected.range(stay.start..stay.end) {
                let held = held.get(&stay.job);
                let works = at >= stay.works_from;
                let covers = stretches
                    .iter()
                    .find(|each| each.from <= at && at < each.until);
                let found = covers.map(|each| Held {
                    share: each.share,
                    link: each.limit.link,
                    with: each.limit.with.clone(),
                });
                assert_eq!(
                    found.as_ref(),
                    held.filter(|_| works),
                    "seed {seed} at {at}"
                );
                covered += usize::from(found.is_some());
                if explained > 200 && works {
                    continue;
                }
                let explanation = explain(&setup, jobs.clone(), stay.job, Some(at));
                let said = &explanation.statements[1..];
                match (works, held) {
                    (false, _) => {
                        let until = stay.works_from;
                        assert_eq!(said, [Statement::Paying { until }], "{explanation}");
                        paying += 1;
                    }
                    (true, None) => assert_eq!(said, [], "{explanation}"),
                    (true, Some(held)) => {
                        let [
                            Statement::Slowed {
                                share, link, with, ..
                            },
                        ] = said
                        else {
                            panic!("seed {seed} at {at}: {explanation}");
                        };
                        let numbers: Vec<u64> = held.with.iter().map(number).collect();
                        assert_eq!((*share, *link), (held.share, held.link), "{explanation}");
                        assert_eq!(*with, numbers, "{explanation}");
                        explained += 1;
                    }
                }
            }
        }
    }
    assert!(
        explained > 200 && covered > 1000 && paying > 20,
        "{explained} {covered} {paying}"
    );
}

/// Two servers of two slots, of which the first four jobs leave one each free at 5 s and at 6 s, so
/// that jobs 5 and 6 have a machine on each server and ask for all of both links. Job 5 has done 2 s
/// of 10 when job 6 comes; then both go at two thirds of their speed.
#[test]
fn over_an_allocation_a_job_names_when_it_is_slowed() {
    let mut jobs = vec![
        job(0, 1, 4),
        job(0, 2, 2),
        job(1, 1, 5),
        job(3, 1, 3),
        job(5, 2, 10),
        job(7, 2, 10),
    ];
    for (number, job) in (1..).zip(&mut jobs) {
        job.number = number;
        if number > 4 {
            job.bandwidth = Kbps(1_000_000);
        }
    }
    let jobs = backfill_sim::job::sorted(jobs);
    let keys = [("k", "2"), ("slots", "2"), ("policy", "fcfs+first-fit")];
    let shared = setup(&[&keys[..], &[("guarantee", "0")]].concat());
    let said = |job: u32| {
        let mut explanation = explain(&shared, jobs.clone(), JobId(job), Some(Time(0)));
        explanation.statements = slowed_over(&shared, jobs.clone(), JobId(job))
            .into_iter()
            .collect();
        explanation.to_string()
    };
    assert_eq!(
        said(4),
        "Job 5 asks for 2 slots of 1000 Mbit/s each. From 7 s to 19 s it is slowed to 66.7 % of its \
         undisturbed speed by the link server 0 – edge switch 0 of pod 0, shared with job 6: it has \
         50.0 % of the bandwidth it asks for."
    );
    // Once job 5 has ended it has all of the link.
    assert!(
        said(5).contains("From 7 s to 19 s it is slowed"),
        "{}",
        said(5)
    );
    assert_eq!(said(0), "Job 1 asks for 1 slot of 0 Mbit/s each.");
    assert_eq!(slowed_over(&setup(&keys), jobs.clone(), JobId(4)), None);
}

/// Of many slow periods the longest are listed, in order of time.
#[test]
fn of_many_slow_periods_the_longest_are_listed_and_the_rest_counted() {
    let stretch = |nth: u64, length: u64| SlowedDuring {
        from: Time(100 * nth),
        until: Time(100 * nth + length),
        share: 0.5,
        speed: 0.5,
        link: LinkId(0),
        name: String::new(),
        with: vec![],
    };
    let lengths = [10, 90, 20, 80, 30, 70, 40, 20];
    let all = (0..).zip(lengths).map(|(nth, length)| stretch(nth, length));
    let (told, more) = longest(all.collect());
    let told: Vec<u64> = told.iter().map(|each| (each.until - each.from).0).collect();
    assert_eq!((&told[..], more), (&[90, 80, 30, 70, 40][..], 3));
}
