//! What every system is to people: what its parts are called, how they are laid out in pictures and
//! how much of each is in use; and what is in the way of a job that does not fit.
//!
//! A *part* is what a picture has cells for: a link, a node, a machine. Parts are counted from 0
//! over the whole system. What a job holds is read off the record; nothing is simulated again.

use serde::Serialize;

use crate::choice::Choice;
use crate::id::LinkId;
use crate::job::{Jobs, Request};
use crate::machine::System;
use crate::place::Placer;
use crate::record::{Allocation, Allocations};
use crate::unit::Kbps;

/// What is said of every system of a kind.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// What jobs ask for so many of: a slot, a node or a machine.
    pub unit: &'static str,
    /// What these lie on: a server, a node, a cluster or a centre.
    pub part: &'static str,
    /// The layers of its links, from below.
    pub layers: &'static [&'static str],
    /// The metrics that are shown where nobody chose, by name: those by which the paper on the
    /// system judges policies.
    pub headline: &'static [&'static str],
    /// Those shown instead where jobs share links of which less than all is guaranteed; none where
    /// that cannot be.
    pub headline_of_shared: &'static [&'static str],
    /// Its placements, at least one; the first is that of a policy which names none.
    pub placements: &'static [Choice],
    /// The placements that are compared where none is given, by name.
    pub compared: &'static [&'static str],
    /// Whether it has a network, so that the bandwidth which a job asks for may matter.
    pub network: bool,
    /// What is said of jobs that are not too large for the system and still fit nowhere on it;
    /// nothing where there are none.
    pub fits_nowhere: Option<&'static str>,
    /// What a job must fit into that may not be spread; nothing where every placement spreads jobs.
    pub confinement: Option<Confinement>,
    /// Whether a job fits exactly if as many units are free as it asks for, so that a scheduling
    /// pass chooses among sets of jobs.
    pub chosen_in_sets: bool,
}

/// A part of a system that a job must fit into under placements which do not spread it.
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// What it is called.
    pub part: &'static str,
    /// The placements that do not spread a job, by name.
    pub placements: &'static [&'static str],
}

/// One system as it is shown, whatever ran on it.
pub trait Describe {
    /// How many parts there are.
    fn parts(&self) -> usize;

    /// What a part is called.
    fn part(&self, part: usize) -> String;

    /// Where the parts lie in a picture.
    fn layout(&self) -> Layout;

    /// What its bands stand for, from the top; nothing where that need not be said.
    fn bands(&self) -> Vec<String> {
        Vec::new()
    }

    /// What each of its blocks is called, a word and a number; nothing where there is one.
    fn blocks(&self) -> Vec<String>;

    /// What a share of a part is a share of: as it is said of a cell, of the scale and of the whole
    /// picture.
    fn words(&self) -> [&'static str; 3];
}

/// What a run made of one system: a build that does not simulate a system does not measure it
/// either.
pub trait Measure: Describe {
    /// What a share of a job lies on: a server or node by its number there.
    fn holder(&self, number: u32) -> String;

    /// What a link is called.
    fn link(&self, link: LinkId) -> String {
        link.to_string()
    }

    /// The lanes of a plan of who holds what over time.
    fn lanes(&self) -> Lanes;

    /// Its nodes and wires where it is small enough to be drawn with them; nothing where it is not,
    /// and where it has no network.
    fn diagram(&self) -> Option<Diagram> {
        None
    }

    /// Brings what a run kept into the form that is read here.
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

    /// The parts that stand for what an allocation holds.
    fn marked(&self, allocation: &Allocation) -> Vec<u32> {
        allocation.shares().map(|share| share.0).collect()
    }

    /// The parts that an allocation holds without working; nothing where its shares are no parts.
    fn paused(&self, allocation: &Allocation) -> Vec<u32> {
        self.marked(allocation)
    }
}

/// What is known of a run beside its allocations.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The jobs of the run.
    pub jobs: &'a Jobs,
    /// Bandwidth of each link.
    pub links: &'a [Kbps],
}

/// Where parts lie in a picture: in blocks of square cells, each of one or several bands, one below
/// the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Cells in a row of a band.
    pub columns: usize,
    /// Rows of each band, from the top.
    pub bands: Vec<usize>,
    /// How many blocks stand side by side before the next line of blocks begins.
    pub across: usize,
    /// Whether there are so many blocks that little is left between them.
    pub close: bool,
    /// The parts that the cells show, block by block and band by band, row by row.
    pub blocks: Vec<Vec<Vec<u32>>>,
}

/// A network as it is drawn in textbooks: nodes on levels, and wires from each level to the next.
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
    /// What they are called together.
    pub name: &'static str,
    /// In how many groups they stand side by side.
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

/// The lanes of a plan: slots of servers or nodes, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Slots of each server or node.
    pub slots: usize,
    /// How many blocks of lanes there are.
    pub blocks: usize,
    /// How many lanes each block has.
    pub lanes: usize,
}

/// What each of so many blocks is called.
pub(crate) fn numbered(what: &str, count: usize) -> Vec<String> {
    (0..count).map(|block| format!("{what} {block}")).collect()
}

/// In how many columns so many cells are about square.
pub(crate) fn columns(cells: usize) -> usize {
    let root = cells.isqrt();
    root + usize::from(root * root < cells)
}

/// A system whose runs can be explained.
pub trait Examined: System {
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
    /// Fewer slots are free than it asks for.
    TooFewSlots {
        /// How many slots are free.
        free: u64,
    },
    /// Slots enough are free, but they lie so that it would not fit even if nothing were reserved
    /// on any link.
    Scattered {
        /// How many slots are free.
        free: u64,
    },
    /// Links that it would fit without, and not if any one of them kept what it has.
    Links(Vec<InTheWay>),
    /// No part has room for all of it, and it may not be spread over several.
    Parts(Refusal),
}

/// A link in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InTheWay {
    /// The number of the link.
    pub link: LinkId,
    /// What it is called.
    pub name: String,
    /// What is left on it.
    pub residual: Kbps,
    /// What the job would need on it, placed as reserves least if these links were empty.
    pub need: Kbps,
}

/// Why a job that may not be spread over the parts of a system as it would have to be finds no
/// place.
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

/// What keeps a job that fits into no part alone from being spread. Thresholds are per cent of what
/// links carry.
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
    /// No part with a link below the threshold has so many slots for the large share of the job.
    Large {
        /// The threshold.
        threshold: u32,
        /// The slots of the large share.
        least: u32,
    },
    /// Every split would have a link asked for more than the threshold.
    Split {
        /// The threshold.
        threshold: u32,
    },
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::id::JobId;
    use crate::record::stretches;
    use crate::unit::Time;

    /// An allocation of the first job.
    pub(crate) fn allocation(shares: &[(u32, u32)], reservations: &[(u32, u64)]) -> Allocation {
        let reserved = |&(link, kbps): &(u32, u64)| (LinkId(link), Kbps(kbps));
        Allocation {
            job: JobId(0),
            start: Time(0),
            end: Time(9),
            works_from: Time(0),
            migrated: false,
            stretches: stretches(shares),
            processes: Vec::new(),
            reservations: reservations.iter().map(reserved).collect(),
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
}
