//! Node and the packages of `tests/page`: what drives the page's tests, and what shrinks the
//! published modules.

use crate::project::Project;
use crate::run::{find, output, run};
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Says where Node is missing or too old.
pub(crate) fn is_there() -> Result<()> {
    let version = output(Command::new("node").arg("--version"));
    if !version.as_deref().is_some_and(is_new_enough) || find(&["npm"]).is_none() {
        bail!(
            "the page's tests and the published page need Node 20.11 or newer with npm, found {}: install it from your system or https://nodejs.org",
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

/// Installs the packages unless those of the lock file are there already.
pub(crate) fn packages(project: &Project) -> Result<()> {
    let folder = project.page_tests();
    let written = |file: &str| {
        fs::metadata(folder.join(file))
            .and_then(|data| data.modified())
            .ok()
    };
    if written("node_modules/.package-lock.json") >= written("package-lock.json") {
        return Ok(());
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit"])
        .current_dir(folder))
}

/// Makes a wasm module faster and smaller by Binaryen's `wasm-opt`, whose version the lock file
/// names. That takes most of a minute, so a module is not optimised twice;
/// installing packages again, which empties their folder, forgets what was made of it.
pub(crate) fn optimise(project: &Project, module: &Path) -> Result<()> {
    let installed = project.page_tests().join("node_modules");
    let kept = installed.join(".cache/backfill");
    fs::create_dir_all(&kept)?;
    let [before, after] = ["before", "after"].map(|when| kept.join(format!("{when}.wasm")));
    let now = fs::read(module)?;
    if !(after.exists() && fs::read(&before).is_ok_and(|before| before == now)) {
        println!("optimising the module");
        // Cut short, the next time begins again.
        let _ = fs::remove_file(&before);
        run(Command::new("node")
            .arg(installed.join("binaryen/bin/wasm-opt"))
            .arg("-O4")
            .arg(module)
            .arg("-o")
            .arg(&after))?;
        fs::write(&before, now)?;
    }
    fs::copy(&after, module)?;
    Ok(())
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
