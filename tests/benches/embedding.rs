//! How fast virtual clusters are embedded in a loaded fat-tree, by AdaBa: the placement that users
//! get against the plain transcription of Algorithm 1.
//!
//! Clusters of 1 to 32 machines of about 300 Mbit/s come and go until the tree is in its steady
//! state; then each placement meets the same requests from the same state. A request's time is that
//! of its placement, of its reservation and of the departures before it. Every row first checks
//! that both placements answer alike, so that a fast wrong answer is not a win.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use backfill_sim::decimal::Decimal;
use backfill_sim::digest::Digest;
use backfill_sim::job::Request;
use backfill_sim::machine::System;
use backfill_sim::place::Placer;
use backfill_sim::system::fat_tree::place::{Adaba, LargestBandwidth, Rules, TreePlacement};
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Reservation, Topology};
use backfill_sim::unit::{Kbps, Time};
use backfill_tests::embedding::{Plain, requests};

const SLOTS: u32 = 8;
const LARGEST: u32 = 32;

/// A tree and the departures of its jobs.
#[derive(Clone)]
struct State {
    tree: FatTree,
    held: Vec<Option<(Request, Embedding)>>,
    ends: BinaryHeap<Reverse<(Time, usize)>>,
}

impl State {
    fn empty(k: u32, fabric: Fabric) -> State {
        let topology = Topology::new(k, fabric);
        let capacity = topology.capacities(Kbps(1_000_000), Decimal::whole(1));
        State {
            tree: FatTree::new(topology, SLOTS, capacity, Reservation::Hose),
            held: Vec::new(),
            ends: BinaryHeap::new(),
        }
    }

    fn meet(
        &mut self,
        requests: &[Request],
        placer: &mut impl Placer<FatTree>,
        mut see: impl FnMut(Option<&Embedding>),
    ) {
        for request in requests {
            while let Some(&Reverse((end, held))) = self.ends.peek()
                && end <= request.submit
            {
                self.ends.pop();
                let (request, placement) = self.held[held].take().expect("it is held");
                self.tree.free(&request, &placement);
            }
            placer.arrived(request);
            let placement = placer.place(&self.tree, request);
            see(placement.as_ref());
            if let Some(placement) = placement {
                self.tree.hold(request, &placement);
                self.ends.push(Reverse((
                    request.submit + request.estimate,
                    self.held.len(),
                )));
                self.held.push(Some((*request, placement)));
            }
        }
    }

    /// Fingerprint of the answers from here on, and how many of them are embeddings.
    fn answers(
        mut self,
        requests: &[Request],
        mut placer: impl Placer<FatTree>,
    ) -> (Digest, usize) {
        let mut digest = Digest::new();
        let mut accepted = 0;
        self.meet(requests, &mut placer, |placement| {
            accepted += usize::from(placement.is_some());
            for &(server, machines) in placement.map_or(&[][..], |placement| &placement.servers) {
                digest.word(u64::from(server.0));
                digest.word(u64::from(machines));
            }
        });
        (digest, accepted)
    }

    /// Microseconds a request, the best of a few timings: what else the machine does only ever
    /// makes a run slower.
    fn time(
        &self,
        requests: &[Request],
        placer: &(impl Placer<FatTree> + Clone),
        times: u32,
    ) -> f64 {
        let once = |_| {
            let (mut state, mut placer) = (self.clone(), placer.clone());
            let start = Instant::now();
            state.meet(requests, &mut placer, |_| {});
            start.elapsed().as_secs_f64()
        };
        let best = (0..times).map(once).fold(f64::INFINITY, f64::min);
        1e6 * best / requests.len() as f64
    }
}

/// One row of the table, the plain version on the first `plain` of the requests; returns the
/// microseconds a request.
fn row(fabric: Fabric, load: f64, k: u32, plain: usize) -> f64 {
    // Several times as many clusters as fill the tree.
    let warming = 400 + (k * k * k) as usize;
    let requests = requests(SLOTS * k * k * k / 4, LARGEST, load, warming + 4000);
    let (warming, timed) = requests.split_at(warming);
    let mut state = State::empty(k, fabric);
    let mut fast = Adaba::default();
    state.meet(warming, &mut fast, |_| {});

    let few = &timed[..plain];
    let largest = warming.iter().map(|request| request.bandwidth).max();
    let (rules, over) = (Rules::default(), LargestBandwidth::Arrived);
    let slow = Plain::new(TreePlacement::Adaba, rules, over, largest.expect("some"));
    let (digest, accepted) = state.clone().answers(timed, fast.clone());
    assert_eq!(
        state.clone().answers(few, fast.clone()),
        state.clone().answers(few, slow.clone())
    );

    let time = state.time(timed, &fast, 9);
    let compared = match plain {
        0 => String::new(),
        _ => {
            let (fast, slow) = (state.time(few, &fast, 9), state.time(few, &slow, 2));
            format!("plain {slow:>9.1} µs, × {:>6.1}", slow / fast)
        }
    };
    println!(
        "{fabric:<12} load {load:.1}  k {k:>2}  {:>5.1} % placed  {time:>7.2} µs  {:>9.0} requests/s  {digest}  {compared}",
        100.0 * accepted as f64 / timed.len() as f64,
        1e6 / time,
    );
    time
}

fn main() {
    for fabric in [Fabric::SingleRoot, Fabric::Aggregated] {
        for load in [0.8, 1.3] {
            let plain = [(6, 2000), (16, 400), (32, 30), (48, 0)];
            let times = plain.map(|(k, plain)| row(fabric, load, k, plain));
            println!("from k 6 to k 48: × {:.0}", times[3] / times[0]);
        }
    }
}
