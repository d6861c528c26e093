//! Proofs of what certainly fails: nothing that is ruled out can be placed, and a run with proofs
//! equals one that tries every job at every pass.

use std::collections::BTreeMap;

use backfill_sim::job::{After, Job, Jobs, Request, sorted};
use backfill_sim::machine::System;
use backfill_sim::place::{Placer, Prover, State};
use backfill_sim::rng::Stream;
use backfill_sim::run::{Keep, Run};
use backfill_sim::setup::Setup;
use backfill_sim::system::fat_tree::place::{
    Adaba, BestFit, Certified, Exact, FirstFit, Greedy, LargestBandwidth, Oktopus, Rules, exact,
};
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Reservation, Topology};
use backfill_sim::unit::{Kbps, MICROS, Span};
use backfill_tests::runs::{job, setup};

/// Jobs of which more than a thousand wait at once: they come within a minute or two and run for
/// long, with many sizes and bandwidths; some follow others, and some estimates are wrong either
/// way.
fn a_long_queue(seed: u64, slots: u64, line_rate: Kbps) -> Jobs {
    let mut stream = Stream::new(seed, 0, "a long queue", 0);
    let mut below = |n| stream.below(n);
    let mut jobs: Vec<Job> = Vec::new();
    for index in 0..1400 {
        let largest = [4, slots / 8, slots / 2][below(3) as usize].max(1);
        let mut job = job(
            index / 16 + below(3),
            1 + below(largest) as u32,
            1 + below(40),
        );
        job.bandwidth = Kbps(line_rate.0 * below(24) / 24);
        match below(4) {
            0 => job.estimate = Span((1 + below(60)) * MICROS),
            1 => job.estimate = Span(job.runtime.0 * 2),
            _ => {}
        }
        jobs.push(job);
    }
    let mut jobs = sorted(jobs);
    for id in jobs.ids().skip(20) {
        if below(50) == 0 {
            let before = jobs.ids().nth(below(u64::from(id.0)) as usize);
            jobs[id].after = Some(Box::new(After {
                jobs: vec![before.expect("an earlier job")],
                think: Span(below(4) * MICROS),
            }));
        }
    }
    jobs
}

fn same_with_and_without(setup: &Setup, jobs: &Jobs) -> u64 {
    let with = Run::new(setup, jobs.clone(), Keep::Histories).finish();
    let without = Run::without_proofs(setup, jobs.clone(), Keep::Histories).finish();
    assert_eq!(with.digest, without.digest, "{setup:?}");
    assert_eq!(with.metrics, without.metrics, "{setup:?}");
    with.replay.record.longest_queue as u64
}

#[test]
fn a_run_with_proofs_is_the_run_without_them() {
    let policies = [
        "easy",
        "bgmbf",
        "bgmbf-sdf",
        "ambf",
        "fpfs",
        "fcfs",
        "sdf(blocked=skip)",
        "bgmbf(promote=off)",
        "bgmbf(preempt=conflicting)",
    ];
    let readings: [&[(&str, &str)]; 7] = [
        &[],
        &[("fabric", "single-root")],
        &[("oversubscription", "2")],
        &[("reservation", "sum"), ("hide_aware", "off")],
        &[("reservation", "literal")],
        &[("bmax", "attempted")],
        &[("bmax", "oracle"), ("level0", "on")],
    ];
    let rounds = if backfill_tests::long() { 8 } else { 1 };
    let mut longest = BTreeMap::new();
    for (seed, reading) in (0..).zip(readings.iter().cycle().take(readings.len() * rounds)) {
        for (position, policy) in policies.iter().enumerate() {
            // Every third pair of a reading and a policy, all of them in long.
            if rounds == 1 && !(position + seed as usize).is_multiple_of(3) {
                continue;
            }
            let (queue, own) = policy
                .split_once('(')
                .map_or((*policy, ""), |(queue, own)| {
                    (queue, own.trim_end_matches(')'))
                });
            let placement = ["adaba", "oktopus", "best-fit"][(seed as usize + position) % 3];
            let own = if own.is_empty() {
                String::new()
            } else {
                format!("({own})")
            };
            let policy = format!("{queue}+{placement}{own}");
            let pairs = [("k", "4"), ("slots", "4"), ("policy", policy.as_str())];
            let pairs: Vec<_> = pairs.into_iter().chain(reading.iter().copied()).collect();
            let setup = setup(&pairs);
            let capacity = setup.system.capacity();
            let jobs = a_long_queue(seed, capacity.slots, capacity.line_rate);
            let queued = same_with_and_without(&setup, &jobs);
            let most = longest.entry(queue.to_owned()).or_insert(0);
            *most = queued.max(*most);
        }
    }
    for (queue, longest) in longest {
        assert!(longest >= 1000, "{queue}: {longest} waited");
    }
}

/// Requests that nothing rules out, and those ruled out that were tried.
#[derive(Debug, Default)]
struct Seen {
    ruled_out: u64,
    open: u64,
    fallen: u64,
}

