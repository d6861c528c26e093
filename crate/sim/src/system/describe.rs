//! A system as people see it: the names of its parts, their layout in pictures and their use; and
//! why a job does not fit.
//!
//! A *part* is a cell of a picture: a link, a node, a machine. Parts are counted from 0 over the
//! whole system. What a job holds is read from the record; nothing is simulated again.

use serde::Serialize;

use crate::choice::Choice;
use crate::id::LinkId;
use crate::job::{Jobs, Request};
use crate::machine::System;
use crate::place::Placer;
use crate::record::{Allocation, Allocations};
use crate::unit::Kbps;

/// Texts about all systems of a kind.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The unit that jobs request: a slot, a node or a machine.
    pub unit: &'static str,
    /// What contains these: a server, a node, a cluster or a centre.
    pub part: &'static str,
    /// The layers of its links, from below.
    pub layers: &'static [&'static str],
    /// The metrics shown by default, by name: those by which the paper on the system judges
    /// policies.
    pub headline: &'static [&'static str],
    /// The default metrics if jobs share links that are not fully guaranteed; empty if they cannot.
    pub headline_of_shared: &'static [&'static str],
    /// Its placements, at least one; the first is the default.
    pub placements: &'static [Choice],
    /// The placements that are compared by default, by name.
    pub compared: &'static [&'static str],
    /// Whether it has a network, so that the bandwidth a job requests may matter.
    pub network: bool,
    /// The text about jobs that are not too large for the system and still fit nowhere on it;
    /// `None` if there are none.
    pub fits_nowhere: Option<&'static str>,
    /// The part that a job must fit into under some placements; `None` if every placement spreads
    /// jobs.
    pub confinement: Option<Confinement>,
    /// Whether a job fits exactly if as many units are free as it requests, so that a pass can
    /// choose among sets of jobs.
    pub chosen_in_sets: bool,
}

/// A part of a system that a job must fit into under placements which do not spread it.
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// Its name.
    pub part: &'static str,
    /// The placements that do not spread a job, by name.
    pub placements: &'static [&'static str],
}

/// A system in pictures, without a run.
pub trait Describe {
    /// How many parts there are.
    fn parts(&self) -> usize;

    /// The name of a part.
    fn part(&self, part: usize) -> String;

    /// The layout of the parts in a picture.
    fn layout(&self) -> Layout;

    /// The labels of its bands, from the top; empty if they need none.
    fn bands(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of each of its blocks; empty if there is only one.
    fn blocks(&self) -> Vec<String>;

    /// What the share of a part is relative to: worded for a cell, for the scale and for the whole
    /// picture.
    fn words(&self) -> [&'static str; 3];
}

/// The use of one system in a run: a build that does not simulate a system does not measure it
/// either.
pub trait Measure: Describe {
    /// The name of the server or node with this number, which holds a share of a job.
    fn holder(&self, number: u32) -> String;

    /// The name of a link.
    fn link(&self, link: LinkId) -> String {
        link.to_string()
    }

    /// The lanes of a chart of allocations over time.
    fn lanes(&self) -> Lanes;

    /// The name of each of their blocks; empty if there is only one.
    fn lane_blocks(&self) -> Vec<String> {
        self.blocks()
    }

    /// Its nodes and wires if it is small enough to be drawn with them; `None` if it is not, or if
    /// it has no network.
    fn diagram(&self) -> Option<Diagram> {
        None
    }

    /// How many parts, the first ones, show what is held of nodes and not the links of these numbers.
    fn nodes_shown(&self) -> usize {
        0
    }

    /// Converts allocations of a run to the form used here.
    fn prepare(&self, _allocations: &mut Allocations) {}

    /// How much of the system an allocation holds, in any unit.
    fn held(&self, allocation: &Allocation, _links: &[Kbps]) -> f64 {
        allocation.slots() as f64
    }

    /// Adds the use that an allocation makes of each part, `weight` times.
    fn add(&self, shares: &mut [f32], allocation: &Allocation, weight: f64, run: Kept<'_>);

    /// The share of each part in use while these allocations hold their places.
    fn in_use(&self, allocations: &[&Allocation], run: Kept<'_>) -> Vec<f32> {
        let mut shares = vec![0.0; self.parts()];
        for allocation in allocations {
            self.add(&mut shares, allocation, 1.0, run);
        }
        shares
    }

    /// The parts that represent what an allocation holds.
    fn marked(&self, allocation: &Allocation) -> Vec<u32> {
        allocation.shares().map(|share| share.0).collect()
    }

    /// The parts that a paused allocation holds; empty if its shares are no parts.
    fn paused(&self, allocation: &Allocation) -> Vec<u32> {
        self.marked(allocation)
    }
}

/// A run without its allocations.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The jobs of the run.
    pub jobs: &'a Jobs,
    /// Bandwidth of each link.
    pub links: &'a [Kbps],
}

/// The layout of parts in a picture: blocks of square cells, each of one or several bands, from top
/// to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Cells in a row of a band.
    pub columns: usize,
    /// Rows of each band, from the top.
    pub bands: Vec<usize>,
    /// How many blocks are side by side in one line of blocks.
    pub across: usize,
    /// Whether the gaps between blocks are small because there are many.
    pub close: bool,
    /// The parts that the cells show, block by block and band by band, row by row.
    pub blocks: Vec<Vec<Vec<u32>>>,
}

/// A network as textbooks draw it: nodes on levels, and wires from each level to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The levels, from the top.
    pub levels: Vec<Level>,
    /// The wires; several are one part where they act as one.
    pub wires: Vec<Wire>,
}

