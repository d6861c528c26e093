//! Placements told: what is said of the subtrees among which each was chosen is true.

use std::collections::BTreeMap;

use backfill_experiment::inspect::pass::{Pass, Passes, Step, ToldPlacement};
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::{Job, Jobs};
use backfill_sim::place::{Subtree, SubtreeOrder, SubtreeRoot, Subtrees};
use backfill_sim::record::Allocation;
use backfill_sim::setup::Setup;
use backfill_sim::system::fat_tree::{Switch, Topology};
use backfill_sim::system::tree::Shape;
use backfill_sim::unit::{Kbps, Time};
use backfill_tests::runs::{ON_FAT_TREES, ON_TREES, allocations_of, finish, random_jobs, setup};

/// A ledger of its own: what is free of each server or node and left of each link.
struct Ledger<'a> {
    setup: &'a Setup,
    free: Vec<u32>,
    left: Vec<u64>,
    capacity: Vec<u64>,
    held: BTreeMap<JobId, &'a Allocation>,
}

impl<'a> Ledger<'a> {
    fn new(setup: &'a Setup, links: &[Kbps]) -> Ledger<'a> {
        let capacity = setup.system.capacity();
        Ledger {
            setup,
            free: vec![capacity.slots_per_server as u32; capacity.servers as usize],
            left: links.iter().map(|link| link.0).collect(),
            capacity: links.iter().map(|link| link.0).collect(),
            held: BTreeMap::new(),
        }
    }

    fn hold(&mut self, own: &'a Allocation) {
        for (server, slots) in own.shares() {
            self.free[server as usize] -= slots;
        }
        for (link, reserved) in own.held.reservations() {
            self.left[link.index()] -= reserved.0;
        }
        self.held.insert(own.job, own);
    }

    fn release(&mut self, job: JobId) {
        let own = self.held.remove(&job).expect("it runs");
        for (server, slots) in own.shares() {
            self.free[server as usize] += slots;
        }
        for (link, reserved) in own.held.reservations() {
            self.left[link.index()] += reserved.0;
        }
    }

    fn left(&self, link: LinkId) -> u64 {
        self.left[link.index()]
    }

    fn reserved(&self, link: LinkId) -> u64 {
        self.capacity[link.index()] - self.left(link)
    }

    /// The most machines up to `limit` of a job that a link carries, by trying each count.
    fn largest(&self, job: &Job, limit: u32, link: LinkId) -> u32 {
        let guarantee = match self.setup.system.fat_tree() {
            Some(spec) => spec.guarantee,
            None => self.setup.system.tree().expect("a tree").guarantee,
        };
        let own = guarantee.of(job.bandwidth).0;
        let need = |machines: u32| u64::from(machines.min(job.size - machines)) * own;
        let mut counts = (0..=limit).rev();
        let fits = |&machines: &u32| need(machines) <= self.left(link);
        counts.find(fits).expect("none needs nothing")
    }
}

/// Subtrees as the ledger has them: the servers in each, and what each could take.
struct Truth<'a> {
    ledger: &'a Ledger<'a>,
    job: &'a Job,
    shape: Option<&'a Shape>,
    topology: Option<Topology>,
}

