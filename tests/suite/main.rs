//! All suites.

mod embedding;
mod policies;
mod readers;
mod scenario;
