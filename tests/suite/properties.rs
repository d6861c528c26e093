//! What holds for every run, recomputed from the allocations and outcomes it leaves.

use backfill_sim::decimal::Decimal;
use backfill_sim::engine::Engine;
use backfill_sim::id::{Id, IdVec, JobId, LinkId, ServerId};
use backfill_sim::job::Request;
use backfill_sim::machine::System;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, MayPreempt, Parts, Preempt};
use backfill_sim::record::Outcome;
use backfill_sim::run::Replay;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::fat_tree::place::{Adaba, Rules, exact};
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Reservation, Switch, Topology};
use backfill_sim::unit::{Kbps, Span, Time};
use backfill_tests::embedding::Search;
use backfill_tests::runs::{
    allocations_of, finish, job, on_every_system, outcomes_of, random_jobs, setup,
};

/// Calls `check` with the replay of a random run for every policy on every system.
fn on_random_runs(mut check: impl FnMut(&Setup, &Replay)) {
    on_every_system(|setup, seed| {
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        check(setup, &finish(setup, &jobs).replay);
    });
}

fn request(replay: &Replay, job: JobId) -> Request {
    replay.jobs[job].request(job)
}

#[test]
fn no_slot_and_no_link_is_ever_given_twice() {
    on_random_runs(|setup, replay| {
        let slots = setup.system.capacity().slots_per_server;
        let servers = setup.system.capacity().servers as usize;
        for now in allocations_of(&replay.record)
            .iter()
            .map(|allocation| allocation.start)
        {
            let mut held = vec![0; servers];
            let mut reserved = IdVec::filled(Kbps(0), replay.links.len());
            for allocation in allocations_of(&replay.record) {
                if !(allocation.start <= now && now < allocation.end) {
                    continue;
                }
                let request = request(replay, allocation.job);
                let mut machines = 0;
                for (server, here) in allocation.shares() {
                    held[server as usize] += u64::from(here);
                    machines += here;
                    if !replay.links.is_empty() {
                        // The links of servers come first; each carries min(m, N − m) · B.
                        let link = LinkId(server);
                        let need = u64::from(here.min(request.size - here)) * request.bandwidth.0;
                        let found = allocation.held.reservations().find(|entry| entry.0 == link);
                        assert_eq!(found.map_or(0, |entry| entry.1.0), need, "{link}");
                    }
                }
                assert_eq!(machines, request.size, "{}", allocation.job);
                for (link, bandwidth) in allocation.held.reservations() {
                    reserved[link] += bandwidth;
                }
            }
            assert!(held.iter().all(|&held| held <= slots), "{now}: {held:?}");
            for (link, &reserved) in reserved.iter_enumerated() {
                let capacity = replay.links[LinkId::index(link)];
                assert!(reserved <= capacity, "{now}: {reserved} on {link}");
            }
        }
    });
}

#[test]
fn slots_are_held_for_the_runtime_and_the_migration_cost_paid() {
    on_random_runs(|setup, replay| {
        let (jobs, record) = (&replay.jobs, &replay.record);
        let mut slot_time = 0;
        let mut link_time = vec![0; replay.links.len()];
        let mut stays: IdVec<JobId, Vec<Span>> = IdVec::filled(vec![], jobs.len());
        for allocation in allocations_of(&replay.record) {
            let held = allocation.end - allocation.start;
            slot_time += u128::from(jobs[allocation.job].size) * u128::from(held.0);
            for (link, bandwidth) in allocation.held.reservations() {
                link_time[link.index()] += u128::from(held.0) * u128::from(bandwidth.0);
            }
            stays[allocation.job].push(held);
        }
        assert_eq!(slot_time, record.slot_time);
        let links = record.links.iter().map(|link| link.integral);
        assert!(links.eq(link_time), "time on links");
        for (id, job) in jobs.iter_enumerated() {
            let stays = &stays[id];
            let Outcome::Ran { .. } = record.histories[id].outcome else {
                assert!(stays.is_empty(), "{id} held something");
                continue;
            };
            assert_eq!(
                stays.len() as u32,
                1 + record.histories[id].migrations,
                "{id}"
            );
            let cost = setup.options.migration_cost;
            let paid: Span = stays[1..].iter().map(|&stay| stay.min(cost)).sum();
            let held: Span = stays.iter().copied().sum();
            assert_eq!(held, job.runtime + paid, "{id}");
        }
    });
}

/// Little's law in whole numbers: the number of jobs in the system, integrated over time, is the
/// sum of the response times (J. D. C. Little, "A proof for the queuing formula L = λW", 1961).
#[test]
fn jobs_in_the_system_over_time_are_the_sum_of_responses() {
    on_random_runs(|_, replay| {
        let record = &replay.record;
        let held = allocations_of(&replay.record)
            .iter()
            .map(|allocation| allocation.end - allocation.start);
        let in_system = record.queue_time + u128::from(held.sum::<Span>().0);
        let responses = replay.jobs.iter_enumerated().map(|(id, job)| {
            let Outcome::Ran { end, .. } = record.histories[id].outcome else {
                return Span(0);
            };
            end - job.submit
        });
        assert_eq!(in_system, u128::from(responses.sum::<Span>().0));
    });
}

fn starts(replay: &Replay) -> Vec<(JobId, Time)> {
    let started = |(id, outcome): (JobId, &Outcome)| match *outcome {
        Outcome::Ran { start, .. } => Some((id, start)),
        _ => None,
    };
    let outcomes = outcomes_of(&replay.record);
    outcomes.iter_enumerated().filter_map(started).collect()
}

