//! Where a job goes: placers propose a place in the present state of their system.
//!
//! The placers of a system are in its folder, in `place`; their table is in [`crate::system`]. Here
//! is what they have in common.
//!
//! - `placer`: what a placer does
//! - `prover`: what it can prove, so that a policy need not try in vain
//! - `refused`: the requests that certainly find no placement
//! - `subtrees`: the subtrees that it chose among, for observers

mod placer;
mod prover;
mod refused;
mod subtrees;

pub use placer::{Declined, Placer};
pub use prover::{Prover, State, Tries};
pub use refused::Refused;
pub(crate) use subtrees::{Room, preference};
pub use subtrees::{Subtree, SubtreeOrder, SubtreeRoot, Subtrees};
