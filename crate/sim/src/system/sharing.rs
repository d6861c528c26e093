//! Jobs that share links of which only a part is reserved for them, or nothing: who gets how much,
//! and how fast that lets them go.
//!
//! At full speed a running job asks for some bandwidth d of each link on its way. One number x, its
//! **share**, says how much of that it gets, the same everywhere: at least g, which is guaranteed,
//! and at most 1. Shares are max-min fair, by progressive filling: all begin at g and rise
//! together; where a link is full, Σ x·d = C, the jobs on it stay as they are; a job stops at 1;
//! until all have stopped. So a job has all that it asks for, or there is a full link on its way on
//! which no other job has a larger share. It then goes at 1 / ((1 − c) + c / x) of its undisturbed
//! speed, where c is the part of its undisturbed run time that it spends communicating.
//!
//! *In numbers*: the open jobs on a link, whose d sum up to U, fill it at the share L / U, where L
//! is what the stopped ones leave of C. It is never less than what all on the link could have
//! alike, nor than g; rounding is not let below that. The link of the least such share is filled
//! next, equal ones by ascending index; its open jobs stop there by ascending index, and each takes
//! x·d off the L of every link on its way. d, C and U are whole kbit/s; L and shares are f64, of
//! which only + − × ÷ are taken: the same bits everywhere. Links that carry all that is asked of
//! them hold nobody up and are left out, by whole numbers.
//!
//! *Anew*: jobs on links that carry all they are asked for do not know of each other. So where jobs
//! come and go, shares are computed again for those alone that are connected with one of them over
//! contended links, and come out as if all were: the steps of others are steps beside theirs. That
//! all anew gives the same bits is tested.
//!
//! *Complexity*: O(jobs on a link) for each link of a job that comes or goes; for a set of
//! connected jobs O(E + F · K), where E is on how many of the K contended links each of them is,
//! summed up, and F how many of these links are filled one after the other.
//!
//! Source: D. Bertsekas, R. Gallager, "Data Networks", 2nd edition, 1992, section 6.5.2 (max-min
//! fair flow control); that one number holds on all links of a job, as in the hose model its
//! machines progress together, is the project's own.

use std::collections::BTreeMap;

use crate::decimal::Decimal;
use crate::id::{Id, JobId, LinkId};
use crate::unit::{Kbps, Time};

/// What jobs asked for of links that they shared over a run, and what they got of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// What the job of each allocation, by its place in the record, asked for of each link on its
    /// way.
    pub demands: Vec<Vec<(LinkId, Kbps)>>,
    /// From when on a job had which share, in the order of time; at the start of an allocation, all
    /// that it asked for.
    pub changes: Vec<(Time, JobId, f64)>,
}

/// Shares are rounded: by so much of its capacity a full link may seem not to be, and of two equal
/// shares one smaller.
const ROUNDING: f64 = 1e-9;

/// How fast a job goes beside its undisturbed speed that has a share of the bandwidth it asks for,
/// and spends a part of its undisturbed run time communicating.
pub fn speed(communication: f64, share: f64) -> f64 {
    1.0 / ((1.0 - communication) + communication / share)
}

/// The running jobs and what they get of the links they share.
#[derive(Clone, Debug)]
pub struct Sharing {
    /// The share that every job has (g).
    guaranteed: f64,
    /// The part of their undisturbed run time that jobs spend communicating (c).
    communication: f64,
    links: Vec<Link>,
    /// The running jobs that ask for bandwidth, and their positions in `sharers`.
    running: BTreeMap<JobId, usize>,
    sharers: Vec<Sharer>,
    /// Positions in `sharers` that nobody has.
    vacant: Vec<usize>,
    /// The links that were or are contended and that jobs have come to or left since shares were
    /// last computed.
    changed: Vec<LinkId>,
    /// Counts the computations of shares: what has its number has been looked at in this one.
    computation: u64,
}

/// A link.
#[derive(Clone, Debug)]
struct Link {
    /// C.
    capacity: Kbps,
    /// What its users ask for together.
    asked: Kbps,
    /// By job: who asks for something of it, at which position in `sharers`.
    users: Vec<(JobId, usize)>,
    looked_at: u64,
    /// What the jobs that have stopped leave of it (L).
    left: f64,
    /// What the open ones ask for together (U), kbit/s.
    open: u64,
    /// Its position among the contended links that are filled with it.
    place: usize,
}

