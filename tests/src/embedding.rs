//! Embeddings of virtual clusters, done slowly and plainly, under every interpretation.
//!
//! Links are found here from the fat-tree's definition, not by the simulator's numbering; every
//! count is tried and every server below every switch is looked at. Only the state is the
//! simulator's: free slots, and what each link has left.

use std::collections::BTreeMap;
use std::ops::Range;

use backfill_sim::id::{JobId, LinkId, ServerId};
use backfill_sim::job::Request;
use backfill_sim::machine::System;
use backfill_sim::place::Placer;
use backfill_sim::rng::Stream;
use backfill_sim::system::fat_tree::place::{
    Exact, LargestBandwidth, MinMaxDp, Rules, TreePlacement, exact,
};
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Reservation, Switch};
use backfill_sim::unit::{Kbps, Span, Time};

/// So many clusters of 1 to `largest` machines and about 300 Mbit/s each, in the order of their
/// arrival, at this load of `slots`.
pub fn requests(slots: u32, largest: u32, load: f64, count: usize) -> Vec<Request> {
    let mean_size = f64::from(1 + largest) / 2.0;
    let gap = 1e6 * mean_size / (f64::from(slots) * load);
    let mut now = 0.0;
    let draw = |index| {
        let mut stream = Stream::new(1, 0, "requests", index);
        now += stream.exponential(gap);
        Request {
            index: JobId(index as u32),
            submit: Time(now as u64),
            size: 1 + stream.below(u64::from(largest)) as u32,
            bandwidth: Kbps((300_000.0 + 60_000.0 * stream.normal()).max(0.0) as u64),
            estimate: Span(stream.exponential(1e6) as u64),
            home: 0,
        }
    };
    (0..count as u64).map(draw).collect()
}

/// A placement done plainly, with its own record of the largest bandwidth. Min-max and the exact
/// search alone are the simulator's: what they attain is compared with [`Search::least_maximum`]
/// and [`Search::least_reservation`].
#[derive(Clone, Debug)]
pub struct Plain {
    placement: TreePlacement,
    rules: Rules,
    over: LargestBandwidth,
    largest: Kbps,
}

impl Plain {
    /// This placement under these rules, AdaBa's Bmax taken over these jobs and `seen` at first.
    pub fn new(
        placement: TreePlacement,
        rules: Rules,
        over: LargestBandwidth,
        seen: Kbps,
    ) -> Plain {
        Plain {
            placement,
            rules,
            over,
            largest: seen,
        }
    }

    fn adaba(&self, search: &Search<'_>) -> Option<Embedding> {
        let asked = search.request.bandwidth;
        let largest = self.largest.max(asked).0;
        let peak = u64::from(search.tree.slots_per_server()) * asked.0;
        search.algorithm_1(|free| (u64::from(free) * largest).abs_diff(peak))
    }

    fn see(&mut self, request: &Request, at: LargestBandwidth) {
        if self.over == at && request.bandwidth > self.largest {
            self.largest = request.bandwidth;
        }
    }
}

impl Placer<FatTree> for Plain {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let search = Search {
            tree,
            request,
            rules: self.rules,
        };
        match self.placement {
            TreePlacement::Adaba => self.adaba(&search),
            TreePlacement::BestFit => search.algorithm_1(u64::from),
            TreePlacement::FirstFit => search.algorithm_1(|_| 0),
            TreePlacement::Greedy => search.greedy(),
            TreePlacement::Oktopus => search.oktopus(),
            TreePlacement::MinMaxDp => MinMaxDp::new(self.rules).place(tree, request),
            TreePlacement::Exact => Exact::new(self.rules).place(tree, request),
            TreePlacement::AdabaExact => {
                let placement = self.adaba(&search);
                placement.or_else(|| Exact::new(self.rules).place(tree, request))
            }
        }
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        match tree.reservation() {
            Reservation::Hose if self.rules.intra_server_free => Some(exact::exists(tree, request)),
            Reservation::Sum if self.rules.intra_server_free => {
                Some(exact::exists_by_sums(tree, request))
            }
            _ => None,
        }
    }

    fn arrived(&mut self, request: &Request) {
        self.see(request, LargestBandwidth::Arrived);
    }

    fn attempted(&mut self, request: &Request) {
        self.see(request, LargestBandwidth::Attempted);
    }

    fn started(&mut self, request: &Request) {
        self.see(request, LargestBandwidth::Accepted);
    }
}

