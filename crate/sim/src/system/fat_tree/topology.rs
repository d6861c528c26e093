//! Servers, switches and links of a k-ary fat-tree, and their numbering.
//!
//! With h = k/2 there are k pods of h edge and h aggregation switches, h² core switches and
//! S = k·h² servers. Edge switch `e` of the whole tree (counted pod by pod) holds the servers
//! `e·h .. (e+1)·h`; pod `p` the edges `p·h .. (p+1)·h`. Core (j, i) reaches aggregation switch j
//! of every pod. Links are numbered by layer, from below:
//! - the server links (NICs), S of them, by server;
//! - edge layer: `aggregated` one uplink an edge switch (k·h); `single-root` by (edge, j) (k·h²);
//! - core layer: `aggregated` one uplink a pod (k); `single-root` by (pod, j, i) (k·h²).
//!
//! In the `aggregated` fabric the traffic of a job splits evenly over all parallel links, which act
//! as one; in the `single-root` fabric it uses the links below one switch, as Algorithm 1 is
//! printed.
//!
//! Source: paper 1, sections 3 and 4.1; it does not say which fabric Eq. 6 means.

use crate::choice::choices;
use crate::source::PAPER_1;
use std::ops::Range;

use crate::decimal::Decimal;
use crate::id::LinkId;
use crate::unit::Kbps;

choices! {
    /// How the parallel links of a fat-tree carry a job's traffic.
    pub enum Fabric {
        Aggregated = "aggregated", "Aggregated",
            "Parallel links work as one of their summed rate: traffic is split evenly over them.",
            "H. Ballani, P. Costa, T. Karagiannis, A. Rowstron, Towards predictable datacenter networks, SIGCOMM 2011";
        SingleRoot = "single-root", "Single root",
            "All traffic of a job goes over the unique paths down from one switch.",
            PAPER_1;
    }
}

/// The shape of a fat-tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topology {
    k: u32,
    fabric: Fabric,
}

/// The root of the subtree that a job is embedded in: where its virtual switch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// A single server: no link is used.
    Server(u32),
    /// An edge switch, counted over the whole tree.
    Edge(u32),
    /// Aggregation switch j of a pod; under `aggregated` (j = 0) all of them.
    Aggregation {
        /// Its pod.
        pod: u32,
        /// Its place in the pod, j.
        j: u32,
    },
    /// Core switch (j, i); under `aggregated` (0, 0) represents all of them.
    Core {
        /// The aggregation switch it reaches in every pod.
        j: u32,
        /// Its place among the cores that reach it.
        i: u32,
    },
}

/// The layers of links, from below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Between servers and edge switches.
    Server,
    /// Between edge and aggregation switches.
    Edge,
    /// Between aggregation and core switches.
    Core,
}

impl Layer {
    /// All layers, from below.
    pub const ALL: [Layer; 3] = [Layer::Server, Layer::Edge, Layer::Core];
}

impl Topology {
    /// A fat-tree of `k` pods; k is even and at least 2.
    pub fn new(k: u32, fabric: Fabric) -> Topology {
        assert!(k >= 2 && k.is_multiple_of(2), "k = {k} is not even");
        Topology { k, fabric }
    }

    /// The number of pods, k.
    pub fn pods(self) -> u32 {
        self.k
    }

    /// h = k/2: servers an edge switch, edge switches a pod.
    pub fn half(self) -> u32 {
        self.k / 2
    }

    /// The fabric.
    pub fn fabric(self) -> Fabric {
        self.fabric
    }

    /// The number of edge switches, k·h.
    pub fn edges(self) -> u32 {
        self.k * self.half()
    }

    /// The number of servers, S = k·h².
    pub fn servers(self) -> u32 {
        self.edges() * self.half()
    }

    /// The edge switch of a server.
    pub fn edge_of(self, server: u32) -> u32 {
        server / self.half()
    }

    /// The pod of an edge switch.
    pub(crate) fn pod_of(self, edge: u32) -> u32 {
        edge / self.half()
    }

    /// The links of one layer.
    pub fn links(self, layer: Layer) -> Range<u32> {
        let servers = self.servers();
        let (edge, core) = match self.fabric {
            Fabric::Aggregated => (self.edges(), self.k),
            Fabric::SingleRoot => (servers, servers),
        };
        match layer {
            Layer::Server => 0..servers,
            Layer::Edge => servers..servers + edge,
            Layer::Core => servers + edge..servers + edge + core,
        }
    }

