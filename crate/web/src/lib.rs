//! The wasm boundary: what the page and its workers call.

pub mod canvas;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the core that answers.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
