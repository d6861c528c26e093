//! The npm package: the core for scripts and pages of others, which `www/package/build.mjs` puts
//! together around the module of the page.

use crate::node;
use crate::project::Project;
use crate::run::run;
use crate::site::VERSION;
use crate::stamp;
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// Writes the package, and beside its files its archive, unless that was done before. The module is
/// there already.
pub(crate) fn build(project: &Project) -> Result<()> {
    node::packages(project)?;
    let (page, boundary, lock) = (project.page(), project.boundary(), project.lock_file());
    let inputs = [&page, &boundary, &lock].map(PathBuf::as_path);
    let folder = project.npm_package();
    stamp::unless_fresh(&project.stamp("package"), &inputs, &[&folder], || {
        run(Command::new("node")
            .arg(page.join("package/build.mjs"))
            .args(["--version", VERSION, "--to"])
            .arg(&folder))?;
        run(Command::new("npm")
            .args(["pack", "--silent"])
            .current_dir(&folder))
    })
}
