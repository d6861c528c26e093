//! Forecasts: what is known, what is drawn, and answers worked by hand or by a plain reference.

use backfill_experiment::files::logs::{Options, TraceReader, queue};
use backfill_experiment::forecast::answer::{self, Forecast};
use backfill_experiment::forecast::calibration::{self, Case};
use backfill_experiment::forecast::clock::Clock;
use backfill_experiment::forecast::future::{Course, Future};
use backfill_experiment::forecast::map::{self, LIMITS, Map};
use backfill_experiment::forecast::pasted;
use backfill_experiment::forecast::report::{Answers, Report};
use backfill_experiment::forecast::samples::Samples;
use backfill_experiment::forecast::simulation;
use backfill_experiment::forecast::state::{Question, State, WEEK};
use backfill_experiment::forecast::support::unsupported;
use backfill_experiment::forecast::timeline::Timeline;
use backfill_experiment::study::sweep;
use backfill_sim::id::JobId;
use backfill_sim::policy::Queue;
use backfill_sim::rng::Stream;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, MICROS, Span, Time};
use backfill_sim::workload::labels::Labels;
use backfill_sim::workload::{Format, Origin, Trace};
use backfill_tests::runs::{on_every_system, one_point, random_jobs};

const HOUR: u64 = 3600;
/// After the end of any run.
const LATE: Time = Time(1 << 50);
const WEEK_S: u64 = 7 * 24 * HOUR;

/// A job of a log, in seconds.
#[derive(Clone, Copy, Debug)]
struct Row {
    submit: u64,
    run: u64,
    size: u64,
    limit: u64,
    user: u64,
}

/// A log of these jobs, which are in order of submit.
fn log(rows: &[Row]) -> Trace {
    let mut text = "; MaxProcs: 16\n; UnixStartTime: 857347200\n".to_owned();
    for (number, row) in (1..).zip(rows) {
        let Row {
            submit,
            run,
            size,
            limit,
            user,
        } = row;
        text += &format!(
            "{number} {submit} -1 {run} {size} -1 -1 {size} {limit} -1 1 {user} 1 1 1 1 -1 -1\n"
        );
    }
    let mut reader = TraceReader::new(Format::Swf, Options::named("log.swf"));
    reader.push(text.as_bytes()).expect("it is read");
    reader.finish().expect("a log")
}

/// Random jobs over nine weeks that keep 16 nodes busy, of which some wait.
fn busy(seed: u64) -> Vec<Row> {
    let mut draw = Stream::new(seed, 0, "busy log", 0);
    let mut submit = 0;
    let mut rows = Vec::new();
    while submit < 9 * WEEK_S {
        let limit = HOUR * [1, 2, 4, 12, 24][draw.below(5) as usize];
        rows.push(Row {
            submit,
            run: 1 + draw.below(limit + limit / 8),
            size: [1, 1, 2, 3, 4, 8, 16][draw.below(7) as usize],
            limit,
            user: 1 + draw.below(6),
        });
        submit += draw.below(4 * HOUR);
    }
    rows
}

/// The setup and the timeline of a log on 16 nodes.
fn simulated(rows: &[Row], policy: &str, estimate: &str) -> (Setup, Timeline) {
    simulated_on(
        &[("system", "nodes"), ("nodes", "16")],
        rows,
        policy,
        estimate,
    )
}

/// The same on another system.
fn simulated_on(
    system: &[(&str, &str)],
    rows: &[Row],
    policy: &str,
    estimate: &str,
) -> (Setup, Timeline) {
    let pairs = [
        ("workload", "swf"),
        ("load", "as-logged"),
        ("estimate", estimate),
        ("policy", policy),
        ("x", "none"),
        ("reps", "1"),
    ];
    let (scenario, cell) = one_point(&[system, &pairs].concat());
    let trace = log(rows);
    let (setup, jobs) = sweep::parts(&scenario, cell, Some(&trace)).expect("jobs");
    assert_eq!(unsupported(&setup), None, "{policy}");
    let timeline = Timeline::new(&setup, Some(&trace), jobs).expect("a log");
    (setup, timeline)
}

