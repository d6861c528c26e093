//! The wasm boundary: the functions that the page and its workers call.
//!
//! Text comes in, one structured result goes out, and long series leave as copies in typed arrays.
//! A number that a user typed crosses only as a scenario's text, which the core reads or rejects.
//! Invalid input throws a string, one sentence; anything else thrown is a bug. `boundary.d.ts` has
//! the types of the boundary; a test keeps it equal to the types here (`typescript`).
//!
//! - `tables`, `scenario`, `own`: form and choices; a scenario's text and link; composed policies
//! - `trace`, `reader`: a trace, or none; reading one in chunks; `topology`: topology files
//! - `run`: one cell, run in slices; `fault`: panics as text; `rest`: the part of the module
//!   that is fetched later
//! - `board`, `fairness`: the outcomes of a scenario, and its waits; `canvas`: a canvas for charts
//! - `replay`, `inspect`, `beside`: a kept run at any instant, its jobs, and a second run; `passes`:
//!   its scheduling passes step by step; `sentence`: sentences with instants and links
//! - `forecast`: when a job would start, a few futures at a time
//! - `export`, `study_archive`, `zip`: results as files, folders for a cluster, and archives

pub mod fault;

pub mod rest;

pub mod tables;

pub mod scenario;

pub mod trace;

pub mod reader;

pub mod topology;

pub mod run;

pub mod replay;

pub mod inspect;

pub mod passes;

pub mod forecast;

mod sentence;

pub mod own;

pub mod beside;

pub mod canvas;

pub mod board;

pub mod export;

pub mod fairness;

mod zip;

pub mod study_archive;

#[cfg(test)]
mod typescript;

use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("boundary.d.ts");

/// The version of the core that answers.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// `value` as plain objects and numbers; `None` is null.
fn plain(value: &impl Serialize) -> JsValue {
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    value
        .serialize(&plain)
        .expect("what crosses has a plain form")
}

/// Invalid input, as it is thrown.
fn refusal(words: impl ToString) -> JsValue {
    JsValue::from_str(&words.to_string())
}
