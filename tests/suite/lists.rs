//! Composed lists: each named list scheduler is one of them, every order and every depth of
//! reservations is that of a plain reference, and reservations by exact estimates are kept.

use std::collections::BTreeSet;

use backfill_experiment::language::composition::{composed, start};
use backfill_experiment::language::scenario::Scenario;
use backfill_sim::engine::Policy;
use backfill_sim::engine::{Context, Engine};
use backfill_sim::id::JobId;
use backfill_sim::job::{Job, Jobs, sorted};
use backfill_sim::metrics;
use backfill_sim::policy::Queue;
use backfill_sim::policy::expression::Name;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, Parts};
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::run::{Finished, Keep, Run};
use backfill_sim::setup::Setup;
use backfill_sim::system::nodes::Nodes;
use backfill_sim::system::nodes::place::Index;
use backfill_sim::unit::{Kbps, Span, Time};
use backfill_tests::runs::{
    LISTS, finish, job, migrations_of, outcomes_of, random_jobs, random_jobs_with_usage, setup,
};
use backfill_tests::schedule::schedule;

/// Each named list scheduler, as far as it is no more than its parts.
const NAMED: [(&str, &str); 21] = [
    ("fcfs", "order=arrival,behind=stop"),
    ("sbf", "order=bandwidth"),
    ("sbf(blocked=skip)", "order=bandwidth,behind=skip"),
    ("sdf", "order=estimate"),
    ("sdf", "order=spt"),
    ("sdf(blocked=skip)", "order=estimate,behind=skip"),
    ("sdf(blocked=skip)", "order=spt,behind=skip"),
    ("easy", "order=arrival,behind=reserve,depth=1"),
    ("easy", "order=submit,behind=reserve"),
    ("easy", "order=-wait,behind=reserve"),
    ("fpfs", "behind=skip"),
    ("fpfs", "order=submit,behind=skip"),
    ("ljfs", "order=largest,behind=skip"),
    ("qljfs", "order=-size,behind=skip"),
    ("bgmbf", "behind=skip,may_preempt=head,preempt=all"),
    ("bgmbf", "order=-wait,behind=skip,may_preempt=head"),
    (
        "bgmbf(preempt=conflicting,migration_cost_s=2)",
        "behind=skip,may_preempt=head,preempt=conflicting,migration_cost_s=2",
    ),
    (
        "bgmbf-sdf",
        "behind=skip,may_preempt=head,backfill_order=estimate",
    ),
    ("ambf", "behind=skip,may_preempt=head,preempt=conflicting"),
    ("cmbf", "behind=skip,may_preempt=anyone,preempt=conflicting"),
    (
        "cmbf(migration_cost_s=20)",
        "behind=skip,may_preempt=anyone,preempt=conflicting,migration_cost_s=20",
    ),
];

const SYSTEMS: [&[(&str, &str)]; 7] = [
    &[("k", "4"), ("slots", "2")],
    &[("k", "4"), ("slots", "4"), ("fabric", "single-root")],
    &[("k", "2"), ("slots", "6"), ("bmax", "attempted")],
    &[("system", "nodes"), ("nodes", "17")],
    &[("system", "nodes"), ("nodes", "17"), ("tiers", "2")],
    &[("system", "pool"), ("vms", "9"), ("centres", "2")],
    &[
        ("system", "multi-cluster"),
        ("clusters", "3"),
        ("nodes_per_cluster", "8"),
    ],
];

/// The setup of one policy on a system.
fn under(policy: &str, system: &[(&str, &str)]) -> Setup {
    setup(&[system, &[("policy", policy)]].concat())
}

#[test]
fn each_named_list_scheduler_is_one_list() {
    let rounds = if backfill_tests::long() { 60 } else { 6 };
    for (position, system) in SYSTEMS.iter().enumerate() {
        for (named, own) in NAMED {
            let list = under(&format!("list({own})"), system);
            let named = under(named, system);
            for seed in 0..rounds {
                let seed = 100 * seed + position as u64;
                let jobs = random_jobs_with_usage(seed, named.system.capacity().slots);
                let digest = |setup| finish(setup, &jobs).digest;
                assert_eq!(digest(&named), digest(&list), "{own}, {system:?}, {seed}");
            }
        }
    }
}

