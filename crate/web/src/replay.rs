//! What a kept run holds at any instant, and the picture of it.
//!
//! The [`Replay`] stays in the worker that ran the cell and gives shares; the [`Picture`] of the same
//! machine stays with the page, which paints them and asks what lies under the pointer.

use crate::{plain, refusal};
use backfill_plot::colour::{Colouring, Shades};
use backfill_plot::raster::{
    self, ClusterPart, ClustersLayout, FatTreeLayout, FatTreeUse, Level, NodesLayout, Raster,
    SEPARATED,
};
use backfill_sim::id::{Id, LinkId};
use backfill_sim::record::{Fate, Stint, Stints};
use backfill_sim::setup::Setup;
use backfill_sim::system::SystemSpec;
use backfill_sim::system::fat_tree::{Fabric, Layer, Switch, Topology};
#[cfg(feature = "complete")]
use backfill_sim::system::multi_cluster::{LinkSharing, saturate};
use backfill_sim::unit::{Kbps, Time};
use js_sys::{Float32Array, Uint8ClampedArray};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A finished run that can be looked into.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Replay {
    pub(crate) run: Rc<backfill_sim::run::Replay>,
    pub(crate) machine: Machine,
    /// What decided it.
    #[cfg(feature = "complete")]
    pub(crate) setup: Setup,
    first: Time,
    end: Time,
}

/// What the jobs ran on, as far as it is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) enum Machine {
    /// A fat-tree of so many pods; `aggregated` where parallel links act as one.
    Tree { pods: usize, aggregated: bool },
    /// Blocks of so many equal parts.
    Nodes {
        nodes: usize,
        tiers: usize,
        blocks: Blocks,
    },
    /// Clusters of so many nodes. `threshold` is what the scheduler wants to load links with at
    /// most, as a share of their rates; with `shared` they slow down jobs that ask for more.
    Clusters {
        nodes: Vec<usize>,
        threshold: f64,
        shared: bool,
    },
}

/// What the blocks of equal parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) enum Blocks {
    /// The tiers of nodes.
    Tiers,
    /// The data centres of a pool, in which machines are counted by the stints.
    Centres,
}

impl Blocks {
    /// What each of so many is called; nothing where there is one, nor where there are too many.
    pub(crate) fn names(self, count: usize) -> Vec<String> {
        match self {
            _ if count < 2 => Vec::new(),
            Blocks::Tiers => ["foreground", "background"].map(str::to_owned).into(),
            Blocks::Centres => numbered("centre", count),
        }
    }

    /// What a part of one of `count` blocks of `size` is called; it is counted over the blocks.
    pub(crate) fn part(self, index: usize, size: usize, count: usize) -> String {
        let (block, part) = (index / size, index % size);
        let part = match self {
            Blocks::Tiers => format!("node {part}"),
            Blocks::Centres => format!("VM {part}"),
        };
        match self {
            _ if count == 1 => part,
            Blocks::Tiers => format!("{part}, {}", self.names(count)[block]),
            Blocks::Centres => format!("{part}, centre {block}"),
        }
    }
}

/// What a kept run holds. Times are seconds since the first submit.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct ReplayInfo {
    /// What the jobs ran on; only a picture looks inside.
    machine: Machine,
    /// The length of the run.
    span: f64,
    /// The first instant at which most is in use.
    busiest: f64,
    /// How many jobs it has.
    jobs: usize,
}

/// More blocks than this are not named one by one.
const MOST_NAMED_BLOCKS: usize = 12;

/// Cells are not drawn larger than this, in pixels.
const LARGEST_CELL: usize = 48;

/// What each of so many blocks is called; nothing where there are too many.
pub(crate) fn numbered(what: &str, count: usize) -> Vec<String> {
    match count <= MOST_NAMED_BLOCKS {
        true => (0..count).map(|block| format!("{what} {block}")).collect(),
        false => Vec::new(),
    }
}

/// The topology of a fat-tree that is drawn.
pub(crate) fn topology(pods: usize, aggregated: bool) -> Topology {
    let fabric = match aggregated {
        true => Fabric::Aggregated,
        false => Fabric::SingleRoot,
    };
    Topology::new(pods as u32, fabric)
}

