//! Tries the target that the variable `BACKFILL_FUZZ_TARGET` names, guided by the code it reaches.

#![no_main]

use std::env;
use std::sync::LazyLock;

use backfill_fuzz::Target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = env::var("BACKFILL_FUZZ_TARGET").expect("the name of a target");
    Target::named(&name).expect("a target")
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| (TARGET.run)(input));
