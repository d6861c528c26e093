//! What of the project others can depend on: the crates that may be published.
//!
//! Each has a version for every crate that it depends on, and its package holds sources, examples,
//! templates, the licences and a README, nothing else. Its examples run.

use crate::project::Project;
use crate::run::{cargo, output, run};
use crate::tally::Tally;
use anyhow::{Context, Result};
use serde_json::Value;

/// What a package must hold for its readers.
const FOR_READERS: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// What cargo adds to every package.
const FROM_CARGO: [&str; 4] = [
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
];

/// Checks every crate that may be published.
pub(crate) fn check(project: &Project) -> Result<Tally> {
    let mut metadata = cargo(project);
    metadata.args(["metadata", "--format-version=1", "--locked", "--no-deps"]);
    let metadata = output(&mut metadata).context("`cargo metadata` failed")?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let mut faults = Vec::new();
    for package in list(&metadata["packages"]).filter(|package| package["publish"].is_null()) {
        let name = package["name"].as_str().context("a package has a name")?;
        for dependency in list(&package["dependencies"]) {
            if dependency["req"] == "*" {
                faults.push(format!("{name}: {} has no version", dependency["name"]));
            }
        }
        let mut package_list = cargo(project);
        package_list.args(["package", "--list", "--locked", "--allow-dirty"]);
        let files = output(package_list.args(["--package", name]));
        let files = files.context("`cargo package --list` failed")?;
        let files: Vec<String> = files.lines().map(|line| line.replace('\\', "/")).collect();
        let strange = files.iter().filter(|file| !belongs(file));
        faults.extend(strange.map(|file| format!("{name}: {file} is not for others")));
        let missing = FOR_READERS
            .iter()
            .filter(|file| !files.iter().any(|f| f == *file));
        faults.extend(missing.map(|file| format!("{name}: {file} is not packaged")));
        for target in list(&package["targets"]).filter(|target| target["kind"][0] == "example") {
            let example = target["name"].as_str().context("an example has a name")?;
            let mut command = cargo(project);
            command.args(["run", "--quiet", "--locked", "--package", name]);
            run(command.args(["--example", example]))?;
        }
        println!("{name}: {} files", files.len());
    }
    for fault in &faults {
        println!("{fault}");
    }
    Ok(if faults.is_empty() {
        Tally::PASSED
    } else {
        Tally::FAILED
    })
}

/// The members of a list; none where it is no list.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Whether a file may be in a package.
fn belongs(file: &str) -> bool {
    let is_source = file.starts_with("src/") || file.starts_with("examples/");
    is_source && file.ends_with(".rs")
        || file.starts_with("templates/")
        || FOR_READERS.contains(&file)
        || FROM_CARGO.contains(&file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_readers_files_and_templates_are_packaged_and_nothing_else() {
        for file in [
            "src/a/mod.rs",
            "examples/a.rs",
            "templates/part",
            "Cargo.toml",
            "README.md",
        ] {
            assert!(belongs(file), "{file}");
        }
        for file in [
            "clippy.toml",
            "src/a.txt",
            "target/a.rs",
            "tests/a.rs",
            "notes.md",
        ] {
            assert!(!belongs(file), "{file}");
        }
    }
}
