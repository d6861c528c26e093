//! Finds tests by a part of their names, from the sources alone: what they need is built afterwards.

use crate::project::Project;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Tests that `cargo test` runs together: a folder or file of sources, their package and the flags
/// that choose them, and whether they stand in a module `tests`.
struct Suite(&'static str, &'static [&'static str], bool);

/// The unit tests of the crates that simulate. They run in seconds, so they are compiled without the
/// optimisation that other tests need of these crates, in a fourth of the time.
pub(crate) const UNITS: [&[&str]; 2] = [
    &[
        "--package=backfill-sim",
        "--lib",
        "--config=profile.dev.package.backfill-sim.opt-level=0",
    ],
    &[
        "--package=backfill-experiment",
        "--lib",
        "--config=profile.dev.package.backfill-experiment.opt-level=0",
    ],
];

const SUITES: [Suite; 14] = [
    Suite("crate/sim/src", UNITS[0], true),
    Suite("crate/experiment/src", UNITS[1], true),
    Suite(
        "crate/papers/src",
        &["--package=backfill-papers", "--lib"],
        true,
    ),
    Suite(
        "crate/plot/src",
        &["--package=backfill-plot", "--lib"],
        true,
    ),
    Suite("crate/web/src", &["--package=backfill-web", "--lib"], true),
    Suite(
        "crate/bake/src",
        &["--package=backfill-bake", "--lib"],
        true,
    ),
    Suite("crate/cli/src", &["--package=backfill", "--bins"], true),
    Suite("crate/xtask/src", &["--package=xtask", "--bins"], true),
    Suite("tests/src", &["--package=backfill-tests", "--lib"], true),
    Suite(
        "tests/suite",
        &["--package=backfill-tests", "--test=suite"],
        false,
    ),
    Suite(
        "tests/memory.rs",
        &["--package=backfill-tests", "--test=memory"],
        false,
    ),
    Suite(
        "tests/fuzz/src",
        &["--package=backfill-fuzz", "--lib"],
        true,
    ),
    Suite(
        "tests/fuzz/tests",
        &["--package=backfill-fuzz", "--test=corpora"],
        false,
    ),
    Suite("tests/cli", &["--package=backfill", "--test=cli"], false),
];

/// The tests with a name.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    /// Arguments of `cargo test`, one list for each suite that has some of them.
    pub(crate) rust: Vec<&'static [&'static str]>,
    /// Scripts of the page's tests that have some of them.
    pub(crate) page: Vec<PathBuf>,
    /// Scripts whose own name it is: all their tests are meant.
    pub(crate) whole: Vec<PathBuf>,
}

/// Finds the tests whose name contains `name`, and scripts of the page's tests called so.
pub(crate) fn select(project: &Project, name: &str) -> Result<Selected> {
    let mut selected = Selected::default();
    for Suite(place, flags, in_module) in SUITES {
        let place = project.root.join(place);
        for file in sources(&place, "rs")? {
            let module = module_of(file.strip_prefix(&place)?, in_module);
            let text = fs::read_to_string(&file)?;
            if rust_tests(&text).any(|test| format!("{module}{test}").contains(name)) {
                selected.rust.push(flags);
                break;
            }
        }
    }
    for script in sources(&project.page_tests(), "test.js")? {
        let file = script.file_name().unwrap_or_default().to_string_lossy();
        if file.trim_end_matches(".test.js") == name {
            selected.whole.push(script);
        } else if page_tests(&fs::read_to_string(&script)?)
            .iter()
            .any(|test| test.contains(name))
        {
            selected.page.push(script);
        }
    }
    Ok(selected)
}

/// All files below a folder, or that file alone, with an ending; not those of packages.
fn sources(place: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if place.is_dir() && !place.ends_with("node_modules") {
        for entry in fs::read_dir(place)? {
            found.append(&mut sources(&entry?.path(), ending)?);
        }
    } else if place.to_string_lossy().ends_with(&format!(".{ending}")) {
        found.push(place.to_path_buf());
    }
    found.sort();
    Ok(found)
}

/// How the names of the tests in a file begin.
fn module_of(file: &Path, in_module: bool) -> String {
    let path = file.with_extension("");
    let mut parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    if parts
        .last()
        .is_some_and(|last| matches!(&**last, "lib" | "main" | "mod"))
    {
        parts.pop();
    }
    if in_module {
        parts.push("tests".into());
    }
    parts.iter().map(|part| format!("{part}::")).collect()
}

/// The functions of a Rust source that are tests.
fn rust_tests(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[test]").skip(1).filter_map(|after| {
        let (_, after) = after.split_once("fn ")?;
        after.split(['(', '<']).next()
    })
}

/// The names of the tests of a script, once for each engine that one is a part of the name.
fn page_tests(text: &str) -> BTreeSet<String> {
    const ENGINE: &str = "${engine}";
    let mut names = BTreeSet::new();
    for call in ["test(", "test.skip(", "it("] {
        for after in text.split(call).skip(1) {
            let mut letters = after.trim_start().chars();
            let Some(quote) = letters.next().filter(|letter| "'\"`".contains(*letter)) else {
                continue;
            };
            let name = letters.as_str().split(quote).next().unwrap_or_default();
            for engine in ["chromium", "firefox"] {
                names.insert(name.replace(ENGINE, engine));
            }
        }
    }
    names
}

/// `name` as a pattern that finds it and nothing else, for Node's test runner.
pub(crate) fn pattern(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        if !letter.is_alphanumeric() && letter != ' ' && letter != '_' {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_both_kinds_are_found_by_a_part_of_their_name() {
        let project = Project::here();
        let own = select(&project, "tests_of_both_kinds_are_found").unwrap();
        assert_eq!(own.rust, [["--package=xtask", "--bins"]]);
        assert!(own.page.is_empty() && own.whole.is_empty(), "{own:?}");
        let page = select(&project, "the first load is small").unwrap();
        assert!(page.rust.is_empty(), "{page:?}");
        assert!(page.page[0].ends_with("tests/page/size.test.js"));
        assert_eq!(select(&project, "smoke").unwrap().whole.len(), 1);
    }

    #[test]
    fn names_are_read_as_the_runners_write_them() {
        let text = "test('one', () => {});\ntest(\n  `${engine}: another`, x);\ntest(name, y);";
        let names: Vec<_> = page_tests(text).into_iter().collect();
        assert_eq!(names, ["chromium: another", "firefox: another", "one"]);
        let text = "#[test]\nfn a() {}\n#[test]\n#[should_panic]\nfn b() {}\nfn c() {}";
        assert_eq!(rust_tests(text).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(
            module_of(Path::new("policy/mod.rs"), true),
            "policy::tests::"
        );
        assert_eq!(module_of(Path::new("lists.rs"), false), "lists::");
        assert_eq!(pattern("a (b) ±"), "a \\(b\\) \\±");
    }
}
