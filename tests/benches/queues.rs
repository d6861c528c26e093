//! What long queues under bandwidth guarantees cost: whole runs of logs and generated jobs with
//! proofs of what certainly fails, and without them, where every waiting job is tried at every
//! pass.
//!
//! Both are timed one after the other in one process, and their digests must be equal. A word given
//! on the command line chooses the rows whose name contains it; `--only-proofs` leaves out the runs
//! without proofs, which take minutes. Rows of a million jobs are run where they are asked for by
//! name, and with proofs alone.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use backfill_sim::place::Tries;
use backfill_sim::run::{Keep, Run};
use backfill_tests::logs;
use backfill_tests::timing::{Row, best, first_cell};

const KTH: &[(&str, &str)] = &[("k", "6"), ("slots", "8"), ("load", "0.8")];
const RICC: &[(&str, &str)] = &[
    ("k", "16"),
    ("slots", "8"),
    ("load", "0.8"),
    ("first", "20000"),
];
const GENERATED: &[(&str, &str)] = &[("k", "32"), ("load", "0.9"), ("jobs", "20000")];
const DEFAULT: &[(&str, &str)] = &[("load", "0.9")];
const MILLION: &[(&str, &str)] = &[("k", "32"), ("load", "0.9"), ("jobs", "1000000")];

const ROWS: [(Row, &str); 18] = [
    (("KTH, k = 6", Some(logs::KTH), KTH), "easy"),
    (("KTH, k = 6", Some(logs::KTH), KTH), "bgmbf"),
    (("KTH, k = 6", Some(logs::KTH), KTH), "bgmbf-sdf"),
    (
        ("KTH, k = 6", Some(logs::KTH), KTH),
        "list(order=saf,behind=reserve)",
    ),
    (
        ("KTH, k = 6", Some(logs::KTH), KTH),
        "list(order=f1,behind=reserve)",
    ),
    (
        ("KTH, k = 6", Some(logs::KTH), KTH),
        "list(order=wfp3,behind=reserve)",
    ),
    (
        ("KTH, k = 6", Some(logs::KTH), KTH),
        "list(behind=reserve,depth=4)",
    ),
    (("RICC 20,000, k = 16", Some(logs::RICC), RICC), "easy"),
    (("RICC 20,000, k = 16", Some(logs::RICC), RICC), "bgmbf"),
    (("generated 20,000, k = 32", None, GENERATED), "easy"),
    (("generated 20,000, k = 32", None, GENERATED), "bgmbf"),
    (
        ("generated 20,000, k = 32", None, GENERATED),
        "list(order=saf,behind=reserve)",
    ),
    (
        ("generated 20,000, k = 32", None, GENERATED),
        "list(order=wfp3,behind=reserve)",
    ),
    (("default, k = 6", None, DEFAULT), "easy"),
    (("default, k = 6", None, DEFAULT), "bgmbf"),
    (("a million, k = 32", None, MILLION), "none"),
    (("a million, k = 32", None, MILLION), "easy"),
    (("a million, k = 32", None, MILLION), "bgmbf"),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only_proofs = arguments.iter().any(|argument| argument == "--only-proofs");
    let is_word = |argument: &&String| !argument.starts_with("--");
    let words: Vec<&String> = arguments.iter().filter(is_word).collect();
    for ((name, log, keys), policy) in ROWS {
        let name = format!("{name} {policy}");
        let million = keys == MILLION;
        let named = words.iter().any(|word| name.contains(word.as_str()));
        if !named && (million || !words.is_empty()) {
            continue;
        }
        let policy = format!("{policy}+adaba");
        let own = [("policy", policy.as_str()), ("reps", "1")];
        let Some((setup, jobs)) = first_cell(log, &[keys, &own].concat()) else {
            continue;
        };
        let (proofs, finished) = best(|| Run::new(&setup, jobs.clone(), Keep::Metrics));
        let Tries {
            tried,
            ruled_out,
            certified,
            escaped,
        } = finished.replay.tries;
        print!("{name:<36} {:>7} jobs {proofs:>8.4} s", jobs.len());
        if tried > 0 {
            print!(
                "; {tried} tried, {ruled_out} ruled out, {certified} certified, {escaped} escaped"
            );
        }
        if only_proofs || million {
            println!();
            continue;
        }
        let (without, plain) = best(|| Run::without_proofs(&setup, jobs.clone(), Keep::Metrics));
        assert_eq!(finished.digest, plain.digest, "{name}");
        println!(
            "; without {without:>8.4} s, {:>6.2} times",
            without / proofs
        );
    }
}
