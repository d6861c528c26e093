//! What is read from files and written to them.
//!
//! - `logs`: readers and writers of logs and job lists
//! - `topology`: readers of a cluster's topology
//! - `report`: results as tables, CSV and JSON
//! - `batsim`: a run as the tables that Batsim's tools read
//! - `schema`: what scenarios and results look like, for other programs
//! - `cluster_folder`: folders that run a scenario on a cluster

pub mod batsim;
pub mod cluster_folder;
pub mod logs;
pub mod report;
pub mod schema;
pub mod topology;
