//! Trees and blocks: the worked examples that real controllers of Slurm answered, random machines
//! against a plain reference, and the links of a tree.

use std::collections::BTreeSet;

use backfill_experiment::files::topology;
use backfill_experiment::language::tree::{parse, written};
use backfill_experiment::study::sweep::CellRun;
use backfill_sim::decimal::Decimal;
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::{Job, Request, sorted};
use backfill_sim::machine::{Guarantee, Placement, System};
use backfill_sim::metrics;
use backfill_sim::rng::Stream;
use backfill_sim::run::Keep;
use backfill_sim::system::tree::place::{
    Generation, Segments, TopologyOptions, TopologyPlacement, exact,
};
use backfill_sim::system::tree::{Held, Shape, Switch, Tree, TreeSpec};
use backfill_sim::unit::{Kbps, Span, Time};
use backfill_tests::runs::{ON_TREES, allocations_of, finish, job, one_point, random_jobs, setup};
use backfill_tests::topology::{
    Cut, Machine, Nodes, linear, random_blocks, random_tree, with_second_parents,
};

use TopologyPlacement::{SlurmBlock, SlurmLinear, SlurmTree};

fn request(size: u32, mbps: u64) -> Request {
    Request {
        index: JobId(0),
        submit: Time(0),
        size,
        bandwidth: Kbps(mbps * 1000),
        estimate: Span(0),
        home: 0,
    }
}

/// A machine of so many slots a node, idle.
pub(crate) fn machine(shape: Shape, slots: u32) -> Tree {
    let spec = TreeSpec {
        shape: shape.into(),
        slots,
        link: Kbps(1_000_000),
        oversubscription: Decimal::whole(1),
        guarantee: Guarantee::FULL,
    };
    spec.build()
}

/// The machine of a file: `l0=1, l1=2-3, r=l0,l1` for a tree, `4,4/4,8` for blocks by their sizes.
fn shape(text: &str) -> Shape {
    if let Some((blocks, sizes)) = text.split_once('/') {
        return parse(&format!("blocks:{sizes}:{blocks}")).expect("blocks");
    }
    let mut conf = String::new();
    for line in text.split("; ") {
        let (name, list) = line.split_once('=').expect("name=list");
        let nodes = list.starts_with(|c: char| c.is_ascii_digit());
        conf += &match nodes {
            true => format!("SwitchName={name} Nodes=n[{list}]\n"),
            false => format!("SwitchName={name} Switches={list}\n"),
        };
    }
    let topology = topology::read(&conf).expect("a topology");
    // What a link carries decides alike.
    assert_eq!(
        parse(&written(&topology.shape)).as_ref(),
        Ok(&topology.shape)
    );
    topology.shape
}

/// Nodes such as `1-3,6`, counted from 1.
pub(crate) fn nodes(text: &str) -> Nodes {
    let mut nodes = Nodes::new();
    for range in text.split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<u32>().expect("a number");
        nodes.extend(number(first) - 1..number(last));
    }
    nodes
}

/// The machine with only these nodes free.
pub(crate) fn with_free(tree: &Tree, free: &Nodes) -> Tree {
    let mut tree = tree.clone();
    let slots = tree.slots_per_node();
    for node in (0..tree.shape().nodes()).filter(|node| !free.contains(node)) {
        let job = request(slots, 0);
        let busy = tree.held(tree.cluster(&job), vec![(node, slots)]);
        tree.hold(&job, &busy);
    }
    tree
}

/// What a placement of Slurm gives a job of so many nodes.
pub(crate) fn given(
    tree: &Tree,
    placement: TopologyPlacement,
    rule: u32,
    cut: Cut,
    count: usize,
) -> Option<Nodes> {
    let options = TopologyOptions {
        rule: Generation::named(&rule.to_string()).expect("a rule"),
        segments: Segments {
            nodes: cut.segment as u32,
            spread: cut.spread,
            consolidate: cut.consolidate,
        },
        switches: None,
    };
    let job = request(count as u32 * tree.slots_per_node(), 0);
    let held = placement.placer(&options).place(tree, &job)?;
    assert!(held.shares().all(|share| share.1 == tree.slots_per_node()));
    Some(held.nodes.iter().map(|share| share.0).collect())
}

/// A job that is not cut.
pub(crate) const WHOLE: Cut = Cut {
    segment: 0,
    spread: false,
    consolidate: false,
};

/// That a job gets these nodes under a rule; an empty answer is that it waits.
#[track_caller]
fn example(
    (placement, text): (TopologyPlacement, &str),
    free: &str,
    count: usize,
    cut: Cut,
    rule: u32,
    expected: &str,
) {
    let tree = machine(shape(text), 1);
    let free = match free {
        "all" => (0..tree.shape().nodes()).collect(),
        free => nodes(free),
    };
    let expected = Some(nodes(expected)).filter(|nodes| !nodes.is_empty());
    let answer = given(&with_free(&tree, &free), placement, rule, cut, count);
    assert_eq!(answer, expected, "{text}, rule {rule}");
}

