//! The interpretation of placements on a fat-tree where the paper is ambiguous.

use crate::choice::choices;
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::source::PAPER_1;
use crate::system::fat_tree::{Fabric, FatTree};

choices! {
    /// Whether a single server that can hold the whole job is looked for first.
    pub enum LevelZero {
        Auto = "auto", "As published",
            "Oktopus does, the others do not.",
            "";
        On = "on", "Always",
            "Every placement looks for one.",
            "";
        Off = "off", "Never",
            "No placement does.",
            "";
    }
}

choices! {
    /// Which of the switches of a level is tried first.
    pub enum Root {
        First = "first", "By index",
            "In the order of their numbers.",
            PAPER_1;
        LeastLoaded = "least-loaded", "Least loaded",
            "By what is reserved on their links downwards, the least first.",
            "";
    }
}

/// How a placement is read where the paper can be read in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether traffic inside a server is free; if not, m of N machines need and reserve m · B on a
    /// link.
    pub intra_server_free: bool,
    /// Whether the first server that can hold the whole cluster is taken before any switch is
    /// looked at.
    pub single_server_first: bool,
    /// Whether the switches of a level are tried by what is reserved on their links downwards, the
    /// least first, equal ones by index; in the single-root fabric only.
    pub least_loaded_root: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            intra_server_free: true,
            single_server_first: false,
            least_loaded_root: false,
        }
    }
}

impl Rules {
    /// The virtual cluster that `tree` guarantees a job.
    pub(super) fn cluster(self, tree: &FatTree, request: &Request) -> Cluster {
        Cluster {
            size: request.size,
            bandwidth: tree.guarantee().of(request.bandwidth),
            intra_server_free: self.intra_server_free,
        }
    }

    /// Whether the switches of a level are not tried in the order of their indices.
    pub(super) fn by_load(self, tree: &FatTree) -> bool {
        self.least_loaded_root && tree.topology().fabric() == Fabric::SingleRoot
    }
}
