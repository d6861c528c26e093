//! The size of a tree and the use of its links.

use std::sync::Arc;

use super::frame::Frame;
use super::ledger::Tree;
use super::shape::Shape;
use crate::decimal::Decimal;
use crate::machine::{Capacity, Guarantee};
use crate::unit::Kbps;

/// A tree of switches over equal nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeSpec {
    /// Its nodes and switches, or blocks.
    pub shape: Arc<Shape>,
    /// Slots of each node.
    pub slots: u32,
    /// Rate of the link of each node.
    pub link: Kbps,
    /// By how much the links of each level together are thinner than those below, where a switch
    /// has no rate of its own.
    pub oversubscription: Decimal,
    /// The guaranteed part of a job's bandwidth.
    pub guarantee: Guarantee,
}

impl TreeSpec {
    /// What a workload needs to know about it.
    pub fn capacity(&self) -> Capacity {
        let nodes = u64::from(self.shape.nodes());
        let thinnest = || {
            let frame = Frame::new(Shape::clone(&self.shape));
            frame
                .capacities(self.link, self.oversubscription)
                .into_iter()
                .min()
        };
        Capacity {
            slots: nodes * u64::from(self.slots),
            servers: nodes,
            slots_per_server: u64::from(self.slots),
            line_rate: self.link,
            thinnest_shared: if self.guarantee.is_full() {
                None
            } else {
                thinnest()
            },
            most_guaranteed: None,
        }
    }

    /// The tree, idle.
    pub fn build(&self) -> Tree {
        let frame = Frame::new(Shape::clone(&self.shape));
        let capacity = frame.capacities(self.link, self.oversubscription);
        Tree::new(frame, self.slots, capacity, self.guarantee)
    }
}
