//! The glossary of names in scenarios and results: labels, sentences and sources.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::scenario::{KEYS, ValueKind};
use backfill_sim::choice::Choice;
use backfill_sim::metrics::METRICS;
use backfill_sim::place::PlacementPolicy;
use backfill_sim::policy::Queue;

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
        let placements = PlacementPolicy::all();
        Glossary {
            keys: KEYS
                .iter()
                .map(|key| {
                    let mut meaning = key.help.to_owned();
                    if key.kind.is_written() {
                        meaning += &format!(" It {}.", key.kind.allowed());
                    }
                    let definition = Definition {
                        label: key.label,
                        meaning,
                        source: key.source,
                    };
                    (key.name, definition)
                })
                .collect(),
            choices: KEYS
                .iter()
                .filter_map(|key| match key.kind {
                    ValueKind::Choice { choices } => Some((key.name, defined(choices))),
                    _ => None,
                })
                .collect(),
            queues: defined(Queue::CHOICES),
            placements: defined(placements.into_iter().map(PlacementPolicy::choice)),
            metrics: METRICS
                .iter()
                .map(|metric| {
                    let definition = Definition {
                        label: metric.label,
                        meaning: metric.help.to_owned(),
                        source: "",
                    };
                    (metric.name, definition)
                })
                .collect(),
        }
    }
}

fn defined(choices: impl IntoIterator<Item = &'static Choice>) -> Definitions {
    let define = |choice: &'static Choice| Definition {
        label: choice.label,
        meaning: choice.help.to_owned(),
        source: choice.source,
    };
    let choices = choices.into_iter();
    choices
        .map(|choice| (choice.value, define(choice)))
        .collect()
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
