//! The core's tables as the page needs them: it knows no key, policy or metric by itself.

use crate::plain;
use backfill_experiment::report::SCHEMA;
use backfill_experiment::scenario::key::Group;
use backfill_experiment::scenario::{KEYS, Key, Kind};
use backfill_plot::colour::SERIES_STYLES;
use backfill_plot::{Look, looks};
use backfill_sim::choice::Choice;
use backfill_sim::place::Placement;
use backfill_sim::policy::Queue;
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The order in which the form asks: what runs, on what, by whom, how often.
const GROUPS: [Group; 4] = [
    Group::Workload,
    Group::System,
    Group::Policies,
    Group::Sweep,
];

/// Whole scenarios to begin from.
const EXAMPLES: [Example; 8] = [
    Example {
        label: "Opening comparison",
        pairs: &[],
    },
    Example {
        label: "Placements without a queue: accept rate by mean bandwidth",
        pairs: &[
            (
                "policy",
                "none+adaba,none+best-fit,none+oktopus,none+greedy",
            ),
            ("x", "bandwidth_mbps:50,150,250,350,450,550,700"),
        ],
    },
    Example {
        label: "Queue policies under rising load: waiting time",
        pairs: &[
            ("policy", "fcfs,sbf,sdf,easy,bgmbf,bgmbf-sdf"),
            ("x", "load:0.2:1:0.2"),
        ],
    },
    Example {
        label: "Backfilling on a plain cluster, without a network",
        pairs: &[
            ("system", "nodes"),
            ("bandwidth", "none"),
            ("policy", "fcfs,easy"),
            ("x", "load:0.5:0.9:0.1"),
        ],
    },
    Example {
        label: "Consolidation on nodes of two tiers: response time beside EASY",
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
        label: "Zero-one scheduling on a pool: ZOMT beside AFCFS, LJFS and Fair",
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
        pairs: &[
            ("policy", "none+adaba,none+oktopus"),
            ("bandwidth_mbps", "450"),
            ("x", "fabric:aggregated,single-root"),
        ],
    },
];

/// A scenario to begin from.
#[derive(Clone, Copy, Serialize)]
struct Example {
    label: &'static str,
    pairs: &'static [(&'static str, &'static str)],
}

/// A key as its field in the form needs it.
#[derive(Serialize)]
struct Field {
    name: &'static str,
    label: &'static str,
    group: &'static str,
    kind: &'static str,
    choices: &'static [Choice],
    default: &'static str,
    unit: &'static str,
    allowed: String,
    help: &'static str,
    source: &'static str,
    sweep: bool,
    essential: bool,
}

impl Field {
    fn of(key: &'static Key) -> Field {
        let (kind, choices) = match key.kind {
            Kind::Choice { choices } => ("choice", choices),
            Kind::Policies => ("policies", &[][..]),
            Kind::Reference => ("reference", &[][..]),
            Kind::Sweep => ("sweep", &[][..]),
            Kind::File => ("file", &[][..]),
            Kind::Sha256 => ("sha256", &[][..]),
            Kind::Metric => ("metric", &[][..]),
            Kind::Integer { .. }
            | Kind::Decimal { .. }
            | Kind::WordOrDecimal { .. }
            | Kind::PerCluster { .. }
            | Kind::Law { .. }
            | Kind::Bandwidths => ("text", &[][..]),
        };
        Field {
            name: key.name,
            label: key.label,
            group: key.group.name(),
            kind,
            choices,
            default: key.default,
            unit: key.unit,
            allowed: key.kind.allowed(),
            help: key.help,
            source: key.source,
            sweep: key.sweep,
            essential: key.essential,
        }
    }
}

/// A placement and the systems on which it can place jobs.
#[derive(Serialize)]
struct PlacementChoice {
    #[serde(flatten)]
    choice: &'static Choice,
    systems: Vec<&'static str>,
}

#[derive(Serialize)]
struct GroupChoice {
    name: &'static str,
    label: &'static str,
    help: &'static str,
}

#[derive(Serialize)]
struct Tables {
    version: &'static str,
    schema: u32,
    groups: Vec<GroupChoice>,
    keys: Vec<Field>,
    queues: &'static [Choice],
    placements: Vec<PlacementChoice>,
    examples: [Example; EXAMPLES.len()],
    styles: [Look; SERIES_STYLES],
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
                help: group.choice().help,
            })
            .collect(),
        keys: KEYS.iter().map(Field::of).collect(),
        queues: Queue::CHOICES,
        placements: Placement::ALL
            .iter()
            .map(|placement| PlacementChoice {
                choice: placement.choice(),
                systems: placement
                    .systems()
                    .iter()
                    .map(|system| system.name())
                    .collect(),
            })
            .collect(),
        examples: EXAMPLES,
        styles: looks(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use backfill_experiment::scenario::Scenario;

    #[test]
    fn every_group_is_asked_for_once() {
        assert_eq!(GROUPS.len(), Group::ALL.len());
        assert!(Group::ALL.iter().all(|group| GROUPS.contains(group)));
    }

    #[test]
    fn examples_are_scenarios_without_a_trace() {
        for Example { label, pairs } in EXAMPLES {
            let scenario = Scenario::parse(pairs.iter().copied());
            let scenario = scenario.unwrap_or_else(|problems| panic!("{label}: {problems:?}"));
            assert_eq!(scenario.get("file"), "", "{label}");
        }
    }
}