#[test]
fn the_worked_examples_of_trees_are_answered_as_slurm_answered_them() {
    let tree = |text: &'static str, free, count, answers: [&str; 3]| {
        for (rule, expected) in [22, 24, 26].into_iter().zip(answers) {
            example((SlurmTree, text), free, count, WHOLE, rule, expected);
        }
    };
    tree(
        "l0=1; l1=2-3; l2=4; l3=5; m=l0,l1; r=m,l2,l3",
        "all",
        4,
        ["1-4", "2-5", "2-5"],
    );
    tree(
        "l0=1; l1=2-4; l2=5-6; l3=7; m=l0,l1; r=m,l2,l3",
        "1,2,5-7",
        4,
        ["1,2,5,6", "1,5-7", "1,5-7"],
    );
    let three = "a=1-4; b=5-8; c=9-12; r=a,b,c";
    tree(three, "3-8,10-12", 3, ["10-12"; 3]);
    tree(three, "3-8,10-12", 6, ["3-8"; 3]);
    tree("a=1-4; b=5-8; c=9-15; m=a,b; r=m,c", "all", 6, ["9-14"; 3]);
    let islands = "a=1-4; b=5-8; c=9-12; d=13-16; r1=a,b; r2=c,d";
    tree(islands, "all", 3, ["9-11"; 3]);
    tree(islands, "all", 9, [""; 3]);
    tree("a=1-4; b=5-8; r=a,b", "1-3,6", 1, ["6", "6", "1"]);
    tree(
        "s1=a,b,c; s2=a,b,c; a=1-4; b=5-8; c=9-12",
        "1,2,5-11",
        5,
        ["1,5-8"; 3],
    );
}

#[test]
fn the_worked_examples_of_blocks_are_answered_as_slurm_answered_them() {
    let block = |text: &'static str, free, count, cut, [older, newer]: [&str; 2]| {
        example((SlurmBlock, text), free, count, cut, 24, older);
        example((SlurmBlock, text), free, count, cut, 26, newer);
    };
    let cut = |segment, spread, consolidate| Cut {
        segment,
        spread,
        consolidate,
    };
    let fours = "4,4,4,4/4,8";
    block(fours, "1-7,9-11,13-16", 3, WHOLE, ["9-11"; 2]);
    block("4,4,4,4/4,16", "1-3,5,6,9,10,13,14", 6, WHOLE, [""; 2]);
    block("4,4,4/4,8", "all", 9, WHOLE, [""; 2]);
    example((SlurmBlock, "4,4,4,0/4,8"), "all", 9, WHOLE, 26, "1,5-12");
    block("4,4,4,4/4,16", "1-6,9,13-16", 7, WHOLE, ["1-3,13-16"; 2]);
    block("4,4,4,4/4,8,16", "1-3,9-13", 8, WHOLE, [""; 2]);
    let nine = "2,2,2,2,2,2,2,2,2/2,8";
    block(
        nine,
        "1-3,6,7,9,10,13-15",
        9,
        WHOLE,
        ["", "1-3,6,7,10,13-15"],
    );
    let free = "1-3,5-8,9,10";
    block(
        "4,4,4/4,8",
        free,
        6,
        cut(2, false, false),
        ["1,2,5,6,9,10"; 2],
    );
    block("4,4,4/4,8", free, 6, cut(3, false, false), ["1-3,5-7"; 2]);
    example(
        (SlurmBlock, "4,4,4/4,8"),
        free,
        6,
        cut(2, true, false),
        26,
        "1,2,5,6,9,10",
    );
    example(
        (SlurmBlock, fours),
        "1-6,9,10,13-16",
        6,
        cut(2, false, true),
        26,
        "9,10,13-16",
    );
    block(
        fours,
        "all",
        12,
        cut(6, false, false),
        ["", "1,2,5-10,13-16"],
    );
    block("5,5,5,5/4,8", "all", 5, WHOLE, ["16-20"; 2]);
    block("4,4/4,8", "1-6", 1, WHOLE, ["5", "1"]);
}

#[test]
fn the_worked_examples_without_a_topology_are_answered_as_slurm_answered_them() {
    for rule in [22, 24, 26] {
        let free = "2-4,7,8,11-14,18,19";
        example((SlurmLinear, "r=1-20"), free, 2, WHOLE, rule, "7,8");
        example((SlurmLinear, "r=1-20"), free, 6, WHOLE, rule, "7,8,11-14");
        let first = if rule == 26 { "2" } else { "10" };
        example(
            (SlurmLinear, "r=1-20"),
            "2-4,7,8,10,12,13",
            1,
            WHOLE,
            rule,
            first,
        );
    }
}

