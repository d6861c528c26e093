//! The waiting jobs by size, so that a pass looks at sizes and not at jobs.
//!
//! For each size that any job has there is a binary tree over its jobs in order of arrival, whose
//! nodes hold the shortest estimate and the least bandwidth of the jobs below them that wait. The
//! next job to arrive that is not [refused](Refused) and says to run no longer than some time is
//! found in one descent for each size that any job waits with; in more where both estimate and
//! bandwidth bind, since the least of both need not belong to one job. A tree takes in jobs as they
//! come to be known; when it is full it drops those that are done with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Bound;

use crate::id::JobId;
use crate::job::Job;
use crate::place::Refused;
use crate::unit::{Kbps, Span};

/// The waiting jobs of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct BySize {
    /// By size, ascending.
    sizes: Vec<OfSize>,
    /// The positions of those of which any job waits, ascending: a log may have thousands of sizes.
    waiting: Vec<usize>,
}

/// The jobs of one size.
#[derive(Clone, Debug)]
struct OfSize {
    size: u32,
    /// All of them that are known and may still wait, ascending, whether or not they do.
    jobs: Vec<JobId>,
    /// No job before this position waits.
    first: usize,
    /// The root is at 1, the children of a node at twice its position; a power of two of leaves, of
    /// which the first are these jobs'.
    least: Vec<Least>,
}

/// The least that the waiting jobs below a node ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Least {
    estimate: u64,
    bandwidth: u64,
}

impl Least {
    /// What a node without a waiting job holds.
    const NONE_WAITS: Least = Least {
        estimate: u64::MAX,
        bandwidth: u64::MAX,
    };

    fn of(job: &Job) -> Least {
        Least {
            estimate: job.estimate.0.min(u64::MAX - 1),
            bandwidth: job.bandwidth.0.min(u64::MAX - 1),
        }
    }

    fn and(self, other: Least) -> Least {
        Least {
            estimate: self.estimate.min(other.estimate),
            bandwidth: self.bandwidth.min(other.bandwidth),
        }
    }
}

/// Which jobs of one size are looked for.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// They ask for less bandwidth than this,
    below: u64,
    /// or for less than this and run no longer than `longest`.
    below_if_short: u64,
    longest: u64,
}

impl Wanted {
    /// Whoever waits.
    const ANYBODY: Wanted = Wanted {
        below: u64::MAX,
        below_if_short: 0,
        longest: 0,
    };

    /// Those of a size that are not refused.
    fn unless(refused: &Refused, size: u32) -> Wanted {
        Wanted {
            below: below(refused, size),
            ..Wanted::ANYBODY
        }
    }

    /// Those of a size that are neither refused nor both among the `delaying` ones and longer than
    /// `length`.
    fn unless_long(refused: &Refused, delaying: &Refused, length: Span, size: u32) -> Wanted {
        let below_if_short = below(refused, size);
        Wanted {
            below: below_if_short.min(below(delaying, size)),
            below_if_short,
            longest: length.0.min(u64::MAX - 1),
        }
    }

    #[inline(always)]
    fn may_be_below(self, node: Least) -> bool {
        node.bandwidth < self.below
            || node.bandwidth < self.below_if_short && node.estimate <= self.longest
    }
}

/// Below which bandwidth jobs of a size are not refused.
#[inline(always)]
fn below(refused: &Refused, size: u32) -> u64 {
    refused
        .from(size)
        .map_or(u64::MAX, |Kbps(bandwidth)| bandwidth)
}

/// A walk along the waiting jobs by index, during which some of those met may start and nobody
/// joins them.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// Of each size the next job, with the position of the size.
    heads: BinaryHeap<Reverse<(JobId, usize)>>,
}

impl BySize {
    /// A job comes to be known, which does not wait yet; those before `oldest` never will again.
    /// Jobs come by index.
    pub(crate) fn learn(&mut self, id: JobId, job: &Job, oldest: JobId) {
        let position = self.sizes.partition_point(|of| of.size < job.size);
        if self
            .sizes
            .get(position)
            .is_none_or(|of| of.size != job.size)
        {
            let of = OfSize {
                size: job.size,
                jobs: Vec::new(),
                first: 0,
                least: vec![Least::NONE_WAITS; 2],
            };
            self.sizes.insert(position, of);
            for behind in self.waiting.iter_mut().filter(|at| **at >= position) {
                *behind += 1;
            }
        }
        self.sizes[position].learn(id, oldest);
    }

