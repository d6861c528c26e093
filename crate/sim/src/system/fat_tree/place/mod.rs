//! Embedding a virtual cluster in a fat-tree.
//!
//! All placements look at the switches from below (the edge switches, then the aggregation switches
//! by (pod, j), then the cores by (j, i)) and take the first below which the whole cluster fits, so
//! that no link above it is used. They differ in how they fill the
//! servers below a switch:
//!
//! - [`adaba`]: servers by the bandwidth-aware weight
//! - [`best_fit`]: the fullest server first
//! - [`first_fit`]: by server index
//! - [`greedy`]: machine by machine, the least occupied path first
//! - [`oktopus`]: subtree by subtree; a single server first
//! - [`min_max_dp`]: the split that leaves the busiest link least occupied
//! - [`exact`]: the embedding that reserves least, wherever any exists
//! - [`adaba_exact`]: AdaBa, and the exact one where it finds nothing
//!
//! They share
//!
//! - `rules`: how they are read
//! - `rooms`: how many machines any placement could have below a switch at most
//! - `fill`: the first switch that can hold a cluster, and its servers filled in an order; the first
//!   three placements are this one loop
//! - `occupation`: what a cluster has below each link while it is filled
//! - `split`: the cheapest split below a switch, for `min_max_dp` and `exact`

pub mod adaba;
pub mod adaba_exact;
pub mod best_fit;
pub mod exact;
mod fill;
pub mod first_fit;
pub mod greedy;
pub mod min_max_dp;
mod occupation;
pub mod oktopus;
mod rooms;
mod rules;
mod split;

pub use adaba::{Adaba, LargestBandwidth};
pub use adaba_exact::AdabaExact;
pub use best_fit::BestFit;
pub use exact::Exact;
pub use first_fit::FirstFit;
pub use greedy::Greedy;
pub use min_max_dp::MinMaxDp;
pub use oktopus::Oktopus;
pub use rules::{LevelZero, Root, Rules};
