//! All suites.

mod differential;
mod embedding;
mod examples;
mod golden;
mod measures;
mod policies;
mod properties;
mod queueing;
mod readers;
mod scenario;
mod sweeps;
