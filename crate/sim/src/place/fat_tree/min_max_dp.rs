//! Min-max: the split over the servers of the lowest switch that leaves the busiest link least
//! occupied, by dynamic programming.
//!
//! *Decides*: for each subtree and count of machines the least possible maximum, over the links that
//! the cluster uses below it, of (C − c + need)/C, where c is what was left before this request. The
//! first switch below which N machines are possible takes the split that attains its least maximum.
//! *Ties*: of equal maxima the one that gives the later child fewer machines.
//! *Complexity*: O(switches · children · N²).
//! *Source*: L. Yu, H. Shen, "Bandwidth guarantee under demand uncertainty in multi-tenant clouds",
//! ICDCS 2014, for demands that are certain. Reservations are those of the hose model.

use super::{Occupation, Rooms, Rules, first_switch};
use crate::id::{LinkId, ServerId};
use crate::job::Ask;
use crate::place::Placer;
use crate::system::fat_tree::hose::Cluster;
use crate::system::fat_tree::{Embedding, FatTree, Switch};
use crate::unit::Kbps;

/// Minimum of the maximum link occupation, over all splits.
#[derive(Clone, Debug, Default)]
pub struct MinMaxDp {
    rules: Rules,
    rooms: Rooms,
}

impl MinMaxDp {
    /// Under these rules.
    pub fn new(rules: Rules) -> MinMaxDp {
        MinMaxDp {
            rules,
            ..MinMaxDp::default()
        }
    }
}

impl Placer<FatTree> for MinMaxDp {
    fn place(&mut self, tree: &FatTree, ask: &Ask) -> Option<Embedding> {
        let cluster = self.rules.cluster(ask);
        first_switch(tree, cluster, self.rules, &mut self.rooms, |switch, _| {
            let table = Table::of(tree, cluster, switch, switch);
            table.least[ask.size as usize]?;
            let mut servers = Vec::new();
            table.split(ask.size, &mut servers);
            Some(servers)
        })
    }

    fn exists(&self, tree: &FatTree, ask: &Ask) -> Option<bool> {
        self.rules.exists(tree, ask)
    }
}

/// The least maxima of one subtree, by count of machines.
struct Table {
    /// `None` where the count is impossible.
    least: Vec<Option<Occupation>>,
    parts: Parts,
}

enum Parts {
    Server(ServerId),
    Children {
        tables: Vec<Table>,
        /// By child and count: how many of the machines below it and its elder siblings it has.
        own: Vec<Vec<u32>>,
    },
}

impl Table {
    /// The table of the subtree below `switch`, its links towards `root` not included.
    fn of(tree: &FatTree, cluster: Cluster, switch: Switch, root: Switch) -> Table {
        let topology = tree.topology();
        let half = topology.half();
        let tables = match switch {
            Switch::Server(server) => return Table::of_server(tree, cluster, server),
            Switch::Edge(_) => topology
                .servers_below(switch)
                .map(|server| {
                    Table::of_server(tree, cluster, server).through(
                        tree,
                        cluster,
                        topology.server_link(server),
                    )
                })
                .collect(),
            Switch::Aggregation { pod, .. } => (pod * half..(pod + 1) * half)
                .map(|edge| {
                    Table::of(tree, cluster, Switch::Edge(edge), root).through(
                        tree,
                        cluster,
                        topology.edge_link(edge, root),
                    )
                })
                .collect(),
            Switch::Core { j, .. } => (0..topology.pods())
                .map(|pod| {
                    Table::of(tree, cluster, Switch::Aggregation { pod, j }, root).through(
                        tree,
                        cluster,
                        topology.pod_link(pod, root),
                    )
                })
                .collect(),
        };
        Table::combined(cluster.size, tables)
    }

    fn of_server(tree: &FatTree, cluster: Cluster, server: u32) -> Table {
        let counts = tree.free_slots(server).min(cluster.size) as usize + 1;
        Table {
            least: vec![Some(Occupation::NONE); counts],
            parts: Parts::Server(ServerId(server)),
        }
    }

    /// The same seen through its uplink.
    fn through(mut self, tree: &FatTree, cluster: Cluster, link: LinkId) -> Table {
        let residual = tree.residual(link);
        for (count, least) in (0..).zip(&mut self.least) {
            let need = cluster.need(count);
            if need > residual {
                *least = None;
            } else if need > Kbps(0) {
                *least = least.map(|least| least.max(Occupation::with(tree, link, need)));
            }
        }
        self
    }

    fn combined(size: u32, tables: Vec<Table>) -> Table {
        let mut least = vec![Some(Occupation::NONE)];
        let mut own = Vec::with_capacity(tables.len());
        for table in &tables {
            let counts = (least.len() + table.least.len() - 1).min(size as usize + 1);
            let mut next: Vec<Option<Occupation>> = vec![None; counts];
            let mut share = vec![0; counts];
            for (more, there) in (0..).zip(&table.least) {
                let Some(there) = there else { continue };
                for (count, here) in least.iter().enumerate() {
                    let Some(here) = here else { continue };
                    let at = count + more as usize;
                    let most = *here.max(there);
                    if at < counts && next[at].is_none_or(|least| most < least) {
                        next[at] = Some(most);
                        share[at] = more;
                    }
                }
            }
            least = next;
            own.push(share);
        }
        least.resize(size as usize + 1, None);
        Table {
            least,
            parts: Parts::Children { tables, own },
        }
    }

    /// The servers of the split that attains the least maximum for `count` machines.
    fn split(&self, count: u32, servers: &mut Vec<(ServerId, u32)>) {
        match &self.parts {
            Parts::Server(server) if count > 0 => servers.push((*server, count)),
            Parts::Server(_) => {}
            Parts::Children { tables, own } => {
                let mut left = count;
                for (table, own) in tables.iter().zip(own).rev() {
                    let share = own[left as usize];
                    table.split(share, servers);
                    left -= share;
                }
            }
        }
    }
}
