//! The waiting jobs by size, so that a pass looks at sizes and not at jobs.
//!
//! For each size that any job has there is a binary tree over its jobs in order of arrival, whose
//! nodes hold the shortest estimate of the jobs below them that wait. The next job to arrive that
//! asks for no more than some size and says to run no longer than some time is found in one descent
//! for each size. A tree takes in jobs as they come to be known; when it is full it drops those
//! that are done with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Bound;

use crate::id::JobId;
use crate::job::Job;
use crate::unit::Span;

/// The waiting jobs of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct BySize {
    /// By size, ascending.
    sizes: Vec<OfSize>,
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
    shortest: Vec<u64>,
}

/// A walk along the waiting jobs by index, during which some of those met may start and nobody
/// joins them.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// Of each size the next job, with the position of the size.
    heads: BinaryHeap<Reverse<(JobId, usize)>>,
}

/// What a node without a waiting job holds.
const NONE_WAITS: u64 = u64::MAX;

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
                shortest: vec![NONE_WAITS; 2],
            };
            self.sizes.insert(position, of);
        }
        self.sizes[position].learn(id, oldest);
    }

    /// A job that is known begins to wait.
    pub(crate) fn add(&mut self, id: JobId, job: &Job) {
        let of = self.with_size(job.size);
        let position = of.position(id);
        of.set(position, job.estimate.0.min(NONE_WAITS - 1));
        of.first = of.first.min(position);
    }

    /// A job waits no longer, or did not.
    pub(crate) fn remove(&mut self, id: JobId, job: &Job) {
        let of = self.with_size(job.size);
        let position = of.position(id);
        of.set(position, NONE_WAITS);
        if of.first == position {
            of.first = of.next(position, NONE_WAITS - 1).unwrap_or(of.jobs.len());
        }
    }

    fn with_size(&mut self, size: u32) -> &mut OfSize {
        let position = self.sizes.binary_search_by_key(&size, |of| of.size);
        &mut self.sizes[position.expect("a job that is known")]
    }

    /// The sizes of the jobs that wait, ascending.
    pub(crate) fn sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        let waiting = self.sizes.iter().filter(|of| of.shortest[1] != NONE_WAITS);
        waiting.map(|of| of.size)
    }

    /// The waiting jobs of a size, by index.
    pub(crate) fn of_size(&self, size: u32) -> impl Iterator<Item = JobId> {
        let position = self.sizes.binary_search_by_key(&size, |of| of.size);
        let of = position.ok().map(|position| &self.sizes[position]);
        let first = move |behind| of?.first(behind, NONE_WAITS - 1);
        std::iter::successors(first(Bound::Unbounded), move |&last| {
            first(Bound::Excluded(last))
        })
    }

    /// The first of the jobs behind a bound that asks for no more than `most`, and that, if it asks
    /// for more than `spare`, says to run no longer than `length`.
    pub(crate) fn first(
        &self,
        behind: Bound<JobId>,
        most: u64,
        spare: u64,
        length: Span,
    ) -> Option<JobId> {
        let small = self
            .sizes
            .iter()
            .take_while(|of| u64::from(of.size) <= most);
        let first = |of: &OfSize| {
            let longest = if u64::from(of.size) <= spare {
                NONE_WAITS - 1
            } else {
                length.0.min(NONE_WAITS - 1)
            };
            of.first(behind, longest)
        };
        small.filter_map(first).min()
    }

    /// A walk along the jobs behind a bound that ask for no more than `most`.
    pub(crate) fn walk(&self, behind: Bound<JobId>, most: u64) -> Walk {
        let sizes = self.sizes.iter().enumerate();
        let small = sizes.take_while(|(_, of)| u64::from(of.size) <= most);
        let head = |(position, of): (usize, &OfSize)| {
            Some(Reverse((of.first(behind, NONE_WAITS - 1)?, position)))
        };
        Walk {
            heads: small.filter_map(head).collect(),
        }
    }

    /// The next job of a walk, of those that ask for no more than `most`, which never grows from
    /// one step to the next.
    pub(crate) fn next_of(&self, walk: &mut Walk, most: u64) -> Option<JobId> {
        loop {
            let mut head = walk.heads.peek_mut()?;
            let Reverse((job, position)) = *head;
            let of = &self.sizes[position];
            if u64::from(of.size) > most {
                PeekMut::pop(head);
                continue;
            }
            match of.first(Bound::Excluded(job), NONE_WAITS - 1) {
                Some(next) => *head = Reverse((next, position)),
                None => {
                    PeekMut::pop(head);
                }
            }
            return Some(job);
        }
    }
}