fn question(size: u32, hours: u64) -> Question {
    Question {
        size,
        limit: Span(hours * HOUR * MICROS),
        bandwidth: Kbps(0),
    }
}

/// Everything that is answered about a state.
fn everything(setup: &Setup, state: &State, question: Question) -> Report {
    let forecast = Forecast::new(setup, state, question, 12);
    let hold = |seed, median| answer::hold(setup, state, question, seed, median);
    let median = forecast.quantile(50);
    let sizes = map::sizes(16);
    let cells = |seed| map::cells(setup, state, &sizes, &LIMITS, Kbps(0), seed);
    let futures: Vec<_> = (0..3).map(cells).collect();
    let bound = |course| answer::start(setup, state, question, course);
    let answers = Answers {
        holds: median.map_or(Vec::new(), |median| {
            (0..12).filter_map(|seed| hold(seed, median)).collect()
        }),
        bounds: [bound(Course::Optimist), bound(Course::Pessimist)],
        map: Some(Map::of(state.at, &sizes, &LIMITS, &futures)),
        forecast,
    };
    Report::new(setup, state, question, Clock::default(), &answers)
}

#[test]
fn what_comes_after_the_instant_changes_no_forecast() {
    let rows = busy(1);
    let mut waited = 0;
    for hour in [0, 31, 60, 97] {
        let at = 6 * WEEK_S + hour * HOUR;
        let instant = Time(at * MICROS);
        let (setup, mut timeline) = simulated(&rows, "easy", "keep");
        let mut changed = rows.clone();
        let starts = timeline.starts();
        for (row, start) in changed.iter_mut().zip(starts) {
            let start = start.expect("it runs");
            if row.submit > at {
                row.size = 17 - row.size;
                row.run = 2 * row.run + 7;
                row.limit = 26 * HOUR - row.limit;
                row.user = 7 - row.user;
            } else if start + Span(row.run * MICROS) > instant {
                row.run += 5 * HOUR + 13;
            }
        }
        let later = changed.partition_point(|row| row.submit <= at);
        changed.truncate(changed.len() - 40);
        changed[later..].iter_mut().for_each(|row| row.submit += 99);
        let question = question(8, 4);
        let of = |rows: &[Row]| {
            let (setup, mut timeline) = simulated(rows, "easy", "keep");
            let state = timeline.state(instant, None).expect("history enough");
            everything(&setup, &state, question)
        };
        let report = of(&rows);
        assert_eq!(report, of(&changed), "{hour}");
        let submitted = rows.partition_point(|row| row.submit <= at);
        assert_eq!(report, of(&rows[..submitted]), "{hour}");
        waited += u32::from(report.p50.wait_s != Some(0.0));
        let state = timeline.state(instant, None).expect("history enough");
        assert!(state.jobs.iter().all(|job| job.submit <= instant));
        assert!(setup.system.slots() == 16 && state.history.weeks.len() == 6);
    }
    assert!(waited > 1, "the job waits at some of the instants");
}

/// Jobs that run for their limits, in the last 20 hours before each of eight instants a week apart, the
/// last of which is that of the last job. Whatever week is drawn, nobody arrives in six days.
fn bursts(seed: u64) -> Vec<Row> {
    let mut draw = Stream::new(seed, 0, "bursts", 0);
    let mut rows = Vec::new();
    for week in 1..=8 {
        let mut submits: Vec<u64> = (0..25)
            .map(|_| week * WEEK_S - 1 - draw.below(20 * HOUR))
            .collect();
        submits.sort_unstable();
        for submit in submits {
            let limit = 60 * (1 + draw.below(400));
            rows.push(Row {
                submit,
                run: limit,
                size: 1 + draw.below(16),
                limit,
                user: 1 + draw.below(3),
            });
        }
    }
    rows.push(Row {
        submit: 8 * WEEK_S,
        run: 2 * HOUR,
        limit: 2 * HOUR,
        size: 1 + draw.below(12),
        user: 1,
    });
    rows
}

