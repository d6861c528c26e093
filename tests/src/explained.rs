//! Whether the explanation of a job is true: the state is rebuilt from the allocations of the
//! finished run, and every statement is checked by a plain search of its own, over links found from
//! the fat-tree's definition.

use backfill_experiment::inspect::explain::{Explanation, Possible, Statement};
use backfill_sim::id::{JobId, LinkId};
use backfill_sim::policy::expression::Names;
use backfill_sim::policy::order::Order;
use backfill_sim::record::{Allocation, Outcome};
use backfill_sim::run::Replay;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::describe::Barrier;
use backfill_sim::system::fat_tree::Fabric;
use backfill_sim::system::fat_tree::FatTreeSpec;
use backfill_sim::system::multi_cluster::place::ClusterPlacement;
use backfill_sim::unit::{Kbps, Time};

use crate::clusters::Moment;
use crate::runs::allocations_of;

/// A fat-tree in some state, as plain numbers; reservations are those of the hose model.
#[derive(Clone)]
struct State {
    half: usize,
    single_root: bool,
    free: Vec<u64>,
    capacity: Vec<u64>,
    left: Vec<u64>,
}

/// By count of machines, up to the size: whether it is possible.
type Counts = Vec<bool>;

impl State {
    fn empty(setup: &Setup, replay: &Replay) -> State {
        let SystemSpec::FatTree(FatTreeSpec {
            k, slots, fabric, ..
        }) = setup.system
        else {
            panic!("{:?} is no fat-tree", setup.system);
        };
        let half = k as usize / 2;
        let capacity: Vec<u64> = replay.links.iter().map(|link| link.0).collect();
        State {
            half,
            single_root: fabric == Fabric::SingleRoot,
            free: vec![u64::from(slots); 2 * half * half * half],
            left: capacity.clone(),
            capacity,
        }
    }

