//! The rules of the house that the compiler does not check: what the code map promises.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use backfill_sim::policy::Queue;
use backfill_sim::system::PlacementPolicy;
use backfill_sim::system::SystemKind;
use backfill_tests::imports::Crate;
use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files below a folder with one of these endings, with their text; generated ones left out.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, endings: &[&str], found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let generated = path.ends_with("pkg") || path.ends_with("node_modules");
            if path.is_dir() && !generated {
                walk(&path, endings, found);
            } else if endings
                .iter()
                .any(|e| path.extension().is_some_and(|x| x == *e))
            {
                let text = fs::read_to_string(&path).expect("a text file");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), endings, &mut found);
    assert!(!found.is_empty(), "{folder} has no such file");
    found.sort();
    found
}

/// The code of a file without its comments and without its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn must_not_say(folder: &str, words: &[&str], why: &str) {
    assert_silent(files(folder, &["rs"]), words, why);
}

fn assert_silent(files: Vec<(PathBuf, String)>, words: &[&str], why: &str) {
    for (path, text) in files {
        for word in words {
            assert!(
                !code(&text).contains(word),
                "{}: {word}: {why}",
                path.display()
            );
        }
    }
}

/// The systems, each a folder.
const SYSTEMS: [&str; 5] = ["fat_tree", "multi_cluster", "nodes", "pool", "tree"];

/// Whether a file of a system places jobs on it.
fn is_placement(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "place")
        || path.file_name().is_some_and(|name| name == "place.rs")
}

/// Whether a file of a system is for people and pictures: it decides nothing.
fn is_description(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "describe.rs")
}

/// The files of the placements of all systems.
fn placements() -> Vec<(PathBuf, String)> {
    let mut all = files("crate/sim/src/system", &["rs"]);
    all.retain(|(path, _)| is_placement(path));
    assert!(all.len() > SYSTEMS.len(), "each system has placements");
    all
}

#[test]
fn what_decides_a_result_reads_no_clock_and_nothing_from_outside() {
    let outside = [
        "std::time",
        "std::fs",
        "std::net",
        "std::env",
        "std::process",
        "std::thread",
        "std::io::std",
        "wasm_bindgen",
        "js_sys",
        "web_sys",
        "getrandom",
        "HashMap",
        "HashSet",
    ];
    for folder in ["crate/sim/src", "crate/experiment/src", "crate/papers/src"] {
        must_not_say(folder, &outside, "what decides a result is pure");
    }
}

#[test]
fn policies_and_placements_never_see_a_true_runtime() {
    let hidden = [".runtime", "jobs["];
    let why = "they see what a job asks for";
    must_not_say("crate/sim/src/policy", &hidden, why);
    assert_silent(placements(), &hidden, why);
}

#[test]
fn no_system_knows_another_nor_who_places_jobs_on_it() {
    for system in SYSTEMS {
        let mut own = files(&format!("crate/sim/src/system/{system}"), &["rs"]);
        // `nodes` is a word of clusters, too.
        let others = SYSTEMS.iter().filter(|other| **other != system);
        let others: Vec<String> = others.map(|other| format!("::{other}::")).collect();
        let mut words: Vec<&str> = others.iter().map(String::as_str).collect();
        words.extend(["policy::", "engine::"]);
        assert_silent(own.clone(), &words, "a system stands alone");
        own.retain(|(path, _)| !is_placement(path) && !is_description(path));
        assert_silent(own, &["place::"], "its state knows no placement");
    }
}

#[test]
fn no_float_decides_on_the_fat_tree() {
    for folder in [
        "crate/sim/src/system/fat_tree",
        "crate/sim/src/system/tree",
        "crate/sim/src/policy",
    ] {
        let mut deciding = files(folder, &["rs"]);
        // The value of an expression is a float, of which the order makes a whole number.
        let valued = |path: &Path| path.ends_with("expression.rs") || path.ends_with("order.rs");
        deciding.retain(|(path, _)| !is_description(path) && !valued(path));
        let why = "feasibility and order are whole numbers";
        assert_silent(deciding, &["f64", "f32"], why);
    }
}

/// A new system costs its folder, these files and its keys, which scenarios read.
#[test]
fn few_files_choose_among_systems() {
    let kinds = SystemKind::ALL.iter().flat_map(|kind| {
        let variant = format!("{kind:?}");
        ["SystemKind", "SystemSpec"].map(|list| format!("{list}::{variant}"))
    });
    let kinds: Vec<String> = kinds.collect();
    let mut choosing = files("crate", &["rs"]);
    choosing.retain(|(_, text)| kinds.iter().any(|kind| code(text).contains(kind)));
    let crates = root().join("crate");
    let paths = choosing.iter().map(|(path, _)| path.strip_prefix(&crates));
    let paths: Vec<&Path> = paths.map(|path| path.expect("a crate's file")).collect();
    let mut others = paths;
    others.retain(|path| !path.starts_with("experiment/src/language/scenario"));
    let expected = [
        // Which policy runs on what.
        "sim/src/policy/mod.rs",
        // The system and the policy of a run.
        "sim/src/run.rs",
        "sim/src/system/mod.rs",
    ];
    assert_eq!(others, expected.map(Path::new));
}

#[test]
fn no_two_files_of_a_crate_need_each_other() {
    for name in [
        "sim",
        "experiment",
        "papers",
        "plot",
        "web",
        "bake",
        "cli",
        "xtask",
    ] {
        let files = Crate::read(&root().join("crate").join(name).join("src"));
        assert_eq!(files.circles(), Vec::<BTreeSet<String>>::new(), "{name}");
    }
}