    /// The capacities of all links for a line rate C: C, h·C/v and h²·C/v² in the aggregated fabric
    /// with an oversubscription v, rounded down to whole kbit/s, and C everywhere in the other.
    pub fn capacities(self, line_rate: Kbps, oversubscription: Decimal) -> Vec<Kbps> {
        Layer::ALL
            .into_iter()
            .flat_map(|layer| {
                let capacity = self.capacity(layer, line_rate, oversubscription);
                self.links(layer).map(move |_| capacity)
            })
            .collect()
    }

    /// The same of each link of one layer.
    pub fn capacity(self, layer: Layer, line_rate: Kbps, oversubscription: Decimal) -> Kbps {
        let (numerator, denominator) = oversubscription.ratio();
        let above = layer as u32;
        Kbps(match self.fabric {
            Fabric::Aggregated => {
                let factor = u128::from(self.half()) * denominator;
                (u128::from(line_rate.0) * factor.pow(above) / numerator.pow(above)) as u64
            }
            Fabric::SingleRoot => line_rate.0,
        })
    }

    /// The link of a server to its edge switch.
    pub fn server_link(self, server: u32) -> LinkId {
        LinkId(server)
    }

    /// The links above an edge switch, by aggregation switch.
    pub(crate) fn edge_links(self, edge: u32) -> Range<u32> {
        let first = self.links(Layer::Edge).start + edge * self.parallel();
        first..first + self.parallel()
    }

    /// The links above the aggregation layer of a pod, by aggregation switch and core.
    pub(crate) fn pod_links(self, pod: u32) -> Range<u32> {
        let cores = self.parallel() * self.parallel();
        let first = self.links(Layer::Core).start + pod * cores;
        first..first + cores
    }

    /// The link from an edge switch towards `switch` above it.
    pub fn edge_link(self, edge: u32, switch: Switch) -> LinkId {
        let first = self.edge_links(edge).start;
        LinkId(match (self.fabric, switch) {
            (Fabric::Aggregated, _) => first,
            (Fabric::SingleRoot, Switch::Aggregation { j, .. } | Switch::Core { j, .. }) => {
                first + j
            }
            (_, Switch::Server(_) | Switch::Edge(_)) => {
                unreachable!("{switch:?} has no edge below")
            }
        })
    }

    /// The link from the aggregation layer of a pod towards core `switch`.
    pub fn pod_link(self, pod: u32, switch: Switch) -> LinkId {
        let first = self.pod_links(pod).start;
        LinkId(match (self.fabric, switch) {
            (Fabric::Aggregated, _) => first,
            (Fabric::SingleRoot, Switch::Core { j, i }) => first + j * self.half() + i,
            _ => unreachable!("{switch:?} has no pod below"),
        })
    }

    /// The name of a link: its ends, counted from 0, switches within their pod and cores over the
    /// whole tree.
    pub fn name(self, link: LinkId) -> String {
        let half = self.half();
        let [server, edge, _] = Layer::ALL.map(|layer| self.links(layer));
        let of_pod = |edge: u32| (edge % half, self.pod_of(edge));
        if server.contains(&link.0) {
            let (row, pod) = of_pod(self.edge_of(link.0));
            return format!("server {} – edge switch {row} of pod {pod}", link.0);
        }
        if edge.contains(&link.0) {
            let index = link.0 - edge.start;
            let (row, pod) = of_pod(index / self.parallel());
            return match self.fabric {
                Fabric::Aggregated => {
                    format!("edge switch {row} – aggregation of pod {pod}, {half} links as one")
                }
                Fabric::SingleRoot => {
                    let j = index % half;
                    format!("edge switch {row} – aggregation switch {j} of pod {pod}")
                }
            };
        }
        let index = link.0 - edge.end;
        let cores = half * half;
        match self.fabric {
            Fabric::Aggregated => format!("pod {index} – core, {cores} links as one"),
            Fabric::SingleRoot => {
                let (pod, core) = (index / cores, index % cores);
                let j = core / half;
                format!("aggregation switch {j} of pod {pod} – core switch {core}")
            }
        }
    }

    /// The servers below `switch`.
    #[inline]
    pub fn servers_below(self, switch: Switch) -> Range<u32> {
        let half = self.half();
        match switch {
            Switch::Server(server) => server..server + 1,
            Switch::Edge(edge) => edge * half..(edge + 1) * half,
            Switch::Aggregation { pod, .. } => pod * half * half..(pod + 1) * half * half,
            Switch::Core { .. } => 0..self.servers(),
        }
    }

    /// The number of parallel links of which a job uses only one: the aggregation switches j of a
    /// pod, and the cores i that each of them reaches. One in the aggregated fabric, where they act
    /// as one.
    pub fn parallel(self) -> u32 {
        match self.fabric {
            Fabric::Aggregated => 1,
            Fabric::SingleRoot => self.half(),
        }
    }
}
