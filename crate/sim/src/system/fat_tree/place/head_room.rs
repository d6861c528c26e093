//! The resources that other jobs may take without delaying the head of the queue.
//!
//! The head is to start at its shadow time. Most jobs that start now and still run then would delay
//! it, so trying to place them is wasted; [`HeadRoom`] rules such jobs out from two states of the
//! tree, now and at the shadow time.
//!
//! *Complexity*: O(servers) for a reservation, O(edge switches + open servers · slots a server) for
//! a job that is ruled out first, O(slots a server) for each that is kept and each server that
//! changes.
//!
//! *Source*: the project's own.

use super::certificates::{ChangedEdges, RoomTree};
use super::rooms::{NOBODY, ones};
use crate::id::ServerId;
use crate::machine::hose::Cluster;
use crate::place::Refused;
use crate::system::fat_tree::{Embedding, FatTree};
use crate::unit::Kbps;

/// The room of the head of the queue at its shadow time, and the jobs that certainly delay it.
///
/// For server s let r(s) be the head's room on it at the shadow time (see
/// [`certificates`](super::certificates)). The sum of all r(s) bounds the machines of the head that
/// can be placed; its excess over N is the slack σ. For a job of n machines with bandwidth b let
/// t(s) be the most that s can take now, and g(s) ≤ t(s) the most that s can take now and still
/// give the head r(s). Each server that takes more than g(s) lowers the sum by at least one, so
/// there are at most σ of them. A server is open if it has free slots now and more than r(s) then;
/// on any other each slot taken lowers r(s), so g(s) = 0, and together they give at most one
/// machine for each unit of slack. If Σ g over the open servers plus the σ largest of t − g among
/// these, at least one each, is less than n, the head cannot be placed at its shadow time, wherever
/// the job goes. Links above the servers can only lower these numbers.
///
/// As for rooms, a proof for (n, b) rules out every (n′ ≥ n, b′ ≥ b): a server that can take m of
/// the larger job can take min(m, n) of the smaller one with no more of its link. So only the least
/// such pairs are kept. A job that starts takes room now, and then too if it lasts, which only
/// lowers g, t − g and the slack. A job that departs as estimated gives room only now: its servers
/// are counted again.
#[derive(Clone, Debug)]
pub(super) struct HeadRoom {
    cluster: Cluster,
    rooms: RoomTree,
    changed: ChangedEdges,
    /// The head's room on each server at the shadow time, r; empty until counted.
    servers: Vec<u32>,
    /// Σ r.
    total: u64,
    /// By edge switch, which of its servers are open, as a bit mask.
    open: Vec<u32>,
    /// One for each corner of `delaying`, in their order.
    takers: Vec<Taker>,
    /// Dropped ones, to be used again.
    spare: Vec<Taker>,
    delaying: Refused,
    /// Jobs without a proof, none of them at most as large as another in both size and bandwidth.
    /// A job that is at most as large as one of these is not examined.
    open_cases: Vec<Cluster>,
    /// Servers on which something has changed since they were counted.
    stale: Vec<u32>,
}

/// What the servers can give to one job.
#[derive(Clone, Debug)]
struct Taker {
    cluster: Cluster,
    /// g and t − g of each server of which they are not both 0, ascending by server.
    gives: Vec<(u32, (u32, u32))>,
    /// Σ g.
    total: u64,
    /// The number of these servers by their t − g.
    besides: Vec<u64>,
}

impl Taker {
    /// Nobody, to whom nothing is given, in a tree with so many slots a server.
    fn nobody(slots: u32) -> Taker {
        Taker {
            cluster: NOBODY,
            gives: Vec::new(),
            total: 0,
            besides: vec![0; slots as usize + 1],
        }
    }

    /// Becomes a job to which nothing is given.
    fn become_job(&mut self, cluster: Cluster) {
        self.cluster = cluster;
        self.gives.clear();
        self.total = 0;
        self.besides.fill(0);
    }

    /// The most machines that the job can have when the head may lose `slack` machines.
    fn most(&self, mut slack: u64) -> u64 {
        let mut most = self.total;
        for (machines, &servers) in self.besides.iter().enumerate().skip(1).rev() {
            let lowered = slack.min(servers);
            most += lowered * machines as u64;
            slack -= lowered;
        }
        most + slack
    }

    fn may_start(&self, slack: u64) -> bool {
        self.most(slack) >= u64::from(self.cluster.size)
    }

