//! All suites.

mod embedding;
mod readers;