#[test]
fn with_true_run_times_and_no_arrivals_the_forecast_is_the_runs_own_start() {
    let mut waited = 0;
    for policy in [
        "fcfs",
        "easy",
        "sdf",
        "ljfs",
        "fpfs",
        "list(order=-wait/estimate*size,behind=reserve,depth=3)",
    ] {
        for seed in 0..6 {
            let rows = bursts(seed);
            let (setup, mut timeline) = simulated(&rows, policy, "kill");
            let last = JobId(rows.len() as u32 - 1);
            let start = timeline.starts()[rows.len() - 1].expect("it runs");
            let at = timeline.jobs()[last].submit;
            let state = timeline.state(at, Some(last.0 as usize)).expect("history");
            assert!(
                start - at < Span(6 * 24 * HOUR * MICROS),
                "before any arrival"
            );
            waited += u32::from(start > at);
            let asked = question(rows[rows.len() - 1].size as u32, 2);
            let forecast = Forecast::new(&setup, &state, asked, 5);
            assert_eq!(forecast.starts(), [Some(start); 5], "{policy}, {seed}");
            let optimist = answer::start(&setup, &state, asked, Course::Optimist);
            assert_eq!(optimist, Some(start), "{policy}, {seed}");
        }
    }
    assert!(waited > 12, "the job waits in many of them: {waited}");
}

#[test]
fn on_other_systems_the_forecast_is_the_runs_own_start() {
    let tree = [("system", "fat-tree"), ("k", "4")];
    let pool = [("system", "pool"), ("vms", "16")];
    let clusters = [("system", "multi-cluster"), ("clusters", "2")];
    let nodes = [("system", "nodes"), ("nodes", "16")];
    let mut waited = 0;
    for (system, policy) in [
        (tree, "easy"),
        (tree, "bgmbf"),
        (tree, "bgmbf-sdf"),
        (pool, "fair"),
        (clusters, "easy"),
        (nodes, "conservative"),
    ] {
        for seed in 0..10 {
            let rows = bursts(seed);
            let (setup, mut timeline) = simulated_on(&system, &rows, policy, "kill");
            let last = rows.len() - 1;
            let job = timeline.jobs()[JobId(last as u32)].clone();
            let start = timeline.starts()[last].expect("it runs");
            let state = timeline.state(job.submit, Some(last)).expect("history");
            waited += u32::from(start > job.submit);
            let asked = Question {
                size: job.size,
                limit: job.estimate,
                bandwidth: job.bandwidth,
            };
            let forecast = Forecast::new(&setup, &state, asked, 3);
            assert_eq!(forecast.starts(), [Some(start); 3], "{policy}, {seed}");
        }
    }
    assert!(waited > 12, "the job waits in many of them: {waited}");
}

#[test]
fn a_run_that_is_taken_over_goes_on_as_it_was() {
    let mut taken_over = 0;
    let mut running = 0;
    on_every_system(|setup, seed| {
        // Early ends let conservative backfilling keep what it would not reserve anew.
        if unsupported(setup).is_some() || setup.queue == Queue::Conservative {
            return;
        }
        let jobs = random_jobs(seed, setup.system.capacity().slots);
        let mut whole = simulation::begun(setup);
        whole.add_jobs(jobs.as_slice().to_vec());
        whole.advance_to(LATE);
        for at in [jobs.len() / 4, jobs.len() / 2] {
            let at = jobs[JobId(at as u32)].submit;
            let (before, after) = jobs
                .as_slice()
                .split_at(jobs.as_slice().partition_point(|job| job.submit < at));
            let mut run = simulation::begun(setup);
            run.add_jobs(before.to_vec());
            run.advance_to(Time(at.0.saturating_sub(1)));
            running += jobs
                .ids()
                .take(before.len())
                .filter(|&job| run.running(job).is_some())
                .count();
            let largest = before
                .iter()
                .enumerate()
                .max_by_key(|(_, job)| job.bandwidth);
            let past = before.iter().enumerate().take(1).chain(largest);
            let past = past.map(|(index, job)| job.request(JobId(index as u32)));
            let machine = run.machine(past.collect());
            let mut resumed = machine.resumed(setup, at, &[]);
            resumed.add_jobs(after.to_vec());
            resumed.advance_to(LATE);
            for job in jobs.ids() {
                assert_eq!(
                    resumed.outcome(job),
                    whole.outcome(job),
                    "{job} at {at}, {seed}: {setup:?}"
                );
            }
            taken_over += 1;
        }
    });
    assert!(taken_over > 400 && running > 1000, "{taken_over} {running}");
}

