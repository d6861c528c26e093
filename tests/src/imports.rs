//! Which file of a crate needs which other one, by what it imports.
//!
//! An import leads to the file that defines the item: what a module merely re-exports is followed
//! to its definition, and a module that names its children and re-exports from them does not need
//! them by that. Tests within files are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of one crate.
#[derive(Debug, Default)]
pub struct Crate {
    /// By module path, such as `system::fat_tree`; the root is empty.
    modules: BTreeMap<Vec<String>, Module>,
}

#[derive(Debug, Default)]
struct Module {
    file: String,
    /// The names of its children that are files.
    children: BTreeSet<String>,
    defines: BTreeSet<String>,
    /// What it re-exports, by name.
    exports: BTreeMap<String, Vec<String>>,
    /// What it imports, as written.
    imports: Vec<Vec<String>>,
}

impl Crate {
    /// The crate whose root module stands in this folder.
    pub fn read(folder: &Path) -> Crate {
        let mut all = Crate::default();
        all.enter(folder, folder, Vec::new());
        assert!(!all.modules.is_empty(), "{} is empty", folder.display());
        all
    }

    fn enter(&mut self, root: &Path, folder: &Path, path: Vec<String>) {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        entries.sort();
        for entry in entries {
            let stem = entry.file_stem().and_then(|stem| stem.to_str());
            let stem = stem.expect("a name").to_owned();
            if entry.is_dir() {
                let path = [&path[..], &[stem]].concat();
                self.enter(root, &entry, path);
            } else if entry.extension().is_some_and(|end| end == "rs") {
                let own = matches!(stem.as_str(), "mod" | "lib" | "main");
                let path = if own {
                    path.clone()
                } else {
                    [&path[..], &[stem]].concat()
                };
                let file = entry.strip_prefix(root).expect("a file of the crate");
                let text = fs::read_to_string(&entry).expect("a text file");
                let module = Module::read(file.display().to_string(), &text);
                self.modules.insert(path, module);
            }
        }
    }

    /// The files that each file needs.
    pub fn needs(&self) -> BTreeMap<String, BTreeSet<String>> {
        let needs = |(path, module): (&Vec<String>, &Module)| {
            let mut files = BTreeSet::new();
            for import in &module.imports {
                if let Some(file) = self.file_of(path, import, 0) {
                    files.insert(file);
                }
            }
            files.remove(&module.file);
            (module.file.clone(), files)
        };
        self.modules.iter().map(needs).collect()
    }

    /// The file that defines what `import` leads to from the module `at`; nothing outside of the
    /// crate.
    fn file_of(&self, at: &[String], import: &[String], depth: usize) -> Option<String> {
        assert!(depth < 20, "re-exports in a circle: {import:?}");
        let mut module = at.to_vec();
        let mut rest = import;
        match rest.first()?.as_str() {
            "crate" => {
                module.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            first => {
                let own = &self.modules[at];
                if !own.children.contains(first) {
                    return None;
                }
            }
        }
        while rest.first().is_some_and(|first| first == "super") {
            module.pop();
            rest = &rest[1..];
        }
        while let Some((first, more)) = rest.split_first() {
            let found = &self.modules[&module];
            let child = [&module[..], std::slice::from_ref(first)].concat();
            // A function may be called as the module is in which it stands.
            let as_module = !more.is_empty() && self.modules.contains_key(&child);
            if let Some(export) = found.exports.get(first)
                && !found.defines.contains(first)
                && !as_module
            {
                let export = [&export[..], more].concat();
                if let Some(file) = self.file_of(&module, &export, depth + 1) {
                    return Some(file);
                }
            }
            if !self.modules.contains_key(&child) {
                break;
            }
            module = child;
            rest = more;
        }
        Some(self.modules[&module].file.clone())
    }

    /// The files that need each other, directly or over others: each group of them.
    pub fn circles(&self) -> Vec<BTreeSet<String>> {
        circles_of(&self.needs())
    }

    /// The folders that need each other, directly or over others: each group of them. A file that
    /// stands beside folders counts as one.
    pub fn circles_of_folders(&self) -> Vec<BTreeSet<String>> {
        circles_of_folders(&self.needs())
    }
}

/// The groups of what stands beside each other in some folder, files and folders, of which each
/// needs the others, directly or over others.
fn circles_of_folders(files: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let folders: BTreeSet<&str> = files
        .keys()
        .flat_map(|file| file.match_indices('/').map(|(end, _)| &file[..=end]))
        .chain([""])
        .collect();
    let mut circles = Vec::new();
    for folder in folders {
        // What of the folder holds a file: `a/b/` of `a/b/c.rs` in the folder `a/`.
        let part = |file: &str| {
            let inside = file.strip_prefix(folder)?;
            let end = inside
                .find('/')
                .map_or(file.len(), |end| folder.len() + end + 1);
            Some(file[..end].to_owned())
        };
        let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, needed) in files {
            let Some(from) = part(file) else { continue };
            let needed = needed.iter().filter_map(|file| part(file));
            let others = needed.filter(|to| *to != from).collect::<Vec<_>>();
            needs.entry(from).or_default().extend(others);
        }
        circles.extend(circles_of(&needs));
    }
    circles
}