/// A cell of a picture.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct Spot {
    /// What it stands for.
    name: String,
    /// Which of the shares it shows.
    part: usize,
    /// Its distance from the left edge, in pixels.
    left: usize,
    /// Its distance from the upper edge, in pixels.
    top: usize,
    /// Its width and height, in pixels.
    size: usize,
}

impl Replay {
    /// Of a run as `setup` says that kept its stints.
    pub(crate) fn new(run: backfill_sim::run::Replay, setup: &Setup) -> Option<Replay> {
        #[cfg(feature = "complete")]
        let run = with_numbered_machines(run, &setup.system);
        let machine = match &setup.system {
            SystemSpec::FatTree(spec) => Machine::Tree {
                pods: spec.k as usize,
                aggregated: spec.fabric == Fabric::Aggregated,
            },
            // The foreground of all nodes, then their background.
            SystemSpec::Nodes(spec) => Machine::Nodes {
                nodes: spec.nodes as usize,
                tiers: setup.system.slots() as usize / spec.nodes as usize,
                blocks: Blocks::Tiers,
            },
            #[cfg(not(feature = "complete"))]
            SystemSpec::MultiCluster { .. } | SystemSpec::Pool { .. } => return None,
            #[cfg(feature = "complete")]
            SystemSpec::MultiCluster(spec) => Machine::Clusters {
                nodes: spec.nodes.iter().map(|&count| count as usize).collect(),
                threshold: f64::from(setup.placing.threshold) / 100.0,
                shared: spec.sharing == LinkSharing::Dynamic,
            },
            #[cfg(feature = "complete")]
            SystemSpec::Pool(spec) => Machine::Nodes {
                nodes: spec.vms as usize,
                tiers: spec.opening_order.len(),
                blocks: Blocks::Centres,
            },
        };
        let first = run.jobs.iter().next().map_or(Time(0), |job| job.submit);
        let end = run.record.end().unwrap_or(first);
        run.record.stints.as_ref()?;
        Some(Replay {
            run: Rc::new(run),
            #[cfg(feature = "complete")]
            setup: setup.clone(),
            machine,
            first,
            end,
        })
    }

    fn stints(&self) -> &Stints {
        let stints = self.run.record.stints.as_ref();
        stints.expect("else there is no replay")
    }

    /// How many parts of the machine there are that can be in use: links, or nodes.
    fn parts(&self) -> usize {
        match &self.machine {
            Machine::Tree { .. } => self.run.links.len(),
            Machine::Nodes { nodes, tiers, .. } => nodes * tiers,
            Machine::Clusters { nodes, .. } => nodes.len() + nodes.iter().sum::<usize>(),
        }
    }

    /// Adds the use that one stint makes of each part, `weight` times. The nodes of a cluster are
    /// alike: it uses all of them a little.
    fn add(&self, shares: &mut [f32], stint: &Stint, weight: f64) {
        let link_share = |&(link, reserved): &(LinkId, Kbps)| {
            let capacity = self.run.links[link.index()].0 as f64;
            (link.index(), weight * reserved.0 as f64 / capacity)
        };
        match &self.machine {
            Machine::Tree { .. } => {
                for (link, share) in stint.reservations.iter().map(link_share) {
                    shares[link] += share as f32;
                }
            }
            // Of a node that is shared, what CPU the process on it asks for.
            Machine::Nodes { .. } => {
                let cpu = self.run.jobs[stint.job].cpu.as_ref();
                for (place, &(node, _)) in stint.shares.iter().enumerate() {
                    let process = stint.processes.get(place);
                    let process = process.zip(cpu);
                    let usage = process.map_or(100.0, |(&process, cpu)| {
                        cpu.processes[process as usize].usage.0
                    });
                    shares[node as usize] += (weight * usage / 100.0) as f32;
                }
            }
            #[cfg(not(feature = "complete"))]
            Machine::Clusters { .. } => unreachable!("only the complete build simulates them"),
            #[cfg(feature = "complete")]
            Machine::Clusters {
                nodes, threshold, ..
            } => {
                for (link, share) in stint.reservations.iter().map(link_share) {
                    shares[link] += (share / threshold) as f32;
                }
                for &(cluster, held) in &stint.shares {
                    let of = nodes[cluster as usize];
                    let each = weight * f64::from(held) / of as f64;
                    for share in &mut shares[first_node(nodes, cluster as usize)..][..of] {
                        *share += each as f32;
                    }
                }
            }
        }
    }

