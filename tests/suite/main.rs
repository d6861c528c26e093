//! All suites.

mod differential;
mod embedding;
mod examples;
mod policies;
mod properties;
mod queueing;
mod readers;
mod scenario;
