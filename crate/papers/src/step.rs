//! One request, then three more, on a small prepared fabric: how many servers each placement leaves
//! idle, and how that affects later requests.
//!
//! Paper 1 gives no numbers for the state before its Figure 3; this one fits every sentence about
//! it: six servers of two slots under one edge switch, links of 100 Mbit/s; every second server
//! holds one machine of a job that reserves 60 Mbit/s there, the largest bandwidth so far. All
//! other servers of the tree are full, so that only these six matter.

use super::claim::{self, Claim, ClaimStatement, Evidence, Found, JudgedClaim, Rule};
use super::content::{self, Content, FigureNumber, OF_ANOTHER_KIND, Other};
use super::data::Data;
use super::pair::Pair;
use backfill_sim::decimal::Decimal;
use backfill_sim::id::{JobId, ServerId};
use backfill_sim::job::Request;
use backfill_sim::machine::System;
use backfill_sim::machine::hose::Cluster;
use backfill_sim::place::Placer;
use backfill_sim::system::fat_tree::place::{
    Adaba, BestFit, FirstFit, Greedy, LargestBandwidth, Oktopus, Rules, TreePlacement,
};
use backfill_sim::system::fat_tree::{Embedding, Fabric, FatTree, Reservation, Switch, Topology};
use backfill_sim::unit::{Kbps, Span, Time};

pub use super::data::StepRow;

/// The requests and the placements.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Machines and bandwidth in Mbit/s of the first request.
    pub first: (u32, u64),
    /// The same for the following requests.
    pub following: (u32, u64),
    /// The number of following requests.
    pub count: u32,
    /// The placements that are compared.
    pub placements: &'static [TreePlacement],
    /// The claims of the text.
    pub claims: &'static [Claim<StepCheck>],
}

/// A check of a placement's step.
#[derive(Clone, Copy, Debug)]
pub enum StepCheck {
    /// After the first request these placements leave this number of servers idle.
    Idle {
        /// The placements.
        placements: &'static [TreePlacement],
        /// Servers without any machine.
        servers: u32,
    },
    /// These placements, and only they, accept every following request.
    AcceptsAll {
        /// The placements.
        placements: &'static [TreePlacement],
    },
}

impl Rule for StepCheck {
    fn rule(&self) -> String {
        "The state before is chosen so that all sentences on it come true, so it cannot fail unless a \
         placement is wrong."
            .to_owned()
    }

    fn by_construction(&self) -> bool {
        true
    }
}

/// Servers under the switch.
const SERVERS: u32 = 6;

/// The number of slots of a server.
const SLOTS: u32 = 2;

/// The rate of every link.
const LINK: Kbps = Kbps(100_000);

/// The bandwidth reserved on the link of a server in use.
const TAKEN: Kbps = Kbps(60_000);

impl Step {
    /// Places the requests under each placement, in the order of the table.
    pub fn rows(&self) -> Vec<StepRow> {
        let row = |&placement: &TreePlacement| {
            let rules = Rules::default();
            let mut tree = prepared();
            match placement {
                TreePlacement::Adaba => {
                    let over = LargestBandwidth::Arrived;
                    self.run(placement, &mut tree, Adaba::new(rules, over, TAKEN))
                }
                TreePlacement::BestFit => self.run(placement, &mut tree, BestFit::new(rules)),
                TreePlacement::FirstFit => self.run(placement, &mut tree, FirstFit::new(rules)),
                TreePlacement::Greedy => self.run(placement, &mut tree, Greedy::new(rules)),
                TreePlacement::Oktopus => self.run(placement, &mut tree, Oktopus::new(rules)),
                other => unreachable!("no figure steps through {other}"),
            }
        };
        self.placements.iter().map(row).collect()
    }

    fn run(
        &self,
        placement: TreePlacement,
        tree: &mut FatTree,
        mut placer: impl Placer<FatTree>,
    ) -> StepRow {
        let mut start = |tree: &mut FatTree, index, (size, mbps)| {
            let request = request(index, size, Kbps(mbps * 1000));
            placer.arrived(&request);
            let place = placer.place(tree, &request)?;
            tree.hold(&request, &place);
            Some(place.servers)
        };
        let servers = start(tree, 1, self.first).unwrap_or_default();
        let idle = (0..SERVERS).filter(|&server| tree.free_slots(server) == SLOTS);
        let idle = idle.count() as u32;
        let accepted = (0..self.count).filter(|i| start(tree, 2 + i, self.following).is_some());
        StepRow {
            placement,
            servers,
            idle,
            accepted: accepted.count() as u32,
        }
    }

