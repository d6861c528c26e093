//! All suites.

mod bound;
mod boundary;
mod claims;
mod clusters;
mod consolidation;
mod differential;
mod drawn;
mod embedding;
mod exact;
mod examples;
mod explain;
mod golden;
mod house;
mod measures;
mod models;
mod policies;
mod proofs;
mod properties;
mod queueing;
mod readers;
mod scenario;
mod statistics;
mod stored;
mod sweeps;
mod workloads;
mod zero_one;