/// A running job.
#[derive(Clone, Debug)]
struct Sharer {
    job: JobId,
    /// What it asks for of each link on its way (d), none of it 0.
    asks: Vec<(LinkId, Kbps)>,
    share: f64,
    looked_at: u64,
    open: bool,
}

impl Link {
    fn is_contended(&self) -> bool {
        self.asked > self.capacity
    }

    /// The share at which the open jobs fill it; more than any where none is open.
    fn full_at(&self, guaranteed: f64) -> f64 {
        if self.open == 0 {
            return f64::INFINITY;
        }
        let alike = self.capacity.0 as f64 / self.asked.0 as f64;
        (self.left / self.open as f64).max(alike).max(guaranteed)
    }
}

impl Sharing {
    /// Nobody on links of these capacities, on which jobs are guaranteed so many per cent of what
    /// they ask for and spend a part of their undisturbed run time communicating, 0 to 1.
    pub fn new(capacity: &[Kbps], guaranteed_percent: u32, communication: Decimal) -> Sharing {
        let link = |capacity: &Kbps| Link {
            capacity: *capacity,
            asked: Kbps(0),
            users: Vec::new(),
            looked_at: 0,
            left: 0.0,
            open: 0,
            place: 0,
        };
        Sharing {
            guaranteed: f64::from(guaranteed_percent) / 100.0,
            communication: communication.to_f64(),
            links: capacity.iter().map(link).collect(),
            running: BTreeMap::new(),
            sharers: Vec::new(),
            vacant: Vec::new(),
            changed: Vec::new(),
            computation: 0,
        }
    }

    /// A job starts that asks for so much of each of these links, each named once. Until shares are
    /// computed it has all of it.
    pub fn start(&mut self, job: JobId, mut asks: Vec<(LinkId, Kbps)>) {
        asks.retain(|&(_, asked)| asked > Kbps(0));
        if asks.is_empty() {
            return;
        }
        let position = self.vacant.pop().unwrap_or(self.sharers.len());
        for &(id, asked) in &asks {
            let link = &mut self.links[id.index()];
            link.asked += asked;
            let behind = link.users.partition_point(|user| user.0 < job);
            link.users.insert(behind, (job, position));
            if link.is_contended() {
                self.changed.push(id);
            }
        }
        let sharer = Sharer {
            job,
            asks,
            share: 1.0,
            looked_at: 0,
            open: false,
        };
        match self.sharers.get_mut(position) {
            Some(vacant) => *vacant = sharer,
            None => self.sharers.push(sharer),
        }
        self.running.insert(job, position);
    }

    /// A job leaves its links.
    pub fn stop(&mut self, job: JobId) {
        let Some(position) = self.running.remove(&job) else {
            return;
        };
        self.vacant.push(position);
        for &(id, asked) in &self.sharers[position].asks {
            let link = &mut self.links[id.index()];
            if link.is_contended() {
                self.changed.push(id);
            }
            link.asked -= asked;
            link.users.retain(|user| user.0 != job);
        }
    }

    /// Computes the shares again after jobs have come and gone; moves those to `changed` whose
    /// share is another one.
    pub fn share_out(&mut self, changed: &mut Vec<JobId>) {
        if self.changed.is_empty() {
            return;
        }
        let (contended, connected) = self.connected();
        let before: Vec<f64> = connected.iter().map(|&at| self.sharers[at].share).collect();
        self.fill(&contended, &connected);
        for (position, before) in connected.into_iter().zip(before) {
            let sharer = &self.sharers[position];
            if sharer.share != before {
                changed.push(sharer.job);
            }
        }
    }

