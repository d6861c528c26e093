//! Sharing of links that are reserved only in part or not at all: the share of each job, and the
//! speed at which it runs with it.
//!
//! At full speed a running job requests a bandwidth d on each link of its path. One number x, its
//! **share**, is the part of it that the job gets, the same on all links: at least the guaranteed g
//! and at most 1. Shares are max-min fair, by progressive filling: all start at g and rise
//! together; where a link is full, Σ x·d = C, the jobs on it stop; a job stops at 1. So a job gets
//! its full request, or a full link on its path carries no job with a larger share. It runs at 1 /
//! ((1 − c) + c / x) of its undisturbed speed, where c is the part of its undisturbed run time
//! spent communicating.
//!
//! Source: D. Bertsekas, R. Gallager, "Data Networks", 2nd edition, 1992, section 6.5.2 (max-min
//! fair flow control). That one share holds on all links of a job, as the machines of a hose
//! progress together, is the project's own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::decimal::Decimal;
use crate::id::{Id, JobId, LinkId};
use crate::unit::{Kbps, Time};

/// The requests on shared links over a run, and the shares that jobs got.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// By position of the allocation in the record: the bandwidth requested on each link of its
    /// path.
    pub demands: Vec<Vec<(LinkId, Kbps)>>,
    /// (time, job, share) in order of time; an allocation starts with a share of 1.
    pub changes: Vec<(Time, JobId, f64)>,
}

/// Tolerance for rounded shares: a full link may seem to have this part of its capacity free, and
/// of two equal shares one may seem smaller by it.
const ROUNDING: f64 = 1e-9;

/// A link becomes tight where no more than this power of a half of it is free: more than rounding can
/// make up.
const BARELY: u32 = 30;
/// It is no longer tight where more than this power of a half of it is free.
const CLEARLY: u32 = 7;

/// The speed of a job relative to its undisturbed speed, for its share and the part of its
/// undisturbed run time that it spends communicating.
pub fn speed(communication: f64, share: f64) -> f64 {
    1.0 / ((1.0 - communication) + communication / share)
}

/// The running jobs and their shares.
///
/// *Arithmetic*: the open jobs on a link, whose d sum up to U, fill it at the share L / U, where L
/// is the part of C that stopped jobs leave. It is at least the equal share of all on the link, and
/// at least g; rounding cannot lower it below that. The link with the least such share is filled
/// next, equal ones by ascending index; its open jobs stop by ascending index, and each subtracts
/// x·d from the L of every link on its path. d, C and U are whole kbit/s; L and shares are f64
/// under + − × ÷ only: the same bits everywhere. Links that carry their whole demand, compared in
/// whole numbers, limit no job and are left out.
///
/// *Tight links*: a link on which Σ x·d < C in the end is never the next to be full: its open jobs
/// end with at least the share x at which the next link is full, so L > x·U until then. So only
/// tight links are filled, and what the others carry by the shares that come out is held against
/// C; where it comes near, the link is tight, too, and shares are computed once more.
///
/// *Incremental*: jobs interact only over tight links. When jobs start or end, shares are computed
/// again only for jobs connected with one of them over tight links. A test checks that this gives
/// the same bits as filling all links.
///
/// *Heap*: as jobs stop, the share at which a link is full only rises, except for rounding. So
/// links are in a heap by a lower bound of their share: the first is updated if its share has
/// risen, and a link whose share rounding lowers gets a further entry.
///
/// *Complexity*: O(jobs on a link) for each link of a job that starts or ends; O(E + K log K) for a
/// set of connected jobs, where E is the sum over them of the links of each and K the number of
/// tight ones, as long as a link's share seldom rises between two looks at it.
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
    /// Unused positions.
    vacant: Vec<u32>,
    /// The links that were or are tight and on which jobs have started or ended since shares were
    /// last computed, and those that have become tight.
    changed: Vec<LinkId>,
    /// Counts the computations of shares, from 2 on.
    computation: u64,
    /// The tight links of this computation.
    tight: Vec<LinkId>,
    /// The positions of the jobs whose shares it computes, and what these were.
    connected: Vec<(u32, f64)>,
    /// The links that may be full next, each by a share below which it is not full: as bits, which
    /// ascend as shares do.
    rising: BinaryHeap<Reverse<(u64, LinkId)>>,
}

