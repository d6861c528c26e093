//! Topology files of Slurm.

use crate::trace::Trace;
use crate::{plain, refusal};
use backfill_experiment::files::logs::questions::Question;
use backfill_experiment::files::topology::{question, read};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A topology that was read.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct OpenedTopology {
    /// Its nodes.
    nodes: u32,
    /// Its leaves, or its blocks.
    leaves: u32,
    /// Whether they are blocks.
    blocks: bool,
    /// What is worth knowing of it, in sentences.
    notes: Vec<String>,
    /// What its owner asks of it.
    question: Question,
}

/// Reads a topology, for a trace if there is one.
///
/// # Errors
/// The first mistake in the text.
#[wasm_bindgen(unchecked_return_type = "OpenedTopology")]
pub fn open_topology(text: &str, trace: &Trace) -> Result<JsValue, JsValue> {
    let topology = read(text).map_err(refusal)?;
    let shape = &topology.shape;
    Ok(plain(&OpenedTopology {
        nodes: shape.nodes(),
        leaves: shape.leaves().len() as u32,
        blocks: !shape.block_sizes().is_empty(),
        question: question(&topology, trace.get()),
        notes: topology.notes,
    }))
}