    /// A job that is known begins to wait.
    pub(crate) fn add(&mut self, id: JobId, job: &Job) {
        let size = self.position(job.size);
        let of = &mut self.sizes[size];
        let position = of.position(id);
        of.set(position, Least::of(job));
        of.first = of.first.min(position);
        if let Err(at) = self.waiting.binary_search(&size) {
            self.waiting.insert(at, size);
        }
    }

    /// A job waits no longer, or did not.
    pub(crate) fn remove(&mut self, id: JobId, job: &Job) {
        let size = self.position(job.size);
        let of = &mut self.sizes[size];
        let position = of.position(id);
        of.set(position, Least::NONE_WAITS);
        if of.first == position {
            of.first = of.next(position, Wanted::ANYBODY).unwrap_or(of.jobs.len());
        }
        if !of.waits()
            && let Ok(at) = self.waiting.binary_search(&size)
        {
            self.waiting.remove(at);
        }
    }

    fn position(&self, size: u32) -> usize {
        let position = self.sizes.binary_search_by_key(&size, |of| of.size);
        position.expect("a job that is known")
    }

    /// The sizes of which any job waits, ascending, and their positions.
    fn waiting(&self) -> impl DoubleEndedIterator<Item = (usize, &OfSize)> {
        self.waiting.iter().map(|&at| (at, &self.sizes[at]))
    }

    /// The sizes of the jobs that wait, ascending.
    pub(crate) fn sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.waiting().map(|(_, of)| of.size)
    }

    /// The waiting jobs of a size, by index.
    pub(crate) fn of_size(&self, size: u32) -> impl Iterator<Item = JobId> {
        let position = self.sizes.binary_search_by_key(&size, |of| of.size);
        let of = position.ok().map(|position| &self.sizes[position]);
        let first = move |behind| of?.first(behind, Wanted::ANYBODY);
        std::iter::successors(first(Bound::Unbounded), move |&last| {
            first(Bound::Excluded(last))
        })
    }

    /// The first of the jobs behind a bound that is not refused and that, if it is among the
    /// `delaying` ones, says to run no longer than `length`.
    pub(crate) fn first(
        &self,
        behind: Bound<JobId>,
        refused: &Refused,
        delaying: &Refused,
        length: Span,
    ) -> Option<JobId> {
        let first = |of: &OfSize| {
            of.first(
                behind,
                Wanted::unless_long(refused, delaying, length, of.size),
            )
        };
        self.up_to(refused).filter_map(|(_, of)| first(of)).min()
    }

    /// The jobs that are not refused, by size and then by index.
    pub(crate) fn not_refused(&self, refused: &Refused) -> impl Iterator<Item = JobId> {
        self.up_to(refused).flat_map(|(_, of)| {
            let wanted = Wanted::unless(refused, of.size);
            let first = of.first(Bound::Unbounded, wanted);
            std::iter::successors(first, move |&last| of.first(Bound::Excluded(last), wanted))
        })
    }

    /// The sizes of which any job waits that are not refused whatever the bandwidth, and their
    /// positions.
    fn up_to(&self, refused: &Refused) -> impl Iterator<Item = (usize, &OfSize)> {
        let most = refused.most_slots();
        self.waiting()
            .take_while(move |(_, of)| u64::from(of.size) <= most)
    }

    /// A walk along the jobs behind a bound that are not refused.
    pub(crate) fn walk(&self, behind: Bound<JobId>, refused: &Refused) -> Walk {
        let head = |(position, of): (usize, &OfSize)| {
            let wanted = Wanted::unless(refused, of.size);
            Some(Reverse((of.first(behind, wanted)?, position)))
        };
        Walk {
            heads: self.up_to(refused).filter_map(head).collect(),
        }
    }

    /// The next job of a walk, of those that are not refused and, if among the `delaying` ones, say
    /// to run no longer than `length`. Both sets only grow from one step to the next, and `length`
    /// is the same once there are delaying ones.
    pub(crate) fn next_of(
        &self,
        walk: &mut Walk,
        refused: &Refused,
        delaying: &Refused,
        length: Span,
    ) -> Option<JobId> {
        loop {
            let mut head = walk.heads.peek_mut()?;
            let Reverse((job, position)) = *head;
            let of = &self.sizes[position];
            if u64::from(of.size) > refused.most_slots() {
                PeekMut::pop(head);
                continue;
            }
            let wanted = Wanted::unless_long(refused, delaying, length, of.size);
            // Its turn has come; but since it became the next of its size it may have been refused.
            let still = wanted.may_be_below(of.least[of.leaves() + of.position(job)]);
            match of.first(Bound::Excluded(job), wanted) {
                Some(next) => *head = Reverse((next, position)),
                None => {
                    PeekMut::pop(head);
                }
            }
            if still {
                return Some(job);
            }
        }
    }
}

