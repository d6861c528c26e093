//! Small random scenarios, run to their end.

use std::fmt::Write as _;

use backfill_experiment::language::scenario::{KEYS, Key, Scenario, ValueKind};
use backfill_experiment::study::sweep::{cells, parts};
use backfill_sim::digest::Digest;
use backfill_sim::policy::Queue;
use backfill_sim::record::Outcome;
use backfill_sim::rng::Stream;
use backfill_sim::run::{Finished, Keep, Replay, Run};
use backfill_sim::system::PlacementPolicy;
use backfill_sim::system::SystemKind;
use backfill_sim::unit::Time;

/// A run of so few jobs has fewer events, unless it never ends.
const MOST_EVENTS: u64 = 10_000_000;

/// Keys that would make a run long, name a file or ask for several runs: they stay as they are.
const FIXED: [&str; 12] = [
    "system",
    "policy",
    "workload",
    "file",
    "sha256",
    "first",
    "jobs",
    "x",
    "y",
    "reps",
    "reference",
    "metric",
];

/// Keys of how large a system is, and the largest that a run takes here.
const LARGEST: [(&str, u64); 6] = [
    ("k", 6),
    ("slots", 8),
    ("nodes", 64),
    ("clusters", 5),
    ("nodes_per_cluster", 64),
    ("vms", 16),
];

/// Orders of the queue for lists of one's own.
const ORDERS: [&str; 6] = [
    "arrival",
    "wfp3",
    "-wait*bandwidth",
    "size/load",
    "ln(size-3)",
    "if waiting>3 then area else submit",
];

/// A scenario from the input runs to its end: every job has an outcome, nothing is held at the end
/// or twice, every metric is a number, and a second run, or one that keeps less, gives the same.
///
/// # Panics
/// One of these does not hold.
pub fn runs(input: &[u8]) {
    let mut hash = Digest::new();
    hash.bytes(input);
    let pairs = random_pairs(&mut Stream::new(hash.value(), 0, "scenario", 0));
    let Ok(scenario) = Scenario::parse(pairs.iter().map(|(key, value)| (*key, value))) else {
        return;
    };
    let mut shown = String::new();
    for (key, value) in &pairs {
        write!(shown, "{key}={value} ").expect("memory takes all");
    }
    let Ok((setup, jobs)) = parts(&scenario, cells(&scenario)[0], None) else {
        return;
    };
    let finish = |keep| finished(Run::new(&setup, jobs.clone(), keep), &shown);
    let run = finish(Keep::Allocations);
    let again = finish(Keep::Metrics);
    assert_eq!(run.digest, again.digest, "{shown}");
    let bits = |run: &Finished| -> Vec<Option<u64>> {
        let metrics = run.metrics.iter();
        metrics.map(|metric| metric.map(f64::to_bits)).collect()
    };
    assert_eq!(bits(&run), bits(&again), "{shown}");
    assert!(
        run.metrics.iter().flatten().all(|value| value.is_finite()),
        "{shown}"
    );
    let plain = finished(Run::without_proofs(&setup, jobs, Keep::Metrics), &shown);
    assert_eq!(run.digest, plain.digest, "{shown}");
    check(&run.replay, &shown);
}

fn finished(mut run: Run, shown: &str) -> Finished {
    // Where links are shared by a fixed penalty, one run comes before the other.
    let ends = run.advance(MOST_EVENTS) || run.advance(MOST_EVENTS);
    assert!(ends, "it does not end: {shown}");
    run.finish()
}

/// What must hold of what a run leaves.
fn check(replay: &Replay, shown: &str) {
    let record = &replay.record;
    for (id, job) in replay.jobs.iter_enumerated() {
        match record.histories[id].outcome {
            Outcome::Open => panic!("{id} is not decided: {shown}"),
            Outcome::Ran { start, end } => {
                assert!(job.submit <= start && start <= end, "{id}: {shown}");
            }
            _ => {}
        }
    }
    for link in record.links.iter() {
        assert_eq!(link.reserved.0, 0, "{shown}");
        let fits = link.peak <= link.capacity || record.overbooked > 0;
        assert!(fits, "{} of {}: {shown}", link.peak, link.capacity);
    }
    let allocations = record.allocations.as_ref().expect("they are kept").all();
    let mut changes: Vec<(Time, i64)> = Vec::new();
    for allocation in allocations {
        assert!(allocation.start <= allocation.end, "{shown}");
        assert!(allocation.start <= allocation.works_from, "{shown}");
        let slots = allocation.slots() as i64;
        if allocation.start < allocation.end {
            changes.extend([(allocation.start, slots), (allocation.end, -slots)]);
        }
    }
    // At one instant, ends precede starts.
    changes.sort_unstable();
    let mut held = 0;
    for (_, slots) in changes {
        held += slots;
        assert!(
            0 <= held && held as u64 <= replay.slots,
            "{held} slots: {shown}"
        );
    }
}