impl OfSize {
    fn leaves(&self) -> usize {
        self.shortest.len() / 2
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
        let mut shortest = vec![NONE_WAITS; 2 * leaves];
        shortest[leaves..][..old - gone].copy_from_slice(&self.shortest[old + gone..]);
        for node in (1..leaves).rev() {
            shortest[node] = shortest[2 * node].min(shortest[2 * node + 1]);
        }
        self.shortest = shortest;
    }

    fn set(&mut self, position: usize, estimate: u64) {
        let mut node = self.leaves() + position;
        self.shortest[node] = estimate;
        while node > 1 {
            node /= 2;
            let shortest = self.shortest[2 * node].min(self.shortest[2 * node + 1]);
            if self.shortest[node] == shortest {
                return;
            }
            self.shortest[node] = shortest;
        }
    }

    /// The first waiting job behind a bound that says to run no longer than that.
    fn first(&self, behind: Bound<JobId>, longest: u64) -> Option<JobId> {
        if self.shortest[1] > longest {
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
        Some(self.jobs[self.next(from, longest)?])
    }

    /// The position of the first waiting job from a position on that says to run no longer than
    /// that.
    fn next(&self, from: usize, longest: u64) -> Option<usize> {
        if from == self.jobs.len() {
            return None;
        }
        let leaves = self.leaves();
        let mut node = leaves + from;
        // Up to the first subtree from there on that holds such a job.
        while self.shortest[node] > longest {
            while node % 2 == 1 {
                if node == 1 {
                    return None;
                }
                node /= 2;
            }
            node += 1;
        }
        while node < leaves {
            node *= 2;
            node += usize::from(self.shortest[node] > longest);
        }
        Some(node - leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{Id, IdVec};
    use crate::job::Jobs;
    use crate::rng::Stream;
    use crate::unit::{Kbps, Time};

    fn job(size: u32, estimate: u64) -> Job {
        Job {
            number: 0,
            submit: Time(0),
            size,
            bandwidth: Kbps(0),
            runtime: Span(estimate),
            estimate: Span(estimate),
            after: None,
            cpu: None,
            home: 0,
            vm_migrations: None,
        }
    }

    #[test]
    fn the_first_job_that_may_start_is_the_one_that_a_look_at_all_finds() {
        let mut draws = Stream::new(42, 0, "waiting", 0);
        for count in [1, 2, 3, 40, 257] {
            let drawn = |_| job(1 + draws.below(5) as u32, draws.below(20));
            let jobs: Jobs = (0..count).map(drawn).collect::<Vec<_>>().into();
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
                let (most, spare, length) = (draws.below(7), draws.below(7), draws.below(22));
                let expected = jobs.iter_enumerated().find(|&(id, job)| {
                    let size = u64::from(job.size);
                    let is_behind = match behind {
                        Bound::Unbounded => true,
                        Bound::Included(first) => id >= first,
                        Bound::Excluded(last) => id > last,
                    };
                    let fits = size <= most && (size <= spare || job.estimate.0 <= length);
                    plain[id] && is_behind && fits
                });
                assert_eq!(
                    waiting.first(behind, most, spare, Span(length)),
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
                job(1 + draws.below(3) as u32, draws.below(20)),
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
            let found = waiting.first(Bound::Unbounded, most, 0, Span(length));
            assert_eq!(found, expected);
        }
        let leaves: usize = waiting.sizes.iter().map(OfSize::leaves).sum();
        assert!(leaves <= 3 * 128, "{leaves}");
    }

    #[test]
    fn a_walk_meets_the_jobs_that_asking_again_at_every_step_finds() {
        let mut draws = Stream::new(42, 0, "walk", 0);
        for _ in 0..500 {
            let drawn = |_| job(1 + draws.below(6) as u32, 1);
            let jobs: Jobs = (0..60).map(drawn).collect::<Vec<_>>().into();
            let mut waiting = BySize::default();
            for (id, job) in jobs.iter_enumerated() {
                waiting.learn(id, job, JobId(0));
                if draws.below(3) > 0 {
                    waiting.add(id, job);
                }
            }
            let (mut last, mut most) = (JobId(draws.below(20) as u32), draws.below(8));
            let mut walk = waiting.walk(Bound::Excluded(last), most);
            loop {
                let expected = waiting.first(Bound::Excluded(last), most, most, Span(0));
                assert_eq!(waiting.next_of(&mut walk, most), expected);
                let Some(next) = expected else {
                    break;
                };
                last = next;
                if draws.below(2) == 0 {
                    waiting.remove(next, &jobs[next]);
                    most -= draws.below(most.min(2));
                }
            }
        }
    }
}
