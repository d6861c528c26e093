//! What a value of an order costs: for each preset and a few expressions, over the same random jobs.
//!
//! Each row first checks that every value is that of a second evaluation.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::hint::black_box;
use std::time::Instant;

use backfill_experiment::language::expression::{PRESETS, parse};
use backfill_sim::policy::expression::{Names, rank};
use backfill_sim::rng::Stream;
use backfill_tests::expression::random_names;

/// The jobs evaluated in each round, and the rounds, of which the best counts.
const JOBS: usize = 10_000;
const ROUNDS: usize = 50;

fn main() {
    let mut stream = Stream::new(1, 0, "jobs of a bench", 0);
    let jobs: Vec<Names> = (0..JOBS).map(|_| random_names(&mut stream)).collect();
    let presets = PRESETS.iter().map(|preset| preset.formula);
    let others = [
        "wait/estimate*size",
        "if wait>3600 then -wait else estimate*size",
        "min(size,estimate/3600,bandwidth)+load*waiting",
    ];
    for text in presets.chain(others) {
        let order = parse(text).expect("an expression");
        let sum = || {
            let ranks = jobs.iter().map(|job| rank(order.value(black_box(job))));
            ranks.fold(0_u64, u64::wrapping_add)
        };
        let expected = sum();
        let nanos = (0..ROUNDS).map(|_| {
            let begun = Instant::now();
            assert_eq!(sum(), expected, "{text}");
            begun.elapsed().as_secs_f64() * 1e9 / JOBS as f64
        });
        println!("{:>6.1} ns  {text}", nanos.fold(f64::INFINITY, f64::min));
    }
}