#[test]
fn under_fcfs_no_job_overtakes() {
    on_random_runs(|setup, replay| {
        if setup.queue.name() == "fcfs" {
            assert!(starts(replay).is_sorted_by_key(|&(_, start)| start));
        }
    });
}

/// With exact estimates and slots alone, a job at the head starts by the shadow that is computed
/// for it when it first cannot start.
#[test]
fn easy_never_delays_a_head_beyond_its_first_shadow() {
    let mut delayed = 0;
    for seed in 0..400 {
        let nodes = 4 + seed as u32 % 29;
        let setup = setup(&[
            ("system", "nodes"),
            ("nodes", &nodes.to_string()),
            ("policy", "easy"),
        ]);
        // Every job runs for some time, so that each instant has a single pass.
        let mut jobs = random_jobs(seed, u64::from(nodes));
        for id in jobs.ids() {
            jobs[id].runtime += job(0, 1, 1).runtime;
            jobs[id].estimate = jobs[id].runtime;
        }
        let replay = finish(&setup, &jobs).replay;
        let starts = starts(&replay);
        for (position, &(head, start)) in starts.iter().enumerate() {
            let before = starts[..position].iter().map(|&(_, start)| start);
            let now = before.max().unwrap_or_default().max(jobs[head].submit);
            if start == now {
                continue;
            }
            delayed += 1;
            // All that runs at this instant, less what is backfilled in its pass.
            let running = starts.iter().filter(|&&(id, start)| {
                start <= now && now < start + jobs[id].runtime && (id < head || start < now)
            });
            let mut ends: Vec<(Time, u32)> = running
                .map(|&(id, start)| (start + jobs[id].runtime, jobs[id].size))
                .collect();
            ends.sort_unstable();
            let mut free = nodes - ends.iter().map(|end| end.1).sum::<u32>();
            let shadow = ends.iter().find(|&&(_, size)| {
                free += size;
                free >= jobs[head].size
            });
            let shadow = shadow.expect("the head fits on empty nodes").0;
            assert!(start <= shadow, "seed {seed}: {head} at {start}");
        }
    }
    assert!(delayed > 1000, "only {delayed} heads had to wait");
}

#[test]
fn when_all_jobs_are_decided_the_system_is_as_at_the_start() {
    let policies = [
        (Behind::Reject, MayPreempt::Never),
        (Behind::Reserve, MayPreempt::Never),
        (Behind::Skip, MayPreempt::Head),
    ];
    for fabric in [Fabric::Aggregated, Fabric::SingleRoot] {
        for (behind, may_preempt) in policies {
            let topology = Topology::new(4, fabric);
            let capacity = topology.capacities(Kbps(1_000_000), Decimal::whole(1));
            let tree = FatTree::new(topology, 2, capacity, Reservation::Hose);
            let jobs = random_jobs(behind as u64, tree.slots());
            let parts = Parts {
                backfill_order: Order::ShortestEstimate,
                may_preempt,
                preempt: Preempt::All,
                ..Parts::new(Order::Arrival, behind)
            };
            let policy = ListPolicy::new(parts, Box::new(Adaba::default()));
            let cost = job(0, 1, 20).runtime;
            let mut engine = Engine::new(tree.clone(), Box::new(policy), jobs, cost, false);
            assert!(engine.advance(u64::MAX));
            let (decided, all) = engine.progress();
            assert_eq!(decided, all);
            assert_eq!(engine.into_parts().1, tree);
        }
    }
}

/// The state in which `job` arrived, under a policy without a queue.
fn state_on_arrival(replay: &Replay, mut tree: FatTree, job: JobId) -> FatTree {
    let now = replay.jobs[job].submit;
    for allocation in allocations_of(&replay.record) {
        // A job that runs for no time holds its place until all jobs of its instant have been
        // tried.
        let held = allocation.end > now || allocation.start == now;
        if allocation.job < job && allocation.start <= now && held {
            let shares = allocation.shares();
            let placement = Embedding {
                switch: Switch::Core { j: 0, i: 0 },
                servers: shares
                    .map(|(server, here)| (ServerId(server), here))
                    .collect(),
                reservations: allocation.held.reservations().collect(),
            };
            tree.hold(&request(replay, allocation.job), &placement);
        }
    }
    tree
}

#[test]
fn a_rejected_job_is_missed_exactly_where_an_embedding_existed() {
    let mut seen = [0; 2];
    let mut check = |setup: &Setup, seed| {
        let SystemSpec::FatTree(spec) = &setup.system else {
            return;
        };
        let empty = spec.build();
        let k = empty.topology().pods();
        let replay = finish(setup, &random_jobs(seed, empty.slots())).replay;
        for (id, &outcome) in outcomes_of(&replay.record).iter_enumerated() {
            let (Outcome::RejectedThoughPossible | Outcome::RejectedImpossible) = outcome else {
                continue;
            };
            let state = state_on_arrival(&replay, empty.clone(), id);
            let request = request(&replay, id);
            let exists = match k {
                2 => Search {
                    tree: &state,
                    request: &request,
                    rules: Rules::default(),
                }
                .exhaustive(),
                _ => exact::exists(&state, &request),
            };
            assert_eq!(
                outcome == Outcome::RejectedThoughPossible,
                exists,
                "{id} on {state:?}"
            );
            seen[usize::from(exists)] += 1;
        }
    };
    for round in 0..40 {
        on_every_system(|setup, seed| {
            if setup.queue.name() == "none" {
                check(setup, 1000 * round + seed);
            }
        });
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}