impl Truth<'_> {
    fn server(&self, server: u32) -> u32 {
        let limit = self.ledger.free[server as usize].min(self.job.size);
        self.ledger.largest(self.job, limit, LinkId(server))
    }

    fn servers(&self, root: SubtreeRoot) -> Vec<u32> {
        let below = |switch| {
            let topology = self.topology.expect("a fat-tree");
            topology.servers_below(switch).collect()
        };
        match root {
            SubtreeRoot::Edge { edge } => below(Switch::Edge(edge)),
            SubtreeRoot::Pod { pod } => below(Switch::Aggregation { pod, j: 0 }),
            SubtreeRoot::Aggregation { pod, j } => below(Switch::Aggregation { pod, j }),
            SubtreeRoot::Switch { switch } => self.nodes(switch),
            SubtreeRoot::Loose => self.shape.expect("a tree").loose().collect(),
        }
    }

    fn nodes(&self, switch: u32) -> Vec<u32> {
        let shape = self.shape.expect("a tree");
        let mut nodes = shape.switches()[switch as usize].nodes.clone();
        for child in shape.own_children(switch) {
            nodes.extend(self.nodes(child));
        }
        nodes
    }

    /// What a subtree could take without the link above it.
    fn most(&self, root: SubtreeRoot) -> u32 {
        let sum: u32 = match root {
            SubtreeRoot::Edge { .. } => {
                let servers = self.servers(root).into_iter();
                servers.map(|server| self.server(server)).sum()
            }
            SubtreeRoot::Pod { pod } => self.most(SubtreeRoot::Aggregation { pod, j: 0 }),
            SubtreeRoot::Aggregation { pod, j } => {
                let topology = self.topology.expect("a fat-tree");
                let half = topology.half();
                let through = |edge| {
                    let link = topology.edge_link(edge, Switch::Aggregation { pod, j });
                    let most = self.most(SubtreeRoot::Edge { edge });
                    self.ledger.largest(self.job, most, link)
                };
                (pod * half..(pod + 1) * half).map(through).sum()
            }
            SubtreeRoot::Switch { switch } => {
                let shape = self.shape.expect("a tree");
                let nodes = shape.switches()[switch as usize].nodes.iter();
                let nodes: u32 = nodes.map(|&node| self.server(node)).sum();
                let children = shape.own_children(switch);
                let children: u32 = children.map(|child| self.through(child)).sum();
                nodes + children
            }
            SubtreeRoot::Loose => {
                let free = self.servers(root).into_iter();
                let free = free.map(|node| self.ledger.free[node as usize]);
                free.max().unwrap_or(0)
            }
        };
        sum.min(self.job.size)
    }

    /// The same of a switch of a tree through its uplink.
    fn through(&self, switch: u32) -> u32 {
        let shape = self.shape.expect("a tree");
        let most = self.most(SubtreeRoot::Switch { switch });
        let is_linked = |other: &u32| shape.switches()[*other as usize].parent.is_some();
        if !is_linked(&switch) {
            return most;
        }
        let before = (0..switch).filter(is_linked).count() as u32;
        self.ledger
            .largest(self.job, most, LinkId(shape.nodes() + before))
    }

    /// What is reserved on the links of a switch of a fat-tree downwards.
    fn load(&self, root: SubtreeRoot) -> u64 {
        let topology = self.topology.expect("a fat-tree");
        let half = topology.half();
        let links: Vec<LinkId> = match root {
            SubtreeRoot::Edge { .. } => self.servers(root).into_iter().map(LinkId).collect(),
            SubtreeRoot::Aggregation { pod, j } => (pod * half..(pod + 1) * half)
                .map(|edge| topology.edge_link(edge, Switch::Aggregation { pod, j }))
                .collect(),
            other => panic!("{other:?} has no load"),
        };
        links
            .into_iter()
            .map(|link| self.ledger.reserved(link))
            .sum()
    }

    fn is_idle(&self, node: u32) -> bool {
        let slots = self.ledger.setup.system.capacity().slots_per_server;
        u64::from(self.ledger.free[node as usize]) == slots
    }

    /// The parts of the chosen core or switch, through their uplinks; else the subtrees themselves.
    fn expected(&self, subtrees: &Subtrees, of: &Subtree, shares: &[(u32, u32)]) -> [u32; 3] {
        let servers = self.servers(of.root);
        let shares = shares.iter().filter(|share| servers.contains(&share.0));
        if subtrees.whole_nodes {
            let idle = servers.iter().filter(|&&node| self.is_idle(node)).count() as u32;
            return [idle, idle.min(subtrees.needed), shares.count() as u32];
        }
        let free = servers
            .iter()
            .map(|&server| self.ledger.free[server as usize]);
        let free = match of.root {
            SubtreeRoot::Loose => free.max().unwrap_or(0),
            _ => free.sum(),
        };
        let most = match (subtrees.order, of.root) {
            (SubtreeOrder::Parts, SubtreeRoot::Switch { switch }) => self.through(switch),
            _ => self.most(of.root),
        };
        [free, most, shares.map(|share| share.1).sum()]
    }
}

/// How often something was seen.
type Seen = BTreeMap<String, u32>;

