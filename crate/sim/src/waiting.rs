//! The waiting jobs by size, so that a pass looks at sizes and not at jobs.
//!
//! For each size that any job of the run has there is a binary tree over its jobs in order of arrival, whose
//! nodes hold the shortest estimate of the jobs below them that wait. The next job to arrive that asks for
//! no more than some size and says to run no longer than some time is found in one descent for each
//! size.

use std::ops::Bound;

use crate::id::{IdVec, JobId};
use crate::job::{Job, Jobs};
use crate::unit::Span;

/// The waiting jobs of a run.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// By size, ascending.
    sizes: Vec<OfSize>,
    /// Where each job stands: the place of its size among these, and its own among the jobs of that size.
    places: IdVec<JobId, (u32, u32)>,
}

/// The jobs of one size.
#[derive(Clone, Debug)]
struct OfSize {
    size: u32,
    /// All of them, whether or not they wait.
    jobs: Vec<JobId>,
    /// The place of the first that waits; as many as there are if nobody does.
    first: usize,
    /// The root is at 1, the children of a node at twice its place; as many leaves as jobs, rounded up to a
    /// power of two.
    shortest: Vec<u64>,
}

/// What a node without a waiting job holds.
const NOBODY: u64 = u64::MAX;

impl Waiting {
    /// Nobody waits yet of these jobs.
    pub(crate) fn new(jobs: &Jobs) -> Waiting {
        let mut by_size: Vec<(u32, JobId)> = jobs
            .iter_enumerated()
            .map(|(id, job)| (job.size, id))
            .collect();
        by_size.sort_unstable();
        let of_size = |jobs: &[(u32, JobId)]| OfSize {
            size: jobs[0].0,
            jobs: jobs.iter().map(|job| job.1).collect(),
            first: jobs.len(),
            shortest: vec![NOBODY; 2 * jobs.len().next_power_of_two()],
        };
        let sizes: Vec<OfSize> = by_size.chunk_by(|a, b| a.0 == b.0).map(of_size).collect();
        let mut places = IdVec::filled((0, 0), jobs.len());
        for (size, of) in sizes.iter().enumerate() {
            for (place, &job) in of.jobs.iter().enumerate() {
                places[job] = (size as u32, place as u32);
            }
        }
        Waiting { sizes, places }
    }

    /// The job begins to wait.
    pub(crate) fn add(&mut self, id: JobId, job: &Job) {
        let (size, place) = self.places[id];
        let of = &mut self.sizes[size as usize];
        of.set(place as usize, job.estimate.0.min(NOBODY - 1));
        of.first = of.first.min(place as usize);
    }

    /// It waits no longer, or did not.
    pub(crate) fn remove(&mut self, id: JobId) {
        let (size, place) = self.places[id];
        let of = &mut self.sizes[size as usize];
        of.set(place as usize, NOBODY);
        if of.first == place as usize {
            of.first = of.next(place as usize, NOBODY - 1).unwrap_or(of.jobs.len());
        }
    }

    /// The sizes of those who wait, ascending.
    pub(crate) fn sizes(&self) -> impl DoubleEndedIterator<Item = u32> {
        let waiting = self.sizes.iter().filter(|of| of.shortest[1] != NOBODY);
        waiting.map(|of| of.size)
    }

    /// Those of a size, by index.
    pub(crate) fn of_size(&self, size: u32) -> impl Iterator<Item = JobId> {
        let place = self.sizes.binary_search_by_key(&size, |of| of.size);
        let of = place.ok().map(|place| &self.sizes[place]);
        let first = move |behind| of?.first(behind, NOBODY - 1);
        std::iter::successors(first(Bound::Unbounded), move |&last| {
            first(Bound::Excluded(last))
        })
    }

    /// The first of the jobs behind a bound that asks for no more than `most`, and that, if it asks for more
    /// than `spare`, says to run no longer than `length`.
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
            let longest = match u64::from(of.size) <= spare {
                true => NOBODY - 1,
                false => length.0.min(NOBODY - 1),
            };
            of.first(behind, longest)
        };
        small.filter_map(first).min()
    }
}

impl OfSize {
    fn set(&mut self, place: usize, estimate: u64) {
        let mut node = self.shortest.len() / 2 + place;
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
        let from = match before(&self.jobs[self.first]) {
            true => self.jobs.partition_point(before),
            false => self.first,
        };
        Some(self.jobs[self.next(from, longest)?])
    }

    /// The place of the first waiting job from a place on that says to run no longer than that.
    fn next(&self, from: usize, longest: u64) -> Option<usize> {
        if from == self.jobs.len() {
            return None;
        }
        let leaves = self.shortest.len() / 2;
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
    use crate::id::Id;
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
            let mut waiting = Waiting::new(&jobs);
            let mut plain: IdVec<JobId, bool> = IdVec::filled(false, count as usize);
            for _ in 0..2000 {
                let id = JobId::new(draws.below(count) as usize);
                plain[id] = draws.below(2) == 0;
                match plain[id] {
                    true => waiting.add(id, &jobs[id]),
                    false => waiting.remove(id),
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
}
