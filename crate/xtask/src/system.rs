//! The system's packages.
//!
//! They change the machine outside the project, so they are installed only where that is wished: with `--install`,
//! or as root where `CI` is set. Everywhere else the command stops with the line to run.

use crate::run::{find, output, run};
use anyhow::{Result, bail};
use std::env;
use std::process::Command;

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
