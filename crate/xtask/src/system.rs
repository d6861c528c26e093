//! The system's packages.
//!
//! They change the machine outside the project, so they are installed only where that is wished:
//! with `--install`, or as root where `CI` is set. Everywhere else the command stops with the line
//! to run.

use crate::run::{find, output, run};
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const FIREFOX: [&str; 2] = ["firefox-esr", "firefox"];

/// Finds Chromium and Firefox for the page's tests, or installs what is missing.
///
/// # Errors
/// One sentence with the line to run, where installing is not wished or does not work.
pub(crate) fn browsers(wished: bool) -> Result<(PathBuf, PathBuf)> {
    let mut missing = Vec::new();
    if find(&CHROMIUM).is_none() {
        missing.push("chromium");
    }
    if find(&FIREFOX).is_none() {
        missing.push("firefox-esr");
    }
    // Without any font Chromium draws no text, and says nothing.
    if cfg!(target_os = "linux") && !has_font(Path::new("/usr/share/fonts")) {
        missing.push("fonts-liberation");
    }
    if !missing.is_empty() {
        install("testing the page", &missing, wished)?;
    }
    match (find(&CHROMIUM), find(&FIREFOX)) {
        (Some(chromium), Some(firefox)) => Ok((chromium, firefox)),
        _ => bail!("testing the page needs chromium and firefox on the search path"),
    }
}

/// Finds WebKitGTK's browser, its driver and a display for it, or installs what is missing.
///
/// # Errors
/// One sentence with the line to run, where installing is not wished or does not work.
pub(crate) fn webkit(wished: bool) -> Result<PathBuf> {
    let missing: Vec<_> = [
        ("WebKitWebDriver", "webkit2gtk-driver"),
        ("xvfb-run", "xvfb"),
        ("xauth", "xauth"),
    ]
    .into_iter()
    .filter(|(program, _)| find(&[program]).is_none())
    .map(|(_, package)| package)
    .collect();
    if !missing.is_empty() {
        install("testing the page in WebKit", &missing, wished)?;
    }
    fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten()
        .map(|folder| folder.path().join("webkit2gtk-4.1/MiniBrowser"))
        .find(|file| file.is_file())
        .context("testing the page in WebKit needs WebKitGTK 4.1's MiniBrowser under /usr/lib")
}

fn has_font(folder: &Path) -> bool {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| {
            let path = entry.path();
            path.is_dir() && has_font(&path)
                || path
                    .extension()
                    .is_some_and(|kind| kind == "ttf" || kind == "otf")
        })
}

/// Installs Debian packages for `purpose`, or says how to.
///
/// # Errors
/// One sentence with the line to run, where installing is not wished or does not work.
pub(crate) fn install(purpose: &str, packages: &[&str], wished: bool) -> Result<()> {
    let names = packages.join(" ");
    if find(&["apt-get"]).is_none() {
        bail!(
            "{purpose} needs {names}, or what your system calls them: install them and run this again"
        );
    }
    let root = output(Command::new("id").arg("-u")).as_deref() == Some("0");
    let sudo = if root { "" } else { "sudo " };
    let line =
        format!("{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {names}");
    if !(wished || root && env::var_os("CI").is_some()) {
        bail!(
            "{purpose} needs system packages: run `{line}`, or this command again with --install"
        );
    }
    println!("installing {names}");
    run(Command::new("sh")
        .args(["-c", &line])
        .env("DEBIAN_FRONTEND", "noninteractive"))
}
