//! JSON Schemas (draft 2020-12) of scenarios and results, from the tables of keys and metrics.
//!
//! They describe what this version writes and how it reads each key by itself: editors complete
//! keys with their meanings, and other programs check their output. Constraints between keys,
//! ranges of numbers written as text and the grammar of policies, distributions and formulas are
//! left to Backfill, which names the fault.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::files::report::SCHEMA;
use crate::language::scenario::{KEYS, Key, ValueKind};
use crate::study::stored::CORE;
use backfill_sim::choice::Choice;
use backfill_sim::decimal::Decimal;
use backfill_sim::metrics::{Better, METRICS};
use backfill_sim::policy::Queue;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A decimal number as text.
const NUMBER: &str = "-?[0-9]+(\\.[0-9]+)?";

/// The schema of a scenario: an object of keys, as a TOML file of one holds them.
pub fn scenario() -> Value {
    let mut schema = keys();
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!(format!("Scenario of Backfill {CORE}"));
    schema
}

/// The schema of a result, as `backfill run --json` and the page write it.
pub fn result() -> Value {
    let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
    let units = METRICS.iter().map(|metric| metric.unit);
    let units: BTreeSet<&str> = units.collect();
    let position = json!({ "type": "integer", "minimum": 0 });
    let digest = json!({ "type": "string", "pattern": "^[0-9a-f]{16}$" });
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let estimate = object(json!({
        "mean": { "type": "number" },
        "half_width": {
            "type": ["number", "null"],
            "minimum": 0,
            "description": "Half the width of the 95 % interval; null for fewer than two values."
        },
        "n": { "type": "integer", "minimum": 1, "description": "How many replications." },
    }));
    let values: Map<String, Value> = METRICS
        .iter()
        .map(|metric| {
            (
                metric.name.to_owned(),
                json!({ "type": ["number", "null"] }),
            )
        })
        .collect();
    let mut outcome = object(json!({
        "cell": object(json!({
            "index": position,
            "x": position,
            "y": position,
            "policy": position,
            "replication": position,
        })),
        "digest": digest,
        "metrics": {
            "description": "null where a metric is not defined.",
            "$ref": "#/$defs/values"
        },
        "jobs": position,
    }));
    let numbers = json!({ "type": "array", "items": { "type": "number" } });
    let mut over_time = object(json!({
        "from_s": {
            "type": "number",
            "description": "When the first day begins, in seconds since time 0 of the log."
        },
        "first_day": {
            "type": ["integer", "null"],
            "description": "The first day, in days since 1 January 1970; null where it is unknown."
        },
        "in_use": numbers,
        "waiting": numbers,
        "weeks": {
            "type": "array",
            "items": object(json!({ "jobs": position, "wait_s": { "type": "number" } }))
        },
    }));
    over_time["description"] = json!("By day and week, for a log in which nothing is random.");
    // Not every run has it.
    outcome["properties"]["over_time"] = over_time;
    let mut schema = object(json!({
        "schema": { "const": SCHEMA, "description": "The form of this file." },
        "core": {
            "type": "string",
            "pattern": "^[0-9A-Za-z.+-]{1,40}$",
            "description": "The version of Backfill that made the result."
        },
        "scenario": {
            "description": "Every key and its value; swept keys stand in x and y alone.",
            "allOf": [
                { "$ref": "#/$defs/scenario" },
                { "additionalProperties": { "type": "string" } }
            ]
        },
        "trace": {
            "description": "The log that was read; null where none was.",
            "oneOf": [
                { "type": "null" },
                object(json!({
                    "name": { "type": "string" },
                    "sha256": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
                    "jobs": position,
                }))
            ]
        },
        "digest": {
            "description": "Fingerprint of all runs; null unless all are there.",
            "oneOf": [{ "type": "null" }, digest]
        },
        "policies": {
            "type": "array",
            "items": { "type": "string" },
            "minItems": 1,
            "description": "The policies; elsewhere by their position here."
        },
        "x": texts,
        "y": texts,
        "metrics": {
            "type": "array",
            "description": "What the metrics are; elsewhere by their names.",
            "items": object(json!({
                "name": { "enum": names },
                "label": { "type": "string" },
                "unit": { "enum": units },
                "better": { "enum": [Better::Higher, Better::Lower, Better::Neither] },
                "help": { "type": "string" },
            }))
        },
        "points": {
            "type": "array",
            "description": "Means over replications, by x, y, policy and metric.",
            "items": object(json!({
                "x": position,
                "y": position,
                "policy": position,
                "metric": { "enum": names },
                "value": { "$ref": "#/$defs/estimate" },
                "difference": {
                    "description": "Paired difference from the reference; null for the reference.",
                    "oneOf": [{ "type": "null" }, { "$ref": "#/$defs/estimate" }]
                },
            }))
        },
        "outcomes": {
            "type": "array",
            "description": "Every run.",
            "items": outcome
        },
    }));
    schema["$schema"] = json!(DIALECT);
    schema["title"] = json!(format!("Result of Backfill {CORE}"));
    schema["$defs"] = json!({
        "scenario": keys(),
        "estimate": estimate,
        "values": object(Value::Object(values)),
    });
    schema
}

