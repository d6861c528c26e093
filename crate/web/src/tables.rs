//! The core's tables as the page needs them: it knows no key, policy or metric by itself.

use crate::plain;
use backfill_experiment::files::report::SCHEMA;
use backfill_experiment::language::examples::{EXAMPLES, Example};
use backfill_experiment::language::glossary::Glossary;
use backfill_experiment::language::scenario::key::Group;
use backfill_experiment::language::scenario::{KEYS, Key, ValueKind};
use backfill_plot::colour::SERIES_STYLES;
use backfill_plot::{SeriesStyle, series_styles};
use backfill_sim::choice::Choice;
use backfill_sim::policy::Queue;
use backfill_sim::system::PlacementPolicy;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The order in which the form asks: what is compared, for which jobs, on what, how often.
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
    /// How it is written in a scenario.
    name: &'static str,
    /// What the form calls it.
    label: &'static str,
    /// The name of the group of fields in which it stands.
    group: &'static str,
    /// What its field is.
    kind: FieldKind,
    /// The values from which one is chosen; empty for other kinds of fields.
    choices: Vec<NamedChoice>,
    /// The value of a scenario that does not name the key.
    default: &'static str,
    /// The unit of its values; empty where they have none.
    unit: &'static str,
    /// Whether it can be swept.
    sweep: bool,
    /// Whether most people change it.
    essential: bool,
}

/// What the field of a key is: some need a field of their own kind, `Text` is everything else.
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
            | ValueKind::Bandwidths => FieldKind::Text,
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

/// One of the values that a key may have. What it means stands in the glossary.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Choice")]
struct NamedChoice {
    /// How it is written in a scenario.
    value: &'static str,
    /// How it is shown to a reader.
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

/// A placement and the systems on which it can place jobs.
#[derive(Serialize, ts_rs::TS)]
struct PlacementChoice {
    /// The placement.
    #[serde(flatten)]
    choice: NamedChoice,
    /// The values of the key `system` with which it can be used.
    systems: Vec<&'static str>,
}

/// A group of fields of the form.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "KeyGroup")]
struct GroupChoice {
    /// What keys call it.
    name: &'static str,
    /// Its heading.
    label: &'static str,
}

/// Everything the page draws its form and its choices from.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Tables {
    /// The version of the core.
    version: &'static str,
    /// The form in which results are kept and written.
    schema: u32,
    /// The groups of the form, in the order in which they are shown.
    groups: Vec<GroupChoice>,
    /// Every key.
    keys: Vec<Field>,
    /// Every scheduling policy, without its placement.
    queues: Vec<NamedChoice>,
    /// Every placement.
    placements: Vec<PlacementChoice>,
    /// Whole scenarios to begin from.
    examples: [Example; EXAMPLES.len()],
    /// The style of each series, by position.
    styles: [SeriesStyle; SERIES_STYLES],
}

/// Everything the page draws its form and its choices from.
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
        queues: Queue::CHOICES.iter().map(NamedChoice::of).collect(),
        placements: PlacementPolicy::all()
            .into_iter()
            .map(|placement| PlacementChoice {
                choice: NamedChoice::of(placement.choice()),
                systems: placement.systems().map(|system| system.name()).collect(),
            })
            .collect(),
        examples: EXAMPLES,
        styles: series_styles(),
    })
}

/// What the names of scenarios and results mean.
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
