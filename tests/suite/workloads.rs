//! The jobs of a scenario: of a log, cleaned and shaken, and generated.

use std::sync::Arc;

use backfill_experiment::files::logs::{Options, TraceReader};
use backfill_experiment::language::scenario::Scenario;
use backfill_sim::job::Job;
use backfill_sim::problem::Problem;
use backfill_sim::unit::{MICROS, Span, Time};
use backfill_sim::workload::clean::chosen;
use backfill_sim::workload::trace::Flurry;
use backfill_sim::workload::{Format, Trace, Workload, job_count, jobs};

/// A log of `burst` jobs of user 7 a minute apart, and three jobs of user 3 in between that failed,
/// ended well and were cancelled.
fn log(burst: u32) -> Trace {
    let mut text = String::new();
    let mut job = |submit: u32, user: u32, status: u32| {
        text += &format!("1 {submit} 0 60 2 -1 -1 2 90 -1 {status} {user} 1 1 1 1 -1 -1\n");
    };
    for index in 0..burst {
        job(60 * index, 7, 1);
    }
    for status in [0, 1, 5] {
        job(30 + status, 3, status);
    }
    let options = Options::named("log.swf");
    let mut reader = TraceReader::new(Format::Swf, options);
    reader.push(text.as_bytes()).unwrap();
    reader.finish().unwrap()
}

fn workload(pairs: &[(&str, &str)]) -> Workload {
    let pairs = [("workload", "swf"), ("load", "as-logged")]
        .iter()
        .chain(pairs);
    let scenario = Scenario::parse(pairs.copied()).unwrap();
    scenario.setup(None, None, 0).workload
}

#[test]
fn a_burst_is_a_flurry_from_a_hundred_jobs_on() {
    let trace = log(100);
    let flurry = Flurry {
        user: 7,
        size: 2,
        jobs: 100,
        first: Time(0),
        last: Time(99 * 60 * MICROS),
    };
    assert_eq!(trace.flurries, [flurry]);
    assert_eq!(log(99).flurries, []);
}

#[test]
fn a_scenario_takes_what_it_says_and_then_the_first_ones() {
    let trace = log(100);
    let taken = |pairs: &[(&str, &str)]| {
        let rows = chosen(&trace, &workload(pairs), 1, 0)?;
        assert_eq!(job_count(&workload(pairs), Some(&trace)), Ok(rows.len()));
        Ok::<usize, Problem>(rows.len())
    };
    assert_eq!(taken(&[]), Ok(103));
    assert_eq!(taken(&[("flurries", "remove")]), Ok(3));
    assert_eq!(taken(&[("flurries", "remove"), ("first", "2")]), Ok(2));
    assert_eq!(taken(&[("statuses", "not-cancelled")]), Ok(102));
    let mut some_for_no_time = trace.clone();
    Arc::make_mut(&mut some_for_no_time.rows)[1].runtime = Span(0);
    let executed = chosen(
        &some_for_no_time,
        &workload(&[("statuses", "executed")]),
        1,
        0,
    );
    assert_eq!(executed.map(|rows| rows.len()), Ok(101));
    let both = [("flurries", "remove"), ("statuses", "completed")];
    assert_eq!(taken(&both), Ok(1));
}

#[test]
fn shaken_submits_stay_near_and_in_order_and_differ_from_replication_to_replication() {
    let trace = log(100);
    let shaken = workload(&[("shake_s", "20")]);
    let [first, again, second] =
        [0, 0, 1].map(|replication| chosen(&trace, &shaken, 1, replication).unwrap());
    assert_eq!(first, again);
    assert_ne!(first, second);
    assert!(first.is_sorted_by_key(|row| row.submit));
    for row in &first {
        let logged = trace.rows.iter().find(|logged| logged.line == row.line);
        let moved = row.submit.0.abs_diff(logged.unwrap().submit.0);
        assert!(moved <= 20 * MICROS, "{moved}");
    }
}

#[test]
fn cleaning_that_leaves_nothing_is_refused_in_a_sentence() {
    let mut trace = log(100);
    Arc::make_mut(&mut trace.rows).retain(|row| row.in_flurry);
    let refused = chosen(&trace, &workload(&[("flurries", "remove")]), 1, 0).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "flurries = remove: leaves no job of the trace; take more of them"
    );
    let one_by_one = of("workload=swf flurries=remove", Some(&trace), 0);
    assert_eq!(one_by_one, Err(refused.to_string()));
}

#[test]
fn jobs_of_a_log_are_those_of_a_list_when_each_is_made_by_itself() {
    let trace = log(100);
    for rules in [
        "load=0.7",
        "load=as-logged flurries=remove",
        "load=0.7 statuses=completed first=50 estimate=kill",
        "load=0.7 bandwidth=normal bandwidth_mbps=300",
    ] {
        let made = |feedback| {
            let scenario = format!("workload=swf {rules} feedback={feedback}");
            of(&scenario, Some(&trace), 3).expect("jobs")
        };
        // A job that may wait for another one is made with it.
        assert_eq!(made("off"), made("on"), "{rules}");
    }
}

