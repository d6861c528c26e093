//! The questions that the owner of a log has, as keys of scenarios.
//!
//! The first is answered without being asked: what FCFS, EASY and conservative backfilling would
//! have done with the whole log on its own machine, beside what its scheduler did. Nothing here
//! changes a scenario: what is given beside a question takes precedence.

use serde::Serialize;
use time::OffsetDateTime;

use super::fitting::{FittingTree, fat_tree};
use crate::language::scenario::Scenario;
use crate::language::words::{grouped, lower};
use backfill_sim::decimal::Decimal;
use backfill_sim::policy::Queue;
use backfill_sim::setup::Setup;
use backfill_sim::unit::{Span, Time};
use backfill_sim::workload::trace::{MachineSource, WholeNodes};
use backfill_sim::workload::{Processors, Slice, Trace, clean, recorded};

/// Keys and their values.
pub type Pairs = Vec<(&'static str, String)>;

/// A question about a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Question {
    /// The question.
    pub title: &'static str,
    /// What is done to answer it, in one sentence.
    pub does: String,
    /// The keys of the scenario that answers it, beside those that name the log.
    pub pairs: Pairs,
}

/// The jobs of the part of a log that is busiest.
const BUSIEST: usize = 1000;

/// How many times the size of the log's machine another one may have.
const SCALES: &str = "machine_scale:0.8,0.9,1,1.1,1.25,1.5";

/// How many times the load of the log another one may be.
const LOADS: [f64; 6] = [0.8, 0.9, 1.0, 1.1, 1.25, 1.5];

