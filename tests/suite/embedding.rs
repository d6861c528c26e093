//! Where virtual clusters go: worked examples, maxima of the empty tree, and random states against
//! plain references.

use std::collections::BTreeMap;

use backfill_sim::id::{JobId, LinkId, ServerId};
use backfill_sim::job::Ask;
use backfill_sim::place::Placer;
use backfill_sim::place::fat_tree::{Adaba, BestFit, FirstFit, Greedy, Oktopus, exact};
use backfill_sim::rng::Stream;
use backfill_sim::scenario::{Decimal, Reservation};
use backfill_sim::system::System;
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Switch, Topology};
use backfill_sim::unit::{Kbps, Span, Time};
use backfill_tests::embedding::{algorithm_1, exhaustive, fault, greedy, oktopus};

const LINE_RATE: Kbps = Kbps(1_000_000);

fn tree(k: u32, slots: u32, fabric: Fabric) -> FatTree {
    tree_of(k, slots, fabric, LINE_RATE)
}

fn tree_of(k: u32, slots: u32, fabric: Fabric, line_rate: Kbps) -> FatTree {
    let topology = Topology::new(k, fabric);
    let capacity = topology.capacities(line_rate, Decimal::whole(1));
    FatTree::new(topology, slots, capacity, Reservation::Hose)
}

/// AdaBa after a job of this bandwidth has arrived.
fn adaba_that_saw(mbps: u64) -> Adaba {
    let mut adaba = Adaba::default();
    Placer::arrived(&mut adaba, &ask(1, mbps));
    adaba
}

fn ask(size: u32, mbps: u64) -> Ask {
    Ask {
        index: JobId(0),
        submit: Time(0),
        size,
        bandwidth: Kbps(mbps * 1000),
        estimate: Span(0),
    }
}

/// Takes `slots` and `mbps` of a server away, as other jobs would have.
fn take(tree: &mut FatTree, server: u32, slots: u32, mbps: u64) {
    let taken = Embedding {
        switch: Switch::Edge(tree.topology().edge_of(server)),
        servers: vec![(ServerId(server), slots)],
        reservations: vec![(LinkId(server), Kbps(mbps * 1000))],
    };
    tree.hold(&ask(slots, 0), &taken);
}

/// Fills every server from `first` on.
fn fill_from(tree: &mut FatTree, first: u32) {
    for server in first..tree.topology().servers() {
        take(tree, server, tree.free_slots(server), 0);
    }
}

fn servers(embedding: &Embedding) -> Vec<(u32, u32)> {
    embedding.servers.iter().map(|s| (s.0.0, s.1)).collect()
}

fn reserved_mbps(embedding: &Embedding) -> Vec<(u32, u64)> {
    embedding
        .reservations
        .iter()
        .map(|(link, kbps)| (link.0, kbps.0 / 1000))
        .collect()
}

/// A placer that proposes, and whether it may be compared with `algorithm_1` under this key.
fn placers() -> Vec<(&'static str, Box<dyn Placer<FatTree>>)> {
    vec![
        ("adaba", Box::new(Adaba::default())),
        ("best-fit", Box::new(BestFit::default())),
        ("first-fit", Box::new(FirstFit::default())),
        ("greedy", Box::new(Greedy::default())),
        ("oktopus", Box::new(Oktopus::default())),
    ]
}

#[test]
fn example_1_two_servers_share_a_cluster_below_an_edge_switch() {
    for fabric in [Fabric::Aggregated, Fabric::SingleRoot] {
        let place = Adaba::default().place(&tree(4, 2, fabric), &ask(4, 400));
        let place = place.unwrap();
        assert_eq!(place.switch, Switch::Edge(0));
        assert_eq!(servers(&place), [(0, 2), (1, 2)]);
        assert_eq!(reserved_mbps(&place), [(0, 800), (1, 800)]);
    }
}