    fn with<'a>(mut self, allocations: impl Iterator<Item = &'a Allocation>) -> State {
        for allocation in allocations {
            for (server, here) in allocation.shares() {
                self.free[server as usize] -= u64::from(here);
            }
            for (link, bandwidth) in allocation.held.reservations() {
                self.left[link.0 as usize] -= bandwidth.0;
            }
        }
        self
    }

    fn without_reservations(&self, links: impl Iterator<Item = usize>) -> State {
        let mut state = self.clone();
        for link in links {
            state.left[link] = state.capacity[link];
        }
        state
    }

    fn all_free(&self) -> u64 {
        self.free.iter().sum()
    }

    /// The counts of `counts` that a link can carry of a cluster.
    fn through(&self, mut counts: Counts, link: usize, size: u64, bandwidth: u64) -> Counts {
        for (count, possible) in (0..).zip(&mut counts) {
            *possible &= u64::min(count, size - count) * bandwidth <= self.left[link];
        }
        counts
    }

    /// Whether any embedding exists.
    fn fits(&self, size: u64, bandwidth: u64) -> bool {
        let all = size as usize;
        let sums = |children: &mut dyn Iterator<Item = Counts>| {
            let mut sums: Counts = (0..=all).map(|count| count == 0).collect();
            for child in children {
                let sum = |count: usize| (0..=count).any(|part| child[part] && sums[count - part]);
                sums = (0..=all).map(sum).collect();
            }
            sums
        };
        if self.free.iter().any(|&free| free >= size) {
            return true;
        }
        let (h, servers) = (self.half, self.free.len());
        let below_edge = |edge: usize| {
            sums(&mut (edge * h..(edge + 1) * h).map(|server| {
                let counts = (0..=size).map(|count| count <= self.free[server]).collect();
                self.through(counts, server, size, bandwidth)
            }))
        };
        let edges: Vec<Counts> = (0..2 * h * h).map(below_edge).collect();
        let parallel = if self.single_root { h } else { 1 };
        (0..parallel).any(|j| {
            let below_pod = |pod: usize| {
                sums(&mut (pod * h..(pod + 1) * h).map(|edge| {
                    let link = servers + if self.single_root { edge * h + j } else { edge };
                    self.through(edges[edge].clone(), link, size, bandwidth)
                }))
            };
            let pods: Vec<Counts> = (0..2 * h).map(below_pod).collect();
            (0..parallel).any(|i| {
                let below_core = sums(&mut (0..2 * h).map(|pod| {
                    let link = if self.single_root {
                        2 * servers + (pod * h + j) * h + i
                    } else {
                        servers + 2 * h * h + pod
                    };
                    self.through(pods[pod].clone(), link, size, bandwidth)
                }));
                below_core[all]
            })
        })
    }

    /// Checks that a place is one: slots free, links with room, and the right reservations for the
    /// only switch, or the only parallel links, that they can belong to.
    fn check(&self, placement: &Possible, size: u64, bandwidth: u64) {
        let (h, servers) = (self.half, self.free.len());
        let placed: u64 = placement
            .shares
            .iter()
            .map(|share| u64::from(share.1))
            .sum();
        assert_eq!(placed, size);
        for &(server, here) in &placement.shares {
            assert!(here > 0 && u64::from(here) <= self.free[server as usize]);
        }
        for &(link, need) in &placement.reservations {
            assert!(need.0 <= self.left[link.0 as usize], "{link}");
        }
        let below = |first: usize, last: usize| -> u64 {
            let inside = |share: &&(u32, u32)| (first..last).contains(&(share.0 as usize));
            let shares = placement.shares.iter().filter(inside);
            shares.map(|share| u64::from(share.1)).sum()
        };
        let need = |below: u64| below.min(size - below) * bandwidth;
        let roots = if self.single_root { h * h } else { 1 };
        let expected = |root: usize| {
            let (j, i) = (root / h, root % h);
            let mut all: Vec<(LinkId, Kbps)> = Vec::new();
            let mut add = |link: usize, need: u64| {
                if need > 0 {
                    all.push((LinkId(link as u32), Kbps(need)));
                }
            };
            for server in 0..servers {
                add(server, need(below(server, server + 1)));
            }
            for edge in 0..2 * h * h {
                let link = servers + if self.single_root { edge * h + j } else { edge };
                add(link, need(below(edge * h, (edge + 1) * h)));
            }
            for pod in 0..2 * h {
                let link = if self.single_root {
                    2 * servers + (pod * h + j) * h + i
                } else {
                    servers + 2 * h * h + pod
                };
                add(link, need(below(pod * h * h, (pod + 1) * h * h)));
            }
            all
        };
        let found = (0..roots).any(|root| expected(root) == placement.reservations);
        assert!(found, "{placement:?}");
    }
}

/// How often each kind of statement has been checked.
#[derive(Debug, Default)]
pub struct Checked {
    /// Infeasible.
    pub infeasible: u32,
    /// Unplaceable.
    pub unplaceable: u32,
    /// Missed.
    pub missed: u32,
    /// Too few slots.
    pub too_few: u32,
    /// Scattered.
    pub scattered: u32,
    /// Links in the way.
    pub links: u32,
    /// Fits later.
    pub later: u32,
    /// Behind.
    pub behind: u32,
    /// Fits.
    pub fits: u32,
    /// Would delay.
    pub delays: u32,
    /// In the order of values.
    pub in_order: u32,
    /// Would delay one of several.
    pub delays_one: u32,
    /// Reserved.
    pub reserved: u32,
    /// What keeps a job from being spread over clusters: for each in the order of its variants.
    pub barriers: [u32; 6],
}