    /// The evidence of the placements that a check is about.
    fn look(&self, check: &StepCheck, rows: &[StepRow]) -> Vec<Evidence> {
        match *check {
            StepCheck::Idle {
                placements,
                servers,
            } => rows
                .iter()
                .filter(|row| placements.contains(&row.placement))
                .map(|row| {
                    let what = format!("servers left idle by {}", row.placement.choice().label);
                    Evidence::fact(what, "", f64::from(row.idle), row.idle == servers)
                })
                .collect(),
            StepCheck::AcceptsAll { placements } => rows
                .iter()
                .map(|row| {
                    let what = format!("requests accepted by {}", row.placement.choice().label);
                    let all = row.accepted == self.count;
                    let holds = all == placements.contains(&row.placement);
                    Evidence::fact(what, "", f64::from(row.accepted), holds)
                })
                .collect(),
        }
    }
}

impl Content for Step {
    fn statements(&self) -> Vec<ClaimStatement> {
        content::statements(self.claims)
    }

    fn judge<'a>(
        &self,
        data: &'a Data,
        _: &'static [Pair],
        _: &dyn Fn(&str) -> Option<Other<'a>>,
    ) -> Vec<JudgedClaim> {
        let rows = rows_of(data);
        let judge =
            |claim: &Claim<StepCheck>| claim.judged_once(Found::all(self.look(&claim.check, rows)));
        self.claims.iter().map(judge).collect()
    }

    fn lines(&self, data: &Data) -> Vec<FigureNumber> {
        let of_row = |row: &StepRow| {
            let counts = [("idle_servers", row.idle), ("accepted", row.accepted)];
            let series = row.placement.name();
            counts.map(|(what, count)| {
                FigureNumber::of(series.to_owned(), what, claim::exact(f64::from(count)))
            })
        };
        rows_of(data).iter().flat_map(of_row).collect()
    }
}

fn rows_of(data: &Data) -> &[StepRow] {
    let Data::Step(rows) = data else {
        panic!("{OF_ANOTHER_KIND}");
    };
    rows
}

fn request(index: u32, size: u32, bandwidth: Kbps) -> Request {
    Request {
        index: JobId(index),
        submit: Time(0),
        size,
        bandwidth,
        estimate: Span(0),
        home: 0,
    }
}

/// The state before the first request.
fn prepared() -> FatTree {
    let topology = Topology::new(2 * SERVERS, Fabric::Aggregated);
    let capacity = topology.capacities(LINK, Decimal::whole(1));
    let mut tree = FatTree::new(topology, SLOTS, capacity, Reservation::Hose);
    let running: Vec<(ServerId, u32)> = (0..SERVERS)
        .map(ServerId)
        .zip([0, 1].into_iter().cycle())
        .filter(|share| share.1 > 0)
        .collect();
    let size = running.len() as u32;
    let running_ask = request(0, size, TAKEN);
    let cluster = Cluster {
        size,
        bandwidth: TAKEN,
        intra_server_free: true,
    };
    let place = tree.embedding(cluster, Switch::Edge(0), running);
    tree.hold(&running_ask, &place);
    let elsewhere = Embedding {
        switch: Switch::Core { j: 0, i: 0 },
        servers: (SERVERS..topology.servers())
            .map(|server| (ServerId(server), SLOTS))
            .collect(),
        reservations: Vec::new(),
    };
    tree.hold(&request(0, 0, Kbps(0)), &elsewhere);
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prepared_fabric_is_as_described() {
        let tree = prepared();
        let free: Vec<u32> = (0..SERVERS).map(|server| tree.free_slots(server)).collect();
        assert_eq!(free, [2, 1, 2, 1, 2, 1]);
        let left = |server| tree.residual(tree.topology().server_link(server)).0;
        assert_eq!([left(0), left(1)], [100_000, 40_000]);
        assert_eq!(tree.free_total(), 9);
    }
}