/// A link.
#[derive(Clone, Debug)]
struct Link {
    /// C.
    capacity: Kbps,
    /// The total demand of its users.
    asked: Kbps,
    /// At least what it carries by the shares of its users, in parts of a kbit/s.
    carried: u64,
    /// The jobs that request bandwidth on it, ascending, with their positions.
    users: Vec<(JobId, u32)>,
    /// The least share that its users can have.
    least: f64,
}

/// The part of a link that changes while it is filled.
#[derive(Clone, Debug)]
struct Level {
    /// The last computation that reached it; 1 before any, 0 if it is not tight.
    reached: u64,
    /// The part of its rate that the stopped jobs leave (L).
    left: f64,
    /// The total demand of the open jobs (U), kbit/s.
    open: u64,
    /// Its share in the heap of rising links; 0 where that is `least`, below which it never falls.
    rises_from: f64,
}

/// A running job.
#[derive(Clone, Debug)]
struct Sharer {
    job: JobId,
    /// Its demand on each link of its path (d), none of it 0: first on the tight ones.
    asks: Vec<(LinkId, Kbps)>,
    /// On how many tight ones.
    tight: usize,
}

/// The share of a running job.
#[derive(Clone, Debug)]
struct Share {
    /// x: 1 while the job is open.
    share: f64,
    /// The last computation that reached it.
    reached: u64,
}

/// What a link carries is counted in so many parts of a kbit/s: in whole numbers, so that nothing
/// adds up that was rounded.
const PARTS: u64 = 1024;

/// At least what a job with such a share and demand puts on a link, in parts.
fn parts(share: f64, asked: Kbps) -> u64 {
    (share * asked.0 as f64 * PARTS as f64) as u64 + 1
}

impl Link {
    fn is_contended(&self) -> bool {
        self.asked > self.capacity
    }

    /// Whether it is contended and the shares of its users leave no more of it free than this power
    /// of a half.
    fn is_tight(&self, power: u32) -> bool {
        let all = self.capacity.0 * PARTS;
        self.is_contended() && self.carried > all - (all >> power)
    }

    /// The share at which the open jobs fill it; there must be one.
    fn full_at(&self, level: &Level) -> f64 {
        (level.left / level.open as f64).max(self.least)
    }
}

impl Sharer {
    /// A link on its path has become tight, or is no longer.
    fn turn(&mut self, link: LinkId, is_tight: bool) {
        let at = self.asks.iter().position(|asks| asks.0 == link);
        let at = at.expect("it is on its path");
        if is_tight {
            self.asks.swap(at, self.tight);
            self.tight += 1;
        } else {
            self.tight -= 1;
            self.asks.swap(at, self.tight);
        }
    }
}

impl Sharing {
    /// No jobs on links of these capacities. Jobs are guaranteed a percentage of their demand and
    /// spend a part of their undisturbed run time communicating, 0 to 1.
    pub fn new(capacity: &[Kbps], guaranteed_percent: u32, communication: Decimal) -> Sharing {
        let link = |capacity: &Kbps| Link {
            capacity: *capacity,
            asked: Kbps(0),
            carried: 0,
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
            tight: Vec::new(),
            connected: Vec::new(),
            rising: BinaryHeap::new(),
        }
    }

