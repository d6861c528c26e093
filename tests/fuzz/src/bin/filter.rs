//! Tries conditions on jobs.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| backfill_fuzz::filter(input));