/// Follows a run pass by pass and judges what is told of each start.
fn judge(setup: &Setup, jobs: &Jobs, seen: &mut Seen) {
    let finished = finish(setup, jobs);
    // What each job holds next, and what it got last.
    let mut next: BTreeMap<JobId, Vec<&Allocation>> = BTreeMap::new();
    for own in allocations_of(&finished.replay.record).iter().rev() {
        next.entry(own.job).or_default().push(own);
    }
    let mut last: BTreeMap<JobId, &Allocation> = BTreeMap::new();
    let mut passes = Passes::new(setup, jobs.clone());
    for position in 0..passes.counts().len() {
        let pass: Pass = passes.pass(position).expect("there is one");
        let mut ledger = Ledger::new(setup, &finished.replay.links);
        for of in &pass.running {
            ledger.hold(last[&of.job]);
        }
        for step in &pass.steps {
            match step {
                Step::Suspended { job } => ledger.release(*job),
                Step::Started {
                    job,
                    shares,
                    subtrees,
                    ..
                } => {
                    let own = next.get_mut(job).and_then(Vec::pop).expect("it was kept");
                    assert_eq!(own.start, pass.time);
                    assert_eq!(own.shares().collect::<Vec<_>>(), *shares);
                    last.insert(*job, own);
                    let subtrees = subtrees.as_deref().expect("it is told");
                    let truth = Truth {
                        ledger: &ledger,
                        job: &jobs[*job],
                        shape: setup.system.tree().map(|spec| &*spec.shape),
                        topology: setup
                            .system
                            .fat_tree()
                            .map(|spec| Topology::new(spec.k, spec.fabric)),
                    };
                    judge_start(&truth, subtrees, shares, jobs, pass.time, seen);
                    ledger.hold(own);
                }
                _ => {}
            }
        }
        let told = passes.teller().told(pass, &|time| time.to_string());
        for placement in told.steps.iter().filter_map(|step| step.placement.as_ref()) {
            judge_words(placement);
        }
    }
}

fn judge_words(placement: &ToldPlacement) {
    assert!(placement.rule.ends_with('.'), "{placement}");
    assert!(placement.subtrees.len() <= 16, "{placement}");
    let all = placement.to_string();
    assert!(
        !all.replace("\n   ", "").contains("  -") && !all.contains(": \n"),
        "{all}"
    );
    for of in &placement.subtrees {
        assert!(
            !of.name.is_empty() && !of.sentence.is_empty(),
            "{placement}"
        );
        assert!(of.sentence.contains("gives") || of.sentence.contains("takes") || of.taken == 0);
    }
}

