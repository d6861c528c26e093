//! The types of the wasm boundary in TypeScript are those of Rust.
//!
//! A run with `UPDATE=1` in the environment writes them again.

use std::fs;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crate/web/src/boundary.d.ts"
);

#[test]
fn the_types_in_typescript_are_those_of_rust() {
    let declared = backfill_web::typescript::declarations();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(FILE, &declared).unwrap();
    }
    let written = fs::read_to_string(FILE).unwrap();
    assert!(
        written == declared,
        "crate/web/src/boundary.d.ts differs from the types in Rust: \
         run `UPDATE=1 cargo test --package backfill-tests boundary`"
    );
}