/// Checks the explanation of a job of a run on a fat-tree that kept its allocations.
///
/// # Panics
/// A statement is not true, or a reason is missing.
pub fn check(setup: &Setup, replay: &Replay, explanation: &Explanation, checked: &mut Checked) {
    let id = explanation.job;
    let job = &replay.jobs[id];
    let (size, bandwidth) = (u64::from(job.size), job.bandwidth.0);
    let at = explanation.at;
    let allocations = allocations_of(&replay.record);
    let outcome = replay.record.histories[id].outcome;
    let queued = setup.queue.name() != "none";
    // Without a queue: as the job is tried. Otherwise as the last pass of the instant has left it.
    let held = |allocation: &&Allocation| match queued {
        false => {
            let zero = allocation.start == at && allocation.end == at;
            allocation.job < id && allocation.start <= at && (allocation.end > at || zero)
        }
        true => allocation.start <= at && at < allocation.end,
    };
    let empty = State::empty(setup, replay);
    let state = empty.clone().with(allocations.iter().filter(held));
    // A job that goes on pays for that first, and has done what it did before.
    let cost = setup.options.migration_cost;
    let end_of = |allocation: &Allocation| {
        let own = allocations
            .iter()
            .filter(|other| other.job == allocation.job);
        let own = own.take_while(|other| other.start < allocation.start);
        let mut due = allocation.start + replay.jobs[allocation.job].estimate;
        for (position, before) in own.enumerate() {
            let paid = if position == 0 { 0 } else { cost.0 };
            let done = (before.end.0 - before.start.0).saturating_sub(paid);
            due = Time(due.0 - done.min(due.0 - allocation.start.0));
        }
        let pays = allocations
            .iter()
            .any(|other| other.job == allocation.job && other.start < allocation.start);
        if pays { due + cost } else { due }.max(at)
    };
    let at_estimated = |gone: &dyn Fn(Time) -> bool| {
        let left = allocations
            .iter()
            .filter(held)
            .filter(|allocation| !gone(end_of(allocation)));
        empty.clone().with(left)
    };
    let number = |number: u64| {
        let mut all = replay.jobs.iter_enumerated();
        all.find(|job| job.1.number == number).expect("a job").0
    };
    let waits = |id: JobId| {
        let Outcome::Ran { end, .. } = replay.record.histories[id].outcome else {
            return false;
        };
        let runs = allocations
            .iter()
            .any(|allocation| allocation.job == id && held(&allocation));
        replay.jobs[id].submit <= at && at < end && !runs
    };
    let waiting = || replay.jobs.ids().filter(|&id| waits(id));
    let changes = allocations.iter().flat_map(|held| [held.start, held.end]);
    let instants = changes.chain(replay.jobs.iter().map(|job| job.submit));
    let last_pass = instants
        .filter(|&time| time <= at)
        .max()
        .expect("it arrived");
    // The queue is sorted by this; expressions must name neither load nor queue.
    let rank = |id: JobId| {
        let job = &replay.jobs[id];
        let rank = match (setup.queue.name(), &setup.queueing.order) {
            ("sbf", _) => job.bandwidth.0 as f64,
            ("sdf", _) => job.estimate.0 as f64,
            ("list", Order::Value(program)) => program.value(&Names {
                size: f64::from(job.size),
                estimate: job.estimate.seconds(),
                bandwidth: job.bandwidth.mbps(),
                submit: (job.submit - replay.jobs[JobId(0)].submit).seconds(),
                wait: (last_pass - job.submit).seconds(),
                ..Names::default()
            }),
            _ => 0.0,
        };
        (
            if rank.is_finite() {
                rank
            } else {
                f64::INFINITY
            },
            id,
        )
    };
    let before = |one: JobId, other: JobId| rank(one) < rank(other);
    let first = || waiting().find(|&id| !waiting().any(|other| before(other, id)));
    assert!(!explanation.statements.is_empty(), "{explanation:?}");
    for statement in &explanation.statements {
        match statement {
            Statement::Parts { .. }
            | Statement::NotArrived { .. }
            | Statement::NotSubmitted { .. }
            | Statement::Followed { .. }
            | Statement::Running { .. }
            | Statement::Slowed { .. }
            | Statement::SlowedOver { .. }
            | Statement::Paying { .. }
            | Statement::Ended { .. }
            | Statement::Left { .. }
            | Statement::Declined { .. }
            | Statement::NotFound => panic!("no reason: {explanation}"),
            Statement::Infeasible {
                largest_size,
                largest_bandwidth,
            } => {
                assert_eq!(outcome, Outcome::Infeasible);
                let largest_size = u64::from(*largest_size);
                assert!(!empty.fits(size, bandwidth), "{explanation}");
                assert!(largest_size == 0 || empty.fits(largest_size, bandwidth));
                assert!(!empty.fits(largest_size + 1, bandwidth), "{explanation}");
                match largest_bandwidth {
                    Some(largest) => {
                        assert!(empty.fits(size, largest.0), "{explanation}");
                        assert!(!empty.fits(size, largest.0 + 1), "{explanation}");
                    }
                    None => assert!(size > empty.all_free(), "{explanation}"),
                }
                checked.infeasible += 1;
            }
            Statement::Unplaceable { possible } => {
                assert_eq!(outcome, Outcome::Unplaceable);
                let possible = possible.as_ref().expect("there is an exact test");
                empty.check(possible, size, bandwidth);
                checked.unplaceable += 1;
            }
            Statement::Missed { possible } => {
                assert!(
                    queued && waits(id) || outcome == Outcome::RejectedThoughPossible,
                    "{explanation}"
                );
                state.check(possible, size, bandwidth);
                checked.missed += 1;
            }
            Statement::Fits { possible } => {
                state.check(possible, size, bandwidth);
                checked.fits += 1;
            }
            Statement::TooFewSlots { free } => {
                assert_eq!(*free, state.all_free());
                assert!(*free < size);
                checked.too_few += 1;
            }
            Statement::Scattered { free } => {
                assert_eq!(*free, state.all_free());
                assert!(*free >= size);
                let all = 0..state.capacity.len();
                assert!(!state.without_reservations(all).fits(size, bandwidth));
                checked.scattered += 1;
            }
            Statement::Links { links } => {
                assert!(!state.fits(size, bandwidth), "{explanation}");
                let set: Vec<usize> = links.iter().map(|link| link.link.0 as usize).collect();
                let without = state.without_reservations(set.iter().copied());
                assert!(without.fits(size, bandwidth), "{explanation}");
                for (index, link) in links.iter().enumerate() {
                    assert_eq!(link.residual.0, state.left[set[index]], "{explanation}");
                    assert!(link.need > link.residual, "{explanation}");
                    let others = set.iter().copied().filter(|&other| other != set[index]);
                    let fits = state.without_reservations(others).fits(size, bandwidth);
                    assert!(!fits, "{} need not be empty: {explanation}", link.name);
                }
                checked.links += 1;
            }
            Statement::FitsLater { time, ended } => {
                let by = at_estimated(&|end| end <= *time);
                let before = at_estimated(&|end| end < *time);
                assert!(by.fits(size, bandwidth), "{explanation}");
                assert!(!before.fits(size, bandwidth), "{explanation}");
                assert!(!state.fits(size, bandwidth), "{explanation}");
                let held = allocations.iter().filter(held);
                assert_eq!(
                    held.filter(|allocation| end_of(allocation) <= *time)
                        .count(),
                    *ended
                );
                checked.later += 1;
            }
            Statement::Behind { ahead, head } => {
                assert_eq!(Some(number(*head)), first(), "{explanation}");
                let all_before = waiting().filter(|&other| before(other, id));
                assert_eq!(all_before.count(), *ahead, "{explanation}");
                assert!(*ahead > 0, "{explanation}");
                checked.behind += 1;
            }
            Statement::WouldDelay {
                tried,
                head,
                shadow,
                end,
            } => {
                assert_eq!(Some(number(*head)), first(), "{explanation}");
                assert_ne!(number(*head), id, "{explanation}");
                assert!(*end > *shadow && *shadow >= *tried, "{explanation}");
                assert_eq!(*end, *tried + job.estimate, "{explanation}");
                // Nothing has happened since.
                let quiet = |time: Time| time <= *tried || time > at;
                assert!(*tried <= at && replay.jobs.iter().all(|job| quiet(job.submit)));
                assert!(
                    allocations
                        .iter()
                        .all(|allocation| quiet(allocation.start) && quiet(allocation.end))
                );
                let head = &replay.jobs[number(*head)];
                let (size, bandwidth) = (u64::from(head.size), head.bandwidth.0);
                let by = at_estimated(&|end| end <= (*shadow).max(at));
                assert!(by.fits(size, bandwidth), "{explanation}");
                checked.delays += 1;
            }
            Statement::InOrder {
                value,
                before: last,
            } => {
                let finite = |id: JobId| Some(rank(id).0).filter(|value| value.is_finite());
                assert_eq!(*value, finite(id), "{explanation}");
                let behind =
                    |last: JobId| waiting().any(|other| before(last, other) && before(other, id));
                match last {
                    Some((last, theirs)) => {
                        let last = number(*last);
                        assert_eq!(*theirs, finite(last), "{explanation}");
                        assert!(before(last, id) && !behind(last), "{explanation}");
                    }
                    None => assert_eq!(Some(id), first(), "{explanation}"),
                }
                checked.in_order += 1;
            }
            Statement::WouldDelayOne {
                tried,
                reserved,
                end,
            } => {
                assert_eq!((*tried, *end), (last_pass, *tried + job.estimate));
                assert!(reserved.len() > 1, "{explanation}");
                assert_eq!(Some(number(reserved[0].0)), first(), "{explanation}");
                for (position, &(of, start)) in reserved.iter().enumerate() {
                    let others = reserved[..position].iter();
                    assert!(others.clone().all(|other| other.0 != of), "{explanation}");
                    assert!(number(of) != id && waits(number(of)), "{explanation}");
                    assert!(start >= *tried, "{explanation}");
                }
                assert!(reserved.iter().any(|other| other.1 < *end));
                checked.delays_one += 1;
            }
            Statement::Reserved { start } => {
                assert!(*start >= last_pass && waits(id), "{explanation}");
                if first() == Some(id) {
                    let by = at_estimated(&|end| end <= (*start).max(at));
                    assert!(by.fits(size, bandwidth), "{explanation}");
                }
                checked.reserved += 1;
            }
        }
    }
}