/// Random nodes of a machine, at least one of which is free.
pub(crate) fn random_free(draws: &mut Stream, nodes: u32) -> Nodes {
    let busy = draws.below(10);
    (0..nodes).filter(|_| draws.below(10) >= busy).collect()
}

/// Compares a placement with the plain one on random states of a random machine.
fn compare(
    plain: &Machine,
    draws: &mut Stream,
    seen: &mut [u32; 2],
    mut with: impl FnMut(&mut Stream, &Tree, &Nodes, usize) -> [Option<Nodes>; 2],
) {
    let conf = plain.conf();
    let topology = topology::read(&conf).unwrap_or_else(|mistake| panic!("{mistake}\n{conf}"));
    // The compact form must carry all that decides.
    let shape = parse(&written(&topology.shape)).expect("a tree");
    let tree = machine(shape, 1 + draws.below(3) as u32);
    for _ in 0..25 {
        let free = random_free(draws, plain.nodes);
        let count = 1 + draws.below(u64::from(plain.nodes) / 2 + 1) as usize;
        let [answer, expected] = with(draws, &with_free(&tree, &free), &free, count);
        assert_eq!(
            answer,
            expected,
            "{count} of {free:?}\n{conf}{}",
            written(tree.shape())
        );
        seen[usize::from(answer.is_some())] += 1;
    }
}

#[test]
fn every_placement_of_slurm_on_random_machines_is_that_of_the_plain_reference() {
    let mut draws = Stream::new(42, 0, "topologies", 0);
    let mut seen = [[0; 2]; 3];
    for round in 0..400 {
        let plain = random_tree(&mut draws, if round % 4 == 0 { 30 } else { 9 });
        let plain = match round % 3 {
            0 => with_second_parents(plain, &mut draws),
            _ => plain,
        };
        compare(
            &plain,
            &mut draws,
            &mut seen[0],
            |draws, tree, free, count| {
                let rule = [22, 24, 26][draws.below(3) as usize];
                [
                    given(tree, SlurmTree, rule, WHOLE, count),
                    plain.tree(free, count, rule),
                ]
            },
        );
        compare(
            &plain,
            &mut draws,
            &mut seen[1],
            |draws, tree, free, count| {
                let rule = [22, 24, 26][draws.below(3) as usize];
                [
                    given(tree, SlurmLinear, rule, WHOLE, count),
                    linear(free, count, rule),
                ]
            },
        );
        let rule = if round % 2 == 0 { 24 } else { 26 };
        let plain = random_blocks(&mut draws, rule == 26);
        if plain.nodes == 0 {
            continue;
        }
        compare(
            &plain,
            &mut draws,
            &mut seen[2],
            |draws, tree, free, count| {
                let cut = Cut {
                    segment: [0, 0, 1, 2, 3, 4][draws.below(6) as usize],
                    spread: rule == 26 && draws.below(3) == 0,
                    consolidate: rule == 26 && draws.below(3) == 0,
                };
                let count = match cut.segment {
                    0 => count,
                    segment => count.div_ceil(segment) * segment,
                };
                [
                    given(tree, SlurmBlock, rule, cut, count),
                    plain.block(free, count, rule, cut),
                ]
            },
        );
    }
    assert!(seen.iter().flatten().all(|&count| count > 500), "{seen:?}");
}

/// The switches of `text` and, for each link, the nodes below it, found from the leaves up.
fn below_links(tree: &Tree) -> Vec<Nodes> {
    let shape = tree.shape();
    let mut links: Vec<Nodes> = (0..shape.nodes()).map(|node| Nodes::from([node])).collect();
    let mut below: Vec<Nodes> = Vec::new();
    for switch in shape.switches() {
        let number = below.len() as u32;
        let children = (0..number).filter(|&c| shape.switches()[c as usize].parent == Some(number));
        let mut own: Nodes = switch.nodes.iter().copied().collect();
        children.for_each(|child| own.extend(&below[child as usize]));
        if switch.parent.is_some() {
            links.push(own.clone());
        }
        below.push(own);
    }
    links
}

/// What a job reserves on each link by the hose model.
fn hose(links: &[Nodes], held: &Held, job: &Request) -> Vec<(LinkId, Kbps)> {
    let need = |nodes: &Nodes| {
        let below = held.nodes.iter().filter(|share| nodes.contains(&share.0));
        let below: u32 = below.map(|share| share.1).sum();
        Kbps(u64::from(below.min(job.size - below)) * job.bandwidth.0)
    };
    let all = (0..links.len()).map(|link| (LinkId::new(link), need(&links[link])));
    all.filter(|entry| entry.1 > Kbps(0)).collect()
}