fn pick<'a, T>(stream: &mut Stream, from: &'a [T]) -> &'a T {
    &from[stream.below(from.len() as u64) as usize]
}

/// Pairs of which most are a valid scenario of one run.
fn random_pairs(stream: &mut Stream) -> Vec<(&'static str, String)> {
    let system = *pick(stream, SystemKind::ALL);
    let queues: Vec<Queue> = Queue::on(system).collect();
    let placements: Vec<PlacementPolicy> = PlacementPolicy::on(system).collect();
    let queue = *pick(stream, &queues);
    let placement = pick(stream, &placements).name();
    let workload = *pick(
        stream,
        &["poisson", "poisson", "lublin", "feitelson96", "jann97"],
    );
    let mut pairs = vec![
        ("system", system.name().to_owned()),
        ("policy", format!("{}+{placement}", queue.name())),
        ("workload", workload.to_owned()),
        ("jobs", (1 + stream.below(24)).to_string()),
        ("x", "none".to_owned()),
        ("reps", "1".to_owned()),
        ("seed", stream.bits().to_string()),
    ];
    if queue.consolidates() {
        pairs.push(("tiers", "2".to_owned()));
    }
    for &(key, most) in &LARGEST {
        let even = 2 * (1 + stream.below(most / 2));
        pairs.push((key, even.to_string()));
    }
    for _ in 0..stream.below(8) {
        let key = pick(stream, KEYS);
        let is_free = !FIXED.contains(&key.name) && pairs.iter().all(|(name, _)| *name != key.name);
        if is_free && let Some(value) = random_value(stream, key) {
            pairs.push((key.name, value));
        }
    }
    pairs
}

/// A value of a key, at the ends of what it may be as often as in between.
fn random_value(stream: &mut Stream, key: &Key) -> Option<String> {
    let mut number = |min: f64, max: f64| -> f64 {
        match stream.below(6) {
            0 => min,
            1 => max,
            2 => min + stream.below(20) as f64,
            // Small ones and large ones alike.
            _ => (max.max(1.0).ln() * stream.unit()).exp().clamp(min, max),
        }
    };
    match key.kind {
        ValueKind::Integer { min, max, .. } => Some(
            (number(min as f64, max as f64) as u64)
                .clamp(min, max)
                .to_string(),
        ),
        ValueKind::Decimal { min, max, places }
        | ValueKind::PerCluster { min, max, places }
        | ValueKind::WordOrDecimal {
            min, max, places, ..
        } => {
            let value = number(min.to_f64(), max.to_f64());
            Some(format!("{value:.0$}", usize::from(places)))
        }
        ValueKind::Choice { choices } => Some(pick(stream, choices).value.to_owned()),
        ValueKind::Distribution { .. } => Some(random_distribution(stream)),
        ValueKind::Order { .. } => Some(pick(stream, &ORDERS).to_string()),
        _ => None,
    }
}

fn random_distribution(stream: &mut Stream) -> String {
    let mut number = || {
        let digits = 1 + stream.below(12) as u32;
        stream.below(10_u64.pow(digits))
    };
    let (low, high) = (number(), number());
    match stream.below(6) {
        0 => format!("constant:{high}"),
        1 => format!("uniform:{low}:{}", low + high),
        2 => format!("exponential:{high}"),
        3 => format!("normal:{high}:{low}:0:{}", low + high),
        4 => format!("pow2:{}", 1 << stream.below(8)),
        _ => format!("hyperexponential:0.5:{low}:{high}"),
    }
}