    fn set(&mut self, server: u32, after: (u32, u32)) {
        match self.gives.binary_search_by_key(&server, |gives| gives.0) {
            Ok(at) => {
                let (_, before) = self.gives.remove(at);
                self.total -= u64::from(before.0);
                self.besides[before.1 as usize] -= 1;
                self.give(at, server, after);
            }
            Err(at) => self.give(at, server, after),
        }
    }

    fn give(&mut self, at: usize, server: u32, given: (u32, u32)) {
        if given != (0, 0) {
            self.gives.insert(at, (server, given));
            self.total += u64::from(given.0);
            self.besides[given.1 as usize] += 1;
        }
    }
}

impl HeadRoom {
    /// Of nobody, in such a tree.
    pub(super) fn none(tree: &FatTree) -> HeadRoom {
        HeadRoom {
            cluster: NOBODY,
            rooms: RoomTree::none(tree.topology()),
            changed: ChangedEdges::none(tree.topology()),
            servers: Vec::new(),
            total: 0,
            open: Vec::new(),
            takers: Vec::new(),
            spare: Vec::new(),
            delaying: Refused::nobody(),
            open_cases: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// Becomes that of `head` in the future `then`.
    pub(super) fn expect(&mut self, then: &FatTree, head: Cluster) {
        self.cluster = head;
        self.rooms.measure_all(then, head);
        self.forget();
    }

    /// All servers are counted again at the next question.
    fn forget(&mut self) {
        self.servers.clear();
        self.stale.clear();
        self.spare.append(&mut self.takers);
        self.delaying = Refused::nobody();
        self.open_cases.clear();
    }

    /// Something has changed in the head's future at a placement.
    pub(super) fn measure(&mut self, then: &FatTree, placement: &Embedding) {
        self.changed.add(placement);
        self.rooms.measure(then, self.changed.sorted());
        self.changed.clear();
    }

    /// Whether the rooms leave open that the head can be placed.
    pub(super) fn may_fit(&self) -> bool {
        self.rooms.may_fit()
    }

    /// Something has changed at a placement, now or in the head's future.
    pub(super) fn changed(&mut self, placement: &Embedding) {
        let servers = placement.servers.iter();
        self.stale.extend(servers.map(|(server, _)| server.0));
        if self.stale.len() > self.servers.len() {
            self.forget();
        }
    }

    /// The jobs that certainly delay the head if they start now and still run then.
    pub(super) fn delaying(&mut self, now: &FatTree, then: &FatTree) -> &Refused {
        self.count(now, then);
        &self.delaying
    }

    /// Counts the servers of which that is not known any more.
    fn count(&mut self, now: &FatTree, then: &FatTree) {
        if self.servers.is_empty() {
            let topology = then.topology();
            self.total = 0;
            for server in 0..topology.servers() {
                let room = self.room(then, server);
                self.servers.push(room);
                self.total += u64::from(room);
            }
            self.open.resize(topology.edges() as usize, 0);
            for server in 0..topology.servers() {
                self.open_or_close(now, then, server);
            }
        }
        if !self.stale.is_empty() {
            self.open_cases.clear();
            while let Some(server) = self.stale.pop() {
                let room = self.room(then, server);
                let before = std::mem::replace(&mut self.servers[server as usize], room);
                self.total = self.total + u64::from(room) - u64::from(before);
                let open = self.open_or_close(now, then, server);
                for taker in &mut self.takers {
                    let given = if open {
                        given(now, then, (self.cluster, room), taker.cluster, server)
                    } else {
                        (0, 0)
                    };
                    taker.set(server, given);
                }
            }
            let slack = self.slack();
            let before = self.takers.len();
            let falls = |taker: &mut Taker| taker.may_start(slack);
            self.spare.extend(self.takers.extract_if(.., falls));
            if self.takers.len() < before {
                self.delaying = Refused::nobody();
                for Taker { cluster, .. } in &self.takers {
                    let asked = then.guarantee().least_asked(cluster.bandwidth);
                    self.delaying.add(cluster.size, asked);
                }
            }
        }
    }

    /// Whether a job at this placement certainly delays the head if it still runs at the shadow
    /// time: then its servers lose more of the head's room than the slack.
    pub(super) fn delays(
        &mut self,
        now: &FatTree,
        then: &FatTree,
        job: Cluster,
        placement: &Embedding,
    ) -> bool {
        self.count(now, then);
        let lost = |&(server, machines): &(ServerId, u32)| {
            let link = then.topology().server_link(server.0);
            let free = then.free_slots(server.0) - machines;
            let residual = Kbps(then.residual(link).0 - job.need(machines).0);
            let left = room_with(self.cluster, free, residual);
            u64::from(self.servers[server.0 as usize] - left)
        };
        let lost: u64 = placement.servers.iter().map(lost).sum();
        lost > self.slack()
    }

    /// A job that would start now and still run at the shadow time likely delays the head: keeps a
    /// proof, if there is one, and returns whether there is.
    pub(super) fn delayed(&mut self, now: &FatTree, then: &FatTree, cluster: Cluster) -> bool {
        let asked = then.guarantee().least_asked(cluster.bandwidth);
        if self.delaying(now, then).rules_out(cluster.size, asked) {
            return true;
        }
        let within = |a: &Cluster, b: &Cluster| a.size <= b.size && a.bandwidth <= b.bandwidth;
        if self.open_cases.iter().any(|case| within(&cluster, case)) {
            return false;
        }
        let Some(taker) = self.taker(now, then, cluster) else {
            self.open_cases.retain(|case| !within(case, &cluster));
            self.open_cases.push(cluster);
            return false;
        };
        let above = |taker: &mut Taker| within(&cluster, &taker.cluster);
        self.spare.extend(self.takers.extract_if(.., above));
        let position = self
            .takers
            .partition_point(|taker| taker.cluster.size < cluster.size);
        self.takers.insert(position, taker);
        self.delaying.add(cluster.size, asked);
        true
    }

    /// What the servers can give to a job; `None` if it may start without delaying the head.
    fn taker(&mut self, now: &FatTree, then: &FatTree, cluster: Cluster) -> Option<Taker> {
        let topology = now.topology();
        let spare = self.spare.pop();
        let mut taker = spare.unwrap_or_else(|| Taker::nobody(now.slots_per_server()));
        taker.become_job(cluster);
        'edges: for (edge, &open) in (0..).zip(&self.open) {
            if open == 0 || !now.offer(edge).may_take_one(cluster) {
                continue;
            }
            for server in ones(u64::from(open)) {
                let server = edge * topology.half() + server;
                let head = (self.cluster, self.servers[server as usize]);
                let given = given(now, then, head, cluster, server);
                taker.give(taker.gives.len(), server, given);
                if taker.total >= u64::from(cluster.size) {
                    break 'edges;
                }
            }
        }
        if taker.may_start(self.slack()) {
            self.spare.push(taker);
            return None;
        }
        Some(taker)
    }

    /// Looks whether a server is open, and says so.
    fn open_or_close(&mut self, now: &FatTree, then: &FatTree, server: u32) -> bool {
        let topology = now.topology();
        let room = self.servers[server as usize];
        let open = now.free_slots(server) > 0 && then.free_slots(server) > room;
        let bit = 1 << (server % topology.half());
        let servers = &mut self.open[topology.edge_of(server) as usize];
        *servers = if open {
            *servers | bit
        } else {
            *servers & !bit
        };
        open
    }

    fn slack(&self) -> u64 {
        self.total.saturating_sub(u64::from(self.cluster.size))
    }

    fn room(&self, then: &FatTree, server: u32) -> u32 {
        let free = then.free_slots(server);
        room_with(
            self.cluster,
            free,
            then.residual(then.topology().server_link(server)),
        )
    }
}

/// The most machines of a cluster on a server with these free slots and this residual bandwidth.
fn room_with(cluster: Cluster, free: u32, residual: Kbps) -> u32 {
    cluster.largest(0, free.min(cluster.size), residual)
}

/// The machines of a job that a server can take now without lowering the head's room on it, and how
/// many more: g and t − g.
fn given(
    now: &FatTree,
    then: &FatTree,
    (head, room): (Cluster, u32),
    job: Cluster,
    server: u32,
) -> (u32, u32) {
    let link = now.topology().server_link(server);
    let residual = now.residual(link);
    let most = room_with(job, now.free_slots(server), residual);
    let (free, left) = (then.free_slots(server), then.residual(link));
    let unharmed = |machines: u32| {
        let need = job.need(machines);
        need <= residual && room_with(head, free - machines, Kbps(left.0 - need.0)) == room
    };
    let mut without = most;
    while without > 0 && !unharmed(without) {
        without -= 1;
    }
    (without, most - without)
}
