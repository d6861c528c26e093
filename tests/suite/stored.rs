//! Stored results, by this version or another: read as far as the names of their metrics agree, and
//! refused with a sentence otherwise.

use backfill_experiment::files::report::{Document, Opened, ResultForm};
use backfill_experiment::language::scenario::Scenario;
use backfill_experiment::study::stored::{CORE, StoredOutcome};
use backfill_experiment::study::sweep::Results;
use backfill_sim::metrics::METRICS;
use backfill_tests::runs::results;
use serde_json::{Value, json};

const PAIRS: &[(&str, &str)] = &[
    ("k", "4"),
    ("jobs", "30"),
    ("reps", "2"),
    ("policy", "none,easy"),
    ("x", "load:0.5,0.9"),
];

fn scenario() -> Scenario {
    Scenario::parse(PAIRS.iter().copied()).expect("a valid scenario")
}

/// A result as it is written, of 2 × 2 × 2 runs.
fn written(scenario: &Scenario, results: &Results) -> Value {
    serde_json::to_value(Document::new(scenario, results, None))
        .expect("a document has a plain form")
}

/// The same as versions before 0.2.0 wrote it: values in the order of a table of metrics, of which
/// this one knew every second, from the last to the first, and one that is not known now.
fn of_the_first_form(document: &Value) -> Value {
    let mut names: Vec<&str> = METRICS
        .iter()
        .step_by(2)
        .map(|metric| metric.name)
        .collect();
    names.reverse();
    names.push("cost_of_power");
    let mut old = document.clone();
    old["schema"] = json!(1);
    old["core"] = json!("0.1.0");
    old["metrics"] = names.iter().map(|name| json!({ "name": name })).collect();
    for outcome in old["outcomes"].as_array_mut().expect("a list") {
        let listed = names.iter().map(|name| match outcome["metrics"].get(name) {
            Some(value) => value.clone(),
            None => json!(7.5),
        });
        outcome["metrics"] = listed.collect();
    }
    old
}

fn opened(document: &Value) -> Result<(Scenario, Results), String> {
    let form: ResultForm =
        serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
    form.check()?;
    let opened: Opened =
        serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
    opened.result()
}

fn refused(document: &Value) -> String {
    opened(document).expect_err("it is refused")
}

#[test]
fn values_are_written_by_the_names_of_their_metrics() {
    let scenario = scenario();
    let results = results(PAIRS);
    let document = written(&scenario, &results);
    for (outcome, found) in results
        .outcomes()
        .zip(document["outcomes"].as_array().unwrap())
    {
        let named = found["metrics"].as_object().expect("an object");
        assert_eq!(named.len(), METRICS.len());
        for (metric, value) in METRICS.iter().zip(&outcome.metrics) {
            assert_eq!(named[metric.name].as_f64(), *value, "{}", metric.name);
        }
    }
    assert_eq!(document["points"][0]["metric"], METRICS[0].name);
    let (again, reopened) = opened(&document).expect("it opens");
    assert_eq!(again, scenario);
    assert!(reopened.outcomes().eq(results.outcomes()));
    assert_eq!(reopened.core(), CORE);
    assert_eq!(reopened.lacking().count(), 0);
}

#[test]
fn a_result_of_another_version_is_read_as_far_as_names_agree() {
    let scenario = scenario();
    let results = results(PAIRS);
    let old = of_the_first_form(&written(&scenario, &results));
    let (again, reopened) = opened(&old).expect("it opens");
    assert_eq!(again, scenario);
    assert_eq!(reopened.digest(), results.digest());
    assert_eq!(reopened.core(), "0.1.0");
    let lacking: Vec<&str> = reopened.lacking().map(|metric| metric.name).collect();
    let others = METRICS.iter().skip(1).step_by(2);
    assert_eq!(
        lacking,
        others.map(|metric| metric.name).collect::<Vec<_>>()
    );
    for (found, outcome) in reopened.outcomes().zip(results.outcomes()) {
        for (position, value) in found.metrics.iter().enumerate() {
            let known = outcome.metrics[position].filter(|_| position % 2 == 0);
            assert_eq!(*value, known, "{}", METRICS[position].name);
        }
    }
    // Writing it again does not claim that this version made it.
    let again = written(&again, &reopened);
    assert_eq!(again["core"], "0.1.0");
}

#[test]
fn a_form_that_is_not_known_is_refused_with_what_to_do() {
    let scenario = scenario();
    let mut later = written(&scenario, &results(PAIRS));
    later["schema"] = json!(3);
    later["core"] = json!("9.1.0");
    // Whatever else that form has.
    later["outcomes"] = json!("elsewhere");
    assert_eq!(
        refused(&later),
        format!(
            "this result has the form 3, and Backfill {CORE} reads the forms 1 to 2: \
             open it with Backfill 9.1.0, which made it"
        )
    );
}

#[test]
fn what_is_no_result_of_its_scenario_is_refused() {
    let scenario = scenario();
    let document = written(&scenario, &results(PAIRS));
    let refusal = |change: &dyn Fn(&mut Value)| {
        let mut changed = document.clone();
        change(&mut changed);
        refused(&changed)
    };
    for (key, value) in [("x", 2), ("y", 1), ("policy", 2), ("replication", 2)] {
        assert_eq!(
            refusal(&|changed| changed["outcomes"][3]["cell"][key] = json!(value)),
            format!(
                "run 3 is not one of this scenario: the result was changed; \
                 Backfill {CORE} made this result"
            )
        );
    }
    let digest = refusal(&|changed| changed["outcomes"][3]["digest"] = json!("+123456789abcdef"));
    assert!(
        digest.starts_with("run 3 is not one of this scenario"),
        "{digest}"
    );
    let digest = refusal(&|changed| changed["outcomes"][3]["digest"] = json!("0000000000000000"));
    assert!(digest.starts_with("the digest of this result is not that of its runs"));
    let list = refusal(&|changed| changed["outcomes"][3]["metrics"] = json!([0.5, 1.0]));
    assert!(
        list.starts_with("the metrics of run 3 have no names"),
        "{list}"
    );
    let none = refusal(&|changed| changed["outcomes"][3]["metrics"] = json!({ "costs": 1.0 }));
    assert!(
        none.starts_with("no metric of run 3 is known here by its name"),
        "{none}"
    );
    let text = refusal(&|changed| changed["outcomes"][3]["metrics"]["wait_mean"] = json!("long"));
    assert!(text.contains("invalid type: string \"long\""), "{text}");
    let version = refusal(&|changed| changed["core"] = json!("1\n\\input{x}"));
    assert!(version.contains("has no version"), "{version}");
    let key = refusal(&|changed| changed["scenario"]["k"] = json!("7"));
    assert!(
        key.starts_with(&format!(
            "the scenario of this result, which Backfill {CORE} made, is not valid in Backfill \
             {CORE}: k = 7: must be"
        )),
        "{key}"
    );
}

#[test]
fn runs_of_fewer_replications_join_those_of_more() {
    let scenario = scenario();
    let pairs = scenario.changed().filter(|(key, _)| *key != "reps");
    let more = Scenario::parse(pairs.chain([("reps", "3")])).expect("a valid scenario");
    let mut grown = Results::new(&more);
    for outcome in results(PAIRS).outcomes() {
        let stored = serde_json::to_value(outcome).expect("an outcome has a plain form");
        let stored: StoredOutcome = serde_json::from_value(stored).expect("it is an outcome");
        grown.restore(stored).expect("it is one of the scenario");
    }
    assert_eq!(grown.progress(), (8, 12));
}
