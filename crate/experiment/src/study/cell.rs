//! Which run of a scenario a result is of.

use serde::{Deserialize, Serialize};

/// One run of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct Cell {
    /// Its place in scenario order.
    pub index: usize,
    /// Position on the x axis; 0 where nothing is swept.
    pub x: usize,
    /// Position on the y axis; 0 where there is none.
    pub y: usize,
    /// Which of the scenario's policies.
    pub policy: usize,
    /// Which replication.
    pub replication: u32,
}
