//! Every policy, placement and system against the plain reference, on random workloads: equal in
//! every start, end and migration, and in the digest.

use backfill_sim::record::Fate;
use backfill_sim::run::{Finished, Run};
use backfill_tests::runs::{finish, on_every_system, random_jobs};
use backfill_tests::schedule::schedule;

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
                Fate::Open | Fate::Rejected => panic!("{id} is not decided"),
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
        on_every_system(|setup, seed| {
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
    on_every_system(|setup, seed| {
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
