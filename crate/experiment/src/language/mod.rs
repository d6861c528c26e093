//! The language in which experiments are written: what can be said, how it is read, and what it
//! means.
//!
//! - `tree`: switches and blocks on one line
//! - `leaves`: these as rows of counts
//! - `words`: the English that several sentences need
//! - `expression`: an order of the queue as a formula
//! - `scenario`: keys, grammar, checks, links
//! - `columns`: which column of a table is what; `presets`: known tables
//! - `examples`: whole scenarios to begin from; `lessons`: those with a decision to look at
//! - `composition`: list schedulers that a user composes
//! - `glossary`: what the names of scenarios and results mean
//! - `shell`: words as a shell takes them

pub mod columns;
pub mod composition;
pub mod examples;
pub mod expression;
pub mod glossary;
pub mod leaves;
pub mod lessons;
pub mod presets;
pub mod scenario;
pub mod shell;
pub mod tree;
pub mod words;
