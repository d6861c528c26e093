//! Jobs drawn at random that reserve bandwidth on a fat-tree of 54 servers, without a queue: how many
//! of 500 are accepted, by placement and by the bandwidth that each virtual machine asks for.
//!
//! `cargo run --package backfill-sim --example guarantees`

#![expect(clippy::print_stdout, reason = "an example prints its table")]

use backfill_sim::decimal::Decimal;
use backfill_sim::engine::Engine;
use backfill_sim::place::Placer;
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, Parts};
use backfill_sim::problem::Problem;
use backfill_sim::system::fat_tree::place::{Adaba, FirstFit};
use backfill_sim::system::fat_tree::{FatTree, FatTreeSpec};
use backfill_sim::unit::{Kbps, Span};
use backfill_sim::workload::{self, Bandwidth, Distribution, Load, Source, Workload};

fn main() -> Result<(), Problem> {
    let spec = FatTreeSpec {
        k: 6,
        slots: 4,
        link: Kbps(1_000_000),
        oversubscription: Decimal::whole(1),
        ..FatTreeSpec::default()
    };
    println!("Mbit/s  accepted by AdaBa  by first fit");
    for mbps in [100, 200, 300, 400] {
        let workload = Workload {
            source: Source::Poisson {
                jobs: 500,
                size: Distribution::Uniform {
                    low: Decimal::whole(1),
                    high: Decimal::whole(20),
                },
                runtime: Distribution::Exponential(Some(Decimal::whole(600))),
                interarrival: Distribution::Exponential(None),
            },
            load: Load::Offered(Decimal::whole(1)),
            bandwidth: Bandwidth::Constant(Kbps(mbps * 1000)),
            ..Workload::default()
        };
        let (seed, replication) = (1, 0);
        let jobs = workload::jobs(&workload, None, &spec.capacity(), seed, replication)?;
        let placers: [Box<dyn Placer<FatTree>>; 2] =
            [Box::<Adaba>::default(), Box::<FirstFit>::default()];
        let accepted = placers.map(|placer| {
            let parts = Parts::new(Order::Arrival, Behind::Reject);
            let policy = Box::new(ListPolicy::new(parts, placer));
            let mut engine = Engine::new(spec.build(), policy, jobs.clone(), Span(0), false);
            engine.advance(u64::MAX);
            let (_, _, record) = engine.into_parts();
            let ends = record.histories.iter().map(|history| history.outcome.end());
            ends.flatten().count()
        });
        println!("{mbps:6}  {:17}  {:12}", accepted[0], accepted[1]);
    }
    Ok(())
}