#[test]
fn example_2_a_count_jumps_over_the_gap_of_an_edge_link() {
    let tree = tree(4, 2, Fabric::SingleRoot);
    let place = Adaba::default().place(&tree, &ask(6, 400)).unwrap();
    assert_eq!(place.switch, Switch::Aggregation { pod: 0, j: 0 });
    assert_eq!(servers(&place), [(0, 2), (1, 2), (2, 2)]);
    // Server links 0, 1, 2; then the links of edge 0 and edge 1 to aggregation switch 0.
    assert_eq!(
        reserved_mbps(&place),
        [(0, 800), (1, 800), (2, 800), (16, 800), (18, 800)]
    );
}

#[test]
fn example_3_one_machine_a_pod_or_one_a_server() {
    let single = tree(4, 2, Fabric::SingleRoot);
    let place = Adaba::default().place(&single, &ask(4, 600)).unwrap();
    assert_eq!(place.switch, Switch::Core { j: 0, i: 0 });
    assert_eq!(servers(&place), [(0, 1), (4, 1), (8, 1), (12, 1)]);
    let aggregated = tree(4, 2, Fabric::Aggregated);
    let place = Adaba::default().place(&aggregated, &ask(4, 600)).unwrap();
    assert_eq!(place.switch, Switch::Aggregation { pod: 0, j: 0 });
    assert_eq!(servers(&place), [(0, 1), (1, 1), (2, 1), (3, 1)]);
}

#[test]
fn example_4_adaba_hides_what_best_fit_spreads() {
    let mut tree = tree(4, 8, Fabric::Aggregated);
    take(&mut tree, 0, 5, 0);
    let ask = ask(8, 700);
    for (name, mut placer) in placers() {
        let place = placer.place(&tree, &ask).unwrap();
        match name {
            "best-fit" | "first-fit" => {
                assert_eq!(servers(&place), [(0, 1), (1, 7)], "{name}");
                assert_eq!(reserved_mbps(&place), [(0, 700), (1, 700)], "{name}");
            }
            "adaba" | "oktopus" => {
                assert_eq!(servers(&place), [(1, 8)], "{name}");
                assert!(place.reservations.is_empty(), "{name}");
            }
            _ => assert_eq!(name, "greedy"),
        }
    }
}

#[test]
fn example_5_a_larger_count_may_fit_where_a_smaller_does_not() {
    let mut tree = tree(4, 3, Fabric::Aggregated);
    fill_from(&mut tree, 2);
    let place = FirstFit::default().place(&tree, &ask(4, 600)).unwrap();
    assert_eq!(servers(&place), [(0, 3), (1, 1)]);
}

#[test]
fn example_6_the_greedy_fill_can_miss_what_exists() {
    let mut tree = tree(4, 8, Fabric::Aggregated);
    take(&mut tree, 0, 4, 0);
    take(&mut tree, 1, 0, 500);
    fill_from(&mut tree, 2);
    let ask = ask(8, 600);
    let mut adaba = adaba_that_saw(1200);
    assert_eq!(adaba.place(&tree, &ask), None);
    assert!(exact::exists(&tree, &ask));
    assert_eq!(
        servers(&Oktopus::default().place(&tree, &ask).unwrap()),
        [(1, 8)]
    );
}

#[test]
fn example_7_two_edges_of_three_cannot_exchange_six() {
    let mut tree = tree(6, 2, Fabric::SingleRoot);
    fill_from(&mut tree, 6);
    let ask = ask(12, 250);
    for (name, mut placer) in placers() {
        assert_eq!(placer.place(&tree, &ask), None, "{name}");
    }
    assert!(!exact::exists(&tree, &ask));
}

#[test]
fn figure_3_idle_servers_left_and_requests_accepted_after() {
    let cases = [
        ("adaba", vec![(1, 1), (3, 1), (5, 1)], 3, 3),
        ("best-fit", vec![(1, 1), (3, 1), (5, 1)], 3, 3),
        ("first-fit", vec![(0, 2), (1, 1)], 2, 2),
        ("greedy", vec![(0, 2), (2, 1)], 1, 1),
    ];
    for (name, expected, idle, accepted) in cases {
        let mut tree = tree_of(12, 2, Fabric::Aggregated, Kbps(100_000));
        for server in [1, 3, 5] {
            take(&mut tree, server, 1, 60);
        }
        fill_from(&mut tree, 6);
        let mut placer = match name {
            "adaba" => Box::new(adaba_that_saw(60)) as Box<dyn Placer<FatTree>>,
            _ => placers().into_iter().find(|p| p.0 == name).unwrap().1,
        };
        let request = ask(3, 10);
        let place = placer.place(&tree, &request).unwrap();
        assert_eq!(servers(&place), expected, "{name}");
        tree.hold(&request, &place);
        let left = (0..6)
            .filter(|&server| tree.free_slots(server) == 2)
            .count();
        assert_eq!(left, idle, "{name}");
        let request = ask(2, 60);
        let mut count = 0;
        for _ in 0..3 {
            if let Some(place) = placer.place(&tree, &request) {
                tree.hold(&request, &place);
                count += 1;
            }
        }
        assert_eq!(count, accepted, "{name}");
    }
}

