//! How fast jobs are placed on trees of switches: by the rules of Slurm on ten thousand nodes, and by
//! those of the fat-tree on a regular tree beside the fat-tree that it equals.
//!
//! Jobs come and go until the machine is in its steady state; then each placement meets the same
//! requests from the same state. Only its own time is counted for Slurm's rules; for the others also
//! that of the reservation and of the departures, as in the bench of embedding. The fat-tree must
//! give the same answers.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use backfill_experiment::language::tree::parse;
use backfill_sim::decimal::Decimal;
use backfill_sim::job::Request;
use backfill_sim::machine::{Guarantee, Placement, System};
use backfill_sim::place::Placer;
use backfill_sim::system::fat_tree::place::{TreeOptions, TreePlacement};
use backfill_sim::system::fat_tree::{Fabric, FatTree, Reservation, Topology};
use backfill_sim::system::tree::place::{Generation, Segments, TopologyOptions, TopologyPlacement};
use backfill_sim::system::tree::{Tree, TreeSpec};
use backfill_sim::unit::{Kbps, Time};
use backfill_tests::embedding::requests;

/// 10,000 nodes in 600 leaves, below 30 switches and a root.
const LARGE: &str = "(20x(20x17),10x(20x16))";
/// 600 blocks of 16 nodes, and the sizes that are aggregated.
const BLOCKS: &str = "blocks:16,32,64,128,256:600x16";
/// The placements that both a tree and a fat-tree have.
const BOTH: [(TopologyPlacement, TreePlacement); 5] = [
    (TopologyPlacement::Adaba, TreePlacement::Adaba),
    (TopologyPlacement::Oktopus, TreePlacement::Oktopus),
    (TopologyPlacement::BestFit, TreePlacement::BestFit),
    (TopologyPlacement::FirstFit, TreePlacement::FirstFit),
    (TopologyPlacement::Greedy, TreePlacement::Greedy),
];
const WARMING: usize = 4_000;
const TIMED: usize = 4_000;

/// What a placement gave each of the timed requests, as (place, slots), and its microseconds for
/// one: alone, and with reservations and departures.
struct Met {
    given: Vec<Vec<(u32, u32)>>,
    alone: f64,
    all: f64,
}

fn meet<S: System>(mut system: S, requests: &[Request], placer: &mut dyn Placer<S>) -> Met {
    let mut held: Vec<Option<(Request, S::Placement)>> = Vec::new();
    let mut ends: BinaryHeap<Reverse<(Time, usize)>> = BinaryHeap::new();
    let mut given = Vec::new();
    let (mut alone, mut begun) = (0.0, Instant::now());
    for (position, request) in requests.iter().enumerate() {
        if position == WARMING {
            (alone, begun) = (0.0, Instant::now());
        }
        while let Some(&Reverse((end, place))) = ends.peek()
            && end <= request.submit
        {
            ends.pop();
            let (request, placement) = held[place].take().expect("it is held");
            system.free(&request, &placement);
        }
        placer.arrived(request);
        let start = Instant::now();
        let placement = placer.place(&system, request);
        alone += start.elapsed().as_secs_f64();
        if position >= WARMING {
            let shares = placement.iter().flat_map(|placement| placement.shares());
            given.push(shares.collect());
        }
        if let Some(placement) = placement {
            system.hold(request, &placement);
            ends.push(Reverse((request.submit + request.estimate, held.len())));
            held.push(Some((*request, placement)));
        }
    }
    let each = 1e6 / TIMED as f64;
    Met {
        given,
        alone: each * alone,
        all: each * begun.elapsed().as_secs_f64(),
    }
}

fn tree(text: &str, slots: u32) -> Tree {
    TreeSpec {
        shape: parse(text).expect("a tree").into(),
        slots,
        link: Kbps(1_000_000),
        oversubscription: Decimal::whole(1),
        guarantee: Guarantee::FULL,
    }
    .build()
}

fn options(rule: &str) -> TopologyOptions {
    TopologyOptions {
        rule: Generation::named(rule).expect("a rule"),
        segments: Segments {
            nodes: 0,
            spread: false,
            consolidate: false,
        },
        switches: None,
    }
}

/// The best of a few runs: what else the machine does only ever makes one slower.
fn best(run: impl Fn() -> Met) -> Met {
    let runs = (0..5).map(|_| run());
    let best = runs.reduce(|one, other| Met {
        alone: one.alone.min(other.alone),
        all: one.all.min(other.all),
        ..other
    });
    best.expect("some runs")
}

fn main() {
    let placements = [
        ("slurm-tree", TopologyPlacement::SlurmTree, LARGE),
        ("slurm-linear", TopologyPlacement::SlurmLinear, LARGE),
        ("slurm-block", TopologyPlacement::SlurmBlock, BLOCKS),
    ];
    for (name, placement, text) in placements {
        let machine = tree(text, 1);
        let nodes = machine.shape().nodes();
        let requests = requests(nodes, 512, 0.9, WARMING + TIMED);
        for rule in ["22", "24", "26"] {
            let options = options(rule);
            let run = || meet(machine.clone(), &requests, &mut *placement.placer(&options));
            let Met { given, alone, .. } = best(run);
            let placed = given.iter().filter(|shares| !shares.is_empty()).count();
            println!(
                "{nodes:>6} nodes  {name:<12} rule {rule}  {:>5.1} % placed  {alone:>7.2} µs a placement",
                100.0 * placed as f64 / given.len() as f64
            );
        }
    }
    for (k, text) in [(8, "(8x(4x4))"), (16, "(16x(8x8))"), (32, "(32x(16x16))")] {
        let slots = 8;
        let topology = Topology::new(k, Fabric::Aggregated);
        let capacity = topology.capacities(Kbps(1_000_000), Decimal::whole(1));
        let fat_tree = FatTree::new(topology, slots, capacity, Reservation::Hose);
        let requests = requests(slots * k * k * k / 4, 32, 0.8, WARMING + TIMED);
        let machine = tree(text, slots);
        for (placement, beside) in BOTH {
            let on_tree = best(|| {
                let mut placer = placement.placer(&options("24"));
                meet(machine.clone(), &requests, &mut *placer)
            });
            let rules = TreeOptions {
                hide_aware: true,
                ..TreeOptions::default()
            };
            let on_fat_tree = best(|| {
                let mut placer = beside.placer(&rules, Kbps(0));
                meet(fat_tree.clone(), &requests, &mut *placer)
            });
            assert_eq!(on_tree.given, on_fat_tree.given);
            println!(
                "{:<10} k {k:>2}  tree {:>7.2} µs  fat-tree {:>7.2} µs  × {:.2}",
                placement.name(),
                on_tree.all,
                on_fat_tree.all,
                on_tree.all / on_fat_tree.all
            );
        }
    }
}
