//! Tries written parts of scenarios.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| backfill_fuzz::parts(input));
