//! The verdicts on what a paper says of its figures, with the numbers behind them: none may change
//! unseen.
//!
//! `golden/claims.txt` holds for every claim its verdict and, by reading, what decided it; of each
//! figure it says with which effort. The page's report is made of it. A run with `UPDATE=1` in the
//! environment writes anew what it computes, each figure with the effort that the file names.
//! Figures 5 to 8 need the logs and take minutes, as does what is on file with full effort: they are
//! judged with `BACKFILL_LONG=1`. Of the latter `golden/claims-quick.txt` holds what a few replications
//! say, so that no change of them goes unseen meanwhile.

use std::collections::BTreeMap;
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use backfill_plot::figure::FigureReport;
use backfill_plot::recorded::{self, RecordedFigure};
use backfill_sim::figure::{
    Data, Effort, Figure, Kind, Log, Reading, Run, WorkloadFrom, figures, sweep,
};
use backfill_sim::run::Keep;
use backfill_sim::scenario::Scenario;
use backfill_sim::sweep::{CellRun, Results, cells};
use backfill_sim::workload::Trace;
use backfill_tests::logs;

/// One test reads and writes the file at a time.
static TURN: Mutex<()> = Mutex::new(());

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/claims.txt");

const QUICK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/claims-quick.txt");

/// Every run of a scenario, two at a time.
fn simulated(scenario: &Scenario, trace: Option<&Trace>) -> Results {
    let cells = cells(scenario);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            let run = CellRun::new(scenario, cell, trace, Keep::Metrics).expect("jobs");
            outcomes.push(run.finish().0);
        }
        outcomes
    };
    let mut results = Results::new(scenario);
    thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        for worker in workers {
            for outcome in worker.join().expect("no run panics") {
                results.add(outcome);
            }
        }
    });
    results
}

/// What has been computed so far, so that figures share logs and scenarios.
#[derive(Default)]
struct Made {
    traces: BTreeMap<&'static str, Option<Trace>>,
    results: Vec<(Scenario, Results)>,
    data: BTreeMap<&'static str, Data>,
}

impl Made {
    /// A log as it is published, where it is at hand.
    fn trace(&mut self, log: &Log) -> Option<&Trace> {
        let read = || {
            let trace = logs::trace(log.file);
            if let Some(trace) = &trace {
                assert_eq!(trace.sha256, log.sha256, "{}", log.file);
            }
            trace
        };
        self.traces.entry(log.file).or_insert_with(read).as_ref()
    }

    /// Computes a figure from its logs; returns whether they are at hand.
    fn make(&mut self, figure: &'static Figure, effort: Effort) -> bool {
        if self.data.contains_key(figure.id) {
            return true;
        }
        let data = match figure.kind {
            Kind::Weights(weights) => Data::Weights(weights.curves()),
            Kind::Step(step) => Data::Step(step.rows()),
            Kind::Table(table) => {
                let mut rows = Vec::new();
                for source in table.workloads {
                    let trace = source.log().map(|log| self.trace(log));
                    if matches!(trace, Some(None)) {
                        return false;
                    }
                    rows.push(table.row(*source, trace.flatten(), effort).expect("jobs"));
                }
                Data::Table(rows)
            }
            Kind::Decisions(decisions) => Data::Decisions(decisions.rows(effort).expect("jobs")),
            Kind::Sweep(sweep) => {
                let log = sweep.log;
                if log.is_some_and(|log| self.trace(log).is_none()) {
                    return false;
                }
                let mut runs = Vec::new();
                for reading in sweep.readings() {
                    let scenario = sweep.scenario(&reading, effort, WorkloadFrom::Log);
                    let known = self.results.iter().find(|(other, _)| *other == scenario);
                    let results = match known {
                        Some((_, results)) => results.clone(),
                        None => {
                            let trace = log.and_then(|log| self.trace(log));
                            let results = simulated(&scenario, trace);
                            self.results.push((scenario.clone(), results.clone()));
                            results
                        }
                    };
                    runs.push(Run {
                        reading,
                        scenario,
                        results,
                    });
                }
                Data::Sweep {
                    from: WorkloadFrom::Log,
                    runs,
                }
            }
        };
        self.data.insert(figure.id, data);
        true
    }
}

/// What is on file.
fn on_file(file: &str) -> Vec<RecordedFigure> {
    let text = std::fs::read_to_string(file).expect("the file is readable");
    recorded::read(&text).expect("the file is of the form")
}

/// The effort that a figure is judged with: the one on file.
fn effort(figure: &Figure, on_file: &[RecordedFigure]) -> Effort {
    let known = on_file.iter().find(|other| other.id == figure.id);
    known.map_or(Effort::Quick, |known| known.effort)
}

/// What is found of a figure now.
fn found(figure: &Figure, effort: Effort, made: &Made) -> RecordedFigure {
    let data = &made.data[figure.id];
    let judged = figure.judge(data, |id| made.data.get(id));
    RecordedFigure::of(&FigureReport::new(figure, effort, data, judged), effort)
}