#[test]
fn largest_clusters_of_the_empty_tree() {
    let maxima = |fabric, q: u64| {
        let tree = tree(6, 8, fabric);
        let mut largest = 0;
        for size in 1..=128 {
            let ask = Ask {
                bandwidth: Kbps(LINE_RATE.0 / q),
                ..ask(size, 0)
            };
            let exists = exact::exists(&tree, &ask);
            let found = Adaba::default().place(&tree, &ask).is_some();
            assert_eq!(exists, found, "{fabric:?} q {q} size {size}");
            if exists {
                largest = size;
            }
        }
        largest
    };
    let single: Vec<u32> = (1..=8).map(|q| maxima(Fabric::SingleRoot, q)).collect();
    assert_eq!(single, [9, 12, 18, 24, 30, 36, 42, 48]);
    let aggregated: Vec<u32> = (1..=8).map(|q| maxima(Fabric::Aggregated, q)).collect();
    assert_eq!(aggregated, [54, 108, 128, 128, 128, 128, 128, 128]);
}

/// A stream of random requests on one tree; `check` sees the state and the request before the
/// placer's answer is carried out. Jobs leave at random, all in the end.
fn random_requests(
    fabric: Fabric,
    k: u32,
    slots: u32,
    requests: u64,
    mut placer: Box<dyn Placer<FatTree>>,
    check: impl Fn(&FatTree, &Ask, Option<&Embedding>, Kbps),
) {
    let mut tree = tree(k, slots, fabric);
    let empty = tree.clone();
    let mut held: Vec<(Ask, Embedding)> = Vec::new();
    let mut largest = Kbps(0);
    for request in 0..requests {
        let mut stream = Stream::new(11, u64::from(k), "requests", request);
        let ask = Ask {
            index: JobId(request as u32),
            bandwidth: Kbps(stream.below(900_000)),
            ..ask(1 + stream.below(u64::from(3 * slots + 4)) as u32, 0)
        };
        largest = largest.max(ask.bandwidth);
        placer.arrived(&ask);
        let place = placer.place(&tree, &ask);
        check(&tree, &ask, place.as_ref(), largest);
        if let Some(place) = place {
            tree.hold(&ask, &place);
            held.push((ask, place));
        }
        while !held.is_empty() && stream.below(tree.slots()) > u64::from(tree.free_total()) {
            let (ask, place) = held.swap_remove(stream.below(held.len() as u64) as usize);
            tree.free(&ask, &place);
        }
    }
    for (ask, place) in held {
        tree.free(&ask, &place);
    }
    assert_eq!(tree, empty, "the ledger is as at the start");
}

const FABRICS: [Fabric; 2] = [Fabric::Aggregated, Fabric::SingleRoot];

#[test]
fn every_embedding_is_valid_and_the_ledger_ends_as_it_began() {
    for fabric in FABRICS {
        for (k, slots) in [(4, 2), (6, 8)] {
            for (name, placer) in placers() {
                random_requests(fabric, k, slots, 1500, placer, |tree, ask, place, _| {
                    if let Some(place) = place {
                        let fault = fault(tree, ask, place);
                        assert_eq!(fault, None, "{name} {fabric:?} k {k} {ask:?}");
                        assert!(exact::exists(tree, ask), "{name} {ask:?}");
                    }
                });
            }
        }
    }
}