    /// The contended links that are connected with one that has changed, and the positions of the
    /// jobs on these and on those that are no longer contended.
    fn connected(&mut self) -> (Vec<LinkId>, Vec<usize>) {
        self.computation += 1;
        let now = self.computation;
        let to_look_at = &mut self.changed;
        let (mut contended, mut connected) = (Vec::new(), Vec::new());
        while let Some(id) = to_look_at.pop() {
            let link = &mut self.links[id.index()];
            if std::mem::replace(&mut link.looked_at, now) == now {
                continue;
            }
            if link.is_contended() {
                contended.push(id);
            }
            for &(_, position) in &self.links[id.index()].users {
                let sharer = &mut self.sharers[position];
                if std::mem::replace(&mut sharer.looked_at, now) == now {
                    continue;
                }
                connected.push(position);
                let ways = sharer.asks.iter().map(|asks| asks.0);
                to_look_at.extend(ways.filter(|way| {
                    let link = &self.links[way.index()];
                    link.is_contended() && link.looked_at != now
                }));
            }
        }
        (contended, connected)
    }

    /// Progressive filling of contended links by the jobs that are connected by them.
    fn fill(&mut self, contended: &[LinkId], connected: &[usize]) {
        for &position in connected {
            let sharer = &mut self.sharers[position];
            (sharer.share, sharer.open) = (1.0, true);
        }
        let guaranteed = self.guaranteed;
        let mut full_at = Vec::with_capacity(contended.len());
        for (place, id) in contended.iter().enumerate() {
            let link = &mut self.links[id.index()];
            link.place = place;
            link.left = link.capacity.0 as f64;
            link.open = link.asked.0;
            full_at.push(link.full_at(guaranteed));
        }
        loop {
            let share = full_at.iter().copied().fold(1.0, f64::min);
            let full = contended.iter().zip(&full_at);
            let full = full.filter(|&(_, &full_at)| full_at == share);
            let Some(&full) = full.map(|(id, _)| id).min().filter(|_| share < 1.0) else {
                return;
            };
            for user in 0..self.links[full.index()].users.len() {
                let (_, position) = self.links[full.index()].users[user];
                let sharer = &mut self.sharers[position];
                if !std::mem::take(&mut sharer.open) {
                    continue;
                }
                sharer.share = share;
                for &(id, asked) in &sharer.asks {
                    let link = &mut self.links[id.index()];
                    if link.is_contended() {
                        link.left -= share * asked.0 as f64;
                        link.open -= asked.0;
                        full_at[link.place] = link.full_at(guaranteed);
                    }
                }
            }
        }
    }

    /// The share that a running job has of what it asks for, as last computed.
    pub fn share_of(&self, job: JobId) -> f64 {
        self.sharer(job).map_or(1.0, |sharer| sharer.share)
    }

    /// How fast a running job goes beside its undisturbed speed.
    pub fn speed_of(&self, job: JobId) -> f64 {
        speed(self.communication, self.share_of(job))
    }

    /// For which link a running job has less than it asks for: the first full one on its way on
    /// which no other job has a larger share. `None` where it has all.
    pub fn limit_of(&self, job: JobId) -> Option<LinkId> {
        let sharer = self.sharer(job).filter(|sharer| sharer.share < 1.0)?;
        let ways = sharer.asks.iter().map(|asks| asks.0);
        ways.filter(|&way| self.holds_up(way, sharer.share)).min()
    }

    /// Whether a link is full, and nobody on it has a larger share.
    fn holds_up(&self, id: LinkId, share: f64) -> bool {
        let link = &self.links[id.index()];
        let (mut used, mut largest) = (0.0, share);
        for &(_, position) in &link.users {
            let user = &self.sharers[position];
            let asks = user.asks.iter().find(|asks| asks.0 == id);
            let (_, asked) = asks.expect("it uses the link");
            used += user.share * asked.0 as f64;
            largest = largest.max(user.share);
        }
        used >= link.capacity.0 as f64 * (1.0 - ROUNDING) && share >= largest * (1.0 - ROUNDING)
    }

    /// The running jobs that ask for something of a link, ascending.
    pub fn users_of(&self, link: LinkId) -> impl Iterator<Item = JobId> {
        self.links[link.index()].users.iter().map(|user| user.0)
    }

