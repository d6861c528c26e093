//! The glossary of names in scenarios and results: labels, sentences and sources.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::language::scenario::{KEYS, Key, ValueKind};
use backfill_sim::choice::Choice;
use backfill_sim::metrics::{METRICS, Metric};
use backfill_sim::policy::Queue;
use backfill_sim::system::PlacementPolicy;

/// The meaning of every name.
#[derive(Serialize, ts_rs::TS)]
pub struct Glossary {
    /// Keys of a scenario, by name.
    keys: Definitions,
    /// The values of keys that are chosen from a list, by key and value.
    choices: BTreeMap<&'static str, Definitions>,
    /// Scheduling policies without their placements, by name.
    queues: Definitions,
    /// Placements, by name.
    placements: Definitions,
    /// Metrics, by name.
    metrics: Definitions,
}

type Definitions = BTreeMap<&'static str, Definition>;

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct Definition {
    /// Its label.
    label: &'static str,
    /// What it does or how it is computed, in sentences.
    meaning: String,
    /// Its source: authors, title, year; empty if it is our own.
    source: &'static str,
}

impl Glossary {
    /// The definitions of every name.
    pub fn all() -> Glossary {
        let key = |key: &'static Key| {
            let mut meaning = key.help.to_owned();
            if key.kind.is_written() {
                meaning += &format!(" It {}.", key.kind.allowed());
            }
            (key.name, define(key.label, meaning, key.source))
        };
        let mut choices = BTreeMap::new();
        for key in KEYS {
            if let ValueKind::Choice { choices: values } = key.kind {
                choices.insert(key.name, defined(values));
            }
        }
        let placements = PlacementPolicy::all();
        let metric = |metric: &'static Metric| {
            let meaning = metric.help.to_owned();
            (metric.name, define(metric.label, meaning, ""))
        };
        Glossary {
            keys: by_name(&mut KEYS.iter().map(key)),
            choices,
            queues: defined(Queue::CHOICES),
            placements: defined(placements.into_iter().map(PlacementPolicy::choice)),
            metrics: by_name(&mut METRICS.iter().map(metric)),
        }
    }
}

fn define(label: &'static str, meaning: String, source: &'static str) -> Definition {
    Definition {
        label,
        meaning,
        source,
    }
}

fn defined(choices: impl IntoIterator<Item = &'static Choice>) -> Definitions {
    let mut choices = choices.into_iter().map(|choice| {
        let meaning = choice.help.to_owned();
        (choice.value, define(choice.label, meaning, choice.source))
    });
    by_name(&mut choices)
}

fn by_name(definitions: &mut dyn Iterator<Item = (&'static str, Definition)>) -> Definitions {
    let mut all = Definitions::new();
    for (name, definition) in definitions {
        all.insert(name, definition);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_defined_in_sentences() {
        let Glossary {
            keys,
            choices,
            queues,
            placements,
            metrics,
        } = Glossary::all();
        assert_eq!(keys.len(), KEYS.len());
        assert_eq!(queues.len(), Queue::ALL.len());
        assert_eq!(placements.len(), PlacementPolicy::all().len());
        assert_eq!(metrics.len(), METRICS.len());
        let all = [&keys, &queues, &placements, &metrics];
        for (name, definition) in all.into_iter().chain(choices.values()).flatten() {
            assert!(definition.meaning.ends_with('.'), "{name}: {definition:?}");
            assert!(!definition.label.is_empty(), "{name}");
        }
        assert!(keys["load"].meaning.contains(" It must be "));
        assert!(!keys["system"].meaning.contains(" It must be "));
        assert_eq!(queues["easy"].label, "EASY");
        assert!(queues["easy"].source.contains("IPPS"));
    }
}