const PLACEMENTS: [TopologyPlacement; 9] = [
    TopologyPlacement::SlurmTree,
    TopologyPlacement::SlurmBlock,
    TopologyPlacement::SlurmLinear,
    TopologyPlacement::Adaba,
    TopologyPlacement::Oktopus,
    TopologyPlacement::BestFit,
    TopologyPlacement::FirstFit,
    TopologyPlacement::Greedy,
    TopologyPlacement::Exact,
];

fn random_machine(draws: &mut Stream, leaves: u64, slots: u32, ov: i64) -> Tree {
    let plain = random_tree(draws, leaves);
    let shape = topology::read(&plain.conf()).expect("a topology").shape;
    let spec = TreeSpec {
        shape: shape.into(),
        slots,
        link: Kbps(1_000_000),
        oversubscription: Decimal::whole(ov),
        guarantee: Guarantee::FULL,
    };
    spec.build()
}

#[test]
fn every_placement_on_random_trees_is_valid_and_the_ledger_ends_as_it_began() {
    let mut draws = Stream::new(42, 0, "ledgers of trees", 0);
    let mut placed = [0; PLACEMENTS.len()];
    for round in 0..180 {
        let which = round % PLACEMENTS.len();
        let slots = 1 + draws.below(4) as u32;
        let ov = 1 + draws.below(4) as i64;
        let empty = random_machine(&mut draws, 8, slots, ov);
        let links = below_links(&empty);
        let mut placer = PLACEMENTS[which].placer(&TopologyOptions::default());
        let mut tree = empty.clone();
        let mut running: Vec<(Request, Held)> = Vec::new();
        for _ in 0..120 {
            if !running.is_empty() && draws.below(3) == 0 {
                let (job, held) = running.swap_remove(draws.below(running.len() as u64) as usize);
                tree.free(&job, &held);
                continue;
            }
            let job = request(1 + draws.below(12) as u32, draws.below(700));
            placer.arrived(&job);
            let Some(held) = placer.place(&tree, &job) else {
                continue;
            };
            placed[which] += 1;
            assert_eq!(held.slots(), job.size);
            assert!(held.nodes.is_sorted_by(|a, b| a.0 < b.0));
            assert_eq!(held.reservations, hose(&links, &held, &job));
            let leaves: BTreeSet<_> = held
                .nodes
                .iter()
                .map(|share| tree.shape().leaf_of(share.0))
                .collect();
            let [used, least] = held.leaves().expect("leaves");
            assert_eq!(used as usize, leaves.len());
            assert!(used >= least || PLACEMENTS[which] == SlurmLinear);
            if !matches!(PLACEMENTS[which], SlurmTree | SlurmBlock | SlurmLinear) {
                assert!(exact::exists(&tree, &job));
            }
            tree.hold(&job, &held);
            for (link, nodes) in links.iter().enumerate() {
                let link = LinkId::new(link);
                let on = running.iter().map(|(_, held)| held).chain([&held]);
                let reserved = on.flat_map(|held| &held.reservations);
                let reserved = reserved
                    .filter(|entry| entry.0 == link)
                    .map(|entry| entry.1.0);
                assert_eq!(tree.reserved(link).0, reserved.sum::<u64>(), "{nodes:?}");
                assert!(tree.reserved(link) <= tree.links()[link.index()]);
            }
            running.push((job, held));
        }
        for (job, held) in running {
            tree.free(&job, &held);
        }
        assert_eq!(tree, empty);
    }
    assert!(placed.iter().all(|&count| count > 200), "{placed:?}");
}

/// The least that a job must reserve, over all ways to spread it below one root or on one node.
fn least_by_trying(tree: &Tree, links: &[Nodes], job: &Request) -> Option<u64> {
    fn try_all(
        (tree, links, job): (&Tree, &[Nodes], &Request),
        nodes: &[u32],
        held: &mut Vec<(u32, u32)>,
        least: &mut Option<u64>,
    ) {
        let left = job.size - held.iter().map(|share| share.1).sum::<u32>();
        if left == 0 {
            let all = tree.held(tree.cluster(job), held.clone());
            let reservations = hose(links, &all, job);
            let fits = |entry: &(LinkId, Kbps)| entry.1 <= tree.residual(entry.0);
            if reservations.iter().all(fits) {
                let sum = reservations.iter().map(|entry| entry.1.0).sum();
                *least = Some(least.map_or(sum, |least| least.min(sum)));
            }
        } else if let Some((&node, others)) = nodes.split_first() {
            for machines in 0..=left.min(tree.free_slots_of(node)) {
                if machines > 0 {
                    held.push((node, machines));
                }
                try_all((tree, links, job), others, held, least);
                if machines > 0 {
                    held.pop();
                }
            }
        }
    }
    let mut least = None;
    for (number, switch) in (0..).zip(tree.shape().switches()) {
        if switch.parent.is_none() {
            let below = tree.nodes_below(number);
            try_all((tree, links, job), below, &mut Vec::new(), &mut least);
        }
    }
    least
}

