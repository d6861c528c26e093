//! Topologies of clusters: as files, and on one line as links carry them.

use backfill_experiment::files::topology;
use backfill_experiment::language::tree::{parse, written};

/// A file is read or refused by a sentence with a place in it; what is read survives a link.
///
/// # Panics
/// It does not.
pub fn topology(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match topology::read(&text) {
        Ok(topology) => {
            let parts = topology.shape.nodes() as usize + topology.shape.switches().len();
            assert_eq!(topology.shape.names().len(), parts);
            assert_eq!(parse(&written(&topology.shape)), Ok(topology.shape));
        }
        Err(mistake) => {
            assert!(!mistake.message.is_empty());
            assert!(mistake.at.line > 0 && mistake.at.column > 0, "{mistake}");
        }
    }
    match parse(&text) {
        Ok(shape) => assert_eq!(parse(&written(&shape)), Ok(shape)),
        Err(sentence) => assert!(!sentence.is_empty()),
    }
}
