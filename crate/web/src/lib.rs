//! The wasm boundary: what the page and its workers call.
//!
//! Text comes in, one structured result goes out, and long series leave as copies in typed arrays.
//! No number that a user typed crosses as a number: it stands in a scenario's text, which the core
//! reads or refuses. An input at fault is thrown as a string, one sentence; anything else that is
//! thrown is a fault of ours. `boundary.d.ts` holds the types of what crosses; it is written from
//! the types here, and a test keeps it so.
//!
//! - `fault`: panics in words
//! - `tables`: what the page's form and choices are drawn from
//! - `scenario`: a scenario's text and link, read and written
//! - `trace`: a trace, or none
//! - `reader`: a trace, read piece by piece
//! - `run`: one cell, run in slices
//! - `replay`: what a kept run holds, at any instant
//! - `inspect`: the jobs of a kept run, and what happened over time
//! - `own`: policies that a user composes
//! - `beside`: two kept runs of one machine, cell by cell
//! - `canvas`: a canvas of the page to draw charts on
//! - `board`: the outcomes of a scenario, put together and drawn
//! - `fairness`: how waits are spread at one point of a scenario
//! - `export`: results as files, and files opened again
//! - `zip`: a folder as one file
//! - `study_archive`: folders that run a scenario on a cluster
//! - `typescript`: the types of what crosses, for TypeScript

pub mod fault;
pub mod tables;

pub mod scenario;

pub mod trace;

pub mod reader;

pub mod run;

pub mod replay;

pub mod inspect;

pub mod own;

pub mod beside;

pub mod canvas;

pub mod board;

pub mod export;

pub mod fairness;

mod zip;

pub mod study_archive;

pub mod typescript;

use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("boundary.d.ts");

/// The version of the core that answers.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// `value` as plain objects and numbers; what is missing is null.
fn plain(value: &impl Serialize) -> JsValue {
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    value
        .serialize(&plain)
        .expect("what crosses has a plain form")
}

/// An input at fault, as it is thrown.
fn refusal(words: impl ToString) -> JsValue {
    JsValue::from_str(&words.to_string())
}