/// The questions about a log, the one that is answered first in front. About a job list that gives
/// bandwidths there is one, where a fat-tree is large enough for it.
pub fn questions(trace: &Trace) -> Vec<Question> {
    if trace.has_bandwidth {
        return fat_tree(trace).map(of_job_list).into_iter().collect();
    }
    let own = own_machine(trace);
    let with = |more: &[(&'static str, &str)]| {
        let more = more.iter().map(|&(key, value)| (key, value.to_owned()));
        own.iter().cloned().chain(more).collect::<Pairs>()
    };
    let recorded = recorded::waits(&trace.rows);
    let simulated = [Queue::Fcfs, Queue::Easy, Queue::Conservative].map(Queue::name);
    let simulated = simulated.join(",");
    let compared = if recorded {
        format!("{simulated},{}", Queue::Recorded.name())
    } else {
        simulated.clone()
    };
    let beside = if recorded {
        "What the log's own scheduler did beside what"
    } else {
        "What"
    };
    let mut questions = vec![
        Question {
            title: "Which scheduler?",
            does: format!(
                "{beside} FCFS, EASY and conservative backfilling would have done, on its own machine."
            ),
            pairs: with(&[("policy", &compared), ("load", "as-logged")]),
        },
        Question {
            title: "A larger machine?",
            does: "The same jobs on 0.8 to 1.5 times the machine.".to_owned(),
            pairs: with(&[("policy", &simulated), ("load", "as-logged"), ("x", SCALES)]),
        },
    ];
    if let Some(loads) = loads(trace) {
        questions.push(Question {
            title: "More load?",
            does: "The same jobs at 0.8 to 1.5 times the log's load, on its own machine."
                .to_owned(),
            pairs: with(&[("policy", &simulated), ("x", &loads)]),
        });
    }
    if let Some(tree) = fat_tree(trace) {
        let jobs = match trace.rows.len() {
            1 => "Its one job".to_owned(),
            all if all <= BUSIEST => format!("All {all} jobs"),
            _ => format!("The busiest {} jobs", grouped(BUSIEST as u64)),
        };
        let mut pairs = tree.pairs;
        pairs.extend(estimates(trace));
        pairs.extend([
            ("load", "as-logged".to_owned()),
            ("slice", format!("busiest:{BUSIEST}")),
            ("cap_bandwidth", "fits".to_owned()),
        ]);
        questions.push(Question {
            title: "What would bandwidth guarantees cost?",
            does: format!("{jobs} on {}, with bandwidth drawn for each.", tree.text),
            pairs,
        });
    }
    if let Some(whole) = trace.whole_nodes {
        questions.push(in_nodes(
            whole,
            with(&[("policy", &compared), ("load", "as-logged")]),
        ));
    }
    questions
}

/// The question whether the machine of a log is made of nodes, where it counts both nodes and
/// processors.
fn in_nodes(whole: WholeNodes, mut pairs: Pairs) -> Question {
    pairs.push(("processors", Processors::Nodes.name().to_owned()));
    let proposed = if whole.is_usual() {
        ": nodes are what the machine is made of"
    } else {
        ""
    };
    Question {
        title: "In nodes?",
        does: format!(
            "Count the nodes of each job in place of its processors. {} % of the jobs take whole nodes of {} processors{proposed}.",
            whole.percent(),
            whole.processors
        ),
        pairs,
    }
}

/// The sweep over loads around that of a log; `None` where it has none, or one so low that the values
/// would be the same.
fn loads(trace: &Trace) -> Option<String> {
    let load = trace.summary(usize::MAX).offered_load?;
    let mut values = LOADS.map(|times| format!("{:.3}", load * times)).to_vec();
    values.dedup();
    let all = values.len() == LOADS.len() && load * LOADS[0] >= 0.001;
    (all && load * LOADS[5] <= 1000.0).then(|| format!("load:{}", values.join(",")))
}

/// The question about a job list that gives bandwidths, on a fat-tree.
fn of_job_list(tree: FittingTree) -> Question {
    let mut pairs = tree.pairs;
    pairs.extend([
        ("bandwidth", "column".to_owned()),
        ("load", "as-logged".to_owned()),
    ]);
    Question {
        title: "Which scheduler?",
        does: format!(
            "The jobs of the list with the bandwidth that it gives, on {}.",
            tree.text
        ),
        pairs,
    }
}

/// The keys of the log's own machine and of its estimates.
fn own_machine(trace: &Trace) -> Pairs {
    let pairs = [
        ("system", "nodes".to_owned()),
        ("machine", "log".to_owned()),
        ("bandwidth", "none".to_owned()),
    ];
    pairs.into_iter().chain(estimates(trace)).collect()
}

/// The users' estimates, where the log holds any; who overruns runs on.
pub(crate) fn estimates(trace: &Trace) -> Option<(&'static str, String)> {
    let estimated = trace.rows.iter().any(|row| row.estimate > Span(0));
    estimated.then(|| ("estimate", "extend".to_owned()))
}

/// What answers the first question about a log, as far as `given` leaves it open: a scenario that
/// names a system, a load, an axis or policies of its own keeps them.
pub fn first_answer(trace: &Trace, given: &[(&str, &str)]) -> Pairs {
    let names = |key: &str| names(given, key);
    let of = |key: &str, pairs: &Pairs| {
        let found = pairs.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| value.clone())
    };
    let Some(first) = questions(trace).into_iter().next() else {
        return Vec::new();
    };
    let system = given.iter().find(|(key, _)| *key == "system");
    if system.is_some_and(|(_, value)| of("system", &first.pairs).as_deref() != Some(*value)) {
        return Vec::new();
    }
    let own_size = names("nodes");
    let changed = own_size
        || [
            "load",
            "load_law",
            "shake_s",
            "feedback",
            "machine",
            "machine_scale",
        ]
        .into_iter()
        .any(names);
    let mut pairs = first.pairs;
    pairs.retain(|(key, _)| !(names(key) || own_size && *key == "machine"));
    for (key, value) in &mut pairs {
        if *key == "policy" && changed {
            let recorded = format!(",{}", Queue::Recorded.name());
            *value = value.replace(&recorded, "");
        }
    }
    pairs
}

/// Whether keys and values give a key a value, or sweep it.
pub fn names(given: &[(&str, &str)], key: &str) -> bool {
    given.iter().any(|(name, value)| {
        let swept = value.split(':').next().unwrap_or("").trim();
        *name == key || matches!(*name, "x" | "y") && swept == key
    })
}

