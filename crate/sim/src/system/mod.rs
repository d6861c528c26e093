//! The machines: what a running job holds, and how fast it progresses.
//!
//! - [`fat_tree`]: servers with slots under a fat-tree whose links carry bandwidth guarantees
//! - [`multi_cluster`]: clusters of nodes around a switch, whose links jobs share
//! - [`nodes`]: a cluster of nodes with one process each, or with a second one in the background
//! - [`pool`]: identical virtual machines in one or several data centres
//! - `machine`: what each of them is to the engine
//! - [`describe`]: what each of them is to people
//! - `spec`: the list of them
//!
//! No system knows another, and none knows when jobs start: that is for [`crate::policy`].

pub mod describe;
pub mod fat_tree;
mod machine;
pub mod multi_cluster;
pub mod nodes;
pub mod pool;
mod spec;

pub use machine::{Capacity, Place, System};
pub use spec::{Shown, SystemKind, SystemSpec};
