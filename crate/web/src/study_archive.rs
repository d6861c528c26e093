//! Folders that run on a cluster what is too large for a tab.

use crate::refusal;
use crate::scenario::parse;
use crate::zip::{Entry, archive};
use backfill_experiment::files::cluster_folder::{BatchSystem, Study, Work, parts_of};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The folder in the archive.
const FOLDER: &str = "study/";

/// A .zip of the folder that runs a scenario with at most `jobs` jobs a run by `slurm` or `hq`:
/// what the command of that name writes, without the log.
///
/// # Errors
/// `text` is no valid scenario, or there is no such command.
#[wasm_bindgen]
pub fn study_archive(text: &str, engine: &str, jobs: u32) -> Result<Vec<u8>, JsValue> {
    let scenario = parse(text)?;
    let engine =
        BatchSystem::named(engine).ok_or_else(|| refusal(format!("no engine {engine}")))?;
    let runs = scenario.runs();
    let study = Study {
        work: Work::Scenario(scenario),
        runs,
        parts: parts_of(jobs, runs),
        program: None,
    };
    let files = study.files(&engine);
    let mut entries = vec![(FOLDER.to_owned(), Entry::Folder)];
    for folder in study.folders() {
        entries.push((format!("{FOLDER}{folder}/"), Entry::Folder));
    }
    for file in &files {
        let entry = if file.is_program {
            Entry::Program(&file.text)
        } else {
            Entry::File(&file.text)
        };
        entries.push((format!("{FOLDER}{}", file.name), entry));
    }
    Ok(archive(&entries))
}
