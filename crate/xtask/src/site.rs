//! The page as files: what the browser gets from `www/`, which `www/build.mjs` bundles.
//!
//! `assemble` makes the plain folder that `play` and the tests use, `publish` what a host gets;
//! neither is made again while nothing changed. `watch` makes the former again after each change.

use crate::node;
use crate::project::Project;
use crate::run::run;
use crate::stamp;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The version of the core that a release has.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How long `watch` waits before it looks again.
const PAUSE: Duration = Duration::from_millis(300);

/// Builds the page into its folder under the build folder; returns that folder.
pub(crate) fn assemble(project: &Project) -> Result<PathBuf> {
    let site = project.site();
    unless_fresh(project, "site", &site, &[])?;
    Ok(site)
}

/// Builds the page into the folder `dist` as it is published.
pub(crate) fn publish(project: &Project, dist: &Path) -> Result<()> {
    unless_fresh(project, "dist", dist, &["--release"])
}

/// Assembles the page again whenever its sources change; returns how often that was done.
pub(crate) fn watch(project: Project) -> Arc<AtomicUsize> {
    let builds = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&builds);
    thread::spawn(move || {
        let sources = || stamp::state([project.page().as_path()]).unwrap_or_default();
        let mut before = sources();
        loop {
            thread::sleep(PAUSE);
            let now = sources();
            if now == before {
                continue;
            }
            before = now;
            // What is wrong is on the console: the page stays as it was.
            if assemble(&project).is_ok() {
                println!("built the page again");
                counted.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    builds
}

/// Has `www/build.mjs` build the page with these flags, unless it was built so before.
fn unless_fresh(project: &Project, name: &str, to: &Path, flags: &[&str]) -> Result<()> {
    node::packages(project, node::Purpose::Page)?;
    let (page, baked, lock) = (project.page(), node::baked(project)?, project.lock_file());
    let inputs = [&page, &baked, &lock].map(PathBuf::as_path);
    stamp::unless_fresh(&project.stamp(name), &inputs, &[to], || {
        run(Command::new("node")
            .arg(page.join("build.mjs"))
            .args(["--version", VERSION, "--baked"])
            .arg(&baked)
            .arg("--to")
            .arg(to)
            .args(flags))
    })
}