/// Every line has a field for each column, whatever names hold.
fn is_a_table(csv: &str) {
    let fields = |line: &str| {
        let unquoted = line.split('"').step_by(2);
        unquoted
            .map(|part| part.matches(',').count())
            .sum::<usize>()
    };
    let columns = csv.lines().next().map(fields);
    assert!(csv.lines().count() > 1);
    for line in csv.lines() {
        assert_eq!(Some(fields(line)), columns, "{line}");
    }
}

#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn check(file: &str, chosen: impl Iterator<Item = &'static Figure>) {
    let _turn = TURN.lock().expect("the other test did not fail");
    let mut on_file = on_file(file);
    let mut made = Made::default();
    for figure in chosen {
        let effort = effort(figure, &on_file);
        let others = figure.beside();
        if !([figure].into_iter().chain(others)).all(|figure| made.make(figure, effort)) {
            eprintln!("skipped: {} needs its log", figure.id);
            continue;
        }
        is_a_table(&figure.csv(&made.data[figure.id]));
        let now = found(figure, effort, &made);
        if std::env::var_os("UPDATE").is_some() {
            on_file.retain(|other| other.id != figure.id);
            on_file.push(now);
        } else {
            let then = on_file.iter().find(|other| other.id == figure.id);
            let then = then.map_or(String::new(), |then| recorded::write(slice::from_ref(then)));
            let now = recorded::write(&[now]);
            assert_eq!(now, then, "numbers and verdict go together");
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        on_file.sort_by_key(|one| figures().position(|figure| figure.id == one.id));
        std::fs::write(file, recorded::write(&on_file)).expect("the file is writable");
    }
}

/// Whether a figure takes minutes.
fn takes_long(figure: &Figure) -> bool {
    figure.log().is_some() || in_full(figure)
}

/// Whether it does so for its many replications alone.
fn in_full(figure: &Figure) -> bool {
    figure.log().is_none() && effort(figure, &on_file(FILE)) == Effort::Full
}

#[test]
fn verdicts_on_generated_jobs_and_tables_are_those_on_file() {
    check(FILE, figures().filter(|figure| !takes_long(figure)));
    check(QUICK, figures().filter(|figure| in_full(figure)));
}

#[test]
fn verdicts_that_take_minutes_are_those_on_file() {
    if backfill_tests::skips_long() {
        return;
    }
    check(FILE, figures().filter(|figure| takes_long(figure)));
}

/// Whoever removes a claim removes its lines.
#[test]
fn every_claim_is_on_file_and_nothing_else() {
    let compare = |file: &str, figures: &mut dyn Iterator<Item = &'static Figure>| {
        let on_file = on_file(file);
        let on_file = on_file.iter().map(|figure| {
            let claims = figure.claims.iter().map(|claim| claim.id.as_str());
            (figure.id.as_str(), claims.collect::<Vec<_>>())
        });
        let stated = figures.map(|figure| {
            let claims = figure.claims().into_iter().map(|claim| claim.id);
            (figure.id, claims.collect::<Vec<_>>())
        });
        assert_eq!(on_file.collect::<Vec<_>>(), stated.collect::<Vec<_>>());
    };
    compare(FILE, &mut figures());
    compare(QUICK, &mut figures().filter(|figure| in_full(figure)));
    let quick = on_file(QUICK);
    assert!(quick.iter().all(|figure| figure.effort == Effort::Quick));
}

#[test]
fn every_surface_is_on_file_with_all_its_rows() {
    let on_file = on_file(FILE);
    let mut surfaces = 0;
    for figure in figures() {
        let Kind::Sweep(sweep) = figure.kind else {
            continue;
        };
        let effort = effort(figure, &on_file);
        let scenario = sweep.scenario(&Reading::default(), effort, WorkloadFrom::Log);
        let stated = sweep::Surface::of(&scenario).map_or(Vec::new(), |surface| surface.values);
        let known = on_file.iter().find(|known| known.id == figure.id);
        let known = &known.expect("it is on file").surface;
        let values: Vec<&String> = known.iter().map(|row| &row.value).collect();
        assert_eq!(values, stated.iter().collect::<Vec<_>>(), "{}", figure.id);
        let columns = scenario.x().map_or(0, |axis| axis.values.len());
        assert!(
            known.iter().all(|row| row.means.len() == columns),
            "{}",
            figure.id
        );
        surfaces += usize::from(!known.is_empty());
    }
    assert!(surfaces >= 8, "Figures 14 to 21 of paper 3");
}

/// What is compared rests on the same replications.
#[test]
fn figures_that_are_judged_together_are_on_file_with_the_same_effort() {
    let on_file = on_file(FILE);
    for figure in figures() {
        for other in figure.beside() {
            let efforts = [figure, other].map(|figure| effort(figure, &on_file));
            assert_eq!(efforts[0], efforts[1], "{} and {}", figure.id, other.id);
        }
    }
}
