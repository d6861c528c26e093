//! Tries the expressions of orders.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| backfill_fuzz::expression(input));