#[test]
fn every_cell_of_a_map_is_that_of_a_run_with_the_job_inserted() {
    let mut waits = std::collections::BTreeSet::new();
    for policy in ["easy", "fcfs", "sdf"] {
        for log in 0..6 {
            let (setup, mut timeline) = simulated(&busy(log), policy, "keep");
            for hour in [5, 40, 77] {
                let at = Time((5 * WEEK_S + hour * HOUR) * MICROS);
                let state = timeline.state(at, None).expect("history enough");
                let sizes = [1, 2, 3, 5, 8, 11, 16];
                for seed in 0..3 {
                    let shared = map::cells(&setup, &state, &sizes, &LIMITS, Kbps(0), seed);
                    let plain =
                        map::cells_one_by_one(&setup, &state, &sizes, &LIMITS, Kbps(0), seed);
                    assert_eq!(
                        shared, plain,
                        "{policy}, log {log}, hour {hour}, seed {seed}"
                    );
                    waits.extend(
                        shared
                            .into_iter()
                            .map(|start| start.map(|start| start - at)),
                    );
                }
            }
        }
    }
    assert!(waits.len() > 50, "starts differ: {}", waits.len());
}

#[test]
fn a_seed_has_one_future_and_fewer_futures_are_the_first_of_more() {
    let (setup, mut timeline) = simulated(&busy(3), "easy", "kill");
    let at = Time((6 * WEEK_S + 60 * HOUR) * MICROS);
    let state = timeline.state(at, None).expect("history enough");
    let start = |seed| answer::start(&setup, &state, question(16, 2), Course::Drawn(seed));
    let starts: Vec<Option<Time>> = (0..20).map(start).collect();
    assert_eq!(starts, (0..20).map(start).collect::<Vec<_>>());
    let different: std::collections::BTreeSet<_> = starts.iter().collect();
    assert!(different.len() > 5, "{different:?}");
    let some = Forecast::new(&setup, &state, question(16, 2), 20);
    assert_eq!(some, Forecast::of(at, starts.clone()));
    let ranks = [10, 50, 90].map(|percent| some.quantile(percent));
    assert_eq!(ranks, [1, 9, 17].map(|rank| some.starts()[rank]));
    let median = ranks[1].expect("it starts");
    let by = starts.iter().flatten().filter(|&&start| start <= median);
    assert_eq!(some.chance(median), by.count() as f64 / 20.0);
    assert_eq!(
        Forecast::of(at, vec![None, Some(at)]).starts(),
        [Some(at), None]
    );
}

#[test]
fn weeks_before_the_instant_come_again_as_they_were() {
    let rows = busy(4);
    let (setup, mut timeline) = simulated(&rows, "easy", "keep");
    let at = Time((5 * WEEK_S + 7 * HOUR) * MICROS);
    let state = timeline.state(at, None).expect("history enough");
    assert_eq!(state.history.weeks.len(), 5);
    let from = 7 * HOUR;
    let of_weeks: usize = state.history.weeks.iter().map(Vec::len).sum();
    let in_weeks = |row: &&Row| (from..from + 5 * WEEK_S).contains(&row.submit);
    assert_eq!(of_weeks, rows.iter().filter(in_weeks).count());
    let second = rows.iter().find(|row| row.submit >= from + WEEK_S).unwrap();
    let first = state.history.weeks[1][0];
    let offset = second.submit - from - WEEK_S;
    assert_eq!(first.offset, Span(offset * MICROS));
    assert_eq!(u64::from(first.size), second.size);
    assert_eq!(first.run, Some(Span(second.run * MICROS)));
    // Each week of a future is one of these, whole.
    let mut future = Future::new(&setup, &state, None, Course::Drawn(1));
    let first = future.asked().0;
    let end = Time(at.0 + 2 * WEEK.0);
    let simulation = future.just_before(end);
    let arrived: Vec<(u64, u32)> = (first..)
        .map_while(|job| simulation.request(JobId(job)))
        .take_while(|request| request.submit < end)
        .map(|request| ((request.submit - at).0, request.size))
        .collect();
    let of = |week: usize, begin: u64| {
        let week = state.history.weeks[week].iter();
        week.map(move |job| (begin + job.offset.0, job.size))
    };
    let pairs = (0..25).map(|pair| of(pair / 5, 0).chain(of(pair % 5, WEEK.0)));
    let matching = pairs.filter(|pair| pair.clone().eq(arrived.iter().copied()));
    assert_eq!(matching.count(), 1);
    let early = timeline.state(Time(4 * WEEK.0 - 1), None).unwrap_err();
    assert_eq!(
        early,
        "2419199.999999 s: the log begins 3 full weeks before it, and arrivals are drawn from at \
         least 4; ask for 2419200 s or later"
    );
}

