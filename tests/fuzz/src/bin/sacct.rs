//! Tries the accounting of Slurm.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| backfill_fuzz::sacct(input));