#[test]
fn exact_reserves_what_trying_all_placements_finds_least() {
    let mut draws = Stream::new(42, 0, "exact on trees", 0);
    let mut seen = [0; 2];
    while seen.iter().sum::<u32>() < 400 {
        let slots = 1 + draws.below(2) as u32;
        let ov = 1 + draws.below(3) as i64;
        let mut tree = random_machine(&mut draws, 3, slots, ov);
        if tree.shape().nodes() > 9 {
            continue;
        }
        let links = below_links(&tree);
        for _ in 0..draws.below(4) {
            let other = request(1 + draws.below(3) as u32, draws.below(900));
            if let Some(held) = TopologyPlacement::FirstFit
                .placer(&TopologyOptions::default())
                .place(&tree, &other)
            {
                tree.hold(&other, &held);
            }
        }
        let job = request(1 + draws.below(6) as u32, 100 + draws.below(900));
        let least = least_by_trying(&tree, &links, &job);
        let found = exact::find(&tree, &job);
        let sum = |held: &Held| held.reservations.iter().map(|entry| entry.1.0).sum::<u64>();
        assert_eq!(
            found.as_ref().map(sum),
            least,
            "{job:?} {}",
            written(tree.shape())
        );
        assert_eq!(exact::exists(&tree, &job), least.is_some());
        seen[usize::from(least.is_some())] += 1;
    }
    assert!(seen.iter().all(|&count| count > 40), "{seen:?}");
}

/// The digest of a run of 200 jobs.
fn digest(system: &[(&str, &str)], policy: &str, more: &[(&str, &str)]) -> String {
    let run = [
        ("jobs", "200"),
        ("reps", "1"),
        ("x", "none"),
        ("load", "0.9"),
        ("policy", policy),
    ];
    let pairs = [system, &run, more].concat();
    let (scenario, cell) = one_point(&pairs);
    let run = CellRun::new(&scenario, cell, None, Keep::Metrics);
    run.expect("jobs").finish().0.digest
}

#[test]
fn a_regular_tree_is_the_aggregated_fat_tree_by_digest() {
    let trees = [
        [("k", "4"), ("slots", "4"), ("tree", "(4x(2,2))")],
        [("k", "6"), ("slots", "2"), ("tree", "(6x(3,3,3))")],
    ];
    let readings: [&[(&str, &str)]; 5] = [
        &[],
        &[("oversubscription", "1.5"), ("bandwidth_mbps", "400")],
        &[("oversubscription", "4")],
        &[("guarantee", "40"), ("communication", "0.8")],
        &[("guarantee", "0"), ("oversubscription", "3")],
    ];
    for [k, slots, tree] in trees {
        for placement in ON_TREES {
            for (queue, more) in ["none", "easy", "bgmbf", "fcfs", "easy"]
                .into_iter()
                .zip(readings)
            {
                let policy = format!("{queue}+{placement}");
                let fat_tree = digest(&[k, slots], &policy, more);
                let system = [("system", "tree"), tree, ("node_slots", slots.1)];
                assert_eq!(
                    digest(&system, &policy, more),
                    fat_tree,
                    "{policy} {more:?} {tree:?}"
                );
            }
        }
    }
}

#[test]
fn leaves_are_counted_and_those_too_many() {
    // The first job takes node 1, the second nodes 2 and 3 of two leaves, though one has two nodes.
    let jobs = sorted(vec![job(0, 1, 10), job(0, 2, 10)]);
    let pairs = [
        ("system", "tree"),
        ("tree", "(2,2)"),
        ("policy", "fcfs+slurm-linear"),
    ];
    let metrics = finish(&setup(&pairs), &jobs).metrics;
    let value = |name| metrics[metrics::position(name).expect("a metric")];
    assert_eq!(value("leaves_used"), Some(1.5));
    assert_eq!(value("leaves_excess"), Some(0.5));
}

/// The fragmentation of a run of these jobs.
fn fragmentation(tree: &str, policy: &str, jobs: &[Job]) -> Option<f64> {
    let pairs = [("system", "tree"), ("tree", tree), ("policy", policy)];
    let metrics = finish(&setup(&pairs), &sorted(jobs.to_vec())).metrics;
    metrics[metrics::position("fragmentation").expect("a metric")]
}