/// A policy of each kind, and some with keys of their own.
fn policies() -> impl Iterator<Item = String> {
    let plain = Queue::ALL.iter().map(|queue| queue.name().to_owned());
    plain.chain(
        [
            "sbf(blocked=skip)",
            "sdf(blocked=skip)",
            "bgmbf(promote=off)",
            "bgmbf(preempt=conflicting,migration_cost_s=2)",
            "list(order=wfp3,behind=reserve,depth=3,backfill_order=estimate)",
            "list(order=wait*size,behind=skip,may_preempt=head,preempt=conflicting)",
        ]
        .map(str::to_owned),
    )
}

#[test]
fn who_composes_starts_from_the_policy_itself_unless_it_is_said_to_be_more() {
    let rounds = if backfill_tests::long() { 60 } else { 6 };
    let mut more = BTreeSet::new();
    let mut equal = 0;
    for (position, system) in SYSTEMS.iter().enumerate() {
        let scenario = |policy: &str| {
            let pairs = [*system, &[("policy", policy), ("x", "none")]].concat();
            Scenario::parse(pairs)
        };
        for named in policies() {
            let Ok(from) = scenario(&named) else { continue };
            let start = start(&from, 0);
            let further = start.further.into_iter();
            let further: Vec<_> = further
                .map(|(key, value)| (key.to_owned(), value))
                .collect();
            let placement = from.policies()[0].placement;
            let own = composed(&from, placement, &start.parts, &further).expect("valid parts");
            let own = scenario(&own.to_string()).expect("a valid policy");
            if start.remark.is_some() {
                more.insert(named);
                continue;
            }
            equal += 1;
            for seed in 0..rounds {
                let setup = from.setup(None, None, 0);
                let seed = 100 * seed + position as u64;
                let jobs = random_jobs_with_usage(seed, setup.system.capacity().slots);
                let digest = |setup| finish(setup, &jobs).digest;
                let own = own.setup(None, None, 0);
                assert_eq!(digest(&setup), digest(&own), "{named}, {system:?}, {seed}");
            }
        }
    }
    let said = [
        "amcbf",
        "bgmbf(promote=off)",
        "cmcbf",
        "conservative",
        "fair",
        "none",
        "pljfs",
        "zomt",
    ];
    assert_eq!(more, BTreeSet::from(said.map(str::to_owned)));
    assert!(equal > 100, "{equal}");
}

#[test]
fn a_mistake_in_a_part_has_the_column_of_what_was_typed() {
    let scenario = Scenario::default();
    let composed = |order: &str, depth: &str| {
        let mut parts = start(&scenario, 1).parts;
        (parts[0], parts[2]) = (order.to_owned(), depth.to_owned());
        composed(&scenario, scenario.policies()[1].placement, &parts, &[])
    };
    let mistakes = composed(" wait /  runtime", "0").expect_err("two mistakes");
    assert_eq!([mistakes[0].key, mistakes[1].key], ["order", "depth"]);
    let order = &mistakes[0].mistake;
    assert_eq!((order.column, order.end), (10, 17));
    assert_eq!(
        mistakes[1].mistake.why,
        "Reservations must be all or a whole number from 1 to 1000000"
    );
    let empty = composed("", "1").expect_err("no order");
    assert_eq!((empty[0].mistake.column, empty[0].mistake.end), (1, 1));
    let own = composed("wait / estimate", "all").expect("valid parts");
    assert_eq!(
        own.to_string(),
        "list+adaba(order=wait/estimate,behind=reserve,depth=all)"
    );
}

/// A random expression of names, functions and operators.
fn expression(stream: &mut Stream, depth: u32) -> String {
    let mut below = |n| stream.below(n) as usize;
    if depth == 0 || below(4) == 0 {
        let leaves = [
            "size",
            "estimate",
            "bandwidth",
            "submit",
            "wait",
            "area",
            "load",
            "waiting",
            "2",
            "0.5",
        ];
        return leaves[below(10)].to_owned();
    }
    let form = below(10);
    let mut part = || expression(stream, depth - 1);
    match form {
        0 => format!("({}+{})", part(), part()),
        1 | 2 => format!("({}-{})", part(), part()),
        3 | 4 => format!("{}*{}", part(), part()),
        5 | 6 => format!("{}/({})", part(), part()),
        7 => format!("ln({})", part()),
        8 => format!("min({},{})", part(), part()),
        _ => format!("({}<{}?{}:{})", part(), part(), part(), part()),
    }
}