    /// The clusters at an instant: nodes one by one, each with the share of the bandwidth it requires
    /// that its job gets.
    #[cfg(feature = "complete")]
    fn clusters_at(&self, now: Time, nodes: &[usize], shared: bool) -> Vec<f32> {
        let mut shares = vec![0.0; self.parts()];
        let capacity: Vec<f64> = self.run.links.iter().map(|link| link.0 as f64).collect();
        let active: Vec<&Stint> = self.stints().active_at(now).collect();
        let needs = active.iter().map(|stint| {
            let mut need = vec![0.0; nodes.len()];
            for &(link, required) in &stint.reservations {
                need[link.index()] = required.0 as f64;
            }
            need
        });
        let needs: Vec<Vec<f64>> = needs.collect();
        let got = match shared {
            true => saturate(&capacity, &needs),
            false => vec![1.0; active.len()],
        };
        let mut next: Vec<usize> = (0..nodes.len()).map(|c| first_node(nodes, c)).collect();
        for stint in &active {
            self.add(&mut shares, stint, 1.0);
        }
        for (stint, got) in active.iter().zip(got) {
            for &(cluster, held) in &stint.shares {
                let first = &mut next[cluster as usize];
                shares[*first..][..held as usize].fill(got as f32);
                *first += held as usize;
            }
        }
        for (cluster, &next) in next.iter().enumerate() {
            shares[next..first_node(nodes, cluster) + nodes[cluster]].fill(0.0);
        }
        shares
    }

    /// The instant at which most is in use, and the first of several such.
    fn busiest(&self) -> Time {
        let mut changes: Vec<(Time, i64)> = Vec::new();
        for stint in self.stints().all() {
            let mut shares = 0.0;
            match &self.machine {
                Machine::Tree { .. } => {
                    for &(link, reserved) in &stint.reservations {
                        shares += reserved.0 as f64 / self.run.links[link.index()].0 as f64;
                    }
                }
                Machine::Nodes { .. } => shares = stint.shares.len() as f64,
                Machine::Clusters { .. } => {
                    shares = stint.shares.iter().map(|share| f64::from(share.1)).sum();
                }
            }
            // Whole millionths, so that what is added is taken away again exactly.
            let millionths = (shares * 1e6) as i64;
            changes.push((stint.start, millionths));
            changes.push((stint.end, -millionths));
        }
        changes.sort_unstable();
        let (mut now, mut most, mut busiest) = (0, 0, self.first);
        for (time, change) in changes {
            now += change;
            if now > most {
                (most, busiest) = (now, time);
            }
        }
        busiest
    }

    /// The share of each part in use at an instant, else averaged over the run.
    pub(crate) fn shares(&self, at: Option<f64>) -> Vec<f32> {
        let Some(seconds) = at else {
            return self.averaged();
        };
        let now = self.instant(seconds);
        #[cfg(feature = "complete")]
        if let Machine::Clusters { nodes, shared, .. } = &self.machine {
            return self.clusters_at(now, nodes, *shared);
        }
        let mut shares = vec![0.0; self.parts()];
        for stint in self.stints().active_at(now) {
            self.add(&mut shares, stint, 1.0);
        }
        shares
    }

    fn averaged(&self) -> Vec<f32> {
        let mut shares = vec![0.0; self.parts()];
        let length = (self.end - self.first).seconds();
        if length > 0.0 {
            for stint in self.stints().all() {
                let held = (stint.end - stint.start).seconds();
                self.add(&mut shares, stint, held / length);
            }
        }
        shares
    }

    fn paused(&self, now: Time) -> impl Iterator<Item = &Stint> {
        let active = self.stints().active_at(now);
        active.filter(move |stint| now < stint.works_from)
    }

    fn instant(&self, seconds: f64) -> Time {
        let micros = backfill_sim::unit::round(seconds * 1e6);
        Time((self.first.0 + micros).min(self.end.0))
    }
}

#[wasm_bindgen]
impl Replay {
    /// The machine and the length of the run; times are seconds since the first submit.
    #[wasm_bindgen(unchecked_return_type = "ReplayInfo")]
    pub fn info(&self) -> JsValue {
        plain(&ReplayInfo {
            machine: self.machine.clone(),
            span: (self.end - self.first).seconds(),
            busiest: (self.busiest() - self.first).seconds(),
            jobs: self.run.jobs.len(),
        })
    }

