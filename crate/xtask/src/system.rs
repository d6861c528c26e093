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

/// The first is the engine without the browser around it, which tests do not look at: a visit takes
/// a quarter less of the processor.
const CHROMIUM: [&str; 4] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
];
const FIREFOX: [&str; 2] = ["firefox-esr", "firefox"];

/// The package that carries HyperQueue's server and workers.
const HYPERQUEUE: &str = "hyperqueue==0.27.0";

/// The packages by which others read tables of results, and what makes the Python package.
const DATA_FRAMES: [&str; 3] = ["pandas==3.1.1", "pyarrow==26.0.1", "maturin==1.16.0"];

/// Finds Chromium and Firefox for the page's tests, or installs what is missing.
///
/// # Errors
/// One sentence with the line to run, where installing is not wished or does not work.
pub(crate) fn browsers(wished: bool) -> Result<(PathBuf, PathBuf)> {
    let mut missing = Vec::new();
    if find(&CHROMIUM).is_none() {
        missing.push(CHROMIUM[0]);
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

/// Whether a cluster of Slurm can be started for the tests of the command line; installs what is
/// missing where that is wished.
pub(crate) fn slurm(wished: bool) -> bool {
    let programs = ["slurmctld", "slurmd", "sbatch", "munged"];
    let are_there = || programs.iter().all(|program| find(&[program]).is_some());
    if !are_there() && is_root() && find(&["apt-get"]).is_some() && may_install(wished) {
        let installed = install("testing on Slurm", &["slurm-wlm", "munge"], wished);
        say_why_not(installed);
    }
    are_there() && is_root()
}

/// A Python with the package `hyperqueue` in `folder`, which is made there where installing is
/// wished; none where that cannot be.
pub(crate) fn hyperqueue(folder: &Path, wished: bool) -> Option<PathBuf> {
    python(folder, "import hyperqueue", &[HYPERQUEUE], wished)
}

/// The same with pandas, pyarrow and maturin.
pub(crate) fn data_frames(folder: &Path, wished: bool) -> Option<PathBuf> {
    python(
        folder,
        "import pandas, pyarrow, maturin",
        &DATA_FRAMES,
        wished,
    )
}

/// A Python in `folder` that runs `import`, for which it has `packages`.
fn python(folder: &Path, import: &str, packages: &[&str], wished: bool) -> Option<PathBuf> {
    let python = folder.join("bin/python");
    let works = || output(Command::new(&python).args(["-c", import])).is_some();
    if !works() && may_install(wished) {
        println!("fetching {} into {}", packages.join(" "), folder.display());
        let made = run(Command::new("python3").args(["-m", "venv"]).arg(folder)).and_then(|()| {
            run(Command::new(&python)
                .args(["-m", "pip", "install", "--no-compile"])
                .args(packages))
        });
        say_why_not(made);
    }
    works().then_some(python)
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
    let sudo = if is_root() { "" } else { "sudo " };
    let line =
        format!("{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {names}");
    if !may_install(wished) {
        bail!(
            "{purpose} needs system packages: run `{line}`, or this command again with --install"
        );
    }
    println!("installing {names}");
    run(Command::new("sh")
        .args(["-c", &line])
        .env("DEBIAN_FRONTEND", "noninteractive"))
}

/// The tests that need it are skipped then.
fn say_why_not(installed: Result<()>) {
    if let Err(error) = installed {
        println!("{error:#}");
    }
}

/// Whether what is missing is installed without another word.
fn may_install(wished: bool) -> bool {
    wished || is_root() && env::var_os("CI").is_some()
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).as_deref() == Some("0")
}
