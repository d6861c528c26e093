//! `cargo xtask size`: what the module of the page consists of.
//!
//! Copies of one generic function count as one, so that what is compiled once too often is seen.

use anyhow::Result;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

/// The largest functions of `module`, which has names, and what each crate adds up to, as a table.
pub(crate) fn of(module: &[u8], functions: usize) -> Result<String> {
    let mut sizes = Vec::new();
    let mut names = BTreeMap::new();
    let mut imported = 0;
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => sizes.push(body.range().len()),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(parts) = section.as_known() {
                    for part in parts {
                        if let Name::Function(all) = part? {
                            for name in all {
                                let name = name?;
                                names.insert(name.index as usize, name.name);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let mut folded: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut crates: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (position, size) in sizes.iter().enumerate() {
        let name = names.get(&(imported + position)).copied();
        let name = format!(
            "{:#}",
            rustc_demangle::demangle(name.unwrap_or("(no name)"))
        );
        for (table, key) in [(&mut crates, owner(&name)), (&mut folded, fold(&name))] {
            let (bytes, copies) = table.entry(key).or_default();
            *bytes += size;
            *copies += 1;
        }
    }
    let mut text = format!(
        "{} functions, {} bytes of code\n",
        sizes.len(),
        sizes.iter().sum::<usize>()
    );
    write_table(
        &mut text,
        "function without its generic arguments",
        folded,
        functions,
    )?;
    write_table(&mut text, "crate", crates, usize::MAX)?;
    Ok(text)
}

/// Adds the largest rows of a table of bytes and copies by name.
fn write_table(
    text: &mut String,
    heading: &str,
    table: BTreeMap<String, (usize, usize)>,
    most: usize,
) -> Result<()> {
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.sort_by_key(|(_, (bytes, _))| std::cmp::Reverse(*bytes));
    writeln!(text, "\n{:>9} {:>6}  {heading}", "bytes", "copies")?;
    for (name, (bytes, copies)) in rows.iter().take(most) {
        writeln!(text, "{bytes:>9} {copies:>6}  {name}")?;
    }
    Ok(())
}

/// The name of a function without its generic arguments; the type and the trait of a method stay.
fn fold(name: &str) -> String {
    let mut folded = String::new();
    // How many generic arguments are open, and whether each `<` opened some.
    let (mut depth, mut opened) = (0, Vec::new());
    let mut before = ' ';
    for letter in name.chars() {
        if letter == '<' {
            let is_generic = before.is_alphanumeric() || matches!(before, '_' | ':' | '}');
            depth += usize::from(is_generic);
            opened.push(is_generic);
            if !is_generic && depth == 0 {
                folded.push(letter);
            }
        } else if letter == '>' && before != '-' {
            if opened.pop() == Some(true) {
                depth -= 1;
            } else if depth == 0 {
                folded.push(letter);
            }
        } else if depth == 0 {
            folded.push(letter);
        }
        before = letter;
    }
    folded
        .replace("::::", "::")
        .trim_end_matches(':')
        .to_owned()
}

/// The crate of a function: the first one that its name has, if it is one of Rust.
fn owner(name: &str) -> String {
    let Some((path, _)) = name.split_once("::") else {
        return "(none)".to_owned();
    };
    let word = path.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_');
    word.into_iter().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_generic_function_are_one() {
        for (name, folded, owned) in [
            ("a::run::<b::Nodes, c::Pool<u8>>", "a::run", "a"),
            (
                "a::run::<fn(u8) -> b::X>::{closure#0}",
                "a::run::{closure#0}",
                "a",
            ),
            (
                "<a::Tree<b::Leaf> as c::Walk<d::E>>::walk::<u8>",
                "<a::Tree as c::Walk>::walk",
                "a",
            ),
            ("<&mut a::Tree<b::Leaf>>::grow", "<&mut a::Tree>::grow", "a"),
            ("a::walk::<<b::C as d::E>::F>", "a::walk", "a"),
            ("memcpy", "memcpy", "(none)"),
        ] {
            assert_eq!(fold(name), folded);
            assert_eq!(owner(name), owned, "{name}");
        }
    }

    #[test]
    fn what_is_no_module_is_refused() {
        assert!(of(b"no module", 1).is_err());
    }
}
