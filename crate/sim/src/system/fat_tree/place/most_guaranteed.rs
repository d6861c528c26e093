//! The most bandwidth that a fat-tree can guarantee to each machine of a job of some size while
//! nothing else runs.
//!
//! It is found by bisection, as a job that can be embedded can be with less bandwidth, too; each
//! size once. Guarantees are full ones, so that all values of a swept guarantee have the same jobs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::exact::decide;
use crate::id::JobId;
use crate::job::Request;
use crate::machine::{Guarantee, MostGuaranteed};
use crate::system::fat_tree::{FatTree, FatTreeSpec};
use crate::unit::{Kbps, Span, Time};

/// The most bandwidth by size on such a fat-tree, at most the rate of a server's link. A job larger
/// than the tree, and one on a tree whose reservations are undecided, has that rate.
pub(crate) fn most_guaranteed(spec: FatTreeSpec) -> MostGuaranteed {
    let known: Mutex<(Option<FatTree>, BTreeMap<u32, Kbps>)> = Mutex::default();
    MostGuaranteed(Arc::new(move |size| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let (tree, most) = &mut *known;
        if let Some(&most) = most.get(&size) {
            return most;
        }
        let full = FatTreeSpec {
            guarantee: Guarantee::FULL,
            ..spec.clone()
        };
        let tree = tree.get_or_insert_with(|| full.build());
        let found = bisect(tree, size, spec.link);
        most.insert(size, found);
        found
    }))
}

/// The most bandwidth up to `rate` with which a job of that size can be embedded.
fn bisect(tree: &FatTree, size: u32, rate: Kbps) -> Kbps {
    let fits = |bandwidth: u64| {
        let request = Request {
            index: JobId(0),
            submit: Time(0),
            size,
            bandwidth: Kbps(bandwidth),
            estimate: Span(0),
            home: 0,
        };
        decide(tree, &request) == Some(true)
    };
    if fits(rate.0) || !fits(0) {
        return rate;
    }
    let (mut low, mut high) = (0, rate.0);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Kbps(low)
}
