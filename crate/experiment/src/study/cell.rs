//! One run of a scenario.

use serde::{Deserialize, Serialize};

/// One run of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct Cell {
    /// Its position in scenario order.
    pub index: usize,
    /// Position on the x axis; 0 if nothing is swept.
    pub x: usize,
    /// Position on the y axis; 0 if there is none.
    pub y: usize,
    /// The position of its policy in the scenario.
    pub policy: usize,
    /// The replication.
    pub replication: u32,
}
