//! What the pages show before any script has run, and the schemas beside them.
//!
//! `cargo xtask` builds this crate as a module of its own next to that of the page and calls it in
//! Node, so that the simulator is compiled once for both, and what a page is built with was computed
//! by the code that computes it again there.
//!
//! - `opening`: the finished answer to the default scenario, and questions
//! - `motion`: what moves on a first visit
//! - `papers`, `pictures`: the report of the papers' figures, and their curves
//! - `changes`: what changed from version to version

mod changes;
mod motion;
mod opening;
mod papers;
mod pictures;

use anyhow::{Context, Result};
use backfill_experiment::files::schema;
use backfill_experiment::forecast;
use backfill_papers::{recorded, recorded_curves, recorded_digests, rerun};
use papers::OnFile;
use serde_json::json;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;

/// Everything that is built into the pages, as JSON: `pages` has, by the name of a page, HTML by the
/// name of the marker that it takes the place of; `files` has the text of further files by name;
/// `figures` has the scenarios that are figures, and the keys that do not matter for that.
///
/// # Errors
/// The verdicts, curves or digests on file do not fit the figures, or the change log is not of its
/// kind.
#[wasm_bindgen]
pub fn baked(verdicts: &str, curves: &str, digests: &str, changes: &str) -> Result<String, String> {
    all(verdicts, curves, digests, changes).map_err(|error| format!("{error:#}"))
}

fn all(verdicts: &str, curves: &str, digests: &str, changes: &str) -> Result<String> {
    const RECORD: &str = "do not fit the figures: tests/suite/claims.rs says how to record them";
    let curves =
        recorded_curves::read(curves).with_context(|| format!("the curves on file {RECORD}"))?;
    let digests =
        recorded_digests::read(digests).with_context(|| format!("the digests on file {RECORD}"))?;
    let report = recorded::read(verdicts)
        .map_err(anyhow::Error::from)
        .and_then(|verdicts| {
            papers::report(OnFile {
                verdicts: &verdicts,
                curves: &curves,
                digests: &digests,
            })
        })
        .with_context(|| format!("the verdicts on file {RECORD}"))?;
    let changes = changes::page(changes, env!("CARGO_PKG_VERSION"))
        .context("cannot tell what changed from the change log")?;
    let schemas = [
        ("scenario.schema.json", schema::scenario()),
        ("result.schema.json", schema::result()),
        ("forecast.schema.json", forecast::schema::forecast()),
    ];
    let schemas = schemas.map(|(name, schema)| (name.to_owned(), format!("{schema:#}\n")));
    let files: BTreeMap<String, String> = schemas
        .into_iter()
        .chain(pictures::files(&curves))
        .collect();
    let baked = json!({
        "pages": {
            "index.html": opening::default_result()?,
            "papers.html": report,
            "changes.html": changes,
        },
        "files": files,
        "figures": {
            "aside": rerun::aside().collect::<Vec<_>>(),
            "known": rerun::known(),
        },
    });
    Ok(baked.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_and_logs_that_do_not_fit_are_refused() {
        for (verdicts, curves, digests, about) in [
            ("nonsense", "", "", "verdicts"),
            ("", "nonsense", "", "curves"),
            ("", "", "nonsense", "digests"),
        ] {
            let error = baked(verdicts, curves, digests, "# Changes\n").unwrap_err();
            let start = format!("the {about} on file");
            assert!(error.starts_with(&start), "{error}");
        }
    }
}
