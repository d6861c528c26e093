//! A trace, or the absence of one.

use wasm_bindgen::prelude::wasm_bindgen;

/// A trace, or the absence of one for a workload that needs none.
#[wasm_bindgen]
pub struct Trace(pub(crate) Option<backfill_sim::workload::Trace>);

#[wasm_bindgen]
impl Trace {
    /// No trace, for a workload that needs none.
    pub fn none() -> Trace {
        Trace(None)
    }

    pub(crate) fn get(&self) -> Option<&backfill_sim::workload::Trace> {
        self.0.as_ref()
    }
}