    /// The share of each part in use at an instant.
    pub fn shares_at(&self, seconds: f64) -> Float32Array {
        Float32Array::from(self.shares(Some(seconds)).as_slice())
    }

    /// The share of each part in use, averaged over the run.
    pub fn mean_shares(&self) -> Float32Array {
        Float32Array::from(self.shares(None).as_slice())
    }

    /// The nodes, counted over the tiers, that are held at an instant by jobs that pay for a migration.
    pub fn paused_at(&self, seconds: f64) -> Vec<u32> {
        let now = self.instant(seconds);
        let paused = self.paused(now).flat_map(|stint| &stint.shares);
        match self.machine {
            Machine::Nodes { .. } => paused.map(|share| share.0).collect(),
            _ => Vec::new(),
        }
    }

    /// How many jobs run and how many wait at an instant, how many of those that run pay for a migration,
    /// and how many migrations there were so far.
    pub fn jobs_at(&self, seconds: f64) -> Vec<u32> {
        let now = self.instant(seconds);
        let running = self.stints().active_at(now).count();
        let in_system = self
            .run
            .jobs
            .iter_enumerated()
            .filter(|(id, job)| {
                let ends = match self.run.record.courses[*id].fate {
                    Fate::Ran { end, .. } => end,
                    _ => return false,
                };
                job.submit <= now && now < ends
            })
            .count();
        let migrations = self.stints().all().iter();
        let migrations = migrations.filter(|stint| stint.migrated && stint.start <= now);
        vec![
            running as u32,
            in_system.saturating_sub(running) as u32,
            self.paused(now).count() as u32,
            migrations.count() as u32,
        ]
    }
}

/// A run on a pool knows only how many machines of a centre a job held; here each has its own.
#[cfg(feature = "complete")]
fn with_numbered_machines(
    mut run: backfill_sim::run::Replay,
    system: &SystemSpec,
) -> backfill_sim::run::Replay {
    if let SystemSpec::Pool(spec) = system
        && let Some(stints) = &mut run.record.stints
    {
        stints.number_slots(spec.vms);
    }
    run
}

/// The place of a cluster's first node among the parts: links, then nodes cluster by cluster.
#[cfg(feature = "complete")]
fn first_node(nodes: &[usize], cluster: usize) -> usize {
    nodes.len() + nodes[..cluster].iter().sum::<usize>()
}

/// How a machine is painted: see [`backfill_plot::raster`].
#[wasm_bindgen]
pub struct Picture {
    pub(crate) layout: Layout,
    width: usize,
    height: usize,
}

pub(crate) enum Layout {
    Tree {
        layout: FatTreeLayout,
        topology: Topology,
    },
    Nodes(NodesLayout, Blocks),
    Clusters(ClustersLayout),
}

impl Layout {
    pub(crate) fn paint(&self, shares: &[f32], paused: &[u32], colours: &dyn Colouring) -> Raster {
        match self {
            Layout::Tree { layout, topology } => {
                let [core, aggregation, nic] = [Level::Core, Level::Aggregation, Level::Nic]
                    .map(|level| level_shares(*topology, level, shares));
                let links = FatTreeUse {
                    core: &core,
                    aggregation: &aggregation,
                    nic: &nic,
                };
                layout.draw(links, colours)
            }
            Layout::Nodes(layout, _) => layout.draw(shares, paused, colours),
            Layout::Clusters(layout) => layout.draw(shares, colours),
        }
    }

    /// What a part is called.
    pub(crate) fn name(&self, part: usize) -> String {
        match self {
            Layout::Tree { topology, .. } => topology.name(LinkId(part as u32)),
            Layout::Nodes(layout, blocks) => blocks.part(part, layout.nodes, layout.tiers),
            Layout::Clusters(layout) => match layout.part(part) {
                ClusterPart::Link(cluster) => format!("link of cluster {cluster}"),
                ClusterPart::Node { cluster, node } => format!("cluster {cluster}, node {node}"),
            },
        }
    }

    fn parts(&self) -> usize {
        match self {
            Layout::Tree { topology, .. } => topology.links(Layer::Core).end as usize,
            Layout::Nodes(layout, _) => layout.nodes * layout.tiers,
            Layout::Clusters(layout) => layout.parts(),
        }
    }
}