#[test]
fn run_times_are_drawn_from_the_user_else_the_size_else_all_by_hand() {
    let minutes = |minutes: u64| Span(minutes * 60 * MICROS);
    let of = |user, limit| Origin {
        user,
        limit: Some(minutes(limit)),
    };
    // User 1: 30 jobs of one node that used half; user 2: 29 of four nodes that used a tenth, which
    // with one of user 3 makes 30 of their class; that one used twice its limit.
    let mut ended = vec![(of(1, 60), 1, minutes(30)); 30];
    ended.extend(vec![(of(2, 100), 4, minutes(10)); 29]);
    ended.push((of(3, 10), 7, minutes(20)));
    let samples = Samples::of(ended.iter().copied(), false);
    let draws = |samples: &Samples, origin, size, elapsed| {
        let draw = |index| samples.draw(origin, size, elapsed, &mut Stream::new(0, 0, "x", index));
        let drawn: std::collections::BTreeSet<u64> =
            (0..400).map(draw).map(|run| run.0 / 60 / MICROS).collect();
        drawn.into_iter().collect::<Vec<u64>>()
    };
    assert_eq!(draws(&samples, of(1, 20), 4, None), [10], "its user");
    assert_eq!(draws(&samples, of(2, 20), 4, None), [2, 40], "its size");
    assert_eq!(draws(&samples, of(9, 20), 16, None), [2, 10, 40], "all");
    let elapsed = Some(minutes(3));
    assert_eq!(draws(&samples, of(2, 20), 5, elapsed), [40], "above 3/20");
    let elapsed = Some(minutes(10));
    assert_eq!(
        draws(&samples, of(1, 20), 1, elapsed),
        [20],
        "none is above"
    );
    let elapsed = Some(minutes(25));
    assert_eq!(
        draws(&samples, of(1, 20), 1, elapsed),
        [25],
        "it ends at once"
    );
    // User 4: 35 jobs with a limit of an hour of which the last 30 used a fifth; nine with one of two
    // hours, which are too few.
    let mut own = ended.clone();
    own.extend(vec![(of(4, 60), 2, minutes(45)); 5]);
    own.extend(vec![(of(4, 60), 2, minutes(12)); 30]);
    own.extend(vec![(of(4, 120), 2, minutes(60)); 9]);
    let own = Samples::of(own.into_iter(), false);
    assert_eq!(draws(&own, of(4, 60), 2, None), [12], "with the same limit");
    assert_eq!(draws(&own, of(4, 120), 2, None), [24, 60, 90], "its user");
    let killed = Samples::of(ended.iter().copied(), true);
    assert_eq!(draws(&killed, of(9, 20), 16, None), [2, 10, 20], "killed");
    // Without limits, run times.
    let none = Origin::default();
    let runs = (1..=40).map(|run| (none, 1, minutes(run)));
    let runs = Samples::of(runs, false);
    assert_eq!(draws(&runs, none, 1, Some(minutes(38))), [39, 40]);
    assert_eq!(runs.limit_or_median(none, 1, None), minutes(21));
    assert_eq!(runs.limit_or_median(of(1, 20), 1, None), minutes(20));
}

