//! The language of orders.

use backfill_experiment::language::expression::{LONGEST, canonical, parse};
use backfill_sim::policy::expression::{Names, rank};

/// Jobs at whose extremes formulas meet zero, infinity and what is no number.
const JOBS: [Names; 2] = [
    Names {
        size: 1.0,
        estimate: 0.0,
        bandwidth: 0.0,
        submit: 0.0,
        wait: 0.0,
        load: 0.0,
        waiting: 1.0,
    },
    Names {
        size: 1e6,
        estimate: 4_294_967_296.0,
        bandwidth: 1e8,
        submit: 4e9,
        wait: 1e9,
        load: 1.0,
        waiting: 1e7,
    },
];

/// Reading never panics. A read expression prints no longer than it was written; its printed form
/// is its own canonical form, and reads as the same program with the same values. A mistake is
/// within the text and is described in plain characters.
///
/// # Panics
/// One of these does not hold.
pub fn expression(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let characters = text.chars().count();
    match canonical(&text) {
        Ok(written) => {
            assert!(characters <= LONGEST, "{characters} characters");
            let program = parse(&text).expect("what has a canonical form");
            let values = JOBS.map(|job| rank(program.value(&job)));
            if written == text {
                return;
            }
            assert!(written.len() <= text.len(), "{written:?} is longer");
            assert_eq!(canonical(&written).as_ref(), Ok(&written));
            let again = parse(&written).expect("what is printed reads back");
            assert_eq!(again, program, "{written:?} reads otherwise");
            assert_eq!(
                values,
                JOBS.map(|job| rank(again.value(&job))),
                "{written:?}"
            );
        }
        Err(mistake) => {
            assert!(1 <= mistake.column && mistake.column <= mistake.end);
            assert!(mistake.end <= characters + 1, "{mistake:?}");
            assert!(!mistake.why.is_empty() && !mistake.why.contains(char::is_control));
        }
    }
}