/// Checks the explanation of a job of a run on clusters that kept its allocations.
///
/// # Panics
/// A statement is not true, or a reason is missing.
pub fn check_on_clusters(
    setup: &Setup,
    replay: &Replay,
    explanation: &Explanation,
    checked: &mut Checked,
) {
    let job = &replay.jobs[explanation.job];
    let (size, at) = (job.size, explanation.at);
    let allocations = allocations_of(&replay.record);
    let held = |allocation: &&Allocation| allocation.start <= at && at < allocation.end;
    let moment = |left: &dyn Fn(&&Allocation) -> bool| {
        let nodes = |allocation: &Allocation| {
            let mut nodes = vec![0; replay.links.len()];
            for (cluster, here) in allocation.shares() {
                nodes[cluster as usize] = here;
            }
            (allocation.job.0 as usize, nodes)
        };
        let left = allocations.iter().filter(held).filter(left);
        Moment::new(setup, &replay.jobs, left.map(nodes))
    };
    let (now, empty) = (moment(&|_| true), moment(&|_| false));
    let (free, loads, links) = (now.free(), now.loads(), now.links());
    let placement = ClusterPlacement::named(setup.placement.name());
    let placement = placement.expect("a placement on clusters");
    let placing = &setup.placing.multi_cluster;
    let percent = u64::from(placing.threshold);
    let end_of =
        |allocation: &Allocation| (allocation.start + replay.jobs[allocation.job].estimate).max(at);
    assert!(!explanation.statements.is_empty(), "{explanation:?}");
    for statement in &explanation.statements {
        match statement {
            Statement::Infeasible { largest_size, .. } => {
                let room = match placement {
                    ClusterPlacement::NoShare => empty.free()[job.home as usize],
                    ClusterPlacement::MigrationOnly => {
                        *empty.free().iter().max().expect("a cluster")
                    }
                    _ => empty.free().iter().sum(),
                };
                assert_eq!(*largest_size, room, "{explanation}");
                assert!(size > room, "{explanation}");
                checked.infeasible += 1;
            }
            Statement::Unplaceable { possible } => {
                assert_eq!(empty.place(job), None, "{explanation}");
                let shares = &possible.as_ref().expect("nodes are enough").shares;
                let most = empty.free();
                assert!(shares.iter().all(|of| of.1 <= most[of.0 as usize]));
                assert_eq!(shares.iter().map(|of| of.1).sum::<u32>(), size);
                checked.unplaceable += 1;
            }
            Statement::Behind { ahead, .. } => {
                assert!(*ahead > 0, "{explanation}");
                checked.behind += 1;
            }
            Statement::Fits { possible } => {
                let mut nodes = vec![0; free.len()];
                for &(cluster, here) in &possible.shares {
                    nodes[cluster as usize] = here;
                }
                assert_eq!(now.place(job), Some(nodes), "{explanation}");
                checked.fits += 1;
            }
            Statement::Parts { refusal } => {
                assert_eq!(now.place(job), None, "{explanation}");
                let below = |cluster: usize| 100 * loads[cluster] < percent * links[cluster];
                for (cluster, room) in refusal.rooms.iter().enumerate() {
                    assert_eq!(room.free, free[cluster], "{explanation}");
                    assert_eq!(room.asked.0, (loads[cluster] + 500) / 1000);
                    assert_eq!(1000 * room.capacity.0, links[cluster]);
                    let left = (percent * links[cluster] / 100).saturating_sub(loads[cluster]);
                    let allowed = match placement {
                        ClusterPlacement::NoShare => cluster == job.home as usize,
                        ClusterPlacement::MigrationOnly | ClusterPlacement::FirstFit => true,
                        ClusterPlacement::Satisfy => {
                            let most = (0..=room.free.min(size)).rev();
                            let most = { most }.find(|&inside| now.need(job, inside) <= left);
                            assert_eq!(room.most, most.unwrap_or(0), "{explanation}");
                            continue;
                        }
                        _ => below(cluster),
                    };
                    assert_eq!(room.most, if allowed { room.free } else { 0 });
                }
                let together: u32 = refusal.rooms.iter().map(|room| room.most).sum();
                let largest = refusal.rooms.iter().map(|room| room.most).max();
                let (largest, all) = (largest.expect("a cluster"), free.iter().sum::<u32>());
                let kind = match refusal.barrier {
                    Barrier::Home { part } => {
                        assert_eq!(part, job.home);
                        assert!(free[part as usize] < size, "{explanation}");
                        0
                    }
                    Barrier::Single => {
                        assert!(free.iter().all(|&free| free < size), "{explanation}");
                        1
                    }
                    Barrier::TooFew => {
                        assert!(all < size, "{explanation}");
                        2
                    }
                    Barrier::Loaded { threshold } => {
                        assert_eq!(u64::from(threshold), percent);
                        assert!(together < size, "{explanation}");
                        3
                    }
                    Barrier::Large { threshold, least } => {
                        assert_eq!(u64::from(threshold), percent);
                        assert!(together >= size && largest < least, "{explanation}");
                        let enough = |part: u32| 100 * part >= placing.chunk * size;
                        assert!(enough(least) && (least == 0 || !enough(least - 1)));
                        4
                    }
                    Barrier::Split { threshold } => {
                        assert_eq!(u64::from(threshold), percent);
                        assert!(all >= size, "{explanation}");
                        5
                    }
                };
                checked.barriers[kind] += 1;
            }
            Statement::FitsLater { time, ended } => {
                let by = moment(&|allocation| end_of(allocation) > *time);
                let before = moment(&|allocation| end_of(allocation) >= *time);
                assert!(by.place(job).is_some(), "{explanation}");
                assert_eq!(before.place(job), None, "{explanation}");
                let over =
                    |allocation: &&Allocation| held(allocation) && end_of(allocation) <= *time;
                assert_eq!(allocations.iter().filter(over).count(), *ended);
                checked.later += 1;
            }
            other => panic!("{other:?} is no reason on clusters: {explanation}"),
        }
    }
}
