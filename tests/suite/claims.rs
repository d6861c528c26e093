//! The verdicts on what a paper says of its figures, with the numbers behind them: none may change
//! unseen.
//!
//! `golden/claims.txt` holds for every claim the verdict of the quick report and, by reading, what
//! decided it. A run with `UPDATE=1` in the environment writes anew what it computes. Figures 5 to 8
//! need the logs and take minutes: they are judged with `BACKFILL_LONG=1`.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use backfill_plot::figure::FigureReport;
use backfill_sim::figure::{Data, Effort, FIGURES, Figure, Kind, Log, Run, Table, WorkloadFrom};
use backfill_sim::scenario::Scenario;
use backfill_sim::sweep::{CellRun, Results, cells};
use backfill_sim::workload::Trace;
use backfill_tests::logs;

/// One test reads and writes the file at a time.
static TURN: Mutex<()> = Mutex::new(());

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/claims.txt");

/// Every run of a scenario, two at a time.
fn simulated(scenario: &Scenario, trace: Option<&Trace>) -> Results {
    let cells = cells(scenario);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            let run = CellRun::new(scenario, cell, trace, false).expect("jobs");
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
    fn make(&mut self, figure: &'static Figure) -> bool {
        if self.data.contains_key(figure.id) {
            return true;
        }
        let data = match figure.kind {
            Kind::Weights(weights) => Data::Weights(weights.curves()),
            Kind::Step(step) => Data::Step(step.rows()),
            Kind::Table(table) => {
                let mut rows = Vec::new();
                for log in table.logs {
                    let Some(trace) = self.trace(log) else {
                        return false;
                    };
                    rows.push(Table::row(log, Some(trace), Effort::Quick).expect("jobs"));
                }
                Data::Table(rows)
            }
            Kind::Sweep(sweep) => {
                let log = sweep.log;
                if log.is_some_and(|log| self.trace(log).is_none()) {
                    return false;
                }
                let mut runs = Vec::new();
                for reading in sweep.readings() {
                    let scenario = sweep.scenario(&reading, Effort::Quick, WorkloadFrom::Log);
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

/// What is on file of each claim: its verdict, then by reading what decided it.
fn recorded(text: &str) -> BTreeMap<String, String> {
    let mut claims: BTreeMap<String, String> = BTreeMap::new();
    let mut id = String::new();
    for line in text.lines() {
        if !line.starts_with(' ') {
            let (name, _) = line.split_once(':').expect("claim: verdict");
            id = name.to_owned();
        }
        *claims.entry(id.clone()).or_default() += &format!("{line}\n");
    }
    claims
}

/// The same of a figure's claims now.
fn found(figure: &Figure, made: &Made) -> BTreeMap<String, String> {
    let data = &made.data[figure.id];
    let judged = figure.judge(data, |id| made.data.get(id));
    let report = FigureReport::new(figure, Effort::Quick, data, judged);
    let block = |claim: &backfill_plot::figure::ClaimReport| {
        let mut block = format!("{}: {}\n", claim.id, claim.words);
        for finding in &claim.findings {
            let reading = match finding.reading.as_str() {
                "" => "as stated",
                reading => reading,
            };
            block += &format!("  {reading}: {}\n", finding.sentence);
        }
        (claim.id.to_owned(), block)
    };
    report.claims.iter().map(block).collect()
}

#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn check(figures: impl Iterator<Item = &'static Figure>) {
    let _turn = TURN.lock().expect("the other test did not fail");
    let golden = std::fs::read_to_string(FILE).unwrap_or_default();
    let mut on_file = recorded(&golden);
    let mut made = Made::default();
    for figure in figures {
        let others = figure.beside();
        if !([figure].into_iter().chain(others)).all(|figure| made.make(figure)) {
            eprintln!("skipped: {} needs its log", figure.id);
            continue;
        }
        for (claim, now) in found(figure, &made) {
            if std::env::var_os("UPDATE").is_some() {
                on_file.insert(claim, now);
            } else {
                let then = on_file.get(&claim).map_or("nothing", String::as_str);
                assert_eq!(now, then, "{claim}: numbers and verdict go together");
            }
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        let text: String = on_file.into_values().collect();
        std::fs::write(FILE, text).expect("the file is writable");
    }
}

/// Whether a figure takes minutes.
fn takes_long(figure: &Figure) -> bool {
    figure.log().is_some()
}

#[test]
fn verdicts_on_generated_jobs_and_tables_are_those_on_file() {
    check(FIGURES.iter().filter(|figure| !takes_long(figure)));
}

#[test]
#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn verdicts_on_real_logs_are_those_on_file() {
    if std::env::var_os("BACKFILL_LONG").is_none() {
        eprintln!("skipped: BACKFILL_LONG is not set");
        return;
    }
    check(FIGURES.iter().filter(|figure| takes_long(figure)));
}

/// Whoever removes a claim removes its line.
#[test]
fn every_claim_is_on_file_and_nothing_else() {
    let golden = std::fs::read_to_string(FILE).expect("the file is readable");
    let claims = |figure: &Figure| -> Vec<&'static str> {
        match figure.kind {
            Kind::Sweep(sweep) => sweep.claims.iter().map(|claim| claim.id).collect(),
            Kind::Weights(weights) => weights.claims.iter().map(|claim| claim.id).collect(),
            Kind::Step(step) => step.claims.iter().map(|claim| claim.id).collect(),
            Kind::Table(table) => table.claims.iter().map(|claim| claim.id).collect(),
        }
    };
    let mut claims: Vec<&str> = FIGURES.iter().flat_map(claims).collect();
    claims.sort_unstable();
    let on_file = recorded(&golden);
    assert_eq!(
        on_file.keys().map(String::as_str).collect::<Vec<_>>(),
        claims
    );
}
