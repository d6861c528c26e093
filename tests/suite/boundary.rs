//! The types of the wasm boundary in TypeScript are those of Rust.
//!
//! A run with `UPDATE=1` in the environment writes them again.

use std::fs;
use std::path::Path;

use backfill_papers::rerun::Rerun;
use backfill_web::typescript;

/// The declarations of a boundary are those in this file of the crates.
fn are_those_of(file: &str, declared: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../crate")
        .join(file);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, declared).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == declared,
        "crate/{file} differs from the types in Rust: \
         run `UPDATE=1 cargo test --package backfill-tests boundary`"
    );
}

#[test]
fn the_types_in_typescript_are_those_of_rust() {
    are_those_of("web/src/boundary.d.ts", &typescript::declarations());
    are_those_of(
        "claims/src/boundary.d.ts",
        &typescript::declarations_of::<Rerun>(),
    );
}