/// The link of the simulator that a cell shows: parallel links that act as one are one.
pub(crate) fn simulated(topology: Topology, link: raster::Link) -> LinkId {
    let [pod, row, column] = [link.pod, link.row, link.column].map(|part| part as u32);
    let half = topology.half();
    let edge = pod * half + row;
    match link.level {
        Level::Nic => topology.server_link(edge * half + column),
        Level::Aggregation => topology.edge_link(edge, Switch::Aggregation { pod, j: column }),
        Level::Core => topology.pod_link(pod, Switch::Core { j: row, i: column }),
    }
}

/// The shares of the links of one level, in the order in which they are painted.
fn level_shares(topology: Topology, level: Level, shares: &[f32]) -> Vec<f32> {
    let half = topology.half() as usize;
    (0..topology.servers() as usize)
        .map(|index| {
            let link = raster::Link {
                level,
                pod: index / half / half,
                row: index / half % half,
                column: index % half,
            };
            shares[simulated(topology, link).index()]
        })
        .collect()
}

impl Picture {
    /// Of a machine, at most `width` pixels wide where that is possible.
    pub(crate) fn of(machine: Machine, width: usize) -> Picture {
        let layout = match machine {
            Machine::Tree { pods, aggregated } => {
                let gap = if pods <= 8 {
                    2 * SEPARATED
                } else {
                    SEPARATED / 2
                };
                let gaps = (pods - 1) * gap;
                let cell = (width.saturating_sub(gaps) / (pods * pods / 2)).clamp(1, LARGEST_CELL);
                let layout = FatTreeLayout { k: pods, cell, gap };
                let topology = topology(pods, aggregated);
                Layout::Tree { layout, topology }
            }
            Machine::Nodes {
                nodes,
                tiers,
                blocks,
            } => {
                let mut layout = NodesLayout {
                    nodes,
                    tiers,
                    cell: 1,
                    gap: 2 * SEPARATED,
                };
                let room = width.saturating_sub((tiers - 1) * layout.gap);
                let cells = (tiers * layout.columns()).max(1);
                layout.cell = (room / cells).clamp(1, LARGEST_CELL);
                Layout::Nodes(layout, blocks)
            }
            Machine::Clusters { nodes, .. } => {
                let gap = 2 * SEPARATED;
                let mut layout = ClustersLayout {
                    nodes,
                    cell: 1,
                    gap,
                };
                let blocks = layout.blocks();
                let room = width.saturating_sub((blocks - 1) * gap);
                let cells = (blocks * layout.columns()).max(1);
                layout.cell = (room / cells).clamp(1, LARGEST_CELL);
                Layout::Clusters(layout)
            }
        };
        let idle = layout.paint(&vec![0.0; layout.parts()], &[], &Shades::LIGHT);
        Picture {
            layout,
            width: idle.width,
            height: idle.height,
        }
    }
}

