//! Starting other programs.

use crate::project::Project;
use anyhow::{Context, Result, bail};
use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The cargo that started this program, in the project's folder.
pub(crate) fn cargo(project: &Project) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&project.root);
    // What cargo told us about this package is not for the packages that the new cargo builds.
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_")
            || name.to_string_lossy().starts_with("CARGO_MANIFEST_")
        {
            command.env_remove(name);
        }
    }
    command
}

/// Runs `command` to its end; its failing is an error that names it.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs `command` to its end, printing each line of its output as it comes and giving it to `read`.
pub(crate) fn lines(command: &mut Command, mut read: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    let output = child.stdout.take().context("its output is piped")?;
    for text in BufReader::new(output).split(b'\n') {
        let text = text?;
        let text = String::from_utf8_lossy(&text);
        println!("{text}");
        read(&text);
    }
    Ok(child.wait()?)
}

/// What `command` prints, if it can be started and succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Where the search path finds the first of `programs`.
pub(crate) fn find(programs: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    programs.iter().find_map(|program| {
        env::split_paths(&path)
            .map(|folder| {
                folder
                    .join(program)
                    .with_extension(env::consts::EXE_EXTENSION)
            })
            .find(|file| file.is_file())
    })
}

/// `command` as it would be typed.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let mut line = name.to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}
