//! Models of real workloads against published facts about them.

use backfill_sim::job::{Job, Jobs};
use backfill_sim::unit::MICROS;
use backfill_sim::workload;
use backfill_tests::runs::{results, setup};

fn jobs(pairs: &[(&str, &str)]) -> Jobs {
    let setup = setup(&[&[("load", "as-logged"), ("policy", "fcfs")], pairs].concat());
    let (capacity, seed) = (setup.system.capacity(), setup.options.seed);
    workload::jobs(&setup.workload, None, &capacity, seed, 0).expect("jobs are drawn")
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[track_caller]
fn near(found: f64, expected: f64, within: f64) {
    let off = (found - expected).abs();
    assert!(off <= within, "{found}, expected {expected} ± {within}");
}

/// The results of the authors' program for 200,000 jobs, and the largest difference of two samples
/// of that length: four standard errors of a difference, more for arrivals, whose times are far
/// from independent.
struct Reference {
    classes: &'static str,
    size: (f64, f64),
    serial: f64,
    power: f64,
    runtime: (f64, f64),
    median: f64,
    interarrival: f64,
    load: f64,
}

#[test]
fn lublins_model_has_the_statistics_of_its_authors_program() {
    for reference in [
        Reference {
            classes: "off",
            size: (12.244, 0.28),
            serial: 0.2417,
            power: 0.8691,
            runtime: (4345.7, 170.0),
            median: 106.0,
            interarrival: 929.2,
            load: 0.7120,
        },
        Reference {
            classes: "on",
            size: (8.915, 0.2),
            serial: 0.1760,
            power: 0.8652,
            runtime: (1669.1, 110.0),
            median: 18.0,
            interarrival: 517.8,
            load: 0.4103,
        },
    ] {
        let jobs = jobs(&[
            ("workload", "lublin"),
            ("jobs", "200000"),
            ("job_classes", reference.classes),
        ]);
        let of = |value: fn(&Job) -> f64| -> Vec<f64> { jobs.iter().map(value).collect() };
        let sizes = of(|job| f64::from(job.size));
        near(mean(&sizes), reference.size.0, reference.size.1);
        let serial = of(|job| f64::from(u8::from(job.size == 1)));
        near(mean(&serial), reference.serial, 0.0056);
        let power = of(|job| f64::from(u8::from(job.size.is_power_of_two())));
        near(mean(&power), reference.power, 0.0044);
        let mut runtimes = of(|job| job.runtime.seconds());
        near(mean(&runtimes), reference.runtime.0, reference.runtime.1);
        assert!(jobs.iter().all(|job| job.runtime.0 % MICROS == 0));
        runtimes.sort_unstable_by(f64::total_cmp);
        near(
            runtimes[100_000],
            reference.median,
            0.04 * reference.median + 1.0,
        );
        let last = jobs.iter().last().expect("jobs").submit.0 as f64 / MICROS as f64;
        let interarrival = last / 200_000.0;
        near(
            interarrival,
            reference.interarrival,
            0.08 * reference.interarrival,
        );
        let area: f64 = jobs
            .iter()
            .map(|job| f64::from(job.size) * job.runtime.seconds())
            .sum();
        near(area / (128.0 * last), reference.load, 0.1 * reference.load);
    }
}

#[test]
fn lublins_sizes_are_as_frequent_as_in_its_authors_program() {
    let jobs = jobs(&[("workload", "lublin"), ("jobs", "200000")]);
    for (size, per_cent) in [
        (1, 24.17),
        (2, 11.54),
        (3, 2.06),
        (4, 14.96),
        (5, 1.20),
        (8, 14.08),
        (16, 13.89),
        (32, 3.36),
        (64, 3.26),
        (128, 1.65),
    ] {
        let count = jobs.iter().filter(|job| job.size == size).count();
        near(count as f64 / 2000.0, per_cent, 0.56);
    }
}

/// Whatever a model gives can be scheduled, with estimates as users would say them.
#[test]
fn every_model_runs_to_its_end_under_backfilling_with_users_estimates() {
    for workload in ["lublin", "feitelson96-like", "jann97-refit"] {
        let results = results(&[
            ("system", "nodes"),
            ("nodes", "336"),
            ("bandwidth", "none"),
            ("workload", workload),
            ("jobs", "400"),
            ("estimate", "tsafrir"),
            ("estimate_max_s", "400000"),
            ("policy", "easy,conservative,fpfs"),
            ("x", "none"),
            ("load", "0.7"),
            ("reps", "2"),
        ]);
        let accepted = backfill_sim::metrics::position("accept_rate").expect("a metric");
        for outcome in results.outcomes() {
            assert_eq!(outcome.metrics[accepted], Some(1.0), "{workload}");
        }
    }
}
