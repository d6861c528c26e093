//! The embedding that reserves least, against an exhaustive search and independent checks.

use backfill_sim::decimal::Decimal;
use backfill_sim::id::{JobId, ServerId};
use backfill_sim::job::Request;
use backfill_sim::machine::System;
use backfill_sim::place::Placer;
use backfill_sim::rng::Stream;
use backfill_sim::system::fat_tree::place::{BestFit, FirstFit, Rules, exact};
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Reservation, Switch, Topology};
use backfill_sim::unit::{Kbps, Span, Time};
use backfill_tests::embedding::Search;

const READINGS: [(Fabric, Reservation); 4] = [
    (Fabric::Aggregated, Reservation::Hose),
    (Fabric::Aggregated, Reservation::Sum),
    (Fabric::SingleRoot, Reservation::Hose),
    (Fabric::SingleRoot, Reservation::Sum),
];

fn tree(k: u32, slots: u32, fabric: Fabric, reservation: Reservation) -> FatTree {
    let topology = Topology::new(k, fabric);
    let capacity = topology.capacities(Kbps(1_000_000), Decimal::whole(1));
    FatTree::new(topology, slots, capacity, reservation)
}

fn search<'a>(tree: &'a FatTree, request: &'a Request) -> Search<'a> {
    let rules = Rules::default();
    Search {
        tree,
        request,
        rules,
    }
}

fn total(embedding: &Embedding) -> u64 {
    embedding.reservations.iter().map(|entry| entry.1.0).sum()
}

/// Calls `check` with random requests in random states of a tree that stays about full.
fn on_random_states(
    mut tree: FatTree,
    requests: u64,
    largest: u64,
    mut check: impl FnMut(&FatTree, &Request),
) {
    let mut held: Vec<(Request, Embedding)> = Vec::new();
    for search in 0..requests {
        let mut stream = Stream::new(23, tree.slots(), "states", search);
        let request = Request {
            index: JobId(search as u32),
            submit: Time(0),
            size: 1 + stream.below(largest) as u32,
            bandwidth: Kbps(stream.below(900_000)),
            estimate: Span(0),
            home: 0,
        };
        check(&tree, &request);
        let placement = match search % 2 {
            0 => BestFit::default().place(&tree, &request),
            _ => FirstFit::default().place(&tree, &request),
        };
        if let Some(placement) = placement {
            tree.hold(&request, &placement);
            held.push((request, placement));
        }
        while !held.is_empty() && stream.below(tree.slots()) > u64::from(tree.free_total()) {
            let (request, placement) = held.swap_remove(stream.below(held.len() as u64) as usize);
            tree.free(&request, &placement);
        }
    }
}

#[test]
fn an_embedding_is_found_exactly_where_one_exists_and_it_is_valid() {
    for (fabric, reservation) in READINGS {
        for (k, slots) in [(2, 6), (4, 2), (6, 8)] {
            let mut seen = [0; 2];
            let tree = tree(k, slots, fabric, reservation);
            on_random_states(tree, 800, u64::from(3 * slots + 4), |tree, request| {
                let found = exact::find(tree, request, Rules::default());
                assert_eq!(
                    Some(found.is_some()),
                    exact::decide(tree, request),
                    "{request:?}"
                );
                seen[usize::from(found.is_some())] += 1;
                let Some(embedding) = found else { return };
                let about = || format!("{fabric:?} {reservation:?} k {k} {request:?}");
                assert_eq!(search(tree, request).fault(&embedding), None, "{}", about());
            });
            assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
        }
    }
}

#[test]
fn no_embedding_reserves_less() {
    let mut compared = 0;
    for (fabric, reservation) in READINGS {
        for (k, slots) in [(2, 6), (2, 3), (4, 1)] {
            let tree = tree(k, slots, fabric, reservation);
            on_random_states(tree, if k == 2 { 400 } else { 40 }, 9, |tree, request| {
                for intra_server_free in [true, false] {
                    let rules = Rules {
                        intra_server_free,
                        ..Rules::default()
                    };
                    let least =
                        exact::find(tree, request, rules).map(|embedding| total(&embedding));
                    let search = Search {
                        tree,
                        request,
                        rules,
                    };
                    assert_eq!(least, search.least_reservation(), "{tree:?} {request:?}");
                    compared += u32::from(least.is_some());
                }
            });
        }
    }
    assert!(compared > 600, "only {compared}");
}

/// Three servers of one slot each are below three different edge switches, and something is
/// reserved on a link of the first core switch that they do not use.
#[test]
fn of_equal_embeddings_that_of_the_first_root_is_taken() {
    let mut tree = tree(4, 1, Fabric::SingleRoot, Reservation::Hose);
    let request = |size, kbps| Request {
        index: JobId(0),
        submit: Time(0),
        size,
        bandwidth: Kbps(kbps),
        estimate: Span(0),
        home: 0,
    };
    let core = |i| Switch::Core { j: 0, i };
    let taken = Embedding {
        switch: core(0),
        servers: (0..16)
            .filter(|server| ![0, 4, 8].contains(server))
            .map(|server| (ServerId(server), 1))
            .collect(),
        reservations: vec![(tree.topology().pod_link(3, core(0)), Kbps(1))],
    };
    tree.hold(&request(13, 0), &taken);
    for (least_loaded_root, expected) in [(false, core(0)), (true, core(1))] {
        let rules = Rules {
            least_loaded_root,
            ..Rules::default()
        };
        let placement = exact::find(&tree, &request(3, 10_000), rules).expect("it fits");
        assert_eq!(placement.switch, expected);
        assert_eq!(total(&placement), 9 * 10_000);
    }
}

/// 3 of 4 slots on one server and 1 on the next: 1 · B on both links. 2 and 2 would reserve 2 · B.
#[test]
fn a_split_off_one_machine_reserves_least() {
    let tree = tree(4, 3, Fabric::Aggregated, Reservation::Hose);
    let request = Request {
        index: JobId(0),
        submit: Time(0),
        size: 4,
        bandwidth: Kbps(400_000),
        estimate: Span(0),
        home: 0,
    };
    let embedding = exact::find(&tree, &request, Rules::default()).expect("an empty tree");
    assert_eq!(embedding.switch, Switch::Edge(0));
    assert_eq!(total(&embedding), 800_000);
    let counts: Vec<u32> = embedding.servers.iter().map(|share| share.1).collect();
    assert_eq!(counts, [3, 1]);
}