/// What a job asks for of each link of the tree by its place, kbit/s: on a link with m of its N
/// machines below, min(m, N − m) times what one asks for.
pub fn asked(tree: &FatTree, request: &Request, placement: &Embedding) -> Vec<u64> {
    let mut below = vec![0; tree.links().len()];
    for &(server, machines) in &placement.servers {
        for link in path(tree, server.0, placement.switch) {
            below[link as usize] += u64::from(machines);
        }
    }
    let size = u64::from(request.size);
    let talking = below.into_iter().map(|below| below.min(size - below));
    talking
        .map(|talking| talking * request.bandwidth.0)
        .collect()
}

/// The links on the path from `server` up to `switch`, by counting as the fat-tree is defined.
fn path(tree: &FatTree, server: u32, switch: Switch) -> impl Iterator<Item = u32> + Clone {
    let topology = tree.topology();
    let (k, h) = (topology.pods(), topology.pods() / 2);
    let servers = k * h * h;
    let (edge, pod) = (server / h, server / (h * h));
    let (length, j, i) = match switch {
        Switch::Server(_) => (0, 0, 0),
        Switch::Edge(_) => (1, 0, 0),
        Switch::Aggregation { j, .. } => (2, j, 0),
        Switch::Core { j, i } => (3, j, i),
    };
    let uplinks = match topology.fabric() {
        Fabric::Aggregated => [servers + edge, servers + k * h + pod],
        Fabric::SingleRoot => [servers + edge * h + j, 2 * servers + (pod * h + j) * h + i],
    };
    [server, uplinks[0], uplinks[1]].into_iter().take(length)
}

fn servers_below(tree: &FatTree, switch: Switch) -> Range<u32> {
    let h = tree.topology().pods() / 2;
    let (position, servers) = match switch {
        Switch::Server(server) => (server, 1),
        Switch::Edge(edge) => (edge, h),
        Switch::Aggregation { pod, .. } => (pod, h * h),
        Switch::Core { .. } => (0, tree.topology().pods() * h * h),
    };
    position * servers..(position + 1) * servers
}

/// Every switch from below, those of a level by index or by what is reserved on their links
/// downwards.
fn switches(tree: &FatTree, rules: Rules) -> Vec<Switch> {
    let topology = tree.topology();
    let (k, h) = (topology.pods(), topology.pods() / 2);
    let parallel = match topology.fabric() {
        Fabric::Aggregated => 1,
        Fabric::SingleRoot => h,
    };
    let pairs = |outer: u32| (0..outer).flat_map(move |a| (0..parallel).map(move |b| (a, b)));
    let mut levels = [
        (0..k * h).map(Switch::Edge).collect::<Vec<_>>(),
        pairs(k)
            .map(|(pod, j)| Switch::Aggregation { pod, j })
            .collect(),
        pairs(parallel)
            .map(|(j, i)| Switch::Core { j, i })
            .collect(),
    ];
    if rules.least_loaded_root && topology.fabric() == Fabric::SingleRoot {
        for level in &mut levels {
            level.sort_by_key(|&switch| {
                let below = servers_below(tree, switch);
                let mut links: Vec<u32> = below
                    .map(|server| path(tree, server, switch).last().expect("a link"))
                    .collect();
                links.dedup();
                let reserved = links.into_iter().map(|link| tree.reserved(LinkId(link)).0);
                reserved.sum::<u64>()
            });
        }
    }
    levels.concat()
}

