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

use super::{cluster, exact, first_switch};
use crate::id::ServerId;
use crate::job::Ask;
use crate::place::Placer;
use crate::system::fat_tree::hose::Cluster;
use crate::system::fat_tree::{Embedding, FatTree, Switch};

/// The virtual-cluster placement of Oktopus.
#[derive(Clone, Debug, Default)]
pub struct Oktopus {
    rooms: Vec<Room>,
}

/// What one edge switch or pod can take, seen from the root.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// Sum of the largest counts of its children.
    children: u32,
    /// Its own largest count, which its uplink allows.
    largest: u32,
}

impl Placer<FatTree> for Oktopus {
    fn place(&mut self, tree: &FatTree, ask: &Ask) -> Option<Embedding> {
        let cluster = cluster(ask);
        let topology = tree.topology();
        let single = (0..topology.servers()).find(|&server| tree.free_slots(server) >= ask.size);
        if let Some(server) = single {
            let alone = vec![(ServerId(server), ask.size)];
            return Some(tree.embedding(cluster, Switch::Server(server), alone));
        }
        first_switch(tree, ask, |switch| {
            let mut filling = Filling {
                tree,
                cluster,
                switch,
                servers: Vec::new(),
            };
            filling.fill(ask.size, &mut self.rooms)
        })
    }

    fn exists(&self, tree: &FatTree, ask: &Ask) -> bool {
        exact::exists(tree, ask)
    }
}

struct Filling<'a> {
    tree: &'a FatTree,
    cluster: Cluster,
    switch: Switch,
    servers: Vec<(ServerId, u32)>,
}

impl Filling<'_> {
    fn fill(&mut self, size: u32, rooms: &mut Vec<Room>) -> Option<Vec<(ServerId, u32)>> {
        let topology = self.tree.topology();
        let half = topology.half();
        let placed = match self.switch {
            Switch::Server(_) => unreachable!("single servers are tried before"),
            Switch::Edge(edge) => {
                if self.room_of_servers(edge) < size {
                    return None;
                }
                self.fill_edge(edge, size)
            }
            Switch::Aggregation { pod, .. } => {
                rooms.clear();
                rooms.extend((pod * half..(pod + 1) * half).map(|edge| self.room_of_edge(edge)));
                if sum(rooms) < size {
                    return None;
                }
                self.fill_pod(pod, rooms, size)
            }
            Switch::Core { .. } => {
                rooms.clear();
                rooms.extend((0..topology.edges()).map(|edge| self.room_of_edge(edge)));
                let pods: Vec<Room> = (0..)
                    .zip(rooms.chunks(half as usize))
                    .map(|(pod, edges)| self.room_of_pod(pod, edges))
                    .collect();
                if sum(&pods) < size {
                    return None;
                }
                let mut placed = 0;
                for ((pod, room), edges) in (0..).zip(&pods).zip(rooms.chunks(half as usize)) {
                    let link = topology.pod_link(pod, self.switch);
                    let share = self.share(link, *room, size - placed);
                    placed += self.fill_pod(pod, edges, share);
                }
                placed
            }
        };
        (placed == size).then(|| std::mem::take(&mut self.servers))
    }

    /// The largest count of a set, `[0, q] ∪ [N − q, children]`, that is at most `limit`.
    fn share(&self, link: crate::id::LinkId, room: Room, limit: u32) -> u32 {
        let residual = self.tree.residual(link);
        self.cluster.largest(0, room.children.min(limit), residual)
    }

    fn room(&self, link: crate::id::LinkId, children: u32) -> Room {
        let children = children.min(self.cluster.size);
        let residual = self.tree.residual(link);
        Room {
            children,
            largest: self.cluster.largest(0, children, residual),
        }
    }

    fn room_of_server(&self, server: u32) -> Room {
        let link = self.tree.topology().server_link(server);
        self.room(link, self.tree.free_slots(server))
    }

    fn room_of_servers(&self, edge: u32) -> u32 {
        self.tree
            .topology()
            .servers_below(Switch::Edge(edge))
            .map(|server| self.room_of_server(server).largest)
            .sum()
    }

    fn room_of_edge(&self, edge: u32) -> Room {
        let link = self.tree.topology().edge_link(edge, self.switch);
        self.room(link, self.room_of_servers(edge))
    }

    fn room_of_pod(&self, pod: u32, edges: &[Room]) -> Room {
        let link = self.tree.topology().pod_link(pod, self.switch);
        self.room(link, sum(edges))
    }

    fn fill_pod(&mut self, pod: u32, edges: &[Room], limit: u32) -> u32 {
        let topology = self.tree.topology();
        let mut placed = 0;
        for (edge, room) in (pod * topology.half()..).zip(edges) {
            let link = topology.edge_link(edge, self.switch);
            let share = self.share(link, *room, limit - placed);
            placed += self.fill_edge(edge, share);
        }
        placed
    }

    fn fill_edge(&mut self, edge: u32, limit: u32) -> u32 {
        let topology = self.tree.topology();
        let mut placed = 0;
        for server in topology.servers_below(Switch::Edge(edge)) {
            let room = self.room_of_server(server);
            let share = self.share(topology.server_link(server), room, limit - placed);
            if share > 0 {
                self.servers.push((ServerId(server), share));
                placed += share;
            }
        }
        placed
    }
}

fn sum(rooms: &[Room]) -> u32 {
    rooms.iter().map(|room| room.largest).sum()
}
