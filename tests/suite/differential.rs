//! Every policy, placement and system against the plain reference, on random workloads: equal in
//! every start, end and migration, and in the digest.

use backfill_sim::job::Jobs;
use backfill_sim::record::Outcome;
use backfill_sim::run::{Finished, Keep, Run};
use backfill_sim::setup::Setup;
use backfill_tests::runs::{
    finish, impatient, leaves_at, migrations_of, on_every_reading, on_every_system, outcomes_of,
    random_jobs,
};
use backfill_tests::schedule::{Schedule, schedule};

use crate::passes::rounds;

/// How often what matters has happened.
#[derive(Debug, Default)]
struct Seen {
    missed: u32,
    blocked: u32,
    rejected: u32,
    infeasible: u32,
    unplaceable: u32,
    migrations: u32,
    waits: u32,
    no_time: u32,
    overbooked: u32,
    left: u32,
}

impl Seen {
    fn add(&mut self, finished: &Finished) {
        let replay = &finished.replay;
        for (id, job) in replay.jobs.iter_enumerated() {
            match replay.record.histories[id].outcome {
                Outcome::Open => panic!("{id} is not decided"),
                Outcome::RejectedThoughPossible => self.missed += 1,
                Outcome::RejectedImpossible => self.blocked += 1,
                Outcome::RejectedUndecided => self.rejected += 1,
                Outcome::Infeasible => self.infeasible += 1,
                Outcome::Unplaceable => self.unplaceable += 1,
                Outcome::Left { time } => {
                    assert_eq!(Some(time.0), leaves_at(job), "{id}");
                    self.left += 1;
                }
                Outcome::Ran { start, end } => {
                    self.waits += u32::from(start > job.submit);
                    self.no_time += u32::from(start == end);
                }
            }
            self.migrations += replay.record.histories[id].migrations;
        }
        self.overbooked += replay.record.overbooked;
    }

    /// Runs random jobs as `setup` says, here and plainly.
    fn compare(&mut self, setup: &Setup, seed: u64) {
        self.compare_jobs(
            setup,
            &random_jobs(seed, setup.system.capacity().slots),
            seed,
        );
    }

    /// Runs these jobs of a seed in `setup`, here and plainly.
    fn compare_jobs(&mut self, setup: &Setup, jobs: &Jobs, seed: u64) {
        let finished = finish(setup, jobs);
        let expected = schedule(setup, jobs);
        let record = &finished.replay.record;
        let found = Schedule {
            outcomes: outcomes_of(record).as_slice().to_vec(),
            migrations: migrations_of(record),
            overbooked: record.overbooked,
            digest: finished.digest,
        };
        assert_eq!(found, expected, "seed {seed}, {setup:?}");
        self.add(&finished);
    }
}

#[test]
fn every_policy_on_every_system_equals_the_plain_reference() {
    let mut seen = Seen::default();
    for round in rounds(6, 100) {
        on_every_system(|setup, seed| {
            let undecided = seen.rejected;
            seen.compare(setup, 1000 * round + seed);
            // In the hose model the exact test always decides; Slurm knows no such test.
            let is_slurm = setup.placement.name().starts_with("slurm");
            assert!(
                is_slurm || seen.rejected == undecided,
                "seed {seed}, {setup:?}"
            );
        });
    }
    // In the hose model nothing is overbooked.
    for (what, count, happens) in [
        ("missed", seen.missed, true),
        ("blocked", seen.blocked, true),
        ("rejected", seen.rejected, true),
        ("infeasible", seen.infeasible, true),
        ("unplaceable", seen.unplaceable, true),
        ("migrations", seen.migrations, true),
        ("waits", seen.waits, true),
        ("no time", seen.no_time, true),
        ("overbooked", seen.overbooked, false),
    ] {
        assert_eq!(count > 0, happens, "{what}: {count} in all workloads");
    }
}

#[test]
fn jobs_that_leave_the_queue_leave_it_under_every_policy_as_in_the_plain_reference() {
    let mut seen = Seen::default();
    for round in rounds(2, 50) {
        on_every_system(|setup, seed| {
            let seed = 50_000 + 1000 * round + seed;
            let jobs = random_jobs(seed, setup.system.capacity().slots);
            let jobs = impatient(jobs, seed);
            seen.compare_jobs(setup, &jobs, seed);
        });
    }
    for (what, count) in [
        ("left", seen.left),
        ("migrations", seen.migrations),
        ("waits", seen.waits),
        ("no time", seen.no_time),
    ] {
        assert!(count > 0, "{what}: none in all workloads");
    }
}

#[test]
fn every_reading_of_every_placement_equals_the_plain_reference() {
    let mut seen = Seen::default();
    for round in rounds(1, 20) {
        on_every_reading(|setup, seed| seen.compare(setup, 10_000 * round + seed));
    }
    for (what, count) in [
        ("missed", seen.missed),
        ("blocked", seen.blocked),
        ("rejected", seen.rejected),
        ("infeasible", seen.infeasible),
        ("unplaceable", seen.unplaceable),
        ("migrations", seen.migrations),
        ("overbooked", seen.overbooked),
    ] {
        assert!(count > 0, "nothing {what} in all workloads");
    }
}

#[test]
fn a_run_in_small_slices_is_the_run_in_one_go() {
    on_every_system(|setup, seed| {
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        let whole = finish(setup, &jobs);
        let mut run = Run::new(setup, jobs.clone(), Keep::Histories);
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