/// Whether one fraction is more than another.
fn more(a: (u64, u64), b: (u64, u64)) -> bool {
    u128::from(a.0) * u128::from(b.1) > u128::from(b.0) * u128::from(a.1)
}

/// A request in the present state of a tree, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The tree, which knows what is reserved on shared links.
    pub tree: &'a FatTree,
    /// The request.
    pub request: &'a Request,
    /// How the placement is read.
    pub rules: Rules,
}

/// Some machines of a request below one switch.
struct Filling {
    switch: Switch,
    servers: Range<u32>,
    /// By step of the path up from a server, and by server, edge switch or pod below the switch.
    below: [Vec<Below>; 3],
}

/// What a request has below one link.
#[derive(Clone, Copy, Default)]
struct Below {
    machines: u32,
    /// The sum over the servers of the machines that each lets talk to the others.
    talking: u32,
}

impl Search<'_> {
    /// How many of these machines communicate with the others at once.
    fn talking(&self, machines: u32) -> u32 {
        let others = self.request.size - machines;
        match self.rules.intra_server_free {
            true => machines.min(others),
            false if others == 0 => 0,
            false => machines,
        }
    }

    fn bandwidth(&self, machines: u32) -> Kbps {
        Kbps(u64::from(machines) * self.request.bandwidth.0)
    }

    fn fits(&self, link: u32, talking: u32) -> bool {
        self.bandwidth(talking) <= self.tree.residual(LinkId(link))
    }

    fn empty(&self, switch: Switch) -> Filling {
        let servers = servers_below(self.tree, switch);
        let h = self.tree.topology().half() as usize;
        let below = |group: usize| vec![Below::default(); servers.len().div_ceil(group)];
        Filling {
            switch,
            below: [below(1), below(h), below(h * h)],
            servers,
        }
    }

    /// Where what is below the links of a server's path is found.
    fn positions(&self, filling: &Filling, server: u32) -> [usize; 3] {
        let h = self.tree.topology().half();
        let position = |group: u32| (server / group - filling.servers.start / group) as usize;
        [position(1), position(h), position(h * h)]
    }

    /// The links of a server's path, and how many talking machines each is tested for once the
    /// server has `more` machines more.
    fn tested(
        &self,
        filling: &Filling,
        server: u32,
        more: u32,
    ) -> impl Iterator<Item = (u32, u32)> {
        let positions = self.positions(filling, server);
        let here = filling.below[0][positions[0]].machines;
        let (before, after) = (self.talking(here), self.talking(here + more));
        let tested = move |step: usize| {
            let below = filling.below[step][positions[step]];
            match self.tree.reservation() {
                Reservation::Hose => self.talking(below.machines + more),
                Reservation::Sum => below.talking - before + after,
                Reservation::Literal => after,
            }
        };
        path(self.tree, server, filling.switch)
            .enumerate()
            .map(move |(step, link)| (link, tested(step)))
    }

    fn add(&self, filling: &mut Filling, server: u32, more: u32) {
        let positions = self.positions(filling, server);
        let here = filling.below[0][positions[0]].machines;
        let (before, after) = (self.talking(here), self.talking(here + more));
        for (below, position) in filling.below.iter_mut().zip(positions) {
            let below = &mut below[position];
            below.machines += more;
            below.talking = below.talking - before + after;
        }
    }

    /// By link, ascending: the bandwidth that machines on these servers reserve, where it is any.
    fn demand(&self, switch: Switch, servers: &[(ServerId, u32)]) -> Vec<(LinkId, Kbps)> {
        let mut below: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &(server, machines) in servers {
            for link in path(self.tree, server.0, switch) {
                below.entry(link).or_default().push(machines);
            }
        }
        let need = |machines: Vec<u32>| {
            self.bandwidth(match self.tree.reservation() {
                Reservation::Hose | Reservation::Literal => self.talking(machines.iter().sum()),
                Reservation::Sum => machines.iter().map(|&here| self.talking(here)).sum(),
            })
        };
        let demand = below.into_iter().map(|(l, m)| (LinkId(l), need(m)));
        demand.filter(|entry| entry.1 > Kbps(0)).collect()
    }

    fn embedding(&self, switch: Switch, servers: Vec<(ServerId, u32)>) -> Embedding {
        Embedding {
            switch,
            reservations: self.demand(switch, &servers),
            servers,
        }
    }

    /// The first server for the whole cluster, where one is looked for, else what `fill` finds at
    /// the first switch that it finds anything at.
    fn first_root(&self, fill: impl Fn(Switch) -> Option<Filling>) -> Option<Embedding> {
        let servers = self.tree.topology().servers();
        let alone = (0..servers).find(|&s| self.tree.free_slots(s) >= self.request.size);
        if let Some(server) = alone.filter(|_| self.rules.single_server_first) {
            let servers = vec![(ServerId(server), self.request.size)];
            return Some(self.embedding(Switch::Server(server), servers));
        }
        let mut switches = switches(self.tree, self.rules).into_iter();
        let found = switches.find_map(fill)?;
        let machines = found.below[0].iter().map(|below| below.machines);
        let shares = found.servers.map(ServerId).zip(machines);
        let shares = shares.filter(|share| share.1 > 0).collect();
        Some(self.embedding(found.switch, shares))
    }

    /// Algorithm 1 as it is meant: servers below each switch in ascending order of `key(free
    /// slots)`, each taking the largest number of machines that every link of its path has room
    /// for, found by trying all of them.
    pub fn algorithm_1(&self, key: impl Fn(u32) -> u64) -> Option<Embedding> {
        self.first_root(|switch| {
            let mut servers: Vec<u32> = servers_below(self.tree, switch).collect();
            servers.sort_by_key(|&server| key(self.tree.free_slots(server)));
            let mut filling = self.empty(switch);
            let mut left = self.request.size;
            for server in servers {
                if left == 0 {
                    break;
                }
                let most = left.min(self.tree.free_slots(server));
                let assigned = (1..=most).rev().find(|&machines| {
                    let mut tested = self.tested(&filling, server, machines);
                    tested.all(|(link, talking)| self.fits(link, talking))
                });
                let assigned = assigned.unwrap_or(0);
                self.add(&mut filling, server, assigned);
                left -= assigned;
            }
            (left == 0).then_some(filling)
        })
    }

    /// Machine by machine onto the server whose path would have the smallest largest share taken of
    /// a link, among those with a free slot and with room on every link.
    pub fn greedy(&self) -> Option<Embedding> {
        self.first_root(|switch| {
            let mut filling = self.empty(switch);
            for _ in 0..self.request.size {
                let mut best: Option<((u64, u64), u32)> = None;
                for server in servers_below(self.tree, switch) {
                    let here = self.positions(&filling, server)[0];
                    if filling.below[0][here].machines == self.tree.free_slots(server) {
                        continue;
                    }
                    let mut largest = (0, 1);
                    let mut fits = true;
                    for (link, talking) in self.tested(&filling, server, 1) {
                        fits &= self.fits(link, talking);
                        let taken = self.taken(LinkId(link), self.bandwidth(talking));
                        if more(taken, largest) {
                            largest = taken;
                        }
                    }
                    if fits && best.is_none_or(|(least, _)| more(least, largest)) {
                        best = Some((largest, server));
                    }
                }
                self.add(&mut filling, best?.1, 1);
            }
            Some(filling)
        })
    }

    /// The lowest switch whose subtrees have room: each subtree has the set of counts that its
    /// uplink allows, up to the sum of its children's largest, and the children in turn get the
    /// largest count of their set that is not more than what is left. As printed, where each server
    /// is tested alone, only servers have such sets, of what every link of their path allows. Where
    /// sums are reserved, a switch is passed over if they do not fit.
    pub fn oktopus(&self) -> Option<Embedding> {
        self.first_root(|switch| {
            let below: Vec<u32> = servers_below(self.tree, switch).collect();
            let depth = path(self.tree, below[0], switch).count();
            let mut filling = self.empty(switch);
            let found = self.allocate(&mut filling, depth, &below, self.request.size);
            let mut servers = below.into_iter();
            let fits = self.tree.reservation() == Reservation::Literal
                || servers.all(|server| {
                    let mut tested = self.tested(&filling, server, 0);
                    tested.all(|(link, talking)| self.fits(link, talking))
                });
            (found == self.request.size && fits).then_some(filling)
        })
    }

    /// The subtrees below the subtree of `servers` at `depth`, each with its uplink: single servers
    /// at depth 1, edge switches at depth 2, pods at depth 3.
    fn children(&self, root: Switch, depth: usize, servers: &[u32]) -> Vec<(u32, Vec<u32>)> {
        let mut children: Vec<(u32, Vec<u32>)> = Vec::new();
        for &server in servers {
            let mut path = path(self.tree, server, root);
            let uplink = path.nth(depth - 1).expect("a link at each depth");
            match children.last_mut() {
                Some((link, servers)) if *link == uplink => servers.push(server),
                _ => children.push((uplink, vec![server])),
            }
        }
        children
    }

    /// The counts that a subtree at `depth` could take by the largest counts of its children.
    fn counts(&self, root: Switch, depth: usize, servers: &[u32]) -> Vec<u32> {
        let most = match depth {
            0 => self.tree.free_slots(servers[0]),
            _ => {
                let children = self.children(root, depth, servers);
                let largest = children.iter().map(|(link, below)| {
                    self.largest(root, depth - 1, below, *link, self.request.size)
                });
                largest.sum()
            }
        };
        (0..=most.min(self.request.size)).collect()
    }

    /// The largest of a subtree's counts that its uplink allows and that is not more than `limit`.
    fn largest(&self, root: Switch, depth: usize, servers: &[u32], uplink: u32, limit: u32) -> u32 {
        let tested = match (self.tree.reservation(), depth) {
            (Reservation::Literal, 0) => path(self.tree, servers[0], root).collect(),
            (Reservation::Literal, _) => vec![],
            (Reservation::Hose | Reservation::Sum, _) => vec![uplink],
        };
        let mut counts = self.counts(root, depth, servers);
        counts.retain(|&count| {
            let mut tested = tested.iter();
            count <= limit && tested.all(|&link| self.fits(link, self.talking(count)))
        });
        counts.pop().expect("none is always possible")
    }

    fn allocate(&self, filling: &mut Filling, depth: usize, servers: &[u32], limit: u32) -> u32 {
        if depth == 0 {
            self.add(filling, servers[0], limit);
            return limit;
        }
        let root = filling.switch;
        let mut left = limit;
        for (link, below) in self.children(root, depth, servers) {
            let share = self.largest(root, depth - 1, &below, link, left);
            left -= self.allocate(filling, depth - 1, &below, share);
        }
        limit - left
    }

    /// Calls `see` with every embedding there is below `switch`: only for very small trees.
    fn every_embedding(&self, switch: Switch, see: &mut impl FnMut(&Embedding)) {
        let servers: Vec<u32> = servers_below(self.tree, switch).collect();
        self.every_split(switch, &servers, self.request.size, &mut Vec::new(), see);
    }

    fn every_split(
        &self,
        switch: Switch,
        servers: &[u32],
        left: u32,
        shares: &mut Vec<(ServerId, u32)>,
        see: &mut impl FnMut(&Embedding),
    ) {
        if left == 0 {
            let embedding = self.embedding(switch, shares.clone());
            let mut demand = embedding.reservations.iter();
            if demand.all(|&(link, need)| need <= self.tree.residual(link)) {
                see(&embedding);
            }
            return;
        }
        let Some((&server, others)) = servers.split_first() else {
            return;
        };
        self.every_split(switch, others, left, shares, see);
        for here in 1..=left.min(self.tree.free_slots(server)) {
            shares.push((ServerId(server), here));
            self.every_split(switch, others, left - here, shares, see);
            shares.pop();
        }
    }

    /// Whether any embedding exists.
    pub fn exhaustive(&self) -> bool {
        self.least_reservation().is_some()
    }

    /// The least that any embedding reserves over all links, in kbit/s.
    pub fn least_reservation(&self) -> Option<u64> {
        let mut least: Option<u64> = None;
        let servers = (0..self.tree.topology().servers()).map(Switch::Server);
        for switch in servers.chain(switches(self.tree, self.rules)) {
            self.every_embedding(switch, &mut |embedding| {
                let here = embedding.reservations.iter().map(|entry| entry.1.0).sum();
                least = Some(least.map_or(here, |least| least.min(here)));
            });
        }
        least
    }

    /// The first switch below which any embedding exists, and the least that the fullest link can
    /// be after one.
    pub fn least_maximum(&self) -> Option<(Switch, (u64, u64))> {
        switches(self.tree, self.rules)
            .into_iter()
            .find_map(|switch| {
                let mut least = None;
                self.every_embedding(switch, &mut |embedding| {
                    let here = self.fullest(embedding);
                    if least.is_none_or(|least| more(least, here)) {
                        least = Some(here);
                    }
                });
                least.map(|least| (switch, least))
            })
    }

    /// How full the fullest link is that an embedding uses, once it is carried out, as a fraction.
    pub fn fullest(&self, embedding: &Embedding) -> (u64, u64) {
        let reservations = embedding.reservations.iter();
        let taken = reservations.map(|&(link, need)| self.taken(link, need));
        taken.fold(
            (0, 1),
            |most, next| if more(next, most) { next } else { most },
        )
    }

    /// How full a link is once `need` more is reserved, as a fraction.
    fn taken(&self, link: LinkId, need: Kbps) -> (u64, u64) {
        let capacity = self.tree.links()[link.0 as usize].0;
        (self.tree.reserved(link).0 + need.0, capacity)
    }

    /// What is wrong with an embedding in the present state of the tree; `None` if nothing is. The
    /// demand of each link is recomputed from the machines below it.
    pub fn fault(&self, embedding: &Embedding) -> Option<String> {
        let machines: u32 = embedding.servers.iter().map(|share| share.1).sum();
        if machines != self.request.size {
            return Some(format!(
                "{machines} machines instead of {}",
                self.request.size
            ));
        }
        let allowed = servers_below(self.tree, embedding.switch);
        for &(server, machines) in &embedding.servers {
            if !allowed.contains(&server.0) {
                return Some(format!("{server} is not below {:?}", embedding.switch));
            }
            if machines == 0 || machines > self.tree.free_slots(server.0) {
                return Some(format!("{machines} machines on {server}"));
            }
        }
        let demand = self.demand(embedding.switch, &embedding.servers);
        if demand != embedding.reservations {
            let reserved = &embedding.reservations;
            return Some(format!("reserves {reserved:?}, needs {demand:?}"));
        }
        let lacking = |&(link, need): &(LinkId, Kbps)| need > self.tree.residual(link);
        let (link, need) = demand.into_iter().find(lacking)?;
        if self.tree.reservation() == Reservation::Literal {
            // As printed it is enough that each server passes alone.
            let mut alone = embedding.servers.iter().flat_map(|&(server, here)| {
                let links = path(self.tree, server.0, embedding.switch);
                links.map(move |link| (LinkId(link), self.bandwidth(self.talking(here))))
            });
            if !alone.any(|entry| lacking(&entry)) {
                return None;
            }
        }
        Some(format!("{link} lacks room for {need}"))
    }
}
