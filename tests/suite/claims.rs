//! The verdicts on the claims of papers, with their evidence: none may change unseen.
//!
//! `golden/claims.txt` has for every claim its verdict and, by interpretation, its evidence, all
//! with full effort, `golden/curves.txt` the curves of the figures that are scenarios, and
//! `golden/figure-digests.txt` the digest of each scenario that a link to a figure opens. The page's
//! report is made of them. A run with `UPDATE=1` in the environment writes them again. Simulated
//! figures take minutes: they are judged with `BACKFILL_LONG=1`. For those that need no log
//! `golden/claims-quick.txt` has the findings of a few replications, so that a change of them is seen
//! without that, except of the two that take longest.

use std::collections::BTreeMap;
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use backfill_experiment::forecast::answer::Forecast;
use backfill_experiment::forecast::calibration::{self, Case};
use backfill_experiment::forecast::state::State;
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{CellRun, Results, cells};
use backfill_papers::calibration::COLUMNS;
use backfill_papers::claim_report::{FigureReport, SurfaceRow};
use backfill_papers::recorded::{self, RecordedFigure};
use backfill_papers::recorded_curves::{self, RecordedCurves};
use backfill_papers::recorded_digests::{self, RecordedDigest, checksum};
use backfill_papers::rerun;
use backfill_papers::{
    Calibration, ClaimVerdict, Data, Effort, Figure, FigureKind, FigureRun, Interpretation, Log,
    WorkloadFrom, figures, sweep,
};
use backfill_sim::id::JobId;
use backfill_sim::run::Keep;
use backfill_sim::unit::Time;
use backfill_sim::workload::Trace;
use backfill_tests::logs;

/// One test reads and writes the file at a time.
static TURN: Mutex<()> = Mutex::new(());

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/claims.txt");

const CURVES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/curves.txt");

const DIGESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/figure-digests.txt");

const QUICK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/claims-quick.txt");

/// The keys of a scenario that its runs depend on, with their values.
fn runs_of(scenario: &Scenario) -> impl Iterator<Item = (&'static str, &str)> {
    scenario.changed().filter(|(key, _)| *key != "metric")
}

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

