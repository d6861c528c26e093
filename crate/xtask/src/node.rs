//! Node and its packages: what builds the page and drives its tests, and what computes what is built
//! into the page.

use crate::project::Project;
use crate::run::{find, output, run};
use crate::stamp;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Says where Node is missing or too old.
pub(crate) fn is_there() -> Result<()> {
    let version = output(Command::new("node").arg("--version"));
    if !version.as_deref().is_some_and(is_new_enough) || find(&["npm"]).is_none() {
        bail!(
            "the page and its tests need Node 20.11 or newer with npm, found {}: install it from your system or https://nodejs.org",
            version.as_deref().unwrap_or("none")
        );
    }
    Ok(())
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
        return false;
    };
    (major, minor) >= (20, 11)
}

/// What Node's packages are needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To build the page: what it consists of, and what bundles it.
    Page,
    /// To check it and to make the npm package, too: ten times as much.
    All,
}

/// Installs the packages unless those of the lock file are there already.
pub(crate) fn packages(project: &Project, purpose: Purpose) -> Result<()> {
    let folder = &project.root;
    let written = |file: &Path| fs::metadata(file).and_then(|data| data.modified()).ok();
    let installed = project.package(".package-lock.json");
    let is_fresh = written(&installed) >= written(&project.lock_file());
    let are_all = project.package("typescript").exists();
    if is_fresh && (are_all || purpose == Purpose::Page) {
        return Ok(());
    }
    let mut install = Command::new("npm");
    install.args(["ci", "--no-audit"]).current_dir(folder);
    if purpose == Purpose::Page {
        install.arg("--omit=dev");
    }
    run(&mut install)
}

/// The file of what the module of what is built into the page says of it, as JSON.
pub(crate) fn baked(project: &Project) -> Result<PathBuf> {
    const CALL: &str = "const { readFileSync, writeFileSync } = require('node:fs');
        const [module, to, ...texts] = process.argv.slice(1);
        const { baked } = require(module);
        try {
            writeFileSync(to, baked(...texts.map((text) => readFileSync(text, 'utf8'))));
        } catch (error) {
            process.stderr.write(`error: ${error}\n`);
            process.exitCode = 1;
        }";
    let baked = project.target.join("baked.json");
    let (baker, verdicts) = (project.baker(), project.verdicts());
    let (curves, digests, changes) = (project.curves(), project.digests(), project.changes());
    let inputs = [&baker, &verdicts, &curves, &digests, &changes].map(PathBuf::as_path);
    stamp::unless_fresh(&project.stamp("baked"), &inputs, &[&baked], || {
        run(Command::new("node")
            .args(["--eval", CALL])
            .arg(baker.join("backfill_bake.js"))
            .args([&baked, &verdicts, &curves, &digests, &changes]))
        .context("what is built into the page cannot be computed")
    })?;
    Ok(baked)
}

/// The functions of a watched module that a first visit calls.
pub(crate) fn visit(visit: &Path, script: &Path, watched: &Path) -> Result<BTreeSet<usize>> {
    let mut node = Command::new("node");
    node.args([visit, script, watched]).stderr(Stdio::inherit());
    let called = output(&mut node).context("a first visit to the core failed")?;
    Ok(serde_json::from_str(&called)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_ordered_by_number() {
        for version in ["v20.11.0", "v20.20.2", "v22.0.0", "v100.1.0"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["v20.9.0", "v18.99.0", "v9.11.2", ""] {
            assert!(!is_new_enough(version), "{version}");
        }
    }
}
