//! What others' packages allow, and what is known against them.
//!
//! Every package of `Cargo.lock` and of `package-lock.json` states a licence that this
//! project can live with: those of `.cargo/deny.toml`. That file also says which crates cargo-deny
//! refuses, where it is installed. Advisories come from databases on the network; where those cannot
//! be asked, that check is skipped.

use crate::project::Project;
use crate::run::{cargo, find, output, run};
use crate::tally::Tally;
use anyhow::{Context, Result};
use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::fs;
use std::process::Command;
use toml::de::DeTable;

/// A licence that binds changes to a package's own files: fine for the tools of tests, which are
/// not part of the page.
const FOR_TESTS: &str = "MPL-2.0";

/// Checks the licences of all packages.
pub(crate) fn licences(project: &Project) -> Result<Tally> {
    let permissive = permissive(&fs::read_to_string(project.crate_rules())?)?;
    let output = cargo(project)
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` gave no answer")?;
    let lock = fs::read_to_string(project.lock_file())?;
    let lock: Value = serde_json::from_str(&lock).context("package-lock.json")?;

    let crates = metadata["packages"].as_array().into_iter().flatten();
    let crates = crates.filter_map(|package| {
        let name = package["name"].as_str()?;
        Some((name.to_owned(), package["license"].as_str(), false))
    });
    let modules = lock["packages"].as_object().into_iter().flatten();
    let modules = modules.filter_map(|(path, package)| {
        let name = path.rsplit_once("node_modules/")?.1;
        // What is not for development alone is part of the page, or builds it.
        let for_tests = package["dev"].as_bool() == Some(true);
        Some((name.to_owned(), package["license"].as_str(), for_tests))
    });

    let (mut count, mut refused) = (0, 0);
    for (name, licence, for_tests) in crates.chain(modules) {
        count += 1;
        if !licence.is_some_and(|licence| is_allowed(licence, &permissive, for_tests)) {
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

/// The licences that the rules for crates allow: those that ask for no more than their own text.
fn permissive(rules: &str) -> Result<Vec<String>> {
    let rules = DeTable::parse(rules).context(".cargo/deny.toml")?;
    let allowed = rules
        .get_ref()
        .get("licenses")
        .and_then(|table| table.get_ref().get("allow"));
    let allowed = allowed.and_then(|list| list.get_ref().as_array());
    let allowed = allowed.context(".cargo/deny.toml allows no licences: give licenses.allow")?;
    let names = allowed.iter().filter_map(|name| name.get_ref().as_str());
    Ok(names.map(str::to_owned).collect())
}

fn is_allowed(licence: &str, permissive: &[String], for_tests: bool) -> bool {
    Expression::parse_mode(licence, ParseMode::LAX).is_ok_and(|expression| {
        expression.evaluate(|asked| {
            asked.license.id().is_some_and(|id| {
                permissive.iter().any(|name| name == id.name) || for_tests && id.name == FOR_TESTS
            })
        })
    })
}

/// Has cargo-deny check the crates by the project's rules, and by RustSec's advisories.
pub(crate) fn crates(project: &Project) -> Result<Tally> {
    if find(&["cargo-deny"]).is_none() {
        return Ok(Tally::skipped("cargo-deny is not installed"));
    }
    let deny = |arguments: &[&str]| {
        let mut command = cargo(project);
        command.args(["deny", "--locked"]).args(arguments);
        command
    };
    run(&mut deny(&["check", "bans", "licenses", "sources"]))?;
    let mut tally = Tally::PASSED;
    tally += if output(&mut deny(&["fetch", "db"])).is_some() {
        run(&mut deny(&["check", "--disable-fetch", "advisories"]))?;
        Tally::PASSED
    } else {
        Tally::skipped("RustSec's database cannot be reached")
    };
    Ok(tally)
}

/// Asks npm for advisories against the packages of the page and its tests.
pub(crate) fn module_advisories(project: &Project) -> Result<Tally> {
    let output = Command::new("npm")
        .args(["audit", "--json"])
        .current_dir(&project.root)
        .output()?;
    let answer: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let found = answer
        .as_ref()
        .and_then(|answer| answer.pointer("/metadata/vulnerabilities/total")?.as_u64());
    Ok(match found {
        Some(0) => Tally::PASSED,
        Some(_) => {
            println!("{}", String::from_utf8_lossy(&output.stdout));
            Tally::FAILED
        }
        None => Tally::skipped("npm's database cannot be reached"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_choice_is_enough_and_every_part_counts() {
        let permissive = permissive("[licenses]\nallow = [\"MIT\", \"Unicode-3.0\"]").unwrap();
        let is_allowed = |licence, for_tests| is_allowed(licence, &permissive, for_tests);
        assert!(is_allowed("MIT/Apache-2.0", false));
        assert!(is_allowed("GPL-3.0-only OR MIT", false));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", false));
        assert!(!is_allowed("MIT AND GPL-3.0-only", false));
        assert!(!is_allowed("Apache-2.0", false));
        assert!(!is_allowed("MPL-2.0", false));
        assert!(is_allowed("MPL-2.0", true));
        assert!(!is_allowed("see the file", true));
    }

    #[test]
    fn rules_without_licences_are_refused() {
        let error = permissive("[bans]").unwrap_err().to_string();
        assert!(error.contains("licenses.allow"), "{error}");
    }
}
