//! One set of features: a crate of the project must not be compiled once for a command that names a
//! package and again for one that names all.

use crate::project::Project;
use crate::run::{cargo, output};
use crate::tally::Tally;
use anyhow::{Context, Result};
use std::collections::BTreeSet;

/// The crates that every command builds, each with all below it.
const SHARED: [&str; 4] = [
    "backfill-sim",
    "backfill-experiment",
    "backfill-papers",
    "backfill-plot",
];

/// Checks that no command gives other features to what is built for the shared crates.
pub(crate) fn check(project: &Project) -> Result<Tally> {
    let whole = packages(project, "--workspace")?;
    let shared: BTreeSet<String> = SHARED
        .iter()
        .map(|name| packages(project, &format!("--package={name}")))
        .collect::<Result<Vec<_>>>()?
        .concat()
        .iter()
        .map(|package| name_of(package).to_owned())
        .collect();
    let mut tally = Tally::PASSED;
    for command in SHARED.iter().chain(&["backfill"]) {
        for package in packages(project, &format!("--package={command}"))? {
            if shared.contains(name_of(&package)) && !whole.contains(&package) {
                println!("{command} alone builds {package}, all packages together another one");
                tally = Tally::FAILED;
            }
        }
    }
    if tally.failed > 0 {
        println!("name the missing features in the Cargo.toml of the first crate that needs them");
    }
    Ok(tally)
}

/// Every package that is built for these, as `NAME VERSION [FEATURES]`.
fn packages(project: &Project, which: &str) -> Result<Vec<String>> {
    let mut tree = cargo(project);
    tree.args(["tree", "--locked", "--edges", "normal,build,dev", which])
        .args(["--prefix", "none", "--format", "{p} [{f}]"]);
    let text = output(&mut tree).context("`cargo tree` failed")?;
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    Ok(lines.map(str::to_owned).collect())
}

fn name_of(package: &str) -> &str {
    package.split(' ').next().unwrap_or(package)
}
