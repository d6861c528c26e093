//! Forecasts when a job would start, by size and time limit too.

use std::fs;
use std::io::Write;
use std::num::NonZero;

use anyhow::{Context, Result, anyhow, bail, ensure};
use backfill_experiment::files::logs::queue;
use backfill_experiment::forecast::answer::{self, Forecast};
use backfill_experiment::forecast::clock::Clock;
use backfill_experiment::forecast::future::Course;
use backfill_experiment::forecast::map::{self, LIMITS, Map};
use backfill_experiment::forecast::pasted;
use backfill_experiment::forecast::report::{Answers, Report};
use backfill_experiment::forecast::state::{Question, State, limit};
use backfill_experiment::forecast::support::{USUAL, unsupported};
use backfill_experiment::forecast::timeline::{Timeline, covered};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::sweep::{self, Cell};
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Kbps, Span};

use crate::calibration::Forecasts;
use crate::scenario::{ScenarioArguments, trace_of};
use crate::workers;

/// Which job is asked about, and what is known.
#[derive(clap::Args)]
pub(crate) struct ForecastArguments {
    #[command(flatten)]
    scenario: ScenarioArguments,

    /// When the job is submitted: seconds of simulated time, or a date where the log has dates
    #[arg(long, value_name = "SECONDS|DATE", required_unless_present_any = ["calibrate", "squeue"])]
    at: Option<String>,

    /// What `squeue -r -o "%i %u %P %D %C %l %M %t %V %S"` printed: the jobs that run and wait now. A
    /// log is then the history, if one is given
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "calibrate"])]
    squeue: Option<String>,

    /// What `sinfo -p PARTITION` printed: how many nodes there are
    #[arg(long, value_name = "FILE", requires = "squeue")]
    sinfo: Option<String>,

    /// Count processors in place of nodes, where jobs share nodes; nodes= is then their number
    #[arg(long, requires = "squeue", conflicts_with = "sinfo")]
    cpus: bool,

    /// How many nodes the job asks for
    #[arg(long, value_name = "N", required_unless_present = "calibrate")]
    size: Option<NonZero<u32>>,

    /// Its time limit: hours, or as [days-]hours:minutes:seconds
    #[arg(long, value_name = "HOURS", value_parser = limit, required_unless_present = "calibrate")]
    limit: Option<Span>,

    /// The bandwidth that each of its slots asks for, in Mbit/s, on a system with a network [default: the
    /// middle one of the log's jobs]
    #[arg(long, value_name = "MBIT", conflicts_with = "calibrate")]
    bandwidth: Option<u32>,

    /// Answer for other sizes and time limits, too
    #[arg(long, conflicts_with = "calibrate")]
    map: bool,

    /// Compare forecasts with what came, at this many instants of the second half of the log
    #[arg(long, value_name = "N", conflicts_with_all = ["at", "size", "limit"])]
    calibrate: Option<NonZero<u32>>,

    /// Print the answer as JSON instead of sentences
    #[arg(long)]
    json: bool,

    /// How many futures are simulated at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,
}

/// `backfill forecast`.
pub(crate) fn forecast(arguments: &ForecastArguments, out: &mut impl Write) -> Result<()> {
    if let Some(path) = &arguments.squeue {
        return of_queue(arguments, path, out);
    }
    let scenario = arguments
        .scenario
        .clone()
        .with_default("policy", USUAL.name());
    let (scenario, log) = scenario.read()?;
    let trace = trace_of(&scenario, log)?;
    let (setup, jobs) = sweep::parts(&scenario, only_cell(&scenario)?, trace.as_ref())?;
    if let Some(why) = unsupported(&setup) {
        bail!(why);
    }
    if let Some(count) = arguments.calibrate {
        let mut timeline = Timeline::new(&setup, trace.as_ref(), jobs)?;
        let forecasts = Forecasts {
            count: count.get(),
            futures: scenario.futures(),
            workers: arguments.workers,
        };
        return forecasts.print(&setup, &mut timeline, arguments.json, out);
    }
    let Some(at) = &arguments.at else {
        unreachable!("it is required without --squeue and --calibrate")
    };
    let clock = Clock::of(&setup.workload, trace.as_ref());
    let wrong = |why: String| anyhow!("--at {why}");
    let at = clock.read(at).map_err(wrong)?;
    covered(&jobs, at).map_err(wrong)?;
    let mut timeline = Timeline::new(&setup, trace.as_ref(), jobs)?;
    let state = timeline.state(at, None).map_err(wrong)?;
    answer(arguments, &setup, &state, (clock, scenario.futures()), out)
}