/// The nodes of one level of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Their common name.
    pub name: &'static str,
    /// The number of groups side by side.
    pub groups: u32,
    /// How many there are in each.
    pub nodes: u32,
}

/// A wire of a diagram. Nodes are counted over their level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Wire {
    /// The part that it is, or is one of.
    pub part: u32,
    /// The level of its upper node.
    pub level: u32,
    /// Its upper node.
    pub upper: u32,
    /// Its lower node, one level below.
    pub lower: u32,
}

/// The lanes of a plan: slots of servers or nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Slots of each server or node.
    pub slots: usize,
    /// How many lanes each block has, from the top.
    pub blocks: Vec<usize>,
    /// By server or node: how many are above it; empty if they are in the order of their numbers.
    pub above: Vec<u32>,
}

impl Lanes {
    /// So many alike blocks of so many lanes, by the numbers of servers or nodes.
    pub fn alike(slots: usize, blocks: usize, lanes: usize) -> Lanes {
        Lanes {
            slots,
            blocks: vec![lanes; blocks],
            above: Vec::new(),
        }
    }
}

/// The names of `count` blocks.
pub(crate) fn numbered(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|block| format!("{what} {block}")).collect()
}

/// The number of columns in which `cells` cells are about square.
pub(crate) fn columns(cells: usize) -> usize {
    let root = cells.isqrt();
    root + usize::from(root * root < cells)
}

/// The number of columns for `cells` cells of which none is special, since no network joins them:
/// few rows, like a bar, where squares would fill a screen.
pub(crate) fn columns_of_equal(cells: usize) -> usize {
    const FEW: usize = 64;
    const ROWS: usize = 12;
    if cells <= FEW {
        columns(cells)
    } else {
        cells.div_ceil(ROWS).clamp(2 * FEW, 8 * FEW).min(cells)
    }
}

/// A system whose runs can be explained.
pub trait Examined: System<Placement: Send + Sync> + Send + Sync + 'static {
    /// Whether its links carry guarantees.
    const LINKS: bool = false;

    /// The facts about its kind.
    const ABOUT: &'static About;

    /// The name of a link.
    fn link(&self, link: LinkId) -> String {
        link.to_string()
    }
}

/// Finds what is in the way of a job that a placement is to place.
pub trait Examiner<S: System>: Placer<S> {
    /// Whether a placement exists now that the placer might find; `None` where this is undecided.
    fn fits(&self, system: &S, request: &Request) -> Option<bool> {
        self.exists(system, request)
    }

    /// A placement that exists now: the one that reserves least.
    fn possible(&self, system: &S, request: &Request) -> Option<S::Placement>;

