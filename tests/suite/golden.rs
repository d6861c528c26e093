//! Digests of whole scenarios, so that no change moves a result unseen.

use backfill_tests::runs::results;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/digests.txt");

/// Each line of the file is a digest and the scenario it belongs to; a run with `UPDATE=1` in the
/// environment writes the digests again.
#[test]
fn digests_are_those_on_file() {
    let golden = std::fs::read_to_string(FILE).expect("the file is readable");
    let mut now = String::new();
    for line in golden.lines() {
        let (_, scenario) = line.split_once('|').expect("digest | scenario");
        let pairs: Vec<(&str, &str)> = scenario
            .split_whitespace()
            .map(|pair| pair.split_once('=').expect("key=value"))
            .collect();
        let digest = results(&pairs).digest().expect("all cells ran");
        now += &format!("{digest} |{scenario}\n");
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, now).expect("the file is writable");
    } else {
        assert_eq!(now, golden);
    }
}