impl OfSize {
    fn waits(&self) -> bool {
        self.least[1] != Least::NONE_WAITS
    }

    fn leaves(&self) -> usize {
        self.least.len() / 2
    }

    fn position(&self, id: JobId) -> usize {
        self.jobs.binary_search(&id).expect("a job that is known")
    }

    fn learn(&mut self, id: JobId, oldest: JobId) {
        if self.jobs.len() == self.leaves() {
            self.make_room(oldest);
        }
        self.jobs.push(id);
    }

    /// Drops the jobs before `oldest`, and doubles the leaves if fewer than half of them are free
    /// then.
    fn make_room(&mut self, oldest: JobId) {
        let gone = self.jobs.partition_point(|&job| job < oldest);
        self.jobs.drain(..gone);
        self.first = self.first.saturating_sub(gone);
        let old = self.leaves();
        let leaves = if 2 * self.jobs.len() > old {
            2 * old
        } else {
            old
        };
        let mut least = vec![Least::NONE_WAITS; 2 * leaves];
        least[leaves..][..old - gone].copy_from_slice(&self.least[old + gone..]);
        for node in (1..leaves).rev() {
            least[node] = least[2 * node].and(least[2 * node + 1]);
        }
        self.least = least;
    }

    fn set(&mut self, position: usize, job: Least) {
        let mut node = self.leaves() + position;
        self.least[node] = job;
        while node > 1 {
            node /= 2;
            let least = self.least[2 * node].and(self.least[2 * node + 1]);
            if self.least[node] == least {
                return;
            }
            self.least[node] = least;
        }
    }

    /// The first of the jobs looked for behind a bound.
    fn first(&self, behind: Bound<JobId>, wanted: Wanted) -> Option<JobId> {
        if !wanted.may_be_below(self.least[1]) {
            return None;
        }
        let before = |job: &JobId| match behind {
            Bound::Unbounded => false,
            Bound::Included(first) => *job < first,
            Bound::Excluded(last) => *job <= last,
        };
        let from = if before(&self.jobs[self.first]) {
            self.jobs.partition_point(before)
        } else {
            self.first
        };
        Some(self.jobs[self.next(from, wanted)?])
    }