    /// What is in the way of a job that does not fit now, but fits on the empty system.
    fn obstacle(&self, system: &S, _request: &Request) -> Obstacle {
        let free = system.free_slots();
        Obstacle::TooFewSlots { free }
    }
}

/// What is in the way of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// Fewer slots are free than the job requests.
    TooFewSlots {
        /// How many slots are free.
        free: u64,
    },
    /// Enough slots are free, but the job would not fit on them even if all links were empty.
    Scattered {
        /// How many slots are free.
        free: u64,
    },
    /// The job would fit if these links were empty, and not if any one of them kept its load.
    Links(Vec<InTheWay>),
    /// No part has room for all of it, and it may not be spread over several.
    Parts(Refusal),
}

/// A link in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InTheWay {
    /// The number of the link.
    pub link: LinkId,
    /// Its name.
    pub name: String,
    /// What is left on it.
    pub residual: Kbps,
    /// The job's demand on it, placed with the least reservations if these links were empty.
    pub need: Kbps,
}

/// Why a job has no placement: it fits into no part, and may not be spread over parts as needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The room in each part.
    pub rooms: Vec<Room>,
    /// The reason why the job is not spread over them.
    pub barrier: Barrier,
}

/// What a part has for a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Room {
    /// Its free slots.
    pub free: u32,
    /// The most of these that the job could be given together with slots of other parts.
    pub most: u32,
    /// What running jobs require of its link, to a kbit/s.
    pub asked: Kbps,
    /// What its link carries.
    pub capacity: Kbps,
}

/// Why a job that fits into no single part cannot be spread. Thresholds are per cent of the rates
/// of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Barrier {
    /// It may run at home only.
    Home {
        /// The part that is its home.
        part: u32,
    },
    /// It may run on one part only.
    Single,
    /// All parts together have too few slots free.
    TooFew,
    /// The parts with a link below the threshold have too few slots free.
    Loaded {
        /// The threshold.
        threshold: u32,
    },
    /// No part with a link below the threshold has this many slots for the large share of the job.
    Large {
        /// The threshold.
        threshold: u32,
        /// The slots of the large share.
        least: u32,
    },
    /// Every split would load a link above the threshold.
    Split {
        /// The threshold.
        threshold: u32,
    },
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::held::Held;
    use crate::id::JobId;
    use crate::record::stretches;
    use crate::unit::Time;

    /// An allocation of the first job.
    pub(crate) fn allocation(shares: &[(u32, u32)], reservations: &[(u32, u64)]) -> Allocation {
        let reserved = |&(link, kbps): &(u32, u64)| (LinkId(link), Kbps(kbps));
        let reservations: Vec<(LinkId, Kbps)> = reservations.iter().map(reserved).collect();
        Allocation {
            job: JobId(0),
            start: Time(0),
            end: Time(9),
            works_from: Time(0),
            migrated: false,
            held: Held::new(&stretches(shares), &[], &reservations),
        }
    }

    /// That a layout has cells for every part, and none beyond its rows.
    #[track_caller]
    pub(crate) fn shows_every_part(system: &impl Describe) {
        let layout = system.layout();
        let mut shown = vec![false; system.parts()];
        for block in &layout.blocks {
            assert_eq!(block.len(), layout.bands.len());
            for (band, rows) in block.iter().zip(&layout.bands) {
                assert!(band.len() <= rows * layout.columns);
                band.iter().for_each(|&part| shown[part as usize] = true);
            }
        }
        assert!(shown.into_iter().all(|part| part));
    }

    #[test]
    fn blocks_are_numbered_and_cells_are_about_square() {
        assert_eq!(numbered("pod", 2), ["pod 0", "pod 1"]);
        let expected = [(0, 0), (1, 1), (5, 3), (128, 12), (144, 12)];
        assert!(expected.iter().all(|&(cells, wide)| columns(cells) == wide));
    }

    #[test]
    fn many_equal_cells_are_a_bar() {
        let expected = [(64, 8), (65, 65), (768, 128), (3000, 250), (100_000, 512)];
        assert!(
            expected
                .iter()
                .all(|&(cells, wide)| columns_of_equal(cells) == wide)
        );
    }
}
