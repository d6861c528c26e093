//! A fat-tree in pictures: its links, pod by pod and level by level.
//!
//! A fat-tree of k pods has k³/4 links on each of its three levels, and k/2 switches of k/2 links
//! on each level of a pod. So it tiles exactly: a block of three bands for each pod, each of (k/2)
//! × (k/2) cells. This shows the hot pod and the spread of a job, where drawings of nodes and lines
//! overlap. A part is a link; where parallel links act as one, so do their cells.

use std::cmp::Reverse;

use crate::sorting;
use serde::{Deserialize, Serialize};

use super::place::{Exact, Rules, TreePlacement, exact};
use super::{Embedding, Fabric, FatTree, FatTreeSpec, Layer, Switch, Topology};
use crate::id::{Id, LinkId};
use crate::job::Request;
use crate::machine::System;
use crate::metrics::ACCEPT_RATE;
use crate::record::Allocation;
use crate::system::describe::{
    About, Describe, Diagram, Examined, Examiner, InTheWay, Kept, Lanes, Layout, Level, Measure,
    Obstacle, Wire, numbered,
};
use crate::unit::Kbps;

/// Texts about fat-trees. Only this system rejects jobs in normal operation, so only here the
/// accept rate is a headline metric.
pub static ABOUT: About = About {
    unit: "slot",
    part: "server",
    layers: &["Server links", "Edge links", "Core links"],
    headline: &[ACCEPT_RATE, "wait_mean", "bsd_mean"],
    headline_of_shared: &[
        ACCEPT_RATE,
        "response_mean",
        "bsd_mean",
        "stretch_mean",
        "late",
    ],
    placements: TreePlacement::CHOICES,
    compared: &["adaba"],
    network: true,
    fits_nowhere: Some("ask for more bandwidth than this system can guarantee them"),
    confinement: None,
    chosen_in_sets: false,
};

/// With more pods than this the gaps between them are small.
const PODS_APART: u32 = 8;

/// A tree of more pods than this has too many wires to be drawn with them.
const PODS_DRAWN: u32 = 8;

/// A fat-tree in pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct ShownTree {
    /// The number of pods.
    pub pods: u32,
    /// Slots of each server.
    pub slots: u32,
    /// Whether parallel links act as one.
    pub aggregated: bool,
}

impl ShownTree {
    /// A fat-tree of this specification.
    pub fn of(spec: &FatTreeSpec) -> ShownTree {
        ShownTree {
            pods: spec.k,
            slots: spec.slots,
            aggregated: spec.fabric == Fabric::Aggregated,
        }
    }

    fn topology(&self) -> Topology {
        let fabric = if self.aggregated {
            Fabric::Aggregated
        } else {
            Fabric::SingleRoot
        };
        Topology::new(self.pods, fabric)
    }
}

/// The link that a cell of a pod shows: `row` and `column` are the aggregation switch and the core
/// of its group, the edge switch and the aggregation switch, or the edge switch and the server.
fn shown(topology: Topology, layer: Layer, pod: u32, row: u32, column: u32) -> LinkId {
    let half = topology.half();
    let edge = pod * half + row;
    match layer {
        Layer::Server => topology.server_link(edge * half + column),
        Layer::Edge => topology.edge_link(edge, Switch::Aggregation { pod, j: column }),
        Layer::Core => topology.pod_link(pod, Switch::Core { j: row, i: column }),
    }
}

impl Describe for ShownTree {
    fn parts(&self) -> usize {
        self.topology().links(Layer::Core).end as usize
    }

    fn part(&self, part: usize) -> String {
        self.link(LinkId::new(part))
    }

    fn layout(&self) -> Layout {
        let topology = self.topology();
        let half = topology.half();
        let band = |pod, layer| {
            let cells = (0..half).flat_map(|row| (0..half).map(move |column| (row, column)));
            cells
                .map(|(row, column)| shown(topology, layer, pod, row, column).0)
                .collect()
        };
        let layers = [Layer::Core, Layer::Edge, Layer::Server];
        let block = |pod| layers.map(|layer| band(pod, layer)).into();
        Layout {
            columns: half as usize,
            bands: vec![half as usize; layers.len()],
            across: self.pods as usize,
            close: self.pods > PODS_APART,
            blocks: (0..self.pods).map(block).collect(),
        }
    }

    fn bands(&self) -> Vec<String> {
        ["core", "aggregation", "servers"]
            .map(|row| format!("links to {row}"))
            .into()
    }

    fn blocks(&self) -> Vec<String> {
        numbered("pod", self.pods as usize)
    }

    fn words(&self) -> [&'static str; 3] {
        [
            "reserved",
            "of a link reserved",
            "Share of each link reserved, pod by pod",
        ]
    }
}

impl Measure for ShownTree {
    fn holder(&self, number: u32) -> String {
        format!("server {number}")
    }

    fn link(&self, link: LinkId) -> String {
        self.topology().name(link)
    }

