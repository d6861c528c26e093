//! The core's tables for the page, which itself knows no key, policy or metric.

use crate::plain;
use backfill_experiment::files::report::SCHEMA;
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

/// The groups of the form in order: what is compared, for which jobs, on what, how often.
const GROUPS: [Group; 4] = [
    Group::Policies,
    Group::Workload,
    Group::System,
    Group::Sweep,
];

/// Complete scenarios to start from.
pub const EXAMPLES: [Example; 11] = [
    Example {
        label: "Opening comparison",
        own: false,
        pairs: &[],
    },
    Example {
        label: "Placements without a queue: accept rate by mean bandwidth",
        own: false,
        pairs: &[
            (
                "policy",
                "none+adaba,none+best-fit,none+oktopus,none+greedy",
            ),
            ("x", "bandwidth_mbps:50,150,250,350,450,550,700"),
        ],
    },
    Example {
        label: "Scheduling policies under rising load: wait time",
        own: false,
        pairs: &[
            ("policy", "fcfs,sbf,sdf,easy,bgmbf,bgmbf-sdf"),
            ("x", "load:0.2:1:0.2"),
        ],
    },
    Example {
        label: "Backfilling on a plain cluster, without a network",
        own: false,
        pairs: &[
            ("system", "nodes"),
            ("bandwidth", "none"),
            ("policy", "fcfs,easy"),
            ("x", "load:0.5:0.9:0.1"),
        ],
    },
    Example {
        label: "Consolidation on nodes of two tiers: response time compared with EASY",
        own: false,
        pairs: &[
            ("system", "nodes"),
            ("nodes", "64"),
            ("tiers", "2"),
            ("bandwidth", "none"),
            ("size", "harmonic:1.5:5:64"),
            ("runtime", "hyperexponential:0.8:1000:8500:1"),
            ("migration_cost_s", "20"),
            ("policy", "easy,cmbf,ambf,cmcbf,amcbf"),
            ("x", "load:0.5:1.1:0.2"),
            ("metric", "response_mean"),
        ],
    },
    Example {
        label: "Jobs across four clusters: when sharing links stops to pay",
        own: false,
        pairs: &[
            ("system", "multi-cluster"),
            ("bandwidth", "constant"),
            ("load", "as-logged"),
            ("interarrival", "exponential:37.5"),
            ("jobs", "4000"),
            ("size", "uniform:10:50"),
            ("runtime", "exponential:450"),
            (
                "policy",
                "fpfs+migration-only,fpfs+first-fit,fpfs+first-fit(sharing=ideal),fpfs+a1",
            ),
            ("x", "bandwidth_mbps:100:350:50"),
            ("reps", "5"),
            ("metric", "response_mean"),
        ],
    },
    Example {
        label: "Zero-one scheduling on a pool: ZOMT compared with FPFS (AFCFS), LJFS and Fair",
        own: false,
        pairs: &[
            ("system", "pool"),
            ("bandwidth", "none"),
            ("load", "as-logged"),
            ("jobs", "5000"),
            ("reps", "5"),
            ("size", "harmonic:0:1:8:0.5:16"),
            ("runtime", "uniform:1893.4272:9467.136"),
            ("policy", "fpfs,ljfs,fair,zomt"),
            ("x", "arrivals_per_hour:5:8.5:0.5"),
        ],
    },
    Example {
        label: "How much the fabric matters: single root against aggregated",
        own: false,
        pairs: &[
            ("policy", "none+adaba,none+oktopus"),
            ("bandwidth_mbps", "450"),
            ("x", "fabric:aggregated,single-root"),
        ],
    },
    Example {
        label: "What a guarantee is worth: links reserved in part, the rest shared",
        own: false,
        pairs: &[
            ("policy", "easy+adaba,fcfs+first-fit"),
            ("load", "0.7"),
            ("x", "guarantee:0:100:10"),
        ],
    },
    Example {
        label: "What a guarantee is worth to jobs that communicate little or much",
        own: false,
        pairs: &[
            (
                "policy",
                "easy+adaba(guarantee=0),easy+adaba,fcfs+first-fit(guarantee=0),fcfs+first-fit",
            ),
            ("load", "0.7"),
            ("x", "communication:0:1:0.1"),
        ],
    },
    Example {
        label: "Beat EASY",
        own: true,
        pairs: &[
            (
                "policy",
                "easy,list(order=saf,behind=reserve),list(order=wfp3,behind=reserve),list(order=f1,behind=reserve)",
            ),
            ("x", "load:0.6:0.9:0.1"),
            ("metric", "wait_mean"),
        ],
    },
];

/// A complete scenario to start from.
#[derive(Clone, Copy, Serialize, ts_rs::TS)]
pub struct Example {
    /// Its label in the choice of examples.
    pub label: &'static str,
    /// Whether it asks the user to add a policy of their own.
    pub own: bool,
    /// The values that differ from their defaults, by key.
    pub pairs: &'static [(&'static str, &'static str)],
}

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
    /// Its name in keys.
    name: &'static str,
    /// Its heading.
    label: &'static str,
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
    queues: Vec<NamedChoice>,
    /// Every placement.
    placements: Vec<PlacementChoice>,
    /// Complete scenarios to start from.
    examples: [Example; EXAMPLES.len()],
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

/// The meanings of names in scenarios and results.
#[wasm_bindgen(unchecked_return_type = "Glossary")]
pub fn glossary() -> JsValue {
    plain(&Glossary::all())
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_experiment::language::scenario::Scenario;

    #[test]
    fn every_group_is_asked_for_once() {
        assert_eq!(GROUPS.len(), Group::ALL.len());
        assert!(Group::ALL.iter().all(|group| GROUPS.contains(group)));
    }

    #[test]
    fn examples_are_scenarios_without_a_trace() {
        for Example { label, pairs, .. } in EXAMPLES {
            let scenario = Scenario::parse(pairs.iter().copied());
            let scenario = scenario.unwrap_or_else(|problems| panic!("{label}: {problems:?}"));
            assert_eq!(scenario.get("file"), "", "{label}");
        }
    }
}
