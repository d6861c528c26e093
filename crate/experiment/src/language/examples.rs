//! Whole scenarios to begin from: the page offers them and asks its opening questions with them.

use serde::Serialize;

/// Whole scenarios to begin from.
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

/// A whole scenario to begin from.
#[derive(Clone, Copy, Serialize, ts_rs::TS)]
pub struct Example {
    /// What the choice of examples calls it.
    pub label: &'static str,
    /// Whether it asks the user to add a policy of their own.
    pub own: bool,
    /// The values that differ from their defaults, by key.
    pub pairs: &'static [(&'static str, &'static str)],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scenario::Scenario;

    #[test]
    fn examples_are_scenarios_without_a_trace() {
        for Example { label, pairs, .. } in EXAMPLES {
            let scenario = Scenario::parse(pairs.iter().copied());
            let scenario = scenario.unwrap_or_else(|problems| panic!("{label}: {problems:?}"));
            assert_eq!(scenario.get("file"), "", "{label}");
        }
    }
}