    fn sharer(&self, job: JobId) -> Option<&Sharer> {
        Some(&self.sharers[*self.running.get(&job)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs by index, each with what it asks for of each link, in kbit/s.
    fn shares(capacity: &[u64], percent: u32, jobs: &[&[u64]]) -> Vec<f64> {
        let capacity: Vec<Kbps> = capacity.iter().copied().map(Kbps).collect();
        let mut sharing = Sharing::new(&capacity, percent, Decimal::whole(1));
        for (job, asks) in jobs.iter().enumerate() {
            let asks = asks.iter().enumerate();
            let asks = asks.map(|(link, &asked)| (LinkId::new(link), Kbps(asked)));
            sharing.start(JobId::new(job), asks.collect());
        }
        sharing.share_out(&mut Vec::new());
        let jobs = 0..jobs.len();
        jobs.map(|job| sharing.share_of(JobId::new(job))).collect()
    }

    #[test]
    fn a_job_alone_has_what_its_links_carry() {
        assert_eq!(shares(&[1000, 600], 0, &[&[1000, 800]]), [0.75]);
        assert_eq!(shares(&[1000, 600], 0, &[&[500, 600]]), [1.0]);
        assert_eq!(shares(&[1000], 0, &[&[0]]), [1.0]);
    }

    #[test]
    fn two_alike_have_half_of_a_link_each_and_go_as_much_slower_as_they_communicate() {
        assert_eq!(shares(&[1000], 0, &[&[1000], &[1000]]), [0.5, 0.5]);
        assert_eq!(speed(1.0, 0.5), 0.5);
        assert_eq!(speed(0.0, 0.5), 1.0);
        assert_eq!(speed(0.5, 0.5), 1.0 / 1.5);
        for communication in 0..=1000 {
            assert_eq!(speed(f64::from(communication) / 1000.0, 1.0), 1.0);
        }
    }

    /// The first link gives half to both on it; of the second, the third job then has all it asks
    /// for.
    #[test]
    fn who_is_held_up_elsewhere_leaves_the_rest() {
        let jobs: [&[u64]; 3] = [&[1000, 1000], &[1000, 0], &[0, 500]];
        assert_eq!(shares(&[1000, 1000], 0, &jobs), [0.5, 0.5, 1.0]);
        let jobs: [&[u64]; 3] = [&[1000, 1000], &[3000, 0], &[0, 1000]];
        assert_eq!(shares(&[1000, 1000], 0, &jobs), [0.25, 0.25, 0.75]);
    }

    #[test]
    fn what_is_guaranteed_is_the_least() {
        let thirds = shares(&[1000], 40, &[&[500], &[500], &[500]]);
        assert_eq!(thirds, [2.0 / 3.0; 3]);
        // A link that is overbooked gives what is guaranteed all the same.
        assert_eq!(shares(&[1000], 40, &[&[2000], &[2000]]), [0.4, 0.4]);
    }

    #[test]
    fn shares_follow_as_jobs_come_and_go() {
        let mut sharing = Sharing::new(&[Kbps(1000), Kbps(1000)], 0, Decimal::whole(1));
        let asks = |link: u32| vec![(LinkId(link), Kbps(800))];
        let mut changed = Vec::new();
        let mut share_out = |sharing: &mut Sharing| {
            changed.clear();
            sharing.share_out(&mut changed);
            changed.sort_unstable();
            changed.clone()
        };
        sharing.start(JobId(3), asks(0));
        sharing.start(JobId(4), asks(1));
        assert_eq!(share_out(&mut sharing), []);
        sharing.start(JobId(7), asks(0));
        assert_eq!(share_out(&mut sharing), [JobId(3), JobId(7)]);
        assert_eq!(sharing.share_of(JobId(7)), 0.625);
        assert_eq!(sharing.limit_of(JobId(7)), Some(LinkId(0)));
        let users: Vec<JobId> = sharing.users_of(LinkId(0)).collect();
        assert_eq!(users, [JobId(3), JobId(7)]);
        sharing.stop(JobId(3));
        assert_eq!(share_out(&mut sharing), [JobId(7)]);
        assert_eq!(sharing.share_of(JobId(7)), 1.0);
        assert_eq!(sharing.limit_of(JobId(7)), None);
        // Who comes and goes before shares are computed has changed nothing.
        sharing.start(JobId(9), asks(1));
        sharing.stop(JobId(9));
        assert_eq!(share_out(&mut sharing), []);
    }
}