#[test]
fn level_loops_equal_algorithm_1_transcribed() {
    for fabric in FABRICS {
        for (k, slots) in [(4, 3), (6, 8)] {
            let adaba = Box::new(Adaba::default());
            random_requests(
                fabric,
                k,
                slots,
                1000,
                adaba,
                |tree, ask, place, largest| {
                    let peak = u64::from(slots) * ask.bandwidth.0;
                    let key = |free: u32| (u64::from(free) * largest.0).abs_diff(peak);
                    same(algorithm_1(tree, ask, key), place);
                },
            );
            let best_fit = Box::new(BestFit::default());
            random_requests(fabric, k, slots, 1000, best_fit, |tree, ask, place, _| {
                same(algorithm_1(tree, ask, u64::from), place);
            });
            let first_fit = Box::new(FirstFit::default());
            random_requests(fabric, k, slots, 1000, first_fit, |tree, ask, place, _| {
                same(algorithm_1(tree, ask, |_| 0), place);
            });
        }
    }
}

#[test]
fn greedy_and_oktopus_equal_their_plain_versions() {
    for fabric in FABRICS {
        for (k, slots) in [(2, 5), (4, 3), (6, 2)] {
            let placer = Box::new(Greedy::default());
            random_requests(fabric, k, slots, 500, placer, |tree, ask, place, _| {
                same(greedy(tree, ask), place);
            });
            let placer = Box::new(Oktopus::default());
            random_requests(fabric, k, slots, 500, placer, |tree, ask, place, _| {
                same(oktopus(tree, ask), place);
            });
        }
    }
}

#[track_caller]
fn same(plain: Option<(Switch, BTreeMap<u32, u32>)>, place: Option<&Embedding>) {
    let plain = plain.map(|(switch, shares)| (switch, shares.into_iter().collect::<Vec<_>>()));
    assert_eq!(plain, place.map(|place| (place.switch, servers(place))));
}

/// The largest tree, k = 64, where every bit of the ledger's masks is in use: all full but some
/// servers of the first and last pods.
#[test]
fn the_largest_tree_equals_algorithm_1_transcribed() {
    let mut tree = tree(64, 1, Fabric::Aggregated);
    let servers = tree.topology().servers();
    for server in 0..servers {
        let near_an_end = server < 32 || server >= servers - 32;
        if !(near_an_end && server % 3 == 0) {
            take(&mut tree, server, 1, 0);
        }
    }
    for size in [11, 12, 22, 23] {
        let ask = ask(size, 50);
        let place = FirstFit::default().place(&tree, &ask);
        same(algorithm_1(&tree, &ask, |_| 0), place.as_ref());
        assert_eq!(place.is_some(), size <= 22);
    }
}

#[test]
fn the_exact_test_equals_an_exhaustive_search() {
    for fabric in FABRICS {
        for (k, slots) in [(2, 5), (4, 1)] {
            let found = std::cell::Cell::new([0; 2]);
            let placer = Box::new(FirstFit::default());
            random_requests(fabric, k, slots, 400, placer, |tree, ask, _, _| {
                let expected = exhaustive(tree, ask);
                assert_eq!(exact::exists(tree, ask), expected, "{ask:?} {tree:?}");
                let mut counts = found.get();
                counts[usize::from(expected)] += 1;
                found.set(counts);
            });
            assert!(found.get().iter().all(|&count| count > 20), "{found:?}");
        }
    }
}

#[test]
fn aggregated_uplinks_never_bind_before_server_links() {
    let placer = Box::new(FirstFit::default());
    random_requests(Fabric::Aggregated, 6, 8, 2000, placer, |tree, _, _, _| {
        let topology = tree.topology();
        let taken = |link: u32| tree.links()[link as usize].0 - tree.residual(LinkId(link)).0;
        for edge in 0..topology.edges() {
            let below: u64 = topology.servers_below(Switch::Edge(edge)).map(taken).sum();
            let uplink = topology.edge_link(edge, Switch::Core { j: 0, i: 0 });
            assert!(taken(uplink.0) <= below, "edge {edge}");
        }
    });
}

#[test]
#[should_panic(expected = "has 1 free slots, not the 2 that job0 takes")]
fn the_ledger_refuses_to_overcommit() {
    let mut tree = tree(4, 1, Fabric::Aggregated);
    take(&mut tree, 3, 2, 0);
}
