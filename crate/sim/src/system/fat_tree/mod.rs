//! A k-ary fat-tree whose servers have slots for virtual machines and whose links carry bandwidth
//! that is guaranteed to jobs, wholly or in part.
//!
//! - [`topology`]: servers, switches and links, and their numbering
//! - [`ledger`]: what is free, and the embedding that a job holds
//! - `spec`: how large it is
//! - [`place`]: where a job goes
//! - [`describe`]: its parts, for people and pictures
//!
//! Source: paper 1 (Bandwidth-Guaranteed Resource Allocation and Scheduling for Parallel Jobs in
//! Cloud Data Center, Symmetry 10(5), 2018), section 3; the fat-tree is that of M. Al-Fares,
//! A. Loukissas, A. Vahdat, SIGCOMM 2008.

pub mod describe;
pub mod ledger;
pub mod place;
mod spec;
pub mod topology;

pub use ledger::{Embedding, FatTree, Reservation};
pub use spec::FatTreeSpec;
pub use topology::{Fabric, Layer, Switch, Topology};
