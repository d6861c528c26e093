//! All suites.

mod embedding;
