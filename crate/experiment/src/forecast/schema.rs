//! The JSON Schema of a forecast: what `backfill forecast --json` writes.

use serde_json::{Value, json};

use super::answer::Hold;
use super::report::SCHEMA;

/// The JSON Schema (draft 2020-12) of a forecast, as `backfill forecast --json` writes it.
pub fn forecast() -> Value {
    let number = json!({ "type": "number", "minimum": 0 });
    let count = json!({ "type": "integer", "minimum": 0 });
    let share = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    let absent = json!({ "type": ["number", "null"], "minimum": 0 });
    let date = json!({ "type": ["string", "null"] });
    let start = json!({ "$ref": "#/$defs/start" });
    let waits = json!({ "type": "array", "items": { "type": "array", "items": absent } });
    let mut schema = object(json!({
        "schema": { "const": SCHEMA },
        "core": { "type": "string" },
        "policy": { "type": "string" },
        "nodes": count,
        "unit": { "type": "string" },
        "at_s": number,
        "at": date,
        "size": count,
        "bandwidth_mbit": absent,
        "limit_s": number,
        "running": count,
        "waiting": count,
        "weeks": count,
        "futures": count,
        "p10": start,
        "p50": start,
        "p90": start,
        "optimist": start,
        "pessimist": start,
        "chances": {
            "type": "array",
            "items": object(json!({ "within_s": count, "share": share })),
        },
        "held_back": {
            "type": "array",
            "items": object(json!({
                "by": { "enum": Hold::ALL },
                "share": share,
            })),
        },
        "map": {
            "oneOf": [
                { "type": "null" },
                object(json!({
                    "sizes": { "type": "array", "items": count },
                    "limits_s": { "type": "array", "items": number },
                    "p50_wait_s": waits,
                    "p90_wait_s": waits,
                })),
            ],
        },
    }));
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(format!(
        "Forecast of Backfill {}",
        env!("CARGO_PKG_VERSION")
    ));
    schema["$defs"] = json!({
        "start": object(json!({ "wait_s": absent, "start_s": absent, "date": date })),
    });
    schema
}

/// The schema of an object with exactly these fields.
fn object(fields: Value) -> Value {
    let names: Vec<&String> = fields
        .as_object()
        .into_iter()
        .flatten()
        .map(|of| of.0)
        .collect();
    json!({
        "type": "object",
        "required": names,
        "additionalProperties": false,
        "properties": fields,
    })
}
