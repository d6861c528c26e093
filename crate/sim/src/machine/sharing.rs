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
//! *The next link*: as jobs stop, the share at which a link is full only rises, but for rounding.
//! So links stand in a heap by a share that is no more than theirs: the first is found again where
//! its own has risen meanwhile, and whose share rounding lets fall gets a further entry.
//!
//! *Complexity*: O(jobs on a link) for each link of a job that comes or goes; for a set of
//! connected jobs O(E + K log K), where E is on how many of the K contended links each of them is,
//! summed up, as long as a link's share seldom rises between two looks at it.
//!
//! Source: D. Bertsekas, R. Gallager, "Data Networks", 2nd edition, 1992, section 6.5.2 (max-min
//! fair flow control); that one number holds on all links of a job, as in the hose model its
//! machines progress together, is the project's own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

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
    /// How far each link is filled.
    levels: Vec<Level>,
    /// The running jobs that ask for bandwidth, and their positions in `sharers` and `shares`.
    running: BTreeMap<JobId, u32>,
    sharers: Vec<Sharer>,
    shares: Vec<Share>,
    /// Positions that nobody has.
    vacant: Vec<u32>,
    /// The links that were or are contended and that jobs have come to or left since shares were
    /// last computed.
    changed: Vec<LinkId>,
    /// Counts the computations of shares, from 2 on.
    computation: u64,
    /// The contended links of this computation.
    contended: Vec<LinkId>,
    /// The positions of the jobs whose shares it computes.
    connected: Vec<u32>,
    /// The links that may be full next, each by a share below which it is not full: as bits, which
    /// ascend as shares do.
    rising: BinaryHeap<Reverse<(u64, LinkId)>>,
}

/// A link.
#[derive(Clone, Debug)]
struct Link {
    /// C.
    capacity: Kbps,
    /// What its users ask for together.
    asked: Kbps,
    /// By job: who asks for something of it, at which position.
    users: Vec<(JobId, u32)>,
    /// The least share that its users can have.
    least: f64,
}

/// What is looked at again and again of a link while it is filled.
#[derive(Clone, Debug)]
struct Level {
    /// The last computation that has come to it; 1 before any, 0 where it is not contended.
    reached: u64,
    /// What the jobs that have stopped leave of it (L).
    left: f64,
    /// What the open ones ask for together (U), kbit/s.
    open: u64,
    /// The share by which it stands among the rising links; 0 where that is the least that its users
    /// can have, below which it never is.
    rises_from: f64,
}

/// A running job.
#[derive(Clone, Debug)]
struct Sharer {
    job: JobId,
    /// What it asks for of each link on its way (d), none of it 0.
    asks: Vec<(LinkId, Kbps)>,
    /// Its share before the last computation that has come to it.
    before: f64,
}

/// What a running job has.
#[derive(Clone, Debug)]
struct Share {
    /// x: 1 while the job is open.
    share: f64,
    /// The last computation that has come to it.
    reached: u64,
}

impl Link {
    fn is_contended(&self) -> bool {
        self.asked > self.capacity
    }

