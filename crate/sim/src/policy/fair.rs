//! Fair: AFCFS on a pool that shares idle machines among the jobs it starts.
//!
//! *Decides*: all jobs that fit start, in order of arrival. Left-over machines go to these jobs:
//! each time the job with the fewest machines gets as many again as it requested, until no job can.
//! Running jobs keep what they have. *Ties*: equal counts of machines by (submit, index).
//! *Complexity*: sizes in the queue for each job started, and the logarithm of the jobs started for
//! each portion given. *Source*: paper 4, section 5, where Fair is defined by two half-sentences: a
//! job "can be paralleled under N (N is an integer) times of the parallelism" and "shares more
//! resources if there are some resources having no jobs".

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Bound;

use crate::engine::{Context, Policy, Step, Turn};
use crate::id::JobId;
use crate::system::pool::Pool;
use crate::system::pool::place::{Count, machines};

/// Fair.
#[derive(Clone, Copy, Debug)]
pub struct Fair;

/// The machines of each starting job, when `free` machines are free.
fn shared_out(starting: &[(JobId, u32)], free: u32) -> Vec<(JobId, u32)> {
    let used: u32 = starting.iter().map(|of| of.1).sum();
    let mut left = free - used;
    let mut given: Vec<u32> = starting.iter().map(|of| of.1).collect();
    let positions = given.iter().enumerate();
    let mut poorest: BinaryHeap<Reverse<(u32, usize)>> =
        positions.map(|(at, &given)| Reverse((given, at))).collect();
    while let Some(Reverse((_, at))) = poorest.pop() {
        let size = starting[at].1;
        // `left` only shrinks, so a job that does not fit now never will.
        if size <= left {
            left -= size;
            given[at] += size;
            poorest.push(Reverse((given[at], at)));
        }
    }
    starting
        .iter()
        .zip(given)
        .map(|(of, given)| (of.0, given))
        .collect()
}

impl Policy<Pool> for Fair {
    fn arrive(&mut self, cx: &mut Context<Pool>, job: JobId) {
        cx.enqueue_if_possible(&Count, job);
    }

    fn pass(&mut self, cx: &mut Context<Pool>) {
        let free = cx.system().free_count();
        let mut left = free;
        let mut starting = Vec::new();
        let mut after = Bound::Unbounded;
        while let Some(job) = cx.next_observed(after, u64::from(left)) {
            if cx.observe_count(job, Turn::Next, u64::from(left)) {
                let size = cx.request(job).size;
                left -= size;
                starting.push((job, size));
            }
            after = Bound::Excluded(job);
        }
        for (job, count) in shared_out(&starting, free) {
            if count > cx.request(job).size {
                cx.observe(|| Step::Shared { job, slots: count });
            }
            let placement = machines(cx.system(), count).expect("it fits");
            cx.start(job, placement);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_over_machines_go_to_the_smallest_jobs_in_whole_requests() {
        let jobs = [(JobId(0), 3), (JobId(1), 5)];
        assert_eq!(shared_out(&jobs, 20), [(JobId(0), 9), (JobId(1), 10)]);
        assert_eq!(shared_out(&jobs, 8), jobs);
        assert_eq!(shared_out(&[], 8), []);
        let equal = [(JobId(0), 4), (JobId(1), 4)];
        assert_eq!(shared_out(&equal, 15), [(JobId(0), 8), (JobId(1), 4)]);
    }
}