#[test]
fn no_two_folders_of_a_crate_need_each_other() {
    for name in ["sim", "experiment", "papers", "plot"] {
        let files = Crate::read(&root().join("crate").join(name).join("src"));
        let circles = files.circles_of_folders();
        assert_eq!(circles, Vec::<BTreeSet<String>>::new(), "{name}");
    }
}

#[test]
fn imports_lead_to_the_file_that_defines_what_is_meant() {
    let sim = Crate::read(&root().join("crate/sim/src")).needs();
    // Re-exported by its parent, named in a list of imports, called by its module, and only there.
    for (file, needed, needs) in [
        ("run.rs", "machine/mod.rs", true),
        ("system/pool/place.rs", "place/placer.rs", true),
        (
            "system/multi_cluster/place/chain.rs",
            "system/multi_cluster/place/local.rs",
            true,
        ),
        ("policy/list/mod.rs", "engine/policy.rs", true),
        ("machine/mod.rs", "system/mod.rs", false),
    ] {
        assert_eq!(sim[file].contains(needed), needs, "{file}: {needed}");
    }
}

#[test]
fn the_page_knows_no_policy_by_name() {
    let names: Vec<&str> = Queue::CHOICES
        .iter()
        .map(|choice| choice.value)
        .chain(
            PlacementPolicy::all()
                .iter()
                .map(|placement| placement.name()),
        )
        .filter(|name| {
            !matches!(
                *name,
                "none" | "index" | "greedy" | "exact" | "count" | "fair" | "list" | "recorded"
            )
        })
        .collect();
    for (path, text) in files("www", &["ts", "tsx", "mjs", "html", "css"]) {
        let text = text.to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
        let known = words.find(|word| names.contains(word));
        assert_eq!(known, None, "{}", path.display());
    }
}

#[test]
fn every_module_that_has_others_names_them_in_its_opening() {
    for (path, text) in files("crate", &["rs"]) {
        if path.file_name().is_none_or(|name| name != "mod.rs") {
            continue;
        }
        let opening: String = text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .collect();
        let modules = text.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        for module in modules {
            assert!(
                opening.contains(&format!("`{module}`")),
                "{}: {module}",
                path.display()
            );
        }
    }
}

#[test]
fn every_placement_and_policy_says_what_it_decides_its_ties_and_its_source() {
    for (path, text) in files("crate/sim/src/policy", &["rs"])
        .into_iter()
        .chain(placements())
    {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        // What placements or policies share decides nothing by itself.
        let shared = [
            "rules.rs",
            "rooms.rs",
            "most_guaranteed.rs",
            "fill.rs",
            "whole.rs",
            "occupation.rs",
            "certificates.rs",
            "certified.rs",
            "head_room.rs",
            "chain.rs",
            "refusal.rs",
            "filling.rs",
            "parts.rs",
            "order.rs",
            "expression.rs",
            "reservations.rs",
            "subtrees.rs",
        ];
        let decides = name != "mod.rs" && !shared.contains(&name);
        for part in ["*Decides*", "*Ties*", "*Complexity*", "*Source*"] {
            assert!(
                !decides || text.contains(part),
                "{}: {part}",
                path.display()
            );
        }
    }
}

#[test]
fn whoever_cites_it_reads_one_version_one_title_and_one_licence() {
    let read = |name| fs::read_to_string(root().join(name)).expect("a file");
    let json = |name| -> Value { serde_json::from_str(&read(name)).expect("JSON") };
    let citation = read("CITATION.cff");
    let (zenodo, meta) = (json(".zenodo.json"), json("codemeta.json"));
    let value = |key: &str| {
        let found = citation.lines().find_map(|line| line.strip_prefix(key));
        found.expect(key).trim().trim_matches('"').to_owned()
    };
    let list = |key: &str| -> Vec<String> {
        let lines = citation.lines().skip_while(|line| *line != key).skip(1);
        let items = lines.map_while(|line| line.strip_prefix("  - "));
        items.map(str::to_owned).collect()
    };

    let version = value("version:");
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!([&zenodo["version"], &meta["version"]], [&version, &version]);

    let title = value("title:");
    assert!(title.to_lowercase().starts_with("backfill: "), "{title}");
    assert_eq!([&zenodo["title"], &meta["name"]], [&title, &title]);
    assert!(read(".github/paper.md").contains(&format!("\ntitle: \"{title}\"\n")));

    let licences = list("license:");
    assert_eq!(licences.join(" OR "), env!("CARGO_PKG_LICENSE"));
    assert!(licences.iter().any(|licence| zenodo["license"] == *licence));
    let notes = zenodo["notes"].as_str().expect("notes");
    assert!(notes.contains(&licences.join(" or ")), "{notes}");
    let addresses = licences
        .iter()
        .map(|name| format!("https://spdx.org/licenses/{name}"));
    assert_eq!(meta["license"], Value::from_iter(addresses));

    let author = list("authors:")[0].replace("name: ", "");
    let authors = [&zenodo["creators"][0], &meta["author"][0]];
    assert!(authors.iter().all(|named| named["name"] == author));
    let keywords = Value::from_iter(list("keywords:"));
    assert_eq!(
        [&zenodo["keywords"], &meta["keywords"]],
        [&keywords, &keywords]
    );
}

#[test]
fn the_paper_has_at_most_1000_words() {
    let paper = fs::read_to_string(root().join(".github/paper.md")).expect("a file");
    let words = paper.split_whitespace().count();
    assert!(words <= 1000, "{words}");
}