/// Forecasts beside what came, two at a time.
fn compared(figure: Calibration, effort: Effort, trace: Option<&Trace>) -> Vec<Case> {
    let (_, timeline) = figure.timeline(trace).expect("jobs");
    let asked = calibration::asked(&timeline, figure.instants(effort));
    let futures = figure.futures(effort);
    let work = |jobs: &[(JobId, Time)]| {
        let (setup, mut timeline) = figure.timeline(trace).expect("jobs");
        let case = |&(job, truth): &(JobId, Time)| {
            let forecast =
                |state: &State, question| Forecast::new(&setup, state, question, futures);
            let case = calibration::case(&setup, &mut timeline, job, truth, forecast);
            case.expect("history enough")
        };
        jobs.iter().map(case).collect::<Vec<Case>>()
    };
    thread::scope(|scope| {
        let (early, late) = asked.split_at(asked.len() / 2);
        let workers = [early, late].map(|jobs| scope.spawn(|| work(jobs)));
        let cases = workers.map(|worker| worker.join().expect("no forecast panics"));
        cases.concat()
    })
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

    /// The runs of a scenario over a log, if it is of one, which is at hand.
    fn results(&mut self, scenario: &Scenario, log: Option<&Log>) -> Results {
        if let Some((_, results)) = self
            .results
            .iter()
            .find(|(other, _)| runs_of(other).eq(runs_of(scenario)))
        {
            return results.clone();
        }
        let trace = log.and_then(|log| self.trace(log));
        let results = simulated(scenario, trace);
        self.results.push((scenario.clone(), results.clone()));
        results
    }

    /// The digests of the scenarios with an effort that links to a figure open, as far as their logs
    /// are at hand.
    fn digests(&mut self, figure: &Figure, effort: Effort) -> Vec<RecordedDigest> {
        let FigureKind::Sweep(sweep) = figure.kind else {
            return Vec::new();
        };
        let mut digests = Vec::new();
        for (from, scenario) in sweep.opened(effort) {
            let log = sweep.log.filter(|_| from == WorkloadFrom::Log);
            if log.is_some_and(|log| self.trace(log).is_none()) {
                continue;
            }
            digests.push(RecordedDigest {
                id: figure.id.to_owned(),
                link: checksum(&scenario).expect("the figures have links"),
                digest: self
                    .results(&scenario, log)
                    .digest()
                    .expect("every run has ended"),
            });
        }
        digests
    }

    /// Computes a figure from its logs; returns whether they are at hand.
    fn make(&mut self, figure: &'static Figure, effort: Effort) -> bool {
        if self.data.contains_key(figure.id) {
            return true;
        }
        let data = match figure.kind {
            FigureKind::Weights(weights) => Data::Weights(weights.curves()),
            FigureKind::Step(step) => Data::Step(step.rows()),
            FigureKind::Table(table) => {
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
            FigureKind::Decisions(decisions) => {
                Data::Decisions(decisions.rows(effort).expect("jobs"))
            }
            FigureKind::Calibration(calibration) => {
                let log = calibration.log;
                if log.is_some_and(|log| self.trace(log).is_none()) {
                    return false;
                }
                let trace = log.and_then(|log| self.trace(log));
                let cases = compared(calibration, effort, trace);
                Data::Calibration { effort, cases }
            }
            FigureKind::Sweep(sweep) => {
                let log = sweep.log;
                if log.is_some_and(|log| self.trace(log).is_none()) {
                    return false;
                }
                let mut runs = Vec::new();
                for interpretation in sweep.interpretations() {
                    let scenario = sweep.scenario(&interpretation, effort, WorkloadFrom::Log);
                    let results = self.results(&scenario, log);
                    runs.push(FigureRun {
                        interpretation,
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

/// The curves of a figure that is a scenario, under its default interpretation.
fn curves_of(figure: &Figure, data: &Data) -> Vec<RecordedCurves> {
    match (figure.kind, data) {
        (FigureKind::Sweep(sweep), Data::Sweep { runs, .. }) => {
            RecordedCurves::of(figure.id, &sweep, figure.called(), &runs[0])
        }
        _ => Vec::new(),
    }
}

/// Whoever runs an interpretation of a figure is told the same of the claims that its runs decide.
fn is_said_of_runs_too(known: &RecordedFigure, data: &Data) {
    let Data::Sweep { runs, .. } = data else {
        return;
    };
    for (place, run) in runs.iter().enumerate() {
        let said = rerun::judged(&run.scenario, &run.results);
        let said = said.iter().find(|said| said.id == known.id);
        let said = said.expect("its scenario is known");
        assert_eq!(said.interpretation, run.interpretation.to_string());
        assert_eq!(said.claims.len(), known.claims.len());
        for (claim, known) in said.claims.iter().zip(&known.claims) {
            assert_eq!(claim.id, known.id);
            let finding = &known.findings[place];
            if !claim.outcome.is_empty() {
                let said = (claim.outcome, &claim.sentence);
                assert_eq!(said, (finding.outcome.words(), &finding.sentence));
            }
        }
    }
}

/// The seed, the number of replications and what is shown do not matter for what figure a scenario
/// is; every other key does.
#[test]
fn a_scenario_is_a_figure_whatever_its_seed_and_replications() {
    let figures_of = |others: &[(&'static str, &str)]| {
        let figure = Figure::named("fig4").expect("it is a figure");
        let FigureKind::Sweep(sweep) = figure.kind else {
            panic!("it is a scenario")
        };
        let pairs = sweep.scenario(&Interpretation::default(), Effort::Quick, WorkloadFrom::Log);
        let pairs = pairs
            .changed()
            .filter(|(key, _)| others.iter().all(|(other, _)| other != key));
        let pairs = pairs.chain(others.iter().copied());
        let scenario = Scenario::parse(pairs).expect("valid");
        let said = rerun::judged(&scenario, &simulated(&scenario, None));
        said.into_iter().map(|said| said.id).collect::<Vec<_>>()
    };
    let same = figures_of(&[("seed", "77"), ("reps", "2"), ("metric", "bsd_mean")]);
    assert_eq!(same, ["fig4"]);
    assert!(figures_of(&[("reps", "2"), ("k", "8")]).is_empty());
    // A log is known by its contents, whatever its file is called.
    let known = rerun::known();
    assert!(known.iter().any(|lines| lines.contains("\nsha256=")));
    assert!(known.iter().all(|lines| !lines.contains("\nfile=")));
}

#[expect(clippy::print_stderr, reason = "a suite that does not run says so")]
fn check(file: &str, effort: Effort, chosen: impl Iterator<Item = &'static Figure>) {
    let _turn = TURN.lock().expect("the other test did not fail");
    let (mut on_file, mut curves) = (on_file(file), curves_on_file());
    let mut digests = digests_on_file();
    let mut made = Made::default();
    let update = std::env::var_os("UPDATE").is_some();
    for figure in chosen {
        let others = figure.beside();
        if !([figure].into_iter().chain(others)).all(|figure| made.make(figure, effort)) {
            eprintln!("skipped: {} needs its log", figure.id);
            continue;
        }
        is_a_table(&figure.csv(&made.data[figure.id]));
        let now = found(figure, effort, &made);
        is_said_of_runs_too(&now, &made.data[figure.id]);
        if effort == Effort::Full {
            let now = curves_of(figure, &made.data[figure.id]);
            let (then, others): (Vec<_>, Vec<_>) =
                curves.into_iter().partition(|other| other.id == figure.id);
            if !update {
                let [now, then] = [&now, &then].map(|curves| recorded_curves::write(curves));
                assert_eq!(now, then, "the curves under the default interpretation");
            }
            curves = [others, now].concat();
        }
        // Nothing else makes the quick runs of a figure that has none on file.
        let efforts = match effort {
            Effort::Full if !has_a_quick_run(figure) => &Effort::ALL[..],
            _ => slice::from_ref(&effort),
        };
        let all = efforts.iter();
        for now in all.flat_map(|&effort| made.digests(figure, effort)) {
            let name = |other: &RecordedDigest| (other.id.clone(), other.link.clone());
            let then = digests.iter_mut().find(|other| name(other) == name(&now));
            match then {
                Some(then) if update => *then = now,
                None if update => digests.push(now),
                then => assert_eq!(then.as_deref(), Some(&now), "the digest that a link names"),
            }
        }
        if update {
            on_file.retain(|other| other.id != figure.id);
            on_file.push(now);
        } else {
            let then = on_file.iter().find(|other| other.id == figure.id);
            let then = then.map_or(String::new(), |then| recorded::write(slice::from_ref(then)));
            let now = recorded::write(&[now]);
            assert_eq!(now, then, "numbers and verdict go together");
        }
    }
    if update {
        let place = |id: &str| figures().position(|figure| figure.id == id);
        on_file.sort_by_key(|one| place(&one.id));
        curves.sort_by_key(|one| place(&one.id));
        std::fs::write(file, recorded::write(&on_file)).expect("the file is writable");
        std::fs::write(CURVES, recorded_curves::write(&curves)).expect("the file is writable");
        let digests = opened().filter_map(|(id, link)| {
            let mut known = digests.iter();
            known
                .find(|known| (known.id.as_str(), &known.link) == (id, &link))
                .cloned()
        });
        let digests: Vec<RecordedDigest> = digests.collect();
        std::fs::write(DIGESTS, recorded_digests::write(&digests)).expect("the file is writable");
    }
}

/// Whether a figure is simulated, which takes minutes with full effort.
fn is_simulated(figure: &Figure) -> bool {
    matches!(
        figure.kind,
        FigureKind::Sweep(_) | FigureKind::Decisions(_) | FigureKind::Calibration(_)
    )
}

/// Whether what a few replications say of it is on file too.
fn has_a_quick_run(figure: &Figure) -> bool {
    is_simulated(figure) && figure.log().is_none()
}

/// The figures whose quick runs take almost as long as those of all others together: they are compared
/// with `BACKFILL_LONG=1`.
const LONGEST: [&str; 2] = ["fig4", "r1-generated"];

fn is_among_the_longest(figure: &Figure) -> bool {
    LONGEST.contains(&figure.id)
}

#[test]
fn verdicts_on_generated_jobs_and_tables_are_those_on_file() {
    let at_once = figures().filter(|figure| !is_simulated(figure));
    check(FILE, Effort::Full, at_once);
    let quick = figures().filter(|figure| has_a_quick_run(figure) && !is_among_the_longest(figure));
    check(QUICK, Effort::Quick, quick);
}

#[test]
fn verdicts_that_take_minutes_are_those_on_file() {
    if backfill_tests::skips_long() {
        return;
    }
    check(
        QUICK,
        Effort::Quick,
        figures().filter(|figure| is_among_the_longest(figure)),
    );
    let simulated = figures().filter(|figure| is_simulated(figure));
    check(FILE, Effort::Full, simulated);
}

/// The figures with the checksum of each link to them, in the order of the papers.
fn opened() -> impl Iterator<Item = (&'static str, String)> {
    figures().flat_map(|figure| {
        let FigureKind::Sweep(sweep) = figure.kind else {
            return Vec::new();
        };
        let scenarios = Effort::ALL
            .into_iter()
            .flat_map(|effort| sweep.opened(effort));
        let link = |(_, scenario)| {
            (
                figure.id,
                checksum(&scenario).expect("the figures have links"),
            )
        };
        scenarios.map(link).collect()
    })
}

/// The digests on file.
fn digests_on_file() -> Vec<RecordedDigest> {
    let text = std::fs::read_to_string(DIGESTS).expect("the file is readable");
    recorded_digests::read(&text).expect("the file is of the form")
}

/// So that the playground says of what it computed whether it is the same.
#[test]
fn every_link_to_a_figure_has_its_digest_on_file() {
    let on_file = digests_on_file();
    let named = on_file
        .iter()
        .map(|digest| (digest.id.as_str(), digest.link.clone()));
    assert_eq!(opened().collect::<Vec<_>>(), named.collect::<Vec<_>>());
}

/// The curves on file.
fn curves_on_file() -> Vec<RecordedCurves> {
    let text = std::fs::read_to_string(CURVES).expect("the file is readable");
    recorded_curves::read(&text).expect("the file is of the form")
}

/// Every figure that is a scenario has its curves on file, in each of its metrics, with all their
/// points, and nothing else has.
#[test]
fn every_curve_is_on_file_with_all_its_points() {
    let mut on_file = curves_on_file().into_iter();
    for figure in figures() {
        let FigureKind::Sweep(sweep) = figure.kind else {
            continue;
        };
        let scenario = sweep.scenario(&Interpretation::default(), Effort::Full, WorkloadFrom::Log);
        let policies = 0..scenario.policies().len();
        let labels = policies.map(|each| sweep::label(&scenario, each, figure.called()));
        let labels: Vec<String> = labels.collect();
        let points = scenario.x().map_or(1, |axis| axis.values.len());
        for metric in sweep.metrics() {
            let known = on_file.next().expect("it is on file");
            assert_eq!(
                (known.id.as_str(), known.metric.as_str()),
                (figure.id, metric)
            );
            assert_eq!(known.labels, labels, "{}", figure.id);
            assert!(known.estimates.iter().all(|curve| curve.len() == points));
            assert!(known.estimates.iter().flatten().any(Option::is_some));
        }
    }
    assert_eq!(on_file.next(), None);
}

/// The least number of replications that a published number may rest on.
const LEAST: u32 = 10;

/// Neither by its figure's effort nor in any number in its sentences.
#[test]
fn no_claim_is_published_from_few_replications() {
    for figure in on_file(FILE) {
        let replications = figure.effort.replications();
        assert!(replications >= LEAST, "{}: {replications}", figure.id);
        for claim in &figure.claims {
            for finding in &claim.findings {
                let told = finding.sentence.split("(n = ").skip(1);
                let told = told.filter_map(|rest| rest.split(')').next()?.parse().ok());
                let told: Vec<u32> = told.collect();
                assert!(told.iter().all(|&n| n >= LEAST), "{}: {told:?}", claim.id);
            }
        }
    }
}

/// What is true by construction is on file as such, and nothing else is.
#[test]
fn what_cannot_fail_is_on_file_as_true_by_construction() {
    let on_file = on_file(FILE);
    for statement in figures().flat_map(Figure::claims) {
        let known = on_file.iter().flat_map(|figure| &figure.claims);
        let mut known = known.filter(|claim| claim.id == statement.id);
        let known = known.next().expect("it is on file");
        let sure = known.verdict == ClaimVerdict::ByConstruction;
        assert_eq!(sure, statement.by_construction, "{}", statement.id);
    }
}

/// Removing a claim removes its lines.
#[test]
fn every_claim_is_on_file_and_nothing_else() {
    let compare = |file: &str, figures: &mut dyn Iterator<Item = &'static Figure>| {
        let on_file = on_file(file);
        let on_file = on_file.iter().map(|figure| {
            let claims = figure.claims.iter().map(|claim| claim.id.clone());
            (figure.id.as_str(), claims.collect::<Vec<_>>())
        });
        let stated = figures.map(|figure| {
            let claims = figure.claims().into_iter().map(|claim| claim.id);
            (figure.id, claims.collect::<Vec<_>>())
        });
        assert_eq!(on_file.collect::<Vec<_>>(), stated.collect::<Vec<_>>());
    };
    compare(FILE, &mut figures());
    compare(
        QUICK,
        &mut figures().filter(|figure| has_a_quick_run(figure)),
    );
    let quick = on_file(QUICK);
    assert!(quick.iter().all(|figure| figure.effort == Effort::Quick));
}

#[test]
fn every_surface_is_on_file_with_all_its_rows() {
    let on_file = on_file(FILE);
    let mut surfaces = 0;
    for figure in figures() {
        let FigureKind::Sweep(sweep) = figure.kind else {
            continue;
        };
        let scenario = sweep.scenario(&Interpretation::default(), Effort::Full, WorkloadFrom::Log);
        let stated =
            sweep::SweptSurface::of(&scenario).map_or(Vec::new(), |surface| surface.values);
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

/// The fewest cases by which forecasts of a log are judged.
const LEAST_CASES: u32 = 500;

#[test]
fn every_calibration_is_on_file_with_its_groups_and_cases_enough() {
    let on_file = on_file(FILE);
    let mut calibrations = 0;
    for figure in figures() {
        let FigureKind::Calibration(_) = figure.kind else {
            continue;
        };
        let known = on_file.iter().find(|known| known.id == figure.id);
        let groups = &known.expect("it is on file").surface;
        let number = |row: &SurfaceRow| row.means[0].parse::<u32>().expect("a number of cases");
        let cases = number(&groups[0]);
        assert!(cases >= LEAST_CASES, "{}: {cases}", figure.id);
        for kind in ["size ", "wait ", "P50 "] {
            let of_kind =
                |row: &&SurfaceRow| row.value.starts_with(kind) && row.value != "P50 over 0";
            let counted: u32 = groups.iter().filter(of_kind).map(number).sum();
            assert_eq!(counted, cases, "{}: {kind}", figure.id);
        }
        assert!(groups.iter().all(|row| row.means.len() == COLUMNS.len()));
        calibrations += 1;
    }
    assert!(
        calibrations >= 4,
        "KTH-SP2, NASA-iPSC, RICC and Lublin's model"
    );
}
