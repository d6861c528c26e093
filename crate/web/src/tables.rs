//! The core's tables for the page, which itself knows no key, policy or metric.

use crate::plain;
use backfill_experiment::files::report::SCHEMA;
use backfill_experiment::language::examples::{EXAMPLES, Example};
use backfill_experiment::language::glossary::Glossary;
use backfill_experiment::language::lessons::LESSONS;
use backfill_experiment::language::scenario::key::Group;
use backfill_experiment::language::scenario::{KEYS, Key, ValueKind};
use backfill_plot::colour::SERIES_STYLES;
use backfill_plot::{SeriesStyle, series_styles};
use backfill_sim::choice::Choice;
use backfill_sim::policy::Queue;
use backfill_sim::system::PlacementPolicy;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The groups of the form in order: what is compared, for which jobs, on what, how often.
const GROUPS: [Group; 4] = [
    Group::Policies,
    Group::Workload,
    Group::System,
    Group::Sweep,
];

/// A key of a scenario, as its field in the form needs it.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Key")]
pub(crate) struct Field {
    /// Its notation in a scenario.
    name: &'static str,
    /// Its label in the form.
    label: &'static str,
    /// The name of its group of fields.
    group: &'static str,
    /// The kind of its field.
    kind: FieldKind,
    /// The values to choose from; empty for other kinds of fields.
    choices: Vec<NamedChoice>,
    /// The default value.
    default: &'static str,
    /// The unit of its values; empty if they have none.
    unit: &'static str,
    /// Whether it can be swept.
    sweep: bool,
    /// Whether most people change it.
    essential: bool,
}

/// The kind of a field; `Text` is every kind without a field of its own.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
enum FieldKind {
    Choice,
    Text,
    Policies,
    Reference,
    Sweep,
    File,
    Sha256,
    Metric,
}

impl Field {
    pub(crate) fn of(key: &'static Key) -> Field {
        let kind = match key.kind {
            ValueKind::Choice { .. } => FieldKind::Choice,
            ValueKind::Policies => FieldKind::Policies,
            ValueKind::Reference => FieldKind::Reference,
            ValueKind::Sweep => FieldKind::Sweep,
            ValueKind::File => FieldKind::File,
            ValueKind::Sha256 => FieldKind::Sha256,
            ValueKind::Metric => FieldKind::Metric,
            ValueKind::Integer { .. }
            | ValueKind::Decimal { .. }
            | ValueKind::WordOrDecimal { .. }
            | ValueKind::PerCluster { .. }
            | ValueKind::Distribution { .. }
            | ValueKind::Order { .. }
            | ValueKind::Bandwidths
            | ValueKind::Columns
            | ValueKind::Name
            | ValueKind::Tree
            | ValueKind::Switches
            | ValueKind::Slice => FieldKind::Text,
        };
        let choices = match key.kind {
            ValueKind::Choice { choices } => choices,
            _ => &[],
        };
        Field {
            name: key.name,
            label: key.label,
            group: key.group.name(),
            kind,
            choices: choices.iter().map(NamedChoice::of).collect(),
            default: key.default,
            unit: key.unit,
            sweep: key.sweep,
            essential: key.essential,
        }
    }
}

/// A value of a key. Its meaning is in the glossary.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Choice")]
struct NamedChoice {
    /// Its notation in a scenario.
    value: &'static str,
    /// Its label.
    label: &'static str,
}

impl NamedChoice {
    fn of(choice: &'static Choice) -> NamedChoice {
        NamedChoice {
            value: choice.value,
            label: choice.label,
        }
    }
}

/// A scheduling policy or a placement, and the systems on which it runs.
#[derive(Serialize, ts_rs::TS)]
struct PolicyPart {
    /// The policy or the placement.
    #[serde(flatten)]
    choice: NamedChoice,
    /// The values of the key `system` with which it can be used.
    systems: Vec<&'static str>,
}

/// A group of fields of the form.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "KeyGroup")]
struct GroupChoice {
    /// Its name in keys.
    name: &'static str,
    /// Its heading.
    label: &'static str,
}

/// A lesson: a scenario, and what to look at in it.
#[derive(Serialize, ts_rs::TS)]
struct Lesson {
    /// What the choice of lessons calls it.
    label: &'static str,
    /// The values of its keys.
    pairs: Vec<(&'static str, &'static str)>,
    /// The view of its link.
    view: &'static str,
}

/// The tables from which the page draws its form and its choices.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Tables {
    /// The version of the core.
    version: &'static str,
    /// The schema version of stored results.
    schema: u32,
    /// The groups of the form, in the order in which they are shown.
    groups: Vec<GroupChoice>,
    /// Every key.
    keys: Vec<Field>,
    /// Every scheduling policy, without its placement.
    queues: Vec<PolicyPart>,
    /// Every placement.
    placements: Vec<PolicyPart>,
    /// Complete scenarios to start from.
    examples: [Example; EXAMPLES.len()],
    /// Decisions to look at, in the order in which they build on one another.
    lessons: Vec<Lesson>,
    /// The style of each series, by position.
    styles: [SeriesStyle; SERIES_STYLES],
}

/// The tables from which the page draws its form and its choices.
#[wasm_bindgen(unchecked_return_type = "Tables")]
pub fn tables() -> JsValue {
    plain(&Tables {
        version: env!("CARGO_PKG_VERSION"),
        schema: SCHEMA,
        groups: GROUPS
            .iter()
            .map(|group| GroupChoice {
                name: group.name(),
                label: group.choice().label,
            })
            .collect(),
        keys: KEYS.iter().map(Field::of).collect(),
        queues: Queue::ALL
            .iter()
            .map(|queue| PolicyPart {
                choice: NamedChoice::of(queue.choice()),
                systems: queue.systems().iter().map(|system| system.name()).collect(),
            })
            .collect(),
        placements: PlacementPolicy::all()
            .into_iter()
            .map(|placement| PolicyPart {
                choice: NamedChoice::of(placement.choice()),
                systems: placement.systems().map(|system| system.name()).collect(),
            })
            .collect(),
        examples: EXAMPLES,
        lessons: LESSONS
            .iter()
            .map(|lesson| Lesson {
                label: lesson.label,
                pairs: lesson.pairs(),
                view: lesson.view,
            })
            .collect(),
        styles: series_styles(),
    })
}

/// The meanings of names in scenarios and results.
#[wasm_bindgen(unchecked_return_type = "Glossary")]
pub fn glossary() -> JsValue {
    plain(&Glossary::all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_asked_for_once() {
        assert_eq!(GROUPS.len(), Group::ALL.len());
        assert!(Group::ALL.iter().all(|group| GROUPS.contains(group)));
    }
}
