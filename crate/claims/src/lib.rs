//! The module that judges the claims of published figures by the runs of an answer.
//!
//! Few answers are figures, so that this is a module of its own, which the page fetches when one is;
//! the module of the core knows of no figures.

use backfill_experiment::files::report::Opened;
use backfill_papers::rerun;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The types of what crosses, of [`Rerun`](rerun::Rerun).
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("boundary.d.ts");

/// What a complete result says of the claims of the figures that its scenario is; nothing if it is
/// none.
///
/// # Errors
/// `result` is not the JSON of a result, or is not valid here; a sentence says why.
#[wasm_bindgen(unchecked_return_type = "Rerun[]")]
pub fn judged(result: &str) -> Result<JsValue, JsValue> {
    let opened: Opened = serde_json::from_str(result).map_err(refusal)?;
    let (scenario, results) = opened.result().map_err(refusal)?;
    let reruns = rerun::judged(&scenario, &results);
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    reruns.serialize(&plain).map_err(JsValue::from)
}

fn refusal(words: impl ToString) -> JsValue {
    JsValue::from_str(&words.to_string())
}
