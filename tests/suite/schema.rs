//! The JSON Schemas of scenarios and results: what Backfill writes is valid, changed documents are
//! not.

use backfill_experiment::files::report::Document;
use backfill_experiment::files::schema;
use backfill_experiment::language::examples::EXAMPLES;
use backfill_experiment::language::scenario::{KEYS, Scenario, ValueKind};
use backfill_tests::runs::results;
use jsonschema::Validator;
use serde_json::{Value, json};

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::meta::validate(schema).expect("it is a schema");
    jsonschema::draft202012::new(schema).expect("it can be used")
}

#[track_caller]
fn is_valid(validator: &Validator, value: &Value) {
    let problems: Vec<String> = validator
        .iter_errors(value)
        .map(|problem| format!("{}: {problem}", problem.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
}

/// An object of these keys, as a TOML file holds them.
fn scenario_of(pairs: &[(&str, Value)]) -> Value {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect()
}

#[test]
fn every_example_and_every_default_is_a_scenario_by_the_schema() {
    let validator = validator(&schema::scenario());
    for example in EXAMPLES {
        let written = example
            .pairs
            .iter()
            .map(|&(key, value)| (key.to_owned(), json!(value)));
        is_valid(&validator, &written.collect());
        let scenario = Scenario::parse(example.pairs.iter().copied()).expect("a valid scenario");
        let whole = scenario
            .pairs()
            .map(|(key, value)| (key.to_owned(), json!(value)));
        is_valid(&validator, &whole.collect());
    }
    let numbers = KEYS.iter().filter(|key| {
        matches!(
            key.kind,
            ValueKind::Integer { .. } | ValueKind::Decimal { .. }
        )
    });
    let numbers = numbers.map(|key| {
        let number: Value = serde_json::from_str(key.default).expect("a number");
        (key.name.to_owned(), number)
    });
    is_valid(&validator, &numbers.collect());
}

#[test]
fn what_toml_has_of_its_own_is_a_scenario_by_the_schema() {
    is_valid(
        &validator(&schema::scenario()),
        &scenario_of(&[
            ("k", json!(8)),
            ("hide_aware", json!(true)),
            ("load", json!(0.9)),
            ("policy", json!(["fcfs+adaba", "list(order=area)+adaba"])),
            ("reference", json!("list(order=area)+adaba")),
            ("nodes_per_cluster", json!("100+50")),
            ("x", json!("load: 0.5, 0.9")),
        ]),
    );
}

#[test]
fn what_is_no_scenario_is_none_by_the_schema() {
    let validator = validator(&schema::scenario());
    for (key, value) in [
        ("slotz", json!("8")),
        ("k", json!(7)),
        ("k", json!("six")),
        ("k", json!(1_000_000)),
        ("load", json!("1e3")),
        ("system", json!("torus")),
        ("hide_aware", json!("maybe")),
        ("policy", json!("easier+adaba")),
        ("policy", json!([])),
        ("reference", json!("last")),
        ("x", json!("policy:fcfs,easy")),
        ("metric", json!("happiness")),
        ("sha256", json!("12")),
        ("centre_mbps", json!("fast")),
        ("reps", json!(null)),
    ] {
        let scenario = scenario_of(&[(key, value)]);
        assert!(!validator.is_valid(&scenario), "{scenario}");
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let pairs = scenario.as_object().expect("an object").iter();
        let pairs: Vec<(String, String)> = pairs
            .map(|(key, value)| (key.clone(), text(value)))
            .collect();
        assert!(Scenario::parse(pairs).is_err(), "{scenario}");
    }
}

/// Small results of every system, of which one lacks runs.
fn documents() -> Vec<Value> {
    let common = [("jobs", "30"), ("reps", "2")];
    ["fat-tree", "nodes", "multi-cluster", "pool", "tree"]
        .into_iter()
        .map(|system| {
            let sweep = match system {
                "nodes" => ("x", "none"),
                _ => ("x", "load:0.5,0.9"),
            };
            let pairs = [
                &common[..],
                &[("system", system), ("policy", "fcfs,easy"), sweep],
            ]
            .concat();
            let scenario = Scenario::parse(pairs.iter().copied()).expect("a valid scenario");
            let results = results(&pairs);
            serde_json::to_value(Document::new(&scenario, &results, None)).expect("a plain form")
        })
        .collect()
}

#[test]
fn results_of_every_system_are_results_by_the_schema() {
    let validator = validator(&schema::result());
    for mut document in documents() {
        is_valid(&validator, &document);
        document["trace"] = json!({ "name": "log.swf", "sha256": "0f".repeat(32), "jobs": 30 });
        document["digest"] = json!(null);
        document["outcomes"].as_array_mut().expect("a list").pop();
        is_valid(&validator, &document);
    }
}

#[test]
fn what_is_no_result_is_none_by_the_schema() {
    let validator = validator(&schema::result());
    let document = documents().swap_remove(0);
    for (place, value) in [
        ("/schema", json!(3)),
        ("/core", json!("")),
        ("/digest", json!("12")),
        ("/scenario/k", json!(6)),
        ("/scenario/system", json!("torus")),
        ("/policies", json!([])),
        ("/x/0", json!(0.5)),
        ("/metrics/0/better", json!("always")),
        ("/points/0/metric", json!("happiness")),
        ("/points/0/value/half_width", json!(-1)),
        ("/points/0/value", json!(null)),
        ("/outcomes/0/cell/policy", json!(-1)),
        ("/outcomes/0/digest", json!(7)),
        ("/outcomes/0/metrics/wait_mean", json!("long")),
        ("/outcomes/0/metrics", json!([0.5])),
        ("/trace", json!({ "name": "log.swf" })),
    ] {
        let mut changed = document.clone();
        *changed
            .pointer_mut(place)
            .unwrap_or_else(|| panic!("{place}")) = value;
        assert!(!validator.is_valid(&changed), "{place}");
    }
    for name in ["schema", "core", "scenario", "trace", "digest", "outcomes"] {
        let mut changed = document.clone();
        changed.as_object_mut().expect("an object").remove(name);
        assert!(!validator.is_valid(&changed), "{name}");
    }
    let mut changed = document.clone();
    changed["remark"] = json!("more");
    assert!(!validator.is_valid(&changed));
}