#[test]
fn fragmentation_of_blocks_and_of_switches_by_hand() {
    // Base blocks of 4, aggregated by two; the fifth is in no whole aggregated block. With every
    // node in use 5·4 + 2·8 + 20 = 56. For 10 s one node of the fifth is: 4 + 1. For 20 s blocks 1
    // and 2 are: 2·4 + 8 + 8.
    let jobs = [job(0, 8, 20), job(0, 1, 10)];
    let of_blocks = fragmentation("blocks:4,8:5x4", "fcfs+slurm-block", &jobs);
    assert_eq!(of_blocks, Some((20.0 * 24.0 + 10.0 * 5.0) / (20.0 * 56.0)));
    // A block larger than the base size is available while as many are idle: all of 5 are for 10 s
    // and 4 of 5 for 10 s, which is 1; a second one less for 10 s, which is 4 + 2.
    let jobs = [job(10, 1, 20), job(20, 1, 10), job(0, 9, 1)];
    let of_spares = fragmentation("blocks:4:5", "fcfs+slurm-block", &jobs);
    assert_eq!(of_spares, Some((10.0 + 10.0 * 6.0) / (30.0 * 9.0)));
    // Leaves of 2, 2 and 3, the first two below a switch, and a node in no switch, which does not
    // count. With every node in use 7 + 4 + 7 + 7 = 25. A node of the first leaf costs that, the
    // switch above and the root: 1 + 2 + 4 + 7 = 14. All three of the last leaf: 3 + 3 + 7 = 13.
    let jobs = [job(0, 1, 10), job(10, 3, 30)];
    let of_switches = fragmentation("((2,2),3)+1", "fcfs+slurm-tree", &jobs);
    let expected = (10.0 * 14.0 + 30.0 * 13.0) / (40.0 * 25.0);
    assert_eq!(of_switches, Some(expected));
    // Nothing ran, or there are no switches.
    assert_eq!(
        fragmentation("(2,2)", "fcfs+slurm-tree", &[job(0, 5, 1)]),
        None
    );
    assert_eq!(
        fragmentation("0+4", "fcfs+slurm-linear", &[job(0, 1, 1)]),
        None
    );
}

/// The fragmentation, by its definition, of a machine with these nodes in use.
fn fragmentation_by_definition(shape: &Shape, in_use: &BTreeSet<u32>) -> u64 {
    let is_idle = |node: &&u32| !in_use.contains(node);
    let in_switches = in_use.iter().filter(|&&node| shape.leaf_of(node).is_some());
    let mut sum = in_switches.count() as u64;
    if let Some(&base) = shape.block_sizes().first() {
        for &size in shape.block_sizes() {
            for blocks in shape.leaves().chunks_exact((size / base) as usize) {
                let is_lost =
                    |block: &Switch| block.nodes.iter().filter(is_idle).count() < base as usize;
                sum += u64::from(size) * u64::from(blocks.iter().any(is_lost));
            }
        }
        return sum;
    }
    for switch in 0..shape.switches().len() as u32 {
        let is_below = |&node: &u32| {
            let leaf = shape.leaf_of(node);
            leaf.is_some_and(|leaf| shape.chain(leaf).any(|above| above == switch))
        };
        let below: BTreeSet<u32> = (0..shape.nodes()).filter(is_below).collect();
        sum += below.len() as u64 * u64::from(!below.is_disjoint(in_use));
    }
    sum
}

#[test]
fn fragmentation_is_its_definition_on_random_machines() {
    let mut draws = Stream::new(31, 0, "fragmentation", 0);
    for round in 0..200 {
        let plain = match round % 3 {
            0 => random_blocks(&mut draws, true),
            1 => random_tree(&mut draws, 9),
            _ => {
                let plain = random_tree(&mut draws, 9);
                with_second_parents(plain, &mut draws)
            }
        };
        let shape = topology::read(&plain.conf()).expect("a topology").shape;
        let placement = match round % 3 {
            0 => "slurm-block",
            _ => ["slurm-tree", "slurm-linear", "first-fit"][draws.below(3) as usize],
        };
        let slots = 1 + draws.below(3);
        let setup = setup(&[
            ("system", "tree"),
            ("tree", &written(&shape)),
            ("node_slots", &slots.to_string()),
            ("rule", "26"),
            ("policy", &format!("easy+{placement}")),
        ]);
        let jobs = random_jobs(round, slots * u64::from(shape.nodes()));
        let finished = finish(&setup, &jobs);
        let allocations = allocations_of(&finished.replay.record);
        let ends = allocations.iter().map(|held| held.end);
        let times: BTreeSet<Time> = allocations
            .iter()
            .map(|held| held.start)
            .chain(ends)
            .collect();
        let Some(&end) = times.last() else { continue };
        let first = jobs.iter().map(|job| job.submit).min().expect("jobs");
        let times: Vec<Time> = [first].into_iter().chain(times).collect();
        let sum: u128 = times
            .windows(2)
            .map(|times| {
                let held = allocations.iter();
                let held = held.filter(|held| held.start <= times[0] && times[0] < held.end);
                let in_use = held
                    .flat_map(|held| held.shares().map(|share| share.0))
                    .collect();
                let now = fragmentation_by_definition(&shape, &in_use);
                u128::from(now) * u128::from((times[1] - times[0]).0)
            })
            .sum();
        let most = fragmentation_by_definition(&shape, &(0..shape.nodes()).collect());
        let expected = sum as f64 / (u128::from(most) * u128::from((end - first).0)) as f64;
        let position = metrics::position("fragmentation").expect("a metric");
        assert_eq!(
            finished.metrics[position],
            Some(expected),
            "{}",
            written(&shape)
        );
    }
}

