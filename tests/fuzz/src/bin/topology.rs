//! Tries topologies of clusters.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| backfill_fuzz::topology(input));
