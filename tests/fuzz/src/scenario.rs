//! Scenarios as files and as links.

use backfill_experiment::language::scenario::link::{self, Extras, LinkError, MAX_LENGTH};
use backfill_experiment::language::scenario::{MAX_RUNS, Scenario, text};
use backfill_sim::problem::Problem;

/// A file is read to a scenario that reads back as itself, from a file and from a link, and of which
/// the first run and the last can be set up; or it is refused by plain sentences.
///
/// # Panics
/// It is not so.
pub fn scenario(input: &[u8]) {
    let toml = String::from_utf8_lossy(input);
    match text::read(&toml) {
        Ok(scenario) => {
            let written = text::write(&scenario);
            assert_eq!(text::read(&written).as_ref(), Ok(&scenario), "{written}");
            valid(&scenario);
        }
        Err(problems) => refused(&problems),
    }
}

/// The pairs of a link, whose checksum is made to fit, and the same text as a whole link.
///
/// # Panics
/// A scenario is not what it should be: see [`scenario`].
pub fn link(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let pairs = format!("#v1?{text}");
    let whole = format!(
        "{pairs}&sum={:08x}",
        crc32fast::hash(&pairs.as_bytes()[1..])
    );
    for fragment in [&*text, &whole] {
        match link::read(fragment) {
            Ok(None) => assert!(fragment.len() <= 1),
            Ok(Some((scenario, _))) => valid(&scenario),
            Err(LinkError::Scenario(problems)) => refused(&problems),
            Err(refusal) => {
                assert!(*fragment != whole || matches!(refusal, LinkError::Pair(_)));
                plain(&refusal.to_string());
            }
        }
    }
}

fn valid(scenario: &Scenario) {
    let written = link::write(scenario, &Extras::default());
    match written {
        Ok(link) => {
            let read = link::read(&link).expect("a whole link").expect("a link");
            assert_eq!(read.0, scenario.portable(), "{link}");
        }
        Err(LinkError::TooLong(length)) => assert!(length > MAX_LENGTH),
        Err(other) => panic!("{other}"),
    }
    assert!((1..=MAX_RUNS).contains(&scenario.runs()));
    let last = |axis: Option<&backfill_experiment::language::scenario::Axis>| {
        axis.map(|axis| axis.values.len() - 1)
    };
    scenario.setup(scenario.x().map(|_| 0), scenario.y().map(|_| 0), 0);
    let policy = scenario.policies().len() - 1;
    scenario.setup(last(scenario.x()), last(scenario.y()), policy);
}

fn refused(problems: &[Problem]) {
    assert!(!problems.is_empty());
    for problem in problems {
        plain(&problem.to_string());
    }
}

fn plain(sentence: &str) {
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}
