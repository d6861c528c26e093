//! Placement on a multi-cluster: modules that are tried in order, each where those before it find
//! nothing.
//!
//! - `chain`: the modules in their order
//! - `refusal`: why they find nothing
//! - `filling`: what those have in common that spread a job
//! - `local`: all on the cluster at which the job is submitted
//! - `migrate`: all on another cluster
//! - `first_fit`: spread over clusters by free nodes alone
//! - `satisfy`: spread so that no link is asked for more than a threshold (A1)
//! - `largest_free`: spread over the clusters with most nodes free (B1)
//! - `least_saturated`: spread over the clusters with the least loaded links (B2)
//! - `chunk`: spread such that one cluster takes a large part (B3)
//! - `round_robin`: spread evenly (B4)
//!
//! The modules of class B know what links are asked for, but not what a job will ask: they leave out
//! clusters whose link is at or above the threshold and may push others beyond it, by one job.
//!
//! *Source*: paper 3, section 5: locally, else by migration, else co-allocated.

mod chain;
mod chunk;
mod filling;
mod first_fit;
mod largest_free;
mod least_saturated;
mod local;
mod migrate;
mod refusal;
mod round_robin;
mod satisfy;

pub use chain::{Chain, Module};
pub use filling::Steps;
pub use refusal::{Barrier, Refusal, Room};
pub use satisfy::{nested_loops, place_by_nested_loops, satisfy};
