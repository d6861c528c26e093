//! The types of the wasm boundary, in TypeScript: `boundary.d.ts` here and in `backfill-claims`.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use backfill_experiment::files::logs::unknown::UnknownColumn;
use backfill_experiment::files::report::{Opened, ResultForm};
use backfill_experiment::language::glossary::Glossary;
use backfill_experiment::study::answer::compare::Comparison;
use backfill_experiment::study::answer::fairness::Spreads;
use backfill_experiment::study::answer::over_time::ByDay;
use backfill_experiment::study::answer::summary::AnswerSummary;
use backfill_experiment::study::spread::Spread;
use backfill_experiment::study::sweep::CellOutcome;
use ts_rs::{Config, TS, TypeVisitor};

use crate::beside::{CellRows, Cells};
use crate::board::{DrawnSurface, Geometry, Seen};
use crate::export::OpenedFile;
use crate::forecast::{ForecastUsual, Instants, Told};
use crate::inspect::{About, Decided, Examples, JobAt, Laid, SlowedOver};
use crate::own::{Composer, Judged};
use crate::passes::PassView;
use crate::reader::{Examined, FirstJob, TraceReport};
use crate::replay::{ReplayInfo, Spot};
use crate::scenario::{OpenedLink, Reading};
use crate::sentence::NamedLink;
use crate::tables::Tables;
use crate::topology::{Leaves, OpenedTopology};

/// Arrays of up to this length are tuples, longer ones are lists.
const LONGEST_TUPLE: usize = 4;

/// The declarations of all types that functions of this crate take or return, and of those inside
/// them, by name.
fn declarations() -> String {
    let mut found = Declarations::new();
    found.visit::<Tables>();
    found.visit::<Glossary>();
    found.visit::<Reading<'static>>();
    found.visit::<OpenedLink<'static>>();
    found.visit::<OpenedFile<'static>>();
    found.visit::<ResultForm>();
    found.visit::<Opened>();
    found.visit::<CellOutcome>();
    found.visit::<AnswerSummary>();
    found.visit::<Comparison>();
    found.visit::<Spread>();
    found.visit::<Spreads>();
    found.visit::<Seen>();
    found.visit::<Geometry>();
    found.visit::<DrawnSurface>();
    found.visit::<TraceReport<'static>>();
    found.visit::<Examined>();
    found.visit::<FirstJob>();
    found.visit::<UnknownColumn>();
    found.visit::<OpenedTopology>();
    found.visit::<Leaves>();
    found.visit::<ReplayInfo>();
    found.visit::<Spot>();
    found.visit::<About>();
    found.visit::<Laid>();
    found.visit::<JobAt>();
    found.visit::<NamedLink>();
    found.visit::<SlowedOver>();
    found.visit::<Decided>();
    found.visit::<Examples>();
    found.visit::<PassView>();
    found.visit::<ForecastUsual>();
    found.visit::<Instants>();
    found.visit::<Told>();
    found.visit::<Composer>();
    found.visit::<Judged>();
    found.visit::<Cells>();
    found.visit::<ByDay>();
    found.visit::<CellRows>();
    found.text()
}

/// The declarations of a type and of those inside it, by name.
fn declarations_of<T: TS + 'static>() -> String {
    let mut found = Declarations::new();
    found.visit::<T>();
    found.text()
}

/// The declarations so far.
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    /// The declarations by the names of their types.
    texts: BTreeMap<String, String>,
}

impl Declarations {
    fn new() -> Declarations {
        Declarations {
            config: Config::new()
                .with_large_int("number")
                .with_array_tuple_limit(LONGEST_TUPLE),
            seen: HashSet::new(),
            texts: BTreeMap::new(),
        }
    }

    fn text(self) -> String {
        self.texts.into_values().collect::<Vec<_>>().join("\n")
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Only types that derive the trait have a declaration of their own.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let text = laid_out(&format!("{docs}export {}", T::decl(&self.config)));
            let name = T::ident(&self.config);
            let mine = self.texts.entry(name).or_insert_with(|| text.clone());
            assert!(*mine == text, "two types have one name: {mine}{text}");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// A declaration with one field a line, and short comments on one line.
fn laid_out(declaration: &str) -> String {
    let mut text = String::new();
    let mut indent = "";
    let mut lines = declaration.lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        if line == "/**" {
            let mut comment: Vec<&str> = Vec::new();
            comment.extend(lines.by_ref().take_while(|line| *line != " */"));
            text += &match comment[..] {
                [only] => format!("{indent}/**{} */\n", only.trim_start_matches(" *")),
                _ => format!(
                    "{indent}/**\n{indent}{}\n{indent} */\n",
                    comment.join(&format!("\n{indent}"))
                ),
            };
        } else if let Some(last) = line.strip_suffix(" };").filter(|_| !indent.is_empty()) {
            text += &format!("{indent}{last}\n}};\n");
        } else {
            text += &format!("{indent}{line}\n");
        }
        if line.ends_with('{') {
            indent = "  ";
        }
    }
    text
}

mod tests {
    use super::*;

    use std::fs;
    use std::path::Path;

    use backfill_papers::rerun::Rerun;

    /// The declarations of a boundary are those in this file of the crates. A run with `UPDATE=1` in
    /// the environment writes them again.
    fn are_those_of(file: &str, declared: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, declared).unwrap();
        }
        assert!(
            fs::read_to_string(&path).unwrap() == declared,
            "crate/{file} differs from the types in Rust: \
             run `UPDATE=1 cargo test --package backfill-web boundary`"
        );
    }

    #[test]
    fn the_boundary_in_typescript_is_that_of_rust() {
        are_those_of("web/src/boundary.d.ts", &declarations());
        are_those_of("claims/src/boundary.d.ts", &declarations_of::<Rerun>());
    }
}
