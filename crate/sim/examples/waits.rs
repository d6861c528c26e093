//! Four jobs on ten nodes, under FCFS and under EASY: when each starts, and how long it waits.
//!
//! `cargo run --package backfill-sim --example waits`

#![expect(clippy::print_stdout, reason = "an example prints its table")]

use backfill_sim::engine::Engine;
use backfill_sim::job::{Job, sorted};
use backfill_sim::policy::list::ListPolicy;
use backfill_sim::policy::order::Order;
use backfill_sim::policy::parts::{Behind, Parts};
use backfill_sim::record::Outcome;
use backfill_sim::system::nodes::Nodes;
use backfill_sim::system::nodes::place::Index;
use backfill_sim::unit::{MICROS, Span, Time};

/// A job, its times in seconds.
fn job(number: u64, submit: u64, nodes: u32, runtime: u64, estimate: u64) -> Job {
    Job {
        estimate: Span(estimate * MICROS),
        ..Job::new(number, Time(submit * MICROS), nodes, Span(runtime * MICROS))
    }
}

fn main() {
    let jobs = sorted(vec![
        job(1, 0, 6, 600, 900),
        job(2, 10, 8, 300, 300),
        job(3, 20, 4, 500, 600),
        job(4, 30, 4, 700, 1200),
    ]);
    for (name, behind) in [("FCFS", Behind::Stop), ("EASY", Behind::Reserve)] {
        let parts = Parts::new(Order::Arrival, behind);
        let policy = ListPolicy::new(parts, Box::new(Index));
        let nodes = Nodes::new(10);
        let mut engine = Engine::new(nodes, Box::new(policy), jobs.clone(), Span(0), false);
        engine.advance(u64::MAX);
        let (jobs, _, record) = engine.into_parts();

        println!("{name}, digest {}", record.digest);
        for (id, job) in jobs.iter_enumerated() {
            if let Outcome::Ran { start, .. } = record.histories[id].outcome {
                let wait = start - job.submit;
                println!(
                    "  job {}: {} nodes, starts at {:4.0} s, waits {:4.0} s",
                    job.number,
                    job.size,
                    start.seconds(),
                    wait.seconds()
                );
            }
        }
    }
}