/// Runs jobs as a setup says, here and plainly.
fn compare(setup: &Setup, jobs: &Jobs) -> Finished {
    let finished = finish(setup, jobs);
    let expected = schedule(setup, jobs);
    let record = &finished.replay.record;
    assert_eq!(
        (
            outcomes_of(record).as_slice(),
            migrations_of(record),
            finished.digest
        ),
        (&expected.outcomes[..], expected.migrations, expected.digest),
        "{setup:?}"
    );
    finished
}

#[test]
fn every_order_is_the_queue_sorted_by_its_value_at_every_pass() {
    let rounds = if backfill_tests::long() { 4000 } else { 400 };
    let behind = ["stop", "skip", "reserve", "skip,may_preempt=head"];
    let not_finite = metrics::position("not_finite").expect("a metric");
    let (mut overtaken, mut starts) = (0, 0.0);
    for seed in 0..rounds {
        let mut stream = Stream::new(seed, 0, "orders", 0);
        let order = expression(&mut stream, 1 + (seed % 3) as u32);
        let behind = behind[(seed / 3 % 4) as usize];
        let system = SYSTEMS[[0, 1, 3, 5][(seed % 4) as usize]];
        let setup = under(&format!("list(order={order},behind={behind})"), system);
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        let finished = compare(&setup, &jobs);
        starts += finished.metrics[not_finite].unwrap_or(0.0);
        let fcfs = finish(&under("fcfs", system), &jobs).digest;
        overtaken += usize::from(finished.digest != fcfs);
    }
    assert!(overtaken > rounds as usize / 2, "{overtaken} of {rounds}");
    assert!(starts > 100.0, "{starts} starts without a finite value");
}