    /// The share at which the open jobs, of whom there must be one, fill it.
    fn full_at(&self, level: &Level) -> f64 {
        (level.left / level.open as f64).max(self.least)
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
            least: 0.0,
        };
        let level = Level {
            reached: 0,
            left: 0.0,
            open: 0,
            rises_from: 0.0,
        };
        Sharing {
            guaranteed: f64::from(guaranteed_percent) / 100.0,
            communication: communication.to_f64(),
            links: capacity.iter().map(link).collect(),
            levels: vec![level; capacity.len()],
            running: BTreeMap::new(),
            sharers: Vec::new(),
            shares: Vec::new(),
            vacant: Vec::new(),
            changed: Vec::new(),
            computation: 1,
            contended: Vec::new(),
            connected: Vec::new(),
            rising: BinaryHeap::new(),
        }
    }

    /// A job starts that asks for so much of each of these links, each named once. Until shares are
    /// computed it has all of it.
    pub fn start(&mut self, job: JobId, mut asks: Vec<(LinkId, Kbps)>) {
        asks.retain(|&(_, asked)| asked > Kbps(0));
        if asks.is_empty() {
            return;
        }
        let position = self.vacant.pop().unwrap_or(self.sharers.len() as u32);
        for &(id, asked) in &asks {
            let link = &mut self.links[id.index()];
            link.asked += asked;
            let behind = link.users.partition_point(|user| user.0 < job);
            link.users.insert(behind, (job, position));
            if link.is_contended() {
                self.changed.push(id);
                let level = &mut self.levels[id.index()];
                level.reached = level.reached.max(1);
            }
        }
        let sharer = Sharer {
            job,
            asks,
            before: 1.0,
        };
        let share = Share {
            share: 1.0,
            reached: 0,
        };
        match self.sharers.get_mut(position as usize) {
            Some(vacant) => {
                *vacant = sharer;
                self.shares[position as usize] = share;
            }
            None => {
                self.sharers.push(sharer);
                self.shares.push(share);
            }
        }
        self.running.insert(job, position);
    }

    /// A job leaves its links.
    pub fn stop(&mut self, job: JobId) {
        let Some(position) = self.running.remove(&job) else {
            return;
        };
        self.vacant.push(position);
        for &(id, asked) in &self.sharers[position as usize].asks {
            let link = &mut self.links[id.index()];
            if link.is_contended() {
                self.changed.push(id);
            }
            link.asked -= asked;
            link.users.retain(|user| user.0 != job);
            if !link.is_contended() {
                self.levels[id.index()].reached = 0;
            }
        }
    }

    /// Computes the shares again after jobs have come and gone; returns the jobs whose share is
    /// another one, and that share.
    pub fn share_out(&mut self) -> Vec<(JobId, f64)> {
        if self.changed.is_empty() {
            return Vec::new();
        }
        self.connect();
        self.fill();
        let connected = self.connected.iter().map(|&position| position as usize);
        let found = connected.map(|at| (&self.sharers[at], self.shares[at].share));
        let others = found.filter(|(sharer, share)| sharer.before != *share);
        others.map(|(sharer, share)| (sharer.job, share)).collect()
    }

    /// Finds the contended links that are connected with one that has changed, and the jobs on these
    /// and on those that are no longer contended: they are open.
    fn connect(&mut self) {
        self.computation += 1;
        self.contended.clear();
        self.connected.clear();
        while let Some(id) = self.changed.pop() {
            match &mut self.levels[id.index()].reached {
                0 => self.connect_users(id),
                reached if *reached == self.computation => {}
                reached => {
                    *reached = self.computation;
                    self.contended.push(id);
                }
            }
        }
        let mut next = 0;
        while self.connected.len() < self.running.len()
            && let Some(&id) = self.contended.get(next)
        {
            self.connect_users(id);
            next += 1;
        }
    }

    /// Finds the jobs on a link, and the contended links on their ways.
    fn connect_users(&mut self, link: LinkId) {
        let now = self.computation;
        for &(_, position) in &self.links[link.index()].users {
            let share = &mut self.shares[position as usize];
            if share.reached == now {
                continue;
            }
            share.reached = now;
            self.connected.push(position);
            let sharer = &mut self.sharers[position as usize];
            sharer.before = std::mem::replace(&mut share.share, 1.0);
            for &(id, _) in &sharer.asks {
                let reached = &mut self.levels[id.index()].reached;
                if *reached != 0 && *reached != now {
                    *reached = now;
                    self.contended.push(id);
                }
            }
        }
    }

    /// Progressive filling of contended links by the jobs that are connected by them.
    fn fill(&mut self) {
        let mut rising = std::mem::take(&mut self.rising).into_vec();
        rising.clear();
        for &id in &self.contended {
            let link = &mut self.links[id.index()];
            let level = &mut self.levels[id.index()];
            level.left = link.capacity.0 as f64;
            level.open = link.asked.0;
            level.rises_from = 0.0;
            link.least = (level.left / level.open as f64).max(self.guaranteed);
            rising.push(Reverse((link.least.to_bits(), id)));
        }
        self.rising = rising.into();
        while let Some(&Reverse((bits, full))) = self.rising.peek() {
            let level = &mut self.levels[full.index()];
            if level.open == 0 {
                self.rising.pop();
                continue;
            }
            let share = self.links[full.index()].full_at(level);
            if share.to_bits() != bits {
                level.rises_from = share;
                *self.rising.peek_mut().expect("it is the first") =
                    Reverse((share.to_bits(), full));
                continue;
            }
            if share >= 1.0 {
                return;
            }
            self.rising.pop();
            self.stop_on(full, share);
        }
    }

    /// The open jobs on a link, which is full, stop at a share.
    fn stop_on(&mut self, full: LinkId, share: f64) {
        for &(_, position) in &self.links[full.index()].users {
            let own = &mut self.shares[position as usize].share;
            if *own < 1.0 {
                continue;
            }
            *own = share;
            for &(id, asked) in &self.sharers[position as usize].asks {
                let level = &mut self.levels[id.index()];
                if level.reached == 0 {
                    continue;
                }
                level.left -= share * asked.0 as f64;
                level.open -= asked.0;
                // Only then can its share have become less.
                if level.left <= level.rises_from * level.open as f64 && level.open > 0 {
                    let full_at = self.links[id.index()].full_at(level);
                    if full_at < level.rises_from {
                        level.rises_from = full_at;
                        self.rising.push(Reverse((full_at.to_bits(), id)));
                    }
                }
            }
        }
    }

    /// The share that a running job has of what it asks for, as last computed.
    pub fn share_of(&self, job: JobId) -> f64 {
        self.position(job)
            .map_or(1.0, |position| self.shares[position].share)
    }

    /// How fast a job with such a share goes beside its undisturbed speed.
    pub fn speed(&self, share: f64) -> f64 {
        speed(self.communication, share)
    }

    /// How fast a running job goes beside its undisturbed speed.
    pub fn speed_of(&self, job: JobId) -> f64 {
        self.speed(self.share_of(job))
    }

    /// For which link a running job has less than it asks for: the first full one on its way on
    /// which no other job has a larger share. `None` where it has all.
    pub fn limit_of(&self, job: JobId) -> Option<LinkId> {
        let position = self.position(job)?;
        let share = self.shares[position].share;
        let ways = self.sharers[position].asks.iter().map(|asks| asks.0);
        ways.filter(|&way| share < 1.0 && self.holds_up(way, share))
            .min()
    }

    /// Whether a link is full, and nobody on it has a larger share.
    fn holds_up(&self, id: LinkId, share: f64) -> bool {
        let link = &self.links[id.index()];
        let (mut used, mut largest) = (0.0, share);
        for &(_, position) in &link.users {
            let asks = &self.sharers[position as usize].asks;
            let (_, asked) = asks.iter().find(|asks| asks.0 == id).expect("it uses it");
            let share = self.shares[position as usize].share;
            used += share * asked.0 as f64;
            largest = largest.max(share);
        }
        used >= link.capacity.0 as f64 * (1.0 - ROUNDING) && share >= largest * (1.0 - ROUNDING)
    }

    /// The running jobs that ask for something of a link, ascending.
    pub fn users_of(&self, link: LinkId) -> impl Iterator<Item = JobId> {
        self.links[link.index()].users.iter().map(|user| user.0)
    }

    fn position(&self, job: JobId) -> Option<usize> {
        self.running.get(&job).map(|&position| position as usize)
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
        sharing.share_out();
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
        let share_out = |sharing: &mut Sharing| {
            let changed = sharing.share_out().into_iter();
            let mut jobs: Vec<JobId> = changed.map(|of| of.0).collect();
            jobs.sort_unstable();
            jobs
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