/// The files of real sites, their names replaced, of which the folder that `BACKFILL_TOPOLOGIES`
/// names has some: each as it must be read, or a part of why it is refused.
const FILES: [(&str, Result<&str, &str>); 25] = [
    ("01-leaves-no-root.conf", Ok("n1-34.36-37,1,1,n35")),
    ("02-one-node-no-newline.conf", Ok("1")),
    (
        "03-node-in-two-leaves.conf",
        Err("node pod-n051 is in two switches"),
    ),
    ("04-range-of-switches.conf", Ok("(4,2,n9-10,n7-8)")),
    ("05-parents-first.conf", Ok("((2,2)(2,2))")),
    ("06-tabs-two-numbers.conf", Ok("(4,4,4,1)")),
    ("07-generated-second-root.conf", Ok("((2,n4-5)),n3.6")),
    (
        "08-blocks-with-padding.conf",
        Ok("blocks:18,72,288:4x18,12x0"),
    ),
    ("09-empty-switch.conf", Ok("(4,0)")),
    ("10-blocks-blank-lines.conf", Ok("blocks:18:18,18")),
    (
        "11-blocks-uneven-unsorted.conf",
        Ok(
            "blocks:1:n40.52-53.72.84.91.94.117,n16.24.29.36.46.58.60.79-80.85.87.93.99.102.110,n1.3.7-8.10.12.14.19.26.32.41-42.49.62.66.100.116.120,n11.15.22-23.38.43-45.59.63.65.68-69.88-89.112-113,n5.13.27-28.33.37.54.56.64.73.83.103.106,n4.6.18.21.35.39.47.55.57.74.77.90.97-98.111.119,n20.25.50-51.67.82.86.92.95-96.101.104-105.107.109.118,n2.9.17.30-31.34.48.61.70-71.75-76.78.81.108.114-115",
        ),
    ),
    (
        "12-eight-cores-two-dimensions.conf",
        Ok(
            "(n29-30.272-299.528,n360-391,n21-22.32-59.524,n60-91,n1-20,n332-359,n23-24.92-119.525,n120-151,n240-271,n27-28.212-239.527,n300-331,n180-211,n25-26.152-179.526,n31.392-419,32,32),40",
        ),
    ),
    ("13-blocks-with-spares.conf", Ok("blocks:30,120:4x32")),
    (
        "14-blocks-interleaved-indented.conf",
        Ok("blocks:4,8:n1.3.5.7,n2.4.6.8"),
    ),
    ("15-linkspeed-unit-refused.conf", Err("leave out its unit")),
    (
        "16-undefined-child-refused.conf",
        Err("which no line defines"),
    ),
    ("17-scontrol-tree.txt", Ok("(n1-8.13-14,n9-12.15-24)")),
    ("18-scontrol-block.txt", Ok("blocks:16,32:18,18")),
    ("19-uneven-depth.yaml", Ok("(((n2-3~1,n1~3)),n4~2)")),
    ("20-two-parents.yaml", Ok("(n4,((n1-3))(_5))")),
    ("21-hex-names-trailing-space.conf", Ok("(n3-4,n1-2)")),
    (
        "22-misspelt-key-refused.conf",
        Err("did you mean BlockName?"),
    ),
    (
        "23-all-commented-refused.conf",
        Err("no switch and no block"),
    ),
    ("24-several-topologies.yaml", Ok("(2,2)")),
    ("25-rack-groups.conf", Ok("(((2,1)(4))(1))")),
];

#[test]
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn files_of_real_sites_are_read_or_refused() {
    let Some(folder) = std::env::var_os("BACKFILL_TOPOLOGIES") else {
        eprintln!("skipped: BACKFILL_TOPOLOGIES is not set, so there are no files of real sites");
        return;
    };
    for (name, expected) in FILES {
        let path = std::path::Path::new(&folder).join(name);
        let text = std::fs::read_to_string(path).expect("the file is in the folder");
        match (topology::read(&text), expected) {
            (Ok(topology), expected) => {
                let tree = written(&topology.shape);
                assert_eq!(Ok(tree.as_str()), expected, "{name}");
                assert_eq!(parse(&tree), Ok(topology.shape), "{name}");
            }
            (Err(mistake), Err(part)) => assert!(mistake.message.contains(part), "{mistake}"),
            (Err(mistake), Ok(_)) => panic!("{name}: {mistake}"),
        }
    }
}

