//! All suites.

mod differential;
mod embedding;
mod examples;
mod policies;
mod readers;
mod scenario;