fn states(seed: u64, fabric: Fabric, reservation: Reservation, rules: Rules, seen: &mut Seen) {
    let mut stream = Stream::new(seed, 0, "states", 0);
    let k = 2 * (1 + stream.below(3) as u32);
    let slots = 1 + stream.below(6) as u32;
    let topology = Topology::new(k, fabric);
    let line_rate = Kbps(1_000_000);
    let thinner = backfill_sim::decimal::Decimal::whole(match fabric {
        Fabric::Aggregated => 1 + stream.below(3) as i64,
        Fabric::SingleRoot => 1,
    });
    let capacity = topology.capacities(line_rate, thinner);
    let mut tree = FatTree::new(topology, slots, capacity, reservation);
    let empty = tree.clone();
    let first_fit = Box::new(FirstFit::new(rules));
    let mut placer = Certified::new(first_fit, rules, false, topology);
    let mut held: Vec<(Request, Embedding)> = Vec::new();
    let mut refused: Option<Request> = None;
    for index in 0..250 {
        if !held.is_empty() && stream.below(3) == 0 {
            let place = stream.below(held.len() as u64) as usize;
            let (request, placement) = held.swap_remove(place);
            tree.free(&request, &placement);
            Prover::departed(&mut placer, State::Present, &placement);
        }
        let largest = 2 * u64::from(slots) * u64::from(k);
        let mut asked = job(0, 1 + stream.below(largest) as u32, 1);
        asked.bandwidth = Kbps(line_rate.0 * stream.below(20) / 16);
        let request = asked.request(backfill_sim::id::JobId(index));
        same_where_every_link_is_tested(&tree, &empty, &request, rules);
        if let Some(before) = refused.take() {
            let again = placer.rules_out(State::Present, &tree, &before);
            seen.fallen += u64::from(!again);
        }
        if placer.rules_out(State::Present, &tree, &request) {
            seen.ruled_out += 1;
            refused = Some(request);
            let about = || format!("{request:?} {rules:?} {tree:?}");
            if rules.intra_server_free {
                assert_ne!(exact::decide(&tree, &request), Some(true), "{}", about());
            }
            let mut others: [Box<dyn Placer<FatTree>>; 3] = [
                Box::new(Exact::new(rules)),
                Box::new(Greedy::new(rules)),
                Box::new(FirstFit::new(rules)),
            ];
            for other in &mut others {
                assert!(other.place(&tree, &request).is_none(), "{}", about());
            }
            continue;
        }
        seen.open += 1;
        match placer.place(&tree, &request) {
            Some(placement) => {
                tree.hold(&request, &placement);
                if stream.below(2) == 0 {
                    placer.taken(&placement);
                }
                held.push((request, placement));
            }
            None => placer.failed(State::Present, &tree, &request),
        }
    }
}

/// Where links above the servers cannot bind they are not looked at, an empty tree is counted, and
/// rooms are looked at before counts: placements are those of a tree that does not say so of itself,
/// and exist where a search without rooms finds one.
fn same_where_every_link_is_tested(
    tree: &FatTree,
    empty: &FatTree,
    request: &Request,
    rules: Rules,
) {
    let plain = tree.with_empty(&[]);
    assert!(!plain.servers_decide());
    let mut placers: [Box<dyn Placer<FatTree>>; 5] = [
        Box::new(Adaba::new(rules, LargestBandwidth::Arrived, Kbps(900_000))),
        Box::new(BestFit::new(rules)),
        Box::new(FirstFit::new(rules)),
        Box::new(Oktopus::new(rules)),
        Box::new(Greedy::new(rules)),
    ];
    for placer in &mut placers {
        let exists = rules
            .intra_server_free
            .then(|| exact::decide(tree, request));
        assert_eq!(
            placer.exists(tree, request),
            exists.flatten(),
            "{request:?} {tree:?}"
        );
        let placed = placer.place(tree, request);
        assert_eq!(
            placed,
            placer.place(&plain, request),
            "{request:?} {tree:?}"
        );
        let found = placer.finds(empty, request);
        let placed = placer.place(empty, request);
        assert_eq!(found, placed.is_some(), "{request:?} {empty:?}");
    }
}

/// A million states in long.
#[test]
fn nothing_that_is_ruled_out_can_be_placed() {
    let rounds = if backfill_tests::long() { 340 } else { 4 };
    let mut seen = Seen::default();
    let mut seed = 0;
    for _ in 0..rounds {
        for fabric in [Fabric::Aggregated, Fabric::SingleRoot] {
            for reservation in [Reservation::Hose, Reservation::Sum, Reservation::Literal] {
                for intra_server_free in [true, false] {
                    let rules = Rules {
                        intra_server_free,
                        single_server_first: seed % 3 == 0,
                        ..Rules::default()
                    };
                    states(seed, fabric, reservation, rules, &mut seen);
                    seed += 1;
                }
            }
        }
    }
    let all = seen.ruled_out + seen.open;
    assert!(
        seen.ruled_out > all / 10 && seen.open > all / 10,
        "{seen:?}"
    );
    assert!(seen.fallen > 100, "{seen:?}");
}