/// The jobs of a scenario given as `key=value` words.
fn of(scenario: &str, trace: Option<&Trace>, replication: u64) -> Result<Vec<Job>, String> {
    let pairs = scenario
        .split(' ')
        .map(|pair| pair.split_once('=').unwrap());
    let setup = Scenario::parse(pairs).unwrap().setup(None, None, 0);
    let (workload, capacity) = (&setup.workload, setup.system.capacity());
    let jobs = jobs(workload, trace, &capacity, setup.options.seed, replication)
        .map_err(|problem| problem.to_string())?;
    assert_eq!(job_count(workload, trace), Ok(jobs.len()));
    Ok(jobs.as_slice().to_vec())
}

fn trace(format: Format, text: &str) -> Trace {
    let options = Options::named("trace");
    let mut reader = TraceReader::new(format, options);
    reader.push(text.as_bytes()).unwrap();
    reader.finish().unwrap()
}

const LOG: &str = "\
    3 100 0 50 4 -1 -1 4 40 -1 1 1 1 1 1 -1 -1 -1\n\
    4 110 0 20 2 -1 -1 2 30 -1 1 1 1 1 1 -1 -1 -1\n\
    5 105 0 10 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n\
    6 300 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n";

#[test]
fn generated_jobs_are_those_computed_independently() {
    // Draws of SplitMix64 and xoshiro256++ written again in another language.
    let jobs = of(
        "load=as-logged interarrival=exponential:60 seed=42 jobs=4",
        None,
        0,
    );
    let found: Vec<_> = jobs
        .unwrap()
        .iter()
        .map(|job| (job.submit.0, job.size, job.bandwidth.0, job.runtime.0))
        .collect();
    assert_eq!(
        found,
        [
            (0, 5, 230_132, 4_805_872_167),
            (59_281_148, 12, 258_511, 228_056_923),
            (298_702_119, 15, 264_153, 338_323_227),
            (317_240_856, 13, 341_192, 4_115_889_513),
        ]
    );
}

#[test]
fn generated_jobs_meet_their_load_in_every_replication() {
    for replication in 0..3 {
        let jobs = of("load=0.5 jobs=200", None, replication).unwrap();
        let span = jobs[199].submit - jobs[0].submit;
        let load =
            jobs.iter().map(Job::area).sum::<u128>() as f64 / (432 * u128::from(span.0)) as f64;
        assert!((load - 0.5).abs() < 1e-9, "{load}");
    }
}

#[test]
fn the_first_jobs_are_taken_by_submit_time_before_anything_is_scaled() {
    let log = trace(Format::Swf, LOG);
    let scenario = "workload=swf first=3 load=0.25 bandwidth=none system=nodes nodes=8";
    let jobs = of(scenario, Some(&log), 0).unwrap();
    let found: Vec<_> = jobs
        .iter()
        .map(|job| (job.number, job.submit.0 / MICROS))
        .collect();
    // A = 4·50 + 1·10 + 2·20 = 250 and P·D = 8·10: gaps of 5 and 10 grow by 250 / 80 / 0.25.
    assert_eq!(found, [(3, 100), (5, 162), (4, 225)]);
    assert_eq!(jobs[1].submit.0, 162_500_000);
}

#[test]
fn under_kill_the_load_counts_the_run_times_that_were_cut() {
    let log = trace(Format::Swf, LOG);
    let scenario = "workload=swf first=3 load=0.25 estimate=kill system=nodes nodes=8";
    let jobs = of(scenario, Some(&log), 0).unwrap();
    assert_eq!(
        (jobs[0].runtime.0, jobs[0].estimate.0),
        (40 * MICROS, 40 * MICROS)
    );
    // A = 4·40 + 1·10 + 2·20 = 210.
    assert_eq!(jobs[2].submit.0, 205_000_000);
}

#[test]
fn a_sentence_says_what_a_workload_lacks() {
    assert_eq!(
        of("workload=swf load=0.5", None, 0),
        Err("workload = swf: this workload needs a file; give one".to_owned())
    );
    let log = trace(Format::Swf, LOG);
    assert_eq!(
        of("workload=csv load=0.5 bandwidth=column", Some(&log), 0),
        Err(
            "bandwidth = column: the workload has no column bandwidth_kbps; choose another \
             distribution or a job list that has it"
                .to_owned()
        )
    );
    assert_eq!(
        of(
            "load=as-logged interarrival=constant:0 runtime=lognormal:20:20",
            None,
            0
        ),
        Err(
            "workload = poisson: submit and run times add up to more than 146,000 years; \
             shorten them or take fewer jobs"
                .to_owned()
        )
    );
}

#[test]
fn a_job_list_keeps_its_bandwidths() {
    let list = "job,submit_us,size,bandwidth_kbps,runtime_us\n1,0,2,300,9\n2,1,2,2000000,9\n";
    let list = trace(Format::Csv, list);
    let at = |scenario| {
        let jobs = of(scenario, Some(&list), 0).unwrap();
        [jobs[0].bandwidth.0, jobs[1].bandwidth.0]
    };
    assert_eq!(
        at("workload=csv load=as-logged bandwidth=column"),
        [300, 1_000_000]
    );
    let uncapped = "workload=csv load=as-logged bandwidth=column cap_bandwidth=off";
    assert_eq!(at(uncapped), [300, 2_000_000]);
}
