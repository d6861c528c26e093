//! What every system is to the engine: a machine that jobs hold parts of.
//!
//! - [`hose`]: what a virtual cluster needs on a link; `guarantee`: how much of its bandwidth a job
//!   reserves; [`offer`]: what a leaf switch certainly cannot take
//! - [`fragmentation`]: how much of a machine cannot be had in one piece
//! - [`sharing`]: how jobs share links that are asked for more than they carry, where a system leaves
//!   that to the engine

pub mod fragmentation;
mod guarantee;
pub mod hose;
pub mod offer;
pub mod sharing;

pub use guarantee::Guarantee;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::id::{JobId, LinkId};
use crate::job::Request;
use crate::unit::Kbps;
use fragmentation::Fragmentation;
use sharing::Sharing;

/// The most bandwidth that a system can guarantee to each virtual machine of a job of some size
/// while nothing else runs.
#[derive(Clone)]
pub struct MostGuaranteed(pub Arc<dyn Fn(u32) -> Kbps + Send + Sync>);

impl fmt::Debug for MostGuaranteed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MostGuaranteed")
    }
}

/// It follows from the rest of a capacity.
impl PartialEq for MostGuaranteed {
    fn eq(&self, _: &MostGuaranteed) -> bool {
        true
    }
}

/// The size of a system, as far as it shapes a workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Capacity {
    /// Slots of all servers together.
    pub slots: u64,
    /// Servers, nodes or data centres.
    pub servers: u64,
    /// Slots of each of them.
    pub slots_per_server: u64,
    /// Rate of a server's link; if servers have none, more than any job requests.
    pub line_rate: Kbps,
    /// Rate of the slowest link that running jobs share, which prolongs them; `None` if links are
    /// reserved.
    pub thinnest_shared: Option<Kbps>,
    /// The most bandwidth that it can guarantee; `None` where any can be.
    pub most_guaranteed: Option<MostGuaranteed>,
}

/// A machine that jobs hold parts of.
pub trait System: Clone {
    /// The parts that one job holds.
    type Placement: Placement;

    /// Whether all jobs that [`System::touched`] gives bring their progress up to date, also those
    /// whose rate turns out to be the same.
    const SYNCED_TOGETHER: bool = false;

    /// Whether any of its placers keeps proofs ([`Prover`](crate::place::Prover)).
    const PROVEN: bool = false;

    /// Gives `request` its place. Panics, naming the part and the job, where the part is not free:
    /// placers propose only what fits.
    fn hold(&mut self, request: &Request, placement: &Self::Placement);

    /// Releases a placement: the exact inverse of [`System::hold`].
    fn free(&mut self, request: &Request, placement: &Self::Placement);

    /// Work done per microsecond by `request` at its place, 1 on a dedicated machine.
    fn rate(&self, _request: &Request, _placement: &Self::Placement) -> f64 {
        1.0
    }

    /// By what the work that a job has left is multiplied while it holds this place.
    fn work_dilation(&self, _placement: &Self::Placement) -> f64 {
        1.0
    }

    /// Moves to `out` the jobs whose rate may have changed since the last call.
    fn touched(&mut self, _out: &mut Vec<JobId>) {}

    /// How jobs share the links of this system; `None` where they hold what they need of them.
    fn sharing(&self) -> Option<Sharing> {
        None
    }

    /// How fragmented it becomes, starting idle; `None` where that is not defined.
    fn fragmentation(&self) -> Option<Fragmentation> {
        None
    }

    /// (link, bandwidth) that `request` demands in this placement if links are shared, each link at
    /// most once.
    fn demand(&self, _request: &Request, _placement: &Self::Placement) -> Vec<(LinkId, Kbps)> {
        Vec::new()
    }

    /// All slots of the machine, those in the background left out.
    fn slots(&self) -> u64;

    /// How many of them are free.
    fn free_slots(&self) -> u64;

    /// Sets the powered-on capacity for jobs that start, if slots of the system can be switched
    /// off; running jobs keep theirs.
    fn set_powered_on(&mut self, _slots: u64) {}

    /// Bandwidth of every link, by [`LinkId`]; empty where links are not modelled.
    fn links(&self) -> &[Kbps] {
        &[]
    }

    /// The layers of links from below, as ranges of their ids.
    fn layers(&self) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// The links of whole clusters to each other, as a range of their ids.
    fn uplinks(&self) -> Range<usize> {
        0..0
    }
}

/// Consecutive servers or nodes, on each of which a job holds as many slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first of them.
    pub first: u32,
    /// How many they are.
    pub count: u32,
    /// The slots held on each.
    pub slots: u32,
}

impl Stretch {
    /// (server or node, slots held there), ascending.
    pub fn shares(self) -> impl Iterator<Item = (u32, u32)> {
        (self.first..self.first + self.count).map(move |part| (part, self.slots))
    }
}

/// The parts of a machine that one job holds.
pub trait Placement: Clone + PartialEq {
    /// (server or node, slots held there), ascending by server or node.
    fn shares(&self) -> impl Iterator<Item = (u32, u32)>;

    /// The same by stretches, ascending.
    fn stretches(&self) -> impl Iterator<Item = Stretch> {
        self.shares().map(|(first, slots)| Stretch {
            first,
            count: 1,
            slots,
        })
    }

    /// Which of the job's processes holds each share; empty if they are in the order of the shares
    /// or do not differ.
    fn processes(&self) -> Vec<u32> {
        Vec::new()
    }

    /// How many slots it has.
    fn slots(&self) -> u32 {
        self.shares().map(|share| share.1).sum()
    }

    /// Whether it has only what other jobs leave over of the machine.
    fn background(&self) -> bool {
        false
    }

    /// How many leaves of a tree of switches it spans, and the fewest that it could span on the
    /// empty machine; `None` where there are none.
    fn leaves(&self) -> Option<[u32; 2]> {
        None
    }

    /// (link, bandwidth reserved on it), each link at most once.
    fn reservations(&self) -> &[(LinkId, Kbps)] {
        &[]
    }
}
