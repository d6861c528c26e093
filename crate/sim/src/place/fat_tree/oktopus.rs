//! Oktopus: the lowest subtree that has room, filled child by child.
//!
//! *Decides*: single servers first, by index: a cluster that fits in one uses no link at all. Then
//! the switches from below. A subtree's room is the set of counts its uplink allows, up to the sum of
//! its children's largest counts; where the root's room reaches N, the children in index order each
//! get the largest count of their set that is not more than what remains, recursively.
//! *Ties*: none. *Complexity*: O(switches · servers below).
//! *Source*: H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, "Towards predictable datacenter
//! networks", SIGCOMM 2011, the virtual cluster algorithm. Departure: as printed a child gets
//! min(remaining, its largest count), which may fall in the gap of its set; here it never does, the
//! child reports what it really took, and a root that ends short is discarded.

use super::{Rooms, cluster, exact, first_switch};
use crate::id::ServerId;
use crate::job::Ask;
use crate::place::Placer;
use crate::system::fat_tree::hose::Cluster;
use crate::system::fat_tree::{Embedding, FatTree, Switch};

/// The virtual-cluster placement of Oktopus.
#[derive(Clone, Debug, Default)]
pub struct Oktopus {
    rooms: Rooms,
}

impl Placer<FatTree> for Oktopus {
    fn place(&mut self, tree: &FatTree, ask: &Ask) -> Option<Embedding> {
        let topology = tree.topology();
        let cluster = cluster(ask);
        let single = (0..topology.servers()).find(|&server| tree.free_slots(server) >= ask.size);
        if let Some(server) = single {
            let alone = vec![(ServerId(server), ask.size)];
            return Some(tree.embedding(cluster, Switch::Server(server), alone));
        }
        first_switch(tree, ask, &mut self.rooms, |root, rooms| {
            let mut filling = Filling {
                tree,
                cluster,
                rooms,
                root,
                servers: Vec::new(),
            };
            (filling.fill(root, ask.size) == ask.size).then_some(filling.servers)
        })
    }

    fn exists(&self, tree: &FatTree, ask: &Ask) -> bool {
        exact::exists(tree, ask)
    }
}

struct Filling<'a> {
    tree: &'a FatTree,
    cluster: Cluster,
    rooms: &'a Rooms,
    root: Switch,
    servers: Vec<(ServerId, u32)>,
}

impl Filling<'_> {
    /// Places up to `limit` machines below `switch`, child by child; returns how many it did place.
    fn fill(&mut self, switch: Switch, limit: u32) -> u32 {
        let (tree, cluster, rooms, root) = (self.tree, self.cluster, self.rooms, self.root);
        let topology = tree.topology();
        let half = topology.half();
        let share = |children: u32, link, limit: u32| {
            let residual = tree.residual(link);
            cluster.largest(0, limit.min(children), residual)
        };
        let mut placed = 0;
        match switch {
            Switch::Server(_) => unreachable!("a server has no children"),
            Switch::Edge(_) => {
                for server in topology.servers_below(switch) {
                    let link = topology.server_link(server);
                    let share = share(tree.free_slots(server), link, limit - placed);
                    if share > 0 {
                        self.servers.push((ServerId(server), share));
                        placed += share;
                    }
                }
            }
            Switch::Aggregation { pod, .. } => {
                for edge in pod * half..(pod + 1) * half {
                    let link = topology.edge_link(edge, root);
                    let share = share(rooms.edges[edge as usize], link, limit - placed);
                    placed += self.fill(Switch::Edge(edge), share);
                }
            }
            Switch::Core { j, .. } => {
                for pod in 0..topology.pods() {
                    let link = topology.pod_link(pod, root);
                    let children = rooms.below_pod(pod, j);
                    let share = share(children, link, limit - placed);
                    placed += self.fill(Switch::Aggregation { pod, j }, share);
                }
            }
        }
        placed
    }
}