#[test]
fn what_needs_more_than_a_queue_shows_is_refused_with_a_remedy() {
    let none = "choose a policy with a queue";
    for (pairs, said) in [
        (&[("policy", "none")][..], none),
        (
            &[("tiers", "2"), ("policy", "cmcbf")],
            "how busy the processors",
        ),
        (&[("system", "fat-tree"), ("policy", "none")], none),
        (
            &[
                ("system", "fat-tree"),
                ("policy", "bgmbf"),
                ("promote", "off"),
            ],
            "use promote=on",
        ),
        (
            &[
                ("system", "fat-tree"),
                ("policy", "easy"),
                ("bmax", "oracle"),
            ],
            "use bmax=arrived",
        ),
        (&[("system", "pool"), ("policy", "zomt")], "long_wait=off"),
        (&[("system", "pool"), ("policy", "pljfs")], "choose ljfs"),
        (
            &[
                ("system", "pool"),
                ("policy", "fpfs"),
                ("vm_migrations", "uniform:1:5"),
            ],
            "use vm_migrations=constant:0",
        ),
        (
            &[
                ("system", "multi-cluster"),
                ("policy", "fcfs"),
                ("sharing", "fixed"),
            ],
            "give it by penalty",
        ),
    ] {
        let base = [("x", "none"), ("reps", "1"), ("jobs", "10")];
        let system = [("system", "nodes")];
        let own = pairs.iter().any(|pair| pair.0 == "system");
        let system = if own { &[][..] } else { &system[..] };
        let (scenario, _) = one_point(&[&base, system, pairs].concat());
        let why = unsupported(&scenario.setup(None, None, 0))
            .unwrap_or_else(|| panic!("{pairs:?} is refused"));
        assert!(why.contains(said), "{why}");
    }
}

#[test]
fn calibration_by_hand() {
    let case = |wait: u64, around, median: u64| Case {
        size: 4,
        wait: Span(wait * MICROS),
        around,
        inside: true,
        median: Span(median * MICROS),
        optimist: Span(0),
    };
    // One that starts at once in all futures, one in the ninth tenth, one after all.
    let cases = [
        case(0, [0.0, 1.0], 0),
        case(60, [0.8, 0.85], 40),
        case(90, [1.0, 1.0], 80),
    ];
    let groups = calibration::groups(&cases);
    let all = &groups[0];
    assert_eq!((all.name.as_str(), all.cases), ("all", 3));
    assert!((all.inside_spread - 1.8 / 3.0).abs() < 1e-12);
    assert!((all.median_error_s - 10.0).abs() < 1e-12);
    assert!((all.optimist_error_s - 50.0).abs() < 1e-12);
    let tenths: Vec<u64> = all
        .histogram
        .iter()
        .map(|share| (share * 3000.0).round() as u64)
        .collect();
    assert_eq!(tenths, [100, 100, 100, 100, 100, 100, 100, 100, 1100, 1100]);
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    let expected = [
        "all",
        "P50 over 0",
        "size 4 to 7",
        "wait 0",
        "wait up to 10 min",
        "P50 0",
        "P50 up to 10 min",
    ];
    assert_eq!(names, expected);
    assert_eq!(groups[1].cases, 2);
    let parts = calibration::parts(&cases, 2);
    let errors: Vec<f64> = parts.iter().map(|part| part.median_error_s).collect();
    assert_eq!(errors, [0.0, 15.0]);
    assert_eq!(calibration::parts(&cases, 4), []);
    let (setup, mut timeline) = simulated(&busy(5), "easy", "kill");
    let asked = calibration::asked(&timeline, 30);
    let half = timeline.jobs().as_slice().last().unwrap().submit.0 / 2;
    assert_eq!(asked.len(), 30);
    assert!(asked.is_sorted() && timeline.jobs()[asked[0].0].submit.0 >= half);
    let (job, truth) = asked[3];
    let forecast = |state: &State, question| Forecast::new(&setup, state, question, 10);
    let case = calibration::case(&setup, &mut timeline, job, truth, forecast);
    let case = case.expect("history enough");
    let job = &timeline.jobs()[job];
    assert_eq!((job.submit + case.wait, job.size), (truth, case.size));
}