fn judge_start(
    truth: &Truth<'_>,
    subtrees: &Subtrees,
    shares: &[(u32, u32)],
    jobs: &Jobs,
    now: Time,
    seen: &mut Seen,
) {
    let Subtrees {
        order,
        needed,
        whole_nodes,
        ref list,
        ..
    } = *subtrees;
    *seen.entry(format!("{order:?}")).or_default() += 1;
    let size = truth.job.size;
    let slots = truth.ledger.setup.system.capacity().slots_per_server as u32;
    assert_eq!(
        needed,
        if whole_nodes {
            size.div_ceil(slots)
        } else {
            size
        }
    );
    assert_eq!(
        list.iter().map(|of| of.taken).sum::<u32>(),
        needed,
        "{subtrees:?}"
    );
    for of in list {
        let [free, most, taken] = truth.expected(subtrees, of, shares);
        let is_beside = matches!(of.root, SubtreeRoot::Aggregation { .. }) && of.taken == 0;
        assert_eq!(
            (of.free, of.taken),
            (free, if is_beside { 0 } else { taken })
        );
        // A pod below a core is seen through the link to it, which depends on the core.
        let is_below_core =
            order == SubtreeOrder::Parts && matches!(of.root, SubtreeRoot::Pod { .. });
        if is_below_core {
            assert!(
                of.most <= free.min(needed) && of.taken <= of.most,
                "{subtrees:?}"
            );
        } else {
            assert_eq!(of.most, most, "{subtrees:?}");
        }
        assert!(of.taken <= of.most, "{subtrees:?}");
        assert_eq!(
            of.bound.is_some(),
            of.most < free.min(needed),
            "{subtrees:?}"
        );
        if let Some((link, left)) = of.bound {
            assert_eq!(left.0, truth.ledger.left(link));
            *seen.entry("bound by a link".to_owned()).or_default() += 1;
        }
    }
    let chosen = list.iter().position(|of| of.taken > 0).expect("it starts");
    if let Some(single) = subtrees.single {
        let fits = |&server: &u32| {
            let free = truth.ledger.free[server as usize];
            if whole_nodes {
                free == slots
            } else {
                free >= size
            }
        };
        let first = (0..truth.ledger.free.len() as u32).find(fits);
        assert_eq!((first, shares), (Some(single), &[(single, size)][..]));
        *seen.entry("single".to_owned()).or_default() += 1;
    }
    if matches!(order, SubtreeOrder::First | SubtreeOrder::LeastLoaded) {
        assert_eq!(list[chosen].taken, needed, "one holds all");
        for before in &list[..chosen] {
            let what = match before.most < needed {
                true => "passed over for want of room",
                false => "passed over since it was not filled",
            };
            *seen.entry(what.to_owned()).or_default() += 1;
        }
    }
    match order {
        SubtreeOrder::Nearest => judge_nearest(truth, subtrees, chosen),
        SubtreeOrder::LeastLoaded => {
            let load = |of: &Subtree| truth.load(of.root);
            assert!(list.is_sorted_by_key(load), "{subtrees:?}");
        }
        _ => {
            let number = |of: &Subtree| match of.root {
                SubtreeRoot::Edge { edge } => [0, edge, 0],
                SubtreeRoot::Pod { pod } => [0, pod, 0],
                SubtreeRoot::Aggregation { pod, j } => [0, pod, j],
                SubtreeRoot::Switch { switch } => [0, switch, 0],
                SubtreeRoot::Loose => [1, 0, 0],
            };
            assert!(list.is_sorted_by_key(number), "{subtrees:?}");
        }
    }
    if let Some(below) = subtrees.below {
        let lower: Vec<SubtreeRoot> = match (truth.topology, order) {
            (None, _) => lower_switches(truth.shape.expect("a tree"), subtrees, chosen),
            (Some(topology), SubtreeOrder::Parts) => (0..topology.pods())
                .flat_map(|pod| (0..topology.parallel()).map(move |j| (pod, j)))
                .map(|(pod, j)| SubtreeRoot::Aggregation { pod, j })
                .collect(),
            (Some(topology), _) => (0..topology.edges())
                .map(|edge| SubtreeRoot::Edge { edge })
                .collect(),
        };
        let most = lower.into_iter().map(|root| truth.most(root)).max();
        assert_eq!(Some(below), most);
    }
    if let Some(first) = subtrees
        .preference
        .first()
        .filter(|_| subtrees.preference.len() > 1)
    {
        judge_preference(truth, subtrees, first, jobs, now);
        *seen.entry("preference".to_owned()).or_default() += 1;
    }
}

/// The switches of lower levels than the root of a placement, and the nodes in none.
fn lower_switches(shape: &Shape, subtrees: &Subtrees, chosen: usize) -> Vec<SubtreeRoot> {
    let SubtreeRoot::Switch { switch } = subtrees.list[chosen].root else {
        panic!("{subtrees:?}");
    };
    let root = match subtrees.order {
        SubtreeOrder::Parts => shape.switches()[switch as usize].parent.expect("a part"),
        _ => switch,
    };
    let switches = 0..shape.switches().len() as u32;
    let lower = switches.filter(|&other| shape.level(other) < shape.level(root));
    lower
        .map(|switch| SubtreeRoot::Switch { switch })
        .chain([SubtreeRoot::Loose])
        .collect()
}

