//! Every policy, placement and system against the plain reference, on random workloads: equal in
//! every start, end and migration, and in the digest.

use backfill_sim::record::Fate;
use backfill_sim::run::{Finished, Run};
use backfill_sim::scenario::Setup;
use backfill_tests::runs::{finish, random_jobs, setup};
use backfill_tests::schedule::schedule;

/// Every policy with every switch that changes its schedule.
const POLICIES: [(&str, &str); 11] = [
    ("none", ""),
    ("fcfs", ""),
    ("sbf", ""),
    ("sbf", "(blocked=skip)"),
    ("sdf", ""),
    ("sdf", "(blocked=skip)"),
    ("easy", ""),
    ("bgmbf", ""),
    ("bgmbf", "(migration_cost_s=20)"),
    ("bgmbf-sdf", ""),
    ("bgmbf-sdf", "(migration_cost_s=20)"),
];

/// Small systems with their placement.
fn systems() -> Vec<(Vec<(&'static str, &'static str)>, &'static str)> {
    let mut systems = vec![
        (vec![("system", "nodes"), ("nodes", "7")], "index"),
        (vec![("system", "nodes"), ("nodes", "32")], "index"),
    ];
    for placement in ["adaba", "oktopus", "best-fit", "first-fit", "greedy"] {
        for fabric in ["aggregated", "single-root"] {
            for (k, slots) in [("2", "6"), ("4", "2"), ("6", "1")] {
                let tree = vec![("k", k), ("slots", slots), ("fabric", fabric)];
                systems.push((tree, placement));
            }
        }
    }
    systems
}

/// Calls `check` with every policy on every system and another seed each time.
fn for_all(mut check: impl FnMut(&Setup, u64)) {
    let mut seed = 0;
    for (system, placement) in systems() {
        for (queue, own) in POLICIES {
            let policy = format!("{queue}+{placement}{own}");
            let mut pairs = system.clone();
            pairs.push(("policy", &policy));
            check(&setup(&pairs), seed);
            seed += 1;
        }
    }
}

/// How often what matters has happened.
#[derive(Debug, Default)]
struct Seen {
    missed: u32,
    blocked: u32,
    infeasible: u32,
    unplaceable: u32,
    migrations: u32,
    waits: u32,
    no_time: u32,
}

impl Seen {
    fn add(&mut self, finished: &Finished) {
        let replay = &finished.replay;
        for (id, job) in replay.jobs.iter_enumerated() {
            match replay.record.fates[id] {
                Fate::Open => panic!("{id} is not decided"),
                Fate::Missed => self.missed += 1,
                Fate::Blocked => self.blocked += 1,
                Fate::Infeasible => self.infeasible += 1,
                Fate::Unplaceable => self.unplaceable += 1,
                Fate::Ran { start, end } => {
                    self.waits += u32::from(start > job.submit);
                    self.no_time += u32::from(start == end);
                }
            }
            self.migrations += replay.record.migrations[id];
        }
    }
}

#[test]
fn every_policy_on_every_system_equals_the_plain_reference() {
    let rounds = match std::env::var_os("BACKFILL_LONG") {
        Some(_) => 100,
        None => 10,
    };
    let mut seen = Seen::default();
    for round in 0..rounds {
        for_all(|setup, seed| {
            let slots = setup.system.capacity().slots;
            let jobs = random_jobs(1000 * round + seed, slots);
            let finished = finish(setup, &jobs);
            let expected = schedule(setup, &jobs);
            let record = &finished.replay.record;
            let about = || format!("round {round}, seed {seed}, {setup:?}");
            assert_eq!(record.fates.as_slice(), expected.fates, "{}", about());
            let migrations = record.migrations.as_slice();
            assert_eq!(migrations, expected.migrations, "{}", about());
            assert_eq!(finished.digest, expected.digest, "{}", about());
            seen.add(&finished);
        });
    }
    let Seen {
        missed,
        blocked,
        infeasible,
        unplaceable,
        migrations,
        waits,
        no_time,
    } = seen;
    for (what, count) in [
        ("missed", missed),
        ("blocked", blocked),
        ("infeasible", infeasible),
        ("unplaceable", unplaceable),
        ("migrations", migrations),
        ("waits", waits),
        ("no time", no_time),
    ] {
        assert!(count > 0, "nothing {what} in all workloads");
    }
}

#[test]
fn a_run_in_small_slices_is_the_run_in_one_go() {
    for_all(|setup, seed| {
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        let whole = finish(setup, &jobs);
        let mut run = Run::new(setup, jobs.clone(), false);
        let mut decided = 0;
        let mut slice = 0;
        while !run.advance(slice) {
            slice = (slice + 1) % 4;
            let (now, all) = run.progress();
            assert!(now >= decided && now < all, "{now} of {all} decided");
            decided = now;
        }
        assert_eq!(run.progress(), (jobs.len(), jobs.len()));
        let sliced = run.finish();
        assert_eq!(sliced.digest, whole.digest, "{setup:?}");
        assert_eq!(sliced.metrics, whole.metrics, "{setup:?}");
    });
}