    /// The position of the first of the jobs looked for from a position on.
    #[inline(always)]
    fn next(&self, from: usize, wanted: Wanted) -> Option<usize> {
        if from == self.jobs.len() {
            return None;
        }
        let leaves = self.leaves();
        let mut node = leaves + from;
        loop {
            if !wanted.may_be_below(self.least[node]) {
                // On to the subtree behind this one.
                while node % 2 == 1 {
                    if node == 1 {
                        return None;
                    }
                    node /= 2;
                }
                node += 1;
            } else if node < leaves {
                node *= 2;
            } else {
                return Some(node - leaves);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{Id, IdVec};
    use crate::job::Jobs;
    use crate::rng::Stream;
    use crate::unit::{Kbps, Time};

    fn job(size: u32, estimate: u64, bandwidth: u64) -> Job {
        Job {
            bandwidth: Kbps(bandwidth),
            ..Job::new(0, Time(0), size, Span(estimate))
        }
    }

    fn random_refused(draws: &mut Stream) -> Refused {
        let mut refused = Refused::above(draws.below(8));
        for _ in 0..draws.below(4) {
            refused.add(1 + draws.below(6) as u32, Kbps(draws.below(9)));
        }
        refused
    }

    #[test]
    fn the_first_job_that_may_start_is_the_one_that_a_look_at_all_finds() {
        let mut draws = Stream::new(42, 0, "waiting", 0);
        for count in [1, 2, 3, 40, 257] {
            let random = |_| job(1 + draws.below(5) as u32, draws.below(20), draws.below(9));
            let jobs: Jobs = (0..count).map(random).collect::<Vec<_>>().into();
            let mut waiting = BySize::default();
            for (id, job) in jobs.iter_enumerated() {
                waiting.learn(id, job, JobId(0));
            }
            let mut plain: IdVec<JobId, bool> = IdVec::filled(false, count as usize);
            for _ in 0..2000 {
                let id = JobId::new(draws.below(count) as usize);
                plain[id] = draws.below(2) == 0;
                if plain[id] {
                    waiting.add(id, &jobs[id]);
                } else {
                    waiting.remove(id, &jobs[id]);
                }
                let bound = JobId::new(draws.below(count) as usize);
                let behind = match draws.below(3) {
                    0 => Bound::Unbounded,
                    1 => Bound::Included(bound),
                    _ => Bound::Excluded(bound),
                };
                let (delaying, length) = (random_refused(&mut draws), draws.below(22));
                let refused = random_refused(&mut draws);
                let expected = jobs.iter_enumerated().find(|&(id, job)| {
                    let is_behind = match behind {
                        Bound::Unbounded => true,
                        Bound::Included(first) => id >= first,
                        Bound::Excluded(last) => id > last,
                    };
                    let fits = !refused.rules_out(job.size, job.bandwidth)
                        && (!delaying.rules_out(job.size, job.bandwidth)
                            || job.estimate.0 <= length);
                    plain[id] && is_behind && fits
                });
                assert_eq!(
                    waiting.first(behind, &refused, &delaying, Span(length)),
                    expected.map(|(id, _)| id)
                );
            }
        }
    }

    /// Jobs come by and by, wait for a while and are done with; whoever is not is among the last
    /// fifty.
    #[test]
    fn jobs_that_come_later_are_found_and_those_done_with_take_no_room() {
        let mut draws = Stream::new(42, 0, "waiting by and by", 0);
        let mut waiting = BySize::default();
        let mut plain: std::collections::BTreeMap<JobId, Job> = Default::default();
        for index in 0..5000_u32 {
            let (id, job) = (
                JobId(index),
                job(1 + draws.below(3) as u32, draws.below(20), 0),
            );
            let oldest = JobId(index.saturating_sub(50));
            if index >= 50
                && let Some(job) = plain.remove(&JobId(index - 50))
            {
                waiting.remove(JobId(index - 50), &job);
            }
            waiting.learn(id, &job, oldest);
            waiting.add(id, &job);
            plain.insert(id, job);
            if draws.below(3) > 0 {
                let chosen = plain.keys().nth(draws.below(plain.len() as u64) as usize);
                let chosen = *chosen.expect("somebody waits");
                let job = plain.remove(&chosen).expect("it waits");
                waiting.remove(chosen, &job);
            }
            let (most, length) = (draws.below(4), draws.below(22));
            let fits = |job: &Job| u64::from(job.size) <= most && job.estimate.0 <= length;
            let expected = plain.iter().find(|(_, job)| fits(job)).map(|(&id, _)| id);
            let refused = Refused::above(most);
            let all = Refused::above(0);
            let found = waiting.first(Bound::Unbounded, &refused, &all, Span(length));
            assert_eq!(found, expected);
        }
        let leaves: usize = waiting.sizes.iter().map(OfSize::leaves).sum();
        assert!(leaves <= 3 * 128, "{leaves}");
    }

    #[test]
    fn a_walk_meets_the_jobs_that_asking_again_at_every_step_finds() {
        let mut draws = Stream::new(42, 0, "walk", 0);
        for _ in 0..500 {
            let random = |_| job(1 + draws.below(6) as u32, draws.below(20), draws.below(9));
            let jobs: Jobs = (0..60).map(random).collect::<Vec<_>>().into();
            let mut waiting = BySize::default();
            for (id, job) in jobs.iter_enumerated() {
                waiting.learn(id, job, JobId(0));
                if draws.below(3) > 0 {
                    waiting.add(id, job);
                }
            }
            let mut last = JobId(draws.below(20) as u32);
            let mut refused = random_refused(&mut draws);
            let mut delaying = Refused::nobody();
            let length = Span(draws.below(20));
            let mut walk = waiting.walk(Bound::Excluded(last), &refused);
            loop {
                let behind = Bound::Excluded(last);
                let expected = waiting.first(behind, &refused, &delaying, length);
                let found = waiting.next_of(&mut walk, &refused, &delaying, length);
                assert_eq!(found, expected);
                let Some(next) = expected else {
                    break;
                };
                last = next;
                match draws.below(3) {
                    0 => {
                        waiting.remove(next, &jobs[next]);
                        let most = refused.most_slots();
                        refused.set_most_slots(most - draws.below(most.min(2)));
                    }
                    1 => {
                        let grows = [&mut refused, &mut delaying];
                        let grows = grows.into_iter().nth(draws.below(2) as usize);
                        let grows = grows.expect("one of two");
                        grows.add(1 + draws.below(6) as u32, Kbps(draws.below(9)));
                    }
                    _ => {}
                }
            }
        }
    }
}
