//! A tree of switches as a real cluster has it: any number of levels, uneven, with one root or
//! several, or blocks; under it equal nodes with slots, and links whose bandwidth is guaranteed to
//! jobs, wholly or in part.
//!
//! - `shape`: which switches and nodes hang together, and the order that decides ties
//! - `frame`: what follows from it and never changes: links and what is below each switch
//! - `ledger`: what is free, and what a job holds
//! - `node_sets`: nodes as bits
//! - `spec`: how large it is
//! - [`place`]: where a job goes
//! - [`describe`]: its parts, for people and pictures
//!
//! Source: Slurm's topology.conf(5); links are those of the aggregated fat-tree (M. Al-Fares,
//! A. Loukissas, A. Vahdat, SIGCOMM 2008), one for each switch.

pub mod describe;
mod frame;
mod ledger;
mod node_sets;
pub mod place;
mod shape;
mod spec;

pub use ledger::{Held, Tree};
pub use shape::{Irregular, Ordered, Shape, Switch};
pub use spec::TreeSpec;