#[wasm_bindgen]
impl Picture {
    /// Of the machine of a replay, at most `width` pixels wide where that is possible.
    ///
    /// # Errors
    /// It is no machine.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ReplayInfo['machine']")] machine: JsValue,
        width: usize,
    ) -> Result<Picture, JsValue> {
        Ok(Picture::of(serde_wasm_bindgen::from_value(machine)?, width))
    }

    /// Pixels from left to right.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> usize {
        self.height
    }

    /// What the rows of blocks stand for, from the top; none for plain nodes.
    pub fn rows(&self) -> Vec<String> {
        match self.layout {
            Layout::Tree { .. } => ["core", "aggregation", "servers"]
                .map(|row| format!("links to {row}"))
                .into(),
            Layout::Nodes(..) | Layout::Clusters(_) => Vec::new(),
        }
    }

    /// What the columns of blocks stand for, from the left; none where there is one, nor where there are
    /// too many to be named.
    pub fn columns(&self) -> Vec<String> {
        match &self.layout {
            Layout::Tree { layout, .. } => numbered("pod", layout.k),
            Layout::Nodes(layout, blocks) => blocks.names(layout.tiers),
            Layout::Clusters(layout) if layout.nodes.len() == layout.blocks() => {
                numbered("cluster", layout.nodes.len())
            }
            Layout::Clusters(_) => Vec::new(),
        }
    }

    /// What a share is a share of, as it is said of a cell, of the scale and of the whole picture.
    pub fn words(&self) -> Vec<String> {
        let words = match &self.layout {
            Layout::Tree { .. } => [
                "reserved",
                "of a link reserved",
                "Share of each link reserved, pod by pod",
            ],
            Layout::Nodes(layout, Blocks::Tiers) if layout.tiers > 1 => [
                "of the CPU asked for",
                "of a node's CPU asked for; hollow: paused after a migration",
                "CPU that the process on each node asks for, tier by tier",
            ],
            Layout::Nodes(_, Blocks::Tiers) => {
                ["held", "of a node held", "Share of each node held"]
            }
            Layout::Nodes(_, Blocks::Centres) => {
                ["held", "of a machine held", "Which machines are held"]
            }
            Layout::Clusters(_) => [
                "in use",
                "in use",
                "Use of each link, and bandwidth that each node's job gets, cluster by cluster",
            ],
        };
        words.map(str::to_owned).into()
    }

    /// The pixels of these shares, those of paused processes hollow: red, green, blue and opacity, row by
    /// row.
    ///
    /// # Errors
    /// They are the shares of another machine.
    pub fn paint(
        &self,
        shares: &[f32],
        paused: &[u32],
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        let parts = self.layout.parts();
        if shares.len() != parts || paused.iter().any(|&part| part as usize >= parts) {
            return Err(refusal("these are the shares of another machine"));
        }
        let raster = self.layout.paint(shares, paused, shades(dark));
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }

    /// What lies under a pixel, and its cell; undefined where there is nothing.
    #[wasm_bindgen(unchecked_return_type = "Spot | undefined")]
    pub fn spot(&self, x: usize, y: usize) -> JsValue {
        let cell = match &self.layout {
            Layout::Tree { layout, topology } => layout.locate(x, y).map(|link| {
                let part = simulated(*topology, link).index();
                (part, layout.corner(link), layout.cell)
            }),
            Layout::Nodes(layout, _) => layout
                .locate(x, y)
                .map(|node| (node, layout.corner(node), layout.cell)),
            Layout::Clusters(layout) => layout
                .locate(x, y)
                .map(|(part, corner)| (layout.index(part), corner, layout.cell)),
        };
        let spot = cell.map(|(part, (left, top), size)| Spot {
            name: self.layout.name(part),
            part,
            left,
            top,
            size,
        });
        spot.map_or(JsValue::UNDEFINED, |spot| plain(&spot))
    }
}

/// The colour scale of all pictures: what is idle, 0 to 100 %, and beyond.
#[wasm_bindgen]
pub fn paint_scale(width: usize, height: usize, dark: bool) -> Uint8ClampedArray {
    let raster = raster::legend(width, height, shades(dark));
    Uint8ClampedArray::from(raster.rgba.as_slice())
}

pub(crate) fn shades(dark: bool) -> &'static Shades {
    match dark {
        true => &Shades::DARK,
        false => &Shades::LIGHT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_is_painted_and_none_twice_where_links_are_apart() {
        let topology = Topology::new(4, Fabric::SingleRoot);
        let painted: Vec<f32> = [Level::Nic, Level::Aggregation, Level::Core]
            .into_iter()
            .flat_map(|level| {
                let shares: Vec<f32> = (0..48).map(|share| share as f32).collect();
                level_shares(topology, level, &shares)
            })
            .collect();
        let expected: Vec<f32> = (0..48).map(|share| share as f32).collect();
        assert_eq!(painted, expected);
    }

    #[test]
    fn parallel_links_that_act_as_one_show_one_share() {
        let topology = Topology::new(4, Fabric::Aggregated);
        // 16 server links, 8 edge switches' uplinks, 4 pods' uplinks.
        let shares: Vec<f32> = (0..28).map(|share| share as f32).collect();
        let edge = level_shares(topology, Level::Aggregation, &shares);
        assert_eq!(edge[..4], [16.0, 16.0, 17.0, 17.0]);
        let core = level_shares(topology, Level::Core, &shares);
        assert_eq!(core[..5], [24.0, 24.0, 24.0, 24.0, 25.0]);
        let layout = FatTreeLayout {
            k: 4,
            cell: 3,
            gap: 2,
        };
        let picture = Layout::Tree { layout, topology };
        assert_eq!(picture.parts(), 28);
    }
}
