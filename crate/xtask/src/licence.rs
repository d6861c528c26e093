//! What others' packages allow, and what is known against them.
//!
//! Every package of `Cargo.lock` and of the page tests' lock file states a licence that this
//! project can live with. Advisories come from databases on the network; where those cannot be
//! asked, that check is skipped.

use crate::project::Project;
use crate::run::{cargo, find};
use crate::tally::Tally;
use anyhow::{Context, Result};
use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::fs;
use std::process::Command;

/// Licences that ask for no more than their own text.
const PERMISSIVE: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// A licence that binds changes to a package's own files: fine for the tools of tests, which are
/// not part of the page.
const FOR_TESTS: &str = "MPL-2.0";

/// Checks the licences of all packages.
pub(crate) fn licences(project: &Project) -> Result<Tally> {
    let output = cargo(project)
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` gave no answer")?;
    let lock = fs::read_to_string(project.page_tests().join("package-lock.json"))?;
    let lock: Value = serde_json::from_str(&lock).context("tests/page/package-lock.json")?;

    let crates = metadata["packages"].as_array().into_iter().flatten();
    let crates = crates.filter_map(|package| {
        let name = package["name"].as_str()?;
        Some((name.to_owned(), package["license"].as_str(), false))
    });
    let modules = lock["packages"].as_object().into_iter().flatten();
    let modules = modules.filter_map(|(path, package)| {
        let name = path.rsplit_once("node_modules/")?.1;
        Some((name.to_owned(), package["license"].as_str(), true))
    });

    let (mut count, mut refused) = (0, 0);
    for (name, licence, for_tests) in crates.chain(modules) {
        count += 1;
        if !licence.is_some_and(|licence| is_allowed(licence, for_tests)) {
            refused += 1;
            println!("{name}: licence {}", licence.unwrap_or("not stated"));
        }
    }
    println!("{count} packages, {refused} with a licence that is not allowed");
    Ok(if refused == 0 {
        Tally::PASSED
    } else {
        Tally::FAILED
    })
}

fn is_allowed(licence: &str, for_tests: bool) -> bool {
    Expression::parse_mode(licence, ParseMode::LAX).is_ok_and(|expression| {
        expression.evaluate(|asked| {
            asked.license.id().is_some_and(|id| {
                PERMISSIVE.contains(&id.name) || for_tests && id.name == FOR_TESTS
            })
        })
    })
}

/// Asks RustSec for advisories against the crates.
pub(crate) fn crate_advisories(project: &Project) -> Result<Tally> {
    if find(&["cargo-audit"]).is_none() {
        return Ok(Tally::skipped("cargo-audit is not installed"));
    }
    let mut command = cargo(project);
    let found = ask(command.args(["audit", "--json"]), "/vulnerabilities/count")?;
    Ok(verdict(found, "RustSec's database"))
}

/// Asks npm for advisories against the page tests' packages.
pub(crate) fn module_advisories(project: &Project) -> Result<Tally> {
    let mut command = Command::new("npm");
    command
        .args(["audit", "--json"])
        .current_dir(project.page_tests());
    let found = ask(&mut command, "/metadata/vulnerabilities/total")?;
    Ok(verdict(found, "npm's database"))
}

/// The number at `place` of the JSON that `command` prints; none if it could not ask.
fn ask(command: &mut Command, place: &str) -> Result<Option<u64>> {
    let output = command.output()?;
    let answer: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let found = answer
        .as_ref()
        .and_then(|answer| answer.pointer(place)?.as_u64());
    if found.is_some_and(|found| found > 0) {
        println!("{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(found)
}

fn verdict(found: Option<u64>, database: &str) -> Tally {
    match found {
        Some(0) => Tally::PASSED,
        Some(_) => Tally::FAILED,
        None => Tally::skipped(&format!("{database} cannot be reached")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_choice_is_enough_and_every_part_counts() {
        assert!(is_allowed("MIT/Apache-2.0", false));
        assert!(is_allowed("GPL-3.0-only OR MIT", false));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", false));
        assert!(!is_allowed("MIT AND GPL-3.0-only", false));
        assert!(!is_allowed("MPL-2.0", false));
        assert!(is_allowed("MPL-2.0", true));
        assert!(!is_allowed("see the file", true));
    }
}