/// Which log a scenario is about, which of its jobs, with their dates, and which machine, in one
/// sentence.
pub fn about(trace: &Trace, scenario: &Scenario) -> String {
    let setup = scenario.setup(Some(0), Some(0), 0).fitted(Some(trace));
    let positions = clean::positions(trace, &setup.workload);
    let all = grouped(trace.rows.len() as u64);
    let count = grouped(positions.len() as u64);
    let jobs = match setup.workload.slice {
        _ if trace.rows.len() == 1 => "its one job".to_owned(),
        Slice::All if positions.len() == trace.rows.len() => format!("all {all} jobs"),
        Slice::All if setup.workload.first.is_some() => format!("the first {count} of {all} jobs"),
        Slice::All => format!("{count} of {all} jobs"),
        Slice::Busiest(_) => format!("the busiest {count} of {all} jobs"),
        Slice::Positions(from, _) => {
            let from = u64::from(from);
            let to = grouped(from + (positions.len() as u64).saturating_sub(1));
            format!("jobs {} to {to} of {all}", grouped(from))
        }
    };
    let submit = |position: Option<&u32>| Some(trace.rows[*position? as usize].submit);
    let dates = match (submit(positions.first()), submit(positions.last())) {
        (Some(first), Some(last)) => match (date(trace, first), date(trace, last)) {
            (Some(first), Some(last)) if first == last => format!(", {first}"),
            (Some(first), Some(last)) => format!(", {first} to {last}"),
            _ => String::new(),
        },
        _ => String::new(),
    };
    format!(
        "{}: {jobs}{dates}; {}.",
        trace.name,
        machine(trace, scenario, &setup)
    )
}

/// The system of a scenario over a log, in words.
fn machine(trace: &Trace, scenario: &Scenario, setup: &Setup) -> String {
    let slots = grouped(setup.system.capacity().slots);
    let of = match (setup.workload.processors, &slots[..]) {
        (Processors::Nodes, "1") => "node",
        (Processors::Nodes, _) => "nodes",
        (_, "1") => "processor",
        _ => "processors",
    };
    let of_log = match trace.machine_source {
        MachineSource::Given => "as given",
        MachineSource::MaxProcs => "MaxProcs of its header",
        MachineSource::MaxNodes => "MaxNodes of its header",
        MachineSource::InUse => "the most that were in use at once",
        MachineSource::LargestJob => "its widest job, as nothing says how large it is",
    };
    let swept = scenario.taken("machine_scale").len() > 1;
    match setup.machine_scale {
        Some(_) if swept => {
            let own = grouped(trace.machine.into());
            format!("machines around its own of {own} {of} ({of_log})")
        }
        Some(scale) if scale != Decimal::whole(1) => {
            format!("a machine {scale} times as large as its own: {slots} {of}")
        }
        Some(_) => format!("its own machine of {slots} {of} ({of_log})"),
        None => format!(
            "{} with {slots} slots",
            lower(scenario.system().choice().label)
        ),
    }
}

