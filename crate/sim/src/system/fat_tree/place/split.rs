//! The cheapest split of a cluster over the servers below a switch, by dynamic programming.
//!
//! *Decides*: for each subtree and count of machines a [`Table`] holds the least possible cost of
//! the links that the cluster uses below it, or that the count is impossible; a switch combines the
//! tables of its children one by one. The user defines the cost: [`Cost`]. *Ties*: of
//! equal costs the one that gives the later child fewer machines. *Complexity*: O(children · N²) a
//! switch. *Source*: R. Bellman's principle on a tree, as in D. Xie, N. Ding, Y. C. Hu, R.
//! Kompella, "The only constant is change", SIGCOMM 2012.

use std::rc::Rc;

use crate::id::{LinkId, ServerId};
use crate::machine::hose::Cluster;
use crate::system::fat_tree::{FatTree, Switch};
use crate::unit::Kbps;

/// The cost of a set of links for a cluster.
pub(super) trait Cost: Copy + Ord {
    /// The cost of no link.
    const NOTHING: Self;

    /// The cost of `need`, which is not nothing, on `link`.
    fn on(tree: &FatTree, link: LinkId, need: Kbps) -> Self;

    /// The cost of two disjoint sets of links.
    fn and(self, other: Self) -> Self;
}

/// The least costs of one subtree, by count of machines; `None` where the count is impossible.
#[derive(Clone)]
pub(super) struct Table<C> {
    least: Vec<Option<C>>,
    parts: Rc<Parts<C>>,
}

enum Parts<C> {
    Server(ServerId),
    Children {
        tables: Vec<Table<C>>,
        /// By child and count: how many of the machines below it and its elder siblings it has.
        own: Vec<Vec<u32>>,
    },
}

impl<C: Cost> Table<C> {
    /// The table of the subtree below `switch`, its links towards `root` not included, where a link
    /// needs what all machines below it need together.
    pub(super) fn below(tree: &FatTree, cluster: Cluster, switch: Switch, root: Switch) -> Self {
        let topology = tree.topology();
        let half = topology.half();
        let through = |child, link| {
            Table::below(tree, cluster, child, root).through_hose(tree, cluster, link)
        };
        let tables = match switch {
            Switch::Server(server) => return Table::server(tree, cluster, server),
            Switch::Edge(_) => topology
                .servers_below(switch)
                .map(|server| through(Switch::Server(server), topology.server_link(server)))
                .collect(),
            Switch::Aggregation { pod, .. } => (pod * half..(pod + 1) * half)
                .map(|edge| through(Switch::Edge(edge), topology.edge_link(edge, root)))
                .collect(),
            Switch::Core { j, .. } => (0..topology.pods())
                .map(|pod| {
                    let link = topology.pod_link(pod, root);
                    through(Switch::Aggregation { pod, j }, link)
                })
                .collect(),
        };
        Table::over(cluster.size, tables)
    }

    fn server(tree: &FatTree, cluster: Cluster, server: u32) -> Self {
        let counts = tree.free_slots(server).min(cluster.size) as usize + 1;
        Table {
            least: vec![Some(C::NOTHING); counts],
            parts: Rc::new(Parts::Server(ServerId(server))),
        }
    }

    /// The same seen through an uplink that needs what all machines below it need together.
    pub(super) fn through_hose(self, tree: &FatTree, cluster: Cluster, link: LinkId) -> Self {
        let residual = tree.residual(link);
        self.through(|count, least| {
            let need = cluster.need(count);
            if need == Kbps(0) {
                return Some(least);
            }
            (need <= residual).then(|| least.and(C::on(tree, link, need)))
        })
    }

    /// The same seen through an uplink: what `price` makes of each count and its cost.
    pub(super) fn through(mut self, price: impl Fn(u32, C) -> Option<C>) -> Self {
        for (count, least) in (0..).zip(&mut self.least) {
            *least = least.and_then(|least| price(count, least));
        }
        self
    }

    /// The table of a switch over its children's, for counts up to `size`.
    pub(super) fn over(size: u32, tables: Vec<Table<C>>) -> Self {
        let mut least = vec![Some(C::NOTHING)];
        let mut own = Vec::with_capacity(tables.len());
        for table in &tables {
            let counts = (least.len() + table.least.len() - 1).min(size as usize + 1);
            let mut next: Vec<Option<C>> = vec![None; counts];
            let mut share = vec![0; counts];
            for (more, there) in (0..).zip(&table.least) {
                let Some(there) = *there else { continue };
                for (count, here) in least.iter().enumerate() {
                    let Some(here) = here else { continue };
                    let at = count + more as usize;
                    let both = here.and(there);
                    if at < counts && next[at].is_none_or(|least| both < least) {
                        next[at] = Some(both);
                        share[at] = more;
                    }
                }
            }
            least = next;
            own.push(share);
        }
        Table {
            least,
            parts: Rc::new(Parts::Children { tables, own }),
        }
    }

    /// The least cost of `count` machines, if they are possible.
    pub(super) fn least(&self, count: u32) -> Option<C> {
        self.least.get(count as usize).copied().flatten()
    }

    /// (server, machines on it) of the split that attains the least cost of `count` machines, which
    /// must be possible; no order.
    pub(super) fn split(&self, count: u32) -> Vec<(ServerId, u32)> {
        let mut servers = Vec::new();
        self.collect(count, &mut servers);
        servers
    }

    fn collect(&self, count: u32, servers: &mut Vec<(ServerId, u32)>) {
        match &*self.parts {
            Parts::Server(server) if count > 0 => servers.push((*server, count)),
            Parts::Server(_) => {}
            Parts::Children { tables, own } => {
                let mut left = count;
                for (table, own) in tables.iter().zip(own).rev() {
                    let share = own[left as usize];
                    table.collect(share, servers);
                    left -= share;
                }
            }
        }
    }
}
