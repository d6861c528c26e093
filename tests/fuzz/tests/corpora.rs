//! Every input that is on file, once through its target.

use std::path::Path;

use backfill_fuzz::{Mutator, TARGETS, inputs};

/// How many inputs like those on file are tried, too.
const OTHERS: u64 = 200;

#[test]
fn what_must_hold_holds_of_every_input_on_file_and_of_some_like_it() {
    for target in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let files = inputs(&folder.join(target.name));
        assert!(!files.is_empty(), "{} has no corpus", target.name);
        for (path, input) in &files {
            // A small input shows why it fails.
            assert!(input.len() <= 4096, "{} is long", path.display());
            (target.run)(input);
        }
        let seeds: Vec<Vec<u8>> = files.into_iter().map(|(_, input)| input).collect();
        let mut others = Mutator::new(&seeds, 1);
        for _ in 0..OTHERS {
            (target.run)(others.input());
        }
    }
}