    /// Starts a job with a demand on each of these links, each named once. Its share is 1 until
    /// shares are computed.
    pub fn start(&mut self, job: JobId, mut asks: Vec<(LinkId, Kbps)>) {
        asks.retain(|&(_, asked)| asked > Kbps(0));
        if asks.is_empty() {
            return;
        }
        let position = self.vacant.pop().unwrap_or(self.sharers.len() as u32);
        let sharer = Sharer {
            job,
            asks: asks.clone(),
            tight: 0,
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
        for (id, asked) in asks {
            let link = &mut self.links[id.index()];
            link.asked += asked;
            link.carried += parts(1.0, asked);
            let behind = link.users.partition_point(|user| user.0 < job);
            link.users.insert(behind, (job, position));
            if self.levels[id.index()].reached != 0 {
                self.sharers[position as usize].turn(id, true);
                self.changed.push(id);
            } else if link.is_tight(BARELY) {
                self.turn(id, true);
                self.changed.push(id);
            }
        }
    }

    /// A link has become tight, or is no longer.
    fn turn(&mut self, id: LinkId, is_tight: bool) {
        self.levels[id.index()].reached = u64::from(is_tight);
        for &(_, position) in &self.links[id.index()].users {
            self.sharers[position as usize].turn(id, is_tight);
        }
    }

    /// Removes a job from its links.
    pub fn stop(&mut self, job: JobId) {
        let Some(position) = self.running.remove(&job) else {
            return;
        };
        self.vacant.push(position);
        let share = self.shares[position as usize].share;
        for (id, asked) in std::mem::take(&mut self.sharers[position as usize].asks) {
            let link = &mut self.links[id.index()];
            link.asked -= asked;
            link.carried -= parts(share, asked);
            link.users.retain(|user| user.0 != job);
            if self.levels[id.index()].reached != 0 {
                self.changed.push(id);
                if !self.links[id.index()].is_contended() {
                    self.turn(id, false);
                }
            }
        }
    }

    /// Computes the shares again after jobs have come and gone; returns the jobs whose share is
    /// another one, and that share.
    pub fn share_out(&mut self) -> Vec<(JobId, f64)> {
        let first = self.computation + 1;
        let mut reached = Vec::new();
        while !self.changed.is_empty() {
            self.connect(first, &mut reached);
            self.fill();
            self.settle();
        }
        let found = reached.into_iter().map(|(position, before)| {
            let at = position as usize;
            (self.sharers[at].job, before, self.shares[at].share)
        });
        let others = found.filter(|&(_, before, share)| before != share);
        others.map(|(job, _, share)| (job, share)).collect()
    }

    /// Finds the tight links that are connected with one that has changed, and the jobs on these and
    /// on those that are no longer tight: they are open. Adds those to `all`, with their
    /// shares, that no computation has reached since the `first` one.
    fn connect(&mut self, first: u64, all: &mut Vec<(u32, f64)>) {
        self.computation += 1;
        self.tight.clear();
        self.connected.clear();
        while let Some(id) = self.changed.pop() {
            match &mut self.levels[id.index()].reached {
                0 => self.connect_users(id, first, all),
                reached if *reached == self.computation => {}
                reached => {
                    *reached = self.computation;
                    self.tight.push(id);
                }
            }
        }
        let mut next = 0;
        while self.connected.len() < self.running.len()
            && let Some(&id) = self.tight.get(next)
        {
            self.connect_users(id, first, all);
            next += 1;
        }
    }

    /// Finds the jobs on a link, and the tight links on their ways.
    fn connect_users(&mut self, link: LinkId, first: u64, all: &mut Vec<(u32, f64)>) {
        let now = self.computation;
        for &(_, position) in &self.links[link.index()].users {
            let share = &mut self.shares[position as usize];
            if share.reached == now {
                continue;
            }
            let before = std::mem::replace(&mut share.share, 1.0);
            self.connected.push((position, before));
            if share.reached < first {
                all.push((position, before));
            }
            share.reached = now;
            let sharer = &self.sharers[position as usize];
            for &(id, _) in &sharer.asks[..sharer.tight] {
                let reached = &mut self.levels[id.index()].reached;
                if *reached != now {
                    *reached = now;
                    self.tight.push(id);
                }
            }
        }
    }

    /// Counts what links carry by the new shares. Those that have become tight are changed; without
    /// such, those that are clearly no longer tight are left out from now on.
    fn settle(&mut self) {
        for &(position, before) in &self.connected {
            let share = self.shares[position as usize].share;
            if share == before {
                continue;
            }
            for &(id, asked) in &self.sharers[position as usize].asks {
                let link = &mut self.links[id.index()];
                link.carried = link.carried + parts(share, asked) - parts(before, asked);
                if self.levels[id.index()].reached == 0 && link.is_tight(BARELY) {
                    self.changed.push(id);
                }
            }
        }
        for id in std::mem::take(&mut self.changed) {
            let is_tight = self.levels[id.index()].reached != 0;
            if !is_tight && self.links[id.index()].is_tight(BARELY) {
                self.turn(id, true);
                self.changed.push(id);
            }
        }
        if !self.changed.is_empty() {
            return;
        }
        for id in std::mem::take(&mut self.tight) {
            if !self.links[id.index()].is_tight(CLEARLY) {
                self.turn(id, false);
            }
        }
    }

    /// Progressive filling of tight links by the jobs that are connected by them.
    fn fill(&mut self) {
        let mut rising = std::mem::take(&mut self.rising).into_vec();
        rising.clear();
        for &id in &self.tight {
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
            let sharer = &self.sharers[position as usize];
            for &(id, asked) in &sharer.asks[..sharer.tight] {
                let level = &mut self.levels[id.index()];
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

    /// The share of a running job, as last computed.
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

    /// The link that limits a running job: the first full one on its path on which no other job has
    /// a larger share. `None` if the job gets its full demand.
    pub fn limit_of(&self, job: JobId) -> Option<LinkId> {
        let position = self.position(job)?;
        let share = self.shares[position].share;
        let ways = self.sharers[position].asks.iter().map(|asks| asks.0);
        ways.filter(|&way| share < 1.0 && self.holds_up(way, share))
            .min()
    }

    /// Whether a link is full and no job on it has a larger share.
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

    /// The running jobs with a demand on a link, ascending.
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

    /// Jobs by index, each with its demand on each link, in kbit/s.
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

    /// The first link gives half to both jobs on it; the third job then gets its full demand on the
    /// second.
    #[test]
    fn a_job_limited_elsewhere_leaves_the_rest() {
        let jobs: [&[u64]; 3] = [&[1000, 1000], &[1000, 0], &[0, 500]];
        assert_eq!(shares(&[1000, 1000], 0, &jobs), [0.5, 0.5, 1.0]);
        let jobs: [&[u64]; 3] = [&[1000, 1000], &[3000, 0], &[0, 1000]];
        assert_eq!(shares(&[1000, 1000], 0, &jobs), [0.25, 0.25, 0.75]);
    }

    /// The second link has room while the first one holds the job in the middle back.
    #[test]
    fn a_link_fills_as_what_held_its_jobs_back_is_free() {
        let mut sharing = Sharing::new(&[Kbps(1000), Kbps(1000)], 0, Decimal::whole(1));
        let (first, second) = (|asked| (LinkId(0), asked), |asked| (LinkId(1), asked));
        sharing.start(JobId(0), vec![first(Kbps(1000))]);
        sharing.start(JobId(1), vec![first(Kbps(1000)), second(Kbps(600))]);
        sharing.start(JobId(2), vec![second(Kbps(600))]);
        let of = |sharing: &Sharing| [0, 1, 2].map(|job| sharing.share_of(JobId(job)));
        sharing.share_out();
        assert_eq!(of(&sharing), [0.5, 0.5, 1.0]);
        assert_eq!(sharing.limit_of(JobId(2)), None);
        sharing.stop(JobId(0));
        let mut changed = sharing.share_out();
        changed.sort_unstable_by_key(|of| of.0);
        assert_eq!(changed, [(JobId(1), 5.0 / 6.0), (JobId(2), 5.0 / 6.0)]);
        assert_eq!(sharing.limit_of(JobId(1)), Some(LinkId(1)));
        sharing.stop(JobId(2));
        assert_eq!(sharing.share_out(), [(JobId(1), 1.0)]);
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
        // A job that starts and ends before shares are computed has changed nothing.
        sharing.start(JobId(9), asks(1));
        sharing.stop(JobId(9));
        assert_eq!(share_out(&mut sharing), []);
    }
}