/// Three jobs that run and two that wait, at 12:00:00.
const QUEUE: &str = "\
JOBID USER PARTITION NODES CPUS TIME_LIMIT TIME ST SUBMIT_TIME START_TIME
7 ann cpu 2 8 2:00:00 1:00:00 R 2024-01-02T10:30:00 2024-01-02T11:00:00
9_1 bob cpu 1 4 1-00:00:00 30:00 R 2024-01-02T11:30:00 2024-01-02T11:30:00
11 ann cpu 4 16 4:00:00 0:00 PD 2024-01-02T11:45:00 N/A
8 eve cpu 1 4 3:00:00 2:00:00 CG 2024-01-02T09:00:00 2024-01-02T10:00:00
12 bob cpu 1 4 30:00 0:00 PD 2024-01-02T11:50:00 2024-01-02T15:00:00
";

#[test]
fn a_pasted_queue_is_a_state_and_its_forecast_that_by_hand() {
    let queue = queue::read(QUEUE, &Labels::default()).expect("a queue");
    let noon = 1_704_196_800;
    assert_eq!(queue.now_s, noon);
    let known: Vec<_> = queue
        .rows
        .iter()
        .map(|row| (row.number, row.user))
        .collect();
    assert_eq!(known, [(8, 3), (7, 1), (9, 2), (11, 1), (12, 2)]);
    let headless = QUEUE.split_once('\n').expect("lines").1;
    assert_eq!(queue::read(headless, &Labels::default()), Ok(queue.clone()));
    let piped = QUEUE.replace(' ', "|");
    assert_eq!(queue::read(&piped, &Labels::default()), Ok(queue.clone()));
    // Labels of a log that know the names give their numbers.
    let hashes = ["zoe", "eve", "bob"].map(|name| Labels::hash(name.as_bytes()));
    let labels = Labels {
        user_hashes: hashes.to_vec(),
        ..Labels::default()
    };
    let named = queue::read(QUEUE, &labels).expect("a queue");
    let users: Vec<u32> = named.rows.iter().map(|row| row.user).collect();
    assert_eq!(users, [2, 4, 3, 4, 3]);

    // 4 of 4 nodes are held. At 13:00 three are free; the job of four waits for 11:30 tomorrow, and
    // that of 30 minutes is backfilled at 13:00 beside it; so is one of two nodes and four hours.
    let (setup, _) = simulated(&busy(1), "easy", "kill");
    let of = |nodes, processors| {
        let mut setup = setup.clone();
        setup.system.set_nodes(nodes);
        pasted::state(&setup, &queue, processors, None)
    };
    let (state, clock) = of(4, false).expect("a state");
    assert_eq!(state.counts(), (3, 2));
    let starts = |size, hours| {
        let forecast = Forecast::new(&setup, &state, question(size, hours), 3);
        let start = forecast.quantile(50).expect("it starts");
        assert_eq!(
            forecast.quantile(90),
            Some(start),
            "without a history nothing is drawn"
        );
        clock.date(start).expect("a date")
    };
    assert_eq!(starts(2, 4), "2024-01-02 13:00:00");
    assert_eq!(starts(2, 23), "2024-01-03 15:30:00");
    assert_eq!(starts(3, 1), "2024-01-02 13:30:00");
    let in_processors = of(16, true).expect("a state").0;
    let sizes: Vec<u32> = in_processors.jobs.iter().map(|job| job.size).collect();
    assert_eq!(sizes, [4, 8, 4, 16, 4]);
    let (nodes, cpus) = (of(3, false), of(9, true));
    assert!(
        nodes
            .unwrap_err()
            .contains("hold 4, and the system has 3; give the number by nodes=")
    );
    assert!(cpus.unwrap_err().contains("hold 16, and the system has 9"));
}