    fn lanes(&self) -> Lanes {
        let (pods, slots) = (self.pods as usize, self.slots as usize);
        Lanes::alike(slots, pods, pods * pods / 4 * slots)
    }

    fn diagram(&self) -> Option<Diagram> {
        let drawn = self.pods <= PODS_DRAWN;
        drawn.then(|| {
            let topology = self.topology();
            let half = topology.half();
            let level = |name, groups, nodes| Level {
                name,
                groups,
                nodes,
            };
            let wire = |layer, pod, row, column| {
                let part = shown(topology, layer, pod, row, column).0;
                let (switch, other) = (pod * half + row, pod * half + column);
                let (level, upper, lower) = match layer {
                    Layer::Core => (0, row * half + column, switch),
                    Layer::Edge => (1, other, switch),
                    Layer::Server => (2, switch, switch * half + column),
                };
                Wire {
                    part,
                    level,
                    upper,
                    lower,
                }
            };
            let layers = [Layer::Core, Layer::Edge, Layer::Server].into_iter();
            let of_layer = |layer| {
                (0..self.pods)
                    .flat_map(move |pod| (0..half).map(move |row| (pod, row)))
                    .flat_map(move |(pod, row)| {
                        (0..half).map(move |column| wire(layer, pod, row, column))
                    })
            };
            Diagram {
                levels: vec![
                    level("core", 1, half * half),
                    level("aggregation", self.pods, half),
                    level("edge", self.pods, half),
                    level("servers", self.pods, half * half),
                ],
                wires: layers.flat_map(of_layer).collect(),
            }
        })
    }

    fn held(&self, allocation: &Allocation, links: &[Kbps]) -> f64 {
        let mut shares = 0.0;
        for (link, reserved) in allocation.held.reservations() {
            shares += reserved.0 as f64 / links[link.index()].0 as f64;
        }
        shares
    }

    fn add(&self, shares: &mut [f32], allocation: &Allocation, weight: f64, run: Kept<'_>) {
        for (link, reserved) in allocation.held.reservations() {
            let capacity = run.links[link.index()].0 as f64;
            shares[link.index()] += (weight * reserved.0 as f64 / capacity) as f32;
        }
    }

    /// The link of a server represents the server.
    fn marked(&self, allocation: &Allocation) -> Vec<u32> {
        let topology = self.topology();
        let servers = allocation.shares().map(|share| share.0);
        let own = servers.map(|server| topology.server_link(server).0);
        let reserved = allocation.held.reservations().map(|entry| entry.0.0);
        own.chain(reserved).collect()
    }

    fn paused(&self, _: &Allocation) -> Vec<u32> {
        Vec::new()
    }
}

impl Examined for FatTree {
    const LINKS: bool = true;
    const ABOUT: &'static About = &ABOUT;

    fn link(&self, link: LinkId) -> String {
        self.topology().name(link)
    }
}

/// Whether any embedding exists is the same for all placements with equal rules.
impl Examiner<FatTree> for Exact {
    fn possible(&self, tree: &FatTree, request: &Request) -> Option<Embedding> {
        exact::find(tree, request, Rules::default())
    }

    fn obstacle(&self, tree: &FatTree, request: &Request) -> Obstacle {
        let free = u64::from(tree.free_total());
        if free < u64::from(request.size) {
            return Obstacle::TooFewSlots { free };
        }
        let Some(links) = links_in_the_way(tree, request) else {
            return Obstacle::Scattered { free };
        };
        let empty = tree.with_empty(&links);
        let placement =
            exact::find(&empty, request, Rules::default()).expect("it fits without them");
        let in_the_way = |&(link, need): &(LinkId, Kbps)| InTheWay {
            link,
            name: tree.topology().name(link),
            residual: tree.residual(link),
            need,
        };
        let reservations = placement.reservations.iter();
        let reservations = reservations.filter(|entry| links.contains(&entry.0));
        Obstacle::Links(reservations.map(in_the_way).collect())
    }
}