/// The day of an instant by the log's own clock, as 3 Mar 1997; `None` where it does not say when it
/// began.
pub fn date(trace: &Trace, instant: Time) -> Option<String> {
    let seconds = trace.begins_in_zone()? + i64::try_from(instant.0 / 1_000_000).ok()?;
    let date = OffsetDateTime::from_unix_timestamp(seconds).ok()?.date();
    let month = date.month().to_string();
    Some(format!("{} {} {}", date.day(), &month[..3], date.year()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::logs::{Options, TraceReader};
    use backfill_sim::problem::Problem;
    use backfill_sim::workload::Format;

    /// A log of 12 days: a job each on so many processors that waits so long.
    fn log(header: &str, jobs: &[(u32, i64)]) -> Trace {
        let mut reader = TraceReader::new(Format::Swf, Options::named("log.swf"));
        reader.push(header.as_bytes()).expect("a header");
        for (day, (size, wait)) in (0..).zip(jobs) {
            let submit = day * 86_400;
            let line =
                format!("{day} {submit} {wait} 9000 {size} -1 -1 -1 90000 -1 1 1 1 1 1 -1 -1 -1\n");
            reader.push(line.as_bytes()).expect("a line");
        }
        reader.finish().expect("a log")
    }

    fn scenario(pairs: Pairs) -> Scenario {
        let named = [
            ("workload", "swf".to_owned()),
            ("file", "log.swf".to_owned()),
        ];
        Scenario::parse(named.into_iter().chain(pairs)).unwrap_or_else(|problems| {
            let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
            panic!("{problems:?}")
        })
    }

    const BEGINS: &str = "; UnixStartTime: 857347200\n; MaxProcs: 8\n";

    #[test]
    fn every_question_is_a_valid_scenario() {
        let trace = log(BEGINS, &[(4, 60), (8, 0), (2, 5)]);
        let questions = questions(&trace);
        assert_eq!(questions.len(), 4);
        // 14 processors for 9000 s each, on 8 for two days: 0.0911.
        let loads = ("x", "load:0.073,0.082,0.091,0.100,0.114,0.137".to_owned());
        let more_load = questions
            .iter()
            .find(|question| question.title == "More load?");
        assert!(more_load.expect("there is a load").pairs.contains(&loads));
        for question in questions {
            scenario(question.pairs);
        }
    }

    #[test]
    fn a_log_without_a_load_is_not_asked_what_more_of_it_would_do() {
        let at_once = super::questions(&log(BEGINS, &[(4, 60)]));
        assert!(
            at_once
                .iter()
                .all(|question| question.title != "More load?")
        );
    }

    #[test]
    fn the_first_answer_is_on_the_logs_own_machine_beside_what_it_records() {
        let trace = log(BEGINS, &[(4, 60), (8, 0)]);
        let first = scenario(first_answer(&trace, &[]));
        assert_eq!(
            first.get("policy"),
            "fcfs+index,easy+index,conservative+index,recorded+index"
        );
        assert_eq!(
            about(&trace, &first),
            "log.swf: all 2 jobs, 3 Mar 1997 to 4 Mar 1997; its own machine of 8 processors \
             (MaxProcs of its header)."
        );
        assert!(first.deterministic());
        // Without waits nothing is recorded.
        let trace = log(BEGINS, &[(4, -1), (8, -1)]);
        let first = scenario(first_answer(&trace, &[]));
        assert_eq!(
            first.get("policy"),
            "fcfs+index,easy+index,conservative+index"
        );
    }

    #[test]
    fn what_is_given_takes_precedence_and_what_is_recorded_gives_way() {
        let trace = log(BEGINS, &[(4, 60), (8, 0)]);
        let with = |given: &[(&'static str, &str)]| {
            let mut pairs = first_answer(&trace, given);
            pairs.extend(given.iter().map(|&(key, value)| (key, value.to_owned())));
            scenario(pairs)
        };
        let nodes = with(&[("nodes", "16")]);
        assert_eq!((nodes.get("machine"), nodes.get("nodes")), ("given", "16"));
        let load = with(&[("load", "0.9")]);
        assert_eq!(
            load.get("policy"),
            "fcfs+index,easy+index,conservative+index"
        );
        let swept = with(&[("x", "machine_scale:0.5,1")]);
        assert_eq!(
            about(&trace, &swept),
            "log.swf: all 2 jobs, 3 Mar 1997 to 4 Mar 1997; machines around its own of 8 \
             processors (MaxProcs of its header)."
        );
        assert_eq!(first_answer(&trace, &[("system", "fat-tree")]), []);
    }

    #[test]
    fn a_part_of_a_log_is_named() {
        let trace = log(BEGINS, &[(1, 60), (1, 0), (8, 0), (8, 0)]);
        let named = |slice: &str| {
            let mut pairs = first_answer(&trace, &[]);
            pairs.push(("slice", slice.to_owned()));
            about(&trace, &scenario(pairs))
        };
        assert!(named("2-3").starts_with("log.swf: jobs 2 to 3 of 4, 4 Mar 1997 to 5 Mar 1997; "));
        assert!(named("busiest:2").starts_with("log.swf: the busiest 2 of 4 jobs, 5 Mar 1997 to "));
    }
}