/// The nodes that first fit, best fit or AdaBa takes, from their rule alone: each switch in its
/// order, each node below it in the order of a key, as many machines as every link carries.
fn filled(tree: &Tree, job: &Request, key: &dyn Fn(u32) -> u64) -> Option<Vec<(u32, u32)>> {
    let shape = tree.shape();
    let leaves = shape.leaves().len() as u32;
    let all = shape.switches().len() as u32;
    let below = |switch: u32| (Some(switch), tree.nodes_below(switch).to_vec());
    let sites = (0..leaves)
        .map(below)
        .chain(shape.loose().map(|node| (None, vec![node])))
        .chain((leaves..all).map(below));
    let fits = |machines: u32, link| {
        let need = u64::from(machines.min(job.size - machines)) * job.bandwidth.0;
        Kbps(need) <= tree.residual(link)
    };
    for (site, mut nodes) in sites {
        nodes.sort_by_key(|&node| key(tree.free_slots_of(node)));
        let mut on = vec![0; all as usize];
        let mut left = job.size;
        let mut taken = Vec::new();
        for node in nodes {
            let leaf = shape.leaf_of(node).into_iter();
            let above = leaf.flat_map(|leaf| shape.chain(leaf));
            let above: Vec<u32> = above.take_while(|&switch| site != Some(switch)).collect();
            let carried = |machines: &u32| {
                let shared = above.iter().filter_map(|&switch| {
                    Some((on[switch as usize] + machines, tree.uplink(switch)?))
                });
                site.is_none()
                    || fits(*machines, LinkId(node))
                        && shared
                            .into_iter()
                            .all(|(machines, link)| fits(machines, link))
            };
            let most = left.min(tree.free_slots_of(node));
            let machines = (1..=most).rev().find(carried).unwrap_or(0);
            if machines > 0 {
                above
                    .iter()
                    .for_each(|&switch| on[switch as usize] += machines);
                taken.push((node, machines));
                left -= machines;
            }
        }
        taken.sort_unstable();
        if left == 0 && tree.carries(&tree.held(tree.cluster(job), taken.clone())) {
            return Some(taken);
        }
    }
    None
}

#[test]
fn nodes_filled_in_an_order_are_those_of_the_plain_rule() {
    let mut draws = Stream::new(7, 0, "nodes in an order", 0);
    let fills = [
        TopologyPlacement::Adaba,
        TopologyPlacement::BestFit,
        TopologyPlacement::FirstFit,
    ];
    let (mut placed, mut refused) = (0, 0);
    for round in 0..90 {
        let fill = fills[round % fills.len()];
        let slots = 1 + draws.below(6) as u32;
        // Every other tree is regular, so that the nodes of its switches follow one another.
        let mut tree = match round % 2 {
            0 => random_machine(&mut draws, 10, slots, 2),
            _ => machine(parse("((4,3,5),(6,2)),(3,3)").expect("a tree"), slots),
        };
        let mut placer = fill.placer(&TopologyOptions::default());
        let mut running: Vec<(Request, Held)> = Vec::new();
        let mut largest = 0;
        for _ in 0..150 {
            if !running.is_empty() && draws.below(5) < 2 {
                let (job, held) = running.swap_remove(draws.below(running.len() as u64) as usize);
                tree.free(&job, &held);
                continue;
            }
            let size = 1 + draws.below(u64::from(3 * slots) + 8) as u32;
            let job = request(size, draws.below(800));
            placer.arrived(&job);
            largest = largest.max(job.bandwidth.0);
            let peak = u64::from(slots) * job.bandwidth.0;
            let plain = match fill {
                TopologyPlacement::Adaba => filled(&tree, &job, &|free| {
                    (u64::from(free) * largest).abs_diff(peak)
                }),
                TopologyPlacement::BestFit => filled(&tree, &job, &u64::from),
                _ => filled(&tree, &job, &|_| 0),
            };
            let held = placer.place(&tree, &job);
            assert_eq!(
                held.as_ref().map(|held| held.nodes.clone()),
                plain,
                "round {round}"
            );
            match held {
                Some(held) => {
                    placed += 1;
                    tree.hold(&job, &held);
                    running.push((job, held));
                }
                None => refused += 1,
            }
        }
    }
    assert!(
        placed > 3_000 && refused > 500,
        "{placed} placed, {refused} refused"
    );
}