/// An inclusion-minimal set of links without whose reservations `request` fits; `None` if it does
/// not fit without all. The emptiest links are spared first, equal ones by their number.
fn links_in_the_way(tree: &FatTree, request: &Request) -> Option<Vec<LinkId>> {
    let mut candidates: Vec<LinkId> = (0..tree.links().len() as u32)
        .map(LinkId)
        .filter(|&link| tree.reserved(link) > Kbps(0))
        .collect();
    sorting::by_key(&mut candidates, |&link| {
        (Reverse(tree.residual(link)), link)
    });
    let fits_without =
        |links: &[LinkId]| exact::decide(&tree.with_empty(links), request) == Some(true);
    if !fits_without(&candidates) {
        return None;
    }
    let mut needed: Vec<LinkId> = Vec::new();
    loop {
        // As many of the candidates as possible, from the first on, keep their load.
        let spare = |count: usize| {
            let empty = [&needed, &candidates[count..]].concat();
            fits_without(&empty)
        };
        let (mut most, mut too_many) = (0, candidates.len() + 1);
        while too_many - most > 1 {
            let middle = (most + too_many) / 2;
            if spare(middle) {
                most = middle
            } else {
                too_many = middle
            }
        }
        if most == candidates.len() {
            return Some(needed);
        }
        needed.push(candidates[most]);
        candidates.drain(..=most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::describe::tests::{allocation, shows_every_part};

    fn tree(aggregated: bool) -> ShownTree {
        ShownTree {
            pods: 4,
            slots: 2,
            aggregated,
        }
    }

    /// The parts that a band shows, pod by pod.
    fn band(tree: &ShownTree, band: usize) -> Vec<u32> {
        let blocks = tree.layout().blocks;
        blocks
            .iter()
            .flat_map(|block| block[band].clone())
            .collect()
    }

    #[test]
    fn every_link_has_one_cell_in_the_single_root_fabric() {
        let tree = tree(false);
        let shown = [2, 1, 0].map(|level| band(&tree, level)).concat();
        assert_eq!(shown, (0..48).collect::<Vec<u32>>());
        shows_every_part(&tree);
    }

    #[test]
    fn parallel_links_that_act_as_one_are_one_part() {
        let tree = tree(true);
        // 16 server links, 8 edge switches' uplinks, 4 pods' uplinks.
        assert_eq!(tree.parts(), 28);
        assert_eq!(band(&tree, 1)[..4], [16, 16, 17, 17]);
        assert_eq!(band(&tree, 0)[..5], [24, 24, 24, 24, 25]);
        shows_every_part(&tree);
    }

    #[test]
    fn every_link_is_drawn_between_the_nodes_that_its_name_says() {
        for (pods, aggregated) in [(2, false), (4, false), (4, true), (8, false), (8, true)] {
            let tree = ShownTree {
                pods,
                slots: 1,
                aggregated,
            };
            let half = pods / 2;
            let Diagram { levels, wires } = tree.diagram().expect("few pods");
            let nodes: Vec<u32> = levels
                .iter()
                .map(|level| level.groups * level.nodes)
                .collect();
            assert_eq!(
                nodes,
                [half * half, pods * half, pods * half, pods * half * half]
            );
            let mut ends = std::collections::BTreeSet::new();
            let mut drawn = vec![0; tree.parts()];
            for wire in &wires {
                drawn[wire.part as usize] += 1;
                assert!(
                    ends.insert((wire.level, wire.upper, wire.lower)),
                    "{wire:?}"
                );
                let below = wire.level as usize + 1;
                assert!(wire.upper < nodes[below - 1] && wire.lower < nodes[below]);
                let (pod, place) = (wire.lower / half, wire.lower % half);
                let name = match (wire.level, aggregated) {
                    (0, false) => format!(
                        "aggregation switch {place} of pod {pod} – core switch {}",
                        wire.upper
                    ),
                    (0, true) => format!("pod {pod} – core, {} links as one", half * half),
                    (1, false) => format!(
                        "edge switch {place} – aggregation switch {} of pod {pod}",
                        wire.upper % half
                    ),
                    (1, true) => {
                        format!(
                            "edge switch {place} – aggregation of pod {pod}, {half} links as one"
                        )
                    }
                    _ => format!(
                        "server {} – edge switch {} of pod {}",
                        wire.lower,
                        wire.upper % half,
                        wire.upper / half
                    ),
                };
                assert_eq!(tree.part(wire.part as usize), name);
            }
            for (part, &times) in drawn.iter().enumerate() {
                let layer = tree.topology().links(Layer::Server).end as usize;
                let cores = tree.topology().links(Layer::Core).start as usize;
                let expected = match part {
                    _ if !aggregated || part < layer => 1,
                    _ if part < cores => half,
                    _ => half * half,
                };
                assert_eq!(times, expected, "{}", tree.part(part));
            }
        }
        let large = ShownTree {
            pods: 10,
            slots: 1,
            aggregated: false,
        };
        assert_eq!(large.diagram(), None);
    }

    #[test]
    fn links_are_shared_by_rate_and_a_server_is_marked_by_its_own() {
        let tree = tree(true);
        let mut rates = vec![Kbps(10); 28];
        rates[16] = Kbps(20);
        let run = Kept {
            jobs: &Vec::new().into(),
            links: &rates,
        };
        let allocation = allocation(&[(0, 2), (1, 1)], &[(0, 5), (16, 5)]);
        let shares = tree.in_use(&[&allocation], run);
        assert_eq!((shares[0], shares[1], shares[16]), (0.5, 0.0, 0.25));
        assert_eq!(tree.held(&allocation, &rates), 0.75);
        assert_eq!(tree.marked(&allocation), [0, 1, 0, 16]);
        assert_eq!(tree.lanes().blocks[0], 8);
    }
}
