//! A scenario's text and link, read and written.

use crate::{plain, refusal};
use backfill_experiment::language::scenario::link::{self, Extras};
use backfill_experiment::language::scenario::{Axis, KEYS, Key, Scenario, ValueKind};
use backfill_experiment::study::oversize;
use backfill_sim::problem::Problem;
use backfill_sim::workload::Format;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A checked scenario. If there are problems, everything else is empty.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
pub(crate) struct Reading<'a> {
    /// The problems.
    problems: Vec<Complaint>,
    /// The canonical text, for workers.
    text: String,
    /// The part of the text that determines the runs. Scenarios with equal parts have the same
    /// runs.
    simulated: String,
    /// The values that differ from their defaults, by key, in canonical form.
    changed: Vec<(&'a str, &'a str)>,
    /// The value of every key. That of a swept key is its default.
    values: Vec<(&'a str, &'a str)>,
    /// The keys that have an effect.
    relevant: Vec<&'a str>,
    /// Its policies.
    policies: Vec<PolicyName>,
    /// The first swept key; null if none is swept.
    x: Option<SweptKey<'a>>,
    /// The second swept key; null if at most one is swept.
    y: Option<SweptKey<'a>>,
    /// The number of replications of each point.
    replications: u32,
    /// The total number of runs.
    runs: usize,
    /// The trace that it needs; null if its jobs are generated.
    trace: Option<NeededTrace<'a>>,
    /// The most jobs that a run of it generates; null if they come from a trace.
    jobs: Option<u32>,
    /// Whether generated jobs may be larger than the system.
    may_exceed: bool,
}

/// A problem of a scenario, and its key.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Problem")]
struct Complaint {
    /// The key; empty if the text itself is malformed.
    key: String,
    /// The value and the problem.
    message: String,
}

/// A policy of a scenario.
#[derive(Serialize, ts_rs::TS)]
struct PolicyName {
    /// Its notation in a scenario.
    value: String,
    /// Its label.
    label: String,
}

/// A swept key and its values.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Axis")]
struct SweptKey<'a> {
    /// The key.
    key: &'a str,
    /// Its label.
    label: &'a str,
    /// Its values, as written.
    values: &'a [String],
}

/// The trace that a scenario needs.
#[derive(Serialize, ts_rs::TS)]
struct NeededTrace<'a> {
    /// The format of its file.
    #[ts(as = "Format")]
    kind: &'a str,
    /// The name of its file.
    file: &'a str,
    /// The SHA-256 of its contents; empty if any contents will do.
    sha256: &'a str,
}

/// The contents of a link.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct OpenedLink<'a> {
    /// The values of its scenario that differ from their defaults, by key.
    pairs: Vec<(&'a str, &'a str)>,
    /// The digest of its result; empty if it has none.
    digest: String,
    /// The version of the core that made the link.
    core: String,
    /// The view of the answer on the page.
    view: String,
    /// The hidden parts of the page.
    hide: String,
    /// Whether it has no checksum: somebody typed it, or its end is missing.
    typed: bool,
}

