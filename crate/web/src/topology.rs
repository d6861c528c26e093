//! Topology files of Slurm, and the leaves of a tree.

use crate::trace::Trace;
use crate::{plain, refusal};
use backfill_experiment::files::logs::questions::Question;
use backfill_experiment::files::topology::{question, read};
use backfill_experiment::language::leaves::{self, Leaf, with_counts};
use backfill_experiment::language::tree;
use backfill_sim::system::Shown;
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

/// A tree and its leaves.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Leaves {
    /// The tree as its key has it.
    tree: String,
    leaves: Vec<Leaf>,
}

/// A tree, which is written as its key has it, or the same with so many nodes in each leaf; its
/// leaves are called as in the `machine` of a run, where that has the same switches.
///
/// # Errors
/// What is wrong with the tree, or would be.
#[wasm_bindgen(unchecked_return_type = "Leaves")]
pub fn leaves(
    tree: &str,
    #[wasm_bindgen(unchecked_param_type = "ReplayInfo['machine']")] machine: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number[]")] counts: JsValue,
) -> Result<JsValue, JsValue> {
    let about_tree = |why| refusal(format!("the tree {why}"));
    let mut shape = tree::parse(tree).map_err(about_tree)?;
    if let Ok(counts) = serde_wasm_bindgen::from_value::<Vec<u32>>(counts) {
        shape = with_counts(&shape, &counts).map_err(about_tree)?;
    }
    let tree = tree::written(&shape);
    if let Ok(Shown::Tree(shown)) = serde_wasm_bindgen::from_value(machine)
        && shown.parents.len() == shape.switches().len()
        && let Some(of_switches) = shown.names.get(shown.leaf_of.len()..)
    {
        let of_nodes = vec![String::new(); shape.nodes() as usize];
        shape = shape.called([&of_nodes, of_switches].concat());
    }
    let leaves = leaves::leaves(&shape);
    Ok(plain(&Leaves { tree, leaves }))
}
