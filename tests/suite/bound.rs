//! No policy accepts more than the bounds say.

use backfill_experiment::study::bound::{Relaxation, feasible, least_on_server_links};
use backfill_sim::id::JobId;
use backfill_sim::job::sorted;
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::unit::Kbps;
use backfill_tests::runs::{finish, job, on_every_system, outcomes_of, random_jobs, setup};

/// The jobs that ran keep every row, so no solution of the model is less than them; and whatever
/// the multipliers, the bound is not less either. Returns how many rows there were.
fn keeps_every_row_and_every_bound(setup: &Setup, seed: u64) -> usize {
    let queued = setup.queue.name() != "none";
    let jobs = random_jobs(seed, setup.system.capacity().slots);
    let fits = feasible(setup, &jobs).expect("an exact test");
    let record = finish(setup, &jobs).replay.record;
    let ran = |id: JobId| matches!(record.histories[id].outcome, Outcome::Ran { .. });
    for id in jobs.ids() {
        assert!(fits[id] || !ran(id), "{id} ran, but does not fit");
        let infeasible = record.histories[id].outcome == Outcome::Infeasible;
        assert_eq!(infeasible, !fits[id], "{id}");
    }
    if queued {
        return 0;
    }
    let model = Relaxation::new(setup, &jobs);
    for row in model.rows() {
        let taken = row
            .terms
            .iter()
            .filter(|term| ran(model.variables()[term.0]));
        let taken: f64 = taken.map(|term| term.1).sum();
        assert!(taken <= 1.0 + 1e-9, "{taken} in {row:?}, {setup:?}");
    }
    let accepted = jobs.ids().filter(|&id| ran(id)).count();
    for draw in 0..20 {
        let mut stream = Stream::new(seed, draw, "multipliers", 0);
        let multipliers: Vec<f64> = model
            .rows()
            .iter()
            .map(|_| stream.below(8000) as f64 / 1000.0)
            .collect();
        assert!(accepted <= model.bound(&multipliers), "{setup:?}");
    }
    model.rows().len()
}

#[test]
fn what_a_policy_accepts_keeps_every_row_and_every_bound() {
    let mut rows = 0;
    for round in 0..8 {
        on_every_system(|setup, seed| {
            rows += keeps_every_row_and_every_bound(setup, 1000 * round + seed);
            let mut in_part = setup.clone();
            if let SystemSpec::FatTree(tree) = &mut in_part.system
                && setup.queue.name() == "none"
            {
                tree.guarantee.percent = [0, 20, 60][round as usize % 3];
                rows += keeps_every_row_and_every_bound(&in_part, 1000 * round + seed);
            }
        });
    }
    assert!(rows > 1000, "only {rows} rows");
}

/// Three jobs at once of two nodes each, on three nodes: 2x₁ + 2x₂ + 2x₃ ≤ 3, so Σ x ≤ 1.5, which
/// the multiplier 1.5 shows; one whole job. A fourth runs alone later, a fifth is too large.
#[test]
fn a_bound_worked_by_hand() {
    let setup = setup(&[("system", "nodes"), ("nodes", "3"), ("policy", "none")]);
    let jobs = sorted(vec![
        job(0, 2, 10),
        job(1, 2, 10),
        job(2, 2, 10),
        job(12, 3, 1),
        job(20, 4, 1),
    ]);
    let model = Relaxation::new(&setup, &jobs);
    assert_eq!(model.certain(), 1);
    assert_eq!(model.variables(), [0, 1, 2].map(JobId));
    let [row] = model.rows() else {
        panic!("{:?}", model.rows());
    };
    assert_eq!(row.terms, [0, 1, 2].map(|variable| (variable, 2.0 / 3.0)));
    assert_eq!(model.bound(&[1.5]), 1 + 1);
    assert_eq!(model.bound(&[0.0]), 1 + 3);
    let accepted = outcomes_of(&finish(&setup, &jobs).replay.record);
    let ran = accepted
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Ran { .. }));
    assert_eq!(ran.count(), 2);
}

/// Jobs that end as another arrives do not meet; a job of no time meets those of its instant.
#[test]
fn only_jobs_that_run_together_share_a_row() {
    let setup = setup(&[("system", "nodes"), ("nodes", "3"), ("policy", "none")]);
    let jobs = sorted(vec![job(0, 3, 5), job(5, 2, 0), job(5, 2, 1), job(6, 3, 1)]);
    let model = Relaxation::new(&setup, &jobs);
    assert_eq!(model.certain(), 2);
    let rows: Vec<usize> = model.rows().iter().map(|row| row.terms.len()).collect();
    assert_eq!(rows, [2]);
    assert_eq!(model.variables(), [1, 2].map(JobId));
}

/// Servers of 3 slots behind links of 1000 Mbit/s.
#[test]
fn the_least_reservation_on_servers_links_worked_by_hand() {
    let capacity = setup(&[("slots", "3"), ("policy", "none")])
        .system
        .capacity();
    for (size, mbps, least) in [
        // All on one server.
        (3, 5000, Some(0)),
        // 3 and 1: one machine's bandwidth on either side.
        (4, 400, Some(800)),
        // 3 and 2: two machines'.
        (5, 400, Some(1600)),
        // 3 and 3 would need 1200 on a link, so 2, 2 and 2.
        (6, 400, Some(2400)),
        // 3 and 3.
        (6, 300, Some(1800)),
        // Every split needs a link for at least one machine.
        (4, 1100, None),
    ] {
        let found = least_on_server_links(size, Kbps(1000 * mbps), &capacity);
        assert_eq!(found, least.map(|mbps| 1000 * mbps), "{size} · {mbps}");
    }
}