/// That leaves were taken as is said.
fn judge_nearest(truth: &Truth<'_>, subtrees: &Subtrees, chosen: usize) {
    let shape = truth.shape.expect("a tree");
    let switch = |of: &Subtree| match of.root {
        SubtreeRoot::Switch { switch } => Some(switch),
        _ => None,
    };
    let root = |leaf| shape.chain(leaf).last();
    let list = &subtrees.list;
    assert_eq!(chosen, 0, "those taken are first");
    let taken: Vec<&Subtree> = list.iter().filter(|of| of.taken > 0).collect();
    let first = switch(taken[0]).expect("a leaf");
    let mut missing = subtrees.needed;
    for (position, of) in taken.iter().enumerate() {
        assert_eq!(of.root, list[position].root);
        assert_eq!(of.taken, of.free.min(missing));
        missing -= of.taken;
        let own = switch(of).expect("a leaf");
        let hops = taken[..position].iter().map(|other| {
            let other = switch(other).expect("a leaf");
            hops(shape, other, own)
        });
        assert_eq!(of.distance, Some(hops.sum()), "{subtrees:?}");
    }
    for of in &list[taken.len()..] {
        assert_eq!(of.distance, None);
        let below = switch(of).is_some_and(|leaf| root(leaf) == root(first));
        assert_eq!(of.outside, of.free > 0 && !below, "{subtrees:?}");
        if of.free >= subtrees.needed && !of.outside {
            // Another leaf has enough, too, and is no better.
            assert_eq!(taken.len(), 1);
            let [own, other] = [of, taken[0]].map(|of| (of.free, switch(of)));
            assert!(own > other, "{subtrees:?}");
        }
    }
}

/// The length of the shortest path between two switches.
fn hops(shape: &Shape, from: u32, to: u32) -> u32 {
    let mut reached = vec![from];
    for length in 0.. {
        if reached.contains(&to) {
            return length;
        }
        let beside = |switch: &u32| {
            let children = &shape.switches()[*switch as usize].children;
            let listers = shape.listers(*switch);
            children
                .iter()
                .chain(listers)
                .copied()
                .collect::<Vec<u32>>()
        };
        let next: Vec<u32> = reached.iter().flat_map(beside).collect();
        reached.extend(next);
        reached.sort_unstable();
        reached.dedup();
    }
    unreachable!("they are below one root")
}

/// That the servers filled first are those that the placement prefers.
fn judge_preference(truth: &Truth<'_>, subtrees: &Subtrees, first: &[u32], jobs: &Jobs, now: Time) {
    let slots = truth.ledger.setup.system.capacity().slots_per_server as u32;
    let mut all: Vec<u32> = subtrees.preference.concat();
    match truth.ledger.setup.placement.name() {
        "best-fit" => assert!(all.is_sorted()),
        "adaba" => {
            // The parabola of the paper, in numbers with a point: its peak is at L·B/Bmax.
            let arrived = jobs.iter().filter(|job| job.submit <= now);
            let largest = arrived.map(|job| job.bandwidth.0).max().expect("one");
            let peak = f64::from(slots) * truth.job.bandwidth.0 as f64 / largest.max(1) as f64;
            let away = |free: u32| (f64::from(free) - peak).abs();
            let least = (1..=slots).map(away).fold(f64::INFINITY, f64::min);
            assert!(first.iter().all(|&free| (away(free) - least).abs() < 1e-9));
            assert!(all.is_sorted_by(|&a, &b| away(a) <= away(b) + 1e-9));
        }
        other => panic!("{other} prefers nothing"),
    }
    all.sort_unstable();
    assert!(all.into_iter().eq(1..=slots));
}