/// The groups of which each member needs the others, directly or over others.
fn circles_of(needs: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = needs
        .keys()
        .map(|one| {
            let mut reached = BTreeSet::new();
            let mut open = vec![one];
            while let Some(next) = open.pop() {
                open.extend(needs[next].iter().filter(|needed| reached.insert(*needed)));
            }
            (one, reached)
        })
        .collect();
    let mut circles: Vec<BTreeSet<String>> = Vec::new();
    for (one, of) in &reached {
        let with = of.iter().filter(|other| reached[**other].contains(*one));
        let circle: BTreeSet<String> = with.map(|other| (*other).clone()).collect();
        if !circle.is_empty() && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

impl Module {
    fn read(file: String, text: &str) -> Module {
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
        let text = text.split("#[cfg(test)]\npub(crate) mod ").next();
        let lines = text.unwrap_or_default().lines();
        let code = lines.map(|line| line.split("//").next().unwrap_or(line));
        let code = code.collect::<Vec<_>>().join("\n");
        let mut module = Module {
            file,
            ..Module::default()
        };
        let mut rest = String::new();
        for statement in code.split_inclusive([';', '{', '}']) {
            rest.push_str(statement);
            let begins = rest.trim_start().to_owned();
            let shown = strip_visibility(strip_attributes(&begins));
            if let Some(tree) = shown.strip_prefix("use ") {
                // A tree of imports has braces of its own.
                let Some(tree) = tree.strip_suffix(';') else {
                    continue;
                };
                let public = strip_attributes(&begins).starts_with("pub");
                for (path, name) in expand(tree) {
                    if public {
                        module.exports.insert(name, path);
                    } else {
                        module.imports.push(path);
                    }
                }
            } else if let Some(name) = shown
                .strip_prefix("mod ")
                .and_then(|of| of.strip_suffix(';'))
            {
                module.children.insert(name.to_owned());
            } else {
                module.defines.extend(definitions(statement));
            }
            rest.clear();
        }
        let body: Vec<&str> = words(&code);
        for (index, &word) in body.iter().enumerate() {
            let inside = index > 0 && body[index - 1] == "::";
            let leads =
                matches!(word, "crate" | "super" | "self") || module.children.contains(word);
            if leads && !inside && body.get(index + 1) == Some(&"::") {
                let mut path = vec![word.to_owned()];
                let mut next = index + 1;
                while body.get(next) == Some(&"::")
                    && let Some(part) = body.get(next + 1)
                    && part.starts_with(|c: char| c.is_alphabetic())
                {
                    path.push((*part).to_owned());
                    next += 2;
                }
                // The beginning of a tree of imports is read above.
                if body.get(next) != Some(&"::") && !is_export(&module.exports, &path) {
                    module.imports.push(path);
                }
            }
        }
        // What is re-exported and used in the same file, too, is needed.
        for (name, path) in &module.exports {
            if body.iter().filter(|word| *word == name).count() > 1 {
                module.imports.push(path.clone());
            }
        }
        module
    }
}

fn is_export(exports: &BTreeMap<String, Vec<String>>, path: &[String]) -> bool {
    exports.values().any(|export| export == path)
}

/// Words and `::` of code.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            end.unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            words.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    words
}

fn strip_attributes(text: &str) -> &str {
    let mut text = text.trim_start();
    while text.starts_with("#[") {
        let Some(end) = text.find("]\n") else {
            return text;
        };
        text = text[end + 2..].trim_start();
    }
    text
}

fn strip_visibility(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("pub") else {
        return text;
    };
    let rest = if rest.starts_with('(') {
        rest.split_once(')').map_or(rest, |(_, rest)| rest)
    } else {
        rest
    };
    rest.trim_start()
}

/// The names that a piece of code defines.
fn definitions(code: &str) -> impl Iterator<Item = String> {
    let words = words(code);
    let named = words.windows(2).filter(|pair| {
        let kinds = [
            "fn",
            "struct",
            "enum",
            "trait",
            "type",
            "const",
            "static",
            "macro_rules",
        ];
        kinds.contains(&pair[0])
    });
    let names: Vec<String> = named.map(|pair| pair[1].to_owned()).collect();
    names.into_iter()
}

/// The paths of a tree of imports, each with the name that it gets.
fn expand(tree: &str) -> Vec<(Vec<String>, String)> {
    fn walk(
        words: &[&str],
        at: &mut usize,
        before: &[String],
        out: &mut Vec<(Vec<String>, String)>,
    ) {
        let mut path = before.to_vec();
        while let Some(&word) = words.get(*at) {
            *at += 1;
            match word {
                "{" => {
                    while words.get(*at).is_some_and(|word| *word != "}") {
                        walk(words, at, &path, out);
                        if words.get(*at) == Some(&",") {
                            *at += 1;
                        }
                    }
                    *at += 1;
                    return;
                }
                "::" => {}
                "self" if !path.is_empty() => {}
                "as" => {
                    let name = words[*at].to_owned();
                    *at += 1;
                    out.push((path, name));
                    return;
                }
                word => path.push(word.to_owned()),
            }
            if matches!(words.get(*at), None | Some(&"," | &"}")) {
                let name = path.last().expect("a name").clone();
                out.push((path, name));
                return;
            }
        }
    }
    let words = words(tree);
    let mut out = Vec::new();
    walk(&words, &mut 0, &[], &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(needs: &[(&str, &[&str])]) -> Vec<Vec<String>> {
        let needs = needs.iter().map(|(file, needed)| {
            let needed = needed.iter().map(|file| (*file).to_owned());
            ((*file).to_owned(), needed.collect())
        });
        let circles = circles_of_folders(&needs.collect());
        circles
            .into_iter()
            .map(|of| of.into_iter().collect())
            .collect()
    }

    #[test]
    fn folders_that_need_each_other_are_found_though_no_two_files_do() {
        let knot = circles(&[
            ("a/one.rs", &["b/one.rs"]),
            ("a/two.rs", &[]),
            ("b/one.rs", &["a/two.rs"]),
            ("c.rs", &["a/one.rs", "b/one.rs"]),
        ]);
        assert_eq!(knot, [["a/", "b/"]]);
        let over_a_file = circles(&[
            ("top/a/one.rs", &["top/c.rs"]),
            ("top/a/two.rs", &[]),
            ("top/c.rs", &["top/a/two.rs"]),
        ]);
        assert_eq!(over_a_file, [["top/a/", "top/c.rs"]]);
        let one_way = circles(&[
            ("a/one.rs", &["a/two.rs", "b/c/one.rs"]),
            ("a/two.rs", &["b/c/two.rs"]),
            ("b/c/one.rs", &["b/two.rs"]),
            ("b/c/two.rs", &[]),
            ("b/two.rs", &[]),
        ]);
        assert!(one_way.is_empty(), "{one_way:?}");
    }
}
