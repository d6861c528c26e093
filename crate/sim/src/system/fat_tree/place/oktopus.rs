//! Oktopus: the lowest subtree that has room, filled child by child.
//!
//! *Decides*: single servers first, by index, unless the rules forbid it: a cluster that fits in
//! one uses no link at all. Then the switches from below. A subtree's room is the set of counts its
//! uplink allows, up to the sum of its children's largest counts; where the root's room reaches N,
//! the children in index order each get the largest count of their set that is not more than what
//! remains, recursively. *Ties*: none. *Complexity*: O(switches · servers below). *Source*: H.
//! Ballani, P. Costa, T. Karagiannis, A. Rowstron, "Towards predictable datacenter networks",
//! SIGCOMM 2011, the virtual cluster algorithm. Departure: as printed a child gets min(remaining,
//! its largest count), which may fall in the gap of its set; here it never does, the child reports
//! what it really took, and a root that ends short is discarded.

use super::fill::first_switch;
use super::occupation::Below;
use super::rooms::{Rooms, room};
use super::rules::Rules;
use super::subtrees::first_filled;
use crate::id::{LinkId, ServerId};
use crate::job::Request;
use crate::machine::hose::Cluster;
use crate::place::{Placer, Subtrees};
use crate::system::fat_tree::Reservation;
use crate::system::fat_tree::{Embedding, FatTree, Switch};

/// The virtual-cluster placement of Oktopus.
#[derive(Clone, Debug)]
pub struct Oktopus {
    rules: Rules,
    rooms: Rooms,
}

impl Oktopus {
    /// Under these rules.
    pub fn new(rules: Rules) -> Oktopus {
        Oktopus {
            rules,
            rooms: Rooms::default(),
        }
    }
}

impl Default for Oktopus {
    /// As published: a single server first.
    fn default() -> Self {
        Oktopus::new(Rules {
            single_server_first: true,
            ..Rules::default()
        })
    }
}

impl Placer<FatTree> for Oktopus {
    fn place(&mut self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        let cluster = self.rules.cluster(tree, request);
        first_switch(tree, cluster, self.rules, &mut self.rooms, |root, rooms| {
            let mut filling = Filling {
                tree,
                cluster,
                rooms,
                root,
                servers: Vec::new(),
            };
            let placed = filling.fill(root, cluster.size, &[]);
            (placed == cluster.size).then_some(filling.servers)
        })
    }

    fn exists(&self, tree: &FatTree, request: &Request) -> Option<bool> {
        self.rules.exists(tree, request)
    }

    fn subtrees(
        &self,
        tree: &FatTree,
        request: &Request,
        placement: &Embedding,
    ) -> Option<Subtrees> {
        Some(first_filled(tree, request, self.rules, placement, None))
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
    /// `above` are the links between the switch and the root.
    fn fill(&mut self, switch: Switch, limit: u32, above: &[LinkId]) -> u32 {
        let (rooms, root) = (self.rooms, self.root);
        let topology = self.tree.topology();
        let half = topology.half();
        let mut placed = 0;
        match switch {
            Switch::Server(_) => unreachable!("a server has no children"),
            Switch::Edge(_) => {
                for server in topology.servers_below(switch) {
                    let children = self.tree.free_slots(server);
                    let link = topology.server_link(server);
                    let mut share = self.share(children, link, limit - placed);
                    if self.tree.reservation() == Reservation::Literal {
                        share = self.alone(share, link, above);
                    }
                    if share > 0 {
                        self.servers.push((ServerId(server), share));
                        placed += share;
                    }
                }
            }
            Switch::Aggregation { pod, .. } => {
                for edge in pod * half..(pod + 1) * half {
                    let link = topology.edge_link(edge, root);
                    let share = self.room(rooms.edges[edge as usize], link, limit - placed);
                    let above: Vec<LinkId> = above.iter().copied().chain([link]).collect();
                    placed += self.fill(Switch::Edge(edge), share, &above);
                }
            }
            Switch::Core { j, .. } => {
                for pod in 0..topology.pods() {
                    let link = topology.pod_link(pod, root);
                    let share = self.room(rooms.below_pod(pod, j), link, limit - placed);
                    placed += self.fill(Switch::Aggregation { pod, j }, share, &[link]);
                }
            }
        }
        placed
    }

    /// The largest count up to `limit` that a server's link allows.
    fn share(&self, children: u32, link: LinkId, limit: u32) -> u32 {
        let residual = self.tree.residual(link);
        self.cluster.largest(0, limit.min(children), residual)
    }

    /// The largest count up to `limit` that the uplink of an inner switch allows.
    fn room(&self, children: u32, link: LinkId, limit: u32) -> u32 {
        room(self.tree, self.cluster, limit.min(children), link)
    }

    /// The largest count up to `limit` that a server may have where every link of its path is
    /// tested for it alone.
    fn alone(&self, limit: u32, link: LinkId, above: &[LinkId]) -> u32 {
        let mut machines = limit;
        loop {
            let before = machines;
            for &link in [link].iter().chain(above) {
                machines = Below::default().largest(self.cluster, machines, self.tree, link);
            }
            if machines == before || machines == 0 {
                return machines;
            }
        }
    }
}
