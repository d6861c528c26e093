//! The questions that the owner of a log has, as keys of scenarios.
//!
//! The first is answered without being asked: what FCFS, EASY and conservative backfilling would
//! have done with the whole log on its own machine, beside what its scheduler did. Nothing here
//! changes a scenario: what is given beside a question takes precedence.

use serde::Serialize;

use super::fitting;
use backfill_sim::policy::Queue;
use backfill_sim::unit::Span;
use backfill_sim::workload::{Trace, recorded};

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

/// How many times as close together jobs may be submitted: the gaps between submits, from 0.8 times
/// as much work in the same time to 1.5 times.
const GAPS: &str = "load:1.25,1.1111,1,0.9091,0.8,0.6667";

/// The questions about a log, the one that is answered first in front; none about a job list that
/// gives bandwidths, whose question is on it.
pub fn questions(trace: &Trace) -> Vec<Question> {
    if trace.has_bandwidth {
        return Vec::new();
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
        format!("{},{simulated}", Queue::Recorded.name())
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
                "{beside} FCFS, EASY and conservative backfilling would have done with the whole log on its own machine."
            ),
            pairs: with(&[("policy", &compared), ("load", "as-logged")]),
        },
        Question {
            title: "A larger machine?",
            does: "The same jobs on 0.8 to 1.5 times the machine.".to_owned(),
            pairs: with(&[("policy", &simulated), ("load", "as-logged"), ("x", SCALES)]),
        },
        Question {
            title: "More load?",
            does: "The same jobs submitted 0.8 to 1.5 times as fast, on the log's own machine."
                .to_owned(),
            pairs: with(&[
                ("policy", &simulated),
                ("load_law", "gap-ratio"),
                ("x", GAPS),
            ]),
        },
    ];
    let tree = fitting::systems(trace).into_iter().next();
    if let Some(tree) = tree.filter(|tree| tree.pairs[0].1 == "fat-tree") {
        let jobs = BUSIEST.min(trace.rows.len());
        let mut pairs = tree.pairs;
        pairs.extend(estimates(trace));
        pairs.extend([
            ("load", "as-logged".to_owned()),
            ("slice", format!("busiest:{BUSIEST}")),
            ("cap_bandwidth", "fits".to_owned()),
        ]);
        questions.push(Question {
            title: "What would bandwidth guarantees cost?",
            does: format!(
                "The busiest {jobs} jobs on {}. The log holds no bandwidth; 250 Mbit/s on average is drawn, at most what the empty system can guarantee.",
                tree.text
            ),
            pairs,
        });
    }
    questions
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
fn estimates(trace: &Trace) -> Option<(&'static str, String)> {
    let estimated = trace.rows.iter().any(|row| row.estimate > Span(0));
    estimated.then(|| ("estimate", "extend".to_owned()))
}

/// What answers the first question about a log, as far as `given` leaves it open: a scenario that
/// names a system, a load, an axis or policies of its own keeps them.
pub fn first_answer(trace: &Trace, given: &[(&str, &str)]) -> Pairs {
    let sweeps = |key: &str| {
        let axes = given.iter().filter(|(name, _)| matches!(*name, "x" | "y"));
        axes.map(|(_, value)| value.split(':').next().unwrap_or(""))
            .any(|swept| swept.trim() == key)
    };
    let names = |key: &str| given.iter().any(|(name, _)| *name == key) || sweeps(key);
    let other_system = given
        .iter()
        .any(|&(key, value)| key == "system" && value != "nodes");
    let Some(first) = questions(trace)
        .into_iter()
        .next()
        .filter(|_| !other_system)
    else {
        return Vec::new();
    };
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
        .any(&names);
    let mut pairs = first.pairs;
    pairs.retain(|(key, _)| !names(key) && !(own_size && *key == "machine"));
    for (key, value) in &mut pairs {
        if *key == "policy" && changed {
            let recorded = format!("{},", Queue::Recorded.name());
            *value = value.replace(&recorded, "");
        }
    }
    pairs
}