/// The only cell of a scenario.
fn only_cell(scenario: &Scenario) -> Result<Cell> {
    let cells = sweep::cells(scenario);
    ensure!(
        cells.len() == 1,
        "this scenario has {} runs, and a forecast is of one: give one policy, x=none and reps=1",
        cells.len()
    );
    Ok(cells[0])
}

/// Answers for the queue of a running cluster.
fn of_queue(arguments: &ForecastArguments, path: &str, out: &mut impl Write) -> Result<()> {
    let text = |path: &str| fs::read_to_string(path).with_context(|| format!("cannot read {path}"));
    let mut scenario = arguments.scenario.clone();
    if let Some(path) = &arguments.sinfo {
        let nodes = queue::usable_nodes(&text(path)?);
        let nodes = nodes.map_err(|why| anyhow!("{path}, {why}"))?;
        scenario = scenario.with_default("nodes", &nodes.to_string());
    }
    ensure!(
        scenario.gives("nodes"),
        "--squeue: it does not say how large the cluster is; add nodes=N or --sinfo FILE"
    );
    for (key, value) in [
        ("policy", USUAL.name()),
        ("system", "nodes"),
        ("x", "none"),
        ("reps", "1"),
    ] {
        scenario = scenario.with_default(key, value);
    }
    let (scenario, log) = scenario.read()?;
    let trace = trace_of(&scenario, log)?;
    let (setup, jobs) = sweep::parts(&scenario, only_cell(&scenario)?, trace.as_ref())?;
    if let Some(why) = unsupported(&setup) {
        bail!(why);
    }
    let labels = trace.as_ref().map(|trace| trace.labels.clone());
    let queue = queue::read(&text(path)?, &labels.unwrap_or_default());
    let queue = queue.map_err(|why| anyhow!("{path}, {why}"))?;
    let mut history = match &trace {
        Some(trace) => Some(pasted::history(&setup, trace, jobs).map_err(|why| anyhow!(why))?),
        None => None,
    };
    let history = history
        .as_mut()
        .map(|(timeline, begins)| (timeline, *begins));
    let futures = scenario.futures();
    let (state, clock) = pasted::state(&setup, &queue, arguments.cpus, history)
        .map_err(|why| anyhow!("{path}: {why}"))?;
    answer(arguments, &setup, &state, (clock, futures), out)
}

/// Answers the question about a state by so many futures.
fn answer(
    arguments: &ForecastArguments,
    setup: &Setup,
    state: &State,
    (clock, futures): (Clock, u32),
    out: &mut impl Write,
) -> Result<()> {
    let (Some(size), Some(limit)) = (arguments.size, arguments.limit) else {
        unreachable!("they are required without --calibrate")
    };
    let bandwidth = arguments.bandwidth.map(|mbit| Kbps(1000 * u64::from(mbit)));
    let question = Question::new(setup, state, size.get(), limit, bandwidth);
    let question = question.map_err(|why| anyhow!("--size {why}"))?;
    let answers = answers(arguments, setup, state, question, futures);
    let report = Report::new(setup, state, question, clock, &answers);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(())
}

/// Simulates the futures on several processors.
fn answers(
    arguments: &ForecastArguments,
    setup: &Setup,
    state: &State,
    question: Question,
    futures: u32,
) -> Answers {
    let seeds: Vec<u64> = (0..u64::from(futures)).collect();
    let workers = arguments.workers;
    let start = |course| answer::start(setup, state, question, course);
    let starts = workers::in_order(&seeds, workers, |&seed| start(Course::Drawn(seed)));
    let forecast = Forecast::of(state.at, starts.clone());
    let median = forecast.quantile(50).filter(|&median| median > state.at);
    let holds = match median {
        Some(median) => {
            let waits = |seed: &&u64| starts[**seed as usize].is_none_or(|start| start >= median);
            let waiting: Vec<u64> = seeds.iter().filter(waits).copied().collect();
            workers::in_order(&waiting, workers, |&seed| {
                answer::hold(setup, state, question, seed, median)
            })
        }
        None => Vec::new(),
    };
    let map = if arguments.map {
        let nodes = u32::try_from(setup.system.slots()).unwrap_or(u32::MAX);
        let sizes = map::sizes(nodes);
        let cells = workers::in_order(&seeds, workers, |&seed| {
            map::cells(setup, state, &sizes, &LIMITS, question.bandwidth, seed)
        });
        Some(Map::of(state.at, &sizes, &LIMITS, &cells))
    } else {
        None
    };
    Answers {
        forecast,
        bounds: [start(Course::Optimist), start(Course::Pessimist)],
        holds: holds.into_iter().flatten().collect(),
        map,
    }
}