impl<'a> SweptKey<'a> {
    fn of(axis: &'a Axis) -> SweptKey<'a> {
        SweptKey {
            key: axis.key.name,
            label: axis.key.label,
            values: &axis.values,
        }
    }
}

/// Checks a list of `[key, text]` pairs.
///
/// # Errors
/// `pairs` is no such list.
#[wasm_bindgen(unchecked_return_type = "Reading")]
pub fn read_scenario(
    #[wasm_bindgen(unchecked_param_type = "[string, string][]")] pairs: JsValue,
) -> Result<JsValue, JsValue> {
    let pairs: Vec<(String, String)> = serde_wasm_bindgen::from_value(pairs)?;
    let scenario = match Scenario::parse(pairs) {
        Ok(scenario) => scenario,
        Err(problems) => {
            let complaint = |problem: Problem| Complaint {
                key: problem.key,
                message: format!("{}: {}", problem.value, problem.message),
            };
            return Ok(plain(&Reading {
                problems: problems.into_iter().map(complaint).collect(),
                ..Reading::default()
            }));
        }
    };
    let trace = scenario.relevant("file").then(|| NeededTrace {
        kind: scenario.get("workload"),
        file: scenario.get("file"),
        sha256: scenario.get("sha256"),
    });
    Ok(plain(&Reading {
        problems: Vec::new(),
        text: write(&scenario, |_| true),
        simulated: write(&scenario, |key| {
            !matches!(key.kind, ValueKind::Reference | ValueKind::Metric) && key.name != "futures"
        }),
        changed: scenario.changed().collect(),
        values: KEYS
            .iter()
            .map(|key| (key.name, scenario.get(key.name)))
            .collect(),
        relevant: KEYS
            .iter()
            .map(|key| key.name)
            .filter(|key| scenario.relevant(key))
            .collect(),
        policies: scenario
            .policies()
            .iter()
            .map(|policy| PolicyName {
                value: policy.to_string(),
                label: policy.label(),
            })
            .collect(),
        x: scenario.x().map(SweptKey::of),
        y: scenario.y().map(SweptKey::of),
        replications: scenario.reps(),
        runs: scenario.runs(),
        jobs: most_jobs(&scenario),
        may_exceed: trace.is_none() && oversize::may_exceed(&scenario),
        trace,
    }))
}

/// The most jobs that a run of a scenario generates, if it generates any.
fn most_jobs(scenario: &Scenario) -> Option<u32> {
    let generated = scenario.relevant("jobs");
    let counts = generated.then(|| scenario.taken("jobs"))?;
    counts
        .iter()
        .map(|count| count.parse().expect("a whole number"))
        .max()
}

/// The order in which to run a scenario's cells: the first replication of everything first, so that
/// all curves appear early and then settle.
///
/// # Errors
/// `text` is no valid scenario.
#[wasm_bindgen]
pub fn running_order(text: &str) -> Result<Vec<u32>, JsValue> {
    Ok(in_running_order(&parse(text)?).collect())
}

/// The cells of a scenario in that order.
pub(crate) fn in_running_order(scenario: &Scenario) -> impl Iterator<Item = u32> {
    let (runs, replications) = (scenario.runs() as u32, scenario.reps());
    // In scenario order the replications of a point are adjacent.
    let nth = move |replication| (replication..runs).step_by(replications as usize);
    (0..replications).flat_map(nth)
}

/// The contents of a link.
///
/// # Errors
/// It is empty, damaged, or of another version.
#[wasm_bindgen(unchecked_return_type = "OpenedLink")]
pub fn read_link(hash: &str) -> Result<JsValue, JsValue> {
    match link::read(hash).map_err(refusal)? {
        Some((scenario, extras)) => Ok(plain(&OpenedLink {
            pairs: scenario.changed().collect(),
            digest: extras.digest.unwrap_or_default(),
            core: extras.core.unwrap_or_default(),
            view: extras.view.unwrap_or_default(),
            hide: extras.hide.unwrap_or_default(),
            typed: extras.typed,
        })),
        None => Err(refusal("there is no scenario in this link")),
    }
}

/// The link to a scenario, from its `#` on; optionally with the digest of its result, the view of
/// the page, its hidden parts, and the version of the core that made the result, if that is not
/// this one. Where it is `packed`, it may be longer.
///
/// # Errors
/// `text` is no valid scenario, or the link would be too long.
#[wasm_bindgen]
pub fn write_link(
    text: &str,
    digest: &str,
    view: Option<String>,
    hide: Option<String>,
    core: Option<String>,
    packed: Option<bool>,
) -> Result<String, JsValue> {
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let result = !digest.is_empty();
    let extras = Extras {
        digest: result.then(|| digest.to_owned()),
        core: result.then(|| core.unwrap_or_else(crate::version)),
        view: given(view),
        hide: given(hide),
        typed: false,
    };
    let write = match packed {
        Some(true) => link::write_unpacked,
        _ => link::write,
    };
    write(&parse(text)?, &extras).map_err(refusal)
}

/// A random seed.
///
/// # Errors
/// The browser provides no random numbers.
#[wasm_bindgen]
pub fn new_seed() -> Result<String, JsValue> {
    // Nine digits are easy to read out.
    let drawn = getrandom::u32().map_err(refusal)?;
    Ok((drawn % 1_000_000_000).to_string())
}

/// The workload key for a file of this name.
#[wasm_bindgen(unchecked_return_type = "'swf' | 'csv'")]
pub fn trace_kind(name: &str) -> String {
    match Format::of_name(name) {
        Format::Swf => "swf".to_owned(),
        Format::Csv => "csv".to_owned(),
    }
}

/// A scenario as text: a line `key=value` for each of some keys that differs from its default.
fn write(scenario: &Scenario, wanted: fn(&Key) -> bool) -> String {
    let keys = KEYS.iter().filter(|key| wanted(key));
    let wanted: Vec<&str> = keys.map(|key| key.name).collect();
    let lines: Vec<String> = scenario
        .changed()
        .filter(|(key, _)| wanted.contains(key))
        .map(|(key, value)| format!("{key}={value}\n"))
        .collect();
    lines.concat()
}

/// The scenario that [`write()`] wrote.
pub(crate) fn parse(text: &str) -> Result<Scenario, JsValue> {
    let pairs = text
        .lines()
        .map(|line| line.split_once('=').unwrap_or((line, "")));
    Scenario::parse(pairs).map_err(|problems| {
        let words: Vec<String> = problems.iter().map(Problem::to_string).collect();
        refusal(words.join("; "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_what_its_text_says() {
        for pairs in [
            vec![],
            vec![
                ("k", "4"),
                ("policy", "easy,sbf(blocked=skip)"),
                ("x", "none"),
            ],
            vec![("workload", "swf"), ("file", "a = b#1 ü.swf")],
        ] {
            let scenario = Scenario::parse(pairs).expect("a valid scenario");
            let text = write(&scenario, |_| true);
            let mut order = running_order(&text).expect("the text is valid");
            order.sort_unstable();
            assert!(order.into_iter().eq(0..scenario.runs() as u32));
            assert_eq!(parse(&text).expect("the text is valid"), scenario, "{text}");
        }
    }
}
