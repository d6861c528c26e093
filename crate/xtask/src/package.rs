//! The npm package: the core for scripts and pages of others, which `www/package/build.mjs` puts
//! together around the module of the page.

use crate::node;
use crate::project::Project;
use crate::run::run;
use crate::site::VERSION;
use crate::stamp;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Writes the package, and beside its files its archive, unless that was done before. The module is
/// there already.
pub(crate) fn build(project: &Project) -> Result<()> {
    node::packages(project, node::Purpose::All)?;
    let (page, core) = (project.page(), project.node_module());
    let (boundary, lock) = (project.boundary(), project.lock_file());
    let inputs = [&page, &core, &boundary, &lock].map(PathBuf::as_path);
    let folder = project.npm_package();
    stamp::unless_fresh(&project.stamp("package"), &inputs, &[&folder], || {
        run(Command::new("node")
            .arg(page.join("package/build.mjs"))
            .args(["--version", VERSION, "--core"])
            .arg(&core)
            .arg("--to")
            .arg(&folder))?;
        run(Command::new("npm")
            .args(["pack", "--silent"])
            .current_dir(&folder))
    })
}

/// Writes the archive of the package beside the page as it is published; returns where it is.
pub(crate) fn publish(project: &Project) -> Result<PathBuf> {
    build(project)?;
    let files = fs::read_dir(project.npm_package())?;
    let archive = files
        .filter_map(|file| Some(file.ok()?.path()))
        .find(|path| path.extension().is_some_and(|end| end == "tgz"))
        .context("npm packed no archive")?;
    let published = project
        .dist()
        .join(archive.file_name().context("an archive has a name")?);
    fs::copy(&archive, &published)?;
    Ok(published)
}