#[test]
fn a_log_gives_a_pasted_queue_its_users_and_weeks() {
    let queue = queue::read(QUEUE, &Labels::default()).expect("a queue");
    let rows = busy(1);
    let (setup, mut timeline) = simulated(&rows, "easy", "kill");
    // A log that ended nine days before noon: of its weeks, those that end at noon two weeks before.
    let last = rows[rows.len() - 1].submit as i64;
    let begins = queue.now_s - 9 * 24 * 3600 - last;
    let (state, clock) =
        pasted::state(&setup, &queue, false, Some((&mut timeline, begins))).expect("a state");
    assert_eq!(clock, Clock::beginning(begins));
    let end = Time((queue.now_s - begins - 2 * WEEK_S as i64) as u64 * MICROS);
    let past = timeline.state(end, None).expect("history enough");
    assert_eq!(state.history.weeks, past.history.weeks);
    assert_eq!(state.at, Time(end.0 + 2 * WEEK.0));
    let late = pasted::state(
        &setup,
        &queue,
        false,
        Some((&mut timeline, queue.now_s + 5)),
    );
    assert!(
        late.unwrap_err()
            .contains("begins after the queue was printed")
    );
}

#[test]
fn impossible_rows_of_a_queue_are_refused_by_line_with_a_remedy() {
    for (from, to, said) in [
        (
            "9_1 bob",
            "9_[1-4] bob",
            "line 3: 9_[1-4] stands for several tasks; print each of them by squeue -r",
        ),
        ("9_1 bob", "x bob", "line 3: x is no job number"),
        (
            "cpu 2 8",
            "cpu 0 8",
            "line 2: 0 is no number of nodes; it must be a whole number from 1",
        ),
        (
            "cpu 4 16",
            "cpu 4 16K",
            "line 4: 16K is no number of processors",
        ),
        (
            "1-00:00:00",
            "UNLIMITED",
            "line 3: UNLIMITED is no time limit; write the longest time",
        ),
        ("30:00 R", "INVALID R", "line 3: INVALID is no time used"),
        (
            "2:00:00 CG",
            "2:00:00 S",
            "line 5: S is no state; only jobs that run",
        ),
        (
            "10:30:00 2024",
            "11:00:01 2024",
            "line 2: the job started before it was submitted",
        ),
        (
            "30:00 R",
            "37:00 R",
            "line 3: start time and time used add up to an instant 420 s away",
        ),
        (
            "11:45:00 N/A",
            "11:45 N/A",
            "line 4: 2024-01-02T11:45 is no submit time",
        ),
        (
            "2024-01-02T11:50:00 2024",
            "2024",
            "line 6: it has 9 fields and not 10",
        ),
        (
            "TIME_LIMIT",
            "TIMELIMIT",
            "line 1: the heading TIMELIMIT is none of squeue's",
        ),
    ] {
        let changed = QUEUE.replacen(from, to, 1);
        assert_ne!(changed, QUEUE, "{from}");
        let why = queue::read(&changed, &Labels::default()).expect_err(to);
        assert!(why.contains(said), "{why}");
    }
    let without = QUEUE.lines().next().expect("a heading").replace("ST ", "");
    let why = queue::read(&without, &Labels::default()).unwrap_err();
    assert!(
        why.contains("line 1: the column ST (%t) is missing"),
        "{why}"
    );
    let why = queue::read("\n", &Labels::default()).unwrap_err();
    assert!(
        why.contains("there is no job in it; print the queue by squeue"),
        "{why}"
    );
}

#[test]
fn usable_nodes_are_those_of_one_partition_that_are_not_down() {
    let sinfo = "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\n\
                 cpu* up infinite 2 down* n[1-2]\ncpu* up infinite 3 mix n[3-5]\n\
                 cpu* up infinite 4 idle n[6-9]\ncpu* up infinite 1 drained n10\n";
    assert_eq!(queue::usable_nodes(sinfo), Ok(7));
    let two = format!("{sinfo}gpu up infinite 1 idle n11\n");
    let why = queue::usable_nodes(&two).unwrap_err();
    assert!(why.contains("line 6: a second partition"), "{why}");
    let why = queue::usable_nodes("cpu 2 idle\n").unwrap_err();
    assert!(why.contains("print it by sinfo -p PARTITION"), "{why}");
    let down = "PARTITION NODES STATE\ncpu 2 down\n";
    assert!(
        queue::usable_nodes(down)
            .unwrap_err()
            .contains("no node can be used")
    );
}