/// Job 4 is preferred to job 3 behind the reservation of job 2 for its bandwidth, but only while
/// something runs: without a load both have the same value.
#[test]
fn the_order_of_backfilling_knows_the_load_where_that_of_the_queue_does_not() {
    let jobs: Jobs = [
        (0, 6, 100, 0),
        (1, 10, 100, 0),
        (1, 3, 10, 100),
        (1, 3, 10, 200),
    ]
    .iter()
    .map(|&(submit, size, runtime, mbps)| Job {
        bandwidth: Kbps(1000 * mbps),
        ..job(submit, size, runtime)
    })
    .collect::<Vec<_>>()
    .into();
    let policy = "list(order=arrival,behind=reserve,backfill_order=-load*bandwidth)";
    let setup = under(policy, &[("system", "nodes"), ("nodes", "10")]);
    let starts: Vec<u64> = outcomes_of(&compare(&setup, &jobs).replay.record)
        .iter()
        .map(|outcome| match outcome {
            Outcome::Ran { start, .. } => start.0 / 1_000_000,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(starts, [0, 100, 11, 1]);
}

/// Every name that an expression may hold, in each part that takes an order, beside each of what
/// may happen behind a blocked job.
#[test]
fn every_name_orders_every_part_as_in_the_plain_reference() {
    let rounds = if backfill_tests::long() { 40 } else { 4 };
    for &name in Name::ALL {
        let order = format!("(size<5?-1:1)*{}*bandwidth", name.name());
        let mut moved = 0;
        for parts in [
            format!("order={order},behind=skip"),
            format!("order={order},behind=reserve"),
            format!("order=arrival,behind=skip,backfill_order={order}"),
            format!("order=arrival,behind=reserve,backfill_order={order}"),
            format!("order=estimate,behind=reserve,depth=2,backfill_order={order}"),
            format!("order=arrival,behind=skip,may_preempt=head,backfill_order={order}"),
        ] {
            for system in [SYSTEMS[0], SYSTEMS[1], SYSTEMS[3], SYSTEMS[5]] {
                let setup = under(&format!("list({parts})"), system);
                let plain = parts.replace(&order, "arrival");
                let plain = under(&format!("list({plain})"), system);
                for seed in 0..rounds {
                    let jobs = random_jobs_with_usage(seed, setup.system.capacity().slots);
                    let finished = compare(&setup, &jobs);
                    moved += usize::from(finished.digest != finish(&plain, &jobs).digest);
                }
            }
        }
        assert!(moved > 10, "{}: {moved}", name.name());
    }
}

#[test]
fn reservations_of_every_depth_are_those_of_the_plain_reference() {
    let rounds = if backfill_tests::long() { 400 } else { 40 };
    let mut digests = Vec::new();
    for seed in 0..rounds {
        for system in [SYSTEMS[0], SYSTEMS[1], SYSTEMS[3], SYSTEMS[5]] {
            let depths = ["1", "2", "3", "7", "all"];
            let of_depth = |depth: &&str| {
                let order = ["arrival", "area", "-wait*size"][(seed % 3) as usize];
                let parts = format!("order={order},behind=reserve,depth={depth}");
                let setup = under(&format!("list({parts})"), system);
                let jobs = random_jobs(seed, setup.system.capacity().slots);
                compare(&setup, &jobs).digest
            };
            digests.push(depths.each_ref().map(of_depth));
        }
    }
    for pair in [[0, 1], [1, 2], [2, 3]] {
        let differ = digests.iter().filter(|of| of[pair[0]] != of[pair[1]]);
        assert!(differ.count() > 5, "depths {pair:?} hardly differ");
    }
}

/// A list whose reservations are noted at every pass.
struct Noted {
    list: ListPolicy<'static, Nodes>,
    made: Vec<(JobId, Time)>,
}

impl Policy<Nodes> for Noted {
    fn arrive(&mut self, cx: &mut Context<Nodes>, job: JobId) {
        self.list.arrive(cx, job);
    }

    fn pass(&mut self, cx: &mut Context<Nodes>) {
        self.list.pass(cx);
        self.made.extend(self.list.reserved());
    }
}

/// Every job starts by each instant for which it has ever had a reservation.
#[test]
fn with_exact_estimates_and_slots_alone_no_reservation_is_missed() {
    let mut reserved = 0;
    for seed in 0..60 {
        let nodes = 4 + seed as u32 % 29;
        let mut jobs = random_jobs(seed, u64::from(nodes));
        // Every job runs for some time, so that each instant has a single pass.
        for id in jobs.ids() {
            jobs[id].runtime += job(0, 1, 1).runtime;
            jobs[id].estimate = jobs[id].runtime;
        }
        for depth in [Some(1), Some(2), Some(5), None] {
            let parts = Parts {
                depth,
                ..Parts::new(Order::Arrival, Behind::Reserve)
            };
            let mut noted = Noted {
                list: ListPolicy::new(parts, Box::new(Index)),
                made: Vec::new(),
            };
            let mut engine = Engine::new(
                Nodes::new(nodes),
                Box::new(&mut noted),
                jobs.clone(),
                Span(0),
                false,
            );
            assert!(engine.advance(u64::MAX));
            let (_, _, record) = engine.into_parts();
            reserved += noted.made.len();
            for (id, instant) in noted.made {
                let Outcome::Ran { start, .. } = record.histories[id].outcome else {
                    panic!("{id} has a reservation and does not run");
                };
                assert!(start <= instant, "seed {seed}, depth {depth:?}: {id}");
            }
        }
    }
    assert!(reserved > 5_000, "{reserved}");
}

/// Some hundred jobs at once, of which each pass may start some.
#[test]
fn a_list_with_proofs_is_the_list_without_them() {
    for (seed, own) in (0..).zip(LISTS) {
        let setup = under(&format!("list+adaba{own}"), &[("k", "4"), ("slots", "4")]);
        let many = (0..12).flat_map(|more| {
            let jobs = random_jobs(100 * more + seed, 64);
            jobs.iter().cloned().collect::<Vec<Job>>()
        });
        let jobs = sorted(many.collect());
        let with = Run::new(&setup, jobs.clone(), Keep::Histories).finish();
        let without = Run::without_proofs(&setup, jobs, Keep::Histories).finish();
        assert_eq!(with.digest, without.digest, "{own}");
        assert_eq!(with.metrics, without.metrics, "{own}");
    }
}
