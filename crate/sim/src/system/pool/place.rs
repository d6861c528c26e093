//! Placement on a pool: free machines of the centres in the order in which these are opened.
//!
//! *Decides*: all that is free in the centre opened first, then in the next, until there are
//! enough. *Ties*: none, machines of a centre are alike. *Complexity*: O(centres). *Source*: paper
//! 4, Algorithm 3, where what is left of a centre is added to the one opened after it.

use crate::job::Request;
use crate::place::Placer;
use crate::system::pool::{Pool, Portion};

/// Places a job on the number of machines that it requests.
#[derive(Clone, Debug, Default)]
pub struct Count;

/// `count` free machines in the order of opening; `None` if fewer are free.
pub fn machines(pool: &Pool, count: u32) -> Option<Portion> {
    if count > pool.free_count() {
        return None;
    }
    let mut parts = Vec::with_capacity(1);
    let mut missing = count;
    for (centre, free) in pool.free_by_opening() {
        let taken = free.min(missing);
        if taken > 0 {
            parts.push((centre, taken));
            missing -= taken;
        }
        if missing == 0 {
            break;
        }
    }
    parts.sort_unstable();
    Some(Portion { parts })
}

impl Placer<Pool> for Count {
    fn place(&mut self, pool: &Pool, request: &Request) -> Option<Portion> {
        machines(pool, request.size)
    }

    fn slots_decide(&self) -> bool {
        true
    }

    fn exists(&self, pool: &Pool, request: &Request) -> Option<bool> {
        Some(request.size <= pool.free_count())
    }
}