#[test]
fn every_told_placement_on_a_tree_is_true() {
    let mut seen = Seen::new();
    let rounds = if backfill_tests::long() { 20 } else { 2 };
    let trees = [
        "(5,(3,2))(4)+1",
        "((3,2)(2,3))(4)",
        "(4,4,4)",
        "((2,2)(2,2)(2,2))",
    ];
    let of_tree = |tree, placement, rule, mbps| {
        vec![
            ("system", "tree"),
            ("tree", tree),
            ("node_slots", "2"),
            ("rule", rule),
            ("guarantee", mbps),
            ("placement", placement),
        ]
    };
    let mut all: Vec<Vec<(&str, &str)>> = Vec::new();
    for tree in trees {
        for placement in ON_TREES {
            all.push(of_tree(tree, placement, "24", "100"));
        }
        for rule in ["22", "24", "26"] {
            all.push(of_tree(tree, "slurm-tree", rule, "100"));
        }
        all.push(of_tree(tree, "slurm-linear", "24", "0"));
    }
    all.push(of_tree("blocks:2,8:4x2", "slurm-block", "26", "100"));
    for placement in ON_FAT_TREES {
        for (k, slots, fabric) in [
            ("4", "3", "aggregated"),
            ("4", "2", "single-root"),
            ("6", "1", "aggregated"),
        ] {
            for root in ["first", "least-loaded"] {
                all.push(vec![
                    ("k", k),
                    ("slots", slots),
                    ("fabric", fabric),
                    ("hide_aware", "on"),
                    ("root", root),
                    ("placement", placement),
                ]);
            }
        }
    }
    for (seed, pairs) in all.iter().enumerate() {
        for queue in ["easy", "fpfs", "bgmbf(preempt=conflicting)"] {
            let mut pairs = pairs.clone();
            let (_, placement) = pairs.pop().expect("one");
            let (name, own) = queue.split_once('(').map_or((queue, ""), |of| of);
            let own = if own.is_empty() {
                String::new()
            } else {
                format!("({own}")
            };
            let policy = format!("{name}+{placement}{own}");
            pairs.push(("policy", &policy));
            let setup = setup(&pairs);
            for round in 0..rounds {
                let slots = setup.system.capacity().slots;
                let jobs = random_jobs(1000 * round + seed as u64, slots);
                judge(&setup, &jobs, &mut seen);
            }
        }
    }
    // Placements pass over a subtree with room by bounds only where filling ends in a gap.
    let not_filled = seen.get("passed over since it was not filled").copied();
    let passed_over = seen["passed over for want of room"];
    assert!(not_filled.unwrap_or(0) < passed_over / 50, "{seen:?}");
    for what in [
        "First",
        "LeastLoaded",
        "Parts",
        "Number",
        "Nearest",
        "single",
        "preference",
        "bound by a link",
        "passed over for want of room",
    ] {
        assert!(
            seen.get(what).is_some_and(|&count| count > 20),
            "{what}: {seen:?}"
        );
    }
}

#[test]
fn where_there_is_no_tree_the_free_parts_are_told() {
    for pairs in [
        [
            ("system", "nodes"),
            ("nodes", "9"),
            ("policy", "easy+index"),
        ],
        [
            ("system", "nodes"),
            ("nodes", "9"),
            ("policy", "conservative+index"),
        ],
        [("system", "pool"), ("vms", "5"), ("policy", "fpfs+count")],
    ] {
        let mut pairs = pairs.to_vec();
        let is_pool = pairs.contains(&("system", "pool"));
        if is_pool {
            pairs.push(("centres", "3"));
        }
        let setup = setup(&pairs);
        let jobs = random_jobs(7, setup.system.capacity().slots);
        let mut passes = Passes::new(&setup, jobs.clone());
        let mut starts = 0;
        for position in 0..passes.counts().len() {
            let pass = passes.pass(position).expect("there is one");
            let told = passes.teller().told(pass, &|time| time.to_string());
            let mut free = told.free;
            for step in &told.steps {
                let Step::Started { job, .. } = step.step else {
                    continue;
                };
                let placement = step.placement.as_ref().expect("it is told");
                judge_words(placement);
                let size = jobs[job].size;
                if is_pool {
                    let sum = |of: fn(&_) -> u32| placement.subtrees.iter().map(of).sum::<u32>();
                    let of: [u32; 2] = [
                        sum(|of: &backfill_experiment::inspect::pass::ToldSubtree| of.free),
                        sum(|of| of.taken),
                    ];
                    assert_eq!(of, [free as u32, size], "{placement}");
                } else {
                    let rule = match free {
                        1 => "It gets the only free node.".to_owned(),
                        free if free == u64::from(size) => {
                            format!("It gets all {free} free nodes.")
                        }
                        _ => format!(
                            "It gets {size} of the {free} free nodes, those of the lowest numbers."
                        ),
                    };
                    assert_eq!(placement.rule, rule);
                }
                free -= u64::from(size);
                starts += 1;
            }
        }
        assert!(starts > 10);
    }
}