/// An object of these properties, all of them and no other.
fn object(properties: Value) -> Value {
    let names: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    json!({
        "type": "object",
        "required": names,
        "additionalProperties": false,
        "properties": properties,
    })
}

/// An object of keys of a scenario.
fn keys() -> Value {
    let properties: Map<String, Value> = KEYS
        .iter()
        .map(|key| (key.name.to_owned(), property(key)))
        .collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// The values of a key.
fn property(key: &Key) -> Value {
    let mut schema = values(key.kind);
    let mut about = vec![key.help.to_owned()];
    if !key.unit.is_empty() {
        about.push(format!("In {}.", key.unit));
    }
    if !key.source.is_empty() {
        about.push(format!("Source: {}.", key.source));
    }
    schema["title"] = json!(key.label);
    schema["description"] = json!(about.join(" "));
    schema["default"] = json!(key.default);
    schema
}

/// Values of a kind, as text and in the corresponding TOML form, if any.
fn values(kind: ValueKind) -> Value {
    match kind {
        ValueKind::Integer { min, max, even } => {
            let step = if even { 2 } else { 1 };
            json!({ "oneOf": [
                { "type": "integer", "minimum": min, "maximum": max, "multipleOf": step },
                { "type": "string", "pattern": "^[0-9]+$" }
            ]})
        }
        ValueKind::Decimal { min, max, .. } => json!({ "oneOf": [
            between(min, max),
            text(NUMBER),
        ]}),
        ValueKind::WordOrDecimal { word, min, max, .. } => json!({ "oneOf": [
            { "const": word },
            between(min, max),
            text(NUMBER),
        ]}),
        ValueKind::PerCluster { min, max, .. } => json!({ "oneOf": [
            between(min, max),
            text(&format!("{NUMBER}( *\\+ *{NUMBER})*")),
        ]}),
        ValueKind::Choice { choices } => {
            let mut values: Vec<Value> = choices.iter().map(choice).collect();
            if choices
                .iter()
                .all(|choice| ["on", "off"].contains(&choice.value))
            {
                values.push(json!({ "type": "boolean" }));
            }
            json!({ "oneOf": values })
        }
        ValueKind::Distribution { .. } | ValueKind::Order { .. } => {
            json!({ "type": "string", "minLength": 1 })
        }
        ValueKind::Policies => {
            let policy = format!("^ *({}) *([+(,]|$)", queues());
            json!({ "oneOf": [
                { "type": "string", "pattern": policy },
                { "type": "array", "minItems": 1, "items": { "type": "string", "pattern": policy } }
            ]})
        }
        ValueKind::Reference => text(&format!(" *(first|({}).*)", queues())),
        ValueKind::Sweep => {
            let swept = KEYS.iter().filter(|key| key.sweep).map(|key| key.name);
            let swept: Vec<&str> = swept.collect();
            text(&format!(" *(none|({}) *:.+)", swept.join("|")))
        }
        ValueKind::File => json!({ "type": "string", "maxLength": 500 }),
        ValueKind::Sha256 => text("([0-9a-fA-F]{64})?"),
        ValueKind::Metric => {
            let names = METRICS.iter().map(|metric| metric.name);
            let names: Vec<&str> = std::iter::once("").chain(names).collect();
            json!({ "enum": names })
        }
        ValueKind::Columns | ValueKind::Tree => json!({ "type": "string" }),
        ValueKind::Switches => json!({ "oneOf": [
            { "type": "integer", "minimum": 0 },
            text(" *[0-9]+ *(@ *[0-9]+ *)?"),
        ]}),
        ValueKind::Name => json!({ "type": "string", "maxLength": 200 }),
        ValueKind::Slice => text("(all|busiest: *[0-9]+|[0-9]+ *- *[0-9]+)"),
        ValueKind::Bandwidths => text(&format!("(equal|{NUMBER}( *: *{NUMBER})*)")),
    }
}

fn between(min: Decimal, max: Decimal) -> Value {
    json!({ "type": "number", "minimum": min.to_f64(), "maximum": max.to_f64() })
}

/// Text that matches this pattern entirely.
fn text(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": format!("^{pattern}$") })
}

fn choice(choice: &Choice) -> Value {
    json!({ "const": choice.value, "title": choice.label, "description": choice.help })
}

/// The names of scheduling policies; the longest first, as one may be a prefix of another.
fn queues() -> String {
    let mut names: Vec<&str> = Queue::ALL.iter().map(|queue| queue.name()).collect();
    names.sort_by_key(|name| Reverse(name.len()));
    names.join("|")
}
