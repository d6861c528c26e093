//! The Python package: a wheel with the command line and the module of `crate/python`.
//!
//! It is put together by maturin, from whatever Python the tests of tables use.

use crate::project::Project;
use crate::run::run;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the wheel of the program as that cargo `profile` builds it to a folder that holds no other
/// afterwards; returns its path.
pub(crate) fn build(project: &Project, python: &Path, profile: &str, to: &Path) -> Result<PathBuf> {
    fs::create_dir_all(to)?;
    for old in wheels(to)? {
        fs::remove_file(old)?;
    }
    run(Command::new(python)
        .args(["-m", "maturin", "build", "--locked", "--profile", profile])
        .arg("--out")
        .arg(to)
        .arg("--target-dir")
        .arg(&project.target)
        .current_dir(project.python()))?;
    wheels(to)?
        .pop()
        .with_context(|| format!("maturin left no wheel in {}", to.display()))
}

fn wheels(folder: &Path) -> Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let paths: Result<Vec<PathBuf>> = paths.collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "whl"));
    Ok(paths)
}
